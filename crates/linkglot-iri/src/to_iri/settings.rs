//! The settings of the mapping to display IRIs.

/// The characters that the display form shows.
///
/// ```
/// use linkglot_iri::{Display, ToIri};
///
/// let mut settings = ToIri::default();
/// assert_eq!(settings.map("/%E2%80%8B%C3%A9", &|_| true).text, "/%E2%80%8Bé");
/// settings.display = Display::All;
/// assert_eq!(settings.map("/%E2%80%8B%C3%A9", &|_| true).text, "/\u{200B}é");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Display {
    /// Nothing that could deceive. Encoded stay spaces; invisible, unassigned and private-use characters; leading
    /// marks; text that is not in NFC; full- and half-width forms, ligatures and other compatibility characters, and
    /// look-alikes of delimiters and dots (RFC 3987 6.1 b); and parts of components that break the bidi rules (4.2).
    #[default]
    Safe,
    /// Everything that RFC 3987 2.2 and 4.1 allow, hosts included.
    All,
}

/// The punycode labels that are shown in Unicode, where the scheme uses DNS names.
///
/// ```
/// use linkglot_iri::{HostDisplay, ToIri};
///
/// // The Cyrillic letters look like those of a well-known name.
/// let uri = "http://xn--80ak6aa92e.com/";
/// let mut settings = ToIri::default();
/// assert_eq!(settings.map(uri, &|_| true).text, uri);
/// settings.host = HostDisplay::All;
/// assert_eq!(settings.map(uri, &|_| true).text, "http://аррӏе.com/");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HostDisplay {
    /// Labels that cannot deceive; all labels if [`Display`] is not `Safe`.
    #[default]
    Safe,
    /// All labels.
    All,
    /// No labels.
    Keep,
}

/// The mapping to display IRIs, with its settings.
///
/// ```
/// use linkglot_iri::ToIri;
///
/// let mut settings = ToIri::default();
/// settings.keep_query = true;
/// assert_eq!(settings.map("/%C3%A9?%C3%A9", &|_| true).text, "/é?%C3%A9");
/// settings.base_scheme = Some("http".to_owned());
/// assert_eq!(settings.map("//xn--9ca/", &|_| true).text, "//é/");
/// ```
#[derive(Clone, Debug, Default)]
pub struct ToIri {
    /// The characters that are shown.
    pub display: Display,
    /// The punycode labels that are shown.
    pub host: HostDisplay,
    /// The query is in a charset other than UTF-8. Its escapes stay, because the browser would send
    /// the characters in the document's charset.
    pub keep_query: bool,
    /// The scheme of relative references, taken from the base.
    pub base_scheme: Option<String>,
}

impl ToIri {
    /// True if only labels that cannot deceive are shown.
    pub(super) fn checks_hosts(&self) -> bool {
        self.display == Display::Safe && self.host != HostDisplay::All
    }
}

//! The settings of the mapping to URIs.

use crate::idna::Idna;
use linkglot_charset::Charset;

/// The form of hosts that are not ASCII.
///
/// ```
/// use linkglot_iri::{HostForm, ToUri};
///
/// let map = |host| {
///     let mut settings = ToUri::default();
///     settings.host = host;
///     settings.map("http://é.example/é").unwrap().text.into_owned()
/// };
/// assert_eq!(map(HostForm::Punycode), "http://xn--9ca.example/%C3%A9");
/// assert_eq!(map(HostForm::Percent), "http://%C3%A9.example/%C3%A9");
/// assert_eq!(map(HostForm::Keep), "http://é.example/%C3%A9");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HostForm {
    /// Punycode for schemes that use DNS names, percent-encoded UTF-8 for the others.
    #[default]
    Punycode,
    /// Percent-encoded UTF-8.
    Percent,
    /// Unicode for schemes that use DNS names, unchanged for the others: an IRI, not a URI.
    Unicode,
    /// Unchanged: an IRI, not a URI.
    Keep,
}

/// The charset of non-ASCII characters in http(s) queries.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_iri::{QueryCharset, ToUri};
///
/// let mut settings = ToUri::default();
/// settings.charset = Charset::for_label("windows-1251").unwrap();
/// assert_eq!(settings.map("http://a/я?я").unwrap().text, "http://a/%D1%8F?%D1%8F");
/// settings.query = QueryCharset::Document;
/// assert_eq!(settings.map("http://a/я?я").unwrap().text, "http://a/%D1%8F?%FF");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum QueryCharset {
    /// UTF-8 (RFC 3987).
    #[default]
    Utf8,
    /// The document's charset, or UTF-8 for a Unicode charset: as browsers do.
    Document,
}

/// Treatment of a character that no IRI may have.
///
/// ```
/// use linkglot_iri::{Disallowed, ToUri};
///
/// let mut settings = ToUri::default();
/// assert!(settings.map("/{é}").is_err());
/// settings.ascii = Disallowed::Encode;
/// assert_eq!(settings.map("/{é}").unwrap().text, "/%7B%C3%A9%7D");
/// assert!(settings.map("/\t").is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Disallowed {
    /// Fail.
    #[default]
    Fail,
    /// Percent-encode it. ASCII controls still fail: RFC 3987 3.1 allows encoding only for printable characters, and
    /// browsers remove some controls instead.
    Encode,
}

/// Treatment of a query character that the document's charset lacks.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_iri::{QueryCharset, ToUri, Unencodable};
///
/// let mut settings = ToUri::default();
/// settings.charset = Charset::for_label("iso-8859-1").unwrap();
/// settings.query = QueryCharset::Document;
/// assert!(settings.map("http://a/?я").is_err());
/// settings.unencodable = Unencodable::Reference;
/// assert_eq!(settings.map("http://a/?я").unwrap().text, "http://a/?%26%231103%3B");
/// settings.unencodable = Unencodable::Utf8;
/// assert_eq!(settings.map("http://a/?я").unwrap().text, "http://a/?%D1%8F");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unencodable {
    /// Fail.
    #[default]
    Fail,
    /// Write `%26%23NNNN%3B`, as browsers do (URL Standard, percent-encode after encoding).
    Reference,
    /// Write its UTF-8 octets.
    Utf8,
}

/// Normalization to NFC of text from a non-Unicode charset (RFC 3987 3.1 step 1b).
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_iri::{Normalization, ToUri};
///
/// let mut settings = ToUri::default();
/// settings.charset = Charset::for_label("windows-1258").unwrap();
/// assert_eq!(settings.map("/e\u{301}").unwrap().text, "/%C3%A9");
/// settings.normalization = Normalization::Never;
/// assert_eq!(settings.map("/e\u{301}").unwrap().text, "/e%CC%81");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Normalization {
    /// If the charset is not one of Unicode's.
    #[default]
    ByCharset,
    /// Never, as in browsers.
    Never,
}

/// The mapping to URIs, with its settings.
///
/// ```
/// use linkglot_iri::ToUri;
///
/// let mut settings = ToUri::default();
/// settings.base_scheme = Some("http".to_owned());
/// assert_eq!(settings.map("//é/").unwrap().text, "//xn--9ca/");
/// settings.from_paper = true;
/// assert_eq!(settings.map("/e\u{301}").unwrap().text, "/%C3%A9");
/// ```
#[derive(Clone, Debug)]
pub struct ToUri {
    /// The original charset of the characters. Text from a non-Unicode charset is normalized to NFC (3.1 step 1b).
    pub charset: Charset,
    /// The form of hosts.
    pub host: HostForm,
    /// Conversion of a host to punycode.
    pub idna: Idna,
    /// The charset of http(s) queries.
    pub query: QueryCharset,
    /// Treatment of query characters that the charset lacks.
    pub unencodable: Unencodable,
    /// Treatment of ASCII characters that no IRI may have: space, ``"<>\^`{|}`` and controls.
    pub ascii: Disallowed,
    /// Treatment of characters beyond ASCII that no IRI may have.
    pub other: Disallowed,
    /// Normalization of text from a non-Unicode charset to NFC.
    pub normalization: Normalization,
    /// The text comes from paper or speech: it is normalized to NFC (3.1 step 1a).
    pub from_paper: bool,
    /// The scheme of relative references, taken from the base. Without a scheme, their queries are in UTF-8 and their
    /// hosts percent-encoded.
    pub base_scheme: Option<String>,
}

impl Default for ToUri {
    fn default() -> Self {
        ToUri {
            charset: Charset::UTF_8,
            host: HostForm::default(),
            idna: Idna::default(),
            query: QueryCharset::default(),
            unencodable: Unencodable::default(),
            ascii: Disallowed::default(),
            other: Disallowed::default(),
            normalization: Normalization::default(),
            from_paper: false,
            base_scheme: None,
        }
    }
}

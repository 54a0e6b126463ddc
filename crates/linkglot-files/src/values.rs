//! The values of options by their names, for the command line and bindings.

use linkglot::link::Nfc;
use linkglot::notes::{Note, Notes};
use linkglot::rewrite::{self, HostForm};
use linkglot::{Charset, Evidence, Format, PlaceKind, Profile, QueryCharset};
use linkglot_iri::bidi::unwrapped;
use linkglot_iri::target::Reading;
use linkglot_iri::{Form, HostDisplay, Idna, Level, Parts, Spaces, parse, to_iri, to_uri};

/// `None` for auto. (The alias keeps clap from treating the option as one without a default.)
pub type FormatChoice = Option<Format>;

/// The names of values in options, with the values. Of several names of a value the first is shown.
pub type Names<T> = &'static [(&'static str, T)];

/// Formats of documents.
pub const FORMATS: Names<FormatChoice> = &[
    ("auto", None),
    ("text", Some(Format::Text)),
    ("html", Some(Format::Html)),
    ("xml", Some(Format::Xml)),
    ("css", Some(Format::Css)),
    #[cfg(feature = "markdown")]
    ("markdown", Some(Format::Markdown)),
    ("rst", Some(Format::Rst)),
    ("mail", Some(Format::Mail)),
    ("mbox", Some(Format::Mailbox)),
    ("ics", Some(Format::Calendar)),
    ("vcf", Some(Format::VCard)),
    ("json", Some(Format::Json)),
    ("jsonl", Some(Format::JsonLines)),
    ("sql", Some(Format::Sql)),
    ("csv", Some(Format::Csv)),
    ("js", Some(Format::JavaScript)),
    ("php", Some(Format::Php)),
    ("python", Some(Format::Python)),
    ("c", Some(Format::C)),
    ("toml", Some(Format::Toml)),
    ("yaml", Some(Format::Yaml)),
    ("po", Some(Format::Gettext)),
    ("properties", Some(Format::Properties)),
    ("tex", Some(Format::Tex)),
    ("rtf", Some(Format::Rtf)),
    ("mediawiki", Some(Format::MediaWiki)),
    ("asciidoc", Some(Format::AsciiDoc)),
    ("org", Some(Format::Org)),
    ("textile", Some(Format::Textile)),
];

/// Profiles of detection.
pub const PROFILES: Names<Profile> = &[
    ("extended", Profile::Extended),
    ("uts58", Profile::Uts58),
    ("scheme", Profile::Scheme),
];

/// Grades of evidence, the surest first.
pub const EVIDENCE: Names<Evidence> = &[
    ("markup", Evidence::Markup),
    ("enclosed", Evidence::Enclosed),
    ("scheme", Evidence::Scheme),
    ("www", Evidence::Www),
    ("address", Evidence::Address),
    ("path", Evidence::Path),
    ("name", Evidence::Name),
];

/// Forms that links get.
pub const FORMS: Names<rewrite::Form> = &[
    ("uri", rewrite::Form::Uri),
    ("iri", rewrite::Form::Iri),
    ("same", rewrite::Form::Same),
];

/// Forms of hosts.
pub const HOSTS: Names<HostForm> = &[
    ("punycode", HostForm::Punycode),
    ("unicode", HostForm::Unicode),
    ("percent", HostForm::Percent),
    ("keep", HostForm::Keep),
];

/// `None` for auto.
pub type MapFormatChoice = Option<rewrite::MapFormat>;

/// Formats of files with rules.
pub const MAP_FORMATS: Names<MapFormatChoice> = &[
    ("auto", None),
    ("linkglot", Some(rewrite::MapFormat::Rules)),
    ("csv", Some(rewrite::MapFormat::Csv)),
    ("apache", Some(rewrite::MapFormat::Apache)),
    ("nginx", Some(rewrite::MapFormat::Nginx)),
    ("netlify", Some(rewrite::MapFormat::Netlify)),
    ("json", Some(rewrite::MapFormat::Json)),
];

/// Charsets of queries.
pub const QUERIES: Names<QueryCharset> = &[
    ("document", QueryCharset::Document),
    ("utf-8", QueryCharset::Utf8),
    ("utf8", QueryCharset::Utf8),
];

/// Times at which links are normalized to NFC.
pub const NFCS: Names<Nfc> = &[
    ("auto", Nfc::Auto),
    ("always", Nfc::Always),
    ("never", Nfc::Never),
];

/// Displays of IRIs outside of the host.
pub const DISPLAYS: Names<to_iri::Display> = &[
    ("safe", to_iri::Display::Safe),
    ("all", to_iri::Display::All),
];

/// Displays of IRIs outside of the host, and in it.
pub const ALL_DISPLAYS: Names<(to_iri::Display, HostDisplay)> = &[
    ("safe", (to_iri::Display::Safe, HostDisplay::Safe)),
    ("minimal", (to_iri::Display::All, HostDisplay::Safe)),
    ("all", (to_iri::Display::All, HostDisplay::All)),
];

/// Versions of IDNA.
pub const IDNA: Names<Idna> = &[("uts46", Idna::Uts46), ("2003", Idna::Transitional)];

/// Treatments of characters that the charset of a query lacks.
pub const UNENCODABLE: Names<to_uri::Unencodable> = &[
    ("error", to_uri::Unencodable::Fail),
    ("ncr", to_uri::Unencodable::Reference),
    ("utf-8", to_uri::Unencodable::Utf8),
    ("utf8", to_uri::Unencodable::Utf8),
];

/// Treatments of characters that no IRI may hold.
pub const DISALLOWED: Names<to_uri::Disallowed> = &[
    ("fail", to_uri::Disallowed::Fail),
    ("encode", to_uri::Disallowed::Encode),
];

/// Levels of comparison (RFC 3987 5.3).
pub const LEVELS: Names<Level> = &[
    ("string", Level::String),
    ("case", Level::Case),
    ("percent", Level::Percent),
    ("path", Level::Path),
    ("scheme", Level::Scheme),
];

/// Treatments of white space in references.
pub const SPACES: Names<Spaces> = &[
    ("encode", Spaces::Encode),
    ("remove", Spaces::Remove),
    ("split", Spaces::Split),
];

/// The name of a value.
pub fn name_of<T: PartialEq>(table: Names<T>, wanted: T) -> &'static str {
    let found = table.iter().find(|(_, value)| *value == wanted);
    found.map_or("", |(name, _)| name)
}

/// All places; the names are those in JSON.
pub const PLACES: &[PlaceKind] = &[
    PlaceKind::Text,
    PlaceKind::Attribute,
    PlaceKind::Css,
    PlaceKind::Refresh,
    PlaceKind::Srcset,
    PlaceKind::Element,
    PlaceKind::Instruction,
    PlaceKind::Doctype,
    PlaceKind::Comment,
    PlaceKind::Script,
    PlaceKind::Link,
    PlaceKind::Header,
    PlaceKind::Property,
    PlaceKind::Value,
];

/// The place with a name.
pub fn named_place(name: &str) -> Option<PlaceKind> {
    PLACES.iter().copied().find(|place| place.name() == name)
}

/// A kind of links: the place of a link, or its spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Links at a place.
    Place(PlaceKind),
    /// Links of a spelling.
    Link(LinkKind),
}

/// The spelling of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// With a scheme.
    Iri,
    /// As a domain in running text, without a scheme.
    Domain,
    /// As an e-mail address in running text, without a scheme.
    Email,
}

/// Spellings of links.
const LINK_KINDS: Names<LinkKind> = &[
    ("iri", LinkKind::Iri),
    ("domain", LinkKind::Domain),
    ("email", LinkKind::Email),
];

/// The names of all kinds.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    let places = PLACES.iter().map(|place| place.name());
    places.chain(LINK_KINDS.iter().map(|(name, _)| *name))
}

/// The kind with a name.
pub fn named_kind(name: &str) -> Option<Kind> {
    let link = LINK_KINDS.iter().find(|(known, _)| *known == name);
    let link = link.map(|(_, kind)| Kind::Link(*kind));
    link.or_else(|| named_place(name).map(Kind::Place))
}

/// A wanted warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warn {
    /// All warnings.
    Any,
    /// A single warning.
    One(Note),
}

/// The name that stands for all warnings.
const ANY: &str = "any";

impl Warn {
    /// The warnings that the value stands for.
    pub fn notes(self) -> Notes {
        match self {
            Warn::Any => Notes::from_iter(Note::WARNINGS),
            Warn::One(note) => note.into(),
        }
    }
}

/// The names of all warnings.
pub fn warnings() -> impl Iterator<Item = &'static str> {
    let codes = Note::WARNINGS.iter().map(|note| note.code());
    codes.chain([ANY])
}

/// The warning with a name.
pub fn named_warning(name: &str) -> Option<Warn> {
    let mut notes = Note::WARNINGS.into_iter();
    let one = notes.find(|note| note.code() == name).map(Warn::One);
    one.or_else(|| (name == ANY).then_some(Warn::Any))
}

/// Reads a scheme; the result is in lower case, without a colon.
///
/// # Errors
///
/// Errors if the text is no scheme (RFC 3986 3.1).
pub fn scheme(text: &str) -> Result<String, String> {
    let name = text.strip_suffix(':').unwrap_or(text);
    let starts = name.starts_with(|ch: char| ch.is_ascii_alphabetic());
    if starts
        && name
            .chars()
            .all(|ch| ch.is_ascii_alphanumeric() || "+-.".contains(ch))
    {
        Ok(name.to_ascii_lowercase())
    } else {
        Err(format!("expected a scheme such as `http`, found `{text}`"))
    }
}

/// A base: a reference with a scheme, without bidi formatting characters around it (RFC 3987 4.1).
///
/// # Errors
///
/// Errors if the text has no scheme.
pub fn base(text: &str) -> Result<String, String> {
    let text = unwrapped(text);
    match Parts::split(text).scheme() {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!(
            "expected an IRI with a scheme, found the relative reference `{text}`"
        )),
    }
}

/// A base for documents. Browsers must accept the base as a URL; otherwise nothing would resolve against it.
///
/// # Errors
///
/// Errors if browsers do not accept the base.
pub fn document_base(text: &str) -> Result<String, String> {
    let base = base(text)?;
    let reading = Reading {
        base: None,
        query: Charset::UTF_8,
    };
    if reading.resolve(&base).is_some() {
        return Ok(base);
    }
    let why = match parse(text, Form::Iri) {
        Err(error) => error.to_string(),
        Ok(_) => "browsers do not accept it as a URL".to_owned(),
    };
    Err(format!(
        "expected an IRI that links can be resolved against, found `{text}`: {why}"
    ))
}

/// A site for relative links: an IRI that browsers accept, without query and fragment.
///
/// # Errors
///
/// Errors if the text is no such IRI.
pub fn site(text: &str) -> Result<String, String> {
    let site = document_base(text)?;
    let parts = Parts::split(&site);
    if parts.authority().is_some() && parts.query().is_none() && parts.fragment().is_none() {
        Ok(site)
    } else {
        Err(format!(
            "expected a site such as `https://example.org/` or `https://example.org/blog/`, found `{text}`"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes() {
        assert_eq!(scheme("HTTP:"), Ok("http".to_owned()));
        assert!(scheme("1a").is_err() && scheme("").is_err() && scheme("a b").is_err());
    }

    #[test]
    fn every_kind_and_warning_has_a_name() {
        assert!(kinds().all(|name| named_kind(name).is_some()));
        assert!(warnings().all(|name| named_warning(name).is_some()));
        assert_eq!((named_kind("any"), named_warning("text")), (None, None));
    }
}

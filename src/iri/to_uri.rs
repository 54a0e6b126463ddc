//! IRI to URI (RFC 3987 3.1).

mod query;

use super::class;
use super::display;
use super::host;
use super::parse::{self, Form, ParseError};
use super::parts::{Parts, scheme_end};
use super::percent::{self, DISALLOWED, PERCENT, Survey, WIDE};
use super::unsure;
use crate::charset::Charset;
use crate::report::{Note, Notes};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// A mapped identifier.
///
/// ```
/// use linkglot::iri::ToUri;
/// use linkglot::report::Note;
///
/// let mapped = ToUri::default().map("/e\u{301}").unwrap();
/// assert_eq!(mapped.text, "/e%CC%81");
/// assert!(mapped.notes.contains(Note::NotNfc));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped<'i> {
    /// The new form; borrowed when it is the old one.
    pub text: Cow<'i, str>,
    /// What is worth knowing.
    pub notes: Notes,
}

/// Why an identifier cannot be mapped.
///
/// ```
/// use linkglot::iri::{MapErrorKind, ToUri};
///
/// let error = ToUri::default().map("/é|").unwrap_err();
/// assert_eq!((error.at, error.kind), (3, MapErrorKind::DisallowedAscii));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapError {
    /// Byte position in the identifier.
    pub at: usize,
    /// What kind of trouble.
    pub kind: MapErrorKind,
}

/// The kinds of [`MapError`].
///
/// ```
/// use linkglot::iri::{MapErrorKind, ToUri};
///
/// let kind = |iri: &str| ToUri::default().map(iri).unwrap_err().kind;
/// assert_eq!(kind("http://é_.example/"), MapErrorKind::ToAscii);
/// assert_eq!(kind("/\u{FDD0}"), MapErrorKind::DisallowedCharacter);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MapErrorKind {
    /// An ASCII character that no IRI has.
    DisallowedAscii,
    /// A character in no class of RFC 3987.
    DisallowedCharacter,
    /// The host has no ASCII form.
    ToAscii,
    /// The query's charset lacks the character.
    Unencodable,
}

/// The form of a host that is not ASCII.
///
/// ```
/// use linkglot::iri::{HostForm, ToUri};
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
    /// punycode for schemes that use DNS names.
    #[default]
    Punycode,
    /// Percent-encoded UTF-8.
    Percent,
    /// Unicode for schemes that use DNS names, other hosts as they are: an IRI, not a URI.
    Unicode,
    /// As it is: an IRI, not a URI.
    Keep,
}

/// How a name of the DNS becomes punycode. Both by UTS 46 with STD3 rules.
///
/// ```
/// use linkglot::iri::{Idna, ToUri};
///
/// let mut settings = ToUri::default();
/// assert_eq!(settings.map("http://faß.example/").unwrap().text, "http://xn--fa-hia.example/");
/// settings.idna = Idna::Transitional;
/// assert_eq!(settings.map("http://faß.example/").unwrap().text, "http://fass.example/");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Idna {
    /// As browsers do.
    #[default]
    Uts46,
    /// As in 2003 (RFC 3490): `ß` is `ss`, `ς` is `σ`, and joiners go.
    Transitional,
}

/// The charset of non-ASCII characters in http(s) queries.
///
/// ```
/// use linkglot::charset::Charset;
/// use linkglot::iri::{QueryCharset, ToUri};
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
    /// The document's charset, as browsers do (Unicode charsets: UTF-8).
    Document,
}

/// What becomes of something that cannot be mapped.
///
/// ```
/// use linkglot::iri::{Disallowed, ToUri};
///
/// let mut settings = ToUri::default();
/// assert!(settings.map("/{é}").is_err());
/// settings.ascii = Disallowed::Encode;
/// assert_eq!(settings.map("/{é}").unwrap().text, "/%7B%C3%A9%7D");
/// assert!(settings.map("/\t").is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Disallowed {
    /// The mapping fails.
    #[default]
    Fail,
    /// It is percent-encoded. Controls fail all the same: RFC 3987 3.1 lets printable characters
    /// alone be encoded, and browsers remove some controls instead.
    Encode,
}

/// What becomes of a query character that the document's charset lacks.
///
/// ```
/// use linkglot::charset::Charset;
/// use linkglot::iri::{QueryCharset, ToUri, Unencodable};
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
    /// The mapping fails.
    #[default]
    Fail,
    /// The WHATWG form `%26%23NNNN%3B`.
    Reference,
    /// Its UTF-8 octets.
    Utf8,
}

/// The mapping to URIs, with its settings.
///
/// ```
/// use linkglot::iri::ToUri;
///
/// let mut settings = ToUri::default();
/// settings.base_scheme = Some("http".to_owned());
/// assert_eq!(settings.map("//é/").unwrap().text, "//xn--9ca/");
/// settings.from_paper = true;
/// assert_eq!(settings.map("/e\u{301}").unwrap().text, "/%C3%A9");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToUri {
    /// The charset that the characters came from. A non-Unicode one means NFC (3.1 step 1b).
    pub charset: Charset,
    /// The host's form.
    pub host: HostForm,
    /// How it becomes punycode.
    pub idna: Idna,
    /// The charset of http(s) queries.
    pub query: QueryCharset,
    /// Query characters that the charset lacks.
    pub unencodable: Unencodable,
    /// Space, `"<>\^` and the like, which no IRI has.
    pub ascii: Disallowed,
    /// Non-ASCII characters in no class.
    pub other: Disallowed,
    /// From paper or speech: NFC whatever the charset (3.1 step 1a).
    pub from_paper: bool,
    /// The scheme of relative references (that of the base). Without one, their queries are in
    /// UTF-8 and their hosts percent-encoded.
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
            from_paper: false,
            base_scheme: None,
        }
    }
}

impl MapErrorKind {
    /// The stable code, as scripts read it.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::MapErrorKind::ToAscii.code(), "toascii");
    /// ```
    pub fn code(self) -> &'static str {
        match self {
            MapErrorKind::DisallowedAscii => "disallowed-ascii",
            MapErrorKind::DisallowedCharacter => "disallowed-char",
            MapErrorKind::ToAscii => "toascii",
            MapErrorKind::Unencodable => "unencodable",
        }
    }

    /// What was expected, and found instead.
    fn words(self) -> &'static str {
        match self {
            MapErrorKind::DisallowedAscii => {
                "expected a character of an IRI, found one in ASCII that none has"
            }
            MapErrorKind::DisallowedCharacter => {
                "expected a character of an IRI, found one beyond ASCII that none has"
            }
            MapErrorKind::ToAscii => "expected a domain name, found a host that has no ASCII form",
            MapErrorKind::Unencodable => {
                "expected a character of the document's charset, found another in the query"
            }
        }
    }
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at byte {}", self.kind.words(), self.at)
    }
}

impl std::error::Error for MapError {}

/// Why [`ToUri::map_valid`] fails.
///
/// ```
/// use linkglot::iri::{InvalidOrUnmappable, ToUri};
///
/// let error = ToUri::default().map_valid("http://é_.example/").unwrap_err();
/// assert!(matches!(error, InvalidOrUnmappable::Unmappable(_)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidOrUnmappable {
    /// It is no IRI reference.
    Invalid(ParseError),
    /// It is one, and has no URI.
    Unmappable(MapError),
}

impl From<ParseError> for InvalidOrUnmappable {
    fn from(error: ParseError) -> Self {
        InvalidOrUnmappable::Invalid(error)
    }
}

impl From<MapError> for InvalidOrUnmappable {
    fn from(error: MapError) -> Self {
        InvalidOrUnmappable::Unmappable(error)
    }
}

impl fmt::Display for InvalidOrUnmappable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidOrUnmappable::Invalid(error) => error.fmt(f),
            InvalidOrUnmappable::Unmappable(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InvalidOrUnmappable {}

impl ToUri {
    /// Maps an IRI or IRI reference, valid or not. Identity, and borrowed, on URIs whose host has no
    /// percent-encoded UTF-8. Linear; at most nine bytes come out for each character that goes in,
    /// but for hosts (punycode) and `%26%23NNNN%3B`.
    ///
    /// `#`, `%`, `[` and `]` are never touched, wherever they stand. Characters that RFC 3987 4.1
    /// forbids although `ucschar` has them (bidi controls), and private use outside queries, are
    /// encoded with a note.
    ///
    /// # Errors
    ///
    /// The first character that cannot be mapped, or the host.
    ///
    /// ```
    /// use linkglot::iri::ToUri;
    ///
    /// let uri = ToUri::default().map("http://résumé.example/%7Eé").unwrap();
    /// assert_eq!(uri.text, "http://xn--rsum-bpad.example/%7E%C3%A9");
    /// ```
    pub fn map<'i>(&self, iri: &'i str) -> Result<Mapped<'i>, MapError> {
        let bytes = iri.as_bytes();
        let (same, has_percent) = percent::plain_prefix(bytes);
        let mut kinds = if has_percent { PERCENT } else { 0 };
        let mut same = same;
        // Nobody but the host's form asks where exactly the first change is.
        if same < bytes.len() && !(same > 0 && self.is_uniform(iri, same)) {
            same = plain_run(bytes, same, &mut kinds);
        }
        if same == bytes.len() && !self.may_map_ascii_host(iri, kinds) {
            return Ok(Mapped {
                text: Cow::Borrowed(iri),
                notes: percent_notes(iri, kinds),
            });
        }
        self.written(iri, same, kinds)
    }

    /// Checks that a text is an IRI or IRI reference (RFC 3987 2.2 and 4.1) and maps it: what comes
    /// out is a URI reference, if the host's form lets it be ASCII. Quicker than [`parse`](super::parse()) and
    /// [`map`](Self::map), and the same otherwise.
    ///
    /// # Errors
    ///
    /// What is not valid, or cannot be mapped.
    ///
    /// ```
    /// use linkglot::iri::ToUri;
    ///
    /// let settings = ToUri::default();
    /// assert_eq!(settings.map_valid("http://é.example/é").unwrap().text, "http://xn--9ca.example/%C3%A9");
    /// let error = settings.map_valid("é:").unwrap_err();
    /// assert_eq!(error.to_string(), "expected no colon before the first slash, found `:`, at byte 2");
    /// ```
    pub fn map_valid<'i>(&self, iri: &'i str) -> Result<Mapped<'i>, InvalidOrUnmappable> {
        let plain = parse::survey(iri, Form::Reference)?;
        let kinds = if plain.has_percent { PERCENT } else { 0 };
        if plain.length == iri.len() && !self.may_map_ascii_host(iri, kinds) {
            return Ok(Mapped {
                text: Cow::Borrowed(iri),
                notes: Notes::NONE,
            });
        }
        Ok(self.written(iri, plain.length, kinds)?)
    }

    /// The mapped form of an identifier of which nothing changes up to `same`.
    fn written<'i>(&self, iri: &'i str, same: usize, kinds: u8) -> Result<Mapped<'i>, MapError> {
        let mut writer = Writer {
            settings: self,
            scheme: "",
            normalizes: self.from_paper || !self.charset.is_unicode(),
            // Nothing but punycode and character references needs more.
            out: Vec::with_capacity(iri.len() * 3 + 1),
            kinds,
            is_surely_nfc: true,
            notes: Notes::NONE,
        };
        if self.is_uniform(iri, same) {
            writer.uniform(iri, same)?;
        } else {
            let parts = Parts::split(iri);
            let base = self.base_scheme.as_deref();
            writer.scheme = parts.scheme().or(base).unwrap_or_default();
            writer.reference(&parts)?;
        }
        Ok(writer.finish(iri))
    }

    /// Whether all components are mapped in the same way. Up to `same` nothing changes.
    fn is_uniform(&self, iri: &str, same: usize) -> bool {
        let has_plain_host = match self.host {
            HostForm::Percent => true,
            HostForm::Punycode | HostForm::Keep => has_plain_host(iri, same),
            HostForm::Unicode => false,
        };
        has_plain_host && (self.query == QueryCharset::Utf8 || self.charset.is_unicode())
    }

    /// Whether it is plain at a glance that [`map`](Self::map) gives an identifier back, without a
    /// note: all of it is unreserved or reserved ASCII. Linear.
    pub(crate) fn surely_keeps(&self, iri: &str) -> bool {
        let kinds = percent::survey(iri);
        kinds & (DISALLOWED | WIDE | PERCENT) == 0 && !self.may_map_ascii_host(iri, kinds)
    }

    /// Whether a host all in ASCII might get another form.
    fn may_map_ascii_host(&self, iri: &str, kinds: u8) -> bool {
        let might = match self.host {
            HostForm::Punycode => kinds & PERCENT != 0,
            HostForm::Unicode => true,
            HostForm::Percent | HostForm::Keep => false,
        };
        might && (self.host == HostForm::Unicode || may_have_escaped_host(iri))
    }
}

/// Whether the host might have a percent sign: no authority ends before the first one.
fn may_have_escaped_host(iri: &str) -> bool {
    let bytes = iri.as_bytes();
    let stop = |byte: &&u8| matches!(byte, b'/' | b'?' | b'#' | b'%');
    let authority = authority_start(bytes).map(|start| bytes[start..].iter());
    authority.is_some_and(|mut bytes| bytes.find(stop) == Some(&b'%'))
}

/// Whether the authority, if there is one, ends before `same` and has no percent sign.
fn has_plain_host(iri: &str, same: usize) -> bool {
    let bytes = iri.as_bytes();
    let Some(start) = authority_start(bytes) else {
        return true;
    };
    let stop = |byte: &&u8| matches!(byte, b'/' | b'?' | b'#' | b'%');
    let same = bytes.get(start..same).unwrap_or_default();
    same.iter().find(stop).is_some_and(|&byte| byte != b'%')
}

/// Where the authority begins, if there is one.
fn authority_start(bytes: &[u8]) -> Option<usize> {
    let scheme = scheme_end(bytes);
    let start = if scheme > 0 { scheme + 1 } else { 0 };
    bytes[start..].starts_with(b"//").then_some(start + 2)
}

fn percent_notes(iri: &str, kinds: u8) -> Notes {
    if kinds & PERCENT != 0 && !percent::is_well_formed(iri) {
        Note::InvalidPercent.into()
    } else {
        Notes::NONE
    }
}

/// Writes the URI component by component.
struct Writer<'s> {
    settings: &'s ToUri,
    scheme: &'s str,
    /// RFC 3987 3.1 step 1a or 1b.
    normalizes: bool,
    out: Vec<u8>,
    /// The kinds of the bytes seen.
    kinds: u8,
    /// Whether all characters seen are in NFC whatever stands around them.
    is_surely_nfc: bool,
    notes: Notes,
}

/// Part of the reference, and where it begins there.
#[derive(Clone, Copy)]
struct Piece<'p> {
    text: &'p str,
    start: usize,
}

impl<'p> Piece<'p> {
    fn new(parts: &Parts<'p>, range: Range<usize>) -> Piece<'p> {
        Piece {
            text: &parts.text()[range.clone()],
            start: range.start,
        }
    }

    fn error(&self, at: usize, kind: MapErrorKind) -> MapError {
        MapError {
            at: self.start + at,
            kind,
        }
    }
}

impl Writer<'_> {
    /// A reference whose components are mapped in the same way; up to `same` nothing changes.
    fn uniform(&mut self, iri: &str, same: usize) -> Result<(), MapError> {
        let start = if self.normalizes { 0 } else { same };
        self.out.extend_from_slice(&iri.as_bytes()[..start]);
        self.general(Piece {
            text: &iri[start..],
            start,
        })
    }

    fn reference(&mut self, parts: &Parts) -> Result<(), MapError> {
        let mut at = 0;
        if let Some(host) = parts.host_range() {
            self.general(Piece::new(parts, 0..host.start))?;
            at = host.end;
            self.host(Piece::new(parts, host))?;
        }
        if let Some(query) = parts.query_range().filter(|_| self.has_own_query_charset()) {
            self.general(Piece::new(parts, at..query.start))?;
            at = query.end;
            self.query(Piece::new(parts, query))?;
        }
        self.general(Piece::new(parts, at..parts.text().len()))
    }

    fn finish<'i>(self, iri: &'i str) -> Mapped<'i> {
        let mut notes = self.notes;
        notes.extend(percent_notes(iri, self.kinds));
        if !self.is_surely_nfc && !self.normalizes && !display::is_nfc(iri) {
            notes.insert(Note::NotNfc);
        }
        if self.out.len() == iri.len() && self.out == iri.as_bytes() {
            return Mapped {
                text: Cow::Borrowed(iri),
                notes,
            };
        }
        let text = String::from_utf8(self.out)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Mapped {
            text: Cow::Owned(text),
            notes,
        }
    }

    fn has_own_query_charset(&self) -> bool {
        self.settings.query == QueryCharset::Document
            && !self.settings.charset.is_unicode()
            && host::is_web(self.scheme)
    }

    /// RFC 3987 3.1: steps 1 and 2.
    fn general(&mut self, piece: Piece) -> Result<(), MapError> {
        let normal = self.normalized(piece.text);
        self.encoded(&normal).map_err(|(at, kind)| {
            let at = match &normal {
                Cow::Borrowed(_) => at,
                Cow::Owned(normal) => position_before_nfc(piece.text, normal, at),
            };
            piece.error(at, kind)
        })
    }

    /// NFC where step 1 asks for it.
    fn normalized<'p>(&mut self, text: &'p str) -> Cow<'p, str> {
        if !self.normalizes || display::is_nfc(text) {
            return Cow::Borrowed(text);
        }
        let normal: String = text.nfc().collect();
        self.notes.insert(Note::NfcChanged);
        Cow::Owned(normal)
    }

    /// Step 2: every character beyond ASCII becomes the escapes of its UTF-8 octets.
    fn encoded(&mut self, text: &str) -> Result<(), (usize, MapErrorKind)> {
        let before = self.out.len();
        let Survey { kinds, is_unsure } = percent::push_encoded(&mut self.out, text);
        if kinds & DISALLOWED != 0 {
            self.out.truncate(before);
            return self.encoded_with_disallowed(text);
        }
        self.kinds |= kinds;
        if is_unsure {
            self.looked_at(text)?;
        }
        Ok(())
    }

    /// Fails at the first character beyond ASCII that may not be mapped.
    #[inline]
    fn looked_at(&mut self, text: &str) -> Result<(), (usize, MapErrorKind)> {
        for (at, byte) in text.bytes().enumerate() {
            // First bytes of such characters.
            if byte >= 0xC0 {
                let ch = text[at..].chars().next().unwrap_or_default();
                self.is_surely_nfc = self.is_surely_nfc && display::is_surely_nfc(ch);
                self.checked(ch).map_err(|kind| (at, kind))?;
            }
        }
        Ok(())
    }

    /// Step 2 for a text with ASCII characters that no IRI has.
    fn encoded_with_disallowed(&mut self, text: &str) -> Result<(), (usize, MapErrorKind)> {
        let bytes = text.as_bytes();
        let mut at = 0;
        loop {
            let run = plain_run(bytes, at, &mut self.kinds);
            self.out.extend_from_slice(&bytes[at..run]);
            at = run;
            match bytes.get(at) {
                None => return Ok(()),
                Some(&byte) if byte < 0x80 => {
                    self.disallowed(byte).map_err(|kind| (at, kind))?;
                    at += 1;
                }
                Some(_) => {
                    let end = self.wide_run(text, at)?;
                    percent::push_octets(&mut self.out, &bytes[at..end]);
                    at = end;
                }
            }
        }
    }

    /// The end of the run of characters beyond ASCII that may be mapped.
    #[inline]
    fn wide_run(&mut self, text: &str, start: usize) -> Result<usize, (usize, MapErrorKind)> {
        let is_wide = |byte: &u8| *byte >= 0x80;
        let rest = &text.as_bytes()[start..];
        let end = start + rest.iter().take_while(|byte| is_wide(byte)).count();
        self.kinds |= WIDE;
        if unsure::is_in(&text[start..end]) {
            self.looked_at(&text[start..end])
                .map_err(|(at, kind)| (start + at, kind))?;
        }
        Ok(end)
    }

    /// An ASCII character that no IRI has.
    fn disallowed(&mut self, byte: u8) -> Result<(), MapErrorKind> {
        if self.settings.ascii == Disallowed::Fail || byte.is_ascii_control() {
            return Err(MapErrorKind::DisallowedAscii);
        }
        percent::push_octets(&mut self.out, &[byte]);
        Ok(())
    }

    /// Fails for a character beyond ASCII that may not be mapped.
    #[inline]
    fn checked(&mut self, ch: char) -> Result<(), MapErrorKind> {
        if class::is_ucschar(ch) {
            return Ok(());
        }
        if class::is_bidi_control(ch) {
            self.notes.insert(Note::BidiControl);
        } else if class::is_iprivate(ch) {
            self.notes.insert(Note::PrivateUse);
        } else if self.settings.other == Disallowed::Fail {
            return Err(MapErrorKind::DisallowedCharacter);
        }
        Ok(())
    }

    fn host(&mut self, host: Piece) -> Result<(), MapError> {
        if host.text.starts_with('[') {
            return self.general(host);
        }
        let is_domain = host::uses_dns(self.scheme);
        match self.settings.host {
            HostForm::Punycode if is_domain => self.punycode(host),
            HostForm::Punycode | HostForm::Percent => self.general(host),
            HostForm::Unicode if is_domain => self.unicode(host),
            HostForm::Unicode | HostForm::Keep => self.kept(host),
        }
    }

    fn punycode(&mut self, host: Piece) -> Result<(), MapError> {
        if host.text.is_ascii() && !host.text.contains('%') {
            return self.general(host);
        }
        self.checked_ascii(host)?;
        match host::punycode(host.text, self.settings.idna) {
            // It stays, but for what no URI has.
            Some(Cow::Borrowed(_)) => return self.general(host),
            Some(Cow::Owned(name)) => self.out.extend_from_slice(name.as_bytes()),
            // A URI is mapped to itself.
            None if host.text.is_ascii() => {
                self.notes.insert(Note::UnmappableHost);
                return self.general(host);
            }
            None => return Err(host.error(0, MapErrorKind::ToAscii)),
        }
        Ok(())
    }

    fn unicode(&mut self, host: Piece) -> Result<(), MapError> {
        match host::unicode(host.text) {
            Cow::Borrowed(_) => self.kept(host),
            Cow::Owned(name) => {
                self.out.extend_from_slice(name.as_bytes());
                Ok(())
            }
        }
    }

    /// Fails at the first ASCII character that is disallowed and not to be encoded.
    fn checked_ascii(&self, host: Piece) -> Result<(), MapError> {
        let fails = |byte: u8| {
            percent::kind(byte) == DISALLOWED
                && (self.settings.ascii == Disallowed::Fail || byte.is_ascii_control())
        };
        match host.text.bytes().position(fails) {
            Some(at) => Err(host.error(at, MapErrorKind::DisallowedAscii)),
            None => Ok(()),
        }
    }

    /// A host whose characters beyond ASCII stay, unless an escape must be written among them: a
    /// mark behind it would be part of it after the next normalization.
    fn kept(&mut self, host: Piece) -> Result<(), MapError> {
        if percent::survey(host.text) & DISALLOWED != 0 {
            return self.general(host);
        }
        let normal = self.normalized(host.text);
        let wide = normal.char_indices().filter(|(_, ch)| !ch.is_ascii());
        for (at, ch) in wide {
            self.checked(ch)
                .map_err(|kind| host.error(position_before_nfc(host.text, &normal, at), kind))?;
        }
        self.out.extend_from_slice(normal.as_bytes());
        Ok(())
    }
}

/// The end of the run of characters from `at` on that stay as they are. Adds their kinds.
#[inline]
fn plain_run(bytes: &[u8], at: usize, kinds: &mut u8) -> usize {
    let mut end = at;
    let mut all = 0;
    while let Some(&byte) = bytes.get(end) {
        let kind = percent::kind(byte);
        if kind & (DISALLOWED | WIDE) != 0 {
            break;
        }
        all |= kind;
        end += 1;
    }
    *kinds |= all;
    end
}

/// Where in `text` the character stands from which NFC made the one at `at` in `normal`.
fn position_before_nfc(text: &str, normal: &str, at: usize) -> usize {
    if text == normal {
        return at;
    }
    let culprit = normal[at..].chars().next();
    let gives_it =
        |&(_, ch): &(usize, char)| std::iter::once(ch).nfc().any(|ch| Some(ch) == culprit);
    text.char_indices().find(gives_it).map_or(0, |(at, _)| at)
}

#[cfg(test)]
mod tests;

//! Sniffing: finding out the charset of a document.
//!
//! In order of precedence: the byte order mark, the caller, the document's own declaration (HTML
//! prescan, XML declaration, CSS `@charset`, a mail's content type), detection, the default.

use crate::certainty::Certainty;
use crate::charset::Charset;
use crate::decoded::End;
use crate::detect::{self, Guess};
use crate::known_bytes::KnownBytes;
use crate::label::{self, UnknownLabel};
use crate::malformed::FirstMalformed;
use crate::prescan::{self, Declared};
use crate::server_pages::response_charset;
use crate::{server_pages, sql_declarations, text_declarations, utf8_evidence};

/// The number of bytes that [`sniff`] reads of a document.
///
/// ```
/// use linkglot_charset::{CharsetFrom, DeclarationSyntax, HEAD, sniff};
///
/// // A declaration behind the head is not read.
/// let page = ["é".repeat(HEAD), "<meta charset=koi8-r>".to_owned()].concat();
/// let found = sniff(page.as_bytes(), true, DeclarationSyntax::Html, None, None);
/// assert_eq!(found.from, CharsetFrom::Detection);
/// ```
pub const HEAD: usize = 64 << 10;

/// The number of bytes that [`sniff`] reads when the first 48 KiB are ASCII and declare nothing:
/// text in a legacy charset may begin late.
///
/// ```
/// use linkglot_charset::{EXTENDED_HEAD, HEAD};
///
/// assert_eq!(EXTENDED_HEAD, 4 * HEAD);
/// ```
pub const EXTENDED_HEAD: usize = 4 * HEAD;

/// Detection reads the extended head unless a byte before this position is not ASCII: text that begins later may have
/// less than a sample in the head.
const EARLY: usize = HEAD / 4 * 3;

/// True if [`sniff`] reads more of a document than its start `head`.
///
/// ```
/// use linkglot_charset::{HEAD, wants_more};
///
/// assert!(wants_more(&[b'a'; HEAD + 1]));
/// assert!(!wants_more(&[0xE9; HEAD + 1]));
/// ```
pub fn wants_more(head: &[u8]) -> bool {
    head.len() <= HEAD || head.len() <= EXTENDED_HEAD && head[..EARLY].is_ascii()
}

/// Origin of the charset of a document.
///
/// ```
/// use linkglot_charset::{CharsetFrom, DeclarationSyntax, sniff};
///
/// let from = |bytes: &[u8]| sniff(bytes, true, DeclarationSyntax::Html, None, None).from;
/// assert_eq!(from(b"\xEF\xBB\xBFa"), CharsetFrom::Bom);
/// assert_eq!(from(b"<meta charset=koi8-r>"), CharsetFrom::Declaration);
/// assert_eq!(from("é".as_bytes()), CharsetFrom::Detection);
/// assert_eq!(from(b"a"), CharsetFrom::Default);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CharsetFrom {
    /// From a byte order mark.
    Bom,
    /// From the caller.
    Caller,
    /// From the document's declaration (meta, XML declaration, `@charset`, content type).
    Declaration,
    /// Guessed from the bytes; valid UTF-8 counts as a guess.
    Detection,
    /// Default: nothing else decided, or the guess is [`Certainty::Unsure`] and the caller has a default.
    Default,
}

/// Place where documents of a format declare their charset.
///
/// ```
/// use linkglot_charset::{DeclarationSyntax, sniff};
///
/// let page = b"<?xml version='1.0' encoding='koi8-r'?>";
/// let charset = sniff(page, true, DeclarationSyntax::Xml, None, None).charset;
/// assert_eq!(charset.name(), "KOI8-R");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeclarationSyntax {
    /// `<meta charset>`, and other declarations that browsers read (HTML 13.2.3.2).
    Html,
    /// The XML declaration (XML 1.0 section 4.3.3).
    Xml,
    /// `@charset` (CSS Syntax 3.2).
    Css,
    /// The `Content-Type` in the header of a message.
    Mail,
    /// A `coding:` comment in the first two lines, as in Python and reStructuredText.
    Coding,
    /// The statement that sets the charset of the connection, in dumps of databases.
    Sql,
    /// In a comment of code, as in Python. Programs read a document that declares nothing in another charset: that of
    /// the page around a script, or that of the system.
    Local,
    /// Nowhere.
    Nowhere,
    /// Nowhere: the format is UTF-8 by definition.
    Utf8,
}

/// The result of [`sniff`].
///
/// ```
/// use linkglot_charset::{Charset, CharsetFrom, DeclarationSyntax, sniff};
///
/// let found = sniff(b"\xFF\xFEa\0", true, DeclarationSyntax::Nowhere, None, None);
/// assert_eq!((found.charset, found.from, found.bom_len), (Charset::UTF_16LE, CharsetFrom::Bom, 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sniffed {
    /// The charset; "replacement" for a document that declares an unknown one. (A mail declares the charset of one part
    /// only: its other parts are read as far as possible.)
    pub charset: Charset,
    /// Origin of the charset.
    pub from: CharsetFrom,
    /// Certainty of the charset.
    pub certainty: Certainty,
    /// The bytes beyond ASCII whose characters are known, if the charset is sure.
    pub known: KnownBytes,
    /// The length of the byte order mark in bytes: 0, 2, 3 or 4. The mark is no part of the text.
    pub bom_len: usize,
    /// The declaration, if no charset has its label.
    pub unknown: Option<UnknownDeclaration>,
}

/// A declaration whose label no charset has. The charset of the document is not guessed then.
///
/// ```
/// use linkglot_charset::{DeclarationSyntax, sniff};
///
/// let found = sniff(b"<meta charset=koi8-x>", true, DeclarationSyntax::Html, None, None);
/// let unknown = found.unknown.unwrap();
/// assert_eq!((unknown.label.as_str(), unknown.at), ("koi8-x", 14));
/// assert!(unknown.error().to_string().contains("`koi8-r`"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownDeclaration {
    /// The label.
    pub label: String,
    /// Offset of the label's first source byte.
    pub at: usize,
    /// The line of the label, counted from one.
    pub line: usize,
}

impl UnknownDeclaration {
    /// `head` is in ASCII as far as the declaration reaches.
    fn new(label: String, head: &[u8]) -> Self {
        let is_label = |at: &usize| {
            let (before, rest) = head.split_at(*at);
            let is_begin = before.last().is_some_and(|byte| b"=\"': \t".contains(byte));
            let own = rest.get(..label.len());
            is_begin && own.is_some_and(|own| own.eq_ignore_ascii_case(label.as_bytes()))
        };
        let at = (0..head.len()).find(is_label).unwrap_or(0);
        let line = 1 + memchr::memchr_iter(b'\n', &head[..at]).count();
        UnknownDeclaration { label, at, line }
    }

    /// The message that names the nearest labels.
    pub fn error(&self) -> UnknownLabel {
        label::unknown(&self.label)
    }
}

/// The charset of a document that begins with `head`: its first [`EXTENDED_HEAD`] bytes, or all of a shorter document.
/// `whole` tells if the document ends with `head`. `caller` is the caller's knowledge. `default` is the charset of a
/// document that declares none, and is ASCII or too little to be sure of another charset; if it is `None`, windows-1252
/// for HTML and UTF-8 for the others.
///
/// The answer depends on the first [`HEAD`] bytes alone, or on the first [`EXTENDED_HEAD`] when three quarters of the
/// former are ASCII. Cost: a pass over them, and 15 KiB through a detector when the charset is neither declared nor
/// UTF-8.
///
/// ```
/// use linkglot_charset::{CharsetFrom, DeclarationSyntax, sniff};
///
/// let found = sniff(b"<meta charset=koi8-r>", true, DeclarationSyntax::Html, None, None);
/// assert_eq!(found.charset.name(), "KOI8-R");
/// assert_eq!(found.from, CharsetFrom::Declaration);
/// ```
///
/// HTML Standard 13.2.3; XML 1.0 appendix F; CSS Syntax 3.2.
pub fn sniff(
    head: &[u8],
    whole: bool,
    declaration: DeclarationSyntax,
    caller: Option<Charset>,
    default: Option<Charset>,
) -> Sniffed {
    if let Some(sniffed) = bom(head, declaration) {
        return sniffed;
    }
    let (found, of_mail) = match caller {
        Some(charset) => (Found::sure(charset, CharsetFrom::Caller), None),
        None => {
            let (first, _) = cut(head, whole, HEAD);
            let is_mail = declaration == DeclarationSyntax::Mail;
            let (known, unknown) = match is_mail.then(|| prescan::mail(first)).flatten() {
                Some(Declared::Unknown(label)) => {
                    (None, Some(UnknownDeclaration::new(label, first)))
                }
                known => (known, None),
            };
            let found = without_caller(head, whole, (declaration, known), default);
            (found, unknown)
        }
    };
    let all = KnownBytes::ALL;
    let (charset, from, certainty, known, unknown) = match found {
        Found::Charset(charset, from, certainty) => (charset, from, certainty, all, of_mail),
        Found::Guess(guess) => {
            let from = CharsetFrom::Detection;
            (guess.charset, from, guess.certainty, guess.known, of_mail)
        }
        Found::Unknown(unknown) => {
            let from = CharsetFrom::Declaration;
            (
                Charset::REPLACEMENT,
                from,
                Certainty::Sure,
                all,
                Some(unknown),
            )
        }
    };
    Sniffed {
        charset,
        from,
        certainty,
        known,
        bom_len: 0,
        unknown,
    }
}

/// Charset found for a document, or the unknown label that it declares.
enum Found {
    Charset(Charset, CharsetFrom, Certainty),
    Guess(Guess),
    Unknown(UnknownDeclaration),
}

impl Found {
    fn declared(declared: Declared, head: &[u8]) -> Self {
        match declared {
            Declared::Charset(charset) => Found::sure(charset, CharsetFrom::Declaration),
            Declared::Unknown(label) => Found::Unknown(UnknownDeclaration::new(label, head)),
        }
    }

    fn sure(charset: Charset, from: CharsetFrom) -> Self {
        Found::Charset(charset, from, Certainty::Sure)
    }

    /// Turns a known charset into a guess.
    fn unsure(self) -> Self {
        match self {
            Found::Charset(charset, from, _) => Found::Charset(charset, from, Certainty::Unsure),
            found => found,
        }
    }

    /// The forms of UTF-16 and the shifts of seven-bit charsets are no accident.
    fn detected(charset: Charset) -> Self {
        Found::sure(charset, CharsetFrom::Detection)
    }

    /// The default, for ASCII. Browsers choose a charset for HTML that declares none, by the language of their user,
    /// and read style sheets that declare none in the charset of the page (CSS Syntax 3.2). Other text that goes on
    /// behind the head may hold letters of any charset there. Text that HZ would read as Chinese is too little evidence
    /// for either.
    fn default(
        declaration: DeclarationSyntax,
        default: Option<Charset>,
        text: &[u8],
        end: End,
    ) -> Self {
        use DeclarationSyntax::{Css, Html, Local, Utf8, Xml};
        let certainty = match (declaration, default, end) {
            (_, Some(_), _) | (Xml | Utf8, ..) => Certainty::Sure,
            (Html | Css | Local, ..) | (.., End::Open) => Certainty::Unsure,
            (.., End::Last) if detect::may_be_hz(text) => Certainty::Unsure,
            (.., End::Last) => Certainty::Sure,
        };
        let charset = default.unwrap_or(default_of(declaration));
        Found::Charset(charset, CharsetFrom::Default, certainty)
    }

    /// Replaces an unsure guess by the caller's default, unless the bytes contradict the default.
    fn or_default(self, default: Option<Charset>, text: &[u8], end: End) -> Self {
        let is_unsure = match &self {
            Found::Charset(_, _, certainty) => *certainty == Certainty::Unsure,
            Found::Guess(guess) => guess.certainty == Certainty::Unsure,
            Found::Unknown(_) => false,
        };
        match default.filter(|default| is_unsure && is_well_formed(*default, text, end)) {
            Some(default) => Found::sure(default, CharsetFrom::Default),
            None => self,
        }
    }

    /// UTF-8 without a declaration. UTF-8 is the default of XML, CSS and others, and is detected elsewhere.
    fn utf_8(declaration: DeclarationSyntax, text: &[u8]) -> Self {
        match declaration {
            DeclarationSyntax::Xml | DeclarationSyntax::Css | DeclarationSyntax::Utf8 => {
                Found::sure(Charset::UTF_8, CharsetFrom::Default)
            }
            _ => Found::Charset(
                Charset::UTF_8,
                CharsetFrom::Detection,
                utf8_evidence::certainty(text),
            ),
        }
    }
}

/// The charset of a document of which the caller knows none. `of_mail` is the charset that the header of a mail
/// declares.
fn without_caller(
    head: &[u8],
    whole: bool,
    (declaration, of_mail): (DeclarationSyntax, Option<Declared>),
    default: Option<Charset>,
) -> Found {
    let (extended, extended_end) = cut(head, whole, EXTENDED_HEAD);
    let (head, end) = cut(head, whole, HEAD);
    if let Some(charset) = xml_pattern(head, declaration) {
        return Found::detected(charset);
    }
    if let Some(found) = ebcdic(head, declaration) {
        return found;
    }
    if let Some(declared) = of_mail.or_else(|| declared(head, declaration)) {
        let is_contested = match declaration {
            DeclarationSyntax::Html => is_contested(&declared, head),
            DeclarationSyntax::Sql => is_utf_8_instead(&declared, extended, extended_end),
            _ => false,
        };
        let found = Found::declared(declared, head);
        return if is_contested {
            found.unsure().or_default(default, head, end)
        } else {
            found
        };
    }
    if let Some(charset) = detect::not_ascii_compatible(head, end, has_utf_32(declaration)) {
        return Found::detected(charset);
    }
    let is_late = head[..head.len().min(EARLY)].is_ascii();
    let (text, end) = if is_late {
        (extended, extended_end)
    } else {
        (head, end)
    };
    if is_late && let Some(charset) = detect::seven_bits(text, end) {
        Found::detected(charset)
    } else if text.is_ascii() {
        Found::default(declaration, default, text, end)
    } else if detect::looks_like_utf_8(text, end) {
        Found::utf_8(declaration, text).or_default(default, text, end)
    } else if let Some(declared) = declared_for_browsers(head, declaration) {
        Found::declared(declared, head)
    } else {
        Found::Guess(detect::guess(text, end)).or_default(default, text, end)
    }
}

/// XML in EBCDIC, by the bytes of `<?xm` (appendix F.1), and its declaration, whose characters have the same bytes in
/// all of EBCDIC. A declaration of another charset was left by a program that converted the document.
fn ebcdic(head: &[u8], declaration: DeclarationSyntax) -> Option<Found> {
    const BEGIN: &[u8] = b"\x4C\x6F\xA7\x94";
    if declaration != DeclarationSyntax::Xml || !head.starts_with(BEGIN) {
        return None;
    }
    let text = Charset::ebcdic().decode(head);
    Some(match prescan::xml_label(text.as_bytes()) {
        Some(Declared::Charset(charset)) if prescan::is_ebcdic(charset) => {
            Found::sure(charset, CharsetFrom::Declaration)
        }
        Some(unknown @ Declared::Unknown(_)) => Found::declared(unknown, text.as_bytes()),
        _ => Found::detected(Charset::ebcdic()),
    })
}

fn is_well_formed(charset: Charset, text: &[u8], end: End) -> bool {
    let mut malformed = FirstMalformed::new(charset, 0);
    malformed.push(text, end == End::Last);
    malformed.at().is_none()
}

/// The first `most` bytes, and whether the document ends with them.
fn cut(head: &[u8], whole: bool, most: usize) -> (&[u8], End) {
    match head.get(..most) {
        Some(cut) if cut.len() < head.len() => (cut, End::Open),
        _ if whole => (head, End::Last),
        _ => (head, End::Open),
    }
}

fn default_of(declaration: DeclarationSyntax) -> Charset {
    match declaration {
        DeclarationSyntax::Html => Charset::WINDOWS_1252,
        _ => Charset::UTF_8,
    }
}

fn has_utf_32(declaration: DeclarationSyntax) -> bool {
    !matches!(
        declaration,
        DeclarationSyntax::Html | DeclarationSyntax::Css
    )
}

/// The byte order mark. Browsers know none of UTF-32: they see UTF-16 and a NUL.
fn bom(head: &[u8], declaration: DeclarationSyntax) -> Option<Sniffed> {
    let (charset, bom_len) = match *head {
        [0xEF, 0xBB, 0xBF, ..] => (Charset::UTF_8, 3),
        [0xFF, 0xFE, 0, 0, ..] if has_utf_32(declaration) => (Charset::UTF_32LE, 4),
        [0, 0, 0xFE, 0xFF, ..] if has_utf_32(declaration) => (Charset::UTF_32BE, 4),
        [0xFF, 0xFE, ..] => (Charset::UTF_16LE, 2),
        [0xFE, 0xFF, ..] => (Charset::UTF_16BE, 2),
        _ => return None,
    };
    Some(Sniffed {
        charset,
        from: CharsetFrom::Bom,
        certainty: Certainty::Sure,
        known: KnownBytes::ALL,
        bom_len,
        unknown: None,
    })
}

/// UTF-16 or UTF-32 by the bytes of `<` or `<?` at the start of XML (appendix F.1), or of `<?x` at
/// the start of HTML (prescan, step 3).
fn xml_pattern(head: &[u8], declaration: DeclarationSyntax) -> Option<Charset> {
    match (declaration, head) {
        (DeclarationSyntax::Xml, [b'<', 0, b'?', 0, ..]) => Some(Charset::UTF_16LE),
        (DeclarationSyntax::Xml, [0, b'<', 0, b'?', ..]) => Some(Charset::UTF_16BE),
        (DeclarationSyntax::Xml, [b'<', 0, 0, 0, ..]) => Some(Charset::UTF_32LE),
        (DeclarationSyntax::Xml, [0, 0, 0, b'<', ..]) => Some(Charset::UTF_32BE),
        (DeclarationSyntax::Html, [b'<', 0, b'?', 0, b'x', 0, ..]) => Some(Charset::UTF_16LE),
        (DeclarationSyntax::Html, [0, b'<', 0, b'?', 0, b'x', ..]) => Some(Charset::UTF_16BE),
        _ => None,
    }
}

/// The declaration in a text. That of a mail stands in its header.
fn declared(head: &[u8], declaration: DeclarationSyntax) -> Option<Declared> {
    match declaration {
        DeclarationSyntax::Html => in_html(head),
        DeclarationSyntax::Xml => prescan::xml(head),
        DeclarationSyntax::Css => prescan::css(head),
        DeclarationSyntax::Local | DeclarationSyntax::Mail => text_declarations::declared(head),
        DeclarationSyntax::Coding => prescan::coding(head),
        DeclarationSyntax::Sql => sql_declarations::declared(head),
        DeclarationSyntax::Nowhere | DeclarationSyntax::Utf8 => None,
    }
}

/// The code of a server page comes first: it says how the file is read, and the header that servers
/// send with the page, which browsers prefer to `meta` (HTML Standard 13.2.3.2).
fn in_html(head: &[u8]) -> Option<Declared> {
    Declared::or(server_pages::declared(head), || prescan::html(head))
}

/// True if the code of a server page has another charset than `meta`, which is not that of the response
/// either. The code may not run: it may stand in a branch, in a comment, or in a page that no server reads.
fn is_contested(declared: &Declared, head: &[u8]) -> bool {
    if !server_pages::has_declarations(head) {
        return false;
    }
    match (declared, prescan::html(head)) {
        (Declared::Charset(code), Some(Declared::Charset(page))) => {
            *code != page && response_charset(head) != Some(page)
                || server_pages::possible(head).any(|possible| possible != page)
        }
        _ => false,
    }
}

/// True if a dump that declares another charset is UTF-8 by its bytes: a client may have read UTF-8 as that charset.
fn is_utf_8_instead(declared: &Declared, text: &[u8], end: End) -> bool {
    let is_other = matches!(declared, Declared::Charset(charset) if *charset != Charset::UTF_8);
    is_other && !text.is_ascii() && detect::looks_like_utf_8(text, end)
}

/// The `meta` element of XHTML that has no XML declaration, for browsers that take it for HTML. XML
/// ignores it, so it counts only when the document is not UTF-8 anyway.
fn declared_for_browsers(head: &[u8], declaration: DeclarationSyntax) -> Option<Declared> {
    match declaration {
        DeclarationSyntax::Xml => in_html(head),
        _ => None,
    }
}

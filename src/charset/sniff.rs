//! Which charset a document is in.
//!
//! The order of belief: a byte order mark, the caller, the document's own declaration (HTML
//! prescan, XML declaration, CSS `@charset`, a mail's content type), what the bytes look like, the default.

use super::prescan;
use super::units::{End, State};
use super::{Charset, CharsetFrom};
use crate::ascii::is_space;
use crate::format::Format;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// How many bytes of a document [`sniff`] looks at.
pub const HEAD: usize = 64 << 10;

/// How many it looks at when the first 48 KiB are ASCII and declare nothing: text in a legacy charset may begin late.
pub const FAR: usize = 4 * HEAD;

/// Where text must have begun to be judged by what is in the head.
const EARLY: usize = HEAD - SAMPLE;

/// Whether [`sniff`] would look at more of a document that begins with `head`.
pub(crate) fn wants_more(head: &[u8]) -> bool {
    head.len() <= HEAD || head.len() <= FAR && head[..EARLY].is_ascii()
}

/// What [`sniff`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sniffed {
    /// The charset.
    pub charset: Charset,
    /// How it is known.
    pub from: CharsetFrom,
    /// The length of the byte order mark in bytes: 0, 2, 3 or 4. It is no part of the text.
    pub bom_len: usize,
}

/// The charset of a document that begins with `head`: [`FAR`] bytes of it, or all of it when it
/// is shorter. `whole` says that the document ends with `head`. `caller` is what the caller
/// knows, `default` what is assumed when nothing else decides: by default windows-1252 for HTML,
/// UTF-8 for the others.
///
/// The answer depends on the first [`HEAD`] bytes alone, or the first [`FAR`] when three quarters of those are ASCII. Cost: a pass over them, and
/// 16 KiB through a detector when they are neither declared nor UTF-8.
///
/// ```
/// use linkglot::charset::{CharsetFrom, sniff};
/// use linkglot::format::Format;
///
/// let found = sniff(b"<meta charset=koi8-r>", true, Format::Html, None, None);
/// assert_eq!(found.charset.name(), "KOI8-R");
/// assert_eq!(found.from, CharsetFrom::Declaration);
/// ```
///
/// HTML Standard 13.2.3; XML 1.0 appendix F; CSS Syntax 3.2.
pub fn sniff(
    head: &[u8],
    whole: bool,
    format: Format,
    caller: Option<Charset>,
    default: Option<Charset>,
) -> Sniffed {
    let (far, far_end) = begin_of(head, whole, FAR);
    let (head, end) = begin_of(head, whole, HEAD);
    let found = |charset, from| Sniffed {
        charset,
        from,
        bom_len: 0,
    };
    if let Some(sniffed) = bom(head, format) {
        sniffed
    } else if let Some(charset) = caller {
        found(charset, CharsetFrom::Caller)
    } else if let Some(charset) = xml_pattern(head, format) {
        found(charset, CharsetFrom::Detection)
    } else if let Some(charset) = declared(head, format) {
        found(charset, CharsetFrom::Declaration)
    } else if let Some(charset) = not_ascii_compatible(head, end) {
        found(charset, CharsetFrom::Detection)
    } else {
        let is_late = head[..head.len().min(EARLY)].is_ascii();
        let (text, end) = if is_late { (far, far_end) } else { (head, end) };
        if is_late && is_iso_2022_jp(text, end) {
            found(ISO_2022_JP, CharsetFrom::Detection)
        } else if text.is_ascii() {
            found(default.unwrap_or(default_of(format)), CharsetFrom::Default)
        } else if looks_like_utf_8(text, end) {
            found(Charset::UTF_8, utf_8_from(format))
        } else if let Some(charset) = declared_elsewhere(head, format) {
            found(charset, CharsetFrom::Declaration)
        } else {
            found(detect(text, end), CharsetFrom::Detection)
        }
    }
}

/// The first bytes, and whether the document ends with them.
fn begin_of(head: &[u8], whole: bool, most: usize) -> (&[u8], End) {
    match head.get(..most) {
        Some(cut) if cut.len() < head.len() => (cut, End::Open),
        _ if whole => (head, End::Last),
        _ => (head, End::Open),
    }
}

const ISO_2022_JP: Charset = Charset(&super::iso2022jp::ISO_2022_JP);

/// How UTF-8 is known that nothing declares and the bytes agree with: XML and CSS say so, in HTML
/// and text it is found out.
fn utf_8_from(format: Format) -> CharsetFrom {
    match format {
        Format::Xml | Format::Css => CharsetFrom::Default,
        _ => CharsetFrom::Detection,
    }
}

fn default_of(format: Format) -> Charset {
    match format {
        Format::Html => Charset::WINDOWS_1252,
        _ => Charset::UTF_8,
    }
}

/// A byte order mark. Browsers know none of UTF-32: they see UTF-16 and a NUL.
fn bom(head: &[u8], format: Format) -> Option<Sniffed> {
    let is_wide = !matches!(format, Format::Html | Format::Css);
    let (charset, bom_len) = match *head {
        [0xEF, 0xBB, 0xBF, ..] => (Charset::UTF_8, 3),
        [0xFF, 0xFE, 0, 0, ..] if is_wide => (Charset::UTF_32LE, 4),
        [0, 0, 0xFE, 0xFF, ..] if is_wide => (Charset::UTF_32BE, 4),
        [0xFF, 0xFE, ..] => (Charset::UTF_16LE, 2),
        [0xFE, 0xFF, ..] => (Charset::UTF_16BE, 2),
        _ => return None,
    };
    let from = CharsetFrom::Bom;
    Some(Sniffed {
        charset,
        from,
        bom_len,
    })
}

/// How `<` or `<?` looks at the begin of XML (appendix F.1), and `<?x` at that of HTML (prescan,
/// step 3).
fn xml_pattern(head: &[u8], format: Format) -> Option<Charset> {
    match (format, head) {
        (Format::Xml, [b'<', 0, b'?', 0, ..]) => Some(Charset::UTF_16LE),
        (Format::Xml, [0, b'<', 0, b'?', ..]) => Some(Charset::UTF_16BE),
        (Format::Xml, [b'<', 0, 0, 0, ..]) => Some(Charset::UTF_32LE),
        (Format::Xml, [0, 0, 0, b'<', ..]) => Some(Charset::UTF_32BE),
        (Format::Html, [b'<', 0, b'?', 0, b'x', 0, ..]) => Some(Charset::UTF_16LE),
        (Format::Html, [0, b'<', 0, b'?', 0, b'x', ..]) => Some(Charset::UTF_16BE),
        _ => None,
    }
}

/// What the document says in the way of its format.
fn declared(head: &[u8], format: Format) -> Option<Charset> {
    match format {
        Format::Html => prescan::html(head),
        Format::Xml => prescan::xml(head),
        Format::Css => prescan::css(head),
        Format::Text => prescan::mail(head),
        Format::Rst => prescan::coding(head),
        #[cfg(feature = "markdown")]
        Format::Markdown => None,
    }
}

/// What XHTML without an XML declaration says to browsers that take it for HTML. XML takes no
/// heed of it, so it is asked only when the document is not UTF-8 anyway.
fn declared_elsewhere(head: &[u8], format: Format) -> Option<Charset> {
    match format {
        Format::Xml => prescan::html(head),
        _ => None,
    }
}

/// UTF-16 and ISO-2022-JP without a mark.
fn not_ascii_compatible(head: &[u8], end: End) -> Option<Charset> {
    if memchr::memchr(0, head).is_some() {
        [Charset::UTF_16LE, Charset::UTF_16BE]
            .into_iter()
            .find(|charset| is_utf_16_text(*charset, head, end))
    } else {
        is_iso_2022_jp(head, end).then_some(ISO_2022_JP)
    }
}

/// What a look at UTF-16 counts.
#[derive(Default)]
struct Census {
    chars: usize,
    /// Printable ASCII and white space.
    ascii: usize,
    /// Characters whose two bytes would be printable ASCII: few in real text but for some in
    /// Chinese and Japanese, most when ASCII is mistaken for UTF-16.
    pairs: usize,
}

/// Whether bytes with NULs make sense as text in UTF-16: well-formed, no control characters, some
/// ASCII (at the least white space), and not mostly ASCII in pairs.
fn is_utf_16_text(charset: Charset, head: &[u8], end: End) -> bool {
    let Some(units) = charset.0.codec.units() else {
        return false;
    };
    let (mut census, mut state, mut at) = (Census::default(), State::default(), 0);
    while let Some(unit) = units.next(&mut state, head.get(at..).unwrap_or_default(), end) {
        at += unit.len;
        match unit.ch {
            '\0'..='\x7F' if is_printable(unit.ch) => census.ascii += 1,
            ch if ch.is_control() || is_noncharacter(ch) => return false,
            char::REPLACEMENT_CHARACTER => return false,
            ch if is_pair(ch) => census.pairs += 1,
            _ => {}
        }
        census.chars += 1;
    }
    let others = census.chars - census.ascii;
    census.chars >= 2 && census.ascii * 64 >= census.chars && census.pairs * 2 <= others
}

fn is_printable(ch: char) -> bool {
    matches!(ch, ' '..='~' | '\t' | '\n' | '\x0C' | '\r')
}

fn is_noncharacter(ch: char) -> bool {
    u32::from(ch) & 0xFFFE == 0xFFFE
}

fn is_pair(ch: char) -> bool {
    let [_, _, high, low] = u32::from(ch).to_be_bytes();
    u32::from(ch) <= 0xFFFF && [high, low].map(char::from).into_iter().all(is_printable)
}

/// Whether 7-bit bytes shift to Japanese characters and decode without an error.
fn is_iso_2022_jp(head: &[u8], end: End) -> bool {
    const ESC: u8 = 0x1B;
    if memchr::memchr(ESC, head).is_none() || !head.is_ascii() {
        return false;
    }
    let codec = super::iso2022jp::ISO_2022_JP.codec;
    let (mut state, mut at, mut is_japanese) = (State::default(), 0, false);
    while let Some(unit) = codec
        .units()
        .and_then(|units| units.next(&mut state, head.get(at..)?, end))
    {
        at += unit.len;
        if unit.ch == char::REPLACEMENT_CHARACTER {
            return false;
        }
        is_japanese |= unit.ch >= '\u{3000}';
    }
    is_japanese
}

/// Whether bytes that are not ASCII are UTF-8, a character that `head` cuts aside. One malformed
/// sequence among ten characters is an accident: hardly any other charset looks like that.
fn looks_like_utf_8(head: &[u8], end: End) -> bool {
    if Charset::as_text(head).is_some() {
        return true;
    }
    let (mut good, mut bad) = (0, 0);
    let mut chunks = head.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        good += chunk.valid().chars().filter(|ch| !ch.is_ascii()).count();
        let is_cut = end == End::Open && chunks.peek().is_none();
        bad += usize::from(!chunk.invalid().is_empty() && !is_cut);
    }
    good >= bad * 10
}

/// How much the detector sees at most.
const SAMPLE: usize = 16 << 10;

/// How many bytes that are not ASCII are enough for it.
const ENOUGH: usize = 4 << 10;

/// Guesses from the lines from the first one on that is not ASCII.
fn detect(head: &[u8], end: End) -> Charset {
    let first = head.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let line = memchr::memrchr(b'\n', &head[..first]).map_or(0, |end| end + 1);
    let rest = &head[line.max(first.saturating_sub(SAMPLE / 4))..];
    let non_ascii = rest.iter().enumerate().filter(|(_, byte)| !byte.is_ascii());
    let enough = non_ascii.map(|(at, _)| at + 1).nth(ENOUGH - 1);
    let sample = &rest[..enough.unwrap_or(SAMPLE).min(SAMPLE).min(rest.len())];
    let is_whole = sample.len() == rest.len() && end == End::Last;
    let sample = if is_whole {
        sample
    } else {
        whole_lines(sample)
    };
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, is_whole);
    let name = detector.guess(None, Utf8Detection::Deny).name();
    let found = Charset::all().find(|charset| charset.name() == name);
    found.unwrap_or(Charset::WINDOWS_1252)
}

/// The lines that are not cut, if there is one that is not ASCII.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let end = bytes
        .iter()
        .rposition(|&byte| is_space(byte) && byte != b' ');
    match end {
        Some(end) if !bytes[..end].is_ascii() => &bytes[..end],
        _ => bytes,
    }
}

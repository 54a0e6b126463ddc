//! Escapes of string literals around links in running text: `http://a.example/caf\u00e9`, `http://a.example\/b`, `caf\'e9`.
//!
//! The language of a text is unknown, so such escapes are not read. A link that may go on with such an escape is
//! doubtful.

mod decode;

use crate::link::{Layers, SlotReader, WindowLink, is_text};
use crate::markup::{Backslash, Escapes, Escaping, Syntax};
use crate::read::SlotRead;
use crate::scan::Hit;
use decode::{Decoded, Known, decode};
use std::ops::Range;

/// The most bytes that are read on either side of a link.
const AROUND: usize = 64;
/// The longest escape in front of a link that may belong to it, `\U0001f600`.
const LONGEST: usize = 12;

/// True if escapes in or around a link may turn it into another link. Quick without a backslash.
pub(super) fn is_doubtful(
    reader: &SlotReader,
    read: &SlotRead<'_>,
    found: &WindowLink<'_>,
) -> bool {
    let in_text = read.slot.syntax == Syntax::Text || is_text(&found.context.place);
    let link = &found.range;
    if in_text && rests_on_html(reader, read, found) {
        return true;
    }
    if !in_text || !has_backslash(read.window.bytes, link) {
        return false;
    }
    let known = match found.context.layers.as_slice().last() {
        Some(Escaping::RstText | Escaping::Tex(_) | Escaping::Rtf(_)) => return false,
        Some(Escaping::MarkdownText) => Known::Punctuation,
        _ => Known::Nothing,
    };
    // The escape is read there.
    let joins_lines = matches!(
        read.slot.escaping,
        Escaping::Literal(style) if matches!(style.escapes, Escapes::Yaml | Escapes::Properties)
    );
    if known == Known::Nothing && !joins_lines && is_continued(read.window.bytes, link.end) {
        return true;
    }
    let layers = found.context.layers;
    let text = |range: Range<usize>| text(reader, read, layers, range);
    let around = around(read, link);
    let mut whole = text(around.start..link.start);
    let start = whole.len();
    whole.push_str(&text(link.clone()));
    let link = start..whole.len();
    whole.push_str(&text(found.range.end..around.end));
    goes_on(reader, &decode(&whole, &link, known))
}

/// True if a link in text has a character reference without a semicolon, and its string of data is only guessed to be
/// HTML: in plain text with a tag, `&copy=1` is a part of a query.
fn rests_on_html(reader: &SlotReader, read: &SlotRead<'_>, found: &WindowLink<'_>) -> bool {
    let (raw, layers) = (
        &read.window.bytes[found.range.clone()],
        found.context.layers,
    );
    let is_sure = || {
        let plain = text(reader, read, layers, found.range.clone());
        // XHTML knows no references without a semicolon.
        let read =
            [Escaping::None, Escaping::XhtmlText].map(|as_| as_.unescape(&plain).into_text());
        read.iter().any(|text| text == found.text.text())
    };
    read.slot.syntax == Syntax::Data
        && layers.as_slice().contains(&Escaping::HtmlText)
        && memchr::memchr(b'&', raw).is_some()
        && !is_sure()
}

/// Doubt about a value as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Doubt {
    #[default]
    None,
    /// The value may be octets that are no text, in which lengths and offsets count.
    Octets,
    /// The meaning of a backslash depends on the database, and that is unknown.
    Database,
    /// A length or digest is not that of the text that it counts.
    Length,
}

impl Doubt {
    /// The doubt about the value of a slot. O(length).
    pub fn of(reader: &SlotReader, read: &SlotRead<'_>) -> Self {
        let raw = &read.window.bytes[read.slot.range.clone()];
        let escapes_octets = |marks: &[u8]| {
            let mut found = memchr::memmem::find_iter(raw, marks);
            found.any(|at| is_octet(&raw[at + marks.len()..]))
        };
        let is_octets = match read.slot.escaping {
            Escaping::SqlString(style) => match style.backslash {
                Backslash::Unknown if memchr::memchr(b'\\', raw).is_some() => {
                    return Doubt::Database;
                }
                Backslash::MySql => escapes_nul(raw),
                Backslash::Plain => escapes_octets(b"\\"),
                Backslash::Unknown | Backslash::Postgres => escapes_octets(b"\\\\"),
            },
            Escaping::SqlCopy => escapes_octets(b"\\\\"),
            _ => return Doubt::None,
        };
        let is_malformed = || !raw.is_ascii() && reader.charset.decode(raw).contains('\u{FFFD}');
        if is_octets || is_malformed() {
            Doubt::Octets
        } else {
            Doubt::None
        }
    }
}

/// True if three octal digits of an octet follow, as PostgreSQL writes them behind a backslash.
fn is_octet(bytes: &[u8]) -> bool {
    matches!(bytes, [b'0'..=b'3', b'0'..=b'7', b'0'..=b'7', ..])
}

/// True if a literal of MySQL has the escape of a NUL.
fn escapes_nul(raw: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', raw.get(at..).unwrap_or_default()) {
        at += found + 2;
        if raw.get(at - 1) == Some(&b'0') {
            return true;
        }
    }
    false
}

/// True if a backslash stands in or close to a link.
fn has_backslash(window: &[u8], link: &Range<usize>) -> bool {
    let near = link.start.saturating_sub(LONGEST)..window.len().min(link.end + 1);
    memchr::memchr(b'\\', &window[near]).is_some()
}

/// True if a backslash joins the next line to the link, as in literals of C and JavaScript, shells, Makefiles and
/// `.properties`, or a break point of groff (`\:`) the next letters.
fn is_continued(window: &[u8], end: usize) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"/?#.-_~%&=+".contains(byte);
    let is_break =
        || window.get(end + 1) == Some(&b':') && window.get(end + 2).is_some_and(is_part);
    window.get(end) == Some(&b'\\') && (begins_line(window, end + 1) || is_break())
}

/// True if a line break stands at a position.
fn begins_line(window: &[u8], at: usize) -> bool {
    matches!(window.get(at), Some(b'\n' | b'\r'))
}

/// The bytes around a link that are read, up to white space and markup.
fn around(read: &SlotRead<'_>, link: &Range<usize>) -> Range<usize> {
    let window = read.window.bytes;
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'<';
    // A string of data ends at its quotes, and other slots at markup.
    let is_string = read.slot.escaping.is_string();
    let begin = match read.slot.syntax {
        Syntax::Text => read.slot.range.start,
        _ if is_string => read.slot.range.start,
        _ => 0,
    };
    let end = if is_string {
        read.slot.range.end
    } else {
        window.len()
    };
    let before = &window[begin.max(link.start.saturating_sub(AROUND))..link.start];
    let length = before.iter().rev().position(is_end);
    let start = link.start - length.unwrap_or(before.len());
    let behind = &window[link.end..end.min(link.end + AROUND)];
    let length = behind.iter().position(is_end);
    start..link.end + length.unwrap_or(behind.len())
}

/// The text of a part of the window, without the escapes of the document's own format.
fn text(reader: &SlotReader, read: &SlotRead<'_>, layers: Layers, range: Range<usize>) -> String {
    let decoded = reader.charset.decode(&read.window.bytes[range]);
    let escaping = read.slot.escaping;
    match escaping {
        // Strings of data may hold data.
        _ if layers.as_slice().iter().any(Escaping::is_string) => {
            let layers = layers.as_slice();
            let last = layers.iter().rposition(Escaping::is_string).unwrap_or(0);
            layers[..=last]
                .iter()
                .fold(decoded.into_owned(), |text, layer| {
                    layer.unescape(&text).into_text().into_owned()
                })
        }
        Escaping::HtmlText
        | Escaping::XmlText
        | Escaping::XhtmlText
        | Escaping::Runs(_)
        | Escaping::ContentText
        | Escaping::ContentList => escaping.unescape(&decoded).into_text().into_owned(),
        _ => decoded.into_owned(),
    }
}

/// True if the link reads differently without the escapes.
fn goes_on(reader: &SlotReader, decoded: &Decoded) -> bool {
    if !decoded.is_touched {
        return false;
    }
    let Some(link) = decoded.link.clone().filter(|_| !decoded.is_within) else {
        return true;
    };
    let links = reader.scanner.links(&decoded.text);
    let mut links = links.skip_while(|hit| hit.span.start < link.start);
    let is_same = |hit: Hit| (hit.span.start..hit.span.end) == link;
    !links.next().is_some_and(is_same)
}

#[cfg(test)]
mod tests;

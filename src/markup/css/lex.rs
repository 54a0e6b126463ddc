//! Lexical matters: names, escapes, and the bytes that mean something (CSS Syntax Level 3, section 4.3).

use crate::ascii::{hex_value, is_space};
use crate::charset::Charset;

/// The longest spelling of a name of interest: `-webkit-image-set`, each character written as
/// `\`, six digits and CR LF.
pub(super) const LOOKBACK: usize = 17 * 9;

/// What of the document is at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'w> {
    pub bytes: &'w [u8],
    pub last: bool,
    pub charset: Charset,
}

/// A character boundary near the end of `bytes`, which begin at one and hold no safe byte.
pub(in crate::markup) fn boundary(charset: Charset, bytes: &[u8]) -> usize {
    let mapped = charset.decode_mapped(bytes);
    let starts = mapped.text().char_indices().rev();
    // The last bytes may be a cut sequence; no sequence is longer than four.
    starts
        .map(|(at, ch)| {
            let span = crate::span::TextSpan::new(at, at + ch.len_utf8());
            mapped.source(span).start
        })
        .find(|start| start + 4 <= bytes.len())
        .unwrap_or(0)
}

pub(super) fn byte(input: Input<'_>, at: usize) -> Option<u8> {
    input.bytes.get(at).copied()
}

pub(super) fn skip_space(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let spaces = rest.iter().take_while(|&&byte| is_space(byte)).count();
    from + spaces
}

/// The first byte at or behind `from` that is in the table.
pub(super) fn find(bytes: &[u8], from: usize, table: &[bool; 256]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let at = rest.iter().position(|&byte| table[usize::from(byte)])?;
    Some(from + at)
}

/// The begin of the name characters that end at `at`, at `floor` or later. Bytes of longer
/// characters count as name characters whatever they are.
pub(super) fn name_start(bytes: &[u8], floor: usize, at: usize) -> usize {
    let floor = floor.max(at.saturating_sub(LOOKBACK));
    let run = bytes.get(floor..at).unwrap_or_default();
    let len = run.iter().rev().take_while(|&&byte| is_name(byte)).count();
    at - len
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' || byte >= 0x80
}

/// The end of a name from `from` on, or of its first [`LOOKBACK`] bytes; `None` when more is needed.
pub(super) fn ident_end(input: Input<'_>, from: usize) -> Option<usize> {
    let mut at = from;
    while at - from < LOOKBACK {
        match byte(input, at) {
            None if input.last => return Some(at),
            None => return None,
            Some(b'\\') => match escape_end(input, at) {
                Escape::End(end) => at = end,
                Escape::More if input.last => return Some(at),
                Escape::More => return None,
                Escape::None => return Some(at),
            },
            Some(other) if is_name(other) => at += 1,
            Some(_) => return Some(at),
        }
    }
    Some(at)
}

/// The name that raw name characters and escapes spell, in lower case. `None` when it has a character that no name of interest has.
pub(super) fn unescape_ident(raw: &[u8]) -> Option<Vec<u8>> {
    let input = Input {
        bytes: raw,
        last: true,
        charset: Charset::UTF_8,
    };
    let (mut ident, mut at) = (Vec::with_capacity(raw.len()), 0);
    while let Some(first) = byte(input, at) {
        if first != b'\\' {
            ident.push(first.to_ascii_lowercase());
            at += 1;
            continue;
        }
        let Escape::End(end) = escape_end(input, at) else {
            return None;
        };
        let escape = raw.get(at + 1..end)?;
        ident.push(escaped_ascii(escape)?.to_ascii_lowercase());
        at = end;
    }
    Some(ident)
}

/// The ASCII character that an escape (without its `\`) stands for.
fn escaped_ascii(escape: &[u8]) -> Option<u8> {
    let digits = escape.iter().map_while(|&byte| hex_value(byte)).take(6);
    let value = digits.fold(None, |value, digit| {
        Some(value.unwrap_or(0u32) * 16 + u32::from(digit))
    });
    match value {
        Some(value) => u8::try_from(value).ok().filter(u8::is_ascii),
        None => escape.first().copied().filter(u8::is_ascii),
    }
}

/// The extent of an escape.
pub(super) enum Escape {
    End(usize),
    More,
    /// `\` before a newline or at the end: no escape.
    None,
}

/// The end of the escape whose `\` is at `at` (section 4.3.7). Of a character that is no hexadecimal digit only the first byte
/// is taken: its others mean nothing by themselves.
pub(super) fn escape_end(input: Input<'_>, at: usize) -> Escape {
    let rest = input.bytes.get(at + 1..).unwrap_or_default();
    let digits = rest
        .iter()
        .take(6)
        .take_while(|byte| byte.is_ascii_hexdigit());
    let digits = digits.count();
    match (rest.first(), digits) {
        (None, _) => Escape::More,
        (Some(b'\n' | b'\r' | 0x0C), _) => Escape::None,
        (Some(_), 0) => Escape::End(at + 2),
        (Some(_), _) => match (rest.get(digits), rest.get(digits + 1)) {
            (None, _) if !input.last => Escape::More,
            (Some(b'\r'), None) if !input.last => Escape::More,
            (Some(b'\r'), Some(b'\n')) => Escape::End(at + digits + 3),
            (Some(&space), _) if is_space(space) => Escape::End(at + digits + 2),
            _ => Escape::End(at + digits + 1),
        },
    }
}

/// The same in a string, where `\` and a newline continue the line.
pub(super) fn string_escape_end(input: Input<'_>, at: usize) -> Escape {
    match (byte(input, at + 1), byte(input, at + 2)) {
        (Some(b'\r'), None) if !input.last => Escape::More,
        (Some(b'\r'), Some(b'\n')) => Escape::End(at + 3),
        (Some(b'\n' | b'\r' | 0x0C), _) => Escape::End(at + 2),
        _ => escape_end(input, at),
    }
}

const fn table(stops: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    while at < stops.len() {
        table[stops[at] as usize] = true;
        at += 1;
    }
    table
}

/// What begins or ends something among plain tokens.
pub(super) static PLAIN_STOP: [bool; 256] = table(b"\"'()/@\\");

/// What ends or escapes in a string.
pub(super) static STRING_STOP: [bool; 256] = table(b"\"'\\\n\r\x0C");

/// What ends, escapes or spoils an unquoted url: white space, quotes, parentheses, `\`, and what is not
/// printable (section 4.2).
pub(super) static URL_STOP: [bool; 256] =
    table(b"\"'()\\\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F\x20\x7F");

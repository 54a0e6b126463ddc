//! The lexical level of CSS: names, escapes, and the bytes with a meaning (CSS Syntax Level 3, section 4.3).

use crate::slot::Window;
use linkglot_charset::Charset;
use linkglot_charset::ascii::{hex_value, is_space};

/// The longest spelling of a known name: `-webkit-image-set` with each character written as `\`, six digits and CR LF.
pub(super) const LONGEST_NAME: usize = 17 * 9;

pub(super) fn byte(window: Window<'_>, at: usize) -> Option<u8> {
    window.bytes.get(at).copied()
}

/// The position of the first byte from `from` on that is in the table.
pub(super) fn find(bytes: &[u8], from: usize, table: &[bool; 256]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let at = rest.iter().position(|&byte| table[usize::from(byte)])?;
    Some(from + at)
}

/// The start of the name characters that end at `at`: not before `floor`, and at most [`LONGEST_NAME`] bytes before
/// `at`. All bytes of characters beyond ASCII count as name characters.
pub(super) fn name_start(bytes: &[u8], floor: usize, at: usize) -> usize {
    let floor = floor.max(at.saturating_sub(LONGEST_NAME));
    let before = bytes.get(floor..at).unwrap_or_default();
    let names = before.iter().rev().take_while(|&&byte| is_name(byte));
    at - names.count()
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' || byte >= 0x80
}

/// The end of the name that begins at `from`, or of its first [`LONGEST_NAME`] bytes. `None` when more bytes are
/// needed.
pub(super) fn ident_end(window: Window<'_>, from: usize) -> Option<usize> {
    let mut at = from;
    while at - from < LONGEST_NAME {
        match byte(window, at) {
            None => return window.last.then_some(at),
            Some(b'\\') => match escape_end(window, at) {
                Escape::End(end) => at = end,
                Escape::More => return window.last.then_some(at),
                Escape::None => return Some(at),
            },
            Some(other) if is_name(other) => at += 1,
            Some(_) => return Some(at),
        }
    }
    Some(at)
}

/// The name that raw name characters and escapes spell, in lower case. `None` if an escape stands for a character
/// beyond ASCII, which no known name has.
pub(super) fn unescape_ident(raw: &[u8]) -> Option<Vec<u8>> {
    let window = Window {
        bytes: raw,
        last: true,
        charset: Charset::UTF_8,
    };
    let (mut ident, mut at) = (Vec::with_capacity(raw.len()), 0);
    while let Some(first) = byte(window, at) {
        if first != b'\\' {
            ident.push(first.to_ascii_lowercase());
            at += 1;
            continue;
        }
        let Escape::End(end) = escape_end(window, at) else {
            return None;
        };
        let escape = raw.get(at + 1..end)?;
        ident.push(escaped_ascii(escape)?.to_ascii_lowercase());
        at = end;
    }
    Some(ident)
}

/// The ASCII character that an escape, given without its `\`, stands for.
fn escaped_ascii(escape: &[u8]) -> Option<u8> {
    let digits = escape.iter().map_while(|&byte| hex_value(byte)).take(6);
    let value = digits.fold(None, |value, digit| {
        Some(value.unwrap_or(0_u32) * 16 + u32::from(digit))
    });
    match value {
        Some(value) => u8::try_from(value).ok().filter(u8::is_ascii),
        None => escape.first().copied().filter(u8::is_ascii),
    }
}

/// The extent of an escape.
#[derive(Clone, Copy)]
pub(super) enum Escape {
    /// The escape ends here.
    End(usize),
    /// More bytes are needed to tell.
    More,
    /// The `\` precedes a newline and escapes nothing.
    None,
}

/// The end of the escape whose `\` is at `at` (section 4.3.7). Of an escaped character beyond ASCII only the first byte
/// counts: the other bytes have no meaning of their own.
pub(super) fn escape_end(window: Window<'_>, at: usize) -> Escape {
    let rest = window.bytes.get(at + 1..).unwrap_or_default();
    let digits = rest
        .iter()
        .take(6)
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    let behind = at + 1 + digits;
    match (rest.first(), digits) {
        (None, _) => Escape::More,
        (Some(b'\n' | b'\r' | 0x0C), _) => Escape::None,
        (Some(_), 0) => Escape::End(behind + 1),
        (Some(_), _) => match (byte(window, behind), byte(window, behind + 1)) {
            (None, _) | (Some(b'\r'), None) if !window.last => Escape::More,
            (Some(b'\r'), Some(b'\n')) => Escape::End(behind + 2),
            (Some(space), _) if is_space(space) => Escape::End(behind + 1),
            _ => Escape::End(behind),
        },
    }
}

/// As [`escape_end`], in a string, where `\` before a newline continues the line.
pub(super) fn string_escape_end(window: Window<'_>, at: usize) -> Escape {
    match (byte(window, at + 1), byte(window, at + 2)) {
        (Some(b'\r'), None) if !window.last => Escape::More,
        (Some(b'\r'), Some(b'\n')) => Escape::End(at + 3),
        (Some(b'\n' | b'\r' | 0x0C), _) => Escape::End(at + 2),
        _ => escape_end(window, at),
    }
}

const fn table(bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
}

/// The bytes with a meaning between values.
pub(super) static PLAIN_STOP: [bool; 256] = table(b"\"'()/@\\");

/// The bytes that end a string or begin an escape in a string.
pub(super) static STRING_STOP: [bool; 256] = table(b"\"'\\\n\r\x0C");

/// The bytes that end or invalidate an unquoted url, or begin an escape in it: white space, quotes, parentheses, `\`,
/// and characters that are not printable (section 4.2).
pub(super) static URL_STOP: [bool; 256] = {
    let mut table = table(b"\"'()\\\x7F");
    let mut byte = 0x01;
    while byte <= b' ' {
        table[byte as usize] = true;
        byte += 1;
    }
    table
};

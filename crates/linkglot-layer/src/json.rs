//! The content of a JSON string, between its quotes (RFC 8259 section 7).

use super::positions::Positions;
use super::{Change, Edit, Placed, Unencodable};
use linkglot_charset::ranges::{slice, tail};
use std::borrow::Cow;
use std::ops::Range;

pub(super) fn decode(encoded: &[u8]) -> Placed<'_> {
    let mut bytes = Vec::new();
    let mut positions = Positions::default();
    let mut literal = 0;
    for (range, ch) in escapes(encoded).filter_map(|(range, ch)| Some((range, ch?))) {
        if literal < range.start {
            positions.literal(bytes.len(), literal);
            bytes.extend_from_slice(slice(encoded, literal..range.start));
        }
        let begin = bytes.len();
        bytes.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
        positions.unit(begin..bytes.len(), range.clone());
        literal = range.end;
    }
    if literal == 0 {
        return Placed {
            bytes: Cow::Borrowed(encoded),
            positions,
        };
    }
    bytes.extend_from_slice(tail(encoded, literal));
    Placed {
        bytes: Cow::Owned(bytes),
        positions,
    }
}

/// True if all escapes have a character, and no quotation mark or control character stands unescaped.
pub(super) fn is_sound(encoded: &[u8]) -> bool {
    let is_plain = |byte: &u8| *byte >= b' ' && *byte != b'"';
    let mut plain = 0;
    escapes(encoded).all(|(range, ch)| {
        let between = slice(encoded, plain..range.start);
        plain = range.end;
        ch.is_some() && between.iter().all(is_plain)
    }) && tail(encoded, plain).iter().all(is_plain)
}

/// The escapes, with the character that each stands for; `None` if it is malformed, or half of a surrogate pair. A pair
/// is one escape.
fn escapes(encoded: &[u8]) -> impl Iterator<Item = (Range<usize>, Option<char>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let begin = at + memchr::memchr(b'\\', tail(encoded, at))?;
        let (len, ch) = escape(tail(encoded, begin + 1));
        at = begin + 1 + len;
        Some((begin..at, ch))
    })
}

/// The length of an escape behind its backslash, and the character.
fn escape(rest: &[u8]) -> (usize, Option<char>) {
    let Some(letter) = rest.first() else {
        return (0, None);
    };
    let plain = match letter {
        b'"' | b'\\' | b'/' => char::from(*letter),
        b'b' => '\x08',
        b'f' => '\x0C',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode_escape(rest),
        _ => return (1, None),
    };
    (1, Some(plain))
}

fn unicode_escape(rest: &[u8]) -> (usize, Option<char>) {
    let unit = |at: usize| {
        let digits = std::str::from_utf8(rest.get(at..at + 4)?).ok()?;
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_hex.then(|| u16::from_str_radix(digits, 16).ok())?
    };
    let Some(first) = unit(1) else {
        return (1, None);
    };
    let second = unit(7).filter(|_| rest.get(5..7) == Some(b"\\u"));
    match char::decode_utf16([first].into_iter().chain(second)).next() {
        Some(Ok(ch)) if ch > '\u{FFFF}' => (11, Some(ch)),
        Some(Ok(ch)) => (5, Some(ch)),
        _ => (5, None),
    }
}

/// Writes new text in the style of the string.
#[derive(Debug)]
pub(super) struct Writer<'d> {
    placed: &'d Placed<'d>,
    is_sound: bool,
    /// True if the string writes `/` as `\/`.
    escapes_slashes: bool,
    /// True if the string writes characters beyond ASCII as escapes alone.
    escapes_letters: bool,
    /// True if hex digits of escapes are in upper case.
    is_upper: bool,
}

impl<'d> Writer<'d> {
    pub(super) fn new(encoded: &'d [u8], placed: &'d Placed<'d>) -> Self {
        let mut hex = escapes(encoded).flat_map(|(range, _)| slice(encoded, range));
        Writer {
            placed,
            is_sound: is_sound(encoded),
            escapes_slashes: memchr::memmem::find(encoded, b"\\/").is_some(),
            escapes_letters: encoded.is_ascii() && !placed.bytes.is_ascii(),
            is_upper: hex.any(u8::is_ascii_uppercase),
        }
    }

    pub(super) fn replace(
        &self,
        change: Change<'_>,
        out: &mut Vec<Edit>,
    ) -> Result<(), Unencodable> {
        let text = std::str::from_utf8(change.new).ok();
        let text = text.filter(|_| self.is_sound).ok_or(Unencodable)?;
        let mut bytes = Vec::with_capacity(text.len());
        text.chars().for_each(|ch| self.push(ch, &mut bytes));
        let len = self.placed.bytes.len();
        out.push(Edit {
            range: self.placed.positions.source(change.range, len),
            bytes,
            number: change.number,
        });
        Ok(())
    }

    fn push(&self, ch: char, out: &mut Vec<u8>) {
        let letter = match ch {
            '"' | '\\' => ch,
            '/' if self.escapes_slashes => ch,
            '\x08' => 'b',
            '\x0C' => 'f',
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            _ if ch < ' ' || self.escapes_letters && !ch.is_ascii() => {
                for unit in ch.encode_utf16(&mut [0; 2]) {
                    let escape = if self.is_upper {
                        format!("\\u{unit:04X}")
                    } else {
                        format!("\\u{unit:04x}")
                    };
                    out.extend_from_slice(escape.as_bytes());
                }
                return;
            }
            _ => {
                out.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
                return;
            }
        };
        out.push(b'\\');
        out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

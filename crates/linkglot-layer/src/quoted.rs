//! Quoted-printable (RFC 2045 6.7).

mod write;

pub(super) use write::Writer;

use super::Placed;
use super::positions::Positions;
use linkglot_charset::ranges::{slice, tail};
use std::borrow::Cow;
use std::ops::Range;

/// The construct that a `=` begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    Octet(u8),
    /// A soft break up to this position.
    SoftBreak(usize),
    Malformed,
}

/// Decodes a body.
pub(super) fn decode(encoded: &[u8]) -> Placed<'_> {
    let mut decoder = Decoder {
        encoded,
        bytes: Vec::new(),
        positions: Positions::default(),
        literal: 0,
    };
    let mut from = 0;
    while let Some(found) = memchr::memchr3(b'=', b'\n', b'\r', tail(encoded, from)) {
        let at = from + found;
        from = match encoded.get(at) {
            Some(b'=') => decoder.escape(at),
            _ => decoder.hard_break(at),
        };
    }
    decoder.finish()
}

struct Decoder<'e> {
    encoded: &'e [u8],
    bytes: Vec<u8>,
    positions: Positions,
    /// The start of the literal bytes that were not copied yet.
    literal: usize,
}

impl<'e> Decoder<'e> {
    /// Reads the construct that the `=` at a position begins; returns its end.
    fn escape(&mut self, at: usize) -> usize {
        match escape(self.encoded, at) {
            Escape::Malformed => at + 1,
            Escape::SoftBreak(end) => {
                self.copy_to(at, end);
                end
            }
            Escape::Octet(first) => {
                self.copy_to(at, at);
                self.positions.escapes(self.bytes.len(), at);
                self.bytes.push(first);
                let mut end = at + 3;
                while let Escape::Octet(byte) = escape(self.encoded, end) {
                    self.bytes.push(byte);
                    end += 3;
                }
                self.literal = end;
                end
            }
        }
    }

    /// Reads a line break. Blanks in front of it are no part of the text (RFC 2045 6.7 rule 3).
    fn hard_break(&mut self, at: usize) -> usize {
        let line = slice(self.encoded, self.literal..at);
        let blanks = line.len() - without_blanks(line).len();
        if blanks > 0 {
            self.copy_to(at - blanks, at);
            let end = self.bytes.len() + 1;
            self.positions.unit(end - 1..end, at - blanks..at + 1);
            self.bytes.extend(self.encoded.get(at));
            self.literal = at + 1;
        }
        at + 1
    }

    /// Copies the pending literal run up to `end` and starts the next one at `next`.
    fn copy_to(&mut self, end: usize, next: usize) {
        let literal = slice(self.encoded, self.literal..end);
        if !literal.is_empty() {
            self.positions.literal(self.bytes.len(), self.literal);
            self.bytes.extend_from_slice(literal);
        }
        self.literal = next;
    }

    fn finish(mut self) -> Placed<'e> {
        let rest = without_blanks(tail(self.encoded, self.literal));
        if self.bytes.is_empty() && self.literal == 0 {
            return Placed {
                bytes: Cow::Borrowed(rest),
                positions: self.positions,
            };
        }
        self.copy_to(self.literal + rest.len(), self.encoded.len());
        Placed {
            bytes: Cow::Owned(self.bytes),
            positions: self.positions,
        }
    }
}

/// Reads the construct that the `=` at a position begins. `Malformed` if nothing valid follows.
fn escape(encoded: &[u8], at: usize) -> Escape {
    let [b'=', rest @ ..] = tail_or_empty(encoded, at) else {
        return Escape::Malformed;
    };
    if let [high, low, ..] = rest
        && let (Some(high), Some(low)) = (digit(*high), digit(*low))
    {
        return Escape::Octet(high << 4 | low);
    }
    let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
    let end = at + 1 + blanks;
    match tail(rest, blanks) {
        [] => Escape::SoftBreak(end),
        [b'\r', b'\n', ..] => Escape::SoftBreak(end + 2),
        [b'\n' | b'\r', ..] => Escape::SoftBreak(end + 1),
        _ => Escape::Malformed,
    }
}

fn tail_or_empty(bytes: &[u8], from: usize) -> &[u8] {
    bytes.get(from..).unwrap_or_default()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// A line without the blanks at its end.
fn without_blanks(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|&byte| !is_blank(byte));
    slice(line, 0..end.map_or(0, |end| end + 1))
}

/// True if escapes are written in lower case, by the first escape with a letter.
fn is_lower(encoded: &[u8], range: Range<usize>) -> Option<bool> {
    let range = slice(encoded, range);
    let escapes = memchr::memchr_iter(b'=', range).filter_map(|at| range.get(at + 1..at + 3));
    let mut digits = escapes
        .filter(|pair| pair.iter().all(u8::is_ascii_hexdigit))
        .flatten();
    digits
        .find(|byte| byte.is_ascii_alphabetic())
        .map(u8::is_ascii_lowercase)
}

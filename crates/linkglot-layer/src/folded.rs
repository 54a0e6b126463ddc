//! Folded content lines (RFC 5545 3.1, RFC 6350 3.2), and the soft line breaks of values in quoted-printable (vCard
//! 2.1).

mod write;

pub(super) use write::Writer;

use super::Placed;
use super::positions::Positions;
use crate::content_line::PropertyHead;
use linkglot_charset::ranges::{slice, tail};
use std::borrow::Cow;
use std::ops::Range;

pub(super) fn decode(encoded: &[u8]) -> Placed<'_> {
    let mut bytes = Vec::new();
    let mut positions = Positions::default();
    let mut literal = 0;
    for fold in Breaks::of(encoded).filter_map(Break::joined) {
        positions.literal(bytes.len(), literal);
        bytes.extend_from_slice(slice(encoded, literal..fold.start));
        literal = fold.end;
    }
    if literal == 0 {
        return Placed {
            bytes: Cow::Borrowed(encoded),
            positions,
        };
    }
    positions.literal(bytes.len(), literal);
    bytes.extend_from_slice(tail(encoded, literal));
    Placed {
        bytes: Cow::Owned(bytes),
        positions,
    }
}

/// The end of the last content line that certainly ends in the bytes: nothing behind can be its continuation.
pub(super) fn last_end(encoded: &[u8]) -> Option<usize> {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let text = encoded.iter().rposition(|byte| !is_break(byte));
    let ends = Breaks::of(encoded).filter_map(|found| match found {
        // The next byte may be a blank.
        Break::End(range, _) if Some(range.start) < text => Some(range.end),
        _ => None,
    });
    ends.last()
}

/// A line break.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Break {
    /// Line breaks, one or more, and a blank. Some programs double line ends; icalendar joins these, too.
    Fold(Range<usize>),
    /// A `=` and a line break, in a value in quoted-printable.
    Soft(Range<usize>),
    /// The end of a content line, and the start of its value if the value is in quoted-printable.
    End(Range<usize>, Option<usize>),
}

impl Break {
    /// The bytes that decode to nothing.
    fn joined(self) -> Option<Range<usize>> {
        match self {
            Break::Fold(range) | Break::Soft(range) => Some(range),
            Break::End(..) => None,
        }
    }
}

/// The line breaks of content lines: CRLF, LF or CR. Linear.
struct Breaks<'e> {
    encoded: &'e [u8],
    at: usize,
    line: ContentLine,
    /// Line breaks in front of this position are no folds.
    unfolded: usize,
}

/// The content line at hand.
#[derive(Default)]
struct ContentLine {
    start: usize,
    /// The head was searched up to here.
    scanned: usize,
    in_quotes: bool,
    /// True if the head is known.
    is_known: bool,
    /// The start of the value, if the head says that the value is in quoted-printable.
    quoted: Option<usize>,
}

impl<'e> Breaks<'e> {
    fn of(encoded: &'e [u8]) -> Self {
        Breaks {
            encoded,
            at: 0,
            line: ContentLine::default(),
            unfolded: 0,
        }
    }

    /// The end of the fold that begins with a line break.
    fn fold_end(&mut self, begin: usize) -> Option<usize> {
        if begin < self.unfolded {
            return None;
        }
        let rest = slice(self.encoded, begin..self.encoded.len());
        let breaks = rest.iter().take_while(|byte| matches!(byte, b'\n' | b'\r'));
        let end = begin + breaks.count();
        self.unfolded = end;
        matches!(self.encoded.get(end), Some(b' ' | b'\t')).then_some(end + 1)
    }
}

impl Iterator for Breaks<'_> {
    type Item = Break;

    fn next(&mut self) -> Option<Break> {
        let rest = self.encoded.get(self.at..)?;
        let found = memchr::memchr2(b'\n', b'\r', rest)?;
        let begin = self.at + found;
        let end = match self.encoded.get(begin..begin + 2) {
            Some(b"\r\n") => begin + 2,
            _ => begin + 1,
        };
        let quoted = self.line.quoted(self.encoded, begin);
        if quoted.is_some() && slice(self.encoded, self.line.start..begin).last() == Some(&b'=') {
            self.at = end;
            return Some(Break::Soft(begin - 1..end));
        }
        if let Some(end) = self.fold_end(begin) {
            self.at = end;
            return Some(Break::Fold(begin..end));
        }
        self.at = end;
        self.line = ContentLine {
            start: end,
            scanned: end,
            ..ContentLine::default()
        };
        Some(Break::End(begin..end, quoted))
    }
}

impl ContentLine {
    /// The start of the value, if it stands in front of `end` and the value is in quoted-printable.
    fn quoted(&mut self, encoded: &[u8], end: usize) -> Option<usize> {
        if self.is_known {
            return self.quoted;
        }
        for (at, byte) in slice(encoded, self.scanned..end).iter().enumerate() {
            match byte {
                b'"' => self.in_quotes = !self.in_quotes,
                b':' if !self.in_quotes => {
                    let value = self.scanned + at + 1;
                    let is_quoted = is_quoted_printable(slice(encoded, self.start..value));
                    self.is_known = true;
                    self.quoted = is_quoted.then_some(value);
                    return self.quoted;
                }
                _ => {}
            }
        }
        self.scanned = end;
        None
    }
}

/// True if a head, which may be folded, says that the value is in quoted-printable.
fn is_quoted_printable(head: &[u8]) -> bool {
    // Nearly all heads have no `Q`.
    if memchr::memchr2(b'Q', b'q', head).is_none() {
        return false;
    }
    let mut joined = Vec::with_capacity(head.len());
    let mut breaks = head.split(|byte| matches!(byte, b'\n' | b'\r'));
    joined.extend_from_slice(breaks.next().unwrap_or_default());
    for line in breaks {
        let line = line.strip_prefix(b" ").or(line.strip_prefix(b"\t"));
        joined.extend_from_slice(line.unwrap_or_default());
    }
    PropertyHead::of(&joined).is_some_and(|head| head.is_quoted_printable(&joined))
}

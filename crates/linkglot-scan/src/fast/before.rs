//! Where a link with a scheme begins, and what may stand in front of it.

use super::super::escapes;
use super::{Edge, FastFinder};
use linkglot_charset::ascii;

/// How much white space may stand between `<URL:` and a link.
const MAX_SPACE: usize = 8;

/// What may stand in front of a link.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Before {
    /// Nothing that changes its judgement.
    Free,
    /// White space, in front of which `<URL:` may stand.
    Space,
    /// No safe byte: free if it is a character of its own.
    Trail,
    /// Part of a character, or a character, beyond ASCII.
    Wide,
    /// It may end a reference, if there are any.
    Reference,
    /// More must be known.
    Unsure,
}

pub(super) static BEFORE: [Before; 256] = before_table();

const fn before_table() -> [Before; 256] {
    let mut table = [Before::Wide; 256];
    let mut byte = 0;
    while byte < 0x80 {
        let at = byte as u8;
        table[byte] = match at {
            b'\t' | b'\n' | 0x0C | b'\r' | b' ' => Before::Space,
            // Parts of the scheme, `<http:` and `<URL:http:`.
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.' | b'<' | b':' => {
                Before::Unsure
            }
            // Marks of emphasis and bars, which end the link where they are found again.
            b'*' | b'_' | b'~' | b'=' | b'|' | b'\\' => Before::Unsure,
            b';' | b'&' | b'#' => Before::Reference,
            _ if ascii::is_safe(at) => Before::Free,
            _ => Before::Trail,
        };
        byte += 1;
    }
    table
}

impl FastFinder<'_, '_> {
    /// The begin of `http` or `https` in front of a colon.
    #[inline]
    pub(super) fn start(&self, colon: usize) -> Option<usize> {
        // Letters without their bits of case: no other byte becomes one of these.
        const LOWER: u32 = 0x2020_2020;
        let is_http = |end: usize| {
            let name = self.bytes.get(..end)?.last_chunk()?;
            (u32::from_le_bytes(*name) | LOWER == u32::from_le_bytes(*b"http")).then(|| end - 4)
        };
        match self.bytes.get(colon.checked_sub(1)?)? {
            b's' | b'S' => is_http(colon - 1),
            _ => is_http(colon),
        }
    }

    /// The byte in front of a link, if it and what is in front of it leave the link alone; 0: none.
    #[inline(always)]
    pub(super) fn outer(&self, start: usize, floor: usize) -> Option<u8> {
        let before = self.bytes.get(..start).filter(|_| start > floor);
        match *before.unwrap_or_default() {
            // A space behind a word, as nearly always.
            [.., last, space @ (b' ' | b'\n')] if last > b'>' => Some(space),
            [.., wide] if wide >= 0x80 && self.ascii_stands_alone => Some(wide),
            _ => self.any_outer(start, floor),
        }
    }

    fn any_outer(&self, start: usize, floor: usize) -> Option<u8> {
        let Some(before) = start.checked_sub(1) else {
            return (self.start_edge == Edge::Whole && floor == 0).then_some(0);
        };
        let byte = *self.bytes.get(before)?;
        let is_behind_link = start == floor;
        let is_dot_of_link = before == floor && floor > 0 && byte == b'.';
        let is_free = start >= floor
            && match BEFORE[usize::from(byte)] {
                Before::Wide if self.ascii_stands_alone => true,
                Before::Wide => self.charset.is_char_at(self.bytes, start),
                // What would be of the scheme is of the link in front.
                Before::Unsure if is_behind_link && byte.is_ascii_alphanumeric() => {
                    self.ascii_stands_alone
                }
                _ if is_behind_link => false,
                Before::Unsure if is_dot_of_link => self.ascii_stands_alone,
                Before::Free => true,
                Before::Space => self.is_outside_brackets(before),
                Before::Trail => self.ascii_stands_alone || self.is_trail(before),
                Before::Reference => !self.references,
                Before::Unsure => !self.ascii_stands_alone && self.is_trail(before),
            };
        is_free.then_some(byte)
    }

    /// Whether the name of a mark or a font of roff may begin at a position behind `(`.
    pub(super) fn may_be_roff_name(&self, start: usize) -> bool {
        let from = start.saturating_sub(3);
        let before = self.bytes.get(from..start);
        before.is_some_and(escapes::may_open_name) || from == 0 && self.start_edge == Edge::Cut
    }

    /// Whether an ASCII byte is the last of a character.
    fn is_trail(&self, at: usize) -> bool {
        let byte = self.bytes.get(at).copied();
        // A digit is one of four bytes, of characters that are not count_steps at here.
        let may_be = byte.is_some_and(|byte| matches!(byte, 0x40..=0x7E));
        may_be && !self.charset.is_char_at(self.bytes, at)
    }

    /// Whether the white space that ends with `space` does not stand behind `<` or `<URL:`.
    #[inline]
    fn is_outside_brackets(&self, space: usize) -> bool {
        let mut at = space;
        for _ in 1..MAX_SPACE {
            match at.checked_sub(1).and_then(|at| self.bytes.get(at)) {
                Some(&byte) if ascii::is_space(byte) => at -= 1,
                _ => break,
            }
        }
        match at.checked_sub(1).and_then(|at| self.bytes.get(at)) {
            None => self.start_edge == Edge::Whole,
            Some(b'<') => false,
            Some(b':') => {
                let last = at.checked_sub(2).and_then(|at| self.bytes.get(at));
                !matches!(last, Some(b'l' | b'L' | b';') | None)
            }
            Some(b';') => !self.references,
            Some(_) => true,
        }
    }
}

//! The start of a link with a scheme, and the bytes that may stand in front of it.

use super::super::escapes;
use super::{Edge, FastFinder};
use linkglot_charset::ascii;

/// The most white space between `<URL:` and a link.
const MAX_SPACE: usize = 8;

/// Meaning of a byte in front of a link.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Before {
    /// No effect on the link.
    Free,
    /// White space, in front of which `<URL:` may stand.
    Space,
    /// Free if it is a character of its own and not a trail byte.
    Trail,
    /// A character beyond ASCII, or part of one.
    Wide,
    /// Free unless it may end a character reference.
    Reference,
    /// The finder must decide.
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
            // These may belong to the scheme, or to `<http:` or `<URL:http:`.
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'-' | b'.' | b'<' | b':' => {
                Before::Unsure
            }
            // Marks of emphasis, bars and escapes end the link when they occur again.
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
    /// The start of `http` or `https` in front of a colon.
    #[inline]
    pub(super) fn http_start(&self, colon: usize) -> Option<usize> {
        // Sets the bits that make letters lower case: no other byte becomes one of these letters.
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

    /// The byte in front of a link, if the text there does not change the link; 0 at the start of the text.
    #[inline(always)]
    pub(super) fn outer(&self, start: usize, floor: usize) -> Option<u8> {
        let before = self.bytes.get(..start).filter(|_| start > floor);
        match *before.unwrap_or_default() {
            // A shortcut for the most frequent case: a space behind a word.
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
                // Right behind another link, letters of the scheme belong to that link.
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

    /// True if the name of a roff mark or font may begin at a position behind `(`.
    pub(super) fn may_be_roff_name(&self, start: usize) -> bool {
        let from = start.saturating_sub(3);
        let before = self.bytes.get(from..start);
        before.is_some_and(escapes::may_open_name) || from == 0 && self.start_edge == Edge::Cut
    }

    /// True if the ASCII byte at `at` is the last byte of a character.
    fn is_trail(&self, at: usize) -> bool {
        let byte = self.bytes.get(at).copied();
        // A digit may be the last of four bytes; such characters are left to the finder.
        let may_be = byte.is_some_and(|byte| matches!(byte, 0x40..=0x7E));
        may_be && !self.charset.is_char_at(self.bytes, at)
    }

    /// True if `<` or `<URL:` does not stand in front of the white space that ends at `space`.
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

//! What nearly every link is: `http` or `https`, a host and a path, between characters that say at
//! once that it begins and ends there; and domains and addresses in ASCII. Such a link is judged by
//! tables, in a straight loop over the bytes of whatever charset and without a text: ASCII by one of
//! the 256 bytes, sixteen at a time where there are runs, and any other character by one that says
//! all of it that matters as long as nothing is opened, quoted or glued.
//!
//! Of everything else this says nothing, and [`Finder`](super::find::Finder) judges it; where it
//! says something, that is what `Finder` says.

mod bare;
mod before;
mod host;
mod path;
#[cfg(test)]
mod tests;
mod wide_chars;

use super::lists::Names;
use super::{Kind, Profile, Scanner};
use linkglot_charset::Charset;
use std::ops::Range;

#[cfg(test)]
use std::cell::Cell;

/// Whether there are bytes beyond an end of those that are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// There are none.
    Whole,
    /// There may be.
    Cut,
}

/// Whether bytes may hold references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum References {
    /// `&` is a character.
    None,
    /// `&` may begin one.
    Some,
}

/// The bytes of a text, or a window of them, whose links are count_steps for.
pub(super) struct FastFinder<'h, 's> {
    bytes: &'h [u8],
    start_edge: Edge,
    end_edge: Edge,
    charset: Charset,
    /// Whether each ASCII byte is a character of its own.
    ascii_stands_alone: bool,
    /// Whether `&` may begin a reference.
    references: bool,
    tlds: &'s Names,
    /// Whether domains without a scheme are links.
    domains: bool,
    /// How many bytes were count_steps at: what the linearity tests measure.
    #[cfg(test)]
    pub(super) steps: Cell<u64>,
}

/// A link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FastLink {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

impl<'h, 's> FastFinder<'h, 's> {
    /// `None`: the scanner's settings are none that this knows.
    pub(super) fn new(
        bytes: &'h [u8],
        edges: (Edge, Edge),
        scanner: &'s Scanner,
        charset: Charset,
    ) -> Option<Self> {
        let (start_edge, end_edge) = edges;
        let known = scanner.profile != Profile::Uts58
            && scanner.breaks().is_empty()
            && !scanner.refuses_schemes();
        known.then_some(FastFinder {
            bytes,
            start_edge,
            end_edge,
            charset,
            ascii_stands_alone: true,
            references: false,
            tlds: scanner.tlds(),
            domains: scanner.profile == Profile::Extended,
            #[cfg(test)]
            steps: Cell::new(0),
        })
    }

    /// The same where ASCII bytes may be trails, unless `ascii_stands_alone`, and with `references`.
    pub(super) fn in_bytes(self, ascii_stands_alone: bool, references: References) -> Self {
        FastFinder {
            ascii_stands_alone,
            references: references == References::Some,
            ..self
        }
    }

    /// The link that the trigger character at `at` is part of, if it is one that is known at once.
    /// No link may begin in front of `floor`.
    #[inline(always)]
    pub(super) fn link(&self, at: usize, floor: usize) -> Option<FastLink> {
        match self.bytes.get(at)? {
            b':' => self.absolute(at, floor),
            b'.' => self.bare(at, floor),
            _ => None,
        }
    }

    /// The link whose scheme ends with the colon at `colon`.
    #[inline(always)]
    fn absolute(&self, colon: usize, floor: usize) -> Option<FastLink> {
        let host = colon + 3;
        if self.bytes.get(colon + 1..host)? != b"//" {
            return None;
        }
        let start = self.start(colon)?;
        let outer = self.outer(start, floor)?;
        let host = self.host(host)?;
        let end = match host.open {
            true => self.path(host.end, outer)?,
            false => host.end,
        };
        Some(FastLink {
            range: start..end,
            kind: Kind::Absolute,
        })
    }

    /// The character beyond ASCII at a position, if it is one of those that are count_steps up quickly,
    /// and its length in bytes.
    #[inline]
    fn wide_char(&self, at: usize) -> Option<(u32, usize)> {
        let bytes = self.bytes.get(at..)?;
        if self.charset == Charset::UTF_8 {
            return wide_char(bytes);
        }
        let (ch, len) = self.charset.letter(bytes)?;
        Some((u32::from(ch), len))
    }

    /// Whether a byte, or the end of all, ends every link; `None`: it is not seen.
    #[inline]
    fn is_end(&self, byte: Option<u8>) -> Option<bool> {
        match byte {
            Some(byte) => Some(byte <= b' ' || byte == 0x7F),
            None => (self.end_edge == Edge::Whole).then_some(true),
        }
    }

    #[inline]
    fn count_steps(&self, _bytes: usize) {
        #[cfg(test)]
        self.steps.set(self.steps.get() + _bytes as u64);
    }
}

/// The first character of bytes in UTF-8, if it has two or three of them.
#[inline(always)]
fn wide_char(bytes: &[u8]) -> Option<(u32, usize)> {
    let bits = |byte: u8| u32::from(byte & 0x3F);
    let goes_on = |byte: u8| byte & 0xC0 == 0x80;
    match *bytes {
        [a @ 0xE0..=0xEF, b, c, ..] if goes_on(b) && goes_on(c) => {
            let ch = u32::from(a & 0xF) << 12 | bits(b) << 6 | bits(c);
            // Longer than need be, or half of a pair of UTF-16.
            let is_char = ch >= 0x800 && !(0xD800..0xE000).contains(&ch);
            is_char.then_some((ch, 3))
        }
        [a @ 0xC2..=0xDF, b, ..] if goes_on(b) => Some((u32::from(a & 0x1F) << 6 | bits(b), 2)),
        _ => None,
    }
}

//! Finds the most frequent links by tables over their bytes: `http` and `https` links, and ASCII domains and
//! addresses, if nothing unusual stands around or in them.
//!
//! These links are read in one loop over the bytes of any charset, without decoding. ASCII bytes are looked up in
//! tables of 256 entries, and long runs are compared sixteen bytes at a time. Characters beyond ASCII are looked up in
//! a table that is made from the rules of [`Tail`](super::tail::Tail), and holds as long as nothing is opened, quoted
//! or glued.
//!
//! For all other links the answer is `None`, and [`Finder`](super::find::Finder) judges them. Any other answer equals
//! that of `Finder`.

mod bare;
mod before;
mod enclosed;
mod host;
mod path;
#[cfg(test)]
mod tests;
mod wide_chars;

use super::lists::Names;
use super::{Evidence, Kind, Profile, Scanner};
use linkglot_charset::Charset;
use std::ops::Range;

#[cfg(test)]
use std::cell::Cell;

/// The text beyond the start or end of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// Nothing: the text begins or ends there.
    Whole,
    /// Bytes that this window does not hold.
    Cut,
}

/// Treatment of `&` in the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum References {
    /// `&` is a character.
    None,
    /// `&` may begin a reference.
    Some,
}

/// A finder of the most frequent links in a text or a window of it.
pub(super) struct FastFinder<'h, 's> {
    bytes: &'h [u8],
    start_edge: Edge,
    end_edge: Edge,
    charset: Charset,
    /// True if each ASCII byte is a character of its own; else some may be trail bytes.
    ascii_stands_alone: bool,
    /// True if `&` may begin a character reference.
    references: bool,
    tlds: &'s Names,
    scanner: &'s Scanner,
    /// True if domains without a scheme are links.
    domains: bool,
    /// Number of bytes read: the measure of the linearity tests.
    #[cfg(test)]
    pub(super) steps: Cell<u64>,
}

/// A link that the tables know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FastLink {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
    pub(super) evidence: Evidence,
}

impl<'h, 's> FastFinder<'h, 's> {
    /// `None` if the settings of the scanner are beyond the tables.
    pub(super) fn new(
        bytes: &'h [u8],
        edges: (Edge, Edge),
        scanner: &'s Scanner,
        charset: Charset,
    ) -> Option<Self> {
        let (start_edge, end_edge) = edges;
        let known = scanner.profile() != Profile::Uts58
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
            scanner,
            domains: scanner.profile() == Profile::Extended,
            #[cfg(test)]
            steps: Cell::new(0),
        })
    }

    /// The finder for bytes of a charset. `ascii_stands_alone`: no ASCII byte is a trail byte.
    pub(super) fn in_bytes(self, ascii_stands_alone: bool, references: References) -> Self {
        FastFinder {
            ascii_stands_alone,
            references: references == References::Some,
            ..self
        }
    }

    /// The link that the trigger at `at` is part of. `None`: the tables do not decide. No link begins in front of
    /// `floor`.
    #[inline(always)]
    pub(super) fn link(&self, at: usize, floor: usize) -> Option<FastLink> {
        let (range, kind) = match self.bytes.get(at)? {
            b':' => (self.absolute(at, floor)?, Kind::Absolute),
            b'.' => self.bare(at, floor)?,
            _ => return None,
        };
        Some(FastLink {
            evidence: self.evidence(&range, kind, floor)?,
            range,
            kind,
        })
    }

    /// The link whose scheme ends at `colon`.
    #[inline(always)]
    fn absolute(&self, colon: usize, floor: usize) -> Option<Range<usize>> {
        let host = colon + 3;
        if self.bytes.get(colon + 1..host)? != b"//" {
            return None;
        }
        let start = self.http_start(colon)?;
        let outer = self.outer(start, floor)?;
        let host = self.host(host)?;
        let end = if host.open {
            self.path(host.end, outer)?
        } else {
            host.end
        };
        Some(start..end)
    }

    /// The character beyond ASCII at a position and its number of bytes, if it has two or three and decodes quickly.
    #[inline]
    fn wide_char(&self, at: usize) -> Option<(u32, usize)> {
        let bytes = self.bytes.get(at..)?;
        if self.charset == Charset::UTF_8 {
            return wide_char(bytes);
        }
        let (ch, len) = self.charset.letter(bytes)?;
        Some((u32::from(ch), len))
    }

    /// True if a byte, or the end of the text, ends every link. `None`: the window ends there.
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

/// The first character of bytes in UTF-8 if it has two or three bytes.
#[inline(always)]
fn wide_char(bytes: &[u8]) -> Option<(u32, usize)> {
    let bits = |byte: u8| u32::from(byte & 0x3F);
    let goes_on = |byte: u8| byte & 0xC0 == 0x80;
    match *bytes {
        [a @ 0xE0..=0xEF, b, c, ..] if goes_on(b) && goes_on(c) => {
            let ch = u32::from(a & 0xF) << 12 | bits(b) << 6 | bits(c);
            // Overlong forms and surrogates are no characters.
            let is_char = ch >= 0x800 && !(0xD800..0xE000).contains(&ch);
            is_char.then_some((ch, 3))
        }
        [a @ 0xC2..=0xDF, b, ..] if goes_on(b) => Some((u32::from(a & 0x1F) << 6 | bits(b), 2)),
        _ => None,
    }
}

//! The lines of encoded bytes. A line ends with CRLF, LF or CR.

use linkglot_charset::ranges::{slice, tail};
use std::ops::Range;

/// The lines around rising positions. All calls together read each byte at most twice.
#[derive(Debug)]
pub(super) struct Lines<'e> {
    bytes: &'e [u8],
    /// The start of the line that holds `seen`.
    start: usize,
    /// The highest position whose line was asked for.
    seen: usize,
    /// The last end that was found.
    end: Option<usize>,
}

impl<'e> Lines<'e> {
    pub(super) fn new(bytes: &'e [u8]) -> Self {
        Lines {
            bytes,
            start: 0,
            seen: 0,
            end: None,
        }
    }

    /// The line around a position, without its line break.
    pub(super) fn around(&mut self, at: usize) -> Range<usize> {
        let start = self.start_of(at);
        start..self.end_of(at)
    }

    fn start_of(&mut self, at: usize) -> usize {
        let at = at.max(self.seen);
        let between = slice(self.bytes, self.seen..at);
        if let Some(last) = memchr::memrchr2(b'\n', b'\r', between) {
            self.start = self.seen + last + 1;
        }
        self.seen = at;
        self.start
    }

    fn end_of(&mut self, at: usize) -> usize {
        if let Some(end) = self.end.filter(|&end| at <= end) {
            return end;
        }
        let rest = tail(self.bytes, at);
        let end = at + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        self.end = Some(end);
        end
    }
}

/// The length of the longest line, without its line break.
pub(super) fn longest(bytes: &[u8]) -> usize {
    let ends = memchr::memchr2_iter(b'\n', b'\r', bytes).chain([bytes.len()]);
    let lengths = ends.scan(0, |start, end| {
        let length = end - *start;
        *start = end + 1;
        Some(length)
    });
    lengths.max().unwrap_or(0)
}

/// The first line break of a text. In a text with CR and LF the answer is never CR alone, so that a break written in
/// front of an LF does not merge with it.
pub(super) fn line_break(bytes: &[u8]) -> Option<&'static [u8]> {
    match memchr::memchr(b'\n', bytes) {
        Some(0) => Some(b"\n"),
        Some(at) if bytes.get(at - 1) == Some(&b'\r') => Some(b"\r\n"),
        Some(_) => Some(b"\n"),
        None => memchr::memchr(b'\r', bytes).map(|_| &b"\r"[..]),
    }
}

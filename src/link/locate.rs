//! Lines and columns.

use super::Location;
use crate::charset::Charset;

/// The most bytes of a character in any view.
const LONGEST: usize = 4;

/// Counts lines and columns on its way through the view of a document.
#[derive(Clone, Debug)]
pub(crate) struct Locator {
    charset: Charset,
    /// The view position reached so far.
    at: u64,
    line: u64,
    /// Characters since the start of the line.
    column: u64,
    after_cr: bool,
}

impl Locator {
    /// A locator at the view position of the document's first character.
    pub fn new(charset: Charset, at: u64) -> Self {
        Locator {
            charset,
            at,
            line: 1,
            column: 0,
            after_cr: false,
        }
    }

    /// A locator for a document within another, from `begin` on.
    pub fn within(charset: Charset, at: u64, begin: Location) -> Self {
        Locator {
            line: begin.line,
            column: begin.column - 1,
            ..Locator::new(charset, at)
        }
    }

    /// Goes on to the last whole character of the window at or before the view position `to`, which may be inside of a
    /// character: the locator stays a few bytes behind. Otherwise as [`advance`](Self::advance).
    pub fn follow(&mut self, window: &[u8], origin: u64, to: u64) {
        let end = origin + window.len().saturating_sub(LONGEST) as u64;
        let Some(most) = to.min(end).checked_sub(self.at) else {
            return;
        };
        let rest = window.get((self.at - origin) as usize..).unwrap_or(&[]);
        let begin = self.charset.resync(rest, most as usize);
        self.advance(window, origin, self.at + begin as u64);
    }

    /// Goes on to the view position `to`, a character boundary; `window` begins at the view position `origin` and holds
    /// all bytes not passed yet. Positions already passed have no effect. Linear in the bytes passed.
    pub fn advance(&mut self, window: &[u8], origin: u64, to: u64) {
        if to <= self.at {
            return;
        }
        let passed = &window[(self.at - origin) as usize..(to - origin) as usize];
        self.at = to;
        let mut line = 0;
        if let Some(last) = memchr::memrchr2(b'\n', b'\r', passed) {
            self.line += self.line_ends(&passed[..=last]);
            self.column = 0;
            line = last + 1;
        }
        self.after_cr = passed.last() == Some(&b'\r');
        self.column += self.count(&passed[line..]);
    }

    /// The number of line ends in bytes that end with one. `\r\n` is one, also where a passage ends between the two.
    fn line_ends(&self, passed: &[u8]) -> u64 {
        let is_second = self.after_cr && passed.first() == Some(&b'\n');
        let is_alone = |cr: &usize| passed.get(cr + 1) != Some(&b'\n');
        let feeds = memchr::memchr_iter(b'\n', passed).count() - usize::from(is_second);
        let returns = memchr::memchr_iter(b'\r', passed).filter(is_alone).count();
        (feeds + returns) as u64
    }

    /// The place reached so far.
    pub fn location(&self) -> Location {
        Location {
            line: self.line,
            column: self.column + 1,
        }
    }

    fn count(&self, bytes: &[u8]) -> u64 {
        if bytes.is_ascii() {
            return bytes.len() as u64;
        }
        self.charset.decode(bytes).chars().count() as u64
    }
}

//! Lines and columns.

use super::Location;
use crate::charset::Charset;

/// From this length on, line ends are counted in many bytes at once.
const LONG: usize = 1024;

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
        let line = if passed.len() < LONG {
            self.pass_line_ends(passed)
        } else {
            self.count_line_ends(passed)
        };
        if line > 0 {
            self.column = 0;
        }
        self.after_cr = passed.last() == Some(&b'\r');
        self.column += self.count(&passed[line..]);
    }

    /// Counts line ends one by one; returns the start of the last line. `\r\n` is one line end, also where passages
    /// meet between the two.
    fn pass_line_ends(&mut self, passed: &[u8]) -> usize {
        let mut line = 0;
        for end in memchr::memchr2_iter(b'\n', b'\r', passed) {
            let is_behind_cr = match end.checked_sub(1) {
                Some(before) => passed[before] == b'\r',
                None => self.after_cr,
            };
            if passed[end] == b'\r' || !is_behind_cr {
                self.line += 1;
            }
            line = end + 1;
        }
        line
    }

    /// As [`pass_line_ends`](Self::pass_line_ends), over many bytes at once.
    fn count_line_ends(&mut self, passed: &[u8]) -> usize {
        let is_second = self.after_cr && passed.first() == Some(&b'\n');
        let is_alone = |cr: &usize| passed.get(cr + 1) != Some(&b'\n');
        let feeds = memchr::memchr_iter(b'\n', passed).count() - usize::from(is_second);
        let returns = memchr::memchr_iter(b'\r', passed).filter(is_alone).count();
        self.line += (feeds + returns) as u64;
        memchr::memrchr2(b'\n', b'\r', passed).map_or(0, |end| end + 1)
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Both ways to count line ends find the same, wherever passages meet.
        #[test]
        fn line_ends_are_counted_in_two_ways(
            text in prop::collection::vec(prop::sample::select(b"a\n\r".to_vec()), 1..20),
            cut in 0_usize..20,
        ) {
            let (front, rest) = text.split_at(cut.min(text.len() - 1));
            let mut one = Locator::new(Charset::UTF_8, 0);
            one.after_cr = front.last() == Some(&b'\r');
            let mut many = one.clone();
            prop_assert_eq!(one.pass_line_ends(rest), many.count_line_ends(rest));
            prop_assert_eq!(one.line, many.line);
        }
    }
}

//! The run around a trigger, as the scanner judges it: with the white space character on either side, and only the part
//! of a long run that may matter to the trigger.

use crate::{Breaks, Scanner, disguised, line_ends};
use linkglot_charset::ascii;
use memchr::memchr2_iter;
use std::ops::Range;

/// Greatest distance from the start of a run to a position in it, in bytes.
const BEFORE: usize = 4 << 10;
/// As [`BEFORE`], where references may write one byte of text with ten.
const BEFORE_REFERENCES: usize = 16 << 10;
/// Number of bytes behind a link in angle brackets that are searched for its `>`.
pub(crate) const BRACKETS: usize = 8 << 10;
/// Most white space that may stand between `<` or `<URL:` and a link.
const LEAD: usize = 8;
/// The most bytes of `<URL:`, with `<` written as a reference.
const LONGEST_OPENER: usize = 16;
/// The most bytes of a paragraph on either side of a position.
const PARAGRAPH: usize = 8 << 10;

/// The runs of bytes, asked for in rising order.
#[derive(Debug)]
pub(crate) struct Runs {
    is_paragraph: bool,
    references: bool,
    /// Start and end of the last run, with the white space on either side.
    start: usize,
    end: usize,
    /// True if a blank line ends the paragraph at `end`, which is otherwise as far as was searched.
    is_ended: bool,
}

impl Runs {
    pub(crate) fn new(scanner: &Scanner, references: bool) -> Self {
        Runs {
            is_paragraph: scanner.breaks() != Breaks::NONE,
            references,
            start: 0,
            end: 0,
            is_ended: false,
        }
    }

    /// The run that a byte stands in; the run begins at most some KiB in front of the byte. Positions must not fall
    /// from call to call. Linear for all calls together.
    #[inline]
    pub(crate) fn around(&mut self, bytes: &[u8], at: usize) -> Range<usize> {
        if self.is_paragraph {
            return self.paragraph(bytes, at);
        }
        if at >= self.end {
            self.advance(bytes, at);
        }
        self.start.max(at.saturating_sub(self.before()))..self.end
    }

    /// True if more bytes cannot make a run longer.
    pub(crate) fn is_closed(&self, bytes: &[u8], run: &Range<usize>) -> bool {
        let last = run.end.checked_sub(1).and_then(|at| bytes.get(at));
        let ends_with_space = || last.is_some_and(|byte| ascii::is_space(*byte));
        run.end < bytes.len() || !self.is_paragraph && ends_with_space()
    }

    /// Greatest distance from the start of a run to a position in it.
    pub(crate) fn before(&self) -> usize {
        match (self.is_paragraph, self.references) {
            (true, _) => PARAGRAPH,
            (false, true) => BEFORE_REFERENCES,
            (false, false) => BEFORE,
        }
    }

    fn advance(&mut self, bytes: &[u8], at: usize) {
        let from = at
            .saturating_sub(self.before())
            .max(self.end.saturating_sub(1));
        let passed = bytes.get(from..at).unwrap_or_default();
        let space = passed.iter().rposition(|byte| ascii::is_space(*byte));
        self.start = space.map_or(from, |space| self.behind_opener(bytes, from + space));
        let rest = bytes.get(at..).unwrap_or_default();
        let space = rest.iter().position(|byte| ascii::is_space(*byte));
        self.end = space.map_or(bytes.len(), |space| at + space + 1);
    }

    /// The start of a run behind a white space character: that character, or the `<`, `<URL:` or words of the same run
    /// in front of it.
    fn behind_opener(&self, bytes: &[u8], space: usize) -> usize {
        let before = bytes.get(..=space).unwrap_or_default();
        let near = before.iter().rev().take(LEAD);
        let spaces = near.take_while(|byte| ascii::is_space(**byte)).count();
        let word = before.get(..before.len() - spaces).unwrap_or_default();
        let opens = match word {
            [.., b'<'] => true,
            [.., b';'] => self.references,
            [.., b'L' | b'l', b':'] => true,
            _ => false,
        };
        if !opens {
            // A shortcut for the most frequent case: a space behind a word.
            if matches!(before, [.., last, b' '] if *last > b'>' && !disguised::may_end_at(*last)) {
                return space;
            }
            let address = disguised::start(bytes, space + 1);
            let line = line_ends::line_before(bytes, space + 1).and_then(|end| bytes.get(..end));
            let torn = || line.and_then(line_ends::start_of_tear);
            let begin = address.map(|start| start.saturating_sub(1)).or_else(torn);
            return begin.unwrap_or(space);
        }
        let opener = word.iter().rev().take(LONGEST_OPENER);
        word.len() - opener.take_while(|byte| !ascii::is_space(**byte)).count()
    }

    /// The lines around a position, up to blank lines.
    fn paragraph(&mut self, bytes: &[u8], at: usize) -> Range<usize> {
        let from = at.saturating_sub(PARAGRAPH);
        let to = (at + PARAGRAPH).min(bytes.len());
        if self.end < from {
            (self.start, self.end, self.is_ended) = (from, from, false);
        }
        while self.end < to && !(self.is_ended && self.end > at) {
            if self.is_ended {
                self.start = self.end;
            }
            // Blank lines share a line end, and the last search may have met the beginning of one.
            let shared = if self.is_ended { 1 } else { LINE_ENDS - 1 };
            let begin = self.end.saturating_sub(shared).max(from);
            let blank = blank_line(bytes.get(begin..to).unwrap_or_default());
            self.is_ended = blank.is_some();
            self.end = blank.map_or(to, |end| begin + end);
        }
        self.start.max(from)..self.end.min(to)
    }
}

/// The most bytes of the line ends around a blank line.
const LINE_ENDS: usize = 3;

/// The end of the first blank line.
fn blank_line(bytes: &[u8]) -> Option<usize> {
    memchr2_iter(b'\n', b'\r', bytes).find_map(|at| match bytes.get(at..)? {
        [b'\n', b'\r', b'\n', ..] => Some(at + 3),
        [b'\n', b'\n', ..] | [b'\r', b'\r', ..] => Some(at + 2),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paragraphs are the same whether they are asked for in turn or each alone.
    #[test]
    fn paragraphs_end_at_blank_lines() {
        let scanner = Scanner::default().join(Breaks::WRAPPED);
        let long = format!("a.b\n\n{}.c\n\nd.e", "f\n".repeat(9 << 10));
        let texts = [
            "a.b\nc.d\n\ne.f",
            "a.b\r\n\r\n\r\nc.d\r\n\r\n",
            "\n\na.b\n\n\nc.d\re.f\r\rg.h",
            "a.b.c.d\n",
            &long,
        ];
        for text in texts {
            let bytes = text.as_bytes();
            let mut runs = Runs::new(&scanner, false);
            for (at, _) in text.match_indices('.') {
                let blank = |text: &str| {
                    let ends =
                        ["\n\n", "\n\r\n", "\r\r"].map(|end| Some((text.find(end)?, end.len())));
                    ends.into_iter().flatten().map(|(at, len)| at + len).min()
                };
                let begin = at.saturating_sub(PARAGRAPH);
                let last = (begin..at)
                    .rev()
                    .find(|&from| blank(&text[from..at]).is_some());
                let start = last.map_or(begin, |from| from + blank(&text[from..at]).unwrap_or(0));
                let limit = (at + PARAGRAPH).min(text.len());
                let end = blank(&text[at..limit]).map_or(limit, |end| at + end);
                assert_eq!(runs.around(bytes, at), start..end, "{at}");
                assert_eq!(Runs::new(&scanner, false).around(bytes, at), start..end);
            }
        }
    }
}

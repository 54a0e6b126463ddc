//! The run around a trigger, as the scanner judges it: with the white space character on either side, and only the part
//! of a long run that may matter to the trigger.

use crate::{Breaks, Scanner, disguised, line_ends};
use linkglot_charset::ascii;
use memchr::memmem;
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
}

impl Runs {
    pub(crate) fn new(scanner: &Scanner, references: bool) -> Self {
        Runs {
            is_paragraph: scanner.breaks() != Breaks::NONE,
            references,
            start: 0,
            end: 0,
        }
    }

    /// The run that a byte stands in; the run begins at most some KiB in front of the byte. Positions must not fall
    /// from call to call. Linear for all calls together.
    #[inline]
    pub(crate) fn around(&mut self, bytes: &[u8], at: usize) -> Range<usize> {
        if self.is_paragraph {
            return paragraph(bytes, at);
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
}

/// The lines around a position, up to blank lines.
fn paragraph(bytes: &[u8], at: usize) -> Range<usize> {
    let (from, to) = (
        at.saturating_sub(PARAGRAPH),
        (at + PARAGRAPH).min(bytes.len()),
    );
    let before = bytes.get(from..at).unwrap_or_default();
    let behind = bytes.get(at..to).unwrap_or_default();
    let breaks: [&[u8]; 3] = [b"\n\n", b"\n\r\n", b"\r\r"];
    let starts = breaks
        .map(|blank| memmem::rfind(before, blank).map_or(from, |found| from + found + blank.len()));
    let ends = breaks
        .map(|blank| memmem::find(behind, blank).map_or(to, |found| at + found + blank.len()));
    starts.into_iter().max().unwrap_or(from)..ends.into_iter().min().unwrap_or(to)
}

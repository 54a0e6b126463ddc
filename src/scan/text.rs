//! A text under the eyes of the scanner: it notices when a decision looked past its end.

use super::classes::{Classes, TERM};
use super::lines::{Depths, Lines, Quoted};
use std::cell::Cell;

/// Whether what is in front of a stretch matters to the judgement in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Closed {
    /// It may.
    No,
    /// It does not, but for where its last line begins.
    Yes,
    /// Nothing is in front of it.
    Begin,
}

/// A text, or a stretch of one.
pub(super) struct Text<'t> {
    s: &'t str,
    classes: &'static Classes,
    /// Set when a character behind the last one was asked for.
    touched: Cell<bool>,
    /// Set when the first character was looked at from behind, or what is in front of it.
    left_touched: Cell<bool>,
    /// Whether nothing in front of the first character matters.
    closed: bool,
    /// Whether the first character is the first of all.
    is_begin: bool,
    /// Set when the begin of a line was looked for in front of the first character.
    line_cut: Cell<bool>,
    /// What knows the lines in front of the first character.
    outer: Option<&'t dyn Depths>,
    lines: Lines,
    /// How many characters were looked at: what the linearity tests measure.
    #[cfg(test)]
    pub(super) steps: Cell<u64>,
}

impl<'t> Text<'t> {
    pub(super) fn new(s: &'t str, classes: &'static Classes) -> Self {
        Text {
            s,
            classes,
            touched: Cell::new(false),
            left_touched: Cell::new(false),
            closed: true,
            is_begin: true,
            line_cut: Cell::new(false),
            outer: None,
            lines: Lines::default(),
            #[cfg(test)]
            steps: Cell::new(0),
        }
    }

    /// A stretch of a text: it notices when what is in front of it matters.
    pub(super) fn stretch(s: &'t str, classes: &'static Classes, closed: Closed) -> Self {
        Text {
            closed: closed != Closed::No,
            is_begin: closed == Closed::Begin,
            ..Text::new(s, classes)
        }
    }

    /// The same with what knows the lines in front of it.
    pub(super) fn behind(self, outer: &'t dyn Depths) -> Self {
        Text {
            outer: Some(outer),
            ..self
        }
    }

    pub(super) fn str(&self) -> &'t str {
        self.s
    }

    /// Whether the end of the stretch was looked at since the last call.
    pub(super) fn take_touched(&self) -> bool {
        self.touched.replace(false)
    }

    /// Whether what is in front of the stretch may matter.
    pub(super) fn is_left_touched(&self) -> bool {
        self.left_touched.get() && !self.closed || self.line_cut.get()
    }

    /// How many quote marks the line of a position has when its begin is not near.
    pub(super) fn far_depth(&self, at: usize) -> usize {
        match self.outer {
            Some(outer) => outer.depth(at),
            None if self.is_begin => self.depth_in(at),
            None => {
                self.line_cut.set(true);
                0
            }
        }
    }

    fn depth_in(&self, at: usize) -> usize {
        let quoted = Quoted {
            bytes: self.s.as_bytes(),
            references: None,
            first: None,
            lines: &self.lines,
        };
        quoted.depth(at)
    }

    /// The begin of the line of a position; `None`: it is `most` bytes away, or further, or in front of the stretch.
    pub(super) fn line_begin(&self, at: usize, most: usize) -> Option<usize> {
        let from = at.saturating_sub(most);
        let line = self.s.as_bytes().get(from..at)?;
        let end = line.iter().rposition(|b| matches!(b, b'\n' | b'\r'));
        #[cfg(test)]
        {
            let seen = line.len() - end.unwrap_or(0);
            self.steps.set(self.steps.get() + seen as u64);
        }
        let begin = (from == 0 && self.is_begin && self.outer.is_none()).then_some(0);
        end.map(|end| from + end + 1).or(begin)
    }

    /// What stands in front of a position in its line, its last `most` bytes at the most.
    pub(super) fn line_before(&self, at: usize, most: usize) -> &'t str {
        let begin = self.line_begin(at, most);
        let mut from = begin.unwrap_or(at.saturating_sub(most));
        if begin.is_none() && from == 0 && !self.is_begin {
            self.line_cut.set(true);
        }
        while !self.s.is_char_boundary(from) {
            from += 1;
        }
        self.slice(from, at)
    }

    /// Counts the looks at another text as looks at this one.
    pub(super) fn add_steps(&self, _other: &Text<'_>) {
        #[cfg(test)]
        self.steps.set(self.steps.get() + _other.steps.get());
    }

    #[inline]
    fn step(&self) {
        #[cfg(test)]
        self.steps.set(self.steps.get() + 1);
    }

    /// The byte at a position; 0 at the end, which is in no link.
    #[inline]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.step();
        match self.s.as_bytes().get(at) {
            Some(&byte) => byte,
            None => {
                self.touched.set(true);
                0
            }
        }
    }

    /// The character at a position; NUL at the end, which is in no link.
    #[inline]
    pub(super) fn char(&self, at: usize) -> char {
        let byte = self.byte(at);
        if byte < 0x80 {
            return char::from(byte);
        }
        self.wide(at)
    }

    fn wide(&self, at: usize) -> char {
        self.s
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .unwrap_or('\0')
    }

    /// The character that ends at a position.
    #[inline]
    pub(super) fn before(&self, at: usize) -> Option<char> {
        self.step();
        if at <= 1 {
            self.left_touched.set(true);
        }
        let byte = *self.s.as_bytes().get(at.checked_sub(1)?)?;
        if byte < 0x80 {
            return Some(char::from(byte));
        }
        // The first character may have four bytes.
        if at <= 4 {
            self.left_touched.set(true);
        }
        self.s.get(..at)?.chars().next_back()
    }

    /// The byte in front of a position; 0 at the begin.
    #[inline]
    pub(super) fn byte_before(&self, at: usize) -> u8 {
        self.step();
        if at <= 1 {
            self.left_touched.set(true);
        }
        let before = at.checked_sub(1);
        before.map_or(0, |at| self.s.as_bytes().get(at).copied().unwrap_or(0))
    }

    /// The class flags of a character.
    #[inline]
    pub(super) fn class(&self, ch: char) -> u8 {
        self.classes.of(ch)
    }

    /// Link_Term of a character.
    #[inline]
    pub(super) fn term(&self, ch: char) -> u8 {
        self.classes.of(ch) & TERM
    }

    /// Whether a character has a class flag.
    #[inline]
    pub(super) fn is(&self, ch: char, flag: u8) -> bool {
        self.classes.of(ch) & flag != 0
    }

    /// The class of an ASCII byte.
    #[inline]
    pub(super) fn ascii(&self, byte: u8) -> u8 {
        self.classes.of_ascii(byte)
    }

    /// Whether this ASCII word stands at a position, in any case.
    pub(super) fn has(&self, at: usize, word: &str) -> bool {
        word.bytes()
            .enumerate()
            .all(|(i, b)| self.byte(at + i).eq_ignore_ascii_case(&b))
    }

    /// Whether this ASCII word ends at a position, in any case, and begins at or behind `floor`.
    pub(super) fn ends(&self, at: usize, floor: usize, word: &str) -> bool {
        if at <= word.len() {
            self.left_touched.set(true);
        }
        at.checked_sub(word.len())
            .filter(|&start| start >= floor)
            .and_then(|start| self.s.as_bytes().get(start..at))
            .is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// How many bytes were looked at for begins of lines.
    #[cfg(test)]
    pub(super) fn line_steps(&self) -> u64 {
        self.lines.steps.get()
    }

    /// Its classes.
    pub(super) fn classes(&self) -> &'static Classes {
        self.classes
    }

    /// The text of a range; empty when it is not one.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.s.get(start..end).unwrap_or("")
    }
}

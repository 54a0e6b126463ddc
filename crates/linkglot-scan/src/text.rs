//! The text of a run as the rules read it, character by character. [`Text`] records whether a judgement read past the
//! end.

use super::classes::{Classes, TERM};
use std::cell::Cell;

/// A text, or the part of it that has been decoded.
pub(super) struct Text<'t> {
    s: &'t str,
    classes: &'static Classes,
    /// Set when a character beyond the end was asked for.
    touched: Cell<bool>,
    /// Set when angle brackets are open at the end.
    bracket: Cell<bool>,
    /// Number of characters read: the measure of the linearity tests.
    #[cfg(test)]
    pub(super) steps: Cell<u64>,
}

impl<'t> Text<'t> {
    pub(super) fn new(s: &'t str, classes: &'static Classes) -> Self {
        Text {
            s,
            classes,
            touched: Cell::new(false),
            bracket: Cell::new(false),
            #[cfg(test)]
            steps: Cell::new(0),
        }
    }

    pub(super) fn str(&self) -> &'t str {
        self.s
    }

    /// True if a character beyond the end was asked for since the last call.
    pub(super) fn take_touched(&self) -> bool {
        self.touched.replace(false)
    }

    /// Notes that angle brackets are open at the end.
    pub(super) fn open_bracket(&self) {
        self.bracket.set(true);
    }

    /// True if angle brackets are open at the end.
    pub(super) fn is_bracket_open(&self) -> bool {
        self.bracket.get()
    }

    /// The start of the line at a position, at most `most` bytes in front of it.
    pub(super) fn line_begin(&self, at: usize, most: usize) -> usize {
        let from = at.saturating_sub(most);
        let line = self.s.as_bytes().get(from..at).unwrap_or_default();
        let end = line.iter().rposition(|b| matches!(b, b'\n' | b'\r'));
        #[cfg(test)]
        self.steps
            .set(self.steps.get() + (line.len() - end.unwrap_or(0)) as u64);
        end.map_or(from, |end| from + end + 1)
    }

    /// Counts the characters read from another text for this one.
    pub(super) fn add_steps(&self, _other: &Text<'_>) {
        #[cfg(test)]
        self.steps.set(self.steps.get() + _other.steps.get());
    }

    #[inline]
    fn step(&self) {
        #[cfg(test)]
        self.steps.set(self.steps.get() + 1);
    }

    /// The byte at a position; at the end 0, which no link has.
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

    /// The character at a position; at the end NUL, which no link has.
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

    /// The character in front of a position.
    #[inline]
    pub(super) fn before(&self, at: usize) -> Option<char> {
        self.step();
        let byte = *self.s.as_bytes().get(at.checked_sub(1)?)?;
        if byte < 0x80 {
            return Some(char::from(byte));
        }
        self.s.get(..at)?.chars().next_back()
    }

    /// The byte in front of a position; 0 at the start.
    #[inline]
    pub(super) fn byte_before(&self, at: usize) -> u8 {
        self.step();
        let before = at.checked_sub(1);
        before.map_or(0, |at| self.s.as_bytes().get(at).copied().unwrap_or(0))
    }

    /// The class of a character.
    #[inline]
    pub(super) fn class(&self, ch: char) -> u8 {
        self.classes.of(ch)
    }

    /// The Link_Term of a character.
    #[inline]
    pub(super) fn term(&self, ch: char) -> u8 {
        self.classes.of(ch) & TERM
    }

    /// True if the class of a character has a flag.
    #[inline]
    pub(super) fn is(&self, ch: char, flag: u8) -> bool {
        self.classes.of(ch) & flag != 0
    }

    /// The class of an ASCII byte.
    #[inline]
    pub(super) fn ascii(&self, byte: u8) -> u8 {
        self.classes.of_ascii(byte)
    }

    /// True if an ASCII word stands at a position, in any case.
    pub(super) fn has(&self, at: usize, word: &str) -> bool {
        word.bytes()
            .enumerate()
            .all(|(i, b)| self.byte(at + i).eq_ignore_ascii_case(&b))
    }

    /// True if an ASCII word ends at a position, in any case, and begins at `floor` at the earliest.
    pub(super) fn ends(&self, at: usize, floor: usize, word: &str) -> bool {
        at.checked_sub(word.len())
            .filter(|&start| start >= floor)
            .and_then(|start| self.s.as_bytes().get(start..at))
            .is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
    }

    /// The character classes for this text.
    pub(super) fn classes(&self) -> &'static Classes {
        self.classes
    }

    /// The text of a range; empty if it is out of bounds or splits a character.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.s.get(start..end).unwrap_or("")
    }
}

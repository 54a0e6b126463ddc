//! How many quote marks (`>`) the lines of a run of text have, however long they are: what a break joins must not depend on
//! how much stands in front of it in its line, which rewriting changes.

use super::Decode;
use super::breaks::MAX_BREAK;
use memchr::{memrchr2, memrchr3};
use std::cell::Cell;
use std::ops::Range;

/// Line begins that are as near are found faster than remembered.
const NEAR: usize = 256;
/// What marks a quotation or ends a line is not written with longer references.
const MAX_REFERENCE: usize = 32;

/// What is known of the last long lines, so that all searches together are linear: judgements go back to the line before
/// theirs at most, or over a few short ones.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    seen: [Cell<Seen>; 2],
    next: Cell<usize>,
    /// How many bytes were looked at: what the linearity tests measure.
    #[cfg(test)]
    pub(super) steps: Cell<u64>,
}

/// A line's begin, and up to where there is no line end behind it.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    begin: usize,
    until: usize,
}

impl Lines {
    /// The begin of the line of a position. `last_end`: the position behind the last line end in a range.
    fn begin(&self, at: usize, last_end: impl Fn(Range<usize>) -> Option<usize>) -> usize {
        let all = self.seen.iter().map(Cell::get);
        if let Some(seen) = all.clone().find(|seen| seen.holds(at)) {
            return seen.begin;
        }
        let near = (0..self.seen.len())
            .filter(|&i| all.clone().nth(i).is_some_and(|seen| seen.until <= at))
            .max_by_key(|&i| all.clone().nth(i).map(|seen| seen.until));
        let known = near.and_then(|i| self.seen.get(i));
        let from = known.map_or(0, |known| known.get().until);
        let end = last_end(from..at);
        #[cfg(test)]
        {
            let seen = at - end.unwrap_or(from);
            self.steps.set(self.steps.get() + seen as u64);
        }
        match (end, known) {
            (Some(begin), _) => {
                self.remember(begin, at);
                begin
            }
            (None, Some(known)) => {
                let begin = known.get().begin;
                known.set(Seen { begin, until: at });
                begin
            }
            (None, None) => {
                self.remember(0, at);
                0
            }
        }
    }

    fn remember(&self, begin: usize, until: usize) {
        let next = self.next.get();
        if until - begin > NEAR
            && let Some(seen) = self.seen.get(next)
        {
            seen.set(Seen { begin, until });
            self.next.set((next + 1) % self.seen.len());
        }
    }
}

impl Seen {
    fn holds(self, at: usize) -> bool {
        self.begin <= at && at <= self.until
    }
}

/// The bytes of a run of text, or those behind some of it.
#[derive(Clone, Copy)]
pub(crate) struct Quoted<'q> {
    pub bytes: &'q [u8],
    /// What reads references, where there are some.
    pub references: Option<&'q dyn Decode>,
    /// How many marks the line has in which the bytes begin; `None`: they begin with it.
    pub first: Option<usize>,
    pub lines: &'q Lines,
}

impl Quoted<'_> {
    /// How many marks the line of a position has, which stands behind them. Linear for all rising positions together.
    pub fn depth(&self, at: usize) -> usize {
        let begin = self.lines.begin(at, |range| self.last_end(range));
        match self.first {
            Some(depth) if begin == 0 => depth,
            _ => self.marks(begin),
        }
    }

    /// The marks at a line's begin.
    fn marks(&self, begin: usize) -> usize {
        let (mut at, mut depth) = (begin, 0);
        for _ in 0..MAX_BREAK {
            let (ch, length) = self.char(at);
            match ch {
                ' ' | '\t' => {}
                '>' => depth += 1,
                _ => break,
            }
            at += length;
        }
        depth
    }

    /// The position behind the last line end in a range.
    fn last_end(&self, range: Range<usize>) -> Option<usize> {
        let bytes = self.bytes.get(range.clone())?;
        if self.references.is_none() {
            return memrchr2(b'\n', b'\r', bytes).map(|at| range.start + at + 1);
        }
        let mut rest = bytes;
        while let Some(at) = memrchr3(b'\n', b'\r', b'&', rest) {
            let (ch, length) = self.char(range.start + at);
            if matches!(ch, '\n' | '\r') && at + length <= bytes.len() {
                return Some(range.start + at + length);
            }
            rest = rest.get(..at)?;
        }
        None
    }

    /// The character at a position if it is ASCII, and how many bytes it has. NUL is none of those looked for.
    fn char(&self, at: usize) -> (char, usize) {
        match (self.bytes.get(at), self.references) {
            (Some(b'&'), Some(decode)) => self.reference(at, decode).unwrap_or(('&', 1)),
            (Some(&byte), _) if byte.is_ascii() => (char::from(byte), 1),
            _ => ('\0', 1),
        }
    }

    fn reference(&self, at: usize, decode: &dyn Decode) -> Option<(char, usize)> {
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'#';
        let name = self.bytes.get(at + 1..)?;
        let length = name.iter().take(MAX_REFERENCE).take_while(is_name).count();
        let closes = usize::from(name.get(length) == Some(&b';'));
        let mapped = decode.decode(self.bytes.get(at..at + 1 + length + closes)?);
        let ch = mapped.text().chars().next()?;
        let first = crate::span::TextSpan::new(0, ch.len_utf8());
        Some((ch, mapped.source(first).end))
    }
}

/// What knows the lines in front of a stretch of text.
pub(super) trait Depths {
    /// How many quote marks the line of a position in the stretch has.
    fn depth(&self, at: usize) -> usize;
}

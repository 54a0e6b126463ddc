//! Code of server pages, word by word.

use crate::ascii::is_space;
use std::ops::Range;

/// Code of a server page, read from a place.
pub(super) struct Code<'c> {
    pub code: &'c [u8],
    pub at: usize,
}

impl<'c> Code<'c> {
    pub fn rest(&self) -> &'c [u8] {
        self.code.get(self.at..).unwrap_or_default()
    }

    /// The word that comes next.
    pub fn word(&mut self) -> &'c [u8] {
        let begin = self.at;
        self.skip(is_word);
        &self.code[begin..self.at]
    }

    /// True if the next byte that is no white space is one of these.
    pub fn next_is(&mut self, is: impl Fn(u8) -> bool) -> bool {
        self.skip(is_space);
        self.rest().first().is_some_and(|byte| is(*byte))
    }

    /// The next word of classic ASP, with its dots. `None`: the code ends.
    pub fn word_of_asp(&mut self) -> Option<&'c [u8]> {
        loop {
            match self.rest() {
                [] => return None,
                [b'\'', ..] | [b'/', b'/', ..] => self.skip_line(b"%>"),
                [b'/', b'*', ..] => self.skip_past(b"*/"),
                [b'"', ..] => {
                    self.string();
                }
                [first, ..] if is_word(*first) => {
                    let begin = self.at;
                    self.skip(|byte| is_word(byte) || byte == b'.');
                    let word = &self.code[begin..self.at];
                    if word.eq_ignore_ascii_case(b"rem") {
                        self.skip_line(b"%>");
                        continue;
                    }
                    return Some(word);
                }
                _ => self.at += 1,
            }
        }
    }

    /// True if a statement begins with the word of this length in front of the place.
    pub fn begins_statement(&self, length: usize) -> bool {
        let before = self.code[..self.at - length].iter().rev();
        let mut before = before.skip_while(|byte| matches!(byte, b' ' | b'\t'));
        // The code begins behind `<%`.
        before
            .next()
            .is_none_or(|byte| matches!(byte, b'\n' | b'\r' | b':' | b';' | b'%' | b'}'))
    }

    /// The string behind `=` that is all of a value.
    pub fn assigned(&mut self) -> Option<Range<usize>> {
        let string = self.argument(b'=')?;
        self.skip(|byte| matches!(byte, b' ' | b'\t'));
        let is_whole = matches!(
            self.rest(),
            [] | [b'\n' | b'\r' | b':' | b';' | b'\'' | b'/' | b'}', ..]
        );
        is_whole.then_some(string)
    }

    /// The string that comes next, maybe behind an opening bracket.
    pub fn string_next(&mut self) -> Option<Range<usize>> {
        self.skip(|byte| is_space(byte) || byte == b'(');
        match self.rest() {
            [b'"', ..] => self.string(),
            _ => None,
        }
    }

    /// The string behind a delimiter, if both come next.
    pub fn argument(&mut self, delimiter: u8) -> Option<Range<usize>> {
        self.skip(is_space);
        if self.code.get(self.at) != Some(&delimiter) {
            return None;
        }
        self.at += 1;
        self.skip(is_space);
        match self.code.get(self.at) {
            Some(b'\'' | b'"') => self.string(),
            _ => None,
        }
    }

    /// A string in quotes, which comes next. `None`: it does not end.
    pub fn string(&mut self) -> Option<Range<usize>> {
        let quote = *self.code.get(self.at)?;
        let begin = self.at + 1;
        self.at = begin;
        loop {
            let rest = self.code.get(self.at..)?;
            let Some(len) = memchr::memchr2(quote, b'\\', rest) else {
                self.at = self.code.len();
                return None;
            };
            self.at += len;
            if self.code[self.at] == quote {
                let end = self.at;
                self.at += 1;
                return Some(begin..end);
            }
            self.at += 2;
        }
    }

    /// A string up to the line that begins with its label.
    pub fn heredoc(&mut self) {
        self.at += 3;
        self.skip(|byte| matches!(byte, b' ' | b'\t'));
        self.skip(|byte| matches!(byte, b'\'' | b'"'));
        let begin = self.at;
        self.skip(is_word);
        let label = begin..self.at;
        if label.is_empty() {
            return;
        }
        loop {
            self.skip_past(b"\n");
            self.skip(|byte| matches!(byte, b' ' | b'\t'));
            let rest = self.code.get(self.at..).unwrap_or_default();
            let Some(behind) = rest.strip_prefix(&self.code[label.clone()]) else {
                if rest.is_empty() {
                    return;
                }
                continue;
            };
            if !behind.first().is_some_and(|&byte| is_word(byte)) {
                self.at += label.len();
                return;
            }
        }
    }

    pub fn skip(&mut self, skips: impl Fn(u8) -> bool) {
        let rest = self.code.get(self.at..).unwrap_or_default();
        let len = rest.iter().position(|&byte| !skips(byte));
        self.at += len.unwrap_or(rest.len());
    }

    pub fn skip_past(&mut self, end: &[u8]) {
        let rest = self.code.get(self.at..).unwrap_or_default();
        let found = memchr::memmem::find(rest, end);
        self.at = found.map_or(self.code.len(), |at| self.at + at + end.len());
    }

    /// A comment ends with its line, or with the code, which `closing` ends.
    pub fn skip_line(&mut self, closing: &[u8]) {
        let rest = self.code.get(self.at..).unwrap_or_default();
        let line = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let end = memchr::memmem::find(&rest[..line], closing).unwrap_or(line);
        self.at += end.max(1).min(rest.len());
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'\\' || !byte.is_ascii()
}

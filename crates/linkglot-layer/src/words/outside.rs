//! Text outside of encoded words.
//!
//! ASCII is written raw, unless it would be read as a part of a word. Other text becomes words of its own, beside which
//! only white space may stand; white space between two words is not displayed, so that a new word next to another one
//! must hold this space too.

use super::super::Unencodable;
use super::form::{Form, LINE_LIMIT, Unit};
use super::{Piece, Words};
use std::ops::Range;

/// The last change in a piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outside {
    /// The end of the change in the text.
    end: usize,
    what: What,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum What {
    /// There was no change.
    #[default]
    Nothing,
    /// Text that is not blank.
    Text,
    /// Nothing or blanks.
    Blank,
    Word,
}

/// The text that is written outside of words.
#[derive(Debug)]
pub(super) enum Text {
    Raw(String),
    Words(String),
}

impl Text {
    /// The encoded form, without regard to the length of lines.
    pub(super) fn encode(&self, line_break: &[u8]) -> Vec<u8> {
        match self {
            Text::Raw(text) => text.clone().into_bytes(),
            Text::Words(text) => {
                let units = Unit::all(text);
                Form::utf8(&units).write(&units, line_break, LINE_LIMIT)
            }
        }
    }
}

#[derive(Debug)]
pub(super) struct WrittenText {
    pub(super) range: Range<usize>,
    pub(super) text: Text,
}

/// A piece outside of words, and the last change in it.
pub(super) struct Place<'w> {
    words: &'w Words<'w>,
    piece: &'w Piece,
    at: usize,
    last: Outside,
}

impl<'w> Place<'w> {
    /// Takes the piece with the number `at` of `words`.
    pub(super) fn new(words: &'w Words<'w>, piece: &'w Piece, at: usize, last: Outside) -> Self {
        Place {
            words,
            piece,
            at,
            last,
        }
    }

    /// Writes the text that replaces a range of the piece's text.
    pub(super) fn write(
        &self,
        range: Range<usize>,
        new: &str,
    ) -> Result<(WrittenText, Outside), Unencodable> {
        if self.last.what != What::Nothing && range.start < self.last.end {
            return Err(Unencodable);
        }
        let is_raw = new
            .bytes()
            .all(|byte| byte.is_ascii_graphic() || is_blank(byte));
        if is_raw {
            self.raw(range, new)
        } else {
            self.word(range, new)
        }
    }

    fn raw(&self, range: Range<usize>, new: &str) -> Result<(WrittenText, Outside), Unencodable> {
        let source = self
            .words
            .positions
            .source(range.clone(), self.words.text.len());
        let before = self.unchanged_before(range.start);
        let is_text = |text: &str| !text.bytes().all(is_white);
        let has_text = is_text(new) || is_text(before) || self.last.what == What::Text;
        let is_glued = before.is_empty() && self.last.what == What::Word;
        let vanishes = !has_text && self.is_behind_word() && self.is_before_word();
        if !self.piece.is_plain || vanishes || is_glued && !new.starts_with([' ', '\t']) {
            return Err(Unencodable);
        }
        self.check_seams(before, &source, new)?;
        let outside = Outside {
            end: range.end,
            what: match has_text {
                true => What::Text,
                false if self.last.what == What::Word => What::Word,
                false => What::Blank,
            },
        };
        let written = WrittenText {
            range: source,
            text: Text::Raw(new.to_owned()),
        };
        Ok((written, outside))
    }

    /// Checks that raw text begins no word and makes no other character of the bytes beside it.
    fn check_seams(
        &self,
        before: &str,
        source: &Range<usize>,
        new: &str,
    ) -> Result<(), Unencodable> {
        let encoded = &*self.words.encoded;
        let is_changed = before.is_empty() && self.last.what != What::Nothing;
        let previous = if before.is_empty() {
            None
        } else {
            encoded.get(source.start.wrapping_sub(1)).copied()
        };
        let next = encoded
            .get(source.end)
            .copied()
            .filter(|_| source.end < self.piece.encoded.end);
        let first = new.bytes().next().or(next);
        let last = new.bytes().last().or(previous);
        let may_be = |byte: u8| previous == Some(byte) || is_changed;
        let begins_word = new.contains("=?")
            || may_be(b'=') && first == Some(b'?')
            || (last == Some(b'=') || new.is_empty() && is_changed) && next == Some(b'?');
        let joins_octets = new.is_empty()
            && next.is_some_and(|next| next >= 0x80)
            && (is_changed || previous.is_some_and(|previous| previous >= 0x80));
        let is_behind_break = matches!(previous, Some(b'\r' | b'\n'));
        if begins_word || joins_octets || is_behind_break {
            Err(Unencodable)
        } else {
            Ok(())
        }
    }

    fn word(&self, range: Range<usize>, new: &str) -> Result<(WrittenText, Outside), Unencodable> {
        let before = self.unchanged_before(range.start);
        let after = self.text(range.end..self.piece.text.end);
        let is_begin = self.at == 0 && before.is_empty() && self.last.what == What::Nothing;
        let is_end = self.at + 1 == self.words.pieces.len() && after.is_empty();
        let is_apart = (is_begin || before.ends_with([' ', '\t']))
            && (is_end || after.starts_with([' ', '\t']));
        let is_blank_before = before.bytes().all(is_white);
        if !is_apart || is_blank_before && self.last.what == What::Blank {
            return Err(Unencodable);
        }
        let mut text = String::new();
        if is_blank_before && self.is_behind_word() {
            text.push_str(before);
        }
        text.push_str(new);
        let mut end = range.end;
        if self.is_before_word() && after.bytes().all(is_white) {
            text.push_str(after);
            // A later change to these blanks would have to change the word.
            end = self.piece.text.end + 1;
        }
        let written = WrittenText {
            range: self.words.positions.source(range, self.words.text.len()),
            text: Text::Words(text),
        };
        let outside = Outside {
            end,
            what: What::Word,
        };
        Ok((written, outside))
    }

    /// The text of the piece from the last change, or its begin, up to `at`.
    fn unchanged_before(&self, at: usize) -> &'w str {
        let start = match self.last.what {
            What::Nothing => self.piece.text.start,
            _ => self.last.end,
        };
        self.text(start..at)
    }

    fn text(&self, range: Range<usize>) -> &'w str {
        self.words.text.get(range).unwrap_or_default()
    }

    /// True if only white space can stand between the last word and the bytes behind the last change.
    fn is_behind_word(&self) -> bool {
        match self.last.what {
            What::Word => true,
            What::Text => false,
            What::Nothing | What::Blank => self.at > 0,
        }
    }

    fn is_before_word(&self) -> bool {
        self.at + 1 < self.words.pieces.len()
    }
}

/// White space that vanishes between words.
fn is_white(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

//! Characters behind a link that belong to the sentence: glued words and labels.
//!
//! Characters beyond ASCII end a link that is ASCII so far. A link with others may be the title of a page, which may
//! hold them, too.

use super::super::classes::{CLOSE, HARD, SOFT};
use super::super::particles;
use super::{Part, Tail};

/// The most bytes of a clause or label that are read.
const MAX_CLAUSE: usize = 192;
/// The most letters of the ending of a file's name.
const MAX_EXTENSION: usize = 5;

/// True if a character belongs to Chinese, Japanese or Korean.
pub fn is_cjk(ch: char) -> bool {
    matches!(ch, '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
        || matches!(ch, '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// True for a mark that separates parts of a link, and hardly the words of a sentence.
pub fn parts_segment(ch: char) -> bool {
    matches!(ch, '/' | '_' | '-' | '=' | '&' | '#' | '%')
}

impl Tail<'_, '_> {
    /// True if a character beyond ASCII is the first that does not belong to the link: the first of glued
    /// words, or the place where a line may be broken. `is_ascii`: the link is ASCII so far.
    pub(super) fn begins_sentence(&self, at: usize, ch: char, is_ascii: bool) -> bool {
        if ch == '\u{200B}' {
            return true;
        }
        let open = self.open.last().copied();
        if particles::begins(self.text, at, ch, open, is_ascii) {
            return self.text.before(at) != Some('/') || self.is_clause(at);
        }
        let is_segment = is_ascii && self.part == Part::Path && at > self.segment;
        is_segment && is_cjk(ch) && self.is_behind_file(at) && self.is_clause(at)
    }

    /// True if the segment ends with the extension of a file's name, and is no title.
    fn is_behind_file(&self, at: usize) -> bool {
        let segment = self.text.slice(self.segment, at);
        segment.rsplit_once('.').is_some_and(|(name, extension)| {
            !name.is_empty()
                && extension.len() <= MAX_EXTENSION
                && extension.starts_with(|ch: char| ch.is_ascii_alphabetic())
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
        }) && !self.text.ends(self.segment, 0, particles::TITLES)
    }

    /// True if words reach from a position to the end of the link or to a mark, without a separator of the link.
    fn is_clause(&self, at: usize) -> bool {
        let mut i = at;
        while i < at + MAX_CLAUSE {
            let ch = self.text.char(i);
            let next = i + ch.len_utf8();
            match ch {
                _ if parts_segment(ch) => return false,
                '.' | '?' => return !self.text.char(next).is_alphanumeric(),
                _ if matches!(self.text.term(ch), HARD | SOFT | CLOSE) => return true,
                _ => i = next,
            }
        }
        true
    }

    /// True if a label with white space begins at the `[` at `at`, as AsciiDoc writes it behind a link.
    pub(super) fn is_label(&self, at: usize) -> bool {
        let mut i = at + 1;
        while i < at + MAX_CLAUSE {
            let ch = self.text.char(i);
            if matches!(ch, '[' | ']' | '"' | '<' | '>') || self.text.term(ch) == HARD {
                break;
            }
            i += ch.len_utf8();
        }
        let is_word = i > at + 1 && self.text.byte_before(at) != b'\\';
        is_word && self.part != Part::Fragment && self.text.byte(i) <= b' '
    }
}

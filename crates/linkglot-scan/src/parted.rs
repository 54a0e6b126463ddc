//! Links that an invisible character alone parts from the text beside them: readers see one link where there are two, or
//! a link and text.

use super::Kind;
use super::classes::{GLUE, INVISIBLE};
use super::find::{Finder, Link};

/// The most invisible characters between a link and the text beside it.
const MAX_INVISIBLE: usize = 8;

impl Finder<'_, '_> {
    /// True if an invisible character stands at the end of a link, or at the start of one without a scheme, and beyond
    /// it a letter or digit that looks like a part of the link. In scripts without spaces the character parts words.
    pub(super) fn is_parted(&self, link: &Link) -> bool {
        self.is_parted_behind(link.end)
            || link.kind != Kind::Absolute && self.is_parted_before(link.start)
    }

    fn is_parted_behind(&self, end: usize) -> bool {
        let mut at = end;
        for _ in 0..MAX_INVISIBLE {
            match self.text.char(at) {
                ch if self.is_invisible(ch) => at += ch.len_utf8(),
                ch => {
                    let is_mark = |ch: char| matches!(ch, '/' | '?' | '#' | '@' | '.' | ':' | '-');
                    let next = if is_mark(ch) {
                        self.text.char(at + 1)
                    } else {
                        ch
                    };
                    return at > end && self.belongs_to_word(next);
                }
            }
        }
        false
    }

    fn is_parted_before(&self, start: usize) -> bool {
        let mut at = start;
        for _ in 0..MAX_INVISIBLE {
            match self.text.before(at) {
                Some(ch) if self.is_invisible(ch) => at -= ch.len_utf8(),
                before => return at < start && before.is_some_and(|ch| self.belongs_to_word(ch)),
            }
        }
        false
    }

    fn is_invisible(&self, ch: char) -> bool {
        !ch.is_ascii() && self.text.is(ch, INVISIBLE)
    }

    /// True for a letter or digit of a script with spaces between words.
    fn belongs_to_word(&self, ch: char) -> bool {
        ch.is_alphanumeric() && !self.text.is(ch, GLUE)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Scanner, State};
    use linkglot_charset::Charset;

    #[test]
    fn invisible_characters_part_links() {
        for (text, parted) in [
            ("http://a.example/\u{200B}b", "1"),
            ("http://a.example\u{200B}.evil.example/", "1"),
            ("http://a.example\u{200B}\u{2060}@evil.example/", "1"),
            ("http://a\u{200B}pple.com/x", "11"),
            ("http://a.example/\u{200B}путь", "1"),
            ("bank.example\u{200B}evil.org", "1"),
            ("http://a.example/\u{200B} b", "0"),
            ("\u{200B}http://a.example/b\u{200B}", "0"),
            ("x\u{200B}http://a.example/b", "0"),
            ("http://a.example/\u{200B}. b", "0"),
            ("สวัสดี\u{200B}example.org\u{200B}สวัสดี", "0"),
            ("http://a.example/b", "0"),
        ] {
            let (mut state, mut hits) = (State::default(), Vec::new());
            let window = text.as_bytes();
            Scanner::default().scan(window, true, &Charset::UTF_8, &mut state, &mut hits);
            let found: String = hits
                .iter()
                .map(|hit| u8::from(hit.parted).to_string())
                .collect();
            assert_eq!(found, parted, "{text:?}");
        }
    }
}

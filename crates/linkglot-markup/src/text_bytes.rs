//! A quick look at running text: single bytes tell whether a run may hold links, before a scanner is asked.

use crate::byte_search::Needles;
use linkglot_charset::ascii::{is_safe, is_space};
use linkglot_charset::simd::Vector;
use std::fmt;
use std::sync::Arc;

/// The wanted bytes: a run of text is answered only if it has one of them.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{HtmlTokenizer, MarkupSettings, Slots, TextBytes, When};
///
/// let mut settings = MarkupSettings::default();
/// settings.text_bytes = TextBytes::of([(b':', When::Followed)], &[]);
/// let page = b"<p>No link.</p><p>See http://example.org/</p>";
/// let slots = Slots::new(HtmlTokenizer::new(&settings), page, Charset::UTF_8);
/// let runs: Vec<&[u8]> = slots.map(|slot| &page[slot.range]).collect();
/// assert_eq!(runs, [b"See http://example.org/"]);
/// ```
#[derive(Clone)]
pub struct TextBytes {
    /// For each byte, the condition under which it counts; 0: never.
    marks: [u8; 256],
    /// The byte that must follow the first byte of a wanted character.
    second: u8,
    judge: Option<Arc<Judge>>,
    /// True if control characters count.
    pub(crate) has_blanks: bool,
    /// The bytes that count, and `<`, if these are few.
    needles: Option<Needles>,
}

/// True if the byte at a position of a run of text counts.
type Judge = dyn Fn(&[u8], usize) -> bool + Send + Sync;

/// The condition under which a byte makes the tokenizer answer its run of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum When {
    /// Unconditionally.
    Always = 1,
    /// After a letter, a digit, `+`, `-`, `;` or a byte beyond ASCII, and not before white space or the end of the run.
    Followed = 2,
    /// At the beginning of a character reference that may stand for a colon or a dot.
    Reference = 3,
}

/// The mark of the byte that ends text.
const END: u8 = 4;
/// The mark of the first byte of a wanted character.
const CHARACTER: u8 = 5;
const FOLLOWED: u8 = When::Followed as u8;
const REFERENCE: u8 = When::Reference as u8;

impl fmt::Debug for TextBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextBytes").finish_non_exhaustive()
    }
}

impl TextBytes {
    /// All bytes but white space.
    pub const ALL: TextBytes = TextBytes {
        marks: with_ends([When::Always as u8; 256]),
        second: 0,
        judge: None,
        has_blanks: true,
        needles: None,
    };

    /// Bytes of a set, and a character beyond ASCII (its bytes; empty for none).
    pub fn of(bytes: impl IntoIterator<Item = (u8, When)>, character: &[u8]) -> Self {
        let mut marks = [0; 256];
        for (byte, when) in bytes {
            marks[usize::from(byte)] = when as u8;
        }
        let mut second = 0;
        match *character {
            [] => {}
            [only] => marks[usize::from(only)] = When::Always as u8,
            [lead, next, ..] => {
                marks[usize::from(lead)] = CHARACTER;
                second = next;
            }
        }
        let marks = with_ends(marks);
        let known = (0..=255_u8).filter(|&byte| marks[usize::from(byte)] != 0);
        let needles = Needles::of(known);
        TextBytes {
            marks,
            second,
            judge: None,
            has_blanks: marks[..usize::from(b' ')].iter().any(|&mark| mark != 0),
            needles,
        }
    }

    /// Restricts the bytes to those for which `judge` is true. `judge` gets the text from the start of the run on, and
    /// the position of the byte in it.
    pub fn judged(self, judge: impl Fn(&[u8], usize) -> bool + Send + Sync + 'static) -> Self {
        TextBytes {
            judge: Some(Arc::new(judge)),
            ..self
        }
    }

    /// The first position from `at` on of a `<` or a wanted byte, in a run that begins at `start`.
    #[inline(always)]
    pub(crate) fn next(&self, bytes: &[u8], start: usize, mut at: usize) -> Option<usize> {
        if let Some(needles) = &self.needles {
            while let Some(vector) = Vector::at(bytes, at) {
                let mut marks = needles.marks(vector);
                while marks != 0 {
                    let place = at + marks.trailing_zeros() as usize;
                    if self.ends(bytes, place, start) {
                        return Some(place);
                    }
                    marks &= marks - 1;
                }
                at += Vector::LEN;
            }
        }
        (at..bytes.len()).find(|&at| self.ends(bytes, at, start))
    }

    /// True if a piece of a text may hold a part of a link, whatever stands beside the piece. O(length).
    pub(crate) fn may_be_in(&self, piece: &[u8]) -> bool {
        let is_edge = |at: usize| at == 0 || at + 1 == piece.len();
        let counts = |(at, &byte): (usize, &u8)| {
            let is_marked = self.marks[usize::from(byte)] != 0;
            is_marked && byte != b'<' && (is_edge(at) || self.may_count(piece, at, 0))
        };
        piece.iter().enumerate().any(counts)
    }

    /// True if a `<` or a wanted byte is at `at`, in a run that begins at `start`.
    #[inline(always)]
    fn ends(&self, bytes: &[u8], at: usize, start: usize) -> bool {
        let byte = bytes.get(at).copied().unwrap_or_default();
        byte == b'<' || self.marks[usize::from(byte)] != 0 && self.counts(bytes, at, start)
    }

    /// True if the marked byte at `at`, in a run that begins at `start`, has the neighbours that its mark demands.
    #[inline]
    fn counts(&self, bytes: &[u8], at: usize, start: usize) -> bool {
        self.may_count(bytes, at, start)
            && match (&self.judge, bytes.get(start..)) {
                (Some(judge), Some(run)) => judge(run, at - start),
                _ => true,
            }
    }

    /// True if the byte has the right neighbours, before the judge is asked.
    #[inline]
    fn may_count(&self, bytes: &[u8], at: usize, start: usize) -> bool {
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        match self.marks[usize::from(bytes[at])] {
            FOLLOWED => {
                let before = at > start && bytes.get(at - 1).is_some_and(|&byte| ends_word(byte));
                before && !is_space(next) && next != b'<'
            }
            // Named references for a colon and a dot are `&colon;` and `&period;`.
            REFERENCE => matches!(next, b'#' | b'c' | b'p'),
            CHARACTER => next == self.second,
            _ => true,
        }
    }
}

/// True if a byte may end a word or a reference.
const fn ends_word(byte: u8) -> bool {
    !is_safe(byte) || matches!(byte, b'+' | b'-' | b';')
}

/// White space never counts; `<` ends text.
const fn with_ends(mut marks: [u8; 256]) -> [u8; 256] {
    let spaces = *b"\t\n\x0C\r ";
    let mut at = 0;
    while at < spaces.len() {
        marks[spaces[at] as usize] = 0;
        at += 1;
    }
    marks[b'<' as usize] = END;
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Searches with vectors and byte by byte agree.
        #[test]
        fn the_quick_search_finds_what_the_slow_one_does(
            text in prop::collection::vec(
                prop::sample::select(b"ab .:&<\xE3\x80c#;p\n1-".to_vec()), 0..120),
            start in 0_usize..8,
        ) {
            let ascii = [
                (b':', When::Followed),
                (b'.', When::Followed),
                (b'&', When::Reference),
            ];
            for stop in ["。".as_bytes(), b"\xE3", b""] {
                let quick = TextBytes::of(ascii, stop);
                prop_assert!(quick.needles.is_some());
                let slow = TextBytes { needles: None, ..quick.clone() };
                for at in start..text.len() {
                    let found = quick.next(&text, start, at);
                    prop_assert_eq!(found, slow.next(&text, start, at));
                    prop_assert!(found.is_none_or(|found| found >= at));
                }
            }
        }
    }

    #[test]
    fn many_bytes_are_searched_one_by_one() {
        let all = TextBytes::of((b'a'..=b'z').map(|byte| (byte, When::Always)), &[]);
        assert!(all.needles.is_none());
        assert_eq!(all.next(b"01234567890123456789z", 0, 0), Some(20));
    }
}

//! The quick way over what pages are made of: short whole tags and the text between them. Whatever is
//! unusual is left to the [`Lexer`](super::lexer::Lexer), from where it begins.

use super::swar;
use super::tree::TagFacts;
use super::{HtmlTokenizer, Role, Run};
use crate::ascii::is_space;
use crate::markup::slot::Window;
use crate::markup::vocabulary::{Namespace, word_key};
use memchr::memchr;
use std::ops::Range;

/// Where the quick way ended.
pub(super) enum Skim {
    /// At a whole run of text.
    Text(Range<usize>, Run),
    /// At a tag that may have slots; it has been read.
    Tag,
    /// At something that needs a closer look.
    Rest,
}

/// Which bytes a run of text must have to be answered.
#[derive(Clone, Copy, Debug)]
pub struct TextBytes {
    /// For each byte, when it counts; 0: never.
    marks: [u8; 256],
    /// Those that do, eight times each, if they are few.
    needles: Option<[u64; 4]>,
}

/// When a byte makes a run of text worth answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum When {
    /// Wherever it stands.
    Always = 1,
    /// Unless white space or the end of the run is behind it.
    Followed = 2,
    /// If it begins a character reference that may stand for a colon or a dot.
    Reference = 3,
}

/// The mark of the byte that ends text.
const END: u8 = 4;
const FOLLOWED: u8 = When::Followed as u8;
const REFERENCE: u8 = When::Reference as u8;

impl TextBytes {
    /// Any byte will do but white space.
    pub const ALL: TextBytes = TextBytes {
        marks: with_ends([When::Always as u8; 256]),
        needles: None,
    };

    /// These bytes.
    pub fn of(bytes: impl IntoIterator<Item = (u8, When)>) -> Self {
        let mut marks = [0; 256];
        for (byte, when) in bytes {
            marks[usize::from(byte)] = when as u8;
        }
        let marks = with_ends(marks);
        let mut needles = [swar::repeat(b'<'); 4];
        let known = (0..=255_u8).filter(|&byte| marks[usize::from(byte)] != 0 && byte != b'<');
        let count = known.clone().count();
        let places = needles.iter_mut().zip(known);
        places.for_each(|(needle, byte)| *needle = swar::repeat(byte));
        TextBytes {
            marks,
            needles: (count <= 4).then_some(needles),
        }
    }

    /// The first byte from `at` on that has a mark.
    #[inline(always)]
    fn marked(&self, bytes: &[u8], mut at: usize) -> Option<usize> {
        if let Some(needles) = &self.needles {
            match swar::find_any(bytes, at, needles) {
                Ok(found) => return Some(found),
                Err(end) => at = end,
            }
        }
        let rest = bytes.get(at..)?;
        let found = rest.iter().position(|&b| self.marks[usize::from(b)] != 0)?;
        Some(at + found)
    }

    /// The first position from `at` on of a `<` or a byte that is wanted.
    #[inline(always)]
    fn next(&self, bytes: &[u8], mut at: usize) -> Option<usize> {
        loop {
            at = self.marked(bytes, at)?;
            let next = *bytes.get(at + 1)?;
            match self.marks[usize::from(*bytes.get(at)?)] {
                FOLLOWED if is_space(next) || next == b'<' => at += 1,
                // Of the names, `colon` and `period` are such.
                REFERENCE if !matches!(next, b'#' | b'c' | b'p') => at += 1,
                _ => return Some(at),
            }
        }
    }
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

impl HtmlTokenizer {
    /// Passes over tags and text that hold no slots, in markup outside foreign content.
    #[inline]
    pub(super) fn skim(&mut self, window: Window<'_>, cursor: &mut usize) -> Skim {
        if !self.lexer.is_in_data() || self.was_foreign {
            return Skim::Rest;
        }
        let bytes = window.bytes;
        loop {
            let Some((tag, text)) = self.skim_text(bytes, *cursor) else {
                return Skim::Rest;
            };
            if let Some(range) = text {
                *cursor = tag;
                return Skim::Text(range, Run::WHOLE);
            }
            let held = bytes.get(tag..).unwrap_or_default();
            let held = held.get(..self.lexer.limit()).unwrap_or(held);
            let passed = match held.get(1) {
                Some(b'/') => self.skim_end_tag(held),
                _ => self.skim_start_tag(held),
            };
            match passed {
                Passed::By(length) => *cursor = tag + length,
                Passed::Read => {
                    *cursor = tag;
                    self.tag(window, tag);
                    return Skim::Tag;
                }
                Passed::Not => {
                    *cursor = tag;
                    return Skim::Rest;
                }
            }
        }
    }

    /// Where the next tag begins, and the text before it if it is to be answered. `None` when something
    /// else than a tag ends the text.
    #[inline(always)]
    fn skim_text(&self, bytes: &[u8], at: usize) -> Option<(usize, Option<Range<usize>>)> {
        let wanted = match bytes.get(at)? {
            b'<' => at,
            _ if self.wants_text() => self.text_bytes.next(bytes, at)?,
            _ => at + memchr(b'<', bytes.get(at..)?)?,
        };
        if bytes.get(wanted) == Some(&b'<') {
            return begins_tag(bytes, wanted).then_some((wanted, None));
        }
        let tag = wanted + memchr(b'<', bytes.get(wanted..)?)?;
        let text = bytes.get(at..tag)?;
        let blank = text.iter().position(|&b| !is_space(b))?;
        begins_tag(bytes, tag).then_some((tag, Some(at + blank..tag)))
    }

    /// The end tag `bytes` begins with.
    #[inline(always)]
    fn skim_end_tag(&mut self, bytes: &[u8]) -> Passed {
        let Some(word) = swar::word(bytes, 2) else {
            return Passed::Not;
        };
        let length = swar::name_length(word);
        if length == 8 || bytes.get(2 + length) != Some(&b'>') {
            return Passed::Not;
        }
        let element = self.vocabulary.element_by_key(word_key(word, length));
        let name = bytes.get(2..2 + length).unwrap_or_default();
        self.tree.end_html(self.vocabulary.role(element), name);
        Passed::By(3 + length)
    }

    /// The start tag `bytes` begins with.
    #[inline(always)]
    fn skim_start_tag(&mut self, bytes: &[u8]) -> Passed {
        let Some(word) = swar::word(bytes, 1) else {
            return Passed::Not;
        };
        let length = swar::name_length(word);
        if length == 8 {
            return Passed::Not;
        }
        let element = self.vocabulary.element_by_key(word_key(word, length));
        let role = self.vocabulary.role(element);
        let length = match bytes.get(1 + length) {
            Some(b'>') if role.is_transparent() => 2 + length,
            _ => {
                let filter = self.vocabulary.filter(element);
                let Some(suspect) = self.lexer.tag.scan_plain(bytes, 1 + length, filter) else {
                    return Passed::Not;
                };
                if suspect || !role.is_transparent() {
                    self.lexer.begin_skimmed();
                    return Passed::Read;
                }
                self.lexer.tag.at
            }
        };
        let facts = TagFacts {
            name: &[],
            self_closing: false,
            marked: false,
        };
        if role != Role::Plain {
            self.tree.start(Namespace::Html, role, facts);
        }
        Passed::By(length)
    }
}

/// What became of a tag.
enum Passed {
    /// It is as long as this and holds nothing.
    By(usize),
    /// It was read and may hold something.
    Read,
    /// It is unusual.
    Not,
}

/// Whether the `<` at `at` begins a tag.
#[inline(always)]
fn begins_tag(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at + 1) {
        Some(b'/') => bytes.get(at + 2).is_some_and(u8::is_ascii_alphabetic),
        Some(byte) => byte.is_ascii_alphabetic(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::Charset;
    use crate::markup::html::HtmlSettings;
    use crate::markup::slot::{Step, Syntax, Tokenizer};
    use proptest::prelude::*;

    /// What is answered of a page that comes in pieces of `chunk` bytes: attributes with their
    /// values, and runs of text.
    fn answers(page: &str, chunk: usize, text_bytes: TextBytes) -> Vec<String> {
        let settings = HtmlSettings {
            text_bytes,
            ..HtmlSettings::default()
        };
        let mut tokenizer = HtmlTokenizer::new(&settings);
        let (mut end, mut cursor, mut found) = (0, 0, Vec::new());
        loop {
            let window = Window {
                bytes: &page.as_bytes()[..end],
                last: end == page.len(),
                charset: Charset::UTF_8,
            };
            match tokenizer.step(window, &mut cursor) {
                Step::Slot(slot) => {
                    let value = String::from_utf8_lossy(&window.bytes[slot.range.clone()]);
                    if slot.syntax != Syntax::Text || slot.run.begins {
                        let range = slot.range.start;
                        let place = (slot.place.element, slot.place.name, slot.syntax);
                        found.push(format!("{range} {place:?} {value}"));
                    } else if let Some(text) = found.last_mut() {
                        text.push_str(&value);
                    }
                }
                Step::TooLong(..) => {}
                Step::NeedMore => end = page.len().min(end + chunk),
                Step::End => return found,
            }
        }
    }

    fn soup() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "<a",
            "<p",
            "<DIV",
            "<td",
            "<svg",
            "</svg",
            "<style",
            "<script",
            "<title",
            "<code",
            "<x-y",
            "<base",
            "<meta",
            "<font",
            "<foreignObject",
            "<table",
            "<a href=x>",
            "<img src='y'>",
            "</a>",
            "</p>",
            "</title>",
            "</style>",
            "</script>",
            "</code>",
            "</td>",
            "</",
            "<",
            "<!--",
            "-->",
            "<!",
            ">",
            "/>",
            "/",
            " ",
            "\n",
            "=",
            "\"",
            "'",
            "href",
            "HREF",
            "class",
            "src",
            "style",
            "itemprop",
            " href=\"z\"",
            " class='c'",
            " src=u",
            " style=\"a:url(b)\"",
            " id",
            " data-href-long=1",
            "=\"",
            "\0",
            "\x01",
            "é",
            "text ",
            "a.b",
            ":",
            ". ",
            "&amp;",
            "&#46;",
            "\x0C",
            "\t",
        ]);
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        /// In a window that grows byte by byte no tag is whole when it is met: all are read the long
        /// way.
        #[test]
        fn the_quick_way_answers_what_the_long_way_does(page in soup()) {
            let long = answers(&page, 1, TextBytes::ALL);
            prop_assert_eq!(&answers(&page, page.len().max(1), TextBytes::ALL), &long);
            prop_assert_eq!(&answers(&page, 13, TextBytes::ALL), &long);
        }
    }

    #[test]
    fn text_without_its_bytes_is_left_out() {
        let bytes = TextBytes::of([
            (b'.', When::Followed),
            (b'&', When::Reference),
            (0xE3, When::Always),
        ]);
        for (text, expected) in [
            ("no", 0),
            ("An end.", 0),
            ("Two. Ends.\n", 0),
            ("a.b", 1),
            ("Of eight bytes and more, the last is a.b", 1),
            ("x &amp; y&nbsp;z", 0),
            ("&#46;", 1),
            ("a&period;b", 1),
            ("。", 1),
            ("é", 0),
        ] {
            let page = format!("<p>{text}</p>");
            assert_eq!(answers(&page, page.len(), bytes).len(), expected, "{text}");
        }
    }
}

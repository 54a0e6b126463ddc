//! The quick way over what pages are made of: short whole tags and the text between them. Whatever is
//! unusual is left to the [`Lexer`](super::lexer::Lexer), from where it begins.

use super::tree::TagFacts;
use super::{HtmlTokenizer, Role, Run};
use super::{swar, tag};
use crate::ascii::{is_safe, is_space};
use crate::markup::slot::Window;
use crate::markup::vocabulary::{ElementId, Filter, Namespace, letters_key, tag_key};
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
    /// Those that do and `<`, and maybe some others, if they are few.
    needles: Option<swar::Needles>,
}

/// When a byte makes a run of text worth answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum When {
    /// Wherever it stands.
    Always = 1,
    /// If a letter, a digit, `+`, `-` or `;` is before it, or what is not ASCII, and neither white space nor the end of
    /// the run behind it.
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
        let known = (0..=255_u8).filter(|&byte| marks[usize::from(byte)] != 0);
        let needles = swar::Needles::of(known);
        TextBytes { marks, needles }
    }

    /// The first byte from `at` on that may have a mark.
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
    pub(in crate::markup) fn next(&self, bytes: &[u8], mut at: usize) -> Option<usize> {
        let start = at;
        loop {
            at = self.marked(bytes, at)?;
            let mark = self.marks[usize::from(*bytes.get(at)?)];
            if mark == END || mark != 0 && self.counts(bytes, at, start) {
                return Some(at);
            }
            at += 1;
        }
    }

    /// Whether the marked byte at `at`, in a run that begins at `start`, has the neighbours that it needs.
    #[inline]
    fn counts(&self, bytes: &[u8], at: usize, start: usize) -> bool {
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        match self.marks[usize::from(bytes[at])] {
            FOLLOWED => {
                let before = at > start && bytes.get(at - 1).is_some_and(|&byte| ends_word(byte));
                before && !is_space(next) && next != b'<'
            }
            // Of the names, `colon` and `period` are such.
            REFERENCE => matches!(next, b'#' | b'c' | b'p'),
            _ => true,
        }
    }
}

/// Whether a byte may end a word or a reference.
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

impl HtmlTokenizer {
    /// Passes over tags and text that hold no slots, in markup outside foreign content.
    #[inline]
    pub(super) fn skim(&mut self, window: Window<'_>, cursor: &mut usize) -> Skim {
        if !self.lexer.is_in_data() || self.was_foreign {
            return Skim::Rest;
        }
        let bytes = window.bytes;
        let mut wants_text = self.wants_text();
        loop {
            let Some(wanted) = self.skim_text(bytes, *cursor, wants_text) else {
                return Skim::Rest;
            };
            if bytes.get(wanted) != Some(&b'<') {
                return match wanted_text(bytes, *cursor..wanted) {
                    Some(range) => {
                        *cursor = range.end;
                        Skim::Text(range, Run::WHOLE)
                    }
                    None => Skim::Rest,
                };
            }
            let (end, role) = match self.skim_tag(bytes, wanted) {
                Passed::To(end, role) => (end, role),
                Passed::Text => return Skim::Rest,
                Passed::Not => {
                    *cursor = wanted;
                    return Skim::Rest;
                }
                Passed::Read(element) => {
                    *cursor = wanted;
                    self.skimmed_tag(element, window, wanted);
                    return Skim::Tag;
                }
            };
            *cursor = end;
            if role != Role::Plain {
                wants_text = self.wants_text();
            }
        }
    }

    /// The next `<` from `at` on, or a byte before it that makes text worth answering.
    #[inline(always)]
    fn skim_text(&self, bytes: &[u8], at: usize, wants_text: bool) -> Option<usize> {
        match bytes.get(at)? {
            b'<' => Some(at),
            _ if wants_text => self.text_bytes.next(bytes, at),
            _ => swar::find(bytes, at, b'<'),
        }
    }

    /// The tag at `tag`, if there is one.
    #[inline(always)]
    fn skim_tag(&mut self, bytes: &[u8], tag: usize) -> Passed {
        let whole = swar::word(bytes, tag).and_then(tag_key);
        let whole = whole.and_then(|key| self.vocabulary.whole_tag(key));
        if let Some(&whole) = whole.filter(|whole| whole.role != Role::Media) {
            if whole.role != Role::Plain {
                self.pass_whole_tag(whole.role, whole.closing);
            }
            return Passed::To(tag + usize::from(whole.length), whole.role);
        }
        if !begins_tag(bytes, tag) {
            return Passed::Text;
        }
        match self.skim_longer_tag(bytes, tag) {
            // The lexer goes by the limit.
            Passed::To(end, _) if end - tag > self.lexer.limit() => Passed::Not,
            passed => passed,
        }
    }

    #[inline]
    fn pass_whole_tag(&mut self, role: Role, closing: bool) {
        match closing {
            // Only media elements are told apart by their names, and they are not passed here.
            true => self.tree.end_html(role, b""),
            false => self.tree.start(Namespace::Html, role, NO_FACTS),
        }
    }

    /// The tag that begins at `tag`.
    #[inline(always)]
    fn skim_longer_tag(&mut self, bytes: &[u8], tag: usize) -> Passed {
        let Some(word) = swar::word(bytes, tag + 1) else {
            return Passed::Not;
        };
        let [first, ..] = word.to_le_bytes();
        let closing = first == b'/';
        let (key, bits) = letters_key(if closing { word >> 8 } else { word });
        let at = tag + 1 + usize::from(closing) + (bits / 8) as usize;
        let behind = bytes.get(at);
        match (self.vocabulary.element_by_letters(key), behind) {
            (Some(element), Some(b'>')) if closing => {
                let role = self.vocabulary.role(element);
                let name = bytes.get(tag + 2..at).unwrap_or_default();
                self.tree.end_html(role, name);
                Passed::To(at + 1, role)
            }
            (Some(element), Some(b'>' | b' ')) if !closing => {
                self.skim_start(bytes, tag, at, element)
            }
            _ => self.skim_unusual(bytes, tag, closing),
        }
    }

    /// The tag at `tag`, whatever its name.
    #[inline(never)]
    fn skim_unusual(&mut self, bytes: &[u8], tag: usize, closing: bool) -> Passed {
        let start = tag + 1 + usize::from(closing);
        let at = tag::name_end(bytes, start);
        let name = bytes.get(start..at).unwrap_or_default();
        let element = self.vocabulary.element(Namespace::Html, name);
        match bytes.get(at) {
            Some(b'>') if closing => {
                let role = self.vocabulary.role(element);
                self.tree.end_html(role, name);
                Passed::To(at + 1, role)
            }
            Some(_) if !closing => self.skim_start(bytes, tag, at, element),
            _ => Passed::Not,
        }
    }

    /// The start tag at `tag`, whose name ends at `at`.
    #[inline(always)]
    fn skim_start(&mut self, bytes: &[u8], tag: usize, at: usize, element: ElementId) -> Passed {
        let role = self.vocabulary.role(element);
        let filter = self.vocabulary.filter(element);
        let end = match skim_attributes(bytes, at, filter) {
            Some(end) if role.is_transparent() => end,
            _ => {
                let held = bytes.get(tag..).unwrap_or_default();
                let held = held.get(..self.lexer.limit()).unwrap_or(held);
                let read = &mut self.lexer.tag;
                let Some(suspect) = read.scan_plain(held, at - tag, filter) else {
                    return Passed::Not;
                };
                if suspect || !role.is_transparent() {
                    self.lexer.begin_skimmed();
                    return Passed::Read(element);
                }
                tag + read.at
            }
        };
        if role != Role::Plain {
            self.tree.start(Namespace::Html, role, NO_FACTS);
        }
        Passed::To(end, role)
    }
}

/// What is to be known of a tag whose element's role is transparent.
const NO_FACTS: TagFacts<'_> = TagFacts {
    name: &[],
    self_closing: false,
    marked: false,
};

/// What became of a tag.
enum Passed {
    /// It holds nothing and ends here; what its element means.
    To(usize, Role),
    /// It was read, is one of this element and may hold something.
    Read(ElementId),
    /// It is unusual.
    Not,
    /// It is none.
    Text,
}

/// The text before the next tag without the white space it begins with, and of which all up to the end of `begin` is text.
/// `None` when no tag ends it.
#[inline]
fn wanted_text(bytes: &[u8], begin: Range<usize>) -> Option<Range<usize>> {
    let tag = begin.end + memchr(b'<', bytes.get(begin.end..)?)?;
    let text = bytes.get(begin.start..tag)?;
    let blank = text.iter().position(|&b| !is_space(b))?;
    begins_tag(bytes, tag).then_some(begin.start + blank..tag)
}

/// The end of a start tag whose name ends at `at`, if no attribute of it passes the filter and all are written as they
/// mostly are; else `None`.
#[inline(always)]
fn skim_attributes(bytes: &[u8], mut at: usize, filter: &Filter) -> Option<usize> {
    loop {
        let mut byte = *bytes.get(at)?;
        if byte == b' ' {
            at += 1;
            byte = *bytes.get(at)?;
        }
        if byte == b'>' {
            return Some(at + 1);
        }
        let word = swar::word(bytes, at)?;
        let (key, bits) = letters_key(word);
        if !(8..64).contains(&bits) || filter.passes(key) {
            return None;
        }
        at += (bits / 8) as usize;
        match *bytes.get(at)? {
            b'=' => {
                let quote = *bytes.get(at + 1)?;
                if !matches!(quote, b'"' | b'\'') {
                    return None;
                }
                at = swar::find(bytes, at + 2, quote)? + 1;
                if !matches!(bytes.get(at)?, b' ' | b'>') {
                    return None;
                }
            }
            b' ' | b'>' => {}
            _ => return None,
        }
    }
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
            (b':', When::Followed),
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
            ("::", 0),
            (" .b (.c", 0),
            ("8>8.", 0),
            ("a+:b", 1),
            ("é.b", 1),
            ("&gt;.b", 1),
        ] {
            let page = format!("<p>{text}</p>");
            assert_eq!(answers(&page, page.len(), bytes).len(), expected, "{text}");
        }
    }
}

//! The quick way over what pages are made of: short whole tags and the text between them. Whatever is
//! unusual is left to the [`Lexer`](super::lexer::Lexer), from where it begins.

use super::attributes::Pending;
use super::tree::TagFacts;
use super::{HtmlTokenizer, Role, Run};
use super::{swar, tag};
use crate::ascii::{is_safe, is_space};
use crate::markup::escape::Quote;
use crate::markup::slot::{Syntax, Window};
use crate::markup::vocabulary::{
    ElementId, Holds, Namespace, Verdict, letters_key, tag_key, word_key,
};
use memchr::{memchr, memchr2};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

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
#[derive(Clone, Debug)]
pub struct TextBytes {
    /// For each byte, when it counts; 0: never.
    marks: [u8; 256],
    /// What stands behind a byte that counts as the begin of a character.
    second: u8,
    judge: Option<Judge>,
    /// Those that do and `<`, and maybe some others, if they are few.
    needles: Option<swar::Needles>,
}

/// Has the last word on a byte that counts: it is shown the text from the begin of the run on (and what is behind the run)
/// and where in it the byte stands.
#[derive(Clone)]
pub struct Judge(Arc<dyn Fn(&[u8], usize) -> bool + Send + Sync>);

impl Judge {
    /// A judge that answers whether the byte counts.
    pub fn new(counts: impl Fn(&[u8], usize) -> bool + Send + Sync + 'static) -> Self {
        Judge(Arc::new(counts))
    }
}

impl fmt::Debug for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Judge")
    }
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
/// The mark of the byte that begins a character which counts.
const CHARACTER: u8 = 5;
const FOLLOWED: u8 = When::Followed as u8;
const REFERENCE: u8 = When::Reference as u8;

impl TextBytes {
    /// Any byte will do but white space.
    pub const ALL: TextBytes = TextBytes {
        marks: with_ends([When::Always as u8; 256]),
        second: 0,
        judge: None,
        needles: None,
    };

    /// These bytes, and a character beyond ASCII (its bytes, or nothing).
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
        let needles = swar::Needles::of(known);
        TextBytes {
            marks,
            second,
            judge: None,
            needles,
        }
    }

    /// The same bytes, where a judge says so.
    pub fn judged(self, judge: Judge) -> Self {
        TextBytes {
            judge: Some(judge),
            ..self
        }
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
    fn next(&self, bytes: &[u8], mut at: usize) -> Option<usize> {
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
        self.may_count(bytes, at, start)
            && match (&self.judge, bytes.get(start..)) {
                (Some(Judge(judge)), Some(run)) => judge(run, at - start),
                _ => true,
            }
    }

    /// The same for its next neighbours alone.
    #[inline]
    fn may_count(&self, bytes: &[u8], at: usize, start: usize) -> bool {
        let next = bytes.get(at + 1).copied().unwrap_or(b' ');
        match self.marks[usize::from(bytes[at])] {
            FOLLOWED => {
                let before = at > start && bytes.get(at - 1).is_some_and(|&byte| ends_word(byte));
                before && !is_space(next) && next != b'<'
            }
            // Of the names, `colon` and `period` are such.
            REFERENCE => matches!(next, b'#' | b'c' | b'p'),
            CHARACTER => next == self.second,
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
                Passed::Slots(end) => {
                    *cursor = wanted;
                    self.moved = Some(0);
                    self.lexer.begin_skimmed();
                    self.lexer.tag.at = end - wanted;
                    return Skim::Tag;
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
        self.skim_longer_tag(bytes, tag)
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
            // The lexer goes by the limit.
            Some(b'>') if at + 1 - tag > self.lexer.limit() => Passed::Not,
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
        let limit = bytes.len().min(tag + self.lexer.limit());
        let bytes = bytes.get(..limit).unwrap_or(bytes);
        let skimmed = match role.is_transparent() || role == Role::Anchor {
            true => self.skim_attributes(bytes, tag, at, element),
            false => None,
        };
        let Some(skimmed) = skimmed else {
            return self.skim_closely(bytes, tag, at, element);
        };
        if role != Role::Plain {
            let facts = TagFacts {
                marked: skimmed.has_href,
                ..NO_FACTS
            };
            self.tree.start(Namespace::Html, role, facts);
        }
        match skimmed.slots {
            true => Passed::Slots(skimmed.end),
            false => Passed::To(skimmed.end, role),
        }
    }

    /// The same, attribute by attribute.
    #[inline(never)]
    fn skim_closely(&mut self, bytes: &[u8], tag: usize, at: usize, element: ElementId) -> Passed {
        let role = self.vocabulary.role(element);
        let held = bytes.get(tag..).unwrap_or_default();
        let read = &mut self.lexer.tag;
        let filter = self.vocabulary.filter(element);
        let Some(suspect) = read.scan_plain(held, at - tag, filter) else {
            return Passed::Not;
        };
        let end = tag + read.at;
        if suspect || !role.is_transparent() {
            self.lexer.begin_skimmed();
            return Passed::Read(element);
        }
        if role != Role::Plain {
            self.tree.start(Namespace::Html, role, NO_FACTS);
        }
        Passed::To(end, role)
    }

    /// The attributes of a start tag outside foreign content whose name ends at `at`, if they are written as they mostly are and
    /// are slots or none whatever else the tag says; else `None`.
    #[inline(always)]
    fn skim_attributes(
        &mut self,
        bytes: &[u8],
        tag: usize,
        mut at: usize,
        element: ElementId,
    ) -> Option<Skimmed> {
        let filter = *self.vocabulary.filter(element);
        let (mut has_href, mut asked) = (false, false);
        loop {
            let mut byte = *bytes.get(at)?;
            while is_space(byte) {
                at += 1;
                byte = *bytes.get(at)?;
            }
            let ends = match byte {
                b'>' => 1,
                b'/' if bytes.get(at + 1) == Some(&b'>') => 2,
                _ => 0,
            };
            if ends > 0 {
                return Some(Skimmed {
                    end: at + ends,
                    has_href,
                    slots: asked && !self.pending.is_empty(),
                });
            }
            let name = plain_name(bytes, at)?;
            has_href |= name.key == HREF;
            let (value, next) = plain_value(bytes, name.end)?;
            if filter.passes(name.key) {
                if !asked {
                    asked = true;
                    self.begin_attributes();
                    self.moved = None;
                }
                let name = Named { at, ..name };
                self.ask(bytes, tag, element, name, value)?;
            }
            at = next;
        }
    }

    /// Adds the slot that an attribute is; `None` when that depends on the tag.
    #[inline(never)]
    fn ask(
        &mut self,
        bytes: &[u8],
        tag: usize,
        element: ElementId,
        name: Named,
        (value, quote): (Range<usize>, Option<Quote>),
    ) -> Option<()> {
        let id = match name.letters {
            true => self.vocabulary.attribute_by_letters(name.key),
            false => self.vocabulary.attribute(bytes.get(name.at..name.end)?),
        };
        let Some(id) = id else {
            return (!self.vocabulary.has_prefixes()).then_some(());
        };
        if self.seen.contains(&id) {
            return Some(());
        }
        self.seen.push(id);
        match self.vocabulary.verdict(element, id) {
            Verdict::Nothing => Some(()),
            Verdict::Colon => memchr2(b':', b'&', bytes.get(value)?)
                .is_none()
                .then_some(()),
            Verdict::Slot(Holds {
                syntax: Syntax::Base,
                ..
            })
            | Verdict::Unsure => None,
            // Places want its name.
            Verdict::Slot(_) if self.vocabulary.element_name(element).is_none() => None,
            Verdict::Slot(holds) => {
                let value = value.start - tag..value.end - tag;
                let bytes = bytes.get(tag..)?;
                let place = || self.place_of(element, id, bytes);
                let pending = Pending::new(holds, value, quote, bytes, place);
                self.pending.extend(pending);
                Some(())
            }
        }
    }

    /// A whole start tag that was read closely, outside foreign content.
    fn skimmed_tag(&mut self, element: ElementId, window: Window<'_>, cursor: usize) {
        self.begin_attributes();
        self.closing = false;
        let bytes = window.bytes.get(cursor..).unwrap_or_default();
        let name = bytes.get(self.lexer.tag.name.clone()).unwrap_or_default();
        let facts = TagFacts {
            name,
            self_closing: self.lexer.tag.self_closing,
            marked: self.is_marked(name, bytes, window.charset),
        };
        self.open_element(element, facts, bytes, window.charset);
        if self.tree.is_foreign() {
            self.follow_foreign();
        }
    }
}

/// A start tag that was skimmed.
struct Skimmed {
    end: usize,
    has_href: bool,
    /// Whether it has slots, which are pending.
    slots: bool,
}

/// The name of an attribute.
struct Named {
    at: usize,
    end: usize,
    /// What filters know it by.
    key: u64,
    /// Whether it has up to seven letters, so that the key is all of it.
    letters: bool,
}

/// The key of `href`.
const HREF: u64 = u64::from_le_bytes(*b"href\0\0\0\0");

/// The name at `at` of an attribute; `None` when it is written unusually, or may be that of a link in another namespace.
#[inline(always)]
fn plain_name(bytes: &[u8], at: usize) -> Option<Named> {
    let word = swar::word(bytes, at)?;
    let (key, bits) = letters_key(word);
    if (8..64).contains(&bits) {
        let end = at + (bits / 8) as usize;
        if matches!(bytes.get(end)?, b'=' | b' ' | b'>') {
            let letters = true;
            return Some(Named {
                at,
                end,
                key,
                letters,
            });
        }
    }
    longer_name(bytes, at, word)
}

#[inline(never)]
fn longer_name(bytes: &[u8], at: usize, word: u64) -> Option<Named> {
    let length = swar::name_length(word);
    let key = word_key(word, length);
    let end = match length {
        0 => return None,
        8 => tag::attribute_name_end(bytes, at + 8),
        _ => at + length,
    };
    let foreign = key == u64::from_le_bytes(*b"xlink:hr");
    let letters = false;
    (!foreign).then_some(Named {
        at,
        end,
        key,
        letters,
    })
}

/// The value behind a name that ends at `at`, and where to read on.
#[inline(always)]
fn plain_value(bytes: &[u8], at: usize) -> Option<((Range<usize>, Option<Quote>), usize)> {
    match *bytes.get(at)? {
        b'=' => {}
        byte if is_space(byte) || byte == b'>' => return Some(((at..at, None), at)),
        _ => return None,
    }
    let quote = match *bytes.get(at + 1)? {
        b'"' => Quote::Double,
        b'\'' => Quote::Single,
        _ => return bare_value(bytes, at + 1),
    };
    let start = at + 2;
    let end = swar::find(bytes, start, *bytes.get(at + 1)?)?;
    let behind = *bytes.get(end + 1)?;
    let usual = matches!(behind, b' ' | b'>' | b'/' | b'\n' | b'\r' | b'\t');
    usual.then_some(((start..end, Some(quote)), end + 1))
}

/// A value without quotes.
#[inline(never)]
fn bare_value(bytes: &[u8], at: usize) -> Option<((Range<usize>, Option<Quote>), usize)> {
    let rest = bytes.get(at..)?;
    let length = rest.iter().position(|&b| is_space(b) || b == b'>')?;
    let value = at..at + length;
    (length > 0).then_some(((value, Some(Quote::Unquoted)), at + length))
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
    /// It ends here and has slots, which are pending.
    Slots(usize),
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
                        let place = (&slot.place.element, &slot.place.name, slot.syntax);
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
            " rel='nofollow'",
            " rel=\"http://r.example/\"",
            " REL='a&colon;b'",
            " href='1' href='2'",
            " href=''",
            " href",
            " xlink:href='3'",
            " ping=\"p q\"",
            "\nsrc='4'",
            " http-equiv='refresh'",
            " content='0;url=5'",
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
        let ascii = [
            (b':', When::Followed),
            (b'.', When::Followed),
            (b'&', When::Reference),
        ];
        let bytes = TextBytes::of(ascii, "。".as_bytes());
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
            ("かな", 0),
            ("é", 0),
            ("::", 0),
            (" .b (.c", 0),
            ("8>8.", 0),
            ("a+:b", 1),
            ("é.b", 1),
            ("&gt;.b", 1),
        ] {
            let page = format!("<p>{text}</p>");
            let found = answers(&page, page.len(), bytes.clone());
            assert_eq!(found.len(), expected, "{text}");
        }
    }

    #[test]
    fn a_judge_has_the_last_word_on_text() {
        let of = |text: &str| {
            let judge = Judge::new(|run, at| run[..at].ends_with(b"yes"));
            let bytes = TextBytes::of([(b'.', When::Followed)], &[]).judged(judge);
            let page = format!("<p>{text}</p>");
            answers(&page, page.len(), bytes).len()
        };
        assert_eq!(of("yes.no"), 1);
        assert_eq!(of("no.yes"), 0);
        assert_eq!(of("no.yes.no"), 1);
        assert_eq!(of("yes. no"), 0);
    }
}

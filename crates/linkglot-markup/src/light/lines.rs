//! Light markup that is read line by line: wikitext, AsciiDoc, Org, Textile.
//!
//! No link goes over a line break, so each line is a slot. The state in front of a line (a comment, a block of code) is
//! all that the lines before it decide: documents are read in pieces. A line is read again with the same state, and an
//! edit may not change the state behind it.

mod asciidoc;
mod org;
mod reader;
mod textile;
mod wikitext;

use super::piece::{CODE, Piece, link_place};
use crate::escape::Escaping;
use crate::html::HtmlTokenizer;
pub use crate::line_state::LineState;
use crate::line_state::Lines;
use crate::settings::{CommentSlots, TextSlots};
use crate::slot::{Access, Run, SharedPlace, Slot, Step, Syntax, Tokenizer, Window};
use reader::Sink;
use std::ops::Range;

/// The name of the place of a line that is too long to be read.
#[doc(hidden)]
pub const LINE: &str = "line";

/// The parts of light markup that are read beside its text and its links.
///
/// ```
/// use linkglot_markup::light::LineSettings;
/// use linkglot_markup::{CommentSlots, TextSlots};
///
/// let all = LineSettings { comments: CommentSlots::All, text: TextSlots::All };
/// assert_ne!(all, LineSettings::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineSettings {
    /// Comments are read with [`CommentSlots::All`].
    pub comments: CommentSlots,
    /// Code is read with [`TextSlots::Code`], code and the text of links with [`TextSlots::All`].
    pub text: TextSlots,
}

impl LineSettings {
    /// True if code is read.
    pub(super) fn reads_code(self) -> bool {
        matches!(self.text, TextSlots::Code | TextSlots::All)
    }
}

impl Default for LineSettings {
    fn default() -> Self {
        LineSettings {
            comments: CommentSlots::None,
            text: TextSlots::Prose,
        }
    }
}

impl LineState {
    /// The state behind a line without its line break. O(length).
    ///
    /// ```
    /// use linkglot_markup::light::LineState;
    ///
    /// let inside = LineState::WIKITEXT.behind("<nowiki>");
    /// assert_eq!(inside.behind("</nowiki>"), LineState::WIKITEXT);
    /// ```
    pub fn behind(self, line: &str) -> LineState {
        let mut none = |_: Piece<'_>| {};
        let mut sink = Sink::new(line, LineSettings::default(), None, &mut none);
        self.line(0..line.len(), &mut sink)
    }

    /// The pieces of a text of one or more lines. O(length).
    ///
    /// ```
    /// use linkglot_markup::HtmlTokenizer;
    /// use linkglot_markup::light::{LineSettings, LineState};
    ///
    /// let mut starts = Vec::new();
    /// let mut each = |piece: linkglot_markup::light::Piece<'_>| starts.push(piece.start());
    /// let settings = LineSettings::default();
    /// LineState::WIKITEXT.for_each_piece("a\n[//b c] d", settings, &HtmlTokenizer::default, &mut each);
    /// assert_eq!(starts, [0, 3, 9]);
    /// ```
    pub fn for_each_piece<'t>(
        self,
        text: &'t str,
        settings: LineSettings,
        html: &dyn Fn() -> HtmlTokenizer,
        each: &mut dyn FnMut(Piece<'t>),
    ) {
        let mut sink = Sink::new(text, settings, Some(html), each);
        let (mut state, mut at) = (self, 0);
        while at < text.len() {
            let rest = &text.as_bytes()[at..];
            let end = line_end(rest).unwrap_or(rest.len());
            let next = rest.len().min(end + break_length(&rest[end..]));
            state = state.facing(&rest[next..]);
            state = state.line(at..at + end, &mut sink);
            at += next;
        }
    }

    /// True if a new text of a link of a line gets marks that the format reads before links, or none of which is a
    /// part of the link: of formatting, of replacements. The texts beside the link have at least [`LineState::AROUND`]
    /// bytes, or end with the line. O(length).
    ///
    /// ```
    /// use linkglot_markup::light::LineState;
    ///
    /// let adds = |old, new| LineState::ASCIIDOC.adds_marks(("a ", " b"), old, new);
    /// assert!(adds("http://a.example/", "http://xn--a.example/"));
    /// assert!(!adds("http://a.example/", "http://b.example/a_b"));
    /// ```
    pub fn adds_marks(self, around: (&str, &str), old: &str, new: &str) -> bool {
        match self.0 {
            Lines::AsciiDoc(_) => asciidoc::adds_marks(around, old, new),
            Lines::Textile(_) => textile::adds_marks(around, old, new),
            Lines::Wikitext(_) | Lines::Org(_) => false,
        }
    }

    /// The number of bytes beside a link that decide about marks.
    pub const AROUND: usize = asciidoc::AROUND;

    /// The state with the beginning of the line behind the next one, as far as it decides about the next one.
    fn facing(self, below: &[u8]) -> LineState {
        LineState(match self.0 {
            Lines::AsciiDoc(state) => Lines::AsciiDoc(asciidoc::facing(state, below)),
            state => state,
        })
    }

    /// The state in which the lines of a listing are running text.
    fn as_text(self) -> LineState {
        LineState(match self.0 {
            Lines::AsciiDoc(state) => Lines::AsciiDoc(asciidoc::as_text(state)),
            Lines::Org(state) => Lines::Org(org::as_text(state)),
            state => state,
        })
    }

    fn line(self, range: Range<usize>, sink: &mut Sink<'_, '_>) -> LineState {
        LineState(match self.0 {
            Lines::Wikitext(state) => Lines::Wikitext(wikitext::line(state, range, sink)),
            Lines::AsciiDoc(state) => Lines::AsciiDoc(asciidoc::line(state, range, sink)),
            Lines::Org(state) => Lines::Org(org::line(state, range, sink)),
            Lines::Textile(state) => Lines::Textile(textile::line(state, range, sink)),
        })
    }
}

/// The most bytes of the line below that decide about a line.
const BELOW: usize = 2;

/// The position of the first line break.
fn line_end(bytes: &[u8]) -> Option<usize> {
    memchr::memchr2(b'\n', b'\r', bytes)
}

/// The length of the line break at the beginning of bytes.
fn break_length(bytes: &[u8]) -> usize {
    1 + usize::from(bytes.starts_with(b"\r\n"))
}

/// The tokenizer of light markup that is read line by line: each line is a slot, and so is each program in a language
/// that is known. Lines longer than `max_slot` are skipped, and longer programs are read line by line.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::light::{LineState, LineTokenizer};
/// use linkglot_markup::Slots;
///
/// let tokenizer = LineTokenizer::new(LineState::WIKITEXT, 1 << 20);
/// let slots = Slots::new(tokenizer, b"a [//b c]\nd", Charset::UTF_8);
/// assert!(slots.map(|slot| slot.range).eq([0..9, 10..11]));
/// ```
#[derive(Debug)]
pub struct LineTokenizer {
    state: LineState,
    max_slot: usize,
    /// True if programs are read.
    reads_code: bool,
    /// Bytes of the line or the program that were searched for its end.
    read: usize,
    /// True within a line that is too long.
    is_skipping: bool,
}

impl LineTokenizer {
    /// A tokenizer at the beginning of a document, which `state` is in front of.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::light::{LineState, LineTokenizer};
    /// use linkglot_markup::Slots;
    ///
    /// let tokenizer = LineTokenizer::new(LineState::WIKITEXT, 4);
    /// assert_eq!(Slots::new(tokenizer, b"12345\n1234\n", Charset::UTF_8).count(), 1);
    /// ```
    pub fn new(state: LineState, max_slot: usize) -> Self {
        LineTokenizer {
            state,
            max_slot,
            reads_code: false,
            read: 0,
            is_skipping: false,
        }
    }

    /// Reads programs if `settings` read code.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::light::{LineSettings, LineState, LineTokenizer};
    /// use linkglot_markup::{Slots, Syntax, TextSlots};
    ///
    /// let settings = LineSettings { text: TextSlots::Code, ..LineSettings::default() };
    /// let tokenizer = LineTokenizer::new(LineState::ORG, 1 << 20).settings(settings);
    /// let mut slots = Slots::new(tokenizer, b"#+BEGIN_SRC js\na\nb\n#+END_SRC", Charset::UTF_8);
    /// assert!(slots.any(|slot| matches!(slot.syntax, Syntax::Script(_)) && slot.range == (15..19)));
    /// ```
    #[must_use]
    pub fn settings(mut self, settings: LineSettings) -> Self {
        self.reads_code = settings.reads_code();
        self
    }

    /// Reads the program at the cursor. The answer is `None` if its lines are read one by one.
    fn listing(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let language = self.state.listing()?;
        let start = *cursor;
        let found = self.listing_end(window, start);
        if let ListingEnd::Unknown(read) = found {
            self.read = read;
            return Some(Step::NeedMore);
        }
        self.read = 0;
        self.state = self.state.as_text();
        let ListingEnd::At(end) = found else {
            return None;
        };
        let is_program = language.is_program(&window.bytes[start..end]);
        if end == start || !is_program || !self.reads_code {
            return None;
        }
        *cursor = end;
        Some(Step::Slot(Slot {
            range: start..end,
            escaping: Escaping::None,
            syntax: Syntax::Script(language),
            place: SharedPlace::fixed(&CODE),
            access: Access::Rewrite,
            run: Run::WHOLE,
        }))
    }

    /// The end of the program that begins at `start`, whose first lines have been read.
    fn listing_end(&self, window: Window<'_>, start: usize) -> ListingEnd {
        let mut at = start + self.read;
        loop {
            let rest = &window.bytes[at..];
            let found = line_end(rest);
            let length = found.unwrap_or(rest.len());
            if at - start > self.max_slot || length > self.max_slot {
                return ListingEnd::TooLong;
            }
            let is_whole = found.is_some_and(|end| rest[end] == b'\n' || rest.len() > end + 1);
            if !is_whole && !window.last {
                return ListingEnd::Unknown(at - start);
            }
            let line = window.charset.decode(&rest[..length]);
            if rest.is_empty() || self.state.behind(&line) != self.state {
                return ListingEnd::At(at);
            }
            at += length + found.map_or(0, |end| break_length(&rest[end..]));
        }
    }

    /// The length of the line that begins at the cursor, and of its line break; `None` if a longer window tells.
    fn line(&mut self, window: Window<'_>, cursor: usize) -> Option<(usize, usize)> {
        let rest = &window.bytes[cursor..];
        let found = line_end(&rest[self.read..]).map(|end| self.read + end);
        match found {
            Some(end) if window.last || rest[end] == b'\n' || rest.len() > end + 1 => {
                self.read = 0;
                Some((end, break_length(&rest[end..])))
            }
            Some(end) => {
                self.read = end;
                None
            }
            None if window.last => {
                self.read = 0;
                Some((rest.len(), 0))
            }
            None => {
                self.read = rest.len();
                None
            }
        }
    }

    /// Skips the rest of a line that is too long. True once it is skipped.
    fn skip(&mut self, window: Window<'_>, cursor: &mut usize) -> bool {
        let Some((length, line_break)) = self.line(window, *cursor) else {
            *cursor += self.read;
            self.read = 0;
            return false;
        };
        *cursor += length + line_break;
        self.is_skipping = false;
        true
    }
}

/// The end of a program in light markup.
enum ListingEnd {
    /// The beginning of the line that ends the program, or the end of the document.
    At(usize),
    TooLong,
    /// A longer window tells. So many bytes of the program are whole lines.
    Unknown(usize),
}

impl Tokenizer for LineTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        *cursor = (*cursor).min(window.bytes.len());
        loop {
            if *cursor == window.bytes.len() && window.last {
                return Step::End;
            }
            if self.is_skipping {
                if !self.skip(window, cursor) {
                    return Step::NeedMore;
                }
                continue;
            }
            if let Some(step) = self.listing(window, cursor) {
                return step;
            }
            let start = *cursor;
            let Some((length, line_break)) = self.line(window, start) else {
                if self.read <= self.max_slot {
                    return Step::NeedMore;
                }
                self.is_skipping = true;
                return Step::TooLong(start, link_place(LINE));
            };
            let below = &window.bytes[start + length + line_break..];
            if below.len() < BELOW && !window.last {
                return Step::NeedMore;
            }
            self.state = self.state.facing(below);
            if length > self.max_slot {
                *cursor += length + line_break;
                return Step::TooLong(start, link_place(LINE));
            }
            *cursor += length + line_break;
            if length == 0 {
                self.state = self.state.behind("");
                continue;
            }
            let range = start..start + length;
            let syntax = Syntax::Lines(self.state);
            self.state = self
                .state
                .behind(&window.charset.decode(&window.bytes[range.clone()]));
            return Step::Slot(Slot {
                range,
                escaping: Escaping::None,
                syntax,
                place: SharedPlace::TEXT,
                access: Access::Rewrite,
                run: Run::WHOLE,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Answer, Document};
    use linkglot_charset::Charset;

    /// The slots of a document with a limit of 16 bytes, in every cut: programs, and the number of lines.
    fn slots(state: LineState, text: &str) -> (Vec<String>, usize) {
        let document = Document {
            bytes: text.as_bytes(),
            charset: Charset::UTF_8,
        };
        let settings = LineSettings {
            text: TextSlots::Code,
            ..LineSettings::default()
        };
        let tokenizer = || LineTokenizer::new(state, 16).settings(settings);
        let answers = document.answers_in_every_cut(tokenizer).into_iter();
        let programs = answers.filter_map(|(_, answer)| match answer {
            Answer::Slot(slot, raw) => {
                Some((matches!(slot.syntax, Syntax::Script(_)), raw.to_owned()))
            }
            Answer::TooLong(_) => None,
        });
        let (programs, lines): (Vec<_>, Vec<_>) = programs.partition(|(is_one, _)| *is_one);
        let programs = programs.into_iter().map(|(_, raw)| raw);
        (programs.collect(), lines.len())
    }

    #[test]
    fn programs_are_slots() {
        use LineState as S;
        for (state, text, programs, lines) in [
            (
                S::ORG,
                "#+BEGIN_SRC js\na\n\nb\n#+END_SRC\nc",
                &["a\n\nb\n"][..],
                3,
            ),
            (
                S::ORG,
                "#+BEGIN_SRC js\r\na\r\n#+end_src \r\nc",
                &["a\r\n"],
                3,
            ),
            (S::ORG, "#+BEGIN_SRC js\na\nb", &["a\nb"], 1),
            (S::ORG, "#+BEGIN_SRC js\n#+END_SRC\nc", &[], 3),
            (S::ORG, "#+BEGIN_SRC sh\na\n#+END_SRC", &[], 3),
            (S::ORG, "#+BEGIN_SRC py\n>>> a\n#+END_SRC", &[], 3),
            // Too long.
            (
                S::ORG,
                "#+BEGIN_SRC js\n123456789\n123456\n#+END_SRC\nc",
                &[],
                5,
            ),
            (
                S::ORG,
                "#+BEGIN_SRC js\n123456789\n12345\n#+END_SRC\nc",
                &["123456789\n12345\n"],
                3,
            ),
            (S::ASCIIDOC, "[source,js]\n----\na\n----\nc", &["a\n"], 4),
            (S::ASCIIDOC, "```c\na\n```\n```\nb\n```\n", &["a\n"], 5),
            (S::ASCIIDOC, "[source,js]\na\nb", &[], 3),
        ] {
            let expected: Vec<String> = programs.iter().map(|raw| (*raw).to_owned()).collect();
            assert_eq!(slots(state, text), (expected, lines), "{text}");
        }
    }
}

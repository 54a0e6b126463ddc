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

use super::piece::{Piece, link_place};
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

/// The tokenizer of light markup that is read line by line: each line is a slot. Lines longer than `max_slot` are
/// skipped.
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
    /// Bytes of the line that were searched for its end.
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
            read: 0,
            is_skipping: false,
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

//! Charsets that are decoded character by character, by us: those that are no supersets of ASCII.

use super::MappedText;
use super::mapped::Marks;
use super::spec::Codec;
use super::view::{self, ViewMap};
use std::borrow::Cow;

/// What a decoder remembers between two characters. What it says is the charset's own matter; the
/// begin of a document is `State::default()`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct State(pub u8);

/// One character and the number of source bytes that it took, shift sequences before it included:
/// one to eight. A malformed sequence is a U+FFFD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub ch: char,
    pub len: usize,
}

impl Unit {
    pub(super) const fn new(ch: char, len: usize) -> Self {
        Unit { ch, len }
    }

    pub(super) const fn malformed(len: usize) -> Self {
        Unit::new(char::REPLACEMENT_CHARACTER, len)
    }
}

/// How `bytes` end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The document goes on.
    Open,
    /// So does the document.
    Last,
}

/// Where bytes are to be replaced: the states before and behind them, and the source bytes that
/// follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seam<'s> {
    pub before: State,
    pub after: State,
    pub following: &'s [u8],
}

/// A decoder. What it answers for a character must not depend on more than [`LONGEST`] bytes: if
/// it has as many and finds no character, the document holds none any more.
pub(super) trait Units: Sync {
    /// The first character of `bytes`, and the state behind it. `None`: `bytes` hold no whole
    /// character (if they are the last ones, none comes any more).
    fn next(&self, state: &mut State, bytes: &[u8], end: End) -> Option<Unit>;
    /// Appends every whole character of `bytes`; the end of the last one comes back.
    fn view(
        &self,
        state: &mut State,
        bytes: &[u8],
        end: End,
        view: &mut Vec<u8>,
        map: &mut ViewMap,
    ) -> usize {
        let mut at = 0;
        while let Some(unit) = self.next(state, bytes.get(at..).unwrap_or_default(), end) {
            at += unit.len;
            view::append(unit, *state, view, map);
        }
        at
    }
    /// [`super::Charset::splice`], whatever the state.
    fn splice(&self, text: &str, _: Seam<'_>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.encode(text, &mut bytes).ok()?;
        Some(bytes)
    }
    /// [`super::Charset::encode`].
    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize>;
    /// The last begin of a character at or before `at`, if `window` begins at one.
    fn boundary(&self, window: &[u8], at: usize) -> usize {
        let (mut state, mut begin) = (State::default(), 0);
        while let Some(unit) = self.next(&mut state, &window[begin..], End::Last) {
            if begin + unit.len > at {
                break;
            }
            begin += unit.len;
        }
        begin
    }
}

/// No decoder looks at more bytes for one character.
pub(super) const LONGEST: usize = 8;

impl<U: Units + 'static> Codec for U {
    fn units(&self) -> Option<&dyn Units> {
        Some(self)
    }

    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        let (mut text, mut state, mut at) = (String::with_capacity(bytes.len()), State(0), 0);
        while let Some(unit) = self.next(&mut state, &bytes[at..], End::Last) {
            text.push(unit.ch);
            at = bytes.len().min(at + unit.len);
        }
        Cow::Owned(text)
    }

    fn decode_mapped<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        let (mut text, mut marks) = (String::with_capacity(bytes.len()), Marks::default());
        let (mut state, mut at) = (State::default(), 0);
        while let Some(unit) = self.next(&mut state, &bytes[at..], End::Last) {
            text.push(unit.ch);
            at = bytes.len().min(at + unit.len);
            marks.char(unit.ch.len_utf8(), at);
        }
        MappedText::from_parts(Cow::Owned(text), marks)
    }

    fn can_encode(&self, ch: char) -> bool {
        let mut text = [0; 4];
        Units::encode(self, ch.encode_utf8(&mut text), &mut Vec::new()).is_ok()
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        Units::encode(self, text, out)
    }

    fn is_char_at(&self, window: &[u8], at: usize) -> bool {
        let begin = self.boundary(window, at);
        let mut state = State::default();
        // A fresh decoder at a boundary is right wherever there is no state.
        begin == at
            && window.get(at).is_some_and(u8::is_ascii)
            && self
                .next(&mut state, &window[at..], End::Last)
                .is_some_and(|unit| unit.ch.is_ascii())
    }

    fn resync(&self, window: &[u8], at: usize) -> usize {
        self.boundary(window, at.min(window.len()))
    }
}

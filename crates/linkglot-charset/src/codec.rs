//! The contract of a charset: its names and its codec.
//!
//! A charset is added by a row in a file of `tables`, or by a module with a [`Spec`] and a line in
//! [`crate::registry::all`].

use crate::byte_sequences::ByteSequences;
use crate::decoded::{DecodedChar, End, Shift};
use crate::mapped::{MappedText, Marks};
use crate::view_map::ViewMap;
use std::borrow::Cow;

/// A charset: its names and its codec.
pub(crate) struct Spec {
    /// The canonical name.
    pub name: &'static str,
    /// Every label, in lower case, between spaces.
    pub labels: &'static str,
    /// True for an encoding form of Unicode.
    pub is_unicode: bool,
    pub codec: &'static dyn Codec,
}

impl Spec {
    pub(crate) fn labels(&self) -> impl Iterator<Item = &'static str> {
        self.labels.split_ascii_whitespace()
    }
}

/// Both directions of a charset. [`crate::Charset`] documents the methods of the same names.
pub(crate) trait Codec: Send + Sync {
    /// The step decoder of a charset that is not ASCII-compatible.
    fn transcoded(&self) -> Option<&dyn TranscodedCodec> {
        None
    }
    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str>;
    fn decode_mapped<'b>(&self, bytes: &'b [u8]) -> MappedText<'b>;
    fn can_encode(&self, ch: char) -> bool;
    fn decomposes(&self, _: char) -> bool {
        false
    }
    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize>;
    fn add_byte_sequences(&self, sequences: &mut ByteSequences) {
        sequences.add_encoded(|text, out| self.encode(text, out));
    }
    fn pair(&self, _: [u8; 2]) -> Option<char> {
        None
    }
    fn letter(&self, _: &[u8]) -> Option<(char, usize)> {
        None
    }
    fn is_char_at(&self, window: &[u8], at: usize) -> bool;
    fn resync(&self, window: &[u8], at: usize) -> usize;
}

/// A place where bytes are replaced: the states on both sides, and the source bytes that follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seam<'s> {
    pub before: Shift,
    pub after: Shift,
    pub following: &'s [u8],
}

/// Characters of the same lengths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alike {
    pub count: usize,
    /// The bytes of each in UTF-8.
    pub text: usize,
    /// The bytes of each in the source.
    pub source: usize,
}

impl Alike {
    pub const NONE: Alike = Alike {
        count: 0,
        text: 1,
        source: 1,
    };
}

/// The codec of a charset that is no superset of ASCII. Documents in it are transcoded to UTF-8,
/// character by character, before anything scans them.
///
/// The answer for a character depends on at most [`LONGEST_CHAR`](crate::decoded::LONGEST_CHAR) bytes: a decoder that
/// finds no character in that many bytes never finds one.
pub(crate) trait TranscodedCodec: Send + Sync {
    /// The first character of `bytes`; `state` becomes the state after it. `None`: `bytes` hold no
    /// whole character.
    fn next(&self, state: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar>;
    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize>;

    /// True if the meaning of bytes depends on those before their character.
    fn is_stateful(&self) -> bool {
        false
    }

    /// True if a code may stand for several characters.
    fn shares_codes(&self) -> bool {
        false
    }

    /// The bits of a state that do not change how bytes are read: they tell a writer which designations precede.
    fn unread_bits(&self) -> u8 {
        0
    }

    /// Appends characters of the same lengths that `bytes` begin with to the view. The state stays as it is. May append
    /// fewer than there are.
    fn append_alike(&self, _: Shift, _bytes: &[u8], _view: &mut Vec<u8>) -> Alike {
        Alike::NONE
    }

    /// Appends every whole character of `bytes` to the view; returns the end of the last.
    fn append_view(
        &self,
        state: &mut Shift,
        bytes: &[u8],
        end: End,
        view: &mut Vec<u8>,
        map: &mut ViewMap,
    ) -> usize {
        let mut at = 0;
        loop {
            let alike = self.append_alike(*state, rest_of(bytes, at), view);
            map.append_run(alike.count, (alike.text, alike.source), *state);
            at += alike.count * alike.source;
            let Some(decoded) = self.next(state, rest_of(bytes, at), end) else {
                return at;
            };
            at += decoded.len;
            map.append(decoded, *state, view);
        }
    }

    fn splice(&self, text: &str, _: Seam<'_>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.encode(text, &mut bytes).ok()?;
        Some(bytes)
    }

    /// The last start of a character at or before `at`, if `window` starts with a character.
    fn boundary(&self, window: &[u8], at: usize) -> usize {
        let (mut state, mut begin) = (Shift::default(), 0);
        while let Some(decoded) = self.next(&mut state, rest_of(window, begin), End::Last) {
            if begin + decoded.len > at {
                break;
            }
            begin += decoded.len;
        }
        begin
    }
}

/// The bytes from `at` on; none if a faulty decoder took more bytes than there are.
pub(crate) fn rest_of(bytes: &[u8], at: usize) -> &[u8] {
    debug_assert!(at <= bytes.len(), "a character ends behind its bytes");
    bytes.get(at..).unwrap_or_default()
}

impl<C: TranscodedCodec + 'static> Codec for C {
    fn transcoded(&self) -> Option<&dyn TranscodedCodec> {
        Some(self)
    }

    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        self.decode_mapped(bytes).into_text()
    }

    fn decode_mapped<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        let (mut text, mut marks) = (String::with_capacity(bytes.len()), Marks::default());
        let (mut state, mut at) = (Shift::default(), 0);
        while let Some(decoded) = self.next(&mut state, rest_of(bytes, at), End::Last) {
            at += decoded.len;
            decoded.text().append_to(&mut text);
            match decoded.text().single() {
                Some(ch) => marks.char(ch.len_utf8(), at),
                None => marks.unit(decoded.text().len_utf8(), at),
            }
        }
        MappedText::from_parts(Cow::Owned(text), marks)
    }

    fn can_encode(&self, ch: char) -> bool {
        let mut text = [0; 4];
        TranscodedCodec::encode(self, ch.encode_utf8(&mut text), &mut Vec::new()).is_ok()
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        TranscodedCodec::encode(self, text, out)
    }

    /// A fresh decoder at a boundary is right wherever there is no state.
    fn is_char_at(&self, window: &[u8], at: usize) -> bool {
        let first = || self.next(&mut Shift::default(), rest_of(window, at), End::Last);
        window.get(at).is_some_and(u8::is_ascii)
            && self.boundary(window, at) == at
            && first().is_some_and(|decoded| decoded.ch.is_ascii())
    }

    fn resync(&self, window: &[u8], at: usize) -> usize {
        self.boundary(window, at.min(window.len()))
    }
}

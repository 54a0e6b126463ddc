//! ISO-2022-JP (WHATWG 13.2).

use crate::codec::{Alike, Seam, Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, Shift};
use crate::double_byte::JIS_X_0208;
use crate::view_map::push;

pub(crate) static ISO_2022_JP: Spec = Spec {
    name: "ISO-2022-JP",
    labels: "csiso2022jp iso-2022-jp",
    is_unicode: false,
    codec: &Iso2022Jp,
};

struct Iso2022Jp;

/// The character set that is shifted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Ascii,
    Roman,
    Katakana,
    Kanji,
}

/// The decoder's state between two characters, packed into a [`Shift`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    set: Set,
    /// The WHATWG's "iso-2022-jp output": an escape sequence was just read. A second one is an
    /// error.
    after_escape: bool,
    /// A sequence was just begun and did not go on. The decoder ignores this, but a writer must not: its first bytes
    /// could complete the sequence.
    after_stub: bool,
}

impl State {
    const ASCII: State = State::within(Set::Ascii);
    const KANJI: State = State::within(Set::Kanji);
    const AFTER_ESCAPE: u8 = 4;
    const AFTER_STUB: u8 = 8;

    /// The state after a character of a set.
    const fn within(set: Set) -> Self {
        State {
            set,
            after_escape: false,
            after_stub: false,
        }
    }

    /// The state after an escape sequence.
    fn shifted_to(set: Set) -> Self {
        State {
            set,
            after_escape: true,
            after_stub: false,
        }
    }

    /// The state after a character that begins with the byte `first`.
    fn after(self, first: u8, decoded: DecodedChar) -> Self {
        let is_begin = first == ESC || self.set == Set::Kanji && (0x21..=0x7E).contains(&first);
        State {
            set: self.set,
            after_escape: false,
            after_stub: is_begin && decoded == DecodedChar::malformed(1)
                // The escape sequence may lack its last byte only.
                || self.after_stub && matches!(first, b'$' | b'('),
        }
    }

    fn unpack(shift: Shift) -> Self {
        let set = match shift.0 & 3 {
            0 => Set::Ascii,
            1 => Set::Roman,
            2 => Set::Katakana,
            _ => Set::Kanji,
        };
        State {
            set,
            after_escape: shift.0 & State::AFTER_ESCAPE != 0,
            after_stub: shift.0 & State::AFTER_STUB != 0,
        }
    }

    fn pack(self) -> Shift {
        let flag = |is_set, bit| if is_set { bit } else { 0 };
        Shift(
            self.set as u8
                | flag(self.after_escape, State::AFTER_ESCAPE)
                | flag(self.after_stub, State::AFTER_STUB),
        )
    }
}

/// The set that an escape sequence shifts in.
fn set_of(escape: [u8; 2]) -> Option<Set> {
    match &escape {
        b"(B" => Some(Set::Ascii),
        b"(J" => Some(Set::Roman),
        b"(I" => Some(Set::Katakana),
        b"$@" | b"$B" => Some(Set::Kanji),
        _ => None,
    }
}

/// The first token of a byte sequence.
enum Token {
    /// An escape sequence, of three bytes.
    Escape(Set),
    Char(DecodedChar),
}

const ESC: u8 = 0x1B;

#[inline]
fn token(set: Set, bytes: &[u8], end: End) -> Option<Token> {
    let (&first, rest) = bytes.split_first()?;
    if first != ESC {
        return decode_char(set, first, rest, end).map(Token::Char);
    }
    if end == End::Open && matches!(rest, [] | [b'(' | b'$']) {
        return None;
    }
    let set = rest.first_chunk().copied().and_then(set_of);
    let broken = Token::Char(DecodedChar::malformed(1));
    Some(set.map_or(broken, Token::Escape))
}

fn decode_char(set: Set, first: u8, rest: &[u8], end: End) -> Option<DecodedChar> {
    let decoded = match (set, first) {
        (Set::Roman, 0x5C) => DecodedChar::new('\u{A5}', 1),
        (Set::Roman, 0x7E) => DecodedChar::new('\u{203E}', 1),
        (Set::Ascii | Set::Roman, 0x00..=0x0D | 0x10..=0x7F) => DecodedChar::new(first.into(), 1),
        (Set::Katakana, 0x21..=0x5F) => {
            let ch = char::from_u32(0xFF61 + u32::from(first - 0x21));
            DecodedChar::new(ch.unwrap_or(char::REPLACEMENT_CHARACTER), 1)
        }
        (Set::Kanji, 0x21..=0x7E) => return decode_kanji(first, rest, end),
        _ => DecodedChar::malformed(1),
    };
    Some(decoded)
}

fn decode_kanji(lead: u8, rest: &[u8], end: End) -> Option<DecodedChar> {
    match rest.first() {
        None if end == End::Open => None,
        None | Some(&ESC) => Some(DecodedChar::malformed(1)),
        Some(&trail @ 0x21..=0x7E) => Some(DecodedChar::new(JIS_X_0208.char(lead, trail), 2)),
        Some(_) => Some(DecodedChar::malformed(2)),
    }
}

/// Appends kanji and other characters of two bytes that are as long in UTF-8 as the first.
fn append_kanji(bytes: &[u8], view: &mut Vec<u8>) -> Alike {
    let is_of_kanji = |byte: u8| (0x21..=0x7E).contains(&byte);
    let pairs = bytes.as_chunks::<2>().0.iter();
    let known = pairs.map_while(|&[lead, trail]| {
        let ch = (is_of_kanji(lead) && is_of_kanji(trail)).then(|| JIS_X_0208.char(lead, trail));
        ch.filter(|ch| *ch != char::REPLACEMENT_CHARACTER)
    });
    let text = known.clone().next().map_or(1, char::len_utf8);
    let before = view.len();
    for ch in known.take_while(|ch| ch.len_utf8() == text) {
        push(ch, view);
    }
    Alike {
        count: (view.len() - before) / text,
        text,
        source: 2,
    }
}

impl TranscodedCodec for Iso2022Jp {
    fn next(&self, shift: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let mut state = State::unpack(*shift);
        let mut len = 0;
        loop {
            match token(state.set, &bytes[len..], end)? {
                Token::Char(decoded) => {
                    *shift = state.after(bytes[len], decoded).pack();
                    return Some(decoded.behind(len));
                }
                Token::Escape(set) => {
                    len += 3;
                    if std::mem::replace(&mut state, State::shifted_to(set)).after_escape {
                        *shift = state.pack();
                        return Some(DecodedChar::malformed(len));
                    }
                }
            }
        }
    }

    fn append_alike(&self, shift: Shift, bytes: &[u8], view: &mut Vec<u8>) -> Alike {
        match State::unpack(shift) {
            State::ASCII => {
                let is_itself = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
                let count = bytes.iter().take_while(|byte| is_itself(byte)).count();
                view.extend_from_slice(&bytes[..count]);
                Alike {
                    count,
                    ..Alike::NONE
                }
            }
            State::KANJI => append_kanji(bytes, view),
            _ => Alike::NONE,
        }
    }

    fn is_stateful(&self) -> bool {
        true
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let mut writer = Writer::new(State::unpack(Shift::default()));
        for (at, ch) in text.char_indices() {
            writer.write(ch).ok_or(at)?;
        }
        writer.shift(Set::Ascii);
        out.append(&mut writer.bytes);
        Ok(())
    }

    fn splice(&self, text: &str, seam: Seam<'_>) -> Option<Vec<u8>> {
        let mut writer = Writer::new(State::unpack(seam.before));
        for ch in text.chars() {
            writer.write(ch)?;
        }
        let after = State::unpack(seam.after);
        let next = token(after.set, seam.following, End::Last);
        // Two escape sequences without a character between them are an error.
        if !matches!(next, Some(Token::Escape(_))) {
            writer.shift(after.set);
        }
        reads_as(text, &writer.bytes, seam).then_some(writer.bytes)
    }

    /// The state is known only at the start.
    fn boundary(&self, _: &[u8], _: usize) -> usize {
        0
    }
}

/// Writes characters and the shifts between them.
struct Writer {
    set: Set,
    /// Set when an escape sequence must come first, lest the bytes complete a stub before them.
    must_escape: bool,
    bytes: Vec<u8>,
}

impl Writer {
    fn new(before: State) -> Self {
        Writer {
            set: before.set,
            must_escape: before.after_stub,
            bytes: Vec::new(),
        }
    }

    fn shift(&mut self, set: Set) {
        if set != self.set || self.must_escape {
            self.set = set;
            self.must_escape = false;
            self.bytes.extend_from_slice(escape_of(set));
        }
    }

    /// Stays in Roman for the characters that Roman and ASCII share. `None`: the charset lacks `ch`.
    fn write(&mut self, ch: char) -> Option<()> {
        match ch {
            '\u{E}' | '\u{F}' | '\u{1B}' => return None,
            '\u{A5}' | '\u{203E}' => {
                self.shift(Set::Roman);
                self.bytes.push(if ch == '\u{A5}' { 0x5C } else { 0x7E });
            }
            '\0'..='\x7F' => {
                let is_shared = !matches!(ch, '\\' | '~');
                let stays = self.set == Set::Roman && is_shared;
                self.shift(if stays { Set::Roman } else { Set::Ascii });
                self.bytes.push(u8::try_from(ch).ok()?);
            }
            '\u{FF61}'..='\u{FF9F}' => {
                self.shift(Set::Katakana);
                self.bytes
                    .push(u8::try_from(u32::from(ch) - 0xFF61 + 0x21).ok()?);
            }
            _ => {
                let pair = JIS_X_0208.bytes(ch)?;
                self.shift(Set::Kanji);
                self.bytes.extend_from_slice(&pair);
            }
        }
        Some(())
    }
}

fn escape_of(set: Set) -> &'static [u8; 3] {
    match set {
        Set::Ascii => b"\x1B(B",
        Set::Roman => b"\x1B(J",
        Set::Katakana => b"\x1B(I",
        Set::Kanji => b"\x1B$B",
    }
}

/// True if `bytes` and the bytes that follow decode to `text` and the text that followed, and end in the same state.
fn reads_as(text: &str, bytes: &[u8], seam: Seam<'_>) -> bool {
    let with = Reading::of(seam.before, &[bytes, seam.following].concat());
    let without = Reading::of(seam.after, seam.following);
    let is_same_text = with
        .text
        .strip_prefix(text)
        .is_some_and(|rest| rest == without.text);
    // At the document's end no state matters.
    is_same_text && (seam.following.is_empty() || with.end == without.end)
}

/// The text of bytes that may go on.
struct Reading {
    text: String,
    /// The state after the bytes, and the number of bytes that wait for more.
    end: (State, usize),
}

impl Reading {
    fn of(shift: Shift, mut bytes: &[u8]) -> Self {
        let (mut text, mut state) = (String::new(), State::unpack(shift));
        while let Some(token) = token(state.set, bytes, End::Open) {
            let len = match token {
                Token::Escape(set) => {
                    if std::mem::replace(&mut state, State::shifted_to(set)).after_escape {
                        text.push(char::REPLACEMENT_CHARACTER);
                    }
                    3
                }
                Token::Char(decoded) => {
                    text.push(decoded.ch);
                    state = state.after(bytes[0], decoded);
                    decoded.len
                }
            };
            bytes = &bytes[len..];
        }
        state.after_stub = false;
        let end = (state, bytes.len());
        Reading { text, end }
    }
}

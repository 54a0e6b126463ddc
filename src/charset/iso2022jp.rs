//! ISO-2022-JP (WHATWG 13.2).

use super::spec::Spec;
use super::units::{End, Seam, State, Unit, Units};
use super::whatwg;
use std::sync::LazyLock;

pub(super) static ISO_2022_JP: Spec = Spec {
    name: "ISO-2022-JP",
    labels: &["csiso2022jp", "iso-2022-jp"],
    unicode: false,
    codec: &Iso2022Jp,
};

struct Iso2022Jp;

/// The set of characters that is shifted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Ascii,
    Roman,
    Katakana,
    Kanji,
}

/// The decoder's state between two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shift {
    set: Set,
    /// WHATWG's "output flag": the last thing was an escape sequence. A second one is an error.
    escaped: bool,
    /// The last thing was the begin of a sequence that did not go on: other bytes behind it might
    /// complete it. The decoder does not care, who writes there does.
    dangling: bool,
}

impl Shift {
    const ESCAPED: u8 = 4;
    const DANGLING: u8 = 8;

    /// Behind an escape sequence.
    fn to(set: Set) -> Self {
        Shift {
            set,
            escaped: true,
            dangling: false,
        }
    }

    /// Behind a character that began with `first`.
    fn behind(self, first: u8, unit: Unit) -> Self {
        let is_begin = first == ESC || self.set == Set::Kanji && (0x21..=0x7E).contains(&first);
        Shift {
            set: self.set,
            escaped: false,
            dangling: is_begin && unit == Unit::malformed(1),
        }
    }

    fn unpack(state: State) -> Self {
        let set = match state.0 & 3 {
            0 => Set::Ascii,
            1 => Set::Roman,
            2 => Set::Katakana,
            _ => Set::Kanji,
        };
        Shift {
            set,
            escaped: state.0 & Shift::ESCAPED != 0,
            dangling: state.0 & Shift::DANGLING != 0,
        }
    }

    fn pack(self) -> State {
        let escaped = if self.escaped { Shift::ESCAPED } else { 0 };
        let dangling = if self.dangling { Shift::DANGLING } else { 0 };
        State(self.set as u8 | escaped | dangling)
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

/// What stands at the begin of bytes.
enum Token {
    /// An escape sequence of three bytes.
    Escape(Set),
    Char(Unit),
}

const ESC: u8 = 0x1B;

fn token(set: Set, bytes: &[u8], end: End) -> Option<Token> {
    let (&first, rest) = bytes.split_first()?;
    if first != ESC {
        return char_of(set, first, rest, end).map(Token::Char);
    }
    let broken = Some(Token::Char(Unit::malformed(1)));
    match *rest {
        [] | [b'(' | b'$'] if end == End::Open => None,
        [intermediate, last, ..] => match set_of([intermediate, last]) {
            Some(set) => Some(Token::Escape(set)),
            None => broken,
        },
        _ => broken,
    }
}

fn char_of(set: Set, first: u8, rest: &[u8], end: End) -> Option<Unit> {
    let unit = match (set, first) {
        (Set::Roman, 0x5C) => Unit::new('\u{A5}', 1),
        (Set::Roman, 0x7E) => Unit::new('\u{203E}', 1),
        (Set::Ascii | Set::Roman, 0x00..=0x0D | 0x10..=0x7F) => Unit::new(first.into(), 1),
        (Set::Katakana, 0x21..=0x5F) => {
            let ch = char::from_u32(0xFF61 + u32::from(first - 0x21));
            Unit::new(ch.unwrap_or(char::REPLACEMENT_CHARACTER), 1)
        }
        (Set::Kanji, 0x21..=0x7E) => return kanji(first, rest, end),
        _ => Unit::malformed(1),
    };
    Some(unit)
}

/// JIS X 0208 by rows of 94 cells, by way of EUC-JP, which has the same. An empty cell is U+FFFD.
static KANJI: LazyLock<Vec<char>> = LazyLock::new(|| {
    let rows = (0xA1..=0xFE).flat_map(|row| (0xA1..=0xFE).map(move |cell| [row, cell]));
    rows.map(|pair| whatwg::decode_char(encoding_rs::EUC_JP, &pair))
        .map(|ch| ch.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
});

fn kanji(lead: u8, rest: &[u8], end: End) -> Option<Unit> {
    match rest.first() {
        None if end == End::Open => None,
        None | Some(&ESC) => Some(Unit::malformed(1)),
        Some(&trail @ 0x21..=0x7E) => {
            let cell = usize::from(lead - 0x21) * 94 + usize::from(trail - 0x21);
            Some(Unit::new(KANJI[cell], 2))
        }
        Some(_) => Some(Unit::malformed(2)),
    }
}

impl Units for Iso2022Jp {
    fn next(&self, state: &mut State, bytes: &[u8], end: End) -> Option<Unit> {
        let mut shift = Shift::unpack(*state);
        let mut len = 0;
        loop {
            let twice = match token(shift.set, &bytes[len..], end)? {
                Token::Escape(set) => {
                    len += 3;
                    std::mem::replace(&mut shift, Shift::to(set)).escaped
                }
                Token::Char(unit) => {
                    *state = shift.behind(bytes[len], unit).pack();
                    return Some(Unit::new(unit.ch, len + unit.len));
                }
            };
            if twice {
                *state = shift.pack();
                return Some(Unit::malformed(len));
            }
        }
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let mut writer = Writer::new(Shift::unpack(State::default()));
        for (at, ch) in text.char_indices() {
            writer.write(ch).ok_or(at)?;
        }
        writer.shift(Set::Ascii);
        out.append(&mut writer.bytes);
        Ok(())
    }

    fn splice(&self, text: &str, seam: Seam<'_>) -> Option<Vec<u8>> {
        let mut writer = Writer::new(Shift::unpack(seam.before));
        for ch in text.chars() {
            writer.write(ch)?;
        }
        let after = Shift::unpack(seam.after);
        let next = token(after.set, seam.following, End::Last);
        // Two escape sequences without a character between them are an error.
        if !matches!(next, Some(Token::Escape(_))) {
            writer.shift(after.set);
        }
        is_clean(text, &writer.bytes, seam).then_some(writer.bytes)
    }

    /// Only the begin is known.
    fn boundary(&self, _: &[u8], _: usize) -> usize {
        0
    }
}

/// Writes characters and the shifts between them.
struct Writer {
    set: Set,
    /// Whether an escape sequence must come first, to keep what dangles before apart.
    escapes: bool,
    bytes: Vec<u8>,
}

impl Writer {
    fn new(before: Shift) -> Self {
        Writer {
            set: before.set,
            escapes: before.dangling,
            bytes: Vec::new(),
        }
    }

    fn shift(&mut self, set: Set) {
        if set != self.set || self.escapes {
            self.set = set;
            self.escapes = false;
            self.bytes.extend_from_slice(escape_of(set));
        }
    }

    /// Stays in Roman for what Roman and ASCII share.
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
                let pair = kanji_of(ch)?;
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

/// Row and cell in JIS X 0208. Like the WHATWG's encoder but for the minus sign, which that one
/// turns into another.
fn kanji_of(ch: char) -> Option<[u8; 2]> {
    let mut text = [0; 4];
    let mut bytes = Vec::new();
    whatwg::encode(encoding_rs::EUC_JP, ch.encode_utf8(&mut text), &mut bytes).ok()?;
    match *bytes {
        [row @ 0xA1..=0xFE, cell @ 0xA1..=0xFE] if ch != '\u{2212}' => {
            Some([row & 0x7F, cell & 0x7F])
        }
        _ => None,
    }
}

/// Whether `bytes` and what follows decode to `text` and what followed, and leave the same state.
fn is_clean(text: &str, bytes: &[u8], seam: Seam<'_>) -> bool {
    let with = Reading::of(seam.before, &[bytes, seam.following].concat());
    let without = Reading::of(seam.after, seam.following);
    let is_text = with
        .text
        .strip_prefix(text)
        .is_some_and(|rest| rest == without.text);
    // Behind the document's end no state matters.
    is_text && (seam.following.is_empty() || with.end == without.end)
}

/// What bytes that may go on read as, and in which state they end.
struct Reading {
    text: String,
    end: (Shift, usize),
}

impl Reading {
    fn of(state: State, mut bytes: &[u8]) -> Self {
        let (mut text, mut shift) = (String::new(), Shift::unpack(state));
        while let Some(token) = token(shift.set, bytes, End::Open) {
            let len = match token {
                Token::Escape(set) => {
                    if std::mem::replace(&mut shift, Shift::to(set)).escaped {
                        text.push(char::REPLACEMENT_CHARACTER);
                    }
                    3
                }
                Token::Char(unit) => {
                    text.push(unit.ch);
                    shift = shift.behind(bytes[0], unit);
                    unit.len
                }
            };
            bytes = &bytes[len..];
        }
        shift.dangling = false;
        let end = (shift, bytes.len());
        Reading { text, end }
    }
}

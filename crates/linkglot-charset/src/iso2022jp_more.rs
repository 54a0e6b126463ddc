//! ISO-2022-JP-1 (RFC 2237), ISO-2022-JP-2 (RFC 1554), ISO-2022-JP-3 and ISO-2022-JP-2004 (JIS X 0213, annex 2), and
//! Python's ISO-2022-JP-EXT: they shift in the sets of ISO-2022-JP, and more. The Encoding Standard has none of these
//! charsets.

use crate::codec::{Seam, Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, LONGEST_CHAR, Shift, Text};
use crate::double_byte::{DoubleByte, GB_2312, JIS_X_0208, JIS_X_0212, KS_X_1001};
use crate::jisx0213::{katakana, katakana_byte};
use crate::modal::{STUB, goes_on_escape, verified_without_last_shift};
use crate::planes::JIS_X_0213;
use crate::whatwg;

pub(crate) static ALL: [&Spec; 5] = [
    &ISO_2022_JP_1,
    &ISO_2022_JP_2,
    &ISO_2022_JP_3,
    &ISO_2022_JP_2004,
    &ISO_2022_JP_EXT,
];

static ISO_2022_JP_1: Spec = spec(
    "ISO-2022-JP-1",
    &Family(&[ASCII, ROMAN, OLD_KANJI, KANJI, MORE_KANJI]),
);
static ISO_2022_JP_2: Spec = spec(
    "ISO-2022-JP-2",
    &Family(&[
        ASCII, ROMAN, OLD_KANJI, KANJI, MORE_KANJI, CHINESE, KOREAN, LATIN, GREEK,
    ]),
);
static ISO_2022_JP_3: Spec = spec(
    "ISO-2022-JP-3",
    &Family(&[
        ASCII,
        ROMAN,
        KATAKANA,
        OLD_KANJI,
        KANJI,
        PLANE_1,
        PLANE_1_OF_2004,
        PLANE_2,
    ]),
);
static ISO_2022_JP_2004: Spec = spec(
    "ISO-2022-JP-2004",
    &Family(&[
        ASCII,
        ROMAN,
        KATAKANA,
        OLD_KANJI,
        KANJI,
        PLANE_1_OF_2004,
        PLANE_1,
        PLANE_2,
    ]),
);
static ISO_2022_JP_EXT: Spec = spec(
    "ISO-2022-JP-EXT",
    &Family(&[ASCII, ROMAN, KATAKANA, OLD_KANJI, KANJI, MORE_KANJI]),
);

const fn spec(name: &'static str, codec: &'static Family) -> Spec {
    Spec {
        name,
        labels: "",
        is_unicode: false,
        codec,
    }
}

/// An escape sequence and the set that it selects.
type Designation = (&'static [u8], Set);

const ASCII: Designation = (b"\x1B(B", Set::Ascii);
const ROMAN: Designation = (b"\x1B(J", Set::Roman);
const KATAKANA: Designation = (b"\x1B(I", Set::Katakana);
const OLD_KANJI: Designation = (b"\x1B$@", Set::Kanji);
const KANJI: Designation = (b"\x1B$B", Set::Kanji);
const MORE_KANJI: Designation = (b"\x1B$(D", Set::MoreKanji);
const CHINESE: Designation = (b"\x1B$A", Set::Chinese);
const KOREAN: Designation = (b"\x1B$(C", Set::Korean);
const PLANE_1: Designation = (b"\x1B$(O", Set::Plane1);
const PLANE_1_OF_2004: Designation = (b"\x1B$(Q", Set::Plane1);
const PLANE_2: Designation = (b"\x1B$(P", Set::Plane2);
const LATIN: Designation = (b"\x1B.A", Set::Latin);
const GREEK: Designation = (b"\x1B.F", Set::Greek);

/// A set of characters. The last two are upper halves of ISO 8859, whose characters follow `ESC N` one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Ascii,
    Roman,
    Katakana,
    Kanji,
    MoreKanji,
    Chinese,
    Korean,
    Plane1,
    Plane2,
    Latin,
    Greek,
}

impl Set {
    const ALL: [Set; 11] = [
        Set::Ascii,
        Set::Roman,
        Set::Katakana,
        Set::Kanji,
        Set::MoreKanji,
        Set::Chinese,
        Set::Korean,
        Set::Plane1,
        Set::Plane2,
        Set::Latin,
        Set::Greek,
    ];

    fn is_upper_half(self) -> bool {
        matches!(self, Set::Latin | Set::Greek)
    }

    fn double_byte(self) -> Option<&'static DoubleByte> {
        match self {
            Set::Kanji => Some(&JIS_X_0208),
            Set::MoreKanji => Some(&JIS_X_0212),
            Set::Chinese => Some(&GB_2312),
            Set::Korean => Some(&KS_X_1001),
            _ => None,
        }
    }

    /// The number of a plane of JIS X 0213.
    fn plane(self) -> Option<u8> {
        match self {
            Set::Plane1 => Some(1),
            Set::Plane2 => Some(2),
            _ => None,
        }
    }

    /// The character of a byte from 21 to 7E, if the set has single bytes.
    fn single(self, byte: u8) -> Option<char> {
        match self {
            Set::Ascii => Some(byte.into()),
            Set::Roman => Some(match byte {
                0x5C => '\u{A5}',
                0x7E => '\u{203E}',
                _ => byte.into(),
            }),
            Set::Katakana => Some(katakana(byte | 0x80)),
            _ => None,
        }
    }

    fn pair(self, row: u8, cell: u8) -> Text {
        match (self.double_byte(), self.plane()) {
            (Some(set), _) => set.char(row, cell).into(),
            (_, Some(plane)) => JIS_X_0213.text(plane, row, cell),
            _ => Text::NONE,
        }
    }

    /// Appends the bytes of the first characters of a text, if the set has them; returns their length in the text.
    fn push(self, text: &str, out: &mut Vec<u8>) -> Option<usize> {
        let first = text.chars().next()?;
        let len = first.len_utf8();
        match self {
            Set::Ascii if first.is_ascii() => out.push(first as u8),
            Set::Roman if matches!(first, '\u{A5}' | '\u{203E}') => {
                out.push(if first == '\u{A5}' { 0x5C } else { 0x7E });
            }
            Set::Katakana => out.push(katakana_byte(first)? & 0x7F),
            _ => {
                if let Some(set) = self.double_byte() {
                    out.extend_from_slice(&set.bytes(first)?);
                    return Some(len);
                }
                let ([plane, row, cell], len) = JIS_X_0213.longest_code(text)?;
                out.extend_from_slice(&[row, cell]);
                return (self.plane() == Some(plane)).then_some(len);
            }
        }
        Some(len)
    }
}

/// The designations that a charset knows. New text is written in the first set that has its characters, but never in an
/// upper half: its designation would hold for the text that follows.
struct Family(&'static [Designation]);

const ESC: u8 = 0x1B;

/// The most bytes of shifts in front of a character: a longer run of shifts is malformed.
const MOST_SHIFTS: usize = LONGEST_CHAR - 4;

/// The state: the set of single and double bytes, and the upper half behind `ESC N`. By RFC 1554 each line designates
/// the half anew; here the designation outlasts the line, as in `iconv` and Python.
#[derive(Clone, Copy)]
struct State {
    set: Set,
    upper_half: Option<Set>,
}

impl State {
    const SET: u8 = 0xF;
    const LATIN: u8 = 0x10;
    const GREEK: u8 = 0x20;

    fn unpack(shift: Shift) -> Self {
        let set = Set::ALL.get(usize::from(shift.0 & State::SET));
        State {
            set: set.copied().unwrap_or(Set::Ascii),
            upper_half: match shift.0 & (State::LATIN | State::GREEK) {
                State::LATIN => Some(Set::Latin),
                State::GREEK => Some(Set::Greek),
                _ => None,
            },
        }
    }

    fn pack(self) -> Shift {
        let upper_half = match self.upper_half {
            Some(Set::Latin) => State::LATIN,
            Some(_) => State::GREEK,
            None => 0,
        };
        Shift(self.set as u8 | upper_half)
    }

    fn designate(self, set: Set) -> Self {
        if set.is_upper_half() {
            State {
                upper_half: Some(set),
                ..self
            }
        } else {
            State { set, ..self }
        }
    }
}

impl Family {
    /// The designation that `bytes` begin with.
    fn designation(&self, bytes: &[u8]) -> Option<Designation> {
        let mut known = self.0.iter();
        known.find(|(escape, _)| bytes.starts_with(escape)).copied()
    }

    /// True if bytes that begin with an escape may become a designation or a shift.
    fn is_cut(&self, bytes: &[u8]) -> bool {
        let begins = |escape: &[u8]| escape.len() > bytes.len() && escape.starts_with(bytes);
        bytes == [ESC, b'N'] || self.0.iter().any(|(escape, _)| begins(escape))
    }

    /// Writes text from a set; returns the set after it.
    fn write(&self, text: &str, mut set: Set, out: &mut Vec<u8>) -> Result<Set, usize> {
        let mut at = 0;
        while let Some(first) = text[at..].chars().next() {
            if matches!(first, '\u{E}' | '\u{F}' | '\u{1B}') {
                return Err(at);
            }
            let (new, bytes, len) = self.written(&text[at..], set).ok_or(at)?;
            self.shift(&mut set, new, out);
            out.extend_from_slice(&bytes);
            at += len;
        }
        Ok(set)
    }

    /// The set in which the first characters of a text are written, their bytes, and their length in the text. Roman
    /// stays in force for characters that it shares with ASCII.
    fn written(&self, text: &str, current: Set) -> Option<(Set, Vec<u8>, usize)> {
        let first = text.as_bytes().first()?;
        if current == Set::Roman && first.is_ascii() && !matches!(first, b'\\' | b'~') {
            return Some((current, vec![*first], 1));
        }
        let mut sets = self.0.iter().map(|&(_, set)| set);
        sets.find_map(|set| {
            let mut bytes = Vec::new();
            let len = set
                .push(text, &mut bytes)
                .filter(|_| !set.is_upper_half())?;
            Some((set, bytes, len))
        })
    }

    fn shift(&self, set: &mut Set, new: Set, out: &mut Vec<u8>) {
        let escape = self
            .0
            .iter()
            .rfind(|(_, known)| *known == new && *set != new);
        // The last designation of kanji is the current one; for JIS X 0213 the charset's own comes first.
        let escape = match new {
            Set::Plane1 => self
                .0
                .iter()
                .find(|(_, known)| *known == new && *set != new),
            _ => escape,
        };
        if let Some((escape, _)) = escape {
            out.extend_from_slice(escape);
        }
        *set = new;
    }
}

impl TranscodedCodec for Family {
    fn next(&self, shift: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let mut state = State::unpack(*shift);
        let mut len = 0;
        loop {
            let rest = &bytes[len..];
            let first = *rest.first()?;
            if end == End::Open && self.is_cut(rest) {
                return None;
            }
            if let Some((escape, set)) = self.designation(rest) {
                (len, state) = (len + escape.len(), state.designate(set));
                if len > MOST_SHIFTS {
                    *shift = state.pack();
                    return Some(DecodedChar::malformed(len));
                }
                continue;
            }
            let (decoded, is_begun) = character(state, rest, end)?;
            let is_stub = is_begun || len == 0 && goes_on_escape(*shift, first);
            *shift = Shift(state.pack().0 | if is_stub { STUB } else { 0 });
            return Some(decoded.behind(len));
        }
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let mut bytes = Vec::new();
        let mut set = self.write(text, Set::Ascii, &mut bytes)?;
        self.shift(&mut set, Set::Ascii, &mut bytes);
        out.append(&mut bytes);
        Ok(())
    }

    fn is_stateful(&self) -> bool {
        true
    }

    fn shares_codes(&self) -> bool {
        self.0.contains(&PLANE_1)
    }

    fn splice(&self, text: &str, seam: Seam<'_>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut set = self
            .write(text, State::unpack(seam.before).set, &mut bytes)
            .ok()?;
        self.shift(&mut set, State::unpack(seam.after).set, &mut bytes);
        let shifts: Vec<&[u8]> = self.0.iter().map(|(escape, _)| *escape).collect();
        verified_without_last_shift(self, text, bytes, &shifts, seam)
    }

    /// The state is known only at the start.
    fn boundary(&self, _: &[u8], _: usize) -> usize {
        0
    }
}

/// The first character of bytes that begin with no designation, and true if it is only the start of a sequence.
fn character(state: State, bytes: &[u8], end: End) -> Option<(DecodedChar, bool)> {
    let found = match *bytes {
        [ESC, b'N', byte @ 0x20..=0x7F, ..] if state.upper_half.is_some() => {
            let text = upper_half(state.upper_half, byte);
            (DecodedChar::several(text, 3), false)
        }
        [ESC, ..] => (DecodedChar::malformed(1), true),
        [0x0E | 0x0F | 0x80..=0xFF, ..] => (DecodedChar::malformed(1), false),
        [first @ (0..=0x20 | 0x7F), ..] => (DecodedChar::new(first.into(), 1), false),
        [first, ref rest @ ..] => match (state.set.single(first), rest.first()) {
            (Some(ch), _) => (DecodedChar::new(ch, 1), false),
            (None, None) if end == End::Open => return None,
            (None, Some(&cell @ 0x21..=0x7E)) => {
                (DecodedChar::several(state.set.pair(first, cell), 2), false)
            }
            (None, _) => (DecodedChar::malformed(1), true),
        },
        [] => return None,
    };
    Some(found)
}

fn upper_half(set: Option<Set>, byte: u8) -> Text {
    let ch = match set {
        Some(Set::Greek) => whatwg::decode_char(encoding_rs::ISO_8859_7, &[byte | 0x80]),
        _ => Some(char::from(byte | 0x80)),
    };
    ch.map_or(Text::NONE, Text::from)
}

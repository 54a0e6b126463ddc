//! JOHAB (KS X 1001, annex 3; Windows' code page 1361): hangul by their parts, the symbols and hanja
//! of KS X 1001 by row and cell. A trail may be any character of markup, so documents are
//! transcoded. 5C is a backslash, as on Windows.

use crate::codec::{Seam, Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, Shift};
use crate::double_byte::KS_X_1001;
use crate::modal::{STUB, verified};

pub(crate) static JOHAB: Spec = Spec {
    name: "JOHAB",
    labels: "1361 cp1361 csjohab johab ms1361",
    is_unicode: false,
    codec: &Johab,
};

struct Johab;

/// Initial consonants, by their five bits from 2 on.
const INITIALS: [char; 19] = [
    'ㄱ', 'ㄲ', 'ㄴ', 'ㄷ', 'ㄸ', 'ㄹ', 'ㅁ', 'ㅂ', 'ㅃ', 'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅉ', 'ㅊ', 'ㅋ',
    'ㅌ', 'ㅍ', 'ㅎ',
];

/// The bits of the vowels, which begin with U+314F.
const VOWELS: [u8; 21] = [
    3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 26, 27, 28, 29,
];
const FIRST_VOWEL: u32 = 0x314F;

/// Final consonants and their bits.
#[rustfmt::skip]
const FINALS: [(char, u8); 27] = [
    ('ㄱ', 2), ('ㄲ', 3), ('ㄳ', 4), ('ㄴ', 5), ('ㄵ', 6), ('ㄶ', 7), ('ㄷ', 8), ('ㄹ', 9), ('ㄺ', 10),
    ('ㄻ', 11), ('ㄼ', 12), ('ㄽ', 13), ('ㄾ', 14), ('ㄿ', 15), ('ㅀ', 16), ('ㅁ', 17), ('ㅂ', 19),
    ('ㅄ', 20), ('ㅅ', 21), ('ㅆ', 22), ('ㅇ', 23), ('ㅈ', 24), ('ㅊ', 25), ('ㅋ', 26), ('ㅌ', 27),
    ('ㅍ', 28), ('ㅎ', 29),
];

/// The bits of a part that is missing.
const NO_INITIAL: u8 = 1;
const NO_VOWEL: u8 = 2;
const NO_FINAL: u8 = 1;

const FIRST_SYLLABLE: u32 = 0xAC00;

impl TranscodedCodec for Johab {
    fn next(&self, state: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let (&lead, rest) = bytes.split_first()?;
        *state = Shift::default();
        if lead.is_ascii() {
            return Some(DecodedChar::new(lead.into(), 1));
        }
        match rest.first() {
            None if end == End::Open && is_lead(lead) => return None,
            Some(&trail) if is_lead(lead) => {
                if let Some(ch) = decode(lead, trail) {
                    return Some(DecodedChar::new(ch, 2));
                }
                if !trail.is_ascii() {
                    return Some(DecodedChar::malformed(2));
                }
            }
            _ => {}
        }
        if is_lead(lead) {
            *state = Shift(STUB);
        }
        Some(DecodedChar::malformed(1))
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let before = out.len();
        for (at, ch) in text.char_indices() {
            if ch.is_ascii() {
                out.push(ch as u8);
            } else if let Some(pair) = encode(ch) {
                out.extend_from_slice(&pair);
            } else {
                out.truncate(before);
                return Err(at);
            }
        }
        Ok(())
    }

    fn splice(&self, text: &str, seam: Seam<'_>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        TranscodedCodec::encode(self, text, &mut bytes).ok()?;
        verified(self, text, bytes, seam)
    }
}

fn is_lead(byte: u8) -> bool {
    matches!(byte, 0x84..=0xD3 | 0xD9..=0xDE | 0xE0..=0xF9)
}

fn decode(lead: u8, trail: u8) -> Option<char> {
    if lead <= 0xD3 {
        return hangul(lead, trail);
    }
    let (row, is_second) = match lead {
        0xD9..=0xDE => (0x21 + (lead - 0xD9) * 2, trail >= 0xA1),
        _ => (0x4A + (lead - 0xE0) * 2, trail >= 0xA1),
    };
    let (row, cell) = match trail {
        0xA1..=0xFE if is_second => (row + 1, trail - 0x80),
        0x31..=0x7E => (row, trail - 0x31 + 0x21),
        0x91..=0xA0 => (row, trail - 0x91 + 0x6F),
        _ => return None,
    };
    let ch = KS_X_1001.char(row, cell);
    // The letters of row 4 are among the hangul.
    let is_filled = ch != char::REPLACEMENT_CHARACTER && (row != 0x24 || ch > 'ㅣ');
    is_filled.then_some(ch)
}

fn hangul(lead: u8, trail: u8) -> Option<char> {
    let bits = u16::from_be_bytes([lead, trail]);
    let part = |shift: u16| (bits >> shift & 0x1F) as u8;
    let (initial, vowel, last) = (part(10), part(5), part(0));
    let initial_at = usize::from(initial).checked_sub(2);
    let initial_at = initial_at.filter(|at| *at < INITIALS.len());
    let vowel_at = VOWELS.iter().position(|&known| known == vowel);
    let last_at = FINALS.iter().position(|&(_, known)| known == last);
    match (initial_at, vowel_at, last_at) {
        (Some(initial), Some(vowel), last_at) if last == NO_FINAL || last_at.is_some() => {
            let last = last_at.map_or(0, |at| at + 1);
            let number = (initial * VOWELS.len() + vowel) * (FINALS.len() + 1) + last;
            char::from_u32(FIRST_SYLLABLE + number as u32)
        }
        (Some(initial), None, None) if vowel == NO_VOWEL && last == NO_FINAL => {
            Some(INITIALS[initial])
        }
        (None, Some(vowel), None) if initial == NO_INITIAL && last == NO_FINAL => {
            char::from_u32(FIRST_VOWEL + vowel as u32)
        }
        (None, None, Some(last)) if initial == NO_INITIAL && vowel == NO_VOWEL => {
            Some(FINALS[last].0)
        }
        _ => None,
    }
}

fn encode(ch: char) -> Option<[u8; 2]> {
    let syllable = u32::from(ch).checked_sub(FIRST_SYLLABLE);
    let finals = FINALS.len() as u32 + 1;
    let vowels = VOWELS.len() as u32;
    let initials = INITIALS.len() as u32;
    if let Some(number) = syllable.filter(|&number| number < initials * vowels * finals) {
        let last = (number % finals).checked_sub(1);
        let last = last.map_or(NO_FINAL, |at| FINALS[at as usize].1);
        let vowel = VOWELS[(number / finals % vowels) as usize];
        return Some(packed((number / finals / vowels) as u8 + 2, vowel, last));
    }
    if let Some(at) = INITIALS.iter().position(|&known| known == ch) {
        return Some(packed(at as u8 + 2, NO_VOWEL, NO_FINAL));
    }
    if let Some(&(_, bits)) = FINALS.iter().find(|&&(known, _)| known == ch) {
        return Some(packed(NO_INITIAL, NO_VOWEL, bits));
    }
    let vowel = u32::from(ch).checked_sub(FIRST_VOWEL);
    if let Some(&bits) = vowel.and_then(|at| VOWELS.get(at as usize)) {
        return Some(packed(NO_INITIAL, bits, NO_FINAL));
    }
    let [row, cell] = KS_X_1001.bytes(ch)?;
    let (lead, number) = match row {
        0x21..=0x2C => (0xD9, row - 0x21),
        0x4A..=0x7D => (0xE0, row - 0x4A),
        _ => return None,
    };
    let trail = match cell - 0x21 {
        cell if number % 2 == 1 => 0xA1 + cell,
        cell @ 0..=77 => 0x31 + cell,
        cell => 0x91 + cell - 78,
    };
    Some([lead + number / 2, trail])
}

fn packed(initial: u8, vowel: u8, last: u8) -> [u8; 2] {
    let bits = 0x8000 | u16::from(initial) << 10 | u16::from(vowel) << 5 | u16::from(last);
    bits.to_be_bytes()
}

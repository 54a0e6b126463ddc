//! UTF-16 in both byte orders (WHATWG 14.2).

use crate::codec::{Alike, Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, Shift};

pub(crate) static UTF_16LE: Spec = Spec {
    name: "UTF-16LE",
    labels: "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    is_unicode: true,
    codec: &Utf16::<LITTLE>,
};

pub(crate) static UTF_16BE: Spec = Spec {
    name: "UTF-16BE",
    labels: "unicodefffe utf-16be",
    is_unicode: true,
    codec: &Utf16::<BIG>,
};

const LITTLE: bool = true;
const BIG: bool = false;

struct Utf16<const IS_LITTLE: bool>;

impl<const IS_LITTLE: bool> Utf16<IS_LITTLE> {
    fn code_unit(&self, bytes: &[u8], at: usize) -> Option<u16> {
        bytes.get(at..)?.first_chunk().copied().map(Self::unit)
    }

    fn unit(pair: [u8; 2]) -> u16 {
        if IS_LITTLE {
            u16::from_le_bytes(pair)
        } else {
            u16::from_be_bytes(pair)
        }
    }
}

/// The bytes of a code unit in UTF-8; 0 for half of a surrogate pair.
fn length(unit: u16) -> usize {
    match unit {
        0..=0x7F => 1,
        0x80..=0x7FF => 2,
        0xD800..=0xDFFF => 0,
        _ => 3,
    }
}

impl<const IS_LITTLE: bool> TranscodedCodec for Utf16<IS_LITTLE> {
    fn next(&self, _: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let ends = end == End::Last;
        let Some(first) = self.code_unit(bytes, 0) else {
            return (ends && !bytes.is_empty()).then_some(DecodedChar::malformed(bytes.len()));
        };
        if let Some(ch) = char::from_u32(first.into()) {
            return Some(DecodedChar::new(ch, 2));
        }
        if first >= 0xDC00 {
            return Some(DecodedChar::malformed(2));
        }
        match self.code_unit(bytes, 2) {
            Some(second @ 0xDC00..=0xDFFF) => {
                let code = 0x1_0000 + ((first as u32 - 0xD800) << 10) + (second as u32 - 0xDC00);
                let ch = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                Some(DecodedChar::new(ch, 4))
            }
            Some(_) => Some(DecodedChar::malformed(2)),
            // A high surrogate and half a code unit after it are one error.
            None => ends.then_some(DecodedChar::malformed(bytes.len())),
        }
    }

    fn append_alike(&self, _: Shift, bytes: &[u8], view: &mut Vec<u8>) -> Alike {
        let pairs = bytes.as_chunks::<2>().0.iter();
        let units = pairs.map(|pair| Self::unit(*pair));
        let text = units.clone().next().map_or(0, length);
        let alike = units.take_while(|unit| length(*unit) == text);
        let before = view.len();
        let trail = |bits: u16| 0x80 | (bits & 0x3F) as u8;
        match text {
            1 => view.extend(alike.map(|unit| unit as u8)),
            2 => {
                for unit in alike {
                    view.extend_from_slice(&[0xC0 | (unit >> 6) as u8, trail(unit)]);
                }
            }
            3 => {
                for unit in alike {
                    let lead = 0xE0 | (unit >> 12) as u8;
                    view.extend_from_slice(&[lead, trail(unit >> 6), trail(unit)]);
                }
            }
            _ => return Alike::NONE,
        }
        Alike {
            count: (view.len() - before) / text,
            text,
            source: 2,
        }
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        for unit in text.encode_utf16() {
            out.extend(if IS_LITTLE {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            });
        }
        Ok(())
    }

    fn boundary(&self, window: &[u8], at: usize) -> usize {
        let at = at & !1;
        let is_surrogate = |at: usize, first: u16| {
            let unit = self.code_unit(window, at);
            unit.is_some_and(|unit| unit & 0xFC00 == first)
        };
        if at >= 2 && is_surrogate(at, 0xDC00) && is_surrogate(at - 2, 0xD800) {
            at - 2
        } else {
            at
        }
    }
}

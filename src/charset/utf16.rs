//! UTF-16 in both byte orders (WHATWG 14.2).

use super::spec::Spec;
use super::units::{End, State, Unit, Units};

pub(super) static UTF_16LE: Spec = Spec {
    name: "UTF-16LE",
    labels: &[
        "csunicode",
        "iso-10646-ucs-2",
        "ucs-2",
        "unicode",
        "unicodefeff",
        "utf-16",
        "utf-16le",
    ],
    unicode: true,
    codec: &Utf16::<LITTLE>,
};

pub(super) static UTF_16BE: Spec = Spec {
    name: "UTF-16BE",
    labels: &["unicodefffe", "utf-16be"],
    unicode: true,
    codec: &Utf16::<BIG>,
};

const LITTLE: bool = true;
const BIG: bool = false;

struct Utf16<const IS_LITTLE: bool>;

impl<const IS_LITTLE: bool> Utf16<IS_LITTLE> {
    fn code_unit(&self, bytes: &[u8], at: usize) -> Option<u16> {
        let pair = *bytes.get(at..)?.first_chunk()?;
        Some(if IS_LITTLE {
            u16::from_le_bytes(pair)
        } else {
            u16::from_be_bytes(pair)
        })
    }
}

impl<const IS_LITTLE: bool> Units for Utf16<IS_LITTLE> {
    fn next(&self, _: &mut State, bytes: &[u8], end: End) -> Option<Unit> {
        let ends = end == End::Last;
        let Some(first) = self.code_unit(bytes, 0) else {
            return (ends && !bytes.is_empty()).then_some(Unit::malformed(bytes.len()));
        };
        if let Some(ch) = char::from_u32(first.into()) {
            return Some(Unit::new(ch, 2));
        }
        if first >= 0xDC00 {
            return Some(Unit::malformed(2));
        }
        match self.code_unit(bytes, 2) {
            Some(second @ 0xDC00..=0xDFFF) => {
                let code = 0x1_0000 + ((first as u32 - 0xD800) << 10) + (second as u32 - 0xDC00);
                Some(char::from_u32(code).map_or(Unit::malformed(4), |ch| Unit::new(ch, 4)))
            }
            Some(_) => Some(Unit::malformed(2)),
            // A high surrogate and what is left of a code unit are one error.
            None => ends.then_some(Unit::malformed(bytes.len())),
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
        let is = |at: usize, from: u16| {
            let unit = self.code_unit(window, at);
            unit.is_some_and(|unit| unit & 0xFC00 == from)
        };
        if at >= 2 && is(at, 0xDC00) && is(at - 2, 0xD800) {
            at - 2
        } else {
            at
        }
    }
}

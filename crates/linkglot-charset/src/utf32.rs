//! UTF-32 in both byte orders: not in the WHATWG Encoding Standard, but in XML 1.0 (appendix F).

use crate::codec::{Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, Shift};

pub(crate) static UTF_32LE: Spec = Spec {
    name: "UTF-32LE",
    labels: "utf-32 utf-32le ucs-4 ucs-4le iso-10646-ucs-4",
    is_unicode: true,
    codec: &Utf32 {
        read: u32::from_le_bytes,
        write: u32::to_le_bytes,
    },
};

pub(crate) static UTF_32BE: Spec = Spec {
    name: "UTF-32BE",
    labels: "utf-32be ucs-4be",
    is_unicode: true,
    codec: &Utf32 {
        read: u32::from_be_bytes,
        write: u32::to_be_bytes,
    },
};

struct Utf32 {
    read: fn([u8; 4]) -> u32,
    write: fn(u32) -> [u8; 4],
}

impl TranscodedCodec for Utf32 {
    fn next(&self, _: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let Some(code) = bytes.first_chunk().copied().map(self.read) else {
            let is_cut = end == End::Last && !bytes.is_empty();
            return is_cut.then_some(DecodedChar::malformed(bytes.len()));
        };
        let ch = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        Some(DecodedChar::new(ch, 4))
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        for ch in text.chars() {
            out.extend_from_slice(&(self.write)(ch.into()));
        }
        Ok(())
    }

    fn boundary(&self, _: &[u8], at: usize) -> usize {
        at & !3
    }
}

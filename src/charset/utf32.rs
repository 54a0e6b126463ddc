//! UTF-32 in both byte orders. The WHATWG has it not; XML does (appendix F).

use super::spec::Spec;
use super::units::{End, State, Unit, Units};

pub(super) static UTF_32LE: Spec = Spec {
    name: "UTF-32LE",
    labels: &["utf-32", "utf-32le", "ucs-4", "ucs-4le", "iso-10646-ucs-4"],
    unicode: true,
    codec: &Utf32 {
        read: u32::from_le_bytes,
        write: u32::to_le_bytes,
    },
};

pub(super) static UTF_32BE: Spec = Spec {
    name: "UTF-32BE",
    labels: &["utf-32be", "ucs-4be"],
    unicode: true,
    codec: &Utf32 {
        read: u32::from_be_bytes,
        write: u32::to_be_bytes,
    },
};

struct Utf32 {
    read: fn([u8; 4]) -> u32,
    write: fn(u32) -> [u8; 4],
}

impl Units for Utf32 {
    fn next(&self, _: &mut State, bytes: &[u8], end: End) -> Option<Unit> {
        let Some(code) = bytes.first_chunk().copied().map(self.read) else {
            let ends = end == End::Last && !bytes.is_empty();
            return ends.then_some(Unit::malformed(bytes.len()));
        };
        Some(char::from_u32(code).map_or(Unit::malformed(4), |ch| Unit::new(ch, 4)))
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

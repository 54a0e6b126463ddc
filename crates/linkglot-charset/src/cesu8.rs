//! CESU-8 (UTR 26): UTF-8 in which a character beyond U+FFFF is a pair of surrogates, as old
//! databases and Java write it. Such a character in UTF-8 is read as well.

use crate::codec::{Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, Shift};

pub(crate) static CESU_8: Spec = Spec {
    name: "CESU-8",
    labels: "cesu-8 cscesu-8",
    is_unicode: true,
    codec: &Cesu8,
};

struct Cesu8;

/// The bytes of a pair of surrogates.
const PAIR: usize = 6;

/// The longest sequence in UTF-8.
const LONGEST: usize = 4;

impl TranscodedCodec for Cesu8 {
    fn next(&self, _: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let first = *bytes.first()?;
        if first.is_ascii() {
            return Some(DecodedChar::new(first.into(), 1));
        }
        if let Some(ch) = surrogates(bytes) {
            return Some(DecodedChar::new(ch, PAIR));
        }
        if end == End::Open && bytes.len() < PAIR && may_be_pair(bytes) {
            return None;
        }
        let chunk = bytes[..bytes.len().min(LONGEST)].utf8_chunks().next()?;
        if let Some(ch) = chunk.valid().chars().next() {
            return Some(DecodedChar::new(ch, ch.len_utf8()));
        }
        let is_cut = end == End::Open && bytes.len() < LONGEST && is_incomplete(bytes);
        (!is_cut).then_some(DecodedChar::malformed(chunk.invalid().len()))
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        for ch in text.chars() {
            if ch <= '\u{FFFF}' {
                out.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            for unit in ch.encode_utf16(&mut [0; 2]) {
                let [high, low] = unit.to_be_bytes();
                let middle = (high & 0x0F) << 2 | low >> 6;
                out.extend_from_slice(&[0xED, 0x80 | middle, 0x80 | low & 0x3F]);
            }
        }
        Ok(())
    }

    fn boundary(&self, window: &[u8], at: usize) -> usize {
        let is_lead = |&at: &usize| !matches!(window.get(at), Some(0x80..=0xBF));
        // The second half of a pair begins with a lead, too.
        let mut begins = (at.saturating_sub(PAIR - 1)..=at).filter(is_lead);
        let covers = |&begin: &usize| {
            let found = self.next(&mut Shift::default(), &window[begin..], End::Last);
            found.is_some_and(|found| begin + found.len > at)
        };
        begins.find(covers).unwrap_or(at)
    }
}

/// The character of a pair of surrogates.
fn surrogates(bytes: &[u8]) -> Option<char> {
    let [
        0xED,
        a @ 0xA0..=0xAF,
        b @ 0x80..=0xBF,
        0xED,
        c @ 0xB0..=0xBF,
        d @ 0x80..=0xBF,
        ..,
    ] = *bytes
    else {
        return None;
    };
    let [a, b, c, d] = [a & 0x0F, b & 0x3F, c & 0x0F, d & 0x3F].map(u32::from);
    char::from_u32(0x1_0000 + (a << 16 | b << 10 | c << 6 | d))
}

/// True if bytes may begin a pair of surrogates.
fn may_be_pair(bytes: &[u8]) -> bool {
    let ranges = [
        0xED..=0xED,
        0xA0..=0xAF,
        0x80..=0xBF,
        0xED..=0xED,
        0xB0..=0xBF,
        0x80..=0xBF,
    ];
    bytes
        .iter()
        .zip(ranges)
        .all(|(byte, range)| range.contains(byte))
}

/// True if the end of the bytes cuts a sequence.
fn is_incomplete(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

//! EUC-TW: plane 1 of CNS 11643 in two bytes, all planes in four.

use crate::codec::{Seam, Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, Shift, Text};
use crate::modal::{STUB, verified};
use crate::planes::CNS_11643;

pub(crate) static EUC_TW: Spec = Spec {
    name: "EUC-TW",
    labels: "cseuctw euc-tw",
    is_unicode: false,
    codec: &EucTw,
};

struct EucTw;

/// The first byte of a sequence of four.
const SS2: u8 = 0x8E;

impl TranscodedCodec for EucTw {
    fn next(&self, state: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let &first = bytes.first()?;
        *state = Shift::default();
        if first.is_ascii() {
            return Some(DecodedChar::new(first.into(), 1));
        }
        let wanted = match first {
            SS2 => 4,
            0xA1..=0xFE => 2,
            _ => return Some(DecodedChar::malformed(1)),
        };
        let is_trail = |byte: &&u8| (0xA1..=0xFE).contains(*byte);
        let trails = bytes[1..].iter().take(wanted - 1).take_while(is_trail);
        let len = 1 + trails.count();
        if len == wanted {
            let text = match *bytes {
                [SS2, plane, row, cell, ..] => {
                    CNS_11643.text(plane - 0xA0, row & 0x7F, cell & 0x7F)
                }
                [row, cell, ..] => CNS_11643.text(1, row & 0x7F, cell & 0x7F),
                _ => Text::NONE,
            };
            return Some(DecodedChar::several(text, len));
        }
        if len == bytes.len() && end == End::Open {
            return None;
        }
        *state = Shift(STUB);
        Some(DecodedChar::malformed(len))
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let before = out.len();
        for (at, ch) in text.char_indices() {
            match CNS_11643.code(ch) {
                _ if ch.is_ascii() => out.push(ch as u8),
                Some([1, row, cell]) => out.extend_from_slice(&[row | 0x80, cell | 0x80]),
                Some([plane, row, cell]) => {
                    out.extend_from_slice(&[SS2, 0xA0 + plane, row | 0x80, cell | 0x80]);
                }
                None => {
                    out.truncate(before);
                    return Err(at);
                }
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

//! The lengths of byte sequences, well-formed or not, as the WHATWG's decoders cut them.

use crate::whatwg;
use encoding_rs::Encoding;

/// Tells whether a sequence is a character.
#[derive(Clone, Copy)]
pub(super) struct SequenceCheck {
    encoding: &'static Encoding,
    /// Set when all sequences are known to be characters.
    is_well_formed: bool,
}

impl SequenceCheck {
    pub(super) fn new(encoding: &'static Encoding, is_well_formed: bool) -> Self {
        SequenceCheck {
            encoding,
            is_well_formed,
        }
    }

    fn is_char(self, sequence: &[u8]) -> bool {
        self.is_well_formed || whatwg::is_mapped(self.encoding, sequence)
    }
}

/// A charset whose sequences have one or two bytes.
pub(super) trait TwoByte {
    fn is_lead(byte: u8) -> bool;
    fn is_ascii_trail(byte: u8) -> bool;
}

pub(super) struct ShiftJis;
pub(super) struct Big5;
pub(super) struct EucKr;

impl TwoByte for ShiftJis {
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0x81..=0x9F | 0xE0..=0xFC)
    }
    fn is_ascii_trail(byte: u8) -> bool {
        matches!(byte, 0x40..=0x7E)
    }
}

impl TwoByte for Big5 {
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0x81..=0xFE)
    }
    fn is_ascii_trail(byte: u8) -> bool {
        matches!(byte, 0x40..=0x7E)
    }
}

impl TwoByte for EucKr {
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0x81..=0xFE)
    }
    fn is_ascii_trail(byte: u8) -> bool {
        matches!(byte, 0x41..=0x5A | 0x61..=0x7A)
    }
}

/// A lead takes any non-ASCII byte with it, but an ASCII byte only when both are a character.
pub(super) fn one_or_two<C: TwoByte>(check: SequenceCheck, bytes: &[u8]) -> usize {
    let is_pair = match *bytes {
        [lead, trail, ..] if C::is_lead(lead) => {
            !trail.is_ascii() || C::is_ascii_trail(trail) && check.is_char(&bytes[..2])
        }
        _ => false,
    };
    1 + usize::from(is_pair)
}

/// WHATWG 13.1.1.
pub(super) fn euc_jp(_: SequenceCheck, bytes: &[u8]) -> usize {
    match *bytes {
        [0x8F, 0xA1..=0xFE, third, ..] if !third.is_ascii() => 3,
        [0x8F, 0xA1..=0xFE, ..] => 2,
        [0x8E | 0x8F | 0xA1..=0xFE, second, ..] if !second.is_ascii() => 2,
        _ => 1,
    }
}

/// WHATWG 10.2.1. Four bytes that are no character are one error. If the end of the bytes cuts a sequence of four, only
/// the lead is an error: the document goes on, and not with the rest of the sequence.
pub(super) fn gb18030(check: SequenceCheck, bytes: &[u8]) -> usize {
    match *bytes {
        [0x81..=0xFE, b'0'..=b'9', 0x81..=0xFE, b'0'..=b'9', ..] => 4,
        [0x81..=0xFE, 0x80..=0xFF, ..] => 2,
        [0x81..=0xFE, 0x40..=0x7E, ..] if check.is_char(&bytes[..2]) => 2,
        _ => 1,
    }
}

/// Digits are the second and fourth bytes of a sequence of four.
pub(super) fn gb_ends_sequence(byte: u8) -> bool {
    !matches!(byte, b'0'..=b'9' | 0x81..=0xFE)
}

//! Single-byte charsets that are no supersets of ASCII: EBCDIC, the variants of ISO 646, the Vietnamese charsets with
//! letters among the controls, and those in which two bytes are one ASCII character.

use crate::codec::TranscodedCodec;
use crate::decoded::{DecodedChar, End, Shift};
use crate::row::Row;
use std::sync::OnceLock;

/// A charset whose bytes are all characters of a table.
pub(crate) struct ByteTable {
    row: Row,
    /// The characters of the 256 bytes, filled at the first look-up; U+FFFD for a byte that has none.
    chars: OnceLock<[char; 256]>,
}

impl ByteTable {
    pub(crate) const fn of_row(row: Row) -> Self {
        ByteTable {
            row,
            chars: OnceLock::new(),
        }
    }

    fn chars(&self) -> &[char; 256] {
        self.chars.get_or_init(|| self.row.chars())
    }

    /// The first byte of a character: ASCII where two bytes of ARMSCII-8 or of the Arabic charsets of the Macintosh are
    /// the same one.
    fn byte(&self, ch: char) -> Option<u8> {
        let byte = self.chars().iter().position(|&known| known == ch);
        let byte = byte.filter(|_| ch != char::REPLACEMENT_CHARACTER)?;
        u8::try_from(byte).ok()
    }
}

impl TranscodedCodec for ByteTable {
    fn next(&self, _: &mut Shift, bytes: &[u8], _: End) -> Option<DecodedChar> {
        let byte = *bytes.first()?;
        Some(DecodedChar::new(self.chars()[usize::from(byte)], 1))
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let before = out.len();
        for (at, ch) in text.char_indices() {
            let Some(byte) = self.byte(ch) else {
                out.truncate(before);
                return Err(at);
            };
            out.push(byte);
        }
        Ok(())
    }

    fn boundary(&self, _: &[u8], at: usize) -> usize {
        at
    }
}

//! The sets of 94 rows of 94 cells that shifts select, taken from the EUC charsets of
//! `encoding_rs`.

use crate::whatwg;
use encoding_rs::Encoding;
use std::sync::OnceLock;

/// The number of rows, and of cells in a row.
const CELLS: u8 = 94;

/// A set of characters of two bytes from 21 to 7E each.
pub(crate) struct DoubleByte {
    encoding: &'static Encoding,
    /// The last row; those after it are not of the set.
    last: u8,
    /// Row by row; U+FFFD where there is no character. Filled at the first look-up.
    chars: OnceLock<Vec<char>>,
}

impl DoubleByte {
    /// The characters whose bytes in `encoding` are from A1 to `last` and A1 to FE.
    const fn new(encoding: &'static Encoding, last: u8) -> Self {
        DoubleByte {
            encoding,
            last: last & 0x7F,
            chars: OnceLock::new(),
        }
    }

    /// Whether a byte begins a character of the set.
    pub(crate) fn is_lead(&self, byte: u8) -> bool {
        (0x21..=self.last).contains(&byte)
    }

    /// The character of a lead and a trail.
    pub(crate) fn char(&self, lead: u8, trail: u8) -> char {
        let cell = |byte: u8| byte.checked_sub(0x21).filter(|cell| *cell < CELLS);
        let at = cell(lead).zip(cell(trail));
        let at = at.map(|(row, cell)| usize::from(row) * usize::from(CELLS) + usize::from(cell));
        let ch = at.and_then(|at| self.chars().get(at).copied());
        ch.unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// The two bytes of a character.
    pub(crate) fn bytes(&self, ch: char) -> Option<[u8; 2]> {
        let mut bytes = Vec::new();
        whatwg::encode(self.encoding, ch.encode_utf8(&mut [0; 4]), &mut bytes).ok()?;
        let [lead @ 0xA1..=0xFE, trail @ 0xA1..=0xFE] = *bytes else {
            return None;
        };
        let pair = [lead & 0x7F, trail & 0x7F];
        (self.is_lead(pair[0]) && self.char(pair[0], pair[1]) == ch).then_some(pair)
    }

    fn chars(&self) -> &[char] {
        self.chars.get_or_init(|| {
            let rows =
                (0x21..=self.last).flat_map(|row| (0x21..=0x7E).map(move |cell| [row, cell]));
            rows.map(|pair| whatwg::decode_char(self.encoding, &pair.map(|byte| byte | 0x80)))
                // The Encoding Standard fills empty cells with private characters.
                .map(|ch| ch.filter(|ch| !('\u{E000}'..='\u{F8FF}').contains(ch)))
                .map(|ch| ch.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect()
        })
    }
}

/// GB 2312, with what GBK added to its rows.
pub(crate) static GB_2312: DoubleByte = DoubleByte::new(encoding_rs::GBK, 0xF7);

/// KS X 1001.
pub(crate) static KS_X_1001: DoubleByte = DoubleByte::new(encoding_rs::EUC_KR, 0xFD);

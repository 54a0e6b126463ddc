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
    /// The bytes that select the set in `encoding`.
    prefix: &'static [u8],
    /// The last row of the set.
    last: u8,
    /// Row by row; U+FFFD where there is no character. Filled at the first look-up.
    chars: OnceLock<Vec<char>>,
    /// Each character with its first lead and trail, sorted. Filled at the first look-up.
    pairs: OnceLock<Vec<(char, [u8; 2])>>,
}

impl DoubleByte {
    /// The characters whose bytes in `encoding` are from A1 to `last` and A1 to FE.
    const fn new(encoding: &'static Encoding, last: u8) -> Self {
        DoubleByte::behind(b"", encoding, last)
    }

    /// As [`new`](Self::new), with a prefix in front of the two bytes.
    const fn behind(prefix: &'static [u8], encoding: &'static Encoding, last: u8) -> Self {
        DoubleByte {
            encoding,
            prefix,
            last: last & 0x7F,
            chars: OnceLock::new(),
            pairs: OnceLock::new(),
        }
    }

    /// True if a byte begins a character of the set.
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
        let pairs = self.pairs.get_or_init(|| self.sorted());
        let at = pairs.binary_search_by_key(&ch, |(known, _)| *known);
        Some(pairs[at.ok()?].1)
    }

    fn sorted(&self) -> Vec<(char, [u8; 2])> {
        let leads = 0x21..=self.last;
        let places = leads.flat_map(|lead| (0x21..=0x7E).map(move |trail| [lead, trail]));
        let mut pairs: Vec<_> = self.chars().iter().copied().zip(places).collect();
        pairs.retain(|(ch, _)| *ch != char::REPLACEMENT_CHARACTER);
        pairs.sort_unstable();
        pairs.dedup_by_key(|(ch, _)| *ch);
        pairs
    }

    fn chars(&self) -> &[char] {
        self.chars.get_or_init(|| {
            let rows =
                (0x21..=self.last).flat_map(|row| (0x21..=0x7E).map(move |cell| [row, cell]));
            rows.map(|pair| [self.prefix, &pair.map(|byte| byte | 0x80)].concat())
                .map(|bytes| whatwg::decode_char(self.encoding, &bytes))
                // The Encoding Standard fills empty cells with private characters.
                .map(|ch| ch.filter(|ch| !('\u{E000}'..='\u{F8FF}').contains(ch)))
                .map(|ch| ch.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect()
        })
    }
}

/// GB 2312, with the characters that GBK added to its rows.
pub(crate) static GB_2312: DoubleByte = DoubleByte::new(encoding_rs::GBK, 0xF7);

/// KS X 1001.
pub(crate) static KS_X_1001: DoubleByte = DoubleByte::new(encoding_rs::EUC_KR, 0xFD);

/// JIS X 0208, with the characters that vendors added to its rows.
pub(crate) static JIS_X_0208: DoubleByte = DoubleByte::new(encoding_rs::EUC_JP, 0xFE);

/// JIS X 0212.
pub(crate) static JIS_X_0212: DoubleByte = DoubleByte::behind(b"\x8F", encoding_rs::EUC_JP, 0xFE);

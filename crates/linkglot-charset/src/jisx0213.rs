//! EUC-JISX0213 and Shift_JISX0213: the two planes of JIS X 0213, and the katakana of JIS X 0201.
//!
//! Bytes below 80 are ASCII, as in the Encoding Standard's Shift_JIS: its standard has a Yen sign and
//! an overline in place of the backslash and the tilde, which links cannot do without.

use crate::codec::{Seam, Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, Shift, Text};
use crate::modal::{STUB, verified};
use crate::planes::JIS_X_0213;

pub(crate) static EUC_JISX0213: Spec = Spec {
    name: "EUC-JISX0213",
    labels: "euc-jis-2004 euc-jisx0213 eucjis2004",
    is_unicode: false,
    codec: &Jis(Form::Euc),
};

pub(crate) static SHIFT_JISX0213: Spec = Spec {
    name: "Shift_JISX0213",
    labels: "shift_jis-2004 shift_jisx0213 sjis-2004 sjisx0213",
    is_unicode: false,
    codec: &Jis(Form::Shift),
};

/// Encoding of the set in bytes.
#[derive(Clone, Copy)]
enum Form {
    Euc,
    Shift,
}

struct Jis(Form);

/// The first byte of katakana in EUC.
const SS2: u8 = 0x8E;
/// The first byte of the second plane in EUC.
const SS3: u8 = 0x8F;

/// The rows of plane 2, in pairs, in the order of their lead bytes in Shift_JISX0213.
const SHIFTED_ROWS: [[u8; 2]; 13] = [
    [1, 8],
    [3, 4],
    [5, 12],
    [13, 14],
    [15, 78],
    [79, 80],
    [81, 82],
    [83, 84],
    [85, 86],
    [87, 88],
    [89, 90],
    [91, 92],
    [93, 94],
];

/// The katakana of JIS X 0201 at a byte from A1 to DF.
pub(crate) fn katakana(byte: u8) -> char {
    const FIRST: u32 = 0xFF61;
    let found = (0xA1..=0xDF).contains(&byte);
    let ch = found.then(|| char::from_u32(FIRST + u32::from(byte) - 0xA1));
    ch.flatten().unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The byte of a katakana of JIS X 0201.
pub(crate) fn katakana_byte(ch: char) -> Option<u8> {
    let at = u32::from(ch).checked_sub(0xFF61).filter(|at| *at <= 0x3E)?;
    u8::try_from(0xA1 + at).ok()
}

impl Form {
    /// The length of a character that begins with a byte beyond ASCII; 0 for a byte that begins none.
    fn length(self, first: u8) -> usize {
        match (self, first) {
            (Form::Euc, SS3) => 3,
            (Form::Euc, SS2 | 0xA1..=0xFE) => 2,
            (Form::Shift, 0xA1..=0xDF) => 1,
            (Form::Shift, 0x81..=0x9F | 0xE0..=0xFC) => 2,
            _ => 0,
        }
    }

    fn is_trail(self, byte: u8) -> bool {
        match self {
            Form::Euc => (0xA1..=0xFE).contains(&byte),
            Form::Shift => matches!(byte, 0x40..=0x7E | 0x80..=0xFC),
        }
    }

    /// The text of a whole sequence.
    fn text(self, sequence: &[u8]) -> Text {
        match (self, sequence) {
            (Form::Euc, [SS2, byte]) | (Form::Shift, [byte]) => katakana(*byte).into(),
            (Form::Euc, [SS3, row, cell]) => JIS_X_0213.text(2, row & 0x7F, cell & 0x7F),
            (Form::Euc, [row, cell]) => JIS_X_0213.text(1, row & 0x7F, cell & 0x7F),
            (Form::Shift, [lead, trail]) => {
                let (plane, row, cell) = shifted(*lead, *trail);
                JIS_X_0213.text(plane, 0x20 + row, 0x20 + cell)
            }
            _ => Text::NONE,
        }
    }

    /// Appends the bytes of the first characters beyond ASCII that have one code; returns their length.
    fn push(self, text: &str, out: &mut Vec<u8>) -> Option<usize> {
        let first = text.chars().next()?;
        if let Some(byte) = katakana_byte(first) {
            if matches!(self, Form::Euc) {
                out.push(SS2);
            }
            out.push(byte);
            return Some(first.len_utf8());
        }
        let ([plane, row, cell], len) = JIS_X_0213.longest_code(text)?;
        match self {
            Form::Euc if plane == 2 => out.extend_from_slice(&[SS3, row | 0x80, cell | 0x80]),
            Form::Euc => out.extend_from_slice(&[row | 0x80, cell | 0x80]),
            Form::Shift => out.extend_from_slice(&unshifted(plane, row - 0x20, cell - 0x20)?),
        }
        Some(len)
    }
}

/// Plane, row and cell of two bytes of Shift_JISX0213.
fn shifted(lead: u8, trail: u8) -> (u8, u8, u8) {
    let at = trail - 0x40 - u8::from(trail > 0x7F);
    let (second, cell) = (at / 94, at % 94 + 1);
    match lead {
        0xF0.. => (
            2,
            SHIFTED_ROWS[usize::from(lead - 0xF0)][usize::from(second)],
            cell,
        ),
        _ => {
            let pair = if lead < 0xA0 {
                lead - 0x81
            } else {
                lead - 0xC1
            };
            (1, 2 * pair + 1 + second, cell)
        }
    }
}

/// The two bytes of a plane, a row and a cell.
fn unshifted(plane: u8, row: u8, cell: u8) -> Option<[u8; 2]> {
    let (lead, second) = match plane {
        1 => {
            let pair = (row - 1) / 2;
            (
                if pair < 0x1F {
                    0x81 + pair
                } else {
                    0xC1 + pair
                },
                (row - 1) % 2,
            )
        }
        _ => {
            let mut pairs = SHIFTED_ROWS.iter().zip(0xF0..);
            let (pair, lead) = pairs.find(|(pair, _)| pair.contains(&row))?;
            (lead, u8::from(pair[1] == row))
        }
    };
    let at = 0x40 + 94 * second + cell - 1;
    Some([lead, at + u8::from(at >= 0x7F)])
}

impl TranscodedCodec for Jis {
    fn next(&self, state: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let &first = bytes.first()?;
        *state = Shift::default();
        if first.is_ascii() {
            return Some(DecodedChar::new(first.into(), 1));
        }
        let wanted = self.0.length(first);
        if wanted == 0 {
            return Some(DecodedChar::malformed(1));
        }
        let is_trail = |byte: &&u8| self.0.is_trail(**byte);
        let trails = bytes[1..].iter().take(wanted - 1).take_while(is_trail);
        let len = 1 + trails.count();
        if len == wanted {
            return Some(DecodedChar::several(self.0.text(&bytes[..len]), len));
        }
        if len == bytes.len() && end == End::Open {
            return None;
        }
        *state = Shift(STUB);
        Some(DecodedChar::malformed(len))
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let before = out.len();
        let mut at = 0;
        while let Some(&first) = text.as_bytes().get(at) {
            if first.is_ascii() {
                out.push(first);
                at += 1;
            } else if let Some(len) = self.0.push(&text[at..], out) {
                at += len;
            } else {
                out.truncate(before);
                return Err(at);
            }
        }
        Ok(())
    }

    fn shares_codes(&self) -> bool {
        true
    }

    fn splice(&self, text: &str, seam: Seam<'_>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        TranscodedCodec::encode(self, text, &mut bytes).ok()?;
        verified(self, text, bytes, seam)
    }
}

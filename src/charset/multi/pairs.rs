//! The characters of two bytes, for those who need one or two of them: a decoder takes
//! longer to start than to decode them.

use super::whatwg;
use encoding_rs::Encoding;
use std::sync::OnceLock;

/// The first byte beyond ASCII, and how many there are.
const LEAD: u8 = 0x80;
const LEADS: usize = 0x100 - LEAD as usize;
/// The first byte that is a trail of two, and how many may be.
const TRAIL: u8 = 0x40;
const TRAILS: usize = 0x100 - TRAIL as usize;

/// The characters that begin with one byte; NUL: none.
type Row = Box<[char; TRAILS]>;

/// A table that is worked out row by row, as it is asked.
pub(super) struct PairTable([OnceLock<Row>; LEADS]);

impl PairTable {
    pub(super) const fn new() -> Self {
        PairTable([const { OnceLock::new() }; LEADS])
    }

    /// The character of two bytes, if they are one sequence and one character.
    pub(super) fn char(&self, encoding: &'static Encoding, bytes: [u8; 2]) -> Option<char> {
        let [lead, trail] = bytes;
        let row = self.0.get(usize::from(lead.checked_sub(LEAD)?))?;
        let row = row.get_or_init(|| row_of(encoding, lead));
        let ch = row.get(usize::from(trail.checked_sub(TRAIL)?)).copied()?;
        (ch != '\0').then_some(ch)
    }
}

fn row_of(encoding: &'static Encoding, lead: u8) -> Row {
    let mut row = Box::new(['\0'; TRAILS]);
    for (ch, trail) in row.iter_mut().zip(TRAIL..=0xFF) {
        *ch = whatwg::pair(encoding, [lead, trail]).unwrap_or_default();
    }
    row
}

#[cfg(test)]
mod tests {
    use crate::charset::Charset;

    #[test]
    fn a_pair_is_what_a_decoder_makes_of_it() {
        for label in ["shift_jis", "euc-jp", "big5", "euc-kr", "gbk", "gb18030"] {
            let charset = Charset::for_label(label).unwrap();
            for (lead, trail) in (0..=0xFF).flat_map(|a| (0..=0xFF).map(move |b| (a, b))) {
                let Some(ch) = charset.pair([lead, trail]) else {
                    continue;
                };
                assert!(lead >= 0x80 && trail >= 0x40);
                // Whatever follows.
                for next in [b'a', b'0', 0x81, 0xA1, 0xFE] {
                    let text = charset.decode(&[lead, trail, next]).into_owned();
                    assert!(text.starts_with(ch) && text.chars().count() == 2, "{text}");
                }
            }
        }
        let japanese = Charset::for_label("shift_jis").unwrap();
        assert_eq!(japanese.pair([0x82, 0xCD]), Some('は'));
        assert_eq!(japanese.pair([0x81, 0x41]), Some('、'));
        assert_eq!(japanese.pair([0xB1, 0xB2]), None);
        assert_eq!(Charset::UTF_8.pair([0xC3, 0xA9]), None);
    }
}

//! The characters of two bytes, for those who need one or two of them: a decoder takes
//! longer to start than to decode them.

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
    // All at once, apart: no sequence goes on over a line feed.
    let mut bytes = [b'\n'; 3 * TRAILS];
    for (sequence, trail) in bytes.chunks_exact_mut(3).zip(TRAIL..=0xFF) {
        sequence[..2].copy_from_slice(&[lead, trail]);
    }
    let (text, _) = encoding.decode_without_bom_handling(&bytes);
    let mut row = Box::new(['\0'; TRAILS]);
    let (mut places, mut only, mut count) = (row.iter_mut(), '\0', 0);
    for ch in text.chars() {
        if ch != '\n' {
            (only, count) = (ch, count + 1);
            continue;
        }
        if let Some(place) = places.next()
            && count == 1
            && only != char::REPLACEMENT_CHARACTER
        {
            *place = only;
        }
        count = 0;
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
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            for (lead, trail) in (0..=0xFF).flat_map(|a| (0..=0xFF).map(move |b| (a, b))) {
                let pair = [lead, trail];
                let text = encoding.decode_without_bom_handling_and_without_replacement(&pair);
                let text = text.unwrap_or_default();
                let mut chars = text.chars();
                let single = chars.next().filter(|_| chars.next().is_none());
                assert_eq!(
                    charset.pair([lead, trail]),
                    single,
                    "{label} {lead:x} {trail:x}"
                );
                let Some(ch) = single else {
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

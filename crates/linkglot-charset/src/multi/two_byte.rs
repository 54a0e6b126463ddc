//! Tables of two-byte characters: for one or two characters, a decoder costs more to start than a
//! look-up. And rows of all characters whose sequences begin with the same bytes.

use encoding_rs::Encoding;
use std::sync::OnceLock;

/// The first byte beyond ASCII, and the number of such bytes.
const LEAD: u8 = 0x80;
const LEADS: usize = 0x100 - LEAD as usize;
/// The first byte that can be a trail, and the number of bytes from it on.
const TRAIL: u8 = 0x40;
const TRAILS: usize = 0x100 - TRAIL as usize;

/// The two-byte characters of a charset. A row is filled at its first look-up.
pub(super) struct TwoByteTable([OnceLock<TrailRow>; LEADS]);

impl TwoByteTable {
    pub(super) const fn new() -> Self {
        TwoByteTable([const { OnceLock::new() }; LEADS])
    }

    /// The character of two bytes, if they are one sequence and one character.
    pub(super) fn char(&self, encoding: &'static Encoding, bytes: [u8; 2]) -> Option<char> {
        let [lead, trail] = bytes;
        let row = self.0.get(usize::from(lead.checked_sub(LEAD)?))?;
        row.get_or_init(|| TrailRow::new(encoding, &[lead]))
            .char(trail)
    }
}

/// The characters of sequences that differ in the last byte; NUL where there is none.
pub(super) struct TrailRow(Box<[char; TRAILS]>);

impl TrailRow {
    /// The row of the sequences that are `lead` and one byte more.
    pub(super) fn new(encoding: &'static Encoding, lead: &[u8]) -> Self {
        // One call decodes all of them: no sequence goes on over a line feed.
        const SEPARATOR: u8 = b'\n';
        let mut bytes = Vec::with_capacity((lead.len() + 2) * TRAILS);
        for trail in TRAIL..=0xFF {
            bytes.extend_from_slice(lead);
            bytes.extend_from_slice(&[trail, SEPARATOR]);
        }
        let text = decode_utf16(encoding, &bytes);
        let texts = text.split(|&unit| unit == u16::from(SEPARATOR));
        let mut row = TrailRow(Box::new(['\0'; TRAILS]));
        for (cell, units) in row.0.iter_mut().zip(texts) {
            if let Some(ch) = only_char(units).filter(|&ch| ch != char::REPLACEMENT_CHARACTER) {
                *cell = ch;
            }
        }
        row
    }

    fn char(&self, trail: u8) -> Option<char> {
        let cell = self.0.get(usize::from(trail.checked_sub(TRAIL)?));
        cell.copied().filter(|&ch| ch != '\0')
    }

    /// The characters, each with the last byte of its sequence.
    pub(super) fn chars(&self) -> impl Iterator<Item = (u8, char)> {
        let all = (TRAIL..=0xFF).zip(*self.0);
        all.filter(|&(_, ch)| ch != '\0')
    }
}

/// Decodes to UTF-16, in which most of these characters are one code unit.
fn decode_utf16(encoding: &'static Encoding, bytes: &[u8]) -> Vec<u16> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let most = decoder.max_utf16_buffer_length(bytes.len());
    let mut text = vec![0; most.unwrap_or(0)];
    let (_, _, written, _) = decoder.decode_to_utf16(bytes, &mut text, true);
    text.truncate(written);
    text
}

/// The character of a text of one character.
fn only_char(units: &[u16]) -> Option<char> {
    match *units {
        [unit] => char::from_u32(unit.into()),
        [_, _] => {
            let mut chars = char::decode_utf16(units.iter().copied());
            let first = chars.next()?.ok()?;
            chars.next().is_none().then_some(first)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::Charset;

    #[test]
    fn a_pair_is_the_character_that_a_decoder_reads() {
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
                // Whatever follows, the pair stays a character.
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

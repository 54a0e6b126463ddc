//! The bytes with which a label may begin behind a `。`: an ASCII letter or digit, or the first characters of a native
//! top-level domain.
//!
//! Most `。` end a sentence. The block search looks up the bytes behind each `。` in this hash filter and so dismisses
//! nearly all of them. The filter may pass other bytes, but never dismisses the start of a label.

/// Number of bytes behind the `。` that the filter reads.
pub(super) const KEY_LEN: usize = 8;
const HASH_BITS: u32 = 14;
const WORDS: usize = 1 << (HASH_BITS - 6);

/// A filter for the starts of labels in the bytes of one charset.
#[derive(Debug)]
pub(super) struct LabelStarts {
    /// For each first byte, the mask of the bytes that make up a key. 0: no label begins with that byte.
    masks: Box<[u64; 256]>,
    /// A bit for the hash of each key.
    bits: Box<[u64; WORDS]>,
}

impl LabelStarts {
    /// The filter for native names in bytes, or for their certain prefixes.
    pub(super) fn new<'n>(names: impl Iterator<Item = &'n [u8]> + Clone) -> LabelStarts {
        let mut starts = LabelStarts {
            masks: Box::new([0; 256]),
            bits: Box::new([0; WORDS]),
        };
        // The first byte alone decides the length of a key, so all names with the same first byte have keys as long as
        // the shortest of them.
        for name in names.clone() {
            let mask = u64::MAX >> (8 * (KEY_LEN - name.len().clamp(1, KEY_LEN)));
            let known = starts.mask(name);
            starts.set_mask(name, if known == 0 { mask } else { known & mask });
        }
        for name in names {
            starts.add(name);
        }
        for byte in (0..0x80).filter(u8::is_ascii_alphanumeric) {
            starts.set_mask(&[byte], 0xFF);
            starts.add(&[byte]);
        }
        starts
    }

    fn mask(&self, name: &[u8]) -> u64 {
        name.first()
            .map_or(0, |&lead| self.masks[usize::from(lead)])
    }

    fn set_mask(&mut self, name: &[u8], mask: u64) {
        if let Some(&lead) = name.first() {
            self.masks[usize::from(lead)] = mask;
        }
    }

    fn add(&mut self, name: &[u8]) {
        let mut bytes = [0; KEY_LEN];
        for (to, from) in bytes.iter_mut().zip(name) {
            *to = *from;
        }
        let bit = self.bit_of(&bytes);
        if let Some(word) = self.bits.get_mut(bit >> 6) {
            *word |= 1 << (bit & 63);
        }
    }

    /// True if a label may begin with these bytes.
    #[inline(always)]
    pub(super) fn may_match(&self, bytes: &[u8; KEY_LEN]) -> bool {
        let bit = self.bit_of(bytes);
        let word = self.bits.get(bit >> 6).copied().unwrap_or(0);
        word >> (bit & 63) & 1 != 0
    }

    /// The bit of the key that these bytes begin with. If no label begins with their first byte, the key is 0, whose
    /// bit is never set.
    #[inline(always)]
    fn bit_of(&self, bytes: &[u8; KEY_LEN]) -> usize {
        let word = u64::from_le_bytes(*bytes);
        let key = word & self.masks[(word & 0xFF) as usize];
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - HASH_BITS)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if the filter lets `begin` pass with other text behind it.
    fn may_match(starts: &LabelStarts, begin: impl AsRef<[u8]>) -> bool {
        let text = [begin.as_ref(), b" and more"].concat();
        starts.may_match(text.first_chunk().unwrap())
    }

    #[test]
    fn starts_of_names_pass_and_little_else() {
        let names = ["みんな", "中国", "рф", "コム", "ストア"];
        let starts = LabelStarts::new(names.iter().map(|name| name.as_bytes()));
        for begin in names.iter().chain(&["a", "Z", "7"]) {
            assert!(may_match(&starts, begin), "{begin}");
        }
        for begin in [" ", "\n", "<", "次の", "ア", "「", "み ", "中心"] {
            assert!(!may_match(&starts, begin), "{begin}");
        }
        let others = ('\u{3041}'..'\u{9FFF}').filter(|ch| may_match(&starts, format!("{ch}ー")));
        assert!(others.count() < 100);
    }

    #[test]
    fn keys_are_as_long_as_the_shortest_name() {
        let names: [&[u8]; 4] = [
            b"\x80",
            b"\xD6\xD0\xB9\xFA",
            b"\xD6\xD0",
            b"\xD7\xB9\xFA\xB9",
        ];
        let starts = LabelStarts::new(names.into_iter());
        let is = |bytes: &[u8]| may_match(&starts, bytes);
        assert!((0..=0xFF).all(|second| is(&[0x80, second])));
        assert!(is(b"\xD6\xD0") && is(b"\xD6\xD0a") && !is(b"\xD6\xD1"));
        assert!(is(b"\xD7\xB9\xFA\xB9") && !is(b"\xD7\xB9\xFA\xBA"));
    }

    #[test]
    fn without_names_only_ascii_passes() {
        let starts = LabelStarts::new(std::iter::empty());
        let is = |byte: u8| starts.may_match(&[byte; KEY_LEN]);
        assert!((0..=0xFF).all(|byte: u8| is(byte) == byte.is_ascii_alphanumeric()));
    }
}

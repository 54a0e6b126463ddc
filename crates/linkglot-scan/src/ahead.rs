//! What follows a `。` that parts the labels of a domain: an ASCII letter or digit, or the first
//! characters of a native top-level domain. All others end sentences, and a search dismisses them
//! by this alone.

/// How many bytes behind the `。` are looked at.
pub(super) const SEEN: usize = 8;
const HASH_BITS: u32 = 14;
const WORDS: usize = 1 << (HASH_BITS - 6);

/// The first bytes of names, in a charset.
#[derive(Debug)]
pub(super) struct Ahead {
    /// For each first byte which bytes of a name are among its key.
    masks: Box<[u64; 256]>,
    /// A bit for the hash of each key.
    bits: Box<[u64; WORDS]>,
}

impl Ahead {
    /// That of names, or of as much of each as must stand there.
    pub(super) fn new<'n>(names: impl Iterator<Item = &'n [u8]> + Clone) -> Ahead {
        let mut ahead = Ahead {
            masks: Box::new([0; 256]),
            bits: Box::new([0; WORDS]),
        };
        // All names with a first byte have keys of the same length: that of the shortest.
        for name in names.clone() {
            let mask = u64::MAX >> (8 * (SEEN - name.len().clamp(1, SEEN)));
            let known = ahead.mask(name);
            ahead.set_mask(name, if known == 0 { mask } else { known & mask });
        }
        for name in names {
            ahead.add(name);
        }
        for byte in (0..0x80).filter(u8::is_ascii_alphanumeric) {
            ahead.set_mask(&[byte], 0xFF);
            ahead.add(&[byte]);
        }
        ahead
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
        let mut seen = [0; SEEN];
        for (to, from) in seen.iter_mut().zip(name) {
            *to = *from;
        }
        let bit = self.bit_of(&seen);
        if let Some(word) = self.bits.get_mut(bit >> 6) {
            *word |= 1 << (bit & 63);
        }
    }

    /// Whether a domain may go on with these bytes.
    #[inline(always)]
    pub(super) fn may_begin(&self, seen: &[u8; SEEN]) -> bool {
        let bit = self.bit_of(seen);
        let word = self.bits.get(bit >> 6).copied().unwrap_or(0);
        word >> (bit & 63) & 1 != 0
    }

    /// The bit of the bytes' key: the first one, which no name has, where no name begins so.
    #[inline(always)]
    fn bit_of(&self, seen: &[u8; SEEN]) -> usize {
        let word = u64::from_le_bytes(*seen);
        let key = word & self.masks[(word & 0xFF) as usize];
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - HASH_BITS)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether they may stand in front of more text.
    fn may_begin(ahead: &Ahead, begin: impl AsRef<[u8]>) -> bool {
        let text = [begin.as_ref(), b" and more"].concat();
        ahead.may_begin(text.first_chunk().unwrap())
    }

    #[test]
    fn what_begins_a_name_is_ahead_and_little_else() {
        let names = ["みんな", "中国", "рф", "コム", "ストア"];
        let ahead = Ahead::new(names.iter().map(|name| name.as_bytes()));
        for begin in names.iter().chain(&["a", "Z", "7"]) {
            assert!(may_begin(&ahead, begin), "{begin}");
        }
        for begin in [" ", "\n", "<", "次の", "ア", "「", "み ", "中心"] {
            assert!(!may_begin(&ahead, begin), "{begin}");
        }
        let others = ('\u{3041}'..'\u{9FFF}').filter(|ch| may_begin(&ahead, format!("{ch}ー")));
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
        let ahead = Ahead::new(names.into_iter());
        let is = |bytes: &[u8]| may_begin(&ahead, bytes);
        assert!((0..=0xFF).all(|second| is(&[0x80, second])));
        assert!(is(b"\xD6\xD0") && is(b"\xD6\xD0a") && !is(b"\xD6\xD1"));
        assert!(is(b"\xD7\xB9\xFA\xB9") && !is(b"\xD7\xB9\xFA\xBA"));
    }

    #[test]
    fn nothing_is_ahead_of_no_names_but_ascii() {
        let ahead = Ahead::new(std::iter::empty());
        let is = |byte: u8| ahead.may_begin(&[byte; SEEN]);
        assert!((0..=0xFF).all(|byte: u8| is(byte) == byte.is_ascii_alphanumeric()));
    }
}

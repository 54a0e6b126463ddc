//! What follows a `。` that parts the labels of a domain: ASCII, or a character with which a native
//! top-level domain begins. All others end sentences, and a search dismisses them by this alone.

/// The first bytes of the names, in a charset.
pub(super) struct Ahead {
    /// A bit for the hash of each beginning.
    bits: Box<[u64; WORDS]>,
    /// From this lead on a beginning has three bytes, below it two.
    three: u8,
}

const HASH_BITS: u32 = 13;
const WORDS: usize = 1 << (HASH_BITS - 6);

/// How many bytes of a name are the beginning of another charset's names, from the first lead that
/// says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leads {
    /// Characters beyond U+07FF begin with these in UTF-8.
    Utf8,
    /// All characters beyond ASCII have two bytes, or are told apart by two.
    Pairs,
}

impl Ahead {
    /// That of names, of each of which the first four bytes are given (the rest zeros).
    pub(super) fn new(leads: Leads, firsts: impl Iterator<Item = [u8; 4]>) -> Ahead {
        let mut ahead = Ahead {
            bits: Box::new([0; WORDS]),
            three: match leads {
                Leads::Utf8 => 0xE0,
                Leads::Pairs => 0xFF,
            },
        };
        for [lead, second, third, _] in firsts {
            // A character of one byte says nothing of what follows.
            let seconds = if second == 0 {
                0..=0xFF
            } else {
                second..=second
            };
            for second in seconds {
                ahead.add([lead, second, third]);
            }
        }
        ahead
    }

    fn add(&mut self, first: [u8; 3]) {
        let bit = self.bit_of(first);
        if let Some(word) = self.bits.get_mut(bit >> 6) {
            *word |= 1 << (bit & 63);
        }
    }

    /// Whether a domain may go on with these bytes, or they are too few to say so.
    #[inline]
    pub(super) fn may_begin(&self, bytes: &[u8]) -> bool {
        match *bytes {
            [lead, ..] if lead.is_ascii() => lead.is_ascii_alphanumeric() || lead == b'&',
            [lead, second, third, ..] => {
                let bit = self.bit_of([lead, second, third]);
                let word = self.bits.get(bit >> 6).copied().unwrap_or(0);
                word >> (bit & 63) & 1 != 0
            }
            _ => true,
        }
    }

    #[inline]
    fn bit_of(&self, [lead, second, third]: [u8; 3]) -> usize {
        let third = if lead >= self.three { third } else { 0 };
        let word = u32::from_le_bytes([lead, second, third, 0]);
        (word.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_a_name_is_ahead_and_little_else() {
        let names = ["みんな", "中国", "рф", "コム"];
        let firsts = names.map(|name| {
            let mut first = [0; 4];
            let len = name.chars().next().map_or(0, char::len_utf8);
            first[..len].copy_from_slice(&name.as_bytes()[..len]);
            first
        });
        let ahead = Ahead::new(Leads::Utf8, firsts.into_iter());
        for name in names {
            assert!(ahead.may_begin(name.as_bytes()));
        }
        for ch in ["a", "Z", "7", "&", "", "\u{30B3}"] {
            assert!(ahead.may_begin(ch.as_bytes()), "{ch}");
        }
        for ch in [" ", "\n", "<", "次の", "ア", "「"] {
            assert!(!ahead.may_begin(ch.as_bytes()), "{ch}");
        }
        let others =
            ('\u{3041}'..'\u{9FFF}').filter(|ch| ahead.may_begin(format!("{ch}ー").as_bytes()));
        assert!(others.count() < 60);
    }

    #[test]
    fn a_first_character_of_one_byte_lets_all_pass() {
        let ahead = Ahead::new(
            Leads::Pairs,
            [[0x80, 0, 0, 0], [0xD6, 0xD0, 0, 0]].into_iter(),
        );
        assert!((0..=0xFF).all(|second| ahead.may_begin(&[0x80, second, b'a'])));
        assert!(ahead.may_begin(&[0xD6, 0xD0, 0xB9]) && !ahead.may_begin(&[0xD6, 0xD1, 0xB9]));
        assert!(ahead.may_begin(&[0xD6, 0xD0]));
    }
}

//! Every way to write characters: an encoder knows one for each, and a decoder may read more.

/// How many low bits of its number tell a character from nearly all others.
const BITS: u32 = 16;

/// Characters, and the bytes that are read as each of them in a charset.
pub(crate) struct Writings {
    /// In order.
    chars: Vec<char>,
    /// The ways to write each.
    ways: Vec<Vec<Vec<u8>>>,
    /// A bit for each, by its low bits.
    bits: Vec<u64>,
}

impl Writings {
    pub(super) fn new(chars: impl IntoIterator<Item = char>) -> Self {
        let mut chars: Vec<char> = chars.into_iter().collect();
        chars.sort_unstable();
        chars.dedup();
        let mut bits = vec![0; 1 << (BITS - 6)];
        for &ch in &chars {
            let (word, bit) = place(ch);
            bits[word] |= bit;
        }
        let ways = vec![Vec::new(); chars.len()];
        Writings { chars, ways, bits }
    }

    /// The ways to write a character, each once and in no order: none when the charset lacks it, or nobody asked for it.
    pub(crate) fn of(&self, ch: char) -> &[Vec<u8>] {
        let at = self.chars.binary_search(&ch).ok();
        at.and_then(|at| self.ways.get(at)).map_or(&[], |ways| ways)
    }

    /// Adds the characters that some bytes and one byte more are read as, if they are asked for.
    pub(super) fn add_read(&mut self, lead: &[u8], read: impl Iterator<Item = (u8, char)>) {
        for (trail, ch) in read {
            let (word, bit) = place(ch);
            if self.bits[word] & bit != 0 {
                self.add(ch, [lead, &[trail]].concat());
            }
        }
    }

    fn add(&mut self, ch: char, bytes: Vec<u8>) {
        let at = self.chars.binary_search(&ch).ok();
        let ways = at.and_then(|at| self.ways.get_mut(at));
        if let Some(ways) = ways.filter(|ways| !ways.contains(&bytes)) {
            ways.push(bytes);
        }
    }

    /// Adds what an encoder writes, as far as it has the characters.
    pub(super) fn add_encoded(&mut self, encode: impl Fn(&str, &mut Vec<u8>) -> Result<(), usize>) {
        let mut bytes = Vec::new();
        for (ch, ways) in self.chars.iter().zip(&mut self.ways) {
            bytes.clear();
            if encode(ch.encode_utf8(&mut [0; 4]), &mut bytes).is_ok() && !ways.contains(&bytes) {
                ways.push(bytes.clone());
            }
        }
    }
}

/// The word and the bit of a character.
fn place(ch: char) -> (usize, u64) {
    let low = u32::from(ch) & ((1 << BITS) - 1);
    ((low >> 6) as usize, 1 << (low & 63))
}

//! All byte sequences that decode to given characters: an encoder writes one for each, a decoder
//! may read more.

/// The low bits of a code point that [`ByteSequences`] filters by: they tell nearly all characters
/// apart.
const FILTER_BITS: u32 = 16;

/// Some characters, and the byte sequences that a charset decodes to each of them. Made by
/// [`Charset::byte_sequences`](crate::Charset::byte_sequences).
///
/// ```
/// use linkglot_charset::Charset;
///
/// let sequences = Charset::WINDOWS_1252.byte_sequences(['é', 'б']);
/// assert_eq!(sequences.of('é'), [b"\xE9".to_vec()]);
/// ```
pub struct ByteSequences {
    /// The characters, sorted.
    chars: Vec<char>,
    /// The byte sequences of each character in `chars`.
    sequences: Vec<Vec<Vec<u8>>>,
    /// A set bit for the low bits of each character: one look-up rejects most characters of a decoder's tables.
    filter: Vec<u64>,
}

impl ByteSequences {
    pub(crate) fn new(chars: impl IntoIterator<Item = char>) -> Self {
        let mut chars: Vec<char> = chars.into_iter().collect();
        chars.sort_unstable();
        chars.dedup();
        let mut filter = vec![0; 1 << (FILTER_BITS - 6)];
        for &ch in &chars {
            let (word, bit) = filter_bit(ch);
            filter[word] |= bit;
        }
        ByteSequences {
            sequences: vec![Vec::new(); chars.len()],
            chars,
            filter,
        }
    }

    /// The byte sequences of a character, each once and in no order. Empty when the charset lacks the character, or the
    /// character was not asked for.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    ///
    /// let sequences = Charset::WINDOWS_1252.byte_sequences(['é', 'б']);
    /// assert!(sequences.of('б').is_empty());
    /// ```
    pub fn of(&self, ch: char) -> &[Vec<u8>] {
        let at = self.chars.binary_search(&ch).ok();
        at.and_then(|at| self.sequences.get(at))
            .map_or(&[], |sequences| sequences)
    }

    /// Adds the sequences of `lead` and one byte more: `decoded` has that byte and the character.
    pub(crate) fn add_decoded(&mut self, lead: &[u8], decoded: impl Iterator<Item = (u8, char)>) {
        for (trail, ch) in decoded {
            let (word, bit) = filter_bit(ch);
            if self.filter[word] & bit != 0
                && let Ok(at) = self.chars.binary_search(&ch)
            {
                add_new(&mut self.sequences[at], &[lead, &[trail]].concat());
            }
        }
    }

    /// Adds the sequences that an encoder writes for the characters that it has.
    pub(crate) fn add_encoded(&mut self, encode: impl Fn(&str, &mut Vec<u8>) -> Result<(), usize>) {
        let mut bytes = Vec::new();
        for (ch, sequences) in self.chars.iter().zip(&mut self.sequences) {
            bytes.clear();
            if encode(ch.encode_utf8(&mut [0; 4]), &mut bytes).is_ok() {
                add_new(sequences, &bytes);
            }
        }
    }
}

fn add_new(sequences: &mut Vec<Vec<u8>>, bytes: &[u8]) {
    if !sequences.iter().any(|known| known == bytes) {
        sequences.push(bytes.to_vec());
    }
}

/// The word and the bit of a character in the filter.
fn filter_bit(ch: char) -> (usize, u64) {
    let low = u32::from(ch) & ((1 << FILTER_BITS) - 1);
    ((low >> 6) as usize, 1 << (low & 63))
}

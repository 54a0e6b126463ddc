//! Names as numbers, and the hash table that finds elements, attributes and rules by them.

use crate::byte_search::{head, lower, start_word};

/// The comparison of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// Byte by byte, as in XML.
    Exact,
    /// Without regard to ASCII case, as in HTML. Names in tables are in lower case.
    Ignored,
}

impl Case {
    #[inline(always)]
    fn fold(self, word: u64) -> u64 {
        match self {
            Case::Exact => word,
            Case::Ignored => lower(word),
        }
    }

    /// True if a name equals a name of a table.
    #[inline]
    pub fn matches(self, known: &[u8], name: &[u8]) -> bool {
        match self {
            Case::Exact => known == name,
            Case::Ignored => {
                let folded = name.iter().map(u8::to_ascii_lowercase);
                known.len() == name.len() && known.iter().copied().eq(folded)
            }
        }
    }
}

/// Set in ambiguous digests: of names longer than eight bytes, and of names that begin with a byte beyond ASCII.
const AMBIGUOUS: u64 = 0x80;

/// A name as a number. A name of up to eight bytes is its own digest, with the first byte lowest and zeros behind it.
#[inline]
pub(crate) fn digest(name: &[u8], case: Case) -> u64 {
    if name.len() <= 8 {
        // The zeros would hide a NUL at the end.
        let hidden = name.last() == Some(&0);
        return case.fold(start_word(name)) | if hidden { AMBIGUOUS } else { 0 };
    }
    let (words, rest) = name.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    let rest = (!rest.is_empty()).then(|| start_word(rest));
    let words = words.chain(rest).map(|word| case.fold(word));
    words.fold(name.len() as u64, mix) | AMBIGUOUS
}

/// The [`digest`] of a name of up to 16 bytes in two words, with zeros behind.
#[inline(always)]
pub(crate) fn digest_of_words([first, second]: [u64; 2], length: usize) -> u64 {
    match length {
        ..=8 => first,
        _ => mix(mix(length as u64, first), second) | AMBIGUOUS,
    }
}

#[inline(always)]
fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(SPREAD)
}

/// Carries each bit of a key to all bits above it.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Spreads a key over 64 bits. The upper bits are the well-mixed ones.
#[inline(always)]
pub(super) fn spread(key: u64) -> u64 {
    (key ^ key >> 29).wrapping_mul(SPREAD)
}

/// A bit of each byte: the difference between upper and lower case.
const CASE: u64 = 0x2020_2020_2020_2020;

/// The name of up to seven letters at the beginning of a word: its digest in lower case, and eight times its length. If
/// the length is below 8, no letter follows. `@`, `[`, `_` and their like count as letters, in upper case.
#[inline(always)]
pub(crate) const fn letters(word: u64) -> (u64, u32) {
    // Letters have bit 6 and lack bit 7.
    let others = (!word | (word >> 1)) & 0x4040_4040_4040_4040;
    let below = ((others & others.wrapping_neg()) >> 6).wrapping_sub(1);
    ((word | CASE) & below, others.trailing_zeros() & !7)
}

/// The digest that [`letters`] gives a name, if all bytes of the name were letters.
pub(super) fn folded(name: &[u8]) -> u64 {
    let word = start_word(name);
    let letters = word & (CASE << 1) & !(word >> 1);
    word | letters >> 1
}

/// The first bytes of a word as a digest in lower case.
#[inline(always)]
pub(crate) fn digest_of_head(word: u64, length: usize) -> u64 {
    lower(head(word, length))
}

/// A hash table of numbers by digests, filled once and at most a quarter full. Lookups compare no names unless a digest
/// is ambiguous. The vocabulary chooses the keys, so no document can make them collide.
#[derive(Clone, Debug)]
pub(super) struct Table<V> {
    /// The slots; their number is a power of two.
    slots: Vec<Entry<V>>,
    filled: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry<V> {
    digest: u64,
    value: V,
}

/// The digest in free slots. A name of eight such bytes is compared as a whole.
const FREE: u64 = u64::MAX;

impl<V: Copy + Default> Default for Table<V> {
    fn default() -> Self {
        Table {
            slots: vec![free()],
            filled: 0,
        }
    }
}

impl<V: Copy + Default> Table<V> {
    /// Adds a value that the table does not hold.
    pub fn insert(&mut self, digest: u64, value: V) {
        self.filled += 1;
        if self.filled * 4 > self.slots.len() {
            let free = vec![free(); (self.filled * 8).next_power_of_two()];
            let slots = std::mem::replace(&mut self.slots, free);
            let known = slots.into_iter().filter(|entry| entry.digest != FREE);
            known.for_each(|entry| self.place(entry));
        }
        self.place(Entry { digest, value });
    }

    fn place(&mut self, entry: Entry<V>) {
        let mask = self.slots.len() - 1;
        let mut at = first(entry.digest) & mask;
        while self.slots[at].digest != FREE {
            at = (at + 1) & mask;
        }
        self.slots[at] = entry;
    }

    /// The value of a digest that is not ambiguous. O(1).
    #[inline(always)]
    pub fn get(&self, digest: u64) -> Option<V> {
        self.get_if(digest, |_| false)
    }

    /// The value of a name; `is_named` tells whether a value has the name. O(1).
    #[inline(always)]
    pub fn get_if(&self, digest: u64, is_named: impl Fn(V) -> bool) -> Option<V> {
        let mut at = first(digest);
        loop {
            let entry = self.slots.get(at & (self.slots.len().wrapping_sub(1)))?;
            if entry.digest == digest && (digest & AMBIGUOUS == 0 || is_named(entry.value)) {
                return Some(entry.value);
            }
            if entry.digest == FREE {
                return None;
            }
            at += 1;
        }
    }
}

fn free<V: Copy + Default>() -> Entry<V> {
    Entry {
        digest: FREE,
        value: V::default(),
    }
}

#[inline(always)]
fn first(digest: u64) -> usize {
    (digest.wrapping_mul(SPREAD) >> 40) as usize
}

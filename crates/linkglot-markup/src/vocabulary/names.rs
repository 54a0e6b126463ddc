//! Names to small numbers, ASCII case ignored, without allocation.

use super::Role;

/// A hash table of names: at most a quarter full, filled once.
#[derive(Clone, Debug, Default)]
pub struct NameTable {
    names: Vec<Box<[u8]>>,
    /// A power of two in length.
    slots: Vec<Slot>,
    /// The names of up to eight bytes by [`word_key`]. A power of two in length, or empty.
    words: Vec<Word>,
    /// The names of up to seven letters by their [`letters_key`]. A power of two in length, or empty.
    letters: Vec<Word>,
    /// By length (31: all longer ones), a bit for each low five bits of a first byte.
    shapes: [u32; 32],
}

/// A place of the table.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: Key,
    /// Index + 1 into the names; 0 is free.
    number: u16,
}

/// A name's length, first and last bytes in lower case: all of a name of up to 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Key {
    first: u64,
    last: u64,
    len: usize,
}

/// Short tags without attributes, whole, by their [`tag_key`].
#[derive(Clone, Debug, Default)]
pub struct TagTable {
    /// A power of two in length, at most a quarter full, or empty.
    slots: Vec<WholeTag>,
}

/// A short tag without attributes.
#[derive(Clone, Copy, Debug, Default)]
pub struct WholeTag {
    key: u64,
    /// Its length in bytes; 0 is free.
    pub length: u8,
    /// Whether it is an end tag.
    pub closing: bool,
    /// What its element means.
    pub role: Role,
}

/// The bytes up to the first `>` of eight, the first one lowest, letters in lower case; `None` when there is none.
#[inline(always)]
pub fn tag_key(word: u64) -> Option<u64> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let other = word ^ (ONES * b'>' as u64);
    let ends = other.wrapping_sub(ONES) & !other & (ONES << 7);
    // Up to the top bit of the lowest byte that is marked.
    let below = ends ^ ends.wrapping_sub(1);
    // Only bytes with bit 6 have a case, and a few that are no letters.
    let folded = word | ((word & (ONES << 6)) >> 1);
    (ends != 0).then_some(folded & below)
}

impl TagTable {
    /// The start tag and the end tag of each name of letters and digits that is short enough.
    pub fn new<'n>(names: impl Iterator<Item = (&'n str, Role)>) -> Self {
        let tags: Vec<(String, bool, Role)> = names
            .filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_alphanumeric()))
            .flat_map(|(name, role)| {
                let open = role
                    .is_transparent()
                    .then(|| (format!("<{name}>"), false, role));
                open.into_iter().chain([(format!("</{name}>"), true, role)])
            })
            .filter(|(tag, ..)| tag.len() <= 8)
            .collect();
        let size = (tags.len() * 4).next_power_of_two();
        let mut slots = vec![WholeTag::default(); size];
        for (tag, closing, role) in tags {
            let key = name_key(tag.as_bytes());
            let mut at = (spread(key) >> 40) as usize & (size - 1);
            while slots[at].length != 0 && slots[at].key != key {
                at = (at + 1) & (size - 1);
            }
            let length = tag.len() as u8;
            slots[at] = WholeTag {
                key,
                length,
                closing,
                role,
            };
        }
        TagTable { slots }
    }

    /// The tag with a [`tag_key`]. O(1).
    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<&WholeTag> {
        let mut at = (spread(key) >> 40) as usize;
        loop {
            let slot = self.slots.get(at & self.slots.len().wrapping_sub(1))?;
            if slot.key == key {
                return Some(slot);
            }
            if slot.length == 0 {
                return None;
            }
            at += 1;
        }
    }
}

/// Elements whose names are up to seven letters, by their [`letters_key`]: all of the standard's, and many more.
#[derive(Clone, Debug)]
pub struct ElementTable {
    slots: Box<[Known; ElementTable::SIZE]>,
}

/// An element.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    key: u64,
    /// Its index into the names.
    pub index: u16,
    /// What it means.
    pub role: Role,
}

impl Known {
    /// A free place: no letters have its key.
    const FREE: Known = Known {
        key: u64::MAX,
        index: 0,
        role: Role::Plain,
    };
}

impl ElementTable {
    const SIZE: usize = 1024;

    /// Elements that are numbered in order. Of equal names the first counts. Some of them are left out where there are
    /// hundreds.
    pub fn new<'n>(names: impl Iterator<Item = (&'n str, Role)>) -> Self {
        let mut slots = Box::new([Known::FREE; ElementTable::SIZE]);
        let names = names.enumerate().filter(|(_, (name, _))| {
            matches!(name.len(), 1..=7) && name.bytes().all(|byte| byte.is_ascii_alphabetic())
        });
        for (index, (name, role)) in names.take(ElementTable::SIZE / 2) {
            let key = name_key(name.as_bytes());
            let mut at = ElementTable::place(key);
            while slots[at].key != Known::FREE.key && slots[at].key != key {
                at = (at + 1) % ElementTable::SIZE;
            }
            if slots[at].key != key {
                let index = index as u16;
                slots[at] = Known { key, index, role };
            }
        }
        ElementTable { slots }
    }

    #[inline(always)]
    fn place(key: u64) -> usize {
        (key.wrapping_mul(SPREAD) >> 54) as usize
    }

    /// The element with a [`letters_key`]. O(1).
    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<&Known> {
        let mut at = ElementTable::place(key);
        loop {
            let known = &self.slots[at];
            if known.key == key {
                return Some(known);
            }
            if known.key == Known::FREE.key {
                return None;
            }
            at = (at + 1) % ElementTable::SIZE;
        }
    }
}

impl Default for ElementTable {
    fn default() -> Self {
        ElementTable::new(std::iter::empty())
    }
}

/// A place of the table of short names.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    key: u64,
    /// Index + 1 into the names; 0 is free.
    number: u16,
}

/// A name in lower case as a number: the first `length` (up to eight) of the bytes that stand at it, the first
/// one lowest.
#[inline(always)]
pub fn word_key(word: u64, length: usize) -> u64 {
    let head = match length {
        0..8 => word & !(u64::MAX << (8 * length)),
        _ => word,
    };
    lower(head)
}

/// A bit of each byte that is the difference between upper and lower case.
const CASE: u64 = 0x2020_2020_2020_2020;

/// The name of up to seven letters that begins with eight bytes, the first one lowest: its key, and eight times its
/// length; where the length is not 8, what stands behind it is no letter. Quicker than [`word_key`], which gives the same
/// key when all of these are letters. They are when the key is in a table; without a table `_` and DEL are one, and so are
/// a few other pairs.
#[inline(always)]
pub const fn letters_key(word: u64) -> (u64, u32) {
    // Letters have bit 6, and bit 7 not.
    let others = (!word | (word >> 1)) & 0x4040_4040_4040_4040;
    let below = ((others & others.wrapping_neg()) >> 6).wrapping_sub(1);
    ((word | CASE) & below, others.trailing_zeros() & !7)
}

/// The key by which [`letters_key`] would find a name, if it were made of letters.
pub fn folded_key(name: &[u8]) -> u64 {
    let mut head = [0; 8];
    let bytes = head.iter_mut().zip(name);
    bytes.for_each(|(head, &byte)| {
        *head = if byte & 0xC0 == 0x40 {
            byte | 0x20
        } else {
            byte
        }
    });
    u64::from_le_bytes(head)
}

/// [`word_key`] of a name's first eight bytes.
pub fn name_key(name: &[u8]) -> u64 {
    let mut head = [0; 8];
    let bytes = head.iter_mut().zip(name);
    bytes.for_each(|(head, byte)| *head = byte.to_ascii_lowercase());
    u64::from_le_bytes(head)
}

/// Spreads a key over 64 bits; the upper ones are the good ones.
#[inline(always)]
pub fn spread(key: u64) -> u64 {
    (key ^ key >> 29).wrapping_mul(SPREAD)
}

/// Takes each bit of a key to all bits above it.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl NameTable {
    /// A table of names, which are numbered in order. Of equal names the first counts.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut table = NameTable::default();
        for name in names {
            let name = name.to_ascii_lowercase().into_bytes();
            table.names.push(name.into_boxed_slice());
        }
        let size = (table.names.len() * 4).next_power_of_two();
        table.slots = vec![Slot::default(); size];
        table.words = vec![Word::default(); size];
        table.letters = vec![Word::default(); size * 2];
        for index in 0..table.names.len() {
            table.insert(index);
        }
        table
    }

    /// The number of a name of up to eight bytes, none of them NUL, by its [`word_key`]. O(1).
    #[inline(always)]
    pub fn get_word(&self, key: u64) -> Option<usize> {
        find(&self.words, key)
    }

    /// The number of a name of up to seven letters by its [`letters_key`]. Names with other characters are not
    /// found. O(1).
    #[inline(always)]
    pub fn get_letters(&self, key: u64) -> Option<usize> {
        find(&self.letters, key)
    }

    fn insert_word(&mut self, index: usize, name: &[u8]) {
        if name.len() > 8 || name.contains(&0) {
            return;
        }
        place(&mut self.words, index, name);
        if name.len() < 8 && name.iter().all(u8::is_ascii_alphabetic) {
            place(&mut self.letters, index, name);
        }
    }

    fn insert(&mut self, index: usize) {
        let name = self.names[index].clone();
        let Some(&first) = name.first() else { return };
        if self.get(&name).is_some() {
            return;
        }
        self.insert_word(index, &name);
        let key = Key::of(&name);
        let mask = self.slots.len() - 1;
        let mut slot = key.hash() & mask;
        while self.slots[slot].number != 0 {
            slot = (slot + 1) & mask;
        }
        self.shapes[name.len().min(31)] |= 1 << (first & 31);
        self.slots[slot] = Slot {
            key,
            number: index as u16 + 1,
        };
    }

    /// The number of a name in any ASCII case. O(length).
    #[inline]
    pub fn get(&self, name: &[u8]) -> Option<usize> {
        let first = *name.first()?;
        if self.shapes[name.len().min(31)] & (1 << (first & 31)) == 0 {
            return None;
        }
        let key = Key::of(name);
        let mut at = key.hash();
        loop {
            let slot = self.slots.get(at & (self.slots.len() - 1))?;
            let index = usize::from(slot.number).checked_sub(1)?;
            if slot.key == key && (name.len() <= 16 || self.is(index, name)) {
                return Some(index);
            }
            at += 1;
        }
    }

    fn is(&self, index: usize, name: &[u8]) -> bool {
        self.names
            .get(index)
            .is_some_and(|own| own.eq_ignore_ascii_case(name))
    }
}

#[inline(always)]
fn find(words: &[Word], key: u64) -> Option<usize> {
    let mut at = (spread(key) >> 40) as usize;
    loop {
        let word = words.get(at & words.len().wrapping_sub(1))?;
        let index = usize::from(word.number).checked_sub(1)?;
        if word.key == key {
            return Some(index);
        }
        at += 1;
    }
}

fn place(words: &mut [Word], index: usize, name: &[u8]) {
    let (key, mask) = (name_key(name), words.len() - 1);
    let mut at = (spread(key) >> 40) as usize & mask;
    while words[at].number != 0 {
        at = (at + 1) & mask;
    }
    words[at] = Word {
        key,
        number: index as u16 + 1,
    };
}

impl Key {
    #[inline]
    fn of(name: &[u8]) -> Key {
        let (first, last) = match (name.first_chunk::<8>(), name.last_chunk::<8>()) {
            (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
            _ => (short(name), 0),
        };
        Key {
            first: lower(first),
            last: lower(last),
            len: name.len(),
        }
    }

    #[inline]
    fn hash(&self) -> usize {
        let mixed = self.first ^ self.last.rotate_left(23) ^ self.len as u64;
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize
    }
}

/// The bytes of a name of less than eight.
#[inline]
fn short(name: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (name.first_chunk::<4>(), name.last_chunk::<4>()) {
        let last = u64::from(u32::from_le_bytes(*last));
        return u64::from(u32::from_le_bytes(*first)) | last << 32;
    }
    match *name {
        [one] => u64::from(one),
        [one, two] => u64::from(one) | u64::from(two) << 8,
        [one, two, three] => u64::from(one) | u64::from(two) << 8 | u64::from(three) << 16,
        _ => 0,
    }
}

/// Eight bytes in ASCII lower case at once.
#[inline]
fn lower(bytes: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let low = bytes & (0x7F * ONES);
    let from_a = low + (0x80 - b'A' as u64) * ONES;
    let behind_z = low + (0x80 - b'Z' as u64 - 1) * ONES;
    let upper = from_a & !behind_z & !bytes & (0x80 * ONES);
    bytes | upper >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_name_in_any_case_and_no_other() {
        let names = [
            "a",
            "href",
            "xlink:href",
            "data-large_image",
            "http-equiv",
            "a",
        ];
        let table = NameTable::new(names);
        for (index, name) in names.iter().enumerate().take(5) {
            assert_eq!(table.get(name.as_bytes()), Some(index));
            assert_eq!(table.get(name.to_uppercase().as_bytes()), Some(index));
            let known = (name.len() <= 8).then_some(index);
            assert_eq!(table.get_word(name_key(name.as_bytes())), known);
        }
        assert_eq!(table.get_word(name_key(b"b")), None);
        let word = u64::from_le_bytes(*b"HREF=xyz");
        assert_eq!(word_key(word, 4), name_key(b"href"));
        assert_eq!(word_key(word, 8), name_key(b"href=xyz"));
        for name in [
            "",
            "b",
            "hrefs",
            "xlink:hreg",
            "data-large\u{7f}image",
            "http\requiv",
        ] {
            assert_eq!(table.get(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn letters_are_found_by_a_quicker_key() {
        let table = NameTable::new(["a", "address", "h1", "a_b", "textarea"]);
        for (bytes, length, index) in [
            (b"a>bcdefg", 1, Some(0)),
            (b"A href=x", 1, Some(0)),
            (b"aDDress>", 7, Some(1)),
            (b"h1>efghi", 1, None),
            (b"a_b>cdef", 3, None),
            (b"a\x7Fb>cdef", 3, None),
            (b"textarea", 8, None),
            (b"a\xE9>bcdef", 1, Some(0)),
            (b"-abcdefg", 0, None),
        ] {
            let (key, bits) = letters_key(u64::from_le_bytes(*bytes));
            assert_eq!(bits, length * 8, "{bytes:?}");
            assert_eq!(table.get_letters(key), index, "{bytes:?}");
        }
        for name in [&b"href"[..], b"a_b", b"XLINK"] {
            let mut bytes = *b"=======!";
            bytes[..name.len()].copy_from_slice(name);
            let (key, _) = letters_key(u64::from_le_bytes(bytes));
            assert_eq!(key, folded_key(name));
        }
    }

    #[test]
    fn elements_are_found_with_their_roles() {
        let names = [
            ("p", Role::Plain),
            ("a", Role::Anchor),
            ("h1", Role::Heading),
            ("a", Role::Plain),
            ("section", Role::Plain),
            ("textarea", Role::Rcdata),
            ("", Role::Plain),
        ];
        let table = ElementTable::new(names.into_iter());
        let get = |name: &[u8]| table.get(name_key(name)).map(|it| (it.index, it.role));
        assert_eq!(get(b"P"), Some((0, Role::Plain)));
        assert_eq!(get(b"a"), Some((1, Role::Anchor)));
        assert_eq!(get(b"SECTION"), Some((4, Role::Plain)));
        for name in [&b""[..], b"h1", b"textarea", b"b", b"aa"] {
            assert_eq!(get(name), None);
        }
        assert!(ElementTable::default().get(name_key(b"a")).is_none());
        assert!(ElementTable::default().get(0).is_none());
    }

    #[test]
    fn a_table_of_elements_is_never_full() {
        let letter = |at: usize| char::from(b'a' + (at % 26) as u8);
        let name = |at: usize| String::from_iter([letter(at), letter(at / 26), letter(at / 676)]);
        let names: Vec<_> = (0..3000).map(name).collect();
        let table = ElementTable::new(names.iter().map(|name| (&**name, Role::Code)));
        let get = |name: &str| Some(usize::from(table.get(name_key(name.as_bytes()))?.index));
        let found: Vec<_> = names.iter().map(|name| get(name)).collect();
        let known = found.iter().take_while(|found| found.is_some()).count();
        assert_eq!(known, ElementTable::SIZE / 2);
        assert!((0..known).all(|at| found[at] == Some(at)));
        assert!(found[known..].iter().all(Option::is_none));
    }

    #[test]
    fn short_tags_are_found_whole() {
        let names = [
            ("li", Role::Plain),
            ("a", Role::Anchor),
            ("h1", Role::Plain),
            ("strong", Role::Plain),
        ];
        let table = TagTable::new(names.into_iter());
        let get = |bytes: &[u8; 8]| {
            let tag = table.get(tag_key(u64::from_le_bytes(*bytes))?)?;
            Some((tag.length, tag.closing, tag.role))
        };
        assert_eq!(get(b"<li>abcd"), Some((4, false, Role::Plain)));
        assert_eq!(get(b"</lI></p"), Some((5, true, Role::Plain)));
        assert_eq!(get(b"</a>>>>>"), Some((4, true, Role::Anchor)));
        assert_eq!(get(b"<H1>>>>>"), Some((4, false, Role::Plain)));
        assert_eq!(get(b"<STRONG>"), Some((8, false, Role::Plain)));
        let others = [
            b"<a>bcdef",
            b"</strong",
            b"<li >abc",
            b"<p>abcde",
            b"<h\x11>abcd",
            b"<lI\x00>abc",
            b"<l\xC9>abcd",
            b"\x1Cli>abcd",
            b">\x00\x00\x00\x00\x00\x00\x00",
        ];
        assert!(others.iter().all(|other| get(other).is_none()));
        assert!(TagTable::default().get(0).is_none());
    }

    #[test]
    fn lower_case_is_that_of_ascii() {
        for byte in 0..=255_u8 {
            let expected = u64::from_le_bytes([byte.to_ascii_lowercase(); 8]);
            assert_eq!(lower(u64::from_le_bytes([byte; 8])), expected);
        }
    }

    #[test]
    fn an_empty_table_finds_nothing() {
        assert_eq!(NameTable::new([]).get(b"a"), None);
        assert_eq!(NameTable::default().get(b"a"), None);
        assert_eq!(NameTable::default().get_word(name_key(b"a")), None);
        assert_eq!(NameTable::new([]).get_word(name_key(b"a")), None);
        assert_eq!(NameTable::new([]).get_letters(name_key(b"a")), None);
        assert_eq!(NameTable::default().get_letters(name_key(b"a")), None);
    }
}

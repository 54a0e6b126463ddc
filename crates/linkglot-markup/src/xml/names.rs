//! Names of elements and attributes: their parts, the numbers of prefixes, and what places call them.

use crate::html::swar;
use crate::slot::Name;
use linkglot_charset::Charset;
use std::borrow::Cow;
use std::collections::HashMap;

/// A prefix's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PrefixId(pub u32);

impl PrefixId {
    /// No prefix.
    pub const NONE: PrefixId = PrefixId(0);
    /// `xml`.
    pub const XML: PrefixId = PrefixId(1);
    /// One that nothing declares, or one too many to be remembered: never bound.
    pub const OTHER: PrefixId = PrefixId(2);
}

/// The attribute that declares a base (XML Base, section 3). Its prefix is never bound to anything else.
pub(super) const BASE: &[u8] = b"xml:base";

const MOST_PREFIXES: usize = 1 << 12;
/// Longer names of elements are not told apart, and longer prefixes are not known.
pub(super) const LONGEST_NAME: usize = 256;

/// A raw name in its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts<'n> {
    /// What stands before the first colon.
    pub prefix: &'n [u8],
    pub local: &'n [u8],
}

impl<'n> Parts<'n> {
    #[inline]
    pub fn of(raw: &'n [u8]) -> Parts<'n> {
        match colon_of(raw) {
            Some(colon) => Parts::at(raw, colon),
            None => Parts::local(raw),
        }
    }

    /// Those of a name with its first colon at `colon`.
    #[inline]
    pub fn at(raw: &'n [u8], colon: usize) -> Parts<'n> {
        Parts {
            prefix: raw.get(..colon).unwrap_or_default(),
            local: raw.get(colon + 1..).unwrap_or_default(),
        }
    }

    /// Those of a name without one.
    #[inline]
    pub fn local(raw: &'n [u8]) -> Parts<'n> {
        Parts {
            prefix: b"",
            local: raw,
        }
    }

    /// The prefix that an attribute with the name declares (Namespaces in XML 1.0, section 3).
    pub fn declares(self) -> Option<&'n [u8]> {
        match (self.prefix, self.local) {
            (b"", b"xmlns") => Some(b""),
            (b"xmlns", declared) => Some(declared),
            _ => None,
        }
    }
}

/// Where in a name the first colon stands. Most names are short.
#[inline]
pub(super) fn colon_of(raw: &[u8]) -> Option<usize> {
    match raw.len() {
        0..=8 => Some(swar::colon(head(raw))).filter(|&colon| colon < 8),
        _ => memchr::memchr(b':', raw),
    }
}

/// A name as vocabularies write it, which is in UTF-8.
#[inline]
pub(super) fn text_of(raw: &[u8], charset: Charset) -> Cow<'_, [u8]> {
    if charset == Charset::UTF_8 || raw.is_ascii() {
        return Cow::Borrowed(raw);
    }
    match charset.decode(raw) {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// The prefixes that the document declares.
#[derive(Debug, Default)]
pub(super) struct Prefixes {
    names: Vec<Box<[u8]>>,
    /// Those behind the first few.
    numbers: HashMap<Box<[u8]>, PrefixId>,
}

/// As many prefixes are looked at one by one.
const FEW: usize = 8;
const FIRST: usize = PrefixId::OTHER.0 as usize + 1;

impl Prefixes {
    /// The number of a prefix.
    #[inline]
    pub fn find(&self, raw: &[u8]) -> PrefixId {
        match raw {
            b"" => return PrefixId::NONE,
            b"xml" => return PrefixId::XML,
            _ => {}
        }
        let mut first = self.names.iter().take(FEW);
        if let Some(index) = first.position(|name| same(name, raw)) {
            return PrefixId((FIRST + index) as u32);
        }
        match self.names.len() > FEW {
            true => self.numbers.get(raw).copied().unwrap_or(PrefixId::OTHER),
            false => PrefixId::OTHER,
        }
    }

    /// The number of a prefix that is being declared.
    pub fn declare(&mut self, raw: &[u8]) -> PrefixId {
        let known = self.find(raw);
        let full = self.names.len() >= MOST_PREFIXES || raw.len() > LONGEST_NAME;
        if known != PrefixId::OTHER || full {
            return known;
        }
        let id = PrefixId((FIRST + self.names.len()) as u32);
        if self.names.len() >= FEW {
            self.numbers.insert(raw.into(), id);
        }
        self.names.push(raw.into());
        id
    }
}

/// What places call the names that the document uses: each is made once, if it is met again soon.
#[derive(Debug, Default)]
pub(super) struct Spellings {
    /// Empty at first; then a power of two in length.
    places: Vec<Option<(Box<[u8]>, Name)>>,
}

/// As many names are remembered.
const REMEMBERED: usize = 64;

impl Spellings {
    /// The name as the document writes it.
    pub fn name(&mut self, raw: &[u8], charset: Charset) -> Name {
        let new = || Name::from(&*charset.decode(raw));
        if raw.len() > LONGEST_NAME {
            return new();
        }
        if self.places.is_empty() {
            self.places.resize(REMEMBERED, None);
        }
        let Some(place) = self.places.get_mut(hash(raw) as usize % REMEMBERED) else {
            return new();
        };
        match place {
            Some((known, name)) if same(known, raw) => name.clone(),
            place => place.insert((raw.into(), new())).1.clone(),
        }
    }
}

/// A table of a vocabulary's own names: whoever looks up others cannot make any collide.
#[derive(Clone, Debug)]
pub(super) struct NameMap<V> {
    names: Vec<(Box<[u8]>, V)>,
    /// Hash and index + 1; 0 is free. A power of two in length, at most half full.
    places: Vec<(u32, u32)>,
}

impl<V> Default for NameMap<V> {
    fn default() -> Self {
        NameMap {
            names: Vec::new(),
            places: vec![(0, 0); 2],
        }
    }
}

impl<V: Copy> NameMap<V> {
    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn get(&self, name: &[u8]) -> Option<V> {
        let hash = hash(name);
        let mut at = hash as usize;
        loop {
            let &(found, number) = self.places.get(at & (self.places.len() - 1))?;
            let index = (number as usize).checked_sub(1)?;
            let (known, value) = self.names.get(index)?;
            if found == hash && same(known, name) {
                return Some(*value);
            }
            at += 1;
        }
    }

    /// Adds a name that is not there.
    pub fn insert(&mut self, name: &[u8], value: V) {
        self.names.push((name.into(), value));
        if self.names.len() * 2 <= self.places.len() {
            return self.place(self.names.len() - 1);
        }
        self.places = vec![(0, 0); self.places.len() * 2];
        for index in 0..self.names.len() {
            self.place(index);
        }
    }

    fn place(&mut self, index: usize) {
        let (hash, mask) = (hash(&self.names[index].0), self.places.len() - 1);
        let mut at = hash as usize & mask;
        while self.places[at].1 != 0 {
            at = (at + 1) & mask;
        }
        self.places[at] = (hash, index as u32 + 1);
    }
}

/// The first eight bytes of a name, the first one lowest; zeros behind a shorter one.
#[inline]
pub(super) fn head(name: &[u8]) -> u64 {
    if let Some(head) = name.first_chunk::<8>() {
        return u64::from_le_bytes(*head);
    }
    if let (Some(first), Some(last)) = (name.first_chunk::<4>(), name.last_chunk::<4>()) {
        let last = u64::from(u32::from_le_bytes(*last));
        return u64::from(u32::from_le_bytes(*first)) | last << (8 * (name.len() - 4));
    }
    let backwards = name.iter().rev();
    backwards.fold(0, |head, &byte| head << 8 | u64::from(byte))
}

/// A quick hash of a short name.
#[inline]
pub(super) fn hash(raw: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = raw.len() as u64;
    let (eights, rest) = raw.as_chunks::<8>();
    for chunk in eights {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*chunk)).wrapping_mul(FACTOR);
    }
    hash = (hash.rotate_left(5) ^ tail(rest)).wrapping_mul(FACTOR);
    (hash >> 32) as u32
}

/// Fewer than eight bytes as a number; those of one length are told apart by it.
#[inline]
fn tail(rest: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return u64::from(first) << 32 | u64::from(last);
    }
    rest.iter()
        .fold(0, |tail, &byte| tail << 8 | u64::from(byte))
}

/// Whether two names are the same: short ones are compared without a call.
#[inline]
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let chunks = a.iter().zip(b);
    let mut same = tail(a_rest) == tail(b_rest);
    for (a, b) in chunks {
        same &= u64::from_le_bytes(*a) == u64::from_le_bytes(*b);
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        for (raw, prefix, local, declares) in [
            ("href", "", "href", None),
            ("a:b:c", "a", "b:c", None),
            (":a", "", "a", None),
            ("a:", "a", "", None),
            ("xmlns", "", "xmlns", Some("")),
            (":xmlns", "", "xmlns", Some("")),
            ("xmlns:p", "xmlns", "p", Some("p")),
            ("xmlns:", "xmlns", "", Some("")),
            ("xmlnsp", "", "xmlnsp", None),
        ] {
            let parts = Parts::of(raw.as_bytes());
            assert_eq!(parts.prefix, prefix.as_bytes(), "{raw}");
            assert_eq!(parts.local, local.as_bytes(), "{raw}");
            assert_eq!(parts.declares(), declares.map(str::as_bytes), "{raw}");
        }
    }

    #[test]
    fn heads_are_the_first_bytes() {
        for length in 0..12 {
            let name = &b"abcdefghijkl"[..length];
            let mut expected = [0; 8];
            expected[..length.min(8)].copy_from_slice(&name[..length.min(8)]);
            assert_eq!(head(name).to_le_bytes(), expected);
        }
    }

    #[test]
    fn prefixes_have_numbers() {
        let mut prefixes = Prefixes::default();
        assert_eq!(prefixes.find(b"p0"), PrefixId::OTHER);
        let names: Vec<String> = (0..MOST_PREFIXES).map(|n| format!("p{n}")).collect();
        for (number, name) in names.iter().enumerate() {
            let id = prefixes.declare(name.as_bytes());
            assert_eq!(id, PrefixId((FIRST + number) as u32));
            assert_eq!(prefixes.declare(name.as_bytes()), id);
        }
        for (number, name) in names.iter().enumerate() {
            let id = PrefixId((FIRST + number) as u32);
            assert_eq!(prefixes.find(name.as_bytes()), id);
        }
        assert_eq!(prefixes.declare(b"more"), PrefixId::OTHER);
        assert_eq!(prefixes.find(b""), PrefixId::NONE);
        assert_eq!(prefixes.declare(b"xml"), PrefixId::XML);
    }

    #[test]
    fn names_are_found_again() {
        let names: Vec<String> = (0..300)
            .map(|n| format!("{}{n}", "name".repeat(n % 9)))
            .collect();
        let (mut map, mut spellings) = (NameMap::default(), Spellings::default());
        assert_eq!(map.get(b"x"), None::<usize>);
        for (number, name) in names.iter().enumerate() {
            map.insert(name.as_bytes(), number);
        }
        for (number, name) in names.iter().enumerate() {
            assert_eq!(map.get(name.as_bytes()), Some(number));
            assert_eq!(map.get(format!("{name}x").as_bytes()), None);
            for _ in 0..2 {
                let spelled = spellings.name(name.as_bytes(), Charset::UTF_8);
                assert_eq!(&*spelled, name);
            }
        }
    }
}

//! Names of elements and attributes: their parts, prefixes as numbers, and copies for places.

use crate::byte_search::{self, start_word};
use crate::slot::Name;
use crate::vocabulary::{Case, digest};
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
    /// An undeclared prefix, or one beyond the bound: never bound to a namespace.
    pub const OTHER: PrefixId = PrefixId(2);
}

/// The attribute that declares a base (XML Base, section 3). Its prefix is never bound to another namespace.
pub(super) const BASE: &[u8] = b"xml:base";

const MOST_PREFIXES: usize = 1 << 12;
/// The most bytes of a name. Longer names of elements count as equal, and longer prefixes are unknown.
pub(super) const LONGEST_NAME: usize = 256;

/// A raw name in its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts<'n> {
    /// The part before the first colon.
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

    /// The parts of a name with its first colon at `colon`.
    #[inline]
    pub fn at(raw: &'n [u8], colon: usize) -> Parts<'n> {
        Parts {
            prefix: raw.get(..colon).unwrap_or_default(),
            local: raw.get(colon + 1..).unwrap_or_default(),
        }
    }

    /// The parts of a name without a colon.
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

/// The position of the first colon in a name. Most names are short.
#[inline]
pub(super) fn colon_of(raw: &[u8]) -> Option<usize> {
    match raw.len() {
        0..=8 => Some(byte_search::colon(start_word(raw))).filter(|&colon| colon < 8),
        _ => memchr::memchr(b':', raw),
    }
}

/// A name in UTF-8, as in vocabularies.
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
    /// The prefixes behind the first few.
    numbers: HashMap<Box<[u8]>, PrefixId>,
}

/// Number of prefixes that are searched one by one.
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
        if self.names.len() > FEW {
            self.numbers.get(raw).copied().unwrap_or(PrefixId::OTHER)
        } else {
            PrefixId::OTHER
        }
    }

    /// The number of a prefix at its declaration.
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

/// Copies of the document's names, for places. Recent names share a copy.
#[derive(Debug, Default)]
pub(super) struct Spellings {
    /// The names kept: none at first, then a power of two.
    places: Vec<Option<(Box<[u8]>, Name)>>,
}

/// The number of names that are kept.
const REMEMBERED: usize = 64;

impl Spellings {
    /// The name as written in the document.
    pub fn name(&mut self, raw: &[u8], charset: Charset) -> Name {
        let new = || Name::from(&*charset.decode(raw));
        if raw.len() > LONGEST_NAME {
            return new();
        }
        if self.places.is_empty() {
            self.places.resize(REMEMBERED, None);
        }
        let Some(place) = self.places.get_mut(hash(raw) % REMEMBERED) else {
            return new();
        };
        match place {
            Some((known, name)) if same(known, raw) => name.clone(),
            place => place.insert((raw.into(), new())).1.clone(),
        }
    }
}

/// A hash of a name for caches, whose entries are compared as a whole.
#[inline]
pub(super) fn hash(raw: &[u8]) -> usize {
    (digest(raw, Case::Exact).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize
}

/// True if two names are the same: short ones are compared without a call.
#[inline]
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let chunks = a.iter().zip(b);
    let mut same = start_word(a_rest) == start_word(b_rest);
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
        let mut spellings = Spellings::default();
        for name in &names {
            for _ in 0..2 {
                let spelled = spellings.name(name.as_bytes(), Charset::UTF_8);
                assert_eq!(&*spelled, name);
            }
        }
    }
}

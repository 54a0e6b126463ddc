//! Names of elements and attributes, each met once and then known by its number, with what the vocabulary says of it.

use super::vocabulary::{NamespaceId, Rules, XmlVocabulary};
use crate::charset::Charset;
use crate::markup::slot::Name;
use std::collections::HashMap;

/// A name's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NameId(pub u32);

impl NameId {
    /// Any name that is not remembered (too many or too long).
    pub const OTHER: NameId = NameId(0);
}

/// A prefix's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PrefixId(pub u32);

impl PrefixId {
    /// No prefix.
    pub const NONE: PrefixId = PrefixId(0);
    /// `xml`.
    pub const XML: PrefixId = PrefixId(1);
    /// One too many to be remembered: never bound.
    pub const OTHER: PrefixId = PrefixId(2);
}

/// What is known of a name.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    raw: Box<[u8]>,
    /// The name as it is written.
    pub text: Name,
    pub prefix: PrefixId,
    /// Where its local part begins in `text`.
    local: usize,
    /// Whether it declares a namespace, and for which prefix.
    pub declares: Option<PrefixId>,
    /// Whether the vocabulary has rows for attributes so named.
    pub known: bool,
    /// Whether it is `xml:base`.
    pub is_base: bool,
}

impl Entry {
    /// Whether it is a name that is remembered, and this one.
    #[inline]
    pub fn is(&self, raw: &[u8]) -> bool {
        !raw.is_empty() && same(&self.raw, raw)
    }

    /// The part behind the prefix.
    pub fn local(&self) -> &str {
        self.text.get(self.local..).unwrap_or_default()
    }
}

/// The attribute that declares a base (XML Base, section 3). Its prefix is never bound to anything else.
pub(super) const BASE: &[u8] = b"xml:base";

const MOST_NAMES: usize = 1 << 14;
const MOST_PREFIXES: usize = 1 << 12;
const LONGEST_NAME: usize = 256;
/// Names with the same hash are looked at up to this many, so that names made to collide cost little.
const MOST_PROBES: usize = 16;

/// The names met so far.
#[derive(Debug)]
pub(super) struct Names {
    entries: Vec<Entry>,
    /// The name that came after each the last time: documents repeat themselves.
    after: Vec<NameId>,
    /// Open addressing: hash and number; number 0 is free.
    table: Vec<(u32, u32)>,
    prefixes: HashMap<Box<[u8]>, PrefixId>,
}

impl Names {
    pub fn new() -> Names {
        let other = Entry {
            raw: Box::default(),
            text: Name::from(""),
            prefix: PrefixId::OTHER,
            local: 0,
            declares: None,
            known: false,
            is_base: false,
        };
        Names {
            entries: vec![other],
            after: vec![NameId::OTHER],
            table: vec![(0, 0); 256],
            prefixes: HashMap::from([
                (Box::default(), PrefixId::NONE),
                (b"xml"[..].into(), PrefixId::XML),
            ]),
        }
    }

    pub fn entry(&self, id: NameId) -> &Entry {
        self.entries.get(id.0 as usize).unwrap_or(&self.entries[0])
    }

    /// The number of a name, if it was met.
    #[inline]
    pub fn find(&self, raw: &[u8]) -> Option<NameId> {
        let hash = hash(raw);
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        for _ in 0..MOST_PROBES {
            let &(found, id) = self.table.get(slot)?;
            if id == 0 {
                return None;
            }
            if found == hash && same(&self.entry(NameId(id)).raw, raw) {
                return Some(NameId(id));
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    /// The number of a name, which is remembered from now on.
    #[inline]
    pub fn intern(&mut self, raw: &[u8], charset: Charset, vocabulary: &XmlVocabulary) -> NameId {
        match self.find(raw) {
            Some(id) => id,
            None => self.add(raw, charset, vocabulary),
        }
    }

    /// The same for the name that comes after another in a tag.
    #[inline]
    pub fn intern_after(
        &mut self,
        before: NameId,
        raw: &[u8],
        charset: Charset,
        vocabulary: &XmlVocabulary,
    ) -> NameId {
        let guess = self.after.get(before.0 as usize).copied();
        if let Some(guess) = guess.filter(|&guess| self.entry(guess).is(raw)) {
            return guess;
        }
        let id = self.intern(raw, charset, vocabulary);
        if let Some(after) = self.after.get_mut(before.0 as usize) {
            *after = id;
        }
        id
    }

    #[cold]
    fn add(&mut self, raw: &[u8], charset: Charset, vocabulary: &XmlVocabulary) -> NameId {
        if self.entries.len() >= MOST_NAMES || raw.len() > LONGEST_NAME {
            return NameId::OTHER;
        }
        let entry = self.describe(raw, charset, vocabulary);
        let id = self.entries.len() as u32;
        self.entries.push(entry);
        self.after.push(NameId::OTHER);
        if self.entries.len() * 2 > self.table.len() {
            self.grow();
            return NameId(id);
        }
        match place(&mut self.table, hash(raw), id) {
            true => NameId(id),
            false => {
                self.entries.pop();
                self.after.pop();
                NameId::OTHER
            }
        }
    }

    fn grow(&mut self) {
        let mut table = vec![(0, 0); self.table.len() * 2];
        for (id, entry) in self.entries.iter().enumerate().skip(1) {
            // A name without a free place is met again as a new one.
            place(&mut table, hash(&entry.raw), id as u32);
        }
        self.table = table;
    }

    /// What there is to know of a name, remembered or not.
    pub fn describe(&mut self, raw: &[u8], charset: Charset, vocabulary: &XmlVocabulary) -> Entry {
        let colon = memchr::memchr(b':', raw);
        let (prefix, local) = match colon {
            Some(colon) => (raw.get(..colon), raw.get(colon + 1..)),
            None => (Some(&b""[..]), Some(raw)),
        };
        let (prefix, local) = (prefix.unwrap_or_default(), local.unwrap_or_default());
        let declares = match (prefix, local) {
            (b"", b"xmlns") => Some(PrefixId::NONE),
            (b"xmlns", declared) => Some(self.prefix(declared)),
            _ => None,
        };
        let text = Name::from(&*charset.decode(raw));
        let local = match colon {
            Some(_) => text.find(':').map_or(0, |colon| colon + 1),
            None => 0,
        };
        Entry {
            raw: raw.into(),
            prefix: self.prefix(prefix),
            known: vocabulary.knows_attribute(text.get(local..).unwrap_or_default()),
            is_base: raw == BASE,
            local,
            text,
            declares,
        }
    }

    pub(super) fn prefix(&mut self, raw: &[u8]) -> PrefixId {
        if raw.is_empty() {
            return PrefixId::NONE;
        }
        if let Some(&id) = self.prefixes.get(raw) {
            return id;
        }
        if self.prefixes.len() >= MOST_PREFIXES || raw.len() > LONGEST_NAME {
            return PrefixId::OTHER;
        }
        let id = PrefixId(self.prefixes.len() as u32 + 1);
        self.prefixes.insert(raw.into(), id);
        id
    }
}

fn place(table: &mut [(u32, u32)], hash: u32, id: u32) -> bool {
    let mask = table.len() - 1;
    let mut slot = hash as usize & mask;
    for _ in 0..MOST_PROBES {
        match table.get_mut(slot) {
            Some(free) if free.1 == 0 => {
                *free = (hash, id);
                return true;
            }
            _ => slot = (slot + 1) & mask,
        }
    }
    false
}

/// A quick hash of a short name.
#[inline]
fn hash(raw: &[u8]) -> u32 {
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
fn same(a: &[u8], b: &[u8]) -> bool {
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

/// What the vocabulary says of the places met last: a small table, each place in one slot of it.
#[derive(Debug)]
pub(super) struct RuleCache {
    /// A power of two in length.
    slots: Vec<(Place, Option<Rules>)>,
    /// How many places were not at hand.
    missed: usize,
}

/// An attribute (or content) of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub element: NameId,
    pub element_namespace: NamespaceId,
    /// [`NameId::OTHER`]: the content.
    pub attribute: NameId,
    pub attribute_namespace: NamespaceId,
}

/// How many places are remembered at first, and in a document that has many.
const CACHED: usize = 32;
const MOST_CACHED: usize = 512;

const FREE: (Place, Option<Rules>) = (
    Place {
        element: NameId::OTHER,
        element_namespace: NamespaceId::NONE,
        attribute: NameId::OTHER,
        attribute_namespace: NamespaceId::NONE,
    },
    None,
);

impl RuleCache {
    pub fn new() -> RuleCache {
        RuleCache {
            slots: vec![FREE; CACHED],
            missed: 0,
        }
    }

    /// The rules of a place, found with `look_up` if they are not at hand.
    #[inline]
    pub fn get(&mut self, place: Place, look_up: impl FnOnce() -> Option<Rules>) -> Option<&Rules> {
        let mixed = place.element.0.wrapping_mul(31) ^ place.attribute.0.wrapping_mul(0x9E37_79B1);
        let slot = mixed as usize & (self.slots.len() - 1);
        let known = self.slots.get(slot).is_some_and(|slot| slot.0 == place);
        if !known || place.element == NameId::OTHER {
            return self.find(place, mixed as usize, look_up());
        }
        self.slots.get(slot)?.1.as_ref()
    }

    #[cold]
    fn find(&mut self, place: Place, mixed: usize, rules: Option<Rules>) -> Option<&Rules> {
        self.missed += 1;
        if self.missed > self.slots.len() / 2 && self.slots.len() < MOST_CACHED {
            self.slots = vec![FREE; self.slots.len() * 2];
            self.missed = 0;
        }
        let slot = mixed & (self.slots.len() - 1);
        let slot = self.slots.get_mut(slot)?;
        *slot = (place, rules);
        slot.1.as_ref()
    }
}

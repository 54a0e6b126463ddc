//! What is known of elements by their names: documents use few, and again and again.

use super::names::head;
use super::scope::Content;
use super::tables::Kind;
use super::vocabulary::NamespaceId;
use crate::markup::vocabulary::{ElementId, Filter};

/// What follows from an element's name where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub namespace: NamespaceId,
    /// What the vocabulary says of it, and that of HTML.
    pub rows: Kind,
    pub html: Option<ElementId>,
    /// What attributes without a prefix may have rules.
    pub plain: Filter,
    /// What its content is, and whether there is no running text in it; `None` when its attributes or the elements around
    /// must be asked.
    pub content: Option<(Content, bool)>,
}

impl Default for Facts {
    fn default() -> Self {
        Facts {
            namespace: NamespaceId::NONE,
            rows: Kind::default(),
            html: None,
            plain: Filter::NONE,
            content: None,
        }
    }
}

/// A name of up to sixteen bytes, in a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    first: u64,
    /// Its last eight bytes; 0 in shorter names.
    last: u64,
    /// 0 in free places.
    length: u32,
    generation: u32,
}

impl Key {
    #[inline]
    fn of(name: &[u8], generation: u32) -> Option<Key> {
        let length = name.len();
        let (first, last) = match (name.first_chunk::<8>(), name.last_chunk::<8>()) {
            (Some(first), Some(last)) if length > 8 => {
                (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
            }
            _ => (head(name), 0),
        };
        matches!(length, 1..=16).then_some(Key {
            first,
            last,
            length: length as u32,
            generation,
        })
    }

    #[inline(always)]
    fn place(&self) -> usize {
        let mixed = self.first ^ self.last.rotate_left(23);
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % PLACES
    }
}

const PLACES: usize = 32;

/// The elements met last.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Empty at first.
    places: Vec<(Key, Facts)>,
}

impl Known {
    /// What is known of an element. `generation`: the number of the bindings of prefixes.
    #[inline]
    pub fn get(&self, name: &[u8], generation: u32) -> Option<&Facts> {
        let key = Key::of(name, generation)?;
        let (known, facts) = self.places.get(key.place())?;
        (*known == key).then_some(facts)
    }

    /// The same for a name of up to seven bytes, the first one lowest and the others zero.
    #[inline(always)]
    pub fn short(&self, name: u64, length: usize, generation: u32) -> Option<&Facts> {
        let key = Key {
            first: name,
            last: 0,
            length: length as u32,
            generation,
        };
        let (known, facts) = self.places.get(key.place())?;
        (*known == key && length < 8).then_some(facts)
    }

    pub fn add(&mut self, name: &[u8], generation: u32, facts: Facts) {
        const FREE: Key = Key {
            first: 0,
            last: 0,
            length: 0,
            generation: 0,
        };
        let Some(key) = Key::of(name, generation) else {
            return;
        };
        if self.places.is_empty() {
            self.places = vec![(FREE, Facts::default()); PLACES];
        }
        if let Some(place) = self.places.get_mut(key.place()) {
            *place = (key, facts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_its_own_facts() {
        let names: Vec<String> = (0..2000)
            .map(|n| format!("{}{n}", "-".repeat(n % 13)))
            .collect();
        let mut known = Known::default();
        for (number, name) in names.iter().enumerate() {
            for generation in [1, 2] {
                assert!(known.get(name.as_bytes(), generation).is_none());
                let namespace = NamespaceId(number as u32 * generation);
                let facts = Facts {
                    namespace,
                    ..Facts::default()
                };
                known.add(name.as_bytes(), generation, facts);
                let found = known.get(name.as_bytes(), generation);
                assert!(found.is_none_or(|found| found.namespace == namespace));
                assert_eq!(found.is_some(), name.len() <= 16);
                let found = known.short(head(name.as_bytes()), name.len(), generation);
                assert!(found.is_none_or(|found| found.namespace == namespace));
                assert_eq!(found.is_some(), name.len() < 8);
            }
        }
        assert!(known.get(b"", 1).is_none());
    }
}

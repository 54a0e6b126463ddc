//! What is known of elements by their names: documents use few, and again and again.

use super::names::head;
use super::scope::Content;
use super::tables::Kind;
use super::vocabulary::NamespaceId;
use crate::slot::SharedPlace;
use crate::vocabulary::{ElementId, Filter};

/// What follows from an element's name where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub namespace: NamespaceId,
    /// What the vocabulary says of it, and that of HTML.
    pub rows: Kind,
    pub html: Option<ElementId>,
    /// What attributes without a prefix may have rules.
    pub plain: Filter,
    pub content: Settled,
}

/// What is known of an element's content by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    /// What it is, and whether there is no running text in it and what it contains.
    As(Content, bool),
    /// Running text, which is that of a link if the element has a `href`; that attribute is among those that may have rules.
    Linked,
    /// Its attributes or the elements around must be asked.
    Not,
}

impl Default for Facts {
    fn default() -> Self {
        Facts {
            namespace: NamespaceId::NONE,
            rows: Kind::default(),
            html: None,
            plain: Filter::NONE,
            content: Settled::Not,
        }
    }
}

/// A raw name of up to sixteen bytes, and the namespace that its prefix stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// Its bytes, the first one lowest; zeros behind them.
    first: u64,
    second: u64,
    /// 0 in free places.
    length: u32,
    pub namespace: NamespaceId,
}

impl Key {
    pub fn bytes(&self) -> [u64; 2] {
        [self.first, self.second]
    }

    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// That of a name; `None` when it is longer.
    #[inline]
    pub fn of(name: &[u8], namespace: NamespaceId) -> Option<Key> {
        let second = name.get(8..).map_or(0, head);
        let length = Some(name.len()).filter(|length| (1..=16).contains(length))?;
        Some(Key::new([head(name), second], length, namespace))
    }

    #[inline(always)]
    pub fn new([first, second]: [u64; 2], length: usize, namespace: NamespaceId) -> Key {
        Key {
            first,
            second,
            length: length as u32,
            namespace,
        }
    }

    #[inline(always)]
    fn place(&self) -> usize {
        let mixed = self.first ^ self.second.rotate_left(23);
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize
    }
}

/// As many elements are known: no document is made of more.
const MOST: usize = 64;
/// Most documents are made of no more.
const USUAL: usize = 24;
/// A power of two, of which half are free at least.
const PLACES: usize = 2 * MOST;

/// The elements that were met.
#[derive(Debug)]
pub(super) struct Known {
    elements: Vec<(Key, Facts)>,
    /// Their numbers, from 1, by their keys.
    places: [u8; PLACES],
}

impl Default for Known {
    fn default() -> Self {
        Known {
            elements: Vec::new(),
            places: [0; PLACES],
        }
    }
}

impl Known {
    #[inline(always)]
    pub fn get(&self, key: Key) -> Option<&Facts> {
        let mut place = key.place();
        loop {
            let number = usize::from(self.places[place % PLACES]);
            let (known, facts) = self.elements.get(number.checked_sub(1)?)?;
            if *known == key {
                return Some(facts);
            }
            place += 1;
        }
    }

    /// Adds one that is not known.
    pub fn add(&mut self, key: Key, facts: Facts) {
        if self.elements.len() == MOST {
            *self = Known::default();
        }
        let mut place = key.place();
        while self.places[place % PLACES] != 0 {
            place += 1;
        }
        if self.elements.is_empty() {
            self.elements.reserve(USUAL);
        }
        self.elements.push((key, facts));
        self.places[place % PLACES] = self.elements.len() as u8;
    }
}

/// The places that slots stood in, by the names of elements and of attributes without a prefix.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Empty at first.
    kept: Vec<Option<([Key; 2], SharedPlace)>>,
}

/// As many places are kept. A power of two.
const KEPT: usize = 16;

impl Places {
    #[inline]
    pub fn get(&self, (element, attribute): (Key, Key)) -> Option<&SharedPlace> {
        let (known, place) = self.kept.get(Places::at(element, attribute))?.as_ref()?;
        (*known == [element, attribute]).then_some(place)
    }

    pub fn add(&mut self, (element, attribute): (Key, Key), place: SharedPlace) {
        if self.kept.is_empty() {
            self.kept.resize(KEPT, None);
        }
        if let Some(kept) = self.kept.get_mut(Places::at(element, attribute)) {
            *kept = Some(([element, attribute], place));
        }
    }

    #[inline]
    fn at(element: Key, attribute: Key) -> usize {
        (element.place() ^ attribute.place() >> 3) % KEPT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slot::{Place, PlaceKind};
    use std::collections::HashMap;

    #[test]
    fn each_name_has_its_own_facts() {
        let names: Vec<String> = (0..2000)
            .map(|n| format!("{}{n}", "-".repeat(n % 17)))
            .collect();
        let mut known = Known::default();
        for name in &names {
            for namespace in [NamespaceId::NONE, NamespaceId::XHTML] {
                let Some(key) = Key::of(name.as_bytes(), namespace) else {
                    assert!(name.len() > 16);
                    continue;
                };
                assert!(known.get(key).is_none());
                let facts = Facts {
                    namespace,
                    ..Facts::default()
                };
                known.add(key, facts);
                assert!(
                    known
                        .get(key)
                        .is_some_and(|found| found.namespace == namespace)
                );
            }
        }
        assert!(Key::of(b"", NamespaceId::NONE).is_none());
        assert!(known.get(Key::new([0; 2], 0, NamespaceId::NONE)).is_none());
    }

    #[test]
    fn places_are_those_of_their_names() {
        let keys = (0..300).map(|n| {
            let element = Key::of(format!("e{}", n % 40).as_bytes(), NamespaceId(n % 3));
            let attribute = Key::of(format!("a{}", n % 70).as_bytes(), NamespaceId::NONE);
            element.zip(attribute).expect("short names")
        });
        let place = |n: usize| {
            SharedPlace::from(Place::new(
                PlaceKind::Attribute,
                None,
                Some(n.to_string().into()),
            ))
        };
        let (mut places, mut known) = (Places::default(), HashMap::new());
        let mut kept = 0;
        for (n, key) in keys.clone().chain(keys).enumerate() {
            let name = format!("{key:?}");
            match places.get(key) {
                Some(place) => assert_eq!(Some(place), known.get(&name)),
                None => {
                    known.insert(name, place(n));
                    places.add(key, place(n));
                }
            }
            kept += usize::from(places.get(key) == Some(&place(n)));
        }
        assert!(kept > 300, "{kept}");
    }
}

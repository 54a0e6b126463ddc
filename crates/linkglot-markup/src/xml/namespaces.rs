//! Namespaces that a document declares and no row of the vocabulary names: they have numbers too, so that places can tell
//! them.

use super::vocabulary::{NamespaceId, XmlVocabulary};
use crate::slot::Name;
use std::collections::HashMap;

/// More of them, or more bytes of their names, are not told apart.
const MOST: usize = 4096;
const MOST_BYTES: usize = 1 << 18;

/// As many are looked at one by one.
const FEW: usize = 8;

/// The namespaces of one document beside those of the vocabulary.
#[derive(Debug)]
pub(super) struct Namespaces {
    first: u32,
    names: Vec<Name>,
    /// Those behind the first few.
    numbers: HashMap<Name, u32>,
    bytes: usize,
}

impl Namespaces {
    pub fn new(vocabulary: &XmlVocabulary) -> Namespaces {
        Namespaces {
            first: vocabulary.first_free().0,
            names: Vec::new(),
            numbers: HashMap::new(),
            bytes: 0,
        }
    }

    /// The number of a namespace; the empty name is none.
    pub fn number(&mut self, vocabulary: &XmlVocabulary, name: &str) -> NamespaceId {
        match vocabulary.namespace(name) {
            NamespaceId::UNKNOWN => self.own(name),
            known => known,
        }
    }

    fn own(&mut self, name: &str) -> NamespaceId {
        let mut few = self.names.iter().take(FEW);
        if let Some(index) = few.position(|known| **known == *name) {
            return NamespaceId(self.first + index as u32);
        }
        if let Some(&number) = self.numbers.get(name) {
            return NamespaceId(number);
        }
        if self.names.len() >= MOST || self.bytes + name.len() > MOST_BYTES {
            return NamespaceId::UNKNOWN;
        }
        let number = self.first + self.names.len() as u32;
        let name = Name::from(name);
        self.bytes += name.len();
        if self.names.len() >= FEW {
            self.numbers.insert(name.clone(), number);
        }
        self.names.push(name);
        NamespaceId(number)
    }

    /// The name of a namespace, if it has one and it is known.
    pub fn name(&self, vocabulary: &XmlVocabulary, id: NamespaceId) -> Option<Name> {
        let own = id.0.checked_sub(self.first);
        match own {
            Some(index) => self.names.get(index as usize).cloned(),
            None => vocabulary.namespace_name(id).cloned(),
        }
    }
}

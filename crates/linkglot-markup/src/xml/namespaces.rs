//! Numbers for namespaces that a document declares and no row of the vocabulary names, so that places can show them.

use crate::slot::Name;
use crate::vocabulary::{NamespaceId, Vocabulary};
use std::collections::HashMap;

/// The most namespaces, and the most bytes of their names. Further namespaces are unknown.
const MOST: usize = 4096;
const MOST_BYTES: usize = 1 << 18;

/// Number of namespaces that are searched one by one.
const FEW: usize = 8;

/// The namespaces of one document besides those of the vocabulary.
#[derive(Debug)]
pub(super) struct Namespaces {
    first: NamespaceId,
    names: Vec<Name>,
    /// The namespaces behind the first few.
    numbers: HashMap<Name, NamespaceId>,
    bytes: usize,
}

impl Namespaces {
    pub fn new(vocabulary: &Vocabulary) -> Namespaces {
        Namespaces {
            first: vocabulary.first_free(),
            names: Vec::new(),
            numbers: HashMap::new(),
            bytes: 0,
        }
    }

    /// The number of a namespace. The empty name is no namespace.
    pub fn number(&mut self, vocabulary: &Vocabulary, name: &str) -> NamespaceId {
        let known = vocabulary.namespace(name);
        known.unwrap_or_else(|| self.own(name))
    }

    fn own(&mut self, name: &str) -> NamespaceId {
        let mut few = self.names.iter().take(FEW);
        if let Some(index) = few.position(|known| **known == *name) {
            return self.first.plus(index);
        }
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        if self.names.len() >= MOST || self.bytes + name.len() > MOST_BYTES {
            return NamespaceId::UNKNOWN;
        }
        let number = self.first.plus(self.names.len());
        let name = Name::from(name);
        self.bytes += name.len();
        if self.names.len() >= FEW {
            self.numbers.insert(name.clone(), number);
        }
        self.names.push(name);
        number
    }

    /// The name of a namespace, if it is known and not empty.
    pub fn name(&self, vocabulary: &Vocabulary, id: NamespaceId) -> Option<Name> {
        match id.index().checked_sub(self.first.index()) {
            Some(index) => self.names.get(index).cloned(),
            None => vocabulary.namespace_name(id),
        }
    }
}

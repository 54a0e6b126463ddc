//! The places of recent slots: links at the same kind of place share one.

use crate::slot::{Place, SharedPlace};

/// A cache of places by key.
#[derive(Debug)]
pub(crate) struct Places<K>(Vec<Option<(K, SharedPlace)>>);

impl<K> Default for Places<K> {
    fn default() -> Self {
        Places(Vec::new())
    }
}

impl<K: Copy + PartialEq> Places<K> {
    /// Number of places kept, a power of two.
    const KEPT: usize = 32;

    /// The place with a key and its hash, if `is_wanted` agrees.
    #[inline]
    pub fn get(
        &self,
        hash: usize,
        key: K,
        is_wanted: impl FnOnce(&Place) -> bool,
    ) -> Option<&SharedPlace> {
        match self.0.get(hash % Self::KEPT) {
            Some(Some((known, place))) if *known == key && is_wanted(place) => Some(place),
            _ => None,
        }
    }

    /// Keeps a place, in place of another one with the same hash.
    pub fn add(&mut self, hash: usize, key: K, place: SharedPlace) -> SharedPlace {
        if self.0.is_empty() {
            self.0.resize(Self::KEPT, None);
        }
        if let Some(kept) = self.0.get_mut(hash % Self::KEPT) {
            *kept = Some((key, place.clone()));
        }
        place
    }
}

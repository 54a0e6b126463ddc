//! The places of recent slots: links that stand alike share one.

use crate::slot::{Place, SharedPlace};

/// A cache of places.
#[derive(Debug, Default)]
pub(crate) struct Places(Vec<Option<SharedPlace>>);

impl Places {
    /// A power of two.
    const KEPT: usize = 32;

    /// The place with this hash, if it is the wanted one.
    #[inline]
    pub fn get(&self, hash: usize, is_wanted: impl FnOnce(&Place) -> bool) -> Option<&SharedPlace> {
        let place = self.0.get(hash % Self::KEPT)?.as_ref();
        place.filter(|place| is_wanted(place))
    }

    /// Keeps a place instead of another one with the same hash.
    pub fn add(&mut self, hash: usize, place: SharedPlace) -> SharedPlace {
        if self.0.is_empty() {
            self.0.resize(Self::KEPT, None);
        }
        if let Some(kept) = self.0.get_mut(hash % Self::KEPT) {
            *kept = Some(place.clone());
        }
        place
    }
}

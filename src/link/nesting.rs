//! The documents in documents that lead to a link.

use crate::markup::{Name, Place};
use std::sync::Arc;

/// The names of the places that hold the nested documents around a link, outermost first. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Nesting(Option<Arc<[Name]>>);

impl Nesting {
    /// No document around.
    pub const NONE: Nesting = Nesting(None);

    /// Adds the document at a place, named by the attribute or else by the element.
    pub fn inside(&self, place: &Place) -> Nesting {
        let name = place.name.as_ref().or(place.element.as_ref());
        let name = name.cloned();
        let name = name.unwrap_or_else(|| Name::built_in(place.kind.name()));
        let outer = self.as_slice().iter().cloned();
        Nesting(Some(outer.chain([name]).collect()))
    }

    /// True if both are the same, without comparing names.
    #[inline]
    pub fn is_same(&self, other: &Nesting) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }

    pub fn as_slice(&self) -> &[Name] {
        self.0.as_deref().unwrap_or_default()
    }
}

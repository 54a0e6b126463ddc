//! The documents in documents that lead to a link.

use crate::markup::{Name, Place};
use std::sync::Arc;

/// The names of the places that hold the nested documents around a link, outermost first. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Nesting(Option<Arc<[Name]>>);

impl Nesting {
    /// No document but that of the link.
    pub const NONE: Nesting = Nesting(None);

    /// With the document that stands at a place: it is named by the attribute, else by the element.
    pub fn inside(&self, place: &Place) -> Nesting {
        let name = place.name.as_ref().or(place.element.as_ref());
        let name = name.cloned();
        let name = name.unwrap_or_else(|| Name::built_in(place.kind.name()));
        let outer = self.as_slice().iter().cloned();
        Nesting(Some(outer.chain([name]).collect()))
    }

    /// Whether both are the same, told without comparing names.
    #[inline]
    pub fn is_same(&self, other: &Nesting) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }

    /// The names.
    pub fn as_slice(&self) -> &[Name] {
        self.0.as_deref().unwrap_or_default()
    }
}

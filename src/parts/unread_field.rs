//! A field of a header of mail that is not read for links.

use crate::link::{Location, PartPlace};
use linkglot_layer::Layer;
use linkglot_mail::fields::{FieldKind, is_record};
use std::sync::Arc;

/// A field of a header that is not read for links.
pub(crate) struct UnreadField<'f, 'a> {
    pub name: &'f [u8],
    pub kind: FieldKind,
    pub value: &'f [u8],
    /// The first byte of the value, in the source or in the decoded message around it.
    pub origin: u64,
    /// The line and column of this byte in the source.
    pub begin: Location,
    pub around: Option<Arc<PartPlace<'a>>>,
}

impl<'f> UnreadField<'f, '_> {
    /// True if the field identifies the message, or records its way.
    pub fn is_record(&self) -> bool {
        is_record(self.name)
    }

    /// The place of the value at the start of a source.
    pub fn place_at(&self, begin: Location) -> PartPlace<'f> {
        PartPlace::new(0, begin, self.value, self.layers())
    }

    /// The place of the value.
    pub fn place<'p>(&'p self) -> PartPlace<'p> {
        let place = PartPlace::new(self.origin, self.begin, self.value, self.layers());
        place.inside(self.around.clone())
    }

    fn layers(&self) -> &'static [Layer] {
        match memchr::memmem::find(self.value, b"=?") {
            Some(_) => &[Layer::EncodedWords],
            None => &[],
        }
    }
}

//! References inside values.

use crate::escape::Escaping;
use crate::slot::{Access, PlaceKind};
use linkglot_charset::span::TextSpan;

/// A reference in the text of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The range in the text.
    pub span: TextSpan,
    /// The escaping of the reference, in addition to the escaping of the value (CSS strings, JSON strings).
    pub escaping: Escaping,
    /// The kind of the place, if the syntax tells more than the slot (`srcset`, CSS, refresh).
    pub kind: Option<PlaceKind>,
    /// Access to the reference, within the access of the slot.
    pub access: Access,
}

impl Reference {
    /// A reference without an escaping of its own, at a place of the slot's kind.
    pub(crate) fn plain(span: TextSpan) -> Self {
        Reference {
            span,
            escaping: Escaping::None,
            kind: None,
            access: Access::Rewrite,
        }
    }

    /// A whole value, at a place of its own kind.
    #[doc(hidden)]
    pub fn whole(text: &str, kind: PlaceKind) -> Self {
        Reference::of_kind(TextSpan::new(0, text.len()), kind)
    }

    /// A reference without an escaping of its own, at a place of its own kind.
    pub(crate) fn of_kind(span: TextSpan, kind: PlaceKind) -> Self {
        Reference {
            kind: Some(kind),
            ..Reference::plain(span)
        }
    }
}

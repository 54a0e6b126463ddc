//! References inside values.

use crate::escape::Escaping;
use crate::slot::{Access, PlaceKind};
use linkglot_charset::span::TextSpan;

/// A reference in the text of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Its place in the text.
    pub span: TextSpan,
    /// The escaping of the reference there, in addition to the escaping of the value (CSS strings, JSON strings).
    pub escaping: Escaping,
    /// The kind of its place, if the syntax says more than the slot (`srcset`, CSS, refresh).
    pub kind: Option<PlaceKind>,
    /// Whether it may be rewritten, if the slot may be.
    pub access: Access,
}

impl Reference {
    /// A reference that is written as it is, at a place of the slot's kind.
    pub(crate) fn plain(span: TextSpan) -> Self {
        Reference {
            span,
            escaping: Escaping::None,
            kind: None,
            access: Access::Rewrite,
        }
    }

    /// A reference that is written as it is, at a place of its own kind.
    pub(crate) fn of_kind(span: TextSpan, kind: PlaceKind) -> Self {
        Reference {
            kind: Some(kind),
            ..Reference::plain(span)
        }
    }
}

//! The reader's knowledge of the tag at the cursor.

use super::Input;
use super::scope::{Content, Mark};
use super::tag::{Attribute, Shape};
use crate::slot::PlaceKind;
use crate::vocabulary::{ElementId, NamespaceId};
use std::cell::OnceCell;
use std::ops::Range;

/// The tag or instruction at the cursor.
#[derive(Debug)]
pub(super) struct Tag {
    pub kind: PlaceKind,
    pub name: Range<usize>,
    /// A copy of the name, if the window does not hold the whole tag.
    pub kept: Vec<u8>,
    pub namespace: NamespaceId,
    /// The element; in XHTML, the element of HTML.
    pub element: ElementId,
    /// The end of the tag.
    pub end: usize,
    pub shape: Shape,
    /// The declarations in scope before the tag.
    pub mark: Mark,
    pub content: Content,
    pub quiet: bool,
    /// True if the element is nested too deeply and skipped.
    pub beyond: bool,
    /// True if the tag has declared a base.
    pub based: bool,
    /// The attributes that may hold links or declare something.
    pub attributes: Vec<Attribute>,
    /// All attributes, for conditions that ask for them.
    pub all: OnceCell<Vec<Attribute>>,
}

impl Default for Tag {
    fn default() -> Self {
        Tag {
            kind: PlaceKind::Attribute,
            name: 0..0,
            kept: Vec::new(),
            namespace: NamespaceId::NONE,
            element: ElementId::default(),
            end: 0,
            shape: Shape::Open,
            mark: Mark::default(),
            content: Content::Skip,
            quiet: false,
            beyond: false,
            based: false,
            attributes: Vec::new(),
            all: OnceCell::new(),
        }
    }
}

impl Tag {
    /// The raw name of the tag.
    #[inline]
    pub fn raw<'t>(&'t self, input: Input<'t>) -> &'t [u8] {
        if self.kept.is_empty() {
            input.slice(self.name.clone())
        } else {
            &self.kept
        }
    }
}

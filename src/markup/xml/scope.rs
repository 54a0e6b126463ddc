//! Open elements and the namespaces in scope (Namespaces in XML 1.0, section 6).

use super::names::{NameId, PrefixId};
use super::vocabulary::NamespaceId;
use crate::markup::slot::{Access, ScopedBase, Syntax};
use std::sync::Arc;

/// Elements deeper than this, and elements that would hold more declarations open than that, are passed over with a
/// note: nothing in them is a slot.
const DEEPEST: usize = 1 << 16;

/// As many bases in bases are followed, and as many bytes of them together. Deeper ones are not known.
const MOST_BASES: usize = 64;
const MOST_BASE_BYTES: usize = 1 << 16;

/// What an element's text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Nothing of interest, or read already.
    Skip,
    /// Running text.
    Run,
    /// A nested document, piece by piece.
    Pieces(Syntax, Access),
    /// A value, if the element holds nothing else.
    Whole(Syntax, Access),
}

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub name: NameId,
    pub content: Content,
    /// Text in it is not running text (links, code).
    pub quiet: bool,
    before: Mark,
}

/// What is declared at some point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    undo: u32,
    bases: u32,
}

/// The open elements.
#[derive(Debug, Default)]
pub(super) struct Scope {
    frames: Vec<Frame>,
    /// The namespace of each prefix.
    bound: Vec<NamespaceId>,
    /// What was bound before a declaration.
    undo: Vec<(PrefixId, NamespaceId)>,
    /// How many elements with the name are open.
    open: Vec<u32>,
    /// Elements open beyond the bound.
    beyond: u64,
    /// The bases that open elements declare.
    bases: Vec<ScopedBase>,
    base_bytes: usize,
    /// How many bases were declared so far.
    numbers: u64,
}

impl Scope {
    pub fn new() -> Scope {
        Scope {
            bound: vec![NamespaceId::NONE, NamespaceId::XML, NamespaceId::UNKNOWN],
            ..Scope::default()
        }
    }

    /// Whether elements are passed over.
    pub fn is_full(&self) -> bool {
        self.beyond > 0 || self.frames.len() >= DEEPEST || self.undo.len() >= DEEPEST
    }

    /// Whether the innermost element is passed over.
    pub fn is_passed_over(&self) -> bool {
        self.beyond > 0
    }

    /// Opens an element that is passed over.
    pub fn open_beyond(&mut self) {
        self.beyond = self.beyond.saturating_add(1);
    }

    /// A mark for [`close_to`](Self::close_to).
    pub fn mark(&self) -> Mark {
        Mark {
            undo: self.undo.len() as u32,
            bases: self.bases.len() as u32,
        }
    }

    /// The bases that open elements declare, outermost first.
    pub fn bases(&self) -> &[ScopedBase] {
        &self.bases
    }

    /// Declares a base until the element is closed. Below one that is beyond the bounds none is followed.
    pub fn push_base(&mut self, text: Option<Arc<str>>) {
        if self.bases.len() > MOST_BASES {
            return;
        }
        let bytes = text.as_ref().map_or(0, |text| text.len());
        let full = self.bases.len() == MOST_BASES || self.base_bytes + bytes > MOST_BASE_BYTES;
        let text = text.filter(|_| !full);
        self.base_bytes += text.as_ref().map_or(0, |text| text.len());
        self.numbers += 1;
        self.bases.push(ScopedBase {
            number: self.numbers,
            text,
        });
    }

    fn pop_bases(&mut self, mark: Mark) {
        for base in self
            .bases
            .drain((mark.bases as usize).min(self.bases.len())..)
        {
            self.base_bytes -= base.text.map_or(0, |text| text.len());
        }
    }

    /// Binds a prefix until the element is closed.
    pub fn bind(&mut self, prefix: PrefixId, namespace: NamespaceId) {
        if matches!(prefix, PrefixId::XML | PrefixId::OTHER) || self.undo.len() >= 2 * DEEPEST {
            return;
        }
        let index = prefix.0 as usize;
        if self.bound.len() <= index {
            self.bound.resize(index + 1, NamespaceId::UNKNOWN);
        }
        let namespace = match (namespace, prefix) {
            // An undeclared prefix is bound to nothing known (Namespaces 1.1, section 6.1).
            (NamespaceId::NONE, prefix) if prefix != PrefixId::NONE => NamespaceId::UNKNOWN,
            (namespace, _) => namespace,
        };
        if let Some(bound) = self.bound.get_mut(index) {
            let before = std::mem::replace(bound, namespace);
            self.undo.push((prefix, before));
        }
    }

    /// Undoes the declarations since a mark.
    pub fn close_to(&mut self, mark: Mark) {
        if self.bases.len() > mark.bases as usize {
            self.pop_bases(mark);
        }
        while self.undo.len() > mark.undo as usize {
            let Some((prefix, namespace)) = self.undo.pop() else {
                return;
            };
            if let Some(bound) = self.bound.get_mut(prefix.0 as usize) {
                *bound = namespace;
            }
        }
    }

    /// The namespace of an element with the prefix.
    #[inline]
    pub fn element(&self, prefix: PrefixId) -> NamespaceId {
        let bound = self.bound.get(prefix.0 as usize);
        bound.copied().unwrap_or(NamespaceId::UNKNOWN)
    }

    /// The namespace of an attribute with the prefix: the default does not hold for those without.
    #[inline]
    pub fn attribute(&self, prefix: PrefixId) -> NamespaceId {
        match prefix {
            PrefixId::NONE => NamespaceId::NONE,
            prefix => self.element(prefix),
        }
    }

    /// Opens an element whose declarations began at `mark`.
    pub fn open(&mut self, name: NameId, content: Content, quiet: bool, before: Mark) {
        let index = name.0 as usize;
        if self.open.len() <= index {
            self.open.resize(index + 1, 0);
        }
        if let Some(open) = self.open.get_mut(index) {
            *open += 1;
        }
        self.frames.push(Frame {
            name,
            content,
            quiet,
            before,
        });
    }

    /// The innermost open element.
    #[inline]
    pub fn top(&self) -> Option<&Frame> {
        match self.beyond {
            0 => self.frames.last(),
            _ => None,
        }
    }

    /// An end tag: closes the innermost element with the name and those that are open in it. One that
    /// closes none means nothing. Amortized O(1).
    pub fn close(&mut self, name: Option<NameId>) {
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        let name = name.unwrap_or(NameId::OTHER);
        if self.open.get(name.0 as usize).copied().unwrap_or(0) == 0 {
            return;
        }
        while let Some(frame) = self.frames.pop() {
            if let Some(open) = self.open.get_mut(frame.name.0 as usize) {
                *open = open.saturating_sub(1);
            }
            self.close_to(frame.before);
            if frame.name == name {
                return;
            }
        }
    }
}

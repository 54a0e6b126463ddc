//! Quotation marks that tell, from afar, that a value in front of them was never closed.
//!
//! They may stand in values of other tags or in content. A link with one stays as it is: without it the value in front of
//! it would be read on, over the link.

use crate::slot::{Slot, Syntax};

/// Where such marks stand, counted from the byte before the cursor; 0: there is none. At most one of each kind is ahead: a tag that
/// begins before it can be told of by no other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StrayQuotes([usize; 2]);

impl StrayQuotes {
    /// One was seen at this byte behind the cursor, where `bytes` begin.
    pub fn note(&mut self, bytes: &[u8], at: Option<usize>) {
        let Some(at) = at else { return };
        let kind = usize::from(bytes.get(at) == Some(&b'\''));
        self.0[kind] = at + 1;
    }

    /// The cursor moves.
    #[inline]
    pub fn pass(&mut self, bytes: usize) {
        if self.0 != [0; 2] {
            self.0 = self.0.map(|at| at.saturating_sub(bytes));
        }
    }

    /// The cursor moves back.
    #[inline]
    pub fn back(&mut self, bytes: usize) {
        for at in self.0.iter_mut().filter(|at| **at > 0) {
            *at += bytes;
        }
    }

    /// What may become of a slot (`range` counts from the cursor, where `bytes` begin) with such a mark, or with one in front
    /// of it, which would be an end before a `/` or white space: a rule may write these, a form only a `/` for a `\`. In running
    /// text no link goes over a mark, and those in values without quotes are kept one by one (see
    /// [`Escaping::marks`](crate::Escaping)).
    #[inline]
    pub fn limit(self, slot: &mut Slot, bytes: &[u8]) {
        if self.0 != [0; 2] && slot.syntax != Syntax::Text {
            let range = &slot.range;
            let is_slash = bytes.get(range.start) == Some(&b'\\');
            let is_in = |&at: &usize| at > range.start && at <= range.end;
            let is_before = |&at: &usize| at > 0 && at == range.start;
            let is_begun = self.0.iter().any(is_before);
            if self.0.iter().any(is_in) || is_begun && is_slash {
                slot.access = slot.access.less();
            } else if is_begun {
                slot.access = slot.access.without_rules();
            }
        }
    }
}

//! Quotation marks that prove, from afar, that a value before them was never closed.
//!
//! The mark may stand in a value of another tag or in content. A link that contains such a mark stays unchanged:
//! without the mark, the unclosed value would extend over the link.

use crate::slot::{Slot, Syntax};

/// The positions of the marks `"` and `'`, counted from the byte before the cursor; 0 for none. At most one mark of
/// each kind lies ahead: a tag that begins before a mark has no other mark.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StrayQuotes([usize; 2]);

impl StrayQuotes {
    /// Notes a mark at byte `at` behind the cursor, where `bytes` begin.
    pub fn note(&mut self, bytes: &[u8], at: Option<usize>) {
        let Some(at) = at else { return };
        let kind = usize::from(bytes.get(at) == Some(&b'\''));
        self.0[kind] = at + 1;
    }

    /// Moves the cursor forward.
    #[inline]
    pub fn pass(&mut self, bytes: usize) {
        if self.0 != [0; 2] {
            self.0 = self.0.map(|at| at.saturating_sub(bytes));
        }
    }

    /// Moves the cursor back.
    #[inline]
    pub fn back(&mut self, bytes: usize) {
        for at in self.0.iter_mut().filter(|at| **at > 0) {
            *at += bytes;
        }
    }

    /// Lowers the access of a slot that contains a mark. Ranges count from the cursor, where `bytes` begin. A mark
    /// directly before the slot would close a value if a `/` or white space followed: rules may write these, forms only
    /// a `/` for a `\`. In running text no link extends over a mark; in unquoted values the writer keeps each mark.
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

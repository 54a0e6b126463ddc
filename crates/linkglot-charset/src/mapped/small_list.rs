//! A list that holds its first items inline: most links have no more marks.

use std::ops::{Deref, DerefMut};

/// The items that need no allocation.
const INLINE: usize = 3;

/// The items that the first allocation has room for.
const FIRST_SPILL: usize = 32;

#[derive(Clone, Debug)]
pub(super) struct SmallList<T> {
    inline: [T; INLINE],
    used: usize,
    /// All items, once there are more than fit inline.
    spilled: Vec<T>,
}

impl<T: Copy> SmallList<T> {
    /// An empty list; `blank` fills the unused places.
    pub(super) const fn new(blank: T) -> Self {
        SmallList {
            inline: [blank; INLINE],
            used: 0,
            spilled: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, item: T) {
        if self.spilled.is_empty() {
            self.push_inline(item);
        } else {
            self.spilled.push(item);
        }
    }

    fn push_inline(&mut self, item: T) {
        if let Some(place) = self.inline.get_mut(self.used) {
            *place = item;
            self.used += 1;
        } else {
            self.spilled.reserve(FIRST_SPILL);
            self.spilled.extend_from_slice(&self.inline);
            self.spilled.push(item);
        }
    }
}

impl<T> Deref for SmallList<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        if self.spilled.is_empty() {
            &self.inline[..self.used]
        } else {
            &self.spilled
        }
    }
}

impl<T> DerefMut for SmallList<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        if self.spilled.is_empty() {
            &mut self.inline[..self.used]
        } else {
            &mut self.spilled
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_and_spilled_items_are_one_list() {
        let mut list = SmallList::new(0);
        for n in 0..3 * INLINE {
            assert_eq!(list.len(), n);
            list.push(n);
            assert_eq!(list.last(), Some(&n));
            if let Some(last) = list.last_mut() {
                *last = n + 1;
            }
            assert!(list.iter().copied().eq(1..n + 2));
        }
    }
}

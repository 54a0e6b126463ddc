//! A list that keeps its first few items in itself: most links have no more marks.

use std::ops::{Deref, DerefMut};

/// How many items take no memory of their own.
const FEW: usize = 3;

#[derive(Clone, Debug)]
pub(super) struct List<T> {
    few: [T; FEW],
    used: usize,
    /// All of them, once there are more.
    many: Vec<T>,
}

impl<T: Copy> List<T> {
    /// None yet; `blank` is any item.
    pub(super) const fn new(blank: T) -> Self {
        List {
            few: [blank; FEW],
            used: 0,
            many: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, item: T) {
        if self.many.is_empty() {
            if let Some(place) = self.few.get_mut(self.used) {
                *place = item;
                self.used += 1;
                return;
            }
            self.many.extend_from_slice(&self.few);
        }
        self.many.push(item);
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self.many.is_empty() {
            true => self.few.get(..self.used).unwrap_or(&[]),
            false => &self.many,
        }
    }
}

impl<T> DerefMut for List<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match self.many.is_empty() {
            true => self.few.get_mut(..self.used).unwrap_or(&mut []),
            false => &mut self.many,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_list_however_many_there_are() {
        let mut list = List::new(0);
        for n in 0..3 * FEW {
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

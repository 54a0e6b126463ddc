//! Slices by ranges that the program computed itself. A range outside the slice is a bug: debug builds stop, release
//! builds go on with an empty slice rather than panic on somebody's document.

use std::ops::Range;

/// The items of a range.
#[inline(always)]
pub fn slice<T>(items: &[T], range: Range<usize>) -> &[T] {
    debug_assert!(range.start <= range.end && range.end <= items.len());
    items.get(range).unwrap_or_default()
}

/// The items from a position on.
#[inline(always)]
pub fn tail<T>(items: &[T], from: usize) -> &[T] {
    debug_assert!(from <= items.len());
    items.get(from..).unwrap_or_default()
}

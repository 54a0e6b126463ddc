//! Folded content lines (RFC 5545 3.1, RFC 6350 3.2).

mod write;

pub(super) use write::Writer;

use super::Placed;
use super::positions::Positions;
use crate::ranges::{slice, tail};
use std::borrow::Cow;
use std::ops::Range;

pub(super) fn decode(encoded: &[u8]) -> Placed<'_> {
    let mut bytes = Vec::new();
    let mut positions = Positions::default();
    let mut literal = 0;
    for fold in folds(encoded) {
        positions.literal(bytes.len(), literal);
        bytes.extend_from_slice(slice(encoded, literal..fold.start));
        literal = fold.end;
    }
    if literal == 0 {
        return Placed {
            bytes: Cow::Borrowed(encoded),
            positions,
        };
    }
    positions.literal(bytes.len(), literal);
    bytes.extend_from_slice(tail(encoded, literal));
    Placed {
        bytes: Cow::Owned(bytes),
        positions,
    }
}

/// The places of the folds.
fn folds(encoded: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let ends = memchr::memchr_iter(b'\n', encoded);
    ends.filter_map(|at| {
        let is_fold = matches!(encoded.get(at + 1), Some(b' ' | b'\t'));
        let has_return = encoded.get(at.wrapping_sub(1)) == Some(&b'\r');
        is_fold.then(|| at - usize::from(has_return)..at + 2)
    })
}

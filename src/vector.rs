//! Sixteen bytes at once: the door to `wide`.

use std::ops::{BitAnd, BitOr};
use wide::{CmpEq, CmpGt, CmpLt, i8x16};

/// Sixteen bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector(i8x16);

impl Vector {
    /// How many bytes it has.
    pub(crate) const LEN: usize = 16;

    /// Sixteen times the byte.
    #[inline(always)]
    pub(crate) fn splat(byte: u8) -> Vector {
        Vector(i8x16::splat(byte.cast_signed()))
    }

    /// These bytes.
    #[inline(always)]
    pub(crate) fn new(bytes: &[u8; Vector::LEN]) -> Vector {
        Vector(i8x16::new(bytes.map(u8::cast_signed)))
    }

    /// The bytes from a position on; `None` where there are not as many.
    #[inline(always)]
    pub(crate) fn at(bytes: &[u8], at: usize) -> Option<Vector> {
        Some(Vector::new(bytes.get(at..)?.first_chunk()?))
    }

    /// All bits of the bytes that are equal.
    #[inline(always)]
    pub(crate) fn equal(self, other: Vector) -> Vector {
        Vector(self.0.cmp_eq(other.0))
    }

    /// All bits of the bytes of ASCII from `first`, which is not NUL, to `last`, which is not DEL.
    #[inline(always)]
    pub(crate) fn between(self, first: u8, last: u8) -> Vector {
        let (below, above) = (Vector::splat(first - 1), Vector::splat(last + 1));
        Vector(self.0.cmp_gt(below.0) & self.0.cmp_lt(above.0))
    }

    /// The highest bit of each byte, that of the first one lowest.
    #[inline(always)]
    pub(crate) fn mask(self) -> u32 {
        self.0.move_mask().cast_unsigned()
    }
}

impl BitOr for Vector {
    type Output = Vector;

    #[inline(always)]
    fn bitor(self, other: Vector) -> Vector {
        Vector(self.0 | other.0)
    }
}

impl BitAnd for Vector {
    type Output = Vector;

    #[inline(always)]
    fn bitand(self, other: Vector) -> Vector {
        Vector(self.0 & other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_compared_each_for_itself() {
        let bytes: Vec<u8> = (0..=255).collect();
        for byte in 0..=255_u8 {
            for at in 0..=bytes.len() {
                let Some(vector) = Vector::at(&bytes, at) else {
                    assert!(at > bytes.len() - Vector::LEN);
                    continue;
                };
                let place = usize::from(byte)
                    .checked_sub(at)
                    .filter(|&place| place < 16);
                let expected = place.map_or(0, |place| 1 << place);
                assert_eq!(vector.equal(Vector::splat(byte)).mask(), expected);
                let next = vector.equal(Vector::splat(byte.wrapping_add(1)));
                let both = vector.equal(Vector::splat(byte)) | next;
                assert_eq!(both.mask(), expected | next.mask());
                assert_eq!((both & next).mask(), next.mask());
                let digits = vector.between(b'0', b'9').mask();
                assert!(
                    (0..16).all(|n| digits >> n & 1 == u32::from(bytes[at + n].is_ascii_digit()))
                );
            }
        }
    }
}

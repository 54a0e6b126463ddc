//! Sixteen bytes at once.

use fearless_simd::{Level, i8x16, prelude::*, u8x16};
use std::ops::{BitAnd, BitOr};

/// Defines the type of the instructions that the compile target guarantees, and the token that
/// stands for them.
macro_rules! baseline {
    ($instructions:ty, $level:ident => $token:expr) => {
        type Baseline = $instructions;

        /// Costs nothing: the level is a constant.
        #[inline(always)]
        fn baseline() -> Baseline {
            let $level = Level::baseline();
            match $token {
                Some(token) => token,
                None => unreachable!("the compile target has these instructions"),
            }
        }
    };
}

// The targets are those of `Level::baseline`.
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2",
    target_feature = "fxsr"
))]
baseline!(fearless_simd::x86::Sse2, level => level.as_sse2());
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
baseline!(fearless_simd::aarch64::Neon, level => level.as_neon());
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
baseline!(fearless_simd::wasm32::WasmSimd128, level => level.as_wasm_simd128());
#[cfg(not(any(
    all(
        any(target_arch = "x86", target_arch = "x86_64"),
        target_feature = "sse2",
        target_feature = "fxsr"
    ),
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
baseline!(fearless_simd::Fallback, level => match level {
    Level::Fallback(token) => Some(token),
    #[allow(unreachable_patterns)]
    _ => None,
});

/// Sixteen bytes, or the result of a comparison: sixteen bytes of which each has all bits or none.
///
/// ```
/// use linkglot_charset::simd::Vector;
///
/// let bytes = Vector::new(b"http://a.example");
/// assert_eq!(bytes.equal(Vector::splat(b'/')).mask(), 0b110_0000);
/// assert_eq!(bytes.between(b'.', b':').mask(), 0b1_0111_0000);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Vector(i8x16<Baseline>);

impl Vector {
    /// The number of bytes.
    pub const LEN: usize = 16;

    /// Sixteen times the byte.
    #[inline(always)]
    pub fn splat(byte: u8) -> Vector {
        Vector(i8x16::splat(baseline(), byte.cast_signed()))
    }

    /// The vector of these bytes.
    #[inline(always)]
    pub fn new(bytes: &[u8; Vector::LEN]) -> Vector {
        Vector(u8x16::simd_from(baseline(), *bytes).bitcast())
    }

    /// The bytes from a position on; `None` when there are fewer than sixteen.
    #[inline(always)]
    pub fn at(bytes: &[u8], at: usize) -> Option<Vector> {
        Some(Vector::new(bytes.get(at..)?.first_chunk()?))
    }

    /// Compares each byte.
    #[inline(always)]
    pub fn equal(self, other: Vector) -> Vector {
        Vector(self.0.simd_eq(other.0).to_vector())
    }

    /// Finds the ASCII bytes from `first`, which is not NUL, to `last`, which is not DEL.
    #[inline(always)]
    pub fn between(self, first: u8, last: u8) -> Vector {
        // Signed: bytes beyond ASCII are below all others.
        let (below, above) = (Vector::splat(first - 1), Vector::splat(last + 1));
        Vector((self.0.simd_gt(below.0) & self.0.simd_lt(above.0)).to_vector())
    }

    /// The result of a comparison as bits, that of the first byte lowest.
    #[inline(always)]
    pub fn mask(self) -> u32 {
        baseline().from_vector_mask8x16(self.0).to_bitmask() as u32
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
    fn bytes_are_compared_independently() {
        let bytes: Vec<u8> = (0..=255).collect();
        for byte in 0..=255_u8 {
            for at in 0..=bytes.len() {
                let Some(vector) = Vector::at(&bytes, at) else {
                    assert!(at > bytes.len() - Vector::LEN);
                    continue;
                };
                let place = usize::from(byte).checked_sub(at).filter(|&n| n < 16);
                let expected = place.map_or(0, |place| 1 << place);
                assert_eq!(vector.equal(Vector::splat(byte)).mask(), expected);
                let next = vector.equal(Vector::splat(byte.wrapping_add(1)));
                let both = vector.equal(Vector::splat(byte)) | next;
                assert_eq!(both.mask(), expected | next.mask());
                assert_eq!((both & next).mask(), next.mask());
                let digits = vector.between(b'0', b'9').mask();
                let is_digit = |n: usize| bytes[at + n].is_ascii_digit();
                assert!((0..16).all(|n| digits >> n & 1 == u32::from(is_digit(n))));
            }
        }
    }
}

//! Sixty-four bytes at once, in the widest vectors that the machine at hand has.
//!
//! The instructions are chosen when the program runs, by a call that nothing inlines through: it
//! pays off for loops over many blocks.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch};
use std::ops::{BitAnd, BitOr, Not};

/// The bytes of a block.
pub const WIDTH: usize = 64;

/// The vector instructions of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Level(fearless_simd::Level);

/// A computation on blocks, written for any instruction set.
///
/// ```
/// use linkglot_charset::simd::blocks::{InstructionSet, Kernel, Level, WIDTH};
///
/// /// A bit for each slash of a block.
/// struct Slashes<'b>(&'b [u8; WIDTH]);
///
/// impl Kernel for Slashes<'_> {
///     type Output = u64;
///
///     #[inline(always)]
///     fn run<I: InstructionSet>(self, instructions: I) -> u64 {
///         instructions.block_bits(|at| instructions.equal(instructions.load(self.0, at), b'/'))
///     }
/// }
///
/// let mut block = [b' '; WIDTH];
/// block[5] = b'/';
/// assert_eq!(Level::detect().run(Slashes(&block)), 1 << 5);
/// ```
pub trait Kernel {
    /// The result.
    type Output;

    /// Computes the result. Must be inlined, with everything that it calls.
    fn run<I: InstructionSet>(self, instructions: I) -> Self::Output;
}

/// The vectors of an instruction set, and their operations.
pub trait InstructionSet: Copy {
    /// The bytes of a vector: a divisor of [`WIDTH`].
    const LEN: usize;
    /// A vector of bytes.
    type Bytes: Copy;
    /// Mask with a bit for each byte of a vector.
    type Mask: Copy
        + BitAnd<Output = Self::Mask>
        + BitOr<Output = Self::Mask>
        + Not<Output = Self::Mask>;

    /// The bytes from a position on; zeros when there are too few.
    fn load(self, bytes: &[u8], at: usize) -> Self::Bytes;
    /// Finds the bytes that are `byte`.
    fn equal(self, bytes: Self::Bytes, byte: u8) -> Self::Mask;
    /// Finds the bytes up to `last`.
    fn at_most(self, bytes: Self::Bytes, last: u8) -> Self::Mask;
    /// The mask as bits, that of the first byte lowest.
    fn bits(self, mask: Self::Mask) -> u64;

    /// The bits of a block; `mask` gives those of the vector that begins at a byte of the block.
    #[inline(always)]
    fn block_bits(self, mask: impl Fn(usize) -> Self::Mask) -> u64 {
        let vectors = (0..WIDTH).step_by(Self::LEN);
        vectors.fold(0, |bits, at| bits | self.bits(mask(at)) << at)
    }
}

impl Level {
    /// The widest vectors of this machine.
    pub fn detect() -> Level {
        Level(fearless_simd::Level::new())
    }

    /// All levels of this machine, narrow ones included, for tests that compare them.
    pub fn available() -> Vec<Level> {
        let widest = fearless_simd::Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        let narrow = [
            widest.as_sse2().map(fearless_simd::Level::Sse2),
            widest.as_sse4_2().map(fearless_simd::Level::Sse4_2),
            widest.as_avx2().map(fearless_simd::Level::Avx2),
        ];
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        let narrow = [None];
        let all = narrow.into_iter().flatten().chain([widest]);
        all.map(Level).collect()
    }

    /// Runs a kernel with these instructions.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        dispatch!(self.0, simd => kernel.run(Native(simd)))
    }
}

#[derive(Clone, Copy)]
struct Native<S>(S);

impl<S: Simd> InstructionSet for Native<S> {
    const LEN: usize = S::u8s::LEN;
    type Bytes = S::u8s;
    type Mask = S::mask8s;

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> S::u8s {
        match bytes.get(at..at + Self::LEN) {
            Some(bytes) => S::u8s::from_slice(self.0, bytes),
            None => S::u8s::splat(self.0, 0),
        }
    }

    #[inline(always)]
    fn equal(self, bytes: S::u8s, byte: u8) -> S::mask8s {
        bytes.simd_eq(byte)
    }

    #[inline(always)]
    fn at_most(self, bytes: S::u8s, last: u8) -> S::mask8s {
        bytes.simd_le(last)
    }

    #[inline(always)]
    fn bits(self, mask: S::mask8s) -> u64 {
        mask.to_bitmask()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Compare<'b>(&'b [u8], u8);

    impl Kernel for Compare<'_> {
        type Output = [u64; 3];

        #[inline(always)]
        fn run<I: InstructionSet>(self, set: I) -> [u64; 3] {
            let Compare(bytes, byte) = self;
            let equal = |at: usize| set.equal(set.load(bytes, at), byte);
            let at_most = |at: usize| set.at_most(set.load(bytes, at), byte);
            [
                set.block_bits(equal),
                set.block_bits(at_most),
                set.block_bits(|at| !equal(at) & at_most(at) | equal(at + 1)),
            ]
        }
    }

    fn expected(bytes: &[u8], byte: u8) -> [u64; 3] {
        let bits = |is: &dyn Fn(u8) -> bool| {
            let block = bytes.iter().take(WIDTH).enumerate();
            block.fold(0, |bits, (n, &byte)| bits | u64::from(is(byte)) << n)
        };
        [
            bits(&|b| b == byte),
            bits(&|b| b <= byte),
            bits(&|b| b < byte || b.checked_add(1) == Some(byte)),
        ]
    }

    #[test]
    fn bytes_are_compared_independently() {
        let bytes: Vec<u8> = (0..=255).collect();
        for level in Level::available() {
            for byte in 0..=255 {
                for start in (0..256 - WIDTH).step_by(WIDTH / 4) {
                    let found = level.run(Compare(&bytes[start..], byte));
                    assert_eq!(found, expected(&bytes[start..], byte), "{level:?} {byte}");
                }
            }
        }
    }

    #[test]
    fn missing_bytes_are_zeros() {
        for level in Level::available() {
            assert_eq!(level.run(Compare(&[1; 5], 1)), [0, u64::MAX, u64::MAX]);
        }
    }
}

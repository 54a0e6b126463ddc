//! Sixty-four bytes at once, in the widest vectors that the machine at hand has: the door to
//! `fearless_simd`.
//!
//! What [`Vector`](crate::vector::Vector) does is fixed when the crate is compiled, for the oldest
//! machine; here the choice is made when it runs. It costs a call that nothing is inlined through,
//! so that it is for loops over many blocks.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch};
use std::ops::{BitAnd, BitOr, Not};

/// How many bytes are looked at at once.
pub(crate) const WIDTH: usize = 64;

/// What vectors there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vectors(Level);

/// Work that is done with vectors of any kind.
pub(crate) trait Work {
    /// What comes of it.
    type Output;

    /// Does it; must be inlined, and with it all that it calls.
    fn with<M: Machine>(self, machine: M) -> Self::Output;
}

/// A kind of vectors, and what it does.
pub(crate) trait Machine: Copy {
    /// How many bytes a vector has: no more than [`WIDTH`], and a divisor of it.
    const LEN: usize;
    /// A vector of bytes.
    type Bytes: Copy;
    /// One bit for each of its bytes.
    type Mask: Copy
        + BitAnd<Output = Self::Mask>
        + BitOr<Output = Self::Mask>
        + Not<Output = Self::Mask>;

    /// The bytes from a position on; zeros where there are not as many.
    fn load(self, bytes: &[u8], at: usize) -> Self::Bytes;
    /// Which of them are this one.
    fn equal(self, bytes: Self::Bytes, byte: u8) -> Self::Mask;
    /// Which of them are not above this one.
    fn at_most(self, bytes: Self::Bytes, last: u8) -> Self::Mask;
    /// The bits, that of the first byte lowest.
    fn bits(self, mask: Self::Mask) -> u64;

    /// The bits of [`WIDTH`] bytes, for each vector that begins at one of them its own.
    #[inline(always)]
    fn all(self, mask: impl Fn(usize) -> Self::Mask) -> u64 {
        let vectors = (0..WIDTH).step_by(Self::LEN);
        vectors.fold(0, |bits, at| bits | self.bits(mask(at)) << at)
    }
}

impl Vectors {
    /// Those of this machine.
    pub(crate) fn new() -> Vectors {
        Vectors(Level::new())
    }

    /// All that this machine has, the narrow ones too.
    #[cfg(test)]
    pub(crate) fn kinds() -> Vec<Vectors> {
        let level = Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        let narrow = [
            level.as_sse2().map(Level::Sse2),
            level.as_sse4_2().map(Level::Sse4_2),
            level.as_avx2().map(Level::Avx2),
        ];
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        let narrow = [None::<Level>];
        let all = narrow.into_iter().flatten().chain([level]);
        all.map(Vectors).collect()
    }

    /// Does work with them.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        dispatch!(self.0, simd => work.with(Native(simd)))
    }
}

#[derive(Clone, Copy)]
struct Native<S>(S);

impl<S: Simd> Machine for Native<S> {
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

    impl Work for Compare<'_> {
        type Output = [u64; 3];

        #[inline(always)]
        fn with<M: Machine>(self, machine: M) -> [u64; 3] {
            let Compare(bytes, byte) = self;
            let equal = |at: usize| machine.equal(machine.load(bytes, at), byte);
            let at_most = |at: usize| machine.at_most(machine.load(bytes, at), byte);
            [
                machine.all(equal),
                machine.all(at_most),
                machine.all(|at| !equal(at) & at_most(at) | equal(at + 1)),
            ]
        }
    }

    #[test]
    fn bytes_are_compared_each_for_itself() {
        let bytes: Vec<u8> = (0..=255).collect();
        let flags = |is: &dyn Fn(u8) -> bool, bytes: &[u8]| {
            let bits = bytes.iter().take(WIDTH).enumerate();
            bits.fold(0, |mask, (n, &byte)| mask | u64::from(is(byte)) << n)
        };
        let starts = || (0..=256 - WIDTH).step_by(WIDTH / 4);
        for (vectors, byte) in Vectors::kinds()
            .iter()
            .flat_map(|v| (0..=255).map(move |b| (v, b)))
        {
            for bytes in starts()
                .map(|at| &bytes[at..])
                .filter(|bytes| bytes.len() > WIDTH)
            {
                let expected = [
                    flags(&|b| b == byte, bytes),
                    flags(&|b| b <= byte, bytes),
                    flags(&|b| b < byte || b.checked_add(1) == Some(byte), bytes),
                ];
                assert_eq!(
                    vectors.run(Compare(bytes, byte)),
                    expected,
                    "{vectors:?} {byte}"
                );
            }
        }
    }

    #[test]
    fn what_is_not_there_is_nothing() {
        for vectors in Vectors::kinds() {
            assert_eq!(vectors.run(Compare(&[1; 5], 1)), [0, u64::MAX, u64::MAX]);
        }
    }
}

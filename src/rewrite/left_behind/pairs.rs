//! The search for pairs of bytes that stand beside each other, in blocks.

use crate::charset::simd::blocks::{InstructionSet, Kernel, Level, WIDTH};
use std::marker::PhantomData;

/// The bytes of a block, with the one behind it.
const BLOCK: usize = WIDTH + 1;

/// Pairs of bytes to look for, told from one byte and the next.
pub(super) trait Pair {
    /// The marked pairs of a vector and the vector that begins one byte further.
    ///
    /// Must be inlined, without closures around vectors: they would not be compiled for the instruction set.
    fn marks<I: InstructionSet>(set: I, first: I::Bytes, second: I::Bytes) -> I::Mask;

    /// The same for one pair.
    fn is_marked(first: u8, second: u8) -> bool;
}

/// The first byte of the next marked pair from `at` on. The last byte of a text is followed by 0.
pub(super) fn next_pair<P: Pair>(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    match Level::detect().run(Blocks::<P>(rest, PhantomData)) {
        Ok(found) => Some(at + found),
        Err(from) => {
            let second = |at: usize| rest.get(at + 1).copied().unwrap_or(0);
            let mut last = from..rest.len();
            last.find(|&at| P::is_marked(rest[at], second(at)))
                .map(|found| at + found)
        }
    }
}

/// The search in whole blocks: the first marked pair, or the position to search on from.
struct Blocks<'t, P>(&'t [u8], PhantomData<P>);

impl<P: Pair> Kernel for Blocks<'_, P> {
    type Output = Result<usize, usize>;

    #[inline(always)]
    fn run<I: InstructionSet>(self, set: I) -> Result<usize, usize> {
        let mut at = 0;
        while let Some(block) = self.0[at..].first_chunk::<BLOCK>() {
            let marks =
                set.block_bits(|at| P::marks(set, set.load(block, at), set.load(block, at + 1)));
            if marks != 0 {
                return Ok(at + marks.trailing_zeros() as usize);
            }
            at += WIDTH;
        }
        Err(at)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Compares the search in blocks with that of single pairs, for each pair of bytes at both ends of a block.
    pub(in crate::rewrite::left_behind) fn blocks_find_what_bytes_find<P: Pair>() {
        for pair in 0..=u16::MAX {
            let [first, second] = pair.to_be_bytes();
            for at in [0, WIDTH - 1, WIDTH, WIDTH + 30] {
                let mut text = [b' '; 2 * WIDTH + 5];
                text[at..at + 2].copy_from_slice(&[first, second]);
                let expected = text
                    .windows(2)
                    .position(|pair| P::is_marked(pair[0], pair[1]));
                assert_eq!(next_pair::<P>(&text, 0), expected, "{first} {second} {at}");
            }
        }
    }
}

//! The search for pairs of bytes that stand beside each other, in blocks.

use super::blocks::{InstructionSet, Kernel, Level, WIDTH};
use std::marker::PhantomData;

/// The bytes of a block, with the one behind it.
const BLOCK: usize = WIDTH + 1;

/// Pairs of bytes to look for, told from one byte and the next.
///
/// ```
/// use linkglot_charset::simd::blocks::InstructionSet;
/// use linkglot_charset::simd::pairs::{Pair, next_pair};
///
/// /// The end of a line, behind a full stop.
/// struct EndOfSentence;
///
/// impl Pair for EndOfSentence {
///     #[inline(always)]
///     fn marks<I: InstructionSet>(set: I, first: I::Bytes, second: I::Bytes) -> I::Mask {
///         set.equal(first, b'.') & set.equal(second, b'\n')
///     }
///
///     fn is_marked(first: u8, second: u8) -> bool {
///         (first, second) == (b'.', b'\n')
///     }
/// }
///
/// assert_eq!(next_pair::<EndOfSentence>(b"a. b.\n", 0), Some(4));
/// assert_eq!(next_pair::<EndOfSentence>(b"a. b.\n", 5), None);
/// ```
pub trait Pair {
    /// The marked pairs of a vector and the vector that begins one byte further.
    ///
    /// Must be inlined, without closures around vectors: they would not be compiled for the instruction set.
    fn marks<I: InstructionSet>(set: I, first: I::Bytes, second: I::Bytes) -> I::Mask;

    /// True if a single pair is marked.
    fn is_marked(first: u8, second: u8) -> bool;
}

/// The first byte of the next marked pair from `at` on. The last byte of a text is followed by 0. Linear.
pub fn next_pair<P: Pair>(text: &[u8], at: usize) -> Option<usize> {
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
mod tests {
    use super::*;

    /// Two letters.
    struct Twice;

    impl Pair for Twice {
        #[inline(always)]
        fn marks<I: InstructionSet>(set: I, first: I::Bytes, second: I::Bytes) -> I::Mask {
            set.equal(first, b'a') & set.equal(second, b'a')
        }

        fn is_marked(first: u8, second: u8) -> bool {
            (first, second) == (b'a', b'a')
        }
    }

    #[test]
    fn pairs_are_found_at_every_place() {
        for length in [0, 1, 2, WIDTH, WIDTH + 1, 2 * WIDTH + 5] {
            for at in 0..length {
                let mut text = vec![b' '; length];
                text[at..length.min(at + 2)].fill(b'a');
                let expected = (at + 1 < length).then_some(at);
                assert_eq!(next_pair::<Twice>(&text, 0), expected, "{length} {at}");
                assert_eq!(next_pair::<Twice>(&text, at), expected, "{length} {at}");
                assert_eq!(next_pair::<Twice>(&text, at + 1), None, "{length} {at}");
            }
        }
        assert_eq!(next_pair::<Twice>(b"aa", 3), None);
    }
}

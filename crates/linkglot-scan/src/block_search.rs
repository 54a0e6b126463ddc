//! The search for the dots and colons of running text, in one pass over blocks of bytes.
//!
//! In prose dots end sentences: a search that stops at each of them spends its time in starting
//! again. Here a block is compared as a whole, in vectors, and the first character of the next
//! sentence takes a `。` out of it. What is left is looked at one by one, but for what a link that
//! was found meanwhile stands over.

use super::label_starts::{KEY_LEN, LabelStarts};
use super::vectors::BlockMatcher;
use linkglot_charset::simd::blocks::{self as machine, InstructionSet, Kernel, Level};

/// How many bytes are compared at once: a bit of a mask for each.
pub(super) const WIDTH: usize = machine::WIDTH;
/// How many blocks are compared at a time: starting costs as much as some of them.
const BLOCKS: usize = 16;
/// How many bytes behind a block are looked at: those of a `。` that ends it, and of what follows.
pub(super) const MARGIN: usize = MAX_FULL_STOP + KEY_LEN;
/// No `。` has more bytes.
pub(super) const MAX_FULL_STOP: usize = 3;

pub(super) type Block = [u8; WIDTH + MARGIN];

/// What is searched beside the dots that have more than white space and punctuation behind them.
#[derive(Clone, Copy)]
pub(super) struct Needles {
    /// Also colons.
    pub(super) colons: bool,
    /// The bytes of `。`, if it is searched.
    pub(super) stop: Option<FullStopBytes>,
}

/// A character of two or three bytes.
#[derive(Clone, Copy)]
pub(super) enum FullStopBytes {
    Two([u8; 2]),
    Three([u8; 3]),
}

impl FullStopBytes {
    /// The character of these bytes.
    pub(super) fn new(bytes: &[u8]) -> Option<FullStopBytes> {
        match *bytes {
            [a, b] => Some(FullStopBytes::Two([a, b])),
            [a, b, c] => Some(FullStopBytes::Three([a, b, c])),
            _ => None,
        }
    }
}

/// The finds of a search that goes forward.
pub(super) struct BlockSearch<'a> {
    level: Level,
    matcher: BlockMatcher,
    /// What may follow `。`; none: anything.
    label_starts: Option<&'a LabelStarts>,
    /// Where the blocks begin that were compared.
    base: usize,
    /// How many bytes they have.
    size: usize,
    /// The finds of each.
    masks: [u64; BLOCKS],
}

impl<'a> BlockSearch<'a> {
    pub(super) fn new(needles: Needles) -> Self {
        BlockSearch {
            level: Level::detect(),
            matcher: BlockMatcher::new(needles),
            label_starts: None,
            base: 0,
            size: 0,
            masks: [0; BLOCKS],
        }
    }

    /// The same without each `。` that no domain goes on behind.
    pub(super) fn with_ahead(self, label_starts: Option<&'a LabelStarts>) -> Self {
        BlockSearch {
            label_starts,
            ..self
        }
    }

    /// The first find at or behind `from`, which must not fall from call to call. Each byte is
    /// compared once in all.
    #[inline]
    pub(super) fn next(&mut self, bytes: &[u8], mut from: usize) -> Option<usize> {
        loop {
            if from >= self.base + self.size {
                self.fill(bytes, from)?;
            }
            let seen = from - self.base;
            let mut block = seen / WIDTH;
            let mut mask = self.masks.get(block)? & u64::MAX << (seen % WIDTH);
            while mask == 0 && (block + 1) * WIDTH < self.size {
                block += 1;
                mask = *self.masks.get(block)?;
            }
            if mask != 0 {
                return Some(self.base + block * WIDTH + mask.trailing_zeros() as usize);
            }
            from = self.base + self.size;
        }
    }

    /// Compares the blocks from a position on; `None`: there are none.
    fn fill(&mut self, bytes: &[u8], from: usize) -> Option<()> {
        let rest = bytes.get(from..).filter(|rest| !rest.is_empty())?;
        self.base = from;
        self.size = rest.len().saturating_sub(MARGIN).min(BLOCKS * WIDTH) / WIDTH * WIDTH;
        let level = self.level;
        if self.size > 0 {
            let len = rest.len();
            level.run(CompareBlocks {
                search: self,
                rest,
                len,
            });
            return Some(());
        }
        // The last bytes, less than a block and a margin, with some behind them that let anything pass.
        let mut last = [0xFF; 2 * WIDTH + MARGIN];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        let len = rest.len();
        self.size = len;
        level.run(CompareBlocks {
            search: self,
            rest: &last,
            len,
        });
        let (last, len) = ((rest.len() - 1) / WIDTH, (rest.len() - 1) % WIDTH + 1);
        *self.masks.get_mut(last)? &= u64::MAX >> (WIDTH - len);
        Some(())
    }
}

/// Compares blocks.
struct CompareBlocks<'s, 'a> {
    search: &'s mut BlockSearch<'a>,
    rest: &'s [u8],
    /// How many of these are bytes of the text.
    len: usize,
}

impl Kernel for CompareBlocks<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<M: InstructionSet>(mut self, machine: M) {
        match self.search.matcher.stop_len() {
            0 => self.compare::<0, M>(machine),
            2 => self.compare::<2, M>(machine),
            _ => self.compare::<MAX_FULL_STOP, M>(machine),
        }
    }
}

impl CompareBlocks<'_, '_> {
    #[inline(always)]
    fn compare<const STOP: usize, M: InstructionSet>(&mut self, machine: M) {
        let BlockSearch {
            matcher,
            label_starts,
            size,
            ref mut masks,
            ..
        } = *self.search;
        let count = size.div_ceil(WIDTH);
        let blocks = (0..count).map_while(|n| self.rest.get(n * WIDTH..)?.first_chunk());
        // First all of what vectors do: between branches compilers take them apart.
        let mut stops = [0; BLOCKS];
        for ((block, mask), stops) in blocks.zip(&mut *masks).zip(&mut stops) {
            let found = matcher.find::<STOP, M>(machine, block);
            (*mask, *stops) = (found.ascii, found.stops);
        }
        let Some(label_starts) = label_starts else {
            for (mask, stops) in masks.iter_mut().zip(&stops) {
                *mask |= stops;
            }
            return;
        };
        // What stands too near the end to be seen may be anything.
        let seen = (self.len + 1).saturating_sub(STOP + KEY_LEN);
        for (n, stops) in stops.iter().enumerate().take(count) {
            let (start, left) = (n * WIDTH, *stops);
            let Some(block) = self.rest.get(start..).and_then(<[u8]>::first_chunk) else {
                return;
            };
            let mut separators = separators::<STOP>(label_starts, block, left);
            if start + WIDTH > seen {
                let unseen = u64::MAX << (seen.saturating_sub(start) % WIDTH);
                separators |= left & unseen;
            }
            if separators != 0 {
                masks[n] |= separators;
            }
        }
    }
}

/// Which of the `。` of a block may part labels.
#[inline(always)]
fn separators<const STOP: usize>(label_starts: &LabelStarts, block: &Block, stops: u64) -> u64 {
    let may_match = |left: u64| {
        let at = left.trailing_zeros() as usize % WIDTH;
        let behind = block.get(at + STOP..).and_then(<[u8]>::first_chunk);
        behind.is_none_or(|behind| label_starts.may_match(behind))
    };
    // Without branches: in what way each goes is hard to foresee, but hardly any goes on.
    let (mut any, mut left) = (false, stops);
    while left != 0 {
        any |= may_match(left);
        left &= left - 1;
    }
    let (mut separators, mut left) = (0, if any { stops } else { 0 });
    while left != 0 {
        let rest = left & (left - 1);
        separators |= if may_match(left) { left ^ rest } else { 0 };
        left = rest;
    }
    separators
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(bytes: &[u8], needles: Needles) -> Vec<usize> {
        let behind = |at: usize| bytes.get(at).copied().unwrap_or(0xFF);
        let is = |at: usize| match bytes[at] {
            b'.' => !needles.colons || behind(at + 1) > b'/' || behind(at + 1) == b'&',
            b':' => needles.colons,
            _ => match needles.stop {
                Some(FullStopBytes::Two(stop)) => [behind(at), behind(at + 1)] == stop,
                Some(FullStopBytes::Three(stop)) => {
                    [behind(at), behind(at + 1), behind(at + 2)] == stop
                }
                None => false,
            },
        };
        (0..bytes.len()).filter(|&at| is(at)).collect()
    }

    fn searched(bytes: &[u8], needles: Needles, skip: usize) -> Vec<usize> {
        let (mut search, mut from, mut found) = (BlockSearch::new(needles), 0, Vec::new());
        while let Some(at) = search.next(bytes, from) {
            found.push(at);
            from = at + 1 + skip;
        }
        found
    }

    #[test]
    fn finds_what_a_plain_search_finds() {
        let pieces = [
            ".", ":", "。", "a", " ", ".a", "中", "\u{3001}", ".&", "xxxxxxxx", "é",
        ];
        let mut seed = 3_u64;
        for round in 0..600 {
            let mut bytes = Vec::new();
            for _ in 0..round / 3 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let piece = pieces[(seed >> 33) as usize % pieces.len()];
                bytes.extend_from_slice(piece.as_bytes());
            }
            let stops = ["。".as_bytes(), b"\x81\x42", "é".as_bytes(), b""].map(FullStopBytes::new);
            for (stop, colons) in stops.into_iter().flat_map(|s| [(s, true), (s, false)]) {
                let needles = Needles { colons, stop };
                let expected = plain(&bytes, needles);
                assert_eq!(searched(&bytes, needles, 0), expected);
                // With leaps over some of them.
                for skip in [1, 7, 63, 64, 100] {
                    let mut from = 0;
                    let left = expected.iter().copied().filter(|&at| {
                        let is_left = at >= from;
                        from = if is_left { at + 1 + skip } else { from };
                        is_left
                    });
                    assert_eq!(searched(&bytes, needles, skip), left.collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn stops_that_end_sentences_are_passed_over() {
        let label_starts = LabelStarts::new(["中国", "コム"].iter().map(|name| name.as_bytes()));
        let pieces = ["。", "。", "中国", "コ", "ム", "a", "\n", "次", "xxxxxxx"];
        let needles = Needles {
            colons: true,
            stop: FullStopBytes::new("。".as_bytes()),
        };
        let mut seed = 5_u64;
        let (mut passed, mut kept) = (0, 0);
        for round in 0..300 {
            let mut bytes = Vec::new();
            for _ in 0..round / 2 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                bytes.extend_from_slice(pieces[(seed >> 33) as usize % pieces.len()].as_bytes());
            }
            let all = plain(&bytes, needles);
            // What stands too near the end to be seen may be anything.
            let parts = |at: &usize| {
                bytes[at + 3..]
                    .first_chunk()
                    .is_none_or(|b| label_starts.may_match(b))
            };
            let expected: Vec<_> = all.iter().copied().filter(parts).collect();
            let (mut search, mut from, mut found) = (BlockSearch::new(needles), 0, Vec::new());
            search = search.with_ahead(Some(&label_starts));
            while let Some(at) = search.next(&bytes, from) {
                found.push(at);
                from = at + 1;
            }
            assert_eq!(found, expected);
            kept += found.len();
            passed += all.len() - found.len();
        }
        assert!(kept > 1000 && passed > 1000, "{kept} {passed}");
    }
}

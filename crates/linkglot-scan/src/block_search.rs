//! The search for dots and colons in running text, in one pass over blocks of bytes.
//!
//! In prose most dots end a sentence. A search that stops at each of these dots, as `memchr` does, spends its time on
//! starting again. Here vectors compare a whole block at once, and the bytes behind each `。` dismiss most that end a
//! sentence. The remaining matches come one by one.

use super::label_starts::{KEY_LEN, LabelStarts};
use super::vectors::{Block, BlockMatcher, MARGIN, MAX_FULL_STOP, Needles, WIDTH};
use linkglot_charset::simd::blocks::{InstructionSet, Kernel, Level};

/// Blocks compared at a time: entering vector code costs as much as comparing a few of them.
const BLOCKS: usize = 16;
/// A search through one haystack, from left to right.
pub(super) struct BlockSearch<'a> {
    level: Level,
    matcher: BlockMatcher,
    /// Bytes that may stand behind a `。`; `None`: all bytes may.
    label_starts: Option<&'a LabelStarts>,
    /// Start of the blocks that have been compared.
    start: usize,
    /// Number of bytes in these blocks.
    size: usize,
    /// A mask for each block, with a bit for each match.
    masks: [u64; BLOCKS],
}

impl<'a> BlockSearch<'a> {
    pub(super) fn new(needles: Needles) -> Self {
        BlockSearch {
            level: Level::detect(),
            matcher: BlockMatcher::new(needles),
            label_starts: None,
            start: 0,
            size: 0,
            masks: [0; BLOCKS],
        }
    }

    /// Skips each `。` behind which no label can begin.
    pub(super) fn with_ahead(self, label_starts: Option<&'a LabelStarts>) -> Self {
        BlockSearch {
            label_starts,
            ..self
        }
    }

    /// The first match at or behind `from`, which must not decrease between calls. Compares each byte once.
    #[inline]
    pub(super) fn next(&mut self, bytes: &[u8], mut from: usize) -> Option<usize> {
        loop {
            if from >= self.start + self.size {
                self.fill(bytes, from)?;
            }
            let seen = from - self.start;
            let mut block = seen / WIDTH;
            let mut mask = self.masks.get(block)? & u64::MAX << (seen % WIDTH);
            while mask == 0 && (block + 1) * WIDTH < self.size {
                block += 1;
                mask = *self.masks.get(block)?;
            }
            if mask != 0 {
                return Some(self.start + block * WIDTH + mask.trailing_zeros() as usize);
            }
            from = self.start + self.size;
        }
    }

    /// Compares the blocks from a position on. `None` at the end of the haystack.
    fn fill(&mut self, bytes: &[u8], from: usize) -> Option<()> {
        let rest = bytes.get(from..).filter(|rest| !rest.is_empty())?;
        self.start = from;
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
        // The last bytes, fewer than a block and its margin. The padding behind them lets any match pass.
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

/// The vector code of the search, compiled for each instruction set.
struct CompareBlocks<'s, 'a> {
    search: &'s mut BlockSearch<'a>,
    rest: &'s [u8],
    /// Number of haystack bytes in `rest`; padding stands behind them.
    len: usize,
}

impl Kernel for CompareBlocks<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<M: InstructionSet>(mut self, machine: M) {
        match self.search.matcher.full_stop_len() {
            0 => self.compare::<0, M>(machine),
            2 => self.compare::<2, M>(machine),
            _ => self.compare::<MAX_FULL_STOP, M>(machine),
        }
    }
}

impl CompareBlocks<'_, '_> {
    #[inline(always)]
    fn compare<const FULL_STOP_LEN: usize, M: InstructionSet>(&mut self, machine: M) {
        let BlockSearch {
            matcher,
            label_starts,
            size,
            ref mut masks,
            ..
        } = *self.search;
        let count = size.div_ceil(WIDTH);
        let blocks = (0..count).map_while(|n| self.rest.get(n * WIDTH..)?.first_chunk());
        // All vector work comes first: with branches in between, compilers split it up.
        let mut full_stops = [0; BLOCKS];
        for ((block, mask), full_stops) in blocks.zip(&mut *masks).zip(&mut full_stops) {
            let found = matcher.find::<FULL_STOP_LEN, M>(machine, block);
            (*mask, *full_stops) = (found.ascii, found.full_stops);
        }
        let Some(label_starts) = label_starts else {
            for (mask, full_stops) in masks.iter_mut().zip(&full_stops) {
                *mask |= full_stops;
            }
            return;
        };
        // A key that goes beyond the end is unknown: the match passes.
        let seen = (self.len + 1).saturating_sub(FULL_STOP_LEN + KEY_LEN);
        for (n, full_stops) in full_stops.iter().enumerate().take(count) {
            let (start, left) = (n * WIDTH, *full_stops);
            let Some(block) = self.rest.get(start..).and_then(<[u8]>::first_chunk) else {
                return;
            };
            let mut separators = separators::<FULL_STOP_LEN>(label_starts, block, left);
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

/// The `。` of a block that may separate labels.
#[inline(always)]
fn separators<const FULL_STOP_LEN: usize>(
    label_starts: &LabelStarts,
    block: &Block,
    full_stops: u64,
) -> u64 {
    let may_match = |left: u64| {
        let at = left.trailing_zeros() as usize % WIDTH;
        let behind = block
            .get(at + FULL_STOP_LEN..)
            .and_then(<[u8]>::first_chunk);
        behind.is_none_or(|behind| label_starts.may_match(behind))
    };
    // The first pass has no branch on a lookup: single results are hard to predict, but nearly always all are negative.
    let (mut any, mut left) = (false, full_stops);
    while left != 0 {
        any |= may_match(left);
        left &= left - 1;
    }
    let (mut separators, mut left) = (0, if any { full_stops } else { 0 });
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
    use crate::vectors::FullStopBytes;

    fn plain(bytes: &[u8], needles: Needles) -> Vec<usize> {
        let behind = |at: usize| bytes.get(at).copied().unwrap_or(0xFF);
        let is = |at: usize| match bytes[at] {
            b'.' => !needles.colons || behind(at + 1) > b'/' || behind(at + 1) == b'&',
            b':' => needles.colons,
            _ => match needles.full_stop {
                Some(FullStopBytes::Two(full_stop)) => [behind(at), behind(at + 1)] == full_stop,
                Some(FullStopBytes::Three(full_stop)) => {
                    [behind(at), behind(at + 1), behind(at + 2)] == full_stop
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
            let full_stops =
                ["。".as_bytes(), b"\x81\x42", "é".as_bytes(), b""].map(FullStopBytes::new);
            for (full_stop, colons) in full_stops.into_iter().flat_map(|s| [(s, true), (s, false)])
            {
                let needles = Needles { colons, full_stop };
                let expected = plain(&bytes, needles);
                assert_eq!(searched(&bytes, needles, 0), expected);
                // Leaping over some matches, as the scanner does behind a link.
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
    fn full_stops_of_sentences_are_passed_over() {
        let label_starts = LabelStarts::new(["中国", "コム"].iter().map(|name| name.as_bytes()));
        let pieces = ["。", "。", "中国", "コ", "ム", "a", "\n", "次", "xxxxxxx"];
        let needles = Needles {
            colons: true,
            full_stop: FullStopBytes::new("。".as_bytes()),
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
            // A key that goes beyond the end is unknown: the match passes.
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

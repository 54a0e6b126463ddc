//! The search for the dots and colons of running text, in one pass over blocks of bytes.
//!
//! In prose dots end sentences: a search that stops at each of them spends its time in starting
//! again. Here a block is compared as a whole, in loops that compilers turn into vector
//! instructions, and most blocks have nothing: white space behind a dot takes it out already, and
//! the first character of the next sentence a `。`.

mod lanes;

use super::ahead::Ahead;
use lanes::Lanes;

/// How many bytes are compared at once: a bit of a mask for each.
const WIDTH: usize = 64;
/// How many bytes behind a block its last comparison looks at.
const MARGIN: usize = 2;

type Block = [u8; WIDTH + MARGIN];

/// What is searched beside the dots that have more than white space and punctuation behind them.
#[derive(Clone, Copy)]
pub(super) struct Needles {
    /// Also colons.
    pub(super) colons: bool,
    /// The bytes of `。`, if it is searched.
    pub(super) stop: Option<Wide>,
}

/// A character of two or three bytes.
#[derive(Clone, Copy)]
pub(super) enum Wide {
    Two([u8; 2]),
    Three([u8; 3]),
}

impl Wide {
    /// The character of these bytes.
    pub(super) fn new(bytes: &[u8]) -> Option<Wide> {
        match *bytes {
            [a, b] => Some(Wide::Two([a, b])),
            [a, b, c] => Some(Wide::Three([a, b, c])),
            _ => None,
        }
    }
}

impl Wide {
    fn bytes(&self) -> &[u8] {
        match self {
            Wide::Two(bytes) => bytes,
            Wide::Three(bytes) => bytes,
        }
    }
}

/// The finds of a search that goes forward.
pub(super) struct Sift<'a> {
    lanes: Lanes,
    /// The first byte of `。` and the number of all.
    lead: u8,
    len: usize,
    /// What may follow `。`; none: anything.
    ahead: Option<&'a Ahead>,
    /// Where the block begins whose finds are in the mask, and where it ends.
    base: usize,
    end: usize,
    mask: u64,
}

impl<'a> Sift<'a> {
    pub(super) fn new(needles: Needles) -> Self {
        let stop = needles.stop.as_ref().map_or(&[][..], Wide::bytes);
        Sift {
            lanes: Lanes::new(needles.colons, needles.stop),
            lead: stop.first().copied().unwrap_or(0),
            len: stop.len(),
            ahead: None,
            base: 0,
            end: 0,
            mask: 0,
        }
    }

    /// The same without each `。` that no domain goes on behind.
    pub(super) fn with_ahead(self, ahead: Option<&'a Ahead>) -> Self {
        Sift { ahead, ..self }
    }

    /// The first find at or behind `from`, which must not fall from call to call. Each byte is
    /// compared once in all.
    #[inline]
    pub(super) fn next(&mut self, hay: &[u8], from: usize) -> Option<usize> {
        let mut from = from;
        if from < self.end {
            let mask = self.mask & (u64::MAX << (from - self.base));
            if mask != 0 {
                self.mask = mask & (mask - 1);
                return Some(self.base + mask.trailing_zeros() as usize);
            }
            from = self.end;
        }
        self.search(hay, from)
    }

    fn search(&mut self, hay: &[u8], from: usize) -> Option<usize> {
        let rest = hay.get(from..).unwrap_or(&[]);
        let mut at = 0;
        while let Some(block) = rest.get(at..).and_then(|rest| rest.first_chunk()) {
            let mask = self.mask_of(block, rest.get(at..).unwrap_or(&[]));
            if mask != 0 {
                return Some(self.found(from + at, WIDTH, mask));
            }
            at += WIDTH;
        }
        let last = rest.get(at..).unwrap_or(&[]);
        self.search_last(last, from + at)
    }

    /// The last bytes, with some behind them that let anything pass.
    fn search_last(&mut self, last: &[u8], at: usize) -> Option<usize> {
        for (n, bytes) in last.chunks(WIDTH).enumerate() {
            let mut block: Block = [0xFF; WIDTH + MARGIN];
            let shown = last
                .get(n * WIDTH..)
                .unwrap_or(&[])
                .iter()
                .take(block.len());
            for (to, from) in block.iter_mut().zip(shown) {
                *to = *from;
            }
            let mask = self.mask_of(&block, last.get(n * WIDTH..).unwrap_or(&[]));
            if mask != 0 {
                return Some(self.found(at + n * WIDTH, bytes.len(), mask));
            }
        }
        (self.base, self.end, self.mask) = (at, at + last.len(), 0);
        None
    }

    fn found(&mut self, base: usize, len: usize, mask: u64) -> usize {
        (self.base, self.end, self.mask) = (base, base + len, mask & (mask - 1));
        base + mask.trailing_zeros() as usize
    }

    /// What of a block is wanted; `shown` begins where the block does.
    #[inline(always)]
    fn mask_of(&self, block: &Block, shown: &[u8]) -> u64 {
        let found = self.lanes.find(block);
        let (mut mask, mut dots, mut stops) = (found.ascii, found.ascii, found.stops);
        while dots != 0 {
            let at = dots.trailing_zeros() as usize;
            dots &= dots - 1;
            if is_vain(block, at) {
                mask &= !(1 << at);
            }
        }
        while stops != 0 {
            let at = stops.trailing_zeros() as usize;
            stops &= stops - 1;
            // Without branches: in what way each goes is hard to foresee.
            mask |= u64::from((block[at] == self.lead) & self.may_part(shown, at)) << at;
        }
        mask
    }

    /// Whether a domain may go on behind the `。` at a position.
    #[inline(always)]
    fn may_part(&self, shown: &[u8], at: usize) -> bool {
        match self.ahead {
            Some(ahead) => ahead.may_begin(shown.get(at + self.len..).unwrap_or(&[])),
            None => true,
        }
    }
}

/// Whether the byte is a dot that white space or punctuation follows but what stands behind the
/// digits.
#[inline(always)]
fn is_vain(block: &Block, at: usize) -> bool {
    let next = block[at + 1];
    (block[at] == b'.') & (next <= b'/') & (next != b'&')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(hay: &[u8], needles: Needles) -> Vec<usize> {
        let behind = |at: usize| hay.get(at).copied().unwrap_or(0xFF);
        let is = |at: usize| match hay[at] {
            b'.' => behind(at + 1) > b'/' || behind(at + 1) == b'&',
            b':' => needles.colons,
            _ => match needles.stop {
                Some(Wide::Two(stop)) => [behind(at), behind(at + 1)] == stop,
                Some(Wide::Three(stop)) => [behind(at), behind(at + 1), behind(at + 2)] == stop,
                None => false,
            },
        };
        (0..hay.len()).filter(|&at| is(at)).collect()
    }

    fn sifted(hay: &[u8], needles: Needles, skip: usize) -> Vec<usize> {
        let (mut sift, mut from, mut found) = (Sift::new(needles), 0, Vec::new());
        while let Some(at) = sift.next(hay, from) {
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
            let mut hay = Vec::new();
            for _ in 0..round / 3 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let piece = pieces[(seed >> 33) as usize % pieces.len()];
                hay.extend_from_slice(piece.as_bytes());
            }
            let stops = ["。".as_bytes(), b"\x81\x42", "é".as_bytes(), b""].map(Wide::new);
            for (stop, colons) in stops.into_iter().flat_map(|s| [(s, true), (s, false)]) {
                let needles = Needles { colons, stop };
                let expected = plain(&hay, needles);
                assert_eq!(sifted(&hay, needles, 0), expected);
                // With leaps over some of them.
                for skip in [1, 7, 63, 64, 100] {
                    let mut from = 0;
                    let left = expected.iter().copied().filter(|&at| {
                        let is_left = at >= from;
                        from = if is_left { at + 1 + skip } else { from };
                        is_left
                    });
                    assert_eq!(sifted(&hay, needles, skip), left.collect::<Vec<_>>());
                }
            }
        }
    }
}

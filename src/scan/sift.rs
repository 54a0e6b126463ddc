//! The search for the dots and colons of running text, in one pass over blocks of bytes.
//!
//! In prose dots end sentences: a search that stops at each of them spends its time in starting
//! again. Here a block is compared as a whole, in vectors, and the first character of the next
//! sentence takes a `。` out of it. What is left is looked at one by one, but for what a link that
//! was found meanwhile stands over.

use super::ahead::{Ahead, SEEN};
use super::lanes::Lanes;

/// How many bytes are compared at once: a bit of a mask for each.
pub(super) const WIDTH: usize = 64;
/// How many bytes behind a block are looked at: those of a `。` that ends it, and of what follows.
pub(super) const MARGIN: usize = LONGEST + SEEN;
/// No `。` has more bytes.
const LONGEST: usize = 3;

pub(super) type Block = [u8; WIDTH + MARGIN];

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
        loop {
            if from >= self.end {
                self.fill(hay, from)?;
            }
            from = from.max(self.base);
            self.mask &= u64::MAX << (from - self.base);
            while self.mask != 0 {
                let at = self.base + self.mask.trailing_zeros() as usize;
                self.mask &= self.mask - 1;
                if self.is_wanted(hay, at) {
                    return Some(at);
                }
            }
            from = self.end;
        }
    }

    /// Goes on to the first block from a position on in which there is anything; `None`: there is
    /// none.
    fn fill(&mut self, hay: &[u8], from: usize) -> Option<()> {
        let mut at = from;
        let mut rest = hay.get(from..)?;
        while let Some(block) = rest.first_chunk() {
            let found = self.lanes.find(block);
            let mask = found.ascii | self.parting(block, found.stops);
            if mask != 0 {
                (self.base, self.end, self.mask) = (at, at + WIDTH, mask);
                return Some(());
            }
            at += WIDTH;
            rest = rest.get(WIDTH..).unwrap_or(&[]);
        }
        self.fill_last(rest, at)
    }

    /// The same among the last bytes, with some behind them that let anything pass.
    fn fill_last(&mut self, last: &[u8], at: usize) -> Option<()> {
        for (n, bytes) in last.chunks(WIDTH).enumerate() {
            let mut block: Block = [0xFF; WIDTH + MARGIN];
            let shown = last.get(n * WIDTH..).unwrap_or(&[]);
            for (to, from) in block.iter_mut().zip(shown) {
                *to = *from;
            }
            let found = self.lanes.find(&block);
            let mask = (found.ascii | found.stops) & (u64::MAX >> (WIDTH - bytes.len()));
            let base = at + n * WIDTH;
            (self.base, self.end, self.mask) = (base, base + bytes.len(), mask);
            if mask != 0 {
                return Some(());
            }
        }
        let end = at + last.len();
        (self.base, self.end, self.mask) = (end, end, 0);
        None
    }

    /// Which of the `。` of a block may part labels.
    #[inline(always)]
    fn parting(&self, block: &Block, stops: u64) -> u64 {
        let Some(ahead) = self.ahead else {
            return stops;
        };
        let (mut parting, mut left) = (0, stops);
        while left != 0 {
            let at = left.trailing_zeros() as usize % WIDTH;
            left &= left - 1;
            let behind = block.get(at + self.len.min(LONGEST)..);
            let Some(behind) = behind.and_then(<[u8]>::first_chunk) else {
                return stops;
            };
            // Without branches: in what way each goes is hard to foresee.
            parting |= u64::from((block[at] == self.lead) & ahead.may_begin(behind)) << at;
        }
        parting
    }

    /// Whether what was found at a position is a find.
    #[inline(always)]
    fn is_wanted(&self, hay: &[u8], at: usize) -> bool {
        match hay.get(at) {
            Some(b'.') => !is_vain(hay.get(at + 1)),
            Some(&byte) => byte == b':' || byte == self.lead,
            None => false,
        }
    }
}

/// Whether behind a dot there is white space or punctuation but what stands behind the digits.
#[inline(always)]
fn is_vain(next: Option<&u8>) -> bool {
    next.is_some_and(|&next| next <= b'/' && next != b'&')
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

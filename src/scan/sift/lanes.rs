//! The bytes of a block that a search wants, as vectors of sixteen.

use super::{Block, WIDTH, Wide};
use crate::vector::Vector;

const LANES: usize = Vector::LEN;

/// The bytes that are searched, one in all lanes of each vector.
#[derive(Clone, Copy)]
pub(super) struct Lanes {
    dot: Vector,
    /// A dot where no colons are searched.
    colon: Vector,
    pair: Option<Pair>,
}

/// The last two bytes of a `。`: fewer other characters have them than its first.
#[derive(Clone, Copy)]
struct Pair {
    bytes: [Vector; 2],
    is_behind_lead: bool,
}

/// What a block has: a bit for each of its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// The dots, and the colons if they are searched.
    pub(super) ascii: u64,
    /// Where a `。` begins, or another character with its last two bytes.
    pub(super) stops: u64,
}

impl Lanes {
    pub(super) fn new(colons: bool, stop: Option<Wide>) -> Self {
        let (is_behind_lead, bytes) = match stop {
            Some(Wide::Three([_, a, b])) => (true, [a, b]),
            Some(Wide::Two(bytes)) => (false, bytes),
            None => (false, [0; 2]),
        };
        let pair = Pair {
            bytes: bytes.map(Vector::splat),
            is_behind_lead,
        };
        Lanes {
            dot: Vector::splat(b'.'),
            colon: Vector::splat(if colons { b':' } else { b'.' }),
            pair: stop.map(|_| pair),
        }
    }

    /// What a block has.
    #[inline(always)]
    pub(super) fn find(&self, block: &Block) -> Found {
        let (mut ascii, mut wide) = (0, 0);
        for at in (0..WIDTH).step_by(LANES) {
            let bytes = load(block, at);
            ascii |= mask(bytes.equal(self.dot) | bytes.equal(self.colon)) << at;
            wide |= mask(bytes);
        }
        let stops = match &self.pair {
            Some(pair) if wide != 0 && pair.is_behind_lead => pair.find::<1>(block),
            Some(pair) if wide != 0 => pair.find::<0>(block),
            _ => 0,
        };
        Found { ascii, stops }
    }
}

impl Pair {
    /// Where the pair stands `SKIP` bytes further.
    #[inline(always)]
    fn find<const SKIP: usize>(&self, block: &Block) -> u64 {
        let [first, second] = self.bytes;
        let mut found = 0;
        for at in (0..WIDTH).step_by(LANES) {
            let is_first = load(block, at + SKIP).equal(first);
            let is_second = load(block, at + SKIP + 1).equal(second);
            found |= mask(is_first & is_second) << at;
        }
        found
    }
}

/// The highest bit of each lane.
#[inline]
fn mask(lanes: Vector) -> u64 {
    u64::from(lanes.mask())
}

/// Sixteen bytes of the block; none where it has not as many.
#[inline]
fn load(block: &Block, at: usize) -> Vector {
    Vector::at(block, at).unwrap_or_else(|| Vector::splat(0))
}

#[cfg(test)]
mod tests {
    use super::super::MARGIN;
    use super::*;

    #[test]
    fn vectors_find_what_single_bytes_are() {
        let bytes = [b'.', b':', 0xE3, 0x80, 0x82, 0x81, 0x42, b'a', b' '];
        let stops = ["", "。", "\u{3042}"].map(|stop| Wide::new(stop.as_bytes()));
        let stops = stops.into_iter().chain([Wide::new(b"\x81\x42")]);
        let stops: Vec<_> = stops
            .flat_map(|stop| [(stop, true), (stop, false)])
            .collect();
        let (mut seed, mut found) = (11_u64, [0, 0]);
        for _ in 0..2000 {
            let mut block: Block = [0; WIDTH + MARGIN];
            for byte in &mut block {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *byte = bytes[(seed >> 33) as usize % bytes.len()];
            }
            let flags = |is: &dyn Fn(usize) -> bool| {
                (0..WIDTH).fold(0, |mask, at| mask | u64::from(is(at)) << at)
            };
            for &(stop, colons) in &stops {
                let ours = Lanes::new(colons, stop).find(&block);
                let is_ascii = |at| block[at] == b'.' || colons && block[at] == b':';
                assert_eq!(ours.ascii, flags(&is_ascii), "{block:?}");
                let is_stop = |at: usize| match stop {
                    Some(Wide::Three([_, rest @ ..])) => block[at + 1..].starts_with(&rest),
                    Some(Wide::Two(stop)) => block[at..].starts_with(&stop),
                    None => false,
                };
                assert_eq!(ours.stops, flags(&is_stop), "{block:?}");
                found[0] += ours.ascii.count_ones();
                found[1] += ours.stops.count_ones();
            }
        }
        assert!(found.iter().all(|&found| found > 1000), "{found:?}");
    }
}

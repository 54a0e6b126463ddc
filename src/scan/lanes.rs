//! Bytes as vectors of sixteen: what a search wants of a block, and what bytes are to a host or a
//! path.

use super::sift::{Block, WIDTH, Wide};
use crate::vector::Vector;

/// How many bytes a vector has.
pub(super) const LANES: usize = Vector::LEN;

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
        let (mut ascii, mut all) = (0, Vector::splat(0));
        for at in (0..WIDTH).step_by(LANES) {
            let bytes = load(block, at);
            ascii |= mask(bytes.equal(self.dot) | bytes.equal(self.colon)) << at;
            all = all | bytes;
        }
        let is_wide = mask(all) != 0;
        let stops = match &self.pair {
            Some(pair) if is_wide && pair.is_behind_lead => pair.find::<1>(block),
            Some(pair) if is_wide => pair.find::<0>(block),
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

/// What each of sixteen bytes is to a host: a bit for each in one of the masks, or in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Labels {
    /// Letters and digits of ASCII.
    pub(super) letters: u32,
    pub(super) hyphens: u32,
    pub(super) dots: u32,
}

impl Labels {
    #[inline(always)]
    pub(super) fn of(bytes: &[u8; LANES]) -> Labels {
        let bytes = Vector::new(bytes);
        Labels {
            letters: letters(bytes).mask(),
            hyphens: bytes.equal(Vector::splat(b'-')).mask(),
            dots: bytes.equal(Vector::splat(b'.')).mask(),
        }
    }
}

/// What each of sixteen bytes is to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paths {
    /// Letters, digits and `/ - % _ =`, which belong to it whatever stands around them.
    pub(super) taken: u32,
    pub(super) dots: u32,
}

impl Paths {
    #[inline(always)]
    pub(super) fn of(bytes: &[u8; LANES]) -> Paths {
        let bytes = Vector::new(bytes);
        let is = |byte: u8| bytes.equal(Vector::splat(byte));
        let others = is(b'/') | is(b'-') | is(b'%') | is(b'_') | is(b'=');
        Paths {
            taken: (letters(bytes) | others).mask(),
            dots: is(b'.').mask(),
        }
    }
}

/// Letters and digits of ASCII.
#[inline(always)]
fn letters(bytes: Vector) -> Vector {
    (bytes | Vector::splat(0x20)).between(b'a', b'z') | bytes.between(b'0', b'9')
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
    use super::super::sift::MARGIN;
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

    #[test]
    fn each_byte_is_known_at_each_place() {
        for (byte, at) in (0..=0xFF_u8).flat_map(|byte| (0..LANES).map(move |at| (byte, at))) {
            let mut bytes = [0xE3; LANES];
            bytes[at] = byte;
            let bit = |is: bool| u32::from(is) << at;
            let labels = Labels {
                letters: bit(byte.is_ascii_alphanumeric()),
                hyphens: bit(byte == b'-'),
                dots: bit(byte == b'.'),
            };
            let paths = Paths {
                taken: bit(byte.is_ascii_alphanumeric() || b"/-%_=".contains(&byte)),
                dots: labels.dots,
            };
            assert_eq!(Labels::of(&bytes), labels, "{byte:x}");
            assert_eq!(Paths::of(&bytes), paths, "{byte:x}");
        }
    }
}

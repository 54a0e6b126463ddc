//! Classes of bytes by vectors: the matches of a block search, and the runs of bytes that belong to a host or a path.

use super::label_starts::KEY_LEN;
use linkglot_charset::simd::Vector;
use linkglot_charset::simd::blocks::{self, InstructionSet};

/// Bytes in a vector.
pub(super) const LANES: usize = Vector::LEN;

/// Bytes in a block: one for each bit of a mask.
pub(super) const WIDTH: usize = blocks::WIDTH;
/// Bytes read behind a block: a `。` that straddles its end, and the key of the label behind it.
pub(super) const MARGIN: usize = MAX_FULL_STOP + KEY_LEN;
/// The most bytes of `。` in any charset.
pub(super) const MAX_FULL_STOP: usize = 3;

pub(super) type Block = [u8; WIDTH + MARGIN];

/// The bytes to search for, apart from dots.
#[derive(Clone, Copy)]
pub(super) struct Needles {
    /// True if colons are wanted.
    pub(super) colons: bool,
    /// The bytes of `。`, if full stops are wanted.
    pub(super) full_stop: Option<FullStopBytes>,
}

/// `。` in a charset.
#[derive(Clone, Copy)]
pub(super) enum FullStopBytes {
    Two([u8; 2]),
    Three([u8; 3]),
}

impl FullStopBytes {
    /// `None` unless there are two or three bytes, as in every charset.
    pub(super) fn new(bytes: &[u8]) -> Option<FullStopBytes> {
        match *bytes {
            [a, b] => Some(FullStopBytes::Two([a, b])),
            [a, b, c] => Some(FullStopBytes::Three([a, b, c])),
            _ => None,
        }
    }
}

/// Compares a block with the bytes that are searched.
#[derive(Clone, Copy)]
pub(super) struct BlockMatcher {
    /// A dot if colons are not wanted: the second comparison then repeats the first.
    colon: u8,
    /// The bytes of `。` and their number; 0 if full stops are not wanted.
    full_stop: [u8; MAX_FULL_STOP],
    full_stop_len: usize,
}

/// The matches of a block: a bit for each byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Matches {
    /// Colons, and dots with more than white space or punctuation behind them. All dots if colons are not wanted.
    pub(super) ascii: u64,
    /// First bytes of `。`.
    pub(super) full_stops: u64,
}

impl BlockMatcher {
    pub(super) fn new(needles: Needles) -> Self {
        let (full_stop, full_stop_len) = match needles.full_stop {
            Some(FullStopBytes::Two([a, b])) => ([a, b, 0], 2),
            Some(FullStopBytes::Three(bytes)) => (bytes, 3),
            None => ([0; MAX_FULL_STOP], 0),
        };
        BlockMatcher {
            colon: if needles.colons { b':' } else { b'.' },
            full_stop,
            full_stop_len,
        }
    }

    /// Number of bytes of `。`; 0 if full stops are not wanted.
    pub(super) fn full_stop_len(&self) -> usize {
        self.full_stop_len
    }

    /// The matches of a block, with a `。` of `FULL_STOP_LEN` bytes. Without branches, at which compilers would split
    /// up the vectors.
    #[inline(always)]
    pub(super) fn find<const FULL_STOP_LEN: usize, M: InstructionSet>(
        &self,
        machine: M,
        block: &Block,
    ) -> Matches {
        let is = |at: usize, byte: u8| machine.equal(machine.load(block, at), byte);
        let is_low = |at: usize| machine.at_most(machine.load(block, at), b'/');
        let is_dot = |at: usize| is(at, b'.') & (!is_low(at + 1) | is(at + 1, b'&'));
        let [a, b, c] = self.full_stop;
        Matches {
            ascii: machine.block_bits(|at| is_dot(at) | is(at, self.colon)),
            full_stops: match FULL_STOP_LEN {
                0 => 0,
                2 => machine.block_bits(|at| is(at, a) & is(at + 1, b)),
                _ => machine.block_bits(|at| is(at, a) & is(at + 1, b) & is(at + 2, c)),
            },
        }
    }
}

/// Masks of the bytes that may stand in a host, out of sixteen or two times sixteen: each byte is in at most one mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HostBits {
    /// ASCII letters and digits.
    pub(super) letters: u32,
    pub(super) hyphens: u32,
    pub(super) dots: u32,
}

impl HostBits {
    #[inline(always)]
    pub(super) fn of(bytes: &[u8; LANES]) -> HostBits {
        let bytes = Vector::new(bytes);
        HostBits {
            letters: letters(bytes).mask(),
            hyphens: bytes.equal(Vector::splat(b'-')).mask(),
            dots: bytes.equal(Vector::splat(b'.')).mask(),
        }
    }

    /// These bits together with the bits of the next sixteen bytes.
    #[inline(always)]
    pub(super) fn with(self, next: HostBits) -> HostBits {
        HostBits {
            letters: self.letters | next.letters << LANES,
            hyphens: self.hyphens | next.hyphens << LANES,
            dots: self.dots | next.dots << LANES,
        }
    }

    /// Number of bytes in front of the first that cannot stand in a host.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        (self.letters | self.hyphens | self.dots).trailing_ones() as usize
    }

    /// True if each dot stands behind a letter, and no hyphen behind a dot. `letter` and `dot` are the bits of the byte
    /// in front of the first.
    #[inline(always)]
    pub(super) fn are_formed(&self, letter: u32, dot: u32) -> bool {
        let seen = self.letters | self.hyphens | self.dots;
        // All bits below the first that is unset.
        let seen = seen & !seen.wrapping_add(1);
        let (behind_letter, behind_dot) = (self.letters << 1 | letter, self.dots << 1 | dot);
        (self.dots & !behind_letter | self.hyphens & behind_dot) & seen == 0
    }
}

/// Masks of the bytes that may stand in a path, out of sixteen or two times sixteen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathBits {
    /// Letters, digits and `/ - % _ =`: a path takes these in any surroundings.
    pub(super) taken: u32,
    pub(super) dots: u32,
}

impl PathBits {
    #[inline(always)]
    pub(super) fn of(bytes: &[u8; LANES]) -> PathBits {
        let bytes = Vector::new(bytes);
        let is = |byte: u8| bytes.equal(Vector::splat(byte));
        let others = is(b'/') | is(b'-') | is(b'%') | is(b'_') | is(b'=');
        PathBits {
            taken: (letters(bytes) | others).mask(),
            dots: is(b'.').mask(),
        }
    }

    /// These bits together with the bits of the next sixteen bytes.
    #[inline(always)]
    pub(super) fn with(self, next: PathBits) -> PathBits {
        PathBits {
            taken: self.taken | next.taken << LANES,
            dots: self.dots | next.dots << LANES,
        }
    }
}

/// ASCII letters and digits.
#[inline(always)]
fn letters(bytes: Vector) -> Vector {
    (bytes | Vector::splat(0x20)).between(b'a', b'z') | bytes.between(b'0', b'9')
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkglot_charset::simd::blocks::{Kernel, Level};

    struct Find(BlockMatcher, Block);

    impl Kernel for Find {
        type Output = Matches;

        #[inline(always)]
        fn run<M: InstructionSet>(self, machine: M) -> Matches {
            let Find(matcher, block) = self;
            match matcher.full_stop_len() {
                0 => matcher.find::<0, M>(machine, &block),
                2 => matcher.find::<2, M>(machine, &block),
                _ => matcher.find::<MAX_FULL_STOP, M>(machine, &block),
            }
        }
    }

    #[test]
    fn vectors_find_what_single_bytes_are() {
        let bytes = [b'.', b':', 0xE3, 0x80, 0x82, 0x81, 0x42, b'a', b' ', b'&'];
        let full_stops =
            ["", "。", "\u{3042}"].map(|full_stop| FullStopBytes::new(full_stop.as_bytes()));
        let full_stops = full_stops
            .into_iter()
            .chain([FullStopBytes::new(b"\x81\x42")]);
        let full_stops: Vec<_> = full_stops
            .flat_map(|full_stop| [(full_stop, true), (full_stop, false)])
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
            for &(full_stop, colons) in &full_stops {
                let matcher = BlockMatcher::new(Needles { colons, full_stop });
                let is_ascii = |at: usize| match block[at] {
                    b'.' => !colons || block[at + 1] > b'/' || block[at + 1] == b'&',
                    byte => colons && byte == b':',
                };
                let is_stop = |at: usize| match full_stop {
                    Some(FullStopBytes::Three(full_stop)) => block[at..].starts_with(&full_stop),
                    Some(FullStopBytes::Two(full_stop)) => block[at..].starts_with(&full_stop),
                    None => false,
                };
                let expected = Matches {
                    ascii: flags(&is_ascii),
                    full_stops: flags(&is_stop),
                };
                for vectors in Level::available() {
                    let ours = vectors.run(Find(matcher, block));
                    assert_eq!(ours, expected, "{vectors:?} {block:?}");
                }
                found[0] += expected.ascii.count_ones();
                found[1] += expected.full_stops.count_ones();
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
            let labels = HostBits {
                letters: bit(byte.is_ascii_alphanumeric()),
                hyphens: bit(byte == b'-'),
                dots: bit(byte == b'.'),
            };
            let paths = PathBits {
                taken: bit(byte.is_ascii_alphanumeric() || b"/-%_=".contains(&byte)),
                dots: labels.dots,
            };
            assert_eq!(HostBits::of(&bytes), labels, "{byte:x}");
            assert_eq!(PathBits::of(&bytes), paths, "{byte:x}");
        }
    }
}

//! Positions of decoded bytes in the encoded ones.

use std::ops::Range;

/// The positions of decoded bytes: a segment for each run of bytes that are encoded alike. Lines of a few bytes have as
/// many segments as lines, so a segment takes four bytes: it is stored by its distance from the start of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    blocks: Vec<Block>,
    segments: Vec<InBlock>,
    last: Option<Segment>,
    /// True if the segment in front of the last is a unit, which ends where the last begins.
    is_behind_unit: bool,
}

/// Segments near each other.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The number of the first segment.
    first: usize,
    /// The positions of the first segment.
    decoded: usize,
    encoded: usize,
}

/// A segment as it is stored.
#[derive(Clone, Copy, Debug)]
struct InBlock {
    /// Distance from the start of the block.
    decoded: u16,
    /// Distance from the start of the block, shifted left by two bits, with the [`Kind`] below.
    encoded_and_kind: u16,
}

/// The start of a run of decoded bytes. The run ends where the next one begins.
#[derive(Clone, Copy, Debug)]
struct Segment {
    decoded: usize,
    encoded: usize,
    kind: Kind,
}

/// The encoding of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Each byte stands for itself.
    Literal,
    /// Each byte is three, `=XX`.
    Escape,
    /// All bytes are one sequence, which ends where the next segment begins.
    Unit,
}

impl Block {
    /// A segment in the form in which it is stored; `None` if it is too far from the start of the block.
    fn stored(&self, segment: Segment) -> Option<InBlock> {
        let encoded = u16::try_from(segment.encoded.checked_sub(self.encoded)?).ok()?;
        let is_near = encoded <= u16::MAX >> 2;
        is_near.then_some(InBlock {
            decoded: u16::try_from(segment.decoded.checked_sub(self.decoded)?).ok()?,
            encoded_and_kind: encoded << 2 | segment.kind as u16,
        })
    }

    fn segment(&self, stored: InBlock) -> Segment {
        Segment {
            decoded: self.decoded + usize::from(stored.decoded),
            encoded: self.encoded + usize::from(stored.encoded_and_kind >> 2),
            kind: match stored.encoded_and_kind & 3 {
                0 => Kind::Literal,
                1 => Kind::Escape,
                _ => Kind::Unit,
            },
        }
    }
}

impl Segment {
    fn new(decoded: usize, encoded: usize, kind: Kind) -> Self {
        Segment {
            decoded,
            encoded,
            kind,
        }
    }

    /// The encoded bytes of the decoded byte `at` of this run, which is no unit.
    fn source(self, at: usize) -> Range<usize> {
        let width = if self.kind == Kind::Escape { 3 } else { 1 };
        let begin = self.encoded + width * (at - self.decoded);
        begin..begin + width
    }
}

impl Positions {
    /// Notes that the bytes from `decoded` on are the bytes from `encoded` on.
    pub(super) fn literal(&mut self, decoded: usize, encoded: usize) {
        self.run(Segment::new(decoded, encoded, Kind::Literal));
    }

    /// Notes that each byte from `decoded` on is encoded as three.
    pub(super) fn escapes(&mut self, decoded: usize, encoded: usize) {
        self.run(Segment::new(decoded, encoded, Kind::Escape));
    }

    fn run(&mut self, run: Segment) {
        let goes_on = self.last.is_some_and(|last| {
            let in_step = last.kind != Kind::Unit && last.kind == run.kind;
            in_step && last.source(run.decoded).start == run.encoded
        });
        if !goes_on {
            self.push(run);
        }
    }

    /// Notes that the decoded bytes are encoded as one sequence.
    pub(super) fn unit(&mut self, decoded: Range<usize>, encoded: Range<usize>) {
        self.push(Segment::new(decoded.start, encoded.start, Kind::Unit));
        self.push(Segment::new(decoded.end, encoded.end, Kind::Literal));
    }

    /// Adds a segment. It takes the place of the last one if that has no decoded bytes, as between folds without end,
    /// and is not the end of a unit elsewhere.
    fn push(&mut self, segment: Segment) {
        match self.last {
            Some(last) if self.may_replace(last, segment) => self.pop(),
            last => self.is_behind_unit = last.is_some_and(|last| last.kind == Kind::Unit),
        }
        let near = self.blocks.last().and_then(|block| block.stored(segment));
        let stored = near.unwrap_or_else(|| {
            self.blocks.push(Block {
                first: self.segments.len(),
                decoded: segment.decoded,
                encoded: segment.encoded,
            });
            InBlock {
                decoded: 0,
                encoded_and_kind: segment.kind as u16,
            }
        });
        self.segments.push(stored);
        self.last = Some(segment);
    }

    fn may_replace(&self, last: Segment, next: Segment) -> bool {
        let is_end = self.is_behind_unit && last.encoded != next.encoded;
        last.decoded == next.decoded && !is_end
    }

    fn pop(&mut self) {
        self.segments.pop();
        let first = self.blocks.last().map(|block| block.first);
        if first == Some(self.segments.len()) {
            self.blocks.pop();
        }
    }

    /// The segment of a number.
    fn get(&self, number: usize) -> Option<Segment> {
        let stored = *self.segments.get(number)?;
        let behind = self.blocks.partition_point(|block| block.first <= number);
        let block = self.blocks.get(behind.checked_sub(1)?)?;
        Some(block.segment(stored))
    }

    /// Number of the segments at the beginning with a property that none has behind the first without it. O(log n).
    fn partition_point(&self, has: impl Fn(Segment) -> bool) -> usize {
        let begins = |block: &Block| Segment::new(block.decoded, block.encoded, Kind::Literal);
        let behind = self.blocks.partition_point(|block| has(begins(block)));
        let Some(block) = behind.checked_sub(1).and_then(|at| self.blocks.get(at)) else {
            return 0;
        };
        let next = self.blocks.get(behind);
        let end = next.map_or(self.segments.len(), |next| next.first);
        let segments = self.segments.get(block.first..end).unwrap_or_default();
        block.first + segments.partition_point(|stored| has(block.segment(*stored)))
    }

    /// The encoded bytes of a range of the `len` decoded bytes. O(log n).
    pub(super) fn source(&self, decoded: Range<usize>, len: usize) -> Range<usize> {
        let start = match decoded.start.min(len) {
            at if at < len => self.source_of_byte(at).start,
            0 => 0,
            at => self.source_of_byte(at - 1).end,
        };
        match decoded.end.min(len) {
            end if end > decoded.start => start..self.source_of_byte(end - 1).end,
            _ => start..start,
        }
    }

    fn source_of_byte(&self, at: usize) -> Range<usize> {
        let behind = self.partition_point(|segment| segment.decoded <= at);
        let Some(segment) = self.get(behind.wrapping_sub(1)) else {
            return at..at + 1;
        };
        match (segment.kind, self.get(behind)) {
            (Kind::Unit, Some(next)) => segment.encoded..next.encoded,
            _ => segment.source(at),
        }
    }

    /// The first of the `len` decoded bytes that begins at or after an encoded position. O(log n).
    pub(super) fn decoded_at(&self, encoded: usize, len: usize) -> usize {
        let behind = self.partition_point(|segment| segment.encoded <= encoded);
        let end = self.get(behind).map_or(len, |next| next.decoded);
        let Some(segment) = self.get(behind.wrapping_sub(1)) else {
            return if self.segments.is_empty() {
                encoded.min(len)
            } else {
                0
            };
        };
        let distance = encoded - segment.encoded;
        let passed = match segment.kind {
            Kind::Literal => distance,
            Kind::Escape => distance.div_ceil(3),
            Kind::Unit if distance == 0 => 0,
            Kind::Unit => usize::MAX,
        };
        segment.decoded.saturating_add(passed).min(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of any length, units among them, far from each other and near.
    #[test]
    fn positions_are_those_of_the_runs() {
        let mut positions = Positions::default();
        let (mut decoded, mut encoded, mut sources) = (0, 0, Vec::new());
        for number in 0..3_000_usize {
            encoded += [0, 2, 3, 70_000][number % 7 % 4];
            let length = [1, 0, 5, 17_000][number * 5 % 11 % 4];
            match number % 3 {
                0 => {
                    positions.literal(decoded, encoded);
                    sources.extend((0..length).map(|at| encoded + at..encoded + at + 1));
                    encoded += length;
                }
                1 => {
                    positions.escapes(decoded, encoded);
                    sources.extend((0..length).map(|at| encoded + 3 * at..encoded + 3 * at + 3));
                    encoded += 3 * length;
                }
                _ => {
                    let unit = encoded..encoded + 2;
                    positions.unit(decoded..decoded + 1, unit.clone());
                    sources.push(unit);
                    encoded += 2;
                }
            }
            decoded = sources.len();
        }
        for at in (0..decoded).step_by(7).chain(decoded - 9..decoded) {
            let source = positions.source(at..at + 1, decoded);
            assert_eq!(source, sources[at], "{at}");
            assert_eq!(positions.decoded_at(source.start, decoded), at);
        }
    }

    /// Lines of a few bytes take four bytes each, and empty lines none.
    #[test]
    fn positions_take_little_memory() {
        let bytes = |encoded: &[u8], decode: fn(&[u8]) -> Positions| {
            let positions = decode(encoded);
            let blocks = positions.blocks.len() * size_of::<Block>();
            (positions.segments.len() * size_of::<InBlock>() + blocks) as f64 / encoded.len() as f64
        };
        let quoted = |encoded: &[u8]| crate::quoted::decode(encoded).positions;
        let folded = |encoded: &[u8]| crate::folded::decode(encoded).positions;
        assert!(bytes(&b" =\n".repeat(100_000), quoted) < 1.4);
        assert!(bytes(&b"=\n".repeat(100_000), quoted) < 0.1);
        assert!(bytes(&b"a\n ".repeat(100_000), folded) < 1.4);
        assert!(bytes(&b"\n ".repeat(100_000), folded) < 0.1);
    }
}

//! Positions of decoded bytes in the encoded ones.

use std::ops::Range;

/// The positions of decoded bytes: a segment for each run of bytes that are encoded alike.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    segments: Vec<Segment>,
}

/// The start of a run of decoded bytes. The run ends where the next one begins.
#[derive(Clone, Copy, Debug)]
struct Segment {
    decoded: usize,
    /// Encoded position, shifted left by two bits, with the [`Kind`] below: positions take half of the memory.
    encoded_and_kind: usize,
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

impl Segment {
    fn new(decoded: usize, encoded: usize, kind: Kind) -> Self {
        Segment {
            decoded,
            encoded_and_kind: encoded << 2 | kind as usize,
        }
    }

    fn encoded(self) -> usize {
        self.encoded_and_kind >> 2
    }

    fn kind(self) -> Kind {
        match self.encoded_and_kind & 3 {
            0 => Kind::Literal,
            1 => Kind::Escape,
            _ => Kind::Unit,
        }
    }

    /// The encoded bytes of the decoded byte `at` of this run, which is no unit.
    fn source(self, at: usize) -> Range<usize> {
        let width = if self.kind() == Kind::Escape { 3 } else { 1 };
        let begin = self.encoded() + width * (at - self.decoded);
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
        let goes_on = self.segments.last().is_some_and(|last| {
            let in_step = last.kind() != Kind::Unit && last.kind() == run.kind();
            in_step && last.source(run.decoded).start == run.encoded()
        });
        if !goes_on {
            self.segments.push(run);
        }
    }

    /// Notes that the decoded bytes are encoded as one sequence.
    pub(super) fn unit(&mut self, decoded: Range<usize>, encoded: Range<usize>) {
        let unit = Segment::new(decoded.start, encoded.start, Kind::Unit);
        self.segments.push(unit);
        let end = Segment::new(decoded.end, encoded.end, Kind::Literal);
        self.segments.push(end);
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
        let behind = self
            .segments
            .partition_point(|segment| segment.decoded <= at);
        let Some(&segment) = self.segments.get(behind.wrapping_sub(1)) else {
            return at..at + 1;
        };
        match (segment.kind(), self.segments.get(behind)) {
            (Kind::Unit, Some(next)) => segment.encoded()..next.encoded(),
            _ => segment.source(at),
        }
    }

    /// The first of the `len` decoded bytes that begins at or after an encoded position. O(log n).
    pub(super) fn decoded_at(&self, encoded: usize, len: usize) -> usize {
        let behind = self
            .segments
            .partition_point(|segment| segment.encoded() <= encoded);
        let end = self.segments.get(behind).map_or(len, |next| next.decoded);
        let Some(segment) = self.segments.get(behind.wrapping_sub(1)) else {
            return if self.segments.is_empty() {
                encoded.min(len)
            } else {
                0
            };
        };
        let distance = encoded - segment.encoded();
        let passed = match segment.kind() {
            Kind::Literal => distance,
            Kind::Escape => distance.div_ceil(3),
            Kind::Unit if distance == 0 => 0,
            Kind::Unit => usize::MAX,
        };
        segment.decoded.saturating_add(passed).min(end)
    }
}

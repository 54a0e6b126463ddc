//! Lines that are written again: the changes of a line, and soft breaks where the line grew too long.
//!
//! The changes of a line wait for each other, since only together they tell how long the line becomes.

use super::lines::Lines;
use super::wrap::{self, Piece, Shape};
use super::{Change, Edit, Placed};
use linkglot_charset::ranges::{slice, tail};
use std::ops::Range;

/// A change of encoded bytes, with the new bytes in decoded form.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) range: Range<usize>,
    pub(super) new: Vec<u8>,
    number: usize,
}

/// A line and its changes.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) waiting: Vec<Waiting>,
    /// The encoded bytes of the line. A change that removes line breaks turns several lines into one.
    pub(super) range: Range<usize>,
    /// The most octets of the line.
    limit: usize,
}

/// The changes of the last changed line.
#[derive(Debug)]
pub(super) struct Changes<'d> {
    encoded: &'d [u8],
    placed: &'d Placed<'d>,
    lines: Lines<'d>,
    line: Line,
    /// The most octets of a line, unless the line was longer before.
    limit: usize,
}

impl<'d> Changes<'d> {
    pub(super) fn new(encoded: &'d [u8], placed: &'d Placed<'d>, limit: usize) -> Self {
        Changes {
            encoded,
            placed,
            lines: Lines::new(encoded),
            line: Line::default(),
            limit,
        }
    }

    /// Adds a change. Returns the line before, if the change is in another one.
    pub(super) fn push(&mut self, change: Change<'_>) -> Option<Line> {
        let range = self.source(&change);
        let before = (range.start > self.line.range.end)
            .then(|| self.take())
            .flatten();
        let first = self.lines.around(range.start);
        let last = self.lines.around(range.end);
        let line = &mut self.line;
        if line.waiting.is_empty() {
            line.range.start = first.start;
            line.limit = self.limit;
        }
        line.range.end = last.end;
        line.limit = line.limit.max(first.len()).max(last.len());
        line.waiting.push(Waiting {
            range,
            new: change.new.to_vec(),
            number: change.number,
        });
        before
    }

    /// The encoded bytes of a change. Text inserted behind unchanged bytes of the replaced range stands next to these.
    fn source(&self, change: &Change<'_>) -> Range<usize> {
        let len = self.placed.bytes.len();
        let Range { start, end } = change.range;
        if start == end && change.is_behind && start > 0 {
            let at = self.placed.positions.source(start - 1..start, len).end;
            return at..at;
        }
        self.placed.positions.source(start..end, len)
    }

    /// The line, if it has changes.
    pub(super) fn take(&mut self) -> Option<Line> {
        let line = std::mem::take(&mut self.line);
        (!line.waiting.is_empty()).then_some(line)
    }

    pub(super) fn encoded(&self) -> &'d [u8] {
        self.encoded
    }
}

/// A part of a line. The change of the item writes any break in front of it.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// Encoded bytes that stay behind a change. No break may stand in front of glued bytes.
    Stay {
        change: usize,
        range: Range<usize>,
        glued: bool,
    },
    /// A byte that a change writes.
    Octet {
        change: usize,
        byte: u8,
        escaped: bool,
        escaped_at_begin: bool,
        glued: bool,
    },
    /// A line break that a change writes.
    Break { change: usize, is_soft: bool },
}

impl Item {
    fn change(&self) -> usize {
        let (Item::Stay { change, .. } | Item::Octet { change, .. } | Item::Break { change, .. }) =
            self;
        *change
    }

    fn piece(&self) -> Piece {
        let (width, width_at_begin, glued) = match self {
            Item::Stay { range, glued, .. } => (range.len(), range.len(), *glued),
            Item::Octet {
                escaped,
                escaped_at_begin,
                glued,
                ..
            } => {
                let width = |escaped| if escaped { 3 } else { 1 };
                let at_begin = *escaped || *escaped_at_begin;
                (width(*escaped), width(at_begin), *glued)
            }
            Item::Break { .. } => (0, 0, false),
        };
        Piece {
            width,
            width_at_begin,
            glued,
        }
    }
}

/// The style in which a layer writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner<'d> {
    pub(super) line_break: &'d [u8],
    /// The byte in front of the line break of a soft break.
    pub(super) mark: Option<u8>,
    /// The byte behind the line break of a soft break.
    pub(super) indent: Option<u8>,
    /// True if the digits of escapes are in lower case.
    pub(super) lower: bool,
}

impl Manner<'_> {
    /// Writes the changes of a line as its items say.
    pub(super) fn write(self, line: Line, items: &[Item], encoded: &[u8], out: &mut Vec<Edit>) {
        let mut written = Written {
            manner: self,
            line: &line,
            encoded,
            edits: vec![Vec::new(); line.waiting.len()],
        };
        written.items(items);
        let edits = written.edits;
        for (change, bytes) in line.waiting.into_iter().zip(edits) {
            if slice(encoded, change.range.clone()) != bytes {
                out.push(Edit {
                    range: change.range,
                    bytes,
                    number: change.number,
                });
            }
        }
    }

    fn shape(self, limit: usize) -> Shape {
        Shape {
            limit,
            mark: usize::from(self.mark.is_some()),
            indent: usize::from(self.indent.is_some()),
        }
    }
}

/// The bytes of the changes.
struct Written<'w> {
    manner: Manner<'w>,
    line: &'w Line,
    encoded: &'w [u8],
    edits: Vec<Vec<u8>>,
}

impl Written<'_> {
    fn items(&mut self, items: &[Item]) {
        let shape = self.manner.shape(self.line.limit);
        let mut rest = items;
        let mut begin = 0;
        while !rest.is_empty() {
            let is_break = |item: &Item| matches!(item, Item::Break { .. });
            let end = rest.iter().position(is_break).unwrap_or(rest.len());
            let (line, behind) = (slice(rest, 0..end), tail(rest, end));
            let is_soft = matches!(behind, [Item::Break { is_soft: true, .. }, ..]);
            let mark = if is_soft { shape.mark } else { 0 };
            let pieces: Vec<_> = line.iter().map(Item::piece).collect();
            self.pieces(line, &wrap::breaks(&pieces, shape, begin, mark));
            if let [Item::Break { change, is_soft }, ..] = behind {
                self.line_break(*change, *is_soft);
            }
            begin = if is_soft { shape.indent } else { 0 };
            rest = behind.get(1..).unwrap_or_default();
        }
    }

    fn pieces(&mut self, items: &[Item], breaks: &[usize]) {
        let mut breaks = breaks.iter().peekable();
        for (at, item) in items.iter().enumerate() {
            let is_broken = breaks.next_if(|next| **next == at).is_some();
            if is_broken {
                self.line_break(item.change(), true);
            }
            if let &Item::Octet {
                change,
                byte,
                escaped,
                escaped_at_begin,
                ..
            } = item
            {
                self.octet(change, byte, escaped || is_broken && escaped_at_begin);
            }
        }
    }

    fn line_break(&mut self, change: usize, is_soft: bool) {
        let mut written = Vec::new();
        if is_soft {
            written.extend(self.manner.mark);
        }
        // An LF behind a CR would make a line break of both.
        let before = written.last().copied().or_else(|| self.last_byte(change));
        match before {
            Some(b'\r') if is_soft => written.extend_from_slice(b"\r\n"),
            _ => written.extend_from_slice(self.manner.line_break),
        }
        if is_soft {
            written.extend(self.manner.indent);
        }
        if let Some(bytes) = self.edits.get_mut(change) {
            bytes.extend_from_slice(&written);
        }
    }

    /// The byte in front of the next byte that a change writes.
    fn last_byte(&self, change: usize) -> Option<u8> {
        let changes = self.line.waiting.get(..=change)?;
        let mut start = None;
        for (change, bytes) in changes.iter().zip(&self.edits).rev() {
            if start.is_some_and(|start| change.range.end < start) {
                break;
            }
            if let Some(last) = bytes.last() {
                return Some(*last);
            }
            start = Some(change.range.start);
        }
        self.encoded.get(start?.checked_sub(1)?).copied()
    }

    fn octet(&mut self, change: usize, byte: u8, escaped: bool) {
        let Some(bytes) = self.edits.get_mut(change) else {
            return;
        };
        if !escaped {
            return bytes.push(byte);
        }
        let digits: &[u8; 16] = if self.manner.lower {
            b"0123456789abcdef"
        } else {
            b"0123456789ABCDEF"
        };
        let digit = |value: u8| digits.get(usize::from(value)).copied().unwrap_or_default();
        bytes.extend([b'=', digit(byte >> 4), digit(byte & 15)]);
    }
}

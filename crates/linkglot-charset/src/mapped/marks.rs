//! The map between text and source: marks where their alignment changes.

use super::small_list::SmallList;
use std::ops::Range;

/// Receives the widths of the characters of a text, in order.
pub(crate) trait CharWidths {
    /// `count` characters, each of `len` bytes of text from `source` bytes.
    fn chars(&mut self, count: usize, len: usize, source: usize);
}

impl CharWidths for Marks {
    #[inline]
    fn chars(&mut self, count: usize, len: usize, source: usize) {
        Marks::chars(self, count, len, source);
    }
}

/// Ignores the widths, for callers that need no positions.
impl CharWidths for () {
    #[inline]
    fn chars(&mut self, _: usize, _: usize, _: usize) {}
}

/// Stretches where text and source are in step and where they are not. Empty when they are in step everywhere.
///
/// The last mark is never [`Alignment::Unit`]: the end of the source follows from it.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    list: SmallList<Mark>,
    /// The text's length so far.
    len: usize,
    /// The end of the source so far.
    end: usize,
}

/// The marks of text that is its own source.
pub(super) static IN_STEP: Marks = Marks::in_step(0);

/// An alignment begins at text byte `text`, which stands at source byte `source`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    text: usize,
    source: usize,
    alignment: Alignment,
}

/// Correspondence of text and source up to the next mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alignment {
    /// Every text byte is one source byte.
    InStep,
    /// The text is one unit.
    Unit,
    /// The text is units of one width.
    Uniform(Width),
}

/// The bytes of a unit, neither of them zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Width {
    pub(super) text: u8,
    pub(super) source: u8,
}

impl Width {
    /// `None` when a width does not fit into a byte.
    fn new(text: usize, source: usize) -> Option<Width> {
        let (text, source) = (u8::try_from(text).ok()?, u8::try_from(source).ok()?);
        (text > 0 && source > 0).then_some(Width { text, source })
    }

    /// The source bytes of the whole units in `text` bytes of text.
    fn source_of(self, text: usize) -> usize {
        text / usize::from(self.text) * usize::from(self.source)
    }
}

/// The end of a range at a position: a unit that is cut belongs to the ranges on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    Begin,
    End,
}

/// A piece of text between two marks.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) text: Range<usize>,
    pub(super) source: Range<usize>,
    pub(super) alignment: Alignment,
}

impl Run {
    /// Calls `each` with the length and the source of every unit.
    pub(super) fn units(&self, mut each: impl FnMut(usize, Range<usize>)) {
        let Alignment::Uniform(width) = self.alignment else {
            return each(self.text.len(), self.source.clone());
        };
        let (len, step) = (usize::from(width.text), usize::from(width.source));
        for (n, _) in self.text.clone().step_by(len).enumerate() {
            let start = self.source.start + n * step;
            each(len, start..start + step);
        }
    }
}

impl Default for Marks {
    fn default() -> Self {
        Marks::in_step(0)
    }
}

impl Marks {
    /// The marks of `len` bytes of text that are in step with their source.
    pub(super) const fn in_step(len: usize) -> Self {
        Marks {
            list: SmallList::new(Mark::ORIGIN),
            len,
            end: len,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds `len` bytes of text in step with the source from `source` on. The first character has
    /// `first` bytes and owns the source bytes that were left out before it.
    pub(crate) fn run(&mut self, len: usize, first: usize, source: usize) {
        if len == 0 {
            return;
        }
        if source > self.end {
            let first = first.min(len);
            self.unit(first, source + first);
            self.step(len - first);
        } else {
            self.step(len);
        }
    }

    /// Adds `len` bytes of text in step with the source that follows.
    fn step(&mut self, len: usize) {
        let last = self.list.last().map(|mark| mark.alignment);
        if matches!(last, Some(Alignment::Uniform(_))) {
            self.mark(Alignment::InStep);
        }
        self.len += len;
        self.end += len;
    }

    /// Adds a unit of `len` bytes of text whose source ends at `end`.
    pub(crate) fn unit(&mut self, len: usize, end: usize) {
        if len == 0 {
            return;
        }
        self.mark(Alignment::Unit);
        self.len += len;
        self.end = end.max(self.end);
        self.mark(Alignment::InStep);
    }

    /// Adds a character of `len` bytes of text whose source ends at `end`.
    pub(crate) fn char(&mut self, len: usize, end: usize) {
        self.chars(1, len, end.saturating_sub(self.end));
    }

    /// Adds `count` characters, each of `len` bytes of text from `source` bytes that follow.
    #[inline]
    pub(crate) fn chars(&mut self, count: usize, len: usize, source: usize) {
        if len == source || len == 0 {
            return self.step(count * len);
        }
        let Some(width) = Width::new(len, source) else {
            return (0..count).for_each(|_| self.unit(len, self.end + source));
        };
        let alignment = Alignment::Uniform(width);
        let last = self.list.last();
        if last.is_none_or(|mark| mark.alignment != alignment) {
            self.mark(alignment);
        }
        self.len += count * len;
        self.end += count * source;
    }

    /// Marks the end of text and source as the start of an alignment.
    #[inline]
    fn mark(&mut self, alignment: Alignment) {
        let (text, source) = (self.len, self.end);
        match self.list.last_mut() {
            Some(last) if last.text == text => last.alignment = alignment,
            _ => self.list.push(Mark {
                text,
                source,
                alignment,
            }),
        }
    }

    /// The last mark that is not `beyond` a position, and the mark after it.
    fn around(&self, beyond: impl Fn(&Mark) -> bool) -> (Mark, Option<Mark>) {
        let next = self.list.partition_point(|mark| !beyond(mark));
        let mark = match next.checked_sub(1) {
            Some(at) => self.list[at],
            None => Mark::ORIGIN,
        };
        (mark, self.list.get(next).copied())
    }

    pub(super) fn source(&self, text: usize, edge: Edge) -> usize {
        let (mark, next) = self.around(|mark| mark.text > text);
        mark.source_of(next, text, edge)
    }

    pub(super) fn text_at(&self, source: usize) -> usize {
        let (mark, next) = self.around(|mark| mark.source >= source);
        let limit = next.map_or(usize::MAX, |mark| mark.text);
        match mark.alignment {
            Alignment::Unit => limit,
            Alignment::InStep => (mark.text + (source - mark.source)).min(limit),
            Alignment::Uniform(width) => {
                let units = (source - mark.source).div_ceil(usize::from(width.source));
                (mark.text + units * usize::from(width.text)).min(limit)
            }
        }
    }

    /// The runs of a range of a text of `len` bytes. A unit that is cut is one run with the text in
    /// the range and its whole source; a uniform run has whole units.
    pub(super) fn runs_in(
        &self,
        range: Range<usize>,
        len: usize,
    ) -> impl Iterator<Item = Run> + '_ {
        let range = range.start.min(len)..range.end.min(len);
        let mut at = range.start;
        let mut behind = self.list.partition_point(|mark| mark.text <= at);
        std::iter::from_fn(move || {
            if at >= range.end {
                return None;
            }
            let mark = behind
                .checked_sub(1)
                .map_or(Mark::ORIGIN, |at| self.list[at]);
            let next = self.list.get(behind).copied();
            let mut end = next.map_or(range.end, |next| next.text.min(range.end));
            let mut alignment = mark.alignment;
            if let Alignment::Uniform(width) = alignment {
                let width = usize::from(width.text);
                let cut = (at - mark.text) % width;
                let whole = (end - at) / width * width;
                if cut > 0 || whole == 0 {
                    (end, alignment) = (end.min(at + width - cut), Alignment::Unit);
                } else {
                    end = at + whole;
                }
            }
            let source =
                mark.source_of(next, at, Edge::Begin)..mark.source_of(next, end, Edge::End);
            behind += usize::from(next.is_some_and(|next| next.text == end));
            let text = std::mem::replace(&mut at, end)..end;
            Some(Run {
                text,
                source,
                alignment,
            })
        })
    }
}

impl Mark {
    const ORIGIN: Mark = Mark {
        text: 0,
        source: 0,
        alignment: Alignment::InStep,
    };

    /// The source of a position of the text from the mark up to `next`, the mark behind it.
    fn source_of(self, next: Option<Mark>, text: usize, edge: Edge) -> usize {
        match (self.alignment, next) {
            (_, Some(next)) if next.text == text => next.source,
            _ if self.text == text => self.source,
            (Alignment::Unit, Some(next)) if edge == Edge::End => next.source,
            (Alignment::Unit, _) => self.source,
            (Alignment::InStep, _) => self.source + (text - self.text),
            (Alignment::Uniform(width), _) => {
                let cut = match edge {
                    Edge::Begin => 0,
                    Edge::End => usize::from(width.text) - 1,
                };
                self.source + width.source_of(text - self.text + cut)
            }
        }
    }
}

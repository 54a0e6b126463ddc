//! Decoded text that knows where each character stood in its source.

mod part;

use crate::span::TextSpan;
use std::borrow::Cow;
use std::ops::Range;

/// Text and the place of each of its characters in the bytes (or outer text) it was made from.
///
/// Positions on the source side are relative to the first byte that was decoded. Every character
/// owns the source bytes from the end of the character before it to its own end, so that ranges
/// of neighbouring characters meet without a gap.
#[derive(Clone, Debug, Default)]
pub struct MappedText<'s> {
    text: Cow<'s, str>,
    marks: Marks,
}

impl<'s> MappedText<'s> {
    /// Text that is its own source.
    pub fn identity(text: &'s str) -> Self {
        MappedText {
            text: Cow::Borrowed(text),
            marks: Marks::default(),
        }
    }

    /// Text to be built with [`push`](Self::push).
    pub fn new() -> Self {
        Self::default()
    }

    /// Text whose places are known already.
    pub(super) fn from_parts(text: Cow<'s, str>, marks: Marks) -> Self {
        MappedText { text, marks }
    }

    /// Appends text that came from the source bytes `source`. When `text` and the source have the
    /// same length they must run in step byte by byte; otherwise `text` is one unit (one character
    /// or the expansion of one reference) whose inside has no source position of its own.
    ///
    /// Source bytes between the pushes belong to the first character behind them.
    pub fn push(&mut self, text: &str, source: Range<usize>) {
        if text.len() == source.len() {
            let first = text.chars().next().map_or(0, char::len_utf8);
            self.marks.run(text.len(), first, source.start);
        } else {
            self.marks.unit(text.len(), source.end);
        }
        self.append(text);
    }

    /// Appends text that is one unit, whatever its length: its inside has no source position of
    /// its own.
    pub fn push_unit(&mut self, text: &str, source: Range<usize>) {
        self.marks.unit(text.len(), source.end);
        self.append(text);
    }

    fn append(&mut self, text: &str) {
        if !text.is_empty() {
            self.text.to_mut().push_str(text);
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether text and source are the same bytes.
    pub fn is_identity(&self) -> bool {
        self.marks.list.is_empty()
    }

    /// The source range of a range of the text. A range that cuts a unit gets the whole unit.
    /// O(log n).
    pub fn source(&self, span: TextSpan) -> Range<usize> {
        let start = self.marks.source(span.start, Edge::Begin);
        if span.is_empty() {
            return start..start;
        }
        start..self.marks.source(span.end, Edge::End).max(start)
    }

    /// The text position of a source position: the first character that begins at or behind it.
    /// The text's length when there is none. O(log n).
    pub fn text_at(&self, source: usize) -> usize {
        let at = self.marks.text_at(source).min(self.text.len());
        (at..self.text.len())
            .find(|&at| self.text.is_char_boundary(at))
            .unwrap_or(self.text.len())
    }

    /// The map through `outer`: `self` was made from the text of `outer`; what comes back is made
    /// from the source of `outer`. O(n) in the marks of both.
    pub fn through(self, outer: &MappedText<'_>) -> MappedText<'s> {
        if outer.is_identity() {
            return self;
        }
        let mut marks = Marks::default();
        for run in self.marks.runs(self.text.len()) {
            match run.kind {
                Kind::Unit => {
                    let source = outer.source(TextSpan::new(run.source.start, run.source.end));
                    marks.unit(run.text.len(), source.end);
                }
                Kind::Step => self.run_through(&run, outer, &mut marks),
            }
        }
        MappedText {
            text: self.text,
            marks,
        }
    }

    /// Cuts a run in step with the outer text at the outer text's own marks.
    fn run_through(&self, run: &Run, outer: &MappedText<'_>, marks: &mut Marks) {
        for part in outer.marks.runs_in(run.source.clone(), outer.text.len()) {
            match part.kind {
                Kind::Unit => marks.unit(part.text.len(), part.source.end),
                Kind::Step => {
                    let at = run.text.start + (part.text.start - run.source.start);
                    let first = self.text.get(at..).and_then(|text| text.chars().next());
                    let first = first.map_or(1, char::len_utf8);
                    marks.run(part.text.len(), first, part.source.start);
                }
            }
        }
    }
}

/// Where text and source run in step and where they do not. Empty: they do everywhere.
///
/// The last mark is always [`Kind::Step`]: from it the end of the source is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    list: Vec<Mark>,
    /// The text's length so far.
    len: usize,
}

/// What begins at text byte `text`, which stands at source byte `source`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    text: usize,
    source: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Up to the next mark every text byte is one source byte.
    Step,
    /// Up to the next mark the text is one unit.
    Unit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Begin,
    End,
}

/// A piece of text between two marks.
#[derive(Clone, Debug)]
struct Run {
    text: Range<usize>,
    source: Range<usize>,
    kind: Kind,
}

impl Marks {
    /// Room for as many units.
    pub(super) fn with_capacity(units: usize) -> Self {
        Marks {
            list: Vec::with_capacity(units + 1),
            len: 0,
        }
    }

    /// The end of the source so far.
    fn source_end(&self) -> usize {
        match self.list.last() {
            Some(mark) => mark.source + (self.len - mark.text),
            None => self.len,
        }
    }

    /// `len` bytes of text in step with the source from `source` on; the first character has
    /// `first` bytes and owns what was left out before it.
    pub(super) fn run(&mut self, len: usize, first: usize, source: usize) {
        if len == 0 {
            return;
        }
        if source > self.source_end() {
            self.unit(first.min(len), source + first.min(len));
            self.len += len - first.min(len);
        } else {
            self.len += len;
        }
    }

    /// A unit of `len` bytes of text whose source ends at `end`.
    pub(super) fn unit(&mut self, len: usize, end: usize) {
        if len == 0 {
            return;
        }
        let start = self.source_end();
        self.mark(self.len, start, Kind::Unit);
        self.len += len;
        self.mark(self.len, end.max(start), Kind::Step);
    }

    /// A character of `len` bytes of text whose source ends at `end`.
    pub(super) fn char(&mut self, len: usize, end: usize) {
        if self.source_end() + len == end {
            self.len += len;
        } else {
            self.unit(len, end);
        }
    }

    fn mark(&mut self, text: usize, source: usize, kind: Kind) {
        match self.list.last_mut() {
            Some(last) if last.text == text => last.kind = kind,
            _ => self.list.push(Mark { text, source, kind }),
        }
    }

    /// The mark at or before a text position, and its successor.
    fn around(&self, text: usize) -> (Mark, Option<Mark>) {
        let next = self.list.partition_point(|mark| mark.text <= text);
        let mark = match next.checked_sub(1) {
            Some(at) => self.list[at],
            None => Mark::ORIGIN,
        };
        (mark, self.list.get(next).copied())
    }

    fn source(&self, text: usize, edge: Edge) -> usize {
        let (mark, next) = self.around(text);
        match (mark.kind, next) {
            _ if mark.text == text => mark.source,
            (Kind::Unit, Some(next)) if edge == Edge::End => next.source,
            (Kind::Unit, _) => mark.source,
            (Kind::Step, _) => mark.source + (text - mark.text),
        }
    }

    fn text_at(&self, source: usize) -> usize {
        let next = self.list.partition_point(|mark| mark.source < source);
        let mark = match next.checked_sub(1) {
            Some(at) => self.list[at],
            None => Mark::ORIGIN,
        };
        let limit = self.list.get(next).map_or(usize::MAX, |mark| mark.text);
        match mark.kind {
            Kind::Unit => limit,
            Kind::Step => (mark.text + (source - mark.source)).min(limit),
        }
    }

    /// The pieces of a text of `len` bytes.
    fn runs(&self, len: usize) -> impl Iterator<Item = Run> + '_ {
        self.runs_in(0..len, len)
    }

    /// The pieces of a range of a text of `len` bytes. A unit that is cut is one piece of the
    /// text in the range and has its whole source.
    fn runs_in(&self, range: Range<usize>, len: usize) -> impl Iterator<Item = Run> + '_ {
        let range = range.start.min(len)..range.end.min(len);
        let mut at = range.start;
        std::iter::from_fn(move || {
            if at >= range.end {
                return None;
            }
            let (mark, next) = self.around(at);
            let end = next.map_or(range.end, |next| next.text.min(range.end));
            let source = self.source(at, Edge::Begin)..self.source(end, Edge::End);
            let text = std::mem::replace(&mut at, end)..end;
            let kind = mark.kind;
            Some(Run { text, source, kind })
        })
    }
}

impl Mark {
    const ORIGIN: Mark = Mark {
        text: 0,
        source: 0,
        kind: Kind::Step,
    };
}

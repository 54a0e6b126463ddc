//! Decoded text that knows where each character stood in its source.

mod list;
mod part;

use crate::span::TextSpan;
use list::List;
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
    /// `None`: text and source run in step everywhere, as they nearly always do.
    marks: Option<Box<Marks>>,
}

impl<'s> MappedText<'s> {
    /// Text that is its own source.
    pub fn identity(text: &'s str) -> Self {
        MappedText {
            text: Cow::Borrowed(text),
            marks: None,
        }
    }

    /// Text to be built with [`push`](Self::push).
    pub fn new() -> Self {
        Self::default()
    }

    /// Text whose places are known already.
    pub(super) fn from_parts(text: Cow<'s, str>, marks: Marks) -> Self {
        let marks = (!marks.list.is_empty()).then(|| Box::new(marks));
        MappedText { text, marks }
    }

    fn marks(&self) -> &Marks {
        self.marks.as_deref().unwrap_or(&IN_STEP)
    }

    fn marks_mut(&mut self) -> &mut Marks {
        let len = self.text.len();
        self.marks.get_or_insert_with(|| {
            Box::new(Marks {
                len,
                end: len,
                ..Marks::default()
            })
        })
    }

    /// Appends text that came from the source bytes `source`. When `text` and the source have the
    /// same length they must run in step byte by byte; otherwise `text` is one unit (one character
    /// or the expansion of one reference) whose inside has no source position of its own.
    ///
    /// Source bytes between the pushes belong to the first character behind them.
    pub fn push(&mut self, text: &str, source: Range<usize>) {
        if text.len() == source.len() {
            if self.marks.is_some() || source.start > self.text.len() {
                let first = text.chars().next().map_or(0, char::len_utf8);
                self.marks_mut().run(text.len(), first, source.start);
            }
        } else {
            self.marks_mut().unit(text.len(), source.end);
        }
        self.append(text);
    }

    /// Appends text that is one unit, whatever its length: its inside has no source position of
    /// its own.
    pub fn push_unit(&mut self, text: &str, source: Range<usize>) {
        self.marks_mut().unit(text.len(), source.end);
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
        self.marks().list.is_empty()
    }

    /// The source range of a range of the text. A range that cuts a unit gets the whole unit.
    /// O(log n).
    pub fn source(&self, span: TextSpan) -> Range<usize> {
        let marks = self.marks();
        let start = marks.source(span.start, Edge::Begin);
        if span.is_empty() {
            return start..start;
        }
        start..marks.source(span.end, Edge::End).max(start)
    }

    /// The text position of a source position: the first character that begins at or behind it.
    /// The text's length when there is none. O(log n).
    pub fn text_at(&self, source: usize) -> usize {
        let at = self.marks().text_at(source).min(self.text.len());
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
        for run in self.marks().runs(self.text.len()) {
            match run.kind {
                Kind::Step => self.run_through(&run, outer, &mut marks),
                _ => run.units(|len, source| {
                    let source = outer.source(TextSpan::new(source.start, source.end));
                    marks.unit(len, source.end);
                }),
            }
        }
        MappedText::from_parts(self.text, marks)
    }

    /// Cuts a run in step with the outer text at the outer text's own marks.
    fn run_through(&self, run: &Run, outer: &MappedText<'_>, marks: &mut Marks) {
        for part in outer.marks().runs_in(run.source.clone(), outer.text.len()) {
            match part.kind {
                Kind::Unit | Kind::Even(_) => part.units(|len, source| marks.unit(len, source.end)),
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

/// What is told how many bytes the characters of a text had, one behind the other.
pub(super) trait Places {
    /// As many characters, each of `len` bytes of text from `source` bytes.
    fn chars(&mut self, count: usize, len: usize, source: usize);
}

impl Places for Marks {
    #[inline]
    fn chars(&mut self, count: usize, len: usize, source: usize) {
        Marks::chars(self, count, len, source);
    }
}

/// For who does not need them.
impl Places for () {
    #[inline]
    fn chars(&mut self, _: usize, _: usize, _: usize) {}
}

/// Where text and source run in step and where they do not. Empty: they do everywhere.
///
/// The last mark is never [`Kind::Unit`]: from it the end of the source is known.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    list: List<Mark>,
    /// The text's length so far.
    len: usize,
    /// The end of the source so far.
    end: usize,
}

/// Those of text that is its own source.
static IN_STEP: Marks = Marks::new();

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
    /// Up to the next mark the text is units of one width.
    Even(Width),
}

/// How many bytes a unit has, neither of them none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Width {
    text: u8,
    source: u8,
}

impl Width {
    /// `None`: too many.
    fn new(text: usize, source: usize) -> Option<Width> {
        let (text, source) = (u8::try_from(text).ok()?, u8::try_from(source).ok()?);
        (text > 0 && source > 0).then_some(Width { text, source })
    }

    /// The source bytes of `text` bytes of text, those of a unit that is cut not counted.
    fn source_of(self, text: usize) -> usize {
        text / usize::from(self.text) * usize::from(self.source)
    }
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

impl Run {
    /// Each unit: its length, and its source.
    fn units(&self, mut each: impl FnMut(usize, Range<usize>)) {
        let Kind::Even(width) = self.kind else {
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
        Marks::new()
    }
}

impl Marks {
    const fn new() -> Self {
        Marks {
            list: List::new(Mark::ORIGIN),
            len: 0,
            end: 0,
        }
    }

    /// Whether what comes next is in step unless a mark says otherwise.
    fn ends_in_step(&self) -> bool {
        !matches!(
            self.list.last(),
            Some(Mark {
                kind: Kind::Even(_),
                ..
            })
        )
    }

    /// `len` bytes of text in step with the source from `source` on; the first character has
    /// `first` bytes and owns what was left out before it.
    pub(super) fn run(&mut self, len: usize, first: usize, source: usize) {
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

    /// `len` bytes of text in step with the source behind what is there.
    fn step(&mut self, len: usize) {
        if !self.ends_in_step() {
            self.mark(self.len, self.end, Kind::Step);
        }
        self.len += len;
        self.end += len;
    }

    /// A unit of `len` bytes of text whose source ends at `end`.
    pub(super) fn unit(&mut self, len: usize, end: usize) {
        if len == 0 {
            return;
        }
        self.mark(self.len, self.end, Kind::Unit);
        self.len += len;
        self.end = end.max(self.end);
        self.mark(self.len, self.end, Kind::Step);
    }

    /// A character of `len` bytes of text whose source ends at `end`.
    pub(super) fn char(&mut self, len: usize, end: usize) {
        self.chars(1, len, end.saturating_sub(self.end));
    }

    /// As many characters, each of `len` bytes of text from `source` bytes that follow what is
    /// there.
    #[inline]
    pub(super) fn chars(&mut self, count: usize, len: usize, source: usize) {
        if len == source || len == 0 {
            return self.step(count * len);
        }
        let Some(width) = Width::new(len, source) else {
            return (0..count).for_each(|_| self.unit(len, self.end + source));
        };
        let kind = Kind::Even(width);
        if self.list.last().is_none_or(|mark| mark.kind != kind) {
            self.mark(self.len, self.end, kind);
        }
        self.len += count * len;
        self.end += count * source;
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
            (Kind::Even(width), _) => {
                let cut = match edge {
                    Edge::Begin => 0,
                    Edge::End => usize::from(width.text) - 1,
                };
                mark.source + width.source_of(text - mark.text + cut)
            }
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
            Kind::Even(width) => {
                let units = (source - mark.source).div_ceil(usize::from(width.source));
                (mark.text + units * usize::from(width.text)).min(limit)
            }
        }
    }

    /// The pieces of a text of `len` bytes.
    fn runs(&self, len: usize) -> impl Iterator<Item = Run> + '_ {
        self.runs_in(0..len, len)
    }

    /// The pieces of a range of a text of `len` bytes. A unit that is cut is one piece of the
    /// text in the range and has its whole source. [`Kind::Even`]: whole units.
    fn runs_in(&self, range: Range<usize>, len: usize) -> impl Iterator<Item = Run> + '_ {
        let range = range.start.min(len)..range.end.min(len);
        let mut at = range.start;
        std::iter::from_fn(move || {
            if at >= range.end {
                return None;
            }
            let (mark, next) = self.around(at);
            let mut end = next.map_or(range.end, |next| next.text.min(range.end));
            let mut kind = mark.kind;
            if let Kind::Even(width) = kind {
                let width = usize::from(width.text);
                let cut = (at - mark.text) % width;
                let whole = (end - at) / width * width;
                if cut > 0 || whole == 0 {
                    (end, kind) = (end.min(at + width - cut), Kind::Unit);
                } else {
                    end = at + whole;
                }
            }
            let source = self.source(at, Edge::Begin)..self.source(end, Edge::End);
            let text = std::mem::replace(&mut at, end)..end;
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

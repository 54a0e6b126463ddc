//! Decoded text that knows where each character stood in its source.

mod marks;
mod small_list;

pub(crate) use marks::{CharWidths, Marks};

use crate::decoded::{DecodedChar, Shift, Text};
use crate::span::TextSpan;
use crate::view_map::ViewMap;
use encoding_rs::Encoding;
use marks::{Alignment, Edge, Run};
use std::borrow::Cow;
use std::ops::Range;

/// Text, and the place of each of its characters in the bytes (or the outer text) that it was made
/// from.
///
/// Positions on the source side are relative to the first byte that was decoded. A character owns
/// the source bytes from the end of the character before it to its own end, so that the ranges of
/// neighbours meet without a gap.
///
/// ```
/// use linkglot_charset::{MappedText, span::TextSpan};
///
/// // `a&amp;b`, with the reference undone.
/// let mut text = MappedText::new();
/// text.push("a", 0..1);
/// text.push("&", 1..6);
/// text.push("b", 6..7);
/// assert_eq!(text.text(), "a&b");
/// assert_eq!(text.source(TextSpan::new(1, 3)), 1..7);
/// assert_eq!(text.text_at(6), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct MappedText<'s> {
    text: Cow<'s, str>,
    /// `None` when text and source are in step everywhere, as they nearly always are.
    marks: Option<Box<Marks>>,
}

impl<'s> MappedText<'s> {
    /// Text that is its own source.
    ///
    /// ```
    /// use linkglot_charset::{MappedText, span::TextSpan};
    ///
    /// assert_eq!(MappedText::identity("aé").source(TextSpan::new(1, 3)), 1..3);
    /// ```
    pub fn identity(text: &'s str) -> Self {
        MappedText {
            text: Cow::Borrowed(text),
            marks: None,
        }
    }

    /// Empty text, to which [`push`](Self::push) appends.
    ///
    /// ```
    /// use linkglot_charset::MappedText;
    ///
    /// assert_eq!(MappedText::new().text(), "");
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Empty text with room for `bytes` bytes, to which [`push`](Self::push) appends.
    ///
    /// ```
    /// use linkglot_charset::MappedText;
    ///
    /// assert_eq!(MappedText::with_capacity(9).text(), "");
    /// ```
    pub fn with_capacity(bytes: usize) -> Self {
        MappedText {
            text: Cow::Owned(String::with_capacity(bytes)),
            marks: None,
        }
    }

    pub(crate) fn from_parts(text: Cow<'s, str>, marks: Marks) -> Self {
        let marks = (!marks.is_empty()).then(|| Box::new(marks));
        MappedText { text, marks }
    }

    fn marks(&self) -> &Marks {
        self.marks.as_deref().unwrap_or(&marks::IN_STEP)
    }

    fn marks_mut(&mut self) -> &mut Marks {
        let len = self.text.len();
        self.marks
            .get_or_insert_with(|| Box::new(Marks::in_step(len)))
    }

    /// Appends text that came from the source bytes `source`. Text as long as its source is in step
    /// with it, byte by byte; any other text is one unit (a character, or the expansion of a
    /// reference), whose inside has no source position of its own.
    ///
    /// Source bytes that are left out between two calls belong to the first character after them.
    ///
    /// ```
    /// use linkglot_charset::MappedText;
    ///
    /// let mut text = MappedText::new();
    /// text.push("a", 0..1);
    /// text.push("&", 1..6);
    /// assert_eq!((text.text(), text.text_at(6)), ("a&", 2));
    /// ```
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

    /// Appends text that is one unit, whatever its length.
    ///
    /// ```
    /// use linkglot_charset::{MappedText, span::TextSpan};
    ///
    /// // Half of the unit has the whole as its source.
    /// let mut text = MappedText::new();
    /// text.push_unit("ab", 0..2);
    /// assert_eq!(text.source(TextSpan::new(0, 1)), 0..2);
    /// ```
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
    ///
    /// ```
    /// use linkglot_charset::MappedText;
    ///
    /// assert_eq!(MappedText::identity("a").text(), "a");
    /// ```
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, when it borrows its source and is the same bytes.
    ///
    /// ```
    /// use linkglot_charset::MappedText;
    ///
    /// assert_eq!(MappedText::identity("a").as_borrowed(), Some("a"));
    /// assert_eq!(MappedText::identity("a").into_owned().as_borrowed(), None);
    /// ```
    pub fn as_borrowed(&self) -> Option<&'s str> {
        match self.text {
            Cow::Borrowed(text) if self.is_identity() => Some(text),
            _ => None,
        }
    }

    /// The text without its positions.
    ///
    /// ```
    /// use linkglot_charset::MappedText;
    ///
    /// assert_eq!(MappedText::identity("a").into_text(), "a");
    /// ```
    pub fn into_text(self) -> Cow<'s, str> {
        self.text
    }

    /// Takes the text and leaves an empty one, unless the text can be borrowed.
    ///
    /// ```
    /// use linkglot_charset::MappedText;
    ///
    /// let mut text = MappedText::identity("a").into_owned();
    /// assert_eq!(text.take_text(), "a");
    /// assert_eq!(text.text(), "");
    /// ```
    #[inline]
    pub fn take_text(&mut self) -> Cow<'s, str> {
        match self.as_borrowed() {
            Some(text) => Cow::Borrowed(text),
            None => std::mem::take(self).into_text(),
        }
    }

    /// The text and its positions, without a borrow.
    ///
    /// ```
    /// use linkglot_charset::MappedText;
    ///
    /// let owned: MappedText<'static> = MappedText::identity(&String::from("a")).into_owned();
    /// assert_eq!(owned.text(), "a");
    /// ```
    pub fn into_owned(self) -> MappedText<'static> {
        MappedText {
            text: Cow::Owned(self.text.into_owned()),
            marks: self.marks,
        }
    }

    /// True if text and source are the same bytes.
    ///
    /// ```
    /// use linkglot_charset::MappedText;
    ///
    /// let mut text = MappedText::new();
    /// text.push("&", 0..5);
    /// assert!(MappedText::identity("a").is_identity() && !text.is_identity());
    /// ```
    pub fn is_identity(&self) -> bool {
        self.marks().is_empty()
    }

    /// The source range of a range of the text. A range that cuts a unit gets the whole unit.
    /// O(log n).
    ///
    /// ```
    /// use linkglot_charset::{MappedText, span::TextSpan};
    ///
    /// let mut text = MappedText::new();
    /// text.push("&", 0..5);
    /// text.push("a", 5..6);
    /// assert_eq!(text.source(TextSpan::new(1, 2)), 5..6);
    /// ```
    pub fn source(&self, span: TextSpan) -> Range<usize> {
        let marks = self.marks();
        let start = marks.source(span.start, Edge::Begin);
        if span.is_empty() {
            return start..start;
        }
        start..marks.source(span.end, Edge::End).max(start)
    }

    /// The text position of a source position: the first character that begins at or after it, or
    /// the text's end. O(log n).
    ///
    /// ```
    /// use linkglot_charset::MappedText;
    ///
    /// let mut text = MappedText::new();
    /// text.push("&", 0..5);
    /// text.push("a", 5..6);
    /// // Inside of the reference, the next character is the first that begins.
    /// assert_eq!((text.text_at(3), text.text_at(5)), (1, 1));
    /// ```
    pub fn text_at(&self, source: usize) -> usize {
        let at = self.marks().text_at(source).min(self.text.len());
        (at..self.text.len())
            .find(|&at| self.text.is_char_boundary(at))
            .unwrap_or(self.text.len())
    }

    /// Appends the text to a view, and the positions of its codes to the map of the view.
    pub(crate) fn append_to(&self, view: &mut Vec<u8>, map: &mut ViewMap) {
        let len = self.text.len();
        for run in self.marks().runs_in(0..len, len) {
            let text = &self.text[run.text.clone()];
            match run.alignment {
                Alignment::InStep => append_in_step(text, view, map),
                Alignment::Uniform(width) => {
                    view.extend_from_slice(text.as_bytes());
                    let width = (usize::from(width.text), usize::from(width.source));
                    map.append_run(text.len() / width.0, width, Shift::default());
                }
                Alignment::Unit => {
                    let decoded = DecodedChar::several(Text::of(text.chars()), run.source.len());
                    map.append(decoded, Shift::default(), view);
                }
            }
        }
    }

    /// A part of the text. Its source positions count from where the part begins in the source.
    /// O(marks in the part).
    ///
    /// ```
    /// use linkglot_charset::{MappedText, span::TextSpan};
    ///
    /// let mut text = MappedText::new();
    /// text.push("&", 0..5);
    /// text.push("ab", 5..7);
    /// let part = text.slice(TextSpan::new(1, 3));
    /// assert_eq!((part.text(), part.source(TextSpan::new(0, 1))), ("ab", 0..1));
    /// ```
    pub fn slice(&self, span: TextSpan) -> MappedText<'s> {
        let text = match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(span.of(text)),
            Cow::Owned(text) => Cow::Owned(span.of(text).to_owned()),
        };
        let mut marks = Marks::default();
        if !self.is_identity() {
            let origin = self.source(span).start;
            for run in self.marks().runs_in(span.start..span.end, self.text.len()) {
                match run.alignment {
                    Alignment::Unit => marks.unit(run.text.len(), run.source.end - origin),
                    Alignment::Uniform(width) => {
                        let (len, source) = (usize::from(width.text), usize::from(width.source));
                        marks.chars(run.text.len() / len, len, source);
                    }
                    Alignment::InStep => marks.run(run.text.len(), 1, run.source.start - origin),
                }
            }
        }
        MappedText::from_parts(text, marks)
    }

    /// The composition of two maps: `self` was made from the text of `outer`, the result is mapped
    /// to the source of `outer`. O(n) in the marks of both.
    ///
    /// ```
    /// use linkglot_charset::{MappedText, span::TextSpan};
    ///
    /// // `&amp;#97;`: the outer level undoes `&amp;`, the inner one `&#97;`.
    /// let mut outer = MappedText::new();
    /// outer.push("&", 0..5);
    /// outer.push("#97;", 5..9);
    /// let mut inner = MappedText::new();
    /// inner.push("a", 0..5);
    /// let text = inner.through(&outer);
    /// assert_eq!((text.text(), text.source(TextSpan::new(0, 1))), ("a", 0..9));
    /// ```
    pub fn through(self, outer: &MappedText<'_>) -> MappedText<'s> {
        if outer.is_identity() {
            return self;
        }
        let mut marks = Marks::default();
        for run in self.marks().runs_in(0..self.text.len(), self.text.len()) {
            match run.alignment {
                Alignment::InStep => self.run_through(&run, outer, &mut marks),
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
            match part.alignment {
                Alignment::Unit | Alignment::Uniform(_) => {
                    part.units(|len, source| marks.unit(len, source.end));
                }
                Alignment::InStep => {
                    let at = run.text.start + (part.text.start - run.source.start);
                    let first = self.text.get(at..).and_then(|text| text.chars().next());
                    let first = first.map_or(1, char::len_utf8);
                    marks.run(part.text.len(), first, part.source.start);
                }
            }
        }
    }
}

/// Appends text of which each byte is a byte of the source: ASCII at once.
fn append_in_step(mut text: &str, view: &mut Vec<u8>, map: &mut ViewMap) {
    loop {
        let (ascii, others) = text.split_at(Encoding::ascii_valid_up_to(text.as_bytes()));
        view.extend_from_slice(ascii.as_bytes());
        map.append_run(ascii.len(), (1, 1), Shift::default());
        let mut chars = others.chars();
        let Some(ch) = chars.next() else {
            return;
        };
        map.append(DecodedChar::new(ch, ch.len_utf8()), Shift::default(), view);
        text = chars.as_str();
    }
}

//! Parts of mapped texts, and mapped texts with other lifetimes.

use super::{Kind, MappedText, Marks};
use crate::span::TextSpan;
use std::borrow::Cow;

impl<'s> MappedText<'s> {
    /// The text, when it borrows its source and is the same bytes.
    pub fn as_borrowed(&self) -> Option<&'s str> {
        match self.text {
            Cow::Borrowed(text) if self.is_identity() => Some(text),
            _ => None,
        }
    }

    /// The text without its positions.
    pub fn into_text(self) -> Cow<'s, str> {
        self.text
    }

    /// The same, with a text of its own.
    pub fn into_owned(self) -> MappedText<'static> {
        MappedText {
            text: Cow::Owned(self.text.into_owned()),
            marks: self.marks,
        }
    }

    /// A part of the text. Its source positions count from where the part begins in the source.
    /// O(marks in the part).
    pub fn slice(&self, span: TextSpan) -> MappedText<'s> {
        let text = match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(span.of(text)),
            Cow::Owned(text) => Cow::Owned(span.of(text).to_owned()),
        };
        let mut marks = Marks::default();
        if !self.is_identity() {
            let origin = self.source(span).start;
            for run in self.marks().runs_in(span.start..span.end, self.text.len()) {
                match run.kind {
                    Kind::Unit => marks.unit(run.text.len(), run.source.end - origin),
                    Kind::Even(width) => {
                        let (len, source) = (usize::from(width.text), usize::from(width.source));
                        marks.chars(run.text.len() / len, len, source);
                    }
                    Kind::Step => marks.run(run.text.len(), 1, run.source.start - origin),
                }
            }
        }
        MappedText::from_parts(text, marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> MappedText<'static> {
        let mut text = MappedText::new();
        text.push("ab", 0..2);
        text.push("é", 2..10);
        text.push("cd", 10..12);
        text.push("&", 12..17);
        text.push("x", 17..18);
        text
    }

    #[test]
    fn a_slice_keeps_places() {
        let whole = sample();
        for start in [0, 1, 2, 4, 5, 6, 7, 8] {
            for end in [0, 1, 2, 4, 5, 6, 7, 8]
                .into_iter()
                .filter(|&end| end >= start)
            {
                let span = TextSpan::new(start, end);
                let part = whole.slice(span);
                let origin = whole.source(span).start;
                assert_eq!(part.text(), span.of(whole.text()));
                for at in (start..=end).filter(|&at| whole.text().is_char_boundary(at)) {
                    let inner = part.source(TextSpan::new(0, at - start));
                    let outer = whole.source(TextSpan::new(start, at));
                    assert_eq!(inner.end + origin, outer.end, "{start}..{end} at {at}");
                }
            }
        }
    }

    #[test]
    fn identity_stays_borrowed() {
        let text = MappedText::identity("abcdef");
        assert_eq!(text.slice(TextSpan::new(2, 4)).as_borrowed(), Some("cd"));
        assert_eq!(sample().as_borrowed(), None);
        assert_eq!(sample().into_owned().into_text(), "abécd&x");
    }
}

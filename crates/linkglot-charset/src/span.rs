//! Positions in the source and in the text, as different types: only a charset's maps convert one
//! into the other.

use std::ops::Range;

/// A range of bytes in the source document, counted from its first byte (a BOM counts).
///
/// ```
/// use linkglot_charset::span::SourceSpan;
///
/// let span = SourceSpan::of_window(4096, &(3..8));
/// assert_eq!((span.start, span.end, span.len()), (4099, 4104, 5));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceSpan {
    /// The first byte.
    pub start: u64,
    /// Offset one past the last byte.
    pub end: u64,
}

impl SourceSpan {
    /// The span of a range in a window whose first byte is source byte `origin`.
    ///
    /// ```
    /// use linkglot_charset::span::SourceSpan;
    ///
    /// assert_eq!(SourceSpan::of_window(10, &(0..2)), SourceSpan { start: 10, end: 12 });
    /// ```
    pub fn of_window(origin: u64, range: &Range<usize>) -> Self {
        SourceSpan {
            start: origin + range.start as u64,
            end: origin + range.end as u64,
        }
    }

    /// The length in bytes.
    ///
    /// ```
    /// use linkglot_charset::span::SourceSpan;
    ///
    /// assert_eq!(SourceSpan { start: 10, end: 12 }.len(), 2);
    /// ```
    pub fn len(self) -> u64 {
        self.end - self.start
    }

    /// True if the span holds no byte.
    ///
    /// ```
    /// use linkglot_charset::span::SourceSpan;
    ///
    /// assert!(SourceSpan { start: 10, end: 10 }.is_empty());
    /// ```
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A range of decoded, unescaped text: UTF-8 bytes, always on character boundaries.
///
/// ```
/// use linkglot_charset::span::TextSpan;
///
/// let span = TextSpan::new(4, 9);
/// assert_eq!(span.of("see here!"), "here!");
/// assert_eq!(std::ops::Range::from(span), 4..9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextSpan {
    /// The first byte.
    pub start: usize,
    /// Offset one past the last byte.
    pub end: usize,
}

impl TextSpan {
    /// The span from `start` to `end`, in bytes of text.
    ///
    /// ```
    /// use linkglot_charset::span::TextSpan;
    ///
    /// assert_eq!(TextSpan::new(1, 3).end, 3);
    /// ```
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        TextSpan { start, end }
    }

    /// The length in bytes of UTF-8 text.
    ///
    /// ```
    /// use linkglot_charset::span::TextSpan;
    ///
    /// // Two bytes, one character.
    /// assert_eq!(TextSpan::new(1, "aé".len()).len(), 2);
    /// ```
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// True if the span holds no character.
    ///
    /// ```
    /// use linkglot_charset::span::TextSpan;
    ///
    /// assert!(TextSpan::new(3, 3).is_empty());
    /// ```
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The part of `text` that the span covers.
    ///
    /// # Panics
    ///
    /// When the span is not one of `text`.
    ///
    /// ```
    /// use linkglot_charset::span::TextSpan;
    ///
    /// assert_eq!(TextSpan::new(1, 3).of("aé!"), "é");
    /// ```
    pub fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

impl From<TextSpan> for Range<usize> {
    fn from(span: TextSpan) -> Self {
        span.start..span.end
    }
}

/// Source bytes and their replacement.
///
/// ```
/// use linkglot_charset::span::{Edit, SourceSpan};
///
/// let edit = Edit { span: SourceSpan { start: 7, end: 8 }, bytes: b"%E9".to_vec() };
/// assert_eq!(edit.bytes.len() as u64 - edit.span.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace.
    pub span: SourceSpan,
    /// The new bytes, in the document's charset.
    pub bytes: Vec<u8>,
}

//! Positions. Source positions and text positions are different types; only `charset` converts
//! one into the other.

use std::ops::Range;

/// A range of bytes in the source document, counted from its first byte (a BOM counts).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceSpan {
    /// The first byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
}

impl SourceSpan {
    /// The span of a range that stands in a window whose first byte is source byte `origin`.
    pub fn of_window(origin: u64, range: &Range<usize>) -> Self {
        SourceSpan {
            start: origin + range.start as u64,
            end: origin + range.end as u64,
        }
    }

    /// The length in bytes.
    pub fn len(self) -> u64 {
        self.end - self.start
    }

    /// Whether the span holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A range of decoded, unescaped text: UTF-8 bytes, always on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextSpan {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl TextSpan {
    /// The span from `start` to `end`, in bytes of text.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        TextSpan { start, end }
    }

    /// The length in bytes of UTF-8 text.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span holds no character.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The part of `text` that the span covers.
    ///
    /// # Panics
    ///
    /// When the span is not one of `text`.
    pub fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

/// The same range of bytes of text, as slices want it.
///
/// ```
/// let text = "see example.org";
/// let hit = linkglot::scan::links(text).next().unwrap();
/// assert_eq!(std::ops::Range::from(hit.span), 4..15);
/// ```
impl From<TextSpan> for Range<usize> {
    fn from(span: TextSpan) -> Self {
        span.start..span.end
    }
}

/// Source bytes and what replaces them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced.
    pub span: SourceSpan,
    /// The new bytes, in the document's charset.
    pub bytes: Vec<u8>,
}

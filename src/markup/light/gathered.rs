//! Text out of several places of a document, read as one: the HTML of a block, the cell of a table.

use super::{Piece, Raw};
use crate::charset::MappedText;
use std::ops::Range;

/// Parts of a document, one behind the other.
#[derive(Debug)]
pub(super) struct Gathered<'t> {
    source: &'t str,
    text: String,
    parts: Vec<Part>,
}

/// Where a part stands in the text, and where in the document.
#[derive(Debug)]
struct Part {
    at: Range<usize>,
    source: usize,
}

impl<'t> Gathered<'t> {
    /// Nothing yet of a document.
    pub fn new(source: &'t str) -> Self {
        Gathered {
            source,
            text: String::new(),
            parts: Vec::new(),
        }
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Appends a part of the document.
    pub fn push(&mut self, range: Range<usize>) {
        let at = self.text.len();
        self.text.push_str(&self.source[range.clone()]);
        match self.parts.last_mut() {
            Some(last) if last.at.end == at && last.source + last.at.len() == range.start => {
                last.at.end = self.text.len();
            }
            _ => self.parts.push(Part {
                at: at..self.text.len(),
                source: range.start,
            }),
        }
    }

    /// Appends what is not in the document.
    pub fn push_mark(&mut self, mark: &str) {
        self.text.push_str(mark);
    }

    /// The parts of a range of the text, by their places in the document.
    pub fn parts(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        let first = self
            .parts
            .partition_point(|part| part.at.end <= range.start);
        let within = move |part: &Part| {
            let start = part.at.start.max(range.start);
            let end = part.at.end.min(range.end);
            (start < end)
                .then(|| part.source + start - part.at.start..part.source + end - part.at.start)
        };
        self.parts[first..].iter().map_while(within)
    }

    /// A piece of the text as one of the document. What is not in one place there is listed only; what was gathered
    /// twice is not read.
    pub fn piece(&self, piece: Piece<'_>) -> Option<Piece<'t>> {
        let Raw::Range(range) = piece.raw else {
            return None;
        };
        let length = range.len();
        let parts: Vec<Range<usize>> = self.parts(range).collect();
        let first = parts.first()?.clone();
        let mut access = piece.access;
        let raw = if first.len() == length {
            Raw::Range(first)
        } else {
            access = access.less();
            let mut text = MappedText::new();
            for part in parts {
                let at = part.start - first.start..part.end - first.start;
                text.push(&self.source[part], at);
            }
            Raw::Gathered(first.start, text)
        };
        Some(Piece {
            raw,
            access,
            escaping: piece.escaping,
            syntax: piece.syntax,
            place: piece.place,
            implied: piece.implied,
        })
    }
}

//! Text from several places of a document, read as one: the HTML of a block, the cell of a table.

use super::piece::{Piece, Raw};
use linkglot_charset::MappedText;
use std::ops::Range;

/// Parts of a document, joined.
#[derive(Debug)]
pub(super) struct Gathered<'t> {
    document: &'t str,
    text: String,
    parts: Vec<Part>,
}

/// A part of the document.
#[derive(Debug)]
struct Part {
    /// The range of the part in the text.
    range: Range<usize>,
    /// The position of the part in the document.
    source: usize,
}

impl<'t> Gathered<'t> {
    /// No parts yet.
    pub fn new(document: &'t str) -> Self {
        Gathered {
            document,
            text: String::new(),
            parts: Vec::new(),
        }
    }

    /// The joined text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Appends a part of the document.
    pub fn push(&mut self, source: Range<usize>) {
        let start = self.text.len();
        self.text.push_str(&self.document[source.clone()]);
        let end = self.text.len();
        match self.parts.last_mut() {
            Some(last)
                if last.range.end == start && last.source + last.range.len() == source.start =>
            {
                last.range.end = end;
            }
            _ => self.parts.push(Part {
                range: start..end,
                source: source.start,
            }),
        }
    }

    /// Appends text that is not in the document.
    pub fn push_mark(&mut self, mark: &str) {
        self.text.push_str(mark);
    }

    /// The ranges of the document behind a range of the text.
    pub fn sources(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        let ends_before = |part: &Part| part.range.end <= range.start;
        let first = self.parts.partition_point(ends_before);
        let source = move |part: &Part| {
            let start = part.range.start.max(range.start);
            let end = part.range.end.min(range.end);
            let source = |at: usize| part.source + (at - part.range.start);
            (start < end).then(|| source(start)..source(end))
        };
        self.parts[first..].iter().map_while(source)
    }

    /// A piece of the text as a piece of the document. Links of a piece from several places are only listed. A piece
    /// that was itself gathered is dropped.
    pub fn piece(&self, piece: Piece<'_>) -> Option<Piece<'t>> {
        let Raw::Range(range) = piece.raw else {
            return None;
        };
        let length = range.len();
        let sources: Vec<Range<usize>> = self.sources(range).collect();
        let first = sources.first()?.clone();
        let (raw, access) = if first.len() == length {
            (Raw::Range(first), piece.access)
        } else {
            let mut text = MappedText::new();
            for source in sources {
                let at = source.start - first.start..source.end - first.start;
                text.push(&self.document[source], at);
            }
            (Raw::Gathered(first.start, text), piece.access.less())
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

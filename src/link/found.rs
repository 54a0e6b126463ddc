//! A link as the machine finds it: in a window, with all that rewriting it needs.

use super::site::SharedSite;
use crate::charset::MappedText;
use crate::markup::Escaping;
use crate::report::Notes;
use crate::span::TextSpan;
use std::ops::Range;

/// A link in a window.
#[derive(Clone, Debug)]
pub(crate) struct Found<'w> {
    /// The raw link in the window.
    pub range: Range<usize>,
    /// Its text. Its source positions count from `base`.
    pub text: MappedText<'w>,
    /// Where in the window the source positions of `text` count from.
    pub base: usize,
    pub site: SharedSite,
    pub implied: Option<&'static str>,
    pub notes: Notes,
}

impl<'w> Found<'w> {
    /// The window bytes of a part of the text.
    pub fn source(&self, span: TextSpan) -> Range<usize> {
        let range = self.text.source(span);
        range.start + self.base..range.end + self.base
    }

    /// The same link when its window stands at `offset` of a greater one.
    pub fn moved(mut self, offset: usize) -> Self {
        self.shift(offset);
        self
    }

    /// See [`moved`](Self::moved).
    pub fn shift(&mut self, offset: usize) {
        self.range.start += offset;
        self.range.end += offset;
        self.base += offset;
    }

    /// The same link in the source of `outer`, when its window was the text of `outer`.
    pub fn through<'o>(self, outer: &MappedText<'_>) -> Found<'o> {
        let range = outer.source(TextSpan::new(self.range.start, self.range.end));
        let length = self
            .text
            .source(TextSpan::new(0, self.text.text().len()))
            .end;
        let span = TextSpan::new(self.base, self.base + length);
        Found {
            range,
            base: outer.source(span).start,
            text: self.text.into_owned().through(&outer.slice(span)),
            site: self.site,
            implied: self.implied,
            notes: self.notes,
        }
    }
}

/// The escapings of a link, outermost first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layers {
    items: [Escaping; Layers::MOST],
    len: usize,
}

impl PartialEq for Layers {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Layers {}

impl Layers {
    /// Deeper nesting is not read.
    pub const MOST: usize = 8;

    /// One layer.
    pub const fn one(escaping: Escaping) -> Self {
        Layers {
            items: [escaping; Layers::MOST],
            len: 1,
        }
    }

    /// With one more layer inside.
    pub fn inside(mut self, escaping: Escaping) -> Option<Self> {
        *self.items.get_mut(self.len)? = escaping;
        self.len += 1;
        Some(self)
    }

    /// The layers, outermost first.
    pub fn as_slice(&self) -> &[Escaping] {
        &self.items[..self.len]
    }
}

//! A link in a window, with everything that rewriting needs.

use super::context::SharedContext;
use crate::charset::{Charset, MappedText};
use crate::markup::Access;
use crate::notes::{Note, Notes};
use crate::scan::Evidence;
use crate::span::TextSpan;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::iter::successors;
use std::ops::{Deref, Range};

/// A link in a window.
#[derive(Clone, Debug)]
pub(crate) struct WindowLink<'w> {
    /// The raw link in the window.
    pub range: Range<usize>,
    /// The text of the link, with source positions that count from `base`.
    pub text: LazyText<'w>,
    /// The window position that the source positions of `text` count from.
    pub base: usize,
    pub context: SharedContext,
    pub implied: Option<&'static str>,
    pub evidence: Evidence,
    pub notes: Notes,
    /// The lengths that count the link, outermost first.
    pub lengths: Lengths,
    pub label: Option<Box<str>>,
}

/// Lengths and digests that count the octets of a link: the outermost and those within. Most links have none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lengths(Option<Box<(Length, Lengths)>>);

/// A length or digest that counts the octets of a link.
#[derive(Clone, Debug)]
pub(crate) struct Length {
    pub measure: Measure,
    /// The digits in the window.
    pub digits: Range<usize>,
    /// The number of layers around the counted octets.
    pub depth: usize,
    /// The charset of the octets; `None` if only ASCII can be counted.
    pub charset: Option<Charset>,
}

/// The meaning of the digits of a [`Length`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The number of octets of a string of serialized data, which stand behind it.
    Serialized,
    /// The number of octets of the text in this part of the window.
    Octets(Range<usize>),
    /// SHA-1, in base 36, of the text in this part of the window.
    Sha1(Range<usize>),
}

impl Lengths {
    pub const NONE: Lengths = Lengths(None);

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Length> {
        let lengths = successors(self.0.as_deref(), |(_, within)| within.0.as_deref());
        lengths.map(|(length, _)| length)
    }

    /// True if the link stands in a string of serialized data whose length is known.
    pub fn has_serialized(&self) -> bool {
        self.iter()
            .any(|length| length.measure == Measure::Serialized)
    }

    /// Adds a length around those that are known.
    pub fn add(&mut self, length: Length) {
        let within = std::mem::take(self);
        self.0 = Some(Box::new((length, within)));
    }

    fn map(&mut self, map: impl Fn(Range<usize>) -> Range<usize>) {
        let mut next = self.0.as_deref_mut();
        while let Some((length, within)) = next {
            length.digits = map(length.digits.clone());
            if let Measure::Octets(text) | Measure::Sha1(text) = &mut length.measure {
                *text = map(text.clone());
            }
            next = within.0.as_deref_mut();
        }
    }
}

/// The text of a link. A raw link without escapes is decoded on demand: most links of running text never need a
/// decoder.
#[derive(Clone, Debug)]
pub(crate) struct LazyText<'w> {
    /// The bytes to decode.
    raw: &'w [u8],
    charset: Charset,
    mapped: OnceCell<MappedText<'w>>,
}

impl<'w> LazyText<'w> {
    /// The text of a raw link without escapes.
    #[inline]
    pub fn of_raw(raw: &'w [u8], charset: Charset) -> Self {
        LazyText {
            raw,
            charset,
            mapped: OnceCell::new(),
        }
    }

    /// True for a raw link without escapes that has not been decoded yet.
    pub fn is_raw(&self) -> bool {
        self.mapped.get().is_none()
    }

    /// The text with its positions.
    pub fn into_mapped(self) -> MappedText<'w> {
        let decode = || self.charset.decode_mapped(self.raw);
        self.mapped.into_inner().unwrap_or_else(decode)
    }

    /// True if the text is that of the raw link, without escapes.
    pub fn is_of_raw(&self) -> bool {
        !self.raw.is_empty()
    }

    /// Takes the text without its positions; `None` if the raw link was not decoded yet.
    #[inline]
    pub fn take_known(&mut self) -> Option<Cow<'w, str>> {
        self.mapped.get_mut().map(MappedText::take_text)
    }
}

impl<'w> From<MappedText<'w>> for LazyText<'w> {
    fn from(mapped: MappedText<'w>) -> Self {
        LazyText {
            raw: &[],
            charset: Charset::UTF_8,
            mapped: mapped.into(),
        }
    }
}

impl<'w> Deref for LazyText<'w> {
    type Target = MappedText<'w>;

    fn deref(&self) -> &MappedText<'w> {
        let decode = || self.charset.decode_mapped(self.raw);
        self.mapped.get_or_init(decode)
    }
}

impl<'w> WindowLink<'w> {
    /// Lists the link and leaves it, for a reason.
    pub fn leave(&mut self, reason: Note) {
        self.context.to_mut().access = Access::List;
        self.notes.insert(reason);
    }

    /// The window bytes of a part of the text.
    pub fn source(&self, span: TextSpan) -> Range<usize> {
        let range = self.text.source(span);
        range.start + self.base..range.end + self.base
    }

    /// The same link, for a larger window that holds the old one at `offset`.
    pub fn moved(mut self, offset: usize) -> Self {
        self.shift(offset);
        self
    }

    /// See [`moved`](Self::moved).
    pub fn shift(&mut self, offset: usize) {
        self.range.start += offset;
        self.range.end += offset;
        self.base += offset;
        self.lengths
            .map(|digits| digits.start + offset..digits.end + offset);
    }

    /// The same link in the source of `outer`, whose text was the window of the link.
    pub fn through<'o>(mut self, outer: &MappedText<'_>) -> WindowLink<'o> {
        self.lengths
            .map(|digits| outer.source(TextSpan::new(digits.start, digits.end)));
        let range = outer.source(TextSpan::new(self.range.start, self.range.end));
        let length = self
            .text
            .source(TextSpan::new(0, self.text.text().len()))
            .end;
        let span = TextSpan::new(self.base, self.base + length);
        WindowLink {
            range,
            base: outer.source(span).start,
            text: self
                .text
                .into_mapped()
                .into_owned()
                .through(&outer.slice(span))
                .into(),
            context: self.context,
            implied: self.implied,
            evidence: self.evidence,
            notes: self.notes,
            lengths: self.lengths,
            label: self.label,
        }
    }
}

//! The quick way over what documents are made of: tags of known elements without links, and the text between them.
//! Whatever is unusual is left to the others, from where it begins.

use super::element::{Collected, Wanted};
use super::scope::{Content, Opened};
use super::tag::{self, MOST_ATTRIBUTES, Quick, Shape, Usual, View};
use super::vocabulary::NamespaceId;
use super::{Input, XmlTokenizer};
use crate::charset::Charset;
use crate::markup::html::swar;

impl XmlTokenizer {
    /// Passes over tags and text that hold no slots, in content. Answers how far.
    #[inline]
    pub(super) fn skim(&mut self, input: Input<'_>) -> usize {
        let mut at = 0;
        if self.root.is_none() || !self.breaks.are_none() {
            return at;
        }
        while let Some(tag) = self.skim_text(input.bytes, at) {
            at = tag;
            match self.skim_tag(input, at) {
                Some(end) => at = end,
                None => break,
            }
        }
        at
    }

    /// The next `<` from `at` on, if no slot begins before it.
    #[inline(always)]
    fn skim_text(&self, bytes: &[u8], at: usize) -> Option<usize> {
        if bytes.get(at)? == &b'<' {
            return Some(at);
        }
        match self.kind() {
            Content::Skip | Content::Whole(..) => swar::find(bytes, at, b'<'),
            Content::Run => {
                let wanted = self.text_bytes.next(bytes, at)?;
                (bytes.get(wanted)? == &b'<').then_some(wanted)
            }
            Content::Pieces(..) => None,
        }
    }

    /// The end of the tag at `at`.
    #[inline(always)]
    fn skim_tag(&mut self, input: Input<'_>, at: usize) -> Option<usize> {
        let word = swar::word(input.bytes, at + 1)?;
        if word as u8 == b'/' {
            return self.skim_end_tag(input.bytes, at + 2);
        }
        let length = swar::xml_name_length(word);
        let name = swar::head(word, length);
        let generation = self.scope.generation()?;
        let facts = self.known.short(name, length, generation)?;
        let (content, quiet) = facts.content?;
        let wanted = Wanted {
            plain: &facts.plain,
            prefixed: self.vocabulary.tables().prefixed(),
            utf_8: input.charset == Charset::UTF_8,
        };
        let (end, shape) = skim_attributes(input.bytes, at + 1 + length, &wanted)?;
        let unusual = matches!(content, Content::Whole(..)) || self.scope.is_full();
        if unusual || end - at > self.limit {
            return None;
        }
        if shape == Shape::Open {
            let quiet = quiet || self.scope.top().is_some_and(|frame| frame.quiet);
            let content = match content {
                Content::Run if quiet && facts.namespace == NamespaceId::XHTML => Content::Skip,
                content => content,
            };
            let opened = Opened {
                namespace: facts.namespace,
                content,
                quiet,
                before: self.scope.mark(),
            };
            self.scope.open_short(name, length, opened);
        }
        Some(end)
    }

    /// The end of the tag whose name begins at `at`, if it is that of the innermost element.
    #[inline(always)]
    fn skim_end_tag(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let (name, length) = self.scope.top_short()?;
        let same = swar::head(swar::word(bytes, at)?, length) == name && length > 0;
        let end = at + length;
        if !same || bytes.get(end)? != &b'>' {
            return None;
        }
        self.scope.close_top();
        Some(end + 1)
    }
}

/// The end of a tag whose attributes, from `at` on, mean nothing.
#[inline(always)]
fn skim_attributes(bytes: &[u8], mut at: usize, wanted: &Wanted<'_>) -> Option<(usize, Shape)> {
    let view = View { bytes, last: false };
    for _ in 0..MOST_ATTRIBUTES {
        match tag::quick(view, at)? {
            Usual::Close(end, shape) => return Some((end, shape)),
            Usual::Attribute(Quick {
                attribute,
                key,
                colon,
                behind,
            }) => {
                let name = bytes.get(attribute.name)?;
                if wanted.takes(name, key, colon, &mut Collected::default()) {
                    return None;
                }
                at = behind;
            }
        }
    }
    None
}

//! The quick way over the bulk of documents: tags of known elements without links, and the text between them. Anything
//! unusual is left to the other readers, from its beginning.

use super::collect::{Collected, Wanted, may_be_link};
use super::content::may_be_absolute;
use super::element_content::ContentByName;
use super::entities::is_name_start;
use super::names::{Parts, PrefixId, colon_of, same};
use super::scope::{Content, Opened};
use super::tag::{self, MOST_ATTRIBUTES, Next, Plain, Shape, Unread, View};
use super::{Input, XmlTokenizer};
use crate::byte_search::{self as swar, start_word};
use crate::vocabulary::{Case, ElementId, NamespaceId, digest, digest_of_words};
use linkglot_charset::Charset;
use std::ops::Range;

impl XmlTokenizer {
    /// Skips tags and text without slots in content; returns the number of bytes skipped.
    #[inline(never)]
    pub(super) fn skim(&mut self, input: Input<'_>) -> usize {
        let mut at = 0;
        let is_cell = matches!(self.open_content(), Content::Cell(_));
        if self.root.is_none() || self.has_entities || !self.breaks.are_none() || is_cell {
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
        match self.open_content() {
            Content::Skip | Content::Cell(_) | Content::Whole(..) => swar::find(bytes, at, b'<'),
            Content::Run | Content::Text(_) => {
                let wanted = self.text_bytes.next(bytes, at, at)?;
                (bytes.get(wanted)? == &b'<').then_some(wanted)
            }
            Content::Pieces(..) | Content::Runs(..) => None,
        }
    }

    /// The end of the tag at `at`, if the tag holds no slots and has the common form.
    #[inline(always)]
    fn skim_tag(&mut self, input: Input<'_>, at: usize) -> Option<usize> {
        let word = swar::word(input.bytes, at + 1)?;
        if word as u8 == b'/' {
            return self.skim_end_tag(input, at);
        }
        if !is_name_start(word as u8) {
            return None;
        }
        let (name, length) = skim_name(input.bytes, at + 1, word)?;
        let behind = at + 1 + length;
        // Characters that no name has are left to the other readers.
        if !tag::ends_name(*input.bytes.get(behind)?) {
            return None;
        }
        let (namespace, element) = self.skim_element(input.bytes, at + 1..behind, name)?;
        let known = self.vocabulary.get(element);
        let by_name = self.content_by_name(namespace, element.role, known.content);
        let hint = known
            .hint
            .as_deref()
            .filter(|_| namespace != NamespaceId::XHTML);
        let (content, quiet) = match by_name {
            ContentByName::Known(content, quiet) => (content, quiet),
            // A tag with a `href` is not skipped.
            ContentByName::LinkIfHref => (Content::Run, false),
            ContentByName::Unknown if hint.is_some() => (Content::Skip, false),
            ContentByName::Unknown => return None,
        };
        let wanted = Wanted {
            plain: &known.filter,
            prefixed: self.vocabulary.prefixed_filter(),
            utf_8: input.charset == Charset::UTF_8,
        };
        let (end, shape) = skim_attributes(input.bytes, behind, &wanted)?;
        let is_conditional = by_name == ContentByName::Unknown;
        if is_conditional && hint.is_some_and(|hint| may_have(input.slice(behind..end), hint)) {
            return None;
        }
        let unusual = match content {
            Content::Whole(..) => true,
            // Its attributes are looked at.
            Content::Runs(..) => shape == Shape::Open,
            content if content.is_revision() => shape == Shape::Open,
            Content::Text(_) => shape == Shape::Open && self.may_be_value(input.from(end)),
            _ => false,
        };
        if unusual || self.scope.is_full() || end - at > self.limit {
            return None;
        }
        if shape == Shape::Open {
            let quiet = quiet || self.scope.top().is_some_and(|frame| frame.quiet);
            let content = match content {
                Content::Run | Content::Text(_) | Content::Runs(..) if quiet => Content::Skip,
                content => content,
            };
            let opened = Opened {
                namespace,
                content,
                quiet,
                before: self.scope.mark(),
            };
            match length {
                ..=8 => self.scope.open_short(name[0], length, opened),
                _ => self.scope.open(input.slice(at + 1..behind), opened),
            }
        }
        Some(end)
    }

    /// True if the content at the cursor may be one absolute IRI, or the window ends before that is known.
    #[inline]
    fn may_be_value(&self, input: Input<'_>) -> bool {
        let (limited, _) = input.limited(self.limit.saturating_add(1));
        may_be_absolute(limited) != Some(false)
    }

    /// The element whose name stands in a range of the bytes, and in two words. `None` when the name must be decoded.
    #[inline(always)]
    fn skim_element(
        &self,
        bytes: &[u8],
        place: Range<usize>,
        name: [u64; 2],
    ) -> Option<(NamespaceId, ElementId)> {
        let length = place.len();
        let raw = bytes.get(place)?;
        if !swar::is_ascii(name[0] | name[1]) {
            return None;
        }
        if swar::colon(name[0]) < 8 || length > 8 && swar::colon(name[1]) < 8 {
            return Some(self.prefixed_element(raw));
        }
        let namespace = self.scope.element(PrefixId::NONE);
        let digest = digest_of_words(name, length);
        Some((namespace, self.element(namespace, digest, raw)))
    }

    /// As [`skim_element`](Self::skim_element), for a name with a prefix.
    #[inline(never)]
    fn prefixed_element(&self, raw: &[u8]) -> (NamespaceId, ElementId) {
        let parts = Parts::of(raw);
        let namespace = self.scope.element(self.prefixes.find(parts.prefix));
        let digest = digest(parts.local, Case::Exact);
        (namespace, self.element(namespace, digest, parts.local))
    }

    /// The end of the end tag at `at`, if it closes the innermost element.
    #[inline(always)]
    fn skim_end_tag(&mut self, input: Input<'_>, at: usize) -> Option<usize> {
        let word = swar::word(input.bytes, at + 2)?;
        match self.scope.top_ended(word) {
            Some(length) => {
                self.scope.close_short();
                Some(at + 2 + length + 1)
            }
            None => self.skim_long_end_tag(input, at),
        }
    }

    #[inline(never)]
    fn skim_long_end_tag(&mut self, input: Input<'_>, at: usize) -> Option<usize> {
        let top = self.scope.top_name();
        let name = at + 2;
        let end = name + top.len();
        let is_top = !top.is_empty() && same(input.bytes.get(name..end)?, top);
        if !is_top || end - at >= self.limit || input.byte(end)? != b'>' {
            return None;
        }
        self.scope.close_top();
        Some(end + 1)
    }
}

/// The bytes of the name at `at`, which begins with `word`, and its length; `None` for sixteen bytes or more.
#[inline(always)]
fn skim_name(bytes: &[u8], at: usize, word: u64) -> Option<([u64; 2], usize)> {
    let (name, length) = swar::xml_name(word);
    if length < 8 {
        return Some(([name, 0], length));
    }
    let (more, length) = swar::xml_name(swar::word(bytes, at + 8)?);
    (length < 8).then_some(([name, more], 8 + length))
}

/// The end of a tag whose attributes from `at` on hold no links, declare nothing and have the common form.
#[inline(always)]
fn skim_attributes(bytes: &[u8], mut at: usize, wanted: &Wanted<'_>) -> Option<(usize, Shape)> {
    for _ in 0..MOST_ATTRIBUTES {
        let (takes, behind) = match tag::plain(bytes, at) {
            Some(Plain::Close(end, shape)) => return Some((end, shape)),
            Some(Plain::Attribute {
                key,
                length,
                behind,
            }) => {
                let value = at + length + 3;
                let takes = wanted.takes_plain(key) || may_be_link(bytes, value..behind - 1);
                (takes, behind)
            }
            None => match other_attribute(bytes, at, wanted) {
                Next::Close(end, shape) => return Some((end, shape)),
                Next::Attribute(_, behind) => (false, behind),
                Next::Unclosed(..) | Next::More(_) => return None,
            },
        };
        if takes {
            return None;
        }
        at = behind;
    }
    None
}

/// True if an attribute of a tag may have a text, as it stands or by references.
fn may_have(tag: &[u8], text: &str) -> bool {
    memchr::memchr(b'&', tag).is_some() || memchr::memmem::find(tag, text.as_bytes()).is_some()
}

/// The next part of a tag, if it does not have the common form. An attribute that may hold links or a declaration is
/// [`Unread`].
#[inline(never)]
fn other_attribute(bytes: &[u8], at: usize, wanted: &Wanted<'_>) -> Next {
    let next = tag::next(View { bytes, last: false }, at);
    if let Next::Attribute(attribute, _) = &next {
        let name = bytes.get(attribute.name.clone()).unwrap_or_default();
        let mut ignored = Collected::default();
        let takes = wanted.takes(name, start_word(name), colon_of(name), &mut ignored);
        if takes || may_be_link(bytes, attribute.value.clone()) {
            return Next::More(Unread::Name);
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::MarkupSettings;
    use crate::text_bytes::{TextBytes, When};
    use crate::xml::Turn;

    fn input(text: &str) -> Input<'_> {
        Input {
            bytes: text.as_bytes(),
            last: false,
            charset: Charset::UTF_8,
        }
    }

    /// The number of bytes skipped behind the start tag of an element, and the number of open elements there.
    fn passed(root: &str, text: &str) -> (usize, usize) {
        let mut tokenizer = XmlTokenizer::new(&MarkupSettings {
            text_bytes: TextBytes::of([(b':', When::Followed), (b'.', When::Followed)], &[]),
            ..MarkupSettings::default()
        });
        assert!(matches!(tokenizer.start_tag(input(root)), Turn::Go(_)));
        (tokenizer.skim(input(text)), tokenizer.scope.depth())
    }

    #[test]
    fn usual_tags_are_passed() {
        let mallard = "<page xmlns='http://projectmallard.org/1.0/'>";
        let xhtml = "<html xmlns='http://www.w3.org/1999/xhtml'>";
        // The quick way ends at `|`.
        for (root, text, depth) in [
            (
                mallard,
                "\n<p>text</p><item k='<'/> <steps>|<item k='<a'b/>",
                2,
            ),
            (mallard, "<p><gui style=\"x>y\" long-name='1'>1 |", 3),
            (mallard, "<p title='http'>Note that|", 2),
            (mallard, "<p>|<gui>http://a.example/", 2),
            (mallard, "|<p title=\"http://a.example/\">1", 1),
            (mallard, "|<p title='mailto:a@b.example'>1", 1),
            (mallard, "<p>|1 http://a.example/<b>", 2),
            (
                mallard,
                "<p\n  a='b'\n  c='d' ><longer-name></longer-name>|",
                2,
            ),
            (mallard, "<p>|</q>", 2),
            (mallard, "|<link href='x'/>", 1),
            (mallard, "|<p xmlns='urn:x'>", 1),
            (mallard, "|<a-name-of-seventeen>", 1),
            (mallard, "|<name?>text", 1),
            (mallard, "|<name\0>text", 1),
            (xhtml, "<div class='a'>text, and more. <em>again</em>|", 2),
            (xhtml, "<a id='x'></a><code>http://a.example/|", 2),
            (xhtml, "|<a href='x'>", 1),
            (xhtml, "<div>|http://a.example/<div>", 2),
        ] {
            let expected = text.find('|').expect("a mark");
            let all = text.replace('|', "") + "<!-- stop -->";
            assert_eq!(passed(root, &all), (expected, depth), "{text}");
        }
    }
}

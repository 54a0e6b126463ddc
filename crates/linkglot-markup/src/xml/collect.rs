//! The attributes of a tag that may hold links, by their names or the beginning of their values, or declare a prefix or
//! a base.

use super::names::colon_of;
use super::tag::{self, Attribute, MOST_ATTRIBUTES, Next, Plain, Shape, View};
use super::{Input, XmlTokenizer};
use crate::byte_search::{self as swar, start_word};
use crate::values;
use crate::vocabulary::Filter;
use linkglot_charset::Charset;
use linkglot_charset::ascii::is_space;
use std::ops::Range;

/// The names of attributes that may hold links.
pub(super) struct Wanted<'v> {
    pub plain: &'v Filter,
    pub prefixed: &'v Filter,
    /// True if the document is in UTF-8, like the vocabulary.
    pub utf_8: bool,
}

/// The result of reading a tag's attributes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Collected {
    /// The end of the tag; `None` if the end is not in the window, or the attributes are too many.
    pub closed: Option<(usize, Shape)>,
    pub count: usize,
    /// True if an attribute may declare a prefix.
    pub binds: bool,
    /// True if an attribute may declare a base.
    pub bases: bool,
    /// A stray quotation mark, as in [`Next::Unclosed`].
    pub stray_quote: Option<usize>,
}

/// The first bytes of names.
const XMLNS: u64 = u64::from_le_bytes(*b"xmlns\0\0\0");
const XML_BASE: u64 = u64::from_le_bytes(*b"xml:base");

impl Wanted<'_> {
    /// True if an attribute may hold links, or declare a prefix or a base. `key` is the first eight bytes of its name.
    #[inline(always)]
    pub fn takes(
        &self,
        name: &[u8],
        key: u64,
        colon: Option<usize>,
        collected: &mut Collected,
    ) -> bool {
        let takes = match colon {
            None => {
                let binds = key == XMLNS;
                collected.binds |= binds;
                binds || self.plain.passes(key)
            }
            Some(0) => {
                collected.binds = true;
                true
            }
            Some(colon) => {
                let binds = colon == 5 && key & 0xFF_FFFF_FFFF == XMLNS;
                collected.binds |= binds;
                collected.bases |= key == XML_BASE;
                let local = name.get(colon + 1..).unwrap_or_default();
                binds || self.prefixed.passes(start_word(local))
            }
        };
        takes || !self.utf_8 && !name.is_ascii()
    }
}

impl Wanted<'_> {
    /// As [`takes`](Self::takes), for a name of up to eight bytes without a colon.
    #[inline(always)]
    pub fn takes_plain(&self, key: u64) -> bool {
        self.plain.passes(key) || key == XMLNS || !self.utf_8 && !swar::is_ascii(key)
    }
}

/// True if a raw value may be a link of the Web, whatever the name of its attribute: it begins with a scheme that is
/// as short as such schemes are, or with a reference that may stand for a letter of one.
#[inline(always)]
pub(super) fn may_be_link(bytes: &[u8], value: Range<usize>) -> bool {
    let mut at = value.start;
    while at < value.end && is_space(bytes[at]) {
        at += 1;
    }
    let end = value.end.min(at + values::LONGEST_WEB_SCHEME + 1);
    let start = bytes.get(at..end).unwrap_or_default();
    match start.iter().position(|byte| !byte.is_ascii_alphabetic()) {
        Some(length) => matches!(start[length], b':' | b'&'),
        None => false,
    }
}

impl XmlTokenizer {
    /// Reads the attributes of the tag up to its end; adds those that may hold links or declare a prefix or a base.
    #[inline]
    pub(super) fn collect(
        &self,
        input: Input<'_>,
        view: View<'_>,
        attributes: &mut Vec<Attribute>,
    ) -> Collected {
        const NONE: &Filter = &Filter::NONE;
        let wanted = Wanted {
            plain: if self.tag.beyond {
                NONE
            } else {
                self.vocabulary.filter(self.tag.element)
            },
            prefixed: self.vocabulary.prefixed_filter(),
            utf_8: input.charset == Charset::UTF_8,
        };
        self.collect_wanted(input, view, &wanted, attributes)
    }

    #[inline]
    pub(super) fn collect_wanted(
        &self,
        input: Input<'_>,
        view: View<'_>,
        wanted: &Wanted<'_>,
        attributes: &mut Vec<Attribute>,
    ) -> Collected {
        let (mut found, mut at) = (Collected::default(), self.tag.name.end);
        let usual = self.breaks.are_none();
        loop {
            let plain = if usual {
                tag::plain(view.bytes, at)
            } else {
                None
            };
            if let Some(plain) = plain
                && found.count < MOST_ATTRIBUTES
            {
                match plain {
                    Plain::Close(end, shape) => {
                        found.closed = Some((end, shape));
                        return found;
                    }
                    Plain::Attribute {
                        key,
                        length,
                        behind,
                    } => {
                        found.count += 1;
                        found.binds |= key == XMLNS;
                        let attribute = Plain::attribute(at, length, behind);
                        let value = attribute.value.clone();
                        if wanted.takes_plain(key) || may_be_link(view.bytes, value) {
                            attributes.push(attribute);
                        }
                        at = behind;
                        continue;
                    }
                }
            }
            let (attribute, behind) = match self.odd_attribute(input, view, at) {
                Next::Close(end, shape) => {
                    found.closed = Some((end, shape));
                    return found;
                }
                Next::Unclosed(end, stray_quote) => {
                    found.closed = Some((end, Shape::Open));
                    found.stray_quote = stray_quote;
                    return found;
                }
                Next::More(_) => return found,
                Next::Attribute(attribute, behind) => (attribute, behind),
            };
            if found.count >= MOST_ATTRIBUTES {
                return found;
            }
            found.count += 1;
            let name = input.slice(attribute.name.clone());
            let takes = wanted.takes(name, start_word(name), colon_of(name), &mut found);
            if takes || may_be_link(view.bytes, attribute.value.clone()) {
                attributes.push(attribute);
            }
            at = behind;
        }
    }

    /// The next part of a tag, if it does not have the common form.
    #[inline(never)]
    fn odd_attribute(&self, input: Input<'_>, view: View<'_>, at: usize) -> Next {
        let mut next = tag::next(view, at);
        if let Next::Attribute(attribute, _) = &mut next {
            attribute.name = self.trimmed(input, attribute.name.clone());
        }
        next
    }
}

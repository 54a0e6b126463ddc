//! The facts about a tag of XML that conditions of the vocabulary ask for.

use super::breaks::Breaks;
use super::current_tag::Tag;
use super::names::text_of;
use super::scope::Scope;
use super::tag::{self, Attribute, Next, View};
use crate::byte_search::start_word;
use crate::vocabulary::{Context, Filter};
use linkglot_charset::Charset;
use std::borrow::Cow;
use std::ops::Range;

/// A tag and its surroundings.
pub(super) struct TagContext<'a> {
    pub bytes: &'a [u8],
    pub tag: &'a Tag,
    /// The attributes that are held for the tag.
    pub filter: &'a Filter,
    pub breaks: &'a Breaks,
    pub scope: &'a Scope,
    pub charset: Charset,
    pub root: &'a [u8],
    /// True if conditions name attributes by their local names, in any namespace.
    pub by_local_name: bool,
}

impl TagContext<'_> {
    fn slice(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    /// The raw name and value of each attribute.
    fn all(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let all = self.tag.all.get_or_init(|| self.read());
        all.iter()
            .map(|attribute| (self.slice(&attribute.name), self.slice(&attribute.value)))
    }

    fn read(&self) -> Vec<Attribute> {
        let (mut all, mut at) = (Vec::new(), self.tag.name.end);
        let view = View {
            bytes: self.bytes.get(..self.tag.end).unwrap_or_default(),
            last: true,
        };
        loop {
            let Next::Attribute(mut attribute, behind) = tag::next(view, at) else {
                return all;
            };
            if !self.breaks.are_none() {
                attribute.name = self.breaks.trim(self.bytes, attribute.name);
            }
            all.push(attribute);
            at = behind;
        }
    }

    /// The value of the first attribute with a raw name.
    fn value(&self, name: &[u8]) -> Option<&[u8]> {
        let is_held = self.tag.kept.is_empty() && self.filter.passes(start_word(name));
        if is_held {
            let mut held = self.tag.attributes.iter();
            let found = held.find(|attribute| self.slice(&attribute.name) == name)?;
            return Some(self.slice(&found.value));
        }
        let mut all = self.all();
        all.find(|(found, _)| *found == name).map(|found| found.1)
    }

    /// The value of the first attribute with a local name.
    fn local_value(&self, local: &[u8]) -> Option<&[u8]> {
        let is_local = |name: &[u8]| {
            let behind = memchr::memrchr(b':', name).map_or(0, |colon| colon + 1);
            name.get(behind..) == Some(local)
        };
        let mut all = self.all();
        all.find(|(name, _)| is_local(name)).map(|found| found.1)
    }

    /// True if the tag has an attribute with a local name.
    pub fn has(&self, local: &[u8]) -> bool {
        self.value(local).is_some() || self.local_value(local).is_some()
    }
}

impl Context for TagContext<'_> {
    fn attribute(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let value = if self.by_local_name {
            self.local_value(name.as_bytes())
        } else {
            self.value(name.as_bytes())
        };
        value.map(Cow::Borrowed)
    }

    fn parent(&self) -> Option<Cow<'_, [u8]>> {
        Some(text_of(self.scope.top_local(), self.charset))
    }

    fn root(&self) -> Option<&[u8]> {
        Some(self.root)
    }
}

//! What the rows of a vocabulary say of a tag, and what their conditions are asked of.

use super::breaks::Breaks;
use super::condition::Context;
use super::element::Tag;
use super::names::{head, text_of};
use super::scope::{Content, Scope};
use super::tag::{self, Attribute, Next, Usual, View};
use super::vocabulary::Rule;
use crate::slot::{Access, Syntax};
use linkglot_charset::Charset;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// What conditions of the vocabularies are asked of.
pub(super) struct Around<'a> {
    pub bytes: &'a [u8],
    pub tag: &'a Tag,
    pub breaks: &'a Breaks,
    pub scope: &'a Scope,
    pub charset: Charset,
    /// Read when it is asked for.
    pub parent: OnceCell<Cow<'a, [u8]>>,
    pub root: &'a [u8],
}

impl Around<'_> {
    /// The raw name and value of each attribute.
    pub fn all(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let slice = |range: &Range<usize>| self.bytes.get(range.clone()).unwrap_or_default();
        let all = self.tag.all.get_or_init(|| self.read());
        all.iter()
            .map(move |attribute| (slice(&attribute.name), slice(&attribute.value)))
    }

    fn read(&self) -> Vec<Attribute> {
        let (mut all, mut at) = (Vec::new(), self.tag.name.end);
        let view = View {
            bytes: self.bytes.get(..self.tag.end).unwrap_or_default(),
            last: true,
        };
        loop {
            if let Some(Usual::Attribute(quick)) = tag::quick(view, at)
                && self.breaks.are_none()
            {
                all.push(quick.attribute);
                at = quick.behind;
                continue;
            }
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
    pub fn value(&self, name: &[u8]) -> Option<&[u8]> {
        let slice = |range: &Range<usize>| self.bytes.get(range.clone()).unwrap_or_default();
        // Those that may have rules are at hand.
        if self.tag.kept.is_empty() && self.tag.facts.plain.passes(head(name)) {
            let mut known = self.tag.attributes.iter();
            let found = known.find(|attribute| slice(&attribute.name) == name)?;
            return Some(slice(&found.value));
        }
        self.all()
            .find(|(found, _)| *found == name)
            .map(|found| found.1)
    }

    /// Whether the tag has an attribute with a local name.
    pub fn has(&self, local: &str) -> bool {
        self.value(local.as_bytes()).is_some() || self.attribute(local).is_some()
    }
}

impl Context for Around<'_> {
    fn attribute(&self, local: &str) -> Option<&[u8]> {
        let is_local = |name: &[u8]| {
            let behind = memchr::memrchr(b':', name).map_or(0, |colon| colon + 1);
            name.get(behind..) == Some(local.as_bytes())
        };
        self.all()
            .find(|(name, _)| is_local(name))
            .map(|found| found.1)
    }

    fn parent(&self) -> &[u8] {
        let read = || text_of(self.scope.top_local(), self.charset);
        self.parent.get_or_init(read)
    }

    fn root(&self) -> &[u8] {
        self.root
    }
}

/// The rule that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ruling {
    pub syntax: Syntax,
    pub access: Access,
}

/// The first rule whose condition holds, unless it says that there are no links.
pub(super) fn decide<'r>(
    mut rules: impl Iterator<Item = &'r Rule>,
    around: &Around<'_>,
) -> Option<Ruling> {
    rules.find(|rule| rule.condition.holds(around))?.ruling()
}

/// What an element's content is by its ruling.
pub(super) fn content_of(ruling: Ruling) -> Content {
    match ruling.syntax {
        Syntax::Text => Content::Run,
        syntax @ (Syntax::Html | Syntax::Css | Syntax::Json) => {
            Content::Pieces(syntax, ruling.access)
        }
        syntax => Content::Whole(syntax, ruling.access),
    }
}

/// What rules say of an element's content, if nothing must be asked for that.
pub(super) fn settled<'r>(mut rules: impl Iterator<Item = &'r Rule>) -> Option<Content> {
    match rules.next() {
        None => Some(Content::Skip),
        Some(rule) if rule.condition.is_empty() => {
            Some(rule.ruling().map_or(Content::Skip, content_of))
        }
        Some(_) => None,
    }
}

impl Rule {
    /// What it says, if it does not say that there are no links.
    fn ruling(&self) -> Option<Ruling> {
        Some(Ruling {
            syntax: self.syntax?,
            access: self.access.of_slots()?,
        })
    }
}

//! Elements of XHTML: the vocabulary of HTML, by the rules of XML. Names are in lower case, and no element's content
//! is raw text.

use super::condition::Context as _;
use super::element::{Around, Ruling};
use super::scope::Content;
use crate::markup::html::TextSlots;
use crate::markup::slot::Syntax;
use crate::markup::vocabulary::{Context, Namespace, Role, RowAccess, Vocabulary};
use std::borrow::Cow;

/// What an attribute without a namespace holds.
pub(super) fn attribute(
    html: &Vocabulary,
    element: &str,
    attribute: &str,
    around: &Around<'_>,
) -> Option<Ruling> {
    if !is_lower(element) || !is_lower(attribute) {
        return None;
    }
    let element = html.element(Namespace::Html, element.as_bytes());
    let row = match html.attribute(attribute.as_bytes()) {
        Some(id) => html.row(element, id, &Tag(around)),
        None => html.prefix_row(element, attribute.as_bytes(), &Tag(around)),
    }?;
    ruling(row.syntax?, row.access)
}

/// What an element's content holds, and whether there is no running text in it and what it contains.
pub(super) fn content(
    html: &Vocabulary,
    text: TextSlots,
    element: &str,
    around: &Around<'_>,
) -> (Content, bool) {
    if !is_lower(element) {
        return (Content::Run, false);
    }
    let id = html.element(Namespace::Html, element.as_bytes());
    let row = html
        .attribute(b"#text")
        .and_then(|text| html.row(id, text, &Tag(around)));
    if let Some(ruling) = row.and_then(|row| ruling(row.syntax?, row.access)) {
        return (Content::Pieces(ruling.syntax, ruling.access), true);
    }
    if text == TextSlots::None {
        return (Content::Skip, true);
    }
    match html.role(id) {
        Role::Anchor => {
            let links = text != TextSlots::All && around.attribute("href").is_some();
            (Content::Run, links)
        }
        Role::Script | Role::Style => (Content::Skip, true),
        Role::Code if text == TextSlots::Prose => (Content::Skip, true),
        _ => (Content::Run, false),
    }
}

fn ruling(syntax: Syntax, access: RowAccess) -> Option<Ruling> {
    let access = access.of_slots()?;
    Some(Ruling { syntax, access })
}

fn is_lower(name: &str) -> bool {
    !name.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// A tag, as conditions of the HTML vocabulary see it.
struct Tag<'a>(&'a Around<'a>);

impl Context for Tag<'_> {
    fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        let mut all = self.0.all();
        let value = all.find(|(found, _)| *found == name.as_bytes())?.1;
        Some(String::from_utf8_lossy(value))
    }

    fn parent(&self) -> Option<&str> {
        std::str::from_utf8(self.0.parent()).ok()
    }
}

//! Elements of XHTML: the vocabulary of HTML, by the rules of XML. Names are in lower case, and no element's content
//! is raw text.

use super::condition::Context as _;
use super::known::Settled;
use super::ruling::{Around, Ruling};
use super::scope::Content;
use crate::html::TextSlots;
use crate::slot::{Name, Syntax};
use crate::vocabulary::{Context, ElementId, Namespace, Role, RowAccess, Vocabulary};
use std::borrow::Cow;

/// The key of an attribute's name.
const HREF: u64 = u64::from_le_bytes(*b"href\0\0\0\0");

/// The key of the name that vocabularies give content.
const TEXT: u64 = u64::from_le_bytes(*b"#text\0\0\0");

/// What an attribute without a namespace holds, and its name.
pub(super) fn attribute<'h>(
    html: &'h Vocabulary,
    element: ElementId,
    attribute: &[u8],
    around: &Around<'_>,
) -> Option<(Ruling, Option<&'h Name>)> {
    if !is_lower(attribute) {
        return None;
    }
    let id = html.attribute(attribute);
    let row = match id {
        Some(id) => html.row(element, id, &Tag(around)),
        None => html.prefix_row(element, attribute, &Tag(around)),
    }?;
    let name = id.and_then(|id| html.attribute_name(id));
    Some((ruling(row.syntax?, row.access)?, name))
}

/// An element of HTML, if it is one: names in upper case are none.
#[inline]
pub(super) fn element(html: &Vocabulary, local: &[u8]) -> Option<ElementId> {
    is_lower(local).then(|| html.element(Namespace::Html, local))
}

/// What an element's content holds, as far as that follows from its name.
pub(super) fn settled_content(
    html: &Vocabulary,
    text: TextSlots,
    element: Option<ElementId>,
) -> Settled {
    match element {
        None => Settled::As(Content::Run, false),
        Some(id) if html.filter(id).passes(TEXT) => Settled::Not,
        Some(id) => match by_role(html.role(id), text) {
            Settled::Linked if !html.filter(id).passes(HREF) => Settled::Not,
            settled => settled,
        },
    }
}

fn by_role(role: Role, text: TextSlots) -> Settled {
    match role {
        _ if text == TextSlots::None => Settled::As(Content::Skip, true),
        Role::Anchor if text != TextSlots::All => Settled::Linked,
        Role::Script | Role::Style => Settled::As(Content::Skip, true),
        Role::Code if text == TextSlots::Prose => Settled::As(Content::Skip, true),
        _ => Settled::As(Content::Run, false),
    }
}

/// What an element's content holds, with its tag at hand, and whether there is no running text in it and what it contains.
pub(super) fn content(
    html: &Vocabulary,
    text: TextSlots,
    element: Option<ElementId>,
    around: &Around<'_>,
) -> (Content, bool) {
    let Some(id) = element else {
        return (Content::Run, false);
    };
    let passes = html.filter(id).passes(TEXT);
    let name = passes.then(|| html.attribute(b"#text")).flatten();
    let row = name.and_then(|name| html.row(id, name, &Tag(around)));
    if let Some(ruling) = row.and_then(|row| ruling(row.syntax?, row.access)) {
        return (Content::Pieces(ruling.syntax, ruling.access), true);
    }
    match by_role(html.role(id), text) {
        Settled::As(content, quiet) => (content, quiet),
        _ => (Content::Run, around.has("href")),
    }
}

fn ruling(syntax: Syntax, access: RowAccess) -> Option<Ruling> {
    let access = access.of_slots()?;
    Some(Ruling { syntax, access })
}

#[inline]
fn is_lower(name: &[u8]) -> bool {
    !name.iter().any(u8::is_ascii_uppercase)
}

/// A tag, as conditions of the HTML vocabulary see it.
struct Tag<'a, 'b>(&'a Around<'b>);

impl Context for Tag<'_, '_> {
    fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        let value = self.0.value(name.as_bytes())?;
        Some(String::from_utf8_lossy(value))
    }

    fn parent(&self) -> Option<&str> {
        std::str::from_utf8(self.0.parent()).ok()
    }
}

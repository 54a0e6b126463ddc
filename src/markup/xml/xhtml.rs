//! Elements of XHTML: the vocabulary of HTML, by the rules of XML. Names are in lower case, and no element's content
//! is raw text.

use super::condition::Context as _;
use super::element::{Around, Ruling};
use super::scope::Content;
use crate::markup::html::TextSlots;
use crate::markup::slot::{Name, Syntax};
use crate::markup::vocabulary::{Context, ElementId, Namespace, Role, RowAccess, Vocabulary};
use std::borrow::Cow;

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

/// What an element's content holds, and whether there is no running text in it and what it contains; `None` when the
/// tag's attributes must be asked for that.
pub(super) fn settled_content(
    html: &Vocabulary,
    text: TextSlots,
    element: Option<ElementId>,
) -> Option<(Content, bool)> {
    match element {
        None => Some((Content::Run, false)),
        Some(id) if html.filter(id).passes(TEXT) => None,
        Some(id) => by_role(html.role(id), text),
    }
}

fn by_role(role: Role, text: TextSlots) -> Option<(Content, bool)> {
    match role {
        _ if text == TextSlots::None => Some((Content::Skip, true)),
        Role::Anchor if text != TextSlots::All => None,
        Role::Script | Role::Style => Some((Content::Skip, true)),
        Role::Code if text == TextSlots::Prose => Some((Content::Skip, true)),
        _ => Some((Content::Run, false)),
    }
}

/// The same for an element for which that is not settled, with its tag at hand.
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
    // Links are told by their attribute.
    let by_role = by_role(html.role(id), text);
    by_role.unwrap_or_else(|| (Content::Run, around.has("href")))
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

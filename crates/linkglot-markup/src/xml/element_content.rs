//! The kind of the content of elements, by name or by tag. In XHTML, the role of an element decides if no rule does.

use super::context::TagContext;
use super::names::Parts;
use super::scope::Content;
use super::{Input, XmlTokenizer};
use crate::settings::TextSlots;
use crate::slot::Syntax;
use crate::vocabulary::{AttributeId, NamespaceId, Role, SlotContent, Verdict};

/// The local name of cells of spreadsheets, whose text stands in another element (ISO/IEC 29500-1 18.3.1.4).
const CELL: &[u8] = b"c";

/// The kind of an element's content, by the element's name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentByName {
    /// The content, and true if the element is quiet: neither its own text nor that of elements inside is running text.
    Known(Content, bool),
    /// Running text, or the text of a link if the element has a `href`.
    LinkIfHref,
    /// The tag decides.
    Unknown,
}

impl XmlTokenizer {
    #[inline(always)]
    pub(super) fn content_by_name(
        &self,
        namespace: NamespaceId,
        role: Role,
        verdict: Verdict,
    ) -> ContentByName {
        match verdict {
            Verdict::Nothing if namespace == NamespaceId::XHTML => by_role(role, self.text),
            Verdict::Nothing => ContentByName::Known(Content::Skip, false),
            Verdict::Slot(content) if namespace != NamespaceId::XHTML => {
                ContentByName::Known(Content::of(content, self.text), false)
            }
            _ => ContentByName::Unknown,
        }
    }

    /// The kind of the content of the tag's element, by the tag at hand, and true if the element is quiet.
    pub(super) fn content_by_tag(&self, input: Input<'_>) -> (Content, bool) {
        let (namespace, element) = (self.tag.namespace, self.tag.element);
        let is_xhtml = namespace == NamespaceId::XHTML;
        let context = self.context(input, !is_xhtml);
        let place = (NamespaceId::NONE, AttributeId::CONTENT);
        let is_cell = Parts::of(self.tag.raw(input)).local == CELL;
        match self.vocabulary.slot_content(element, place, &context) {
            Some(SlotContent { syntax, access }) if is_xhtml => {
                (Content::Pieces(syntax, access), true)
            }
            Some(content) => match Content::of(content, self.text) {
                Content::Runs(_, access) if is_cell => (Content::Cell(access), false),
                content => (content, false),
            },
            None if is_xhtml => by_role_and_tag(element.role, self.text, &context),
            None => (Content::Skip, false),
        }
    }
}

fn by_role(role: Role, text: TextSlots) -> ContentByName {
    match role {
        _ if text == TextSlots::None => ContentByName::Known(Content::Skip, true),
        Role::Anchor if text != TextSlots::All => ContentByName::LinkIfHref,
        Role::Script | Role::Style => ContentByName::Known(Content::Skip, true),
        Role::Code if text == TextSlots::Prose => ContentByName::Known(Content::Skip, true),
        _ => ContentByName::Known(Content::Run, false),
    }
}

fn by_role_and_tag(role: Role, text: TextSlots, context: &TagContext<'_>) -> (Content, bool) {
    match by_role(role, text) {
        ContentByName::Known(content, quiet) => (content, quiet),
        _ => (Content::Run, context.has(b"href")),
    }
}

impl Content {
    /// The content that a rule gives an element.
    #[inline]
    fn of(SlotContent { syntax, access }: SlotContent, text: TextSlots) -> Content {
        match syntax {
            Syntax::Text | Syntax::EscapedText if text == TextSlots::None => Content::Skip,
            Syntax::Text => Content::Text(access),
            Syntax::EscapedText | Syntax::Field => Content::Runs(syntax, access),
            Syntax::Html | Syntax::Css | Syntax::Json | Syntax::Lines(_) => {
                Content::Pieces(syntax, access)
            }
            syntax => Content::Whole(syntax, access),
        }
    }
}

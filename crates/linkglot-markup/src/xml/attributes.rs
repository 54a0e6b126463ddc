//! The slots of a tag's attributes.

use super::collect::may_be_link;
use super::element::is_lower;
use super::names::{BASE, Parts, colon_of, hash, same, text_of};
use super::tag::{Attribute, Shape};
use super::{Input, Mode, Turn, XmlTokenizer, named, whole};
use crate::escape::Escaping;
use crate::html::{Around, PageMarkup};
use crate::slot::{Access, Name, Place, PlaceKind, SharedPlace, Slot, Syntax, Window};
use crate::values;
use crate::vocabulary::{AttributeId, Case, ElementId, NamespaceId, SlotContent};

impl XmlTokenizer {
    /// The slots of a whole tag, one by one. The cursor stays until all slots are answered.
    pub(super) fn attributes(&mut self, input: Input<'_>, from: usize) -> Turn {
        for index in from..self.tag.attributes.len() {
            let Some(attribute) = self.tag.attributes.get(index) else {
                break;
            };
            if let Some((content, name)) = self.rule(input, attribute) {
                let (attribute, name) = (attribute.clone(), name.cloned());
                if !self.read_label(input, &attribute) {
                    self.mode = Mode::Attributes(index);
                    return Turn::More;
                }
                self.mode = Mode::Attributes(index + 1);
                return Turn::Slot(self.slot_of(input, attribute, content, name), 0);
            }
        }
        self.finish(input, self.tag.end, self.tag.shape)
    }

    /// Reads the label of a link of XHTML. `false` if the window must grow first.
    fn read_label(&mut self, input: Input<'_>, attribute: &Attribute) -> bool {
        let Some(labels) = &mut self.labels else {
            return true;
        };
        let is_link = input.slice(attribute.name.clone()) == b"href";
        if !is_link || self.tag.namespace != NamespaceId::XHTML {
            return true;
        }
        let window = Window {
            bytes: input.bytes,
            last: input.last,
            charset: input.charset,
        };
        match self.tag.raw(input) {
            b"a" if self.tag.shape == Shape::Open => {
                labels.read_content(window, (PageMarkup::Xml, Around::Page), self.tag.end)
            }
            b"area" => {
                labels.read_area(input.bytes, input.charset);
                true
            }
            _ => true,
        }
    }

    /// The content of an attribute of the tag, and the vocabulary's own copy of its name.
    pub(super) fn rule(
        &self,
        input: Input<'_>,
        attribute: &Attribute,
    ) -> Option<(SlotContent, Option<&Name>)> {
        let raw = input.slice(attribute.name.clone());
        let parts = Parts::of(raw);
        if parts.declares().is_some() {
            return None;
        }
        let is_xhtml = self.tag.namespace == NamespaceId::XHTML;
        if is_xhtml && parts.prefix.is_empty() {
            return self.xhtml_rule(input, &text_of(raw, input.charset));
        }
        let namespace = match self.tag.kind {
            PlaceKind::Instruction => NamespaceId::NONE,
            _ => self.scope.attribute(self.prefixes.find(parts.prefix)),
        };
        let element = if is_xhtml {
            self.prefixed_rules_of_xhtml(input)
        } else {
            self.tag.element
        };
        let context = self.context(input, true);
        let id = self
            .vocabulary
            .attribute(&text_of(parts.local, input.charset), Case::Exact);
        let decision =
            id.and_then(|id| self.vocabulary.decision(element, (namespace, id), &context));
        let named = decision.and_then(|_| id.filter(|_| parts.local.len() == raw.len()));
        let name = named.and_then(|id| self.vocabulary.attribute_name(id));
        let rule_of = |namespace| {
            let place = (namespace, AttributeId::ANY);
            self.vocabulary.decision(element, place, &context)
        };
        let any = || rule_of(namespace).or_else(|| rule_of(NamespaceId::NONE));
        let unnamed = || if is_xhtml { None } else { any() };
        let decision = decision.or_else(unnamed)?;
        let counts = !decision.only_links || self.is_link(input, attribute);
        let mut content = decision.content.filter(|_| counts)?;
        let is_unknown = named.is_none() && decision.only_links;
        if is_unknown && content.access == Access::Rules && names_place(parts.local) {
            content.access = Access::Rewrite;
        }
        Some((content, name))
    }

    /// True if the whole value of an attribute is a link of the Web.
    fn is_link(&self, input: Input<'_>, attribute: &Attribute) -> bool {
        if !may_be_link(input.bytes, attribute.value.clone()) {
            return false;
        }
        let raw = self.lines_of(input, &attribute.value);
        let expanded = || self.entities.expand_attribute(&raw);
        let known = raw.contains('&').then(expanded).flatten();
        values::is_web_link(known.as_deref().unwrap_or(&raw))
    }

    /// The rules of HTML for an attribute without a prefix.
    fn xhtml_rule(&self, input: Input<'_>, name: &[u8]) -> Option<(SlotContent, Option<&Name>)> {
        if !is_lower(name) {
            return None;
        }
        let (element, context) = (self.tag.element, self.context(input, false));
        let Some(id) = self.vocabulary.attribute(name, Case::Exact) else {
            let content = self
                .vocabulary
                .prefix_content(element, name, Case::Exact, &context);
            return content.map(|content| (content, None));
        };
        let place = (NamespaceId::NONE, id);
        let content = self.vocabulary.slot_content(element, place, &context)?;
        Some((content, self.vocabulary.attribute_name(id)))
    }

    /// The element of XML whose rules hold for attributes with a prefix.
    fn prefixed_rules_of_xhtml(&self, input: Input<'_>) -> ElementId {
        let local = text_of(Parts::of(self.tag.raw(input)).local, input.charset);
        self.vocabulary
            .element(NamespaceId::XHTML, &local, Case::Exact)
    }

    pub(super) fn slot_of(
        &mut self,
        input: Input<'_>,
        mut attribute: Attribute,
        content: SlotContent,
        name: Option<Name>,
    ) -> Slot {
        let mut access = content.access;
        attribute.value = self.trimmed(input, attribute.value);
        let raw = input.slice(attribute.value.clone());
        if self.depends(raw) {
            access = access.less();
            match self.tag.kind {
                PlaceKind::Instruction => self.note_expansion(input, &attribute.value),
                _ => self.note_attribute(input, &attribute.value),
            }
        }
        let escaping = match self.tag.kind {
            PlaceKind::Instruction => Escaping::XmlInstruction(attribute.quote),
            _ => self.entities.of_attribute(attribute.quote),
        };
        let place = self.shared_place(input, &attribute, name);
        self.at_base = self.tag.based && input.slice(attribute.name.clone()) == BASE;
        let (mut syntax, access) = self.in_template(content.syntax, access, raw);
        if syntax == Syntax::Base && self.is_in_html_template(input) {
            syntax = Syntax::Single;
        }
        whole(attribute.value, (escaping, syntax), place, access)
    }

    /// True if the element stands in a `template` of HTML, whose content is another document. The names have the same
    /// prefix.
    fn is_in_html_template(&mut self, input: Input<'_>) -> bool {
        let name = self.tag.raw(input);
        let prefix = &name[..name.len() - Parts::of(name).local.len()];
        self.scope.is_open(&[prefix, b"template"].concat())
    }

    /// The syntax and access of an attribute. Attributes of literal result elements are templates (XSLT 1.0, 7.6.2).
    fn in_template(&self, syntax: Syntax, access: Access, raw: &[u8]) -> (Syntax, Access) {
        let literal = self.in_xslt && self.tag.namespace != NamespaceId::XSLT;
        match syntax {
            _ if !literal || memchr::memchr(b'{', raw).is_none() => (syntax, access),
            Syntax::Single | Syntax::Base => (Syntax::Template, access),
            // Templates of lists and style sheets are not split.
            _ => (syntax, access.less()),
        }
    }

    /// The place of an attribute of the tag, shared with other attributes of the same name in elements of the same
    /// name.
    fn shared_place(
        &mut self,
        input: Input<'_>,
        attribute: &Attribute,
        name: Option<Name>,
    ) -> SharedPlace {
        let own = input.slice(attribute.name.clone());
        let usual = self.tag.kind == PlaceKind::Attribute && self.tag.kept.is_empty();
        // A prefix may stand for another namespace elsewhere.
        let usual = usual && colon_of(own).is_none();
        if !usual {
            return self.attribute_place(input, attribute, name).into();
        }
        let element = self.tag.raw(input);
        let number = hash(element) ^ hash(own) >> 3 ^ self.tag.namespace.index();
        let is = |name: &Option<Name>, raw: &[u8]| {
            name.as_ref().is_some_and(|name| same(name.as_bytes(), raw))
        };
        let known = self.places.get(number, self.tag.namespace, |place| {
            is(&place.name, own) && is(&place.element, element)
        });
        if let Some(place) = known {
            return place.clone();
        }
        let place = SharedPlace::from(self.attribute_place(input, attribute, name));
        self.places.add(number, self.tag.namespace, place)
    }

    /// The place of an attribute of the tag; `name` is the vocabulary's copy of its name.
    pub(super) fn attribute_place(
        &mut self,
        input: Input<'_>,
        attribute: &Attribute,
        name: Option<Name>,
    ) -> Place {
        let raw = input.slice(attribute.name.clone());
        let name_namespace = match (self.tag.kind, Parts::of(raw).prefix) {
            (PlaceKind::Instruction, _) | (_, b"") => None,
            (_, prefix) => {
                let id = self.scope.attribute(self.prefixes.find(prefix));
                self.namespaces.name(&self.vocabulary, id)
            }
        };
        let name = name.unwrap_or_else(|| self.spellings.name(raw, input.charset));
        Place {
            kind: self.tag.kind,
            element: named(self.element_name(input)),
            name: named(name),
            namespace: self.namespaces.name(&self.vocabulary, self.tag.namespace),
            name_namespace,
        }
    }

    /// The tag's name, for places.
    fn element_name(&mut self, input: Input<'_>) -> Name {
        let raw = if self.tag.kept.is_empty() {
            input.slice(self.tag.name.clone())
        } else {
            &self.tag.kept
        };
        match self.vocabulary.element_name(self.tag.element) {
            Some(known) if known.as_bytes() == raw => known.clone(),
            _ => self.spellings.name(raw, input.charset),
        }
    }
}

/// True if the name of an attribute says that its value is the place of something. Programs compare the values of many
/// other names.
fn names_place(name: &[u8]) -> bool {
    const WORDS: [&[u8]; 18] = [
        b"href",
        b"url",
        b"src",
        b"link",
        b"location",
        b"site",
        b"homepage",
        b"image",
        b"img",
        b"icon",
        b"logo",
        b"thumbnail",
        b"photo",
        b"feed",
        b"download",
        b"file",
        b"help",
        b"see",
    ];
    let name = name.to_ascii_lowercase();
    let has = |word: &&[u8]| memchr::memmem::find(&name, word).is_some();
    WORDS.iter().any(has)
}

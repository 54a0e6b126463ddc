//! The attributes of the present tag that are slots.

use super::HtmlTokenizer;
use super::php::php_slot;
use super::tag::{Attribute, Tag};
use crate::byte_search::{lower, start_word};
use crate::escape::{Escaping, Quote};
use crate::slot::{Access, Name, Place, PlaceKind, Run, SharedPlace, Slot, Step, Syntax, Window};
use crate::vocabulary::{AttributeId, Case, Context, ElementId, NamespaceId, SlotContent};
use linkglot_charset::Charset;
use std::borrow::Cow;
use std::ops::Range;

/// A slot of the present tag. Ranges are relative to the position of the cursor at the tag.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    range: Range<usize>,
    escaping: Escaping,
    syntax: Syntax,
    access: Access,
    place: SharedPlace,
    too_long: bool,
}

impl Pending {
    /// The element's name.
    pub(super) fn element(&self) -> Option<&str> {
        self.place.element.as_deref()
    }

    /// The attribute's name.
    pub(super) fn name(&self) -> Option<&str> {
        self.place.name.as_deref()
    }

    /// The slot of code of PHP.
    fn of_code(range: Range<usize>) -> Pending {
        let slot = php_slot(range);
        Pending {
            range: slot.range,
            escaping: slot.escaping,
            syntax: slot.syntax,
            access: slot.access,
            place: slot.place,
            too_long: false,
        }
    }

    /// The slot of an attribute's value; `None` when the value cannot hold links.
    #[inline]
    pub(super) fn new(
        SlotContent { syntax, access }: SlotContent,
        value: Range<usize>,
        quote: Option<Quote>,
        bytes: &[u8],
        place: impl FnOnce() -> SharedPlace,
    ) -> Option<Pending> {
        let text = bytes.get(value.clone())?;
        // An empty `<base href>` is a base, too: no later `<base>` counts.
        let counts = !text.is_empty() || syntax == Syntax::Base;
        if !counts || syntax == Syntax::CssDeclarations && !may_hold_function(text) {
            return None;
        }
        Some(Pending {
            range: value,
            escaping: Escaping::HtmlAttribute(match syntax {
                Syntax::Base => quote.unwrap_or(Quote::Unquoted),
                _ => quote?,
            }),
            syntax,
            access,
            place: place(),
            too_long: false,
        })
    }
}

/// A tag in a window, as conditions see it.
pub(super) struct Facts<'t> {
    pub tag: &'t Tag,
    pub bytes: &'t [u8],
    pub charset: Charset,
    pub parent: Option<&'static str>,
}

impl Context for Facts<'_> {
    fn attribute(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let attribute = self.tag.attributes.iter().find(|attribute| {
            let own = self.bytes.get(attribute.name.clone());
            own.is_some_and(|own| own.eq_ignore_ascii_case(name.as_bytes()))
        })?;
        let raw = self.bytes.get(attribute.value.clone())?;
        // ASCII stands for itself in all charsets of windows.
        if raw.is_ascii() && !raw.contains(&b'&') {
            return Some(Cow::Borrowed(raw));
        }
        let quote = attribute.quote.unwrap_or(Quote::Double);
        let text = self.charset.decode(raw);
        let value = Escaping::HtmlAttribute(quote).unescape(&text);
        Some(Cow::Owned(value.text().as_bytes().to_owned()))
    }

    fn parent(&self) -> Option<Cow<'_, [u8]>> {
        self.parent.map(|name| Cow::Borrowed(name.as_bytes()))
    }
}

impl HtmlTokenizer {
    /// Forgets the slots of the previous tag: another tag was read at the cursor.
    #[inline]
    pub(super) fn begin_pending(&mut self) {
        self.moved = Some(0);
        self.pending.clear();
        self.answered = 0;
        self.has_codebase = false;
    }

    /// Adds a slot of the tag.
    #[inline]
    pub(super) fn add_pending(&mut self, pending: Pending) {
        self.has_codebase |= pending.name() == Some("codebase");
        self.pending.push(pending);
    }

    /// Forgets the slots and the attributes of the previous tag.
    #[inline]
    pub(super) fn begin_attributes(&mut self) {
        self.begin_pending();
        self.seen.clear();
        if !self.seen_prefixed.is_empty() {
            self.seen_prefixed.clear();
        }
        self.after = None;
    }

    #[inline]
    pub(super) fn next_pending(&mut self, moved: usize, cursor: &mut usize) -> Option<Step> {
        let pending = self.pending.get_mut(self.answered)?;
        self.answered += 1;
        let origin = *cursor;
        let start = origin + pending.range.start.saturating_sub(moved);
        let place = if self.has_codebase {
            pending.place.clone()
        } else {
            std::mem::replace(&mut pending.place, SharedPlace::TEXT)
        };
        if pending.too_long {
            return Some(Step::TooLong(start, (*place).clone()));
        }
        let end = origin + pending.range.end.saturating_sub(moved);
        *cursor = end;
        self.moved = Some(pending.range.end);
        Some(Step::Slot(Slot {
            range: start..end,
            escaping: pending.escaping,
            syntax: pending.syntax,
            place,
            access: pending.access,
            run: Run::WHOLE,
        }))
    }

    /// True if an element has one of these attributes.
    pub(super) fn has_attribute(&self, names: &[&str], bytes: &[u8]) -> bool {
        self.lexer.tag.attributes.iter().any(|attribute| {
            let own = bytes.get(attribute.name.clone()).unwrap_or_default();
            let is =
                |name: &&str| own.len() == name.len() && own.eq_ignore_ascii_case(name.as_bytes());
            names.iter().any(is)
        })
    }

    pub(super) fn facts<'t>(&'t self, bytes: &'t [u8], charset: Charset) -> Facts<'t> {
        Facts {
            tag: &self.lexer.tag,
            bytes,
            charset,
            parent: self.tree.media(),
        }
    }

    /// Adds the slots of the attributes that the lexer holds.
    #[inline]
    pub(super) fn add_attributes(&mut self, bytes: &[u8], charset: Charset) {
        for index in 0..self.lexer.tag.attributes.len() {
            let Some(attribute) = self.lexer.tag.attributes.get(index) else {
                return;
            };
            let name = bytes.get(attribute.name.clone()).unwrap_or_default();
            if !self
                .vocabulary
                .filter(self.element)
                .passes(lower(start_word(name)))
            {
                continue;
            }
            let pending = match self.attribute_id(attribute, bytes) {
                Some(id) if self.seen.contains(&id) => None,
                Some(id) => {
                    self.seen.push(id);
                    self.known_attribute(id, index, bytes, charset)
                        .or_else(|| self.prefixed_attribute(index, bytes, charset))
                }
                None => self.prefixed_attribute(index, bytes, charset),
            };
            if let Some(mut pending) = pending {
                pending.syntax = self.first_base(pending.syntax);
                self.add_pending(pending);
            }
        }
        if !self.lexer.tag.codes.is_empty() {
            self.add_codes();
        }
    }

    /// Adds the code of PHP that was read and stands outside of slots. Values are read with their code.
    fn add_codes(&mut self) {
        let end = if self.lexer.tag_is_open() {
            self.lexer.tag.open_from()
        } else {
            self.lexer.tag.at
        };
        let mut slots = self.pending.iter().peekable();
        let mut outside = Vec::new();
        for code in self.lexer.tag.codes.iter().filter(|code| code.end <= end) {
            while slots.next_if(|slot| slot.range.end <= code.start).is_some() {}
            if slots.peek().is_none_or(|slot| code.end <= slot.range.start) {
                outside.push(Pending::of_code(code.clone()));
            }
        }
        self.pending.append(&mut outside);
        self.pending.sort_by_key(|pending| pending.range.start);
    }

    #[inline]
    fn attribute_id(&self, attribute: &Attribute, bytes: &[u8]) -> Option<AttributeId> {
        let name = bytes.get(attribute.name.clone())?;
        self.vocabulary.attribute(name, Case::Ignored)
    }

    #[inline]
    fn known_attribute(
        &mut self,
        id: AttributeId,
        index: usize,
        bytes: &[u8],
        charset: Charset,
    ) -> Option<Pending> {
        let facts = self.facts(bytes, charset);
        let place = (NamespaceId::NONE, id);
        let content = self.vocabulary.slot_content(self.element, place, &facts)?;
        let attribute = self.lexer.tag.attributes.get(index)?;
        let (value, quote) = (attribute.value.clone(), attribute.quote);
        Pending::new(content, value, quote, bytes, || {
            self.place_of(self.element, id, bytes)
        })
    }

    /// The place of an attribute of the present element.
    #[inline]
    pub(super) fn place_of(
        &mut self,
        element: ElementId,
        id: AttributeId,
        bytes: &[u8],
    ) -> SharedPlace {
        let known = self
            .places
            .get(place_hash(element, id), (element, id), |_| true);
        match known {
            Some(place) => place.clone(),
            None => self.new_place(element, id, bytes),
        }
    }

    #[inline(never)]
    fn new_place(&mut self, element: ElementId, id: AttributeId, bytes: &[u8]) -> SharedPlace {
        let known = self.vocabulary.element_name(element);
        let Some(name) = self.vocabulary.attribute_name(id) else {
            return SharedPlace::TEXT;
        };
        match known {
            Some(known) => {
                let place = self.attribute_place(element, Some(known.clone()), name.clone());
                let hash = place_hash(element, id);
                self.places.add(hash, (element, id), place.into())
            }
            None => {
                let name = name.clone();
                self.name_element(bytes);
                self.attribute_place(element, self.element_name.clone(), name)
                    .into()
            }
        }
    }

    /// The place of an attribute of the present element. Attributes of foreign elements have namespaces (HTML standard
    /// 13.2.6.1, "adjust foreign attributes").
    fn attribute_place(&self, id: ElementId, element: Option<Name>, name: Name) -> Place {
        const XLINK: Name = Name::built_in("http://www.w3.org/1999/xlink");
        let namespace = self.vocabulary.namespace_of(id);
        let foreign = namespace.is_foreign() && name.starts_with("xlink:");
        Place {
            kind: PlaceKind::Attribute,
            element,
            namespace: namespace.fixed_name(),
            name_namespace: foreign.then_some(XLINK),
            name: Some(name),
        }
    }

    /// The slot of an attribute for which rows give only the beginning of the name.
    #[inline]
    fn prefixed_attribute(
        &mut self,
        index: usize,
        bytes: &[u8],
        charset: Charset,
    ) -> Option<Pending> {
        if !self.vocabulary.has_prefixes() {
            return None;
        }
        self.name_element(bytes);
        let facts = self.facts(bytes, charset);
        let attribute = self.lexer.tag.attributes.get(index)?;
        let name = bytes.get(attribute.name.clone())?;
        let content = self
            .vocabulary
            .prefix_content(self.element, name, Case::Ignored, &facts)?;
        let (value, quote) = (attribute.value.clone(), attribute.quote);
        let pending = Pending::new(content, value, quote, bytes, || {
            let name = lower_name(name, charset);
            self.attribute_place(self.element, self.element_name.clone(), name)
                .into()
        });
        let new = self.seen_prefixed.len() < MOST_PREFIXED
            && self.seen_prefixed.insert(name.to_ascii_lowercase());
        pending.filter(|_| new)
    }

    /// Only the first `<base href>` counts (4.2.3), and none inside a template.
    #[inline]
    fn first_base(&mut self, syntax: Syntax) -> Syntax {
        if syntax != Syntax::Base {
            return syntax;
        }
        if self.tree.in_template() || std::mem::replace(&mut self.base_seen, true) {
            Syntax::Single
        } else {
            Syntax::Base
        }
    }

    /// Sets the name of the present element, for places. A long tag keeps its name from the beginning.
    pub(super) fn name_element(&mut self, bytes: &[u8]) {
        if self.element_name.is_some() {
            return;
        }
        let known = self.vocabulary.element_name(self.element).cloned();
        self.element_name = known.or_else(|| {
            let name = bytes.get(self.lexer.tag.name.clone())?;
            Some(lower_name(name, Charset::UTF_8))
        });
    }

    /// Adds another attribute of a long tag.
    pub(super) fn more_attributes(&mut self, window: Window<'_>, cursor: usize) {
        self.begin_pending();
        if !self.closing {
            let bytes = window.bytes.get(cursor..).unwrap_or_default();
            self.add_attributes(bytes, window.charset);
            let link = |pending: &Pending| {
                let name = pending.place.name.as_deref();
                matches!(name, Some("href" | "xlink:href"))
            };
            if self.element_name.as_deref() == Some("a") && self.pending.iter().any(link) {
                self.tree.open_anchor();
            }
        }
    }

    pub(super) fn long_attribute(
        &mut self,
        attribute: Attribute,
        window: Window<'_>,
        cursor: usize,
    ) {
        self.lexer.tag.attributes.push(attribute);
        self.more_attributes(window, cursor);
        for pending in &mut self.pending {
            // Code of PHP has no name.
            pending.too_long = pending.name().is_some();
        }
    }
}

fn place_hash(element: ElementId, attribute: AttributeId) -> usize {
    element.number() ^ attribute.number().wrapping_mul(5)
}

/// The most attributes of a tag for which rows give only the beginning of the name; later ones are no slots.
const MOST_PREFIXED: usize = 4096;

/// The most bytes of a name in a place, which is for people; longer names are cut.
const LONGEST_NAME: usize = 64;

fn lower_name(name: &[u8], charset: Charset) -> Name {
    let name = name.get(..LONGEST_NAME).unwrap_or(name);
    charset.decode(name).to_ascii_lowercase().into()
}

/// False for declarations without a function, and without a character reference that may spell one: they hold no links.
fn may_hold_function(value: &[u8]) -> bool {
    memchr::memchr2(b'(', b'&', value).is_some()
}

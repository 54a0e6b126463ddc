//! Tags: namespaces, and the rules for attributes and content.

use super::breaks::Breaks;
use super::condition::Context;
use super::names::{BASE, Entry, NameId, Names, Place as RulePlace, PrefixId};
use super::scope::{Content, Mark};
use super::tag::{self, Attribute, MOST_ATTRIBUTES, Next, Shape, Unread, View};
use super::vocabulary::{NamespaceId, Rule};
use super::{Input, Mode, Terminator, Turn, XmlTokenizer, entities, named, whole, xhtml};
use crate::markup::escape::{Escaping, Quote};
use crate::markup::slot::{Access, Name, Place, PlaceKind, Syntax};
use std::ops::Range;

/// The tag or instruction at the cursor.
#[derive(Debug)]
pub(super) struct Tag {
    kind: PlaceKind,
    name: NameId,
    namespace: NamespaceId,
    /// Its name, if it is not one of those that are remembered.
    other: Option<Box<Entry>>,
    /// Where it ends.
    end: usize,
    shape: Shape,
    /// The declarations in scope before it.
    mark: Mark,
    content: Content,
    quiet: bool,
    /// It is passed over.
    beyond: bool,
    /// It has declared a base.
    based: bool,
    attributes: Vec<(Attribute, NameId)>,
}

impl Default for Tag {
    fn default() -> Self {
        Tag {
            kind: PlaceKind::Attribute,
            name: NameId::OTHER,
            namespace: NamespaceId::NONE,
            other: None,
            end: 0,
            shape: Shape::Open,
            mark: Mark::default(),
            content: Content::Skip,
            quiet: false,
            beyond: false,
            based: false,
            attributes: Vec::new(),
        }
    }
}

impl Tag {
    /// The tag's name, as it is written and in parts.
    fn entry<'t>(&'t self, names: &'t Names) -> &'t Entry {
        match &self.other {
            Some(other) => other,
            None => names.entry(self.name),
        }
    }
}

/// What conditions of the vocabularies are asked of.
pub(super) struct Around<'a> {
    bytes: &'a [u8],
    pub attributes: &'a [(Attribute, NameId)],
    parent: &'a [u8],
    root: &'a [u8],
}

impl Around<'_> {
    /// The raw name and value of each attribute.
    pub fn all(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let slice = |range: &Range<usize>| self.bytes.get(range.clone()).unwrap_or_default();
        self.attributes
            .iter()
            .map(move |(attribute, _)| (slice(&attribute.name), slice(&attribute.value)))
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
        self.parent
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
fn decide(rules: &[Rule], around: &Around<'_>) -> Option<Ruling> {
    let rule = rules.iter().find(|rule| rule.condition.holds(around))?;
    Some(Ruling {
        syntax: rule.syntax?,
        access: rule.access.of_slots()?,
    })
}

/// Whether an attribute is `xml:base`.
#[cold]
fn is_base(input: Input<'_>, attribute: &Attribute) -> bool {
    input.slice(attribute.name.clone()) == BASE
}

/// `<` and a name stand at the cursor.
impl XmlTokenizer {
    pub(super) fn start_tag(&mut self, input: Input<'_>) -> Turn {
        let (view, cut) = input.view(self.limit);
        let mut name = 1..tag::name_end(view, 1);
        if name.end == view.bytes.len() && !view.last {
            return self.cut_name(view, cut);
        }
        if !self.breaks.are_none()
            && let Some(at) = self.breaks.find(input.slice(name.clone()))
        {
            name.end = name.start + at;
        }
        let mut attributes = std::mem::take(&mut self.tag.attributes);
        attributes.clear();
        let id = self.intern(input, &name);
        let closed = self.collect(input, view, (id, name.end), &mut attributes);
        self.tag.attributes = attributes;
        self.tag.name = id;
        match closed {
            Some((end, shape)) => self.whole_tag(input, name, end, shape),
            None if cut || self.tag.attributes.len() >= MOST_ATTRIBUTES => {
                self.tag.attributes.clear();
                self.begin(input, name.clone());
                self.mode = Mode::LongTag;
                Turn::Go(name.end)
            }
            None => Turn::More,
        }
    }

    /// A name that is longer than any slot may be: its tag is passed over.
    fn cut_name(&mut self, view: View<'_>, cut: bool) -> Turn {
        if !cut {
            return Turn::More;
        }
        self.mode = Mode::Pass(Terminator::Greater);
        Turn::Go(view.bytes.len())
    }

    /// Reads attributes up to the tag's end. `None` when it is not at hand, or there are too many.
    fn collect(
        &mut self,
        input: Input<'_>,
        view: View<'_>,
        (mut before, from): (NameId, usize),
        attributes: &mut Vec<(Attribute, NameId)>,
    ) -> Option<(usize, Shape)> {
        let mut at = from;
        loop {
            match tag::next(view, at) {
                Next::Close(end, shape) => return Some((end, shape)),
                Next::More(_) => return None,
                Next::Attribute(..) if attributes.len() >= MOST_ATTRIBUTES => return None,
                Next::Attribute(mut attribute, behind) => {
                    attribute.name = self.trimmed(input, attribute.name);
                    let raw = input.slice(attribute.name.clone());
                    let (names, vocabulary) = (&mut self.names, &self.vocabulary);
                    before = names.intern_after(before, raw, input.charset, vocabulary);
                    attributes.push((attribute, before));
                    at = behind;
                }
            }
        }
    }

    fn intern(&mut self, input: Input<'_>, name: &Range<usize>) -> NameId {
        let raw = input.bytes.get(name.clone()).unwrap_or_default();
        self.names.intern(raw, input.charset, &self.vocabulary)
    }

    fn whole_tag(
        &mut self,
        input: Input<'_>,
        name: Range<usize>,
        end: usize,
        shape: Shape,
    ) -> Turn {
        self.begin(input, name);
        self.tag.end = end;
        self.tag.shape = shape;
        if self.tag.beyond {
            return self.finish(end, shape);
        }
        self.mode = Mode::Attributes(0);
        self.attributes(input, 0)
    }

    /// Declarations, then what element it is and what its content will be.
    fn begin(&mut self, input: Input<'_>, name: Range<usize>) {
        self.tag.kind = PlaceKind::Attribute;
        self.tag.beyond = self.scope.is_full();
        self.tag.mark = self.scope.mark();
        self.tag.based = false;
        if self.tag.beyond {
            return;
        }
        self.declare(input);
        self.name_tag(input, &name);
        let namespace = self.scope.element(self.tag.entry(&self.names).prefix);
        self.tag.namespace = namespace;
        let element = self.tag.entry(&self.names);
        if self.root.is_none() {
            let local = element.local();
            self.in_xslt = namespace == NamespaceId::XSLT;
            self.root = Some(Name::from(local));
        }
        self.content_rule(input);
    }

    fn name_tag(&mut self, input: Input<'_>, name: &Range<usize>) {
        // Mostly it was met when the attributes were read.
        if !self
            .names
            .entry(self.tag.name)
            .is(input.slice(name.clone()))
        {
            self.tag.name = self.intern(input, name);
        }
        self.tag.other =
            (self.tag.name == NameId::OTHER).then(|| Box::new(self.describe(input, name)));
    }

    /// What there is to know of a name that is not remembered.
    #[cold]
    fn describe(&mut self, input: Input<'_>, name: &Range<usize>) -> Entry {
        let raw = input.slice(name.clone());
        self.names.describe(raw, input.charset, &self.vocabulary)
    }

    fn declare(&mut self, input: Input<'_>) {
        for index in 0..self.tag.attributes.len() {
            let Some((attribute, id)) = self.tag.attributes.get(index) else {
                return;
            };
            let entry = self.names.entry(*id);
            if let Some(prefix) = entry.declares {
                let value = attribute.value.clone();
                self.bind(input, prefix, value);
            } else if entry.is_base || *id == NameId::OTHER && is_base(input, attribute) {
                let value = attribute.value.clone();
                self.declare_base(input, value);
            }
        }
    }

    /// `xml:base`; the first of a tag counts.
    fn declare_base(&mut self, input: Input<'_>, value: Range<usize>) {
        /// A longer one is not followed.
        const LONGEST: usize = 4096;
        if self.tag.based {
            return;
        }
        self.tag.based = true;
        let raw = input.slice(value);
        let text = (raw.len() <= LONGEST)
            .then(|| input.charset.decode(raw))
            .and_then(|text| self.entities.expand(&text));
        self.scope.push_base(text.map(|text| text.trim().into()));
    }

    fn bind(&mut self, input: Input<'_>, prefix: PrefixId, value: Range<usize>) {
        /// No namespace that a vocabulary names is longer, as written.
        const LONGEST: usize = 4096;
        let namespace = match input.bytes.get(value) {
            Some(raw) if raw.len() <= LONGEST => {
                let name = entities::read(raw, input.charset, &self.entities);
                self.namespaces.number(&self.vocabulary, &name)
            }
            _ => NamespaceId::UNKNOWN,
        };
        self.scope.bind(prefix, namespace);
    }

    fn content_rule(&mut self, input: Input<'_>) {
        let parent = self.scope.top();
        self.tag.quiet = parent.is_some_and(|frame| frame.quiet);
        self.tag.content = Content::Skip;
        if self.tag.namespace == NamespaceId::XHTML {
            return self.xhtml_content(input);
        }
        let place = RulePlace {
            element: self.tag.name,
            element_namespace: self.tag.namespace,
            attribute: NameId::OTHER,
            attribute_namespace: NamespaceId::NONE,
        };
        let (tag, vocabulary) = (&self.tag, &self.vocabulary);
        let element = (tag.namespace, tag.entry(&self.names).local());
        let content = (NamespaceId::NONE, "#text");
        let rules = self.cache.get(place, || vocabulary.rules(element, content));
        let Some(rules) = rules else {
            return;
        };
        let around = Around {
            bytes: input.bytes,
            attributes: &tag.attributes,
            parent: parent.map_or(b"", |frame| self.names.entry(frame.name).local().as_bytes()),
            root: self.root.as_deref().unwrap_or_default().as_bytes(),
        };
        let content = decide(rules, &around).map(|ruling| match ruling.syntax {
            Syntax::Text => Content::Run,
            syntax @ (Syntax::Html | Syntax::Css | Syntax::Json) => {
                Content::Pieces(syntax, ruling.access)
            }
            syntax => Content::Whole(syntax, ruling.access),
        });
        self.tag.content = content.unwrap_or(Content::Skip);
    }

    fn xhtml_content(&mut self, input: Input<'_>) {
        let around = Around {
            bytes: input.bytes,
            attributes: &self.tag.attributes,
            parent: b"",
            root: b"",
        };
        let (content, quiet) = xhtml::content(
            &self.html,
            self.text,
            self.tag.entry(&self.names).local(),
            &around,
        );
        self.tag.quiet |= quiet;
        self.tag.content = match content {
            Content::Run if self.tag.quiet => Content::Skip,
            content => content,
        };
    }

    /// The slots of a tag that is at hand, one by one. The cursor stays until all are answered.
    pub(super) fn attributes(&mut self, input: Input<'_>, from: usize) -> Turn {
        for index in from..self.tag.attributes.len() {
            let Some((_, id)) = self.tag.attributes.get(index) else {
                break;
            };
            let id = *id;
            let Some(ruling) = self.rule(input, index, id) else {
                continue;
            };
            if let Some(slot) = self.slot_of(input, index, ruling) {
                self.mode = Mode::Attributes(index + 1);
                return Turn::Slot(slot, 0);
            }
        }
        self.finish(self.tag.end, self.tag.shape)
    }

    /// The rule for an attribute of the tag.
    fn rule(&mut self, input: Input<'_>, index: usize, id: NameId) -> Option<Ruling> {
        let other;
        let name = if id == NameId::OTHER {
            let range = self.tag.attributes.get(index)?.0.name.clone();
            other = self.describe(input, &range);
            &other
        } else {
            self.names.entry(id)
        };
        let xhtml = self.tag.namespace == NamespaceId::XHTML && name.prefix == PrefixId::NONE;
        if name.declares.is_some() || !(name.known || xhtml) {
            return None;
        }
        let parent = self.scope.top();
        let around = Around {
            bytes: input.bytes,
            attributes: &self.tag.attributes,
            parent: parent.map_or(b"", |frame| self.names.entry(frame.name).local().as_bytes()),
            root: self.root.as_deref().unwrap_or_default().as_bytes(),
        };
        if xhtml {
            let element = self.tag.entry(&self.names).local();
            return xhtml::attribute(&self.html, element, &name.text, &around);
        }
        let namespace = match self.tag.kind {
            PlaceKind::Instruction => NamespaceId::NONE,
            _ => self.scope.attribute(name.prefix),
        };
        let place = RulePlace {
            element: self.tag.name,
            element_namespace: self.tag.namespace,
            attribute: id,
            attribute_namespace: namespace,
        };
        let (tag, vocabulary) = (&self.tag, &self.vocabulary);
        let element = (tag.namespace, tag.entry(&self.names).local());
        let look_up = || vocabulary.rules(element, (namespace, name.local()));
        if id == NameId::OTHER {
            return decide(&look_up()?, &around);
        }
        decide(self.cache.get(place, look_up)?, &around)
    }

    fn slot_of(
        &mut self,
        input: Input<'_>,
        index: usize,
        ruling: Ruling,
    ) -> Option<crate::markup::slot::Slot> {
        let (mut attribute, _) = self.tag.attributes.get(index)?.clone();
        let mut access = ruling.access;
        attribute.value = self.trimmed(input, attribute.value);
        if self.depends(input.slice(attribute.value.clone())) {
            access = access.less();
            self.note_expansion(input, &attribute.value);
        }
        let escaping = match self.tag.kind {
            PlaceKind::Instruction => Escaping::XmlInstruction(attribute.quote),
            _ => self.entities.of_attribute(attribute.quote),
        };
        let place = self.attribute_place(input, index)?;
        self.at_base = self.tag.based && place.name.as_deref().map(str::as_bytes) == Some(BASE);
        let (syntax, access) =
            self.in_template(ruling.syntax, access, input.slice(attribute.value.clone()));
        Some(whole(attribute.value, (escaping, syntax), place, access))
    }

    /// What an attribute of a literal result element holds: a template of what is listed elsewhere (XSLT 1.0, 7.6.2).
    fn in_template(&self, syntax: Syntax, access: Access, raw: &[u8]) -> (Syntax, Access) {
        let literal = self.in_xslt && self.tag.namespace != NamespaceId::XSLT;
        match syntax {
            _ if !literal || memchr::memchr(b'{', raw).is_none() => (syntax, access),
            Syntax::Single | Syntax::Base => (Syntax::Template, access),
            // Lists and style sheets that are put together are not taken apart.
            _ => (syntax, access.less()),
        }
    }

    fn attribute_place(&mut self, input: Input<'_>, index: usize) -> Option<Place> {
        let (attribute, id) = self.tag.attributes.get(index)?;
        let (range, id) = (attribute.name.clone(), *id);
        let (name, prefix) = match id {
            NameId::OTHER => {
                let entry = self.describe(input, &range);
                (named(&entry.text), entry.prefix)
            }
            id => {
                let entry = self.names.entry(id);
                (named(&entry.text), entry.prefix)
            }
        };
        let namespace_name = |id| self.namespaces.name(&self.vocabulary, id);
        let name_namespace = match (self.tag.kind, prefix) {
            (PlaceKind::Instruction, _) | (_, PrefixId::NONE) => None,
            _ => namespace_name(self.scope.attribute(prefix)),
        };
        Some(Place {
            kind: self.tag.kind,
            element: named(&self.tag.entry(&self.names).text),
            name,
            namespace: namespace_name(self.tag.namespace),
            name_namespace,
        })
    }

    /// Behind the tag's last attribute.
    fn finish(&mut self, end: usize, shape: Shape) -> Turn {
        self.mode = Mode::Content;
        let tag = &self.tag;
        match (tag.kind, shape) {
            (PlaceKind::Instruction, _) => self.mode = self.between(),
            (_, shape) if tag.beyond => return self.pass_deep(end, shape),
            (_, Shape::Empty) => self.scope.close_to(tag.mark),
            (_, Shape::Open) => {
                self.scope.open(tag.name, tag.content, tag.quiet, tag.mark);
                if matches!(tag.content, Content::Whole(..)) {
                    self.mode = Mode::Opened;
                }
            }
        }
        Turn::Go(end)
    }

    /// Behind the tag of an element that is deeper than scopes are followed: the outermost of those is told of.
    fn pass_deep(&mut self, end: usize, shape: Shape) -> Turn {
        let is_told = self.scope.is_passed_over();
        if matches!(shape, Shape::Open) {
            self.scope.open_beyond();
        }
        match is_told {
            true => Turn::Go(end),
            false => Turn::TooLong(0, Place::new(PlaceKind::Element, None, None), end),
        }
    }

    /// A tag that is longer than the limit: each attribute by itself, with the declarations so far.
    pub(super) fn long_tag(&mut self, input: Input<'_>) -> Turn {
        let (view, cut) = input.view(self.limit);
        self.tag.attributes.clear();
        match tag::next(view, 0) {
            Next::Close(end, shape) => self.finish(end, shape),
            Next::Attribute(attribute, behind) => match self.long_attribute(input, attribute) {
                Some(slot) => Turn::Slot(slot, behind),
                None => Turn::Go(behind),
            },
            Next::More(_) if !cut => Turn::More,
            Next::More(Unread::Name) => Turn::Go(view.bytes.len()),
            Next::More(Unread::Value(attribute)) => self.long_value(input, attribute),
        }
    }

    fn long_attribute(
        &mut self,
        input: Input<'_>,
        attribute: Attribute,
    ) -> Option<crate::markup::slot::Slot> {
        let value = attribute.value.clone();
        let id = self.intern(input, &attribute.name);
        self.tag.attributes.push((attribute, id));
        if self.tag.beyond {
            return None;
        }
        if let Some(prefix) = self.names.entry(id).declares {
            self.bind(input, prefix, value);
            return None;
        }
        self.declare(input);
        let ruling = self.rule(input, 0, id)?;
        self.slot_of(input, 0, ruling)
    }

    fn long_value(&mut self, input: Input<'_>, attribute: Attribute) -> Turn {
        let quote = match attribute.quote {
            Quote::Double => b'"',
            _ => b'\'',
        };
        let start = attribute.value.start;
        self.mode = Mode::PassValue(quote);
        let id = self.intern(input, &attribute.name);
        self.tag.attributes.push((attribute, id));
        let ruling = match self.tag.beyond {
            true => None,
            false => {
                if !self.tag.based && self.names.entry(id).is_base {
                    self.tag.based = true;
                    self.scope.push_base(None);
                }
                self.rule(input, 0, id)
            }
        };
        match (ruling, self.attribute_place(input, 0)) {
            (Some(_), Some(place)) => Turn::TooLong(start, place, start),
            _ => Turn::Go(start),
        }
    }

    /// `</` stands at the cursor.
    pub(super) fn end_tag(&mut self, input: Input<'_>) -> Turn {
        let (view, cut) = input.view(self.limit);
        let name = 2..tag::name_end(view, 2);
        if name.end == view.bytes.len() && !view.last {
            return self.cut_name(view, cut);
        }
        let close = match view.byte(name.end) {
            Some(b'>') => Some(0),
            _ => memchr::memchr2(b'>', b'<', view.rest(name.end)),
        };
        if close.is_none() && !cut && !view.last {
            return Turn::More;
        }
        let raw = input.slice(name.clone());
        let top = self.scope.top().map(|frame| frame.name);
        let id = match top {
            Some(top) if self.names.entry(top).is(raw) => Some(top),
            _ => self.names.find(raw),
        };
        self.scope.close(id);
        self.mode = Mode::Content;
        match close.map(|at| name.end + at) {
            Some(at) if input.byte(at) == Some(b'>') => Turn::Go(at + 1),
            Some(at) => Turn::Go(at),
            None => {
                self.mode = Mode::Pass(Terminator::Greater);
                Turn::Go(view.bytes.len())
            }
        }
    }

    /// `<?` stands at the cursor.
    pub(super) fn instruction(&mut self, input: Input<'_>) -> Turn {
        /// No target of interest is longer.
        const LONGEST: usize = 256;
        let (view, cut) = input.view(self.limit);
        let end = tag::name_end(view, 2);
        let unclear = end == view.bytes.len() && !input.last;
        if unclear && end < LONGEST.min(self.limit) {
            return Turn::More;
        }
        let target = input.slice(2..end);
        if target == b"xml" && self.root.is_none() && self.breaks.are_none() {
            let (limited, _) = input.limited(self.limit.min(LONGEST));
            match Terminator::Instruction.find(limited, end) {
                Some(close) => {
                    let declaration = input.slice(end..close);
                    self.breaks = Breaks::of_declaration(declaration, input.charset);
                }
                None if limited.last || limited.bytes.len() == self.limit.min(LONGEST) => {}
                None => return Turn::More,
            }
        }
        if unclear || !self.vocabulary.knows_target(target) {
            self.mode = Mode::Pass(Terminator::Instruction);
            return Turn::Go(2);
        }
        match Terminator::Instruction.find(input.limited(self.limit).0, end) {
            Some(close) => self.whole_instruction(input, 2..end, close),
            None if cut || input.last => {
                self.mode = Mode::Pass(Terminator::Instruction);
                Turn::Go(2)
            }
            None => Turn::More,
        }
    }

    fn whole_instruction(&mut self, input: Input<'_>, target: Range<usize>, close: usize) -> Turn {
        let view = View {
            bytes: input.slice(0..close),
            last: true,
        };
        let mut attributes = std::mem::take(&mut self.tag.attributes);
        attributes.clear();
        self.collect(input, view, (NameId::OTHER, target.end), &mut attributes);
        self.name_tag(input, &target);
        self.tag.kind = PlaceKind::Instruction;
        self.tag.namespace = NamespaceId::INSTRUCTION;
        self.tag.end = close + 2;
        self.tag.beyond = false;
        self.tag.based = false;
        self.tag.attributes = attributes;
        self.mode = Mode::Attributes(0);
        self.attributes(input, 0)
    }
}

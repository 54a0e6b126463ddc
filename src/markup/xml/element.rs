//! Tags: namespaces, and the rules for attributes and content.

use super::condition::Context;
use super::names::{Entry, NameId, Names, Place as RulePlace, PrefixId};
use super::scope::Content;
use super::tag::{self, Attribute, MOST_ATTRIBUTES, Next, Shape, Unread, View};
use super::vocabulary::{NamespaceId, Rule, XmlAccess};
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
    mark: usize,
    content: Content,
    quiet: bool,
    /// It is passed over.
    beyond: bool,
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
            mark: 0,
            content: Content::Skip,
            quiet: false,
            beyond: false,
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
    let access = match rule.access {
        XmlAccess::Rewrite | XmlAccess::OptIn => Access::Rewrite,
        XmlAccess::List => Access::Identifier,
        XmlAccess::Never => return None,
    };
    Some(Ruling {
        syntax: rule.syntax?,
        access,
    })
}

/// `<` and a name stand at the cursor.
impl XmlTokenizer {
    pub(super) fn start_tag(&mut self, input: Input<'_>) -> Turn {
        let (view, cut) = input.view(self.limit);
        let name = 1..tag::name_end(view, 1);
        if name.end == view.bytes.len() && !view.last {
            return self.cut_name(view, cut);
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
                Next::Attribute(attribute, behind) => {
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
        if self.tag.beyond {
            return;
        }
        self.declare(input);
        self.name_tag(input, &name);
        let namespace = self.scope.element(self.tag.entry(&self.names).prefix);
        self.tag.namespace = namespace;
        let element = self.tag.entry(&self.names);
        if self.root.is_none() {
            self.root = Some(Name::from(element.local()));
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
            if let Some(prefix) = self.names.entry(*id).declares {
                let value = attribute.value.clone();
                self.bind(input, prefix, value);
            }
        }
    }

    fn bind(&mut self, input: Input<'_>, prefix: PrefixId, value: Range<usize>) {
        /// No namespace that a vocabulary names is longer, as written.
        const LONGEST: usize = 4096;
        let namespace = match input.bytes.get(value) {
            Some(raw) if raw.len() <= LONGEST => {
                let name = entities::read(raw, input.charset, &self.entities);
                self.vocabulary.namespace(&name)
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
        let (content, quiet) =
            xhtml::content(&self.html, self.tag.entry(&self.names).local(), &around);
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
        let (attribute, _) = self.tag.attributes.get(index)?.clone();
        let mut access = ruling.access;
        if entities::has_entity(input.slice(attribute.value.clone())) {
            access = access.less();
            self.note_expansion(input, &attribute.value);
        }
        let escaping = match self.tag.kind {
            PlaceKind::Instruction => Escaping::XmlInstruction(attribute.quote),
            _ => Escaping::XmlAttribute(attribute.quote),
        };
        let place = self.attribute_place(input, index)?;
        Some(whole(
            attribute.value,
            (escaping, ruling.syntax),
            place,
            access,
        ))
    }

    fn attribute_place(&mut self, input: Input<'_>, index: usize) -> Option<Place> {
        let (attribute, id) = self.tag.attributes.get(index)?;
        let (range, id) = (attribute.name.clone(), *id);
        let name = match id {
            NameId::OTHER => named(&self.describe(input, &range).text),
            id => named(&self.names.entry(id).text),
        };
        Some(Place {
            kind: self.tag.kind,
            element: named(&self.tag.entry(&self.names).text),
            name,
        })
    }

    /// Behind the tag's last attribute.
    fn finish(&mut self, end: usize, shape: Shape) -> Turn {
        self.mode = Mode::Content;
        let tag = &self.tag;
        match (tag.kind, shape) {
            (PlaceKind::Instruction, _) => self.mode = self.between(),
            (_, Shape::Open) if tag.beyond => self.scope.open_beyond(),
            (_, Shape::Empty) if tag.beyond => {}
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
            false => self.rule(input, 0, id),
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
        self.tag.attributes = attributes;
        self.mode = Mode::Attributes(0);
        self.attributes(input, 0)
    }
}

//! Tags and instructions: namespaces, and the slots of attributes.

use super::breaks::Breaks;
use super::collect::{Collected, Wanted};
use super::context::TagContext;
use super::element_content::ContentByName;
use super::names::{BASE, Parts, text_of};
use super::scope::{Content, Opened};
use super::tag::{self, Attribute, MOST_ATTRIBUTES, Next, Shape, Unread, View};
use super::{Input, Mode, Terminator, Turn, XmlTokenizer, entities, runs};
use crate::byte_search as swar;
use crate::escape::{CELL_VALUE, Quote};
use crate::html::{FirstCode, first_code, php_slot};
use crate::slot::{Name, Place, PlaceKind, Slot, Syntax};
use crate::vocabulary::{Case, ElementId, Filter, NamespaceId, digest};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// `<` and a name stand at the cursor.
impl XmlTokenizer {
    #[inline(never)]
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
        self.name_tag(name);
        self.look_up(input);
        let mut attributes = std::mem::take(&mut self.tag.attributes);
        let found = self.collect(input, view, &mut attributes);
        self.tag.attributes = attributes;
        self.stray_quotes.note(input.bytes, found.stray_quote);
        match found.closed {
            Some(closed) => self.whole_tag(input, closed, found),
            None if cut || found.count >= MOST_ATTRIBUTES => self.begin_long(input),
            None => Turn::More,
        }
    }

    /// Skips a tag whose name is longer than the limit.
    #[inline(never)]
    fn cut_name(&mut self, view: View<'_>, cut: bool) -> Turn {
        if !cut {
            return Turn::More;
        }
        self.mode = Mode::Pass(Terminator::Greater);
        Turn::Go(view.bytes.len())
    }

    /// Begins a tag with its name.
    #[inline]
    pub(super) fn name_tag(&mut self, name: Range<usize>) {
        let tag = &mut self.tag;
        tag.kind = PlaceKind::Attribute;
        tag.name = name;
        tag.kept.clear();
        tag.attributes.clear();
        if tag.all.get().is_some() {
            tag.all = OnceCell::new();
        }
        tag.beyond = self.scope.is_full();
        tag.mark = self.scope.mark();
        tag.based = false;
    }

    /// Finds the tag's element in the vocabulary.
    #[inline]
    pub(super) fn look_up(&mut self, input: Input<'_>) {
        let raw = input.slice(self.tag.name.clone());
        let parts = Parts::of(raw);
        let local = text_of(parts.local, input.charset);
        let namespace = self.scope.element(self.prefixes.find(parts.prefix));
        self.tag.namespace = namespace;
        self.tag.element = self.element(namespace, digest(&local, Case::Exact), &local);
    }

    /// An element by its local name and the name's digest.
    #[inline(always)]
    pub(super) fn element(&self, namespace: NamespaceId, digest: u64, local: &[u8]) -> ElementId {
        match namespace {
            NamespaceId::XHTML => self.xhtml_element(digest, local),
            _ => self.vocabulary.element_by_digest(namespace, digest, local),
        }
    }

    /// Names of XHTML in upper case are not names of elements of HTML.
    #[inline]
    fn xhtml_element(&self, digest: u64, local: &[u8]) -> ElementId {
        let html = self
            .vocabulary
            .element_by_digest(NamespaceId::HTML, digest, local);
        match self.vocabulary.element_name(html) {
            None if !is_lower(local) => ElementId::default(),
            _ => html,
        }
    }

    #[inline]
    fn whole_tag(
        &mut self,
        input: Input<'_>,
        (end, shape): (usize, Shape),
        found: Collected,
    ) -> Turn {
        self.tag.end = end;
        self.tag.shape = shape;
        if self.tag.beyond {
            return self.finish(input, end, shape);
        }
        if found.binds || found.bases {
            self.declare(input);
        }
        if found.binds {
            self.look_up_again(input);
        }
        self.begin(input);
        if self.tag.attributes.is_empty() {
            self.finish(input, end, shape)
        } else {
            self.attributes(input, 0)
        }
    }

    /// Finds the tag's element again, with the tag's own declarations.
    #[inline(never)]
    fn look_up_again(&mut self, input: Input<'_>) {
        let before = *self.vocabulary.filter(self.tag.element);
        self.look_up(input);
        if before.covers(self.vocabulary.filter(self.tag.element)) {
            return;
        }
        let mut attributes = std::mem::take(&mut self.tag.attributes);
        attributes.clear();
        let view = View {
            bytes: input.slice(0..self.tag.end),
            last: true,
        };
        self.collect(input, view, &mut attributes);
        self.tag.attributes = attributes;
    }

    /// Begins a tag that is too long, or has too many attributes, to be read as a whole.
    #[inline(never)]
    fn begin_long(&mut self, input: Input<'_>) -> Turn {
        self.tag.attributes.clear();
        self.tag.kept = input.slice(self.tag.name.clone()).to_vec();
        self.tag.all = OnceCell::from(Vec::new());
        if !self.tag.beyond {
            self.begin(input);
        }
        self.mode = Mode::LongTag;
        Turn::Go(self.tag.name.end)
    }

    /// Begins the element: its tag and its declarations are known.
    #[inline]
    fn begin(&mut self, input: Input<'_>) {
        if self.root.is_none() {
            let local = Parts::of(self.tag.raw(input)).local;
            self.in_xslt = self.tag.namespace == NamespaceId::XSLT;
            self.root = Some(Name::from(&*input.charset.decode(local)));
        }
        self.content_rule(input);
    }

    #[inline(never)]
    fn declare(&mut self, input: Input<'_>) {
        for index in 0..self.tag.attributes.len() {
            let Some(attribute) = self.tag.attributes.get(index) else {
                return;
            };
            let (name, value) = (attribute.name.clone(), attribute.value.clone());
            let raw = input.slice(name);
            if let Some(prefix) = Parts::of(raw).declares() {
                self.bind(input, prefix, value);
            } else if raw == BASE {
                self.declare_base(input, value);
            }
        }
    }

    /// Declares the base of `xml:base`. Only the first `xml:base` of a tag counts.
    fn declare_base(&mut self, input: Input<'_>, value: Range<usize>) {
        /// The most bytes of a base; a longer base is unknown.
        const LONGEST: usize = 4096;
        if self.tag.based {
            return;
        }
        self.tag.based = true;
        let raw = input.slice(value);
        let text = (raw.len() <= LONGEST)
            .then(|| input.charset.decode(raw))
            .and_then(|text| self.entities.expand_attribute(&text));
        self.scope.push_base(text.map(|text| text.trim().into()));
    }

    fn bind(&mut self, input: Input<'_>, prefix: &[u8], value: Range<usize>) {
        /// The most bytes of a namespace's name; longer names are unknown.
        const LONGEST: usize = 4096;
        let namespace = match input.bytes.get(value) {
            Some(b"") => NamespaceId::NONE,
            Some(raw) if raw.len() <= LONGEST => {
                let name = match std::str::from_utf8(raw) {
                    Ok(name) if name.is_ascii() && !name.contains('&') => Cow::Borrowed(name),
                    _ => entities::read(raw, input.charset, &self.entities),
                };
                self.namespaces.number(&self.vocabulary, &name)
            }
            _ => NamespaceId::UNKNOWN,
        };
        self.scope.bind(self.prefixes.declare(prefix), namespace);
    }

    #[inline]
    fn content_rule(&mut self, input: Input<'_>) {
        let (namespace, element) = (self.tag.namespace, self.tag.element);
        let known = self.vocabulary.get(element);
        let is_bare = self.tag.attributes.is_empty() && self.tag.kept.is_empty();
        let (content, quiet) = match self.content_by_name(namespace, element.role, known.content) {
            ContentByName::Known(content, quiet) => (content, quiet),
            ContentByName::LinkIfHref if is_bare => (Content::Run, false),
            _ => self.content_by_tag(input),
        };
        let content = self.cell_value(input).unwrap_or(content);
        let quiet = quiet || self.scope.top().is_some_and(|frame| frame.quiet);
        self.tag.quiet = quiet;
        self.tag.content = match content {
            Content::Run | Content::Text(_) | Content::Runs(..) if quiet => Content::Skip,
            content => content,
        };
    }

    /// The content of the tag's element, if it is the value of a cell whose first element it is.
    #[inline]
    fn cell_value(&self, input: Input<'_>) -> Option<Content> {
        let cell = self.scope.top()?;
        let Content::Cell(access) = cell.content else {
            return None;
        };
        let local = Parts::of(self.tag.raw(input)).local;
        let is_value = local == CELL_VALUE && self.tag.namespace == cell.namespace;
        is_value.then_some(Content::Runs(Syntax::EscapedText, access))
    }

    #[inline]
    pub(super) fn context<'a>(&'a self, input: Input<'a>, by_local_name: bool) -> TagContext<'a> {
        TagContext {
            bytes: input.bytes,
            tag: &self.tag,
            filter: self.vocabulary.filter(self.tag.element),
            breaks: &self.breaks,
            scope: &self.scope,
            charset: input.charset,
            root: self.root.as_deref().unwrap_or_default().as_bytes(),
            by_local_name,
        }
    }

    /// Leaves the tag behind its last attribute.
    #[inline]
    pub(super) fn finish(&mut self, input: Input<'_>, end: usize, shape: Shape) -> Turn {
        self.mode = Mode::Content;
        let tag = &self.tag;
        match (tag.kind, shape) {
            (PlaceKind::Instruction, _) => self.mode = self.between(),
            (_, shape) if tag.beyond => return self.pass_deep(end, shape),
            (_, shape) if matches!(self.open_content(), Content::Cell(_)) => {
                // What follows the first element of a cell is another one's.
                self.scope.skip_rest();
                return self.finish(input, end, shape);
            }
            (_, Shape::Empty) => self.scope.close_to(tag.mark),
            (_, Shape::Open) => {
                let opened = Opened {
                    namespace: tag.namespace,
                    content: tag.content,
                    quiet: tag.quiet,
                    before: tag.mark,
                };
                let length = tag.name.len();
                match swar::word(input.bytes, 1) {
                    Some(word) if length <= 8 && tag.kept.is_empty() => {
                        self.scope
                            .open_short(swar::head(word, length), length, opened);
                    }
                    _ => self.scope.open(tag.raw(input), opened),
                }
                match tag.content {
                    Content::Whole(..) | Content::Text(_) => self.mode = Mode::Opened,
                    Content::Runs(..) => self.keeps_space = runs::keeps_space(input.slice(0..end)),
                    content if content.is_revision() && tag.kept.is_empty() => {
                        self.mode = Mode::Revision;
                        return Turn::Go(0);
                    }
                    _ => {}
                }
            }
        }
        Turn::Go(end)
    }

    /// Leaves the tag of an element that is nested too deeply. The outermost such element is reported.
    #[inline(never)]
    fn pass_deep(&mut self, end: usize, shape: Shape) -> Turn {
        let is_told = self.scope.is_passed_over();
        if matches!(shape, Shape::Open) {
            self.scope.open_beyond();
        }
        if is_told {
            Turn::Go(end)
        } else {
            Turn::TooLong(0, Place::new(PlaceKind::Element, None, None), end)
        }
    }

    /// Reads a tag longer than the limit: each attribute is read with the declarations before it.
    #[inline(never)]
    pub(super) fn long_tag(&mut self, input: Input<'_>) -> Turn {
        let (view, cut) = input.view(self.limit);
        self.tag.attributes.clear();
        match tag::next(view, 0) {
            Next::Close(end, shape) => self.long_end(input, end, shape),
            Next::Unclosed(end, stray_quote) => {
                self.stray_quotes.note(input.bytes, stray_quote);
                self.long_end(input, end, Shape::Open)
            }
            Next::Attribute(attribute, behind) => match self.long_attribute(input, attribute) {
                Some(slot) => Turn::Slot(slot, behind),
                None => Turn::Go(behind),
            },
            Next::More(_) if !cut => Turn::More,
            Next::More(Unread::Name) => Turn::Go(view.bytes.len()),
            Next::More(Unread::Value(attribute)) => self.long_value(input, attribute),
        }
    }

    /// Ends a long tag, whose own declarations hold for its content.
    fn long_end(&mut self, input: Input<'_>, end: usize, shape: Shape) -> Turn {
        let prefix = self.prefixes.find(Parts::of(&self.tag.kept).prefix);
        self.tag.namespace = self.scope.element(prefix);
        self.finish(input, end, shape)
    }

    fn long_attribute(&mut self, input: Input<'_>, attribute: Attribute) -> Option<Slot> {
        let value = attribute.value.clone();
        self.tag.attributes.push(attribute.clone());
        self.tag.all = OnceCell::from(vec![attribute.clone()]);
        if self.tag.beyond {
            return None;
        }
        let raw = input.slice(attribute.name.clone());
        if let Some(prefix) = Parts::of(raw).declares() {
            self.bind(input, prefix, value);
            return None;
        }
        self.declare(input);
        let (content, name) = self.rule(input, &attribute)?;
        let name = name.cloned();
        Some(self.slot_of(input, attribute, content, name))
    }

    fn long_value(&mut self, input: Input<'_>, attribute: Attribute) -> Turn {
        let quote = match attribute.quote {
            Quote::Double => b'"',
            _ => b'\'',
        };
        let start = attribute.value.start;
        self.mode = Mode::PassValue(quote);
        self.tag.all = OnceCell::from(vec![attribute.clone()]);
        if self.tag.beyond {
            return Turn::Go(start);
        }
        if !self.tag.based && input.slice(attribute.name.clone()) == BASE {
            self.tag.based = true;
            self.scope.push_base(None);
        }
        match self.rule(input, &attribute) {
            Some((_, name)) => {
                let name = name.cloned();
                let place = self.attribute_place(input, &attribute, name);
                Turn::TooLong(start, place, start)
            }
            None => Turn::Go(start),
        }
    }

    /// Reads the `</` at the cursor.
    #[inline(never)]
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
        self.scope.close(input.slice(name.clone()));
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

    /// Reads the `<?` at the cursor.
    #[inline(never)]
    pub(super) fn instruction(&mut self, input: Input<'_>) -> Turn {
        /// The most bytes of a target; longer targets are unknown.
        const LONGEST: usize = 256;
        let (view, cut) = input.view(self.limit);
        if self.has_php {
            match first_code(view.bytes, view.last) {
                FirstCode::To(end) => {
                    self.mode = self.between();
                    return Turn::Slot(php_slot(0..end), end);
                }
                FirstCode::Open if !cut => return Turn::More,
                FirstCode::Open | FirstCode::None => {}
            }
        }
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
        let known = self
            .vocabulary
            .element(NamespaceId::INSTRUCTION, target, Case::Exact);
        if unclear || self.vocabulary.element_name(known).is_none() {
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
        self.tag.name = target.clone();
        self.tag.kept.clear();
        let wanted = Wanted {
            plain: &Filter::ALL,
            prefixed: &Filter::ALL,
            utf_8: true,
        };
        self.collect_wanted(input, view, &wanted, &mut attributes);
        let target = text_of(input.slice(target), input.charset);
        self.tag.namespace = NamespaceId::INSTRUCTION;
        self.tag.element = self
            .vocabulary
            .element(NamespaceId::INSTRUCTION, &target, Case::Exact);
        self.tag.all = OnceCell::from(attributes.clone());
        self.tag.kind = PlaceKind::Instruction;
        self.tag.end = close + 2;
        self.tag.beyond = false;
        self.tag.based = false;
        self.tag.attributes = attributes;
        self.mode = Mode::Attributes(0);
        self.attributes(input, 0)
    }
}

#[inline]
pub(super) fn is_lower(name: &[u8]) -> bool {
    !name.iter().any(u8::is_ascii_uppercase)
}

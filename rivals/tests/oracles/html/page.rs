//! Slots that html5gum's tokenizer, controlled by html5ever's tree builder, finds in a page.

use super::table::{Table, Tag};
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{self, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName};
use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Emitter, ForwardingEmitter, Span, State, Tokenizer};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::convert::Infallible;
use std::rc::Rc;

/// A place with links: the beginning of its value, its syntax, and the value, unescaped.
pub type Slot = (usize, &'static str, String);

struct Node {
    name: QualName,
    is_annotation: bool,
    parent: RefCell<Option<Rc<Node>>>,
}

impl Node {
    fn new(name: &str) -> Rc<Node> {
        Rc::new(Node {
            name: QualName::new(None, html5ever::ns!(), LocalName::from(name)),
            is_annotation: false,
            parent: RefCell::default(),
        })
    }
}

/// A tree that keeps only the path to the root.
struct Sink {
    document: Rc<Node>,
    created: RefCell<Vec<Rc<Node>>>,
    /// The open foreign elements.
    foreign: RefCell<Vec<Rc<Node>>>,
}

impl Sink {
    fn put(&self, parent: &Rc<Node>, child: NodeOrText<Rc<Node>>) {
        if let NodeOrText::AppendNode(node) = child {
            *node.parent.borrow_mut() = Some(parent.clone());
        }
    }
}

impl TreeSink for Sink {
    type Handle = Rc<Node>;
    type Output = ();
    type ElemName<'a> = &'a QualName;

    fn finish(self) {}
    fn parse_error(&self, _: Cow<'static, str>) {}
    fn get_document(&self) -> Rc<Node> {
        self.document.clone()
    }
    fn elem_name<'a>(&'a self, target: &'a Rc<Node>) -> &'a QualName {
        &target.name
    }
    fn create_element(&self, name: QualName, _: Vec<Attribute>, flags: ElementFlags) -> Rc<Node> {
        let node = Rc::new(Node {
            name,
            is_annotation: flags.mathml_annotation_xml_integration_point,
            parent: RefCell::default(),
        });
        self.created.borrow_mut().push(node.clone());
        node
    }
    fn pop(&self, node: &Rc<Node>) {
        self.foreign
            .borrow_mut()
            .retain(|open| !Rc::ptr_eq(open, node));
    }
    fn create_comment(&self, _: StrTendril) -> Rc<Node> {
        Node::new("#comment")
    }
    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Rc<Node> {
        Node::new("#pi")
    }
    fn append(&self, parent: &Rc<Node>, child: NodeOrText<Rc<Node>>) {
        self.put(parent, child);
    }
    fn append_based_on_parent_node(
        &self,
        element: &Rc<Node>,
        _: &Rc<Node>,
        child: NodeOrText<Rc<Node>>,
    ) {
        self.put(element, child);
    }
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn get_template_contents(&self, target: &Rc<Node>) -> Rc<Node> {
        target.clone()
    }
    fn same_node(&self, x: &Rc<Node>, y: &Rc<Node>) -> bool {
        Rc::ptr_eq(x, y)
    }
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_before_sibling(&self, sibling: &Rc<Node>, child: NodeOrText<Rc<Node>>) {
        let parent = sibling.parent.borrow().clone();
        self.put(&parent.unwrap_or_else(|| self.document.clone()), child);
    }
    fn add_attrs_if_missing(&self, _: &Rc<Node>, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, target: &Rc<Node>) {
        *target.parent.borrow_mut() = None;
    }
    fn reparent_children(&self, _: &Rc<Node>, _: &Rc<Node>) {}
    fn is_mathml_annotation_xml_integration_point(&self, node: &Rc<Node>) -> bool {
        node.is_annotation
    }
}

/// The start tag being read.
#[derive(Default)]
struct Open {
    name: String,
    attributes: Vec<(String, String)>,
    places: Vec<usize>,
    /// True if the tag already had an attribute of this name.
    again: bool,
}

/// Passes tokens to the tree builder and collects the slots.
struct Listener<'t> {
    table: &'t Table,
    builder: TreeBuilder<Rc<Node>, Sink>,
    open: Open,
    next: Option<State>,
    /// The content being read: its syntax, and its beginning.
    content: Option<Slot>,
    /// The elements opened since the media element, beginning with it.
    inside: Vec<String>,
    /// The names of all start tags.
    begun: HashSet<String>,
    has_frames: bool,
    found: Rc<RefCell<Found>>,
}

/// The slots of a page, and the place from which they are doubtful.
#[derive(Debug, Default)]
pub struct Found {
    pub slots: Vec<Slot>,
    /// Our reading may differ from here on, since we keep no stack of HTML elements: an end tag of foreign content that
    /// the standard ignores, because such elements are open inside, closes the content for us; and so does an end tag
    /// with most names of HTML in foreign content, whether or not an open element has its name. And in a media element,
    /// the end tag of an element opened before may close it.
    pub doubtful: Option<usize>,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Listener<'_> {
    fn give(&mut self, token: Token) {
        self.next = match self.builder.process_token(token, 1) {
            TokenSinkResult::Plaintext => Some(State::PlainText),
            TokenSinkResult::RawData(RawKind::Rcdata) => Some(State::RcData),
            TokenSinkResult::RawData(RawKind::Rawtext) => Some(State::RawText),
            TokenSinkResult::RawData(_) => Some(State::ScriptData),
            TokenSinkResult::Script(_) => Some(State::Data),
            _ => return,
        };
    }

    fn start(&mut self, self_closing: bool, end: usize) {
        let open = std::mem::take(&mut self.open);
        let attribute = |(name, value): &(String, String)| Attribute {
            name: QualName::new(None, html5ever::ns!(), LocalName::from(name.as_str())),
            value: StrTendril::from_slice(value),
        };
        self.builder.sink.created.borrow_mut().clear();
        self.give(Token::TagToken(tokenizer::Tag {
            kind: TagKind::StartTag,
            name: LocalName::from(open.name.as_str()),
            self_closing,
            attrs: open.attributes.iter().map(attribute).collect(),
            had_duplicate_attributes: false,
        }));
        self.begun.insert(open.name.clone());
        if self.drops(&open.name) {
            self.found.borrow_mut().doubtful.get_or_insert(end);
        }
        if !self.inside.is_empty() || is_media(&open.name) {
            self.inside.push(open.name.clone());
        }
        self.add(&open, self_closing, end);
    }

    /// True if the tree builder drops an element, whose content it then reads as markup, or all foreign content.
    fn drops(&mut self, name: &str) -> bool {
        let created = self.builder.sink.created.borrow();
        let is_frameset = |node: &Rc<Node>| &*node.name.local == "frameset";
        let frames = created.iter().any(is_frameset);
        self.has_frames |= frames;
        let columns = self.begun.contains("template") && self.begun.contains("col");
        let dropped = (self.has_frames || columns) && created.is_empty();
        dropped && changes_content(name) || frames && !self.builder.sink.foreign.borrow().is_empty()
    }

    /// The slots of a tag that the tree builder has seen. If it dropped the tag, the tag counts as HTML.
    fn add(&mut self, open: &Open, self_closing: bool, end: usize) {
        let created = self.builder.sink.created.borrow();
        let is_own = |node: &&Rc<Node>| {
            let name: &str = &node.name.local;
            name.eq_ignore_ascii_case(&open.name) || open.name == "image" && name == "img"
        };
        let node = created.iter().rev().find(is_own).cloned();
        drop(created);
        let namespace = match node.as_ref().map(|node| &*node.name.ns) {
            Some("http://www.w3.org/2000/svg") => "svg",
            Some("http://www.w3.org/1998/Math/MathML") => "math",
            _ => "html",
        };
        if let Some(node) = node
            .clone()
            .filter(|_| namespace != "html" && !self_closing)
        {
            self.builder.sink.foreign.borrow_mut().push(node);
        }
        let tag = Tag {
            namespace,
            name: &open.name,
            attributes: &open.attributes,
            parent: &media(node),
        };
        for ((name, value), place) in open.attributes.iter().zip(&open.places) {
            if let Some(syntax) = self.table.syntax(&tag, name) {
                self.found
                    .borrow_mut()
                    .slots
                    .push((*place, syntax, value.clone()));
            }
        }
        let raw = matches!(self.next, Some(State::RawText | State::ScriptData));
        let syntax = self.table.syntax(&tag, "#text").filter(|_| raw);
        self.content = syntax.map(|syntax| (end, syntax, String::new()));
    }

    /// The number of open foreign elements, if an end tag has the name of one of them and an element of HTML is open
    /// inside, or has the name of none and is read as foreign content.
    fn may_be_ignored(&self, name: &str) -> Option<usize> {
        let foreign = self.builder.sink.foreign.borrow();
        let is_own = |node: &Rc<Node>| str::eq_ignore_ascii_case(&node.name.local, name);
        let inside = !self
            .builder
            .adjusted_current_node_present_but_not_in_html_namespace();
        let known = !inside && self.is_surely_not_around(name);
        let doubt = !foreign.is_empty() && inside == foreign.iter().any(is_own);
        (doubt && !known).then_some(foreign.len())
    }

    /// True if certainly no element is open that an end tag closes.
    fn is_surely_not_around(&self, name: &str) -> bool {
        const HEADINGS: &[&str] = &["h1", "h2", "h3", "h4", "h5", "h6"];
        let begun = |names: &[&str]| names.iter().any(|name| self.begun.contains(*name));
        match name {
            "body" | "frameset" | "head" | "html" | "br" | "p" => true,
            "form" => !begun(&["template"]),
            "table" | "caption" | "tbody" | "tfoot" | "thead" | "tr" | "td" | "th" => {
                !begun(&["table"])
            }
            "code" | "kbd" | "samp" => !begun(&["code", "kbd", "samp"]),
            "a" | "template" | "audio" | "picture" | "video" => !begun(&[name]),
            name if HEADINGS.contains(&name) => !begun(HEADINGS),
            _ => false,
        }
    }

    /// True if an end tag belongs to an element opened before the open media element.
    fn leaves_media(&mut self, name: &str) -> bool {
        match self.inside.iter().rposition(|open| open == name) {
            Some(at) => {
                self.inside.truncate(at);
                false
            }
            None => !self.inside.is_empty(),
        }
    }

    fn end_content(&mut self) {
        self.found.borrow_mut().slots.extend(self.content.take());
    }
}

/// True if the content of an element is not read as HTML.
fn changes_content(name: &str) -> bool {
    let raw = [
        "iframe",
        "noembed",
        "noframes",
        "plaintext",
        "script",
        "style",
        "textarea",
        "title",
        "xmp",
    ];
    raw.contains(&name) || matches!(name, "math" | "svg")
}

fn is_media(name: &str) -> bool {
    matches!(name, "audio" | "picture" | "video")
}

/// The nearest element around that conditions mention.
fn media(node: Option<Rc<Node>>) -> String {
    let mut up = node.and_then(|node| node.parent.borrow().clone());
    while let Some(node) = up {
        let name: &str = &node.name.local;
        if is_media(name) {
            return name.to_owned();
        }
        up = node.parent.borrow().clone();
    }
    String::new()
}

impl Callback<Infallible, usize> for Listener<'_> {
    fn handle_event(&mut self, event: CallbackEvent<'_>, span: Span<usize>) -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.end_content();
                self.open = Open {
                    name: text(name),
                    ..Open::default()
                };
            }
            CallbackEvent::AttributeName { name } => {
                let name = text(name);
                self.open.again = self.open.attributes.iter().any(|(own, _)| *own == name);
                if !self.open.again {
                    self.open.attributes.push((name, String::new()));
                    self.open.places.push(span.end);
                }
            }
            CallbackEvent::AttributeValue { value } if !self.open.again => {
                if let (Some(attribute), Some(place)) =
                    (self.open.attributes.last_mut(), self.open.places.last_mut())
                {
                    attribute.1.push_str(&text(value));
                    *place = span.start;
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => self.start(self_closing, span.end),
            CallbackEvent::EndTag { name } => {
                self.end_content();
                let ignored = self.may_be_ignored(&text(name));
                let leaves = self.leaves_media(&text(name));
                self.give(Token::TagToken(tokenizer::Tag {
                    kind: TagKind::EndTag,
                    name: LocalName::from(text(name).as_str()),
                    self_closing: false,
                    attrs: Vec::new(),
                    had_duplicate_attributes: false,
                }));
                if leaves || ignored == Some(self.builder.sink.foreign.borrow().len()) {
                    self.found.borrow_mut().doubtful.get_or_insert(span.start);
                }
            }
            CallbackEvent::String { value } => {
                let value = text(value);
                if let Some(content) = &mut self.content {
                    content.2.push_str(&value);
                }
                for (at, part) in value.split('\0').enumerate() {
                    if at > 0 {
                        self.give(Token::NullCharacterToken);
                    }
                    if !part.is_empty() {
                        self.give(Token::CharacterTokens(StrTendril::from_slice(part)));
                    }
                }
            }
            CallbackEvent::Comment { value } => {
                self.give(Token::CommentToken(StrTendril::from_slice(&text(value))))
            }
            CallbackEvent::Doctype {
                name, force_quirks, ..
            } => {
                self.give(Token::DoctypeToken(tokenizer::Doctype {
                    name: Some(StrTendril::from_slice(&text(name))),
                    public_id: None,
                    system_id: None,
                    force_quirks,
                }));
            }
            _ => {}
        }
        None
    }
}

/// html5gum's emitter; the tree builder decides how reading continues.
struct Steered<'t>(CallbackEmitter<Listener<'t>, Infallible, usize>);

impl ForwardingEmitter for Steered<'_> {
    type Token = Infallible;

    fn inner(&mut self) -> &mut impl Emitter<Token = Infallible> {
        &mut self.0
    }

    fn emit_eof(&mut self) {
        self.0.emit_eof();
        self.0.callback_mut().end_content();
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let _ = self.0.emit_current_tag();
        self.0.callback_mut().next.take()
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        let builder = &self.0.callback_mut().builder;
        builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// The slots of a page, in order, including empty values.
pub fn slots(table: &Table, page: &str) -> Found {
    let sink = Sink {
        document: Node::new("#document"),
        created: RefCell::default(),
        foreign: RefCell::default(),
    };
    let options = TreeBuilderOpts {
        scripting_enabled: false,
        ..TreeBuilderOpts::default()
    };
    let found = Rc::new(RefCell::new(Found::default()));
    let emitter = Steered(CallbackEmitter::new(Listener {
        table,
        builder: TreeBuilder::new(sink, options),
        open: Open::default(),
        next: None,
        content: None,
        inside: Vec::new(),
        begun: HashSet::new(),
        has_frames: false,
        found: found.clone(),
    }));
    let Ok(()) = Tokenizer::new_with_emitter(page, emitter).finish();
    found.take()
}

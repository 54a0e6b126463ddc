//! HTML: the slots of a document, by the HTML standard's tokenizer and a [`Vocabulary`].
//!
//! Four layers: `tag` reads the inside of a tag, `content` finds the end of raw text, scripts and comments, [`lexer`]
//! is the step machine over both, and [`HtmlTokenizer`] asks the vocabulary and keeps the part of the standard's `tree`
//! that decides how to read on. `skim` quickly skips tags and text without links. `noscript` and `template` are read as
//! markup.
//!
//! The module must know neither the search for links in text nor the form of a link.

mod attributes;
mod codebase;
mod content;
mod declaration_place;
mod displayed;
mod elements;
mod forms;
mod hidden;
mod label;
pub mod lexer;
mod open_elements;
mod php;
mod references;
mod skim;
mod tag;
mod tree;

use content::Content;

use super::escape::Escaping;
use super::slot::{
    Access, Name, Place, PlaceKind, Run, ScopedBase, SharedPlace, Slot, Step, Syntax, Tokenizer,
    Window,
};
use super::vocabulary::{
    AttributeId, Case, Context, ElementId, NamespaceId, Role, SlotContent, Vocabulary,
};
use crate::places::Places;
use crate::settings::{CommentSlots, MarkupSettings, TextSlots};
use crate::text_bytes::TextBytes;
use attributes::Pending;
pub use content::begins_php;
pub use declaration_place::declaration_place;
pub(crate) use displayed::Around;
pub use displayed::{DisplayedText, PageMarkup, displayed_text};
pub use forms::{Form, FormPlaces};
pub(crate) use label::Labels;
use lexer::{BLOCK, CommentKind, Lexeme, Lexer, Take};
use linkglot_charset::Charset;
use php::PHP_PLACE;
pub(crate) use php::{FirstCode, first_code};
pub use php::{php_codes, php_slot};
pub(crate) use references::HtmlReferences;
use skim::Skim;
use std::collections::HashSet;
use std::ops::Range;
use tree::{TagFacts, Tree};

/// The tokenizer of HTML.
///
/// A tag cut off by the end of the document has no slots, unless it is longer than the limit. Of duplicate attributes
/// the first counts. In a tag longer than the limit, conditions of the vocabulary see only the attributes within the
/// limit.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{HtmlTokenizer, MarkupSettings};
/// use linkglot_markup::{Step, Tokenizer, Window};
///
/// let window = Window { bytes: b"<a href=x>", last: true, charset: Charset::UTF_8 };
/// let mut tokenizer = HtmlTokenizer::new(&MarkupSettings::default());
/// let Step::Slot(slot) = tokenizer.step(window, &mut 0) else { panic!("a slot") };
/// assert_eq!(slot.range, 8..9);
/// ```
#[derive(Debug)]
pub struct HtmlTokenizer {
    lexer: Lexer,
    tree: Tree,
    vocabulary: Vocabulary,
    text: TextSlots,
    comments: CommentSlots,
    text_bytes: TextBytes,
    /// Slots of the present tag.
    pending: Vec<Pending>,
    /// The number of pending slots that were answered.
    answered: usize,
    /// True if a pending slot is a `codebase`.
    has_codebase: bool,
    /// The distance that the cursor has moved since the tag was read; `None` if there is no tag to leave.
    moved: Option<usize>,
    places: Places<(ElementId, AttributeId)>,
    element: ElementId,
    /// The name of the present tag's element, once needed.
    element_name: Option<Name>,
    /// True if the present tag is an end tag.
    closing: bool,
    /// The attributes of the present tag that the vocabulary knows.
    seen: Vec<AttributeId>,
    /// The names, in lower case, of attributes for which rows give the beginning of the name.
    seen_prefixed: HashSet<Vec<u8>>,
    base_seen: bool,
    foreign: ForeignText,
    /// True if foreign content was open after the previous tag.
    was_foreign: bool,
    /// The slot of the content of the present element, if that is taken whole.
    raw: Option<RawSlot>,
    /// The content that follows the long tag that is being read.
    after: Option<(Content, Take)>,
    /// Set if labels are read.
    labels: Option<Box<Labels>>,
}

#[derive(Clone, Debug)]
struct RawSlot {
    syntax: Syntax,
    access: Access,
    namespace: NamespaceId,
    element: Option<Name>,
}

/// Treatment of text directly inside foreign content.
#[derive(Clone, Debug)]
enum ForeignText {
    Prose,
    Css(RawSlot),
    None,
}

impl Tokenizer for HtmlTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        loop {
            if let Some(moved) = self.moved {
                if self.labels.is_some() && !self.read_label(window, (*cursor, moved)) {
                    return Step::NeedMore;
                }
                if let Some(step) = self.next_pending(moved, cursor) {
                    return step;
                }
                self.moved = None;
                self.lexer.leave_tag(cursor, moved);
            }
            match self.skim(window, cursor) {
                Skim::Rest => {}
                Skim::Tag => continue,
                Skim::Text(range, run) => match self.text_slot(range, run) {
                    Some(step) => return step,
                    None => continue,
                },
            }
            let step = match self.lexer.next(window, cursor) {
                Lexeme::Text(range, run) => self.text_slot(range, run),
                Lexeme::Tag => {
                    self.tag(window, *cursor);
                    None
                }
                lexeme => self.rarer(lexeme, window, cursor),
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    fn bases(&self) -> &[ScopedBase] {
        self.codebase()
    }

    fn label(&self) -> Option<&str> {
        self.labels.as_ref().and_then(|labels| labels.last())
    }

    fn cut(&mut self) {
        if let Some(labels) = &mut self.labels {
            labels.is_cut = true;
        }
    }
}

impl Default for HtmlTokenizer {
    fn default() -> Self {
        HtmlTokenizer::new(&MarkupSettings::default())
    }
}

impl HtmlTokenizer {
    /// A tokenizer at the beginning of a document.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{HtmlTokenizer, MarkupSettings, Slots};
    ///
    /// let tokenizer = HtmlTokenizer::new(&MarkupSettings::default());
    /// assert_eq!(Slots::new(tokenizer, b"<a href=b>", Charset::UTF_8).count(), 1);
    /// ```
    pub fn new(settings: &MarkupSettings) -> Self {
        let mut lexer = Lexer::new(settings.max_slot);
        lexer.tag.has_php = settings.has_php;
        if settings.comments != CommentSlots::None {
            lexer.comments = Take::Whole;
        }
        HtmlTokenizer {
            lexer,
            tree: Tree::default(),
            element: ElementId::default(),
            element_name: None,
            closing: false,
            foreign: ForeignText::Prose,
            was_foreign: false,
            vocabulary: settings.vocabulary.clone(),
            text: settings.text,
            comments: settings.comments,
            text_bytes: settings.text_bytes.clone(),
            pending: Vec::new(),
            answered: 0,
            has_codebase: false,
            moved: None,
            places: Places::default(),
            seen: Vec::new(),
            seen_prefixed: HashSet::new(),
            base_seen: false,
            raw: None,
            after: None,
            labels: settings.labels.then(Box::default),
        }
    }

    fn rarer(&mut self, lexeme: Lexeme, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        match lexeme {
            Lexeme::LongTag => self.tag(window, *cursor),
            Lexeme::Attribute => self.more_attributes(window, *cursor),
            Lexeme::LongAttribute(attribute) => self.long_attribute(attribute, window, *cursor),
            Lexeme::TagEnd => self.enter_content(),
            Lexeme::Comment(kind, range) => return self.comment_slot(kind, range, window.bytes),
            Lexeme::Raw(range) => return self.raw_slot(range, window.bytes),
            Lexeme::TooLong(kind, at) => return self.too_long(kind, at),
            Lexeme::NeedMore => return Some(Step::NeedMore),
            Lexeme::End => return Some(Step::End),
            Lexeme::Text(..) | Lexeme::Tag => {}
        }
        None
    }

    /// Reads the tag at the cursor: all of it, or the held part of a long tag.
    #[inline]
    fn tag(&mut self, window: Window<'_>, cursor: usize) {
        self.begin_attributes();
        let bytes = window.bytes.get(cursor..).unwrap_or_default();
        let name = bytes.get(self.lexer.tag.name.clone()).unwrap_or_default();
        self.closing = self.lexer.tag.closing;
        if self.closing {
            self.tree.end(&self.vocabulary, name);
        } else {
            self.start_tag(name, bytes, window.charset);
        }
        if self.was_foreign || self.tree.is_foreign() {
            self.follow_foreign();
        }
    }

    /// Sets the reading of text and CDATA sections inside the open foreign content.
    fn follow_foreign(&mut self) {
        self.was_foreign = self.tree.is_foreign();
        self.lexer.cdata = self.tree.allows_cdata();
        self.foreign = self.foreign_text();
        self.lexer.hold = matches!(self.foreign, ForeignText::Css(..));
    }

    #[inline]
    fn start_tag(&mut self, name: &[u8], bytes: &[u8], charset: Charset) {
        let tag = TagFacts {
            name,
            self_closing: self.lexer.tag.self_closing,
            marked: self.is_marked(name, bytes, charset),
        };
        let namespace = self.tree.namespace(&self.vocabulary, tag);
        let element = self.vocabulary.element(namespace, name, Case::Ignored);
        self.open_element(element, tag, bytes, charset);
    }

    /// Opens the element of a start tag, now that its namespace is known.
    #[inline]
    fn open_element(
        &mut self,
        element: ElementId,
        tag: TagFacts<'_>,
        bytes: &[u8],
        charset: Charset,
    ) {
        let name = tag.name;
        let role = element.role;
        self.element = match role {
            Role::Svg => self
                .vocabulary
                .element(NamespaceId::HTML_SVG, name, Case::Ignored),
            Role::Math => self
                .vocabulary
                .element(NamespaceId::HTML_MATHML, name, Case::Ignored),
            _ => element,
        };
        self.element_name = None;
        self.tree
            .start(self.vocabulary.namespace_of(element), role, tag);
        self.add_attributes(bytes, charset);
        let long = self.lexer.tag_is_open();
        if long {
            self.name_element(bytes);
        }
        match self.content_behind(role, bytes, charset) {
            Some(after) if long => self.after = Some(after),
            Some((content, take)) => self.lexer.set_content(content, take, name),
            None => {}
        }
    }

    /// True if the tag has the attributes that the tree asks for (see [`TagFacts::marked`]).
    #[inline]
    fn is_marked(&self, name: &[u8], bytes: &[u8], charset: Charset) -> bool {
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        match name.len() {
            1 if is("a") => self.has_attribute(&["href", "xlink:href"], bytes),
            4 if is("font") => self.has_attribute(&["color", "face", "size"], bytes),
            14 if is("annotation-xml") => {
                let facts = self.facts(bytes, charset);
                let html = [&b"text/html"[..], b"application/xhtml+xml"];
                let encoding = facts.attribute("encoding");
                let is_html = |own: &[u8]| html.iter().any(|html| own.eq_ignore_ascii_case(html));
                encoding.is_some_and(|own| is_html(&own))
            }
            _ => false,
        }
    }

    /// The content that follows a start tag, if it is not markup.
    #[inline]
    fn content_behind(
        &mut self,
        role: Role,
        bytes: &[u8],
        charset: Charset,
    ) -> Option<(Content, Take)> {
        let text = |wanted| if wanted { Take::Stream } else { Take::Skip };
        Some(match role {
            Role::Rcdata => (Content::Rcdata, text(self.wants_text())),
            Role::Rawtext => (Content::Rawtext, self.take_raw(bytes, charset)),
            Role::Xmp => {
                let code = matches!(self.text, TextSlots::Code | TextSlots::All);
                (Content::Rawtext, text(code && self.wants_text()))
            }
            Role::Plaintext => (Content::Plaintext, text(self.wants_text())),
            Role::Style => (Content::Rawtext, self.take_raw(bytes, charset)),
            Role::Script => (Content::SCRIPT, self.take_raw(bytes, charset)),
            _ => return None,
        })
    }

    /// Takes the content of the present element whole if it holds links.
    fn take_raw(&mut self, bytes: &[u8], charset: Charset) -> Take {
        self.raw = self.content_row(self.element, bytes, charset);
        match self.raw {
            Some(_) => Take::Whole,
            None => Take::Skip,
        }
    }

    fn content_row(&self, element: ElementId, bytes: &[u8], charset: Charset) -> Option<RawSlot> {
        let facts = self.facts(bytes, charset);
        let place = (NamespaceId::NONE, AttributeId::CONTENT);
        let SlotContent { syntax, access } =
            self.vocabulary.slot_content(element, place, &facts)?;
        Some(RawSlot {
            syntax,
            access,
            namespace: self.vocabulary.namespace_of(element),
            element: self.vocabulary.element_name(element).cloned(),
        })
    }

    /// Treatment of text directly inside foreign content.
    #[inline]
    fn foreign_text(&self) -> ForeignText {
        match self.tree.foreign_parent() {
            Some(b"script") => ForeignText::None,
            Some(b"style") => {
                let style = self
                    .vocabulary
                    .element(NamespaceId::HTML_SVG, b"style", Case::Ignored);
                match self.content_row(style, b"", Charset::UTF_8) {
                    Some(raw) => ForeignText::Css(raw),
                    None => ForeignText::None,
                }
            }
            _ => ForeignText::Prose,
        }
    }

    /// The end of a long tag.
    fn enter_content(&mut self) {
        if let Some((content, take)) = self.after.take() {
            let name = self.element_name.clone();
            let name = name.as_deref().unwrap_or_default();
            self.lexer.set_content(content, take, name.as_bytes());
        }
    }

    #[inline]
    fn wants_text(&self) -> bool {
        match self.text {
            TextSlots::None => false,
            TextSlots::Prose => !self.tree.in_anchor() && !self.tree.in_code(),
            TextSlots::Code => !self.tree.in_anchor(),
            TextSlots::All => true,
        }
    }

    #[inline]
    fn text_slot(&self, range: Range<usize>, run: Run) -> Option<Step> {
        let escaping = match self.lexer.content {
            Content::Data | Content::Rcdata => Escaping::HtmlText,
            Content::Cdata => Escaping::XmlCdata,
            Content::Rawtext | Content::Script(_) => Escaping::HtmlRawText,
            Content::Plaintext => Escaping::None,
        };
        match &self.foreign {
            ForeignText::None => return None,
            ForeignText::Css(raw) => return raw.css_slot(range, escaping, run, self.lexer.limit()),
            ForeignText::Prose if !self.wants_text() => return None,
            ForeignText::Prose => {}
        }
        Some(Step::Slot(Slot {
            range,
            escaping,
            syntax: Syntax::Text,
            place: SharedPlace::TEXT,
            access: Access::Rewrite,
            run,
        }))
    }

    fn raw_slot(&self, range: Range<usize>, bytes: &[u8]) -> Option<Step> {
        let raw = self.raw.as_ref()?;
        let value = bytes.get(range.clone()).unwrap_or_default();
        if raw.syntax == Syntax::Css && memchr::memchr2(b'(', b'@', value).is_none() {
            return None;
        }
        Some(raw.slot(range, Escaping::HtmlRawText))
    }

    fn comment_slot(&self, kind: CommentKind, range: Range<usize>, bytes: &[u8]) -> Option<Step> {
        match kind {
            CommentKind::Comment if !range.is_empty() => {}
            CommentKind::Php => return Some(Step::Slot(php_slot(range))),
            _ => return None,
        }
        let text = bytes.get(range.clone()).unwrap_or_default();
        let within = |inner: Range<usize>| range.start + inner.start..range.start + inner.end;
        let (range, syntax) = match conditional(text) {
            Some(inner) if self.comments != CommentSlots::None => (within(inner), Syntax::Html),
            _ if text.starts_with(BLOCK) => (within(block_data(text)?), Syntax::Data),
            _ if self.comments == CommentSlots::All => (range, Syntax::Text),
            _ => return None,
        };
        Some(Step::Slot(Slot {
            range,
            escaping: Escaping::HtmlComment,
            syntax,
            place: Place::new(PlaceKind::Comment, None, None).into(),
            access: Access::Rewrite,
            run: Run::WHOLE,
        }))
    }

    fn too_long(&self, kind: Option<CommentKind>, at: usize) -> Option<Step> {
        let place = match kind {
            Some(CommentKind::Comment) => Place::new(PlaceKind::Comment, None, None),
            Some(CommentKind::Php) => PHP_PLACE,
            Some(_) => return None,
            None => self.raw.as_ref()?.place(),
        };
        Some(Step::TooLong(at, place))
    }
}

/// The JSON in the comment of a block of WordPress, ` wp:image {"id":7} `.
fn block_data(text: &[u8]) -> Option<Range<usize>> {
    let start = memchr::memchr(b'{', text)?;
    let end = memchr::memrchr(b'}', text)? + 1;
    let data = text.get(start..end)?;
    crate::json::is_json(data).then_some(start..end)
}

impl RawSlot {
    fn place(&self) -> Place {
        let kind = match self.syntax {
            Syntax::Css | Syntax::CssDeclarations => PlaceKind::Css,
            _ => PlaceKind::Script,
        };
        Place {
            namespace: self.namespace.fixed_name(),
            ..Place::new(kind, self.element.clone(), None)
        }
    }

    fn slot(&self, range: Range<usize>, escaping: Escaping) -> Step {
        Step::Slot(Slot {
            range,
            escaping,
            syntax: self.syntax,
            place: self.place().into(),
            access: self.access,
            run: Run::WHOLE,
        })
    }

    /// The text of `style` in SVG, held until it is whole or too long.
    fn css_slot(
        &self,
        range: Range<usize>,
        escaping: Escaping,
        run: Run,
        limit: usize,
    ) -> Option<Step> {
        match run {
            Run::WHOLE if range.len() <= limit => Some(self.slot(range, escaping)),
            Run { begins: true, .. } => Some(Step::TooLong(range.start, self.place())),
            _ => None,
        }
    }
}

/// The markup inside a downlevel-hidden conditional comment.
fn conditional(text: &[u8]) -> Option<Range<usize>> {
    let head = text.trim_ascii_start();
    if !head.get(..3)?.eq_ignore_ascii_case(b"[if") {
        return None;
    }
    let skipped = text.len() - head.len();
    let start = skipped + memchr::memmem::find(head, b"]>")? + 2;
    let tail = text.trim_ascii_end();
    let end = tail.len().checked_sub(b"<![endif]".len())?;
    let closed = tail.get(end..)?.eq_ignore_ascii_case(b"<![endif]");
    (closed && start <= end).then_some(start..end)
}

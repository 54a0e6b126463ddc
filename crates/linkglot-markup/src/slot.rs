//! The contract between tokenizers and their callers: a window goes in, slots come out.

use crate::escape::Escaping;
use crate::language::Language;
use crate::line_state::LineState;
pub use crate::name::Name;
#[cfg(feature = "markdown")]
use crate::surroundings::Surroundings;
use linkglot_charset::Charset;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// The part of a document that a tokenizer sees.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{PlainTokenizer, Step, Tokenizer, Window};
///
/// let window = Window { bytes: b"text", last: true, charset: Charset::UTF_8 };
/// let (mut tokenizer, mut cursor) = (PlainTokenizer::new(), 0);
/// assert!(matches!(tokenizer.step(window, &mut cursor), Step::Slot(_)));
/// assert_eq!(cursor, 4);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Window<'w> {
    /// Bytes in the view charset. Safe bytes ([`linkglot_charset::ascii::is_safe`]) always stand for themselves.
    pub bytes: &'w [u8],
    /// True if the document ends with the window.
    pub last: bool,
    /// The charset of the bytes, which is always ASCII-compatible.
    pub charset: Charset,
}

/// A resumable step machine. A tokenizer does no I/O and cannot fail: any bytes have a reading.
///
/// `window.bytes[*cursor..]` is unread. A step moves the cursor forward, never back. Between two steps the caller may
/// drop bytes before the cursor and lower the cursor by as many; a tokenizer therefore keeps positions relative to
/// the cursor.
///
/// The slots do not depend on the cuts between windows. Memory is bounded: a tokenizer answers [`Step::NeedMore`] only
/// while the value at hand is shorter than the limit of a slot (plus a small constant), and skips a longer value with
/// [`Step::TooLong`].
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{HtmlTokenizer, Step, Tokenizer, Window};
///
/// let mut tokenizer = HtmlTokenizer::default();
/// let window = |bytes, last| Window { bytes, last, charset: Charset::UTF_8 };
/// let mut cursor = 0;
/// // The value may go on.
/// assert!(matches!(tokenizer.step(window(b"<a href=b", false), &mut cursor), Step::NeedMore));
/// assert!(matches!(tokenizer.step(window(b"<a href=bc>", true), &mut cursor), Step::Slot(_)));
/// ```
pub trait Tokenizer: Send {
    /// Reads up to the next slot.
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step;

    /// The text of the slot that the last step answered, if [`Escaping::unescape`] cannot tell the text: the value
    /// refers to entities that the document itself declares, or CDATA sections and comments interrupt the value. The
    /// slot is [`Access::List`]. `None` also when an entity is external or its replacement is too long.
    fn expansion(&self) -> Option<&str> {
        None
    }

    /// The bases of the slot that the last step answered, outermost first: bases of the elements around it
    /// (`xml:base`), and for some attributes the base of its own element (`codebase`). `<base href>` is left out, since
    /// it holds for the whole document.
    fn bases(&self) -> &[ScopedBase] {
        &[]
    }

    /// The label of the slot that the last step answered ([`MarkupSettings::labels`](crate::MarkupSettings::labels)).
    fn label(&self) -> Option<&str> {
        None
    }

    /// The document around the slot that the last step answered, if that is a part of a Markdown document.
    #[cfg(feature = "markdown")]
    fn surroundings(&self) -> Option<&Surroundings> {
        None
    }

    /// True if the slot that the last step answered is running text because the document is malformed there, or not
    /// understood.
    fn is_malformed(&self) -> bool {
        false
    }

    /// Takes note that the window does not grow any more, although the document goes on: its other bytes cannot be
    /// read. Slots are then those that are known without them.
    fn cut(&mut self) {}
}

impl<T: Tokenizer + ?Sized> Tokenizer for Box<T> {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        (**self).step(window, cursor)
    }

    fn expansion(&self) -> Option<&str> {
        (**self).expansion()
    }

    fn bases(&self) -> &[ScopedBase] {
        (**self).bases()
    }

    fn label(&self) -> Option<&str> {
        (**self).label()
    }

    #[cfg(feature = "markdown")]
    fn surroundings(&self) -> Option<&Surroundings> {
        (**self).surroundings()
    }

    fn is_malformed(&self) -> bool {
        (**self).is_malformed()
    }

    fn cut(&mut self) {
        (**self).cut();
    }
}

/// A base that an element declares for itself and its content (XML Base, section 3).
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{MarkupSettings, Slots, Tokenizer, XmlTokenizer};
///
/// let page = b"<a xmlns='http://www.w3.org/1999/xhtml' xml:base='b/' href='c'/>";
/// let tokenizer = XmlTokenizer::new(&MarkupSettings::default());
/// let mut slots = Slots::new(tokenizer, page, Charset::UTF_8);
/// assert!(slots.any(|slot| slot.place.name.as_deref() == Some("href")));
/// assert_eq!(slots.tokenizer().bases()[0].text.as_deref(), Some("b/"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedBase {
    /// The number of the declaration, unique in the document.
    pub number: u64,
    /// A reference, to be resolved against the base around it. `None` for an unknown base: too long, too deeply nested,
    /// or with an unknown entity.
    pub text: Option<Arc<str>>,
}

/// The answer of a tokenizer.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{CssTokenizer, Step, Tokenizer, Window};
///
/// let window = |bytes, last| Window { bytes, last, charset: Charset::UTF_8 };
/// let (mut tokenizer, mut cursor) = (CssTokenizer::new(1 << 20), 0);
/// assert!(matches!(tokenizer.step(window(b"a{b:url(x", false), &mut cursor), Step::NeedMore));
/// let sheet = window(b"a{b:url(xy)}", true);
/// assert!(matches!(tokenizer.step(sheet, &mut cursor), Step::Slot(slot) if slot.range == (8..10)));
/// assert!(matches!(tokenizer.step(sheet, &mut cursor), Step::End));
/// ```
#[derive(Clone, Debug)]
pub enum Step {
    /// A place where links may stand.
    Slot(Slot),
    /// A value longer than the limit begins at this byte of the window, and is skipped.
    TooLong(usize, Place),
    /// The window must grow behind the cursor.
    NeedMore,
    /// The document is read; the cursor is at the end of the window.
    End,
}

/// A place where links may stand.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{Access, Escaping, HtmlTokenizer, PlaceKind, Quote, Slots, Syntax};
///
/// let page = b"<a ping='/x /y'>";
/// let slot = Slots::new(HtmlTokenizer::default(), page, Charset::UTF_8).next().unwrap();
/// assert_eq!(&page[slot.range], b"/x /y");
/// assert_eq!(slot.escaping, Escaping::HtmlAttribute(Quote::Single));
/// assert_eq!(slot.syntax, Syntax::SpaceList);
/// assert_eq!(slot.place.kind, PlaceKind::Attribute);
/// assert_eq!(slot.access, Access::Rewrite);
/// ```
#[derive(Clone, Debug)]
pub struct Slot {
    /// The raw value in the window, without quotes. It begins at or behind the position of the cursor before the step.
    pub range: Range<usize>,
    /// The escaping of the value.
    pub escaping: Escaping,
    /// The syntax of references in the value.
    pub syntax: Syntax,
    /// The element, attribute or other construct that holds the value.
    pub place: SharedPlace,
    /// Access to the links in the slot.
    pub access: Access,
    /// The ends of a run of text that the slot contains, for [`Syntax::Text`]. Other slots are [`Run::WHOLE`].
    ///
    /// After a step that answers a text slot, the cursor is at the end of the slot. If the run goes on, the caller may
    /// move the cursor back to any character boundary inside the slot. The next step then answers the run from there,
    /// as soon as the window holds more of it (until then `NeedMore`).
    pub run: Run,
}

impl Slot {
    /// True for a line of a document in light markup.
    #[doc(hidden)]
    pub fn is_lines(&self) -> bool {
        matches!(self.syntax, Syntax::Lines(_)) && self.escaping == Escaping::None
    }
}

/// The ends of a run of text that a slot contains.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{PlainTokenizer, Run, Slots};
///
/// let mut slots = Slots::new(PlainTokenizer::new(), b"text", Charset::UTF_8);
/// assert_eq!(slots.next().unwrap().run, Run { begins: true, ends: true });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// True if the run begins with the slot.
    pub begins: bool,
    /// True if the run ends with the slot.
    pub ends: bool,
}

impl Run {
    /// The slot is the whole run.
    pub const WHOLE: Run = Run {
        begins: true,
        ends: true,
    };
}

/// The syntax of references in a value.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{HtmlTokenizer, Slots, Syntax};
///
/// let page = b"<img srcset='a 1x, b 2x'>";
/// let mut slots = Slots::new(HtmlTokenizer::default(), page, Charset::UTF_8);
/// assert_eq!(slots.next().unwrap().syntax, Syntax::Srcset);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// A single reference; white space around it is ignored.
    Single,
    /// The base of the document: one reference, against which all others resolve (`<base href>`).
    Base,
    /// References separated by white space (`ping`, `archive` of `object`).
    SpaceList,
    /// References separated by commas (`archive` of `applet`).
    CommaList,
    /// `srcset`.
    Srcset,
    /// `<meta http-equiv=refresh content>`.
    Refresh,
    /// A style sheet.
    Css,
    /// A list of CSS declarations (`style`).
    CssDeclarations,
    /// A nested HTML document (`srcdoc`, escaped HTML in feeds).
    Html,
    /// Running text.
    Text,
    /// A Markdown document, or a part of one.
    #[cfg(feature = "markdown")]
    Markdown,
    /// A whole document of MDX.
    #[cfg(feature = "markdown")]
    Mdx,
    /// A whole reStructuredText document.
    Rst,
    /// Lines of light markup, behind lines that end in this state.
    Lines(LineState),
    /// The text of a revision of a wiki, with its tags and its digest: a [`RevisionText`](crate::RevisionText), whose
    /// content is wikitext.
    Revision,
    /// JSON whose strings may be references (JSON-LD).
    Json,
    /// Pairs of a namespace and a location (`xsi:schemaLocation`); locations are references.
    LocationPairs,
    /// A single absolute IRI; any other value has no reference (text of an unknown XML element).
    AbsoluteOnly,
    /// Tokens separated by white space; absolute IRIs among them are references (`property`, `itemprop`).
    AbsoluteList,
    /// References separated by semicolons (`values` of SVG animations).
    SemicolonList,
    /// A single reference with template expressions (`{searchTerms}`), which stay as they are.
    Template,
    /// A content security policy or permissions policy; sources that are URLs are references.
    Policy,
    /// An import map (JSON).
    ImportMap,
    /// Speculation rules (JSON).
    SpeculationRules,
    /// Strings in double quotes (X3D's MFString).
    QuotedList,
    /// A field or formula of an office document: the string behind `HYPERLINK` or `INCLUDEPICTURE`.
    Field,
    /// Running text that is whole in its slot, and is unescaped before it is read.
    EscapedText,
    /// An absolute IRI; any other value is [`EscapedText`](Syntax::EscapedText) (values of type URI in calendars and
    /// vCards).
    IriOrText,
    /// A program: its string literals and comments. PHP stands with its tags (`<?php ... ?>`).
    Script(Language),
    /// A cell of a notebook: a program whose lines may be commands, so that the code between its strings is running
    /// text.
    Cell(Language),
    /// A whole Markdown document in a string of data, which is unescaped before it is read.
    MarkdownString,
    /// A string of data, which its content tells: one absolute IRI with an authority, JSON, HTML if it has tags, or
    /// else [`EscapedText`](Syntax::EscapedText).
    Data,
}

impl Syntax {
    /// True if the value is a document in another language: a style sheet, JSON, HTML.
    ///
    /// ```
    /// use linkglot_markup::Syntax;
    ///
    /// assert!(Syntax::Css.is_language() && !Syntax::Srcset.is_language());
    /// ```
    pub fn is_language(self) -> bool {
        matches!(
            self,
            Syntax::Css
                | Syntax::CssDeclarations
                | Syntax::Html
                | Syntax::Json
                | Syntax::Script(_)
                | Syntax::Cell(_)
                | Syntax::MarkdownString
                | Syntax::ImportMap
                | Syntax::SpeculationRules
        )
    }

    /// True if the value is a whole document in light markup.
    ///
    /// ```
    /// use linkglot_markup::Syntax;
    ///
    /// assert!(Syntax::Rst.is_light_markup() && !Syntax::Html.is_light_markup());
    /// ```
    pub fn is_light_markup(self) -> bool {
        match self {
            #[cfg(feature = "markdown")]
            Syntax::Markdown | Syntax::Mdx => true,
            _ => self == Syntax::Rst,
        }
    }
}

/// Access to the links of a slot.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{Access, Slots, XmlTokenizer};
///
/// let feed = b"<feed xmlns='http://www.w3.org/2005/Atom'><id>urn:x</id><icon>/i</icon></feed>";
/// let slots = Slots::new(XmlTokenizer::default(), feed, Charset::UTF_8);
/// let accesses: Vec<Access> = slots.map(|slot| slot.access).collect();
/// assert_eq!(accesses, [Access::Identifier, Access::Rewrite]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Access {
    /// The links may be rewritten.
    Rewrite,
    /// Only rules of the user may change the links; conversion to another form would break them: sources of a content
    /// security policy, and identifiers that are compared by string (RFC 3987 5.3.1) such as JSON-LD's `@id`.
    Rules,
    /// The links may be converted to another form, but rules of the user may not change them. In a document that is not
    /// well-formed, only the present first character is known to be harmless.
    Forms,
    /// The links are only listed (a value that depends on an entity).
    List,
    /// The links are only listed: a length or a digest of the value stands beside it (a page in a dump of MediaWiki).
    Counted,
    /// Identifiers, not links to follow (a namespace, an Atom id). On request they are listed, and rules of the user
    /// may change them; they are never converted to another form.
    Identifier,
}

impl Access {
    /// The access that remains when the value cannot be written.
    pub(crate) fn less(self) -> Self {
        match self {
            Access::Rewrite | Access::Rules | Access::Forms => Access::List,
            other => other,
        }
    }

    /// The access of links in a part, with this access, of a value with the access `outer`.
    #[doc(hidden)]
    pub fn inside(self, outer: Access) -> Self {
        match outer {
            Access::Rewrite => self,
            Access::Forms => self.without_rules(),
            outer => outer,
        }
    }

    /// The access that remains when no rule may write the value.
    pub(crate) fn without_rules(self) -> Self {
        match self {
            Access::Rewrite => Access::Forms,
            Access::Rules => Access::List,
            other => other,
        }
    }
}

/// The construct of the document around a slot, for messages and reports.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{HtmlTokenizer, Slots};
///
/// let mut slots = Slots::new(HtmlTokenizer::default(), b"<A HREF=b>", Charset::UTF_8);
/// let slot = slots.next().unwrap();
/// assert_eq!(slot.place.element.as_deref(), Some("a"));
/// assert_eq!(slot.place.name.as_deref(), Some("href"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Place {
    /// The kind of construct.
    pub kind: PlaceKind,
    /// The name of the element, if the place is in an element: in lower case in HTML, as written in XML.
    pub element: Option<Name>,
    /// The name of the attribute, pseudo-attribute or CSS function.
    pub name: Option<Name>,
    /// The namespace of the element, in XML and in foreign content of HTML. `None` for HTML elements in HTML documents,
    /// and for elements without a namespace.
    pub namespace: Option<Name>,
    /// The namespace of the attribute, if any.
    pub name_namespace: Option<Name>,
}

impl Place {
    /// A place without namespaces.
    ///
    /// ```
    /// use linkglot_markup::{Place, PlaceKind};
    ///
    /// let place = Place::new(PlaceKind::Attribute, Some("a".into()), Some("href".into()));
    /// assert_eq!(place.namespace, None);
    /// ```
    pub const fn new(kind: PlaceKind, element: Option<Name>, name: Option<Name>) -> Self {
        Place {
            kind,
            element,
            name,
            namespace: None,
            name_namespace: None,
        }
    }
}

/// A [`Place`] that slots and links share. Two words, cheap to clone.
///
/// ```
/// use linkglot_markup::{Place, PlaceKind, SharedPlace};
///
/// let place = SharedPlace::from(Place::new(PlaceKind::Css, None, Some("url".into())));
/// assert_eq!(place.name.as_deref(), Some("url"));
/// assert_eq!(SharedPlace::TEXT.kind, PlaceKind::Text);
/// ```
#[derive(Clone)]
pub struct SharedPlace(Shared);

#[derive(Clone)]
enum Shared {
    /// A place of the program: no memory, no count of references.
    Fixed(&'static Place),
    Counted(Arc<Place>),
}

/// Running text in no element.
static TEXT: Place = Place {
    kind: PlaceKind::Text,
    element: None,
    name: None,
    namespace: None,
    name_namespace: None,
};

impl SharedPlace {
    /// Running text in no element.
    pub const TEXT: SharedPlace = SharedPlace::fixed(&TEXT);

    /// A place of the program.
    pub(crate) const fn fixed(place: &'static Place) -> Self {
        SharedPlace(Shared::Fixed(place))
    }

    /// The place, no longer shared.
    ///
    /// ```
    /// use linkglot_markup::{PlaceKind, SharedPlace};
    ///
    /// let mut place = SharedPlace::TEXT;
    /// place.to_mut().kind = PlaceKind::Comment;
    /// assert_eq!((place.kind, SharedPlace::TEXT.kind), (PlaceKind::Comment, PlaceKind::Text));
    /// ```
    pub fn to_mut(&mut self) -> &mut Place {
        if let Shared::Fixed(place) = self.0 {
            self.0 = Shared::Counted(Arc::new(place.clone()));
        }
        match &mut self.0 {
            Shared::Counted(place) => Arc::make_mut(place),
            Shared::Fixed(_) => unreachable!("it was made anew"),
        }
    }

    /// True if the place equals `other`, with `kind`, if given, in place of the kind of `other`. Names are compared by
    /// address, which is fast: equal places that were made separately may count as different.
    #[doc(hidden)]
    #[inline]
    pub fn is_seen_in(&self, other: &SharedPlace, kind: Option<PlaceKind>) -> bool {
        let (own, other) = (&**self, &**other);
        if std::ptr::eq(own, other) && kind.is_none() {
            return true;
        }
        let same = |own: &Option<Name>, other: &Option<Name>| match (own, other) {
            (None, None) => true,
            (Some(own), Some(other)) => own.is_same(other),
            _ => false,
        };
        own.kind == kind.unwrap_or(other.kind)
            && same(&own.name, &other.name)
            && same(&own.element, &other.element)
            && same(&own.namespace, &other.namespace)
            && same(&own.name_namespace, &other.name_namespace)
    }
}

impl From<Place> for SharedPlace {
    fn from(place: Place) -> Self {
        if place == TEXT {
            SharedPlace::TEXT
        } else {
            SharedPlace(Shared::Counted(Arc::new(place)))
        }
    }
}

impl Deref for SharedPlace {
    type Target = Place;

    #[inline]
    fn deref(&self) -> &Place {
        match &self.0 {
            Shared::Fixed(place) => place,
            Shared::Counted(place) => place,
        }
    }
}

impl PartialEq for SharedPlace {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for SharedPlace {}

impl fmt::Debug for SharedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// The kind of a [`Place`].
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{HtmlTokenizer, PlaceKind, Slots};
///
/// let page = b"text<a href=b>";
/// let slots = Slots::new(HtmlTokenizer::default(), page, Charset::UTF_8);
/// assert!(slots.map(|slot| slot.place.kind).eq([PlaceKind::Text, PlaceKind::Attribute]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlaceKind {
    /// Running text.
    Text,
    /// The value of an attribute.
    Attribute,
    /// A value in CSS.
    Css,
    /// A meta refresh.
    Refresh,
    /// A `srcset`.
    Srcset,
    /// The content of an XML element.
    Element,
    /// A processing instruction.
    Instruction,
    /// A document type declaration.
    Doctype,
    /// A comment.
    Comment,
    /// A script (JSON-LD, import maps).
    Script,
    /// A link, an image or a link definition of Markdown or reStructuredText; the name of the place tells them apart.
    Link,
    /// A header field of mail; the name of the place is that of the field.
    Header,
    /// A property of a calendar or vCard whose value is an IRI; the name of the place is that of the property.
    Property,
    /// A string of data that is one reference; the name of the place is that of its key.
    Value,
}

impl PlaceKind {
    /// The name of the kind in JSON output.
    ///
    /// ```
    /// assert_eq!(linkglot_markup::PlaceKind::Srcset.name(), "srcset");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            PlaceKind::Text => "text",
            PlaceKind::Attribute => "attribute",
            PlaceKind::Css => "css",
            PlaceKind::Refresh => "refresh",
            PlaceKind::Srcset => "srcset",
            PlaceKind::Element => "element",
            PlaceKind::Instruction => "instruction",
            PlaceKind::Doctype => "doctype",
            PlaceKind::Comment => "comment",
            PlaceKind::Script => "script",
            PlaceKind::Link => "link",
            PlaceKind::Header => "header",
            PlaceKind::Property => "property",
            PlaceKind::Value => "value",
        }
    }
}

/// A place where character references are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferencePlace {
    /// The bytes of the place in the window.
    pub range: Range<usize>,
    /// True for the value of an attribute, false for text.
    pub is_value: bool,
}

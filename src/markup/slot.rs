//! What tokenizers answer with.

use super::escape::Escaping;
pub use super::name::Name;
use crate::charset::Charset;
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A part of a document, as a tokenizer sees it.
#[derive(Clone, Copy, Debug)]
pub struct Window<'w> {
    /// Bytes in the view charset. Those that are safe ([`crate::ascii::is_safe`]) mean themselves.
    pub bytes: &'w [u8],
    /// Whether the document ends with the window.
    pub last: bool,
    /// The charset of the bytes: ASCII-compatible always.
    pub charset: Charset,
}

/// A resumable step machine: no I/O, no failure, any bytes have a reading.
///
/// `window.bytes[*cursor..]` is unread. A step moves the cursor forward, never back; bytes before
/// it are not needed again and the caller may drop them (and lower the cursor by as many) between two steps. Whatever a
/// tokenizer keeps about the window between steps is therefore relative to the cursor.
///
/// The slots do not depend on how the document is cut into windows. A tokenizer answers
/// [`Step::NeedMore`] only while what it waits for is shorter than its limit for one slot (plus a small
/// constant); something longer is passed over with [`Step::TooLong`], so memory is bounded.
pub trait Tokenizer: Send {
    /// The next step.
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step;

    /// The text of the slot that the last step answered, when its raw value refers to entities that the document
    /// itself declares and [`Escaping::unescape`] cannot know, or is parted by CDATA sections and comments. Such a slot
    /// is [`Access::List`]. `None` for all others, and when an entity is external or stands for too much.
    fn expansion(&self) -> Option<&str> {
        None
    }

    /// The bases that elements around the slot which the last step answered declare for what is in them
    /// (`xml:base`), or its own element for some of its attributes (`codebase`), outermost first. There are never many. `<base href>` is not among them: it holds
    /// for the whole document.
    fn bases(&self) -> &[ScopedBase] {
        &[]
    }
}

/// A base that an element declares for itself and what is in it (XML Base, section 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedBase {
    /// The declaration's number: it has its own in the document.
    pub number: u64,
    /// A reference, to be resolved against the base around; `None` when it is not known (too long, too
    /// deep, or with an entity that is not known).
    pub text: Option<Arc<str>>,
}

/// What a tokenizer answers.
#[derive(Clone, Debug)]
pub enum Step {
    /// A place where links may stand.
    Slot(Slot),
    /// A slot longer than the limit begins at this byte of the window (its value's first byte). It is passed over.
    TooLong(usize, Place),
    /// The window must grow behind the cursor.
    NeedMore,
    /// The document is read; the cursor is at the window's end.
    End,
}

/// A place where links may stand.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The raw value in the window: between the quotes, without them. Begins at or behind the cursor as it was before the step.
    pub range: Range<usize>,
    /// How the value is escaped.
    pub escaping: Escaping,
    /// What the value holds.
    pub syntax: Syntax,
    /// Where it stands.
    pub place: SharedPlace,
    /// Whether a link there may be rewritten.
    pub access: Access,
    /// For [`Syntax::Text`]: whether this is the begin and the end of a run of text. Other slots are whole.
    ///
    /// After a step that answers a text slot the cursor is at the slot's end. If the run goes on
    /// the caller may move the cursor back to any character boundary inside the slot; the next step then answers the
    /// run from there on, as soon as the window holds more of it than before (else `NeedMore`).
    pub run: Run,
}

/// Which ends of a run of text a slot has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The run begins with the slot.
    pub begins: bool,
    /// The run ends with the slot.
    pub ends: bool,
}

impl Run {
    /// Both ends.
    pub const WHOLE: Run = Run {
        begins: true,
        ends: true,
    };
}

/// What the value of a slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Syntax {
    /// One reference, white space around it ignored.
    Single,
    /// The document's base: one reference that every other resolves against (`<base href>`).
    Base,
    /// References parted by white space (ping, archive of object).
    SpaceList,
    /// References parted by commas (archive of applet).
    CommaList,
    /// `srcset`.
    Srcset,
    /// `<meta http-equiv=refresh content>`.
    Refresh,
    /// A style sheet.
    Css,
    /// A list of CSS declarations (`style`).
    CssDeclarations,
    /// A nested HTML document (`srcdoc`, escaped HTML of feeds).
    Html,
    /// Running text.
    Text,
    /// A whole document in Markdown.
    #[cfg(feature = "markdown")]
    Markdown,
    /// A whole document in reStructuredText.
    Rst,
    /// JSON whose strings may be references (JSON-LD).
    Json,
    /// Pairs of namespace and location (`xsi:schemaLocation`): each second one is a reference.
    LocationPairs,
    /// One absolute IRI, or else nothing (text of an unknown XML element).
    AbsoluteOnly,
    /// Tokens parted by white space, of which those that are absolute IRIs are references (`property`, `itemprop`).
    AbsoluteList,
    /// References parted by semicolons (`values` of SVG animations).
    SemicolonList,
    /// One reference with expressions to be filled in, which stay as they are (`{searchTerms}`).
    Template,
    /// A content security or permissions policy: those of its sources that are URLs.
    Policy,
    /// An import map (JSON).
    ImportMap,
    /// Speculation rules (JSON).
    SpeculationRules,
    /// Strings in double quotes (X3D's MFString).
    QuotedList,
    /// A field or formula: the string behind `HYPERLINK` or `INCLUDEPICTURE`.
    Field,
}

impl Syntax {
    /// Whether a value is a document in a language of its own: a style sheet, JSON, HTML.
    pub fn is_language(self) -> bool {
        matches!(
            self,
            Syntax::Css
                | Syntax::CssDeclarations
                | Syntax::Html
                | Syntax::Json
                | Syntax::ImportMap
                | Syntax::SpeculationRules
        )
    }
}

/// Whether links of a slot may be rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Yes.
    Rewrite,
    /// Rules of the user may change them, but they have no other form: sources of a content security policy.
    Rules,
    /// They may have another form, but rules of the user may not change them: their first character is known to be none that
    /// would have another meaning there, in a document that is not well-formed.
    Forms,
    /// They are listed only: a value that depends on an entity.
    List,
    /// They are identifiers and no links to follow (a namespace, an Atom id): listed only when
    /// asked for, never rewritten.
    Identifier,
}

impl Access {
    /// What is left when the value cannot be rewritten.
    pub fn less(self) -> Self {
        match self {
            Access::Rewrite | Access::Rules | Access::Forms => Access::List,
            other => other,
        }
    }

    /// What is left where no rule may write.
    pub fn without_rules(self) -> Self {
        match self {
            Access::Rewrite => Access::Forms,
            Access::Rules => Access::List,
            other => other,
        }
    }
}

/// The place of a slot, for people and for `--json`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// What kind of place.
    pub kind: PlaceKind,
    /// The element's name (lower case in HTML; as written in XML), if the place is in one.
    pub element: Option<Name>,
    /// The attribute's or pseudo-attribute's name, or the CSS function's.
    pub name: Option<Name>,
    /// The name of the element's namespace, in XML and in foreign content of HTML. `None` for HTML's own elements in
    /// HTML documents, and for elements of none.
    pub namespace: Option<Name>,
    /// The name of the attribute's namespace, if it has one.
    pub name_namespace: Option<Name>,
}

impl Place {
    /// A place in an element of no namespace, or in none.
    pub fn new(kind: PlaceKind, element: Option<Name>, name: Option<Name>) -> Self {
        Place {
            kind,
            element,
            name,
            namespace: None,
            name_namespace: None,
        }
    }
}

/// A place that slots and links share: one word. Cheap to clone.
///
/// ```
/// use linkglot::markup::{Place, PlaceKind, SharedPlace};
///
/// let place = SharedPlace::from(Place::new(PlaceKind::Css, None, Some("url".into())));
/// assert_eq!(place.name.as_deref(), Some("url"));
/// assert_eq!(SharedPlace::TEXT.kind, PlaceKind::Text);
/// ```
#[derive(Clone)]
pub struct SharedPlace(Option<Arc<Place>>);

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
    pub const TEXT: SharedPlace = SharedPlace(None);

    /// The place, for this one alone.
    pub fn to_mut(&mut self) -> &mut Place {
        Arc::make_mut(self.0.get_or_insert_with(|| Arc::new(TEXT.clone())))
    }

    /// Whether it is `other`, or what `other` is with another kind, told without comparing the letters of names. Quick:
    /// places that are made apart may count as different.
    #[inline]
    pub(crate) fn is_seen_in(&self, other: &SharedPlace, kind: Option<PlaceKind>) -> bool {
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
        SharedPlace((place != TEXT).then(|| Arc::new(place)))
    }
}

impl Deref for SharedPlace {
    type Target = Place;

    #[inline]
    fn deref(&self) -> &Place {
        self.0.as_deref().unwrap_or(&TEXT)
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

/// The kinds of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlaceKind {
    /// Running text.
    Text,
    /// An attribute's value.
    Attribute,
    /// In CSS.
    Css,
    /// In a meta refresh.
    Refresh,
    /// In a srcset.
    Srcset,
    /// The content of an XML element.
    Element,
    /// In a processing instruction.
    Instruction,
    /// In a document type declaration.
    Doctype,
    /// In a comment.
    Comment,
    /// In a script (JSON-LD).
    Script,
    /// A link, an image or a link's definition of Markdown or reStructuredText. The place's name says which.
    Link,
}

impl PlaceKind {
    /// The name that JSON uses.
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
        }
    }
}

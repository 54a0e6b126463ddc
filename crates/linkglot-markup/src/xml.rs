//! XML: the slots of a document of any vocabulary, well-formed or not.
//!
//! Names are compared by namespace, never by prefix (Namespaces in XML 1.0). The [`Vocabulary`] knows the attributes,
//! elements and instructions that hold links; XHTML follows the rows of HTML. A tag is read as a whole, because a
//! namespace may be declared behind the attributes that use it; a tag longer than the limit is read attribute by
//! attribute. Nothing external is ever read.
//!
//! `skim` quickly skips tags and text without links, `element` reads tags, `attributes` makes their slots, `content`
//! reads character data, `runs` text over runs, `revision` that of wikis, `doctype` the document type declaration.
//!
//! The module must know neither the form of a link nor how to rewrite links.

mod attributes;
mod breaks;
mod collect;
mod content;
mod context;
mod current_tag;
mod doctype;
mod element;
mod element_content;
mod entities;
mod names;
mod namespaces;
mod references;
mod revision;
mod runs;
mod scope;
mod skim;
mod stray_quotes;
mod tag;
#[cfg(test)]
mod tests;

use super::escape::Escaping;
use super::slot::{
    Access, Name, Place, Run, ScopedBase, SharedPlace, Slot, Step, Syntax, Tokenizer, Window,
};
use super::vocabulary::{NamespaceId, Vocabulary};
use crate::html::Labels;
use crate::places::Places;
use crate::settings::{CommentSlots, MarkupSettings, TextSlots};
use crate::text_bytes::TextBytes;
use breaks::Breaks;
use current_tag::Tag;
use entities::Entities;
use linkglot_charset::Charset;
use memchr::memmem;
use names::{Prefixes, Spellings};
use namespaces::Namespaces;
pub(crate) use references::XmlReferences;
pub use revision::RevisionText;
use scope::Scope;
use std::borrow::Cow;
use std::ops::Range;
use stray_quotes::StrayQuotes;
use tag::View;

/// The tokenizer of XML documents (XML 1.0 and 1.1, Namespaces in XML).
///
/// The kind of a slot's place is [`Attribute`](super::PlaceKind::Attribute) or
/// [`Instruction`](super::PlaceKind::Instruction), [`Element`](super::PlaceKind::Element) for content that is one value
/// or one nested document, [`Text`](super::PlaceKind::Text) for running text, and
/// [`Doctype`](super::PlaceKind::Doctype) in the document type declaration. `xml:base` is [`Syntax::Single`]; its
/// prefix is always `xml`. [`Tokenizer::bases`] answers the bases around a slot.
///
/// Values with references to entities that are not predefined have [`Access::List`]. If the internal subset declares
/// the entities, [`Tokenizer::expansion`] answers the text. The same holds for values that CDATA sections, comments or
/// instructions interrupt.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{Slots, XmlTokenizer};
///
/// let feed = b"<l:link xmlns:l='http://www.w3.org/2005/Atom' href='x?a&amp;b'/>";
/// let slots = Slots::new(XmlTokenizer::default(), feed, Charset::UTF_8);
/// let values: Vec<&[u8]> = slots.map(|slot| &feed[slot.range]).collect();
/// assert_eq!(values, [b"x?a&amp;b"]);
/// ```
#[derive(Debug)]
pub struct XmlTokenizer {
    comments: CommentSlots,
    has_php: bool,
    text: TextSlots,
    text_bytes: TextBytes,
    limit: usize,
    vocabulary: Vocabulary,
    mode: Mode,
    prefixes: Prefixes,
    spellings: Spellings,
    /// Places by the namespace of their element.
    places: Places<NamespaceId>,
    scope: Scope,
    namespaces: Namespaces,
    entities: Entities,
    tag: Tag,
    /// The local name of the document's element.
    root: Option<Name>,
    /// True in an XSLT style sheet, where attributes of elements outside of XSLT are templates.
    in_xslt: bool,
    breaks: Breaks,
    in_subset: bool,
    expansion: Option<String>,
    stray_quotes: StrayQuotes,
    /// True if the text at the cursor follows a word that depends on an entity. The text is then read word by word,
    /// since a search to its end before each word would be quadratic.
    has_entities: bool,
    /// True if the text over runs in front of the cursor may go on.
    runs_open: bool,
    /// True if white space at the edges of the innermost piece of a text over runs is text.
    keeps_space: bool,
    /// True if the last slot declares the innermost base, which does not hold for the slot itself.
    at_base: bool,
    /// Set if labels are read.
    labels: Option<Box<Labels>>,
}

/// The construct at the cursor.
#[derive(Clone, Copy, Debug)]
enum Mode {
    /// Between tags.
    Content,
    /// Behind the start tag of an element whose content may be a value.
    Opened,
    /// At the start tag of the text of a revision, whose element is open.
    Revision,
    /// In running text, part of which was answered when the window held this many bytes of the text.
    Run(usize),
    /// In a tag or instruction that the window holds as a whole; the index of the next attribute.
    Attributes(usize),
    /// In a tag too long to be held.
    LongTag,
    /// In a value too long to be a slot, up to its quote.
    PassValue(u8),
    /// Skipping up to the next `<`.
    PassText,
    /// Skipping up to a terminator, inclusive.
    Pass(Terminator),
    /// In the internal subset, between declarations.
    Subset,
}

/// The end of a stretch to skip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Terminator {
    Comment,
    Instruction,
    Cdata,
    Greater,
}

impl Terminator {
    fn bytes(self) -> &'static [u8] {
        match self {
            Terminator::Comment => b"-->",
            Terminator::Instruction => b"?>",
            Terminator::Cdata => b"]]>",
            Terminator::Greater => b">",
        }
    }

    /// The position of the terminator at or behind `from`.
    fn find(self, input: Input<'_>, from: usize) -> Option<usize> {
        let rest = input.bytes.get(from..)?;
        match self {
            Terminator::Greater => memchr::memchr(b'>', rest).map(|at| from + at),
            // `]` may be the second half of a character.
            Terminator::Cdata => memmem::find_iter(rest, self.bytes())
                .map(|at| from + at)
                .find(|&at| input.charset.is_char_at(input.bytes, at)),
            _ => memmem::find(rest, self.bytes()).map(|at| from + at),
        }
    }
}

/// The window from the cursor on; a character begins at the cursor.
#[derive(Clone, Copy, Debug)]
struct Input<'w> {
    bytes: &'w [u8],
    last: bool,
    charset: Charset,
}

impl<'w> Input<'w> {
    fn byte(self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    fn from(self, at: usize) -> Input<'w> {
        let bytes = self.bytes.get(at..).unwrap_or_default();
        Input { bytes, ..self }
    }

    /// The first `limit` bytes, and true if the input has more.
    fn view(self, limit: usize) -> (View<'w>, bool) {
        View::limited(self.bytes, self.last, 0, limit)
    }

    /// As [`view`](Self::view), but as input.
    fn limited(self, limit: usize) -> (Input<'w>, bool) {
        let (view, cut) = self.view(limit);
        let input = Input {
            bytes: view.bytes,
            last: view.last,
            charset: self.charset,
        };
        (input, cut)
    }

    fn slice(self, range: Range<usize>) -> &'w [u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    /// The nearest known character boundary at or before `at`. 0 when more bytes are needed.
    fn boundary(self, at: usize) -> usize {
        /// The most bytes without a safe byte that are decoded to find a boundary.
        const FAR: usize = 4096;
        let at = at.min(self.bytes.len());
        match self.charset.resync(self.bytes, at) {
            0 if at > FAR => super::boundary::by_decoding(self.charset, self.slice(0..at)),
            near => near,
        }
    }
}

/// The outcome of a turn of the machine. Positions are relative to the cursor.
enum Turn {
    /// The cursor moves by this many bytes.
    Go(usize),
    /// A slot, and the distance that the cursor moves.
    Slot(Slot, usize),
    /// The start and the place of a value that is too long, and the distance that the cursor moves.
    TooLong(usize, Place, usize),
    More,
}

impl Turn {
    /// Outcome unchanged, for a cursor that is `bytes` bytes earlier.
    fn behind(self, bytes: usize) -> Turn {
        match self {
            Turn::Go(by) => Turn::Go(bytes + by),
            Turn::Slot(mut slot, by) => {
                slot.range = bytes + slot.range.start..bytes + slot.range.end;
                Turn::Slot(slot, bytes + by)
            }
            Turn::TooLong(at, place, by) => Turn::TooLong(bytes + at, place, bytes + by),
            Turn::More => Turn::More,
        }
    }
}

impl Default for XmlTokenizer {
    fn default() -> Self {
        XmlTokenizer::new(&MarkupSettings::default())
    }
}

impl XmlTokenizer {
    /// A tokenizer at the beginning of a document.
    pub fn new(settings: &MarkupSettings) -> Self {
        let vocabulary = settings.vocabulary.clone();
        XmlTokenizer {
            comments: settings.comments,
            has_php: settings.has_php,
            text: settings.text,
            text_bytes: settings.text_bytes.clone(),
            // A smaller limit could not hold the beginning of a declaration.
            limit: settings.max_slot.max(16),
            mode: Mode::Content,
            prefixes: Prefixes::default(),
            spellings: Spellings::default(),
            places: Places::default(),
            scope: Scope::new(),
            namespaces: Namespaces::new(&vocabulary),
            entities: Entities::default(),
            tag: Tag::default(),
            root: None,
            in_xslt: false,
            breaks: Breaks::default(),
            in_subset: false,
            expansion: None,
            stray_quotes: StrayQuotes::default(),
            has_entities: false,
            runs_open: false,
            keeps_space: false,
            at_base: false,
            labels: settings.labels.then(Box::default),
            vocabulary,
        }
    }

    fn turn(&mut self, input: Input<'_>) -> Turn {
        match self.mode {
            Mode::Content => self.content(input),
            Mode::Opened => self.opened(input),
            Mode::Revision => self.revision(input),
            Mode::Run(seen) => self.run(input, Some(seen)),
            Mode::Attributes(next) => self.attributes(input, next),
            Mode::LongTag => self.long_tag(input),
            Mode::PassValue(quote) => {
                let end = memchr::memchr(quote, input.bytes);
                self.pass(input, end.map(|end| end + 1), Mode::LongTag)
            }
            Mode::PassText => {
                let end = memchr::memchr(b'<', input.bytes);
                self.pass(input, end, Mode::Content)
            }
            Mode::Pass(terminator) => self.pass_to(input, terminator),
            Mode::Subset => self.subset(input),
        }
    }

    /// Moves to `end`, or to the end of the window.
    fn pass(&mut self, input: Input<'_>, end: Option<usize>, then: Mode) -> Turn {
        match end {
            Some(end) => {
                self.mode = then;
                Turn::Go(end)
            }
            None if input.bytes.is_empty() => Turn::More,
            None => Turn::Go(input.bytes.len()),
        }
    }

    #[inline(never)]
    fn pass_to(&mut self, input: Input<'_>, terminator: Terminator) -> Turn {
        if let Some(at) = terminator.find(input, 0) {
            self.mode = self.between();
            return Turn::Go(at + terminator.bytes().len());
        }
        let kept = terminator.bytes().len() - 1;
        let passed = input.bytes.len().saturating_sub(kept);
        match input.boundary(passed) {
            0 => Turn::More,
            passed => Turn::Go(passed),
        }
    }

    /// The mode between comments, instructions and declarations.
    fn between(&self) -> Mode {
        if self.in_subset {
            Mode::Subset
        } else {
            Mode::Content
        }
    }

    /// The text of a value that depends on entities, for [`Tokenizer::expansion`].
    #[inline(never)]
    fn note_expansion(&mut self, input: Input<'_>, range: &Range<usize>) {
        self.expansion = self.entities.expand(&self.lines_of(input, range));
    }

    /// Notes the text of an attribute's value that depends on entities.
    fn note_attribute(&mut self, input: Input<'_>, range: &Range<usize>) {
        let text = self.lines_of(input, range);
        self.expansion = self.entities.expand_attribute(&text);
    }

    /// The text of a value, with line feeds for the line ends of XML 1.1.
    fn lines_of<'w>(&self, input: Input<'w>, range: &Range<usize>) -> Cow<'w, str> {
        let text = input.charset.decode(input.slice(range.clone()));
        if self.breaks.are_none() {
            text
        } else {
            breaks::normalized(&text).into()
        }
    }

    /// True if the text of a value depends on entities or has line ends of XML 1.1.
    fn depends(&self, raw: &[u8]) -> bool {
        self.entities.has(raw) || !self.breaks.are_none() && self.breaks.find(raw).is_some()
    }

    /// A value without the line ends of XML 1.1 around it.
    fn trimmed(&self, input: Input<'_>, range: Range<usize>) -> Range<usize> {
        if self.breaks.are_none() {
            range
        } else {
            self.breaks.trim(input.bytes, range)
        }
    }

    /// Ends the document when a turn needs more bytes than there are.
    fn at_end(&mut self, len: usize, cursor: &mut usize) -> Step {
        *cursor = len;
        Step::End
    }
}

impl Tokenizer for XmlTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        self.expansion = None;
        self.at_base = false;
        if let Some(labels) = &mut self.labels {
            labels.clear();
        }
        loop {
            let start = (*cursor).min(window.bytes.len());
            let input = Input {
                bytes: window.bytes.get(start..).unwrap_or_default(),
                last: window.last,
                charset: window.charset,
            };
            match self.turn(input) {
                Turn::Go(by) => {
                    let by = by.min(input.bytes.len());
                    self.stray_quotes.pass(by);
                    *cursor = start + by;
                }
                Turn::Slot(mut slot, by) => {
                    self.stray_quotes.limit(&mut slot, input.bytes);
                    self.stray_quotes.pass(by);
                    slot.range = start + slot.range.start..start + slot.range.end;
                    *cursor = start + by;
                    return Step::Slot(slot);
                }
                Turn::TooLong(at, place, by) => {
                    self.stray_quotes.pass(by);
                    *cursor = start + by;
                    return Step::TooLong(start + at, place);
                }
                Turn::More if window.last => return self.at_end(window.bytes.len(), cursor),
                Turn::More => return Step::NeedMore,
            }
        }
    }

    fn expansion(&self) -> Option<&str> {
        self.expansion.as_deref()
    }

    fn bases(&self) -> &[ScopedBase] {
        let bases = self.scope.bases();
        &bases[..bases.len().saturating_sub(usize::from(self.at_base))]
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

/// True if bytes are only white space.
fn is_blank(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .all(|&byte| linkglot_charset::ascii::is_space(byte))
}

/// A slot in one piece.
fn whole(
    range: Range<usize>,
    (escaping, syntax): (Escaping, Syntax),
    place: impl Into<SharedPlace>,
    access: Access,
) -> Slot {
    Slot {
        range,
        escaping,
        syntax,
        place: place.into(),
        access,
        run: Run::WHOLE,
    }
}

/// A name, if not empty.
fn named(name: Name) -> Option<Name> {
    (!name.is_empty()).then_some(name)
}

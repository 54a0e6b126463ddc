//! XML: where links stand, whatever the vocabulary, well-formed or not.
//!
//! Names are compared by namespace, never by prefix (Namespaces in XML 1.0). Which attributes, elements
//! and instructions hold links the [`Vocabulary`] tells; XHTML goes by the rows of HTML. A tag is looked at
//! as a whole, since a declaration may stand behind the attributes that it is for; a longer one attribute by
//! attribute. Nothing external is ever read.
//!
//! It must not know what a link is, nor how one is rewritten.

mod breaks;
mod collect;
mod content;
mod context;
mod doctype;
mod element;
mod element_content;
mod entities;
mod names;
mod namespaces;
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
use crate::places::Places;
use crate::settings::{CommentSlots, MarkupSettings, TextSlots};
use crate::text_bytes::TextBytes;
use breaks::Breaks;
use element::Tag;
use entities::Entities;
use linkglot_charset::Charset;
use memchr::memmem;
use names::{Prefixes, Spellings};
use namespaces::Namespaces;
use scope::Scope;
use std::borrow::Cow;
use std::ops::Range;
use stray_quotes::StrayQuotes;
use tag::View;

/// The tokenizer of XML documents (XML 1.0 and 1.1, Namespaces in XML).
///
/// Attributes and instructions are answered as [`Attribute`](super::PlaceKind::Attribute) and
/// [`Instruction`](super::PlaceKind::Instruction), element content that is one value or one nested document as
/// [`Element`](super::PlaceKind::Element), running text of XHTML as [`Text`](super::PlaceKind::Text), what stands in the
/// document type declaration as [`Doctype`](super::PlaceKind::Doctype). `xml:base` is
/// [`Syntax::Single`] and can be told by its name, whose prefix is always `xml`; the bases around a slot are told by
/// [`Tokenizer::bases`].
///
/// Values that refer to entities that are not predefined have [`Access::List`]; those that the internal subset
/// declares can be read from [`Tokenizer::expansion`]. So can values that CDATA sections, comments or instructions part.
#[derive(Debug)]
pub struct XmlTokenizer {
    comments: CommentSlots,
    text: TextSlots,
    text_bytes: TextBytes,
    limit: usize,
    vocabulary: Vocabulary,
    mode: Mode,
    prefixes: Prefixes,
    spellings: Spellings,
    /// By the namespace of the element.
    places: Places<NamespaceId>,
    scope: Scope,
    namespaces: Namespaces,
    entities: Entities,
    tag: Tag,
    /// The local name of the document's element.
    root: Option<Name>,
    /// It is that of an XSLT style sheet, in which attributes of other elements are templates.
    in_xslt: bool,
    breaks: Breaks,
    in_subset: bool,
    expansion: Option<String>,
    stray_quotes: StrayQuotes,
    /// The slot that was answered last is the declaration of the innermost base, which does not hold for itself.
    at_base: bool,
}

/// What is being read at the cursor.
#[derive(Clone, Copy, Debug)]
enum Mode {
    /// Between tags.
    Content,
    /// Behind the start tag of an element whose content may be a value.
    Opened,
    /// In running text of which a part was answered, with so many bytes at hand.
    Run(usize),
    /// In a tag or instruction that is at hand as a whole; the next attribute's index.
    Attributes(usize),
    /// In a tag too long for that.
    LongTag,
    /// In a value too long to be a slot, up to its quote.
    PassValue(u8),
    /// Up to the next `<`.
    PassText,
    /// Up to and with a terminator.
    Pass(Terminator),
    /// In the internal subset, between declarations.
    Subset,
}

/// What ends a stretch that is passed over.
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

    /// Where it begins at or behind `from`.
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

/// The window from the cursor on, at which a character begins.
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

    /// What of it may be looked at together, and whether that is not all.
    fn view(self, limit: usize) -> (View<'w>, bool) {
        View::limited(self.bytes, self.last, 0, limit)
    }

    /// The same as [`view`](Self::view), as input.
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

    /// A character boundary at or before `at`, as near as is known. 0 when that needs more bytes.
    fn boundary(self, at: usize) -> usize {
        /// How much without a safe byte is decoded to find one.
        const FAR: usize = 4096;
        let at = at.min(self.bytes.len());
        match self.charset.resync(self.bytes, at) {
            0 if at > FAR => super::boundary::by_decoding(self.charset, self.slice(0..at)),
            near => near,
        }
    }
}

/// What a turn of the machine comes to; positions are relative to the cursor.
enum Turn {
    /// The cursor moves by so many bytes.
    Go(usize),
    /// A slot, and how far the cursor moves.
    Slot(Slot, usize),
    /// A value that is too long begins here, and how far the cursor moves.
    TooLong(usize, Place, usize),
    More,
}

impl Turn {
    /// The same when the cursor was so many bytes before.
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
            text: settings.text,
            text_bytes: settings.text_bytes.clone(),
            // Below this not even the begin of a declaration would be seen as a whole.
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
            at_base: false,
            vocabulary,
        }
    }

    fn turn(&mut self, input: Input<'_>) -> Turn {
        match self.mode {
            Mode::Content => self.content(input),
            Mode::Opened => self.opened(input),
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

    /// Moves to `end`, or as far as the window goes.
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
        match self.in_subset {
            true => Mode::Subset,
            false => Mode::Content,
        }
    }

    /// The text of a value that depends on entities, for [`Tokenizer::expansion`].
    #[inline(never)]
    fn note_expansion(&mut self, input: Input<'_>, range: &Range<usize>) {
        self.expansion = self.entities.expand(&self.lines_of(input, range));
    }

    /// The same for the value of an attribute.
    fn note_attribute(&mut self, input: Input<'_>, range: &Range<usize>) {
        let text = self.lines_of(input, range);
        self.expansion = self.entities.expand_attribute(&text);
    }

    /// The text of a value, with the line ends of XML 1.1 as others.
    fn lines_of<'w>(&self, input: Input<'w>, range: &Range<usize>) -> Cow<'w, str> {
        let text = input.charset.decode(input.slice(range.clone()));
        match self.breaks.are_none() {
            true => text,
            false => breaks::normalized(&text).into(),
        }
    }

    /// Whether a value is not what it seems: it refers to entities, or has line ends of XML 1.1 in it.
    fn depends(&self, raw: &[u8]) -> bool {
        self.entities.has(raw) || !self.breaks.are_none() && self.breaks.find(raw).is_some()
    }

    /// A value without the line ends of XML 1.1 around it.
    fn trimmed(&self, input: Input<'_>, range: Range<usize>) -> Range<usize> {
        match self.breaks.are_none() {
            true => range,
            false => self.breaks.trim(input.bytes, range),
        }
    }

    /// The end of the document: the turn wants more, and there is none.
    fn at_end(&mut self, len: usize, cursor: &mut usize) -> Step {
        *cursor = len;
        Step::End
    }
}

impl Tokenizer for XmlTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        self.expansion = None;
        self.at_base = false;
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
}

/// Whether bytes are white space only.
fn is_blank(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .all(|&byte| linkglot_charset::ascii::is_space(byte))
}

/// A slot that is whole.
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

/// A name, if there is one.
fn named(name: Name) -> Option<Name> {
    (!name.is_empty()).then_some(name)
}

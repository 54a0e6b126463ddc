//! Light markup: Markdown and reStructuredText.
//!
//! What a line means there depends on the whole document (a definition at its end makes links at its begin), so
//! that the document is one slot, and its readers answer all [`Piece`]s of it at once. They know neither how
//! links are found in text nor what a link is.

mod escaped;
mod gathered;
#[cfg(feature = "markdown")]
pub mod markdown;
pub mod rst;

use super::escape::Escaping;
use super::slot::{
    Access, Name, Place, PlaceKind, Run, SharedPlace, Slot, Step, Syntax, Tokenizer, Window,
};
use crate::charset::MappedText;
use std::ops::Range;

/// A part of a document in light markup where links may stand.
#[derive(Clone, Debug)]
pub struct Piece<'t> {
    /// Its raw text.
    pub raw: Raw<'t>,
    /// How it is escaped.
    pub escaping: Escaping,
    /// What it holds: never a document in light markup.
    pub syntax: Syntax,
    /// Where it stands.
    pub place: SharedPlace,
    /// Whether its links may be rewritten.
    pub access: Access,
    /// The scheme that the markup implies (`<a@example.org>`).
    pub implied: Option<&'static str>,
}

/// The raw text of a piece.
#[derive(Clone, Debug)]
pub enum Raw<'t> {
    /// A range of the document's text.
    Range(Range<usize>),
    /// Out of several places. Its source positions count from the first number, a position in the document's text.
    Gathered(usize, MappedText<'t>),
}

impl<'t> Piece<'t> {
    fn text(range: Range<usize>, escaping: Escaping) -> Self {
        Piece {
            raw: Raw::Range(range),
            escaping,
            syntax: Syntax::Text,
            place: SharedPlace::TEXT,
            access: Access::Rewrite,
            implied: None,
        }
    }

    fn link(range: Range<usize>, escaping: Escaping, name: &'static str) -> Self {
        Piece {
            raw: Raw::Range(range),
            escaping,
            syntax: Syntax::Single,
            place: link_place(name).into(),
            access: Access::Rewrite,
            implied: None,
        }
    }

    /// Where it begins in the document's text.
    pub fn start(&self) -> usize {
        match &self.raw {
            Raw::Range(range) => range.start,
            Raw::Gathered(at, _) => *at,
        }
    }
}

fn link_place(name: &'static str) -> Place {
    Place::new(PlaceKind::Link, None, Some(Name::built_in(name)))
}

/// The name of the place of a document that is too long to be read.
pub const DOCUMENT: &str = "document";

/// How many times as long as a slot may be a document may be that is read as a whole.
pub const MOST_SLOTS: usize = 16;

/// The tokenizer of documents that are one slot. A longer one than the limit is passed over.
///
/// ```
/// use linkglot::charset::Charset;
/// use linkglot::markup::light::WholeTokenizer;
/// use linkglot::markup::{Step, Syntax, Tokenizer, Window};
///
/// let mut tokenizer = WholeTokenizer::new(Syntax::Rst, 1 << 20);
/// let window = |bytes, last| Window { bytes, last, charset: Charset::UTF_8 };
/// assert!(matches!(tokenizer.step(window(b"a", false), &mut 0), Step::NeedMore));
/// let Step::Slot(slot) = tokenizer.step(window(b"ab", true), &mut 0) else { panic!("a slot") };
/// assert_eq!(slot.range, 0..2);
/// ```
#[derive(Debug)]
pub struct WholeTokenizer {
    syntax: Syntax,
    most: usize,
    answered: bool,
}

impl WholeTokenizer {
    /// A tokenizer of documents of a syntax with at most so many bytes.
    pub fn new(syntax: Syntax, most: usize) -> Self {
        WholeTokenizer {
            syntax,
            most,
            answered: false,
        }
    }

    /// The rest of a document is passed over.
    fn pass(window: Window<'_>, cursor: &mut usize) -> Step {
        *cursor = window.bytes.len();
        if window.last {
            Step::End
        } else {
            Step::NeedMore
        }
    }
}

impl Tokenizer for WholeTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        let range = (*cursor).min(window.bytes.len())..window.bytes.len();
        if self.answered || window.last && range.is_empty() {
            return Self::pass(window, cursor);
        }
        if range.len() > self.most {
            self.answered = true;
            *cursor = range.end;
            return Step::TooLong(range.start, link_place(DOCUMENT));
        }
        if !window.last {
            return Step::NeedMore;
        }
        self.answered = true;
        *cursor = range.end;
        Step::Slot(Slot {
            range,
            escaping: Escaping::None,
            syntax: self.syntax,
            place: link_place(DOCUMENT).into(),
            access: Access::Rewrite,
            run: Run::WHOLE,
        })
    }
}

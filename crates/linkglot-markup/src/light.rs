//! Light markup: Markdown, reStructuredText, wikitext, AsciiDoc, Org and Textile.
//!
//! In Markdown and reStructuredText the meaning of a line depends on the whole document: a definition at the end makes
//! links at the beginning. So the document is one slot ([`WholeTokenizer`]), and a reader answers all of its [`Piece`]s
//! at once. Long Markdown is cut into parts that know the definitions of the others. In other formats each line is a
//! slot ([`LineTokenizer`]). The readers must not know the search for links in running text.

mod backslash;
mod gathered;
mod lines;
#[cfg(feature = "markdown")]
pub mod markdown;
mod memory;
mod piece;
pub mod rst;

#[doc(hidden)]
pub use lines::LINE;
pub use lines::{LineSettings, LineState, LineTokenizer};
pub use piece::{Piece, Raw};

use crate::escape::Escaping;
use crate::slot::{Access, Run, Slot, Step, Syntax, Tokenizer, Window};
use piece::link_place;
use std::ops::Range;

/// The name of the place of a document that is too long to be read.
#[doc(hidden)]
pub const DOCUMENT: &str = "document";

/// The most lengths of a slot that a document may have to be read as a whole.
const SLOTS_A_DOCUMENT: usize = 16;

/// The most memory for reading and rewriting a document, as a multiple of its length.
const MOST_MEMORY: usize = 12;

/// Memory that every document may take, whatever the limit of slots.
const LEAST_MEMORY: usize = 16 << 20;

/// Memory that every document may take, in slots.
const SLOTS_OF_MEMORY: usize = 64;

/// The most memory of the densest document, as a multiple of its length.
const DENSEST: usize = 100;

/// The tokenizer of documents that are one slot. Skipped are documents longer than 16 times `max_slot`, and documents
/// so dense that reading would take more memory than 12 times their length, 64 times `max_slot` and 16 MiB.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::light::WholeTokenizer;
/// use linkglot_markup::{Step, Syntax, Tokenizer, Window};
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
    max_length: usize,
    /// Memory up to which a document is read, however dense it is.
    least_memory: usize,
    answered: bool,
    /// True if the window does not grow any more, although the document goes on.
    is_cut: bool,
}

impl WholeTokenizer {
    /// A tokenizer at the beginning of a document in `syntax`.
    ///
    /// ```
    /// use linkglot_markup::light::WholeTokenizer;
    /// use linkglot_markup::{Slots, Syntax};
    ///
    /// let tokenizer = WholeTokenizer::new(Syntax::Rst, 1 << 20);
    /// let slots = Slots::new(tokenizer, b"a `b <c>`_", linkglot_charset::Charset::UTF_8);
    /// assert!(slots.map(|slot| slot.range).eq([0..10]));
    /// ```
    pub fn new(syntax: Syntax, max_slot: usize) -> Self {
        WholeTokenizer {
            syntax,
            max_length: max_slot.saturating_mul(SLOTS_A_DOCUMENT),
            least_memory: LEAST_MEMORY.max(max_slot.saturating_mul(SLOTS_OF_MEMORY)),
            answered: false,
            is_cut: false,
        }
    }

    /// The memory that a document of `length` bytes may take while it is read and rewritten, in bytes.
    ///
    /// ```
    /// use linkglot_markup::light::WholeTokenizer;
    ///
    /// assert_eq!(WholeTokenizer::memory_of(4 << 20), 48 << 20);
    /// assert_eq!(WholeTokenizer::memory_of(1 << 10), 100 << 10);
    /// ```
    pub fn memory_of(length: usize) -> usize {
        let most = LEAST_MEMORY.max(length.saturating_mul(MOST_MEMORY));
        most.min(length.saturating_mul(DENSEST))
    }

    fn is_too_dense(&self, window: Window<'_>, range: Range<usize>) -> bool {
        let text = &window.bytes[range];
        let estimate = memory::estimate(text, window.charset, self.syntax);
        let most = text.len().saturating_mul(MOST_MEMORY);
        estimate > most.max(self.least_memory)
    }
}

impl Tokenizer for WholeTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        let start = (*cursor).min(window.bytes.len());
        let mut range = start..window.bytes.len();
        let is_too_long = range.len() > self.max_length;
        if self.answered || window.last && range.is_empty() {
            *cursor = range.end;
            return if window.last {
                Step::End
            } else {
                Step::NeedMore
            };
        }
        if !window.last && !is_too_long {
            let text = &window.bytes[start..];
            let blocks = self.is_cut.then(|| whole_blocks(text, self.syntax));
            match blocks.flatten() {
                Some(len) => range.end = start + len,
                None => return Step::NeedMore,
            }
        }
        self.answered = true;
        *cursor = range.end;
        if is_too_long || self.is_too_dense(window, range.clone()) {
            return Step::TooLong(range.start, link_place(DOCUMENT));
        }
        Step::Slot(Slot {
            range,
            escaping: Escaping::None,
            syntax: self.syntax,
            place: link_place(DOCUMENT).into(),
            access: Access::Rewrite,
            run: Run::WHOLE,
        })
    }

    fn cut(&mut self) {
        self.is_cut = true;
    }
}

/// True if a Markdown document in a string is so dense that reading would take more memory than 12 times its length
/// and 16 MiB. O(length).
#[cfg(feature = "markdown")]
#[doc(hidden)]
pub fn is_dense_markdown(text: &str) -> bool {
    memory::of_markdown(text.as_bytes()) > LEAST_MEMORY.max(text.len().saturating_mul(MOST_MEMORY))
}

/// The end of the last empty line: what stands in front of it does not depend on what follows, unless it may be in a
/// simple table of reStructuredText, in which there are empty lines.
fn whole_blocks(text: &[u8], syntax: Syntax) -> Option<usize> {
    let text = match syntax {
        Syntax::Rst => &text[..rst::first_simple_table(text)],
        _ => text,
    };
    let is_begin = |at: &usize| matches!(&text[at + 1..], [b'\n', ..] | [b'\r', b'\n', ..]);
    memchr::memrchr_iter(b'\n', text)
        .find(is_begin)
        .map(|at| at + 1)
}

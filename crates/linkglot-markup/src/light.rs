//! Light markup: Markdown and reStructuredText.
//!
//! The meaning of a line depends on the whole document: a definition at its end makes links at its beginning. So the
//! document is one slot ([`WholeTokenizer`]), and a reader answers all of its [`Piece`]s at once. The readers must not know
//! how links are found in running text.

mod backslash;
mod gathered;
#[cfg(feature = "markdown")]
pub mod markdown;
mod piece;
pub mod rst;

pub use piece::{Piece, Raw};

use crate::escape::Escaping;
use crate::slot::{Access, Run, Slot, Step, Syntax, Tokenizer, Window};
use piece::link_place;

/// The name of the place of a document that is too long to be read.
#[doc(hidden)]
pub const DOCUMENT: &str = "document";

/// A document that is read as a whole may be this many times as long as a slot.
const SLOTS_A_DOCUMENT: usize = 16;

/// Reading a document may take this many times its length of memory ...
const MOST_MEMORY_BY_LENGTH: usize = 12;

/// ... or this many times the length of a slot.
const MOST_MEMORY_BY_SLOT: usize = 128;

/// Memory that every document may take.
const LEAST_MEMORY: usize = 16 << 20;

/// The memory in bytes that reading takes for each character that may begin or end a construct, or be part of a link:
/// the nodes of the tree, the pieces and the links. Measured on documents of nothing else.
const MEMORY_A_BYTE: [u16; 256] = {
    let mut costs = [0; 256];
    costs[b'[' as usize] = 300;
    costs[b'(' as usize] = 100;
    costs[b'*' as usize] = 200;
    costs[b'_' as usize] = 200;
    costs[b'`' as usize] = 200;
    costs[b'~' as usize] = 200;
    costs[b'<' as usize] = 80;
    costs[b'|' as usize] = 60;
    costs[b'\\' as usize] = 50;
    costs[b'&' as usize] = 20;
    costs[b'!' as usize] = 20;
    costs[b'\n' as usize] = 60;
    costs[b':' as usize] = 500;
    costs[b'@' as usize] = 300;
    costs[b'.' as usize] = 300;
    costs
};

/// An estimate of the memory that reading a document takes, before it is read.
fn memory(bytes: &[u8]) -> usize {
    let costs = bytes
        .iter()
        .map(|&byte| usize::from(MEMORY_A_BYTE[usize::from(byte)]));
    costs.sum()
}

/// The tokenizer of documents that are one slot. It passes over a document longer than 16 times `max_slot`, and over one
/// so dense that reading it would take more memory than 12 times its length and 128 times `max_slot`.
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
    max_memory: usize,
    answered: bool,
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
            max_memory: max_slot
                .saturating_mul(MOST_MEMORY_BY_SLOT)
                .max(LEAST_MEMORY),
            answered: false,
        }
    }
}

impl Tokenizer for WholeTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        let range = (*cursor).min(window.bytes.len())..window.bytes.len();
        let mut is_too_long = range.len() > self.max_length;
        if self.answered || window.last && range.is_empty() {
            *cursor = range.end;
            return match window.last {
                true => Step::End,
                false => Step::NeedMore,
            };
        }
        if !window.last && !is_too_long {
            return Step::NeedMore;
        }
        self.answered = true;
        *cursor = range.end;
        let most = self.max_memory.max(range.len() * MOST_MEMORY_BY_LENGTH);
        is_too_long = is_too_long || memory(&window.bytes[range.clone()]) > most;
        if is_too_long {
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
}

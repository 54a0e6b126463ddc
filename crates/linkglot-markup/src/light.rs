//! Light markup: Markdown, reStructuredText, wikitext, AsciiDoc, Org and Textile.
//!
//! In Markdown and reStructuredText the meaning of a line depends on the block around it. So a document is one slot,
//! and a long one is cut into parts where a block begins; a reader answers all [`Piece`]s of a part. In Markdown a
//! definition at the end makes links at the beginning: parts know the definitions of the others. In other formats each
//! line is a slot ([`LineTokenizer`]). The readers must not know the search for links in running text.

mod backslash;
mod gathered;
mod lines;
#[cfg(feature = "markdown")]
pub mod markdown;
mod memory;
mod piece;
pub mod rst;
#[cfg(test)]
mod testing;

#[doc(hidden)]
pub use lines::LINE;
pub use lines::{LineSettings, LineState, LineTokenizer};
pub use piece::{Piece, Raw};

use crate::slot::{Syntax, Tokenizer};
use linkglot_charset::Charset;
use memchr::memrchr;

/// The name of the place of a document that is too long to be read.
#[doc(hidden)]
pub const DOCUMENT: &str = "document";

/// Bytes that are read at once, unless a block is longer.
const SLICE: usize = 64 << 10;

/// The most lengths of a slot that a block may have, and a stretch of Markdown whose definitions hold together.
const SLOTS_A_DOCUMENT: usize = 16;

/// The most memory for reading and rewriting a document, as a multiple of its length.
const MOST_MEMORY: usize = 12;

/// Documents below this length may take as much memory as one of this length.
const LEAST_LENGTH: usize = 1 << 20;

/// The most memory of the densest document, as a multiple of its length.
const DENSEST: usize = 100;

/// The memory that a document of `length` bytes may take while it is read and rewritten, in bytes.
///
/// ```
/// use linkglot_markup::light;
///
/// assert_eq!(light::memory_of(4 << 20), 48 << 20);
/// assert_eq!(light::memory_of(1 << 10), 100 << 10);
/// ```
pub fn memory_of(length: usize) -> usize {
    most_memory(length).min(length.saturating_mul(DENSEST))
}

/// The tokenizer of a document that is one slot, or a slot for each part.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{Slots, Syntax, light};
///
/// let tokenizer = light::tokenizer(Syntax::Rst, 1 << 20);
/// let slots = Slots::new(tokenizer, b"a `b <c>`_", Charset::UTF_8);
/// assert!(slots.map(|slot| slot.range).eq([0..10]));
/// ```
pub fn tokenizer(syntax: Syntax, max_slot: usize) -> Box<dyn Tokenizer> {
    match syntax {
        #[cfg(feature = "markdown")]
        Syntax::Markdown => Box::new(markdown::MarkdownTokenizer::new(max_slot)),
        #[cfg(feature = "markdown")]
        Syntax::Mdx => Box::new(markdown::MarkdownTokenizer::new(max_slot).mdx()),
        _ => Box::new(rst::RstTokenizer::new(max_slot)),
    }
}

/// True if a document can be read as a single block: it is not longer than 16 times `max_slot`, and not so dense that
/// reading would take more memory than 12 times its length, 12 times `max_slot` and 12 MiB. O(length).
#[doc(hidden)]
pub fn is_readable(text: &[u8], charset: Charset, syntax: Syntax, max_slot: usize) -> bool {
    let length = text.len().max(max_slot);
    text.len() <= max_slot.saturating_mul(SLOTS_A_DOCUMENT)
        && !is_too_dense(text, charset, syntax, length)
}

/// True if reading a text would take more memory than a document of `length` bytes may take.
fn is_too_dense(text: &[u8], charset: Charset, syntax: Syntax, length: usize) -> bool {
    memory::estimate(text, charset, syntax) > most_memory(length)
}

/// True if a Markdown document in a string is so dense that reading would take more memory than 12 times its length
/// and 12 MiB. O(length).
#[cfg(feature = "markdown")]
#[doc(hidden)]
pub fn is_dense_markdown(text: &str) -> bool {
    memory::of_markdown(text.as_bytes()) > most_memory(text.len())
}

/// The memory that reading may take for a length, in bytes.
fn most_memory(length: usize) -> usize {
    length.max(LEAST_LENGTH).saturating_mul(MOST_MEMORY)
}

/// The bytes up to their last line end, or all of them. A CR at their end may be the first half of a line end.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    let front = &bytes[..bytes.len() - 1];
    let end = memrchr(b'\n', bytes).or_else(|| memrchr(b'\r', front));
    end.map_or(bytes, |end| &bytes[..=end])
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

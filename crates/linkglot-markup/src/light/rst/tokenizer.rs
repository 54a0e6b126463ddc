//! The tokenizer of reStructuredText: a short document is one slot, a long one is cut into parts.

use super::last_block;
use crate::escape::Escaping;
use crate::light::piece::link_place;
use crate::light::{DOCUMENT, SLICE, is_readable, whole_blocks, whole_lines};
use crate::slot::{Access, Run, Slot, Step, Syntax, Tokenizer, Window};
use linkglot_charset::span::TextSpan;

/// The tokenizer of reStructuredText. A document of up to 64 KiB is one slot, a longer one is cut into parts of about
/// that length, each of which begins with a line that is not indented, where a block begins: a paragraph, an item of a
/// list, a target. A part reads as it does in the document.
///
/// Skipped are blocks that are longer than 16 times `max_slot`, or so dense that reading would take more memory than 12
/// times their length and 12 times `max_slot`, with all behind them.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::Slots;
/// use linkglot_markup::light::rst::RstTokenizer;
///
/// let text = "- `a <b>`_\n".repeat(20_000);
/// let slots = Slots::new(RstTokenizer::new(1 << 20), text.as_bytes(), Charset::UTF_8);
/// let ends: Vec<usize> = slots.map(|slot| slot.range.end).collect();
/// assert_eq!((ends[0], *ends.last().unwrap()), (65_516, 220_000));
/// ```
#[derive(Debug)]
pub struct RstTokenizer {
    max_slot: usize,
    slice: usize,
    /// The length of the slice in which the end of the next part is looked for.
    next_slice: usize,
    /// True if nothing more is read.
    is_done: bool,
    /// True if the window does not grow any more, although the document goes on.
    is_cut: bool,
}

/// A part of a document.
enum Part {
    /// A part of some bytes.
    Bytes(usize),
    /// A block that is too long, or takes too much memory.
    TooLong,
}

impl RstTokenizer {
    /// A tokenizer at the beginning of a document.
    ///
    /// ```
    /// use linkglot_markup::Slots;
    /// use linkglot_markup::light::rst::RstTokenizer;
    ///
    /// let tokenizer = RstTokenizer::new(1 << 20);
    /// let slots = Slots::new(tokenizer, b"a `b <c>`_", linkglot_charset::Charset::UTF_8);
    /// assert!(slots.map(|slot| slot.range).eq([0..10]));
    /// ```
    pub fn new(max_slot: usize) -> Self {
        RstTokenizer {
            max_slot,
            slice: SLICE,
            next_slice: SLICE,
            is_done: false,
            is_cut: false,
        }
    }

    /// Cuts documents that are longer than `slice`. For tests.
    #[doc(hidden)]
    pub fn slice(self, slice: usize) -> Self {
        RstTokenizer {
            slice,
            next_slice: slice,
            ..self
        }
    }

    /// The part at the beginning of the unread bytes; `None` if more of them are needed. The slice that shows where the
    /// part ends is at most twice as long as the part, and each is judged once, whatever the windows are: linear time.
    fn part(&mut self, unread: &[u8], window: Window<'_>) -> Option<Part> {
        loop {
            let is_end = unread.len() <= self.next_slice;
            if is_end && !window.last && !self.is_cut {
                return None;
            }
            let slice = if is_end {
                unread
            } else {
                whole_lines(&unread[..self.next_slice])
            };
            let is_long = slice.len() > self.slice;
            if is_long && !is_readable(slice, window.charset, Syntax::Rst, self.max_slot) {
                return Some(Part::TooLong);
            }
            if is_end && window.last {
                return Some(Part::Bytes(slice.len()));
            }
            if is_end {
                return whole_blocks(slice, Syntax::Rst).map(Part::Bytes);
            }
            let decoded = window.charset.decode_mapped(slice);
            if let Some(cut) = last_block(decoded.text()) {
                let cut = decoded.source(TextSpan::new(cut, cut)).start;
                if cut > slice.len() / 2 {
                    self.next_slice = self.slice;
                    return Some(Part::Bytes(cut));
                }
            }
            self.next_slice *= 2;
        }
    }
}

impl Tokenizer for RstTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        let start = (*cursor).min(window.bytes.len());
        let unread = &window.bytes[start..];
        if self.is_done || unread.is_empty() {
            *cursor = window.bytes.len();
            return if window.last {
                Step::End
            } else {
                Step::NeedMore
            };
        }
        match self.part(unread, window) {
            Some(Part::Bytes(length)) => *cursor = start + length,
            Some(Part::TooLong) => {
                (self.is_done, *cursor) = (true, window.bytes.len());
                return Step::TooLong(start, link_place(DOCUMENT));
            }
            None => return Step::NeedMore,
        }
        Step::Slot(Slot {
            range: start..*cursor,
            escaping: Escaping::None,
            syntax: Syntax::Rst,
            place: link_place(DOCUMENT).into(),
            access: Access::Rewrite,
            run: Run::WHOLE,
        })
    }

    fn cut(&mut self) {
        self.is_cut = true;
    }
}

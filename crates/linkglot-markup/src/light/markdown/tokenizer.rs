//! The tokenizer of Markdown and MDX: a short document is one slot, a long one is cut into parts.

use super::mdx::Codes;
use super::parts::{self, Cut};
use crate::escape::Escaping;
use crate::light::piece::link_place;
use crate::light::{DOCUMENT, SLICE, SLOTS_A_DOCUMENT};
use crate::light::{is_too_dense, whole_blocks, whole_lines};
use crate::slot::{Access, Run, Slot, Step, Syntax, Tokenizer, Window};
use crate::surroundings::{Definitions, Surroundings};
use linkglot_charset::Charset;
use linkglot_charset::span::TextSpan;
use std::collections::VecDeque;
use std::sync::Arc;

/// The tokenizer of Markdown. A document of up to 64 KiB is one slot, a longer one is cut into parts of about that
/// length, where a block, an item of a list or a row of a table begins. A part reads as it does in the document, by its
/// [`surroundings`](Tokenizer::surroundings): definitions in the 16 times `max_slot` around it count.
///
/// Skipped are blocks that are longer than 16 times `max_slot`, or so dense that reading would take more memory than 12
/// times the length of the document and 12 times `max_slot`, with all behind them.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::Slots;
/// use linkglot_markup::light::markdown::MarkdownTokenizer;
///
/// let text = "[a](b)\n\n".repeat(20_000);
/// let slots = Slots::new(MarkdownTokenizer::new(1 << 20), text.as_bytes(), Charset::UTF_8);
/// let ends: Vec<usize> = slots.map(|slot| slot.range.end).collect();
/// assert_eq!((ends[0], *ends.last().unwrap()), (65_528, 160_000));
/// ```
#[derive(Debug)]
pub struct MarkdownTokenizer {
    /// Markdown or MDX.
    syntax: Syntax,
    /// The most bytes of a stretch, and of a block.
    most: usize,
    slice: usize,
    max_slot: usize,
    /// The parts of the stretch that are not answered yet.
    parts: VecDeque<Cut>,
    definitions: Arc<Definitions>,
    /// The head of the table that goes on with the next part, or nothing.
    head: Arc<str>,
    surroundings: Option<Surroundings>,
    /// True if nothing more is read.
    is_done: bool,
    /// True if the window does not grow any more, although the document goes on.
    is_cut: bool,
}

/// A stretch of a document, in parts.
struct Stretch<'w> {
    bytes: &'w [u8],
    charset: Charset,
    /// True if the document ends with the stretch.
    is_last: bool,
}

/// A block that takes too much memory.
struct TooDense;

impl MarkdownTokenizer {
    /// A tokenizer at the beginning of a document.
    ///
    /// ```
    /// use linkglot_markup::Slots;
    /// use linkglot_markup::light::markdown::MarkdownTokenizer;
    ///
    /// let tokenizer = MarkdownTokenizer::new(1 << 20);
    /// let slots = Slots::new(tokenizer, b"[a](b)", linkglot_charset::Charset::UTF_8);
    /// assert!(slots.map(|slot| slot.range).eq([0..6]));
    /// ```
    pub fn new(max_slot: usize) -> Self {
        MarkdownTokenizer {
            syntax: Syntax::Markdown,
            most: max_slot.saturating_mul(SLOTS_A_DOCUMENT),
            slice: SLICE,
            max_slot,
            parts: VecDeque::new(),
            definitions: Arc::default(),
            head: Arc::default(),
            surroundings: None,
            is_done: false,
            is_cut: false,
        }
    }

    /// The tokenizer of MDX. A part does not end in code.
    ///
    /// ```
    /// use linkglot_markup::light::markdown::MarkdownTokenizer;
    /// use linkglot_markup::{Slots, Syntax};
    ///
    /// let tokenizer = MarkdownTokenizer::new(1 << 20).mdx();
    /// let slots = Slots::new(tokenizer, b"{a} [b](c)", linkglot_charset::Charset::UTF_8);
    /// assert!(slots.map(|slot| (slot.syntax, slot.range)).eq([(Syntax::Mdx, 0..10)]));
    /// ```
    pub fn mdx(self) -> Self {
        MarkdownTokenizer {
            syntax: Syntax::Mdx,
            ..self
        }
    }

    /// Cuts documents that are longer than `slice`. For tests.
    #[doc(hidden)]
    pub fn slice(self, slice: usize) -> Self {
        MarkdownTokenizer { slice, ..self }
    }

    /// Finds the parts of the stretch that begins with the unread bytes; `None` if more of them are needed.
    fn survey(&mut self, unread: &[u8], window: Window<'_>) -> Option<Result<(), TooDense>> {
        let (bytes, is_last) = if unread.len() > self.most {
            (whole_lines(&unread[..self.most]), false)
        } else if window.last {
            (unread, true)
        } else if self.is_cut {
            let length = whole_blocks(unread, self.syntax)?;
            (&unread[..length], true)
        } else {
            return None;
        };
        let stretch = Stretch {
            bytes,
            charset: window.charset,
            is_last,
        };
        self.is_done = stretch.is_last;
        if stretch.is_last && stretch.bytes.len() <= self.slice && self.surroundings.is_none() {
            self.parts.push_back(Cut {
                length: stretch.bytes.len(),
                head: Arc::default(),
            });
            return Some(Ok(()));
        }
        Some(self.find_parts(&stretch))
    }

    fn find_parts(&mut self, stretch: &Stretch<'_>) -> Result<(), TooDense> {
        let (mut at, mut length) = (0, self.slice);
        let (mut definitions, mut head) = (Definitions::default(), self.head.clone());
        while at < stretch.bytes.len() {
            let rest = &stretch.bytes[at..];
            let is_end = rest.len() <= length;
            let slice = if is_end {
                rest
            } else {
                whole_lines(&rest[..length])
            };
            if slice.len() > self.slice && self.is_too_dense(stretch, slice) {
                return Err(TooDense);
            }
            let decoded = stretch.charset.decode_mapped(slice);
            let codes = (self.syntax == Syntax::Mdx).then(|| Codes::of(decoded.text()));
            let masked = codes.as_ref().map(|codes| codes.masked(decoded.text()));
            let text = (&*head, masked.as_deref().unwrap_or(decoded.text()));
            let may_end = |cut| {
                let codes = codes.as_ref();
                codes.is_none_or(|codes| codes.may_end(decoded.text(), cut))
            };
            let cut = if is_end && stretch.is_last {
                parts::define(text, &mut definitions);
                Some(Cut {
                    length: rest.len(),
                    head: Arc::default(),
                })
            } else {
                let behind = &rest[slice.len()..];
                let cut = parts::cut(text, behind, &may_end, &mut definitions);
                cut.map(|cut| Cut {
                    length: decoded.source(TextSpan::new(cut.length, cut.length)).start,
                    ..cut
                })
            };
            match cut {
                Some(cut) => {
                    (at, length, head) = (at + cut.length, self.slice, cut.head.clone());
                    self.parts.push_back(cut);
                }
                // The block goes on behind the stretch.
                None if is_end && at > 0 => break,
                None if is_end => return Err(TooDense),
                None => length *= 2,
            }
        }
        self.definitions = Arc::new(definitions);
        Ok(())
    }

    fn is_too_dense(&self, stretch: &Stretch<'_>, slice: &[u8]) -> bool {
        let length = stretch.bytes.len().max(self.max_slot);
        is_too_dense(slice, stretch.charset, self.syntax, length)
    }
}

impl Tokenizer for MarkdownTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        let start = (*cursor).min(window.bytes.len());
        let unread = &window.bytes[start..];
        if self.parts.is_empty() {
            if self.is_done || window.last && unread.is_empty() {
                *cursor = window.bytes.len();
                return if window.last {
                    Step::End
                } else {
                    Step::NeedMore
                };
            }
            match self.survey(unread, window) {
                Some(Ok(())) => {}
                Some(Err(TooDense)) => {
                    self.parts.clear();
                    (self.is_done, *cursor) = (true, window.bytes.len());
                    return Step::TooLong(start, link_place(DOCUMENT));
                }
                None => return Step::NeedMore,
            }
        }
        let Some(part) = self.parts.pop_front() else {
            return Step::NeedMore;
        };
        let is_whole = self.is_done && self.parts.is_empty() && self.surroundings.is_none();
        let head = std::mem::replace(&mut self.head, part.head);
        self.surroundings = (!is_whole).then(|| Surroundings {
            definitions: self.definitions.clone(),
            head,
        });
        *cursor = start + part.length;
        Step::Slot(Slot {
            range: start..*cursor,
            escaping: Escaping::None,
            syntax: self.syntax,
            place: link_place(DOCUMENT).into(),
            access: Access::Rewrite,
            run: Run::WHOLE,
        })
    }

    fn surroundings(&self) -> Option<&Surroundings> {
        self.surroundings.as_ref()
    }

    fn cut(&mut self) {
        self.is_cut = true;
    }
}

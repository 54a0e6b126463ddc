//! The slots of a document that is in memory.

use crate::slot::{Slot, Step, Tokenizer, Window};
use linkglot_charset::Charset;

/// An iterator over the slots of a whole document, in order. Values longer than the limit of the tokenizer are left
/// out.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{HtmlTokenizer, Slots};
///
/// let page = b"<a href='x?a&amp;b'>text</a>";
/// let slots = Slots::new(HtmlTokenizer::default(), page, Charset::UTF_8);
/// let values: Vec<&[u8]> = slots.map(|slot| &page[slot.range]).collect();
/// assert_eq!(values, [&b"x?a&amp;b"[..]]);
/// ```
#[derive(Debug)]
pub struct Slots<'d, T> {
    tokenizer: T,
    window: Window<'d>,
    cursor: usize,
}

impl<'d, T: Tokenizer> Slots<'d, T> {
    /// The slots of a document in an ASCII-compatible charset. `tokenizer` has read nothing yet.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{PlainTokenizer, Slots};
    ///
    /// let slots = Slots::new(PlainTokenizer::new(), b"text", Charset::UTF_8);
    /// assert_eq!(slots.count(), 1);
    /// ```
    pub fn new(tokenizer: T, document: &'d [u8], charset: Charset) -> Self {
        Slots {
            tokenizer,
            window: Window {
                bytes: document,
                last: true,
                charset,
            },
            cursor: 0,
        }
    }

    /// The tokenizer, to ask it about the last slot ([`Tokenizer::expansion`], [`Tokenizer::bases`]).
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{MarkupSettings, Slots, Tokenizer, XmlTokenizer};
    ///
    /// let tokenizer = XmlTokenizer::new(&MarkupSettings::default());
    /// let page = b"<a xmlns='http://www.w3.org/1999/xhtml' xml:base='b/' href='c'/>";
    /// let mut slots = Slots::new(tokenizer, page, Charset::UTF_8);
    /// let last = slots.find(|slot| &page[slot.range.clone()] == b"c");
    /// assert!(last.is_some() && slots.tokenizer().bases().len() == 1);
    /// ```
    pub fn tokenizer(&self) -> &T {
        &self.tokenizer
    }
}

impl<T: Tokenizer> Iterator for Slots<'_, T> {
    type Item = Slot;

    fn next(&mut self) -> Option<Slot> {
        loop {
            match self.tokenizer.step(self.window, &mut self.cursor) {
                Step::Slot(slot) => return Some(slot),
                Step::TooLong(..) => {}
                Step::NeedMore | Step::End => return None,
            }
        }
    }
}

//! Plain text: the whole document is one run of text, or serialized data of PHP.

use crate::boundary::whole_characters;
use crate::escape::Escaping;
use crate::serialized::{begins_serialized, is_serialized};
use crate::slot::{Access, Run, SharedPlace, Slot, Step, Syntax, Tokenizer, Window};
use std::ops::Range;

/// The tokenizer of plain text.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::PlainTokenizer;
/// use linkglot_markup::{Run, Step, Tokenizer, Window};
///
/// let window = Window { bytes: b"a b", last: true, charset: Charset::UTF_8 };
/// let Step::Slot(slot) = PlainTokenizer::new().step(window, &mut 0) else { panic!("a slot") };
/// assert_eq!((slot.range, slot.run), (0..3, Run::WHOLE));
/// ```
#[derive(Debug, Default)]
pub struct PlainTokenizer {
    begun: bool,
    ended: bool,
    /// True if the last answer was a slot: the next one needs a longer window.
    answered: bool,
    /// The longest document that may be serialized data, as long as it may be some.
    data: Option<usize>,
}

impl PlainTokenizer {
    /// A tokenizer at the beginning of a document.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{PlainTokenizer, Slots};
    ///
    /// let slots = Slots::new(PlainTokenizer::new(), b"text", Charset::UTF_8);
    /// assert!(slots.map(|slot| slot.range).eq([0..4]));
    /// ```
    pub fn new() -> Self {
        Self::default()
    }
}

impl PlainTokenizer {
    /// A tokenizer that reads a whole document of at most `max_slot` bytes as data if PHP has serialized it.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{PlainTokenizer, Slots, Syntax};
    ///
    /// let syntax = |text: &[u8]| {
    ///     let slots = Slots::new(PlainTokenizer::of_document(64), text, Charset::UTF_8);
    ///     slots.map(|slot| slot.syntax).collect::<Vec<_>>()
    /// };
    /// assert_eq!(syntax(b"a:1:{i:0;s:3:\"url\";}\n"), [Syntax::Data]);
    /// assert_eq!(syntax(b"a:1:{i:0;s:4:\"url\";}\n"), [Syntax::Text]);
    /// ```
    pub fn of_document(max_slot: usize) -> Self {
        PlainTokenizer {
            data: Some(max_slot),
            ..Self::default()
        }
    }

    /// The slot of a document that is serialized data, or the need of a longer window to tell.
    fn data(&mut self, window: Window<'_>) -> Option<Step> {
        /// The bytes that tell if serialized data begins.
        const BEGINNING: usize = 3;
        let max_slot = self.data?;
        let length = window.bytes.len();
        let begins = begins_serialized(window.bytes);
        if !window.last && (begins && length <= max_slot || length < BEGINNING) {
            return Some(Step::NeedMore);
        }
        self.data = None;
        let bytes = window.bytes.trim_ascii_end();
        let is_whole = begins && window.last && length <= max_slot;
        if !is_whole || !is_serialized(&window.charset.decode(bytes), window.charset) {
            return None;
        }
        (self.begun, self.ended) = (true, true);
        Some(Step::Slot(Slot {
            syntax: Syntax::Data,
            ..slot(0..bytes.len(), Run::WHOLE)
        }))
    }
}

/// The slot of a part of a text.
fn slot(range: Range<usize>, run: Run) -> Slot {
    Slot {
        range,
        escaping: Escaping::None,
        syntax: Syntax::Text,
        place: SharedPlace::TEXT,
        access: Access::Rewrite,
        run,
    }
}

impl Tokenizer for PlainTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        if let Some(step) = self.data(window) {
            if let Step::Slot(_) = step {
                *cursor = window.bytes.len();
            }
            return step;
        }
        let start = (*cursor).min(window.bytes.len());
        let mut end = window.bytes.len();
        if !window.last {
            end = whole_characters(window, start..end, LONGEST_UNSAFE);
        }
        if window.last && (self.ended || start == end && !self.begun) {
            *cursor = end;
            return Step::End;
        }
        if !window.last && (start == end || std::mem::take(&mut self.answered)) {
            return Step::NeedMore;
        }
        let run = Run {
            begins: !std::mem::replace(&mut self.begun, true),
            ends: window.last,
        };
        self.ended = window.last;
        self.answered = true;
        *cursor = end;
        Step::Slot(slot(start..end, run))
    }
}

/// The most bytes of a stretch without a safe byte; a longer one is cut anywhere, so that memory stays bounded.
const LONGEST_UNSAFE: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;
    use linkglot_charset::Charset;

    /// The slots of a document that arrives in chunks: the text of each, and true if it begins or ends the run.
    fn slots(chunks: &[&str]) -> Vec<(String, bool, bool)> {
        let mut tokenizer = PlainTokenizer::new();
        let mut slots = Vec::new();
        let (mut bytes, mut cursor, mut next) = (Vec::new(), 0, 0);
        loop {
            let window = Window {
                bytes: &bytes,
                last: next == chunks.len(),
                charset: Charset::UTF_8,
            };
            match tokenizer.step(window, &mut cursor) {
                Step::Slot(slot) => {
                    let text = String::from_utf8(bytes[slot.range].to_vec()).unwrap();
                    slots.push((text, slot.run.begins, slot.run.ends));
                }
                Step::NeedMore => {
                    bytes.extend_from_slice(chunks[next].as_bytes());
                    next += 1;
                }
                Step::End => return slots,
                Step::TooLong(..) => panic!("text is never too long"),
            }
        }
    }

    #[test]
    fn a_document_is_one_run() {
        assert_eq!(slots(&["a b"]), [("a b".to_owned(), true, true)]);
        let joined: String = slots(&["a", "b c", "", "d"])
            .into_iter()
            .map(|slot| slot.0)
            .collect();
        assert_eq!(joined, "ab cd");
        assert_eq!(slots(&[]), []);
    }
}

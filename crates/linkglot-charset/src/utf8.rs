//! UTF-8.

use crate::codec::{Codec, Spec};
use crate::mapped::{MappedText, Marks};
use crate::whatwg;
use std::borrow::Cow;

pub(crate) static UTF_8: Spec = Spec {
    name: "UTF-8",
    labels: "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    is_unicode: true,
    codec: &Utf8,
};

struct Utf8;

impl Codec for Utf8 {
    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        whatwg::utf8(bytes).map_or_else(|| String::from_utf8_lossy(bytes), Cow::Borrowed)
    }

    fn decode_mapped<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        if let Some(text) = whatwg::utf8(bytes) {
            return MappedText::identity(text);
        }
        let (mut text, mut marks, mut end) = (String::new(), Marks::default(), 0);
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            marks.run(chunk.valid().len(), 1, end);
            end += chunk.valid().len() + chunk.invalid().len();
            if !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
                marks.char(char::REPLACEMENT_CHARACTER.len_utf8(), end);
            }
        }
        MappedText::from_parts(Cow::Owned(text), marks)
    }

    fn can_encode(&self, _: char) -> bool {
        true
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn is_char_at(&self, window: &[u8], at: usize) -> bool {
        window.get(at).is_some_and(u8::is_ascii)
    }

    /// Every byte but a continuation byte begins a sequence, and a sequence has four bytes at most.
    /// A continuation byte outside of a sequence stands alone.
    fn resync(&self, window: &[u8], at: usize) -> usize {
        let at = at.min(window.len());
        let is_lead = |&start: &usize| !matches!(window.get(start), Some(0x80..=0xBF));
        let Some(lead) = (at.saturating_sub(3)..=at).rev().find(is_lead) else {
            return at;
        };
        let sequence = &window[lead..window.len().min(lead + 4)];
        let len = match sequence.utf8_chunks().next() {
            Some(chunk) if chunk.valid().is_empty() => chunk.invalid().len(),
            Some(chunk) => chunk.valid().chars().next().map_or(0, char::len_utf8),
            None => 0,
        };
        if lead + len > at { lead } else { at }
    }
}

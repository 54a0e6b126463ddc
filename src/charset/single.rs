//! Charsets whose every byte is a character.

use super::MappedText;
use super::mapped::Marks;
use super::spec::Codec;
use super::whatwg;
use encoding_rs::Encoding;
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, decompose_canonical};

/// A single-byte charset of the WHATWG.
pub(super) struct Single(pub &'static Encoding);

impl Codec for Single {
    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        self.0.decode_without_bom_handling(bytes).0
    }

    fn decode_mapped<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        match self.decode(bytes) {
            Cow::Borrowed(text) => MappedText::identity(text),
            Cow::Owned(text) => {
                let mut marks = Marks::default();
                let mut rest = text.as_str();
                while let Some(len) = rest.chars().next().map(char::len_utf8) {
                    let same = rest.chars().take_while(|ch| ch.len_utf8() == len).count();
                    marks.chars(same, len, 1);
                    rest = rest.get(same * len..).unwrap_or("");
                }
                MappedText::from_parts(Cow::Owned(text), marks)
            }
        }
    }

    fn can_encode(&self, ch: char) -> bool {
        whatwg::can_encode(self.0, ch)
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        whatwg::encode(self.0, text, out)
    }

    fn is_char_at(&self, window: &[u8], at: usize) -> bool {
        window.get(at).is_some_and(u8::is_ascii)
    }

    fn resync(&self, window: &[u8], at: usize) -> usize {
        at.min(window.len())
    }
}

/// windows-1258: most Vietnamese letters are a base letter and a combining tone there, while
/// text has them composed (RFC 3987 3.1 step 1 b: NFC).
pub(super) struct Vietnamese;

/// windows-1258 but for the composed letters.
fn base() -> Single {
    Single(encoding_rs::WINDOWS_1258)
}

impl Codec for Vietnamese {
    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        base().decode(bytes)
    }

    fn decode_mapped<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        base().decode_mapped(bytes)
    }

    fn can_encode(&self, ch: char) -> bool {
        base().can_encode(ch) || base_and_tone(ch).is_some()
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let before = out.len();
        let mut done = 0;
        while let Err(at) = base().encode(&text[done..], out) {
            let at = done + at;
            let lacking = text[at..].chars().next().unwrap_or_default();
            let Some(parts) = base_and_tone(lacking) else {
                out.truncate(before);
                return Err(at);
            };
            let written = base().encode(&text[done..at], out).is_ok();
            let parts: String = parts.into_iter().collect();
            if !written || base().encode(&parts, out).is_err() {
                out.truncate(before);
                return Err(at);
            }
            done = at + lacking.len_utf8();
        }
        Ok(())
    }

    fn is_char_at(&self, window: &[u8], at: usize) -> bool {
        base().is_char_at(window, at)
    }

    fn resync(&self, window: &[u8], at: usize) -> usize {
        base().resync(window, at)
    }
}

/// A letter of windows-1258 and one of its five tones that together are `ch`.
fn base_and_tone(ch: char) -> Option<[char; 2]> {
    let (mut letter, mut tone) = (None, None);
    decompose_canonical(ch, |part| match part {
        '\u{300}' | '\u{301}' | '\u{303}' | '\u{309}' | '\u{323}' if tone.is_none() => {
            tone = Some(part)
        }
        _ => letter = letter.map_or(Some(part), |letter| compose(letter, part)),
    });
    let pair = [letter?, tone?];
    let is_same = pair.into_iter().nfc().eq([ch]);
    (is_same && base().can_encode(pair[0])).then_some(pair)
}

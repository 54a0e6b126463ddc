//! Charsets whose every byte is a character.

use super::MappedText;
use super::mapped::{Marks, Places};
use super::spec::Codec;
use super::whatwg;
use crate::ascii;
use encoding_rs::Encoding;
use std::borrow::Cow;
use std::sync::OnceLock;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, decompose_canonical};

/// The most bytes that are decoded one by one: a decoder takes longer to start.
const SHORT: usize = 512;

/// A single-byte charset of the WHATWG.
pub(super) struct Single {
    encoding: &'static Encoding,
    /// The characters beyond ASCII, as soon as one is looked up.
    upper: OnceLock<[char; 128]>,
}

impl Single {
    pub(super) const fn new(encoding: &'static Encoding) -> Self {
        Single {
            encoding,
            upper: OnceLock::new(),
        }
    }

    /// The text of bytes.
    fn text(&self, bytes: &[u8], places: &mut impl Places) -> String {
        let upper = self.upper();
        let (mut text, mut rest) = (String::with_capacity(bytes.len() * 2), bytes);
        while !rest.is_empty() {
            let (ascii, others) = rest.split_at(Encoding::ascii_valid_up_to(rest));
            if !ascii.is_empty() {
                text.push_str(std::str::from_utf8(ascii).unwrap_or_default());
                places.chars(ascii.len(), 1, 1);
            }
            let wide = others.iter().take_while(|byte| !byte.is_ascii());
            rest = &others[wide.clone().count()..];
            for byte in wide {
                let ch = upper[usize::from(byte & 0x7F)];
                text.push(ch);
                places.chars(1, ch.len_utf8(), 1);
            }
        }
        text
    }

    /// The characters of the bytes beyond ASCII.
    fn upper(&self) -> &[char; 128] {
        self.upper.get_or_init(|| {
            let bytes: [u8; 128] = std::array::from_fn(|at| at as u8 | 0x80);
            let (text, _) = self.encoding.decode_without_bom_handling(&bytes);
            let mut chars = text.chars();
            bytes.map(|_| chars.next().unwrap_or(char::REPLACEMENT_CHARACTER))
        })
    }
}

impl Codec for Single {
    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        if bytes.len() > SHORT {
            return self.encoding.decode_without_bom_handling(bytes).0;
        }
        match ascii::text(bytes) {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(self.text(bytes, &mut ())),
        }
    }

    fn decode_mapped<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        if let Some(text) = ascii::text(bytes) {
            return MappedText::identity(text);
        }
        let mut marks = Marks::default();
        let text = self.text(bytes, &mut marks);
        MappedText::from_parts(Cow::Owned(text), marks)
    }

    fn letter(&self, bytes: &[u8]) -> Option<(char, usize)> {
        let byte = bytes.first().filter(|byte| !byte.is_ascii())?;
        Some((self.upper()[usize::from(byte & 0x7F)], 1))
    }

    fn can_encode(&self, ch: char) -> bool {
        whatwg::can_encode(self.encoding, ch)
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        whatwg::encode(self.encoding, text, out)
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
fn base() -> &'static Single {
    static BASE: Single = Single::new(encoding_rs::WINDOWS_1258);
    &BASE
}

impl Codec for Vietnamese {
    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        base().decode(bytes)
    }

    fn decode_mapped<'b>(&self, bytes: &'b [u8]) -> MappedText<'b> {
        base().decode_mapped(bytes)
    }

    fn letter(&self, bytes: &[u8]) -> Option<(char, usize)> {
        base().letter(bytes)
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

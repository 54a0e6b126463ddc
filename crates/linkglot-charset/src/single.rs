//! Single-byte charsets: every byte is a character.

use crate::ascii;
use crate::byte_sequences::ByteSequences;
use crate::codec::Codec;
use crate::mapped::{CharWidths, MappedText, Marks};
use crate::row::Row;
use crate::whatwg;
use encoding_rs::Encoding;
use std::borrow::Cow;
use std::sync::OnceLock;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, decompose_canonical};

/// Up to this many bytes are looked up one by one: a decoder of `encoding_rs` costs more to start.
const SHORT: usize = 512;

/// A single-byte charset that is a superset of ASCII.
pub(crate) struct Single {
    source: Source,
    /// The characters of the bytes from 80 to FF, filled at the first look-up.
    upper: OnceLock<[char; 128]>,
}

/// Source of the characters beyond ASCII.
enum Source {
    Whatwg(&'static Encoding),
    Row(Row),
}

impl Single {
    pub(crate) const fn new(encoding: &'static Encoding) -> Self {
        Single::of(Source::Whatwg(encoding))
    }

    pub(crate) const fn of_row(row: Row) -> Self {
        Single::of(Source::Row(row))
    }

    const fn of(source: Source) -> Self {
        Single {
            source,
            upper: OnceLock::new(),
        }
    }

    fn text(&self, bytes: &[u8], widths: &mut impl CharWidths) -> String {
        let upper = self.upper();
        let (mut text, mut rest) = (String::with_capacity(bytes.len() * 2), bytes);
        while !rest.is_empty() {
            let (ascii, others) = rest.split_at(Encoding::ascii_valid_up_to(rest));
            if !ascii.is_empty() {
                let ascii_text = std::str::from_utf8(ascii);
                debug_assert!(ascii_text.is_ok(), "ASCII is UTF-8");
                text.push_str(ascii_text.unwrap_or_default());
                widths.chars(ascii.len(), 1, 1);
            }
            let high = others.iter().take_while(|byte| !byte.is_ascii());
            rest = &others[high.clone().count()..];
            for byte in high {
                let ch = upper[usize::from(byte & 0x7F)];
                text.push(ch);
                widths.chars(1, ch.len_utf8(), 1);
            }
        }
        text
    }

    fn upper(&self) -> &[char; 128] {
        self.upper.get_or_init(|| {
            let bytes: [u8; 128] = std::array::from_fn(|at| at as u8 | 0x80);
            let encoding = match self.source {
                Source::Whatwg(encoding) => encoding,
                Source::Row(row) => {
                    let chars = row.chars();
                    return bytes.map(|byte| chars[usize::from(byte)]);
                }
            };
            let text = encoding.decode_without_bom_handling(&bytes).0;
            let mut chars = text.chars();
            bytes.map(|_| chars.next().unwrap_or(char::REPLACEMENT_CHARACTER))
        })
    }

    /// The byte of a character, by the table.
    fn byte(&self, ch: char) -> Option<u8> {
        if ch.is_ascii() {
            return u8::try_from(ch).ok();
        }
        let at = self.upper().iter().position(|&known| known == ch);
        let at = at.filter(|_| ch != char::REPLACEMENT_CHARACTER)?;
        Some(at as u8 | 0x80)
    }

    fn encode_by_table(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let before = out.len();
        for (at, ch) in text.char_indices() {
            let Some(byte) = self.byte(ch) else {
                out.truncate(before);
                return Err(at);
            };
            out.push(byte);
        }
        Ok(())
    }
}

impl Codec for Single {
    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        if let Source::Whatwg(encoding) = self.source
            && bytes.len() > SHORT
        {
            return encoding.decode_without_bom_handling(bytes).0;
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
        match self.source {
            Source::Whatwg(encoding) => whatwg::can_encode(encoding, ch),
            Source::Row(_) => self.byte(ch).is_some(),
        }
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        match self.source {
            Source::Whatwg(encoding) => whatwg::encode(encoding, text, out),
            Source::Row(_) => self.encode_by_table(text, out),
        }
    }

    /// Two bytes may be the same character: a decoder's table has both.
    fn add_byte_sequences(&self, sequences: &mut ByteSequences) {
        sequences.add_encoded(|text, out| self.encode(text, out));
        sequences.add_decoded(&[], (0x80..=0xFF).zip(self.upper().iter().copied()));
    }

    fn is_char_at(&self, window: &[u8], at: usize) -> bool {
        window.get(at).is_some_and(u8::is_ascii)
    }

    fn resync(&self, window: &[u8], at: usize) -> usize {
        at.min(window.len())
    }
}

/// windows-1258, which writes most Vietnamese letters as a base letter and a combining tone mark.
/// Text has them composed (NFC, RFC 3987 3.1 step 1b), so the encoder takes them apart.
pub(crate) struct Vietnamese;

/// windows-1258 as `encoding_rs` has it: without the composed letters.
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

    fn decomposes(&self, ch: char) -> bool {
        !base().can_encode(ch) && base_and_tone(ch).is_some()
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let before = out.len();
        let (mut rest, mut done) = (text, 0);
        while let Err(at) = base().encode(rest, out) {
            let (encodable, missing) = rest.split_at(at);
            let mut missing = missing.chars();
            let parts = missing
                .next()
                .and_then(base_and_tone)
                .map(String::from_iter);
            let is_written = base().encode(encodable, out).is_ok()
                && parts.is_some_and(|parts| base().encode(&parts, out).is_ok());
            if !is_written {
                out.truncate(before);
                return Err(done + at);
            }
            rest = missing.as_str();
            done = text.len() - rest.len();
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

/// The letter of windows-1258 and the tone mark, one of its five, that compose to `ch`.
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

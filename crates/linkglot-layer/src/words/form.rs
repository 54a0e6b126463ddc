//! The written form of encoded words (RFC 2047).

use super::parse::{Encoding, Word};
use linkglot_charset::Charset;

/// The characters of a word, with its delimiters (RFC 2047 section 2).
const WORD_LIMIT: usize = 75;
/// The characters of a line that has words (RFC 2047 section 2).
pub(super) const LINE_LIMIT: usize = 76;
/// The least characters of content, whatever the length of the label.
const LEAST_ROOM: usize = 24;

/// A character to write, and its encoded form if that is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit<'e> {
    pub(super) ch: char,
    pub(super) kept: Option<&'e [u8]>,
}

impl Unit<'_> {
    /// The characters of a new text.
    pub(super) fn all(text: &str) -> Vec<Unit<'static>> {
        let units = text.chars().map(|ch| Unit { ch, kept: None });
        units.collect()
    }
}

/// The form in which words are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form<'l> {
    label: &'l [u8],
    charset: Charset,
    encoding: Encoding,
    letter: u8,
}

impl<'l> Form<'l> {
    pub(super) fn of(word: &Word, label: &'l [u8]) -> Self {
        Form {
            label,
            charset: word.charset,
            encoding: word.encoding,
            letter: word.letter,
        }
    }

    /// UTF-8, in the shorter encoding.
    pub(super) fn utf8(units: &[Unit<'_>]) -> Form<'static> {
        let form = |encoding, letter| Form {
            label: b"utf-8",
            charset: Charset::UTF_8,
            encoding,
            letter,
        };
        let base64 = form(Encoding::Base64, b'B');
        let quoted = form(Encoding::Quoted, b'Q');
        if base64.content(units).len() < quoted.content(units).len() {
            base64
        } else {
            quoted
        }
    }

    /// Words of whole characters that decode to the text, with folds between them. `room` is what the first line has
    /// for the first word, of which it gets a character at least.
    pub(super) fn write(self, units: &[Unit<'_>], line_break: &[u8], room: usize) -> Vec<u8> {
        let frame = self.label.len() + b"=??Q??=".len();
        let further = WORD_LIMIT.saturating_sub(frame).max(LEAST_ROOM);
        let mut room = room.saturating_sub(frame).min(further);
        let mut written = Vec::new();
        let mut begin = 0;
        for at in 0..units.len() {
            let with = units.get(begin..=at).unwrap_or_default();
            if at > begin && self.content(with).len() > room {
                self.word(units.get(begin..at).unwrap_or_default(), &mut written);
                written.extend_from_slice(line_break);
                written.push(b' ');
                begin = at;
                room = further;
            }
        }
        self.word(units.get(begin..).unwrap_or_default(), &mut written);
        written
    }

    fn word(self, units: &[Unit<'_>], out: &mut Vec<u8>) {
        let encoding = [b'?', self.letter, b'?'];
        let content = self.content(units);
        for part in [b"=?", self.label, &encoding, &content, b"?="] {
            out.extend_from_slice(part);
        }
    }

    /// The content of a word. Characters keep their forms where these do not depend on each other.
    fn content(self, units: &[Unit<'_>]) -> Vec<u8> {
        if self.encoding == Encoding::Base64 || self.charset.is_stateful() {
            let text: String = units.iter().map(|unit| unit.ch).collect();
            return self.encoded(&text);
        }
        let mut content = Vec::new();
        for unit in units {
            match unit.kept {
                Some(kept) => content.extend_from_slice(kept),
                None => content.extend(self.encoded(unit.ch.encode_utf8(&mut [0; 4]))),
            }
        }
        content
    }

    fn encoded(self, text: &str) -> Vec<u8> {
        let mut octets = Vec::new();
        // The caller has checked that the text can be encoded.
        let encoded = self.charset.encode(text, &mut octets);
        debug_assert!(encoded.is_ok());
        match self.encoding {
            Encoding::Base64 => crate::base64::encode(&octets),
            Encoding::Quoted => octets.iter().flat_map(|&octet| quoted(octet)).collect(),
        }
    }
}

/// An octet as RFC 2047 4.2 writes it in unstructured fields.
fn quoted(octet: u8) -> impl Iterator<Item = u8> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or_default();
    let (written, len) = match octet {
        b' ' => ([b'_', 0, 0], 1),
        b'=' | b'?' | b'_' => ([b'=', digit(octet >> 4), digit(octet & 15)], 3),
        _ if octet.is_ascii_graphic() => ([octet, 0, 0], 1),
        _ => ([b'=', digit(octet >> 4), digit(octet & 15)], 3),
    };
    written.into_iter().take(len)
}

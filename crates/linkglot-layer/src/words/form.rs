//! The written form of encoded words (RFC 2047).

use super::parse::{Encoding, Word};
use linkglot_charset::Charset;

/// The characters of a word, with its delimiters (RFC 2047 section 2).
const WORD_LIMIT: usize = 75;
/// The least characters of content, whatever the length of the label.
const LEAST_ROOM: usize = 24;

/// The form in which words are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form<'l> {
    label: &'l [u8],
    charset: Charset,
    encoding: Encoding,
}

impl<'l> Form<'l> {
    pub(super) fn of(word: &Word, label: &'l [u8]) -> Self {
        Form {
            label,
            charset: word.charset,
            encoding: word.encoding,
        }
    }

    /// UTF-8, in the shorter encoding.
    pub(super) fn utf8(text: &str) -> Form<'static> {
        let form = |encoding| Form {
            label: b"utf-8",
            charset: Charset::UTF_8,
            encoding,
        };
        let width = |encoding| form(encoding).content(text).len();
        if width(Encoding::Base64) < width(Encoding::Quoted) {
            form(Encoding::Base64)
        } else {
            form(Encoding::Quoted)
        }
    }

    /// Words of whole characters that decode to the text, with folds between them.
    pub(super) fn write(self, text: &str, line_break: &[u8]) -> Vec<u8> {
        let room = WORD_LIMIT.saturating_sub(self.label.len() + b"=??Q??=".len());
        let room = room.max(LEAST_ROOM);
        let mut written = Vec::new();
        let mut begin = 0;
        for (at, ch) in text.char_indices() {
            let with = text.get(begin..at + ch.len_utf8()).unwrap_or_default();
            if at > begin && self.content(with).len() > room {
                self.word(text.get(begin..at).unwrap_or_default(), &mut written);
                written.extend_from_slice(line_break);
                written.push(b' ');
                begin = at;
            }
        }
        self.word(text.get(begin..).unwrap_or_default(), &mut written);
        written
    }

    fn word(self, text: &str, out: &mut Vec<u8>) {
        let encoding: &[u8] = match self.encoding {
            Encoding::Base64 => b"?B?",
            Encoding::Quoted => b"?Q?",
        };
        let content = self.content(text);
        for part in [b"=?", self.label, encoding, &content, b"?="] {
            out.extend_from_slice(part);
        }
    }

    fn content(self, text: &str) -> Vec<u8> {
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

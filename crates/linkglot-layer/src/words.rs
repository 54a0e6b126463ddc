//! Encoded words (RFC 2047) in the raw values of header fields.

mod form;
mod outside;
mod parse;
mod write;

pub(super) use write::Writer;

use super::Layer;
use super::positions::Positions;
use linkglot_charset::ranges::{slice, tail};
use linkglot_charset::span::TextSpan;
use linkglot_charset::{Charset, KnownBytes};
use memchr::memmem;
use parse::{Encoding, Word};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// The text of a field.
#[derive(Clone, Debug)]
pub(super) struct Words<'e> {
    encoded: Cow<'e, [u8]>,
    text: String,
    positions: Positions,
    pieces: Vec<Piece>,
}

/// A part of a field.
#[derive(Clone, Debug)]
struct Piece {
    encoded: Range<usize>,
    text: Range<usize>,
    /// The words, all in one charset, with only white space between them. None for text outside of words.
    words: Vec<Word>,
    /// True if bytes outside of words hold no `=?`, which words begin with.
    is_plain: bool,
    /// True if the text of words can be written again; computed on demand.
    is_writable: OnceLock<bool>,
    /// The bytes that the labels of the words promise, each set once; computed on demand.
    known: OnceLock<Vec<KnownBytes>>,
}

impl<'e> Words<'e> {
    pub(super) fn decode(encoded: &'e [u8]) -> Self {
        let mut words = Words {
            encoded: Cow::Borrowed(encoded),
            text: String::new(),
            positions: Positions::default(),
            pieces: Vec::new(),
        };
        let mut adjacent = Vec::<Word>::new();
        let mut from = 0;
        for word in parse::words(encoded) {
            let gap = from..word.range.start;
            from = word.range.end;
            // The white space between adjacent words is not displayed (RFC 2047 6.2).
            let is_white = slice(encoded, gap.clone())
                .iter()
                .all(u8::is_ascii_whitespace);
            let last = adjacent.last().filter(|_| is_white);
            let is_adjacent = last.is_some();
            if !last.is_some_and(|last| last.charset == word.charset) {
                words.decode_words(std::mem::take(&mut adjacent));
            }
            if !is_adjacent {
                words.plain(gap);
            }
            adjacent.push(word);
        }
        words.decode_words(adjacent);
        words.plain(from..encoded.len());
        words
    }

    pub(super) fn encoded(&self) -> &[u8] {
        &self.encoded
    }

    pub(super) fn encoded_mut(&mut self) -> &mut Cow<'e, [u8]> {
        &mut self.encoded
    }

    pub(super) fn over(self, encoded: Cow<'_, [u8]>) -> Words<'_> {
        Words { encoded, ..self }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    pub(super) fn positions(&self) -> &Positions {
        &self.positions
    }

    /// Decodes adjacent words in one charset: together, since some writers cut characters, but one by one in a charset
    /// with shift states, which begin anew in each word (RFC 2047 section 3).
    fn decode_words(&mut self, words: Vec<Word>) {
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return;
        };
        let begin = self.text.len();
        let together = if first.charset.is_stateful() {
            1
        } else {
            words.len()
        };
        for words in words.chunks(together) {
            let octets = octets(words, &self.encoded);
            let decoded = first.charset.decode_mapped(&octets.bytes);
            for (at, ch) in decoded.text().char_indices() {
                let span = TextSpan::new(at, at + ch.len_utf8());
                self.char(ch, slice(&octets.places, decoded.source(span)));
            }
        }
        self.pieces.push(Piece {
            encoded: first.range.start..last.range.end,
            text: begin..self.text.len(),
            words,
            is_plain: false,
            is_writable: OnceLock::new(),
            known: OnceLock::new(),
        });
    }

    /// Adds a character of words, whose octets stand at `places`.
    fn char(&mut self, ch: char, places: &[Range<usize>]) {
        let from = self.text.len();
        self.text.push(ch);
        let ([first, ..], [.., last]) = (places, places) else {
            return;
        };
        let source = first.start..last.end;
        let raw = slice(&self.encoded, source.clone());
        if raw == ch.encode_utf8(&mut [0; 4]).as_bytes() {
            self.positions.literal(from, source.start)
        } else {
            self.positions.unit(from..self.text.len(), source)
        }
    }

    /// Adds text outside of words.
    fn plain(&mut self, encoded: Range<usize>) {
        if encoded.is_empty() {
            return;
        }
        let at = self.text.len();
        let end = encoded.end;
        let mut from = encoded.start;
        while let Some((fold, blank)) = next_fold(slice(&self.encoded, from..end)) {
            self.raw(from..from + fold.start);
            let unit = self.text.len();
            self.text.push(blank);
            self.positions
                .unit(unit..unit + 1, from + fold.start..from + fold.end);
            from += fold.end;
        }
        self.raw(from..end);
        let bytes = slice(&self.encoded, encoded.clone());
        self.pieces.push(Piece {
            is_plain: memmem::find(bytes, b"=?").is_none(),
            encoded,
            text: at..self.text.len(),
            words: Vec::new(),
            is_writable: OnceLock::new(),
            known: OnceLock::new(),
        });
    }

    /// Adds bytes that are UTF-8, or else windows-1252.
    fn raw(&mut self, encoded: Range<usize>) {
        let mut at = encoded.start;
        for chunk in slice(&self.encoded, encoded).utf8_chunks() {
            if !chunk.valid().is_empty() {
                self.positions.literal(self.text.len(), at);
                self.text.push_str(chunk.valid());
                at += chunk.valid().len();
            }
            for byte in chunk.invalid() {
                let from = self.text.len();
                self.text.push_str(&Charset::WINDOWS_1252.decode(&[*byte]));
                self.positions.unit(from..self.text.len(), at..at + 1);
                at += 1;
            }
        }
    }
}

/// The first fold: a line break and a blank, which decode to the blank (RFC 5322 2.2.3).
fn next_fold(bytes: &[u8]) -> Option<(Range<usize>, char)> {
    memchr::memchr_iter(b'\n', bytes).find_map(|at| {
        let blank = *bytes.get(at + 1)?;
        let has_return = bytes.get(at.wrapping_sub(1)) == Some(&b'\r');
        let fold = at - usize::from(has_return)..at + 2;
        matches!(blank, b' ' | b'\t').then_some((fold, char::from(blank)))
    })
}

/// The octets of words, each with its encoded range.
#[derive(Default)]
struct Octets {
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
}

fn octets(words: &[Word], encoded: &[u8]) -> Octets {
    let mut octets = Octets::default();
    for word in words {
        let content = slice(encoded, word.content.clone());
        let begin = word.content.start;
        match word.encoding {
            Encoding::Base64 => octets.base64(content, begin),
            Encoding::Quoted => octets.quoted(content, begin),
        }
    }
    octets
}

impl Octets {
    fn base64(&mut self, content: &[u8], begin: usize) {
        let decoded = Layer::Base64.decode(content);
        for (at, &byte) in decoded.bytes().iter().enumerate() {
            let source = decoded.source(at..at + 1);
            // The places of octets do not overlap: a character belongs to the octet that begins in it.
            let next = decoded.source(at + 1..at + 1).start;
            let end = if at + 1 < decoded.bytes().len() {
                next
            } else {
                source.end
            };
            self.push(byte, begin + source.start..begin + end.min(source.end));
        }
    }

    /// Decodes the Q encoding (RFC 2047 4.2). A malformed `=` stands for itself.
    fn quoted(&mut self, content: &[u8], begin: usize) {
        let mut at = 0;
        while let Some(&byte) = content.get(at) {
            let (byte, len) = match byte {
                b'_' => (b' ', 1),
                b'=' => escape(tail(content, at + 1)).map_or((b'=', 1), |byte| (byte, 3)),
                _ => (byte, 1),
            };
            self.push(byte, begin + at..begin + at + len);
            at += len;
        }
    }

    fn push(&mut self, byte: u8, place: Range<usize>) {
        self.bytes.push(byte);
        self.places.push(place);
    }
}

/// The octet of two hexadecimal digits.
fn escape(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    Some((digit(0)? << 4 | digit(1)?) as u8)
}

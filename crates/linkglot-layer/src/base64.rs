//! Base64 (RFC 2045 6.8). The one door to `base64_simd`.

mod places;
mod write;

pub(super) use write::Writer;

use base64_simd::{STANDARD, STANDARD_NO_PAD};
use linkglot_charset::ranges::{slice, tail};
use places::Places;
use std::borrow::Cow;
use std::ops::Range;

/// The bytes that four characters stand for.
const GROUP_BYTES: usize = 3;

/// The characters of a group.
const GROUP_CHARS: usize = 4;

/// A body and its decoded bytes.
#[derive(Clone, Debug)]
pub(super) struct Base64<'e> {
    encoded: Cow<'e, [u8]>,
    bytes: Vec<u8>,
    places: Places,
    /// The end of the characters, behind any padding that ends them.
    end: usize,
}

/// The characters of a body, without anything between them.
struct Characters {
    characters: Vec<u8>,
    places: Places,
    end: usize,
}

impl<'e> Base64<'e> {
    pub(super) fn decode(encoded: &'e [u8]) -> Self {
        let (bytes, places, end) = plain(encoded).unwrap_or_else(|| {
            let found = pick(encoded);
            let bytes = decoded(found.characters).unwrap_or_default();
            (bytes, found.places, found.end)
        });
        Base64 {
            encoded: Cow::Borrowed(encoded),
            bytes,
            places,
            end,
        }
    }

    pub(super) fn encoded(&self) -> &[u8] {
        &self.encoded
    }

    pub(super) fn encoded_mut(&mut self) -> &mut Cow<'e, [u8]> {
        &mut self.encoded
    }

    pub(super) fn over(self, encoded: Cow<'_, [u8]>) -> Base64<'_> {
        Base64 { encoded, ..self }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn source(&self, decoded: Range<usize>) -> Range<usize> {
        let len = self.bytes.len();
        let end = decoded.end.min(len);
        let start = decoded.start.min(len);
        let begin = match start {
            start if start < len || len == 0 => self.char_at(first_char(start)),
            _ => self.char_end(first_char(len - 1) + 1),
        };
        if end > start {
            begin..self.char_end(first_char(end - 1) + 1)
        } else {
            begin..begin
        }
    }

    pub(super) fn decoded_at(&self, encoded: usize) -> usize {
        let character = self.places.char_from(encoded, &self.encoded);
        let (group, rest) = (character / GROUP_CHARS, character % GROUP_CHARS);
        (group * GROUP_BYTES + rest).min(self.bytes.len())
    }

    /// The position of a character, or the end of the last one if there is no such character.
    fn char_at(&self, character: usize) -> usize {
        self.places
            .place(character, &self.encoded)
            .unwrap_or_else(|| match character {
                0 => 0,
                _ => self.char_end(character - 1),
            })
    }

    /// The end of a character, or the end of the text if there is no such character.
    fn char_end(&self, character: usize) -> usize {
        let place = self.places.place(character, &self.encoded);
        place.map_or(self.end, |place| place + 1)
    }
}

/// True if a body consists of characters of the alphabet and white space, with correct padding at the end, or none.
pub(super) fn is_clean(encoded: &[u8]) -> bool {
    let padding = memchr::memchr(b'=', encoded).unwrap_or(encoded.len());
    let (body, padding) = encoded.split_at(padding);
    let padding = padding.trim_ascii_end();
    let is_character = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let characters = body.iter().filter(|byte| is_character(byte)).count();
    let blanks = body
        .iter()
        .filter(|byte| byte.is_ascii_whitespace())
        .count();
    let rest = characters % GROUP_CHARS;
    characters + blanks == body.len()
        && match padding {
            b"" => rest != 1,
            b"=" => rest == 3,
            b"==" => rest == 2,
            _ => false,
        }
}

/// The character in which a byte begins. The byte ends in the next character.
fn first_char(byte: usize) -> usize {
    byte / GROUP_BYTES * GROUP_CHARS + byte % GROUP_BYTES
}

/// A body of lines without junk, except at the end.
fn plain(encoded: &[u8]) -> Option<(Vec<u8>, Places, usize)> {
    let padding = memchr::memchr(b'=', encoded);
    let body = slice(encoded, 0..padding.unwrap_or(encoded.len()));
    let mut characters = Vec::with_capacity(body.len());
    let mut places = places::Uniform::default();
    let mut from = 0;
    while from < body.len() {
        let rest = tail(body, from);
        let end = memchr::memchr(b'\n', rest);
        let line = slice(rest, 0..end.unwrap_or(rest.len()));
        let content = line.strip_suffix(b"\r").unwrap_or(line);
        characters.extend_from_slice(content);
        let whole = end.map_or(line.len(), |end| end + 1);
        places.line(content.len(), whole - content.len());
        from += whole;
    }
    let count = characters.len();
    let bytes = decoded(characters)?;
    let places = places.finish(count);
    let end = match padding {
        Some(at) => padding_end(encoded, at, count % GROUP_CHARS)?,
        None => places
            .place(count.wrapping_sub(1), encoded)
            .map_or(0, |last| last + 1),
    };
    Some((bytes, places, end))
}

/// The end of the padding that begins at a position behind `filled` characters of a group, if it is complete.
fn padding_end(encoded: &[u8], at: usize, filled: usize) -> Option<usize> {
    match filled {
        3 => Some(at + 1),
        2 => {
            let rest = tail(encoded, at + 1);
            let next = rest.iter().position(|byte| !byte.is_ascii_whitespace());
            let second = next.filter(|&next| rest.get(next) == Some(&b'='));
            second.map(|second| at + second + 2)
        }
        _ => None,
    }
}

/// The characters of any body. As in CPython's `binascii.a2b_base64`, padding that completes a group ends the text, and
/// other padding is junk.
fn pick(encoded: &[u8]) -> Characters {
    let mut characters = Vec::with_capacity(encoded.len());
    let (mut padding, mut end) = (0, 0);
    for (at, &byte) in encoded.iter().enumerate() {
        if is_character(byte) {
            characters.push(byte);
            (padding, end) = (0, at + 1);
        } else if byte == b'=' {
            let filled = characters.len() % GROUP_CHARS;
            padding += usize::from(filled >= 2);
            if padding > 0 && filled + padding >= GROUP_CHARS {
                end = at + 1;
                break;
            }
        }
    }
    Characters {
        places: Places::irregular(characters.len()),
        characters,
        end,
    }
}

fn is_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// Decodes characters. Trailing bits that make no whole byte are dropped. `None` if a character is not in the alphabet.
fn decoded(mut characters: Vec<u8>) -> Option<Vec<u8>> {
    let filled = characters.len() % GROUP_CHARS;
    // A single character is less than a byte.
    let dropped = match filled {
        1 => characters.pop(),
        _ => None,
    };
    if dropped.is_some_and(|byte| !is_character(byte)) {
        return None;
    }
    // The decoder refuses trailing bits that are not zero.
    if let 2 | 3 = filled
        && let Some(last) = characters.last_mut()
    {
        *last = without_low_bits(*last, 2 * (GROUP_CHARS - filled))?;
    }
    let len = STANDARD_NO_PAD.decode_inplace(&mut characters).ok()?.len();
    characters.truncate(len);
    Some(characters)
}

/// The character with its last bits set to zero.
fn without_low_bits(character: u8, bits: usize) -> Option<u8> {
    let alphabet = STANDARD.charset();
    let value = alphabet.iter().position(|&byte| byte == character)?;
    alphabet.get(value >> bits << bits).copied()
}

/// The characters of bytes, with padding.
pub(super) fn encode(bytes: &[u8]) -> Vec<u8> {
    STANDARD.encode_type(bytes)
}

//! Percent-encoding (RFC 3986 2.1): what stays as it is, how octets are written and read.

use super::unsure;
use crate::ascii::hex_value;
use std::borrow::Cow;

/// ASCII characters that no IRI has: space, `"<>\^` and the like, and the controls.
pub(super) const DISALLOWED: u8 = 1 << 0;
/// Bytes of characters beyond ASCII.
pub(super) const WIDE: u8 = 1 << 1;
/// The percent sign.
pub(super) const PERCENT: u8 = 1 << 2;

static KINDS: [u8; 256] = kinds();

const fn kinds() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            0..=b' ' | 0x7F => DISALLOWED,
            b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => DISALLOWED,
            b'%' => PERCENT,
            0x80.. => WIDE,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// The kind of a byte; 0 for `unreserved` and `reserved`.
#[inline(always)]
pub(super) fn kind(byte: u8) -> u8 {
    KINDS[byte as usize]
}

/// The kinds of all bytes of a text.
#[inline]
pub(super) fn survey(text: &str) -> u8 {
    text.bytes().fold(0, |kinds, byte| kinds | kind(byte))
}

/// The three characters of each octet, in upper case (RFC 3986 2.1).
static ESCAPES: [[u8; 3]; 256] = escapes();

const fn escapes() -> [[u8; 3]; 256] {
    let digits = b"0123456789ABCDEF";
    let mut table = [[b'%'; 3]; 256];
    let mut octet = 0;
    while octet < 256 {
        table[octet][1] = digits[octet >> 4];
        table[octet][2] = digits[octet & 15];
        octet += 1;
    }
    table
}

/// What each byte becomes: itself when it is ASCII, else its escape. The last byte has the length of
/// that in its two low bits, and above them the kind of the byte.
static WRITTEN: [[u8; 4]; 256] = written();

const fn written() -> [[u8; 4]; 256] {
    let mut table = [[0; 4]; 256];
    let mut byte = 0;
    while byte < 256 {
        let [percent, high, low] = ESCAPES[byte];
        table[byte] = match byte {
            ..0x80 => [byte as u8, 0, 0, 1 | KINDS[byte] << 2],
            _ => [percent, high, low, 3 | KINDS[byte] << 2],
        };
        byte += 1;
    }
    table
}

/// What there is in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Survey {
    /// The kinds of all bytes.
    pub(super) kinds: u8,
    /// Whether characters must be looked at (see [`unsure`]).
    pub(super) is_unsure: bool,
}

/// Appends a text with the bytes of its characters beyond ASCII percent-encoded, and says what there
/// is in it. No branch depends on that, because scripts and delimiters take turns.
#[inline]
pub(super) fn push_encoded(out: &mut Vec<u8>, text: &str) -> Survey {
    let start = out.len();
    // One more, because four bytes are written each time.
    out.resize(start + 3 * text.len() + 1, 0);
    let (mut kinds, mut unsure, mut before) = (0, 0, 0);
    let mut length = 0;
    let places = &mut out[start..];
    for byte in text.bytes() {
        let written = &WRITTEN[usize::from(byte)];
        if let Some(place) = places.get_mut(length..length + 4) {
            place.copy_from_slice(written);
        }
        length += usize::from(written[3] & 3);
        kinds |= written[3];
        unsure |= unsure::pair(before, byte);
        before = byte;
    }
    out.truncate(start + length);
    Survey {
        kinds: kinds >> 2,
        is_unsure: unsure != 0,
    }
}

/// The end of a run of characters, from the text's beginning on, that stay as they are, and whether
/// there is a percent sign among them or close behind. The end of the longest one, or a little less.
#[inline]
pub(super) fn plain_prefix(bytes: &[u8]) -> (usize, bool) {
    const LANE: usize = 16;
    let mut percent = false;
    let mut at = 0;
    while bytes.len() - at >= LANE {
        let (stops, percents) = surveyed(&bytes[at..at + LANE]);
        percent |= percents;
        if stops {
            return (at, percent);
        }
        at += LANE;
    }
    if at > 0 && at < bytes.len() {
        // The last bytes together with some of those before.
        let (stops, percents) = surveyed(&bytes[bytes.len() - LANE..]);
        percent |= percents;
        if !stops {
            at = bytes.len();
        }
    }
    (at, percent)
}

/// Whether there are bytes that do not stay as they are, and whether there are percent signs. All
/// comparisons at once for many bytes, without a table: the compiler makes vectors of them.
#[inline(always)]
fn surveyed(lane: &[u8]) -> (bool, bool) {
    let (mut stops, mut percents) = (0, 0);
    for &byte in lane {
        // As a signed number, a byte beyond ASCII is less than a space.
        let stop = (byte as i8 <= 0x20)
            | (byte == b'"')
            | (byte & !2 == b'<')
            | (byte & !2 == b'\\')
            | (byte == b'`')
            | ((byte > b'z') & (byte != b'~'));
        stops |= u8::from(stop);
        percents |= u8::from(byte == b'%');
    }
    (stops != 0, percents != 0)
}

/// Appends octets, each percent-encoded.
#[inline]
pub(super) fn push_octets(out: &mut Vec<u8>, octets: &[u8]) {
    let start = out.len();
    out.resize(start + 3 * octets.len(), 0);
    for (escape, &octet) in out[start..].chunks_exact_mut(3).zip(octets) {
        escape.copy_from_slice(&ESCAPES[usize::from(octet)]);
    }
}

/// Appends a character, percent-encoded in UTF-8.
pub(crate) fn push_char(out: &mut String, ch: char) {
    for &octet in ch.encode_utf8(&mut [0; 4]).as_bytes() {
        out.extend(ESCAPES[usize::from(octet)].map(char::from));
    }
}

/// The octet that is percent-encoded at `at`.
#[inline]
pub(super) fn octet_at(bytes: &[u8], at: usize) -> Option<u8> {
    match bytes.get(at..)? {
        [b'%', high, low, ..] => {
            let (high, low) = (HEX[usize::from(*high)], HEX[usize::from(*low)]);
            (high | low < 16).then_some(high << 4 | low)
        }
        _ => None,
    }
}

/// The values of hexadecimal digits; 16 for other bytes.
static HEX: [u8; 256] = hex();

const fn hex() -> [u8; 256] {
    let mut table = [16; 256];
    let mut byte = 0;
    while byte < 256 {
        if let Some(value) = hex_value(byte as u8) {
            table[byte] = value;
        }
        byte += 1;
    }
    table
}

/// Whether every `%` begins a percent-encoded octet.
pub(super) fn is_well_formed(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte != b'%' {
            let Some(length) = memchr::memchr(b'%', &bytes[at..]) else {
                return true;
            };
            at += length;
        }
        if octet_at(bytes, at).is_none() {
            return false;
        }
        at += 3;
    }
    true
}

/// Whether a character that an escape is undone to would make an escape of a bare percent sign before it.
pub(super) fn would_complete(before: &str, ch: char) -> bool {
    ch.is_ascii_hexdigit()
        && match before.as_bytes() {
            [.., b'%'] => true,
            [.., b'%', digit] => digit.is_ascii_hexdigit(),
            _ => false,
        }
}

/// Undoes all percent-encoding. A `%` that begins none stays. `None` when the result is not UTF-8.
pub(super) fn decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let octet = octet_at(bytes, at);
        out.push(octet.unwrap_or(byte));
        at += if octet.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).ok().map(Cow::Owned)
}

/// The character whose UTF-8 octets (RFC 3629: no overlong forms, no surrogates) are
/// percent-encoded from `start` on, where the octet `lead` is. `None` for ASCII too.
pub(super) fn wide_char_at(bytes: &[u8], start: usize, lead: u8) -> Option<char> {
    let length = match lead {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let mut code = u32::from(lead) & (0x7F >> length);
    for place in 1..length {
        let octet = octet_at(bytes, start + 3 * place)?;
        if octet & 0xC0 != 0x80 {
            return None;
        }
        code = code << 6 | u32::from(octet & 0x3F);
    }
    let ch = char::from_u32(code)?;
    (ch.len_utf8() == length).then_some(ch)
}

/// The first percent-encoded octet beyond ASCII that is not part of a character in UTF-8.
pub(super) fn first_not_utf8(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at += match octet_at(bytes, at) {
            None => 1,
            Some(..0x80) => 3,
            Some(octet) => match wide_char_at(bytes, at, octet) {
                Some(ch) => 3 * ch.len_utf8(),
                None => return Some(at),
            },
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_octet_has_its_escape() {
        for octet in 0..=255u8 {
            let mut out = Vec::new();
            push_octets(&mut out, &[octet]);
            assert_eq!(out, format!("%{octet:02X}").into_bytes());
            assert_eq!(octet_at(&out, 0), Some(octet));
        }
    }

    #[test]
    fn all_bytes_at_once_and_one_by_one() {
        for byte in 0..=255u8 {
            let stays = kind(byte) & (DISALLOWED | WIDE) == 0;
            for at in 0..20 {
                let mut bytes = [b'a'; 20];
                bytes[at] = byte;
                let (end, percent) = plain_prefix(&bytes);
                assert_eq!(end == bytes.len(), stays, "{byte} at {at}");
                assert!(stays || end <= at);
                assert!(percent || !bytes[..end].contains(&b'%'));
            }
        }
    }

    #[test]
    fn texts_are_encoded_byte_by_byte() {
        let mut out = b"x".to_vec();
        let found = push_encoded(&mut out, "/é日😀 %");
        assert_eq!(out, b"x/%C3%A9%E6%97%A5%F0%9F%98%80 %");
        assert_eq!(found.kinds, survey("/é日😀 %"));
        assert!(!found.is_unsure);
        let nothing = push_encoded(&mut out, "");
        assert_eq!((nothing.kinds, nothing.is_unsure), (0, false));
        for text in ["e\u{301}", "\u{202E}", "?\u{E000}", "\u{85}"] {
            let found = push_encoded(&mut out, text);
            assert_eq!((found.kinds, found.is_unsure), (WIDE, true), "{text:?}");
        }
    }

    #[test]
    fn escaped_characters_are_those_of_utf8() {
        let escaped = |octets: &[u8]| {
            let mut out = Vec::new();
            push_octets(&mut out, octets);
            wide_char_at(&out, 0, octets[0])
        };
        for ch in '\u{80}'..=char::MAX {
            assert_eq!(escaped(ch.encode_utf8(&mut [0; 4]).as_bytes()), Some(ch));
        }
        for octets in [
            &b"\xC1\xBF"[..],
            b"\xC3\x41",
            b"\xC3\xC3",
            b"\xE0\x9F\xBF",
            b"\xED\xA0\x80",
            b"\xF0\x8F\xBF\xBF",
            b"\xF4\x90\x80\x80",
            b"\xF5\x80\x80\x80",
            b"\x80\x80",
            b"\xE4\xB8",
        ] {
            assert_eq!(escaped(octets), None, "{octets:x?}");
        }
    }

    #[test]
    fn what_begins_no_octet() {
        for text in ["%", "%4", "%4g", "%g4", "%%41", ""] {
            assert_eq!(octet_at(text.as_bytes(), 0), None, "{text}");
        }
        assert_eq!(octet_at(b"%4", 7), None);
        assert!(!is_well_formed("/a%2"));
        assert!(is_well_formed("/a%2f%C3"));
    }

    #[test]
    fn decoding_keeps_bare_percents_and_refuses_other_charsets() {
        assert_eq!(decoded("r%C3%a9%%41%zz").as_deref(), Some("ré%A%zz"));
        assert_eq!(decoded("%E9"), None);
        assert_eq!(decoded("%C0%AF"), None);
    }
}

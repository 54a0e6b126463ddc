//! Percent-encoding (RFC 3986 2.1).

use crate::prefilter;
use linkglot_charset::ascii::percent_octet;
use std::borrow::Cow;

/// ASCII characters that no IRI may have: space, ``"<>\^`{|}`` and the controls.
pub(crate) const DISALLOWED: u8 = 1 << 0;
/// Bytes of characters beyond ASCII.
pub(crate) const NON_ASCII: u8 = 1 << 1;
/// The percent sign.
pub(crate) const PERCENT: u8 = 1 << 2;

static KINDS: [u8; 256] = kinds();

const fn kinds() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            0..=b' ' | 0x7F => DISALLOWED,
            b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => DISALLOWED,
            b'%' => PERCENT,
            0x80.. => NON_ASCII,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// The kind of a byte; 0 for `unreserved` and `reserved`.
#[inline(always)]
pub(crate) fn kind(byte: u8) -> u8 {
    KINDS[byte as usize]
}

/// The kinds of all bytes of a text.
#[inline]
pub(crate) fn kinds_of(text: &str) -> u8 {
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

/// [`ESCAPES`] as text.
static ESCAPE_TEXTS: [&str; 256] = {
    let mut table = [""; 256];
    let mut octet = 0;
    while octet < 256 {
        if let Ok(text) = std::str::from_utf8(&ESCAPES[octet]) {
            table[octet] = text;
        }
        octet += 1;
    }
    table
};

/// The encoded form of each byte: itself when it is ASCII, else its escape. The last byte holds the length of this form
/// in its two low bits, and the kind of the byte above them.
static ENCODED: [[u8; 4]; 256] = encoded();

const fn encoded() -> [[u8; 4]; 256] {
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

/// The kinds of bytes and characters in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Census {
    /// The kinds of all bytes.
    pub(crate) kinds: u8,
    /// True if the tables must judge the characters: see [`prefilter`].
    pub(crate) is_suspect: bool,
}

/// Appends a text with its characters beyond ASCII percent-encoded, and takes its census. No branch
/// depends on the text: scripts and delimiters alternate, so branches would be mispredicted.
#[inline]
pub(crate) fn push_encoded(out: &mut Vec<u8>, text: &str) -> Census {
    let start = out.len();
    // One more, because each step writes four bytes.
    out.resize(start + 3 * text.len() + 1, 0);
    let (mut kinds, mut suspects, mut before) = (0, 0, 0);
    let mut length = 0;
    let target = &mut out[start..];
    for byte in text.bytes() {
        let encoded = &ENCODED[usize::from(byte)];
        let place = target.get_mut(length..).and_then(<[u8]>::first_chunk_mut);
        if let Some(place) = place {
            *place = *encoded;
        }
        length += usize::from(encoded[3] & 3);
        kinds |= encoded[3];
        suspects |= prefilter::suspect_pair(before, byte);
        before = byte;
    }
    out.truncate(start + length);
    Census {
        kinds: kinds >> 2,
        is_suspect: suspects != 0,
    }
}

/// The length of a prefix that mapping leaves unchanged, and true if it, or the text just behind, has a percent sign.
/// The prefix is the longest, or up to sixteen bytes shorter.
#[inline]
pub(crate) fn plain_prefix(bytes: &[u8]) -> (usize, bool) {
    const LANE: usize = 16;
    let mut percent = false;
    let mut at = 0;
    while bytes.len() - at >= LANE {
        let (stops, percents) = scan(&bytes[at..at + LANE]);
        percent |= percents;
        if stops {
            return (at, percent);
        }
        at += LANE;
    }
    if at > 0 && at < bytes.len() {
        // The last bytes, with some before them.
        let (stops, percents) = scan(&bytes[bytes.len() - LANE..]);
        percent |= percents;
        if !stops {
            at = bytes.len();
        }
    }
    (at, percent)
}

/// True if mapping changes any of the bytes, and true if a byte is a percent sign. Comparisons replace a table, because
/// the compiler makes vectors of them.
#[inline(always)]
fn scan(lane: &[u8]) -> (bool, bool) {
    let (mut stops, mut percents) = (0, 0);
    for &byte in lane {
        // As a signed number, a byte beyond ASCII is below a space.
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
pub(crate) fn push_octets(out: &mut Vec<u8>, octets: &[u8]) {
    let start = out.len();
    out.resize(start + 3 * octets.len(), 0);
    for (escape, &octet) in out[start..].chunks_exact_mut(3).zip(octets) {
        escape.copy_from_slice(&ESCAPES[usize::from(octet)]);
    }
}

/// Appends octets of characters beyond ASCII of a query in a legacy charset, each percent-encoded, but for the
/// delimiters of forms: browsers send these as they are (URL Standard, percent-encode after encoding), and servers read
/// them. Only characters in ISO-2022-JP have such octets.
pub(crate) fn push_query_octets(out: &mut Vec<u8>, octets: &[u8]) {
    for &octet in octets {
        if is_form_delimiter(octet) {
            out.push(octet);
        } else {
            out.extend_from_slice(&ESCAPES[usize::from(octet)]);
        }
    }
}

/// True for an octet that servers may read as a delimiter in a query, or as a space.
pub(crate) fn is_form_delimiter(octet: u8) -> bool {
    matches!(octet, b'&' | b'=' | b'+' | b';')
}

/// Appends an octet, percent-encoded.
#[inline]
pub(crate) fn push_escape(out: &mut String, octet: u8) {
    out.push_str(ESCAPE_TEXTS[usize::from(octet)]);
}

/// Appends a character, percent-encoded in UTF-8.
///
/// ```
/// let mut out = String::from("/");
/// linkglot_iri::push_percent_encoded(&mut out, 'é');
/// assert_eq!(out, "/%C3%A9");
/// ```
pub fn push_char(out: &mut String, ch: char) {
    for &octet in ch.encode_utf8(&mut [0; 4]).as_bytes() {
        push_escape(out, octet);
    }
}

/// The octet that is percent-encoded at `at`.
#[inline]
pub(crate) fn octet_at(bytes: &[u8], at: usize) -> Option<u8> {
    percent_octet(bytes.get(at..)?)
}

/// True if every `%` begins a percent-encoded octet.
pub(crate) fn is_well_formed(text: &str) -> bool {
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

/// True if a decoded character would complete an escape whose bare percent sign stands before it.
pub(crate) fn would_complete(before: &str, ch: char) -> bool {
    ch.is_ascii_hexdigit()
        && match before.as_bytes() {
            [.., b'%'] => true,
            [.., b'%', digit] => digit.is_ascii_hexdigit(),
            _ => false,
        }
}

/// Undoes all percent-encoding. A `%` that begins no escape stays.
pub(crate) fn decoded_bytes(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    if memchr::memchr(b'%', bytes).is_none() {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let octet = octet_at(bytes, at);
        out.push(octet.unwrap_or(byte));
        at += if octet.is_some() { 3 } else { 1 };
    }
    Cow::Owned(out)
}

/// A text with all percent-encoding undone, once (RFC 3986 2.1). A `%` that begins no escape stays. `None` when the
/// result is not UTF-8. Linear.
///
/// ```
/// use linkglot_iri::percent_decoded;
///
/// assert_eq!(percent_decoded("%C3%A9%2525%").as_deref(), Some("\u{e9}%25%"));
/// assert_eq!(percent_decoded("%E9"), None);
/// ```
pub fn decoded(text: &str) -> Option<Cow<'_, str>> {
    match decoded_bytes(text) {
        Cow::Borrowed(_) => Some(Cow::Borrowed(text)),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    }
}

/// The character beyond ASCII whose UTF-8 octets (RFC 3629: no overlong forms, no surrogates) are
/// percent-encoded from `start` on; `lead` is the first of them.
pub(crate) fn char_at(bytes: &[u8], start: usize, lead: u8) -> Option<char> {
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

/// The position of the first percent-encoded octet that is not part of a character in UTF-8.
pub(crate) fn first_not_utf8(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at += match octet_at(bytes, at) {
            None => 1,
            Some(..0x80) => 3,
            Some(octet) => match char_at(bytes, at, octet) {
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
    fn lanes_and_single_bytes_agree() {
        for byte in 0..=255u8 {
            let is_unchanged = kind(byte) & (DISALLOWED | NON_ASCII) == 0;
            for at in 0..20 {
                let mut bytes = [b'a'; 20];
                bytes[at] = byte;
                let (end, percent) = plain_prefix(&bytes);
                assert_eq!(end == bytes.len(), is_unchanged, "{byte} at {at}");
                assert!(is_unchanged || end <= at);
                assert!(percent || !bytes[..end].contains(&b'%'));
            }
        }
    }

    #[test]
    fn encoding_takes_a_census() {
        let mut out = b"x".to_vec();
        let census = push_encoded(&mut out, "/é日😀 %");
        assert_eq!(out, b"x/%C3%A9%E6%97%A5%F0%9F%98%80 %");
        assert_eq!(census.kinds, kinds_of("/é日😀 %"));
        assert!(!census.is_suspect);
        let empty = push_encoded(&mut out, "");
        assert_eq!((empty.kinds, empty.is_suspect), (0, false));
        for text in ["e\u{301}", "\u{202E}", "?\u{E000}", "\u{85}"] {
            let census = push_encoded(&mut out, text);
            assert_eq!(
                (census.kinds, census.is_suspect),
                (NON_ASCII, true),
                "{text:?}"
            );
        }
    }

    #[test]
    fn escaped_characters_are_well_formed_utf8() {
        let escaped = |octets: &[u8]| {
            let mut out = Vec::new();
            push_octets(&mut out, octets);
            char_at(&out, 0, octets[0])
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
    fn broken_escapes_are_no_octets() {
        for text in ["%", "%4", "%4g", "%g4", "%%41", ""] {
            assert_eq!(octet_at(text.as_bytes(), 0), None, "{text}");
        }
        assert_eq!(octet_at(b"%4", 7), None);
        assert!(!is_well_formed("/a%2"));
        assert!(is_well_formed("/a%2f%C3"));
    }

    #[test]
    fn decoding_keeps_bare_percent_signs_and_refuses_other_charsets() {
        assert_eq!(decoded("r%C3%a9%%41%zz").as_deref(), Some("ré%A%zz"));
        assert_eq!(decoded("%E9"), None);
        assert_eq!(decoded("%C0%AF"), None);
    }
}

//! The percent-encode sets of the URL Standard, and queries in the document's charset.

use crate::percent::{is_form_delimiter, push_escape};
use linkglot_charset::{Charset, QueryEncoder};

/// A percent-encode set: the octets that are percent-encoded, as a bit in [`OCTETS`]. All sets have the C0 controls,
/// U+007F and everything beyond ASCII.
#[derive(Clone, Copy)]
pub(super) struct Set(u8);

pub(super) const C0: Set = Set(1);
pub(super) const FRAGMENT: Set = Set(1 << 1);
pub(super) const QUERY: Set = Set(1 << 2);
pub(super) const SPECIAL_QUERY: Set = Set(1 << 3);
pub(super) const PATH: Set = Set(1 << 4);
pub(super) const USERINFO: Set = Set(1 << 5);

/// The graphic characters of each set (URL Standard 1.3).
const GRAPHIC: [(Set, &[u8]); 6] = [
    (C0, b""),
    (FRAGMENT, b" \"<>`"),
    (QUERY, b" \"#<>"),
    (SPECIAL_QUERY, b" \"#<>'"),
    (PATH, b" \"#<>?^`{}"),
    (USERINFO, b" \"#<>?^`{}/:;=@[\\]|"),
];

/// The sets of each octet.
static OCTETS: [u8; 256] = octets();

const fn octets() -> [u8; 256] {
    let mut octets = [0; 256];
    let mut octet = 0;
    while octet < octets.len() {
        if octet < 0x20 || octet >= 0x7F {
            octets[octet] = u8::MAX;
        }
        octet += 1;
    }
    let mut set = 0;
    while set < GRAPHIC.len() {
        let (Set(bit), graphic) = GRAPHIC[set];
        let mut at = 0;
        while at < graphic.len() {
            octets[graphic[at] as usize] |= bit;
            at += 1;
        }
        set += 1;
    }
    octets
}

impl Set {
    #[inline]
    fn has(self, octet: u8) -> bool {
        OCTETS[usize::from(octet)] & self.0 != 0
    }
}

/// Spelling of an ASCII octet that is part of a character in a legacy charset, such as `41` of the Shift_JIS octets
/// `83 41`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueryOctets {
    /// Unescaped, as in browsers, unless the set has the octet.
    AsBrowsers,
    /// Escaped, to tell it from a delimiter, but for the delimiters of forms.
    Escaped,
}

/// Appends text, percent-encoding the octets of its UTF-8 that are in the set.
pub(super) fn push(out: &mut String, text: &str, set: Set) {
    out.reserve(text.len());
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|octet| set.has(octet)) {
        let (plain, encoded) = rest.split_at(at);
        out.push_str(plain);
        let length = encoded.bytes().take_while(|octet| set.has(*octet)).count();
        let (encoded, behind) = encoded.split_at(length);
        encoded.bytes().for_each(|octet| push_escape(out, octet));
        rest = behind;
    }
    out.push_str(rest);
}

/// Appends a query in a charset. A character that the charset lacks becomes an escaped numeric
/// character reference (URL Standard, percent-encode after encoding).
pub(super) fn push_query(
    out: &mut String,
    text: &str,
    set: Set,
    charset: Charset,
    octets: QueryOctets,
) {
    if is_utf8_query(charset) {
        return push(out, text, set);
    }
    let mut encoder = QueryEncoder::new(charset);
    let mut encoded = Vec::new();
    // The set for octets of characters beyond ASCII, and of shift sequences.
    let multi_byte = match octets {
        QueryOctets::AsBrowsers => Some(set),
        QueryOctets::Escaped => None,
    };
    for ch in text.chars() {
        let is_encoded = encoder.push(ch, &mut encoded);
        let own = encoded.pop_if(|octet| ch.is_ascii() && *octet == ch as u8);
        drain(out, &mut encoded, multi_byte);
        if let Some(own) = own {
            push_byte(out, own, set);
        } else if !is_encoded {
            // The encoder replaces controls that would act as shifts by U+FFFD.
            let missing = if ch.is_ascii() {
                char::REPLACEMENT_CHARACTER
            } else {
                ch
            };
            out.push_str(&format!("%26%23{}%3B", u32::from(missing)));
        }
    }
    encoder.finish(&mut encoded);
    drain(out, &mut encoded, multi_byte);
}

/// True if documents in this charset have their queries in UTF-8.
pub(super) fn is_utf8_query(charset: Charset) -> bool {
    charset.of_queries() == Charset::UTF_8
}

fn drain(out: &mut String, encoded: &mut Vec<u8>, set: Option<Set>) {
    for byte in encoded.drain(..) {
        match set {
            Some(set) => push_byte(out, byte, set),
            None if is_form_delimiter(byte) => out.push(char::from(byte)),
            None => push_escape(out, byte),
        }
    }
}

fn push_byte(out: &mut String, byte: u8, set: Set) {
    if set.has(byte) {
        push_escape(out, byte);
    } else {
        out.push(char::from(byte));
    }
}

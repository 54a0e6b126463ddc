//! The WHATWG percent-encode sets, and queries in the document's charset.

use crate::charset::{Charset, QueryEncoder};

/// The ASCII characters that a component escapes beside the C0 controls and U+007F, which all do.
pub(super) type Set = &'static [u8];

pub(super) const C0: Set = b"";
pub(super) const FRAGMENT: Set = b" \"<>`";
pub(super) const QUERY: Set = b" \"#<>";
pub(super) const SPECIAL_QUERY: Set = b" \"#<>'";
pub(super) const PATH: Set = b" \"#<>?^`{}";
pub(super) const USERINFO: Set = b" \"#<>?^`{}/:;=@[\\]|";

/// How the ASCII octets of a character in a legacy charset are written (`A` in the Shift_JIS
/// octets `83 41`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueryOctets {
    /// As browsers write them: unescaped, unless the set says otherwise.
    AsBrowsers,
    /// All escaped, so that they are told apart from delimiters.
    AllEscaped,
}

/// Appends text in UTF-8, escaping what is not ASCII, controls, and the set.
pub(super) fn push(out: &mut String, text: &str, set: Set) {
    for byte in text.bytes() {
        push_byte(out, byte, set);
    }
}

/// Appends a query in a charset. What the charset lacks becomes an escaped numeric character
/// reference (WHATWG URL, percent-encode after encoding).
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
    // What is written for a character that is not ASCII, and for shifts.
    let wide = match octets {
        QueryOctets::AsBrowsers => Some(set),
        QueryOctets::AllEscaped => None,
    };
    for ch in text.chars() {
        let known = encoder.push(ch, &mut encoded);
        if let Some(own) = encoded.pop_if(|own| ch.is_ascii() && *own == ch as u8) {
            drain(out, &mut encoded, wide);
            push_byte(out, own, set);
            continue;
        }
        drain(out, &mut encoded, wide);
        if !known {
            // The encoder has U+FFFD for the controls that would be shifts.
            let lacking = if ch.is_ascii() {
                char::REPLACEMENT_CHARACTER
            } else {
                ch
            };
            out.push_str(&format!("%26%23{}%3B", u32::from(lacking)));
        }
    }
    encoder.finish(&mut encoded);
    drain(out, &mut encoded, wide);
}

/// Whether queries of documents in this charset are in UTF-8 (WHATWG Encoding, get an output encoding).
pub(super) fn is_utf8_query(charset: Charset) -> bool {
    charset.is_unicode() || charset.name() == "replacement"
}

fn drain(out: &mut String, encoded: &mut Vec<u8>, set: Option<Set>) {
    for byte in encoded.drain(..) {
        match set {
            Some(set) => push_byte(out, byte, set),
            None => push_escape(out, byte),
        }
    }
}

fn push_byte(out: &mut String, byte: u8, set: Set) {
    if (0x20..0x7F).contains(&byte) && !set.contains(&byte) {
        out.push(char::from(byte));
    } else {
        push_escape(out, byte);
    }
}

fn push_escape(out: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

//! The WHATWG percent-encode sets, and queries in the document's charset.

use crate::charset::Charset;

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
    let mut rest = text;
    while !rest.is_empty() {
        let ascii = rest.bytes().take_while(u8::is_ascii).count();
        let (plain, after) = rest.split_at(ascii);
        push(out, plain, set);
        let wide = after.bytes().take_while(|byte| !byte.is_ascii()).count();
        let (wide, after) = after.split_at(wide);
        push_wide(out, wide, set, charset, octets);
        rest = after;
    }
}

/// Whether queries of documents in this charset are in UTF-8 (WHATWG Encoding, get an output encoding).
pub(super) fn is_utf8_query(charset: Charset) -> bool {
    charset.is_unicode() || charset.name() == "replacement"
}

fn push_wide(out: &mut String, text: &str, set: Set, charset: Charset, octets: QueryOctets) {
    let set = match octets {
        QueryOctets::AsBrowsers => Some(set),
        QueryOctets::AllEscaped => None,
    };
    let mut encoded = Vec::new();
    let mut rest = text;
    while let Err(at) = charset.encode(rest, &mut encoded) {
        let (good, bad) = rest.split_at(at.min(rest.len()));
        // What stands before the first missing character can be encoded.
        let _ = charset.encode(good, &mut encoded);
        drain(out, &mut encoded, set);
        let Some(lacking) = bad.chars().next() else {
            return;
        };
        out.push_str("%26%23");
        out.push_str(&u32::from(lacking).to_string());
        out.push_str("%3B");
        rest = &bad[lacking.len_utf8()..];
    }
    drain(out, &mut encoded, set);
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

//! References in double quotes: MFStrings of X3D, and fields and formulas of office documents.

use super::{is_c0_or_space, offer, span_in};
use crate::reference::Reference;

/// Hands out the strings of a list, except those with escapes.
pub fn list(text: &str, each: &mut dyn FnMut(Reference)) {
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once('"') {
        let Some(end) = string_end(behind) else {
            return;
        };
        string(text, &behind[..end], each);
        rest = &behind[end + 1..];
    }
}

/// Hands out the string that follows `HYPERLINK` or `INCLUDEPICTURE`, perhaps with a parenthesis between. A string
/// behind a switch (`HYPERLINK \l "place"`) is no reference.
pub fn field(text: &str, each: &mut dyn FnMut(Reference)) {
    let upper = text.to_ascii_uppercase();
    let mut from = 0;
    while let Some((at, keyword)) = next_keyword(&upper, from) {
        from = at + keyword.len();
        let arguments = text[from..].trim_start_matches([' ', '\t', '\n', '\r', '(']);
        let Some(inside) = arguments.strip_prefix('"') else {
            continue;
        };
        if let Some(end) = string_end(inside) {
            let behind = &inside[end + 1..];
            // A doubled quote in a formula stands for a single quote: the string goes on.
            if !behind.starts_with('"') {
                string(text, &inside[..end], each);
            }
            from = text.len() - behind.len();
        }
    }
}

fn next_keyword(upper: &str, from: usize) -> Option<(usize, &'static str)> {
    let rest = upper.get(from..)?;
    // One search for both: a search to the end for the one that is missing would be quadratic.
    memchr::memchr2_iter(b'H', b'I', rest.as_bytes()).find_map(|at| {
        let mut keywords = ["HYPERLINK", "INCLUDEPICTURE"].into_iter();
        let keyword = keywords.find(|keyword| rest[at..].starts_with(keyword))?;
        Some((from + at, keyword))
    })
}

/// The position of the closing quote. A backslash escapes the next character.
fn string_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

fn string(text: &str, string: &str, each: &mut dyn FnMut(Reference)) {
    if !string.contains('\\') {
        offer(span_in(text, string.trim_matches(is_c0_or_space)), each);
    }
}

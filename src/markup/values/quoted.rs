//! References in double quotes: X3D's MFString, and the fields and formulas of office documents.

use super::{Part, is_c0_or_space, span_in};
use crate::markup::escape::Escaping;

/// The strings of a list. One with escapes in it is left out.
pub fn list(text: &str, each: &mut dyn FnMut(Part)) {
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once('"') {
        let Some(end) = string_end(behind) else {
            return;
        };
        offer(text, &behind[..end], each);
        rest = &behind[end + 1..];
    }
}

/// The string that follows `HYPERLINK` or `INCLUDEPICTURE`, in parentheses or not. In what follows a switch (`HYPERLINK \\l "place"`) there is none.
pub fn field(text: &str, each: &mut dyn FnMut(Part)) {
    let upper = text.to_ascii_uppercase();
    let mut from = 0;
    while let Some((at, word)) = next_word(&upper, from) {
        from = at + word.len();
        let Some(behind) = text.get(from..) else {
            return;
        };
        let begin = behind.trim_start_matches([' ', '\t', '\n', '\r', '(']);
        let Some(string) = begin.strip_prefix('"') else {
            continue;
        };
        if let Some(end) = string_end(string) {
            // In formulas a doubled quote stands for one.
            let doubled = string[end + 1..].starts_with('"');
            if !doubled {
                offer(text, &string[..end], each);
            }
            from = text.len() - string.len() + end + 1;
        }
    }
}

fn next_word(upper: &str, from: usize) -> Option<(usize, &'static str)> {
    let words = ["HYPERLINK", "INCLUDEPICTURE"];
    let found = words
        .into_iter()
        .filter_map(|word| Some((from + upper.get(from..)?.find(word)?, word)));
    found.min()
}

/// Where the closing quote stands; a `\\` goes with the character behind it.
fn string_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

fn offer(text: &str, string: &str, each: &mut dyn FnMut(Part)) {
    let link = string.trim_matches(is_c0_or_space);
    if !link.is_empty() && !link.contains('\\') {
        each(Part {
            span: span_in(text, link),
            escaping: Escaping::None,
            kind: None,
        });
    }
}

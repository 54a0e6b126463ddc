//! `srcset` (HTML standard 4.8.4.3.10, "parse a srcset attribute").

use super::is_space;
use crate::reference::Reference;
use crate::slot::PlaceKind;
use linkglot_charset::span::TextSpan;

/// Hands out the URL of each candidate, even with invalid descriptors.
pub fn split(text: &str, each: &mut dyn FnMut(Reference)) {
    let mut at = 0;
    loop {
        at += length(&text[at..], |ch| is_space(ch) || ch == ',');
        if at == text.len() {
            return;
        }
        let end = at + length(&text[at..], |ch| !is_space(ch));
        let url = text[at..end].trim_end_matches(',');
        let span = TextSpan::new(at, at + url.len());
        each(Reference::of_kind(span, PlaceKind::Srcset));
        let has_descriptors = span.end == end;
        at = if has_descriptors {
            descriptors_end(text, end)
        } else {
            end
        };
    }
}

/// The length of the leading characters of a class.
fn length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|ch| !belongs(ch)).unwrap_or(text.len())
}

/// The position behind the comma that ends the descriptors from `from` on. Commas in parentheses do not end them.
fn descriptors_end(text: &str, from: usize) -> usize {
    let mut in_parentheses = false;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            b'(' => in_parentheses = true,
            b')' => in_parentheses = false,
            b',' if !in_parentheses => return at + 1,
            _ => {}
        }
    }
    text.len()
}

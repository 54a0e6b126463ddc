//! `srcset` (HTML standard 4.8.4.3.10, "parse a srcset attribute").

use super::{Part, is_space};
use crate::markup::escape::Escaping;
use crate::markup::slot::PlaceKind;
use crate::span::TextSpan;

/// The URL of each candidate, those with bad descriptors too.
pub fn split(text: &str, each: &mut dyn FnMut(Part)) {
    let mut at = 0;
    loop {
        at += length(&text[at..], |ch| is_space(ch) || ch == ',');
        if at == text.len() {
            return;
        }
        let end = at + length(&text[at..], |ch| !is_space(ch));
        let url = text[at..end].trim_end_matches(',');
        each(Part {
            span: TextSpan::new(at, at + url.len()),
            escaping: Escaping::None,
            kind: Some(PlaceKind::Srcset),
        });
        let bare = at + url.len() < end;
        at = if bare {
            end
        } else {
            descriptors_end(text, end)
        };
    }
}

fn length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|ch| !belongs(ch)).unwrap_or(text.len())
}

/// Behind the comma that ends the descriptors which begin at `from`: commas in parentheses do not.
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

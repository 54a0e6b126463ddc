//! `<meta http-equiv=refresh>` (HTML standard 4.2.5.3, "shared declarative refresh steps").

use super::{is_c0_or_space, is_space, span_in};
use crate::reference::Reference;
use crate::slot::PlaceKind;

/// Hands out the URL, if the value has one.
pub fn split(text: &str, each: &mut dyn FnMut(Reference)) {
    let url = url(text).unwrap_or("").trim_matches(is_c0_or_space);
    if !url.is_empty() {
        each(Reference::of_kind(span_in(text, url), PlaceKind::Refresh));
    }
}

fn url(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(is_space);
    let rest = text.trim_start_matches(|ch: char| ch.is_ascii_digit() || ch == '.');
    let has_time = rest.len() < text.len();
    if !has_time || !rest.starts_with(|ch| is_space(ch) || matches!(ch, ';' | ',')) {
        return None;
    }
    let rest = rest.trim_start_matches(is_space);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest);
    let rest = rest.trim_start_matches(is_space);
    match rest.strip_prefix(['u', 'U']) {
        None => Some(unquoted(rest)),
        // A text that only begins like `url=` is the URL itself.
        Some(tail) => Some(behind_url(tail).map_or(rest, unquoted)),
    }
}

/// The text behind `url =`, given the text behind its `u`.
fn behind_url(tail: &str) -> Option<&str> {
    let tail = tail.strip_prefix(['r', 'R'])?;
    let tail = tail.strip_prefix(['l', 'L'])?;
    let tail = tail.trim_start_matches(is_space).strip_prefix('=')?;
    Some(tail.trim_start_matches(is_space))
}

/// The text up to the closing quote, if it begins with a quote.
fn unquoted(text: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.split(quote).next().unwrap_or(inner);
        }
    }
    text
}

//! `<meta http-equiv=refresh>` (HTML standard 4.2.5.3, "shared declarative refresh steps").

use super::{Part, is_c0_or_space, is_space, span_in};
use crate::markup::escape::Escaping;
use crate::markup::slot::PlaceKind;

/// The URL, if the value has one.
pub fn split(text: &str, each: &mut dyn FnMut(Part)) {
    let Some(url) = url(text) else { return };
    let url = url.trim_matches(is_c0_or_space);
    if !url.is_empty() {
        each(Part {
            span: span_in(text, url),
            escaping: Escaping::None,
            kind: Some(PlaceKind::Refresh),
        });
    }
}

fn url(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(is_space);
    if !text.starts_with(|ch: char| ch.is_ascii_digit() || ch == '.') {
        return None;
    }
    let rest = text.trim_start_matches(|ch: char| ch.is_ascii_digit() || ch == '.');
    if !rest.starts_with(|ch| is_space(ch) || matches!(ch, ';' | ',')) {
        return None;
    }
    let rest = rest.trim_start_matches(is_space);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest);
    let rest = rest.trim_start_matches(is_space);
    match rest.strip_prefix(['u', 'U']) {
        None => Some(unquoted(rest)),
        // What only looks like `url=` is the URL itself.
        Some(tail) => Some(behind_url(tail).map_or(rest, unquoted)),
    }
}

/// What follows `url =`, of which the `u` has been read.
fn behind_url(tail: &str) -> Option<&str> {
    let tail = tail.strip_prefix(['r', 'R'])?;
    let tail = tail.strip_prefix(['l', 'L'])?;
    let tail = tail.trim_start_matches(is_space).strip_prefix('=')?;
    Some(tail.trim_start_matches(is_space))
}

/// Up to the quote that the text begins with, if it does.
fn unquoted(text: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.split(quote).next().unwrap_or(inner);
        }
    }
    text
}

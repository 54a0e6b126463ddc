//! Where in a link or a definition its destination stands (CommonMark 6.3 and 4.7).

use super::super::super::escape::Escaping;
use super::super::escaped;
use std::ops::Range;

/// A destination: without its angle brackets, and where what follows it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Destination {
    pub range: Range<usize>,
    pub escaping: Escaping,
    pub end: usize,
}

/// The destination of the inline link that stands in `link` as a whole; its text goes on to `inner` at least.
pub(super) fn of_link(text: &str, link: &Range<usize>, inner: usize) -> Option<Destination> {
    let mut at = inner;
    while let Some(close) = escaped::find(text.get(..link.end)?, at, b"]") {
        at = close + 1;
        if text[at..].starts_with('(')
            && let Some(found) = scan(text, at + 1, link.end)
            && closes(text, found.end, link.end)
        {
            return Some(found).filter(|found| !found.range.is_empty());
        }
    }
    None
}

/// Whether behind a destination nothing but a title follows, and then the end of the link.
fn closes(text: &str, at: usize, end: usize) -> bool {
    let at = skip_space(text, at, end);
    let at = match title_end(text, at, end) {
        Some(title) => skip_space(text, title, end),
        None => at,
    };
    at + 1 == end && text[at..].starts_with(')')
}

/// The destination of the definition whose label begins at `label`, behind its bracket.
pub(super) fn of_definition(text: &str, label: usize, end: usize) -> Option<Destination> {
    let text = text.get(..end)?;
    let close = escaped::find(text, label, b"[]")?;
    let name = text.get(label..close)?;
    if name.starts_with('^') || name.trim_ascii().is_empty() || !text[close..].starts_with("]:") {
        return None;
    }
    let mut found = scan(text, close + 2, end)?;
    if found.range.is_empty() {
        return None;
    }
    let title = skip_space(text, found.end, end);
    found.end = title_end(text, title, end).unwrap_or(found.end);
    Some(found)
}

/// The destination behind white space at `at`.
fn scan(text: &str, at: usize, end: usize) -> Option<Destination> {
    let at = skip_space(text, at, end);
    let text = text.get(..end)?;
    if text[at..].starts_with('<') {
        let close = escaped::find(text, at + 1, b"<>\n\r")?;
        return text[close..].starts_with('>').then_some(Destination {
            range: at + 1..close,
            escaping: Escaping::MarkdownAngle,
            end: close + 1,
        });
    }
    let close = bare_end(text, at);
    Some(Destination {
        range: at..close,
        escaping: Escaping::MarkdownBare,
        end: close,
    })
}

/// The end of a destination without angle brackets: white space, or a parenthesis that was not opened.
fn bare_end(text: &str, start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(stop) = escaped::find(text, at, &STOPS) {
        match text.as_bytes()[stop] {
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            _ => return stop,
        }
        at = stop + 1;
    }
    text.len()
}

/// Parentheses, controls and the space.
const STOPS: [u8; 35] = {
    let mut stops = [0; 35];
    let mut at = 0;
    while at <= 0x20 {
        stops[at] = at as u8;
        at += 1;
    }
    stops[33] = b'(';
    stops[34] = b')';
    stops
};

/// The end of the title that begins at `at`, if one does.
fn title_end(text: &str, at: usize, end: usize) -> Option<usize> {
    let close = match text.as_bytes().get(at)? {
        b'"' => b"\"",
        b'\'' => b"'",
        b'(' => b")",
        _ => return None,
    };
    let close = escaped::find(text.get(..end)?, at + 1, close)?;
    Some(close + 1)
}

/// Skips white space, and behind a line end the marks of block quotes: what a line begins with there is no destination.
fn skip_space(text: &str, at: usize, end: usize) -> usize {
    let bytes = text.as_bytes().get(..end).unwrap_or_default();
    let mut fresh = false;
    let mut at = at;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' => fresh = true,
            b' ' | b'\t' => {}
            b'>' if fresh => {}
            _ => break,
        }
        at += 1;
    }
    at
}

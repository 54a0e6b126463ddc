//! The position of the destination in a link or a definition (CommonMark 6.3 and 4.7).

use super::super::backslash::find_unescaped;
use crate::escape::Escaping;
use std::ops::Range;

/// A destination.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Destination {
    /// The range without angle brackets.
    pub range: Range<usize>,
    pub escaping: Escaping,
    /// The position behind the destination and its brackets.
    pub end: usize,
}

/// The destination of an inline link. The text of the link ends at `inner` or later.
pub(super) fn of_link(text: &str, link: &Range<usize>, inner: usize) -> Option<Destination> {
    let text = text.get(..link.end)?;
    let mut at = inner;
    while let Some(close) = find_unescaped(text, at, |byte| byte == b']') {
        at = close + 1;
        if text[at..].starts_with('(')
            && let Some(found) = destination(text, at + 1)
            && closes_link(text, found.end)
        {
            return Some(found).filter(|found| !found.range.is_empty());
        }
    }
    None
}

/// True if only a title and the closing parenthesis follow a destination.
fn closes_link(text: &str, at: usize) -> bool {
    let at = skip_space(text, at);
    let at = title_end(text, at).map_or(at, |end| skip_space(text, end));
    &text[at..] == ")"
}

/// The destination of the definition whose label, without its bracket, begins at `label`. The definition ends before
/// `end`.
pub(super) fn of_definition(text: &str, label: usize, end: usize) -> Option<Destination> {
    let text = text.get(..end)?;
    let close = find_unescaped(text, label, |byte| matches!(byte, b'[' | b']'))?;
    let name = &text[label..close];
    if name.starts_with('^') || name.trim_ascii().is_empty() || !text[close..].starts_with("]:") {
        return None;
    }
    let mut found = destination(text, close + 2)?;
    if found.range.is_empty() {
        return None;
    }
    let title = skip_space(text, found.end);
    found.end = title_end(text, title).unwrap_or(found.end);
    Some(found)
}

/// The destination behind the white space at `at`.
fn destination(text: &str, at: usize) -> Option<Destination> {
    let at = skip_space(text, at);
    if text[at..].starts_with('<') {
        let close = find_unescaped(text, at + 1, |byte| {
            matches!(byte, b'<' | b'>' | b'\n' | b'\r')
        })?;
        return text[close..].starts_with('>').then_some(Destination {
            range: at + 1..close,
            escaping: Escaping::MarkdownAngle,
            end: close + 1,
        });
    }
    let end = bare_end(text, at);
    Some(Destination {
        range: at..end,
        escaping: Escaping::MarkdownBare,
        end,
    })
}

/// The end of a destination without angle brackets: white space, a control, or an unbalanced closing parenthesis.
fn bare_end(text: &str, start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while let Some(stop) = find_unescaped(text, at, is_stop) {
        match text.as_bytes()[stop] {
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            _ => return stop,
        }
        at = stop + 1;
    }
    text.len()
}

/// True for parentheses, C0 controls and the space.
fn is_stop(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'(' | b')')
}

/// The end of the title at `at`, if any.
fn title_end(text: &str, at: usize) -> Option<usize> {
    let close = match text.as_bytes().get(at)? {
        b'"' => b'"',
        b'\'' => b'\'',
        b'(' => b')',
        _ => return None,
    };
    Some(find_unescaped(text, at + 1, |byte| byte == close)? + 1)
}

/// Skips white space, and at the start of a line the marks of block quotes.
fn skip_space(text: &str, at: usize) -> usize {
    let mut at = at;
    let mut is_line_start = false;
    while let Some(&byte) = text.as_bytes().get(at) {
        match byte {
            b'\n' | b'\r' => is_line_start = true,
            b' ' | b'\t' => {}
            b'>' if is_line_start => {}
            _ => break,
        }
        at += 1;
    }
    at
}

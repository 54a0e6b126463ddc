//! Entries of BibTeX: `@book{key, url = {http://a.example/}}`.

use super::argument::percent;
use super::{AHEAD, Mark, Position, State, Value};
use crate::escape::{Escaping, TexPlace};
use crate::slot::{Place, PlaceKind, Syntax};

/// Begins an entry at the `@` at the beginning of a line.
pub(super) fn begin(here: &mut Position, rest: &[u8], last: bool) -> Mark {
    let near = &rest[1..rest.len().min(AHEAD)];
    let name = near.iter().position(|byte| !byte.is_ascii_alphabetic());
    let behind = name.and_then(|name| {
        let blanks = near[name..]
            .iter()
            .position(|byte| !matches!(byte, b' ' | b'\t'))?;
        Some(name + blanks)
    });
    let Some(behind) = behind else {
        let is_open = !last && rest.len() < AHEAD;
        return if is_open { Mark::More } else { Mark::Pass(1) };
    };
    if near[behind] == b'{' && near[0] != b'{' {
        // An entry in an entry was not closed.
        let around = here.entry.unwrap_or(here.depth);
        *here = Position {
            depth: around,
            entry: Some(around),
            ..*here
        };
    }
    Mark::Pass(1)
}

/// The value whose first mark, a brace or a quotation mark, stands at a position, if it is an IRI.
pub(super) fn value(
    here: &mut Position,
    bytes: &[u8],
    at: usize,
    (last, longest): (bool, usize),
) -> Option<Mark> {
    let is_group = bytes[at] == b'{';
    let inside = here.entry? + 1 + usize::from(is_group);
    if here.depth != inside {
        return None;
    }
    let name = name_before(&bytes[at.saturating_sub(AHEAD)..at])?;
    let rest = &bytes[at + 1..];
    let near = &rest[..rest.len().min(longest)];
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'"');
    let scheme = near.iter().take(AHEAD).position(|byte| !is_scheme(*byte));
    let Some(scheme) = scheme else {
        return (!last && near.len() < AHEAD).then_some(Mark::More);
    };
    let authority = &near[scheme..near.len().min(scheme + 3)];
    if scheme == 0 || !b"://".starts_with(authority) {
        return None;
    }
    let Some(length) = near.iter().position(is_end) else {
        return (!last && near.len() < longest).then_some(Mark::More);
    };
    let close = if is_group { b'}' } else { b'"' };
    let raw = &near[..length];
    if near[length] != close || length <= scheme + 3 || raw.ends_with(b"\\") {
        return None;
    }
    // Another string may follow.
    let behind = &near[length + 1..near.len().min(length + 1 + AHEAD)];
    match behind.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'#') => return None,
        None if behind.len() < AHEAD && !last && near.len() < longest => return Some(Mark::More),
        _ => {}
    }
    let place = TexPlace::Argument {
        percent: percent(raw, (false, false)),
        is_nested: false,
    };
    let name = String::from_utf8_lossy(name).into_owned();
    let value = Value {
        range: 0..length,
        behind: length,
        reading: Some((
            Escaping::Tex(place),
            Syntax::Single,
            Place::new(PlaceKind::Value, None, Some(name.into())).into(),
        )),
        has_label: false,
    };
    Some(Mark::Cut(1, State::Value(value)))
}

/// The name of the field in front of a value.
fn name_before(before: &[u8]) -> Option<&[u8]> {
    let before = before.trim_ascii_end().strip_suffix(b"=")?.trim_ascii_end();
    let is_part = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':' | b'+')
    };
    let length = before.iter().rev().take_while(|byte| is_part(byte)).count();
    (length > 0 && length < before.len()).then(|| &before[before.len() - length..])
}

fn is_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

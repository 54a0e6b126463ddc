//! Entries of BibTeX: `@book{key, url = {http://a.example/}}`.

use super::argument::{self, percent};
use super::{AHEAD, Mark, Position, Reach, State, Value};
use crate::escape::{Escaping, TexPlace};
use crate::slot::{Place, PlaceKind, Syntax};

/// Begins an entry at the `@` at the beginning of a line.
pub(super) fn begin(here: &mut Position, rest: &[u8], reach: Reach) -> Mark {
    let near = &rest[1..rest.len().min(AHEAD)];
    let name = near.iter().position(|byte| !byte.is_ascii_alphabetic());
    let behind = name.and_then(|name| {
        let blanks = near[name..]
            .iter()
            .position(|byte| !matches!(byte, b' ' | b'\t'))?;
        Some(name + blanks)
    });
    let Some(behind) = behind else {
        let more = reach.more().filter(|_| rest.len() < AHEAD);
        return more.unwrap_or(Mark::Pass(1));
    };
    if near[behind] == b'{' && near[0] != b'{' {
        // An entry in an entry was not closed.
        let around = here.entry.unwrap_or(here.depth);
        *here = Position {
            depth: around,
            entry: Some(around),
            brackets: 0,
            lists: 0,
            ..*here
        };
        return begin_key(here, rest, behind + 2, reach);
    }
    Mark::Pass(1)
}

/// Goes to the key of an entry, whose text begins behind so many bytes: what stands in front of the first comma.
fn begin_key(here: &mut Position, rest: &[u8], from: usize, reach: Reach) -> Mark {
    /// The longest key, with white space around it.
    const MOST: usize = 512;
    let near = &rest[from..rest.len().min(from + MOST)];
    let is_end = |byte: u8| matches!(byte, b',' | b'{' | b'}' | b'"' | b'\\');
    let Some(end) = reach.find(near, is_end) else {
        let more = reach.more().filter(|_| near.len() < MOST);
        return more.unwrap_or(Mark::Pass(1));
    };
    let is_key = near[end] == b',' && !is_comment(&rest[1..from]);
    match Value::key(&near[..end]).filter(|_| is_key) {
        Some(key) => {
            here.open_group(false);
            Mark::Cut(from, State::Value(key))
        }
        None => Mark::Pass(1),
    }
}

/// True for the names of entries that are text.
fn is_comment(name: &[u8]) -> bool {
    let names: [&[u8]; 2] = [b"comment", b"preamble"];
    let name = name.trim_ascii_end();
    let name = name.strip_suffix(b"{").unwrap_or(name).trim_ascii_end();
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// The value whose first mark, a brace or a quotation mark, stands at a position, if it is an IRI.
pub(super) fn value(here: &mut Position, bytes: &[u8], at: usize, reach: Reach) -> Option<Mark> {
    let is_group = bytes[at] == b'{';
    let inside = here.entry? + 1 + usize::from(is_group);
    if here.depth != inside {
        return None;
    }
    let name = name_before(&bytes[at.saturating_sub(AHEAD)..at])?;
    let rest = &bytes[at + 1..];
    let close = if is_group { b'}' } else { b'"' };
    if is_of_keys(name) {
        return argument::keys(rest, close, reach);
    }
    let name = Some(name).filter(|name| is_verbatim(name))?;
    let Some(blanks) = blanks(rest) else {
        return reach.more().filter(|_| rest.len() < AHEAD);
    };
    let rest = &rest[blanks..];
    let near = &rest[..rest.len().min(reach.longest)];
    let is_end = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'"');
    let scheme = near.iter().take(AHEAD).position(|byte| !is_scheme(*byte));
    let Some(scheme) = scheme else {
        return reach.more().filter(|_| near.len() < AHEAD);
    };
    let authority = &near[scheme..near.len().min(scheme + 3)];
    if scheme == 0 || !b"://".starts_with(authority) {
        return None;
    }
    let Some(length) = reach.find(near, is_end) else {
        return reach.more().filter(|_| near.len() < reach.longest);
    };
    let raw = &near[..length];
    let Some(blanks_behind) = self::blanks(&near[length..]) else {
        let is_known = near.len() >= reach.longest.min(length + AHEAD);
        return reach.more().filter(|_| !is_known);
    };
    let end = length + blanks_behind;
    if near[end] != close || length <= scheme + 3 || raw.ends_with(b"\\") {
        return None;
    }
    // Another string may follow.
    let behind = &near[end + 1..near.len().min(end + 1 + AHEAD)];
    match behind.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'#') => return None,
        None if behind.len() < AHEAD && !reach.last && near.len() < reach.longest => {
            return Some(Mark::More);
        }
        _ => {}
    }
    let place = TexPlace::Argument {
        percent: percent(raw, (false, true)),
        is_nested: false,
        drops_spaces: false,
    };
    let name = String::from_utf8_lossy(name).into_owned();
    let value = Value {
        range: blanks..blanks + length,
        behind: blanks + length,
        reading: Some((
            Escaping::Tex(place),
            Syntax::Single,
            Place::new(PlaceKind::Value, None, Some(name.into())).into(),
        )),
        has_label: false,
    };
    Some(Mark::Cut(1, State::Value(value)))
}

/// Fields that styles print as the argument of `\url`, or not at all, beside those with `url` in their name.
const VERBATIM: &[&str] = &[
    "bibsource",
    "doi",
    "ee",
    "eprint",
    "file",
    "href",
    "link",
    "pdf",
    "source",
    "uri",
    "xmldata",
];

/// Fields whose value names other entries.
const OF_KEYS: &[&str] = &["crossref", "entryset", "ids", "related", "xdata", "xref"];

fn is_of_keys(name: &[u8]) -> bool {
    let mut known = OF_KEYS.iter();
    known.any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

fn is_verbatim(name: &[u8]) -> bool {
    let mut parts = name.windows(3);
    parts.any(|part| part.eq_ignore_ascii_case(b"url"))
        || VERBATIM
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// The length of the white space that bytes begin with; `None` if they end too soon to tell.
fn blanks(bytes: &[u8]) -> Option<usize> {
    let near = &bytes[..bytes.len().min(AHEAD)];
    near.iter().position(|byte| !byte.is_ascii_whitespace())
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

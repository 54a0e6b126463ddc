//! The arguments of link commands.

use super::{AHEAD, Mark, Position, Reach, State, Value};
use crate::escape::{Escaping, TexPercent, TexPlace, tex_word_length};
use crate::name::Name;
use crate::slot::{Place, PlaceKind, SharedPlace, Syntax};
use std::ops::Range;

static HREF: Place = Place::new(PlaceKind::Link, None, Some(Name::built_in("href")));
static URL: Place = Place::new(PlaceKind::Link, None, Some(Name::built_in("url")));
static NOLINKURL: Place = Place::new(PlaceKind::Link, None, Some(Name::built_in("nolinkurl")));
static PATH: Place = Place::new(PlaceKind::Link, None, Some(Name::built_in("path")));

/// An argument.
enum Found {
    /// The bytes of a value, and the end of the argument; true between braces.
    Value(Range<usize>, usize, bool),
    /// A longer window tells.
    More,
}

/// The value of the link command `name`, which `rest` begins with; `None` if it has no argument that ends.
pub(super) fn of_link(here: &Position, rest: &[u8], name: &[u8], reach: Reach) -> Option<Mark> {
    let (place, syntax) = match name {
        b"href" => (&HREF, Syntax::Single),
        b"nolinkurl" => (&NOLINKURL, Syntax::IriOrText),
        b"path" => (&PATH, Syntax::IriOrText),
        _ => (&URL, Syntax::IriOrText),
    };
    let is_href = syntax == Syntax::Single;
    let (range, behind, is_group) = match argument(rest, 1 + name.len(), is_href, reach)? {
        Found::More => return Some(Mark::More),
        Found::Value(range, behind, is_group) => (range, behind, is_group),
    };
    let is_nested = here.depth > 0 && here.entry.is_none();
    let is_outside = here.is_outside_of_arguments();
    let place_of_text = if is_group {
        let percent = percent(&rest[range.clone()], (is_href, is_outside));
        TexPlace::Argument {
            percent,
            is_nested,
            drops_spaces: !is_href,
        }
    } else {
        TexPlace::Verbatim {
            is_nested: !is_outside,
        }
    };
    let value = Value {
        range,
        behind,
        reading: Some((
            Escaping::Tex(place_of_text),
            syntax,
            SharedPlace::fixed(place),
        )),
        has_label: is_href,
    };
    Some(Mark::Cut(0, State::Value(value)))
}

/// The spelling of new `%` and `#`. `\%` stands for `%` with hyperref, which `\href` and other escapes tell; in the
/// argument of another command a bare mark is another thing.
pub(super) fn percent(raw: &[u8], (is_href, is_outside): (bool, bool)) -> TexPercent {
    let escapes = memchr::memchr_iter(b'\\', raw).any(|at| {
        let next = raw.get(at + 1);
        next.is_some_and(|next| b"_%#&~".contains(next))
    });
    match () {
        () if escapes || is_href => TexPercent::Escaped,
        () if is_outside || memchr::memchr(b'%', raw).is_some() => TexPercent::Bare,
        () => TexPercent::Unknown,
    }
}

/// True if a bracket behind these bytes begins an argument: behind a command, or another argument of it.
pub(super) fn begins(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(AHEAD)..];
    let near = near.trim_ascii_end();
    match near.last() {
        Some(b'}' | b']' | b'*' | b'>' | b'\\') => true,
        _ => command_before(near).is_some(),
    }
}

/// Commands beside those for quotations whose argument is a key, in lower case.
const OF_KEYS: &[&[u8]] = &[
    b"autoref",
    b"bibitem",
    b"citation",
    b"cpageref",
    b"cref",
    b"eqref",
    b"label",
    b"labelcref",
    b"namecref",
    b"nameref",
    b"pageref",
    b"ref",
    b"subref",
    b"vpageref",
    b"vref",
];

/// True if a brace behind these bytes begins the key of a quotation or of a mark: an argument of `\cite`, `\ref` or
/// their like, perhaps behind options.
pub(super) fn is_key(before: &[u8]) -> bool {
    /// The most bytes of the command and its options.
    const MOST: usize = 256;
    let mut near = before[before.len().saturating_sub(MOST)..].trim_ascii_end();
    while let Some(options) = near.strip_suffix(b"]") {
        let Some(begin) = memchr::memrchr(b'[', options) else {
            return false;
        };
        near = options[..begin].trim_ascii_end();
    }
    let near = near.strip_suffix(b"*").unwrap_or(near);
    let Some(name) = command_before(near) else {
        return false;
    };
    let name = name.to_ascii_lowercase();
    let is_cite = name.starts_with(b"cite") || name.ends_with(b"cite");
    is_cite || OF_KEYS.contains(&&name[..])
}

/// The keys up to a closing mark, whose opening mark has been read. They hold neither groups nor commands.
pub(super) fn keys(rest: &[u8], close: u8, reach: Reach) -> Option<Mark> {
    /// The most bytes of keys.
    const MOST: usize = 1024;
    let near = &rest[..rest.len().min(MOST)];
    let is_end = |byte: u8| byte == close || matches!(byte, b'{' | b'}' | b'\\');
    match reach.find(near, is_end) {
        Some(end) if near[end] == close => {
            let key = Value::key(&near[..end])?;
            Some(Mark::Cut(1, State::Value(key)))
        }
        Some(_) => None,
        None => reach.more().filter(|_| near.len() < MOST),
    }
}

/// Commands that print their argument, or text behind them.
const OF_TEXT: &[&[u8]] = &[
    b"bf",
    b"caption",
    b"centerline",
    b"chapter",
    b"em",
    b"emph",
    b"enquote",
    b"footnote",
    b"footnotesize",
    b"footnotetext",
    b"hbox",
    b"it",
    b"item",
    b"mbox",
    b"par",
    b"paragraph",
    b"part",
    b"section",
    b"small",
    b"subparagraph",
    b"subsection",
    b"subsubsection",
    b"textbf",
    b"textit",
    b"textmd",
    b"textrm",
    b"textsc",
    b"textsf",
    b"textsl",
    b"texttt",
    b"textup",
    b"thanks",
    b"title",
    b"tt",
    b"underline",
];

/// True if a brace behind these bytes begins an argument that may be a list: that of a command that is not known.
pub(super) fn is_list(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(AHEAD)..];
    match near.last() {
        Some(b'}' | b']' | b'*' | b'>') => true,
        _ => {
            let command = command_before(near.trim_ascii_end());
            command.is_some_and(|name| !OF_TEXT.contains(&name))
        }
    }
}

/// The name of the command that ends with these bytes.
fn command_before(before: &[u8]) -> Option<&[u8]> {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'@';
    let length = before
        .iter()
        .rev()
        .take_while(|byte| is_letter(byte))
        .count();
    let (front, name) = before.split_at(before.len() - length);
    (length > 0 && front.ends_with(b"\\")).then_some(name)
}

/// The argument of a command whose name ends at `from`.
fn argument(rest: &[u8], from: usize, has_options: bool, reach: Reach) -> Option<Found> {
    let more = || (!reach.last).then_some(Found::More);
    let mut at = from;
    loop {
        let near = &rest[at..rest.len().min(at + AHEAD)];
        let Some(blanks) = near.iter().position(|byte| !byte.is_ascii_whitespace()) else {
            return more().filter(|_| near.len() < AHEAD);
        };
        let breaks = near[..blanks].iter().filter(|byte| **byte == b'\n');
        if breaks.count() > 1 {
            return None;
        }
        at += blanks;
        match rest[at] {
            b'[' if has_options => match options(&rest[at + 1..]) {
                Some(Some(length)) => at += length + 2,
                Some(None) => return more(),
                None => return None,
            },
            b'{' => return group(&rest[at + 1..], at + 1, reach),
            mark @ (b'|' | b'!' | b'+' | b'"') if !has_options && blanks == 0 => {
                return delimited(&rest[at + 1..], at + 1, mark, reach);
            }
            _ => return None,
        }
    }
}

/// The argument between two marks, whose text begins at `from`.
fn delimited(rest: &[u8], from: usize, mark: u8, reach: Reach) -> Option<Found> {
    /// The longest argument.
    const MOST: usize = 512;
    let near = &rest[..rest.len().min(MOST)];
    match reach.find(near, |byte| byte == mark || byte == b'\n') {
        Some(end) if near[end] == mark => {
            Some(Found::Value(from..from + end, from + end + 1, false))
        }
        Some(_) => None,
        None => (!reach.last && near.len() < MOST).then_some(Found::More),
    }
}

/// The length of options in brackets; `Some(None)` if a longer window tells.
fn options(rest: &[u8]) -> Option<Option<usize>> {
    /// The longest options.
    const MOST: usize = 512;
    let near = &rest[..rest.len().min(MOST)];
    let is_end = |byte: &u8| matches!(byte, b']' | b'[' | b'\\');
    match near.iter().position(is_end) {
        Some(end) if near[end] == b']' => Some(Some(end)),
        Some(_) => None,
        None => (near.len() < MOST).then_some(None),
    }
}

/// The end of a group whose text begins at `from`. An argument ends in its paragraph, and before the next command that
/// has one, so that each byte is searched once.
fn group(rest: &[u8], from: usize, reach: Reach) -> Option<Found> {
    let near = &rest[..rest.len().min(reach.longest)];
    let is_mark = |byte| matches!(byte, b'{' | b'}' | b'\n' | b'\\');
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(found) = reach.find(near.get(at..).unwrap_or_default(), is_mark) {
        at += found;
        match near[at] {
            b'}' if depth == 0 => return Some(Found::Value(from..from + at, from + at + 1, true)),
            b'}' => depth -= 1,
            b'{' => depth += 1,
            b'\n' => {
                let mut behind = near[at + 1..].iter().take(AHEAD);
                let next = behind.find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
                if next == Some(&b'\n') {
                    return None;
                }
            }
            _ => {
                let name = &near[at + 1..near.len().min(at + AHEAD)];
                let name = &name[..tex_word_length(name)];
                let ends: [&[u8]; 6] = [b"url", b"href", b"nolinkurl", b"path", b"begin", b"end"];
                if ends.contains(&name) {
                    return None;
                }
                let is_mark = matches!(near.get(at + 1), Some(b'{' | b'}' | b'\\'));
                at += name.len() + usize::from(is_mark);
            }
        }
        at += 1;
    }
    (!reach.last && near.len() < reach.longest).then_some(Found::More)
}

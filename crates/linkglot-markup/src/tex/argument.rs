//! The arguments of link commands.

use super::{AHEAD, Mark, Position, State, Value};
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
pub(super) fn of_link(
    here: &Position,
    rest: &[u8],
    name: &[u8],
    (last, longest): (bool, usize),
) -> Option<Mark> {
    let (place, syntax) = match name {
        b"href" => (&HREF, Syntax::Single),
        b"nolinkurl" => (&NOLINKURL, Syntax::IriOrText),
        b"path" => (&PATH, Syntax::IriOrText),
        _ => (&URL, Syntax::IriOrText),
    };
    let is_href = syntax == Syntax::Single;
    let (range, behind, is_group) = match argument(rest, 1 + name.len(), is_href, (last, longest))?
    {
        Found::More => return Some(Mark::More),
        Found::Value(range, behind, is_group) => (range, behind, is_group),
    };
    let is_nested = here.depth > 0 && here.entry.is_none();
    let place_of_text = if is_group {
        let percent = percent(&rest[range.clone()], (is_href, is_nested));
        TexPlace::Argument { percent, is_nested }
    } else {
        TexPlace::Verbatim
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

/// The spelling of `%` and `#`. `\%` stands for `%` with hyperref, which `\href` and other escapes tell; a bare mark is
/// another thing in the argument of another command.
pub(super) fn percent(raw: &[u8], (is_href, is_nested): (bool, bool)) -> TexPercent {
    let escapes = memchr::memchr_iter(b'\\', raw).any(|at| {
        let next = raw.get(at + 1);
        next.is_some_and(|next| b"_%#&~".contains(next))
    });
    match () {
        () if escapes => TexPercent::Escaped,
        () if !is_nested || memchr::memchr2(b'%', b'#', raw).is_some() => TexPercent::Bare,
        () if is_href => TexPercent::Escaped,
        () => TexPercent::Unknown,
    }
}

/// The argument of a command whose name ends at `from`.
fn argument(
    rest: &[u8],
    from: usize,
    has_options: bool,
    (last, longest): (bool, usize),
) -> Option<Found> {
    let more = || (!last).then_some(Found::More);
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
            b'{' => return group(&rest[at + 1..], at + 1, (last, longest)),
            mark @ (b'|' | b'!' | b'+' | b'"') if !has_options && blanks == 0 => {
                let near = &rest[at + 1..rest.len().min(at + 1 + AHEAD * 4)];
                let end = near.iter().position(|byte| *byte == mark || *byte == b'\n');
                return match end {
                    Some(end) if near[end] == mark => {
                        Some(Found::Value(at + 1..at + 1 + end, at + end + 2, false))
                    }
                    Some(_) => None,
                    None => more().filter(|_| near.len() < AHEAD * 4),
                };
            }
            _ => return None,
        }
    }
}

/// The length of options in brackets; `Some(None)` if a longer window tells.
fn options(rest: &[u8]) -> Option<Option<usize>> {
    /// The longest options.
    const MOST: usize = 512;
    let near = &rest[..rest.len().min(MOST)];
    match near
        .iter()
        .position(|byte| matches!(byte, b']' | b'[' | b'\\'))
    {
        Some(end) if near[end] == b']' => Some(Some(end)),
        Some(_) => None,
        None => (near.len() < MOST).then_some(None),
    }
}

/// The end of a group whose text begins at `from`. An argument ends in its paragraph, and before the next link command,
/// so that each byte is searched once.
fn group(rest: &[u8], from: usize, (last, longest): (bool, usize)) -> Option<Found> {
    let near = &rest[..rest.len().min(longest)];
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(&byte) = near.get(at) {
        match byte {
            b'}' if depth == 0 => return Some(Found::Value(from..from + at, from + at + 1, true)),
            b'}' => depth -= 1,
            b'{' => depth += 1,
            b'\n' => {
                let blank = near[at + 1..].iter().take(AHEAD);
                let next = blank
                    .copied()
                    .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
                if next == Some(b'\n') {
                    return None;
                }
            }
            b'\\' => {
                let name = &near[at + 1..near.len().min(at + AHEAD)];
                let name = &name[..tex_word_length(name)];
                if matches!(
                    name,
                    b"url" | b"href" | b"nolinkurl" | b"path" | b"begin" | b"end"
                ) {
                    return None;
                }
                at += name.len().max(1);
            }
            _ => {}
        }
        at += 1;
    }
    (!last && near.len() < longest).then_some(Found::More)
}

//! Links in angle brackets, over several lines if need be (RFC 3986 appendix C).

use super::Kind;
use super::classes::{HARD, TERM};
use super::find::{Finder, Link};
use super::tail::Manner;
use super::text::Text;

/// The most bytes of text between the brackets.
const MAX_ANGLE: usize = 8 << 10;
/// The most characters of (ASCII) white space between `<` or `<URL:` and the scheme.
const MAX_LEAD: usize = 8;

/// The link `<...>` or `<URL:...>` whose scheme stands from `start` to `colon`.
pub(super) fn link(
    finder: &Finder<'_, '_>,
    start: usize,
    colon: usize,
    outer: Option<char>,
) -> Option<Link> {
    let opens = match outer? {
        '<' => true,
        ':' => opens_with_url(finder.text, start),
        ch if ch.is_ascii_whitespace() => opens_with_url(finder.text, start),
        _ => false,
    };
    if !opens {
        return None;
    }
    let close = closing(finder.text, colon)?;
    let content = finder.text.slice(start, close);
    let trimmed = content.trim_end();
    if !trimmed.contains(char::is_whitespace)
        && is_whole(finder, start, colon, start + trimmed.len())
    {
        return Some(link_of(start, start + trimmed.len(), false));
    }
    let joined: String = trimmed.chars().filter(|ch| !ch.is_whitespace()).collect();
    begins_well(finder, &joined, colon - start)
        .then(|| link_of(start, start + trimmed.len(), joined.len() < trimmed.len()))
}

fn link_of(start: usize, end: usize, spaced: bool) -> Link {
    Link {
        start,
        end,
        kind: Kind::Absolute,
        floor: end,
        spaced,
    }
}

/// Whether `<URL:` and perhaps white space end at `at`.
fn opens_with_url(text: &Text<'_>, at: usize) -> bool {
    let mut i = at;
    for _ in 0..MAX_LEAD {
        match text.before(i) {
            Some(ch) if ch.is_ascii_whitespace() => i -= 1,
            _ => break,
        }
    }
    text.ends(i, 0, "<URL:") || (i < at && text.ends(i, 0, "<"))
}

/// The position of the `>`, when only characters of links and white space stand in front of it,
/// and no empty line.
fn closing(text: &Text<'_>, at: usize) -> Option<usize> {
    let (mut i, mut breaks) = (at, 0);
    while i < at + MAX_ANGLE {
        let ch = text.char(i);
        match ch {
            '>' => return Some(i),
            '<' | '"' => return None,
            '\n' => breaks += 1,
            _ if ch.is_whitespace() => {}
            _ if text.class(ch) & TERM == HARD => return None,
            _ => breaks = 0,
        }
        if breaks > 1 {
            return None;
        }
        i += ch.len_utf8();
    }
    None
}

/// Whether the whole content is a link as it stands; all of it is, also a dot at its end.
fn is_whole(finder: &Finder<'_, '_>, start: usize, colon: usize, end: usize) -> bool {
    begins_well(finder, finder.text.slice(start, end), colon - start)
}

/// Whether the text begins with a link that reaches behind its authority.
fn begins_well(finder: &Finder<'_, '_>, joined: &str, colon: usize) -> bool {
    let text = Text::new(joined, finder.text.classes());
    let inner = Finder {
        text: &text,
        scanner: finder.scanner,
        floor: 0,
    };
    let Some(end) = inner.scheme_end(0, colon, Manner::Extended(Some('<'))) else {
        return false;
    };
    // Behind the authority everything belongs to the link; a host must not be cut short.
    end == joined.len()
        || joined.get(end..).is_some_and(|rest| {
            joined.get(..end).is_some_and(|l| l.len() > colon + 3)
                && !in_authority(joined, colon, end, rest)
        })
}

/// Whether the link ended inside its authority although more text follows.
fn in_authority(joined: &str, colon: usize, end: usize, rest: &str) -> bool {
    let hierarchical = joined.get(colon + 1..colon + 3) == Some("//");
    let authority = joined.get(colon + 3..end).unwrap_or("");
    hierarchical && !authority.contains(['/', '?', '#']) && rest.chars().any(char::is_alphanumeric)
}

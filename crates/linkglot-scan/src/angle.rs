//! Links in angle brackets, over several lines if need be (RFC 3986 appendix C).

use super::Kind;
use super::breaks::{self, Break, unbroken};
use super::classes::{HARD, INVISIBLE, TERM};
use super::find::{Finder, Link};
use super::tail::{Manner, is_modifier};
use super::text::Text;
use super::wrapped::separates;

/// The most bytes of text between the brackets.
const MAX_ANGLE: usize = super::run::around::BRACKETS;
/// Opening of the target of a Markdown link whose destination stands in angle brackets.
const TARGET: &str = "](<";
/// The most characters of (ASCII) white space between `<` or `<URL:` and the scheme.
const MAX_LEAD: usize = 8;

/// The link `<...>` or `<URL:...>` whose scheme stands from `start` to `colon`.
pub(super) fn link(
    finder: &Finder<'_, '_>,
    start: usize,
    colon: usize,
    outer: Option<char>,
) -> Option<Link> {
    // A `<` that belongs to the link before opens nothing.
    let opens = start > finder.floor
        && match outer? {
            '<' => true,
            ':' => opens_with_url(finder, start),
            ch if ch.is_ascii_whitespace() => opens_with_url(finder, start),
            _ => false,
        };
    if !opens {
        return None;
    }
    let close = closing(finder.text, start, colon)?;
    let raw = finder.text.slice(start, close);
    let (joined, length) = content(finder.text, raw);
    begins_well(finder, &joined, colon - start)
        .then(|| link_of(start, start + length, raw.contains(char::is_whitespace)))
}

/// A link without its line breaks, and its length with them. Invisible characters in front of the bracket stand beside
/// the link, unless they change the look of its last character.
fn content(text: &Text<'_>, raw: &str) -> (String, usize) {
    let (mut joined, mut length) = (String::new(), 0);
    let (mut visible, mut modifies) = (0, false);
    for (at, ch) in unbroken(raw) {
        joined.push(ch);
        let is_visible = !text.is(ch, INVISIBLE);
        modifies = if is_visible {
            !ch.is_ascii()
        } else {
            modifies && is_modifier(ch)
        };
        if is_visible || modifies {
            (visible, length) = (joined.len(), at + ch.len_utf8());
        }
    }
    joined.truncate(visible);
    (joined, length)
}

/// The link `<...>` or `<URL:...>` over line breaks whose first line is `link`, a domain and its tail.
pub(super) fn domain(finder: &Finder<'_, '_>, link: Link) -> Option<Link> {
    let text = finder.text;
    let is_white = matches!(text.byte(link.end), b' ' | b'\t' | b'\n' | b'\r');
    let opens = link.start > finder.floor
        && match text.before(link.start) {
            Some('<') => true,
            Some(':') => text.ends(link.start, finder.floor, "<URL:"),
            _ => false,
        };
    if !is_white || !opens {
        return None;
    }
    let close = closing(text, link.start, link.end)?;
    let raw = text.slice(link.start, close);
    // `<example.com at example.org>`: words, and no break of a line.
    let has_words = |line: &str| {
        let line = line.trim_start_matches(['>', ' ', '\t']).trim_end();
        line.contains(char::is_whitespace)
    };
    if raw.lines().any(has_words) {
        return None;
    }
    let (joined, length) = content(text, raw);
    let whole = finder.first_link(&joined, 0)?;
    let is_whole = whole.start == 0 && whole.kind == link.kind && whole.end == joined.len();
    let end = link.start + length;
    is_whole.then_some(Link {
        end,
        floor: end,
        spaced: true,
        ..link
    })
}

fn link_of(start: usize, end: usize, spaced: bool) -> Link {
    Link {
        spaced,
        ..Link::new(start, end, Kind::Absolute)
    }
}

/// True if `<URL:` and perhaps white space end at `at`.
fn opens_with_url(finder: &Finder<'_, '_>, at: usize) -> bool {
    let (text, floor) = (finder.text, finder.floor);
    let mut i = at;
    for _ in 0..MAX_LEAD {
        match text.before(i) {
            Some(ch) if ch.is_ascii_whitespace() => i -= 1,
            _ => break,
        }
    }
    text.ends(i, floor, "<URL:") || (i < at && text.ends(i, floor, "<"))
}

/// The position of the `>`, when only characters of links and white space stand in front of it. A blank line may be
/// among them if the line stands beside a separator of the link. In one line blanks belong to a link whose path, query
/// or fragment has begun; other blanks stand in front of its label (`<http://example.org label>`) or of words, and the
/// `>` closes no bracket (`a < http://example.org/ and b > c`, a quotation's mark). Where lines end, blanks may stand
/// beside separators; and the target of Markdown's links may have blanks of its own. A `>` in front of a quotation's
/// lines does not close a bracket that opened in one.
fn closing(text: &Text<'_>, start: usize, at: usize) -> Option<usize> {
    let mut i = at;
    let (mut first_blank, mut has_wide) = (None, false);
    let (mut has_words, mut has_breaks) = (false, false);
    let is_target = || text.ends(start, 0, TARGET);
    while i < at + MAX_ANGLE {
        let ch = text.char(i);
        if i >= text.str().len() {
            text.open_bracket();
            return None;
        }
        match ch {
            '>' => {
                let is_open = first_blank.is_none_or(|blank| has_open_end(text, start, blank));
                let in_line = is_open && !has_wide;
                return (has_breaks || in_line || is_target()).then_some(i);
            }
            // `<http://example.org/|text>`: the text behind the bar belongs to the markup.
            '<' | '"' | '|' => return None,
            '%' if is_escaped_mark(text, i) => return None,
            ' ' | '\t' | '\n' | '\r' => match line_break(text, i) {
                Some(line) if line.is_paragraph && !is_beside(text, i, line.next) => return None,
                Some(line) if begins_comment(text, line.next) => return None,
                Some(line) => {
                    has_breaks = true;
                    i = line.next;
                }
                None => {
                    let blanks = breaks::blanks_end(text, i);
                    // The line of a quotation that goes on without its mark.
                    let end = blanks.max(i + 1);
                    has_breaks |= blanks == i;
                    let is_last = matches!(text.byte(end), b'>' | b'\n' | b'\r');
                    let is_blank = blanks > i && !is_last;
                    if is_blank && first_blank.is_none() {
                        first_blank = Some(i);
                    }
                    has_words |= is_blank && !is_beside(text, i, end);
                    i = end;
                }
            },
            _ if text.class(ch) & TERM == HARD && !ch.is_whitespace() => return None,
            _ => {
                has_wide |= ch.is_whitespace();
                has_words |= has_wide;
                i += ch.len_utf8();
            }
        }
        let begins = text
            .before(i)
            .is_some_and(|ch| ch.is_whitespace() || ch == '>')
            && i > at;
        if has_words && has_breaks || begins && is_link(text, i) {
            return None;
        }
    }
    None
}

/// True if a link right behind its bracket has a path, a query or a fragment, in which `end` may stand.
fn has_open_end(text: &Text<'_>, start: usize, end: usize) -> bool {
    let is_glued = matches!(text.byte_before(start), b'<' | b':');
    let tail = text.slice(start, end).split_once("://");
    is_glued && tail.is_some_and(|(_, tail)| tail.contains(['/', '?', '#']))
}

/// True if the escape of a mark that no bracket may hold stands at a position: a text that is no link in brackets does
/// not become one by escaping its marks.
fn is_escaped_mark(text: &Text<'_>, at: usize) -> bool {
    ["%22", "%7C"].iter().any(|escape| text.has(at, escape))
}

/// True if a line begins with the mark of a comment and a blank: `# c`, `/// c`, ` * c`, `-- c`. The line is one of a
/// comment, whose marks belong to no link.
fn begins_comment(text: &Text<'_>, at: usize) -> bool {
    /// The most characters of a mark.
    const MOST: usize = 4;
    let is_mark =
        |&i: &usize| matches!(text.byte(i), b'#' | b'/' | b'*' | b';' | b'-' | b'%' | b'!');
    let length = (at..at + MOST).take_while(is_mark).count();
    length > 0 && matches!(text.byte(at + length), b' ' | b'\t')
}

/// True if a link of its own begins behind white space.
fn is_link(text: &Text<'_>, at: usize) -> bool {
    text.has(at, "http://") || text.has(at, "https://")
}

/// True if a separator of the link, or its end, stands at either side of white space.
fn is_beside(text: &Text<'_>, start: usize, end: usize) -> bool {
    text.before(start).is_some_and(separates) || separates(text.char(end)) || text.byte(end) == b'>'
}

/// The line break at a position, with the quote marks of a mail in front of the next line. A `>` there closes the
/// brackets instead if no other `>` follows in its line.
fn line_break(text: &Text<'_>, at: usize) -> Option<Break> {
    let plain = Break::at(text, at, 0)?;
    if text.byte(plain.next) != b'>' {
        return Some(plain);
    }
    let quoted = Break::at(text, at, usize::MAX)?;
    // Brackets never hold a quotation mark: nothing behind one is read.
    let in_line = |&i: &usize| !matches!(text.byte(i), b'>' | b'<' | b'"' | b'\n' | b'\r' | 0);
    let end = quoted.next + (quoted.next..at + MAX_ANGLE).take_while(in_line).count();
    let goes_on = end > quoted.next && matches!(text.byte(end), b'>' | b'\n' | b'\r');
    Some(if goes_on { quoted } else { plain })
}

/// True if the text begins with a link that reaches beyond its authority.
fn begins_well(finder: &Finder<'_, '_>, joined: &str, colon: usize) -> bool {
    let text = Text::new(joined, finder.text.classes());
    let inner = Finder {
        text: &text,
        scanner: finder.scanner,
        floor: 0,
    };
    let manner = Manner::Extended {
        outer: Some('<'),
        start: None,
    };
    let Some(end) = inner.scheme_end(0, colon, manner) else {
        return false;
    };
    // Behind the authority everything belongs to the link; a host must not be cut short.
    end == joined.len()
        || joined.get(end..).is_some_and(|rest| {
            joined.get(..end).is_some_and(|l| l.len() > colon + 3)
                && !in_authority(joined, colon, end, rest)
        })
}

/// True if the link ended inside its authority although more text follows.
fn in_authority(joined: &str, colon: usize, end: usize, rest: &str) -> bool {
    let hierarchical = joined.get(colon + 1..colon + 3) == Some("//");
    let authority = joined.get(colon + 3..end).unwrap_or("");
    hierarchical && !authority.contains(['/', '?', '#']) && rest.chars().any(char::is_alphanumeric)
}

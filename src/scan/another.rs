//! Whether a link of its own begins behind a mark that parts the members of a list: `http://a.jp/あ、www.b.jp/い`; and whether
//! one stands apart from what is in front of it.

use super::emphasis::opens_inside;
use super::host;
use super::lists;
use super::scheme;
use super::text::Text;

/// The longest name of a scheme, and the longest local part that are looked for.
const MAX_NAME: usize = 64;
/// How many bytes behind the colon of a scheme without `//` are looked at.
const MAX_SHAPE: usize = 64;

/// Whether a scheme, `www.` or an e-mail address begins at a position. O(1): what is looked at is bounded.
pub(super) fn begins(text: &Text<'_>, at: usize) -> bool {
    text.byte(at).is_ascii_alphanumeric()
        && (is_www(text, at) || has_scheme(text, at) || is_address(text, at))
}

fn is_www(text: &Text<'_>, at: usize) -> bool {
    text.has(at, "www.") && host::is_label(text, text.char(at + 4))
}

fn has_scheme(text: &Text<'_>, at: usize) -> bool {
    let colon = run_end(text, at, MAX_NAME, |byte| b"+-.".contains(&byte));
    if text.byte(colon) != b':' || !text.byte(at).is_ascii_alphabetic() {
        return false;
    }
    if text.has(colon + 1, "//") {
        let next = text.char(colon + 3);
        return host::is_label(text, next) || matches!(next, '[' | '/');
    }
    let name = text.slice(at, colon);
    if name.eq_ignore_ascii_case("mailto") {
        let next = text.char(colon + 1);
        return next.is_alphanumeric() || matches!(next, '%' | '?');
    }
    let end = (colon + 1..colon + MAX_SHAPE).find(|&i| !text.byte(i).is_ascii_graphic());
    let rest = text.slice(colon + 1, end.unwrap_or(colon + MAX_SHAPE));
    lists::opaque_scheme(name).is_some_and(|shape| scheme::is_shaped(name, shape, rest))
}

/// An address with a known domain, its local part in ASCII.
fn is_address(text: &Text<'_>, at: usize) -> bool {
    let sign = run_end(text, at, MAX_NAME, |byte| b"._+-".contains(&byte));
    if sign == at || text.byte(sign) != b'@' {
        return false;
    }
    let (start, tlds) = (sign + 1, lists::tlds());
    let name = text.slice(start, host::reg_name_end(text, start, ""));
    let name = name
        .get(..host::unglued(text, name, tlds))
        .unwrap_or_default();
    let labels = name.trim_end_matches(host::is_dot).rsplit_once('.');
    labels.is_some_and(|(domain, last)| !domain.is_empty() && tlds.contains(last))
}

/// The end of a run of ASCII letters, digits and such other bytes.
fn run_end(text: &Text<'_>, at: usize, most: usize, other: impl Fn(u8) -> bool) -> usize {
    let is_of = |byte: u8| byte.is_ascii_alphanumeric() || other(byte);
    let end = (at..at + most).find(|&i| !is_of(text.byte(i)));
    end.unwrap_or(at + most)
}

/// Whether words, a bracket or a quote stand in front of another link that begins at a position, or whose scheme ends there:
/// what is in front of them is not of one link with it. `None`: no such link is here. Whoever looks for the end of words must
/// look no further than that: how long the link is, and what is in it, is another after rewriting. O(1).
pub(super) fn stands_apart(text: &Text<'_>, at: usize) -> Option<bool> {
    let start = match text.byte(at) {
        b':' => scheme_start(text, at)?,
        byte if byte.is_ascii_alphanumeric() && !is_in_word(text, at) && begins(text, at) => at,
        _ => return None,
    };
    let outer = text.before(start);
    Some(outer.is_some_and(|ch| !ch.is_ascii() || opens_inside(ch)))
}

/// Where the scheme begins whose `://` stands at a position.
fn scheme_start(text: &Text<'_>, colon: usize) -> Option<usize> {
    /// No scheme that is looked at has as many bytes.
    const MOST: usize = 32;
    let is_scheme = |at: usize| {
        let byte = text.byte_before(at);
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
    };
    if !text.has(colon, "://") {
        return None;
    }
    let most = colon.min(MOST);
    let len = (0..most).take_while(|len| is_scheme(colon - len)).count();
    (len > 0).then_some(colon - len)
}

/// Whether a position is in the midst of a word, a path or an address.
fn is_in_word(text: &Text<'_>, at: usize) -> bool {
    let before = text.byte_before(at);
    before.is_ascii_alphanumeric() || b"._+-@/%=&?#:".contains(&before)
}

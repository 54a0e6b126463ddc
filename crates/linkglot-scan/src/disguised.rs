//! Addresses that people and archives of mailing lists disguise: `<ann at example.org>`, `From: ann at example.org`,
//! `ann [at] example.org`.
//!
//! Their domains are no links. The words up to the domain are one run, so that each of them is read with the others.

use super::text::Text;

/// The most bytes of a disguised local part, with the bracket in front of it.
const LONGEST_LOCAL: usize = 80;
/// The most bytes of a disguised address in front of its domain.
pub(super) const BEFORE: usize = LONGEST_LOCAL + "From: ".len() + " at ".len();

/// True if `at` or `(at)` may end with a byte.
#[inline]
pub(super) const fn may_end_at(byte: u8) -> bool {
    matches!(byte, b't' | b'T' | b')' | b']' | b'}' | b'>')
}

/// The start of the words that may disguise the address whose domain begins at `domain`.
pub(super) fn start(bytes: &[u8], domain: usize) -> Option<usize> {
    let (before, host) = bytes.split_at_checked(domain)?;
    if matches!(host.first()?, b'<' | b'(' | b'[' | b'{' | b'&') {
        return None;
    }
    let words = before.strip_suffix(b" at ");
    let Some(words) = words.or_else(|| before.strip_suffix(b" AT ")) else {
        return at_sign(before);
    };
    let (outer, local) = words.split_at(words.len() - word_len(words.iter().rev()));
    match local.first()? {
        _ if local.iter().any(|byte| matches!(byte, b'/' | b'@')) => None,
        b'<' | b'(' | b'&' => Some(outer.len()),
        _ => from(outer),
    }
}

/// The start of the `(at)` or `[at]` that ends bytes, perhaps with a space.
fn at_sign(bytes: &[u8]) -> Option<usize> {
    let word = bytes.strip_suffix(b" ").unwrap_or(bytes);
    let (outer, [open, at @ .., close]) = word.split_last_chunk::<4>()?;
    let pairs = [*b"()", *b"[]", *b"{}", *b"<>"];
    let is_sign = at.eq_ignore_ascii_case(b"at") && pairs.contains(&[*open, *close]);
    is_sign.then_some(outer.len())
}

/// The start of the `From ` or `From: ` that ends bytes.
fn from(bytes: &[u8]) -> Option<usize> {
    let outer = bytes.strip_suffix(b"From ");
    let outer = outer.or_else(|| bytes.strip_suffix(b"From: "))?;
    let is_word = outer.last().is_none_or(u8::is_ascii_whitespace);
    is_word.then_some(outer.len())
}

/// The number of bytes in front of white space, as far as a local part may reach.
fn word_len<'b>(bytes: impl Iterator<Item = &'b u8>) -> usize {
    let near = bytes.take(LONGEST_LOCAL);
    near.take_while(|byte| !byte.is_ascii_whitespace()).count()
}

/// True if a space between two words may stand in a disguised address, by the bytes on either side.
#[inline]
pub(super) const fn may_tie(last: u8, next: u8) -> bool {
    may_end_at(last) || matches!(last, b'm' | b':') || matches!(next, b'a' | b'A')
}

/// True if the white space in front of a word stands in words that may disguise an address.
#[inline(never)]
pub(super) fn ties(bytes: &[u8], word: usize) -> bool {
    let (before, rest) = bytes.split_at_checked(word).unwrap_or_default();
    let domain = match before {
        [.., last, b' '] if may_end_at(*last) => word,
        [.., b' '] if matches!(rest, [b'a' | b'A', b't' | b'T', b' ', ..]) => word + 3,
        [.., b'm' | b':', b' '] if from(before).is_some() => word + word_len(rest.iter()) + 4,
        _ => return false,
    };
    start(bytes, domain).is_some_and(|start| start < word)
}

/// True if a host is the domain of a disguised address.
pub(super) fn is_domain(text: &Text<'_>, host: usize, end: usize) -> bool {
    let bytes = text.str().as_bytes();
    let sign = bytes.get(..host).and_then(at_sign);
    let first = start(bytes, host).and_then(|start| bytes.get(start));
    match first {
        _ if sign.is_some() => true,
        None | Some(b'&') => false,
        Some(b'<') => text.byte(end) == b'>',
        Some(b'(') => text.byte(end) == b')',
        Some(_) => true,
    }
}

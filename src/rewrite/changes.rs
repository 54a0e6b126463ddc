//! Finds the parts of a link that change, so that the rest keeps its bytes.
//!
//! In legacy charsets decoding and encoding again is not the identity, and a character can be escaped in several ways.
//! So unchanged characters keep their bytes.

use crate::charset::ascii::{common_length, percent_octet};
use crate::span::TextSpan;
use std::ops::Range;

/// A part of the old text and the part of the new text that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The changes from `old` to `new`, in order; adjacent changes are merged. Compares the part up to the end of the
/// authority and the rest separately. Pairs characters with their percent-encoding; if pairs do not explain the
/// difference, everything between the common start and the common end of the part is one change. Linear.
pub(crate) fn changes(old: &str, new: &str) -> Vec<Change> {
    let (at, to) = authority_ends(old, new).unwrap_or((0, 0));
    let mut all = Vec::new();
    for (was, is) in [(0..at, 0..to), (at..old.len(), to..new.len())] {
        let known = all.len();
        if pair_escapes((old, was.clone()), (new, is.clone()), &mut all).is_none() {
            all.truncate(known);
            let outer = outer_difference(&old[was.clone()], &new[is.clone()]);
            let moved = |range: Range<usize>, by| range.start + by..range.end + by;
            let change = Change {
                old: moved(outer.old, was.start),
                new: moved(outer.new, is.start),
            };
            push(&mut all, change);
        }
    }
    all
}

/// The ends of both authorities, if the same delimiter follows them.
fn authority_ends(old: &str, new: &str) -> Option<(usize, usize)> {
    let at = authority_end(old)?;
    // A common start with the delimiter has the end of both.
    let to = if common_length(old.as_bytes(), new.as_bytes()) > at {
        at
    } else {
        authority_end(new)?
    };
    (old[at..].chars().next() == new[to..].chars().next()).then_some((at, to))
}

/// The end of the authority, or of the text in its place, if a path, a query or a fragment follows.
fn authority_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let slashes = memchr::memchr_iter(b'/', bytes).find(|&at| bytes.get(at + 1) == Some(&b'/'));
    let start = slashes.filter(|&at| at == 0 || bytes[at - 1] == b':');
    let start = start.map_or(0, |at| at + 2);
    Some(start + memchr::memchr3(b'/', b'?', b'#', &bytes[start..])?)
}

/// Appends the changes of a part of both texts; `None` if characters and their percent-encoding do not explain them.
///
/// Octets are paired one by one. Both texts are UTF-8, so characters are paired as a whole, or the pairing fails.
fn pair_escapes(
    (old, was): (&str, Range<usize>),
    (new, is): (&str, Range<usize>),
    changes: &mut Vec<Change>,
) -> Option<()> {
    let (old, new) = (&old.as_bytes()[..was.end], &new.as_bytes()[..is.end]);
    let (mut at, mut to) = (was.start, is.start);
    loop {
        let same = common_length(&old[at..], &new[to..]);
        (at, to) = (at + same, to + same);
        if at == old.len() && to == new.len() {
            return Some(());
        }
        let (start, begin) = (at, to);
        while let Some((left, right)) = pair(&old[at..], &new[to..]) {
            (at, to) = (at + left, to + right);
        }
        if at == start {
            return None;
        }
        push(
            changes,
            Change {
                old: start..at,
                new: begin..to,
            },
        );
    }
}

/// The lengths of an octet and of its percent-encoding, or the reverse, if both texts start with the two.
fn pair(old: &[u8], new: &[u8]) -> Option<(usize, usize)> {
    match (old.first()?, new.first()?) {
        (b'%', b'%') => None,
        (octet, b'%') => (percent_octet(new) == Some(*octet)).then_some((1, 3)),
        (b'%', octet) => (percent_octet(old) == Some(*octet)).then_some((3, 1)),
        _ => None,
    }
}

fn push(changes: &mut Vec<Change>, change: Change) {
    match changes.last_mut() {
        Some(last) if last.old.end == change.old.start && last.new.end == change.new.start => {
            last.old.end = change.old.end;
            last.new.end = change.new.end;
        }
        _ => changes.push(change),
    }
}

/// Extends each change by the next character, for charsets in which a shift sequence belongs to the character behind
/// it: the change may make that sequence unnecessary. Characters that `may_change` refuses stay.
pub(crate) fn extended(
    parts: Vec<Change>,
    old: &str,
    may_change: impl Fn(TextSpan) -> bool,
) -> Vec<Change> {
    let begins: Vec<usize> = parts.iter().map(|part| part.old.start).collect();
    let nexts = begins.into_iter().skip(1).chain([old.len()]);
    let mut all = Vec::new();
    for (mut part, end) in parts.into_iter().zip(nexts) {
        let behind = part.old.end..end;
        let length = old[behind].chars().next().map_or(0, char::len_utf8);
        let next = TextSpan::new(part.old.end, part.old.end + length);
        if length > 0 && may_change(next) {
            part.old.end += length;
            part.new.end += length;
        }
        push(&mut all, part);
    }
    all
}

/// The last boundary of characters at or before a byte.
fn floor_char(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A single change between the common start and the common end.
fn outer_difference(old: &str, new: &str) -> Change {
    let begin = floor_char(old, common_length(old.as_bytes(), new.as_bytes()));
    let (left, right) = (&old.as_bytes()[begin..], &new.as_bytes()[begin..]);
    let pairs = left.iter().rev().zip(right.iter().rev());
    let mut end = pairs.take_while(|(a, b)| a == b).count();
    // A character that both texts end with begins with the same byte in both.
    while !old.is_char_boundary(old.len() - end) {
        end -= 1;
    }
    Change {
        old: begin..old.len() - end,
        new: begin..new.len() - end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> Vec<(String, String)> {
        changes(old, new)
            .into_iter()
            .map(|c| (old[c.old].to_owned(), new[c.new].to_owned()))
            .collect()
    }

    #[test]
    fn pairs_characters_with_their_escapes() {
        assert_eq!(
            shown("/é%2Fü?a", "/%C3%A9%2F%C3%BC?a"),
            [("é".into(), "%C3%A9".into()), ("ü".into(), "%C3%BC".into())]
        );
        assert_eq!(shown("/%C3%A9/x", "/é/x"), [("%C3%A9".into(), "é".into())]);
        assert_eq!(shown("/日本/", "/%E6%97%A5%E6%9C%AC/").len(), 1);
    }

    #[test]
    fn a_path_keeps_its_bytes_behind_a_host_that_changes() {
        assert_eq!(
            shown("http://é.de/a/ü/b", "http://xn--9ca.de/a/%C3%BC/b"),
            [
                ("é".into(), "xn--9ca".into()),
                ("ü".into(), "%C3%BC".into())
            ]
        );
        assert_eq!(
            shown("é.de?a=é", "xn--9ca.de?a=%C3%A9"),
            [
                ("é".into(), "xn--9ca".into()),
                ("é".into(), "%C3%A9".into())
            ]
        );
        assert_eq!(
            shown("http://a.example/old/é", "https://b.example/new/é"),
            [
                ("://a".into(), "s://b".into()),
                ("old".into(), "new".into())
            ]
        );
    }

    #[test]
    fn other_differences_are_one_change() {
        assert_eq!(
            shown(
                "http://é.résumé.example/",
                "http://xn--9ca.xn--rsum-bpad.example/"
            ),
            [("é.résumé".into(), "xn--9ca.xn--rsum-bpad".into())]
        );
        assert_eq!(shown("aXa", "aa"), [("X".into(), "".into())]);
        assert_eq!(shown("", "a"), [("".into(), "a".into())]);
        assert_eq!(shown("same", "same"), []);
    }
}

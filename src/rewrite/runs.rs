//! Which parts of a link change, so that the rest keeps its bytes.
//!
//! Decoding and encoding again is not the identity in legacy charsets, and the same character can
//! be escaped in several ways: what does not change must not be written anew.

use crate::ascii::hex_value;
use crate::span::TextSpan;
use std::ops::Range;

/// A part of the old text and the part of the new text that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The changes from `old` to `new`, in order, neighbours merged. Characters and their
/// percent-encoding are paired; where that does not explain the difference of what ends with the
/// authority, or of what is behind it, all between the common begin and the common end of that is one
/// change. Linear.
pub(crate) fn changes(old: &str, new: &str) -> Vec<Change> {
    let (at, to) = match (authority_end(old), authority_end(new)) {
        (Some(at), Some(to)) if old[at..].chars().next() == new[to..].chars().next() => (at, to),
        _ => (0, 0),
    };
    let mut all = Vec::new();
    for (was, is) in [(0..at, 0..to), (at..old.len(), to..new.len())] {
        let (a, b) = (&old[was.clone()], &new[is.clone()]);
        for part in aligned(a, b).unwrap_or_else(|| vec![outer_difference(a, b)]) {
            let change = Change {
                old: was.start + part.old.start..was.start + part.old.end,
                new: is.start + part.new.start..is.start + part.new.end,
            };
            push(&mut all, change);
        }
    }
    all
}

/// Where the authority of a reference ends in front of a path, a query or a fragment, or what stands in its place.
fn authority_end(text: &str) -> Option<usize> {
    let start = text
        .find("//")
        .filter(|&at| at == 0 || text[..at].ends_with(':'));
    let start = start.map_or(0, |at| at + 2);
    Some(start + text[start..].find(['/', '?', '#'])?)
}

fn aligned(old: &str, new: &str) -> Option<Vec<Change>> {
    let mut changes: Vec<Change> = Vec::new();
    let (mut at, mut to) = (0, 0);
    while at < old.len() || to < new.len() {
        let (was, is) = (&old[at..], &new[to..]);
        if let (Some(a), Some(b)) = (was.chars().next(), is.chars().next())
            && a == b
        {
            (at, to) = (at + a.len_utf8(), to + b.len_utf8());
            continue;
        }
        let (left, right) = pair(was, is)?;
        push(
            &mut changes,
            Change {
                old: at..at + left,
                new: to..to + right,
            },
        );
        (at, to) = (at + left, to + right);
    }
    Some(changes)
}

/// The lengths of two different beginnings that mean the same octets.
fn pair(old: &str, new: &str) -> Option<(usize, usize)> {
    let (a, b) = (old.chars().next()?, new.chars().next()?);
    if a != '%' && b == '%' {
        return Some((a.len_utf8(), encoded_length(new, a)?));
    }
    if a == '%' && b != '%' {
        return Some((encoded_length(old, b)?, b.len_utf8()));
    }
    None
}

/// The length of the percent-encoding of `ch` in UTF-8 that `text` begins with.
fn encoded_length(text: &str, ch: char) -> Option<usize> {
    let mut octets = [0; 4];
    let octets = ch.encode_utf8(&mut octets).as_bytes();
    let triplets = text.as_bytes().chunks_exact(3).take(octets.len());
    let same = triplets
        .zip(octets)
        .filter(|(triplet, octet)| decoded(triplet) == Some(**octet));
    (same.count() == octets.len()).then_some(octets.len() * 3)
}

fn decoded(triplet: &[u8]) -> Option<u8> {
    match *triplet {
        [b'%', high, low] => Some(hex_value(high)? << 4 | hex_value(low)?),
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

/// Changes with the characters behind them, for charsets whose shift sequences belong to the character that follows: the one
/// behind a change goes where it is not needed any longer. A character that `may_change` refuses stays.
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

/// One change between the common begin and the common end.
fn outer_difference(old: &str, new: &str) -> Change {
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        pairs
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a.len_utf8())
            .sum()
    };
    let begin = same(&mut old.chars().zip(new.chars()));
    let end = same(&mut old[begin..].chars().rev().zip(new[begin..].chars().rev()));
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

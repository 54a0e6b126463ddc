//! The changed parts of a line.
//!
//! Both lines are followed from the left as long as they are equal. After a difference, the nearest place where they
//! agree again is searched in windows of doubling size: the time is linear in the skipped bytes.

use std::collections::HashMap;
use std::ops::Range;

/// The changed ranges of the old and of the new line, equally many. Ranges begin and end between characters; one of a
/// pair may be empty.
pub type Parts = (Vec<Range<usize>>, Vec<Range<usize>>);

/// Number of equal bytes that end a change.
const RUN: usize = 3;

/// The first and the last window of the search for equal bytes.
const WINDOW: usize = 64;
const MAX_WINDOW: usize = 16 * 1024;

/// The changed parts of two lines in UTF-8; empty if the lines share no byte.
pub fn changed_parts(old: &[u8], new: &[u8]) -> Parts {
    let (mut olds, mut news): Parts = (Vec::new(), Vec::new());
    let ends = common_end(old, new);
    let (old_end, new_end) = (old.len() - ends, new.len() - ends);
    let (mut a, mut b) = (0, 0);
    let mut kept = ends;
    loop {
        let equal = common_begin(&old[a..old_end], &new[b..new_end]);
        kept += equal;
        (a, b) = (a + equal, b + equal);
        if a == old_end && b == new_end {
            break;
        }
        let next = next_equal(&old[a..old_end], &new[b..new_end]);
        let (skip_a, skip_b) = next.unwrap_or((old_end - a, new_end - b));
        push(&mut olds, old, a..a + skip_a);
        push(&mut news, new, b..b + skip_b);
        (a, b) = (a + skip_a, b + skip_b);
    }
    if kept > 0 {
        separate(olds, news)
    } else {
        Parts::default()
    }
}

fn common_begin(old: &[u8], new: &[u8]) -> usize {
    old.iter().zip(new).take_while(|(a, b)| a == b).count()
}

/// Number of equal bytes at the ends, not counting bytes that are also equal at the beginning.
fn common_end(old: &[u8], new: &[u8]) -> usize {
    let begin = common_begin(old, new);
    let ends = old[begin..].iter().rev().zip(new[begin..].iter().rev());
    ends.take_while(|(a, b)| a == b).count()
}

/// Number of bytes to skip on each side until both are equal for a while.
fn next_equal(old: &[u8], new: &[u8]) -> Option<(usize, usize)> {
    let longest = old.len().max(new.len());
    let mut window = WINDOW;
    loop {
        let found = equal_within(&old[..old.len().min(window)], &new[..new.len().min(window)]);
        if found.is_some() || window >= longest.min(MAX_WINDOW) {
            return found;
        }
        window *= 2;
    }
}

/// The place within a window that skips the fewest bytes.
fn equal_within(old: &[u8], new: &[u8]) -> Option<(usize, usize)> {
    let mut places = HashMap::new();
    for (at, run) in new.windows(RUN).enumerate() {
        places.entry(run).or_insert(at);
    }
    let runs = old.windows(RUN).enumerate();
    let found = runs.filter_map(|(at, run)| Some((at, *places.get(run)?)));
    found.min_by_key(|(old, new)| old + new)
}

/// Appends a range, extended to whole characters.
fn push(ranges: &mut Vec<Range<usize>>, text: &[u8], range: Range<usize>) {
    let is_inside = |at: usize| text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let (mut start, mut end) = (range.start, range.end);
    while start > 0 && is_inside(start) {
        start -= 1;
    }
    while is_inside(end) {
        end += 1;
    }
    ranges.push(start..end);
}

/// Merges neighbours that overlap, because they were extended to whole characters.
fn separate(olds: Vec<Range<usize>>, news: Vec<Range<usize>>) -> Parts {
    let (mut left, mut right): Parts = (Vec::new(), Vec::new());
    for (old, new) in olds.into_iter().zip(news) {
        match (left.last_mut(), right.last_mut()) {
            (Some(a), Some(b)) if old.start < a.end || new.start < b.end => {
                a.end = a.end.max(old.end);
                b.end = b.end.max(new.end);
            }
            _ => {
                left.push(old);
                right.push(new);
            }
        }
    }
    (left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both lines with brackets around their changes.
    fn marked(old: &str, new: &str) -> (String, String) {
        let mark = |text: &str, parts: &[Range<usize>]| {
            let mut out = text.to_owned();
            for part in parts.iter().rev() {
                out.insert(part.end, ']');
                out.insert(part.start, '[');
            }
            out
        };
        let (olds, news) = changed_parts(old.as_bytes(), new.as_bytes());
        assert_eq!(olds.len(), news.len());
        (mark(old, &olds), mark(new, &news))
    }

    #[test]
    fn changes_in_a_line() {
        for (old, new) in [
            ("a[é]b", "a[%C3%A9]b"),
            ("a[]b", "a[x]b"),
            (
                "<a href='/[é]'> <a href='/[ü]'>",
                "<a href='/[%C3%A9]'> <a href='/[%C3%BC]'>",
            ),
            ("http[]://[old].example/", "http[s]://[new].example/"),
            // The bytes of the characters are partly equal, the characters are not.
            ("x[é]x", "x[è]x"),
            ("x[é]x", "x[ɩ]x"),
            // Without an equal byte, there are no parts.
            ("abc", "xyz"),
            ("", "xyz"),
        ] {
            let plain = |text: &str| text.replace(['[', ']'], "");
            let expected = (old.to_owned(), new.to_owned());
            assert_eq!(marked(&plain(old), &plain(new)), expected);
        }
    }

    #[test]
    fn distant_equal_text_is_found() {
        let old = format!("begin {} middle é end", "a".repeat(3000));
        let new = format!("begin {} middle e end", "b".repeat(1000));
        let (olds, news) = changed_parts(old.as_bytes(), new.as_bytes());
        assert_eq!((olds.len(), news.len()), (2, 2));
        assert_eq!((&old[olds[1].clone()], &news[0]), ("é", &(6..1006)));
    }

    proptest::proptest! {
        #[test]
        fn what_is_no_part_is_equal(old in "[aéè/%]{0,40}", new in "[aéè/%]{0,40}") {
            let (olds, news) = changed_parts(old.as_bytes(), new.as_bytes());
            let rest = |text: &str, parts: &[Range<usize>]| {
                let mut rest = text.to_owned();
                parts.iter().rev().for_each(|part| rest.replace_range(part.clone(), ""));
                rest
            };
            if !olds.is_empty() {
                proptest::prop_assert_eq!(rest(&old, &olds), rest(&new, &news));
            }
        }
    }
}

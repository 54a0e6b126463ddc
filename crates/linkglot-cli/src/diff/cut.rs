//! The visible part of a long line: the text around its changes.

use super::Layout;
use crate::output::Controls;
use linkglot_files::is_deceptive;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// Minimal number of columns for each change that is shown.
const SHARE: usize = 40;

/// Maximal number of columns of a tab.
const TAB: usize = 8;

const JOINER: char = '\u{200D}';

/// The visible ranges of a line, in order and disjoint, such that the sign in front and the marks in between fit, too.
pub fn visible(text: &str, changes: &[Range<usize>], layout: Layout) -> Vec<Range<usize>> {
    let whole = 0..text.len();
    let Some(columns) = layout.columns else {
        return vec![whole];
    };
    let line = Measured {
        text,
        controls: layout.styles.controls,
    };
    let room = columns.saturating_sub(1);
    if line.right_of(0, room) == text.len() {
        return vec![whole];
    }
    let begin = 0..0;
    let changes = match changes {
        [] => std::slice::from_ref(&begin),
        _ => changes,
    };
    let count = (room / SHARE).clamp(1, changes.len());
    // The marks take two of the columns.
    let share = (room / count).saturating_sub(2).max(1);
    let mut parts = joined(changes[..count].iter().map(|change| {
        // The context before the old text is as long as before the new text, so that the two are aligned.
        let start = line.left_of(change.start, share / 4);
        start..line.right_of(start, share)
    }));
    // Ranges that merge leave room for more context.
    let used: usize = parts.iter().map(|part| line.columns(part) + 2).sum();
    if let Some(last) = parts.last_mut() {
        last.end = line.right_of(last.end, room.saturating_sub(used));
    }
    parts
}

/// The ranges in order, adjacent ones merged.
fn joined(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match all.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => all.push(range),
        }
    }
    all
}

/// A line with counted columns.
struct Measured<'t> {
    text: &'t str,
    controls: Controls,
}

impl Measured<'_> {
    /// The leftmost position at most `columns` columns before `at`.
    fn left_of(&self, at: usize, columns: usize) -> usize {
        let mut left = columns;
        let mut start = at;
        for (before, ch) in self.text[..at].char_indices().rev() {
            match left.checked_sub(self.width(ch)) {
                Some(rest) => left = rest,
                None => break,
            }
            start = before;
        }
        // A cluster is never split.
        while start < at && !self.is_boundary(start) {
            start += self.text[start..].chars().next().map_or(1, char::len_utf8);
        }
        start
    }

    /// The rightmost position at most `columns` columns after `at`.
    fn right_of(&self, at: usize, columns: usize) -> usize {
        let mut left = columns;
        let mut end = self.text.len();
        for (behind, ch) in self.text[at..].char_indices() {
            match left.checked_sub(self.width(ch)) {
                Some(rest) => left = rest,
                None => {
                    end = at + behind;
                    break;
                }
            }
        }
        while end > at && end < self.text.len() && !self.is_boundary(end) {
            end -= self.text[..end]
                .chars()
                .next_back()
                .map_or(1, char::len_utf8);
        }
        end
    }

    fn columns(&self, part: &Range<usize>) -> usize {
        let chars = self.text[part.clone()].chars();
        chars.map(|ch| self.width(ch)).sum()
    }

    /// True if the characters before and after `at` do not form a cluster, as a letter and its accent or the members of
    /// an emoji do.
    fn is_boundary(&self, at: usize) -> bool {
        let (before, behind) = self.text.split_at(at);
        !before.ends_with(JOINER) && behind.chars().next().is_none_or(|ch| self.width(ch) > 0)
    }

    /// The columns of a character on the terminal.
    fn width(&self, ch: char) -> usize {
        match ch {
            ' '..='~' => 1,
            '\t' => TAB,
            _ if ch.is_control() || self.controls == Controls::Escaped && is_deceptive(ch) => {
                escaped(ch.encode_utf8(&mut [0; 4]), self.controls).len()
            }
            _ => ch.width().unwrap_or(1),
        }
    }
}

/// Text in its printed form.
pub fn escaped(text: &str, controls: Controls) -> Vec<u8> {
    match controls {
        Controls::Raw => text.as_bytes().to_vec(),
        // A terminal would return to the beginning of the line.
        Controls::Escaped => controls
            .apply(text.replace('\r', "\\u{d}").as_bytes())
            .into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::DiffForm;
    use crate::output::Styles;

    /// The line with `…` where text is left out.
    fn cut(text: &str, changes: &[(usize, usize)], columns: usize) -> String {
        let changes: Vec<_> = changes.iter().map(|&(from, to)| from..to).collect();
        let layout = Layout {
            form: DiffForm::Text,
            columns: Some(columns),
            styles: Styles::default(),
        };
        let (mut shown, mut end) = (String::new(), 0);
        for range in visible(text, &changes, layout) {
            shown += if range.start > end { "…" } else { "" };
            shown += &text[range.clone()];
            end = range.end;
        }
        shown + if end < text.len() { "…" } else { "" }
    }

    #[test]
    fn short_lines_are_whole() {
        assert_eq!(cut("abcdefghi", &[(3, 4)], 10), "abcdefghi");
        assert_eq!(cut("日本語x", &[(0, 3)], 8), "日本語x");
        assert_eq!(cut("", &[], 1), "");
    }

    #[test]
    fn the_change_is_in_sight() {
        let text = format!("{}CHANGE{}", "a".repeat(500), "b".repeat(500));
        let shown = cut(&text, &[(500, 506)], 41);
        assert_eq!(
            shown,
            format!("…{}CHANGE{}…", "a".repeat(9), "b".repeat(23))
        );
        assert_eq!(cut(&text, &[], 11), format!("{}…", "a".repeat(8)));
        // A long change is cut after its beginning.
        let shown = cut(&text, &[(500, 1000)], 41);
        assert!(shown.contains("aCHANGEb"), "{shown}");
    }

    #[test]
    fn several_changes() {
        let text = format!("{0}X{0}Y{0}Z{0}", "-".repeat(300));
        let changes = [(300, 301), (601, 602), (902, 903)];
        let shown = cut(&text, &changes, 121);
        let pieces: Vec<&str> = shown.split('…').collect();
        assert_eq!(pieces.len(), 5, "{shown}");
        assert!(shown.contains('X') && shown.contains('Y') && shown.contains('Z'));
        assert!(shown.chars().count() <= 120, "{shown}");
        // Only changes that fit are shown.
        assert_eq!(cut(&text, &changes, 81).matches(['X', 'Y', 'Z']).count(), 2);
        let near = cut(&text, &[(300, 301), (303, 304)], 100);
        assert_eq!(near.matches('…').count(), 2, "{near}");
        assert!((96..100).contains(&near.chars().count()), "{near}");
    }

    #[test]
    fn what_looks_like_one_character_stays_whole() {
        let family = "👨\u{200D}👩\u{200D}👧";
        for columns in 1..40 {
            let text = format!("{}e\u{301}{family}é日X{family}e\u{301}", "日".repeat(30));
            let at = text.find('X').unwrap();
            let shown = cut(&text, &[(at, at + 1)], columns);
            for piece in shown.split('…') {
                assert!(!piece.starts_with('\u{301}') && !piece.ends_with('\u{200D}'));
                assert!(!piece.ends_with('e'), "{columns}: {piece}");
            }
        }
    }
}

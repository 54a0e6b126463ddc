//! Labels: the charset that a label names, and suggestions for a label that names none.

use crate::ascii::is_space;
use crate::codec::Spec;
use crate::registry;
use std::fmt;

/// The error for a label that no charset has. The message names the nearest labels.
///
/// ```
/// let error = linkglot_charset::Charset::for_label("shfit_jis").unwrap_err();
/// assert_eq!(error.to_string(), "unknown charset label `shfit_jis`; did you mean `shift_jis`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLabel {
    message: String,
}

impl fmt::Display for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UnknownLabel {}

/// The charset that a label names (WHATWG Encoding 4.2, "get an encoding").
pub(crate) fn find(label: &str) -> Result<&'static Spec, UnknownLabel> {
    lookup(label).ok_or_else(|| unknown(trimmed(label)))
}

/// As [`find`], without the cost of the suggestions.
pub(crate) fn lookup(label: &str) -> Option<&'static Spec> {
    let label = trimmed(label);
    let has_label = |spec: &&Spec| spec.labels().any(|own| own.eq_ignore_ascii_case(label));
    registry::all().find(has_label)
}

fn trimmed(label: &str) -> &str {
    label.trim_matches(|ch: char| u8::try_from(ch).is_ok_and(is_space))
}

/// No label has more characters.
const LONGEST_LABEL: usize = 32;

const MAX_SUGGESTIONS: usize = 3;

fn unknown(label: &str) -> UnknownLabel {
    let mut shown: String = label.chars().take(LONGEST_LABEL + 1).collect();
    if shown.len() < label.len() {
        shown.truncate(shown.trim_end().len());
        shown.push('…');
    }
    let hint = match suggestions(&label.to_ascii_lowercase()).as_slice() {
        [] => String::new(),
        [only] => format!("; did you mean `{only}`?"),
        [first @ .., last] => format!("; did you mean `{}` or `{last}`?", first.join("`, `")),
    };
    UnknownLabel {
        message: format!("unknown charset label `{shown}`{hint}"),
    }
}

/// The nearest labels of different charsets, nearest first.
fn suggestions(label: &str) -> Vec<&'static str> {
    if label.chars().count() > LONGEST_LABEL {
        return Vec::new();
    }
    let limit = 1 + label.len() / 4;
    let nearest = |spec: &'static Spec| {
        let labels = spec.labels().map(|own| (distance(label, own), own));
        labels.min_by_key(|&(distance, _)| distance)
    };
    let mut found: Vec<_> = registry::all()
        .filter_map(nearest)
        .filter(|&(distance, _)| distance <= limit)
        .collect();
    found.sort();
    let best = found.first().map_or(0, |&(distance, _)| distance);
    found.retain(|&(distance, _)| distance <= best + 1);
    found.truncate(MAX_SUGGESTIONS);
    found.into_iter().map(|(_, label)| label).collect()
}

/// The number of insertions, deletions, substitutions and swaps of neighbours that turn one string
/// into the other (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = [
        (0..=b.len()).collect(),
        vec![0; b.len() + 1],
        vec![0; b.len() + 1],
    ];
    for i in 1..=a.len() {
        rows.rotate_right(1);
        let [row, above, two_above] = &mut rows;
        row[0] = i;
        for j in 1..=b.len() {
            let differs = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (above[j] + 1)
                .min(row[j - 1] + 1)
                .min(above[j - 1] + differs);
            let swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if swaps {
                row[j] = row[j].min(two_above[j - 2] + 1);
            }
        }
    }
    rows[0][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("utf8", "utf-8", 1),
            ("shfit_jis", "shift_jis", 1),
            ("kitten", "sitting", 3),
            ("ab", "ba", 1),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn labels_are_those_of_the_whatwg() {
        for spec in registry::all().filter(|spec| !spec.name.starts_with("UTF-32")) {
            for label in spec.labels() {
                let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
                assert_eq!(encoding.map(encoding_rs::Encoding::name), Some(spec.name));
                assert_eq!(
                    find(&format!("\t{} \n", label.to_uppercase()))
                        .unwrap()
                        .name,
                    spec.name
                );
            }
        }
        let count: usize = registry::all().map(|spec| spec.labels().count()).sum();
        assert_eq!(count, 228 + 7, "of the WHATWG, and of UTF-32");
    }

    #[test]
    fn an_unknown_label_is_named_with_suggestions() {
        let message = |label: &str| find(label).map(|spec| spec.name).unwrap_err().to_string();
        assert_eq!(
            message("shfit_jis"),
            "unknown charset label `shfit_jis`; did you mean `shift_jis`?"
        );
        assert_eq!(
            message("utf9"),
            "unknown charset label `utf9`; did you mean `utf8`?"
        );
        assert!(
            message("windows-125").contains("`windows-1250`, `windows-1251` or `windows-1252`")
        );
        assert_eq!(message("klingon"), "unknown charset label `klingon`");
        assert_eq!(message(""), "unknown charset label ``");
        assert!(message(&"é".repeat(10_000)).len() < 120);
    }
}

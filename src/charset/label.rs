//! Labels: which charset one names, and which ones are near a label that names none.

use super::spec::{self, Spec};
use crate::ascii::is_space;
use crate::error::{Error, ErrorKind};

/// The charset that a label names (WHATWG Encoding 4.2, "get an encoding").
pub(super) fn find(label: &str) -> Result<&'static Spec, Error> {
    known(label).ok_or_else(|| unknown(trimmed(label)))
}

/// The same without words about a label that names none: finding near ones takes long.
pub(super) fn known(label: &str) -> Option<&'static Spec> {
    let label = trimmed(label);
    spec::all().find(|spec| {
        spec.labels
            .iter()
            .any(|known| known.eq_ignore_ascii_case(label))
    })
}

fn trimmed(label: &str) -> &str {
    label.trim_matches(|ch: char| u8::try_from(ch).is_ok_and(is_space))
}

fn unknown(label: &str) -> Error {
    let shown: String = label.chars().take(LONGEST + 1).collect();
    let shown = if shown.len() < label.len() {
        format!("{}…", shown.trim_end())
    } else {
        shown
    };
    let near = near(&label.to_ascii_lowercase());
    let hint = match near.as_slice() {
        [] => String::new(),
        [only] => format!("; did you mean `{only}`?"),
        [first @ .., last] => format!("; did you mean `{}` or `{last}`?", first.join("`, `")),
    };
    let message = format!("unknown charset label `{shown}`{hint}");
    Error::new(ErrorKind::UnknownCharset, message)
}

/// No label has more characters.
const LONGEST: usize = 32;

/// How many labels are offered.
const OFFERED: usize = 3;

/// The nearest labels of different charsets, nearest first.
fn near(label: &str) -> Vec<&'static str> {
    if label.chars().count() > LONGEST {
        return Vec::new();
    }
    let limit = 1 + label.len() / 4;
    let nearest = |spec: &'static Spec| {
        let distance = |known: &&'static str| distance(label, known);
        let known = spec.labels.iter().copied().min_by_key(distance)?;
        Some((distance(&known), known))
    };
    let mut found: Vec<_> = spec::all()
        .filter_map(nearest)
        .filter(|&(distance, _)| distance <= limit)
        .collect();
    found.sort();
    let best = found.first().map_or(0, |&(distance, _)| distance);
    found.retain(|&(distance, _)| distance <= best + 1);
    found.truncate(OFFERED);
    found.into_iter().map(|(_, known)| known).collect()
}

/// How many characters must be put in, left out, replaced or swapped with their neighbour to make
/// one of the other (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = [
        (0..=b.len()).collect(),
        vec![0; b.len() + 1],
        vec![0; b.len() + 1],
    ];
    for i in 1..=a.len() {
        rows.rotate_right(1);
        let [row, above, above_that] = &mut rows;
        row[0] = i;
        for j in 1..=b.len() {
            let differs = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (above[j] + 1)
                .min(row[j - 1] + 1)
                .min(above[j - 1] + differs);
            let swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if swaps {
                row[j] = row[j].min(above_that[j - 2] + 1);
            }
        }
    }
    rows[0][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
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
        for spec in spec::all().filter(|spec| !spec.name.starts_with("UTF-32")) {
            for label in spec.labels {
                let known = encoding_rs::Encoding::for_label(label.as_bytes());
                assert_eq!(known.map(encoding_rs::Encoding::name), Some(spec.name));
                assert_eq!(
                    find(&format!("\t{} \n", label.to_uppercase()))
                        .unwrap()
                        .name,
                    spec.name
                );
            }
        }
        let count: usize = spec::all().map(|spec| spec.labels.len()).sum();
        assert_eq!(count, 228 + 7, "the WHATWG's and those of UTF-32");
    }

    #[test]
    fn an_unknown_label_is_named_and_near_ones_are_offered() {
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
        assert_eq!(
            find("utf9").map(|spec| spec.name).unwrap_err().kind(),
            ErrorKind::UnknownCharset
        );
    }
}

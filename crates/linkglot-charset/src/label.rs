//! Labels: the charset that a label names, and suggestions for a label that names none.
//!
//! The labels of the Encoding Standard come first, compared as the standard does. Any other label is compared loosely
//! (UTS 22, 1.4) with all labels and with their aliases.

use crate::ascii::is_space;
use crate::codec::Spec;
use crate::registry;
use crate::table::rows;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

/// The error for a label that no charset has. The message names the nearest labels, which takes as long as a short
/// document.
///
/// ```
/// let error = linkglot_charset::Charset::for_label("shfit_jis").unwrap_err();
/// assert_eq!(error.to_string(), "unknown charset label `shfit_jis`; did you mean `shift_jis`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLabel {
    label: Box<str>,
    /// True if the label goes on.
    is_cut: bool,
}

impl fmt::Display for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_cut {
            return write!(f, "unknown charset label `{}…`", self.label.trim_end());
        }
        write!(f, "unknown charset label `{}`", self.label)?;
        match suggestions(&self.label.to_ascii_lowercase()).as_slice() {
            [] => Ok(()),
            [only] => write!(f, "; did you mean `{only}`?"),
            [first @ .., last] => {
                write!(f, "; did you mean `{}` or `{last}`?", first.join("`, `"))
            }
        }
    }
}

impl std::error::Error for UnknownLabel {}

/// The charset that a label names (WHATWG Encoding 4.2, "get an encoding").
pub(crate) fn find(label: &str) -> Result<&'static Spec, UnknownLabel> {
    lookup(label).ok_or_else(|| unknown(trimmed(label)))
}

/// As [`find`].
pub(crate) fn lookup(label: &str) -> Option<&'static Spec> {
    let label = trimmed(label);
    let is_label = |own: &str| own.eq_ignore_ascii_case(label);
    let exact = registry::all().find(|spec| spec.labels().any(is_label));
    exact.or_else(|| {
        let is_spelling = label.bytes().all(is_of_label);
        let key: Vec<u8> = loose(label).collect();
        SPELLINGS.get(&key).filter(|_| is_spelling).copied()
    })
}

/// The letters and digits of all labels.
static SPELLINGS: LazyLock<HashMap<Vec<u8>, &'static Spec>> = LazyLock::new(|| {
    let mut spellings = HashMap::new();
    for spec in registry::all() {
        for name in names(spec) {
            spellings.entry(loose(name).collect()).or_insert(spec);
        }
    }
    spellings
});

/// Names that the Encoding Standard does not list: those of `iconv`, of Windows' code pages, of Python, Java and MySQL.
///
/// Spellings that differ in case, punctuation or leading zeros from a name here, or from a label of the charset, need
/// no row.
static FILE: &str = include_str!("../tables/labels.tsv");

/// The labels of the file, by the names of charsets.
static ALIASES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| rows(FILE).map(|[name, labels]| (name, labels)).collect());

/// True if a byte may stand in a label (RFC 2978 2.3, and the space of names such as `code page 437`). A text with any
/// other byte, such as a stray quotation mark, is no label.
fn is_of_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&+-^_`{}~.:() ".contains(&byte)
}

/// The labels of a charset and their aliases.
pub(crate) fn names(spec: &'static Spec) -> impl Iterator<Item = &'static str> {
    let aliases = ALIASES.get(spec.name).copied().unwrap_or_default();
    spec.labels().chain(aliases.split_ascii_whitespace())
}

/// The letters and digits of a label, in lower case, without leading zeros of numbers: labels that agree in them are
/// the same (UTS 22, 1.4). A number that is zero stays: `latin0` is not `latin`.
fn loose(label: &str) -> impl Iterator<Item = u8> {
    let bytes = label.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut is_behind_digit = false;
    let kept = bytes.iter().enumerate().filter(move |&(at, byte)| {
        let is_zero = *byte == b'0' && !is_behind_digit && is_digit(at + 1);
        let is_kept = byte.is_ascii_alphanumeric() && !is_zero;
        if byte.is_ascii_alphanumeric() {
            is_behind_digit = is_kept && byte.is_ascii_digit();
        }
        is_kept
    });
    kept.map(|(_, byte)| byte.to_ascii_lowercase())
}

/// True if two labels differ in spelling only.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    loose(a).eq(loose(b))
}

fn trimmed(label: &str) -> &str {
    label.trim_matches(|ch: char| u8::try_from(ch).is_ok_and(is_space))
}

/// The most characters of a label.
const LONGEST_LABEL: usize = 32;

const MAX_SUGGESTIONS: usize = 3;

pub(crate) fn unknown(label: &str) -> UnknownLabel {
    let end = label.char_indices().nth(LONGEST_LABEL + 1);
    let end = end.map_or(label.len(), |(at, _)| at);
    UnknownLabel {
        label: label[..end].into(),
        is_cut: end < label.len(),
    }
}

/// The nearest labels of different charsets, nearest first.
fn suggestions(label: &str) -> Vec<&'static str> {
    if label.chars().count() > LONGEST_LABEL {
        return Vec::new();
    }
    let limit = 1 + label.len() / 4;
    let nearest = |spec: &'static Spec| {
        let labels = names(spec).filter(|own| has_like_digits(label, own));
        let labels = labels.map(|own| (distance(label, own), own));
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

/// True if the digits of one label begin with those of the other. A label with another number is
/// another charset, and not a misspelling.
fn has_like_digits(a: &str, b: &str) -> bool {
    let digits = |label: &str| label.replace(|ch: char| !ch.is_ascii_digit(), "");
    let (a, b) = (digits(a), digits(b));
    a.starts_with(&b) || b.starts_with(&a)
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
    use std::collections::HashMap;

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
    fn labels_of_the_whatwg_come_first() {
        let mut count = 0;
        for spec in registry::all() {
            for label in spec.labels() {
                let label = format!("\t{} \n", label.to_uppercase());
                let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
                if let Some(encoding) = encoding.filter(|_| !is_refused(spec)) {
                    assert_eq!(encoding.name(), spec.name);
                    count += 1;
                }
                assert_eq!(find(&label).unwrap().name, spec.name);
            }
        }
        assert_eq!(count, 228 - 5, "of the Encoding Standard");
    }

    /// True if browsers decode the charset to nothing.
    fn is_refused(spec: &Spec) -> bool {
        matches!(spec.name, "HZ-GB-2312" | "ISO-2022-KR" | "ISO-2022-CN")
    }

    #[test]
    fn no_two_charsets_share_a_name() {
        let mut owners = HashMap::new();
        for [name, _] in rows(FILE) {
            assert!(registry::all().any(|spec| spec.name == name), "{name}");
        }
        for spec in registry::all() {
            for name in names(spec).chain([spec.name]) {
                let owner = *owners
                    .entry(loose(name).collect::<Vec<_>>())
                    .or_insert(spec.name);
                assert_eq!(owner, spec.name, "{name}");
                assert_eq!(find(name).unwrap().name, spec.name, "{name}");
            }
        }
    }

    #[test]
    fn spellings_do_not_matter() {
        for (label, name) in [
            ("cp932", "Shift_JIS"),
            ("ms932", "Shift_JIS"),
            ("MS936", "GBK"),
            ("cp936", "GBK"),
            ("cp949", "EUC-KR"),
            ("uhc", "EUC-KR"),
            ("windows-949", "EUC-KR"),
            ("cp950", "Big5"),
            ("cp65001", "UTF-8"),
            ("utf_8", "UTF-8"),
            ("UTF8", "UTF-8"),
            ("macroman", "macintosh"),
            ("MacCyrillic", "x-mac-cyrillic"),
            ("win-1251", "windows-1251"),
            ("win1251", "windows-1251"),
            ("Windows 1251", "windows-1251"),
            ("latin9", "ISO-8859-15"),
            ("latin-0", "ISO-8859-15"),
            ("latin", "windows-1252"),
            ("Latin-1", "windows-1252"),
            ("eucjp", "EUC-JP"),
            ("koi8r", "KOI8-R"),
            ("cp28592", "ISO-8859-2"),
            ("cp1252", "windows-1252"),
            ("ISO 8859-2", "ISO-8859-2"),
            ("ibm-437", "IBM437"),
            ("cp37", "IBM037"),
            ("ibm858", "IBM00858"),
            ("iso_8859_11", "windows-874"),
        ] {
            assert_eq!(find(label).map(|spec| spec.name), Ok(name), "{label}");
        }
        for label in ["", "-", "0", "latin\u{E9}1", "iso-8859-12", "cp0"] {
            assert!(find(label).is_err(), "{label}");
        }
    }

    #[test]
    fn an_unknown_label_is_named_with_suggestions() {
        let message = |label: &str| find(label).map(|spec| spec.name).unwrap_err().to_string();
        assert_eq!(
            message("shfit_jis"),
            "unknown charset label `shfit_jis`; did you mean `shift_jis`?"
        );
        assert_eq!(
            message("utff-8"),
            "unknown charset label `utff-8`; did you mean `utf-8`?"
        );
        assert!(
            message("windows-125").contains("`windows-1250`, `windows-1251` or `windows-1252`")
        );
        assert_eq!(message("klingon"), "unknown charset label `klingon`");
        assert_eq!(message(""), "unknown charset label ``");
        assert!(message(&"é".repeat(10_000)).len() < 120);
    }

    #[test]
    fn another_number_is_no_suggestion() {
        for label in ["cp942", "utf9", "cp818", "windows-1249"] {
            let message = find(label).map(|spec| spec.name).unwrap_err().to_string();
            assert_eq!(message, format!("unknown charset label `{label}`"));
        }
    }
}

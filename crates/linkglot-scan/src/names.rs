//! Names alone: whether a name without scheme, `www.` and path is a domain, by the counts in `names.txt`.
//!
//! The table has a weight for top-level domains, for labels that are the first or stand in front of them, and for marks
//! of the name. A weight is four times the natural logarithm of how much more often a name with that label is a domain
//! than the name of a file, a member of a program, or words without the space between them, all else being equal. A
//! name is a domain if the sum of its weights is not negative. What was never counted weighs nothing.

use super::host::is_dot;
use super::lists::{self, Names};
use std::sync::OnceLock;

/// The weight of a top-level domain under which no label speaks against a domain: `self.com`.
const SURE: i32 = 16;

/// The weights of names of some kinds, in any case.
#[derive(Debug)]
struct Weights {
    names: Names,
    /// The weights, by the places of the names.
    weights: Vec<i32>,
}

/// The table.
#[derive(Debug)]
struct Table {
    /// Top-level domains.
    tops: Weights,
    /// Those that end the names of files more often than anything else.
    files: Names,
    labels: Weights,
    marks: Weights,
    /// Names that programs have in front of members.
    words: Names,
}

impl Weights {
    /// The weights of kinds in `names.txt`.
    fn of_kinds(kinds: &[&str]) -> Weights {
        let names = Names::new(kinds.iter().flat_map(|kind| rows(kind)).map(|row| row.0));
        let mut weights = vec![0; names.places()];
        for (name, weight) in kinds.iter().flat_map(|kind| rows(kind)) {
            let place = names.place(name.as_bytes());
            let weight = weight
                .split(' ')
                .next()
                .and_then(|weight| weight.parse().ok());
            if let Some((place, weight)) = place.zip(weight) {
                weights[place] = weight;
            }
        }
        Weights { names, weights }
    }

    fn of(&self, name: &str) -> Option<i32> {
        self.weights
            .get(self.names.place(name.as_bytes())?)
            .copied()
    }
}

/// The name in each row of a kind, and what stands behind it.
fn rows(kind: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let row = move |line: &'static str| {
        let name = line.strip_prefix(kind)?.strip_prefix(' ')?;
        Some(name.split_once(' ').unwrap_or((name, "")))
    };
    include_str!("names.txt").lines().filter_map(row)
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let names = |kind| Names::new(rows(kind).map(|row| row.0));
    TABLE.get_or_init(|| Table {
        tops: Weights::of_kinds(&["top", "file"]),
        files: names("file"),
        labels: Weights::of_kinds(&["label"]),
        marks: Weights::of_kinds(&["mark"]),
        words: names("word"),
    })
}

/// True if a name is more often a domain than anything else. `top`: the start of its last label. `has_tail`: a port, a
/// query or a fragment follows, which endings of files have, too (`main.rs:12`).
pub(super) fn is_domain(name: &str, top: usize, has_tail: bool) -> bool {
    let table = table();
    let (names, top) = name.split_at_checked(top).unwrap_or(("", name));
    let counted = table.tops.of(top);
    let is_sure = counted.is_some_and(|weight| weight >= SURE);
    if is_sure && !name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return true;
    }
    // No file and no member of a program ends with a native top-level domain, and one that IANA does not know is the
    // caller's choice.
    if counted.is_none() && (is_native(top) || !lists::tlds().contains(top)) {
        return true;
    }
    if has_tail && !table.files.contains(top) {
        return true;
    }
    let names = names.trim_end_matches(is_dot);
    if is_version(names) || is_library(names, top) {
        return false;
    }
    let label = names.rsplit(is_dot).next().unwrap_or("");
    let first = names.split(is_dot).next().unwrap_or("");
    let is_single = first.len() == names.len();
    // What was never counted in programs has no members.
    let is_word = || counted.is_some() && !is_sure && table.words.contains_ascii(first.as_bytes());
    let marks = [
        ("<registry>", !is_single && is_registry(label, top)),
        ("<end>", is_end(names, top)),
        ("<initial>", is_initial(first)),
        ("<word>", is_word()),
    ];
    let marks = marks.iter().filter(|(_, is_there)| *is_there);
    let last = Some(label).filter(|_| !first.eq_ignore_ascii_case(label));
    let labels = [Some(first), last].into_iter().flatten();
    let least = if is_sure { 0 } else { i32::MIN };
    let weights = marks
        .filter_map(|(mark, _)| table.marks.of(mark))
        .chain(labels.filter_map(|label| Some(table.labels.of(label)?.max(least))))
        .chain(counted);
    weights.sum::<i32>() >= 0
}

/// True for the labels under which registries of countries give out domains: `co.uk`.
fn is_registry(label: &str, top: &str) -> bool {
    let labels = [
        "co", "com", "org", "net", "edu", "gov", "gob", "ac", "mil", "int", "or", "ne", "go",
    ];
    top.len() == 2 && labels.iter().any(|known| label.eq_ignore_ascii_case(known))
}

fn is_native(top: &str) -> bool {
    let head = top.get(..4);
    !top.is_ascii() || head.is_some_and(|head| head.eq_ignore_ascii_case("xn--"))
}

/// True for the number of a version: `3.5.GA`.
fn is_version(names: &str) -> bool {
    names.contains('.')
        && names
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// True for libraries of libtool: `libfoo.la`.
fn is_library(names: &str, top: &str) -> bool {
    names.starts_with("lib") && top.eq_ignore_ascii_case("la")
}

/// True for a single capital: `M.Ott`.
fn is_initial(label: &str) -> bool {
    label.len() == 1 && label.starts_with(|ch: char| ch.is_ascii_uppercase())
}

/// True if the last label alone begins with a capital, as a sentence does: `end.Then`.
fn is_end(names: &str, top: &str) -> bool {
    top.starts_with(char::is_uppercase)
        && names.contains(char::is_lowercase)
        && !names.contains(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_alone(name: &str, has_tail: bool) -> bool {
        is_domain(name, name.rfind('.').unwrap() + 1, has_tail)
    }

    #[test]
    fn weights_are_of_top_level_domains() {
        let table = table();
        let tops: Vec<_> = rows("top").chain(rows("file")).collect();
        assert!(tops.len() > 200 && rows("label").count() > 50);
        for (top, row) in tops {
            assert!(lists::tlds().contains(top), "{top}");
            let weight = table.tops.of(top).map(|weight| weight.to_string());
            assert_eq!(weight.as_deref(), row.split(' ').next(), "{top}");
        }
        for mark in ["<registry>", "<end>", "<initial>", "<word>"] {
            assert!(table.marks.of(mark).is_some(), "{mark}");
        }
        assert!(table.words.contains("Self") && !table.words.contains("google"));
    }

    #[test]
    fn names_in_any_case() {
        for name in [
            "example.org",
            "X.Org",
            "Google.Com",
            "EXAMPLE.NET",
            "delfi.lt",
            "Allegro.PL",
            "example.museum",
            "пример.рф",
        ] {
            assert!(is_alone(name, false), "{name}");
        }
        for name in [
            "os.name",
            "README.MD",
            "token.NAME",
            "end.It",
            "user.id",
            "index.pl",
            "3.5.GA",
            "M.Ott",
        ] {
            assert!(!is_alone(name, false), "{name}");
        }
    }

    /// Names with a port are hosts, unless they end as files do.
    #[test]
    fn names_with_a_tail() {
        assert!(is_alone("user.id", true) && is_alone("index.pl", true));
        assert!(!is_alone("main.rs", true) && !is_alone("README.md", true));
    }

    /// No country is refused as a whole, apart from endings of files and from `id`, which is a member of programs.
    #[test]
    fn countries_are_domains() {
        let is_country = |top: &&str| top.len() == 2 && table().tops.of(top) < Some(0);
        let refused = rows("top").map(|row| row.0).filter(is_country);
        assert!(refused.eq(["id", "so"]));
    }
}

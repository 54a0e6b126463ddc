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

/// The weights of names of one kind, sorted.
#[derive(Debug, Default)]
struct Weights(Vec<(&'static str, i32)>);

/// The table.
#[derive(Debug)]
struct Table {
    tops: Weights,
    /// Top-level domains that end the names of files more often than anything else.
    files: Weights,
    labels: Weights,
    marks: Weights,
    /// Names that programs have in front of members.
    words: Names,
}

impl Weights {
    /// The weights of a kind in `names.txt`.
    fn of_kind(kind: &str) -> Weights {
        let entry = |mut words: std::str::Split<'static, char>| {
            Some((words.next()?, words.next()?.parse().ok()?))
        };
        let mut weights: Vec<_> = rows(kind).filter_map(entry).collect();
        weights.sort_unstable();
        Weights(weights)
    }

    /// The weight of a label in any case.
    fn of(&self, label: &str) -> Option<i32> {
        let own = || label.bytes().map(|byte| byte.to_ascii_lowercase());
        let at = self
            .0
            .binary_search_by(|(known, _)| known.bytes().cmp(own()));
        Some(self.0.get(at.ok()?)?.1)
    }
}

/// The words behind a kind in each of its rows.
fn rows(kind: &str) -> impl Iterator<Item = std::str::Split<'static, char>> {
    let row = move |line: &'static str| {
        let mut words = line.split(' ');
        (words.next() == Some(kind)).then_some(words)
    };
    include_str!("names.txt").lines().filter_map(row)
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| Table {
        tops: Weights::of_kind("top"),
        files: Weights::of_kind("file"),
        labels: Weights::of_kind("label"),
        marks: Weights::of_kind("mark"),
        words: Names::new(rows("word").filter_map(|mut words| words.next())),
    })
}

/// True if a name is more often a domain than anything else. `top`: the start of its last label. `has_tail`: a port, a
/// query or a fragment follows, which only endings of files may have (`main.rs:12`).
pub(super) fn is_domain(name: &str, top: usize, has_tail: bool) -> bool {
    let table = table();
    let (names, top) = name.split_at_checked(top).unwrap_or(("", name));
    // No file and no member of a program ends with a native top-level domain, and one that IANA does not know is the
    // caller's choice.
    if is_native(top) || !lists::tlds().contains(top) {
        return true;
    }
    let of_file = table.files.of(top);
    if has_tail && of_file.is_none() {
        return true;
    }
    let of_top = of_file.or_else(|| table.tops.of(top));
    let names = names.trim_end_matches(is_dot);
    if is_version(names) || is_library(names, top) {
        return false;
    }
    let label = names.rsplit(is_dot).next().unwrap_or("");
    let first = names.split(is_dot).next().unwrap_or("");
    let is_sure = of_top.is_some_and(|weight| weight >= SURE);
    let is_single = first.len() == names.len();
    let marks = [
        ("<registry>", !is_single && is_registry(label, top)),
        ("<end>", is_end(names, top)),
        ("<initial>", is_initial(first)),
        // What was never counted in programs has no members.
        (
            "<word>",
            of_top.is_some() && !is_sure && table.words.contains(first),
        ),
    ];
    let marks = marks.iter().filter(|(_, is_there)| *is_there);
    let last = Some(label).filter(|_| !first.eq_ignore_ascii_case(label));
    let labels = [Some(first), last].into_iter().flatten();
    let least = if is_sure { 0 } else { i32::MIN };
    let weights = marks
        .filter_map(|(mark, _)| table.marks.of(mark))
        .chain(labels.filter_map(|label| Some(table.labels.of(label)?.max(least))))
        .chain(of_top);
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
        assert!(table.tops.0.len() > 200 && table.labels.0.len() > 50);
        for (top, _) in table.tops.0.iter().chain(&table.files.0) {
            assert!(lists::tlds().contains(top), "{top}");
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

    /// No country is refused as a whole, apart from endings of files (`so`) and from `id`, which is a member of programs.
    #[test]
    fn countries_are_domains() {
        let tops = table().tops.0.iter();
        let refused = tops.filter(|(top, weight)| top.len() == 2 && *weight < 0);
        assert!(refused.map(|(top, _)| *top).eq(["id", "so"]));
    }
}

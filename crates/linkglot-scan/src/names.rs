//! Names alone: whether a name without scheme, `www.` and path is a domain, by the counts in `names.txt`.
//!
//! The table has a weight for top-level domains, and for labels that are the first or stand in front of them. It is
//! four times the binary logarithm of how much more often the label is counted in a domain than in the name of a file,
//! in a member of a program, or in words without the space between them. A name is a domain if the sum of its weights
//! is not negative.

use super::host::is_dot;
use super::lists;
use std::sync::OnceLock;

#[derive(Debug, Default)]
struct Weights(Vec<(&'static str, i32)>);

impl Weights {
    /// The weight of a label in any case.
    fn of(&self, label: &str) -> Option<i32> {
        let lower = |label: &'static str| label.bytes();
        let own = || label.bytes().map(|byte| byte.to_ascii_lowercase());
        let at = self.0.binary_search_by(|entry| lower(entry.0).cmp(own()));
        Some(self.0.get(at.ok()?)?.1)
    }
}

/// The weights of top-level domains, and of the labels in front.
fn weights() -> &'static (Weights, Weights) {
    static WEIGHTS: OnceLock<(Weights, Weights)> = OnceLock::new();
    WEIGHTS.get_or_init(|| (of_kind("top"), of_kind("label")))
}

fn of_kind(kind: &str) -> Weights {
    let entry = |line: &'static str| {
        let mut words = line.split(' ');
        let is_own = words.next() == Some(kind);
        is_own.then_some((words.next()?, words.next()?.parse().ok()?))
    };
    let mut weights: Vec<_> = include_str!("names.txt")
        .lines()
        .filter_map(entry)
        .collect();
    weights.sort_unstable();
    Weights(weights)
}

/// True if a name alone is more often a domain than anything else. `top`: the start of its last label.
pub(super) fn is_domain(name: &str, top: usize) -> bool {
    let (tops, labels) = weights();
    let (names, top) = name.split_at_checked(top).unwrap_or(("", name));
    let names = names.trim_end_matches(is_dot);
    let label = names.rsplit(is_dot).next().unwrap_or("");
    let first = names.split(is_dot).next().unwrap_or("");
    let weight = match tops.of(top) {
        Some(weight) => weight,
        // No file and no member of a program ends with a native top-level domain, and one that IANA does not know is
        // the caller's choice.
        None if is_native(top) || !lists::tlds().contains(top) => return true,
        None => tops.of(pool(top)).unwrap_or(0),
    };
    let is_registry = first.len() < names.len() && top.len() == 2 && is_registry_label(label);
    let features = [
        (label, true),
        (first, !first.eq_ignore_ascii_case(label)),
        ("<registry>", is_registry),
        ("<end>", is_end(names, top)),
    ];
    let features = features.iter().filter(|feature| feature.1);
    let weights = features.filter_map(|feature| labels.of(feature.0));
    weight + weights.sum::<i32>() >= 0
}

/// True for labels under which registries of countries give out domains: `co.uk`.
fn is_registry_label(label: &str) -> bool {
    [
        "co", "com", "org", "net", "edu", "gov", "gob", "ac", "mil", "int", "or", "ne", "go",
    ]
    .iter()
    .any(|known| label.eq_ignore_ascii_case(known))
}

/// The entry for a top-level domain that is too rare to count.
fn pool(top: &str) -> &'static str {
    if top.len() == 2 {
        "<country>"
    } else {
        "<other>"
    }
}

fn is_native(top: &str) -> bool {
    let head = top.get(..4);
    !top.is_ascii() || head.is_some_and(|head| head.eq_ignore_ascii_case("xn--"))
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

    #[test]
    fn weights_are_of_top_level_domains() {
        let (tops, labels) = weights();
        assert!(tops.0.len() > 200 && labels.0.len() > 50);
        for (top, _) in &tops.0 {
            assert!(top.starts_with('<') || lists::tlds().contains(top), "{top}");
        }
        for top in ["zw", "museum"] {
            assert!(tops.of(pool(top)).is_some(), "{top}");
        }
    }

    #[test]
    fn names_in_any_case() {
        for name in [
            "example.org",
            "X.Org",
            "Google.Com",
            "EXAMPLE.NET",
            "пример.рф",
        ] {
            let top = name.rfind('.').unwrap() + 1;
            assert!(is_domain(name, top), "{name}");
        }
        for name in ["os.name", "README.MD", "token.NAME", "end.It"] {
            let top = name.rfind('.').unwrap() + 1;
            assert!(!is_domain(name, top), "{name}");
        }
    }
}

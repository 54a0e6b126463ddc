//! Registrable domains, by the [Public Suffix List](https://publicsuffix.org/list/).
//!
//! `suffixes.txt` has the rules, in the order of their bytes; `refresh_suffixes.py` makes it. It has 150
//! KB; the tables of the crate psl have 900 KB, too much for the npm package.

use std::cmp::Ordering;

const LIST: &str = include_str!("registrable/suffixes.txt");

/// The most labels of a suffix and its registrable label: no rule is longer.
const MOST_LABELS: usize = 8;

/// The part of a host that somebody registered: the public suffix (`com`, `co.uk`, `github.io`) and the label in front
/// of it. `None` for addresses, for public suffixes themselves and for single labels. The host is in lower case, in
/// ASCII (`xn--...`), without a port. O(log rules).
///
/// ```
/// use linkglot_iri::registrable_domain;
///
/// assert_eq!(registrable_domain("www.example.co.uk"), Some("example.co.uk"));
/// assert_eq!(registrable_domain("ann.github.io"), Some("ann.github.io"));
/// assert_eq!(registrable_domain("co.uk"), None);
/// assert_eq!(registrable_domain("192.0.2.1"), None);
/// ```
pub fn registrable_domain(host: &str) -> Option<&str> {
    let domain = host.strip_suffix('.').unwrap_or(host);
    let last = domain.rsplit('.').next().unwrap_or_default();
    if last.is_empty() || last.ends_with(']') || last.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let dots: Vec<usize> = domain
        .rmatch_indices('.')
        .map(|(at, _)| at + 1)
        .take(MOST_LABELS)
        .collect();
    // The starts of the last labels, the longest domain first.
    let mut starts: Vec<usize> = dots.iter().rev().copied().collect();
    if dots.len() < MOST_LABELS {
        starts.insert(0, 0);
    }
    let behind = |index: usize| starts.get(index).and_then(|&start| domain.get(start..));
    for index in 0..starts.len() {
        let (Some(own), parent) = (behind(index), behind(index + 1)) else {
            break;
        };
        if has_rule("!", own) {
            return Some(own);
        }
        let is_suffix = has_rule("", own) || parent.is_some_and(|parent| has_rule("*.", parent));
        // A top-level domain without a rule is a suffix, too.
        if is_suffix || parent.is_none() {
            return index.checked_sub(1).and_then(behind);
        }
    }
    None
}

/// True if the list has the rule.
fn has_rule(mark: &str, domain: &str) -> bool {
    let rules = LIST.split_once("\n\n").map_or("", |(_, rules)| rules);
    let (mut from, mut to) = (0, rules.len());
    while from < to {
        let middle = from + (to - from) / 2;
        let start = rules[from..middle]
            .rfind('\n')
            .map_or(from, |at| from + at + 1);
        let end = rules[middle..to].find('\n').map_or(to, |at| middle + at);
        let wanted = mark.bytes().chain(domain.bytes());
        match rules[start..end].bytes().cmp(wanted) {
            Ordering::Equal => return true,
            Ordering::Less => from = end + 1,
            Ordering::Greater => to = start,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some cases of the list's own test.
    #[test]
    fn cases_of_the_list() {
        for (host, expected) in [
            ("com", None),
            ("example.com", Some("example.com")),
            ("b.example.com", Some("example.com")),
            ("a.b.example.example", Some("example.example")),
            ("b.example.uk.com", Some("example.uk.com")),
            ("jp", None),
            ("test.jp", Some("test.jp")),
            ("kyoto.jp", None),
            ("www.test.ide.kyoto.jp", Some("test.ide.kyoto.jp")),
            ("c.kobe.jp", None),
            ("a.b.c.kobe.jp", Some("b.c.kobe.jp")),
            ("www.city.kobe.jp", Some("city.kobe.jp")),
            ("ck", None),
            ("test.ck", None),
            ("b.test.ck", Some("b.test.ck")),
            ("www.www.ck", Some("www.ck")),
            (
                "www.xn--85x722f.xn--55qx5d.cn",
                Some("xn--85x722f.xn--55qx5d.cn"),
            ),
            ("example.com.", Some("example.com")),
            ("localhost", None),
            ("[::1]", None),
            ("10.0.0.1", None),
            ("", None),
            (".", None),
            ("..", None),
        ] {
            assert_eq!(registrable_domain(host), expected, "{host}");
        }
    }

    #[test]
    fn every_rule_is_found_in_order() {
        let (_, rules) = LIST.split_once("\n\n").expect("a head");
        assert!(rules.lines().is_sorted());
        assert!(rules.lines().all(|rule| has_rule("", rule)));
        let longest = rules.lines().map(|rule| rule.split('.').count()).max();
        assert!(longest < Some(MOST_LABELS));
    }

    #[test]
    fn long_hosts_cost_little() {
        let host = "a.".repeat(1 << 20) + "b.co.uk";
        assert_eq!(registrable_domain(&host), Some("b.co.uk"));
    }
}

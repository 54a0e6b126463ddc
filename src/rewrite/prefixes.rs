//! Prefix rules, in a sorted table that quickly finds the rule for a reference.

use crate::iri::scheme::is_http;
use crate::link::{is_network_path, scheme_of};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Bound::{Included, Unbounded};
use std::sync::Arc;

/// A rule with a prefix.
#[derive(Clone, Debug)]
pub(super) struct Prefix {
    pub from: Arc<str>,
    pub to: Arc<str>,
    /// Continuations of `from` that also start `to`. A reference that starts with such a continuation was moved before.
    seen: Box<[Arc<str>]>,
    /// Length of the part of `from` that matches in any case: scheme and authority.
    folded: usize,
    /// The length of the prefix in its normal form: the longest prefix goes first, in any spelling.
    pub rank: usize,
    /// The number of the rule of the prefix: the first rule goes first.
    pub rule: usize,
    /// True if the rule leaves out the scheme or origin of the prefix. A prefix as given goes first.
    pub implied: bool,
    /// True if the prefix names only links of running text.
    pub in_text: bool,
    /// True if the prefix names nothing below itself.
    pub whole: bool,
    /// True if the prefix matches in any case of ASCII, behind the authority too.
    pub any_case: bool,
    /// The component that `to` has and `from` has not, if that ends what may follow.
    adds: Option<Last>,
}

/// A component that can be the last of a new reference.
#[derive(Clone, Copy, Debug)]
enum Last {
    Query,
    Fragment,
}

/// The result of a rule for a reference.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub new: String,
    /// True if browsers would read a host in `new` that neither the rule nor the reference names.
    pub leads_elsewhere: bool,
    /// The number of the rule.
    pub rule: usize,
    /// The length of the prefix of the rule; 0 for a pattern.
    pub rank: usize,
}

/// Rules by the keys of their prefixes: scheme and authority in lower case, the rest as given.
#[derive(Clone, Debug, Default)]
pub(super) struct Prefixes {
    by_key: BTreeMap<Arc<str>, Arc<Prefix>>,
    /// True if some prefix matches in any case: its key is in lower case.
    any_case: bool,
}

impl Prefix {
    /// The rule with the number 0. `seen`: the forms of its replacement.
    pub fn new(from: &str, to: &Arc<str>, seen: &[Cow<'_, str>]) -> Self {
        let adds = |delimiter| to.contains(delimiter) && !from.contains(delimiter);
        let mut rule = Prefix {
            adds: match () {
                _ if adds('#') => Some(Last::Fragment),
                _ if adds('?') => Some(Last::Query),
                _ => None,
            },
            folded: authority_end(from),
            rank: from.len(),
            rule: 0,
            implied: false,
            in_text: false,
            whole: false,
            any_case: false,
            from: from.into(),
            to: Arc::clone(to),
            seen: Box::default(),
        };
        let goes_on = |seen: &&Cow<'_, str>| rule.rest(seen, from).is_some();
        let seen = seen.iter().filter(goes_on);
        rule.seen = seen.map(|seen| Arc::from(&**seen)).collect();
        rule
    }

    /// As [`apply`](Self::apply), with the rule.
    pub fn matched(&self, reference: &str) -> Option<Match> {
        let new = self.apply(reference)?;
        // The path behind `http://old.example/` may begin with a slash, as TO may end with one.
        let gains_host = is_network_path(&new) && !is_network_path(&self.to);
        Some(Match {
            leads_elsewhere: gains_host && new != reference,
            new,
            rule: self.rule,
            rank: self.rank,
        })
    }

    /// The new form of a reference that the prefix names: the same if it was moved before.
    pub fn apply(&self, reference: &str) -> Option<String> {
        if let Some(rest) = self.rest(reference, &self.from) {
            return Some(if self.is_fulfilled(reference) {
                reference.to_owned()
            } else {
                self.followed_by(rest)
            });
        }
        // The new reference can be as short only if it is a root, too.
        let host = self.to.strip_suffix('/');
        let host = host.filter(|host| has_authority(host) && authority_end(host) == host.len());
        self.is_root_of(reference)
            .then(|| host.unwrap_or(&self.to).to_owned())
    }

    /// The new form of a reference with this rest. A page may become a folder: one slash is in between. Behind a
    /// folder, a slash is an empty segment.
    pub fn followed_by(&self, rest: &str) -> String {
        let becomes_folder = self.to.ends_with('/') && !self.from.ends_with('/');
        let slashes = becomes_folder && rest.starts_with('/');
        [&*self.to, &rest[usize::from(slashes)..]].concat()
    }

    /// True if a reference that `from` names begins with a continuation that the rule writes.
    fn is_fulfilled(&self, reference: &str) -> bool {
        let mut seen = self.seen.iter();
        seen.any(|seen| self.rest(reference, seen).is_some())
    }

    /// True if the prefix names a reference.
    fn names(&self, reference: &str) -> bool {
        self.rest(reference, &self.from).is_some() || self.is_root_of(reference)
    }

    /// True if the prefix is like `http://old.example/`, which also stands for `http://old.example` (RFC 3986 6.2.3),
    /// and the reference is like the latter.
    fn is_root_of(&self, reference: &str) -> bool {
        let root = self.from.strip_suffix('/');
        let host = root.filter(|host| host.len() == self.folded && has_authority(host));
        host.is_some_and(|host| host.eq_ignore_ascii_case(reference))
    }

    /// True if the output of the rule can go on with the rest of a reference: nothing follows a fragment, and neither a
    /// path nor a query follows a query.
    fn is_continued_by(&self, rest: &str) -> bool {
        match self.adds {
            Some(Last::Fragment) => rest.is_empty(),
            Some(Last::Query) => rest.is_empty() || rest.starts_with('#'),
            None => true,
        }
    }

    /// The rest of the reference behind `prefix` (`from` or a continuation of `from`), if the prefix ends at a
    /// boundary.
    pub fn rest<'r>(&self, reference: &'r str, prefix: &str) -> Option<&'r str> {
        let head = reference.get(..prefix.len())?;
        let folded = if self.any_case {
            prefix.len()
        } else {
            self.folded.min(prefix.len())
        };
        let (host, path) = (head.get(..folded)?, head.get(folded..)?);
        if !host.eq_ignore_ascii_case(prefix.get(..folded)?) || path != prefix.get(folded..)? {
            return None;
        }
        let rest = &reference[prefix.len()..];
        // The path `/` is not the first slash in front of a host.
        if prefix == "/" && is_network_path(reference) {
            return None;
        }
        if prefix == &*self.from && !self.is_continued_by(rest) {
            return None;
        }
        if self.whole && prefix == &*self.from {
            return (rest.is_empty() || rest.starts_with(['?', '#'])).then_some(rest);
        }
        let at_boundary = prefix.ends_with(['/', '?', '#'])
            || rest.is_empty()
            || rest.starts_with(['/', '?', '#']);
        at_boundary.then_some(rest)
    }
}

impl Prefixes {
    /// True if there are no rules.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// Adds a rule. Of rules that name the same references only the one that goes first counts.
    pub fn add(&mut self, rule: Arc<Prefix>) {
        self.any_case |= rule.any_case;
        let key = match key(&rule.from) {
            _ if rule.any_case => rule.from.to_ascii_lowercase().into(),
            Cow::Borrowed(_) => Arc::clone(&rule.from),
            Cow::Owned(key) => key.into(),
        };
        match self.by_key.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert(rule);
            }
            Entry::Occupied(mut known) => {
                if precedence(&rule) > precedence(known.get()) {
                    known.insert(rule);
                }
            }
        }
    }

    /// The rule for a reference: of all rules that name it the one with the longest prefix, then the first. O(length ×
    /// log(rules)) for each end of a component at which some prefix ends or parts from the reference.
    pub fn naming(&self, reference: &str) -> Option<&Prefix> {
        if self.is_empty() {
            return None;
        }
        let end = authority_end(reference);
        let mut key = folded(reference, end);
        if end == reference.len() && has_authority(reference) {
            key.to_mut().push('/');
        }
        let lower = self.any_case.then(|| key.to_ascii_lowercase());
        let keys = std::iter::once(&*key).chain(lower.as_deref());
        let begins = keys.flat_map(|key| self.steps(key).flatten());
        let named = begins.filter(|rule| !rule.in_text && rule.names(reference));
        named.max_by_key(|rule| precedence(rule))
    }

    /// The rule for a link of running text without a scheme, as written; as for [`naming`](Self::naming).
    pub fn naming_in_text(&self, link: &str) -> Option<&Prefix> {
        let key = key(link);
        let begins = self.steps(&key).flatten();
        let named = begins.filter(|rule| rule.in_text && rule.names(link));
        named.max_by_key(|rule| precedence(rule))
    }

    /// The rules whose prefixes a reference begins with, longest first; not every such rule names the reference.
    pub fn in_front_of(&self, reference: &str) -> Vec<&Prefix> {
        self.steps(&key(reference)).flatten().collect()
    }

    /// All rules.
    pub fn iter(&self) -> impl Iterator<Item = &Prefix> {
        self.by_key.values().map(|rule| &**rule)
    }

    /// The rule with this prefix, in any case of scheme and authority.
    pub fn with(&self, from: &str) -> Option<&Prefix> {
        self.by_key.get(&*key(from)).map(|rule| &**rule)
    }

    /// The rules whose prefixes a key begins with, longest prefix first, step by step. A step without a rule finds the
    /// most of the key that a prefix can have: the entry before the key in the table shares with the key at least as
    /// many bytes as any such prefix.
    fn steps<'p, 'k>(
        &'p self,
        key: &'k str,
    ) -> impl Iterator<Item = Option<&'p Prefix>> + use<'p, 'k> {
        let mut end = Some(key.len());
        std::iter::from_fn(move || {
            let key = &key[..end?];
            let mut range = self.by_key.range::<str, _>((Unbounded, Included(key)));
            let (found, rule) = range.next_back()?;
            let bytes = key.bytes().zip(found.bytes());
            let shared = bytes.take_while(|(a, b)| a == b).count();
            let begins = shared == found.len();
            end = if begins {
                shared.checked_sub(1)
            } else {
                Some(shared)
            };
            while let Some(inside) = end.filter(|end| !key.is_char_boundary(*end)) {
                end = Some(inside - 1);
            }
            Some(begins.then_some(&**rule))
        })
    }

    /// The rules whose prefixes go on from the prefix of a rule, with the rule itself.
    pub fn below<'p>(&'p self, rule: &'p Prefix) -> impl Iterator<Item = &'p Prefix> {
        let key = key(&rule.from);
        let others = self.by_key.range::<str, _>((Included(&*key), Unbounded));
        let others = others.take_while(move |(other, _)| other.starts_with(&*key));
        let rules = others.map(|(_, other)| &**other);
        rules.filter(|other| rule.rest(&other.from, &rule.from).is_some())
    }

    /// Some of the rules.
    pub fn only(&self, keep: impl Fn(&Prefix) -> bool) -> Prefixes {
        let rules = self.by_key.iter().filter(|(_, rule)| keep(rule));
        Prefixes {
            by_key: rules
                .map(|(key, rule)| (Arc::clone(key), Arc::clone(rule)))
                .collect(),
            any_case: self.any_case,
        }
    }
}

/// A reference of the Web with a query or a fragment right behind its authority, with the implied path (RFC 3986
/// 6.2.3).
pub(super) fn with_root(reference: &str) -> Option<String> {
    let (host, rest) = reference.split_at(authority_end(reference));
    let has_no_path = rest.starts_with(['?', '#']) && has_authority(host);
    let is_of_web = has_no_path && scheme_of(host).is_some_and(is_http);
    is_of_web.then(|| format!("{host}/{rest}"))
}

/// The precedence of a rule: the greater goes first.
fn precedence(rule: &Prefix) -> (usize, bool, Reverse<usize>) {
    (rule.rank, !rule.implied, Reverse(rule.rule))
}

/// True if two prefixes differ at most in the case of scheme and authority.
pub(super) fn is_same_prefix(one: &str, other: &str) -> bool {
    key(one) == key(other)
}

/// The key by which a reference is compared: scheme and authority in lower case.
fn key(reference: &str) -> Cow<'_, str> {
    folded(reference, authority_end(reference))
}

/// A reference whose first bytes are in lower case.
fn folded(reference: &str, end: usize) -> Cow<'_, str> {
    // The loop has no exit, so that it goes over many bytes at once.
    let head = reference[..end].bytes();
    if head.fold(false, |found, byte| found | byte.is_ascii_uppercase()) {
        Cow::Owned(reference[..end].to_ascii_lowercase() + &reference[end..])
    } else {
        Cow::Borrowed(reference)
    }
}

fn has_authority(reference: &str) -> bool {
    let scheme = scheme_of(reference).map_or(0, |scheme| scheme.len() + 1);
    reference[scheme..].starts_with("//")
}

/// The end of scheme and authority in a reference: the part that is compared in any case.
fn authority_end(reference: &str) -> usize {
    let scheme = scheme_of(reference).map_or(0, |scheme| scheme.len() + 1);
    if !reference[scheme..].starts_with("//") {
        return scheme;
    }
    let authority = scheme + 2;
    let end = memchr::memchr3(b'/', b'?', b'#', &reference.as_bytes()[authority..]);
    end.map_or(reference.len(), |length| authority + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(prefixes: &[String]) -> Prefixes {
        let mut table = Prefixes::default();
        for (number, from) in prefixes.iter().enumerate() {
            let mut rule = Prefix::new(from, &format!("/{number}").into(), &[]);
            rule.rule = number;
            table.add(rule.into());
        }
        table
    }

    /// The rule for a reference, by a search through all rules.
    fn by_asking<'p>(rules: &'p [Prefix], reference: &str) -> Option<&'p Prefix> {
        let named = rules.iter().filter(|rule| rule.names(reference));
        named.max_by_key(|rule| precedence(rule))
    }

    /// The table gives the same as a search through all rules, over prefixes and references of the same few parts.
    #[test]
    fn the_table_finds_what_asking_each_rule_finds() {
        let heads = [
            "",
            "http://a",
            "HTTP://A",
            "http://aa",
            "//a",
            "http:",
            "mailto:",
            "\u{e9}",
        ];
        let tails = [
            "", "/", "//", "/b", "/b/", "/b/c", "/B", "?", "?b", "#", "/\u{e9}", "/bb", "b",
        ];
        let all: Vec<String> = heads
            .iter()
            .flat_map(|head| tails.map(|tail| format!("{head}{tail}")))
            .filter(|text| !text.is_empty())
            .collect();
        // A part of the rules, in another order, with ranks that are not lengths.
        for (seed, stride) in [(0, 7), (3, 11), (5, 41), (1, 1), (2, 3)] {
            let chosen: Vec<&String> = (0..all.len())
                .map(|at| &all[(seed + at * stride) % all.len()])
                .collect();
            let (mut table, mut rules) = (Prefixes::default(), Vec::new());
            for (order, from) in chosen.iter().step_by(1 + seed / 2).enumerate() {
                let rank = (from.len() * 5 + seed) % 9;
                let mut rule = Prefix::new(from, &order.to_string().into(), &[]);
                (rule.rank, rule.rule) = (rank, order);
                table.add(rule.clone().into());
                rules.push(rule);
            }
            let mut named = 0;
            for reference in all
                .iter()
                .flat_map(|a| ["", "/x", "?x", "c"].map(|b| format!("{a}{b}")))
            {
                let to = |rule: Option<&Prefix>| rule.map(|rule| rule.to.clone());
                let found = to(table.naming(&reference));
                assert_eq!(found, to(by_asking(&rules, &reference)), "{reference}");
                named += usize::from(found.is_some());
            }
            assert!(named > 50, "{named}");
        }
    }

    /// The number of steps of a look-up does not grow with the rules.
    #[test]
    fn steps_do_not_grow_with_the_rules() {
        let rules = |count: usize| -> Vec<String> {
            let hosts = (0..count).map(|n| format!("http://h{n}.example/"));
            let paths = (0..count).map(|n| format!("http://old.example/{n}/{}", n * 7 % 10));
            hosts
                .chain(paths)
                .chain(["http://old.example/".to_owned()])
                .collect()
        };
        let (few, many) = (table(&rules(5)), table(&rules(50_000)));
        for reference in [
            "http://old.example/77/9/x",
            "http://old.example/5/5",
            "http://h5.example/a/b/c",
            "http://other.example/",
            "zzz",
            "/a",
        ] {
            let steps = |table: &Prefixes| table.steps(reference).count();
            assert!(
                steps(&many) <= steps(&few) + 4,
                "{reference}: {}",
                steps(&many)
            );
            assert!(steps(&many) <= 8, "{reference}: {}", steps(&many));
        }
        // The number does not grow with the rest of a reference, either.
        let long = "http://old.example/77/9".to_owned() + &"/x".repeat(10_000);
        assert!(many.steps(&long).count() <= 8);
        assert_eq!(many.naming(&long).map(|rule| &*rule.to), Some("/50077"));
    }

    #[test]
    fn a_root_stands_for_an_authority_alone() {
        let table = table(&["http://a/".into(), "/".into(), "mailto:/".into()]);
        for (reference, named) in [
            ("http://a", true),
            ("HTTP://A", true),
            ("", false),
            ("mailto:", false),
        ] {
            assert_eq!(table.naming(reference).is_some(), named, "{reference:?}");
        }
    }
}

//! The hosts that rules name: a bare domain in running text is a link if it has such a host.

use super::Rules;
use crate::iri::Parts;
use crate::link::with_implied;
use crate::rewrite::domains::Domains;
use crate::rewrite::halves::normal_host;
use std::collections::HashSet;

/// The hosts that rules name.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedHosts {
    /// Hosts of prefixes, in punycode and lower case.
    hosts: HashSet<String>,
    /// Domains whose subdomains move.
    domains: Domains,
    /// Names that patterns spell out, without backslashes and in lower case.
    patterns: Vec<String>,
}

impl NamedHosts {
    /// Collects the hosts of rules. O(length of the rules).
    pub fn new(rules: &Rules) -> Self {
        let froms = rules.normal.iter().map(|prefix| &*prefix.from);
        let patterns = rules
            .given()
            .iter()
            .filter_map(|rule| rule.from.strip_prefix("re:"));
        NamedHosts {
            hosts: froms
                .filter_map(host_of)
                .map(|host| normal_host(host).into_owned())
                .collect(),
            domains: rules.domains.clone(),
            patterns: patterns
                .map(|pattern| pattern.replace('\\', "").to_lowercase())
                .collect(),
        }
    }

    /// True if a prefix has the host of a link, or if a pattern spells out that host or a domain above it. `implied` is
    /// the scheme of the link. Linear in the length of the patterns.
    pub fn have(&self, link: &str, implied: &'static str) -> bool {
        let whole = with_implied(link, Some(implied));
        let Some(host) = host_of(&whole) else {
            return false;
        };
        let normal = normal_host(host);
        self.hosts.contains(&*normal)
            || self.domains.domain_of(&normal).is_some()
            || [host.to_lowercase(), normal.into_owned()]
                .iter()
                .any(|host| self.is_spelled_out(host))
    }

    fn is_spelled_out(&self, host: &str) -> bool {
        let mut patterns = self.patterns.iter();
        patterns.any(|pattern| domains(host).any(|domain| has_name(pattern, domain)))
    }
}

/// The host of a reference, or the host of the address in a `mailto:`.
pub(super) fn host_of(reference: &str) -> Option<&str> {
    let host = Parts::split(reference).host().or_else(|| {
        let address = reference.strip_prefix("mailto:")?;
        let address = address.split('?').next()?;
        Some(address.rsplit_once('@')?.1)
    });
    host.filter(|host| !host.is_empty())
}

/// A host and the domains above it, except the topmost.
fn domains(host: &str) -> impl Iterator<Item = &str> {
    let starts = host.match_indices('.').map(|(at, _)| at + 1);
    let domains = std::iter::once(0).chain(starts).map(|at| &host[at..]);
    domains.filter(|domain| domain.contains('.'))
}

/// True if a pattern has a name as a whole word.
fn has_name(pattern: &str, name: &str) -> bool {
    let is_inner = |ch: char| ch.is_alphanumeric() || ch == '-';
    pattern.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&pattern[..at], &pattern[at + name.len()..]);
        !before.ends_with(is_inner) && !behind.starts_with(is_inner)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_name_hosts() {
        let mut rules = Rules::default();
        for rule in [
            "http://old.example/blog/ https://new.example/",
            "\u{e9}.example new.example",
            "mailto:ann@mail.example mailto:ann@new.example",
            r"re:^https?://(\w+\.)?wiki\.example/(.*)$ https://new.example/$2",
            "re:^https://(.*)$ http://$1",
            "/a /b",
        ] {
            rules.add(rule).unwrap();
        }
        let hosts = NamedHosts::new(&rules);
        let cases = [
            ("old.example", "https", true),
            ("OLD.example:8080/x", "https", true),
            ("www.old.example", "https", false),
            ("xn--9ca.example/x", "https", true),
            ("ann@mail.example", "mailto", true),
            ("eve@mail.example", "mailto", true),
            ("ann@other.example", "mailto", false),
            ("wiki.example/x", "https", true),
            ("en.wiki.example", "https", true),
            ("notwiki.example", "https", false),
            ("new.example", "https", false),
            ("CA-Schl\u{fc}ssel.pub", "https", false),
        ];
        for (link, implied, named) in cases {
            assert_eq!(hosts.have(link, implied), named, "{link}");
        }
    }
}

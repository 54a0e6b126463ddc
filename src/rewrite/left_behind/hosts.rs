//! The hosts that rules move.

use crate::iri::{Level, Parts, normalize};
use crate::rewrite::rules::Rules;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The hosts that rules move to other hosts, with what rules name below each.
#[derive(Clone, Debug, Default)]
pub(in crate::rewrite) struct MovedHosts {
    hosts: HashMap<Arc<str>, Vec<Moved>>,
    /// Whether some host has letters beyond ASCII.
    pub has_idn: bool,
    /// Whether some host has no dot.
    pub has_plain: bool,
}

/// What a rule moves of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Moved {
    /// `None`: http and https.
    pub scheme: Option<String>,
    pub port: Option<String>,
    /// The path and more, without a final slash.
    pub path: String,
}

impl MovedHosts {
    /// Those of prefixes, and of patterns in which a host is written out. A host to which another rule leads has not
    /// moved. O(length of the rules).
    pub fn new(rules: &Rules) -> Self {
        let targets: HashSet<String> = rules
            .given()
            .iter()
            .filter_map(|rule| target_host(&rule.to))
            .collect();
        let mut hosts = MovedHosts::default();
        for rule in rules.normal.iter() {
            hosts.add_prefix(&rule.from, &rule.to, &targets);
        }
        for rule in rules.given() {
            let host = rule.from.strip_prefix("re:").and_then(pattern_host);
            if let Some(host) = host.filter(|_| target_host(&rule.to).is_some()) {
                hosts.add(host, Moved::of_web(), &targets);
            }
        }
        hosts
    }

    fn add_prefix(&mut self, from: &str, to: &str, targets: &HashSet<String>) {
        let parts = Parts::split(from);
        let (Some(host), Some(authority)) = (parts.host(), parts.authority()) else {
            return;
        };
        // What moves within a host, or to a path, leaves no old host behind.
        if target_host(to).is_none() || host.is_empty() {
            return;
        }
        let rest = from
            .find(authority)
            .map_or("", |at| &from[at + authority.len()..]);
        let scheme = parts.scheme().map(str::to_ascii_lowercase);
        let moved = Moved {
            scheme,
            port: parts
                .port()
                .filter(|port| !port.is_empty())
                .map(str::to_owned),
            path: rest.strip_suffix('/').unwrap_or(rest).to_owned(),
        };
        self.add(normal_host(host), moved, targets);
    }

    fn add(&mut self, host: String, moved: Moved, targets: &HashSet<String>) {
        if targets.contains(&host) {
            return;
        }
        self.has_idn |= host.contains("xn--");
        self.has_plain |= !host.contains('.');
        let all = self.hosts.entry(host.into()).or_default();
        if !all.contains(&moved) {
            all.push(moved);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }

    /// The host of a word, and what rules move of it.
    pub(super) fn of(&self, word: &str) -> Option<(&Arc<str>, &[Moved])> {
        let found = match word.is_ascii() {
            true => self.hosts.get_key_value(word.to_ascii_lowercase().as_str()),
            false => self.hosts.get_key_value(normal_host(word).as_str()),
        };
        found.map(|(host, moved)| (host, moved.as_slice()))
    }
}

impl Moved {
    fn of_web() -> Self {
        Moved {
            scheme: None,
            port: None,
            path: String::new(),
        }
    }
}

/// The host that a rule leads to, normal.
fn target_host(to: &str) -> Option<String> {
    let with_slashes;
    let reference = match to.contains("//") {
        true => to,
        false if to.starts_with('/') => return None,
        // A host without a scheme.
        false => {
            with_slashes = format!("//{to}");
            &with_slashes
        }
    };
    let host = Parts::split(reference).host()?;
    (!host.is_empty()).then(|| normal_host(host))
}

/// A host in punycode and lower case.
fn normal_host(host: &str) -> String {
    let normal = normalize(&format!("http://{host}/"), Level::Scheme);
    let normal = Parts::split(&normal).host().unwrap_or(host);
    normal.strip_suffix('.').unwrap_or(normal).to_owned()
}

/// The host that a pattern names letter by letter: that of `^https?://old\.example/(.*)`.
fn pattern_host(pattern: &str) -> Option<String> {
    let (_, rest) = pattern.split_once("//")?;
    let mut host = String::new();
    let mut letters = rest.chars();
    for ch in letters.by_ref() {
        match ch {
            '\\' => {}
            '.' | '-' | 'a'..='z' | 'A'..='Z' | '0'..='9' => host.push(ch.to_ascii_lowercase()),
            '/' | '$' | ':' => return Some(host).filter(|host| host.contains('.')),
            // An operator: the letters before it are not the whole host.
            _ => return None,
        }
    }
    Some(host).filter(|host| host.contains('.'))
}

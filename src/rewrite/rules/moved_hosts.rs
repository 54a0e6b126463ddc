//! The hosts that rules move.

use super::Rules;
use crate::iri::Parts;
use crate::rewrite::domains::Domains;
use crate::rewrite::halves::normal_host;
use crate::rewrite::pattern::Pattern;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The hosts that rules move to other hosts, with the parts of each host that rules name.
#[derive(Clone, Debug, Default)]
pub(in crate::rewrite) struct MovedHosts {
    /// The moved parts of each host, sorted.
    hosts: HashMap<Arc<str>, Vec<Moved>>,
    /// Domains whose subdomains move.
    domains: Domains,
    /// True if some host has letters beyond ASCII.
    pub has_idn: bool,
    /// True if some host has no dot.
    pub has_plain: bool,
    last_dots: LastDots,
    /// The length of the longest path below some host, in bytes.
    pub longest_path: usize,
}

/// The bytes around the last dot of hosts.
#[derive(Clone, Debug)]
struct LastDots {
    /// The first two letters or digits of the last labels: for each first one the set of second ones.
    begins: Box<[u128; 128]>,
    /// The last letters or digits in front of the dots.
    ends: u128,
    /// True if a label is punycode, whose Unicode form has other letters.
    has_punycode: bool,
}

/// The longest escape of a letter that ends with a digit: `%2564`, `\u0064` behind backslashes.
const LONGEST_ESCAPE: usize = 9;

impl Default for LastDots {
    fn default() -> Self {
        LastDots {
            begins: Box::new([0; 128]),
            ends: 0,
            has_punycode: false,
        }
    }
}

impl LastDots {
    fn add(&mut self, front: &str, last: &str) {
        let own = front.rsplit('.').next().unwrap_or_default();
        self.has_punycode |= own.starts_with("xn--") || last.starts_with("xn--");
        if let [first, second, ..] = *last.as_bytes() {
            self.begins[usize::from(first) & 127] |= 1 << (second & 127);
        }
        if let Some(end) = own.bytes().next_back() {
            self.ends |= 1 << (end & 127);
        }
    }

    /// False if no host has such a dot. Bytes that are no letters or digits may be parts of escapes, and a label may
    /// have one letter.
    fn may_be(&self, before: &[u8], behind: &[u8]) -> bool {
        let begins = match *behind {
            [first, second, ..]
                if first.is_ascii_alphanumeric() && second.is_ascii_alphanumeric() =>
            {
                let seconds = self.begins[usize::from(first.to_ascii_lowercase())];
                seconds >> second.to_ascii_lowercase() & 1 == 1
            }
            _ => true,
        };
        begins && self.may_end(before) || self.has_punycode
    }

    fn may_end(&self, before: &[u8]) -> bool {
        let Some(last) = before.last().filter(|last| last.is_ascii_alphanumeric()) else {
            return true;
        };
        let near = &before[before.len().saturating_sub(LONGEST_ESCAPE)..];
        self.ends >> last.to_ascii_lowercase() & 1 == 1
            || last.is_ascii_hexdigit() && memchr::memchr2(b'%', b'\\', near).is_some()
    }
}

/// The part of a host that a rule moves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::rewrite) struct Moved {
    /// The path and more, [unescaped], without a final slash.
    pub path: Vec<u8>,
    /// The scheme; `None` for http and https.
    pub scheme: Option<String>,
    pub port: Option<String>,
    /// True if a rule keeps the links of this part: FROM is TO.
    pub is_kept: bool,
}

impl MovedHosts {
    /// The hosts of prefixes, and of patterns that begin with the text of a host or are those of a site. The host of
    /// another rule's target has not moved. O(rules × log(rules)).
    pub fn new(rules: &Rules) -> Self {
        let targets: HashSet<Cow<'_, str>> = rules
            .given()
            .iter()
            // A rule that keeps links moves nothing there.
            .filter(|rule| rule.from != rule.to)
            .filter_map(|rule| written_target(&rule.to).map(normal_host))
            .collect();
        let mut hosts = MovedHosts {
            domains: rules.domains.clone(),
            ..MovedHosts::default()
        };
        // A move within a host, or to a path, leaves no old host behind.
        let leads_on = |to: &str| written_target(to).is_some();
        let keeps = |number: usize| {
            let rule = rules.given().get(number);
            rule.is_some_and(|rule| rule.from == rule.to)
        };
        let (kept, moving): (Vec<_>, Vec<_>) =
            rules.normal.iter().partition(|rule| keeps(rule.rule));
        for rule in moving.into_iter().filter(|rule| leads_on(&rule.to)) {
            if let Some((host, moved)) = hosts.part_of(&rule.from) {
                hosts.add(&host, moved, &targets);
            }
        }
        let leading_on = |pattern: &&Pattern| {
            let rule = rules.given().get(pattern.number);
            !pattern.keeps() && rule.is_some_and(|rule| leads_on(&rule.to))
        };
        for place in rules
            .patterns
            .iter()
            .filter(leading_on)
            .flat_map(Pattern::places)
        {
            if let Some((host, moved)) =
                hosts.part_of(&place).filter(|(host, _)| host.contains('.'))
            {
                hosts.add(&host, moved, &targets);
            }
        }
        for rule in kept {
            if let Some((host, kept)) = hosts.part_of(&rule.from)
                && let Some(moved) = hosts.hosts.get_mut(&*host)
            {
                moved.push(Moved {
                    is_kept: true,
                    ..kept
                });
            }
        }
        for moved in hosts.hosts.values_mut() {
            moved.sort();
            moved.dedup();
        }
        hosts
    }

    /// The host of a prefix, and the part of it that the prefix names.
    fn part_of(&mut self, from: &str) -> Option<(String, Moved)> {
        let parts = Parts::split(from);
        let authority = parts.authority()?;
        let host = parts.host().filter(|host| !host.is_empty())?;
        let rest = from
            .find(authority)
            .map_or("", |at| &from[at + authority.len()..]);
        let path = unescaped(rest.strip_suffix('/').unwrap_or(rest).as_bytes());
        self.longest_path = self.longest_path.max(path.len());
        let port = parts.port().filter(|port| !port.is_empty());
        let moved = Moved {
            scheme: parts.scheme().map(str::to_ascii_lowercase),
            port: port.map(str::to_owned),
            path,
            is_kept: false,
        };
        Some((normal_host(host).into_owned(), moved))
    }

    fn add(&mut self, host: &str, moved: Moved, targets: &HashSet<Cow<'_, str>>) {
        if targets.contains(host) {
            return;
        }
        if let Some(all) = self.hosts.get_mut(host) {
            all.push(moved);
            return;
        }
        self.has_idn |= host.contains("xn--");
        match host.rsplit_once('.') {
            Some((front, last)) => self.last_dots.add(front, last),
            None => self.has_plain = true,
        }
        self.hosts.insert(host.into(), vec![moved]);
    }

    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }

    /// True if the dot between two texts may be the last one of some host.
    pub fn may_have_dot(&self, before: &[u8], behind: &[u8]) -> bool {
        self.last_dots.may_be(before, behind)
    }

    /// The host of a word, and its parts that rules move, sorted.
    pub fn of(&self, word: &str) -> Option<(&Arc<str>, &[Moved])> {
        let host = match word {
            _ if !word.is_ascii() => normal_host(word),
            _ if word.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                Cow::Owned(word.to_ascii_lowercase())
            }
            _ => Cow::Borrowed(word),
        };
        let found = self.hosts.get_key_value(&*host);
        let domain = || self.hosts.get_key_value(self.domains.domain_of(&host)?);
        found
            .or_else(domain)
            .map(|(host, moved)| (host, moved.as_slice()))
    }
}

/// The moved parts of a host whose paths begin the text behind the host. O(length × log(rules)) for each part.
pub(in crate::rewrite) fn named<'m>(all: &'m [Moved], behind: &[u8]) -> Vec<&'m Moved> {
    let text = unescaped(behind);
    let mut rest = all;
    let mut named = Vec::new();
    let mut end = text.len();
    loop {
        let key = &text[..end];
        rest = &rest[..rest.partition_point(|moved| moved.path.as_slice() <= key)];
        let Some(last) = rest.last() else {
            return named;
        };
        // The greatest path up to the key shares at least as many bytes with it as any path that begins the key.
        let path = last.path.as_slice();
        let shared = path.iter().zip(key).take_while(|(a, b)| a == b).count();
        end = shared;
        if shared == path.len() {
            let (others, same) =
                rest.split_at(rest.partition_point(|moved| moved.path < last.path));
            named.extend(same.iter().filter(|_| is_end(path, &text[shared..])));
            rest = others;
        }
    }
}

/// True if a rule keeps the links of the longest of these parts, the first, for a scheme.
pub(in crate::rewrite) fn is_kept(named: &[&Moved], scheme: Option<&str>) -> bool {
    let is_longest = |moved: &&&Moved| moved.path.len() == named[0].path.len();
    let has_scheme = |moved: &Moved| match (scheme, moved.scheme.as_deref()) {
        (Some(scheme), Some(own)) => own.eq_ignore_ascii_case(scheme),
        _ => true,
    };
    let mut longest = named.iter().take_while(is_longest);
    longest.any(|moved| moved.is_kept && has_scheme(moved))
}

/// Text in lower case with plain slashes, and with the octets that percent-encoding stands for.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    let digit = |byte: u8| char::from(byte).to_digit(16);
    while let Some(first) = rest.first() {
        let encoded = match *rest {
            [b'%', high, low, ..] => digit(high).zip(digit(low)),
            _ => None,
        };
        let (byte, len) = match (encoded, rest) {
            (Some((high, low)), _) => ((high * 16 + low) as u8, 3),
            (None, [b'\\', b'/', ..]) => (b'/', 2),
            (None, _) => (*first, 1),
        };
        plain.push(byte.to_ascii_lowercase());
        rest = &rest[len..];
    }
    plain
}

/// True if a path ends in front of a text: `/blog` does not name `/blogs`.
fn is_end(path: &[u8], behind: &[u8]) -> bool {
    path.is_empty() || !behind.first().is_some_and(u8::is_ascii_alphanumeric)
}

/// The host of a rule's target, as written.
fn written_target(to: &str) -> Option<&str> {
    let mut slashes = memchr::memchr_iter(b'/', to.as_bytes());
    let has_two = slashes.any(|at| to[at..].starts_with("//"));
    let host = match has_two {
        true => Parts::split(to).host()?,
        false if to.starts_with('/') => return None,
        // A host without a scheme.
        false => {
            let host = Parts::split(&format!("//{to}")).host_range()?;
            &to[host.start - 2..host.end - 2]
        }
    };
    (!host.is_empty()).then_some(host)
}

//! Services that wrap links, for protection or to count clicks: the link behind is computed, nothing is fetched.
//!
//! `services.tsv` lists the services. It omits services whose links need a key.

mod decode;

use crate::iri::scheme::is_http;
use crate::iri::{Form, Parts, parse, percent_decoded};
use crate::link::{as_parsed, code_in};
use decode::Coding;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The most services in a chain.
const MOST_WRAPPED: usize = 8;

/// Links of a service with the same structure.
struct Service {
    /// The number of the service.
    number: usize,
    hosts: Vec<&'static str>,
    path: &'static str,
    coding: Coding,
    parameters: Vec<&'static str>,
}

static SERVICES: LazyLock<(Vec<&'static str>, Vec<Service>)> = LazyLock::new(|| {
    let (mut names, mut services) = (Vec::new(), Vec::new());
    let lines = include_str!("services.tsv").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let mut field = || fields.next().unwrap_or_default();
        let (name, hosts, path) = (field(), field(), field());
        if names.last() != Some(&name) {
            names.push(name);
        }
        services.extend(Coding::named(field()).map(|coding| Service {
            number: names.len() - 1,
            hosts: hosts.split(',').collect(),
            path,
            coding,
            parameters: field().split(',').collect(),
        }));
    }
    (names, services)
});

/// The names of the services.
pub(crate) fn names() -> &'static [&'static str] {
    &SERVICES.0
}

/// A wrapped link.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrapped {
    /// The number of the outermost service.
    pub service: usize,
    /// The link behind the service and any further services; `None` if it cannot be read.
    pub target: Option<String>,
}

/// The wrapped link of a reference, if a service wraps one. Linear.
pub(crate) fn wrapped(reference: &str) -> Option<Wrapped> {
    let first = step(reference)?;
    let service = first.service;
    let mut target = first.target;
    for _ in 1..MOST_WRAPPED {
        match target.as_deref().and_then(step).map(|inner| inner.target) {
            Some(Some(inner)) => target = Some(inner),
            // The link behind is a link of another service, which stays.
            Some(None) | None => return Some(Wrapped { service, target }),
        }
    }
    let is_readable = |text: &str| step(text).is_some_and(|inner| inner.target.is_some());
    Some(Wrapped {
        service,
        target: target.filter(|target| !is_readable(target)),
    })
}

/// The link behind the outermost service of a reference, if any. That link may wrap another link.
fn step(reference: &str) -> Option<Wrapped> {
    let reference = as_parsed(reference);
    let parts = Parts::split(&reference);
    let is_web = parts.scheme().is_none_or(is_http);
    let is_default = matches!(parts.port(), None | Some("" | "80" | "443"));
    let host = parts.host().filter(|_| is_web && is_default)?;
    if parts.userinfo().is_some() {
        return None;
    }
    let is_service = |service: &&Service| {
        has_path(service.path, parts.path())
            && service.hosts.iter().any(|pattern| is_host(pattern, host))
    };
    let service = SERVICES.1.iter().find(is_service)?;
    let value = if service.coding.is_of_query() {
        parameter(&parts, &service.parameters)?
    } else {
        Some(&reference[parts.path_range().start..])
    };
    let decoded = value.and_then(|value| service.coding.decode(value));
    // The meaning of template code is unknown.
    let decoded = decoded.filter(|_| code_in(&reference).is_none());
    let target = decoded.and_then(|decoded| target(&decoded));
    Some(Wrapped {
        service: service.number,
        target: target.map(|target| with_fragment(target, service.coding.fragment(&parts))),
    })
}

fn has_path(pattern: &str, path: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(begin) => path.starts_with(begin),
        None => path == pattern || path.is_empty() && pattern == "/",
    }
}

fn is_host(pattern: &str, host: &str) -> bool {
    if let Some(domain) = pattern.strip_prefix('*') {
        let end = host.len().checked_sub(domain.len());
        return end.is_some_and(|end| end > 0 && is_ascii_same(host.get(end..), domain));
    }
    match pattern.strip_suffix('*') {
        Some(begin) => {
            is_ascii_same(host.get(..begin.len()), begin) && is_of_google(&host[begin.len()..])
        }
        None => host.eq_ignore_ascii_case(pattern),
    }
}

fn is_ascii_same(text: Option<&str>, pattern: &str) -> bool {
    text.is_some_and(|text| text.eq_ignore_ascii_case(pattern))
}

/// True for the ends of Google's domains: anybody may own the others.
fn is_of_google(end: &str) -> bool {
    let mut ends = include_str!("google.txt").lines();
    ends.any(|own| own.eq_ignore_ascii_case(end))
}

/// A parameter that has, or resembles, a name of the link.
struct Candidate<'r> {
    name: &'r str,
    is_exact: bool,
    value: &'r str,
}

/// The value of the parameter in `names`: `None` without any, `Some(None)` if the service may read another value. Some
/// read the first of two values and some the last, some decode keys and some do not. Of two names that whose value may
/// be a link counts: Google writes the words of the search into `q`.
fn parameter<'r>(parts: &Parts<'r>, names: &[&'r str]) -> Option<Option<&'r str>> {
    let candidates: Vec<Candidate<'r>> = parameters(parts.query()?)
        .filter_map(|(key, value)| {
            let plain = plain_key(key);
            let name = names.iter().find(|name| **name == plain)?;
            let is_exact = key == *name;
            Some(Candidate {
                name,
                is_exact,
                value,
            })
        })
        .collect();
    let is_link = |candidate: &&Candidate<'_>| !is_words(candidate.value);
    let link = candidates.iter().find(is_link);
    let found = link.or(candidates.first())?;
    let of_name = candidates.iter().filter(|other| other.name == found.name);
    let is_sole = of_name.count() == 1 && candidates.iter().filter(is_link).count() <= 1;
    Some((found.is_exact && is_sole).then_some(found.value))
}

/// The keys and values of a query. In text every `&` may be escaped as in HTML.
fn parameters(query: &str) -> impl Iterator<Item = (&str, &str)> {
    const ESCAPE: &str = "amp;";
    let is_escaped = query
        .split('&')
        .skip(1)
        .all(|pair| pair.starts_with(ESCAPE));
    query.split('&').enumerate().map(move |(at, pair)| {
        let unescaped = pair.strip_prefix(ESCAPE);
        let pair = unescaped.filter(|_| is_escaped && at > 0).unwrap_or(pair);
        pair.split_once('=').unwrap_or((pair, ""))
    })
}

/// A key in the loosest reading: decoded, without white space, the index of an array (PHP) and escapes of HTML, in
/// lower case.
fn plain_key(key: &str) -> String {
    let decoded = percent_decoded(key).unwrap_or(Cow::Borrowed(key));
    let name = decoded.split(['[', '\0']).next().unwrap_or_default();
    let name = name.trim_matches(|ch: char| ch.is_whitespace() || ch == '+');
    name.to_ascii_lowercase().replace("amp;", "")
}

/// True if a value has no character that marks a link.
fn is_words(value: &str) -> bool {
    let is_of_link = |ch: char| matches!(ch, ':' | '/' | '\\' | '.' | '%');
    !value.contains(is_of_link)
}

/// A decoded link as a valid IRI, if it is a link that services wrap.
fn target(decoded: &str) -> Option<String> {
    let text = match parse(decoded, Form::Iri) {
        Ok(_) => Cow::Borrowed(decoded),
        Err(_) => Cow::Owned(encoded(decoded)),
    };
    let parts = parse(&text, Form::Iri).ok()?;
    // Names of users are made to deceive: `https://www.bank.example@a.example/`.
    let has_host = parts.host().is_some_and(|host| !host.is_empty()) && parts.userinfo().is_none();
    let is_wrapped = match parts.scheme()?.to_ascii_lowercase().as_str() {
        "http" | "https" | "ftp" => has_host,
        "mailto" => parts.path().contains('@'),
        _ => false,
    };
    is_wrapped.then(|| parts.text().to_owned())
}

/// Percent-encodes the characters that are not allowed in IRIs and that browsers encode (URL Standard 1.3). Braces
/// stay: they may be those of a template.
fn encoded(decoded: &str) -> String {
    let authority = decoded.find("://").map_or(0, |at| at + 3);
    let host_end = decoded[authority..].find(['/', '?', '#']);
    let host_end = host_end.map_or(decoded.len(), |end| authority + end);
    let mut text = decoded[..host_end].to_owned();
    for ch in decoded[host_end..].chars() {
        match ch {
            ' ' | '"' | '<' | '>' | '^' | '`' | '|' | '[' | ']' => {
                text.push_str(&format!("%{:02X}", u32::from(ch)));
            }
            _ => text.push(ch),
        }
    }
    text
}

/// The target with the fragment of the wrapper, unless it has a fragment: browsers do the same for redirects (Fetch
/// Standard 4.4).
fn with_fragment(target: String, fragment: Option<&str>) -> String {
    let parts = Parts::split(&target);
    let is_kept = parts.fragment().is_none() && parts.authority().is_some();
    match fragment.filter(|_| is_kept) {
        Some(fragment) => format!("{target}#{fragment}"),
        None => target,
    }
}

#[cfg(test)]
mod tests;

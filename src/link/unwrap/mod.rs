//! Services that wrap links, for protection or to count clicks: the link behind is computed, nothing is fetched.
//!
//! `services.tsv` lists the services. It omits services whose links need a key.

mod decode;

use crate::iri::scheme::is_http;
use crate::iri::{Form, Parts, parse};
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
    let decoded = if service.coding.is_of_query() {
        service
            .coding
            .decode(parameter(&parts, &service.parameters)?)
    } else {
        let path = parts.path_range().start;
        service.coding.decode(&reference[path..])
    };
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
            is_ascii_same(host.get(..begin.len()), begin) && is_country(&host[begin.len()..])
        }
        None => host.eq_ignore_ascii_case(pattern),
    }
}

fn is_ascii_same(text: Option<&str>, pattern: &str) -> bool {
    text.is_some_and(|text| text.eq_ignore_ascii_case(pattern))
}

/// True for ends like `com`, `de`, `cat`, `co.uk` or `com.br`.
fn is_country(end: &str) -> bool {
    let is_code = |label: &str, most: usize| {
        (2..=most).contains(&label.len()) && label.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    match end.split_once('.') {
        None => is_code(end, 3),
        Some((second, country)) => {
            let is_second = ["co", "com"]
                .iter()
                .any(|known| known.eq_ignore_ascii_case(second));
            is_second && is_code(country, 2)
        }
    }
}

/// The value of the first of the parameters in `names` that is present. In text the `&` in front of the parameter may
/// be escaped as in HTML.
fn parameter<'r>(parts: &Parts<'r>, names: &[&str]) -> Option<&'r str> {
    let query = parts.query()?;
    names.iter().find_map(|name| {
        query.split('&').find_map(|pair| {
            let (key, value) = pair.split_once('=')?;
            let is_named = key == *name || key.strip_prefix("amp;") == Some(name);
            is_named.then_some(value)
        })
    })
}

/// A decoded link as a valid IRI, if it is a link that services wrap.
fn target(decoded: &str) -> Option<String> {
    let text = match parse(decoded, Form::Iri) {
        Ok(_) => Cow::Borrowed(decoded),
        Err(_) => Cow::Owned(encoded(decoded)),
    };
    let parts = parse(&text, Form::Iri).ok()?;
    let has_host = parts.host().is_some_and(|host| !host.is_empty());
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

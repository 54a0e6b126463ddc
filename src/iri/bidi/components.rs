//! The components that RFC 3987 4.2 means, and the parts into which they may be subdivided.

use super::{Violation, broken, direction};
use crate::iri::parts::Parts;
use std::ops::Range;

/// A component of the grammar, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Component {
    name: &'static str,
    range: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// It has no parts.
    Whole,
    /// A host: labels. The port stands with it.
    Host { port: Option<Range<usize>> },
    /// The last segment: a name and its extension.
    File,
    /// Names and values.
    Query,
}

/// The components of a reference.
pub(super) fn of(parts: &Parts) -> Vec<Component> {
    let mut all = Vec::new();
    let mut push = |name, range, kind| all.push(Component { name, range, kind });
    if let Some(range) = parts.userinfo_range() {
        push("iuserinfo", range, Kind::Whole);
    }
    if let Some(range) = parts.host_range() {
        let kind = Kind::Host {
            port: parts.port_range(),
        };
        let is_literal = parts.host().is_some_and(|host| host.starts_with('['));
        let kind = if is_literal { Kind::Whole } else { kind };
        push("ireg-name", range, kind);
    }
    for (name, range, is_last) in segments(parts) {
        push(name, range, if is_last { Kind::File } else { Kind::Whole });
    }
    if let Some(range) = parts.query_range() {
        push("iquery", range, Kind::Query);
    }
    if let Some(range) = parts.fragment_range() {
        push("ifragment", range, Kind::Whole);
    }
    all
}

/// The segments of the path, by their names in the ABNF; the last is marked.
fn segments(parts: &Parts) -> Vec<(&'static str, Range<usize>, bool)> {
    let path = parts.path();
    let start = parts.path_range().start;
    let is_rooted = path.starts_with('/');
    let mut names = vec![];
    if parts.authority_range().is_none() {
        let first = match parts.scheme_range() {
            None if !is_rooted => "isegment-nz-nc",
            _ => "isegment-nz",
        };
        names.push(first);
    }
    let mut names = names.into_iter();
    let mut at = start + usize::from(is_rooted);
    let mut all = Vec::new();
    let end = parts.path_range().end;
    while at <= end {
        let rest = &parts.text()[at..end];
        let length = rest.find('/').unwrap_or(rest.len());
        let is_last = at + length == end;
        all.push((names.next().unwrap_or("isegment"), at..at + length, is_last));
        at += length + 1;
    }
    all
}

impl Component {
    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Adds the rules that it breaks.
    pub(super) fn broken<'i>(&self, iri: &'i str, violations: &mut Vec<Violation<'i>>) {
        let text = &iri[self.range()];
        let broken = broken(text.chars().map(direction));
        for (is_broken, rule) in [(broken.mixed, 1), (broken.ends, 2)] {
            if is_broken {
                violations.push(Violation {
                    component: self.name,
                    text,
                    start: self.range.start,
                    rule,
                });
            }
        }
    }

    /// Its parts; itself when it has none.
    pub(super) fn parts(&self, iri: &str) -> impl Iterator<Item = Component> {
        let cuts = match self.kind {
            Kind::Whole => vec![(self.name, self.range())],
            Kind::Host { .. } => labels(iri, self.range()),
            Kind::File => file(iri, self.name, self.range()),
            Kind::Query => pairs(iri, self.range()),
        };
        cuts.into_iter().map(|(name, range)| Component {
            name,
            range,
            kind: Kind::Whole,
        })
    }

    /// The port behind a host.
    pub(super) fn port(&self) -> Option<Component> {
        match &self.kind {
            Kind::Host { port: Some(range) } => Some(Component {
                name: "port",
                range: range.clone(),
                kind: Kind::Whole,
            }),
            _ => None,
        }
    }
}

fn labels(iri: &str, range: Range<usize>) -> Vec<(&'static str, Range<usize>)> {
    cut(iri, range, &['.'])
        .into_iter()
        .map(|range| ("label", range))
        .collect()
}

/// A name and its extension (4.2: "extensions can be treated as separate components").
fn file(iri: &str, name: &'static str, range: Range<usize>) -> Vec<(&'static str, Range<usize>)> {
    match extension(&iri[range.clone()]) {
        None => vec![(name, range)],
        Some(dot) => {
            let dot = range.start + dot;
            vec![(name, range.start..dot), ("extension", dot + 1..range.end)]
        }
    }
}

/// Where the dot before the extension of a file's name is. A name is more than an extension.
fn extension(name: &str) -> Option<usize> {
    name.rfind('.').filter(|&dot| dot > 0)
}

fn pairs(iri: &str, range: Range<usize>) -> Vec<(&'static str, Range<usize>)> {
    let mut all = Vec::new();
    for pair in cut(iri, range, &['&', ';']) {
        match iri[pair.clone()].find('=') {
            None => all.push(("name", pair)),
            Some(length) => {
                let equals = pair.start + length;
                all.push(("name", pair.start..equals));
                all.push(("value", equals + 1..pair.end));
            }
        }
    }
    all
}

/// The pieces between delimiters.
fn cut(iri: &str, range: Range<usize>, delimiters: &[char]) -> Vec<Range<usize>> {
    let mut start = range.start;
    let mut all = Vec::new();
    for piece in iri[range].split(delimiters) {
        all.push(start..start + piece.len());
        start += piece.len() + 1;
    }
    all
}

//! The components of RFC 3987 4.2, and their parts.

use super::direction::{broken_rules, direction};
use crate::parts::Parts;
use std::ops::Range;

/// A component that breaks a rule of RFC 3987 4.2.
///
/// ```
/// let report = linkglot_iri::bidi::check("http://example.org/?q=א1");
/// let violation = report.violations[0];
/// assert_eq!((violation.component, violation.text, violation.start), ("value", "א1", 22));
/// assert_eq!(violation.rule, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Violation<'i> {
    /// The name of the component in the ABNF of 2.2, or of a part: `label`, `extension`, `name`,
    /// `value`.
    pub component: &'static str,
    /// The text of the component.
    pub text: &'i str,
    /// The position of the component in the IRI, in bytes.
    pub start: usize,
    /// Rule 1 (both directions in one component) or 2 (an end that is not right to left).
    pub rule: u8,
}

/// A component of the grammar, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Component {
    name: &'static str,
    range: Range<usize>,
    division: Division,
}

/// Division of a component into parts.
#[derive(Clone, Debug)]
enum Division {
    Undivided,
    /// A host, into labels. Its port is displayed beside it.
    Labels {
        port: Option<Range<usize>>,
    },
    /// The last segment, into a name and its extension.
    File,
    /// A query, into names and values.
    Pairs,
}

/// The name of the host in the ABNF of 2.2.
const HOST: &str = "ireg-name";

/// The components of a reference.
pub(super) fn of(parts: &Parts) -> Vec<Component> {
    let mut all = Vec::new();
    let mut push = |name, range, division| {
        all.push(Component {
            name,
            range,
            division,
        });
    };
    if let Some(range) = parts.userinfo_range() {
        push("iuserinfo", range, Division::Undivided);
    }
    if let Some(range) = parts.host_range() {
        let is_literal = parts.host().is_some_and(|host| host.starts_with('['));
        let division = if is_literal {
            Division::Undivided
        } else {
            Division::Labels {
                port: parts.port_range(),
            }
        };
        push(HOST, range, division);
    }
    let segments = segments(parts);
    let last = segments.len() - 1;
    for (at, (name, range)) in segments.into_iter().enumerate() {
        let division = if at == last {
            Division::File
        } else {
            Division::Undivided
        };
        push(name, range, division);
    }
    if let Some(range) = parts.query_range() {
        push("iquery", range, Division::Pairs);
    }
    if let Some(range) = parts.fragment_range() {
        push("ifragment", range, Division::Undivided);
    }
    all
}

/// The segments of the path, at least one, with their names in the ABNF.
fn segments(parts: &Parts) -> Vec<(&'static str, Range<usize>)> {
    let path = parts.path_range();
    let is_rooted = parts.path().starts_with('/');
    let first = match (parts.authority_range(), parts.scheme_range()) {
        (Some(_), _) => "isegment",
        (None, None) if !is_rooted => "isegment-nz-nc",
        (None, _) => "isegment-nz",
    };
    let start = path.start + usize::from(is_rooted);
    let ranges = cut(parts.text(), start..path.end, &['/']);
    let names = std::iter::once(first).chain(std::iter::repeat("isegment"));
    names.zip(ranges).collect()
}

impl Component {
    fn undivided((name, range): (&'static str, Range<usize>)) -> Component {
        Component {
            name,
            range,
            division: Division::Undivided,
        }
    }

    pub(super) fn is_host(&self) -> bool {
        self.name == HOST
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The rules that the component breaks as a whole.
    pub(super) fn violations<'i>(&self, iri: &'i str) -> impl Iterator<Item = Violation<'i>> {
        let text = &iri[self.range()];
        let broken = broken_rules(text.chars().map(direction));
        let rules = [(broken.mixed, 1), (broken.ends, 2)];
        let rules = rules.into_iter().filter(|(is_broken, _)| *is_broken);
        let (component, start) = (self.name, self.range.start);
        rules.map(move |(_, rule)| Violation {
            component,
            text,
            start,
            rule,
        })
    }

    /// The parts of the component; an undivided component is its only part.
    pub(super) fn parts(&self, iri: &str) -> impl Iterator<Item = Component> + use<> {
        let parts = match self.division {
            Division::Undivided => vec![(self.name, self.range())],
            Division::Labels { .. } => labels(iri, self.range()),
            Division::File => name_and_extension(iri, self.name, self.range()),
            Division::Pairs => pairs(iri, self.range()),
        };
        parts.into_iter().map(Component::undivided)
    }

    /// The port after a host.
    pub(super) fn port(&self) -> Option<Component> {
        match &self.division {
            Division::Labels { port } => {
                let port = port.clone()?;
                Some(Component::undivided(("port", port)))
            }
            _ => None,
        }
    }
}

fn labels(iri: &str, range: Range<usize>) -> Vec<(&'static str, Range<usize>)> {
    let labels = cut(iri, range, &['.']).into_iter();
    labels.map(|range| ("label", range)).collect()
}

/// A file's name and its extension (4.2: "extensions can be treated as separate components"). A dot
/// at the start of the name begins no extension.
fn name_and_extension(
    iri: &str,
    name: &'static str,
    range: Range<usize>,
) -> Vec<(&'static str, Range<usize>)> {
    match iri[range.clone()].rfind('.').filter(|&dot| dot > 0) {
        None => vec![(name, range)],
        Some(dot) => {
            let dot = range.start + dot;
            vec![(name, range.start..dot), ("extension", dot + 1..range.end)]
        }
    }
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
    let piece = |piece: &str| {
        let begin = start;
        start += piece.len() + 1;
        begin..begin + piece.len()
    };
    iri[range].split(delimiters).map(piece).collect()
}

//! The distinct changes of a run: old and new link, notes and rule, and where each occurs.

use crate::inputs::shown;
use linkglot::link::Info;
use linkglot::notes::Notes;
use linkglot::rewrite::Outcome;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;

/// Maximal number of changes in a report. Links with further changes are only counted.
const MOST_CHANGES: usize = 1_000_000;

/// Number of places that a report shows for a change: the first place in each of the first files.
const MOST_PLACES: usize = 5;

/// A link and its new form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Change {
    pub old: Box<str>,
    /// `None` if the link is left.
    pub new: Option<Box<str>>,
    /// Empty for a link without a host.
    pub host: Box<str>,
    pub scheme: Box<str>,
    pub notes: Notes,
    /// The number of the rule that matched.
    pub rule: Option<usize>,
}

/// Line and column, from 1; 0 if unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: u64,
    pub column: u64,
}

/// The first link of a change in a document, and the number of such links.
#[derive(Clone, Debug)]
struct Seen {
    /// The number of changes seen before this one.
    order: usize,
    links: u64,
    first: Position,
}

/// The distinct changes of a document.
#[derive(Clone, Debug)]
pub struct DocumentChanges {
    path: String,
    charset: &'static str,
    seen: HashMap<Change, Seen>,
    unlisted: u64,
}

impl DocumentChanges {
    pub fn new(path: &Path) -> Self {
        DocumentChanges {
            path: shown(path),
            charset: "",
            seen: HashMap::new(),
            unlisted: 0,
        }
    }

    /// Adds a link.
    pub fn see(&mut self, outcome: &Outcome<'_>, host: &str, scheme: &str, info: &Info) {
        self.charset = info.charset.name();
        let change = Change {
            old: outcome.link.text().into(),
            new: outcome.new.map(Into::into),
            host: host.into(),
            scheme: scheme.into(),
            notes: outcome.all_notes(),
            rule: outcome.rule,
        };
        let order = self.seen.len();
        if let Some(seen) = self.seen.get_mut(&change) {
            seen.links += 1;
        } else if order < MOST_CHANGES {
            let first = position(outcome);
            let links = 1;
            self.seen.insert(
                change,
                Seen {
                    order,
                    links,
                    first,
                },
            );
        } else {
            self.unlisted += 1;
        }
    }
}

fn position(outcome: &Outcome<'_>) -> Position {
    let location = outcome.link.location();
    let (line, column) = location.map_or((0, 0), |at| (at.line, at.column));
    Position { line, column }
}

/// Number of occurrences of a change, and their places.
#[derive(Clone, Debug, Default)]
pub struct Occurrences {
    order: usize,
    pub links: u64,
    pub files: u64,
    /// The first files, by number, with the first place in each.
    pub places: Vec<(usize, Position)>,
    /// Charsets, by number.
    pub charsets: Vec<usize>,
}

/// The distinct changes of a run.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    changes: HashMap<Change, Occurrences>,
    /// The files that places name.
    pub paths: Vec<String>,
    pub charsets: Vec<&'static str>,
    /// The number of links whose changes are not listed.
    pub unlisted: u64,
}

impl Changes {
    /// Adds the changes of a document. Documents must be added in their order.
    pub fn add(&mut self, document: DocumentChanges) {
        self.unlisted += document.unlisted;
        let mut seen: Vec<(Change, Seen)> = document.seen.into_iter().collect();
        if seen.is_empty() {
            return;
        }
        seen.sort_unstable_by_key(|(_, seen)| seen.order);
        let charset = self.number_of(document.charset);
        let file = self.paths.len();
        let mut is_named = false;
        for (change, seen) in seen {
            let order = self.changes.len();
            if order >= MOST_CHANGES && !self.changes.contains_key(&change) {
                self.unlisted += seen.links;
                continue;
            }
            let occurrences = self.changes.entry(change).or_insert_with(|| Occurrences {
                order,
                ..Occurrences::default()
            });
            occurrences.links += seen.links;
            occurrences.files += 1;
            if !occurrences.charsets.contains(&charset) {
                occurrences.charsets.push(charset);
            }
            if occurrences.places.len() < MOST_PLACES {
                occurrences.places.push((file, seen.first));
                is_named = true;
            }
        }
        if is_named {
            self.paths.push(document.path);
        }
    }

    fn number_of(&mut self, charset: &'static str) -> usize {
        let known = self.charsets.iter().position(|known| *known == charset);
        known.unwrap_or_else(|| {
            self.charsets.push(charset);
            self.charsets.len() - 1
        })
    }

    /// The changes, sorted by number of links, then in the order of the documents.
    pub fn sorted(&self) -> Vec<(&Change, &Occurrences)> {
        let mut sorted: Vec<_> = self.changes.iter().collect();
        sorted.sort_unstable_by_key(|(_, seen)| (Reverse(seen.links), seen.order));
        sorted
    }
}

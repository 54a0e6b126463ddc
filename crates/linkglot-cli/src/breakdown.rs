//! The numbers of a run by host, scheme, charset and note. Each document collects its own numbers while it is
//! rewritten, and adds them to those of the run at its end: a document that fails adds nothing.

use super::args::RewriteArgs;
use super::changes::{Change, Changes, DocumentChanges, Position};
use super::left_links::LeftLinks;
use linkglot::link::Info;
use linkglot::notes::Notes;
use linkglot::rewrite::{Outcome, Summary};
use linkglot_files::filter::host_of;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Maximal number of names in a table, and of the bytes in them. Further names are counted together, so that memory is
/// bounded.
const MOST_NAMES: usize = 100_000;
const MOST_BYTES: usize = 8 << 20;

/// Number of links under a name, and of files with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All links; for hosts, schemes and notes only links that change or are left.
    pub links: u64,
    pub changed: u64,
    pub left: u64,
    pub files: u64,
    /// Files with links that change, and with links that are left.
    pub files_changed: u64,
    pub files_left: u64,
}

impl Count {
    fn add(&mut self, other: Count) {
        self.links += other.links;
        self.changed += other.changed;
        self.left += other.left;
        self.files += other.files;
        self.files_changed += other.files_changed;
        self.files_left += other.files_left;
    }

    /// The count of one document.
    fn of_file(self) -> Count {
        Count {
            files: 1,
            files_changed: u64::from(self.changed > 0),
            files_left: u64::from(self.left > 0),
            ..self
        }
    }
}

/// Counts by name. A link without a host or a scheme counts under the empty name.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: BTreeMap<Cow<'static, str>, Count>,
    /// Bytes of their names.
    bytes: usize,
    /// The links under further names.
    others: Count,
}

impl Table {
    fn add(&mut self, name: Cow<'static, str>, count: Count) {
        if let Some(row) = self.rows.get_mut(&name) {
            row.add(count);
        } else if self.rows.len() < MOST_NAMES && self.bytes + name.len() <= MOST_BYTES {
            self.bytes += name.len();
            self.rows.insert(name, count);
        } else {
            self.others.add(count);
        }
    }

    /// Adds the table of a document.
    fn merge(&mut self, document: Table) {
        if self.rows.is_empty() {
            let others = self.others;
            *self = document;
            self.others.add(others);
            self.rows
                .values_mut()
                .for_each(|count| *count = count.of_file());
            return;
        }
        for (name, count) in document.rows {
            self.add(name, count.of_file());
        }
        self.others.add(document.others);
    }

    /// The rows whose number is not zero, the largest first; rows with equal numbers are ordered by name.
    pub fn rows_by(&self, number: impl Fn(&Count) -> u64) -> Vec<(&str, Count)> {
        let rows = self.rows.iter().map(|(name, count)| (&**name, *count));
        let mut rows: Vec<_> = rows.filter(|(_, count)| number(count) > 0).collect();
        rows.sort_by_key(|(_, count)| Reverse(number(count)));
        rows
    }

    /// The links under names that have no row.
    pub fn others(&self) -> Count {
        self.others
    }
}

/// The numbers of a run, by common properties of links and documents.
#[derive(Debug, Default)]
pub struct Breakdown {
    pub hosts: Table,
    pub schemes: Table,
    pub notes: Table,
    pub charsets: Table,
    /// Number of files with links that each rule matched.
    pub files_by_rule: BTreeMap<usize, u64>,
    /// The distinct changes, if there is a report.
    pub changes: Changes,
    /// Links that were left, if there is a report.
    pub left: LeftLinks,
}

impl Breakdown {
    /// Adds a document.
    pub fn add(&mut self, document: DocumentBreakdown) {
        self.hosts.merge(document.hosts);
        self.schemes.merge(document.schemes);
        self.notes.merge(document.notes);
        self.charsets.merge(document.charsets);
        for rule in document.rules {
            *self.files_by_rule.entry(rule).or_default() += 1;
        }
        if let Some(changes) = document.changes {
            self.changes.add(changes);
        }
        if let Some((_, left)) = document.left {
            self.left.add(left);
        }
    }
}

/// The numbers of a document that are collected beyond its counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Details {
    None,
    Numbers,
    /// Each distinct change as well.
    Changes,
}

impl Details {
    pub fn new(args: &RewriteArgs) -> Self {
        let report = &args.report;
        match args.destination.report {
            Some(_) => Details::Changes,
            None if report.json || report.stats || args.destination.dry_run => Details::Numbers,
            None => Details::None,
        }
    }

    /// Begins a document.
    pub fn begin(self, path: &Path) -> Option<Box<DocumentBreakdown>> {
        match self {
            Details::None => None,
            Details::Numbers => Some(Box::default()),
            Details::Changes => Some(Box::new(DocumentBreakdown::with_changes(path))),
        }
    }
}

/// The numbers of one document.
#[derive(Debug, Default)]
pub struct DocumentBreakdown {
    hosts: Table,
    schemes: Table,
    notes: Table,
    charsets: Table,
    /// The rules that matched links of the document.
    rules: Vec<usize>,
    changes: Option<DocumentChanges>,
    /// The path of the document, and links that were left.
    left: Option<(PathBuf, LeftLinks)>,
}

impl DocumentBreakdown {
    /// Starts a document whose distinct changes are collected.
    pub fn with_changes(path: &Path) -> Self {
        DocumentBreakdown {
            changes: Some(DocumentChanges::new(path)),
            left: Some((path.to_owned(), LeftLinks::default())),
            ..Self::default()
        }
    }

    /// The numbers of a document in a charset, with so many links.
    pub fn of(charset: &'static str, links: u64) -> Self {
        let mut document = DocumentBreakdown::default();
        let count = Count {
            links,
            ..Count::default()
        };
        document.charsets.add(charset.into(), count);
        document
    }

    /// Adds a link that changes or is left, with all its notes.
    pub fn see(&mut self, outcome: &Outcome<'_>, notes: Notes, info: &Info) {
        let changed = u64::from(outcome.new.is_some());
        let count = Count {
            links: 1,
            changed,
            left: 1 - changed,
            ..Count::default()
        };
        let host = host_of(outcome.link, info).unwrap_or_default();
        let scheme = scheme_of(outcome);
        for note in notes.iter() {
            self.notes.add(note.code().into(), count);
        }
        if let Some((path, left)) = &mut self.left {
            left.see(path, outcome);
        }
        if let Some(changes) = &mut self.changes {
            let change = Change {
                old: outcome.link.text(),
                new: outcome.new,
                host: &host,
                scheme: &scheme,
                notes,
                rule: outcome.rule,
            };
            changes.see(&change, position(outcome), info);
        }
        self.hosts.add(host.into(), count);
        self.schemes.add(scheme, count);
    }

    /// Ends the document.
    pub fn end(&mut self, summary: &Summary) {
        let Summary { info, tally, .. } = summary;
        self.rules = summary.matched.keys().copied().collect();
        let count = Count {
            links: tally.links,
            changed: tally.changed,
            left: tally.left,
            ..Count::default()
        };
        self.charsets.add(info.charset.name().into(), count);
    }
}

fn position(outcome: &Outcome<'_>) -> Position {
    let location = outcome.link.location();
    let (line, column) = location.map_or((0, 0), |at| (at.line, at.column));
    Position { line, column }
}

/// The scheme of a link in lower case, written or implied; empty for a relative link.
fn scheme_of(outcome: &Outcome<'_>) -> Cow<'static, str> {
    match (outcome.link.scheme(), outcome.link.implied()) {
        (Some(scheme), _) => scheme.to_ascii_lowercase().into(),
        (None, Some(implied)) => implied.into(),
        (None, None) => "".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one() -> Count {
        Count {
            links: 1,
            changed: 1,
            ..Count::default()
        }
    }

    #[test]
    fn names_are_bounded() {
        let mut table = Table::default();
        for number in 0..MOST_NAMES + 3 {
            table.add(number.to_string().into(), one());
        }
        table.add("0".into(), one());
        assert_eq!(table.rows_by(|count| count.changed).len(), MOST_NAMES);
        assert_eq!(table.others().links, 3);
        assert_eq!(table.rows_by(|count| count.links)[0].0, "0");
        assert_eq!(table.rows_by(|count| count.left), []);
    }

    #[test]
    fn bytes_of_names_are_bounded() {
        let mut table = Table::default();
        for letter in ["a", "b", "c"] {
            table.add(letter.repeat(MOST_BYTES / 2).into(), one());
        }
        table.add("a".repeat(MOST_BYTES / 2).into(), one());
        let rows = table.rows_by(|count| count.changed);
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].1.links, table.others().links), (2, 1));
    }

    #[test]
    fn files_are_counted_once_each() {
        let mut run = Table::default();
        for links in [3, 1] {
            let mut document = Table::default();
            (0..links).for_each(|_| document.add("a".into(), one()));
            run.merge(document);
        }
        let [(name, count)] = run.rows_by(|count| count.links)[..] else {
            panic!("{run:?}");
        };
        assert_eq!((name, count.links, count.files), ("a", 4, 2));
    }
}

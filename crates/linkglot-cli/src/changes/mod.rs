//! The distinct changes of a run: old and new link, notes and rule, and where each occurs.
//!
//! Memory is bounded: beyond a few megabytes changes stand in temporary files. An error of a temporary file is an error
//! of the report, not of a document.

mod change;
mod encoding;
mod runs;
mod sorter;
mod tally;

pub use change::{Change, numbers_of};
pub use tally::{Occurrences, Position};

use crate::inputs::shown;
use encoding::Decoder;
use linkglot::link::Info;
use sorter::Sorted;
pub use sorter::Sorter;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use tally::{Order, Tally};

/// Maximal number of changes in a report. Links with further changes are only counted.
const MOST_CHANGES: usize = 1_000_000;

/// Maximal memory of a table of changes. Further changes stand in files.
const IN_MEMORY: usize = 6 << 20;

/// The distinct changes of a document.
#[derive(Debug)]
pub struct DocumentChanges {
    path: String,
    charset: &'static str,
    links: u64,
    tally: Tally,
    error: Option<io::Error>,
    /// The bytes of the last change: a buffer.
    change: Vec<u8>,
}

impl DocumentChanges {
    pub fn new(path: &Path) -> Self {
        DocumentChanges {
            path: shown(path),
            charset: "",
            links: 0,
            tally: Tally::default(),
            error: None,
            change: Vec::new(),
        }
    }

    /// Adds a link.
    pub fn see(&mut self, change: &Change<'_>, position: Position, info: &Info) {
        self.charset = info.charset.name();
        self.add(change, position);
    }

    fn add(&mut self, change: &Change<'_>, position: Position) {
        if self.error.is_some() {
            return;
        }
        self.change.clear();
        change.write(&mut self.change);
        let link = Occurrences::of_link(self.links, position);
        self.links += 1;
        self.error = self.tally.add(&self.change, link).err();
    }
}

/// The distinct changes of a run.
#[derive(Debug, Default)]
pub struct Changes {
    tally: Tally,
    /// Number of documents with changes.
    documents: u64,
    /// The documents that places may name.
    paths: BTreeMap<u64, String>,
    charsets: Vec<&'static str>,
    error: Option<io::Error>,
}

impl Changes {
    /// Adds the changes of a document. To be called in the order of the documents.
    pub fn add(&mut self, document: DocumentChanges) {
        if self.error.is_none() {
            self.error = self.try_add(document).err();
        }
    }

    fn try_add(&mut self, document: DocumentChanges) -> io::Result<()> {
        document.error.map_or(Ok(()), Err)?;
        if document.links == 0 {
            return Ok(());
        }
        let charset = self.number_of(document.charset) as u64;
        let number = self.documents;
        self.documents += 1;
        let mut is_named = false;
        document.tally.each(&mut |change, occurrences| {
            let occurrences = occurrences.in_document(number, charset);
            is_named |= self.tally.add(change, occurrences)?;
            Ok(())
        })?;
        if is_named {
            self.paths.insert(number, document.path);
        }
        Ok(())
    }

    fn number_of(&mut self, charset: &'static str) -> usize {
        let known = self.charsets.iter().position(|known| *known == charset);
        known.unwrap_or_else(|| {
            self.charsets.push(charset);
            self.charsets.len() - 1
        })
    }

    /// Sorts the changes: those of most links first, otherwise in the order of the documents.
    ///
    /// # Errors
    ///
    /// When a temporary file could not be written or read.
    pub fn listed(self) -> io::Result<Listed> {
        self.first(MOST_CHANGES)
    }

    /// The first changes in the order of the documents, and the number of links of the others.
    fn first(self, most: usize) -> io::Result<Listed> {
        self.error.map_or(Ok(()), Err)?;
        let mut rows = Sorter::new();
        let mut named = BTreeSet::new();
        let mut unlisted = 0;
        let mut list = |occurrences: &Occurrences, value: &[u8]| {
            let Occurrences { first, links, .. } = occurrences;
            named.extend(occurrences.places.iter().map(|(document, _)| *document));
            let key = in_order([u64::MAX - links, first.document, first.link]);
            rows.push(&key, value)
        };
        let are_few = self.tally.most_changes() <= most;
        let mut by_first = Sorter::new();
        let mut value = Vec::new();
        self.tally.each(&mut |change, occurrences| {
            value.clear();
            occurrences.write(&mut value);
            value.extend_from_slice(change);
            if are_few {
                return list(&occurrences, &value);
            }
            let Order { document, link } = occurrences.first;
            by_first.push(&in_order([document, link]), &value)
        })?;
        let mut listed = 0;
        by_first.sorted()?.each(&mut |_, value| {
            let occurrences = Occurrences::read(&mut Decoder(value))?;
            if listed == most {
                unlisted += occurrences.links;
                return Ok(());
            }
            listed += 1;
            list(&occurrences, value)
        })?;
        let mut paths = self.paths;
        paths.retain(|document, _| named.contains(document));
        Ok(Listed {
            rows: rows.sorted()?,
            numbers: paths.keys().copied().zip(0..).collect(),
            paths: paths.into_values().collect(),
            charsets: self.charsets,
            unlisted,
        })
    }
}

/// The bytes of numbers, which sort as the numbers do.
fn in_order<const N: usize>(numbers: [u64; N]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_be_bytes())
        .collect()
}

/// The changes of a report in their order.
#[derive(Debug)]
pub struct Listed {
    rows: Sorted,
    /// The index in `paths` of each document that a place names.
    numbers: BTreeMap<u64, u64>,
    /// The files that places name.
    pub paths: Vec<String>,
    pub charsets: Vec<&'static str>,
    /// The number of links whose changes are not listed.
    pub unlisted: u64,
}

impl Listed {
    /// Reads the changes. The places of their occurrences have indexes of [`Listed::paths`].
    pub fn each(
        &self,
        each: &mut dyn FnMut(&Change<'_>, &Occurrences) -> io::Result<()>,
    ) -> io::Result<()> {
        self.rows.each(&mut |_, value| {
            let mut from = Decoder(value);
            let mut occurrences = Occurrences::read(&mut from)?;
            for (document, _) in &mut occurrences.places {
                *document = self.numbers.get(document).copied().unwrap_or_default();
            }
            each(&Change::read(&mut from)?, &occurrences)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkglot::notes::Notes;

    fn document(
        name: &str,
        charset: &'static str,
        links: impl Iterator<Item = u64>,
    ) -> DocumentChanges {
        let mut document = DocumentChanges::new(Path::new(name));
        document.charset = charset;
        for (line, number) in (1..).zip(links) {
            let old = format!("http://h{number}.example/é");
            let change = Change {
                old: &old,
                new: None,
                host: "",
                scheme: "http",
                notes: Notes::NONE,
                rule: None,
            };
            document.add(&change, Position { line, column: 1 });
        }
        document
    }

    fn rows(listed: &Listed) -> Vec<(String, Occurrences)> {
        let mut rows = Vec::new();
        let done = listed.each(&mut |change, occurrences| {
            rows.push((change.old.to_owned(), occurrences.clone()));
            Ok(())
        });
        assert!(done.is_ok(), "{done:?}");
        rows
    }

    #[test]
    fn changes_in_files_are_those_in_memory() {
        let number: u64 = 50_000;
        let mut changes = Changes::default();
        changes.add(document("none", "UTF-8", 0..0));
        changes.add(document("a", "UTF-8", (0..number).chain(5..7)));
        changes.add(document("b", "KOI8-R", (0..number).rev()));
        changes.add(document("c", "UTF-8", 6..8));
        let listed = changes.listed().expect("temporary files");
        assert_eq!(listed.paths, ["a", "b", "c"]);
        assert_eq!(listed.charsets, ["UTF-8", "KOI8-R"]);
        assert_eq!(listed.unlisted, 0);
        let rows = rows(&listed);
        assert_eq!(rows.len() as u64, number);
        let names: Vec<&str> = rows.iter().map(|(old, _)| &**old).collect();
        let expected = [6, 5, 7, 0, 1, 2, 3, 4, 8, 9].map(|at| format!("http://h{at}.example/é"));
        assert_eq!(names[..10], expected);
        let (_, most) = &rows[0];
        assert_eq!((most.links, most.files), (4, 3));
        assert_eq!(most.charsets, [0, 1]);
        let places: Vec<(u64, u64)> = most
            .places
            .iter()
            .map(|(file, at)| (*file, at.line))
            .collect();
        assert_eq!(places, [(0, 7), (1, number - 6), (2, 1)]);
        let (_, last) = &rows[rows.len() - 1];
        assert_eq!((last.links, last.files, last.places.len()), (2, 2, 2));
    }

    #[test]
    fn the_first_changes_are_listed_and_the_links_of_others_counted() {
        let mut changes = Changes::default();
        changes.add(document("a", "UTF-8", 0..20));
        changes.add(document("b", "UTF-8", (10..30).chain(28..30)));
        let listed = changes.first(25).expect("temporary files");
        assert_eq!(listed.unlisted, 5 + 2);
        let names: Vec<String> = rows(&listed).into_iter().map(|(old, _)| old).collect();
        let expected = (10..20).chain(0..10).chain(20..25);
        let expected: Vec<String> = expected
            .map(|at| format!("http://h{at}.example/é"))
            .collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn files_are_named_if_a_place_names_them() {
        let mut changes = Changes::default();
        for name in ["a", "b", "c", "d", "e", "f", "g"] {
            changes.add(document(name, "UTF-8", 0..1));
        }
        changes.add(document("h", "UTF-8", 0..2));
        let listed = changes.listed().expect("temporary files");
        assert_eq!(listed.paths, ["a", "b", "c", "d", "e", "h"]);
        let files =
            |(_, seen): &(String, Occurrences)| seen.places.iter().map(|(file, _)| *file).collect();
        let files: Vec<Vec<u64>> = rows(&listed).iter().map(files).collect();
        assert_eq!(files, [vec![0, 1, 2, 3, 4], vec![5]]);
    }
}

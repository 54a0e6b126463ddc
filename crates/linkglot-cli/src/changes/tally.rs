//! Occurrences of changes, counted by the bytes of the change: in memory, beyond a few megabytes in temporary files.

use super::IN_MEMORY;
use super::encoding::{Decoder, push_number};
use super::runs::Runs;
use std::collections::HashMap;
use std::io;

/// Number of places that a report shows for a change: the first place in each of the first files.
const MOST_PLACES: usize = 5;

/// Memory of an entry without its key: counts, a place, a charset, and the share of a table that is half empty.
const ENTRY: usize = 320;

/// Line and column, from 1; 0 if unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: u64,
    pub column: u64,
}

/// The number of a document, and that of a link in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order {
    pub document: u64,
    pub link: u64,
}

/// Number of occurrences of a change, and their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrences {
    pub first: Order,
    /// The number of the last document.
    last: u64,
    pub links: u64,
    pub files: u64,
    /// The first documents, by number, with the first place in each.
    pub places: Vec<(u64, Position)>,
    /// By number.
    pub charsets: Vec<u64>,
}

impl Occurrences {
    /// A link of the only document.
    pub fn of_link(link: u64, position: Position) -> Self {
        Occurrences {
            first: Order { document: 0, link },
            last: 0,
            links: 1,
            files: 1,
            places: vec![(0, position)],
            charsets: Vec::new(),
        }
    }

    /// Occurrences in the document with this number, instead of the only document.
    pub fn in_document(mut self, document: u64, charset: u64) -> Self {
        self.first.document = document;
        self.last = document;
        self.charsets = vec![charset];
        self.places
            .iter_mut()
            .for_each(|(place, _)| *place = document);
        self
    }

    /// Adds occurrences of the last document or of later documents. True if one of their places was taken.
    fn add(&mut self, later: &Occurrences) -> bool {
        let places = self.places.len();
        self.links += later.links;
        self.files += later.files - u64::from(later.first.document == self.last);
        for &(document, position) in &later.places {
            if self.places.len() < MOST_PLACES && document != self.last {
                self.places.push((document, position));
            }
        }
        for &charset in &later.charsets {
            if !self.charsets.contains(&charset) {
                self.charsets.push(charset);
            }
        }
        self.last = later.last;
        self.places.len() > places
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        let Order { document, link } = self.first;
        for number in [document, link, self.last, self.links, self.files] {
            push_number(out, number);
        }
        push_number(out, self.places.len() as u64);
        for &(document, Position { line, column }) in &self.places {
            for number in [document, line, column] {
                push_number(out, number);
            }
        }
        push_number(out, self.charsets.len() as u64);
        for &charset in &self.charsets {
            push_number(out, charset);
        }
    }

    pub fn read(from: &mut Decoder<'_>) -> io::Result<Self> {
        let (document, link) = (from.number()?, from.number()?);
        let (last, links, files) = (from.number()?, from.number()?, from.number()?);
        let places = (0..from.size()?).map(|_| {
            let document = from.number()?;
            let (line, column) = (from.number()?, from.number()?);
            Ok((document, Position { line, column }))
        });
        let places = places.collect::<io::Result<_>>()?;
        let charsets = (0..from.size()?).map(|_| from.number());
        Ok(Occurrences {
            first: Order { document, link },
            last,
            links,
            files,
            places,
            charsets: charsets.collect::<io::Result<_>>()?,
        })
    }

    fn combined(older: &[u8], newer: &[u8]) -> io::Result<Vec<u8>> {
        let mut all = Occurrences::read(&mut Decoder(older))?;
        all.add(&Occurrences::read(&mut Decoder(newer))?);
        let mut out = Vec::new();
        all.write(&mut out);
        Ok(out)
    }
}

/// The occurrences of each change.
#[derive(Debug)]
pub struct Tally {
    seen: HashMap<Box<[u8]>, Occurrences>,
    /// Number of changes that were in `seen`. A change in several files counts once for each file.
    entries: usize,
    /// Estimated memory of `seen`.
    size: usize,
    runs: Runs,
}

impl Default for Tally {
    fn default() -> Self {
        Tally {
            seen: HashMap::new(),
            entries: 0,
            size: 0,
            runs: Runs::new(Occurrences::combined),
        }
    }
}

impl Tally {
    /// Adds the last occurrences of a change so far. True if their places may be shown.
    pub fn add(&mut self, change: &[u8], occurrences: Occurrences) -> io::Result<bool> {
        if let Some(known) = self.seen.get_mut(change) {
            return Ok(known.add(&occurrences));
        }
        self.entries += 1;
        self.size += change.len() + ENTRY;
        self.seen.insert(change.into(), occurrences);
        if self.size > IN_MEMORY {
            self.spill()?;
        }
        Ok(true)
    }

    /// Number of changes, counting a change in several files once for each file.
    pub fn most_changes(&self) -> usize {
        self.entries
    }

    fn spill(&mut self) -> io::Result<()> {
        let mut sorted: Vec<_> = self.seen.iter().collect();
        sorted.sort_unstable_by_key(|(change, _)| *change);
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        for (_, occurrences) in &sorted {
            occurrences.write(&mut bytes);
            ends.push(bytes.len());
        }
        let mut start = 0;
        let records = sorted.iter().zip(ends).map(|((change, _), end)| {
            let value = &bytes[start..end];
            start = end;
            (&change[..], value)
        });
        self.runs.push(records)?;
        self.seen.clear();
        self.size = 0;
        Ok(())
    }

    /// Reads each change once, in any order.
    pub fn each(
        mut self,
        each: &mut dyn FnMut(&[u8], Occurrences) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.runs.is_empty() {
            let mut seen = self.seen.into_iter();
            return seen.try_for_each(|(change, occurrences)| each(&change, occurrences));
        }
        self.spill()?;
        self.seen = HashMap::new();
        self.runs.each(&mut |change, occurrences| {
            each(change, Occurrences::read(&mut Decoder(occurrences))?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u64) -> Position {
        Position { line, column: 1 }
    }

    fn in_documents(documents: &[(u64, u64)]) -> Occurrences {
        let mut each = documents.iter().map(|&(document, charset)| {
            Occurrences::of_link(7, at(3)).in_document(document, charset)
        });
        let mut all = each.next().expect("a document");
        each.for_each(|later| _ = all.add(&later));
        all
    }

    #[test]
    fn occurrences_are_added() {
        let mut link = Occurrences::of_link(4, at(1));
        link.add(&Occurrences::of_link(5, at(2)));
        assert_eq!((link.links, link.files), (2, 1));
        assert_eq!(link.places, [(0, at(1))]);
        let all = in_documents(&[(2, 0), (3, 1), (3, 1), (5, 0), (6, 0), (7, 0), (8, 0)]);
        assert_eq!((all.links, all.files), (7, 6));
        assert_eq!(all.charsets, [0, 1]);
        let places: Vec<u64> = all.places.iter().map(|(document, _)| *document).collect();
        assert_eq!(places, [2, 3, 5, 6, 7]);
    }

    /// Adding is associative: runs are merged in any grouping.
    #[test]
    fn occurrences_are_added_in_groups() {
        let documents = [
            (1, 0),
            (1, 0),
            (2, 1),
            (4, 0),
            (5, 2),
            (6, 0),
            (6, 0),
            (9, 3),
        ];
        for split in 1..documents.len() {
            let (older, newer) = documents.split_at(split);
            let mut all = in_documents(older);
            all.add(&in_documents(newer));
            assert_eq!(all, in_documents(&documents), "{split}");
        }
    }

    #[test]
    fn a_tally_in_files_counts_as_one_in_memory() {
        let number = IN_MEMORY / ENTRY * 3;
        let mut tally = Tally::default();
        for round in 0..2_u64 {
            for change in 0..number as u64 {
                let link = Occurrences::of_link(change, at(1)).in_document(round, 0);
                assert!(tally.add(&change.to_be_bytes(), link).is_ok());
            }
        }
        assert!(!tally.runs.is_empty());
        let mut read = 0;
        let done = tally.each(&mut |change, seen| {
            assert_eq!((seen.links, seen.files, seen.places.len()), (2, 2, 2));
            assert_eq!(change, seen.first.link.to_be_bytes());
            read += 1;
            Ok(())
        });
        assert!(done.is_ok());
        assert_eq!(read, number);
    }
}

//! The changes of a report as JSON for a `script` element of the page.
//!
//! An object with lists of names, and for each change a row whose numbers are indexes into them: `[old, new, host,
//! scheme, charsets, notes, rule, links, files, places]`. `new` and `rule` may be null; `places` holds file, line and
//! column of each place in turn.

use crate::changes::{Change, Listed, Occurrences, numbers_of};
use crate::json;
use linkglot::notes::Note;
use linkglot::rewrite::Rule;
use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::rc::Rc;

/// A list of names has this many, and this many bytes. All others count as [`OTHERS`], so that memory is bounded.
const MOST_NAMES: usize = 100_000;
const MOST_BYTES: usize = 4 << 20;

/// Stands for names beyond those of a list.
const OTHERS: &str = "(others)";

/// The data of a page about changes.
pub struct Data<'r> {
    changes: Listed,
    rules: &'r [Rule],
    hosts: Names,
    schemes: Names,
    /// The reason why the changes could not be read.
    error: RefCell<Option<io::Error>>,
}

/// Names in the order of their first use.
#[derive(Default)]
struct Names {
    numbers: HashMap<Rc<str>, usize>,
    names: Vec<Rc<str>>,
    bytes: usize,
}

impl Names {
    fn add(&mut self, name: &str) {
        if self.is_full() || self.numbers.contains_key(name) {
            return;
        }
        self.bytes += name.len();
        // The last name stands for all others.
        let is_last = self.names.len() == MOST_NAMES - 1 || self.bytes > MOST_BYTES;
        let name: Rc<str> = if is_last { OTHERS } else { name }.into();
        self.numbers.insert(Rc::clone(&name), self.names.len());
        self.names.push(name);
    }

    fn is_full(&self) -> bool {
        self.names.len() >= MOST_NAMES || self.bytes > MOST_BYTES
    }

    fn number(&self, name: &str) -> usize {
        let last = self.names.len().saturating_sub(1);
        self.numbers.get(name).copied().unwrap_or(last)
    }
}

#[derive(Serialize)]
struct Object<'d> {
    hosts: List<'d>,
    schemes: List<'d>,
    charsets: &'d [&'static str],
    /// Code and words of each.
    notes: Vec<(&'static str, &'static str)>,
    rules: Vec<(&'d str, &'d str)>,
    files: &'d [String],
    changes: Rows<'d>,
}

struct List<'d>(&'d Names);

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.names.iter().map(|name| &**name))
    }
}

/// All rows, which are read one by one.
struct Rows<'d>(&'d Data<'d>);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Data { hosts, schemes, .. } = self.0;
        let (mut rows, mut unwritten) = (serializer.serialize_seq(None)?, None);
        let read = self.0.changes.each(&mut |change, seen| {
            let row = Row {
                change,
                seen,
                host: hosts.number(change.host),
                scheme: schemes.number(change.scheme),
            };
            rows.serialize_element(&row).map_err(|error| {
                unwritten = Some(error);
                io::ErrorKind::Other.into()
            })
        });
        if let Some(error) = unwritten {
            return Err(error);
        }
        if let Err(error) = read {
            let failed = S::Error::custom(&error);
            *self.0.error.borrow_mut() = Some(error);
            return Err(failed);
        }
        rows.end()
    }
}

struct Row<'c> {
    change: &'c Change<'c>,
    seen: &'c Occurrences,
    host: usize,
    scheme: usize,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Row { change, seen, .. } = self;
        let notes: Vec<usize> = numbers_of(change.notes).collect();
        let places = seen.places.iter();
        let places = places.flat_map(|&(file, at)| [file, at.line, at.column]);
        let places: Vec<u64> = places.collect();
        let names = (change.old, change.new, self.host, self.scheme);
        let counts = (seen.links, seen.files);
        (
            names.0,
            names.1,
            names.2,
            names.3,
            &seen.charsets,
            notes,
            change.rule,
            counts.0,
            counts.1,
            places,
        )
            .serialize(serializer)
    }
}

impl<'r> Data<'r> {
    /// Reads the changes for their names.
    ///
    /// # Errors
    ///
    /// When a temporary file could not be read.
    pub fn new(changes: Listed, rules: &'r [Rule]) -> io::Result<Self> {
        let (mut hosts, mut schemes) = (Names::default(), Names::default());
        changes.each(&mut |change, _| {
            hosts.add(change.host);
            schemes.add(change.scheme);
            Ok(())
        })?;
        Ok(Data {
            changes,
            rules,
            hosts,
            schemes,
            error: RefCell::default(),
        })
    }

    /// Number of links whose changes are not listed.
    pub fn unlisted(&self) -> u64 {
        self.changes.unlisted
    }

    /// The reason why the changes could not be read, which a formatter cannot say.
    pub fn error(&self) -> Option<io::Error> {
        self.error.take()
    }
}

impl fmt::Display for Data<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules.iter();
        let object = Object {
            hosts: List(&self.hosts),
            schemes: List(&self.schemes),
            charsets: &self.changes.charsets,
            notes: Note::ALL
                .into_iter()
                .map(|note| (note.code(), note.words()))
                .collect(),
            rules: rules.map(|rule| (&*rule.from, &*rule.to)).collect(),
            files: &self.changes.paths,
            changes: Rows(self),
        };
        json::write_for_html(Text(f), &object).map_err(|_| fmt::Error)
    }
}

/// A writer of text in whole characters.
struct Text<'f, 'b>(&'f mut fmt::Formatter<'b>);

impl io::Write for Text<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_str(text).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_bounded() {
        let mut names = Names::default();
        for number in 0..MOST_NAMES + 9 {
            names.add(&number.to_string());
        }
        assert_eq!(names.names.len(), MOST_NAMES);
        assert_eq!(names.number("7"), 7);
        let last = MOST_NAMES - 1;
        assert_eq!(&*names.names[last], OTHERS);
        assert_eq!(
            [last, last + 3].map(|at| names.number(&at.to_string())),
            [last; 2]
        );
    }

    #[test]
    fn long_names_are_bounded() {
        let mut names = Names::default();
        let long = "a".repeat(MOST_BYTES + 1);
        for name in ["a", &long, "b"] {
            names.add(name);
        }
        assert_eq!(
            names.names.iter().map(|name| &**name).collect::<Vec<_>>(),
            ["a", OTHERS]
        );
        assert_eq!(["a", &long, "b"].map(|name| names.number(name)), [0, 1, 1]);
    }
}

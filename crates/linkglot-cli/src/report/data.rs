//! The changes of a report as JSON for a `script` element of the page.
//!
//! An object with lists of names, and for each change a row whose numbers are indexes into them: `[old, new, host,
//! scheme, charsets, notes, rule, links, files, places]`. `new` and `rule` may be null; `places` holds file, line and
//! column of each place in turn.

use crate::changes::{Change, Changes, Occurrences};
use crate::json;
use linkglot::notes::Note;
use linkglot::rewrite::Rule;
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::fmt;
use std::io;

/// The data of a page about changes.
pub struct Data<'c> {
    pub changes: &'c Changes,
    pub rules: &'c [Rule],
}

/// Names in the order of their first use.
#[derive(Default)]
struct Names<'c> {
    numbers: HashMap<&'c str, usize>,
    names: Vec<&'c str>,
}

impl<'c> Names<'c> {
    fn number(&mut self, name: &'c str) -> usize {
        *self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }
}

#[derive(Serialize)]
struct Object<'c> {
    hosts: Vec<&'c str>,
    schemes: Vec<&'c str>,
    charsets: &'c [&'static str],
    /// Code and description of each note.
    notes: Vec<(&'static str, &'static str)>,
    rules: Vec<(&'c str, &'c str)>,
    files: &'c [String],
    #[serde(serialize_with = "in_turn")]
    changes: Vec<Row<'c>>,
}

struct Row<'c> {
    change: &'c Change,
    seen: &'c Occurrences,
    host: usize,
    scheme: usize,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Row { change, seen, .. } = self;
        let notes: Vec<usize> = change.notes.iter().map(number_of).collect();
        let places = seen.places.iter();
        let places = places.flat_map(|&(file, at)| [file as u64, at.line, at.column]);
        let places: Vec<u64> = places.collect();
        let names = (&change.old, &change.new, self.host, self.scheme);
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

/// The number of a note: its index in [`Note::ALL`].
fn number_of(note: Note) -> usize {
    Note::ALL
        .into_iter()
        .position(|other| other == note)
        .unwrap_or_default()
}

/// Writes row by row: all rows together would be large.
fn in_turn<S: Serializer>(rows: &Vec<Row<'_>>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(rows)
}

impl fmt::Display for Data<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut hosts, mut schemes) = (Names::default(), Names::default());
        let sorted = self.changes.sorted().into_iter();
        let rows = sorted.map(|(change, seen)| Row {
            change,
            seen,
            host: hosts.number(&change.host),
            scheme: schemes.number(&change.scheme),
        });
        let changes = rows.collect();
        let rules = self.rules.iter();
        let object = Object {
            changes,
            hosts: hosts.names,
            schemes: schemes.names,
            charsets: &self.changes.charsets,
            notes: Note::ALL
                .into_iter()
                .map(|note| (note.code(), note.words()))
                .collect(),
            rules: rules.map(|rule| (&*rule.from, &*rule.to)).collect(),
            files: &self.changes.paths,
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

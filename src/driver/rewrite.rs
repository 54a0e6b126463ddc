//! Rewriting one file to its destination.

use super::directory::Place;
use super::journal::{Digesting, Journal, Recorder};
use super::replace::{Likeness, Replacement, TempFiles};
use super::source::{Content, Source};
use crate::error::Error;
use crate::link::Info;
use crate::rewrite::{Outcome, Rewriter, Rewritten, Summary};
use std::io::{self, Write};
use std::path::Path;

/// Where a rewritten document goes.
pub enum Destination<'a> {
    /// Nowhere: the caller only wants to know what would change.
    Nowhere,
    /// To a writer, changed or not.
    Writer(&'a mut dyn Write),
    /// In the place of the source, if it changed.
    InPlace(&'a TempFiles),
    /// The same, with a record in a journal before.
    Recorded(&'a TempFiles, &'a Journal),
    /// To another file, changed or not. Its directory exists.
    File(&'a TempFiles, &'a Path),
    /// The same, to a place in an open directory.
    Place(&'a TempFiles, &'a Place),
}

/// How a rewrite ended.
#[derive(Debug)]
pub struct Done {
    /// What became of the links.
    pub summary: Summary,
    /// What the new file could not get from the old one: its owner, extended attributes.
    pub lost: Vec<String>,
}

/// Rewrites the content that was read from `source`, and calls `each` for each link that changes or has to be left.
/// Whatever happens, a file is afterwards either unchanged or completely rewritten. A source that changed since it was
/// opened is an error and stays as it is.
///
/// # Errors
///
/// When reading or writing fails, or the source changed.
pub fn rewrite_source(
    source: &Source,
    content: Content,
    rewriter: &Rewriter,
    destination: Destination<'_>,
    each: &mut dyn FnMut(&Outcome<'_>, &Info),
) -> Result<Done, Error> {
    let mut job = Job {
        source,
        content,
        rewriter,
        each,
        lost: Vec::new(),
    };
    let summary = job.run(destination)?;
    Ok(Done {
        summary,
        lost: job.lost,
    })
}

struct Job<'j> {
    source: &'j Source,
    content: Content,
    rewriter: &'j Rewriter,
    each: &'j mut dyn FnMut(&Outcome<'_>, &Info),
    lost: Vec<String>,
}

impl Job<'_> {
    fn run(&mut self, destination: Destination<'_>) -> Result<Summary, Error> {
        match destination {
            Destination::Nowhere => self.write(&mut io::sink()),
            Destination::Writer(writer) => self.write(writer),
            Destination::InPlace(temp_files) => {
                self.replace_source(temp_files, Recorder::new(None))
            }
            Destination::Recorded(temp_files, journal) => {
                self.replace_source(temp_files, Recorder::new(Some(journal)))
            }
            Destination::File(temp_files, target) => {
                self.write_file(Replacement::begin(temp_files, target)?)
            }
            Destination::Place(temp_files, place) => {
                self.write_file(Replacement::begin_at(temp_files, place.clone())?)
            }
        }
    }

    fn write_file(&mut self, mut file: Replacement<'_>) -> Result<Summary, Error> {
        let summary = self.write(&mut file)?;
        let source = self.source;
        let done = file.commit(likeness(source), &|| source.check_unchanged())?;
        self.lost = done.lost;
        Ok(summary)
    }

    /// Writes the document, changed or not.
    fn write(&mut self, writer: &mut dyn Write) -> Result<Summary, Error> {
        let watched = self.rewriter.clone().on_link(&mut *self.each);
        match &mut self.content {
            Content::Large(file) => watched.rewrite(file, writer),
            Content::Whole(bytes) => {
                let rewritten = written(watched.rewrite_slice(bytes))?;
                writer.write_all(&rewritten.content)?;
                writer.flush()?;
                Ok(rewritten.summary)
            }
        }
    }

    /// Replaces the source if it changes. If its path is a symbolic link, the file that it points to is replaced.
    fn replace_source(
        &mut self,
        temp_files: &TempFiles,
        mut recorder: Recorder<'_>,
    ) -> Result<Summary, Error> {
        let each = &mut *self.each;
        let watched = self.rewriter.clone().on_link(|outcome, info| {
            recorder.add(outcome.edits);
            each(outcome, info);
        });
        match &mut self.content {
            Content::Whole(old) => {
                // No temporary file for a document that does not change.
                let rewritten = written(watched.rewrite_slice(old))?;
                if rewritten.summary.is_changed() {
                    let place = self.source.place()?;
                    let mut file = Replacement::begin_at(temp_files, place.clone())?;
                    file.write_all(&rewritten.content)?;
                    let contents = (&old[..], &rewritten.content[..]);
                    recorder.record(self.source.path(), contents, &rewritten.summary)?;
                    self.lost = replace(self.source, file, place)?;
                }
                Ok(rewritten.summary)
            }
            Content::Large(old) => {
                let place = self.source.place()?;
                let mut file = Replacement::begin_at(temp_files, place.clone())?;
                let (mut old, mut new) = (Digesting::new(old), Digesting::new(&mut file));
                let summary = watched.rewrite(&mut old, &mut new)?;
                if summary.is_changed() {
                    let digests = (old.digest(), new.digest());
                    recorder.record_long(self.source.path(), digests, &summary)?;
                    self.lost = replace(self.source, file, place)?;
                }
                Ok(summary)
            }
        }
    }
}

/// Puts a file in the place of the source, and says which attributes it could not get.
fn replace(source: &Source, file: Replacement<'_>, place: Place) -> Result<Vec<String>, Error> {
    let done = file.commit(likeness(source), &|| source.check_place(&place))?;
    if let Some(fate) = &source.fate {
        fate.replaced(place, done.identity, source.stamp());
    }
    Ok(done.lost)
}

/// The source's attributes.
pub(super) fn likeness(source: &Source) -> Likeness<'_> {
    Likeness {
        metadata: source.metadata(),
        file: Some(source.file()),
    }
}

/// A document that was rewritten in memory, unless it cannot be.
fn written(rewritten: Rewritten<'_>) -> Result<Rewritten<'_>, Error> {
    match &rewritten.summary.error {
        Some(error) => Err(error.clone()),
        None => Ok(rewritten),
    }
}

//! Rewriting one file to its destination.

use super::journal::{Digesting, Journal, Recorder};
use super::replace::{Replacement, TempFiles};
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
) -> Result<Summary, Error> {
    let mut job = Job {
        source,
        content,
        rewriter,
        each,
    };
    match destination {
        Destination::Nowhere => job.write(&mut io::sink()),
        Destination::Writer(writer) => job.write(writer),
        Destination::InPlace(temp_files) => job.replace_source(temp_files, Recorder::new(None)),
        Destination::Recorded(temp_files, journal) => {
            job.replace_source(temp_files, Recorder::new(Some(journal)))
        }
        Destination::File(temp_files, target) => {
            let mut file = Replacement::begin(temp_files, target)?;
            let done = job.write(&mut file)?;
            commit(source, file)?;
            Ok(done)
        }
    }
}

struct Job<'j> {
    source: &'j Source,
    content: Content,
    rewriter: &'j Rewriter,
    each: &'j mut dyn FnMut(&Outcome<'_>, &Info),
}

impl Job<'_> {
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
        let target = std::fs::canonicalize(self.source.path())?;
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
                    let mut file = Replacement::begin(temp_files, &target)?;
                    file.write_all(&rewritten.content)?;
                    recorder.record(&target, (old, &rewritten.content), &rewritten.summary)?;
                    commit(self.source, file)?;
                }
                Ok(rewritten.summary)
            }
            Content::Large(old) => {
                let mut file = Replacement::begin(temp_files, &target)?;
                let (mut old, mut new) = (Digesting::new(old), Digesting::new(&mut file));
                let summary = watched.rewrite(&mut old, &mut new)?;
                if summary.is_changed() {
                    let digests = (old.digest(), new.digest());
                    recorder.record_long(&target, digests, &summary)?;
                    commit(self.source, file)?;
                }
                Ok(summary)
            }
        }
    }
}

fn commit(source: &Source, file: Replacement<'_>) -> Result<(), Error> {
    file.commit(source.metadata(), &|| source.check_unchanged())
}

/// A document that was rewritten in memory, unless it cannot be.
fn written(rewritten: Rewritten<'_>) -> Result<Rewritten<'_>, Error> {
    match &rewritten.summary.error {
        Some(error) => Err(error.clone()),
        None => Ok(rewritten),
    }
}

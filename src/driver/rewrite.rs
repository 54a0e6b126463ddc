//! Rewriting one file to its destination.

use super::replace::{Replacement, TempFiles};
use super::source::{Content, Source};
use crate::error::Error;
use crate::link::{Info, Settings};
use crate::rewrite::{Mapping, Outcome, Tally, rewrite, rewrite_slice};
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
    settings: &Settings,
    mapping: &Mapping,
    destination: Destination<'_>,
    each: &mut dyn FnMut(&Outcome<'_>, &Info),
) -> Result<(Info, Tally), Error> {
    let mut job = Job {
        source,
        content,
        settings,
        mapping,
        each,
    };
    match destination {
        Destination::Nowhere => job.write(&mut io::sink()),
        Destination::Writer(writer) => job.write(writer),
        Destination::InPlace(temp_files) => job.replace_source(temp_files),
        Destination::File(temp_files, target) => {
            let mut file = Replacement::begin(temp_files, target)?;
            let done = job.write(&mut file)?;
            job.commit(file)?;
            Ok(done)
        }
    }
}

struct Job<'j> {
    source: &'j Source,
    content: Content,
    settings: &'j Settings,
    mapping: &'j Mapping,
    each: &'j mut dyn FnMut(&Outcome<'_>, &Info),
}

impl Job<'_> {
    /// Writes the document, changed or not.
    fn write(&mut self, writer: &mut dyn Write) -> Result<(Info, Tally), Error> {
        match &mut self.content {
            Content::Large(file) => rewrite(file, writer, self.settings, self.mapping, self.each),
            Content::Whole(bytes) => {
                let (new, info, tally) =
                    rewrite_slice(bytes, self.settings, self.mapping, self.each);
                writer.write_all(new.as_deref().unwrap_or(bytes))?;
                writer.flush()?;
                Ok((info, tally))
            }
        }
    }

    /// Replaces the source if it changes. If its path is a symbolic link, the file that it points to is replaced.
    fn replace_source(&mut self, temp_files: &TempFiles) -> Result<(Info, Tally), Error> {
        let target = std::fs::canonicalize(self.source.path())?;
        if let Content::Whole(bytes) = &self.content {
            // No temporary file for a document that does not change.
            let (new, info, tally) = rewrite_slice(bytes, self.settings, self.mapping, self.each);
            if let Some(new) = new {
                let mut file = Replacement::begin(temp_files, &target)?;
                file.write_all(&new)?;
                self.commit(file)?;
            }
            return Ok((info, tally));
        }
        let mut file = Replacement::begin(temp_files, &target)?;
        let (info, tally) = self.write(&mut file)?;
        if tally.changed > 0 {
            self.commit(file)?;
        }
        Ok((info, tally))
    }

    fn commit(&self, file: Replacement<'_>) -> Result<(), Error> {
        file.commit(self.source.metadata(), &|| self.source.check_unchanged())
    }
}

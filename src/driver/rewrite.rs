//! Rewriting one file to wherever it shall go.

use super::replace::{Replacement, Scratch};
use super::source::{Content, Source};
use crate::error::Error;
use crate::link::{Info, Settings};
use crate::rewrite::{Mapping, Outcome, Tally, rewrite, rewrite_slice};
use std::io::{self, Write};
use std::path::Path;

/// Where a rewritten document goes.
pub enum Destination<'a> {
    /// Nowhere: only what would be done is wanted.
    Nowhere,
    /// To a writer, changed or not.
    Writer(&'a mut dyn Write),
    /// In the place of the source, if it changed.
    InPlace(&'a Scratch),
    /// To another file, changed or not. Its directory exists.
    File(&'a Scratch, &'a Path),
}

/// Rewrites what was read from `source`. Whatever happens, a file is afterwards as it was or
/// completely rewritten; a source that changed meanwhile is an error and is left alone.
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
        content,
        settings,
        mapping,
        each,
    };
    let check = || source.check_unchanged();
    match destination {
        Destination::Nowhere => job.write(&mut io::sink()),
        Destination::Writer(writer) => job.write(writer),
        Destination::InPlace(scratch) => job.in_place(source, scratch),
        Destination::File(scratch, target) => {
            let mut file = Replacement::begin(scratch, target)?;
            let done = job.write(&mut file)?;
            file.commit(source.metadata(), &check)?;
            Ok(done)
        }
    }
}

struct Job<'j> {
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

    fn in_place(&mut self, source: &Source, scratch: &Scratch) -> Result<(Info, Tally), Error> {
        // The file that a symbolic link names is replaced, not the link.
        let target = std::fs::canonicalize(source.path())?;
        let check = || source.check_unchanged();
        let new = match &mut self.content {
            Content::Whole(bytes) => {
                let (new, info, tally) =
                    rewrite_slice(bytes, self.settings, self.mapping, self.each);
                match new {
                    Some(new) => (new, info, tally),
                    None => return Ok((info, tally)),
                }
            }
            Content::Large(_) => {
                let mut file = Replacement::begin(scratch, &target)?;
                let (info, tally) = self.write(&mut file)?;
                if tally.changed > 0 {
                    file.commit(source.metadata(), &check)?;
                }
                return Ok((info, tally));
            }
        };
        let (bytes, info, tally) = new;
        let mut file = Replacement::begin(scratch, &target)?;
        file.write_all(&bytes)?;
        file.commit(source.metadata(), &check)?;
        Ok((info, tally))
    }
}

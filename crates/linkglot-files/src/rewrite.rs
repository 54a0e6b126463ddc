//! Rewrites one file to its destination.

use super::backup::Backup;
use super::content_digest::Digesting;
use super::directory::Place;
use super::fate::Successor;
use super::journal::{FileVersions, Journal};
use super::new_entry::NewEntry;
use super::parallel::give_way;
use super::recorder::{Changed, Recorder};
use super::replace::{Replacement, TempFiles};
use super::source::{Content, Source, check_stamp};
use linkglot::error::Error;
use linkglot::link::Info;
use linkglot::rewrite::{Outcome, Rewriter, Rewritten, Summary};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

/// Maximal length of documents that wait in memory until they are on disk, while other documents are processed.
const SMALL: usize = 256 << 10;

/// The destination of a rewritten document.
pub enum Destination<'a> {
    /// No destination: the caller only wants to know the changes.
    Nowhere,
    /// A writer, which gets the document changed or not.
    Writer(&'a mut dyn Write),
    /// The entry of a container, if the document changed.
    Entry(&'a mut NewEntry),
    /// The place of the source, if the document changed.
    InPlace(&'a TempFiles),
    /// The place of the source, with the old content kept.
    Keeping(&'a TempFiles, Keep<'a>),
    /// Another file in an existing directory, which gets the document changed or not.
    File(&'a TempFiles, &'a Path),
    /// Another place in an open directory, which gets the document changed or not.
    Place(&'a TempFiles, &'a Place),
}

/// Records and copies of replaced files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keep<'k> {
    /// The journal that records each file before it is replaced.
    pub journal: Option<&'k Journal>,
    /// The suffix for names of backups.
    pub backup: Option<&'k OsStr>,
}

/// The outcome of a rewrite.
#[derive(Debug)]
pub struct Done {
    /// The document and its links, counted by outcome.
    pub summary: Summary,
    /// The attributes of the old file that the new file could not get: owner, extended attributes.
    pub lost: Vec<String>,
}

/// Rewrites the content that was read from `source`, and calls `each` for each link that changes or has to be left.
/// Whatever happens, a file is afterwards either unchanged or completely rewritten. A source that changed after it was
/// opened is an error and stays as it is.
///
/// # Errors
///
/// When reading or writing fails, or the source changed.
pub fn rewrite_source(
    source: &Source,
    content: Content<'_>,
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
    content: Content<'j>,
    rewriter: &'j Rewriter,
    each: &'j mut dyn FnMut(&Outcome<'_>, &Info),
    lost: Vec<String>,
}

impl Job<'_> {
    fn run(&mut self, destination: Destination<'_>) -> Result<Summary, Error> {
        match destination {
            Destination::Nowhere => self.write(&mut io::sink()),
            Destination::Writer(writer) => self.write(writer),
            Destination::Entry(new) => {
                let summary = self.write(&mut new.content)?;
                new.is_changed = summary.is_changed();
                Ok(summary)
            }
            Destination::InPlace(temp_files) => self.replace_source(temp_files, Keep::default()),
            Destination::Keeping(temp_files, keep) => self.replace_source(temp_files, keep),
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
        let done = file.commit(source.likeness(), &|| source.check_unchanged())?;
        self.lost = done.lost;
        Ok(summary)
    }

    /// Writes the document, even if unchanged.
    fn write(&mut self, writer: &mut dyn Write) -> Result<Summary, Error> {
        let watched = self.rewriter.clone().on_link(&mut *self.each);
        match &mut self.content {
            Content::Large(file) => watched.rewrite(file, writer),
            Content::Stream(reader) => watched.rewrite(reader, writer),
            Content::Whole(bytes) => {
                let rewritten = written(watched.rewrite_slice(bytes))?;
                writer.write_all(&rewritten.content)?;
                writer.flush()?;
                if bytes.len() <= SMALL {
                    give_way();
                }
                Ok(rewritten.summary)
            }
        }
    }

    /// Replaces the source if the document changes. If the path is a symbolic link, its target is replaced.
    fn replace_source(&mut self, temp_files: &TempFiles, keep: Keep<'_>) -> Result<Summary, Error> {
        let source = self.source;
        let mut recorder = Recorder::new(keep.journal);
        let each = &mut *self.each;
        let watched = self.rewriter.clone().on_link(|outcome, info| {
            recorder.add(outcome.edits);
            each(outcome, info);
        });
        match &mut self.content {
            Content::Whole(old) => {
                // A document that does not change needs no temporary file.
                let rewritten = written(watched.rewrite_slice(old))?;
                if rewritten.summary.is_changed() {
                    if old.len() <= SMALL {
                        give_way();
                    }
                    let place = source.place()?;
                    let mut file = Replacement::begin_at(temp_files, place.clone())?;
                    file.write_all(&rewritten.content)?;
                    let digests = || (blake3::hash(old), blake3::hash(&rewritten.content));
                    let old = io::Cursor::new(&old[..]);
                    let backup = backup(temp_files, source, &place, keep)?;
                    let versions = recorder.record(
                        (source, &place),
                        old,
                        digests,
                        edited(&rewritten.summary),
                    )?;
                    self.lost = replace((source, &place), file, backup, (keep.journal, versions))?;
                }
                Ok(rewritten.summary)
            }
            Content::Stream(_) => Err(io::Error::from(io::ErrorKind::Unsupported).into()),
            Content::Large(old) => {
                let place = source.place()?;
                let mut file = Replacement::begin_at(temp_files, place.clone())?;
                // Without a journal nobody asks for digests, which cost a third of a rewrite of plain text.
                let (summary, digests) = if keep.journal.is_some() {
                    let (mut old, mut new) = (Digesting::new(&mut *old), Digesting::new(&mut file));
                    let summary = watched.rewrite(&mut old, &mut new)?;
                    (summary, Some((old.digest(), new.digest())))
                } else {
                    (watched.rewrite(old, &mut file)?, None)
                };
                if summary.is_changed() {
                    let backup = backup(temp_files, source, &place, keep)?;
                    let changed = edited(&summary);
                    let record = |digests| {
                        let digests = || digests;
                        recorder.record((source, &place), source.file(), digests, changed)
                    };
                    let versions = digests.map(record).transpose()?.flatten();
                    self.lost = replace((source, &place), file, backup, (keep.journal, versions))?;
                }
                Ok(summary)
            }
        }
    }
}

/// The way in which a document changed.
fn edited(summary: &Summary) -> Changed {
    match summary.transcoded {
        Some(_) => Changed::Whole,
        None => Changed::ByEdits,
    }
}

/// Makes the backup of the source, if requested.
pub(super) fn backup<'p>(
    temp_files: &TempFiles,
    source: &Source,
    place: &'p Place,
    keep: Keep<'_>,
) -> Result<Option<Backup<'p>>, Error> {
    let suffix = keep.backup;
    suffix
        .map(|suffix| Backup::make(temp_files, source, place, suffix))
        .transpose()
}

/// Puts a file in the place of the source, and returns the attributes that could not be kept.
pub(super) fn replace(
    (source, place): (&Source, &Place),
    file: Replacement<'_>,
    backup: Option<Backup<'_>>,
    (journal, versions): (Option<&Journal>, Option<FileVersions>),
) -> Result<Vec<String>, Error> {
    let expected = backup.as_ref().map(|backup| backup.stamp.clone());
    let expected = expected.unwrap_or_else(|| source.stamp());
    let record = |synced| journal.map_or(Ok(()), |journal| journal.sync(synced));
    let check = || check_stamp(place.stamp(), &expected);
    let done = file.commit_after(source.likeness(), &record, &check)?;
    if let Some(fate) = &source.fate {
        fate.replaced(Successor {
            place: place.clone(),
            identity: done.identity,
            old: source.stamp(),
            versions,
        });
    }
    match done.unsynced {
        Some(error) => Err(error),
        None => Ok(done.lost),
    }
}

/// A document rewritten in memory, or the error that prevents it.
fn written(rewritten: Rewritten<'_>) -> Result<Rewritten<'_>, Error> {
    match &rewritten.summary.error {
        Some(error) => Err(error.clone()),
        None => Ok(rewritten),
    }
}

//! The target of a run over files: none, the files themselves, or another directory.

use super::entry::FileEntry;
use super::journal::Journal;
use super::remedy::Remedy;
use super::replace::TempFiles;
use super::rewrite::{Destination, Done, Keep, rewrite_source};
use super::source::{Content, Source};
use super::tree::{OutputTree, copy_file, copy_symlink};
use super::walk::SkipReason;
use linkglot::error::{Error, ErrorKind};
use linkglot::link::Info;
use linkglot::rewrite::{Outcome, Rewriter};
use std::ffi::OsString;
use std::fs;

/// The target of a run.
#[derive(Debug)]
pub enum FileTarget {
    /// Nowhere: the run only tells what would change.
    Nowhere,
    /// In the place of the files.
    InPlace(Box<InPlace>),
    /// Below another directory.
    Output(OutputTree),
}

/// The way in which files are replaced.
#[derive(Debug, Default)]
pub struct InPlace {
    /// The journal that records each file before it is replaced.
    pub journal: Option<Journal>,
    /// The suffix that the name of a backup has.
    pub backup: Option<OsString>,
    /// Whether the file that a symbolic link points to is replaced.
    pub follow: bool,
}

/// The message for a file that was copied without all of its attributes.
pub fn not_kept(lost: &[String]) -> Option<String> {
    (!lost.is_empty()).then(|| format!("could not be kept: {}", lost.join(", ")))
}

impl FileTarget {
    /// Whether files are written.
    pub fn is_files(&self) -> bool {
        !matches!(self, FileTarget::Nowhere)
    }

    /// The journal of the run.
    pub fn journal(&self) -> Option<&Journal> {
        match self {
            FileTarget::InPlace(in_place) => in_place.journal.as_ref(),
            _ => None,
        }
    }

    /// Rewrites a file to where it goes.
    ///
    /// # Errors
    ///
    /// When it cannot be read or written. It is as it was then; below an output directory, one that cannot get another
    /// charset, or is a container, is copied: a tree without holes.
    pub fn rewrite(
        &self,
        entry: &FileEntry,
        (source, content): (&Source, Content),
        rewriter: &Rewriter,
        temp_files: &TempFiles,
        each: &mut dyn FnMut(&Outcome<'_>, &Info),
    ) -> Result<Done, Error> {
        let output;
        let destination = match self {
            FileTarget::Nowhere => Destination::Nowhere,
            FileTarget::Output(tree) => {
                output = tree.place(entry.root, &entry.path)?;
                Destination::Place(temp_files, &output)
            }
            FileTarget::InPlace(in_place) => {
                in_place.check(entry)?;
                let journal = in_place.journal.as_ref();
                let backup = in_place.backup.as_deref();
                Destination::Keeping(temp_files, Keep { journal, backup })
            }
        };
        match (
            self,
            rewrite_source(source, content, rewriter, destination, each),
        ) {
            (FileTarget::Output(tree), Err(error)) if is_refusal(error.kind()) => {
                copy_file(source, temp_files, &tree.place(entry.root, &entry.path)?)?;
                Err(error)
            }
            (_, done) => done,
        }
    }

    /// Enters a directory, before anything in it is worked on.
    ///
    /// # Errors
    ///
    /// When it cannot be created below the output directory.
    pub fn directory(&self, entry: &FileEntry) -> Result<(), Error> {
        match self {
            FileTarget::Output(tree) => tree.create_directory(entry.root, &entry.path),
            _ => Ok(()),
        }
    }

    /// Passes over a file: copies binary files and symbolic links to an output tree, removes temporary files that no
    /// run holds. Returns the message for the user, if there is one.
    ///
    /// # Errors
    ///
    /// When it cannot be copied or removed.
    pub fn skip(
        &self,
        entry: &FileEntry,
        reason: SkipReason,
        temp_files: &TempFiles,
    ) -> Result<Option<String>, Error> {
        match (self, reason) {
            (FileTarget::Output(tree), SkipReason::Binary) => {
                let target = tree.place(entry.root, &entry.path)?;
                let lost = copy_file(&Source::open_entry(entry)?, temp_files, &target)?;
                Ok(not_kept(&lost))
            }
            (FileTarget::Output(tree), SkipReason::SymbolicLink) => {
                copy_symlink(&entry.path, &tree.place(entry.root, &entry.path)?)?;
                Ok(None)
            }
            (FileTarget::InPlace(_), SkipReason::Temporary)
                if TempFiles::remove_stale(&entry.path)? =>
            {
                let message = "removed: a temporary file of a run that was killed";
                Ok(Some(message.to_owned()))
            }
            _ => Ok(None),
        }
    }

    /// Passes over another name of a file that was worked on already.
    ///
    /// # Errors
    ///
    /// When it cannot follow the file.
    pub fn other_name(&self, entry: &FileEntry, temp_files: &TempFiles) -> Result<(), Error> {
        match self {
            FileTarget::InPlace(in_place) => {
                entry.follow_first_name(temp_files, in_place.journal.as_ref())
            }
            _ => Ok(()),
        }
    }
}

impl InPlace {
    /// A symbolic link is replaced only on request, even if it was named.
    fn check(&self, entry: &FileEntry) -> Result<(), Error> {
        if !self.follow && fs::symlink_metadata(&entry.path)?.is_symlink() {
            return Err(Remedy::FollowLinks.for_error("expected a file, found a symbolic link"));
        }
        Ok(())
    }
}

/// True if an error is that of a document that was read, and is not to be rewritten.
fn is_refusal(kind: ErrorKind) -> bool {
    let refusals = [
        ErrorKind::Transcoding,
        ErrorKind::Container,
        ErrorKind::OverBudget,
    ];
    refusals.contains(&kind)
}

//! The target of a run over files: none, the files themselves, or another directory.

use super::content_name::check_name;
use super::document::Document;
use super::entry::{FileEntry, refuse_link};
use super::journal::Journal;
use super::new_container::{ContainerWork, NewContainer};
use super::replace::{TempFiles, not_kept};
use super::rewrite::{Destination, Done, Keep, rewrite_source};
use super::source::Source;
use super::tree::{OutputTree, copy_file, copy_symlink};
use super::walk::SkipReason;
use linkglot::error::{Error, ErrorKind};
use linkglot::link::Info;
use linkglot::rewrite::{Outcome, Rewriter};
use std::ffi::OsString;

/// The target of a run.
#[derive(Debug)]
pub enum FileTarget {
    /// No target: the run only reports changes.
    Nowhere,
    /// The files themselves.
    InPlace(Box<InPlace>),
    /// Another directory.
    Output(OutputTree),
}

/// The way in which files are replaced.
#[derive(Debug, Default)]
pub struct InPlace {
    /// The journal that records each file before it is replaced.
    pub journal: Option<Journal>,
    /// The suffix for names of backups.
    pub backup: Option<OsString>,
    /// True if the target of a symbolic link is replaced.
    pub follow: bool,
}

impl FileTarget {
    /// True if files are written.
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

    /// Rewrites a file to its target.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or written. The file is unchanged then; in an output directory, a file that cannot
    /// be converted to another charset, is a container, or has a name that gives its content, is copied: the output
    /// tree is complete.
    pub fn rewrite(
        &self,
        entry: &FileEntry,
        document: Document<'_>,
        rewriter: &Rewriter,
        temp_files: &TempFiles,
        each: &mut dyn FnMut(&Outcome<'_>, &Info),
    ) -> Result<Done, Error> {
        let (source, mut content) = (document.source, document.content);
        let checked = check_name(&entry.path, &mut content, rewriter);
        if document.is_entry {
            checked?;
            let destination = document
                .new
                .map_or(Destination::Nowhere, Destination::Entry);
            return rewrite_source(source, content, rewriter, destination, each);
        }
        let output = match self {
            FileTarget::Output(tree) => Some(tree.place(entry.root, &entry.path)?),
            _ => None,
        };
        let destination = match (self, &output) {
            (FileTarget::Nowhere | FileTarget::Output(_), None) => Destination::Nowhere,
            (_, Some(output)) => Destination::Place(temp_files, output),
            (FileTarget::InPlace(in_place), None) => {
                in_place.check(entry)?;
                let journal = in_place.journal.as_ref();
                let backup = in_place.backup.as_deref();
                Destination::Keeping(temp_files, Keep { journal, backup })
            }
        };
        let done =
            checked.and_then(|()| rewrite_source(source, content, rewriter, destination, each));
        if let (Some(output), Err(error)) = (&output, &done)
            && is_refusal(error.kind())
        {
            copy_file(source, temp_files, output)?;
        }
        done
    }

    /// Begins the new container of a container: its documents are rewritten first. Without a target, it is only read.
    ///
    /// # Errors
    ///
    /// When the container must not be replaced.
    pub fn container<'n>(
        &'n self,
        entry: &FileEntry,
        source: &Source,
        temp_files: &'n TempFiles,
    ) -> Result<ContainerWork<'n>, Error> {
        let new = match self {
            FileTarget::Nowhere => return Ok(ContainerWork::Read),
            FileTarget::Output(tree) => {
                NewContainer::at(tree.place(entry.root, &entry.path)?, temp_files)
            }
            FileTarget::InPlace(in_place) => {
                in_place.check(entry)?;
                let keep = Keep {
                    journal: in_place.journal.as_ref(),
                    backup: in_place.backup.as_deref(),
                };
                NewContainer::in_place(source.place()?, keep, temp_files)
            }
        };
        Ok(ContainerWork::Write(Box::new(new)))
    }

    /// Enters a directory. Called before anything in it is processed.
    ///
    /// # Errors
    ///
    /// When the directory cannot be created in the output directory.
    pub fn directory(&self, entry: &FileEntry) -> Result<(), Error> {
        match self {
            FileTarget::Output(tree) => tree.create_directory(entry.root, &entry.path),
            _ => Ok(()),
        }
    }

    /// Passes over a file: copies binary files, files of options and symbolic links to an output tree, removes
    /// temporary files that no run holds. Returns the message for the user, if any.
    ///
    /// # Errors
    ///
    /// When the file cannot be copied or removed.
    pub fn skip(
        &self,
        entry: &FileEntry,
        reason: SkipReason,
        temp_files: &TempFiles,
    ) -> Result<Option<String>, Error> {
        match (self, reason) {
            (FileTarget::Output(tree), SkipReason::Binary | SkipReason::Options) => {
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

    /// Handles another name of a file that was already processed.
    ///
    /// # Errors
    ///
    /// When the name cannot follow the file.
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
    /// Refuses a symbolic link unless links are followed, even if it was named.
    fn check(&self, entry: &FileEntry) -> Result<(), Error> {
        if self.follow {
            return Ok(());
        }
        refuse_link(&entry.path)
    }
}

/// True for errors of a document that was read but cannot be rewritten.
pub fn is_refusal(kind: ErrorKind) -> bool {
    let refusals = [
        ErrorKind::Transcoding,
        ErrorKind::Container,
        ErrorKind::OverBudget,
    ];
    refusals.contains(&kind)
}

//! Undoes a whole run.

use super::display::display;
use super::journal::{JournalFile, RunState, Undone};
use super::replace::TempFiles;
use super::runs::{is_without_links, remove_stale};
use super::walk::{Entry, Root, Selection, Walk};
use linkglot::error::{Error, ErrorKind};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The journals that are trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// Journals of this user's runs on this machine, according to their seals.
    #[default]
    Own,
    /// Journals of anybody, below a directory: the run's, if it is the current directory or below, otherwise the
    /// current directory.
    Anybody,
}

/// The settings for undoing a run.
#[derive(Clone, Debug, Default)]
pub struct Undo {
    /// The journals that are trusted.
    pub trust: Trust,
    /// True to undo changes also in files that changed after the run, as far as possible.
    pub force: bool,
    /// The suffix of the run's backups.
    pub backup_suffix: Option<OsString>,
}

/// The outcome for a file of a run.
pub struct UndoneFile<'u> {
    /// The file.
    pub path: &'u Path,
    /// The outcome: the file has its old content, or an error.
    pub done: Result<Undone, Error>,
    /// True if the file has other names (hard links) that the run did not find; they keep the content of the run.
    pub has_unmet_names: bool,
}

impl Undo {
    /// Undoes a run, and passes each file to `each`: the last change of a file before the earlier ones, and then its
    /// other names. A run without failed files counts as undone.
    ///
    /// # Errors
    ///
    /// When the run is still running or was undone; when its journal is foreign or was changed, and is not trusted;
    /// when the journal cannot be read.
    pub fn run(
        &self,
        mut journal: JournalFile,
        temp_files: &TempFiles,
        each: &mut dyn FnMut(&UndoneFile<'_>),
    ) -> Result<(), Error> {
        journal.hold()?;
        match journal.verify() {
            Err(_) if self.trust == Trust::Anybody => journal.confine()?,
            verified => verified?,
        }
        if journal.ending()? == RunState::Undone {
            let id = &journal.header().id;
            let message = format!("the run {id} was already undone");
            return Err(Error::new(ErrorKind::Io, message));
        }
        let mut has_failed = false;
        self.files(&mut journal, temp_files, &mut |file| {
            has_failed |= file.done.is_err();
            each(file);
        })?;
        for root in journal.header().roots.iter().filter(|_| journal.is_own()) {
            remove_stale(root);
        }
        if !has_failed {
            journal.mark_undone().map_err(|cause| {
                let path = display(journal.path());
                let message =
                    format!("cannot note in the journal `{path}` that the run was undone: {cause}");
                Error::new(ErrorKind::Io, message)
            })?;
        }
        Ok(())
    }

    fn files(
        &self,
        journal: &mut JournalFile,
        temp_files: &TempFiles,
        each: &mut dyn FnMut(&UndoneFile<'_>),
    ) -> Result<(), Error> {
        let records = journal.records()?;
        // Number of names of each file that the run linked to the new file.
        let mut links: HashMap<PathBuf, u64> = HashMap::new();
        for &at in &records.links {
            *links.entry(journal.link(at)?.first).or_default() += 1;
        }
        for &at in records.files.iter().rev() {
            let record = match journal.record(at) {
                Ok(record) => record,
                Err(error) => {
                    each(&UndoneFile::new(journal.path(), Err(error)));
                    continue;
                }
            };
            let done = journal.undo(&record, temp_files, self.force);
            let known = links.get(&record.path).copied().unwrap_or_default();
            let is_unmet = |done: &Undone| matches!(done, Undone::Restored { other_names } if *other_names > known);
            let has_unmet_names = done.as_ref().is_ok_and(is_unmet);
            each(&UndoneFile {
                has_unmet_names,
                ..UndoneFile::new(&record.path, done)
            });
        }
        for &at in &records.links {
            let record = journal.link(at)?;
            let done = journal.undo_link(&record, temp_files);
            each(&UndoneFile::new(&record.path, done));
        }
        if journal.is_own() {
            self.join_names(journal, temp_files, each)
        } else {
            Ok(())
        }
    }

    /// Restores names that the run did not reach and that still belong to the old file. Backups must remain as they
    /// are.
    fn join_names(
        &self,
        journal: &JournalFile,
        temp_files: &TempFiles,
        each: &mut dyn FnMut(&UndoneFile<'_>),
    ) -> Result<(), Error> {
        let parted = journal.parted()?;
        if parted.is_empty() {
            return Ok(());
        }
        let roots = journal.header().roots.iter();
        let roots = roots.filter(|root| is_without_links(root));
        let selection = Selection {
            backup_suffix: self.backup_suffix.clone(),
            ..Selection::default()
        };
        for entry in Walk::new(roots.cloned().map(Root::Path).collect(), selection)? {
            let Entry::File(file) = entry else { continue };
            let path = file.path.clone();
            if let Err(error) = parted.join(file, temp_files) {
                each(&UndoneFile::new(&path, Err(error)));
            }
        }
        Ok(())
    }
}

impl<'u> UndoneFile<'u> {
    fn new(path: &'u Path, done: Result<Undone, Error>) -> Self {
        UndoneFile {
            path,
            done,
            has_unmet_names: false,
        }
    }
}

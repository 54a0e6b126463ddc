//! Undoes a whole run.

use super::display::display;
use super::hard_links::HardLinks;
use super::journal::{JournalFile, RunState};
use super::parallel::{EventSender, Threads, in_order};
use super::remedy::Remedy;
use super::replace::TempFiles;
use super::runs::{is_without_links, remove_stale};
use super::undo::Undone;
use super::walk::{Entry, Root, Selection, Walk};
use linkglot::error::{Error, ErrorKind};
use std::collections::HashMap;
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;
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
    /// other names. Several threads restore files, which are synced together as those of a run are. A run without
    /// failed files counts as undone.
    ///
    /// # Errors
    ///
    /// When the run is still running or was undone; when its journal is foreign or was changed, and is not trusted;
    /// when the journal cannot be read.
    pub fn run(
        &self,
        mut journal: JournalFile,
        temp_files: &TempFiles,
        each: &mut (dyn FnMut(&UndoneFile<'_>) + Send),
    ) -> Result<(), Error> {
        journal.hold()?;
        match journal.verify() {
            Err(_) if self.trust == Trust::Anybody => journal.confine()?,
            verified => verified?,
        }
        if journal.ending()? == RunState::Undone {
            let id = &journal.header().id;
            let message = format!("the run {id} was already undone");
            return Err(Remedy::ListRuns.for_error(message));
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
        each: &mut (dyn FnMut(&UndoneFile<'_>) + Send),
    ) -> Result<(), Error> {
        let records = journal.records()?;
        let journal = &*journal;
        // Number of names of each file that the run linked to the new file.
        let mut links: HashMap<PathBuf, u64> = HashMap::new();
        for &at in &records.links {
            *links.entry(journal.link(at)?.first).or_default() += 1;
        }
        for round in rounds(journal, &records.files) {
            let undo = |at, events: &EventSender<'_, _>| {
                // The receiver takes all events.
                let _ = events.send(self.undo_record(journal, at, temp_files));
            };
            // Threads for a few files would cost more than the files: a journal of others may have many rounds.
            let threads = if round.len() < MANY {
                Threads::Working(1)
            } else {
                Threads::WorkingAndWaiting(0)
            };
            in_order(threads, round.into_iter(), undo, |(path, done)| {
                let known = links.get(&path).copied().unwrap_or_default();
                let is_unmet = |done: &Undone| matches!(done, Undone::Restored { other_names } if *other_names > known);
                let has_unmet_names = done.as_ref().is_ok_and(is_unmet);
                each(&UndoneFile {
                    has_unmet_names,
                    ..UndoneFile::new(&path, done)
                });
                ControlFlow::Continue(())
            })?;
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

    /// Undoes the change of a file. If its record cannot be read, the error is about the journal.
    fn undo_record(
        &self,
        journal: &JournalFile,
        at: u64,
        temp_files: &TempFiles,
    ) -> (PathBuf, Result<Undone, Error>) {
        match journal.record(at) {
            Ok(record) => {
                let done = journal.undo(&record, temp_files, self.force);
                (record.path, done)
            }
            Err(error) => (journal.path().to_owned(), Err(error)),
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
        let parted = HardLinks::of_undone(journal)?;
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

/// The files of a round from which on several threads restore them.
const MANY: usize = 8;

/// The records of files, the last first, in rounds of which each has a file once: a file that a run changed more than
/// once, because the run was resumed, gets its last but one content before the one in front of that.
fn rounds(journal: &JournalFile, records: &[u64]) -> Vec<Vec<u64>> {
    let hasher = RandomState::new();
    let mut changes: HashMap<u64, usize> = HashMap::new();
    let mut rounds: Vec<Vec<u64>> = Vec::new();
    for &at in records.iter().rev() {
        // A record that cannot be read is an error of its own later. Two paths with the same hash are two rounds.
        let path = journal.record(at).map(|record| record.path);
        let key = hasher.hash_one(path.map_err(|_| at));
        let changes = changes.entry(key).or_default();
        if *changes == rounds.len() {
            rounds.push(Vec::new());
        }
        rounds[*changes].push(at);
        *changes += 1;
    }
    rounds
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

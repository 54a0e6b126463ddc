//! The command `undo`.

use super::args::UndoArgs;
use super::output::{complain, complain_about};
use super::runs::{is_without_links, last_here, named, remove_stale};
use super::totals::number;
use super::{Failure, Status, resume};
use linkglot::Error;
use linkglot::driver::{Entry, JournalFile, Root, RunState, Selection, TempFiles, Undone, Walk};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn run(args: &UndoArgs, temp_files: &TempFiles) -> Result<Status, Failure> {
    let journal = match &args.run {
        Some(run) => named(run)?,
        None => last_here(|_| true, "to undo")?,
    };
    let id = &journal.header().id;
    if journal.state()? == RunState::Undone {
        return Err(Failure::new(format!("the run {id} was undone already")));
    }
    journal.hold()?;
    let mut undo = Undo {
        journal,
        temp_files,
        force: args.force,
        links: HashMap::new(),
        counts: Counts::default(),
    };
    undo.run()?;
    let Undo {
        mut journal,
        counts,
        ..
    } = undo;
    for root in &journal.header().roots {
        remove_stale(root);
    }
    if counts.failed == 0 {
        journal.mark_undone()?;
    }
    complain(counts.words(&journal.header().id));
    Ok(counts.status())
}

struct Undo<'u> {
    journal: JournalFile,
    temp_files: &'u TempFiles,
    force: bool,
    /// How many names of a file the run linked to the new one.
    links: HashMap<PathBuf, u64>,
    counts: Counts,
}

impl Undo<'_> {
    /// Files first, the last change of a file before the others; then their other names.
    fn run(&mut self) -> Result<(), Error> {
        let records = self.journal.records()?;
        for &at in &records.links {
            *self.links.entry(self.journal.link(at)?.first).or_default() += 1;
        }
        for &at in records.files.iter().rev() {
            let record = match self.journal.record(at) {
                Ok(record) => record,
                Err(error) => {
                    self.counts.add(self.journal.path(), Err(error));
                    continue;
                }
            };
            let undone = self.journal.undo(&record, self.temp_files, self.force);
            self.warn_of_hard_links(&record.path, &undone);
            self.counts.add(&record.path, undone);
        }
        for &at in &records.links {
            let record = self.journal.link(at)?;
            let undone = self.journal.undo_link(&record, self.temp_files);
            self.counts.add(&record.path, undone);
        }
        self.join_names()
    }

    /// Looks for names that the run did not come to, which are still the old file. Backups are to stay that.
    fn join_names(&mut self) -> Result<(), Error> {
        let parted = self.journal.parted()?;
        if parted.is_empty() {
            return Ok(());
        }
        let header = self.journal.header();
        let roots = header.roots.iter().filter(|root| is_without_links(root));
        let mut selection = Selection::default();
        selection.backup_suffix = resume::arguments(header)
            .ok()
            .and_then(|arguments| arguments.destination.backup);
        for entry in Walk::new(roots.cloned().map(Root::Path).collect(), selection)? {
            let Entry::File(file) = entry else { continue };
            let path = file.path.clone();
            if let Err(error) = parted.join(file, self.temp_files) {
                self.counts.add(&path, Err(error));
            }
        }
        Ok(())
    }

    /// A name that the journal does not know keeps what the run made of the file.
    fn warn_of_hard_links(&self, path: &Path, undone: &Result<Undone, Error>) {
        let known = self.links.get(path).copied().unwrap_or_default();
        if let Ok(Undone::Restored { other_names }) = undone
            && *other_names > known
        {
            complain_about(
                path,
                "the file has other names (hard links) that the run did not meet, which keep the content of the run",
            );
        }
    }
}

#[derive(Default)]
struct Counts {
    restored: u64,
    unchanged: u64,
    failed: u64,
}

impl Counts {
    fn add(&mut self, path: &Path, undone: Result<Undone, Error>) {
        match undone {
            Ok(Undone::Restored { .. }) => self.restored += 1,
            Ok(Undone::Unchanged) => self.unchanged += 1,
            Err(error) => {
                self.failed += 1;
                complain_about(path, error);
            }
        }
    }

    fn words(&self, id: &str) -> String {
        let verb = if self.restored == 1 {
            "has its"
        } else {
            "have their"
        };
        let files = number(self.restored, "file");
        let mut words = vec![format!("{files} of the run {id} {verb} old content again")];
        words.extend((self.unchanged > 0).then(|| format!("{} had it already", self.unchanged)));
        words.extend((self.failed > 0).then(|| format!("{} failed", self.failed)));
        words.join(", ")
    }

    fn status(&self) -> Status {
        match (self.failed, self.restored + self.unchanged) {
            (0, _) => Status::Success,
            (_, 0) => Status::Failure,
            _ => Status::SomeFilesFailed,
        }
    }
}

//! The command `undo`.

use super::args::UndoArgs;
use super::output::{complain, complain_about};
use super::runs::last_here;
use super::totals::number;
use super::{Failure, Status, resume};
use linkglot::driver::{TempFiles, Undo, Undone, UndoneFile, find_run, noted_backup};

/// Runs the command.
pub fn run(args: &UndoArgs, temp_files: &TempFiles) -> Result<Status, Failure> {
    let journal = match &args.run {
        Some(run) => find_run(run)?,
        None => last_here(|_| true, "to undo")?,
    };
    let id = journal.header().id.clone();
    let backup_suffix = match resume::arguments(journal.header()) {
        Ok(arguments) => arguments.destination.backup,
        // The run of a binding.
        Err(_) => noted_backup(journal.header()),
    };
    let undo = Undo {
        force: args.force,
        backup_suffix,
    };
    let mut counts = Counts::default();
    undo.run(journal, temp_files, &mut |file| counts.add(file))?;
    complain(counts.words(&id));
    Ok(counts.status())
}

#[derive(Default)]
struct Counts {
    restored: u64,
    unchanged: u64,
    failed: u64,
}

impl Counts {
    fn add(&mut self, file: &UndoneFile<'_>) {
        if file.has_unmet_names {
            complain_about(
                file.path,
                "the file has other names (hard links) that the run did not meet, which keep the content of the run",
            );
        }
        match &file.done {
            Ok(Undone::Restored { .. }) => self.restored += 1,
            Ok(Undone::Unchanged) => self.unchanged += 1,
            Err(error) => {
                self.failed += 1;
                complain_about(file.path, error);
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

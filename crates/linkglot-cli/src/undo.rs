//! The command `undo`.

use super::args::UndoArgs;
use super::output::{Controls, Output, complain, complain_about, error_words, number};
use super::runs::{last_here, quoted};
use super::{Failure, Status, json, resume};
use linkglot::Error;
use linkglot_files::{
    JournalFile, TempFiles, Trust, Undo, Undone, UndoneFile, find_run, noted_backup,
};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn run(args: &UndoArgs, temp_files: &TempFiles) -> Result<Status, Failure> {
    let journal = match &args.run {
        Some(run) => find_run(run)?,
        None => last_here(|_| true, "to undo")?,
    };
    let trust = if args.trust {
        Trust::Anybody
    } else {
        Trust::Own
    };
    let undo = Undo {
        force: args.force,
        trust,
        backup_suffix: backup_suffix(&journal),
    };
    let mut report = Report::new(&journal, args);
    let ended = undo.run(journal, temp_files, &mut |file| report.add(file));
    report.end(ended)
}

/// The suffix of the run's backups. The arguments in a foreign journal are not read.
fn backup_suffix(journal: &JournalFile) -> Option<OsString> {
    if !journal.is_own() {
        return None;
    }
    match resume::arguments(journal.header()) {
        Ok(arguments) => arguments.destination.backup,
        // A run of a binding has no arguments.
        Err(_) => noted_backup(journal.header()),
    }
}

/// Reports the outcome: lists the restored files on standard output, and counts all.
struct Report {
    id: String,
    /// The command that continues.
    again: String,
    /// Standard output, for the names of restored files; `None` if no names are wanted.
    output: Option<Output>,
    prints_objects: bool,
    here: PathBuf,
    restored: u64,
    unchanged: u64,
    failed: u64,
    /// True if the disk was full.
    needs_room: bool,
}

impl Report {
    fn new(journal: &JournalFile, args: &UndoArgs) -> Self {
        let id = journal.header().id.clone();
        let run = args
            .run
            .as_ref()
            .map_or(id.clone(), |run| quoted(&run.to_string_lossy()));
        let trust = if args.trust { "--trust " } else { "" };
        let force = if args.force { "--force " } else { "" };
        Report {
            again: format!("linkglot undo {force}{trust}{run}"),
            id,
            output: (!args.quiet).then(Output::new),
            prints_objects: args.json,
            here: std::env::current_dir().unwrap_or_default(),
            restored: 0,
            unchanged: 0,
            failed: 0,
            needs_room: false,
        }
    }

    fn add(&mut self, file: &UndoneFile<'_>) {
        if file.has_unmet_names {
            complain_about(
                file.path,
                "the file has other names (hard links) that the run did not find; they keep the content of the run",
            );
        }
        match &file.done {
            Ok(Undone::Restored { .. }) => {
                self.restored += 1;
                self.name(file.path);
            }
            Ok(Undone::Unchanged) => self.unchanged += 1,
            Err(error) => {
                self.failed += 1;
                self.needs_room |= is_full(error);
                complain_about(file.path, error_words(error));
                if self.prints_objects {
                    let mut object = Vec::new();
                    json::error(&mut object, self.shown(file.path), &error_words(error));
                    self.print(&object);
                }
            }
        }
    }

    /// Prints the name of a restored file.
    fn name(&mut self, path: &Path) {
        let mut line = Vec::new();
        let path = self.shown(path);
        if self.prints_objects {
            json::restored(&mut line, path)
        } else {
            line = Controls::for_stdout().path(path);
            line.push(b'\n');
        }
        self.print(&line);
    }

    /// The path relative to the current directory.
    fn shown<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.here).unwrap_or(path)
    }

    fn print(&mut self, line: &[u8]) {
        if let Some(output) = &mut self.output {
            // The run continues without a reader.
            output.write(line);
        }
    }

    /// Prints the number of restored files, and the remaining work.
    fn end(mut self, ended: Result<(), Error>) -> Result<Status, Failure> {
        if let (Err(error), 0) = (&ended, self.restored) {
            return Err(error.clone().into());
        }
        if self.prints_objects {
            let counts = [self.restored, self.unchanged, self.failed];
            let mut object = Vec::new();
            json::undone(&mut object, &self.id, counts);
            self.print(&object);
        }
        let output = self.output.take();
        let is_quiet = output.is_none() && self.failed == 0;
        let printed = output.map_or(Ok(()), Output::end);
        if !is_quiet {
            complain(self.words());
        }
        if self.failed > 0 {
            complain(self.rest());
        }
        if let Err(error) = ended {
            complain(error_words(&error));
            return Ok(Status::SomeFilesFailed);
        }
        printed?;
        Ok(self.status())
    }

    fn words(&self) -> String {
        let verb = if self.restored == 1 {
            "has its"
        } else {
            "have their"
        };
        let (files, id) = (number(self.restored, "file"), &self.id);
        let mut words = vec![format!("{files} of the run {id} {verb} old content again")];
        words.extend((self.unchanged > 0).then(|| format!("{} had it already", self.unchanged)));
        words.extend((self.failed > 0).then(|| format!("{} failed", self.failed)));
        words.join(", ")
    }

    /// The message about files that failed, and how to continue.
    fn rest(&self) -> String {
        let (files, again) = (number(self.failed, "file"), &self.again);
        let verb = if self.failed == 1 { "is" } else { "are" };
        let cause = if self.needs_room {
            "there is room on the disk"
        } else {
            "the problems are solved"
        };
        format!("{files} {verb} not restored: once {cause}, `{again}` continues")
    }

    fn status(&self) -> Status {
        match (self.failed, self.restored + self.unchanged) {
            (0, _) => Status::Success,
            (_, 0) => Status::Failure,
            _ => Status::SomeFilesFailed,
        }
    }
}

/// True if there was no room on the disk.
fn is_full(error: &Error) -> bool {
    use io::ErrorKind::{QuotaExceeded, StorageFull};
    let source = std::error::Error::source(error);
    let system = source.and_then(|source| source.downcast_ref::<io::Error>());
    system.is_some_and(|error| matches!(error.kind(), StorageFull | QuotaExceeded))
}

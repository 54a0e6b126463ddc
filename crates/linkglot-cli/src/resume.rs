//! The command `resume`: continues an interrupted run of `rewrite --in-place`.

use super::args::{Args, Command, ResumeArgs, RewriteArgs};
use super::runs::last_here;
use super::{Failure, Status, rewrite};
use linkglot_files::{
    Journal, JournalFile, OptionFile, RunHeader, RunState, TempFiles, find_run, refuse_running,
    remove_stale,
};
use std::ffi::OsString;

/// Runs the command.
pub fn run(args: &ResumeArgs, temp_files: &TempFiles) -> Result<Status, Failure> {
    let journal = match &args.run {
        Some(run) => find_run(run)?,
        None => last_here(is_interrupted, "that was interrupted")?,
    };
    refuse_foreign(&journal)?;
    // The directory changes below, so the path must be absolute.
    let absolute = std::path::absolute(journal.path());
    let path = absolute.map_err(|error| Failure::with_path(journal.path(), &error))?;
    let (resumed, header) = Journal::resume(&path)?;
    refuse_running(&header.roots, &header.id)?;
    let changed = std::env::set_current_dir(&header.directory);
    changed.map_err(|error| Failure::with_path(&header.directory, &error))?;
    for file in &header.options {
        check(file, &header.id)?;
    }
    let arguments = arguments(&header)?;
    let status = rewrite::run(&arguments, Some(resumed), temp_files)?;
    for root in &header.roots {
        remove_stale(root);
    }
    Ok(status)
}

/// Refuses a foreign journal: its arguments are never run.
fn refuse_foreign(journal: &JournalFile) -> Result<(), Failure> {
    let Some(reason) = journal.foreign_reason() else {
        return Ok(());
    };
    let message = format!(
        "expected a journal of your own, since `resume` runs the arguments in it: {reason}; start the run anew, or undo it: `linkglot undo --trust JOURNAL`, in the directory of the files"
    );
    Err(Failure::with_path(journal.path(), &message))
}

fn is_interrupted(journal: &JournalFile) -> bool {
    matches!(journal.state(), Ok(RunState::Interrupted))
}

/// Refuses a file of options that changed: changed rules would rewrite the remaining files differently.
fn check(file: &OptionFile, id: &str) -> Result<(), Failure> {
    file.check().map_err(|error| {
        let message =
            format!("{error}; the run {id} cannot be resumed, but `linkglot undo {id}` undoes it");
        Failure::with_path(&file.path, &message)
    })
}

/// The arguments of the run.
pub fn arguments(header: &RunHeader) -> Result<RewriteArgs, Failure> {
    let program = OsString::from("linkglot");
    let arguments: Vec<_> = [program]
        .into_iter()
        .chain(header.arguments.iter().cloned())
        .collect();
    let args = Args::read(&arguments).map_err(|error| Failure::new(error.to_string()))?;
    match args.command {
        Some(Command::Rewrite(args)) if args.destination.in_place => Ok(*args),
        _ => Err(Failure::new(format!(
            "expected the arguments of `rewrite --in-place` in the journal of the run {}",
            header.id
        ))),
    }
}

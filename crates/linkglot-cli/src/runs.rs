//! The command `runs`, and the journal that `rewrite --in-place` keeps for it, for `undo` and for `resume`.

use super::args::{RewriteArgs, RunsArgs};
use super::inputs::Inputs;
use super::output::{Controls, Output, complain, error_words};
use super::{Failure, Status, json};
use linkglot_files::{
    Journal, JournalFile, NewRun, OptionFile, RunHeader, RunState, interrupted_over, journals,
    journals_among, overlap, real_roots,
};
use std::env;
use std::path::{Path, PathBuf};

/// Begins the journal of a run, unless the user wants none.
///
/// # Errors
///
/// When the journal cannot be written, or another run works on the same files.
pub fn begin(args: &RewriteArgs, inputs: &Inputs) -> Result<Option<Journal>, Failure> {
    let options = &args.destination;
    if !options.in_place || options.no_journal || options.dry_run {
        return Ok(None);
    }
    let roots = real_roots(&inputs.roots);
    let run = NewRun {
        journal: options.journal.clone(),
        arguments: args.config.recorded(),
        options: option_files(args)?,
        roots: roots.clone(),
    };
    let journal = run.begin()?;
    for (id, root) in interrupted_over(&roots, journal.id()) {
        let root = shown(&root);
        complain(format_args!(
            "the run {id} in `{root}` was interrupted; `linkglot resume {id}` continues it, `linkglot undo {id}` undoes it"
        ));
    }
    Ok(Some(journal))
}

/// The command that undoes a run. A journal that the user named is identified by its path.
pub fn undo_command(args: &RewriteArgs, journal: &Journal) -> String {
    let trust = if journal.is_sealed() { "" } else { "--trust " };
    let run = match args.destination.journal {
        Some(_) => quoted(&journal.path().to_string_lossy()),
        None => journal.id().to_owned(),
    };
    format!("linkglot undo {trust}{run}")
}

/// The journals among the files of a run, which the run must not rewrite.
pub fn among(inputs: &Inputs, journal: Option<&Journal>) -> Vec<PathBuf> {
    journals_among(&real_roots(&inputs.roots), journal)
}

fn shown(path: &Path) -> String {
    let shown = Controls::for_stdout();
    shown.apply_to_words(&path.to_string_lossy()).into_owned()
}

/// Runs the command `runs`.
pub fn list(args: &RunsArgs) -> Result<Status, Failure> {
    let mut out = Vec::new();
    for mut journal in journals() {
        let state = match journal.state()? {
            _ if !journal.is_own() => "foreign",
            RunState::Running => "running",
            RunState::Ended => "ended",
            RunState::Interrupted => "interrupted",
            RunState::Undone => "undone",
        };
        let files = match journal.files() {
            Ok(files) => files,
            Err(error) => {
                complain(error_words(&error));
                continue;
            }
        };
        let RunHeader { id, arguments, .. } = journal.header();
        let words = arguments.iter();
        let words = words.map(|word| quoted(&word.to_string_lossy()));
        let command: Vec<String> = words.collect();
        if args.json {
            json::run(&mut out, journal.header(), state, files)
        } else {
            let directory = shown(&journal.header().directory);
            let command = command.join(" ");
            let row = format!("{id}\t{state}\t{files}\t{directory}\tlinkglot {command}\n");
            out.extend_from_slice(row.as_bytes());
        }
    }
    if !args.json && !out.is_empty() {
        out.splice(0..0, *b"RUN\tSTATE\tFILES\tDIRECTORY\tCOMMAND\n");
    }
    let mut output = Output::new();
    output.write(&out);
    output.end()?;
    Ok(Status::Success)
}

/// Quotes a word for a shell, if needed.
pub fn quoted(word: &str) -> String {
    let is_plain = |ch: char| ch.is_alphanumeric() || "-_./:=,+%@".contains(ch);
    let word = Controls::for_stdout().apply_to_words(word).into_owned();
    if !word.is_empty() && word.chars().all(is_plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The last run over files in the current directory, or in a directory above or below it. Runs in other directories are
/// not touched.
pub fn last_here(fits: impl Fn(&JournalFile) -> bool, which: &str) -> Result<JournalFile, Failure> {
    let here = env::current_dir().unwrap_or_default();
    let is_here = |journal: &JournalFile| {
        let header = journal.header();
        let mut places = header.roots.iter().chain([&header.directory]);
        places.any(|place| overlap(place, &here)) && fits(journal)
    };
    let last = journals().rev().find(is_here);
    last.ok_or_else(|| {
        let here = shown(&here);
        Failure::new(format!(
            "expected a run {which} in `{here}`, found none; `linkglot runs` lists the runs of all directories"
        ))
    })
}

/// The files that options name, in their present state.
fn option_files(args: &RewriteArgs) -> Result<Vec<OptionFile>, Failure> {
    args.option_files().map(option_file).collect()
}

fn option_file(path: &Path) -> Result<OptionFile, Failure> {
    OptionFile::new(path).map_err(|error| Failure::with_path(path, &error))
}

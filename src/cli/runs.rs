//! The commands `runs` and `undo`, and the journal that `rewrite --in-place` keeps for them.

use super::args::{RewriteArgs, RunsArgs, UndoArgs};
use super::inputs::Inputs;
use super::output::{Output, complain, complain_about};
use super::{Failure, Status, json};
use linkglot::driver::{
    Journal, JournalFile, Root, RunHeader, RunState, TempFiles, Undone, escape_controls, undo,
};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

/// The ending of journals.
const EXTENSION: &str = "jsonl";

/// The directory of journals: below `$XDG_STATE_HOME`, or below the home directory.
fn directory() -> Option<PathBuf> {
    let state = env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let state = state.filter(|path| path.is_absolute());
    let state = state.or_else(|| Some(env::home_dir()?.join(".local/state")))?;
    Some(state.join("linkglot/runs"))
}

/// Begins the journal of a run, unless the user wants none.
///
/// # Errors
///
/// When it cannot be written, or another run works on the same files.
pub fn begin(args: &RewriteArgs, inputs: &Inputs) -> Result<Option<Journal>, Failure> {
    let options = &args.destination;
    if !options.in_place || options.no_journal || options.dry_run {
        return Ok(None);
    }
    let roots = roots(inputs);
    refuse_or_tell(&roots)?;
    let now = jiff::Timestamp::now();
    let id = format!("{}-{}", now.strftime("%Y%m%d-%H%M%S"), process::id());
    let path = match (&options.journal, directory()) {
        (Some(path), _) => path.clone(),
        (None, Some(directory)) => directory.join(&id).with_extension(EXTENSION),
        (None, None) => {
            return Err(Failure::new(
                "expected a home directory for the journal; `--journal FILE` names a file, `--no-journal` goes without",
            ));
        }
    };
    let header = RunHeader {
        id,
        started: now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        directory: env::current_dir().unwrap_or_default(),
        arguments: args.config.recorded(),
        roots,
    };
    Ok(Some(Journal::begin(path, header)?))
}

/// What a run works on; of many files, the directory that all of them are in.
fn roots(inputs: &Inputs) -> Vec<PathBuf> {
    const MANY: usize = 64;
    let paths = inputs.roots.iter().map(Root::path);
    let roots: Vec<PathBuf> = paths
        .filter_map(|path| fs::canonicalize(path).ok())
        .collect();
    if roots.len() <= MANY {
        return roots;
    }
    let common = roots
        .iter()
        .skip(1)
        .fold(roots[0].as_path(), |common, root| {
            let mut ancestors = common.ancestors();
            ancestors
                .find(|ancestor| root.starts_with(ancestor))
                .unwrap_or(Path::new("/"))
        });
    vec![common.to_owned()]
}

/// Refuses a run over files that another one works on, and tells of one that was interrupted there.
fn refuse_or_tell(roots: &[PathBuf]) -> Result<(), Failure> {
    for journal in journals() {
        let header = journal.header();
        let mut own = header.roots.iter();
        let Some(root) = own.find(|own| roots.iter().any(|root| overlap(own, root))) else {
            continue;
        };
        let (id, root) = (&header.id, shown(root));
        match journal.state() {
            Ok(RunState::Running) => {
                return Err(Failure::new(format!(
                    "the run {id} works on `{root}`; wait until it ends"
                )));
            }
            Ok(RunState::Interrupted) => complain(format_args!(
                "the run {id} in `{root}` was interrupted; `linkglot undo {id}` takes back what it changed"
            )),
            _ => {}
        }
    }
    Ok(())
}

fn overlap(a: &Path, b: &Path) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

fn shown(path: &Path) -> String {
    String::from_utf8_lossy(&escape_controls(path.to_string_lossy().as_bytes())).into_owned()
}

/// The journals below the state directory, oldest first. What is none is passed over.
fn journals() -> Vec<JournalFile> {
    let entries = directory().and_then(|directory| fs::read_dir(directory).ok());
    let paths = entries.into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = paths.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension() == Some(OsStr::new(EXTENSION)));
    paths.sort();
    let journals = paths.iter().map(|path| JournalFile::open(path));
    journals.flatten().collect()
}

/// Runs the command `runs`.
pub fn list(args: &RunsArgs) -> Result<Status, Failure> {
    let mut out = Vec::new();
    for mut journal in journals() {
        let state = match journal.state()? {
            RunState::Running => "running",
            RunState::Ended => "ended",
            RunState::Interrupted => "interrupted",
            RunState::Undone => "undone",
        };
        let files = journal.records()?.len();
        let RunHeader { id, arguments, .. } = journal.header();
        let words = arguments.iter().map(|word| quoted(word));
        let command: Vec<String> = words.collect();
        match args.json {
            true => json::run(&mut out, journal.header(), state, files),
            false => {
                let directory = shown(&journal.header().directory);
                let command = command.join(" ");
                let row = format!("{id}\t{state}\t{files}\t{directory}\tlinkglot {command}\n");
                out.extend_from_slice(row.as_bytes());
            }
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

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |ch: char| ch.is_alphanumeric() || "-_./:=,+%@".contains(ch);
    let word = String::from_utf8_lossy(&escape_controls(word.as_bytes())).into_owned();
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Runs the command `undo`.
pub fn take_back(args: &UndoArgs, temp_files: &TempFiles) -> Result<Status, Failure> {
    let mut journal = named(args.run.as_deref())?;
    let id = journal.header().id.clone();
    match journal.state()? {
        RunState::Running => {
            return Err(Failure::new(format!(
                "the run {id} goes on; wait until it ends"
            )));
        }
        RunState::Undone => return Err(Failure::new(format!("the run {id} was undone already"))),
        RunState::Ended | RunState::Interrupted => {}
    }
    let (mut restored, mut unchanged, mut failed) = (0_u64, 0_u64, 0_u64);
    // The last change of a file first.
    for at in journal.records()?.into_iter().rev() {
        let record = journal.record(at)?;
        warn_of_hard_links(&record.path);
        match undo(&record, temp_files, args.force) {
            Ok(Undone::Restored) => restored += 1,
            Ok(Undone::Unchanged) => unchanged += 1,
            Err(error) => {
                failed += 1;
                complain_about(&record.path, error.to_string());
            }
        }
    }
    for root in &journal.header().roots {
        remove_stale(root);
    }
    if failed == 0 {
        journal.mark_undone()?;
    }
    let mut words = vec![format!("{restored} files have their old content again")];
    words.extend((unchanged > 0).then(|| format!("{unchanged} had it already")));
    words.extend((failed > 0).then(|| format!("{failed} failed")));
    complain(words.join(", "));
    Ok(match (failed, restored + unchanged) {
        (0, _) => Status::Success,
        (_, 0) => Status::Failure,
        _ => Status::SomeFilesFailed,
    })
}

/// Another name of a file keeps what the run made of it.
fn warn_of_hard_links(path: &Path) {
    #[cfg(unix)]
    if let Ok(found) = fs::metadata(path)
        && std::os::unix::fs::MetadataExt::nlink(&found) > 1
    {
        complain_about(
            path,
            "the file has other names (hard links), which keep the content of the run",
        );
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Removes the temporary files that a killed run left below a root. What cannot be read or removed stays.
fn remove_stale(path: &Path) {
    let is_directory = fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    if !is_directory {
        return;
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => remove_stale(&entry.path()),
            Ok(kind) if kind.is_file() => drop(TempFiles::remove_stale(&entry.path())),
            _ => {}
        }
    }
}

/// The journal of a run: by its name, by its file, or the last one.
fn named(run: Option<&Path>) -> Result<JournalFile, Failure> {
    let Some(run) = run else {
        let last = journals().pop();
        return last.ok_or_else(|| Failure::new("expected a run to undo, found none"));
    };
    let by_name = directory().map(|directory| directory.join(run).with_extension(EXTENSION));
    let path = by_name.filter(|path| path.exists());
    match JournalFile::open(path.as_deref().unwrap_or(run)) {
        Ok(journal) => Ok(journal),
        Err(error) if is_missing(run) => Err(Failure::new(format!(
            "expected a run, found `{}`: {error}; `linkglot runs` lists them",
            shown(run)
        ))),
        Err(error) => Err(Failure::with_path(run, &error)),
    }
}

fn is_missing(path: &Path) -> bool {
    fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

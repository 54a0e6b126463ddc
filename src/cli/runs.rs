//! The command `runs`, and the journal that `rewrite --in-place` keeps for it, for `undo` and for `resume`.

use super::args::{RewriteArgs, RunsArgs};
use super::inputs::Inputs;
use super::output::{Output, complain};
use super::{Failure, Status, json, resume};
use linkglot::driver::{
    Directory, Journal, JournalFile, Links, Root, RunHeader, RunState, TempFiles, escape_controls,
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
        id: id.clone(),
        started: now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        directory: env::current_dir().unwrap_or_default(),
        arguments: args.config.recorded(),
        options: resume::option_files(args)?,
        roots: roots.clone(),
    };
    let journal = Journal::begin(path, header)?;
    // After that, so that of two runs that begin at once one sees the other.
    if let Err(refused) = refuse_running(&roots, &id) {
        journal.end()?;
        return Err(refused);
    }
    tell_of_interrupted(&roots, &id);
    Ok(Some(journal))
}

/// The journals among the files of a run: it must not rewrite them.
pub fn among(inputs: &Inputs, journal: Option<&Journal>) -> Vec<PathBuf> {
    let roots = roots(inputs);
    let all = directory().and_then(|directory| fs::canonicalize(directory).ok());
    let own = journal.and_then(|journal| journal.places().ok());
    let mut places: Vec<PathBuf> = all.into_iter().chain(own.into_iter().flatten()).collect();
    places.retain(|place| roots.iter().any(|root| place.starts_with(root)));
    places
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

/// Refuses a run over files that another one works on. `id` is its own name.
pub fn refuse_running(roots: &[PathBuf], id: &str) -> Result<(), Failure> {
    for (journal, root) in journals_over(roots) {
        let other = &journal.header().id;
        if other != id && matches!(journal.state(), Ok(RunState::Running)) {
            let root = shown(&root);
            return Err(Failure::new(format!(
                "the run {other} works on `{root}`; wait until it ends"
            )));
        }
    }
    Ok(())
}

/// Tells of runs that were interrupted over the same files. `id` is its own name.
fn tell_of_interrupted(roots: &[PathBuf], id: &str) {
    for (journal, root) in journals_over(roots) {
        let other = &journal.header().id;
        if other != id && matches!(journal.state(), Ok(RunState::Interrupted)) {
            let (id, root) = (other, shown(&root));
            complain(format_args!(
                "the run {id} in `{root}` was interrupted; `linkglot resume {id}` goes on with it, `linkglot undo {id}` takes back what it changed"
            ));
        }
    }
}

/// The runs over these files, and the part of each that is among them.
fn journals_over(roots: &[PathBuf]) -> impl Iterator<Item = (JournalFile, PathBuf)> {
    journals().filter_map(|journal| {
        let mut own = journal.header().roots.iter();
        let root = own.find(|own| roots.iter().any(|root| overlap(own, root)));
        let root = root?.clone();
        Some((journal, root))
    })
}

fn overlap(a: &Path, b: &Path) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

fn shown(path: &Path) -> String {
    String::from_utf8_lossy(&escape_controls(path.to_string_lossy().as_bytes())).into_owned()
}

/// The journals below the state directory, oldest first. What is none is passed over.
pub fn journals() -> impl DoubleEndedIterator<Item = JournalFile> {
    let entries = directory().and_then(|directory| fs::read_dir(directory).ok());
    let paths = entries.into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = paths.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension() == Some(OsStr::new(EXTENSION)));
    paths.sort();
    // One after the other: there may be more than files can be open.
    paths.into_iter().flat_map(|path| JournalFile::open(&path))
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
        let files = journal.files()?;
        let RunHeader { id, arguments, .. } = journal.header();
        let words = arguments.iter();
        let words = words.map(|word| quoted(&word.to_string_lossy()));
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

/// Removes the temporary files that a killed run left below a root, or beside it. What cannot be read or removed stays.
pub fn remove_stale(root: &Path) {
    let (directory, depth) = match is_directory(root) {
        true => (root, usize::MAX),
        false => (root.parent().unwrap_or(root), 1),
    };
    if Directory::open(directory, Links::None).is_ok() {
        remove_stale_below(directory, depth);
    }
}

/// Whether a root of a run still is without symbolic links, as it was then.
pub fn is_without_links(root: &Path) -> bool {
    let directory = match is_directory(root) {
        true => root,
        false => root.parent().unwrap_or(root),
    };
    !root.is_symlink() && Directory::open(directory, Links::None).is_ok()
}

fn is_directory(root: &Path) -> bool {
    fs::symlink_metadata(root).is_ok_and(|found| found.is_dir())
}

fn remove_stale_below(directory: &Path, depth: usize) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 1 => remove_stale_below(&entry.path(), depth - 1),
            Ok(kind) if kind.is_file() => drop(TempFiles::remove_stale(&entry.path())),
            _ => {}
        }
    }
}

/// The journal of a run: by its name, or by its file.
pub fn named(run: &Path) -> Result<JournalFile, Failure> {
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

/// The last run over files in the current directory, or in one around it: another directory is another's business.
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
            "expected a run {which} in `{here}`, found none; `linkglot runs` lists those of other directories, too"
        ))
    })
}

fn is_missing(path: &Path) -> bool {
    fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

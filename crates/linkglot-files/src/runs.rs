//! Runs and their journals: the place of journals, and runs on the same files.

use super::directory::{Directory, Links};
use super::display::display;
use super::journal::{
    Journal, JournalFile, Key, Known, OptionFile, RunHeader, RunState, state_directory,
};
use super::remedy::Remedy;
use super::replace::TempFiles;
use super::walk::Root;
use linkglot::error::{Error, ErrorKind};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

/// The ending of journals.
const EXTENSION: &str = "jsonl";

/// The description of a new run, for its journal.
#[derive(Clone, Debug, Default)]
pub struct NewRun {
    /// The path of the journal; `None` for a new file in the directory of journals.
    pub journal: Option<PathBuf>,
    /// The arguments, which `resume` repeats.
    pub arguments: Vec<OsString>,
    /// The files that the arguments name.
    pub options: Vec<OptionFile>,
    /// The absolute paths of the files and directories that the run works on.
    pub roots: Vec<PathBuf>,
}

/// The directory of journals.
pub fn journal_directory() -> Option<PathBuf> {
    Some(state_directory()?.join("runs"))
}

impl NewRun {
    /// Begins the journal.
    ///
    /// # Errors
    ///
    /// When the journal cannot be written, or another run works on the same files.
    pub fn begin(self) -> Result<Journal, Error> {
        let now = jiff::Timestamp::now();
        let id = format!("{}-{}", now.strftime("%Y%m%d-%H%M%S"), unique());
        let is_named = self.journal.is_some();
        let path = match (self.journal, journal_directory()) {
            (Some(path), _) => path,
            (None, Some(directory)) => directory.join(&id).with_extension(EXTENSION),
            (None, None) => {
                let message = "expected a home directory for the journal";
                return Err(Remedy::NameJournal.for_error(message));
            }
        };
        let key = made_key(is_named).map_err(|cause| {
            let path = display(&path);
            Remedy::NoJournal.for_error(format!("cannot keep the journal `{path}`: {cause}"))
        })?;
        let header = RunHeader {
            id: id.clone(),
            started: now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            directory: env::current_dir().unwrap_or_default(),
            arguments: self.arguments,
            options: self.options,
            roots: self.roots.clone(),
            nonce: String::new(),
        };
        let mut journal = Journal::begin(path, header, key)?;
        journal.entry = entry_of(&journal).filter(|_| is_named);
        // Checked after the journal has begun, so that of two runs that begin at once at least one sees the other.
        if let Err(refused) = refuse_running(&self.roots, &id) {
            journal.end()?;
            return Err(refused);
        }
        Ok(journal)
    }
}

/// Makes the entry of a journal elsewhere in the directory of journals, so that its run is found: a symbolic link.
/// `None` if it cannot be made; the run can then be undone by the path of its journal.
#[cfg(unix)]
fn entry_of(journal: &Journal) -> Option<PathBuf> {
    let directory = journal_directory()?;
    fs::create_dir_all(&directory).ok()?;
    let entry = directory.join(journal.id()).with_extension(EXTENSION);
    let path = std::path::absolute(journal.path()).ok()?;
    std::os::unix::fs::symlink(path, &entry).ok()?;
    Some(entry)
}

/// Makes no entry: not every user may make symbolic links.
#[cfg(not(unix))]
fn entry_of(_: &Journal) -> Option<PathBuf> {
    None
}

/// The path of the journal that an entry of the directory of journals leads to.
fn journal_of(entry: PathBuf) -> PathBuf {
    fs::read_link(&entry).unwrap_or(entry)
}

/// The key for a new journal, made if necessary. A journal that the user named does without a key if none can be made,
/// in a read-only home: it then counts as foreign for `undo`.
fn made_key(is_named: bool) -> Known {
    let found = Key::own()?;
    let Some(directory) = state_directory().filter(|_| found.is_none()) else {
        return Ok(found);
    };
    match Key::create(&directory) {
        Err(_) if is_named => Ok(None),
        made => made.map(Some),
    }
}

/// The option by which a binding records the suffix of its backups among the arguments of a run.
pub const BACKUP: &str = "--backup";

/// The suffix of backups that a binding recorded.
pub fn noted_backup(header: &RunHeader) -> Option<OsString> {
    let mut arguments = header.arguments.iter();
    arguments.find(|argument| *argument == BACKUP)?;
    arguments.next().cloned()
}

/// A unique number: of the process, and of its runs from the second on.
fn unique() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static RUNS: AtomicU64 = AtomicU64::new(0);
    match RUNS.fetch_add(1, Ordering::Relaxed) {
        0 => process::id().to_string(),
        // Sorts after the first run by name.
        run => format!("{}_{run}", process::id()),
    }
}

/// The absolute paths that a run works on; for many files, the directory that holds all of them.
pub fn real_roots(roots: &[Root]) -> Vec<PathBuf> {
    const MANY: usize = 64;
    let paths = roots.iter().map(Root::path);
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

/// The journals among the files below these roots, and their key: a run must not rewrite these files.
pub fn journals_among(roots: &[PathBuf], journal: Option<&Journal>) -> Vec<PathBuf> {
    let all = state_directory().and_then(|directory| fs::canonicalize(directory).ok());
    let own = journal.and_then(|journal| journal.places().ok());
    let mut places: Vec<PathBuf> = all.into_iter().chain(own.into_iter().flatten()).collect();
    places.retain(|place| roots.iter().any(|root| place.starts_with(root)));
    places
}

/// Refuses a run over files that another run works on. `id` is the name of the new run.
///
/// # Errors
///
/// When another run works on the files.
pub fn refuse_running(roots: &[PathBuf], id: &str) -> Result<(), Error> {
    for (journal, root) in journals_over(roots) {
        let other = &journal.header().id;
        if other != id && matches!(journal.state(), Ok(RunState::Running)) {
            let root = display(&root);
            return Err(error(format!(
                "the run {other} works on `{root}`; wait until it ends"
            )));
        }
    }
    Ok(())
}

/// The interrupted runs over the same files, with the places. `id` is the name of the present run.
pub fn interrupted_over(roots: &[PathBuf], id: &str) -> impl Iterator<Item = (String, PathBuf)> {
    journals_over(roots).filter_map(move |(journal, root)| {
        let other = &journal.header().id;
        let is_interrupted = matches!(journal.state(), Ok(RunState::Interrupted));
        (other != id && is_interrupted).then(|| (other.clone(), root))
    })
}

/// The runs over these files, each with the root that is among them.
fn journals_over(roots: &[PathBuf]) -> impl Iterator<Item = (JournalFile, PathBuf)> {
    journals().filter_map(|journal| {
        let mut own = journal.header().roots.iter();
        let root = own.find(|own| roots.iter().any(|root| overlap(own, root)));
        let root = root?.clone();
        Some((journal, root))
    })
}

/// True if one of two paths contains the other.
pub fn overlap(a: &Path, b: &Path) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

/// The journals in the directory of journals, and those elsewhere that have an entry there, oldest first. Other files
/// are passed over.
pub fn journals() -> impl DoubleEndedIterator<Item = JournalFile> {
    let entries = journal_directory().and_then(|directory| fs::read_dir(directory).ok());
    let paths = entries.into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = paths.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension() == Some(OsStr::new(EXTENSION)));
    paths.sort_by_cached_key(|path| order(path));
    let key = Key::own();
    // Opened one after the other: there may be more journals than files that can be open.
    let open = move |entry: PathBuf| JournalFile::open(&journal_of(entry), &key);
    paths.into_iter().flat_map(open)
}

/// The order of journals by their names: time, process, run. For processes of the same second, 10012 comes after 9967.
fn order(path: &Path) -> (String, u64, u64, PathBuf) {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let (time, process) = name.rsplit_once('-').unwrap_or((&name, ""));
    let (process, run) = process.split_once('_').unwrap_or((process, ""));
    let number = |text: &str| text.parse().unwrap_or(0);
    (
        time.to_owned(),
        number(process),
        number(run),
        path.to_owned(),
    )
}

/// Finds the journal of a run, by the name of the run or the path of the journal.
///
/// # Errors
///
/// When the journal does not exist or cannot be read.
pub fn find_run(run: &Path) -> Result<JournalFile, Error> {
    let by_name =
        journal_directory().map(|directory| directory.join(run).with_extension(EXTENSION));
    let path = by_name.filter(|path| path.exists()).map(journal_of);
    JournalFile::open(path.as_deref().unwrap_or(run), &Key::own()).map_err(|cause| {
        let run_shown = display(run);
        if fs::metadata(run).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            Remedy::ListRuns.for_error(format!("expected a run, found `{run_shown}`: {cause}"))
        } else {
            error(format!("{run_shown}: {cause}"))
        }
    })
}

/// Removes the temporary files that a killed run left below a root, or beside it. Errors are ignored.
pub fn remove_stale(root: &Path) {
    let (directory, depth) = if is_directory(root) {
        (root, usize::MAX)
    } else {
        (root.parent().unwrap_or(root), 1)
    };
    if Directory::open(directory, Links::None).is_ok() {
        remove_stale_below(directory, depth);
    }
}

/// True if the root of a run still has no symbolic links.
pub(super) fn is_without_links(root: &Path) -> bool {
    let directory = if is_directory(root) {
        root
    } else {
        root.parent().unwrap_or(root)
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

fn error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Io, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_second_are_in_order() {
        let names = [
            "20261124-043332-10500",
            "20261124-043333-9967",
            "20261124-043333-9967_1",
            "20261124-043333-9967_10",
            "20261124-043333-10012",
        ];
        let paths = names.map(|name| PathBuf::from(format!("{name}.jsonl")));
        assert!(paths.is_sorted_by_key(|path| order(path)));
    }
}

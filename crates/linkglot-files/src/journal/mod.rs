//! The journal of a run: the changes of each file, so that the run can be undone, or continued after an interruption.
//!
//! A journal is a text with one JSON object per line: first the run, then a record for each file, finally the end. A
//! record is on disk before its file is replaced. So whatever interrupts a run, each of its files matches one of the
//! two digests of its record, or has no record and is unchanged.
//!
//! Journals decide which files `undo` writes and which arguments `resume` runs, so not every journal is trusted: each
//! line has a [seal], and paths in journals without seals have [bounds].

mod bounds;
mod kept;
mod key;
mod option_file;
mod read;
mod record;
mod recorded;
mod seal;
mod text;

pub(super) use key::{Key, Known, state_directory};
pub use read::{JournalFile, Records, RunState};
pub(super) use record::FileVersions;
pub use record::{FileEdit, FileRecord, LinkRecord, OptionFile, RunHeader};
pub(super) use recorded::Replaced;

use super::directory::{Directory, Links, Place, directory_of};
use super::display::display;
use super::group_sync::{Rounds, Synced};
use super::remedy::Remedy;
use super::stamp::Stamp;
use crate::parallel::lock;
use kept::Kept;
use linkglot::error::{Error, ErrorKind};
use record::Line;
use recorded::Recorded;
use seal::Sealer;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// The journal of a running run, with a lock: nobody undoes the run while it lasts.
#[derive(Debug)]
pub struct Journal {
    id: String,
    path: PathBuf,
    /// The entry in the directory of journals, if the journal is elsewhere.
    pub(super) entry: Option<PathBuf>,
    /// The directory of the run, to which paths in the journal are relative.
    directory: PathBuf,
    kept: Kept,
    /// The device of the journal.
    device: u64,
    /// The records written before the run was interrupted.
    recorded: Recorded,
    state: Mutex<State>,
    /// Syncs of the journal, each for all records written before.
    syncs: Rounds<Result<(), Error>>,
}

#[derive(Debug)]
struct State {
    file: Arc<File>,
    /// Seals each line; `None` if no key can be kept.
    sealer: Option<Sealer>,
    /// The number of recorded files.
    files: u64,
    /// The error of a line that could not be written. The line may be incomplete, or not on disk, so that no other may
    /// follow.
    failure: Option<Error>,
    /// True if the failure was a sync. Then earlier lines may not be on disk either.
    is_unsynced: bool,
}

impl State {
    fn new(file: File, sealer: Option<Sealer>, files: u64) -> Self {
        State {
            file: Arc::new(file),
            sealer,
            files,
            failure: None,
            is_unsynced: false,
        }
    }

    /// Writes a line, without syncing it.
    fn write(&mut self, line: &Line) -> Result<(), Error> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let written = write(&self.file, line, self.sealer.as_mut());
        self.failure = written.as_ref().err().cloned();
        written
    }
}

impl Journal {
    /// Begins a journal at a path that is free. Without a key, its lines have no seals.
    ///
    /// # Errors
    ///
    /// When the journal cannot be written.
    pub(super) fn begin(path: PathBuf, header: RunHeader, key: Option<Key>) -> Result<Self, Error> {
        let (id, directory) = (header.id.clone(), header.directory.clone());
        let mut sealer = key.map(|key| Sealer::new(key, seal::FIRST));
        let created = create(&path, header, &mut sealer);
        let (file, kept) = created.map_err(|error| failed(&path, &error))?;
        Ok(Journal {
            id,
            kept,
            path,
            entry: None,
            device: device_of(&file)?,
            directory,
            recorded: Recorded::default(),
            state: Mutex::new(State::new(file, sealer, 0)),
            syncs: Rounds::default(),
        })
    }

    /// Takes up the journal of an interrupted run, and returns the header, which has the arguments of the run. A last
    /// line that a crash cut off is removed.
    ///
    /// # Errors
    ///
    /// When the run is still running, has ended or was undone; when the journal is foreign or was changed, or cannot be
    /// read or written.
    pub fn resume(path: &Path) -> Result<(Self, RunHeader), Error> {
        let mut journal = JournalFile::open(path, &Key::own())?;
        let header = journal.header().clone();
        let id = header.id.clone();
        let file = journal.open_to_append()?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(error(format!(
                "the run {id} is still running; wait until it ends"
            )));
        }
        journal.verify()?;
        match journal.ending()? {
            RunState::Ended => Err(error(format!(
                "expected an interrupted run, found the finished run {id}"
            ))),
            RunState::Undone => Err(error(format!(
                "expected an interrupted run, found the undone run {id}"
            ))),
            RunState::Running | RunState::Interrupted => Ok(()),
        }?;
        let records = journal.records()?;
        file.set_len(records.tail.end)?;
        let files = records.files.len() as u64;
        let sealer = journal.sealer_behind(records.tail);
        let journal = Journal {
            id,
            path: path.to_owned(),
            entry: None,
            directory: header.directory.clone(),
            kept: Kept::new(&Place::new(path)?, path),
            device: device_of(&file)?,
            recorded: Recorded::read(journal)?,
            state: Mutex::new(State::new(file, sealer, files)),
            syncs: Rounds::default(),
        };
        Ok((journal, header))
    }

    /// The name of the run.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The path of the journal, as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if the lines have seals, by which `undo` and `resume` recognize the journal as one's own.
    pub fn is_sealed(&self) -> bool {
        self.state().sealer.is_some()
    }

    /// The real paths of the journal and of the directory of contents kept whole.
    ///
    /// # Errors
    ///
    /// When the paths cannot be resolved.
    pub fn places(&self) -> Result<[PathBuf; 2], Error> {
        let path = fs::canonicalize(&self.path)?;
        let kept = kept::directory_of(&path);
        Ok([path, kept])
    }

    /// True if the run goes on after an interruption, and had recorded files before it.
    pub(super) fn is_resumed(&self) -> bool {
        !self.recorded.is_empty()
    }

    /// The digests of the old and the new content of a file that was recorded before the interruption.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub(super) fn digests(&self, path: &Path) -> Result<Option<(String, String)>, Error> {
        self.recorded.digests(path)
    }

    /// The files with several names that were recorded before the interruption.
    pub(super) fn replaced(&self) -> &[Replaced] {
        self.recorded.replaced()
    }

    /// Records a file that is about to be replaced. The record must be on disk before the file is replaced
    /// ([`sync`](Self::sync)).
    ///
    /// # Errors
    ///
    /// When the record cannot be written. The file must not be replaced then.
    pub(super) fn record(&self, mut record: FileRecord) -> Result<(), Error> {
        record.path = self.below(record.path);
        let mut state = self.state();
        let written = state.write(&Line::File(record));
        written.map_err(|error| failed(&self.path, &error))?;
        state.files += 1;
        Ok(())
    }

    /// Waits until all records written so far are on disk. A sync of their device is sufficient.
    ///
    /// # Errors
    ///
    /// When the records cannot be synced. The files must not be replaced then.
    pub(super) fn sync(&self, synced: Synced) -> Result<(), Error> {
        let (file, failure) = {
            let state = self.state();
            let failure = state.failure.clone().filter(|_| state.is_unsynced);
            (Arc::clone(&state.file), failure)
        };
        let done = match failure {
            Some(failure) => Err(failure),
            None if synced == Synced::FileSystem(self.device) => Ok(()),
            None => self.syncs.join(|_| Ok(file.sync_data()?)),
        };
        done.map_err(|error| {
            let mut state = self.state();
            state.failure.get_or_insert_with(|| error.clone());
            state.is_unsynced = true;
            failed(&self.path, &error)
        })
    }

    /// Records another name of a file, which is about to become a name of the new file.
    pub(super) fn record_link(&self, mut record: LinkRecord) -> Result<(), Error> {
        record.path = self.below(record.path);
        record.first = self.below(record.first);
        self.append(&Line::Link(record))
    }

    /// Keeps an old content whole, beside the journal.
    pub(super) fn keep(&self, old: &mut dyn Read) -> Result<String, Error> {
        let kept = self.kept.keep(old);
        kept.map_err(|error| failed(&self.path, &error))
    }

    /// Writes and syncs a line.
    fn append(&self, line: &Line) -> Result<(), Error> {
        let written = self.state().write(line);
        written.map_err(|error| failed(&self.path, &error))?;
        self.sync(Synced::File)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// A path in the form of the journal.
    fn below(&self, path: PathBuf) -> PathBuf {
        match path.strip_prefix(&self.directory) {
            Ok(below) => below.to_owned(),
            Err(_) => path,
        }
    }

    /// Ends the journal. A journal without records is removed; a journal that could not record everything remains that
    /// of an interrupted run, so that the run can be resumed. Returns the number of recorded files.
    ///
    /// # Errors
    ///
    /// When the journal cannot be written.
    pub fn end(self) -> Result<u64, Error> {
        let (files, is_whole) = {
            let state = self.state();
            (state.files, state.failure.is_none())
        };
        let ended = match files {
            0 => {
                // An entry that leads nowhere does no harm.
                self.entry.map(fs::remove_file);
                let removed = fs::remove_file(&self.path).map_err(Error::from);
                removed.and_then(|()| self.kept.remove())
            }
            _ if is_whole => return self.append(&Line::End { files }).map(|()| files),
            _ => Ok(()),
        };
        ended.map_err(|error| failed(&self.path, &error))?;
        Ok(files)
    }
}

fn device_of(file: &File) -> Result<u64, Error> {
    Ok(Stamp::new(&file.metadata()?).identity.0)
}

fn create(
    path: &Path,
    mut header: RunHeader,
    sealer: &mut Option<Sealer>,
) -> Result<(File, Kept), Error> {
    let directory = path.parent().filter(|path| !path.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    create_directory(directory)?;
    let kept = Kept::new(&Place::new(path)?, path);
    kept.check_free()?;
    if sealer.is_some() {
        header.nonce = key::nonce()?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create_new(true);
    // Journals contain parts of files that others may not be allowed to read.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    // File systems without locks can hold journals, too.
    let _ = file.try_lock();
    let begun = write(&file, &Line::Run(header), sealer.as_mut())
        .and_then(|()| Ok(file.sync_data()?))
        .and_then(|()| Ok(Directory::open(directory, Links::All)?.sync()?));
    if let Err(error) = begun {
        // Without its first line the file is not a journal, and would block the next run. `create_new` made it, so it
        // belongs to nobody else.
        let _ = fs::remove_file(path);
        return Err(error);
    }
    Ok((file, kept))
}

/// Creates a directory and its parents, and syncs all of them.
fn create_directory(path: &Path) -> Result<(), Error> {
    let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
    let missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    fs::create_dir_all(path)?;
    for created in missing {
        Directory::open(directory_of(created), Links::All)?.sync()?;
    }
    Ok(())
}

/// Appends a line with its seal.
fn write(mut file: &File, line: &Line, sealer: Option<&mut Sealer>) -> Result<(), Error> {
    let mut text = line.text()?;
    if let Some(sealer) = sealer {
        sealer.seal(&mut text);
    }
    Ok(file.write_all(&text)?)
}

fn failed(path: &Path, error: &Error) -> Error {
    let path = display(path);
    Remedy::OtherJournal.for_error(format!("cannot keep the journal `{path}`: {error}"))
}

fn error(message: String) -> Error {
    Error::new(ErrorKind::Io, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> RunHeader {
        RunHeader {
            id: "1".to_owned(),
            started: "2026-01-01T00:00:00Z".to_owned(),
            directory: PathBuf::from("/d"),
            arguments: vec!["rewrite".into()],
            roots: vec![PathBuf::from("/d")],
            options: Vec::new(),
            nonce: String::new(),
        }
    }

    fn key() -> Key {
        Key::of([7; 32])
    }

    fn begin(path: &Path) -> Result<Journal, Error> {
        Journal::begin(path.to_owned(), header(), Some(key()))
    }

    fn open(path: &Path) -> Result<JournalFile, Error> {
        JournalFile::open(path, &Ok(Some(key())))
    }

    #[test]
    fn a_journal_is_read_as_it_was_written() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/b/run.jsonl");
        let journal = begin(&path).unwrap();
        assert!(begin(&path).is_err());
        let record = |name: &str| {
            let edit = FileEdit {
                start: 1,
                old: b"bcde".to_vec(),
                new: b"XY".to_vec(),
            };
            FileRecord::new(Path::new(name), (b"abcdef", b"aXYf"), vec![edit])
        };
        journal.record(record("/d/é")).unwrap();
        journal.record(record("/d/f")).unwrap();
        let running = open(&path).unwrap();
        assert_eq!(running.state().unwrap(), RunState::Running);
        drop((running, journal));
        let mut interrupted = open(&path).unwrap();
        assert!(interrupted.is_own() && !interrupted.header().nonce.is_empty());
        assert_eq!(interrupted.header().roots, header().roots);
        assert_eq!(interrupted.state().unwrap(), RunState::Interrupted);
        let read = |journal: &mut JournalFile| -> Vec<FileRecord> {
            let places = journal.records().unwrap().files.into_iter();
            places.map(|at| journal.record(at).unwrap()).collect()
        };
        assert_eq!(read(&mut interrupted), [record("/d/é"), record("/d/f")]);
        // A line that a crash cut off does not count.
        let text = fs::read(&path).unwrap();
        fs::write(&path, &text[..text.len() - 3]).unwrap();
        let mut cut = open(&path).unwrap();
        assert_eq!(read(&mut cut), [record("/d/é")]);
    }

    #[test]
    fn a_run_that_ended_says_so() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("run.jsonl");
        let journal = begin(&path).unwrap();
        let record = FileRecord::new(Path::new("/d/a"), (b"a", b"b"), Vec::new());
        journal.record(record).unwrap();
        assert_eq!(journal.end().unwrap(), 1);
        let mut ended = open(&path).unwrap();
        assert_eq!(ended.state().unwrap(), RunState::Ended);
        assert_eq!(ended.files().unwrap(), 1);
        ended.mark_undone().unwrap();
        assert_eq!(ended.state().unwrap(), RunState::Undone);
    }

    /// A resumed run may change a file again that changed meanwhile. Several threads undo different files only.
    #[test]
    fn several_changes_of_a_file_are_undone_in_turn() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("run.jsonl");
        let journal = begin(&path).unwrap();
        let files: Vec<_> = (0..20)
            .map(|number| place.path().join(number.to_string()))
            .collect();
        for file in &files {
            fs::write(file, "three").unwrap();
            for (old, new) in [("one", "two"), ("two", "three")] {
                let (old, new) = (old.as_bytes(), new.as_bytes());
                let edit = FileEdit {
                    start: 0,
                    old: old.to_vec(),
                    new: new.to_vec(),
                };
                let record = FileRecord::new(file, (old, new), vec![edit]);
                journal.record(record).unwrap();
            }
        }
        journal.end().unwrap();
        let (mut done, temp_files) = (0, crate::TempFiles::new());
        let each = &mut |file: &crate::UndoneFile<'_>| {
            assert!(file.done.is_ok());
            done += 1;
        };
        let journal = open(&path).unwrap();
        crate::Undo::default()
            .run(journal, &temp_files, each)
            .unwrap();
        assert_eq!(done, 40);
        assert!(files.iter().all(|file| fs::read(file).unwrap() == b"one"));
    }

    #[test]
    fn a_run_that_changed_nothing_leaves_no_journal() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("run.jsonl");
        let journal = begin(&path).unwrap();
        assert_eq!(journal.end().unwrap(), 0);
        assert!(!path.exists());
    }

    #[test]
    fn what_is_no_journal_is_told() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a");
        for text in ["", "a", "{}\n", "{\"run\":1}\n"] {
            fs::write(&path, text).unwrap();
            let error = open(&path).unwrap_err().to_string();
            assert!(error.contains("expected a journal"), "{text}: {error}");
        }
    }
}

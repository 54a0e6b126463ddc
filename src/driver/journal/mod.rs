//! The journal of a run: what was changed in which file, so that the run can be undone.
//!
//! A journal is a text of lines, each of them a JSON object: first the run, then a record for each file, at last the end. A
//! record is on disk before its file is replaced. So whatever interrupts a run, each file of it is as one of the two
//! digests of its record says, or has no record and is as it was.

mod read;
mod record;
mod recorder;
mod undo;

pub use read::{JournalFile, RunState};
pub use record::{FileEdit, FileRecord, RunHeader};
pub(super) use recorder::{Digesting, Recorder};
pub use undo::{Undone, undo};

use super::directory::{Directory, Links};
use super::display::display;
use crate::error::{Error, ErrorKind};
use record::Line;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The journal of a run that goes on, and its lock: nobody undoes the run while it lasts.
#[derive(Debug)]
pub struct Journal {
    id: String,
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// How many files were recorded.
    files: u64,
}

impl Journal {
    /// Begins a journal, at a path where no file is.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn begin(path: PathBuf, header: RunHeader) -> Result<Self, Error> {
        let id = header.id.clone();
        let created = create(&path, header);
        let file = created.map_err(|error| failed(&path, &error))?;
        let state = Mutex::new(State { file, files: 0 });
        Ok(Journal { id, path, state })
    }

    /// The name of the run.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Records a file that is about to be replaced. When this returns, the record is on disk.
    ///
    /// # Errors
    ///
    /// When it cannot be written. The file must not be replaced then.
    pub fn record(&self, record: FileRecord) -> Result<(), Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let written = append(&mut state.file, &Line::File(record));
        written.map_err(|error| failed(&self.path, &error))?;
        state.files += 1;
        Ok(())
    }

    /// Ends the journal. One that recorded nothing is removed. Answers how many files were recorded.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn end(self) -> Result<u64, Error> {
        let mut state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let ended = match state.files {
            0 => fs::remove_file(&self.path).map_err(Error::from),
            _ => append(&mut state.file, &Line::End),
        };
        ended.map_err(|error| failed(&self.path, &error))?;
        Ok(state.files)
    }
}

fn create(path: &Path, header: RunHeader) -> Result<File, Error> {
    let directory = path.parent().filter(|path| !path.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    fs::create_dir_all(directory)?;
    let mut file = OpenOptions::new()
        .append(true)
        .create_new(true)
        .open(path)?;
    // File systems without locks keep journals, too.
    let _ = file.try_lock();
    append(&mut file, &Line::Run(header))?;
    Directory::open(directory, Links::All)?.sync()?;
    Ok(file)
}

/// Appends a line, which is on disk when this returns.
fn append(file: &mut File, line: &Line) -> Result<(), Error> {
    file.write_all(&line.text()?)?;
    Ok(file.sync_data()?)
}

fn failed(path: &Path, error: &Error) -> Error {
    let path = display(path);
    let advice = "`--journal FILE` names another one, `--no-journal` goes without";
    Error::new(
        ErrorKind::Io,
        format!("cannot keep the journal `{path}`: {error} ({advice})"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> RunHeader {
        RunHeader {
            id: "1".to_owned(),
            started: "2026-01-01T00:00:00Z".to_owned(),
            directory: PathBuf::from("/d"),
            arguments: vec!["rewrite".to_owned()],
            roots: vec![PathBuf::from("/d")],
        }
    }

    #[test]
    fn a_journal_is_read_as_it_was_written() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/b/run.jsonl");
        let journal = Journal::begin(path.clone(), header()).unwrap();
        assert!(Journal::begin(path.clone(), header()).is_err());
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
        let open = JournalFile::open(&path).unwrap();
        assert_eq!(open.state().unwrap(), RunState::Running);
        drop((open, journal));
        let mut interrupted = JournalFile::open(&path).unwrap();
        assert_eq!(interrupted.header(), &header());
        assert_eq!(interrupted.state().unwrap(), RunState::Interrupted);
        let read = |journal: &mut JournalFile| -> Vec<FileRecord> {
            let places = journal.records().unwrap().into_iter();
            places.map(|at| journal.record(at).unwrap()).collect()
        };
        assert_eq!(read(&mut interrupted), [record("/d/é"), record("/d/f")]);
        // A line that a crash cut is none.
        let text = fs::read(&path).unwrap();
        fs::write(&path, &text[..text.len() - 3]).unwrap();
        let mut cut = JournalFile::open(&path).unwrap();
        assert_eq!(read(&mut cut), [record("/d/é")]);
    }

    #[test]
    fn a_run_that_ended_says_so() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("run.jsonl");
        let journal = Journal::begin(path.clone(), header()).unwrap();
        let record = FileRecord::new(Path::new("/d/a"), (b"a", b"b"), Vec::new());
        journal.record(record).unwrap();
        assert_eq!(journal.end().unwrap(), 1);
        let ended = JournalFile::open(&path).unwrap();
        assert_eq!(ended.state().unwrap(), RunState::Ended);
        ended.mark_undone().unwrap();
        assert_eq!(ended.state().unwrap(), RunState::Undone);
    }

    #[test]
    fn a_run_that_changed_nothing_leaves_no_journal() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("run.jsonl");
        let journal = Journal::begin(path.clone(), header()).unwrap();
        assert_eq!(journal.end().unwrap(), 0);
        assert!(!path.exists());
    }

    #[test]
    fn what_is_no_journal_is_told() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a");
        for text in ["", "a", "{}\n", "{\"run\":1}\n"] {
            fs::write(&path, text).unwrap();
            let error = JournalFile::open(&path).unwrap_err().to_string();
            assert!(error.contains("expected a journal"), "{text}: {error}");
        }
    }
}

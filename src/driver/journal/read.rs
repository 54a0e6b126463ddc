//! Reads journals: of runs that ended, that were interrupted, and that go on.

use super::record::{FileRecord, Line, RunHeader};
use crate::driver::display::display;
use crate::error::{Error, ErrorKind};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It goes on.
    Running,
    /// It came to its end.
    Ended,
    /// It did not.
    Interrupted,
    /// It was taken back.
    Undone,
}

/// The journal of a run.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    file: File,
    header: RunHeader,
    /// Where the records begin.
    begin: u64,
}

impl JournalFile {
    /// Opens a journal.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is none.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path)?;
        let mut line = Vec::new();
        BufReader::new(&file)
            .take(1 << 24)
            .read_until(b'\n', &mut line)?;
        let Ok(Line::Run(header)) = serde_json::from_slice(&line) else {
            let path = display(path);
            let message = format!("expected a journal, found something else in `{path}`");
            return Err(Error::new(ErrorKind::Io, message));
        };
        Ok(JournalFile {
            path: path.to_owned(),
            file,
            header,
            begin: line.len() as u64,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The run.
    pub fn header(&self) -> &RunHeader {
        &self.header
    }

    /// Whether the run goes on, and if not, whether it came to its end.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn state(&self) -> Result<RunState, Error> {
        match self.file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => return Ok(RunState::Running),
            _ => drop(self.file.unlock()),
        }
        let mut file = &self.file;
        let length = file.seek(SeekFrom::End(0))?;
        let mut tail = Vec::new();
        file.seek(SeekFrom::Start(length.saturating_sub(16)))?;
        file.read_to_end(&mut tail)?;
        Ok(match tail.as_slice() {
            tail if tail.ends_with(b"\n\"end\"\n") => RunState::Ended,
            tail if tail.ends_with(b"\n\"undone\"\n") => RunState::Undone,
            _ => RunState::Interrupted,
        })
    }

    /// Where the records stand, in order. A last line that a crash cut is none.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn records(&mut self) -> Result<Vec<u64>, Error> {
        const BEGIN: &[u8] = b"{\"file\":";
        self.file.seek(SeekFrom::Start(self.begin))?;
        let mut reader = BufReader::new(&self.file);
        let (mut places, mut at, mut line) = (Vec::new(), self.begin, Vec::new());
        while reader.read_until(b'\n', &mut line)? > 0 {
            if line.starts_with(BEGIN) && line.ends_with(b"\n") {
                places.push(at);
            }
            at += line.len() as u64;
            line.clear();
        }
        Ok(places)
    }

    /// The record at a place.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read, or there is no record.
    pub fn record(&mut self, at: u64) -> Result<FileRecord, Error> {
        self.file.seek(SeekFrom::Start(at))?;
        let mut line = Vec::new();
        BufReader::new(&self.file).read_until(b'\n', &mut line)?;
        match serde_json::from_slice(&line) {
            Ok(Line::File(record)) => Ok(record),
            _ => {
                let path = display(&self.path);
                let message = format!("expected a record at byte {at} of `{path}`");
                Err(Error::new(ErrorKind::Io, message))
            }
        }
    }

    /// Notes that the run was taken back.
    ///
    /// # Errors
    ///
    /// When the journal cannot be written.
    pub fn mark_undone(&self) -> Result<(), Error> {
        let mut file = OpenOptions::new().append(true).open(&self.path)?;
        // A crash may have cut the last line.
        file.write_all(b"\n")?;
        file.write_all(&Line::Undone.text()?)?;
        Ok(file.sync_data()?)
    }
}

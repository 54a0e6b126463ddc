//! Reads journals: of runs that ended, that were interrupted, and that go on.

use super::kept::Kept;
use super::record::{FileRecord, Line, LinkRecord, RunHeader};
use crate::driver::display::display;
use crate::error::{Error, ErrorKind};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The last line of a run that ended or was undone is shorter than this.
const LONGEST_END: u64 = 64;

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
    pub(super) kept: Kept,
}

/// Where the records of a journal stand, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// Those of files.
    pub files: Vec<u64>,
    /// Those of other names (hard links) of these files.
    pub links: Vec<u64>,
    /// The end of the last whole line.
    pub(super) end: u64,
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
            kept: Kept::new(path),
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
        self.ending()
    }

    /// Locks the journal until it is dropped, so that nobody else undoes or resumes the run.
    ///
    /// # Errors
    ///
    /// When somebody else holds it.
    pub fn hold(&self) -> Result<(), Error> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let id = &self.header.id;
                let message = format!("the run {id} goes on; wait until it ends");
                Err(Error::new(ErrorKind::Io, message))
            }
            // File systems without locks keep journals, too.
            _ => Ok(()),
        }
    }

    /// The state of a run that does not go on.
    pub(super) fn ending(&self) -> Result<RunState, Error> {
        Ok(match self.last_line()? {
            Some(Line::End { .. }) => RunState::Ended,
            Some(Line::Undone { .. }) => RunState::Undone,
            _ => RunState::Interrupted,
        })
    }

    /// The last line, if it is short.
    fn last_line(&self) -> Result<Option<Line>, Error> {
        let mut file = &self.file;
        let length = file.seek(SeekFrom::End(0))?;
        let mut tail = Vec::new();
        file.seek(SeekFrom::Start(length.saturating_sub(LONGEST_END)))?;
        file.read_to_end(&mut tail)?;
        let Some(tail) = tail.strip_suffix(b"\n") else {
            return Ok(None);
        };
        let line = tail.rsplit(|&byte| byte == b'\n').next();
        Ok(line.and_then(|line| serde_json::from_slice(line).ok()))
    }

    /// How many files the run recorded. Of an interrupted run they are counted, in time that grows with the journal.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn files(&mut self) -> Result<u64, Error> {
        match self.last_line()? {
            Some(Line::End { files } | Line::Undone { files }) => Ok(files),
            _ => Ok(self.records()?.files.len() as u64),
        }
    }

    /// Where the records stand. A last line that a crash cut is none.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn records(&mut self) -> Result<Records, Error> {
        let mut records = Records {
            end: self.begin,
            ..Records::default()
        };
        self.for_each(|at, line| {
            records.add(line, at);
            Ok(())
        })?;
        Ok(records)
    }

    /// Reads all whole lines behind the first, and where they stand, in order.
    pub(super) fn for_each(
        &self,
        mut each: impl FnMut(u64, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        (&self.file).seek(SeekFrom::Start(self.begin))?;
        let mut reader = BufReader::with_capacity(64 * 1024, &self.file);
        let (mut at, mut line) = (self.begin, Vec::new());
        while reader.read_until(b'\n', &mut line)? > 0 {
            if line.ends_with(b"\n") {
                each(at, &line)?;
            }
            at += line.len() as u64;
            line.clear();
        }
        Ok(())
    }

    /// The record of a file.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read, or there is none at this place.
    pub fn record(&mut self, at: u64) -> Result<FileRecord, Error> {
        match self.line(at)? {
            Line::File(record) => Ok(record),
            _ => Err(self.no_record(at)),
        }
    }

    /// The record of another name of a file.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read, or there is none at this place.
    pub fn link(&mut self, at: u64) -> Result<LinkRecord, Error> {
        match self.line(at)? {
            Line::Link(record) => Ok(record),
            _ => Err(self.no_record(at)),
        }
    }

    /// The line at a place.
    pub(super) fn line(&mut self, at: u64) -> Result<Line, Error> {
        self.file.seek(SeekFrom::Start(at))?;
        let mut line = Vec::new();
        BufReader::new(&self.file).read_until(b'\n', &mut line)?;
        self.parse(at, &line)
    }

    /// A line, its paths made absolute.
    pub(super) fn parse(&self, at: u64, line: &[u8]) -> Result<Line, Error> {
        let Ok(mut line) = serde_json::from_slice(line) else {
            return Err(self.no_record(at));
        };
        let directory = &self.header.directory;
        match &mut line {
            Line::File(record) => record.path = directory.join(&record.path),
            Line::Link(record) => {
                record.path = directory.join(&record.path);
                record.first = directory.join(&record.first);
            }
            _ => {}
        }
        Ok(line)
    }

    fn no_record(&self, at: u64) -> Error {
        let path = display(&self.path);
        let message = format!("expected a record at byte {at} of `{path}`");
        Error::new(ErrorKind::Io, message)
    }

    /// Notes that the run was taken back, and removes the old contents that were kept whole.
    ///
    /// # Errors
    ///
    /// When the journal cannot be written.
    pub fn mark_undone(&mut self) -> Result<(), Error> {
        let files = self.files()?;
        let mut file = OpenOptions::new().append(true).open(&self.path)?;
        // A crash may have cut the last line.
        file.write_all(b"\n")?;
        file.write_all(&Line::Undone { files }.text()?)?;
        file.sync_data()?;
        Ok(self.kept.remove()?)
    }
}

impl Records {
    /// Adds a line, unless it is no record.
    fn add(&mut self, line: &[u8], at: u64) {
        if line.starts_with(b"{\"file\":") {
            self.files.push(at);
        } else if line.starts_with(b"{\"link\":") {
            self.links.push(at);
        }
        self.end = at + line.len() as u64;
    }
}

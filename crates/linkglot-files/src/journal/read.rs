//! Reads journals: of runs that ended, that were interrupted, and that are still running.
//!
//! A journal is untrusted input until its seals prove otherwise: the paths of a foreign journal stay below a directory
//! that the user chose, and a foreign journal is never written.

use super::bounds::{Bounds, recorded_place};
use super::kept::Kept;
use super::key::{Key, Known};
use super::record::{FileRecord, Line, LinkRecord, RunHeader};
use super::seal::{self, FIRST, SEAL_LENGTH, Seal, Sealer};
use crate::directory::{Links, Place, is_refused_link};
use crate::display::display;
use crate::positioned::Positioned;
use crate::remedy::Remedy;
use crate::stamp::Stamp;
use linkglot::error::{Error, ErrorKind};
use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Length that the last line of an ended or undone run never reaches.
const LONGEST_END: u64 = 128;

/// Maximal length of a header: the system limits arguments to less.
const LONGEST_HEADER: u64 = 1 << 24;

/// Maximal length of a line: a file with more edits is kept whole.
const LONGEST_LINE: u64 = 1 << 26;

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// The run is still running.
    Running,
    /// The run ended.
    Ended,
    /// The run was interrupted.
    Interrupted,
    /// The run was undone.
    Undone,
}

/// The writer of a journal, according to its seals.
#[derive(Clone, Debug)]
enum Writer {
    /// A run of this user on this machine: the header has the seal of the key.
    Own(Key),
    /// Somebody else, or unknown; with the reason.
    Foreign(String),
}

/// The journal of a run.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    place: Place,
    file: File,
    header: RunHeader,
    writer: Writer,
    /// The bounds of a foreign journal, once the user has trusted it.
    bounds: Option<Bounds>,
    /// The seal of the header.
    first: Seal,
    /// The offset of the first record.
    begin: u64,
    kept: Kept,
}

/// The offsets of the records of a journal, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// Offsets of the records of files.
    pub files: Vec<u64>,
    /// Offsets of the records of other names (hard links) of these files.
    pub links: Vec<u64>,
    /// The end of the last valid line.
    pub(super) tail: Tail,
}

/// The end of the last valid line, and its seal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tail {
    pub end: u64,
    pub seal: Seal,
}

impl JournalFile {
    /// Opens a journal. `key` tells whether the journal is one's own.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not a journal.
    pub(crate) fn open(path: &Path, key: &Known) -> Result<Self, Error> {
        let (place, file) = open_regular(path)?;
        let mut line = Vec::new();
        BufReader::new(&file)
            .take(LONGEST_HEADER)
            .read_until(b'\n', &mut line)?;
        let Ok(Line::Run(header)) = serde_json::from_slice(&seal::unsealed(&line)) else {
            return Err(no_journal(path, "something else"));
        };
        if !is_name(&header.id) {
            return Err(no_journal(path, "a run with an invalid name"));
        }
        let (writer, first) = writer_of(&line, key);
        Ok(JournalFile {
            kept: Kept::new(&place, path),
            path: path.to_owned(),
            place,
            file,
            header,
            writer,
            bounds: None,
            first,
            begin: line.len() as u64,
        })
    }

    /// True if a run of this user on this machine wrote the header. [`verify`](Self::verify) checks the other lines.
    pub fn is_own(&self) -> bool {
        matches!(self.writer, Writer::Own(_))
    }

    /// The reason why a journal counts as foreign; `None` for one's own.
    pub fn foreign_reason(&self) -> Option<&str> {
        match &self.writer {
            Writer::Own(_) => None,
            Writer::Foreign(reason) => Some(reason),
        }
    }

    /// Checks that the run wrote all lines. Linear in the length of the journal.
    ///
    /// # Errors
    ///
    /// When the journal is foreign, was changed, or cannot be read.
    pub fn verify(&self) -> Result<(), Error> {
        match &self.writer {
            Writer::Own(_) => self.for_each(|_, _| Ok(())).map(drop),
            Writer::Foreign(_) => Err(self.refusal()),
        }
    }

    /// Treats the journal as a foreign one that the user trusts: its paths lead below the directory that it names, if
    /// that is the current directory or below, otherwise below the current directory.
    ///
    /// # Errors
    ///
    /// When that directory cannot be opened.
    pub(crate) fn confine(&mut self) -> Result<(), Error> {
        self.bounds = Some(Bounds::new(&self.header.directory)?);
        if self.is_own() {
            self.writer = Writer::Foreign("it was changed".to_owned());
        }
        Ok(())
    }

    /// The place of a file that the journal names.
    pub(crate) fn place(&self, path: &Path) -> Result<Place, Error> {
        match (&self.writer, &self.bounds) {
            (Writer::Own(_), _) => recorded_place(path),
            (Writer::Foreign(_), Some(bounds)) => bounds.place(path),
            (Writer::Foreign(_), None) => Err(self.refusal()),
        }
    }

    /// Opens an old content that was kept whole.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub(crate) fn open_kept(&self, name: &str) -> Result<File, Error> {
        self.kept.open(name)
    }

    fn refusal(&self) -> Error {
        let path = display(&self.path);
        let reason = self.foreign_reason().unwrap_or_default();
        let message = format!("expected a journal of your own, found `{path}`: {reason}");
        Remedy::TrustJournal.for_error(message)
    }

    /// The path of the journal.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The run.
    pub fn header(&self) -> &RunHeader {
        &self.header
    }

    /// The state of the run: running, ended, interrupted or undone.
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
    /// When another process holds the lock.
    pub fn hold(&self) -> Result<(), Error> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let id = &self.header.id;
                let message = format!("the run {id} is still running; wait until it ends");
                Err(Error::new(ErrorKind::Io, message))
            }
            // File systems without locks can hold journals, too.
            _ => Ok(()),
        }
    }

    /// The state of a run that is not running.
    pub(crate) fn ending(&self) -> Result<RunState, Error> {
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
        let line = line.map(|line| [line, b"\n"].concat());
        Ok(line.and_then(|line| serde_json::from_slice(&seal::unsealed(&line)).ok()))
    }

    /// The number of files that the run recorded. For an interrupted run they are counted, in time linear in the length
    /// of the journal.
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

    /// The offsets of the records. A last line that a crash cut off does not count.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read, or was changed.
    pub fn records(&mut self) -> Result<Records, Error> {
        let mut records = Records::default();
        records.tail = self.for_each(|at, line| {
            records.add(line, at);
            Ok(())
        })?;
        Ok(records)
    }

    /// Reads all whole lines after the first, in order, with their offsets.
    ///
    /// In one's own journal each line must have its seal. A crash may leave garbage after the last line, depending on
    /// the file system; but no line of a journal follows such garbage.
    pub(super) fn for_each(
        &self,
        mut each: impl FnMut(u64, &[u8]) -> Result<(), Error>,
    ) -> Result<Tail, Error> {
        (&self.file).seek(SeekFrom::Start(self.begin))?;
        let mut reader = BufReader::with_capacity(64 * 1024, &self.file);
        let mut sealer = self.sealer();
        let mut tail = Tail {
            end: self.begin,
            seal: self.first,
        };
        let (mut at, mut line) = (self.begin, Vec::new());
        while self.next_line(at, &mut reader, &mut line)? {
            let is_adjacent = tail.end == at;
            let counts = match &mut sealer {
                None => line.ends_with(b"\n"),
                Some(sealer) => is_adjacent && sealer.accepts(&line),
            };
            let next = at + line.len() as u64;
            if counts {
                each(at, &line)?;
                let seal = sealer.as_ref().map_or(self.first, Sealer::last);
                tail = Tail { end: next, seal };
            } else if sealer.is_some() && is_line(&line) {
                return Err(self.changed(tail.end));
            }
            at = next;
        }
        Ok(tail)
    }

    /// The checker of the seals after the header; `None` for a foreign journal, whose seals prove nothing.
    fn sealer(&self) -> Option<Sealer> {
        match &self.writer {
            Writer::Own(key) => Some(Sealer::new(key.clone(), self.first)),
            Writer::Foreign(_) => None,
        }
    }

    /// Reads the line at `at` into `line`. False at the end.
    fn next_line(
        &self,
        at: u64,
        reader: &mut impl BufRead,
        line: &mut Vec<u8>,
    ) -> Result<bool, Error> {
        line.clear();
        let length = reader.take(LONGEST_LINE).read_until(b'\n', line)?;
        if length as u64 == LONGEST_LINE {
            let path = display(&self.path);
            Err(error(format!(
                "expected lines of up to {} MiB, found a longer one at byte {at} of `{path}`",
                LONGEST_LINE >> 20
            )))
        } else {
            Ok(length > 0)
        }
    }

    /// The record of a file.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read, or has no record of a file at this offset.
    pub fn record(&self, at: u64) -> Result<FileRecord, Error> {
        match self.line(at)? {
            Line::File(record) => Ok(record),
            _ => Err(self.no_record(at)),
        }
    }

    /// The record of another name of a file.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read, or has no record of a name at this offset.
    pub fn link(&self, at: u64) -> Result<LinkRecord, Error> {
        match self.line(at)? {
            Line::Link(record) => Ok(record),
            _ => Err(self.no_record(at)),
        }
    }

    /// The line at an offset. Its seal is checked again, since somebody may write to the file meanwhile.
    pub(super) fn line(&self, at: u64) -> Result<Line, Error> {
        let (mut line, mut before) = (Vec::new(), [0; SEAL_LENGTH]);
        let mut file = Positioned::new(&self.file);
        file.seek(SeekFrom::Start(at.saturating_sub(SEAL_LENGTH as u64)))?;
        if self.is_own() {
            file.read_exact(&mut before)?;
        } else {
            file.seek(SeekFrom::Start(at))?;
        }
        self.next_line(at, &mut BufReader::new(file), &mut line)?;
        if let Writer::Own(key) = &self.writer {
            let last = seal::read(&before).ok_or_else(|| self.changed(at))?;
            if !Sealer::new(key.clone(), last).accepts(&line) {
                return Err(self.changed(at));
            }
        }
        self.parse(at, &line)
    }

    /// Parses a line, and makes its paths absolute.
    pub(super) fn parse(&self, at: u64, line: &[u8]) -> Result<Line, Error> {
        let Ok(mut line) = serde_json::from_slice(&seal::unsealed(line)) else {
            return Err(self.no_record(at));
        };
        let bounds = self.bounds.as_ref();
        let directory = bounds.map_or(&*self.header.directory, Bounds::path);
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

    /// The error of a journal with lines that its run did not write there.
    fn changed(&self, at: u64) -> Error {
        let path = display(&self.path);
        Remedy::TrustJournal.for_error(format!(
            "the journal `{path}` was changed: expected the bytes that the run wrote at byte {at}, found others"
        ))
    }

    fn no_record(&self, at: u64) -> Error {
        let path = display(&self.path);
        let message = format!("expected a record at byte {at} of `{path}`");
        Error::new(ErrorKind::Io, message)
    }

    /// Marks the run as undone, and removes the old contents that were kept whole. A foreign journal stays unchanged,
    /// with all files beside it.
    ///
    /// # Errors
    ///
    /// When the journal cannot be written.
    pub fn mark_undone(&mut self) -> Result<(), Error> {
        let Writer::Own(key) = self.writer.clone() else {
            return Ok(());
        };
        let files = self.files()?;
        let tail = self.records()?.tail;
        // All files have their old content, so the kept contents are obsolete. On a full disk, removing them makes
        // room.
        self.kept.remove()?;
        let mut file = self.open_to_append()?;
        // A crash may have cut the last line.
        file.set_len(tail.end)?;
        let mut line = Line::Undone { files }.text()?;
        Sealer::new(key, tail.seal).seal(&mut line);
        file.write_all(&line)?;
        Ok(file.sync_data()?)
    }

    /// Opens the journal for writing at its end, if it is still the file that was read.
    pub(super) fn open_to_append(&self) -> Result<File, Error> {
        let file = self.place.directory.open_to_append(&self.place.name)?;
        let identity = |file: &File| Ok::<_, Error>(Stamp::new(&file.metadata()?).identity);
        if identity(&file)? == identity(&self.file)? {
            Ok(file)
        } else {
            let path = display(&self.path);
            Err(error(format!(
                "the journal `{path}` was replaced meanwhile"
            )))
        }
    }

    /// The sealer for lines appended after the last valid line. `None` for a foreign journal.
    pub(super) fn sealer_behind(&self, tail: Tail) -> Option<Sealer> {
        match &self.writer {
            Writer::Own(key) => Some(Sealer::new(key.clone(), tail.seal)),
            Writer::Foreign(_) => None,
        }
    }
}

/// Opens a journal given by the user, or found in the directory of journals. A symbolic link does not count.
fn open_regular(path: &Path) -> Result<(Place, File), Error> {
    let place = Place::new(path)?;
    let opened = place
        .directory
        .open_file(Path::new(&place.name), Links::None);
    let file = opened.map_err(|cause| {
        if is_refused_link(&cause) {
            no_journal(path, "a symbolic link")
        } else {
            cause.into()
        }
    })?;
    if file.metadata()?.is_file() {
        Ok((place, file))
    } else {
        Err(no_journal(path, "a directory, a pipe or a device"))
    }
}

/// The writer of a journal with this header line, and the seal of the line.
fn writer_of(header: &[u8], key: &Known) -> (Writer, Seal) {
    let foreign = |reason: &str| (Writer::Foreign(reason.to_owned()), FIRST);
    match (seal::of(header), key) {
        (None, _) => {
            foreign("it has no seal, like journals of earlier versions and other programs")
        }
        (Some(_), Err(cause)) => foreign(&format!("its seal cannot be checked: {cause}")),
        (Some(_), Ok(None)) => {
            foreign("its seal cannot be checked, since no run has made a key here")
        }
        (Some(seal), Ok(Some(key))) => {
            if Sealer::new(key.clone(), FIRST).accepts(header) {
                (Writer::Own(key.clone()), seal)
            } else {
                foreign(
                    "its seal is not yours: another user or another machine wrote it, or it was changed",
                )
            }
        }
    }
}

/// True for valid names of runs: a name in a message must be safe in a shell.
fn is_name(id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (1..100).contains(&id.len()) && !id.starts_with('-') && id.bytes().all(is_plain)
}

/// True for a whole line of a journal, whoever wrote it.
fn is_line(line: &[u8]) -> bool {
    line.ends_with(b"\n") && serde_json::from_slice::<Line>(&seal::unsealed(line)).is_ok()
}

fn no_journal(path: &Path, found: &str) -> Error {
    let path = display(path);
    error(format!("expected a journal, found {found} in `{path}`"))
}

fn error(message: String) -> Error {
    Error::new(ErrorKind::Io, message)
}

impl Records {
    /// Adds a line if it is a record.
    fn add(&mut self, line: &[u8], at: u64) {
        if line.starts_with(b"{\"file\":") {
            self.files.push(at);
        } else if line.starts_with(b"{\"link\":") {
            self.links.push(at);
        }
    }
}

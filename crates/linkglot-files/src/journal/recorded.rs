//! The records of a run before its interruption, by path.

use super::read::JournalFile;
use super::record::{FileRecord, FileVersions, Line};
use crate::parallel::lock;
use linkglot::error::Error;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

/// The records of a journal. Only digests of the paths and the offsets of the records are in memory: a run may have
/// millions of records.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    places: HashMap<[u8; 16], u64>,
    replaced: Vec<Replaced>,
    journal: Option<Mutex<JournalFile>>,
}

/// A recorded file with several names (hard links).
#[derive(Clone, Debug)]
pub(crate) struct Replaced {
    /// The old inode.
    pub inode: u64,
    /// The versions of the file; `after` is its present content.
    pub versions: FileVersions,
}

impl Recorded {
    /// Reads the records.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn read(journal: JournalFile) -> Result<Self, Error> {
        let mut recorded = Recorded::default();
        journal.for_each(|at, line| {
            recorded.add(at, journal.parse(at, line)?);
            Ok(())
        })?;
        recorded.journal = Some(Mutex::new(journal));
        Ok(recorded)
    }

    /// Adds a record. If a path has several records, the last one counts.
    fn add(&mut self, at: u64, line: Line) {
        match line {
            Line::File(record) => {
                self.places.insert(key(&record.path), at);
                self.replaced.extend(Replaced::of(record));
            }
            Line::Link(record) => {
                self.places.insert(key(&record.path), at);
            }
            _ => {}
        }
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The digests of the old and the new content of a file.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn digests(&self, path: &Path) -> Result<Option<(String, String)>, Error> {
        let (Some(&at), Some(journal)) = (self.places.get(&key(path)), &self.journal) else {
            return Ok(None);
        };
        let journal = lock(journal);
        Ok(match journal.line(at)? {
            Line::File(record) => Some((record.before, record.after)),
            Line::Link(record) => Some((record.before, record.after)),
            _ => None,
        })
    }

    /// The files with several names.
    pub fn replaced(&self) -> &[Replaced] {
        &self.replaced
    }
}

impl JournalFile {
    /// The restored files with several names. An interrupted run did not replace all names of a file: the other names
    /// still belong to the old file.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub(crate) fn restored(&self) -> Result<Vec<Replaced>, Error> {
        let mut files = Vec::new();
        self.for_each(|at, line| {
            if let Ok(Line::File(record)) = self.parse(at, line) {
                files.extend(Replaced::restored(record));
            }
            Ok(())
        })?;
        Ok(files)
    }
}

impl Replaced {
    /// The replaced file of a record, if it had several names.
    fn of(record: FileRecord) -> Option<Self> {
        Some(Replaced {
            inode: record.inode?,
            versions: FileVersions {
                path: record.path,
                before: record.before,
                after: record.after,
            },
        })
    }

    /// The file of a record after `undo`: old and new content change places.
    fn restored(record: FileRecord) -> Option<Self> {
        let after = record.before.clone();
        Replaced::of(FileRecord { after, ..record })
    }
}

fn key(path: &Path) -> [u8; 16] {
    let digest = blake3::hash(path.as_os_str().as_encoded_bytes());
    std::array::from_fn(|at| digest.as_bytes()[at])
}

//! The records of a run before its interruption, by path.

use super::read::JournalFile;
use super::record::{FileRecord, Line, digest_of};
use super::recorder::FileVersions;
use crate::directory::{Links, Place};
use crate::hard_links::Successor;
use crate::parallel::lock;
use crate::stamp::{Identity, Stamp};
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
    inode: u64,
    /// The versions of the file; `after` is its present content.
    versions: FileVersions,
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
    pub(super) fn restored(record: FileRecord) -> Option<Self> {
        let after = record.before.clone();
        Replaced::of(FileRecord { after, ..record })
    }

    /// The replacement of the file, by the old inode, if the replacement is still there. All names of a file are in the
    /// same file system.
    pub fn successor(&self) -> Option<(Identity, (Successor, FileVersions))> {
        let place = Place::without_links(&self.versions.path).ok()?;
        let name = Path::new(&place.name);
        let file = place.directory.open_file(name, Links::None).ok()?;
        let stamp = Stamp::new(&file.metadata().ok()?);
        let is_same = stamp.identity.1 == self.inode;
        if is_same || digest_of(file).ok()? != self.versions.after {
            return None;
        }
        let successor = Successor {
            place,
            identity: stamp.identity,
            old: stamp.clone(),
            versions: Some(self.versions.clone()),
        };
        let inode = (stamp.identity.0, self.inode);
        Some((inode, (successor, self.versions.clone())))
    }
}

fn key(path: &Path) -> [u8; 16] {
    let digest = blake3::hash(path.as_os_str().as_encoded_bytes());
    std::array::from_fn(|at| digest.as_bytes()[at])
}

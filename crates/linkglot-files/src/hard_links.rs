//! Files with several names (hard links). A run that replaces files processes each file once, under the name that the
//! walk meets first; then the other names are linked to the new file.

use super::directory::Place;
use super::entry::FileEntry;
use super::journal::{FileVersions, Journal, LinkRecord, Replaced, digest_of};
use super::parallel::lock;
use super::replace::TempFiles;
use super::stamp::{Identity, Stamp};
use linkglot::error::{Error, ErrorKind};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The files with several names that a walk has met.
#[derive(Debug, Default)]
pub struct HardLinks {
    files: Mutex<HashMap<Identity, Known>>,
    /// Files that an interrupted run replaced, or that `undo` restored, by their inodes before the run.
    replaced: HashMap<Identity, (Successor, FileVersions)>,
}

#[derive(Debug)]
struct Known {
    first: PathBuf,
    names: u64,
    met: u64,
    fate: Arc<Fate>,
}

/// The fate of a file with several names; unknown at first.
#[derive(Debug, Default)]
pub(super) struct Fate {
    outcome: Mutex<Option<Outcome>>,
    known: Condvar,
}

#[derive(Clone, Debug)]
enum Outcome {
    /// The file stays unchanged.
    Left,
    Replaced(Box<Successor>),
}

/// The replacement of a file.
#[derive(Clone, Debug)]
pub(super) struct Successor {
    pub place: Place,
    pub identity: Identity,
    /// The old file, in the state that its other names still show.
    pub old: Stamp,
    /// The versions of the file in the journal.
    pub versions: Option<FileVersions>,
}

/// The role of one name of a file.
#[derive(Clone, Debug)]
pub(super) struct Role {
    pub(super) is_first: bool,
    pub(super) fate: Arc<Fate>,
}

/// A file whose other names keep the old content, because the run did not find them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Unmet {
    /// The first name that the run met.
    pub path: PathBuf,
    /// The number of names of the file.
    pub names: u64,
    /// The number of names that the run did not find.
    pub unmet: u64,
}

impl HardLinks {
    /// Starts with the replaced files whose other names may still be the file before the run.
    pub(super) fn replaced(files: &[Replaced]) -> Self {
        HardLinks {
            files: Mutex::default(),
            replaced: files.iter().filter_map(Replaced::successor).collect(),
        }
    }

    /// True if no file is known.
    pub fn is_empty(&self) -> bool {
        self.replaced.is_empty()
    }

    /// Links a name that a walk met to the restored file, if the name still belongs to the file before the run (same
    /// inode, time and content).
    ///
    /// # Errors
    ///
    /// When the name cannot be linked. It remains a separate file.
    pub fn join(&self, mut file: FileEntry, temp_files: &TempFiles) -> Result<(), Error> {
        let Some(Ok(stamp)) = file.stamp() else {
            return Ok(());
        };
        let known = self.replaced.get(&stamp.identity);
        if known.is_some_and(|(restored, _)| restored.old.modified == stamp.modified) {
            file.role = self.meet_replaced(&file, &stamp);
        }
        file.follow_first_name(temp_files, None)
    }

    /// The role of a file that the walk meets; `None` for a file with a single name.
    pub(super) fn meet(&self, file: &FileEntry, stamp: &Stamp) -> Option<Role> {
        if let Some(role) = self.meet_replaced(file, stamp) {
            return Some(role);
        }
        let mut files = lock(&self.files);
        // The last name of a file has no other names left, once these were linked to its replacement.
        if let Some(known) = files.get_mut(&stamp.identity) {
            known.met += 1;
            return Some(Role {
                is_first: false,
                fate: Arc::clone(&known.fate),
            });
        }
        if stamp.names < 2 {
            return None;
        }
        let fate = Arc::new(Fate::default());
        let known = Known {
            first: file.path.clone(),
            names: stamp.names,
            met: 1,
            fate: Arc::clone(&fate),
        };
        files.insert(stamp.identity, known);
        Some(Role {
            is_first: true,
            fate,
        })
    }

    /// The role of another name of a file that an interrupted run replaced. The inode may by now belong to another file
    /// with other content.
    fn meet_replaced(&self, file: &FileEntry, stamp: &Stamp) -> Option<Role> {
        let (successor, versions) = self.replaced.get(&stamp.identity)?;
        let digest = digest_of(file.open()?.ok()?).ok()?;
        if digest != versions.before {
            return None;
        }
        let fate = Arc::new(Fate::default());
        fate.replaced(Successor {
            old: stamp.clone(),
            ..successor.clone()
        });
        Some(Role {
            is_first: false,
            fate,
        })
    }

    /// The files that were replaced under only some of their names, ordered by path.
    pub fn unmet(&self) -> Vec<Unmet> {
        let files = lock(&self.files);
        let mut unmet: Vec<Unmet> = files
            .values()
            .filter(|known| known.met < known.names && known.fate.is_replaced())
            .map(|known| Unmet {
                path: known.first.clone(),
                names: known.names,
                unmet: known.names - known.met,
            })
            .collect();
        unmet.sort();
        unmet
    }
}

impl Fate {
    pub(super) fn replaced(&self, successor: Successor) {
        self.settle(Outcome::Replaced(Box::new(successor)));
    }

    /// Sets the fate of a file that is left unchanged, unless it was already replaced.
    pub(super) fn left(&self) {
        self.settle(Outcome::Left);
    }

    fn settle(&self, outcome: Outcome) {
        lock(&self.outcome).get_or_insert(outcome);
        self.known.notify_all();
    }

    fn is_replaced(&self) -> bool {
        matches!(*lock(&self.outcome), Some(Outcome::Replaced(_)))
    }

    /// Waits until the fate is known.
    fn wait(&self) -> Outcome {
        let mut outcome = lock(&self.outcome);
        loop {
            match &*outcome {
                Some(outcome) => return outcome.clone(),
                None => {
                    let waited = self.known.wait(outcome);
                    outcome = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Waits for the file, and links the name at `place` to its replacement. The journal records the link first.
    pub(super) fn follow(
        &self,
        place: impl FnOnce() -> Result<Place, Error>,
        temp_files: &TempFiles,
        journal: Option<&Journal>,
    ) -> Result<(), Error> {
        let Outcome::Replaced(new) = self.wait() else {
            return Ok(());
        };
        let place = place()?;
        if !place.stamp()?.has_content_of(&new.old) {
            return Err(error(
                "the file changed during the run; it was left alone, apart from its other names",
            ));
        }
        if let (Some(journal), Some(versions)) = (journal, new.versions) {
            journal.record_link(LinkRecord {
                path: place.real_path()?,
                first: versions.path,
                before: versions.before,
                after: versions.after,
            })?;
        }
        let is_new = |stamp: &Stamp| stamp.identity == new.identity;
        if !temp_files.link(&new.place, &place, &is_new)? {
            return Err(error(
                "another name of the file changed during the run; this one keeps the old content",
            ));
        }
        Ok(())
    }
}

fn error(message: &str) -> Error {
    Error::new(ErrorKind::Io, message)
}

//! Files with several names (hard links). A run that replaces files works on each file once, by the name that the walk
//! meets first; then the other names are linked to the new file.

use super::directory::Place;
use super::replace::TempFiles;
use super::stamp::{Identity, Stamp};
use crate::error::{Error, ErrorKind};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The files with several names that a walk has met.
#[derive(Debug, Default)]
pub struct HardLinks {
    files: Mutex<HashMap<Identity, Known>>,
}

#[derive(Debug)]
struct Known {
    first: PathBuf,
    names: u64,
    met: u64,
    fate: Arc<Fate>,
}

/// What becomes of a file with several names.
#[derive(Debug, Default)]
pub(super) struct Fate {
    outcome: Mutex<Option<Outcome>>,
    known: Condvar,
}

#[derive(Clone, Debug)]
enum Outcome {
    /// It stays as it is.
    Left,
    Replaced(Box<Successor>),
}

/// The file that took the place of another one.
#[derive(Clone, Debug)]
struct Successor {
    place: Place,
    identity: Identity,
    /// The file before, as its other names still show it.
    old: Stamp,
}

/// The part that one name of a file plays.
#[derive(Clone, Debug)]
pub(super) struct Role {
    pub(super) is_first: bool,
    pub(super) fate: Arc<Fate>,
}

/// A file whose other names keep the old content, because the run did not meet them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Unmet {
    /// The name that the run met first.
    pub path: PathBuf,
    /// How many names the file had.
    pub names: u64,
    /// How many of them the run did not meet.
    pub unmet: u64,
}

impl HardLinks {
    /// The part of a file that the walk meets; `None` for one with a single name.
    pub(super) fn meet(&self, path: &Path, stamp: &Stamp) -> Option<Role> {
        let mut files = lock(&self.files);
        // The last name of a file has no others any more, once these were linked to its successor.
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
            first: path.to_owned(),
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

    /// The files that were replaced under some of their names only, in the order of their paths.
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
    pub(super) fn replaced(&self, place: Place, identity: Identity, old: Stamp) {
        self.settle(Outcome::Replaced(Box::new(Successor {
            place,
            identity,
            old,
        })));
    }

    /// The file stays as it is, unless it was replaced already.
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

    /// Waits for the file, and links the name at `place` to what replaced it.
    pub(super) fn follow(
        &self,
        place: impl FnOnce() -> Result<Place, Error>,
        temp_files: &TempFiles,
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
        let is_new = |stamp: &Stamp| stamp.identity == new.identity;
        if !temp_files.link(&new.place, &place, &is_new)? {
            return Err(error(
                "another name of the file changed during the run; this one keeps the old content",
            ));
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn error(message: &str) -> Error {
    Error::new(ErrorKind::Io, message)
}

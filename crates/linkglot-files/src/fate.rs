//! The fate of a file with several names (hard links): its other names wait for it.

use super::directory::Place;
use super::journal::{FileVersions, Journal, LinkRecord};
use super::parallel::lock;
use super::replace::TempFiles;
use super::stamp::{Identity, Stamp};
use linkglot::error::{Error, ErrorKind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

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

    pub(super) fn is_replaced(&self) -> bool {
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

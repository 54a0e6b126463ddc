//! Files with several names (hard links). A run that replaces files processes each file once, under the name that the
//! walk meets first; then the other names are linked to the new file.

use super::content_digest::digest_of;
use super::directory::{Links, Place};
use super::entry::FileEntry;
use super::fate::{Fate, Role, Successor};
use super::journal::{FileVersions, Journal, JournalFile, Replaced};
use super::parallel::lock;
use super::replace::TempFiles;
use super::stamp::{Identity, Stamp};
use linkglot::error::Error;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

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
    /// The files that an interrupted run replaced: their other names may still have to follow.
    pub fn of_interrupted(journal: &Journal) -> Arc<Self> {
        Arc::new(HardLinks::replaced(journal.replaced()))
    }

    /// The files that `undo` restored. An interrupted run did not replace all names of a file: the other names still
    /// belong to the old file, and can [join](Self::join) the restored one.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn of_undone(journal: &JournalFile) -> Result<Self, Error> {
        Ok(HardLinks::replaced(&journal.restored()?))
    }

    /// Starts with the replaced files whose other names may still be the file before the run.
    fn replaced(files: &[Replaced]) -> Self {
        HardLinks {
            files: Mutex::default(),
            replaced: files.iter().filter_map(successor).collect(),
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

/// The replacement of the file, by the old inode, if the replacement is still there. All names of a file are in the
/// same file system.
fn successor(replaced: &Replaced) -> Option<(Identity, (Successor, FileVersions))> {
    let place = Place::without_links(&replaced.versions.path).ok()?;
    let name = Path::new(&place.name);
    let file = place.directory.open_file(name, Links::None).ok()?;
    let stamp = Stamp::new(&file.metadata().ok()?);
    let is_same = stamp.identity.1 == replaced.inode;
    if is_same || digest_of(file).ok()? != replaced.versions.after {
        return None;
    }
    let successor = Successor {
        place,
        identity: stamp.identity,
        old: stamp.clone(),
        versions: Some(replaced.versions.clone()),
    };
    let inode = (stamp.identity.0, replaced.inode);
    Some((inode, (successor, replaced.versions.clone())))
}

//! Atomic replacement: a temporary file in the same directory, synced, renamed.

use super::shown::shown;
use crate::error::{Error, ErrorKind};
use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempPath};

/// The names of temporary files begin and end so.
pub(super) const PREFIX: &str = ".linkglot-";
pub(super) const SUFFIX: &str = ".tmp";

/// The temporary files of a run. An interrupted run [`abandon`](Scratch::abandon)s them: none
/// stays, and nothing is renamed from then on.
#[derive(Debug, Default)]
pub struct Scratch {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    unfinished: HashSet<PathBuf>,
    abandoned: bool,
}

impl Scratch {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes every unfinished file; no other is begun or put in its place from now on.
    pub fn abandon(&self) {
        let mut state = self.lock();
        state.abandoned = true;
        for path in state.unfinished.drain() {
            let _ = std::fs::remove_file(path);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lock, unless the run is abandoned.
    fn running(&self) -> Result<MutexGuard<'_, State>, Error> {
        let state = self.lock();
        if state.abandoned {
            return Err(Error::new(ErrorKind::Io, "interrupted"));
        }
        Ok(state)
    }
}

/// A file's new content, as long as it is not in its place. Dropped before it is
/// [committed](Replacement::commit), it leaves no trace.
#[derive(Debug)]
pub struct Replacement<'s> {
    scratch: &'s Scratch,
    target: PathBuf,
    writer: BufWriter<File>,
    temporary: Option<TempPath>,
}

impl<'s> Replacement<'s> {
    /// Begins the new content of `target`, which need not exist; its directory must.
    ///
    /// # Errors
    ///
    /// When no file can be made in the directory of `target`.
    pub fn begin(scratch: &'s Scratch, target: &Path) -> Result<Self, Error> {
        let directory = directory_of(target);
        let mut state = scratch.running()?;
        let file = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .tempfile_in(directory)
            .map_err(|error| no_temporary(directory, &error))?;
        let (file, temporary) = NamedTempFile::into_parts(file);
        state.unfinished.insert(temporary.to_path_buf());
        drop(state);
        Ok(Replacement {
            scratch,
            target: target.to_owned(),
            writer: BufWriter::with_capacity(64 * 1024, file),
            temporary: Some(temporary),
        })
    }

    /// Puts the content in its place, with the owner (where that is allowed), mode and times of
    /// `like`. It is on the disk before the name changes hands. `check` is asked last of all
    /// whether it still may.
    ///
    /// # Errors
    ///
    /// When writing, syncing, `check` or renaming fails: the target is as it was.
    pub fn commit(
        mut self,
        like: &Metadata,
        check: &dyn Fn() -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.writer.flush()?;
        let file = self.writer.get_ref();
        make_like(file, like)?;
        file.sync_all()?;
        let mut state = self.scratch.running()?;
        check()?;
        let Some(temporary) = self.temporary.take() else {
            return Ok(());
        };
        let name = temporary.to_path_buf();
        let renamed = temporary.persist(&self.target);
        state.unfinished.remove(&name);
        drop(state);
        renamed.map_err(|error| Error::from(error.error))?;
        sync_directory(directory_of(&self.target));
        Ok(())
    }
}

impl Write for Replacement<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for Replacement<'_> {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            self.scratch.lock().unfinished.remove(&*temporary);
        }
    }
}

fn directory_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

fn no_temporary(directory: &Path, error: &io::Error) -> Error {
    // The crate's own message names a path that never was.
    let cause = error
        .get_ref()
        .and_then(|inner| inner.source())
        .map_or_else(
            || io::Error::from(error.kind()).to_string(),
            |inner| inner.to_string(),
        );
    let directory = shown(directory);
    Error::new(
        ErrorKind::Io,
        format!("cannot make a temporary file in `{directory}`: {cause}"),
    )
}

fn make_like(file: &File, like: &Metadata) -> Result<(), Error> {
    own_like(file, like);
    file.set_permissions(like.permissions())?;
    let accessed = filetime::FileTime::from_last_access_time(like);
    let modified = filetime::FileTime::from_last_modification_time(like);
    filetime::set_file_handle_times(file, Some(accessed), Some(modified))?;
    Ok(())
}

/// Only root may give files away; a group may be given by its members. Neither is an error.
#[cfg(unix)]
fn own_like(file: &File, like: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if fchown(file, Some(like.uid()), Some(like.gid())).is_err() {
        let _ = fchown(file, None, Some(like.gid()));
    }
}

#[cfg(not(unix))]
fn own_like(_: &File, _: &Metadata) {}

/// Makes the new name last (POSIX promises that for the file alone). Some file systems cannot.
#[cfg(unix)]
fn sync_directory(directory: &Path) {
    if let Ok(directory) = File::open(directory) {
        let _ = directory.sync_all();
    }
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) {}

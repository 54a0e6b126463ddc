//! Atomic replacement of files: a temporary file in the same directory is written, synced and renamed.

use super::display::display;
use crate::error::{Error, ErrorKind};
use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempPath};

/// How the names of temporary files begin and end.
pub(super) const PREFIX: &str = ".linkglot-";
pub(super) const SUFFIX: &str = ".tmp";

/// The temporary files of a run. A run that is interrupted [abandons](TempFiles::abandon) them: all are removed, and
/// nothing is renamed from then on.
#[derive(Debug, Default)]
pub struct TempFiles {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    unfinished: HashSet<PathBuf>,
    abandoned: bool,
}

impl TempFiles {
    /// No file yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes every unfinished file. From now on no other is created, and none is renamed.
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

    /// The lock, unless the run was abandoned.
    fn lock_unless_abandoned(&self) -> Result<MutexGuard<'_, State>, Error> {
        let state = self.lock();
        if state.abandoned {
            return Err(Error::new(ErrorKind::Io, "interrupted"));
        }
        Ok(state)
    }
}

/// The new content of a file, not yet in its place. If it is dropped before it is
/// [committed](Replacement::commit), it leaves no trace.
#[derive(Debug)]
pub struct Replacement<'t> {
    temp_files: &'t TempFiles,
    target: PathBuf,
    writer: BufWriter<File>,
    temporary: Option<TempPath>,
}

impl<'t> Replacement<'t> {
    /// Creates the temporary file for `target`, which need not exist; its directory must.
    ///
    /// # Errors
    ///
    /// When no file can be created in the directory of `target`.
    pub fn begin(temp_files: &'t TempFiles, target: &Path) -> Result<Self, Error> {
        let directory = directory_of(target);
        let mut state = temp_files.lock_unless_abandoned()?;
        let file = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .tempfile_in(directory)
            .map_err(|error| cannot_create(directory, &error))?;
        let (file, temporary) = NamedTempFile::into_parts(file);
        state.unfinished.insert(temporary.to_path_buf());
        drop(state);
        Ok(Replacement {
            temp_files,
            target: target.to_owned(),
            writer: BufWriter::with_capacity(64 * 1024, file),
            temporary: Some(temporary),
        })
    }

    /// Puts the content in its place, with the owner (where that is allowed), mode and times of `like`. The content is
    /// on disk before the file is renamed; `check` runs just before that, and can still refuse.
    ///
    /// # Errors
    ///
    /// When writing, syncing, `check` or renaming fails. The target is then unchanged.
    pub fn commit(
        mut self,
        like: &Metadata,
        check: &dyn Fn() -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.writer.flush()?;
        let file = self.writer.get_ref();
        copy_metadata(file, like)?;
        file.sync_all()?;
        let mut state = self.temp_files.lock_unless_abandoned()?;
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
            self.temp_files.lock().unfinished.remove(&*temporary);
        }
    }
}

fn directory_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

fn cannot_create(directory: &Path, error: &io::Error) -> Error {
    // The message of tempfile names a path that never existed.
    let cause = error
        .get_ref()
        .and_then(|inner| inner.source())
        .map_or_else(
            || io::Error::from(error.kind()).to_string(),
            |inner| inner.to_string(),
        );
    let directory = display(directory);
    Error::new(
        ErrorKind::Io,
        format!("cannot make a temporary file in `{directory}`: {cause}"),
    )
}

fn copy_metadata(file: &File, like: &Metadata) -> Result<(), Error> {
    copy_owner(file, like);
    file.set_permissions(like.permissions())?;
    let accessed = filetime::FileTime::from_last_access_time(like);
    let modified = filetime::FileTime::from_last_modification_time(like);
    filetime::set_file_handle_times(file, Some(accessed), Some(modified))?;
    Ok(())
}

/// Only root may change the owner; a member of a group may set it. Failing at either is no error.
#[cfg(unix)]
fn copy_owner(file: &File, like: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if fchown(file, Some(like.uid()), Some(like.gid())).is_err() {
        let _ = fchown(file, None, Some(like.gid()));
    }
}

#[cfg(not(unix))]
fn copy_owner(_: &File, _: &Metadata) {}

/// Makes the rename durable: syncing the file does not cover its directory (POSIX). Not all file systems can.
#[cfg(unix)]
pub(super) fn sync_directory(directory: &Path) {
    if let Ok(directory) = File::open(directory) {
        let _ = directory.sync_all();
    }
}

#[cfg(not(unix))]
pub(super) fn sync_directory(_: &Path) {}

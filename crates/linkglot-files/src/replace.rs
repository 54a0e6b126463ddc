//! Atomic replacement of files: a temporary file in the same directory is written, synced and renamed.
//!
//! A run locks each of its temporary files. The files of a killed run have no lock, and a later run
//! [removes](TempFiles::remove_stale) them.

use super::attributes;
use super::directory::{Directory, Links, Place, directory_of};
use super::display::display;
use super::group_sync::{GroupSync, Synced};
use super::parallel::lock;
use super::stamp::{Identity, Stamp};
use linkglot::error::{Error, ErrorKind};
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

/// The prefix and the suffix of the names of temporary files.
pub(super) const PREFIX: &str = ".linkglot-";
pub(super) const SUFFIX: &str = ".tmp";

/// The number of hex digits between prefix and suffix.
const DIGITS: usize = 16;

/// The number of names that are tried before the directory is given up.
const ATTEMPTS: usize = 16;

/// The temporary files of a run. An interrupted run [abandons](TempFiles::abandon) them: all are removed, and nothing
/// is renamed from then on.
#[derive(Debug, Default)]
pub struct TempFiles {
    state: Mutex<State>,
    group: GroupSync,
}

#[derive(Debug, Default)]
struct State {
    unfinished: HashMap<OsString, Arc<Directory>>,
    abandoned: bool,
}

impl TempFiles {
    /// Starts without a file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes every unfinished file. From then on, no file is created or renamed.
    pub fn abandon(&self) {
        let mut state = self.lock();
        state.abandoned = true;
        for (name, directory) in state.unfinished.drain() {
            let _ = directory.remove(&name);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Takes the lock, unless the run was abandoned.
    fn lock_unless_abandoned(&self) -> Result<MutexGuard<'_, State>, Error> {
        let state = self.lock();
        if state.abandoned {
            return Err(Error::new(ErrorKind::Io, "interrupted"));
        }
        Ok(state)
    }

    /// Creates something under a new temporary name in a directory.
    fn create<T>(
        &self,
        directory: &Arc<Directory>,
        create: impl Fn(&OsStr) -> io::Result<T>,
    ) -> Result<(Temporary<'_>, T), Error> {
        let mut state = self.lock_unless_abandoned()?;
        let mut failure = io::Error::from(io::ErrorKind::AlreadyExists);
        for _ in 0..ATTEMPTS {
            let name = temporary_name();
            match create(&name) {
                Ok(created) => {
                    state.unfinished.insert(name.clone(), Arc::clone(directory));
                    let temporary = Temporary {
                        temp_files: self,
                        directory: Arc::clone(directory),
                        name: Some(name),
                    };
                    return Ok((temporary, created));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => failure = error,
                Err(error) => {
                    failure = error;
                    break;
                }
            }
        }
        let directory = display(directory.path());
        Err(Error::new(
            ErrorKind::Io,
            format!("cannot make a temporary file in `{directory}`: {failure}"),
        ))
    }

    /// Makes the name at `place` another name of the file at `first`, if `is_meant` confirms that file.
    pub(super) fn link(
        &self,
        first: &Place,
        place: &Place,
        is_meant: &dyn Fn(&Stamp) -> bool,
    ) -> Result<bool, Error> {
        let directory = &place.directory;
        let (temporary, ()) = self.create(directory, |name| directory.link(first, name))?;
        let Some(name) = &temporary.name else {
            return Ok(false);
        };
        if !is_meant(&directory.stamp(name, Links::None)?) {
            return Ok(false);
        }
        temporary.rename(&place.name, &|| Ok(()))?;
        directory.sync().map_err(unsynced)?;
        Ok(true)
    }

    /// Removes the temporary file at `path` if no run holds it, because its run was killed.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened or removed.
    pub fn remove_stale(path: &Path) -> io::Result<bool> {
        let Some(name) = path.file_name().filter(|name| is_temporary(name)) else {
            return Ok(false);
        };
        let directory = Arc::new(Directory::open(directory_of(path), Links::All)?);
        let file = directory.open_file(Path::new(name), Links::None)?;
        if !file.metadata()?.is_file() || file.try_lock().is_err() {
            return Ok(false);
        }
        directory.remove(name)?;
        Ok(true)
    }
}

fn temporary_name() -> OsString {
    // Seeded by the system, so different at each call.
    let random = RandomState::new().hash_one(std::process::id());
    format!("{PREFIX}{random:0DIGITS$x}{SUFFIX}").into()
}

/// True if a name has exactly the form that [`TempFiles`] gives.
fn is_temporary(name: &OsStr) -> bool {
    let digits = name
        .to_str()
        .and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    digits.is_some_and(|digits| digits.len() == DIGITS && digits.bytes().all(is_digit))
}

/// A temporary name. Unless it is renamed, dropping it removes the file.
#[derive(Debug)]
struct Temporary<'t> {
    temp_files: &'t TempFiles,
    directory: Arc<Directory>,
    name: Option<OsString>,
}

impl Temporary<'_> {
    /// Renames the file, unless `check` refuses or the run is being abandoned.
    fn rename(mut self, to: &OsStr, check: &dyn Fn() -> Result<(), Error>) -> Result<(), Error> {
        let mut state = self.temp_files.lock_unless_abandoned()?;
        if let Err(error) = check() {
            drop(state);
            return Err(error);
        }
        let Some(name) = &self.name else {
            return Ok(());
        };
        let renamed = self.directory.rename(name, to);
        if renamed.is_ok() {
            state.unfinished.remove(name);
            self.name = None;
        }
        drop(state);
        Ok(renamed?)
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        let Some(name) = self.name.take() else {
            return;
        };
        // An abandoned run has already removed the file.
        if self.temp_files.lock().unfinished.remove(&name).is_some() {
            let _ = self.directory.remove(&name);
        }
    }
}

/// The new content of a file, not yet in its place. Dropped before it is [committed](Replacement::commit), it leaves no
/// trace.
#[derive(Debug)]
pub struct Replacement<'t> {
    place: Place,
    writer: BufWriter<File>,
    temporary: Temporary<'t>,
}

/// The attributes that a replacement gets.
#[derive(Clone, Copy, Debug)]
pub struct Likeness<'l> {
    /// The owner, the mode and the times.
    pub metadata: &'l Metadata,
    /// The open file that provides the access control list and extended attributes.
    pub file: Option<&'l File>,
}

/// The result of a commit: a replacement in its place.
#[derive(Clone, Debug)]
pub struct Committed {
    pub(super) identity: Identity,
    /// The attributes that could not be kept, such as the owner.
    pub lost: Vec<String>,
    /// The error of a directory that could not be synced.
    pub(super) unsynced: Option<Error>,
}

impl<'t> Replacement<'t> {
    /// Creates the temporary file for `target`, which need not exist, but its directory must.
    ///
    /// # Errors
    ///
    /// When no file can be created in the directory of `target`.
    pub fn begin(temp_files: &'t TempFiles, target: &Path) -> Result<Self, Error> {
        let place = Place::new(target).map_err(|error| {
            let directory = display(directory_of(target));
            let message = format!("cannot make a temporary file in `{directory}`: {error}");
            Error::new(ErrorKind::Io, message)
        })?;
        Replacement::begin_at(temp_files, place)
    }

    /// Creates the temporary file for a place.
    ///
    /// # Errors
    ///
    /// When no file can be created in the directory of the place.
    pub fn begin_at(temp_files: &'t TempFiles, place: Place) -> Result<Self, Error> {
        let directory = &place.directory;
        let (temporary, file) = temp_files.create(directory, |name| locked(directory, name))?;
        Ok(Replacement {
            place,
            writer: BufWriter::with_capacity(64 * 1024, file),
            temporary,
        })
    }

    /// Puts the content in its place, with the owner (if allowed), mode and times of `like`, and its other attributes
    /// as far as possible. The content is on disk before the file is renamed; `check` runs just before the renaming,
    /// and can still refuse it.
    ///
    /// # Errors
    ///
    /// When writing, syncing, `check` or renaming fails: the target is unchanged then. When syncing the directory
    /// fails, the target has been replaced, and the error says so.
    pub fn commit(
        self,
        like: Likeness<'_>,
        check: &dyn Fn() -> Result<(), Error>,
    ) -> Result<Committed, Error> {
        let done = self.commit_after(like, &|_| Ok(()), check)?;
        match done.unsynced {
            Some(error) => Err(error),
            None => Ok(done),
        }
    }

    /// Commits as `commit` does, and calls `prepare` once the content is on disk, with the data that was synced. The
    /// caller handles a directory that could not be synced: the target has been replaced.
    pub(super) fn commit_after(
        mut self,
        like: Likeness<'_>,
        prepare: &dyn Fn(Synced) -> Result<(), Error>,
        check: &dyn Fn() -> Result<(), Error>,
    ) -> Result<Committed, Error> {
        self.writer.flush()?;
        let file = self.writer.get_ref();
        let lost = attributes::copy(like.file, like.metadata, file)?;
        let identity = Stamp::new(&file.metadata()?).identity;
        let (group, device) = (&self.temporary.temp_files.group, identity.0);
        prepare(group.sync(device, file, || file.sync_all())?)?;
        self.temporary.rename(&self.place.name, check)?;
        let directory = &self.place.directory;
        let synced = group.sync(device, file, || directory.sync());
        Ok(Committed {
            identity,
            lost,
            unsynced: synced.err().map(unsynced),
        })
    }
}

/// Creates a file and locks it. If another run took it for the file of a killed run in between, the next name is tried.
fn locked(directory: &Directory, name: &OsStr) -> io::Result<File> {
    let file = directory.create(name)?;
    let taken = match file.try_lock() {
        Err(TryLockError::WouldBlock) => true,
        // The file system has no locks.
        Err(TryLockError::Error(_)) => false,
        Ok(()) => directory.stamp(name, Links::None).is_err(),
    };
    if taken {
        Err(io::ErrorKind::AlreadyExists.into())
    } else {
        Ok(file)
    }
}

/// The message for a file that was copied without all of its attributes.
pub fn not_kept(lost: &[String]) -> Option<String> {
    (!lost.is_empty()).then(|| format!("could not be kept: {}", lost.join(", ")))
}

fn unsynced(error: io::Error) -> Error {
    let message = format!(
        "the file was replaced, but its directory could not be synced, so that a power cut may undo it: {error}"
    );
    Error::new(ErrorKind::Io, message)
}

impl Write for Replacement<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_temporary_files_are_removed() {
        assert!(is_temporary(&temporary_name()));
        for name in [
            ".linkglot-.tmp",
            ".linkglot-notes.tmp",
            ".linkglot-0123456789ABCDEF.tmp",
            "linkglot-0123456789abcdef.tmp",
            ".linkglot-0123456789abcdef.tmp.html",
        ] {
            assert!(!is_temporary(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn a_held_file_is_not_removed() {
        let directory = tempfile::tempdir().unwrap();
        let temp_files = TempFiles::new();
        let held = Replacement::begin(&temp_files, &directory.path().join("a")).unwrap();
        let path = directory.path().join(held.temporary.name.as_ref().unwrap());
        assert!(!TempFiles::remove_stale(&path).unwrap());
        // Simulates a killed run.
        let copy = path.with_file_name(temporary_name());
        std::fs::write(&copy, "half").unwrap();
        assert!(TempFiles::remove_stale(&copy).unwrap());
        assert!(path.exists() && !copy.exists());
    }
}

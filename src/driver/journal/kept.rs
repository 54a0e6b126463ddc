//! Old contents that are kept whole, beside the journal: those of files that got another charset, so that all of them changed,
//! or that have very many edits.

use crate::driver::directory::{Directory, Links};
use crate::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;

/// The directory of the kept contents. It exists once there is one.
#[derive(Debug)]
pub(super) struct Kept {
    path: PathBuf,
    /// The number of the next copy.
    next: Mutex<u64>,
}

/// The directory beside a journal.
pub(super) fn directory_of(journal: &Path) -> PathBuf {
    let mut path = OsString::from(journal);
    path.push(".d");
    path.into()
}

impl Kept {
    /// The contents that belong to a journal.
    pub fn new(journal: &Path) -> Self {
        Kept {
            path: directory_of(journal),
            next: Mutex::new(1),
        }
    }

    /// Copies an old content, and names the copy. When this returns, the copy is on disk.
    ///
    /// # Errors
    ///
    /// When the content cannot be read or written.
    pub fn keep(&self, old: &mut dyn Read) -> Result<String, Error> {
        let directory = self.directory()?;
        let (name, mut file) = self.create(&directory)?;
        io::copy(old, &mut file)?;
        file.sync_all()?;
        directory.sync()?;
        Ok(name)
    }

    fn directory(&self) -> Result<Directory, Error> {
        if !self.path.is_dir() {
            fs::create_dir_all(&self.path)?;
            let above = self.path.parent().filter(|path| *path != Path::new(""));
            Directory::open(above.unwrap_or(Path::new(".")), Links::All)?.sync()?;
        }
        Ok(Directory::open(&self.path, Links::All)?)
    }

    /// Creates the next copy. Those of a run that was interrupted keep their numbers.
    fn create(&self, directory: &Directory) -> Result<(String, File), Error> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let name = next.to_string();
            *next += 1;
            match directory.create(OsStr::new(&name)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => return Ok((name, created?)),
            }
        }
    }

    /// Opens a copy. A journal that somebody edited leads nowhere else.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn open(&self, name: &str) -> Result<File, Error> {
        let name = Path::new(name).file_name().unwrap_or_default();
        Ok(Directory::open(&self.path, Links::All)?.open_file(Path::new(name), Links::None)?)
    }

    /// Removes all of them.
    ///
    /// # Errors
    ///
    /// When they cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

//! Old contents that are kept whole, beside the journal: for files that got another charset, and so changed as a whole,
//! or that have very many edits.

use crate::directory::{Directory, Links, Place, is_refused_link};
use crate::display::display;
use crate::parallel::lock;
use linkglot::error::{Error, ErrorKind};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The directory of the kept contents. It is created with the first of them.
#[derive(Debug)]
pub(super) struct Kept {
    path: PathBuf,
    /// The directory of the journal.
    beside: Arc<Directory>,
    name: OsString,
    /// The number of the next copy.
    next: Mutex<u64>,
}

/// The directory of kept contents for a journal.
pub(super) fn directory_of(journal: &Path) -> PathBuf {
    let mut path = OsString::from(journal);
    path.push(".d");
    path.into()
}

impl Kept {
    /// The kept contents of the journal at a place, which was reached by `path`.
    pub fn new(journal: &Place, path: &Path) -> Self {
        let mut name = journal.name.clone();
        name.push(".d");
        Kept {
            path: directory_of(path),
            beside: Arc::clone(&journal.directory),
            name,
            next: Mutex::new(1),
        }
    }

    /// Checks that nothing has the name of the directory yet: everything in it will belong to the run, and be removed
    /// with it.
    ///
    /// # Errors
    ///
    /// When the name is taken.
    pub fn check_free(&self) -> Result<(), Error> {
        match self.beside.stamp(&self.name, Links::None) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error.into()),
            Ok(_) => {
                let path = display(&self.path);
                Err(error(format!(
                    "`{path}`, where old contents would be kept, exists already"
                )))
            }
        }
    }

    /// Copies an old content to disk, and names the copy.
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

    /// Opens the directory, creating it if necessary. Its name is on disk before another thread uses it.
    fn directory(&self) -> Result<Arc<Directory>, Error> {
        let _one_at_a_time = lock(&self.next);
        match fs::create_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                made?;
                self.beside.sync()?;
            }
        }
        self.open_directory()
    }

    /// Opens the directory, unless a symbolic link is in its place.
    fn open_directory(&self) -> Result<Arc<Directory>, Error> {
        let opened = self.beside.beneath(Path::new(&self.name));
        opened.map_err(|cause| {
            let path = display(&self.path);
            if is_refused_link(&cause) {
                error(format!(
                    "expected the directory `{path}`, found a symbolic link or a file"
                ))
            } else {
                error(format!("the directory `{path}`: {cause}"))
            }
        })
    }

    /// Creates the next copy. Copies of an interrupted run keep their numbers.
    fn create(&self, directory: &Directory) -> Result<(String, File), Error> {
        let mut next = lock(&self.next);
        loop {
            let name = next.to_string();
            *next += 1;
            match directory.create(OsStr::new(&name)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => return Ok((name, created?)),
            }
        }
    }

    /// Opens a copy. A name from an edited journal leads nowhere else.
    ///
    /// # Errors
    ///
    /// When the copy does not exist.
    pub fn open(&self, name: &str) -> Result<File, Error> {
        if !is_number(OsStr::new(name)) {
            return Err(error(
                "expected the number of an old content, found another name".to_owned(),
            ));
        }
        let directory = self.open_directory()?;
        let path = || display(self.path.join(name));
        let opened = directory.open_file(Path::new(name), Links::None);
        let file = opened.map_err(|cause| {
            if is_refused_link(&cause) {
                error(format!(
                    "expected the old content `{}`, found a symbolic link",
                    path()
                ))
            } else {
                error(format!("the old content `{}`: {cause}", path()))
            }
        })?;
        if file.metadata()?.is_file() {
            Ok(file)
        } else {
            Err(error(format!(
                "expected the old content `{}`, found a directory, a pipe or a device",
                path()
            )))
        }
    }

    /// Removes all copies. If the directory has other files, these and the directory stay.
    ///
    /// # Errors
    ///
    /// When the copies cannot be removed.
    pub fn remove(&self) -> Result<(), Error> {
        if self.check_free().is_ok() {
            return Ok(());
        }
        let directory = self.open_directory()?;
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if is_number(&entry.file_name()) && entry.file_type()?.is_file() {
                directory.remove(&entry.file_name())?;
            }
        }
        match fs::remove_dir(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => Err(error.into()),
            _ => Ok(()),
        }
    }
}

/// True for names of copies.
fn is_number(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    !name.is_empty() && name.iter().all(u8::is_ascii_digit)
}

fn error(message: String) -> Error {
    Error::new(ErrorKind::Io, message)
}

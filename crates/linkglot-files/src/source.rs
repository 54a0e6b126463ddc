//! Source files: opened, checked, read whole or in pieces.

use super::binary::{Overrides, is_binary};
use super::directory::{Place, open_path};
use super::entry::FileEntry;
use super::hard_links::Fate;
use super::journal::digest_of;
use super::parallel::space_limit;
use super::special::check_readable;
use super::stamp::Stamp;
use linkglot::error::{Error, ErrorKind};
use linkglot_charset::memory;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files of up to this many bytes are read whole, longer ones in pieces.
const MAX_WHOLE: u64 = 8 << 20;

/// Limit where the address space is limited (`ulimit -v`): in pieces a file takes less memory, and can fail without an
/// end of the run.
const MAX_WHOLE_IF_LIMITED: u64 = 64 << 10;

/// Memory that a document of that length may take, whatever it is.
const MOST_FOR_SHORT: usize = 100 * MAX_WHOLE_IF_LIMITED as usize;

/// A file that was opened for reading.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    file: File,
    metadata: Metadata,
    /// The entry of the walk that found it; `None` for a file that was opened by its path.
    entry: Option<FileEntry>,
    /// The fate that other names of the file wait for.
    pub(super) fate: Option<Arc<Fate>>,
}

/// The content of a file.
#[derive(Debug)]
pub enum Content {
    /// All of it.
    Whole(Vec<u8>),
    /// A long file, or a pipe, from which nothing was read yet.
    Large(File),
}

impl Content {
    /// The digest of the content.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub(super) fn digest(&mut self) -> Result<String, Error> {
        match self {
            Content::Whole(bytes) => Ok(digest_of(&bytes[..])?),
            Content::Large(file) => {
                let digest = digest_of(&mut *file)?;
                file.rewind()?;
                Ok(digest)
            }
        }
    }
}

impl Source {
    /// Opens a file. Symbolic links are followed.
    ///
    /// # Errors
    ///
    /// When it cannot be opened or is a directory.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Source::new(path.to_owned(), open_path(path)?)
    }

    /// Opens a file of a walk, below the directory that the walk began with. Symbolic links below it are not followed,
    /// unless the walk follows them, or a link was named.
    ///
    /// # Errors
    ///
    /// When it cannot be opened or is a directory.
    pub fn open_entry(entry: &FileEntry) -> Result<Self, Error> {
        let Some(file) = entry.open() else {
            return Source::open(&entry.path);
        };
        let mut source = Source::new(entry.path.clone(), file?)?;
        source.fate = entry.fate();
        source.entry = Some(entry.clone());
        Ok(source)
    }

    /// A file that is open already.
    ///
    /// # Errors
    ///
    /// When it is a directory.
    pub(super) fn new(path: PathBuf, file: File) -> Result<Self, Error> {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(Error::new(
                ErrorKind::Io,
                "expected a file, found a directory",
            ));
        }
        Ok(Source {
            path,
            file,
            metadata,
            entry: None,
            fate: None,
        })
    }

    /// Its place, where it can be replaced. Of a symbolic link that was followed, this is the place of the file that it
    /// leads to.
    ///
    /// # Errors
    ///
    /// When its directory cannot be opened.
    pub(super) fn place(&self) -> Result<Place, Error> {
        match self.entry.as_ref().and_then(FileEntry::place) {
            Some(place) => place,
            // The stamp of the file at the place says later whether this is the file that was read.
            None => Ok(Place::without_links(&std::fs::canonicalize(&self.path)?)?),
        }
    }

    /// Its metadata in a comparable form.
    pub(super) fn stamp(&self) -> Stamp {
        Stamp::new(&self.metadata)
    }

    /// The open file.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// The path by which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its metadata when it was opened.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Whether it can be read twice and replaced, as a pipe, a terminal or a device cannot.
    pub fn is_regular(&self) -> bool {
        self.metadata.is_file()
    }

    /// Whether it is binary, judged by its first KiB. A pipe cannot be read twice and counts as text.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn is_binary(&mut self, overrides: Overrides) -> Result<bool, Error> {
        if !self.is_regular() {
            return Ok(false);
        }
        let mut head = Vec::with_capacity(1024);
        (&self.file).take(1024).read_to_end(&mut head)?;
        self.file.rewind()?;
        Ok(is_binary(&head, &self.path, overrides))
    }

    /// Reads a file of up to 8 MiB whole, and nothing yet of a longer one. Where the address space is limited, a file
    /// is long from 64 KiB on.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or when there is not enough memory to read a document.
    pub fn read(&mut self) -> Result<Content, Error> {
        let is_limited = space_limit().is_some();
        if is_limited {
            memory::ensure(MOST_FOR_SHORT)?;
        }
        let most = if is_limited {
            MAX_WHOLE_IF_LIMITED
        } else {
            MAX_WHOLE
        };
        if !self.is_regular() || self.metadata.len() > most {
            return Ok(Content::Large(self.file.try_clone()?));
        }
        let mut bytes = Vec::new();
        memory::reserve(&mut bytes, self.metadata.len() as usize + 1)?;
        (&self.file).take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            self.file.rewind()?;
            return Ok(Content::Large(self.file.try_clone()?));
        }
        Ok(Content::Whole(bytes))
    }

    /// Waits until a pipe has a writer, so that reading it comes to an end.
    ///
    /// # Errors
    ///
    /// When nobody writes to the pipe, or when this is a device, most of which never end.
    pub fn check_readable(&self) -> Result<(), Error> {
        if self.is_regular() {
            return Ok(());
        }
        check_readable(&self.file, &self.metadata)
    }

    /// Checks that the file at its path is still the one that was opened, and unchanged.
    ///
    /// # Errors
    ///
    /// When it changed, vanished, or has become inaccessible.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        let now = self.entry.as_ref().and_then(FileEntry::stamp);
        let by_path = || std::fs::metadata(&self.path).map(|now| Stamp::new(&now));
        check_stamp(now.unwrap_or_else(by_path), &self.stamp())
    }

    /// Checks that the file at a place is the one that was opened, and unchanged.
    ///
    /// # Errors
    ///
    /// When it is not.
    pub(super) fn check_place(&self, place: &Place) -> Result<(), Error> {
        check_stamp(place.stamp(), &self.stamp())
    }
}

/// Checks that a file is as it was.
pub(super) fn check_stamp(now: io::Result<Stamp>, expected: &Stamp) -> Result<(), Error> {
    let message = match now {
        Ok(now) if now == *expected => return Ok(()),
        Ok(_) => "the file changed while it was read; it was left alone",
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            "the file was removed while it was read"
        }
        Err(error) => return Err(error.into()),
    };
    Err(Error::new(ErrorKind::Io, message))
}

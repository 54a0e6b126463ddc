//! Source files: opened, looked at, read whole or in pieces.

use super::binary::{Insisted, is_binary};
use crate::error::{Error, ErrorKind};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files up to this many bytes are read whole; longer ones in pieces.
pub const WHOLE: u64 = 8 << 20;

/// What tells whether a file has changed since it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Device, inode, seconds and nanoseconds of the last change of the inode; zeros where the
    /// system has none.
    identity: [i128; 4],
}

impl Stamp {
    /// The stamp of a file.
    pub fn of(metadata: &Metadata) -> Self {
        Stamp {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            identity: identity(metadata),
        }
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> [i128; 4] {
    use std::os::unix::fs::MetadataExt;
    [
        metadata.dev().into(),
        metadata.ino().into(),
        metadata.ctime().into(),
        metadata.ctime_nsec().into(),
    ]
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> [i128; 4] {
    [0; 4]
}

/// A file that was opened to be read.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    file: File,
    metadata: Metadata,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// A document, as far as its first bytes tell.
    Document,
    /// No text.
    Binary,
}

/// What a file holds.
#[derive(Debug)]
pub enum Content {
    /// All of it.
    Whole(Vec<u8>),
    /// It is long (or has no end yet): to be read in pieces.
    Large(File),
}

impl Source {
    /// Opens a file. Symbolic links are followed.
    ///
    /// # Errors
    ///
    /// When it cannot be opened or is a directory.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(Error::new(
                ErrorKind::Io,
                "expected a file, found a directory",
            ));
        }
        Ok(Source {
            path: path.to_owned(),
            file,
            metadata,
        })
    }

    /// The path by which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the system knew of it when it was opened.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Whether it can be read twice, and replaced: not a pipe, a terminal or a device.
    pub fn is_regular(&self) -> bool {
        self.metadata.is_file()
    }

    /// Looks at the first KiB. A pipe cannot be looked at and counts as a document.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn nature(&mut self, insisted: Insisted) -> Result<Nature, Error> {
        if !self.is_regular() {
            return Ok(Nature::Document);
        }
        let mut head = Vec::with_capacity(1024);
        (&self.file).take(1024).read_to_end(&mut head)?;
        self.file.rewind()?;
        Ok(if is_binary(&head, &self.path, insisted) {
            Nature::Binary
        } else {
            Nature::Document
        })
    }

    /// Reads it: all of it up to [`WHOLE`] bytes, nothing yet of a longer one.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn read(&mut self) -> Result<Content, Error> {
        if !self.is_regular() || self.metadata.len() > WHOLE {
            return Ok(Content::Large(self.file.try_clone()?));
        }
        let mut bytes = Vec::with_capacity(self.metadata.len() as usize + 1);
        (&self.file).take(WHOLE + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > WHOLE {
            self.file.rewind()?;
            return Ok(Content::Large(self.file.try_clone()?));
        }
        Ok(Content::Whole(bytes))
    }

    /// Whether the file at its path is still the one that was opened, unchanged.
    ///
    /// # Errors
    ///
    /// When it changed, vanished, or cannot be looked at.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        let now = match std::fs::metadata(&self.path) {
            Ok(now) => now,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Error::new(
                    ErrorKind::Io,
                    "the file vanished while it was read",
                ));
            }
            Err(error) => return Err(error.into()),
        };
        if Stamp::of(&now) == Stamp::of(&self.metadata) {
            Ok(())
        } else {
            Err(Error::new(
                ErrorKind::Io,
                "the file changed while it was read; it is left as it is now",
            ))
        }
    }
}

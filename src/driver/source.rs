//! Source files: opened, checked, read whole or in pieces.

use super::binary::{Overrides, is_binary};
use crate::error::{Error, ErrorKind};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files of up to this many bytes are read whole, longer ones in pieces.
const MAX_WHOLE: u64 = 8 << 20;

/// The metadata that tell whether a file has changed.
#[derive(PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    /// Device, inode, seconds and nanoseconds of the last change of the inode; zeros on systems without them.
    identity: [i128; 4],
}

impl Stamp {
    fn new(metadata: &Metadata) -> Self {
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

/// A file that was opened for reading.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    file: File,
    metadata: Metadata,
}

/// The content of a file.
#[derive(Debug)]
pub enum Content {
    /// All of it.
    Whole(Vec<u8>),
    /// A long file, or a pipe, from which nothing was read yet.
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

    /// Reads a file of up to 8 MiB whole, and nothing yet of a longer one.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn read(&mut self) -> Result<Content, Error> {
        if !self.is_regular() || self.metadata.len() > MAX_WHOLE {
            return Ok(Content::Large(self.file.try_clone()?));
        }
        let mut bytes = Vec::with_capacity(self.metadata.len() as usize + 1);
        (&self.file).take(MAX_WHOLE + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_WHOLE {
            self.file.rewind()?;
            return Ok(Content::Large(self.file.try_clone()?));
        }
        Ok(Content::Whole(bytes))
    }

    /// Checks that the file at its path is still the one that was opened, and unchanged.
    ///
    /// # Errors
    ///
    /// When it changed, vanished, or has become inaccessible.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        let now = match std::fs::metadata(&self.path) {
            Ok(now) => now,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Error::new(
                    ErrorKind::Io,
                    "the file was removed while it was read",
                ));
            }
            Err(error) => return Err(error.into()),
        };
        if Stamp::new(&now) == Stamp::new(&self.metadata) {
            Ok(())
        } else {
            Err(Error::new(
                ErrorKind::Io,
                "the file changed while it was read; it was left alone",
            ))
        }
    }
}

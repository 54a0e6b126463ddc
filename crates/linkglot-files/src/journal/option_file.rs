//! The files that the options of a run name: a resumed run must read the same files.

use super::record::OptionFile;
use crate::content_digest::digest_of;
use crate::directory::open_path;
use linkglot::error::{Error, ErrorKind};
use std::path::Path;

impl OptionFile {
    /// Describes a file in its present state. `-` is standard input.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn new(path: &Path) -> Result<Self, Error> {
        let digest = if path.as_os_str() == "-" {
            None
        } else {
            digest_of_regular(path)?
        };
        Ok(OptionFile {
            path: path.to_owned(),
            digest,
        })
    }

    /// Checks that the content of the file is unchanged.
    ///
    /// # Errors
    ///
    /// When the content changed, or cannot be read again.
    pub fn check(&self) -> Result<(), Error> {
        let refused = |message| Err(Error::new(ErrorKind::Io, message));
        match &self.digest {
            None => refused("the run read a pipe, which cannot be read again"),
            digest if digest_of_regular(&self.path)? != *digest => {
                refused("the file changed since the run began")
            }
            _ => Ok(()),
        }
    }
}

/// The digest of a file that can be read twice.
fn digest_of_regular(path: &Path) -> Result<Option<String>, Error> {
    let file = open_path(path)?;
    if file.metadata()?.is_file() {
        Ok(Some(digest_of(file)?))
    } else {
        Ok(None)
    }
}

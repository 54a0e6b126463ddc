//! Backups: the old file stays beside the new file, with a suffix added to its name.

use super::content_digest::digest_of;
use super::directory::{Directory, Links, Place};
use super::display::display;
use super::replace::{Replacement, TempFiles};
use super::source::Source;
use super::stamp::Stamp;
use linkglot::error::{Error, ErrorKind};
use std::ffi::{OsStr, OsString};
use std::io::{self, Seek};
use std::path::Path;
use std::sync::Arc;

/// The backup of a file that is about to be replaced. If the file is not replaced after all, the backup is removed
/// again.
#[derive(Debug)]
pub(super) struct Backup<'b> {
    place: &'b Place,
    name: OsString,
    /// The stamp of the file with its backup: another name changes the inode.
    pub stamp: Stamp,
    is_new: bool,
}

impl<'b> Backup<'b> {
    /// Gives the file at `place` the name of its backup as another name: so the backup keeps mode, times and all
    /// attributes. On file systems without hard links, the file is copied. An existing backup with the same content is
    /// kept: an interrupted run made it.
    ///
    /// # Errors
    ///
    /// When the backup cannot be made, or another file has its name.
    pub fn make(
        temp_files: &TempFiles,
        source: &Source,
        place: &'b Place,
        suffix: &OsStr,
    ) -> Result<Self, Error> {
        source.check_place(place)?;
        let mut name = place.name.clone();
        name.push(suffix);
        let directory = &place.directory;
        let is_new = match directory.link(place, &name) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                check_same(source, directory, &name)?;
                false
            }
            Err(_) => {
                let copied = copy(temp_files, source, directory, &name);
                copied.map_err(|cause| {
                    let path = display(directory.path().join(&name));
                    error(&format!("cannot make the backup `{path}`: {cause}"))
                })?;
                true
            }
        };
        let backup = Backup {
            place,
            name,
            stamp: place.stamp()?,
            is_new,
        };
        if backup.stamp.has_content_of(&source.stamp()) {
            Ok(backup)
        } else {
            Err(error(
                "the file changed while it was read; it was left alone",
            ))
        }
    }
}

impl Drop for Backup<'_> {
    fn drop(&mut self) {
        let is_replaced = |now: Stamp| now.identity != self.stamp.identity;
        if self.is_new && !self.place.stamp().is_ok_and(is_replaced) {
            let _ = self.place.directory.remove(&self.name);
        }
    }
}

/// Checks that an existing file has the content of the backup.
fn check_same(source: &Source, directory: &Directory, name: &OsStr) -> Result<(), Error> {
    let path = directory.path().join(name);
    let exists = || {
        let path = display(&path);
        error(&format!(
            "the backup `{path}` exists already, with other content; the file was left alone"
        ))
    };
    if !directory.stamp(name, Links::None)?.is_file {
        return Err(exists());
    }
    let there = directory.open_file(Path::new(name), Links::None)?;
    let mut own = source.file();
    own.rewind()?;
    if digest_of(there)? == digest_of(own)? {
        Ok(())
    } else {
        Err(exists())
    }
}

/// Copies a file with its attributes.
fn copy(
    temp_files: &TempFiles,
    source: &Source,
    directory: &Arc<Directory>,
    name: &OsStr,
) -> Result<(), Error> {
    let place = Place {
        directory: directory.clone(),
        name: name.to_owned(),
    };
    let mut own = source.file();
    own.rewind()?;
    let mut backup = Replacement::begin_at(temp_files, place.clone())?;
    io::copy(&mut own, &mut backup)?;
    let is_free = || match place.stamp() {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(cause) => Err(cause.into()),
        Ok(_) => Err(error("the name of the backup was taken meanwhile")),
    };
    backup.commit(source.likeness(), &is_free)?;
    Ok(())
}

fn error(message: &str) -> Error {
    Error::new(ErrorKind::Io, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Covers file systems without hard links.
    #[test]
    fn a_backup_may_be_a_copy() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a");
        std::fs::write(&path, "old").unwrap();
        let source = Source::open(&path).unwrap();
        let directory = Arc::new(Directory::open(place.path(), Links::All).unwrap());
        let copy = || copy(&TempFiles::new(), &source, &directory, OsStr::new("a~"));
        copy().unwrap();
        let kept = std::fs::metadata(place.path().join("a~")).unwrap();
        let times = |of: &std::fs::Metadata| of.modified().unwrap();
        assert_eq!(times(&kept), times(source.metadata()));
        assert_eq!(std::fs::read(place.path().join("a~")).unwrap(), b"old");
        let error = copy().unwrap_err().to_string();
        assert!(error.contains("was taken meanwhile"), "{error}");
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 2);
    }
}

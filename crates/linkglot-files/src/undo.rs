//! Undoes the changes of a run.
//!
//! Files are reached without symbolic links: a directory that was replaced by a link after the run leads nowhere else.
//! All paths go through `JournalFile::place`, which knows the bounds of the journal.

use crate::content_digest::{Digesting, digest_of, digest_text};
use crate::directory::{Links, Place, is_refused_link};
use crate::display::display;
use crate::journal::{FileEdit, FileRecord, JournalFile, LinkRecord};
use crate::parallel::give_way;
use crate::remedy::Remedy;
use crate::replace::{Replacement, TempFiles};
use crate::source::Source;
use crate::stamp::Stamp;
use linkglot::error::{Error, ErrorKind};
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;

/// The outcome of undoing a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undone {
    /// The file got its old content.
    Restored {
        /// The number of other names (hard links) of the file, which keep the content of the run.
        other_names: u64,
    },
    /// The file already had its old content, or the old bytes in all places of the run: the run was interrupted
    /// before, or was undone.
    Unchanged,
}

impl JournalFile {
    /// Restores the content that a file had before the run.
    ///
    /// The old content is assembled from the new content and the replaced bytes, or was kept whole, and is compared
    /// with its digest before the file is replaced. With `force`, changes of a file that changed after the run are
    /// undone if the bytes that the run wrote are still in their places, and count as undone if the old ones are.
    ///
    /// # Errors
    ///
    /// When the file changed after the run, or cannot be read or written. The file stays unchanged then.
    pub fn undo(
        &self,
        record: &FileRecord,
        temp_files: &TempFiles,
        force: bool,
    ) -> Result<Undone, Error> {
        let (place, source) = self.open_recorded(&record.path)?;
        let digest = digest_of(source.file())?;
        if digest == record.before {
            return Ok(Undone::Unchanged);
        }
        let is_changed = digest != record.after;
        if is_changed {
            check_changed(record, force)?;
            if is_undone(&source, &record.edits)? {
                return Ok(Undone::Unchanged);
            }
        }
        let mut old = Replacement::begin_at(temp_files, place.clone())?;
        let mut restored = Digesting::new(&mut old);
        match &record.kept {
            Some(name) => drop(io::copy(&mut self.open_kept(name)?, &mut restored)?),
            None => restore(&mut reader(&source)?, &record.edits, &mut restored)?,
        }
        if !is_changed && digest_text(restored.digest()) != record.before {
            return Err(error("the journal does not restore the old content"));
        }
        // From here on the thread waits for the disk, and other files are synced together with this one.
        give_way();
        old.commit(source.likeness(), &|| source.check_place(&place))?;
        Ok(Undone::Restored {
            other_names: source.stamp().names.saturating_sub(1),
        })
    }

    /// Restores a hard link: links the path to the restored file. The file itself must be undone before.
    ///
    /// # Errors
    ///
    /// When the restored file does not have its old content, or the file at the path changed after the run.
    pub fn undo_link(&self, record: &LinkRecord, temp_files: &TempFiles) -> Result<Undone, Error> {
        let (first, restored) = self.open_recorded(&record.first).map_err(|cause| {
            let first = display(&record.first);
            Error::new(
                ErrorKind::Io,
                format!("the first name of the file, `{first}`: {cause}"),
            )
        })?;
        if digest_of(restored.file())? != record.before {
            return Err(error(
                "another name of the file does not have its old content",
            ));
        }
        let (place, source) = self.open_recorded(&record.path)?;
        let is_meant = |now: &Stamp| now.identity == restored.stamp().identity;
        if is_meant(&source.stamp()) {
            return Ok(Undone::Unchanged);
        }
        let digest = digest_of(source.file())?;
        if digest != record.before && digest != record.after {
            return Err(error("the file changed after the run"));
        }
        if temp_files.link(&first, &place, &is_meant)? {
            Ok(Undone::Restored { other_names: 0 })
        } else {
            Err(error("another name of the file changed meanwhile"))
        }
    }

    /// Opens a file where the run recorded it.
    fn open_recorded(&self, path: &Path) -> Result<(Place, Source), Error> {
        let place = self.place(path).map_err(explained)?;
        let below = Path::new(&place.name);
        let file = place.directory.open_file(below, Links::None);
        let file = file.map_err(|cause| explained(cause.into()))?;
        let source = Source::new(path.to_owned(), file)?;
        if source.is_regular() {
            Ok((place, source))
        } else {
            Err(error("expected the file of the run, found a special file"))
        }
    }
}

/// Checks a file that changed after the run: it is undone only by force, and not if its old content is kept whole.
fn check_changed(record: &FileRecord, force: bool) -> Result<(), Error> {
    if record.kept.is_some() {
        return Err(error(
            "the file changed after the run, and its old content is kept whole: single changes cannot be undone",
        ));
    }
    if force {
        Ok(())
    } else {
        Err(Remedy::Force.for_error("the file changed after the run"))
    }
}

/// True if the changes of the run are undone in a file that changed after the run, false if they can be undone.
fn is_undone(source: &Source, edits: &[FileEdit]) -> Result<bool, Error> {
    let has_new = has_bytes(&mut reader(source)?, edits, |edit| &edit.new)?;
    let has_old = has_bytes(&mut reader(source)?, edits, |edit| &edit.old)?;
    let is_told = edits.first().is_some_and(FileEdit::tells_versions);
    match (has_new, has_old) {
        (true, false) => Ok(false),
        (false, true) if is_told => Ok(true),
        (true, true) => Err(error(
            "the file changed after the run, and nothing tells whether the run's changes are undone in it; none of them is undone",
        )),
        _ => Err(moved()),
    }
}

/// True if the bytes of all edits, old or new, are in their places.
fn has_bytes(
    file: &mut dyn Read,
    edits: &[FileEdit],
    bytes: impl Fn(&FileEdit) -> &[u8],
) -> io::Result<bool> {
    let mut at = 0;
    for edit in edits {
        let kept = edit.start.saturating_sub(at);
        let mut found = Vec::new();
        let length = bytes(edit).len() as u64;
        if io::copy(&mut file.take(kept), &mut io::sink())? < kept {
            return Ok(false);
        }
        file.take(length).read_to_end(&mut found)?;
        if found != bytes(edit) {
            return Ok(false);
        }
        at = edit.end();
    }
    Ok(true)
}

fn moved() -> Error {
    error(
        "the file changed after the run in the same places; none of the run's changes can be undone",
    )
}

/// Rephrases the error: the system reports "too many levels of symbolic links" even for a single link.
fn explained(cause: Error) -> Error {
    let source = std::error::Error::source(&cause);
    let system = source.and_then(|source| source.downcast_ref::<io::Error>());
    if system.is_some_and(is_refused_link) {
        error("expected the file of the run, found a symbolic link on the way to it")
    } else {
        cause
    }
}

/// Reads an open file from its beginning.
fn reader(source: &Source) -> Result<impl Read, Error> {
    let mut file = source.file();
    file.rewind()?;
    Ok(BufReader::new(file))
}

fn error(message: &str) -> Error {
    Error::new(ErrorKind::Io, message)
}

/// Writes the old content: the new content with the replaced bytes put back.
fn restore(new: &mut dyn Read, edits: &[FileEdit], old: &mut dyn Write) -> Result<(), Error> {
    // Length of the old content written so far.
    let mut at = 0;
    for edit in edits {
        let kept = edit.start.saturating_sub(at);
        if io::copy(&mut new.take(kept), old)? < kept {
            return Err(moved());
        }
        let mut written = Vec::new();
        new.take(edit.new.len() as u64).read_to_end(&mut written)?;
        if written != edit.new {
            return Err(moved());
        }
        old.write_all(&edit.old)?;
        at = edit.end();
    }
    io::copy(new, old)?;
    Ok(())
}

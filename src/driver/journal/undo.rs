//! Takes the changes of a run back.

use super::record::{FileEdit, FileRecord, digest_text};
use super::recorder::Digesting;
use crate::driver::replace::{Likeness, Replacement, TempFiles};
use crate::driver::source::Source;
use crate::error::{Error, ErrorKind};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undone {
    /// It has its old content.
    Restored,
    /// It had it already: the run was interrupted before, or it was undone.
    Unchanged,
}

/// Gives a file the content that it had before a run.
///
/// The old content is made of the new one and the bytes that were replaced, and is compared with its digest before the file is
/// replaced. With `force`, a file that was changed since is taken back as far as the bytes that the run wrote are still
/// where it wrote them.
///
/// # Errors
///
/// When the file was changed since, or cannot be read or written. It stays as it is then.
pub fn undo(record: &FileRecord, temp_files: &TempFiles, force: bool) -> Result<Undone, Error> {
    let source = Source::open(&record.path)?;
    let digest = digest_of(&record.path)?;
    if digest == record.before {
        return Ok(Undone::Unchanged);
    }
    if digest != record.after && !force {
        return Err(Error::new(
            ErrorKind::Io,
            "the file was changed since; `--force` takes back what the run changed",
        ));
    }
    let mut new = BufReader::new(File::open(&record.path)?);
    let mut old = Replacement::begin(temp_files, &record.path)?;
    let mut restored = Digesting::new(&mut old);
    restore(&mut new, &record.edits, &mut restored)?;
    if digest == record.after && digest_text(restored.digest()) != record.before {
        return Err(Error::new(
            ErrorKind::Io,
            "the journal does not lead back to the old content",
        ));
    }
    let like = Likeness {
        metadata: source.metadata(),
        file: Some(source.file()),
    };
    old.commit(like, &|| source.check_unchanged())?;
    Ok(Undone::Restored)
}

/// The digest of a file.
fn digest_of(path: &std::path::Path) -> Result<String, Error> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(digest_text(hasher.finalize()))
}

/// Writes the old content: the new one with what was replaced in place of what replaced it.
fn restore(new: &mut dyn Read, edits: &[FileEdit], old: &mut dyn Write) -> Result<(), Error> {
    let moved = || {
        Error::new(
            ErrorKind::Io,
            "the file was changed since where the run changed it; nothing can be taken back",
        )
    };
    // How much of the old content is written.
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
        at = edit.start + edit.old.len() as u64;
    }
    io::copy(new, old)?;
    Ok(())
}

//! Collects the edits of a rewrite of one file, for its record.

use crate::content_digest::digest_text;
use crate::directory::{Place, is_refused_link};
use crate::journal::{FileEdit, FileRecord, FileVersions, Journal};
use crate::source::{Content, Source};
use linkglot::error::{Error, ErrorKind};
use linkglot::rewrite::Edit;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

/// Maximal number of edits. The old content of a file with more edits is kept whole, so that memory does not grow with
/// the file: all edits are on one line of the journal.
const MOST_EDITS: usize = 50_000;

/// Maximal number of old or new bytes of all edits. Beyond it, the old content is kept whole, too.
const MOST_BYTES: u64 = 4 << 20;

/// The edits of a file. Without a journal nothing is collected.
pub(crate) struct Recorder<'j> {
    journal: Option<&'j Journal>,
    /// `None` after too many edits.
    edits: Option<Vec<Edit>>,
    /// The total length of the edits.
    bytes: u64,
}

/// The way in which a file changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Changed {
    /// By the collected edits.
    ByEdits,
    /// As a whole, or nearly so.
    Whole,
}

impl Journal {
    /// True if the run rewrote a file before it was interrupted. The file must not be rewritten again then.
    ///
    /// # Errors
    ///
    /// When the file changed after the run, or cannot be read.
    pub fn has_rewritten(&self, source: &Source, content: &mut Content) -> Result<bool, Error> {
        if !self.is_resumed() || !source.is_regular() {
            return Ok(false);
        }
        let path = source.place()?.real_path()?;
        let Some((before, after)) = self.digests(&path)? else {
            return Ok(false);
        };
        match content.digest()? {
            now if now == after => Ok(true),
            now if now == before => Ok(false),
            _ => Err(Error::new(
                ErrorKind::Io,
                "the file changed after the run was interrupted; it was left alone",
            )),
        }
    }
}

impl<'j> Recorder<'j> {
    pub fn new(journal: Option<&'j Journal>) -> Self {
        Recorder {
            journal,
            edits: Some(Vec::new()),
            bytes: 0,
        }
    }

    /// Adds the edits of a link.
    pub fn add(&mut self, edits: &[Edit]) {
        if let Some(own) = self.edits.as_mut().filter(|_| self.journal.is_some()) {
            let lengths = edits.iter();
            let lengths = lengths.map(|edit| edit.span.len().max(edit.bytes.len() as u64));
            self.bytes += lengths.sum::<u64>();
            own.extend_from_slice(edits);
            let is_much = self.bytes > MOST_BYTES;
            self.edits.take_if(|own| own.len() > MOST_EDITS || is_much);
        }
    }

    /// Records a file at its place, if there is a journal. `digests` are the digests of the old and the new content.
    ///
    /// # Errors
    ///
    /// The errors of [`Journal::record`]; also when the old content cannot be read.
    pub fn record(
        self,
        (source, place): (&Source, &Place),
        mut old: impl Read + Seek,
        digests: impl FnOnce() -> (blake3::Hash, blake3::Hash),
        changed: Changed,
    ) -> Result<Option<FileVersions>, Error> {
        let Some(journal) = self.journal else {
            return Ok(None);
        };
        let path = recorded_path(source, place)?;
        let (before, after) = digests();
        let (before, after) = (digest_text(before), digest_text(after));
        // A run that was interrupted before it replaced the file has already recorded it.
        let digests = journal.digests(&path)?;
        if digests.is_none_or(|known| known != (before.clone(), after.clone())) {
            let own = self.edits.filter(|_| changed == Changed::ByEdits);
            let (edits, kept) = match own {
                Some(edits) => (with_old(edits, &mut old)?, None),
                // All or much of the file changed.
                None => {
                    old.rewind()?;
                    (Vec::new(), Some(journal.keep(&mut old)?))
                }
            };
            let stamp = source.stamp();
            journal.record(FileRecord {
                path: path.clone(),
                before: before.clone(),
                after: after.clone(),
                edits,
                kept,
                inode: (stamp.names > 1).then_some(stamp.identity.1),
            })?;
        }
        Ok(Some(FileVersions {
            path,
            before,
            after,
        }))
    }
}

/// The path of a place without symbolic links. A directory that was meanwhile swapped for a link must not lead
/// elsewhere.
fn recorded_path(source: &Source, place: &Place) -> Result<PathBuf, Error> {
    let path = place.real_path()?;
    let found = Place::without_links(&path).and_then(|place| place.stamp());
    let message = match found {
        Ok(stamp) if stamp.has_content_of(&source.stamp()) => return Ok(path),
        Ok(stamp) if stamp.identity == source.stamp().identity => {
            "the file changed while it was read; it was left alone"
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound && !is_refused_link(&error) => {
            return Err(error.into());
        }
        _ => "the file was moved while it was read; it was left alone",
    };
    Err(Error::new(ErrorKind::Io, message))
}

/// The edits together with the bytes that they replace.
fn with_old(edits: Vec<Edit>, old: &mut (impl Read + Seek)) -> Result<Vec<FileEdit>, Error> {
    let with_old = |edit: Edit| {
        let mut bytes = vec![0; edit.span.len() as usize];
        old.seek(SeekFrom::Start(edit.span.start))?;
        old.read_exact(&mut bytes)?;
        Ok(FileEdit {
            start: edit.span.start,
            old: bytes,
            new: edit.bytes,
        })
    };
    let edits = edits.into_iter().map(with_old);
    let mut edits: Vec<FileEdit> = edits.collect::<Result<_, Error>>()?;
    extend_first(&mut edits, old)?;
    Ok(edits)
}

/// Maximal number of old bytes to which an edit is extended.
const LONGEST_EXTENDED: usize = 64;

/// Extends the first edit by the bytes behind it until it [tells](FileEdit::tells_versions) whether a file that changed
/// later has the changes of the run. Only the first edit is at the same offset in both versions.
fn extend_first(edits: &mut Vec<FileEdit>, old: &mut (impl Read + Seek)) -> Result<(), Error> {
    let Some(mut first) = edits
        .first()
        .filter(|first| !first.tells_versions())
        .cloned()
    else {
        return Ok(());
    };
    let end = first.end();
    old.seek(SeekFrom::Start(end))?;
    let mut behind = Vec::new();
    old.take(LONGEST_EXTENDED as u64).read_to_end(&mut behind)?;
    let mut joined = 1;
    while !first.tells_versions() && first.old.len() < LONGEST_EXTENDED {
        let at = first.end();
        if let Some(next) = edits.get(joined).filter(|next| next.start == at) {
            first.old.extend_from_slice(&next.old);
            first.new.extend_from_slice(&next.new);
            joined += 1;
        } else if let Some(&byte) = behind.get((at - end) as usize) {
            first.old.push(byte);
            first.new.push(byte);
        } else {
            break;
        }
    }
    edits.splice(..joined, [first]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, OpenOptions};
    use std::io::Write;

    #[test]
    fn what_became_of_a_file_is_told() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a");
        let refusal = |change: &dyn Fn()| {
            fs::write(&path, "old").expect("a file");
            let source = Source::open(&path).expect("a source");
            let place = source.place().expect("a place");
            change();
            recorded_path(&source, &place).map_err(|error| error.to_string())
        };
        assert!(refusal(&|| ()).is_ok());
        let append = || {
            let mut file = OpenOptions::new().append(true).open(&path).expect("a file");
            file.write_all(b" and new").expect("an append");
        };
        let error = refusal(&append).expect_err("another content");
        assert!(error.contains("the file changed"), "{error}");
        let other = directory.path().join("b");
        let error = refusal(&|| fs::rename(&path, &other).expect("a rename")).expect_err("no file");
        assert!(error.contains("the file was moved"), "{error}");
    }
}

//! Collects what a rewrite does to one file, for the record of it.

use super::Journal;
use super::record::{FileEdit, FileRecord, digest_text};
use crate::error::{Error, ErrorKind};
use crate::rewrite::{Edit, Summary};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The edits of a file. Without a journal nothing is collected.
pub(in crate::driver) struct Recorder<'j> {
    journal: Option<&'j Journal>,
    edits: Vec<Edit>,
}

impl<'j> Recorder<'j> {
    pub fn new(journal: Option<&'j Journal>) -> Self {
        Recorder {
            journal,
            edits: Vec::new(),
        }
    }

    /// Adds the edits of a link.
    pub fn add(&mut self, edits: &[Edit]) {
        if self.journal.is_some() {
            self.edits.extend_from_slice(edits);
        }
    }

    /// Records a file in memory.
    ///
    /// # Errors
    ///
    /// Those of [`Journal::record`].
    pub fn record(
        self,
        path: &Path,
        (old, new): (&[u8], &[u8]),
        summary: &Summary,
    ) -> Result<(), Error> {
        let Some(journal) = self.journal else {
            return Ok(());
        };
        let edits = match summary.transcoded {
            // All of it changed.
            Some(_) => vec![FileEdit {
                start: 0,
                old: old.to_vec(),
                new: new.to_vec(),
            }],
            None => {
                let edits = self.edits.into_iter();
                let with_old = |edit: Edit| FileEdit {
                    start: edit.span.start,
                    old: old[edit.span.start as usize..edit.span.end as usize].to_vec(),
                    new: edit.bytes,
                };
                edits.map(with_old).collect()
            }
        };
        journal.record(FileRecord::new(&fs::canonicalize(path)?, (old, new), edits))
    }

    /// Records a long file, whose digests are known.
    ///
    /// # Errors
    ///
    /// Those of [`Journal::record`]; when it cannot be read again; when it got another charset, for then all of it
    /// would have to be recorded.
    pub fn record_long(
        self,
        path: &Path,
        (before, after): (blake3::Hash, blake3::Hash),
        summary: &Summary,
    ) -> Result<(), Error> {
        let Some(journal) = self.journal else {
            return Ok(());
        };
        if summary.transcoded.is_some() {
            return Err(Error::new(
                ErrorKind::Io,
                "a file of this length cannot be recorded with --to-charset (`--no-journal` goes without)",
            ));
        }
        let path = fs::canonicalize(path)?;
        let mut file = File::open(&path)?;
        let mut edits = Vec::with_capacity(self.edits.len());
        for edit in self.edits {
            let mut old = vec![0; edit.span.len() as usize];
            file.seek(SeekFrom::Start(edit.span.start))?;
            file.read_exact(&mut old)?;
            edits.push(FileEdit {
                start: edit.span.start,
                old,
                new: edit.bytes,
            });
        }
        journal.record(FileRecord {
            path,
            before: digest_text(before),
            after: digest_text(after),
            edits,
        })
    }
}

/// Reads or writes, and takes the digest of what passes.
pub(in crate::driver) struct Digesting<T> {
    inner: T,
    hasher: blake3::Hasher,
}

impl<T> Digesting<T> {
    pub fn new(inner: T) -> Self {
        Digesting {
            inner,
            hasher: blake3::Hasher::new(),
        }
    }

    pub fn digest(&self) -> blake3::Hash {
        self.hasher.finalize()
    }
}

impl<T: Read> Read for Digesting<T> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(room)?;
        self.hasher.update(&room[..len]);
        Ok(len)
    }
}

impl<T: Write> Write for Digesting<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

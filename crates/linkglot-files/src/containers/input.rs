//! The bytes of a container or a document, readable once or again.

use super::budget::{Budget, Limited};
use crate::positioned::Positioned;
use linkglot_archive::{Codec, Decoder, HEAD};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, Write};

/// Length of the buffer for an entry of an archive: most are short.
pub(super) const ENTRY_BUFFER: usize = 16 << 10;

/// The bytes by which a binary file is known.
const BINARY_HEAD: usize = 1024;

/// The most bytes of a container in a container that are held in memory; a longer one goes to a temporary file.
const IN_MEMORY: u64 = 8 << 20;

const BUFFER: usize = 64 << 10;

/// A way to read bytes from their begin, any number of times.
pub(super) enum Recipe<'r> {
    File(&'r File),
    /// A file of another file system.
    Shared(&'r dyn SharedFile),
    Bytes(&'r [u8]),
    Decoded(Codec, &'r Recipe<'r>),
}

/// A reader that seeks.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// A file that is read from several positions, such as one of a remote store.
pub trait SharedFile {
    /// A reader at the begin of the file, with a position of its own.
    fn reader(&self) -> Box<dyn ReadSeek + '_>;
}

/// Bytes in memory.
impl SharedFile for &[u8] {
    fn reader(&self) -> Box<dyn ReadSeek + '_> {
        Box::new(Cursor::new(*self))
    }
}

impl Recipe<'_> {
    /// Begins to read. A budget counts what is decompressed.
    pub fn open(&self, budget: Option<&Budget>) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(match self {
            Recipe::File(file) => Box::new(BufReader::with_capacity(BUFFER, Positioned::new(file))),
            Recipe::Shared(file) => Box::new(BufReader::with_capacity(BUFFER, file.reader())),
            Recipe::Bytes(bytes) => Box::new(*bytes),
            Recipe::Decoded(codec, inner) => decoded(*codec, inner.open(budget)?, budget)?,
        })
    }

    /// A reader that seeks, if that needs no decompression.
    pub fn seekable(&self) -> Option<Box<dyn ReadSeek + '_>> {
        match self {
            Recipe::File(file) => Some(Box::new(Positioned::new(file))),
            Recipe::Shared(file) => Some(file.reader()),
            Recipe::Bytes(bytes) => Some(Box::new(Cursor::new(*bytes))),
            Recipe::Decoded(..) => None,
        }
    }
}

impl<'r> Recipe<'r> {
    /// The file of records, and its codec, if reading may begin at any of its members.
    pub fn members(&self) -> Option<(Option<Codec>, &Recipe<'r>)> {
        match self {
            Recipe::Decoded(Codec::Gzip, file) => {
                file.seekable().map(|_| (Some(Codec::Gzip), *file))
            }
            Recipe::Decoded(..) => None,
            file => Some((None, file)),
        }
    }
}

/// Decompresses a reader.
pub(super) fn decoded<'r>(
    codec: Codec,
    reader: Box<dyn BufRead + 'r>,
    budget: Option<&Budget>,
) -> io::Result<Box<dyn BufRead + 'r>> {
    let decoder = Limited::new(Decoder::new(codec, reader)?, budget);
    Ok(Box::new(BufReader::with_capacity(BUFFER, decoder)))
}

/// The bytes of an item.
pub(super) enum Input<'i> {
    Once(Box<dyn BufRead + 'i>),
    Again(&'i Recipe<'i>),
}

/// Reads the first bytes, and returns a reader that has them still. If there are some, an error behind them waits in
/// the reader.
pub(super) fn peek<'r>(
    mut reader: Box<dyn BufRead + 'r>,
) -> io::Result<(Vec<u8>, Box<dyn BufRead + 'r>)> {
    const { assert!(HEAD <= BINARY_HEAD) };
    let mut head = Vec::with_capacity(BINARY_HEAD);
    let read = (&mut reader)
        .take(BINARY_HEAD as u64)
        .read_to_end(&mut head);
    if head.is_empty() {
        read?;
    }
    let whole = Cursor::new(head.clone()).chain(reader);
    Ok((head, Box::new(whole)))
}

/// A container within a container, held to be read again.
pub(super) enum Held {
    Bytes(Vec<u8>),
    File(File),
}

impl Held {
    pub fn read(reader: &mut dyn BufRead) -> io::Result<Self> {
        let mut bytes = Vec::new();
        let len = (&mut *reader).take(IN_MEMORY).read_to_end(&mut bytes)?;
        if (len as u64) < IN_MEMORY {
            return Ok(Held::Bytes(bytes));
        }
        let mut file = tempfile::tempfile()?;
        file.write_all(&bytes)?;
        drop(bytes);
        io::copy(reader, &mut file)?;
        Ok(Held::File(file))
    }

    pub fn recipe(&self) -> Recipe<'_> {
        match self {
            Held::Bytes(bytes) => Recipe::Bytes(bytes),
            Held::File(file) => Recipe::File(file),
        }
    }
}

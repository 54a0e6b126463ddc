//! The bytes of a source: all of them, or a window that moves over the bytes of a reader.

use linkglot_charset::memory;
use std::io::{self, Read};

/// The most bytes of one read.
pub(super) const CHUNK: usize = 128 * 1024;

/// The bytes of a document.
pub(crate) enum Source<'a> {
    Slice(&'a [u8]),
    Reader(Buffer<'a>),
}

/// The bytes that were read and not dropped yet.
pub(crate) struct Buffer<'a> {
    reader: &'a mut dyn Read,
    /// The bytes, with room behind them.
    bytes: Vec<u8>,
    pub(super) filled: usize,
    /// The start of `bytes` in the source.
    pub(super) origin: u64,
    pub(super) ended: bool,
}

impl<'a> Source<'a> {
    /// The source of a reader, of which nothing was read yet.
    pub fn of_reader(reader: &'a mut dyn Read) -> Self {
        Source::Reader(Buffer::new(reader))
    }

    /// The bytes at hand, and whether the source ends with them.
    pub fn window(&self) -> (&[u8], bool) {
        match self {
            Source::Slice(bytes) => (bytes, true),
            Source::Reader(buffer) => (buffer.filled(), buffer.ended),
        }
    }

    /// The start of the window in the source.
    pub fn origin(&self) -> u64 {
        match self {
            Source::Slice(_) => 0,
            Source::Reader(buffer) => buffer.origin,
        }
    }

    /// Drops the first `count` bytes of the window; returns the number of dropped bytes.
    pub fn drop(&mut self, count: usize) -> usize {
        match self {
            Source::Slice(_) => 0,
            Source::Reader(buffer) => {
                buffer.drop(count);
                count
            }
        }
    }

    /// Makes the window longer by `wanted` bytes or more, unless the source ends.
    ///
    /// # Errors
    ///
    /// Errors of the reader.
    pub fn grow(&mut self, wanted: usize) -> io::Result<()> {
        if let Source::Reader(buffer) = self {
            let enough = buffer.filled + wanted;
            while buffer.filled < enough && !buffer.ended {
                buffer.read()?;
            }
        }
        Ok(())
    }
}

impl<'a> Buffer<'a> {
    fn new(reader: &'a mut dyn Read) -> Self {
        Buffer {
            reader,
            bytes: Vec::new(),
            filled: 0,
            origin: 0,
            ended: false,
        }
    }

    pub(super) fn filled(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// Reads once, at most [`CHUNK`] bytes. Does not fill all room that a long slot has left, since then the window
    /// would grow with every reading.
    pub(super) fn read(&mut self) -> io::Result<()> {
        if self.bytes.len() - self.filled < CHUNK / 2 {
            let more = self.filled + CHUNK - self.bytes.len();
            memory::reserve(&mut self.bytes, more)?;
            self.bytes.resize(self.filled + CHUNK, 0);
        }
        let end = self.bytes.len().min(self.filled + CHUNK);
        let room = &mut self.bytes[self.filled..end];
        let got = loop {
            match self.reader.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.filled += got;
        self.ended = got == 0;
        Ok(())
    }

    /// Drops the first `count` bytes.
    pub(super) fn drop(&mut self, count: usize) {
        self.bytes.copy_within(count..self.filled, 0);
        self.filled -= count;
        self.origin += count as u64;
    }
}

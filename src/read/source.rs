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
    /// The error of a read, which waits until the bytes in front of it were looked at.
    failure: Option<io::Error>,
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

    /// Makes the window longer by `wanted` bytes or more, unless the source ends. It grows by less in front of an
    /// error, which the next call returns.
    ///
    /// # Errors
    ///
    /// Errors of the reader.
    pub fn grow(&mut self, wanted: usize) -> io::Result<()> {
        let Source::Reader(buffer) = self else {
            return Ok(());
        };
        let before = buffer.filled;
        let mut read = Ok(());
        while read.is_ok() && buffer.filled < before + wanted && !buffer.ended {
            read = buffer.read();
        }
        buffer.put_off(read, buffer.filled > before)
    }

    /// Lets the next read end with an error.
    pub fn fail_later(&mut self, error: io::Error) {
        if let Source::Reader(buffer) = self {
            buffer.fail_later(error);
        }
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
            failure: None,
        }
    }

    pub(super) fn fail_later(&mut self, error: io::Error) {
        self.failure = Some(error);
    }

    /// Reads as long as the bytes are too `few`, or up to an error of the reader. If there are bytes, the error comes
    /// with the next read.
    ///
    /// # Errors
    ///
    /// When the reader fails at once.
    pub(super) fn fill(&mut self, few: impl Fn(&[u8]) -> bool) -> io::Result<()> {
        let mut read = Ok(());
        while read.is_ok() && few(self.filled()) && !self.ended {
            read = self.read();
        }
        self.put_off(read, self.filled > 0)
    }

    fn put_off(&mut self, read: io::Result<()>, can_wait: bool) -> io::Result<()> {
        match read {
            Err(error) if can_wait => {
                self.fail_later(error);
                Ok(())
            }
            read => read,
        }
    }

    pub(super) fn filled(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    /// Reads once, at most [`CHUNK`] bytes. Does not fill all room that a long slot has left, since then the window
    /// would grow with every reading.
    pub(super) fn read(&mut self) -> io::Result<()> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
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

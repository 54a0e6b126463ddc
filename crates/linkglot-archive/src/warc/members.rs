//! The compressed members of a file, with their places.

use crate::bytes::read_buffered;
use crate::gzip::GzipReader;
use crate::{Codec, invalid};
use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

/// The greatest window of Zstandard, as in [`Decoder`](crate::Decoder).
const ZSTANDARD_WINDOW: u32 = 27;

const BUFFER: usize = 32 << 10;

/// A limit of the decompressed data of a member: an error, if a number of its bytes, compressed and decompressed, goes
/// beyond it.
type Limit = Box<dyn Fn(u64, u64) -> io::Result<()>>;

/// Decompresses a file, and knows where its members begin. A file that is not compressed has a member at each byte.
pub(super) struct Members<R: BufRead> {
    inner: Inner<R>,
    /// The position in the file.
    raw: Rc<Cell<u64>>,
    buffer: Vec<u8>,
    read: usize,
    /// The begin of the present member.
    member: u64,
    /// The position of a member of which nothing was read yet.
    begun: Option<u64>,
    limit: Option<Limit>,
    /// Number of bytes that the present member gave.
    given: u64,
    /// The first failure: reading fails from then on.
    failure: Option<(io::ErrorKind, String)>,
}

impl<R: BufRead> fmt::Debug for Members<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut members = f.debug_struct("Members");
        members
            .field("member", &self.member)
            .finish_non_exhaustive()
    }
}

enum Inner<R: BufRead> {
    Plain(Counted<R>),
    Gzip(Box<GzipReader<Counted<R>>>),
    Zstandard(Frames<R>),
}

/// Frames of Zstandard, one after another.
enum Frames<R: BufRead> {
    Between(Counted<R>),
    Within(Box<zstd::stream::read::Decoder<'static, Counted<R>>>),
    Failed,
}

/// A reader that counts its bytes.
struct Counted<R> {
    inner: R,
    at: Rc<Cell<u64>>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(room)?;
        self.at.set(self.at.get() + len as u64);
        Ok(len)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, len: usize) {
        self.inner.consume(len);
        self.at.set(self.at.get() + len as u64);
    }
}

impl<R: BufRead> Members<R> {
    /// Begins a file, compressed by gzip or Zstandard or not at all.
    pub fn new(codec: Option<Codec>, inner: R) -> io::Result<Self> {
        Members::at(0, codec, inner)
    }

    /// Begins at a position of a file, where the reader stands: that of a member.
    pub fn at(start: u64, codec: Option<Codec>, inner: R) -> io::Result<Self> {
        let raw = Rc::new(Cell::new(start));
        let counted = Counted {
            inner,
            at: Rc::clone(&raw),
        };
        let inner = match codec {
            None => Inner::Plain(counted),
            Some(Codec::Gzip) => Inner::Gzip(Box::new(GzipReader::new(counted))),
            Some(Codec::Zstandard) => Inner::Zstandard(Frames::Between(counted)),
            Some(_) => return Err(invalid("expected gzip or Zstandard data")),
        };
        Ok(Members {
            inner,
            raw,
            buffer: Vec::new(),
            read: 0,
            member: start,
            begun: None,
            limit: None,
            given: 0,
            failure: None,
        })
    }

    /// Limits the decompressed data of each member.
    pub fn limit(&mut self, limit: Limit) {
        self.limit = Some(limit);
    }

    /// The begin of the present member.
    pub fn member(&self) -> u64 {
        self.member
    }

    /// Number of bytes of the file that were used.
    pub fn raw_position(&self) -> u64 {
        self.raw.get()
    }

    /// True if bytes behind a position of the file were read.
    pub fn has_passed(&self, end: u64) -> bool {
        match &self.inner {
            Inner::Plain(_) => self.raw.get() > end,
            _ => self.member > end || self.member == end && self.begun.is_none(),
        }
    }

    /// The position in the file, if the next byte begins a member, or the file ends.
    pub fn boundary(&mut self) -> io::Result<Option<u64>> {
        let is_between = self.read == self.buffer.len() && self.fill_member()?;
        Ok(if is_between {
            Some(self.raw.get())
        } else {
            self.begun
        })
    }

    /// Fills an empty buffer from the present member. True if there is no more of it.
    fn fill_member(&mut self) -> io::Result<bool> {
        if let Some((kind, message)) = &self.failure {
            return Err(io::Error::new(*kind, message.clone()));
        }
        self.check()?;
        self.buffer.resize(BUFFER, 0);
        self.read = 0;
        let mut len = 0;
        let filled = loop {
            let read = match &mut self.inner {
                Inner::Plain(_) => Ok(0),
                Inner::Gzip(gzip) => gzip.read_member(&mut self.buffer[len..]),
                Inner::Zstandard(frames) => frames.read_frame(&mut self.buffer[len..]),
            };
            match read {
                Ok(more) => len += more,
                Err(error) => break Err(error),
            }
            if read.is_ok_and(|more| more == 0) || len == BUFFER {
                break Ok(());
            }
        };
        self.given += len as u64;
        self.buffer.truncate(len);
        // Full buffers are checked, so that the answer does not depend on where reading began.
        if let Err(error) = self.check() {
            self.buffer.clear();
            return Err(error);
        }
        match filled {
            Err(error) => {
                self.failure = Some((error.kind(), error.to_string()));
                // Bytes in front of the failure come first.
                if len > 0 { Ok(false) } else { Err(error) }
            }
            Ok(()) => Ok(len == 0),
        }
    }

    /// Checks the limit of the present member.
    fn check(&self) -> io::Result<()> {
        let limit = self.limit.as_ref().filter(|_| self.given > 0);
        limit.map_or(Ok(()), |limit| {
            limit(self.raw.get() - self.member, self.given)
        })
    }

    /// Fills an empty buffer, from the next member if the present one has ended.
    fn refill(&mut self) -> io::Result<()> {
        while self.read == self.buffer.len() && self.fill_member()? {
            let begin = self.raw.get();
            let has_more = match &mut self.inner {
                Inner::Plain(_) => false,
                Inner::Gzip(gzip) => gzip.next_member()?,
                Inner::Zstandard(frames) => frames.begin()?,
            };
            if !has_more {
                break;
            }
            self.begun = Some(begin);
            self.member = begin;
            self.given = 0;
        }
        Ok(())
    }
}

impl<R: BufRead> Frames<R> {
    /// Reads the present frame. Zero at its end, and between frames.
    fn read_frame(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let Frames::Within(decoder) = self else {
            return Ok(0);
        };
        let len = decoder.read(room)?;
        if len == 0
            && let Frames::Within(decoder) = std::mem::replace(self, Frames::Failed)
        {
            *self = Frames::Between(decoder.finish());
        }
        Ok(len)
    }

    /// Begins the next frame. False at the end of the file.
    fn begin(&mut self) -> io::Result<bool> {
        match std::mem::replace(self, Frames::Failed) {
            Frames::Between(mut reader) => {
                if reader.fill_buf()?.is_empty() {
                    *self = Frames::Between(reader);
                    return Ok(false);
                }
                let mut decoder = zstd::stream::read::Decoder::with_buffer(reader)?.single_frame();
                decoder.window_log_max(ZSTANDARD_WINDOW)?;
                *self = Frames::Within(Box::new(decoder));
                Ok(true)
            }
            within @ Frames::Within(_) => {
                *self = within;
                Ok(true)
            }
            Frames::Failed => Err(invalid("damaged Zstandard data")),
        }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        read_buffered(self, room)
    }
}

impl<R: BufRead> BufRead for Members<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.refill()?;
        match &mut self.inner {
            Inner::Plain(reader) => reader.fill_buf(),
            _ => Ok(&self.buffer[self.read..]),
        }
    }

    fn consume(&mut self, len: usize) {
        match &mut self.inner {
            Inner::Plain(reader) => reader.consume(len),
            _ => {
                self.read += len;
                self.begun = self.begun.filter(|_| len == 0);
            }
        }
    }
}

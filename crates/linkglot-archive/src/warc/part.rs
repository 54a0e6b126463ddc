//! Reads a part of a file: records from one border to another.

use super::members::Members;
use super::reader::{Origin, Reader, Step};
use crate::Codec;
use std::io::{self, BufRead, Read};
use std::ops::RangeFrom;

/// Reads the records of a part of a file, compressed by gzip or Zstandard or not at all. A part begins where a record
/// begins, in a compressed file with its member, and ends at such a border, too. Several parts are read independently.
///
/// Whether the end was a border is known when the part was read: if not, the part goes on to the end of the file, and
/// [`has_passed_end`](Part::has_passed_end) tells it.
///
/// ```
/// use linkglot_archive::warc::{Part, Step};
///
/// let record = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n";
/// let file = record.repeat(3);
/// let mut part = Part::new(None, &file[59..], (59.., Some(118)))?;
/// assert!(matches!(part.step()?, Step::Record(_)));
/// assert!(matches!(part.step()?, Step::End));
/// assert!(!part.has_passed_end());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Part<R: BufRead> {
    records: Reader<Members<R>>,
    end: Option<u64>,
}

impl<R: BufRead> Part<R> {
    /// Begins with the first byte of a part, where the reader stands: its position in the file. The end is a position
    /// in the file, too; without it, the part ends with the file.
    ///
    /// # Errors
    ///
    /// For other codecs.
    pub fn new(
        codec: Option<Codec>,
        file: R,
        (from, end): (RangeFrom<u64>, Option<u64>),
    ) -> io::Result<Self> {
        let members = Members::at(from.start, codec, file)?;
        Ok(Part {
            records: Reader::new(members),
            end,
        })
    }

    /// Sets the position in the decompressed file where the part begins, for errors: it is asked for when it is needed.
    #[must_use]
    pub fn beginning_at(self, origin: impl Fn() -> u64 + 'static) -> Self {
        Part {
            records: Reader::part(self.records.inner, Origin(Box::new(origin))),
            end: self.end,
        }
    }

    /// Limits the decompressed data of each member: `limit` is given the number of its compressed and of its
    /// decompressed bytes, so far, and answers with an error if these are too many.
    #[must_use]
    pub fn limited(mut self, limit: impl Fn(u64, u64) -> io::Result<()> + 'static) -> Self {
        self.records.inner.limit(Box::new(limit));
        self
    }

    /// Goes to the next record. Its block can be read from the part itself, to its end or not at all.
    ///
    /// # Errors
    ///
    /// When the reader fails, a member is damaged, or the file ends within a record: nothing follows then.
    pub fn step(&mut self) -> io::Result<Step> {
        if let Some(error) = self.records.go_behind()? {
            return Ok(Step::Damaged(error));
        }
        if let Some(end) = self.end
            && self.records.is_between()
            && self.records.inner.boundary()? == Some(end)
        {
            return Ok(Step::End);
        }
        self.records.header()
    }

    /// True if bytes behind the end were read: it was no border.
    pub fn has_passed_end(&self) -> bool {
        self.end
            .is_some_and(|end| self.records.inner.has_passed(end))
    }

    /// The position of the present member in the file.
    pub fn member(&self) -> u64 {
        self.records.inner.member()
    }

    /// The number of decompressed bytes that were read.
    pub fn position(&self) -> u64 {
        self.records.position()
    }
}

impl<R: BufRead> Read for Part<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.records.read(room)
    }
}

impl<R: BufRead> BufRead for Part<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.records.fill_buf()
    }

    fn consume(&mut self, len: usize) {
        self.records.consume(len);
    }
}

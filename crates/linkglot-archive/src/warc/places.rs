//! Goes through the records of a file with their places in it, as an index lists them.

use super::members::Members;
use super::reader::{Reader, Record, Step};
use crate::{Codec, invalid};
use std::io::{self, BufRead};
use std::ops::Range;

/// Reads the records of a file, compressed or not, with the place of each: bytes of the file itself. In a compressed
/// file that is the whole member or frame of the record; else the record without the empty lines behind it. Linear, in
/// bounded memory.
///
/// ```
/// use linkglot_archive::warc::Places;
///
/// let file = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n";
/// let mut places = Places::new(None, &file[..])?;
/// assert_eq!(places.next(&mut |record, _| Ok(record.length))?, Some((3, 0..55)));
/// assert_eq!(places.next(&mut |record, _| Ok(record.length))?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Places<R: BufRead> {
    records: Reader<Members<R>>,
    is_compressed: bool,
}

impl<R: BufRead> Places<R> {
    /// Begins with the first byte of a file, compressed by gzip or Zstandard or not at all.
    ///
    /// # Errors
    ///
    /// For other codecs.
    pub fn new(codec: Option<Codec>, file: R) -> io::Result<Self> {
        Ok(Places {
            records: Reader::new(Members::new(codec, file)?),
            is_compressed: codec.is_some(),
        })
    }

    /// Goes to the next record, and hands it and its block to `read`. Returns the result with the place of the record.
    ///
    /// # Errors
    ///
    /// When `read` fails, the file is damaged, or a member holds several records: they have no place of their own.
    pub fn next<T>(
        &mut self,
        read: &mut dyn FnMut(&Record, &mut dyn BufRead) -> io::Result<T>,
    ) -> io::Result<Option<(T, Range<u64>)>> {
        self.records.end_record()??;
        let start = self.boundary()?;
        let record = match self.records.step()? {
            Step::Record(record) => record,
            Step::Damaged(error) => return Err(error),
            Step::End => return Ok(None),
        };
        // In a file that is not compressed, positions are those of the file.
        let start = if self.is_compressed {
            start
        } else {
            record.start
        };
        let done = read(&record, &mut self.records)?;
        let end = self.records.block_end();
        self.records.end_record()??;
        let end = if self.is_compressed {
            self.boundary()?
        } else {
            end
        };
        Ok(Some((done, start..end)))
    }

    fn boundary(&mut self) -> io::Result<u64> {
        let boundary = self.records.inner.boundary()?;
        boundary.ok_or_else(|| {
            invalid("expected a member of the compressed file for each record, found several records in one")
        })
    }
}

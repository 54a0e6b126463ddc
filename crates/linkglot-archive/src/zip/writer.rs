//! Writing an archive from an old one.

use super::content::pack;
use super::directory::{END64, END64_LEN};
use super::fields::{Numbers, WIDE, record_numbers, set_local, set_record};
use super::{Archive, Entry, SeekTo, damaged, directory};
use crate::Output;
use crate::bytes::{fill, number, set_number};
use std::io::{self, Read, Seek};
use tempfile::SpooledTempFile;

/// The most bytes of a compressed content that wait in memory for their length.
const IN_MEMORY: usize = 4 << 20;

/// Writes a new archive: entries that change are replaced in the order of their numbers, everything else is copied,
/// with positions put right.
///
/// ```
/// use linkglot_archive::zip::{Archive, Writer};
/// use std::io::Cursor;
///
/// let empty = [&b"PK\x05\x06"[..], &[0; 18]].concat();
/// let mut archive = Archive::open(Cursor::new(&empty))?;
/// let mut new = Vec::new();
/// Writer::default().finish(&mut archive, &mut new)?;
/// assert_eq!(new, empty);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Writer {
    /// The position in the old archive up to which everything was written.
    at: u64,
    changes: Vec<Change>,
}

/// A replaced entry.
#[derive(Debug)]
struct Change {
    local: u64,
    numbers: Numbers,
    /// Growth of the archive up to the end of the entry, in bytes.
    growth: i64,
}

impl Writer {
    /// Replaces the content of an entry, whose number is greater than that of the last. Everything in front of it is
    /// copied.
    ///
    /// # Errors
    ///
    /// When reading or writing fails, or the entry is damaged.
    pub fn replace<R: Read + Seek>(
        &mut self,
        archive: &mut Archive<R>,
        (at, entry): (usize, &Entry),
        content: &mut dyn Read,
        out: &mut dyn Output,
    ) -> io::Result<()> {
        let span = archive.span(at, entry)?;
        let header = archive.local_header(entry)?;
        // The flags say where the numbers stand. Readers forgive what differs here.
        if header[6..8] != entry.record[8..10] {
            return Err(damaged("the flags of the central directory", entry.local));
        }
        let end = span.content + entry.compressed;
        let old = record_numbers(&entry.record)?;
        let descriptor = archive.descriptor(entry, &old, end..span.next)?;
        let mut packed = SpooledTempFile::new(IN_MEMORY);
        let done = pack(entry, content, &mut packed)?;
        let new = Numbers {
            crc: done.crc,
            size: done.size,
            compressed: done.compressed,
            offset: 0,
        };
        archive.copy(self.at..entry.local, out)?;
        let header = set_local(&header, &old, &new)?;
        out.write_all(&header)?;
        packed.rewind()?;
        io::copy(&mut packed, out)?;
        let new_descriptor = descriptor.map(|form| form.bytes(&new)).transpose()?;
        let new_descriptor = new_descriptor.unwrap_or_default();
        out.write_all(&new_descriptor)?;
        self.at = end + descriptor.map_or(0, Descriptor::len);
        let new_len = header.len() as u64 + new.compressed + new_descriptor.len() as u64;
        let growth = self.changes.last().map_or(0, |last| last.growth);
        self.changes.push(Change {
            local: entry.local,
            numbers: new,
            growth: growth + (new_len.cast_signed() - (self.at - entry.local).cast_signed()),
        });
        Ok(())
    }

    /// Copies the rest, and writes the central directory.
    ///
    /// # Errors
    ///
    /// When reading or writing fails.
    pub fn finish<R: Read + Seek>(
        self,
        archive: &mut Archive<R>,
        out: &mut dyn Output,
    ) -> io::Result<()> {
        let (start, end) = (archive.directory.start, archive.directory.end);
        if self.changes.is_empty() {
            let all = archive.inner.seek(io::SeekFrom::End(0))?;
            return archive.copy(self.at..all, out);
        }
        archive.copy(self.at..start, out)?;
        let mut at = start;
        let mut len = 0;
        while at < end {
            archive.inner.seek_to(at)?;
            let record = directory::read_record(&mut archive.inner)?;
            let new = self.record(&record, archive.directory.base)?;
            if new == record {
                out.keep(at, &record)?;
            } else {
                out.write_all(&new)?;
            }
            at += record.len() as u64;
            len += new.len() as u64;
        }
        let growth = self.changes.last().map_or(0, |last| last.growth);
        archive.finish(growth, len, out)
    }

    /// The record of an entry with its new numbers and position.
    fn record(&self, record: &[u8], base: u64) -> io::Result<Vec<u8>> {
        let mut numbers = record_numbers(record)?;
        let local = numbers.offset + base;
        let before = self.changes.partition_point(|change| change.local < local);
        let growth = before
            .checked_sub(1)
            .map_or(0, |at| self.changes[at].growth);
        let offset = numbers.offset.wrapping_add_signed(growth);
        if let Some(change) = self
            .changes
            .get(before)
            .filter(|change| change.local == local)
        {
            numbers = change.numbers;
        }
        numbers.offset = offset;
        // A field may have an unusual form, which stays.
        if numbers == record_numbers(record)? {
            return Ok(record.to_vec());
        }
        set_record(record, &numbers)
    }
}

/// The form of a data descriptor (4.3.9).
#[derive(Clone, Copy, Debug)]
struct Descriptor {
    has_signature: bool,
    /// Bytes of a length.
    width: usize,
}

const SIGNATURE: &[u8] = b"PK\x07\x08";

impl Descriptor {
    const FORMS: [Descriptor; 4] = [
        Descriptor::new(true, 4),
        Descriptor::new(true, 8),
        Descriptor::new(false, 4),
        Descriptor::new(false, 8),
    ];

    const fn new(has_signature: bool, width: usize) -> Self {
        Descriptor {
            has_signature,
            width,
        }
    }

    fn len(self) -> u64 {
        (4 * usize::from(self.has_signature) + 4 + 2 * self.width) as u64
    }

    fn bytes(self, numbers: &Numbers) -> io::Result<Vec<u8>> {
        if self.width == 4 && numbers.size.max(numbers.compressed) >= WIDE {
            return Err(crate::invalid(
                "expected an entry of less than 4 GiB, as its data descriptor has it",
            ));
        }
        let mut bytes = if self.has_signature {
            SIGNATURE.to_vec()
        } else {
            Vec::new()
        };
        bytes.extend_from_slice(&numbers.crc.to_le_bytes());
        for length in [numbers.compressed, numbers.size] {
            bytes.extend_from_slice(&length.to_le_bytes()[..self.width]);
        }
        Ok(bytes)
    }
}

impl<R: Read + Seek> Archive<R> {
    /// The form of the descriptor of an entry, if there is one: that with the numbers of the entry, which fits in front
    /// of the next.
    fn descriptor(
        &mut self,
        entry: &Entry,
        numbers: &Numbers,
        room: std::ops::Range<u64>,
    ) -> io::Result<Option<Descriptor>> {
        if !entry.has_descriptor() {
            return Ok(None);
        }
        let mut found = [0; 24];
        self.inner.seek_to(room.start)?;
        let len = fill(&mut self.inner, &mut found)? as u64;
        let len = len.min(room.end - room.start) as usize;
        let fits = |form: &&Descriptor| {
            let bytes = form.bytes(numbers);
            bytes.is_ok_and(|bytes| found[..len].starts_with(&bytes))
        };
        let form = Descriptor::FORMS.iter().find(fits).copied();
        form.map(Some)
            .ok_or_else(|| damaged("the data descriptor of the entry", room.start))
    }

    /// Copies a range of the old archive.
    fn copy(&mut self, range: std::ops::Range<u64>, out: &mut dyn Output) -> io::Result<()> {
        self.inner.seek_to(range.start)?;
        let mut buffer = vec![0; 64 << 10];
        let mut at = range.start;
        while at < range.end {
            let room = (range.end - at).min(buffer.len() as u64) as usize;
            let got = fill(&mut self.inner, &mut buffer[..room])?;
            if got == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            out.keep(at, &buffer[..got])?;
            at += got as u64;
        }
        Ok(())
    }

    /// Writes what follows the records of the directory, whose new length is `len`.
    fn finish(&mut self, growth: i64, len: u64, out: &mut dyn Output) -> io::Result<()> {
        let directory = &self.directory;
        let offset = (directory.start - directory.base).wrapping_add_signed(growth);
        let behind = (directory.start + len).wrapping_add_signed(growth);
        let (end, end64, entries) = (directory.end_record, directory.end64, directory.entries);
        let base = directory.base;
        let is_wide = offset >= WIDE || len >= WIDE;
        if let Some(at) = end64 {
            self.inner.seek_to(at)?;
            let mut old = vec![0; (end - at) as usize];
            self.inner.read_exact(&mut old)?;
            let mut new = old.clone();
            set_number(&mut new, 40, 8, len);
            set_number(&mut new, 48, 8, offset);
            let locator = new.len() - 20;
            // A position that does not count what stands in front of the archive stays so.
            let counted = number(&new, locator + 8, 8) == at;
            let place = if counted { behind } else { behind - base };
            set_number(&mut new, locator + 8, 8, place);
            keep_or_write(at, (&old, &new), out)?;
        } else if is_wide {
            out.write_all(&new_end64((entries, len, offset), behind))?;
        }
        self.inner.seek_to(end)?;
        let mut old = vec![0; directory::END_LEN];
        self.inner.read_exact(&mut old)?;
        let mut new = old.clone();
        for (at, value) in [(12, len), (16, offset)] {
            let stays = end64.is_some() && number(&old, at, 4) == WIDE;
            let value = if stays { WIDE } else { value.min(WIDE) };
            set_number(&mut new, at, 4, value);
        }
        keep_or_write(end, (&old, &new), out)?;
        let rest = end + directory::END_LEN as u64;
        let all = self.inner.seek(io::SeekFrom::End(0))?;
        self.copy(rest..all, out)
    }
}

fn keep_or_write(at: u64, (old, new): (&[u8], &[u8]), out: &mut dyn Output) -> io::Result<()> {
    if old == new {
        out.keep(at, old)
    } else {
        out.write_all(new)
    }
}

/// A zip64 end record, which will stand at `at`, and its locator (4.3.14, 4.3.15).
fn new_end64((entries, len, offset): (u64, u64, u64), at: u64) -> Vec<u8> {
    let mut record = vec![0; END64_LEN + 20];
    record[..4].copy_from_slice(END64);
    set_number(&mut record, 4, 8, END64_LEN as u64 - 12);
    set_number(&mut record, 12, 2, 45);
    set_number(&mut record, 14, 2, 45);
    for place in [24, 32] {
        set_number(&mut record, place, 8, entries);
    }
    set_number(&mut record, 40, 8, len);
    set_number(&mut record, 48, 8, offset);
    record[END64_LEN..][..4].copy_from_slice(b"PK\x06\x07");
    set_number(&mut record, END64_LEN + 8, 8, at);
    set_number(&mut record, END64_LEN + 16, 4, 1);
    record
}

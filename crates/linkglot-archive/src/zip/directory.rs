//! The central directory: where it is, and what it lists.

use super::{RECORD, RECORD_LEN, SeekTo, damaged, fields};
use crate::bytes::{fill, number};
use crate::invalid;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// The records behind the directory (4.3.14 to 4.3.16): signatures and lengths.
pub(super) const END: &[u8] = b"PK\x05\x06";
pub(super) const END_LEN: usize = 22;
const LOCATOR: &[u8] = b"PK\x06\x07";
const LOCATOR_LEN: usize = 20;
pub(super) const END64: &[u8] = b"PK\x06\x06";
pub(super) const END64_LEN: usize = 56;

/// The greatest length of the comment of an archive.
const MOST_COMMENT: u64 = 0xFFFF;

/// The most bytes behind the end of an archive.
const MOST_BEHIND: u64 = 1 << 10;

/// Places of an entry: of its local header, and of its record in the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Places {
    pub local: u64,
    /// In a recovered archive the length of the compressed content.
    pub record: u64,
}

/// The place of the central directory.
#[derive(Debug)]
pub(super) struct Directory {
    pub start: u64,
    /// The first byte behind the records of entries.
    pub end: u64,
    pub entries: u64,
    /// The length of what stands in front of the archive, if positions do not count it.
    pub base: u64,
    /// The place of the zip64 end record.
    pub end64: Option<u64>,
    /// The place of the end record.
    pub end_record: u64,
    /// True if the archive has no directory: its end counts.
    pub is_lost: bool,
}

impl Directory {
    /// No directory, at the end of a file of some length.
    pub fn lost(len: u64, entries: u64) -> Self {
        Directory {
            start: len,
            end: len,
            entries,
            base: 0,
            end64: None,
            end_record: len,
            is_lost: true,
        }
    }

    /// Finds the directory from the end of the file.
    pub fn find<R: Read + Seek>(reader: &mut BufReader<R>) -> io::Result<Self> {
        let (at, record) = end_record(reader)?;
        let end64 = end64(reader, at)?;
        let (size, offset, entries) = match &end64 {
            Some((_, record)) => (
                number(record, 40, 8),
                number(record, 48, 8),
                number(record, 32, 8),
            ),
            None => (
                number(&record, 12, 4),
                number(&record, 16, 4),
                number(&record, 10, 2),
            ),
        };
        let disks = [number(&record, 4, 2), number(&record, 6, 2)];
        if disks != [0; 2] && disks != [0xFFFF; 2] {
            return Err(invalid("expected a zip archive of one volume"));
        }
        let behind = end64.as_ref().map_or(at, |(at, _)| *at);
        // Behind a program, positions count from the begin of the archive or of the file.
        let start = behind.checked_sub(size);
        let base = start.and_then(|start| start.checked_sub(offset));
        let (Some(start), Some(base)) = (start, base) else {
            return Err(damaged("the central directory", offset));
        };
        Ok(Directory {
            start,
            end: behind,
            entries,
            base,
            end64: end64.map(|(at, _)| at),
            end_record: at,
            is_lost: false,
        })
    }

    /// The places of all entries, in the order of their local headers. Every record is checked.
    pub fn places<R: Read + Seek>(&self, reader: &mut BufReader<R>) -> io::Result<Vec<Places>> {
        reader.seek_to(self.start)?;
        let mut places = Vec::new();
        let mut at = self.start;
        while at < self.end {
            let record = read_record(reader)?;
            let len = record.len() as u64;
            let local = fields::local(&record).and_then(|local| local.checked_add(self.base));
            let local = local.filter(|local| *local < self.start);
            let local = local.ok_or_else(|| damaged("the position of an entry", at))?;
            places.push(Places { local, record: at });
            at += len;
        }
        // Without zip64, programs count 65,536 entries as none.
        let count = places.len() as u64;
        let is_counted =
            count == self.entries || (self.end64.is_none() && count & 0xFFFF == self.entries);
        if at != self.end || !is_counted {
            return Err(damaged("the end of the central directory", at));
        }
        places.sort_unstable();
        Ok(places)
    }
}

/// Reads a record of the directory, where the reader stands.
pub(super) fn read_record(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut record = vec![0; RECORD_LEN];
    let expected = || invalid("damaged zip archive: expected a record of the central directory");
    if fill(reader, &mut record)? < RECORD_LEN || !record.starts_with(RECORD) {
        return Err(expected());
    }
    let variable: u64 = [28, 30, 32].iter().map(|&at| number(&record, at, 2)).sum();
    record.resize(RECORD_LEN + variable as usize, 0);
    if fill(reader, &mut record[RECORD_LEN..])? < variable as usize {
        return Err(expected());
    }
    Ok(record)
}

/// The last end record whose comment ends with the file, or a little before.
fn end_record<R: Read + Seek>(reader: &mut BufReader<R>) -> io::Result<(u64, Vec<u8>)> {
    let len = reader.seek(SeekFrom::End(0))?;
    let from = len.saturating_sub(END_LEN as u64 + MOST_COMMENT + MOST_BEHIND);
    reader.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    reader.read_to_end(&mut tail)?;
    let mut found = None;
    for at in (0..=tail.len().saturating_sub(END_LEN)).rev() {
        if !tail[at..].starts_with(END) || tail.len() < at + END_LEN {
            continue;
        }
        let comment = number(&tail, at + 20, 2) as usize;
        let behind = (tail.len() - at - END_LEN).checked_sub(comment);
        match behind {
            Some(0) => {
                found = Some(at);
                break;
            }
            Some(behind) if behind as u64 <= MOST_BEHIND && found.is_none() => found = Some(at),
            _ => {}
        }
    }
    let at = found.ok_or_else(|| {
        invalid("damaged zip archive: expected the central directory at the end of the file")
    })?;
    Ok((from + at as u64, tail[at..at + END_LEN].to_vec()))
}

/// The zip64 end record, in front of the end record at `at`: its place and its bytes.
fn end64<R: Read + Seek>(reader: &mut BufReader<R>, at: u64) -> io::Result<Option<(u64, Vec<u8>)>> {
    let Some(locator_at) = at.checked_sub(LOCATOR_LEN as u64) else {
        return Ok(None);
    };
    let mut locator = [0; LOCATOR_LEN];
    reader.seek_to(locator_at)?;
    fill(reader, &mut locator)?;
    if !locator.starts_with(LOCATOR) {
        return Ok(None);
    }
    // A program in front of the archive may not be counted. Then the record has its usual length.
    let usual = locator_at.checked_sub(END64_LEN as u64);
    for place in [Some(number(&locator, 8, 8)), usual].into_iter().flatten() {
        let mut record = vec![0; END64_LEN];
        reader.seek_to(place)?;
        let is_whole = fill(reader, &mut record)? == END64_LEN && record.starts_with(END64);
        let len = number(&record, 4, 8).checked_add(12);
        if is_whole && len.and_then(|len| place.checked_add(len)) == Some(locator_at) {
            return Ok(Some((place, record)));
        }
    }
    Err(damaged(
        "the zip64 end of the central directory",
        locator_at,
    ))
}

//! Finds the places where a file of records can be divided.
//!
//! In a file that is compressed record by record, a border is the begin of a member of gzip with whole records. Bytes
//! that look so also stand in the middle of a member, if that holds a file of this kind: deflate stores what it cannot
//! compress. But a stored block has up to 65,535 bytes (RFC 1951 3.2.4). So members that go on in an unbroken chain for
//! longer are proven.

use super::members::Members;
use super::reader::{Reader, Step, is_version};
use crate::Codec;
use crate::bytes::fill;
use memchr::memmem::Finder;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

/// The begin of a member (RFC 1952 2.3).
const MAGIC: &[u8] = b"\x1F\x8B\x08";

/// The greatest length of a stored block.
const STORED: u64 = 0xFFFF;

/// The longest chain that is followed. A border in front of a longer member is passed over.
const MOST_CHAIN: u64 = 1 << 20;

/// Bytes that may be decompressed in vain: some, and these for each byte that is searched.
const VAIN: u64 = 4 << 20;
const VAIN_PER_BYTE: u64 = 16;

const WINDOW: usize = 64 << 10;

/// Number of bytes that are read for the header of a record.
const HEADER: usize = 2 << 10;

/// The proof that bytes are the begin of a member with records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A sound member, or 1 MiB of it. Enough where a wrong border shows later, or little depends on it.
    Member,
    /// A chain of sound members that no other member can hold.
    Chain,
}

/// Finds the first member of gzip in a range of a file that begins with a record of WARC. `None` if there is none, or
/// if too much only looks so. Linear in the length that is searched, in bounded memory.
///
/// ```
/// use linkglot_archive::warc::{Proof, next_member};
/// use std::io::Cursor;
///
/// assert_eq!(next_member(&mut Cursor::new(b"no member"), 0..9, Proof::Member)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// When the reader fails.
pub fn next_member(
    file: &mut (impl Read + Seek),
    Range { start, end }: Range<u64>,
    proof: Proof,
) -> io::Result<Option<u64>> {
    let finder = Finder::new(MAGIC);
    let mut window = vec![0; WINDOW];
    let (mut at, mut vain) = (start, 0);
    while at < end {
        file.seek(SeekFrom::Start(at))?;
        let len = fill(file, &mut window)?;
        for found in finder.find_iter(&window[..len]) {
            let member = at + found as u64;
            if member >= end {
                return Ok(None);
            }
            let (is_proven, read) = probe(file, member, proof)?;
            if is_proven {
                return Ok(Some(member));
            }
            vain += read;
            if vain > VAIN + VAIN_PER_BYTE * (member - start) {
                return Ok(None);
            }
        }
        if len < WINDOW {
            break;
        }
        at += (WINDOW - MAGIC.len() + 1) as u64;
    }
    Ok(None)
}

/// True if sound members with whole records begin at a position; and the number of bytes that were decompressed.
fn probe(file: &mut (impl Read + Seek), at: u64, proof: Proof) -> io::Result<(bool, u64)> {
    file.seek(SeekFrom::Start(at))?;
    let (mut left, mut failure) = (MOST_CHAIN, None);
    let reader = Watched {
        inner: file,
        left: &mut left,
        failure: &mut failure,
    };
    let reader = BufReader::with_capacity(8 << 10, reader);
    let mut records = Reader::new(Members::at(at, Some(Codec::Gzip), reader)?);
    let is_begin = records.inner.fill_buf();
    let is_begin = is_begin.is_ok_and(is_version);
    let is_chain = is_begin.then(|| is_chain(&mut records, at, proof));
    let read = records.inner.raw_position() - at;
    drop(records);
    if let Some(failure) = failure {
        return Err(failure);
    }
    let is_proven = match is_chain {
        Some(Ok(is_proven)) => is_proven,
        Some(Err(_)) => proof == Proof::Member && left == 0,
        None => false,
    };
    Ok((is_proven, read))
}

fn is_chain(
    records: &mut Reader<Members<impl BufRead>>,
    at: u64,
    proof: Proof,
) -> io::Result<bool> {
    loop {
        match records.step()? {
            Step::Record(_) => {}
            Step::End => return Ok(true),
            Step::Damaged(error) => return Err(error),
        }
        records.end_record()??;
        if let Some(end) = records.inner.boundary()?
            && (proof == Proof::Member || end - at > STORED)
        {
            return Ok(true);
        }
    }
}

/// A reader of some bytes that keeps its failure: other errors tell of bytes that are no member.
struct Watched<'w, R> {
    inner: &'w mut R,
    left: &'w mut u64,
    failure: &'w mut Option<io::Error>,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(*self.left).unwrap_or(usize::MAX);
        let most = room.len().min(most);
        match self.inner.read(&mut room[..most]) {
            Ok(len) => {
                *self.left -= len as u64;
                Ok(len)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                *self.failure = Some(error);
                Err(io::ErrorKind::Other.into())
            }
        }
    }
}

/// Finds the first record of a file that is not compressed, from a position on. `start` is that of a record: the
/// lengths of the records lead from one to the next. `None` if there is none, or if a record in between is damaged.
///
/// ```
/// use linkglot_archive::warc::next_record;
/// use std::io::Cursor;
///
/// let record = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n";
/// let mut file = Cursor::new(record.repeat(3));
/// assert_eq!(next_record(&mut file, 0, 60)?, Some(118));
/// assert_eq!(next_record(&mut file, 118, 119)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// When the reader fails.
pub fn next_record(
    file: &mut (impl Read + Seek),
    start: u64,
    from: u64,
) -> io::Result<Option<u64>> {
    let mut at = start;
    while at < from {
        file.seek(SeekFrom::Start(at))?;
        let mut records = Reader::new(BufReader::with_capacity(HEADER, &mut *file));
        let Ok(Step::Record(record)) = records.step() else {
            return Ok(None);
        };
        at += records.position() + record.length;
        file.seek(SeekFrom::Start(at))?;
        let mut ends = [0; 4];
        let len = fill(file, &mut ends)?;
        if record.is_arc() || ends[..len] != *b"\r\n\r\n" {
            return Ok(None);
        }
        at += 4;
    }
    file.seek(SeekFrom::Start(at))?;
    let mut begin = [0; 7];
    let len = fill(file, &mut begin)?;
    Ok(is_version(&begin[..len]).then_some(at))
}

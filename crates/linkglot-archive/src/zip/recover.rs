//! Archives without a central directory, which a cut takes off: entries by their local headers, front to back.

use super::directory::{Directory, Places};
use super::fields;
use super::{Archive, BUFFER, Entry, LOCAL, LOCAL_LEN, RECORD, RECORD_LEN, SeekTo};
use crate::bytes::{fill, number};
use memchr::memmem;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

/// The signature of a data descriptor (4.3.9.3), and the bytes that tell its form: those of the longest, and the first
/// of what follows.
const DESCRIPTOR: &[u8] = b"PK\x07\x08";
const DESCRIPTOR_NEAR: usize = 28;

/// The beginning of any signature.
const ANY: &[u8] = b"PK";

const CHUNK: u64 = 64 << 10;

/// A data descriptor with a signature.
struct Descriptor {
    crc: u32,
    size: u64,
    len: u64,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads an archive whose directory is lost, by the headers of its entries from the begin of the file up to the
    /// first that is damaged. The last entry may be cut. Such an archive can only be read, not written. Linear. Memory:
    /// 16 bytes an entry.
    ///
    /// # Errors
    ///
    /// When the reader fails.
    ///
    /// ```
    /// use linkglot_archive::zip::Archive;
    /// use std::io::Cursor;
    ///
    /// let mut cut = b"PK\x03\x04".to_vec();
    /// cut.extend([0; 26]);
    /// assert!(Archive::open(Cursor::new(&cut)).is_err());
    /// assert_eq!(Archive::recover(Cursor::new(&cut))?.len(), 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn recover(inner: R) -> io::Result<Self> {
        let mut inner = BufReader::with_capacity(BUFFER, inner);
        let len = inner.seek(SeekFrom::End(0))?;
        let mut places = Vec::new();
        let mut at = 0;
        while let Some(header) = local_header(&mut inner, at)? {
            let Ok(entry) = entry_of(&header, at) else {
                break;
            };
            let content = at + header.len() as u64;
            let known =
                Some(entry.compressed).filter(|&known| known > 0 || !entry.has_descriptor());
            let compressed = match known {
                Some(known) => Some(known),
                None => length_before_descriptor(&mut inner, content)?,
            };
            let room = len.saturating_sub(content);
            let whole = compressed.filter(|&compressed| compressed <= room);
            places.push(Places {
                local: at,
                record: whole.unwrap_or(room),
            });
            let Some(compressed) = whole else {
                break;
            };
            at = content + compressed;
            if entry.has_descriptor() {
                at += descriptor_at(&mut inner, at, compressed)?.map_or(0, |found| found.len);
            }
        }
        Ok(Archive {
            inner,
            directory: Arc::new(Directory::lost(len, places.len() as u64)),
            places: places.into(),
        })
    }

    /// An entry by its local header, and by the descriptor behind its content.
    pub(super) fn recovered(&mut self, places: Places) -> io::Result<Entry> {
        let header = local_header(&mut self.inner, places.local)?;
        let header = header.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut entry = entry_of(&header, places.local)?;
        let is_unknown = entry.has_descriptor() && entry.compressed == 0;
        entry.compressed = places.record;
        if is_unknown {
            let behind = places.local + header.len() as u64 + entry.compressed;
            let found = descriptor_at(&mut self.inner, behind, entry.compressed)?;
            // A content that is cut has no length that it could have.
            let found = found.map_or((0, u64::MAX), |found| (found.crc, found.size));
            (entry.crc, entry.size) = found;
        }
        Ok(entry)
    }
}

/// The local header at a position, with name and extra fields; `None` if there is no whole one.
fn local_header<R: Read + Seek>(reader: &mut BufReader<R>, at: u64) -> io::Result<Option<Vec<u8>>> {
    reader.seek_to(at)?;
    let mut header = vec![0; LOCAL_LEN];
    if fill(reader, &mut header)? < LOCAL_LEN || !header.starts_with(LOCAL) {
        return Ok(None);
    }
    let variable = number(&header, 26, 2) as usize + number(&header, 28, 2) as usize;
    header.resize(LOCAL_LEN + variable, 0);
    let read = fill(reader, &mut header[LOCAL_LEN..])?;
    Ok((read == variable).then_some(header))
}

/// The entry of a local header, which has the fields of a record of the directory in their order.
fn entry_of(header: &[u8], at: u64) -> io::Result<Entry> {
    let mut record = vec![0; RECORD_LEN];
    record[..RECORD.len()].copy_from_slice(RECORD);
    record[6..32].copy_from_slice(&header[4..LOCAL_LEN]);
    record.extend_from_slice(&header[LOCAL_LEN..]);
    fields::entry(record, at)
}

/// The length of a content up to the descriptor that tells it. The first one counts that has the length in front of it.
fn length_before_descriptor<R: Read + Seek>(
    reader: &mut BufReader<R>,
    content: u64,
) -> io::Result<Option<u64>> {
    reader.seek_to(content)?;
    let (mut window, mut begin) = (Vec::new(), 0);
    loop {
        let old = window.len() as u64;
        reader.take(CHUNK).read_to_end(&mut window)?;
        let is_last = window.len() as u64 - old < CHUNK;
        let found = memmem::find_iter(&window, DESCRIPTOR)
            .map(|at| (begin + at as u64, &window[at..]))
            .filter(|(_, bytes)| is_last || bytes.len() >= DESCRIPTOR_NEAR)
            .find(|(length, bytes)| Descriptor::read(bytes, *length).is_some());
        if found.is_some() || is_last {
            return Ok(found.map(|(length, _)| length));
        }
        let passed = window.len().saturating_sub(DESCRIPTOR_NEAR);
        window.drain(..passed);
        begin += passed as u64;
    }
}

/// The descriptor at a position, behind a content of some length.
fn descriptor_at<R: Read + Seek>(
    reader: &mut BufReader<R>,
    at: u64,
    compressed: u64,
) -> io::Result<Option<Descriptor>> {
    reader.seek_to(at)?;
    let mut bytes = [0; DESCRIPTOR_NEAR];
    let len = fill(reader, &mut bytes)?;
    Ok(Descriptor::read(&bytes[..len], compressed))
}

impl Descriptor {
    /// The descriptor at the begin of some bytes, if it tells a length of the content. Numbers have four bytes or
    /// eight; a signature follows in the right form.
    fn read(bytes: &[u8], compressed: u64) -> Option<Self> {
        if !bytes.starts_with(DESCRIPTOR) {
            return None;
        }
        let forms = [4, 8].map(|width| {
            let len = 8 + 2 * width;
            let fits = bytes.len() >= len && number(bytes, 8, width) == compressed;
            let form = Descriptor {
                crc: number(bytes, 4, 4) as u32,
                size: number(bytes, 8 + width, width),
                len: len as u64,
            };
            fits.then_some((form, bytes[len.min(bytes.len())..].starts_with(ANY)))
        });
        let [narrow, wide] = forms;
        match (narrow, wide) {
            (Some((_, false)), Some((wide, true))) | (None, Some((wide, _))) => Some(wide),
            (narrow, _) => narrow.map(|(narrow, _)| narrow),
        }
    }
}

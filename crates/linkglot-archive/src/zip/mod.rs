//! zip (APPNOTE 6.3.10): zip64, data descriptors, archives behind a program.
//!
//! Entries are taken from the central directory, in the order of their data. Only two numbers an entry are in memory.

mod content;
mod directory;
mod fields;
mod recover;
mod writer;

pub use content::Content;
pub use writer::Writer;

use super::bytes::{fill, number};
use super::invalid;
use directory::{Directory, Places};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

/// Signatures and fixed lengths of local headers and of records of the central directory (4.3.7, 4.3.12).
const LOCAL: &[u8] = b"PK\x03\x04";
const LOCAL_LEN: usize = 30;
const RECORD: &[u8] = b"PK\x01\x02";
const RECORD_LEN: usize = 46;

/// The extra field with wide numbers (4.5.3), and that with a name in UTF-8 (4.6.9).
const ZIP64: u16 = 1;
const UNICODE_PATH: u16 = 0x7075;

const BUFFER: usize = 32 << 10;

/// The start of the header of an extension of Chromium (CRX), which signs the archive behind it.
const SIGNED_FRONT: &[u8; 4] = b"Cr24";

/// The end of the signature of an Android package.
const SIGNING_BLOCK: &[u8; 16] = b"APK Sig Block 42";

/// Method of the compression of an entry (4.4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Not compressed.
    Stored,
    /// Deflate, at the level that the flags tell.
    Deflate,
    /// bzip2.
    Bzip2,
    /// Zstandard.
    Zstandard,
    /// LZMA.
    Lzma,
    /// xz.
    Xz,
    /// Any other, which is not read.
    Unknown(u16),
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file.
    File,
    /// A symbolic link: its content is the path that it leads to.
    Link,
    /// A directory.
    Directory,
}

/// An entry of an archive.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name: in UTF-8 if [`is_utf8`](Entry::is_utf8), else in an unknown charset.
    pub name: Vec<u8>,
    /// True if the entry says that its name is in UTF-8.
    pub is_utf8: bool,
    /// The kind of the entry.
    pub kind: EntryKind,
    /// The method of compression.
    pub method: Method,
    /// True if the content is encrypted.
    pub is_encrypted: bool,
    /// The length of the content in bytes.
    pub size: u64,
    /// The length of the compressed content in bytes.
    pub compressed: u64,
    flags: u16,
    crc: u32,
    /// The position of the local header in the file.
    local: u64,
    /// The record of the central directory, with all of its fields.
    record: Vec<u8>,
}

/// Places of an entry in the file.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// The first byte of the content.
    content: u64,
    /// The first byte of the next entry, or of what follows the last.
    next: u64,
}

/// A zip archive.
///
/// ```
/// use linkglot_archive::zip::Archive;
/// use std::io::Cursor;
///
/// let empty = [&b"PK\x05\x06"[..], &[0; 18]].concat();
/// assert_eq!(Archive::open(Cursor::new(empty))?.len(), 0);
/// assert!(Archive::open(Cursor::new(b"PK\x03\x04")).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Archive<R> {
    inner: BufReader<R>,
    directory: Arc<Directory>,
    /// The places of all entries, in the order of their local headers.
    places: Arc<[Places]>,
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the central directory. O(entries). Memory: 16 bytes an entry.
    ///
    /// # Errors
    ///
    /// When the reader fails, when there is no central directory, or it is damaged; when the archive is one of several
    /// volumes.
    pub fn open(inner: R) -> io::Result<Self> {
        let mut inner = BufReader::with_capacity(BUFFER, inner);
        let directory = Directory::find(&mut inner)?;
        let places = directory.places(&mut inner)?;
        Ok(Archive {
            inner,
            directory: Arc::new(directory),
            places: places.into(),
        })
    }

    /// Shares the directory with another reader of the same file. O(1).
    pub fn with<O: Read + Seek>(&self, inner: O) -> Archive<O> {
        Archive {
            inner: BufReader::with_capacity(BUFFER, inner),
            directory: Arc::clone(&self.directory),
            places: Arc::clone(&self.places),
        }
    }

    /// The position of an entry in the file, by its number.
    #[must_use]
    pub fn position(&self, number: usize) -> u64 {
        self.places[number].local
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// True if a signature that covers the archive stands around the entries: in front of the central directory, where
    /// Android reads it, or in front of the archive (CRX).
    ///
    /// # Errors
    ///
    /// When the reader fails.
    pub fn has_signing_block(&mut self) -> io::Result<bool> {
        self.inner.seek_to(0)?;
        let mut front = [0; SIGNED_FRONT.len()];
        if fill(&mut self.inner, &mut front)? == front.len() && front == *SIGNED_FRONT {
            return Ok(true);
        }
        let Some(at) = self.directory.start.checked_sub(SIGNING_BLOCK.len() as u64) else {
            return Ok(false);
        };
        self.inner.seek_to(at)?;
        let mut magic = [0; SIGNING_BLOCK.len()];
        Ok(fill(&mut self.inner, &mut magic)? == magic.len() && magic == *SIGNING_BLOCK)
    }

    /// An entry, by its number in the order of the data.
    ///
    /// # Errors
    ///
    /// When the reader fails, or the record of the entry is damaged.
    pub fn entry(&mut self, number: usize) -> io::Result<Entry> {
        let places = self.places[number];
        if self.directory.is_lost {
            return self.recovered(places);
        }
        self.inner.seek_to(places.record)?;
        let record = directory::read_record(&mut self.inner)?;
        fields::entry(record, places.local)
    }

    /// The content of an entry, decompressed. Reading checks its length and its sum.
    ///
    /// # Errors
    ///
    /// When the reader fails; when the entry is damaged, overlaps another one, is encrypted, or compressed by another
    /// method than those of [`Method`].
    pub fn content(&mut self, number: usize, entry: &Entry) -> io::Result<Content<'_, R>> {
        let span = self.span(number, entry)?;
        self.inner.seek_to(span.content)?;
        Content::new(&mut self.inner, entry)
    }

    /// The places of an entry, whose local header must agree with the central directory.
    fn span(&mut self, at: usize, entry: &Entry) -> io::Result<Span> {
        let header = self.local_header(entry)?;
        let content = entry.local + header.len() as u64;
        let next = self.places.get(at + 1);
        let next = next.map_or(self.directory.start, |next| next.local);
        if next == entry.local
            || content
                .checked_add(entry.compressed)
                .is_none_or(|end| end > next)
        {
            return Err(invalid(
                "the entry overlaps another part of the zip archive",
            ));
        }
        Ok(Span { content, next })
    }

    /// The local header of an entry, with name and extra fields.
    fn local_header(&mut self, entry: &Entry) -> io::Result<Vec<u8>> {
        self.inner.seek_to(entry.local)?;
        let mut header = vec![0; LOCAL_LEN];
        if fill(&mut self.inner, &mut header)? < LOCAL_LEN || !header.starts_with(LOCAL) {
            return Err(damaged("a local header", entry.local));
        }
        let name = number(&header, 26, 2) as usize;
        let len = LOCAL_LEN + name + number(&header, 28, 2) as usize;
        header.resize(len, 0);
        if fill(&mut self.inner, &mut header[LOCAL_LEN..])? < len - LOCAL_LEN {
            return Err(damaged("a local header", entry.local));
        }
        let record = &entry.record;
        let own_name = &record[RECORD_LEN..][..number(record, 28, 2) as usize];
        let agrees = header[LOCAL_LEN..][..name] == *own_name
            && header[8..10] == record[10..12]
            && (entry.has_descriptor() || fields::has_same_numbers(&header, record));
        if !agrees {
            return Err(damaged(
                "the same entry as in the central directory",
                entry.local,
            ));
        }
        Ok(header)
    }
}

impl Entry {
    /// True if length and sum stand behind the content (4.3.9).
    fn has_descriptor(&self) -> bool {
        self.flags & 8 != 0
    }

    /// True if a mark ends the data of LZMA (4.4.4).
    fn has_end_mark(&self) -> bool {
        self.flags & 2 != 0
    }

    /// The level of deflate that the flags tell (4.4.4).
    fn level(&self) -> u32 {
        match self.flags >> 1 & 3 {
            1 => 9,
            2 => 3,
            3 => 1,
            _ => 6,
        }
    }
}

/// Seeks with the buffer kept where possible.
trait SeekTo {
    fn seek_to(&mut self, at: u64) -> io::Result<()>;
}

impl<R: Read + Seek> SeekTo for BufReader<R> {
    fn seek_to(&mut self, at: u64) -> io::Result<()> {
        let now = self.stream_position()?;
        let by = at.wrapping_sub(now).cast_signed();
        if now.checked_add_signed(by) == Some(at) {
            self.seek_relative(by)
        } else {
            self.seek(SeekFrom::Start(at)).map(drop)
        }
    }
}

fn damaged(expected: &str, at: u64) -> io::Error {
    invalid(format!(
        "damaged zip archive: expected {expected} at byte {at}"
    ))
}

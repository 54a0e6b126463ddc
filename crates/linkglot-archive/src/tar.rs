//! tar: ustar and pax (POSIX.1-2017, pax), GNU and V7, read as a stream.

mod sparse;

pub use sparse::Sparse;

use super::bytes::{fill, fill_block};
use super::{Output, invalid};
use sparse::Map;
use std::io::{self, BufRead, Read};
use std::ops::Range;

const BLOCK: usize = 512;

/// The most bytes of headers in front of an entry.
const MOST_HEADERS: u64 = 1 << 20;

/// The greatest size of an entry: sums of sizes and positions stay numbers.
const MOST_SIZE: u64 = 1 << 62;

/// Places of fields in a header.
const NAME: Range<usize> = 0..100;
const SIZE: Range<usize> = 124..136;
const CHECKSUM: Range<usize> = 148..156;
const TYPE: usize = 156;
const MAGIC: Range<usize> = 257..265;
const PREFIX: Range<usize> = 345..500;
/// True in the header of a sparse file of GNU if another header with its holes follows; the same within these.
const IS_EXTENDED: usize = 482;
const IS_EXTENDED_MORE: usize = 504;
/// The map of a sparse file of GNU, and its length with the holes.
const MAP: Range<usize> = 386..482;
const REAL_SIZE: Range<usize> = 483..495;

/// True if bytes begin with a header of tar: its checksum is right.
///
/// ```
/// assert!(!linkglot_archive::tar::is_header(&[0; 512]));
/// ```
pub fn is_header(head: &[u8]) -> bool {
    let head = head.first_chunk::<BLOCK>();
    head.is_some_and(|block| has_checksum(block) && is_known_type(block))
}

/// True for types that archives begin with; other bytes could have the checksum by chance.
fn is_known_type(block: &[u8; BLOCK]) -> bool {
    block[0] != 0 && matches!(block[TYPE], 0 | b'0'..=b'7' | b'A'..=b'Z' | b'g' | b'x')
}

/// The sum of all bytes but the checksum itself, of which old programs take bytes as signed.
fn has_checksum(block: &[u8; BLOCK]) -> bool {
    let Some(expected) = octal(&block[CHECKSUM]) else {
        return false;
    };
    let signed = |byte: u8| i64::from(byte.cast_signed());
    let signed: i64 = summed(block).map(signed).sum();
    expected == sum(block) || i64::try_from(expected) == Ok(signed)
}

fn sum(block: &[u8]) -> u64 {
    summed(block).map(u64::from).sum()
}

fn summed(block: &[u8]) -> impl Iterator<Item = u8> {
    let bytes = block.iter().enumerate();
    bytes.map(|(at, &byte)| if CHECKSUM.contains(&at) { b' ' } else { byte })
}

/// The number in octal digits, with blanks or NULs around it.
fn octal(field: &[u8]) -> Option<u64> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | 0);
    let begin = field.iter().position(|byte| !is_blank(byte));
    let digits = &field[begin.unwrap_or(field.len())..];
    let end = digits.iter().position(is_blank).unwrap_or(digits.len());
    let text = std::str::from_utf8(&digits[..end]).ok()?;
    u64::from_str_radix(text, 8).ok()
}

/// The number of a field: octal digits, or in base 256 if the first bit is set.
fn number(field: &[u8]) -> Option<u64> {
    match field {
        [first, rest @ ..] if first & 0x80 != 0 => {
            let (high, low) = rest.split_at(rest.len() - 8);
            let is_small = *first == 0x80 && high.iter().all(|&byte| byte == 0);
            let low = low.try_into().ok()?;
            is_small.then(|| u64::from_be_bytes(low))
        }
        _ if field.iter().all(|&byte| byte == 0) => Some(0),
        _ => octal(field),
    }
}

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A file.
    File,
    /// A file of which only parts are stored.
    Sparse,
    /// A hard or symbolic link, which has no content.
    Link,
    /// Any other: a directory, a device, the rest of a file of another volume.
    Other,
}

/// An entry of an archive.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name, in an unknown charset.
    pub name: Vec<u8>,
    /// The kind of the entry.
    pub kind: EntryKind,
    /// The length of the content in bytes.
    pub size: u64,
    /// The position of the first header in the archive.
    pub start: u64,
    /// All headers, the last of which is the own one.
    headers: Vec<u8>,
    /// The extended header of pax with the size: the whole of it in `headers`.
    pax_size: Option<Range<usize>>,
    /// The map of a sparse file.
    map: Map,
}

/// Reads the entries of an archive, one after another.
///
/// The content of the present entry is read from the reader itself. A file may be read to its end or not at all.
///
/// ```
/// use linkglot_archive::tar::Reader;
///
/// let mut reader = Reader::new(&[0; 1024][..]);
/// assert!(reader.next_entry()?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    inner: R,
    /// The position in the archive.
    at: u64,
    /// Bytes of the content that were not read.
    left: u64,
    /// Bytes behind the content.
    padding: u64,
}

impl<R: Read> Reader<R> {
    /// Begins at the first byte of an archive.
    pub fn new(inner: R) -> Self {
        Reader {
            inner,
            at: 0,
            left: 0,
            padding: 0,
        }
    }

    /// The next entry. `None` at the end of the archive, which a block of zeros or the end of the file marks.
    ///
    /// # Errors
    ///
    /// When the reader fails, or the archive is damaged: there is no way to a further entry then.
    pub fn next_entry(&mut self) -> io::Result<Option<Entry>> {
        self.skip_entry()?;
        let start = self.at;
        let mut found = Headers::default();
        loop {
            let Some(block) = self.block(found.bytes.is_empty())? else {
                return Ok(None);
            };
            let from = found.bytes.len();
            found.bytes.extend_from_slice(&block);
            let size = number(&block[SIZE]).ok_or_else(|| self.damaged("a size"))?;
            match block[TYPE] {
                kind @ (b'x' | b'g' | b'L' | b'K' | b'X') => {
                    let body = self.extension(&mut found.bytes, size)?;
                    let content = &found.bytes[body.clone()];
                    if matches!(kind, b'x' | b'g' | b'X') && !are_records(content) {
                        return Err(self.damaged("an extended header of pax"));
                    }
                    if kind == b'g' && records(content).any(|(key, _)| key == b"size") {
                        return Err(self.damaged("sizes in the headers of their entries"));
                    }
                    found.add(kind, from, body);
                }
                kind => {
                    let mut entry = found.entry(&block, size, start);
                    self.begin_content(&mut entry, (kind, &block))?;
                    return Ok(Some(entry));
                }
            }
        }
    }

    /// Reads what follows the last entry, which the end of compressed data checks. Only zeros are an archive without
    /// entries.
    ///
    /// # Errors
    ///
    /// When the reader fails, or the archive is damaged.
    pub fn finish(mut self) -> io::Result<()> {
        let has_entries = self.at > BLOCK as u64;
        let mut buffer = vec![0; 64 << 10];
        loop {
            let len = fill(&mut self.inner, &mut buffer)?;
            if len == 0 {
                return Ok(());
            }
            if !has_entries && buffer[..len].iter().any(|&byte| byte != 0) {
                self.at = 0;
                return Err(self.damaged("a header"));
            }
        }
    }

    /// The content of a sparse file, the present entry, with zeros for its holes.
    ///
    /// # Errors
    ///
    /// When the reader fails, or the map does not fit the stored data.
    pub fn sparse(&mut self, entry: &Entry) -> io::Result<Sparse<&mut Self>> {
        let mut map = entry.map.clone();
        if map.is_in_content {
            map.read(self)?;
        }
        Sparse::new(map, self.left, self)
            .ok_or_else(|| invalid("damaged map of a sparse file in tar"))
    }

    /// Reads a header, or the end of the archive.
    fn block(&mut self, may_end: bool) -> io::Result<Option<[u8; BLOCK]>> {
        let mut block = [0; BLOCK];
        match self.fill(&mut block)? {
            0 if may_end => return Ok(None),
            BLOCK => {}
            _ => return Err(cut_off()),
        }
        if block == [0; BLOCK] && may_end {
            return Ok(None);
        }
        if !has_checksum(&block) {
            self.at -= BLOCK as u64;
            return Err(self.damaged("a header"));
        }
        Ok(Some(block))
    }

    fn fill(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = fill(&mut self.inner, room)?;
        self.at += len as u64;
        Ok(len)
    }

    fn damaged(&self, expected: &str) -> io::Error {
        let at = self.at;
        invalid(format!(
            "damaged tar archive: expected {expected} at byte {at}"
        ))
    }

    /// Reads the content of an extension, and its padding, behind the headers. Returns the place of the content.
    fn extension(&mut self, headers: &mut Vec<u8>, size: u64) -> io::Result<Range<usize>> {
        if size > MOST_HEADERS - (headers.len() as u64).min(MOST_HEADERS) {
            return Err(self.damaged("shorter headers"));
        }
        let begin = headers.len();
        headers.resize(begin + (size + padding(size)) as usize, 0);
        if self.fill(&mut headers[begin..])? < headers.len() - begin {
            return Err(cut_off());
        }
        Ok(begin..begin + size as usize)
    }

    /// Sets the lengths of content and padding. Only some kinds have content, whatever their size says.
    fn begin_content(
        &mut self,
        entry: &mut Entry,
        (kind, block): (u8, &[u8; BLOCK]),
    ) -> io::Result<()> {
        if kind == b'S' {
            entry.map.add_block(&block[MAP], &block[REAL_SIZE]);
            let mut is_extended = block[IS_EXTENDED] != 0;
            while is_extended {
                let more = self.extension(&mut entry.headers, BLOCK as u64)?;
                let block = &entry.headers[more];
                entry.map.add_block(&block[..IS_EXTENDED_MORE], &[]);
                is_extended = block[IS_EXTENDED_MORE] != 0;
            }
        }
        if matches!(kind, b'1'..=b'6') {
            entry.size = 0;
        }
        if entry.size > MOST_SIZE {
            return Err(self.damaged("a size"));
        }
        (self.left, self.padding) = (entry.size, padding(entry.size));
        Ok(())
    }

    fn skip_entry(&mut self) -> io::Result<()> {
        let len = self.left + self.padding;
        if io::copy(&mut (&mut self.inner).take(len), &mut io::sink())? < len {
            return Err(cut_off());
        }
        self.at += len;
        (self.left, self.padding) = (0, 0);
        Ok(())
    }
}

impl<R: Read> Read for Reader<R> {
    /// Reads the content of the present entry.
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).map_or(room.len(), |left| left.min(room.len()));
        if most == 0 {
            return Ok(0);
        }
        let len = self.inner.read(&mut room[..most])?;
        if len == 0 {
            return Err(cut_off());
        }
        self.at += len as u64;
        self.left -= len as u64;
        Ok(len)
    }
}

impl<R: BufRead> BufRead for Reader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        fill_block(&mut self.inner, self.left)?.ok_or_else(cut_off)
    }

    fn consume(&mut self, len: usize) {
        self.inner.consume(len);
        self.at += len as u64;
        self.left -= len as u64;
    }
}

fn cut_off() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the tar archive is cut off")
}

/// Length of the zeros behind a content.
fn padding(size: u64) -> u64 {
    size.wrapping_neg() % BLOCK as u64
}

/// The headers in front of an entry.
#[derive(Default)]
struct Headers {
    bytes: Vec<u8>,
    long_name: Option<Vec<u8>>,
    pax_name: Option<Vec<u8>>,
    size: Option<u64>,
    pax_size: Option<Range<usize>>,
    is_sparse: bool,
    sparse_name: Option<Vec<u8>>,
    map: Map,
}

impl Headers {
    /// Adds an extension: its type, the place of its header and that of its content.
    fn add(&mut self, kind: u8, header: usize, body: Range<usize>) {
        let content = &self.bytes[body];
        match kind {
            b'L' => self.long_name = Some(until_nul(content).to_vec()),
            b'x' | b'X' => {
                let whole = header..self.bytes.len();
                let mut has_size = false;
                for (key, value) in records(content) {
                    match key {
                        b"path" => self.pax_name = Some(value.to_vec()),
                        b"GNU.sparse.name" => self.sparse_name = Some(value.to_vec()),
                        b"size" => {
                            let size = std::str::from_utf8(value).ok();
                            self.size = size.and_then(|size| size.parse().ok());
                            has_size = self.size.is_some();
                        }
                        _ => {}
                    }
                    if let Some(key) = key.strip_prefix(b"GNU.sparse.") {
                        self.is_sparse = true;
                        self.map.add_record(key, value);
                    }
                }
                if has_size {
                    self.pax_size = Some(whole);
                }
            }
            _ => {}
        }
    }

    fn entry(self, block: &[u8; BLOCK], size: u64, start: u64) -> Entry {
        let name = self.sparse_name.or(self.pax_name).or(self.long_name);
        let name = name.unwrap_or_else(|| own_name(block));
        let kind = match block[TYPE] {
            _ if self.is_sparse => EntryKind::Sparse,
            b'S' => EntryKind::Sparse,
            0 | b'0' if name.ends_with(b"/") => EntryKind::Other,
            0 | b'0' | b'7' => EntryKind::File,
            b'1' | b'2' => EntryKind::Link,
            _ => EntryKind::Other,
        };
        Entry {
            name,
            kind,
            size: self.size.unwrap_or(size),
            start,
            headers: self.bytes,
            pax_size: self.pax_size,
            map: self.map,
        }
    }
}

fn until_nul(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|&byte| byte == 0);
    &bytes[..end.unwrap_or(bytes.len())]
}

fn own_name(block: &[u8; BLOCK]) -> Vec<u8> {
    let (name, prefix) = (until_nul(&block[NAME]), until_nul(&block[PREFIX]));
    // GNU has other fields in place of the prefix.
    if block[MAGIC].starts_with(b"ustar\0") && !prefix.is_empty() {
        [prefix, b"/", name].concat()
    } else {
        name.to_vec()
    }
}

/// True if a content is nothing but records.
fn are_records(content: &[u8]) -> bool {
    let lengths = records(content).map(|(key, value)| key.len() + value.len());
    let whole: usize = lengths.map(record_len).sum();
    whole == content.len()
}

/// The length of a record, which counts its own digits, a blank, an equals sign and a line feed.
fn record_len(key_and_value: usize) -> usize {
    let rest = key_and_value + 3;
    let mut len = rest;
    while len != rest + len.to_string().len() {
        len = rest + len.to_string().len();
    }
    len
}

/// The records of an extended header: `LENGTH KEY=VALUE`, and a line feed.
fn records(mut body: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    std::iter::from_fn(move || {
        let blank = body.iter().position(|&byte| byte == b' ')?;
        let len: usize = std::str::from_utf8(&body[..blank]).ok()?.parse().ok()?;
        let record = body.get(blank + 1..len)?.strip_suffix(b"\n")?;
        body = &body[len..];
        let equals = record.iter().position(|&byte| byte == b'=')?;
        Some((&record[..equals], &record[equals + 1..]))
    })
}

impl Entry {
    /// The first byte behind the content and its padding.
    fn end(&self) -> u64 {
        self.start + self.headers.len() as u64 + self.size + padding(self.size)
    }

    /// The headers for a content of another length.
    fn resized(&self, size: u64) -> io::Result<Vec<u8>> {
        if self.kind != EntryKind::File {
            return Err(invalid("expected a file in a tar archive"));
        }
        let mut headers = self.headers.clone();
        let own = headers.len() - BLOCK;
        let has_room = set_size(&mut headers[own..], size, self.pax_size.is_some());
        match &self.pax_size {
            Some(whole) => {
                let old = &headers[whole.clone()];
                if resized_pax(old, self.size) != old {
                    return Err(invalid(
                        "expected an extended header of pax in its usual form",
                    ));
                }
                let pax = resized_pax(old, size);
                headers.splice(whole.clone(), pax);
                Ok(headers)
            }
            None if has_room => Ok(headers),
            None => Err(invalid("expected a size that fits into a tar header")),
        }
    }
}

/// Sets the size in a header, in the form that it has, and the checksum. With a size elsewhere, a size without room
/// stays.
fn set_size(block: &mut [u8], size: u64, is_elsewhere: bool) -> bool {
    let has_room = if block[SIZE][0] & 0x80 != 0 {
        set_base_256(&mut block[SIZE], size);
        true
    } else {
        set_octal(&mut block[SIZE], size) || {
            if !is_elsewhere {
                set_base_256(&mut block[SIZE], size);
            }
            !is_elsewhere
        }
    };
    let sum = sum(block);
    if !set_octal(&mut block[CHECKSUM], sum) {
        block[CHECKSUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
    has_room
}

fn set_base_256(field: &mut [u8], number: u64) {
    let low = field.len() - 8;
    field[..low].fill(0);
    field[0] = 0x80;
    field[low..].copy_from_slice(&number.to_be_bytes());
}

/// Sets octal digits with the padding and the end that the field has. False if there is no room.
fn set_octal(field: &mut [u8], number: u64) -> bool {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'7');
    let end = field.iter().rposition(is_digit).map_or(0, |last| last + 1);
    let pad = if field[0] == b' ' { b' ' } else { b'0' };
    let digits = format!("{number:o}");
    if digits.len() > end {
        return false;
    }
    let begin = end - digits.len();
    field[..begin].fill(pad);
    field[begin..end].copy_from_slice(digits.as_bytes());
    true
}

/// An extended header with another size: its own header, records and padding.
fn resized_pax(old: &[u8], size: u64) -> Vec<u8> {
    let len = number(&old[SIZE]).unwrap_or_default() as usize;
    let mut body = Vec::new();
    for (key, value) in records(&old[BLOCK..BLOCK + len]) {
        let size = size.to_string();
        let value = if key == b"size" {
            size.as_bytes()
        } else {
            value
        };
        push_record(&mut body, key, value);
    }
    let mut new = old[..BLOCK].to_vec();
    set_size(&mut new, body.len() as u64, false);
    new.extend_from_slice(&body);
    new.resize(new.len().next_multiple_of(BLOCK), 0);
    new
}

/// Appends a record. Its length counts itself.
fn push_record(body: &mut Vec<u8>, key: &[u8], value: &[u8]) {
    let rest = key.len() + value.len() + 3;
    let mut len = rest + 1;
    while rest + len.to_string().len() != len {
        len = rest + len.to_string().len();
    }
    body.extend_from_slice(len.to_string().as_bytes());
    body.extend_from_slice(&[b" ", key, b"=", value, b"\n"].concat());
}

/// Writes a new archive: entries that change are replaced in their order, everything else is copied from the old
/// archive, which is read a second time.
///
/// ```
/// use linkglot_archive::tar::Writer;
///
/// let old = [0; 1024];
/// let mut new = Vec::new();
/// Writer::new(&old[..]).finish(&mut new)?;
/// assert_eq!(new, old);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Writer<R> {
    old: R,
    /// The position in the old archive.
    at: u64,
}

impl<R: Read> Writer<R> {
    /// Begins with the first byte of the old archive.
    pub fn new(old: R) -> Self {
        Writer { old, at: 0 }
    }

    /// Replaces the content of a file by `size` bytes. Everything in front of it is copied.
    ///
    /// # Errors
    ///
    /// When reading or writing fails; when the entry is no file, or its headers have no room for the length.
    pub fn replace(
        &mut self,
        entry: &Entry,
        (content, size): (&mut dyn Read, u64),
        out: &mut dyn Output,
    ) -> io::Result<()> {
        let headers = entry.resized(size)?;
        self.copy(entry.start, out)?;
        out.write_all(&headers)?;
        if io::copy(&mut content.take(size), out)? < size {
            return Err(cut_off());
        }
        out.write_all(&[0; BLOCK][..padding(size) as usize])?;
        let old = entry.end() - self.at;
        if io::copy(&mut (&mut self.old).take(old), &mut io::sink())? < old {
            return Err(cut_off());
        }
        self.at = entry.end();
        Ok(())
    }

    /// Copies the rest of the old archive.
    ///
    /// # Errors
    ///
    /// When reading or writing fails.
    pub fn finish(mut self, out: &mut dyn Output) -> io::Result<()> {
        self.copy_up_to(u64::MAX, out)
    }

    fn copy(&mut self, end: u64, out: &mut dyn Output) -> io::Result<()> {
        self.copy_up_to(end, out)?;
        if self.at == end {
            Ok(())
        } else {
            Err(cut_off())
        }
    }

    fn copy_up_to(&mut self, end: u64, out: &mut dyn Output) -> io::Result<()> {
        let mut buffer = vec![0; 64 << 10];
        while self.at < end {
            let room = (end - self.at).min(buffer.len() as u64) as usize;
            let got = fill(&mut self.old, &mut buffer[..room])?;
            if got == 0 {
                break;
            }
            out.keep(self.at, &buffer[..got])?;
            self.at += got as u64;
        }
        Ok(())
    }
}

//! Reads the records of a file, one after another.

use super::header::Header;
use crate::bytes::{fill_block, read_buffered};
use crate::invalid;
use std::fmt;
use std::io::{self, BufRead, Read};

/// The begin of the first record of an ARC file.
pub(super) const ARC: &[u8] = b"filedesc://";

/// The most bytes of the first line of a record.
const MOST_LINE: u64 = 64 << 10;

/// True if bytes begin with the version of a record.
pub(super) fn is_version(head: &[u8]) -> bool {
    head.starts_with(b"WARC/1.") || head.starts_with(b"WARC/0.")
}

/// The kind of a record (WARC 1.1, 5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// The response of a server, with its protocol. Records of ARC files are responses, too.
    Response,
    /// A resource without its protocol.
    Resource,
    /// A request.
    Request,
    /// Data about another record.
    Metadata,
    /// A response whose content is that of an earlier one.
    Revisit,
    /// Another form of a resource: text of pages (WET).
    Conversion,
    /// A further part of a record.
    Continuation,
    /// Data about the file itself, and anything else.
    Other,
}

/// A record: its header. The block follows in the reader.
#[derive(Clone, Debug)]
pub struct Record {
    /// The kind of the record.
    pub kind: RecordKind,
    /// The position of the record in the decompressed file, or in its [`Part`](super::Part).
    pub start: u64,
    /// The length of the block in bytes.
    pub length: u64,
    /// The fields of the record. ARC has none: the line of its record is the first line.
    pub header: Header,
    is_arc: bool,
}

impl Record {
    /// The identifier of the record, without its angle brackets.
    #[must_use]
    pub fn id(&self) -> Option<&[u8]> {
        self.header.get("WARC-Record-ID").map(without_brackets)
    }

    /// The URI of the record.
    #[must_use]
    pub fn target(&self) -> Option<&[u8]> {
        if self.is_arc {
            return arc_field(self.header.first_line(), 4);
        }
        self.header.get("WARC-Target-URI").map(without_brackets)
    }

    /// The date: of ARC in fourteen digits, of WARC as the record has it.
    #[must_use]
    pub fn date(&self) -> Option<&[u8]> {
        if self.is_arc {
            return arc_field(self.header.first_line(), 2);
        }
        self.header.get("WARC-Date")
    }

    /// The media type of the block, with its parameters.
    #[must_use]
    pub fn media_type(&self) -> Option<&[u8]> {
        if self.is_arc {
            return arc_field(self.header.first_line(), 1);
        }
        self.header.get("Content-Type")
    }

    /// The digest of the payload: of a revisit, of the payload of an earlier record.
    #[must_use]
    pub fn payload_digest(&self) -> Option<&[u8]> {
        self.header.get("WARC-Payload-Digest")
    }

    /// The identifier, the URI and the date of the record whose payload a revisit has (WARC 1.1, 5.11 to 5.13).
    #[must_use]
    pub fn referred(&self) -> [Option<&[u8]>; 3] {
        let field = |name| self.header.get(name).map(without_brackets);
        [
            field("WARC-Refers-To"),
            field("WARC-Refers-To-Target-URI"),
            field("WARC-Refers-To-Date"),
        ]
    }

    /// True if the block may be a message of HTTP.
    #[must_use]
    pub fn may_be_http(&self) -> bool {
        let says_http = || {
            let media_type = self.media_type().unwrap_or_default();
            let begin = media_type.get(..16);
            begin.is_some_and(|begin| begin.eq_ignore_ascii_case(b"application/http"))
        };
        let may_be = matches!(
            self.kind,
            RecordKind::Response | RecordKind::Request | RecordKind::Revisit
        );
        may_be && (self.is_arc || says_http())
    }

    /// True for a record of an ARC file.
    #[must_use]
    pub fn is_arc(&self) -> bool {
        self.is_arc
    }
}

fn without_brackets(value: &[u8]) -> &[u8] {
    let inside = value.strip_prefix(b"<");
    let inside = inside.and_then(|inside| inside.strip_suffix(b">"));
    inside.unwrap_or(value)
}

/// A field of the line of an ARC record, counted from its end: URL, address, date, media type, length.
fn arc_field(line: &[u8], from_end: usize) -> Option<&[u8]> {
    let mut fields = line.rsplitn(5, |&byte| byte == b' ');
    fields.nth(from_end)
}

/// A step of a reader.
#[derive(Debug)]
pub enum Step {
    /// A record. Its block can be read from the reader.
    Record(Record),
    /// Bytes that are no sound record were passed over; an error says so.
    Damaged(io::Error),
    /// The end of the file.
    End,
}

/// Reads the records of a decompressed file in bounded memory. Behind bytes that are no record, reading goes on at the
/// next line that begins one.
///
/// The block of the present record is read from the reader itself, to its end or not at all.
///
/// ```
/// use linkglot_archive::warc::{Reader, RecordKind, Step};
/// use std::io::Read;
///
/// let file = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: <http://a.example/>\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n";
/// let mut reader = Reader::new(&file[..]);
/// let Step::Record(record) = reader.step()? else { panic!("a record") };
/// assert_eq!((record.kind, record.target()), (RecordKind::Resource, Some(&b"http://a.example/"[..])));
/// let mut block = String::new();
/// reader.read_to_string(&mut block)?;
/// assert_eq!(block, "abc");
/// assert!(matches!(reader.step()?, Step::End));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    pub(super) inner: R,
    /// The position in the file, or in its part.
    at: u64,
    origin: Origin,
    /// Bytes of the block that were not read.
    left: u64,
    /// The first line of the next record, if it was read already.
    line: Option<Vec<u8>>,
    /// True behind a block.
    is_behind_block: bool,
    is_arc: bool,
}

/// The position in the decompressed file where a part of it begins. It may not be known until it is asked for.
pub(super) struct Origin(pub Box<dyn Fn() -> u64>);

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Origin")
    }
}

impl<R: BufRead> Reader<R> {
    /// Begins at the first record of a file.
    pub fn new(inner: R) -> Self {
        Reader::part(inner, Origin(Box::new(|| 0)))
    }

    /// Begins at a record of a file. Positions of records count from there.
    pub(super) fn part(inner: R, origin: Origin) -> Self {
        Reader {
            inner,
            at: 0,
            origin,
            left: 0,
            line: None,
            is_behind_block: false,
            is_arc: false,
        }
    }

    /// The position in the decompressed file.
    pub fn position(&self) -> u64 {
        self.at
    }

    /// The position behind the block of the present record.
    pub(super) fn block_end(&self) -> u64 {
        self.at + self.left
    }

    /// Goes to the next record.
    ///
    /// # Errors
    ///
    /// When the reader fails, or the file ends within a record: nothing follows then.
    pub fn step(&mut self) -> io::Result<Step> {
        if let Some(error) = self.go_behind()? {
            return Ok(Step::Damaged(error));
        }
        self.header()
    }

    /// Goes behind the present record; to the next record, if the present one does not end where its length says.
    pub(super) fn go_behind(&mut self) -> io::Result<Option<io::Error>> {
        let Err(error) = self.end_record()? else {
            return Ok(None);
        };
        self.find_record()?;
        Ok(Some(error))
    }

    /// True if nothing of the next record was read.
    pub(super) fn is_between(&self) -> bool {
        self.left == 0 && self.line.is_none()
    }

    /// Goes behind the present record and the empty lines that end it. The inner error tells of a block that does not
    /// end where its length says.
    pub(super) fn end_record(&mut self) -> io::Result<Result<(), io::Error>> {
        let left = self.left;
        if io::copy(&mut (&mut self.inner).take(left), &mut io::sink())? < left {
            return Err(cut_off());
        }
        self.at += left;
        self.left = 0;
        let ends = self.skip_ends()?;
        let is_over = self.line.is_none() && self.inner.fill_buf()?.is_empty();
        if std::mem::take(&mut self.is_behind_block) && ends == 0 && !is_over {
            return Ok(Err(self.damaged("the end of a record")));
        }
        Ok(Ok(()))
    }

    /// Skips ends of lines, and returns their number of bytes.
    fn skip_ends(&mut self) -> io::Result<u64> {
        let mut skipped = 0;
        loop {
            let bytes = self.inner.fill_buf()?;
            let ends = bytes
                .iter()
                .take_while(|byte| matches!(byte, b'\r' | b'\n'));
            let (len, all) = (ends.count(), bytes.len());
            self.inner.consume(len);
            skipped += len as u64;
            self.at += len as u64;
            if len == 0 || len < all {
                return Ok(skipped);
            }
        }
    }

    /// Reads the header of the next record.
    pub(super) fn header(&mut self) -> io::Result<Step> {
        let line = match self.line.take() {
            Some(line) => line,
            None => self.first_line()?,
        };
        let start = self.at - line.len() as u64;
        if line.is_empty() {
            return Ok(Step::End);
        }
        self.is_arc |= start == 0 && line.starts_with(ARC);
        let record = if self.is_arc {
            arc_record(line, start)
        } else if is_version(&line) {
            let begun = line.len();
            let header = Header::read_after(line, &mut self.inner)?;
            self.at += (header.bytes().len() - begun) as u64;
            if !header.is_complete() {
                return Err(cut_off());
            }
            record(header, start)
        } else {
            None
        };
        let Some(record) = record else {
            let error = damaged("a record", (self.origin.0)() + start);
            self.find_record()?;
            return Ok(Step::Damaged(error));
        };
        self.left = record.length;
        self.is_behind_block = true;
        Ok(Step::Record(record))
    }

    /// The first line of a record; of a longer line, the begin. Empty at the end of the file.
    fn first_line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        let len = (&mut self.inner)
            .take(MOST_LINE)
            .read_until(b'\n', &mut line)?;
        self.at += len as u64;
        Ok(line)
    }

    /// Goes to the next line that begins a record of WARC, or to the end of the file.
    fn find_record(&mut self) -> io::Result<()> {
        let mut is_begin = true;
        loop {
            let line = self.first_line()?;
            if line.is_empty() {
                return Ok(());
            }
            if is_begin && is_version(&line) {
                self.line = Some(line);
                return Ok(());
            }
            is_begin = line.ends_with(b"\n");
        }
    }

    fn damaged(&self, expected: &str) -> io::Error {
        damaged(expected, (self.origin.0)() + self.at)
    }
}

fn damaged(expected: &str, at: u64) -> io::Error {
    invalid(format!(
        "damaged WARC file: expected {expected} at byte {at}"
    ))
}

fn cut_off() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the WARC file is cut off")
}

/// The record of a header. `None` without a length.
fn record(header: Header, start: u64) -> Option<Record> {
    let kind = match header.get("WARC-Type").unwrap_or_default() {
        kind if kind.eq_ignore_ascii_case(b"response") => RecordKind::Response,
        kind if kind.eq_ignore_ascii_case(b"resource") => RecordKind::Resource,
        kind if kind.eq_ignore_ascii_case(b"request") => RecordKind::Request,
        kind if kind.eq_ignore_ascii_case(b"metadata") => RecordKind::Metadata,
        kind if kind.eq_ignore_ascii_case(b"revisit") => RecordKind::Revisit,
        kind if kind.eq_ignore_ascii_case(b"conversion") => RecordKind::Conversion,
        kind if kind.eq_ignore_ascii_case(b"continuation") => RecordKind::Continuation,
        _ => RecordKind::Other,
    };
    let length = number(header.get("Content-Length")?)?;
    Some(Record {
        kind,
        start,
        length,
        header,
        is_arc: false,
    })
}

/// The record of a line in an ARC file (version 1): URL, address, date, media type and length.
fn arc_record(line: Vec<u8>, start: u64) -> Option<Record> {
    let header = Header::of(line);
    let line = header.first_line();
    let length = number(arc_field(line, 0)?)?;
    let is_date = |date: &[u8]| date.len() >= 8 && date.iter().all(u8::is_ascii_digit);
    arc_field(line, 2).filter(|date| is_date(date))?;
    let is_page = !line.starts_with(ARC);
    Some(Record {
        kind: if is_page {
            RecordKind::Response
        } else {
            RecordKind::Other
        },
        start,
        length,
        header,
        is_arc: true,
    })
}

/// A number in decimal digits alone.
pub(super) fn number(digits: &[u8]) -> Option<u64> {
    let are_digits = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(digits).ok().filter(|_| are_digits)?;
    text.parse().ok().filter(|length| *length < 1 << 62)
}

impl<R: BufRead> Read for Reader<R> {
    /// Reads the block of the present record.
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        read_buffered(self, room)
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

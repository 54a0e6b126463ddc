//! The block of a record: a message of HTTP, or a document.

use super::coding::{self, Coding};
use super::header::Header;
use super::reader::{Record, RecordKind};
use std::io::{self, BufRead, Cursor, Read};

/// The most bytes of a line by which a message of HTTP is known.
const MOST_LINE: u64 = 64 << 10;

/// The block of a record, opened: its header of HTTP, and its content.
///
/// ```
/// use linkglot_archive::warc::{Block, Reader, Step};
/// use std::io::Read;
///
/// let block = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
/// let fields = "WARC-Type: response\r\nContent-Type: application/http;msgtype=response";
/// let file = format!("WARC/1.0\r\n{fields}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len());
/// let mut reader = Reader::new(file.as_bytes());
/// let Step::Record(record) = reader.step()? else { panic!("a record") };
/// let mut opened = Block::open(&record, Box::new(reader))?;
/// let mut content = String::new();
/// opened.content.as_mut().unwrap().read_to_string(&mut content)?;
/// assert_eq!(content, "abc");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Block<'b> {
    /// The header of the message, if the block is a message of HTTP.
    pub http: Option<Header>,
    /// The decoded content. `None` if it is in a coding that is not known.
    pub content: Option<Box<dyn BufRead + 'b>>,
    /// The codings of the content, outermost first.
    pub(super) codings: Vec<Coding>,
}

impl<'b> Block<'b> {
    /// Opens the block of a record.
    ///
    /// # Errors
    ///
    /// When the reader fails, or a header is too long.
    pub fn open(record: &Record, mut reader: Box<dyn BufRead + 'b>) -> io::Result<Self> {
        let mut line = Vec::new();
        if record.may_be_http() {
            (&mut reader).take(MOST_LINE).read_until(b'\n', &mut line)?;
        }
        let is_http = match record.kind {
            RecordKind::Request => is_request(&line),
            _ => line.starts_with(b"HTTP/"),
        };
        reader = Box::new(Cursor::new(line).chain(reader));
        if !is_http {
            return Ok(Block {
                http: None,
                content: Some(reader),
                codings: Vec::new(),
            });
        }
        let http = Header::read(&mut reader)?;
        // A revisit has the fields of a body that is elsewhere.
        let is_empty = reader.fill_buf()?.is_empty();
        let stated = if is_empty {
            Some(Vec::new())
        } else {
            coding::stated(&http)
        };
        let (codings, content) = match stated {
            Some(stated) => {
                let (codings, content) = coding::decoded(&stated, reader)?;
                (codings, Some(content))
            }
            None => (Vec::new(), None),
        };
        Ok(Block {
            http: Some(http),
            content,
            codings,
        })
    }
}

/// True for the first line of a request: a method, a target and the version (RFC 9112 3).
fn is_request(line: &[u8]) -> bool {
    let mut words = line.trim_ascii_end().splitn(3, |&byte| byte == b' ');
    let method = words.next().unwrap_or_default();
    let is_method = !method.is_empty() && method.iter().all(u8::is_ascii_graphic);
    let version = words.nth(1).unwrap_or_default();
    is_method && version.starts_with(b"HTTP/")
}

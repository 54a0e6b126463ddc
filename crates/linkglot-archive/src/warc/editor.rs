//! Makes a new record for one whose content or header changes.

use super::block::Block;
use super::coding::{self, Coding, spool};
use super::digest::{Digester, Stated};
use super::header::Header;
use super::reader::{Record, RecordKind, number};
use std::io::{self, BufRead, Read, Seek, Write};
use tempfile::SpooledTempFile;

/// The field that tells of a changed record: the digest of its block before the change.
pub const REWRITTEN: &str = "Linkglot-Original-Block-Digest";

const BLOCK_DIGEST: &str = "WARC-Block-Digest";
const PAYLOAD_DIGEST: &str = "WARC-Payload-Digest";
const LENGTH: &str = "Content-Length";

/// Opens the block of a record from its begin, any number of times.
pub type Open<'o> = dyn Fn() -> io::Result<Box<dyn BufRead + 'o>> + 'o;

/// The new header of HTTP and the new content, as far as they change.
#[derive(Default)]
pub struct Change<'c> {
    /// All bytes of the new header of the message.
    pub http: Option<Vec<u8>>,
    /// The new content, decoded.
    pub content: Option<&'c mut dyn Read>,
    /// The new digest of the payload of a revisit, which is that of an earlier record.
    pub revisited: Option<&'c [u8]>,
}

/// A record that can be written anew: its lengths and digests are right, so that the new ones mean the same.
pub struct Editor<'e> {
    record: &'e Record,
    open: &'e Open<'e>,
    http: Option<Header>,
    codings: Vec<Coding>,
    /// The digest of the block.
    block: Option<Digester>,
    /// The digest of the payload, and the number of codings that are undone before it is computed.
    payload: Option<(Digester, usize)>,
    /// The number of codings that are undone before `Content-Length` of HTTP counts the body.
    length: Option<usize>,
}

impl<'e> Editor<'e> {
    /// Checks a record. `None` if no new record can be made: a length or digest is wrong or of an unknown kind, the
    /// record is cut off, a part of another one or of a message, or its content is damaged or longer than `most` bytes.
    /// Reads the block several times.
    ///
    /// # Errors
    ///
    /// When the block cannot be read.
    pub fn new(record: &'e Record, open: &'e Open<'e>, most: u64) -> io::Result<Option<Self>> {
        let header = &record.header;
        let is_part = [
            "WARC-Truncated",
            "WARC-Segment-Number",
            "WARC-Segment-Origin-ID",
        ];
        if record.is_arc()
            || is_part.iter().any(|name| header.get(name).is_some())
            || !header.has_one(LENGTH)
        {
            return Ok(None);
        }
        let mut block = Block::open(record, open()?)?;
        let sound = match &mut block.content {
            Some(content) => {
                let length = io::copy(&mut content.take(most.saturating_add(1)), &mut io::sink());
                length.is_ok_and(|length| length <= most)
            }
            None => false,
        };
        let http = block.http;
        if !sound || http.as_ref().is_some_and(is_partial) {
            return Ok(None);
        }
        let mut editor = Editor {
            record,
            open,
            http,
            codings: block.codings,
            block: None,
            payload: None,
            length: None,
        };
        Ok(editor.check()?.then_some(editor))
    }

    /// Finds out how lengths and digests are meant. False if one of them is wrong.
    fn check(&mut self) -> io::Result<bool> {
        let header = &self.record.header;
        if let Some(value) = header.get(BLOCK_DIGEST) {
            let Some(stated) = Stated::parse(value).filter(|_| header.has_one(BLOCK_DIGEST)) else {
                return Ok(false);
            };
            self.block = stated.verified(&mut (self.open)()?)?;
            if self.block.is_none() {
                return Ok(false);
            }
        }
        // The payload of a revisit is in an earlier record.
        let is_own = self.record.kind != RecordKind::Revisit;
        if let Some(value) = header.get(PAYLOAD_DIGEST).filter(|_| is_own) {
            let Some(stated) = Stated::parse(value).filter(|_| header.has_one(PAYLOAD_DIGEST))
            else {
                return Ok(false);
            };
            for undone in 0..=self.codings.len() {
                let digester = stated.verified(&mut self.body(undone)?)?;
                self.payload = self
                    .payload
                    .take()
                    .or(digester.map(|known| (known, undone)));
            }
            if self.payload.is_none() {
                return Ok(false);
            }
        }
        self.check_length()
    }

    fn check_length(&mut self) -> io::Result<bool> {
        let Some(http) = &self.http else {
            return Ok(true);
        };
        let Some(value) = http.get(LENGTH) else {
            return Ok(true);
        };
        if !http.has_one(LENGTH) {
            return Ok(false);
        }
        let stated = number(value);
        for undone in 0..=self.codings.len() {
            let length = io::copy(&mut self.body(undone)?, &mut io::sink())?;
            if stated == Some(length) {
                self.length = self.length.or(Some(undone));
            }
        }
        Ok(self.length.is_some())
    }

    /// The body of the old record, with some codings undone.
    fn body(&self, undone: usize) -> io::Result<Box<dyn BufRead + 'e>> {
        let mut reader = (self.open)()?;
        if self.http.is_some() {
            Header::read(&mut reader)?;
        }
        coding::undone(&self.codings[..undone], reader)
    }

    /// Makes the new record. Its header says that it was changed, by the field [`REWRITTEN`].
    ///
    /// # Errors
    ///
    /// When reading or writing fails.
    pub fn rewritten(&self, change: Change<'_>) -> io::Result<NewRecord> {
        let mut body = match change.content {
            Some(content) => coding::encoded(&self.codings, content, &|| self.body(0))?,
            None => {
                let mut body = spool();
                io::copy(&mut self.body(0)?, &mut body)?;
                body.rewind()?;
                body
            }
        };
        let mut block = spool();
        if let Some(old) = &self.http {
            let mut http = change.http.map_or_else(|| old.clone(), Header::of);
            if let Some(undone) = self.length {
                let length = io::copy(&mut self.undone(&mut body, undone)?, &mut io::sink())?;
                http.set(LENGTH, length.to_string().as_bytes());
            }
            block.write_all(http.bytes())?;
        }
        body.rewind()?;
        io::copy(&mut body, &mut block)?;
        let length = block.stream_position()?;
        let mut header = self.record.header.clone();
        header.set(LENGTH, length.to_string().as_bytes());
        if let Some((digester, undone)) = &self.payload {
            let digest = digester.state(&mut self.undone(&mut body, *undone)?)?;
            header.set(PAYLOAD_DIGEST, &digest);
        }
        if let Some(digest) = change.revisited {
            header.set(PAYLOAD_DIGEST, digest);
        }
        if header.get(REWRITTEN).is_none() {
            let usual = Digester::usual();
            let digester = self.block.as_ref().unwrap_or(&usual);
            header.add(REWRITTEN, &digester.state(&mut (self.open)()?)?);
        }
        if let Some(digester) = &self.block {
            block.rewind()?;
            let digest = digester.state(&mut io::BufReader::new(&mut block))?;
            header.set(BLOCK_DIGEST, &digest);
        }
        block.rewind()?;
        Ok(NewRecord {
            header,
            block,
            length,
        })
    }

    /// A new body from its begin, with some codings undone.
    fn undone<'n>(
        &self,
        body: &'n mut SpooledTempFile,
        undone: usize,
    ) -> io::Result<Box<dyn BufRead + 'n>> {
        body.rewind()?;
        coding::undone(&self.codings[..undone], Box::new(io::BufReader::new(body)))
    }
}

/// True for a message with a part of a content (RFC 9110 14.4).
fn is_partial(http: &Header) -> bool {
    http.get("Content-Range").is_some()
}

/// A new record: its header, and its block.
#[derive(Debug)]
pub struct NewRecord {
    header: Header,
    block: SpooledTempFile,
    length: u64,
}

impl NewRecord {
    /// The digest of the payload.
    #[must_use]
    pub fn payload_digest(&self) -> Option<&[u8]> {
        self.header.get(PAYLOAD_DIGEST)
    }

    /// Writes the record with the empty lines that end it.
    pub(super) fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.header.bytes())?;
        self.block.rewind()?;
        let copied = io::copy(&mut self.block, out)?;
        debug_assert_eq!(copied, self.length);
        out.write_all(b"\r\n\r\n")
    }
}

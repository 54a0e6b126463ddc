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
    /// The new payload of a revisit, which is that of an earlier record.
    pub revisited: Option<&'c Payload>,
}

/// The payload of a changed record, as revisits of it state it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    /// Its new digest.
    pub digest: Vec<u8>,
    /// `Content-Length` of HTTP before and after the change, if the record has it.
    pub lengths: Option<[Vec<u8>; 2]>,
}

/// The reason why no new record can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The record is of an ARC file.
    Arc,
    /// The record is cut off, or a part of another one or of a message.
    Part,
    /// A length is wrong or not stated once.
    Length,
    /// A digest is wrong, stated twice or of an unknown kind.
    Digest,
    /// The content is damaged, too long or in an unknown coding.
    Content,
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
    /// Checks a record. The inner error tells why no new record can be made; a content is too long with more than
    /// `most` bytes. A revisit has no payload of its own, so that what its header of HTTP says of one is not checked.
    /// Reads the block several times.
    ///
    /// # Errors
    ///
    /// When the block cannot be read.
    pub fn new(
        record: &'e Record,
        open: &'e Open<'e>,
        most: u64,
    ) -> io::Result<Result<Self, Fault>> {
        let header = &record.header;
        let has = |name| header.get(name).is_some();
        let is_revisit = record.kind == RecordKind::Revisit;
        if record.is_arc() {
            return Ok(Err(Fault::Arc));
        }
        // A revisit may be cut off behind its header of HTTP.
        let is_cut_off = has("WARC-Truncated") && !is_revisit;
        if is_cut_off || has("WARC-Segment-Number") || has("WARC-Segment-Origin-ID") {
            return Ok(Err(Fault::Part));
        }
        if !header.has_one(LENGTH) {
            return Ok(Err(Fault::Length));
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
        let is_part = |http: &Header| {
            if is_revisit {
                !http.is_complete()
            } else {
                is_partial(http)
            }
        };
        if http.as_ref().is_some_and(is_part) {
            return Ok(Err(Fault::Part));
        }
        if !sound {
            return Ok(Err(Fault::Content));
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
        Ok(editor.check()?.map(|()| editor))
    }

    /// The header of HTTP, if the block is a message.
    #[must_use]
    pub fn http(&self) -> Option<&Header> {
        self.http.as_ref()
    }

    /// True if a revisit can have a new payload: its header of HTTP states the old length, or none.
    #[must_use]
    pub fn can_revisit(&self, payload: &Payload) -> bool {
        let stated = self.http.iter().flat_map(|http| http.values(LENGTH));
        let old = payload.lengths.as_ref().map(|[old, _]| &old[..]);
        stated.into_iter().all(|stated| Some(stated) == old)
    }

    /// Finds out how lengths and digests are meant. The inner error tells that one of them is wrong.
    fn check(&mut self) -> io::Result<Result<(), Fault>> {
        let header = &self.record.header;
        // The payload of a revisit is in an earlier record.
        let is_own = self.record.kind != RecordKind::Revisit;
        if let Some(value) = header.get(BLOCK_DIGEST) {
            let Some(stated) = Stated::parse(value).filter(|_| header.has_one(BLOCK_DIGEST)) else {
                return Ok(Err(Fault::Digest));
            };
            self.block = stated.verified(&mut (self.open)()?)?;
            // For a revisit, wget states the digest of the body that is not there. It stays.
            let is_of_nothing = !is_own
                && self.body(0)?.fill_buf()?.is_empty()
                && stated.verified(&mut io::empty())?.is_some();
            if self.block.is_none() && !is_of_nothing {
                return Ok(Err(Fault::Digest));
            }
        }
        if let Some(value) = header.get(PAYLOAD_DIGEST).filter(|_| is_own) {
            let Some(stated) = Stated::parse(value).filter(|_| header.has_one(PAYLOAD_DIGEST))
            else {
                return Ok(Err(Fault::Digest));
            };
            for undone in 0..=self.codings.len() {
                let digester = stated.verified(&mut self.body(undone)?)?;
                self.payload = self
                    .payload
                    .take()
                    .or(digester.map(|known| (known, undone)));
            }
            if self.payload.is_none() {
                return Ok(Err(Fault::Digest));
            }
        }
        let is_right = !is_own || self.check_length()?;
        Ok(if is_right { Ok(()) } else { Err(Fault::Length) })
    }

    /// Finds out which body `Content-Length` of HTTP counts. False if it counts none.
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
        let mut lengths = None;
        if let Some(old) = &self.http {
            let mut http = change.http.map_or_else(|| old.clone(), Header::of);
            let revisited = || change.revisited.and_then(|new| new.lengths.clone());
            let new = match self.length {
                Some(undone) => {
                    let length = io::copy(&mut self.undone(&mut body, undone)?, &mut io::sink())?;
                    Some(length.to_string().into_bytes())
                }
                None => revisited().map(|[_, new]| new),
            };
            if let (Some(old), Some(new)) = (old.get(LENGTH), new) {
                http.set(LENGTH, &new);
                lengths = Some([old.to_vec(), new]);
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
        if let Some(payload) = change.revisited {
            header.set(PAYLOAD_DIGEST, &payload.digest);
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
            lengths,
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
    /// `Content-Length` of HTTP before and after the change.
    lengths: Option<[Vec<u8>; 2]>,
}

impl NewRecord {
    /// The payload for revisits. `None` without a digest.
    #[must_use]
    pub fn payload(&self) -> Option<Payload> {
        let digest = self.header.get(PAYLOAD_DIGEST)?;
        Some(Payload {
            digest: digest.to_vec(),
            lengths: self.lengths.clone(),
        })
    }

    /// Writes the record with the empty lines that end it.
    pub(super) fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.header.bytes())?;
        self.block.rewind()?;
        let copied = io::copy(&mut self.block, out)?;
        debug_assert_eq!(copied, self.length);
        out.write_all(&self.header.line_end().repeat(2))
    }
}

//! Reads a document as UTF-8.

use super::covered::CoveredText;
use crate::charset::{Charset, KnownBytes, Transcoder, ViewMap};
use crate::error::{Error, ErrorKind};
use crate::link::{Info, Location, Locator};
use crate::read::Input;
use crate::rewrite::Outcome;
use crate::rewrite::output::Output;
use crate::span::SourceSpan;
use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// The number of source bytes in front of a chunk that are kept, to report a malformed sequence that begins there.
const BEFORE: usize = 64;

/// Gives the text of a document. Malformed sequences are errors.
pub(super) struct Decoder<'i> {
    input: Input<'i>,
    text: StrictText,
    covered: CoveredText,
    /// The bytes beyond ASCII whose characters are known, and false if others were read.
    known: (KnownBytes, bool),
    /// The text was read up to this byte.
    read: usize,
    ended: bool,
}

impl<'i> Decoder<'i> {
    /// Reads a document with a BOM of `bom` bytes. Remembers the positions of the last `kept` bytes of text.
    pub fn new(
        mut input: Input<'i>,
        (charset, bom): (Charset, usize),
        known: KnownBytes,
        kept: u64,
        covered: CoveredText,
    ) -> Self {
        // The BOM is no text.
        input.cursor = bom;
        Decoder {
            input,
            text: StrictText::new(charset, bom, kept),
            covered,
            known: (known, true),
            read: 0,
            ended: false,
        }
    }

    /// The source positions of the text, while it is read.
    pub fn positions(&self) -> Rc<RefCell<ViewMap>> {
        Rc::clone(&self.text.positions)
    }

    /// True if all bytes so far are ASCII characters in ASCII.
    pub fn is_ascii(&self) -> bool {
        self.text.is_ascii
    }

    /// True if the characters of all bytes so far are known.
    pub fn is_known(&self) -> bool {
        self.known.1
    }
}

impl Read for Decoder<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.read == self.text.text.len() && !self.ended {
            let (chunk, ended) = self.input.take()?;
            self.ended = ended;
            self.read = 0;
            self.known.1 &= self.known.0.reads(chunk);
            self.text.push(chunk, ended)?;
            let judged = self.covered.read(&self.text.text, ended);
            judged.map_err(|(place, why)| {
                error(
                    place,
                    &format!("the text cannot get another charset: {why}"),
                )
            })?;
        }
        let rest = &self.text.text[self.read..];
        let len = rest.len().min(room.len());
        room[..len].copy_from_slice(&rest[..len]);
        self.read += len;
        Ok(len)
    }
}

/// A stage for a document that has the requested charset already. Malformed sequences are errors.
pub(in crate::rewrite) struct Checked<'o> {
    output: &'o mut dyn Output,
    /// Number of bytes of the BOM that are still to come.
    mark: usize,
    text: StrictText,
}

impl<'o> Checked<'o> {
    /// Checks a document with a BOM of `bom` bytes.
    pub fn new(output: &'o mut dyn Output, charset: Charset, bom: usize) -> Self {
        Checked {
            output,
            mark: bom,
            text: StrictText::new(charset, bom, 0),
        }
    }

    /// Checks the last bytes.
    pub fn end(mut self) -> io::Result<()> {
        self.text.push(b"", true)
    }
}

impl Output for Checked<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mark = self.mark.min(bytes.len());
        self.mark -= mark;
        self.text.push(&bytes[mark..], false)?;
        self.output.bytes(bytes)
    }

    fn link(&mut self, outcome: &Outcome<'_>, info: &Info) -> Result<(), Error> {
        self.output.link(outcome, info)
    }

    fn seen(&mut self, links: u64) {
        self.output.seen(links);
    }
}

/// The text of a document, chunk by chunk.
struct StrictText {
    charset: Charset,
    transcoder: Transcoder,
    positions: Rc<RefCell<ViewMap>>,
    /// The length of the end of the text that stays in the map of positions.
    kept: u64,
    /// The text of the last chunk.
    text: Vec<u8>,
    /// The start of `text` in the whole text.
    origin: u64,
    /// The last source bytes, and the position of their first byte.
    source: (Vec<u8>, u64),
    /// The locator, at the start of `text`.
    locator: Locator,
    is_ascii: bool,
}

impl StrictText {
    fn new(charset: Charset, bom: usize, kept: u64) -> Self {
        StrictText {
            charset,
            transcoder: Transcoder::new(charset, bom as u64),
            positions: Rc::default(),
            kept,
            text: Vec::new(),
            origin: 0,
            source: (Vec::new(), bom as u64),
            locator: Locator::new(Charset::UTF_8, 0),
            is_ascii: charset.is_ascii_compatible() && bom == 0,
        }
    }

    /// Decodes the next chunk.
    fn push(&mut self, chunk: &[u8], ended: bool) -> io::Result<()> {
        let end = self.origin + self.text.len() as u64;
        self.locator.advance(&self.text, self.origin, end);
        self.origin = end;
        self.text.clear();
        let (source, source_origin) = &mut self.source;
        let dropped = source.len().saturating_sub(BEFORE);
        source.drain(..dropped);
        *source_origin += dropped as u64;
        source.extend_from_slice(chunk);
        self.is_ascii &= chunk.is_ascii();
        let mut positions = self.positions.borrow_mut();
        self.transcoder
            .push(chunk, ended, &mut self.text, &mut positions);
        let end = self.origin + self.text.len() as u64;
        positions.discard(self.origin.min(end.saturating_sub(self.kept)));
        drop(positions);
        self.check_nul()?;
        self.check()
    }

    /// Refuses U+0000: a file with this character is hardly text, and its charset a guess.
    fn check_nul(&self) -> io::Result<()> {
        let Some(at) = memchr::memchr(0, &self.text) else {
            return Ok(());
        };
        let start = self.positions.borrow().source(self.origin + at as u64);
        let name = self.charset.name();
        let found = format!("expected text in {name}, found U+0000 at byte {start}");
        Err(self.error(at, &found).into())
    }

    /// Refuses a sequence that was decoded to U+FFFD but is not the encoding of U+FFFD.
    fn check(&self) -> io::Result<()> {
        const MARK: &[u8] = "\u{FFFD}".as_bytes();
        let mut own = Vec::new();
        // Few charsets have the character.
        let _ = self.charset.encode("\u{FFFD}", &mut own);
        let positions = self.positions.borrow();
        for at in memchr::memmem::find_iter(&self.text, MARK) {
            let text = self.origin + at as u64;
            let span = SourceSpan {
                start: positions.source(text),
                end: positions.source(text + MARK.len() as u64),
            };
            let (source, origin) = &self.source;
            let begin = span.start.saturating_sub(*origin) as usize;
            let bytes = source.get(begin..begin + span.len() as usize);
            if bytes.is_none_or(|bytes| bytes != own) {
                return Err(self.malformed(at, span, bytes.unwrap_or_default()).into());
            }
        }
        Ok(())
    }

    fn malformed(&self, at: usize, span: SourceSpan, bytes: &[u8]) -> Error {
        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let (name, hex, start) = (self.charset.name(), hex.join(" "), span.start);
        let found =
            format!("expected text in {name}, found a malformed sequence ({hex}) at byte {start}");
        self.error(at, &found)
    }

    /// An error with its line and column.
    fn error(&self, at: usize, message: &str) -> Error {
        let mut locator = self.locator.clone();
        locator.advance(&self.text, self.origin, self.origin + at as u64);
        error(locator.location(), message)
    }
}

fn error(place: Location, message: &str) -> Error {
    let message = format!("{}:{}: {message}", place.line, place.column);
    Error::new(ErrorKind::Transcoding, message)
}

//! The bytes of a document, window by window.

use super::source::{CHUNK, Source};
use crate::charset::{Charset, EXTENDED_HEAD, Transcoder, ViewMap};
use crate::format::Format;
use crate::link::{Budget, PartPlace};
use crate::markup::Window;
use crate::markup::light;
use crate::span::{Edit, SourceSpan};
use linkglot_charset::memory;
use std::io::{self, Read};

/// The number of bytes in front of the cursor that stay in the window.
const BEHIND: usize = 4096;

/// The most bytes of UTF-8 for a byte of the source.
const MOST_DECODED: usize = 3;

/// The source of a document: raw bytes, and their view for tokenizers.
pub(crate) struct Input<'a> {
    source: Source<'a>,
    transcoded: Option<Transcoded>,
    charset: Charset,
    /// The first unread byte of the window.
    pub cursor: usize,
    /// The place of the document, if it is part of another.
    pub place: Option<&'a PartPlace<'a>>,
    /// The budget of the document, or of the message around it.
    pub budget: Budget,
}

/// The view of a document whose charset is no superset of ASCII.
struct Transcoded {
    transcoder: Transcoder,
    map: ViewMap,
    bytes: Vec<u8>,
    /// The start of `bytes` in the view.
    origin: u64,
    /// The end of the transcoded part of the source.
    fed: u64,
    ended: bool,
}

impl<'a> Input<'a> {
    /// A document in memory.
    pub fn of_slice(source: &'a [u8]) -> Self {
        Input::new(Source::Slice(source))
    }

    /// A document from `reader`. Reads the head.
    ///
    /// # Errors
    ///
    /// Errors of `reader`.
    pub fn of_reader(reader: &'a mut dyn Read) -> io::Result<Self> {
        Input::of_source(Source::of_reader(reader))
    }

    /// A document from its source. Reads the head, which may end with an error of the reader: what stands in front of
    /// it is read.
    ///
    /// # Errors
    ///
    /// When the reader fails at once.
    pub fn of_source(mut source: Source<'a>) -> io::Result<Self> {
        if let Source::Reader(buffer) = &mut source {
            // One byte more shows if the document ends with its head.
            buffer.fill(|head| head.len() <= EXTENDED_HEAD)?;
        }
        Ok(Input::new(source))
    }

    fn new(source: Source<'a>) -> Self {
        Input {
            source,
            transcoded: None,
            charset: Charset::UTF_8,
            cursor: 0,
            place: None,
            budget: Budget::default(),
        }
    }

    /// The same document as a part of another.
    pub fn at(self, place: &'a PartPlace<'a>) -> Self {
        Input {
            place: Some(place),
            ..self
        }
    }

    /// The source, if nothing of it was consumed.
    pub fn into_source(self) -> Source<'a> {
        self.source
    }

    /// The raw bytes at hand, and whether the document ends with them.
    pub fn raw(&self) -> (&[u8], bool) {
        self.source.window()
    }

    fn raw_origin(&self) -> u64 {
        self.source.origin()
    }

    /// Starts to read, with the charset and the length of the BOM.
    ///
    /// # Errors
    ///
    /// Errors if there is not enough memory.
    pub fn start(&mut self, charset: Charset, bom: usize) -> io::Result<()> {
        self.charset = charset;
        if charset.is_ascii_compatible() {
            self.cursor = bom;
            return Ok(());
        }
        self.transcoded = Some(Transcoded {
            transcoder: Transcoder::new(charset, bom as u64),
            map: ViewMap::default(),
            bytes: Vec::new(),
            origin: 0,
            fed: bom as u64,
            ended: false,
        });
        self.transcode()
    }

    /// Checks that there is memory for the bytes at hand of a document that is read as a whole. A document in memory is
    /// read without a check.
    ///
    /// # Errors
    ///
    /// Errors if there is not enough.
    pub fn ensure_memory(&self, format: Format) -> io::Result<()> {
        if !format.is_light() || matches!(self.source, Source::Slice(_)) {
            return Ok(());
        }
        memory::ensure(light::memory_of(self.window().0.bytes.len()))
    }

    /// The first `wanted` bytes of the document or more, or all of it, or all in front of an error of the reader, which
    /// comes again when the window grows. Call it before anything is dropped.
    ///
    /// # Errors
    ///
    /// When the reader fails at once.
    pub fn begin(&mut self, wanted: usize) -> io::Result<&[u8]> {
        if let Source::Reader(buffer) = &mut self.source {
            buffer.fill(|filled| filled.len() < wanted)?;
        }
        Ok(self.raw().0)
    }

    /// A reader of the first `limit` bytes. Call it before anything is dropped.
    pub fn ahead(&mut self, limit: usize) -> Ahead<'_, 'a> {
        Ahead {
            input: self,
            at: 0,
            limit,
            stopped: false,
        }
    }

    /// The next source bytes, and whether the document ends with them. For a document that is decoded as a whole,
    /// without [`start`](Input::start): gives each byte once.
    ///
    /// # Errors
    ///
    /// Errors of the reader.
    pub fn take(&mut self) -> io::Result<(&[u8], bool)> {
        let begin = self.cursor;
        let (bytes, ended) = match &mut self.source {
            Source::Slice(bytes) => (&bytes[begin..], true),
            Source::Reader(buffer) => {
                buffer.drop(begin);
                self.cursor = 0;
                if buffer.filled == 0 && !buffer.ended {
                    buffer.read()?;
                }
                (buffer.filled(), buffer.ended)
            }
        };
        let chunk = &bytes[..bytes.len().min(CHUNK)];
        self.cursor += chunk.len();
        Ok((chunk, ended && chunk.len() == bytes.len()))
    }

    /// The window, and its start in the view.
    pub fn window(&self) -> (Window<'_>, u64) {
        let charset = self.charset.view();
        match &self.transcoded {
            Some(view) => (
                Window {
                    bytes: &view.bytes,
                    last: view.ended,
                    charset,
                },
                view.origin,
            ),
            None => {
                let (bytes, last) = self.raw();
                (
                    Window {
                        bytes,
                        last,
                        charset,
                    },
                    self.raw_origin(),
                )
            }
        }
    }

    /// The source position of a view position.
    pub fn source_at(&self, view: u64) -> u64 {
        self.transcoded
            .as_ref()
            .map_or(view, |transcoded| transcoded.map.source(view))
    }

    /// The source bytes of a span, none of which was dropped.
    pub fn bytes(&self, span: SourceSpan) -> &[u8] {
        let (raw, _) = self.raw();
        let origin = self.raw_origin();
        &raw[(span.start - origin) as usize..(span.end - origin) as usize]
    }

    /// The end of the source bytes at hand: the position after the last byte.
    pub fn end(&self) -> u64 {
        self.raw_origin() + self.raw().0.len() as u64
    }

    /// True if the view differs from the source.
    pub fn is_transcoded(&self) -> bool {
        self.transcoded.is_some()
    }

    /// The source edit that puts `text` in place of a span of the view; `None` if the charset lacks a character, or if
    /// the span begins or ends between characters that share a code.
    pub fn edit(&self, view: SourceSpan, text: String) -> Option<Edit> {
        let span = SourceSpan {
            start: self.source_at(view.start),
            end: self.source_at(view.end),
        };
        let bytes = match &self.transcoded {
            Some(transcoded) => {
                let ends = [view.start, view.end];
                if !ends.into_iter().all(|end| transcoded.map.is_boundary(end)) {
                    return None;
                }
                let (begin, end) = (
                    transcoded.map.shift(view.start),
                    transcoded.map.shift(view.end),
                );
                let following = &self.raw().0[(span.end - self.raw_origin()) as usize..];
                self.charset.splice(&text, begin, end, following)?
            }
            // ASCII is the same in every charset that is scanned without decoding.
            None if text.is_ascii() => text.into_bytes(),
            None => {
                let mut bytes = Vec::new();
                self.charset.encode(&text, &mut bytes).ok()?;
                bytes
            }
        };
        Some(Edit { span, bytes })
    }

    /// Drops the bytes in front of the cursor, except for the last [`BEHIND`] bytes.
    pub fn drop_read(&mut self) {
        let kept = self.cursor.saturating_sub(BEHIND);
        let Some(view) = &mut self.transcoded else {
            if let Source::Reader(buffer) = &mut self.source {
                buffer.drop(kept);
                self.cursor -= kept;
            }
            return;
        };
        let kept = (0..4)
            .map(|back| kept.saturating_sub(back))
            .find(|&at| is_boundary(&view.bytes, at));
        let kept = kept.unwrap_or(0);
        view.bytes.drain(..kept);
        view.origin += kept as u64;
        view.map.discard(view.origin);
        self.cursor -= kept;
        // Edits read the source behind their spans.
        let begin = view.map.source(view.origin);
        if let Source::Reader(buffer) = &mut self.source {
            buffer.drop(begin.saturating_sub(buffer.origin) as usize);
        }
    }

    /// Lets the next read end with an error.
    pub fn fail_later(&mut self, error: io::Error) {
        self.source.fail_later(error);
    }

    /// Makes the window longer; returns false if it is the last already. The unread part at least doubles, so that
    /// reading it again is linear in all. It grows by less in front of an error of the reader, which the next call
    /// returns: what cannot be known without the bytes behind it stays unread.
    ///
    /// # Errors
    ///
    /// Errors of the reader.
    pub fn grow(&mut self) -> io::Result<bool> {
        if self.window().0.last {
            return Ok(false);
        }
        let unread = self.window().0.bytes.len() - self.cursor;
        let wanted = unread.max(1);
        let mut got = 0;
        while got < wanted && !self.window().0.last {
            let before = self.window().0.bytes.len();
            let read = match &mut self.source {
                Source::Reader(buffer) if !buffer.ended => buffer.read(),
                _ => Ok(()),
            };
            self.transcode()?;
            got += self.window().0.bytes.len() - before;
            match read {
                Err(error) if got > 0 => {
                    self.source.fail_later(error);
                    break;
                }
                read => read?,
            }
        }
        Ok(true)
    }

    /// Transcodes a chunk of the bytes that are not transcoded yet.
    fn transcode(&mut self) -> io::Result<()> {
        let Some(view) = &mut self.transcoded else {
            return Ok(());
        };
        let (raw, ended) = self.source.window();
        let origin = self.source.origin();
        let rest = &raw[(view.fed - origin) as usize..];
        let chunk = &rest[..rest.len().min(CHUNK)];
        let last = ended && chunk.len() == rest.len();
        if matches!(self.source, Source::Reader(_)) {
            memory::reserve(&mut view.bytes, MOST_DECODED * chunk.len())?;
        }
        view.transcoder
            .push(chunk, last, &mut view.bytes, &mut view.map);
        view.fed += chunk.len() as u64;
        view.ended = last;
        Ok(())
    }
}

/// Reads the start of a document without consuming it.
pub(crate) struct Ahead<'i, 'a> {
    input: &'i mut Input<'a>,
    at: usize,
    /// The most bytes to read.
    limit: usize,
    /// True if more bytes were requested.
    pub stopped: bool,
}

impl Read for Ahead<'_, '_> {
    /// Fills as much of `room` as possible: the result must not depend on the chunks of the source.
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let at = self.at;
        let end = (at + room.len()).min(self.limit);
        let bytes = self.input.begin(end + 1)?;
        let is_cut = at == self.limit && bytes.len() > at;
        let part = &bytes[at..end.min(bytes.len())];
        room[..part.len()].copy_from_slice(part);
        self.at += part.len();
        self.stopped |= is_cut;
        if is_cut {
            Err(io::ErrorKind::QuotaExceeded.into())
        } else {
            Ok(self.at - at)
        }
    }
}

fn is_boundary(utf8: &[u8], at: usize) -> bool {
    at == 0 || utf8.get(at).is_none_or(|&byte| byte & 0xC0 != 0x80)
}

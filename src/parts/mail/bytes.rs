//! The bytes of a message, with the progress of reading its structure.

use crate::charset::Charset;
use crate::link::{Location, Locator, PartPlace};
use crate::read::Source;
use crate::span::SourceSpan;
use linkglot_charset::memory;
use linkglot_mail::structure::{MailKind, MailReader, MailStep};
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

/// Bodies up to this length are decoded without a check of memory.
const SHORT: usize = 256 << 10;

/// Memory for a decoded body and its replacement, in lengths of the encoded body.
const DECODED: usize = 4;

/// A window of the source, and the reader of its structure.
pub(super) struct Bytes<'a> {
    source: Source<'a>,
    /// The first byte of the window whose structure is unread.
    pub cursor: usize,
    reader: MailReader,
    locator: Option<Locator>,
    /// The place of the encoded message, if that is the source.
    around: Option<&'a Arc<PartPlace<'a>>>,
}

/// A body, as ranges of the window.
pub(super) enum Held {
    /// All of it.
    Whole(Range<usize>),
    /// The start of a body that is longer than it may be.
    Longer(Range<usize>),
    /// The start of a body behind which the reader fails: the window does not grow.
    Cut(Range<usize>),
    /// No body is in the window: a long header goes on.
    NotBegun,
}

impl<'a> Bytes<'a> {
    pub fn new(source: Source<'a>, kind: MailKind, locates: bool) -> Self {
        Bytes {
            source,
            cursor: 0,
            reader: MailReader::new(kind),
            locator: locates.then(|| Locator::new(Charset::UTF_8, 0)),
            around: None,
        }
    }

    /// The bytes of an encoded message inside another message.
    pub fn inside(place: &'a Arc<PartPlace<'a>>, reader: MailReader, locates: bool) -> Self {
        Bytes {
            source: Source::Slice(place.bytes()),
            cursor: 0,
            reader,
            locator: locates.then(|| Locator::within(Charset::UTF_8, place.start(), place.begin)),
            around: Some(place),
        }
    }

    /// The place of the encoded message, if that is the source.
    pub fn around(&self) -> Option<Arc<PartPlace<'a>>> {
        self.around.cloned()
    }

    /// The next step of the structure; ranges count from the start of the window.
    pub fn step(&mut self) -> MailStep {
        let (window, last) = self.source.window();
        self.reader.step(window, last, &mut self.cursor)
    }

    pub fn window(&self) -> &[u8] {
        self.source.window().0
    }

    /// The start of the window in the source.
    pub fn origin(&self) -> u64 {
        self.source.origin()
    }

    /// Drops the bytes of the window up to `to` and makes the window longer: the unread part at least doubles, so that
    /// reading it again is linear in all. Returns the number of dropped bytes.
    ///
    /// # Errors
    ///
    /// Errors of the reader.
    pub fn grow(&mut self, to: usize) -> io::Result<usize> {
        if let Some(locator) = &mut self.locator {
            let origin = self.source.origin();
            locator.advance(self.source.window().0, origin, origin + to as u64);
        }
        let dropped = self.source.drop(to);
        self.cursor -= dropped;
        let kept = self.window().len();
        self.source.grow(kept.max(1))?;
        Ok(dropped)
    }

    /// The number of the last message and its first byte in the source.
    pub fn message(&self) -> (u64, u64) {
        self.reader.message()
    }

    /// The line and column of a byte of the window; `at` must not fall from call to call.
    pub fn location(&mut self, at: usize) -> Location {
        let (origin, window) = (self.source.origin(), self.source.window().0);
        let Some(locator) = &mut self.locator else {
            return Location { line: 1, column: 1 };
        };
        if let Some(place) = self.around {
            return place.locate(locator, SourceSpan::of_window(origin, &(at..at)));
        }
        locator.advance(window, origin, origin + at as u64);
        locator.location()
    }

    /// Checks that there is memory to decode and rewrite a body of `length` bytes. A message in memory is read without
    /// a check.
    ///
    /// # Errors
    ///
    /// Errors if there is not enough.
    pub fn ensure_memory(&self, length: usize) -> io::Result<()> {
        if length <= SHORT || matches!(self.source, Source::Slice(_)) {
            return Ok(());
        }
        memory::ensure(length.saturating_mul(DECODED))
    }

    /// The next body, if it has no more than `most` bytes, and can be read.
    ///
    /// # Errors
    ///
    /// Errors of the reader in front of the body.
    pub fn held(&mut self, most: usize) -> io::Result<Held> {
        // The bytes in front of the body were not handed over yet.
        let begin = self.cursor;
        self.held_from(begin, begin..begin, most)
    }

    /// More of a body that is [`Longer`](Held::Longer), if it has no more than `most` bytes, and can be read.
    ///
    /// # Errors
    ///
    /// Errors of the reader in front of the body.
    pub fn held_on(&mut self, body: Range<usize>, most: usize) -> io::Result<Held> {
        self.held_from(body.start, body, most)
    }

    fn held_from(
        &mut self,
        mut begin: usize,
        mut body: Range<usize>,
        most: usize,
    ) -> io::Result<Held> {
        loop {
            match self.step() {
                MailStep::Body(range) if body.is_empty() => body = range,
                MailStep::Body(range) => body.end = range.end,
                MailStep::NeedMore if body.is_empty() => return Ok(Held::NotBegun),
                MailStep::NeedMore if body.len() > most => return Ok(Held::Longer(body)),
                MailStep::NeedMore => {
                    let dropped = match self.grow(begin) {
                        Ok(dropped) => dropped,
                        Err(error) => {
                            self.source.fail_later(error);
                            // The bytes in front of the body were dropped.
                            return Ok(Held::Cut(body.start - begin..body.end - begin));
                        }
                    };
                    begin -= dropped;
                    body = body.start - dropped..body.end - dropped;
                }
                MailStep::BodyEnd | MailStep::Header(_) | MailStep::End => {
                    return Ok(Held::Whole(body));
                }
            }
        }
    }
}

/// Reads a body in windows.
pub(super) struct BodyReader<'b, 'a> {
    pub bytes: &'b mut Bytes<'a>,
    /// The bytes of the window that were not handed over yet.
    pub ready: Range<usize>,
    pub ended: bool,
}

impl BodyReader<'_, '_> {
    /// Makes some bytes of the body ready, unless it has ended.
    fn prepare(&mut self) -> io::Result<()> {
        while self.ready.is_empty() && !self.ended {
            match self.bytes.step() {
                MailStep::Body(range) => self.ready = range,
                MailStep::NeedMore => {
                    let cursor = self.bytes.cursor;
                    self.bytes.grow(cursor)?;
                    self.ready = self.bytes.cursor..self.bytes.cursor;
                }
                MailStep::BodyEnd | MailStep::Header(_) | MailStep::End => self.ended = true,
            }
        }
        Ok(())
    }
}

impl Read for BodyReader<'_, '_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.prepare()?;
        let count = room.len().min(self.ready.len());
        let Range { start, .. } = self.ready;
        let part = &self.bytes.window()[start..start + count];
        room[..count].copy_from_slice(part);
        self.ready.start += count;
        Ok(count)
    }
}

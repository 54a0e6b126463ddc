//! What the work on one file puts out, on its way to the thread that prints.

use super::totals::Counts;
use linkglot::Error;
use linkglot::driver::{Lane, SkipReason};
use std::io::{self, Write};
use std::path::PathBuf;

/// So much output is put together.
const CHUNK: usize = 32 * 1024;

/// Something that the printing thread shall do.
pub enum Event {
    /// Print on standard output.
    Output(Chunk),
    /// Print a diagnostic.
    Told(PathBuf, String),
    /// A document was read to its end.
    Done(Counts),
    /// A file was left out.
    Skipped(PathBuf, SkipReason),
    /// A file failed.
    Failed(PathBuf, Error),
    /// Nothing else needs to be done at all.
    Enough,
}

/// Output, and where the entries that may come only once end in it.
#[derive(Default)]
pub struct Chunk {
    pub bytes: Vec<u8>,
    /// The key of an entry and its end.
    pub entries: Vec<(u128, usize)>,
}

/// Where the work on one file puts what it has.
pub struct Desk<'l> {
    lane: &'l Lane<Event>,
    chunk: Chunk,
    stopped: bool,
}

impl<'l> Desk<'l> {
    pub fn new(lane: &'l Lane<Event>) -> Self {
        Desk {
            lane,
            chunk: Chunk::default(),
            stopped: false,
        }
    }

    /// The way to the printing thread, past the output that is put together here.
    pub fn lane(&self) -> &'l Lane<Event> {
        self.lane
    }

    /// Where output is put together.
    pub fn out(&mut self) -> &mut Vec<u8> {
        &mut self.chunk.bytes
    }

    /// An entry is complete; its key, if it may come only once.
    pub fn entry(&mut self, key: Option<u128>) {
        if let Some(key) = key {
            self.chunk.entries.push((key, self.chunk.bytes.len()));
        }
        if self.chunk.bytes.len() >= CHUNK {
            self.hand_on();
        }
    }

    /// Whether nobody wants more.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Hands on what was put together.
    pub fn hand_on(&mut self) {
        if !self.chunk.bytes.is_empty() {
            let chunk = std::mem::take(&mut self.chunk);
            self.send(Event::Output(chunk));
        }
    }

    /// Hands on an event, behind the output so far.
    pub fn tell(&mut self, event: Event) {
        self.hand_on();
        self.send(event);
    }

    fn send(&mut self, event: Event) {
        self.stopped |= self.lane.send(event).is_err();
    }
}

impl Write for Desk<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = &bytes[..bytes.len().min(CHUNK)];
        self.chunk.bytes.extend_from_slice(part);
        self.entry(None);
        if self.stopped {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

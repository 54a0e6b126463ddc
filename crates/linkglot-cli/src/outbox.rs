//! Output of the work on one file, on its way to the thread that prints.

use super::breakdown::DocumentBreakdown;
use super::totals::Counts;
use linkglot::Error;
use linkglot_files::EventSender;
use std::io::{self, Write};
use std::path::PathBuf;

/// Approximate size of the chunks in which output is sent.
const CHUNK: usize = 32 * 1024;

/// News for the printing thread.
pub enum News {
    /// Print on standard output.
    Output(Chunk),
    /// Print a message about a file on standard error.
    Message(PathBuf, String),
    /// A document was read to its end.
    Done(Counts),
    /// The document, or a part of it, could not be read.
    Failed(PathBuf, Error),
    /// No more files need to be read.
    Stop,
    /// Standard output has no reader any more.
    Unread,
}

/// A piece of output.
#[derive(Default)]
pub struct Chunk {
    pub bytes: Vec<u8>,
    /// Entries that are printed only once in a run: the key and the end of each entry.
    pub unique: Vec<(u128, usize)>,
}

/// Collects the output of one file and sends it.
pub struct Outbox<'l> {
    sender: EventSender<'l, News>,
    chunk: Chunk,
    stopped: bool,
    /// The numbers of the document, if they are printed.
    pub breakdown: Option<Box<DocumentBreakdown>>,
}

impl<'l> Outbox<'l> {
    pub fn new(sender: EventSender<'l, News>) -> Self {
        Outbox {
            sender,
            chunk: Chunk::default(),
            stopped: false,
            breakdown: None,
        }
    }

    /// A sender to the printing thread that does not wait for the output collected here.
    pub fn sender(&self) -> EventSender<'l, News> {
        self.sender
    }

    /// Output to append to. [`end_entry`](Self::end_entry) says when a piece is complete.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.chunk.bytes
    }

    /// Ends an entry. An entry with a key is printed only once in a run.
    pub fn end_entry(&mut self, key: Option<u128>) {
        if let Some(key) = key {
            self.chunk.unique.push((key, self.chunk.bytes.len()));
        }
        if self.chunk.bytes.len() >= CHUNK {
            self.flush_chunk();
        }
    }

    /// True if the receiver is gone.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Sends the collected output.
    pub fn flush_chunk(&mut self) {
        if !self.chunk.bytes.is_empty() {
            let chunk = std::mem::take(&mut self.chunk);
            self.send_now(News::Output(chunk));
        }
    }

    /// Sends an event, after the output so far.
    pub fn send(&mut self, event: News) {
        self.flush_chunk();
        self.send_now(event);
    }

    fn send_now(&mut self, event: News) {
        self.stopped |= self.sender.send(event).is_err();
    }
}

impl Write for Outbox<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = &bytes[..bytes.len().min(CHUNK)];
        self.chunk.bytes.extend_from_slice(part);
        self.end_entry(None);
        if self.stopped {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! The diff of a long file, shown while the file is rewritten.
//!
//! Diffs in two threads: the first rewrites the file into a pipe, the other thread reads the old document a second
//! time, and the new one from the pipe.

use super::pipe::connect;
use super::{Layout, write};
use crate::outbox::{News, Outbox};
use crate::standard_output::has_no_reader;
use linkglot::rewrite::Summary;
use linkglot::{Document, Error, Settings};
use linkglot_charset::{Charset, EXTENDED_HEAD};
use linkglot_files::{EventSender, Positioned};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// Length of the bytes that decide the charset, plus one to tell whether more follow.
const HEAD: usize = EXTENDED_HEAD + 1;

/// The document being rewritten.
pub struct Context<'c> {
    pub path: &'c Path,
    pub settings: &'c Settings,
    pub layout: Layout,
}

/// Prints the diff of a regular file that keeps its charset. `rewrite` gets the old document, a writer for the new one,
/// and a sender for messages.
///
/// # Errors
///
/// When reading or rewriting fails, or the output has no reader.
pub fn of_large_file(
    file: &File,
    context: &Context<'_>,
    outbox: &mut Outbox<'_>,
    rewrite: impl FnOnce(&mut dyn Read, &mut dyn Write, EventSender<'_, News>) -> Result<Summary, Error>
    + Send,
) -> Result<Summary, Error> {
    let charset = charset_of(file, context.settings)?;
    let sender = outbox.sender();
    let done = connect(
        |writer| rewrite(&mut WatchfulReader::new(file), writer, sender),
        |new| {
            let mut old = WatchfulReader::new(file);
            let mut out = Prompt(outbox);
            let sides: super::Sides<'_> = (&mut old, new);
            write(
                &mut out,
                context.path,
                (charset, charset),
                sides,
                context.layout,
            )
        },
    );
    if done.is_err() && has_no_reader() {
        outbox.send(News::Unread);
    }
    done
}

/// The charset of a document, decided by its first bytes.
fn charset_of(file: &File, settings: &Settings) -> io::Result<Charset> {
    let mut head = Vec::new();
    let reader = WatchfulReader::new(file);
    reader.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(Document::new(&head, settings).info().charset)
}

/// Reads a file from its beginning; several readers can read a file at once. Fails when standard output has lost its
/// reader: without a further change, no write would fail.
struct WatchfulReader<'f>(Positioned<'f>);

impl<'f> WatchfulReader<'f> {
    fn new(file: &'f File) -> Self {
        WatchfulReader(Positioned::new(file))
    }
}

impl Read for WatchfulReader<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if has_no_reader() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.0.read(room)
    }
}

/// Passes on each hunk at once.
struct Prompt<'o, 'l>(&'o mut Outbox<'l>);

impl Write for Prompt<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush_chunk();
        Ok(())
    }
}

//! Messages about a document that `find` and `rewrite` have in common.

use super::json::charset_source;
use super::outbox::{News, Outbox};
use linkglot::link::{Info, MailPart};
use linkglot::{Certainty, Error, ErrorKind, Format, Link};
use linkglot_files::SkipReason;
use linkglot_markup::light;
use std::io::{self, Read};
use std::path::Path;

/// The limits beyond which a document is not read.
const LIMITS: &str = "a block of Markdown, MDX or reStructuredText is read up to 16 times --max-slot (1M), and dense markup only in up to \
     12 times its length, or 12 times --max-slot, of memory; a greater --max-slot reads it";

/// True if a link stands for a whole document that was too long to read.
pub fn is_whole_document(link: &Link<'_>) -> bool {
    link.place().name.as_deref() == Some(light::DOCUMENT) && link.text().is_empty()
}

/// The error of a document that was too long, or too dense with markup, to be read from `link` on: the rest may have
/// links.
pub fn unread(path: &Path, link: &Link<'_>) -> News {
    let words = match link.span().start {
        0 => format!("document left unread: {LIMITS}"),
        start => format!("document left unread from byte {start} on: {LIMITS}"),
    };
    News::Failed(path.to_owned(), Error::new(ErrorKind::Io, words))
}

/// Format and charset of a document, for `-v`.
pub fn describe(info: &Info) -> String {
    format!("{}, {}", info.format.name(), charset(info))
}

/// The message that a document is malformed, for `-v`.
pub fn read_as_text(from: u64) -> String {
    format!("malformed, or not understood, and read as running text from byte {from} on")
}

/// The charset of a document, and its source.
pub fn charset(info: &Info) -> String {
    let unsure = match info.certainty {
        Certainty::Sure => "",
        Certainty::Unsure => ", unsure",
    };
    let (charset, from) = (info.charset.name(), charset_source(info.charset_from));
    format!("{charset} ({from}{unsure})")
}

/// The name of a part in lines and messages: `1.2`, in a mailbox after the number of the message.
pub fn part_name(part: &MailPart) -> String {
    match part.container() {
        Format::Mailbox => format!("{}:{}", part.message(), part.number()),
        _ => part.number().to_owned(),
    }
}

/// The reason why the document could not be read, if any.
pub fn skip_reason(info: &Info) -> Option<SkipReason> {
    info.charset.is_replacement().then_some(SkipReason::Charset)
}

/// Fails for a document in an unknown charset.
pub fn known_charset(info: &Info) -> Result<(), Error> {
    let Some(unknown) = &info.unknown_charset else {
        return Ok(());
    };
    let message = format!(
        "line {}: {} (`--charset LABEL` or `--assume-charset {}=LABEL` settles it)",
        unknown.line,
        unknown.error(),
        unknown.label
    );
    Err(Error::new(ErrorKind::UnknownCharset, message))
}

/// Reports parts of mail that could not be read: each is an error, because it may have links. `verbose`: also names
/// parts that are passed over.
pub fn unread_parts(path: &Path, info: &Info, outbox: &mut Outbox<'_>, verbose: bool) {
    for (part, error) in &info.unread.errors {
        let message = format!("part {part}: {error}");
        outbox.send(News::Failed(
            path.to_owned(),
            Error::new(error.kind(), message),
        ));
    }
    let more = info.unread.failed - info.unread.errors.len() as u64;
    if more > 0 {
        let message = format!("{more} more parts could not be read");
        outbox.send(News::Failed(
            path.to_owned(),
            Error::new(ErrorKind::Io, message),
        ));
    }
    if verbose {
        passed_over(path, info, outbox);
    }
}

/// Names the parts of mail that are passed over.
fn passed_over(path: &Path, info: &Info, outbox: &mut Outbox<'_>) {
    let unread = &info.unread;
    for (part, reason) in &unread.passed_over {
        let message = format!("part {part} not read: {}", reason.words());
        outbox.send(News::Message(path.to_owned(), message));
    }
    let all = unread.counts.values().sum::<u64>() - unread.failed;
    let more = all - unread.passed_over.len() as u64;
    if more > 0 {
        let message = format!("{more} more parts not read");
        outbox.send(News::Message(path.to_owned(), message));
    }
}

/// A reader that counts bytes.
pub struct CountingReader<'r> {
    reader: &'r mut dyn Read,
    count: u64,
}

impl<'r> CountingReader<'r> {
    pub fn new(reader: &'r mut dyn Read) -> Self {
        CountingReader { reader, count: 0 }
    }

    /// Number of bytes read so far.
    pub fn count(&self) -> u64 {
        self.count
    }
}

impl Read for CountingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.count += count as u64;
        Ok(count)
    }
}

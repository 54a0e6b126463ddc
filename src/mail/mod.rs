//! Mail: the documents of a message, which are header fields and bodies of parts, one after the other. Files of content
//! lines, such as calendars, consist of such documents, too.
//!
//! For each document it gives the place and the way to read it (format, charset, base, escapes around it). It knows
//! neither links nor rewriting.

mod bytes;
mod content_lines;
mod document;
mod inner;
mod media_type;
mod part;
mod ranges;
mod signature;
mod uuencode;
mod walk;

pub(crate) use document::{Body, MailDocument, Opened, info_of, unreadable};
pub(crate) use inner::InnerMail;
pub use ranges::{MailboxRange, mailbox_ranges};

/// The most bytes of a body that is held as a whole, unless it is encoded; longer bodies are read in windows.
const HELD: usize = 1 << 20;

use crate::charset::Charset;
use crate::error::Error;
use crate::link::{Info, Settings, UnreadParts};
use crate::read::{Flow, Input};
use std::ops::ControlFlow;

/// True if a document is read part by part: a message, or content lines that may be folded.
pub(crate) fn has_parts(info: &Info) -> bool {
    let is_folded = || info.format.content_lines().is_some() && has_folds(Some(info.charset));
    info.format.is_mail() || is_folded() && info.part.is_none()
}

/// Reads the documents inside a document, to the end or until the visitor breaks off. `bom` is the length of the BOM.
///
/// # Errors
///
/// Errors of the reader and the visitor.
pub(crate) fn read(
    input: Input<'_>,
    (info, bom): (&Info, usize),
    settings: &Settings,
    visitor: &mut dyn MailVisitor,
) -> Result<UnreadParts, Error> {
    match info.format.content_lines() {
        Some(_) => content_lines::read(input, (info, bom), settings, visitor),
        None => walk::read(input, info.format, settings, visitor),
    }
}

/// True if each octet of a fold is a character in the charset. In UTF-16 each octet may be half of a character, and a
/// new fold would break the text.
fn has_folds(charset: Option<Charset>) -> bool {
    charset.is_none_or(|charset| charset.is_ascii_compatible() || charset.is_stateful())
}

/// A visitor of the documents of a message.
pub(crate) trait MailVisitor {
    /// Takes source bytes that belong to no document, in their turn.
    fn between(&mut self, bytes: &[u8]) -> Result<(), Error>;

    /// Takes a document of the message.
    fn document(&mut self, document: MailDocument<'_>) -> Result<Visit, Error>;

    /// Takes encoded mail in the message. [`InnerMail::read`] reads its documents.
    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow;
}

/// The outcome of a visit to a document.
pub(crate) enum Visit {
    Read(ControlFlow<()>),
    /// The document was not read, and passed on unchanged.
    Unread(Error),
}

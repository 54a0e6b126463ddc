//! Mail: the documents of a message, which are header fields and bodies of parts, one after the other.
//!
//! It says how each is read (format, charset, base, escapes around it) and where it stands. It knows neither links nor
//! rewriting.

mod bytes;
mod document;
mod inner;
mod media_type;
mod part;
mod ranges;
mod signature;
mod uuencode;
mod walk;

pub(crate) use document::{Body, MailDocument, Opened, unreadable};
pub(crate) use inner::InnerMail;
pub(crate) use media_type::format_of;
pub use ranges::{MailboxRange, mailbox_ranges};
pub(crate) use walk::read;

/// A body that is not encoded is read in windows if it is longer than this.
const HELD: usize = 1 << 20;

use crate::error::Error;
use crate::link::UnreadParts;
use crate::stream::Flow;
use std::ops::ControlFlow;

/// What the documents of a message are read for.
pub(crate) trait MailVisitor {
    /// Source bytes that belong to no document, in their turn.
    fn between(&mut self, bytes: &[u8]) -> Result<(), Error>;

    /// A document of the message.
    fn document(&mut self, document: MailDocument<'_>) -> Result<Visit, Error>;

    /// Mail that stands in the message in an encoding. Its documents are read by [`InnerMail::read`].
    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow;
}

/// What became of a document.
pub(crate) enum Visit {
    Read(ControlFlow<()>),
    /// It was not read, and passed on as it is.
    Unread(Error),
}

//! The parts of a document that are documents of their own: header fields and bodies of a message, pieces of a file of
//! content lines such as a calendar. Any other document is its own only part.
//!
//! A part knows its place and the way to read it (format, charset, base, layers around it). The room must know neither
//! links nor rewriting.

mod content_lines;
mod mail;
mod part;
mod unread_field;

pub use mail::{Attachment, MailboxRange, NewBody, mailbox_ranges};
pub(crate) use mail::{InnerMail, applied, reencoded};
pub(crate) use part::Part;
pub(crate) use unread_field::UnreadField;

use crate::charset::Charset;
use crate::error::{Error, ErrorKind};
use crate::link::{Info, UnreadParts};
use crate::read::{Flow, Opened};
use std::ops::ControlFlow;

/// Reads the parts of a document to the end, or until the visitor breaks off.
///
/// # Errors
///
/// Errors of the reader and the visitor.
pub(crate) fn read(
    document: Opened<'_, '_>,
    visitor: &mut dyn PartVisitor,
) -> Result<UnreadParts, Error> {
    let info = document.info;
    if info.format.is_mail() {
        mail::read(document, visitor)
    } else if info.format.content_lines().is_some() && has_folds(Some(info.charset)) {
        content_lines::read(document, visitor)
    } else {
        let _ = visitor.opened(document)?;
        Ok(UnreadParts::default())
    }
}

/// True if each octet of a fold is a character in the charset. In UTF-16 each octet may be half of a character, and a
/// new fold would break the text.
fn has_folds(charset: Option<Charset>) -> bool {
    charset.is_none_or(|charset| charset.is_ascii_compatible() || charset.is_stateful())
}

/// A visitor of the parts of a document.
pub(crate) trait PartVisitor {
    /// Takes source bytes that belong to no part, in their turn.
    fn between(&mut self, bytes: &[u8]) -> Result<(), Error>;

    /// True if [`field`](Self::field) is to be called.
    fn looks_at_fields(&self) -> bool {
        false
    }

    /// Looks at a field of a header that is no part, behind the bytes in front of its value. The value follows with the
    /// next bytes between parts.
    fn field(&mut self, _field: &UnreadField<'_, '_>) {}

    /// Takes a part. [`Part::read`] opens it.
    fn part(&mut self, part: Part<'_>) -> Flow {
        part.read(&mut |opened| self.opened(opened))
    }

    /// Takes a part that is ready to read, or a document that has no parts.
    fn opened(&mut self, document: Opened<'_, '_>) -> Flow;

    /// True if [`attachment`](Self::attachment) is to be called.
    fn takes_attachments(&self) -> bool {
        false
    }

    /// Takes an attachment that the settings leave to the caller. Its bytes follow between parts.
    fn attachment(&mut self, _attachment: Attachment<'_>) -> Flow {
        Ok(ControlFlow::Continue(()))
    }

    /// Takes encoded mail in the message. [`InnerMail::read`] reads its parts.
    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow;
}

/// The error for a part whose charset is unknown.
fn unknown_charset(info: &Info) -> Option<Error> {
    let unknown = info.unknown_charset.as_ref()?;
    Some(unknown_label(&unknown.label))
}

/// The error for an unknown label of a charset.
fn unknown_label(label: &str) -> Error {
    let message = match Charset::for_label(label) {
        Err(unknown) => unknown.to_string(),
        Ok(_) => format!("unknown charset label `{label}`"),
    };
    Error::new(ErrorKind::UnknownCharset, message)
}

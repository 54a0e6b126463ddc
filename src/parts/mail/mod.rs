//! Messages and mailboxes: header fields and bodies of parts, one after the other.

mod attachment;
mod body_reading;
mod bytes;
mod encoded;
mod media_type;
mod ranges;
mod signature;
mod transfer_encoding;
mod uuencode;
mod walk;

pub use attachment::{Attachment, NewBody};
pub(crate) use encoded::{applied, reencoded};
pub use ranges::{MailboxRange, mailbox_ranges};
pub(crate) use walk::InnerMail;
pub(super) use walk::read;

/// The most bytes of a body that is held as a whole, unless it is encoded; longer bodies are read in windows.
const HELD: usize = 1 << 20;

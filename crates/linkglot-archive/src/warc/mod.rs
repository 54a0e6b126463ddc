//! WARC 1.0 and 1.1 (ISO 28500), and ARC 1.0: records of pages as they were sent, read as a stream.
//!
//! [`Reader`] goes through the records of a decompressed file. [`Block`] opens the block of a record: often a message
//! of HTTP, whose body may be encoded. [`Editor`] makes a new record for a changed one, with its lengths and digests,
//! and [`Writer`] puts it into a new file, in which all other records keep their bytes.

mod block;
mod coding;
mod digest;
mod editor;
mod header;
mod members;
mod reader;
mod writer;

pub use block::Block;
pub use coding::Coding;
pub use editor::{Change, Editor, NewRecord, REWRITTEN};
pub use header::Header;
pub use reader::{Reader, Record, RecordKind, Step};
pub use writer::Writer;

/// True if bytes begin with a record of WARC or ARC.
///
/// ```
/// use linkglot_archive::warc::is_begin;
///
/// assert!(is_begin(b"WARC/1.1\r\nWARC-Type: warcinfo\r\n"));
/// assert!(!is_begin(b"WARC/1 is a format"));
/// ```
#[must_use]
pub fn is_begin(head: &[u8]) -> bool {
    reader::is_version(head) || head.starts_with(reader::ARC)
}

//! WARC 1.0 and 1.1 (ISO 28500), and ARC 1.0: records of pages as they were sent, read as a stream.
//!
//! [`Reader`] goes through the records of a decompressed file. [`Block`] opens the block of a record: often a message
//! of HTTP, whose body may be encoded. [`Editor`] makes a new record for a changed one, with its lengths and digests,
//! and [`Writer`] puts it into a new file, in which all other records keep their bytes. [`Places`] tells where records
//! stand, for an index. [`Part`] reads a file from one border to another;
//! [`next_member`] and [`next_record`] find borders.

mod block;
mod borders;
mod coding;
mod digest;
mod editor;
mod header;
mod members;
mod part;
mod places;
mod reader;
mod writer;

pub use block::Block;
pub use borders::{Proof, next_member, next_record};
pub use coding::Coding;
pub use digest::sha1_of;
pub use editor::{Change, Editor, Fault, NewRecord, Payload, REWRITTEN};
pub use header::Header;
pub use part::Part;
pub use places::Places;
pub use reader::{Reader, Record, RecordKind, Step};
pub use writer::Writer;

/// True if bytes begin with a record of WARC or ARC. Empty lines may stand in front of WARC.
///
/// ```
/// use linkglot_archive::warc::is_begin;
///
/// assert!(is_begin(b"WARC/1.1\r\nWARC-Type: warcinfo\r\n"));
/// assert!(is_begin(b"\r\nWARC/1.0\r\n"));
/// assert!(!is_begin(b"WARC/1 is a format"));
/// ```
#[must_use]
pub fn is_begin(head: &[u8]) -> bool {
    let ends = head.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    reader::is_version(&head[ends.count()..]) || head.starts_with(reader::ARC)
}

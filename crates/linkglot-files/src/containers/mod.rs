//! Containers: archives and compressed files, whose entries are documents.
//!
//! [`Visit`] goes through a container, however deep containers stand in each other, and hands each document to a
//! [`Visitor`]. Nothing is unpacked to a disk, so names lead nowhere. Where the run writes, a container whose documents
//! changed is written anew, with all other bytes as they were. A [`Division`] divides a container among threads.

mod budget;
mod division;
mod input;
mod names;
mod package;
mod ranges;
mod safari;
mod stretch;
mod tar;
mod visit;
mod web;
mod zip;

pub use budget::Limits;
pub(super) use division::{Divided, Division, Piece};
pub use input::{ReadSeek, SharedFile};
pub(super) use names::Spot;
pub use ranges::{
    EntryEvent, container_format, read_attached, read_container, read_records, record_ranges,
};
pub use visit::Writing;
pub(super) use visit::{Outcome, Visit, Visitor};

//! Reads a document in windows, slot by slot, in bounded memory.
//!
//! It must not know which documents a message has, nor what its visitors do with links.

mod input;
mod opened;
mod reading;
mod slots;
mod source;

pub(crate) use input::Input;
pub(crate) use opened::Opened;
pub(crate) use reading::{Read, Reading, Seen};
pub(crate) use slots::{Flow, Scene, SlotRead, Visitor, read};
pub(crate) use source::Source;

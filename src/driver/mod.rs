//! Works on many files in parallel: chooses them, reads them, and replaces them so that each is either unchanged or
//! completely rewritten (promise P8).
//!
//! It prints nothing and knows no options. Files are read, never memory-mapped: a mapped file that another program
//! truncates would end the process with SIGBUS.

mod binary;
mod display;
mod file_type;
mod journal;
mod parallel;
mod replace;
mod rewrite;
mod source;
mod tree;
mod walk;

pub use binary::{Overrides, is_binary};
pub use display::{escape_controls, push_path};
pub use file_type::FileType;
pub use journal::{FileEdit, FileRecord, Journal, JournalFile, RunHeader, RunState, Undone, undo};
pub use parallel::{Disconnected, EventSender, in_order};
pub use replace::{Replacement, TempFiles};
pub use rewrite::{Destination, rewrite_source};
pub use source::{Content, Source};
pub use tree::{OutputTree, copy_file, copy_symlink};
pub use walk::{Entry, FileEntry, Root, Selection, SkipReason, Walk};

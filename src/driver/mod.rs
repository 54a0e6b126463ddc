//! Many files: which ones, read and written how, in parallel, each either as it was or completely
//! rewritten (promise P8).
//!
//! It prints nothing and knows no options. Files are read, never memory-mapped: a map of a file that
//! another program cuts short ends the process with SIGBUS.

mod binary;
mod kinds;
mod parallel;
mod replace;
mod rewrite;
mod shown;
mod source;
mod tree;
mod walk;

pub use binary::{Insisted, is_binary};
pub use kinds::FileKind;
pub use parallel::{Lane, Stopped, in_order};
pub use replace::{Replacement, Scratch};
pub use rewrite::{Destination, rewrite_source};
pub use shown::{escaped, path_on_one_line};
pub use source::{Content, Nature, Source, Stamp, WHOLE};
pub use tree::{Tree, copy_file, copy_symlink};
pub use walk::{Entry, FileEntry, Root, Selection, SkipReason, Walk};

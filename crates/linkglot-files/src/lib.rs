//! Works on many files in parallel: chooses them, reads them, and replaces them so that each is either unchanged or
//! completely rewritten (promise P8).
//!
//! The crate prints nothing and parses no arguments; [`values`] has the names that options give to values. Only
//! `directory` opens, creates and renames files by name. Files are read, never memory-mapped: if another program
//! truncated a mapped file, SIGBUS would end the process.

mod archived;
mod attachments;
mod attributes;
mod backup;
mod bases;
mod binary;
mod cdxj;
mod container_kind;
mod container_name;
mod containers;
mod content_digest;
mod content_name;
mod digest_lists;
mod digests;
mod directory;
mod display;
mod document;
mod engine;
mod entry;
mod fate;
pub mod filter;
mod git_ignore;
mod git_index;
mod git_pattern;
mod group_sync;
mod hard_links;
mod journal;
mod new_container;
mod new_entry;
mod old_digests;
mod parallel;
mod positioned;
mod recorder;
mod remedy;
mod replace;
mod rewrite;
mod runs;
mod source;
mod special;
mod stamp;
mod target;
mod tree;
mod undo;
mod undo_run;
pub mod values;
mod walk;
mod workbook;

pub use archived::Archived;
pub use attachments::Attachments;
pub use bases::Bases;
pub use binary::{Overrides, is_binary};
pub use cdxj::IndexLines;
pub use container_kind::{check_stream, is_archive, is_web_archive};
pub use containers::{
    EntryEvent, Limits, ReadSeek, SharedFile, Writing, container_format, read_attached,
    read_container, read_records, record_ranges,
};
pub use content_name::check_name;
pub use digest_lists::{DigestLists, StaleDigests};
pub use directory::{Directory, Links, Place};
pub use display::{escape_controls, escape_deceptive, is_deceptive, push_path};
pub use document::Document;
pub use engine::{Event, Job, run};
pub use entry::FileEntry;
pub use git_ignore::GitIgnore;
pub use hard_links::{HardLinks, Unmet};
pub use journal::{
    FileEdit, FileRecord, Journal, JournalFile, LinkRecord, OptionFile, Records, RunHeader,
    RunState,
};
pub use new_container::{ContainerWork, NewContainer};
pub use new_entry::NewEntry;
pub use old_digests::OldDigests;
pub use parallel::{Disconnected, EventSender, Threads};
pub use positioned::Positioned;
pub use remedy::Remedy;
pub use replace::{Committed, Likeness, Replacement, TempFiles, not_kept};
pub use rewrite::{Destination, Done, rewrite_source};
pub use runs::{
    BACKUP, NewRun, find_run, interrupted_over, journals, journals_among, noted_backup, overlap,
    real_roots, refuse_running, remove_stale,
};
pub use source::{Content, Source};
pub use special::{check_readable, read_file};
pub use target::{FileTarget, InPlace, is_refusal};
pub use tree::OutputTree;
pub use undo::Undone;
pub use undo_run::{Trust, Undo, UndoneFile};
pub use walk::{Entry, Root, Selection, SkipReason, Walk};

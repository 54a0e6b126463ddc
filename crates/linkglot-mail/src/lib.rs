//! Mail: the structure of messages and mailboxes, and the fields of their headers.
//!
//! The crate must not know how links are found in running text, nor how IRIs are mapped. It opens no files.

pub mod field;
pub mod fields;
pub mod structure;

//! Mail: the structure of messages and mailboxes, and the fields of their headers.
//!
//! The crate must know neither the search for links in running text nor the mapping of IRIs. It opens no files.

pub mod field;
pub mod fields;
pub mod http;
pub mod structure;

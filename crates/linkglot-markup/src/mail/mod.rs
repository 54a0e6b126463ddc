//! Mail: its structure, and the fields of its headers.

pub mod fields;
pub mod structure;

//! Mail: the structure of messages, the fields of their headers, and what their parts are encoded in.

pub mod field;
pub mod fields;
pub mod layer;
pub mod structure;

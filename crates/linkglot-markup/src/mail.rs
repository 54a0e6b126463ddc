//! Mail: how the bytes of bodies and header fields are encoded.
//!
//! The module must not know what the decoded bytes mean.

pub mod layer;

//! The one door to SIMD: the only module that knows `fearless_simd`.
//!
//! [`Vector`] has the instructions of every machine of the compile target, and inlines everywhere: for short searches.
//! [`blocks`] has the widest vectors of the machine at hand, chosen at run time by a call that does not inline: for
//! loops over many blocks. [`pairs`] looks for bytes by the byte beside them.

pub mod blocks;
pub mod pairs;
mod vector;

pub use vector::Vector;

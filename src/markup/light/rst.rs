//! reStructuredText.

use super::Piece;

/// TODO
pub fn pieces(_text: &str) -> Vec<Piece<'_>> {
    Vec::new()
}

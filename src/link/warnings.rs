//! Warnings of everything that could deceive the reader of a link.

use super::{code_in, has_expression, with_implied};
use crate::iri::warning_notes;
use crate::notes::Notes;

/// The warnings of a link. No warnings for template code, which is no link before it has run. Linear.
pub(crate) fn warnings_of(text: &str, implied: Option<&'static str>) -> Notes {
    let warnings = warning_notes(&with_implied(text, implied));
    let is_unfilled = || code_in(text).is_some() || has_expression(text);
    if warnings.is_empty() || is_unfilled() {
        Notes::NONE
    } else {
        warnings
    }
}

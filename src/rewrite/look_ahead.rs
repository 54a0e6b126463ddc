//! A look ahead at a document, for what holds for all of its links: whether new links would change its charset or
//! format, and whether something in it is signed.

use super::mapping::Mapping;
use super::plan::Planner;
use super::{charset_guess, format_guess, signed_document};
use crate::error::Error;
use crate::link::Signed;
use crate::read::Opened;
use std::borrow::Cow;

/// Makes a planner with a look ahead at the document. Consumes nothing of it.
///
/// # Errors
///
/// Errors of the reader.
pub(super) fn plan_ahead<'m>(
    mapping: Cow<'m, Mapping>,
    document: &mut Opened<'_, '_>,
) -> Result<Planner<'m>, Error> {
    let keeps_charset = charset_guess::keeps_charset(document, &mapping)?;
    let keeps_format = format_guess::keeps_format(document, &mapping)?;
    let is_signed = signed_document::is_signed(document, &mapping)?;
    let has_hashes = signed_document::has_hashes(document, &mapping)?;
    let mut planner = Planner::new(mapping, document.info, document.settings);
    planner.has_hashes = has_hashes;
    (planner.keeps_charset, planner.keeps_format) = (keeps_charset, keeps_format);
    if is_signed {
        planner.signed = Signed::All;
    }
    Ok(planner)
}

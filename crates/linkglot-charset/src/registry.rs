//! The list of all charsets.

use crate::codec::Spec;
use crate::{code_page_list, iso2022jp, multi, replacement, single_list, utf8, utf16, utf32};

/// Every charset.
pub(crate) fn all() -> impl Iterator<Item = &'static Spec> {
    [&utf8::UTF_8, &utf16::UTF_16LE, &utf16::UTF_16BE]
        .into_iter()
        .chain([&utf32::UTF_32LE, &utf32::UTF_32BE])
        .chain([&iso2022jp::ISO_2022_JP, &replacement::REPLACEMENT])
        .chain(single_list::ALL)
        .chain(multi::ALL)
        .chain(code_page_list::ALL)
}

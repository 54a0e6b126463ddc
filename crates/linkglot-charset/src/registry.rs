//! The list of all charsets.

use crate::codec::Spec;
use crate::{
    cesu8, ebcdic, euc_tw, hz, iso2022cn, iso2022jp, iso2022jp_more, iso2022kr, jisx0213, johab,
    multi, replacement, sequences, single_bytes, single_list, utf7, utf8, utf16, utf32,
};

/// Every charset.
pub(crate) fn all() -> impl Iterator<Item = &'static Spec> {
    [&utf8::UTF_8, &utf16::UTF_16LE, &utf16::UTF_16BE]
        .into_iter()
        .chain([&utf32::UTF_32LE, &utf32::UTF_32BE])
        .chain([&iso2022jp::ISO_2022_JP, &replacement::REPLACEMENT])
        .chain(single_list::ALL)
        .chain(multi::ALL)
        .chain(single_bytes::ALL.iter())
        .chain(ebcdic::ALL.iter())
        .chain(sequences::ALL.iter())
        .chain([&hz::HZ, &iso2022kr::ISO_2022_KR, &iso2022cn::ISO_2022_CN])
        .chain(iso2022jp_more::ALL)
        .chain([&johab::JOHAB, &euc_tw::EUC_TW])
        .chain([&jisx0213::EUC_JISX0213, &jisx0213::SHIFT_JISX0213])
        .chain([&utf7::UTF_7, &cesu8::CESU_8])
}

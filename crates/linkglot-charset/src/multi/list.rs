//! The multi-byte charsets and their labels. Data only.

use super::sequence::{
    Big5, EucKr, ShiftJis, TwoByte, euc_jp, gb_ends_sequence, gb18030, one_or_two,
};
use super::two_byte::TwoByteTable;
use super::{DecodeOnly, MultiByte};
use crate::codec::Spec;
use crate::whatwg::Lossy;

pub(crate) static ALL: [&Spec; 6] = [&SHIFT_JIS, &EUC_JP, &BIG5, &EUC_KR, &GBK, &GB18030];

static SHIFT_JIS: Spec = Spec {
    name: "Shift_JIS",
    labels: "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    is_unicode: false,
    codec: &MultiByte {
        encoding: encoding_rs::SHIFT_JIS,
        sequence_len: one_or_two::<ShiftJis>,
        ends_sequence: |byte| !ShiftJis::is_lead(byte),
        has_ascii_trails: true,
        pairs_high_bytes: false,
        lossy: JAPANESE_LOSSY,
        widest_encoder: encoding_rs::SHIFT_JIS,
        decode_only: &[(&[], 0x87..=0x87), (&[], 0xED..=0xEE), (&[], 0xF0..=0xFA)],
        two_byte: &TWO_BYTE[0],
    },
};

static EUC_JP: Spec = Spec {
    name: "EUC-JP",
    labels: "cseucpkdfmtjapanese euc-jp x-euc-jp",
    is_unicode: false,
    codec: &MultiByte {
        encoding: encoding_rs::EUC_JP,
        sequence_len: euc_jp,
        ends_sequence: |byte| matches!(byte, 0x00..=0x8D | 0x90..=0xA0 | 0xFF),
        has_ascii_trails: false,
        pairs_high_bytes: true,
        lossy: JAPANESE_LOSSY,
        widest_encoder: encoding_rs::EUC_JP,
        decode_only: &[
            (&[0x8F], 0xA1..=0xFE),
            (&[], 0xAD..=0xAD),
            (&[], 0xFC..=0xFC),
        ],
        two_byte: &TWO_BYTE[1],
    },
};

static BIG5: Spec = Spec {
    name: "Big5",
    labels: "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    is_unicode: false,
    codec: &MultiByte {
        encoding: encoding_rs::BIG5,
        sequence_len: one_or_two::<Big5>,
        ends_sequence: |byte| !Big5::is_lead(byte),
        has_ascii_trails: true,
        pairs_high_bytes: true,
        lossy: &[],
        widest_encoder: encoding_rs::BIG5,
        decode_only: &[(&[], 0x87..=0xA2), (&[], 0xC6..=0xC9), (&[], 0xF9..=0xFE)],
        two_byte: &TWO_BYTE[2],
    },
};

static EUC_KR: Spec = Spec {
    name: "EUC-KR",
    labels: "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 \
        ksc_5601 windows-949",
    is_unicode: false,
    codec: &MultiByte {
        encoding: encoding_rs::EUC_KR,
        sequence_len: one_or_two::<EucKr>,
        ends_sequence: |byte| !EucKr::is_lead(byte),
        has_ascii_trails: true,
        pairs_high_bytes: true,
        lossy: &[],
        widest_encoder: encoding_rs::EUC_KR,
        decode_only: &[],
        two_byte: &TWO_BYTE[3],
    },
};

static GBK: Spec = Spec {
    name: "GBK",
    labels: "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk",
    is_unicode: false,
    codec: &chinese(encoding_rs::GBK, &TWO_BYTE[4]),
};

static GB18030: Spec = Spec {
    name: "gb18030",
    labels: "gb18030",
    is_unicode: false,
    codec: &chinese(encoding_rs::GB18030, &TWO_BYTE[5]),
};

/// GBK and gb18030 share their decoder (WHATWG 10.1.1); the encoder of gb18030 writes more.
const fn chinese(
    encoding: &'static encoding_rs::Encoding,
    two_byte: &'static TwoByteTable,
) -> MultiByte {
    MultiByte {
        encoding,
        sequence_len: gb18030,
        ends_sequence: gb_ends_sequence,
        has_ascii_trails: true,
        pairs_high_bytes: true,
        lossy: GB_LOSSY,
        widest_encoder: encoding_rs::GB18030,
        decode_only: GB_DECODE_ONLY,
        two_byte,
    }
}

static TWO_BYTE: [TwoByteTable; 6] = [const { TwoByteTable::new() }; 6];

/// Yen sign, overline and minus sign, which the encoders turn into backslash, tilde and full-width
/// hyphen-minus.
const JAPANESE_LOSSY: Lossy = &[
    '\u{A5}'..='\u{A5}',
    '\u{203E}'..='\u{203E}',
    '\u{2212}'..='\u{2212}',
];

/// Private-use characters to which GB 18030-2022 assigned other code points: their bytes decode to
/// those (WHATWG 11.2.2, the encoder's side table).
const GB_LOSSY: Lossy = &[
    '\u{E78D}'..='\u{E796}',
    '\u{E81E}'..='\u{E81E}',
    '\u{E826}'..='\u{E826}',
    '\u{E82B}'..='\u{E82C}',
    '\u{E832}'..='\u{E832}',
    '\u{E843}'..='\u{E843}',
    '\u{E854}'..='\u{E854}',
    '\u{E864}'..='\u{E864}',
];

/// A second ideographic space (index gb18030, pointer 6555).
const GB_DECODE_ONLY: DecodeOnly = &[(&[], 0xA3..=0xA3)];

//! The single-byte charsets of the WHATWG Encoding Standard and their labels (4.2). Data only.

use crate::codec::Spec;
use crate::single::{Single, Vietnamese};

/// Declares a [`Spec`] for each row; a row without a codec of its own decodes as `encoding_rs` does.
macro_rules! single_byte_charsets {
    ($($charset:ident $name:literal $labels:literal $($codec:expr)?;)*) => {
        $(pub(crate) static $charset: Spec = Spec {
            name: $name,
            labels: $labels,
            is_unicode: false,
            codec: codec_of!($charset $($codec)?),
        };)*
        pub(crate) static ALL: [&Spec; [$($name),*].len()] = [$(&$charset),*];
    };
}

macro_rules! codec_of {
    ($charset:ident $codec:expr) => {
        $codec
    };
    ($charset:ident) => {{
        static CODEC: Single = Single::new(encoding_rs::$charset);
        &CODEC
    }};
}

single_byte_charsets! {
    IBM866 "IBM866" "866 cp866 csibm866 ibm866";
    ISO_8859_10 "ISO-8859-10" "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6";
    ISO_8859_13 "ISO-8859-13" "iso-8859-13 iso8859-13 iso885913";
    ISO_8859_14 "ISO-8859-14" "iso-8859-14 iso8859-14 iso885914";
    ISO_8859_15 "ISO-8859-15" "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9";
    ISO_8859_16 "ISO-8859-16" "iso-8859-16";
    ISO_8859_2 "ISO-8859-2"
        "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2";
    ISO_8859_3 "ISO-8859-3"
        "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3";
    ISO_8859_4 "ISO-8859-4"
        "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4";
    ISO_8859_5 "ISO-8859-5"
        "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988";
    ISO_8859_6 "ISO-8859-6"
        "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e \
        iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987";
    ISO_8859_7 "ISO-8859-7"
        "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 \
        iso_8859-7:1987 sun_eu_greek";
    ISO_8859_8 "ISO-8859-8"
        "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 \
        iso_8859-8:1988 visual";
    ISO_8859_8_I "ISO-8859-8-I" "csiso88598i iso-8859-8-i logical";
    KOI8_R "KOI8-R" "cskoi8r koi koi8 koi8-r koi8_r";
    KOI8_U "KOI8-U" "koi8-ru koi8-u";
    MACINTOSH "macintosh" "csmacintosh mac macintosh x-mac-roman";
    WINDOWS_1250 "windows-1250" "cp1250 windows-1250 x-cp1250";
    WINDOWS_1251 "windows-1251" "cp1251 windows-1251 x-cp1251";
    WINDOWS_1252 "windows-1252"
        "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 \
        iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252";
    WINDOWS_1253 "windows-1253" "cp1253 windows-1253 x-cp1253";
    WINDOWS_1254 "windows-1254"
        "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 \
        windows-1254 x-cp1254";
    WINDOWS_1255 "windows-1255" "cp1255 windows-1255 x-cp1255";
    WINDOWS_1256 "windows-1256" "cp1256 windows-1256 x-cp1256";
    WINDOWS_1257 "windows-1257" "cp1257 windows-1257 x-cp1257";
    WINDOWS_1258 "windows-1258" "cp1258 windows-1258 x-cp1258" &Vietnamese;
    WINDOWS_874 "windows-874" "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874";
    X_MAC_CYRILLIC "x-mac-cyrillic" "x-mac-cyrillic x-mac-ukrainian";
    X_USER_DEFINED "x-user-defined" "x-user-defined";
}

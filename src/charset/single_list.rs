//! The single-byte charsets of the WHATWG Encoding Standard and their labels (4.2). Data only.

use super::single::Single;
use super::spec::Spec;
use encoding_rs as whatwg;

pub(super) static IBM866: Spec = Spec {
    name: "IBM866",
    labels: &["866", "cp866", "csibm866", "ibm866"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::IBM866);
        &CODEC
    },
};
pub(super) static ISO_8859_10: Spec = Spec {
    name: "ISO-8859-10",
    labels: &[
        "csisolatin6",
        "iso-8859-10",
        "iso-ir-157",
        "iso8859-10",
        "iso885910",
        "l6",
        "latin6",
    ],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_10);
        &CODEC
    },
};
pub(super) static ISO_8859_13: Spec = Spec {
    name: "ISO-8859-13",
    labels: &["iso-8859-13", "iso8859-13", "iso885913"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_13);
        &CODEC
    },
};
pub(super) static ISO_8859_14: Spec = Spec {
    name: "ISO-8859-14",
    labels: &["iso-8859-14", "iso8859-14", "iso885914"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_14);
        &CODEC
    },
};
pub(super) static ISO_8859_15: Spec = Spec {
    name: "ISO-8859-15",
    labels: &[
        "csisolatin9",
        "iso-8859-15",
        "iso8859-15",
        "iso885915",
        "iso_8859-15",
        "l9",
    ],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_15);
        &CODEC
    },
};
pub(super) static ISO_8859_16: Spec = Spec {
    name: "ISO-8859-16",
    labels: &["iso-8859-16"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_16);
        &CODEC
    },
};
pub(super) static ISO_8859_2: Spec = Spec {
    name: "ISO-8859-2",
    labels: &[
        "csisolatin2",
        "iso-8859-2",
        "iso-ir-101",
        "iso8859-2",
        "iso88592",
        "iso_8859-2",
        "iso_8859-2:1987",
        "l2",
        "latin2",
    ],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_2);
        &CODEC
    },
};
pub(super) static ISO_8859_3: Spec = Spec {
    name: "ISO-8859-3",
    labels: &[
        "csisolatin3",
        "iso-8859-3",
        "iso-ir-109",
        "iso8859-3",
        "iso88593",
        "iso_8859-3",
        "iso_8859-3:1988",
        "l3",
        "latin3",
    ],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_3);
        &CODEC
    },
};
pub(super) static ISO_8859_4: Spec = Spec {
    name: "ISO-8859-4",
    labels: &[
        "csisolatin4",
        "iso-8859-4",
        "iso-ir-110",
        "iso8859-4",
        "iso88594",
        "iso_8859-4",
        "iso_8859-4:1988",
        "l4",
        "latin4",
    ],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_4);
        &CODEC
    },
};
pub(super) static ISO_8859_5: Spec = Spec {
    name: "ISO-8859-5",
    labels: &[
        "csisolatincyrillic",
        "cyrillic",
        "iso-8859-5",
        "iso-ir-144",
        "iso8859-5",
        "iso88595",
        "iso_8859-5",
        "iso_8859-5:1988",
    ],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_5);
        &CODEC
    },
};
pub(super) static ISO_8859_6: Spec = Spec {
    name: "ISO-8859-6",
    labels: &[
        "arabic",
        "asmo-708",
        "csiso88596e",
        "csiso88596i",
        "csisolatinarabic",
        "ecma-114",
        "iso-8859-6",
        "iso-8859-6-e",
        "iso-8859-6-i",
        "iso-ir-127",
        "iso8859-6",
        "iso88596",
        "iso_8859-6",
        "iso_8859-6:1987",
    ],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_6);
        &CODEC
    },
};
pub(super) static ISO_8859_7: Spec = Spec {
    name: "ISO-8859-7",
    labels: &[
        "csisolatingreek",
        "ecma-118",
        "elot_928",
        "greek",
        "greek8",
        "iso-8859-7",
        "iso-ir-126",
        "iso8859-7",
        "iso88597",
        "iso_8859-7",
        "iso_8859-7:1987",
        "sun_eu_greek",
    ],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_7);
        &CODEC
    },
};
pub(super) static ISO_8859_8: Spec = Spec {
    name: "ISO-8859-8",
    labels: &[
        "csiso88598e",
        "csisolatinhebrew",
        "hebrew",
        "iso-8859-8",
        "iso-8859-8-e",
        "iso-ir-138",
        "iso8859-8",
        "iso88598",
        "iso_8859-8",
        "iso_8859-8:1988",
        "visual",
    ],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_8);
        &CODEC
    },
};
pub(super) static ISO_8859_8_I: Spec = Spec {
    name: "ISO-8859-8-I",
    labels: &["csiso88598i", "iso-8859-8-i", "logical"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::ISO_8859_8_I);
        &CODEC
    },
};
pub(super) static KOI8_R: Spec = Spec {
    name: "KOI8-R",
    labels: &["cskoi8r", "koi", "koi8", "koi8-r", "koi8_r"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::KOI8_R);
        &CODEC
    },
};
pub(super) static KOI8_U: Spec = Spec {
    name: "KOI8-U",
    labels: &["koi8-ru", "koi8-u"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::KOI8_U);
        &CODEC
    },
};
pub(super) static MACINTOSH: Spec = Spec {
    name: "macintosh",
    labels: &["csmacintosh", "mac", "macintosh", "x-mac-roman"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::MACINTOSH);
        &CODEC
    },
};
pub(super) static WINDOWS_1250: Spec = Spec {
    name: "windows-1250",
    labels: &["cp1250", "windows-1250", "x-cp1250"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::WINDOWS_1250);
        &CODEC
    },
};
pub(super) static WINDOWS_1251: Spec = Spec {
    name: "windows-1251",
    labels: &["cp1251", "windows-1251", "x-cp1251"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::WINDOWS_1251);
        &CODEC
    },
};
pub(super) static WINDOWS_1252: Spec = Spec {
    name: "windows-1252",
    labels: &[
        "ansi_x3.4-1968",
        "ascii",
        "cp1252",
        "cp819",
        "csisolatin1",
        "ibm819",
        "iso-8859-1",
        "iso-ir-100",
        "iso8859-1",
        "iso88591",
        "iso_8859-1",
        "iso_8859-1:1987",
        "l1",
        "latin1",
        "us-ascii",
        "windows-1252",
        "x-cp1252",
    ],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::WINDOWS_1252);
        &CODEC
    },
};
pub(super) static WINDOWS_1253: Spec = Spec {
    name: "windows-1253",
    labels: &["cp1253", "windows-1253", "x-cp1253"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::WINDOWS_1253);
        &CODEC
    },
};
pub(super) static WINDOWS_1254: Spec = Spec {
    name: "windows-1254",
    labels: &[
        "cp1254",
        "csisolatin5",
        "iso-8859-9",
        "iso-ir-148",
        "iso8859-9",
        "iso88599",
        "iso_8859-9",
        "iso_8859-9:1989",
        "l5",
        "latin5",
        "windows-1254",
        "x-cp1254",
    ],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::WINDOWS_1254);
        &CODEC
    },
};
pub(super) static WINDOWS_1255: Spec = Spec {
    name: "windows-1255",
    labels: &["cp1255", "windows-1255", "x-cp1255"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::WINDOWS_1255);
        &CODEC
    },
};
pub(super) static WINDOWS_1256: Spec = Spec {
    name: "windows-1256",
    labels: &["cp1256", "windows-1256", "x-cp1256"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::WINDOWS_1256);
        &CODEC
    },
};
pub(super) static WINDOWS_1257: Spec = Spec {
    name: "windows-1257",
    labels: &["cp1257", "windows-1257", "x-cp1257"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::WINDOWS_1257);
        &CODEC
    },
};
pub(super) static WINDOWS_1258: Spec = Spec {
    name: "windows-1258",
    labels: &["cp1258", "windows-1258", "x-cp1258"],
    unicode: false,
    codec: &super::single::Vietnamese,
};
pub(super) static WINDOWS_874: Spec = Spec {
    name: "windows-874",
    labels: &[
        "dos-874",
        "iso-8859-11",
        "iso8859-11",
        "iso885911",
        "tis-620",
        "windows-874",
    ],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::WINDOWS_874);
        &CODEC
    },
};
pub(super) static X_MAC_CYRILLIC: Spec = Spec {
    name: "x-mac-cyrillic",
    labels: &["x-mac-cyrillic", "x-mac-ukrainian"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::X_MAC_CYRILLIC);
        &CODEC
    },
};
pub(super) static X_USER_DEFINED: Spec = Spec {
    name: "x-user-defined",
    labels: &["x-user-defined"],
    unicode: false,
    codec: {
        static CODEC: Single = Single::new(whatwg::X_USER_DEFINED);
        &CODEC
    },
};

/// All of them.
pub(super) static ALL: [&Spec; 29] = [
    &IBM866,
    &ISO_8859_10,
    &ISO_8859_13,
    &ISO_8859_14,
    &ISO_8859_15,
    &ISO_8859_16,
    &ISO_8859_2,
    &ISO_8859_3,
    &ISO_8859_4,
    &ISO_8859_5,
    &ISO_8859_6,
    &ISO_8859_7,
    &ISO_8859_8,
    &ISO_8859_8_I,
    &KOI8_R,
    &KOI8_U,
    &MACINTOSH,
    &WINDOWS_1250,
    &WINDOWS_1251,
    &WINDOWS_1252,
    &WINDOWS_1253,
    &WINDOWS_1254,
    &WINDOWS_1255,
    &WINDOWS_1256,
    &WINDOWS_1257,
    &WINDOWS_1258,
    &WINDOWS_874,
    &X_MAC_CYRILLIC,
    &X_USER_DEFINED,
];

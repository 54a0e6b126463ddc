//! Names that the Encoding Standard does not list: those of `iconv`, of Windows' code pages, of
//! Python, Java and MySQL. Data only.
//!
//! Spellings that differ in case, punctuation or leading zeros from one here, or from a label of
//! the charset, need no row (see [`crate::label`]).

/// The name of a charset and its aliases, between spaces.
pub(crate) const ALIASES: &[(&str, &str)] = &[
    ("UTF-8", "cp65001 utf8mb3 utf8mb4 utf-8-sig csutf8"),
    (
        "UTF-16LE",
        "cp1200 utf16le windows-1200 csutf16le x-utf-16le",
    ),
    (
        "UTF-16BE",
        "cp1201 windows-1201 csutf16be ucs-2be x-utf-16be",
    ),
    ("UTF-32LE", "cp12000 csutf32le x-utf-32le"),
    ("UTF-32BE", "cp12001 csutf32be x-utf-32be"),
    (
        "ISO-2022-JP",
        "cp50220 cp50221 cp50222 iso-2022-jp-1 iso-2022-jp-ms jis windows-50220 windows-50221",
    ),
    ("IBM866", "windows-866 dos-866 alternativnyj"),
    ("ISO-8859-2", "cp28592 windows-28592 l2"),
    ("ISO-8859-3", "cp28593 windows-28593"),
    ("ISO-8859-4", "cp28594 windows-28594"),
    ("ISO-8859-5", "cp28595 windows-28595 cp915"),
    ("ISO-8859-6", "cp28596 windows-28596 cp1089"),
    ("ISO-8859-7", "cp28597 windows-28597 cp813"),
    ("ISO-8859-8", "cp28598 windows-28598 cp916"),
    ("ISO-8859-8-I", "cp38598 windows-38598"),
    ("ISO-8859-10", "cp28600 windows-28600"),
    ("ISO-8859-13", "cp28603 windows-28603 cp921 l7 latin7"),
    (
        "ISO-8859-14",
        "cp28604 windows-28604 iso-celtic iso-ir-199 l8 latin8",
    ),
    (
        "ISO-8859-15",
        "cp28605 windows-28605 cp923 latin9 latin0 iso-ir-203",
    ),
    (
        "ISO-8859-16",
        "cp28606 windows-28606 l10 latin10 iso-ir-226",
    ),
    ("KOI8-R", "cp20866 windows-20866 cp878"),
    ("KOI8-U", "cp21866 windows-21866"),
    ("macintosh", "cp10000 mac-roman macos-roman"),
    ("windows-1250", "ms-ee ms1250 win-1250"),
    ("windows-1251", "ms-cyrl ms1251 win-1251"),
    (
        "windows-1252",
        "cp28591 cp20127 ms-ansi ms1252 win-1252 us ansi windows-28591 iso-8859-1-windows-3.1-latin-1",
    ),
    ("windows-1253", "ms-greek ms1253 win-1253"),
    (
        "windows-1254",
        "cp28599 cp920 windows-28599 ms-turk ms1254 win-1254",
    ),
    ("windows-1255", "ms-hebr ms1255 win-1255"),
    ("windows-1256", "ms-arab ms1256 win-1256"),
    ("windows-1257", "winbaltrim ms1257 win-1257"),
    ("windows-1258", "ms1258 win-1258"),
    (
        "windows-874",
        "cp874 ibm874 ms874 win-874 tis620.2533 thai cp28601",
    ),
    (
        "x-mac-cyrillic",
        "cp10007 cp10017 mac-cyrillic mac-ukrainian mac-uk",
    ),
    (
        "Shift_JIS",
        "cp932 cp943 ibm943 932 ms-932 windows-932 mskanji",
    ),
    ("EUC-JP", "cp51932 cp20932 ujis euc-jp-ms windows-51932"),
    (
        "Big5",
        "950 cp950 ms950 windows-950 bigfive big-five cp951 big5-eten",
    ),
    (
        "EUC-KR",
        "949 cp949 ms949 uhc cp51949 windows-51949 ks-x-1001 wansung",
    ),
    (
        "GBK",
        "936 cp936 ms936 windows-936 euc-cn cp51936 windows-51936 x-euc-cn",
    ),
    (
        "gb18030",
        "cp54936 windows-54936 gb18030-2000 gb18030-2005 gb18030-2022",
    ),
    ("HZ-GB-2312", "hz cp52936 windows-52936 hz-gb"),
    ("ISO-2022-CN", "cp50227 windows-50227"),
    ("EUC-TW", "cp51950 windows-51950 cns11643"),
    ("ISO-2022-KR", "cp50225 windows-50225"),
    ("UTF-7", "x-utf-7 windows-65000"),
    ("IBM437", "windows-437 dos-437"),
    ("IBM850", "windows-850 dos-850"),
    ("IBM852", "windows-852 dos-852"),
    ("x-mac-ce", "mac-ce"),
];

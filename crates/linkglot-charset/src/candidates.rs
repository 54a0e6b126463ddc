//! The charsets that a document without a declaration may be in, how probable each is before its
//! bytes are read, and the languages that were written in it. Data only.

use crate::languages::Cost;

/// A charset that documents may be in.
pub(crate) struct Candidate {
    pub name: &'static str,
    /// Prior cost in half bits: the improbability before the document is read.
    pub prior: Cost,
    pub langs: &'static [&'static str],
}

const CYRILLIC: &[&str] = &["ru", "uk", "bg", "be", "sr", "mk"];
const RUSSIAN: &[&str] = &["ru", "uk", "be"];
const CENTRAL: &[&str] = &["cs", "pl", "hu", "sk", "ro", "hr", "sl", "de", "sq"];
const CENTRAL_DOS: &[&str] = &["cs", "pl", "hu", "sk", "ro", "hr", "sl"];
const SOUTH_EASTERN: &[&str] = &["ro", "pl", "hu", "hr", "sl", "fr", "de"];
/// Without Estonian and Welsh: a byte of one of their letters here is another likely letter in IBM775 or ISO-8859-14.
/// `mul` stands for the languages that the model does not know.
const WESTERN: &[&str] = &[
    "en", "fr", "de", "es", "it", "pt", "sv", "da", "fi", "nl", "nb", "is", "ca", "sq", "gl", "af",
    "ga", "br", "eu", "gd", "fo", "fur", "lb", "mul",
];
const AMERICAN: &[&str] = &["en", "fr", "de", "es", "it", "sv", "nl", "ca", "eu"];
const NORDIC: &[&str] = &["en", "da", "nb", "sv", "fi", "de", "is"];
const PORTUGUESE: &[&str] = &["pt", "en", "gl", "es"];
const CANADIAN: &[&str] = &["fr", "en"];
const BALTIC: &[&str] = &["lt", "lv", "et"];
const TURKISH: &[&str] = &["tr", "de", "en"];
const GREEK: &[&str] = &["el"];
const HEBREW: &[&str] = &["he"];
const ARABIC: &[&str] = &["ar", "fa"];

/// The shares of legacy charsets among the ten million most visited sites on 1 January 2010, as W3Techs counted them
/// ("Historical yearly trends in the usage statistics of character encodings for websites"): the earliest year, since
/// documents that declare nothing are old. ISO-8859-1 is windows-1252 and ISO-8859-9 windows-1254, as browsers read
/// them. Charsets below 0.2 %, which W3Techs does not count, are taken for 0.05 to 0.2 % where a language was written
/// in them, those of DOS and the Macintosh for 0.02 to 0.05 %, and hardly used ones for less.
pub(crate) const CANDIDATES: [Candidate; 66] = [
    candidate("windows-1252", 1, WESTERN),
    candidate("windows-1251", 7, CYRILLIC),
    candidate("GBK", 7, &["zh_CN"]),
    candidate("Shift_JIS", 8, &["ja"]),
    candidate("windows-1256", 11, ARABIC),
    candidate("windows-1254", 11, TURKISH),
    candidate("ISO-8859-2", 12, CENTRAL),
    candidate("EUC-JP", 12, &["ja"]),
    candidate("ISO-8859-15", 13, WESTERN),
    candidate("windows-1250", 14, CENTRAL),
    candidate("Big5", 14, &["zh_TW"]),
    candidate("EUC-TW", 24, &["zh_TW"]),
    candidate("EUC-KR", 15, &["ko"]),
    candidate("windows-874", 16, &["th"]),
    candidate("windows-1253", 18, GREEK),
    candidate("ISO-8859-7", 18, GREEK),
    candidate("windows-1255", 18, HEBREW),
    candidate("windows-1257", 18, BALTIC),
    // KOI8-U differs in the letters of Ukrainian alone: the more usual charset is named where none of them stands.
    candidate("KOI8-R", 18, CYRILLIC),
    candidate("KOI8-U", 19, CYRILLIC),
    candidate("windows-1258", 19, &["vi"]),
    candidate("ISO-8859-8", 20, HEBREW),
    candidate("ISO-8859-4", 22, BALTIC),
    candidate("ISO-8859-13", 22, BALTIC),
    candidate("ISO-8859-5", 22, CYRILLIC),
    candidate("ISO-8859-6", 22, ARABIC),
    candidate("ISO-8859-3", 24, &["eo", "mt"]),
    candidate(
        "ISO-8859-10",
        30,
        &["lt", "lv", "et", "is", "fi", "nb", "sv", "da"],
    ),
    candidate("ISO-8859-16", 30, SOUTH_EASTERN),
    candidate("IBM437", 23, AMERICAN),
    candidate("IBM850", 21, WESTERN),
    candidate("IBM852", 21, CENTRAL_DOS),
    candidate("IBM866", 20, CYRILLIC),
    candidate("macintosh", 21, WESTERN),
    candidate("x-mac-cyrillic", 22, CYRILLIC),
    candidate("x-mac-ce", 22, CENTRAL_DOS),
    candidate("IBM855", 22, CYRILLIC),
    candidate("IBM737", 22, GREEK),
    candidate("IBM775", 20, BALTIC),
    candidate("IBM857", 22, TURKISH),
    candidate("IBM862", 22, HEBREW),
    candidate("JOHAB", 22, &["ko"]),
    candidate("IBM865", 24, NORDIC),
    candidate("IBM860", 24, PORTUGUESE),
    candidate("IBM863", 24, CANADIAN),
    candidate("x-mac-greek", 26, GREEK),
    candidate("x-mac-turkish", 28, TURKISH),
    candidate("x-mac-romanian", 28, &["ro"]),
    candidate("x-mac-croatian", 28, &["hr", "sl"]),
    candidate("ISO-8859-14", 30, &["cy", "ga", "gd", "br", "en", "fr"]),
    candidate("IBM861", 24, NORDIC),
    candidate("IBM869", 24, GREEK),
    candidate("IBM720", 24, ARABIC),
    candidate("x-mac-icelandic", 28, &["is"]),
    candidate("CP1125", 26, RUSSIAN),
    candidate("KZ-1048", 32, &["kk"]),
    candidate("PTCP154", 32, &["kk"]),
    candidate("KOI8-T", 44, &["tg"]),
    candidate("VISCII", 24, &["vi-composed"]),
    candidate("TCVN", 24, &["vi-composed"]),
    candidate("ARMSCII-8", 24, &["hy"]),
    candidate("Georgian-PS", 24, &["ka"]),
    candidate("Georgian-Academy", 26, &["ka"]),
    // Languages that were hardly ever written in the charset. Estonian is as improbable in windows-1252 as in IBM775,
    // in which another likely letter has the byte of `õ`.
    candidate("windows-1252", 22, &["et"]),
    candidate("ISO-8859-13", 32, &["pl", "hr", "sl"]),
    candidate("ISO-8859-3", 32, &["tr"]),
];

const fn candidate(name: &'static str, prior: Cost, langs: &'static [&'static str]) -> Candidate {
    Candidate { name, prior, langs }
}

//! Names of charsets for readers that know other names than the Web: Python, the package inputenc of LaTeX, Windows.

use crate::charset::Charset;
use std::ops::Range;

/// The names that the reader of a declaration knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    /// The names of the Encoding Standard, and of IANA.
    Web,
    /// The codecs of Python, by which docutils reads, too.
    Python,
    /// The options of inputenc: the names of files with definitions.
    Inputenc,
    /// The numbers of code pages of Windows.
    CodePage,
}

/// A label in a declaration, and the names that its reader knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub place: Range<usize>,
    pub vocabulary: Vocabulary,
}

impl Label {
    /// A label of the Web.
    pub fn web(place: Range<usize>) -> Self {
        Label {
            place,
            vocabulary: Vocabulary::Web,
        }
    }
}

/// Names that Python knows as they stand.
const OF_PYTHON: &str = "\
    UTF-8 ISO-2022-JP IBM866 ISO-8859-10 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 ISO-8859-2 ISO-8859-3 \
    ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 KOI8-R KOI8-U macintosh windows-1250 windows-1251 \
    windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 Shift_JIS EUC-JP Big5 \
    EUC-KR GBK gb18030 IBM437 IBM775 IBM850 IBM852 IBM855 IBM857 IBM860 IBM861 IBM862 IBM863 IBM865 IBM869 CP1125 \
    KOI8-T PTCP154 KZ-1048 CP1006 HP-ROMAN8 PalmOS IBM864 IBM037 IBM500 IBM1026 IBM273 IBM424 HZ-GB-2312 ISO-2022-KR \
    ISO-2022-JP-1 ISO-2022-JP-2 ISO-2022-JP-3 ISO-2022-JP-2004 ISO-2022-JP-EXT JOHAB EUC-JISX0213 Shift_JISX0213 \
    UTF-7";

/// Codecs of Python for charsets whose names Python does not know.
const PYTHON: &[(&str, &str)] = &[
    ("ISO-8859-8-I", "iso8859-8"),
    ("windows-874", "cp874"),
    ("x-mac-cyrillic", "mac_cyrillic"),
    ("x-mac-ce", "mac_latin2"),
    ("x-mac-greek", "mac_greek"),
    ("x-mac-turkish", "mac_turkish"),
    ("x-mac-icelandic", "mac_iceland"),
    ("x-mac-croatian", "mac_croatian"),
    ("x-mac-romanian", "mac_romanian"),
    ("IBM720", "cp720"),
    ("IBM737", "cp737"),
    ("IBM00858", "cp858"),
    ("IBM856", "cp856"),
    ("IBM875", "cp875"),
];

/// Options of inputenc, its own and those of the bundles for Cyrillic, Greek and Hebrew.
const INPUTENC: &[(&str, &str)] = &[
    ("UTF-8", "utf8"),
    ("windows-1252", "cp1252"),
    ("windows-1250", "cp1250"),
    ("windows-1251", "cp1251"),
    ("windows-1255", "cp1255"),
    ("windows-1257", "cp1257"),
    ("ISO-8859-2", "latin2"),
    ("ISO-8859-3", "latin3"),
    ("ISO-8859-4", "latin4"),
    ("ISO-8859-5", "iso88595"),
    ("ISO-8859-7", "iso-8859-7"),
    ("ISO-8859-8", "8859-8"),
    ("ISO-8859-15", "latin9"),
    ("ISO-8859-16", "latin10"),
    ("KOI8-R", "koi8-r"),
    ("KOI8-U", "koi8-u"),
    ("macintosh", "applemac"),
    ("IBM437", "cp437"),
    ("IBM850", "cp850"),
    ("IBM852", "cp852"),
    ("IBM855", "cp855"),
    ("IBM00858", "cp858"),
    ("IBM865", "cp865"),
    ("IBM866", "cp866"),
];

/// Numbers of code pages.
const CODE_PAGES: &[(&str, &str)] = &[
    ("UTF-8", "65001"),
    ("IBM866", "866"),
    ("windows-874", "874"),
    ("Shift_JIS", "932"),
    ("GBK", "936"),
    ("EUC-KR", "949"),
    ("Big5", "950"),
    ("windows-1250", "1250"),
    ("windows-1251", "1251"),
    ("windows-1252", "1252"),
    ("windows-1253", "1253"),
    ("windows-1254", "1254"),
    ("windows-1255", "1255"),
    ("windows-1256", "1256"),
    ("windows-1257", "1257"),
    ("windows-1258", "1258"),
    ("macintosh", "10000"),
    ("KOI8-R", "20866"),
    ("KOI8-U", "21866"),
    ("ISO-8859-2", "28592"),
    ("ISO-8859-3", "28593"),
    ("ISO-8859-4", "28594"),
    ("ISO-8859-5", "28595"),
    ("ISO-8859-6", "28596"),
    ("ISO-8859-7", "28597"),
    ("ISO-8859-8", "28598"),
    ("ISO-8859-13", "28603"),
    ("ISO-8859-15", "28605"),
    ("gb18030", "54936"),
];

impl Vocabulary {
    /// The name of a charset; `None` if the reader has none.
    pub fn name(self, charset: Charset) -> Option<&'static str> {
        let name = declared_name(charset);
        let known = |names: &[(&str, &'static str)]| {
            let mut names = names.iter();
            let found = names.find(|(known, _)| *known == name);
            found.map(|(_, own)| *own)
        };
        match self {
            Vocabulary::Web => Some(name),
            Vocabulary::Python => {
                let mut names = OF_PYTHON.split(' ');
                known(PYTHON).or_else(|| names.any(|own| own == name).then_some(name))
            }
            Vocabulary::Inputenc => known(INPUTENC),
            Vocabulary::CodePage => known(CODE_PAGES),
        }
    }

    /// True if a label names another charset. One without a known charset names none.
    pub fn contradicts(self, label: &str, charset: Charset) -> bool {
        if self
            .name(charset)
            .is_some_and(|own| own.eq_ignore_ascii_case(label))
        {
            return false;
        }
        let named = match self {
            Vocabulary::CodePage => Charset::for_label(&format!("cp{label}")).ok(),
            Vocabulary::Inputenc => {
                let known = INPUTENC.iter().find(|(_, own)| *own == label);
                Charset::for_label(known.map_or(label, |(name, _)| name)).ok()
            }
            _ => Charset::for_label(label).ok(),
        };
        named.is_some_and(|named| named != charset)
    }
}

/// The name of a charset in declarations. The names of UTF-16 and UTF-32 leave the byte order to the mark.
fn declared_name(charset: Charset) -> &'static str {
    let name = charset.name();
    if charset.has_mark() {
        name.trim_end_matches("LE").trim_end_matches("BE")
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each name of a table is that of a charset, and a label of that charset where one reads it.
    #[test]
    fn tables_name_charsets() {
        for (vocabulary, table) in [
            (Vocabulary::Python, PYTHON),
            (Vocabulary::Inputenc, INPUTENC),
            (Vocabulary::CodePage, CODE_PAGES),
        ] {
            for (name, own) in table {
                let charset = Charset::for_label(name).unwrap();
                assert_eq!(charset.name(), *name, "{own}");
                assert_eq!(vocabulary.name(charset), Some(*own), "{name}");
                assert!(!vocabulary.contradicts(own, charset), "{own}");
            }
        }
    }

    #[test]
    fn names_of_python() {
        for name in OF_PYTHON.split(' ') {
            let charset = Charset::for_label(name).unwrap();
            assert_eq!(charset.name(), name);
            assert_eq!(Vocabulary::Python.name(charset), Some(name));
        }
        let other = Charset::for_label("x-user-defined").unwrap();
        assert_eq!(Vocabulary::Python.name(other), None);
    }

    #[test]
    fn contradictions() {
        let koi8 = Charset::for_label("koi8-r").unwrap();
        for (vocabulary, label, expected) in [
            (Vocabulary::Inputenc, "latin1", true),
            (Vocabulary::Inputenc, "applemac", true),
            (Vocabulary::Inputenc, "koi8-r", false),
            (Vocabulary::Inputenc, "myown", false),
            (Vocabulary::CodePage, "1251", true),
            (Vocabulary::CodePage, "20866", false),
            (Vocabulary::Python, "utf8", true),
            (Vocabulary::Python, "koi8_r", false),
        ] {
            assert_eq!(vocabulary.contradicts(label, koi8), expected, "{label}");
        }
        assert_eq!(
            Vocabulary::Inputenc.name(Charset::for_label("gbk").unwrap()),
            None
        );
    }
}

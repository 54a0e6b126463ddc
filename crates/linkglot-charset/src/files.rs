//! The big files of tables, which few documents need: those of rare charsets, and those of detection. They are in the
//! library or, with the feature `outside`, with the program.

#[cfg(feature = "outside")]
use std::sync::OnceLock;

/// A file of tables.
pub(crate) struct File {
    /// Its path in this crate.
    #[cfg(feature = "outside")]
    name: &'static str,
    #[cfg(feature = "outside")]
    text: OnceLock<String>,
    #[cfg(not(feature = "outside"))]
    text: &'static str,
}

/// The file with a path in this crate.
#[cfg(not(feature = "outside"))]
macro_rules! file {
    ($name:literal) => {
        crate::files::File::new(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/",
            $name
        )))
    };
}
#[cfg(feature = "outside")]
macro_rules! file {
    ($name:literal) => {
        crate::files::File::new($name)
    };
}
pub(crate) use file;

#[cfg(not(feature = "outside"))]
impl File {
    pub(crate) const fn new(text: &'static str) -> Self {
        File { text }
    }

    pub(crate) fn text(&'static self) -> &'static str {
        self.text
    }
}

#[cfg(feature = "outside")]
impl File {
    pub(crate) const fn new(name: &'static str) -> Self {
        let text = OnceLock::new();
        File { name, text }
    }

    pub(crate) fn text(&'static self) -> &'static str {
        let read = || READER.get().map(|read| read(self.name)).unwrap_or_default();
        self.text.get_or_init(read)
    }
}

#[cfg(feature = "outside")]
static READER: OnceLock<fn(&str) -> String> = OnceLock::new();

/// Sets the function that reads the files of tables which the feature `outside` leaves out of the library. It gets the
/// path of a file in this crate, such as `data/words.tsv` or `tables/cns_11643_1.txt`, when the file is first needed,
/// and returns its text. The first function that is set stays.
///
/// UTF-8, and charsets of the WHATWG Encoding Standard that a document declares, need none of these files. Without
/// their texts the characters of EUC-TW, ISO-2022-CN, JIS X 0213 and double-byte EBCDIC are malformed, and detection
/// knows no language.
///
/// ```
/// linkglot_charset::read_tables_with(|name| std::fs::read_to_string(name).unwrap_or_default());
/// ```
#[cfg(feature = "outside")]
pub fn read_tables_with(reader: fn(&str) -> String) {
    READER.get_or_init(|| reader);
}

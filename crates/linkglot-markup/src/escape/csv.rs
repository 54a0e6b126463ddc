//! Fields of CSV.

use super::{replaced, sql, verbatim};
use linkglot_charset::MappedText;

/// The style of a field.
///
/// ```
/// use linkglot_markup::{CsvStyle, Escaping};
///
/// let style = |is_quoted| Escaping::Csv(CsvStyle { delimiter: b',', is_quoted, is_head: false });
/// assert_eq!(style(true).unescape("a \"\"b\"\"").text(), "a \"b\"");
/// assert_eq!(style(true).escape("a,b", "", &|_| true).as_deref(), Some("a,b"));
/// assert_eq!(style(false).escape("a,b", "", &|_| true), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CsvStyle {
    /// The byte between fields.
    pub delimiter: u8,
    /// True if quotation marks stand around the field; two of them within it are one.
    pub is_quoted: bool,
    /// True in the rows that tell the delimiter of the document: no byte may arise there that may be one.
    pub is_head: bool,
}

/// The marks that may end a field, or tell the delimiter.
const MARKS: [u8; 7] = [b'"', b'\n', b'\r', b'\t', b'|', b';', b','];

impl CsvStyle {
    pub(super) fn unescape(self, raw: &str) -> MappedText<'_> {
        if self.is_quoted {
            replaced(raw, [b'"'; 2], sql::doubled)
        } else {
            MappedText::identity(raw)
        }
    }

    /// The number of each mark that has a meaning.
    pub(super) fn ends(self, raw: &str) -> [usize; MARKS.len()] {
        if self.is_quoted {
            let mut ends = [0; MARKS.len()];
            ends[0] = sql::quotes(raw.as_bytes(), b'"');
            return ends;
        }
        MARKS.map(|mark| {
            let is_mark = self.is_head || mark == self.delimiter || b"\"\n\r".contains(&mark);
            let bytes = raw.bytes();
            bytes.filter(|byte| is_mark && *byte == mark).count()
        })
    }

    /// Writes the inside of a field. A field without quotation marks gets none, so that a reader of another dialect
    /// reads the same.
    pub(super) fn write(self, text: &str, encodable: &dyn Fn(char) -> bool) -> Option<String> {
        if self.is_quoted {
            return verbatim(text, encodable, &[]).map(|text| text.replace('"', "\"\""));
        }
        let delimiter = char::from(self.delimiter);
        let banned = [delimiter, '"', '\n', '\r'];
        verbatim(text, encodable, &[]).filter(|text| !text.contains(banned))
    }
}

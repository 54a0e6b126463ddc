//! Declarations in dumps of databases: the statement that sets the charset of the connection.
//!
//! MySQL and MariaDB: `SET NAMES latin1`, also in a comment for a version (`/*!40101 SET NAMES utf8 */`). PostgreSQL:
//! `SET client_encoding = 'UTF8'`. The names are those of the databases.

use crate::charset::Charset;
use crate::prescan::{Declared, declarable};
use std::ops::Range;

/// Names of charsets in the manuals of MySQL (12.10) and PostgreSQL (24.3.1) that are no labels, with the labels.
const NAMES: &[(&str, &str)] = &[
    ("utf8mb4", "utf-8"),
    ("utf8mb3", "utf-8"),
    ("utf8", "utf-8"),
    ("unicode", "utf-8"),
    ("latin1", "windows-1252"),
    ("latin2", "iso-8859-2"),
    ("latin3", "iso-8859-3"),
    ("latin4", "iso-8859-4"),
    ("latin5", "windows-1254"),
    ("latin6", "iso-8859-10"),
    ("latin7", "iso-8859-13"),
    ("latin8", "iso-8859-14"),
    ("latin9", "iso-8859-15"),
    ("latin10", "iso-8859-16"),
    ("win866", "ibm866"),
    ("win874", "windows-874"),
    ("win1250", "windows-1250"),
    ("win1251", "windows-1251"),
    ("win1252", "windows-1252"),
    ("win1253", "windows-1253"),
    ("win1254", "windows-1254"),
    ("win1255", "windows-1255"),
    ("win1256", "windows-1256"),
    ("win1257", "windows-1257"),
    ("win1258", "windows-1258"),
    ("koi8r", "koi8-r"),
    ("koi8u", "koi8-u"),
    ("greek", "iso-8859-7"),
    ("hebrew", "iso-8859-8"),
    ("iso_8859_5", "iso-8859-5"),
    ("iso_8859_6", "iso-8859-6"),
    ("iso_8859_7", "iso-8859-7"),
    ("iso_8859_8", "iso-8859-8"),
    ("sjis", "shift_jis"),
    ("ujis", "euc-jp"),
    ("eucjpms", "euc-jp"),
    ("euc_jp", "euc-jp"),
    ("euckr", "euc-kr"),
    ("euc_kr", "euc-kr"),
    ("uhc", "euc-kr"),
    ("euc_cn", "gbk"),
    ("euc_tw", "euc-tw"),
    ("tis620", "windows-874"),
    ("macroman", "macintosh"),
    ("macce", "x-mac-ce"),
];

/// The charset that a dump declares. Names without a charset (`binary`, `SQL_ASCII`), and that of ASCII, declare
/// nothing.
pub(crate) fn declared(head: &[u8]) -> Option<Declared> {
    let label = label(head)?;
    let name = head[label.clone()].to_ascii_lowercase();
    if name == b"ascii" {
        return None;
    }
    let known = NAMES.iter().find(|(own, _)| own.as_bytes() == name);
    let declared = match known {
        Some((_, label)) => Declared::Charset(Charset::for_label(label).ok()?),
        None => declarable(&head[label])?,
    };
    matches!(declared, Declared::Charset(_)).then_some(declared)
}

/// The label in the first statement that sets the charset of the connection.
fn label(head: &[u8]) -> Option<Range<usize>> {
    let mut start = 0;
    for line in head.split_inclusive(|&byte| byte == b'\n') {
        if let Some(label) = of_line(line) {
            return Some(start + label.start..start + label.end);
        }
        start += line.len();
    }
    None
}

/// The label in a line that begins with the statement.
fn of_line(line: &[u8]) -> Option<Range<usize>> {
    let mut rest = line.trim_ascii_start();
    if let Some(comment) = rest.strip_prefix(b"/*!").or(rest.strip_prefix(b"/*M!")) {
        let digits = comment.iter().take_while(|byte| byte.is_ascii_digit());
        rest = comment[digits.count()..].trim_ascii_start();
    }
    rest = word(rest, b"set")?;
    rest = match word(rest, b"names") {
        Some(rest) => rest,
        None => {
            let rest = word(rest, b"client_encoding")?;
            let rest = rest.strip_prefix(b"=").or_else(|| word(rest, b"to"))?;
            rest.trim_ascii_start()
        }
    };
    rest = rest.strip_prefix(b"'").unwrap_or(rest);
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let length = rest.iter().take_while(is_part).count();
    let start = line.len() - rest.len();
    (length > 0).then_some(start..start + length)
}

/// The rest behind a word and the white space that follows it.
fn word<'h>(head: &'h [u8], word: &[u8]) -> Option<&'h [u8]> {
    let begin = head.get(..word.len())?;
    let rest = &head[word.len()..];
    let ends = rest
        .first()
        .is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'=');
    (begin.eq_ignore_ascii_case(word) && ends).then(|| rest.trim_ascii_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<&'static str> {
        match declared(text.as_bytes())? {
            Declared::Charset(charset) => Some(charset.name()),
            Declared::Unknown(_) => None,
        }
    }

    #[test]
    fn declarations_of_each_database() {
        for (text, expected) in [
            ("-- a\n/*!40101 SET NAMES latin1 */;\n", "windows-1252"),
            ("/*!50503 SET NAMES utf8mb4 */;", "UTF-8"),
            ("set names 'koi8r' collate 'koi8r_bin';", "KOI8-R"),
            ("SET client_encoding = 'WIN1251';\n", "windows-1251"),
            ("SET client_encoding TO 'UTF8';\n", "UTF-8"),
            ("SET NAMES big5;", "Big5"),
        ] {
            assert_eq!(of(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "SET NAMES ascii;",
            "-- SET NAMES latin1;",
            "SET NAMES binary;",
            "SET NAMES ",
            "SET client_encoding = 'SQL_ASCII';",
            "SET NAMESPACE latin1;",
            "INSERT INTO a VALUES ('SET NAMES latin1');",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn every_name_has_a_charset() {
        for (name, label) in NAMES {
            let charset = Charset::for_label(label).unwrap();
            assert_eq!(of(&format!("SET NAMES {name};")), Some(charset.name()));
        }
    }
}

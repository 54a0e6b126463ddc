//! Columns of tables in workbooks of Office Open XML: the text of a head is the name of its column (ISO/IEC 29500-1
//! 18.5.1.3), by which formulas refer to it, or that of a field, by which a pivot table finds it (18.10.1.3). Neither
//! may change alone.

use crate::format::Format;
use crate::link::{Settings, SlotReader, open};
use crate::markup::{Escaping, Place, Quote};
use crate::read::SlotRead;
use memchr::memmem;
use std::collections::HashSet;

/// The local names of the elements that name columns.
const COLUMNS: [&str; 2] = ["tableColumn", "cacheField"];

/// Collects the names of columns in a table of a workbook (`xl/tables/table1.xml`), or of the fields of a pivot table
/// (`xl/pivotCache/pivotCacheDefinition1.xml`), in the form in which [`Rewriter::columns`] compares them. Linear.
///
/// ```
/// use linkglot::rewrite::column_names;
///
/// let names = column_names(b"<tableColumns><tableColumn id=\"1\" name=\"a&amp;_x000a_b\"/></tableColumns>");
/// assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a&b"]);
/// ```
///
/// [`Rewriter::columns`]: super::Rewriter::columns
#[must_use]
pub fn column_names(table: &[u8]) -> HashSet<String> {
    let mut settings = Settings::default();
    settings.format = Some(Format::Xml);
    let (info, _) = open(table, true, &settings);
    let table = info.charset.decode(table);
    let tags = table.split('<').filter(|tag| {
        let name = tag.split([' ', '\t', '\r', '\n', '/', '>']).next();
        let local = name.and_then(|name| name.rsplit(':').next());
        local.is_some_and(|local| COLUMNS.contains(&local))
    });
    tags.flat_map(names).collect()
}

/// The values of attributes `name` of a tag.
fn names(tag: &str) -> impl Iterator<Item = String> {
    const NAME: &str = "name";
    memmem::find_iter(tag.as_bytes(), NAME).filter_map(move |at| {
        let (before, behind) = (&tag[..at], &tag[at + NAME.len()..]);
        let value = behind.trim_start().strip_prefix('=')?.trim_start();
        let quote = value
            .chars()
            .next()
            .filter(|first| "\"'".contains(*first))?;
        let raw = value[1..].split(quote).next()?;
        let name = Escaping::XmlAttribute(Quote::Double).unescape(raw);
        before
            .ends_with(|last: char| last.is_ascii_whitespace())
            .then(|| key(name.text()))
    })
}

/// True if the text of a slot is the name of a column, or may be a part of one.
pub(super) fn is_head(columns: &HashSet<String>, reader: &SlotReader, read: &SlotRead<'_>) -> bool {
    let Escaping::Runs(style) = read.slot.escaping else {
        return names_column(&read.slot.place);
    };
    if style.goes_on_before || style.goes_on_behind {
        return true;
    }
    let raw = &read.window.bytes[read.slot.range.clone()];
    let text = reader.charset.decode(raw);
    columns.contains(&key(read.slot.escaping.unescape(&text).text()))
}

/// True for the name in a table or in a pivot table.
fn names_column(place: &Place) -> bool {
    let element = place.element.as_deref().unwrap_or_default();
    let local = element.rsplit(':').next().unwrap_or_default();
    COLUMNS.contains(&local) && place.name.as_deref() == Some("name")
}

/// A text without what names and cells may write in two ways: white space, and characters as `_x000A_` (ISO/IEC 29500-1
/// 22.9.2.19).
fn key(text: &str) -> String {
    const LENGTH: usize = "_x000A_".len();
    let (mut key, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(first) = rest.chars().next() {
        let escape = rest.as_bytes().get(..LENGTH);
        if escape.is_some_and(is_escape) {
            rest = &rest[LENGTH..];
            continue;
        }
        if !first.is_whitespace() {
            key.push(first);
        }
        rest = &rest[first.len_utf8()..];
    }
    key
}

/// True for `_xHHHH_`.
fn is_escape(text: &[u8]) -> bool {
    matches!(text, [b'_', b'x', digits @ .., b'_'] if digits.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns() {
        let table = "<x:table name='T' displayName=\"T\"><x:tableColumns count='2'>\
            <x:tableColumn id='1' uniqueName='u' name = 'http://a.example/?a=1&amp;b=\"'/>\
            <x:tableColumn\n\tname=\"b&#10;c_x000D_\" dataDxfId='0'><f>name='d'</f></x:tableColumn>\
            <x:tableColumns name='e'/><tableColumn id='3'/><cacheField name='g'/><cacheFields name='h'/>\
            <tableColumn name='f";
        let mut names: Vec<_> = column_names(table.as_bytes()).into_iter().collect();
        names.sort();
        assert_eq!(names, ["bc", "f", "g", "http://a.example/?a=1&b=\""]);
    }

    #[test]
    fn charsets_of_tables() {
        let table = "\u{FEFF}<tableColumn name='é'/>";
        let wide: Vec<u8> = table.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let declared = b"<?xml version='1.0' encoding='iso-8859-1'?><tableColumn name='\xE9'/>";
        for table in [table.as_bytes(), &wide, declared] {
            assert!(column_names(table).contains("é"));
        }
    }

    #[test]
    fn keys() {
        for (text, expected) in [
            ("a b\n_x000a_c", "abc"),
            ("_x000_x", "_x000_x"),
            ("_xé00_", "_xé00_"),
            ("", ""),
        ] {
            assert_eq!(key(text), expected, "{text}");
        }
    }
}

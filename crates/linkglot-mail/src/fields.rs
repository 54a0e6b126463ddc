//! The header fields that hold links or text, and the places of references in them.
//!
//! The table is data (`fields.tsv`). The module must know neither the places of fields nor their charset.

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::LazyLock;

/// The table, one row a field.
const ROWS: &str = include_str!("fields.tsv");

/// The content of a field.
///
/// ```
/// use linkglot_mail::fields::{FieldKind, FieldSyntax, field_kind};
///
/// assert_eq!(field_kind(b"List-Archive"), FieldKind::Links(FieldSyntax::Angles));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldKind {
    /// Only references hold links.
    Links(FieldSyntax),
    /// Text that people read, with encoded words (RFC 2047).
    Text,
    /// Addresses, identifiers, traces, and other content without links to follow.
    Never,
}

/// The syntax of references in a field.
///
/// ```
/// use linkglot_mail::fields::{FieldSyntax, references};
///
/// let value = b" <https://a.example/,b> (see <c>), <mailto:d@a.example>";
/// let found = references(FieldSyntax::Angles, value);
/// assert_eq!(&value[found[0].clone()], b"https://a.example/,b");
/// assert_eq!(&value[found[1].clone()], b"mailto:d@a.example");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldSyntax {
    /// URLs in angle brackets, with commas and comments between them (RFC 2369 2). A value without brackets is one
    /// reference, unless it is `NO`.
    Angles,
    /// A single reference, which may be quoted or in angle brackets (RFC 2557 4.1, RFC 2110 4.2).
    Single,
    /// Links with parameters (RFC 8288 3); the parameter `anchor` is a reference, too.
    Link,
    /// A parameter `url` (OpenPGP).
    UrlParameter,
}

/// The content of the fields with this name, which may be in any case. A few comparisons, without allocation; the first
/// call reads the table.
///
/// Outside of the table, fields with `X-` are text, and other fields are not read.
///
/// ```
/// use linkglot_mail::fields::{FieldKind, field_kind};
///
/// assert_eq!(field_kind(b"subject"), FieldKind::Text);
/// assert_eq!(field_kind(b"Received"), FieldKind::Never);
/// assert_eq!(field_kind(b"X-Motto"), FieldKind::Text);
/// ```
pub fn field_kind(name: &[u8]) -> FieldKind {
    TABLE
        .row(name)
        .map_or_else(|| default_kind(name), |row| row.kind)
}

/// True if the fields with this name, in any case, record the way of a message or identify it: a host in them names
/// what was, so it stays when the host moves. A few comparisons, without allocation; the first call reads the table.
///
/// ```
/// use linkglot_mail::fields::is_record;
///
/// assert!(is_record(b"Message-ID") && is_record(b"received"));
/// assert!(!is_record(b"From") && !is_record(b"Subject"));
/// ```
pub fn is_record(name: &[u8]) -> bool {
    TABLE.row(name).is_some_and(|row| row.is_record)
}

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::of(ROWS));

fn default_kind(name: &[u8]) -> FieldKind {
    let prefix = name.get(..2).unwrap_or_default();
    if prefix.eq_ignore_ascii_case(b"x-") {
        FieldKind::Text
    } else {
        FieldKind::Never
    }
}

/// The table, by names in lower case.
struct Table {
    /// Names by length.
    names: Vec<Vec<(&'static str, Row)>>,
    /// Beginnings of names, all `x-`.
    prefixes: Vec<(&'static str, Row)>,
}

/// The columns of a row behind the name.
#[derive(Clone, Copy)]
struct Row {
    kind: FieldKind,
    is_record: bool,
}

/// The most bytes of a name in the table.
const LONGEST: usize = 48;

impl Table {
    fn of(rows: &'static str) -> Table {
        let mut table = Table {
            names: vec![Vec::new(); LONGEST + 1],
            prefixes: Vec::new(),
        };
        for (name, row) in rows.lines().filter_map(row) {
            match name.strip_suffix('*') {
                Some(prefix) => table.prefixes.push((prefix, row)),
                None => table.names[name.len()].push((name, row)),
            }
        }
        table
    }

    fn row(&self, name: &[u8]) -> Option<Row> {
        let mut lower = [0; LONGEST];
        let len = name.len().min(LONGEST);
        let lower = &mut lower[..len];
        lower.copy_from_slice(&name[..len]);
        lower.make_ascii_lowercase();
        let mut names = self.names[len].iter();
        let known = names.find(|(known, _)| known.as_bytes() == lower);
        if let Some((_, row)) = known.filter(|_| name.len() <= LONGEST) {
            return Some(*row);
        }
        if !lower.starts_with(b"x-") {
            return None;
        }
        let mut prefixes = self.prefixes.iter();
        let is_one = |(prefix, _): &&(&str, Row)| lower.starts_with(prefix.as_bytes());
        prefixes.find(is_one).map(|(_, row)| *row)
    }
}

/// The name and the other columns of a row. `None` for comments.
fn row(line: &'static str) -> Option<(&'static str, Row)> {
    let mut columns = line.split('\t');
    let name = columns.next().filter(|name| !name.starts_with('#'))?;
    let column = columns.next()?;
    let kind = match column {
        "angles" => FieldKind::Links(FieldSyntax::Angles),
        "single" => FieldKind::Links(FieldSyntax::Single),
        "link" => FieldKind::Links(FieldSyntax::Link),
        "url-parameter" => FieldKind::Links(FieldSyntax::UrlParameter),
        "text" => FieldKind::Text,
        _ => FieldKind::Never,
    };
    let is_record = column == "record";
    Some((name, Row { kind, is_record }))
}

/// The parts of a field's raw value that each hold one reference, in order and disjoint, in bytes. Blanks and line ends
/// inside of a part come from folds and do not belong to the reference (RFC 2557 4.4.2). Linear.
///
/// ```
/// use linkglot_mail::fields::{FieldSyntax, references};
///
/// assert_eq!(references(FieldSyntax::Single, b" \"http://a.example/\r\n b\""), [2..23]);
/// assert_eq!(references(FieldSyntax::Link, b"</a>; rel=next; title=\"<b>\""), [1..3]);
/// assert_eq!(references(FieldSyntax::UrlParameter, b"id=1; url=/key; preference=sign"), [10..14]);
/// ```
pub fn references(syntax: FieldSyntax, value: &[u8]) -> Vec<Range<usize>> {
    let mut found = match syntax {
        FieldSyntax::Angles if memchr::memchr(b'<', value).is_some() => {
            marked(value, Marks::Angles)
        }
        FieldSyntax::Angles => Vec::from_iter(bare(value)),
        FieldSyntax::Single => vec![unquoted(value, 0..value.len())],
        FieldSyntax::Link => marked(value, Marks::Link),
        FieldSyntax::UrlParameter => marked(value, Marks::UrlParameter),
    };
    found.retain(|range| !range.is_empty());
    found
}

/// The marks to look for between comments and quoted strings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    Angles,
    Link,
    UrlParameter,
}

/// The references of a value with brackets or parameters.
fn marked(value: &[u8], marks: Marks) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = value.get(at) {
        let parameter = match marks {
            Marks::Angles => None,
            Marks::Link => parameter(value, at, b"anchor"),
            Marks::UrlParameter => parameter(value, at, b"url"),
        };
        at = match (byte, parameter) {
            (_, Some(range)) => {
                let end = range.end;
                found.push(unquoted(value, range));
                end
            }
            (b'<', _) if marks != Marks::UrlParameter => {
                let end = position(value, at, b'>').unwrap_or(value.len());
                found.push(trimmed(value, at + 1..end));
                end
            }
            (b'(', _) if marks == Marks::Angles => comment_end(value, at),
            (b'"', _) => quoted_end(value, at),
            _ => at + 1,
        };
    }
    found
}

/// The value of the parameter `name`, if one begins at `at`.
fn parameter(value: &[u8], at: usize, name: &[u8]) -> Option<Range<usize>> {
    let before = value.get(..at)?.trim_ascii_end().last();
    let is_begin = matches!(before, None | Some(b';'));
    let behind = at + name.len();
    if !is_begin || !value.get(at..behind)?.eq_ignore_ascii_case(name) {
        return None;
    }
    let rest = value.get(behind..)?.trim_ascii_start().strip_prefix(b"=")?;
    let rest = rest.trim_ascii_start();
    let begin = value.len() - rest.len();
    let end = match rest.first() {
        Some(b'"') => quoted_end(value, begin),
        _ => {
            begin
                + rest
                    .iter()
                    .position(|byte| b";,".contains(byte))
                    .unwrap_or(rest.len())
        }
    };
    Some(begin..end)
}

/// The single reference of a value without brackets. A comment stands behind a blank.
fn bare(value: &[u8]) -> Option<Range<usize>> {
    let range = trimmed(value, 0..value.len());
    let text = value.get(range.clone())?;
    let has_scheme = memchr::memchr(b':', text).is_some();
    (has_scheme && !text.iter().any(|byte| b" \t".contains(byte))).then_some(range)
}

/// A range without the quotes, angle brackets and blanks around it.
fn unquoted(value: &[u8], range: Range<usize>) -> Range<usize> {
    let range = trimmed(value, range);
    match value.get(range.clone()).unwrap_or_default() {
        [b'"', .., b'"'] | [b'<', .., b'>'] => trimmed(value, range.start + 1..range.end - 1),
        _ => range,
    }
}

fn trimmed(value: &[u8], range: Range<usize>) -> Range<usize> {
    let text = value.get(range.clone()).unwrap_or_default();
    let behind = text.trim_ascii_start();
    let begin = range.start + text.len() - behind.len();
    begin..begin + behind.trim_ascii_end().len()
}

fn position(value: &[u8], from: usize, byte: u8) -> Option<usize> {
    memchr::memchr(byte, value.get(from..)?).map(|at| from + at)
}

/// The end of the comment that begins at `at` (RFC 5322 3.2.2).
fn comment_end(value: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(byte) = value.get(at) {
        match byte {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at.min(value.len())
}

/// The end of the quoted string that begins at `at`.
fn quoted_end(value: &[u8], mut at: usize) -> usize {
    at += 1;
    while let Some(byte) = value.get(at) {
        match byte {
            b'\\' => at += 1,
            b'"' => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at.min(value.len())
}

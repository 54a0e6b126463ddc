//! String literals of SQL, and fields of PostgreSQL's COPY.

use super::{Meaning, ReadEscape};

/// The style of a string literal.
///
/// ```
/// use linkglot_markup::{Backslash, Escaping, SqlStyle};
///
/// let style = SqlStyle::new(b'\'', Backslash::MySql);
/// assert_eq!(Escaping::SqlString(style).unescape(r"O\'Neill''s").text(), "O'Neill's");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SqlStyle {
    /// The quotation mark around the literal, `'` or `"`.
    pub quote: u8,
    /// The meaning of backslashes.
    pub backslash: Backslash,
    /// True if an operator or a function gives the beginning of the value.
    pub goes_on_before: bool,
    /// True if an operator or a function continues the value.
    pub goes_on_behind: bool,
    /// The characters that the database is known to keep.
    pub repertoire: Repertoire,
}

/// A set of characters that a database keeps, whatever the charset of the dump has: a database converts a literal to
/// the charset of its column, and what that lacks is an error or becomes `?` (MySQL 8.4 Reference Manual 12.3).
///
/// ```
/// use linkglot_markup::Repertoire;
///
/// assert!(Repertoire::Bmp.has('日') && !Repertoire::Bmp.has('😀'));
/// assert!(!Repertoire::Ascii.has('é'));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Repertoire {
    /// ASCII.
    Ascii,
    /// The Basic Multilingual Plane: MySQL's `utf8mb3`.
    Bmp,
    /// All characters.
    #[default]
    All,
}

impl Repertoire {
    /// True if the set has a character. O(1).
    pub fn has(self, ch: char) -> bool {
        match self {
            Repertoire::Ascii => ch.is_ascii(),
            Repertoire::Bmp => ch <= '\u{FFFF}',
            Repertoire::All => true,
        }
    }

    /// The characters that a document shares with a connection of MySQL in a charset: all, if the charset of MySQL is
    /// that of browsers. 45 to 2048 characters of the East Asian ones are others, and a few of `koi8u` and the like.
    pub(crate) fn of_connection(name: &[u8]) -> Self {
        const SAME: [&[u8]; 16] = [
            b"latin1",
            b"latin2",
            b"latin7",
            b"cp1250",
            b"cp1251",
            b"cp1256",
            b"cp1257",
            b"cp850",
            b"cp852",
            b"koi8r",
            b"euckr",
            b"cp932",
            b"macroman",
            b"macce",
            b"hebrew",
            b"binary",
        ];
        match Repertoire::of_mysql(name) {
            Repertoire::Ascii if SAME.contains(&name) => Repertoire::All,
            own => own,
        }
    }

    /// The characters that a document shares with a connection of PostgreSQL, whose columns have no charsets.
    pub(crate) fn of_postgresql(name: &[u8]) -> Self {
        const SAME: [&[u8]; 8] = [
            b"utf8",
            b"utf-8",
            b"unicode",
            b"koi8r",
            b"koi8",
            b"sjis",
            b"uhc",
            b"sql_ascii",
        ];
        const OTHER: [&[u8]; 2] = [b"latin1", b"latin5"];
        let is_single = [&b"latin"[..], b"win", b"iso_8859_"]
            .iter()
            .any(|begin| name.starts_with(begin));
        if SAME.contains(&name) || is_single && !OTHER.contains(&name) {
            Repertoire::All
        } else {
            Repertoire::Ascii
        }
    }

    /// The characters that a charset of MySQL has, by the name of the charset or of a collation (MySQL 8.4 Reference
    /// Manual 12.3.1); of charsets that are not Unicode, those that all of them have.
    pub(crate) fn of_mysql(name: &[u8]) -> Self {
        match charset_of(name).to_ascii_lowercase().as_slice() {
            b"utf8mb4" | b"utf16" | b"utf16le" | b"utf32" | b"gb18030" => Repertoire::All,
            b"utf8" | b"utf8mb3" | b"ucs2" => Repertoire::Bmp,
            _ => Repertoire::Ascii,
        }
    }
}

/// The meaning of a backslash in a string literal.
///
/// ```
/// use linkglot_markup::{Backslash, Escaping, SqlStyle};
///
/// let text = |backslash| Escaping::SqlString(SqlStyle::new(b'\'', backslash)).unescape(r"\x41").into_text();
/// assert_eq!(text(Backslash::Plain), r"\x41");
/// assert_eq!(text(Backslash::MySql), "x41");
/// assert_eq!(text(Backslash::Postgres), "A");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backslash {
    /// The database is unknown: read as itself.
    Unknown,
    /// Itself (standard SQL, SQLite).
    Plain,
    /// The escapes of MySQL and MariaDB (MySQL 8.4 Reference Manual 11.1.1).
    MySql,
    /// The escapes of PostgreSQL in `E''` (PostgreSQL 17, 4.1.2.2).
    Postgres,
}

/// The charset in the name of a collation of MySQL (`utf8mb4_bin`); the name of a charset has no underscore.
pub(crate) fn charset_of(name: &[u8]) -> &[u8] {
    let length = name.iter().position(|byte| *byte == b'_');
    &name[..length.unwrap_or(name.len())]
}

impl SqlStyle {
    /// The style of a literal that is a whole value.
    ///
    /// ```
    /// use linkglot_markup::{Backslash, SqlStyle};
    ///
    /// assert!(!SqlStyle::new(b'\'', Backslash::Plain).goes_on_behind);
    /// ```
    pub const fn new(quote: u8, backslash: Backslash) -> Self {
        SqlStyle {
            quote,
            backslash,
            goes_on_before: false,
            goes_on_behind: false,
            repertoire: Repertoire::All,
        }
    }

    /// The reader of escapes, and the bytes that they begin with.
    pub(super) fn reader(self) -> ([u8; 2], ReadEscape) {
        let quote = self.quote;
        match self.backslash {
            Backslash::Unknown | Backslash::Plain => ([quote; 2], doubled),
            Backslash::MySql => ([quote, b'\\'], mysql),
            Backslash::Postgres => ([quote, b'\\'], postgres),
        }
    }

    /// The number of quotation marks that would end a literal; a final backslash would escape the closing one, and a
    /// final mark would make two of it.
    pub(super) fn ends(self, raw: &str) -> usize {
        let bytes = raw.as_bytes();
        if !self.backslash.escapes() {
            return quotes(bytes, self.quote);
        }
        let (mut ends, mut at) = (0, 0);
        let find = |at| memchr::memchr2(self.quote, b'\\', bytes.get(at..).unwrap_or_default());
        while let Some(found) = find(at) {
            let next = bytes.get(at + found + 1);
            let is_end = match bytes[at + found] {
                b'\\' => next.is_none(),
                _ => next != Some(&self.quote),
            };
            ends += usize::from(is_end);
            at += found + 2;
        }
        ends
    }
}

/// The number of quotation marks that are not doubled.
pub(super) fn quotes(bytes: &[u8], quote: u8) -> usize {
    let (mut ends, mut at) = (0, 0);
    while let Some(found) = memchr::memchr(quote, bytes.get(at..).unwrap_or_default()) {
        at += found + 1;
        if bytes.get(at) == Some(&quote) {
            at += 1;
        } else {
            ends += 1;
        }
    }
    ends
}

impl Backslash {
    /// True if a backslash begins an escape.
    fn escapes(self) -> bool {
        matches!(self, Backslash::MySql | Backslash::Postgres)
    }
}

/// Reads a doubled quotation mark.
pub(super) fn doubled(at: &str) -> Option<(usize, Meaning)> {
    let bytes = at.as_bytes();
    let quote = bytes[0];
    (bytes.get(1) == Some(&quote)).then_some((2, Meaning::Char(char::from(quote))))
}

fn mysql(at: &str) -> Option<(usize, Meaning)> {
    if !at.starts_with('\\') {
        return doubled(at);
    }
    let next = at[1..].chars().next()?;
    let ch = match next {
        '0' => '\0',
        'b' => '\x08',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'Z' => '\x1A',
        // Patterns of LIKE need the backslash.
        '%' => return Some((2, Meaning::Text("\\%"))),
        '_' => return Some((2, Meaning::Text("\\_"))),
        other => other,
    };
    Some((1 + next.len_utf8(), Meaning::Char(ch)))
}

fn postgres(at: &str) -> Option<(usize, Meaning)> {
    if !at.starts_with('\\') {
        return doubled(at);
    }
    let next = at[1..].chars().next()?;
    let unicode = |digits: usize| {
        let hex = at.get(2..2 + digits)?;
        let is_hex = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = u32::from_str_radix(hex, 16).ok().filter(|_| is_hex)?;
        let ch = char::from_u32(code).unwrap_or('\u{FFFD}');
        Some((2 + digits, Meaning::Char(ch)))
    };
    match next {
        'u' => unicode(4),
        'U' => unicode(8),
        _ => octets(at),
    }
}

/// Reads an escape of `E''` or COPY: an octet in octal or hexadecimal digits, a control character, or any other
/// character as itself. An octet beyond ASCII is a part of an unknown character.
pub(super) fn octets(at: &str) -> Option<(usize, Meaning)> {
    let next = at[1..].chars().next()?;
    let digits = |from: usize, most: usize, radix: u32| {
        let digits = at.as_bytes().get(from..).unwrap_or_default().iter();
        let digits = digits.take(most);
        digits
            .take_while(|byte| char::from(**byte).is_digit(radix))
            .count()
    };
    let octet = |from: usize, length: usize, radix: u32| {
        let octet = u32::from_str_radix(&at[from..from + length], radix).unwrap_or(0xFF);
        let ch = match u8::try_from(octet & 0xFF) {
            Ok(byte) if byte.is_ascii() => char::from(byte),
            _ => '\u{FFFD}',
        };
        Some((from + length, Meaning::Char(ch)))
    };
    let ch = match next {
        'b' => '\x08',
        'f' => '\x0C',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0B',
        '0'..='7' => return octet(1, digits(1, 3, 8), 8),
        'x' if digits(2, 2, 16) > 0 => return octet(2, digits(2, 2, 16), 16),
        other => other,
    };
    Some((1 + next.len_utf8(), Meaning::Char(ch)))
}

/// Writes the inside of a literal. Quotation marks are escaped as in `old`, the raw text that is replaced.
pub(super) fn write(
    text: &str,
    old: &str,
    style: SqlStyle,
    encodable: &dyn Fn(char) -> bool,
) -> Option<String> {
    let escapes = style.backslash.escapes();
    let quote = char::from(style.quote);
    let has_escaped = escapes && old.contains(&format!("\\{quote}"));
    let mut out = String::with_capacity(text.len() + 8);
    for ch in text.chars() {
        match ch {
            '\0' => return None,
            '\\' if escapes => out.push_str("\\\\"),
            ch if ch == quote => {
                out.push(if has_escaped { '\\' } else { quote });
                out.push(quote);
            }
            ch if ch.is_ascii() || encodable(ch) => out.push(ch),
            _ => return None,
        }
    }
    Some(out)
}

/// Writes a field of COPY.
pub(super) fn write_field(text: &str, encodable: &dyn Fn(char) -> bool) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 8);
    for ch in text.chars() {
        match ch {
            '\0' => return None,
            '\\' => out.push_str("\\\\"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            ch if ch.is_ascii() || encodable(ch) => out.push(ch),
            _ => return None,
        }
    }
    Some(out)
}

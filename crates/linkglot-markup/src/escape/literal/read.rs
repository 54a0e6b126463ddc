//! The meaning of a backslash and what stands behind it.

use super::super::Meaning;
use super::super::json;
use super::Escapes;
use super::table::{Digits, Other, Table};

/// The reading of a backslash and the characters behind it.
pub(super) enum Read {
    /// An escape of so many bytes.
    Char(usize, char),
    /// The backslash stands for itself.
    Itself,
    /// The meaning is unknown, or an octet that is no character.
    Unknown,
}

/// The meaning of a backslash in a literal, and the length of the escape.
pub(super) fn escape(escapes: Escapes, quote: u8, at: &str) -> Option<(usize, Meaning)> {
    let joined = match escapes {
        Escapes::Yaml => joined_lines(at, &["\r\n", "\n"], &[' ', '\t']),
        Escapes::Properties => joined_lines(at, &["\r\n", "\n", "\r"], &[' ', '\t', '\x0C']),
        _ => None,
    };
    if let Some(length) = joined {
        return Some((length, Meaning::Text("")));
    }
    let quote = match escapes {
        Escapes::PhpSingle => b'\'',
        Escapes::PhpDouble if quote == b'`' => quote,
        Escapes::PhpDouble | Escapes::Toml | Escapes::Yaml => b'"',
        _ => 0,
    };
    meaning(escapes, quote, at)
}

/// The length of a backslash with the line end behind it, one of `ends`, and the blanks at the start of the next line.
fn joined_lines(at: &str, ends: &[&str], blanks: &[char]) -> Option<usize> {
    let behind = ends.iter().find_map(|end| at[1..].strip_prefix(end))?;
    Some(at.len() - behind.trim_start_matches(blanks).len())
}

pub(super) fn gettext(at: &str) -> Option<(usize, Meaning)> {
    if !at.starts_with('"') {
        return meaning(Escapes::Gettext, b'"', at);
    }
    match seam(at.as_bytes()) {
        Seam::Of(length) => Some((length, Meaning::Text(""))),
        Seam::Cut | Seam::None => None,
    }
}

/// The bytes between two pieces of a string of gettext, with their quotation marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seam {
    Of(usize),
    /// The bytes end before that is known.
    Cut,
    None,
}

/// The seam at a quotation mark: white space, in it perhaps the mark of an entry (`#~`), and the quotation mark of the
/// next piece.
pub(crate) fn seam(bytes: &[u8]) -> Seam {
    /// The longest seam.
    const LONGEST: usize = 256;
    /// The marks of entries that are not used any more, and of earlier ones. Any other `#` begins a comment.
    const MARKS: [&[u8]; 3] = [b"#~|", b"#~", b"#|"];
    let near = &bytes[..bytes.len().min(LONGEST)];
    let blanks = |from: usize| {
        let rest = near.get(from..).unwrap_or_default().iter();
        from + rest.take_while(|byte| byte.is_ascii_whitespace()).count()
    };
    let mut at = blanks(1);
    let rest = near.get(at..).unwrap_or_default();
    if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(mark)) {
        at = blanks(at + mark.len());
    } else if rest == b"#" && bytes.len() < LONGEST {
        return Seam::Cut;
    }
    match near.get(at) {
        Some(b'"') => Seam::Of(at + 1),
        None if bytes.len() < LONGEST => Seam::Cut,
        _ => Seam::None,
    }
}

/// The meaning of an escape; U+FFFD where it is unknown.
pub(super) fn meaning(escapes: Escapes, quote: u8, at: &str) -> Option<(usize, Meaning)> {
    match backslash(escapes, quote, at) {
        Read::Char(length, ch) => Some((length, Meaning::Char(ch))),
        Read::Unknown => Some((1, Meaning::Char(char::REPLACEMENT_CHARACTER))),
        Read::Itself => None,
    }
}

/// Reads the backslash at the beginning of a text.
pub(super) fn backslash(escapes: Escapes, quote: u8, at: &str) -> Read {
    let table = escapes.table();
    let Some(next) = at[1..].chars().next() else {
        return Read::Itself;
    };
    if escapes.is_raw_python() {
        return Read::Itself;
    }
    if next == '\\' || u32::from(next) == u32::from(quote) && quote != 0 {
        return Read::Char(2, next);
    }
    let letter = u8::try_from(next).unwrap_or(0);
    if let Some((_, ch)) = table.letters.iter().find(|(known, _)| *known == letter) {
        return Read::Char(2, *ch);
    }
    match letter {
        b'x' if table.hex.is_some() => return hex(table, at),
        b'u' if table.has_braces && at[2..].starts_with('{') => return braces(at),
        // Strings of these languages are UTF-16.
        b'u' if table.unicode == [(b'u', 4)] => return pair(at),
        b'0'..=b'9' if table.digits != Digits::None => return octal(table, at),
        _ => {}
    }
    if let Some((_, digits)) = table.unicode.iter().find(|(known, _)| *known == letter) {
        return code(at, 2, *digits);
    }
    match table.other {
        // A continued line joins its halves, which are read apart.
        _ if matches!(next, '\n' | '\r' | '\u{2028}' | '\u{2029}') => Read::Itself,
        Other::Dropped => Read::Char(1 + next.len_utf8(), next),
        Other::Kept => Read::Itself,
        Other::Malformed => Read::Unknown,
    }
}

/// `\xHH`: below U+0100 in JavaScript and TOML, an octet in PHP.
fn hex(table: &Table, at: &str) -> Read {
    let (least, most) = table.hex.unwrap_or((2, 2));
    let digits = at.as_bytes()[2..].iter().take(most);
    let digits = digits.take_while(|byte| byte.is_ascii_hexdigit()).count();
    if digits < least {
        return match table.other {
            Other::Kept => Read::Itself,
            _ => Read::Unknown,
        };
    }
    let is_octet = table.digits == Digits::Octal;
    let code = u32::from_str_radix(&at[2..2 + digits], 16).ok();
    let code = code.filter(|code| !is_octet || *code < 0x80);
    match code.and_then(char::from_u32) {
        Some(ch) => Read::Char(2 + digits, ch),
        None => Read::Unknown,
    }
}

fn octal(table: &Table, at: &str) -> Read {
    let digits = at.as_bytes()[1..].iter().take(3);
    let digits = digits
        .take_while(|byte| matches!(byte, b'0'..=b'7'))
        .count();
    let is_nul = at[1..].starts_with('0') && !at[2..].starts_with(|ch: char| ch.is_ascii_digit());
    match u8::from_str_radix(&at[1..1 + digits], 8) {
        Ok(octet) if table.digits == Digits::Octal && octet.is_ascii() => {
            Read::Char(1 + digits, char::from(octet))
        }
        Ok(octet) if table.digits == Digits::Character => Read::Char(1 + digits, char::from(octet)),
        Err(_) if table.digits == Digits::Octal && digits == 0 => Read::Itself,
        _ if table.digits == Digits::Nul && is_nul => Read::Char(2, '\0'),
        _ => Read::Unknown,
    }
}

/// `\u{...}`
fn braces(at: &str) -> Read {
    let inside = &at.as_bytes()[3..];
    let digits = inside.iter().take_while(|byte| byte.is_ascii_hexdigit());
    let digits = digits.count();
    let is_closed = inside.get(digits) == Some(&b'}');
    let code = u32::from_str_radix(&at[3..3 + digits], 16).ok();
    match code.and_then(char::from_u32).filter(|_| is_closed) {
        Some(ch) => Read::Char(4 + digits, ch),
        None => Read::Unknown,
    }
}

/// `\uXXXX`, perhaps a surrogate with its other half.
fn pair(at: &str) -> Read {
    match json::escape(at) {
        Some((length, Meaning::Char(ch))) => Read::Char(length, ch),
        _ => Read::Unknown,
    }
}

fn code(at: &str, from: usize, digits: usize) -> Read {
    let hex = at.get(from..from + digits);
    let hex = hex.filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let code = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok());
    match code.and_then(char::from_u32) {
        Some(ch) => Read::Char(from + digits, ch),
        None => Read::Unknown,
    }
}

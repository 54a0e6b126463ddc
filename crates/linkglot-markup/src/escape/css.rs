//! CSS escapes (CSS Syntax 3, sections 4.3.5 to 4.3.7 and 4.3.11).

use super::{Escaping, Meaning, Quote};

/// Reads an escape.
pub fn escape(at: &str) -> Option<(usize, Meaning)> {
    let rest = at.get(1..)?;
    let is_digit = u8::is_ascii_hexdigit;
    let digits = rest.bytes().take(6).take_while(is_digit).count();
    if digits == 0 {
        let ch = rest.chars().next()?;
        let newline = matches!(ch, '\n' | '\r' | '\x0C');
        return (!newline).then_some((1 + ch.len_utf8(), Meaning::Char(nul_replaced(ch))));
    }
    let value = u32::from_str_radix(&rest[..digits], 16).unwrap_or_default();
    let ch = char::from_u32(value).unwrap_or('\u{FFFD}');
    let space = space_length(&rest[digits..]);
    Some((1 + digits + space, Meaning::Char(nul_replaced(ch))))
}

/// Reads an escape in a string, where an escaped line end means nothing.
pub fn in_string(at: &str) -> Option<(usize, Meaning)> {
    escape(at).or_else(|| {
        let length = space_length(at.get(1..)?);
        (length > 0).then_some((1 + length, Meaning::Text("")))
    })
}

fn nul_replaced(ch: char) -> char {
    if ch == '\0' { '\u{FFFD}' } else { ch }
}

/// The length of the white space character at the beginning of `text`. CR LF counts as one.
fn space_length(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\t' | b'\n' | b'\x0C' | b'\r' | b' ', ..] => 1,
        _ => 0,
    }
}

/// Writes the inside of a string or of `url()`.
pub fn write(text: &str, escaping: Escaping, encodable: &dyn Fn(char) -> bool) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 8);
    for ch in text.chars() {
        match ch {
            '\0' => return None,
            // `<` because the style sheet may stand in an HTML element; controls because no url token may contain them.
            '<' | '\x01'..='\x1F' | '\x7F' => out.push_str(&format!("\\{:X} ", u32::from(ch))),
            '\\' => out.push_str("\\\\"),
            '"' if escaping != Escaping::CssString(Quote::Single) => out.push_str("\\\""),
            '\'' if escaping != Escaping::CssString(Quote::Double) => out.push_str("\\'"),
            ' ' | '(' | ')' if escaping == Escaping::CssUrl => out.extend(['\\', ch]),
            ch if encodable(ch) => out.push(ch),
            ch => out.push_str(&format!("\\{:X} ", u32::from(ch))),
        }
    }
    Some(out)
}

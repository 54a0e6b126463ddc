//! Character references of HTML (HTML standard 13.2.5.72 to 13.2.5.80).

use super::numeric::Numeric;
use super::style::Style;
use super::{Meaning, Quote, entities};

/// The place of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Attribute(Quote),
    Text,
}

/// Reads a reference by the rule for text.
pub fn text(at: &str) -> Option<(usize, Meaning)> {
    if let Some(number) = Numeric::at(at) {
        let length = number.length + usize::from(number.is_closed);
        return Some((length, Meaning::Char(code_point(number.value()))));
    }
    let (length, text) = entities::longest(at.get(1..)?)?;
    Some((1 + length, Meaning::Text(text)))
}

/// Reads a reference by the rule for attributes: a name without `;` is literal before `=`, letters and digits. NUL is
/// read as U+FFFD (13.2.5.36).
pub fn attribute(at: &str) -> Option<(usize, Meaning)> {
    if at.starts_with('\0') {
        return Some((1, Meaning::Char('\u{FFFD}')));
    }
    let (length, meaning) = text(at)?;
    let bytes = at.as_bytes();
    let is_open_name = bytes.get(1) != Some(&b'#') && bytes.get(length - 1) != Some(&b';');
    let is_literal_before = |&byte: &u8| byte == b'=' || byte.is_ascii_alphanumeric();
    let is_literal = is_open_name && bytes.get(length).is_some_and(is_literal_before);
    (!is_literal).then_some((length, meaning))
}

/// The character of a numeric reference (13.2.5.80).
fn code_point(value: u32) -> char {
    let value = match value {
        0 => 0xFFFD,
        0x80..=0x9F => u32::from(C1[value as usize - 0x80]),
        value => value,
    };
    char::from_u32(value).unwrap_or('\u{FFFD}')
}

/// The characters of `&#x80;` to `&#x9F;`, which are those of windows-1252.
const C1: [char; 32] = [
    '\u{20AC}', '\u{81}', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2C6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8D}', '\u{17D}', '\u{8F}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2DC}', '\u{2122}', '\u{161}', '\u{203A}', '\u{153}', '\u{9D}', '\u{17E}', '\u{178}',
];

/// Writes a text for a place.
pub fn write(
    text: &str,
    place: Place,
    style: &str,
    encodable: &dyn Fn(char) -> bool,
) -> Option<String> {
    if text.is_empty() && place == Place::Attribute(Quote::Unquoted) {
        return None;
    }
    let style = Style::of(style, self::text);
    let mut out = String::with_capacity(text.len() + 16);
    for (at, ch) in text.char_indices() {
        match ch {
            // NUL can be written neither raw nor as a reference.
            '\0' => return None,
            '&' if style.escapes_ampersand() || is_reference(&text[at..], place) => {
                style.push_named(&mut out, ch);
            }
            ch if must_escape(ch, at == 0, place) => style.push_named(&mut out, ch),
            ch if encodable(ch) => out.push(ch),
            ch if code_point(ch.into()) == ch => style.push_numeric(&mut out, ch),
            _ => return None,
        }
    }
    Some(out)
}

/// True if a raw `&` would begin a reference. In text, any characters may follow the new part.
fn is_reference(at: &str, place: Place) -> bool {
    match place {
        Place::Attribute(_) => attribute(at).is_some(),
        Place::Text => {
            let rest = &at[1..];
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'#';
            let is_open = rest.bytes().all(is_name);
            is_open && (rest.starts_with('#') || entities::may_begin(rest)) || text(at).is_some()
        }
    }
}

fn must_escape(ch: char, first: bool, place: Place) -> bool {
    match (place, ch) {
        // A raw CR is read as LF.
        (_, '\r') => true,
        (Place::Text, '<') => true,
        (Place::Text, _) => false,
        (Place::Attribute(Quote::Double), '"') => true,
        (Place::Attribute(Quote::Single), '\'') => true,
        (Place::Attribute(Quote::Unquoted), '"' | '\'') => first,
        (Place::Attribute(Quote::Unquoted), '\t' | '\n' | '\x0C' | ' ' | '>') => true,
        _ => false,
    }
}

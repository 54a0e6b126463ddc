//! Character references of HTML (HTML standard 13.2.5.72 to 13.2.5.80).

use super::style::Style;
use super::{Meaning, Quote, entities};

/// Where a text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Attribute(Quote),
    Text,
}

/// The reference at the begin of `at` by the rule for text.
pub fn text(at: &str) -> Option<(usize, Meaning)> {
    numeric(at).or_else(|| {
        let (length, text) = entities::longest(at.get(1..)?)?;
        Some((1 + length, Meaning::Text(text)))
    })
}

/// The reference at the begin of `at` by the rule for attributes: a name without `;` is literal before `=` and
/// letters and digits. NUL is read as U+FFFD (13.2.5.36).
pub fn attribute(at: &str) -> Option<(usize, Meaning)> {
    if at.starts_with('\0') {
        return Some((1, Meaning::Char('\u{FFFD}')));
    }
    let (length, meaning) = text(at)?;
    let bytes = at.as_bytes();
    let named = bytes.get(1) != Some(&b'#') && bytes.get(length - 1) != Some(&b';');
    let next = bytes.get(length).copied().unwrap_or_default();
    let literal = named && (next == b'=' || next.is_ascii_alphanumeric());
    (!literal).then_some((length, meaning))
}

fn numeric(at: &str) -> Option<(usize, Meaning)> {
    let digits = at.strip_prefix("&#")?;
    let (digits, radix, skip) = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 3),
        None => (digits, 10, 2),
    };
    let count = digits
        .bytes()
        .take_while(|b| char::from(*b).is_digit(radix));
    let count = count.count();
    if count == 0 {
        return None;
    }
    let value = digits[..count].chars().fold(0_u32, |value, digit| {
        let digit = digit.to_digit(radix).unwrap_or_default();
        value.saturating_mul(radix).saturating_add(digit)
    });
    let end = usize::from(digits[count..].starts_with(';'));
    Some((skip + count + end, Meaning::Char(code_point(value))))
}

/// 13.2.5.80: what a numeric reference means.
fn code_point(value: u32) -> char {
    let value = match value {
        0 => 0xFFFD,
        0x80..=0x9F => C1
            .get(value as usize - 0x80)
            .copied()
            .map_or(value, u32::from),
        value => value,
    };
    char::from_u32(value).unwrap_or('\u{FFFD}')
}

/// What `&#x80;` to `&#x9F;` mean: the characters of windows-1252.
const C1: [char; 32] = [
    '\u{20AC}', '\u{81}', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2C6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8D}', '\u{17D}', '\u{8F}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2DC}', '\u{2122}', '\u{161}', '\u{203A}', '\u{153}', '\u{9D}', '\u{17E}', '\u{178}',
];

/// Writes a text so that it can stand at a place.
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
            // Neither itself nor a reference to it means NUL.
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

/// Whether a raw `&` would begin a reference. In text what follows the written piece is not known.
fn is_reference(at: &str, place: Place) -> bool {
    match place {
        Place::Attribute(_) => attribute(at).is_some(),
        Place::Text => {
            let rest = &at[1..];
            let name = rest
                .bytes()
                .take_while(|b| b.is_ascii_alphanumeric() || *b == b'#');
            let open = name.count() == rest.len();
            open && (rest.starts_with('#') || entities::may_begin(rest)) || text(at).is_some()
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

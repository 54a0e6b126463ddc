//! Escapes of Markdown (CommonMark 2.4 and 2.5) and of reStructuredText (specification, "Escaping Mechanism").

use super::style::Style;
use super::{Escaping, Meaning, entities};
use crate::charset::MappedText;

/// The backslash escape or character reference at the begin of `at`.
pub fn markdown(at: &str) -> Option<(usize, Meaning)> {
    if let Some(rest) = at.strip_prefix('\\') {
        let ch = rest.chars().next().filter(char::is_ascii_punctuation)?;
        return Some((2, Meaning::Char(ch)));
    }
    numeric(at).or_else(|| {
        let (length, text) = entities::longest(at.get(1..)?)?;
        let closed = at.as_bytes().get(length) == Some(&b';');
        closed.then_some((1 + length, Meaning::Text(text)))
    })
}

/// A numeric reference: at most seven decimal or six hexadecimal digits, and a semicolon.
fn numeric(at: &str) -> Option<(usize, Meaning)> {
    let digits = at.strip_prefix("&#")?;
    let (digits, radix, most, skip) = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 6, 3),
        None => (digits, 10, 7, 2),
    };
    let is_digit = |byte: &u8| char::from(*byte).is_digit(radix);
    let count = digits.bytes().take(most + 1).take_while(is_digit).count();
    let fits = (1..=most).contains(&count) && digits[count..].starts_with(';');
    let digits = digits.get(..count).filter(|_| fits)?;
    let value = u32::from_str_radix(digits, radix).ok()?;
    let ch = char::from_u32(value).filter(|&ch| ch != '\0');
    let length = skip + digits.len() + 1;
    Some((length, Meaning::Char(ch.unwrap_or('\u{FFFD}'))))
}

/// Writes a destination so that no character of it has a meaning in a block, a table or a link: by a reference where a
/// backslash would not do (in a code span that is open before the link).
pub fn write_destination(
    text: &str,
    escaping: Escaping,
    style: &str,
    encodable: &dyn Fn(char) -> bool,
) -> Option<String> {
    let bare = escaping == Escaping::MarkdownBare;
    let balanced = is_balanced(text);
    let style = Style::of(style, markdown);
    let mut out = String::with_capacity(text.len() + 16);
    for (at, ch) in text.char_indices() {
        match ch {
            '\0' => return None,
            '&' if style.escapes_ampersand() || is_reference(&text[at..]) => {
                style.push_named(&mut out, ch);
            }
            '\\' => out.push_str("\\\\"),
            '<' | '>' => style.push_named(&mut out, ch),
            '`' | '|' => style.push_numeric(&mut out, ch),
            '(' | ')' if bare && !balanced => out.extend(['\\', ch]),
            ' ' if !bare => out.push(ch),
            ch if ch.is_ascii_control() || ch == ' ' => style.push_numeric(&mut out, ch),
            ch if encodable(ch) => out.push(ch),
            ch => style.push_numeric(&mut out, ch),
        }
    }
    Some(out)
}

/// Whether a raw `&` would begin a reference; what follows the written piece is not known.
fn is_reference(at: &str) -> bool {
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    let open = at.bytes().skip(1).all(|byte| name(&byte));
    open || markdown(at).is_some()
}

/// How deep the parentheses of a destination are nested that every reader of Markdown takes (CommonMark 6.3).
const NESTED: usize = 3;

fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'(' if depth == NESTED => return false,
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// The backslash escape at the begin of `at`; escaped white space is nothing.
pub fn rst(at: &str) -> Option<(usize, Meaning)> {
    let ch = at.strip_prefix('\\')?.chars().next()?;
    let length = 1 + ch.len_utf8();
    if ch.is_whitespace() {
        return Some((length, Meaning::Text("")));
    }
    Some((length, Meaning::Char(ch)))
}

/// The text of a reference: white space is left out, escaped white space is a space.
pub fn rst_reference(raw: &str) -> MappedText<'_> {
    let is_plain = |ch: char| ch != '\\' && !ch.is_whitespace();
    if raw.chars().all(is_plain) {
        return MappedText::identity(raw);
    }
    let mut mapped = MappedText::new();
    let mut at = 0;
    while let Some(ch) = raw[at..].chars().next() {
        let plain = raw[at..].find(|ch| !is_plain(ch)).unwrap_or(raw.len() - at);
        let escaped = raw[at + ch.len_utf8()..].chars().next();
        let end = match escaped {
            _ if plain > 0 => {
                mapped.push(&raw[at..at + plain], at..at + plain);
                at + plain
            }
            Some(escaped) if ch == '\\' => {
                let end = at + 1 + escaped.len_utf8();
                let meant = if escaped.is_whitespace() {
                    ' '
                } else {
                    escaped
                };
                mapped.push_unit(meant.encode_utf8(&mut [0; 4]), at..end);
                end
            }
            _ => at + ch.len_utf8(),
        };
        at = end;
    }
    mapped
}

/// Writes a reference; white space but for spaces cannot be written.
pub fn write_rst_reference(text: &str, encodable: &dyn Fn(char) -> bool) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 8);
    for ch in text.chars() {
        match ch {
            ' ' | '\\' | '`' | '<' | '>' => out.extend(['\\', ch]),
            ch if ch.is_whitespace() || ch.is_control() || !encodable(ch) => return None,
            ch => out.push(ch),
        }
    }
    Some(out)
}

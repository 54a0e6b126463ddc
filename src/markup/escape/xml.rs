//! References of XML (XML 1.0 section 4.1) that need no document type: predefined entities and numbers.

use super::style::Style;
use super::{Meaning, Quote};

/// The reference at the begin of `at`.
pub fn reference(at: &str) -> Option<(usize, Meaning)> {
    // The longest has seven digits of a number, and as many zeros before them as one likes.
    let body = at.get(1..)?;
    let count = body
        .bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'#');
    let count = count.count();
    if body.as_bytes().get(count) != Some(&b';') {
        return None;
    }
    let meaning = match &body[..count] {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        name => number(name.strip_prefix('#')?)?,
    };
    Some((count + 2, Meaning::Char(meaning)))
}

/// The same where the document type declares HTML's entities.
pub fn xhtml_reference(at: &str) -> Option<(usize, Meaning)> {
    reference(at).or_else(|| {
        let (length, text) = super::html_entity(at.get(1..)?)?;
        Some((1 + length, Meaning::Text(text)))
    })
}

/// Where in the value of an attribute the next reference may begin, or white space that is no plain space stands.
pub fn attribute_escape(raw: &[u8]) -> Option<usize> {
    raw.iter()
        .position(|byte| matches!(byte, b'&' | b'\t' | b'\n' | b'\r'))
}

/// The white space at the begin of `at`, which is read as a space in the value of an attribute (section 3.3.3); CR LF is one
/// line end (section 2.11).
pub fn space(at: &str) -> Option<(usize, Meaning)> {
    let length = match at.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\t' | b'\n' | b'\r', ..] => 1,
        _ => return None,
    };
    Some((length, Meaning::Char(' ')))
}

fn number(digits: &str) -> Option<char> {
    let (digits, radix) = match digits.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (digits, 10),
    };
    if digits.is_empty() {
        return None;
    }
    let value = digits.chars().try_fold(0_u32, |value, digit| {
        let digit = digit.to_digit(radix)?;
        Some(value.saturating_mul(radix).saturating_add(digit))
    })?;
    // XML 1.1 also has the other control characters, as references.
    char::from_u32(value).filter(|&ch| ch != '\0' && !matches!(ch, '\u{FFFE}' | '\u{FFFF}'))
}

/// The characters of XML 1.0 (production 2).
pub fn is_char(ch: char) -> bool {
    matches!(ch, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// Writes a text as character data (`None`) or as the value of an attribute.
pub fn write(
    text: &str,
    quote: Option<Quote>,
    style: &str,
    encodable: &dyn Fn(char) -> bool,
) -> Option<String> {
    if text.is_empty() && quote == Some(Quote::Unquoted) {
        return None;
    }
    let style = Style::of(style, reference);
    let mut out = String::with_capacity(text.len() + 16);
    for ch in text.chars() {
        match ch {
            ch if !is_char(ch) => return None,
            '&' | '<' => style.push_named(&mut out, ch),
            ch if must_escape(ch, quote) => style.push_named(&mut out, ch),
            ch if encodable(ch) => out.push(ch),
            ch => style.push_numeric(&mut out, ch),
        }
    }
    Some(out)
}

fn must_escape(ch: char, quote: Option<Quote>) -> bool {
    match (quote, ch) {
        // `]]>` and `?>`; and a quotation mark, wherever it stands, could end a value that was never closed.
        (_, '>' | '\r' | '"' | '\'') => true,
        (None, _) => false,
        // Raw white space of a value is read as spaces (section 3.3.3).
        (Some(_), '\t' | '\n') => true,
        (Some(Quote::Unquoted), ' ') => true,
        _ => false,
    }
}

//! References of XML (XML 1.0 section 4.1) that need no document type: numbers and predefined entities.

use super::numeric::Numeric;
use super::style::Style;
use super::{Meaning, Quote};

/// Reads a reference.
pub fn reference(at: &str) -> Option<(usize, Meaning)> {
    let (length, ch) = match Numeric::at(at) {
        Some(number) => (number.length, character(&number)?),
        None => predefined(at)?,
    };
    let is_closed = at.as_bytes().get(length) == Some(&b';');
    is_closed.then_some((length + 1, Meaning::Char(ch)))
}

/// The length of a reference to a predefined entity, without the semicolon, and its character.
fn predefined(at: &str) -> Option<(usize, char)> {
    const ENTITIES: [(&str, char); 5] = [
        ("&amp", '&'),
        ("&lt", '<'),
        ("&gt", '>'),
        ("&quot", '"'),
        ("&apos", '\''),
    ];
    let mut entities = ENTITIES.into_iter();
    let (name, ch) = entities.find(|(name, _)| at.starts_with(name))?;
    Some((name.len(), ch))
}

fn character(number: &Numeric<'_>) -> Option<char> {
    // XML 1.1 also has the other control characters, as references.
    let is_char = |ch: &char| !matches!(ch, '\0' | '\u{FFFE}' | '\u{FFFF}');
    let ch = char::from_u32(number.value()).filter(is_char)?;
    (!number.has_capital_x).then_some(ch)
}

/// Reads a reference where the document type declares the entities of HTML.
pub fn xhtml_reference(at: &str) -> Option<(usize, Meaning)> {
    reference(at).or_else(|| {
        let (length, text) = super::html_entity(at.get(1..)?)?;
        Some((1 + length, Meaning::Text(text)))
    })
}

/// The first position in an attribute value where a reference may begin, or where white space other than a space
/// stands.
pub fn find_in_attribute(raw: &[u8]) -> Option<usize> {
    raw.iter()
        .position(|byte| matches!(byte, b'&' | b'\t' | b'\n' | b'\r'))
}

/// Reads white space, which counts as a space in an attribute value (section 3.3.3). CR LF is one line end (section
/// 2.11).
pub fn space(at: &str) -> Option<(usize, Meaning)> {
    let length = match at.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\t' | b'\n' | b'\r', ..] => 1,
        _ => return None,
    };
    Some((length, Meaning::Char(' ')))
}

/// The characters of XML 1.0 (production 2).
pub fn is_char(ch: char) -> bool {
    matches!(ch, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// Writes character data (without a quote) or an attribute value.
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
        // `>` may complete `]]>` or `?>`. A quotation mark may end a value in front that was never closed.
        (_, '>' | '\r' | '"' | '\'') => true,
        (None, _) => false,
        // Raw white space of a value is read as spaces (section 3.3.3).
        (Some(_), '\t' | '\n') => true,
        (Some(Quote::Unquoted), ' ') => true,
        _ => false,
    }
}

//! Escapes of Markdown (CommonMark 2.4 and 2.5), of reStructuredText (specification, "Escaping Mechanism") and of
//! wikitext (MediaWiki's `Sanitizer::decodeCharReferences`).

use super::numeric::Numeric;
use super::style::Style;
use super::{Escaping, Meaning};
use linkglot_charset::MappedText;

/// Reads a backslash escape or a character reference of Markdown.
pub fn markdown(at: &str) -> Option<(usize, Meaning)> {
    if let Some(rest) = at.strip_prefix('\\') {
        let ch = rest.chars().next().filter(char::is_ascii_punctuation)?;
        return Some((2, Meaning::Char(ch)));
    }
    if let Some(number) = Numeric::at(at) {
        return number_of_markdown(&number);
    }
    let (length, text) = super::html_entity(at.get(1..)?)?;
    Some((1 + length, Meaning::Text(text)))
}

/// Reads an escape of Org: half of the backslashes in front of a bracket, or at the end, escape the next character
/// (`org-link-unescape`).
pub fn org(at: &str) -> Option<(usize, Meaning)> {
    /// More backslashes stand for themselves, so that time is linear.
    const MOST: usize = 64;
    let count = at
        .bytes()
        .take(MOST)
        .take_while(|byte| *byte == b'\\')
        .count();
    match (count, at.as_bytes().get(count)) {
        (1, Some(bracket @ (b'[' | b']'))) => Some((2, Meaning::Char(char::from(*bracket)))),
        (1, None) => Some((1, Meaning::Text(""))),
        (2.., None | Some(b'[' | b']')) => Some((2, Meaning::Char('\\'))),
        _ => None,
    }
}

/// Writes a target of Org.
pub fn write_org(text: &str, encodable: &dyn Fn(char) -> bool) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 8);
    for ch in text.chars() {
        match ch {
            '\\' => return None,
            // It would end a cell of a table.
            '|' => return None,
            ch if ch.is_whitespace() || ch.is_control() || !encodable(ch) => return None,
            '[' | ']' => out.extend(['\\', ch]),
            ch => out.push(ch),
        }
    }
    Some(out)
}

/// Reads a character reference of wikitext, which ends in a semicolon.
pub fn wikitext(at: &str) -> Option<(usize, Meaning)> {
    markdown(at).filter(|_| at.starts_with('&'))
}

/// Writes a link of wikitext. Marks that end links there cannot be written.
pub fn write_wikitext(text: &str, style: &str, encodable: &dyn Fn(char) -> bool) -> Option<String> {
    let style = Style::of(style, wikitext);
    let mut out = String::with_capacity(text.len() + 16);
    for (at, ch) in text.char_indices() {
        match ch {
            '&' if style.escapes_ampersand() || is_reference(&text[at..]) => {
                style.push_named(&mut out, ch);
            }
            '<' | '>' | '"' | '|' => return None,
            ch if ch.is_whitespace() || ch.is_control() || !encodable(ch) => return None,
            ch => out.push(ch),
        }
    }
    (!text.contains("''")).then_some(out)
}

/// Reads a numeric reference: at most seven decimal or six hexadecimal digits, and a semicolon.
fn number_of_markdown(number: &Numeric<'_>) -> Option<(usize, Meaning)> {
    let most_digits = if number.radix == 16 { 6 } else { 7 };
    let is_valid = number.is_closed && number.digits.len() <= most_digits;
    let ch = char::from_u32(number.value()).filter(|&ch| ch != '\0');
    is_valid.then_some((number.length + 1, Meaning::Char(ch.unwrap_or('\u{FFFD}'))))
}

/// Writes a destination of Markdown so that no character has a meaning in a block, a table or a link. A character that
/// could end a code span becomes a reference, since no backslash escapes it.
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

/// True if a raw `&` would begin a reference. Any characters may follow the new part.
fn is_reference(at: &str) -> bool {
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    let open = at.bytes().skip(1).all(|byte| name(&byte));
    open || markdown(at).is_some()
}

/// The depth of parentheses that every reader of Markdown accepts in a destination (CommonMark 6.3).
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

/// Reads a backslash escape of reStructuredText. Escaped white space means nothing.
pub fn rst(at: &str) -> Option<(usize, Meaning)> {
    let ch = at.strip_prefix('\\')?.chars().next()?;
    let length = 1 + ch.len_utf8();
    if ch.is_whitespace() {
        return Some((length, Meaning::Text("")));
    }
    Some((length, Meaning::Char(ch)))
}

/// The text of a reference in reStructuredText: white space is left out, escaped white space is a space.
pub fn rst_reference(raw: &str) -> MappedText<'_> {
    let is_plain = |ch: char| ch != '\\' && !ch.is_whitespace();
    if raw.chars().all(is_plain) {
        return MappedText::identity(raw);
    }
    let mut mapped = MappedText::new();
    let mut at = 0;
    while at < raw.len() {
        let rest = &raw[at..];
        let plain = rest.find(|ch| !is_plain(ch)).unwrap_or(rest.len());
        if plain > 0 {
            mapped.push(&rest[..plain], at..at + plain);
            at += plain;
            continue;
        }
        let mut chars = rest.chars();
        let (first, second) = (chars.next(), chars.next());
        let end = raw.len() - chars.as_str().len();
        match second {
            Some(escaped) if first == Some('\\') => {
                let ch = if escaped.is_whitespace() {
                    ' '
                } else {
                    escaped
                };
                mapped.push_unit(ch.encode_utf8(&mut [0; 4]), at..end);
                at = end;
            }
            _ => at += first.map_or(0, char::len_utf8),
        }
    }
    mapped
}

/// Writes a reference of reStructuredText. White space other than spaces cannot be written.
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

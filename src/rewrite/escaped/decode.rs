//! Decodes the escapes of string literals that languages agree on: C, Java, JavaScript, JSON, PHP, Python and Rust; and
//! the escapes of RTF and TeX.

use std::ops::Range;

/// The escapes that are decoded already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    /// Escapes of ASCII punctuation, as in Markdown.
    Punctuation,
}

/// A text with decoded escapes.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    pub text: String,
    /// The link; `None` if it begins or ends within an escape.
    pub link: Option<Range<usize>>,
    /// True if an escape stands in the link, directly in front of it or directly behind it.
    pub is_touched: bool,
    /// True if an escape stands in the link.
    pub is_within: bool,
    /// Octets that are not decoded yet.
    octets: Vec<u8>,
}

impl Decoded {
    fn push(&mut self, text: &str) {
        self.flush();
        self.text.push_str(text);
    }

    /// Decodes octets as UTF-8, or else as Latin-1.
    fn flush(&mut self) {
        if self.octets.is_empty() {
            return;
        }
        match std::str::from_utf8(&self.octets) {
            Ok(text) => self.text.push_str(text),
            Err(_) => {
                let latin = self.octets.iter().map(|&octet| char::from(octet));
                self.text.extend(latin);
            }
        }
        self.octets.clear();
    }

    /// The position of the next character.
    fn position(&mut self) -> usize {
        self.flush();
        self.text.len()
    }

    fn add(&mut self, value: Value) {
        match value {
            Value::Char(ch) => self.push(ch.encode_utf8(&mut [0; 4])),
            Value::Octet(octet) if octet.is_ascii() => {
                self.push(char::from(octet).encode_utf8(&mut [0; 4]))
            }
            Value::Octet(octet) => self.octets.push(octet),
        }
    }
}

/// Decodes the escapes of a text around a link.
pub(super) fn decode(text: &str, link: &Range<usize>, known: Known) -> Decoded {
    let mut decoded = Decoded {
        text: String::with_capacity(text.len()),
        ..Decoded::default()
    };
    let (mut start, mut end) = (None, None);
    let mut at = 0;
    while at < text.len() {
        if at == link.start {
            start = Some(decoded.position());
        }
        if at == link.end {
            end = Some(decoded.position());
        }
        let rest = &text[at..];
        let Some(escape) = Escape::at(rest) else {
            let edges = [link.start, link.end];
            let edge = edges.into_iter().filter(|&edge| edge > at).min();
            let plain = plain_len(rest).min(edge.unwrap_or(text.len()) - at);
            decoded.push(&rest[..plain]);
            at += plain;
            continue;
        };
        let behind = at + escape.length;
        if !(known == Known::Punctuation && escape.is_punctuation) {
            decoded.is_touched |= at <= link.end && link.start <= behind;
            decoded.is_within |= at < link.end && link.start < behind;
        }
        decoded.add(escape.value);
        at = behind;
    }
    if at == link.end {
        end = Some(decoded.position());
    }
    decoded.flush();
    decoded.link = start.zip(end).map(|(start, end)| start..end);
    decoded
}

/// The length of the backslashes and the other characters that a text without an escape at its start begins with.
fn plain_len(text: &str) -> usize {
    let backslashes = text.len() - text.trim_start_matches('\\').len();
    let others = memchr::memchr(b'\\', &text.as_bytes()[backslashes..]);
    others.map_or(text.len(), |others| backslashes + others)
}

/// The meaning of an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Char(char),
    /// An octet of some charset.
    Octet(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Escape {
    /// The length in bytes, with the backslashes.
    length: usize,
    value: Value,
    /// True if the escape stands for the character that it contains.
    is_punctuation: bool,
}

impl Escape {
    /// The escape at the start of a text. Literals in literals have more backslashes. Other escapes are not decoded:
    /// they end links anyway (`\b`), or belong to patterns (`\w`, `\(`) and paths.
    fn at(text: &str) -> Option<Escape> {
        let behind = text.trim_start_matches('\\');
        let backslashes = text.len() - behind.len();
        let first = behind.chars().next().filter(|_| backslashes > 0)?;
        let (length, value) = Escape::of_literal(behind, first)?;
        Some(Escape {
            length: backslashes + length,
            value,
            is_punctuation: first.is_ascii_punctuation() && length == 1,
        })
    }

    /// The length and value of an escape, behind its backslash.
    fn of_literal(behind: &str, first: char) -> Option<(usize, Value)> {
        match first {
            'n' => Some((1, Value::Char('\n'))),
            'r' => Some((1, Value::Char('\r'))),
            't' => Some((1, Value::Char('\t'))),
            'u' => braces(behind)
                .or_else(|| unit(behind))
                .or_else(|| Escape::of_rtf(behind)),
            'U' => number(behind, 1..9, 16),
            'x' => braces(behind).or_else(|| octet(behind, 1..3, 16)),
            '0'..='3' => octet(behind, 0..3, 8),
            // A name, which has spaces, stands for a character that does not matter.
            'N' if behind.starts_with("N{") => Some((2, Value::Char('\u{e9}'))),
            '"' | '\'' | '`' | '<' | '>' | '/' | '.' | '-' | '_' | '~' | '%' | '#' | '&' | '='
            | '+' | '?' | ':' | '@' | '!' | '$' | ',' | ';' => Some((1, Value::Char(first))),
            _ => None,
        }
    }

    /// Decodes `\u233` of RTF and its substitute character.
    fn of_rtf(behind: &str) -> Option<(usize, Value)> {
        let signed = behind.strip_prefix('u')?;
        let digits = signed.strip_prefix('-').unwrap_or(signed);
        let length = digits
            .bytes()
            .take(5)
            .take_while(u8::is_ascii_digit)
            .count();
        let code: i32 = digits[..length].parse().ok()?;
        let code = if signed.len() > digits.len() {
            0x1_0000 - code
        } else {
            code
        };
        let length = behind.len() - digits.len() + length;
        let substitute = behind[length..].chars().next().filter(|ch| *ch == '?');
        let ch = char::from_u32(code as u32).unwrap_or(char::REPLACEMENT_CHARACTER);
        Some((
            length + substitute.map_or(0, char::len_utf8),
            Value::Char(ch),
        ))
    }
}

/// The number that hexadecimal or octal digits give.
fn digits(text: &str, range: Range<usize>, radix: u32) -> Option<u32> {
    let digits = text.get(range)?;
    let are_digits = digits.chars().all(|ch| ch.is_digit(radix));
    u32::from_str_radix(digits, radix)
        .ok()
        .filter(|_| are_digits)
}

fn number(text: &str, range: Range<usize>, radix: u32) -> Option<(usize, Value)> {
    let ch = char::from_u32(digits(text, range.clone(), radix)?);
    Some((
        range.end,
        Value::Char(ch.unwrap_or(char::REPLACEMENT_CHARACTER)),
    ))
}

fn octet(text: &str, range: Range<usize>, radix: u32) -> Option<(usize, Value)> {
    let octet = u8::try_from(digits(text, range.clone(), radix)?).ok()?;
    Some((range.end, Value::Octet(octet)))
}

/// Decodes `u{e9}`, `x{e9}`.
fn braces(text: &str) -> Option<(usize, Value)> {
    let end = text.get(1..)?.strip_prefix('{')?.find('}')? + 2;
    let (_, value) = number(text, 2..end, 16)?;
    Some((end + 1, value))
}

/// Decodes `u00e9`, or a pair of surrogates.
fn unit(text: &str) -> Option<(usize, Value)> {
    let high = digits(text, 1..5, 16)?;
    let behind = text.get(5..)?;
    let low = match behind.trim_start_matches('\\') {
        low if low.len() < behind.len() && low.starts_with('u') => digits(low, 1..5, 16),
        _ => None,
    };
    match (high, low) {
        (0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) => {
            let ch = char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))?;
            let backslashes = behind.len() - behind.trim_start_matches('\\').len();
            Some((5 + backslashes + 5, Value::Char(ch)))
        }
        _ => number(text, 1..5, 16),
    }
}

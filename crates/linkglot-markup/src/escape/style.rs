//! The style in which a document writes character references.

use super::{Meaning, ReadEscape};

/// The way in which raw text writes references.
#[derive(Clone, Copy, Debug)]
pub struct Style<'s> {
    raw: &'s str,
    read: ReadEscape,
    digits: Digits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digits {
    Decimal,
    UpperHex,
    LowerHex,
}

impl<'s> Style<'s> {
    /// The style of raw text; `read` reads its references.
    pub fn of(raw: &'s str, read: ReadEscape) -> Self {
        Style {
            raw,
            read,
            digits: digits(raw),
        }
    }

    /// True if `&` is escaped even where a raw `&` would do.
    pub fn escapes_ampersand(&self) -> bool {
        self.seen('&').is_some()
    }

    /// The first reference to a character in the raw text, as written there.
    fn seen(&self, ch: char) -> Option<&'s str> {
        let starts = memchr::memchr_iter(b'&', self.raw.as_bytes());
        let mut spelled = starts.filter_map(|at| {
            let (length, meaning) = (self.read)(&self.raw[at..])?;
            let same = match meaning {
                Meaning::Char(found) => found == ch,
                Meaning::Text(text) => text.chars().eq([ch]),
            };
            let spelling = self.raw.get(at..at + length)?;
            (same && spelling.ends_with(';')).then_some(spelling)
        });
        spelled.next()
    }

    /// Writes a reference to a character as the raw text does, or else by its usual name or number.
    pub fn push_named(&self, out: &mut String, ch: char) {
        let usual = match ch {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            // `&apos;` is unknown to HTML 4.
            '\'' => "&#39;",
            _ => return self.push_numeric(out, ch),
        };
        out.push_str(self.seen(ch).unwrap_or(usual));
    }

    /// Writes a numeric reference.
    pub fn push_numeric(&self, out: &mut String, ch: char) {
        let number = u32::from(ch);
        out.push_str(&match self.digits {
            Digits::Decimal => format!("&#{number};"),
            Digits::UpperHex => format!("&#x{number:X};"),
            Digits::LowerHex => format!("&#x{number:x};"),
        });
    }
}

/// The digits of the first numeric references that show their kind. Upper-case hexadecimal without such references.
fn digits(raw: &str) -> Digits {
    for at in memchr::memchr_iter(b'&', raw.as_bytes()) {
        let Some(digits) = raw.as_bytes()[at..].strip_prefix(b"&#") else {
            continue;
        };
        let Some((b'x' | b'X', digits)) = digits.split_first() else {
            return Digits::Decimal;
        };
        let hex = digits.iter().take(6).take_while(|b| b.is_ascii_hexdigit());
        match hex.copied().find(u8::is_ascii_alphabetic) {
            Some(letter) if letter.is_ascii_lowercase() => return Digits::LowerHex,
            Some(_) => return Digits::UpperHex,
            None => {}
        }
    }
    Digits::UpperHex
}

//! JSON escapes (RFC 8259 section 7).

use super::Meaning;

/// Reads an escape. An unpaired surrogate is U+FFFD.
pub fn escape(at: &str) -> Option<(usize, Meaning)> {
    let ch = match at.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\x08',
        b'f' => '\x0C',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(at),
        _ => return None,
    };
    Some((2, Meaning::Char(ch)))
}

fn unicode(at: &str) -> Option<(usize, Meaning)> {
    let first = unit(at)?;
    if let Some(ch) = char::from_u32(first) {
        return Some((6, Meaning::Char(ch)));
    }
    let pair = at.get(6..).and_then(unit).and_then(|second| {
        let units = [first as u16, second as u16];
        char::decode_utf16(units).next()?.ok()
    });
    Some(match pair {
        Some(ch) => (12, Meaning::Char(ch)),
        None => (6, Meaning::Char('\u{FFFD}')),
    })
}

/// The code unit of a `\uXXXX`.
fn unit(at: &str) -> Option<u32> {
    let digits = at.strip_prefix("\\u")?.get(..4)?;
    let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    hex.then(|| u32::from_str_radix(digits, 16).ok())?
}

/// Writes the inside of a string.
pub fn write(text: &str, style: &str, encodable: &dyn Fn(char) -> bool) -> Option<String> {
    let slash = style.contains("\\/");
    let units = UnitStyle::of(style);
    let mut out = String::with_capacity(text.len() + 8);
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '/' if slash => out.push_str("\\/"),
            // `<` because the string may stand in a script element.
            '<' | '\0'..='\x1F' => units.push(&mut out, ch),
            ch if ch.is_ascii() || !units.ascii && encodable(ch) => out.push(ch),
            ch => units.push(&mut out, ch),
        }
    }
    Some(out)
}

/// The style in which a text writes `\uXXXX`.
struct UnitStyle {
    /// True if the digits are in lower case.
    lower: bool,
    /// True if every character beyond ASCII is escaped.
    ascii: bool,
}

impl UnitStyle {
    fn of(style: &str) -> UnitStyle {
        let units = style.match_indices("\\u").filter_map(|(at, _)| {
            let digits = style.get(at + 2..at + 6)?;
            Some((digits, unit(style.get(at..)?)?))
        });
        let (mut lower, mut ascii) = (None, false);
        for (digits, unit) in units {
            let letter = digits.bytes().find(u8::is_ascii_alphabetic);
            lower = lower.or(letter.map(|letter| letter.is_ascii_lowercase()));
            ascii |= unit >= 0x80;
        }
        UnitStyle {
            lower: lower.unwrap_or(false),
            ascii: ascii && style.is_ascii(),
        }
    }

    fn push(&self, out: &mut String, ch: char) {
        for unit in ch.encode_utf16(&mut [0; 2]) {
            out.push_str(&if self.lower {
                format!("\\u{unit:04x}")
            } else {
                format!("\\u{unit:04X}")
            });
        }
    }
}

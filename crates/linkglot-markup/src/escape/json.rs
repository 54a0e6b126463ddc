//! JSON escapes (RFC 8259 section 7).

use super::{Meaning, replaced};
use linkglot_charset::MappedText;

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

/// Reads an escape, or the bytes between two strings of a list.
fn escape_in_list(at: &str) -> Option<(usize, Meaning)> {
    let Some(behind) = at.strip_prefix('"') else {
        return escape(at);
    };
    let next = behind.trim_ascii_start().strip_prefix(',')?;
    let next = next.trim_ascii_start().strip_prefix('"')?;
    Some((at.len() - next.len(), Meaning::Text("")))
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

/// The position of the quote that closes a string whose inside begins at `from`: the first one behind no backslash.
/// Backslashes must be characters of their own.
pub(crate) fn string_end(bytes: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let at = from + memchr::memchr2(b'"', b'\\', bytes.get(from..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        from = at + 2;
    }
}

/// The style of a string, as far as the link in it does not show it.
///
/// ```
/// use linkglot_markup::{Escaping, JsonStyle};
///
/// let mut style = JsonStyle::UNKNOWN;
/// style.read(br"caf\u00e9 \/");
/// let written = Escaping::JsonString(style).escape("/\u{fc}", "", &|_| true);
/// assert_eq!(written.as_deref(), Some(r"\/\u00fc"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct JsonStyle {
    /// True if `/` is written as `\/`.
    escapes_slashes: bool,
    /// True if a character beyond ASCII is written as an escape.
    has_escapes: bool,
    /// True if a character beyond ASCII is written as it is.
    has_letters: bool,
    /// True if the digits of escapes are in lower case, `None` if no digit shows it.
    is_lower: Option<bool>,
    /// True for a list of strings that are one text.
    is_list: bool,
}

impl JsonStyle {
    /// The style of a document that has shown none.
    pub const UNKNOWN: JsonStyle = JsonStyle {
        escapes_slashes: false,
        has_escapes: false,
        has_letters: false,
        is_lower: None,
        is_list: false,
    };

    /// The style of a list of strings that are one text. The bytes between two of them stand for nothing.
    ///
    /// ```
    /// use linkglot_markup::{Escaping, JsonStyle};
    ///
    /// let list = Escaping::JsonString(JsonStyle::UNKNOWN.of_list());
    /// assert_eq!(list.unescape(r#"a\n", "b"#).text(), "a\nb");
    /// ```
    #[must_use]
    pub fn of_list(self) -> Self {
        JsonStyle {
            is_list: true,
            ..self
        }
    }

    /// The text of raw strings.
    pub(super) fn unescape(self, raw: &str) -> MappedText<'_> {
        if self.is_list {
            replaced(raw, [b'\\', b'"'], escape_in_list)
        } else {
            replaced(raw, [b'\\'; 2], escape)
        }
    }

    /// Reads one more string of a document that had this style so far, given its raw inside; returns the style in which
    /// links in the string are written. Linear.
    ///
    /// ```
    /// use linkglot_markup::JsonStyle;
    ///
    /// let mut style = JsonStyle::UNKNOWN;
    /// style.read(br"\u00e9");
    /// let before = style;
    /// assert_eq!(style.read(b"a"), before);
    /// assert_ne!(style.read("é".as_bytes()), before);
    /// ```
    pub fn read(&mut self, raw: &[u8]) -> Self {
        let own = JsonStyle::of(raw);
        let within = own.or(*self, raw);
        self.escapes_slashes = within.escapes_slashes;
        self.has_escapes |= own.has_escapes;
        self.has_letters |= own.has_letters;
        self.is_lower = within.is_lower;
        within
    }

    /// The style of a string in a document that had another style so far.
    fn or(self, before: JsonStyle, raw: &[u8]) -> Self {
        let shows_letters = self.has_letters || self.has_escapes;
        let letters = if shows_letters { self } else { before };
        let has_slash = || memchr::memchr(b'/', raw).is_some();
        JsonStyle {
            escapes_slashes: self.escapes_slashes || before.escapes_slashes && !has_slash(),
            is_lower: self.is_lower.or(before.is_lower),
            ..letters
        }
    }

    fn of(raw: &[u8]) -> Self {
        let mut style = JsonStyle {
            has_letters: !raw.is_ascii(),
            ..JsonStyle::default()
        };
        let mut is_escaped = false;
        let mut behind = 0;
        for at in memchr::memchr_iter(b'\\', raw) {
            // An escaped backslash escapes no slash, but the letters of JSON in the string.
            is_escaped = at == behind && at > 0 && !is_escaped;
            behind = at + 1;
            style.escapes_slashes |= !is_escaped && raw.get(at + 1) == Some(&b'/');
            let digits = raw.get(at + 2..at + 6).filter(|_| raw[at + 1] == b'u');
            let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
            let Some(digits) = digits else { continue };
            let letter = digits.iter().find(|digit| digit.is_ascii_alphabetic());
            style.is_lower = style.is_lower.or(letter.map(u8::is_ascii_lowercase));
            style.has_escapes |= !(digits.starts_with(b"00") && digits[2] < b'8');
        }
        style
    }

    /// The style of a link, given its raw text; what the link does not show, the string around it tells.
    pub(super) fn within(raw: &str, around: JsonStyle) -> Self {
        JsonStyle::of(raw.as_bytes()).or(around, raw.as_bytes())
    }

    /// True if `/` is written as `\/`.
    pub(super) fn escapes_slashes(self) -> bool {
        self.escapes_slashes
    }

    /// True if characters beyond ASCII are written as escapes.
    pub(super) fn escapes_letters(self) -> bool {
        self.has_escapes && !self.has_letters
    }

    /// True if a character beyond ASCII is written as it is.
    pub(super) fn shows_letters(self) -> bool {
        self.has_letters
    }

    /// Appends the escapes of a character.
    pub(super) fn push(self, out: &mut String, ch: char) {
        for unit in ch.encode_utf16(&mut [0; 2]) {
            out.push_str(&if self.is_lower == Some(true) {
                format!("\\u{unit:04x}")
            } else {
                format!("\\u{unit:04X}")
            });
        }
    }
}

/// Writes the inside of a string. What `style`, the raw text that is replaced, does not show, `around` tells.
pub fn write(
    text: &str,
    style: &str,
    around: JsonStyle,
    encodable: &dyn Fn(char) -> bool,
) -> Option<String> {
    let style = JsonStyle::within(style, around);
    let mut out = String::with_capacity(text.len() + 8);
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '/' if style.escapes_slashes => out.push_str("\\/"),
            // `<` because the string may stand in a script element.
            '<' | '\0'..='\x1F' => style.push(&mut out, ch),
            ch if ch.is_ascii() || !style.escapes_letters() && encodable(ch) => out.push(ch),
            ch => style.push(&mut out, ch),
        }
    }
    Some(out)
}

//! Escapes of content lines: of TEXT values (RFC 5545 3.3.11, RFC 6350 3.4) and of parameter values (RFC 6868), and
//! quoted-printable of vCard 2.1 and vCalendar 1.0.

use super::Meaning;
use linkglot_charset::span::TextSpan;
use linkglot_charset::{Charset, KnownBytes, MappedText};
use std::sync::LazyLock;

/// The charset of octets in quoted-printable, which the parameter `CHARSET` names.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{Escaping, QuotedCharset};
///
/// let latin = QuotedCharset::of(Charset::WINDOWS_1252).unwrap();
/// assert_eq!(Escaping::ContentQuoted(latin).unescape("caf=E9").text(), "café");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QuotedCharset {
    charset: u8,
    /// The number of the characters that can be written, see [`KnownBytes::of_number`].
    known: u8,
}

static CHARSETS: LazyLock<Vec<Charset>> = LazyLock::new(|| Charset::all().collect());

impl QuotedCharset {
    /// Stores a charset in one byte, so that an [`Escaping`](crate::Escaping) stays small; `None` if the number of the
    /// charset is too large.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::QuotedCharset;
    ///
    /// assert!(QuotedCharset::of(Charset::UTF_8).is_some_and(|quoted| quoted.charset() == Charset::UTF_8));
    /// ```
    pub fn of(charset: Charset) -> Option<Self> {
        let at = CHARSETS.iter().position(|known| *known == charset)?;
        let charset = u8::try_from(at).ok()?;
        let known = KnownBytes::number_of_label("utf-8");
        Some(QuotedCharset { charset, known })
    }

    /// Writes only characters that the charset has for readers that take this label as it stands.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{Escaping, QuotedCharset};
    ///
    /// let latin = QuotedCharset::of(Charset::WINDOWS_1252).unwrap().labelled("iso-8859-1");
    /// let write = |text| Escaping::ContentQuoted(latin).escape(text, "", &|_| true);
    /// assert_eq!(write("é").as_deref(), Some("=E9"));
    /// assert_eq!(write("€"), None);
    /// ```
    pub fn labelled(self, label: &str) -> Self {
        let known = KnownBytes::number_of_label(label);
        QuotedCharset { known, ..self }
    }

    /// The charset.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::QuotedCharset;
    ///
    /// let latin = QuotedCharset::of(Charset::WINDOWS_1252).unwrap();
    /// assert_eq!(latin.charset().name(), "windows-1252");
    /// ```
    pub fn charset(self) -> Charset {
        CHARSETS
            .get(usize::from(self.charset))
            .copied()
            .unwrap_or(Charset::UTF_8)
    }
}

/// Reads an escape of TEXT. vCard 3 also escapes the colon (RFC 2426 section 5 allows it, section 4 does not ask for
/// it).
pub fn text(at: &str) -> Option<(usize, Meaning)> {
    let ch = match at.as_bytes().get(1)? {
        b'n' | b'N' => '\n',
        byte @ (b'\\' | b',' | b';' | b':') => char::from(*byte),
        _ => return None,
    };
    Some((2, Meaning::Char(ch)))
}

/// Reads an escape of a list, in which an unescaped separator ends a line of the text.
pub fn list(at: &str) -> Option<(usize, Meaning)> {
    match at.as_bytes().first()? {
        b',' | b';' => Some((1, Meaning::Char('\n'))),
        _ => text(at),
    }
}

/// Reads an escape in the value of a URI, which has no escapes by the standards.
pub fn uri(at: &str) -> Option<(usize, Meaning)> {
    text(at).filter(|(_, meaning)| *meaning != Meaning::Char('\n'))
}

/// Reads an escape of a parameter's value (RFC 6868 3.2).
pub fn parameter(at: &str) -> Option<(usize, Meaning)> {
    let ch = match at.as_bytes().get(1)? {
        b'n' => '\n',
        b'\'' => '"',
        b'^' => '^',
        _ => return None,
    };
    Some((2, Meaning::Char(ch)))
}

/// True if a value writes a character bare, so that new text may do the same.
fn is_bare(style: &str, ch: char) -> bool {
    let (mut bare, mut escaped, mut chars) = (false, false, style.chars());
    while let Some(next) = chars.next() {
        match next {
            '\\' => escaped |= chars.next() == Some(ch),
            next => bare |= next == ch,
        }
    }
    bare && !escaped
}

/// Writes TEXT: commas and semicolons as in the value, escaped if the value has none.
pub fn write_text(
    text: &str,
    style: &str,
    is_list: bool,
    encodable: &dyn Fn(char) -> bool,
) -> Option<String> {
    let [comma, semicolon] = [',', ';'].map(|ch| is_list || !is_bare(style, ch));
    let colon = style.contains("\\:") && !is_bare(style, ':');
    let mut out = String::with_capacity(text.len() + 8);
    for ch in text.chars() {
        match ch {
            '\n' if !is_list => out.push_str("\\n"),
            '\\' => out.push_str("\\\\"),
            ',' if comma => out.push_str("\\,"),
            ';' if semicolon => out.push_str("\\;"),
            ':' if colon => out.push_str("\\:"),
            ch if ch.is_control() || !encodable(ch) => return None,
            ch => out.push(ch),
        }
    }
    Some(out)
}

/// Writes a URI: a character is escaped if the value escapes it.
pub fn write_uri(text: &str, style: &str, encodable: &dyn Fn(char) -> bool) -> Option<String> {
    let escaped = |ch: char| {
        let pair: String = ['\\', ch].iter().collect();
        style.contains(&pair) && !is_bare(style, ch)
    };
    let escaped: Vec<char> = [',', ';', ':', '\\']
        .into_iter()
        .filter(|&ch| escaped(ch))
        .collect();
    let mut out = String::with_capacity(text.len() + 8);
    for ch in text.chars() {
        match ch {
            ch if ch.is_control() || !encodable(ch) => return None,
            ch if escaped.contains(&ch) => out.extend(['\\', ch]),
            ch => out.push(ch),
        }
    }
    Some(out)
}

/// Writes the value of a parameter. A value without quotation marks cannot hold the characters that end it.
pub fn write_parameter(
    text: &str,
    is_quoted: bool,
    encodable: &dyn Fn(char) -> bool,
) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        match ch {
            '\n' => out.push_str("^n"),
            '"' => out.push_str("^'"),
            // Other carets stand for themselves.
            '^' if matches!(chars.peek(), Some('n' | '\'' | '^' | '"' | '\n')) => {
                out.push_str("^^")
            }
            ',' | ';' | ':' if !is_quoted => return None,
            ch if ch.is_control() || !encodable(ch) => return None,
            ch => out.push(ch),
        }
    }
    Some(out)
}

/// The octets of a value in quoted-printable, and their positions. Soft line breaks are removed. A malformed `=` stands
/// for itself.
fn octets(raw: &str) -> (Vec<u8>, Vec<usize>) {
    let (mut octets, mut ends) = (Vec::with_capacity(raw.len()), Vec::with_capacity(raw.len()));
    let bytes = raw.as_bytes();
    let digit = |at: usize| char::from(*bytes.get(at)?).to_digit(16);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let octet = match byte {
            b'=' => digit(at + 1).zip(digit(at + 2)),
            _ => None,
        };
        let (octet, len) = match octet {
            Some((high, low)) => ((high << 4 | low) as u8, 3),
            None => (byte, 1),
        };
        at += len;
        octets.push(octet);
        ends.push(at);
    }
    (octets, ends)
}

/// The text of a value in quoted-printable. Characters beyond ASCII, which are not allowed, stand for themselves.
pub fn unquoted(raw: &str, charset: QuotedCharset) -> MappedText<'_> {
    let charset = charset.charset();
    if !raw.contains('=') && charset.is_ascii_compatible() {
        return MappedText::identity(raw);
    }
    let mut mapped = MappedText::new();
    let mut at = 0;
    while let Some(rest) = raw.get(at..).filter(|rest| !rest.is_empty()) {
        let is_ascii = rest.starts_with(|ch: char| ch.is_ascii());
        let end = rest.find(|ch: char| ch.is_ascii() != is_ascii);
        let piece = rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest);
        if is_ascii {
            push_decoded(&mut mapped, piece, at, charset)
        } else {
            mapped.push(piece, at..at + piece.len())
        }
        at += piece.len();
    }
    mapped
}

/// Adds the text of ASCII in quoted-printable that begins at a position.
fn push_decoded(mapped: &mut MappedText<'_>, raw: &str, begin: usize, charset: Charset) {
    let (octets, ends) = octets(raw);
    let decoded = charset.decode_mapped(&octets);
    for (at, ch) in decoded.text().char_indices() {
        let octets = decoded.source(TextSpan::new(at, at + ch.len_utf8()));
        let end_of = |octet: usize| {
            octet
                .checked_sub(1)
                .and_then(|last| ends.get(last).copied())
        };
        let own = end_of(octets.start).unwrap_or(0)..end_of(octets.end).unwrap_or(0);
        let source = begin + own.start..begin + own.end;
        let mut utf8 = [0; 4];
        let text = ch.encode_utf8(&mut utf8);
        if raw.get(own) == Some(&*text) {
            mapped.push(text, source)
        } else {
            mapped.push_unit(text, source)
        }
    }
}

/// Writes quoted-printable, with escapes for everything but graphic ASCII.
pub fn write_quoted(text: &str, charset: QuotedCharset, style: &str) -> Option<String> {
    let mut octets = Vec::with_capacity(text.len());
    let known = KnownBytes::of_number(charset.known);
    let charset = charset.charset();
    if !text.chars().all(|ch| known.can_write(charset, ch)) {
        return None;
    }
    charset.encode(text, &mut octets).ok()?;
    let lower = style.match_indices('=').find_map(|(at, _)| {
        let pair = style.get(at + 1..at + 3)?;
        let is_escape = pair.bytes().all(|byte| byte.is_ascii_hexdigit());
        let letter = pair.bytes().find(u8::is_ascii_alphabetic);
        letter
            .filter(|_| is_escape)
            .map(|letter| letter.is_ascii_lowercase())
    });
    let mut out = String::with_capacity(octets.len() + 8);
    for octet in octets {
        match octet {
            b'=' | 0..=0x1F | 0x7F.. if lower == Some(true) => {
                out.push_str(&format!("={octet:02x}"))
            }
            b'=' | 0..=0x1F | 0x7F.. => out.push_str(&format!("={octet:02X}")),
            octet => out.push(char::from(octet)),
        }
    }
    Some(out)
}

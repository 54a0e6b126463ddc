//! The value of a Content-Type field (RFC 2045 5.1, RFC 2231), as sloppy as in real mail.

use linkglot_charset::Charset;
use std::borrow::Cow;

/// The most bytes of a boundary: no line of mail has more characters (RFC 5322 2.1.1). RFC 2046 allows 70.
pub(super) const BOUNDARY_LIMIT: usize = 996;

/// The most parameters, or pieces of parameters, that are read.
const MOST: usize = 64;

const PLAIN: &str = "text/plain";
const MESSAGE: &str = "message/rfc822";

/// A media type with its parameters.
///
/// ```
/// use linkglot_mail::structure::MediaType;
///
/// let html = MediaType::parse(b" Text/HTML; charset=\"utf-8\"");
/// assert_eq!(html.essence(), "text/html");
/// assert_eq!(html.parameter("charset"), Some(&b"utf-8"[..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaType {
    essence: Cow<'static, str>,
    parameters: Vec<(Box<str>, Box<[u8]>)>,
}

impl Default for MediaType {
    /// `text/plain`, the type of a part without a Content-Type (RFC 2045 5.2).
    fn default() -> Self {
        Self::bare(PLAIN)
    }
}

impl MediaType {
    /// The media type in the raw value of a field, which may be folded. An invalid value counts as `text/plain` (RFC
    /// 2045 5.2). Linear in the value.
    ///
    /// Names of parameters are in lower case. Pieces of a parameter (RFC 2231 3) are joined, extended values are in
    /// UTF-8 (RFC 2231 4), quotes and comments are removed. Also accepted: a missing semicolon, blanks around `=`,
    /// missing quotes, an unclosed quote.
    ///
    /// ```
    /// use linkglot_mail::structure::MediaType;
    ///
    /// let type_ = MediaType::parse(b"text/plain; name*0*=utf-8'fr'%C3%A9t; name*1=\"e.txt\"");
    /// assert_eq!(type_.parameter("name"), Some("éte.txt".as_bytes()));
    /// assert_eq!(MediaType::parse(b"text").essence(), "text/plain");
    /// ```
    pub fn parse(value: &[u8]) -> MediaType {
        let mut reader = Reader { rest: value };
        let essence = reader.essence();
        let parameters = if essence.is_some() {
            joined(reader.pieces())
        } else {
            Vec::new()
        };
        MediaType {
            essence: essence.unwrap_or(Cow::Borrowed(PLAIN)),
            parameters,
        }
    }

    pub(super) fn message() -> MediaType {
        Self::bare(MESSAGE)
    }

    fn bare(essence: &'static str) -> MediaType {
        MediaType {
            essence: Cow::Borrowed(essence),
            parameters: Vec::new(),
        }
    }

    /// Type and subtype in lower case.
    ///
    /// ```
    /// use linkglot_mail::structure::MediaType;
    ///
    /// assert_eq!(MediaType::default().essence(), "text/plain");
    /// ```
    pub fn essence(&self) -> &str {
        &self.essence
    }

    /// The first value of a parameter, whose name is given in lower case. The charset is unknown, except for extended
    /// values, which are in UTF-8.
    ///
    /// ```
    /// use linkglot_mail::structure::MediaType;
    ///
    /// let flowed = MediaType::parse(b"text/plain; FORMAT=flowed");
    /// assert_eq!(flowed.parameter("format"), Some(&b"flowed"[..]));
    /// ```
    pub fn parameter(&self, name: &str) -> Option<&[u8]> {
        let mut parameters = self.parameters.iter();
        parameters.find_map(|(known, value)| (**known == *name).then_some(&**value))
    }

    /// The boundary of a multipart (RFC 2046 5.1.1), which does not end with a blank. An empty boundary, which
    /// CPython's `email` accepts, would match the line in front of a signature.
    pub(super) fn boundary(&self) -> Option<&[u8]> {
        let boundary = self.parameter("boundary")?.trim_ascii_end();
        (1..=BOUNDARY_LIMIT)
            .contains(&boundary.len())
            .then_some(boundary)
    }
}

/// Reads a value from left to right.
struct Reader<'v> {
    rest: &'v [u8],
}

impl<'v> Reader<'v> {
    fn bump(&mut self, length: usize) -> &'v [u8] {
        let (head, rest) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, b""));
        self.rest = rest;
        head
    }

    fn take_while(&mut self, accepts: impl Fn(u8) -> bool) -> &'v [u8] {
        let length = self.rest.iter().position(|&byte| !accepts(byte));
        self.bump(length.unwrap_or(self.rest.len()))
    }

    /// Skips white space, line ends and comments (RFC 5322 3.2.2).
    fn skip_blanks(&mut self) {
        loop {
            self.take_while(is_blank);
            match self.rest.first() {
                Some(b'(') => self.skip_comment(),
                _ => return,
            }
        }
    }

    fn skip_comment(&mut self) {
        let mut depth = 0_usize;
        while let Some(&byte) = self.bump(1).first() {
            match byte {
                b'\\' => drop(self.bump(1)),
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn essence(&mut self) -> Option<Cow<'static, str>> {
        self.skip_blanks();
        let kind = self.take_while(is_token);
        self.skip_blanks();
        let slash = self.bump(1);
        self.skip_blanks();
        let subtype = self.take_while(is_token);
        let is_type = !kind.is_empty() && slash == b"/" && !subtype.is_empty();
        let known = |known: &&&str| {
            let halves = known.split_once('/');
            halves.is_some_and(|(a, b)| {
                a.as_bytes().eq_ignore_ascii_case(kind)
                    && b.as_bytes().eq_ignore_ascii_case(subtype)
            })
        };
        let frequent = [
            PLAIN,
            "text/html",
            "multipart/alternative",
            "multipart/mixed",
            "multipart/related",
            MESSAGE,
        ];
        match frequent.iter().find(known) {
            _ if !is_type => None,
            Some(known) => Some(Cow::Borrowed(known)),
            None => {
                let essence = [kind, b"/", subtype].concat().to_ascii_lowercase();
                Some(Cow::Owned(String::from_utf8(essence).ok()?))
            }
        }
    }

    /// The parameters, with their pieces not yet joined.
    fn pieces(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        while !self.rest.is_empty() && pieces.len() < MOST {
            self.skip_blanks();
            let name = self.take_while(is_token);
            self.skip_blanks();
            match self.rest.first() {
                Some(b'=') if !name.is_empty() => {
                    self.bump(1);
                    let value = self.value();
                    pieces.push(Piece::of(name, value));
                }
                // A name without a value, or something between two parameters.
                _ if name.is_empty() => drop(self.bump(1)),
                _ => {}
            }
        }
        pieces
    }

    fn value(&mut self) -> Vec<u8> {
        self.take_while(is_blank);
        match self.rest.first() {
            Some(b'"') => self.quoted(),
            _ => self.unquoted(),
        }
    }

    /// A quoted string (RFC 2045 5.1, RFC 5322 3.2.4), without the line ends of its folds.
    fn quoted(&mut self) -> Vec<u8> {
        self.bump(1);
        let mut value = Vec::new();
        while let Some(&byte) = self.bump(1).first() {
            match byte {
                b'"' => break,
                b'\\' => value.extend_from_slice(self.bump(1)),
                b'\r' | b'\n' => {}
                byte => value.push(byte),
            }
        }
        value
    }

    /// A value up to the next semicolon, comment or parameter. The value may hold characters that need quotes.
    fn unquoted(&mut self) -> Vec<u8> {
        let value = self.bump(unquoted_length(self.rest)).trim_ascii();
        let kept = value.iter().filter(|byte| !b"\r\n".contains(byte));
        kept.copied().collect()
    }
}

fn unquoted_length(text: &[u8]) -> usize {
    let end = memchr::memchr(b';', text).unwrap_or(text.len());
    let text = text.get(..end).unwrap_or(text);
    let mut at = 0;
    while let Some(blank) = position(text, at, is_blank) {
        let next = position(text, blank, |byte| !is_blank(byte)).unwrap_or(end);
        let behind = text.get(next..).unwrap_or_default();
        if behind.first() == Some(&b'(') || begins_parameter(behind) {
            return blank;
        }
        at = next;
    }
    end
}

fn position(text: &[u8], from: usize, accepts: impl Fn(u8) -> bool) -> Option<usize> {
    let mut rest = text.get(from..)?.iter();
    rest.position(|&byte| accepts(byte)).map(|at| from + at)
}

/// True if a name and `=` come next: a semicolon is missing.
fn begins_parameter(text: &[u8]) -> bool {
    let name = position(text, 0, |byte| !is_token(byte));
    name.is_some_and(|end| end > 0 && text.get(end) == Some(&b'='))
}

fn is_blank(byte: u8) -> bool {
    b" \t\r\n".contains(&byte)
}

/// True if a byte may stand in a token (RFC 2045 5.1).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?=".contains(&byte)
}

/// A parameter or a piece of a parameter (RFC 2231 3).
struct Piece {
    /// The name in lower case, without asterisks.
    name: String,
    number: usize,
    /// True if the value has escapes, and, in the first piece, a charset in front of them (RFC 2231 4).
    is_extended: bool,
    value: Vec<u8>,
}

impl Piece {
    fn of(name: &[u8], value: Vec<u8>) -> Piece {
        let name: String = name
            .iter()
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
        let (base, is_extended) = match name.strip_suffix('*') {
            Some(base) => (base, true),
            None => (&*name, false),
        };
        let numbered = base.rsplit_once('*');
        let numbered = numbered.and_then(|(base, number)| Some((base, number.parse().ok()?)));
        let (base, number) = numbered.unwrap_or((base, 0));
        Piece {
            name: base.to_owned(),
            number,
            is_extended,
            value,
        }
    }
}

/// Parameters in the order of their first pieces.
fn joined(mut pieces: Vec<Piece>) -> Vec<(Box<str>, Box<[u8]>)> {
    let mut parameters = Vec::new();
    while let Some(first) = pieces.first() {
        let name = first.name.clone();
        let (mut own, rest): (Vec<Piece>, _) =
            pieces.into_iter().partition(|piece| piece.name == name);
        pieces = rest;
        own.sort_by_key(|piece| piece.number);
        // Of several values, the first counts.
        own.dedup_by_key(|piece| piece.number);
        parameters.push((name.into_boxed_str(), value(own).into_boxed_slice()));
    }
    parameters
}

fn value(pieces: Vec<Piece>) -> Vec<u8> {
    let mut charset = None;
    let mut value = Vec::new();
    for (at, piece) in pieces.into_iter().enumerate() {
        let mut text = &*piece.value;
        if at == 0 && piece.is_extended {
            (charset, text) = charset_and_text(text);
        }
        if piece.is_extended {
            unescape(text, &mut value)
        } else {
            value.extend_from_slice(text)
        }
    }
    match charset {
        Some(charset) => charset.decode(&value).into_owned().into_bytes(),
        None => value,
    }
}

/// Splits `charset'language'text`. `None` for an unknown charset.
fn charset_and_text(value: &[u8]) -> (Option<Charset>, &[u8]) {
    let mut parts = value.splitn(3, |&byte| byte == b'\'');
    let (Some(label), Some(_), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
        return (None, value);
    };
    let label = std::str::from_utf8(label).unwrap_or_default();
    (Charset::for_label(label).ok(), text)
}

/// Decodes percent escapes (`%C3`). Malformed ones are copied.
fn unescape(text: &[u8], out: &mut Vec<u8>) {
    let digit = |byte: Option<&u8>| char::from(*byte?).to_digit(16);
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let digits = (digit(text.get(at + 1)), digit(text.get(at + 2)));
        match (byte, digits) {
            (b'%', (Some(high), Some(low))) => {
                out.push((high << 4 | low) as u8);
                at += 3;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The essence and the parameters of a value, as text.
    fn shown(value: &str) -> String {
        let parsed = MediaType::parse(value.as_bytes());
        let parameters = parsed.parameters.iter();
        let shown = parameters.map(|(name, value)| format!("; {name}={}", value.escape_ascii()));
        format!("{}{}", parsed.essence, shown.collect::<String>())
    }

    #[test]
    fn values_of_real_mail_are_read() {
        for (value, expected) in [
            ("", "text/plain"),
            ("text", "text/plain"),
            ("text/", "text/plain"),
            ("/plain", "text/plain"),
            ("foo", "text/plain"),
            (" TEXT/Html ", "text/html"),
            (" application/X-Foo", "application/x-foo"),
            (" (a (b) \\) c) text (d) / (e) html (f)", "text/html"),
            (
                "text/plain; charset=us-ascii (Plain text)",
                "text/plain; charset=us-ascii",
            ),
            (
                "text/plain; charset=\"us-ascii\"",
                "text/plain; charset=us-ascii",
            ),
            ("text/plain;charset = utf-8 ;", "text/plain; charset=utf-8"),
            (
                "text/plain; charset=utf-8 format=flowed",
                "text/plain; charset=utf-8; format=flowed",
            ),
            ("text/plain charset=utf-8", "text/plain; charset=utf-8"),
            ("text/plain; charset", "text/plain"),
            ("text/plain; =x; charset=", "text/plain; charset="),
            ("text/plain; a=1; A=2", "text/plain; a=1"),
            (
                "multipart/mixed;\r\n\tboundary=\"a b\\\"c\"",
                "multipart/mixed; boundary=a b\\\"c",
            ),
            (
                "multipart/mixed; boundary=----=_Next(1)?/:x",
                "multipart/mixed; boundary=----=_Next(1)?/:x",
            ),
            (
                "multipart/mixed; boundary=a b c",
                "multipart/mixed; boundary=a b c",
            ),
            (
                "multipart/mixed; boundary=\"open",
                "multipart/mixed; boundary=open",
            ),
            ("a/b; n*=utf-8''%e2%82%ac", "a/b; n=\\xe2\\x82\\xac"),
            ("a/b; n*=koi8-r'ru'%c1%zz", "a/b; n=\\xd0\\xb0%zz"),
            ("a/b; n*=x-none''%c1", "a/b; n=\\xc1"),
            ("a/b; n*1=b; n*0=a; n*2*=%20c", "a/b; n=ab c"),
            (
                "a/b; n*0*=iso-8859-1''%e9; n*1=x; n*2*=%e8",
                "a/b; n=\\xc3\\xa9x\\xc3\\xa8",
            ),
            ("a/b; n*x=1", "a/b; n*x=1"),
        ] {
            assert_eq!(shown(value), expected, "{value}");
        }
    }

    #[test]
    fn boundaries_do_not_end_with_blanks() {
        let boundary = |value: &str| {
            let parsed = MediaType::parse(value.as_bytes());
            parsed
                .boundary()
                .map(|boundary| boundary.escape_ascii().to_string())
        };
        assert_eq!(boundary("a/b; boundary=\" x \""), Some(" x".into()));
        assert_eq!(boundary("a/b; boundary=\"\""), None);
        assert_eq!(boundary("a/b"), None);
        let long = "x".repeat(900);
        assert_eq!(
            boundary(&format!("a/b; boundary={long}")),
            Some(long.clone())
        );
        assert_eq!(boundary(&format!("a/b; boundary={long}{long}")), None);
    }
}

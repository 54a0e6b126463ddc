//! The grammar of IRIs (RFC 3987 2.2), checked in one pass without allocation.
//!
//! The grammar has no rules of single schemes. [`crate::lenient`] reads what documents really contain.

use crate::class::{self, DIGIT, FUTURE, HEX, NAME, PATH, QUERY, SEGMENT_NC};
use crate::parts::{Ends, Parts};
use crate::scheme;
use std::cell::Cell;
use std::fmt;
use std::net::Ipv6Addr;

/// The start symbol of the grammar that a text must match.
///
/// ```
/// use linkglot_iri::{Form, parse};
///
/// assert!(parse("/é", Form::Reference).is_ok() && parse("/é", Form::Iri).is_err());
/// assert!(parse("x:é#f", Form::Iri).is_ok() && parse("x:é#f", Form::Absolute).is_err());
/// assert!(parse("x:é", Form::Relative).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `IRI`: with a scheme.
    Iri,
    /// `IRI-reference`: with or without a scheme.
    Reference,
    /// `irelative-ref`: without a scheme.
    Relative,
    /// `absolute-IRI`: with a scheme and without a fragment.
    Absolute,
}

/// The error for a text that does not match the grammar: expectation, finding and position.
///
/// ```
/// use linkglot_iri::{Form, parse};
///
/// let error = parse("http://é:8x/", Form::Iri).unwrap_err();
/// assert_eq!(error.to_string(), "expected a digit of the port, found `x`, at byte 11");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    at: usize,
    kind: ParseErrorKind,
    found: Option<char>,
}

/// Syntax that [`parse`] expected.
///
/// ```
/// use linkglot_iri::{Form, ParseErrorKind, parse};
///
/// let kind = |text| parse(text, Form::Reference).unwrap_err().kind();
/// assert_eq!(kind(":é"), ParseErrorKind::NoColon);
/// assert_eq!(kind("//[::1"), ParseErrorKind::ClosingBracket);
/// assert_eq!(kind("/\u{202E}"), ParseErrorKind::NoBidiControl);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// A scheme and its colon.
    Scheme,
    /// No scheme: a relative reference was asked for.
    NoScheme,
    /// No colon in the first segment of a relative reference (RFC 3986 4.2).
    NoColon,
    /// A character of userinfo or host, or the end of the authority.
    Authority,
    /// The bracket that closes an IP literal.
    ClosingBracket,
    /// An IPv6 address.
    Ipv6,
    /// An `IPvFuture` address.
    IpFuture,
    /// A digit of the port, or the end of the authority.
    Port,
    /// A character of the path.
    Path,
    /// A character of the query.
    Query,
    /// A character of the fragment.
    Fragment,
    /// No fragment: an absolute IRI was asked for.
    NoFragment,
    /// A hexadecimal digit of a percent-encoded octet.
    HexDigit,
    /// No bidi formatting character (RFC 3987 4.1).
    NoBidiControl,
}

impl ParseErrorKind {
    fn expected(self) -> &'static str {
        match self {
            ParseErrorKind::Scheme => "a scheme and its colon",
            ParseErrorKind::NoScheme => "a relative reference",
            ParseErrorKind::NoColon => "no colon before the first slash",
            ParseErrorKind::Authority => "a character of the authority",
            ParseErrorKind::ClosingBracket => "the bracket that closes the address",
            ParseErrorKind::Ipv6 => "an IPv6 address",
            ParseErrorKind::IpFuture => "an address of a later IP version",
            ParseErrorKind::Port => "a digit of the port",
            ParseErrorKind::Path => "a character of the path",
            ParseErrorKind::Query => "a character of the query",
            ParseErrorKind::Fragment => "a character of the fragment",
            ParseErrorKind::NoFragment => "no fragment",
            ParseErrorKind::HexDigit => "a hexadecimal digit",
            ParseErrorKind::NoBidiControl => "no bidi formatting character",
        }
    }
}

impl ParseError {
    /// The position in the text, in bytes.
    ///
    /// ```
    /// use linkglot_iri::{Form, ParseErrorKind, parse};
    ///
    /// let error = parse("/é%4", Form::Reference).unwrap_err();
    /// assert_eq!((error.at(), error.kind(), error.found()), (5, ParseErrorKind::HexDigit, None));
    /// ```
    pub fn at(&self) -> usize {
        self.at
    }

    /// Syntax that was expected at the position of the error.
    ///
    /// ```
    /// use linkglot_iri::{Form, ParseErrorKind, parse};
    ///
    /// let error = parse("//[::g]", Form::Reference).unwrap_err();
    /// assert_eq!(error.kind(), ParseErrorKind::Ipv6);
    /// ```
    pub fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// The character at the position of the error; `None` at the end of the text.
    ///
    /// ```
    /// use linkglot_iri::{Form, parse};
    ///
    /// assert_eq!(parse("/a b", Form::Reference).unwrap_err().found(), Some(' '));
    /// assert_eq!(parse("/%", Form::Reference).unwrap_err().found(), None);
    /// ```
    pub fn found(&self) -> Option<char> {
        self.found
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found ", self.kind.expected())?;
        match self.found {
            None => f.write_str("the end")?,
            Some(ch) if ch.is_ascii_graphic() => write!(f, "`{ch}`")?,
            Some(ch) => write!(f, "U+{:04X}", ch as u32)?,
        }
        write!(f, ", at byte {}", self.at)
    }
}

impl std::error::Error for ParseError {}

/// Parses a text as `form`, exactly as RFC 3987 2.2 and 4.1 say. One pass, no allocation.
///
/// ```
/// use linkglot_iri::{Form, parse};
///
/// let parts = parse("http://rosé.example/%C3%A9", Form::Iri).unwrap();
/// assert_eq!(parts.host(), Some("rosé.example"));
///
/// let error = parse("/a b", Form::Reference).unwrap_err();
/// assert_eq!(error.to_string(), "expected a character of the path, found U+0020, at byte 2");
/// ```
pub fn parse(text: &str, form: Form) -> Result<Parts<'_>, ParseError> {
    let parser = Parser::new(text);
    parser.parse(form).map(|ends| Parts::new(text, ends))
}

/// The properties of a valid text that decide how it is mapped.
pub(crate) struct Survey {
    /// The length of the text up to the first character beyond ASCII.
    pub(crate) ascii_prefix: usize,
    pub(crate) has_percent: bool,
}

/// Checks a text as [`parse`] does.
pub(crate) fn survey(text: &str, form: Form) -> Result<Survey, ParseError> {
    let parser = Parser::new(text);
    parser.parse(form)?;
    Ok(Survey {
        ascii_prefix: parser.first_non_ascii.get().min(text.len()),
        has_percent: parser.has_percent.get(),
    })
}

/// True if a text is a URI reference (RFC 3986), which is an IRI reference in ASCII.
///
/// ```
/// use linkglot_iri::is_uri_reference;
///
/// assert!(is_uri_reference("/%C3%A9") && !is_uri_reference("/é") && !is_uri_reference("/%"));
/// ```
pub fn is_uri_reference(text: &str) -> bool {
    text.is_ascii() && parse(text, Form::Reference).is_ok()
}

/// The component that is being parsed, named by the error for a character not allowed there.
type Component = ParseErrorKind;

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    first_non_ascii: Cell<usize>,
    has_percent: Cell<bool>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        Parser {
            text,
            bytes: text.as_bytes(),
            first_non_ascii: Cell::new(usize::MAX),
            has_percent: Cell::new(false),
        }
    }

    fn parse(&self, form: Form) -> Result<Ends, ParseError> {
        let scheme = self.scheme(form)?;
        let path = if scheme > 0 { scheme + 1 } else { 0 };
        let mut ends = Ends {
            scheme,
            path,
            ..Ends::default()
        };
        let mut at = path;
        if self.bytes[at..].starts_with(b"//") {
            self.authority(at + 2, &mut ends)?;
            at = ends.path;
        } else if scheme == 0 {
            at = self.first_segment()?;
        }
        self.tail(at, form, &mut ends)?;
        Ok(ends)
    }

    /// The position of the colon after the scheme, or 0.
    fn scheme(&self, form: Form) -> Result<usize, ParseError> {
        let end = scheme::end(self.bytes);
        match form {
            Form::Iri | Form::Absolute if end == 0 => {
                let stop = |&byte: &u8| !class::is(byte, class::SCHEME);
                let at = match self.bytes.first() {
                    Some(first) if first.is_ascii_alphabetic() => {
                        self.bytes.iter().position(stop).unwrap_or(self.bytes.len())
                    }
                    _ => 0,
                };
                Err(self.error(at, ParseErrorKind::Scheme))
            }
            Form::Relative if end > 0 => Err(self.error(end, ParseErrorKind::NoScheme)),
            _ => Ok(end),
        }
    }

    /// The end of `isegment-nz-nc`: the first segment of a relative path has no colon.
    fn first_segment(&self) -> Result<usize, ParseError> {
        let at = self.run(0, SEGMENT_NC, Component::Path)?;
        if self.bytes.get(at) == Some(&b':') {
            return Err(self.error(at, ParseErrorKind::NoColon));
        }
        Ok(at)
    }

    /// Path, query and fragment, from a position in the path on.
    fn tail(&self, at: usize, form: Form, ends: &mut Ends) -> Result<(), ParseError> {
        let mut component = Component::Path;
        let mut at = self.run(at, PATH, component)?;
        ends.path_end = at;
        if self.bytes.get(at) == Some(&b'?') {
            component = Component::Query;
            at = self.run(at + 1, QUERY, component)?;
        }
        ends.query_end = at;
        if self.bytes.get(at) == Some(&b'#') {
            if form == Form::Absolute {
                return Err(self.error(at, ParseErrorKind::NoFragment));
            }
            component = Component::Fragment;
            at = self.run(at + 1, QUERY, component)?;
        }
        if at < self.bytes.len() {
            return Err(self.error(at, component));
        }
        Ok(())
    }

    fn authority(&self, start: usize, ends: &mut Ends) -> Result<(), ParseError> {
        ends.authority = start;
        ends.host = start;
        let (mut at, mut colon) = self.userinfo_or_host(start)?;
        if self.bytes.get(at) == Some(&b'@') {
            ends.host = at + 1;
            colon = None;
            at = self.run(at + 1, NAME, Component::Authority)?;
        }
        if at == ends.host && self.bytes.get(at) == Some(&b'[') {
            at = self.literal(at)?;
        }
        ends.host_end = colon.unwrap_or(at);
        ends.path = self.port(ends.host_end)?;
        Ok(())
    }

    /// The end of a userinfo, or of host and port, and its first colon: a later `@` decides which of them it is.
    fn userinfo_or_host(&self, start: usize) -> Result<(usize, Option<usize>), ParseError> {
        let mut colon = None;
        let mut at = start;
        loop {
            at = self.run(at, NAME, Component::Authority)?;
            if self.bytes.get(at) != Some(&b':') {
                return Ok((at, colon));
            }
            colon = colon.or(Some(at));
            at += 1;
        }
    }

    /// The end of the authority, after the port that may begin at `at`.
    fn port(&self, at: usize) -> Result<usize, ParseError> {
        let mut end = at;
        let mut kind = ParseErrorKind::Authority;
        if self.bytes.get(at) == Some(&b':') {
            kind = ParseErrorKind::Port;
            let digits = self.bytes[at + 1..].iter();
            end = at + 1 + digits.take_while(|&&byte| class::is(byte, DIGIT)).count();
        }
        match self.bytes.get(end) {
            None | Some(b'/' | b'?' | b'#') => Ok(end),
            _ => Err(self.error(end, kind)),
        }
    }

    /// The position after the closing bracket of an `IP-literal`.
    fn literal(&self, start: usize) -> Result<usize, ParseError> {
        let inside = &self.bytes[start + 1..];
        let Some(length) = inside.iter().position(|&byte| byte == b']') else {
            return Err(self.error(self.bytes.len(), ParseErrorKind::ClosingBracket));
        };
        let inside = &inside[..length];
        let kind = if matches!(inside, [b'v' | b'V', ..]) {
            (!is_future(inside)).then_some(ParseErrorKind::IpFuture)
        } else {
            (!is_ipv6(inside)).then_some(ParseErrorKind::Ipv6)
        };
        match kind {
            Some(kind) => Err(self.error(start + 1, kind)),
            None => Ok(start + length + 2),
        }
    }

    /// The end of a run of `class` bytes, percent-encoded octets and characters beyond ASCII.
    #[inline]
    fn run(&self, start: usize, class: u16, component: Component) -> Result<usize, ParseError> {
        let mut at = start;
        loop {
            at = class::run_end(self.bytes, at, class);
            match self.bytes.get(at) {
                Some(b'%') => at = self.escape(at)?,
                Some(0x80..) => at = self.non_ascii(at, component)?,
                _ => return Ok(at),
            }
        }
    }

    /// The position after the percent-encoded octet at `at`.
    #[inline]
    fn escape(&self, at: usize) -> Result<usize, ParseError> {
        if let [_, high, low, ..] = self.bytes[at..]
            && class::is(high, HEX)
            && class::is(low, HEX)
        {
            self.has_percent.set(true);
            return Ok(at + 3);
        }
        let high = self.bytes.get(at + 1);
        let bad = at + 1 + usize::from(high.is_some_and(|&byte| class::is(byte, HEX)));
        Err(self.error(bad, ParseErrorKind::HexDigit))
    }

    /// The position after the run of characters beyond ASCII that begins at `at`.
    #[inline]
    fn non_ascii(&self, at: usize, component: Component) -> Result<usize, ParseError> {
        self.first_non_ascii.set(self.first_non_ascii.get().min(at));
        let mut at = at;
        while let Some(&lead) = self.bytes.get(at)
            && lead >= 0x80
        {
            at += match class::allowed_length(lead) {
                0 => self.checked_length(at, component)?,
                length => length,
            };
        }
        Ok(at)
    }

    /// The length of the character at `at`, if the component may have it.
    fn checked_length(&self, at: usize, component: Component) -> Result<usize, ParseError> {
        // The block of Arabic, but for the Arabic letter mark.
        if let [0xD8, trail, ..] = self.bytes[at..]
            && trail != 0x9C
        {
            return Ok(2);
        }
        let ch = self.char_at(at).unwrap_or(char::REPLACEMENT_CHARACTER);
        let private = component == Component::Query && class::is_iprivate(ch);
        if private || class::is_ucschar(ch) {
            return Ok(ch.len_utf8());
        }
        let kind = if class::is_bidi_control(ch) {
            ParseErrorKind::NoBidiControl
        } else {
            component
        };
        Err(self.error(at, kind))
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    #[cold]
    fn error(&self, at: usize, kind: ParseErrorKind) -> ParseError {
        let found = self.char_at(at);
        ParseError { at, kind, found }
    }
}

/// `IPv6address`, without zone (RFC 3986 3.2.2).
fn is_ipv6(inside: &[u8]) -> bool {
    std::str::from_utf8(inside).is_ok_and(|inside| inside.parse::<Ipv6Addr>().is_ok())
}

/// True for the text between the brackets of an address, which may have a zone (RFC 6874).
pub(super) fn is_address(inside: &str) -> bool {
    match inside.split_once('%') {
        _ if inside.starts_with(['v', 'V']) => is_future(inside.as_bytes()),
        Some((address, zone)) => is_ipv6(address.as_bytes()) && !zone.contains(['[', ']']),
        None => is_ipv6(inside.as_bytes()),
    }
}

/// `IPvFuture`, which begins with `v`.
fn is_future(inside: &[u8]) -> bool {
    let mut halves = inside[1..].splitn(2, |&byte| byte == b'.');
    let mut all = |class| {
        let is_class = |half: &[u8]| half.iter().all(|&byte| class::is(byte, class));
        halves
            .next()
            .is_some_and(|half| !half.is_empty() && is_class(half))
    };
    all(HEX) && all(FUTURE)
}

#[cfg(test)]
mod tests;

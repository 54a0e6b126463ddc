//! Equality of references and of URL records.

use super::parser::UrlRecord;
use super::percent_encode::is_utf8_query;
use crate::class::{self, RESERVED, UNRESERVED};
use crate::scheme;
use linkglot_charset::Charset;
use linkglot_charset::ascii::{common_length, percent_octet};

/// True if the URLs have the same components, octet for octet.
pub(super) fn same_url(a: &UrlRecord, b: &UrlRecord) -> bool {
    let same = |a: &Option<String>, b: &Option<String>, is_kept| match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => same_octets(a, b, is_kept),
        _ => false,
    };
    a.scheme == b.scheme
        && a.port == b.port
        && a.is_opaque == b.is_opaque
        && same_octets(&a.username, &b.username, is_kept)
        && same_octets(&a.password, &b.password, is_kept)
        && same(&a.host, &b.host, is_kept_in_host)
        && same_octets(&a.path, &b.path, is_kept_in_path)
        && same(&a.query, &b.query, is_kept)
        && same(&a.fragment, &b.fragment, is_kept)
}

/// True if two components are the same once percent-encoding is undone, apart from octets whose escapes differ from the
/// characters themselves.
fn same_octets(a: &str, b: &str, is_kept: fn(u8) -> bool) -> bool {
    let octets = |text| Octets { text, is_kept };
    a == b || octets(a.as_bytes()).eq(octets(b.as_bytes()))
}

/// The escapes of reserved characters and of the percent sign differ from the characters.
fn is_kept(octet: u8) -> bool {
    octet == b'%' || class::is(octet, RESERVED)
}

/// In paths of schemes that are not special, browsers keep a backslash, which is no slash there (URL Standard 4.4, path
/// state).
fn is_kept_in_path(octet: u8) -> bool {
    octet == b'\\' || is_kept(octet)
}

/// Browsers do not change ASCII in the opaque host of other schemes, so its escapes differ.
fn is_kept_in_host(octet: u8) -> bool {
    octet.is_ascii() && !class::is(octet, UNRESERVED)
}

/// The octets of a component, each with a flag for escapes that differ from the character.
struct Octets<'a> {
    text: &'a [u8],
    is_kept: fn(u8) -> bool,
}

impl Iterator for Octets<'_> {
    type Item = (u8, bool);

    fn next(&mut self) -> Option<(u8, bool)> {
        let &first = self.text.first()?;
        let (length, octet) = match percent_octet(self.text) {
            Some(octet) => (3, (octet, (self.is_kept)(octet))),
            None => (1, (first, false)),
        };
        self.text = &self.text[length..];
        Some(octet)
    }
}

/// True if a mapping only turned characters after the authority into their UTF-8 escapes or back: the most frequent
/// case. False when in doubt.
pub(super) fn differ_only_in_escapes(before: &str, after: &str, query: Charset) -> bool {
    let Some(path) = unambiguous_path_start(before) else {
        return false;
    };
    let (a, b) = (before.as_bytes(), after.as_bytes());
    if a.get(..path) != b.get(..path) {
        return false;
    }
    let utf8_query = is_utf8_query(query);
    let (mut at, mut bt) = (path, path);
    let mut component = Component::Path;
    loop {
        let same = common_length(&a[at..], &b[bt..]);
        let passed = &a[at..at + same];
        // The loop has no exit, so that it goes over many bytes at once.
        if passed
            .iter()
            .fold(false, |found, &byte| found | changes_parsing(byte))
        {
            return false;
        }
        if !utf8_query {
            component = passed.iter().fold(component, |is, &byte| is.after(byte));
        }
        (at, bt) = (at + same, bt + same);
        let start = at;
        while let Some((left, right)) = octet_and_escape(&a[at..], &b[bt..]) {
            (at, bt) = (at + left, bt + right);
        }
        if at == start {
            return at == a.len() && bt == b.len();
        }
        if component == Component::Query {
            return false;
        }
    }
}

/// The lengths of an octet beyond ASCII and its escape, or the other way round, if the texts begin with these.
#[inline]
fn octet_and_escape(a: &[u8], b: &[u8]) -> Option<(usize, usize)> {
    let (&x, &y) = (a.first()?, b.first()?);
    match (x >= 0x80, y >= 0x80) {
        (true, false) if percent_octet(b) == Some(x) => Some((1, 3)),
        (false, true) if percent_octet(a) == Some(y) => Some((3, 1)),
        _ => None,
    }
}

/// True if browsers drop a byte, or may read it as a slash.
fn changes_parsing(byte: u8) -> bool {
    byte < 0x20 || byte == b'\\'
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    Path,
    Query,
    Fragment,
}

impl Component {
    fn after(self, byte: u8) -> Component {
        match (self, byte) {
            (_, b'#') => Component::Fragment,
            (Component::Path, b'?') => Component::Query,
            _ => self,
        }
    }
}

/// The start of the path, if browsers surely find the components where the grammar does.
fn unambiguous_path_start(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if *bytes.first()? <= b' ' {
        return None;
    }
    let scheme = scheme::of(text);
    let start = scheme.map_or(0, |scheme| scheme.len() + 1);
    let Some(authority) = bytes[start..].strip_prefix(b"//") else {
        let is_special = scheme.is_some_and(scheme::is_special);
        return (!is_special).then_some(start);
    };
    let is_end = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
    let length = authority.iter().position(is_end).unwrap_or(authority.len());
    let is_clear = length > 0
        && !authority[..length]
            .iter()
            .any(|&byte| changes_parsing(byte));
    is_clear.then_some(start + 2 + length)
}

//! Equality of references and of URL records.

use super::parser::UrlRecord;
use super::percent_encode::is_utf8_query;
use crate::class::{self, RESERVED, UNRESERVED};
use crate::parts::Parts;
use crate::scheme;
use linkglot_charset::Charset;
use linkglot_charset::ascii::percent_octet;

/// Whether every component is the same, octet for octet.
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
        && same_octets(&a.path, &b.path, is_kept)
        && same(&a.query, &b.query, is_kept)
        && same(&a.fragment, &b.fragment, is_kept)
}

/// Whether two components are the same once percent-encoding is undone, where the escapes of some
/// octets differ from the characters themselves.
fn same_octets(a: &str, b: &str, is_kept: fn(u8) -> bool) -> bool {
    let octets = |text| Octets { text, is_kept };
    a == b || octets(a.as_bytes()).eq(octets(b.as_bytes()))
}

/// The escapes of reserved characters and of the percent sign differ from the characters.
fn is_kept(octet: u8) -> bool {
    octet == b'%' || class::is(octet, RESERVED)
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

/// Whether all that a mapping changed are characters after the authority, into their UTF-8 escapes
/// or back: the most frequent case. False when in doubt.
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
    while at < a.len() || bt < b.len() {
        let (Some(&x), Some(&y)) = (a.get(at), b.get(bt)) else {
            return false;
        };
        if x == y {
            if changes_parsing(x) {
                return false;
            }
            component = component.after(x);
            (at, bt) = (at + 1, bt + 1);
            continue;
        }
        if component == Component::Query && !utf8_query {
            return false;
        }
        let steps = match (x >= 0x80, y >= 0x80) {
            (true, false) if percent_octet(&b[bt..]) == Some(x) => (1, 3),
            (false, true) if percent_octet(&a[at..]) == Some(y) => (3, 1),
            _ => return false,
        };
        (at, bt) = (at + steps.0, bt + steps.1);
    }
    true
}

/// Whether browsers drop a byte, or may read it as a slash.
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
    if text.bytes().next()? <= b' ' {
        return None;
    }
    let parts = Parts::split(text);
    let path = parts.path_range().start;
    if text.bytes().take(path).any(changes_parsing) {
        return None;
    }
    match (parts.scheme(), parts.authority()) {
        (_, Some("")) => None,
        (Some(scheme), None) if scheme::is_special(scheme) => None,
        _ => Some(path),
    }
}

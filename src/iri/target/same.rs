//! When two references, or what browsers make of them, are the same.

use super::escape::is_utf8_query;
use super::reader::{Address, is_special};
use crate::ascii::hex_value;
use crate::charset::Charset;
use crate::iri::class::{self, RESERVED, UNRESERVED};
use crate::iri::parts::Parts;

/// Whether every component is the same, octet for octet.
pub(super) fn same_address(a: &Address, b: &Address) -> bool {
    let same = |a: &Option<String>, b: &Option<String>, is_kept| match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => same_but(a, b, is_kept),
        _ => false,
    };
    a.scheme == b.scheme
        && a.port == b.port
        && a.is_opaque == b.is_opaque
        && same_octets(&a.username, &b.username)
        && same_octets(&a.password, &b.password)
        && same(&a.host, &b.host, is_kept_in_host)
        && same_octets(&a.path, &b.path)
        && same(&a.query, &b.query, is_kept)
        && same(&a.fragment, &b.fragment, is_kept)
}

/// Whether two components are the same once percent-encoding is undone. An escaped reserved
/// character or percent sign is not the character itself.
fn same_octets(a: &str, b: &str) -> bool {
    same_but(a, b, is_kept)
}

/// The same, where escapes of some octets are not the characters themselves.
fn same_but(a: &str, b: &str, is_kept: fn(u8) -> bool) -> bool {
    let octets = |text| Octets { text, is_kept };
    a == b || octets(a.as_bytes()).eq(octets(b.as_bytes()))
}

fn is_kept(octet: u8) -> bool {
    octet == b'%' || class::is(octet, RESERVED)
}

/// Browsers leave ASCII in the host of a scheme that is not theirs as it is, escaped or not.
fn is_kept_in_host(octet: u8) -> bool {
    octet.is_ascii() && !class::is(octet, UNRESERVED)
}

/// The octets of a component; the flag marks escapes that mean something else than their octet.
struct Octets<'a> {
    text: &'a [u8],
    is_kept: fn(u8) -> bool,
}

impl Iterator for Octets<'_> {
    type Item = (u8, bool);

    fn next(&mut self) -> Option<(u8, bool)> {
        let (&first, rest) = self.text.split_first()?;
        self.text = rest;
        if first == b'%'
            && let Some(octet) = octet(rest)
        {
            self.text = &rest[2..];
            return Some((octet, (self.is_kept)(octet)));
        }
        Some((first, false))
    }
}

/// The octet whose two hexadecimal digits the bytes begin with.
fn octet(bytes: &[u8]) -> Option<u8> {
    match bytes {
        [high, low, ..] => Some(hex_value(*high)? << 4 | hex_value(*low)?),
        _ => None,
    }
}

/// The quick answer for what a mapping does most: beyond the authority, characters that are not ASCII
/// became their UTF-8 escapes, or the other way round, and nothing else changed.
pub(super) fn differ_in_escapes_alone(before: &str, after: &str, query: Charset) -> bool {
    let Some(path) = quick_path_start(before) else {
        return false;
    };
    let (a, b) = (before.as_bytes(), after.as_bytes());
    if a.get(..path) != b.get(..path) {
        return false;
    }
    let utf8_query = is_utf8_query(query);
    let (mut at, mut bt) = (path, path);
    let mut place = Place::Path;
    while at < a.len() || bt < b.len() {
        let (Some(&x), Some(&y)) = (a.get(at), b.get(bt)) else {
            return false;
        };
        if x == y {
            if x < 0x20 || x == b'\\' {
                return false;
            }
            place = place.after(x);
            (at, bt) = (at + 1, bt + 1);
            continue;
        }
        if place == Place::Query && !utf8_query {
            return false;
        }
        let steps = match (x >= 0x80, y >= 0x80) {
            (true, false) if is_escape(&b[bt..], x) => (1, 3),
            (false, true) if is_escape(&a[at..], y) => (3, 1),
            _ => return false,
        };
        (at, bt) = (at + steps.0, bt + steps.1);
    }
    true
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Path,
    Query,
    Fragment,
}

impl Place {
    fn after(self, byte: u8) -> Place {
        match (self, byte) {
            (_, b'#') => Place::Fragment,
            (Place::Path, b'?') => Place::Query,
            _ => self,
        }
    }
}

/// Where the path begins, when browsers see the components where the grammar does.
fn quick_path_start(text: &str) -> Option<usize> {
    if text.bytes().next()? <= b' ' {
        return None;
    }
    let parts = Parts::split(text);
    let path = parts.path_range().start;
    let blunt = |byte: u8| byte < 0x20 || byte == b'\\';
    if text.bytes().take(path).any(blunt) {
        return None;
    }
    match (parts.scheme(), parts.authority()) {
        (_, Some("")) => None,
        (Some(scheme), None) if is_special(scheme) => None,
        _ => Some(path),
    }
}

/// Whether the bytes begin with the escape of this octet.
fn is_escape(bytes: &[u8], wanted: u8) -> bool {
    bytes.first() == Some(&b'%') && octet(&bytes[1..]) == Some(wanted)
}

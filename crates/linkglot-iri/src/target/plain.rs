//! URLs that are parsed and serialized in one pass: most links of the web.

use super::percent_encode::{self, FRAGMENT, PATH, SPECIAL_QUERY, is_utf8_query};
use linkglot_charset::Charset;

/// The schemes of nearly all links.
const PREFIXES: [&str; 2] = ["https://", "http://"];

/// The URL of an absolute reference from which parsing and serializing (URL Standard 4.4 and 4.5) remove nothing: a
/// reference of the web with a host in lower-case ASCII, a path, no dot segments, and a query that is in UTF-8. `None`
/// for any other reference.
pub(super) fn url(reference: &str, query: Charset) -> Option<String> {
    let is_there = |prefix: &&&str| reference.starts_with(**prefix);
    let prefix = PREFIXES.iter().find(is_there)?;
    let rest = &reference[prefix.len()..];
    let (host, rest) = rest.split_at(rest.bytes().position(|byte| byte == b'/')?);
    let changes = |found, byte| found | (byte <= b' ') | (byte == b'\\');
    // The loop has no exit, so that it goes over many bytes at once.
    if !is_plain_host(host) || rest.bytes().fold(false, changes) {
        return None;
    }
    let (rest, fragment) = cut(rest, b'#');
    let (path, asked) = cut(rest, b'?');
    let is_known = |asked: &str| asked.is_ascii() || is_utf8_query(query);
    if may_have_dots(path) || !asked.is_none_or(is_known) {
        return None;
    }
    let mut url = String::with_capacity(3 * reference.len());
    url.push_str(prefix);
    url.push_str(host);
    percent_encode::push(&mut url, path, PATH);
    for (delimiter, part, set) in [('?', asked, SPECIAL_QUERY), ('#', fragment, FRAGMENT)] {
        if let Some(part) = part {
            url.push(delimiter);
            percent_encode::push(&mut url, part, set);
        }
    }
    Some(url)
}

/// The host of a reference of the web, if it is written in its only form: in lower-case ASCII, without a port or a user
/// name. `None` for any other reference. O(length of the host).
///
/// ```
/// use linkglot_iri::target::plain_host;
///
/// assert_eq!(plain_host("https://www.a.example?b"), Some("www.a.example"));
/// assert_eq!(plain_host("https://A.example/"), None);
/// ```
pub fn plain_host(reference: &str) -> Option<&str> {
    let mut prefixes = PREFIXES.iter();
    let rest = prefixes.find_map(|prefix| reference.strip_prefix(prefix))?;
    let end = rest
        .bytes()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'));
    Some(&rest[..end.unwrap_or(rest.len())]).filter(|host| is_plain_host(host))
}

/// True if a host is a name that IDNA and the URL Standard (3.5) leave as it is: labels of lower-case letters and
/// digits, with hyphens between them but no prefix of punycode or of another kind, and a last label that begins with a
/// letter.
fn is_plain_host(host: &str) -> bool {
    const LONGEST: usize = 63;
    let is_plain_label = |label: &[u8]| match label {
        [first, .., last] => {
            let has_prefix = label.get(2..4) == Some(b"--");
            is_plain(*first) && is_plain(*last) && !has_prefix && label.len() <= LONGEST
        }
        [only] => is_plain(*only),
        [] => false,
    };
    let bytes = host.as_bytes();
    let last = bytes.rsplit(|byte| *byte == b'.').next();
    bytes
        .iter()
        .all(|&byte| is_plain(byte) || matches!(byte, b'-' | b'.'))
        && bytes.split(|byte| *byte == b'.').all(is_plain_label)
        && last
            .and_then(<[u8]>::first)
            .is_some_and(u8::is_ascii_lowercase)
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// In a longer path the search is for dots instead of slashes, which may be many more.
const LONG: usize = 256;

/// True if a segment of the path may be `.` or `..`, or one of their escaped forms.
fn may_have_dots(path: &str) -> bool {
    if path.len() > LONG {
        let has = |dots: &[u8]| memchr::memmem::find(path.as_bytes(), dots).is_some();
        return has(b"/.") || has(b"/%2");
    }
    let mut slashes = memchr::memchr_iter(b'/', path.as_bytes());
    slashes.any(|at| path[at + 1..].starts_with('.') || path[at + 1..].starts_with("%2"))
}

/// The text before a delimiter, and the text behind it, if any.
fn cut(text: &str, delimiter: u8) -> (&str, Option<&str>) {
    match memchr::memchr(delimiter, text.as_bytes()) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

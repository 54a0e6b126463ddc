//! The ladder of comparison (RFC 3987 5.3): when two IRIs are the same, and the form in which they
//! are compared.
//!
//! Characters are never normalized (5.3.2.2), nothing is fetched (5.3.4). From the percent rung on
//! it is the URI forms (3.1) that are compared.

use super::class::{self, UNRESERVED};
use super::host;
use super::parts::Parts;
use super::percent::would_complete;
use super::resolve::{Recomposition, remove_dot_segments};
use super::to_uri::Idna;
use crate::ascii::hex_value;
use std::borrow::Cow;

/// The rungs of the ladder, each with what those below it do.
///
/// ```
/// use linkglot::iri::Level;
///
/// assert!(Level::Case < Level::Percent);
/// assert_eq!(Level::default(), Level::Path);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// Character by character (5.3.1).
    String,
    /// The case of scheme, host and hexadecimal digits (5.3.2.1).
    Case,
    /// Percent-encoding of unreserved characters and of those beyond ASCII (5.3.2.3).
    Percent,
    /// `.` and `..` segments (5.3.2.4).
    #[default]
    Path,
    /// Default ports and authorities, empty paths, host names in Unicode and in punycode (5.3.3).
    Scheme,
}

impl Level {
    /// All rungs, the lowest first.
    ///
    /// ```
    /// use linkglot::iri::{Level, equivalent};
    ///
    /// let same = Level::ALL.map(|level| equivalent("x:/%7e", "X:/./~", level));
    /// assert_eq!(same, [false, false, false, true, true]);
    /// ```
    pub const ALL: [Level; 5] = [
        Level::String,
        Level::Case,
        Level::Percent,
        Level::Path,
        Level::Scheme,
    ];

    /// The name of the rung.
    ///
    /// ```
    /// assert_eq!(linkglot::iri::Level::Scheme.name(), "scheme");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Level::String => "string",
            Level::Case => "case",
            Level::Percent => "percent",
            Level::Path => "path",
            Level::Scheme => "scheme",
        }
    }

    /// The rung of that name.
    ///
    /// ```
    /// use linkglot::iri::Level;
    ///
    /// assert_eq!(Level::from_name("path"), Some(Level::Path));
    /// assert_eq!(Level::from_name("protocol"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// Whether two IRIs or references are the same on a rung of the ladder. Linear.
///
/// ```
/// use linkglot::iri::{Level, equivalent};
///
/// assert!(equivalent("http://é.example", "HTTP://xn--9ca.example:80/", Level::Scheme));
/// assert!(!equivalent("http://é.example", "http://xn--9ca.example", Level::Path));
/// assert!(!equivalent("/é", "/e\u{301}", Level::Scheme));
/// ```
pub fn equivalent(a: &str, b: &str, level: Level) -> bool {
    a == b || normalize(a, level) == normalize(b, level)
}

/// The lowest rung on which two IRIs are the same, if there is one. Linear.
///
/// ```
/// use linkglot::iri::{Level, first_level};
///
/// assert_eq!(first_level("/%7e", "/~"), Some(Level::Percent));
/// assert_eq!(first_level("/a", "/A"), None);
/// ```
pub fn first_level(a: &str, b: &str) -> Option<Level> {
    Level::ALL
        .into_iter()
        .find(|&level| equivalent(a, b, level))
}

/// The normal form of an IRI or reference on a rung: from [`Level::Percent`] on a URI, as far as
/// the text was an IRI. What is no IRI comes out as far as it can be read. Linear, idempotent.
///
/// ```
/// use linkglot::iri::{Level, normalize};
///
/// assert_eq!(normalize("HTTP://É.example:80/%7e%2f/../é", Level::Scheme), "http://xn--9ca.example/%C3%A9");
/// ```
pub fn normalize(iri: &str, level: Level) -> String {
    if level == Level::String {
        return iri.to_owned();
    }
    let parts = Parts::split(iri);
    let scheme = parts.scheme().map(str::to_ascii_lowercase);
    let scheme = scheme.as_deref();
    let authority = parts
        .authority()
        .map(|_| normal_authority(&parts, scheme, level));
    let query = parts.query().map(|query| octets(query, level));
    let fragment = parts.fragment().map(|fragment| octets(fragment, level));
    let recomposition = Recomposition {
        scheme,
        authority: authority.as_deref(),
        path: normal_path(&parts, level),
        query: query.as_deref(),
        fragment: fragment.as_deref(),
    };
    recomposition.write()
}

fn normal_path<'a>(parts: &Parts<'a>, level: Level) -> Cow<'a, str> {
    let path = octets(parts.path(), level);
    if level < Level::Path {
        return path;
    }
    if level >= Level::Scheme && path.is_empty() && parts.authority().is_some() {
        return Cow::Borrowed("/");
    }
    let is_below = parts.scheme().is_none() && parts.authority().is_none();
    if is_below && !path.starts_with('/') {
        return Cow::Owned(relative_path(&path));
    }
    Cow::Owned(remove_dot_segments(&path).into_owned())
}

/// The shortest path that means the same below any base: leading `..` segments stay.
fn relative_path(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut ends_in_directory = false;
    for segment in path.split('/') {
        ends_in_directory = matches!(segment, "." | "..");
        match segment {
            "." => {}
            ".." if kept.last().is_some_and(|&last| last != "..") => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    if ends_in_directory {
        kept.push("");
    }
    let shortened = kept.join("/");
    let is_other = shortened.is_empty() && !path.is_empty()
        || shortened.starts_with('/')
        || kept.first().is_some_and(|first| first.contains(':'));
    if is_other {
        format!("./{shortened}")
    } else {
        shortened
    }
}

fn normal_authority(parts: &Parts<'_>, scheme: Option<&str>, level: Level) -> String {
    let mut out = String::new();
    if let Some(userinfo) = parts.userinfo() {
        out.push_str(&octets(userinfo, level));
        out.push('@');
    }
    let host = normal_host(parts.host().unwrap_or_default(), scheme, level);
    let is_alone = parts.userinfo().is_none() && parts.port().is_none_or(str::is_empty);
    let is_default = level >= Level::Scheme && is_alone && is_default_host(scheme, &host);
    if !is_default {
        out.push_str(&host);
    }
    // Behind what is no host, `a:80`, a port would be taken off that next time.
    let may_go = level >= Level::Scheme && is_one_host(&host);
    if let Some(port) = parts.port()
        && !(may_go && is_default_port(scheme, port))
    {
        out.push(':');
        out.push_str(&octets(port, level));
    }
    out
}

fn normal_host(host: &str, scheme: Option<&str>, level: Level) -> String {
    let has_dns_name = level >= Level::Scheme && scheme.is_some_and(host::uses_dns);
    let named = has_dns_name
        .then(|| host::punycode(host, Idna::Uts46))
        .flatten();
    let mut host = octets(named.as_deref().unwrap_or(host), level).into_owned();
    lower(&mut host);
    host
}

/// Lower case for ASCII letters that are no hexadecimal digits of an escape.
fn lower(host: &mut String) {
    if !host.contains('%') {
        return host.make_ascii_lowercase();
    }
    let mut out = String::with_capacity(host.len());
    let mut rest = host.as_str();
    while let Some(at) = rest.find('%') {
        let end = if is_escape(&rest.as_bytes()[at..]) {
            at + 3
        } else {
            at + 1
        };
        out.extend(rest[..at].chars().map(|ch| ch.to_ascii_lowercase()));
        out.push_str(&rest[at..end]);
        rest = &rest[end..];
    }
    out.extend(rest.chars().map(|ch| ch.to_ascii_lowercase()));
    *host = out;
}

/// The octets of a component on a rung: upper-case hexadecimal digits, and from the percent rung on
/// unreserved characters unescaped and those beyond ASCII escaped.
fn octets(text: &str, level: Level) -> Cow<'_, str> {
    let percent = level >= Level::Percent;
    if !text.contains('%') && (!percent || text.is_ascii()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut at = 0;
    while let Some(ch) = text[at..].chars().next() {
        at += match escaped_octet(&text.as_bytes()[at..]) {
            Some(octet) => {
                let is_plain = percent && class::is(octet, UNRESERVED);
                let is_plain = is_plain && !would_complete(&out, octet.into());
                push_octet(&mut out, octet, is_plain);
                3
            }
            None => {
                push_char(&mut out, ch, percent);
                ch.len_utf8()
            }
        };
    }
    Cow::Owned(out)
}

fn push_char(out: &mut String, ch: char, percent: bool) {
    if ch.is_ascii() || !percent {
        return out.push(ch);
    }
    for &octet in ch.encode_utf8(&mut [0; 4]).as_bytes() {
        push_octet(out, octet, false);
    }
}

fn push_octet(out: &mut String, octet: u8, is_plain: bool) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    if is_plain {
        return out.push(char::from(octet));
    }
    out.push('%');
    out.push(char::from(DIGITS[usize::from(octet >> 4)]));
    out.push(char::from(DIGITS[usize::from(octet & 15)]));
}

/// The octet of the escape that the bytes begin with.
fn escaped_octet(bytes: &[u8]) -> Option<u8> {
    match bytes {
        [b'%', high, low, ..] => Some(hex_value(*high)? << 4 | hex_value(*low)?),
        _ => None,
    }
}

fn is_escape(bytes: &[u8]) -> bool {
    escaped_octet(bytes).is_some()
}

/// Whether a host alone is the one that an empty authority means (5.3.3; RFC 8089 2 for `file`).
fn is_default_host(scheme: Option<&str>, host: &str) -> bool {
    scheme == Some("file") && host == "localhost"
}

/// Whether no colon stands in a host, but for those of an IP literal.
fn is_one_host(host: &str) -> bool {
    match host.strip_prefix('[') {
        Some(literal) => literal.find(']').is_some_and(|at| at + 1 == literal.len()),
        None => !host.contains(':'),
    }
}

/// Default ports, as the definitions of the schemes have them.
const PORTS: [(&str, &str); 30] = [
    ("acap", "674"),
    ("coap", "5683"),
    ("coaps", "5684"),
    ("dict", "2628"),
    ("ftp", "21"),
    ("ftps", "990"),
    ("git", "9418"),
    ("gopher", "70"),
    ("http", "80"),
    ("https", "443"),
    ("imap", "143"),
    ("imaps", "993"),
    ("ipp", "631"),
    ("ipps", "631"),
    ("irc", "6667"),
    ("ircs", "6697"),
    ("ldap", "389"),
    ("ldaps", "636"),
    ("nfs", "2049"),
    ("nntp", "119"),
    ("pop", "110"),
    ("rsync", "873"),
    ("rtsp", "554"),
    ("sftp", "22"),
    ("ssh", "22"),
    ("svn", "3690"),
    ("telnet", "23"),
    ("vnc", "5900"),
    ("ws", "80"),
    ("wss", "443"),
];

/// Whether a port is empty or the scheme's default.
fn is_default_port(scheme: Option<&str>, port: &str) -> bool {
    let default = PORTS.iter().find(|(name, _)| Some(*name) == scheme);
    port.is_empty() || default.is_some_and(|(_, default)| *default == port)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rung on which both are the same, from either side.
    #[track_caller]
    fn rung(a: &str, b: &str, expected: Option<Level>) {
        assert_eq!(first_level(a, b), expected, "{a:?} {b:?}");
        assert_eq!(first_level(b, a), expected, "{b:?} {a:?}");
    }

    #[test]
    fn each_rung_has_its_differences() {
        rung("x:é", "x:é", Some(Level::String));
        rung(
            "X://EX%c3ample/%c3",
            "x://ex%C3AMPLE/%C3",
            Some(Level::Case),
        );
        rung("//É.Example", "//É.example", Some(Level::Case));
        rung("x://u%7E@%41.é/", "x://u~@a.%C3%A9/", Some(Level::Percent));
        rung("/%_%65x", "/%_ex", Some(Level::Percent));
        rung("x:/a/./b/../ü", "x:/a/%C3%BC", Some(Level::Path));
        rung("/a/%2E%2e/b", "/b", Some(Level::Path));
        rung(
            "https://é.example:443",
            "https://xn--9ca.example/",
            Some(Level::Scheme),
        );
        rung("x://h:", "x://h/", Some(Level::Scheme));
        rung("ws://%C3%89", "ws://é", Some(Level::Scheme));
        rung("file://LocalHost/ü", "file:///%C3%BC", Some(Level::Scheme));
    }

    #[test]
    fn what_is_never_the_same() {
        for (a, b) in [
            ("/a", "/A"),
            ("/%2F", "//"),
            ("/%25%34%31", "/%41"),
            ("/%%34%31", "/%41"),
            ("/%%341", "/A"),
            ("http://a:80:80/", "http://a/"),
            ("http://a:80:80/", "http://a:80/"),
            ("//a::", "//a"),
            ("http://[::1]:80:80", "http://[::1]"),
            ("h%74tp:x", "http:x"),
            ("../a", "a"),
            ("a/..", ""),
            ("x:/.//a", "x://a"),
            ("/.//a", "//a"),
            (".//a", "/a"),
            ("./a:b", "a:b"),
            ("/é", "/e\u{301}"),
            ("/é", "/%E9"),
            ("http://a:8080", "http://a"),
            ("http://localhost/", "http:///"),
            ("file://u@localhost/", "file:///"),
            ("x://a:80", "x://a"),
            ("foo://é", "foo://xn--9ca"),
            ("/a?", "/a"),
            ("/a#", "/a"),
            ("http://%00é/", "http:///"),
        ] {
            rung(a, b, None);
        }
    }

    /// All texts of a few pieces around every delimiter of an authority, and around escapes.
    #[test]
    fn normal_forms_are_normal() {
        const PIECES: [&str; 11] = ["a", ":", "80", "@", "[", "]", "::1", "%", "%41", "é", "/.."];
        for number in 0..PIECES.len().pow(4) {
            let mut text = String::from(["//", "http://", "ws:", "file://"][number % 4]);
            let mut rest = number;
            for _ in 0..4 {
                text.push_str(PIECES[rest % PIECES.len()]);
                rest /= PIECES.len();
            }
            for level in Level::ALL {
                let normal = normalize(&text, level);
                assert_eq!(normalize(&normal, level), normal, "{text:?} {level:?}");
            }
        }
    }

    #[test]
    fn relative_paths_stay_relative() {
        for (path, normal) in [
            ("", ""),
            (".", "./"),
            ("..", "../"),
            ("./", "./"),
            ("a/..", "./"),
            ("a/../..", "../"),
            ("../../a/./b", "../../a/b"),
            ("./a:b", "./a:b"),
            ("c/../a:b", "./a:b"),
            ("a/b/.", "a/b/"),
            ("a/b/..", "a/"),
            ("a//../b", "a/b"),
            ("./../a", "../a"),
        ] {
            assert_eq!(normalize(path, Level::Path), normal, "{path:?}");
        }
    }
}

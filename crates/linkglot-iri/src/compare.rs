//! Equivalence of IRIs on the rungs of the comparison ladder (RFC 3987 5.3), and the normal forms
//! that are compared.
//!
//! Characters are never normalized (5.3.2.2), nothing is fetched (5.3.4). From the percent rung on,
//! the URI forms (3.1) are compared.

use crate::class::{self, UNRESERVED};
use crate::coded::coded;
use crate::idna::Idna;
use crate::parts::Parts;
use crate::percent::{self, push_escape, would_complete};
use crate::resolve::{Recomposition, remove_dot_segments};
use crate::{host, scheme};
use linkglot_charset::ascii::percent_octet;
use std::borrow::Cow;

/// The rungs of the comparison ladder; each includes those below it.
///
/// ```
/// use linkglot_iri::Level;
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
    /// Percent-encoding of unreserved characters and of characters beyond ASCII (5.3.2.3).
    Percent,
    /// `.` and `..` segments (5.3.2.4).
    #[default]
    Path,
    /// Default ports and authorities, empty paths, host names in Unicode and in punycode (5.3.3).
    Scheme,
}

impl Level {
    /// All rungs, lowest first.
    ///
    /// ```
    /// use linkglot_iri::{Level, equivalent};
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
    /// assert_eq!(linkglot_iri::Level::Scheme.name(), "scheme");
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

    /// The rung of a name.
    ///
    /// ```
    /// use linkglot_iri::Level;
    ///
    /// assert_eq!(Level::from_name("path"), Some(Level::Path));
    /// assert_eq!(Level::from_name("protocol"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// True if two IRIs or references are equivalent on a rung. Linear.
///
/// ```
/// use linkglot_iri::{Level, equivalent};
///
/// assert!(equivalent("http://é.example", "HTTP://xn--9ca.example:80/", Level::Scheme));
/// assert!(!equivalent("http://é.example", "http://xn--9ca.example", Level::Path));
/// assert!(!equivalent("/é", "/e\u{301}", Level::Scheme));
/// ```
pub fn equivalent(a: &str, b: &str, level: Level) -> bool {
    a == b || normalize(a, level) == normalize(b, level)
}

/// The lowest rung on which two IRIs are equivalent, if any. Linear.
///
/// ```
/// use linkglot_iri::{Level, first_level};
///
/// assert_eq!(first_level("/%7e", "/~"), Some(Level::Percent));
/// assert_eq!(first_level("/a", "/A"), None);
/// ```
pub fn first_level(a: &str, b: &str) -> Option<Level> {
    Level::ALL
        .into_iter()
        .find(|&level| equivalent(a, b, level))
}

coded! {
    /// The components of an IRI, in the order of the text.
    ///
    /// ```
    /// use linkglot_iri::{Component, Parts};
    ///
    /// let parts = Parts::split("http://example.org/é");
    /// assert_eq!(Component::Path.of(&parts), Some("/é"));
    /// assert_eq!(Component::Query.of(&parts), None);
    /// assert_eq!(Component::Userinfo.code(), "userinfo");
    /// ```
    pub enum Component {
        /// The scheme.
        Scheme = "scheme", "the scheme";
        /// The userinfo.
        Userinfo = "userinfo", "the userinfo";
        /// The host, present in every authority.
        Host = "host", "the host";
        /// The port.
        Port = "port", "the port";
        /// The path, present in every reference.
        Path = "path", "the path";
        /// The query.
        Query = "query", "the query";
        /// The fragment.
        Fragment = "fragment", "the fragment";
    }
}

impl Component {
    /// The text of the component, without delimiters.
    ///
    /// ```
    /// use linkglot_iri::{Component, Parts};
    ///
    /// assert_eq!(Component::Port.of(&Parts::split("//a:80")), Some("80"));
    /// ```
    pub fn of<'a>(self, parts: &Parts<'a>) -> Option<&'a str> {
        match self {
            Component::Scheme => parts.scheme(),
            Component::Userinfo => parts.userinfo(),
            Component::Host => parts.host(),
            Component::Port => parts.port(),
            Component::Path => Some(parts.path()),
            Component::Query => parts.query(),
            Component::Fragment => parts.fragment(),
        }
    }
}

/// The result of [`compare`].
///
/// ```
/// use linkglot_iri::{Component, Comparison, compare};
///
/// assert_eq!(compare("//a/b", "//a/c"), Comparison::Different(Component::Path));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// Equivalent, from this rung on.
    Same(Level),
    /// Different on every rung; this component is the first that differs on the highest.
    Different(Component),
}

/// Compares two IRIs or references on all rungs, from the lowest. References are compared unresolved: resolve
/// references to different bases first (5.1). Linear.
///
/// ```
/// use linkglot_iri::{Component, Comparison, Level, compare};
///
/// let compare = |b| compare("http://example.org/~%C3%A9", b);
/// assert_eq!(compare("http://example.org/%7e%c3%a9"), Comparison::Same(Level::Percent));
/// assert_eq!(compare("http://EXAMPLE.org:80/a/../~é"), Comparison::Same(Level::Scheme));
/// // The look is the same, but no rung applies NFC (5.3.2.2).
/// assert_eq!(compare("http://example.org/~e\u{301}"), Comparison::Different(Component::Path));
/// ```
pub fn compare(a: &str, b: &str) -> Comparison {
    if let Some(level) = first_level(a, b) {
        return Comparison::Same(level);
    }
    let [a, b] = [a, b].map(|iri| normalize(iri, Level::Scheme));
    let (a, b) = (Parts::split(&a), Parts::split(&b));
    let mut components = Component::ALL.into_iter();
    let differing = components.find(|component| component.of(&a) != component.of(&b));
    Comparison::Different(differing.unwrap_or(Component::Path))
}

/// The normal form of an IRI or reference on a rung; from [`Level::Percent`] on, a URI. In invalid text, the components
/// that can be told apart are normalized. Linear, idempotent.
///
/// ```
/// use linkglot_iri::{Level, normalize};
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
    let query = parts.query().map(|query| normal_octets(query, level));
    let fragment = parts
        .fragment()
        .map(|fragment| normal_octets(fragment, level));
    let recomposition = Recomposition {
        scheme,
        authority: authority.as_deref(),
        path: normal_path(&parts, level),
        query: query.as_deref(),
        fragment: fragment.as_deref(),
    };
    recomposition.write()
}

/// As [`normalize`], but with the host in punycode also on [`Level::Percent`] and [`Level::Path`]: a URI in the
/// spelling that equivalent URIs share.
///
/// ```
/// use linkglot_iri::{Level, normalize_with_punycode};
///
/// let normal = normalize_with_punycode("http://\u{e9}.example:80/%7Ea", Level::Path);
/// assert_eq!(normal, "http://xn--9ca.example:80/~a");
/// ```
pub fn normalize_with_punycode(iri: &str, level: Level) -> String {
    let normal = normalize(iri, level);
    if level < Level::Percent || level >= Level::Scheme {
        return normal;
    }
    let highest = normalize(iri, Level::Scheme);
    let host = Parts::split(&highest).host();
    let with_host = host.and_then(|host| Parts::split(&normal).with_host(host));
    with_host.unwrap_or(normal)
}

fn normal_path<'a>(parts: &Parts<'a>, level: Level) -> Cow<'a, str> {
    let path = normal_octets(parts.path(), level);
    if level < Level::Path {
        return path;
    }
    if level >= Level::Scheme && path.is_empty() && parts.authority().is_some() {
        return Cow::Borrowed("/");
    }
    let is_relative = parts.scheme().is_none() && parts.authority().is_none();
    if is_relative && !path.starts_with('/') {
        return Cow::Owned(relative_path(&path));
    }
    Cow::Owned(remove_dot_segments(&path).into_owned())
}

/// The shortest path that resolves to the same below any base: leading `..` segments stay.
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
    // Without `./` the path would be the empty reference, an absolute path, or begin with a scheme.
    let is_misread = shortened.is_empty() && !path.is_empty()
        || shortened.starts_with('/')
        || kept.first().is_some_and(|first| first.contains(':'));
    if is_misread {
        format!("./{shortened}")
    } else {
        shortened
    }
}

fn normal_authority(parts: &Parts<'_>, scheme: Option<&str>, level: Level) -> String {
    let mut out = String::new();
    if let Some(userinfo) = parts.userinfo() {
        out.push_str(&normal_octets(userinfo, level));
        out.push('@');
    }
    let host = normal_host(parts.host().unwrap_or_default(), scheme, level);
    let is_bare = parts.userinfo().is_none() && parts.port().is_none_or(str::is_empty);
    if level < Level::Scheme || !is_bare || !is_default_host(scheme, &host) {
        out.push_str(&host);
    }
    // After `a:80`, which is no host, a port would make that port the last one.
    let may_omit = level >= Level::Scheme && is_one_host(&host);
    if let Some(port) = parts.port()
        && !(may_omit && is_default_port(scheme, port))
    {
        out.push(':');
        out.push_str(&normal_octets(port, level));
    }
    out
}

fn normal_host(host: &str, scheme: Option<&str>, level: Level) -> String {
    let has_dns_name = level >= Level::Scheme && scheme.is_some_and(scheme::uses_dns);
    let named = has_dns_name
        .then(|| host::punycode(host, Idna::Uts46))
        .flatten();
    lower_case(&normal_octets(named.as_deref().unwrap_or(host), level))
}

/// Lower case for ASCII letters, but for the hexadecimal digits of escapes.
fn lower_case(host: &str) -> String {
    let mut out = String::with_capacity(host.len());
    let mut rest = host;
    while let Some(at) = rest.find('%') {
        let is_escape = percent_octet(&rest.as_bytes()[at..]).is_some();
        let end = at + if is_escape { 3 } else { 1 };
        out.push_str(&rest[..at].to_ascii_lowercase());
        out.push_str(&rest[at..end]);
        rest = &rest[end..];
    }
    out + &rest.to_ascii_lowercase()
}

/// The text of a component on a rung: hexadecimal digits in upper case, and from the percent rung on unreserved
/// characters decoded and characters beyond ASCII encoded.
fn normal_octets(text: &str, level: Level) -> Cow<'_, str> {
    let encodes = level >= Level::Percent;
    if !text.contains('%') && (!encodes || text.is_ascii()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut at = 0;
    while let Some(ch) = text[at..].chars().next() {
        at += match percent_octet(&text.as_bytes()[at..]) {
            Some(octet) => {
                let ch = char::from(octet);
                if encodes && class::is(octet, UNRESERVED) && !would_complete(&out, ch) {
                    out.push(ch);
                } else {
                    push_escape(&mut out, octet);
                }
                3
            }
            None if encodes && !ch.is_ascii() => {
                percent::push_char(&mut out, ch);
                ch.len_utf8()
            }
            None => {
                out.push(ch);
                ch.len_utf8()
            }
        };
    }
    Cow::Owned(out)
}

/// True if the host means the same as an empty authority (5.3.3; RFC 8089 2 for `file`).
fn is_default_host(scheme: Option<&str>, host: &str) -> bool {
    scheme == Some("file") && host == "localhost"
}

/// True if a host has no colon outside of an IP literal.
fn is_one_host(host: &str) -> bool {
    match host.strip_prefix('[') {
        Some(literal) => literal.find(']').is_some_and(|at| at + 1 == literal.len()),
        None => !host.contains(':'),
    }
}

/// True if a port is empty or the scheme's default.
fn is_default_port(scheme: Option<&str>, port: &str) -> bool {
    let default = scheme.and_then(scheme::default_port);
    port.is_empty() || default.is_some_and(|default| default.to_string() == port)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the lowest rung on which both are equivalent, in either order.
    #[track_caller]
    fn rung(a: &str, b: &str, expected: Option<Level>) {
        assert_eq!(first_level(a, b), expected, "{a:?} {b:?}");
        assert_eq!(first_level(b, a), expected, "{b:?} {a:?}");
    }

    #[test]
    fn rungs_and_their_equivalences() {
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
    fn different_on_every_rung() {
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

    #[test]
    fn components_that_differ() {
        for (a, b, component) in [
            ("x:/a", "y:/a", Component::Scheme),
            ("x:/a", "/a", Component::Scheme),
            ("//a@b", "//A@b", Component::Userinfo),
            ("//@b", "//b", Component::Userinfo),
            ("//a", "//b", Component::Host),
            ("///a", "/a", Component::Host),
            ("http://é/", "http://e\u{301}/x", Component::Path),
            ("foo://é", "foo://xn--9ca", Component::Host),
            ("http://a:81", "http://a", Component::Port),
            ("/%2F", "//", Component::Host),
            ("/a%2Fb", "/a/b", Component::Path),
            ("/é", "/e\u{301}", Component::Path),
            ("?a", "?A", Component::Query),
            ("?", "", Component::Query),
            ("#", "", Component::Fragment),
            ("/.//a", "//a", Component::Host),
            ("a/..", "", Component::Path),
        ] {
            let expected = Comparison::Different(component);
            assert_eq!(compare(a, b), expected, "{a:?} {b:?}");
            assert_eq!(compare(b, a), expected, "{b:?} {a:?}");
        }
    }

    /// All texts of four pieces: delimiters of an authority, and escapes.
    #[test]
    fn normalizing_is_idempotent() {
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

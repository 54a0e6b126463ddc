//! The table of URI schemes, and everything that a scheme decides.
//!
//! Case never matters. A scheme that is not in the table has none of the properties.

use crate::class::{self, SCHEME};

/// A scheme and its properties.
struct Scheme {
    name: &'static str,
    /// The default port of its definition; 0 without one.
    port: u16,
    properties: u8,
}

/// The authority names a host in the DNS, by the scheme's definition: see [`uses_dns`].
const DNS: u8 = 1 << 0;
/// See [`is_special`].
const SPECIAL: u8 = 1 << 1;
/// See [`has_document_query`].
const DOCUMENT_QUERY: u8 = 1 << 2;
/// See [`is_http`].
const HTTP: u8 = 1 << 3;
/// See [`is_fetched`].
const NOT_FETCHED: u8 = 1 << 4;
/// See [`may_be_base`].
const NO_BASE: u8 = 1 << 5;

/// The schemes of the web, for which [`is_http`] holds.
///
/// ```
/// use linkglot_iri::scheme::{HTTP_SCHEMES, is_http};
///
/// assert!(HTTP_SCHEMES.into_iter().all(is_http));
/// ```
pub const HTTP_SCHEMES: [&str; 2] = ["http", "https"];

const fn scheme(name: &'static str, port: u16, properties: u8) -> Scheme {
    Scheme {
        name,
        port,
        properties,
    }
}

/// The special schemes, which nearly all links have, come first.
static SCHEMES: [Scheme; 41] = [
    scheme("https", 443, DNS | SPECIAL | DOCUMENT_QUERY | HTTP),
    scheme("http", 80, DNS | SPECIAL | DOCUMENT_QUERY | HTTP),
    scheme("ftp", 21, DNS | SPECIAL | DOCUMENT_QUERY),
    scheme("file", 0, DNS | SPECIAL | DOCUMENT_QUERY),
    scheme("ws", 80, DNS | SPECIAL),
    scheme("wss", 443, DNS | SPECIAL),
    scheme("about", 0, NOT_FETCHED),
    scheme("data", 0, NOT_FETCHED | NO_BASE),
    scheme("javascript", 0, NOT_FETCHED | NO_BASE),
    scheme("vbscript", 0, NOT_FETCHED),
    scheme("acap", 674, DNS),
    scheme("coap", 5683, DNS),
    scheme("coaps", 5684, DNS),
    scheme("dict", 2628, DNS),
    scheme("ftps", 990, DNS),
    scheme("git", 9418, DNS),
    scheme("gopher", 70, DNS),
    scheme("imap", 143, DNS),
    scheme("imaps", 993, DNS),
    scheme("ipp", 631, DNS),
    scheme("ipps", 631, DNS),
    scheme("irc", 6667, DNS),
    scheme("ircs", 6697, DNS),
    scheme("ldap", 389, DNS),
    scheme("ldaps", 636, DNS),
    scheme("mms", 0, DNS),
    scheme("nfs", 2049, DNS),
    scheme("nntp", 119, DNS),
    scheme("pop", 110, DNS),
    scheme("rsync", 873, DNS),
    scheme("rtsp", 554, DNS),
    scheme("rtsps", 0, DNS),
    scheme("sftp", 22, DNS),
    scheme("smb", 0, DNS),
    scheme("snmp", 0, DNS),
    scheme("ssh", 22, DNS),
    scheme("svn", 3690, DNS),
    scheme("telnet", 23, DNS),
    scheme("tftp", 0, DNS),
    scheme("vnc", 5900, DNS),
    scheme("xmpp", 0, DNS),
];

fn find(name: &str) -> Option<&'static Scheme> {
    SCHEMES
        .iter()
        .find(|scheme| scheme.name.eq_ignore_ascii_case(name))
}

fn has(name: &str, property: u8) -> bool {
    find(name).is_some_and(|scheme| scheme.properties & property != 0)
}

/// True if the authority of the scheme's URIs names a host in the DNS: schemes that browsers know (`file`, too: RFC
/// 8089 2 has a domain there) and registered schemes for fetching, talking and logging in. Not `mailto`, `news`, `sip`
/// or `urn`, which have no authority.
///
/// ```
/// use linkglot_iri::scheme::uses_dns;
///
/// assert!(uses_dns("HTTP") && uses_dns("file") && !uses_dns("mailto"));
/// ```
pub fn uses_dns(scheme: &str) -> bool {
    has(scheme, DNS)
}

/// True if the scheme is special to browsers (URL Standard 4.2): browsers have their own way to read its slashes, hosts
/// and paths.
///
/// ```
/// use linkglot_iri::scheme::is_special;
///
/// assert!(is_special("http") && is_special("FILE") && !is_special("mailto"));
/// ```
pub fn is_special(scheme: &str) -> bool {
    has(scheme, SPECIAL)
}

/// True if browsers encode the query in the document's charset (URL Standard 4.4, query state): special schemes except
/// those of WebSockets.
///
/// ```
/// use linkglot_iri::scheme::has_document_query;
///
/// assert!(has_document_query("ftp") && !has_document_query("wss"));
/// ```
pub fn has_document_query(scheme: &str) -> bool {
    has(scheme, DOCUMENT_QUERY)
}

/// True if the scheme is http or https, the two whose queries may be in the document's charset by
/// draft-ietf-iri-3987bis (2011, 6.1).
///
/// ```
/// use linkglot_iri::scheme::is_http;
///
/// assert!(is_http("https") && !is_http("ftp"));
/// ```
pub fn is_http(scheme: &str) -> bool {
    has(scheme, HTTP)
}

/// True if a URI of the scheme may be fetched: false for scripts and data, which are in the URI
/// itself, and for `about`.
///
/// ```
/// use linkglot_iri::scheme::is_fetched;
///
/// assert!(is_fetched("http") && is_fetched("x-unknown") && !is_fetched("javascript"));
/// ```
pub fn is_fetched(scheme: &str) -> bool {
    !has(scheme, NOT_FETCHED)
}

/// True if the `href` of a `<base>` may have the scheme (HTML 4.2.3): browsers ignore `data` and `javascript`.
///
/// ```
/// use linkglot_iri::scheme::may_be_base;
///
/// assert!(may_be_base("file") && may_be_base("about") && !may_be_base("data"));
/// ```
pub fn may_be_base(scheme: &str) -> bool {
    !has(scheme, NO_BASE)
}

/// The default port of the scheme.
///
/// ```
/// use linkglot_iri::scheme::default_port;
///
/// assert_eq!((default_port("WSS"), default_port("file")), (Some(443), None));
/// ```
pub fn default_port(scheme: &str) -> Option<u16> {
    find(scheme)
        .map(|scheme| scheme.port)
        .filter(|&port| port > 0)
}

/// The scheme of a reference, without its colon. O(length of the scheme).
///
/// ```
/// use linkglot_iri::scheme;
///
/// assert_eq!(scheme::of("HTTP://é/"), Some("HTTP"));
/// assert_eq!(scheme::of("a/b:c"), None);
/// ```
pub fn of(reference: &str) -> Option<&str> {
    match end(reference.as_bytes()) {
        0 => None,
        end => Some(&reference[..end]),
    }
}

/// The position of the colon after a scheme; 0 without one, because no scheme is empty.
pub(crate) fn end(bytes: &[u8]) -> usize {
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return 0;
    }
    let end = bytes.iter().position(|&byte| !class::is(byte, SCHEME));
    end.filter(|&end| bytes[end] == b':').unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_in_lower_case() {
        for (at, scheme) in SCHEMES.iter().enumerate() {
            assert!(scheme.name.bytes().all(|byte| byte.is_ascii_lowercase()));
            assert!(SCHEMES[..at].iter().all(|other| other.name != scheme.name));
            let is_named = HTTP_SCHEMES.contains(&scheme.name);
            assert_eq!(is_http(scheme.name), is_named, "{}", scheme.name);
        }
    }

    #[test]
    fn schemes_end_at_a_colon() {
        for (text, expected) in [
            ("x+-.1:y", 5),
            ("a", 0),
            (":", 0),
            ("1a:", 0),
            ("a_b:", 0),
            ("é:", 0),
        ] {
            assert_eq!(end(text.as_bytes()), expected, "{text}");
        }
    }
}

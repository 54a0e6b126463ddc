//! The two halves of a prefix rule: the meaning of a half without a scheme, and the forms in which halves are compared.

use crate::charset::ascii::percent_octet;
use crate::error::{Error, ErrorKind, QUOTED, shortened};
use crate::iri::scheme::HTTP_SCHEMES;
use crate::iri::{Display, HostDisplay, Level, Parts, ToIri, ToUri, normalize};
use crate::link::{is_network_path, scheme_of};
use std::borrow::Cow;

/// Last labels that mark names of files: `index.html` is no host. None of them is a top-level domain.
const FILES: &[&str] = &[
    "html", "htm", "shtml", "xhtml", "php", "php3", "php4", "php5", "asp", "aspx", "jsp", "jspx",
    "cfm", "cgi", "js", "css", "png", "jpg", "jpeg", "gif", "svg", "webp", "pdf", "txt", "xml",
    "json",
];

/// A prefix that a rule names, and its replacement.
pub(super) struct Spelling<'r> {
    pub from: Cow<'r, str>,
    pub to: Cow<'r, str>,
    /// True if the rule leaves out the scheme or the origin.
    pub implied: bool,
    /// The number of bytes that the rule does not name in front of the host: of `www.`.
    pub added: usize,
    /// True if the prefix names only links of running text: in markup a host without a scheme is a relative path.
    pub in_text: bool,
}

/// The prefixes that a rule names. A host without a scheme stands for http and https; a path alone also stands for a
/// path of `origin`.
pub(super) fn spellings<'r>(from: &'r str, to: &'r str, origin: Option<&str>) -> Vec<Spelling<'r>> {
    let given = Spelling {
        from: Cow::Borrowed(from),
        to: with_scheme_of(from, to),
        implied: false,
        in_text: begins_with_host(from),
        added: 0,
    };
    let mut all = vec![given];
    if begins_with_host(from) {
        all.extend(HTTP_SCHEMES.map(|scheme| with_scheme(scheme, from, to)));
    }
    if let Some(origin) = origin.filter(|_| is_path(from)) {
        let to = if is_path(to) {
            Cow::Owned(format!("{origin}{to}"))
        } else {
            Cow::Borrowed(to)
        };
        all.push(Spelling {
            from: Cow::Owned(format!("{origin}{from}")),
            to,
            implied: true,
            in_text: false,
            added: 0,
        });
    }
    all
}

fn with_scheme<'r>(scheme: &str, from: &str, to: &'r str) -> Spelling<'r> {
    let whole = |half: &str| format!("{scheme}://{half}");
    Spelling {
        from: Cow::Owned(whole(from)),
        to: if begins_with_host(to) {
            Cow::Owned(whole(to))
        } else {
            Cow::Borrowed(to)
        },
        implied: true,
        in_text: false,
        added: 0,
    }
}

/// `to` with the scheme of `from`, if `to` begins with a host without a scheme.
fn with_scheme_of<'r>(from: &str, to: &'r str) -> Cow<'r, str> {
    let scheme = scheme_of(from).map_or(0, |scheme| scheme.len() + 1);
    let has_authority = !begins_with_host(from) && from[scheme..].starts_with("//");
    if has_authority && begins_with_host(to) {
        Cow::Owned(format!("{}//{to}", &from[..scheme]))
    } else {
        Cow::Borrowed(to)
    }
}

/// True if a half is a path from the root.
pub(super) fn is_path(half: &str) -> bool {
    half.starts_with('/') && !is_network_path(half)
}

/// True if a half of a rule has no scheme and begins with a host: a domain of two labels or more, perhaps with a port.
pub(super) fn begins_with_host(half: &str) -> bool {
    let end = half.find(['/', '?', '#']).unwrap_or(half.len());
    if end == 0 || half[..end].ends_with(':') || !half[..end].contains(['.', '\u{3002}']) {
        return false;
    }
    let (host, port) = half[..end].split_once(':').unwrap_or((&half[..end], "0"));
    let labels: Vec<&str> = host.split(['.', '\u{3002}']).collect();
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = labels.len() > 1 && labels.iter().all(|label| is_label(label));
    is_port && is_name && labels.last().is_some_and(|last| is_top_level(last))
}

fn is_label(label: &str) -> bool {
    let is_inner = |ch: char| ch.is_alphanumeric() || matches!(ch, '-' | '_') || !ch.is_ascii();
    !label.is_empty() && !label.starts_with('-') && label.chars().all(is_inner)
}

fn is_top_level(label: &str) -> bool {
    let is_name = label
        .chars()
        .all(|ch| !ch.is_ascii() || ch.is_ascii_alphabetic());
    let is_punycode = label
        .get(..4)
        .is_some_and(|head| head.eq_ignore_ascii_case("xn--"));
    let is_file = || FILES.iter().any(|file| file.eq_ignore_ascii_case(label));
    is_punycode || is_name && label.chars().nth(1).is_some() && !is_file()
}

/// A quick test that a reference of the Web, or one without a scheme and an authority, is its own normal form. False
/// for many others that are their own normal form, too.
pub(super) fn is_normal(reference: &str) -> bool {
    let bare = HTTP_SCHEMES.iter().find_map(|scheme| {
        let rest = reference.strip_prefix(scheme)?;
        rest.strip_prefix("://")
    });
    let host_end = |bare: &str| bare.bytes().position(|byte| byte == b'/');
    let path = match bare {
        Some(bare) => match host_end(bare) {
            Some(at) if is_plain_host(&bare[..at]) => &bare[at + 1..],
            _ => return false,
        },
        None if is_path(reference) => &reference[1..],
        // A host without a scheme, or a relative path.
        None if !reference.starts_with('/') && !reference.contains(':') => reference,
        None => return false,
    };
    let mut rest = path.as_bytes();
    let mut before = b'/';
    while let Some((&byte, behind)) = rest.split_first() {
        let is_plain = match byte {
            // A dot segment begins with a dot.
            b'.' => before != b'/',
            b'%' => begins_escape(rest),
            byte => PLAIN[usize::from(byte)],
        };
        if !is_plain {
            return false;
        }
        (before, rest) = (byte, behind);
    }
    true
}

/// True if bytes begin with an escape that has only one form: of an ASCII character that is not unreserved, with
/// digits in upper case (RFC 3986 6.2.2).
fn begins_escape(bytes: &[u8]) -> bool {
    let is_upper = |digits: &[u8]| !digits.iter().any(u8::is_ascii_lowercase);
    let octet = percent_octet(bytes).filter(|_| is_upper(&bytes[1..3]));
    octet.is_some_and(|octet| octet.is_ascii() && !is_unreserved(octet))
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// The bytes of a path, a query or a fragment that have only one form.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let all = b"-_~/?#=&+,;:@!$0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut at = 0;
    while at < all.len() {
        plain[all[at] as usize] = true;
        at += 1;
    }
    plain
};

/// True if a host has no other form. False for a host that ends with a digit: an address has other spellings.
pub(super) fn is_plain_host(host: &str) -> bool {
    let is_plain =
        |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'0'..=b'9' | b'.' | b'-');
    host.bytes().all(is_plain)
        && host.ends_with(|last: char| last.is_ascii_lowercase())
        && !host.as_bytes().windows(4).any(|label| label == b"xn--")
}

/// A host in punycode and lower case.
pub(super) fn normal_host(host: &str) -> Cow<'_, str> {
    if is_plain_host(host) {
        return Cow::Borrowed(host);
    }
    let normal = normalized(&format!("http://{host}/"));
    Cow::Owned(Parts::split(&normal).host().unwrap_or(host).to_owned())
}

/// The error for a rule of any length.
pub(super) fn invalid(message: String) -> Error {
    const MOST: usize = 5 * QUOTED;
    Error::new(ErrorKind::InvalidRule, shortened(&message, MOST))
}

/// The normal form of a half.
pub(super) fn normal_form(half: &str) -> Cow<'_, str> {
    if is_normal(half) {
        Cow::Borrowed(half)
    } else {
        Cow::Owned(normalized(half))
    }
}

/// The normal form of a reference (RFC 3986 6.2). A host has no final dot: with one, it is the same for the domain name
/// system (RFC 3986 3.2.2).
pub(super) fn normalized(reference: &str) -> String {
    let mut normal = normalize(reference, Level::Scheme);
    if let Some(host) = Parts::split(&normal).host_range()
        && host.len() > 1
        && normal[host.clone()].ends_with('.')
    {
        normal.remove(host.end - 1);
    }
    normal
}

/// A prefix as given, in URI form and in IRI form, each once.
pub(super) fn forms(prefix: &str) -> Vec<Cow<'_, str>> {
    if is_normal(prefix) {
        return vec![Cow::Borrowed(prefix)];
    }
    let shown = ToIri {
        host: HostDisplay::All,
        display: Display::All,
        ..ToIri::default()
    };
    let iri = shown.map(prefix, &|_| true).text;
    let uri = ToUri::default().map(prefix).ok();
    let uri = uri.map(|mapped| mapped.text);
    let mut forms = vec![Cow::Borrowed(prefix)];
    for other in uri.into_iter().chain([iri]) {
        if !forms.contains(&other) {
            forms.push(other);
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    /// References that pass the quick test have no other form.
    #[test]
    fn normal_forms() {
        let heads = [
            "http://a.example",
            "https://a-1.b",
            "http://A",
            "http://a.1",
            "http://xn--9ca",
            "http://a:80",
            "",
            "ftp://a",
            "a.example",
            "A.b:80",
            "xn--9ca.b",
            "./a",
            "a",
            "//a",
        ];
        let paths = [
            "",
            "/",
            "/a//b",
            "/./a",
            "/a/..",
            "/.a",
            "/%7e",
            "/%41%20",
            "/a%20b%2Fc?d=%25%3D",
            "/a%2fb",
            "/%2Ea",
            "/%",
            "/%C3%A9",
            "/~a?b=/c&d#e",
            "//a/b",
            "/a:b@c!",
            "/\u{e9}",
            "/a b",
            "/a'(b)",
        ];
        let mut normal = 0;
        for half in heads
            .iter()
            .flat_map(|head| paths.map(|path| format!("{head}{path}")))
        {
            if is_normal(&half) {
                normal += 1;
                assert_eq!(normalize(&half, Level::Scheme), half);
                assert_eq!(ToUri::default().map(&half).unwrap().text, half);
                let shown = ToIri {
                    display: Display::All,
                    ..ToIri::default()
                };
                assert_eq!(shown.map(&half, &|_| true).text, half);
            }
        }
        assert!(normal > 10, "{normal}");
    }

    #[test]
    fn hosts_are_told_from_files_and_schemes() {
        let cases = [
            ("old.example", true),
            ("old.example/blog", true),
            ("www.old.example:8080/x?y", true),
            ("OLD.Example#f", true),
            ("\u{e9}.example/", true),
            ("xn--9ca.xn--p1ai", true),
            ("old\u{3002}example/", true),
            ("index.html", false),
            ("a/b.c", false),
            ("/old.example", false),
            ("//old.example", false),
            ("./old.example", false),
            ("../x", false),
            ("old.example:", false),
            ("mailto:a.b", false),
            ("http://old.example", false),
            ("localhost", false),
            ("v1.2/x", false),
            ("{{old}}.example/", false),
            ("", false),
        ];
        for (half, expected) in cases {
            assert_eq!(begins_with_host(half), expected, "{half}");
        }
    }
}

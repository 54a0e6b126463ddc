//! The browser's reading against the `url` crate, over generated references.

use linkglot::Charset;
use linkglot_iri::target::{Reading, resolve_browser};
use proptest::prelude::*;
use url::Url;

const BASES: [&str; 12] = [
    "http://example.org/a/b/c?q#f",
    "http://u:p@example.org:8080/a/",
    "http://example.org",
    "https://é.example/ü/",
    "ftp://example.org/x",
    "wss://example.org/x?y",
    "file:///C:/a/b",
    "file://host/a/b",
    "foo://host/a/b",
    "foo:/a/b",
    "mailto:a@b",
    "data:text/plain,x",
];

/// Pieces of references: delimiters, traps, characters of each set.
const BITS: [&str; 62] = [
    "http:",
    "https:",
    "HTTP:",
    "ftp:",
    "file:",
    "foo:",
    "mailto:",
    "ws:",
    "//",
    "/",
    "\\",
    "?",
    "#",
    "@",
    ":",
    "[",
    "]",
    "[::1]",
    "[1:2::0:0:7.8.9.1]",
    "%",
    "%2e",
    "%2E",
    "%C3%A9",
    "%c3",
    "%41",
    "%2F",
    "%00",
    ".",
    "..",
    "/..",
    "/./",
    "../",
    "a",
    "b",
    "C|",
    "C:",
    "c:/",
    "é",
    "ü",
    "ß",
    "\u{200d}",
    "日本",
    "。",
    "xn--9ca",
    "xn--",
    "localhost",
    "example.org",
    "0x7f.1",
    "1.2.3",
    "256",
    "08",
    ":80",
    ":443",
    ":0",
    ":99999",
    " ",
    "\t",
    "\n",
    "'",
    "\"<>`{}|",
    "a=1&b=2",
    "\u{0}\u{1f}\u{7f}",
];

fn reference() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&BITS[..]), 0..9).prop_map(|bits| bits.concat())
}

fn base() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&BASES[..])
}

/// The URL Standard has escaped `^` in paths since 2024; the crate does not.
fn without_caret(url: &str) -> String {
    url.replace("%5E", "^")
}

fn oracle(base: &str, reference: &str) -> Option<String> {
    let url = Url::parse(base).ok()?.join(reference).ok()?;
    Some(without_caret(url.as_str()))
}

/// True if version 2.5 of the crate does not follow the URL Standard.
fn is_known_difference(base: &str, reference: &str) -> bool {
    let cleaned = reference.replace(['\t', '\n'], "");
    let cleaned = cleaned.trim_matches(|ch| ch <= ' ');
    let is_foo = |text: &str| {
        !["http", "ftp", "ws", "file"]
            .iter()
            .any(|name| text.starts_with(name))
    };
    // The crate takes a backslash for a slash in URLs of any scheme.
    ((is_foo(base) || cleaned.starts_with("foo:")) && cleaned.contains('\\'))
        // The crate keeps spaces at the end of opaque paths.
        || cleaned.contains(" ?") || cleaned.contains(" #")
        // The crate refuses more than two slashes before a host.
        || cleaned.bytes().take_while(|byte| matches!(byte, b'/' | b'\\')).count() > 2
        // The crate allows an empty host after userinfo.
        || cleaned.contains("//@")
        // The crate joins empty segments of file URLs, drops their host before a drive letter, and keeps drive letters
        // everywhere.
        || base.starts_with("file") || cleaned.to_ascii_lowercase().contains("file:")
        || cleaned.split(['/', '\\', '?', '#']).any(is_drive_letter)
}

/// A drive letter, also after a scheme (`http:c:`).
fn is_drive_letter(segment: &str) -> bool {
    match *segment.as_bytes() {
        [letter, b':' | b'|'] | [.., b':', letter, b':' | b'|'] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn resolves_as_the_url_crate(base in base(), reference in reference()) {
        if is_known_difference(base, &reference) {
            return Ok(());
        }
        let ours = resolve_browser(base, &reference, Charset::UTF_8).map(|url| without_caret(&url));
        let theirs = oracle(base, &reference);
        prop_assert_eq!(ours, theirs, "base {:?} reference {:?}", base, reference);
    }

    #[test]
    fn what_is_resolved_resolves_to_itself(base in base(), reference in reference()) {
        if let Some(url) = resolve_browser(base, &reference, Charset::UTF_8) {
            let again = resolve_browser(base, &url, Charset::UTF_8);
            prop_assert_eq!(again.as_ref(), Some(&url));
            let reading = Reading { base: Some(base), query: Charset::UTF_8 };
            prop_assert!(reading.same_target(&reference, &url));
        }
    }

    #[test]
    fn same_targets_are_the_same_to_the_url_crate(
        base in base(),
        a in reference(),
        b in reference(),
        at in any::<prop::sample::Index>(),
    ) {
        let known = Reading { base: Some(base), query: Charset::UTF_8 };
        let unknown = Reading { base: None, query: Charset::UTF_8 };
        for other in [b, escaped(&a), with_one_escape(&a, at)] {
            if is_known_difference(base, &a) || is_known_difference(base, &other) {
                continue;
            }
            let is_same = known.same_target(&a, &other)
                || base.starts_with("http") && unknown.same_target(&a, &other);
            if is_same && a != other {
                let (first, second) = (oracle(base, &a), oracle(base, &other));
                let (first, second) = (first.as_deref().map(unescaped), second.as_deref().map(unescaped));
                prop_assert_eq!(first, second, "{:?} {:?}", a, other);
            }
        }
    }
}

/// Percent-encodes one character.
fn with_one_escape(text: &str, at: prop::sample::Index) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    if chars.is_empty() {
        return String::new();
    }
    let at = at.index(chars.len());
    let after = chars.split_off(at);
    let escape: String = after[0]
        .to_string()
        .bytes()
        .map(|byte| format!("%{byte:02X}"))
        .collect();
    let after: String = after[1..].iter().collect();
    chars.into_iter().collect::<String>() + &escape + &after
}

/// Escapes all characters beyond ASCII.
fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        0x80.. => format!("%{byte:02X}"),
        _ => char::from(byte).to_string(),
    };
    text.bytes().map(escape).collect()
}

/// Decodes escapes of unreserved characters; the other escapes are in upper case.
fn unescaped(url: &str) -> String {
    let mut out = String::new();
    let mut rest = url;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let octet = rest
            .get(at + 1..at + 3)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match octet {
            Some(octet) => {
                let is_plain =
                    (0x20..0x7F).contains(&octet) && !b"%:/?#[]@!$&'()*+,;=".contains(&octet);
                if is_plain {
                    out.push(char::from(octet))
                } else {
                    out.push_str(&format!("%{octet:02X}"))
                }
                rest = &rest[at + 3..];
            }
            None => {
                out.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    out + rest
}

use super::*;

const NO_BASE: Reading<'static> = Reading {
    base: None,
    query: Charset::UTF_8,
};

#[track_caller]
fn same(before: &str, after: &str) {
    assert!(
        NO_BASE.same_target(before, after),
        "{before:?} is {after:?}"
    );
    assert!(
        NO_BASE.same_target(after, before),
        "{after:?} is {before:?}"
    );
}

#[track_caller]
fn differs(before: &str, after: &str) {
    assert!(
        !NO_BASE.same_target(before, after),
        "{before:?} is not {after:?}"
    );
    assert!(
        !NO_BASE.same_target(after, before),
        "{after:?} is not {before:?}"
    );
}

#[test]
fn an_iri_and_its_uri_have_the_same_target() {
    for (before, after) in [
        (
            "http://é.example/ü?ö#ä",
            "http://xn--9ca.example/%C3%BC?%C3%B6#%C3%A4",
        ),
        ("http://é.example/", "http://%C3%A9.example/"),
        ("é", "%c3%A9"),
        ("../é/./ü", "../%C3%A9/./%C3%BC"),
        ("?é", "?%C3%A9"),
        ("#é", "#%C3%A9"),
        ("//é/ü", "//xn--9ca/%C3%BC"),
        (
            "mailto:é@é.example?subject=ü",
            "mailto:%C3%A9@%C3%A9.example?subject=%C3%BC",
        ),
        ("urn:x:é", "urn:x:%C3%A9"),
        ("foo://é/ü", "foo://%C3%A9/%C3%BC"),
        ("foo://a~/", "foo://a%7E/"),
        ("http://%é/%é", "http://%é/%%C3%A9"),
    ] {
        same(before, after);
    }
    for (before, after) in [("foo://a{/", "foo://a%7B/"), ("foo://a|b/", "foo://a%7Cb/")] {
        differs(before, after);
    }
}

#[test]
fn differences_that_browsers_ignore() {
    for (before, after) in [
        (" http://a/b\t", "http://a/b"),
        ("ht\ntp://a/\r\nb", "http://a/b"),
        ("http:\\\\a\\b", "http://a/b"),
        ("http:a/b", "http:a/%62"),
        ("HTTP://A:080", "http://a/"),
        ("http://0x7f.1/", "http://127.0.0.1"),
        ("/a/%2e%2E/b", "/b"),
        ("/a b", "/a%20b"),
        ("/a|b", "/a%7Cb"),
        ("/a~b", "/a%7eb"),
        ("http://u:@a/", "http://u@a/"),
        ("http://[1:0:0:0:0:0:0:1]/", "http://[1::1]/"),
        ("/a\u{301}", "/a%CC%81"),
    ] {
        same(before, after);
    }
}

#[test]
fn different_targets() {
    for (before, after) in [
        ("/a\\b", "/a%5Cb"),
        ("foo:/a\\b", "foo:/a%5Cb"),
        ("foo:a\\b", "foo:a%5Cb"),
        ("foo:a\\b", "foo:a/b"),
        ("/a\tb", "/a%09b"),
        ("/a%2Fb", "/a/b"),
        ("/a%23b", "/a#b"),
        ("/a%zz", "/a%25zz"),
        ("/%2541", "/%41"),
        ("/é", "/e\u{301}"),
        ("/a", "/a?"),
        ("/a", "/a#"),
        ("?a=%26", "?a=&"),
        ("http://a/", "https://a/"),
        ("http://a:81/", "http://a/"),
        ("http:a", "http://a"),
        ("../a", "../../a"),
        ("../a", "/a"),
        ("a:b", "./a:b"),
        ("foo://É/", "foo://é/"),
        ("mailto:a", "mailto:/a"),
        ("http://a@b/", "http://a%40b/"),
        ("", "#"),
        ("", "http:"),
        ("ht\ntp:a", "a"),
        ("/a/b", "/a//b"),
    ] {
        differs(before, after);
    }
}

#[test]
fn invalid_references_are_the_same_only_when_equal() {
    same("http://[é", "http://[é");
    for (before, after) in [
        ("http://[é", "http://[e"),
        ("http://a b/", "http://a%20b/"),
        ("http://é:x/", "http://xn--9ca:x/"),
    ] {
        differs(before, after);
    }
}

#[test]
fn a_parsed_base_decides() {
    let reading = |base| Reading {
        base: Some(base),
        query: Charset::UTF_8,
    };
    assert!(reading("http://é/a/b").same_target("../../c", "/c"));
    assert!(reading("http://é/a/b").same_target("c", "http://xn--9ca/a/c"));
    assert!(reading("https://é/").same_target("http:a", "http://a/"));
    assert!(!reading("http://é/").same_target("http:a", "http://a/"));
    assert!(!reading("relative").same_target("../../c", "/c"));
    assert!(!reading("mailto:x").same_target("a", "./a"));
}

#[test]
fn resolved_as_browsers_do() {
    let resolve = |base, reference| resolve_browser(base, reference, Charset::UTF_8);
    let resolved = |url: &str| Some(url.to_owned());
    assert_eq!(
        resolve("http://é/a?b", "ü ^"),
        resolved("http://xn--9ca/%C3%BC%20%5E")
    );
    assert_eq!(resolve("foo:/a", ".//é"), resolved("foo:/.//%C3%A9"));
    assert_eq!(resolve("mailto:a", "#é"), resolved("mailto:a#%C3%A9"));
    assert_eq!(resolve("mailto:a", "é"), None);
    assert_eq!(resolve("file:///C:/a/b", "/d"), resolved("file:///C:/d"));
    assert_eq!(NO_BASE.resolve("é"), None);
    assert_eq!(NO_BASE.resolve("x:a  ?b"), resolved("x:a %20?b"));
}

#[test]
fn the_fast_path_is_taken_where_it_is_certain() {
    let utf8 = Charset::UTF_8;
    assert!(same::differ_only_in_escapes(
        "http://x/é?ü#ö",
        "http://x/%c3%A9?%C3%BC#ö",
        utf8
    ));
    assert!(!same::differ_only_in_escapes(
        "http://é/",
        "http://%C3%A9/",
        utf8
    ));
    assert!(!same::differ_only_in_escapes("/é", "/%C3", utf8));
    assert!(!same::differ_only_in_escapes("/%C3%A9", "/é%", utf8));
    assert!(!same::differ_only_in_escapes(
        "?é",
        "?%C3%A9",
        Charset::WINDOWS_1252
    ));
    assert!(same::differ_only_in_escapes(
        "/é?#é",
        "/%C3%A9?#%C3%A9",
        Charset::WINDOWS_1252
    ));
    for odd in [
        "http:é",
        "http:///é",
        "///é",
        " /é",
        "\\\\é",
        "/\\é",
        "/\té",
        "file:é",
    ] {
        let mapped = odd.replace('é', "%C3%A9");
        assert!(!same::differ_only_in_escapes(odd, &mapped, utf8), "{odd:?}");
    }
}

fn legacy(label: &str) -> Reading<'static> {
    Reading {
        base: None,
        query: Charset::for_label(label).expect("a label"),
    }
}

#[test]
fn queries_are_in_the_charset_of_the_document() {
    let latin = legacy("latin1");
    assert!(latin.same_target("http://a/?é", "http://a/?%E9"));
    assert!(!latin.same_target("http://a/?é", "http://a/?%C3%A9"));
    assert!(latin.same_target("?é#é", "?%e9#%C3%A9"));
    assert!(latin.same_target("/é?a", "/%C3%A9?a"));
    assert!(!latin.same_target("/é", "/%E9"));
    assert!(latin.same_target("ftp://a/?é", "ftp://a/?%E9"));
    for utf8 in ["ws://a/?é", "foo:?é", "mailto:a?é"] {
        assert!(
            latin.same_target(utf8, &utf8.replace('é', "%C3%A9")),
            "{utf8:?}"
        );
    }
}

#[test]
fn characters_that_the_charset_lacks_become_numeric_references() {
    let latin = legacy("latin1");
    assert!(latin.same_target("?é\u{416}é\u{1F600}", "?%E9%26%231046%3B%E9%26%23128512%3B"));
    assert!(!latin.same_target("?\u{416}", "?&#1046;"));
    assert!(!latin.same_target("?\u{416}", "?%D0%96"));
}

#[test]
fn octets_of_a_multi_byte_character_are_no_delimiters() {
    let japanese = legacy("shift_jis");
    // U+30A2 is 83 41 and U+30A1 is 83 40, whose trail is `@`.
    assert!(japanese.same_target("?\u{30A2}", "?%83%41"));
    assert!(japanese.same_target("?\u{30A2}", "?%83A"));
    assert!(japanese.same_target("?\u{30A1}", "?%83%40"));
    assert!(!japanese.same_target("?\u{30A1}", "?%83@"));
    let base = "http://a/";
    let resolved = resolve_browser(base, "?\u{30A2}\u{30A1}a", japanese.query);
    assert_eq!(resolved.as_deref(), Some("http://a/?%83A%83@a"));
}

#[test]
fn queries_in_transcoded_charsets() {
    assert!(legacy("utf-16le").same_target("?é", "?%C3%A9"));
    assert!(legacy("iso-2022-jp").same_target("?\u{3042}", "?%1B%24%42%24%22%1B%28%42"));
    assert!(!legacy("iso-2022-jp").same_target("?\u{3042}", "?%E3%81%82"));
    // Octets of U+3046, U+305D, U+304B and U+305B: browsers send them, and servers split forms there.
    for (ch, octet) in [
        ('\u{3046}', "&"),
        ('\u{305D}', "="),
        ('\u{304B}', "+"),
        ('\u{305B}', ";"),
    ] {
        let query = |octet: &str| format!("?a=%1B%24%42%24{octet}%1B%28%42");
        let before = format!("?a={ch}");
        assert!(
            legacy("iso-2022-jp").same_target(&before, &query(octet)),
            "{ch}"
        );
        let escape = format!("%{:02X}", octet.as_bytes()[0]);
        assert!(
            !legacy("iso-2022-jp").same_target(&before, &query(&escape)),
            "{ch}"
        );
    }
    assert!(legacy("gb18030").same_target("?\u{E9}\u{1F600}", "?%A8%A6%94%39%FC%36"));
}

#[test]
fn files_and_their_drives() {
    let resolved = |base, reference| resolve_browser(base, reference, Charset::UTF_8);
    for (base, reference, url) in [
        ("file:///C:/a/b", "d", "file:///C:/a/d"),
        ("file:///C:/a/b", "../../../d", "file:///C:/d"),
        ("file:///C:/a/b", "D|/é", "file:///D:/%C3%A9"),
        ("file:///C:/a/b", "/D:/e", "file:///D:/e"),
        ("file:///C:/a/b", "//h/e", "file://h/e"),
        ("file:///C:/a/b", "//localhost/e", "file:///e"),
        ("file:///C:/a/b", "//C|/e", "file:///C:/e"),
        ("file:///C:/a/b", "?q", "file:///C:/a/b?q"),
        ("file:///C:/a/b", "", "file:///C:/a/b"),
        ("file://h/C:/a", "/b", "file://h/C:/b"),
        ("file://h/a", "\\b", "file://h/b"),
        ("file:///a", "file:b", "file:///b"),
        ("http://h/a", "file:b", "file:///b"),
        ("http://h/a", "file:", "file:///"),
        ("http://h/a", "file://É/..//", "file://xn--9ca//"),
    ] {
        assert_eq!(
            resolved(base, reference).as_deref(),
            Some(url),
            "{base:?} {reference:?}"
        );
    }
    assert_eq!(resolved("http://h/a", "file://h:8/"), None);
}

mod fast_path {
    use super::*;
    use proptest::prelude::*;

    const BITS: [&str; 42] = [
        "http:", "https:", "foo:", "file:", "mailto:", "//", "/", "\\", "?", "#", "@", ":", "[",
        "]", "%", "%2e", "%C3", "%A9", "%41", "4", "1", ".", "..", "/../", "a", "é", "ü", "Ж",
        "日本", "😀", "é", "é", " ", "\t", "C|", "C:", "'", "\"<>", "xn--", "ex.org", "\u{301}",
        "\u{ad}",
    ];

    fn text() -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(&BITS[..]), 0..9).prop_map(|bits| bits.concat())
    }

    /// Escapes some of the characters beyond ASCII, at times in lower case.
    fn partly_escaped(text: &str, choices: &[u8]) -> String {
        let mut choices = choices.iter().cycle();
        let escape = |ch: char| match choices.next() {
            Some(0) | None => ch.to_string(),
            Some(_) if ch.is_ascii() => ch.to_string(),
            Some(1) => ch
                .to_string()
                .bytes()
                .map(|byte| format!("%{byte:02x}"))
                .collect(),
            Some(_) => ch
                .to_string()
                .bytes()
                .map(|byte| format!("%{byte:02X}"))
                .collect(),
        };
        text.chars().map(escape).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 6000, failure_persistence: None, ..Default::default() })]

        /// The URL made in one pass equals the URL that is parsed and serialized.
        #[test]
        fn a_plain_url_is_the_parsed_one(
            host in "(http|https)://(a\\.)?(example|xn--a|a--b|7|0x7|-a|a-|A|a_b|é)\\.?/",
            rest in text(),
            label in prop::sample::select(&["utf-8", "latin1", "iso-2022-jp"][..]),
        ) {
            let reading = legacy(label);
            for text in [host.clone() + &rest, host + rest.trim_start_matches("http://")] {
                if let Some(url) = plain::url(&text, reading.query) {
                    let parsed = reading.parser(QueryOctets::AsBrowsers).parse(&text, None);
                    prop_assert_eq!(Some(url), parsed.map(|url| url.serialize()), "{:?}", text);
                }
            }
        }

        /// The fast path never says yes where the comparison of URL records says no.
        #[test]
        fn agrees_with_the_comparison_of_records(
            text in text(),
            other in text(),
            choices in prop::collection::vec(0u8..3, 1..5),
            base in prop::sample::select(&["http://a/b/c", "file:///C:/d", "foo://e/f", "mailto:g", "-"][..]),
            label in prop::sample::select(&["utf-8", "latin1", "iso-2022-jp"][..]),
        ) {
            let reading = Reading { base: Some(base), ..legacy(label) };
            let parser = reading.parser(QueryOctets::Escaped);
            let known = reading.parsed_base();
            let is_valid = |text: &str| parser.parse(text, known.as_deref()).is_some();
            for after in [partly_escaped(&text, &choices), other] {
                for (before, after) in [(&text, &after), (&after, &text)] {
                    if before != after && same::differ_only_in_escapes(before, after, reading.query) {
                        let can_compare = is_valid(before) || is_valid(after);
                        prop_assert!(!can_compare || reading.same_url(before, after), "{:?} {:?}", before, after);
                    }
                }
            }
        }
    }
}

#[test]
fn plain_urls_of_the_web_need_no_parser() {
    let latin1 = Charset::for_label("latin1").unwrap();
    for (reference, url) in [
        ("http://example.org/", "http://example.org/"),
        (
            "https://a-b.example/é/%c3?q='#é`",
            "https://a-b.example/%C3%A9/%c3?q=%27#%C3%A9%60",
        ),
        (
            "http://example.org/a.b/{}?{}^",
            "http://example.org/a.b/%7B%7D?{}^",
        ),
    ] {
        assert_eq!(plain::url(reference, Charset::UTF_8).as_deref(), Some(url));
    }
    for other in [
        "HTTP://example.org/",
        "http://Example.org/",
        "http://example.org",
        "http://1.2.3.4/",
        "http://xn--9ca.example/",
        "http://example.org:80/",
        "http://a@example.org/",
        "http://example.org/../a",
        "http://example.org/%2e/a",
        "http://example.org/a\\b",
        "http://example.org/ ",
        "//example.org/",
    ] {
        assert_eq!(plain::url(other, Charset::UTF_8), None, "{other}");
    }
    assert_eq!(plain::url("http://example.org/?é", latin1), None);
}

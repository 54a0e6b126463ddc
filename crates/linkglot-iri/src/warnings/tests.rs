use super::*;

fn codes(iri: &str) -> Vec<&'static str> {
    warnings(iri)
        .iter()
        .map(|warning| warning.note.code())
        .collect()
}

#[test]
fn harmless_iris() {
    for iri in [
        "",
        "https://example.org/a/../b?x=%C3%A9#%2F",
        "http://bücher.example/straße/日本語",
        "http://דוגמה.com/אב/ג.html",
        "ftp://jörg:geheim@example.org/",
        "mailto:a.b@example.org",
        "/می\u{200C}خواهم",
        "http://a.example:65535/",
        "http://127.0.0.1/",
        "http://127.0.0.1.:80/",
        "http://[::ffff:127.0.0.1]/",
        "http://1.2.3.4.5/",
        "foo://2130706433/",
        "http://a.example/2130706433",
        "file:///0x7f.1",
        "http://a.example:/",
        "http://ru.example/wiki/Файл:foo.jpg",
        "http://a.example.ru/сосо",
        "http://a.example/сосо/привет",
        "http://a.example/с/о-1",
        "/α-test/日本語のtest/Ω5",
        "/۱۵/١",
        "/น้ำ",
        "/ısparta/şehir",
        "mailto:ann@bücher.example?subject=x@y",
    ] {
        assert_eq!(codes(iri), [""; 0], "{iri}");
    }
}

#[test]
fn every_kind_has_a_case() {
    let mut seen: Vec<&str> = Vec::new();
    for (iri, expected) in [
        (
            "http://pаypal.com/",
            &["mixed-script-host", "confusable-host"][..],
        ),
        (
            "http://xn--pypal-4ve.com/",
            &["mixed-script-host", "confusable-host"],
        ),
        ("http://ɡoogle.com/", &["confusable-host"]),
        ("//сосо.com/", &["confusable-host"]),
        ("http://сосо.рф/", &[]),
        ("/abגד", &["bidi-component", "mixed-script"]),
        ("http://ab.גדהוזח.123/kl/mn/op.html", &["bidi-digits"]),
        ("/א/1/ב", &["bidi-digits"]),
        ("/%D7%90a%D7%91", &["bidi-component", "mixed-script"]),
        ("/a%E2%80%AEgpj", &["bidi-control"]),
        ("/a?%EE%80%80", &["private-use"]),
        ("/a%E2%80%8Bb", &["invisible"]),
        ("/a%C2%A0", &["invisible"]),
        ("/%D9%85%DB%8C%E2%80%8C%D8%AE", &[]),
        ("/%D7%90%D7%91/%C3%A9", &[]),
        ("/a/1/ב", &[]),
        ("/a\u{202E}b", &["bidi-control"]),
        ("/a\u{2003}b\u{200B}", &["invisible"]),
        ("http://www.bank.com@evil.example/", &["userinfo-like-host"]),
        (
            "http://www.bank.com%2Flogin:x@evil.example/",
            &["userinfo-like-host"],
        ),
        (
            "http://a.example/wiki/pаypal",
            &["mixed-script", "look-alike"],
        ),
        ("/p%D0%B0ypal.html?q=1", &["mixed-script", "look-alike"]),
        ("http://a.example/сосо", &["look-alike"]),
        (
            "http://a.example/a?q=%D1%81%D0%BE%D1%81%D0%BE",
            &["look-alike"],
        ),
        ("/paypaı", &["look-alike"]),
        ("mailto:ann@аррӏе.com", &["confusable-host"]),
        (
            "mailto:a@b.example,c@сосо.com?subject=x&cc=d@xn--80ak6aa92e.com",
            &["confusable-host"; 2],
        ),
        ("/o\u{FB03}ce", &["compatibility-character"]),
        ("/ｋｙｏｔｏ?ｶﾅ", &["width-form"; 2]),
        ("http://a.example:65536/", &["port-out-of-range"]),
        (
            "http://a.example:99999999999999999999/",
            &["port-out-of-range"],
        ),
        ("http://2130706433/", &["disguised-address"]),
        ("//0x7f.1", &["disguised-address"]),
        ("https://0177.0.0.1:80/", &["disguised-address"]),
        ("ftp://127.1./", &["disguised-address"]),
        ("ssh://0X7F000001/", &["disguised-address"]),
        ("http://1%32%37.0.0.1/", &["disguised-address"]),
        (
            "http://１２７.０.０.１/",
            &["disguised-address", "width-form"],
        ),
        (
            "http://①②⑦.0.0.1/",
            &["disguised-address", "compatibility-character"],
        ),
        (
            r"http:\\www.bank.com@evil.example\",
            &["userinfo-like-host"],
        ),
        (" http:/\n/a.example:99999/ ", &["port-out-of-range"]),
        ("/a／b", &["delimiter-look-alike"]),
        ("/a∶b", &["delimiter-look-alike"]),
        ("/a/%2E%2e/.%2e/%2E/b", &["encoded-dots"; 3]),
        ("/e\u{301}", &["not-nfc"]),
        ("/r%E9sum%E9?%FC", &["legacy-percent", "legacy-percent"]),
        ("/%C0%AF..", &["legacy-percent"]),
        ("/100%", &["invalid-percent"]),
        ("?q=\u{E000}", &["private-use"]),
    ] {
        assert_eq!(codes(iri), expected, "{iri}");
        seen.extend(expected);
    }
    let of_links = |kind: &Note| *kind != Note::TextNamesOtherHost;
    for kind in Note::WARNINGS.into_iter().filter(of_links) {
        assert!(seen.contains(&kind.code()), "no case for {kind:?}");
    }
}

/// Escapes in a host deceive like the characters that they stand for: both have the same URI.
#[test]
fn hosts_are_read_without_escapes() {
    for (text, code) in [
        ("googl\u{2044}e.com", "delimiter-look-alike"),
        ("goo\u{202E}gle.com", "bidi-control"),
        ("goo\u{E000}gle.com", "private-use"),
        ("goo\u{200B}gle.com", "invisible"),
        ("ｇoogle.com", "width-form"),
        ("①a.com", "compatibility-character"),
        ("cafe\u{301}.com", "not-nfc"),
        ("a\u{5D0}.com", "bidi-component"),
        ("p\u{430}ypal.com", "confusable-host"),
    ] {
        let escape = |ch: char| {
            let mut buffer = [0; 4];
            let octets = ch.encode_utf8(&mut buffer).bytes();
            octets.map(|octet| format!("%{octet:02x}")).collect()
        };
        let escaped: String = text
            .chars()
            .map(|ch| {
                if ch.is_ascii() {
                    ch.to_string()
                } else {
                    escape(ch)
                }
            })
            .collect();
        for begin in ["http://", "mailto:ann@"] {
            let (literal, read) = (format!("{begin}{text}"), format!("{begin}{escaped}"));
            let is_mail = begin.starts_with("mailto");
            let (literal, read) = (codes(&literal), codes(&read));
            assert!(literal.contains(&code), "{text}: {literal:?}");
            assert!(read.contains(&code), "{escaped}: {read:?}");
            assert!(is_mail || literal == read, "{literal:?} {read:?}");
        }
    }
    let found = warnings("http://%67oogl%E2%81%84e.com/");
    assert_eq!(
        (found[0].range.clone(), &*found[0].detail),
        (14..23, "U+2044")
    );
}

#[test]
fn the_detail_is_the_skeleton() {
    let found = warnings("http://сосо.com/");
    assert_eq!(found[0].detail, "сосо looks like coco");
    assert_eq!(found[0].range, 7..19);
}

#[test]
fn ranges_are_on_character_boundaries() {
    let iri = "http://ü.b.org@é\u{202E}.де/%E9é\u{200B}e\u{301}?\u{E000}%#∶";
    for warning in warnings(iri) {
        assert!(iri.get(warning.range.clone()).is_some(), "{warning:?}");
        assert!(!warning.to_string().is_empty());
    }
}

/// Ranges count in the given text, not in the text that a lenient reader cleaned.
#[test]
fn ranges_count_what_readers_drop() {
    let iri = "\n http:\t//a.ex\nample:99\n999/é\u{200B}x";
    let texts = warnings(iri).into_iter().map(|warning| &iri[warning.range]);
    assert!(texts.eq(["99\n999", "\u{200B}"]));
}

proptest::proptest! {
    /// Texts that pass the quick test deserve no warning.
    #[test]
    fn the_quick_test_is_right(pieces in proptest::collection::vec(proptest::sample::select(ASCII), 0..10)) {
        let iri = pieces.concat();
        if !quick::may_warn(&iri) {
            proptest::prop_assert_eq!(warnings_of(&Lenient::read(&iri).parts()), [], "{:?}", iri);
        }
    }

    /// Each warning is about a range of whole characters, even where mail addresses are cut.
    #[test]
    fn warnings_have_their_place(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..12)) {
        let iri = pieces.concat();
        for warning in warnings(&iri) {
            proptest::prop_assert!(iri.get(warning.range.clone()).is_some(), "{:?} {:?}", iri, warning);
        }
    }
}

const PIECES: &[&str] = &[
    "mailto:",
    "http:",
    "//",
    "/",
    "?",
    "#",
    "&",
    "=",
    "to=",
    ",",
    "@",
    ":",
    "99999",
    ".",
    "[",
    "]",
    "%",
    "%C3",
    "%D1%81",
    "%2E",
    "a",
    "é",
    "сосо",
    "pа",
    "ﬁ",
    "ｋ",
    "א",
    "1",
    "\u{202E}",
    "\u{200B}",
    "e\u{301}",
    "\u{E000}",
    "∶",
    "xn--80ak6aa92e",
];

const ASCII: &[&str] = &[
    "mailto:",
    "http:",
    "https://",
    "foo:",
    "file:",
    "//",
    "/",
    "?",
    "#",
    "&to=",
    ",",
    "@",
    ":",
    "99999",
    "65535",
    ".",
    "..",
    "[",
    "]",
    "0x7f",
    "127.0.0.1",
    "1",
    "017",
    "a",
    "www.b.org",
    "xn--80ak6aa92e",
    "xn--",
    "-",
    "|",
    "~",
];

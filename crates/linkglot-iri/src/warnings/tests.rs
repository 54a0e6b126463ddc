use super::*;

fn codes(iri: &str) -> Vec<&'static str> {
    warnings(iri)
        .iter()
        .map(|warning| warning.kind.code())
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
    for kind in WarningKind::ALL {
        assert!(seen.contains(&kind.code()), "no case for {kind:?}");
    }
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

proptest::proptest! {
    /// Each warning is about a range of whole characters, and mail addresses are cut anywhere.
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

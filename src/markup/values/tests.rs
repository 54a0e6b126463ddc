use super::*;
use proptest::prelude::*;

const EVERY: [Syntax; 15] = [
    Syntax::Single,
    Syntax::Base,
    Syntax::SpaceList,
    Syntax::CommaList,
    Syntax::Srcset,
    Syntax::Refresh,
    Syntax::Css,
    Syntax::CssDeclarations,
    Syntax::Html,
    Syntax::Text,
    Syntax::Json,
    Syntax::LocationPairs,
    Syntax::AbsoluteOnly,
    Syntax::AbsoluteList,
    Syntax::SemicolonList,
];

fn parts(syntax: Syntax, text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    split(syntax, text, &mut |part| {
        parts.push(part.span.of(text).to_owned())
    });
    parts
}

#[test]
fn lists() {
    let cases: &[(Syntax, &str, &[&str])] = &[
        (Syntax::Single, "\u{1} \n a b \t", &["a b"]),
        (Syntax::Single, " ", &[]),
        (Syntax::Single, "javascript:x()", &["javascript:x()"]),
        (Syntax::SpaceList, " a,b\tc\n", &["a,b", "c"]),
        (Syntax::SpaceList, "a\u{A0}b", &["a\u{A0}b"]),
        (Syntax::CommaList, "a b.jar, c.jar,,", &["a b.jar", "c.jar"]),
        (Syntax::SemicolonList, "#a; #b", &["#a", "#b"]),
        (
            Syntax::LocationPairs,
            " urn:n n.xsd urn:m m.xsd urn:o",
            &["n.xsd", "m.xsd"],
        ),
        (
            Syntax::AbsoluteOnly,
            " http://é.example/ ",
            &["http://é.example/"],
        ),
        (Syntax::AbsoluteOnly, "see http://é.example/", &[]),
        (Syntax::AbsoluteOnly, "dc:title", &[]),
        (
            Syntax::AbsoluteOnly,
            "MAILTO:a@b.example",
            &["MAILTO:a@b.example"],
        ),
        (Syntax::AbsoluteOnly, "http://", &[]),
        (
            Syntax::AbsoluteList,
            "nofollow http://x.example/r dc:t",
            &["http://x.example/r"],
        ),
    ];
    for (syntax, text, expected) in cases {
        assert_eq!(parts(*syntax, text), *expected, "{syntax:?} {text}");
    }
}

#[test]
fn srcset() {
    let cases: &[(&str, &[&str])] = &[
        ("a.png, b.png 2x", &["a.png", "b.png"]),
        (" ,, a,b.png 1x,c.png\t2x , ", &["a,b.png", "c.png"]),
        ("a.png,,b.png", &["a.png,,b.png"]),
        ("a.png,, b.png,", &["a.png", "b.png"]),
        ("a.png (x, y) z, b.png", &["a.png", "b.png"]),
        ("a.png (x, b.png", &["a.png"]),
        (
            "data:image/png;base64,AA== 1x, é.png 2w",
            &["data:image/png;base64,AA==", "é.png"],
        ),
        ("", &[]),
        (",", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(parts(Syntax::Srcset, text), *expected, "{text}");
    }
}

#[test]
fn refresh() {
    let cases: &[(&str, Option<&str>)] = &[
        ("5; url=a.html", Some("a.html")),
        ("5;a.html", Some("a.html")),
        (" 0,URL = 'a b.html' x", Some("a b.html")),
        ("0.5.1 \"a.html", Some("a.html")),
        (".; url=a", Some("a")),
        ("1;url", Some("url")),
        ("1;urls=x", Some("urls=x")),
        ("1; ul=x", Some("ul=x")),
        ("1; url='x\"y'z", Some("x\"y")),
        ("5", None),
        ("5;", None),
        ("5; url=", None),
        ("5url=x", None),
        ("url=x", None),
        ("-1;url=x", None),
        ("", None),
    ];
    for (text, expected) in cases {
        let found = parts(Syntax::Refresh, text);
        assert_eq!(found.first().map(String::as_str), *expected, "{text}");
    }
}

#[test]
fn json() {
    let text = r##"{
        "@context": {"@vocab": "http://schema.example/", "x": "http://x.example/"},
        "@type": "http://t.example/T", "@id": "#me", "url": "a\u00e9.html", "name": "b.html",
        "image": ["c.png", {"@id": "_:b", "url": "http:\/\/d.example\/"}, "e.png"],
        "about": "http://f.example/", "note": "see http://g.example/",
        "target": "http://h.example/?q={q}", "urlTemplate": "/{q}", "image": "{i}", "logo": "k.png"
    }"##;
    let expected = [
        "#me",
        "a\\u00e9.html",
        "c.png",
        "http:\\/\\/d.example\\/",
        "e.png",
        "http://f.example/",
        "http://h.example/?q={q}",
        "/{q}",
        "k.png",
    ];
    assert_eq!(parts(Syntax::Json, text), expected);
}

#[test]
fn broken_json_reads_on() {
    assert_eq!(
        parts(Syntax::Json, "]}\"http://a.example/\\"),
        ["http://a.example/\\"]
    );
    assert_eq!(
        parts(Syntax::Json, "\"url\":\"a\" \"http://b.example/\""),
        ["a", "http://b.example/"]
    );
}

#[test]
fn what_fits() {
    let cases = [
        (Syntax::Srcset, "a,b", true),
        (Syntax::Srcset, "a,", false),
        (Syntax::Srcset, ",a", false),
        (Syntax::Srcset, "a b", false),
        (Syntax::SpaceList, "a\tb", false),
        (Syntax::CommaList, "a,b", false),
        (Syntax::Single, "a b", true),
        (Syntax::Single, " a", false),
        (Syntax::Refresh, "'a", false),
        (Syntax::Refresh, "it's", true),
        (Syntax::AbsoluteOnly, "a/b", false),
    ];
    for (syntax, reference, expected) in cases {
        assert_eq!(fits(syntax, reference), expected, "{syntax:?} {reference}");
    }
}

proptest! {
    #[test]
    fn parts_are_sorted_disjoint_and_whole(text in "(http://|a|é|,|;|url|=|'|\"|\\(|\\)|\\\\|\\{|\\}|\\[|\\]|:|0| |\t)*") {
        for syntax in EVERY {
            let mut end = 0;
            split(syntax, &text, &mut |part| {
                assert!(part.span.start >= end && !part.span.is_empty(), "{syntax:?}");
                assert!(text.get(part.span.start..part.span.end).is_some(), "{syntax:?}");
                end = part.span.end;
            });
        }
    }

    #[test]
    fn what_fits_alone_is_found_alone(reference in "(http://|a|é|,|;|'| |/)+") {
        for syntax in [Syntax::Single, Syntax::SpaceList, Syntax::CommaList, Syntax::SemicolonList, Syntax::Srcset, Syntax::AbsoluteOnly] {
            if fits(syntax, &reference) {
                prop_assert_eq!(parts(syntax, &reference), [&*reference], "{:?}", syntax);
            }
        }
    }
}

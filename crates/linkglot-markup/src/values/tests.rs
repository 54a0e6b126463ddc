use super::*;
use crate::slot::Access;
use Syntax::*;
use proptest::prelude::*;

const ALL: [Syntax; 20] = [
    Single,
    Base,
    SpaceList,
    CommaList,
    Srcset,
    Refresh,
    Css,
    CssDeclarations,
    Json,
    LocationPairs,
    AbsoluteOnly,
    AbsoluteList,
    SemicolonList,
    Template,
    Policy,
    ImportMap,
    SpeculationRules,
    QuotedList,
    Field,
    Text,
];

fn references(syntax: Syntax, text: &str) -> Vec<&str> {
    let mut references = Vec::new();
    split(syntax, text, &mut |reference| {
        references.push(reference.span.of(text));
    });
    references
}

#[test]
fn values_are_split_into_references() {
    let cases: &[(Syntax, &str, &[&str])] = &[
        (Single, "\u{1} \n a b \t", &["a b"]),
        (Single, " ", &[]),
        (Single, "javascript:x()", &["javascript:x()"]),
        (SpaceList, " a,b\tc\n", &["a,b", "c"]),
        (SpaceList, "a\u{A0}b", &["a\u{A0}b"]),
        (CommaList, "a b.jar, c.jar,,", &["a b.jar", "c.jar"]),
        (SemicolonList, "#a; #b", &["#a", "#b"]),
        (
            LocationPairs,
            " urn:n n.xsd urn:m m.xsd urn:o",
            &["n.xsd", "m.xsd"],
        ),
        (AbsoluteOnly, " http://é.example/ ", &["http://é.example/"]),
        (AbsoluteOnly, "see http://é.example/", &[]),
        (AbsoluteOnly, "dc:title", &[]),
        (AbsoluteOnly, "MAILTO:a@b.example", &["MAILTO:a@b.example"]),
        (AbsoluteOnly, "http://", &[]),
        (
            AbsoluteList,
            "nofollow http://x.example/r dc:t",
            &["http://x.example/r"],
        ),
        (Srcset, "a.png, b.png 2x", &["a.png", "b.png"]),
        (Srcset, " ,, a,b.png 1x,c.png\t2x , ", &["a,b.png", "c.png"]),
        (Srcset, "a.png,,b.png", &["a.png,,b.png"]),
        (Srcset, "a.png,, b.png,", &["a.png", "b.png"]),
        (Srcset, "a.png (x, y) z, b.png", &["a.png", "b.png"]),
        (Srcset, "a.png (x, b.png", &["a.png"]),
        (
            Srcset,
            "data:image/png;base64,AA== 1x, é.png 2w",
            &["data:image/png;base64,AA==", "é.png"],
        ),
        (Srcset, "", &[]),
        (Srcset, ",", &[]),
        (Refresh, "5; url=a.html", &["a.html"]),
        (Refresh, "5;a.html", &["a.html"]),
        (Refresh, " 0,URL = 'a b.html' x", &["a b.html"]),
        (Refresh, "0.5.1 \"a.html", &["a.html"]),
        (Refresh, ".; url=a", &["a"]),
        (Refresh, "1;url", &["url"]),
        (Refresh, "1;urls=x", &["urls=x"]),
        (Refresh, "1; ul=x", &["ul=x"]),
        (Refresh, "1; url='x\"y'z", &["x\"y"]),
        (Refresh, "5", &[]),
        (Refresh, "5;", &[]),
        (Refresh, "5; url=", &[]),
        (Refresh, "5url=x", &[]),
        (Refresh, "url=x", &[]),
        (Refresh, "-1;url=x", &[]),
        (Refresh, "", &[]),
        (
            Policy,
            "img-src https://a.example/ *.b.example https://*.c 'self' data:; report-uri /r",
            &["https://a.example/", "/r"],
        ),
        (
            Policy,
            "camera \"https://a.example\" self",
            &["https://a.example"],
        ),
        (Policy, "report-uri \"\"", &[]),
        (
            QuotedList,
            "\"a.png\" \" b.png \" \"c\\\"d\"",
            &["a.png", "b.png"],
        ),
        (
            Field,
            "HYPERLINK \"a.doc\" =hyperlink( \"b\"\"c\") HYPERLINK \\l \"d\"",
            &["a.doc"],
        ),
        (
            ImportMap,
            "{\"imports\":{\"a\":\"b.js\",\"./c\":\"d.js\"},\"scopes\":{\"/e/\":{\"a\":\"f.js\"}},\"x\":\"g\"}",
            &["b.js", "./c", "d.js", "/e/", "f.js"],
        ),
        (
            SpeculationRules,
            "{\"prefetch\":[{\"urls\":[\"a\",\"b\"],\"x\":\"c\"}]}",
            &["a", "b"],
        ),
        (Json, "]}\"http://a.example/\\", &["http://a.example/\\"]),
        (
            Json,
            "\"url\":\"a\" \"http://b.example/\"",
            &["a", "http://b.example/"],
        ),
    ];
    for (syntax, text, expected) in cases {
        assert_eq!(references(*syntax, text), *expected, "{syntax:?} {text}");
    }
}

#[test]
fn keys_of_json_ld_decide() {
    let text = r##"{
        "@context": {"@vocab": "http://schema.example/", "x": "http://x.example/"},
        "@type": "http://t.example/T", "@id": "#me", "url": "a\u00e9.html", "name": "b.html",
        "image": ["c.png", {"@id": "_:b", "url": "http:\/\/d.example\/"}, "e.png"],
        "about": "http://f.example/", "note": "see http://g.example/",
        "target": "http://h.example/?q={q}", "urlTemplate": "/{q}", "image": "{i}", "logo": "k.png"
    }"##;
    let expected = [
        "http://schema.example/",
        "http://x.example/",
        "http://t.example/T",
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
    assert_eq!(references(Json, text), expected);
}

#[test]
fn identifiers_of_json_ld_are_told_from_links() {
    let text = r#"{"@type":"http://a.example/T","@id":"b","id":"http://c.example/","url":"d",
        "\u0040id":"e","id":"not-absolute","sameAs":{"@id":"http://f.example/"}}"#;
    let mut accesses = Vec::new();
    split(Json, text, &mut |reference| {
        accesses.push((reference.span.of(text), reference.access));
    });
    let expected = [
        ("http://a.example/T", Access::Identifier),
        ("b", Access::Rules),
        ("http://c.example/", Access::Rules),
        ("d", Access::Rewrite),
        ("e", Access::Rules),
        ("http://f.example/", Access::Rules),
    ];
    assert_eq!(accesses, expected);
}

#[test]
fn references_fit_their_syntax() {
    let cases = [
        (Srcset, "a,b", true),
        (Srcset, "a,", false),
        (Srcset, ",a", false),
        (Srcset, "a b", false),
        (SpaceList, "a\tb", false),
        (CommaList, "a,b", false),
        (Single, "a b", true),
        (Single, " a", false),
        (Refresh, "'a", false),
        (Refresh, "it's", true),
        (AbsoluteOnly, "a/b", false),
    ];
    for (syntax, reference, expected) in cases {
        assert_eq!(fits(syntax, reference), expected, "{syntax:?} {reference}");
    }
}

proptest! {
    #[test]
    fn references_are_sorted_disjoint_and_whole(text in "(http://|a|é|,|;|url|=|'|\"|\\(|\\)|\\\\|\\{|\\}|\\[|\\]|:|0| |\t)*") {
        for syntax in ALL {
            let mut end = 0;
            split(syntax, &text, &mut |reference| {
                assert!(reference.span.start >= end && !reference.span.is_empty(), "{syntax:?}");
                assert!(text.get(reference.span.start..reference.span.end).is_some(), "{syntax:?}");
                end = reference.span.end;
            });
        }
    }

    #[test]
    fn a_reference_that_fits_is_found_whole(reference in "(http://|a|é|,|;|'| |/)+") {
        for syntax in [Single, SpaceList, CommaList, SemicolonList, Srcset, AbsoluteOnly] {
            if fits(syntax, &reference) {
                prop_assert_eq!(references(syntax, &reference), [&*reference], "{:?}", syntax);
            }
        }
    }
}

use super::*;

/// The component, text and rule of each violation.
fn broken_parts(iri: &str) -> Vec<(&'static str, &str, u8)> {
    let describe = |violation: Violation| {
        let range = violation.start..violation.start + violation.text.len();
        (violation.component, &iri[range], violation.rule)
    };
    check(iri).violations.into_iter().map(describe).collect()
}

#[test]
fn iris_that_keep_all_rules() {
    for iri in [
        "",
        "http://a.גד.הו/זח/ט.html?י=כ;ל=a#מ",
        "http://123/45",
        "/123/א",
        "/א/ab/12",
        "x:א",
        "//א:ב@ג/",
        "/אְ",
        "http://[::1]/א",
    ] {
        assert_eq!(check(iri).verdict, Verdict::Ok, "{iri}");
    }
}

#[test]
fn rules_are_broken_by_parts() {
    for (iri, expected) in [
        ("http://אa.b/", ("label", "אa", 1)),
        ("/א-/b", ("isegment-nz", "א-", 2)),
        ("//h/1א/b", ("isegment", "1א", 2)),
        ("a/b-א", ("isegment", "b-א", 1)),
        ("א1", ("isegment-nz-nc", "א1", 2)),
        ("x:א1", ("isegment-nz", "א1", 2)),
        ("/a.bא", ("extension", "bא", 1)),
        ("?a=א1", ("value", "א1", 2)),
        ("?a;1א=b", ("name", "1א", 2)),
        ("#א)", ("ifragment", "א)", 2)),
        ("//א@:aא@b/", ("iuserinfo", "א@:aא", 1)),
        ("/א%D7", ("isegment-nz", "א%D7", 1)),
        ("/.אב", ("isegment-nz", ".אב", 2)),
    ] {
        assert_eq!(broken_parts(iri).first(), Some(&expected), "{iri}");
        assert_eq!(check(iri).verdict, Verdict::NotRecommended);
    }
}

#[test]
fn digits_displayed_from_right_to_left() {
    for iri in ["/א/12/b", "http://אב.12/", "//א:80/", "/א/-/7", "/א/١٢"] {
        assert_eq!(check(iri).verdict, Verdict::AllowedNotRecommended, "{iri}");
    }
}

#[test]
fn formatting_characters_are_forbidden() {
    for iri in ["/a\u{200E}", "/\u{2067}", "/\u{61C}א"] {
        assert_eq!(check(iri).verdict, Verdict::Forbidden, "{iri:?}");
    }
}

#[test]
fn visual_order() {
    for (iri, expected) in [
        ("http://a/b", "http://a/b"),
        ("http://אב.גד/הו", "http://וה/דג.בא"),
        ("/א12ב", "/ב12א"),
        ("/א[ב]", "/[ב]א"),
        ("", ""),
    ] {
        assert_eq!(visual(iri), expected, "{iri}");
    }
}

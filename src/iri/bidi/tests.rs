use super::*;

fn broken_parts(iri: &str) -> Vec<(&'static str, &str, u8)> {
    let report = check(iri);
    let triple = |violation: &Violation<'_>| (violation.component, violation.rule);
    report
        .violations
        .iter()
        .map(|violation| {
            let (component, rule) = triple(violation);
            (
                component,
                &iri[violation.start..violation.start + violation.text.len()],
                rule,
            )
        })
        .collect()
}

#[test]
fn good_iris() {
    for iri in [
        "",
        "http://a.גד.הו/זח/ט.html?י=כ;ל=a#מ",
        "http://123/45",
        "/123/א",
        "/א/ab/12",
        "x:א",
        "//א:ב@ג/",
        "/אְ",
        "/.אב",
        "http://[::1]/א",
    ] {
        let report = check(iri);
        let expected = if iri == "/.אב" {
            Verdict::NotRecommended
        } else {
            Verdict::Ok
        };
        assert_eq!(report.verdict, expected, "{iri}");
    }
}

#[test]
fn rules_by_part() {
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
    ] {
        assert_eq!(broken_parts(iri).first(), Some(&expected), "{iri}");
        assert_eq!(check(iri).verdict, Verdict::NotRecommended);
    }
}

#[test]
fn digits_that_move() {
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
fn order_of_display() {
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

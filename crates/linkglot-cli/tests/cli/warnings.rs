//! Warnings about deceptive links are notes in every output, and `find --warn` lists the links with warnings.

use crate::support::{Place, root};
use linkglot::notes::Note;
use serde_json::json;

/// Links with their warnings.
const CASES: &[(&str, &[&str])] = &[
    (
        "http://xn--pple-43d.com/",
        &["mixed-script-host", "confusable-host"],
    ),
    (
        "http://раураl.com/",
        &["mixed-script-host", "confusable-host"],
    ),
    ("http://а\u{440}\u{440}ӏе.com/", &["confusable-host"]),
    ("http://a.example:99999/", &["port-out-of-range"]),
    ("/%C0%AF", &["legacy-percent"]),
    ("/a\u{200B}b", &["invisible"]),
    (
        "http://www.bank.example@evil.example/",
        &["userinfo-like-host"],
    ),
    ("http://2130706433/", &["disguised-address"]),
    ("http://0x7f.1/", &["disguised-address"]),
    ("http://0177.0.0.1/", &["disguised-address"]),
    (
        "http://１２７.０.０.１/",
        &["disguised-address", "width-form"],
    ),
    ("/%2e%2e/a", &["encoded-dots"]),
    ("mailto:ann@xn--80ak6aa92e.com", &["confusable-host"]),
    ("http://a.example/", &[]),
    ("/{{ x }}%", &["left-template"]),
];

fn page() -> String {
    let links = CASES
        .iter()
        .map(|(link, _)| format!("<a href=\"{link}\">x</a>\n"));
    format!("<meta charset=utf-8>{}", links.collect::<String>())
}

#[test]
fn notes_of_find() {
    let place = Place::new(&[("a.html", &page())]);
    let run = place.run(&["find", "--json", "a.html"]);
    for (object, (link, notes)) in run.objects().iter().zip(CASES) {
        assert_eq!(
            (&object["text"], &object["notes"]),
            (&json!(link), &json!(notes))
        );
    }
    // Running text has links without a scheme.
    place.write("b.txt", "see www.раураl.com or ann@аррӏе.com".as_bytes());
    let run = place.run(&["find", "--json", "-E", "utf-8", "b.txt"]);
    let objects = run.objects();
    assert_eq!(
        objects[0]["notes"],
        json!(["mixed-script-host", "confusable-host"])
    );
    assert_eq!(objects[1]["notes"], json!(["confusable-host"]));
}

#[test]
fn notes_of_convert() {
    let place = Place::new(&[]);
    for (link, notes) in CASES.iter().filter(|(link, _)| !link.contains('{')) {
        let run = place.run(&["convert", "--to", "iri", "--json", link]);
        let object = &run.objects()[0];
        for note in *notes {
            assert!(
                object["notes"].as_array().unwrap().contains(&json!(note)),
                "{object}"
            );
        }
    }
}

#[test]
fn notes_of_rewrite() {
    let place = Place::new(&[(
        "a.html",
        "<meta charset=utf-8><a href='http://аpple.com/'><a href='/\u{E9}'>",
    )]);
    let run = place.run(&["rewrite", "--to", "uri", "-n", "--json", "a.html"]);
    let objects = run.objects();
    assert_eq!(
        objects[0]["notes"],
        json!(["mixed-script-host", "confusable-host"])
    );
    assert_eq!(objects[1]["notes"], json!([]));
    let run = place.run(&["rewrite", "--to", "uri", "-v", "a.html"]);
    let words =
        "1:30: `http://аpple.com/`: a label of the host mixes scripts; the host can be mistaken";
    assert!(run.err.contains(words), "{run:?}");
    assert!(!run.err.contains("`/\u{E9}`"), "{run:?}");
    place.run(&[
        "rewrite", "--to", "uri", "-n", "--report", "r.html", "a.html",
    ]);
    let report = String::from_utf8(place.read("r.html")).unwrap();
    assert!(report.contains(Note::MixedScriptHost.words()));
}

#[test]
fn only_links_with_warnings() {
    let place = Place::new(&[("a.html", &page())]);
    let count = |code: &str| {
        let notes = CASES.iter().filter(|(_, notes)| notes.contains(&code));
        notes.count()
    };
    for code in ["disguised-address", "confusable-host", "invisible"] {
        let run = place.run(&["find", "-o", "--warn", code, "a.html"]);
        assert_eq!(run.text().lines().count(), count(code), "{run:?}");
        let run = place.run(&["find", "--json", "--warn", code, "a.html"]);
        assert_eq!(run.objects().len(), count(code) + 1, "{run:?}");
    }
    let run = place.run(&["find", "-c", "--warn", "any", "a.html"]);
    assert_eq!(run.text(), "13\n");
    let run = place.run(&["find", "-c", "--warn", "invisible,encoded-dots", "a.html"]);
    assert_eq!(run.text(), "2\n");
    let run = place.run(&["find", "--warn", "bidi-digits", "a.html"]);
    assert_eq!((run.code, run.text().as_str()), (1, ""));
}

#[test]
fn unknown_codes_are_refused() {
    let place = Place::new(&[("a.html", "")]);
    let run = place.run(&["find", "--warn", "confusble-host", "a.html"]);
    run.complains(&["confusble-host", "similar value", "'confusable-host'"], 2);
    // A note on why a link would be left is not a warning.
    let run = place.run(&["find", "--warn", "left-signed", "a.html"]);
    assert_eq!(run.code, 2);
}

#[test]
fn the_page_has_every_warning_in_words() {
    let page = root().join("docs/warnings.md");
    let page = std::fs::read_to_string(page).expect("a page");
    for note in Note::WARNINGS {
        let row = format!("| `{}` | {} |", note.code(), note.words());
        assert!(page.contains(&row), "{row}");
    }
}

/// Characters that are not decoded by default are decoded with `--display all`; both forms map back to the same URI.
#[test]
fn safe_display() {
    let place = Place::new(&[]);
    for uri in [
        "/%EF%BC%A1",
        "/%EF%BD%B1",
        "/%EF%AC%81",
        "/%C2%B2",
        "/1%C2%BA",
        "/%E2%80%A6",
        "/%E2%88%95a",
        "/%E2%80%A4%E2%80%A4/a",
        "/a?b=%EF%BC%86c",
        "/%EF%BC%8Fa",
        "#%C2%B4",
    ] {
        let shown = |display| {
            place
                .run(&["convert", "--to", "iri", "--display", display, uri])
                .text()
        };
        assert_eq!(shown("safe").trim_end(), uri);
        let all = shown("all");
        assert_ne!(all.trim_end(), uri);
        let back = place
            .run(&["convert", "--to", "uri", all.trim_end()])
            .text();
        assert_eq!(back.trim_end(), uri);
    }
    let letters = "/%D4%B1%D6%87/%E0%B8%99%E0%B8%B3/%E0%BB%9C/%C7%86";
    let shown = place.run(&["convert", "--to", "iri", letters]).text();
    assert_eq!(shown, "/Աև/นำ/ໜ/ǆ\n");
}

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

/// The links of running text with their warnings: what would make a link of markup suspicious does not just end it.
#[test]
fn notes_of_links_in_running_text() {
    let text = [
        "http://a.example:99999/b",
        "http://ann@a.example:65536.",
        "http://a.example/\u{200B}b",
        "http://bank.example\u{200B}.evil.example/",
        "http://a\u{200B}pple.com/x",
        "http://a.example/c\u{2060}d",
        "http://a.example/%C0%AF",
        "http://a.example/\u{200B} http://a.example:65535/",
    ];
    let found = [
        ("http://a.example", json!(["port-out-of-range"])),
        ("http://ann@a.example", json!(["port-out-of-range"])),
        ("http://a.example/", json!(["invisible"])),
        ("http://bank.example", json!(["invisible"])),
        ("http://a", json!(["invisible"])),
        ("pple.com/x", json!(["invisible"])),
        ("http://a.example/c\u{2060}d", json!(["invisible"])),
        ("http://a.example/%C0%AF", json!(["legacy-percent"])),
        ("http://a.example/", json!([])),
        ("http://a.example:65535/", json!([])),
    ];
    let place = Place::new(&[("a.txt", &text.join("\n"))]);
    let run = place.run(&["find", "--json", "-E", "utf-8", "a.txt"]);
    let objects = run.objects();
    let notes = objects
        .iter()
        .filter(|object| object["type"] == "link")
        .map(|object| (object["text"].as_str().unwrap(), object["notes"].clone()));
    assert_eq!(notes.collect::<Vec<_>>(), found);
    let run = place.run(&["find", "-c", "--warn", "invisible", "-E", "utf-8", "a.txt"]);
    assert_eq!(run.text(), "5\n");
    // In text of HTML the character may be a reference.
    place.write("b.html", b"<p>http://bank.example&#8203;.evil.example/");
    let run = place.run(&["find", "--warn", "any", "-o", "--also", "text", "b.html"]);
    assert_eq!(run.text(), "http://bank.example\n", "{run:?}");
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

/// Escapes in a host are read before the host is looked up: it deceives with them as without.
#[test]
fn hosts_with_escapes_have_the_warnings_of_their_characters() {
    const LINK: &str = "http://googl%E2%81%84e.com/";
    let place = Place::new(&[("a.txt", LINK)]);
    let explained = place.run(&["explain", LINK]);
    assert!(
        explained.text().contains("(delimiter-look-alike)"),
        "{explained:?}"
    );
    let found = place.run(&["find", "-o", "--warn", "delimiter-look-alike", "a.txt"]);
    found.prints(&format!("{LINK}\n"), 0);
    let notes = &place.run(&["find", "--json", "a.txt"]).objects()[0]["notes"];
    assert!(
        notes
            .as_array()
            .unwrap()
            .iter()
            .any(|note| note == "delimiter-look-alike")
    );
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

/// Links of HTML with their labels; `true` if a label names another host.
const LABELS: &[(&str, &str, Option<&str>, bool)] = &[
    (
        "http://a.example/",
        "<b>www.bank</b>.example",
        Some("www.bank.example"),
        true,
    ),
    (
        "http://a.example/",
        "https:&#x2F;/bank.example/login",
        Some("https://bank.example/login"),
        true,
    ),
    (
        "http://a.example/",
        "\u{201C}bank.com\u{201D} logs in",
        Some("\u{201C}bank.com\u{201D} logs in"),
        true,
    ),
    (
        "http://a.example/",
        "bank.co&shy;m",
        Some("bank.co\u{AD}m"),
        true,
    ),
    (
        "http://a.example/",
        "<img src=i alt=bank.com>",
        Some("bank.com"),
        true,
    ),
    (
        "http://a.example/",
        "www<span hidden>.a.example</span>.bank.com",
        Some("www.bank.com"),
        true,
    ),
    (
        "http://a.bank.co.uk/",
        "bank.co.uk",
        Some("bank.co.uk"),
        false,
    ),
    ("http://bank.co.uk/", "shop.co.uk", Some("shop.co.uk"), true),
    (
        "http://ann.github.io/",
        "https://bob.github.io",
        Some("https://bob.github.io"),
        true,
    ),
    // A public suffix with a page of its own.
    (
        "https://www.freedesktop.org/wiki",
        "freedesktop.org",
        Some("freedesktop.org"),
        false,
    ),
    (
        "http://192.0.2.1/",
        "http://192.0.2.2/",
        Some("http://192.0.2.2/"),
        true,
    ),
    (
        "http://3221225985/",
        "http://192.0.2.1/",
        Some("http://192.0.2.1/"),
        false,
    ),
    (
        "http://xn--bcher-kva.example/",
        "http://b\u{FC}cher.example/",
        Some("http://b\u{FC}cher.example/"),
        false,
    ),
    (
        "mailto:ann@example.org",
        "bob@example.com",
        Some("bob@example.com"),
        true,
    ),
    (
        "mailto:ann@example.org",
        "bob@mail.example.org",
        Some("bob@mail.example.org"),
        false,
    ),
    (
        "mailto:ann@example.org",
        "www.example.com",
        Some("www.example.com"),
        true,
    ),
    // The text only mentions a host.
    (
        "http://a.example/",
        "Log in to bank.com",
        Some("Log in to bank.com"),
        false,
    ),
    (
        "http://a.example/",
        "Read  more\n",
        Some("Read more"),
        false,
    ),
    ("http://a.example/", " ", None, false),
    // Without a known host.
    ("/b", "bank.com", Some("bank.com"), false),
    ("tel:1", "bank.com", Some("bank.com"), false),
    ("javascript:x()", "bank.com", Some("bank.com"), false),
    ("http://{{ host }}/", "bank.com", Some("bank.com"), false),
    // Services that wrap links.
    (
        "https://www.google.com/url?q=https%3A%2F%2Fbank.com%2F&amp;sa=D",
        "bank.com",
        Some("bank.com"),
        false,
    ),
    ("//a.example/", "www.b.example", Some("www.b.example"), true),
    (
        "//a.example/",
        "www.a.example",
        Some("www.a.example"),
        false,
    ),
    // Links that browsers complete without a base, and labels that readers do.
    (
        "https:a.example/",
        "www.b.example",
        Some("www.b.example"),
        true,
    ),
    (
        "https:/a.example/",
        "www.b.example",
        Some("www.b.example"),
        true,
    ),
    ("HTTP:\\a.example/", "a.example", Some("a.example"), false),
    ("https:{{ host }}/", "b.example", Some("b.example"), false),
    (
        "http://a.example/",
        "http:/www.b.example",
        Some("http:/www.b.example"),
        true,
    ),
    (
        "http://a.example/",
        "https:// www.b.example",
        Some("https:// www.b.example"),
        true,
    ),
    (
        "http://a.example/",
        "http:www.a.example",
        Some("http:www.a.example"),
        false,
    ),
    (
        "http://a.example/",
        "http: see www.b.example",
        Some("http: see www.b.example"),
        false,
    ),
    // A service may read another link than the first.
    (
        "https://www.google.com/url?amp;q=https://www.b.example/&amp;q=https://a.example/",
        "www.b.example",
        Some("www.b.example"),
        true,
    ),
    (
        "https://l.facebook.com/l.php?%75=https://a.example/&amp;u=https://www.b.example/",
        "www.b.example",
        Some("www.b.example"),
        true,
    ),
    ("http://strasse.de/", "straße.de", Some("straße.de"), false),
    (
        "http://xn--strae-oqa.de/",
        "strasse.de",
        Some("strasse.de"),
        false,
    ),
    ("http://strasse.at/", "straße.de", Some("straße.de"), true),
    (
        "https://www.google.com/url?q=https%3A%2F%2Fa.example%2F&amp;sa=D",
        "google.com",
        Some("google.com"),
        true,
    ),
];

const OTHER_HOST: &str = "text-names-other-host";

fn labelled() -> String {
    let links = LABELS
        .iter()
        .map(|(link, text, ..)| format!("<a href=\"{link}\">{text}</a>\n"));
    format!("<meta charset=utf-8>{}", links.collect::<String>())
}

#[test]
fn labels_that_name_other_hosts() {
    let mail = format!(
        "Content-Type: text/html\nContent-Transfer-Encoding: 8bit\n\n{}",
        labelled()
    );
    let nested = labelled().replace('&', "&amp;").replace('\'', "&#39;");
    let nested = format!("<iframe srcdoc='{nested}'></iframe>");
    let place = Place::new(&[
        ("a.html", &labelled()),
        ("b.eml", &mail),
        ("c.html", &nested),
    ]);
    for file in ["a.html", "b.eml", "c.html"] {
        let objects = place
            .run(&["find", "--json", "--kind", "attribute", file])
            .objects();
        let mut objects = objects
            .iter()
            .filter(|object| object["place"]["name"] == "href");
        for (link, text, label, is_other) in LABELS {
            let object = objects.next().expect("a link");
            let notes = object["notes"].as_array().expect("notes");
            assert_eq!(
                object.get("label"),
                label.map(|label| json!(label)).as_ref(),
                "{text} in {file}"
            );
            assert_eq!(
                notes.contains(&json!(OTHER_HOST)),
                *is_other,
                "{link} of {text} in {file}"
            );
        }
        assert!(objects.next().is_none());
    }
}

/// The base of a document gives the host of a relative link.
#[test]
fn labels_of_relative_links() {
    let page = "<base href=http://a.example/><a href=b>bank.com</a><a href=b>a.example</a>";
    let place = Place::new(&[("a.html", page)]);
    let run = place.run(&["find", "--warn", OTHER_HOST, "a.html"]);
    run.prints("1:38:b\n", 0);
}

#[test]
fn labels_of_rewritten_links() {
    let page = "<meta charset=utf-8><a href='http://a.example/\u{E9}'>bank.com</a><a href='http://a.example/\u{E9}{{ b }}'>bank.com</a>";
    let place = Place::new(&[("a.html", page)]);
    let run = place.run(&["rewrite", "--to", "uri", "--json", "a.html"]);
    let objects = run.objects();
    let edits = objects.iter().filter(|object| object["type"] == "edit");
    let notes: Vec<_> = edits.map(|object| &object["notes"]).collect();
    assert_eq!(notes, [&json!([OTHER_HOST])]);
    let run = place.run(&["rewrite", "--to", "uri", "-v", "a.html"]);
    assert!(
        run.err.contains(Note::TextNamesOtherHost.words()),
        "{}",
        run.err
    );
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

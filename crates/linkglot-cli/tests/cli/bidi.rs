//! Identifiers with right-to-left characters: the controls around them, and their display (RFC 3987 4).

use crate::support::{Place, Ran};
use serde_json::json;

fn run(args: &[&str]) -> Ran {
    Place::new(&[]).run(args)
}

/// Characters that enclose an identifier are not part of it (4.1).
#[test]
fn controls_around_identifiers_are_dropped() {
    let wrapped = "\u{202A}http://example.org/א\u{202C}\u{200E}";
    let uri = "http://example.org/%D7%90";
    run(&["convert", "--to", "uri", wrapped]).prints(&format!("{uri}\n"), 0);
    let object = &run(&["convert", "--to", "uri", "--json", wrapped]).objects()[0];
    assert_eq!(object["input"], wrapped);
    assert_eq!(object["uri"], uri);
    assert_eq!(object["notes"], json!(["bidi-controls-dropped"]));
    assert_eq!(object["bidi"]["verdict"], "ok");

    // Errors count bytes of the input.
    let failed = run(&["convert", "--to", "uri", "--json", "\u{202A}/a b\u{202C}"]);
    assert_eq!(failed.objects()[0]["error"]["at"], 5);
    failed.complains(&["at byte 5"], 1);

    let explained = run(&["explain", wrapped]);
    assert!(
        explained.text().contains("not valid: expected"),
        "{explained:?}"
    );
    assert!(
        explained
            .text()
            .contains("  as URI    http://example.org/%D7%90\n")
    );
    assert!(
        explained.text().contains("(bidi-controls-dropped)"),
        "{explained:?}"
    );
    let object = &run(&["explain", "--json", wrapped]).objects()[0];
    assert_eq!(object["input"], wrapped);
    assert_eq!(object["notes"], json!(["bidi-controls-dropped"]));
    // The controls are inside the identifier, where no IRI may hold them.
    assert_eq!(object["valid"], false);
    assert_eq!(object["read"]["path"], "/א");
    let object = &run(&["explain", "--json", "\u{202A}/a\u{200B}"]).objects()[0];
    assert_eq!(object["details"][1]["code"], "invisible");
    assert_eq!(object["details"][1]["start"], 5);

    run(&["convert", "--to", "uri", "/a\u{202A}b"]).prints("/a%E2%80%AAb\n", 0);
    // An override does more than enclose: it reverses characters.
    run(&["convert", "--to", "uri", "\u{202E}/a"]).prints("%E2%80%AE/a\n", 0);
}

#[test]
fn controls_are_dropped_by_preprocessing() {
    let text = " \u{2067} /א \u{2069}";
    let args = ["convert", "--to", "iri", "--preprocess"];
    run(&[&args[..], &["remove", text]].concat()).prints("/א\n", 0);
    let run = run(&[&args[..], &["split", "--json", "/a \u{2067}/א\u{2069}"]].concat());
    let references = &run.objects()[0]["references"];
    assert_eq!(references[0]["notes"], json!([]));
    assert_eq!(references[1]["iri"], "/א");
    assert_eq!(references[1]["notes"], json!(["bidi-controls-dropped"]));
}

#[test]
fn isolates() {
    let rtl = "http://example.org/אב";
    let isolated = format!("\u{2066}{rtl}\u{2069}");
    run(&["convert", "--to", "iri", "--isolate", rtl, "/é"])
        .prints(&format!("{isolated}\n/é\n"), 0);
    run(&["convert", "--to", "iri", rtl]).prints(&format!("{rtl}\n"), 0);
    run(&["convert", "--to", "uri", "--isolate", rtl])
        .prints("http://example.org/%D7%90%D7%91\n", 0);

    let place = Place::new(&[("a.txt", &format!("x {rtl} /\nhttp://example.org/é\n"))]);
    let found = place.run(&["find", "--isolate", "a.txt"]);
    found.prints(&format!("1:3:{isolated}\n2:1:http://example.org/é\n"), 0);
    place
        .run(&["find", "-o", "a.txt"])
        .prints(&format!("{rtl}\nhttp://example.org/é\n"), 0);
    let raw = place.run(&["find", "-o", "--as", "raw", "--isolate", "a.txt"]);
    raw.prints(&format!("{rtl}\nhttp://example.org/é\n"), 0);

    let explained = run(&["explain", "--isolate", rtl]).text();
    assert!(
        explained.starts_with(&format!("{isolated}\n")),
        "{explained}"
    );
    assert!(
        explained.contains("  path      \u{2066}/אב\u{2069}\n"),
        "{explained}"
    );
    let displayed = "  displayed \u{2066}\u{202D}http://example.org/בא\u{202C}\u{2069}\n";
    assert!(explained.contains(displayed), "{explained}");
}

#[test]
fn displayed_order_and_moved_digits() {
    let objects = run(&["explain", "--json", "http://ab.גדה.123/", "/é"]).objects();
    assert_eq!(objects[0]["displayed"], "http://ab.123.הדג/");
    assert_eq!(objects[0]["warnings"], json!(["bidi-digits"]));
    assert_eq!(objects[0]["details"][0]["detail"], "123");
    assert_eq!(objects[1]["displayed"], "/é");
}

//! JSON and JSON Lines.

use super::support::Place;
use serde_json::{Value, json};

/// Format, place and text of each link.
fn said(objects: &[Value]) -> Vec<Value> {
    let links = objects.iter().filter(|object| object["type"] == "link");
    let properties = |link: &Value| {
        let place = &link["place"];
        json!([link["format"], place["kind"], place["name"], link["text"]])
    };
    links.map(properties).collect()
}

#[test]
fn formats_by_name_and_content() {
    let text = "{\"a\": \"http:\\/\\/a.example\\/\"}\n";
    let names = [
        ("a.JSON", "json"),
        ("b.ndjson", "jsonl"),
        ("c.ipynb", "json"),
        ("d", "json"),
        ("e.txt", "text"),
        ("f.jsonl", "jsonl"),
    ];
    let files: Vec<(&str, &str)> = names.iter().map(|(name, _)| (*name, text)).collect();
    let place = Place::new(&files);
    for (name, format) in names {
        let objects = place.run(&["find", "--json", name]).objects();
        let found = said(&objects);
        // In running text `\\/` is no slash.
        let expected =
            (format != "text").then(|| json!([format, "value", "a", "http://a.example/"]));
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{name}");
    }
    place
        .run(&["find", "-t", "jsonl", "-c", "."])
        .prints("./b.ndjson:1\n./f.jsonl:1\n", 0);
}

#[test]
fn deep_nesting_and_unsound_ends() {
    let deep = format!(
        "{}\"http://old.example/\"{}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let cut = "{\"a\": \"http://old.example/a\", \"b\": [\"http://old.example/b";
    let place = Place::new(&[("deep.json", &deep), ("cut.json", cut)]);
    let map = ["--map", "http://old.example/ https://new.example/"];
    for (name, count) in [("deep.json", 1), ("cut.json", 2)] {
        let ran = place.run(&[&["rewrite", "--stdout", name], &map[..]].concat());
        assert_eq!(ran.text().matches("https://new.example/").count(), count);
    }
}

#[test]
fn links_of_strings_are_told_by_their_place() {
    let text = r#"{"@context": "https://www.w3.org/ns/activitystreams", "id": "http://a.example/1",
        "content": "<a href=\"/b\">c</a>", "to": ["http://d.example/"], "x": "{\"y\": \"http://e.example/\"}"}"#;
    let place = Place::new(&[("a.json", text)]);
    let found = said(&place.run(&["find", "--json", "a.json"]).objects());
    let expected = [
        json!(["json", "value", "id", "http://a.example/1"]),
        json!(["json", "attribute", "href", "/b"]),
        json!(["json", "value", "to", "http://d.example/"]),
        json!(["json", "value", "y", "http://e.example/"]),
    ];
    assert_eq!(found, expected);
    let ran = place.run(&[
        "rewrite", "--stdout", "--slots", "value", "--to", "iri", "a.json",
    ]);
    assert_eq!(ran.text(), text);
}

/// A string with a tag may be plain text.
#[test]
fn a_guess_of_html_decides_no_target() {
    let text = "{\"a\": \"<b> http://a.example/?b&copy=1 http://a.example/\u{e9}?b&c=1\"}\n";
    let place = Place::new(&[("a.json", text)]);
    let ran = place.run(&["rewrite", "--to", "uri", "--stdout", "a.json"]);
    ran.complains(&["1 link left unchanged"], 0);
    assert_eq!(ran.text(), text.replace('\u{e9}', "%C3%A9"));
    // In an attribute it is HTML.
    let sure = "{\"a\": \"<a href='http://a.example/\u{e9}?b&amp;c'>\"}\n";
    place.write("a.json", sure.as_bytes());
    let ran = place.run(&["rewrite", "--to", "uri", "--stdout", "a.json"]);
    assert_eq!(ran.text(), sure.replace('\u{e9}', "%C3%A9"));
}

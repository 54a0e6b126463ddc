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

/// Cells of notebooks are Markdown and programs, also over lines that are strings of their own.
#[test]
fn notebooks() {
    let notebook = r##"{
 "cells": [
  {"cell_type": "markdown", "source": ["See [a](/old/a), `x` and\n",
    "http://old.example/caf\u00e9, ![b](b.png)\n", "```js\n", "a = 'http://not' + 'old.example'\n", "```"]},
  {"cell_type": "markdown", "source": "[c](/old/c)"},
  {"cell_type": "code", "outputs": [], "source": [
    "http://old.example/first\n",
    "!wget \"http://old.example/data\" http://old.example/it's\n",
    "a = \"http://not\" \\\n",
    "  'old.example'; b = f'http://old.example{a}'; c = 'http:\\x2f\\x2fold.example/c' # http://old.example/d\n",
    "get(\"http://old.example\" + a, b != 'http://old.example/e', c\n", "  % 'http://old.example' + d)"]},
  {"cell_type": "code", "source": "a = ('http://old.example'\n  '.uk')"},
  {"cell_type": "code", "source": [1, "http://old.example/e"]},
  {"cell_type": "raw", "source": ["http://old.example/f [d](/old/d)"]}
 ],
 "metadata": {"language_info": {"name": "python"}}
}
"##;
    let expected = notebook
        .replace("/old/a", "/new/a")
        .replace("/old/c", "/new/c")
        .replace("http://old.example/", "https://new.example/")
        .replace("http:\\\\x2f\\\\x2fold.example/", "https://new.example/");
    let place = Place::new(&[("a.ipynb", notebook), ("b.json", notebook)]);
    let moved = |options: &[&str]| {
        let rules = [
            "--move",
            "old.example",
            "https://new.example",
            "--map",
            "/old/ /new/",
        ];
        let ran = place.run(&[&["rewrite", "--stdout", "a.ipynb"], options, &rules[..]].concat());
        ran.text()
    };
    assert_eq!(moved(&["--also", "code"]), expected);
    assert_eq!(moved(&[]), expected);
    let objects = place.run(&["find", "--json", "a.ipynb"]).objects();
    let link = objects
        .iter()
        .find(|link| link["text"] == "/old/a")
        .expect("a link");
    assert_eq!(
        link["place"],
        json!({"kind": "link", "element": null, "name": "inline", "nesting": ["source"]})
    );
    // Without the name, strings tell their content themselves.
    let text = place.run(&["find", "b.json"]).text();
    assert!(!text.contains("/old/a"), "{text}");
}

/// The language that a notebook names in front of its cells.
#[test]
fn notebooks_in_other_languages() {
    for (language, code, expected) in [
        (
            "javascript",
            "a = `http://old.example/${b}`",
            "a = `https://new.example/${b}`",
        ),
        (
            "javascript",
            "a = `http://old.example${b}`",
            "a = `http://old.example${b}`",
        ),
        (
            "c++",
            "f(\"http://not\" \"old.example\")",
            "f(\"http://not\" \"old.example\")",
        ),
        (
            "R",
            "f('http://old.example', '.uk')",
            "f('https://new.example', '.uk')",
        ),
        (
            "python",
            "f('http://old.example' '.uk')",
            "f('http://old.example' '.uk')",
        ),
    ] {
        let notebook = |code: &str| {
            let cell = json!([{"cell_type": "code", "source": code}]);
            format!(
                r#"{{"metadata": {{"kernelspec": {{"language": "{language}"}}}}, "cells": {cell}}}"#
            )
        };
        let place = Place::new(&[("a.ipynb", &*notebook(code))]);
        let rules = ["--move", "old.example", "https://new.example"];
        let ran = place.run(&[&["rewrite", "--stdout", "a.ipynb"], &rules[..]].concat());
        assert_eq!(ran.text(), notebook(expected));
    }
}

/// Descriptions of OpenAPI are Markdown (OpenAPI 3.1, 4.6), but for those in examples.
#[test]
fn markdown_in_openapi() {
    let api = r#"{"openapi": "3.1.0", "info": {"description": "See [a](\/old\/a), <b href='/old/b'>, <a href='/old/c'>\n\n    /old/d"},
"paths": {"/old/": {"get": {"description": "[é](/old/e)", "example": {"description": "[f](/old/f)"}}}}}
"#;
    let expected = api
        .replace("(\\/old\\/a)", "(\\/new\\/a)")
        .replace("'/old/c'", "'/new/c'")
        .replace("(/old/e)", "(/new/e)");
    let place = Place::new(&[("a.json", api)]);
    // References resolve where the text is shown.
    let found = place
        .run(&["find", "--json", "--base", "http://a.example/", "a.json"])
        .objects();
    let link = found
        .iter()
        .find(|link| link["text"] == "/old/a")
        .expect("a link");
    assert_eq!(link["resolved"], json!(null));
    place
        .run(&["rewrite", "--stdout", "--map", "/old/ /new/", "a.json"])
        .prints(&expected, 0);
}

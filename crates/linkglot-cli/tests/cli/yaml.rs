//! YAML.

use super::support::{self, Place};

const MOVE: [&str; 4] = [
    "-E",
    "utf-8",
    "--map",
    "http://old.example/ https://www.new.example/",
];

/// The rewritten document.
fn rewritten(text: &str, options: &[&str]) -> String {
    support::rewritten("a.yml", text, options)
}

#[test]
fn links_move_in_their_scalars() {
    let before = r##"# See http://old.example/comment
openapi: 3.0.0
servers:
  - url: http://old.example/v1 # http://old.example/c
  - {url: http://old.example/v2, description: 'it''s http://old.example/d'}
http://old.example/key: "http:\/\/old.example/\u00e9 and \"http://old.example/e\""
"http://old.example/key": [http://old.example/f,http://old.example/g]
text: |
  See <a href="http://old.example/ü">x</a>: #1
  {"a": 1} http://old.example/h
folded: >-
  http://old.example/i
plain: see http://old.example/j,
  http://old.example/k#l
cut: "see http://old.exam\
  ple/p http://old.example/\
  \ http://old.example/o"
tagged: !!str http://old.example/m
on:
    data: '{"a":"http:\/\/old.example\/n"}'
"##;
    let after = before
        .lines()
        .map(|line| {
            // A key stays.
            let value = line.find("/key").unwrap_or(0);
            format!(
                "{}{}",
                &line[..value],
                line[value..].replace("old.example", "NEW")
            )
        })
        .map(|line| {
            line.replace("http://NEW", "https://www.new.example")
                .replace("http://old.exam\\", "https://www.new.exam\\")
                .replace("http:\\/\\/NEW", "https:\\/\\/www.new.example")
        })
        .collect::<Vec<_>>()
        .join("\n");
    assert_eq!(rewritten(before, &MOVE), after + "\n");
    let place = Place::new(&[("a.yml", before), ("b.yaml", "a: b")]);
    let counts = place.run(&["find", "-t", "yaml", "-c", "."]).text();
    assert!(counts.starts_with("./a.yml:"), "{counts}");
}

/// A scalar keeps its style, or the link stays.
#[test]
fn styles_stay() {
    let rule = ["--map", "http://old.example/ http://new.example/a,'b'/"];
    for (before, after) in [
        ("a: http://old.example/\n", "a: http://new.example/a,'b'/\n"),
        ("- [http://old.example/]\n", "- [http://old.example/]\n"),
        (
            "a: 'http://old.example/'\n",
            "a: 'http://new.example/a,''b''/'\n",
        ),
        (
            "a: \"http://old.example/\"\n",
            "a: \"http://new.example/a,'b'/\"\n",
        ),
        (
            "a: |\n  http://old.example/\n",
            "a: |\n  http://new.example/a,'b'/\n",
        ),
    ] {
        assert_eq!(rewritten(before, &rule), after, "{before}");
    }
}

/// PyYAML ends a plain scalar in brackets at a question mark; libyaml does not.
#[test]
fn question_marks_in_brackets() {
    let rule = ["--map", "http://old.example/ http://new.example/?p="];
    for (before, after) in [
        (
            "a: [http://old.example/, c]\n",
            "a: [http://old.example/, c]\n",
        ),
        (
            "a: ['http://old.example/', c]\n",
            "a: ['http://new.example/?p=', c]\n",
        ),
        ("a: http://old.example/\n", "a: http://new.example/?p=\n"),
    ] {
        assert_eq!(rewritten(before, &rule), after, "{before}");
    }
    let old = "a: [http://old.example/?b, c]\n";
    let moved = old.replace("old.example", "new.example");
    let rule = ["--map", "http://old.example/ http://new.example/"];
    assert_eq!(rewritten(old, &rule), moved);
}

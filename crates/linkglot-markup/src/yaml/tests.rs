use super::*;
use crate::testing::{Answer, Document};
use proptest::prelude::*;

fn answers(bytes: &[u8], charset: Charset) -> Vec<(usize, Answer)> {
    let document = Document { bytes, charset };
    document.answers_in_every_cut(|| YamlTokenizer::new(64))
}

/// The slots of a document: the kind and the text of each.
fn slots(text: &str) -> Vec<String> {
    let answers = answers(text.as_bytes(), Charset::UTF_8);
    let shown = answers.iter().map(|(_, answer)| match answer {
        Answer::Slot(slot, raw) => {
            let kind = match slot.escaping {
                Escaping::Yaml(YamlStyle::Plain) => "",
                Escaping::Yaml(YamlStyle::Flow) => "flow ",
                Escaping::Yaml(YamlStyle::Single) => "single ",
                Escaping::Yaml(YamlStyle::Block) => "block ",
                Escaping::Literal(_) => "double ",
                _ if slot.place.kind.name() == "comment" => "#",
                _ => "line ",
            };
            format!("{kind}{}", slot.escaping.unescape(raw).text())
        }
        Answer::TooLong(_) => "too long".to_owned(),
    });
    shown.collect()
}

#[test]
fn scalars_of_each_kind() {
    for (text, expected) in [
        ("", &[][..]),
        ("a.b: c.d # e.f\n", &["c.d", "# e.f"]),
        (
            "http://a: http://b:8/c#d #e.f\n",
            &["http://b:8/c#d", "#e.f"],
        ),
        (
            "- a.b\n-\tc.d\n- - e.f:g\n- h.i: j.k",
            &["a.b", "c.d", "e.f:g", "j.k"],
        ),
        ("? a.b\n: c.d\n", &["a.b", "c.d"]),
        ("a: b.c\n  d.e\n  f.g\nh: i", &["b.c", "d.e", "f.g"]),
        (
            "'a.b': 'c''d.e'\n\"a.b\" : \"c\\\"d\\x2Ee\\u002ef\\/\"\n",
            &["single c'd.e", "double c\"d.e.f/"],
        ),
        ("a: 'b.c\n\n  d.e'\n", &["single b.c\n\n  d.e"]),
        (
            "a: [b.c, 'd.e',{f.g: h.i,\"j.k\":l.m}, http://a/,]\nb: c,d.e",
            &[
                "flow b.c",
                "single d.e",
                "flow h.i",
                "flow l.m",
                "flow http://a/",
                "c,d.e",
            ],
        ),
        (
            "a: &b.c d.e\nf: *g.h\ni: !j.k 'l.m'\n",
            &["d.e", "single l.m"],
        ),
        (
            "%TAG ! tag:a.b:\n--- c.d\n...\n---\ne: f.g",
            &["c.d", "f.g"],
        ),
        (
            "a: |\n  b.c: d\n   e.f\n\n  # g\nh: i.j",
            &["block   b.c: d\n   e.f\n\n  # g", "i.j"],
        ),
        (
            "- >-  # c.d\n a.b\n- |2+\n   c.d\n  e.f\n- g.h",
            &["block  a.b", "block    c.d\n  e.f", "g.h"],
        ),
        ("- a: |\n    b.c\n  d: e.f", &["block     b.c", "e.f"]),
        ("a:\n  |\n  b.c\nd: |\n\ne: f.g", &["block   b.c", "f.g"]),
        ("--- |\na.b\n---\nc: d.e", &["block a.b", "d.e"]),
        ("a: |b.c\nd: > e.f\n", &["|b.c", "> e.f"]),
        (
            "a: {{ b.c }}\nd: ${{ e.f }}\n{{- if g.h }}\ni: {j.k\nl: m,n.o",
            &["flow b.c", "${{ e.f }}", "flow if g.h", "flow j.k", "m,n.o"],
        ),
        ("a: \"b.c\nd: e.f", &["line b.c", "e.f"]),
        ("it: 's a.b", &["line s a.b"]),
        ("a: b.c\r\n- d.e\r\n", &["b.c", "d.e"]),
        (
            "{\n\"a\": \"b.c\",\n\"d\": [\"e.f\"]\n}",
            &["double b.c", "double e.f"],
        ),
    ] {
        assert_eq!(slots(text), expected, "{text}");
    }
}

#[test]
fn long_values_are_passed_over() {
    let long = "x.".repeat(40);
    for (text, expected) in [
        (format!("a: {long}\nb: c.d"), &["too long", "c.d"][..]),
        (format!("a: '{long}'\nb: c.d"), &["too long", "c.d"]),
        (format!("a: \"{long}\"\nb: c.d"), &["too long", "c.d"]),
        (
            format!("a: |\n  {long}\n  b.c\n\nd: e.f"),
            &["too long", "e.f"],
        ),
        (
            format!("a: |\n{}d: e.f", "  b.c\n".repeat(20)),
            &["too long", "e.f"],
        ),
        (
            format!("a: |\n  b.c\n{}d: e.f", " ".repeat(300)),
            &["too long"],
        ),
        (format!("a: '{long}"), &["too long"]),
    ] {
        assert_eq!(slots(&text), expected, "{text}");
    }
}

const PIECES: &[&str] = &[
    "a.b",
    "c",
    " ",
    "  ",
    "\n",
    "\n  ",
    "\r\n",
    "\t",
    ":",
    ": ",
    "- ",
    "? ",
    "#",
    " #",
    "'",
    "\"",
    "''",
    "\\",
    "\\\"",
    "[",
    "]",
    "{",
    "}",
    ",",
    "|",
    ">",
    "|\n",
    ">2-\n",
    "&x ",
    "*x",
    "!t ",
    "---",
    "...",
    "%",
    "é",
    "表",
    "@",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
];

proptest! {
    /// The cuts between windows do not matter: `answers` compares all.
    #[test]
    fn slots_do_not_depend_on_cuts(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24),
        label in prop::sample::select(&["utf-8", "shift_jis"][..]),
    ) {
        let charset = Charset::for_label(label).unwrap();
        let mut bytes = Vec::new();
        if charset.encode(&pieces.concat(), &mut bytes).is_ok() {
            answers(&bytes, charset);
        }
    }
}

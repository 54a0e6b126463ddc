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
        ("? a.b\n: c.d\n", &["c.d"]),
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
            "a: {{ b.c }}\nd: ${{ e.f }}\n{{- if g.h }}\ni: {j.k\nl: m.p,n.o",
            &["${{ e.f }}", "flow m.p"],
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
fn keys_stay() {
    for (text, expected) in [
        ("? |\n  a.b\n: c.d\n? \"e.f\"\n: g.h", &["c.d", "g.h"][..]),
        ("? [a.b,\n'c.d']\n: e.f", &["e.f"]),
        (
            "? !!str a.b # c.d\n# e.f\n  g.h\n: i.j",
            &["# c.d", "# e.f", "i.j"],
        ),
        ("?\n- a.b\n- c.d: e.f\n: - g.h", &["g.h"]),
        ("- ? - a.b\n    - c.d\n  : e.f\n- g.h", &["e.f", "g.h"]),
        ("? ? a.b\n  : c.d\n: e.f", &["e.f"]),
        ("!!set\n? a.b\n? c.d\ne: f.g", &["f.g"]),
        ("? a.b\n---\n- c.d", &["c.d"]),
        ("? \"a.b", &[]),
        ("!!set {a.b, 'c.d', \"e.f\"}", &[]),
        (
            "{a.b, \"c\": d.e, 'f.g', h: {i.j}, k: [{l.m: n.o}, p.q]}",
            &["d.e", "n.o", "p.q"],
        ),
        (
            "{a.b\n  c.d: e.f, ? g.h : i.j, ? k.l, \"m\":n.o}",
            &["e.f", "i.j", "n.o"],
        ),
        ("[? a.b : c.d, ? e.f, ?g.h, i.j]", &["c.d", "i.j"]),
        (
            "x: {[a.b, {c: d.e}]: f.g, {h: i.j}: [k.l]}",
            &["f.g", "k.l"],
        ),
        ("{:a.b, c\n:d.e}", &[]),
        ("[a.b, {c: d.e}]: f.g\n{h: i.j} : k.l", &["f.g", "k.l"]),
    ] {
        let texts = slots(text).into_iter().map(|slot| {
            let kinds = ["flow ", "double ", "single "];
            let plain = kinds.iter().find_map(|kind| slot.strip_prefix(kind));
            plain.unwrap_or(&slot).to_owned()
        });
        let texts: Vec<_> = texts.collect();
        assert_eq!(texts, expected, "{text}");
    }
    // Of brackets far out, the kind is forgotten.
    let deep = format!("{}a.b{}, c.d]\ne: f.g", "[".repeat(99), "]".repeat(98));
    assert_eq!(slots(&deep), ["flow a.b", "f.g"]);
}

#[test]
fn brackets_hold_lines_without_indentation() {
    for (text, expected) in [
        ("[\na.b,\nc.d\n]\n", &["flow a.b", "flow c.d"][..]),
        ("{\nk: a.b,\nl: c.d\n}\n", &["flow a.b", "flow c.d"]),
        ("- [a, b,\nc.d, e]\n- f,g.h", &["flow c.d", "f,g.h"]),
        ("- [a,\nb: c.d]\n", &["flow c.d"]),
        ("a: [b\n---\nc: d,e.f", &["d,e.f"]),
        ("a: [b\n...\nc: d,e.f", &["d,e.f"]),
        // A bracket that is never closed.
        ("a: [b\nc: d,e.f", &["d,e.f"]),
        ("{# b.c #}\na: b\nc: d,e.f", &["# b.c #}", "d,e.f"]),
    ] {
        assert_eq!(slots(text), expected, "{text}");
    }
}

#[test]
fn plain_scalars_go_on() {
    for (text, expected) in [
        (
            "a: see\n  ['x a.b']\nc: 'd.e'",
            &["['x a.b']", "single d.e"][..],
        ),
        (
            "a: see\n\n  \"x a.b\"\n  'c.d'\n'e': f.g",
            &["\"x a.b\"", "'c.d'", "f.g"],
        ),
        ("- see\n  {a.b}\n- 'c.d'", &["{a.b}", "single c.d"]),
        ("- a: see\n   &x a.b\n  b: 'c.d'", &["&x a.b", "single c.d"]),
        ("a: see\n  | \n  - a.b\n  ? c.d", &["- a.b", "? c.d"]),
        ("see\n'a.b'\n--- 'c.d'", &["'a.b'", "single c.d"]),
        ("&x k: see\n  'a.b'\n*x : see\n  'c.d'", &["'a.b'", "'c.d'"]),
        ("!t k: |\n  a.b\nl: 'c.d'", &["block   a.b", "single c.d"]),
        ("[see\n 'a.b', 'c.d']", &["flow 'a.b'", "single c.d"]),
        (
            "{k: see\n \"a.b\"\n, l: 'c.d'}",
            &["flow \"a.b\"", "single c.d"],
        ),
        ("a: &x\n  'b.c'\nd:\n  'e.f'", &["single b.c", "single e.f"]),
        ("a: b\nc:\n  - 'd.e'", &["single d.e"]),
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
        // A scalar of the greatest length, with a mark behind.
        (format!("{}.x #c.d", &long[..61]), &["MAX", "#c.d"]),
        (
            format!("{long}: 'c.d'\n  'e.f'\ng: 'h.i'"),
            &["too long", "'e.f'", "single h.i"],
        ),
    ] {
        let shown = slots(&text).into_iter().map(|slot| match slot.len() {
            60.. => "MAX".to_owned(),
            _ => slot,
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
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

use super::*;
use crate::slot::{Access, Syntax};
use crate::testing::{Answer, Document};
use proptest::prelude::*;

fn answers(bytes: &[u8], charset: Charset, layout: JsonLayout) -> Vec<(usize, Answer)> {
    let document = Document { bytes, charset };
    document.answers_in_every_cut(|| JsonTokenizer::new(layout, None, 64))
}

/// The slots of a document: key, syntax, raw text.
fn slots(text: &str) -> Vec<String> {
    let answers = answers(text.as_bytes(), Charset::UTF_8, JsonLayout::Documents);
    shown(&answers)
}

fn shown(answers: &[(usize, Answer)]) -> Vec<String> {
    let show = |(at, answer): &(usize, Answer)| match answer {
        Answer::Slot(slot, raw) => {
            let name = slot.place.name.as_deref().unwrap_or("-");
            format!(
                "{at} {} {name} {:?} {raw}",
                slot.place.kind.name(),
                slot.syntax
            )
        }
        Answer::TooLong(place) => {
            format!("{at} too long: {}", place.name.as_deref().unwrap_or("-"))
        }
    };
    answers.iter().map(show).collect()
}

#[test]
fn values_are_slots_and_keys_are_not() {
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        (" \"a.b\" ", &["2 text - Data a.b"]),
        (
            r#"{"a.b": "c.d", "e": ["f.g", ["h.i"], {"j": "k.l"}], "m": "n.o"}"#,
            &[
                "9 text a.b Data c.d",
                "22 text e Data f.g",
                "30 text e Data h.i",
                "44 text j Data k.l",
                "58 text m Data n.o",
            ],
        ),
        (r#"{"a": 1, "b": true, "c": "d"}"#, &[]),
        (r#"{"a\u0062": "\"\\"}"#, &["13 text ab Data \\\"\\\\"]),
        (
            "{}\n{\"a\":\"b.c\"}[\"d.e\"]",
            &["9 text a Data b.c", "16 text - Data d.e"],
        ),
        (
            "\x1E{\"a\":\"b.c\"}\n\x1E[\"d.e\"]\n",
            &["7 text a Data b.c", "16 text - Data d.e"],
        ),
        // JSON5.
        ("{a: 'b.c', d: 1}", &["4 text - Text 'b.c', d: 1}"]),
        (
            "// a.b \"c\n[-.5e+1, NaN, 0x1f, /* d.e */ \"f.g\",]//",
            &[
                "0 comment - Text // a.b \"c",
                "32 comment - Text  d.e ",
                "41 text - Data f.g",
                "47 comment - Text //",
            ],
        ),
        // What is no JSON is running text.
        (
            "[\"a.b\", c.d, \"e.f\"]",
            &["2 text - Data a.b", "8 text - Text c.d, \"e.f\"]"],
        ),
        (
            "[\"a.b\"} c.d",
            &["2 text - Data a.b", "6 text - Text } c.d"],
        ),
        ("[\"a.b", &["2 text - Text a.b"]),
        ("[\"a.b\\\"", &["2 text - Text a.b\\\""]),
        ("[1.2.3.4/a]", &["1 text - Text 1.2.3.4/a]"]),
        ("{http://a.b/}", &["1 text - Text http://a.b/}"]),
        ("/* a.b", &["2 text - Text  a.b"]),
    ];
    for (text, expected) in cases {
        let expected: Vec<String> = expected.iter().map(|slot| (*slot).to_owned()).collect();
        // A comment without an end shows the place of comments.
        let place = if text.starts_with("/*") {
            "comment -"
        } else {
            "text -"
        };
        let show = |slot: &String| slot.replace("text -", place);
        let expected: Vec<String> = expected.iter().map(show).collect();
        assert_eq!(slots(text), expected, "{text}");
    }
}

#[test]
fn long_strings_are_skipped() {
    let long = "\\\\".repeat(40);
    let text = format!(
        "{{\"a\":\"{long}\",\"{long}\":\"b.c\",\"d\":\"{}\"",
        "é\\\"".repeat(40)
    );
    let at = text.find("b.c").unwrap();
    assert_eq!(
        slots(&text),
        [
            "6 too long: a".to_owned(),
            format!("{at} text - Data b.c"),
            format!("{} too long: d", at + 10),
        ]
    );
}

#[test]
fn lines_that_are_no_json_harm_no_others() {
    let text = "{\"a\": \"b.c\n{\"d\":\"e.f\"}\n[g.h \"\n[\"i.j\"]\n";
    let found = shown(&answers(text.as_bytes(), Charset::UTF_8, JsonLayout::Lines));
    assert_eq!(
        found,
        [
            "7 text - Text b.c",
            "17 text d Data e.f",
            "24 text - Text g.h \"",
            "32 text - Data i.j",
        ]
    );
}

#[test]
fn a_backslash_may_end_a_character() {
    let charset = Charset::for_label("shift_jis").unwrap();
    let (text, mut bytes) = ("[\"表.a\", \"b\\\"表\", \"c.d\"]", Vec::new());
    charset.encode(text, &mut bytes).unwrap();
    let found = shown(&answers(&bytes, charset, JsonLayout::Documents));
    assert_eq!(found.len(), 3);
    assert!(found[2].ends_with("Data c.d"), "{found:?}");
}

#[test]
fn vocabularies_tell_the_content() {
    let feed = r#"{"version":"https://jsonfeed.org/version/1","icon":"a","items":[{"id":"http://i.example/",
        "url":"b","content_html":"<p>","content_text":"c","title":"d.e","tags":["f","g.h"]}]}"#;
    let found = slots(feed);
    let shown: Vec<&str> = found
        .iter()
        .filter_map(|slot| slot.split_once(' '))
        .map(|slot| slot.1)
        .collect();
    assert_eq!(
        shown,
        [
            "value icon Single a",
            "value id AbsoluteOnly http://i.example/",
            "value url Single b",
            "text content_html Html <p>",
            "text content_text EscapedText c",
            "text title EscapedText d.e",
            "text tags Data g.h",
        ]
    );
    let actor = r#"{"@context":["https://www.w3.org/ns/activitystreams",{"a":"http://c.example/"}],
        "id":"http://i.example/","icon":{"url":"u"},"name":"n"}"#;
    let accesses = |text: &str| -> Vec<Access> {
        let tokenizer = JsonTokenizer::new(JsonLayout::Documents, None, 1 << 20);
        let slots = crate::Slots::new(tokenizer, text.as_bytes(), Charset::UTF_8);
        slots.map(|slot| slot.access).collect()
    };
    let (identifier, rules, rewrite) = (Access::Identifier, Access::Rules, Access::Rewrite);
    assert_eq!(accesses(actor), [identifier, rules, rewrite, rewrite]);
    let linked = r#"{"@context":"https://schema.org","@id":"x","url":"y","z":"http://z.example/"}"#;
    assert_eq!(accesses(linked), [identifier, rules, rewrite, rewrite]);
}

#[test]
fn deep_nesting_is_walked() {
    let text = format!(
        "{}\"a.b\"{}",
        "[{\"k\":".repeat(20_000),
        "}]".repeat(20_000)
    );
    let tokenizer = JsonTokenizer::new(JsonLayout::Documents, None, 1 << 20);
    let slots: Vec<_> = crate::Slots::new(tokenizer, text.as_bytes(), Charset::UTF_8).collect();
    assert_eq!(slots.len(), 1);
    assert_eq!(slots[0].syntax, Syntax::Data);
    assert!(is_json(text.as_bytes()));
}

const PIECES: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "\"", "\"", "\"a\":", "\"b.c\"", "\\", "\\u00e9", "\\\"", "\n",
    " ", "//", "/*", "*/", "1", "-", "true", "NaN", "a", ".", "é", "\u{1E}", "'",
];

proptest! {
    /// The contract of tokenizers holds over any text, in any cut.
    #[test]
    fn any_text_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24), lines in any::<bool>()) {
        let text = pieces.concat();
        let layout = if lines { JsonLayout::Lines } else { JsonLayout::Documents };
        answers(text.as_bytes(), Charset::UTF_8, layout);
    }
}

/// The lines of a cell are one slot in every cut, if they are short enough and nothing else stands in the list.
#[test]
fn lists_of_lines() {
    let long = "x".repeat(50);
    let cell = |kind: &str, source: &str| {
        format!(r#"{{"cells":[{{"cell_type":"{kind}","source":{source}}}]}}"#)
    };
    for (kind, source, expected) in [
        (
            "code",
            r#"[ "a.b\n" , "c" ]"#,
            &["text source Cell(Python) a.b\\n\" , \"c"][..],
        ),
        ("markdown", r#"["a"]"#, &["text source MarkdownString a"]),
        ("markdown", r#""a""#, &["text source MarkdownString a"]),
        (
            "raw",
            r#"["a.b","c.d"]"#,
            &["text source Data a.b", "text source Data c.d"],
        ),
        ("code", r#"["a.b",1]"#, &["text source Data a.b"]),
        ("code", r#"[["a.b"]]"#, &["text source Data a.b"]),
        ("code", "[]", &[]),
        (
            "code",
            r#"["a.b","c"#,
            // The string goes on to the end of the document.
            &["text source Data a.b", "text - Text c}]}"],
        ),
        (
            "code",
            &format!(r#"["a.{long}","c.d"]"#),
            &[&format!("text source Cell(Python) a.{long}\",\"c.d")],
        ),
        (
            "code",
            &format!(r#"["a.{long}","c.defghijkl"]"#),
            &[
                &format!("text source Data a.{long}"),
                "text source Data c.defghijkl",
            ],
        ),
    ] {
        let text = cell(kind, source);
        let document = Document {
            bytes: text.as_bytes(),
            charset: Charset::UTF_8,
        };
        let layout = JsonLayout::Documents;
        let tokenizer = || JsonTokenizer::new(layout, Some("a.ipynb"), 64);
        let answers = shown(&document.answers_in_every_cut(tokenizer));
        let answers = answers.iter().filter_map(|answer| answer.split_once(' '));
        let answers: Vec<&str> = answers.map(|(_, answer)| answer).collect();
        assert_eq!(answers, expected, "{text}");
    }
}

/// Writers may write the type of a cell behind its source.
#[test]
fn types_of_cells_behind_their_sources() {
    for (cells, expected) in [
        (
            r#"{"source":["a.b\n","c"],"cell_type":"code"}"#,
            &["text source Cell(Python) a.b\\n\",\"c"][..],
        ),
        (
            r#"{"source":"a.b","cell_type" : "markdown"},{"source":"c.d"}"#,
            &["text source MarkdownString a.b", "text source Data c.d"],
        ),
        (
            r#"{"source":"a.b","metadata":{"cell_type":"code","x":["cell_type"]},"y":"cell_type","cell_type":"markdown"}"#,
            &["text source MarkdownString a.b"],
        ),
        (
            r#"{"source":["a.b"],"cell_type":"raw"},{"cell_type":"code","source":"c.d"}"#,
            &["text source Data a.b", "text source Cell(Python) c.d"],
        ),
        (
            r#"{"source":"a.b","metadata":{"x":1}"#,
            &["text source Data a.b"],
        ),
        (
            &format!(
                r#"{{"source":"a.b","x":"{}","cell_type":"code"}}"#,
                "0".repeat(90)
            ),
            &["text source Data a.b"],
        ),
    ] {
        let text = format!(r#"{{"cells":[{cells}]}}"#);
        let document = Document {
            bytes: text.as_bytes(),
            charset: Charset::UTF_8,
        };
        let layout = JsonLayout::Documents;
        let tokenizer = || JsonTokenizer::new(layout, Some("a.ipynb"), 100);
        let answers = shown(&document.answers_in_every_cut(tokenizer));
        let answers = answers.iter().filter_map(|answer| answer.split_once(' '));
        let answers: Vec<&str> = answers
            .map(|(_, answer)| answer)
            .filter(|answer| answer.starts_with("text source"))
            .collect();
        assert_eq!(answers, expected, "{text}");
    }
}

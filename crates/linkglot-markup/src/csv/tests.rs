use super::*;
use crate::testing::{Answer, Document};
use linkglot_charset::Charset;
use proptest::prelude::*;

fn answers(bytes: &[u8], charset: Charset, delimiter: Option<u8>) -> Vec<(usize, Answer)> {
    let document = Document { bytes, charset };
    document.answers_in_every_cut(|| CsvTokenizer::new(delimiter, 64))
}

/// The slots of a table: their text, behind `row` for a row that is malformed.
fn slots(text: &str, delimiter: Option<u8>) -> Vec<String> {
    let answers = answers(text.as_bytes(), Charset::UTF_8, delimiter);
    let shown = answers.iter().map(|(_, answer)| match answer {
        Answer::Slot(slot, raw) => {
            let is_row = slot.syntax == Syntax::EscapedText;
            let text = slot.escaping.unescape(raw).into_text();
            format!("{}{text}", if is_row { "row " } else { "" })
        }
        Answer::TooLong(_) => "too long".to_owned(),
    });
    shown.collect()
}

#[test]
fn fields_of_each_delimiter() {
    for (text, expected) in [
        ("", &[][..]),
        ("a.b", &["a.b"]),
        ("a.b,c,d.e\r\n,f.g\n", &["a.b", "d.e", "f.g"]),
        ("a;b\n1,5;c.d,e\n", &["c.d,e"]),
        ("a.b;1,5\nc.d;2,5\n", &["a.b", "c.d"]),
        ("a.b,c;d\ne.f,g\n", &["a.b", "e.f"]),
        ("a\tb.c,d\te;f.g\n", &["b.c,d", "e;f.g"]),
        ("a.b|c\nd.e,f|g.h\n", &["a.b", "d.e,f", "g.h"]),
        ("sep=;\na.b,c;d.e", &["sep=", "a.b,c", "d.e"]),
        ("SEP=,\r\na.b;c,d.e", &["SEP=", "a.b;c", "d.e"]),
        // Delimiters in quotation marks are text.
        ("\"a;b;c\",d.e,f\ng,h.i,j", &["d.e", "h.i"]),
        (
            "\"a.b, \"\"c\"\"\",\"d\n\ne.f\"\r\"\",g.h",
            &["a.b, \"c\"", "d\n\ne.f", "g.h"],
        ),
        (
            " \"a.b\", \"c.d\"\ne\"f.g,h",
            &[" \"a.b\"", " \"c.d\"", "e\"f.g"],
        ),
        // Malformed quotation marks.
        ("\"a.b\"c,d\ne.f,\"g.h\"", &["row a.b\"c,d", "e.f", "g.h"]),
        ("a.b,\"c.d,e\nf.g,h", &["a.b", "row c.d,e", "f.g"]),
        ("a.b,\"c.d\" ,e", &["a.b", "row c.d\" ,e"]),
        ("a.b,\"", &["a.b"]),
    ] {
        assert_eq!(slots(text, None), expected, "{text}");
    }
    assert_eq!(slots("a,b.c\n", Some(b'\t')), ["a,b.c"]);
}

#[test]
fn long_values_are_passed_over() {
    let long = "x.".repeat(40);
    for (text, expected) in [
        (format!("{long},a.b"), &["too long", "a.b"][..]),
        (format!("\"{long}\"\"{long}\",a.b"), &["too long", "a.b"]),
        (
            format!("\"{long}\"c.d\na.b"),
            &["too long", "row \"c.d", "a.b"],
        ),
        (format!("\"{long}"), &["too long"]),
        (format!("\"a\"{long}\nc.d"), &["too long", "c.d"]),
    ] {
        assert_eq!(slots(&text, None), expected, "{text}");
    }
}

/// Rows behind the head do not tell the delimiter, and the head is as long in every window.
#[test]
fn the_head_is_short() {
    let row = format!("{};a.b,c\n", "x".repeat(700));
    let text = format!("{}{}", row.repeat(6), "a;b.c,d;e,f\n".repeat(3));
    let whole = slots(&text, None);
    assert_eq!(whole[..3], ["too long", "a.b,c", "too long"]);
    assert_eq!(whole[12..], ["b.c,d", "b.c,d", "b.c,d"]);
}

const PIECES: &[&str] = &[
    "\"",
    "\"",
    "\"\"",
    ",",
    ",",
    ";",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "a.b",
    "c",
    " ",
    "é",
    "表",
    "sep=;\n",
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
            answers(&bytes, charset, None);
        }
    }

    /// What is written is read, and ends no field.
    #[test]
    fn fields_are_read_as_written(text in "[a-z\",;.\té\n]{0,12}", is_quoted in any::<bool>(), is_head in any::<bool>()) {
        let escaping = Escaping::Csv(CsvStyle { delimiter: b';', is_quoted, is_head });
        let Some(raw) = escaping.escape(&text, "", &|_| true) else {
            prop_assert!(!is_quoted && text.contains([';', '"', '\n']));
            return Ok(());
        };
        prop_assert_eq!(escaping.unescape(&raw).into_text(), text.as_str());
        let row = if is_quoted { format!("\"{raw}\"") } else { raw };
        prop_assert!(!may_hold_link(text.as_bytes(), Charset::UTF_8) || slots(&row, Some(b';')) == [text]);
    }
}

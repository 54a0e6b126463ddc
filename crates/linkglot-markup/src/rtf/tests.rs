use super::*;
use crate::slots::Slots;
use crate::testing::Document;
use proptest::prelude::*;

/// The raw and the unescaped text of each slot; `<` and `>` stand where it may go on.
fn texts(document: &[u8]) -> Vec<String> {
    let slots = Slots::new(
        RtfTokenizer::new(1 << 20),
        document,
        Charset::for_label("windows-1252").unwrap(),
    );
    slots
        .map(|slot| {
            let raw = std::str::from_utf8(&document[slot.range]).unwrap();
            let text = slot.escaping.unescape(raw).into_text().into_owned();
            let Escaping::Rtf(style) = slot.escaping else {
                return text;
            };
            let mark = |goes_on: bool, mark: &'static str| if goes_on { mark } else { "" };
            let text = format!(
                "{}{text}{}",
                mark(style.goes_on_before, "<"),
                mark(style.goes_on_behind, ">")
            );
            if slot.syntax == Syntax::Field {
                format!("field {text}")
            } else {
                text
            }
        })
        .collect()
}

#[test]
fn texts_and_fields() {
    for (document, expected) in [
        (
            r"{\rtf1\ansi a \b b\b0 c\par d}",
            &["a ", "b>", "<c", "d"][..],
        ),
        (
            r#"{\rtf1{\field{\*\fldinst{ HYPERLINK "a" \\l "b"}{\data}}{\fldrslt{\ul c}}}.}"#,
            &["field  HYPERLINK \"a\" \\l \"b\"", "c>", "<."],
        ),
        (
            r"{\rtf1{\fonttbl{\f0 A;}}{\colortbl;\red1;}{\*\generator B;}{\info{\title t}{\author u}}{\*\x y}z}",
            &["t>", "u>", "<z"],
        ),
        (r"{\rtf1{\pict\bin3 }{\z}a}b", &["a>", "b"]),
        (
            r"{\rtf1 a{\b b}{\*\bkmkstart x}c\~d}",
            &["a>", "<b>", "<c\u{A0}d"],
        ),
        ("{\\rtf1 a\r\nb\\\nc\\line\r\nd}", &["ab", "c", "d"]),
        (r"{\rtf1\b(a\b b)}", &["(a>", "<b)"]),
        (
            r"{\rtf1\uc2 \u233??a{\uc0\u233 b}\u8364\'e2\'e9}",
            &["éa>", "<éb>", "<€"],
        ),
        (
            r"{\rtf1 {\footnote a}{\shp{\*\shpinst{\sp{\sn n}{\sv v}}{\shptxt b}}}}",
            &["a>", "b"],
        ),
        (r"{\rtf1 {\nonesuch a", &["a"]),
    ] {
        assert_eq!(texts(document.as_bytes()), expected, "{document}");
    }
}

/// The font tells the charset of octets.
#[test]
fn octets_by_font() {
    let fonts = r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}{\f2\fcharset128 C;}{\f3\fcharset2 D;}}";
    for (text, expected) in [
        (r"\'e9", "é"),
        (r"\f1\'e9", "й"),
        (r"\f2\'82\'a0", "あ"),
        (r"\f3\'e9", "\u{FFFD}"),
        (r"\f1\plain\'e9", "é"),
        (r"\f1\dbch\'e9", "\u{FFFD}"),
        (r"\f1\loch\'e9", "й"),
        (r"{\f1 }\'e9", "é"),
    ] {
        let document = format!("{fonts}{text}}}");
        assert_eq!(
            texts(document.as_bytes()).last().unwrap(),
            expected,
            "{text}"
        );
    }
    // Some writers name the charset of the document only once.
    let unsure = r"{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset0 A;}{\f1 B;}}\'e9\par\f1\'e9}";
    assert_eq!(texts(unsure.as_bytes()), ["\u{FFFD}", "й"]);
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "\\",
    "\\b ",
    "\\b0",
    "\\par",
    "\\'e9",
    "\\'82",
    "\\u233?",
    "\\u-10179?",
    "\\uc2 ",
    "\\uc0",
    "\\f1",
    "\\*",
    "{\\*\\fldinst ",
    "{\\fonttbl{\\f1\\fcharset204 ",
    "{\\pict",
    "\\bin4 ",
    "\\dbch",
    "\\ansicpg1251",
    "HYPERLINK \"http://a.example/\"",
    "http://a.example/b",
    " ",
    "\r\n",
    "\\\n",
    "a",
    "0",
    "\u{e9}",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
];

proptest! {
    /// The cuts between windows do not matter.
    #[test]
    fn slots_do_not_depend_on_cuts(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)) {
        let text = format!("{{\\rtf1 {}", pieces.concat());
        let document = Document { bytes: text.as_bytes(), charset: Charset::UTF_8 };
        document.answers_in_every_cut(|| RtfTokenizer::new(64));
    }

    /// What is written reads back, and ends no text.
    #[test]
    fn written_texts_read_back(text in "[ -~\u{e9}\u{65e5}\u{1f601}]{0,12}", substitutes in 0..3u8) {
        let style = RtfStyle { substitutes, ..RtfStyle::new(None) };
        let raw = Escaping::Rtf(style).escape(&text, "", &|_| false).unwrap();
        let document = format!("{{\\rtf1\\uc{substitutes} {raw}}}");
        let slots: Vec<_> = Slots::new(RtfTokenizer::new(1 << 20), document.as_bytes(), Charset::UTF_8).collect();
        let read: Vec<_> = slots.iter().map(|slot| slot.escaping.unescape(&document[slot.range.clone()]).into_text().into_owned()).collect();
        prop_assert_eq!(read.concat(), text, "{}", document);
    }
}

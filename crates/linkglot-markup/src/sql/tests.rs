use super::*;
use crate::escape::Backslash;
use crate::testing::{Answer, Document};
use linkglot_charset::Charset;
use proptest::prelude::*;

fn answers(bytes: &[u8], charset: Charset) -> Vec<(usize, Answer)> {
    let document = Document { bytes, charset };
    document.answers_in_every_cut(|| SqlTokenizer::new(64))
}

/// The slots of a script: place, access if links are only listed, text.
fn slots(bytes: &[u8], charset: Charset) -> Vec<String> {
    let answers = answers(bytes, charset);
    let shown = answers.iter().map(|(_, answer)| match answer {
        Answer::Slot(slot, raw) => {
            let listed = if slot.access == Access::List {
                "listed "
            } else {
                ""
            };
            format!(
                "{} {listed}{}",
                slot.place.kind.name(),
                slot.escaping.unescape(raw).text()
            )
        }
        Answer::TooLong(_) => "too long".to_owned(),
    });
    shown.collect()
}

fn sjis() -> Charset {
    Charset::for_label("shift_jis").unwrap()
}

fn of(text: &str) -> Vec<String> {
    slots(text.as_bytes(), Charset::UTF_8)
}

#[test]
fn literals_of_each_database() {
    for (text, expected) in [
        ("", &[][..]),
        ("SELECT 1.5, a.b FROM c.d;", &[]),
        (
            "SELECT 'a.b', 'c', '', '''d.e''';",
            &["text a.b", "text 'd.e'"],
        ),
        // MySQL, by a quoted name or its comments.
        (
            r#"INSERT INTO `t.u` VALUES ('a.b\'c\\','d\ne.f',"g.h",_binary 'i.j',_utf8mb4'k.l',x'00',X'2E2E');"#,
            &[
                "text a.b'c\\",
                "text d\ne.f",
                "text g.h",
                "text listed i.j",
                "text k.l",
            ],
        ),
        (
            "/*!40101 SET NAMES utf8 */;\n# a.b\n-- c.d\nSELECT 5--3, 'e.f\\'';",
            &["comment  a.b", "comment  c.d", "text e.f'"],
        ),
        // PostgreSQL.
        (
            "SET standard_conforming_strings = on;SELECT 'a.b\\', E'c.d\\'\\u00e9\\x41', \"e.f\", $$g.h'i$$, $x$i.j$y$k$x$;",
            &["text a.b\\", "text c.d'éA", "text g.h'i", "text i.j$y$k"],
        ),
        (
            "SET standard_conforming_strings = on;SELECT E'a\\x2eb', E'a.\\nb', 'a. b';",
            &["text a.b"],
        ),
        (
            "COPY t (a, b) FROM stdin;\na.b\\tc\t\\N\n1\td.e\\\\\n\\.\nSELECT 'f.g\\';",
            &["text a.b\tc", "text d.e\\", "text f.g\\"],
        ),
        ("COPY t FROM stdin ;\n\\.\nSELECT 'a.b'", &["text a.b"]),
        (
            "copy t from '/a.b' (format csv);\n'c.d'",
            &["text /a.b", "text c.d"],
        ),
        // SQLite.
        (
            "PRAGMA foreign_keys=OFF;INSERT INTO \"a.b\" VALUES('c.d\\','e''f.g',X'2E');",
            &["text c.d\\", "text e'f.g"],
        ),
        // An unknown database.
        (
            "SELECT 'a.b', \"c.d\", 'e.f\\n', 'g.h';",
            &["text a.b", "text listed c.d", "text e.f\\n", "text g.h"],
        ),
        ("SELECT 'a.b\\', 'c.d';", &["text a.b\\', 'c.d';"]),
        (
            "/* a.b */ 'c.d' /* e.f",
            &["comment  a.b ", "text c.d", "comment  e.f"],
        ),
        ("SELECT 'a.b", &["text a.b"]),
    ] {
        let found: Vec<String> = of(text);
        let found: Vec<&str> = found.iter().map(|slot| slot.as_str()).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn long_values_are_passed_over() {
    let long = "x.".repeat(40);
    assert_eq!(
        of(&format!("SELECT '{long}', 'a.b'")),
        ["too long", "text a.b"]
    );
    assert_eq!(of(&format!("SELECT `{long}`, 'a.b'")), ["text a.b"]);
    assert_eq!(
        of(&format!("COPY t FROM stdin;\n{long}\ta.b\n\\.\n'c.d'")),
        ["too long", "text a.b", "text c.d"]
    );
    let word = "x".repeat(100);
    assert_eq!(of(&format!("SELECT {word}e'a.b'")), ["text a.b"]);
}

#[test]
fn backslashes_within_characters_are_no_escapes() {
    let (sjis, text) = (sjis(), "INSERT INTO `t` VALUES ('a.b 表','c.d');");
    let mut bytes = Vec::new();
    sjis.encode(text, &mut bytes).unwrap();
    assert_eq!(slots(&bytes, sjis), ["text a.b 表", "text c.d"]);
}

const PIECES: &[&str] = &[
    "'",
    "'",
    "\"",
    "`",
    "\\",
    "\\'",
    "''",
    "a.b",
    "c",
    " ",
    "\n",
    "\t",
    ";",
    "--",
    "-- ",
    "/*",
    "/*!",
    "*/",
    "#",
    "$$",
    "$a$",
    "E",
    "X",
    "_binary ",
    "COPY t FROM stdin;\n",
    "COPY t FROM stdin CSV;",
    "SET NAMES x;",
    "SET sql_mode ",
    "replace(",
    "U&",
    "\\.\n",
    "\\N",
    "PRAGMA ",
    "standard_conforming_strings = on",
    "NO_BACKSLASH_ESCAPES",
    "é",
    "表",
    ",",
    "(",
    "0",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
];

proptest! {
    /// The cuts between windows do not matter: `answers` compares all.
    #[test]
    fn slots_do_not_depend_on_cuts(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24),
        is_sjis in any::<bool>(),
    ) {
        let charset = if is_sjis { sjis() } else { Charset::UTF_8 };
        let mut bytes = Vec::new();
        if charset.encode(&pieces.concat(), &mut bytes).is_ok() {
            answers(&bytes, charset);
        }
    }

    /// What is written is read.
    #[test]
    fn values_are_read_as_written(text in "[a-z'\"\\\\%_.é]{0,12}", quote in prop::sample::select(&b"'\""[..])) {
        for backslash in [Backslash::Plain, Backslash::MySql, Backslash::Postgres] {
            let escaping = Escaping::SqlString(SqlStyle::new(quote, backslash));
            let raw = escaping.escape(&text, "", &|_| true).unwrap();
            prop_assert_eq!(escaping.unescape(&raw).into_text(), text.as_str());
        }
        let raw = Escaping::SqlCopy.escape(&text, "", &|_| true).unwrap();
        prop_assert_eq!(Escaping::SqlCopy.unescape(&raw).into_text(), text.as_str());
    }
}

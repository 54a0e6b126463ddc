//! The promises over SQL made of pieces, and lengths in serialized data that stay right.

use crate::promises::keeps_promises;
use linkglot::Charset;
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot_markup::{Backslash, Escaping, JsonStyle, SqlStyle, serialized_strings};
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "http://ex",
    "ample.org/",
    "http://\u{e9}.example/",
    "https://www.b\u{fc}cher.example/",
    "www.example.org",
    "\u{e9}",
    "%C3%A9",
    "\u{65e5}\u{672c}",
    "\u{8868}",
    "\\n",
    "\\'",
    "''",
    "\\\\",
    "\\u00e9",
    "\\303",
    "\\",
    "'",
    "'",
    "\"",
    "`",
    "',",
    "\n",
    "\t",
    "<a href=",
    ">",
    "&amp;",
    "?q=",
    "/",
    " ",
    "a",
    "s:18:\"http://\u{e9}.example\";",
    "a:1:{i:0;s:17:\"http://a.example/\";}",
    "s:17:\\\"http://a.example/\\\";",
    "{\"a\":\"http:\\/\\/b.example\\/\"}",
    "{\\\"a\\\":\\\"http:\\\\/\\\\/b.example\\\\/\\\\u00e9\\\"}",
    "-- ",
    "/* ",
    " */",
    "COPY t FROM stdin;\n",
    "\n\\.\n",
    "E'",
    "$$",
    "_binary '",
];

const HEADS: &[&str] = &[
    "",
    "-- MySQL dump 10\nINSERT INTO `t` VALUES ('",
    "SET standard_conforming_strings = on;\nCOPY t FROM stdin;\n",
    "PRAGMA foreign_keys=OFF;\nINSERT INTO t VALUES('",
];

const CASES: u32 = if cfg!(debug_assertions) { 100 } else { 20_000 };
const CHARSETS: &[&str] = &["utf-8", "utf-8", "utf-16le", "shift_jis", "windows-1252"];

/// A value within serialized data.
fn value() -> impl Strategy<Value = String> {
    let text = "(see |it's \"x\" |<b>é</b> |C:\\\\dir |日本 )?http://old\\.example/[a-zéж]{0,4}";
    let string = text.prop_map(|text| of_string(&text));
    string.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|values| {
                let items = values.iter().enumerate();
                let items: Vec<String> = items
                    .map(|(at, value)| format!("{}{value}", of_string(&format!("k\"{at}"))))
                    .collect();
                format!("a:{}:{{{}}}", items.len(), items.concat())
            }),
            // Serialized data in a string of serialized data.
            inner.clone().prop_map(|value| of_string(&value)),
            inner.prop_map(|value| format!(
                "O:8:\"stdClass\":2:{{s:1:\"x\";{value}s:1:\"y\";d:0.5;}}"
            )),
            Just("i:-1;".to_owned()),
            Just("N;".to_owned()),
        ]
    })
}

fn of_string(text: &str) -> String {
    format!("s:{}:\"{text}\";", text.len())
}

/// The data with each link moved, by an independent way: strings first, then their lengths.
fn moved(text: &str) -> String {
    let Some((strings, _)) = serialized_strings(text, Charset::UTF_8) else {
        return text.replace(OLD, NEW);
    };
    let (mut new, mut at) = (String::new(), 0);
    for string in strings {
        let content = moved(&text[string.content.clone()]);
        new += &text[at..string.digits.start];
        new += &format!("{}:\"{content}", content.len());
        at = string.content.end;
    }
    new + &text[at..]
}

const OLD: &str = "http://old.example/";
const NEW: &str = "https://www.new-place.example/très/";
const MYSQL: &str = "CREATE TABLE `t` (`a` text) CHARSET=utf8mb4;\nINSERT INTO `t` VALUES ('";

fn to_iri(dump: &str) -> String {
    let mut settings = Settings::default();
    settings.format = Some(Format::Sql);
    settings.charset = Some(Charset::UTF_8);
    let rewriter = Rewriter::new().to(Form::Iri).settings(settings);
    String::from_utf8(rewriter.rewrite_slice(dump.as_bytes()).content.into_owned()).expect("UTF-8")
}

/// A database converts a literal to the charset of its column: what that lacks is an error, or `?`.
#[test]
fn new_letters_are_those_that_the_tables_keep() {
    const NAMES: &str = "/*!40101 SET NAMES utf8mb4 */;\n";
    const ESCAPED: &str = "http://a.example/%C3%A9%F0%9F%98%80";
    const LETTER: &str = "http://a.example/é%F0%9F%98%80";
    const ALL: &str = "http://a.example/é😀";
    for (head, row, expected) in [
        ("", "'{}'", ESCAPED),
        // SQL Server converts other literals to the charset of the database.
        ("", "N'{}'", ALL),
        (NAMES, "'{}'", ESCAPED),
        (
            "CREATE TABLE `t` (`a` text) DEFAULT CHARSET=utf8mb4;\n",
            "'{}'",
            ALL,
        ),
        (
            "CREATE TABLE IF NOT EXISTS `t` (`a` text) COLLATE='utf8mb4_bin';\n",
            "'{}'",
            ALL,
        ),
        (
            "CREATE TABLE `t` (`a` text CHARACTER SET utf8mb4 NOT NULL);\n",
            "'{}'",
            ALL,
        ),
        (
            "CREATE TABLE `t` (`a` text) DEFAULT CHARSET=utf8;\n",
            "'{}'",
            LETTER,
        ),
        (
            "/*!40101 SET NAMES utf8 */;\nCREATE TABLE `t` (`a` text) CHARSET=utf8mb4;\n",
            "'{}'",
            LETTER,
        ),
        (
            "CREATE TABLE `t` (`a` text) DEFAULT CHARSET=latin1;\n",
            "'{}'",
            ESCAPED,
        ),
        (
            "CREATE TABLE `t` (`a` text CHARACTER SET latin1) CHARSET=utf8mb4;\n",
            "'{}'",
            ESCAPED,
        ),
        (
            "CREATE TABLE `t` (`a` text COLLATE latin1_bin) CHARSET=utf8mb4;\n",
            "'{}'",
            ESCAPED,
        ),
        (
            "CREATE TABLE `t` (`a` blob CHARACTER SET binary) CHARSET=utf8mb4;\n",
            "'{}'",
            ALL,
        ),
        // A later table, and a change of one.
        (
            "CREATE TABLE `a` (a int) CHARSET=latin1; CREATE TABLE `t` (a text) CHARSET=utf8mb4;\n",
            "'{}'",
            ESCAPED,
        ),
        (
            "CREATE TABLE `t` (a text) CHARSET=utf8mb4; ALTER TABLE `t` CONVERT TO CHARACTER SET utf8;\n",
            "'{}'",
            LETTER,
        ),
        // A charset at the end of a definition, one that only the database tells, and an old attribute.
        (
            "CREATE TABLE `t` (a text) CHARSET=utf8mb4; CREATE TABLE `u` (a int);\n",
            "'{}'",
            ESCAPED,
        ),
        (
            "CREATE TABLE `t` (a text ASCII) CHARSET=utf8mb4;\n",
            "'{}'",
            ESCAPED,
        ),
        (
            "CREATE TABLE `t` (a text) CHARSET=utf8mb4; ALTER TABLE `t` DISABLE KEYS;\n",
            "'{}'",
            ALL,
        ),
        (
            "CREATE TABLE `t` (a text) CHARSET=utf8mb4; CREATE TABLE `u` (a text DEFAULT\n",
            "'{}'",
            ESCAPED,
        ),
        // Charsets of connections that differ from those of browsers.
        (
            "SET NAMES big5; CREATE TABLE `t` (a text) CHARSET=utf8mb4;\n",
            "'{}'",
            ESCAPED,
        ),
        (
            "SET client_encoding = 'EUC_KR';\nSET standard_conforming_strings = on;\n",
            "'{}'",
            ESCAPED,
        ),
        // Defaults of databases and the charsets of functions are not those of columns.
        (
            "CREATE DATABASE `d` CHARSET latin1; CREATE TABLE `t` (a text) CHARSET=utf8mb4;\n",
            "'{}'",
            ALL,
        ),
        (
            "CREATE TABLE `t` (`a` text) CHARSET=utf8mb4;\n",
            "_latin1'{}'",
            ESCAPED,
        ),
        // Other databases have one charset, that of the dump.
        ("PRAGMA foreign_keys=OFF;\n", "'{}'", ALL),
        (
            "SET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\n",
            "'{}'",
            ALL,
        ),
    ] {
        let table = if head.contains('`') || head == NAMES {
            "`t`"
        } else {
            "t"
        };
        let written = |link: &str| {
            format!(
                "{head}INSERT INTO {table} VALUES ({});\n",
                row.replace("{}", link)
            )
        };
        assert_eq!(to_iri(&written(ESCAPED)), written(expected));
    }
}

/// HTML and JSON write such letters as references and escapes.
#[test]
fn markup_in_values_writes_references_for_other_letters() {
    let written = |value: &str| {
        format!("CREATE TABLE `t` (`a` text) CHARSET=latin1;\nINSERT INTO `t` VALUES ('{value}');")
    };
    for (value, expected) in [
        (
            "<a href=\"http://a.example/%E6%97%A5\">b</a>",
            "<a href=\"http://a.example/&#x65E5;\">b</a>",
        ),
        (
            "{\"a\":\"http://a.example/%E6%97%A5\"}",
            "{\"a\":\"http://a.example/\\\\u65E5\"}",
        ),
        // What stands there stays.
        (
            "http://a.example/日/%E6%97%A5",
            "http://a.example/日/%E6%97%A5",
        ),
    ] {
        assert_eq!(to_iri(&written(value)), written(expected));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_sql(
        head in prop::sample::select(HEADS),
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..16),
        charset in prop::sample::select(CHARSETS),
    ) {
        keeps_promises(&format!("{head}{}", pieces.concat()), Format::Sql, charset)?;
    }

    /// The data after a move are those that the program of the data would have written.
    #[test]
    fn lengths_stay_right(value in value(), kind in 0..5) {
        let mysql = Escaping::SqlString(SqlStyle::new(b'\'', Backslash::MySql));
        let plain = Escaping::SqlString(SqlStyle::new(b'\'', Backslash::Plain));
        let json = Escaping::JsonString(JsonStyle::UNKNOWN);
        let (format, head, layers, tail) = match kind {
            0 => (Format::Sql, MYSQL, vec![mysql], "');"),
            1 => (Format::Sql, "PRAGMA x;INSERT INTO t VALUES('", vec![plain], "');"),
            2 => (Format::Sql, "COPY t FROM stdin;\n1\t", vec![Escaping::SqlCopy], "\n\\.\n"),
            3 => (Format::Json, "{\"a\":\"", vec![json], "\"}"),
            // JSON in a literal, serialized data in JSON.
            _ => (Format::Sql, MYSQL, vec![mysql, json], "');"),
        };
        let written = |value: &str| {
            let (first, rest) = layers.split_first().expect("a layer");
            let mut text = value.to_owned();
            for layer in rest {
                text = format!("{{\"in\":\"{}\"}}", layer.escape(&text, "", &|_| true).expect("text"));
            }
            format!("{head}{}{tail}", first.escape(&text, "", &|_| true).expect("text"))
        };
        let mut rules = Rules::default();
        rules.add(&format!("{OLD} {NEW}")).expect("a rule");
        let mut settings = Settings::default();
        settings.format = Some(format);
        settings.charset = Some(Charset::UTF_8);
        let rewriter = Rewriter::new().to(Form::Same).rules(rules).settings(settings);
        let (old, new) = (written(&value), written(&moved(&value)));
        let found = rewriter.rewrite_slice(old.as_bytes()).content.into_owned();
        prop_assert_eq!(String::from_utf8(found).expect("UTF-8"), new);
    }
}

//! The promises over YAML made of pieces.

use crate::promises::keeps_promises;
use linkglot::format::Format;
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "http://ex",
    "ample.org/",
    "http://\u{e9}.example/",
    "https://www.b\u{fc}cher.example/",
    "//a.example/\u{e9}",
    "www.example.org",
    "a@b.example",
    "\u{e9}",
    "\u{65e5}\u{672c}",
    "\u{8868}",
    "%C3%A9",
    "\\u00e9",
    "<a href=\"http://\u{e9}.example/\">",
    "<a href='http://\u{e9}.example/'>",
    "{\"a\":\"http://\u{e9}.example/\"}",
    "s:18:\"http://\u{e9}.example\";",
    "\"",
    "'",
    "''",
    "\\",
    "[",
    "]",
    "{",
    "}",
    ",",
    ": ",
    ":",
    " #",
    "#",
    "- ",
    "? ",
    "a: ",
    "a: |\n  ",
    "- >-\n ",
    "\n",
    "\n",
    "\n  ",
    "\r\n",
    " ",
    "&a ",
    "*a",
    "!a ",
    "---\n",
    "/",
    "?q=",
];

const CASES: u32 = if cfg!(debug_assertions) { 200 } else { 20_000 };
const CHARSETS: &[&str] = &["utf-8", "utf-8", "utf-16le", "shift_jis", "windows-1252"];

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_yaml(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24),
        charset in prop::sample::select(CHARSETS),
    ) {
        keeps_promises(&pieces.concat(), Format::Yaml, charset)?;
    }
}

//! The promises over YAML made of pieces.

use crate::promises::promises_hold_over;
use linkglot::format::Format;

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

#[test]
fn promises_hold_over_yaml() {
    promises_hold_over(PIECES, 24, Format::Yaml);
}

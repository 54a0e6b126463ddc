//! The promises over RTF made of pieces.

use crate::promises::promises_hold_over;
use linkglot::format::Format;

const PIECES: &[&str] = &[
    "http://ex",
    "ample.org/",
    "http://\\u233?.example/",
    "https://www.b\\'fccher.example/",
    "www.example.org",
    "a@b.example",
    "\\'e9",
    "\\'82\\'a0",
    "\\u26085?",
    "\u{e9}",
    "\u{8868}",
    "%C3%A9",
    "\\{",
    "\\\\",
    "\\~",
    "\\-",
    "{\\field{\\*\\fldinst HYPERLINK \"",
    "\"}{\\fldrslt ",
    "\" \\\\l \"a",
    "{\\fonttbl{\\f0 a;}{\\f1\\fcharset204 b;}}",
    "\\f1 ",
    "\\f1",
    "\\dbch ",
    "\\uc0 ",
    "\\b",
    "\\b0",
    "\\par ",
    "\\tab",
    "{\\*\\x ",
    "{\\pict ",
    "{",
    "}",
    "\n",
    " ",
    "/",
    "?q=",
    "a",
    "1",
];

#[test]
fn promises_hold_over_rtf() {
    promises_hold_over(PIECES, 24, Format::Rtf);
}

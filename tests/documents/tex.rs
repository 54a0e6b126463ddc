//! The promises over TeX and BibTeX made of pieces, and links that move as TeX prints them.

use crate::promises::keeps_promises;
use linkglot::format::Format;
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "http://ex",
    "ample.org/",
    "http://\u{e9}.example/",
    "https://www.b\u{fc}cher.example/",
    "www.example.org",
    "a@b.example",
    "\u{e9}",
    "\u{65e5}\u{672c}",
    "\u{8868}",
    "%C3%A9",
    "\\%C3\\%A9",
    "\\_",
    "\\#",
    "\\&",
    "\\~{}",
    "\\'e",
    "\\\\",
    "\\",
    "{\\_}",
    "{",
    "}",
    "{}",
    "~",
    "/~",
    "$\\sim$",
    "$",
    "%",
    "%\n",
    "#1",
    "#",
    "\"",
    "\" # \"",
    "``",
    "''",
    "---",
    "\n",
    "\n\n",
    " ",
    "a",
    "/",
    "?q=",
    "\\url{",
    "\\url|",
    "|",
    "\\href{",
    "\\href[a]{",
    "}{",
    "\\path",
    "\\nolinkurl {",
    "\\texttt{",
    "\\foo",
    "\\textasciitilde ",
    "\\string~",
    "\\verb|",
    "\\begin{verbatim}",
    "\\end{verbatim}",
    "\n@book{a,\n url = {",
    "},\n",
    ", url = \"",
    "\\@",
    "\\begin{frame}",
    "\\end{frame}",
    "\\item[",
    "]",
    ",",
    "--",
];

const CASES: u32 = if cfg!(debug_assertions) { 200 } else { 20_000 };
const CHARSETS: &[&str] = &["utf-8", "utf-8", "utf-16le", "shift_jis", "windows-1252"];

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_tex(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..16),
        charset in prop::sample::select(CHARSETS),
    ) {
        keeps_promises(&pieces.concat(), Format::Tex, charset)?;
    }
}

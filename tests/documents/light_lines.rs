//! The promises over documents in light markup that is read line by line, made of pieces.

use crate::promises::keeps_promises;
use linkglot::format::Format;
use proptest::prelude::*;

const PIECES: &[&str] = &[
    "http://ex",
    "ample.org/",
    "http://\u{e9}.example/",
    "https://www.b\u{fc}cher.example/\u{df}",
    "//a.example/\u{e9}",
    "www.example.org/\u{e9}",
    "mailto:a@b.example",
    "\u{e9}",
    "%C3%A9",
    "\u{65e5}\u{672c}",
    "\u{8868}",
    "&amp;",
    "&lt;",
    "&#233;",
    "?q=",
    "/",
    " ",
    " ",
    "a",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "<",
    ">",
    "(",
    ")",
    "\"",
    "\\",
    "=",
    "*",
    ":",
    ".",
];

const WIKITEXT: &[&str] = &[
    "[",
    "[",
    "]",
    "[[",
    "]]",
    "|",
    "||",
    "{{",
    "}}",
    "{{{1}}}",
    "{|",
    "|}",
    "''",
    "'''",
    "<nowiki>",
    "</nowiki>",
    "<pre>",
    "</pre>",
    "<!--",
    "-->",
    "<ref>",
    "</ref>",
    "<q cite=\"",
    "<br/>",
    "== ",
    "[http://\u{e9}.example/ a]",
    "{{a|url=",
    "[http://[::1]/",
];

const ASCIIDOC: &[&str] = &[
    "link:",
    "link:\u{e9}[",
    "image::",
    "image:\u{e9}.png[link=",
    "include::",
    "https://\u{e9}.example/[a]",
    "[",
    "[",
    "]",
    "]",
    "[]",
    "{a}",
    "{",
    "----\n",
    "....\n",
    "++++\n",
    "////\n",
    "--\n",
    "|===\n",
    "|",
    "[source]\n",
    "[source,js]\n",
    "[pass]\n",
    "// ",
    "+",
    "++",
    "+++",
    "pass:[",
    "<a href=\"",
    "* ",
    ":a: ",
    ",",
];

const ORG: &[&str] = &[
    "[[",
    "[[",
    "][",
    "]]",
    "]]",
    "[[http://\u{e9}.example/\\[][a]]",
    "[[mailto:",
    "\\[",
    "\\]",
    "=",
    "~",
    "=a=",
    "#+BEGIN_SRC sh\n",
    "#+BEGIN_SRC js\n",
    "#+END_SRC\n",
    "#+begin_export html\n<a href=\"",
    "#+end_export\n",
    "# ",
    ": ",
    "#+LINK: a ",
    "* ",
    "| ",
    "file:",
];

const TEXTILE: &[&str] = &[
    "\"a\":",
    "\"",
    "\":",
    "\"b\":http://\u{e9}.example/(c) ",
    "!/\u{e9}.png!",
    "!(a){b}",
    "(c)!:",
    "[",
    "]",
    "(",
    ")",
    "|",
    "@",
    "==",
    "<pre>",
    "</pre>",
    "<a href=\"",
    "\n\nbc. ",
    "\n\nbc.. ",
    "\n\np. ",
    "\n\nbq.:/\u{e9} ",
    "\n\nnotextile. <img src=\"",
    "\n[a]/\u{e9}",
    "*",
];

const CASES: u32 = if cfg!(debug_assertions) { 100 } else { 20_000 };
const CHARSETS: &[&str] = &["utf-8", "utf-8", "utf-16le", "shift_jis", "windows-1252"];

fn document(own: &'static [&'static str]) -> impl Strategy<Value = String> {
    let piece = prop_oneof![prop::sample::select(own), prop::sample::select(PIECES)];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_wikitext(
        text in document(WIKITEXT),
        charset in prop::sample::select(CHARSETS),
    ) {
        keeps_promises(&text, Format::MediaWiki, charset)?;
    }

    #[test]
    fn promises_hold_over_asciidoc(
        text in document(ASCIIDOC),
        charset in prop::sample::select(CHARSETS),
    ) {
        keeps_promises(&text, Format::AsciiDoc, charset)?;
    }

    #[test]
    fn promises_hold_over_org(
        text in document(ORG),
        charset in prop::sample::select(CHARSETS),
    ) {
        keeps_promises(&text, Format::Org, charset)?;
    }

    #[test]
    fn promises_hold_over_textile(
        text in document(TEXTILE),
        charset in prop::sample::select(CHARSETS),
    ) {
        keeps_promises(&text, Format::Textile, charset)?;
    }
}

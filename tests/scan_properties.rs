//! What must hold of the links of any text, for texts made of what detection looks at.

#[path = "scan_properties/holds.rs"]
mod holds;

use holds::holds;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Words that mean something to detection, and the characters between.
const WORDS: &[&str] = &[
    "http://",
    "https://",
    "HTTP://",
    "ftp://",
    "mailto:",
    "tel:+1",
    "urn:x:",
    "www.",
    "example",
    "com",
    "org",
    "рф",
    "日本",
    "中国",
    "例え",
    "।",
    "ا",
    "é",
    "straße",
    "xn--p1ai",
    "localhost",
    "127.0.0.1",
    "[::1]",
    "[v1.a]",
    ":80",
    ":",
    "/",
    "//",
    "?",
    "#",
    "&",
    "=",
    "%41",
    "%",
    "@",
    ".",
    "..",
    "。",
    "．",
    "、",
    "，",
    "-",
    "--",
    "_",
    "~",
    "*",
    "**",
    "+",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "<URL:",
    "</b>",
    "[/b]",
    "（",
    "）",
    "「",
    "」",
    "『",
    "』",
    "《",
    "》",
    "\"",
    "'",
    "`",
    "“",
    "”",
    "‘",
    "’",
    "„",
    "«",
    "»",
    "|",
    "\\",
    "!",
    ";",
    ",",
    " ",
    "\n",
    "\r\n",
    " \n",
    "\n> ",
    "/\nb/c",
    "\t",
    "\u{A0}",
    "\u{3000}",
    "\u{200B}",
    "\u{200C}",
    "\u{200D}",
    "\u{200E}",
    "\u{202E}",
    "\u{2066}",
    "\u{2069}",
    "\u{FEFF}",
    "\u{AD}",
    "\u{FE0F}",
    "\u{E0100}",
    "\u{34F}",
    "❤",
    "\u{FFFD}",
    "\u{FFFF}",
    "\0",
    "👍",
    "𠮷",
    "…",
    "–",
    "README.md",
    "main.rs",
    "a",
    "b",
    "1",
    "name",
];

proptest! {
    // The same texts each time: chance is the fuzz target's.
    #![proptest_config(ProptestConfig {
        cases: 3000, failure_persistence: None, rng_seed: RngSeed::Fixed(3987), ..ProptestConfig::default()
    })]

    #[test]
    fn soup_of_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..25)) {
        let text = words.concat();
        prop_assert_eq!(holds(&text), Ok(()));
    }

    #[test]
    fn any_text(text in "\\PC{0,80}") {
        prop_assert_eq!(holds(&text), Ok(()));
    }

    #[test]
    fn a_link_in_any_text(left in "\\PC{0,6}", right in "\\PC{0,12}") {
        let text = format!("{left}http://example.org/{right} {left}example.com{right} {left}ann@example.org{right}");
        prop_assert_eq!(holds(&text), Ok(()));
    }
}

/// What once did not hold.
#[test]
fn regressions() {
    for text in [
        "README.md/《http://http://》",
        "x/a.com://b",
        "<HTTP://漢1",
        "<ftp://xn-->",
        "urn:x:『http://』",
        "tel:+1\u{200B}tel:+1",
    ] {
        assert_eq!(holds(text), Ok(()));
    }
}

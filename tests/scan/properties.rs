//! Properties of the links of any text, in texts made of words that matter to detection.

mod holds;

use holds::holds;
use linkglot::{Kind, Profile, Scanner};
use linkglot_scan::Hit;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Words that matter to detection, and separators.
const WORDS: &[&str] = &[
    "-\n",
    "\u{2010}\n  ",
    "\u{AD}\r\n> ",
    "https://\n",
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
    "&gt;",
    "&amp;",
    "[a b]",
    "—",
    "’s",
    "¹",
    ".html",
    "上",
    "/wiki/",
    "を見",
    "url{",
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
    "comp.lang.c",
    "news:",
    "sip:a@",
    "file:///",
    "https://ja.example/",
    "](",
    "[url]",
    "[/url]",
    "[url=",
    "\\url{",
    "}",
    "[[",
    "]]",
    " label]",
    "x=",
    "を",
    "は",
    "で",
    "です。",
    "에서",
    "국",
    "の",
    "\u{20E3}",
    "*/",
    "-->",
    "``",
    "‹",
    "›",
    "｢",
    "｣",
    "＂",
    "＜",
    "＞",
    "〈",
    "〉",
    "？",
    "；",
    "・",
    "־",
    "۔",
    "؟",
    "א",
    "ไทย",
    "ख",
    "ß",
    "１",
    "\\u003c",
    "%s",
];

/// Links of many kinds.
const LINKS: &[&str] = &[
    "http://example.org/",
    "http://example.org",
    "http://日本/",
    "http://例え.jp/？",
    "日本.com",
    "example.com",
    "example.com/é",
    "www.example.org",
    "ann@example.org",
    "mailto:a@b.org",
    "tel:+1",
    "urn:x:y",
    "file:///a",
];

proptest! {
    // The texts are the same in each run, and more if the environment asks for it. The fuzz target varies them.
    #![proptest_config(ProptestConfig {
        cases: 3000, failure_persistence: None, rng_seed: RngSeed::Fixed(3987), ..ProptestConfig::default()
    })]

    #[test]
    fn soup_of_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..25)) {
        let text = words.concat();
        prop_assert_eq!(holds(&text), Ok(()));
    }

    #[test]
    fn soup_of_few_words(
        words in prop::collection::vec(prop::sample::select(WORDS), 1..8),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..25),
    ) {
        let text: String = order.iter().map(|at| *at.get(&words)).collect();
        prop_assert_eq!(holds(&text), Ok(()));
    }

    #[test]
    fn a_link_among_words(
        left in prop::collection::vec(prop::sample::select(WORDS), 0..4),
        link in prop::sample::select(LINKS),
        right in prop::collection::vec(prop::sample::select(WORDS), 0..6),
    ) {
        let text = [left.concat(), link.to_owned(), right.concat()].concat();
        prop_assert_eq!(holds(&text), Ok(()));
        prop_assert_eq!(holds(&text.repeat(2)), Ok(()));
    }

    /// Words and links with blanks between them: where they touch, the rules differ on purpose.
    #[test]
    fn extended_finds_what_uts58_finds(
        left in prop::collection::vec(prop::sample::select(WORDS), 0..4),
        link in prop::sample::select(LINKS),
        right in prop::collection::vec(prop::sample::select(WORDS), 0..6),
    ) {
        let text = [left.join(" "), link.to_owned(), right.join(" ")].join(" ");
        prop_assert_eq!(missed(&text), [""; 0], "{:?}", text);
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

/// The addresses and links with a scheme that `uts58` finds, `extended` does not touch, and no rule of
/// `docs/detection.md` refuses.
fn missed(text: &str) -> Vec<String> {
    let extended: Vec<_> = Scanner::default().links(text).collect();
    let uts58 = Scanner::new(Profile::Uts58);
    let found = uts58.links(text).filter(|hit| hit.kind != Kind::Domain);
    let missed = found.filter(|hit| {
        let span = hit.span;
        let touches = |other: &Hit| other.span.start < span.end && span.start < other.span.end;
        !extended.iter().any(touches) && !is_refused(text, span.start, span.end)
    });
    missed.map(|hit| hit.link(text).into_owned()).collect()
}

/// Characters that nobody sees, and hyphens of typography.
const HIDDEN: &[char] = &[
    '\u{AD}',
    '\u{34F}',
    '\u{200B}',
    '\u{200C}',
    '\u{200D}',
    '\u{200E}',
    '\u{2010}',
    '\u{FE0F}',
    '\u{FEFF}',
    '\u{E0100}',
];

/// True if a rule refuses the link that `uts58` finds: those of hyphens at a line end, of names that go on, and of
/// hidden characters.
fn is_refused(text: &str, start: usize, end: usize) -> bool {
    let (before, behind) = (&text[..start], &text[end..]);
    let goes_on = before.ends_with(['_', '@']) || behind.starts_with(['_', '@']);
    let line = before.trim_end_matches([' ', '>', '\r', '\n']);
    let is_torn = line.len() < start && line.ends_with(['-', '\u{2010}', '\u{AD}', '\\']);
    goes_on || is_torn || before.ends_with(HIDDEN) || text[start..].contains(HIDDEN)
}

/// Texts that once failed.
#[test]
fn regressions() {
    for text in [
        "README.md/《http://http://》",
        "x/a.com://b",
        "<HTTP://漢1",
        "<ftp://xn-->",
        "urn:x:『http://』",
        "tel:+1\u{200B}tel:+1",
        "<http://𠮷",
        "。e.org@e.org",
        "urn:x:yで*/",
        "news:a국.&",
        "/www.e://o",
        "p:///『m。』",
        "\u{20e3}中e.org",
        "[[p:///.]]",
        "](え.jp/？ \"",
    ] {
        assert_eq!(holds(text), Ok(()));
    }
}

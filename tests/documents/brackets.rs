//! Everything within angle brackets decides whether they hold one link (RFC 3986 appendix C): a rewrite must not turn
//! several links there into one, or one into several (P3, P5), even over line breaks.

use crate::promises::{Subject, idempotent, only_slots, refound};
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::{Breaks, Charset};
use proptest::prelude::*;

/// Pieces that stand in brackets and around them.
const PIECES: &[&str] = &[
    "<",
    "<",
    "<URL:",
    ">",
    ">",
    "/>",
    "http://",
    "https://",
    "file:///",
    "x://",
    "www.",
    "b.example/",
    "\u{65e5}\u{672c}.example/",
    "a\u{e9}.\u{440}\u{444}/",
    "a.org/\u{e9}",
    ".de",
    "a",
    "\u{e9}",
    "%C3%A9",
    "/",
    "?",
    "#",
    "\"",
    "\"",
    "'",
    "|",
    "(",
    ")",
    "{",
    "}",
    "\\",
    "^",
    "`",
    "\u{201d}",
    "\u{300d}",
    "\u{3002}",
    "\u{ff01}",
    "\u{ab}",
    ".",
    ",",
    ":",
    ";",
    "!",
    " ",
    "  ",
    "\n",
    " \n",
    "\n> ",
];

const BREAKS: &[Breaks] = &[Breaks::NONE, Breaks::NONE, Breaks::FLOWED, Breaks::WRAPPED];

fn subject(text: &str, breaks: Breaks) -> Subject {
    let mut settings = Settings::default();
    settings.format = Some(Format::Text);
    settings.charset = Some(Charset::UTF_8);
    settings.breaks = breaks;
    Subject {
        name: format!("brackets, {breaks:?}"),
        bytes: text.as_bytes().to_vec(),
        settings,
    }
}

/// As many cases as a debug build checks in some seconds; `--release` checks more.
const CASES: u32 = if cfg!(debug_assertions) { 400 } else { 60_000 };

fn keeps_promises(subject: &Subject) -> Result<(), TestCaseError> {
    for promise in [only_slots, refound, idempotent] {
        promise(subject).map_err(|why| {
            let text = String::from_utf8_lossy(&subject.bytes);
            TestCaseError::fail(format!("{}: {why}\n{text:?}", subject.name))
        })?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_brackets(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24),
        breaks in prop::sample::select(BREAKS),
    ) {
        keeps_promises(&subject(&pieces.concat(), breaks))?;
    }

    #[test]
    fn promises_hold_within_brackets(
        within in prop::collection::vec(prop::sample::select(PIECES), 2..20),
        behind in prop::collection::vec(prop::sample::select(PIECES), 0..4),
    ) {
        let text = format!("<http://x.example/{}>{}", within.concat(), behind.concat());
        keeps_promises(&subject(&text, Breaks::NONE))?;
    }
}

/// A mark that keeps a bracket from holding one link does so even if it is escaped.
#[test]
fn escaped_marks_keep_links_apart() {
    for text in [
        "<file:///\u{65e5}\u{672c}.x://\u{65e5}\u{672c}.de\u{201d}//b.ar/a_(a)\u{300d}a.ae/\"a>",
        "<http://x.de/\u{65e5}\u{672c}\u{3002}a\u{e9}\u{672c}\u{8a9e}.jp/a/a!aaa.a\u{3002}aa?/~a.ar/\"a>",
        "<http://x.de/a;b=c (  wt/%https://i.ws/a,bfoo://EXAMPLE.DE/a\"b\u{ff01}o.uk/\"/>",
        "<http://x.de/a (b http://i.de/|c>",
    ] {
        for (name, promise) in crate::promises::PROMISES {
            assert_eq!(
                promise(&subject(text, Breaks::NONE)),
                Ok(()),
                "{name} {text}"
            );
        }
    }
}

//! The promises over documents whose running text is read by a custom scanner: kinds, schemes and top-level domains
//! that are not the usual ones.

use crate::promises::{PROMISES, Subject};
use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot::{Breaks, Charset, Kind, Scanner};
use proptest::prelude::*;

fn scanners() -> [Scanner; 5] {
    let own = || Scanner::default();
    [
        own().kinds([Kind::Absolute]),
        own().kinds([Kind::Email, Kind::Domain]),
        own().refuse_schemes(["http", "mailto"]),
        own()
            .add_schemes(["issue"])
            .top_level_domains(["corp", "рф"]),
        own().join(Breaks::FLOWED).refuse_schemes(["ftp"]),
    ]
}

fn subject(scanner: &Scanner, format: Format, text: &str) -> Subject {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings.charset = Some(Charset::UTF_8);
    settings.scanner = Some(scanner.clone());
    Subject {
        name: format!("{} by a scanner", format.name()),
        bytes: text.as_bytes().to_vec(),
        settings,
    }
}

#[test]
fn every_format_is_read_by_it() {
    let text = "issue:12 пример.рф http://a.org/ b.corp c@d.corp c.com";
    for (format, source) in [
        (Format::Text, text.to_owned()),
        (Format::Html, format!("<p>{text}<p title='http://no.org/'>")),
        (Format::Rst, format!("{text}\n")),
    ] {
        let subject = subject(&scanners()[3], format, &source);
        let document = Document::new(&subject.bytes, &subject.settings);
        let links: Vec<_> = document
            .links()
            .map(|link| link.text().to_owned())
            .collect();
        let expected = [
            "issue:12",
            "пример.рф",
            "http://a.org/",
            "b.corp",
            "c@d.corp",
        ];
        assert_eq!(links, expected, "{}", format.name());
    }
}

const PIECES: &[&str] = &[
    "http://a.org/é",
    "http://",
    "ftp://ü.de/ß",
    "mailto:ö@b.org",
    "issue:é12",
    "www.ä.org/ö",
    "ü.corp/é",
    "é.com/é",
    "b.рф/й",
    "c@d.corp",
    "c@d.com",
    "/",
    "é",
    "?",
    ".",
    ",",
    "(",
    ")",
    "<",
    ">",
    "\"",
    " ",
    " ",
    "\n",
    " \n",
    "\n> ",
    "<p>",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..16).prop_map(|pieces| pieces.concat())
}

/// As many cases as a debug build checks in some seconds; `--release` checks more.
const CASES: u32 = if cfg!(debug_assertions) { 100 } else { 10_000 };

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold(
        text in text(),
        scanner in 0..5usize,
        format in prop::sample::select(&[Format::Text, Format::Html][..]),
    ) {
        let subject = subject(&scanners()[scanner], format, &text);
        for (name, promise) in PROMISES {
            if let Err(why) = promise(&subject) {
                prop_assert!(false, "{name} broken by {}, {scanner}: {why}\n{text:?}", subject.name);
            }
        }
    }
}

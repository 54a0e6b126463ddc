//! The promises over mails whose links continue over line breaks: format=flowed, wrapped, quoted. A rewritten link must
//! be found again, or stays with a note.

use crate::promises::{PROMISES, Subject, chunks, rewritten, rewritten_by};
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::rewrite::{Form, Rewriter};
use linkglot::{Breaks, Charset, Evidence};
use proptest::prelude::*;

/// Pieces of mails.
const PIECES: &[&str] = &[
    "http://example.org/a/long/way/",
    "http://example.org/é/straße-",
    "https://xn--rsum-bpad.example/%C3%A9/a_",
    "www.example.org/ü?x=",
    "example.com/ä/",
    "http://résumé.exa",
    "mple/ö",
    "http:",
    "//ü.example.org/",
    "www",
    ".é.org",
    "ö@",
    "b/c%C3%BC/d.html",
    "é/è/ê.html",
    "a=b&c=ü",
    "очень-длинный-заголовок-о-поездке-по-стране-",
    "новости/",
    "新闻/一二三四五六七八九十一二三四五",
    "a-very-long-piece-of-a-link-that-comes-to-the-margin-at-last-and-further",
    "tel:+49301234567",
    "bücher.de/x",
    "192.168.1.1/é",
    "wörd",
    "word",
    "Next",
    "ann@example.org",
    "<",
    ">",
    "<URL:",
    "\"",
    "(",
    ")",
    "[1] ",
    ".",
    ",",
    " ",
    " ",
    "\n",
    "\r\n",
    " \n",
    " \r\n",
    "\n\n",
    "\n> ",
    "\n> ",
    " \n> ",
    "\n>> ",
    "\n> > ",
    "\n  ",
    "> ",
    "\n-- \n",
];

fn mail() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

fn subject(text: &str, label: &str, breaks: Breaks) -> Subject {
    let charset = Charset::for_label(label).unwrap();
    let mut bytes = Vec::new();
    for ch in text.chars().filter(|&ch| charset.can_encode(ch)) {
        charset
            .encode(ch.encode_utf8(&mut [0; 4]), &mut bytes)
            .unwrap();
    }
    let mut settings = Settings::default();
    settings.format = Some(Format::Text);
    settings.charset = Some(charset);
    settings.breaks = breaks;
    Subject {
        name: format!("mail in {label}, {breaks:?}"),
        bytes,
        settings,
    }
}

const BREAKS: &[Breaks] = &[
    Breaks::NONE,
    Breaks::FLOWED,
    Breaks::WRAPPED,
    Breaks::FLOWED.with(Breaks::WRAPPED),
];

/// As many cases as a debug build checks in some seconds; `--release` checks more.
const CASES: u32 = if cfg!(debug_assertions) { 200 } else { 20_000 };

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_mails(
        text in mail(),
        label in prop::sample::select(&["utf-8", "windows-1252", "shift_jis", "utf-16le", "gb18030"][..]),
        breaks in prop::sample::select(BREAKS),
    ) {
        let subject = subject(&text, label, breaks);
        for (name, promise) in PROMISES {
            if let Err(why) = promise(&subject) {
                let text = subject.bytes.escape_ascii();
                prop_assert!(false, "{name} broken by {}: {why}\n{text}", subject.name);
            }
        }
    }
}

/// Pieces between links on one line: a `>` there is not a quotation mark of mail.
const GLUED: &[&str] = &[
    "a.au/a",
    "a\u{e9}.\u{440}\u{444}/a",
    "www.a.de/\u{ab}",
    "a.org/\u{e9}",
    "aaaa\u{e9}.\u{440}\u{444}#",
    "aaaaa://aa",
    "aaaa",
    ">>",
    ">",
    "/a",
    "#",
    ",",
    "{",
    "\"",
    "'a",
    " ",
    " ",
    "\n",
    " \n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2 * CASES, ..ProptestConfig::default() })]

    #[test]
    fn marks_within_a_line_are_no_quotation(
        pieces in prop::collection::vec(prop::sample::select(GLUED), 0..20),
        breaks in prop::sample::select(BREAKS),
    ) {
        let subject = subject(&pieces.concat(), "utf-8", breaks);
        for promise in [crate::promises::refound, crate::promises::idempotent] {
            let text = String::from_utf8_lossy(&subject.bytes);
            prop_assert_eq!(promise(&subject), Ok(()), "{:?} {:?}", breaks, text);
        }
    }
}

/// The surroundings of a link may be read from the middle of a line: a `>` at their start is then not a quotation mark
/// of mail.
#[test]
fn surroundings_know_their_line() {
    let cases = [
        (
            Breaks::WRAPPED,
            "a\u{e9}.\u{440}\u{444}/a'a>>/a'a aaaa\u{e9}.\u{440}\u{444}#\n,*aaa.a./.a a.org/\u{e9}",
        ),
        (
            Breaks::FLOWED,
            "a.au/a>>aaaaa\u{e9}\u{435}\u{440}.\u{440}\u{444}##aaa:,a/a/a \naaaaa://aa\"a/a\nwww.a/\u{ab}*",
        ),
    ];
    for (breaks, text) in cases {
        let subject = subject(text, "utf-8", breaks);
        for (name, promise) in PROMISES {
            assert_eq!(promise(&subject), Ok(()), "{name} {text}");
        }
        let rewriter = Rewriter::new()
            .to(Form::Uri)
            .min_evidence(Evidence::Name)
            .settings(subject.settings.clone());
        let decided = rewritten_by(rewriter, &subject.bytes).decided;
        assert!(decided.iter().all(|one| one.new.is_some()), "{decided:?}");
    }
}

/// A URI that reaches the margin would continue on the next line, unlike the IRI.
#[test]
fn a_link_that_would_reach_the_margin_is_left() {
    let text = "a\u{e9}.\u{440}\u{444}/aa\u{e9}.\u{440}\u{444}/awww.a.de/\u{ab}a.au/a\naaaa, \n";
    let subject = subject(text, "utf-8", Breaks::WRAPPED);
    for (name, promise) in PROMISES {
        assert_eq!(promise(&subject), Ok(()), "{name}");
    }
}

/// The breaks stay in place if only text next to them changes.
#[test]
fn breaks_stay() {
    let cases = [
        (
            Breaks::WRAPPED,
            "> see http://example.org/é/\n> c/ü.html for\n",
            "> see http://example.org/%C3%A9/\n> c/%C3%BC.html for\n",
        ),
        (
            Breaks::FLOWED,
            "http://example.org/éa \r\nü and\r\n",
            "http://example.org/%C3%A9a \r\n%C3%BC and\r\n",
        ),
        (
            Breaks::NONE,
            ">> <http://example.org/éa\n>> ü> and\n",
            ">> <http://example.org/%C3%A9a\n>> %C3%BC> and\n",
        ),
        (
            Breaks::NONE,
            "http://example.org/é/\nb/ü.html and\n",
            "http://example.org/%C3%A9/\nb/ü.html and\n",
        ),
    ];
    for (breaks, text, expected) in cases {
        let subject = subject(text, "utf-8", breaks);
        let result = rewritten(&subject.bytes, &subject.settings, Form::Uri);
        assert_eq!(String::from_utf8(result.bytes).unwrap(), expected);
        for (name, promise) in PROMISES {
            assert_eq!(promise(&subject), Ok(()), "{name} {text}");
        }
        assert_eq!(chunks::every_split(&subject), Ok(()), "{text}");
    }
}

/// A path of letters with the given number of columns, and the word `x` on the next line.
fn cut_line(columns: usize, (letter, width): (&str, usize), tail: &str) -> String {
    let begin = "http://example.org/";
    let left = columns - begin.len() - tail.len();
    let (letters, rest) = (letter.repeat(left / width), "b".repeat(left % width));
    format!("{begin}{rest}{letters}{tail}\nx\n")
}

/// The columns of a path's letters decide, not their bytes: the same in every script and charset.
#[test]
fn a_margin_is_one_of_columns() {
    let letters = [
        (("b", 1), &["utf-8", "windows-1251", "shift_jis"][..]),
        (("α", 1), &["utf-8", "iso-8859-7", "gb18030", "utf-16le"]),
        (("ж", 1), &["utf-8", "windows-1251", "koi8-r", "shift_jis"]),
        (("\u{5D0}\u{5B8}", 1), &["utf-8", "windows-1255"]),
        (("e\u{301}", 1), &["utf-8", "windows-1258"]),
        (("\u{10400}", 1), &["utf-8", "gb18030"]),
        (("一", 2), &["utf-8", "shift_jis", "big5", "euc-kr"]),
    ];
    for (letter, labels) in letters {
        for (columns, tail) in (50..90).flat_map(|n| [(n, ""), (n, "/")]) {
            let text = cut_line(columns, letter, tail);
            for label in labels {
                let subject = subject(&text, label, Breaks::WRAPPED);
                let (links, _) = crate::promises::links(&subject.bytes, &subject.settings);
                let is_joined = links[0].text.ends_with('x');
                assert_eq!(is_joined, (60..=80).contains(&columns), "{label} {text}");
            }
        }
        for columns in [50, 60, 80, 89] {
            let subject = subject(&cut_line(columns, letter, "/"), "utf-8", Breaks::WRAPPED);
            for (name, promise) in PROMISES {
                assert_eq!(promise(&subject), Ok(()), "{name} {letter:?} {columns}");
            }
        }
    }
}

/// HTML has no lines: white space in its text is white space.
#[test]
fn only_plain_text_is_joined() {
    let mut subject = subject(
        "<p>http://example.org/a/\nb/c.html",
        "utf-8",
        Breaks::WRAPPED,
    );
    subject.settings.format = Some(Format::Html);
    let (links, _) = crate::promises::links(&subject.bytes, &subject.settings);
    assert_eq!(links[0].text, "http://example.org/a/");
}

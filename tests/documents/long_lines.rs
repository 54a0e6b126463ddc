//! A break joins the same text however much precedes it on its line, up to 2 KiB: quotation marks of mail are known
//! (P3, P6), in text and in markup. In angle brackets, joining does not depend on the line at all.

use crate::promises::{Subject, idempotent, links, only_slots, refound, same_target};
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::{Breaks, Charset, Scanner};
use proptest::prelude::*;

/// Marks at the start of the line.
const MARKS: &[&str] = &["", "> ", ">> ", "> > ", "\n> ", "x\r\n>> ", " > ", "a > "];

/// Fillers of lines, each followed by white space.
const FILLERS: &[&str] = &[
    "word",
    "w\u{f6}rd",
    "http://a.example/\u{e9}\u{e9}\u{e9}\u{e9}",
    "b.example/%C3%A9",
    ">",
];

/// Pieces after the fillers.
const PIECES: &[&str] = &[
    "<",
    "<URL:",
    ">",
    "http://x.example/c",
    "http://x.example/\u{e9}-",
    "www.x.example/a-way-that-comes-to-the-margin-at-last-and-further/",
    "\n",
    " \n",
    "\r\n",
    "\n> ",
    " \n> ",
    "\n>> ",
    "\n> > ",
    "/d",
    "/\u{e9}",
    "d.html",
    "\"",
    "(",
    ")",
    " ",
    " end",
];

const BREAKS: &[Breaks] = &[
    Breaks::NONE,
    Breaks::FLOWED,
    Breaks::WRAPPED,
    Breaks::FLOWED.with(Breaks::WRAPPED),
];

fn pieces() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 1..16).prop_map(|pieces| pieces.concat())
}

/// The links of `behind` when it follows `before`: their offsets in `behind`, and their texts.
fn seen(before: &str, behind: &str, settings: &Settings) -> Vec<(u64, String)> {
    let subject = subject(&format!("{before}{behind}"), settings);
    let begin = encoded(before, settings).len() as u64;
    let links = links(&subject.bytes, &subject.settings).0.into_iter();
    let at = |start: u64| start.checked_sub(begin);
    links
        .filter_map(|link| Some((at(link.span.start)?, link.text)))
        .collect()
}

fn encoded(text: &str, settings: &Settings) -> Vec<u8> {
    let text = match settings.format {
        Some(Format::Html) => text.replace('<', "&lt;").replace('>', "&gt;"),
        _ => text.to_owned(),
    };
    let charset = settings.charset.expect("one is set");
    let kept: String = text.chars().filter(|&ch| charset.can_encode(ch)).collect();
    let mut bytes = Vec::new();
    charset
        .encode(&kept, &mut bytes)
        .expect("characters that it has");
    bytes
}

fn subject(text: &str, settings: &Settings) -> Subject {
    Subject {
        name: format!("{settings:?}"),
        bytes: encoded(text, settings),
        settings: settings.clone(),
    }
}

fn settings(format: Format, label: &str, breaks: Breaks) -> Settings {
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings.charset = Some(Charset::for_label(label).expect("a charset"));
    settings.breaks = breaks;
    settings
}

/// As many cases as a debug build checks in some seconds; `--release` checks more.
const CASES: u32 = if cfg!(debug_assertions) { 300 } else { 20_000 };

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn a_line_may_be_twice_as_long_as_in_mail(
        marks in prop::sample::select(MARKS),
        filler in prop::sample::select(FILLERS),
        count in 1..70_usize,
        behind in pieces(),
        label in prop::sample::select(&["utf-8", "windows-1252", "shift_jis", "utf-16le", "gb18030"][..]),
        format in prop::sample::select(&[Format::Text, Format::Text, Format::Html][..]),
        breaks in prop::sample::select(BREAKS),
    ) {
        let settings = settings(format, label, breaks);
        let line = |count: usize| format!("{marks}x {}", format!("{filler} ").repeat(count));
        let short = seen(&line(1), &behind, &settings);
        prop_assert_eq!(seen(&line(count), &behind, &settings), short);
        let scanner = Scanner::default().join(breaks);
        let of = |count: usize| {
            let (before, text) = (line(count).len(), line(count) + &behind);
            let hits: Vec<_> = scanner.links(&text).map(|hit| (hit.span, hit.link(&text).into_owned())).collect();
            let own = hits.into_iter().filter(|(span, _)| span.start >= before);
            own.map(|(span, text)| (span.start - before, text)).collect::<Vec<_>>()
        };
        prop_assert_eq!(of(count), of(1));
    }

    #[test]
    fn promises_hold_in_long_lines(
        marks in prop::sample::select(MARKS),
        fillers in prop::collection::vec(prop::sample::select(FILLERS), 0..80),
        behind in pieces(),
        breaks in prop::sample::select(BREAKS),
        cut in 1..900_usize,
    ) {
        let line = fillers.iter().map(|filler| format!("{filler} ")).collect::<String>();
        let subject = subject(&format!("{marks}{line}{behind}"), &settings(Format::Text, "utf-8", breaks));
        for promise in [only_slots, refound, same_target, idempotent] {
            let text = subject.bytes.escape_ascii();
            prop_assert_eq!(promise(&subject), Ok(()), "{}", text);
        }
        let mut read = crate::promises::chunks::Pieces::new(&subject.bytes, |_| cut);
        prop_assert_eq!(crate::promises::chunks::same_output(&subject, &mut read), Ok(()));
    }
}

/// Rewriting does not change which line is which, even if the line becomes longer or shorter.
#[test]
fn rewriting_does_not_move_marks_out_of_sight() {
    let links: String = (0..3)
        .map(|i| format!("http://a{i}.example/{} ", "\u{e9}".repeat(30)))
        .collect();
    for (breaks, end) in [
        (Breaks::NONE, "<http://x.example/c\n> /d> end"),
        (Breaks::FLOWED, "http://x.example/c \n> /d end"),
        (Breaks::FLOWED, "http://x.example/c \n/d end"),
        (Breaks::WRAPPED, "http://x.example/c/\n> d/e.html end"),
    ] {
        let subject = subject(
            &format!("> {links}see {end}"),
            &settings(Format::Text, "utf-8", breaks),
        );
        for (name, promise) in crate::promises::PROMISES {
            assert_eq!(promise(&subject), Ok(()), "{name} {end:?}");
        }
    }
}

/// Marks within angle brackets are known even if their line began many windows before.
#[test]
fn lines_go_over_windows() {
    for (marks, link) in [
        ("> ", "http://x.example/c/d"),
        ("", "http://x.example/c/d"),
        ("\n>> ", "http://x.example/c/d"),
    ] {
        let filler = "w\u{f6}rd ".repeat(20_000) + "http://a.example/\u{e9} ";
        let text = format!("{marks}{filler}<http://x.example/c\n> /d> end");
        for format in [Format::Text, Format::Html] {
            for label in ["utf-8", "shift_jis", "utf-16le"] {
                let subject = subject(&text, &settings(format, label, Breaks::NONE));
                let (found, _) = links(&subject.bytes, &subject.settings);
                assert_eq!(
                    found.last().map(|link| &*link.text),
                    Some(link),
                    "{marks:?} {label}"
                );
                let mut read = crate::promises::chunks::Pieces::new(&subject.bytes, |_| 30_011);
                assert_eq!(
                    crate::promises::chunks::same_links(&subject, &mut read),
                    Ok(()),
                    "{marks:?} {label}"
                );
                let mut read = crate::promises::chunks::Pieces::new(&subject.bytes, |_| 30_011);
                assert_eq!(
                    crate::promises::chunks::same_output(&subject, &mut read),
                    Ok(()),
                    "{marks:?} {label}"
                );
            }
        }
    }
}

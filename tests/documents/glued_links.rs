//! The promises over links of many scripts that stand close to each other: the new form of one decides how the next is
//! read.

use crate::promises::{PROMISES, Subject, chunks};
use linkglot::Charset;
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::rewrite::{Form, Rewriter};
use proptest::prelude::*;

/// Pieces that stand close together in chats, tables and texts without spaces.
const PIECES: &[&str] = &[
    "http://a.cn/路",
    "http://a.jp/「日本。語」",
    "https://é.org/é?ü#ö",
    "ftp://a.org/\"é\"",
    "http://a.org/(é",
    "http://a.org/%C3%A9",
    "http://a.org/%22x%22%E3%80%82",
    "http://a.org/a'é",
    "http://a.org/%E3%82%92%E8%A6%8B/%E2%80%94x",
    "http://a.jp/を見る",
    "http://a.cn/x.html",
    "http://a.org/%F0%9F%91%8D%C2%B9",
    "www.例子。中国",
    "www.b.org",
    "b.org/ü",
    "例え.jp/あ",
    "info@ü.org",
    "mailto:ö@b.org?subject=é",
    "次は",
    "и",
    "see",
    "、",
    "。",
    "；",
    "，",
    "・",
    "（",
    "）",
    "「",
    "」",
    "《",
    "》",
    "は素晴らしい",
    "를",
    "上的",
    "—",
    "👍",
    "¹",
    "’s",
    "&gt;",
    "&amp;",
    "-->",
    "[a b]",
    "](",
    "{",
    "}",
    "\u{200B}",
    "’",
    "”",
    "\"",
    "'",
    "(",
    ")",
    "<",
    ">",
    "[",
    "]",
    "|",
    "*",
    "_",
    ",",
    ".",
    ":",
    ";",
    "!",
    "?",
    "/",
    "-",
    "\u{3000}",
    " ",
    " ",
    " ",
    "\n",
    "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua ",
];

const CHARSETS: &[&str] = &[
    "utf-8",
    "utf-16le",
    "shift_jis",
    "euc-jp",
    "gb18030",
    "iso-2022-jp",
    "windows-1252",
    "koi8-r",
];

/// As many cases as a debug build checks in some seconds; `--release` checks more.
const CASES: u32 = if cfg!(debug_assertions) { 100 } else { 10_000 };

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

fn subject(text: &str, label: &str, format: Format) -> Subject {
    let charset = Charset::for_label(label).unwrap();
    let held: String = text.chars().filter(|&ch| charset.can_encode(ch)).collect();
    let mut bytes = Vec::new();
    charset.encode(&held, &mut bytes).unwrap();
    let mut settings = Settings::default();
    settings.format = Some(format);
    settings.charset = Some(charset);
    Subject {
        name: format!("{format:?} in {label}"),
        bytes,
        settings,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, ..ProptestConfig::default() })]

    #[test]
    fn promises_hold_over_neighbours(
        text in text(),
        label in prop::sample::select(CHARSETS),
        format in prop::sample::select(&[Format::Text, Format::Text, Format::Html][..]),
    ) {
        let subject = subject(&text, label, format);
        for (name, promise) in PROMISES {
            if let Err(why) = promise(&subject) {
                let text = subject.bytes.escape_ascii();
                prop_assert!(false, "{name} broken by {}: {why}\n{text}", subject.name);
            }
        }
    }
}

/// Text that glues the links of a run to each other.
const GLUE: &[&str] = &[
    ",", "(", ")", "!", "。", "\"", "<", ">", "|", ")(", ">,<", "\"(", "",
];
const GLUED: &[&str] = &[
    "http://a.cn/路",
    "http://例え.jp/あ",
    "http://xn--r8jz45g.jp/%E3%81%82",
    "http://a.org/(é",
    "http://a.org/%28%C3%A9%29",
    "http://a.org/%22x%22%E3%80%82",
    "http://a.org/é%2C",
    "http://a.org/%7Cé,b.org",
    "http://é。org",
    "www.例子。中国",
    "b.org/ü",
    "info@ü.org",
    "urn:é:é",
    "é",
    "1",
];

fn glued() -> impl Strategy<Value = String> {
    let parts = (prop::sample::select(GLUE), prop::sample::select(GLUED));
    prop::collection::vec(parts, 1..9)
        .prop_map(|parts| parts.into_iter().flat_map(|(a, b)| [a, b]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10 * CASES, ..ProptestConfig::default() })]

    /// A link that is left because of its neighbours is also left next to their new form (P5).
    #[test]
    fn a_second_rewrite_of_a_run_changes_nothing(run in glued()) {
        for form in [Form::Uri, Form::Iri] {
            let rewriter = Rewriter::new()
                .to(form)
                .settings(subject(&run, "utf-8", Format::Text).settings);
            let once = rewriter.rewrite_slice(run.as_bytes()).content;
            let twice = rewriter.rewrite_slice(&once).content;
            prop_assert_eq!(once.escape_ascii().to_string(), twice.escape_ascii().to_string());
        }
    }
}

/// Each link is judged next to the new forms of the links before it, however far apart the ends of brackets are.
#[test]
fn what_is_written_decides() {
    const WAYS: [(Format, &str); 5] = [
        (Format::Text, "utf-8"),
        (Format::Text, "utf-16be"),
        (Format::Text, "gb18030"),
        (Format::Text, "euc-jp"),
        (Format::Html, "shift_jis"),
    ];
    let far = "lorem ipsum dolor ".repeat(16);
    let cases = [
        "见 http://a.cn/路；www.例子。中国 和 http://b.cn/径".to_owned(),
        "看http://a.jp/日本、次はhttp://b.jp/「日本。語」 とhttp://c.jp/日本".to_owned(),
        "http://a.org/é；www.例子。中国/日本　https://b.org/é".to_owned(),
        "http://a.jp/「日本。語」例え.jp/あ、http://a.org/(é、http://a.org/%C3%A9".to_owned(),
        "http://a.org/%22x%22%E3%80%82?http://a.jp/「日本。語」例え.jp/あ".to_owned(),
        "<ftp://a.org/\"é\", www.b.org, ftp://c.org/\"ü\">".to_owned(),
        format!("<http://a.org/\"x {far}>"),
        format!("<http://a.org/\"x {far}\n{far}\n{far}>"),
    ];
    for text in cases {
        for (format, label) in WAYS {
            let subject = subject(&text, label, format);
            for (name, promise) in PROMISES {
                assert_eq!(promise(&subject), Ok(()), "{name} {}: {text}", subject.name);
            }
        }
        if text.len() < 200 {
            let whole = subject(&text, "utf-8", Format::Text);
            assert_eq!(chunks::every_split(&whole), Ok(()), "{text}");
        }
    }
}

//! Tests of the quick way over tags.

use super::*;
use crate::settings::MarkupSettings;
use crate::slot::{Step, Syntax, Tokenizer};
use crate::text_bytes::{TextBytes, When};
use linkglot_charset::Charset;
use proptest::prelude::*;

/// The answers to a page that comes in pieces of `chunk` bytes: attributes with their values, and runs of text.
fn answers(page: &str, chunk: usize, text_bytes: TextBytes) -> Vec<String> {
    let settings = MarkupSettings {
        text_bytes,
        ..MarkupSettings::default()
    };
    answers_with(&settings, page, chunk)
}

fn answers_with(settings: &MarkupSettings, page: &str, chunk: usize) -> Vec<String> {
    let mut tokenizer = HtmlTokenizer::new(settings);
    let (mut end, mut cursor, mut found) = (0, 0, Vec::new());
    loop {
        let window = Window {
            bytes: &page.as_bytes()[..end],
            last: end == page.len(),
            charset: Charset::UTF_8,
        };
        match tokenizer.step(window, &mut cursor) {
            Step::Slot(slot) => {
                let value = String::from_utf8_lossy(&window.bytes[slot.range.clone()]);
                if slot.syntax != Syntax::Text || slot.run.begins {
                    let range = slot.range.start;
                    let place = (&slot.place.element, &slot.place.name, slot.syntax);
                    found.push(format!("{range} {place:?} {value}"));
                } else if let Some(text) = found.last_mut() {
                    text.push_str(&value);
                }
            }
            Step::TooLong(..) => {}
            Step::NeedMore => end = page.len().min(end + chunk),
            Step::End => return found,
        }
    }
}

/// Code of PHP, and beginnings of it.
const CODE: &[&str] = &[
    "<?= 'a' ?>",
    "<?php f(\"b>\") ?>",
    "<?= $a[\"c\"] ?>\"",
    "=\"<?= $a->b ?>",
    "<?php '?>'",
    "<?php # d",
    "<?= <<<A\n?>\nA ?>",
    "<?ph",
    "<?",
    "?>",
    "<?php\n'an argument of more than sixty-four bytes, in which the code has no end'?>",
];

fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<a",
        "<p",
        "<DIV",
        "<td",
        "<svg",
        "</svg",
        "<style",
        "<script",
        "<title",
        "<code",
        "<x-y",
        "<base",
        "<meta",
        "<font",
        "<foreignObject",
        "<table",
        "<a href=x>",
        "<img src='y'>",
        "</a>",
        "</p>",
        "</title>",
        "</style>",
        "</script>",
        "</code>",
        "</td>",
        "</",
        "<",
        "<!--",
        "-->",
        "<!",
        ">",
        "/>",
        "/",
        " ",
        "\n",
        "=",
        "\"",
        "'",
        "href",
        "HREF",
        "class",
        "src",
        "style",
        "itemprop",
        " href=\"z\"",
        " class='c'",
        " src=u",
        " style=\"a:url(b)\"",
        " id",
        " data-href-long=1",
        " rel='nofollow'",
        " rel=\"http://r.example/\"",
        " REL='a&colon;b'",
        " href='1' href='2'",
        " href=''",
        " href",
        " xlink:href='3'",
        " ping=\"p q\"",
        "\nsrc='4'",
        " http-equiv='refresh'",
        " content='0;url=5'",
        "<h2>",
        "</H2>",
        "<br/>",
        "</section>",
        "<blockquote class=\"q\">",
        " title=\"a value of more than sixteen bytes\"",
        " ACCESSKEY=\"q\"",
        " @click=\"f()\"",
        " a=\"\"b=\"\"",
        "Some running text, of more than sixteen bytes ",
        "=\"",
        "\0",
        "\x01",
        "é",
        "text ",
        "a.b",
        ":",
        ". ",
        "&amp;",
        "&#46;",
        "\x0C",
        "\t",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// In a window that grows byte by byte no tag is whole at first, so all tags are read the long way.
    #[test]
    fn the_quick_way_answers_what_the_long_way_does(page in soup()) {
        let long = answers(&page, 1, TextBytes::ALL);
        prop_assert_eq!(&answers(&page, page.len().max(1), TextBytes::ALL), &long);
        prop_assert_eq!(&answers(&page, 13, TextBytes::ALL), &long);
    }

    /// Code of PHP is passed in the same way, however the page is cut and however short its limit is.
    #[test]
    fn code_does_not_depend_on_cuts(
        pieces in prop::collection::vec((prop::sample::select(CODE), soup()), 1..6),
        max_slot in prop::sample::select(vec![64, 1 << 20]),
    ) {
        let page: String = pieces.into_iter().map(|(code, soup)| format!("{soup}{code}")).collect();
        let settings = MarkupSettings { has_php: true, max_slot, ..MarkupSettings::default() };
        let whole = answers_with(&settings, &page, page.len());
        prop_assert_eq!(&answers_with(&settings, &page, 1), &whole);
        prop_assert_eq!(&answers_with(&settings, &page, 13), &whole);
    }
}

#[test]
fn text_without_its_bytes_is_left_out() {
    let ascii = [
        (b':', When::Followed),
        (b'.', When::Followed),
        (b'&', When::Reference),
    ];
    let bytes = TextBytes::of(ascii, "。".as_bytes());
    for (text, expected) in [
        ("no", 0),
        ("An end.", 0),
        ("Two. Ends.\n", 0),
        ("a.b", 1),
        ("Of eight bytes and more, the last is a.b", 1),
        ("x &amp; y&nbsp;z", 0),
        ("&#46;", 1),
        ("a&period;b", 1),
        ("。", 1),
        ("かな", 0),
        ("é", 0),
        ("::", 0),
        (" .b (.c", 0),
        ("8>8.", 0),
        ("a+:b", 1),
        ("é.b", 1),
        ("&gt;.b", 1),
    ] {
        let page = format!("<p>{text}</p>");
        let found = answers(&page, page.len(), bytes.clone());
        assert_eq!(found.len(), expected, "{text}");
    }
}

#[test]
fn a_judge_has_the_last_word_on_text() {
    let of = |text: &str| {
        let bytes = TextBytes::of([(b'.', When::Followed)], &[])
            .judged(|run, at| run[..at].ends_with(b"yes"));
        let page = format!("<p>{text}</p>");
        answers(&page, page.len(), bytes).len()
    };
    assert_eq!(of("yes.no"), 1);
    assert_eq!(of("no.yes"), 0);
    assert_eq!(of("no.yes.no"), 1);
    assert_eq!(of("yes. no"), 0);
}

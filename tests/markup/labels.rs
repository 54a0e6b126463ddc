//! The labels of links of HTML and XHTML.

use linkglot::Charset;
use linkglot_markup::{HtmlTokenizer, MarkupSettings, Step, Tokenizer, Window, XmlTokenizer};
use proptest::prelude::*;

/// The labels of all slots but text; the window grows by `piece` bytes, and drops what is read.
fn labels_in_pieces(page: &[u8], charset: Charset, piece: usize) -> Vec<Option<String>> {
    labels_of(
        &mut HtmlTokenizer::new(&with_labels()),
        page,
        charset,
        piece,
    )
}

fn with_labels() -> MarkupSettings {
    MarkupSettings {
        labels: true,
        ..MarkupSettings::default()
    }
}

fn labels_of(
    tokenizer: &mut dyn Tokenizer,
    page: &[u8],
    charset: Charset,
    piece: usize,
) -> Vec<Option<String>> {
    let (mut start, mut end, mut cursor) = (0, piece.min(page.len()), 0);
    let mut labels = Vec::new();
    loop {
        let window = Window {
            bytes: &page[start..end],
            last: end == page.len(),
            charset,
        };
        match tokenizer.step(window, &mut cursor) {
            Step::Slot(slot) if slot.place.name.is_some() => {
                labels.push(tokenizer.label().map(str::to_owned));
            }
            Step::Slot(_) => assert_eq!(tokenizer.label(), None),
            Step::TooLong(..) => {}
            Step::NeedMore => {
                assert!(!window.last);
                (start, cursor) = (start + cursor, 0);
                end = (end + piece).min(page.len());
            }
            Step::End => return labels,
        }
    }
}

fn labels(page: &str) -> Vec<Option<String>> {
    labels_in_pieces(page.as_bytes(), Charset::UTF_8, page.len().max(1))
}

#[test]
fn visible_text() {
    for (page, expected) in [
        ("<a href=x>Fish <b>&amp;</b>\n chips</a>", "Fish & chips"),
        (
            "<A HREF='x'\n title='>'>www.<i>b</i>ank.example</A>",
            "www.bank.example",
        ),
        ("<a href=x>a<br>b<p>c<div>d</div>e<wbr>f</a>", "a b c d ef"),
        // Parts of tables outside tables are ignored, and end the link within.
        ("<a href=x><td>a</td><td>b</a>", "ab"),
        ("<a href=x></td></tr>a</a>", "a"),
        ("<table><tr><td><a href=x>a</td>b</a>", "a"),
        ("<a href=x><table><tr><td>a<td>b</table></a>", "a b"),
        ("<svg><a href=x><desc>a</desc><text>b</text></a></svg>", "b"),
        (
            "<a href=x><img src=y alt='a &lt;b>'>c<img>d</a>",
            "a <b> c d",
        ),
        (
            "<a href=x>a<!-- b --><script>c</script><style>d</style>e</a>",
            "ae",
        ),
        ("<a href=x>a<span hidden>b<span>c</span>d</span>e</a>", "ae"),
        (
            "<a href=x>a<p style='color:red; DISPLAY : none'>b</p>c</a>",
            "ac",
        ),
        (
            "<a href=x>a<template>b</template><title><a href=y></title>c</a>",
            "ac",
        ),
        (
            "<a href=x><textarea>&lt;a></b></textarea><xmp>&lt;</xmp></a>",
            "<a></b> &lt;",
        ),
        (
            "<a href=x>a<svg><title>b</title><style>c</style><text>d</text></svg>e</a>",
            "ade",
        ),
        ("<a href=x>a<svg/><style>b</style>c</a>", "ac"),
        ("<table><tr><td><a href=x>a</td><td>b</table>", "a"),
        ("<a href=x><p><span hidden>a</p>b</a>", "b"),
        // An attribute of the document, not of the label.
        ("<p hidden><a href=x>a</a>", "a"),
        // Links do not nest.
        ("<a href=x>a<a>b</a>", "a"),
        ("<a href=x>a", "a"),
        ("<a href=x>a<b", "a"),
        ("<a href=x>a<b <c", "a"),
        ("<a href=x>a < b</a>", "a < b"),
        ("<map><area alt='a&nbsp; b' href=x>", "a b"),
        ("<map><area href=x alt=a>", "a"),
        ("<svg><a href=x>a</a></svg>", "a"),
        ("<svg><a xlink:href=x><text>a</text></a></svg>", "a"),
    ] {
        assert_eq!(labels(page)[0].as_deref(), Some(expected), "{page}");
    }
}

/// The labels of a page of XHTML with these elements.
fn labels_in_xhtml(body: &str, piece: usize) -> Vec<Option<String>> {
    let page = format!("<html xmlns='http://www.w3.org/1999/xhtml'>{body}</html>");
    let tokenizer = &mut XmlTokenizer::new(&with_labels());
    labels_of(tokenizer, page.as_bytes(), Charset::UTF_8, piece)
}

#[test]
fn labels_of_xhtml() {
    for (body, expected) in [
        (
            "<p><a href='x'>Fish <b>&amp;</b>\n chips</a></p>",
            Some("Fish & chips"),
        ),
        (
            "<a href='x'>a<span hidden='hidden'/>b<![CDATA[<c>]]></a>",
            Some("ab<c>"),
        ),
        (
            "<a href='x'>a<script/>b<p>c<img alt='d' src='data:,'/></p></a>",
            Some("ab c d"),
        ),
        ("<area href='x' alt='a'/>b", Some("a")),
        ("<a href='x'/>a", None),
        ("<a xmlns='' href='http://a.example/'>a</a>", None),
        ("<link href='x'>a</link>", None),
    ] {
        assert_eq!(
            labels_in_xhtml(body, 1 << 20)[0].as_deref(),
            expected,
            "{body}"
        );
    }
}

#[test]
fn slots_without_a_label() {
    for page in [
        "<a href=x> &nbsp;\n</a>a",
        "<a href=x></a>a",
        "<a ping=x>a</a>",
        "<link href=x>a",
        "<img src=x alt=a>",
        "<map><area href=x>a",
        "<svg><a href='x'/>a</svg>",
    ] {
        assert_eq!(labels(page), [None], "{page}");
    }
    // Text behind a link has no label either (see `labels_in_pieces`).
    let page = "<a href=x ping=y>a</a> www.a.example <img src=z>";
    assert_eq!(labels(page), [Some("a".to_owned()), None, None]);
}

/// The bytes behind the page cannot be read.
#[test]
fn labels_in_front_of_a_cut() {
    for (page, expected) in [
        ("<a href=x>a</a>", Some("a")),
        ("<a href=x>a<a href=y>", Some("a")),
        ("<a href=x>a", None),
        ("<a href=x>a<!-- </a> -->", None),
        ("<a href=x>a<style></a></style>", None),
        ("<a href=x>a<img alt='</a>'>", None),
    ] {
        let mut tokenizer = HtmlTokenizer::new(&with_labels());
        let window = Window {
            bytes: page.as_bytes(),
            last: false,
            charset: Charset::UTF_8,
        };
        tokenizer.cut();
        let step = tokenizer.step(window, &mut 0);
        assert!(matches!(step, Step::Slot(_)), "{page}");
        assert_eq!(tokenizer.label(), expected, "{page}");
    }
}

#[test]
fn labels_are_short() {
    let label = |text: &str| labels(&format!("<a href=x>{text}</a>"))[0].clone();
    assert_eq!(label(&"a".repeat(2000)), Some("a".repeat(1024)));
    // Characters are whole.
    assert_eq!(
        label(&"\u{20AC}".repeat(2000)),
        Some("\u{20AC}".repeat(341))
    );
    // The search ends 16 KiB behind the tag.
    let blanks = |count| format!("a{}b", "<b></b>".repeat(count));
    assert_eq!(label(&blanks(2000)).as_deref(), Some("ab"));
    assert_eq!(label(&blanks(3000)).as_deref(), Some("a"));
}

#[test]
fn labels_in_other_charsets() {
    let koi8 = Charset::for_label("koi8-r").expect("a charset");
    let page = b"<a href=x>\xC1&eacute;<img alt=\xC2></a>";
    assert_eq!(
        labels_in_pieces(page, koi8, 100),
        [Some("\u{430}\u{E9} \u{431}".to_owned())]
    );
    let shift_jis = Charset::for_label("shift_jis").expect("a charset");
    // The second byte of a character is a backslash or a bar.
    let page = b"<a href=x>\x83\x5C\x83\x7C</a>";
    assert_eq!(
        labels_in_pieces(page, shift_jis, 100),
        [Some("\u{30BD}\u{30DD}".to_owned())]
    );
}

fn pages() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "<a href=x>",
        "<a href='y' ping=z>",
        "</a>",
        "<b>",
        "</b>",
        "text",
        " ",
        "\n",
        "&amp;",
        "&",
        "\u{E9}",
        "<br>",
        "<img alt='c d'>",
        "<img src=x alt=>",
        "<p hidden>",
        "</p>",
        "<script>",
        "</script>",
        "<!-- ",
        "-->",
        "<svg>",
        "</svg>",
        "<style>",
        "</style>",
        "<title>",
        "</title>",
        "<",
        "</",
        "<area href=x alt=e>",
        "www.a.example",
        "<template>",
        "</template>",
        "<a href=x ",
        ">",
        "'",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// P6
    #[test]
    fn windows_do_not_matter(page in pages(), filler in 0..20_000_usize, piece in 1..6000_usize) {
        let page = page + &"<i>".repeat(filler / 3) + "f</a>";
        let whole = labels_in_pieces(page.as_bytes(), Charset::UTF_8, page.len());
        prop_assert_eq!(labels_in_pieces(page.as_bytes(), Charset::UTF_8, piece), whole);
    }

    /// P6, in XHTML.
    #[test]
    fn windows_of_xhtml_do_not_matter(page in pages(), filler in 0..20_000_usize, piece in 1..6000_usize) {
        let page = page + &"<i/>".repeat(filler / 4) + "f</a>";
        prop_assert_eq!(labels_in_xhtml(&page, piece), labels_in_xhtml(&page, page.len() + 100));
    }

    /// Labels change no slot.
    #[test]
    fn slots_are_the_same(page in pages()) {
        let slots = |labels| {
            let tokenizer = HtmlTokenizer::new(&MarkupSettings { labels, ..MarkupSettings::default() });
            let slots = linkglot_markup::Slots::new(tokenizer, page.as_bytes(), Charset::UTF_8);
            slots.map(|slot| slot.range).collect::<Vec<_>>()
        };
        prop_assert_eq!(slots(true), slots(false));
    }
}

//! Links of Textile: their places, their ends, what is not read.

use crate::support;
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot_markup::{CommentSlots, TextSlots};

fn settings() -> Settings {
    support::settings(Format::Textile)
}

#[track_caller]
fn has(document: &str, expected: &[&str]) {
    support::has(document, &settings(), expected);
}

#[test]
fn links_behind_quotations() {
    has(
        "\"a\":http://a.example/b, (\"c\":/d.html) \"e (f)\":#g.",
        &["inline http://a.example/b", "inline /d.html", "inline #g"],
    );
    has(
        "\"a \"b\" c\":http://a.example/b(c) [\"d\":http://d.example/e[]=f]g",
        &[
            "inline http://a.example/b(c)",
            "inline http://d.example/e[]=f",
        ],
    );
    has(
        "\"a\":http://a.example/b))!",
        &["inline http://a.example/b"],
    );
    has("|\"a\":/b|c|", &["inline /b"]);
    has(
        "\"two\nlines\":http://a.example/",
        &["inline http://a.example/"],
    );
    // Aliases, quotations, and nothing behind a colon.
    has("\"a\":b he said \"c\": d \"e\" :/f", &[]);
    has("[b]http://a.example/", &["definition http://a.example/"]);
    has("bq.:http://a.example/b c", &["cite http://a.example/b"]);
}

#[test]
fn images() {
    has(
        "!/a.png! !>(b){c}d.png(e f)!:http://a.example/g. !b.png!",
        &[
            "image /a.png",
            "image d.png",
            "inline http://a.example/g",
            "image b.png",
        ],
    );
    has("a!b.png!c! wow!!! !/d e.png!", &[]);
}

#[test]
fn running_text_and_markup() {
    has(
        "http://a.example/ *http://b.example/*",
        &["text http://a.example/", "text http://b.example/"],
    );
    has(
        "<a href=\"/a\">http://b.example/</a>",
        &["href /a", "text http://b.example/"],
    );
    has("==<a href=\"/a\">== notextile", &["href /a"]);
    has("notextile. <img src=/a>\"b\":/c", &["src /a"]);
}

#[test]
fn code_is_not_read() {
    has("@\"a\":/b@ ann@b.org", &["text ann@b.org"]);
    has("bc. \"a\":/b\n\n\"c\":/d", &["inline /d"]);
    has("bc.. \"a\":/b\n\n\"c\":/d\n\np. \"e\":/f", &["inline /f"]);
    has("a\nbc. \"c\":/d", &["inline /d"]);
    has("<pre>\"a\":/b\n\n\"c\":/d</pre> \"e\":/f", &["inline /f"]);
    has("<code>\"a\":/b</code> \"c\":/d", &["inline /d"]);
    let document = "@http://a.example/@\n\nbc. http://b.example/\n\n###. http://c.example/\n";
    has(document, &[]);
    let mut settings = settings();
    settings.text = TextSlots::Code;
    let code = ["text http://a.example/", "text http://b.example/"];
    assert_eq!(support::links(document, &settings), code);
    settings = self::settings();
    settings.comments = CommentSlots::All;
    let comment = ["comment http://c.example/"];
    assert_eq!(support::links(document, &settings), comment);
}

#[test]
fn the_text_of_links_is_read_on_request() {
    let mut settings = settings();
    settings.text = TextSlots::All;
    assert_eq!(
        support::links("\"http://a.example/\":/b", &settings),
        ["text http://a.example/", "inline /b"]
    );
}

#[test]
fn links_change_in_place() {
    let mut rules = Rules::default();
    rules
        .add("http://old.example/ http://new.example/")
        .unwrap();
    let rewriter = Rewriter::new()
        .to(Form::Uri)
        .rules(rules)
        .settings(settings());
    let document = "h1. \u{e9}\n\n\"\u{e9}\":http://old.example/\u{e9}, !/\u{e9}.png!:/\u{fc}\n";
    let new = rewriter.rewrite_slice(document.as_bytes()).content;
    assert_eq!(
        String::from_utf8_lossy(&new),
        "h1. \u{e9}\n\n\"\u{e9}\":http://new.example/%C3%A9, !/%C3%A9.png!:/%C3%BC\n"
    );
}

/// In text, hyphens become dashes and stops an ellipsis, which would be another address; in links they do not.
#[test]
fn new_glyphs_are_not_written_into_text() {
    let rewriter = Rewriter::new().to(Form::Uri).settings(settings());
    let document =
        "http://b\u{fc}cher.example/ \"a\":http://b\u{fc}cher.example/ http://a.example/\u{e9}";
    let new = rewriter.rewrite_slice(document.as_bytes()).content;
    assert_eq!(
        String::from_utf8_lossy(&new),
        "http://b\u{fc}cher.example/ \"a\":http://xn--bcher-kva.example/ http://a.example/%C3%A9"
    );
}

//! Links in running text that are too long to be read: reported, left alone, and never cut.

use crate::support::{Chunks, settings};
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::notes::Note;
use linkglot::rewrite::{Form, Forms, Rewriter};
use linkglot::stream::read_links;
use linkglot::{Charset, Document, Link, Scanner};
use std::ops::ControlFlow;

/// Longer than any link may be.
const LONG: usize = 70_000;

/// A link, or the place of a link that is too long.
type Seen = (u64, String);

fn seen(link: &Link<'_>) -> Seen {
    let text = if link.notes().contains(Note::TooLong) {
        assert_eq!((link.text(), link.span().len()), ("", 0));
        "too long".to_owned()
    } else {
        link.text().to_owned()
    };
    (link.span().start, text)
}

fn streamed(document: &[u8], step: usize, settings: &Settings) -> Vec<Seen> {
    let mut all = Vec::new();
    let each = &mut |link: &Link<'_>, _: &_| {
        all.push(seen(link));
        ControlFlow::Continue(())
    };
    read_links(&mut Chunks(document, step), settings, each).expect("no error");
    all
}

fn whole(document: &[u8], settings: &Settings) -> Vec<Seen> {
    let document = Document::new(document, settings);
    document.links().map(|link| seen(&link)).collect()
}

/// Long links of several kinds, the text before and after each, and whether a link in the text after counts.
fn texts() -> Vec<(String, usize, &'static str, bool)> {
    let starts = [
        "http://a.example/",
        "www.a.example/?x=",
        "mailto:a@b.example?subject=",
    ];
    let fillings = ["é", "x", "/a.b", "http://b.example/", "%20b.example,c"];
    let ends = [
        ("(", ")http://c.example/y ", true),
        ("'", "'http://c.example/y ", true),
        ("", "'http://c.example/y ", false),
        (" ", " http://c.example/y ", true),
        ("\"", "\"http://c.example/y ", true),
        ("", "", true),
    ];
    let mut texts = Vec::new();
    for start in starts {
        for filling in fillings {
            for (before, behind, is_link) in ends {
                let many = LONG / filling.len() + 1;
                let text = format!("see {before}{start}{}{behind}", filling.repeat(many));
                texts.push((text, 4 + before.len(), behind, is_link));
            }
        }
    }
    texts
}

#[test]
fn links_are_whole_or_told_of() {
    for (text, at, behind, is_link) in texts() {
        let settings = settings(Format::Text, "utf-8");
        let found = whole(text.as_bytes(), &settings);
        let what: String = text.chars().take(40).collect();
        assert_eq!(
            found[0],
            (at as u64, "too long".to_owned()),
            "{what} {behind}"
        );
        let next = behind.contains("http") && is_link;
        let rest: Vec<&str> = found[1..].iter().map(|(_, text)| text.as_str()).collect();
        let expected: &[&str] = if next { &["http://c.example/y"] } else { &[] };
        assert_eq!(rest, expected, "{what} {behind}");
        // A text in a single string is read alike, but without reports.
        let scanner = Scanner::default();
        let links: Vec<&str> = scanner.links(&text).map(|hit| hit.span.of(&text)).collect();
        assert_eq!(links, expected, "{what} {behind}");
    }
}

#[test]
fn chunks_change_nothing() {
    let texts = texts();
    for (number, (text, ..)) in texts.iter().enumerate() {
        let text = text.clone() + "\nhttp://d.example/ ";
        let settings = settings(Format::Text, "utf-8");
        let expected = whole(text.as_bytes(), &settings);
        for step in [7919 + 131 * number, text.len() - 3] {
            let found = streamed(text.as_bytes(), step, &settings);
            assert_eq!(
                found,
                expected,
                "{} in steps of {step}",
                text.get(..40).unwrap_or_default()
            );
        }
    }
}

#[test]
fn every_charset_and_every_escaping() {
    let link = format!("http://a.example/{}", "é".repeat(LONG));
    let text = format!("<p>x {link} http://b.example/é y");
    for charset in [
        "utf-8",
        "utf-16le",
        "gb18030",
        "windows-1252",
        "iso-2022-jp",
    ] {
        let charset_of = Charset::for_label(charset).expect("a charset");
        // Characters that the charset lacks are references in HTML.
        let escaped = text.replace('é', "&#x0000E9;");
        for (source, step) in [(&text, 9_999), (&escaped, 65_537)] {
            let mut bytes = Vec::new();
            if charset_of.encode(source, &mut bytes).is_err() {
                continue;
            }
            let settings = settings(Format::Html, charset);
            let found = whole(&bytes, &settings);
            let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
            assert_eq!(texts, ["too long", "http://b.example/é"], "{charset}");
            assert_eq!(streamed(&bytes, step, &settings), found, "{charset}");
        }
    }
}

#[test]
fn the_longest_ones_are_whole() {
    for (length, is_read) in [
        (60_000, true),
        (65_000, true),
        (65_536, false),
        (200_000, false),
    ] {
        let link = format!("http://a.example/{}", "x".repeat(length - 17));
        let text = format!("see {link}. More");
        let found = whole(text.as_bytes(), &settings(Format::Text, "utf-8"));
        let expected = if is_read { link } else { "too long".to_owned() };
        assert_eq!(found, [(4, expected)], "{length}");
    }
    // A name that is not a reference's does not cut a link either.
    let text = format!("<p>http://a.example/?x=1&y{} b", "y".repeat(50_000));
    let found = whole(text.as_bytes(), &settings(Format::Html, "utf-8"));
    assert_eq!(found[0].1.len(), text.len() - 5);
    let text = format!("<p>http://a.example/?x=1&y{} b", "y".repeat(400_000));
    let found = whole(text.as_bytes(), &settings(Format::Html, "utf-8"));
    assert_eq!(found, [(3, "too long".to_owned())]);
}

#[test]
fn rewriting_leaves_them_with_a_note() {
    for filling in ["é", "/é.b", "%C3%A9"] {
        let long = format!("http://a.example/é{}", filling.repeat(LONG / 2));
        let text = format!("http://b.example/é {long} http://b.example/é\n");
        let expected = format!("http://b.example/%C3%A9 {long} http://b.example/%C3%A9\n");
        let settings = settings(Format::Text, "utf-8");
        let rewriter = Rewriter::new().to(Form::Uri).settings(settings);
        let mut told = Vec::new();
        let watched = rewriter.clone().on_link(|outcome, _| {
            told.push((outcome.new.is_some(), outcome.notes.contains(Note::TooLong)));
        });
        let rewritten = watched.rewrite_slice(text.as_bytes());
        let out = &*rewritten.content;
        assert!(out == expected.as_bytes(), "{filling}");
        assert_eq!((rewritten.changed(), rewritten.left()), (2, 1), "{filling}");
        assert_eq!(
            told,
            [(true, false), (false, true), (true, false)],
            "{filling}"
        );
        // A second run, and reading in windows, give the same.
        assert!(rewriter.rewrite_slice(out).content == out, "{filling}");
        let mut written = Vec::new();
        let mut source = Chunks(text.as_bytes(), 5_000);
        let summary = rewriter.rewrite(&mut source, &mut written);
        summary.expect("no error");
        assert!(written == out, "{filling}");
    }
}

#[test]
fn no_link_grows_too_long() {
    // 50,000 bytes in the source, three times as many in a URI.
    let text = format!("see http://a.example/{} there\n", "é".repeat(25_000));
    let settings = settings(Format::Text, "utf-8");
    let rewriter = Rewriter::new().to(Form::Uri).settings(settings);
    let rewritten = rewriter.rewrite_slice(text.as_bytes());
    assert!(rewritten.content == text.as_bytes());
    assert_eq!((rewritten.changed(), rewritten.left()), (0, 1));
}

#[test]
fn forms_are_those_of_their_links() {
    let long = format!("http://a.example/{}", "x".repeat(LONG));
    let text = format!("http://b.example/é {long} http://c.example/é {long}\nhttp://d.example/é");
    let settings = settings(Format::Text, "utf-8");
    let mut all = Vec::new();
    let read = Forms::new(&settings).read(&mut text.as_bytes(), &mut |link, forms, _| {
        all.push((seen(link).1, forms.uri.clone()));
        ControlFlow::Continue(())
    });
    read.expect("no error");
    let link = |host: &str| {
        let uri = Some(format!("http://{host}.example/%C3%A9"));
        (format!("http://{host}.example/é"), uri)
    };
    let long = || ("too long".to_owned(), None);
    assert_eq!(all, [link("b"), long(), link("c"), long(), link("d")]);
}

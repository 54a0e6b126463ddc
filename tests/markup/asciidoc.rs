//! Links of AsciiDoc: their places, their ends, their spelling.

use crate::support;
use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot::notes::Note;
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot_markup::TextSlots;

fn settings() -> Settings {
    support::settings(Format::AsciiDoc)
}

fn links(document: &str) -> Vec<String> {
    support::links(document, &settings())
}

#[track_caller]
fn has(document: &str, expected: &[&str]) {
    support::has(document, &settings(), expected);
}

#[test]
fn macros() {
    has(
        "a https://a.example/b,c[d e] f",
        &["inline https://a.example/b,c"],
    );
    has(
        "link:a/b.html[c] <link:d[]>",
        &["inline a/b.html", "inline d"],
    );
    has("link:++a b++[c]", &["inline a b"]);
    has("mailto:a@b.example[c,d]", &["inline mailto:a@b.example"]);
    has("https://a.example[\nb]", &["inline https://a.example"]);
    has(
        "https://a.example[https://b.example] https://d.example",
        &["inline https://a.example", "text https://d.example"],
    );
    has("xref:a.adoc#b[c] <<d.adoc#e,f>>", &[]);
}

#[test]
fn images_and_media() {
    has(
        "image::a b.png[c,link=https://d.example/]",
        &["image a b.png", "text https://d.example/"],
    );
    has("x image:a.png[] y", &["image a.png"]);
    has(
        "image:a.png[link=\"https://b.example/c,d\"]",
        &["image a.png", "text https://b.example/c,d"],
    );
    has(
        "video::a.mp4[]\n\nvideo::abc[youtube]\n\naudio::b.ogg[]",
        &["media a.mp4", "media b.ogg"],
    );
    has(
        "include::a.adoc[]\ninclude::https://a.example/b.adoc[]",
        &["include https://a.example/b.adoc"],
    );
    has("[quote,A,https://a.example/]", &["text https://a.example/"]);
}

#[test]
fn running_text() {
    has(
        "(https://a.example/b) <https://c.example>",
        &["text https://a.example/b", "text https://c.example"],
    );
    has(":url: https://a.example/b", &["text https://a.example/b"]);
    has("`https://a.example/`", &["text https://a.example/"]);
    has("\\https://a.example/b[c] \\https://d.example", &[]);
    has(
        "|===\n|https://a.example/|https://b.example/[c]|d\n|===\nhttps://e.example/ |",
        &[
            "text https://a.example/",
            "inline https://b.example/",
            "text https://e.example/",
        ],
    );
}

#[test]
fn passthroughs_are_not_read() {
    has(
        "+https://a.example/+ ++https://b.example/++ $$https://c.example$$",
        &[],
    );
    has(
        "pass:[https://a.example] pass:a,q[https://b.example] stem:[c.org]",
        &[],
    );
    has("+++<a href=b>+++", &["href b"]);
    has(
        "a + b https://c.example/d+e",
        &["text https://c.example/d+e"],
    );
}

#[test]
fn blocks() {
    for mark in ["----", "....", "------", "```"] {
        has(
            &format!("{mark}\nhttps://a.example\n{mark}\nhttps://b.example"),
            &["text https://b.example"],
        );
    }
    has("----\n....\n-----\nhttps://a.example\n----\n", &[]);
    has("++++\n<a href=b>\n++++\n[c](d)", &["href b"]);
    has(
        "////\nhttps://a.example\n////\n// https://b.example\n\nhttps://c.example",
        &["text https://c.example"],
    );
    has(
        "[source,sh]\nhttps://a.example\nhttps://b.example\n\nhttps://c.example",
        &["text https://c.example"],
    );
    has(
        "[source]\n.Title https://a.example\n--\nhttps://b.example\n--\nhttps://c.example",
        &["text https://a.example", "text https://c.example"],
    );
    has("--\nhttps://a.example\n--", &["text https://a.example"]);
    has(
        "[pass]\n<a href=b>\n\n[comment]\nhttps://a.example\n\nc",
        &["href b"],
    );
    has(
        " https://a.example\n\n* b\n  https://c.example\n\n  * https://d.example",
        &["text https://c.example", "text https://d.example"],
    );
}

#[test]
fn a_line_below_a_title_begins_no_block() {
    has(
        "Title\n-----\n\nhttps://a.example",
        &["text https://a.example"],
    );
    has(
        "Titel\n----\nhttps://a.example\n----",
        &["text https://a.example"],
    );
    has("A long line\n----\nhttps://a.example\n----\nb", &[]);
    // A longer title would be no title.
    let title = "é https://a.example/é\n----------------------\n\né";
    let (text, notes) = rewritten(title, Rewriter::new().to(Form::Uri));
    assert_eq!(
        (&text[..], &notes[..]),
        (title, &[Note::LeftNotRefound][..])
    );
}

#[test]
fn backquotes_below_an_underlined_title_are_literal() {
    has(
        "Title\n=====\n\n`https://a.example` https://b.example",
        &["text https://b.example"],
    );
    has(
        "= Title\n\n`https://a.example`",
        &["text https://a.example"],
    );
    has("a::\n\n  https://a.example", &["text https://a.example"]);
}

#[test]
fn the_name_of_a_file_tells_its_format() {
    let format = |name: &str, text: &str| {
        let mut settings = Settings::default();
        settings.name = Some(name.to_owned());
        Document::new(text.as_bytes(), &settings).info().format
    };
    assert_eq!(format("a.asc", "link:a[b]"), Format::AsciiDoc);
    assert_eq!(
        format("a.asc", "-----BEGIN PGP SIGNATURE-----\n"),
        Format::Text
    );
    assert_eq!(
        format("a.asc", "= See\n\n-----BEGIN PGP SIGNATURE-----"),
        Format::AsciiDoc
    );
    assert_eq!(format("a.asc", ":b: c\n"), Format::AsciiDoc);
    // Plain text, with indented URLs.
    assert_eq!(
        format("a.asc", "See\n\n  http://a.example/\n"),
        Format::Text
    );
    assert_eq!(format("a.adoc", "See"), Format::AsciiDoc);
    assert_eq!(format("a.ADOC", ""), Format::AsciiDoc);
}

fn rewritten(from: &str, rewriter: Rewriter) -> (String, Vec<Note>) {
    let mut notes = Vec::new();
    let watched = rewriter.settings(settings()).on_link(|outcome, _| {
        notes.extend(outcome.notes.iter());
    });
    let content = watched.rewrite_slice(from.as_bytes()).content.into_owned();
    (String::from_utf8(content).expect("UTF-8"), notes)
}

#[test]
fn new_links_are_read_as_the_same_links() {
    let uri = || Rewriter::new().to(Form::Uri);
    let (text, _) = rewritten(
        "link:é[é] https://a.example/é[é]\n\n----\nlink:é[]\n----\n",
        uri(),
    );
    assert_eq!(
        text,
        "link:%C3%A9[é] https://a.example/%C3%A9[é]\n\n----\nlink:é[]\n----\n"
    );
    let template = "https://a.example/{b}/é[c] link:{d}/é[e]";
    let (text, notes) = rewritten(template, uri());
    assert_eq!(
        (&text[..], &notes[..]),
        (template, &[Note::LeftTemplate; 2][..])
    );
    let moved = |from: &str, rule: &str| {
        let mut rules = Rules::default();
        rules.add(rule).expect("a rule");
        rewritten(from, Rewriter::new().rules(rules)).0
    };
    let rule = "https://a.example/ https://b.example/";
    assert_eq!(
        moved("https://a.example/{c}/d[]", rule),
        "https://b.example/{c}/d[]"
    );
    for mark in ["[", "]", " "] {
        let rule = format!("https://a.example/ https://b.example/{mark}");
        let from = "https://a.example/d[e] https://a.example/f";
        let text = moved(from, &rule);
        assert!(!text.contains(&format!("b.example/{mark}")), "{text}");
        assert_eq!(links(&text).len(), 2, "{text}");
    }
}

#[test]
fn no_link_gets_marks_of_formatting_or_replacements() {
    let is_left = |from: &str, rewriter: Rewriter| {
        let (text, notes) = rewritten(from, rewriter);
        assert_eq!(
            (&text[..], &notes[..]),
            (from, &[Note::LeftUnencodable][..])
        );
    };
    let moved = |new: &str| {
        let mut rules = Rules::default();
        rules
            .add(&format!("http://old.example/a http://new.example/{new}"))
            .expect("a rule");
        Rewriter::new().rules(rules)
    };
    // An em dash, which `xn--` would become.
    is_left(
        "See https://münchen.example/[x]",
        Rewriter::new().to(Form::Uri),
    );
    is_left(
        ":url: https://münchen.example/",
        Rewriter::new().to(Form::Uri),
    );
    is_left(
        "http://old.example/%5F%5Fa%5F%5F",
        Rewriter::new().to(Form::Iri),
    );
    for new in [
        "__init__/_x_",
        "a--b",
        "a...",
        "_x_",
        "*x*",
        "#x#",
        "(C)",
        "a++b",
        "((a))",
        "a'b",
        "&copy;",
        "?m=a@b.example",
    ] {
        is_left("http://old.example/a", moved(new));
        is_left("x http://old.example/a[b]", moved(new));
    }
    is_left("~a~http://old.example/a", moved("~b"));
    for new in ["a_b", "a-b", "~b", "a..b", "b#c", "a+b"] {
        let text = rewritten("http://old.example/a[b]", moved(new)).0;
        assert_eq!(text, format!("http://new.example/{new}[b]"));
    }
    let (text, _) = rewritten(
        "https://münchen.example/x--y",
        Rewriter::new().to(Form::Uri),
    );
    assert_eq!(text, "https://münchen.example/x--y");
}

#[test]
fn marks_are_kept_or_have_no_meaning() {
    let uri = |from: &str| rewritten(from, Rewriter::new().to(Form::Uri)).0;
    let iri = |from: &str| rewritten(from, Rewriter::new().to(Form::Iri)).0;
    assert_eq!(
        uri("link:++https://münchen.example/++[b]"),
        "link:++https://xn--mnchen-3ya.example/++[b]"
    );
    assert_eq!(
        uri("image::https://münchen.example/a.png[b]"),
        "image::https://xn--mnchen-3ya.example/a.png[b]"
    );
    assert_eq!(
        uri("http://a.example/__b__/é#_c"),
        "http://a.example/__b__/%C3%A9#_c"
    );
    // There would be no way back.
    let host = "http://xn--mnchen-3ya.example/";
    assert_eq!(iri(host), host);
}

#[test]
fn formatting_closes_behind_links() {
    has("^http://old.example/é^ b", &["text http://old.example/é"]);
    has("x http://old.example/é^1^.", &["text http://old.example/é"]);
    has("#http://old.example/c#", &["text http://old.example/c"]);
    has("*a http://b.example/c* d*", &["text http://b.example/c"]);
    has("__a http://b.example/c__d", &["text http://b.example/c"]);
    has("~http://b.example/c~ d", &["text http://b.example/c"]);
    // Nothing is open.
    has("_a_ http://b.example/_c_ *", &["text http://b.example/_c_"]);
    has("http://b.example/~c", &["text http://b.example/~c"]);
}

#[test]
fn code_is_read_on_demand() {
    let document = "----\nhttp://a.example/\n----\n\n http://b.example/\n";
    has(document, &[]);
    let mut settings = settings();
    settings.text = TextSlots::Code;
    let document = Document::new(document.as_bytes(), &settings);
    let links: Vec<String> = document.links().map(|l| l.text().to_owned()).collect();
    assert_eq!(links, ["http://a.example/", "http://b.example/"]);
}

#[test]
fn commas_end_links_in_lists() {
    has(
        "icon:home[link=http://old.example/a,title=Über]",
        &["text http://old.example/a"],
    );
    has(
        "<<http://old.example/a,Über>> b",
        &["text http://old.example/a"],
    );
    let mut rules = Rules::default();
    rules
        .add("http://old.example/a http://new.example/it's")
        .expect("a rule");
    let from = "image::a.png[link='http://old.example/a']";
    assert_eq!(rewritten(from, Rewriter::new().rules(rules)).0, from);
}

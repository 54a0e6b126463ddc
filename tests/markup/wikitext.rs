//! Links of wikitext: their places, their ends, their spelling.

use crate::support;
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::rewrite::{Rewriter, Rules};
use linkglot_markup::{CommentSlots, TextSlots};

fn settings() -> Settings {
    support::settings(Format::MediaWiki)
}

#[track_caller]
fn has(document: &str, expected: &[&str]) {
    support::has(document, &settings(), expected);
}

#[test]
fn external_links() {
    has("[http://a.example/b c d]", &["external http://a.example/b"]);
    has("[HTTPS://a.example]", &["external HTTPS://a.example"]);
    has("[//a.example/b c]", &["external //a.example/b"]);
    has("[mailto:a@b.example c]", &["external mailto:a@b.example"]);
    has(
        "[http://a.example/?b=1&amp;c=2&copy=3 d]",
        &["external http://a.example/?b=1&c=2&copy=3"],
    );
    has(
        "[http://a.example/b''c'' d]",
        &["external http://a.example/b"],
    );
    has(
        "[http://a.example/b\"c d]",
        &["external http://a.example/b"],
    );
    has(
        "[http://a.example/b<i>c</i>]",
        &["external http://a.example/b"],
    );
    has(
        "[http://a.example/b&lt;c]",
        &["external http://a.example/b"],
    );
    has("[http://[::1]/b c]", &["external http://[::1]/b"]);
    has(
        "[http://a.example/b [[c]] d] http://e.example",
        &["external http://a.example/b", "text http://e.example"],
    );
    has("[[http://a.example/b]]", &["external http://a.example/b"]);
    has("[http://a.example/b", &["text http://a.example/b"]);
    has("[http://a.example/b\nc]", &["text http://a.example/b"]);
    has("[http://]", &[]);
}

#[test]
fn links_beside_links() {
    has(
        "http://a.example/b and [http://a.example/c x] http://a.example/d [http://a.example/e]",
        &[
            "text http://a.example/b",
            "external http://a.example/c",
            "text http://a.example/d",
            "external http://a.example/e",
        ],
    );
}

#[test]
fn the_text_of_links() {
    let label = "[http://a.example/ http://b.example/] [[c|http://d.example]]";
    has(
        label,
        &["external http://a.example/", "text http://d.example"],
    );
    let mut all = settings();
    all.text = TextSlots::All;
    let expected = [
        "external http://a.example/",
        "text http://b.example/",
        "text http://d.example",
    ];
    assert_eq!(support::links(label, &all), expected);
}

#[test]
fn pages_are_no_links() {
    has(
        "[[a.example]] [[de:b.example|c]] [[File:d.example|thumb|e]]",
        &[],
    );
    has(
        "[[File:a.png|link=http://b.example/|see [http://c.example/ d]]]",
        &["text http://b.example/", "external http://c.example/"],
    );
}

#[test]
fn marks_end_bare_links() {
    for mark in [
        "|b", "]", "}}", "<br>", "<ref>", "''b''", "[b", " b", "&lt;b",
    ] {
        has(
            &format!("a http://a.example/c{mark}"),
            &["text http://a.example/c"],
        );
    }
    has("http://a.example/it's", &["text http://a.example/it's"]);
    has("http://[::1]/b", &["text http://[::1]/b"]);
    has(
        "{{cite web|url=http://a.example/?b=1&c=2|title=d}}",
        &["text http://a.example/?b=1&c=2"],
    );
    has("{{a|http://b.example}}", &["text http://b.example"]);
    has(
        "|-\n|http://a.example||http://b.example\n|}",
        &["text http://a.example", "text http://b.example"],
    );
}

#[test]
fn other_content_is_not_read() {
    for name in ["nowiki", "pre", "source", "SyntaxHighlight", "math"] {
        let document = format!(
            "<{name} lang=a>http://a.example/\n[http://b.example/ c]</{name} > http://d.example/"
        );
        has(&document, &["text http://d.example/"]);
    }
    has("<nowiki/>http://a.example/", &["text http://a.example/"]);
    has(
        "a<!-- http://a.example/\n-->http://b.example/",
        &["text http://b.example/"],
    );
    has(
        "<ref name=\"a\">http://a.example/</ref>",
        &["text http://a.example/"],
    );
    has("<q cite='/a'>b</q> <a href=c>", &["cite /a", "href c"]);
    let mut all = settings();
    all.comments = CommentSlots::All;
    let comments = "<!-- http://a.example/ -->\n<!--\nhttp://b.example/\n-->";
    let expected = ["comment http://a.example/", "comment http://b.example/"];
    assert_eq!(support::links(comments, &all), expected);
}

#[track_caller]
fn becomes(from: &str, rule: Option<&str>, to: &str) {
    support::becomes(from, &settings(), rule, to);
}

#[test]
fn new_links_are_read_as_the_same_links() {
    becomes(
        "[http://a.example/é é] é",
        None,
        "[http://a.example/%C3%A9 é] é",
    );
    becomes(
        "{{a|url=http://a.example/é|é}}",
        None,
        "{{a|url=http://a.example/%C3%A9|é}}",
    );
    let rule = Some("http://a.example/ http://b.example/");
    becomes(
        "[http://a.example/?b&amp;c d] http://a.example/<br>",
        rule,
        "[http://b.example/?b&amp;c d] http://b.example/<br>",
    );
    // A link with marks of wikitext is left, or has them percent-encoded.
    let from = "[http://a.example/x c] http://a.example/y";
    for mark in ["|", "]", "''", "<", "\""] {
        let mut rules = Rules::default();
        let rule = format!("http://a.example/ http://b.example/{mark}/");
        rules.add(&rule).expect("a rule");
        let rewriter = Rewriter::new().rules(rules).settings(settings());
        let content = rewriter.rewrite_slice(from.as_bytes()).content;
        let written = String::from_utf8(content.into_owned()).expect("UTF-8");
        assert!(!written.contains(&format!("b.example/{mark}")), "{written}");
        assert_eq!(support::links(&written, &settings()).len(), 2, "{written}");
    }
}

#[test]
fn templates_are_left() {
    for link in [
        "http://a.example/{{{1}}}",
        "http://a.example/{{b|c d}}/e",
        "http://a.example/b{{c}}",
    ] {
        let rule = Some("http://a.example http://b.example");
        let document = format!("[{link} é] {{{{c|{link}}}}}");
        let moved = document.replace("http://a.example", "http://b.example");
        becomes(&document, rule, &moved);
        becomes(
            &document.replace('e', "é"),
            None,
            &document.replace('e', "é"),
        );
    }
    becomes(
        "[http://a.example/x|y z]",
        Some("http://a.example/x /b"),
        "[http://a.example/x|y z]",
    );
}

#[test]
fn no_link_gives_a_parameter_a_name() {
    let rule = Some("http://old.example/a http://new.example/?id=a");
    for left in [
        "{{url|http://old.example/a}}",
        "{{url|b=c|[http://old.example/a d]}}",
        "{{url\n| http://old.example/a\n}}",
        "{{url|{{b|c=d}} http://old.example/a e=f}}",
        "{{url|<ref name=\"b\">c=d</ref> http://old.example/a}}",
        "{{url|[[b|c=d]] http://old.example/a}}",
    ] {
        becomes(left, rule, left);
    }
    for written in [
        "{{url|b=http://old.example/a}}",
        "{{url|b|c=d [http://old.example/a e]}}",
        "{{url|b}} http://old.example/a",
        "{{url|b}} [[c]]]] }}}} http://old.example/a",
        "{|\n| http://old.example/a\n|}",
        "{{{b|http://old.example/a}}}",
    ] {
        let new = written.replace("http://old.example/a", "http://new.example/?id=a");
        becomes(written, rule, &new);
    }
    becomes(
        "{{url|http://old.example/?a=b}}",
        Some("http://old.example/ http://new.example/"),
        "{{url|http://new.example/?a=b}}",
    );
}

#[test]
fn a_template_in_a_link_encloses_no_other_link() {
    has(
        "http://x.example/{{PAGENAME}} {{tl|see http://old.example/é|b}}",
        &[
            "text http://x.example/{{PAGENAME}}",
            "text http://old.example/é",
        ],
    );
    becomes(
        "http://x.example/{{PAGENAME}} {{tl|see http://old.example/é|b}}",
        None,
        "http://x.example/{{PAGENAME}} {{tl|see http://old.example/%C3%A9|b}}",
    );
}

#[test]
fn code_is_read_on_demand() {
    let document = "<pre>\nhttp://a.example/\n</pre> <source>http://b.example/</source> <nowiki>http://c.example/</nowiki>";
    has(document, &[]);
    let mut code = settings();
    code.text = TextSlots::Code;
    let expected = [
        "text http://a.example/",
        "text http://b.example/",
        "text http://c.example/",
    ];
    assert_eq!(support::links(document, &code), expected);
}

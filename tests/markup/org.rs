//! Links of Org: their places, their ends, their spelling.

use crate::support;
use linkglot::document::Settings;
use linkglot::format::Format;
use linkglot::rewrite::{Rewriter, Rules};
use linkglot_markup::{CommentSlots, TextSlots};

fn settings() -> Settings {
    support::settings(Format::Org)
}

#[track_caller]
fn has(document: &str, expected: &[&str]) {
    support::has(document, &settings(), expected);
}

#[test]
fn links_in_brackets() {
    has(
        "[[http://a.example/b c][d]] [[https://e.example]]",
        &["inline http://a.example/b c", "inline https://e.example"],
    );
    has("[[mailto:a@b.example][c]]", &["inline mailto:a@b.example"]);
    has(
        "[[http://a.example/\\[b\\]\\\\][c]]",
        &["inline http://a.example/[b]\\"],
    );
    has(
        "[[http://a.example/\\b][c]]",
        &["inline http://a.example/\\b"],
    );
    has(
        "[[http://a.example/][http://b.example/]]",
        &["inline http://a.example/"],
    );
    has(
        "[[file:a.org]] [[id:b][c]] [[#d]] [[*E]] [[f.example]] [[./g.png]]",
        &[],
    );
    has("[[http://a.example/ b", &["text http://a.example/"]);
    has("[[http://a.example/][b", &["text http://a.example/"]);
}

#[test]
fn running_text() {
    has(
        "<http://a.example/b> http://c.example/d.",
        &["text http://a.example/b", "text http://c.example/d"],
    );
    has(
        "#+LINK: a http://b.example/\n:PROPERTIES:\n:URL: http://c.example/\n:END:",
        &["text http://b.example/", "text http://c.example/"],
    );
    has(
        "| http://a.example/ |\n* http://b.example/ :c:",
        &["text http://a.example/", "text http://b.example/"],
    );
}

#[test]
fn code_is_not_read() {
    has(
        "=http://a.example= ~[[http://b.example]]~ a=http://c.example/ d = e",
        &["text http://c.example/"],
    );
    for block in ["SRC sh", "example", "EXPORT latex"] {
        let name = block.split(' ').next().unwrap_or_default();
        let document = format!(
            "#+BEGIN_{block}\nhttp://a.example\n#+end_quote\n  #+end_{name}\nhttp://b.example"
        );
        has(&document, &["text http://b.example"]);
    }
    has(
        "#+begin_quote\nhttp://a.example\n#+end_quote",
        &["text http://a.example"],
    );
    has(
        "#+begin_export html\n<a href=b>\n#+end_export\n#+HTML: <a href=c>",
        &["href b", "href c"],
    );
    has(
        ": http://a.example\n# http://b.example\n#+begin_comment\nc.org\n#+end_comment",
        &[],
    );
    let mut all = settings();
    all.comments = CommentSlots::All;
    assert_eq!(
        support::links("# http://a.example/", &all),
        ["comment http://a.example/"]
    );
}

#[track_caller]
fn becomes(from: &str, rule: Option<&str>, to: &str) {
    support::becomes(from, &settings(), rule, to);
}

#[test]
fn new_links_are_read_as_the_same_links() {
    becomes(
        "[[http://a.example/é][é]] http://a.example/é =http://a.example/é=",
        None,
        "[[http://a.example/%C3%A9][é]] http://a.example/%C3%A9 =http://a.example/é=",
    );
    let rule = Some("http://a.example/ http://b.example/[c]/");
    becomes(
        "[[http://a.example/d][e]]",
        rule,
        "[[http://b.example/\\[c\\]/d][e]]",
    );
    becomes(
        "[[http://a.example/\\[x\\]][e]]",
        Some("http://a.example/ http://b.example/"),
        "[[http://b.example/\\[x\\]][e]]",
    );
}

#[test]
fn no_link_ends_a_cell() {
    has(
        "| http://a.example/b|c | [[http://d.example/e][f]] |",
        &["text http://a.example/b", "inline http://d.example/e"],
    );
    for from in ["| http://a.example/ |", "| [[http://a.example/][b]] |"] {
        let mut rules = Rules::default();
        rules
            .add("http://a.example/ http://b.example/c|d")
            .expect("a rule");
        let rewriter = Rewriter::new().rules(rules).settings(settings());
        let content = rewriter.rewrite_slice(from.as_bytes()).content;
        let written = String::from_utf8(content.into_owned()).expect("UTF-8");
        assert!(!written.contains("c|d"), "{written}");
    }
}

#[test]
fn code_is_read_on_demand() {
    let document =
        "#+BEGIN_SRC sh\nhttp://a.example/\n#+END_SRC\n: http://b.example/\n=http://c.example/= d";
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

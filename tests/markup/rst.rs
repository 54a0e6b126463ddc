//! Links of reStructuredText: their places, their meaning, their spelling.

use crate::support;
use linkglot::Charset;
use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot::rewrite::{Form, Rewriter, Rules};
use linkglot_markup::light::rst::RstTokenizer;
use linkglot_markup::{CommentSlots, Step, TextSlots, Tokenizer, Window};

fn settings() -> Settings {
    support::settings(Format::Rst)
}

fn links(document: &str) -> Vec<String> {
    support::links(document, &settings())
}

#[track_caller]
fn has(document: &str, expected: &[&str]) {
    support::has(document, &settings(), expected);
}

#[test]
fn embedded_references() {
    has(
        "See `a b <http://a.example/>`_ and `<c>`__.",
        &["inline http://a.example/", "inline c"],
    );
    has(
        "`a\n<http://a.example/b\nc>`_",
        &["inline http://a.example/bc"],
    );
    has("`a <b_>`_ `c <d\\_>`_ `e <f g_>`_", &["inline d_"]);
    has(
        "`a <http://a.example/b_>`__",
        &["inline http://a.example/b_"],
    );
    has("`a <b\\ c\\<d>`_", &["inline b c<d"]);
    has("`a<b>`_ `a < b>`_ `a <b >`_", &[]);
    has(":ref:`a <http://a.example/>` `b <c>`:doc:", &[]);
    has("`a <me@example.org>`_", &["inline me@example.org"]);
    has("(`a <b>`_), \"`c <d>`__\"", &["inline b", "inline d"]);
}

#[test]
fn targets() {
    has(
        ".. _a: b\n.. _`c: d`: e\n.. _f\\: g: h\n__ i\n.. __: j\n",
        &["target b", "target e", "target h", "target i", "target j"],
    );
    has(
        ".. _a: http://a.example/b\n   c\n\n   http://d.example/\n",
        &["target http://a.example/bc", "text http://d.example/"],
    );
    has(".. _a: b_\n.. _c: `d e`_\n.. _f:\n\ntext", &[]);
    has(".. _a: me@example.org", &["target me@example.org"]);
    has("text\n.. _a: b", &[]);
}

/// A target ends at the first blank line; a malformed target is a comment, which continues.
#[test]
fn what_is_indented_behind_targets() {
    for target in [
        ".. _t: http://a.example/",
        ".. _t:",
        ".. _`t u`: http://a.example/",
        ".. __: http://a.example/",
        ".. _t:\n   http://a.example/",
        "__ http://a.example/",
    ] {
        let mut expected = Vec::new();
        if target.contains("http") {
            expected.push("target http://a.example/");
        }
        expected.extend([
            "text http://b.example/",
            "inline c",
            "text http://d.example/",
        ]);
        let rest = "\n\n   http://b.example/\n     - `c <c>`_\n\nhttp://d.example/\n";
        has(&format!("{target}{rest}"), &expected);
        let indented = format!("{target}{rest}").replace('\n', "\n  ");
        has(&format!("* {indented}"), &expected);
    }
    for comment in [".. _t", ".. __t: u", ".. _t::", ".. _ t: u"] {
        has(
            &format!("{comment}\n\n   `c <c>`_\n\nhttp://d.example/\n"),
            &["text http://d.example/"],
        );
    }
}

/// Addresses by the rules of docutils, and only where docutils looks for them.
#[test]
fn mail_addresses() {
    let implied = |document: &str| -> Vec<String> {
        let settings = settings();
        let document = Document::new(document.as_bytes(), &settings);
        let links = document.links();
        links
            .map(|link| format!("{}{}", link.implied().unwrap_or("-"), link.text()))
            .collect()
    };
    for address in [
        "a@b.c", "a.b@c.d", "a@bc", "a@b.c/", "a@b..cc", "a\\@b.cc", "a@b.c\\*", "a*@b.c+",
        "a@b.c?x",
    ] {
        let text = address.replace('\\', "");
        let mail = format!("mailto{text}");
        let document = format!("`x <{address}>`_\n\n.. _y: {address}\n");
        assert_eq!(implied(&document), [&*mail, &*mail], "{document}");
        let document = format!(
            "__ {address}\n\n.. __: {address}\n.. image:: {address}\n   :target: {address}\n\n.. figure:: {address}\n"
        );
        let other = format!("-{text}");
        assert_eq!(implied(&document), vec![other; 5], "{document}");
    }
    assert_eq!(implied(".. _a: b@c\n   .d\n"), ["mailtob@c.d"]);
    for other in [
        "b.c/|", "a@b.c&", "a@b.c.", "a@b", "a@@b.c", ".a@b.c", "a..b@c.d", "a@.b.c", "@b.c", "a@",
        "a@b.c|", "é@b.c", "a@b.c\\>", "a@b.c@d",
    ] {
        let document = format!("`x <{other}>`_\n\n.. _y: {other}\n");
        let other = format!("-{}", other.replace('\\', ""));
        assert_eq!(implied(&document), [&*other, &*other], "{document}");
    }
}

#[test]
fn directives() {
    has(
        ".. image:: a b\n   c\n   :alt: d\n   :target: e\n",
        &["image abc", "target e"],
    );
    has(
        ".. figure:: a\n   :target: b_\n\n   See http://c.example/\n",
        &["figure a", "text http://c.example/"],
    );
    has(
        ".. |a| image:: b\n.. |c| replace:: http://d.example/",
        &["image b", "text http://d.example/"],
    );
    has(
        ".. raw:: html\n\n   <a href=\"b?c&amp;d\">\n   e</a>\n\n.. raw:: latex\n\n   http://f.example/\n",
        &["href b?c&d"],
    );
    has(
        ".. code-block:: c\n\n   http://a.example/\n\n.. note:: http://b.example/\n\n   `c <d>`_\n",
        &["text http://b.example/", "inline d"],
    );
    has(
        ".. a comment\n   http://a.example/\n\n..\n\n   http://b.example/\n",
        &["text http://b.example/"],
    );
    has(
        ".. [1] http://a.example/\n.. [#b] c\n   http://d.example/\n",
        &["text http://a.example/", "text http://d.example/"],
    );
}

#[test]
fn literals_are_left_alone() {
    has(
        "``http://a.example/`` `http://b.example/` |http://c.example/|",
        &[],
    );
    has(
        "a::\n\n  http://a.example/\n\nhttp://b.example/",
        &["text http://b.example/"],
    );
    has(
        "a::\n\n> http://a.example/\n> b\n\nhttp://c.example/",
        &["text http://c.example/"],
    );
    has("::\n\n  http://a.example/\n", &[]);
    has(
        "- a::\n\n      http://a.example/\n\n  http://b.example/",
        &["text http://b.example/"],
    );
    has(">>> http://a.example/\nhttp://b.example/\n\nc", &[]);
    has(
        "a\\::\n\n  http://a.example/\n",
        &["text http://a.example/"],
    );
}

/// A title never gets wider than its line, as docutils counts columns; one that is wider already stays.
#[test]
fn titles_stay_within_their_lines() {
    let moved = |document: &str| {
        let mut rules = Rules::default();
        rules
            .add("http://a.example/ http://old.example/")
            .expect("a rule");
        rewritten(document, &Rewriter::new().rules(rules))
    };
    let line = |columns: usize| "=".repeat(columns);
    // A title, and its width with one link moved.
    for (title, width) in [
        ("See http://a.example/", 23),
        ("`A <http://a.example/>`_ b", 28),
        ("ä http://a.example/ 中文", 26),
        ("ก็ http://a.example/", 21),
    ] {
        let new = title.replace("//a.", "//old.");
        for (room, expected) in [(width, &*new), (width - 1, title), (width - 5, title)] {
            let document = |title: &str| format!("{title}\n{}\n\nhttp://b.example/\n", line(room));
            assert_eq!(moved(&document(title)), document(expected), "{room}");
            let document = |title: &str| format!("{0}\n {title}\n{0}\n\nb\n", line(room + 1));
            assert_eq!(moved(&document(title)), document(expected), "{room}");
        }
    }
    // The room is enough for one of two, and other links move.
    let document = |links: [&str; 3]| {
        let [first, second, text] = links.map(|host| format!("http://{host}.example/"));
        format!("{first} {second}\n{}\n\n{text}\n", line(37))
    };
    let new = moved(&document(["a", "a", "a"]));
    assert!(
        [["old", "a", "old"], ["a", "old", "old"]]
            .map(document)
            .contains(&new),
        "{new}"
    );
}

/// A link in front of other columns of a simple table stays: another width would move them.
#[test]
fn columns_of_simple_tables_stay() {
    let table = "
=====================  =====================
http://old.example/a   http://old.example/b
c                      http://old.example/d
http://old.example/e
http://old.example/f   g
---------------------  ---------------------
http://old.example/h   \\
=====================  =====================
";
    let mut rules = Rules::default();
    rules.add("http://old.example/ http://n.example/").unwrap();
    let new = rewritten(table, &Rewriter::new().rules(rules));
    let expected = ["b", "d", "e"].iter().fold(table.to_owned(), |text, name| {
        let (old, new) = (format!("old.example/{name}"), format!("n.example/{name}"));
        text.replace(&old, &new)
    });
    assert_eq!(new, expected);
    let all = links(table);
    assert_eq!(all.len(), 6);
}

#[test]
fn code_and_comments_are_read_on_demand() {
    let mut code = settings();
    code.text = TextSlots::Code;
    let mut comments = settings();
    comments.comments = CommentSlots::All;
    let document = "``http://a.example/`` `http://no.example/`::

  http://b.example/
  http://c.example/

.. code-block:: sh
   :name: a

   http://d.example/

>>> http://e.example/

+--------------------------+
| ``http://f.example/``    |
+--------------------------+

.. http://g.example/
   http://h.example/

.. _a b http://i.example/

http://j.example/
";
    let found = |settings: &Settings| support::links(document, settings).join(" ");
    let hosts = |names: &str| {
        let link = |name| format!("text http://{name}.example/");
        names.chars().map(link).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found(&settings()), hosts("j"));
    assert_eq!(found(&code), hosts("abcdefj"));
    let comments = found(&comments).replace("comment ", "text ");
    assert_eq!(comments, hosts("ghij"));
}

#[test]
fn items_are_indented_as_their_text() {
    has(
        "1. a::\n\n    http://b.example/\n\n   http://c.example/",
        &["text http://c.example/"],
    );
    has(
        ".. parsed-literal::\n\n   *a* `b\n   <c>`_\n",
        &["inline c"],
    );
}

#[test]
fn running_text() {
    has(
        "*http://a.example/* **http://b.example/** \\*http://c.example/\\*",
        &[
            "text http://a.example/",
            "text http://b.example/",
            "text http://c.example/",
        ],
    );
    has(
        "http://a.example/\\ b http://c.example/d\\_e",
        &["text http://a.example/", "text http://c.example/d_e"],
    );
    has(
        "http://a.example/\n=================\n\n====\nb\n====\n\nhttp://c.example/",
        &["text http://a.example/", "text http://c.example/"],
    );
    has(
        ":Home: http://a.example/\n:b: c\n  http://d.example/\n",
        &["text http://a.example/", "text http://d.example/"],
    );
    has(
        "1. http://a.example/\n2. b\n   `c\n   <d>`_\n",
        &["text http://a.example/", "inline d"],
    );
    has(
        "term\n  http://a.example/\n\n| http://b.example/\n| c\n  http://d.example/",
        &[
            "text http://a.example/",
            "text http://b.example/",
            "text http://d.example/",
        ],
    );
    has(
        "-a  http://a.example/\n--bc=d  e\n         http://f.example/",
        &["text http://a.example/", "text http://f.example/"],
    );
}

#[test]
fn tables() {
    let grid = "\
+-------------------+-----+
| `a                | b   |
| <c>`_             | d   |
+===================+=====+
| http://a.example/ | ``  |
| `b <c|d>`_        |     |
+-------------------+-----+
";
    has(grid, &["inline c", "text http://a.example/", "inline c|d"]);
    let simple = "\
====  =================
a     http://a.example/
====  =================
`b    c
<d>`_ e
f     `g
      <h>`_
====  =================
";
    has(simple, &["text http://a.example/", "inline h"]);
}

fn rewritten(document: &str, rewriter: &Rewriter) -> String {
    support::rewritten(document, &settings(), rewriter)
}

#[test]
fn edits_are_escaped_for_their_place() {
    let uri = Rewriter::new().to(Form::Uri);
    for (from, to) in [
        (
            "`é <http://a.example/é>`_ ``é``",
            "`é <http://a.example/%C3%A9>`_ ``é``",
        ),
        (".. _é: /é\n   b/ü\n", ".. _é: /%C3%A9\n   b/%C3%BC\n"),
        (".. image:: é\\ b\n", ".. image:: %C3%A9%20b\n"),
    ] {
        assert_eq!(rewritten(from, &uri), to);
    }
    let mapped = |document: &str, rule: &str| {
        let mut rules = Rules::default();
        rules.add(rule).expect("a rule");
        rewritten(document, &Rewriter::new().rules(rules))
    };
    assert_eq!(mapped("`a </b>`_", "/b /c>d"), "`a </c\\>d>`_");
    assert_eq!(mapped("`a </b>`_", "/b /c`d"), "`a </c\\`d>`_");
    assert_eq!(mapped(".. _a: /b", "/b /c\\d"), ".. _a: /c\\\\d");
    assert_eq!(mapped("`a </b>`_", "/b c_"), "`a </b>`_");
}

/// As docutils reads them.
#[test]
fn references_end_links() {
    for (text, expected) in [
        ("See http://old.example/x_/y for", "http://old.example/"),
        ("http://a.example/a-b_. c", "http://a.example/"),
        ("http://b.example/c_d/e_f_, g", "http://b.example/c_d/"),
        ("http://a.example/a__/b", "http://a.example/"),
        ("http://a.example/é_ b", "http://a.example/"),
        ("http://a.example/a___/b", "http://a.example/a___/b"),
        ("http://a.example/~u_/", "http://a.example/~u_/"),
        ("http://a.example/?a=b_&c", "http://a.example/?a=b_&c"),
        ("http://a.example/x\\_/y", "http://a.example/x_/y"),
    ] {
        has(text, &[&format!("text {expected}")]);
    }
    has("foo_ and www.example.org_ x", &[]);
    // A rule whose new link would end earlier is not followed.
    let mut rules = Rules::default();
    rules
        .add("http://old.example/ https://new.example/a_/")
        .unwrap();
    let new = rewritten("See http://old.example/i.", &Rewriter::new().rules(rules));
    let link = &links(&new)[0];
    assert!(
        link == "text http://old.example/i" || link.ends_with("_/i"),
        "{new}"
    );
}

/// A simple table may end behind the bytes that cannot be read, and an empty line in it ends nothing.
#[test]
fn documents_in_front_of_a_cut() {
    for (text, expected) in [
        ("a\n\nb", 0..2),
        ("a\n\n===  ===\na\n\nb", 0..2),
        ("a\n=====\n\nb\n", 0..8),
    ] {
        let mut tokenizer = RstTokenizer::new(1 << 20);
        tokenizer.cut();
        let window = Window {
            bytes: text.as_bytes(),
            last: false,
            charset: Charset::UTF_8,
        };
        let Step::Slot(slot) = tokenizer.step(window, &mut 0) else {
            panic!("a slot of {text:?}");
        };
        assert_eq!(slot.range, expected, "{text:?}");
    }
}

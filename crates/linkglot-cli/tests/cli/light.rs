//! Markdown and reStructuredText by the command line.

use crate::support::{Place, rewritten};

fn site() -> Place {
    Place::new(&[
        (
            "a.md",
            "# A\n\n[é](/é.html) `http://no.example/`\n\n[b]: <http://b.example/é>\n",
        ),
        (
            "b.rst",
            "`é </é.html>`_ ``http://no.example/``\n\n.. image:: c.png\n",
        ),
    ])
}

#[test]
fn formats_are_known_by_extension() {
    let place = site();
    place
        .run(&["find", "a.md"])
        .prints("3:5:/é.html\n5:7:http://b.example/é\n", 0);
    place
        .run(&["find", "b.rst"])
        .prints("1:5:/é.html\n3:12:c.png\n", 0);
    place
        .run(&["find", "-o", "-t", "rst", "."])
        .prints("/é.html\nc.png\n", 0);
    for (format, text) in [("markdown", "[b](c)"), ("rst", "`b <c>`_")] {
        place
            .pipe(&["find", "--format", format], text)
            .prints("1:5:c\n", 0);
    }
}

#[test]
fn text_is_what_it_was() {
    site()
        .run(&["find", "-o", "--format", "text", "a.md", "b.rst"])
        .prints(
            "http://no.example/\nhttp://b.example/é\nhttp://no.example/\n",
            0,
        );
}

#[test]
fn json_says_what_a_link_is() {
    let objects = site().run(&["find", "--json", "a.md"]).objects();
    assert_eq!(objects[0]["format"], "markdown");
    assert_eq!(objects[0]["place"]["kind"], "link");
    assert_eq!(objects[0]["place"]["name"], "inline");
    assert_eq!(objects[1]["place"]["name"], "definition");
}

#[test]
fn rewriting_keeps_all_else() {
    let place = site();
    place
        .run(&["rewrite", "--to", "uri", "--stdout", "a.md"])
        .prints(
            "# A\n\n[é](/%C3%A9.html) `http://no.example/`\n\n[b]: <http://b.example/%C3%A9>\n",
            0,
        );
    place
        .run(&[
            "rewrite", "--to", "uri", "--slots", "text", "--stdout", "b.rst",
        ])
        .prints(
            "`é </é.html>`_ ``http://no.example/``\n\n.. image:: c.png\n",
            0,
        );
}

/// Long tables and change logs are read. Long blocks are read up to a limit, and a greater limit reads more.
#[test]
fn dense_documents_are_read_up_to_the_limit() {
    let rows = "| [x12](a/12) | `y` | 1.2.3 |\n";
    let table = |bytes: usize| {
        let rows = rows.repeat(bytes / rows.len());
        format!("| a | b | c |\n|---|---|---|\n{rows}")
    };
    let entry = "* :issue:`1` Fix ``foo``, see `#12 <https://github.com/o/r/issues/12>`_.\n\n";
    let changes = format!(
        "Changes\n=======\n\n{}",
        entry.repeat((2 << 20) / entry.len())
    );
    let place = Place::new(&[
        ("a.md", &table(1_200_000)),
        ("b.rst", &changes),
        ("c.md", &"[x12](a/12) ".repeat(2_000_000 / 12)),
        ("d.md", &table(3_000_000)),
    ]);
    let links = 3_000_000 / rows.len();
    place
        .run(&["find", "-c", "d.md"])
        .prints(&format!("{links}\n"), 0);
    let links = 1_200_000 / rows.len();
    place
        .run(&["find", "-c", "a.md"])
        .prints(&format!("{links}\n"), 0);
    let links = (2 << 20) / entry.len();
    place
        .run(&["find", "-c", "b.rst"])
        .prints(&format!("{links}\n"), 0);
    let words = [
        "c.md: document left unread",
        "12 times --max-slot",
        "a greater --max-slot reads it",
    ];
    place.run(&["find", "-c", "c.md"]).complains(&words, 3);
    let links = 2_000_000 / 12;
    let more = ["find", "-c", "--max-slot", "16M", "c.md"];
    place.run(&more).prints(&format!("{links}\n"), 0);
}

/// Markdown is read and rewritten in parts, whatever its length.
#[test]
fn long_markdown_is_read_in_parts() {
    let part = "* [é](/é.html) <http://a.example/é>, [see http://no.example][b]\n\n[b]: /é\n\n";
    let long = part.repeat(2_000);
    let place = Place::new(&[("long.md", &long)]);
    let links = "/é.html\nhttp://a.example/é\n/é\n".repeat(2_000);
    for limit in ["1K", "4K", "1M"] {
        let args = ["find", "-o", "--max-slot", limit];
        place
            .run(&[&args[..], &["long.md"]].concat())
            .prints(&links, 0);
        let piped = [&args[..], &["--format", "markdown"]].concat();
        place.pipe(&piped, long.clone()).prints(&links, 0);
        let args = [
            "rewrite",
            "--to",
            "uri",
            "--stdout",
            "--max-slot",
            limit,
            "long.md",
        ];
        let expected = long.replace('é', "%C3%A9").replace("[%C3%A9]", "[é]");
        place.run(&args).prints(&expected, 0);
    }
}

/// So are reStructuredText and MDX.
#[test]
fn long_documents_are_read_in_parts() {
    let rst =
        "* `é </é.html>`_\n* http://a.example/é\n\n  ::\n\n    http://no.example/\n\n.. _b: /é\n";
    let mdx = "* [é](/é.html)\n* <http://a.example/é>\n\n{[a](/no)\n\n}\n\n[b]: /é\n\n";
    let place = Place::new(&[
        ("long.rst", &rst.repeat(3_000)),
        ("long.mdx", &mdx.repeat(3_000)),
    ]);
    let links = "/é.html\nhttp://a.example/é\n/é\n".repeat(3_000);
    for (name, part) in [("long.rst", rst), ("long.mdx", mdx)] {
        place.run(&["find", "-o", name]).prints(&links, 0);
        let args = ["rewrite", "--to", "uri", "--stdout", name];
        let expected = part.replace('é', "%C3%A9");
        let expected = expected.replace("`%C3%A9 <", "`é <");
        let expected = expected.replace("[%C3%A9]", "[é]");
        place.run(&args).prints(&expected.repeat(3_000), 0);
    }
    // No block is longer than 16 times the limit.
    let args = ["find", "-o", "--max-slot", "1K", "--format", "rst"];
    place.pipe(&args, rst.repeat(3_000)).prints(&links, 0);
}

/// A block is read as a whole, or not at all, also from a pipe. What stands in front of it is read.
#[test]
fn a_long_block_is_named() {
    let front = "[a](/b)\n\n".repeat(2_000);
    let long = format!("{front}{}", "text\n".repeat(20_000));
    let place = Place::new(&[("long.md", &long)]);
    let args = ["find", "-o", "--max-slot", "1K"];
    let ran = place.run(&[&args[..], &["long.md"]].concat());
    ran.complains(
        &[
            "long.md: document left unread from byte 18000 on",
            "--max-slot",
        ],
        3,
    );
}

/// A document is read as a whole, or not at all, also from a pipe.
#[test]
fn longer_documents_are_passed_over_and_named() {
    let long = format!("[é](/é.html)\n{}", "text\n".repeat(20_000));
    let place = Place::new(&[("long.md", &long)]);
    let words = ["long.md", "left unread", "--max-slot"];
    let args = ["find", "--max-slot", "4K"];
    place
        .run(&[&args[..], &["long.md"]].concat())
        .complains(&words, 3);
    place
        .pipe(
            &[&args[..], &["--format", "markdown"]].concat(),
            long.clone(),
        )
        .complains(&words[1..], 3);
    place
        .run(&["find", "-o", "--max-slot", "8K", "long.md"])
        .prints("/é.html\n", 0);
    let args = [
        "rewrite",
        "--to",
        "uri",
        "--max-slot",
        "4K",
        "--stdout",
        "long.md",
    ];
    let run = place.run(&args);
    assert_eq!(run.text(), long);
    run.complains(&words, 3);
}

/// A form in the output is a form that a rewrite can write: a cell of a grid table has no room for a longer link.
#[test]
fn forms_that_a_place_cannot_hold_are_none() {
    let text = "\
+-------------------------+-----+
| http://a.example/é      | abc |
+-------------------------+-----+
| http://a.example/éé     | abc |
+-------------------------+-----+
| http://a.example/éééé   | abc |
+-------------------------+-----+

http://a.example/éééé
";
    let place = Place::new(&[("a.rst", text)]);
    let found = place.run(&["find", "--json", "a.rst"]).objects();
    let found = found.iter().filter(|object| object["type"] == "link");
    let told: Vec<_> = found
        .map(|link| {
            (
                link["line"].clone(),
                link["uri"].clone(),
                link["notes"].clone(),
            )
        })
        .collect();
    let args = ["rewrite", "--to", "uri", "--json", "a.rst"];
    let edits = place.run(&args).objects();
    let edits = edits.iter().filter(|object| object["type"] != "summary");
    let written: Vec<_> = edits
        .map(|edit| {
            (
                edit["line"].clone(),
                edit["new"].clone(),
                edit["notes"].clone(),
            )
        })
        .collect();
    assert_eq!(told, written);
    let nulls = told.iter().filter(|(_, uri, _)| uri.is_null()).count();
    assert!((1..4).contains(&nulls), "{told:?}");
    assert!(
        told.iter()
            .any(|(.., notes)| notes[0] == "left-not-refound")
    );
}

/// Expressions in braces stay in attributes: they give the base of a reference.
#[test]
fn comments_of_markdown_are_read_on_request() {
    let text = "a <!-- http://a.example/ --> *b* http://b.example/\n\n<!-- http://c.example/ -->\n";
    let place = Place::new(&[("a.md", text)]);
    let found = |options: &[&str]| {
        place
            .run(&[&["find", "-o", "a.md"], options].concat())
            .text()
    };
    assert_eq!(found(&[]), "http://b.example/\n");
    let all = "http://a.example/\nhttp://b.example/\nhttp://c.example/\n";
    assert_eq!(found(&["--also", "comments"]), all);
    let moved = text.replace("http://", "https://");
    let ran = place.run(&[
        "rewrite",
        "--stdout",
        "a.md",
        "--also",
        "comments",
        "--map",
        "re:^http:(.*) https:$1",
    ]);
    assert_eq!(ran.text(), moved);
}

#[test]
fn code_of_mdx_is_no_markdown() {
    let text = "import a from './a'\nexport const b = [c[0](d), 'http://old.example/b']\n
# {c[0](d)} [e](/\u{e9})\n
<A href='/\u{e9}' b={c[0](d)}>f</A> {/* [g](/\u{e9}) */} [h]({i})\n
    http://old.example/\u{e9}\n
http://old.example/{id}/\u{e9}\n";
    let place = Place::new(&[("a.mdx", text)]);
    let found = "2:29:http://old.example/b
4:17:/\u{e9}
6:10:/\u{e9}
6:52:{i}
8:5:http://old.example/\u{e9}
10:1:http://old.example/{id}/\u{e9}
";
    place.run(&["find", "a.mdx"]).prints(found, 0);
    let rules = [
        "--to",
        "uri",
        "--map",
        "http://old.example/ http://new.example/",
    ];
    let ran = place.run(&[&["rewrite", "--stdout", "a.mdx"], &rules[..]].concat());
    let written = text
        .replace("old.example", "new.example")
        .replace("[e](/\u{e9})", "[e](/%C3%A9)")
        .replace("href='/\u{e9}'", "href='/%C3%A9'")
        .replace("new.example/\u{e9}", "new.example/%C3%A9");
    assert_eq!(ran.text(), written);
}

#[test]
fn expressions_of_jsx_stay() {
    let text = "import { A } from './a'\n
[a](./b.md)\n
<p><a href={require('./\u{e9}.png')}>b</a> <img src={x} /> <img src='/\u{e9}.png'/></p>\n
http://old.example/{id}/\u{e9} {\"http://old.example/\u{e9}\"}\n";
    let place = Place::new(&[("b.md", text)]);
    let found = "3:5:./b.md
5:12:{require('./\u{e9}.png')}
5:48:{x}
5:65:/\u{e9}.png
7:1:http://old.example/{id}/\u{e9}
7:29:http://old.example/\u{e9}
";
    place.run(&["find", "b.md"]).prints(found, 0);
    let written = text
        .replace("'/\u{e9}", "'/%C3%A9")
        .replace("old.example/\u{e9}", "old.example/%C3%A9");
    let ran = place.run(&["rewrite", "--to", "uri", "--stdout", "b.md"]);
    assert_eq!(ran.text(), written);
    let absolute = ["rewrite", "--absolute", "--base", "http://c.example/"];
    let ran = place.run(&[&absolute[..], &["--stdout", "b.md"]].concat());
    for expression in ["href={require(", "src={x}"] {
        assert!(ran.text().contains(expression), "{}", ran.text());
    }
}

/// Three tildes are a signature in wikitext, and words between underscores switches.
#[test]
fn marks_of_wikis_do_not_arise() {
    for link in [
        "http://a.example/%7E%7E%7E",
        "http://a.example/~%7E~",
        "http://a.example/%5F%5FTOC%5F%5F",
    ] {
        let text = format!("See {link} and [{link} a] {{{{b|c={link}}}}}\n");
        assert_eq!(rewritten("a.wiki", &text, &["--to", "iri"]), text);
    }
    let text = "See http://a.example/%7Eb%5F%5Fc and http://a.example/~~~%C3%A9\n";
    let expected = "See http://a.example/~b__c and http://a.example/~~~é\n";
    assert_eq!(rewritten("a.wiki", text, &["--to", "iri"]), expected);
}

//! `--min-evidence`: the minimal grade of evidence of a link.

use crate::support::{Place, Ran};
use serde_json::Value;

/// Runs the command with a pipe as standard input.
fn run_with(args: &[&str], input: &[u8]) -> Ran {
    Place::new(&[]).pipe(args, input)
}

/// The grades of the links of a document.
fn grades(document: &str, options: &[&str]) -> Vec<String> {
    let run = run_with(
        &[&["find", "--json"], options].concat(),
        document.as_bytes(),
    );
    let links = run.objects().into_iter().filter(|o| o["type"] == "link");
    let grade = |link: Value| link["evidence"].as_str().unwrap().to_owned();
    links.map(grade).collect()
}

/// A document rewritten with options.
fn rewritten(document: &str, options: &[&str]) -> String {
    let args = [&["rewrite"], options].concat();
    run_with(&args, document.as_bytes()).text()
}

const TEXT: &str = "<http://a.example> http://a.example www.a.org ann@a.org a.org/b a.org\n";

#[test]
fn links_have_their_grade() {
    let text = ["enclosed", "scheme", "www", "address", "path", "name"];
    assert_eq!(grades(TEXT, &["--format", "text"]), text);
    let page = "<a href=b>www.a.org</a><style>@import 'c'</style><!-- a.org --><p>a.org";
    let page = grades(page, &["--format", "html", "--also", "comments,text"]);
    assert_eq!(page, ["markup", "www", "markup", "name", "name"]);
    let document = "[x](b.org) <http://a.example/> <ann@a.org> \"a.org/b\"\n";
    let document = grades(document, &["--format", "markdown"]);
    assert_eq!(document, ["markup", "markup", "markup", "path"]);
    let mail = "List-Archive: <http://a.example/>\n\nsee a.org\n";
    assert_eq!(grades(mail, &["--format", "mail"]), ["markup", "name"]);
}

#[test]
fn find_lists_what_is_sure_enough() {
    for (level, count) in [
        ("name", 6),
        ("path", 5),
        ("address", 4),
        ("www", 3),
        ("scheme", 2),
        ("enclosed", 1),
        ("markup", 0),
    ] {
        let options = ["--format", "text", "--min-evidence", level];
        assert_eq!(grades(TEXT, &options).len(), count, "{level}");
    }
    run_with(&["find", "--min-evidence", "sure"], b"").complains(&["invalid value 'sure'"], 2);
}

/// File names and words with a missing space, in many languages, are not written.
#[test]
fn what_may_be_no_link_is_left() {
    for text in [
        "ssh-keygen -s CA-Schl\u{fc}ssel.pub\n",
        "\"CA-Schl\u{fc}ssel.pub\" `CA-Schl\u{fc}ssel.pub` <CA-Schl\u{fc}ssel.pub> (CA-Schl\u{fc}ssel.pub)\n",
        "\u{4e2d}\u{56fd}\u{7684}8\u{500d}\u{3002}\u{4e2d}\u{56fd} AI\n",
        "UI\u{3002}\u{7f51}\u{7edc} IO\n",
        "\u{2502}.ar \u{ed}ndice.bt\n",
        "r\u{e9}sum\u{e9}.com/\u{e9} \u{fc}@r\u{e9}sum\u{e9}.com\n",
    ] {
        for format in ["text", "markdown"] {
            let options = ["--to", "uri", "--format", format];
            assert_eq!(rewritten(text, &options), text);
        }
        let page = format!("<pre>{text}</pre>");
        assert_eq!(rewritten(&page, &["--to", "uri", "--format", "html"]), page);
    }
}

#[test]
fn what_is_sure_enough_is_written() {
    let text = "www.r\u{e9}sum\u{e9}.com, r\u{e9}sum\u{e9}.com/a, <r\u{e9}sum\u{e9}.com/a>, r\u{e9}sum\u{e9}.com";
    let new = "xn--rsum-bpad";
    let is_new = |level: &[&str]| -> Vec<bool> {
        let options = [&["--to", "uri", "--format", "text"], level].concat();
        let done = rewritten(text, &options);
        done.split(", ").map(|link| link.contains(new)).collect()
    };
    assert_eq!(is_new(&[]), [true, false, true, false]);
    assert_eq!(
        is_new(&["--min-evidence", "path"]),
        [true, true, true, false]
    );
    assert_eq!(is_new(&["--min-evidence", "name"]), [true; 4]);
    assert_eq!(
        is_new(&["--min-evidence", "scheme"]),
        [false, false, true, false]
    );
    assert_eq!(is_new(&["--min-evidence", "markup"]), [false; 4]);
}

#[test]
fn what_is_left_is_counted_and_named() {
    let place = Place::new(&[("a.txt", "b\u{fc}cher.com http://a.example/\u{e9}\n")]);
    let run = place.run(&["rewrite", "--to", "uri", "-n", "-v", "--strict", "a.txt"]);
    run.complains(
        &[
            "1:1: `b\u{fc}cher.com`: left unchanged: it may be a name and no link",
            "1 link left unchanged, uncertain (`--min-evidence`)",
        ],
        1,
    );
    let run = place.run(&["rewrite", "--to", "uri", "--json", "a.txt"]);
    let objects = run.objects();
    assert_eq!(objects[0]["type"], "left");
    assert_eq!(objects[0]["evidence"], "name");
    assert_eq!(objects[0]["notes"][0], "left-name");
    let settled = [
        "rewrite",
        "--to",
        "uri",
        "-n",
        "--strict",
        "--min-evidence",
        "name",
        "a.txt",
    ];
    assert_eq!(place.run(&settled).code, 0);
    // An ASCII name needs no change.
    let ascii = run_with(
        &["rewrite", "--to", "uri", "--strict"],
        b"README.pub a.org\n",
    );
    assert_eq!(ascii.code, 0);
}

#[test]
fn a_rule_that_names_the_host_is_evidence() {
    let rule = ["--map", "old.org new.org", "--format", "text"];
    let text = "old.org old.org/\u{e9} other.org/\u{e9} www.old.org/x";
    let moved = "new.org new.org/\u{e9} other.org/\u{e9} www.old.org/x";
    assert_eq!(rewritten(text, &rule), moved);
    // The form is converted, too.
    let formed = "new.org new.org/%C3%A9 other.org/\u{e9} www.old.org/x";
    assert_eq!(
        rewritten(text, &[&rule[..], &["--to", "uri"]].concat()),
        formed
    );
    // A pattern that names no host is not evidence.
    let pattern = ["--map", "re:^https://(.*)$ http://$1", "--format", "text"];
    let text = "b\u{fc}cher.com https://a.example/";
    assert_eq!(
        rewritten(text, &pattern),
        "b\u{fc}cher.com http://a.example/"
    );
    let named = [
        "--map",
        r"re:^https://(\w+)\.old\.org/ https://new.org/$1/",
        "--format",
        "text",
    ];
    assert_eq!(rewritten("a.old.org/x", &named), "https://new.org/a/x");
    let mail = [
        "--map",
        "mailto:ann@old.org mailto:ann@new.org",
        "--format",
        "text",
    ];
    assert_eq!(rewritten("ann@old.org", &mail), "ann@new.org");
    // The same if only markup may change.
    let markup = [&rule[..], &["--min-evidence", "markup"]].concat();
    assert_eq!(rewritten("old.org", &markup), "old.org");
}

/// A name that is rather a file, a member or words is a link if a rule names its host, before and after the rewrite.
#[test]
fn a_rule_makes_its_hosts_links() {
    let text = "kompas.id, KOMPAS.id/x, www.kompas.id, sport.kompas.id; end.id mykompas.id lib.rs";
    let options = |rules: &'static [&'static str]| [rules, &["--format", "text"]].concat();
    let moved = "lib.rs, lib.rs/x, www.kompas.id, sport.kompas.id; end.id mykompas.id lib.rs";
    let rule = options(&["--map", "kompas.id lib.rs"]);
    assert_eq!(rewritten(text, &rule), moved);
    assert_eq!(rewritten(moved, &rule), moved);
    // A link that is one without rules does not become a name that is one by them alone.
    let domain = "lib.rs, lib.rs/x, www.kompas.id, sport.lib.rs; end.id mykompas.id lib.rs";
    let rule = options(&["--move", "kompas.id", "lib.rs", "--move-subdomains"]);
    assert_eq!(rewritten(text, &rule), domain);
    let native = options(&["--map", "\u{f6}rf.at main.rs"]);
    assert_eq!(
        rewritten("\u{d6}rf.at xn--rf-eka.at", &native),
        "main.rs main.rs"
    );
    // Settings for other kinds of links hold nevertheless.
    let scheme = options(&["--map", "kompas.id lib.rs", "--detect", "scheme"]);
    assert_eq!(
        rewritten("kompas.id http://kompas.id/", &scheme),
        "kompas.id http://lib.rs/"
    );
    let pattern = options(&["--map", r"re:^https://kompas\.id https://lib.rs"]);
    assert_eq!(rewritten("kompas.id", &pattern), "kompas.id");
}

/// A reference in markup without a scheme or `//` is a path.
#[test]
fn a_host_alone_is_a_path_in_markup() {
    let rule = ["--map", "old.example new.example"];
    for (format, document, moved) in [
        (
            "html",
            "<a href=\"old.example/p\">",
            "<a href=\"old.example/p\">",
        ),
        (
            "html",
            "<img srcset=\"old.example/p 2x\">",
            "<img srcset=\"old.example/p 2x\">",
        ),
        (
            "html",
            "<a href=\"//old.example/p\">",
            "<a href=\"//new.example/p\">",
        ),
        (
            "html",
            "<a href=\"http://old.example/p\">",
            "<a href=\"http://new.example/p\">",
        ),
        (
            "css",
            "a{background:url(old.example/p)}",
            "a{background:url(old.example/p)}",
        ),
        ("markdown", "[a](old.example/p)\n", "[a](old.example/p)\n"),
        ("markdown", "[a]: old.example/p\n", "[a]: old.example/p\n"),
        (
            "xml",
            "<?xml-stylesheet href='old.example/p'?><a/>",
            "<?xml-stylesheet href='old.example/p'?><a/>",
        ),
        ("rst", "`a <old.example/p>`_\n", "`a <old.example/p>`_\n"),
    ] {
        let options = [&rule[..], &["--format", format]].concat();
        assert_eq!(rewritten(document, &options), moved, "{format}");
    }
    let rule = ["--map", "old.org new.org"];
    for (format, document, moved) in [
        ("html", "<p>old.org/p", "<p>new.org/p"),
        ("markdown", "see old.org/p\n", "see new.org/p\n"),
        ("text", "//old.org/p", "//new.org/p"),
    ] {
        let options = [&rule[..], &["--format", format]].concat();
        assert_eq!(rewritten(document, &options), moved, "{format}");
    }
}

#[test]
fn the_file_of_a_project_may_ask() {
    let place = Place::new(&[
        (
            "linkglot.toml",
            "[rewrite]\nto = \"uri\"\nmin-evidence = \"name\"\n",
        ),
        ("a.txt", "r\u{e9}sum\u{e9}.com\n"),
    ]);
    let run = place.run(&["rewrite", "--stdout", "a.txt"]);
    run.prints("xn--rsum-bpad.com\n", 0);
}

/// Identifiers of JSON-LD and microdata change by a rule that names their host, not by one for all links.
#[test]
fn identifiers_and_rules_for_all_links() {
    for (name, text) in [
        (
            "a.jsonld",
            "{\"@context\":\"https://schema.org\",\"@id\":\"http://old.example/i\"}",
        ),
        ("a.html", "<p itemscope itemid=\"http://old.example/i\">"),
    ] {
        let moved = |rule: &str| crate::support::rewritten(name, text, &["--map", rule]);
        assert_eq!(moved("re:^http:// https://"), text);
        assert!(
            moved("http://old.example/ https://new.example/").contains("https://new.example/i")
        );
    }
}

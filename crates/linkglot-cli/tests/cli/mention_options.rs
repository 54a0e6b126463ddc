//! The options that mentions of moved hosts name: each set of options reaches its mentions, and nothing reaches the
//! others.

use crate::support::Place;
use std::collections::{BTreeMap, BTreeSet};

/// Mentions: links, names, addresses, and forms that no option reaches.
const FORMS: [&str; 12] = [
    "http://old.com/a",
    "old.com",
    "ann@old.com",
    "mailto:ann@old.com",
    "ann@old.internal",
    "http://old.internal/a",
    "xmpp:ann@old.com",
    "ftp://old.com/a",
    "http://old.com:8080/a",
    "http://ann@old.com/a",
    r"http:\/\/old.com\/a",
    "http://other.org/?u=http://old.com/a",
];

/// Extension, head and tail of a document, and its places; `X` stands for the mention.
type Kind = (
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
);

const KINDS: &[Kind] = &[
    (
        "html",
        "<!doctype html>\n",
        "",
        &[
            "<p>see X here",
            "<p title='X'>x",
            "<p data-src='X'>x",
            "<a hx-get='X'>x</a>",
            "<a href='X'>x</a>",
            "<a href='/a'>X</a>",
            "<code>X</code>",
            "<a href='/a'><code>X</code></a>",
            "<!-- X -->",
            "<!-- <a href='/a'>X</a> -->",
            "<!-- <p data-src='X'> -->",
            "<!--[if IE]><a href='X'>x</a><![endif]-->",
            "<script>var a = 'X';</script>",
            "<script>// X\n</script>",
            "<script>/X/</script>",
            "<script type='application/ld+json'>{\"@id\":\"X\"}</script>",
            "<script type='text/template'><a href='X'>x</a></script>",
            "<style>/* X */</style>",
            "<style>a{background:url(X)}</style>",
            "<p onclick=\"go('X')\">x",
            "<svg xmlns='X'></svg>",
            "<div itemscope itemtype='X'>x</div>",
            "<?php // X\n?>",
        ],
    ),
    (
        "xml",
        "<?xml version='1.0'?>\n<r>\n",
        "</r>",
        &[
            "<a>X</a>",
            "<a b='X'/>",
            "<!-- X -->",
            "<a xmlns='X'/>",
            "<id>X</id>",
            "<guid isPermaLink='false'>X</guid>",
        ],
    ),
    (
        "atom",
        "<?xml version='1.0'?>\n<feed xmlns='http://www.w3.org/2005/Atom'>\n",
        "</feed>",
        &[
            "<id>X</id>",
            "<content type='html'>&lt;code&gt;X&lt;/code&gt;</content>",
            "<content type='html'>&lt;!-- X --&gt;</content>",
            "<category scheme='X' term='a'/>",
        ],
    ),
    (
        "css",
        "",
        "",
        &["/* X */", "a{content:'X'}", "@import 'X';"],
    ),
    ("txt", "", "", &["see X here", "# X"]),
    (
        "md",
        "# t\n\n",
        "",
        &[
            "see X here",
            "[a](X)",
            "[X](/a)",
            "`X`",
            "```\nX\n```",
            "<!-- X -->",
            "text <!-- X --> text",
            "text <code>X</code>",
        ],
    ),
    ("rst", "T\n=\n\n", "", &["``X``", ".. X", "::\n\n  X\n"]),
    (
        "adoc",
        "= t\n\n",
        "",
        &[
            "`X`",
            "----\nX\n----",
            "// X",
            "link:/a[X]",
            "////\nX\n////",
        ],
    ),
    (
        "org",
        "* t\n",
        "",
        &["[[/a][X]]", "=X=", "# X", "#+begin_src sh\nX\n#+end_src"],
    ),
    (
        "textile",
        "h1. t\n\n",
        "",
        &["\"X\":/a", "@X@", "###. X", "bc. X"],
    ),
    (
        "wiki",
        "== t ==\n",
        "",
        &[
            "[/a X]",
            "<!-- X -->",
            "<nowiki>X</nowiki>",
            "<code>X</code>",
        ],
    ),
    (
        "tex",
        "\\documentclass{article}\n\\begin{document}\n",
        "\\end{document}",
        &[
            "\\href{/a}{X}",
            "% X",
            "\\verb|X|",
            "\\begin{verbatim}\nX\n\\end{verbatim}",
        ],
    ),
    (
        "js",
        "",
        "",
        &["var a = 'X';", "// X", "var a = /X/;", "var a = 'X' + b;"],
    ),
    (
        "php",
        "<?php\n",
        "",
        &["$a = 'X';", "// X", "$a = 'X' . $b;"],
    ),
    ("py", "", "", &["a = 'X'", "# X"]),
    (
        "json",
        "[\n",
        "null]",
        &[
            "\"X\",",
            "{\"X\":1},",
            "{\"@id\":\"X\"},",
            "{\"html\":\"<code>X</code>\"},",
            "{\"html\":\"<!-- X -->\"},",
        ],
    ),
    ("yaml", "", "", &["a: X", "# X", "X: 1"]),
    ("toml", "", "", &["a = 'X'", "# X"]),
    ("python", "", "", &["a = 'X'", "# X", "a = '<!-- X -->'"]),
    ("c", "", "", &["f(\"X\");", "// X"]),
    (
        "sql",
        "",
        "",
        &[
            "INSERT INTO a VALUES ('X');",
            "-- X",
            "INSERT INTO a VALUES ('<p><code>X</code>');",
            "INSERT INTO a VALUES ('<p><!-- X -->');",
        ],
    ),
    ("csv", "a,b\n", "", &["1,X", "1,\"<p><a href='/a'>X</a>\""]),
    (
        "po",
        "",
        "",
        &[
            "# X",
            "msgid \"X\"\nmsgstr \"\"",
            "msgid \"a\"\nmsgstr \"X\"",
        ],
    ),
    ("properties", "", "", &["a=X", "# X"]),
    (
        "ics",
        "BEGIN:VCALENDAR\r\n",
        "END:VCALENDAR\r\n",
        &["URL:X\r", "UID:X\r", "X-A:X\r"],
    ),
    (
        "eml",
        "From: a@b.org\nSubject: t\n",
        "",
        &[
            "Comments: X\n\nx",
            "Reply-To: <X>\n\nx",
            "Content-Type: text/html\n\n<p>X\n",
            "Content-Type: text/html\n\n<!-- X -->\n",
            "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n=C3=A9<!-- X -->\n",
            "Content-Type: text/html\n\n<a href='/a'>X</a>\n",
        ],
    ),
];

/// All options that let rules reach more mentions.
const OPTIONS: [&[&str]; 8] = [
    &["--also", "comments"],
    &["--also", "code"],
    &["--also", "text"],
    &["--also", "opt-in"],
    &["--also", "headers"],
    &["--identifiers"],
    &["--move-mail"],
    &["--move-subdomains"],
];

/// Mentions by path and line, with the options that they name.
type Mentions = BTreeMap<(String, u64), Vec<Option<String>>>;

fn mentions(place: &Place, options: &[&str]) -> Mentions {
    let moves = [
        "rewrite",
        "--move",
        "old.com",
        "new.org",
        "--move",
        "old.internal",
        "new.org",
        "--json",
        "-n",
    ];
    let ran = place.run(&[&moves, options, &["."]].concat());
    assert_eq!(ran.code, 0, "{options:?}: {}", ran.err);
    let mut mentions = Mentions::new();
    for object in ran.objects() {
        if object["type"] == "left-behind" {
            let path = object["path"].as_str().expect("a path").to_owned();
            let line = object["line"].as_u64().expect("a line");
            let option = object["option"].as_str().map(str::to_owned);
            mentions.entry((path, line)).or_default().push(option);
        }
    }
    mentions
}

/// A document for each mention at each place: `NUMBER.EXTENSION`, with the text of it.
fn documents() -> BTreeMap<String, String> {
    let mut documents = BTreeMap::new();
    for (extension, head, tail, places) in KINDS {
        for place in *places {
            for form in FORMS {
                let name = format!("{}.{extension}", documents.len());
                let text = format!("{head}{}\n{tail}", place.replace('X', form));
                documents.insert(name, text);
            }
        }
    }
    documents
}

#[test]
fn the_options_of_a_mention_reach_it_and_no_option_reaches_the_others() {
    let documents = documents();
    let place = Place::new(&[]);
    for (name, text) in &documents {
        place.write(name, text.as_bytes());
    }
    let text_of = |path: &str| &documents[path.trim_start_matches("./")];
    let found = mentions(&place, &[]);
    // The words of a note name options for other reasons.
    let named: BTreeSet<&str> = found
        .values()
        .flatten()
        .flatten()
        .map(String::as_str)
        .collect();
    for options in OPTIONS[..7].iter().map(|words| words.join(" ")) {
        assert!(named.contains(&*options), "{options} in {named:?}");
    }
    assert!(named.contains("--also comments --move-mail"), "{named:?}");
    for options in named {
        let words: Vec<&str> = options.split(' ').collect();
        let left = mentions(&place, &words);
        for (at, mentions) in &found {
            let all_name = mentions
                .iter()
                .all(|option| option.as_deref() == Some(options));
            assert!(
                !all_name || !left.contains_key(at),
                "{options} does not reach {at:?}: {}",
                text_of(&at.0)
            );
        }
    }
    let all: Vec<&str> = OPTIONS.concat();
    for options in OPTIONS.into_iter().chain([&all[..]]) {
        let left = mentions(&place, options);
        for (at, mentions) in &found {
            let unreached = mentions.iter().filter(|option| option.is_none()).count();
            let remain = left.get(at).map_or(0, Vec::len);
            assert!(
                remain >= unreached,
                "{options:?} reaches {at:?}: {}",
                text_of(&at.0)
            );
        }
    }
}

/// A move that an option makes impossible, or that has no addresses, names none.
#[test]
fn options_that_a_run_has_or_cannot_have_are_not_named() {
    let place = Place::new(&[(
        "a.html",
        "<!doctype html><!-- ann@old.com -->\n<p title='http://old.com/'>",
    )]);
    let options = |args: &[&str]| -> Vec<Option<String>> {
        let args = [&["rewrite", "--json", "-n", "a.html"], args].concat();
        let objects = place.run(&args).objects();
        let left = objects
            .iter()
            .filter(|object| object["type"] == "left-behind");
        left.map(|object| object["option"].as_str().map(str::to_owned))
            .collect()
    };
    let both = Some("--also comments --move-mail".to_owned());
    let moved = ["--move", "old.com", "new.org"];
    assert_eq!(options(&moved), [both, None]);
    let mail = Some("--move-mail".to_owned());
    assert_eq!(
        options(&[&moved[..], &["--also", "comments"]].concat()),
        [mail, None]
    );
    let comments = Some("--also comments".to_owned());
    assert_eq!(
        options(&[&moved[..], &["--move-mail"]].concat()),
        [comments, None]
    );
    assert_eq!(options(&["--replace", "old.com", "new.org"]), [None, None]);
}

/// Signed links and those that depend on a guessed charset may need another option, too. A value that is to be
/// chosen has a name.
#[test]
fn options_of_signed_parts_and_guessed_charsets() {
    let signed = "From: a@b.org\nContent-Type: multipart/signed; protocol=\"application/pgp-signature\"; boundary=b\n\n\
        --b\nContent-Type: text/html\n\n<!-- http://old.com/ -->\n<a href='http://old.com/'>x</a>\n\
        --b\nContent-Type: application/pgp-signature\n\nx\n--b--\n";
    let guessed = b"<!doctype html><!-- http://old.com/?\xe9 -->\n<a href='http://old.com/?\xe9'>x</a>\n<!-- http://old.com/ -->";
    let place = Place::new(&[("a.eml", signed)]);
    place.write("b.html", guessed);
    let run = |options: &[&str]| -> Vec<Option<String>> {
        let moves = ["rewrite", "--move", "old.com", "new.org", "--json", "-n"];
        let objects = place.run(&[&moves, options].concat()).objects();
        let left = objects
            .iter()
            .filter(|object| object["type"] == "left-behind");
        left.map(|object| object["option"].as_str().map(str::to_owned))
            .collect()
    };
    let both = |options: &[&str]| -> Vec<Option<String>> {
        let options = options.iter().map(|option| (*option).to_owned());
        options.map(Some).collect()
    };
    assert_eq!(
        run(&["a.eml"]),
        both(&["--also comments --break-signatures", "--break-signatures"])
    );
    let options = ["--also", "comments", "--break-signatures", "a.eml"];
    assert_eq!(run(&options), []);
    assert_eq!(
        run(&["b.html"]),
        both(&[
            "--also comments --charset LABEL",
            "--charset LABEL",
            "--also comments"
        ])
    );
    let options = ["--also", "comments", "--charset", "latin1", "b.html"];
    assert_eq!(run(&options), []);
}

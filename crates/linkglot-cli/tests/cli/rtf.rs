//! RTF.

use super::support::{Place, rewritten};

const MOVE: [&str; 2] = ["--map", "http://old.example/ https://new.example/"];

#[test]
fn formats_by_name_and_content() {
    let field = r#"{\rtf1{\field{\*\fldinst HYPERLINK "caf\'e9.html"}}}"#;
    let files = [
        ("a.rtf", field, true),
        ("a.RTF", field, true),
        ("a.doc", field, true),
        ("a.txt", field, true),
        ("a", field, true),
        ("b.txt", &field[1..], false),
    ];
    let place = Place::new(&files.map(|(name, text, _)| (name, text)));
    for (name, _, is_rtf) in files {
        let objects = place.run(&["find", "--json", name]).objects();
        let link = objects.iter().find(|object| object["type"] == "link");
        let text = link.map(|link| link["text"].as_str().unwrap());
        assert_eq!(text, is_rtf.then_some("café.html"), "{name}");
    }
    let typed = place.run(&["find", "-t", "rtf", "-c", "."]).text();
    assert_eq!(typed, "./a.RTF:1\n./a.rtf:1\n");
}

/// A document as word processors write it.
const LETTER: &str = r#"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}}
{\*\generator http://old.example/;}{\info{\title http://old.example/t}}\viewkind4\uc1\pard\f0\fs20 See {\b http://old.example/caf\'e9} or\par
{\field{\*\fldinst{HYPERLINK "http://old.example/a\'e9?b=\{c\}" \\l "d"}}{\fldrslt{\ul\cf1 http://old.example/a}}}\f0 .\par
\f1\'ef\'ee http://old.example/\'ee, \u1083?http://old.example/\u1083?\par
http://old.example/one{\b two} {\pict\wmetafile8 687474703a2f2f}
www.old.example{\i /b} http://old.exam
ple/c\par}"#;

#[test]
fn links_move_in_fields_and_text() {
    let moved = rewritten("a.rtf", LETTER, &MOVE);
    let expected = LETTER
        .replace("http://old.example/", "https://new.example/")
        .replace(
            "generator https://new.example/",
            "generator http://old.example/",
        )
        .replace("http://old.exam\nple/c", "https://new.exam\nple/c");
    assert_eq!(moved, expected);
}

/// Letters are escapes, which every reader knows, and no new brace opens a group.
#[test]
fn letters_are_escaped() {
    let uri = rewritten("a.rtf", LETTER, &["--to", "uri"]);
    for part in [
        "example/caf%C3%A9}",
        "a%C3%A9?b=",
        "example/%D0%BE, ",
        "?http://old.example/%D0%BB\\par",
    ] {
        assert!(uri.contains(part), "{part} in {uri}");
    }
    let iri = rewritten("a.rtf", &uri, &["--to", "iri"]);
    for part in [r"example/caf\u233?}", r"a\u233??b=", r"example/\u1086?, "] {
        assert!(iri.contains(part), "{part} in {iri}");
    }
    let rule = [
        "--map",
        "http://old.example/caf%C3%A9 http://new.example/{é}",
    ];
    assert!(rewritten("a.rtf", &uri, &rule).contains(r"{\b http://new.example/\{\u233?\}}"));
}

/// Octets in a font without a charset have no meaning, and links that other runs continue keep their ends.
#[test]
fn doubtful_links_are_left() {
    for (text, note) in [
        (
            r"{\rtf1{\fonttbl{\f0\fcharset2 Symbol;}}http://old.example/caf\'e9}",
            "left-escaped",
        ),
        (
            r#"{\rtf1{\fonttbl{\f0\fcharset2 Symbol;}}{\field{\*\fldinst HYPERLINK "http://old.example/\'e9"}}}"#,
            "left-escaped",
        ),
        (
            r"{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset0 A;}}http://old.example/\'e9}",
            "left-escaped",
        ),
        (
            r"{\rtf1 http://old.example/well\_known/a\-b}",
            "left-escaped",
        ),
        ("{\\rtf1\\ansi http://old.example/\u{e9}}", "left-escaped"),
        (
            r"{\rtf1\ansi{\fonttbl{\f0 A Cyr;}}http://old.example/\'e9}",
            "left-escaped",
        ),
        (r"{\rtf1 http://old.example/blog{\b ger}}", "left-template"),
    ] {
        let place = Place::new(&[("a.rtf", text)]);
        let rules = [
            "--map",
            "http://old.example/blog http://new.example/b",
            "--to",
            "uri",
        ];
        let rewrite = [&["rewrite", "--json", "-n", "a.rtf"], &rules[..]].concat();
        let objects = place.run(&rewrite).objects();
        let left = objects.iter().find(|object| object["notes"].is_array());
        let notes = left.expect("a link")["notes"].as_array().unwrap();
        assert!(notes.iter().any(|found| found == note), "{text}: {notes:?}");
        assert_eq!(rewritten("a.rtf", text, &rules), text);
    }
}

/// Both copies of a text in Unicode and in a code page move; a text that was made of HTML stays with that.
#[test]
fn texts_that_stand_twice() {
    let twice = r"{\rtf1{\upr{\footnote http://old.example/?}{\*\ud{\footnote http://old.example/\u233?}}}}";
    assert_eq!(
        rewritten("a.rtf", twice, &MOVE),
        twice.replace("http://old", "https://new")
    );
    let html = r#"{\rtf1\ansi\fromhtml1{\*\htmltag84 <a href="http://old.example/">}\htmlrtf {\htmlrtf0 http://old.example/}}"#;
    assert_eq!(rewritten("a.rtf", html, &MOVE), html);
}

#[test]
fn rtf_keeps_its_charset() {
    let place = Place::new(&[("a.rtf", LETTER)]);
    let ran = place.run(&["rewrite", "--stdout", "--to-charset", "utf-16le", "a.rtf"]);
    ran.complains(&["RTF cannot get another charset"], 3);
}

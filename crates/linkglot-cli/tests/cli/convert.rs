//! `linkglot convert` and `linkglot explain`, and generated output.

use crate::support::Place;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

fn convert(args: &[&str]) -> crate::support::Ran {
    Place::new(&[]).run(&[&["convert"], args].concat())
}

fn object(args: &[&str]) -> Value {
    let run = convert(&[&["--json"], args].concat());
    let mut objects = run.objects();
    assert_eq!(objects.len(), 1, "{run:?}");
    objects.remove(0)
}

#[test]
fn arguments() {
    convert(&["--to", "uri", "http://résumé.example/é", "/ü"])
        .prints("http://xn--rsum-bpad.example/%C3%A9\n/%C3%BC\n", 0);
    convert(&["--to", "iri", "http://xn--rsum-bpad.example/%C3%A9"])
        .prints("http://résumé.example/é\n", 0);
    convert(&["--to", "normal", "HTTP://EXAMPLE.org/a/./b/../%7e"])
        .prints("http://example.org/a/~\n", 0);
}

#[test]
fn lines() {
    let place = Place::new(&[]);
    let run = place.pipe(&["convert", "--to", "uri"], "\u{FEFF}/é\r\n\n/ü\n/last");
    run.prints("/%C3%A9\n\n/%C3%BC\n/last\n", 0);
    place.pipe(&["convert", "--to", "uri"], "").prints("", 0);
}

/// All forms of an identifier from another charset, or from paper, stand for the same resource.
#[test]
fn all_forms_are_of_what_is_meant() {
    let apart = "http://a.example/e\u{301}";
    convert(&["--to", "normal", "-E", "windows-1258", apart])
        .prints("http://a.example/%C3%A9\n", 0);
    convert(&["--to", "normal", "--from-paper", apart]).prints("http://a.example/%C3%A9\n", 0);
    convert(&["--to", "iri", "--from-paper", apart]).prints("http://a.example/\u{e9}\n", 0);
    convert(&["--to", "normal", apart]).prints("http://a.example/e%CC%81\n", 0);
    let latin = [
        "-E",
        "iso-8859-1",
        "--query-charset",
        "document",
        "http://a.example/\u{e9}?\u{e9}",
    ];
    convert(&[&["--to", "normal"], &latin[..]].concat()).prints("http://a.example/%C3%A9?%E9\n", 0);
    convert(&[&["--to", "iri"], &latin[..]].concat()).prints("http://a.example/\u{e9}?%E9\n", 0);
    let run = Place::new(&[]).run(&["explain", "--json", "-E", "windows-1258", apart]);
    assert_eq!(run.objects()[0]["normal"], "http://a.example/%C3%A9");
}

/// Every form of hosts and every way of encoding works with every target.
#[test]
fn options_hold_for_every_target() {
    let cases: &[(&[&str], &str, &str)] = &[
        (
            &["--to", "iri", "--host", "punycode"],
            "http://é.org/é",
            "http://xn--9ca.org/é",
        ),
        (
            &["--to", "iri", "--host", "punycode"],
            "http://%C3%A9.org/",
            "http://xn--9ca.org/",
        ),
        (
            &["--to", "iri", "--host", "percent"],
            "http://é.org/%C3%A9",
            "http://%C3%A9.org/é",
        ),
        (
            &["--to", "iri", "--host", "unicode"],
            "http://xn--9ca.org/",
            "http://é.org/",
        ),
        (
            &["--to", "normal", "--host", "unicode"],
            "http://xn--9ca.org:80/é",
            "http://é.org:80/%C3%A9",
        ),
        (
            &["--to", "normal", "--host", "punycode"],
            "http://É.org/",
            "http://xn--9ca.org/",
        ),
        (
            &["--to", "iri", "--ascii", "encode"],
            "/a b/%C3%A9",
            "/a%20b/é",
        ),
        (&["--to", "normal", "--ascii", "encode"], "/a b", "/a%20b"),
        (
            &["--to", "iri", "--other", "encode"],
            "/\u{fffe}",
            "/%EF%BF%BE",
        ),
    ];
    for (args, given, wanted) in cases {
        convert(&[args, &[*given][..]].concat()).prints(&format!("{wanted}\n"), 0);
    }
}

#[test]
fn a_line_that_fails_prints_nothing() {
    let place = Place::new(&[]);
    let run = place.pipe(&["convert", "--to", "uri"], "/a\n/b c\n/d\n");
    assert_eq!(run.text(), "/a\n/d\n");
    run.complains(
        &["linkglot: -:2: expected a character of an IRI", "at byte 2"],
        1,
    );
    let run = convert(&["--to", "uri", "/b c"]);
    run.complains(&["linkglot: /b c: expected"], 1);
    let run = place.pipe(&["convert", "--to", "uri", "--json"], "/a\n/b c\n/d\n");
    let objects = run.objects();
    assert_eq!(objects.len(), 3);
    assert_eq!(objects[1]["error"]["kind"], "disallowed-ascii");
    assert_eq!(objects[1]["error"]["at"], 2);
    assert_eq!(objects[1]["uri"], json!(null));
    assert_eq!(run.code, 1);
}

#[test]
fn json_objects() {
    let expected = json!({
        "input": "../é", "uri": "http://example.org/%C3%A9", "iri": null, "normal": null,
        "target": "http://example.org/é", "error": null, "notes": [],
        "bidi": {"verdict": "ok", "violations": []},
    });
    let found = object(&["--to", "uri", "--base", "http://example.org/a/b", "../é"]);
    assert_eq!(found, expected);
    let bidi = &object(&["--to", "uri", "http://example.org/abגד"])["bidi"];
    assert_eq!(bidi["verdict"], "not-recommended");
    assert_eq!(bidi["violations"][0][1], "abגד");
}

/// A URI has no direction: the verdict is that of its IRI.
#[test]
fn bidi_is_that_of_what_was_given() {
    let verdict = |args: &[&str]| object(args)["bidi"]["verdict"].clone();
    let uri = "/a%D7%90";
    assert_eq!(verdict(&["--to", "iri", uri]), "ok");
    assert_eq!(
        verdict(&["--to", "iri", "--display", "minimal", uri]),
        "not-recommended"
    );
    assert_eq!(verdict(&["--to", "uri", uri]), "ok");
    assert_eq!(verdict(&["--to", "uri", "/aא"]), "not-recommended");
    assert_eq!(verdict(&["--to", "iri", "/aא"]), "not-recommended");
}

#[test]
fn every_variant() {
    let uri = |args: &[&str]| {
        let run = convert(&[&["--to", "uri"], args].concat());
        run.text().trim_end().to_owned()
    };
    let host = |form| uri(&["--host", form, "http://é.example/é"]);
    assert_eq!(host("punycode"), "http://xn--9ca.example/%C3%A9");
    assert_eq!(host("percent"), "http://%C3%A9.example/%C3%A9");
    assert_eq!(host("unicode"), "http://é.example/%C3%A9");
    assert_eq!(host("keep"), "http://é.example/%C3%A9");
    assert_eq!(uri(&["--ascii", "encode", "/a b"]), "/a%20b");
    assert_eq!(uri(&["--other", "encode", "/\u{FDD0}"]), "/%EF%B7%90");
    assert_eq!(uri(&["--other", "fail", "/\u{FDD0}"]), "");
    assert_eq!(uri(&["/e\u{301}"]), "/e%CC%81");
    assert_eq!(uri(&["--from-paper", "/e\u{301}"]), "/%C3%A9");
    let query = |args: &[&str]| {
        let mut all = vec!["-E", "iso-8859-1", "--query-charset", "document"];
        all.extend(args);
        uri(&all)
    };
    assert_eq!(
        query(&["http://a.example/é?é"]),
        "http://a.example/%C3%A9?%E9"
    );
    assert_eq!(query(&["http://a.example/?я"]), "");
    assert_eq!(
        query(&["--unencodable", "ncr", "http://a.example/?я"]),
        "http://a.example/?%26%231103%3B"
    );
    assert_eq!(
        query(&["--unencodable", "utf-8", "http://a.example/?я"]),
        "http://a.example/?%D1%8F"
    );
    let iri = |args: &[&str]| {
        let run = convert(&[&["--to", "iri"], args].concat());
        run.text().trim_end().to_owned()
    };
    assert_eq!(iri(&["/%C3%A9%E2%80%8B"]), "/é%E2%80%8B");
    assert_eq!(
        iri(&["--display", "minimal", "/%C3%A9%E2%80%8B"]),
        "/é\u{200B}"
    );
    assert_eq!(
        iri(&["--host", "keep", "http://xn--9ca.example/%C3%A9"]),
        "http://xn--9ca.example/é"
    );
    let normal = |level| {
        let run = convert(&[
            "--to",
            "normal",
            "--level",
            level,
            "HTTP://É.example:80/%7e/../x",
        ]);
        run.text().trim_end().to_owned()
    };
    assert_eq!(normal("string"), "HTTP://É.example:80/%7e/../x");
    assert!(normal("case").contains("/%7E/../x"));
    assert!(normal("percent").contains("/~/../x"));
    assert!(normal("path").ends_with(":80/x"));
    assert_eq!(normal("scheme"), "http://xn--9ca.example/x");
}

#[test]
fn what_is_no_reference_is_mapped_and_noted() {
    let notes = |args: &[&str]| object(args)["notes"].clone();
    for odd in [
        ":x",
        "é:ü",
        "/[é]",
        "a#b#c",
        "http://a:8x/",
        "http://[fe80::1%25eth0]/",
    ] {
        for form in ["uri", "iri"] {
            assert_eq!(
                notes(&["--to", form, odd]),
                json!(["invalid-reference"]),
                "{odd}"
            );
        }
        let explained = Place::new(&[]).run(&["explain", "--json", odd]).objects();
        assert_eq!(explained[0]["valid"], false, "{odd}");
    }
    assert_eq!(
        notes(&["--to", "iri", "/a b"]),
        json!(["invalid-reference"])
    );
    assert_eq!(notes(&["--to", "uri", "/100%"]), json!(["invalid-percent"]));
    for good in ["", "x:", "./a:b", "?:", "#", "//[::1]", "/é"] {
        assert_eq!(notes(&["--to", "uri", good]), json!([]), "{good}");
    }
    let at_base = ["--to", "uri", "--base", "http://a.example/", ":x"];
    assert_eq!(notes(&at_base), json!([]));
}

/// Each input line gives one output line, whatever the number of its references.
#[test]
fn preprocessing() {
    let place = Place::new(&[]);
    let run = |args: &[&str], input: &str| {
        place.pipe(&[&["convert", "--to", "uri"], args].concat(), input)
    };
    let lines = " /a  /é b|\t\n\n /&#233;/&eacute; \n";
    run(&["--preprocess", "encode", "--ascii", "encode"], lines)
        .prints("/a%20%20/%C3%A9%20b%7C\n\n/&#233;/&eacute;\n", 0);
    run(
        &["--preprocess", "remove", "--character-references", "xml"],
        " / é \t&#233;&eacute;\n",
    )
    .prints("/%C3%A9%C3%A9&eacute;\n", 0);
    let split = ["--preprocess", "split", "--character-references", "html"];
    let found = run(&split, lines);
    assert_eq!(found.text(), "/a\n/%C3%A9\n/%C3%A9/%C3%A9\n");
    found.complains(&["linkglot: -:1: expected"], 1);
    let objects = run(&[&split[..], &["--json"]].concat(), lines).objects();
    let uris = |object: &Value| {
        let references = object["references"].as_array().unwrap().iter();
        references.map(|one| one["uri"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(objects.len(), 3);
    assert_eq!(
        uris(&objects[0]),
        [json!("/a"), json!("/%C3%A9"), json!(null)]
    );
    assert_eq!(
        objects[0]["references"][2]["error"]["kind"],
        "disallowed-ascii"
    );
    assert_eq!(objects[1], json!({"input": "", "references": []}));
    assert_eq!(uris(&objects[2]), [json!("/%C3%A9/%C3%A9")]);
    let explained = place.run(&["explain", "--json", "--preprocess", "encode", " /a b"]);
    assert_eq!(explained.objects()[0]["references"][0]["valid"], true);
    let alone = place.run(&[
        "convert",
        "--to",
        "uri",
        "--character-references",
        "xml",
        "/",
    ]);
    assert_eq!(alone.code, 2);
}

#[test]
fn resolution_and_domain_names_as_they_once_were() {
    let uri = |args: &[&str]| object(&[&["--to", "uri"], args].concat())["uri"].clone();
    let base = ["--base", "http://a.example/b/c"];
    assert_eq!(uri(&[&base[..], &["http:d"]].concat()), "http:d");
    assert_eq!(
        uri(&[&base[..], &["--lax", "http:d"]].concat()),
        "http://a.example/b/d"
    );
    assert_eq!(
        uri(&["http://straße.example"]),
        "http://xn--strae-oqa.example"
    );
    assert_eq!(
        uri(&["--idna", "2003", "http://straße.example"]),
        "http://strasse.example"
    );
    // Not decoded: it would map back to another host.
    let once = |to, iri| object(&["--to", to, "--idna", "2003", iri])[to].clone();
    let host = "http://xn--strae-oqa.example/";
    assert_eq!(once("iri", host), host);
    assert_eq!(once("iri", "http://xn--4ca.example/"), "http://ä.example/");
    let normal = once("normal", "http://Straße.example/");
    assert_eq!(normal, "http://strasse.example/");
}

/// By default, hosts have the form of the DNS, and `explain` agrees.
#[test]
fn the_normal_form_of_hosts() {
    let normal = |args: &[&str]| {
        let run = convert(&[&["--to", "normal"], args].concat());
        run.text().trim_end().to_owned()
    };
    for (iri, expected) in [
        ("http://É.example", "http://xn--9ca.example"),
        (
            "HTTP://ü:ä@é.example:8080/a/../é?é#é",
            "http://%C3%BC:%C3%A4@xn--9ca.example:8080/%C3%A9?%C3%A9#%C3%A9",
        ),
        ("http://%C3%89.example/%7e", "http://xn--9ca.example/~"),
        ("http://a.example:80", "http://a.example:80"),
        ("x://é.example/", "x://%C3%A9.example/"),
        ("//é.example/", "//%C3%A9.example/"),
        ("http://[::1]/é", "http://[::1]/%C3%A9"),
        ("http:///é", "http:///%C3%A9"),
        ("mailto:é", "mailto:%C3%A9"),
        ("", ""),
    ] {
        assert_eq!(normal(&[iri]), expected);
        assert_eq!(normal(&["--host", "punycode", iri]), expected);
        let explained = Place::new(&[]).run(&["explain", "--json", iri]).objects();
        assert_eq!(explained[0]["normal"], expected);
    }
    let percent = "http://%C3%A9.example";
    assert_eq!(normal(&["--host", "percent", "http://é.example"]), percent);
    assert_eq!(normal(&["--level", "path", "http://é.example"]), percent);
    let both = ["--level", "percent", "--host", "punycode"];
    let found = normal(&[&both[..], &["http://é.example/."]].concat());
    assert_eq!(found, "http://xn--9ca.example/.");
}

#[test]
fn explaining_what_is_not_valid() {
    let run = Place::new(&[]).run(&["explain", "--json", "é b"]);
    let found = &run.objects()[0];
    let message = "expected a character of the path, found U+0020, at byte 2";
    let invalid = json!({
        "code": "invalid", "start": 2, "end": 3, "message": message, "detail": " ",
    });
    assert_eq!(found["uri"], json!(null));
    assert_eq!(found["error"]["message"], message);
    assert_eq!(found["details"], json!([invalid]));
    assert_eq!(found["warnings"], json!([]));
}

/// `explain` prints the same normal form as `convert`, even for invalid references and those without a URI.
#[test]
fn explaining_has_the_normal_form_of_convert() {
    let place = Place::new(&[]);
    let odd = [
        "é b",
        "http://é_.example/%7e",
        "http://a^b.example/",
        "http://A/%zz",
        "/\u{FDD0}",
    ];
    for iri in odd {
        let normal = convert(&["--to", "normal", iri]).text();
        let found = place.run(&["explain", "--json", iri]).objects();
        assert_eq!(found[0]["normal"], normal.trim_end_matches('\n'), "{iri}");
        let words = place.run(&["explain", iri]).text();
        assert!(
            words.contains(&format!("\n  normal    {normal}")),
            "{words}"
        );
    }
}

/// Positions refer to the input: the identifier, or the base if that is faulty.
#[test]
fn errors_below_a_base() {
    let at = |base: &str, iri: &str| {
        let run = convert(&["--to", "uri", "--json", "--base", base, iri]);
        assert_eq!(run.code, 1);
        let error = &run.objects()[0]["error"];
        let message = error["message"].as_str().unwrap().to_owned();
        (error["kind"].clone(), error["at"].as_u64(), message)
    };
    let (kind, place, message) = at("http://a^b.example/x", "é");
    assert_eq!((kind, place), (json!("base"), Some(8)));
    assert!(
        message.ends_with(", at byte 8 of the base `http://a^b.example/x`"),
        "{message}"
    );
    let (kind, place, message) = at("http://a.example/x/y", "é\"");
    assert_eq!((kind, place), (json!("disallowed-ascii"), Some(2)));
    assert!(message.ends_with(", at byte 2"), "{message}");
    // If both are faulty, the identifier is reported first.
    let (_, place, _) = at("http://a^b.example/x", "\"");
    assert_eq!(place, Some(0));
    // An error of the identifier is not attributed to the base.
    convert(&["--to", "uri", "--base", "http://a.example/b c", "é"])
        .prints("http://a.example/%C3%A9\n", 0);
}

/// Explanations and errors escape control characters for the terminal.
#[test]
fn control_characters_are_shown() {
    let run = Place::new(&[]).run(&["explain", "/\x1B[31m\u{9B}1\nx"]);
    assert!(
        run.text().starts_with("/\\u{1b}[31m\\u{9b}1\\nx\n"),
        "{run:?}"
    );
    assert!(
        run.err.starts_with("linkglot: /\\u{1b}[31m\\u{9b}1\\nx: "),
        "{run:?}"
    );
    let is_shown = |text: &str| !text.contains(|ch: char| ch.is_control() && ch != '\n');
    assert!(is_shown(&run.text()) && is_shown(&run.err), "{run:?}");
    // The file name may come from a shell's glob.
    let run = Place::new(&[]).run(&["find", "--threads", "\x1B[31m\u{202E}\u{E0041}"]);
    run.complains(&["invalid value '\\u{202e}\\u{e0041}'"], 2);
    assert!(is_shown(&run.err), "{run:?}");
    // Results for scripts are printed raw.
    convert(&["--to", "normal", "/\x1B"]).prints("/\x1B\n", 0);
}

#[test]
fn charsets() {
    let place = Place::new(&[]);
    let run = |label, bytes: &[u8]| place.pipe(&["convert", "--to", "uri", "-E", label], bytes);
    run("iso-8859-1", b"/\xE9\n").prints("/%C3%A9\n", 0);
    run("shift_jis", b"/\x83\x5C\n").prints("/%E3%82%BD\n", 0);
    run("utf-16le", b"/\0\xE9\0\n\0/\0a\0").prints("/%C3%A9\n/a\n", 0);
    run("iso-2022-jp", b"/\x1B$B%=\x1B(B\n/a\n").prints("/%E3%82%BD\n/a\n", 0);
    let wrong = place.pipe(&["convert", "--to", "uri", "--json"], *b"/a\xFF\n/b\n");
    let objects = wrong.objects();
    assert_eq!(objects[0]["error"]["kind"], "decode");
    assert_eq!(objects[0]["error"]["at"], 2);
    assert_eq!(objects[1]["uri"], "/b");
    assert_eq!(wrong.code, 1);
    wrong.complains(&["malformed"], 1);
}

#[test]
fn a_conversation() {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("linkglot"));
    let mut child = command
        .args(["convert", "--to", "uri"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut question = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for (asked, answer) in [("/é", "/%C3%A9"), ("/ü", "/%C3%BC")] {
        writeln!(question, "{asked}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), answer);
    }
    drop(question);
    assert!(child.wait().unwrap().success());
}

#[test]
fn explaining() {
    let place = Place::new(&[]);
    let run = place.run(&["explain", "http://user@résumé.example:8080/é?q#f"]);
    let expected = "\
http://user@résumé.example:8080/é?q#f
a valid IRI
  scheme    http
  userinfo  user
  host      résumé.example
  port      8080
  path      /é
  query     q
  fragment  f
  as URI    http://user@xn--rsum-bpad.example:8080/%C3%A9?q#f
  as IRI    http://user@résumé.example:8080/é?q#f
  normal    http://user@xn--rsum-bpad.example:8080/%C3%A9?q#f
";
    run.prints(expected, 0);
    let run = place.run(&["explain", "/a b"]);
    run.complains(&["expected", "found U+0020"], 1);
    assert!(run.text().contains("not valid: expected"), "{run:?}");
    let words = "  tolerated a space, at byte 2 (space)\n";
    assert!(run.text().contains(words), "{run:?}");
    let run = place.run(&["explain", "http://xn--80ak6aa92e.com/%FF"]);
    assert!(run.text().contains("(confusable-host)"), "{run:?}");
    assert!(run.text().contains("(legacy-percent)"), "{run:?}");
}

/// As a reference the text is relative, as a link in running text it has a host.
#[test]
fn explaining_a_link_of_running_text() {
    let place = Place::new(&[]);
    let expected = "\
www.example.org/é
a valid relative reference
  path      www.example.org/é
  as URI    www.example.org/%C3%A9
  as IRI    www.example.org/é
  normal    www.example.org/%C3%A9
  in text   a link, read with the scheme that it implies:
https://www.example.org/é
a valid IRI
  scheme    https
  host      www.example.org
  path      /é
  as URI    https://www.example.org/%C3%A9
  as IRI    https://www.example.org/é
  normal    https://www.example.org/%C3%A9
";
    place
        .run(&["explain", "www.example.org/é"])
        .prints(expected, 0);
    let run = place.run(&[
        "explain",
        "--json",
        "www.example.org/é",
        "ann@a.org",
        "/é",
        "a.html",
    ]);
    let objects = run.objects();
    assert_eq!(objects[0]["components"]["host"], json!(null));
    assert_eq!(
        objects[0]["in_text"]["components"]["host"],
        "www.example.org"
    );
    assert_eq!(
        objects[0]["in_text"]["uri"],
        "https://www.example.org/%C3%A9"
    );
    assert_eq!(objects[1]["in_text"]["uri"], "mailto:ann@a.org");
    assert_eq!(objects[2]["in_text"], json!(null));
    assert_eq!(objects[3]["in_text"], json!(null));
    let deceptive = place
        .run(&["explain", "--json", "xn--80ak6aa92e.com"])
        .objects();
    assert_eq!(deceptive[0]["in_text"]["warnings"][0], "confusable-host");
}

/// The help describes every code that a command prints; notes have descriptions.
#[test]
fn codes_in_words() {
    use linkglot::notes::Note;
    let place = Place::new(&[]);
    let help = place.run(&["help", "explain"]).text();
    let notes = Note::ALL.iter().map(|note| (note.code(), note.words()));
    let has = |code: &str| help.lines().any(|line| line.trim_start().starts_with(code));
    for (code, words) in notes {
        assert!(has(code), "{code} in {help}");
        assert!(!words.is_empty() && !words.ends_with('.'));
    }
    let args = ["explain", "-E", "windows-1258"];
    let run = place.pipe(&args, *b"/Vi\xEA\xF2t\n");
    assert!(
        run.text()
            .contains("  note      normalizing to NFC changed"),
        "{run:?}"
    );
    let run = place.pipe(&[&args[..], &["--json"]].concat(), *b"/Vi\xEA\xF2t\n");
    assert_eq!(run.objects()[0]["notes"], json!(["nfc-changed"]));
}

#[test]
fn explaining_in_json() {
    let place = Place::new(&[]);
    let run = place.pipe(&["explain", "--json"], "http://é.example/\n/a b\n");
    let objects = run.objects();
    assert_eq!(objects.len(), 2);
    let components = json!({
        "scheme": "http", "userinfo": null, "host": "é.example", "port": null, "path": "/",
        "query": null, "fragment": null,
    });
    assert_eq!(objects[0]["components"], components);
    assert_eq!(objects[0]["valid"], true);
    assert_eq!(objects[0]["uri"], "http://xn--9ca.example/");
    assert_eq!(objects[0]["warnings"], json!([]));
    assert_eq!(objects[1]["valid"], false);
    assert_eq!(objects[1]["components"], json!(null));
    assert_eq!(objects[0]["tolerated"], json!([]));
    assert_eq!(objects[0]["error"], json!(null));
    assert_eq!(objects[1]["read"]["path"], "/a b");
    let space = json!([{"code": "space", "at": 2, "message": "a space"}]);
    assert_eq!(objects[1]["tolerated"], space);
    assert_eq!(objects[1]["error"]["kind"], "invalid");
    assert_eq!(objects[1]["error"]["at"], 2);
    assert_eq!(run.code, 1);
    let run = place.run(&["explain", "--json", "http://xn--80ak6aa92e.com/"]);
    assert_eq!(run.objects()[0]["warnings"][0], "confusable-host");
}

#[test]
fn help_version_and_generated_files() {
    let place = Place::new(&[]);
    let short = place.run(&["--help"]);
    assert!(short.text().lines().count() < 30, "{}", short.text());
    assert_eq!(short.code, 0);
    let long = place.run(&["help", "rewrite"]).text();
    for word in [
        "--map-file",
        "Examples:",
        "Exit code:",
        "--output <DIR>",
        "-O converted",
    ] {
        assert!(long.contains(word), "{word}");
    }
    let none = place.run(&[]);
    assert_eq!(none.code, 2);
    let version = place.run(&["--version"]).text();
    assert_eq!(version, format!("linkglot {}\n", env!("CARGO_PKG_VERSION")));
    let tables = place.run(&["--version", "--verbose"]).text();
    assert!(
        tables
            .lines()
            .skip(1)
            .all(|line| line.contains("Unicode 1")),
        "{tables}"
    );
    assert!(tables.lines().count() > 3);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.run(&["completions", shell]);
        assert!(script.text().contains("rewrite"));
        assert_eq!(script.code, 0);
    }
    assert!(place.run(&["man"]).text().contains(".TH linkglot"));
    assert!(place.run(&["man", "rewrite"]).text().contains("map\\-file"));
    assert_eq!(place.run(&["man", "nothing"]).code, 2);
}

/// A name without semicolon before `=` or a letter is not a reference in an attribute (HTML 13.2.5.73).
#[test]
fn character_references_are_those_of_attributes() {
    let args = [
        "--to",
        "uri",
        "--preprocess",
        "encode",
        "--character-references",
    ];
    let run = |format, text| convert(&[&args[..], &[format, text]].concat());
    run("html", "?a&copy=1&eacute;&reg").prints("?a&copy=1%C3%A9%C2%AE\n", 0);
    run("html", "?a&copyx&amp;b").prints("?a&copyx&b\n", 0);
    run("xml", "?a&copy=1&amp;b").prints("?a&copy=1&b\n", 0);
}

/// RFC 3987 3.1 allows encoding a backslash; browsers never do.
#[test]
fn encoded_backslashes_are_noted() {
    let notes = |iri| object(&["--to", "uri", "--ascii", "encode", iri])["notes"].clone();
    assert_eq!(notes("http://a.example/a\\é"), json!(["backslash-encoded"]));
    assert_eq!(notes("foo:a\\b"), json!(["backslash-encoded"]));
    assert_eq!(notes("http://a.example/a?é\\"), json!([]));
    assert_eq!(
        object(&["--to", "uri", "foo:a\\b"])["error"]["kind"],
        "disallowed-ascii"
    );
}

/// RFC 3987 7.7: software wrote URIs in other charsets.
#[test]
fn explaining_escapes_in_other_charsets() {
    let place = Place::new(&[]);
    let run = place.run(&["explain", "http://a.example/caf%E9"]);
    let advice = "  advice    the escapes are not UTF-8; as windows-1252, caf%E9 reads café\n";
    assert!(run.text().contains(advice), "{run:?}");
    assert_eq!(run.code, 0);
    let objects = place
        .run(&["explain", "--json", "/%E9", "/%C3%A9"])
        .objects();
    let advice = json!([{
        "charset": "windows-1252", "start": 1, "end": 4, "text": "é",
        "message": "the escapes are not UTF-8; as windows-1252, %E9 reads é",
    }]);
    assert_eq!(objects[0]["advice"], advice);
    assert_eq!(objects[1]["advice"], json!([]));
    let run = place.run(&["explain", "--json", "-E", "koi8-r", "/%D0%D2%C9%D7%C5%D4"]);
    assert_eq!(run.objects()[0]["advice"][0]["text"], "привет");
}

/// Brackets in a path stay, but an authority that cannot be read has no host, and the text no URI.
#[test]
fn authorities_in_brackets() {
    let place = Place::new(&[]);
    for text in [
        "http://[",
        "http://[::1",
        "//[x",
        "http://[::1]é/",
        "http://é[/",
    ] {
        let run = place.run(&["convert", "--to", "uri", text]);
        run.complains(&["found a host that has no ASCII form, at byte "], 1);
        assert!(run.out.is_empty(), "{run:?}");
        let explained = place.run(&["explain", text]);
        assert!(
            explained.text().contains("as URI    none: "),
            "{explained:?}"
        );
    }
    for (text, uri) in [
        ("http://[::1]/é[x]", "http://[::1]/%C3%A9[x]\n"),
        (
            "http://[fe80::1%25eth0]:80/",
            "http://[fe80::1%25eth0]:80/\n",
        ),
    ] {
        place.run(&["convert", "--to", "uri", text]).prints(uri, 0);
    }
}

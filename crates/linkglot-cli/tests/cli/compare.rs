//! `linkglot compare`.

use crate::support::{Place, Ran};
use serde_json::json;

fn compare(args: &[&str]) -> Ran {
    Place::new(&[]).run(&[&["compare"], args].concat())
}

#[test]
fn each_rung_and_each_component() {
    for (a, b, expected) in [
        ("http://é/", "http://é/", "same: string\n"),
        (
            "HTTP://a.example/%c3",
            "http://A.example/%C3",
            "same: case\n",
        ),
        ("/%7euser/é", "/~user/%C3%A9", "same: percent\n"),
        (
            "http://a.example/b/../c",
            "http://a.example/c",
            "same: path\n",
        ),
        (
            "http://é.example",
            "http://xn--9ca.example:80/",
            "same: scheme\n",
        ),
        ("/a%2Fb", "/a/b", "different: path\n  /a%2Fb\n  /a/b\n"),
        (
            "/é",
            "/e\u{301}",
            "different: path\n  /%C3%A9\n  /e%CC%81\n",
        ),
        ("/a?", "/a", "different: query\n  \n  (no query)\n"),
        (
            "http://u@a/",
            "http://a/",
            "different: userinfo\n  u\n  (no userinfo)\n",
        ),
        ("/a\x1B\n", "/b", "different: path\n  /a\\u{1b}\\n\n  /b\n"),
    ] {
        let code = i32::from(!expected.starts_with("same"));
        compare(&[a, b]).prints(expected, code);
    }
}

#[test]
fn objects() {
    let run = compare(&["--json", "/%7E", "/~"]);
    let same = json!({
        "a": "/%7E", "b": "/~", "same": true, "rung": "percent", "component": null, "values": null,
    });
    assert_eq!((run.objects(), run.code), (vec![same], 0));
    let run = compare(&["--json", "http://a:81", "http://a"]);
    let different = json!({
        "a": "http://a:81", "b": "http://a", "same": false, "rung": null, "component": "port",
        "values": ["81", null],
    });
    assert_eq!((run.objects(), run.code), (vec![different], 1));
}

/// References are resolved before they are compared (RFC 3987 5.1).
#[test]
fn references_below_a_base() {
    compare(&["../b", "/b"]).prints("different: path\n  ../b\n  /b\n", 1);
    let base = ["--base", "http://example.org/a/"];
    compare(&[&base[..], &["../b", "/b"]].concat()).prints("same: string\n", 0);
}

/// Characters of other charsets are normalized when they become Unicode (RFC 3987 5.3.2.2).
#[test]
#[cfg(unix)]
fn other_charsets_are_normalized() {
    use std::os::unix::ffi::OsStrExt;
    for (charset, a, b) in [
        (
            "windows-1258",
            &b"http://h/Vi\xEA\xF2t"[..],
            "http://h/Vi\u{1EC7}t",
        ),
        ("shift_jis", b"http://h/\x81\xF0", "http://h/\u{C5}"),
    ] {
        let place = Place::new(&[]);
        let mut command = place.command(&["compare", "-E", charset]);
        command.arg(std::ffi::OsStr::from_bytes(a)).arg(b);
        command.assert().success().stdout("same: string\n");
    }
}

/// Bidi formatting characters around an identifier are no part of it (RFC 3987 4.1).
#[test]
fn formatting_characters_around() {
    compare(&["\u{202A}http://h/\u{5D0}\u{202C}", "http://h/\u{5D0}"]).prints("same: string\n", 0);
    let base = ["--base", "\u{202A}http://h/\u{5D0}/\u{202C}"];
    compare(&[&base[..], &["a", "/\u{5D0}/a"]].concat()).prints("same: string\n", 0);
}

/// Requests have no fragment (RFC 3987 5.1).
#[test]
fn without_fragments() {
    compare(&["http://h/a", "http://h/a#x"])
        .prints("different: fragment\n  (no fragment)\n  x\n", 1);
    compare(&["--ignore-fragment", "http://h/a", "http://h/a#x"]).prints("same: string\n", 0);
    let base = ["--ignore-fragment", "--base", "http://h/a"];
    compare(&[&base[..], &["#x", ""]].concat()).prints("same: string\n", 0);
}

#[test]
fn wrong_usage() {
    for args in [&["a"][..], &["a", "b", "c"], &["--base", "a", "b", "c"]] {
        let run = compare(args);
        assert_eq!((run.text().as_str(), run.code), ("", 2), "{run:?}");
    }
    compare(&["--", "-x", "-x"]).prints("same: string\n", 0);
}

#[test]
#[cfg(unix)]
fn arguments_in_another_charset() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new(&[]);
    let run = |options: &[&str]| {
        let mut command = place.command(&["compare", "/é"]);
        command.args(options).arg(OsStr::from_bytes(b"/\xE9"));
        command.output().expect("it runs")
    };
    assert_eq!(run(&["-E", "latin1"]).stdout, b"same: string\n");
    assert_eq!(run(&[]).status.code(), Some(2));
}

//! `rewrite --unwrap`: original links of services that wrap links.

use crate::support::Place;
use serde_json::json;

const SAFE: &str =
    "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fb%3Fc&data=05";

/// In text, attributes and light markup; before the rules for a site; a second run changes nothing.
#[test]
fn links_everywhere() {
    let place = Place::new(&[]);
    let safe = SAFE;
    let escaped = SAFE.replace('&', "&amp;");
    let v3 = "https://urldefense.com/v3/__https://a.example/x?q=a*b__;Kw!!Fjc1LPEtn8I!x-y$";
    let chain = "https://www.google.com/url?q=https%3A%2F%2Fl.facebook.com%2Fl.php%3Fu%3Dhttps%253A%252F%252Fa.example%252F%2525C3%2525A9%26h%3Dx&sa=D";
    let files = [
        (
            "a.txt",
            format!("See {safe} and <{v3}>, {v3}.\n"),
            "See https://a.example/b?c and <https://a.example/x?q=a+b>, https://a.example/x?q=a+b.\n",
        ),
        (
            "b.html",
            format!("<a href='{escaped}'>x</a> <a href=\"{chain}\">x</a><p>{escaped}</p>"),
            "<a href='https://a.example/b?c'>x</a> <a href=\"https://a.example/%C3%A9\">x</a><p>https://a.example/b?c</p>",
        ),
        (
            "c.md",
            format!("[a]({safe}) <{safe}>\n"),
            "[a](https://a.example/b?c) <https://a.example/b?c>\n",
        ),
        (
            "d.css",
            format!("a {{ background: url({safe}) }}"),
            "a { background: url(https://a.example/b?c) }",
        ),
        (
            "e.txt",
            "www.google.com/url?q=http%3A%2F%2Fa.example%2F and //a.example/ \n".to_owned(),
            "http://a.example/ and //a.example/ \n",
        ),
    ];
    for (name, text, expected) in &files {
        place.write(name, text.as_bytes());
        let run = place.run(&["rewrite", "--unwrap", "--stdout", name]);
        run.prints(expected, 0);
        place.write(name, expected.as_bytes());
        place
            .run(&["rewrite", "--unwrap", "--stdout", name])
            .prints(expected, 0);
    }
    place.write("b.html", files[1].1.as_bytes());
    let args = [
        "rewrite",
        "--unwrap",
        "--to",
        "iri",
        "--map",
        "a.example new.example",
        "-E",
        "utf-8",
        "--stdout",
        "b.html",
    ];
    place.run(&args).prints(
        "<a href='https://new.example/b?c'>x</a> <a href=\"https://new.example/\u{e9}\">x</a><p>https://new.example/b?c</p>",
        0,
    );
}

#[test]
fn services_are_counted_and_what_cannot_be_read_stays() {
    let page = format!(
        "<a href='{SAFE}'>x</a> <a href='{SAFE}#f'>y</a>\n<a href='https://www.google.com/url?q=words'>"
    );
    let place = Place::new(&[("a.html", &page)]);
    let run = place.run(&["rewrite", "--unwrap", "-n", "-v", "a.html"]);
    run.complains(
        &[
            "    2      1  unwrap:safe-links\n",
            "    1      1  unwrap:google\n",
            "1 link left unchanged",
        ],
        0,
    );
    assert!(!run.err.contains("warning"), "{}", run.err);
    let run = place.run(&["rewrite", "--unwrap", "--json", "-n", "a.html"]);
    let objects = run.objects();
    let left: Vec<_> = objects
        .iter()
        .filter(|object| object["notes"] == json!(["left-wrapped"]))
        .collect();
    assert_eq!(left.len(), 1, "{objects:?}");
    let summary = objects.last().expect("a summary");
    let rules = summary["rules"].as_array().expect("rules");
    let row = json!({"from": "unwrap:safe-links", "to": "", "matched": 2});
    assert!(rules.contains(&row), "{rules:?}");
    place
        .run(&["rewrite", "--unwrap", "--strict", "--stdout", "a.html"])
        .complains(&[], 1);
    // Without the option nothing is unwrapped.
    place
        .run(&["rewrite", "--to", "uri", "--stdout", "a.html"])
        .prints(&page, 0);
}

/// Template code stays, in the dialect of the file, and so do expressions in text.
#[test]
fn code_stays() {
    let link = "https://l.facebook.com/l.php?u=https://a.example/";
    let page =
        format!("<a href='{link}{{id}}'><a href='{link}{{{{ id }}}}'><a href='{link}%7Bid%7D'>");
    let place = Place::new(&[("a.svelte", &page), ("a.txt", &format!("{link}{{id}}"))]);
    let run = place.run(&[
        "rewrite", "--unwrap", "--format", "html", "-v", "-n", "a.svelte",
    ]);
    run.complains(
        &["     2      1  left-template\nlinkglot:     1      1  left-wrapped"],
        0,
    );
    let run = place.run(&["rewrite", "--unwrap", "--stdout", "a.txt"]);
    assert_eq!((run.text(), run.code), (format!("{link}{{id}}"), 0));
    // The message counts the links left in a piped document.
    let left = "linkglot: 1 link left unchanged (`-v` lists the reasons)\n";
    assert_eq!(run.err, left);
}

/// A base stays if links are relative to it.
#[test]
fn bases_stay() {
    let page = format!("<base href='{SAFE}'><a href=x>");
    let place = Place::new(&[("a.html", &page)]);
    place
        .run(&["rewrite", "--unwrap", "--stdout", "-q", "a.html"])
        .prints(&page, 0);
}

/// A query in a page of a legacy charset is unwrapped as it is sent: a letter is an octet of that charset, which is no
/// letter of UTF-8.
#[test]
fn letters_in_legacy_charsets() {
    let place = Place::new(&[]);
    let page = |letter: &[u8]| {
        let head =
            b"<meta charset=windows-1251><a href=\"https://www.google.com/url?q=http://a.example/";
        [head, letter, b"\">"].concat()
    };
    for (name, letter) in [("letter.html", &b"\xE9"[..]), ("octet.html", b"%E9")] {
        place.write(name, &page(letter));
        let rows = place
            .run(&["rewrite", "-n", "--json", "--unwrap", name])
            .objects();
        assert_eq!(rows[0]["notes"][0], "left-wrapped", "{rows:?}");
    }
    // The octets of a letter of UTF-8, which the path of the original link has.
    place.write("pair.html", &page(b"\xD1\x84"));
    let new = place.run(&["rewrite", "--unwrap", "--stdout", "pair.html"]);
    assert!(
        new.out.ends_with(b"<a href=\"http://a.example/\xF4\">"),
        "{new:?}"
    );
}

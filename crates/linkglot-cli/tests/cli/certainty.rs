//! Guessed charsets, and bytes that contradict a declared charset: output, notes and counts.

use crate::support::Place;

/// HTML that is ASCII and declares nothing may be in any charset.
const FRAGMENT: &str = "<a href=\"http://a.example/caf%C3%A9\">x</a>\n";

#[test]
fn fragments_get_references() {
    for name in [
        "a.php", "a.jsp", "a.erb", "a.j2", "a.hbs", "a.liquid", "a.html",
    ] {
        let place = Place::new(&[(name, FRAGMENT)]);
        let new = "<a href=\"http://a.example/caf&#xE9;\">x</a>\n";
        place
            .run(&["rewrite", "--to", "iri", "--stdout", name])
            .prints(new, 0);
        let run = place.run(&[
            "rewrite",
            "--map",
            "http://a.example/ http://é.example/",
            "--stdout",
            name,
        ]);
        run.prints("<a href=\"http://&#xE9;.example/caf%C3%A9\">x</a>\n", 0);
        let settled = [
            "rewrite",
            "--to",
            "iri",
            "--default-charset",
            "utf-8",
            "--stdout",
            name,
        ];
        place.run(&settled).prints(&new.replace("&#xE9;", "é"), 0);
    }
}

#[test]
fn a_guess_is_said() {
    let page = "<a href='?q=&eacute;'>x</a>";
    let place = Place::new(&[("a.html", page)]);
    let run = place.run(&["find", "--charsets", "a.html"]);
    run.prints("a.html: windows-1252 (default, unsure)\n", 0);
    let links = place.run(&["find", "--json", "a.html"]).objects();
    assert_eq!(links[0]["charset_certain"], false);
    assert_eq!(links[0]["uri"], serde_json::Value::Null);
    assert!(
        links[0]["notes"].to_string().contains("charset-unsure"),
        "{links:?}"
    );
    let run = place.run(&["rewrite", "--to", "uri", "--strict", "-i", "a.html"]);
    let words = [
        "1 link left unchanged",
        "a charset that is a guess",
        "`--charset` or `--default-charset`",
    ];
    run.complains(&words, 1);
    let objects = place
        .run(&["rewrite", "--to", "uri", "--json", "-n", "a.html"])
        .objects();
    let summary = objects.last().expect("a summary");
    assert_eq!(
        (&summary["charset_unsure"], &summary["charset_contradicts"]),
        (&1.into(), &0.into())
    );
    let run = place.run(&[
        "rewrite",
        "--to",
        "uri",
        "--charset",
        "koi8-u",
        "--stdout",
        "a.html",
    ]);
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn contradictions_are_said() {
    let place = Place::new(&[]);
    place.write(
        "a.html",
        b"<meta charset=utf-8><a href='http://a.example/\xE9'>x</a><a href='\xC3\xA9'>x</a>",
    );
    let run = place.run(&["find", "--charsets", "a.html"]);
    run.prints(
        "a.html: UTF-8 (declaration), malformed at byte 46 (charset-contradicts)\n",
        0,
    );
    let file = &place
        .run(&["find", "--charsets", "--json", "a.html"])
        .objects()[0];
    assert_eq!(
        (&file["charset_certain"], &file["malformed_at"]),
        (&true.into(), &46.into())
    );
    assert_eq!(file["notes"], serde_json::json!(["charset-contradicts"]));
    let links = place.run(&["find", "--json", "a.html"]).objects();
    assert_eq!(links[0]["notes"][0], "charset-contradicts");
    assert_eq!(links[1]["notes"].as_array().map(Vec::len), Some(0));
    let run = place.run(&["rewrite", "--to", "uri", "--strict", "-i", "a.html"]);
    run.complains(
        &[
            "1 link left unchanged",
            "bytes that contradict the charset",
            "`--charset`",
        ],
        1,
    );
    let new = place.read("a.html");
    assert_eq!(
        new,
        b"<meta charset=utf-8><a href='http://a.example/\xE9'>x</a><a href='%C3%A9'>x</a>"
    );
    // A file that is long enough to be read in pieces.
    let mut text = b"a line of text\n".repeat(20_000);
    text.extend(b"caf\xE9\n");
    let said = place.pipe(&["find", "--charsets", "-E", "utf-8", "-"], text);
    said.prints(
        "-: UTF-8 (caller), malformed at byte 300003 (charset-contradicts)\n",
        0,
    );
}

#[test]
fn code_of_server_pages_declares() {
    for (name, code, charset) in [
        (
            "a.jsp",
            "<%@ page contentType='text/html; charset=utf-8' pageEncoding='koi8-r' %>",
            "KOI8-R",
        ),
        (
            "a.asp",
            "<%@ LANGUAGE=\"VBSCRIPT\" CODEPAGE=\"1251\" %>",
            "windows-1251",
        ),
        (
            "a.php",
            "<?php header('Content-Type: text/html; charset=koi8-r'); ?><meta charset=koi8-r>",
            "KOI8-R",
        ),
        (
            "a.cfm",
            "<cfprocessingdirective pageencoding=\"koi8-r\">",
            "KOI8-R",
        ),
    ] {
        let place = Place::new(&[(name, code)]);
        let run = place.run(&["find", "--charsets", name]);
        run.prints(&format!("{name}: {charset} (declaration)\n"), 0);
    }
    let place = Place::new(&[("a.jsp", "<%@ page pageEncoding='x-foo' %>")]);
    let run = place.run(&["find", "a.jsp"]);
    assert!(run.err.contains("unknown charset label `x-foo`"), "{run:?}");
    // The declaration changes with the charset.
    place.write(
        "b.jsp",
        b"<%@ page pageEncoding='koi8-r' %><a href='/\xC1'>\xC1</a>",
    );
    let run = place.run(&["rewrite", "--to-charset", "utf-8", "--stdout", "b.jsp"]);
    run.prints("<%@ page pageEncoding='UTF-8' %><a href='/а'>а</a>", 0);
}

/// Code that declares another charset than `meta` may stand in a branch, in a comment, or where no server reads it.
#[test]
fn code_that_contradicts_the_page_decides_nothing() {
    let meta = "<meta charset=windows-1251>";
    for (name, before, behind) in [
        (
            "a.php",
            "<?php if ($rss) { header('Content-Type: application/rss+xml; charset=utf-8'); exit; } ?>",
            "",
        ),
        (
            "a.php",
            "<?php function f() { header('Content-Type: text/xml; charset=koi8-r'); } ?>",
            "",
        ),
        (
            "a.html",
            "<!-- <%@ page contentType='text/html; charset=koi8-r' %> -->",
            "",
        ),
        ("a.html", "", "<pre><%@ page pageEncoding='koi8-r' %></pre>"),
        (
            "a.html",
            "",
            "<cfprocessingdirective pageencoding='koi8-r'>",
        ),
    ] {
        let place = Place::new(&[]);
        let page = [before, meta, behind].concat();
        let page = [
            page.as_bytes(),
            b"<a href='/\xE6?q=\xE6'>\xE6</a><a href='/%D0%B6'>",
        ]
        .concat();
        place.write(name, &page);
        for form in ["uri", "iri"] {
            let run = place.run(&["rewrite", "--to", form, "--stdout", name]);
            let changed = String::from_utf8_lossy(&run.out).replace("&#x436;", "%D0%B6");
            assert_eq!(changed, String::from_utf8_lossy(&page), "{name} {form}");
        }
        let links = place.run(&["find", "--json", name]).objects();
        assert_eq!(links[0]["charset_certain"], false);
    }
    // The response is what `meta` says.
    let place = Place::new(&[(
        "a.jsp",
        "<%@ page pageEncoding='koi8-r' contentType='text/html; charset=UTF-8' %><meta charset=utf-8>",
    )]);
    let run = place.run(&["find", "--charsets", "a.jsp"]);
    run.prints("a.jsp: KOI8-R (declaration)\n", 0);
}

/// Browsers encode a query in the charset of the response, whatever the charset of the file.
#[test]
fn queries_are_in_the_charset_of_the_response() {
    for (code, expected) in [
        (
            "<%@ page pageEncoding='windows-1251' contentType='text/html; charset=UTF-8' %>",
            &b"%D0%BF"[..],
        ),
        // Octets of another legacy charset are left.
        (
            "<%@ page pageEncoding='windows-1251' contentType='text/html; charset=koi8-r' %>",
            b"\xEF",
        ),
        ("<%@ page pageEncoding='windows-1251' %>", b"%EF"),
        (
            "<cfprocessingdirective pageencoding='windows-1251'><cfcontent type='text/html; charset=utf-8'>",
            b"%D0%BF",
        ),
    ] {
        let place = Place::new(&[]);
        let page = |query: &[u8]| [code.as_bytes(), b"<a href='/?q=", query, b"'>x</a>"].concat();
        place.write("a.jsp", &page(b"\xEF"));
        let run = place.run(&["rewrite", "--to", "uri", "--stdout", "a.jsp"]);
        assert_eq!((run.out.as_slice(), run.code), (&*page(expected), 0));
    }
    let page = |query: &str| {
        let root =
            "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:jsp='http://java.sun.com/JSP/Page'>";
        let page = "<jsp:directive.page contentType='text/html; charset=windows-1251'/>";
        format!("{root}{page}<a href='/?q={query}'/></html>")
    };
    let place = Place::new(&[("a.jspx", &page("\u{436}"))]);
    // XML text is UTF-8, and octets of another charset are left.
    let run = place.run(&["rewrite", "--to", "uri", "--stdout", "a.jspx"]);
    assert_eq!(String::from_utf8_lossy(&run.out), page("\u{436}"));
}

/// Code without a page declares its charset, too.
#[test]
fn code_declares() {
    for (name, text, charset) in [
        (
            "a.php",
            "<?php header('Content-Type: text/html; charset=koi8-r'); $u = 'http://a.example/';",
            "KOI8-R (declaration)",
        ),
        (
            "a.po",
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=koi8-r\\n\"\n",
            "KOI8-R (declaration)",
        ),
        (
            "a.tex",
            "\\usepackage[koi8-r]{inputenc}\n",
            "KOI8-R (declaration)",
        ),
        (
            "a.txt",
            "# coding: koi8-r is bad.\nhttp://a.example/\u{e9}t\u{e9}\n",
            "UTF-8 (detection)",
        ),
        (
            "a.jspx",
            "<jsp:directive.page pageEncoding='koi8-r'/>",
            "UTF-8 (default)",
        ),
        (
            "a.cfm",
            "<!--- <cfprocessingdirective pageencoding='koi8-r'> --->\n<p>\u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}",
            "UTF-8 (detection)",
        ),
    ] {
        let place = Place::new(&[(name, text)]);
        let run = place.run(&["find", "--charsets", name]);
        run.prints(&format!("{name}: {charset}\n"), 0);
    }
    let place = Place::new(&[]);
    place.write(
        "a.php",
        b"<?php header('Content-Type: text/html; charset=koi8-r'); // \xC1\n",
    );
    let run = place.run(&["rewrite", "--to-charset", "utf-8", "--stdout", "a.php"]);
    run.prints(
        "<?php header('Content-Type: text/html; charset=UTF-8'); // а\n",
        0,
    );
}

/// A document is not converted from a charset detected from little text.
#[test]
fn a_guess_is_not_transcoded() {
    let place = Place::new(&[("a.txt", "WSPӣ"), ("b.html", "<title>x</title>")]);
    let run = place.run(&["rewrite", "--to-charset", "utf-16le", "--stdout", "a.txt"]);
    run.complains(&["the charset is a guess (UTF-8)", "`--charset`"], 3);
    let run = place.run(&["rewrite", "--to-charset", "utf-8", "--stdout", "b.html"]);
    run.prints("<title>x</title>", 0);
}

/// A word that several charsets explain is read in the default charset given by the caller.
#[test]
fn a_default_charset_settles_an_unsure_guess() {
    let place = Place::new(&[]);
    // "МИД" in KOI8-R.
    place.write("a.html", b"<a href=\"/\xED\xE9\xE4/\">x</a>\n");
    let unsure = place.run(&["rewrite", "--to", "uri", "--strict", "-n", "a.html"]);
    unsure.complains(&["`--charset` or `--default-charset`"], 1);
    let settled = [
        "rewrite",
        "--to",
        "uri",
        "--default-charset",
        "koi8-r",
        "--stdout",
        "a.html",
    ];
    place
        .run(&settled)
        .prints("<a href=\"/%D0%9C%D0%98%D0%94/\">x</a>\n", 0);
    // A declaration, sure detection, and bytes that are malformed in the default charset take precedence.
    let other = ["find", "--charsets", "--default-charset", "utf-8", "a.html"];
    assert!(place.run(&other).text().contains("(detection, unsure)"));
}

/// A lone surrogate is not a character of UTF-16; U+FFFD is.
#[test]
fn lone_surrogates_contradict_utf_16() {
    let place = Place::new(&[]);
    let notes = |unit: u16, how: [&str; 2]| {
        let text = "\u{FEFF}http://a.example/é_b c".encode_utf16();
        let units = text.map(|own| if own == u16::from(b'_') { unit } else { own });
        let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
        place.write("a.txt", &bytes);
        let run = place.run(&["rewrite", how[0], how[1], "--json", "-n", "a.txt"]);
        let found = place.run(&["find", "--json", "a.txt"]).objects();
        (run.objects()[0]["notes"].clone(), found[0]["notes"].clone())
    };
    let said = serde_json::json!(["charset-contradicts"]);
    let to_uri = ["--to", "uri"];
    assert_eq!(notes(0xD800, to_uri), (said.clone(), said.clone()));
    assert_eq!(notes(0xD800, ["--map", "a.example b.example"]).0, said);
    assert_eq!(
        notes(0xFFFD, to_uri).0,
        serde_json::json!(["left-unencodable"])
    );
}

/// Readers of these files take another charset than UTF-8 for one that is not declared.
#[test]
fn ascii_of_another_reader_gets_escapes_or_stays() {
    let sheet =
        "@import '/%C3%A9e'; a { b: url(http://xn--9ca.example/%C3%A9) } c { d: url(?q=%C3%A9) }\n";
    let escaped =
        "@import '/\\E9 e'; a { b: url(http://\\E9 .example/\\E9 ) } c { d: url(?q=%C3%A9) }\n";
    let code = "a = 'http://a.example/%C3%A9/'; // http://a.example/%C3%A9\n";
    let text = "a=http://xn--9ca.example/%C3%A9\n";
    let host = "a=http://xn--9ca.example/\n";
    for (name, before, after, left) in [
        ("a.css", sheet, escaped, "1 link left"),
        (
            "a.js",
            code,
            "a = 'http://a.example/\\u00E9/'; // http://a.example/%C3%A9\n",
            "1 link left",
        ),
        (
            "a.html",
            "<style>a{b:url(/%C3%A9)}</style>\n",
            "<style>a{b:url(/\\E9 )}</style>\n",
            "",
        ),
        ("a.ini", text, text, "1 link left"),
        ("a.REG", text, text, "1 link left"),
        // Percent signs are variables there.
        ("a.bat", host, host, "1 link left"),
    ] {
        let place = Place::new(&[(name, before)]);
        let run = place.run(&["rewrite", "--to", "iri", "--stdout", name]);
        assert_eq!((run.text(), run.code), (after.to_owned(), 0), "{name}");
        let hint = "in a charset that is a guess (`--charset` or `--default-charset` settles it)";
        assert!(
            left.is_empty() || run.err.contains(left) && run.err.contains(hint),
            "{run:?}"
        );
        // The forms that `find` shows are those that a rewrite writes.
        let links = place.run(&["find", "--json", name]).objects();
        assert!(links[0]["iri"].is_string() || after == before, "{links:?}");
        // The way back.
        let place = Place::new(&[(name, after)]);
        place
            .run(&["rewrite", "--to", "uri", "--stdout", name])
            .prints(before, 0);
        let all = before.replace("%C3%A9", "é").replace("xn--9ca", "é");
        for settled in ["--charset", "--default-charset"] {
            let place = Place::new(&[(name, before)]);
            let options = ["rewrite", "--to", "iri", settled, "utf-8", "--stdout", name];
            place.run(&options).prints(&all, 0);
        }
    }
}

/// A rule whose new prefix is beyond ASCII.
#[test]
fn letters_of_rules_in_ascii() {
    let rule = "http://old.example/ http://é.example/é/";
    let ascii = "http://xn--9ca.example/%C3%A9/a";
    for (name, open, close, link) in [
        (
            "a.css",
            "a{b:url('",
            "')}\n",
            "http://\\E9 .example/\\E9 /a",
        ),
        ("a.js", "a('", "')\n", "http://\\u00E9.example/\\u00E9/a"),
        ("a.m3u", "", "\n", ascii),
        // These are UTF-8 by definition, or read as UTF-8 by their programs.
        ("a.mjs", "a('", "')\n", "http://é.example/é/a"),
        ("a.ts", "a('", "')\n", "http://é.example/é/a"),
        ("a.json", "[\"", "\"]\n", "http://é.example/é/a"),
        ("a.toml", "a='", "'\n", "http://é.example/é/a"),
        ("a.txt", "see ", "\n", "http://é.example/é/a"),
        ("a.py", "a='", "'\n", "http://é.example/é/a"),
        ("a.rb", "see ", "\n", "http://é.example/é/a"),
    ] {
        let place = Place::new(&[(name, &format!("{open}http://old.example/a{close}"))]);
        let run = place.run(&["rewrite", "--map", rule, "--stdout", name]);
        run.prints(&format!("{open}{link}{close}"), 0);
    }
    // A declaration is an answer.
    let sheet = "@charset \"utf-8\"; a{b:url(http://old.example/a)}\n";
    let place = Place::new(&[("a.css", sheet)]);
    let run = place.run(&["rewrite", "--map", rule, "--stdout", "a.css"]);
    run.prints(
        &sheet.replace("http://old.example/", "http://é.example/é/"),
        0,
    );
}

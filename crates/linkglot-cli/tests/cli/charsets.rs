//! Charsets beyond the Encoding Standard, and unknown declared charsets.

use super::support::Place;
use linkglot::Charset;

/// Encodes a text in a charset.
fn encoded(label: &str, text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let charset = Charset::for_label(label).expect("a label");
    charset
        .encode(text, &mut bytes)
        .expect("a text that it has");
    bytes
}

/// Links with letters of each script, with their URIs.
const CASES: &[(&str, &str, &str)] = &[
    ("cp437", "http://a.example/é", "http://a.example/%C3%A9"),
    ("cp850", "http://a.example/é", "http://a.example/%C3%A9"),
    ("cp855", "http://a.example/п", "http://a.example/%D0%BF"),
    (
        "maccyrillic",
        "http://a.example/п",
        "http://a.example/%D0%BF",
    ),
    ("mac-ce", "http://a.example/ů", "http://a.example/%C5%AF"),
    ("koi8-t", "http://a.example/ҳ", "http://a.example/%D2%B3"),
    ("armscii-8", "http://a.example/ա", "http://a.example/%D5%A1"),
    ("viscii", "http://a.example/Ẳ", "http://a.example/%E1%BA%B2"),
    ("tcvn", "http://a.example/ệ", "http://a.example/%E1%BB%87"),
    ("ibm037", "http://a.example/é", "http://a.example/%C3%A9"),
    (
        "ebcdic-cp-be",
        "http://a.example/é",
        "http://a.example/%C3%A9",
    ),
    ("hz", "http://a.example/中", "http://a.example/%E4%B8%AD"),
    (
        "iso-2022-kr",
        "http://a.example/한",
        "http://a.example/%ED%95%9C",
    ),
    (
        "cp1361",
        "http://a.example/한",
        "http://a.example/%ED%95%9C",
    ),
    (
        "euc-tw",
        "http://a.example/中",
        "http://a.example/%E4%B8%AD",
    ),
    (
        "iso-2022-cn",
        "http://a.example/中",
        "http://a.example/%E4%B8%AD",
    ),
    ("utf-7", "http://a.example/é", "http://a.example/%C3%A9"),
    (
        "cesu-8",
        "http://a.example/😀",
        "http://a.example/%F0%9F%98%80",
    ),
    ("cp273", "http://a.example/ß", "http://a.example/%C3%9F"),
    ("ibm-1025", "http://a.example/п", "http://a.example/%D0%BF"),
    ("iso646-de", "http://a.example/ü", "http://a.example/%C3%BC"),
    ("hp-roman8", "http://a.example/é", "http://a.example/%C3%A9"),
    (
        "mac-arabic",
        "http://a.example/ب",
        "http://a.example/%D8%A8",
    ),
    ("mac_farsi", "http://a.example/پ", "http://a.example/%D9%BE"),
    ("tscii", "http://a.example/அ", "http://a.example/%E0%AE%85"),
    ("t.61", "http://a.example/é", "http://a.example/%C3%A9"),
    (
        "iso-2022-jp-1",
        "http://a.example/丂",
        "http://a.example/%E4%B8%82",
    ),
    (
        "iso-2022-jp-2",
        "http://a.example/한",
        "http://a.example/%ED%95%9C",
    ),
    (
        "iso2022_jp_3",
        "http://a.example/俱",
        "http://a.example/%E4%BF%B1",
    ),
    (
        "iso2022_jp_2004",
        "http://a.example/俱",
        "http://a.example/%E4%BF%B1",
    ),
    (
        "ibm939",
        "http://a.example/中",
        "http://a.example/%E4%B8%AD",
    ),
    (
        "cp1388",
        "http://a.example/中",
        "http://a.example/%E4%B8%AD",
    ),
];

#[test]
fn links_in_old_charsets_are_found_and_rewritten_both_ways() {
    for (label, iri, uri) in CASES {
        let text = |link: &str| format!("see {link} there\n");
        let place = Place::new(&[]);
        place.write("a.txt", &encoded(label, &text(iri)));
        let found = place.run(&["find", "-o", "-E", label, "a.txt"]);
        found.prints(&format!("{iri}\n"), 0);
        let rewrite = |form: &str| {
            place
                .run(&["rewrite", "--to", form, "-i", "-E", label, "a.txt"])
                .code
        };
        assert_eq!(rewrite("uri"), 0, "{label}");
        let charset = Charset::for_label(label).expect("a label");
        assert_eq!(charset.decode(&place.read("a.txt")), text(uri), "{label}");
        assert_eq!(rewrite("iri"), 0, "{label}");
        assert_eq!(charset.decode(&place.read("a.txt")), text(iri), "{label}");
    }
}

/// A letter and its mark share a code in JIS X 0213, and so do syllables in TSCII: such codes are changed as a whole.
#[test]
fn codes_of_several_characters_are_not_cut() {
    let ha = "http://a.example/";
    for (label, code, text, uri) in [
        (
            "euc-jisx0213",
            &b"\xA4\xF7"[..],
            "か\u{309A}",
            "%E3%81%8B%E3%82%9A",
        ),
        (
            "shift_jis-2004",
            b"\x82\xF5",
            "か\u{309A}",
            "%E3%81%8B%E3%82%9A",
        ),
        (
            "iso-2022-jp-3",
            b"\x1B$(O$w\x1B(B",
            "か\u{309A}",
            "%E3%81%8B%E3%82%9A",
        ),
        ("tscii", b"\xA6\xB8\xA1", "க\u{BCA}", "%E0%AE%95%E0%AF%8A"),
    ] {
        let place = Place::new(&[]);
        let document = [b"see ", ha.as_bytes(), code, b"/x there\n"].concat();
        place.write("a.txt", &document);
        let find = place.run(&["find", "-o", "-E", label, "a.txt"]);
        find.prints(&format!("{ha}{text}/x\n"), 0);
        // Only the mark would change, and it has no bytes of its own.
        let first = text.chars().next().expect("a letter").to_string();
        place.write("b.txt", &document);
        let map = format!("{ha}{text}/ {ha}{first}/");
        place.run(&["rewrite", "-i", "-E", label, "--map", &map, "b.txt"]);
        let expected = encoded(label, &format!("see {ha}{first}/x there\n"));
        assert_eq!(place.read("b.txt"), expected, "{label}");
        let map = format!("{ha} http://b.example/");
        let moved = place.run(&["rewrite", "-i", "-E", label, "--map", &map, "a.txt"]);
        assert_eq!(moved.code, 0, "{moved:?}");
        let expected = [b"see http://b.example/", code, b"/x there\n"].concat();
        assert_eq!(place.read("a.txt"), expected, "{label}");
        place.run(&["rewrite", "-i", "-E", label, "--to", "uri", "a.txt"]);
        let expected = format!("see http://b.example/{uri}/x there\n");
        assert_eq!(place.read("a.txt"), expected.as_bytes(), "{label}");
    }
}

/// The Arabic charsets of the Macintosh have ASCII punctuation twice, for text from left to right and from right to
/// left.
#[test]
fn twins_of_punctuation_are_read_and_stay() {
    let place = Place::new(&[]);
    place.write(
        "a.html",
        b"<a href='http://old.example\xAF\xC8?a=1\xA6b=2'>\xC8\xAC</a>",
    );
    let args = [
        "find",
        "-o",
        "-E",
        "mac-arabic",
        "--kind",
        "attribute",
        "a.html",
    ];
    place.run(&args).prints("http://old.example/ب?a=1&b=2\n", 0);
    let map = "http://old.example/ http://new.example/";
    let run = place.run(&["rewrite", "-i", "-E", "mac-arabic", "--map", map, "a.html"]);
    assert_eq!(run.code, 0, "{run:?}");
    let expected = b"<a href='http://new.example\xAF\xC8?a=1\xA6b=2'>\xC8\xAC</a>";
    assert_eq!(place.read("a.html"), expected);
}

/// A new declaration has a name that its reader knows.
#[test]
fn declarations_name_charsets_as_their_readers_do() {
    let place = Place::new(&[]);
    for (name, from, to, old, new) in [
        (
            "a.tex",
            "latin1",
            "utf-8",
            "\\usepackage[latin1]{inputenc}é",
            "\\usepackage[utf8]{inputenc}é",
        ),
        (
            "a.tex",
            "koi8-r",
            "windows-1251",
            "\\usepackage[koi8-r]{inputenc}ж",
            "\\usepackage[cp1251]{inputenc}ж",
        ),
        (
            "a.tex",
            "koi8-r",
            "ibm866",
            "\\usepackage[koi8-r]{inputenc}ж",
            "\\usepackage[cp866]{inputenc}ж",
        ),
        (
            "a.py",
            "utf-8",
            "x-mac-cyrillic",
            "# -*- coding: utf-8 -*-\n# ж",
            "# -*- coding: mac_cyrillic -*-\n# ж",
        ),
        (
            "a.py",
            "utf-8",
            "windows-874",
            "# coding: utf-8\n# ก",
            "# coding: cp874\n# ก",
        ),
        (
            "a.rst",
            "utf-8",
            "iso-8859-8-i",
            ".. -*- coding: utf-8 -*-\n\nא",
            ".. -*- coding: iso8859-8 -*-\n\nא",
        ),
        (
            "a.asp",
            "windows-1251",
            "utf-8",
            "<%@ CODEPAGE=1251 %><p>ж",
            "<%@ CODEPAGE=65001 %><p>ж",
        ),
        (
            "a.txt",
            "koi8-r",
            "utf-8",
            "ж -*- coding: utf-8-unix -*-\n",
            "ж -*- coding: utf-8-unix -*-\n",
        ),
    ] {
        place.write(name, &encoded(from, old));
        let ran = place.run(&["rewrite", "--to-charset", to, "--charset", from, "-i", name]);
        ran.complains(&[], 0);
        assert_eq!(place.read(name), encoded(to, new), "{name} {to}: {ran:?}");
    }
}

/// A document fails that another reader would read in the old charset.
#[test]
fn declarations_that_would_be_false_fail() {
    let place = Place::new(&[]);
    for (name, from, to, text, line) in [
        (
            "a.tex",
            "latin1",
            "gbk",
            "\\usepackage[latin1]{inputenc}é",
            "`latin1`",
        ),
        (
            "a.tex",
            "latin1",
            "utf-8",
            "\\usepackage[latin1]{inputenc}\né\n\\inputencoding{latin1}",
            "line 3:",
        ),
        (
            "a.py",
            "latin1",
            "x-user-defined",
            "# coding: latin1\n# é",
            "`latin1`",
        ),
        (
            "a.asp",
            "windows-1252",
            "iso-8859-10",
            "<%@ CODEPAGE=1252 %><p>é",
            "`1252`",
        ),
        (
            "a.el",
            "koi8-r",
            "utf-8",
            ";; -*- coding: koi8-r -*-\nж",
            "line 1:",
        ),
        (
            "a.txt",
            "koi8-r",
            "utf-8",
            "ж\nLocal Variables:\ncoding: koi8-r\nEnd:\n",
            "line 3:",
        ),
        (
            "a.rc",
            "windows-1251",
            "utf-8",
            "#pragma code_page(1251)\n// ж",
            "line 1:",
        ),
        (
            "a.bib",
            "windows-1251",
            "utf-8",
            "% Encoding: windows-1251\n% ж",
            "line 1:",
        ),
    ] {
        let old = encoded(from, text);
        place.write(name, &old);
        let ran = place.run(&["rewrite", "--to-charset", to, "--charset", from, "-i", name]);
        ran.complains(&["the document would be read in another charset", line], 3);
        assert_eq!(place.read(name), old, "{name}");
        // In ASCII nothing depends on the declaration.
        let ascii: String = text.chars().filter(char::is_ascii).collect();
        place.write(name, ascii.as_bytes());
        let ran = place.run(&[
            "rewrite",
            "--to-charset",
            "utf-8",
            "--charset",
            from,
            "-i",
            name,
        ]);
        ran.complains(&[], 0);
    }
}

#[test]
fn declarations_of_old_charsets_count() {
    let place = Place::new(&[]);
    for (name, label, text) in [
        ("a.html", "cp437", "<meta charset=cp437><a href='/é'>x</a>"),
        (
            "b.xml",
            "ibm037",
            "<?xml version='1.0' encoding='ebcdic-cp-us'?><a xmlns='http://www.w3.org/1999/xhtml' href='/é'/>",
        ),
        (
            "d.xml",
            "cp273",
            "<?xml version='1.0' encoding='cp273'?><a xmlns='http://www.w3.org/1999/xhtml' href='/é'/>",
        ),
        (
            "e.html",
            "iso646-fr",
            "<meta charset=ISO646-FR><a href='/é'>x</a>",
        ),
        (
            "c.html",
            "hz",
            "<meta charset=hz-gb-2312><a href='/中'>x</a>",
        ),
    ] {
        place.write(name, &encoded(label, text));
        let run = place.run(&["find", "-o", "--kind", "attribute", name]);
        assert!(
            run.text()
                .ends_with(&format!("/{}\n", if label == "hz" { '中' } else { 'é' })),
            "{run:?}"
        );
    }
}

const PAGE: &[u8] =
    b"<title>\xE9</title>\n<meta charset=koi9-r><a href='http://a.example/\xE9'>x</a>\n";

#[test]
fn an_unknown_charset_is_never_guessed() {
    let place = Place::new(&[("d/b.html", "<a href=/é>")]);
    place.write("d/a.html", PAGE);
    let words = [
        "d/a.html: line 2: unknown charset label `koi9-r`",
        "`--charset LABEL` or `--assume-charset koi9-r=LABEL`",
    ];
    for args in [
        &["find", "d"][..],
        &["rewrite", "--to", "uri", "d"],
        &["rewrite", "--to", "uri", "-n", "d"],
    ] {
        let run = place.run(args);
        assert_eq!(run.code, 3, "{run:?}");
        for word in words {
            assert!(run.err.contains(word), "{run:?}");
        }
        assert!(!run.text().contains("a.example"), "{run:?}");
    }
    // The nearest label is suggested only if it is similar.
    place.write("e.html", b"<meta charset=shfit_jis>");
    let near = "did you mean `shift_jis`?";
    place.run(&["find", "e.html"]).complains(&[near], 3);
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 3);
    assert_eq!(place.read("d/a.html"), PAGE);
    assert_eq!(place.read("d/b.html"), b"<a href=/%C3%A9>");
    let run = place.run(&["rewrite", "--to", "uri", "-O", "out", "d"]);
    assert_eq!((run.code, place.read("out/a.html")), (3, PAGE.to_vec()));
    let run = place.run(&["rewrite", "--to", "uri", "--stdout", "d/a.html"]);
    assert_eq!((run.code, &run.out[..]), (3, PAGE));
    let run = place.pipe(&["find", "-"], PAGE);
    run.complains(&["-: line 2: unknown charset label"], 3);
    let objects = place.run(&["find", "--json", "d/a.html"]).objects();
    assert_eq!(objects[0]["type"], "error", "{objects:?}");
}

#[test]
fn the_caller_settles_an_unknown_charset() {
    let place = Place::new(&[]);
    place.write("a.html", PAGE);
    let link = |args: &[&str]| place.run(&[&["find", "-o", "a.html"], args].concat());
    link(&["-E", "latin1"]).prints("http://a.example/é\n", 0);
    link(&["--assume-charset", "KOI9_R=koi8-r"]).prints("http://a.example/И\n", 0);
    link(&["--assume-charset", "x=koi8-r"]).complains(&["unknown charset label"], 3);
    let wrong = link(&["--assume-charset", "latin1=koi8-r"]);
    wrong.complains(&["`latin1`, which is windows-1252"], 2);
    link(&["--assume-charset", "x"]).complains(&["expected LABEL=CHARSET"], 2);
    link(&["--assume-charset", "x=klingon"]).complains(&["unknown charset label `klingon`"], 2);
    let rewrite = [
        "rewrite",
        "--to",
        "uri",
        "-i",
        "--assume-charset",
        "koi9-r=latin1",
        "a.html",
    ];
    assert_eq!(place.run(&rewrite).code, 0);
    let new = String::from_utf8_lossy(&place.read("a.html")).into_owned();
    assert!(new.contains("http://a.example/%C3%A9"), "{new}");
}

#[test]
fn parts_of_mail_in_unknown_charsets_are_left() {
    let mail = "From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\
        Content-Type: text/plain; charset=x-foo\n\nhttp://one.example/%C3%A9\n--x\n\
        Content-Type: text/plain; charset=utf-8\n\nhttp://two.example/é\n--x--\n";
    let place = Place::new(&[("m.txt", mail)]);
    let rewrite = |args: &[&str]| {
        let mut all = vec!["rewrite", "--to", "uri", "-v", "--map"];
        all.extend(["http://one.example/ http://three.example/", "-i", "m.txt"]);
        all.extend(args);
        place.run(&all)
    };
    let run = rewrite(&[]);
    assert!(run.err.contains("http://one.example/%C3%A9"), "{run:?}");
    let text = String::from_utf8(place.read("m.txt")).expect("UTF-8");
    assert!(text.contains("http://one.example/%C3%A9\n"), "{text}");
    assert!(text.contains("http://two.example/%C3%A9\n"), "{text}");
    let run = rewrite(&["--assume-charset", "x-foo=utf-8"]);
    assert_eq!(run.code, 0, "{run:?}");
    let text = String::from_utf8(place.read("m.txt")).expect("UTF-8");
    assert!(text.contains("http://three.example/%C3%A9\n"), "{text}");
}

#[test]
fn charsets_are_listed_with_their_labels() {
    let place = Place::new(&[]);
    let run = place.run(&["charsets"]);
    assert_eq!(run.code, 0);
    let text = run.text();
    assert_eq!(text.lines().count(), 1 + Charset::all().count());
    let row = |name: &str| {
        let row = text
            .lines()
            .find(|row| row.starts_with(name))
            .expect("a row");
        row.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(row("IBM866")[..3], ["IBM866", "as-is", "866"]);
    assert!(row("Shift_JIS").contains(&"cp932".to_owned()));
    assert_eq!(row("UTF-16LE")[1], "decoded");
    assert_eq!(row("replacement")[1], "never");
    let objects = place.run(&["charsets", "--json"]).objects();
    assert_eq!(objects.len(), Charset::all().count());
    assert_eq!(objects[0]["type"], "charset");
    for object in objects {
        for label in object["labels"].as_array().expect("labels") {
            let charset = Charset::for_label(label.as_str().expect("a label"));
            assert_eq!(charset.expect("a charset").name(), object["name"]);
        }
    }
}

#[test]
fn the_charset_of_each_file_is_listed() {
    let page = "<meta charset=koi8-r>no link";
    let place = Place::new(&[("d/a.html", page), ("d/b.txt", "é"), ("d/c.txt", "")]);
    place.write("d/e.html", PAGE);
    let run = place.run(&["find", "--charsets", "d"]);
    let lines =
        "d/a.html: KOI8-R (declaration)\nd/b.txt: UTF-8 (detection)\nd/c.txt: UTF-8 (default)\n";
    assert_eq!((run.text().as_str(), run.code), (lines, 3), "{run:?}");
    let run = place.run(&["find", "--charsets", "-E", "cp437", "d/e.html"]);
    run.prints("d/e.html: IBM437 (caller)\n", 0);
    let objects = place
        .run(&["find", "--charsets", "--json", "d/a.html"])
        .objects();
    let file = &objects[0];
    let fields = ["type", "path", "format", "charset", "charset_from"].map(|key| file[key].clone());
    assert_eq!(
        fields,
        ["file", "d/a.html", "html", "KOI8-R", "declaration"]
    );
    assert_eq!(objects[1]["type"], "summary");
    let run = place.pipe(
        &["find", "--charsets", "-"],
        [0xFF, 0xFE, b'a', 0].repeat(200_000),
    );
    run.prints("-: UTF-16LE (bom)\n", 0);
    place
        .run(&["find", "--charsets", "-c", "d"])
        .complains(&["cannot be used with"], 2);
}

/// Each part of a message has a charset of its own, and the message has none.
#[test]
fn the_charset_of_each_part_is_listed() {
    let message =
        b"From: a@b.example\nSubject: a\nList-Help: <http://a.example/>\nMIME-Version: 1.0\n\
        Content-Type: multipart/mixed; boundary=x\n\n--x\n\
        Content-Type: text/plain; charset=koi8-r\n\nplain\n--x\n\
        Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
        <p>caf=C3=A9=\n caf=E9</p>\n--x\nContent-Type: image/png\n\nx\n--x\n\nno charset\n--x--\n";
    let place = Place::new(&[]);
    place.write("a.eml", message);
    let bad = message
        .windows(3)
        .position(|bytes| bytes == b"=E9")
        .unwrap();
    let lines = format!(
        "a.eml: part 1: KOI8-R (declaration)\n\
         a.eml: part 2: UTF-8 (declaration), malformed at byte {bad} (charset-contradicts)\n\
         a.eml: part 4: UTF-8 (default, unsure)\n"
    );
    let run = place.run(&["find", "--charsets", "a.eml"]);
    assert_eq!((run.text(), run.code), (lines.clone(), 0), "{run:?}");
    let piped = place.pipe(&["find", "--charsets", "--format", "mail", "-"], *message);
    piped.prints(&lines.replace("a.eml", "-"), 0);
    let objects = place
        .run(&["find", "--charsets", "--json", "a.eml"])
        .objects();
    let part = &objects[1];
    let fields = ["type", "part", "media_type", "charset", "charset_from"];
    let fields = fields.map(|key| part[key].clone());
    assert_eq!(fields, ["file", "2", "text/html", "UTF-8", "declaration"]);
    assert_eq!(part["malformed_at"], bad);
    assert_eq!(objects[3]["type"], "summary");
}

#[test]
fn the_charset_of_each_message_of_a_mailbox_is_listed() {
    let header = "From a@b.example Mon Jan  1 00:00:00 2024\nFrom: a@b.example\nContent-Type: text/plain; charset=";
    let mailbox =
        format!("{header}koi8-r\n\na\n\n{header}x-foo\n\nb\n\n{header}iso-2022-jp\n\nc\n");
    let place = Place::new(&[("a.mbox", &mailbox)]);
    let run = place.run(&["find", "--charsets", "a.mbox"]);
    let lines =
        "a.mbox: part 1:1: KOI8-R (declaration)\na.mbox: part 3:1: ISO-2022-JP (declaration)\n";
    assert_eq!(run.text(), lines);
    run.complains(&["part 2:1: unknown charset label `x-foo`"], 3);
    let objects = place.run(&["find", "--charsets", "--json", "a.mbox"]);
    let last = &objects.objects()[1];
    assert_eq!((&last["message"], &last["part"]), (&3.into(), &"1".into()));
}

/// The link of a page, and the same link in text, with letters that windows-1258 has only decomposed.
#[test]
fn nfc_is_for_the_caller_to_decide() {
    let place = Place::new(&[]);
    let page =
        b"<meta charset=windows-1258><a href='/Vi\xEA\xF2t'>x</a> http://example.org/Vi\xEA\xF2t";
    place.write("a.html", page);
    let composed = "/Vi%E1%BB%87t";
    let apart = "/Vi%C3%AA%CC%A3t";
    for (nfc, in_markup, in_text) in [
        (None, None, composed),
        (Some("auto"), None, composed),
        (Some("always"), Some(composed), composed),
        (Some("never"), Some(apart), apart),
    ] {
        let mut args = vec!["rewrite", "--to", "uri", "--stdout", "a.html"];
        args.extend(nfc.iter().flat_map(|nfc| ["--nfc", *nfc]));
        let in_markup = in_markup.map_or(b"/Vi\xEA\xF2t".to_vec(), |uri| uri.as_bytes().to_vec());
        let expected = [
            b"<meta charset=windows-1258><a href='",
            &in_markup[..],
            b"'>x</a> http://example.org",
            in_text.as_bytes(),
        ]
        .concat();
        let ran = place.command(&args).output().expect("linkglot runs");
        assert_eq!(ran.stdout, expected, "{nfc:?}");
    }
    let links = place.run(&["find", "--json", "a.html"]).objects();
    assert_eq!(links[0]["text"], "/Vi\u{ea}\u{323}t");
    assert_eq!(links[1]["raw"], "http://example.org/Vi\u{ea}\u{323}t");
    assert_eq!(links[1]["text"], "http://example.org/Vi\u{1ec7}t");
    assert_eq!(links[1]["notes"][0], "nfc-changed");
}

/// Whatever the options for links, their targets stay.
#[test]
fn no_filter_keeps_a_query_from_its_octets() {
    let place = Place::new(&[]);
    place.write("a.html", b"<meta charset=koi8-r><a href='?\xD6'>");
    let run = place.run(&[
        "rewrite",
        "--to-charset",
        "utf-8",
        "--slots",
        "text",
        "--stdout",
        "a.html",
    ]);
    run.prints("<meta charset=UTF-8><a href='?%D6'>", 0);
}

/// A file that fails is copied unchanged to the new tree.
#[test]
fn a_tree_has_no_holes() {
    let place = Place::new(&[("d/a.txt", "a €\n"), ("d/b.html", "<p>b")]);
    let run = place.run(&["rewrite", "--to-charset", "koi8-r", "-O", "out", "d"]);
    assert_eq!(run.code, 3, "{run:?}");
    assert_eq!(place.names("out"), ["a.txt", "b.html"]);
    assert_eq!(place.read("out/a.txt"), "a €\n".as_bytes());
}

/// A document that is malformed in the target charset is reported, even if that is its own charset.
#[test]
fn malformed_text_in_the_same_charset_is_refused() {
    let place = Place::new(&[]);
    place.write("a.html", b"<meta charset=utf-8>caf\xE9");
    let run = place.run(&["rewrite", "--to-charset", "utf-8", "-i", "a.html"]);
    run.complains(
        &["a.html: 1:24: expected text in UTF-8, found a malformed sequence"],
        3,
    );
    let page = "<meta charset=koi8-r><!-- 中 -->";
    let run = place.pipe(
        &["rewrite", "--to-charset", "koi8-r", "-E", "utf-8", "-"],
        page,
    );
    assert_eq!(
        (run.code, run.text().as_str()),
        (3, ""),
        "nothing is half written: {run:?}"
    );
}

/// Documents in other charsets: changes, unchanged parts, and refusals.
#[test]
fn documents_get_another_charset() {
    let text = |label: &str, text: &str| encoded(label, text);
    for (name, from, old, to, new) in [
        (
            "a.html",
            "koi8-r",
            "<meta charset=koi8-r><a href='/ж?q=ж'>ж</a> www.a.ru/?ж",
            "utf-8",
            "<meta charset=UTF-8><a href='/ж?q=%D6'>ж</a> www.a.ru/?ж",
        ),
        // Queries of the new document are sent as octets of the new charset.
        (
            "b.html",
            "utf-8",
            "<meta charset=utf-8><a href='?ж'>ж €</a><p title='’'>",
            "koi8-r",
            "<meta charset=KOI8-R><a href='?%D0%B6'>ж &#x20AC;</a><p title='&#x2019;'>",
        ),
        (
            "c.html",
            "windows-1252",
            "<html><head><title>Un café très serré</title>",
            "utf-8",
            "<html><head><meta charset=\"UTF-8\"><title>Un café très serré</title>",
        ),
        (
            "d.xml",
            "utf-8",
            "<a b='é'>http://a.example/é</a>",
            "iso-8859-1",
            "<?xml version=\"1.0\" encoding=\"windows-1252\"?><a b='é'>http://a.example/é</a>",
        ),
        (
            "e.css",
            "windows-1251",
            "@charset \"windows-1251\"; a { b: url(/ж) }",
            "utf-8",
            "@charset \"UTF-8\"; a { b: url(/ж) }",
        ),
        // Places for a declaration; scripts and samples are not among them.
        (
            "h.html",
            "windows-1252",
            "<!doctype html><script>'<head>'</script>Un café très serré",
            "utf-8",
            "<!doctype html><meta charset=\"UTF-8\"><script>'<head>'</script>Un café très serré",
        ),
        (
            "i.html",
            "utf-8",
            "<script>'<meta charset=koi8-r>'</script><meta charset=utf-8>ж",
            "windows-1251",
            "<script>'<meta charset=koi8-r>'</script><meta charset=windows-1251>ж",
        ),
        // In attributes letters are not decomposed, in text they are.
        (
            "j.html",
            "utf-8",
            "<meta charset=utf-8><a href='/ế'>ế</a> http://a.example/ế",
            "windows-1258",
            "<meta charset=windows-1258><a href='/&#x1EBF;'>ế</a> http://a.example/ế",
        ),
        (
            "k.txt",
            "windows-1258",
            "Tiếng Việt http://e.example/ế\n",
            "utf-8",
            "Ti\u{ea}\u{301}ng Vi\u{ea}\u{323}t http://e.example/ế\n",
        ),
        (
            "l.py",
            "koi8-r",
            "# coding: koi8-r\nx = 'ж'\n",
            "utf-8",
            "# coding: UTF-8\nx = 'ж'\n",
        ),
        (
            "m.html",
            "koi8-r",
            "<meta charset=koi8-r><a href='ht\ntp://a.example\t?ж\nж'>",
            "utf-8",
            "<meta charset=UTF-8><a href='ht\ntp://a.example\t?%D6%D6'>",
        ),
        // Text has no character references: the link is percent-encoded.
        (
            "f.txt",
            "utf-8",
            "смотрите http://a.example/é и другие страницы на русском языке\n",
            "koi8-r",
            "смотрите http://a.example/%C3%A9 и другие страницы на русском языке\n",
        ),
        (
            "g.html",
            "utf-8",
            "<meta charset=utf-8>é",
            "utf-16",
            "\u{feff}<meta charset=UTF-16>é",
        ),
    ] {
        let place = Place::new(&[]);
        place.write(name, &text(from, old));
        let convert = || place.run(&["rewrite", "--to-charset", to, "-i", name]);
        assert_eq!(convert().code, 0, "{name}");
        let new = text(to, new);
        assert_eq!(place.read(name), new, "{name}");
        // The document is now in the charset.
        assert_eq!(convert().code, 0, "{name}");
        assert_eq!(place.read(name), new, "{name}");
    }
}

#[test]
fn a_document_that_another_charset_cannot_hold_stays() {
    for (name, from, old, to, word) in [
        (
            "a.txt",
            "utf-8",
            "a\nprice €\n",
            "koi8-r",
            "a.txt: line 2: KOI8-R lacks U+20AC, and the format has no character references: `price €`",
        ),
        (
            "b.html",
            "utf-8",
            "<meta charset=utf-8>\n<script>'€'</script>",
            "koi8-r",
            "b.html: line 2: KOI8-R lacks U+20AC, where no character reference can stand for it: `<script>'€'</script>`",
        ),
        (
            "c.html",
            "utf-8",
            "<meta charset=utf-8><!-- € -->",
            "koi8-r",
            "b.html: line 1: KOI8-R lacks U+20AC",
        ),
        (
            "d.txt",
            "utf-8",
            "жук",
            "koi8-r",
            "d.txt: in KOI8-R the document would be read as",
        ),
        (
            "f.html",
            "utf-8",
            "<meta charset=utf-8>é",
            "ibm037",
            "documents of this format cannot be in it",
        ),
        // The target of a link has priority over the conversion.
        (
            "g.html",
            "koi8-r",
            "<meta charset=koi8-r>\n<a href='?ж={{ж}}'>",
            "utf-8",
            "g.html: 2:10: the query of `?ж={{ж}}` counts as octets of KOI8-R, and cannot be percent-encoded at this place",
        ),
        (
            "h.css",
            "koi8-r",
            "@charset \"koi8-r\"; a { b: url(?ж) }",
            "utf-8",
            "h.css: 1:31: the query of `?ж` counts as octets of KOI8-R",
        ),
        (
            "i.html",
            "utf-8",
            "<meta charset=utf-8><% if x=\"中\" %>",
            "koi8-r",
            "in the code of a template",
        ),
        (
            "j.css",
            "utf-8",
            "@charset \"utf-8\"; #ế {}",
            "windows-1258",
            "windows-1258 lacks U+1EBF",
        ),
        // Parts of a message declare charsets; its header does not.
        (
            "l.eml",
            "koi8-r",
            "Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=koi8-r\n\nж\n",
            "utf-8",
            "l.eml: a message cannot get another charset",
        ),
        (
            "e.eml",
            "utf-8",
            "Subject: a\nContent-Type: text/plain; charset=utf-8\n\nж\n",
            "koi8-r",
            "e.eml: a message cannot get another charset",
        ),
    ] {
        let place = Place::new(&[]);
        place.write(name, &encoded(from, old));
        let run = place.run(&["rewrite", "--to-charset", to, "-i", name]);
        let word = word.replace("b.html", name);
        assert!(run.code == 3 && run.err.contains(&word), "{name}: {run:?}");
        assert_eq!(place.read(name), encoded(from, old), "{name}");
        let run = place.run(&["rewrite", "--to-charset", to, "--stdout", name]);
        assert_eq!((run.code, run.text().as_str()), (3, ""), "{name}");
    }
    let place = Place::new(&[]);
    place.write("a.html", b"<meta charset=utf-8>\n\xE9");
    let run = place.run(&["rewrite", "--to-charset", "koi8-r", "-i", "a.html"]);
    run.complains(
        &["a.html: 2:1: expected text in UTF-8, found a malformed sequence (E9) at byte 21"],
        3,
    );
    let run = place.run(&["rewrite", "--to-charset", "replacement", "a.html"]);
    run.complains(&["expected a charset that can be written"], 2);
}

#[test]
fn a_binary_file_that_begins_as_text_stays() {
    let place = Place::new(&[]);
    let old = "ж ".repeat(1000) + "\n\0";
    place.write("a.txt", &encoded("koi8-r", &old));
    let run = place.run(&[
        "rewrite",
        "-E",
        "koi8-r",
        "--to-charset",
        "utf-8",
        "-i",
        "a.txt",
    ]);
    run.complains(
        &["a.txt: 2:1: expected text in KOI8-R, found U+0000 at byte 2001"],
        3,
    );
    assert_eq!(place.read("a.txt"), encoded("koi8-r", &old));
}

#[test]
fn a_diff_names_both_charsets() {
    let place = Place::new(&[("b.html", "<a href=/b>")]);
    let page = "<meta charset=koi8-r>\nж\n<a href='?ж'>\n";
    place.write("a.html", &encoded("koi8-r", page));
    let run = place.run(&["rewrite", "--to-charset", "utf-8", "."]);
    let expected = "./a.html: KOI8-R -> UTF-8
--- ./a.html
+++ ./a.html
@@ -1,3 +1,3 @@
-<meta charset=koi8-r>
+<meta charset=UTF-8>
 ж
-<a href='?ж'>
+<a href='?%D6'>
";
    assert_eq!((run.text().as_str(), run.code), (expected, 0), "{run:?}");
    let run = place.run(&["rewrite", "--to-charset", "utf-8", "-n", "."]);
    assert!(run.text().contains("./a.html\tKOI8-R\tUTF-8\n"), "{run:?}");
    assert!(
        run.err.contains("1 link would change in 1 file")
            && run.err.contains("1 file would change to another charset"),
        "{run:?}"
    );
    let objects = place
        .run(&["rewrite", "--to-charset", "utf-8", "--json", "."])
        .objects();
    let edit = &objects[0];
    // Positions refer to the original document.
    assert_eq!(
        (&edit["start"], &edit["end"]),
        (&33.into(), &35.into()),
        "{edit}"
    );
    assert_eq!(objects[1]["to_charset"], "UTF-8", "{objects:?}");
    let summary = objects.last().expect("a summary");
    assert_eq!(summary["files_transcoded"], 1, "{summary}");
}

/// A length or a signature covers bytes that the conversion would change.
#[test]
fn covered_bytes_keep_their_charset() {
    let place = Place::new(&[]);
    let signed = |text: &str| {
        format!(
            "ж\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{text}\n-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\nж\n"
        )
    };
    let serialized = |text: &str| {
        format!(
            "INSERT INTO t VALUES ('ж','a:1:{{i:0;s:{}:\"{text}\";}}');\n",
            text.chars().count()
        )
    };
    let far = "x".repeat(300_000);
    for (before, to, place_of_error) in [
        (signed("abc"), "utf-8", None),
        (signed("жж"), "utf-8", Some("5:1: ")),
        (signed("abc"), "utf-16le", Some("2:1: ")),
        (serialized("abc"), "utf-8", None),
        (serialized("abж"), "utf-8", Some("1:44: ")),
        (
            format!("{far}\n{}", serialized("abж")),
            "utf-8",
            Some("2:44: "),
        ),
        (format!("{far}\n{}", signed("ж")), "utf-8", Some("6:1: ")),
        (serialized(&format!("{far}ж")), "utf-8", Some("1:300047: ")),
        (serialized("abc"), "utf-16le", Some("1:1: ")),
    ] {
        let bytes = encoded("koi8-r", &before);
        place.write("a.txt", &bytes);
        let run = place.run(&["rewrite", "--to-charset", to, "-E", "koi8-r", "-i", "a.txt"]);
        match place_of_error {
            None => assert_eq!((place.read("a.txt"), run.code), (before.into_bytes(), 0)),
            Some(at) => {
                let shown = &before[..before.len().min(100)];
                let what = format!("a.txt: {at}the text cannot get another charset: ");
                assert!(run.err.contains(&what), "{shown} {to}: {run:?}");
                assert_eq!((run.code, place.read("a.txt") == bytes), (3, true));
            }
        }
    }
    let before = signed("ж");
    place.write("a.txt", &encoded("koi8-r", &before));
    let args = [
        "rewrite",
        "--to-charset",
        "utf-8",
        "-E",
        "koi8-r",
        "--break-signatures",
        "-i",
        "a.txt",
    ];
    assert_eq!(place.run(&args).code, 0);
    assert_eq!(place.read("a.txt"), before.into_bytes());
}

/// Forms are sent in the charset of their page: after a conversion they name the old charset.
#[test]
fn forms_keep_the_charset_that_they_are_sent_in() {
    let place = Place::new(&[]);
    let written = |page: &str, to: &str, format: &str| {
        let args = ["rewrite", "--to-charset", to, "--format", format, "-"];
        place.pipe(&args, page.as_bytes())
    };
    let meta = |charset: &str| format!("<meta charset={charset}>");
    for (from, to, before, after) in [
        (
            "windows-1251",
            "utf-8",
            "<form action=/a><form><input name=_charset_><button formaction=/b></form>",
            "<form accept-charset=\"windows-1251\" action=/a><form accept-charset=\"windows-1251\"><input name=_charset_>\
             <button formaction=/b></form>",
        ),
        (
            "utf-8",
            "koi8-r",
            "<FORM\n>",
            "<FORM accept-charset=\"UTF-8\"\n>",
        ),
        // The form already names a charset, or template code may name it.
        (
            "koi8-r",
            "utf-8",
            "<form accept-charset=utf-8><form Accept-Charset='x cp1251'><form accept-charset='{{ a }}'>",
            "<form accept-charset=utf-8><form Accept-Charset='x cp1251'><form accept-charset='{{ a }}'>",
        ),
        // Chromium ignores unknown labels.
        (
            "koi8-r",
            "utf-8",
            "<form accept-charset=UNKNOWN><form accept-charset=''><form accept-charset>",
            "<form accept-charset=KOI8-R><form accept-charset=\"KOI8-R\" accept-charset=''>\
             <form accept-charset=\"KOI8-R\" accept-charset>",
        ),
        (
            "koi8-r",
            "utf-8",
            "<!-- <form> --><script>'<form>'</script>",
            "<!-- <form> --><script>'<form>'</script>",
        ),
        // For unknown charsets, browsers send forms in a charset of their own choice.
        ("cp437", "utf-8", "<form>", "<form>"),
    ] {
        let run = written(&(meta(from) + before), to, "html");
        let declared = if to == "koi8-r" { "KOI8-R" } else { "UTF-8" };
        assert_eq!(
            (run.text(), run.code),
            (meta(declared) + after, 0),
            "{run:?}"
        );
    }
    // No charset is declared before and after.
    let run = written("<form>", "utf-8", "html");
    assert_eq!(run.text(), "<form>");
    // Forms in UTF-16 are sent in UTF-8.
    let run = written("<meta charset=utf-8><form>é", "utf-16le", "html");
    let text: Vec<u16> = run
        .out
        .as_chunks::<2>()
        .0
        .iter()
        .map(|unit| u16::from_le_bytes(*unit))
        .collect();
    assert!(
        String::from_utf16_lossy(&text).ends_with("<form>é"),
        "{run:?}"
    );
    for page in [
        "<meta charset=koi8-r>\n<form <?php echo $a ?>>",
        "<meta charset=koi8-r>\n<form {{ attributes }}>",
    ] {
        let run = written(page, "utf-8", "html");
        run.complains(
            &["line 2: a form would be sent in UTF-8, not in KOI8-R: code of a template"],
            3,
        );
    }
    let xhtml = |tag: &str| {
        format!(
            "<?xml version='1.0' encoding='koi8-r'?><html xmlns='http://www.w3.org/1999/xhtml'><{tag}/></html>"
        )
    };
    let run = written(&xhtml("h:form"), "utf-8", "xml");
    run.complains(
        &["line 1: a form would be sent in UTF-8, not in KOI8-R: in XHTML"],
        3,
    );
    for tag in ["form accept-charset='koi8-r'", "formula"] {
        let run = written(&xhtml(tag), "utf-8", "xml");
        assert_eq!(
            run.text(),
            xhtml(tag).replace("'koi8-r'?", "'UTF-8'?"),
            "{run:?}"
        );
    }
}

/// Long pages are converted in pieces.
#[test]
fn forms_of_long_pages() {
    let place = Place::new(&[]);
    let page =
        "<meta charset=koi8-r>".to_owned() + &"<p>text</p><form method=post>\n".repeat(20_000);
    place.write("a.html", page.as_bytes());
    let run = place.run(&["rewrite", "--to-charset", "utf-8", "--stdout", "a.html"]);
    let named = page
        .replace("koi8-r", "UTF-8")
        .replace("<form", "<form accept-charset=\"KOI8-R\"");
    assert!(run.text() == named, "{}", run.err);
}

/// Readers of XML take the name of a charset as it stands: what only browsers read under it becomes a reference.
#[test]
fn converted_xml_has_the_letters_of_the_charset_proper() {
    for (charset, has, lacks) in [
        ("EUC-KR", '한', '똠'),
        ("EUC-JP", '日', '髙'),
        ("Shift_JIS", '日', '①'),
        ("Big5", '中', '碁'),
    ] {
        let text = format!("<?xml version='1.0'?>\n<a>{has}{lacks} http://a.example/{lacks}</a>\n");
        let place = Place::new(&[("a.xml", &text)]);
        let run = place.run(&["rewrite", "--to-charset", charset, "--stdout", "a.xml"]);
        assert_eq!(run.code, 0, "{run:?}");
        let reference = format!("&#x{:X};", u32::from(lacks));
        let new = String::from_utf8_lossy(&run.out).into_owned();
        assert_eq!(new.matches(&reference).count(), 2, "{new}");
        let back = place.pipe(&["find", "-o", "--format", "xml"], run.out);
        assert_eq!(back.text(), format!("http://a.example/{lacks}\n"));
    }
}

/// Python and mail clients take the name of a charset as it stands, too.
#[test]
fn new_text_has_the_letters_of_the_charset_proper() {
    let mail = |head: &str, body: &str| {
        format!("From: a@b.example\nMIME-Version: 1.0\n{head}\n\n{body}\n")
    };
    let quoted = |media: &str, body: &str| {
        let head = format!("Content-Type: {media}\nContent-Transfer-Encoding: quoted-printable");
        mail(&head, body)
    };
    let card = "BEGIN:VCARD\nVERSION:2.1\nNOTE;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:http://a.example/";
    for (name, text, expected) in [
        (
            "a.py",
            "# coding: euc-kr\nu = 'http://a.example/%EB%98%A0'\n".to_owned(),
            "/\\uB620'",
        ),
        (
            "b.py",
            "# coding: shift_jis\nu = 'http://a.example/%E9%AB%99'\n".to_owned(),
            "/\\u9AD9'",
        ),
        (
            "c.rb",
            "# coding: big5\n# http://a.example/%E7%A2%81\n".to_owned(),
            "/%E7%A2%81",
        ),
        (
            "d.tex",
            "\\usepackage[latin1]{inputenc}\n\\url{http://a.example/%E2%82%AC}\n".to_owned(),
            "/%E2%82%AC",
        ),
        (
            "e.eml",
            quoted(
                "text/plain; charset=iso-8859-1",
                "http://a.example/%E2%82%AC%C3%A9",
            ),
            "/%E2%82%AC=E9",
        ),
        (
            "f.eml",
            quoted("text/plain; charset=tis-620", "http://a.example/%E2%82%AC"),
            "/%E2%82%AC",
        ),
        (
            "g.eml",
            quoted(
                "text/html; charset=euc-kr",
                "<a href=3Dhttp://a.example/%EB%98%A0>",
            ),
            "/&#xB620;>",
        ),
        (
            "h.eml",
            mail(
                "Subject: =?iso-8859-1?Q?=E9_http://a.example/%E2%82%AC?=",
                "a",
            ),
            "/%E2%82%AC?=",
        ),
        (
            "i.vcf",
            format!("{card}%E2%82%AC\nEND:VCARD\n"),
            "/%E2%82%AC\n",
        ),
        ("j.vcf", format!("{card}%C3%A9\nEND:VCARD\n"), "/=E9\n"),
    ] {
        let place = Place::new(&[(name, &text)]);
        let ran = place.run(&[
            "rewrite", "--to", "iri", "--also", "headers", "--also", "comments", "--stdout", name,
        ]);
        let new = ran.text();
        assert!(new.contains(expected), "{name}: {new}");
    }
    let place = Place::new(&[("a.py", "# coding: utf-8\nu = 'http://a.example/똠'\n")]);
    let ran = place.run(&["rewrite", "--to-charset", "euc-kr", "--stdout", "a.py"]);
    ran.prints("# coding: EUC-KR\nu = 'http://a.example/\\uB620'\n", 0);
}

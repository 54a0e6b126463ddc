//! `linkglot find`, option by option.

use crate::support::Place;
use serde_json::json;

fn site() -> Place {
    Place::new(&[
        (
            "site/a.html",
            "<a href='http://example.org/é'>x</a>\n<img src=\"b.png?a&amp;b\">\nhttp://example.org/é\n",
        ),
        (
            "site/sub/b.txt",
            "See www.example.com, or info@example.org\n",
        ),
        ("site/sub/none.txt", "nothing here\n"),
        ("site/.hidden.txt", "http://hidden.example/\n"),
        ("site/.git/x.txt", "http://git.example/\n"),
        ("site/c.css", "a { background: url(c.png) }\n"),
    ])
}

const ALL: &str = "\
site/.hidden.txt:1:1:http://hidden.example/
site/a.html:1:10:http://example.org/é
site/a.html:2:11:b.png?a&b
site/a.html:3:1:http://example.org/é
site/c.css:1:21:c.png
site/sub/b.txt:1:5:www.example.com
site/sub/b.txt:1:25:info@example.org
";

#[test]
fn a_directory() {
    site().run(&["find", "site"]).prints(ALL, 0);
}

#[test]
fn one_file_has_no_path() {
    let place = site();
    let expected = "1:5:www.example.com\n1:25:info@example.org\n";
    place.run(&["find", "site/sub/b.txt"]).prints(expected, 0);
    let expected = "site/c.css:1:21:c.png\nsite/sub/b.txt:1:5:www.example.com\nsite/sub/b.txt:1:25:info@example.org\n";
    let files = ["find", "site/c.css", "site/sub/b.txt"];
    place.run(&files).prints(expected, 0);
}

#[test]
fn standard_input() {
    let place = site();
    let expected = "1:1:http://example.org/\n";
    place
        .pipe(&["find"], "http://example.org/ x")
        .prints(expected, 0);
    place
        .pipe(&["find", "-"], "http://example.org/ x")
        .prints(expected, 0);
    let both = place.pipe(&["find", "site/c.css", "-"], "http://example.org/");
    both.prints("site/c.css:1:21:c.png\n-:1:1:http://example.org/\n", 0);
}

#[test]
fn without_a_path_the_directory_is_read() {
    let place = site();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("linkglot"));
    command.args(["find"]).current_dir(place.path("site/sub"));
    let output = command.stdin(std::process::Stdio::null()).output().unwrap();
    let expected = "b.txt:1:5:www.example.com\nb.txt:1:25:info@example.org\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn no_links_is_one() {
    site().run(&["find", "site/sub/none.txt"]).prints("", 1);
}

#[test]
fn only_links_and_forms() {
    let place = site();
    let run = |form: &str| place.run(&["find", "-o", "--as", form, "site/a.html"]);
    run("text").prints("http://example.org/é\nb.png?a&b\nhttp://example.org/é\n", 0);
    run("raw").prints(
        "http://example.org/é\nb.png?a&amp;b\nhttp://example.org/é\n",
        0,
    );
    run("uri").prints(
        "http://example.org/%C3%A9\nb.png?a&b\nhttp://example.org/%C3%A9\n",
        0,
    );
    let iri = place.pipe(&["find", "-o", "--as", "iri"], "http://example.org/%C3%A9");
    iri.prints("http://example.org/é\n", 0);
    let implied = place.run(&["find", "-o", "--as", "uri", "site/sub/b.txt"]);
    implied.prints("https://www.example.com\nmailto:info@example.org\n", 0);
}

#[test]
fn raw_links_are_source_bytes() {
    let place = Place::new(&[]);
    let page = b"<a href='/\xE9&amp;'>";
    place.write("latin.html", page);
    let run = place.run(&["find", "-o", "--as", "raw", "latin.html"]);
    assert_eq!(run.out, b"/\xE9&amp;\n");
    let run = place.run(&["find", "-o", "latin.html"]);
    assert_eq!(run.text(), "/é&\n");
}

#[test]
fn counts_and_names() {
    let place = site();
    let counts = "site/.hidden.txt:1\nsite/a.html:3\nsite/c.css:1\nsite/sub/b.txt:2\n";
    place.run(&["find", "-c", "site"]).prints(counts, 0);
    place.run(&["find", "-c", "site/a.html"]).prints("3\n", 0);
    place.run(&["find", "-cu", "site/a.html"]).prints("2\n", 0);
    let names = "site/.hidden.txt\nsite/a.html\nsite/c.css\nsite/sub/b.txt\n";
    place.run(&["find", "-l", "site"]).prints(names, 0);
}

#[test]
fn unique_links_come_once_and_first() {
    let place = site();
    let lines: Vec<&str> = ALL
        .lines()
        .filter(|line| !line.contains("html:3"))
        .collect();
    let expected = lines.join("\n") + "\n";
    for threads in ["1", "8"] {
        let run = place.run(&["find", "-u", "-j", threads, "site"]);
        run.prints(&expected, 0);
    }
}

#[test]
fn quiet_says_it_by_the_code() {
    let place = site();
    place.run(&["find", "-q", "site"]).prints("", 0);
    place.run(&["find", "-q", "--json", "site"]).prints("", 0);
    place
        .run(&["find", "-q", "site/sub/none.txt"])
        .prints("", 1);
}

#[test]
fn filters() {
    let place = site();
    let run = |filter: &[&str]| {
        let mut args = vec!["find", "-o", "site"];
        args.extend(filter);
        place.run(&args)
    };
    run(&["--scheme", "mailto"]).prints("info@example.org\n", 0);
    run(&["--scheme", "HTTPS,mailto"]).prints("www.example.com\ninfo@example.org\n", 0);
    run(&["--kind", "css"]).prints("c.png\n", 0);
    let expected = "http://example.org/é\nb.png?a&b\nc.png\n";
    run(&["--kind", "attribute,css"]).prints(expected, 0);
    run(&["--kind", "email"]).prints("info@example.org\n", 0);
    run(&["--kind", "domain,email"]).prints("www.example.com\ninfo@example.org\n", 0);
    run(&["--kind", "text,iri", "--no-hidden"]).prints("http://example.org/é\n", 0);
    run(&["--kind", "attribute,email"]).prints("", 1);
    run(&["--non-ascii"]).prints("http://example.org/é\nhttp://example.org/é\n", 0);
    run(&["--relative"]).prints("b.png?a&b\nc.png\n", 0);
    assert_eq!(run(&["--absolute"]).text().lines().count(), 5);
    run(&["--scheme", "gopher"]).prints("", 1);
}

#[test]
fn json_objects() {
    let place = Place::new(&[]);
    let page = b"<p>\n<a href=\"http://example.org/?q=\xEF&amp;a\">";
    place.write("a.html", page);
    let run = place.run(&["find", "--json", "-E", "windows-1251", "a.html"]);
    let objects = run.objects();
    let expected = json!({
        "type": "link", "path": "a.html", "format": "html",
        "charset": "windows-1251", "charset_from": "caller", "charset_certain": true,
        "start": 13, "end": 42, "line": 2, "column": 10,
        "place": {"kind": "attribute", "element": "a", "name": "href"},
        "raw": "http://example.org/?q=п&amp;a", "text": "http://example.org/?q=п&a",
        "scheme": "http", "evidence": "markup",
        "uri": "http://example.org/?q=%EF&a", "iri": "http://example.org/?q=п&a",
        "resolved": "http://example.org/?q=%EF&a",
        "notes": ["query-charset"],
    });
    assert_eq!(objects[0], expected);
    let summary = json!({
        "type": "summary", "files": 1, "bytes": page.len(), "links": 1, "files_with_links": 1,
        "errors": 0, "unread": [], "skipped": {},
    });
    assert_eq!(objects[1..], [summary]);
    assert_eq!(run.code, 0);
}

#[test]
fn json_of_implied_schemes_errors_and_skips() {
    let place = site();
    place.write("site/i.png", b"\x89PNG\r\n\x1A\n\0\0");
    let run = place.run(&["find", "--json", "site", "missing"]);
    assert_eq!(run.code, 3);
    let objects = run.objects();
    let link = objects
        .iter()
        .find(|o| o["text"] == "info@example.org")
        .unwrap();
    assert_eq!(link["implied"], "mailto");
    assert_eq!(link["evidence"], "address");
    assert_eq!(link["scheme"], json!(null));
    assert_eq!(link["uri"], "mailto:info@example.org");
    let error = objects.iter().find(|o| o["type"] == "error").unwrap();
    assert_eq!(error["path"], "missing");
    assert!(error["message"].as_str().unwrap().contains("No such file"));
    let summary = objects.last().unwrap();
    assert_eq!(summary["links"], 7);
    assert_eq!(summary["errors"], 1);
    assert_eq!(
        summary["skipped"],
        json!({"binary": 1, "version-control": 1})
    );
}

#[test]
fn empty_results_still_have_a_summary() {
    let run = site().run(&["find", "--json", "site/sub/none.txt"]);
    assert_eq!(run.objects().len(), 1);
    assert_eq!(run.code, 1);
}

#[cfg(unix)]
#[test]
fn paths_that_are_not_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new(&[]);
    let name = OsStr::from_bytes(b"caf\xE9.txt");
    if std::fs::write(place.path("").join(name), "http://example.org/").is_err() {
        println!("skipped: the file system takes Unicode names alone");
        return;
    }
    let run = place.run(&["find", "."]);
    assert_eq!(run.out, b"./caf\xE9.txt:1:1:http://example.org/\n");
    let object = &place.run(&["find", "--json", "."]).objects()[0];
    assert_eq!(object["path"], "./caf\u{FFFD}.txt");
    assert_eq!(object["path_base64"], "Li9jYWbpLnR4dA==");
}

#[test]
fn choosing_files() {
    let place = site();
    place.write("site/.gitignore", b"c.css\n/sub/\n");
    let names = |args: &[&str]| {
        let run = place.run(&[&["find", "-l", "site"], args].concat());
        run.text().replace("site/", "").replace('\n', " ")
    };
    assert_eq!(names(&[]), ".hidden.txt a.html c.css sub/b.txt ");
    assert_eq!(names(&["--no-hidden"]), "a.html c.css sub/b.txt ");
    assert_eq!(names(&["--gitignore"]), ".hidden.txt a.html ");
    assert_eq!(names(&["-g", "*.txt"]), ".hidden.txt sub/b.txt ");
    assert_eq!(names(&["-g", "!*.txt"]), "a.html c.css ");
    assert_eq!(names(&["-g", "!site/sub/**"]), ".hidden.txt a.html c.css ");
    assert_eq!(names(&["-t", "html"]), "a.html ");
    assert_eq!(names(&["-t", "css,html"]), "a.html c.css ");
    assert_eq!(names(&["-t", "text", "--no-hidden"]), "sub/b.txt ");
    // Types and globs are the caller's words for named files, too; hidden and ignored files are read if named.
    place
        .run(&["find", "-l", "-t", "css", "site/a.html"])
        .prints("", 1);
    let named = place.run(&[
        "find",
        "-l",
        "--gitignore",
        "--no-hidden",
        "site/c.css",
        "site/.hidden.txt",
    ]);
    named.prints("site/c.css\nsite/.hidden.txt\n", 0);
}

#[test]
fn skipped_files_are_counted() {
    let place = site();
    let run = place.run(&["find", "-c", "--stats", "-t", "css", "--no-hidden", "site"]);
    run.complains(
        &[
            "skipped (`-v` lists them): 1 version-control directory, 1 hidden, 3 left out by `--type`",
        ],
        0,
    );
    let run = place.run(&["find", "-c", "-v", "-t", "css", "site"]);
    run.complains(
        &[
            "site/a.html: skipped: left out by `--type`",
            "site/c.css: css, UTF-8 (",
        ],
        0,
    );
}

#[test]
fn lists_of_files() {
    let place = site();
    place.write("list", b"site/c.css\nsite/sub/b.txt\r\n\n");
    let expected = "site/c.css:1\nsite/sub/b.txt:2\n";
    place
        .run(&["find", "-c", "--files-from", "list"])
        .prints(expected, 0);
    let null = b"site/c.css\0site/sub/b.txt\0";
    place
        .pipe(&["find", "-c", "--files-from", "-", "-0"], *null)
        .prints(expected, 0);
    let run = place.pipe(
        &["find", "-c", "--files-from", "-"],
        "site/c.css\nsite\nmissing\n",
    );
    run.complains(
        &[
            "site: expected a file, found a directory",
            "missing: No such file",
        ],
        3,
    );
    assert_eq!(run.text(), "site/c.css:1\n");
}

#[cfg(unix)]
#[test]
fn symbolic_links() {
    use std::os::unix::fs::symlink;
    let place = Place::new(&[
        ("d/a.txt", "http://example.org/"),
        ("far/b.txt", "http://example.net/"),
    ]);
    symlink("a.txt", place.path("d/link.txt")).unwrap();
    symlink("../far", place.path("d/far")).unwrap();
    symlink("..", place.path("d/loop")).unwrap();
    place.run(&["find", "-l", "d"]).prints("d/a.txt\n", 0);
    // The file was named.
    place
        .run(&["find", "-o", "d/link.txt"])
        .prints("http://example.org/\n", 0);
    let run = place.run(&["find", "-l", "-L", "d"]);
    assert_eq!(run.text(), "d/a.txt\nd/far/b.txt\n");
    run.complains(&["d/loop: ", "leads back"], 3);
}

#[test]
fn threads_change_nothing() {
    let place = Place::new(&[]);
    for number in 0..60 {
        let links = "http://example.org/".repeat(number % 7) + " ";
        let text = format!("{number} {}\n", links).repeat(1 + (number * 37) % 400);
        place.write(&format!("d/{number}.txt"), text.as_bytes());
    }
    place.write("d/30.bin", b"\0\x01\x02\xFF");
    for options in [&["-v"][..], &["--json"], &["-u"], &["-c"]] {
        let run = |threads| place.run(&[&["find", "-j", threads, "d", "gone"], options].concat());
        let (one, many) = (run("1"), run("8"));
        assert_eq!(one.text(), many.text());
        assert_eq!(one.err, many.err);
        assert_eq!(one.code, 3);
    }
}

#[test]
fn colours() {
    let place = site();
    let plain = place.run(&["find", "site/c.css"]);
    assert!(!plain.text().contains('\u{1B}'));
    let coloured = place.run(&["find", "--color", "always", "site"]);
    assert!(
        coloured.text().contains("\u{1B}[35msite/c.css\u{1B}[0m:"),
        "{coloured:?}"
    );
}

#[test]
fn line_ends_in_links_stay_on_the_line() {
    let place = Place::new(&[("a.html", "<a href='http://example.org/a\nb'>")]);
    place
        .run(&["find", "a.html"])
        .prints("1:10:http://example.org/a\\nb\n", 0);
}

#[test]
fn formats_charsets_and_profiles() {
    let place = Place::new(&[("x", "<img src='b.png'>www.example.org http://example.org/")]);
    let run = |args: &[&str]| place.run(&[&["find", "-o", "x"], args].concat());
    let text = run(&["--format", "text", "--detect", "scheme"]);
    text.prints("http://example.org/\n", 0);
    let html = run(&["--format", "html"]);
    html.prints("b.png\nwww.example.org\nhttp://example.org/\n", 0);
    let latin = place.pipe(&["find", "-o", "-E", "latin1"], *b"http://example.org/\xE9");
    latin.prints("http://example.org/é\n", 0);
    let default = ["find", "-o", "--default-charset", "koi8-r"];
    assert_eq!(place.pipe(&default, *b"http://example.org/x").code, 0);
}

#[test]
fn long_slots_are_passed_over() {
    let page = format!("<a href='/{}'><a href='/b'>", "x".repeat(5000));
    let place = Place::new(&[("a.html", &page)]);
    let run = place.run(&["find", "-o", "--max-slot", "1K", "a.html"]);
    assert_eq!(run.text(), "/b\n");
    run.complains(
        &["a.html: at byte 9: a value longer than --max-slot was not searched"],
        0,
    );
    let objects = place
        .run(&["find", "--json", "--max-slot", "1K", "a.html"])
        .objects();
    assert_eq!(objects[0]["notes"], json!(["too-long"]));
    assert_eq!(objects.last().unwrap()["links"], 1);
}

#[test]
fn large_files_give_the_same() {
    let place = Place::new(&[]);
    let mut page = b"<a href='/\xE9?\xE9'>x</a>\n".to_vec();
    while page.len() < 9 << 20 {
        page.extend_from_slice(b"plain text that goes on and on, as texts do, without any end\n");
    }
    page.extend_from_slice(b"<a href='/last'>\n");
    place.write("large.html", &page);
    let found = place.run(&["find", "--json", "--as", "text", "large.html"]);
    assert_eq!(found.code, 2, "--as and --json exclude each other");
    let file = place.run(&["find", "--json", "large.html"]).objects();
    let pipe = place
        .pipe(&["find", "--json", "--format", "html"], page)
        .objects();
    for (file, pipe) in file.iter().zip(&pipe) {
        assert_eq!(file["start"], pipe["start"]);
        assert_eq!(file["line"], pipe["line"]);
        assert_eq!(file["uri"], pipe["uri"]);
    }
    assert_eq!(file[0]["charset"], "windows-1252");
    assert_eq!((file.len(), pipe.len()), (3, 3));
    let raw = place.run(&["find", "-o", "--as", "raw", "large.html"]);
    assert_eq!(raw.out, b"/\xE9?\xE9\n/last\n");
}

#[test]
fn identifiers_are_listed_when_asked_for() {
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><id>tag:example.org,2020:1</id><link href='/é'/></feed>";
    let place = Place::new(&[("feed.xml", feed)]);
    place.run(&["find", "-o", "feed.xml"]).prints("/é\n", 0);
    let both = "tag:example.org,2020:1\n/é\n";
    place
        .run(&["find", "-o", "--identifiers", "feed.xml"])
        .prints(both, 0);
}

#[test]
fn links_over_line_breaks() {
    let place = site();
    let text = "> http://example.org/a/long/\n> way.html is\nhttp://example.org/b \n/c and\n";
    let plain = "1:3:http://example.org/a/long/\n3:1:http://example.org/b\n";
    place.pipe(&["find"], text).prints(plain, 0);
    let joined = "1:3:http://example.org/a/long/way.html\n3:1:http://example.org/b\n";
    place
        .pipe(&["find", "--join-wrapped"], text)
        .prints(joined, 0);
    let flowed = "1:3:http://example.org/a/long/\n3:1:http://example.org/b/c\n";
    place.pipe(&["find", "--flowed"], text).prints(flowed, 0);
    let both = "1:3:http://example.org/a/long/way.html\n3:1:http://example.org/b/c\n";
    let options = ["find", "--flowed", "--join-wrapped"];
    place.pipe(&options, text).prints(both, 0);
    let raw = "http://example.org/a/long/\\n> way.html\nhttp://example.org/b\n";
    let options = ["find", "-o", "--as", "raw", "--join-wrapped"];
    place.pipe(&options, text).prints(raw, 0);
}

/// A text that begins with a word that could be a signature is read, and a named file is read with the options of the
/// user.
#[test]
fn what_counts_as_binary() {
    let place = Place::new(&[
        ("id3.txt", "ID3 tags: see http://id3.org/\n"),
        ("d/page", "<p>a\0b <a href=/x>"),
        ("d/tag.mp3", "ID3\u{3}\0\0\0\0\u{f}x http://a.org/"),
    ]);
    assert_eq!(
        place.run(&["find", "-o", "id3.txt"]).text(),
        "http://id3.org/\n"
    );
    let page = |args: &[&str]| place.run(&[&["find", "-o"], args].concat());
    assert_eq!(page(&["--format", "html", "d/page"]).text(), "/x\n");
    assert_eq!(page(&["d/page"]).code, 2);
    assert_eq!(page(&["--format", "text", "d/tag.mp3"]).code, 2);
    // A walk meets other files, too.
    assert_eq!(page(&["--format", "html", "d"]).code, 1);
}

/// Pages of PHP are HTML, programs are not, but their strings may be; templates have the format of the extension before
/// their own.
#[test]
fn pages_with_code() {
    let front = "---\nlayout: x\n---\n<p><a href='/x'>x</a>";
    let place = Place::new(&[
        ("a.html.liquid", front),
        ("b.php", "words <a href='/x'>x</a> <?= y ?>"),
        ("c.php", "<?php echo \"<a href='/x'>\"; ?>\n"),
        ("d.txt.tt", front),
    ]);
    for (name, found) in [
        ("a.html.liquid", "/x\n"),
        ("b.php", "/x\n"),
        ("c.php", "/x\n"),
        ("d.txt.tt", ""),
    ] {
        assert_eq!(place.run(&["find", "-o", name]).text(), found, "{name}");
    }
    let html = place.run(&["find", "-l", "-t", "html", "."]);
    assert_eq!(html.text(), "./a.html.liquid\n./b.php\n./c.php\n");
}

/// Userinfo before the @ is not a host, though it looks like one; a browser takes a backslash as the end of the host.
#[test]
fn userinfo_that_looks_like_a_host_is_noted() {
    for (link, notes) in [
        (
            "http://www.bank.example@evil.example/",
            json!(["userinfo-like-host"]),
        ),
        ("http://ann@b.example/", json!([])),
        ("mailto:ann.bee@b.example", json!([])),
        ("http://www.bank.example\\@evil.example/", json!([])),
    ] {
        let place = Place::new(&[("a.html", &format!("<a href='{link}'>"))]);
        let found = place.run(&["find", "--json", "a.html"]).objects();
        assert_eq!(found[0]["notes"], notes, "{link}");
    }
}

const HOSTS: &str = "<a href='http://a.example/x'><a href='//A.EXAMPLE/y'><a href='/z'>\
    <a href='https://bücher.example/'><a href='mailto:c@d.example'></a> see www.a.example/";

#[test]
fn links_are_chosen_by_their_hosts() {
    let place = Place::new(&[
        ("d/a.html", HOSTS),
        ("d/b.txt", "http://a.example/ http://b.example/\n"),
    ]);
    let run = |args: &[&str]| place.run(&[&["find", "-o"], args].concat());
    let found = run(&["--host", "a.example", "d"]);
    found.prints("http://a.example/x\n//A.EXAMPLE/y\nhttp://a.example/\n", 0);
    let found = run(&["--host", "*.a.example,XN--BCHER-KVA.example", "d"]);
    found.prints("https://bücher.example/\nwww.a.example/\n", 0);
    run(&["--host", "a.example/x", "d"]).complains(&["expected a host such as `example.org`"], 2);

    let base = ["--base", "http://a.example/"];
    let found = run(&[&["--internal", "d/a.html"][..], &base].concat());
    found.prints("http://a.example/x\n//A.EXAMPLE/y\n/z\n", 0);
    let found = run(&[&["--external", "d/a.html"][..], &base].concat());
    found.prints("https://bücher.example/\nwww.a.example/\n", 0);
    // Without a base, only relative links are known to be internal.
    run(&["--internal", "d"]).prints("/z\n", 0);
}

/// A name that is rather a file or a member of a program is a link if it is asked for.
#[test]
fn a_wanted_host_is_a_link() {
    let place = Place::new(&[("a.txt", "see lib.rs, api.lib.rs, kompas.id and main.rs\n")]);
    let run = |host: &str| place.run(&["find", "-o", "--host", host, "a.txt"]);
    run("lib.rs").prints("lib.rs\n", 0);
    run("*.lib.rs,kompas.id").prints("api.lib.rs\nkompas.id\n", 0);
    run("a.example").prints("", 1);
}

#[test]
fn a_table_of_hosts() {
    let place = Place::new(&[
        ("a.html", HOSTS),
        ("b.txt", "http://a.example/ http://b.example/\n"),
    ]);
    let expected = "LINKS\tFILES\tHOST\n3\t2\ta.example\n1\t1\tb.example\n1\t1\twww.a.example\n1\t1\txn--bcher-kva.example\n";
    place.run(&["find", "--by-host", "."]).prints(expected, 0);
    let objects = place.run(&["find", "--by-host", "--json", "."]).objects();
    assert_eq!(
        objects[0],
        json!({"type": "host", "host": "a.example", "links": 3, "files": 2})
    );
    assert_eq!(objects.len(), 5);
    assert_eq!(objects[4]["type"], "summary");
    let with_base = [
        "find",
        "--by-host",
        "--base",
        "http://b.example/",
        "--internal",
        ".",
    ];
    place
        .run(&with_base)
        .prints("LINKS\tFILES\tHOST\n2\t2\tb.example\n", 0);
}

#[test]
fn statistics_by_charset() {
    let place = Place::new(&[
        ("a.html", "<meta charset=utf-8><a href=/é>"),
        ("b.txt", "no link"),
    ]);
    place.write("c.html", b"<meta charset=koi8-r><a href=/\xD6><a href=/a>");
    let run = place.run(&["find", "--stats", "-q", "."]);
    for row in ["FOUND, BY CHARSET", "1      2  UTF-8", "2      1  KOI8-R"] {
        assert!(run.err.contains(row), "{row}: {}", run.err);
    }
}

#[test]
fn malformed_documents_are_named_with_the_byte() {
    let documents: [(&str, &str, Option<u64>); 12] = [
        (
            "quote.json",
            r#"{"a": 'c', "b": "http://a.example/x"}"#,
            Some(6),
        ),
        (
            "cut.json",
            r#"{"a": "b", "c": "http://a.example/x"#,
            Some(17),
        ),
        (
            "line.jsonl",
            "{\"a\": 'b http://a.example/x\n{\"a\": 1}\n",
            Some(6),
        ),
        ("a.yaml", "a: \"http://a.example/x\nb: c\n", Some(4)),
        ("a.toml", "a = 'http://a.example/x\n", Some(5)),
        ("a.csv", "a,b\n\"c\" http://a.example/x d\n", Some(5)),
        ("a.sql", "SELECT 'http://a.example/x;\n", Some(8)),
        ("a.php", "<?php\n$a = 'http://a.example/x;\n", Some(12)),
        ("a.js", "a = 'http://a.example/x;\n", Some(5)),
        (
            "sound.json",
            "// a\n{\"a\": [\"http://a.example/x\",], /* b */ c: 1}",
            None,
        ),
        (
            "several.json",
            "{\"a\": \"http://a.example/x\"} {\"a\": 1}\n",
            None,
        ),
        (
            "copy.sql",
            "COPY a FROM stdin WITH (FORMAT csv);\nhttp://a.example/x\n",
            None,
        ),
    ];
    for (name, text, from) in documents {
        let place = Place::new(&[(name, text)]);
        let objects = place.run(&["find", "--json", name]).objects();
        let notes = match from {
            Some(_) => json!(["read-as-text"]),
            None => json!([]),
        };
        assert_eq!(objects[0]["notes"], notes, "{name}");
        let file = objects.iter().find(|object| object["type"] == "file");
        assert_eq!(
            file.and_then(|file| file["text_from"].as_u64()),
            from,
            "{name}"
        );
        let (_, format) = name.split_once('.').expect("an extension");
        let piped = place.pipe(&["find", "--json", "--format", format], text);
        let piped = piped.objects();
        let file = piped.iter().find(|object| object["type"] == "file");
        assert_eq!(
            file.and_then(|file| file["text_from"].as_u64()),
            from,
            "{name}"
        );
        for args in [
            &["find", "-v", name][..],
            &["rewrite", "-nv", "--to", "uri", name],
        ] {
            let run = place.run(args);
            let words = from.map(|from| format!("read as running text from byte {from} on"));
            match words {
                Some(words) => run.complains(&[&words], 0),
                None => assert!(!run.err.contains("running text"), "{name}"),
            }
        }
        assert_eq!(
            place.run(&["find", "-o", name]).text(),
            "http://a.example/x\n"
        );
    }
}

/// A malformed row has a byte, with a link or without; the rows behind it are sound.
#[test]
fn a_malformed_row_ends_with_its_line() {
    let place = Place::new(&[("a.csv", "a,b\n\"c\"d e,f\n\"e\",\"http://a.example/x\"\n")]);
    let objects = place.run(&["find", "--json", "a.csv"]).objects();
    assert_eq!(objects[0]["notes"], json!([]));
    assert_eq!(objects[1]["text_from"], json!(5));
}

#[test]
fn malformed_scripts_of_pages_are_told_by_their_links() {
    let page = "<script>a = 'http://a.example/x;\n</script>";
    let place = Place::new(&[("a.html", page)]);
    let run = place.run(&["find", "--json", "--also", "code", "a.html"]);
    assert_eq!(run.objects()[0]["notes"], json!(["read-as-text"]));
}

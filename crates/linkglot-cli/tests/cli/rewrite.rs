//! `linkglot rewrite`, option by option.

use crate::support::Place;
use serde_json::json;
use std::fs;
use std::time::{Duration, SystemTime};

const PAGE: &str = "<p>\r\n<a HREF = 'http://résumé.example/é'>é</a>\r\n<img src=a.png>\r\n";
const URIS: &str =
    "<p>\r\n<a HREF = 'http://xn--rsum-bpad.example/%C3%A9'>é</a>\r\n<img src=a.png>\r\n";

fn site() -> Place {
    let place = Place::new(&[
        ("site/a.html", PAGE),
        ("site/sub/same.html", "<a href='b.html'>"),
        ("site/sub/t.txt", "see http://example.org/é and more\n"),
    ]);
    place.write("site/i.png", b"\x89PNG\r\n\x1A\n\0\0\xFF");
    place
}

#[test]
fn a_diff_is_the_default() {
    let place = site();
    let expected = "\
--- site/a.html
+++ site/a.html
@@ -1,3 +1,3 @@
 <p>\r
-<a HREF = 'http://résumé.example/é'>é</a>\r
+<a HREF = 'http://xn--rsum-bpad.example/%C3%A9'>é</a>\r
 <img src=a.png>\r
--- site/sub/t.txt
+++ site/sub/t.txt
@@ -1 +1 @@
-see http://example.org/é and more
+see http://example.org/%C3%A9 and more
";
    let run = place.run(&["rewrite", "--to", "uri", "site"]);
    assert_eq!((run.text().as_str(), run.code), (expected, 0), "{run:?}");
    assert_eq!(place.read("site/a.html"), PAGE.as_bytes());
}

/// A diff shows no links that were left, so a line counts them.
#[test]
fn a_diff_ends_with_the_links_that_were_left() {
    let place = Place::new(&[]);
    place.write("a.txt", "see http://example.org/\u{e9}{{ x }}".as_bytes());
    let run = place.run(&["rewrite", "--to", "uri", "a.txt"]);
    let left = "linkglot: nothing would change
linkglot: 1 link left unchanged (`-v` lists the reasons)
";
    assert_eq!((run.text().as_str(), run.err.as_str()), ("", left));
    let quiet = place.run(&["rewrite", "--to", "uri", "-q", "a.txt"]);
    assert_eq!(quiet.err, "");
}

#[test]
fn diffs_are_in_unicode() {
    let place = Place::new(&[]);
    let page = b"<meta charset=shift_jis>\n<a href='/\x83\x5C'>\x83\x5C</a>\n";
    place.write("a.html", page);
    let run = place.run(&["rewrite", "--to", "uri", "a.html"]);
    let changed = "-<a href='/ソ'>ソ</a>\n+<a href='/%E3%82%BD'>ソ</a>\n";
    assert!(run.text().ends_with(changed), "{run:?}");
    let wide: Vec<u8> = "\u{FEFF}x\n<a href='/é'>é</a>\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    place.write("wide.html", &wide);
    let run = place.run(&["rewrite", "--to", "uri", "wide.html"]);
    let changed = "-<a href='/é'>é</a>\n+<a href='/%C3%A9'>é</a>\n";
    assert!(run.text().ends_with(changed), "{run:?}");
}

#[test]
fn standard_input_to_standard_output() {
    let place = site();
    place
        .pipe(&["rewrite", "--to", "uri", "--format", "html"], PAGE)
        .prints(URIS, 0);
    place
        .pipe(&["rewrite", "--to", "uri", "-"], PAGE)
        .prints(URIS, 0);
    let run = place.pipe(&["rewrite", "--to", "iri"], URIS);
    run.prints(PAGE, 0);
}

#[test]
fn one_file_to_standard_output() {
    let place = site();
    place
        .run(&["rewrite", "--to", "uri", "--stdout", "site/a.html"])
        .prints(URIS, 0);
    let same = place.run(&["rewrite", "--to", "uri", "--stdout", "site/sub/same.html"]);
    same.prints("<a href='b.html'>", 0);
    let run = place.run(&["rewrite", "--to", "uri", "--stdout", "site"]);
    run.complains(&["--stdout takes one file"], 2);
}

#[test]
fn in_place() {
    let place = site();
    let then = SystemTime::now() - Duration::from_secs(1_000_000);
    let set = |name: &str| {
        let file = fs::File::options()
            .write(true)
            .open(place.path(name))
            .unwrap();
        file.set_modified(then).unwrap();
    };
    set("site/a.html");
    make_mode(&place, "site/a.html", 0o640);
    let run = place.run(&["rewrite", "--to", "uri", "-i", "site"]);
    run.complains(
        &[
            "2 links changed in 2 files",
            "skipped (`-v` lists them): 1 binary file",
        ],
        0,
    );
    assert_eq!(run.text(), "");
    assert_eq!(place.read("site/a.html"), URIS.as_bytes());
    assert_eq!(
        place.names("site"),
        ["a.html", "i.png", "sub/same.html", "sub/t.txt"]
    );
    let metadata = fs::metadata(place.path("site/a.html")).unwrap();
    assert_eq!(metadata.modified().unwrap(), then);
    assert_eq!(mode(&metadata), 0o640);
    let again = place.run(&["rewrite", "--to", "uri", "-i", "site"]);
    again.complains(&["0 links changed in 0 files"], 0);
}

#[cfg(unix)]
fn make_mode(place: &Place, name: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(place.path(name), fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(unix)]
fn mode(metadata: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o777
}

#[cfg(not(unix))]
fn make_mode(_: &Place, _: &str, _: u32) {}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata) -> u32 {
    0o640
}

#[test]
fn unchanged_files_are_not_written() {
    let place = site();
    let before = fs::metadata(place.path("site/sub/same.html")).unwrap();
    place
        .run(&["rewrite", "--to", "uri", "-iq", "site"])
        .prints("", 0);
    let after = fs::metadata(place.path("site/sub/same.html")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        assert_eq!(
            (before.ino(), before.ctime_nsec()),
            (after.ino(), after.ctime_nsec())
        );
    }
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
}

#[test]
fn a_tree_elsewhere() {
    let place = site();
    let run = place.run(&["rewrite", "--to", "uri", "-O", "new/out", "site"]);
    run.complains(&["2 links changed in 2 files"], 0);
    assert_eq!(place.names("new/out"), place.names("site"));
    assert_eq!(place.read("new/out/a.html"), URIS.as_bytes());
    assert_eq!(place.read("new/out/i.png"), place.read("site/i.png"));
    assert_eq!(place.read("new/out/sub/same.html"), b"<a href='b.html'>");
    assert_eq!(place.read("site/a.html"), PAGE.as_bytes());
    // A second run writes the same output.
    assert_eq!(
        place
            .run(&["rewrite", "--to", "uri", "-O", "new/out", "site"])
            .code,
        0
    );
    assert_eq!(place.names("new/out"), place.names("site"));
}

#[test]
fn several_paths_elsewhere() {
    let place = site();
    let args = [
        "rewrite",
        "--to",
        "uri",
        "-q",
        "-O",
        "out",
        "site/a.html",
        "site/sub",
    ];
    place.run(&args).prints("", 0);
    assert_eq!(place.names("out"), ["a.html", "sub/same.html", "sub/t.txt"]);
    place.write("list", b"site/a.html\n./site/sub/t.txt\n");
    let args = [
        "rewrite",
        "--to",
        "uri",
        "-q",
        "-O",
        "listed",
        "--files-from",
        "list",
    ];
    place.run(&args).prints("", 0);
    assert_eq!(place.names("listed"), ["site/a.html", "site/sub/t.txt"]);
}

#[test]
fn a_dry_run_is_a_table() {
    let place = site();
    let expected = "\
site/a.html:2:12\thttp://résumé.example/é\thttp://xn--rsum-bpad.example/%C3%A9
site/sub/t.txt:1:5\thttp://example.org/é\thttp://example.org/%C3%A9
";
    for extra in [&[][..], &["-i"], &["-O", "out"]] {
        let args = [&["rewrite", "--to", "uri", "-n", "site"], extra].concat();
        let run = place.run(&args);
        assert_eq!(run.text(), expected);
        run.complains(&["2 links would change in 2 files"], 0);
    }
    assert_eq!(place.read("site/a.html"), PAGE.as_bytes());
    assert!(!place.path("out").exists());
}

#[test]
fn json_objects() {
    let place = site();
    let run = place.run(&["rewrite", "--to", "uri", "--json", "site"]);
    let objects = run.objects();
    let expected = json!({
        "type": "edit", "path": "site/a.html", "format": "html", "charset": "UTF-8",
        "charset_from": "detection", "charset_certain": true, "start": 16, "end": 42, "line": 2, "column": 12,
        "place": {"kind": "attribute", "element": "a", "name": "href"},
        "old": "http://résumé.example/é", "new": "http://xn--rsum-bpad.example/%C3%A9",
        "evidence": "markup", "notes": [],
    });
    assert_eq!(objects[0], expected);
    let summary = objects.last().unwrap();
    let numbers = [
        "files",
        "links",
        "changed",
        "left",
        "files_changed",
        "errors",
    ];
    let numbers = numbers.map(|name| summary[name].as_u64().unwrap());
    assert_eq!(numbers, [3, 4, 2, 0, 2, 0]);
    assert_eq!(summary["skipped"], json!({"binary": 1}));
    let files = |summary: &serde_json::Value| {
        let names = ["files_written", "files_to_change"];
        names.map(|name| summary[name].as_u64().unwrap())
    };
    assert_eq!(files(summary), [0, 2]);
    assert_eq!(place.read("site/a.html"), PAGE.as_bytes());
    // With --in-place the message is the same, and the files change.
    let run = place.run(&["rewrite", "--to", "uri", "--json", "-i", "site"]);
    assert_eq!(run.objects()[0], expected);
    assert_eq!(files(run.objects().last().unwrap()), [2, 0]);
    assert_eq!(place.read("site/a.html"), URIS.as_bytes());
}

/// Tables and messages escape the control characters of links; the rewritten document has them.
#[test]
fn control_characters_are_shown() {
    let place = Place::new(&[("a.html", "<a href='/\x1B[31mé'>")]);
    let table = place.run(&["rewrite", "--to", "uri", "-n", "-v", "a.html"]);
    assert!(table.text().contains("\t/\\u{1b}[31mé\t"), "{table:?}");
    assert!(
        !table.text().contains('\x1B') && !table.err.contains('\x1B'),
        "{table:?}"
    );
    let map = [
        "rewrite",
        "--to",
        "same",
        "--map",
        "/\x1B[31mé /\x1Bb",
        "a.html",
    ];
    let diff = place.run(&map).text();
    assert!(diff.contains("\n+<a href='/\x1Bb'>"), "{diff:?}");
    place
        .run(&["find", "-o", "a.html"])
        .prints("/\x1B[31mé\n", 0);
}

#[test]
fn rules() {
    let page =
        "<a href='http://old.example/x'><a href='http://old.example.net/'><a href='/wiki/7.html'>";
    let place = Place::new(&[
        ("a.html", page),
        (
            "rules",
            "# moved\nhttp://old.example/ https://new.example/\nre:^/wiki/(\\d+)\\.html$ /page/$1\n",
        ),
    ]);
    let rule = "http://old.example/ https://new.example/";
    let one = place.run(&[
        "rewrite", "--to", "same", "--map", rule, "--stdout", "a.html",
    ]);
    one.prints(
        &page.replace("http://old.example/", "https://new.example/"),
        0,
    );
    let args = [
        "rewrite",
        "--to",
        "same",
        "--map-file",
        "rules",
        "--stdout",
        "a.html",
    ];
    let expected =
        "<a href='https://new.example/x'><a href='http://old.example.net/'><a href='/page/7'>";
    place.run(&args).prints(expected, 0);
}

#[test]
fn wrong_rules() {
    let place = Place::new(&[("a.html", ""), ("rules", "a b\n\nlonely\n")]);
    let run = place.run(&[
        "rewrite",
        "--to",
        "same",
        "--map",
        "http://old.example/",
        "a.html",
    ]);
    run.complains(
        &["--map", "http://old.example/", "the second half is missing"],
        2,
    );
    let run = place.run(&["rewrite", "--to", "same", "--map-file", "rules", "a.html"]);
    run.complains(&["rules: line 3", "lonely"], 2);
    let run = place.run(&["rewrite", "--to", "same", "--map-file", "none", "a.html"]);
    run.complains(&["none: No such file"], 2);
}

#[test]
fn hosts_queries_display_and_slots() {
    let page = "<a href='http://é.example/?é'>x</a> <img src='http://é.example/'>";
    let place = Place::new(&[("a.html", page)]);
    let run = |options: &[&str]| {
        let args = [&["rewrite", "--stdout", "a.html"], options].concat();
        place.run(&args).text()
    };
    let keep = run(&["--to", "uri", "--host", "keep"]);
    assert!(
        keep.starts_with("<a href='http://é.example/?%C3%A9'>"),
        "{keep}"
    );
    let slots = run(&["--to", "uri", "--slots", "srcset,text"]);
    assert_eq!(slots, page);
    let latin = run(&["--to", "uri", "-E", "latin1", "--query-charset", "utf-8"]);
    assert!(latin.contains("?%C3%83%C2%A9"), "{latin}");
    let latin = run(&["--to", "uri", "-E", "latin1", "--query-charset", "document"]);
    assert!(latin.contains("?%C3%A9"), "{latin}");
    let place = Place::new(&[("a.html", "<meta charset=utf-8><a href='/%E2%80%8B%C3%A9'>")]);
    let shown = place.run(&[
        "rewrite",
        "--to",
        "iri",
        "--display",
        "safe",
        "--stdout",
        "a.html",
    ]);
    shown.prints("<meta charset=utf-8><a href='/%E2%80%8Bé'>", 0);
    let shown = place.run(&[
        "rewrite",
        "--to",
        "iri",
        "--display",
        "all",
        "--stdout",
        "a.html",
    ]);
    shown.prints("<meta charset=utf-8><a href='/\u{200B}é'>", 0);
}

#[test]
fn strict_is_about_links_that_are_left() {
    let place = Place::new(&[("a.html", "<a href='http://a\u{200D}b.example/'>")]);
    let run = place.run(&["rewrite", "--to", "uri", "-n", "a.html"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.text().contains("\t-\t"), "{run:?}");
    let run = place.run(&["rewrite", "--to", "uri", "-n", "--strict", "a.html"]);
    assert_eq!(run.code, 1, "{run:?}");
    let run = place.run(&["rewrite", "--to", "uri", "-v", "a.html"]);
    run.complains(&["a.html:1:10: `http://a\u{200D}b.example/`: "], 0);
    let objects = place
        .run(&["rewrite", "--to", "uri", "--json", "a.html"])
        .objects();
    assert_eq!(objects[0]["type"], "left");
    assert_eq!(objects[0]["new"], json!(null));
    assert_ne!(objects[0]["notes"], json!([]));
    let run = place.run(&["rewrite", "--to", "uri", "--strict", "-iq", "a.html"]);
    run.prints("", 1);
}

#[cfg(unix)]
#[test]
fn symbolic_links() {
    use std::os::unix::fs::symlink;
    let place = Place::new(&[("far/a.html", PAGE), ("d/b.html", "x")]);
    symlink("../far/a.html", place.path("d/link.html")).unwrap();
    let run = place.run(&["rewrite", "--to", "uri", "-i", "d"]);
    run.complains(&["skipped (`-v` lists them): 1 symbolic link"], 0);
    let run = place.run(&["rewrite", "--to", "uri", "-i", "d/link.html"]);
    run.complains(
        &["d/link.html: expected a file, found a symbolic link (`-L` follows it)"],
        2,
    );
    assert_eq!(place.read("far/a.html"), PAGE.as_bytes());
    assert_eq!(
        place
            .run(&["rewrite", "--to", "uri", "-q", "-O", "out", "d"])
            .code,
        0
    );
    assert_eq!(
        fs::read_link(place.path("out/link.html")).unwrap().to_str(),
        Some("../far/a.html")
    );
    let run = place.run(&["rewrite", "--to", "uri", "-iL", "d"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(place.read("far/a.html"), URIS.as_bytes());
    assert!(
        fs::symlink_metadata(place.path("d/link.html"))
            .unwrap()
            .is_symlink()
    );
}

#[cfg(unix)]
#[test]
fn a_file_is_rewritten_once() {
    let place = site();
    let args = [
        "rewrite",
        "--to",
        "uri",
        "-i",
        "site",
        "site/a.html",
        "site/../site/a.html",
    ];
    let run = place.run(&args);
    run.complains(&["2 already read by other paths"], 0);
    assert_eq!(place.read("site/a.html"), URIS.as_bytes());
}

#[cfg(unix)]
#[test]
fn hard_links_are_told_of() {
    let place = site();
    fs::hard_link(place.path("site/a.html"), place.path("other.html")).unwrap();
    let run = place.run(&["rewrite", "--to", "uri", "-i", "site"]);
    run.complains(&["site/a.html: the file has 2 names"], 0);
    assert_eq!(place.read("other.html"), PAGE.as_bytes());
}

#[test]
fn threads_change_nothing() {
    let place = Place::new(&[]);
    for number in 0..40 {
        let page = PAGE.repeat(1 + (number * 17) % 50);
        place.write(&format!("d/{number}.html"), page.as_bytes());
    }
    for options in [&[][..], &["-n"], &["--json"]] {
        let run = |threads| {
            place
                .run(&[&["rewrite", "--to", "uri", "-j", threads, "d"], options].concat())
                .text()
        };
        assert_eq!(run("1"), run("8"));
    }
}

#[test]
fn large_files_are_streamed() {
    let place = Place::new(&[]);
    let line = "text that goes on and on and needs no change whatever happens to it\n";
    let filler = line.repeat((9 << 20) / line.len());
    let page = format!("{PAGE}{filler}<a href='/é'>\n");
    let expected = format!("{URIS}{filler}<a href='/%C3%A9'>\n");
    place.write("a.html", page.as_bytes());
    let run = place.run(&["rewrite", "--to", "uri", "a.html"]);
    assert_eq!(run.text().matches("@@ -").count(), 2);
    assert!(
        run.text()
            .ends_with("-<a href='/é'>\n+<a href='/%C3%A9'>\n")
    );
    let run = place.run(&["rewrite", "--to", "uri", "--stdout", "a.html"]);
    assert!(run.out == expected.as_bytes());
    assert_eq!(
        place.run(&["rewrite", "--to", "uri", "-iq", "a.html"]).code,
        0
    );
    assert!(place.read("a.html") == expected.as_bytes());
    assert_eq!(place.names(""), ["a.html"]);
}

/// `patch` finds the files, whatever their names.
#[cfg(unix)]
#[test]
fn patch_applies_the_diff_of_files_with_odd_names() {
    use std::process::{Command, Stdio};
    let names = [
        "sp ace.txt",
        "ta\tb.txt",
        "li\nne.txt",
        "q\"uo\\te .txt",
        "\x1B[1mé.txt",
    ];
    let place = Place::new(&names.map(|name| (name, "http://example.org/é\n")));
    let diff = place.run(&["rewrite", "--to", "uri", "."]);
    let control = |byte: &u8| byte.is_ascii_control() && !b"\t\n".contains(byte);
    assert!(!diff.out.iter().any(control), "{}", diff.text());
    let patch = Command::new("patch")
        .args(["-p0", "-s"])
        .current_dir(place.path(""))
        .stdin(Stdio::piped())
        .spawn();
    let Ok(mut patch) = patch else {
        println!("skipped: there is no patch here");
        return;
    };
    let mut stdin = patch.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, &diff.out).unwrap();
    drop(stdin);
    assert!(patch.wait().unwrap().success(), "{}", diff.text());
    for name in names {
        assert_eq!(place.read(name), b"http://example.org/%C3%A9\n", "{name:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_tree_keeps_the_modes_of_its_directories() {
    let place = Place::new(&[
        ("site/private/a.txt", "http://example.org/é\n"),
        ("site/private/fixed/below/b.txt", "http://example.org/é\n"),
        ("site/shared/c.txt", "nothing\n"),
    ]);
    let modes = [
        ("private/fixed/below", 0o500),
        ("private/fixed", 0o550),
        ("private", 0o700),
        ("shared", 0o775),
        ("", 0o750),
    ];
    for (name, mode) in modes {
        make_mode(&place, &format!("site/{name}"), mode);
    }
    fs::create_dir(place.path("mine")).unwrap();
    make_mode(&place, "mine", 0o711);
    // Run again: a directory without write permission is made writable for the time of the run.
    for (to, own) in [("new/tree", 0o750), ("new/tree", 0o750), ("mine/", 0o711)] {
        let run = place.run(&["rewrite", "--to", "uri", "-q", "-O", to, "site"]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        for (name, expected) in modes {
            let expected = if name.is_empty() { own } else { expected };
            let metadata = fs::metadata(place.path(to).join(name)).unwrap();
            assert_eq!(mode(&metadata), expected, "{to} {name}");
        }
        let below = place.read(&format!("{to}/private/fixed/below/b.txt"));
        assert_eq!(below, b"http://example.org/%C3%A9\n");
    }
    for name in ["site", "new/tree", "mine"] {
        for below in ["private/fixed", "private/fixed/below"] {
            make_mode(&place, &format!("{name}/{below}"), 0o700);
        }
    }
}

#[test]
fn links_over_line_breaks() {
    let place = site();
    let text = "see http://example.org/\u{e9}/\n\u{e9}/a.html is\n";
    let rewritten = "see http://example.org/%C3%A9/\n%C3%A9/a.html is\n";
    let options = ["rewrite", "--to", "uri", "--join-wrapped"];
    place.pipe(&options, text).prints(rewritten, 0);
    let text = "see http://example.org/\u{e9}a \n\u{e9} is\n";
    let rewritten = "see http://example.org/%C3%A9a \n%C3%A9 is\n";
    let options = ["rewrite", "--to", "uri", "--flowed"];
    place.pipe(&options, text).prints(rewritten, 0);
}

/// A link whose end is a guess, words or a sign, changes only in front of it. One that is enclosed is certain, and so
/// are words at the end of a link with a blank behind it.
#[test]
fn words_glued_to_a_link() {
    let place = site();
    let text = "\
可以在ftp://old.example/unix/处获得)。
见http://old.example/unix找到) 的 https://old.example/é
见http://old.example/新闻 的 http://old.example/新闻
http://old.example/日本語
<http://old.example/日本語> https://old.example/wiki/日本語 http://old.example/分类/新闻
请访问http://old.example/foo/查看详情。 见http://old.example/%E6%96%B0
see http://old.example/a👍 and http://old.example/b’s page, http://old.example/c²
";
    let converted = text
        .replace("old.example/é", "old.example/%C3%A9")
        .replace("/日本語", "/%E6%97%A5%E6%9C%AC%E8%AA%9E")
        .replace("/分类", "/%E5%88%86%E7%B1%BB")
        .replace("/新闻", "/%E6%96%B0%E9%97%BB");
    let options = ["rewrite", "-q", "--format", "text", "--to", "uri"];
    place.pipe(&options, text).prints(&converted, 0);
    // A form that could not go back.
    let glued = "见http://old.example/%E6%96%B0。 http://old.example/%E6%96%B0\n";
    let shown = "见http://old.example/%E6%96%B0。 http://old.example/新\n";
    let options = [
        "rewrite", "-q", "--format", "text", "-E", "utf-8", "--to", "iri",
    ];
    place.pipe(&options, glued).prints(shown, 0);
    let moved = text
        .replace("http://old.example", "http://new.example")
        .replace("https://old.example", "https://new.example");
    let options = [
        "rewrite",
        "-q",
        "--format",
        "text",
        "--move",
        "old.example",
        "new.example",
    ];
    place.pipe(&options, text).prints(&moved, 0);
}

/// A host that goes on behind a break point of groff is not known.
#[test]
fn hosts_with_break_points_of_groff() {
    let place = site();
    let text = "\
.UR http://www\\:.uclibc\\:.org/
.UR http://www.old\\:.example.com/ http://www.old\\:-example.com/ http://www.old\\:/a
";
    let options = ["rewrite", "-q", "--format", "text"];
    for rule in [
        "re:^http://([^/.]+)(/.*)?$ https://$1.corp.example$2",
        "http://www.old/ https://new.example/",
        "re:^http://www.old$ https://new.example/",
    ] {
        let options = [&options[..], &["--map", rule]].concat();
        place.pipe(&options, text).prints(text, 0);
    }
}

/// Rules match links with the same meaning: other spellings, and escapes.
#[test]
fn rules_for_other_spellings() {
    let text = "\
[a](HTTP://Old.Example/\\%7Ex/a) [b](http:\\/\\/old.example:80/~x/a\\_b) [c](http://old.example/\\~x/c)
<http://old.example/%7ex/d> http://old.example:80/~x/e http://old.example:81/~x/f
";
    let expected = "\
[a](http://new.example/a) [b](http:\\/\\/new.example/a\\_b) [c](http://new.example/c)
<http://new.example/d> http://new.example/e http://old.example:81/~x/f
";
    let place = Place::new(&[("a.md", text)]);
    let rule = "http://old.example/~x/ http://new.example/";
    for more in [&[][..], &["--map-resolved"]] {
        let args = [&["rewrite", "-q", "--map", rule, "--stdout", "a.md"], more].concat();
        place.write("a.md", text.as_bytes());
        place.run(&args).prints(expected, 0);
        place.write("a.md", expected.as_bytes());
        place.run(&args).prints(expected, 0);
    }
}

/// A base that ends with a slash belongs to the named directory: files below have their own.
#[test]
fn bases_of_files_in_directories() {
    let place = Place::new(&[
        ("t/p.html", "<a href=x>"),
        ("t/s \u{e9}/p.html", "<a href=x>"),
    ]);
    let rule = "http://h/ http://n/";
    let moved = |base: &str, path: &str| {
        let args = [
            "rewrite",
            "--to",
            "same",
            "--map",
            rule,
            "--map-resolved",
            "--json",
            "--base",
        ];
        let ran = place.run(&[&args[..], &[base, path]].concat());
        let objects = ran.objects().into_iter();
        let new = objects.filter_map(|object| object["new"].as_str().map(str::to_owned));
        new.collect::<Vec<_>>()
    };
    let below = "http://n/d/s%20%C3%A9/x";
    assert_eq!(moved("http://h/d/", "t"), ["http://n/d/x", below]);
    assert_eq!(moved("http://h/d/", "t/"), ["http://n/d/x", below]);
    assert_eq!(moved("http://h/d/", "t/s \u{e9}"), ["http://n/d/x"]);
    assert_eq!(moved("http://h/d/", "t/s \u{e9}/p.html"), ["http://n/d/x"]);
    // The base of a single document.
    assert_eq!(moved("http://h/d/p", "t"), ["http://n/d/x"; 2]);
    assert_eq!(moved("http://h/d/?a/", "t"), ["http://n/d/x"; 2]);
    let found = place
        .run(&["find", "--json", "--base", "http://h/", "t"])
        .objects();
    assert_eq!(found[1]["resolved"], "http://h/s%20%C3%A9/x");
}

#[test]
fn two_rules_for_one_prefix() {
    let place = Place::new(&[("t", "http://a.org/")]);
    let rules = [
        "rewrite",
        "--to",
        "same",
        "--map",
        "http://a.org/ /b/",
        "--map",
    ];
    let run = |rule| place.run(&[&rules[..], &[rule, "t"]].concat());
    let ran = run("http://a.org/ /c/");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("two, to `/b/` and to `/c/`"),
        "{}",
        ran.err
    );
    assert_eq!(run("http://a.org/ /b/").code, 0);
}

/// Browsers keep a backslash in the path of a scheme other than http and the like, where they read it as a slash.
#[test]
fn backslashes_in_paths_are_never_encoded() {
    for (link, expected) in [
        ("http://a.example/a\\é", "http://a.example/a/%C3%A9"),
        ("\\\\a.example\\é", "//a.example/%C3%A9"),
        ("foo://a.example/a\\é", "foo://a.example/a\\é"),
        ("foo:a\\é", "foo:a\\é"),
        ("mailto:a\\é@b.example", "mailto:a\\é@b.example"),
        ("foo:a/é", "foo:a/%C3%A9"),
    ] {
        let page = |link| format!("<meta charset=utf-8><a href='{link}'>");
        let place = Place::new(&[("a.html", &page(link))]);
        let run = place.run(&["rewrite", "--to", "uri", "--stdout", "-q", "a.html"]);
        assert_eq!(run.text(), page(expected), "{link}");
    }
}

/// For CI: the exit status tells whether anything would change.
#[test]
fn a_check_writes_nothing_and_tells() {
    let place = Place::new(&[("a.html", "<a href=/é>\n"), ("b.html", "<a href=/b>\n")]);
    let run = place.run(&["rewrite", "--to", "uri", "--check", "."]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.text().contains("\n+<a href=/%C3%A9>\n"), "{run:?}");
    assert_eq!(place.read("a.html"), "<a href=/é>\n".as_bytes());
    place
        .run(&["rewrite", "--to", "uri", "--check", "-q", "b.html"])
        .prints("", 0);
    let run = place.run(&["rewrite", "--to", "uri", "--check", "--json", "."]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(run.objects()[0]["new"], "/%C3%A9");
    let run = place.pipe(&["rewrite", "--to", "uri", "--check", "-"], "<a href=/é>");
    assert!(
        run.code == 1 && run.text().contains("+<a href=/%C3%A9>"),
        "{run:?}"
    );
    place
        .run(&["rewrite", "--to", "uri", "--check", "-i", "."])
        .complains(&["cannot be used with"], 2);
}

/// A run into a directory that has files says how many it replaced.
#[test]
fn replaced_files_of_an_output_directory_are_counted() {
    let place = Place::new(&[("d/a.txt", "http://old.example/"), ("d/b.bin", "\0")]);
    let run = |args: &[&str]| {
        let rewrite = ["rewrite", "--move", "old.example", "new.example", "-O", "o"];
        place.run(&[&rewrite, args, &["d"]].concat()).err
    };
    assert!(!run(&[]).contains("replaced"));
    let again = run(&[]);
    assert!(again.ends_with("2 files in `o` replaced\n"), "{again}");
    assert_eq!(run(&["-q"]), "");
}

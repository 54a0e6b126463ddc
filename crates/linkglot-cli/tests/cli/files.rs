//! Files as people name them: links to directories, names in output trees, names in errors.

use crate::support::{Place, Ran};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256, Sha384};

const PAGE: &str = "<a href='/é'>x</a>\n";
const URIS: &str = "<a href='/%C3%A9'>x</a>\n";

#[cfg(unix)]
fn link(place: &Place, to: &str, name: &str) {
    std::os::unix::fs::symlink(to, place.path(name)).expect("a symbolic link");
}

#[cfg(unix)]
#[test]
fn a_named_link_to_a_directory_is_walked() {
    let place = Place::new(&[("d/a.html", PAGE), ("d/sub/b.html", PAGE)]);
    link(&place, "d", "ld");
    link(&place, "sub", "d/inner");
    let found = "ld/a.html:1:10:/é\nld/sub/b.html:1:10:/é\n";
    for name in ["ld", "ld/"] {
        place.run(&["find", "-q", name]).prints("", 0);
        let run = place.run(&["find", name]);
        assert_eq!((run.text().as_str(), run.code), (found, 0), "{run:?}");
    }
    // A link inside is not followed, whether the directory above is named or not.
    let run = place.run(&["find", "--stats", "ld"]);
    run.complains(&["skipped (`-v` lists them): 1 symbolic link"], 0);
    let run = place.run(&["rewrite", "--to", "uri", "-O", "out", "ld"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(place.names("out"), ["a.html", "inner", "sub/b.html"]);
    let run = place.run(&["rewrite", "--to", "uri", "-i", "ld"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!run.err.contains("fail"), "{run:?}");
    assert_eq!(place.read("d/sub/b.html"), URIS.as_bytes());
    assert!(place.path("ld").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_tree_has_the_names_that_were_given() {
    let place = Place::new(&[("in/t.html", PAGE), ("in/d/a.html", PAGE)]);
    link(&place, "t.html", "in/l.html");
    link(&place, "d", "in/ld");
    let written = |paths: &[&str], names: &[&str]| {
        let mut args = vec!["rewrite", "--to", "uri", "-O", "out"];
        args.extend(paths);
        let run = place.run(&args);
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(place.names("out"), names, "{paths:?}");
        for name in names {
            let name = format!("out/{name}");
            assert_eq!(place.read(&name), URIS.as_bytes(), "{name}");
            assert!(!place.path(&name).is_symlink(), "{name}");
        }
        std::fs::remove_dir_all(place.path("out")).expect("to remove it");
    };
    written(&["in/l.html"], &["l.html"]);
    written(&["in/t.html", "in/ld/"], &["ld/a.html", "t.html"]);
    written(&["in/l.html", "in/d/../d/."], &["d/a.html", "l.html"]);
    // `..` has no name of its own.
    written(&["in/l.html", "in/d/../ld/."], &["l.html", "ld/a.html"]);
}

#[cfg(unix)]
#[test]
fn a_tree_takes_a_file_by_each_of_its_names() {
    let place = Place::new(&[("t.html", PAGE)]);
    link(&place, "t.html", "l.html");
    let args = ["rewrite", "--to", "uri", "-O", "out", "t.html", "l.html"];
    let run = place.run(&args);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(place.names("out"), ["l.html", "t.html"]);
    for name in ["out/l.html", "out/t.html"] {
        assert_eq!(place.read(name), URIS.as_bytes());
    }
    // Written next to itself, the file would be replaced.
    let run = place.run(&["rewrite", "--to", "uri", "-O", ".", "l.html"]);
    run.complains(&["the output of `l.html` would be the input itself"], 2);
}

/// A symbolic link does not take the place of its file, in whatever order they are named, and what a run would do is
/// what it does. In a list, the same holds for a link on the way.
#[cfg(unix)]
#[test]
fn a_refused_link_does_not_hide_its_file() {
    let linked = || {
        let place = Place::new(&[("a.html", PAGE), ("real/index.html", PAGE)]);
        link(&place, "real/index.html", "default.html");
        link(&place, "real", "way");
        place
    };
    let run = |place: &Place, action: &str, names: &[&str]| {
        place.write("list", names.join("\n").as_bytes());
        place.run(&["rewrite", "--to", "uri", action, "--files-from", "list"])
    };
    let real = "real/index.html";
    let refused = [
        ("default.html", "expected a file, found a symbolic link"),
        ("way/index.html", "expected a file below its directory"),
    ];
    for action in ["-i", "-n", "--json", "--check", "--diff=raw"] {
        let status = i32::from(action == "--check");
        for (name, message) in refused {
            for names in [[name, real, "a.html"], ["a.html", real, name]] {
                let place = linked();
                let ran = run(&place, action, &names);
                assert_eq!(ran.code, status, "{action} {names:?} {ran:?}");
                let told = ran.text() + &ran.err;
                let twice = ["1 already read by another path", "\"named-twice\":1"];
                assert!(twice.iter().any(|twice| told.contains(twice)), "{ran:?}");
                assert!(!told.contains(name), "{ran:?}");
                if action == "-i" {
                    assert_eq!(place.read(real), URIS.as_bytes(), "{names:?}");
                    assert!(place.path("default.html").is_symlink());
                } else {
                    assert!(told.contains(real), "{ran:?}");
                }
            }
            let place = linked();
            let message = format!("{name}: {message}");
            run(&place, action, &[name, "a.html"]).complains(&[&message, "(`-L` follows"], 3);
            assert_eq!(place.read(real), PAGE.as_bytes());
        }
    }
}

/// Paths on the command line lead through links to directories, and output elsewhere takes the file behind a link.
#[cfg(unix)]
#[test]
fn a_link_is_refused_where_its_file_would_change() {
    let place = Place::new(&[("real/index.html", PAGE)]);
    link(&place, "real/index.html", "default.html");
    link(&place, "real", "way");
    let message = "default.html: expected a file, found a symbolic link (`-L` follows it)";
    for action in ["-i", "-n", "--check"] {
        let run = place.run(&["rewrite", "--to", "uri", action, "default.html"]);
        run.complains(&[message], 2);
    }
    place
        .run(&["rewrite", "-q", "--to", "uri", "--stdout", "default.html"])
        .prints(URIS, 0);
    let run = place.run(&["rewrite", "--to", "uri", "-nL", "default.html"]);
    assert_eq!(run.text(), "1:10\t/é\t/%C3%A9\n");
    for other in ["way/index.html", "way"] {
        let run = place.run(&["rewrite", "--to", "uri", "-n", "default.html", other]);
        run.complains(&["1 already read by another path"], 0);
        assert_eq!(run.text(), "way/index.html:1:10\t/é\t/%C3%A9\n");
    }
}

/// A symbolic link among the names of a file (hard links) keeps none of them from following.
#[cfg(unix)]
#[test]
fn a_refused_link_keeps_hard_links_together() {
    use std::os::unix::fs::MetadataExt;
    for names in [
        ["d.html", "c.html", "b.html"],
        ["c.html", "b.html", "d.html"],
    ] {
        let place = Place::new(&[("b.html", PAGE)]);
        std::fs::hard_link(place.path("b.html"), place.path("d.html")).expect("a hard link");
        link(&place, "b.html", "c.html");
        let run = place.run(&[&["rewrite", "--to", "uri", "-i"], &names[..]].concat());
        run.complains(&["2 already read by other paths"], 0);
        let inode = |name: &str| place.path(name).metadata().expect("a file").ino();
        assert_eq!(place.read("b.html"), URIS.as_bytes(), "{names:?}");
        assert_eq!(inode("b.html"), inode("d.html"), "{names:?}");
        assert!(place.path("c.html").is_symlink());
    }
}

#[test]
fn errors_name_the_output_directory() {
    let place = Place::new(&[("d/a.html", PAGE), ("file", "x")]);
    let error = |output: &str, input: &str, words: &[&str]| {
        let run = place.run(&["rewrite", "--to", "uri", "-O", output, input]);
        run.complains(words, 2);
        assert!(!run.err.contains("d/a.html: File"), "{run:?}");
    };
    error("file", "d", &["expected an output directory", "`file`"]);
    error(
        "file",
        "d/a.html",
        &["expected an output directory", "`file`"],
    );
    error("file/below", "d", &["`file/below`"]);
    error("file/below", "d/a.html", &["`file/below`"]);
    assert_eq!(place.read("file"), b"x");
}

/// The lines of the diff are lines for git and `patch`.
#[test]
fn patch_applies_the_diff_of_pages_with_lone_crs() {
    use std::process::{Command, Stdio};
    let pages = [
        ("cr.html", "<p>\r<a href='/é'>\r</a>\rx"),
        ("mixed.html", "a\rb\r\n<a href='/é'>\r\r\nc\n\rd\n"),
        ("last.html", "a\r\nb\n<a href='/é'>\r"),
    ];
    let place = Place::new(&pages);
    let diff = place.run(&["rewrite", "--to", "uri", "."]);
    assert_eq!(diff.code, 0, "{diff:?}");
    let lines = |mark: &str| {
        diff.text()
            .split('\n')
            .filter(|l| l.starts_with(mark))
            .count()
    };
    assert_eq!((lines("-<"), lines("+<")), (3, 3), "{}", diff.text());
    let patch = Command::new("patch")
        .args(["-p0", "-s", "--binary"])
        .current_dir(place.path(""))
        .stdin(Stdio::piped())
        .spawn();
    let Ok(mut patch) = patch else {
        println!("skipped: there is no patch here");
        return;
    };
    let mut stdin = patch.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut stdin, &diff.out).expect("to write");
    drop(stdin);
    assert!(patch.wait().expect("an end").success(), "{}", diff.text());
    for (name, page) in pages {
        assert_eq!(
            place.read(name),
            page.replace('é', "%C3%A9").as_bytes(),
            "{name}"
        );
    }
}

/// The Encoding Standard (14.1) forbids decoding such documents, so their links are unknown.
#[test]
fn documents_that_are_not_decoded_are_counted() {
    let place = Place::new(&[("d/a.html", PAGE)]);
    for (number, label) in ["Replacement", "replacement", "REPLACEMENT"]
        .iter()
        .enumerate()
    {
        let page = format!("<meta charset={label}><a href='http://a.example/'>x</a>");
        place.write(&format!("d/{number}.html"), page.as_bytes());
    }
    place.write(
        "d/x.xml",
        b"<?xml version='1.0' encoding='replacement'?><a href='x'/>",
    );
    let run = place.run(&["find", "--json", "d"]);
    assert_eq!(run.code, 0, "{run:?}");
    let summary = run.objects().pop().expect("a summary");
    assert_eq!(summary["skipped"]["charset"], 4, "{summary}");
    assert_eq!(summary["files"], 1, "{summary}");
    let run = place.run(&["find", "-v", "--stats", "d"]);
    let words = [
        "d/0.html: skipped: in a charset that cannot be decoded",
        "d/x.xml: skipped: in a charset",
        "skipped: 4 in charsets that cannot be decoded",
    ];
    run.complains(&words, 0);
    let code = |args: &[&str]| {
        place
            .run(&[&["rewrite", "--to", "uri"], args].concat())
            .code
    };
    assert_eq!((code(&["d"]), code(&["--strict", "d"])), (0, 1));
    assert_eq!(code(&["--strict", "d/a.html"]), 0);
    assert_eq!(code(&["--strict", "--stdout", "d/1.html"]), 1);
    // Such documents are copied to a tree like all others, and can be read with `-E`.
    assert_eq!(code(&["-O", "out", "d"]), 0);
    assert_eq!(place.read("out/1.html"), place.read("d/1.html"));
    let run = place.run(&["find", "-o", "-E", "windows-1252", "d/1.html"]);
    run.prints("http://a.example/\n", 0);
    let page = place.read("d/0.html");
    let run = place.pipe(
        &["rewrite", "--to", "uri", "--strict", "--format", "html"],
        page.clone(),
    );
    assert_eq!((run.out, run.code), (page, 1));
}

#[test]
fn templates_are_read_as_what_they_make() {
    let names = [
        "a.asp",
        "b.html.erb",
        "c.JSP",
        "d.vue",
        "e.j2",
        "f.tpl",
        "g.xhtml.twig",
        "h",
        "i.css.ejs",
        "j.conf.j2",
    ];
    let page = "{% extends 'x' %}\n<% if (a > 1) { %>\n<a href='/é'>x</a>\n";
    let place = Place::new(&names.map(|name| (name, page)));
    place.write(
        "i.css.ejs",
        "<% x %> a { background: url(/é) }\n".as_bytes(),
    );
    place.write("j.conf.j2", "{% x %}\nurl = /é\n".as_bytes());
    let run = place.run(&["find", "-l", "."]);
    let expected: String = names[..9]
        .iter()
        .map(|name| format!("./{name}\n"))
        .collect();
    run.prints(&expected, 0);
    let run = place.run(&["find", "-l", "-t", "html", "."]);
    let expected: String = names[..6]
        .iter()
        .map(|name| format!("./{name}\n"))
        .collect();
    run.prints(&expected, 0);
    let run = place.run(&["rewrite", "--to", "uri", "-q", "-i", "."]);
    assert_eq!(run.code, 0, "{run:?}");
    for name in &names[..8] {
        assert_eq!(
            place.read(name),
            page.replace('é', "%C3%A9").as_bytes(),
            "{name}"
        );
    }
}

/// Signatures beside files that change are named, and those beside others are not.
#[test]
fn signatures_beside_files_are_named() {
    const PAGE: &str = "<a href=\"http://old.example/\">a</a>";
    let place = Place::new(&[
        ("a.html", PAGE),
        ("a.html.asc", "-----BEGIN PGP SIGNATURE-----\n"),
        ("a.html.ots", "a"),
        ("same.html", "<p>"),
        ("same.html.sig", "a"),
        ("b.html", PAGE),
        ("b.asc", "a"),
    ]);
    let rules = ["--map", "http://old.example/ http://new.example/"];
    let ran = place.run(&[&["rewrite", "-i", "--json", "."], &rules[..]].concat());
    let lines = ran.err.lines().filter(|line| line.contains("sign"));
    let mut lines: Vec<_> = lines.collect();
    lines.sort_unstable();
    let expected = ["asc", "ots"]
        .map(|end| format!("linkglot: a.html.{end}: signs a file that changed: make it anew"));
    assert_eq!(lines, expected);
    assert_eq!(ran.objects().pop().unwrap()["stale_digests"], 2);
}

/// Digests of files that change, in a bag and in lists beside them, are named once, in every kind of run.
#[test]
fn lists_of_digests_are_named() {
    const PAGE: &str = "<a href=\"http://old.example/\">a</a>";
    let files = [
        (
            "bag/bagit.txt",
            "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n",
        ),
        (
            "bag/manifest-sha256.txt",
            "00112233445566778899aabbccddeeff  data/a.html\n00112233445566778899aabbccddeeff  data/b/100%25.html\n\
             00112233445566778899aabbccddeeff  data/same.html\n",
        ),
        ("bag/data/a.html", PAGE),
        ("bag/data/b/100%.html", PAGE),
        ("bag/data/same.html", "<p>"),
        ("c.html", PAGE),
        ("c.html.md5", "00112233445566778899aabbccddeeff\n"),
        ("d/e.html", PAGE),
        (
            "other/SHA256SUMS",
            "00112233445566778899aabbccddeeff  e.html\n",
        ),
        ("other/same.html", "<p>"),
    ];
    let rules = ["--map", "http://old.example/ http://new.example/"];
    let run = |place: &Place, more: &[&str]| place.run(&[&["rewrite"], &rules[..], more].concat());
    let lines = |change: &str| {
        [
            format!("linkglot: c.html.md5: lists 1 digest of files that {change}: make it anew"),
            format!(
                "linkglot: bag/manifest-sha256.txt: lists 2 digests of files that {change}: make it anew"
            ),
        ]
    };
    let digests_of = |ran: &Ran| -> Vec<String> {
        let lines = ran.err.lines().filter(|line| line.contains("digest"));
        lines.map(str::to_owned).collect()
    };
    for (more, change) in [
        (&["-i", "."][..], "changed"),
        (&["-O", "out", "bag", "c.html", "d", "other"], "changed"),
        (&["-n", "."], "would change"),
        (&["."], "would change"),
        (
            &["-i", "bag/data/a.html", "bag/data/b/100%.html", "./c.html"],
            "changed",
        ),
    ] {
        let place = Place::new(&files);
        assert_eq!(digests_of(&run(&place, more)), lines(change), "{more:?}");
        // A second run changes nothing.
        if more[0] == "-i" {
            assert_eq!(digests_of(&run(&place, more)), [""; 0], "{more:?}");
        }
    }
    let place = Place::new(&files);
    assert_eq!(digests_of(&run(&place, &["-q", "-n", "."])), [""; 0]);
    let summary = run(&place, &["--json", "."]).objects().pop().unwrap();
    assert_eq!(summary["stale_digests"], 3);
    let summary = run(&place, &["--json", "d"]).objects().pop().unwrap();
    assert_eq!(summary.get("stale_digests"), None);
}

/// A list or page that has the digest of the old content of a file that changes is named, however it is written.
#[test]
fn digests_of_old_contents_are_found() {
    const PAGE: &str = "<a href=\"http://old.example/\">a</a>";
    const SCRIPT: &str = "a = 'http://old.example/'\n";
    let hex = |text: &str| -> String {
        let digest = Sha256::digest(text);
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let base64 = |digest: &[u8]| STANDARD.encode(digest);
    let page = hex(PAGE);
    let url_safe = URL_SAFE_NO_PAD.encode(Sha256::digest(PAGE));
    let integrity = base64(&Sha384::digest(SCRIPT));
    let other = hex("other");
    let files = [
        ("crate/src/a.html", PAGE.to_owned()),
        (
            "crate/.cargo-checksum.json",
            format!("{{\"files\":{{\"src/a.html\":\"{page}\",\"b\":\"{other}\"}}}}"),
        ),
        ("plain/a.html", PAGE.to_owned()),
        (
            "plain/sha256.txt",
            format!("{}\n{other}\n", page.to_uppercase()),
        ),
        ("site/a/a.html", PAGE.to_owned()),
        (
            "site/a-1.dist-info/RECORD",
            format!(
                "a/a.html,sha256={url_safe},{}\na/b.html,sha256={url_safe}x,1\n",
                PAGE.len()
            ),
        ),
        ("web/js/a.js", SCRIPT.to_owned()),
        (
            "web/p.html",
            format!("<script src=js/a.js integrity='sha256-x sha384-{integrity}'></script>"),
        ),
        (
            "web/q.html",
            format!("<p title=integrity>{}", base64(&Sha256::digest("other"))),
        ),
        ("none/a.html", PAGE.to_owned()),
        ("none/checksums.json", format!("[\"{other}\"]")),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let rules = ["--map", "http://old.example/ http://new.example/"];
    let expected = [
        "crate/.cargo-checksum.json",
        "plain/sha256.txt",
        "site/a-1.dist-info/RECORD",
        "web/p.html",
    ];
    let all = ["crate", "plain", "site", "web", "none"];
    for (more, change) in [
        (&["-i"][..], "changed"),
        (&["-O", "out"], "changed"),
        (&["-n"], "would change"),
        (&[], "would change"),
    ] {
        let place = Place::new(&files);
        let ran = place.run(&[&["rewrite"], &rules[..], more, &all].concat());
        let lines = ran.err.lines().filter(|line| line.contains("digest"));
        let mut lines: Vec<_> = lines.collect();
        lines.sort_unstable();
        let words = format!("lists 1 digest of files that {change}: make it anew");
        let expected = expected.map(|name| format!("linkglot: {name}: {words}"));
        assert_eq!(lines, expected, "{more:?}");
    }
}

/// Globs and types choose among files that are named, too; a directory that is named is entered.
#[test]
fn globs_and_types_choose_among_named_files() {
    let names = ["a.min.txt", "b.txt", "c.html", "d.min/e.txt"];
    let place = Place::new(&names.map(|name| (name, "http://old.example/\n")));
    let options = [
        "rewrite",
        "-i",
        "--replace",
        "http://old.example/",
        "https://new.example/",
    ];
    for chosen in [
        &["-g", "!*.min.txt", "a.min.txt", "b.txt", "d.min"][..],
        &["-t", "text", "c.html"],
    ] {
        place.run(&[&options[..], chosen].concat());
    }
    let is_changed = |name: &str| place.read(name) == b"https://new.example/\n";
    assert_eq!(names.map(is_changed), [false, true, false, true]);
    place
        .pipe(
            &["find", "-o", "-g", "*.html", "--files-from", "-"],
            "b.txt\nc.html\n",
        )
        .prints("http://old.example/\n", 0);
}

/// A glob with a slash is for paths below the current directory, however they are named.
#[test]
fn globs_and_absolute_paths() {
    let link = "http://a.example/\n";
    let place = Place::new(&[("a.txt", link), ("drafts/b.txt", link)]);
    let all = place.path("").canonicalize().expect("a directory");
    for path in [".", &*all.to_string_lossy()] {
        let listed = |glob: &str| place.run(&["find", "-o", "-g", glob, path]).text();
        assert_eq!(listed("!drafts/**").lines().count(), 1, "{path}");
        assert_eq!(listed("drafts/**").lines().count(), 1, "{path}");
    }
}

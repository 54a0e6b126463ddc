//! The diff of `linkglot rewrite`: its display, and applying it.

use crate::support::{Place, root};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const PAGE: &str = "<a href='/é'>é</a> <a href='/ü'>ü</a>\n";

/// Commands that apply a raw diff.
const APPLY: &[&[&str]] = &[&["git", "apply", "--binary"], &["patch", "-p1", "-s"]];

#[test]
fn what_differs_in_a_line_is_marked() {
    let place = Place::new(&[("a.html", PAGE)]);
    let run = place.run(&["rewrite", "--to", "uri", "--color", "always", "a.html"]);
    let text = run.text().replace("\x1B[0m", "|");
    let removed =
        "\x1B[31m-<a href='/|\x1B[7m\x1B[31mé|\x1B[31m'>é</a> <a href='/|\x1B[7m\x1B[31mü|";
    let added = removed.replace("[31m-", "[32m+").replace("[31m", "[32m");
    let added = added.replace("mé", "m%C3%A9").replace("mü", "m%C3%BC");
    assert!(text.contains(removed) && text.contains(&added), "{run:?}");
    let plain = place.run(&["rewrite", "--to", "uri", "a.html"]);
    assert!(!plain.text().contains('\x1B'), "{plain:?}");
}

#[test]
fn long_lines_are_cut_around_what_changes() {
    let (before, behind) = ("日".repeat(400), "b".repeat(400));
    let page = format!("{before}\n{before} <a href='/é'>{behind}\n");
    let place = Place::new(&[("a.html", &page)]);
    let lines = |columns: &[&str]| {
        let run = place.run(&[&["rewrite", "--to", "uri", "a.html"], columns].concat());
        let lines = run
            .text()
            .lines()
            .skip(3)
            .map(str::to_owned)
            .collect::<Vec<_>>();
        assert_eq!(lines.len(), 3, "{run:?}");
        lines
    };
    let cut = lines(&["--diff-columns", "60"]);
    assert_eq!(cut[0], format!(" {}…", "日".repeat(28)));
    assert!(
        cut[1].starts_with("-…日") && cut[1].contains("<a href='/é'>b"),
        "{cut:?}"
    );
    assert!(
        cut[2].starts_with("+…日") && cut[2].contains("<a href='/%C3%A9'>b"),
        "{cut:?}"
    );
    for line in &cut {
        assert!(line.ends_with('…') && line.chars().count() <= 60, "{line}");
    }
    let whole = lines(&[]);
    assert_eq!(whole[0], format!(" {before}"));
    assert_eq!(whole, lines(&["--diff-columns", "0"]));
}

#[test]
fn a_footer_says_what_comes_next() {
    let pages = [
        ("a.html", PAGE),
        ("b.txt", "http://example.org/é\n"),
        ("c.txt", "x"),
    ];
    let place = Place::new(&pages);
    let footer = |args: &[&str], code| {
        let run = place.run(&[&["rewrite", "--to", "uri"], args].concat());
        assert_eq!(run.code, code, "{run:?}");
        run.err
    };
    assert_eq!(
        footer(&["."], 0),
        "linkglot: 3 links would change in 2 files; add -i to write them, -n lists them\n"
    );
    assert_eq!(
        footer(&["--check", "b.txt"], 1),
        "linkglot: 1 link would change in 1 file; -i in place of --check writes them\n"
    );
    assert_eq!(
        footer(&["--diff", "raw", "b.txt"], 0),
        "linkglot: 1 link would change in 1 file; `git apply` or `patch -p1` writes them\n"
    );
    assert_eq!(footer(&["c.txt"], 0), "linkglot: nothing would change\n");
    assert_eq!(footer(&["-q", "."], 0), "");
    let missing = footer(&["nowhere"], 2);
    assert!(!missing.contains("nothing would change"), "{missing}");
    let charset = place.run(&["rewrite", "--to-charset", "utf-16le", "a.html"]);
    assert!(
        charset
            .err
            .contains("1 file would change to another charset; add -i"),
        "{charset:?}"
    );
    let piped = place.pipe(
        &["rewrite", "--to", "uri", "--check"],
        "http://example.org/é\n",
    );
    assert_eq!(piped.err, "linkglot: 1 link would change in 1 file\n");
}

#[test]
fn diff_excludes_writing() {
    let place = Place::new(&[("a.html", PAGE)]);
    for other in ["-i", "-n", "--stdout", "--json"] {
        let run = place.run(&["rewrite", "--to", "uri", "--diff", "raw", other, "a.html"]);
        run.complains(&["cannot be used with"], 2);
    }
    // Standard input has a diff, too, if requested.
    let run = place.pipe(
        &["rewrite", "--to", "uri", "--diff", "text"],
        "http://example.org/é\n",
    );
    assert!(run.text().starts_with("--- -\n"), "{run:?}");
}

/// Everything below a directory: names and contents.
fn tree(place: &Place, directory: &str) -> Vec<(String, Vec<u8>)> {
    let names = place.names(directory).into_iter();
    let names = names.filter(|name| !name.starts_with(".git/"));
    names
        .map(|name| {
            let content = place.read(&format!("{directory}/{name}"));
            (name, content)
        })
        .collect()
}

/// A copy of a tree.
fn plant(tree: &[(String, Vec<u8>)]) -> Place {
    let place = Place::new(&[]);
    for (name, content) in tree {
        place.write(name, content);
    }
    place
}

/// Applies a diff in a directory. False if the command is not installed.
fn apply(command: &[&str], directory: &Path, diff: &[u8]) -> bool {
    let child = Command::new(command[0])
        .args(&command[1..])
        .current_dir(directory)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        // Keeps git from using a repository around the directory of temporary files.
        .env(
            "GIT_CEILING_DIRECTORIES",
            directory.parent().expect("a parent"),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        println!("skipped: there is no {} here", command[0]);
        return false;
    };
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn({
        let diff = diff.to_vec();
        move || stdin.write_all(&diff)
    });
    let output = child.wait_with_output().expect("an end");
    let _ = writer.join().expect("no panic");
    let said = String::from_utf8_lossy(&output.stderr).into_owned()
        + &String::from_utf8_lossy(&output.stdout);
    let said: String = said.chars().take(2000).collect();
    assert!(output.status.success(), "{command:?}: {said}");
    true
}

/// Applying the raw diff to a tree gives the same result as `-i`.
#[track_caller]
fn raw_diff_is_in_place(old: &[(String, Vec<u8>)], how: &[&str]) {
    let run = |place: &Place, last: &[&str]| {
        let run = place.run(&[&["rewrite"], how, last].concat());
        assert!([0, 3].contains(&run.code), "{how:?}: {}", run.err);
        run
    };
    let expected = plant(old);
    run(&expected, &["-i", "--no-journal", "."]);
    let expected = tree(&expected, ".");
    assert!(expected != old, "{how:?} changes nothing");
    let diff = run(&plant(old), &["--diff", "raw", "."]).out;
    for command in APPLY {
        for is_repository in [false, true] {
            let place = plant(old);
            if is_repository && !apply(&["git", "init", "-q"], &place.path(""), b"") {
                continue;
            }
            if !apply(command, &place.path(""), &diff) {
                continue;
            }
            let applied = tree(&place, ".");
            let differs = applied
                .iter()
                .zip(&expected)
                .find(|(new, wanted)| new != wanted);
            let differs = differs.map(|((name, _), _)| name);
            assert_eq!(differs, None, "{command:?} {how:?}");
            assert_eq!(applied.len(), expected.len(), "{command:?} {how:?}");
        }
    }
}

fn corpora() -> Vec<(String, Vec<u8>)> {
    fn collect(directory: &Path, below: &str, files: &mut Vec<(String, Vec<u8>)>) {
        for entry in fs::read_dir(directory).expect("a directory") {
            let entry = entry.expect("an entry");
            let name = format!("{below}{}", entry.file_name().to_string_lossy());
            // Leaves out files that are not documents of the repository, or too much for a debug build.
            if matches!(name.as_str(), "expected" | "fetched") {
                continue;
            }
            if entry.file_type().expect("a type").is_dir() {
                collect(&entry.path(), &format!("{name}/"), files)
            } else {
                files.push((name, fs::read(entry.path()).expect("a file")))
            }
        }
    }
    let mut files = Vec::new();
    let root = root().join("corpora");
    collect(&root, "", &mut files);
    files.sort();
    files
}

#[test]
fn raw_diffs_of_all_charsets_can_be_applied() {
    let corpora = corpora();
    raw_diff_is_in_place(&corpora, &["--to", "uri"]);
    raw_diff_is_in_place(&corpora, &["--to", "iri"]);
    raw_diff_is_in_place(&corpora, &["--to-charset", "utf-8"]);
    raw_diff_is_in_place(&corpora, &["--to-charset", "utf-16le", "--to", "uri"]);
}

#[test]
fn raw_diffs_of_odd_documents_can_be_applied() {
    let link = "http://example.org/é";
    let wide = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16();
        [0xFEFF]
            .into_iter()
            .chain(units)
            .flat_map(u16::to_le_bytes)
            .collect()
    };
    let lines = |end: &str| (0..40).map(|_| format!("a b{end}")).collect::<String>();
    let many: String = (0..1000).map(|at| format!("{at} {link}\n")).collect();
    let files = [
        (
            "crlf.txt",
            format!("{0} {link} \r\n{0}", lines("\r\n")).into_bytes(),
        ),
        (
            "mixed.txt",
            format!("{}\r{link}\r\r\n\n{}", lines("\r"), lines("\n")).into_bytes(),
        ),
        ("no-end.txt", format!("{}{link}", lines("\n")).into_bytes()),
        ("only.txt", link.as_bytes().to_vec()),
        (
            "wide.txt",
            wide(&format!("{0}\u{A0A}{link} \u{D0A}\r\n{0}", lines("\r\n"))),
        ),
        ("many.txt", many.clone().into_bytes()),
        ("wide-many.txt", wide(&many)),
        // Longer than lines of a text diff.
        (
            "long.txt",
            format!("a\n{} {link} x\nb\n", "x y ".repeat(400_000)).into_bytes(),
        ),
        ("blank.txt", format!("{link}\n\n\n  \n\t\n").into_bytes()),
        (
            "bytes.txt",
            [
                b"\xFF\x1B[1m \n",
                link.as_bytes(),
                b"\n--- a\n+++ b\n@@ -1 +1 @@\n",
            ]
            .concat(),
        ),
        ("sp ace/é \".txt", format!("{link}\n").into_bytes()),
    ];
    let mut files: Vec<_> = files.map(|(name, bytes)| (name.to_owned(), bytes)).into();
    files.sort();
    raw_diff_is_in_place(&files, &["--to", "uri"]);
    files.retain(|(name, _)| name != "bytes.txt");
    raw_diff_is_in_place(&files, &["--to-charset", "utf-16be"]);
}

/// `git apply` refuses a whole diff that has an entry of an archive.
#[test]
fn raw_diffs_leave_out_archives() {
    let compressed = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    };
    let place = Place::new(&[("a.html", PAGE)]);
    place.write("b.html.gz", &compressed(PAGE));
    let raw = ["rewrite", "--to", "uri", "--diff", "raw"];
    let run = place.run(&[&raw[..], &["."]].concat());
    assert!(!run.text().contains("b.html"), "{run:?}");
    run.complains(
        &["4 links would change in 2 files; `git apply` or `patch -p1` writes them, but for 1 file in archives, which -i writes\n"],
        0,
    );
    for command in APPLY {
        let applied = Place::new(&[("a.html", PAGE)]);
        applied.write("b.html.gz", &compressed(PAGE));
        if apply(command, &applied.path(""), &run.out) {
            assert_ne!(applied.read("a.html"), PAGE.as_bytes());
        }
    }
    let run = place.run(&[&raw[..], &["b.html.gz", "--check"]].concat());
    let words = "2 links would change in 1 file; the diff leaves out archives, which -i writes\n";
    assert_eq!(run.text(), "");
    run.complains(&[words], 1);
    let shown = place.run(&["rewrite", "--to", "uri", "b.html.gz"]).text();
    assert!(shown.starts_with("--- b.html.gz"), "{shown}");
}

/// `patch` refuses names with `..`. Through a symbolic link, `..` leads elsewhere.
#[cfg(unix)]
#[test]
fn names_of_raw_diffs_have_no_needless_parents() {
    let place = Place::new(&[("o/a.html", PAGE), ("d/e/x", ""), ("d/o/a.html", PAGE)]);
    std::os::unix::fs::symlink("d/e", place.path("link")).unwrap();
    let name = |path: &str| {
        let run = place.run(&["rewrite", "--to", "uri", "--diff", "raw", path]);
        let text = run.text();
        let line = text.lines().find_map(|line| line.strip_prefix("+++ "));
        line.map(str::to_owned)
    };
    assert_eq!(name("d/../o/a.html").as_deref(), Some("b/o/a.html"));
    assert_eq!(
        name("./d/e/../../o/./a.html").as_deref(),
        Some("b/o/a.html")
    );
    assert_eq!(
        name("link/../o/a.html").as_deref(),
        Some("b/link/../o/a.html")
    );
}

/// Lines that end with CR LF keep their ends, whatever git's settings for line ends.
#[test]
fn git_keeps_the_ends_of_lines() {
    let page = "a\r\nhttp://example.org/é \r\nb\r\n";
    let place = Place::new(&[("a.txt", page)]);
    let diff = place
        .run(&["rewrite", "--to", "uri", "--diff", "raw", "."])
        .out;
    for setting in ["false", "true", "input"] {
        let place = Place::new(&[("a.txt", page)]);
        let setting = format!("core.autocrlf={setting}");
        let git = &["git", "-c", &setting, "apply"];
        if apply(&["git", "init", "-q"], &place.path(""), b"") && apply(git, &place.path(""), &diff)
        {
            assert_eq!(
                place.read("a.txt"),
                page.replace('é', "%C3%A9").as_bytes(),
                "{setting}"
            );
        }
    }
}

#[test]
fn a_raw_diff_has_the_bytes_of_the_document() {
    let place = Place::new(&[]);
    let page = b"<meta charset=koi8-r>\r\n\xD6\x1B\r\n<a href='?\xD6'>";
    place.write("d/a.html", page);
    let run = place.run(&[
        "rewrite", "--to", "uri", "--diff", "raw", "--color", "always", "./d",
    ]);
    let expected = b"diff --git a/d/a.html b/d/a.html
--- a/d/a.html
+++ b/d/a.html
@@ -1,3 +1,3 @@
 <meta charset=koi8-r>\r
 \xD6\x1B\r
-<a href='?\xD6'>
\\ No newline at end of file
+<a href='?%D6'>
\\ No newline at end of file
";
    assert_eq!(run.out, expected, "{}", run.text());
    let check = place.run(&["rewrite", "--to", "uri", "--diff", "raw", "--check", "d"]);
    assert_eq!((check.out.as_slice(), check.code), (&expected[..], 1));
}

/// Long files are shown while they are rewritten.
#[test]
fn long_files_have_the_same_diff() {
    let short = format!("{0}http://example.org/é\n{0}", "a b c\n".repeat(40));
    let long = format!("{short}{}", "a b c\n".repeat(1_500_000));
    let place = Place::new(&[("short.txt", &short), ("long.txt", &long)]);
    for form in ["text", "raw"] {
        let diff = |name: &str| {
            let run = place.run(&["rewrite", "--to", "uri", "--diff", form, name]);
            assert_eq!(run.code, 0, "{run:?}");
            assert!(run.err.contains("1 link would change in 1 file"), "{run:?}");
            run.text()
        };
        assert_eq!(diff("long.txt").replace("long", "short"), diff("short.txt"));
    }
    let quiet = place.run(&["rewrite", "--to", "uri", "-q", "--check", "long.txt"]);
    assert_eq!((quiet.text().as_str(), quiet.code), ("", 1));
    let wide: Vec<u8> = format!("\u{FEFF}{long}")
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    place.write("wide.txt", &wide);
    let run = place.run(&["rewrite", "--to", "uri", "wide.txt"]);
    assert!(
        run.text()
            .contains("\n-http://example.org/é\n+http://example.org/%C3%A9\n"),
        "{run:?}"
    );
}

/// A diff of two states of a file would be wrong for both.
#[test]
fn a_long_file_that_changes_meanwhile_is_an_error() {
    use std::io::{BufRead, BufReader};
    let page = "http://example.org/é\n".repeat(20_000) + &"a b c\n".repeat(1_500_000);
    let place = Place::new(&[("a.txt", &page)]);
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("linkglot"))
        .args(["rewrite", "--to", "uri", "a.txt"])
        .current_dir(place.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command");
    // The diff cannot end before the other lines are read.
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    lines.next().expect("a line").expect("a line");
    let file = fs::File::options().append(true).open(place.path("a.txt"));
    file.expect("a file").write_all(b"x").expect("to write");
    lines.for_each(drop);
    let output = child.wait_with_output().expect("an end");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("the file changed while it was read"),
        "{said}"
    );
}

/// The run ends when `head` has its lines, although no further output would be written. Reading the whole file would
/// take a day.
#[cfg(unix)]
#[test]
fn a_diff_that_nobody_reads_ends() {
    use std::io::{BufRead, BufReader};
    let page = format!("http://example.org/é\n{}", "a b c\n".repeat(400));
    let place = Place::new(&[("a.txt", &page)]);
    let file = fs::File::options()
        .append(true)
        .open(place.path("a.txt"))
        .expect("a file");
    if file.set_len(1 << 42).is_err() {
        println!("skipped: no file can be so long here");
        return;
    }
    for form in ["text", "raw"] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("linkglot"))
            .args(["rewrite", "--to", "uri", "--diff", form, "a.txt"])
            .current_dir(place.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let first = lines.next().expect("a line").expect("a line");
        assert!(first.contains("a.txt"), "{first}");
        drop(lines);
        let output = child.wait_with_output().expect("an end");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

/// Files that the diff does not show are counted.
#[test]
fn skipped_files_are_counted_below_a_diff() {
    let place = Place::new(&[
        ("d/a.txt", "http://a.example/é\n"),
        ("d/b", "\u{7f}ELF\0\0"),
    ]);
    for check in [&[][..], &["--check"]] {
        let args = [&["rewrite", "--to", "uri", "d"], check].concat();
        let ran = place.run(&args);
        ran.complains(
            &["skipped (`-v` lists them): 1 binary file"],
            i32::from(!check.is_empty()),
        );
    }
}

//! Errors: clear messages, exit codes for scripts, and no file half written.

use crate::support::Place;
use assert_cmd::cargo::cargo_bin;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::{Command, Stdio};

const PAGE: &str = "<a href='http://example.org/é'>x</a>\n";

#[test]
fn usage() {
    let place = Place::new(&[("a.html", PAGE)]);
    let wrong: &[(&[&str], &[&str])] = &[
        (&["find", "--nothing"], &["--nothing"]),
        (
            &["find", "-E", "latin-ÿ", "a.html"],
            &["latin-ÿ", "unknown charset"],
        ),
        (&["find", "--json", "-o"], &["--json", "--only-links"]),
        (&["find", "-c", "-l"], &["--count", "--files-with-links"]),
        (
            &["find", "--absolute", "--relative"],
            &["--absolute", "--relative"],
        ),
        (&["find", "-q", "-v"], &["--quiet", "--verbose"]),
        (&["find", "-0"], &["--files-from"]),
        (
            &["find", "--files-from", "x", "y"],
            &["--files-from", "[PATH]"],
        ),
        (&["find", "-j", "0"], &["--threads", "0"]),
        (&["find", "--max-slot", "much"], &["--max-slot", "much"]),
        (&["find", "-t", "word"], &["word", "html"]),
        (&["find", "-g", "{a"], &["{a"]),
        (&["find", "--base", "../x"], &["--base", "../x", "scheme"]),
        (
            &["find", "--base", "http://[x"],
            &["--base", "found the end, at byte 9"],
        ),
        (
            &["rewrite", "--to", "uri", "--base", "http://h:99999/"],
            &["--base", "http://h:99999/", "do not accept it"],
        ),
        (
            &["rewrite", "--to", "same", "--host", "percent", "a.html"],
            &["--host percent", "--to same"],
        ),
        (&["find", "--kind", "verse"], &["verse", "attribute"]),
        (&["rewrite", "a.html"], &["--to"]),
        (
            &["rewrite", "--to", "uri", "-i", "-O", "x", "a.html"],
            &["--in-place", "--output"],
        ),
        (
            &["rewrite", "--to", "uri", "-i", "--stdout", "a.html"],
            &["--in-place", "--stdout"],
        ),
        (
            &["rewrite", "--to", "uri", "-n", "--stdout", "a.html"],
            &["--dry-run", "--stdout"],
        ),
        (
            &["rewrite", "--to", "uri", "--json", "--stdout", "a.html"],
            &["--json", "--stdout"],
        ),
        (
            &["rewrite", "--to", "uri", "-i", "-"],
            &["--in-place", "standard input"],
        ),
        (
            &["rewrite", "--to", "uri", "-O", "x", "-"],
            &["--output", "standard input"],
        ),
        (
            &["rewrite", "--to", "uri", "a.html", "-"],
            &["standard input"],
        ),
        (
            &["convert", "--to", "uri", "--level", "path", "x"],
            &["--level", "--to normal"],
        ),
        (&["undo", "journal"], &["expected a run", "`linkglot runs`"]),
        (
            &["resume", "journal"],
            &["expected a run", "`linkglot runs`"],
        ),
        (
            &["rewrite", "--to", "uri", "--backup", "~", "a.html"],
            &["--in-place"],
        ),
        (
            &["rewrite", "--to", "uri", "--journal", "j", "a.html"],
            &["--in-place"],
        ),
        (&["find", "-0", "a.html"], &["--null"]),
    ];
    // What excludes --in-place must not keep it from being required.
    for option in [["--backup", "~"], ["--journal", "j"]] {
        for other in [
            &["--stdout"][..],
            &["--check"],
            &["--diff", "raw"],
            &["-O", "x"],
            &["-n"],
        ] {
            let run =
                place.run(&[&["rewrite", "--to", "uri", "a.html"], &option[..], other].concat());
            run.complains(&[option[0]], 2);
            assert_eq!(run.text(), "");
        }
    }
    for (args, words) in wrong {
        let run = place.run(args);
        assert_eq!(run.text(), "", "{args:?}");
        run.complains(words, 2);
    }
    assert_eq!(place.read("a.html"), PAGE.as_bytes());
}

#[test]
fn unknown_charsets_are_named_and_near_ones_offered() {
    let place = Place::new(&[("a.html", PAGE)]);
    for option in ["-E", "--default-charset"] {
        let run = place.run(&["find", option, "shift_jsi", "a.html"]);
        run.complains(&["shift_jsi", "shift_jis"], 2);
    }
}

#[test]
fn output_and_input_are_apart() {
    let place = Place::new(&[("site/a.html", PAGE), ("site/sub/b.html", PAGE)]);
    let wrong: &[(&[&str], &[&str])] = &[
        (
            &["-O", "site/out", "site"],
            &["`site/out` lies inside the input `site`"],
        ),
        (
            &["-O", "site/sub", "site"],
            &["`site/sub` lies inside the input `site`"],
        ),
        (
            &["-O", "site", "site"],
            &["`site` is the input `site` itself"],
        ),
        (
            &["-O", "./site/../site", "site"],
            &["is the input `site` itself"],
        ),
        (
            &["-O", "site", "site/sub"],
            &["the input `site/sub` lies inside"],
        ),
        (
            &["-O", "site", "site/a.html"],
            &["would be the input itself"],
        ),
        (
            &["-O", "out", "site/a.html", "other/a.html"],
            &["site/a.html", "other/a.html", "both"],
        ),
    ];
    place.write("other/a.html", b"");
    for (args, words) in wrong {
        let run = place.run(&[&["rewrite", "--to", "uri"], *args].concat());
        run.complains(words, 2);
    }
    assert_eq!(place.names("site"), ["a.html", "sub/b.html"]);
    assert_eq!(place.read("site/a.html"), PAGE.as_bytes());
    place.write("list", b"../x.html\n");
    let run = place.run(&[
        "rewrite",
        "--to",
        "uri",
        "-O",
        "out",
        "--files-from",
        "list",
    ]);
    run.complains(&["../x.html", "`..`"], 2);
}

#[test]
fn one_bad_file_stops_nobody() {
    let place = Place::new(&[("d/a.html", PAGE), ("d/z.html", PAGE)]);
    place.write("d/i.png", b"\x89PNG\r\n\x1A\n\0\0");
    let run = place.run(&["find", "-c", "d/a.html", "gone.html", "d/i.png", "d/z.html"]);
    assert_eq!(run.text(), "d/a.html:1\nd/z.html:1\n");
    let words = [
        "linkglot: gone.html: No such file",
        "linkglot: d/i.png: expected a document, found a binary file",
    ];
    run.complains(&words, 3);
    place
        .run(&["find", "gone.html"])
        .complains(&["gone.html: No such file"], 2);
    let run = place.run(&["rewrite", "--to", "uri", "-i", "gone.html", "d"]);
    run.complains(
        &[
            "gone.html: No such file",
            "2 links changed",
            "1 file failed",
        ],
        3,
    );
    place
        .run(&["find", "d/i.png"])
        .complains(&["binary file"], 2);
}

#[cfg(unix)]
#[test]
fn unreadable_files() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new(&[("d/a.html", PAGE), ("d/b.html", PAGE)]);
    let forbid = |name: &str, mode| {
        fs::set_permissions(place.path(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    forbid("d/a.html", 0o000);
    if File::open(place.path("d/a.html")).is_ok() {
        println!("skipped: permissions are not for this user");
        return;
    }
    let run = place.run(&["find", "-c", "d"]);
    run.complains(&["d/a.html: Permission denied"], 3);
    assert_eq!(run.text(), "d/b.html:1\n");
    forbid("d", 0o555);
    let run = place.run(&["rewrite", "--to", "uri", "-i", "d/b.html"]);
    forbid("d", 0o755);
    run.complains(
        &["d/b.html: cannot make a temporary file in `d`: Permission denied"],
        2,
    );
    assert_eq!(place.read("d/b.html"), PAGE.as_bytes());
}

#[test]
fn a_file_where_a_directory_should_be() {
    let place = Place::new(&[("d/a.html", PAGE), ("out", "a file")]);
    let run = place.run(&["rewrite", "--to", "uri", "-O", "out/below", "d"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(place.read("out"), b"a file");
    assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
}

#[cfg(target_os = "linux")]
#[test]
fn no_space_on_standard_output() {
    let place = Place::new(&[("a.html", PAGE)]);
    for args in [
        &["find", "a.html"][..],
        &["rewrite", "--to", "uri", "--stdout", "a.html"],
        &["rewrite", "--to", "uri", "a.html"],
        &["convert", "--to", "uri", "/é"],
        &["man"],
    ] {
        let mut command = Command::new(cargo_bin!("linkglot"));
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command.args(args).current_dir(place.path("")).stdout(full);
        let output = output.stdin(Stdio::null()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            error.contains("standard output: No space left on device"),
            "{args:?}: {error}"
        );
        assert_eq!(output.status.code(), Some(2));
    }
}

/// A limit on the size of files simulates a full disk: writing fails halfway.
#[cfg(unix)]
#[test]
fn no_space_for_the_new_file() {
    let page = PAGE.repeat(4000);
    let place = Place::new(&[("d/a.html", &page), ("d/b.html", PAGE)]);
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" rewrite --to uri -i d";
    let mut command = Command::new("sh");
    let output = command.args(["-c", script]).arg(cargo_bin!("linkglot"));
    let output = output
        .current_dir(place.path(""))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("linkglot: d/a.html: File too large"),
        "{error}"
    );
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(place.read("d/a.html") == page.as_bytes());
    assert_ne!(place.read("d/b.html"), PAGE.as_bytes());
    assert_eq!(place.names("d"), ["a.html", "b.html"]);
}

/// Endless input: the command must end as soon as nobody reads its output.
#[test]
fn identifiers_end_when_nobody_reads_them() {
    for args in [
        &["convert", "--to", "uri"][..],
        &["convert", "--to", "iri", "--json"],
        &["explain"],
        &["explain", "--json"],
    ] {
        let mut child = Command::new(cargo_bin!("linkglot"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut begin = [0; 1];
        let mut stdout = child.stdout.take().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all("é\n".repeat(1000).as_bytes()).unwrap();
        stdout.read_exact(&mut begin).unwrap();
        drop(stdout);
        let lines = "é\n".repeat(1000);
        // So much that a command that kept reading would take seconds, and the writes would succeed.
        let went_on = (0..5_000).all(|_| stdin.write_all(lines.as_bytes()).is_ok());
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert!(!went_on, "{args:?} read all of its input");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn a_broken_pipe_is_a_quiet_end() {
    let place = Place::new(&[("a.txt", &"http://example.org/é\n".repeat(20_000))]);
    for args in [
        &["find", "a.txt"][..],
        &["find", "--json", "a.txt"],
        &["rewrite", "--to", "uri", "a.txt"],
        &["rewrite", "--to", "uri", "--stdout", "a.txt"],
    ] {
        let mut command = Command::new(cargo_bin!("linkglot"));
        command
            .args(args)
            .current_dir(place.path(""))
            .stdin(Stdio::null());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut begin = [0; 10];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut begin).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_130() {
    let place = Place::new(&[]);
    let mut command = Command::new(cargo_bin!("linkglot"));
    command
        .args(["rewrite", "--to", "uri"])
        .current_dir(place.path(""));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The first output proves that the handler is in place.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&b"text and text\n".repeat(100_000));
        // Keeps the pipe open until the test is over.
        stdin
    });
    let mut begin = [0; 10];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut begin)
        .unwrap();
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.is_ok_and(|status| status.success()));
    let mut rest = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut rest).unwrap();
    drop(writer.join());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn temporary_files_of_killed_runs_are_left_alone() {
    let place = Place::new(&[("d/.linkglot-abcdef.tmp", PAGE), ("d/a.html", PAGE)]);
    let run = place.run(&["find", "-c", "--stats", "d"]);
    assert_eq!(run.text(), "d/a.html:1\n");
    run.complains(&["skipped (`-v` lists them): 1 temporary file"], 0);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_replaced() {
    let place = Place::new(&[]);
    let run = place.run(&["rewrite", "--to", "uri", "-i", "/dev/null"]);
    run.complains(&["/dev/null: expected a file, found a pipe or a device"], 2);
    assert_eq!(place.run(&["find", "/dev/null"]).code, 1);
}

/// The error of an invalid pattern has the reason and the place, in characters.
#[test]
fn patterns() {
    let place = Place::new(&[("a.html", PAGE)]);
    let cases = [
        (
            "re:( b",
            "`(` is not a regular expression: unclosed group, at character 1",
        ),
        (
            "re:éa(b b",
            "`éa(b` is not a regular expression: unclosed group, at character 3",
        ),
        (
            "re:[x y",
            "`[x` is not a regular expression: unclosed character class, at character 1",
        ),
        (
            r"re:\p{None} y",
            r"`\p{None}` is not a regular expression: Unicode property not found, at character 1",
        ),
        (r"re:(\w{500}){500} y", "exceeded limit"),
        (
            "re:é(b) /é$1_c",
            "found `1_c` at character 3 of `/é$1_c`, but the last group of `é(b)` is 1: `${1}_c` is group 1",
        ),
    ];
    for (rule, words) in cases {
        let run = place.run(&["rewrite", "--to", "same", "--map", rule, "a.html"]);
        run.complains(&["--map: expected a", words], 2);
        place.write("rules", format!("/a /b\n{rule}\n").as_bytes());
        let run = place.run(&["rewrite", "--to", "same", "--map-file", "rules", "a.html"]);
        run.complains(&["rules: line 2: expected a", words], 2);
    }
}

/// Files named by options are text; errors give line and byte of other content.
#[test]
fn files_of_options_are_text() {
    let place = Place::new(&[("a.html", PAGE)]);
    place.write("rules", b"/a /b\n\n/c \xC3\x28\n");
    let complaint = "rules: expected text in UTF-8, found other bytes at byte 10, in line 3";
    for command in [
        &["rewrite", "--to", "same", "--map-file", "rules", "a.html"][..],
        &["find", "--vocabulary", "rules", "a.html"],
    ] {
        place.run(command).complains(&[complaint], 2);
    }
}

/// A symbolic link in the output directory cannot lead a file out of it.
#[cfg(unix)]
#[test]
fn links_in_the_output_directory() {
    let place = Place::new(&[
        ("t/s/p.html", "<a href=\u{e9}>"),
        ("t/q.html", "<a href=\u{e9}>"),
        ("v/x", ""),
    ]);
    std::fs::create_dir(place.path("o")).expect("a directory");
    std::os::unix::fs::symlink("../v", place.path("o/s")).expect("a link");
    let ran = place.run(&["rewrite", "--to", "uri", "-O", "o", "t"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.err
            .contains("`o/s` leads out of the output directory `o`"),
        "{}",
        ran.err
    );
    assert_eq!(place.names("v"), ["x"]);
    assert_eq!(place.read("o/q.html"), b"<a href=%C3%A9>");
    // A link that stays within the directory does no harm.
    std::fs::remove_file(place.path("o/s")).expect("a link");
    std::fs::create_dir(place.path("o/r")).expect("a directory");
    std::os::unix::fs::symlink("r", place.path("o/s")).expect("a link");
    assert_eq!(
        place.run(&["rewrite", "--to", "uri", "-O", "o", "t"]).code,
        0
    );
    assert_eq!(place.read("o/r/p.html"), b"<a href=%C3%A9>");
}

/// A displayed name stands for a single file name, on one line and in one column.
#[cfg(unix)]
#[test]
fn names_are_shown_apart() {
    let place = Place::new(&[]);
    for (name, shown) in [
        ("a\\nb", r"a\\nb"),
        ("a\nb", r"a\nb"),
        ("a\tb", r"a\tb"),
        ("a\u{1b}b", r"a\u{1b}b"),
    ] {
        let ran = place.run(&["find", name]);
        assert!(
            ran.err.starts_with(&format!("linkglot: {shown}: ")),
            "{}",
            ran.err
        );
        // The same in the words of an error, and for names of lists, rules and vocabularies.
        let place = Place::new(&[("d/p.html", PAGE), ("e/p.html", PAGE)]);
        place.write(name, b"x");
        let quoted = format!("`{shown}`");
        let bad = format!("{shown}: ");
        let below = format!("d/{name}");
        let missing = format!("{name}missing");
        for (args, part) in [
            (&["rewrite", "--to", "uri", "-O", name, "d"][..], &quoted),
            (
                &["rewrite", "--to", "uri", "-O", &below, "d"],
                &format!("`d/{shown}`"),
            ),
            (
                &["find", "--files-from", &missing],
                &format!("{shown}missing: "),
            ),
            (&["rewrite", "--to", "uri", "--map-file", name, "d"], &bad),
            (&["find", "--vocabulary", name, "d"], &bad),
        ] {
            let ran = place.run(args);
            assert_eq!(ran.code, 2, "{ran:?}");
            assert!(ran.err.contains(part.as_str()), "{args:?}: {}", ran.err);
            assert_eq!(ran.err.lines().count(), 1, "{args:?}: {}", ran.err);
        }
    }
}

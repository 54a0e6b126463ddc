//! The configuration file `linkglot.toml`.

use crate::support::{Place, Ran};
use std::fs;

const PAGE: &str = "<a href='http://old.example/é'><a href='/b'>";

fn site(config: &str) -> Place {
    Place::new(&[("linkglot.toml", config), ("d/a.html", PAGE)])
}

fn rewritten(place: &Place, args: &[&str]) -> Ran {
    place.run(&[&["rewrite", "--stdout", "d/a.html"], args].concat())
}

#[test]
fn the_command_line_before_the_file_before_the_default() {
    let place = site("[rewrite]\nto = 'uri'\nhost = \"keep\"\n");
    let uri = "<a href='http://old.example/%C3%A9'><a href='/b'>";
    rewritten(&place, &[]).prints(uri, 0);
    rewritten(&place, &["--to", "iri"]).prints(PAGE, 0);
    rewritten(&place, &["--no-config"]).complains(&["--to"], 2);
    place
        .run(&["find", "-o", "d/a.html"])
        .prints("http://old.example/é\n/b\n", 0);
    // The usage shows no arguments from the file.
    let lacking = site("threads = 2\n");
    let ran = rewritten(&lacking, &[]);
    ran.complains(&["--to"], 2);
    assert!(!ran.err.contains("--threads"), "{ran:?}");
    // The table of a command takes precedence over the top.
    let place = site("max-slot = 4\n[find]\nmax-slot = '1M'\nscheme = ['http']\n");
    place
        .run(&["find", "-o", "d/a.html"])
        .prints("http://old.example/é\n", 0);
    place
        .run(&["find", "-o", "--scheme", "ftp", "d/a.html"])
        .prints("", 1);
    // Settings that the command line excludes are left out.
    place
        .run(&["find", "-o", "--relative", "d/a.html"])
        .prints("/b\n", 0);
}

#[test]
fn rules_and_those_of_the_command_line() {
    let place = site(
        "[rewrite]\nmap = ['/b /c']\n[[rewrite.rules]]\nfrom = 'old.example'\nto = 'new.example'\n",
    );
    rewritten(&place, &[]).prints("<a href='http://new.example/é'><a href='/c'>", 0);
    for own in [&["--map", "/b /d"][..], &["--replace", "/b", "/d"]] {
        rewritten(&place, own).prints("<a href='http://old.example/é'><a href='/d'>", 0);
    }
}

/// A `linkglot.toml` that cannot be read is an error, and no file above takes its place.
#[cfg(unix)]
#[test]
fn a_file_that_is_no_file() {
    let place = site("[rewrite]\nto = 'uri'\n");
    let run = |args: &[&str]| {
        let mut command = place.command(&[&["find", "-o", "a.html"], args].concat());
        command.current_dir(place.path("d"));
        let output = command.output().expect("the command runs");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code().unwrap_or(-1), err)
    };
    assert_eq!(run(&[]).0, 0);
    let name = place.path("d/linkglot.toml");
    for found in ["a directory", "a pipe or a device", "No such file"] {
        match found {
            "a directory" => fs::create_dir(&name).unwrap(),
            "No such file" => std::os::unix::fs::symlink("nowhere", &name).unwrap(),
            _ => {
                let made = std::process::Command::new("mkfifo").arg(&name).status();
                if !made.is_ok_and(|status| status.success()) {
                    continue;
                }
            }
        }
        let (code, err) = run(&[]);
        let words = format!("linkglot.toml: expected a file, found {found}");
        assert!(code == 2 && err.contains(&words), "{code} {err}");
        assert_eq!(run(&["--no-config"]).0, 0);
        if found == "a directory" {
            fs::remove_dir(&name).unwrap()
        } else {
            fs::remove_file(&name).unwrap()
        }
    }
}

/// The form of diffs of a project does not make a diff of what a pipe rewrites.
#[test]
fn a_form_of_diffs_holds_for_files() {
    let place = site("[rewrite]\nto = 'uri'\ndiff = 'raw'\n");
    let piped = |args: &[&str]| place.pipe(&[&["rewrite"], args].concat(), "http://a.example/é\n");
    piped(&[]).prints("http://a.example/%C3%A9\n", 0);
    assert!(piped(&["--diff", "raw"]).text().starts_with("diff --git"));
    assert!(piped(&["--check"]).text().starts_with("diff --git"));
    let run = place.run(&["rewrite", "d"]);
    assert!(run.text().starts_with("diff --git"), "{run:?}");
}

/// A run does not rewrite what it reads as rules and options: it could not be repeated or resumed. `find` reads it.
#[test]
fn files_of_options_stay() {
    let rules = "http://old.example/a,https://new.example/b\n";
    let page = "<a href=http://old.example/a>";
    let config = "[rewrite]\nmap = ['http://old.example/ https://new.example/']\n";
    let words = "# http://old.example/a\np\ttitle\tsingle\trewrite\n";
    let place = Place::new(&[
        ("s/r.csv", rules),
        ("s/v.tsv", words),
        ("s/a.html", page),
        ("s/other.csv", rules),
    ]);
    let given = ["--map-file", "s/r.csv", "--vocabulary", "s/v.tsv"];
    let run = |args: &[&str]| place.run(&[&["rewrite"], args, &given].concat());
    let copied = run(&["-O", "copy", "s"]);
    assert!(copied.code == 0, "{copied:?}");
    assert_eq!(place.read("copy/r.csv"), rules.as_bytes());
    assert_ne!(place.read("copy/other.csv"), rules.as_bytes());
    let shown = run(&["s"]).text();
    assert!(
        shown.contains("--- s/other.csv") && !shown.contains("--- s/r.csv"),
        "{shown}"
    );
    run(&["-i", "s", "./s/r.csv"]).complains(&["3 files of rules or options"], 0);
    assert_eq!(place.read("s/r.csv"), rules.as_bytes());
    assert_eq!(place.read("s/v.tsv"), words.as_bytes());
    assert_ne!(place.read("s/other.csv"), rules.as_bytes());
    assert_ne!(place.read("s/a.html"), page.as_bytes());
    let found = place.run(&["find", "-o", "s/r.csv"]);
    assert!(found.text().contains("http://old.example/a"), "{found:?}");

    // `linkglot.toml`, found or named, also by a hook.
    let place = site(config);
    let check = ["rewrite", "--check", "-q"];
    place.run(&[&check[..], &["."]].concat()).prints("", 1);
    let run = place.run(&["rewrite", "-i", "."]);
    run.complains(&["1 file of rules or options"], 0);
    assert_eq!(place.read("linkglot.toml"), config.as_bytes());
    place.run(&[&check[..], &["."]].concat()).prints("", 0);
    place
        .run(&[&check[..], &["linkglot.toml"]].concat())
        .prints("", 0);
    let named = ["--config", "linkglot.toml", "d", "linkglot.toml"];
    place.run(&[&check[..], &named].concat()).prints("", 0);
    let arguments = place.run(&["runs", "--json"]).objects();
    let arguments = arguments[0]["arguments"].to_string();
    assert!(arguments.contains("--config=linkglot.toml"), "{arguments}");
}

/// A command without rules does not read them; reading very many rules takes linear time.
/// A file of options that came with an archive takes little memory.
#[test]
fn a_file_of_options_is_short() {
    let place = site("");
    let file = std::fs::File::create(place.path("linkglot.toml")).unwrap();
    file.set_len(3 << 30).unwrap();
    place
        .run(&["find", "."])
        .complains(&["linkglot.toml: expected at most 8388608 bytes"], 2);
}

#[test]
fn rules_are_read_by_what_uses_them() {
    for rules in [
        "rules = 'x'\n",
        "map = 4\n",
        "[[rewrite.rules]]\nfrom = 'x'\n",
    ] {
        let place = site(&format!("[rewrite]\n{rules}"));
        place.run(&["find", "-c", "d/a.html"]).prints("2\n", 0);
        rewritten(&place, &[]).complains(&["linkglot.toml:2:"], 2);
        place
            .run(&["--print-config"])
            .complains(&["linkglot.toml:2:"], 2);
    }
    let rule = |n: usize| format!("[[rewrite.rules]]\nfrom = '/b{n}'\nto = '/c{n}'\n");
    let many: String = (0..30_000).map(rule).collect();
    let inline = |n: usize| format!("{{from = '/i{n}', to = '/c{n}'}},");
    let inline: String = (0..30_000).map(inline).collect();
    for config in [
        format!("[rewrite]\nrules = [{inline}]\n"),
        format!("{many}[[rewrite.rules]]\nfrom = '/b'\nto = '/c'\n"),
    ] {
        let place = site(&config);
        place.run(&["find", "-c", "d/a.html"]).prints("2\n", 0);
        place.run(&["rewrite", "-q", "--stdout", "d/a.html"]);
    }
}

/// Messages name faulty and unmatched rules by their place in the file.
#[test]
fn faulty_rules_are_those_of_the_file() {
    let slash = "[[rewrite.rules]]\nfrom = 'http://old.example/'\nto = 'https://new.example'\n";
    rewritten(&site(slash), &[])
        .complains(&["linkglot: linkglot.toml:1:1: rules: ", "did you mean"], 2);
    let unmatched = site("[rewrite]\n\nmap = ['/x /y']\n");
    let ran = rewritten(&unmatched, &[]);
    assert_eq!(
        ran.err,
        "linkglot: warning: linkglot.toml:3:1: map: `/x /y` matched no link\n"
    );
}

#[test]
fn the_nearest_file_and_its_directory() {
    let place = Place::new(&[
        ("linkglot.toml", "[rewrite]\nmap-file = 'moved.txt'\n"),
        ("moved.txt", "/b /top\n"),
        ("other/own.toml", "[rewrite]\nmap-file = ['moved.txt']\n"),
        ("other/moved.txt", "/b /other\n"),
        ("d/e/a.html", "<a href='/b'>"),
    ]);
    let run = |directory: &str, args: &[&str]| {
        let args = [&["rewrite", "--stdout", "a.html"], args].concat();
        let mut command = place.command(&args);
        let output = command
            .current_dir(place.path(directory))
            .output()
            .expect("a run");
        (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(
        run("d/e", &[]),
        ("<a href='/top'>".to_owned(), String::new())
    );
    let (text, _) = run("d/e", &["--config", "../../other/own.toml"]);
    assert_eq!(text, "<a href='/other'>");
    place.write("d/linkglot.toml", b"[rewrite]\nto = 'uri'\n");
    assert_eq!(run("d/e", &[]).0, "<a href='/b'>");
    let (_, errors) = run("d/e", &["-v"]);
    assert!(
        errors.contains("d/linkglot.toml: options are read from this file"),
        "{errors}"
    );
    let missing = place.run(&["find", "--config", "none.toml", "d"]);
    missing.complains(&["none.toml: "], 2);
}

#[test]
fn what_is_wrong_with_a_file() {
    for (config, words) in [
        ("[rewrite]\nto = \n", &["linkglot.toml:2:6: "][..]),
        (
            "[rewrite]\nmap_file = 'x'\n",
            &[
                "2:1: expected an option of `rewrite`, found `map_file`; the nearest option is `map-file`",
            ],
        ),
        (
            "[find]\nglobs = ['x']\n",
            &["2:1: ", "`globs`; the nearest option is `glob`"],
        ),
        (
            "\n  thread = 4\n",
            &["linkglot.toml:2:3: ", "the nearest option is `threads`"],
        ),
        (
            "threads = 0\n",
            &["linkglot.toml:1:1: threads: invalid value '0': "],
        ),
        (
            "threads = true\n",
            &["1:1: threads: expected a number, found true"],
        ),
        (
            "base = 4\n",
            &["base: expected a string, found the number 4"],
        ),
        (
            "base = '/a'\n",
            &[
                "base: ",
                "expected an IRI with a scheme, found the relative reference `/a`",
            ],
        ),
        (
            "gitignore = 'yes'\n",
            &["gitignore: expected true or false, found the string \"yes\""],
        ),
        ("glob = [1]\n", &["glob: expected a list of strings"]),
        (
            "[rewrite]\nto = 'url'\n",
            &["2:1: to: invalid value 'url' [possible values: uri, iri, same]"],
        ),
        (
            "to = 'uri'\n",
            &["1:1: expected `to` in the table [rewrite], found it above all tables"],
        ),
        ("host = 'keep'\n", &["in the table [find] or [rewrite]"]),
        (
            "find = 3\n",
            &["1:1: expected a table [find], found the number 3"],
        ),
        ("[found]\n", &["1:2: expected an option", "`found`"]),
        (
            "quiet = true\nverbose = true\n",
            &["2:1: verbose cannot be set together with quiet (linkglot.toml:1:1)"],
        ),
        (
            "[rewrite]\nrules = 'x'\n",
            &["rules: expected tables [[rewrite.rules]], found the string \"x\""],
        ),
        (
            "[[rewrite.rules]]\nfrom = 'x'\n",
            &["1:1: rules: expected `from` and `to`, each a string, found no `to`"],
        ),
        (
            "[[rewrite.rules]]\nform = 'x'\n",
            &["2:1: rules: ", "found `form`"],
        ),
        (
            "[[rewrite.rules]]\nfrom = 'x y'\nto = 'z'\n",
            &["expected `from` without spaces, found `x y`"],
        ),
    ] {
        // Only commands that use rules read them.
        let is_rules = config.contains("rules");
        let commands = [
            &["rewrite", "--to", "uri", "d"][..],
            &["--print-config"],
            &["find", "d"],
            &["find", "--print-config"],
        ];
        for command in &commands[..if is_rules { 2 } else { 4 }] {
            let ran = site(config).run(command);
            ran.complains(words, 2);
            ran.complains(&["linkglot: linkglot.toml:"], 2);
            assert!(!ran.err.contains("--to <"), "{ran:?}");
        }
    }
    let place = site("");
    place.write("linkglot.toml", b"[find]\n\xFF");
    place
        .run(&["find", "d"])
        .complains(&["linkglot.toml: expected text in UTF-8"], 2);
    place
        .run(&["convert", "--to", "uri", "/a"])
        .prints("/a\n", 0);
}

/// A file in a tree that somebody else made causes no writes, and no reads outside of the tree.
#[test]
fn a_file_says_not_what_a_run_does() {
    for setting in [
        "in-place = true",
        "output = 'x'",
        "stdout = true",
        "check = true",
        "dry-run = true",
        "journal = 'j'",
        "no-journal = true",
        "backup = '.x'",
        "report = 'report.html'",
        "cdxj = '../x.cdxj'",
        "json = true",
        "files-from = 'x'",
        "null = true",
        "follow = true",
        "config = 'x'",
        "replace = ['a', 'b']",
    ] {
        for config in [format!("[rewrite]\n{setting}\n"), format!("\n{setting}\n")] {
            let place = site(&config);
            let ran = place.run(&["rewrite", "--to", "uri", "d"]);
            ran.complains(&["linkglot.toml:2:1: ", "cannot be set in a file: "], 2);
            assert_eq!(place.names("."), ["d/a.html", "linkglot.toml"]);
            assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
        }
    }
}

/// The command in the journal does not need the file.
#[test]
fn the_journal_has_all_arguments() {
    let place = site("threads = 1\n[rewrite]\nto = 'uri'\nmap = ['/b /c']\n");
    place
        .run(&["rewrite", "-i", "--host", "keep", "d"])
        .complains(&["linkglot undo"], 0);
    let runs = place.run(&["runs"]).text();
    let line = "linkglot rewrite --no-config --config=linkglot.toml --to=uri '--map=/b /c' --threads=1 -i --host keep d\n";
    let sorted = |text: &str| {
        let mut words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        words.sort();
        words
    };
    let (_, command) = runs.rsplit_once('\t').expect("a command");
    assert_eq!(sorted(command), sorted(line));
}

fn without_comments(text: &str) -> Vec<String> {
    let values = text
        .lines()
        .map(|line| line.split("  # ").next().unwrap_or_default());
    values
        .filter(|line| !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn what_is_printed_is_a_file_that_prints_the_same() {
    let config = "threads = 2\n[find]\nscheme = ['http', 'ftp']\ncount = true\n[rewrite]\nmap = ['/b \"c\\']\nstrict = false\n";
    for args in [
        &["--print-config"][..],
        &["find", "--print-config", "--glob", "-x", "-v"],
        &["find", "--print-config", "--json", "d"],
        &[
            "rewrite",
            "--print-config",
            "--to",
            "iri",
            "--replace",
            "a",
            "b",
            "--max-slot",
            "2k",
            "d",
        ],
        &[
            "rewrite",
            "--print-config",
            "--base",
            "http://a.example/\u{202E}",
        ],
    ] {
        let place = site(config);
        let first = place.run(args);
        assert_eq!((first.code, first.err.as_str()), (0, ""), "{first:?}");
        assert!(first.text().starts_with("# linkglot.toml\n"), "{first:?}");
        place.write("linkglot.toml", &first.out);
        let command = args.iter().take_while(|arg| !arg.starts_with("--"));
        let command: Vec<&str> = command.copied().chain(["--print-config"]).collect();
        let second = place.run(&command);
        assert_eq!(
            without_comments(&second.text()),
            without_comments(&first.text()),
            "{second:?}"
        );
        place.write("linkglot.toml", &second.out);
        place.run(&command).prints(&second.text(), 0);
    }
}

#[test]
fn where_values_come_from() {
    let place = site("gitignore = true\n[rewrite]\nmap = ['/a /b']\n");
    let printed = place
        .run(&["rewrite", "--print-config", "--to", "uri", "-j", "3"])
        .text();
    for line in [
        "[rewrite]",
        "to = \"uri\"  # command line",
        "threads = 3  # command line",
        "gitignore = true  # linkglot.toml",
        "map = [\"/a /b\"]  # linkglot.toml",
        "max-slot = \"1M\"  # default",
        "strict = false  # default",
    ] {
        assert!(
            printed.lines().any(|printed| printed == line),
            "{line}: {printed}"
        );
    }
    assert!(
        !printed.contains("[find]") && !printed.contains("in-place"),
        "{printed}"
    );
    let printed = place.run(&["rewrite", "--print-config", "--no-gitignore"]);
    let line = "\ngitignore = false  # command line\n";
    assert!(printed.text().contains(line), "{printed:?}");
    // No option is required, because nothing is done.
    let none = Place::new(&[]).run(&["rewrite", "--print-config"]);
    assert!(
        none.text().starts_with("# no configuration file\n") && none.code == 0,
        "{none:?}"
    );
    place
        .run(&["rewrite", "--print-config", "--to", "url"])
        .complains(&["--to"], 2);
    place
        .run(&["--print-config", "convert"])
        .complains(&["convert"], 2);
    let both = place.run(&["--print-config"]).text();
    assert!(
        both.contains("[find]") && both.contains("[rewrite]"),
        "{both}"
    );
}

/// The example of the documentation is a valid file.
#[test]
fn the_example_of_the_documentation() {
    let page = include_str!("../../../../docs/configuration.md");
    let example = page
        .split("```toml\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let place = site(example.expect("an example"));
    place.write(
        "moved.csv",
        b"old,new\nhttp://old.example/b,https://new.example/c\n",
    );
    place.run(&["find", "--print-config"]).complains(&[], 0);
    let ran = place.run(&["rewrite", "-q", "--stdout", "d/a.html"]);
    ran.prints("<a href='https://new.example/%C3%A9'><a href='/b'>", 0);
}

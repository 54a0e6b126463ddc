//! `rewrite` leaves what git ignores in a work tree.

use super::support::{Place, Ran};
use serde_json::json;

const MOVE: [&str; 3] = [
    "rewrite",
    "--map",
    "http://old.example/ https://new.example/",
];
const PAGE: &str = "<a href='http://old.example/\u{e9}'>x</a>\n";

/// A directory of pages, with lists of ignored files.
fn tree(pages: &[&str], lists: &[(&str, &str)]) -> Place {
    let place = Place::new(lists);
    for page in pages {
        place.write(page, PAGE.as_bytes());
    }
    place
}

/// Runs `rewrite` with a home of its own, where git has its settings.
fn rewrite(place: &Place, args: &[&str]) -> Ran {
    let mut command = place.command(&[&MOVE[..], args].concat());
    command.env("HOME", place.path("home"));
    command.env_remove("XDG_CONFIG_HOME");
    let output = command.output().expect("the command runs");
    Ran {
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    }
}

/// The pages that a run in place changes.
fn changed(place: &Place, args: &[&str]) -> Vec<String> {
    let ran = rewrite(place, &[&["-i"], args].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    let names = place.names(".");
    let is_new = |name: &String| place.read(name) != PAGE.as_bytes();
    let pages = names.into_iter().filter(|name| name.ends_with(".html"));
    pages.filter(is_new).collect()
}

#[test]
fn in_a_work_tree_ignored_files_are_left_and_counted() {
    let pages = [
        "site/a.html",
        "site/out/b.html",
        "site/sub/c.html",
        "site/sub/d.html",
    ];
    let lists = [
        ("site/.gitignore", "/out/\n[cd].html\n"),
        ("site/sub/.gitignore", "!d.html\n"),
    ];
    let place = tree(&pages, &lists);
    // No work tree yet: an archive is taken whole.
    let summary = |args: &[&str]| rewrite(&place, args).objects().pop().expect("a summary");
    assert_eq!(summary(&["--json", "site"])["changed"], 4);
    place.write("site/.git/HEAD", b"ref: refs/heads/main\n");
    let left = summary(&["--json", "site"]);
    let skipped = json!({"ignored": 2, "version-control": 1});
    assert_eq!((&left["changed"], &left["skipped"]), (&json!(2), &skipped));
    // Elsewhere than in place, and in `find`, as before.
    assert_eq!(summary(&["--json", "--no-gitignore", "site"])["changed"], 4);
    assert_eq!(
        summary(&["--json", "-n", "-O", "new", "site"])["changed"],
        4
    );
    let found = place.run(&["find", "-c", "site"]).text();
    assert_eq!(found.lines().count(), 4);
    let listed = rewrite(&place, &["-n", "-v", "site"]);
    listed.complains(
        &[
            "site/out: skipped: ignored by git (`--no-gitignore`)",
            "2 ignored by git",
        ],
        0,
    );
    let told = rewrite(&place, &["site"]);
    told.complains(&["skipped (`-v` lists them): ", "2 ignored by git"], 0);
    assert_eq!(
        changed(&place, &["site"]),
        ["site/a.html", "site/sub/d.html"]
    );
    // Named, they are taken.
    let named = ["site/sub/c.html", "site/out"];
    assert_eq!(changed(&place, &named).len(), 4);
}

#[test]
fn ignored_files_are_taken_with_the_option() {
    let place = tree(
        &["a.html"],
        &[(".gitignore", "*.html\n"), (".git/HEAD", "")],
    );
    assert_eq!(
        changed(&place, &["--gitignore", "--no-gitignore", "."]),
        ["a.html"]
    );
}

/// Git ignores no tracked file, whatever matches it; what else is in its directory stays ignored.
#[test]
fn tracked_files_are_not_ignored() {
    let pages = [
        "a.html",
        "dist/a.html",
        "dist/b.html",
        "dist/c/a.html",
        "dist/d/a.html",
        "e.html",
    ];
    for version in ["2", "4"] {
        let place = tree(
            &pages,
            &[(".gitignore", "dist/\n*.html\n!dist/b.html\n!a.html\n")],
        );
        let git = |args: &[&str]| {
            let mut command = std::process::Command::new("git");
            let index = format!("index.version={version}");
            let command = command.args(["-c", &index]).args(args);
            let output = command.current_dir(place.path("")).output();
            output.is_ok_and(|output| output.status.success())
        };
        let tracked = ["add", "-f", "dist/a.html", "dist/c/a.html", "e.html"];
        if !git(&["init", "-q"]) || !git(&tracked) {
            return;
        }
        let ran = rewrite(&place, &["-v", "."]);
        ran.complains(
            &[
                "dist/b.html: skipped: ignored",
                "dist/d: skipped: ignored",
                "2 ignored by git",
            ],
            0,
        );
        assert_eq!(
            changed(&place, &["."]),
            ["a.html", "dist/a.html", "dist/c/a.html", "e.html"]
        );
    }
}

/// As git weighs them: the nearest `.gitignore`, the list of the repository, that of the user.
#[test]
fn lists_of_the_repository_and_of_the_user() {
    let pages = [
        "w/a.html",
        "w/b.html",
        "w/c.html",
        "w/sub/c.html",
        "w/sub/a.html",
    ];
    let lists = [
        ("w/.git/info/exclude", "a.html\n"),
        ("w/sub/.gitignore", "!a.html\n"),
        ("home/.config/git/ignore", "/c.html\n!a.html\n"),
    ];
    let place = tree(&pages, &lists);
    // `/c.html` is below the top of the work tree.
    assert_eq!(
        changed(&place, &["w"]),
        ["w/b.html", "w/sub/a.html", "w/sub/c.html"]
    );
    let place = tree(&pages, &lists);
    place.write("w/.git/config", b"[core]\n\texcludesFile = ~/mine\n");
    place.write("home/mine", b"sub/\n");
    assert_eq!(changed(&place, &["w"]), ["w/b.html", "w/c.html"]);
}

/// Each repository has its own rules; a submodule or a second work tree has its directory elsewhere.
#[test]
fn repositories_within_each_other() {
    let pages = [
        "w/a.html",
        "w/inner/a.html",
        "w/inner/b.html",
        "w/module/a.html",
        "w/module/c.html",
    ];
    let lists = [
        ("w/.git/HEAD", ""),
        ("w/.gitignore", "a.html\n"),
        ("w/inner/.git/HEAD", ""),
        ("w/inner/.gitignore", "b.html\n"),
        ("w/module/.git", "gitdir: ../.git/worktrees/m\n"),
        ("w/.git/worktrees/m/commondir", "../..\n"),
        ("w/.git/info/exclude", "c.html\n"),
    ];
    let place = tree(&pages, &lists);
    assert_eq!(
        changed(&place, &["w"]),
        ["w/inner/a.html", "w/module/a.html"]
    );
    // The same through a symbolic link, and through `..`.
    for root in ["link/", "w/module/../inner"] {
        let place = tree(&pages, &lists);
        let link = std::os::unix::fs::symlink(place.path("w/inner"), place.path("link"));
        link.expect("a link");
        assert_eq!(changed(&place, &[root]), ["w/inner/a.html"], "{root}");
    }
}

/// Lists are read byte by byte, as git reads them.
#[test]
fn patterns_as_git_reads_them() {
    let pages = ["1d.html", "Aq.html", "bq.html", "build/a.html", "x/q.html"];
    let list = "# caf\u{e9}\nbuild/\n[[:digit:]]d.html\n{a,b}q.html\naq.html\nx**/q.html\n";
    let latin = list.replace('\u{e9}', "\u{1}").into_bytes();
    let latin: Vec<u8> = latin
        .into_iter()
        .map(|byte| if byte == 1 { 0xE9 } else { byte })
        .collect();
    let place = tree(&pages, &[(".git/HEAD", "")]);
    place.write(".gitignore", &latin);
    assert_eq!(changed(&place, &["."]), ["Aq.html", "bq.html"]);
    let place = tree(&pages, &[(".git/config", "[core]\n\tignoreCase = true\n")]);
    place.write(".gitignore", &latin);
    assert_eq!(changed(&place, &["."]), ["bq.html"]);
}

/// Git follows no symbolic link to a `.gitignore`.
#[cfg(unix)]
#[test]
fn a_list_that_is_a_symbolic_link() {
    let place = tree(&["a.html"], &[(".git/HEAD", ""), ("rules", "a.html\n")]);
    std::os::unix::fs::symlink("rules", place.path(".gitignore")).expect("a link");
    assert_eq!(changed(&place, &["."]), ["a.html"]);
}

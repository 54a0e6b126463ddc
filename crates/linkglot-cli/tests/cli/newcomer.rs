//! The command line for newcomers: help, summaries, hints.

use crate::support::{Place, Ran};
use serde_json::json;

fn run(args: &[&str]) -> Ran {
    Place::new(&[]).run(args)
}

fn site() -> Place {
    Place::new(&[
        ("site/a.html", "<a href='/é'>x</a> <a href='/b'>"),
        ("site/b.txt", "http://example.org/é\n"),
        ("site/none.txt", "nothing here\n"),
    ])
}

#[test]
fn help_is_short_enough_to_be_read() {
    for (command, most_lines, most_lines_of_summary) in [
        ("find", 170, 62),
        ("rewrite", 238, 60),
        ("convert", 110, 60),
        ("explain", 100, 30),
    ] {
        let long = run(&["help", command]);
        let lines = long.text().lines().count();
        assert!(lines <= most_lines, "help {command}: {lines} lines");
        assert_eq!(run(&[command, "--help"]).text(), long.text());
        let short = run(&[command, "-h"]).text();
        let lines = short.lines().count();
        assert!(
            lines <= most_lines_of_summary,
            "{command} -h: {lines} lines"
        );
        assert_eq!((long.code, long.err.as_str()), (0, ""));
    }
}

/// The help does not use the library's word for a place of links.
#[test]
fn help_has_no_slots_but_in_names_of_options() {
    for command in ["find", "rewrite"] {
        let help = run(&["help", command]).text();
        let words = help.replace("--max-slot", "").replace("--slots", "");
        assert!(!words.to_lowercase().contains("slot"), "{help}");
    }
}

/// Every option stands below a heading for its task.
#[test]
fn options_are_grouped_by_task() {
    for command in ["find", "rewrite", "convert"] {
        let help = run(&[command, "-h"]).text();
        let (_, general) = help.split_once("\nOptions:\n").expect("general options");
        let general: Vec<_> = general
            .lines()
            .take_while(|line| !line.is_empty())
            .collect();
        assert_eq!(general.len(), 1, "only --help is general: {general:?}");
    }
}

#[test]
fn options_may_follow_identifiers() {
    run(&["convert", "--to", "uri", "/é", "--json"]).objects();
    let place = Place::new(&[]);
    place
        .run(&["convert", "/é", "--to", "uri", "/ü"])
        .prints("/%C3%A9\n/%C3%BC\n", 0);
    place.run(&["explain", "/é", "--json"]).complains(&[], 0);
    // An argument that begins with a hyphen is an option, unless it follows `--`.
    place
        .run(&["convert", "--to", "uri", "-é"])
        .complains(&["unexpected argument", "-- -é"], 2);
    place
        .run(&["convert", "--to", "uri", "--", "-é", "--json"])
        .prints("-%C3%A9\n--json\n", 0);
    let explained = place.run(&["explain", "--json", "--", "-x"]).objects();
    assert_eq!(explained[0]["input"], "-x");
}

#[test]
fn a_path_in_place_of_a_command() {
    let place = site();
    for (args, command) in [
        (&["site"][..], "linkglot find site"),
        (&["site/b.txt", "-o"], "linkglot find site/b.txt"),
        (&["./site"], "linkglot find ./site"),
    ] {
        place.run(args).complains(&[command], 2);
    }
    let typo = place.run(&["fnd"]);
    typo.complains(&["unrecognized subcommand 'fnd'", "'find'"], 2);
}

#[test]
fn counts_as_json() {
    let run = site().run(&["find", "-c", "--json", "site"]);
    let objects = run.objects();
    let count = |path: &str, count: u64| json!({"type": "count", "path": path, "count": count});
    assert_eq!(
        objects[..2],
        [count("site/a.html", 2), count("site/b.txt", 1)]
    );
    assert_eq!(objects.len(), 3);
    assert_eq!(objects[2]["type"], "summary");
    assert_eq!(objects[2]["links"], 3);
    // Each link once, as without --json.
    let place = Place::new(&[("a.html", "<a href=x><a href=x>")]);
    let objects = place.run(&["find", "-cu", "--json", "a.html"]).objects();
    assert_eq!(objects[0], count("a.html", 1));
}

/// With `--stats` every file is read, and only the summary is printed.
#[test]
fn a_quiet_summary() {
    let run = site().run(&["find", "--stats", "-q", "site"]);
    assert_eq!(run.text(), "");
    run.complains(&["3 files read", "3 links in 2 files"], 0);
    let none = site().run(&["find", "--stats", "-q", "site/none.txt"]);
    none.complains(&["0 links"], 1);
    let run = site().run(&["rewrite", "--to", "uri", "--stats", "-q", "site"]);
    assert_eq!(run.text(), "");
    run.complains(&["2 links would change in 2 files"], 0);
}

#[test]
fn summaries_say_what_happened_and_which_option_shows_more() {
    let place = Place::new(&[
        (
            "d/a.html",
            "<a href='/é'><a href='http://a\u{200D}b.example/'>",
        ),
        ("d/b.html", "<a href='/é'>"),
    ]);
    place.write("d/i.png", b"\x89PNG\r\n\x1A\n\0\0");
    place.write("d/j.png", b"\x89PNG\r\n\x1A\n\0\0");
    let dry = place.run(&["rewrite", "--to", "uri", "-n", "d"]);
    dry.complains(
        &[
            "2 links would change in 2 files",
            "1 link left unchanged (`-v` lists the reasons)",
            "skipped (`-v` lists them): 2 binary files",
        ],
        0,
    );
    // Without the hint for users who have asked for the reasons.
    let verbose = place.run(&["rewrite", "--to", "uri", "-n", "-v", "d"]);
    assert!(
        verbose.err.contains("1 link left unchanged\n"),
        "{verbose:?}"
    );
    assert!(
        verbose.err.contains("skipped: 2 binary files\n"),
        "{verbose:?}"
    );
    let done = place.run(&["rewrite", "--to", "uri", "-i", "d/b.html"]);
    done.complains(&["1 link changed in 1 file\n"], 0);
    assert!(!done.err.contains("left"), "{done:?}");
}

/// `rewrite` without a change names the options that change something; other missing arguments keep their own words.
#[test]
fn rewrite_asks_what_to_change() {
    run(&["rewrite", "a.html"]).complains(&["expected what to change", "--move OLD NEW"], 2);
    let ran = run(&["rewrite", "--to=uri", "--journal=j", "a.html"]);
    assert!(ran.err.contains("--in-place"), "{}", ran.err);
}

//! Documents whose links would be many times as long as the documents: each fails, and the run continues.

use crate::support::Place;
use std::collections::BTreeMap;

const GOOD: &str = "<a href='/é'>x</a>\n";

fn hostile() -> String {
    let base = format!("http://a.example/{}", "d/".repeat(950));
    format!(
        "<meta charset=utf-8><base href='{base}'>{}",
        "<a href=é>".repeat(9000)
    )
}

#[test]
fn the_run_goes_on() {
    let page = hostile();
    let good = GOOD.replace('<', "<meta charset=utf-8><").replacen(
        "<meta charset=utf-8><meta",
        "<meta",
        1,
    );
    let place = Place::new(&[("a.html", &page), ("b.html", &good)]);
    let map = ["--map", "http://a.example/ http://b.example/"];
    let modes: [&[&str]; 9] = [
        &["find", "--json"],
        &["find", "--by-host"],
        &["find", "--as", "uri"],
        &["rewrite", "--to", "uri"],
        &["rewrite", "--to", "uri", "--absolute", "-O", "out"],
        &[
            "rewrite",
            "--to",
            "same",
            map[0],
            map[1],
            "--map-resolved",
            "-n",
        ],
        &[
            "rewrite",
            "--to",
            "same",
            "--to-charset",
            "windows-1252",
            "-n",
        ],
        &["rewrite", "--to", "iri", "--unwrap", "--report", "r.html"],
        &["rewrite", "--to", "uri", "-i"],
    ];
    for mode in modes {
        let run = place.run(&[mode, &["a.html", "b.html"]].concat());
        assert_eq!(run.code, 3, "{mode:?}: {}", run.err);
        assert!(
            run.err
                .contains("a.html: expected links that repeat at most 10 times"),
            "{mode:?}: {}",
            run.err
        );
        assert!(
            run.out.len() < 25 * page.len(),
            "{mode:?}: {}",
            run.out.len()
        );
        assert_eq!(place.read("a.html"), page.as_bytes(), "{mode:?}");
    }
    // A file that cannot be rewritten is copied, as after other refusals.
    assert_eq!(place.read("out/a.html"), page.as_bytes());
    assert_eq!(
        String::from_utf8_lossy(&place.read("b.html"))
            .matches("%C3%A9")
            .count(),
        1
    );
    assert!(
        !place.names(".").iter().any(|name| name.contains("tmp")),
        "{:?}",
        place.names(".")
    );
}

/// A rule may match links that were not read, so there is no warning.
#[test]
fn a_file_that_failed_says_nothing_of_rules() {
    let place = Place::new(&[("a.html", &hostile()), ("b.html", GOOD)]);
    let rewrite = ["rewrite", "--map", "/never /x"];
    let run = place.run(&[&rewrite[..], &["a.html"]].concat());
    assert!(!run.err.contains("matched"), "{}", run.err);
    run.complains(&["most of these are their base"], 3);
    let run = place.run(&[&rewrite[..], &["a.html", "b.html"]].concat());
    let words = "`/never /x` matched no link in the files that were read\n";
    run.complains(&[words], 3);
}

#[test]
fn standard_input_keeps_what_is_printed() {
    let place = Place::new(&[]);
    let run = place.pipe(&["find", "--json", "--format", "html"], hostile());
    assert_eq!(run.code, 3, "{}", run.err);
    let mut types = BTreeMap::new();
    for object in run.objects() {
        *types
            .entry(object["type"].as_str().unwrap_or_default().to_owned())
            .or_insert(0) += 1;
    }
    assert!(types["link"] > 100, "{types:?}");
    assert_eq!((types["error"], types["summary"]), (1, 1));
}

/// A rule that writes a link 50,000 times is an error.
#[test]
fn groups_are_counted() {
    let place = Place::new(&[("a.html", GOOD)]);
    let rule = format!("re:(.*) http://b.example/{}", "$1".repeat(5000));
    let run = place.run(&["rewrite", "--to", "same", "--map", &rule, "a.html"]);
    run.complains(&["expected at most 32 groups", "found 5000"], 2);
}

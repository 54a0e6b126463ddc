//! Files as people name them: links to directories, names in output trees, what errors name.

#![cfg(feature = "cli")]

#[path = "support/cli.rs"]
mod support;

use support::Place;

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
    // One inside is not followed, named above or not.
    let run = place.run(&["find", "--stats", "ld"]);
    run.complains(&["1 skipped: symbolic link"], 0);
    let run = place.run(&["rewrite", "--to", "uri", "-O", "out", "ld"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(place.names("out"), ["a.html", "inner", "sub/b.html"]);
    let run = place.run(&["rewrite", "--to", "uri", "-i", "ld"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(!run.err.contains("fail"), "{run:?}");
    assert_eq!(place.read("d/sub/b.html"), URIS.as_bytes());
    assert!(place.path("ld").is_symlink());
}

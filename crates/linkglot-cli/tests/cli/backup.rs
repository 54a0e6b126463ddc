//! Backups: old files that stay under another name.

use super::support::Place;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

const PAGE: &str = "<p>é</p>\r\n<a href=/é>x</a>\n";
const URIS: &str = "<p>é</p>\r\n<a href=/%C3%A9>x</a>\n";
const IN_PLACE: &[&str] = &["rewrite", "--to", "uri", "-i", "--backup", ".orig"];

fn place() -> Place {
    Place::new(&[("d/a.html", PAGE), ("d/b.html", "<a href=/b>")])
}

#[test]
fn the_old_file_stays() {
    for journal in [&[][..], &["--no-journal"]] {
        let place = place();
        let path = place.path("d/a.html");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("a mode");
        let before = fs::metadata(&path).expect("a file");
        let run = place.run(&[IN_PLACE, journal, &["d"]].concat());
        assert_eq!(run.code, 0, "{run:?}");
        assert_eq!(place.names("d"), ["a.html", "a.html.orig", "b.html"]);
        assert_eq!(place.read("d/a.html"), URIS.as_bytes());
        let kept = fs::metadata(place.path("d/a.html.orig")).expect("a backup");
        assert_eq!(place.read("d/a.html.orig"), PAGE.as_bytes());
        let of = |found: &fs::Metadata| (found.ino(), found.mode(), found.mtime_nsec());
        assert_eq!(of(&kept), of(&before));

        // Backups are not documents of another run, even if they are named.
        let args = ["--to", "iri", "-i", "--backup", ".orig", "-v", "d"];
        let run = place.run(&[&["rewrite"], &args[..], &["d/a.html.orig"]].concat());
        assert!(run.err.contains("a.html.orig: skipped: backup"), "{run:?}");
        assert_eq!(place.names("d").len(), 3);
    }
}

#[test]
fn undo_leaves_backups() {
    let place = place();
    assert_eq!(place.run(&[IN_PLACE, &["d"]].concat()).code, 0);
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.names("d"), ["a.html", "a.html.orig", "b.html"]);
    assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
    // The backup already has the content that it would get again.
    assert_eq!(place.run(&[IN_PLACE, &["d"]].concat()).code, 0);
    assert_eq!(place.read("d/a.html"), URIS.as_bytes());
    assert_eq!(place.read("d/a.html.orig"), PAGE.as_bytes());
}

/// An existing file with the backup's name, a directory, or the target of a symbolic link stays.
#[test]
fn nothing_is_overwritten() {
    let makers: [&dyn Fn(&Place); 4] = [
        &|place| place.write("d/a.html.orig", b"mine"),
        &|place| symlink("../far", place.path("d/a.html.orig")).expect("a link"),
        &|place| symlink("b.html", place.path("d/a.html.orig")).expect("a link"),
        &|place| fs::create_dir(place.path("d/a.html.orig")).expect("a directory"),
    ];
    for make in makers {
        let place = place();
        make(&place);
        let path = place.path("d/a.html.orig");
        let before = fs::symlink_metadata(&path).expect("a file").ino();
        let run = place.run(&[IN_PLACE, &["d"]].concat());
        run.complains(&["d/a.html: the backup `d/a.html.orig` exists already"], 3);
        assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
        assert_eq!(place.read("d/b.html"), b"<a href=/b>");
        assert_eq!(fs::symlink_metadata(&path).expect("a file").ino(), before);
        assert!(!place.path("far").exists());
        // Nothing was recorded, because nothing was replaced.
        place.run(&["runs"]).prints("", 0);
    }
}

/// Other names follow to the new file; the old file stays under one name.
#[test]
fn files_with_several_names() {
    let place = place();
    fs::hard_link(place.path("d/a.html"), place.path("d/c.html")).expect("a link");
    let run = place.run(&[IN_PLACE, &["d"]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    let names = ["a.html", "a.html.orig", "b.html", "c.html"];
    assert_eq!(place.names("d"), names);
    assert_eq!(place.read("d/c.html"), URIS.as_bytes());
    assert_eq!(place.read("d/a.html.orig"), PAGE.as_bytes());
}

#[test]
fn suffixes() {
    for suffix in ["", "/x", "a/b"] {
        let args = ["rewrite", "--to", "uri", "-i", "--backup", suffix, "d"];
        let run = place().run(&args);
        run.complains(&["expected the end of a file name"], 2);
    }
    let place = place();
    let args = ["rewrite", "--to", "uri", "--backup", "~", "d"];
    place.run(&args).complains(&["--in-place"], 2);
    let args = ["rewrite", "--to", "uri", "-i", "--backup", "-old", "d"];
    assert_eq!(place.run(&args).code, 0);
    assert_eq!(place.read("d/a.html-old"), PAGE.as_bytes());
}

#[test]
fn a_name_that_is_too_long() {
    let place = place();
    let suffix = format!(".{}", "x".repeat(255));
    let run = place.run(&["rewrite", "--to", "uri", "-i", "--backup", &suffix, "d"]);
    run.complains(&["cannot make the backup", "too long"], 3);
    assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
    assert_eq!(place.names("d"), ["a.html", "b.html"]);
}

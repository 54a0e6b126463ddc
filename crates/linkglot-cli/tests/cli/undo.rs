//! Undoing runs.

use super::support::Place;
use serde_json::Value;
use std::fs;

const PAGE: &str = "<p>é</p>\r\n<a href=/é>x</a> <a href='/b?é'>\n";

fn place() -> Place {
    let place = Place::new(&[("d/a.html", PAGE), ("d/b.html", "<a href=/b>")]);
    place.write("d/c.html", b"<meta charset=koi8-r>\xD6 <a href=/\xD6>\xFF");
    place
}

/// The name of the only run.
fn run_of(place: &Place) -> String {
    let runs = place.run(&["runs", "--json"]).objects();
    assert_eq!(runs.len(), 1, "{runs:?}");
    runs[0]["run"].as_str().expect("a name").to_owned()
}

#[test]
fn a_run_is_taken_back() {
    for form in [&["--to", "uri"][..], &["--to-charset", "utf-8"]] {
        let place = place();
        let before = ["d/a.html", "d/b.html", "d/c.html"].map(|name| place.read(name));
        let run = place.run(&[&["rewrite", "-i", "d"], form].concat());
        let id = run_of(&place);
        let hint = format!("`linkglot undo {id}` restores the files");
        assert!(run.code == 0 && run.err.contains(&hint), "{run:?}");
        assert_ne!(place.read("d/c.html"), before[2]);
        let run = place.run(&["undo", &id]);
        assert!(
            run.code == 0 && run.err.contains(" old content again"),
            "{run:?}"
        );
        let after = ["d/a.html", "d/b.html", "d/c.html"].map(|name| place.read(name));
        assert_eq!(after, before);
        assert_eq!(place.names("d"), ["a.html", "b.html", "c.html"]);
        place
            .run(&["undo", &id])
            .complains(&["was already undone; `linkglot runs` lists"], 2);
    }
}

#[test]
fn long_files_are_taken_back() {
    let place = Place::new(&[]);
    let page = PAGE.repeat(9 << 20 >> 5);
    place.write("a.html", page.as_bytes());
    assert_eq!(
        place.run(&["rewrite", "--to", "uri", "-i", "a.html"]).code,
        0
    );
    assert_ne!(place.read("a.html"), page.as_bytes());
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.read("a.html"), page.as_bytes());
}

#[test]
fn files_that_changed_since_are_refused() {
    let place = place();
    let before = place.read("d/c.html");
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 0);
    let mut changed = place.read("d/a.html");
    changed.extend_from_slice(b"<p>more");
    place.write("d/a.html", &changed);
    let run = place.run(&["undo"]);
    run.complains(&["d/a.html: the file changed after the run", "1 failed"], 3);
    assert_eq!(place.read("d/a.html"), changed);
    // The other files were restored; with `--force`, this one too.
    assert_eq!(place.read("d/c.html"), before);
    assert_eq!(place.run(&["undo", "--force"]).code, 0);
    assert_eq!(
        place.read("d/a.html"),
        (PAGE.to_owned() + "<p>more").as_bytes()
    );

    // If the bytes of the run are gone, nothing is changed.
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 0);
    place.write(
        "d/a.html",
        b"<p>other content, and no links at all: nothing to take back",
    );
    let run = place.run(&["undo", "--force"]);
    run.complains(
        &["d/a.html: the file changed after the run in the same places"],
        3,
    );
    assert!(place.read("d/a.html").starts_with(b"<p>other"));
}

/// `undo --force` that could not restore all files, or was killed, continues. Files that it restored count as undone,
/// whatever the run inserted or removed, and do not change again.
#[test]
fn a_forced_undo_continues() {
    let old = "<a href=http://a.example/é>x</a>\n";
    let maps = [
        "http://a.example/ http://aa.example/",
        "http://a.example/ https://a.example/",
        "http://a.example/é http://a.example/",
        "http://a.example/ http://a.example//",
        "http://a.example/ http://new.example/",
    ];
    for map in maps {
        let place = Place::new(&[("a.html", old), ("b.html", old)]);
        let run = place.run(&["rewrite", "--map", map, "-i", "."]);
        assert_eq!(run.code, 0, "{run:?}");
        let new = place.read("a.html");
        assert_ne!(new, old.as_bytes());
        let changed = [&new[..], b"more"].concat();
        place.write("a.html", &changed);
        let taken = place.read("b.html");
        fs::remove_file(place.path("b.html")).unwrap();
        let run = place.run(&["undo", "--force"]);
        run.complains(&["1 failed", "`linkglot undo --force 2"], 3);
        let undone = format!("{old}more");
        assert_eq!(place.read("a.html"), undone.as_bytes(), "{map}");
        let run = place.run(&["undo", "--force"]);
        run.complains(&["1 had it already, 1 failed"], 3);
        assert_eq!(place.read("a.html"), undone.as_bytes(), "{map}");
        place.write("b.html", &taken);
        let run = place.run(&["undo", "--force"]);
        run.complains(&["1 had it already"], 0);
        assert_eq!(place.read("a.html"), undone.as_bytes(), "{map}");
        assert_eq!(place.read("b.html"), old.as_bytes(), "{map}");
    }
}

/// A link at the very end of a file, where nothing tells the versions apart.
#[test]
fn a_forced_undo_does_not_guess() {
    let place = Place::new(&[("a.txt", "see http://a.example/")]);
    let map = "http://a.example/ http://a.example//";
    assert_eq!(place.run(&["rewrite", "--map", map, "-i", "."]).code, 0);
    place.write("a.txt", b"see http://a.example//more");
    place
        .run(&["undo", "--force"])
        .complains(&["nothing tells whether"], 2);
    assert_eq!(place.read("a.txt"), b"see http://a.example//more");
}

#[test]
fn a_journal_has_the_name_that_the_user_gives_it() {
    let place = place();
    let run = place.run(&["rewrite", "--to", "uri", "-i", "--journal", "j/run", "d"]);
    assert_eq!(run.code, 0, "{run:?}");
    let journal = fs::read_to_string(place.path("j/run")).expect("a journal");
    let lines: Vec<Value> = journal
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert_eq!(lines[3]["end"]["files"], 2);
    assert_eq!(place.run(&["undo", "j/run"]).code, 0);
    assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
    // A journal is never overwritten.
    let run = place.run(&["rewrite", "--to", "uri", "-i", "--journal", "j/run", "d"]);
    run.complains(&["cannot keep the journal `j/run`"], 2);
    assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
}

#[test]
fn runs_that_change_nothing_or_keep_no_journal() {
    let place = place();
    let run = place.run(&["rewrite", "--to", "uri", "-i", "d/b.html"]);
    assert!(run.code == 0 && !run.err.contains("undo"), "{run:?}");
    assert_eq!(
        place
            .run(&["rewrite", "--to", "uri", "-i", "--no-journal", "d"])
            .code,
        0
    );
    place.run(&["runs"]).prints("", 0);
    place
        .run(&["undo"])
        .complains(&["expected a run to undo in `", "found none"], 2);
    place
        .run(&["undo", "x"])
        .complains(&["`linkglot runs` lists all runs"], 2);
}

#[test]
fn runs_are_listed() {
    let place = place();
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 0);
    let text = place.run(&["runs"]).text();
    let row = text.lines().nth(1).expect("a row");
    let fields: Vec<&str> = row.split('\t').collect();
    assert_eq!(fields[1..3], ["ended", "2"], "{text}");
    assert_eq!(fields[4], "linkglot rewrite --to uri -i d");
    assert_eq!(place.run(&["undo"]).code, 0);
    assert!(place.run(&["runs"]).text().contains("\tundone\t"));
}

/// A run whose journal has no end was interrupted: the next run in the same tree reports it.
#[test]
fn an_interrupted_run_is_told_of() {
    let place = place();
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 0);
    let id = run_of(&place);
    let journal = place
        .state()
        .join("linkglot/runs")
        .join(&id)
        .with_extension("jsonl");
    let text = fs::read_to_string(&journal).expect("a journal");
    // The last record is cut off, too.
    let cut = text.rfind("{\"end\":").expect("an end") - 5;
    fs::write(&journal, &text[..cut]).expect("a journal");
    let run = place.run(&["rewrite", "--to", "uri", "-n", "d"]);
    assert!(
        !run.err.contains("interrupted"),
        "nothing is written: {run:?}"
    );
    let run = place.run(&["rewrite", "--to", "uri", "-i", "d"]);
    let words = format!("`linkglot undo {id}` undoes it");
    assert!(run.code == 0 && run.err.contains(&words), "{run:?}");
    // A killed run leaves its temporary files without a lock.
    place.write("d/e/.linkglot-0123456789abcdef.tmp", b"x");
    // The record that was cut off does not count: its file was not replaced.
    assert_eq!(place.run(&["undo", &id]).code, 0);
    assert_eq!(place.names("d"), ["a.html", "b.html", "c.html"]);
    let a = place.read("d/a.html") == PAGE.as_bytes();
    let c = place.read("d/c.html").ends_with(b"/\xD6>\xFF");
    assert!(a != c, "one of two files was recorded");
}

#[cfg(unix)]
#[test]
fn two_runs_at_once_are_refused() {
    let place = place();
    // A journal with a lock.
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 0);
    let id = run_of(&place);
    let path = place
        .state()
        .join("linkglot/runs")
        .join(&id)
        .with_extension("jsonl");
    let held = fs::File::open(path).expect("a journal");
    held.lock().expect("a lock");
    let run = place.run(&["rewrite", "--to", "iri", "-i", "d/a.html"]);
    run.complains(
        &[&format!("the run {id} works on"), "wait until it ends"],
        2,
    );
    place
        .run(&["undo", &id])
        .complains(&["is still running; wait until it ends"], 2);
    drop(held);
    assert_eq!(place.run(&["undo", &id]).code, 0);
}

#[test]
fn without_a_place_for_the_journal_nothing_is_written() {
    let place = place();
    place.write("file", b"");
    let state = place.path("file");
    let mut command = place.command(&["rewrite", "--to", "uri", "-i", "d"]);
    let output = command
        .env("XDG_STATE_HOME", &state)
        .output()
        .expect("a run");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(
        err.contains("cannot keep the journal") && err.contains("`--no-journal`"),
        "{err}"
    );
    assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
}

/// Old contents of files that get another charset are kept beside the journal, and removed by `undo`.
#[test]
fn files_that_got_another_charset_are_taken_back() {
    let place = place();
    let page = PAGE.repeat(9 << 20 >> 5);
    place.write("d/long.html", page.as_bytes());
    let args = ["rewrite", "--to-charset", "utf-16", "-i", "d"];
    assert_eq!(place.run(&args).code, 0);
    let kept = place
        .state()
        .join("linkglot/runs")
        .join(run_of(&place) + ".jsonl.d");
    let journal = kept.with_extension("");
    assert!(fs::metadata(&journal).expect("a journal").len() < 10_000);
    assert_eq!(fs::read_dir(&kept).expect("a directory").count(), 4);
    // A file of which the old content is kept whole cannot be undone after another change, not even by force.
    let changed = [place.read("d/b.html"), b"\n\0".to_vec()].concat();
    place.write("d/b.html", &changed);
    let run = place.run(&["undo", "--force"]);
    run.complains(
        &["d/b.html: the file changed after the run, and its old content is kept whole"],
        3,
    );
    assert_eq!(place.read("d/b.html"), changed);
    assert_eq!(place.read("d/long.html"), page.as_bytes());
    assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
    place.write("d/b.html", b"<a href=/b>");
    assert_eq!(place.run(&["undo"]).code, 0);
    assert!(!kept.exists());
}

/// The old content of a file with very many edits, which would not fit on a line of the journal, is kept whole; other
/// files have edits in the journal.
#[test]
fn files_with_very_many_edits_are_taken_back() {
    let place = place();
    let text = |count| "http://a.example/é\n".repeat(count);
    place.write("d/many.txt", text(50_001).as_bytes());
    place.write("d/most.txt", text(50_000).as_bytes());
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 0);
    let runs = place.state().join("linkglot/runs");
    let kept = runs.join(run_of(&place) + ".jsonl.d");
    assert_eq!(fs::read_dir(&kept).expect("a directory").count(), 1);
    assert_eq!(place.run(&["undo"]).code, 0);
    assert_eq!(place.read("d/many.txt"), text(50_001).as_bytes());
    assert_eq!(place.read("d/most.txt"), text(50_000).as_bytes());
    assert!(!kept.exists());
}

#[test]
fn records_are_small_and_readable() {
    let place = Place::new(&[("d/a.html", "<a href=/é>")]);
    place.write("d/b.html", b"<meta charset=koi8-r><a href=/\xC1>");
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 0);
    let path = format!("linkglot/runs/{}.jsonl", run_of(&place));
    let journal = fs::read_to_string(place.state().join(path)).expect("a journal");
    let record = journal.lines().find(|line| line.contains("d/a.html\","));
    let record = record.expect("a record");
    assert!(record.contains("\"path\":\"d/a.html\""), "{record}");
    assert!(
        record.contains("\"edits\":[[9,\"é\",\"%C3%A9\"]]"),
        "{record}"
    );
    assert!(record.len() < 180, "{record}");
    // Bytes that are not UTF-8 are kept, too.
    assert_eq!(place.run(&["undo"]).code, 0);
    assert!(place.read("d/b.html").ends_with(b"/\xC1>"));
}

#[cfg(unix)]
#[test]
fn other_names_are_taken_back() {
    use std::os::unix::fs::MetadataExt;
    let place = place();
    fs::create_dir(place.path("d/sub")).expect("a directory");
    for other in ["d/a2.html", "d/sub/x.html", "far.html"] {
        fs::hard_link(place.path("d/a.html"), place.path(other)).expect("a link");
    }
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 0);
    assert_ne!(place.read("d/sub/x.html"), PAGE.as_bytes());
    fs::hard_link(place.path("d/a.html"), place.path("new.html")).expect("a link");
    let run = place.run(&["undo"]);
    run.complains(
        &[
            "d/a.html: the file has other names (hard links) that the run did not find",
            "4 files of the run ",
        ],
        0,
    );
    let inode = |name: &str| fs::metadata(place.path(name)).expect("a file").ino();
    for other in ["d/a2.html", "d/sub/x.html"] {
        assert_eq!(place.read(other), PAGE.as_bytes());
        assert_eq!(inode(other), inode("d/a.html"));
    }
    assert_ne!(place.read("new.html"), PAGE.as_bytes());
}

/// A directory that was replaced by a symbolic link after the run leads nowhere, even if the files are the same.
#[cfg(unix)]
#[test]
fn undo_does_not_follow_symbolic_links() {
    for form in [&["--to", "uri"][..], &["--to-charset", "utf-16"]] {
        let place = Place::new(&[("d/sub/a.html", PAGE), ("d/b.html", PAGE)]);
        assert_eq!(place.run(&[&["rewrite", "-i", "d"], form].concat()).code, 0);
        let rewritten = place.read("d/sub/a.html");
        fs::rename(place.path("d/sub"), place.path("outside")).expect("a directory");
        let link = std::os::unix::fs::symlink;
        link("../outside", place.path("d/sub")).expect("a link");
        place.write("outside/.linkglot-0123456789abcdef.tmp", b"x");
        let run = place.run(&["undo"]);
        run.complains(
            &["d/sub/a.html: expected the file of the run, found a symbolic link on the way"],
            3,
        );
        assert_eq!(place.read("outside/a.html"), rewritten);
        assert_eq!(place.names("outside").len(), 2);
        assert_eq!(place.read("d/b.html"), PAGE.as_bytes());
        // The same for the file itself.
        fs::remove_file(place.path("d/sub")).expect("a link");
        fs::create_dir(place.path("d/sub")).expect("a directory");
        link("../../outside/a.html", place.path("d/sub/a.html")).expect("a link");
        place
            .run(&["undo"])
            .complains(&["found a symbolic link"], 3);
        assert_eq!(place.read("outside/a.html"), rewritten);
    }
}

/// A journal among the files of its run is not rewritten.
#[test]
fn journals_are_not_rewritten() {
    let place = place();
    let before = place.read("d/c.html");
    let args = [
        "rewrite",
        "--to-charset",
        "utf-16",
        "-i",
        "--journal",
        "d/run",
        "d",
    ];
    let run = place.run(&args);
    assert!(
        run.code == 0 && run.err.contains("1 journal or report"),
        "{run:?}"
    );
    let args = [
        "rewrite",
        "--map",
        "re:^/(.*)$ /x/$1",
        "-i",
        "--journal",
        "d/run2",
        "d",
    ];
    assert_eq!(place.run(&args).code, 0);
    assert_eq!(place.run(&["undo", "d/run2"]).code, 0);
    assert_eq!(place.run(&["undo", "d/run"]).code, 0);
    assert_eq!(place.read("d/c.html"), before);
    assert_eq!(
        place.names("d"),
        ["a.html", "b.html", "c.html", "run", "run2"]
    );

    // The directory of all journals may be among the files, too.
    let state = place.path("d/state");
    for args in [
        &["rewrite", "--to", "uri", "-i", "d"][..],
        &["undo"],
        &["rewrite", "--to-charset", "utf-16", "-i", "d"],
        &["undo"],
    ] {
        let mut command = place.command(args);
        let output = command.env("XDG_STATE_HOME", &state).output();
        let output = output.expect("a run");
        assert!(output.status.success(), "{output:?}");
    }
    assert_eq!(place.read("d/state/linkglot/journal.key").len(), 32);
    assert_eq!(place.read("d/c.html"), before);
}

/// A run in another directory is undone only by its name.
#[test]
fn undo_without_a_name_stays_here() {
    let place = Place::new(&[("a/a.html", "<a href=/é>"), ("b/b.html", "<a href=/é>")]);
    let run = |directory: &str, args: &[&str]| {
        let mut command = place.command(args);
        let output = command
            .current_dir(place.path(directory))
            .output()
            .expect("a run");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(run("a", &["rewrite", "--to", "uri", "-i", "."]).0, Some(0));
    let (code, message) = run("b", &["undo"]);
    assert_eq!(code, Some(2));
    assert!(message.contains("expected a run to undo in"), "{message}");
    let (code, message) = run("a", &["undo"]);
    assert_eq!(code, Some(0));
    assert!(message.contains("1 file of the run "), "{message}");
    assert_eq!(place.read("a/a.html"), "<a href=/é>".as_bytes());
}

/// The restored files are listed relative to the current directory, for other programs.
#[test]
fn undo_names_the_files_that_it_wrote() {
    let place = place();
    assert_eq!(
        place
            .run(&["rewrite", "--to", "uri", "-j1", "-i", "d"])
            .code,
        0
    );
    place.write("d/a.html", PAGE.as_bytes());
    let run = place.run(&["undo"]);
    assert_eq!((run.code, run.text().as_str()), (0, "d/c.html\n"));
    run.complains(&["1 file of the run", "1 had it already"], 0);
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 0);
    place.run(&["undo", "-q"]).prints("", 0);
    assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
    // From elsewhere, by the absolute path.
    assert_eq!(
        place
            .run(&["rewrite", "--to", "uri", "-i", "d/a.html"])
            .code,
        0
    );
    let mut command = place.command(&["undo", &run_of_last(&place)]);
    let output = command.current_dir(place.state()).output().expect("a run");
    let path = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        path.starts_with('/') && path.ends_with("/d/a.html\n"),
        "{path}"
    );
}

/// The name of the last run.
fn run_of_last(place: &Place) -> String {
    let runs = place.run(&["runs", "--json"]).objects();
    let last = runs.last().and_then(|run| run["run"].as_str());
    last.expect("a run").to_owned()
}

/// A file that cannot be written fails; the other files are restored, and passed over the next time.
#[cfg(unix)]
#[test]
fn undo_goes_on_where_it_failed() {
    let place = place();
    let page = PAGE.repeat(20_000);
    place.write("d/b.html", page.as_bytes());
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 0);
    let id = run_of(&place);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -f 64; exec \"$0\" undo -q"]);
    command.arg(assert_cmd::cargo::cargo_bin("linkglot"));
    command
        .current_dir(place.path(""))
        .env("XDG_STATE_HOME", place.state());
    let output = command.output().expect("a run");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{err}");
    for words in [
        "d/b.html: ",
        "2 files of the run",
        "1 failed",
        "1 file is not restored",
        &format!("`linkglot undo {id}` continues"),
    ] {
        assert!(err.contains(words), "{words}: {err}");
    }
    assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
    let run = place.run(&["undo"]);
    assert_eq!((run.code, run.text().as_str()), (0, "d/b.html\n"));
    run.complains(&["2 had it already"], 0);
    assert_eq!(place.read("d/b.html"), page.as_bytes());
}

/// A run of few edits with very many bytes keeps the old content whole: no line of the journal grows without bound.
#[test]
fn files_with_very_long_edits_are_taken_back() {
    let place = place();
    let page = format!("<a href=/{}>x</a>\n", "é".repeat(10_000)).repeat(100);
    place.write("d/a.html", page.as_bytes());
    let args = ["rewrite", "--to", "uri", "-i", "d/a.html"];
    assert_eq!(place.run(&args).code, 0);
    let runs = place.state().join("linkglot/runs");
    let kept = runs.join(run_of(&place) + ".jsonl.d");
    assert_eq!(fs::read_dir(&kept).expect("a directory").count(), 1);
    assert_eq!(place.run(&["undo"]).code, 0);
    assert!(place.read("d/a.html") == page.as_bytes());
}

/// File names may forge rows; objects are safe.
#[cfg(unix)]
#[test]
fn undo_tells_programs_what_it_did() {
    let place = Place::new(&[
        ("d/a\nb.html", PAGE),
        ("d/c.html", PAGE),
        ("d/z.html", PAGE),
    ]);
    assert_eq!(place.run(&["rewrite", "--to", "uri", "-i", "d"]).code, 0);
    let id = run_of(&place);
    place.write("d/c.html", b"<a href=/changed>");
    place.write("d/z.html", PAGE.as_bytes());
    let run = place.run(&["undo", "--json"]);
    let objects = run.objects();
    assert_eq!((objects.len(), run.code), (3, 3), "{run:?}");
    // Two threads record the files in any order.
    for (kind, name) in [("error", "d/c.html"), ("restored", "d/a\nb.html")] {
        let mut of_kind = objects.iter().filter(|object| object["type"] == kind);
        let path = of_kind.next().and_then(|object| object["path"].as_str());
        assert!(path.is_some_and(|path| path.ends_with(name)), "{run:?}");
    }
    let summary = serde_json::json!({
        "type": "summary", "run": id, "restored": 1, "unchanged": 1, "errors": 1
    });
    assert_eq!(objects[2], summary);
    place
        .run(&["undo", "--json", "-q"])
        .complains(&["cannot be used with"], 2);
}

/// Runs `rewrite -i --journal j.jsonl d` with a limit on the size of files, in blocks.
#[cfg(unix)]
fn journaled(place: &Place, blocks: u32) -> std::process::Output {
    let script = format!("ulimit -f {blocks}; exec \"$0\" rewrite --to uri -i --journal j.jsonl d");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &script]);
    command.arg(assert_cmd::cargo::cargo_bin("linkglot"));
    command
        .current_dir(place.path(""))
        .env("XDG_STATE_HOME", place.state());
    command.output().expect("a run")
}

/// On a full disk, a journal without its first line would block the next run.
#[cfg(unix)]
#[test]
fn a_journal_that_cannot_begin_leaves_no_file() {
    let place = place();
    let before = place.read("d/a.html");
    let output = journaled(&place, 0);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("cannot keep the journal `j.jsonl`"), "{err}");
    assert_eq!(place.names("."), ["d/a.html", "d/b.html", "d/c.html"]);
    assert_eq!(place.read("d/a.html"), before);
    let output = journaled(&place, 10_000);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_ne!(place.read("d/a.html"), before);
}

/// A run with `--journal FILE` is the last run, too: `undo` without a name must not undo an older one.
#[cfg(unix)]
#[test]
fn a_run_with_a_journal_elsewhere_is_found() {
    let place = place();
    let run = |args: &[&str]| place.run(&[&["rewrite", "--to", "uri", "-i"], args].concat());
    assert_eq!(run(&["d/c.html"]).code, 0);
    assert_eq!(run(&["--journal", "j/run", "d/a.html"]).code, 0);
    let runs = place.run(&["runs", "--json"]).objects();
    assert_eq!(runs.len(), 2, "{runs:?}");
    place.run(&["undo", "-q"]).prints("", 0);
    assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
    let runs = place.run(&["runs", "--json"]).objects();
    assert_eq!(
        (&runs[0]["state"], &runs[1]["state"]),
        (&"ended".into(), &"undone".into())
    );
    let id = runs[1]["run"].as_str().expect("a name");
    place
        .run(&["undo", id])
        .complains(&["was already undone"], 2);
    // A run that changes nothing leaves nothing, and a journal that was removed is no run.
    assert_eq!(run(&["--journal", "j/none", "d/b.html"]).code, 0);
    fs::remove_file(place.path("j/run")).unwrap();
    assert_eq!(place.names("j"), <[&str; 0]>::default());
    assert_eq!(place.run(&["runs", "--json"]).objects().len(), 1);
    assert_eq!(run(&["d/a.html"]).code, 0);
}

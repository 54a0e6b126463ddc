//! The user's own journals: recognized by their seals wherever they are, refused if somebody changed them.

use super::forgery::{PUBLIC, absolute, changes_nothing, file, header, pipe, run_in};
use super::support::Place;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

/// A place with a run of three files and the lines of its journal, `work/run.jsonl`.
fn own_run() -> (Place, Vec<String>) {
    let place = Place::new(&[]);
    let lines = again(&place, "run.jsonl");
    (place, lines)
}

fn again(place: &Place, journal: &str) -> Vec<String> {
    for name in ["a", "b", "c"] {
        let page = format!("<a href=/é>{name}</a>");
        place.write(&format!("work/d/{name}.html"), page.as_bytes());
    }
    let args = [
        "rewrite",
        "--to",
        "uri",
        "-j1",
        "-q",
        "-i",
        "--journal",
        journal,
        "d",
    ];
    let mut command = place.command_in_order(&args);
    command.current_dir(place.path("work")).assert().success();
    let text = place.read(&format!("work/{journal}"));
    let text = String::from_utf8(text).expect("text");
    text.split_inclusive('\n').map(str::to_owned).collect()
}

type Change = fn(&[String], &[String]) -> Vec<String>;

fn pick(lines: &[String], numbers: &[usize]) -> Vec<String> {
    numbers.iter().map(|&at| lines[at].clone()).collect()
}

fn edited(lines: &[String], at: usize, from: &str, to: &str) -> Vec<String> {
    let mut lines = lines.to_vec();
    assert!(lines[at].contains(from), "{}", lines[at]);
    lines[at] = lines[at].replacen(from, to, 1);
    lines
}

/// The line with another seal, or without a seal.
fn resealed(lines: &[String], at: usize, seal: &str) -> Vec<String> {
    let mut lines = lines.to_vec();
    let (body, _) = lines[at].split_once(",\"seal\"").expect("a seal");
    lines[at] = format!("{body}{seal}}}\n");
    lines
}

/// Changes to one's own journal, given its lines and the lines of another run.
const CHANGES: &[(&str, Change)] = &[
    ("a record cut out", |own, _| pick(own, &[0, 1, 3, 4])),
    ("the first record cut out", |own, _| {
        pick(own, &[0, 2, 3, 4])
    }),
    ("the last record cut out", |own, _| pick(own, &[0, 1, 2, 4])),
    ("all records cut out", |own, _| pick(own, &[0, 4])),
    ("a record twice", |own, _| pick(own, &[0, 1, 1, 2, 3, 4])),
    ("the last record twice", |own, _| {
        pick(own, &[0, 1, 2, 3, 3])
    }),
    ("records in another order", |own, _| {
        pick(own, &[0, 2, 1, 3, 4])
    }),
    ("the header twice", |own, _| pick(own, &[0, 0, 1, 2, 3, 4])),
    ("the end first", |own, _| pick(own, &[0, 4, 1, 2, 3])),
    ("the end twice", |own, _| pick(own, &[0, 1, 2, 3, 4, 4])),
    ("a record of another run", |own, other| {
        let mut lines = own.to_vec();
        lines[2] = other[2].clone();
        lines
    }),
    ("a record of another run behind all", |own, other| {
        [pick(own, &[0, 1, 2, 3]), pick(other, &[3])].concat()
    }),
    ("the header of another run", |own, other| {
        [pick(other, &[0]), pick(own, &[1, 2, 3, 4])].concat()
    }),
    ("another path", |own, _| {
        edited(own, 1, "d/a.html", "../outside/public")
    }),
    ("a path as long", |own, _| {
        edited(own, 1, "d/a.html", "d/c.html")
    }),
    ("another digest", |own, _| {
        edited(own, 2, "\"before\":\"", "\"before\":\"A")
    }),
    ("another old content", |own, _| {
        edited(own, 3, "\"é\"", "\"evil\"")
    }),
    ("a record without its seal", |own, _| resealed(own, 2, "")),
    ("a record with an empty seal", |own, _| {
        resealed(own, 2, ",\"seal\":\"\"")
    }),
    ("a record with a seal of zeros", |own, _| {
        resealed(own, 2, &format!(",\"seal\":\"{}\"", "A".repeat(22)))
    }),
    ("two seals", |own, _| {
        resealed(
            own,
            1,
            ",\"seal\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"seal\":\"AAAAAAAAAAAAAAAAAAAAAA\"",
        )
    }),
    ("a forged record behind all", |own, _| {
        [own.to_vec(), vec![format!("{}\n", file("d/a.html"))]].concat()
    }),
    ("a forged record in between", |own, _| {
        let mut lines = own.to_vec();
        lines.insert(2, format!("{}\n", file("../outside/public")));
        lines
    }),
    ("a forged end of an undo", |own, _| {
        [
            own.to_vec(),
            vec!["{\"undone\":{\"files\":3}}\n".to_owned()],
        ]
        .concat()
    }),
    ("garbage in the place of a record", |own, _| {
        let mut lines = own.to_vec();
        lines[2] = "\0".repeat(lines[2].len() - 1) + "\n";
        lines
    }),
    ("an empty line", |own, _| {
        let mut lines = own.to_vec();
        lines.insert(3, "\n".to_owned());
        lines
    }),
    ("a torn line in the middle", |own, _| {
        let mut lines = own.to_vec();
        lines[2] = lines[2][..20].to_owned() + "\n";
        lines
    }),
    ("Windows line ends", |own, _| {
        own.iter().map(|line| line.replace('\n', "\r\n")).collect()
    }),
];

#[test]
fn changed_journals_of_ones_own_are_refused() {
    let (place, own) = own_run();
    let other = again(&place, "other.jsonl");
    place.write("outside/public", PUBLIC.as_bytes());
    let rewritten = place.read("work/d/a.html");
    assert_eq!((own.len(), other.len()), (5, 5));
    for (what, change) in CHANGES {
        let changed: String = change(&own, &other).concat();
        place.write("work/run.jsonl", changed.as_bytes());
        let words = [
            "run.jsonl` was changed: expected the bytes that the run wrote at byte ",
            "--trust",
        ];
        // Without its line end, the header does not count.
        let words: &[&str] = match *what {
            "Windows line ends" => &["expected a journal"],
            _ => &words,
        };
        changes_nothing(&place, what, &["undo", "run.jsonl"], words);
        changes_nothing(&place, what, &["resume", "run.jsonl"], &[]);
        // With `--trust`, the journal leads nowhere else.
        run_in(&place, "work", &["undo", "--trust", "run.jsonl"]);
        assert_eq!(place.read("outside/public"), PUBLIC.as_bytes(), "{what}");
        assert_eq!(place.read("work/run.jsonl"), changed.as_bytes(), "{what}");
        for name in ["a", "b", "c"] {
            let page = String::from_utf8(rewritten.clone()).expect("text");
            let page = page.replace(">a<", &format!(">{name}<"));
            place.write(&format!("work/d/{name}.html"), page.as_bytes());
        }
    }
}

/// The file of a record.
fn path_of(line: &str) -> String {
    let record: serde_json::Value = serde_json::from_str(line).expect("a record");
    record["file"]["path"].as_str().expect("a path").to_owned()
}

/// A journal whose end is missing counts as that of an interrupted run.
#[test]
fn journals_that_end_early_are_taken_back() {
    for length in 0..=5 {
        for torn in [0, 1, 30] {
            let (place, own) = own_run();
            let mut text = own[..length.max(1)].concat();
            if let Some(next) = own.get(length.max(1)) {
                text += &next[..next.len() - 1 - torn];
            }
            place.write("work/run.jsonl", text.as_bytes());
            let ran = run_in(&place, "work", &["undo", "run.jsonl"]);
            assert_eq!(ran.code, 0, "{ran:?}");
            let whole = own.get(length.max(1)).map_or(3, |_| length.max(1) - 1);
            let restored: Vec<String> = ran.text().lines().map(str::to_owned).collect();
            // Files are recorded in the order in which they are finished.
            let records = own[1..=whole.min(3)].iter().rev();
            let expected: Vec<String> = records.map(|line| path_of(line)).collect();
            assert_eq!(restored, expected, "{length} {torn}");
            let ran = run_in(&place, "work", &["undo", "run.jsonl"]);
            ran.complains(&["was already undone"], 2);
        }
    }
}

/// Garbage that a file system leaves after the last record after a power cut.
#[test]
fn garbage_at_the_end_is_passed_over() {
    for garbage in [&b"\0\0\0\0"[..], b"\0\0\n\0\0\n", b"{\"file\":\n", b"\n\n"] {
        let (place, own) = own_run();
        let text = [own[..3].concat().as_bytes(), garbage].concat();
        place.write("work/run.jsonl", &text);
        let ran = run_in(&place, "work", &["undo", "run.jsonl"]);
        ran.complains(&["2 files of the run"], 0);
        run_in(&place, "work", &["undo", "run.jsonl"]).complains(&["was already undone"], 2);
    }
}

/// The key of another machine or user, or no key.
#[test]
fn keys_decide_whose_a_journal_is() {
    let key = |place: &Place| place.state().join("linkglot/journal.key");
    type Spoil = fn(&Path);
    let cases: &[(&str, Spoil, &[&str])] = &[
        (
            "no key",
            |key| fs::remove_file(key).expect("a key"),
            &["no run has made a key here"],
        ),
        (
            "the key of another machine",
            |key| fs::write(key, [7; 32]).expect("a key"),
            &["another user or another machine wrote it"],
        ),
        (
            "a key that others may read",
            |key| fs::set_permissions(key, PermissionsExt::from_mode(0o644)).expect("a mode"),
            &["journal.key`: expected mode 600, found 644", "chmod 600"],
        ),
        (
            "a short key",
            |key| fs::write(key, [7; 16]).expect("a key"),
            &["expected 32 random bytes, found fewer"],
        ),
        (
            "a key that is a symbolic link",
            |key| {
                fs::rename(key, key.with_extension("real")).expect("a key");
                symlink("journal.real", key).expect("a link");
            },
            &["journal.key`: "],
        ),
        (
            "a key that is a pipe",
            |key| {
                fs::remove_file(key).expect("a key");
                pipe(key);
            },
            &["expected a file, found a directory, a pipe or a device"],
        ),
    ];
    for (what, spoil, words) in cases {
        let (place, _) = own_run();
        let metadata = fs::metadata(key(&place)).expect("a key");
        assert_eq!((metadata.len(), metadata.mode() & 0o777), (32, 0o600));
        spoil(&key(&place));
        let refusal = [&["expected a journal of your own"], *words].concat();
        changes_nothing(&place, what, &["undo", "run.jsonl"], &refusal);
        changes_nothing(&place, what, &["resume", "run.jsonl"], &refusal);
        let is_spoiled = !matches!(*what, "no key" | "the key of another machine");
        if is_spoiled {
            let args = ["rewrite", "--to", "iri", "-i", "d"];
            let refusal = [&["cannot keep the journal"], *words].concat();
            changes_nothing(&place, what, &args, &refusal);
        }
        // With `--trust`, the run is undone, and the journal stays unchanged.
        let journal = place.read("work/run.jsonl");
        for restored in ["3 files", "0 files"] {
            let ran = run_in(&place, "work", &["undo", "--trust", "run.jsonl"]);
            ran.complains(&[restored], 0);
        }
        assert_eq!(place.read("work/run.jsonl"), journal);
    }
}

/// The journal that came with an archive is trusted in the directory of the archive.
#[test]
fn a_foreign_journal_is_taken_back_below_the_current_directory() {
    let (place, _) = own_run();
    fs::remove_file(place.state().join("linkglot/journal.key")).expect("a key");
    fs::rename(place.path("work"), place.path("moved")).expect("a directory");
    let ran = run_in(&place, "moved", &["undo", "--trust", "run.jsonl"]);
    // Two threads wrote the files in any order.
    let text = ran.text();
    let mut restored: Vec<&str> = text.lines().collect();
    restored.sort_unstable();
    assert_eq!(
        (ran.code, restored),
        (0, vec!["d/a.html", "d/b.html", "d/c.html"]),
        "{ran:?}"
    );
    assert_eq!(place.read("moved/d/a.html"), "<a href=/é>a</a>".as_bytes());
    // From above, the directory named by the journal counts, if it still exists.
    let (place, _) = own_run();
    fs::remove_file(place.state().join("linkglot/journal.key")).expect("a key");
    let ran = run_in(&place, "", &["undo", "--trust", "-q", "work/run.jsonl"]);
    ran.prints("", 0);
    assert_eq!(place.read("work/d/a.html"), "<a href=/é>a</a>".as_bytes());
}

/// The user's own journal may be moved: its run can be undone from anywhere.
#[test]
fn ones_own_journal_is_known_anywhere() {
    let (place, _) = own_run();
    fs::create_dir(place.path("elsewhere")).expect("a directory");
    fs::rename(place.path("work/run.jsonl"), place.path("elsewhere/x")).expect("a file");
    let ran = run_in(&place, "elsewhere", &["undo", "x"]);
    assert_eq!((ran.code, ran.text().lines().count()), (0, 3), "{ran:?}");
    assert_eq!(place.read("work/d/a.html"), "<a href=/é>a</a>".as_bytes());
}

/// A directory that only looks like the journal's directory of old contents is kept.
#[test]
fn directories_beside_a_journal_are_kept() {
    let place = Place::new(&[("conf.d/10", "mine"), ("a.html", "<a href=/b>")]);
    let args = [
        "rewrite",
        "--to",
        "uri",
        "-i",
        "--journal",
        "conf",
        "a.html",
    ];
    place.run(&args).complains(
        &[
            "cannot keep the journal `conf`",
            "conf.d`",
            "exists already",
        ],
        2,
    );
    assert_eq!(place.names(""), ["a.html", "conf.d/10"]);
    // A file that came later stays; the files of the run are removed.
    let place = Place::new(&[("a.html", "<a href=/é>")]);
    let args = [
        "rewrite",
        "--to-charset",
        "utf-16",
        "-i",
        "--journal",
        "conf",
        "a.html",
    ];
    assert_eq!(place.run(&args).code, 0);
    place.write("conf.d/mine", b"x");
    assert_eq!(place.run(&["undo", "conf"]).code, 0);
    assert_eq!(place.names(""), ["a.html", "conf", "conf.d/mine"]);
}

/// Without a place for the key, a journal that the user names has no seals, and the hint has `--trust`.
#[test]
fn without_a_place_for_the_key_journals_are_foreign() {
    let place = Place::new(&[("work/d/a.html", "<a href=/é>"), ("file", "")]);
    let run = |args: &[&str]| {
        let mut command = place.command(args);
        command
            .current_dir(place.path("work"))
            .env("XDG_STATE_HOME", place.path("file"));
        let output = command.output().expect("the command runs");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), err)
    };
    let (code, err) = run(&["rewrite", "--to", "uri", "-i", "--journal", "my run", "d"]);
    assert!(
        err.contains("`linkglot undo --trust 'my run'` restores the files"),
        "{err}"
    );
    assert_eq!(code, Some(0));
    assert_eq!(run(&["undo", "my run"]).0, Some(2));
    assert_eq!(run(&["undo", "--trust", "my run"]).0, Some(0));
    assert_eq!(place.read("work/d/a.html"), "<a href=/é>".as_bytes());
}

/// The hint names a journal by its path, and foreign journals in the common directory are listed as such.
#[test]
fn hints_and_lists_tell_whose_a_journal_is() {
    let place = Place::new(&[("a.html", "<a href=/é>")]);
    let run = place.run(&["rewrite", "--to", "uri", "-i", "--journal", "j", "a.html"]);
    run.complains(&["`linkglot undo j` restores the files"], 0);
    assert_eq!(
        place.run(&["rewrite", "--to", "iri", "-i", "a.html"]).code,
        0
    );
    let forged = format!("{}\n{}\n", header(&absolute(&place, "")), file("a.html"));
    let runs = place.state().join("linkglot/runs");
    fs::write(runs.join("20990101-000000-1.jsonl"), forged).expect("a file");
    let states: Vec<Value> = place.run(&["runs", "--json"]).objects();
    let states: Vec<&str> = states
        .iter()
        .filter_map(|run| run["state"].as_str())
        .collect();
    // The run with a journal elsewhere has an entry.
    let elsewhere = if cfg!(unix) { 1 } else { 0 };
    assert_eq!(states[elsewhere..], ["ended", "foreign"]);
    place
        .run(&["undo"])
        .complains(&["expected a journal of your own"], 2);
    place
        .run(&["resume"])
        .complains(&["`resume` runs the arguments"], 2);
}

//! Runs that are interrupted, and then resumed or undone.

use super::support::{Place, Ran};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::{Command, Stdio};

const FILES: usize = 150;
const PAGE: &str = "<p>é</p>\r\n<a href=/é>x</a> <a href='/b?é'>\n";

/// A rule that is not idempotent: a file that is rewritten twice contains `/x/x`.
const DEEPER: &[&str] = &["rewrite", "-i", "-j2", "--map", "re:^/(.*)$ /x/$1", "d"];
const TO_CHARSET: &[&str] = &["rewrite", "-i", "-j1", "--to-charset", "utf-16le", "d"];

fn name(number: usize) -> String {
    format!("d/{:02}/{number:03}.html", number / 20)
}

fn site() -> Place {
    let place = Place::new(&[]);
    for number in 0..FILES {
        let name = name(number);
        place.write(&name, format!("{PAGE}{number}").as_bytes());
        let file = fs::File::open(place.path(&name)).expect("a file");
        let mode = 0o600 | (number as u32 % 8);
        file.set_permissions(fs::Permissions::from_mode(mode))
            .expect("a mode");
        if number % 10 == 0 {
            let other = format!("d/{:02}/{number:03}-other.html", (number + 30) / 20);
            let directory = place.path(&other);
            fs::create_dir_all(directory.parent().expect("a parent")).expect("a directory");
            fs::hard_link(place.path(&name), place.path(&other)).expect("a link");
        }
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000 + number as u64);
        file.set_modified(time).expect("a time");
    }
    place
}

/// Content, mode, time and number of names of each file.
type Tree = BTreeMap<String, (Vec<u8>, u32, i64, u64)>;

fn tree(place: &Place) -> Tree {
    let names = place.names("d").into_iter();
    let with_file = |name: String| {
        let path = format!("d/{name}");
        let found = fs::metadata(place.path(&path)).expect("a file");
        let numbers = (found.mode(), found.mtime(), found.nlink());
        (name, (place.read(&path), numbers.0, numbers.1, numbers.2))
    };
    names.map(with_file).collect()
}

/// Runs the command until this file is changed, and kills it.
fn kill(place: &Place, args: &[&str], last: usize) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("linkglot"));
    command.current_dir(place.path("")).args(args);
    command.env("XDG_STATE_HOME", place.state());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (path, before) = (name(last), place.read(&name(last)));
    let mut child = command.spawn().expect("a run");
    while place.read(&path) == before && child.try_wait().expect("a state").is_none() {}
    child.kill().expect("a signal");
    child.wait().expect("an end");
}

/// The only run and its state.
fn run_of(place: &Place) -> (String, String) {
    let runs = place.run(&["runs", "--json"]).objects();
    assert_eq!(runs.len(), 1, "{runs:?}");
    let field = |field: &str| runs[0][field].as_str().expect("a text").to_owned();
    (field("run"), field("state"))
}

/// Kills runs at many moments. Runs that ended before do not count.
fn killed_runs(args: &[&str], each: impl Fn(&Place, &Tree)) {
    let mut interrupted = 0;
    for last in (0..FILES).step_by(29) {
        let place = site();
        let before = tree(&place);
        kill(&place, args, last);
        if run_of(&place).1 == "interrupted" {
            interrupted += 1;
            each(&place, &before);
        }
    }
    assert!(interrupted > 2, "{interrupted} runs were killed");
}

fn succeeds(run: &Ran) {
    assert_eq!(run.code, 0, "{run:?}");
}

#[test]
fn a_killed_run_is_resumed() {
    for args in [DEEPER, TO_CHARSET] {
        let whole = site();
        succeeds(&whole.run(args));
        let whole = tree(&whole);
        killed_runs(args, |place, before| {
            let run = place.run(&["resume"]);
            succeeds(&run);
            assert!(
                run.err.contains("rewritten before the run was interrupted"),
                "{run:?}"
            );
            assert_eq!(tree(place), whole);
            let (id, state) = run_of(place);
            assert_eq!(state, "ended");
            place
                .run(&["resume", &id])
                .complains(&["expected an interrupted run, found the finished run"], 2);
            // A single undo undoes the work of both.
            succeeds(&place.run(&["undo"]));
            assert_eq!(&tree(place), before);
            place
                .run(&["resume", &id])
                .complains(&["expected an interrupted run, found the undone run"], 2);
        });
    }
}

#[test]
fn a_killed_run_is_undone() {
    for args in [DEEPER, TO_CHARSET] {
        killed_runs(args, |place, before| {
            succeeds(&place.run(&["undo"]));
            assert_eq!(&tree(place), before);
            assert_eq!(run_of(place).1, "undone");
        });
    }
}

/// A run is killed again while it is resumed. On a busy machine it may end before.
#[test]
fn a_resumed_run_may_be_killed_too() {
    let whole = site();
    succeeds(&whole.run(DEEPER));
    let killed = || {
        let place = site();
        for last in [20, 60, 110] {
            let args = if last == 20 { DEEPER } else { &["resume"] };
            kill(&place, args, last);
        }
        place
    };
    let is_interrupted = |place: &Place| run_of(place).1 == "interrupted";
    let place = (0..10).map(|_| killed()).find(is_interrupted);
    let place = place.expect("a run that was killed three times");
    succeeds(&place.run(&["resume"]));
    assert_eq!(tree(&place), tree(&whole));
}

/// A journal left by a crash, of a run with one file after the other: without its last lines, the last line cut off.
fn interrupt(place: &Place, records: usize, is_cut: bool) -> String {
    let (id, _) = run_of(place);
    let path = place.state().join(format!("linkglot/runs/{id}.jsonl"));
    let text = fs::read_to_string(&path).expect("a journal");
    // The records are in the order of the files.
    let lines = text.split_inclusive('\n');
    let mut kept: String = lines.take(1 + records).collect();
    if is_cut {
        kept += "{\"file\":{\"path\":\"d/";
    }
    fs::write(&path, kept).expect("a journal");
    id
}

fn small() -> Place {
    Place::new(&[("d/a.html", PAGE), ("d/b.html", PAGE), ("d/c.html", PAGE)])
}

#[test]
fn files_that_changed_since_are_refused() {
    let place = small();
    let args = ["rewrite", "-i", "-j1", "--map", "re:^/(.*)$ /x/$1", "d"];
    succeeds(&place.run_in_order(&args));
    let id = interrupt(&place, 2, true);
    let done = place.read("d/a.html");
    // The record of this file was lost together with its new content.
    place.write("d/c.html", PAGE.as_bytes());
    place.write("d/b.html", b"<a href=/other>");
    let run = place.run(&["resume", &id]);
    run.complains(
        &[
            "d/b.html: the file changed after the run was interrupted",
            "1 file failed",
        ],
        3,
    );
    assert_eq!(place.read("d/a.html"), done);
    assert_eq!(place.read("d/b.html"), b"<a href=/other>");
    assert_eq!(place.read("d/c.html"), done);
}

/// The next run names both ways out, and temporary files are removed, also beside a single file.
#[test]
fn an_interrupted_run_is_told_of() {
    let place = small();
    succeeds(&place.run(&["rewrite", "-i", "--to", "uri", "d/a.html"]));
    let id = interrupt(&place, 1, false);
    let run = place.run(&["rewrite", "-i", "--to", "uri", "--no-journal", "d/b.html"]);
    assert!(!run.err.contains("interrupted"), "{run:?}");
    let run = place.run(&["rewrite", "-i", "--to", "uri", "d"]);
    let words = [
        &format!("`linkglot resume {id}` continues it") as &str,
        &format!("`linkglot undo {id}` undoes it"),
    ];
    run.complains(&words, 0);
    place.write("d/.linkglot-0123456789abcdef.tmp", b"x");
    succeeds(&place.run(&["resume"]));
    assert_eq!(place.names("d"), ["a.html", "b.html", "c.html"]);
    place.run(&["resume"]).complains(
        &["expected a run that was interrupted in `", "found none"],
        2,
    );
}

#[test]
fn what_options_read_must_not_change() {
    let map = "http://a.example/ http://b.example/\n";
    for (option, file, content) in [
        ("--map-file", "rules", map),
        ("--files-from", "list", "d/a.html\nd/b.html\n"),
        ("--vocabulary", "words", "p\ttitle\tsingle\trewrite\n"),
    ] {
        let place = small();
        place.write(file, content.as_bytes());
        let mut args = vec!["rewrite", "-i", "-j1", "--to", "uri", option, file];
        args.extend((option != "--files-from").then_some("d"));
        succeeds(&place.run_in_order(&args));
        let id = interrupt(&place, 1, false);
        place.write(file, format!("{content}\n").as_bytes());
        let run = place.run(&["resume"]);
        let words = [
            &format!("{file}: the file changed since the run began") as &str,
            &format!("`linkglot undo {id}`"),
        ];
        run.complains(&words, 2);
        place.write(file, content.as_bytes());
        succeeds(&place.run(&["resume"]));
    }
    let place = small();
    let args = ["rewrite", "-i", "-j1", "--to", "uri", "--files-from", "-"];
    succeeds(&place.pipe(&args, "d/a.html\nd/b.html\n"));
    interrupt(&place, 1, false);
    place
        .run(&["resume"])
        .complains(&["-: the run read a pipe"], 2);
}

/// The run continues in its own directory, with arguments that need not be Unicode.
#[test]
fn arguments_are_recorded_as_they_are() {
    use std::os::unix::ffi::OsStrExt;
    let place = small();
    let odd = std::ffi::OsStr::from_bytes(b"d/\xFF");
    fs::create_dir(place.path("").join(odd)).expect("a directory");
    let file = place.path("").join(odd).join("a.html");
    fs::write(&file, PAGE).expect("a file");
    let mut command = place.command(&["rewrite", "-i", "--to", "uri"]);
    succeeds_quietly(command.arg(odd));
    let rewritten = fs::read(&file).expect("a file");
    interrupt(&place, 0, true);
    fs::write(&file, PAGE).expect("a file");
    let (id, _) = run_of(&place);
    let mut command = place.command(&["resume", &id]);
    succeeds_quietly(command.current_dir("/"));
    assert_eq!(fs::read(&file).expect("a file"), rewritten);
    assert_eq!(place.read("d/a.html"), PAGE.as_bytes());
    succeeds(&place.run(&["undo"]));
    assert_eq!(fs::read(&file).expect("a file"), PAGE.as_bytes());
}

fn succeeds_quietly(command: &mut assert_cmd::Command) {
    let output = command.output().expect("a run");
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_journal_of_its_own_name_is_resumed() {
    let place = small();
    let args = [
        "rewrite",
        "-i",
        "-j1",
        "--to",
        "uri",
        "--journal",
        "j/run",
        "d",
    ];
    succeeds(&place.run_in_order(&args));
    let text = fs::read_to_string(place.path("j/run")).expect("a journal");
    let cut: String = text.split_inclusive('\n').take(2).collect();
    fs::write(place.path("j/run"), cut).expect("a journal");
    place.write("d/b.html", PAGE.as_bytes());
    succeeds(&place.run(&["resume", "j/run"]));
    assert_eq!(place.read("d/b.html"), place.read("d/a.html"));
    succeeds(&place.run(&["undo", "j/run"]));
    assert_eq!(place.read("d/b.html"), PAGE.as_bytes());
}

fn inode(place: &Place, name: &str) -> u64 {
    fs::metadata(place.path(name)).expect("a file").ino()
}

/// The first name of a file was replaced, and the run was killed before the others followed.
#[test]
fn other_names_follow_when_a_run_is_resumed() {
    for backup in [&[][..], &["--backup", "~"]] {
        let place = small();
        for other in ["d/a2.html", "d/z.html"] {
            fs::hard_link(place.path("d/a.html"), place.path(other)).expect("a link");
        }
        fs::hard_link(place.path("d/a.html"), place.path("old")).expect("a link");
        let args = ["rewrite", "-i", "-j1", "--map", "re:^/(.*)$ /x/$1", "d"];
        succeeds(&place.run_in_order(&[&args[..], backup].concat()));
        let rewritten = place.read("d/a.html");
        // Only the file and one other name were done.
        interrupt(&place, 2, false);
        for name in ["d/b.html", "d/c.html"] {
            place.write(name, PAGE.as_bytes());
            let _ = fs::remove_file(place.path(&format!("{name}~")));
        }
        fs::remove_file(place.path("d/z.html")).expect("a file");
        fs::hard_link(place.path("old"), place.path("d/z.html")).expect("a link");
        succeeds(&place.run(&["resume"]));
        for other in ["d/a2.html", "d/z.html"] {
            assert_eq!(place.read(other), rewritten);
            assert_eq!(inode(&place, other), inode(&place, "d/a.html"));
        }
        assert_eq!(place.read("d/b.html"), rewritten);
        succeeds(&place.run(&["undo"]));
        for other in ["d/a2.html", "d/z.html", "d/b.html"] {
            assert_eq!(place.read(other), PAGE.as_bytes());
        }
        assert_eq!(inode(&place, "d/z.html"), inode(&place, "d/a.html"));
        assert_eq!(inode(&place, "d/a2.html"), inode(&place, "d/a.html"));
    }
}

/// The run was killed before all names followed: the others are still names of the old file, beside its backup.
#[test]
fn other_names_stay_linked_when_a_run_is_undone() {
    for backup in [&[][..], &["--backup", "~"]] {
        for followed in [1, 2] {
            let place = small();
            for other in ["d/a2.html", "d/z.html"] {
                fs::hard_link(place.path("d/a.html"), place.path(other)).expect("a link");
            }
            fs::hard_link(place.path("d/a.html"), place.path("old")).expect("a link");
            let args = ["rewrite", "-i", "-j1", "--map", "re:^/(.*)$ /x/$1", "d"];
            succeeds(&place.run_in_order(&[&args[..], backup].concat()));
            interrupt(&place, followed, false);
            for other in ["d/a2.html", "d/z.html"].into_iter().skip(followed - 1) {
                fs::remove_file(place.path(other)).expect("a file");
                fs::hard_link(place.path("old"), place.path(other)).expect("a link");
            }
            // A copy with other times remains a separate file.
            place.write("d/copy.html", PAGE.as_bytes());
            succeeds(&place.run(&["undo"]));
            for other in ["d/a.html", "d/a2.html", "d/z.html"] {
                assert_eq!(place.read(other), PAGE.as_bytes());
                assert_eq!(inode(&place, other), inode(&place, "d/a.html"), "{other}");
            }
            assert_ne!(inode(&place, "d/copy.html"), inode(&place, "d/a.html"));
            if !backup.is_empty() {
                assert_ne!(inode(&place, "d/a.html~"), inode(&place, "d/a.html"));
            }
        }
    }
}

/// The journal reaches the limit of a file's length in the middle of a record.
#[test]
fn a_journal_that_cannot_be_written_any_more() {
    for then in ["resume", "undo"] {
        let whole = site();
        succeeds(&whole.run(DEEPER));
        let place = site();
        let before = tree(&place);
        let script = format!("ulimit -f 8; exec \"$0\" {} ", DEEPER[..3].join(" "));
        let mut command = Command::new("sh");
        command.args(["-c", &(script + "\"$@\"")]);
        command.arg(assert_cmd::cargo::cargo_bin("linkglot"));
        command.args(&DEEPER[3..]).current_dir(place.path(""));
        let output = command.env("XDG_STATE_HOME", place.state()).output();
        let output = output.expect("a run");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.contains("cannot keep the journal"), "{err}");
        assert_eq!(output.status.code(), Some(3), "{err}");
        assert_eq!(run_of(&place).1, "interrupted");
        let half = tree(&place);
        assert!(half != before && half != tree(&whole));
        succeeds(&place.run(&[then]));
        match then {
            "undo" => assert_eq!(tree(&place), before),
            _ => assert_eq!(tree(&place), tree(&whole)),
        }
    }
}

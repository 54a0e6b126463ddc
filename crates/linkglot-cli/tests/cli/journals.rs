//! Foreign journals: whatever they contain, no file outside is written, no content is read into place, no argument is
//! run, and the error gives the reason.

use super::forgery::{
    SECRET, absolute, changes_nothing, encoded, file, ground, header, kept, link, pipe, run_in,
    write,
};
use super::support::Place;
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;

const LEADS_ELSEWHERE: &str = "expected a path below `";
const SYMBOLIC: &str = "found a symbolic link on the way to it";

/// Paths, with words of the message about them.
fn paths(place: &Place) -> Vec<(String, &'static str)> {
    let outside = absolute(place, "outside/public");
    let long = "x/".repeat(3000) + "../../outside/public";
    let mut paths = vec![
        (outside.clone(), LEADS_ELSEWHERE),
        (format!("//{outside}"), LEADS_ELSEWHERE),
        (format!("/proc/self/cwd/{outside}"), LEADS_ELSEWHERE),
        (encoded(outside.as_bytes()), LEADS_ELSEWHERE),
        (encoded(b"\xFF/../../outside/public"), LEADS_ELSEWHERE),
        (encoded(b"../outside/public\0x"), LEADS_ELSEWHERE),
        (long, LEADS_ELSEWHERE),
    ];
    let fixed = [
        ("../outside/public", LEADS_ELSEWHERE),
        ("./../outside/public", LEADS_ELSEWHERE),
        ("d/../../outside/public", LEADS_ELSEWHERE),
        ("d/folder/../../outside/public", LEADS_ELSEWHERE),
        ("d/../d/public", LEADS_ELSEWHERE),
        ("../work/d/public", LEADS_ELSEWHERE),
        ("../outside/public/", LEADS_ELSEWHERE),
        ("..", LEADS_ELSEWHERE),
        ("d/..", LEADS_ELSEWHERE),
        ("", LEADS_ELSEWHERE),
        ("/", LEADS_ELSEWHERE),
        ("/etc/passwd", LEADS_ELSEWHERE),
        ("/dev/null", LEADS_ELSEWHERE),
        ("d/pub\u{0}lic", LEADS_ELSEWHERE),
        ("link", SYMBOLIC),
        ("absolute", SYMBOLIC),
        ("folder/public", SYMBOLIC),
        ("d/folder/public", SYMBOLIC),
        ("inner/public", SYMBOLIC),
        ("loop/public", SYMBOLIC),
        ("pipe", "found a special file"),
        ("d", "found a directory"),
        ("d/none", "d/none"),
    ];
    let fixed = fixed.map(|(path, words)| (path.to_owned(), words));
    paths.extend(fixed);
    paths
}

#[test]
fn forged_paths_lead_nowhere() {
    let place = ground();
    for (path, words) in paths(&place) {
        write(
            &place,
            &[header("."), file(&path), json!({"end": {"files": 1}})],
        );
        let refusal = ["expected a journal of your own, found `run.jsonl`: it has no seal"];
        changes_nothing(&place, &path, &["undo", "run.jsonl"], &refusal);
        changes_nothing(&place, &path, &["undo", "--trust", "run.jsonl"], &[words]);
        let args = ["undo", "--trust", "--force", "run.jsonl"];
        changes_nothing(&place, &path, &args, &[words]);
        for (path, first) in [(&*path, "d/evil"), ("d/public", &path)] {
            write(&place, &[header("."), link(path, first)]);
            changes_nothing(&place, path, &["undo", "--trust", "run.jsonl"], &[words]);
        }
    }
}

/// The directory that a foreign journal names counts only if the current directory is the same or above it.
#[test]
fn forged_directories_are_not_obeyed() {
    let place = ground();
    for directory in [
        "outside",
        "",
        "work/../outside",
        "outside/../outside",
        "work/d/../../outside",
    ] {
        for path in ["public", "outside/public"] {
            let directory = absolute(&place, directory);
            write(&place, &[header(&directory), file(path)]);
            let args = ["undo", "--trust", "run.jsonl"];
            changes_nothing(&place, &directory, &args, &[]);
        }
    }
    for (directory, words) in [
        ("/", "public: "),
        ("..", "public: "),
        ("/proc/self/root", "public: "),
    ] {
        write(&place, &[header(directory), file("public")]);
        changes_nothing(
            &place,
            directory,
            &["undo", "--trust", "run.jsonl"],
            &[words],
        );
    }
    // A symbolic link in the place of the directory.
    let directory = absolute(&place, "work/folder");
    write(&place, &[header(&directory), file("public")]);
    let words = ["the directory that the journal names"];
    changes_nothing(
        &place,
        &directory,
        &["undo", "--trust", "run.jsonl"],
        &words,
    );
}

#[test]
fn old_contents_come_from_beside_the_journal_only() {
    let outside = |place: &Place| absolute(place, "outside/secret");
    type Plant = fn(&Place);
    let directory: Plant =
        |place| fs::create_dir(place.path("work/run.jsonl.d")).expect("a directory");
    let cases: &[(&str, Plant, &str)] = &[
        ("1", |_| (), "run.jsonl.d`: "),
        ("1", directory, "run.jsonl.d/1`: "),
        (
            "../../outside/secret",
            directory,
            "expected the number of an old content",
        ),
        ("../d/secret", directory, "expected the number"),
        ("..", directory, "expected the number"),
        ("", directory, "expected the number"),
        ("1/../../d/secret", directory, "expected the number"),
        (
            "1",
            |place| symlink("../outside", place.path("work/run.jsonl.d")).expect("a link"),
            "found a symbolic link or a file",
        ),
        (
            "1",
            |place| fs::write(place.path("work/run.jsonl.d"), SECRET).expect("a file"),
            "found a symbolic link or a file",
        ),
        (
            "1",
            |place| {
                place.write("work/run.jsonl.d/2", b"");
                symlink("../../outside/secret", place.path("work/run.jsonl.d/1")).expect("a link");
            },
            "found a symbolic link",
        ),
        (
            "1",
            |place| {
                place.write("work/run.jsonl.d/2", b"");
                pipe(&place.path("work/run.jsonl.d/1"));
            },
            "found a directory, a pipe or a device",
        ),
        (
            "1",
            |place| fs::create_dir_all(place.path("work/run.jsonl.d/1")).expect("a directory"),
            "found a directory, a pipe or a device",
        ),
        (
            "1",
            |place| place.write("work/run.jsonl.d/1", b"other\n"),
            "does not restore the old content",
        ),
    ];
    for (number, (name, plant, words)) in cases.iter().enumerate() {
        let place = ground();
        plant(&place);
        write(&place, &[header("."), kept(name)]);
        let what = format!("case {number}, {name}");
        changes_nothing(&place, &what, &["undo", "run.jsonl"], &["your own"]);
        changes_nothing(&place, &what, &["undo", "--trust", "run.jsonl"], &[words]);
    }
    let place = ground();
    place.write("work/run.jsonl.d/1", b"");
    write(&place, &[header("."), kept(&outside(&place))]);
    changes_nothing(
        &place,
        "absolute",
        &["undo", "--trust", "run.jsonl"],
        &["the number"],
    );
}

/// Arguments in a foreign journal are never run, trusted or not.
#[test]
fn forged_arguments_are_not_run() {
    let place = ground();
    place.write("outside/a.html", "<a href=/é>".as_bytes());
    place.write("work/d/a.html", "<a href=/é>".as_bytes());
    let outside = absolute(&place, "outside");
    for arguments in [
        json!(["rewrite", "--to", "uri", "-i", "d"]),
        json!(["rewrite", "--to", "uri", "-i", outside]),
        json!([
            "rewrite",
            "--to",
            "uri",
            "-i",
            "--report",
            "../outside/x.html",
            "d"
        ]),
        json!([
            "rewrite",
            "--to",
            "uri",
            "-i",
            "--journal",
            "../outside/j",
            "d"
        ]),
        json!(["rewrite", "--to", "uri", "-i", "--backup", "~", "d"]),
        json!(["rewrite", "-i", "--map-file", "/etc/passwd", "d"]),
        json!(["rewrite", "--to", "uri", "-i", "--files-from", "pipe"]),
        json!(["rewrite", "--to", "uri", "--config", "/dev/zero", "-i", "d"]),
        json!(["undo", "--force"]),
    ] {
        for directory in [".", &*outside] {
            let mut head = header(directory);
            head["run"]["arguments"] = arguments.clone();
            write(&place, &[head]);
            let what = arguments.to_string();
            let words = [
                "`resume` runs the arguments",
                "it has no seal",
                "start the run anew",
            ];
            changes_nothing(&place, &what, &["resume", "run.jsonl"], &words);
            changes_nothing(
                &place,
                &what,
                &["resume", "--trust", "run.jsonl"],
                &["--trust"],
            );
            // `undo` does not read them either.
            let ran = run_in(&place, "work", &["undo", "--trust", "run.jsonl"]);
            assert_eq!((ran.code, ran.text().as_str()), (0, ""), "{ran:?}");
        }
    }
}

/// Files that are not journals, or that would take all memory or block forever.
#[test]
fn files_that_are_no_journals() {
    let good = format!("{}\n", header("."));
    let texts: Vec<(&str, Vec<u8>)> = vec![
        ("empty", Vec::new()),
        ("binary", b"\x7FELF\0\0".to_vec()),
        ("no header", format!("{}\n", file("d/public")).into_bytes()),
        ("two objects", good.replace("}}\n", "}}{}\n").into_bytes()),
        (
            "not UTF-8",
            good.replace("2026-01", "\u{FFFD}")
                .into_bytes()
                .into_iter()
                .map(|byte| if byte > 0x7F { 0xFF } else { byte })
                .collect(),
        ),
        ("deep", "[".repeat(1 << 20).into_bytes()),
        (
            "a number",
            good.replace("\"2026-01-01T00:00:00Z\"", "1").into_bytes(),
        ),
    ];
    let place = ground();
    for (what, text) in texts {
        place.write("work/run.jsonl", &text);
        let words = ["run.jsonl", "expected a journal"];
        for args in [
            &["undo", "run.jsonl"][..],
            &["undo", "--trust", "run.jsonl"],
            &["resume", "run.jsonl"],
        ] {
            changes_nothing(&place, what, args, &words);
        }
    }
    for id in [
        "",
        "../x",
        "a b",
        "x; rm -rf ~",
        "-rf",
        "a\u{1b}[2J",
        "x`id`",
        "é",
    ] {
        let mut head = header(".");
        head["run"]["id"] = id.into();
        write(&place, &[head]);
        let words = ["expected a journal, found a run with an invalid name"];
        changes_nothing(&place, id, &["undo", "--trust", "run.jsonl"], &words);
    }
    // An endless line that takes no space on the disk.
    write(&place, &[header(".")]);
    let long = fs::OpenOptions::new()
        .append(true)
        .open(place.path("work/run.jsonl"));
    long.and_then(|file| file.set_len(1 << 40))
        .expect("a sparse file");
    let args = ["undo", "--trust", "run.jsonl"];
    let ran = run_in(&place, "work", &args);
    ran.complains(
        &["expected lines of up to 64 MiB, found a longer one at byte"],
        2,
    );
    fs::remove_file(place.path("work/run.jsonl")).expect("a file");
    for (name, words) in [
        ("pipe", "found a directory, a pipe or a device in `pipe`"),
        ("d", "found a directory, a pipe or a device in `d`"),
        ("/dev/zero", "found a directory, a pipe or a device"),
        ("link", "found a symbolic link in `link`"),
        ("loop", "found a symbolic link in `loop`"),
    ] {
        for args in [["undo", name], ["resume", name]] {
            changes_nothing(&place, name, &args, &["expected a journal", words]);
        }
    }
}

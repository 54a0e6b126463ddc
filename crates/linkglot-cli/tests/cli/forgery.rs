//! Journals forged by an attacker, and checks that commands refuse them.

use super::support::{Place, Ran};
use linkglot_files::FileRecord;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The content that a forged journal claims as the run's: a content that any file could have.
pub const PUBLIC: &str = "public\n";

/// The content that the forged journal would restore.
pub const EVIL: &str = "evil\n";

pub const SECRET: &str = "secret\n";

/// A directory to work in, and one outside of it.
pub fn ground() -> Place {
    let place = Place::new(&[
        ("outside/public", PUBLIC),
        ("outside/secret", SECRET),
        ("work/d/public", PUBLIC),
        ("work/d/evil", EVIL),
        ("work/d/secret", SECRET),
    ]);
    for (target, link) in [
        ("../outside/public", "work/link"),
        ("../outside", "work/folder"),
        ("../../outside", "work/d/folder"),
        ("loop", "work/loop"),
        ("d", "work/inner"),
    ] {
        symlink(target, place.path(link)).expect("a link");
    }
    let absolute = absolute(&place, "outside/public");
    symlink(absolute, place.path("work/absolute")).expect("a link");
    pipe(&place.path("work/pipe"));
    place
}

pub fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("mkfifo").success());
}

pub fn absolute(place: &Place, name: &str) -> String {
    let top = place.path("").canonicalize().expect("a directory");
    top.join(name).to_string_lossy().into_owned()
}

/// For each name: the content, the pointee of a link, or the kind; and the inode.
pub fn snapshot(directory: &Path, found: &mut BTreeMap<PathBuf, (Vec<u8>, u64)>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let metadata = fs::symlink_metadata(&path).expect("a file");
        let content = match metadata.file_type() {
            kind if kind.is_symlink() => {
                let pointee = fs::read_link(&path).expect("a link");
                pointee.into_os_string().into_encoded_bytes()
            }
            kind if kind.is_file() => fs::read(&path).expect("a file"),
            kind => format!("{kind:?}").into_bytes(),
        };
        found.insert(path.clone(), (content, metadata.ino()));
        if metadata.is_dir() {
            snapshot(&path, found);
        }
    }
}

/// Runs the command in a directory below the place. A command that hangs fails the test.
pub fn run_in(place: &Place, directory: &str, args: &[&str]) -> Ran {
    let mut command = place.command(args);
    command.current_dir(place.path(directory));
    let output = command.timeout(Duration::from_secs(300)).output();
    let output = output.expect("the command runs");
    Ran {
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    }
}

/// Runs the command, and checks that it changes nothing, and that its message has these words.
#[track_caller]
pub fn changes_nothing(place: &Place, what: &str, args: &[&str], words: &[&str]) {
    let state = || {
        let mut found = BTreeMap::new();
        snapshot(&place.path(""), &mut found);
        snapshot(place.state(), &mut found);
        found
    };
    let before = state();
    let ran = run_in(place, "work", args);
    assert!(ran.code == 2, "{what}: {ran:?}");
    assert_eq!(ran.text(), "", "{what}");
    for word in words {
        assert!(ran.err.contains(word), "{what}: `{word}` is not in {ran:?}");
    }
    assert_eq!(state(), before, "{what}");
}

pub fn header(directory: &str) -> Value {
    let arguments = ["rewrite", "--to", "uri", "-i", "d", "../outside"];
    json!({"run": {"id": "20260101-000000-1", "started": "2026-01-01T00:00:00Z", "directory": directory,
        "arguments": arguments, "roots": [directory, "/"]}})
}

/// The digests of two contents, in the form of journals.
pub fn versions(before: &str, after: &str) -> Value {
    let record = FileRecord::new(
        Path::new("x"),
        (before.as_bytes(), after.as_bytes()),
        vec![],
    );
    serde_json::to_value(record).expect("an object")
}

/// A record that turns `PUBLIC` into `EVIL`.
pub fn file(path: &str) -> Value {
    let mut record = versions(EVIL, PUBLIC);
    record["path"] = path.into();
    record["edits"] = json!([[0, "evil", "public"]]);
    json!({ "file": record })
}

/// A record with an old content beside the journal.
pub fn kept(name: &str) -> Value {
    let mut record = versions(SECRET, PUBLIC);
    record["path"] = "d/public".into();
    record["kept"] = name.into();
    json!({ "file": record })
}

pub fn link(path: &str, first: &str) -> Value {
    let mut record = versions(EVIL, PUBLIC);
    record["path"] = path.into();
    record["first"] = first.into();
    json!({ "link": record })
}

pub fn write(place: &Place, lines: &[Value]) {
    let lines = lines.iter().map(|line| format!("{line}\n"));
    place.write("work/run.jsonl", lines.collect::<String>().as_bytes());
}

/// A path that is not text, in the form of journals.
pub fn encoded(path: &[u8]) -> String {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD_NO_PAD;
    format!("\0{}", STANDARD_NO_PAD.encode(path))
}

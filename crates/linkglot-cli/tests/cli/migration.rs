//! Checks that the page on a whole migration shows the real output, command by command, in one directory.

use crate::support::root;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The commands of the page, with their output.
fn examples(page: &str) -> Vec<(String, String)> {
    let blocks = page.split("```").skip(1).step_by(2);
    let blocks = blocks.filter_map(|block| block.strip_prefix("text\n"));
    let text: String = blocks.map(|block| format!("\n{block}")).collect();
    let examples = text.split("\n$ ").skip(1);
    let parts = examples.map(|example| example.split_once('\n').unwrap_or((example, "")));
    parts
        .map(|(command, printed)| (command.to_owned(), printed.trim_end().to_owned()))
        .collect()
}

/// The text without the parts that differ between runs: times, names of runs, directories.
fn lasting(text: &str, directory: &Path) -> String {
    let plain = text.replace(&directory.to_string_lossy().into_owned(), "/home/ann");
    let words = plain.split_inclusive([' ', '\n', '`', '\t']).map(|word| {
        let name = word.trim_end_matches([' ', '\n', '`', '\t']);
        let end = &word[name.len()..];
        let is_digit = |ch: char| ch.is_ascii_digit() || ch == '-';
        match name {
            _ if name.len() > 16 && name.starts_with("20") && name.chars().all(is_digit) => {
                format!("RUN{end}")
            }
            _ if name.contains('.') && name.parse::<f64>().is_ok() => format!("TIME{end}"),
            _ => word.to_owned(),
        }
    });
    words.collect::<String>().trim_end().to_owned()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}

#[test]
fn a_migration_from_begin_to_end() {
    let root = root();
    let place = tempfile::tempdir().unwrap();
    copy(&root.join("examples/migration"), place.path());
    let program = assert_cmd::cargo::cargo_bin!("linkglot").parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [program.to_owned()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).unwrap();
    let examples = examples(&fs::read_to_string(root.join("docs/migration.md")).unwrap());
    assert!(examples.len() >= 8);
    for (command, expected) in examples {
        let output = Command::new("sh")
            .args(["-c", &format!("({command}) 2>&1; echo \"exit $?\"")])
            .current_dir(place.path())
            .env("PATH", &path)
            .env("XDG_STATE_HOME", place.path().join("state"))
            .env("SOURCE_DATE_EPOCH", "1767225600")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let printed = printed.strip_suffix("exit 0\n").unwrap_or(&printed);
        assert_eq!(
            lasting(printed, place.path()),
            lasting(&expected, Path::new("/home/ann")),
            "{command}"
        );
    }
}

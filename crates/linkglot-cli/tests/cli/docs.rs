//! Checks the documentation: links lead somewhere, the files that it names exist, examples print the documented output.

use crate::support::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The pages for users and contributors, with their texts.
fn pages() -> Vec<(PathBuf, String)> {
    let names = [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ];
    let names = names.map(|name| root().join(name));
    let docs = fs::read_dir(root().join("docs")).expect("a directory");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    // Beside the pages are the parts of the site.
    let docs = docs.filter(|path| path.is_file());
    let pages = names.into_iter().chain(docs);
    pages
        .map(|page| {
            let text = fs::read_to_string(&page).expect("a page");
            (page, text)
        })
        .collect()
}

/// The text between each pair of marks.
fn between<'t>(text: &'t str, begin: &str, end: &str) -> Vec<&'t str> {
    let rest = text.split(begin).skip(1);
    rest.filter_map(|rest| Some(rest.split_once(end)?.0))
        .collect()
}

/// The text outside of code, and each piece of code in it.
fn prose_and_code(text: &str) -> (String, Vec<&str>) {
    let outside_blocks = text.split("```").step_by(2);
    let pieces: Vec<&str> = outside_blocks.flat_map(|text| text.split('`')).collect();
    let prose = pieces.iter().copied().step_by(2).collect();
    (prose, pieces.into_iter().skip(1).step_by(2).collect())
}

#[test]
fn links_between_pages_lead_somewhere() {
    for (page, text) in pages() {
        let (prose, _) = prose_and_code(&text);
        for link in between(&prose, "](", ")") {
            let path = link.split('#').next().unwrap_or_default();
            // The page on detection is shipped with the scanner's rules.
            if link.contains("://") || path.is_empty() || path.ends_with("detection.md") {
                continue;
            }
            let target = page.parent().expect("a directory").join(path);
            assert!(target.exists(), "{}: {link}", page.display());
        }
    }
}

#[test]
fn files_that_are_named_exist() {
    const FOLDERS: &[&str] = &[
        "src/", "crates/", "tests/", "corpora/", "rivals/", "docs/", ".ci/",
    ];
    for (page, text) in pages() {
        for name in prose_and_code(&text).1 {
            let name = name.split(": ").next().unwrap_or_default();
            let is_path = FOLDERS.iter().any(|folder| name.starts_with(folder));
            if is_path && !name.contains(['*', ' ']) {
                assert!(root().join(name).exists(), "{}: {name}", page.display());
            }
        }
    }
}

/// Each line of SECURITY.md names tests for its claim, as `FILE: TEST`.
#[test]
fn tests_that_hold_security_exist() {
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("the page");
    let mut tests = 0;
    for name in prose_and_code(&text).1 {
        let Some((file, test)) = name.split_once(".rs: ") else {
            continue;
        };
        let code = fs::read_to_string(root().join(format!("{file}.rs"))).expect(name);
        assert!(code.contains(&format!("fn {test}()")), "{name}");
        tests += 1;
    }
    assert!(tests > 30, "{tests}");
}

#[test]
#[cfg(unix)]
fn examples_print_what_the_pages_say() {
    let program = assert_cmd::cargo::cargo_bin!("linkglot");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path);
    let folder = program.parent().map(Path::to_owned);
    let path = std::env::join_paths(folder.into_iter().chain(folders)).expect("a path");
    let jq = Command::new("jq").arg("--version").output();
    let has_jq = jq.is_ok_and(|ran| ran.status.success());
    for (page, text) in pages() {
        for block in between(&text, "```console\n", "```") {
            for example in format!("\n{block}").split("\n$ ").skip(1) {
                let (command, expected) = example.split_once('\n').unwrap_or((example, ""));
                let expected = expected.trim_end_matches('\n');
                let writes = [" -i", "--in-place", " -O", "--output"];
                assert!(!writes.iter().any(|option| command.contains(option)));
                if command.contains("| jq ") && !has_jq {
                    continue;
                }
                let output = Command::new("sh")
                    .args(["-c", &format!("{command} 2>&1")])
                    .current_dir(root())
                    .env("PATH", &path)
                    .stdin(Stdio::null())
                    .output()
                    .expect("a shell");
                let printed = String::from_utf8_lossy(&output.stdout);
                let printed = printed.trim_end_matches('\n');
                assert_eq!(printed, expected, "{}: {command}", page.display());
            }
        }
    }
}

#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string(root().join("README.md")).expect("the readme");
    let words = readme.split_whitespace().count();
    assert!(words <= 1200, "{words} words");
}

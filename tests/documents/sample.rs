//! The promises over the labelled sample of running text in `tests/scan/sample`.

use crate::promises::{faults_of_all, keeps_promises};
use linkglot::format::Format;
use std::path::Path;

/// The text of a file, with its escapes resolved and without the marks around links.
fn text(file: &str) -> String {
    let mut lines = String::new();
    for line in file.lines().filter(|line| !line.starts_with("# ")) {
        let mut parts = line.split("\\u{");
        lines.push_str(parts.next().unwrap());
        for part in parts {
            let (hex, rest) = part.split_once('}').unwrap();
            lines.push(char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap());
            lines.push_str(rest);
        }
        lines.push('\n');
    }
    lines.replace(['⸠', '⸡'], "")
}

#[test]
fn the_sample_keeps_the_promises() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scan/sample");
    let entries = std::fs::read_dir(folder).unwrap();
    let paths: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .collect();
    assert!(paths.len() >= 25);
    let faults = faults_of_all(paths.len(), |i| {
        let text = text(&std::fs::read_to_string(&paths[i]).unwrap());
        let charsets = ["utf-8", "utf-16le", "gb18030", "windows-1251"];
        let kept = charsets
            .iter()
            .map(|charset| keeps_promises(&text, Format::Text, charset));
        kept.filter_map(|kept| {
            kept.err()
                .map(|why| format!("{}: {why}", paths[i].display()))
        })
        .collect()
    });
    assert!(faults.is_empty(), "{faults:#?}");
}

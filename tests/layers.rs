//! The house has floors: a room knows only the rooms on floors below it. Read from the paths in
//! the sources, so that a wall cannot move without somebody changing this table.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms and their floors. Rooms of a floor that is `Open` may know one another; those of a
/// `Walled` floor may not, but for the doors of [`DOORS`].
const FLOORS: &[(Floor, &[&str])] = &[
    (
        Floor::Open,
        &[
            "span", "error", "ascii", "report", "format", "vector", "machine",
        ],
    ),
    (Floor::Walled, &["charset", "iri"]),
    (Floor::Walled, &["scan", "markup"]),
    (Floor::Open, &["link", "document", "stream"]),
    (Floor::Walled, &["rewrite"]),
    (Floor::Walled, &["driver"]),
    (Floor::Open, &["cli", "main"]),
];

/// Rooms of one walled floor of which the first may know the second.
const DOORS: &[(&str, &str)] = &[("iri", "charset")];

/// Who may touch files, start threads, print.
const WITH_FILES: &[&str] = &["driver", "cli", "main"];
const WITH_PRINTING: &[&str] = &["cli", "main"];
const PRINTING: &[&str] = &["println!", "eprintln!", "print!", "eprint!", "dbg!"];

#[derive(Clone, Copy, PartialEq)]
enum Floor {
    Open,
    Walled,
}

/// One source file: its room and its code without comments, literals and tests.
struct Source {
    path: PathBuf,
    /// The module path, the room first; empty for `lib.rs`.
    module: Vec<String>,
    code: String,
}

impl Source {
    fn room(&self) -> Option<&str> {
        self.module.first().map(String::as_str)
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    collect(&root(), &mut files);
    files.sort();
    files.into_iter().filter_map(read).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable source folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            files.push(path);
        }
    }
}

fn read(path: PathBuf) -> Option<Source> {
    let inner = path.strip_prefix(root()).expect("below src");
    let mut module: Vec<String> = inner
        .with_extension("")
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    if module
        .last()
        .is_some_and(|last| last == "mod" || last == "lib")
    {
        module.pop();
    }
    if module
        .iter()
        .any(|part| part == "tests" || part.ends_with("_tests"))
    {
        return None;
    }
    let text = fs::read_to_string(&path).expect("a readable source");
    let code = without_tests(&bare_code(&text));
    Some(Source { path, module, code })
}

/// The code with comments and the content of literals blanked.
fn bare_code(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = literal_or_comment_end(&chars, at);
        if end > at {
            code.push(' ');
            at = end;
        } else {
            code.push(chars[at]);
            at += 1;
        }
    }
    code
}

/// Where the comment or literal that begins at `at` ends; `at` when none begins there.
fn literal_or_comment_end(chars: &[char], at: usize) -> usize {
    let next = chars.get(at + 1).copied().unwrap_or(' ');
    match (chars[at], next) {
        ('/', '/') => find(chars, at, |c| c == '\n'),
        ('/', '*') => block_comment_end(chars, at),
        ('"', _) => string_end(chars, at + 1),
        ('r', '"' | '#') if !is_word(chars, at) => raw_string_end(chars, at + 1).unwrap_or(at),
        ('\'', '\\') => find(chars, at + 3, |c| c == '\'') + 1,
        ('\'', _) if chars.get(at + 2) == Some(&'\'') => at + 3,
        _ => at,
    }
}

/// Whether the character before `at` belongs to a word that goes on there (`for"`, never `br"`).
fn is_word(chars: &[char], at: usize) -> bool {
    at > 0 && chars[at - 1] != 'b' && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_')
}

fn find(chars: &[char], from: usize, stop: impl Fn(char) -> bool) -> usize {
    (from..chars.len())
        .find(|&at| stop(chars[at]))
        .unwrap_or(chars.len())
}

fn block_comment_end(chars: &[char], start: usize) -> usize {
    let (mut depth, mut at) = (0, start);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) if depth == 1 => return at + 2,
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    at
}

fn string_end(chars: &[char], mut at: usize) -> usize {
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

fn raw_string_end(chars: &[char], after_r: usize) -> Option<usize> {
    let open = find(chars, after_r, |c| c != '#');
    let hashes = open - after_r;
    if chars.get(open) != Some(&'"') {
        return None;
    }
    (open + 1..chars.len())
        .find(|&at| {
            chars[at] == '"' && (1..=hashes).all(|behind| chars.get(at + behind) == Some(&'#'))
        })
        .map(|at| at + 1 + hashes)
}

/// The code up to its test module, which stands last (tests may read files and print).
fn without_tests(code: &str) -> String {
    let mut from = 0;
    while let Some(found) = code[from..].find("#[cfg(test)]") {
        let at = from + found;
        from = at + "#[cfg(test)]".len();
        let item = code[from..].trim_start();
        let inline = item
            .find(['{', ';'])
            .is_some_and(|end| item[end..].starts_with('{'));
        if item.starts_with("mod ") && inline {
            return code[..at].to_owned();
        }
    }
    code.to_owned()
}

/// The first names behind every `prefix` (`crate::`): one, or those of a group in braces.
fn names_behind(code: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        names.extend(first_names(code[at + prefix.len()..].trim_start()));
    }
    names
}

fn first_names(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        return vec![leading_name(path)];
    };
    let (mut depth, mut names, mut item) = (0, Vec::new(), String::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(leading_name(std::mem::take(&mut item).trim())),
            _ if depth == 0 => item.push(c),
            _ => {}
        }
    }
    names.push(leading_name(item.trim()));
    names.retain(|name| !name.is_empty());
    names
}

fn leading_name(path: &str) -> String {
    let path = path.trim_start_matches("r#");
    path.chars()
        .take_while(|&c| c.is_alphanumeric() || c == '_')
        .collect()
}

/// The rooms that a file names: by `crate::`, by `linkglot::` (the command line), or by as many
/// `super::` as lead to the root.
fn named_rooms(source: &Source) -> BTreeSet<String> {
    let mut rooms: BTreeSet<String> = names_behind(&source.code, "crate::").into_iter().collect();
    let known = |name: &String| floor_of(name).is_some();
    rooms.extend(
        names_behind(&source.code, "linkglot::")
            .into_iter()
            .filter(known),
    );
    let to_root = "super::".repeat(source.module.len());
    if !to_root.is_empty() {
        rooms.extend(
            names_behind(&source.code, &to_root)
                .into_iter()
                .filter(known),
        );
    }
    rooms
}

fn floor_of(room: &str) -> Option<usize> {
    FLOORS.iter().position(|(_, rooms)| rooms.contains(&room))
}

fn may_know(room: &str, other: &str) -> Result<(), &'static str> {
    let (Some(here), Some(there)) = (floor_of(room), floor_of(other)) else {
        return Err(
            "is on no floor: give it one in tests/layers.rs, or name the room, not its re-export",
        );
    };
    match here.cmp(&there) {
        _ if room == other => Ok(()),
        std::cmp::Ordering::Greater => Ok(()),
        std::cmp::Ordering::Equal if FLOORS[here].0 == Floor::Open => Ok(()),
        std::cmp::Ordering::Equal if DOORS.contains(&(room, other)) => Ok(()),
        std::cmp::Ordering::Equal => Err("is behind a wall of the same floor"),
        std::cmp::Ordering::Less => Err("is on a higher floor"),
    }
}

fn report(faults: &[String]) {
    assert!(
        faults.is_empty(),
        "the house has cracks:\n{}",
        faults.join("\n")
    );
}

#[test]
fn rooms_know_only_lower_floors() {
    let mut faults = Vec::new();
    for source in sources() {
        let Some(room) = source.room() else { continue };
        for other in named_rooms(&source) {
            if let Err(why) = may_know(room, &other) {
                faults.push(format!("{}: `{other}` {why}", source.path.display()));
            }
        }
    }
    report(&faults);
}

#[test]
fn every_room_has_a_floor() {
    let rooms: BTreeSet<String> = sources()
        .iter()
        .filter_map(|source| source.room().map(str::to_owned))
        .collect();
    assert!(rooms.len() >= 10, "the sources were not found: {rooms:?}");
    let homeless: Vec<String> = rooms
        .into_iter()
        .filter(|room| floor_of(room).is_none())
        .collect();
    report(&homeless);
}

#[test]
fn only_the_driver_and_the_command_line_touch_files_and_threads() {
    let mut faults = Vec::new();
    for source in sources() {
        if source.room().is_some_and(|room| WITH_FILES.contains(&room)) {
            continue;
        }
        let std = names_behind(&source.code, "std::");
        for name in ["fs", "thread", "process", "env"] {
            if std.iter().any(|found| found == name) {
                faults.push(format!("{}: std::{name}", source.path.display()));
            }
        }
        for door in ["rayon::", "memmap2::", "tempfile::", "ignore::"] {
            if !names_behind(&source.code, door).is_empty() {
                faults.push(format!("{}: {door}", source.path.display()));
            }
        }
    }
    report(&faults);
}

#[test]
fn only_the_command_line_prints() {
    let mut faults = Vec::new();
    for source in sources() {
        if source
            .room()
            .is_some_and(|room| WITH_PRINTING.contains(&room))
        {
            continue;
        }
        for macro_name in PRINTING {
            if source.code.contains(macro_name) {
                faults.push(format!("{}: {macro_name}", source.path.display()));
            }
        }
    }
    report(&faults);
}

#[test]
fn the_reader_of_sources_sees_paths_and_nothing_else() {
    let text = r##"
        // use crate::comment;
        /* use crate::block; /* crate::nested */ crate::after */
        const A: &str = "crate::string \" crate::still";
        const B: &str = r#"crate::raw " crate::raw"#;
        const C: char = '"'; const D: char = '\''; fn e<'a>(_: &'a crate::lifetime::T) {}
        use crate::{one::X, two::{Y, Z}, three};
        use $crate::four;
        #[cfg(test)]
        use crate::five;
        #[cfg(test)]
        mod tests { use crate::six; }
    "##;
    let code = without_tests(&bare_code(text));
    let names = names_behind(&code, "crate::");
    assert_eq!(names, ["lifetime", "one", "two", "three", "four", "five"]);
}

#[test]
fn walls_are_judged_as_drawn() {
    assert!(may_know("iri", "charset").is_ok());
    assert!(may_know("charset", "iri").is_err());
    assert!(may_know("scan", "markup").is_err());
    assert!(may_know("markup", "scan").is_err());
    assert!(may_know("markup", "link").is_err());
    assert!(may_know("document", "link").is_ok());
    assert!(may_know("rewrite", "driver").is_err());
    assert!(may_know("rewrite", "Link").is_err());
}

//! docutils is the oracle of reStructuredText: explicit links (embedded references, targets, images and their targets)
//! must be the same; each bare link that docutils finds must be found.
//!
//! Over the documents of the corpora, and over documents below the folder named by `LINKGLOT_RST`. Without docutils the
//! test is skipped with a message, except when such a folder is named.

use linkglot::PlaceKind;
use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot::link::Link;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The docutils name for the kind of place of a link.
fn kind_of(link: &Link<'_>) -> Option<&'static str> {
    let name = link.place().name.as_deref();
    match (link.place().kind, name) {
        (PlaceKind::Text, _) => Some("text"),
        (PlaceKind::Link, Some("image" | "figure")) => Some("image"),
        (PlaceKind::Link, Some("target")) => Some("target"),
        (PlaceKind::Link, Some("inline")) => Some("inline"),
        _ => None,
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && !path.is_symlink() {
            collect(&path, files);
        } else if [".rst", ".rest", ".rst.txt"]
            .iter()
            .any(|end| name.ends_with(end))
        {
            files.push(path);
        }
    }
}

fn has_docutils() -> bool {
    let mut python = Command::new("python3");
    python.args(["-c", "import docutils"]).stderr(Stdio::null());
    python.status().is_ok_and(|status| status.success())
}

/// The answer of docutils for each document.
fn asked(files: &[PathBuf]) -> Vec<serde_json::Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracles/rst_links.py");
    let mut python = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let names: Vec<String> = files
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let mut input = python.stdin.take().expect("a pipe");
    input
        .write_all(names.join("\n").as_bytes())
        .expect("it reads");
    drop(input);
    let output = python.wait_with_output().expect("it ends");
    assert!(output.status.success(), "the oracle failed");
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let parsed = lines.lines().map(serde_json::from_str);
    parsed.collect::<Result<_, _>>().expect("JSON")
}

/// Our links by kind.
fn own(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut settings = Settings::default();
    settings.format = Some(Format::Rst);
    settings.charset = Some(linkglot::Charset::UTF_8);
    let document = Document::new(text.as_bytes(), &settings);
    let mut own: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for link in document.links() {
        let implied = match link.implied() {
            Some("mailto") => "mailto:",
            _ => "",
        };
        if let Some(kind) = kind_of(&link) {
            own.entry(kind.to_owned())
                .or_default()
                .push(format!("{implied}{}", link.text()));
        }
    }
    own
}

/// The references that only one of the readings has.
fn faults(text: &str, theirs: &[(String, String)]) -> Vec<String> {
    let mut own = own(text);
    let mut faults = Vec::new();
    for (kind, reference) in theirs {
        // docutils leaves a space if a reference begins on the next line.
        let reference = reference.trim();
        let is_text = kind == "text";
        if reference.is_empty() || is_text && !is_sure(reference) {
            continue;
        }
        let kind = if kind == "option" { "target" } else { kind };
        let same = |own: &String| {
            if is_text {
                own.starts_with(reference) || reference.starts_with(own.as_str())
            } else {
                own == reference
            }
        };
        let list = own.entry(kind.to_owned()).or_default();
        match list.iter().position(same) {
            Some(at) => {
                list.remove(at);
            }
            None => faults.push(format!("missing: {kind} {reference}")),
        }
    }
    for (kind, rest) in own.iter().filter(|(kind, _)| *kind != "text") {
        faults.extend(rest.iter().map(|one| format!("too many: {kind} {one}")));
    }
    faults
}

/// True if we count a bare reference, too: docutils accepts `a:b` if `a` is the name of a scheme.
fn is_sure(reference: &str) -> bool {
    let rest = reference.strip_prefix("http://");
    let rest = rest.or_else(|| reference.strip_prefix("https://"));
    rest.is_some_and(|rest| !rest.is_empty())
}

#[test]
fn explicit_links_are_those_of_docutils() {
    let named = std::env::var_os("LINKGLOT_RST");
    if !has_docutils() {
        assert!(
            named.is_none(),
            "LINKGLOT_RST is set, but python3 has no docutils"
        );
        println!("skipped: python3 has no docutils");
        return;
    }
    let mut files = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora"),
        &mut files,
    );
    if let Some(folder) = named {
        let before = files.len();
        collect(Path::new(&folder), &mut files);
        assert!(files.len() > before, "LINKGLOT_RST has no documents");
    }
    files.retain(|path| fs::read(path).is_ok_and(|bytes| String::from_utf8(bytes).is_ok()));
    let (mut all, mut links, mut failed) = (Vec::new(), 0, 0);
    for (path, answer) in files.iter().zip(asked(&files)) {
        if !answer["error"].is_null() {
            failed += 1;
            continue;
        }
        let text = fs::read_to_string(path).expect("it was read before");
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let theirs: Vec<(String, String)> =
            serde_json::from_value(answer["links"].clone()).expect("pairs");
        links += theirs.len();
        let faults = faults(text, &theirs);
        all.extend(
            faults
                .iter()
                .map(|why| format!("{}: {why}", path.display())),
        );
    }
    println!(
        "{} documents with {links} links, {failed} that docutils cannot read",
        files.len()
    );
    assert!(
        all.is_empty(),
        "{} differences:\n{}",
        all.len(),
        all.join("\n")
    );
}

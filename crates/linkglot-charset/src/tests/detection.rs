//! The documents that chardet and uchardet test themselves with, detected without their declarations.
//!
//! LINKGLOT_SUITES names the folder that `.ci/suites` fills; without it nothing is measured.

use crate::{Certainty, Charset, DeclarationSyntax, EXTENDED_HEAD, sniff};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Number of documents that were detected when this was written. Fewer are an error.
const DETECTED: usize = 544;

/// The folder's name begins with the charset; the language may follow (`iso-8859-2-polish`).
fn by_folder(path: &Path) -> Option<Charset> {
    let folder = path.parent()?.file_name()?.to_str()?;
    let without_language = folder.rsplit_once('-').map_or(folder, |(label, _)| label);
    let label = match folder {
        "utf-8-sig" => "utf-8",
        _ if is_label(folder) => folder,
        _ => without_language,
    };
    of_label(label)
}

/// The file's name is the charset; the language is the folder's (`uchardet/test/pl/iso-8859-2.txt`).
fn by_name(path: &Path) -> Option<Charset> {
    let stem = path.file_stem()?.to_str()?;
    of_label(stem.split('.').next()?)
}

fn is_label(label: &str) -> bool {
    Charset::for_label(label).is_ok()
}

fn of_label(label: &str) -> Option<Charset> {
    let label = if label.eq_ignore_ascii_case("cp949") {
        "euc-kr"
    } else {
        label
    };
    Charset::for_label(label).ok()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
    {
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The folder of tests in the package `name`.
fn tests_of(suites: &Path, name: &str, folder: &str) -> PathBuf {
    let package = std::fs::read_dir(suites.join(name))
        .into_iter()
        .flatten()
        .flatten();
    let mut tests = package
        .map(|entry| entry.path().join(folder))
        .filter(|path| path.is_dir());
    tests
        .next()
        .unwrap_or_else(|| panic!("no tests of {name} below {suites:?}"))
}

/// The documents of chardet and uchardet with their charsets.
pub(super) fn documents_of_others(suites: &Path) -> Vec<(PathBuf, Charset)> {
    let by_folder = |path: PathBuf| by_folder(&path).map(|charset| (path, charset));
    let by_name = |path: PathBuf| by_name(&path).map(|charset| (path, charset));
    let chardet = files(&tests_of(suites, "chardet", "tests"));
    let uchardet = files(&tests_of(suites, "uchardet", "test"));
    let uchardet = uchardet.into_iter().filter_map(by_name);
    chardet
        .into_iter()
        .filter_map(by_folder)
        .chain(uchardet)
        .collect()
}

/// Number of documents of a charset, and the charsets that some were taken for wrongly.
#[derive(Default)]
struct Row {
    count: usize,
    unsure: usize,
    sure_and_wrong: usize,
    wrong: BTreeMap<&'static str, Vec<String>>,
}

#[test]
fn documents_of_other_detectors() {
    let Some(suites) = std::env::var_os("LINKGLOT_SUITES").map(PathBuf::from) else {
        eprintln!("skipped: LINKGLOT_SUITES is not set");
        return;
    };
    let mut rows = BTreeMap::<&str, Row>::new();
    for (path, expected) in documents_of_others(&suites) {
        let bytes = std::fs::read(&path).expect("a readable file");
        let row = rows.entry(expected.name()).or_default();
        row.count += 1;
        let head = &bytes[..bytes.len().min(EXTENDED_HEAD)];
        let found = sniff(
            head,
            head.len() == bytes.len(),
            DeclarationSyntax::Nowhere,
            None,
            None,
        );
        row.unsure += usize::from(found.certainty == Certainty::Unsure);
        let text = &bytes[found.bom_len..];
        // "UTF-16" and "UTF-32" name both orders of bytes, which a mark tells apart, or the name's ending.
        let is_marked = found.bom_len > 0 && expected.name().starts_with("UTF-");
        let is_other_order = path.extension().is_some_and(|order| order == "be");
        if is_marked || is_other_order && found.charset.name().ends_with("BE") {
            continue;
        }
        // Charsets that read the document alike are both right.
        if found.charset != expected && found.charset.decode(text) != expected.decode(text) {
            row.sure_and_wrong += usize::from(found.certainty == Certainty::Sure);
            let name = path
                .strip_prefix(&suites)
                .unwrap_or(&path)
                .display()
                .to_string();
            row.wrong
                .entry(found.charset.name())
                .or_default()
                .push(name);
        }
    }
    let (table, right, count) = table(&rows);
    let sure_and_wrong = rows.values().map(|row| row.sure_and_wrong).sum::<usize>();
    let unsure = rows.values().map(|row| row.unsure).sum::<usize>();
    eprintln!(
        "{table}{right} of {count} detected, {unsure} unsure, {sure_and_wrong} sure and wrong"
    );
    assert!(
        right >= DETECTED,
        "{right} of {count} detected, but {DETECTED} were"
    );
    assert_eq!(sure_and_wrong, 0, "sure and wrong\n{table}");
}

fn table(rows: &BTreeMap<&str, Row>) -> (String, usize, usize) {
    let (mut table, mut all_right, mut all) = (String::new(), 0, 0);
    for (charset, row) in rows {
        let right = row.count - row.wrong.values().map(Vec::len).sum::<usize>();
        (all_right, all) = (all_right + right, all + row.count);
        _ = writeln!(table, "{charset}: {right} of {}", row.count);
        for (found, paths) in &row.wrong {
            for path in paths {
                _ = writeln!(table, "    {found}: {path}");
            }
        }
    }
    (table, all_right, all)
}

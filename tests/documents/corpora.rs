//! Every document of the corpora: the links that its author put into it, and the promises P1 to P7.
//!
//! `LINKGLOT_CORPUS=FOLDER` also checks the promises for every document below a folder (such as `corpora/fetched`), or
//! for every other one with `LINKGLOT_HALF=0` or `1`.

use crate::promises::transcode::{Became, transcoded};
use crate::promises::{
    PROMISES, Promise, Subject, faults_of_all, idempotent, identity, nfc, only_slots, refound,
};
use linkglot::document::{Document, Settings};
use linkglot::format::Format;
use linkglot::rewrite::Form;
use linkglot::{Charset, CharsetFrom};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The extensions of documents that fetched folders are searched for.
const EXTENSIONS: &[&str] = &[
    "html", "htm", "xhtml", "xml", "svg", "css", "txt", "rss", "atom", "page", "opf", "ncx", "xsl",
    "md", "rst", "eml", "mbox", "mht", "ics", "vcf", "vcs", "json", "jsonl", "geojson", "sql",
    "js", "mjs", "cjs", "jsx", "ts", "tsx", "toml", "tex", "sty", "bib", "wiki", "adoc", "org",
    "csv", "tsv", "tab",
];

/// A row of the manifest.
struct Row {
    path: String,
    format: String,
    charset: String,
    charset_from: String,
    links: usize,
    digest: String,
}

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora")
}

fn rows() -> Vec<Row> {
    let manifest = fs::read_to_string(corpora().join("manifest.tsv")).expect("a manifest");
    let rows = manifest.lines().skip(1).map(row);
    rows.filter(|row| cfg!(feature = "markdown") || row.format != "markdown")
        .collect()
}

fn row(line: &str) -> Row {
    let fields: Vec<&str> = line.split('\t').collect();
    assert_eq!(
        fields.len(),
        8,
        "a row of the manifest has 8 fields: {line}"
    );
    Row {
        path: fields[0].to_owned(),
        format: fields[1].to_owned(),
        charset: fields[2].to_owned(),
        charset_from: fields[3].to_owned(),
        links: fields[4].parse().expect("a number of links"),
        digest: fields[5].to_owned(),
    }
}

impl Row {
    fn subject(&self) -> Subject {
        let mut settings = Settings::default();
        settings.name = Some(self.path.clone());
        if self.charset_from == "caller" {
            settings.charset = Some(Charset::for_label(&self.charset).expect("a charset"));
        }
        Subject {
            name: self.path.clone(),
            bytes: fs::read(corpora().join(&self.path)).expect("a document"),
            settings,
        }
    }

    fn expected(&self) -> String {
        let list = corpora()
            .join("expected")
            .join(format!("{}.links", self.path));
        fs::read_to_string(list).expect("a list of links")
    }
}

/// 64-bit FNV-1a, in hexadecimal.
fn digest(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

fn from_name(from: CharsetFrom) -> &'static str {
    match from {
        CharsetFrom::Bom => "bom",
        CharsetFrom::Caller => "caller",
        CharsetFrom::Declaration => "declaration",
        CharsetFrom::Detection => "detection",
        CharsetFrom::Default => "default",
        _ => "else",
    }
}

fn answer(subject: &Subject) -> String {
    Document::new(&subject.bytes, &subject.settings)
        .links()
        .map(|link| format!("{}\t{}\n", link.place().kind.name(), nfc(link.text())))
        .collect()
}

/// The lines that only one list has: `-` for missing lines, `+` for extra lines.
fn difference(expected: &str, actual: &str) -> String {
    similar_lines(&lines(expected), &lines(actual))
        .into_iter()
        .map(|line| format!("    {}\n", line.chars().take(200).collect::<String>()))
        .collect()
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// A plain line diff: lists here are short.
fn similar_lines(expected: &[&str], actual: &[&str]) -> Vec<String> {
    let (e, a) = (expected.len(), actual.len());
    let mut common = vec![vec![0_usize; a + 1]; e + 1];
    for i in (0..e).rev() {
        for j in (0..a).rev() {
            common[i][j] = if expected[i] == actual[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut diff) = (0, 0, Vec::new());
    while i < e || j < a {
        if i < e && j < a && expected[i] == actual[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == a || (i < e && common[i + 1][j] >= common[i][j + 1]) {
            diff.push(format!("-{}", expected[i]));
            i += 1;
        } else {
            diff.push(format!("+{}", actual[j]));
            j += 1;
        }
    }
    diff
}

fn faults_of(row: &Row) -> Option<String> {
    let subject = row.subject();
    let document = Document::new(&subject.bytes, &subject.settings);
    let info = document.info();
    let found = (
        info.format.name(),
        info.charset.name(),
        from_name(info.charset_from),
    );
    let wanted = (
        row.format.as_str(),
        row.charset.as_str(),
        row.charset_from.as_str(),
    );
    let mut faults = String::new();
    if found != wanted {
        faults += &format!("    read as {found:?}, expected {wanted:?}\n");
    }
    faults += &difference(&row.expected(), &answer(&subject));
    (!faults.is_empty()).then(|| format!("{}\n{faults}", row.path))
}

#[test]
fn the_manifest_and_the_lists_agree() {
    let mut faults = Vec::new();
    for row in rows() {
        let expected = row.expected();
        let (count, sum) = (expected.lines().count(), digest(&expected));
        if (count, &sum) != (row.links, &row.digest) {
            faults.push(format!(
                "{}: its list has {count} links, digest {sum}",
                row.path
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_document_is_in_the_manifest() {
    let mut files = Vec::new();
    collect(&corpora(), &mut files);
    let listed: Vec<PathBuf> = rows().iter().map(|row| corpora().join(&row.path)).collect();
    let own = ["README.md", "fetch.sh", "reencode.py", "manifest.tsv"];
    let strange: Vec<&PathBuf> = files
        .iter()
        .filter(|file| !listed.contains(file))
        .filter(|file| !file.starts_with(corpora().join("expected")))
        .filter(|file| !file.starts_with(corpora().join("fetched")))
        .filter(|file| cfg!(feature = "markdown") || file.extension().is_none_or(|e| e != "md"))
        .filter(|file| !own.iter().any(|name| **file == corpora().join(name)))
        .collect();
    assert!(strange.is_empty(), "not in the manifest: {strange:?}");
}

#[test]
fn the_corpora_are_wide() {
    let manifest = fs::read_to_string(corpora().join("manifest.tsv")).expect("a manifest");
    let column = |at: usize| {
        let mut values: Vec<&str> = manifest
            .lines()
            .skip(1)
            .filter_map(|line| line.split('\t').nth(at))
            .collect();
        values.sort_unstable();
        values.dedup();
        values.len()
    };
    assert!(column(0) >= 48 && column(6) >= 14 && column(2) >= 22 && column(1) == 16);
}

#[test]
fn every_document_has_the_links_that_its_author_put_in() {
    let faults: Vec<String> = rows().iter().filter_map(faults_of).collect();
    assert!(
        faults.is_empty(),
        "{} documents are read otherwise (- missing, + too many):\n{}",
        faults.len(),
        faults.join("\n")
    );
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_symlink() {
            continue;
        } else if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// The documents of the folder in `LINKGLOT_CORPUS`, each read when needed.
fn fetched() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("LINKGLOT_CORPUS") else {
        return Vec::new();
    };
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.retain(|path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
    });
    assert!(!files.is_empty(), "LINKGLOT_CORPUS has no documents");
    let half = std::env::var("LINKGLOT_HALF").ok();
    let Some(half) = half.map(|half| half.parse().expect("0 or 1")) else {
        return files;
    };
    files.into_iter().skip(half).step_by(2).collect()
}

fn fetched_subject(path: &Path) -> Option<Subject> {
    let mut settings = Settings::default();
    // Sphinx stores its sources under such names.
    let name = path.to_string_lossy().replace(".rst.txt", ".rst");
    settings.name = Some(name);
    Some(Subject {
        name: path.display().to_string(),
        bytes: fs::read(path).ok()?,
        settings,
    })
}

/// Checks a promise for all documents, on all cores, and names every document that breaks it.
fn keep(promise: Promise) {
    let (rows, fetched) = (rows(), fetched());
    let faults = faults_of_all(rows.len() + fetched.len(), |at| {
        let subject = match at.checked_sub(rows.len()) {
            None => Some(rows[at].subject()),
            Some(at) => fetched_subject(&fetched[at]),
        };
        let why = subject.and_then(|subject| {
            let why = promise(&subject).err()?;
            Some(format!("{}: {why}", subject.name))
        });
        why.into_iter().collect()
    });
    let shown = &faults[..faults.len().min(60)];
    assert!(
        faults.is_empty(),
        "{} of {} documents break the promise:\n{}",
        faults.len(),
        rows.len() + fetched.len(),
        shown.join("\n")
    );
}

#[test]
fn p1_identity() {
    keep(crate::promises::identity);
}

#[test]
fn p2_only_slots() {
    keep(crate::promises::only_slots);
}

#[test]
fn p3_refound() {
    keep(crate::promises::refound);
}

#[test]
fn p4_same_target() {
    keep(crate::promises::same_target);
}

#[test]
fn p5_idempotent() {
    keep(crate::promises::idempotent);
}

#[test]
fn p6_one_answer() {
    keep(crate::promises::chunks::one_answer);
}

#[test]
fn p6_sound_part() {
    keep(crate::promises::chunks::sound_part);
}

#[test]
fn p9_certain() {
    keep(crate::promises::certain::certain);
}

/// Each document in some other charsets: narrow, wide, with states, without ASCII.
#[test]
fn documents_get_other_charsets() {
    const LABELS: [&str; 13] = [
        "utf-8",
        "windows-1252",
        "koi8-r",
        "gbk",
        "iso-2022-jp",
        "utf-16le",
        "ibm850",
        "windows-1258",
        "utf-32be",
        "ibm037",
        "iso646-de",
        "tscii",
        "iso-2022-jp-2",
    ];
    let charsets = LABELS.map(|label| Charset::for_label(label).expect("a charset"));
    let (mut written, mut faults) = (0, Vec::new());
    for row in rows() {
        let subject = row.subject();
        for to in charsets {
            for form in [Form::Same, Form::Uri, Form::Iri] {
                match transcoded(&subject, to, form) {
                    Ok(became) => written += usize::from(became == Became::Written),
                    Err(why) => faults.push(format!("{} {to:?} {form:?}: {why}", row.path)),
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(written > 1000, "only {written} documents were written");
}

#[test]
fn forms_are_written() {
    let mut left = 0;
    for row in rows() {
        let subject = row.subject();
        assert_eq!(
            crate::promises::forms_are_written(&subject),
            Ok(()),
            "{}",
            row.path
        );
        let form = linkglot::rewrite::Form::Uri;
        let result = crate::promises::rewritten(&subject.bytes, &subject.settings, form);
        left += result
            .decided
            .iter()
            .filter(|one| one.new.is_none())
            .count();
    }
    assert!(left > 5, "only {left} links are left");
}

/// The document of a row in another charset, which the caller names; `None` if that charset cannot hold it.
fn reencoded(text: &str, like: &Subject, format: Format, charset: Charset) -> Option<Subject> {
    let mut bytes = Vec::new();
    charset.encode(text, &mut bytes).ok()?;
    let mut settings = like.settings.clone();
    settings.charset = Some(charset);
    settings.format = Some(format);
    Some(Subject {
        name: format!("{} in {}", like.name, charset.name()),
        bytes,
        settings,
    })
}

#[test]
fn every_document_in_every_charset_that_can_hold_it() {
    let (rows, charsets): (Vec<Row>, Vec<Charset>) = (rows(), Charset::all().collect());
    let (held, used) = (AtomicUsize::new(0), Mutex::new(BTreeSet::new()));
    let faults = faults_of_all(rows.len(), |at| {
        let original = rows[at].subject();
        let info = Document::new(&original.bytes, &original.settings)
            .info()
            .clone();
        if info.format.is_mail() {
            // Each part of a message has a charset of its own, and all are supersets of ASCII.
            return Vec::new();
        }
        if matches!(info.format, Format::Calendar | Format::VCard) {
            // Folds are made between octets of UTF-8, and may cut a character.
            return Vec::new();
        }
        let text = info.charset.decode(&original.bytes);
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
        let links = answer(&original);
        let mut faults = Vec::new();
        for &charset in &charsets {
            let Some(subject) = reencoded(text, &original, info.format, charset) else {
                continue;
            };
            held.fetch_add(1, Ordering::Relaxed);
            used.lock().expect("no panic").insert(charset.name());
            let others = difference(&links, &answer(&subject));
            faults.extend((!others.is_empty()).then(|| format!("{}:\n{others}", subject.name)));
            for promise in [identity, only_slots, refound, idempotent] {
                let why = promise(&subject).err();
                faults.extend(why.map(|why| format!("{}: {why}", subject.name)));
            }
        }
        faults
    });
    let shown = faults[..faults.len().min(60)].join("\n");
    assert!(faults.is_empty(), "{} faults:\n{shown}", faults.len());
    let (held, used) = (held.into_inner(), used.into_inner().expect("no panic"));
    assert!(held > 2000, "only {held} documents");
    // Even "replacement" holds an empty document.
    assert_eq!(used.len(), charsets.len(), "{used:?}");
}

/// A rewriter that changes nothing would easily keep the promises.
#[test]
fn rewriting_changes_what_it_can() {
    let (mut beyond, mut left, mut documents) = (0_usize, Vec::new(), 0_usize);
    for row in rows() {
        let subject = row.subject();
        let result = crate::promises::rewritten(
            &subject.bytes,
            &subject.settings,
            linkglot::rewrite::Form::Uri,
        );
        documents += usize::from(result.changed > 0);
        // Links that are not fetched stay by the specification: they count on neither side.
        let stays =
            |notes: &[&str]| notes.contains(&"left-not-fetched") || notes.contains(&"left-signed");
        for one in result
            .decided
            .iter()
            .filter(|one| !one.link.text.is_ascii() && !stays(&one.notes))
        {
            beyond += 1;
            if !one.new.as_deref().is_some_and(str::is_ascii) {
                left.push(format!("{}: `{}` {:?}", row.path, one.link.text, one.notes));
            }
        }
    }
    assert!(documents >= 60, "only {documents} documents were changed");
    assert!(beyond >= 250, "only {beyond} links beyond ASCII were seen");
    assert!(
        left.len() * 20 <= beyond,
        "{} of {beyond} links were left:\n{}",
        left.len(),
        left.join("\n")
    );
}

/// Every promise must be checked by a test.
#[test]
fn every_promise_has_a_test() {
    let source = include_str!("corpora.rs");
    for (name, _) in PROMISES {
        let number = name.split(' ').next().unwrap_or(name).to_lowercase();
        assert!(source.contains(&format!("fn {number}_")), "{name}");
    }
}

//! Precision and recall on the labelled sample in `sample/`: lines that were written for it as people write chats,
//! mail, code, logs, tables and prose, with each link marked as a reader of the line would take it.
//!
//! The figures must be those of `sample/record.tsv`, where the evidence of a link that is not found is the least that
//! its form has. LINKGLOT_RECORD=1 writes the file anew, unless a figure has fallen.

use crate::cases::{Case, cases, marked};
use linkglot_scan::{Evidence, Hit, Kind, Scanner};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const HEADER: &str = "of\tmarked\tfound\tright\tprecision\trecall";

/// The counts behind precision and recall.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Count {
    marked: usize,
    found: usize,
    /// Links found from exactly the first character to the last.
    right: usize,
}

impl Count {
    fn precision(self) -> f64 {
        100.0 * self.right as f64 / self.found.max(1) as f64
    }

    fn recall(self) -> f64 {
        100.0 * self.right as f64 / self.marked.max(1) as f64
    }

    /// True if the scanner was better before. Figures of another sample cannot be compared.
    fn fell_from(self, before: Count) -> bool {
        let same_sample = self.marked == before.marked;
        same_sample && (self.precision() < before.precision() || self.recall() < before.recall())
    }
}

/// Counts by kind, by evidence and by language.
type Record = BTreeMap<String, Count>;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scan/sample")
}

/// The texts of the sample, by language.
fn sample() -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder()).unwrap();
    let texts = entries.map(|entry| entry.unwrap().path());
    let mut texts: Vec<_> = texts
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .map(|path| {
            let language = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (language, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    texts.sort();
    texts
}

/// The kind of a link by how it is written.
fn kind_of(link: &str) -> Kind {
    let scheme = link.split([':', '/', '?', '#']).next().unwrap_or("");
    let has_scheme = link[scheme.len()..].starts_with(':') && !scheme.contains(['.', '@']);
    match link {
        _ if has_scheme => Kind::Absolute,
        _ if link.contains('@') && !link.contains('/') => Kind::Email,
        _ => Kind::Domain,
    }
}

/// The least evidence that a link has by how it is written.
fn evidence_of(link: &str) -> Evidence {
    match kind_of(link) {
        Kind::Absolute => Evidence::Scheme,
        Kind::Email => Evidence::Address,
        Kind::Domain if link.to_ascii_lowercase().starts_with("www.") => Evidence::Www,
        Kind::Domain if link.contains(['/', '?', '#', ':']) => Evidence::Path,
        _ => Evidence::Name,
    }
}

fn count(scanner: &Scanner, language: &str, case: &Case, record: &mut Record) {
    let hits: Vec<Hit> = scanner.links(&case.text).collect();
    let mut add = |of: String, change: fn(&mut Count)| change(record.entry(of).or_default());
    let mut add_to = |kind: Kind, evidence: Evidence, change: fn(&mut Count)| {
        add(format!("kind {kind:?}"), change);
        add(format!("evidence {evidence:?}"), change);
        add(format!("language {language}"), change);
    };
    for hit in &hits {
        let (kind, evidence) = (hit.kind, hit.evidence);
        add_to(kind, evidence, |count| count.found += 1);
        if case.links.contains(&(hit.span.start, hit.span.end)) {
            add_to(kind, evidence, |count| count.right += 1);
        }
    }
    for &(start, end) in &case.links {
        let found = hits
            .iter()
            .find(|h| (h.span.start, h.span.end) == (start, end));
        let link = &case.text[start..end];
        let kind = found.map_or_else(|| kind_of(link), |hit| hit.kind);
        let evidence = found.map_or_else(|| evidence_of(link), |hit| hit.evidence);
        add_to(kind, evidence, |count| count.marked += 1);
    }
}

fn written(record: &Record) -> String {
    let mut out = format!("{HEADER}\n");
    for (of, count) in record {
        let Count {
            marked,
            found,
            right,
        } = count;
        let (precision, recall) = (count.precision(), count.recall());
        out += &format!("{of}\t{marked}\t{found}\t{right}\t{precision:.2}\t{recall:.2}\n");
    }
    out
}

fn read(file: &str) -> Record {
    let rows = file.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |i: usize| fields[i].parse().unwrap();
        let count = Count {
            marked: number(1),
            found: number(2),
            right: number(3),
        };
        (fields[0].to_owned(), count)
    });
    rows.collect()
}

#[test]
fn figures_are_those_of_the_record() {
    let (scanner, mut record, mut differences) = (Scanner::default(), Record::new(), String::new());
    for (language, text) in sample() {
        for case in cases(&text) {
            count(&scanner, &language, &case, &mut record);
            let got = marked(&scanner, &case.text);
            if got != case.line {
                differences += &format!("\n{language} want {}\n    got {got}", case.line);
            }
        }
    }
    let path = folder().join("record.tsv");
    let before = read(&std::fs::read_to_string(&path).unwrap_or_default());
    let fell: Vec<&String> = before
        .iter()
        .filter(|(of, before)| record.get(*of).is_some_and(|now| now.fell_from(**before)))
        .map(|(of, _)| of)
        .collect();
    assert!(
        fell.is_empty(),
        "fell: {fell:?}\n{}{differences}",
        written(&record)
    );
    if std::env::var_os("LINKGLOT_RECORD").is_some() {
        std::fs::write(&path, written(&record)).unwrap();
    } else {
        let how = "LINKGLOT_RECORD=1 writes the record anew";
        assert_eq!(record, before, "{how}\n{}{differences}", written(&record));
    }
    eprintln!("{}{differences}", written(&record));
}

#[test]
fn the_sample_is_large_and_various() {
    let (mut lines, mut links, mut without) = (0, 0, 0);
    let sample = sample();
    assert!(sample.len() >= 25, "{}", sample.len());
    let mut seen = std::collections::HashSet::new();
    for (language, text) in &sample {
        let cases: Vec<Case> = cases(text).collect();
        assert!(cases.len() >= 60, "{language}: {}", cases.len());
        lines += cases.len();
        for case in cases {
            links += case.links.len();
            without += usize::from(case.links.is_empty());
            assert!(seen.insert(case.text), "twice: {language} {}", case.line);
        }
    }
    eprintln!("{lines} lines, {links} links, {without} lines without a link");
    assert!(
        lines >= 2000 && links >= 1000 && without >= 500,
        "{lines} {links} {without}"
    );
}

#[test]
fn a_lower_figure_of_the_same_sample_has_fallen() {
    let before = Count {
        marked: 10,
        found: 10,
        right: 9,
    };
    assert!(Count { right: 8, ..before }.fell_from(before));
    assert!(
        Count {
            found: 11,
            ..before
        }
        .fell_from(before)
    );
    assert!(
        !Count {
            right: 10,
            ..before
        }
        .fell_from(before)
    );
    assert!(
        !Count {
            marked: 12,
            found: 12,
            right: 9
        }
        .fell_from(before)
    );
}

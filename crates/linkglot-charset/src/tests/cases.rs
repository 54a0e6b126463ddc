//! Measures detection on the cases that `detection_cases.py` wrote: LINKGLOT_CASES names the file.
//!
//! Each line has a group, a shape, a charset, the bytes in hexadecimal and the text.

use crate::{Certainty, Charset, DeclarationSyntax, sniff};
use std::collections::BTreeMap;

#[derive(Default)]
struct Row {
    right: usize,
    unsure: usize,
    wrong: usize,
    unsure_right: usize,
}

#[test]
fn cases_of_packages() {
    let Some(path) = std::env::var_os("LINKGLOT_CASES") else {
        return;
    };
    let cases = std::fs::read_to_string(path).expect("the cases");
    let mut rows = BTreeMap::<(String, String), Row>::new();
    let mut lost = String::new();
    for line in cases.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [group, shape, label, syntax, bytes, lang] = fields[..] else {
            panic!("{line}");
        };
        let bytes: Vec<u8> = (0..bytes.len() / 2)
            .map(|at| u8::from_str_radix(&bytes[2 * at..2 * at + 2], 16).unwrap())
            .collect();
        let charset = Charset::for_label(label).unwrap_or(Charset::REPLACEMENT);
        let syntax = if syntax == "html" {
            DeclarationSyntax::Html
        } else {
            DeclarationSyntax::Nowhere
        };
        let found = sniff(&bytes, true, syntax, None, None);
        let is_right =
            found.charset == charset || found.charset.decode(&bytes) == charset.decode(&bytes);
        for key in [
            (group, shape),
            (group, "all"),
            ("all", shape),
            ("all", "all"),
        ] {
            let row = rows
                .entry((key.0.to_owned(), key.1.to_owned()))
                .or_default();
            match (found.certainty, is_right) {
                (Certainty::Sure, true) => row.right += 1,
                (Certainty::Sure, false) => row.wrong += 1,
                (Certainty::Unsure, _) => {
                    row.unsure += 1;
                    row.unsure_right += usize::from(is_right);
                }
            }
        }
        if found.certainty == Certainty::Unsure || !is_right {
            let posterior = crate::posterior::Posterior::new(&bytes);
            let margin = posterior.margin;
            let what = if found.certainty == Certainty::Sure {
                "WRONG"
            } else {
                "unsure"
            };
            lost += &format!(
                "{what}\t{lang}\t{group}\t{shape}\t{}\t{}\t{margin}\t{:?}\t{:?}\n",
                charset.name(),
                found.charset.name(),
                charset.decode(&bytes),
                found.charset.decode(&bytes)
            );
        }
    }
    for ((group, shape), row) in rows {
        let all = row.right + row.unsure + row.wrong;
        eprintln!(
            "{group:28}{shape:10}{all:8} right {:6.2}% unsure {:6.2}% (right {}) wrong {}",
            100.0 * row.right as f64 / all as f64,
            100.0 * row.unsure as f64 / all as f64,
            row.unsure_right,
            row.wrong
        );
    }
    if let Some(path) = std::env::var_os("LINKGLOT_LOST") {
        std::fs::write(path, lost).unwrap();
    }
}

#[test]
fn timing() {
    if std::env::var_os("TIMING").is_none() {
        return;
    }
    let start = std::time::Instant::now();
    crate::posterior::Posterior::new(b"caf\xE9");
    eprintln!("TIME first {:?}", start.elapsed());
    let start = std::time::Instant::now();
    for _ in 0..100 {
        crate::posterior::Posterior::new(b"caf\xE9");
    }
    eprintln!("TIME tiny {:?}", start.elapsed() / 100);
    let suites = std::path::PathBuf::from(std::env::var_os("LINKGLOT_SUITES").unwrap());
    let docs: Vec<Vec<u8>> = super::detection::documents_of_others(&suites)
        .into_iter()
        .map(|(path, _)| std::fs::read(path).unwrap())
        .collect();
    let mut times = Vec::new();
    let mut size = 0;
    for doc in &docs {
        let head = &doc[..doc.len().min(crate::EXTENDED_HEAD)];
        let start = std::time::Instant::now();
        crate::posterior::Posterior::new(head);
        times.push((start.elapsed(), doc.len()));
        size += head.len();
    }
    times.sort();
    let all: std::time::Duration = times.iter().map(|t| t.0).sum();
    eprintln!(
        "TIME all {:?} of {} documents, {size} bytes; median {:?}, most {:?}",
        all,
        docs.len(),
        times[docs.len() / 2],
        times.last()
    );
}

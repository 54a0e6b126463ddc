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
        let syntax = if syntax == "html" { DeclarationSyntax::Html } else { DeclarationSyntax::Nowhere };
        let found = sniff(&bytes, true, syntax, None, None);
        let is_right = found.charset == charset || found.charset.decode(&bytes) == charset.decode(&bytes);
        for key in [(group, shape), (group, "all"), ("all", shape), ("all", "all")] {
            let row = rows.entry((key.0.to_owned(), key.1.to_owned())).or_default();
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
            let rival = posterior.rival.0.map_or("unknown", |charset| charset.name());
            let margin = posterior.rival.1 - posterior.best.1.min(posterior.rival.1);
            let what = if found.certainty == Certainty::Sure { "WRONG" } else { "unsure" };
            lost += &format!(
                "{what}\t{lang}\t{group}\t{shape}\t{}\t{}\t{rival}\t{margin}\t{:?}\t{:?}\n",
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
fn trace() {
    let Some(path) = std::env::var_os("TRACE") else {
        return;
    };
    for path in path.to_str().unwrap().split(':') {
        let bytes = std::fs::read(path).unwrap();
        eprintln!("TRACE {path}");
        crate::posterior::Posterior::new(&bytes);
        let mut row = 0;
        let evidence = crate::evidence::Evidence::new(&bytes);
        for run in evidence.runs.iter().take(12) {
            row += 1;
            eprintln!("TRACE   {row} {}", Charset::WINDOWS_1252.decode(&bytes[run.clone()]));
        }
        eprintln!("TRACE words {:?}", evidence.words.iter().take(20).map(|word| String::from_utf8_lossy(word)).collect::<Vec<_>>());
    }
}

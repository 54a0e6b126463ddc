//! Each link of `contexts.txt` in each context: at least 97 of 100 are found from the first character to the last, and
//! the others are named there with their reason.

use crate::cases::unescaped;
use linkglot_scan::Scanner;
use std::collections::BTreeSet;

const FILE: &str = include_str!("contexts.txt");

/// The lines of a part of the file.
fn part(name: &str) -> Vec<&'static str> {
    let parts = FILE.split("\n## ");
    let mut parts = parts.filter_map(|part| part.split_once('\n'));
    let (_, body) = parts.find(|(title, _)| *title == name).unwrap();
    body.lines().filter(|line| !line.is_empty()).collect()
}

/// True if the link alone is found in its place, and nothing else is found.
fn is_found(scanner: &Scanner, context: &str, link: &str) -> bool {
    let (before, after) = context.split_once("⸠⸡").unwrap();
    let (before, after) = (unescaped(before), unescaped(after));
    let text = format!("{before}{link}{after}");
    let found: Vec<_> = scanner
        .links(&text)
        .map(|hit| (hit.span.start, hit.span.end))
        .collect();
    found == [(before.len(), before.len() + link.len())]
}

#[test]
fn nearly_all_links_are_found_in_all_contexts() {
    let (contexts, links) = (part("contexts"), part("links"));
    let (scanner, mut missed) = (Scanner::default(), BTreeSet::new());
    for &context in &contexts {
        for &link in &links {
            if !is_found(&scanner, context, link) {
                missed.insert((context, link));
            }
        }
    }
    let mut named = BTreeSet::new();
    for line in part("not found") {
        let (context, rest) = line.split_once('\t').unwrap();
        let (list, reason) = rest.split_once('\t').unwrap();
        assert!(!reason.is_empty());
        for link in list.split(' ') {
            assert!(
                contexts.contains(&context) && links.contains(&link),
                "{line}"
            );
            assert!(named.insert((context, link)), "twice: {context} {link}");
        }
    }
    let all = contexts.len() * links.len();
    eprintln!("{} of {all} found", all - missed.len());
    let list = |pairs: BTreeSet<&(&str, &str)>| -> String {
        pairs
            .iter()
            .map(|(context, link)| format!("\n{context}\t{link}"))
            .collect()
    };
    let new = list(missed.difference(&named).collect());
    assert!(new.is_empty(), "neither found nor named:{new}");
    let repaired = list(named.difference(&missed).collect());
    assert!(repaired.is_empty(), "named, and found:{repaired}");
    assert!(
        missed.len() * 100 <= all * 3,
        "{} of {all} not found",
        missed.len()
    );
}

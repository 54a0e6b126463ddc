//! The rules of `docs/detection.md`: each example has the links that the page marks.

use crate::cases::marked;
use linkglot_scan::Scanner;

const PAGE: &str = include_str!("../../docs/detection.md");

/// The rows of rules, each with its examples, in marked text.
fn rules() -> impl Iterator<Item = (&'static str, Vec<String>)> {
    let rows = PAGE.lines().filter(|line| line.starts_with("| **"));
    rows.map(|row| {
        let row = row.trim_start_matches("| ");
        let (rule, _) = row.split_once(" | ").expect("a row has cells");
        let cells = row.replace("\\|", "\u{1}");
        let examples = cells.split('|').nth(1).unwrap_or_default();
        let code = examples.split('`').skip(1).step_by(2);
        let code = code.map(|code| code.replace('\u{1}', "|").replace('⏎', "\n"));
        (rule, code.collect())
    })
}

#[test]
fn examples_of_the_page_hold() {
    let (scanner, mut count) = (Scanner::default(), 0);
    for (rule, examples) in rules() {
        assert!(!examples.is_empty(), "{rule}");
        for example in examples {
            // The escapes of an example are part of its text.
            let text = example.replace(['⸠', '⸡'], "");
            assert_eq!(marked(&scanner, &text), example, "{rule}");
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

/// The drawn changes of each rule, with the verdict on each.
const VERDICTS: &str = include_str!("../../rivals/benches/records/2026-12-01-rules.tsv");

#[test]
fn precision_of_the_page_is_that_of_the_record() {
    for row in PAGE.lines().filter(|line| line.starts_with("| **")) {
        let name = row.trim_start_matches("| **").split(".**").next();
        let verdicts = VERDICTS
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .filter(|(rule, _)| Some(*rule) == name)
            .map(|(_, rest)| rest.ends_with("\tbetter"));
        let verdicts: Vec<bool> = verdicts.collect();
        let better = verdicts.iter().filter(|better| **better).count();
        let cell = match verdicts.len() {
            0 => "—".to_owned(),
            all => format!("{better} of {all}"),
        };
        assert!(row.ends_with(&format!("| {cell} |")), "{row}");
    }
}

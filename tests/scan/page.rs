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

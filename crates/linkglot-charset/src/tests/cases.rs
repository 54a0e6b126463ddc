//! Short documents with the words of dictionaries and names, which `detection_cases.py` writes.
//!
//! LINKGLOT_CASES names its file; each line has a group, a shape, the charset, the format, the bytes in hexadecimal and
//! the language. LINKGLOT_LOST names a file for the cases whose answer is not sure and right.

use crate::{Certainty, Charset, DeclarationSyntax, Sniffed, sniff};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Answers in a thousand that may be sure and wrong.
const WRONG_PER_MILLE: usize = 3;

struct Case<'c> {
    group: &'c str,
    shape: &'c str,
    /// `None` for a charset that linkglot does not know.
    charset: Option<Charset>,
    bytes: Vec<u8>,
    lang: &'c str,
    found: Sniffed,
}

impl<'c> Case<'c> {
    fn new(line: &'c str) -> Self {
        let mut fields = line.split('\t');
        let [group, shape, label, syntax, hex, lang] =
            std::array::from_fn(|_| fields.next().expect("six fields"));
        let byte = |at: usize| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).expect("a byte");
        let bytes: Vec<u8> = (0..hex.len() / 2).map(byte).collect();
        let syntax = match syntax {
            "html" => DeclarationSyntax::Html,
            _ => DeclarationSyntax::Nowhere,
        };
        let charset = Charset::for_label(label).ok();
        let found = sniff(&bytes, true, syntax, None, None);
        Case {
            group,
            shape,
            charset,
            bytes,
            lang,
            found,
        }
    }

    fn is_sure(&self) -> bool {
        self.found.certainty == Certainty::Sure
    }

    fn is_right(&self) -> bool {
        let text = |charset: Charset| charset.decode(&self.bytes);
        self.charset
            .is_some_and(|charset| text(charset) == text(self.found.charset))
    }

    fn describe(&self) -> String {
        let name = self.charset.map_or("none", Charset::name);
        let verdict = if self.is_sure() { "WRONG" } else { "unsure" };
        let text = self
            .charset
            .unwrap_or(self.found.charset)
            .decode(&self.bytes);
        let Case {
            group,
            shape,
            lang,
            found,
            ..
        } = self;
        format!(
            "{verdict}\t{lang}\t{group}\t{shape}\t{name}\t{}\t{text:?}\n",
            found.charset.name()
        )
    }
}

/// The numbers of answers that are sure and right, and sure and wrong, and of all.
#[derive(Clone, Copy, Default)]
struct Count {
    right: usize,
    wrong: usize,
    all: usize,
}

impl Count {
    fn add(&mut self, case: &Case<'_>) {
        self.right += usize::from(case.is_sure() && case.is_right());
        self.wrong += usize::from(case.is_sure() && !case.is_right());
        self.all += 1;
    }

    fn cell(self) -> String {
        match self {
            Count { all: 0, .. } => String::new(),
            Count { right, wrong, all } => {
                format!(
                    "{:.1} %, {wrong} of {all}",
                    100.0 * right as f64 / all as f64
                )
            }
        }
    }
}

#[test]
fn cases_of_packages() {
    let Some(path) = std::env::var_os("LINKGLOT_CASES") else {
        eprintln!("skipped: LINKGLOT_CASES is not set");
        return;
    };
    let cases = std::fs::read_to_string(path).expect("the cases");
    let (mut rows, mut all, mut lost) = (BTreeMap::new(), Count::default(), String::new());
    let mut shapes = Vec::<&str>::new();
    for case in cases.lines().map(Case::new) {
        let shape = shapes.iter().position(|shape| *shape == case.shape);
        let shape = shape.unwrap_or_else(|| {
            shapes.push(case.shape);
            shapes.len() - 1
        });
        let row: &mut Vec<Count> = rows.entry(case.group).or_default();
        row.resize(shapes.len().max(row.len()), Count::default());
        row[shape].add(&case);
        all.add(&case);
        if !case.is_sure() || !case.is_right() {
            lost += &case.describe();
        }
    }
    let mut table = format!("| | {} |\n", shapes.join(" | "));
    for (group, mut counts) in rows {
        counts.resize(shapes.len(), Count::default());
        let cells: Vec<String> = counts.into_iter().map(Count::cell).collect();
        _ = writeln!(table, "| {group} | {} |", cells.join(" | "));
    }
    eprintln!("{table}all: {}", all.cell());
    if let Some(path) = std::env::var_os("LINKGLOT_LOST") {
        std::fs::write(path, lost).expect("a file");
    }
    assert!(
        all.wrong * 1000 <= all.all * WRONG_PER_MILLE,
        "{} sure and wrong",
        all.wrong
    );
}

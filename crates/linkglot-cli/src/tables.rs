//! The tables that a run prints on standard error, with its summary.

use super::breakdown::{Breakdown, Count, Table};
use super::rules::SiteRules;
use super::totals::Totals;
use std::fmt::Write;

/// Number of rows of a table, unless the user asks for all.
const MOST_ROWS: usize = 10;

/// The tables that a run prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tables {
    #[default]
    None,
    /// The effect of a run, for dry runs: rules, hosts, notes.
    Review,
    /// The additional tables of `--stats`: rules, charsets.
    Statistics,
    All,
}

impl Tables {
    /// The tables for these options.
    pub fn new(dry_run: bool, stats: bool) -> Self {
        match (dry_run, stats) {
            (false, false) => Tables::None,
            (true, false) => Tables::Review,
            (false, true) => Tables::Statistics,
            (true, true) => Tables::All,
        }
    }

    /// The lines of the tables.
    pub fn text(self, totals: &Totals, rules: Option<&SiteRules>, verbose: bool) -> String {
        let Breakdown {
            hosts,
            notes,
            charsets,
            ..
        } = &totals.breakdown;
        let most = if verbose { usize::MAX } else { MOST_ROWS };
        let mut text = String::new();
        if self != Tables::None
            && let Some(rules) = rules
        {
            push(&mut text, "MATCHED BY RULE", rule_rows(rules, totals), most);
        }
        if matches!(self, Tables::Review | Tables::All) {
            push(
                &mut text,
                "CHANGED, BY HOST",
                rows(hosts, |count| (count.changed, count.files_changed)),
                most,
            );
            push(
                &mut text,
                "LEFT, BY NOTE",
                rows(notes, |count| (count.left, count.files_left)),
                most,
            );
        }
        if matches!(self, Tables::Statistics | Tables::All) {
            push(&mut text, "FOUND, BY CHARSET", charset_rows(charsets), most);
        }
        text
    }
}

/// Links, files and name of a row.
type Row = (u64, u64, String);

/// The rows of a table that have links. `numbers` chooses links and files.
fn rows(table: &Table, numbers: fn(&Count) -> (u64, u64)) -> Vec<Row> {
    let row = |(name, count): (&str, Count)| {
        let name = if name.is_empty() { "(no host)" } else { name };
        let (links, files) = numbers(&count);
        (links, files, name.to_owned())
    };
    let sorted = table.rows_by(|count| numbers(count).0);
    let mut rows: Vec<Row> = sorted.into_iter().map(row).collect();
    let (others, _) = numbers(&table.others());
    if others > 0 {
        rows.push((others, 0, "(others)".to_owned()));
    }
    rows
}

/// The rows of charsets, including charsets of files without links.
fn charset_rows(charsets: &Table) -> Vec<Row> {
    let rows = charsets.rows_by(|count| count.files).into_iter();
    rows.map(|(name, count)| (count.links, count.files, name.to_owned()))
        .collect()
}

/// The rules that matched, in their order, or the most frequent first if there are many.
fn rule_rows(rules: &SiteRules, totals: &Totals) -> Vec<Row> {
    let row = |(number, links): (&usize, &u64)| {
        let rule = &rules.rules.given()[*number];
        let files = totals.breakdown.files_by_rule.get(number).copied();
        (*links, files.unwrap_or_default(), rule.to_string())
    };
    let mut rows: Vec<Row> = totals.matched.iter().map(row).collect();
    if rows.len() > MOST_ROWS {
        rows.sort_by_key(|(links, ..)| std::cmp::Reverse(*links));
    }
    rows
}

/// Appends a table with aligned columns, and the number of missing rows.
fn push(text: &mut String, title: &str, rows: Vec<Row>, most: usize) {
    let width = |number: fn(&Row) -> u64, heading: &str| {
        let digits = rows.iter().map(|row| number(row).to_string().len());
        digits.max().unwrap_or(0).max(heading.len())
    };
    if rows.is_empty() {
        return;
    }
    let (links, files) = (width(|row| row.0, "LINKS"), width(|row| row.1, "FILES"));
    let _ = writeln!(text, "{:>links$}  {:>files$}  {title}", "LINKS", "FILES");
    for (in_links, in_files, name) in rows.iter().take(most) {
        let _ = writeln!(text, "{in_links:>links$}  {in_files:>files$}  {name}");
    }
    if rows.len() > most {
        let rest: u64 = rows[most..].iter().map(|row| row.0).sum();
        let more = rows.len() - most;
        let _ = writeln!(
            text,
            "{rest:>links$}  {:>files$}  {more} more (`-v` lists them)",
            ""
        );
    }
}

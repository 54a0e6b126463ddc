//! The content of the page before its script runs: the summary and the charts.

use super::data::Data;
use super::visible;
use crate::breakdown::{Count, Table};
use crate::hosts::host_label;
use crate::left_links::LeftLink;
use crate::mentions::{KindRow, Sample, option_for};
use crate::totals::{Changes, Totals};
use askama::Template;
use jiff::Timestamp;
use linkglot::notes::Note;
use std::env;
use std::io::{self, Write};
use std::ops::Range;

/// Number of bars of a chart.
const MOST_BARS: usize = 10;

/// The page. The template's fields are escaped, except for those marked as safe.
#[derive(Template)]
#[template(path = "page.html", config = "src/report/askama.toml")]
pub struct Page<'t> {
    version: &'static str,
    command: String,
    date: String,
    verb: &'static str,
    totals: &'t Totals,
    skipped: u64,
    unlisted: u64,
    left: Vec<LeftRow>,
    left_links: Vec<TextRow<'t>>,
    /// Number of left links without a row.
    more_left: u64,
    /// Kinds of mentions, and the number of kinds without a row.
    kinds: Vec<KindRow<'t>>,
    more_kinds: usize,
    /// Mentions, those that no option reaches first.
    mentions: Vec<TextRow<'t>>,
    /// Number of mentions without a row that are not in left links.
    more_mentions: u64,
    charts: Vec<Chart>,
    style: &'static str,
    script: &'static str,
    data: Data<'t>,
}

/// The links that were left with a note.
struct LeftRow {
    code: &'static str,
    words: Vec<(bool, &'static str)>,
    links: u64,
}

/// A link or a mention of a moved host, in its text.
struct TextRow<'t> {
    place: String,
    before: String,
    marked: String,
    behind: String,
    why: &'t str,
    /// The option that reaches it.
    option: Option<&'t str>,
}

impl<'t> TextRow<'t> {
    fn new(
        place: &str,
        (text, marked): (&str, &Range<usize>),
        why: &'t str,
        option: Option<&'t str>,
    ) -> Self {
        TextRow {
            place: visible(place),
            before: visible(&text[..marked.start]),
            marked: visible(&text[marked.clone()]),
            behind: visible(&text[marked.end..]),
            why,
            option,
        }
    }

    fn of_mention(sample: &'t Sample) -> Self {
        let place = sample.place.to_string_lossy();
        let text = (&*sample.text, &sample.host);
        TextRow::new(&place, text, &sample.words, sample.option.as_deref())
    }

    fn of_link(left: &'t LeftLink) -> Self {
        let text = (&*left.excerpt.text, &left.excerpt.link);
        TextRow::new(&left.place, text, left.note.code(), option_for(left.note))
    }
}

/// The pieces of a message; true for those that are code.
fn pieces(words: &str) -> Vec<(bool, &str)> {
    let pieces = words.split('`').enumerate();
    pieces
        .map(|(number, piece)| (number % 2 == 1, piece))
        .collect()
}

/// The rows of left links, the most frequent first.
fn left_rows(notes: &Table) -> Vec<LeftRow> {
    let rows = notes.rows_by(|count| count.left).into_iter();
    let row = |(code, count): (&str, Count)| {
        let note = Note::ALL.into_iter().find(|note| note.code() == code)?;
        let says_why = matches!(note, Note::CharsetUnsure | Note::CharsetContradicts)
            || note.code().starts_with("left-");
        says_why.then(|| LeftRow {
            code: note.code(),
            words: pieces(note.words()),
            links: count.left,
        })
    };
    rows.filter_map(row).collect()
}

/// Numbers by name.
struct Chart {
    /// The filter that the bars of the chart set.
    key: &'static str,
    title: &'static str,
    bars: Vec<Bar>,
    /// The number of names without a bar.
    more: usize,
}

struct Bar {
    /// The value of the filter.
    value: String,
    label: String,
    /// The meaning of a short label.
    words: &'static str,
    count: Count,
    /// Percent relative to the longest bar.
    changed: f64,
    left: f64,
}

impl<'t> Page<'t> {
    pub fn new(totals: &'t Totals, data: Data<'t>, changes: Changes) -> Self {
        let breakdown = &totals.breakdown;
        let mentions = &totals.left_behind;
        let left_links = breakdown.left.samples();
        let left_links = left_links.map(TextRow::of_link);
        let left_links: Vec<_> = left_links.collect();
        let (kinds, more_kinds) = mentions.kind_rows();
        let mut samples: Vec<_> = mentions.samples.iter().collect();
        samples.sort_by_key(|sample| sample.option.is_some());
        Page {
            version: env!("CARGO_PKG_VERSION"),
            command: command(),
            date: date(),
            verb: match changes {
                Changes::Written => "changed",
                _ => "would change",
            },
            totals,
            skipped: totals.skipped.values().sum(),
            unlisted: data.unlisted(),
            left: left_rows(&breakdown.notes),
            more_left: totals.left - left_links.len() as u64,
            left_links,
            kinds,
            more_kinds,
            mentions: samples.into_iter().map(TextRow::of_mention).collect(),
            more_mentions: mentions.count()
                - mentions.in_left_links()
                - mentions.samples.len() as u64,
            charts: vec![
                chart("host", "Hosts", &breakdown.hosts),
                chart("scheme", "Schemes", &breakdown.schemes),
                chart("charset", "Charsets", &breakdown.charsets),
                chart("note", "Notes", &breakdown.notes),
            ],
            style: include_str!("page.css"),
            script: include_str!("page.js"),
            data,
        }
    }

    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let written = self.write_into(out);
        self.data.error().map_or(written, Err)
    }
}

fn chart(key: &'static str, title: &'static str, table: &Table) -> Chart {
    let rows = table.rows_by(|count| count.changed + count.left);
    let longest = rows
        .first()
        .map_or(1, |(_, count)| count.changed + count.left);
    let percent = |links: u64| links as f64 * 100.0 / longest as f64;
    let bars = rows.iter().take(MOST_BARS).map(|(name, count)| Bar {
        value: percent_encoded(name),
        label: match *name {
            "" => "(none)".to_owned(),
            name if key == "host" => visible(&host_label(name)),
            name => visible(name),
        },
        words: words_of(key, name),
        count: *count,
        changed: percent(count.changed),
        left: percent(count.left),
    });
    Chart {
        key,
        title,
        bars: bars.collect(),
        more: rows.len().saturating_sub(MOST_BARS),
    }
}

fn words_of(key: &str, name: &str) -> &'static str {
    let note = Note::ALL
        .into_iter()
        .find(|note| key == "note" && note.code() == name);
    note.map_or("", Note::words)
}

/// A value of a form (URL Standard 5.2).
fn percent_encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' => out.push(byte.into()),
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

/// The command in a form that can be typed again.
fn command() -> String {
    let mut words = vec!["linkglot".to_owned()];
    for argument in env::args_os().skip(1) {
        let argument = visible(&argument.to_string_lossy());
        let is_plain = |ch: char| ch.is_alphanumeric() || "-_./:=,@%+".contains(ch);
        words.push(if !argument.is_empty() && argument.chars().all(is_plain) {
            argument
        } else {
            format!("'{}'", argument.replace('\'', r"'\''"))
        });
    }
    words.join(" ")
}

/// The time in UTC, or the time given by `SOURCE_DATE_EPOCH` (reproducible-builds.org).
fn date() -> String {
    let given = env::var("SOURCE_DATE_EPOCH").ok();
    let given = given.and_then(|seconds| Timestamp::from_second(seconds.parse().ok()?).ok());
    let date = given.unwrap_or_else(Timestamp::now);
    date.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// A number with its digits in groups of three.
fn grouped(number: &u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn one_or_more(number: &u64, noun: &str) -> String {
    let plural = if *number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

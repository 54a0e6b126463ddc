//! Hunks: changed lines with equal lines around them.

use super::cut::{escaped, visible};
use super::lines::{End, Line};
use super::parts::{Parts, changed_parts};
use super::{DiffForm, Layout};
use crate::output::{Controls, Styles, push_styled};
use anstyle::Style;
use std::io::{self, Seek, Write};
use std::ops::Range;
use tempfile::SpooledTempFile;

/// Maximal length of a hunk in memory. A longer hunk waits in a file, because its first line counts its lines.
const IN_MEMORY: usize = 1 << 20;

/// The mark of a line in a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Equal,
    Removed,
    Added,
}

/// A hunk while its lines are collected.
pub struct Hunk {
    layout: Layout,
    /// The printed lines.
    body: SpooledTempFile,
    /// Equal lines after the body. The hunk may not need all of them.
    pub equal: Vec<Line>,
    /// Number of lines before the hunk, on each side.
    before: (u64, u64),
    /// Number of lines with each mark.
    counts: [u64; 3],
}

impl Hunk {
    pub fn new(before: (u64, u64), layout: Layout) -> Self {
        Hunk {
            layout,
            body: SpooledTempFile::new(IN_MEMORY),
            equal: Vec::new(),
            before,
            counts: [0; 3],
        }
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.counts.iter().sum::<u64>() as usize + self.equal.len()
    }

    pub fn push_equal(&mut self, lines: &[Line]) -> io::Result<()> {
        lines
            .iter()
            .try_for_each(|line| self.push(Mark::Equal, line, &[]))
    }

    /// Appends removed lines and the lines that replace them.
    pub fn push_change(&mut self, removed: &[Line], added: &[Line]) -> io::Result<()> {
        let parts = self.parts(removed, added);
        let of = |number: usize| parts.get(number).cloned().unwrap_or_default();
        for (number, line) in removed.iter().enumerate() {
            self.push(Mark::Removed, line, &of(number).0)?;
        }
        for (number, line) in added.iter().enumerate() {
            self.push(Mark::Added, line, &of(number).1)?;
        }
        Ok(())
    }

    /// The changed parts of each pair of lines; empty if the lines do not pair up, or the parts are not shown.
    fn parts(&self, removed: &[Line], added: &[Line]) -> Vec<Parts> {
        let styles = self.layout.styles;
        let is_shown = self.layout.columns.is_some() || styles.added_part != Style::new();
        if !is_shown || removed.len() != added.len() {
            return Vec::new();
        }
        let pairs = removed.iter().zip(added);
        pairs
            .map(|(old, new)| changed_parts(&old.bytes, &new.bytes))
            .collect()
    }

    fn push(&mut self, mark: Mark, line: &Line, parts: &[Range<usize>]) -> io::Result<()> {
        self.counts[mark as usize] += 1;
        let mut text = Vec::with_capacity(line.bytes.len() + 16);
        match self.layout.form {
            DiffForm::Raw => {
                text.push(sign(mark));
                text.extend_from_slice(&line.bytes);
            }
            DiffForm::Text => push_text(&mut text, mark, (line, parts), self.layout),
        }
        if line.end == End::CrLf {
            text.push(b'\r');
        }
        text.push(b'\n');
        if line.end == End::None {
            text.extend_from_slice(b"\\ No newline at end of file\n");
        }
        self.body.write_all(&text)
    }

    /// Prints the first line of the hunk and its body.
    pub fn print(mut self, out: &mut dyn Write) -> io::Result<()> {
        let [equal, removed, added] = self.counts;
        let old = range(self.before.0, equal + removed);
        let new = range(self.before.1, equal + added);
        let mut text = Vec::new();
        let first = format!("@@ -{old} +{new} @@");
        push_styled(&mut text, self.layout.styles.hunk, first.as_bytes());
        text.push(b'\n');
        out.write_all(&text)?;
        self.body.rewind()?;
        io::copy(&mut self.body, out)?;
        Ok(())
    }
}

fn sign(mark: Mark) -> u8 {
    match mark {
        Mark::Equal => b' ',
        Mark::Removed => b'-',
        Mark::Added => b'+',
    }
}

/// A range of lines, with `before` lines before it, in the syntax of diffs.
fn range(before: u64, count: u64) -> String {
    match count {
        0 => format!("{before},0"),
        1 => format!("{}", before + 1),
        _ => format!("{},{count}", before + 1),
    }
}

/// Appends the visible part of a decoded line, with its changes marked.
fn push_text(
    out: &mut Vec<u8>,
    mark: Mark,
    (line, parts): (&Line, &[Range<usize>]),
    layout: Layout,
) {
    let text = String::from_utf8_lossy(&line.bytes);
    let mut row = Row::new(out, mark, layout.styles);
    let mut end = 0;
    for shown in visible(&text, parts, layout) {
        if shown.start > end {
            row.push(CUT);
        }
        row.push_shown(&text, &shown, parts);
        end = shown.end;
    }
    if layout.columns.is_some() && (end < text.len() || line.cut.0 > 0) {
        row.push(CUT);
    } else if line.cut.0 > 0 {
        row.push(&format!(" [{} more bytes]", line.cut.0));
    }
    row.end();
}

/// The mark for cut text.
const CUT: &str = "…";

/// A line on its way to the terminal.
struct Row<'o> {
    out: &'o mut Vec<u8>,
    style: Style,
    part_style: Style,
    controls: Controls,
    /// Pending text, so that pieces of one style are printed together.
    plain: Vec<u8>,
}

impl<'o> Row<'o> {
    fn new(out: &'o mut Vec<u8>, mark: Mark, styles: Styles) -> Self {
        let (style, part_style) = match mark {
            Mark::Equal => (Style::new(), Style::new()),
            Mark::Removed => (styles.removed, styles.removed_part),
            Mark::Added => (styles.added, styles.added_part),
        };
        Row {
            out,
            style,
            part_style,
            controls: styles.controls,
            plain: vec![sign(mark)],
        }
    }

    fn push(&mut self, text: &str) {
        self.plain.extend_from_slice(&escaped(text, self.controls));
    }

    /// Appends a visible range of the line, with its changed parts marked.
    fn push_shown(&mut self, text: &str, shown: &Range<usize>, parts: &[Range<usize>]) {
        let is_marked = self.style != self.part_style;
        let mut at = shown.start;
        for part in parts.iter().filter(|_| is_marked) {
            let (from, to) = (part.start.max(at), part.end.min(shown.end));
            if from < to {
                self.push(&text[at..from]);
                self.end();
                let part = escaped(&text[from..to], self.controls);
                push_styled(self.out, self.part_style, &part);
                at = to;
            }
        }
        self.push(&text[at..shown.end]);
    }

    fn end(&mut self) {
        let plain = std::mem::take(&mut self.plain);
        if !plain.is_empty() {
            push_styled(self.out, self.style, &plain);
        }
    }
}

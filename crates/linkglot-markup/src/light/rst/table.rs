//! Tables: each cell is a document of its own, gathered from its part of several lines.
//!
//! A cell that spans rows is read row by row, a cell that spans columns as a whole.

use super::super::gathered::Gathered;
use super::lines::Line;
use super::{Reader, document};
use std::ops::Range;

/// The most columns that are read: each costs a pass over the lines.
const MOST_COLUMNS: usize = 200;

/// The most lines that are searched for the end of a simple table.
const MOST_LINES: usize = 4096;

impl<'t> Reader<'t> {
    /// Reads the table that begins at a line, if any. Returns the line behind the table.
    pub(super) fn table(&mut self, at: usize, end: usize, indent: usize) -> Option<usize> {
        let top = self.str(at);
        if is_grid_border(top) {
            let is_row = |line: &usize| {
                self.line(*line).indent == indent && self.str(*line).starts_with(['+', '|'])
            };
            let stop = (at..end).find(|line| !is_row(line)).unwrap_or(end);
            if !self.is_outline {
                self.grid(at..stop);
            }
            return Some(stop);
        }
        if begins_simple(top) {
            let stop = self.simple_end(at, end)?;
            if !self.is_outline {
                self.simple(at..stop);
            }
            return Some(stop);
        }
        None
    }

    /// True if a simple table begins at a line if it ends in the lines that follow `end`.
    pub(super) fn may_be_table(&self, at: usize, end: usize) -> bool {
        begins_simple(self.str(at)) && at + MOST_LINES > end && self.simple_end(at, end).is_none()
    }

    fn grid(&mut self, lines: Range<usize>) {
        let mut at = lines.start;
        while at < lines.end {
            let is_border = |line: &usize| self.str(*line).starts_with('+');
            if is_border(&at) {
                at += 1;
                continue;
            }
            let stop = (at..lines.end).find(is_border).unwrap_or(lines.end);
            let marks = [at.wrapping_sub(1), stop];
            let marks = marks.into_iter().filter(|line| lines.contains(line));
            let mut columns: Vec<usize> = marks
                .flat_map(|line| columns_of(self.str(line), |ch| ch == '+'))
                .collect();
            for line in at..stop {
                let bars: Vec<usize> = columns_of(self.str(line), |ch| "|+".contains(ch)).collect();
                columns.retain(|column| bars.binary_search(column).is_ok());
            }
            columns.sort_unstable();
            columns.dedup();
            columns.truncate(MOST_COLUMNS);
            for pair in columns.windows(2) {
                self.cell(at..stop, pair[0] + 1..pair[1]);
            }
            at = stop;
        }
    }

    /// The line behind the last border of a simple table.
    fn simple_end(&self, at: usize, end: usize) -> Option<usize> {
        let length = self.str(at).len();
        let mut found = 0;
        for line in at + 1..end.min(at + MOST_LINES) {
            let text = self.str(line);
            if is_simple_border(text) && text.len() == length {
                found += 1;
                if found == 2 || line + 1 >= end || self.line(line + 1).is_blank() {
                    return Some(line + 1);
                }
            }
        }
        None
    }

    fn simple(&mut self, lines: Range<usize>) {
        let columns = columns_between(self.str(lines.start));
        let indent = self.line(lines.start).indent;
        let mut at = lines.start + 1;
        while at < lines.end {
            let text = self.str(at);
            let rule = text.starts_with(['=', '-']) && text.chars().all(|ch| "=- ".contains(ch));
            if rule || self.line(at).is_blank() {
                at += 1;
                continue;
            }
            let continues = |line: &usize| {
                let here = self.line(*line);
                let rule = self.str(*line).starts_with(['=', '-']);
                !here.is_blank()
                    && !rule
                    && columns
                        .get(1)
                        .is_some_and(|c| here.indent >= indent + c.start)
            };
            let stop = (at + 1..lines.end)
                .find(|line| !continues(line))
                .unwrap_or(lines.end);
            let spans = (stop < lines.end && is_span_line(self.str(stop)))
                .then(|| columns_between(self.str(stop)));
            self.row(at..stop, spans.as_ref().unwrap_or(&columns), indent);
            at = stop;
        }
    }

    /// Reads a row of a simple table. A row with text between columns, which docutils reports, is read as one cell.
    fn row(&mut self, lines: Range<usize>, columns: &[Range<usize>], indent: usize) {
        for line in lines.clone() {
            self.lines[line] = outdented(self.lines[line], indent, self.text);
        }
        let mut gaps = columns.windows(2).map(|pair| pair[0].end..pair[1].start);
        if gaps.any(|gap| lines.clone().any(|line| self.has_text(line, gap.clone()))) {
            return self.cell(lines, 0..usize::MAX);
        }
        for column in columns {
            let first = self.pieces.len();
            self.cell(lines.clone(), column.clone());
            // Many pieces may stand in a line.
            let mut known = None;
            for at in first..self.pieces.len() {
                let start = self.pieces[at].start();
                let row = &self.lines[lines.clone()];
                let line = row.partition_point(|line| line.text <= start);
                let line = lines.start + line.saturating_sub(1);
                let has_text = match known {
                    Some((of, has_text)) if of == line => has_text,
                    _ => self.has_text(line, column.end..usize::MAX),
                };
                known = Some((line, has_text));
                // A new text with another width would move the columns behind it.
                if has_text {
                    self.pieces[at].access = self.pieces[at].access.less();
                }
            }
        }
    }

    /// True if a line has text in a range of columns.
    fn has_text(&self, line: usize, columns: Range<usize>) -> bool {
        let text = self.str(line);
        !text[bytes_of(text, columns)].trim().is_empty()
    }

    /// Reads the text of lines within a range of columns.
    fn cell(&mut self, lines: Range<usize>, columns: Range<usize>) {
        let mut cell = Gathered::new(self.text);
        for line in lines {
            let start = self.line(line).text;
            let range = bytes_of(self.str(line), columns.clone());
            let end = range.start + self.str(line)[range.clone()].trim_end().len();
            cell.push(start + range.start..start + end);
            cell.push_mark("\n");
        }
        let inner = document(cell.text(), self.settings, self.depth + 1);
        self.pieces
            .extend(inner.into_iter().filter_map(|piece| cell.piece(piece)));
    }
}

/// A line that begins at the left border of its table.
fn outdented(line: Line, indent: usize, text: &str) -> Line {
    let own = &text[..line.text];
    let spaces = line.indent.saturating_sub(indent);
    if spaces > 0 && own.ends_with(&" ".repeat(spaces)) {
        return Line {
            text: line.text - spaces,
            indent,
            ..line
        };
    }
    line
}

fn is_grid_border(text: &str) -> bool {
    text.len() >= 5
        && text.starts_with("+-")
        && text.ends_with("-+")
        && text.bytes().all(|byte| b"+-".contains(&byte))
}

/// True if a line with the border of at least two columns begins a simple table.
fn begins_simple(text: &str) -> bool {
    is_simple_border(text) && text.contains(' ')
}

fn is_simple_border(text: &str) -> bool {
    text.starts_with('=') && text.bytes().all(|byte| b"= ".contains(&byte))
}

/// The start of the first line that could begin a simple table, or the end of the text.
pub fn first_simple_table(text: &[u8]) -> usize {
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let border = line.trim_ascii();
        if border.contains(&b' ') && border.iter().all(|byte| b"= ".contains(byte)) {
            break;
        }
        start += line.len();
    }
    start
}

/// The width of a character in columns.
fn width(ch: char) -> usize {
    let wide = matches!(
        u32::from(ch),
        0x1100..=0x115F
            | 0x2E80..=0x303E
            | 0x3041..=0xA4CF
            | 0xAC00..=0xD7A3
            | 0xF900..=0xFAFF
            | 0xFE30..=0xFE6F
            | 0xFF01..=0xFF60
            | 0xFFE0..=0xFFE6
            | 0x1F300..=0x1F64F
            | 0x1F900..=0x1F9FF
            | 0x20000..=0x3FFFD
    );
    1 + usize::from(wide)
}

/// The columns of the characters of a class.
fn columns_of(text: &str, wanted: impl Fn(char) -> bool) -> impl Iterator<Item = usize> {
    let mut column = 0;
    text.chars().filter_map(move |ch| {
        let here = column;
        column += width(ch);
        wanted(ch).then_some(here)
    })
}

/// True for the line below a row of a simple table that says which columns its cells span.
fn is_span_line(text: &str) -> bool {
    text.starts_with('-') && text.bytes().all(|byte| b"- ".contains(&byte))
}

/// The columns of the runs of `=` or `-` of a border. Text of the last column goes on behind it.
fn columns_between(border: &str) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for at in columns_of(border, |ch| ch != ' ') {
        match ranges.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ => ranges.push(at..at + 1),
        }
    }
    ranges.truncate(MOST_COLUMNS);
    if let Some(last) = ranges.last_mut() {
        last.end = usize::MAX;
    }
    ranges
}

/// The range of bytes of a range of columns.
fn bytes_of(text: &str, columns: Range<usize>) -> Range<usize> {
    let mut column = 0;
    let (mut start, mut end) = (text.len(), text.len());
    for (at, ch) in text.char_indices() {
        if column >= columns.start && start == text.len() {
            start = at;
        }
        if column >= columns.end {
            end = at;
            break;
        }
        column += width(ch);
    }
    start.min(end)..end
}

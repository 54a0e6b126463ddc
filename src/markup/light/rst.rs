//! reStructuredText, by the rules of docutils as far as they decide where links stand.
//!
//! `lines` cuts the document, this file finds its blocks, `explicit` reads what begins with two dots (targets,
//! directives, comments), `table` the cells of tables, `inline` the markup of running text. Indentation decides
//! nearly everything. What docutils would report as an error is read as text.
//!
//! Literal blocks, literals, interpreted text, comments and code are left alone. Running text is answered whole: its
//! bare links are for the scanner to find, also those within emphasis.

mod explicit;
mod inline;
mod lines;
mod table;

use super::super::escape::Escaping;
use super::Piece;
use lines::{Line, adornment, is_list, marker_end};
use std::ops::Range;

/// Where links may stand in a document, in order. Time is linear.
///
/// ```
/// use linkglot::markup::light::{Raw, rst};
///
/// let pieces = rst::pieces(".. _a: b\n\n::\n\n  http://example.org/\n");
/// let [piece] = &pieces[..] else { panic!("one piece") };
/// assert!(matches!(&piece.raw, Raw::Range(range) if *range == (7..8)));
/// ```
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = document(text, 0);
    pieces.sort_by_key(Piece::start);
    pieces
}

/// How deep blocks and cells may be nested in each other; deeper ones are running text.
const DEEPEST: usize = 48;

fn document(text: &str, depth: usize) -> Vec<Piece<'_>> {
    let mut reader = Reader {
        text,
        lines: lines::of(text),
        pieces: Vec::new(),
        depth,
    };
    let all = 0..reader.lines.len();
    reader.block(all);
    reader.pieces
}

/// Reads the blocks of a document, or of a cell.
struct Reader<'t> {
    text: &'t str,
    lines: Vec<Line>,
    pieces: Vec<Piece<'t>>,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn line(&self, at: usize) -> Line {
        self.lines[at]
    }

    /// The line's text behind its indentation.
    fn str(&self, at: usize) -> &'t str {
        self.line(at).str(self.text)
    }

    /// The lines of a block that is indented as its least indented line is.
    fn block(&mut self, lines: Range<usize>) {
        let indents = self.lines[lines.clone()].iter();
        let indents = indents
            .filter(|line| !line.is_blank())
            .map(|line| line.indent);
        let Some(indent) = indents.min() else { return };
        if self.depth >= DEEPEST {
            self.inline(self.range(&lines));
            return;
        }
        self.depth += 1;
        let mut at = lines.start;
        while at < lines.end {
            at = if self.line(at).is_blank() {
                at + 1
            } else if self.line(at).indent > indent {
                let end = self.indented(at, lines.end, indent);
                self.block(at..end);
                end
            } else {
                self.element(at, lines.end, indent)
            };
        }
        self.depth -= 1;
    }

    /// The end of the lines from `at` that are blank or further indented than `indent`.
    fn indented(&self, at: usize, end: usize, indent: usize) -> usize {
        (at..end)
            .find(|&at| !self.line(at).is_blank() && self.line(at).indent <= indent)
            .unwrap_or(end)
    }

    /// The end of the lines from `at` up to a blank one.
    fn unbroken(&self, at: usize, end: usize) -> usize {
        (at..end)
            .find(|&at| self.line(at).is_blank())
            .unwrap_or(end)
    }

    /// The bytes of lines, without the first one's indentation.
    fn range(&self, lines: &Range<usize>) -> Range<usize> {
        match lines.clone().last() {
            Some(last) => self.line(lines.start).text..self.line(last).end,
            None => 0..0,
        }
    }

    fn inline(&mut self, range: Range<usize>) {
        inline::pieces(self.text, range, &mut self.pieces);
    }

    /// The element that begins at a line; where the next may begin.
    fn element(&mut self, at: usize, end: usize, indent: usize) -> usize {
        let text = self.str(at);
        if text == ".." || text.starts_with(".. ") || text.starts_with("..\t") {
            return self.explicit(at, end, indent);
        }
        if text == "__" || text.starts_with("__ ") {
            return self.anonymous(at, end, indent);
        }
        if text.starts_with(">>>") && matches!(text.as_bytes().get(3), None | Some(b' ')) {
            return self.unbroken(at, end);
        }
        if let Some(after) = self.table(at, end, indent) {
            return after;
        }
        if text == "|" || text.starts_with("| ") {
            return self.line_block(at, end, indent);
        }
        if let Some(after) = self.title_with_overline(at, end) {
            return after;
        }
        match marker_end(text) {
            Some(marker) if self.is_item(at, end, indent, marker) => {
                self.item(at, end, indent, marker)
            }
            _ => self.paragraph(at, end, indent),
        }
    }

    /// A list item, a field or an option: what is behind the marker and the lines that are indented.
    fn item(&mut self, at: usize, end: usize, indent: usize, marker: usize) -> usize {
        let list = is_list(self.str(at));
        self.behind(at, marker);
        if list && !self.line(at).is_blank() {
            // The text behind a bullet says how far the item is indented.
            let after = self.indented(at + 1, end, self.line(at).indent - 1);
            self.block(at..after);
            return after;
        }
        let after = self.indented(at + 1, end, indent);
        self.align(at, after);
        self.block(at..after);
        after
    }

    /// Cuts what stands before `skip` bytes of a line's text.
    fn behind(&mut self, at: usize, skip: usize) {
        let line = &mut self.lines[at];
        line.cut(skip, self.text);
    }

    /// Indents a first line as the least indented one of those behind it.
    fn align(&mut self, at: usize, end: usize) {
        let rest = self.lines[at + 1..end].iter();
        let rest = rest.filter(|line| !line.is_blank()).map(|line| line.indent);
        if let Some(least) = rest.min() {
            self.lines[at].indent = least;
        }
    }

    /// Whether an enumerator or a bullet begins an item: the line behind it is not at its own indentation, or another
    /// item.
    fn is_item(&self, at: usize, end: usize, indent: usize, marker: usize) -> bool {
        let enumerator = self.str(at)[..marker].trim_end().ends_with(['.', ')']);
        if !enumerator || at + 1 >= end {
            return true;
        }
        let next = self.line(at + 1);
        next.is_blank() || next.indent > indent || marker_end(self.str(at + 1)).is_some()
    }

    /// A paragraph, a title with its underline, or a term with its definition.
    fn paragraph(&mut self, at: usize, end: usize, indent: usize) -> usize {
        let next = at + 1;
        if next < end && !self.line(next).is_blank() {
            if self.line(next).indent > indent {
                let after = self.indented(next, end, indent);
                self.inline(self.range(&(at..next)));
                self.block(next..after);
                return after;
            }
            if adornment(self.str(next)).is_some_and(|width| width >= 4.min(self.width(at))) {
                self.inline(self.range(&(at..next)));
                return next + 1;
            }
        }
        let goes_on = |line: Line| !line.is_blank() && line.indent <= indent;
        let stop = (at..end).find(|&at| !goes_on(self.line(at))).unwrap_or(end);
        let range = self.range(&(at..stop));
        if &self.text[range.clone()] != "::" {
            self.inline(range.clone());
        }
        if ends_literal(&self.text[range]) {
            return self.literal(stop, end, indent);
        }
        stop
    }

    /// How many characters a line has.
    fn width(&self, at: usize) -> usize {
        self.str(at).chars().count()
    }

    /// The end of a literal block that may begin at `at`: indented, or each line with the same mark.
    fn literal(&self, at: usize, end: usize, indent: usize) -> usize {
        let Some(first) = (at..end).find(|&at| !self.line(at).is_blank()) else {
            return end;
        };
        if self.line(first).indent > indent {
            return self.indented(first, end, indent);
        }
        let mark = self.str(first).bytes().next();
        if first == at || !mark.is_some_and(|mark| mark.is_ascii_punctuation()) {
            return first;
        }
        (first..end)
            .find(|&at| self.line(at).is_blank() || self.str(at).bytes().next() != mark)
            .unwrap_or(end)
    }

    /// A title between two lines of the same mark, or a transition.
    fn title_with_overline(&mut self, at: usize, end: usize) -> Option<usize> {
        let over = self.str(at);
        let width = adornment(over)?;
        let under = at + 2;
        if under < end
            && !self.line(at + 1).is_blank()
            && self.str(under).trim_end() == over.trim_end()
        {
            self.inline(self.range(&(at + 1..under)));
            return Some(under + 1);
        }
        let alone = at + 1 >= end || self.line(at + 1).is_blank();
        (width >= 4 && alone).then_some(at + 1)
    }

    /// A line block: each line for itself, with those that continue it.
    fn line_block(&mut self, at: usize, end: usize, indent: usize) -> usize {
        let stop = self.unbroken(at, end);
        let mut first = at;
        while first < stop {
            let starts = |at: usize| self.line(at).indent <= indent;
            let next = (first + 1..stop).find(|&at| starts(at)).unwrap_or(stop);
            if self.str(first).starts_with('|') {
                self.behind(first, 1);
            }
            self.inline(self.range(&(first..next)));
            first = next;
        }
        stop
    }
}

/// Whether a paragraph says that a literal block follows.
fn ends_literal(paragraph: &str) -> bool {
    let Some(before) = paragraph.trim_end().strip_suffix("::") else {
        return false;
    };
    let escapes = before.bytes().rev().take_while(|&byte| byte == b'\\');
    escapes.count() % 2 == 0
}

/// Whether a reference is one to a name (`name_`, or a phrase in backquotes), and no URI.
fn is_name_reference(raw: &str) -> bool {
    let Some(name) = raw.strip_suffix('_') else {
        return false;
    };
    match name.strip_prefix('`') {
        Some(phrase) => phrase.len() > 1 && phrase.ends_with('`') && !phrase.starts_with(' '),
        None => is_simple_name(name),
    }
}

/// Letters and digits with single marks between them.
fn is_simple_name(name: &str) -> bool {
    let is_mark = |ch: char| "-._+:".contains(ch);
    let mut mark = true;
    for ch in name.chars() {
        let here = is_mark(ch);
        if here && mark || !here && !ch.is_alphanumeric() {
            return false;
        }
        mark = here;
    }
    !mark
}

/// A reference that is no name.
fn reference<'t>(text: &'t str, range: Range<usize>, name: &'static str) -> Option<Piece<'t>> {
    let raw = text.get(range.clone())?;
    let start = range.start + raw.len() - raw.trim_start().len();
    let range = start..start + raw.trim().len();
    (!range.is_empty()).then(|| Piece::link(range, Escaping::RstReference, name))
}

/// The same of a named target or of an embedded one: where it is a mail address, `mailto` is implied.
fn named_reference<'t>(
    text: &'t str,
    range: Range<usize>,
    name: &'static str,
) -> Option<Piece<'t>> {
    let mut piece = reference(text, range.clone(), name)?;
    let meant = piece.escaping.unescape(text.get(range)?.trim());
    piece.implied = is_address(meant.text()).then_some("mailto");
    Some(piece)
}

/// Whether a reference is a mail address in the way of docutils: no part of the name is empty, and the host does not
/// begin with a dot or end with a mark that no URI ends with.
fn is_address(reference: &str) -> bool {
    let is_part = |ch: char| ch.is_ascii_alphanumeric() || "-_!~*'{|}/#?^`&=+$%".contains(ch);
    let is_last = |ch: char| ch.is_ascii_alphanumeric() || "_~*/=+".contains(ch);
    let Some((name, host)) = reference.split_once('@') else {
        return false;
    };
    let named = name
        .split('.')
        .all(|part| !part.is_empty() && part.chars().all(is_part));
    let mut inner = host.chars();
    let last = inner.next_back();
    let hosted = inner.clone().all(|ch| ch == '.' || is_part(ch));
    named && hosted && inner.next().is_some_and(is_part) && last.is_some_and(is_last)
}

//! reStructuredText, by the rules of docutils, as far as they decide about the places of links.
//!
//! `lines` cuts the document into lines, this file finds the blocks by their indentation, `explicit` reads the markup
//! that begins with two dots (targets, directives, comments), `table` the cells of tables, and `inline` the markup of
//! running text. Constructs that docutils reports as errors are read as text.
//!
//! Interpreted text is skipped; literals, code and comments are read on demand. Running text is answered whole, also
//! within emphasis: bare links are for the caller to find.

mod explicit;
mod inline;
mod lines;
mod reference;
mod table;
mod tokenizer;

pub use tokenizer::RstTokenizer;

use super::lines::LineSettings;
use super::piece::{Piece, Raw};
use crate::language::Language;
use crate::settings::CommentSlots;
use lines::{Line, adornment, is_list, marker_end};
use std::ops::Range;
pub(super) use table::first_simple_table;
use unicode_width::UnicodeWidthStr;

/// The pieces of a document where links may stand, in order. Linear in time.
///
/// ```
/// use linkglot_markup::light::{LineSettings, Raw, rst};
///
/// let text = ".. _a: b\n\n::\n\n  http://example.org/\n";
/// let pieces = rst::pieces(text, LineSettings::default());
/// let [piece] = &pieces[..] else { panic!("one piece") };
/// assert!(matches!(&piece.raw, Raw::Range(range) if *range == (7..8)));
/// ```
pub fn pieces(text: &str, settings: LineSettings) -> Vec<Piece<'_>> {
    let mut pieces = document(text, settings, 0);
    pieces.sort_unstable_by_key(Piece::start);
    pieces
}

/// The most levels of blocks and cells; deeper ones are read as running text.
const MOST_NESTED: usize = 48;

fn document(text: &str, settings: LineSettings, depth: usize) -> Vec<Piece<'_>> {
    let mut reader = Reader::new(text, settings);
    reader.depth = depth;
    reader.block(0..reader.lines.len());
    reader.pieces
}

/// The start of the last block of a slice of whole lines that begins with a block: what stands in front of it reads as
/// it does in the document, whatever follows the slice. `None` if no other block begins. Linear.
fn last_block(text: &str) -> Option<usize> {
    let mut reader = Reader {
        is_outline: true,
        ..Reader::new(text, LineSettings::default())
    };
    let (mut at, end, mut last) = (0, reader.lines.len(), None);
    while at < end {
        let line = reader.line(at);
        at = if line.is_blank() {
            at + 1
        } else if line.indent > 0 {
            // The indentation of a part is that of its first block.
            reader.indented(at, end, 0)
        } else {
            last = Some(line.text).filter(|start| *start > 0).or(last);
            if reader.may_be_table(at, end) {
                break;
            }
            reader.element(at, end, 0)
        };
    }
    last
}

/// Reads the blocks of a document, or of a cell.
struct Reader<'t> {
    text: &'t str,
    settings: LineSettings,
    lines: Vec<Line>,
    pieces: Vec<Piece<'t>>,
    depth: usize,
    /// True if only the ends of the outermost blocks are wanted.
    is_outline: bool,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, settings: LineSettings) -> Self {
        Reader {
            text,
            settings,
            lines: lines::of(text),
            pieces: Vec::new(),
            depth: 0,
            is_outline: false,
        }
    }

    fn line(&self, at: usize) -> Line {
        self.lines[at]
    }

    /// The text of a line, without its indentation.
    fn str(&self, at: usize) -> &'t str {
        self.line(at).str(self.text)
    }

    /// Reads the lines of a block. The least indented line sets the indentation of the block.
    fn block(&mut self, lines: Range<usize>) {
        if self.is_outline {
            return;
        }
        let indents = self.lines[lines.clone()].iter();
        let indents = indents
            .filter(|line| !line.is_blank())
            .map(|line| line.indent);
        let Some(indent) = indents.min() else { return };
        if self.depth >= MOST_NESTED {
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

    /// The end of the lines from `at` on that are blank or indented further than `indent`.
    fn indented(&self, at: usize, end: usize, indent: usize) -> usize {
        (at..end)
            .find(|&at| !self.line(at).is_blank() && self.line(at).indent <= indent)
            .unwrap_or(end)
    }

    /// The next blank line from `at` on.
    fn unbroken(&self, at: usize, end: usize) -> usize {
        (at..end)
            .find(|&at| self.line(at).is_blank())
            .unwrap_or(end)
    }

    /// The bytes of lines, without the indentation of the first.
    fn range(&self, lines: &Range<usize>) -> Range<usize> {
        match lines.clone().last() {
            Some(last) => self.line(lines.start).text..self.line(last).end,
            None => 0..0,
        }
    }

    fn inline(&mut self, range: Range<usize>) {
        if !self.is_outline {
            inline::pieces(self.text, self.settings, range, &mut self.pieces);
        }
    }

    /// Adds lines of code, if code is read.
    fn code(&mut self, lines: Range<usize>) {
        self.listing(lines, None);
    }

    /// Adds lines of code in a language, if code is read.
    fn listing(&mut self, lines: Range<usize>, language: Option<Language>) {
        let range = self.range(&lines);
        if self.settings.reads_code() && !range.is_empty() {
            let language =
                language.filter(|one| one.is_program(self.text[range.clone()].as_bytes()));
            self.pieces
                .push(Piece::listing(Raw::Range(range), language));
        }
    }

    /// Adds the lines of a comment, if comments are read.
    fn comment(&mut self, lines: Range<usize>) {
        let range = self.range(&lines);
        if self.settings.comments == CommentSlots::All && !range.is_empty() {
            self.pieces.push(Piece::comment(range));
        }
    }

    /// Reads the element that begins at a line. Returns the line behind the element.
    fn element(&mut self, at: usize, end: usize, indent: usize) -> usize {
        let text = self.str(at);
        if text == ".." || text.starts_with(".. ") || text.starts_with("..\t") {
            return self.explicit(at, end, indent);
        }
        if text == "__" || text.starts_with("__ ") {
            return self.anonymous(at, end, indent);
        }
        if text.starts_with(">>>") && matches!(text.as_bytes().get(3), None | Some(b' ')) {
            let after = self.unbroken(at, end);
            self.code(at..after);
            return after;
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

    /// Reads a list item, a field or an option: the text behind the marker and the indented lines.
    fn item(&mut self, at: usize, end: usize, indent: usize, marker: usize) -> usize {
        let list = is_list(self.str(at));
        self.cut(at, marker);
        if list && !self.line(at).is_blank() {
            // The text behind a bullet sets the indentation of the item.
            let after = self.indented(at + 1, end, self.line(at).indent - 1);
            self.block(at..after);
            return after;
        }
        let after = self.indented(at + 1, end, indent);
        self.align(at, after);
        self.block(at..after);
        after
    }

    /// Removes the first `skip` bytes of a line.
    fn cut(&mut self, at: usize, skip: usize) {
        let line = &mut self.lines[at];
        line.cut(skip, self.text);
    }

    /// Gives a first line the indentation of the least indented line behind it.
    fn align(&mut self, at: usize, end: usize) {
        let rest = self.lines[at + 1..end].iter();
        let rest = rest.filter(|line| !line.is_blank()).map(|line| line.indent);
        if let Some(least) = rest.min() {
            self.lines[at].indent = least;
        }
    }

    /// True if a marker begins an item. A line behind an enumerator must be indented, blank or another item.
    fn is_item(&self, at: usize, end: usize, indent: usize, marker: usize) -> bool {
        let enumerator = self.str(at)[..marker].trim_end().ends_with(['.', ')']);
        if !enumerator || at + 1 >= end {
            return true;
        }
        let next = self.line(at + 1);
        next.is_blank() || next.indent > indent || marker_end(self.str(at + 1)).is_some()
    }

    /// Reads a paragraph, a title with its underline, or a term with its definition.
    fn paragraph(&mut self, at: usize, end: usize, indent: usize) -> usize {
        let next = at + 1;
        if next < end && !self.line(next).is_blank() {
            if self.line(next).indent > indent {
                let after = self.indented(next, end, indent);
                self.inline(self.range(&(at..next)));
                self.block(next..after);
                return after;
            }
            if let Some(width) = adornment(self.str(next))
                && width >= 4.min(self.width(at))
            {
                self.title(at, width);
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
            let after = self.literal(stop, end, indent);
            self.code(stop..after);
            return after;
        }
        stop
    }

    /// The number of characters of a line.
    fn width(&self, at: usize) -> usize {
        self.str(at).chars().count()
    }

    /// The end of the literal block that may begin at `at`: indented, or quoted by the same mark on each line.
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

    /// Reads a title with an overline and an underline, or a transition.
    fn title_with_overline(&mut self, at: usize, end: usize) -> Option<usize> {
        let over = self.str(at);
        let width = adornment(over)?;
        let under = at + 2;
        if under < end
            && !self.line(at + 1).is_blank()
            && self.str(under).trim_end() == over.trim_end()
        {
            let inset = self
                .line(at + 1)
                .indent
                .saturating_sub(self.line(at).indent);
            self.title(at + 1, width.saturating_sub(inset));
            return Some(under + 1);
        }
        let is_transition = at + 1 >= end || self.line(at + 1).is_blank();
        (width >= 4 && is_transition).then_some(at + 1)
    }

    /// Reads the text of a title whose line has a width in columns. A wider title, of which docutils warns, is not
    /// written: so none becomes wider than its line.
    fn title(&mut self, at: usize, width: usize) {
        let first = self.pieces.len();
        self.inline(self.range(&(at..at + 1)));
        if self.str(at).trim_end().width() > width {
            for piece in &mut self.pieces[first..] {
                piece.access = piece.access.less();
            }
        }
    }

    /// Reads a line block: each line by itself, with its continuation lines.
    fn line_block(&mut self, at: usize, end: usize, indent: usize) -> usize {
        let stop = self.unbroken(at, end);
        let mut first = at;
        while first < stop {
            let starts = |at: usize| self.line(at).indent <= indent;
            let next = (first + 1..stop).find(|&at| starts(at)).unwrap_or(stop);
            if self.str(first).starts_with('|') {
                self.cut(first, 1);
            }
            self.inline(self.range(&(first..next)));
            first = next;
        }
        stop
    }
}

/// True if a paragraph announces a literal block.
fn ends_literal(paragraph: &str) -> bool {
    let Some(before) = paragraph.trim_end().strip_suffix("::") else {
        return false;
    };
    let backslashes = before.bytes().rev().take_while(|&byte| byte == b'\\');
    backslashes.count() % 2 == 0
}

#[cfg(test)]
mod tests;

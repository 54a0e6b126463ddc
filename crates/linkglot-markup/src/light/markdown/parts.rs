//! Long Markdown in parts: where a document may be cut so that each part reads as it does in the whole.
//!
//! The parser finds the cuts itself. It reads a slice, and the last place of the slice where its state is that at the
//! beginning of a document is a cut: where a block, a definition, an item of a list or a row of a table begins that
//! nothing encloses. A row of a table needs the head of the table in front of it. Links by reference and footnotes need
//! the definitions of other parts, so a stretch of the document is surveyed before the first of its parts is read.

use super::{OPTIONS, with_line_feeds};
use crate::light::backslash::find_unescaped;
use crate::surroundings::{Definitions, Label, Surroundings};
use memchr::{memchr, memchr2_iter, memmem};
use pulldown_cmark::{Event, Parser, Tag};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// The longest head of a table that is read again in front of its rows.
const LONGEST_HEAD: usize = 4 << 10;

/// The lines that the parser reads in front of a part: the footnotes that it refers to, for which the parser asks
/// nobody, and the head of a table.
pub(super) fn preamble(around: &Surroundings, part: &str) -> String {
    let mut lines = String::new();
    let mut defined = HashSet::new();
    for at in memmem::find_iter(part.as_bytes(), "[^") {
        let is_bracket = |byte| matches!(byte, b'[' | b']');
        let Some(end) = find_unescaped(part, at + 2, is_bracket) else {
            break;
        };
        let words: Vec<&str> = part[at + 2..end].split_ascii_whitespace().collect();
        let label = words.join(" ");
        if around.definitions.has_footnote(&label) && defined.insert(label.clone()) {
            lines.extend(["[^", &label, "]:\n"]);
        }
    }
    if !lines.is_empty() {
        // A heading ends the last footnote.
        lines.push_str("#\n");
    }
    lines + &around.head
}

/// The end of a part.
#[derive(Debug)]
pub(super) struct Cut {
    /// The length of the part.
    pub length: usize,
    /// The head of the table that goes on behind the part, or nothing.
    pub head: Arc<str>,
}

/// The last cut of a slice that begins behind `head`, the head of a table or nothing. `None` if the slice is one block,
/// which may go on, or if no part may end there. `behind` is the document behind the slice, in a charset in which ASCII
/// stands for itself. The labels that the part defines are added to `definitions`.
pub(super) fn cut(
    (head, slice): (&str, &str),
    behind: &[u8],
    may_end: &dyn Fn(usize) -> bool,
    definitions: &mut Definitions,
) -> Option<Cut> {
    let text = [head, slice].concat();
    let text = with_line_feeds(&text);
    let outline = Outline::of(&text, head.len());
    let border = outline.last_border(behind)?;
    if !may_end(border.at - head.len()) {
        return None;
    }
    outline.define(border.at, definitions);
    Some(Cut {
        length: border.at - head.len(),
        head: text[border.head].into(),
    })
}

/// Adds the labels that the last slice of a document defines.
pub(super) fn define((head, slice): (&str, &str), definitions: &mut Definitions) {
    let text = [head, slice].concat();
    let text = with_line_feeds(&text);
    Outline::of(&text, head.len()).define(text.len(), definitions);
}

/// The blocks of a slice, as the parser reads them.
struct Outline<'t> {
    text: &'t str,
    /// The beginning of the slice, behind the head of a table.
    first: usize,
    /// The number of open blocks.
    depth: usize,
    /// The outermost block.
    block: Block,
    /// The end of the outermost block.
    covered: usize,
    /// The last border so far.
    last: Option<Border>,
    /// For metadata in hyphens and in pluses, the last border that is not behind the first place where it may begin.
    metadata: [Option<Option<Border>>; 2],
    /// The positions of definitions, and their labels.
    links: Vec<(usize, Label)>,
    footnotes: Vec<(usize, Label)>,
}

/// A place where a part may begin.
#[derive(Clone, Debug)]
struct Border {
    at: usize,
    /// The head of the table around it, or nothing.
    head: Range<usize>,
}

/// A block that nothing encloses.
enum Block {
    List,
    /// A table that begins at a position.
    Table(usize),
    /// A table with a head.
    Rows(Range<usize>),
    Other,
}

impl<'t> Outline<'t> {
    fn of(text: &'t str, first: usize) -> Self {
        let parser = Parser::new_ext(text, OPTIONS);
        let links = parser.reference_definitions().iter();
        let mut outline = Outline {
            text,
            first,
            depth: 0,
            block: Block::Other,
            covered: 0,
            last: None,
            metadata: [None, None],
            links: links
                .map(|(label, link)| (link.span.start, Label::link(label)))
                .collect(),
            footnotes: Vec::new(),
        };
        for (event, range) in parser.into_offset_iter() {
            outline.event(&event, range);
        }
        outline
    }

    fn event(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => {
                self.start(tag, &range);
                self.depth += 1;
            }
            Event::End(_) => self.depth -= 1,
            Event::Rule => {
                if self.depth == 0 {
                    self.border(range.start, 0..0);
                    self.covered = range.end;
                }
                self.may_be_metadata(range.start);
            }
            Event::Text(_) => self.may_be_metadata(range.start),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: &Range<usize>) {
        if let Tag::FootnoteDefinition(label) = tag {
            self.footnotes.push((range.start, Label::footnote(label)));
        }
        if self.depth == 0 {
            // Behind a definition, HTML or code may be a paragraph.
            let may_follow = !matches!(tag, Tag::Paragraph | Tag::Heading { .. } | Tag::Table(_));
            if may_follow || follows_blank(self.text, range.start) {
                self.border(range.start, 0..0);
            }
            self.covered = range.end;
            self.block = match tag {
                Tag::List(_) => Block::List,
                Tag::Table(_) => Block::Table(range.start),
                _ => Block::Other,
            };
        } else if self.depth == 1 {
            match (&self.block, tag) {
                (Block::List, Tag::Item) => self.border(range.start, 0..0),
                (Block::Table(start), Tag::TableRow) => {
                    self.block = Block::Rows(*start..line_start(self.text, range.start));
                    self.row(range.start);
                }
                (Block::Rows(_), Tag::TableRow) => self.row(range.start),
                _ => {}
            }
        }
    }

    fn row(&mut self, at: usize) {
        if let Block::Rows(head) = &self.block
            && head.len() <= LONGEST_HEAD
        {
            self.border(at, head.clone());
        }
    }

    fn border(&mut self, at: usize, head: Range<usize>) {
        let at = line_start(self.text, at);
        if at > self.first && self.text.as_bytes()[at - 1] == b'\n' {
            self.last = Some(Border { at, head });
        }
    }

    /// Takes note of text that begins metadata if these end behind the slice.
    fn may_be_metadata(&mut self, at: usize) {
        let rest = &self.text.as_bytes()[at..];
        for (mark, metadata) in MARKS.into_iter().zip(&mut self.metadata) {
            if metadata.is_none() && begins_metadata(rest, mark) {
                *metadata = Some(self.last.clone());
            }
        }
    }

    /// The last border, unless it may be in metadata that end behind the slice.
    fn last_border(&self, behind: &[u8]) -> Option<Border> {
        let is_behind = |at: &usize| *at >= self.covered;
        let starts = self.links.iter().map(|(at, _)| *at).filter(is_behind);
        // A definition behind another may be indented as code is.
        let start = |at| Some(line_start(self.text, at)).filter(|start| at - start < 4);
        let starts = starts.filter_map(start).filter(|at| *at > self.first);
        let definition = starts.max().map(|at| Border { at, head: 0..0 });
        let last = definition.or_else(|| self.last.clone());
        let open = self
            .metadata
            .iter()
            .zip(MARKS)
            .filter_map(|(border, mark)| {
                let border = border.as_ref()?;
                let position = border.as_ref().map_or(0, |border| border.at);
                let is_before = last.as_ref().is_some_and(|last| position < last.at);
                (is_before && ends_metadata(behind, mark)).then_some(border)
            });
        let first = open.min_by_key(|border| border.as_ref().map_or(0, |border| border.at));
        first.map_or(last, Clone::clone)
    }

    /// Adds the labels that are defined in front of a position.
    fn define(&self, end: usize, definitions: &mut Definitions) {
        let labels = self.links.iter().chain(&self.footnotes);
        let own = labels.filter(|(at, _)| (self.first..end).contains(at));
        definitions.extend(own.map(|(_, label)| *label));
    }
}

/// The marks around metadata, which the parser finds anywhere in a document.
const MARKS: [u8; 2] = [b'-', b'+'];

/// True if metadata begin with text of a slice, should they end behind it. Text with an end that is no metadata for the
/// parser is none.
fn begins_metadata(text: &[u8], mark: u8) -> bool {
    let Some(rest) = behind_mark(text, mark) else {
        return false;
    };
    let end = memchr(b'\n', rest).unwrap_or(rest.len());
    let next = rest.get(end + 1..).unwrap_or_default();
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    let begins_line = rest[..end].trim_ascii().is_empty();
    begins_line
        && next.iter().find(|byte| !is_blank(byte)) != Some(&b'\n')
        && !ends_metadata(next, mark)
}

/// True if metadata that `mark` began end in a line of the text.
fn ends_metadata(text: &[u8], mark: u8) -> bool {
    let is_end = |line: &[u8]| {
        let dots = (mark == b'-').then_some(b'.');
        let rest = behind_mark(line, mark).or_else(|| behind_mark(line, dots?));
        rest.is_some_and(|rest| {
            let mut rest = rest.iter();
            matches!(rest.find(|byte| **byte != b' '), None | Some(b'\n' | b'\r'))
        })
    };
    let starts = memchr2_iter(b'\n', b'\r', text).map(|at| at + 1);
    let mut lines = std::iter::once(0).chain(starts).map(|at| &text[at..]);
    lines.any(is_end)
}

/// The text behind three marks.
fn behind_mark(text: &[u8], mark: u8) -> Option<&[u8]> {
    let rest = text.strip_prefix(&[mark; 3])?;
    (rest.first() != Some(&mark)).then_some(rest)
}

/// True if a line begins the text, is a heading with a mark in front, or stands behind an empty line.
fn follows_blank(text: &str, at: usize) -> bool {
    let before = text[..at].trim_ascii_end();
    let is_blank = before.is_empty() || text[before.len()..at].matches('\n').count() > 1;
    is_blank || text[at..].starts_with('#')
}

/// The beginning of the line that is empty in front of a position.
fn line_start(text: &str, at: usize) -> usize {
    text[..at].trim_end_matches([' ', '\t']).len()
}

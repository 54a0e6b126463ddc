//! Explicit markup: what begins with two dots (and anonymous targets with two underscores).

use super::super::super::escape::Escaping;
use super::super::super::slot::Syntax;
use super::super::{Piece, escaped};
use super::lines::field;
use super::{Reader, is_name_reference, named_reference, reference};
use std::ops::Range;

/// How a directive is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Its argument is a reference, its content is text.
    Image,
    /// Its content is HTML, if its argument says so.
    Raw,
    /// Its content is not text.
    Literal,
    /// It holds running text and no blocks.
    Inline,
    /// All of it is text.
    Text,
}

/// Directives of docutils and of Sphinx whose content is code, data or drawings.
const LITERAL: &[&str] = &[
    "code",
    "code-block",
    "sourcecode",
    "highlight",
    "literalinclude",
    "include",
    "math",
    "doctest",
    "testcode",
    "testoutput",
    "testsetup",
    "testcleanup",
    "productionlist",
    "graphviz",
    "graph",
    "digraph",
    "uml",
    "plantuml",
    "mermaid",
    "ipython",
    "plot",
    "prompt",
    "unicode",
    "date",
    "role",
    "default-role",
    "command-output",
    "program-output",
    "jupyter-execute",
];

fn manner(name: &str) -> Manner {
    match name {
        "image" | "figure" => Manner::Image,
        "raw" => Manner::Raw,
        "toctree" | "parsed-literal" | "csv-table" | "index" | "replace" => Manner::Inline,
        _ if LITERAL.contains(&name) => Manner::Literal,
        _ => Manner::Text,
    }
}

impl<'t> Reader<'t> {
    /// The explicit markup that begins at a line; where the next element may begin.
    pub(super) fn explicit(&mut self, at: usize, end: usize, indent: usize) -> usize {
        if self.str(at) == ".." && (at + 1 >= end || self.line(at + 1).is_blank()) {
            return at + 1;
        }
        let after = self.indented(at + 1, end, indent);
        self.behind(at, 2);
        let text = self.str(at);
        if text.starts_with('_') && !matches!(text.as_bytes().get(1), None | Some(b' ')) {
            // What is indented behind a blank line is a block quote; without a target, all of it is a comment.
            let stop = self.unbroken(at, after);
            return if self.target(at, stop) { stop } else { after };
        }
        if let Some(label) = label_end(text) {
            self.behind(at, label);
            self.align(at, after);
            self.block(at..after);
        } else {
            if let Some(name) = substitution_end(text) {
                self.behind(at, name);
            }
            self.directive(at, after);
        }
        after
    }

    /// `__ reference`
    pub(super) fn anonymous(&mut self, at: usize, end: usize, indent: usize) -> usize {
        let stop = self.unbroken(at, self.indented(at + 1, end, indent));
        self.behind(at, 2);
        let piece = reference(self.text, self.range(&(at..stop)), "target");
        self.refer(piece);
        stop
    }

    /// `_name: reference` or `__: reference`, behind the dots; whether it is one.
    fn target(&mut self, at: usize, stop: usize) -> bool {
        let range = self.range(&(at..stop));
        let text = &self.text[..range.end];
        let Some(colon) = name_end(text, range.start + 1) else {
            return false;
        };
        let read = match text[range.start..colon].trim_end() {
            "__" => reference,
            name if name.starts_with("__") => return false,
            _ => named_reference,
        };
        self.refer(read(self.text, colon + 1..range.end, "target"));
        true
    }

    /// A reference, if it is not one to a name.
    fn refer(&mut self, piece: Option<Piece<'t>>) {
        self.pieces.extend(piece.filter(|piece| {
            let super::super::Raw::Range(range) = &piece.raw else {
                return false;
            };
            !is_name_reference(&self.text[range.clone()])
        }));
    }

    /// A directive, or else a comment.
    fn directive(&mut self, at: usize, after: usize) {
        let Some((name, behind)) = directive_name(self.str(at)) else {
            return;
        };
        self.behind(at, behind);
        let options = self.options_begin(at, after);
        let content = (options..after)
            .find(|&line| self.line(line).is_blank())
            .unwrap_or(after);
        match manner(&name) {
            Manner::Text => {
                self.align(at, after);
                self.block(at..after);
            }
            Manner::Image => {
                let argument = self.range(&(at..options));
                let name = if name == "image" { "image" } else { "figure" };
                self.pieces.extend(reference(self.text, argument, name));
                self.options(options..content);
                self.block(content..after);
            }
            Manner::Raw => {
                self.options(options..content);
                let formats = self.str(at).split_ascii_whitespace();
                if formats
                    .into_iter()
                    .any(|format| format.eq_ignore_ascii_case("html"))
                {
                    self.html(content..after);
                }
            }
            Manner::Literal => self.options(options..content),
            Manner::Inline => {
                self.options(options..content);
                self.inline(self.range(&(at..options)));
                self.inline(self.range(&(content..after)));
            }
        }
    }

    /// The line where the options of a directive begin, or its content.
    fn options_begin(&self, at: usize, after: usize) -> usize {
        (at..after)
            .find(|&line| {
                let text = self.str(line);
                line > at && text.is_empty() || field(text).is_some()
            })
            .unwrap_or(after)
    }

    /// The options that hold references.
    fn options(&mut self, lines: Range<usize>) {
        let mut at = lines.start;
        while at < lines.end {
            let is_field = |line: &usize| field(self.str(*line)).is_some();
            let next = (at + 1..lines.end).find(is_field).unwrap_or(lines.end);
            let name = match self.str(at).split(':').nth(1) {
                Some("target") => Some("target"),
                Some("url") => Some("url"),
                _ => None,
            };
            if let (Some(name), Some(marker)) = (name, field(self.str(at))) {
                self.behind(at, marker);
                self.refer(reference(self.text, self.range(&(at..next)), name));
            }
            at = next;
        }
    }

    fn html(&mut self, lines: Range<usize>) {
        let range = self.range(&lines);
        if !range.is_empty() {
            let mut piece = Piece::text(range, Escaping::None);
            piece.syntax = Syntax::Html;
            self.pieces.push(piece);
        }
    }
}

/// The length of the label of a footnote or a citation.
fn label_end(text: &str) -> Option<usize> {
    let label = text.strip_prefix('[')?;
    let close = label.find(']')?;
    let name = label.get(..close)?;
    let known = name
        .chars()
        .all(|ch| ch.is_alphanumeric() || "#*-._+:".contains(ch));
    let open = matches!(label.as_bytes().get(close + 1), None | Some(b' '));
    (known && !name.is_empty() && open).then_some(close + 2)
}

/// The length of the name of a substitution that is being defined.
fn substitution_end(text: &str) -> Option<usize> {
    let name = text.strip_prefix('|')?;
    if name.starts_with([' ', '|']) {
        return None;
    }
    let close = escaped::find(text, 1, b"|")?;
    text[close + 1..].starts_with(' ').then_some(close + 1)
}

/// The name of a directive in lower case, and how much of the line it takes with its colons.
fn directive_name(text: &str) -> Option<(String, usize)> {
    let colons = text.find("::")?;
    let name = text[..colons].strip_suffix(' ').unwrap_or(&text[..colons]);
    let open = matches!(text.as_bytes().get(colons + 2), None | Some(b' '));
    (open && super::is_simple_name(name)).then(|| (name.to_lowercase(), colons + 2))
}

/// The colon behind the name of a target that begins at `at`: in backquotes, or up to the first colon with white space
/// or nothing behind it. Neither counts behind a backslash.
fn name_end(text: &str, at: usize) -> Option<usize> {
    let begin = if text[at..].starts_with('`') {
        escaped::find(text, at + 1, b"`")? + 1
    } else {
        at
    };
    let mut from = begin;
    while let Some(colon) = escaped::find(text, from, b":") {
        let rest = &text[colon + 1..];
        let name = &text[at..colon];
        let whole = !name.is_empty() && (!name.ends_with(':') || name.ends_with("\\:"));
        if whole && (rest.is_empty() || rest.starts_with([' ', '\n', '\r', '\t'])) {
            return Some(colon);
        }
        if begin > at {
            return None;
        }
        from = colon + 1;
    }
    None
}

//! Explicit markup, which begins with two dots, and anonymous targets, which may begin with two underscores.

use super::super::backslash::find_unescaped;
use super::super::piece::{self, Piece, Raw, link_place};
use super::Reader;
use super::lines::field;
use super::reference::{is_name_reference, is_simple_name, named_reference, reference};
use crate::escape::Escaping;
use crate::language::Language;
use crate::slot::{Place, Syntax};
use std::ops::Range;

static FIGURE: Place = link_place("figure");
static TARGET: Place = link_place("target");
static URL: Place = link_place("url");

/// Treatment of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Directive {
    /// The argument is a reference, the content is a block.
    Image,
    /// The content is in the format that the argument names.
    Raw,
    /// The content is not text.
    Literal,
    /// Argument and content are running text without blocks.
    Inline,
    /// Argument and content are a block.
    Block,
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

impl Directive {
    fn of(name: &str) -> Directive {
        match name {
            "image" | "figure" => Directive::Image,
            "raw" => Directive::Raw,
            "toctree" | "parsed-literal" | "csv-table" | "index" | "replace" => Directive::Inline,
            _ if LITERAL.contains(&name) => Directive::Literal,
            _ => Directive::Block,
        }
    }
}

impl<'t> Reader<'t> {
    /// Reads the explicit markup that begins at a line. Returns the line behind the markup.
    pub(super) fn explicit(&mut self, at: usize, end: usize, indent: usize) -> usize {
        if self.str(at) == ".." && (at + 1 >= end || self.line(at + 1).is_blank()) {
            return at + 1;
        }
        let after = self.indented(at + 1, end, indent);
        self.cut(at, 2);
        let text = self.str(at);
        if text.starts_with('_') && !matches!(text.as_bytes().get(1), None | Some(b' ')) {
            // Behind a target, indented lines that follow a blank line are a block quote. Without a target, all lines
            // are a comment.
            let stop = self.unbroken(at, after);
            if self.target(at, stop) {
                return stop;
            }
            self.comment(at..after);
            return after;
        }
        if let Some(label) = label_end(text) {
            self.cut(at, label);
            self.align(at, after);
            self.block(at..after);
        } else {
            if let Some(name) = substitution_end(text) {
                self.cut(at, name);
            }
            self.directive(at, after);
        }
        after
    }

    /// Reads `__ reference`.
    pub(super) fn anonymous(&mut self, at: usize, end: usize, indent: usize) -> usize {
        let stop = self.unbroken(at, self.indented(at + 1, end, indent));
        self.cut(at, 2);
        let piece = reference(self.text, self.range(&(at..stop)), &TARGET);
        self.refer(piece);
        stop
    }

    /// Reads `_name: reference` or `__: reference` behind the dots. Returns true for a target.
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
        self.refer(read(self.text, colon + 1..range.end, &TARGET));
        true
    }

    /// Adds a reference unless it names another target.
    fn refer(&mut self, piece: Option<Piece<'t>>) {
        self.pieces.extend(piece.filter(|piece| {
            let Raw::Range(range) = &piece.raw else {
                return false;
            };
            !is_name_reference(&self.text[range.clone()])
        }));
    }

    /// Reads a directive. Anything else is a comment.
    fn directive(&mut self, at: usize, after: usize) {
        let Some((name, behind)) = directive_name(self.str(at)) else {
            return self.comment(at..after);
        };
        self.cut(at, behind);
        let options = self.options_begin(at, after);
        let content = (options..after)
            .find(|&line| self.line(line).is_blank())
            .unwrap_or(after);
        let directive = Directive::of(&name);
        if directive == Directive::Block {
            self.align(at, after);
            return self.block(at..after);
        }
        self.options(options..content);
        match directive {
            Directive::Image => {
                let argument = self.range(&(at..options));
                let place = match &*name {
                    "image" => &piece::IMAGE,
                    _ => &FIGURE,
                };
                self.pieces.extend(reference(self.text, argument, place));
                self.block(content..after);
            }
            Directive::Raw => {
                let mut formats = self.str(at).split_ascii_whitespace();
                if formats.any(|format| format.eq_ignore_ascii_case("html")) {
                    self.html(content..after);
                }
            }
            Directive::Inline => {
                self.inline(self.range(&(at..options)));
                self.inline(self.range(&(content..after)));
            }
            Directive::Literal => {
                let language = language(&name, self.str(at));
                self.listing(content..after, language);
            }
            Directive::Block => {}
        }
    }

    /// The first line of the options of a directive, or else of its content.
    fn options_begin(&self, at: usize, after: usize) -> usize {
        (at..after)
            .find(|&line| {
                let text = self.str(line);
                line > at && text.is_empty() || field(text).is_some()
            })
            .unwrap_or(after)
    }

    /// Adds the references in options.
    fn options(&mut self, lines: Range<usize>) {
        let mut at = lines.start;
        while at < lines.end {
            let is_field = |line: &usize| field(self.str(*line)).is_some();
            let next = (at + 1..lines.end).find(is_field).unwrap_or(lines.end);
            let place = match self.str(at).split(':').nth(1) {
                Some("target") => Some(&TARGET),
                Some("url") => Some(&URL),
                _ => None,
            };
            if let (Some(place), Some(marker)) = (place, field(self.str(at))) {
                self.cut(at, marker);
                self.refer(reference(self.text, self.range(&(at..next)), place));
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

/// The language of the content of a directive with an argument.
fn language(name: &str, argument: &str) -> Option<Language> {
    match name {
        "code" | "code-block" | "sourcecode" => Language::named(argument.trim()),
        "testcode" | "testsetup" | "testcleanup" | "jupyter-execute" | "ipython" | "plot" => {
            Some(Language::Python)
        }
        _ => None,
    }
}

/// The length of the label of a footnote or a citation.
fn label_end(text: &str) -> Option<usize> {
    let label = text.strip_prefix('[')?;
    let close = label.find(']')?;
    let name = label.get(..close)?;
    let is_name = |ch: char| ch.is_alphanumeric() || "#*-._+:".contains(ch);
    let is_label = !name.is_empty() && name.chars().all(is_name);
    let ends = matches!(label.as_bytes().get(close + 1), None | Some(b' '));
    (is_label && ends).then_some(close + 2)
}

/// The length of the name in a substitution definition.
fn substitution_end(text: &str) -> Option<usize> {
    let name = text.strip_prefix('|')?;
    if name.starts_with([' ', '|']) {
        return None;
    }
    let close = find_unescaped(text, 1, |byte| byte == b'|')?;
    text[close + 1..].starts_with(' ').then_some(close + 1)
}

/// The name of a directive in lower case, and the position behind its colons.
fn directive_name(text: &str) -> Option<(String, usize)> {
    let colons = text.find("::")?;
    let name = text[..colons].strip_suffix(' ').unwrap_or(&text[..colons]);
    let ends = matches!(text.as_bytes().get(colons + 2), None | Some(b' '));
    (ends && is_simple_name(name)).then(|| (name.to_lowercase(), colons + 2))
}

/// The position of the colon behind the name of a target that begins at `at`. The name stands in backquotes, or ends at
/// the first colon in front of white space or the end of the text. Escaped characters do not count.
fn name_end(text: &str, at: usize) -> Option<usize> {
    let is_quoted = text[at..].starts_with('`');
    let mut from = if is_quoted {
        find_unescaped(text, at + 1, |byte| byte == b'`')? + 1
    } else {
        at
    };
    while let Some(colon) = find_unescaped(text, from, |byte| byte == b':') {
        let (name, rest) = (&text[at..colon], &text[colon + 1..]);
        let is_name = !name.is_empty() && (!name.ends_with(':') || name.ends_with("\\:"));
        if is_name && (rest.is_empty() || rest.starts_with([' ', '\n', '\r', '\t'])) {
            return Some(colon);
        }
        if is_quoted {
            return None;
        }
        from = colon + 1;
    }
    None
}

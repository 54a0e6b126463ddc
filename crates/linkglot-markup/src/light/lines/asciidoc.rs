//! AsciiDoc: macros of links, images and media, URLs, and running text around them.
//!
//! The rules are those of Asciidoctor: blocks with delimiters, literal paragraphs, passthroughs, patterns of macros.

mod marks;

use super::super::piece::{IMAGE, INLINE, Piece, link_place};
use super::reader::Sink;
use crate::escape::Escaping;
use crate::language::Language;
use crate::line_state::{AsciiDocState as State, Before, Block, Content, Mode};
use crate::slot::{Place, Syntax};
use marks::Open;
pub(super) use marks::{AROUND, adds_marks};
use std::ops::Range;

static MEDIA: Place = link_place("media");
static INCLUDE: Place = link_place("include");

/// The schemes of URLs without a macro.
const SCHEMES: &[&str] = &["https", "http", "ftp", "irc", "file"];

/// The styles of blocks whose content has no macros.
const STYLES: &[(&str, Content)] = &[
    ("source", Content::Code),
    ("listing", Content::Code),
    ("literal", Content::Code),
    ("stem", Content::Code),
    ("latexmath", Content::Code),
    ("asciimath", Content::Code),
    ("pass", Content::Html),
    ("comment", Content::Comment),
    // A language alone makes a listing.
    ("", Content::Code),
];

/// The state with the beginning of the line behind the next one.
pub(super) fn facing(state: State, below: &[u8]) -> State {
    let is_underlined =
        matches!(below, [first, second, ..] if first == second && b"=-~^+".contains(first));
    State {
        is_underlined,
        ..state
    }
}

/// A listing as lines of running text.
pub(super) fn as_text(state: State) -> State {
    let block = match state.block {
        Block::Delimited(mark, count, content) => {
            Block::Delimited(mark, count, content.without_language())
        }
        block => block,
    };
    State { block, ..state }
}

impl Content {
    /// The content of a listing by the name of its language.
    fn of_language(name: &str) -> Content {
        Language::named(name).map_or(Content::Code, Content::Listing)
    }

    fn without_language(self) -> Content {
        match self {
            Content::Listing(_) => Content::Code,
            content => content,
        }
    }
}

/// Reads a line; returns the state behind it.
pub(super) fn line(state: State, range: Range<usize>, sink: &mut Sink<'_, '_>) -> State {
    let raw = sink.text.get(range.clone()).unwrap_or_default();
    let own = raw.trim_ascii_end();
    match state.block {
        Block::Delimited(mark, count, _) if delimiter(own) == Some((mark, count)) => {
            behind(state, Before::Gap)
        }
        Block::Paragraph(_) if own.is_empty() => behind(state, Before::Gap),
        Block::Delimited(_, _, content) | Block::Paragraph(content) => {
            opaque(content, range, sink);
            state
        }
        Block::None => open_line(state, range, sink),
    }
}

/// Reads a line outside of blocks without macros.
fn open_line(state: State, range: Range<usize>, sink: &mut Sink<'_, '_>) -> State {
    let raw = sink.text.get(range.clone()).unwrap_or_default();
    let own = raw.trim_ascii_end();
    if own.is_empty() {
        return match state.before {
            Before::Text | Before::First(_) => behind(state, Before::Gap),
            Before::Gap | Before::Style(_) | Before::Term => state,
        };
    }
    if own == "|===" {
        return State {
            in_table: !state.in_table,
            ..behind(state, Before::Gap)
        };
    }
    if let Some(underlined) = underlined(state, own) {
        return underlined;
    }
    if let Some((mark, count)) = delimiter(own) {
        return delimited(state, (mark, count), own);
    }
    if own.starts_with('[') && own.ends_with(']') {
        Reader::new(range, sink).attributes();
        return match style(own) {
            Some(content) => behind(state, Before::Style(content)),
            None if matches!(state.before, Before::Style(_)) => state,
            None => behind(state, Before::Gap),
        };
    }
    if own.starts_with("//") && !own.starts_with("///") {
        opaque(Content::Comment, range.start + 2..range.end, sink);
        return state;
    }
    let is_title = own.starts_with('.') && !own[1..].starts_with(['.', ' ']);
    let is_literal = || raw.starts_with([' ', '\t']) && !is_item(own.trim_ascii_start());
    let content = match state.before {
        _ if is_title => None,
        Before::Style(content) => Some(content),
        Before::Gap if !state.in_table && is_literal() => Some(Content::Code),
        _ => None,
    };
    if let Some(content) = content {
        opaque(content, range, sink);
        return State {
            // The first line of a paragraph is a slot of its own.
            block: Block::Paragraph(content.without_language()),
            ..behind(state, Before::Text)
        };
    }
    let mut reader = Reader::new(range, sink);
    (reader.in_table, reader.mode) = (state.in_table, state.mode);
    reader.read();
    // The title of a block stands in front of it.
    let known = State {
        mode: if state.mode == Mode::Compat {
            Mode::Compat
        } else {
            Mode::Modern
        },
        ..state
    };
    match state.before {
        _ if is_title => state,
        Before::Gap if state.is_underlined => behind(
            state,
            Before::First(own.chars().count().min(1 << 12) as u16),
        ),
        _ if own.ends_with("::") || own.ends_with(";;") => behind(known, Before::Term),
        _ => behind(known, Before::Text),
    }
}

/// The state behind a line that underlines the title in front of it; `None` if the line does not.
fn underlined(state: State, line: &str) -> Option<State> {
    let Before::First(length) = state.before else {
        return None;
    };
    let mark = line.as_bytes()[0];
    let is_line = line.bytes().all(|byte| byte == mark) && b"=-~^+".contains(&mark);
    if !is_line || line.len().abs_diff(usize::from(length)) > 1 {
        return None;
    }
    let mode = match (state.mode, mark) {
        (Mode::Unknown, b'=') => Mode::Compat,
        (Mode::Unknown, _) => Mode::Modern,
        (mode, _) => mode,
    };
    Some(State {
        mode,
        ..behind(state, Before::Gap)
    })
}

/// The state in the block that a line begins with so many marks.
fn delimited(state: State, (mark, count): (u8, u16), line: &str) -> State {
    let content = match (state.before, mark) {
        (Before::Style(content), _) => Some(content),
        (_, b'+') => Some(Content::Html),
        (_, b'/') => Some(Content::Comment),
        (_, b'`') => Some(Content::of_language(&line[usize::from(count)..])),
        // The delimiters of open blocks, which have macros.
        (_, b'-') if count == 2 => None,
        _ => Some(Content::Code),
    };
    match content {
        Some(content) => State {
            block: Block::Delimited(mark, count, content),
            ..behind(state, Before::Text)
        },
        None => behind(state, Before::Gap),
    }
}

fn behind(state: State, before: Before) -> State {
    State {
        block: Block::None,
        before,
        ..state
    }
}

/// Reads a line without macros.
fn opaque(content: Content, range: Range<usize>, sink: &mut Sink<'_, '_>) {
    match content {
        Content::Code | Content::Listing(_) => sink.code(range, Escaping::None),
        Content::Html => sink.html(range),
        Content::Comment => sink.comment(range),
    }
}

/// The character and the number of characters of a delimiter.
fn delimiter(line: &str) -> Option<(u8, u16)> {
    let mark = *line
        .as_bytes()
        .first()
        .filter(|mark| b"-.+/`".contains(mark))?;
    let count = line.bytes().take_while(|byte| *byte == mark).count();
    let rest = &line[count..];
    let is_delimiter = match mark {
        b'-' => count == 2 || count >= 4,
        b'.' | b'+' | b'/' => count >= 4,
        b'`' => count == 3,
        _ => false,
    };
    let is_whole = rest.is_empty() || mark == b'`' && !rest.contains([' ', '`']);
    (is_delimiter && is_whole).then(|| (mark, count.min(usize::from(u16::MAX)) as u16))
}

/// The content that an attribute list gives to the block behind it.
fn style(list: &str) -> Option<Content> {
    let name = list[1..].split([',', '.', '#', '%', ']']).next()?.trim();
    let is_known = |(known, _): &&(&str, Content)| *known == name;
    let (known, content) = STYLES.iter().find(is_known)?;
    let content = match *known {
        "source" | "" => {
            let mut values = list[1..list.len() - 1].split(',');
            let language = values.nth(1).unwrap_or_default();
            Content::of_language(language.trim().trim_matches('"'))
        }
        _ => *content,
    };
    (!known.is_empty() || list.starts_with("[,")).then_some(content)
}

/// True for a line that begins an item of a list.
fn is_item(line: &str) -> bool {
    let mark = line.split([' ', '\t']).next().unwrap_or_default();
    let is_marks = |ch: char| !mark.is_empty() && mark.chars().all(|own| own == ch);
    let number = mark.trim_end_matches(['.', ')']);
    let is_number = number.len() < mark.len()
        && (number.bytes().all(|byte| byte.is_ascii_digit()) || number.len() == 1);
    let is_callout = mark.starts_with('<') && mark.ends_with('>');
    let is_term = line.contains(":: ") || line.ends_with("::") || line.contains(";; ");
    is_marks('*')
        || is_marks('.')
        || mark == "-"
        || is_number
        || is_callout
        || is_term
        || line == "+"
}

/// Reads the macros of a line.
struct Reader<'r, 's, 't> {
    /// The text up to the end of the line.
    text: &'t str,
    sink: &'r mut Sink<'s, 't>,
    begin: usize,
    at: usize,
    /// The start of the current running text.
    run: usize,
    /// The end of the text of the last link.
    label: usize,
    in_table: bool,
    mode: Mode,
    /// The formatting around the cursor.
    open: Open,
    /// The last stretch without white space and brackets.
    stretch: Range<usize>,
    /// Marks that do not follow any more: a search that fails is not repeated, so that time is linear.
    missing: Vec<&'static str>,
}

impl<'r, 's, 't> Reader<'r, 's, 't> {
    fn new(range: Range<usize>, sink: &'r mut Sink<'s, 't>) -> Self {
        Reader {
            text: sink.text.get(..range.end).unwrap_or_default(),
            begin: range.start,
            at: range.start,
            run: range.start,
            label: range.start,
            in_table: false,
            mode: Mode::Modern,
            open: Open::new(range.start),
            stretch: range.start..range.start,
            missing: Vec::new(),
            sink,
        }
    }

    fn read(&mut self) {
        let is_mark = |byte: u8| matches!(byte, b':' | b'+' | b'$' | b'|' | b'`' | b'<');
        while let Some(found) = self.rest().bytes().position(is_mark) {
            self.at += found;
            match self.rest().as_bytes()[0] {
                b'|' if self.in_table => self.cut(1),
                b'`' if self.mode == Mode::Compat => self.literal("`"),
                b'+' => self.passthrough(),
                b'$' if self.rest().starts_with("$$") => self.enclosed("$$"),
                b'<' if self.rest().starts_with("<<") => self.reference(),
                b':' => self.colon(),
                _ => self.at += 1,
            }
        }
        self.at = self.text.len();
        self.cut(0);
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The text in front of the cursor that belongs to no construct yet.
    fn before(&self) -> &'t str {
        &self.text[self.run..self.at]
    }

    /// Ends the running text in front of a mark.
    fn cut(&mut self, mark: usize) {
        if self.run <= self.label && self.label > self.begin {
            let end = self.at.min(self.label);
            if self.sink.reads_labels() {
                self.sink.run(self.run..end, Escaping::None);
            }
            self.run = self.at.min(self.label + 1);
        }
        self.sink.run(self.run..self.at, Escaping::None);
        self.at += mark;
        self.run = self.at;
    }

    /// Goes to a position without reading the text up to it.
    fn skip(&mut self, from: usize, to: usize) {
        self.at = from;
        self.cut(to - from);
    }

    /// The position of a mark in the rest.
    fn find(&mut self, mark: &'static str, from: usize) -> Option<usize> {
        if self.missing.contains(&mark) {
            return None;
        }
        let found = self.text[from..].find(mark).map(|at| from + at);
        if found.is_none() {
            self.missing.push(mark);
        }
        found
    }

    /// Reads a passthrough: `+++HTML+++`, `++text++`, `+text+`.
    fn passthrough(&mut self) {
        let (at, rest) = (self.at, self.rest());
        if rest.starts_with("+++") {
            let Some(end) = self.find("+++", at + 3) else {
                self.at += 3;
                return;
            };
            self.skip(at, end + 3);
            self.sink.html(at + 3..end);
        } else if rest.starts_with("++") {
            self.enclosed("++");
        } else if self.mode == Mode::Compat {
            self.at += 1;
        } else {
            self.literal("+");
        }
    }

    /// Passes over text between two marks that stand at the ends of words.
    fn literal(&mut self, mark: &'static str) {
        let at = self.at;
        let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
        let before = self.text[self.begin..at].chars().next_back();
        let opens = !before.is_some_and(|ch| is_word(ch) || ch == '\\' || ch == ':')
            && !self.text[at + 1..].starts_with(char::is_whitespace);
        let end = opens.then(|| self.find(mark, at + 1)).flatten();
        let closes = |end: &usize| {
            let behind = self.text[end + 1..].chars().next();
            *end > at + 1
                && !self.text[..*end].ends_with(char::is_whitespace)
                && !behind.is_some_and(is_word)
        };
        match end.filter(closes) {
            Some(end) => self.skip(at, end + 1),
            None => self.at += 1,
        }
    }

    /// Passes over text between two marks.
    fn enclosed(&mut self, mark: &'static str) {
        match self.find(mark, self.at + mark.len()) {
            Some(end) => self.skip(self.at, end + mark.len()),
            None => self.at += mark.len(),
        }
    }

    /// Reads a macro or a URL, whose name or scheme ends at the cursor.
    fn colon(&mut self) {
        let before = self.before();
        let name_start = before
            .rfind(|ch: char| !ch.is_ascii_alphanumeric())
            .map_or(0, |at| {
                at + before[at..].chars().next().map_or(0, char::len_utf8)
            });
        let name = &before[name_start..];
        let start = self.run + name_start;
        let is_escaped = before[..name_start].ends_with('\\');
        let rest = self.rest();
        let is_url = rest.starts_with("://")
            && SCHEMES
                .iter()
                .any(|scheme| scheme.eq_ignore_ascii_case(name));
        let is_block = rest.starts_with("::");
        match name {
            _ if self.at < self.label => self.at += 1,
            _ if is_url && is_escaped => {
                let end = self.target_end(self.at + 3);
                self.skip(start, end);
            }
            _ if is_url => self.url(start),
            _ if is_escaped => self.at += 1,
            "link" | "mailto" if !is_block => self.link(start, name == "mailto"),
            "image" | "video" | "audio" | "include" if is_block && start == self.begin => {
                self.media(start, name, self.at + 2);
            }
            "image" | "icon" if !is_block => self.media(start, name, self.at + 1),
            "pass" | "stem" | "latexmath" | "asciimath" if !is_block => self.opaque_macro(start),
            _ => self.at += 1,
        }
    }

    /// The end of a target without spaces.
    fn target_end(&mut self, from: usize) -> usize {
        if self.stretch.contains(&from) {
            return self.stretch.end;
        }
        let ends = |ch: char| ch.is_whitespace() || matches!(ch, '[' | ']');
        let end = self.text[from..].find(ends);
        let end = end.map_or(self.text.len(), |at| from + at);
        self.stretch = from..end;
        end
    }

    /// Reads a URL. In front of a bracket it is the target of a link; else the scanner finds its end.
    fn url(&mut self, start: usize) {
        // Only the first URL of a stretch, so that time is linear.
        let is_first = !self.stretch.contains(&(self.at + 3));
        let end = self.target_end(self.at + 3);
        let is_compat = self.mode == Mode::Compat;
        let closed = is_first
            .then(|| self.open.end(self.text, self.begin..start, end, is_compat))
            .flatten();
        if let Some(closed) = closed.filter(|closed| *closed > self.at + 3) {
            self.at = closed;
            return self.cut(0);
        }
        let has_cell = self.in_table && self.text[start..end].contains('|');
        if !self.text[end..].starts_with('[') || end == self.at + 3 || has_cell {
            self.at += 1;
            return;
        }
        self.target(start, start..end, &INLINE);
        self.skip_label(end);
    }

    /// Reads a reference within the document, `<<id,text>>`: a comma ends what stands in front of it.
    fn reference(&mut self) {
        self.cut(2);
        let from = self.at;
        let end = self.find(">>", from);
        let comma = end.and_then(|end| self.text[from..end].find(','));
        if let Some(comma) = comma {
            self.at = from + comma;
            self.cut(1);
        }
    }

    /// Reads `link:target[text]` or `mailto:target[text]`, whose scheme belongs to the link.
    fn link(&mut self, start: usize, is_mail: bool) {
        let from = self.at + 1;
        let quoted = self.text[from..].starts_with("++");
        let end = match quoted.then(|| self.find("++[", from + 2)).flatten() {
            Some(end) => {
                self.target(start, from + 2..end, &INLINE);
                self.skip_label(end + 2);
                return;
            }
            None => self.target_end(from),
        };
        if end == from || !self.text[end..].starts_with('[') {
            self.at += 1;
            return;
        }
        let target = if is_mail { start..end } else { from..end };
        self.target(start, target, &INLINE);
        self.skip_label(end);
    }

    /// Reads a macro of an image or of other media, or a directive.
    fn media(&mut self, start: usize, name: &str, from: usize) {
        let begins = !self.text[from..].starts_with([' ', '\t', '[', ':']);
        let Some(end) = begins.then(|| self.find("[", from)).flatten() else {
            self.at += 1;
            return;
        };
        let attributes = &self.text[end + 1..];
        let is_id = ["youtube", "vimeo", "wistia"]
            .iter()
            .any(|host| name == "video" && attributes.starts_with(host));
        match name {
            "image" => self.target(start, from..end, &IMAGE),
            "include" => {
                self.skip(start, end);
                let mut piece = Piece::link(from..end, Escaping::AsciiDocTarget, &INCLUDE);
                piece.syntax = Syntax::AbsoluteOnly;
                self.sink.push(piece);
            }
            // The name of an icon is no target.
            "icon" => self.skip(start, end),
            _ if is_id => self.skip(start, end),
            _ => self.target(start, from..end, &MEDIA),
        }
        self.attributes();
    }

    /// Adds the target of a link.
    fn target(&mut self, start: usize, target: Range<usize>, place: &'static Place) {
        self.skip(start, target.end);
        self.sink
            .push(Piece::link(target, Escaping::AsciiDocTarget, place));
    }

    /// Goes on behind a target, and notes the end of the text of its link.
    fn skip_label(&mut self, end: usize) {
        self.skip(end, end + 1);
        if let Some(close) = self.find("]", self.at) {
            self.label = close;
        }
    }

    /// Reads an attribute list in brackets: its values are text, and commas separate them.
    fn attributes(&mut self) {
        let inner = self.at + 1;
        let Some(end) = self.find("]", inner) else {
            self.run = self.at;
            return;
        };
        let mut at = inner;
        while at < end {
            let own = &self.text[at..end];
            let equals = own
                .find(['=', ',', '"'])
                .filter(|at| own[*at..].starts_with('='));
            let value = at + equals.map_or(0, |at| at + 1);
            let value =
                value + (self.text[value..end].len() - self.text[value..end].trim_start().len());
            let own = &self.text[value..end];
            let mark = own.chars().next().filter(|mark| "\"'".contains(*mark));
            let quoted = mark.and_then(|mark| own[1..].find(mark));
            let (range, next) = match quoted {
                Some(close) => (value + 1..value + 1 + close, value + close + 2),
                None => {
                    let comma = own.find(',').unwrap_or(own.len());
                    (value..value + comma, value + comma + 1)
                }
            };
            self.sink.run(range, Escaping::None);
            at = next;
        }
        self.at = end + 1;
        self.run = self.at;
    }

    /// Passes over a macro whose text has no macros: `pass:[...]`, `stem:[...]`.
    fn opaque_macro(&mut self, start: usize) {
        let rest = &self.rest()[1..];
        let options = rest
            .bytes()
            .take_while(|byte| byte.is_ascii_lowercase() || *byte == b',');
        let open = self.at + 1 + options.count();
        let close = self.text[open..]
            .starts_with('[')
            .then(|| self.find("]", open));
        match close.flatten() {
            Some(close) => self.skip(start, close + 1),
            None => self.at += 1,
        }
    }
}

//! Org: links in brackets, and running text around them.
//!
//! The rules are those of Org: blocks and lines whose content is an example, spans of code, the escapes of link
//! targets.

use super::super::piece::{INLINE, Piece};
use super::reader::Sink;
use crate::escape::Escaping;
use crate::language::Language;
use crate::line_state::OrgState as State;
use std::ops::Range;

/// Blocks whose content has no links, and comments.
const BLOCKS: &[(&str, Content)] = &[
    ("src", Content::Code),
    ("example", Content::Code),
    ("comment", Content::Comment),
    ("export", Content::Code),
    ("export html", Content::Html),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Code,
    Html,
    Comment,
}

/// The number of blocks of code, which name their language.
const SOURCE: usize = 0;

/// A listing as lines of running text.
pub(super) fn as_text(state: State) -> State {
    match state {
        State::Listing(_) => State::Block(SOURCE as u8),
        state => state,
    }
}

/// Reads a line; returns the state behind it.
pub(super) fn line(state: State, range: Range<usize>, sink: &mut Sink<'_, '_>) -> State {
    let raw = sink.text.get(range.clone()).unwrap_or_default();
    let own = raw.trim_ascii();
    if let State::Listing(_) = state {
        if keyword(own, "#+end_").is_some_and(|end| is_named(end, "src")) {
            return State::Text;
        }
        opaque(Content::Code, range, sink);
        return state;
    }
    if let State::Block(number) = state {
        let (name, content) = BLOCKS[usize::from(number)];
        if keyword(own, "#+end_").is_some_and(|end| is_named(end, name)) {
            return State::Text;
        }
        opaque(content, range, sink);
        return state;
    }
    if let Some(name) = keyword(own, "#+begin_") {
        // The longest name goes first.
        let block = BLOCKS.iter().rposition(|(block, _)| begins(name, block));
        let words = &mut name.split_ascii_whitespace();
        let language = words.nth(1).and_then(Language::named);
        if let (Some(SOURCE), Some(language)) = (block, language) {
            return State::Listing(language);
        }
        if let Some(block) = block {
            return State::Block(block as u8);
        }
    }
    if let Some(html) = keyword(own, "#+html:") {
        sink.html(range.end - (raw.len() - raw.trim_ascii_end().len()) - html.len()..range.end);
        return state;
    }
    let indent = raw.len() - raw.trim_ascii_start().len();
    match own.as_bytes() {
        [b'#'] | [b'#', b' ', ..] => {
            opaque(Content::Comment, range.start + indent + 1..range.end, sink)
        }
        // A line of fixed width.
        [b':'] | [b':', b' ', ..] => {
            opaque(Content::Code, range.start + indent + 1..range.end, sink)
        }
        _ => Reader::new(range, sink).read(),
    }
    State::Text
}

/// The rest of a line that begins with a keyword, in any case.
fn keyword<'l>(line: &'l str, keyword: &str) -> Option<&'l str> {
    let own = line.get(..keyword.len())?;
    own.eq_ignore_ascii_case(keyword)
        .then(|| &line[keyword.len()..])
}

/// True if a line begins with the words of a block.
fn begins(line: &str, block: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    block.split(' ').all(|own| {
        words
            .next()
            .is_some_and(|word| word.eq_ignore_ascii_case(own))
    })
}

/// True if the end of a block has the name of the block.
fn is_named(end: &str, block: &str) -> bool {
    let name = block.split(' ').next().unwrap_or_default();
    begins(end, name)
}

/// The types of links that are schemes of the Web.
const SCHEMES: &[&str] = &[
    "http:", "https:", "ftp:", "mailto:", "news:", "gopher:", "irc:", "ircs:", "tel:", "sip:",
    "xmpp:", "magnet:",
];

/// True if a target has a scheme of the Web.
fn is_of_web(target: &str) -> bool {
    SCHEMES
        .iter()
        .any(|scheme| keyword(target, scheme).is_some())
}

/// Reads a line without links.
fn opaque(content: Content, range: Range<usize>, sink: &mut Sink<'_, '_>) {
    match content {
        Content::Code => sink.code(range, Escaping::None),
        Content::Html => sink.html(range),
        Content::Comment => sink.comment(range),
    }
}

/// Reads the links of a line.
struct Reader<'r, 's, 't> {
    /// The text up to the end of the line.
    text: &'t str,
    sink: &'r mut Sink<'s, 't>,
    begin: usize,
    at: usize,
    /// The start of the current running text.
    run: usize,
    /// True in a row of a table, where a bar ends text.
    is_row: bool,
    /// Marks that do not follow any more: a search that fails is not repeated, so that time is linear.
    missing: Vec<u8>,
}

impl<'r, 's, 't> Reader<'r, 's, 't> {
    fn new(range: Range<usize>, sink: &'r mut Sink<'s, 't>) -> Self {
        let own = sink.text.get(range.clone()).unwrap_or_default();
        Reader {
            is_row: own.trim_ascii_start().starts_with('|'),
            text: sink.text.get(..range.end).unwrap_or_default(),
            begin: range.start,
            at: range.start,
            run: range.start,
            missing: Vec::new(),
            sink,
        }
    }

    fn read(&mut self) {
        let is_mark = |byte: u8| matches!(byte, b'[' | b'=' | b'~' | b'|');
        while let Some(found) = self.text[self.at..].bytes().position(is_mark) {
            self.at += found;
            match self.text.as_bytes()[self.at] {
                b'[' => self.bracket(),
                b'|' if self.is_row => self.cut(1),
                b'|' => self.at += 1,
                mark => self.code(mark),
            }
        }
        self.at = self.text.len();
        self.cut(0);
    }

    /// Ends the running text in front of a mark.
    fn cut(&mut self, mark: usize) {
        self.sink.run(self.run..self.at, Escaping::None);
        self.at += mark;
        self.run = self.at;
    }

    /// Reads `[[target]]` or `[[target][text]]`.
    fn bracket(&mut self) {
        let from = self.at + 2;
        let is_link = self.text[self.at..].starts_with("[[") && !self.missing.contains(&b'[');
        let Some(end) = is_link.then(|| self.target_end(from)).flatten() else {
            self.at += 1;
            return;
        };
        let behind = &self.text[end..];
        let close = match behind.as_bytes() {
            [b']', b']', ..] => Some(end + 2),
            [b']', b'[', ..] => match behind.find("]]") {
                Some(close) => Some(end + close + 2),
                None => {
                    self.missing.push(b'[');
                    None
                }
            },
            _ => None,
        };
        let Some(close) = close.filter(|_| end > from) else {
            self.at += 1;
            return;
        };
        self.cut(2);
        if is_of_web(&self.text[from..end]) {
            self.sink
                .push(Piece::link(from..end, Escaping::OrgTarget, &INLINE));
        }
        if self.sink.reads_labels() && close > end + 2 {
            self.sink.run(end + 2..close - 2, Escaping::None);
        }
        self.at = close;
        self.run = close;
    }

    /// The position of the bracket that ends a target; backslashes escape brackets.
    fn target_end(&mut self, from: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        loop {
            let Some(found) = memchr::memchr3(b'[', b']', b'\\', &bytes[at..]) else {
                self.missing.push(b'[');
                return None;
            };
            at += found;
            match bytes[at] {
                b'\\' => at = (at + 2).min(bytes.len()),
                b']' => return Some(at),
                _ => return None,
            }
        }
    }

    /// Passes over a span of code, `=text=` or `~text~`.
    fn code(&mut self, mark: u8) {
        let opens = |ch: char| ch.is_whitespace() || "-({'\"".contains(ch);
        let closes = |ch: char| ch.is_whitespace() || "-.,:!?;'\")}[\\".contains(ch);
        let before = self.text[self.begin..self.at].chars().next_back();
        let may_open = before.is_none_or(opens)
            && !self.text[self.at + 1..].starts_with(char::is_whitespace)
            && !self.missing.contains(&mark);
        let end = may_open.then(|| self.code_end(mark, closes)).flatten();
        match end {
            Some(end) => {
                let inner = self.at + 1..end;
                self.cut(end + 1 - self.at);
                self.sink.code(inner, Escaping::None);
            }
            None => self.at += 1,
        }
    }

    /// The position of the mark that ends the span of code at the cursor.
    fn code_end(&mut self, mark: u8, closes: impl Fn(char) -> bool) -> Option<usize> {
        let mut at = self.at + 1;
        loop {
            let Some(found) = memchr::memchr(mark, &self.text.as_bytes()[at..]) else {
                self.missing.push(mark);
                return None;
            };
            at += found;
            let is_end = at > self.at + 1
                && !self.text[..at].ends_with(char::is_whitespace)
                && self.text[at + 1..].chars().next().is_none_or(&closes);
            if is_end {
                return Some(at);
            }
            at += 1;
        }
    }
}

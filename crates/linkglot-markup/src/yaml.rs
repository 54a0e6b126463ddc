//! YAML 1.2: scalars that are values are data, comments are running text. Keys, anchors, aliases and tags are no text.
//!
//! Nothing is parsed but the extent and the kind of scalars. A plain scalar over several lines is read line by line: no
//! link goes on in the next line.
//!
//! The module must not know the meaning of running text.

#[cfg(test)]
mod tests;

use crate::code::double_end;
use crate::escape::{Escapes, Escaping, LiteralStyle, YamlStyle};
use crate::json::without_cut;
use crate::signs::may_hold_link;
use crate::slot::{Access, Place, SharedPlace, Step, Tokenizer, Window};
use crate::sql::{ended, slot};
use crate::text_stretch::{End, TextStretch};
use linkglot_charset::Charset;
use std::ops::Range;

/// The tokenizer of YAML. Scalars longer than `max_slot` are skipped.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{Slots, Syntax, YamlTokenizer};
///
/// let text = b"a.b: http://a.example/ # comment\nc: {d: 'e.f'}\n";
/// let slots: Vec<_> = Slots::new(YamlTokenizer::new(1 << 20), text, Charset::UTF_8).collect();
/// assert_eq!((slots.len(), slots[0].syntax), (3, Syntax::Data));
/// assert_eq!(&text[slots[0].range.clone()], b"http://a.example/");
/// ```
#[derive(Debug)]
pub struct YamlTokenizer {
    max_slot: usize,
    /// The bytes in front of the cursor in its line.
    column: usize,
    /// One more than the column of the last key or dash; 0 in front of the first.
    parent: usize,
    /// The open brackets.
    depth: usize,
    flow: Flow,
    /// The column of the question mark whose key is read.
    explicit: Option<usize>,
    /// The column of the first anchor, alias or tag in front of the cursor in its line.
    property: Option<usize>,
    /// True if only marks and names are in front of the cursor in its line.
    is_line_start: bool,
    /// True if a plain scalar may go on in this line.
    continues: bool,
    state: State,
}

/// The place within brackets.
#[derive(Clone, Copy, Debug)]
struct Flow {
    /// The kinds of the innermost brackets, the last in the lowest bit: 1 for `[`. Brackets further out, which are
    /// forgotten, become `{`, in which less is read.
    lists: u64,
    entry: Entry,
    /// The open brackets around a bracket that is a key, or belongs to one.
    key: Option<usize>,
}

/// The place within an entry between commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    Key,
    /// Behind a key, or behind a line of it.
    BehindKey,
    Value,
    BehindValue,
}

impl Flow {
    const NEW: Flow = Flow {
        lists: 0,
        entry: Entry::Value,
        key: None,
    };

    fn begin_entry(&mut self) {
        let is_list = self.lists & 1 == 1;
        self.entry = if is_list { Entry::Value } else { Entry::Key };
    }

    fn pass_scalar(&mut self) {
        self.entry = match self.entry {
            Entry::Key | Entry::BehindKey => Entry::BehindKey,
            Entry::Value | Entry::BehindValue => Entry::BehindValue,
        };
    }

    fn is_key(&self) -> bool {
        self.key.is_some() || matches!(self.entry, Entry::Key | Entry::BehindKey)
    }

    /// True if no key may be here: a bracket has not been closed.
    fn forbids_key(&self) -> bool {
        match self.entry {
            Entry::BehindValue => true,
            Entry::Value => self.lists & 1 == 0,
            _ => false,
        }
    }
}

#[derive(Debug)]
enum State {
    /// Between scalars.
    Tokens,
    /// Within a scalar in quotation marks that begins at the cursor, and whose first bytes have been searched.
    Quoted(u8, usize),
    /// Within such a scalar that is too long.
    SkippingQuoted(u8),
    /// In a line of which nothing is read.
    SkippingLine,
    /// Within an anchor, an alias or a tag.
    Name,
    /// At the lines of a block scalar.
    Block(Block),
    /// Within a block scalar that is too long.
    /// True within a line of it.
    SkippingBlock(Block, bool),
    Text(TextStretch),
}

/// A block scalar.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The indentation of its lines, once a line shows it.
    indent: Option<usize>,
    /// The least indentation.
    least: usize,
    /// The bytes behind the cursor that have been searched, up to the beginning of a line.
    read: usize,
}

/// The bytes that are looked ahead: the header of a block scalar, white space in front of a colon.
const AHEAD: usize = 256;

/// The longest key without a question mark.
const KEY: usize = 1024;

impl YamlTokenizer {
    /// A tokenizer at the beginning of a document.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{Slots, YamlTokenizer};
    ///
    /// let count = |yaml: &[u8]| Slots::new(YamlTokenizer::new(64), yaml, Charset::UTF_8).count();
    /// assert_eq!((count(b"- a.b\n- [c.d, e.f]\n"), count(b"a.b: 1")), (3, 0));
    /// ```
    pub fn new(max_slot: usize) -> Self {
        YamlTokenizer {
            max_slot,
            column: 0,
            parent: 0,
            depth: 0,
            flow: Flow::NEW,
            explicit: None,
            property: None,
            is_line_start: true,
            continues: false,
            state: State::Tokens,
        }
    }

    fn pass(&mut self, length: usize, cursor: &mut usize) {
        *cursor += length;
        self.column += length;
    }

    fn begin_line(&mut self) {
        self.column = 0;
        self.property = None;
        self.is_line_start = true;
    }

    /// A bracket, a colon or a scalar that ends in its line.
    fn pass_token(&mut self) {
        self.property = None;
        self.is_line_start = false;
        self.continues = false;
    }

    /// The key at this column, or the alias in front, is the parent of what follows.
    fn begin_key(&mut self, column: Option<usize>) {
        if let Some(column) = self.property.take().or(column) {
            self.parent = column + 1;
        }
    }

    fn in_key(&self) -> bool {
        self.explicit.is_some() || self.depth > 0 && self.flow.is_key()
    }

    /// Reads up to the next scalar or comment.
    fn tokens(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        loop {
            let rest = &window.bytes[*cursor..];
            let Some(&first) = rest.first() else {
                return Some(ended(window));
            };
            match first {
                b'\n' | b'\r' => {
                    *cursor += 1;
                    self.begin_line();
                    continue;
                }
                b' ' | b'\t' => {
                    self.pass(1, cursor);
                    continue;
                }
                _ if rest.len() < 4 && !window.last => return Some(Step::NeedMore),
                _ => {}
            }
            let is_line = self.column == 0;
            let is_gap = |at: usize| rest.get(at).is_none_or(u8::is_ascii_whitespace);
            let in_flow = self.depth > 0;
            // A list may be as far left as the question mark.
            let is_behind = |key: usize| {
                self.column < key || self.column == key && !(first == b'-' && is_gap(1))
            };
            if !in_flow && first != b'#' && self.explicit.is_some_and(is_behind) {
                self.explicit = None;
            }
            let is_colon = is_gap(1) || in_flow && self.is_colon_in_flow(rest);
            let goes_on = self.continues && self.goes_on(first, is_colon);
            match first {
                b'-' | b'.' if is_line && is_marker(rest) => {
                    (self.depth, self.parent) = (0, 0);
                    (self.flow, self.explicit, self.continues) = (Flow::NEW, None, false);
                    self.pass(3, cursor);
                }
                _ if goes_on => {
                    if let Some(step) = self.plain(window, cursor) {
                        return Some(step);
                    }
                }
                b'%' if is_line && self.depth == 0 => {
                    self.state = State::SkippingLine;
                    return None;
                }
                b'#' => {
                    self.pass(1, cursor);
                    self.state = State::Text(TextStretch::new(End::LineComment));
                    return None;
                }
                b'?' if in_flow => {
                    self.flow.entry = Entry::Key;
                    self.pass(1, cursor);
                }
                b'-' | b'?' if is_gap(1) => {
                    if !in_flow {
                        self.parent = self.column + 1;
                        self.continues = false;
                    }
                    if first == b'?' {
                        self.explicit.get_or_insert(self.column);
                    }
                    self.pass(1, cursor);
                }
                b':' if is_colon => {
                    if in_flow {
                        self.flow.entry = Entry::Value;
                    } else {
                        self.begin_key(None);
                    }
                    self.pass_token();
                    self.pass(1, cursor);
                }
                b'&' | b'*' | b'!' => {
                    self.property.get_or_insert(self.column);
                    self.continues = false;
                    self.state = State::Name;
                    return None;
                }
                b'[' | b'{' => {
                    let is_key = if in_flow {
                        self.flow.is_key()
                    } else if self.is_line_start {
                        match bracket_is_key(rest, window.last) {
                            Some(is_key) => is_key,
                            None => return Some(Step::NeedMore),
                        }
                    } else {
                        false
                    };
                    self.begin_collection(first, is_key);
                    self.pass_token();
                    self.pass(1, cursor);
                }
                b',' if in_flow => {
                    self.flow.begin_entry();
                    self.pass_token();
                    self.pass(1, cursor);
                }
                b']' | b'}' if in_flow => {
                    self.end_collection();
                    self.pass_token();
                    self.pass(1, cursor);
                }
                quote @ (b'"' | b'\'') => {
                    *cursor += 1;
                    self.state = State::Quoted(quote, 0);
                    return None;
                }
                b'|' | b'>' if self.depth == 0 => {
                    if let Some(step) = self.block_or_plain(window, cursor) {
                        return Some(step);
                    }
                }
                _ => {
                    if let Some(step) = self.plain(window, cursor) {
                        return Some(step);
                    }
                }
            }
            if !matches!(self.state, State::Tokens) {
                return None;
            }
        }
    }

    /// True if a colon in a flow collection separates key and value, without a blank behind it.
    fn is_colon_in_flow(&self, colon: &[u8]) -> bool {
        colon.get(1).is_some_and(|next| b",[]{}".contains(next))
            || self.flow.entry != Entry::Key && !self.continues
    }

    /// True if a plain scalar of lines before goes on with this byte. `is_colon`: a colon would separate key and value.
    fn goes_on(&self, first: u8, is_colon: bool) -> bool {
        if self.depth > 0 {
            !(b",[]{}#".contains(&first) || first == b':' && is_colon)
        } else {
            first != b'#' && self.column >= self.parent
        }
    }

    /// Begins a flow collection with a bracket.
    fn begin_collection(&mut self, bracket: u8, is_key: bool) {
        if self.depth == 0 {
            self.flow = Flow::NEW;
            if is_key {
                self.begin_key(Some(self.column));
            }
        }
        if is_key {
            self.flow.key.get_or_insert(self.depth);
        }
        self.depth += 1;
        self.flow.lists = self.flow.lists << 1 | u64::from(bracket == b'[');
        self.flow.begin_entry();
    }

    /// Ends the innermost flow collection.
    fn end_collection(&mut self) {
        self.depth -= 1;
        self.flow.lists >>= 1;
        self.flow.entry = Entry::BehindValue;
        if self.flow.key == Some(self.depth) {
            self.flow.key = None;
            self.flow.entry = Entry::BehindKey;
        }
    }

    /// Reads the header of a block scalar, or a plain scalar that begins like one.
    fn block_or_plain(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let rest = &window.bytes[*cursor..];
        let near = &rest[..rest.len().min(AHEAD)];
        let line = memchr::memchr(b'\n', near);
        if line.is_none() && near.len() < AHEAD && !window.last {
            return Some(Step::NeedMore);
        }
        let header = line.and_then(|end| self.header(&near[..end]));
        let (Some(block), Some(end)) = (header, line) else {
            return self.plain(window, cursor);
        };
        *cursor += end + 1;
        self.begin_line();
        self.continues = false;
        self.state = State::Block(block);
        None
    }

    /// The block scalar with this header, if it is one.
    fn header(&self, line: &[u8]) -> Option<Block> {
        let least = self.parent.max(1);
        let mut indent = None;
        let marks = line[1..].iter().take_while(|byte| match **byte {
            b'+' | b'-' => true,
            digit @ b'1'..=b'9' if indent.is_none() => {
                indent = Some(least + usize::from(digit - b'1'));
                true
            }
            _ => false,
        });
        let rest = &line[1 + marks.count()..];
        let comment = rest.trim_ascii_start();
        let is_header = comment.is_empty() || comment[0] == b'#' && comment.len() < rest.len();
        // The lines of a document without a key may have no indentation.
        let least = self.parent;
        is_header.then_some(Block {
            indent,
            least,
            read: 0,
        })
    }

    /// Reads a plain scalar, or a line of it.
    fn plain(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let start = *cursor;
        let rest = &window.bytes[start..];
        let (length, is_key) = match plain_end(rest, self.depth > 0, window) {
            Some(end) => end,
            // The last byte may be a mark behind the scalar.
            None if rest.len() > self.max_slot + 1 => (rest.len(), false),
            None => return Some(Step::NeedMore),
        };
        if length > self.max_slot {
            // No key is as long.
            self.flow.pass_scalar();
            self.pass_token();
            self.continues = true;
            self.state = State::SkippingLine;
            return Some(too_long(start));
        }
        // A bracket that is never closed ends with a key at the beginning of a line.
        if is_key && self.column == 0 && self.flow.forbids_key() {
            self.depth = 0;
        }
        if is_key && self.depth == 0 {
            self.begin_key(Some(self.column));
        }
        let in_key = is_key || self.in_key();
        self.flow.pass_scalar();
        self.pass_token();
        self.continues = !is_key && rest.get(length).is_none_or(|end| b"\n\r".contains(end));
        // A mark that begins no scalar is passed over.
        self.pass(length.max(1), cursor);
        let raw = rest[..length].trim_ascii_end();
        let style = if self.depth > 0 {
            YamlStyle::Flow
        } else {
            YamlStyle::Plain
        };
        (!in_key && may_hold_link(raw, window.charset))
            .then(|| scalar(start..start + raw.len(), style))
    }

    /// Reads the scalar whose inside begins at the cursor; the first `read` bytes have been searched.
    fn quoted(
        &mut self,
        (quote, read): (u8, usize),
        window: Window<'_>,
        cursor: &mut usize,
    ) -> Option<Step> {
        let start = *cursor;
        let (at, is_end) = quoted_end(quote, window, start, read);
        let known = if is_end || !window.last {
            at
        } else {
            window.bytes.len()
        };
        if known - start > self.max_slot {
            self.flow.pass_scalar();
            self.pass_token();
            self.state = State::SkippingQuoted(quote);
            return Some(too_long(start));
        }
        if !is_end {
            if window.last {
                if self.in_key() {
                    self.state = State::SkippingLine;
                    return None;
                }
                // An unclosed scalar is none: the line is running text.
                self.state = State::Text(TextStretch::malformed(End::Line));
                return None;
            }
            self.state = State::Quoted(quote, at - start);
            return Some(Step::NeedMore);
        }
        let Some(is_key) = self.is_key(window, at + 1) else {
            self.state = State::Quoted(quote, at - start);
            return Some(Step::NeedMore);
        };
        if is_key && self.depth == 0 {
            self.begin_key(Some(self.column));
        }
        let in_key = is_key || self.in_key();
        self.flow.pass_scalar();
        self.pass_token();
        *cursor = at + 1;
        self.column += at + 2 - start;
        let raw = &window.bytes[start..at];
        if in_key || !may_hold_link(raw, window.charset) {
            return None;
        }
        Some(match quote {
            b'\'' => scalar(start..at, YamlStyle::Single),
            _ => slot(
                start..at,
                Escaping::Literal(LiteralStyle::new(Escapes::Yaml, quote)),
                Access::Rewrite,
            ),
        })
    }

    /// True if a colon behind a scalar in quotation marks makes it a key; `None` if a longer window tells.
    fn is_key(&self, window: Window<'_>, behind: usize) -> Option<bool> {
        let rest = &window.bytes[behind..];
        let near = &rest[..rest.len().min(AHEAD)];
        let Some(at) = near.iter().position(|byte| !matches!(byte, b' ' | b'\t')) else {
            return (window.last || near.len() == AHEAD).then_some(false);
        };
        match (near[at], near.get(at + 1)) {
            (b':', None) if !window.last => None,
            (b':', next) => Some(self.depth > 0 || next.is_none_or(u8::is_ascii_whitespace)),
            _ => Some(false),
        }
    }

    fn skip_quoted(&mut self, quote: u8, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let (at, is_end) = quoted_end(quote, window, *cursor, 0);
        if is_end {
            *cursor = at + 1;
            self.column += 1;
            return None;
        }
        *cursor += without_cut(window.charset, &window.bytes[*cursor..at]);
        if window.last {
            *cursor = window.bytes.len();
        }
        self.state = State::SkippingQuoted(quote);
        Some(ended(window))
    }

    /// Reads the lines of a block scalar.
    fn block(&mut self, mut block: Block, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let start = *cursor;
        let (known, is_end) = block.find_end(&window.bytes[start..], window.last);
        if known > self.max_slot {
            block.read = 0;
            self.state = State::SkippingBlock(block, false);
            return Some(too_long(start));
        }
        if !is_end {
            self.state = State::Block(block);
            return Some(Step::NeedMore);
        }
        *cursor = start + block.read;
        self.column = 0;
        let raw = window.bytes[start..*cursor].trim_ascii_end();
        let is_value = !self.in_key() && may_hold_link(raw, window.charset);
        is_value.then(|| scalar(start..start + raw.len(), YamlStyle::Block))
    }

    fn skip_block(
        &mut self,
        (block, mut in_line): (Block, bool),
        window: Window<'_>,
        cursor: &mut usize,
    ) -> Option<Step> {
        loop {
            let rest = &window.bytes[*cursor..];
            if in_line {
                let end = memchr::memchr(b'\n', rest);
                *cursor += end.map_or(rest.len(), |end| end + 1);
                in_line = end.is_none();
            } else {
                match block.line(rest, window.last) {
                    Some(Line::Behind) => {
                        self.column = 0;
                        return None;
                    }
                    Some(_) if !rest.is_empty() => in_line = true,
                    _ => {}
                }
            }
            if *cursor == window.bytes.len()
                || !in_line && block.line(&window.bytes[*cursor..], window.last).is_none()
            {
                self.state = State::SkippingBlock(block, in_line);
                return Some(ended(window));
            }
        }
    }

    fn skip_line(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let rest = &window.bytes[*cursor..];
        match memchr::memchr2(b'\n', b'\r', rest) {
            Some(at) => {
                *cursor += at;
                None
            }
            None => {
                *cursor = window.bytes.len();
                self.state = State::SkippingLine;
                Some(ended(window))
            }
        }
    }

    fn name(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let rest = &window.bytes[*cursor..];
        let is_end = |byte: &u8| {
            byte.is_ascii_whitespace() || self.depth > 0 && matches!(byte, b',' | b']' | b'}')
        };
        let length = rest.iter().position(is_end);
        self.pass(length.unwrap_or(rest.len()), cursor);
        if length.is_none() {
            self.state = State::Name;
            return Some(ended(window));
        }
        None
    }
}

/// The meaning of a line for a block scalar.
enum Line {
    Blank,
    Inside,
    Behind,
}

impl Block {
    /// The meaning of the line at the beginning of bytes; `None` if more bytes tell.
    fn line(&self, bytes: &[u8], last: bool) -> Option<Line> {
        let near = &bytes[..bytes.len().min(AHEAD)];
        let indent = near.iter().position(|byte| *byte != b' ');
        let is_cut = near.len() < AHEAD && !last;
        let indent = match indent {
            None if is_cut => return None,
            None if near.len() < AHEAD => return Some(Line::Blank),
            None => AHEAD,
            Some(at) if matches!(near[at], b'\n' | b'\r') => return Some(Line::Blank),
            Some(0) if near.len() < 4 && !last => return None,
            Some(0) if is_marker(near) => return Some(Line::Behind),
            Some(indent) => indent,
        };
        Some(if indent < self.indent.unwrap_or(self.least) {
            Line::Behind
        } else {
            Line::Inside
        })
    }

    /// Searches the end; true if it is found. Also returns the bytes that surely belong to the scalar.
    fn find_end(&mut self, bytes: &[u8], last: bool) -> (usize, bool) {
        loop {
            let rest = &bytes[self.read..];
            if rest.is_empty() {
                return (self.read, last);
            }
            match self.line(rest, last) {
                None => return (self.read, false),
                Some(Line::Behind) => return (self.read, true),
                Some(Line::Blank) => {}
                Some(Line::Inside) => {
                    let indent = rest.iter().take_while(|byte| **byte == b' ').count();
                    self.indent.get_or_insert(indent.min(AHEAD));
                }
            }
            match memchr::memchr(b'\n', rest) {
                Some(at) => self.read += at + 1,
                None if last => self.read = bytes.len(),
                None => return (bytes.len(), false),
            }
        }
    }
}

/// True if the bracket at the beginning of bytes may be a key, or begin one: in its line, a colon is behind a closing
/// bracket. `None` if more bytes tell.
fn bracket_is_key(bytes: &[u8], last: bool) -> Option<bool> {
    let near = &bytes[..bytes.len().min(KEY)];
    let end = memchr::memchr2(b'\n', b'\r', near);
    if end.is_none() && near.len() < KEY && !last {
        return None;
    }
    let line = &near[..end.unwrap_or(near.len())];
    let mut colons = memchr::memchr_iter(b':', line);
    let closes = |at: usize| line[..at].trim_ascii_end().ends_with(b"]");
    let closes_map = |at: usize| line[..at].trim_ascii_end().ends_with(b"}");
    Some(colons.any(|at| closes(at) || closes_map(at)))
}

/// The end of a plain scalar, and true if it is a key; `None` if more bytes tell.
fn plain_end(bytes: &[u8], in_flow: bool, window: Window<'_>) -> Option<(usize, bool)> {
    let is_split = window.charset != Charset::UTF_8;
    // Characters are told from `known`, where one begins.
    let (mut known, mut at) = (0, 0);
    while let Some(found) = bytes[at..].iter().position(|byte| MARKS.contains(byte)) {
        at += found;
        let next = bytes.get(at + 1);
        if next.is_none() && !window.last {
            return None;
        }
        if is_split && bytes[at] >= 0x40 {
            let is_char = window.charset.is_char_at(&bytes[known..], at - known);
            if !is_char {
                at += 1;
                known = at;
                continue;
            }
        }
        let is_gap = next.is_none_or(u8::is_ascii_whitespace);
        match bytes[at] {
            b'\n' | b'\r' => return Some((at, false)),
            b':' if is_gap => return Some((at, true)),
            b':' if in_flow && next.is_some_and(|next| b",[]{}".contains(next)) => {
                return Some((at, true));
            }
            b'#' if at > 0 && matches!(bytes[at - 1], b' ' | b'\t') => return Some((at, false)),
            b',' | b'[' | b']' | b'{' | b'}' if in_flow => return Some((at, false)),
            _ => {}
        }
        at += 1;
        known = at;
    }
    window.last.then_some((bytes.len(), false))
}

/// The bytes that may end a plain scalar.
const MARKS: &[u8] = b"\n\r:#,[]{}";

/// The end of a scalar in quotation marks whose first `read` bytes have been searched, or the position at which the
/// search goes on; true for the end.
fn quoted_end(quote: u8, window: Window<'_>, start: usize, read: usize) -> (usize, bool) {
    if quote == b'"' {
        return double_end(window, start, read);
    }
    let mut at = start + read;
    while let Some(found) = memchr::memchr(quote, &window.bytes[at..]) {
        at += found;
        match window.bytes.get(at + 1) {
            Some(next) if *next == quote => at += 2,
            None if !window.last => return (at, false),
            _ => return (at, true),
        }
    }
    (window.bytes.len(), false)
}

/// True if a line begins or ends a document.
fn is_marker(line: &[u8]) -> bool {
    let is_mark = line.starts_with(b"---") || line.starts_with(b"...");
    is_mark && line.get(3).is_none_or(u8::is_ascii_whitespace)
}

fn too_long(at: usize) -> Step {
    Step::TooLong(at, Place::clone(&SharedPlace::TEXT))
}

fn scalar(range: Range<usize>, style: YamlStyle) -> Step {
    slot(range, Escaping::Yaml(style), Access::Rewrite)
}

impl Tokenizer for YamlTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        *cursor = (*cursor).min(window.bytes.len());
        loop {
            let step = match std::mem::replace(&mut self.state, State::Tokens) {
                State::Tokens => self.tokens(window, cursor),
                State::Quoted(quote, read) => self.quoted((quote, read), window, cursor),
                State::SkippingQuoted(quote) => self.skip_quoted(quote, window, cursor),
                State::SkippingLine => self.skip_line(window, cursor),
                State::Name => self.name(window, cursor),
                State::Block(block) => self.block(block, window, cursor),
                State::SkippingBlock(block, in_line) => {
                    self.skip_block((block, in_line), window, cursor)
                }
                State::Text(mut text) => {
                    let step = text.step(window, cursor);
                    if step.is_some() {
                        self.state = State::Text(text);
                    }
                    step
                }
            };
            if let Some(step) = step {
                return step;
            }
        }
    }

    fn is_malformed(&self) -> bool {
        matches!(&self.state, State::Text(text) if text.is_malformed())
    }
}

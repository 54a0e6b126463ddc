//! TeX and BibTeX: arguments of link commands, values of entries, comments and running text.
//!
//! Nothing is expanded: commands are known by name. Verbatim text and the text of a link are read only on request, as
//! in other markup. A command without an argument that ends is running text.
//!
//! The module must not know the meaning of running text.

mod argument;
mod entry;
mod environment;
#[cfg(test)]
mod tests;

use crate::escape::{Escaping, TexPlace, tex_word_length};
use crate::settings::TextSlots;
use crate::slot::{Access, Place, Run, SharedPlace, Slot, Step, Syntax, Tokenizer, Window};
use crate::text_stretch::{End as TextEnd, TextStretch};
use environment::Environments;
pub use environment::TEX_VERBATIM;
use linkglot_charset::Charset;
use std::ops::Range;

/// The longest text that is one slot, and the longest argument.
const LONGEST: usize = 1 << 16;

/// The most bytes that marks look ahead.
const AHEAD: usize = 64;

/// The tokenizer of TeX and BibTeX.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{Slots, TexTokenizer, TextSlots};
///
/// let text = br"see \href{http://a.example/a\_b}{www.a.example} % b.example";
/// let slots = Slots::new(TexTokenizer::new(TextSlots::Prose, 1 << 20), text, Charset::UTF_8);
/// let raw: Vec<_> = slots.map(|slot| &text[slot.range]).collect();
/// assert_eq!(raw, [&br"http://a.example/a\_b"[..], b" b.example"]);
/// ```
#[derive(Debug)]
pub struct TexTokenizer {
    text: TextSlots,
    max_slot: usize,
    position: Position,
    state: State,
}

/// Groups around a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Position {
    /// Open braces.
    depth: usize,
    /// The depth around the entry of BibTeX.
    entry: Option<usize>,
    /// The depth around the text of a link.
    label: Option<usize>,
    /// True if a line begins before the next byte.
    begins_line: bool,
    /// Open brackets of commands outside of all braces.
    brackets: usize,
    /// The open braces, the innermost as the lowest bit: true around an argument that may be a list.
    lists: u64,
    environments: Environments,
}

impl Position {
    /// True if TeX reads the text here byte by byte; an argument it reads as a whole, with `%` as the beginning of a
    /// comment.
    fn is_outside_of_arguments(&self) -> bool {
        self.depth == 0 && self.brackets == 0 && self.environments.are_harmless()
    }

    /// True in an argument in which a comma may end an item, as in `\hypersetup{pdfurl=http://a.example/,pdfauthor=b}`.
    fn is_in_list(&self) -> bool {
        match self.depth {
            0 => self.brackets > 0,
            _ => self.lists & 1 == 1,
        }
    }

    fn open_group(&mut self, is_list: bool) {
        self.depth += 1;
        self.lists = self.lists << 1 | u64::from(is_list);
    }
}

#[derive(Debug)]
enum State {
    Text,
    /// Behind the argument of a command that has a text, too.
    BeforeLabel,
    /// In front of a value.
    Value(Value),
    Comment(TextStretch),
    /// Verbatim text up to this mark.
    Verbatim(Box<[u8]>),
    /// Within a text that is too long, up to white space.
    Skipping,
}

/// A value in front of which the cursor stands.
#[derive(Clone, Debug)]
struct Value {
    /// Its bytes behind the cursor.
    range: Range<usize>,
    /// The end of the command, behind the cursor.
    behind: usize,
    /// Its reading; `None` if it is skipped.
    reading: Option<(Escaping, Syntax, SharedPlace)>,
    has_label: bool,
}

impl Value {
    /// An identifier, which is skipped; `None` if nothing in it looks like a link.
    fn key(key: &[u8]) -> Option<Self> {
        may_hold_link(key).then_some(Value {
            range: 0..key.len(),
            behind: key.len(),
            reading: None,
            has_label: false,
        })
    }
}

/// The part of a document that is known, for marks that look ahead.
#[derive(Clone, Copy)]
struct Reach {
    charset: Charset,
    /// True if the document ends with the window.
    last: bool,
    /// The longest argument.
    longest: usize,
}

impl Reach {
    /// The first mark in bytes that begin with a character. A byte of a longer character is none.
    fn find(self, bytes: &[u8], is_mark: impl Fn(u8) -> bool) -> Option<usize> {
        let (mut known, mut at) = (0, 0);
        loop {
            at += bytes.get(at..)?.iter().position(|byte| is_mark(*byte))?;
            let may_be_half = self.charset != Charset::UTF_8 && bytes[at] >= 0x40;
            if !may_be_half || self.charset.is_char_at(&bytes[known..], at - known) {
                return Some(at);
            }
            at += 1;
            known = at;
        }
    }

    /// The position behind brackets at a position, or that position if there are none. Otherwise the mark: of more, or
    /// none if the brackets do not close on their line.
    fn behind_brackets(
        self,
        bytes: &[u8],
        from: usize,
        [open, close]: [u8; 2],
        most: usize,
    ) -> Result<usize, Option<Mark>> {
        match bytes.get(from) {
            None => return Err(self.more()),
            Some(first) if *first != open => return Ok(from),
            Some(_) => {}
        }
        let near = &bytes[from + 1..bytes.len().min(from + 1 + most)];
        match self.find(near, |byte| byte == close || byte == b'\n') {
            Some(at) if near[at] == close => Ok(from + 1 + at + 1),
            Some(_) => Err(None),
            None => Err(self.more().filter(|_| near.len() < most)),
        }
    }

    /// The answer where a longer window may tell: `None` at the end of the document.
    fn more(self) -> Option<Mark> {
        (!self.last).then_some(Mark::More)
    }
}

/// The meaning of a byte.
enum Mark {
    /// So many bytes of text.
    Pass(usize),
    /// A longer window tells.
    More,
    /// The text ends behind so many bytes.
    Cut(usize, State),
}

/// True if a document begins like LaTeX. `start` is ASCII without white space in front.
///
/// ```
/// use linkglot_markup::begins_tex;
///
/// assert!(begins_tex(b"% a paper\n\\documentclass{article}") && !begins_tex(b"\\a % b"));
/// ```
pub fn begins_tex(mut start: &[u8]) -> bool {
    while start.starts_with(b"%") {
        let end = memchr::memchr(b'\n', start).unwrap_or(start.len());
        start = start[end..].trim_ascii_start();
    }
    let names: [&[u8]; 2] = [b"\\documentclass", b"\\documentstyle"];
    let begins = |name: &[u8]| {
        start
            .strip_prefix(name)
            .is_some_and(|rest| matches!(rest.first(), Some(b'{' | b'[')))
    };
    names.into_iter().any(begins)
}

impl TexTokenizer {
    /// A tokenizer at the beginning of a document.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{Slots, TexTokenizer, TextSlots};
    ///
    /// let count = |text| {
    ///     let tokenizer = TexTokenizer::new(text, 1 << 20);
    ///     Slots::new(tokenizer, b"\\verb|http://a.example/|", Charset::UTF_8).count()
    /// };
    /// assert_eq!((count(TextSlots::Prose), count(TextSlots::Code)), (0, 1));
    /// ```
    pub fn new(text: TextSlots, max_slot: usize) -> Self {
        TexTokenizer {
            text,
            max_slot,
            position: Position {
                begins_line: true,
                ..Position::default()
            },
            state: State::Text,
        }
    }

    fn longest(&self) -> usize {
        LONGEST.min(self.max_slot)
    }

    /// Reads text up to the next mark that ends it.
    fn text(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let bytes = &window.bytes[*cursor..];
        let longest = self.longest();
        let is_cut = bytes.len() > longest;
        let most = if is_cut {
            match bytes[..longest].iter().rposition(u8::is_ascii_whitespace) {
                Some(at) => at + 1,
                None => return self.too_long(bytes, *cursor),
            }
        } else {
            bytes.len()
        };
        let mut here = self.position;
        let reach = Reach {
            charset: window.charset,
            last: window.last,
            longest,
        };
        let mut at = 0;
        let (end, next) = loop {
            let rest = bytes.get(at..most).unwrap_or_default();
            let found = reach.find(rest, is_mark);
            let before = &rest[..found.unwrap_or(rest.len())];
            here.begins_line &= before.iter().all(u8::is_ascii_whitespace);
            let Some(found) = found else {
                if !is_cut && !window.last {
                    return Some(Step::NeedMore);
                }
                break (at.max(most), State::Text);
            };
            at += found;
            match self.mark(&mut here, bytes, at, reach) {
                Mark::Pass(length) => at += length,
                Mark::More => return Some(Step::NeedMore),
                Mark::Cut(length, next) => break (at + length, next),
            }
        };
        if bytes.is_empty() {
            return Some(Step::End);
        }
        let is_read = match self.position.label {
            Some(_) => self.text == TextSlots::All,
            None => self.text != TextSlots::None,
        };
        let place = match self.position.entry.or(here.entry) {
            Some(_) => TexPlace::Entry,
            None => TexPlace::Text,
        };
        self.position = here;
        self.state = next;
        let range = *cursor..*cursor + end;
        *cursor = range.end;
        let is_slot = is_read && may_hold_link(&bytes[..end]);
        is_slot.then(|| {
            let reading = (Escaping::Tex(place), Syntax::EscapedText, SharedPlace::TEXT);
            slot(range, reading)
        })
    }

    /// A text without white space that is longer than a slot.
    fn too_long(&mut self, bytes: &[u8], cursor: usize) -> Option<Step> {
        self.state = State::Skipping;
        may_hold_link(&bytes[..self.longest()])
            .then(|| Step::TooLong(cursor, Place::clone(&SharedPlace::TEXT)))
    }

    fn skip(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let rest = &window.bytes[*cursor..];
        let end = rest.iter().position(u8::is_ascii_whitespace);
        *cursor += end.unwrap_or(rest.len());
        if end.is_none() && !window.last {
            self.state = State::Skipping;
            return Some(Step::NeedMore);
        }
        None
    }

    /// The meaning of the mark at a position.
    fn mark(&self, here: &mut Position, bytes: &[u8], at: usize, reach: Reach) -> Mark {
        let rest = &bytes[at..];
        let begins_line = std::mem::take(&mut here.begins_line);
        match rest[0] {
            b'\n' => {
                here.begins_line = true;
                match ends_paragraph(&rest[1..], reach.last) {
                    None => Mark::More,
                    Some(true) => {
                        // A bracket that is not closed was none of a command.
                        here.brackets = 0;
                        Mark::Cut(1, State::Text)
                    }
                    Some(false) => Mark::Pass(1),
                }
            }
            b',' if here.is_in_list() => match rest.get(1) {
                None => reach.more().unwrap_or(Mark::Pass(1)),
                Some(next) if next.is_ascii_whitespace() => Mark::Pass(1),
                Some(_) => Mark::Cut(1, State::Text),
            },
            b'[' if here.depth == 0 && argument::begins(&bytes[..at]) => {
                here.brackets += 1;
                Mark::Pass(1)
            }
            b']' if here.depth == 0 => {
                here.brackets = here.brackets.saturating_sub(1);
                Mark::Pass(1)
            }
            b'%' if here.entry.is_none() => {
                let stretch = TextStretch::new(TextEnd::LineComment);
                Mark::Cut(1, State::Comment(stretch))
            }
            b'{' => {
                let is_key = argument::is_key(&bytes[..at]);
                here.open_group(!is_key && argument::is_list(&bytes[..at]));
                let value = if is_key {
                    argument::keys(&rest[1..], b'}', reach)
                } else {
                    entry::value(here, bytes, at, reach)
                };
                value.unwrap_or(Mark::Pass(1))
            }
            b'}' => close(here),
            b'"' => entry::value(here, bytes, at, reach).unwrap_or(Mark::Pass(1)),
            b'@' if begins_line => entry::begin(here, rest, reach),
            b'\\' => self.command(here, rest, reach),
            _ => Mark::Pass(1),
        }
    }

    /// The meaning of a backslash.
    fn command(&self, here: &mut Position, rest: &[u8], reach: Reach) -> Mark {
        let near = &rest[1..rest.len().min(AHEAD)];
        let length = tex_word_length(near);
        if near.is_empty() || length == near.len() && rest.len() < AHEAD {
            return reach.more().unwrap_or(Mark::Pass(rest.len()));
        }
        let name = &near[..length];
        match name {
            // A line break is a mark of its own.
            b"" if near[0] == b'\n' || !near[0].is_ascii() => Mark::Pass(1),
            b"" if near[0] == b'@' && near.len() == 1 && !reach.last => Mark::More,
            b"" => Mark::Pass(2),
            b"url" | b"href" | b"nolinkurl" | b"path" => {
                argument::of_link(here, rest, name, reach).unwrap_or(Mark::Pass(1 + length))
            }
            b"verb" | b"Verb" | b"spverb" | b"lstinline" | b"mint" | b"mintinline" => self
                .inline(rest, 1 + length, reach)
                .unwrap_or(Mark::Pass(1 + length)),
            b"begin" | b"end" => environment::edge(here, rest, 1 + length, reach),
            _ => Mark::Pass(1 + length),
        }
    }

    /// Verbatim text within a line, between two marks of one kind.
    fn inline(&self, rest: &[u8], name: usize, reach: Reach) -> Option<Mark> {
        /// The longest text of that kind.
        const MOST: usize = 256;
        let star = usize::from(rest.get(name) == Some(&b'*'));
        let mut from = name + star;
        // Options and, in minted, the language.
        let brackets = match &rest[1..name] {
            b"verb" => &[][..],
            b"mint" | b"mintinline" => &[*b"[]", *b"{}"],
            _ => &[*b"[]"],
        };
        for pair in brackets {
            from = match reach.behind_brackets(rest, from, *pair, MOST) {
                Ok(behind) => behind,
                Err(mark) => return mark,
            };
        }
        from += 1;
        let Some(mark) = rest.get(from - 1).copied() else {
            return reach.more();
        };
        let end = match mark {
            b'{' if rest[..name] != *b"\\verb" => b'}',
            mark if mark.is_ascii_punctuation() && !matches!(mark, b'{' | b'}' | b'[' | b'\\') => {
                mark
            }
            _ => return None,
        };
        let near = &rest[from..rest.len().min(from + MOST)];
        let Some(length) = reach.find(near, |byte| byte == end || byte == b'\n') else {
            return reach.more().filter(|_| near.len() < MOST);
        };
        if near[length] != end {
            return None;
        }
        let is_read = self.reads_code();
        // New text must not end the verbatim text.
        let place = TexPlace::Verbatim { is_nested: false };
        let code = (Escaping::Tex(place), Syntax::EscapedText, SharedPlace::TEXT);
        let value = Value {
            range: from..from + length,
            behind: from + length + 1,
            reading: is_read.then_some(code),
            has_label: false,
        };
        Some(Mark::Cut(0, State::Value(value)))
    }

    fn reads_code(&self) -> bool {
        matches!(self.text, TextSlots::Code | TextSlots::All)
    }

    /// Answers a value, and goes behind its command.
    fn value(&mut self, value: Value, cursor: &mut usize) -> Option<Step> {
        let range = *cursor + value.range.start..*cursor + value.range.end;
        *cursor += value.behind;
        if value.has_label {
            self.state = State::BeforeLabel;
        }
        let reading = value.reading.filter(|_| !range.is_empty());
        reading.map(|reading| slot(range, reading))
    }

    /// Goes to the text of a link, if it follows.
    fn before_label(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let rest = &window.bytes[*cursor..];
        let near = &rest[..rest.len().min(AHEAD)];
        match near.iter().position(|byte| !byte.is_ascii_whitespace()) {
            None if near.len() < AHEAD && !window.last => {
                self.state = State::BeforeLabel;
                return Some(Step::NeedMore);
            }
            Some(at) if near[at] == b'{' => {
                self.position.label.get_or_insert(self.position.depth);
                self.position.open_group(false);
                *cursor += at + 1;
            }
            _ => {}
        }
        None
    }

    /// Reads verbatim text line by line.
    fn verbatim(&mut self, end: Box<[u8]>, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let rest = &window.bytes[*cursor..];
        let longest = self.longest();
        let near = &rest[..rest.len().min(longest)];
        let line = memchr::memchr(b'\n', near).map(|at| at + 1);
        if line.is_none() && !window.last && near.len() < longest {
            self.state = State::Verbatim(end);
            return Some(Step::NeedMore);
        }
        let line = line.unwrap_or(near.len());
        if line == 0 {
            return Some(Step::End);
        }
        let found = memchr::memmem::find(&near[..line], &end);
        let length = found.unwrap_or(line);
        let range = *cursor..*cursor + length;
        *cursor = range.end;
        match found {
            Some(_) => self.state = State::Text,
            None => self.state = State::Verbatim(end),
        }
        let is_slot = self.reads_code() && may_hold_link(&rest[..length]);
        let reading = (Escaping::None, Syntax::EscapedText, SharedPlace::TEXT);
        is_slot.then(|| slot(range, reading))
    }
}

/// Goes behind a closing brace.
fn close(here: &mut Position) -> Mark {
    here.depth = here.depth.saturating_sub(1);
    here.lists >>= 1;
    here.environments.close_group(here.depth);
    if here.label.is_some_and(|around| here.depth <= around) {
        here.label = None;
        return Mark::Cut(1, State::Text);
    }
    if here.entry.is_some_and(|around| here.depth <= around) {
        here.entry = None;
        return Mark::Cut(1, State::Text);
    }
    Mark::Pass(1)
}

/// True if the line that begins here is empty; `None` if a longer window tells.
fn ends_paragraph(line: &[u8], last: bool) -> Option<bool> {
    let near = &line[..line.len().min(AHEAD)];
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    match near.iter().find(|byte| !is_blank(byte)) {
        Some(byte) => Some(*byte == b'\n'),
        None if near.len() == AHEAD => Some(false),
        None => last.then_some(true),
    }
}

/// True for bytes that may have a meaning.
fn is_mark(byte: u8) -> bool {
    matches!(
        byte,
        b'\\' | b'%' | b'{' | b'}' | b'[' | b']' | b',' | b'\n' | b'@' | b'"'
    )
}

/// False if bytes surely hold no link.
fn may_hold_link(raw: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, b':' | b'.' | b'@' | 0x80..);
    raw.iter().any(is_sign)
}

fn slot(range: Range<usize>, (escaping, syntax, place): (Escaping, Syntax, SharedPlace)) -> Step {
    Step::Slot(Slot {
        range,
        escaping,
        syntax,
        place,
        access: Access::Rewrite,
        run: Run::WHOLE,
    })
}

impl Tokenizer for TexTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        *cursor = (*cursor).min(window.bytes.len());
        loop {
            let step = match std::mem::replace(&mut self.state, State::Text) {
                State::Text => self.text(window, cursor),
                State::BeforeLabel => self.before_label(window, cursor),
                State::Value(value) => self.value(value, cursor),
                State::Verbatim(end) => self.verbatim(end, window, cursor),
                State::Skipping => self.skip(window, cursor),
                State::Comment(mut comment) => {
                    let step = comment.step(window, cursor);
                    if step.is_some() {
                        self.state = State::Comment(comment);
                    }
                    step
                }
            };
            if let Some(step) = step {
                return step;
            }
        }
    }
}

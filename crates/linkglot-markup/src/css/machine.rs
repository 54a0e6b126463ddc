//! The state machine over the tokens of CSS (CSS Syntax Level 3, section 4.3), as far as links need them.
//!
//! Plain stretches are skipped with a table of the few bytes with a meaning. At a `(` the machine looks back at most
//! [`LONGEST_NAME`] bytes for the name of a function; only names with escapes are followed forward. In charsets where
//! `\` and `@` may be the second half of a character, [`Machine::is_char`] confirms them first.

use super::lex::{
    Escape, LONGEST_NAME, PLAIN_STOP, STRING_STOP, URL_STOP, byte, escape_end, find, ident_end,
    name_start, string_escape_end, unescape_ident,
};
use crate::boundary;
use crate::byte_search::skip_spaces;
use crate::escape::{Escaping, Quote};
use crate::slot::Window;
use linkglot_charset::Charset;
use linkglot_charset::ascii::{is_safe, is_space};
use linkglot_charset::ranges::{slice, tail};
use std::ops::Range;

/// The distance to the last known character boundary from which on decoding for a nearer one pays off.
const FAR: usize = 4096;

/// The functions that hold links, and the at-rule `@import`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Url,
    Src,
    ImageSet,
    Import,
    /// A filter of Internet Explorer, `AlphaImageLoader(src='a.png')`.
    ImageLoader,
}

impl Function {
    pub const ALL: [Function; 5] = [
        Function::Url,
        Function::Src,
        Function::ImageSet,
        Function::Import,
        Function::ImageLoader,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Function::Url => "url",
            Function::Src => "src",
            Function::ImageSet => "image-set",
            Function::Import => "@import",
            Function::ImageLoader => "AlphaImageLoader",
        }
    }

    fn of_ident(ident: &[u8]) -> Option<Function> {
        const NAMES: [(&[u8], Function); 6] = [
            (b"url", Function::Url),
            (b"url-prefix", Function::Url),
            (b"src", Function::Src),
            (b"image-set", Function::ImageSet),
            (b"-webkit-image-set", Function::ImageSet),
            (b"alphaimageloader", Function::ImageLoader),
        ];
        let mut names = NAMES.iter();
        names
            .find(|(name, _)| name.eq_ignore_ascii_case(ident))
            .map(|&(_, function)| function)
    }
}

/// The value of a link.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub range: Range<usize>,
    pub escaping: Escaping,
    pub function: Function,
}

/// The answer of a step.
#[derive(Clone, Debug)]
pub(super) enum Event {
    Found(Value),
    TooLong(usize, Function),
    /// A comment, whose text begins at this position: the caller reads it to its end, then resumes.
    Comment(usize),
    NeedMore,
    End,
}

/// The construct that is being read. Without a function, the construct holds no link.
#[derive(Clone, Copy, Debug)]
enum Mode {
    /// Between values.
    Plain,
    Comment,
    /// Behind the quote of a string.
    String(u8, Option<Function>),
    /// Behind `url(`.
    UrlStart(Option<Function>),
    /// At the first byte of an unquoted url.
    Url(Function),
    /// The remnants of a bad url, up to `)` (section 4.3.14).
    BadUrl,
}

/// The construct of the next token, white space and comments aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaiting {
    Nothing,
    /// Behind `@import`: a string or url.
    Import,
    /// Behind `@namespace`: a prefix, then a string or url that is no link.
    Namespace,
    /// Behind `src(`: a string.
    Source,
}

/// The part of an identifier with escapes that has been read.
#[derive(Clone, Copy, Debug)]
struct EscapedName {
    start: usize,
    end: usize,
    /// Set if a function's name may begin at `start`.
    begins_name: bool,
    /// Set if the identifier is longer than any known name.
    too_long: bool,
}

/// The outcome of reading a token.
enum Flow {
    On,
    More,
    Answer(Event),
}

/// The end of a value.
enum ValueEnd {
    At(usize),
    /// The byte at this position makes the value invalid.
    Invalid(usize),
    /// The value does not end before this position: the limit, the end of the window, or an escape cut by the window.
    Beyond(usize),
}

/// The machine. Its positions are relative to the cursor between steps, and to the window during a step.
#[derive(Debug)]
pub(super) struct Machine {
    limit: usize,
    /// True if comments are answered.
    comments: bool,
    mode: Mode,
    awaiting: Awaiting,
    /// True inside of the parentheses of an `AlphaImageLoader`.
    in_loader: bool,
    /// The depth inside an `image-set()`: 0 outside, 1 at the candidates.
    set_depth: u64,
    /// The position where reading goes on.
    pos: usize,
    /// A known character boundary, at or before `pos`.
    boundary: usize,
    /// No name begins before this position.
    floor: usize,
    escaped: Option<EscapedName>,
}

impl Machine {
    /// A machine that skips values longer than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Machine {
            limit: limit.max(1),
            comments: false,
            mode: Mode::Plain,
            awaiting: Awaiting::Nothing,
            in_loader: false,
            set_depth: 0,
            pos: 0,
            boundary: 0,
            floor: 0,
            escaped: None,
        }
    }

    /// The machine that answers comments rather than skip them.
    pub fn with_comments(self) -> Self {
        Machine {
            comments: true,
            ..self
        }
    }

    /// Goes on at the cursor of the next step, behind a comment.
    pub fn resume(&mut self) {
        self.boundary = 0;
        self.move_to(0);
    }

    /// Reads up to the next event and moves the cursor as [`Tokenizer::step`](crate::Tokenizer::step) requires.
    pub fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Event {
        self.shift(|at| at + *cursor);
        self.pos = self.pos.min(window.bytes.len());
        self.boundary = self.boundary.min(self.pos);
        let event = loop {
            let flow = match self.mode {
                Mode::Plain if self.awaiting == Awaiting::Nothing => self.plain(window),
                Mode::Plain => self.awaited(window),
                Mode::Comment => self.comment(window),
                Mode::String(quote, None) => self.other_string(window, quote),
                Mode::String(quote, Some(function)) => self.link_string(window, quote, function),
                Mode::UrlStart(function) => self.url_start(window, function),
                Mode::Url(function) => self.url(window, function),
                Mode::BadUrl => self.bad_url(window),
            };
            match flow {
                Flow::On => {}
                Flow::More if !window.last => break Event::NeedMore,
                Flow::More => break Event::End,
                Flow::Answer(event) => break event,
            }
        };
        let next = match event {
            Event::End => {
                self.move_to(window.bytes.len());
                self.pos
            }
            _ => self.keep_from(window, *cursor),
        };
        self.shift(|at| at.saturating_sub(next));
        *cursor = next;
        event
    }

    fn shift(&mut self, by: impl Fn(usize) -> usize) {
        self.pos = by(self.pos);
        self.boundary = by(self.boundary);
        self.floor = by(self.floor);
        self.escaped = self.escaped.map(|escaped| EscapedName {
            start: by(escaped.start),
            end: by(escaped.end),
            ..escaped
        });
    }

    /// Continues at `at`, before which no name begins.
    fn move_to(&mut self, at: usize) {
        self.pos = at;
        self.floor = at;
        self.escaped = None;
    }

    /// Continues at `at` in a mode.
    fn enter(&mut self, mode: Mode, at: usize) -> Flow {
        self.mode = mode;
        self.move_to(at);
        Flow::On
    }

    /// The first byte that later steps may read.
    fn keep_from(&mut self, window: Window<'_>, cursor: usize) -> usize {
        let lookback = self.pos.saturating_sub(LONGEST_NAME + 1).max(self.floor);
        self.advance_boundary(window, lookback);
        let keep = lookback.min(self.boundary).max(cursor);
        if let Some(escaped) = &mut self.escaped {
            escaped.too_long |= escaped.start < keep;
            escaped.start = escaped.start.max(keep);
            escaped.end = escaped.end.max(keep);
        }
        self.floor = self.floor.max(lookback);
        keep
    }

    /// Moves the known character boundary near `to`, and not behind it.
    fn advance_boundary(&mut self, window: Window<'_>, to: usize) {
        if to < self.boundary {
            return;
        }
        let before = slice(window.bytes, self.boundary..to);
        self.boundary += window.charset.resync(before, before.len());
        if to - self.boundary > FAR {
            let before = slice(window.bytes, self.boundary..to);
            self.boundary += boundary::by_decoding(window.charset, before);
        }
    }

    /// True if the unsafe ASCII byte at `at` is a character of its own. `at` never goes back.
    fn is_char(&mut self, window: Window<'_>, at: usize) -> bool {
        if window.charset == Charset::UTF_8 {
            return true;
        }
        let from = self.boundary.min(at);
        let is_char = window
            .charset
            .is_char_at(tail(window.bytes, from), at - from);
        // A trail byte ends a character, too.
        self.boundary = if is_char { at } else { at + 1 };
        is_char
    }

    /// Skips tokens up to one with a meaning.
    fn plain(&mut self, window: Window<'_>) -> Flow {
        let Some(at) = find(window.bytes, self.pos, &PLAIN_STOP) else {
            self.pos = window.bytes.len();
            return Flow::More;
        };
        self.pos = at;
        match byte(window, at) {
            Some(b'/') => self.slash(window),
            Some(quote @ (b'"' | b'\'')) => self.quote(window, quote),
            Some(b'(') => self.parenthesis(window),
            Some(b')') => {
                self.in_loader = false;
                self.set_depth = self.set_depth.saturating_sub(1);
                self.enter(Mode::Plain, at + 1)
            }
            Some(b'\\') => self.escape(window),
            _ => self.at_keyword(window),
        }
    }

    /// Reads a quote, which begins a string.
    fn quote(&mut self, window: Window<'_>, quote: u8) -> Flow {
        let at = self.pos;
        let function = match self.set_depth {
            1 => Some(Function::ImageSet),
            _ if self.in_loader && is_source(slice(window.bytes, self.floor..at)) => {
                Some(Function::ImageLoader)
            }
            0 => match begins_with(tail(window.bytes, at + 1), FILTER) {
                Some(true) => return self.filter_string(window, quote),
                None if !window.last => return Flow::More,
                _ => None,
            },
            _ => None,
        };
        self.enter(Mode::String(quote, function), at + 1)
    }

    /// Reads a string with a filter (`-ms-filter: "progid:..."`), which may have a source in quotes of its own.
    fn filter_string(&mut self, window: Window<'_>, quote: u8) -> Flow {
        let at = self.pos;
        self.pos = at + 1;
        let end = self.value_end(window, Some(quote), (at + 1).saturating_add(self.limit));
        self.pos = at;
        let end = match end {
            ValueEnd::At(end) => end,
            ValueEnd::Beyond(to) if to >= window.bytes.len() && !window.last => return Flow::More,
            _ => return self.enter(Mode::String(quote, None), at + 1),
        };
        self.enter(Mode::Plain, end + 1);
        match source_of_filter(slice(window.bytes, at + 1..end)) {
            Some((range, own)) => {
                let range = at + 1 + range.start..at + 1 + range.end;
                found(range, Escaping::CssString(own), Function::ImageLoader)
            }
            None => Flow::On,
        }
    }

    fn slash(&mut self, window: Window<'_>) -> Flow {
        match byte(window, self.pos + 1) {
            None => Flow::More,
            Some(b'*') if self.comments => {
                self.move_to(self.pos + 2);
                Flow::Answer(Event::Comment(self.pos))
            }
            Some(b'*') => self.enter(Mode::Comment, self.pos + 2),
            Some(_) => self.enter(Mode::Plain, self.pos + 1),
        }
    }

    /// Reads an escape in a name, or a stray `\`.
    fn escape(&mut self, window: Window<'_>) -> Flow {
        let at = self.pos;
        let extent = escape_end(window, at);
        if matches!(extent, Escape::More) {
            return Flow::More;
        }
        let (start, escaped) = self.name_before(window, at);
        let (start, begins_name, too_long) = match escaped {
            Some(escaped) => (escaped.start, escaped.begins_name, escaped.too_long),
            None => (start, self.begins_name(window, start), false),
        };
        if !self.is_char(window, at) {
            self.pos = at + 1;
            return Flow::On;
        }
        let Escape::End(end) = extent else {
            return self.enter(Mode::Plain, at + 1);
        };
        self.escaped = Some(EscapedName {
            start,
            end,
            begins_name,
            too_long: too_long || at - start > LONGEST_NAME,
        });
        self.pos = end;
        Flow::On
    }

    /// The start of the name characters before `at`, and the escaped part of the name that ends at that start.
    fn name_before(&self, window: Window<'_>, at: usize) -> (usize, Option<EscapedName>) {
        let floor = self.escaped.map_or(self.floor, |escaped| escaped.end);
        let start = name_start(window.bytes, floor, at);
        let escaped = self.escaped.filter(|escaped| escaped.end == start);
        (start, escaped)
    }

    /// Reads a `(`, perhaps that of a function that holds links.
    fn parenthesis(&mut self, window: Window<'_>) -> Flow {
        let at = self.pos;
        let function = self.function_before(window, at);
        self.move_to(at + 1);
        match function {
            Some(Function::Url) => {
                self.mode = Mode::UrlStart(Some(Function::Url));
                return Flow::On;
            }
            Some(Function::ImageLoader) => self.in_loader = true,
            Some(Function::Src) => self.awaiting = Awaiting::Source,
            Some(Function::ImageSet) if self.set_depth == 0 => {
                self.set_depth = 1;
                return Flow::On;
            }
            _ => {}
        }
        self.nest();
        Flow::On
    }

    fn nest(&mut self) {
        if self.set_depth > 0 {
            self.set_depth = self.set_depth.saturating_add(1);
        }
    }

    /// The function whose name ends at `at`.
    fn function_before(&mut self, window: Window<'_>, at: usize) -> Option<Function> {
        let (start, escaped) = self.name_before(window, at);
        let Some(escaped) = escaped else {
            let function = Function::of_ident(slice(window.bytes, start..at))?;
            return self.begins_name(window, start).then_some(function);
        };
        let may_be_known = !escaped.too_long && at - escaped.start <= LONGEST_NAME;
        if !may_be_known || !escaped.begins_name {
            return None;
        }
        Function::of_ident(&unescape_ident(slice(window.bytes, escaped.start..at))?)
    }

    /// True if a function's name can begin at `start`: the name characters there do not continue a longer character, a
    /// hash or an at-keyword (section 4.3.1).
    fn begins_name(&mut self, window: Window<'_>, start: usize) -> bool {
        let before = start.checked_sub(1).filter(|&before| before >= self.floor);
        let Some(before) = before else {
            return true;
        };
        if before < self.boundary {
            // `is_char` found the byte to be the second half of a character.
            return false;
        }
        match byte(window, before) {
            Some(b'#' | b'@') => false,
            Some(other) => is_safe(other) || other >= 0x80 || self.is_char(window, before),
            None => true,
        }
    }

    /// Reads `@`; `@import` and `@namespace` await a value.
    fn at_keyword(&mut self, window: Window<'_>) -> Flow {
        let at = self.pos;
        if !self.is_char(window, at) {
            self.pos = at + 1;
            return Flow::On;
        }
        let Some(end) = ident_end(window, at + 1) else {
            return Flow::More;
        };
        let ident = unescape_ident(slice(window.bytes, at + 1..end)).unwrap_or_default();
        self.awaiting = match &ident[..] {
            b"import" => Awaiting::Import,
            b"namespace" => Awaiting::Namespace,
            _ => {
                // The floor stays before the `@`, so that `@url(` does not count as a function.
                self.pos = at + 1;
                return Flow::On;
            }
        };
        self.move_to(end);
        Flow::On
    }

    /// Reads the token that an at-rule or `src(` awaits.
    fn awaited(&mut self, window: Window<'_>) -> Flow {
        let at = skip_spaces(window.bytes, self.pos);
        self.move_to(at);
        match (byte(window, at), byte(window, at + 1)) {
            (None, _) | (Some(b'/'), None) => Flow::More,
            (Some(b'/'), Some(b'*')) => self.slash(window),
            (Some(quote @ (b'"' | b'\'')), _) => {
                let function = match std::mem::replace(&mut self.awaiting, Awaiting::Nothing) {
                    Awaiting::Import => Some(Function::Import),
                    Awaiting::Source => Some(Function::Src),
                    Awaiting::Namespace | Awaiting::Nothing => None,
                };
                self.enter(Mode::String(quote, function), at + 1)
            }
            (Some(b'/'), Some(_)) => self.not_awaited(),
            (Some(_), _) if self.awaiting == Awaiting::Source => self.not_awaited(),
            (Some(_), _) => self.awaited_ident(window),
        }
    }

    fn not_awaited(&mut self) -> Flow {
        self.awaiting = Awaiting::Nothing;
        Flow::On
    }

    /// Reads `url(` behind `@import`, and a prefix or `url(` behind `@namespace`.
    fn awaited_ident(&mut self, window: Window<'_>) -> Flow {
        let at = self.pos;
        let Some(end) = ident_end(window, at) else {
            return Flow::More;
        };
        if end == at {
            return self.not_awaited();
        }
        let ident = unescape_ident(slice(window.bytes, at..end));
        let is_url = ident.is_some_and(|ident| ident == b"url") && byte(window, end) == Some(b'(');
        let import = self.awaiting == Awaiting::Import;
        if is_url {
            self.awaiting = Awaiting::Nothing;
            let function = import.then_some(Function::Import);
            return self.enter(Mode::UrlStart(function), end + 1);
        }
        if import {
            return self.not_awaited();
        }
        self.move_to(end);
        Flow::On
    }

    fn comment(&mut self, window: Window<'_>) -> Flow {
        let rest = tail(window.bytes, self.pos);
        for star in memchr::memchr_iter(b'*', rest) {
            match rest.get(star + 1) {
                Some(b'/') => return self.enter(Mode::Plain, self.pos + star + 2),
                Some(_) => {}
                None => {
                    self.move_to(self.pos + star);
                    return Flow::More;
                }
            }
        }
        self.move_to(window.bytes.len());
        Flow::More
    }

    /// Skips a string that is no link, or the rest of a string that is too long.
    fn other_string(&mut self, window: Window<'_>, quote: u8) -> Flow {
        match self.value_end(window, Some(quote), window.bytes.len()) {
            // The newline that ends a bad string is no part of the string, but has no meaning either.
            ValueEnd::At(at) | ValueEnd::Invalid(at) => self.enter(Mode::Plain, at + 1),
            ValueEnd::Beyond(at) => {
                self.move_to(at);
                Flow::More
            }
        }
    }

    fn link_string(&mut self, window: Window<'_>, quote: u8, function: Function) -> Flow {
        let start = self.pos;
        let limit = start.saturating_add(self.limit);
        let end = match self.value_end(window, Some(quote), limit) {
            ValueEnd::At(end) => end,
            ValueEnd::Invalid(at) => return self.enter(Mode::Plain, at + 1),
            ValueEnd::Beyond(at) if at > limit => {
                return self.too_long(function, Mode::String(quote, None));
            }
            ValueEnd::Beyond(_) if !window.last => return Flow::More,
            ValueEnd::Beyond(_) => window.bytes.len(),
        };
        self.enter(Mode::Plain, (end + 1).min(window.bytes.len()));
        let escaping = Escaping::CssString(match quote {
            b'"' => Quote::Double,
            _ => Quote::Single,
        });
        found(start..end, escaping, function)
    }

    fn too_long(&mut self, function: Function, mode: Mode) -> Flow {
        self.mode = mode;
        Flow::Answer(Event::TooLong(self.pos, function))
    }

    /// Reads the white space behind `url(`, then a string or the start of an unquoted url (section 4.3.4).
    fn url_start(&mut self, window: Window<'_>, function: Option<Function>) -> Flow {
        let at = skip_spaces(window.bytes, self.pos);
        self.move_to(at);
        self.mode = match (byte(window, at), function) {
            (None, _) => return Flow::More,
            (Some(quote @ (b'"' | b'\'')), _) => {
                self.nest();
                return self.enter(Mode::String(quote, function), at + 1);
            }
            (Some(_), Some(function)) => Mode::Url(function),
            (Some(_), None) => Mode::BadUrl,
        };
        Flow::On
    }

    /// Reads an unquoted url (section 4.3.6).
    fn url(&mut self, window: Window<'_>, function: Function) -> Flow {
        let start = self.pos;
        let limit = start.saturating_add(self.limit);
        let end = match self.value_end(window, None, limit) {
            ValueEnd::At(end) => end,
            ValueEnd::Invalid(at) => return self.enter(Mode::BadUrl, at),
            ValueEnd::Beyond(at) if at > limit => return self.too_long(function, Mode::BadUrl),
            ValueEnd::Beyond(_) if !window.last => return Flow::More,
            ValueEnd::Beyond(_) => window.bytes.len(),
        };
        // Only white space may follow, up to `)`. Too much white space is skipped like the rest of a bad url.
        let behind = skip_spaces(window.bytes, end);
        if behind > limit {
            return self.too_long(function, Mode::BadUrl);
        }
        match byte(window, behind) {
            Some(b')') => {}
            None if window.last => {}
            None => return Flow::More,
            Some(_) => return self.enter(Mode::BadUrl, behind),
        }
        self.enter(Mode::Plain, (behind + 1).min(window.bytes.len()));
        found(start..end, Escaping::CssUrl, function)
    }

    /// The end of a value that begins at `pos`, up to `limit`: a string ends at its quote (section 4.3.5), an unquoted
    /// url at white space or `)`.
    fn value_end(&mut self, window: Window<'_>, quote: Option<u8>, limit: usize) -> ValueEnd {
        let stops = match quote {
            Some(_) => &STRING_STOP,
            None => &URL_STOP,
        };
        let mut from = self.pos;
        loop {
            let at = match find(window.bytes, from, stops) {
                None if window.bytes.len() > limit => {
                    return ValueEnd::Beyond(limit.saturating_add(1));
                }
                None => return ValueEnd::Beyond(window.bytes.len()),
                Some(at) if at > limit => return ValueEnd::Beyond(at),
                Some(at) => at,
            };
            from = match (window.bytes[at], quote) {
                (b'\\', _) if !self.is_char(window, at) => at + 1,
                (b'\\', _) => match escape_of(window, at, quote) {
                    Escape::End(end) => end,
                    Escape::More => return ValueEnd::Beyond(at),
                    Escape::None => return ValueEnd::Invalid(at),
                },
                (b')', None) => return ValueEnd::At(at),
                (other, None) if is_space(other) => return ValueEnd::At(at),
                (other, Some(quote)) if other == quote => return ValueEnd::At(at),
                (b'"' | b'\'', Some(_)) => at + 1,
                _ => return ValueEnd::Invalid(at),
            };
        }
    }

    fn bad_url(&mut self, window: Window<'_>) -> Flow {
        let mut at = self.pos;
        loop {
            let rest = window.bytes.get(at..).unwrap_or_default();
            let Some(stop) = memchr::memchr2(b')', b'\\', rest) else {
                self.move_to(window.bytes.len());
                return Flow::More;
            };
            at += stop;
            if byte(window, at) == Some(b')') {
                return self.enter(Mode::Plain, at + 1);
            }
            if !self.is_char(window, at) {
                at += 1;
                continue;
            }
            match escape_end(window, at) {
                Escape::End(end) => at = end,
                Escape::None => at += 1,
                Escape::More => {
                    self.move_to(at);
                    return Flow::More;
                }
            }
        }
    }
}

/// The start of strings with filters of Internet Explorer.
const FILTER: &[u8] = b"progid:";

/// True if bytes begin with `text`, which is in lower case; `None`: more bytes are needed.
fn begins_with(bytes: &[u8], text: &[u8]) -> Option<bool> {
    let begin = &bytes[..bytes.len().min(text.len())];
    let may_begin = begin.eq_ignore_ascii_case(&text[..begin.len()]);
    if begin.len() < text.len() && may_begin {
        None
    } else {
        Some(may_begin)
    }
}

/// True if the bytes before a quote end with `src=`.
fn is_source(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let name = before.strip_suffix(b"=").map(<[u8]>::trim_ascii_end);
    name.is_some_and(|name| {
        let (before, name) = name.split_at(name.len().saturating_sub(3));
        let ends_name = |byte: &u8| matches!(byte, b',' | b'(') || is_space(*byte);
        name.eq_ignore_ascii_case(b"src") && before.last().is_none_or(ends_name)
    })
}

/// The source of the first `AlphaImageLoader` in a string, and its quotes. `None` also for a string with escapes.
fn source_of_filter(string: &[u8]) -> Option<(Range<usize>, Quote)> {
    if memchr::memchr(b'\\', string).is_some() {
        return None;
    }
    let ident = b"alphaimageloader(";
    let is_loader = |at: &usize| begins_with(&string[*at..], ident) == Some(true);
    let loader = memchr::memchr2_iter(b'A', b'a', string).find(is_loader)?;
    let begin = loader + ident.len();
    let end = memchr::memchr(b')', &string[begin..]).map_or(string.len(), |at| begin + at);
    let mut quotes = memchr::memchr2_iter(b'"', b'\'', &string[begin..]).map(|at| begin + at);
    let open = quotes.find(|&at| at < end && is_source(&string[begin..at]))?;
    let close = open + 1 + memchr::memchr(string[open], &string[open + 1..])?;
    let quote = match string[open] {
        b'"' => Quote::Double,
        _ => Quote::Single,
    };
    Some((open + 1..close, quote))
}

fn escape_of(window: Window<'_>, at: usize, quote: Option<u8>) -> Escape {
    match quote {
        Some(_) => string_escape_end(window, at),
        None => escape_end(window, at),
    }
}

/// The answer for a value. An empty value names nothing.
fn found(range: Range<usize>, escaping: Escaping, function: Function) -> Flow {
    if range.is_empty() {
        return Flow::On;
    }
    Flow::Answer(Event::Found(Value {
        range,
        escaping,
        function,
    }))
}

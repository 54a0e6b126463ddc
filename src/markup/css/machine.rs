//! The state machine: CSS tokens (CSS Syntax Level 3, section 4.3) as far as links need them.
//!
//! Plain stretches are passed over by a table of the few bytes that begin something. Whether the name before a `(` is a
//! function's is then found by looking back at most [`LOOKBACK`] bytes; only names with escapes are followed forward.
//! In charsets where `\` and `@` may be the second half of a character they are confirmed first.

use super::super::escape::{Escaping, Quote};
use super::lex::{
    Escape, Input, LOOKBACK, PLAIN_STOP, STRING_STOP, URL_STOP, boundary, byte, escape_end, find,
    ident_end, name_start, skip_space, string_escape_end, unescape_ident,
};
use crate::ascii::{is_safe, is_space};
use crate::charset::Charset;
use std::ops::Range;

/// How far the last known character boundary may lie behind before it is worth a decoder.
const FAR: usize = 4096;

/// The functions and at-rules that name links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Url,
    Src,
    ImageSet,
    Import,
}

impl Function {
    pub const ALL: [Function; 4] = [
        Function::Url,
        Function::Src,
        Function::ImageSet,
        Function::Import,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Function::Url => "url",
            Function::Src => "src",
            Function::ImageSet => "image-set",
            Function::Import => "@import",
        }
    }

    fn of_ident(ident: &[u8]) -> Option<Function> {
        const NAMES: [(&[u8], Function); 5] = [
            (b"url", Function::Url),
            (b"url-prefix", Function::Url),
            (b"src", Function::Src),
            (b"image-set", Function::ImageSet),
            (b"-webkit-image-set", Function::ImageSet),
        ];
        let mut names = NAMES.iter();
        names
            .find(|(name, _)| name.eq_ignore_ascii_case(ident))
            .map(|&(_, function)| function)
    }
}

/// A link's place.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub range: Range<usize>,
    pub escaping: Escaping,
    pub function: Function,
}

/// What a step answers.
#[derive(Clone, Debug)]
pub(super) enum Event {
    Found(Found),
    TooLong(usize, Function),
    NeedMore,
    End,
}

/// What is being read. `None` for the function: read, but no link.
#[derive(Clone, Copy, Debug)]
enum Mode {
    Plain,
    Comment,
    /// A string that is no link, or what is left of one that is too long.
    PassString(u8),
    /// Behind `url(`.
    UrlOpen(Option<Function>),
    /// At the first byte of an unquoted url.
    Url(Function),
    /// Behind the quote of a string that is a link.
    LinkString(u8, Function),
    /// What is left of a bad url, up to `)` (section 4.3.14).
    BadUrl,
}

/// What the next token but white space and comments may be.
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

/// The stretch of an identifier that holds an escape, so far.
#[derive(Clone, Copy, Debug)]
struct Escaped {
    start: usize,
    end: usize,
    /// A name may begin at `start` (no hash, no at-keyword, no longer character).
    begins: bool,
    /// It is longer than any name of interest.
    long: bool,
}

/// Whether scanning goes on.
enum Flow {
    On,
    More,
    Answer(Event),
}

/// The machine. Positions it keeps are relative to the cursor between steps and to the window in one.
#[derive(Debug)]
pub(super) struct Machine {
    limit: usize,
    mode: Mode,
    awaiting: Awaiting,
    /// How deep inside an image-set(): 0 outside, 1 where its candidates stand.
    set_depth: u64,
    /// Where reading goes on.
    pos: usize,
    /// A character begins here; never behind `pos`.
    fresh: usize,
    /// A name cannot begin before this.
    floor: usize,
    escaped: Option<Escaped>,
}

impl Machine {
    pub fn new(limit: usize) -> Self {
        Machine {
            limit: limit.max(1),
            mode: Mode::Plain,
            awaiting: Awaiting::Nothing,
            set_depth: 0,
            pos: 0,
            fresh: 0,
            floor: 0,
            escaped: None,
        }
    }

    /// The next event. Moves `cursor` as [`super::Tokenizer::step`] says.
    pub fn step(&mut self, input: Input<'_>, cursor: &mut usize) -> Event {
        self.shift(|at| at + *cursor);
        self.pos = self.pos.min(input.bytes.len());
        self.fresh = self.fresh.min(self.pos);
        let event = loop {
            let flow = match self.mode {
                Mode::Plain if self.awaiting == Awaiting::Nothing => self.plain(input),
                Mode::Plain => self.awaited(input),
                Mode::Comment => self.comment(input),
                Mode::PassString(quote) => self.pass_string(input, quote),
                Mode::UrlOpen(function) => self.url_open(input, function),
                Mode::Url(function) => self.url(input, function),
                Mode::LinkString(quote, function) => self.link_string(input, quote, function),
                Mode::BadUrl => self.bad_url(input),
            };
            match flow {
                Flow::On => {}
                Flow::More if !input.last => break Event::NeedMore,
                Flow::More => break self.end(input),
                Flow::Answer(event) => break event,
            }
        };
        let next = match event {
            Event::End => input.bytes.len(),
            _ => self.keep_from(input, *cursor),
        };
        self.shift(|at| at.saturating_sub(next));
        *cursor = next;
        event
    }

    fn end(&mut self, input: Input<'_>) -> Event {
        self.move_to(input.bytes.len());
        Event::End
    }

    fn shift(&mut self, by: impl Fn(usize) -> usize) {
        self.pos = by(self.pos);
        self.fresh = by(self.fresh);
        self.floor = by(self.floor);
        self.escaped = self.escaped.map(|escaped| Escaped {
            start: by(escaped.start),
            end: by(escaped.end),
            ..escaped
        });
    }

    /// Goes on at `at`, before which no name begins.
    fn move_to(&mut self, at: usize) {
        self.pos = at;
        self.floor = at;
        self.escaped = None;
    }

    /// The first byte that later steps may look at.
    fn keep_from(&mut self, input: Input<'_>, cursor: usize) -> usize {
        let lookback = self.pos.saturating_sub(LOOKBACK + 1).max(self.floor);
        self.refresh(input, lookback);
        let keep = lookback.min(self.fresh).max(cursor);
        if let Some(escaped) = &mut self.escaped {
            escaped.long |= escaped.start < keep;
            escaped.start = escaped.start.max(keep);
            escaped.end = escaped.end.max(keep);
        }
        self.floor = self.floor.max(lookback);
        keep
    }

    /// Brings `fresh` near `to`, and not behind it.
    fn refresh(&mut self, input: Input<'_>, to: usize) {
        let Some(behind) = input.bytes.get(self.fresh..to) else {
            return;
        };
        self.fresh += input.charset.resync(behind, behind.len());
        if to - self.fresh > FAR {
            let behind = input.bytes.get(self.fresh..to).unwrap_or_default();
            self.fresh += boundary(input.charset, behind);
        }
    }

    /// Whether the unsafe ASCII byte at `at` is a character; `at` never goes back.
    fn is_char(&mut self, input: Input<'_>, at: usize) -> bool {
        if input.charset == Charset::UTF_8 {
            return true;
        }
        let from = self.fresh.min(at);
        let Some(window) = input.bytes.get(from..) else {
            return false;
        };
        let is_char = input.charset.is_char_at(window, at - from);
        // Behind a trail byte a character ends as well.
        self.fresh = if is_char { at } else { at + 1 };
        is_char
    }

    /// Plain tokens, up to one that matters.
    fn plain(&mut self, input: Input<'_>) -> Flow {
        let Some(at) = find(input.bytes, self.pos, &PLAIN_STOP) else {
            self.pos = input.bytes.len();
            return Flow::More;
        };
        self.pos = at;
        match byte(input, at) {
            Some(b'/') => self.slash(input),
            Some(quote @ (b'"' | b'\'')) => self.quote(quote),
            Some(b'(') => self.open(input),
            Some(b')') => {
                self.set_depth = self.set_depth.saturating_sub(1);
                self.move_to(at + 1);
                Flow::On
            }
            Some(b'\\') => self.escape(input),
            _ => self.at_keyword(input),
        }
    }

    fn slash(&mut self, input: Input<'_>) -> Flow {
        match byte(input, self.pos + 1) {
            None => Flow::More,
            Some(b'*') => {
                self.move_to(self.pos + 2);
                self.mode = Mode::Comment;
                Flow::On
            }
            Some(_) => {
                self.move_to(self.pos + 1);
                Flow::On
            }
        }
    }

    fn quote(&mut self, quote: u8) -> Flow {
        let in_set = self.set_depth == 1;
        self.move_to(self.pos + 1);
        self.mode = if in_set {
            Mode::LinkString(quote, Function::ImageSet)
        } else {
            Mode::PassString(quote)
        };
        Flow::On
    }

    /// An escape in a name, or a stray `\`.
    fn escape(&mut self, input: Input<'_>) -> Flow {
        let at = self.pos;
        let extent = escape_end(input, at);
        if matches!(extent, Escape::More) {
            return Flow::More;
        }
        let bound = self.escaped.map_or(self.floor, |escaped| escaped.end);
        let start = name_start(input.bytes, bound, at);
        let chain = self.escaped.filter(|escaped| escaped.end == start);
        let (start, begins, long) = match chain {
            Some(escaped) => (escaped.start, escaped.begins, escaped.long),
            None => (start, self.begins(input, start), false),
        };
        if !self.is_char(input, at) {
            self.pos = at + 1;
            return Flow::On;
        }
        let Escape::End(end) = extent else {
            self.move_to(at + 1);
            return Flow::On;
        };
        self.escaped = Some(Escaped {
            start,
            end,
            begins,
            long: long || at - start > LOOKBACK,
        });
        self.pos = end;
        Flow::On
    }

    /// `(`: of a function, perhaps of one that holds links.
    fn open(&mut self, input: Input<'_>) -> Flow {
        let at = self.pos;
        let function = self.function_before(input, at);
        self.move_to(at + 1);
        match function {
            Some(Function::Url) => {
                self.mode = Mode::UrlOpen(Some(Function::Url));
                return Flow::On;
            }
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
    fn function_before(&mut self, input: Input<'_>, at: usize) -> Option<Function> {
        let bound = self.escaped.map_or(self.floor, |escaped| escaped.end);
        let start = name_start(input.bytes, bound, at);
        if let Some(escaped) = self.escaped.filter(|escaped| escaped.end == start) {
            let short = !escaped.long && at - escaped.start <= LOOKBACK;
            let raw = input.bytes.get(escaped.start..at);
            let raw = raw.filter(|_| short && escaped.begins)?;
            return Function::of_ident(&unescape_ident(raw)?);
        }
        let function = Function::of_ident(input.bytes.get(start..at)?)?;
        self.begins(input, start).then_some(function)
    }

    /// Whether the name characters from `start` on are the begin of a name, and of a function's: not the rest of a
    /// longer character, a hash or an at-keyword (section 4.3.1).
    fn begins(&mut self, input: Input<'_>, start: usize) -> bool {
        let before = start.checked_sub(1).filter(|&before| before >= self.floor);
        let Some(before) = before else {
            return true;
        };
        if before < self.fresh {
            // The byte was found to be the second half of a character.
            return false;
        }
        match byte(input, before) {
            Some(b'#' | b'@') => false,
            Some(other) => is_safe(other) || other >= 0x80 || self.is_char(input, before),
            None => true,
        }
    }

    /// `@`: `@import` and `@namespace` are followed.
    fn at_keyword(&mut self, input: Input<'_>) -> Flow {
        let at = self.pos;
        if !self.is_char(input, at) {
            self.pos = at + 1;
            return Flow::On;
        }
        let Some(end) = ident_end(input, at + 1) else {
            return Flow::More;
        };
        let raw = input.bytes.get(at + 1..end).unwrap_or_default();
        let ident = unescape_ident(raw).unwrap_or_default();
        self.awaiting = match &ident[..] {
            b"import" => Awaiting::Import,
            b"namespace" => Awaiting::Namespace,
            _ => Awaiting::Nothing,
        };
        if self.awaiting == Awaiting::Nothing {
            // `@url(` is an at-keyword: a name must not begin right behind the `@`.
            self.pos = at + 1;
        } else {
            self.move_to(end);
        }
        Flow::On
    }

    /// The token that an at-rule or `src(` waits for.
    fn awaited(&mut self, input: Input<'_>) -> Flow {
        let at = skip_space(input.bytes, self.pos);
        self.move_to(at);
        let awaiting = self.awaiting;
        match byte(input, at) {
            None => Flow::More,
            Some(b'/') => match byte(input, at + 1) {
                None => Flow::More,
                Some(b'*') => self.slash(input),
                Some(_) => self.not_awaited(),
            },
            Some(quote @ (b'"' | b'\'')) => {
                self.awaiting = Awaiting::Nothing;
                self.move_to(at + 1);
                self.mode = match awaiting {
                    Awaiting::Import => Mode::LinkString(quote, Function::Import),
                    Awaiting::Source => Mode::LinkString(quote, Function::Src),
                    _ => Mode::PassString(quote),
                };
                Flow::On
            }
            Some(_) if awaiting == Awaiting::Source => self.not_awaited(),
            Some(_) => self.awaited_ident(input),
        }
    }

    fn not_awaited(&mut self) -> Flow {
        self.awaiting = Awaiting::Nothing;
        Flow::On
    }

    /// `url(` behind `@import`; a prefix or `url(` behind `@namespace`.
    fn awaited_ident(&mut self, input: Input<'_>) -> Flow {
        let at = self.pos;
        let Some(end) = ident_end(input, at) else {
            return Flow::More;
        };
        if end == at {
            return self.not_awaited();
        }
        let ident = unescape_ident(input.bytes.get(at..end).unwrap_or_default());
        let is_url = ident.is_some_and(|ident| ident == b"url") && byte(input, end) == Some(b'(');
        let import = self.awaiting == Awaiting::Import;
        if is_url {
            self.awaiting = Awaiting::Nothing;
            self.move_to(end + 1);
            self.mode = Mode::UrlOpen(import.then_some(Function::Import));
        } else if import {
            return self.not_awaited();
        } else {
            self.move_to(end);
        }
        Flow::On
    }

    fn comment(&mut self, input: Input<'_>) -> Flow {
        let rest = input.bytes.get(self.pos..).unwrap_or_default();
        for star in memchr::memchr_iter(b'*', rest) {
            match rest.get(star + 1) {
                Some(b'/') => {
                    self.move_to(self.pos + star + 2);
                    self.mode = Mode::Plain;
                    return Flow::On;
                }
                Some(_) => {}
                None => {
                    self.move_to(self.pos + star);
                    return Flow::More;
                }
            }
        }
        self.move_to(input.bytes.len());
        Flow::More
    }

    fn pass_string(&mut self, input: Input<'_>, quote: u8) -> Flow {
        match self.string_end(input, quote, input.bytes.len()) {
            Scan::End(at) | Scan::Bad(at) => {
                // The newline of a bad string is no part of it; passing it over changes nothing.
                self.move_to(at + 1);
                self.mode = Mode::Plain;
                Flow::On
            }
            Scan::Out(at) => {
                self.move_to(at);
                Flow::More
            }
        }
    }

    fn link_string(&mut self, input: Input<'_>, quote: u8, function: Function) -> Flow {
        let start = self.pos;
        let limit = start.saturating_add(self.limit);
        let end = match self.string_end(input, quote, limit) {
            Scan::End(end) => end,
            Scan::Bad(at) => {
                self.move_to(at + 1);
                self.mode = Mode::Plain;
                return Flow::On;
            }
            Scan::Out(at) if at > limit => return self.too_long(function, Mode::PassString(quote)),
            Scan::Out(_) if !input.last => return Flow::More,
            Scan::Out(_) => input.bytes.len(),
        };
        self.mode = Mode::Plain;
        self.move_to((end + 1).min(input.bytes.len()));
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

    /// The end of a string from `pos` on (section 4.3.5), which lies at `limit` at most.
    fn string_end(&mut self, input: Input<'_>, quote: u8, limit: usize) -> Scan {
        let mut at = self.pos;
        loop {
            at = match find(input.bytes, at, &STRING_STOP) {
                None if input.bytes.len() > limit => return Scan::Out(limit.saturating_add(1)),
                None => return Scan::Out(input.bytes.len()),
                Some(at) if at > limit => return Scan::Out(at),
                Some(at) => at,
            };
            match byte(input, at) {
                Some(b'\\') if !self.is_char(input, at) => at += 1,
                Some(b'\\') => match string_escape_end(input, at) {
                    Escape::End(end) => at = end,
                    Escape::More | Escape::None => return Scan::Out(at),
                },
                Some(found) if found == quote => return Scan::End(at),
                Some(b'"' | b'\'') => at += 1,
                _ => return Scan::Bad(at),
            }
        }
    }

    /// White space behind `url(`, then a string or an unquoted url (section 4.3.4).
    fn url_open(&mut self, input: Input<'_>, function: Option<Function>) -> Flow {
        let at = skip_space(input.bytes, self.pos);
        self.move_to(at);
        self.mode = match (byte(input, at), function) {
            (None, _) => return Flow::More,
            (Some(quote @ (b'"' | b'\'')), _) => {
                self.nest();
                self.move_to(at + 1);
                function.map_or(Mode::PassString(quote), |function| {
                    Mode::LinkString(quote, function)
                })
            }
            (Some(_), Some(function)) => Mode::Url(function),
            (Some(_), None) => Mode::BadUrl,
        };
        Flow::On
    }

    /// An unquoted url (section 4.3.6).
    fn url(&mut self, input: Input<'_>, function: Function) -> Flow {
        let start = self.pos;
        let limit = start.saturating_add(self.limit);
        let end = match self.url_end(input, limit) {
            Scan::End(end) => end,
            Scan::Bad(at) => {
                self.move_to(at);
                self.mode = Mode::BadUrl;
                return Flow::On;
            }
            Scan::Out(at) if at > limit => return self.too_long(function, Mode::BadUrl),
            Scan::Out(_) if !input.last => return Flow::More,
            Scan::Out(_) => input.bytes.len(),
        };
        // Only white space may follow, up to `)`; that is passed over as the rest of a bad url is.
        let behind = skip_space(input.bytes, end);
        if behind > limit {
            return self.too_long(function, Mode::BadUrl);
        }
        match byte(input, behind) {
            Some(b')') => {}
            None if input.last => {}
            None => return Flow::More,
            Some(_) => {
                self.move_to(behind);
                self.mode = Mode::BadUrl;
                return Flow::On;
            }
        }
        self.mode = Mode::Plain;
        self.move_to((behind + 1).min(input.bytes.len()));
        found(start..end, Escaping::CssUrl, function)
    }

    /// The end of an unquoted url: at white space, `)` or the document's end.
    fn url_end(&mut self, input: Input<'_>, limit: usize) -> Scan {
        let mut at = self.pos;
        loop {
            at = match find(input.bytes, at, &URL_STOP) {
                None if input.bytes.len() > limit => return Scan::Out(limit.saturating_add(1)),
                None => return Scan::Out(input.bytes.len()),
                Some(at) if at > limit => return Scan::Out(at),
                Some(at) => at,
            };
            match byte(input, at) {
                Some(b'\\') if !self.is_char(input, at) => at += 1,
                Some(b'\\') => match escape_end(input, at) {
                    Escape::End(end) => at = end,
                    Escape::More => return Scan::Out(at),
                    Escape::None => return Scan::Bad(at),
                },
                Some(b')') => return Scan::End(at),
                Some(other) if is_space(other) => return Scan::End(at),
                _ => return Scan::Bad(at),
            }
        }
    }

    fn bad_url(&mut self, input: Input<'_>) -> Flow {
        let mut at = self.pos;
        loop {
            let Some(stop) =
                memchr::memchr2(b')', b'\\', input.bytes.get(at..).unwrap_or_default())
            else {
                self.move_to(input.bytes.len());
                return Flow::More;
            };
            at += stop;
            if byte(input, at) == Some(b')') {
                self.move_to(at + 1);
                self.mode = Mode::Plain;
                return Flow::On;
            }
            if !self.is_char(input, at) {
                at += 1;
                continue;
            }
            match escape_end(input, at) {
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

/// Where a value ends.
enum Scan {
    End(usize),
    /// It is no value: what is wrong stands here.
    Bad(usize),
    /// The end is not before this: the limit, or the window's end (or an escape that it cuts).
    Out(usize),
}

/// A value; empty ones name nothing.
fn found(range: Range<usize>, escaping: Escaping, function: Function) -> Flow {
    if range.is_empty() {
        return Flow::On;
    }
    Flow::Answer(Event::Found(Found {
        range,
        escaping,
        function,
    }))
}

//! Programs and their data: JavaScript and TypeScript, PHP, TOML, messages of gettext, properties of Java, and
//! languages that are read by lexical rules alone, such as Python and C. String literals are data, comments and text
//! between tags (JSX, PHP) are running text.
//!
//! Nothing is parsed but the lexical level. A language finds the marks between literals; the ends of literals, their
//! escapes and their style are the same code for all. From the first byte on that is no such language, the rest is
//! running text.
//!
//! The module must not know the meaning of running text.

mod behind;
mod directives;
mod gettext;
mod javascript;
mod jsx;
mod literal;
mod php;
mod properties;
mod source;
#[cfg(test)]
mod tests;
mod toml;

use crate::escape::{Escapes, JsonStyle, LiteralStyle};
use crate::language::Language;
use crate::slot::{Access, Place, Run, SharedPlace, Slot, Step, Syntax, Tokenizer, Window};
use crate::text_stretch::{End as TextEnd, TextStretch};
use behind::begins_with_gap;
use gettext::Entry;
pub(crate) use literal::is_label;
use literal::{End, Found, Kind, Literal, skipped};
pub(crate) use php::{LONGEST_HEREDOC, heredoc_label};
use properties::Line;
use std::ops::Range;

/// The tokenizer of programs. Literals longer than `max_slot` are skipped.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{CodeTokenizer, Language, Slots, Syntax};
///
/// let code = br"open('http:\/\/a.example\/', /http:/)";
/// let slots: Vec<_> = Slots::new(CodeTokenizer::new(Language::JavaScript, 1 << 20), code, Charset::UTF_8).collect();
/// assert_eq!((slots.len(), slots[0].syntax), (1, Syntax::Data));
/// assert_eq!(slots[0].escaping.unescape(r"http:\/\/a.example\/").text(), "http://a.example/");
/// ```
#[derive(Debug)]
pub struct CodeTokenizer {
    language: Language,
    max_slot: usize,
    /// The style of the literals so far.
    letters: JsonStyle,
    /// Open brackets, tags, and literals around code.
    frames: Vec<Frame>,
    before: Before,
    /// The number of frames at an operator that appends to a variable (`+=`, `.=`), up to the end of its statement.
    appends_at: Option<usize>,
    /// The number of frames at an `echo` of PHP, which joins its arguments and the text behind the code, up to the end
    /// of its statement.
    echoes_at: Option<usize>,
    /// True in a directive of C, which ends with its line.
    in_directive: bool,
    entry: Entry,
    line: Line,
    state: State,
}

/// The code in front of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Before {
    token: Token,
    /// The last byte that is no white space; 0 at the beginning, `a` for a word.
    byte: u8,
    /// The calls of a function of this name.
    call: Call,
    /// True behind a string that may be a part of a link, and behind the dot of its method.
    is_glue: bool,
    /// True behind a string with [glued directives](directives), and behind the dot of its method.
    is_template: bool,
    /// True if nothing stands in front of the cursor in its line.
    begins_line: bool,
    /// True within a word that is too long to mean something.
    in_word: bool,
}

/// The last token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// An operator or the beginning: an expression may begin.
    Operator,
    /// The operator that joins strings.
    Join,
    /// The end of an expression.
    Value,
    /// The dot in front of a name.
    Dot,
    /// `if`, `while` ...: an expression may follow the parentheses behind the word.
    Control,
    /// `else`, `do`, `try`, `finally`: a block may follow.
    Block,
    /// `return`, `typeof` ...: an expression may follow.
    Keyword,
    /// The bracket in front of an index.
    Index,
}

/// The meaning of strings in parentheses behind a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    /// A string is an argument.
    Function,
    /// The first string is the name of a namespace (`createElementNS`), which is no link.
    Namespace,
    /// The strings are parts of one (`concat`, `implode`).
    Join,
    /// The strings are elements of a list (`array`).
    List,
    /// The first string is the format of a function such as `printf`.
    Format(Format),
}

/// The format of a function, as far as it has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Unread,
    /// The values that it takes are texts of their own.
    Loose,
    /// A value that it takes is a part of a longer text.
    Glued,
}

/// A parenthesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parenthesis {
    /// Behind `if` and its like.
    Control,
    /// Behind an expression.
    Call(Call),
    /// Around an expression, which code behind it may continue; true behind code that gives the beginning.
    Group(bool),
}

/// An open bracket, tag or literal.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Frame {
    Parenthesis(Parenthesis),
    /// The name of a table of TOML.
    Header,
    /// A brace; true for a block.
    Brace(bool),
    /// Code within a literal.
    Code(Literal),
    /// A tag of JSX; true for an end tag.
    Tag(bool),
    /// The content of an element of JSX.
    Content,
}

/// The most open frames: more are no program.
const MOST_FRAMES: usize = 1 << 14;

/// The longest word that means something, and the most bytes that marks look ahead.
const LONGEST_WORD: usize = 64;

#[derive(Debug)]
enum State {
    /// Between literals.
    Marks,
    /// Within a literal that begins at the cursor.
    Literal(Part),
    /// Within a literal that is too long.
    Skipping(Literal),
    /// Within a name in a literal.
    Name(Literal),
    Text(TextStretch),
}

/// The part of a literal that begins at the cursor.
#[derive(Debug)]
struct Part {
    literal: Literal,
    /// True if code gives the beginning of the value.
    goes_on_before: bool,
    /// The bytes that have been searched.
    read: usize,
}

/// A mark of a language.
enum Mark {
    /// Nothing of interest up to a position.
    Pass(usize),
    /// A longer window tells. The cursor moves to the position.
    More(usize),
    /// A literal, whose text begins at a position.
    Literal(Literal, usize),
    /// A comment or running text from a position on.
    Text(TextEnd, usize),
    /// No program from here on.
    Malformed,
}

impl Call {
    fn of(name: &[u8]) -> Self {
        match name {
            // Without regard to case, as PHP reads names.
            _ if name.eq_ignore_ascii_case(b"concat") => Call::Join,
            _ if name.eq_ignore_ascii_case(b"implode") => Call::Join,
            _ if name.eq_ignore_ascii_case(b"array") => Call::List,
            // The methods of the DOM.
            b"createDocument" | b"lookupPrefix" | b"isDefaultNamespace" => Call::Namespace,
            _ if name.ends_with(b"NS") => Call::Namespace,
            _ => Call::Function,
        }
    }
}

impl Before {
    const START: Before = Before {
        token: Token::Operator,
        byte: 0,
        call: Call::Function,
        is_glue: false,
        is_template: false,
        begins_line: true,
        in_word: false,
    };

    fn set(&mut self, token: Token, byte: u8) {
        *self = Before {
            token,
            byte,
            ..Before::START
        };
        self.begins_line = false;
    }
}

impl CodeTokenizer {
    /// A tokenizer at the beginning of a document.
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{CodeTokenizer, Language, Slots};
    ///
    /// let tokenizer = CodeTokenizer::new(Language::Toml, 1 << 20);
    /// assert_eq!(Slots::new(tokenizer, b"a = 'b.example'", Charset::UTF_8).count(), 1);
    /// ```
    pub fn new(language: Language, max_slot: usize) -> Self {
        CodeTokenizer {
            language,
            max_slot,
            letters: JsonStyle::UNKNOWN,
            frames: Vec::new(),
            before: Before::START,
            in_directive: false,
            appends_at: None,
            echoes_at: None,
            entry: Entry::default(),
            line: Line::default(),
            state: match language {
                Language::Php => State::Text(TextStretch::new(TextEnd::PhpCode)),
                _ => State::Marks,
            },
        }
    }

    /// A tokenizer of a program in another document. Listings of PHP may lack the tags around code. O(length).
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{CodeTokenizer, Language, Slots};
    ///
    /// let code = "$a = 'b.example';";
    /// let tokenizer = CodeTokenizer::of_listing(Language::Php, code);
    /// let mut slots = Slots::new(tokenizer, code.as_bytes(), Charset::UTF_8);
    /// assert_eq!(slots.next().unwrap().range, 6..15);
    /// ```
    pub fn of_listing(language: Language, code: &str) -> Self {
        let mut tokenizer = CodeTokenizer::new(language, usize::MAX);
        if !code.contains("<?") {
            tokenizer.state = State::Marks;
        }
        tokenizer
    }

    /// Reads up to the next literal, comment or text.
    fn marks(&mut self, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        loop {
            if *cursor == window.bytes.len() || self.frames.len() > MOST_FRAMES {
                let is_end = *cursor == window.bytes.len();
                return is_end.then(|| ended(window)).or_else(|| self.rest());
            }
            let mark = match self.language {
                Language::JavaScript | Language::TypeScript => self.javascript(window, *cursor),
                Language::Php => self.php(window, *cursor),
                Language::Toml => self.toml(window, *cursor),
                Language::Gettext { keys } => self.gettext(keys, window, *cursor),
                Language::Properties => self.properties(window, *cursor),
                language => match language.rules() {
                    Some(rules) => self.source(rules, window, *cursor),
                    None => Mark::Malformed,
                },
            };
            match mark {
                Mark::Pass(to) => {
                    *cursor = to;
                    // Behind code a literal goes on.
                    if !matches!(self.state, State::Marks) {
                        return None;
                    }
                }
                Mark::More(to) => {
                    *cursor = to;
                    return Some(ended(window));
                }
                Mark::Literal(mut literal, to) => {
                    *cursor = to;
                    literal.is_format = self.is_in_format();
                    self.state = State::Literal(Part {
                        literal,
                        goes_on_before: self.goes_on_before(),
                        read: 0,
                    });
                    return None;
                }
                Mark::Text(end, to) => {
                    *cursor = to;
                    self.state = State::Text(TextStretch::new(end));
                    return None;
                }
                Mark::Malformed => return self.rest(),
            }
        }
    }

    /// The rest is running text.
    fn rest(&mut self) -> Option<Step> {
        self.state = State::Text(TextStretch::malformed(TextEnd::Document));
        None
    }

    /// Reads the part of a literal that begins at the cursor.
    fn literal(&mut self, part: Part, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let start = *cursor;
        let found = part.literal.find_end(window, start, part.read);
        // The end of the document ends a line.
        let is_last = window.last && part.literal.end == End::Line;
        let end = match found {
            Found::End { at, .. } | Found::Code { at, .. } | Found::Name { at, .. } => at,
            Found::Open(_) if is_last => window.bytes.len(),
            Found::Open(at) | Found::Broken(at) => at,
        };
        if end - start > self.max_slot {
            self.state = State::Skipping(part.literal);
            return Some(Step::TooLong(start, Place::clone(&SharedPlace::TEXT)));
        }
        let raw = &window.bytes[start..end];
        let may_be_read = part.literal.kind != Kind::Format && may_hold_link(raw);
        let goes_on_behind = match found {
            Found::Broken(_) => return self.rest(),
            // Nobody asks.
            Found::End { .. } if !may_be_read => Some(true),
            Found::End { behind, .. } => self.goes_on(window, behind),
            Found::Open(_) => {
                (is_last || window.last && part.literal.kind == Kind::Text).then_some(false)
            }
            _ => Some(true),
        };
        let Some(goes_on_behind) = goes_on_behind else {
            if window.last {
                // An unclosed literal is no program.
                return self.rest();
            }
            let read = match found {
                Found::Open(searched) => searched - start,
                _ => part.read,
            };
            self.state = State::Literal(Part { read, ..part });
            return Some(Step::NeedMore);
        };
        let Part {
            literal,
            goes_on_before,
            ..
        } = part;
        let letters = self.letters.read(raw);
        let is_key = self.language == Language::Toml && goes_on_behind || self.is_in_header();
        let access = self.access();
        let slot = (!is_key && may_be_read).then(|| {
            let escaping = literal.escaping(|style| LiteralStyle {
                letters,
                goes_on_before,
                goes_on_behind,
                ..style
            });
            slot(start..end, (literal.kind, access), escaping)
        });
        let is_gap = |byte: &u8| byte.is_ascii_whitespace() || b"\"'<>(".contains(byte);
        let has_front = raw.last().map_or(goes_on_before, |last| !is_gap(last));
        self.go_behind(found, literal, cursor, window);
        self.before.is_glue = !begins_with_gap(raw);
        self.read_format(raw);
        if has_front && matches!(found, Found::Code { .. }) {
            // The text in front of the code gives the beginning of a string in it.
            self.before.set(Token::Join, b'(');
        }
        slot
    }

    /// Goes behind the end of a literal, or of its part.
    fn go_behind(
        &mut self,
        found: Found,
        literal: Literal,
        cursor: &mut usize,
        window: Window<'_>,
    ) {
        self.state = State::Marks;
        match found {
            Found::Code { behind, .. } => {
                *cursor = behind;
                self.frames.push(Frame::Code(literal));
                self.before.set(Token::Operator, b'(');
            }
            Found::Name { behind, .. } => {
                *cursor = behind;
                self.state = State::Name(literal);
            }
            Found::End { behind, .. } => {
                *cursor = behind;
                self.before.set(Token::Value, b'"');
            }
            Found::Open(_) | Found::Broken(_) => *cursor = window.bytes.len(),
        }
    }

    /// True if code in front of a string gives the beginning of its value.
    fn goes_on_before(&self) -> bool {
        use Parenthesis::{Call as CallOf, Group};
        self.before.token == Token::Join
            || self.follows_string()
            || matches!(
                self.parenthesis_around_list(),
                Some(Group(true) | CallOf(Call::Join))
            )
    }

    /// The parenthesis around the code, or around the lists of PHP in which it stands.
    fn parenthesis_around_list(&self) -> Option<Parenthesis> {
        let is_list = |frame: &&Frame| **frame == Frame::Parenthesis(Parenthesis::Call(Call::List));
        match self
            .frames
            .iter()
            .rev()
            .take(behind::MOST_LISTS)
            .find(|frame| !is_list(frame))
        {
            Some(Frame::Parenthesis(parenthesis)) => Some(*parenthesis),
            _ => None,
        }
    }

    /// The parenthesis around the code, if it is the innermost bracket.
    fn parenthesis(&self) -> Option<Parenthesis> {
        match self.frames.last() {
            Some(Frame::Parenthesis(parenthesis)) => Some(*parenthesis),
            _ => None,
        }
    }

    /// The access to a string: the name of a namespace is no link.
    fn access(&self) -> Access {
        match self.parenthesis() {
            Some(Parenthesis::Call(Call::Namespace)) if self.before.byte == b'(' => {
                Access::Identifier
            }
            _ => Access::Rewrite,
        }
    }

    /// The calls of a function.
    fn call_of(&self, name: &[u8]) -> Call {
        match self.language {
            // `"".join([...])`; lists have methods of the other names.
            Language::Python if name == b"join" && self.before.is_glue => Call::Join,
            _ if self.before.is_template && matches!(name, b"format" | b"formatted") => Call::Join,
            Language::Python => Call::Function,
            language if language.reads_format(name) || language.fills_in(name) => {
                Call::Format(Format::Unread)
            }
            Language::Go if matches!(name, b"Join" | b"Sprint") => Call::Join,
            Language::Go => Call::Function,
            Language::Php if name.eq_ignore_ascii_case(b"join") => Call::Join,
            Language::CSharp if name == b"Join" => Call::Join,
            Language::Java if name == b"join" => Call::Join,
            _ if self.language.rules().is_none() => Call::of(name),
            _ => match name {
                b"append" | b"concat" | b"Append" | b"Concat" | b"strcat" => Call::Join,
                _ => Call::Function,
            },
        }
    }

    /// The format of the function around the cursor, perhaps within the call of another function (`printf(_("..."))`).
    fn format(&mut self) -> Option<&mut Format> {
        /// The most parentheses around a format.
        const MOST: usize = 4;
        let around = self.frames.iter_mut().rev().take(MOST);
        let mut around = around.map_while(|frame| match frame {
            Frame::Parenthesis(parenthesis) => Some(parenthesis),
            _ => None,
        });
        around.find_map(|parenthesis| match parenthesis {
            Parenthesis::Call(Call::Format(format)) => Some(format),
            _ => None,
        })
    }

    /// True if a string at the cursor is a format of `printf`.
    fn is_in_format(&mut self) -> bool {
        let has_percents = !matches!(self.language, Language::CSharp | Language::Rust);
        has_percents && self.format().is_some()
    }

    /// Reads a string, or a part of one, that may be a format.
    fn read_format(&mut self, raw: &[u8]) {
        let is_glued = directives::are_glued(raw);
        self.before.is_template = is_glued;
        if let Some(format) = self.format() {
            let is_glued = is_glued || *format == Format::Glued;
            *format = if is_glued {
                Format::Glued
            } else {
                Format::Loose
            };
        }
    }

    /// Ends an argument. The format of a function ends with the argument in which it stands.
    fn end_argument(&mut self) {
        let call = match self.frames.last_mut() {
            Some(Frame::Parenthesis(Parenthesis::Call(call))) => call,
            _ => return,
        };
        match call {
            Call::Format(Format::Loose) => *call = Call::Function,
            Call::Format(Format::Glued) => *call = Call::Join,
            _ => {}
        }
    }

    /// True in the name of a table of TOML.
    fn is_in_header(&self) -> bool {
        self.frames.last() == Some(&Frame::Header)
    }

    /// Opens a parenthesis behind the last token.
    fn open_parenthesis(&mut self) {
        let parenthesis = match self.before.token {
            Token::Control => Parenthesis::Control,
            Token::Value => Parenthesis::Call(self.before.call),
            // Values of a format of Python.
            Token::Join if self.before.byte == b'%' => Parenthesis::Call(Call::Join),
            token => Parenthesis::Group(token == Token::Join),
        };
        self.frames.push(Frame::Parenthesis(parenthesis));
        self.before.set(Token::Operator, b'(');
    }

    /// The token of an open bracket or brace.
    fn bracket(&self, bracket: u8) -> Token {
        match self.before.token {
            Token::Value if bracket == b'[' => Token::Index,
            _ => Token::Operator,
        }
    }

    /// Skips a literal that is too long, up to its end or code in it.
    fn skip(&mut self, literal: Literal, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let found = literal.find_end(window, *cursor, 0);
        match found {
            Found::Broken(at) => {
                *cursor = at;
                self.rest()
            }
            Found::Open(_) if window.last => {
                *cursor = window.bytes.len();
                self.state = State::Skipping(literal);
                Some(Step::End)
            }
            Found::Open(searched) => {
                *cursor = skipped(window, *cursor, searched);
                self.state = State::Skipping(literal);
                Some(Step::NeedMore)
            }
            found => {
                self.go_behind(found, literal, cursor, window);
                None
            }
        }
    }

    /// Goes behind a name in a literal.
    fn name(&mut self, literal: Literal, window: Window<'_>, cursor: &mut usize) -> Option<Step> {
        let rest = &window.bytes[*cursor..];
        let length = rest.iter().position(|byte| !literal::is_label(*byte));
        *cursor += length.unwrap_or(rest.len());
        if length.is_none() && !window.last {
            self.state = State::Name(literal);
            return Some(Step::NeedMore);
        }
        self.go_on_with(literal);
        None
    }

    /// Goes on with the literal around the code if bytes begin with the mark that ends the code, whose length it gives.
    fn close_hole(&mut self, bytes: &[u8]) -> Option<usize> {
        let Some(Frame::Code(literal)) = self.frames.last() else {
            return None;
        };
        let length = literal.holes.closing(bytes)?;
        if let Some(Frame::Code(literal)) = self.frames.pop() {
            self.go_on_with(literal);
        }
        Some(length)
    }

    /// Goes on with a literal behind code in it.
    fn go_on_with(&mut self, literal: Literal) {
        self.state = State::Literal(Part {
            literal,
            goes_on_before: true,
            read: 0,
        });
    }
}

/// The end of a string in double quotation marks with backslash escapes, whose inside begins at `start`, or the
/// position at which the search goes on; true for the end. The first `read` bytes have been searched.
pub(crate) fn double_end(window: Window<'_>, start: usize, read: usize) -> (usize, bool) {
    let literal = Literal::new(Escapes::Yaml, literal::End::Quote(b'"'));
    match literal.find_end(window, start, read) {
        Found::End { at, .. } => (at, true),
        Found::Code { at, .. } | Found::Name { at, .. } => (at, false),
        Found::Open(at) | Found::Broken(at) => (at, false),
    }
}

impl Language {
    /// True if functions of this name read their first string as a format of `printf`.
    fn reads_format(self, name: &[u8]) -> bool {
        const PRINTF: &[u8] = b"printf";
        let end = &name[name.len().saturating_sub(PRINTF.len())..];
        let is_printf = end.eq_ignore_ascii_case(PRINTF);
        match self {
            Language::C => is_printf || name.ends_with(b"Format") || name == b"NSLog",
            Language::Swift => name == b"NSLog",
            Language::Java | Language::Kotlin => is_printf || name == b"format",
            // `Printf`, `Errorf`, `Fatalf` ...
            Language::Go => name.ends_with(b"f") && name[0].is_ascii_uppercase(),
            Language::Php | Language::JavaScript | Language::TypeScript => is_printf,
            _ => false,
        }
    }

    /// True if functions of this name read their first string as a format with braces.
    fn fills_in(self, name: &[u8]) -> bool {
        match self {
            Language::CSharp => matches!(name, b"Format" | b"AppendFormat"),
            Language::Rust => matches!(name, b"format" | b"write" | b"writeln" | b"format_args"),
            _ => false,
        }
    }
}

/// The answer at the end of a window.
fn ended(window: Window<'_>) -> Step {
    if window.last {
        Step::End
    } else {
        Step::NeedMore
    }
}

fn slot(
    range: Range<usize>,
    (kind, access): (Kind, Access),
    escaping: crate::escape::Escaping,
) -> Step {
    Step::Slot(Slot {
        range,
        escaping,
        syntax: match kind {
            Kind::Text | Kind::Prose(_) | Kind::Format => Syntax::EscapedText,
            Kind::Literal(_) | Kind::Attribute => Syntax::Data,
        },
        place: SharedPlace::TEXT,
        access,
        run: Run::WHOLE,
    })
}

/// The length of the word at the beginning of bytes.
fn word_length(bytes: &[u8]) -> usize {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | 0x80..);
    let length = bytes.iter().position(|byte| !is_part(byte));
    length.unwrap_or(bytes.len())
}

/// False if bytes surely hold no link: most literals are names.
fn may_hold_link(raw: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, b':' | b'.' | b'/' | b'@' | b'=' | b'\\' | 0x80..);
    raw.iter().any(is_sign)
}

impl Tokenizer for CodeTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        *cursor = (*cursor).min(window.bytes.len());
        loop {
            let step = match std::mem::replace(&mut self.state, State::Marks) {
                State::Marks => self.marks(window, cursor),
                State::Literal(part) => self.literal(part, window, cursor),
                State::Skipping(literal) => self.skip(literal, window, cursor),
                State::Name(literal) => self.name(literal, window, cursor),
                State::Text(mut text) => {
                    let step = text.step(window, cursor);
                    if step.is_some() {
                        self.state = State::Text(text);
                    } else {
                        let is_line =
                            matches!(text.end(), TextEnd::LineComment | TextEnd::SplicedComment);
                        self.before.begins_line |= is_line;
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

//! Python, and languages whose literals are like those of C, between their literals. Their differences are rows of
//! tables.

use super::literal::{End, Kind, Literal};
use super::{Before, CodeTokenizer, Frame, LONGEST_WORD, Language, Mark, Token, word_length};
use crate::escape::{Escapes, Holes};
use crate::slot::Window;
use crate::text_stretch::{End as TextEnd, block_length, line_length};

/// The lexical rules of a language.
pub(super) struct Rules {
    /// The mark of a comment up to the end of the line.
    comment: &'static [u8],
    /// The beginnings of literals; longer ones come first.
    openings: &'static [Opening],
    /// Letters that may stand in front of a literal, in any case and order.
    prefixes: &'static [u8],
    interpolation: Interpolation,
    /// True if strings in a row are one.
    joins_rows: bool,
    /// True if a word beside a string may be a macro that is one, and lines may be directives.
    has_macros: bool,
    /// True if a string that ends its line ends a statement.
    ends_with_line: bool,
    /// True if an apostrophe begins a character.
    has_characters: bool,
    /// True if a comment may hold comments.
    nests_comments: bool,
    /// True if lines end statements, in which a string alone is documentation.
    has_lines: bool,
}

/// The strings that code fills in.
struct Interpolation {
    holes: Holes,
    /// Letters one of which stands in the prefix of such a string; none if all strings are.
    letters: &'static [u8],
}

/// The beginning of a literal.
struct Opening(&'static [u8], Escapes, Ending);

/// The end of a literal.
#[derive(Clone, Copy)]
enum Ending {
    Line,
    Lines,
    Triple,
    /// `(`, text and `)` within the same characters and quotation marks: `R"x(...)x"`.
    Delimiter,
    /// A quotation mark with as many hashes as in front: `r#"..."#`.
    Hashes,
    /// A quotation mark, perhaps in a later line; a doubled one is text.
    Doubled,
    /// The quotation marks of the beginning again, at least three.
    Quotes,
}

const LIKE_C: Rules = Rules {
    comment: b"//",
    openings: &[],
    prefixes: b"",
    interpolation: Interpolation {
        holes: Holes::None,
        letters: b"",
    },
    joins_rows: false,
    has_macros: false,
    ends_with_line: false,
    has_characters: true,
    nests_comments: false,
    has_lines: false,
};

const PYTHON: Rules = Rules {
    comment: b"#",
    openings: &[
        Opening(b"\"\"\"", Escapes::Python, Ending::Triple),
        Opening(b"'''", Escapes::Python, Ending::Triple),
        Opening(b"\"", Escapes::Python, Ending::Line),
        Opening(b"'", Escapes::Python, Ending::Line),
    ],
    prefixes: b"rbuft",
    interpolation: Interpolation {
        holes: Holes::Braces,
        letters: b"ft",
    },
    joins_rows: true,
    has_macros: false,
    ends_with_line: false,
    has_characters: false,
    nests_comments: false,
    has_lines: true,
};

const C: Rules = Rules {
    openings: &[
        Opening(b"R\"", Escapes::Verbatim, Ending::Delimiter),
        Opening(b"LR\"", Escapes::Verbatim, Ending::Delimiter),
        Opening(b"uR\"", Escapes::Verbatim, Ending::Delimiter),
        Opening(b"UR\"", Escapes::Verbatim, Ending::Delimiter),
        Opening(b"u8R\"", Escapes::Verbatim, Ending::Delimiter),
        Opening(b"\"", Escapes::C, Ending::Line),
        Opening(b"L\"", Escapes::C, Ending::Line),
        Opening(b"u\"", Escapes::C, Ending::Line),
        Opening(b"U\"", Escapes::C, Ending::Line),
        Opening(b"u8\"", Escapes::C, Ending::Line),
    ],
    joins_rows: true,
    has_macros: true,
    ..LIKE_C
};

const JAVA: Rules = Rules {
    openings: &[
        Opening(b"\"\"\"", Escapes::Java, Ending::Triple),
        Opening(b"\"", Escapes::Java, Ending::Line),
    ],
    ..LIKE_C
};

const KOTLIN: Rules = Rules {
    openings: &[
        Opening(b"\"\"\"", Escapes::Verbatim, Ending::Triple),
        Opening(b"\"", Escapes::Java, Ending::Line),
    ],
    prefixes: b"$",
    interpolation: Interpolation {
        holes: Holes::Dollars(1),
        letters: b"",
    },
    nests_comments: true,
    ..LIKE_C
};

const CSHARP: Rules = Rules {
    openings: &[
        Opening(b"\"\"\"", Escapes::Verbatim, Ending::Quotes),
        Opening(b"@\"", Escapes::Verbatim, Ending::Doubled),
        Opening(b"@$\"", Escapes::Verbatim, Ending::Doubled),
        Opening(b"\"", Escapes::CSharp, Ending::Line),
    ],
    prefixes: b"$",
    interpolation: Interpolation {
        holes: Holes::Braces,
        letters: b"$",
    },
    ..LIKE_C
};

const GO: Rules = Rules {
    openings: &[
        Opening(b"`", Escapes::Verbatim, Ending::Lines),
        Opening(b"\"", Escapes::Go, Ending::Line),
    ],
    ends_with_line: true,
    ..LIKE_C
};

const RUST: Rules = Rules {
    openings: &[
        Opening(b"r\"", Escapes::Verbatim, Ending::Lines),
        Opening(b"r#", Escapes::Verbatim, Ending::Hashes),
        Opening(b"b\"", Escapes::RustBytes, Ending::Lines),
        Opening(b"br\"", Escapes::VerbatimBytes, Ending::Lines),
        Opening(b"br#", Escapes::VerbatimBytes, Ending::Hashes),
        Opening(b"cr\"", Escapes::Verbatim, Ending::Lines),
        Opening(b"cr#", Escapes::Verbatim, Ending::Hashes),
        Opening(b"\"", Escapes::Rust, Ending::Lines),
    ],
    nests_comments: true,
    ..LIKE_C
};

const SWIFT: Rules = Rules {
    openings: &[
        Opening(b"\"\"\"", Escapes::Rust, Ending::Triple),
        Opening(b"#", Escapes::Verbatim, Ending::Hashes),
        Opening(b"\"", Escapes::Rust, Ending::Line),
    ],
    interpolation: Interpolation {
        holes: Holes::Backslash(0),
        letters: b"",
    },
    has_characters: false,
    nests_comments: true,
    ..LIKE_C
};

/// The most bytes that tell whether a literal begins: its prefix and its delimiter.
const LONGEST_OPENING: usize = 32;

/// The longest prefix of a literal.
const LONGEST_PREFIX: usize = 8;

/// The most bytes of a character in apostrophes.
const LONGEST_CHARACTER: usize = 12;

impl Language {
    /// The lexical rules, if the language is read by rules alone.
    pub(super) fn rules(self) -> Option<&'static Rules> {
        Some(match self {
            Language::Python => &PYTHON,
            Language::C => &C,
            Language::Java => &JAVA,
            Language::Kotlin => &KOTLIN,
            Language::CSharp => &CSHARP,
            Language::Go => &GO,
            Language::Rust => &RUST,
            Language::Swift => &SWIFT,
            _ => return None,
        })
    }
}

impl Rules {
    /// The literal at the beginning of bytes, and the position of its text.
    fn literal(&self, bytes: &[u8]) -> Option<(Literal, usize)> {
        let is_prefix = |byte: &&u8| self.prefixes.contains(&byte.to_ascii_lowercase());
        let near = bytes.iter().take(LONGEST_PREFIX);
        let (prefix, rest) = bytes.split_at(near.take_while(is_prefix).count());
        let (opening, mut literal, start) = self.openings.iter().find_map(|opening| {
            let (literal, start) = opening.literal(rest)?;
            Some((opening, literal, start))
        })?;
        let has = |letter: u8| prefix.iter().any(|byte| byte.eq_ignore_ascii_case(&letter));
        match (has(b'r'), has(b'b')) {
            (true, true) => literal.kind = Kind::Literal(Escapes::PythonRawBytes),
            (true, false) => literal.kind = Kind::Literal(Escapes::PythonRaw),
            (false, true) => literal.kind = Kind::Literal(Escapes::PythonBytes),
            (false, false) => {}
        }
        let start = prefix.len() + start;
        literal.holes = self.interpolation.holes(opening, &bytes[..start]);
        Some((literal, start))
    }

    /// True if the bytes behind a string begin one that belongs to it, or a macro that is one.
    pub(super) fn joins(&self, behind: &[u8]) -> bool {
        let is_macro = self.has_macros && (behind[0].is_ascii_alphabetic() || behind[0] == b'_');
        self.joins_rows && (is_macro || self.literal(behind).is_some())
    }
}

impl Interpolation {
    /// The holes of a string behind these bytes.
    fn holes(&self, opening: &Opening, front: &[u8]) -> Holes {
        let letters = self.letters;
        let is_letter = |byte: &&u8| letters.contains(&byte.to_ascii_lowercase());
        if !letters.is_empty() && !front.iter().any(|byte| is_letter(&byte)) {
            return Holes::None;
        }
        let marks = front.iter().filter(|byte| matches!(byte, b'$' | b'#'));
        let is_raw = matches!(opening.2, Ending::Quotes);
        self.holes.counted(marks.count(), is_raw)
    }
}

impl Opening {
    fn literal(&self, bytes: &[u8]) -> Option<(Literal, usize)> {
        let Opening(begin, escapes, ending) = self;
        let behind = bytes.strip_prefix(*begin)?;
        let quote = begin[begin.len() - 1];
        let (end, length) = match ending {
            Ending::Line => (End::InLine(quote), 0),
            Ending::Lines => (End::Quote(quote), 0),
            Ending::Doubled => (End::Doubled(quote), 0),
            Ending::Triple => (End::Triple(quote), 0),
            Ending::Quotes => {
                let more = behind.iter().take(LONGEST_OPENING / 2);
                let more = more.take_while(|byte| **byte == quote).count();
                (End::Mark([quote].repeat(begin.len() + more).into()), more)
            }
            Ending::Delimiter => {
                let near = &behind[..behind.len().min(LONGEST_OPENING / 2 + 1)];
                let length = memchr::memchr(b'(', near)?;
                let is_part = |byte: &u8| !byte.is_ascii_whitespace() && !b"\\)\"".contains(byte);
                let delimiter = &near[..length];
                let mark = [b")", delimiter, b"\""].concat();
                let is_delimiter = delimiter.iter().all(is_part);
                (End::Mark(is_delimiter.then_some(mark)?.into()), length + 1)
            }
            Ending::Hashes => {
                let hashes = behind.iter().take(LONGEST_OPENING / 2);
                let hashes = hashes.take_while(|byte| **byte == b'#').count();
                behind.get(hashes).filter(|byte| **byte == b'"')?;
                let mark = [b"\"", &b"#".repeat(hashes + 1)[..]].concat();
                (End::Mark(mark.into()), hashes + 1)
            }
        };
        Some((Literal::new(*escapes, end), begin.len() + length))
    }
}

/// True if bytes begin with a URL whose slashes look like a comment: `#define U http://a.example/`.
fn begins_url(rest: &[u8]) -> bool {
    let length = rest.iter().take_while(|byte| byte.is_ascii_alphabetic());
    let length = length.count();
    length > 1 && rest[length..].starts_with(b"://")
}

impl CodeTokenizer {
    /// The mark at a position.
    pub(super) fn source(&mut self, rules: &Rules, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        if self.before.in_word {
            return self.in_word(window, at);
        }
        match rest[0] {
            b' ' | b'\t' | b'\r' | b'\x0C' => return Mark::Pass(at + 1),
            _ if rest.len() < LONGEST_OPENING && !window.last => return Mark::More(at),
            b'\n' => {
                if rules.has_lines && self.frames.is_empty() || self.in_directive {
                    self.before = Before::START;
                    self.appends_at = None;
                }
                self.in_directive = false;
                self.before.begins_line = true;
                return Mark::Pass(at + 1);
            }
            // A line that goes on.
            b'\\' => {
                return Mark::Pass(
                    at + if rest.starts_with(b"\\\r\n") { 3 } else { 2 }.min(rest.len()),
                );
            }
            b'/' if rest.starts_with(rules.comment) => {
                let end = if rules.has_macros {
                    TextEnd::SplicedComment
                } else {
                    TextEnd::LineComment
                };
                return Mark::Text(end, at + 2);
            }
            b'#' if rest.starts_with(rules.comment) => {
                return Mark::Text(TextEnd::LineComment, at + 1);
            }
            b'/' if rest.starts_with(b"/*") && !rules.has_lines => {
                let end = if rules.nests_comments {
                    TextEnd::Nested
                } else {
                    TextEnd::Block
                };
                return Mark::Text(end, at + 2);
            }
            b'a'..=b'z' | b'A'..=b'Z' if rules.comment == b"//" && begins_url(rest) => {
                return Mark::Text(TextEnd::LineComment, at);
            }
            b'#' if rules.has_macros && self.before.begins_line => {
                self.in_directive = true;
                self.before.set(Token::Operator, b'#');
                return Mark::Pass(at + 1);
            }
            // A macro of Rust is called like a function.
            b'!' if self.before.token == Token::Value && rest.get(1) == Some(&b'(') => {
                return Mark::Pass(at + 1);
            }
            b':' if self.begins_format(rules, rest) => {
                return Mark::Literal(Literal::format(), at + 1);
            }
            b'\'' if rules.has_characters => {
                self.before.set(Token::Value, b'\'');
                return Mark::Pass(at + character_length(rest));
            }
            _ => {}
        }
        if let Some((mut literal, length)) = rules.literal(rest) {
            let is_alone = rules.has_lines && self.frames.is_empty() && self.before.byte == 0;
            if let (true, Kind::Literal(escapes)) = (is_alone, literal.kind) {
                literal.kind = Kind::Prose(escapes);
            }
            return Mark::Literal(literal, at + length);
        }
        match rest[0] {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'$' | 0x80.. => {
                self.source_word(window, at)
            }
            _ => self.source_operator(rest, at),
        }
    }

    /// True if a colon in a hole is in front of the format of the value: `{x:#x}`.
    fn begins_format(&self, rules: &Rules, rest: &[u8]) -> bool {
        // Names of C# have two colons.
        let is_name = !rules.has_lines && (rest.starts_with(b"::") || self.before.byte == b':');
        match self.frames.last() {
            Some(Frame::Code(literal)) => literal.holes.mark() == Some(b'{') && !is_name,
            _ => false,
        }
    }

    fn source_word(&mut self, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        // Hashes are no part of words here.
        let length = word_length(rest);
        let length = memchr::memchr(b'#', &rest[..length]).unwrap_or(length);
        if length == rest.len() && length < LONGEST_WORD && !window.last {
            return Mark::More(at);
        }
        let token = match &rest[..length] {
            b"return" | b"yield" | b"and" | b"or" | b"not" | b"in" | b"is" | b"if" | b"else"
            | b"elif" | b"case" | b"throw" | b"await" | b"lambda" | b"assert" | b"raise" => {
                Token::Keyword
            }
            _ => Token::Value,
        };
        let call = self.call_of(&rest[..length]);
        self.before.set(token, b'a');
        self.before.call = call;
        self.before.in_word = length == rest.len();
        Mark::Pass(at + length)
    }

    fn source_operator(&mut self, rest: &[u8], at: usize) -> Mark {
        let first = rest[0];
        let (token, length) = match first {
            b'(' => {
                self.open_parenthesis();
                return Mark::Pass(at + 1);
            }
            b'[' | b'{' => {
                self.frames.push(Frame::Brace(false));
                (self.bracket(first), 1)
            }
            b')' => {
                if self.parenthesis().is_some() {
                    self.frames.pop();
                } else if let Some(length) = self.close_hole(rest) {
                    return Mark::Pass(at + length);
                }
                (Token::Value, 1)
            }
            b']' | b'}' => {
                while self.parenthesis().is_some() {
                    self.frames.pop();
                }
                if let Some(length) = self.close_hole(rest) {
                    return Mark::Pass(at + length);
                }
                if let Some(Frame::Brace(_)) = self.frames.last() {
                    self.frames.pop();
                }
                (Token::Value, 1)
            }
            b'+' => {
                let length = 1 + usize::from(rest.get(1) == Some(&b'='));
                self.begin_join(length, b'+');
                return Mark::Pass(at + length);
            }
            b';' => {
                self.appends_at = None;
                (Token::Operator, 1)
            }
            b'<' if rest.starts_with(b"<<") => (Token::Join, 2),
            b'%' if self.before.is_template => (Token::Join, 1),
            b',' => {
                self.end_argument();
                (Token::Operator, 1)
            }
            _ => (Token::Operator, 1),
        };
        let (is_glue, is_template) = (self.before.is_glue, self.before.is_template);
        self.before.set(token, first);
        if first == b'.' {
            (self.before.is_glue, self.before.is_template) = (is_glue, is_template);
        }
        Mark::Pass(at + length)
    }

    /// True if the end of a line within so many open brackets is the end of a statement.
    pub(super) fn ends_with_line(&self, depth: usize) -> bool {
        let of = |rules: &Rules| rules.ends_with_line || rules.has_lines && depth == 0;
        self.in_directive || self.language.rules().is_some_and(of)
    }

    /// The length of the comment at the beginning of bytes; `None` if it has no end.
    pub(super) fn comment_length(&self, bytes: &[u8]) -> Option<usize> {
        let rules = self.language.rules();
        match bytes {
            [b'/', b'*', ..] => {
                block_length(bytes, rules.is_some_and(|rules| rules.nests_comments))
            }
            _ => line_length(bytes, rules.is_some_and(|rules| rules.has_macros)),
        }
    }

    /// True if code in front of a string, without an operator, gives the beginning of its value: a string or a macro.
    pub(super) fn follows_string(&self) -> bool {
        let is_joined = |rules: &Rules| {
            let is_word = self.before.byte == b'a' && self.before.token == Token::Value;
            let is_macro = rules.has_macros && is_word && !self.in_directive;
            is_macro || rules.joins_rows && self.before.byte == b'"'
        };
        self.language.rules().is_some_and(is_joined)
    }
}

/// The length of a character in apostrophes, or of the apostrophe of something else.
fn character_length(bytes: &[u8]) -> usize {
    let near = &bytes[1..bytes.len().min(LONGEST_CHARACTER)];
    let end = match near {
        [b'\\', _, rest @ ..] => memchr::memchr(b'\'', rest).map(|at| at + 2),
        [first, ..] => {
            let length = match first {
                0xF0.. => 4,
                0xE0.. => 3,
                0xC0.. => 2,
                _ => 1,
            };
            (near.get(length) == Some(&b'\'')).then_some(length)
        }
        [] => None,
    };
    end.map_or(1, |end| end + 2)
}

//! JavaScript and TypeScript between their literals (ECMA-262 12).

use super::literal::{End, Literal};
use super::{CodeTokenizer, Frame, LONGEST_WORD, Language, Mark, Parenthesis, Token, word_length};
use crate::escape::Escapes;
use crate::slot::Window;
use crate::text_stretch::End as TextEnd;

/// The most bytes of a regular expression.
const LONGEST_EXPRESSION: usize = 1 << 16;

impl CodeTokenizer {
    /// The mark at a position.
    pub(super) fn javascript(&mut self, window: Window<'_>, at: usize) -> Mark {
        match self.frames.last() {
            Some(Frame::Tag(_)) => return self.in_tag(window, at),
            Some(Frame::Content) => return self.in_content(window, at),
            _ => {}
        }
        let rest = &window.bytes[at..];
        if self.before.in_word {
            return self.in_word(window, at);
        }
        let first = rest[0];
        let is_cut = |longest: usize| rest.len() < longest && !window.last;
        match first {
            b' ' | b'\t' | b'\r' => Mark::Pass(at + 1),
            b'\n' => {
                self.before.begins_line = true;
                Mark::Pass(at + 1)
            }
            b'\'' | b'"' => {
                let literal = Literal::new(Escapes::JavaScript, End::InLine(first));
                Mark::Literal(literal, at + 1)
            }
            b'`' => {
                let literal = Literal {
                    is_tagged: self.before.token == Token::Value,
                    ..Literal::new(Escapes::Template, End::Quote(b'`'))
                };
                Mark::Literal(literal, at + 1)
            }
            b'/' if is_cut(2) => Mark::More(at),
            b'<' | b'-' | b'+' | b'.' | b'=' | b'!' if is_cut(LONGEST_WORD) => Mark::More(at),
            b'/' => self.slash(window, at),
            b'<' if rest.starts_with(b"<!--") => Mark::Text(TextEnd::LineComment, at + 4),
            b'-' if self.before.begins_line && rest.starts_with(b"-->") => {
                Mark::Text(TextEnd::LineComment, at + 3)
            }
            b'#' if rest.starts_with(b"#!") && self.before.byte == 0 => {
                Mark::Text(TextEnd::LineComment, at + 2)
            }
            b'<' if self.begins_element(rest) => {
                self.frames.push(Frame::Tag(false));
                Mark::Pass(at + 1)
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'$' | b'#' | 0x80.. => {
                self.word(window, at)
            }
            _ => self.punctuation(rest, at),
        }
    }

    /// Goes to the end of a word that is too long to mean something.
    pub(super) fn in_word(&mut self, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        let length = word_length(rest);
        self.before.in_word = length == rest.len();
        Mark::Pass(at + length)
    }

    fn word(&mut self, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        let length = word_length(rest);
        if length == rest.len() && rest.len() < LONGEST_WORD && !window.last {
            return Mark::More(at);
        }
        let token = match &rest[..length] {
            _ if self.before.token == Token::Dot => Token::Value,
            b"if" | b"while" | b"for" | b"with" => Token::Control,
            b"else" | b"do" | b"try" | b"finally" => Token::Block,
            // A name, unless it stands behind one: `for (a of b)`.
            b"of" if self.before.token != Token::Value => Token::Value,
            b"return" | b"typeof" | b"instanceof" | b"in" | b"of" | b"new" | b"delete"
            | b"void" | b"throw" | b"case" | b"yield" | b"await" | b"extends" | b"default"
            | b"export" => Token::Keyword,
            _ => Token::Value,
        };
        self.before.set(token, b'a');
        self.before.call = self.call_of(&rest[..length]);
        self.before.in_word = length == rest.len() && length >= LONGEST_WORD;
        Mark::Pass(at + length)
    }

    /// A comment, a regular expression or an operator.
    fn slash(&mut self, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        match rest.get(1) {
            Some(b'/') => return Mark::Text(TextEnd::LineComment, at + 2),
            Some(b'*') => return Mark::Text(TextEnd::Block, at + 2),
            _ => {}
        }
        if self.before.token == Token::Value {
            self.before.set(Token::Operator, b'/');
            return Mark::Pass(at + 1);
        }
        match expression_end(rest) {
            Expression::End(length) => {
                self.before.set(Token::Value, b'/');
                Mark::Pass(at + length)
            }
            Expression::Open if !window.last && rest.len() < LONGEST_EXPRESSION => Mark::More(at),
            _ => Mark::Malformed,
        }
    }

    fn punctuation(&mut self, rest: &[u8], at: usize) -> Mark {
        let first = rest[0];
        let length = match first {
            b'+' | b'-' if rest.get(1) == Some(&first) => {
                // A value stays one behind `++`.
                return Mark::Pass(at + 2);
            }
            // So it does behind `!` in TypeScript.
            b'!' if self.before.token == Token::Value && rest.get(1) != Some(&b'=') => {
                return Mark::Pass(at + 1);
            }
            b'+' => {
                let length = 1 + usize::from(rest.get(1) == Some(&b'='));
                self.begin_join(length, b'+');
                return Mark::Pass(at + length);
            }
            b'.' if rest.starts_with(b"...") => 3,
            b'=' if rest.starts_with(b"=>") => 2,
            _ => 1,
        };
        let token = match first {
            b'.' if length == 1 => Token::Dot,
            b'(' => {
                self.open_parenthesis();
                return Mark::Pass(at + 1);
            }
            b'{' => {
                self.frames.push(Frame::Brace(self.begins_block()));
                Token::Operator
            }
            b')' => match self.parenthesis() {
                Some(parenthesis) => {
                    self.frames.pop();
                    match parenthesis {
                        Parenthesis::Control => Token::Operator,
                        _ => Token::Value,
                    }
                }
                None => Token::Value,
            },
            b'[' => self.bracket(first),
            b']' => Token::Value,
            b'}' => match self.close(rest) {
                Some(token) => token,
                None => return Mark::Pass(at + 1),
            },
            b';' => {
                self.appends_at = None;
                Token::Operator
            }
            b',' => {
                self.end_argument();
                Token::Operator
            }
            _ => Token::Operator,
        };
        let byte = if rest.starts_with(b"=>") { b'>' } else { first };
        self.before.set(token, byte);
        Mark::Pass(at + length)
    }

    /// An operator of so many bytes that joins strings, perhaps with a variable.
    pub(super) fn begin_join(&mut self, length: usize, byte: u8) {
        self.before.set(Token::Join, byte);
        if length > 1 {
            self.appends_at = Some(self.frames.len());
        }
    }

    /// True if a brace behind the last token begins a block.
    fn begins_block(&self) -> bool {
        match self.before.token {
            Token::Block => true,
            _ => matches!(self.before.byte, 0 | b')' | b';' | b'{' | b'}' | b'>'),
        }
    }

    /// Closes a brace; `None` if a literal goes on behind it.
    fn close(&mut self, rest: &[u8]) -> Option<Token> {
        while let Some(Frame::Parenthesis(_)) = self.frames.last() {
            self.frames.pop();
        }
        if self.close_hole(rest).is_some() {
            return None;
        }
        match self.frames.last() {
            Some(Frame::Brace(is_block)) => {
                let is_block = *is_block;
                self.frames.pop();
                Some(if is_block {
                    Token::Operator
                } else {
                    Token::Value
                })
            }
            _ => Some(Token::Operator),
        }
    }

    /// True if an element of JSX begins at a `<`. In TypeScript type parameters of functions look like elements.
    fn begins_element(&self, rest: &[u8]) -> bool {
        if self.language != Language::JavaScript || self.before.token == Token::Value {
            return false;
        }
        let name = &rest[1..];
        let length = word_length(name);
        let behind = name[length..].trim_ascii_start();
        let is_name = name.first().is_some_and(u8::is_ascii_alphabetic);
        let is_generic = behind.starts_with(b",") || behind.starts_with(b"extends ");
        name.starts_with(b">") || is_name && !is_generic
    }
}

/// The end of a regular expression.
enum Expression {
    End(usize),
    /// No end so far.
    Open,
    /// The line ends first.
    None,
}

/// The end of the regular expression at the beginning of bytes. In a class a slash is a character.
fn expression_end(bytes: &[u8]) -> Expression {
    let (mut at, mut in_class) = (1, false);
    let bytes = &bytes[..bytes.len().min(LONGEST_EXPRESSION)];
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' => return Expression::None,
            b'\\' if matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => return Expression::None,
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'/' if !in_class => return Expression::End(at + 1),
            _ => {}
        }
        at += 1;
    }
    Expression::Open
}

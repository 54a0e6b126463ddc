//! Tells JSON (RFC 8259) from other text. Numbers may be those of JSON5.

use super::lexer::is_one_number;
use crate::escape::string_end;

/// True if a whole text is a sound object or array that holds a string. Linear.
///
/// ```
/// use linkglot_markup::is_json;
///
/// assert!(is_json(br#"{"a": [1, "b"]}"#));
/// assert!(!is_json(b"[1]") && !is_json(br#"["a""#) && !is_json(br#"[a, "b"]"#));
/// ```
pub fn is_json(text: &[u8]) -> bool {
    let mut checker = Checker::new(text);
    checker.run() == Answer::Sound && checker.has_string
}

/// True if a text begins like JSON: sound, as far as it goes, and with a string. Linear.
///
/// ```
/// use linkglot_markup::begins_json;
///
/// assert!(begins_json(br#" {"a": [1, "b"#) && begins_json(b"[\"a\"]\n[\"b"));
/// assert!(!begins_json(b"[1] See http://a.example/") && !begins_json(br#"{"a": b"#));
/// ```
pub fn begins_json(text: &[u8]) -> bool {
    let mut checker = Checker::new(text);
    checker.run() != Answer::Unsound && checker.has_string
}

const LITERALS: &[&[u8]] = &[b"true", b"false", b"null"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Sound,
    /// Sound as far as the text goes.
    Open,
    Unsound,
}

/// The marks that may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// A value, or the end of the array that has just begun.
    First,
    Value,
    /// A key, or the end of the object that has just begun.
    FirstKey,
    Key,
    Colon,
    /// A comma, or the end of the object or array.
    Comma,
}

/// Reads the documents of a text, one after the other.
struct Checker<'t> {
    text: &'t [u8],
    at: usize,
    /// True for an object, false for an array.
    levels: Vec<bool>,
    expected: Expected,
    has_string: bool,
}

impl<'t> Checker<'t> {
    fn new(text: &'t [u8]) -> Self {
        Checker {
            text,
            at: 0,
            levels: Vec::new(),
            expected: Expected::Value,
            has_string: false,
        }
    }

    fn run(&mut self) -> Answer {
        let mut documents = 0;
        loop {
            self.skip_space();
            let Some(&byte) = self.text.get(self.at) else {
                let is_whole = self.levels.is_empty() && documents > 0;
                return if is_whole {
                    Answer::Sound
                } else {
                    Answer::Open
                };
            };
            if self.levels.is_empty() {
                if !matches!(byte, b'{' | b'[') {
                    return Answer::Unsound;
                }
                self.expected = Expected::Value;
                documents += 1;
            }
            match self.mark(byte) {
                Some(Answer::Sound) => {}
                Some(answer) => return answer,
                None => return Answer::Unsound,
            }
        }
    }

    fn skip_space(&mut self) {
        let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x1E);
        self.at += self.text[self.at..].iter().take_while(is_space).count();
    }

    /// Reads one mark, or value that is no container. `None` for a mark that may not come here.
    fn mark(&mut self, byte: u8) -> Option<Answer> {
        use Expected::{Colon, Comma, First, FirstKey, Key, Value};
        match (byte, self.expected) {
            (b'{', First | Value) => self.open(true, FirstKey),
            (b'[', First | Value) => self.open(false, First),
            (b'}', FirstKey) | (b'}' | b']', Comma) | (b']', First) => {
                (self.levels.pop() == Some(byte == b'}')).then_some(())?;
                self.at += 1;
                self.expected = Comma;
            }
            (b',', Comma) => {
                self.at += 1;
                self.expected = if self.levels.last() == Some(&true) {
                    Key
                } else {
                    Value
                };
            }
            (b':', Colon) => {
                self.at += 1;
                self.expected = Value;
            }
            (b'"', expected @ (First | Value | FirstKey | Key)) => {
                self.has_string = true;
                self.expected = match expected {
                    FirstKey | Key => Colon,
                    _ => Comma,
                };
                return self.string();
            }
            (_, First | Value) => {
                self.expected = Comma;
                return self.scalar();
            }
            _ => return None,
        }
        Some(Answer::Sound)
    }

    fn open(&mut self, is_object: bool, expected: Expected) {
        self.levels.push(is_object);
        self.expected = expected;
        self.at += 1;
    }

    fn string(&mut self) -> Option<Answer> {
        let end = string_end(self.text, self.at + 1);
        let raw = &self.text[self.at + 1..end.unwrap_or(self.text.len())];
        if raw.iter().any(|byte| *byte < b' ') {
            return None;
        }
        let Some(end) = end else {
            return Some(Answer::Open);
        };
        self.at = end + 1;
        Some(Answer::Sound)
    }

    fn scalar(&mut self) -> Option<Answer> {
        let rest = &self.text[self.at..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let length = rest.iter().position(|byte| !is_part(byte));
        let Some(length) = length else {
            let is_digit = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
            let may_be = LITERALS.iter().any(|literal| literal.starts_with(rest));
            return (may_be || rest.iter().all(is_digit)).then_some(Answer::Open);
        };
        self.at += length;
        let scalar = &rest[..length];
        let is_known = LITERALS.contains(&scalar) || is_one_number(scalar);
        is_known.then_some(Answer::Sound)
    }
}

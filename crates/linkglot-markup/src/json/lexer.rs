//! The lexical level of JSON, and of the additions that programs accept: comments, names without quotes, `NaN`.

use crate::slot::Window;
use std::ops::Range;

/// A mark between strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// White space. Record separators (RFC 7464) count.
    Space,
    /// The beginning of an object, or of an array.
    Open(bool),
    /// The end of an object, or of an array.
    Close(bool),
    Comma,
    Colon,
    /// The quote of a string.
    Quote,
    /// A number.
    Scalar,
    /// A name without quotes, or a literal.
    Word(Range<usize>),
    /// `//`; the comment begins at its first slash.
    LineComment,
    /// `/*`
    Block,
    /// No JSON.
    Other,
}

/// The answer of [`mark`].
pub(super) enum Lexed {
    /// A mark, and the position behind it.
    Mark(Mark, usize),
    /// A mark that begins here may go on behind the window, unless the document ends there.
    More(usize),
}

/// The longest number, and the longest name without quotes. A longer one is running text.
const LONGEST: usize = 1024;

/// The mark at a position.
pub(super) fn mark(window: Window<'_>, at: usize) -> Lexed {
    let Some(&first) = window.bytes.get(at) else {
        return Lexed::More(at);
    };
    let single = |mark| Lexed::Mark(mark, at + 1);
    match first {
        b' ' | b'\t' | b'\n' | b'\r' | 0x1E => {
            let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x1E);
            let rest = &window.bytes[at..];
            let length = rest.iter().position(|byte| !is_space(byte));
            Lexed::Mark(Mark::Space, at + length.unwrap_or(rest.len()))
        }
        b'{' | b'[' => single(Mark::Open(first == b'{')),
        b'}' | b']' => single(Mark::Close(first == b'}')),
        b',' => single(Mark::Comma),
        b':' => single(Mark::Colon),
        b'"' => single(Mark::Quote),
        b'/' => match window.bytes.get(at + 1) {
            Some(b'/') => Lexed::Mark(Mark::LineComment, at + 2),
            Some(b'*') => Lexed::Mark(Mark::Block, at + 2),
            None if !window.last => Lexed::More(at),
            _ => single(Mark::Other),
        },
        b'0'..=b'9' | b'-' | b'+' | b'.' => token(window, at, is_number),
        b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'$' => token(window, at, is_word),
        _ => single(Mark::Other),
    }
}

/// A number or word, which ends at a mark or white space.
fn token(window: Window<'_>, at: usize, is_part: fn(u8) -> bool) -> Lexed {
    let rest = &window.bytes[at..];
    let length = rest.iter().position(|&byte| !is_part(byte));
    let length = length.unwrap_or(rest.len());
    let ends = |byte: &u8| {
        matches!(
            byte,
            b' ' | b'\t'..=b'\r' | 0x1E | b'"' | b',' | b':' | b']' | b'}'
        )
    };
    match rest.get(length) {
        _ if length > LONGEST => Lexed::Mark(Mark::Other, at + 1),
        None if !window.last => Lexed::More(at),
        Some(b'/') if !window.last && rest.len() < length + 2 => Lexed::More(at),
        Some(b'/') if matches!(rest.get(length + 1), Some(b'/' | b'*')) => {
            Lexed::Mark(of(rest, length, at), at + length)
        }
        // `http://` is no name with a comment behind it.
        Some(b':') if !window.last && rest.len() < length + 3 => Lexed::More(at),
        Some(b':') if rest[length..].starts_with(b"://") => Lexed::Mark(Mark::Other, at + 1),
        Some(byte) if !ends(byte) => Lexed::Mark(Mark::Other, at + 1),
        _ => Lexed::Mark(of(rest, length, at), at + length),
    }
}

fn of(rest: &[u8], length: usize, at: usize) -> Mark {
    match rest[0] {
        b'0'..=b'9' | b'-' | b'+' | b'.' if is_one_number(&rest[..length]) => Mark::Scalar,
        b'0'..=b'9' | b'-' | b'+' | b'.' => Mark::Other,
        _ => Mark::Word(at..at + length),
    }
}

fn is_number(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// True for a number of JSON or JSON5: `-1.5e+9`, `0x1F`, `.5`, `-Infinity`.
pub(super) fn is_one_number(text: &[u8]) -> bool {
    let text = text
        .strip_prefix(b"-")
        .or(text.strip_prefix(b"+"))
        .unwrap_or(text);
    if matches!(text, b"Infinity" | b"NaN") {
        return true;
    }
    if let Some(digits) = text.strip_prefix(b"0x").or(text.strip_prefix(b"0X")) {
        return !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    }
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(text);
    let rest = &text[whole..];
    let (part, rest) = match rest.strip_prefix(b".") {
        Some(rest) => (digits(rest), &rest[digits(rest)..]),
        None => (0, rest),
    };
    let exponent = match rest {
        [b'e' | b'E', b'+' | b'-', digits @ ..] | [b'e' | b'E', digits @ ..] => digits,
        [] => b"0",
        _ => return false,
    };
    whole + part > 0 && !exponent.is_empty() && exponent.iter().all(u8::is_ascii_digit)
}

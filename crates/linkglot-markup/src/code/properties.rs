//! Java's files of properties between their values (`java.util.Properties.load`).
//!
//! A line is `key=value`, `key:value` or `key value`; a backslash at its end joins the next line. Keys are no text.

use super::literal::{End, Literal};
use super::{CodeTokenizer, Mark};
use crate::escape::Escapes;
use crate::json::without_cut;
use crate::slot::Window;
use crate::text_stretch::End as TextEnd;
use linkglot_charset::Charset;

/// The part of a line at the cursor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Line {
    /// In front of a key or a comment.
    #[default]
    Begin,
    Key,
    /// Within a key, behind the line end that joins its lines.
    Joined,
    /// Behind a key, in front of the mark that separates it from the value.
    BehindKey,
    /// In front of a value.
    Value,
}

impl CodeTokenizer {
    /// The mark at a position.
    pub(super) fn properties(&mut self, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        if self.line == Line::Key {
            return self.key(window, at);
        }
        let is_cut = |length: usize| rest.len() < length && !window.last;
        match rest[0] {
            b' ' | b'\t' | b'\x0C' => Mark::Pass(at + 1),
            b'\n' | b'\r' => {
                self.line = Line::Begin;
                Mark::Pass(at + 1)
            }
            b'\\' if is_cut(3) => Mark::More(at),
            b'\\' if joined(rest) > 0 => Mark::Pass(at + joined(rest)),
            byte => match self.line {
                Line::Begin if matches!(byte, b'#' | b'!') => {
                    Mark::Text(TextEnd::PropertiesComment, at + 1)
                }
                Line::Begin | Line::Key | Line::Joined => {
                    self.line = Line::Key;
                    Mark::Pass(at)
                }
                Line::BehindKey => {
                    self.line = Line::Value;
                    Mark::Pass(at + usize::from(matches!(byte, b'=' | b':')))
                }
                Line::Value => {
                    self.line = Line::Begin;
                    Mark::Literal(Literal::new(Escapes::Properties, End::Line), at)
                }
            },
        }
    }

    /// Goes through the key at a position, perhaps up to the end of the window.
    fn key(&mut self, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        // Characters are told from `known`, where one begins.
        let (mut known, mut length) = (0, 0);
        while let Some(byte) = rest.get(length) {
            match byte {
                b'\\' if !window.charset.is_char_at(&rest[known..], length - known) => {
                    length += 1;
                    known = length;
                }
                b'\\' if rest.len() < length + 3 && !window.last => {
                    return match length {
                        0 => Mark::More(at),
                        length => Mark::Pass(at + length),
                    };
                }
                b'\\' if joined(&rest[length..]) > 0 => {
                    self.line = Line::Joined;
                    return Mark::Pass(at + length + joined(&rest[length..]));
                }
                b'\\' => {
                    let escaped = rest.get(length + 1);
                    // The character behind the backslash may be longer than a byte.
                    known = length + 1 + usize::from(escaped.is_some_and(u8::is_ascii));
                    length += 2;
                }
                b'=' | b':' | b' ' | b'\t' | b'\x0C' | b'\n' | b'\r' => {
                    self.line = Line::BehindKey;
                    return Mark::Pass(at + length);
                }
                _ => length += 1,
            }
        }
        if window.last {
            return Mark::Pass(window.bytes.len());
        }
        if window.charset != Charset::UTF_8 {
            length = known + without_cut(window.charset, &rest[known..]);
        }
        match length {
            0 => Mark::More(at),
            length => Mark::Pass(at + length),
        }
    }
}

/// The length of the backslash at the beginning of bytes and of the line end that it escapes; 0 if there is none.
fn joined(bytes: &[u8]) -> usize {
    match bytes {
        [b'\\', b'\r', b'\n', ..] => 3,
        [b'\\', b'\r' | b'\n', ..] => 2,
        _ => 0,
    }
}

//! TOML between its strings.

use super::literal::{End, Literal};
use super::{CodeTokenizer, Frame, Mark, Token};
use crate::escape::Escapes;
use crate::slot::Window;
use crate::text_stretch::End as TextEnd;

impl CodeTokenizer {
    /// The mark at a position.
    pub(super) fn toml(&mut self, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        match rest[0] {
            b'\'' | b'"' if rest.len() < 3 && !window.last => Mark::More(at),
            quote @ (b'\'' | b'"') => {
                let escapes = match quote {
                    b'"' => Escapes::Toml,
                    _ => Escapes::Raw,
                };
                let (end, length) = if rest.starts_with(&[quote; 3]) {
                    (End::Triple(quote), 3)
                } else {
                    (End::InLine(quote), 1)
                };
                Mark::Literal(Literal::new(escapes, end), at + length)
            }
            b'#' => Mark::Text(TextEnd::LineComment, at + 1),
            // The name of a table stands in brackets at the beginning of a line, outside of arrays.
            b'[' => {
                self.frames.push(match self.frames.last() {
                    None if self.before.begins_line => Frame::Header,
                    Some(Frame::Header) => Frame::Header,
                    _ => Frame::Brace(false),
                });
                self.before.set(Token::Operator, b'[');
                Mark::Pass(at + 1)
            }
            b']' => {
                self.frames.pop();
                self.before.set(Token::Value, b']');
                Mark::Pass(at + 1)
            }
            b'\n' => {
                // A name ends with its line.
                self.frames.retain(|frame| *frame != Frame::Header);
                self.before.begins_line = true;
                Mark::Pass(at + 1)
            }
            b' ' | b'\t' | b'\r' => Mark::Pass(at + 1),
            _ => {
                let is_mark = |byte: &u8| matches!(byte, b'\'' | b'"' | b'#' | b'[' | b']' | b'\n');
                let length = rest.iter().position(is_mark).unwrap_or(rest.len());
                self.before.set(Token::Value, b'a');
                Mark::Pass(at + length)
            }
        }
    }
}

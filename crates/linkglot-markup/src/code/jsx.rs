//! Elements of JSX: text between tags, values of attributes, expressions in braces.

use super::literal::{End, Kind, Literal};
use super::{CodeTokenizer, Frame, Mark, Token};
use crate::escape::Escapes;
use crate::slot::Window;
use crate::text_stretch::End as TextEnd;

impl CodeTokenizer {
    /// The mark at a position within a tag.
    pub(super) fn in_tag(&mut self, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        let is_cut = rest.len() < 2 && !window.last;
        match rest[0] {
            quote @ (b'\'' | b'"') => {
                self.before.set(Token::Operator, b'=');
                let literal = Literal {
                    kind: Kind::Attribute,
                    ..Literal::new(Escapes::Raw, End::Quote(quote))
                };
                Mark::Literal(literal, at + 1)
            }
            b'{' => {
                self.frames.push(Frame::Brace(false));
                self.before.set(Token::Operator, b'(');
                Mark::Pass(at + 1)
            }
            b'/' if is_cut => Mark::More(at),
            b'/' if rest.starts_with(b"/*") => Mark::Text(TextEnd::Block, at + 2),
            b'/' if rest.starts_with(b"//") => Mark::Text(TextEnd::LineComment, at + 2),
            b'/' if rest.starts_with(b"/>") => {
                self.frames.pop();
                self.end_element();
                Mark::Pass(at + 2)
            }
            b'>' => {
                if self.frames.pop() == Some(Frame::Tag(true)) {
                    self.frames.pop();
                    self.end_element();
                } else {
                    self.frames.push(Frame::Content);
                }
                Mark::Pass(at + 1)
            }
            _ => {
                let is_mark = |byte: &u8| matches!(byte, b'\'' | b'"' | b'{' | b'/' | b'>');
                let length = rest.iter().position(is_mark).unwrap_or(rest.len());
                Mark::Pass(at + length.max(1))
            }
        }
    }

    /// The mark at a position between tags.
    pub(super) fn in_content(&mut self, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        match rest[0] {
            b'{' => {
                self.frames.push(Frame::Brace(false));
                self.before.set(Token::Operator, b'(');
                Mark::Pass(at + 1)
            }
            b'<' if rest.len() < 2 && !window.last => Mark::More(at),
            b'<' => {
                let is_end = rest.get(1) == Some(&b'/');
                self.frames.push(Frame::Tag(is_end));
                Mark::Pass(at + 1 + usize::from(is_end))
            }
            _ => {
                let literal = Literal {
                    kind: Kind::Text,
                    ..Literal::new(Escapes::Raw, End::Markup)
                };
                self.before.set(Token::Operator, b'>');
                Mark::Literal(literal, at)
            }
        }
    }

    /// An element is a value, unless it stands in another one.
    fn end_element(&mut self) {
        self.before.set(Token::Value, b'>');
    }
}

//! TOML between its strings.

use super::literal::{End, Literal};
use super::{CodeTokenizer, Mark};
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
            _ => {
                let is_mark = |byte: &u8| matches!(byte, b'\'' | b'"' | b'#');
                let length = rest.iter().position(is_mark).unwrap_or(rest.len());
                Mark::Pass(at + length)
            }
        }
    }
}

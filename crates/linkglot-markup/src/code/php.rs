//! PHP between its literals, and around its code.

use super::literal::{End, LONGEST_LABEL, Literal, is_label};
use super::{CodeTokenizer, Frame, LONGEST_WORD, Mark, Token};
use crate::escape::Escapes;
use crate::slot::Window;
use crate::text_stretch::End as TextEnd;

impl CodeTokenizer {
    /// The mark at a position.
    pub(super) fn php(&mut self, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        if self.before.in_word {
            let length = name_length(rest);
            self.before.in_word = length == rest.len();
            return Mark::Pass(at + length);
        }
        let is_cut = |longest: usize| rest.len() < longest && !window.last;
        let literal =
            |escapes, quote| Mark::Literal(Literal::new(escapes, End::Quote(quote)), at + 1);
        match rest[0] {
            b' ' | b'\t' | b'\r' | b'\n' => Mark::Pass(at + 1),
            b'\'' => literal(Escapes::PhpSingle, b'\''),
            quote @ (b'"' | b'`') => literal(Escapes::PhpDouble, quote),
            b'/' | b'?' | b'#' | b'.' if is_cut(4) => Mark::More(at),
            b'<' if is_cut(3) => Mark::More(at),
            b'/' if rest.starts_with(b"//") => Mark::Text(TextEnd::PhpComment, at + 2),
            b'/' if rest.starts_with(b"/*") => Mark::Text(TextEnd::Block, at + 2),
            // `#[` begins an attribute.
            b'#' if rest.get(1) != Some(&b'[') => Mark::Text(TextEnd::PhpComment, at + 1),
            b'?' if rest.starts_with(b"?>") => Mark::Text(TextEnd::PhpCode, at + 2),
            b'<' if rest.starts_with(b"<?") => {
                let is_echo = rest.starts_with(b"<?=");
                self.echoes_at = is_echo.then_some(self.frames.len());
                self.before.set(Token::Operator, b'<');
                Mark::Pass(at + 2 + usize::from(is_echo))
            }
            b'<' if rest.starts_with(b"<<") && is_cut(LONGEST_HEREDOC) => Mark::More(at),
            b'<' => match heredoc(rest) {
                Some((literal, length)) => Mark::Literal(literal, at + length),
                None => {
                    self.before.set(Token::Operator, b'<');
                    Mark::Pass(at + 1)
                }
            },
            b'.' => {
                let length = 1 + usize::from(rest.get(1) == Some(&b'='));
                self.begin_join(length, b'.');
                Mark::Pass(at + length)
            }
            b';' => {
                self.appends_at = None;
                self.echoes_at = None;
                self.before.set(Token::Operator, b';');
                Mark::Pass(at + 1)
            }
            b',' => {
                self.end_argument();
                let is_echo = self.echoes_at == Some(self.frames.len());
                let token = if is_echo {
                    Token::Join
                } else {
                    Token::Operator
                };
                self.before.set(token, b',');
                Mark::Pass(at + 1)
            }
            b'{' => {
                self.frames.push(Frame::Brace(true));
                self.before.set(Token::Operator, b'{');
                Mark::Pass(at + 1)
            }
            b'(' => {
                self.open_parenthesis();
                Mark::Pass(at + 1)
            }
            b')' => {
                if self.parenthesis().is_some() {
                    self.frames.pop();
                }
                self.before.set(Token::Value, b')');
                Mark::Pass(at + 1)
            }
            b'}' => {
                while self.parenthesis().is_some() {
                    self.frames.pop();
                }
                if let Some(length) = self.close_hole(rest) {
                    // The marks end here.
                    return Mark::Pass(at + length);
                }
                self.frames.pop();
                self.before.set(Token::Operator, b'}');
                Mark::Pass(at + 1)
            }
            _ => self.php_word(window, at),
        }
    }

    /// Passes a word or another mark.
    fn php_word(&mut self, window: Window<'_>, at: usize) -> Mark {
        let rest = &window.bytes[at..];
        let word = &rest[..name_length(rest)];
        let is_cut = word.len() == rest.len() && !window.last;
        if is_cut && word.len() < LONGEST_WORD {
            return Mark::More(at);
        }
        let token = match word {
            [] => match rest[0] {
                b'[' => self.bracket(b'['),
                b']' => Token::Value,
                _ => Token::Operator,
            },
            b"return" | b"echo" | b"print" | b"and" | b"or" | b"xor" | b"case" => Token::Keyword,
            _ => Token::Value,
        };
        if word.eq_ignore_ascii_case(b"echo") {
            self.echoes_at = Some(self.frames.len());
        }
        self.before.set(token, b'a');
        self.before.call = self.call_of(word);
        self.before.in_word = is_cut;
        Mark::Pass(at + word.len().max(1))
    }

    /// True if an `echo` around so many frames goes on behind an argument: with another one, or with text behind the
    /// code, in front of which a line end is dropped.
    pub(super) fn echo_goes_on(&self, rest: &[u8], depth: usize) -> bool {
        if self.echoes_at != Some(depth) {
            return false;
        }
        let rest = match rest {
            [b',', ..] => return true,
            [b';', rest @ ..] => rest.trim_ascii_start(),
            rest => rest,
        };
        let text = rest.strip_prefix(b"?>").unwrap_or_default();
        let text = text.strip_prefix(b"\r").unwrap_or(text);
        let text = text.strip_prefix(b"\n").unwrap_or(text);
        let ends_link = |byte: &u8| byte.is_ascii_whitespace() || b",;|<>\"'()[]{}".contains(byte);
        text.first().is_some_and(|first| !ends_link(first))
    }
}

/// The length of the name at the beginning of bytes.
fn name_length(bytes: &[u8]) -> usize {
    let is_part = |byte: &u8| is_label(*byte) || *byte == b'$';
    let length = bytes.iter().position(|byte| !is_part(byte));
    length.unwrap_or(bytes.len())
}

/// The most bytes that tell whether a heredoc begins: its mark, its label and white space.
pub(crate) const LONGEST_HEREDOC: usize = LONGEST_LABEL + 16;

/// The heredoc or nowdoc at the beginning of bytes; its text begins with the end of the first line.
fn heredoc(bytes: &[u8]) -> Option<(Literal, usize)> {
    let (label, length) = heredoc_label(bytes)?;
    let is_raw = bytes[..length].contains(&b'\'');
    let escapes = if is_raw {
        Escapes::Raw
    } else {
        Escapes::Heredoc
    };
    let literal = Literal::new(escapes, End::Label(label.into()));
    Some((literal, length))
}

/// The label of a heredoc or nowdoc at the beginning of bytes, and the length of its first line.
pub(crate) fn heredoc_label(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let behind = bytes.strip_prefix(b"<<<")?;
    let blanks = behind
        .iter()
        .take(8)
        .take_while(|byte| matches!(byte, b' ' | b'\t'));
    let behind = &behind[blanks.count()..];
    let quote = behind.first().filter(|byte| matches!(byte, b'\'' | b'"'));
    let name = &behind[usize::from(quote.is_some())..];
    let length = name
        .iter()
        .take(LONGEST_LABEL)
        .take_while(|byte| is_label(**byte));
    let (label, behind) = name.split_at(length.count());
    let behind = match quote {
        Some(quote) => behind.strip_prefix(&[*quote][..])?,
        None => behind,
    };
    let behind = behind.strip_prefix(b"\r").unwrap_or(behind);
    let is_label = label.first().is_some_and(|first| !first.is_ascii_digit());
    (is_label && behind.starts_with(b"\n")).then(|| (label, bytes.len() - behind.len()))
}

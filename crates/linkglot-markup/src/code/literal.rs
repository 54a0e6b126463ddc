//! The ends of literals.

use crate::escape::{Escapes, Escaping, Hole, Holes, LiteralStyle, Quote, Seam, seam};
use crate::json::without_cut;
use crate::slot::Window;
use linkglot_charset::Charset;

/// A string literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub kind: Kind,
    pub end: End,
    pub holes: Holes,
    /// True for a template with a tag.
    pub is_tagged: bool,
    /// True for the format of a function such as `printf`.
    pub is_format: bool,
}

/// The escapes of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Literal(Escapes),
    /// A literal that is documentation: running text.
    Prose(Escapes),
    /// The value of an attribute of JSX.
    Attribute,
    /// Text between the tags of JSX.
    Text,
    /// The format of a value in a hole, which is no text.
    Format,
}

/// The end of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A quotation mark.
    Quote(u8),
    /// A quotation mark in the same line.
    InLine(u8),
    /// A quotation mark in the same line, behind which no other string begins: strings in a row are one.
    Joined(u8),
    /// The end of a line that no backslash joins to the next one.
    Line,
    /// A quotation mark; a doubled one is text.
    Doubled(u8),
    /// Three quotation marks.
    Triple(u8),
    /// Bytes with a quotation mark in them.
    Mark(Box<[u8]>),
    /// A line that begins with a label.
    Label(Box<[u8]>),
    /// A tag, or the brace of an expression.
    Markup,
    /// The brace that closes a hole, or the end of the line.
    Format,
}

/// The answer of [`Literal::find_end`], in positions of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The end of the text, and the position behind the literal.
    End { at: usize, behind: usize },
    /// Code within the literal: the end of the text in front of it, and the position of the code.
    Code { at: usize, behind: usize },
    /// The name of a variable within the literal: the end of the text in front of it, and the position of the name.
    Name { at: usize, behind: usize },
    /// No end in the window; the search goes on at this position.
    Open(usize),
    /// The line ends here, before the literal does.
    Broken(usize),
}

/// The most bytes in front of the label that ends a heredoc, and the longest label.
pub(super) const LONGEST_LABEL: usize = 128;

impl Literal {
    pub fn new(escapes: Escapes, end: End) -> Self {
        Literal {
            kind: Kind::Literal(escapes),
            end,
            holes: escapes.holes(),
            is_tagged: false,
            is_format: false,
        }
    }

    /// The format of a value in a hole.
    pub fn format() -> Self {
        Literal {
            kind: Kind::Format,
            holes: Holes::Counted(1),
            ..Literal::new(Escapes::Raw, End::Format)
        }
    }

    fn escapes(&self) -> Option<Escapes> {
        match self.kind {
            Kind::Literal(escapes) | Kind::Prose(escapes) => Some(escapes),
            Kind::Attribute | Kind::Text | Kind::Format => None,
        }
    }

    /// The escaping of the text.
    pub fn escaping(&self, with: impl Fn(LiteralStyle) -> LiteralStyle) -> Escaping {
        match (self.kind, &self.end) {
            (Kind::Text, _) => Escaping::HtmlText,
            (Kind::Format, _) => Escaping::None,
            (Kind::Attribute, End::Quote(b'\'')) => Escaping::HtmlAttribute(Quote::Single),
            (Kind::Attribute, _) => Escaping::HtmlAttribute(Quote::Double),
            (Kind::Literal(escapes) | Kind::Prose(escapes), end) => {
                let quote = match end {
                    End::Quote(quote)
                    | End::InLine(quote)
                    | End::Joined(quote)
                    | End::Doubled(quote)
                    | End::Triple(quote) => *quote,
                    End::Mark(_) => b'"',
                    End::Line | End::Label(_) | End::Markup | End::Format => 0,
                };
                let style = LiteralStyle::new(escapes, quote);
                Escaping::Literal(with(LiteralStyle {
                    holes: self.holes,
                    is_tagged: self.is_tagged,
                    is_format: self.is_format,
                    ..style
                }))
            }
        }
    }

    /// The end of the literal whose text begins at `start`; the first `read` bytes have been searched.
    pub fn find_end(&self, window: Window<'_>, start: usize, read: usize) -> Found {
        let bytes = &window.bytes[start..];
        let is_split = window.charset != Charset::UTF_8;
        let [one, other, third, fourth] = self.marks();
        let find = |rest: &[u8]| {
            if fourth == third {
                return memchr::memchr3(one, other, third, rest);
            }
            let marks = [one, other, third, fourth];
            rest.iter().position(|byte| marks.contains(byte))
        };
        // Characters are told from `known`, where one begins.
        let (mut known, mut at) = (read, read);
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(found) = find(rest) else {
                // A brace may open code together with the next byte.
                let searched = bytes.len() - usize::from(rest.ends_with(b"{"));
                // The search goes on in front of an escape, whose character is not looked at.
                let known = known - usize::from(known < at);
                return Found::Open(start + if is_split { known } else { searched });
            };
            let text = at;
            at += found;
            let is_char = || {
                !is_split
                    || bytes[at] < 0x40
                    || window.charset.is_char_at(&bytes[known..], at - known)
            };
            if !is_char() {
                at += 1;
                known = at;
                continue;
            }
            match self.mark(window, (start, text), at) {
                Mark::Text(length) => {
                    at += length;
                    known = at;
                }
                Mark::Escape(length) => {
                    // The character behind the backslash may be longer than a byte.
                    known = at + 1;
                    at += length;
                }
                Mark::More => {
                    // A brace in front of the mark belongs to it.
                    let brace = at > text && bytes[at - 1] == b'{';
                    return Found::Open(start + at - usize::from(brace));
                }
                Mark::Found(found) => return found,
            }
        }
    }

    /// The bytes at which marks begin.
    fn marks(&self) -> [u8; 4] {
        let escape = |quote: u8| match self.escapes() {
            Some(escapes) if escapes.has_backslash() => b'\\',
            _ => quote,
        };
        let code = |quote: u8| self.holes.mark().unwrap_or(quote);
        let [one, other, third] = match self.end {
            End::Quote(quote) | End::Triple(quote) | End::Doubled(quote) => {
                [quote, escape(quote), quote]
            }
            End::InLine(quote) | End::Joined(quote) => [quote, escape(quote), b'\n'],
            End::Line => [b'\n', b'\r', b'\\'],
            End::Mark(ref mark) => [mark[0]; 3],
            End::Label(_) => [b'\n', escape(b'\n'), b'\n'],
            End::Markup => [b'<', b'{', b'{'],
            End::Format => [b'}', b'\n', b'}'],
        };
        if third == one || third == other {
            [one, other, code(third), code(third)]
        } else {
            [one, other, third, code(third)]
        }
    }

    /// The meaning of the byte at a position behind `start`. The last mark ends at `text`.
    fn mark(&self, window: Window<'_>, (start, text): (usize, usize), at: usize) -> Mark {
        let position = start + at;
        let rest = &window.bytes[position..];
        let behind = |length: usize| {
            Mark::Found(Found::End {
                at: position,
                behind: position + length,
            })
        };
        let is_cut = |length: usize| rest.len() < length && !window.last;
        if self.holes.mark() == Some(rest[0]) {
            match self.holes.at(window.bytes, start + text, position) {
                Hole::Code { at, behind } => return Mark::Found(Found::Code { at, behind }),
                Hole::Name { at, behind } => return Mark::Found(Found::Name { at, behind }),
                Hole::Text(length) => return Mark::Text(length),
                Hole::Cut if !window.last => return Mark::More,
                Hole::Cut | Hole::None => {}
            }
        }
        match (rest[0], &self.end) {
            (_, End::Markup) => behind(0),
            (b'}' | b'\n', End::Format) => behind(0),
            (b'\n' | b'\r', End::Line) => behind(0),
            (b'\n', End::InLine(_) | End::Joined(_)) => Mark::Found(Found::Broken(position)),
            (_, End::Mark(mark)) if rest.starts_with(mark) => behind(mark.len()),
            (_, End::Mark(mark)) if is_cut(mark.len()) && mark.starts_with(rest) => Mark::More,
            (_, End::Mark(_)) => Mark::Text(1),
            (b'\n', End::Label(label)) => label_behind(window, position, label),
            (quote, End::Quote(end) | End::InLine(end)) if quote == *end => behind(1),
            (quote, End::Joined(end)) if quote == *end => match seam(rest) {
                Seam::Of(length) => Mark::Text(length),
                Seam::Cut if !window.last => Mark::More,
                Seam::Cut | Seam::None => behind(1),
            },
            (quote, End::Doubled(end)) if quote == *end => match rest.get(1) {
                None if !window.last => Mark::More,
                Some(next) if *next == quote => Mark::Text(2),
                _ => behind(1),
            },
            (quote, End::Triple(end)) if quote == *end => {
                let marks = rest.iter().take(5).take_while(|byte| **byte == quote);
                match marks.count() {
                    _ if is_cut(6) => Mark::More,
                    // One or two marks in front of the end belong to the text.
                    marks @ 3..=5 => Mark::Found(Found::End {
                        at: position + marks - 3,
                        behind: position + marks,
                    }),
                    marks => Mark::Text(marks),
                }
            }
            (b'\\', _) if is_cut(3) => Mark::More,
            (b'\\', _) if rest.starts_with(b"\\\r\n") => Mark::Escape(3),
            (b'\\', End::Label(_)) if rest.get(1) == Some(&b'\n') => Mark::Text(1),
            // `\N{...}` is a character, no code.
            (b'\\', _) if self.holes == Holes::Braces && rest.starts_with(b"\\N{") => {
                Mark::Escape(3)
            }
            // A backslash leaves a brace its meaning, in strings with escapes and without.
            (b'\\', _) if self.holes == Holes::Braces && rest.get(1) == Some(&b'{') => {
                Mark::Text(1)
            }
            (b'\\', _) => Mark::Escape(2),
            _ => Mark::Text(1),
        }
    }
}

/// The meaning of a byte within a literal.
enum Mark {
    Text(usize),
    Escape(usize),
    /// A longer window tells.
    More,
    Found(Found),
}

/// The end of a heredoc: a line that begins with the label.
fn label_behind(window: Window<'_>, at: usize, label: &[u8]) -> Mark {
    let line = &window.bytes[at + 1..];
    let near = &line[..line.len().min(LONGEST_LABEL)];
    let indent = near.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    let indent = indent.count();
    let rest = &line[indent..];
    let known = rest.len().min(label.len());
    if rest[..known] != label[..known] || indent == LONGEST_LABEL {
        return Mark::Text(1);
    }
    match rest.get(label.len()) {
        None if !window.last => Mark::More,
        _ if known < label.len() => Mark::Text(1),
        Some(byte) if is_label(*byte) => Mark::Text(1),
        _ => Mark::Found(Found::End {
            at,
            behind: at + 1 + indent + label.len(),
        }),
    }
}

/// True for a byte of a label or name of PHP.
pub(crate) fn is_label(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | 0x80..)
}

/// The position from which an open literal is skipped.
pub(super) fn skipped(window: Window<'_>, from: usize, to: usize) -> usize {
    from + without_cut(window.charset, &window.bytes[from..to])
}

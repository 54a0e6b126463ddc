//! The ends of literals.

use crate::escape::{Escapes, Escaping, LiteralStyle, Quote, Seam, seam};
use crate::json::without_cut;
use crate::slot::Window;
use linkglot_charset::Charset;

/// A string literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub kind: Kind,
    pub end: End,
    /// True for a template with a tag.
    pub is_tagged: bool,
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
    /// Three quotation marks.
    Triple(u8),
    /// Bytes with a quotation mark in them.
    Mark(Box<[u8]>),
    /// A line that begins with a label.
    Label(Box<[u8]>),
    /// A tag, or the brace of an expression.
    Markup,
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
            is_tagged: false,
        }
    }

    fn escapes(&self) -> Option<Escapes> {
        match self.kind {
            Kind::Literal(escapes) | Kind::Prose(escapes) => Some(escapes),
            Kind::Attribute | Kind::Text => None,
        }
    }

    /// The escaping of the text.
    pub fn escaping(&self, with: impl Fn(LiteralStyle) -> LiteralStyle) -> Escaping {
        match (self.kind, &self.end) {
            (Kind::Text, _) => Escaping::HtmlText,
            (Kind::Attribute, End::Quote(b'\'')) => Escaping::HtmlAttribute(Quote::Single),
            (Kind::Attribute, _) => Escaping::HtmlAttribute(Quote::Double),
            (Kind::Literal(escapes) | Kind::Prose(escapes), end) => {
                let quote = match end {
                    End::Quote(quote)
                    | End::InLine(quote)
                    | End::Joined(quote)
                    | End::Triple(quote) => *quote,
                    End::Mark(_) => b'"',
                    End::Line | End::Label(_) | End::Markup => 0,
                };
                let style = LiteralStyle::new(escapes, quote);
                Escaping::Literal(with(LiteralStyle {
                    is_tagged: self.is_tagged,
                    ..style
                }))
            }
        }
    }

    /// The end of the literal whose text begins at `start`; the first `read` bytes have been searched.
    pub fn find_end(&self, window: Window<'_>, start: usize, read: usize) -> Found {
        let bytes = &window.bytes[start..];
        let is_split = window.charset != Charset::UTF_8;
        let [one, other, third] = self.marks();
        // Characters are told from `known`, where one begins.
        let (mut known, mut at) = (read, read);
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(found) = memchr::memchr3(one, other, third, rest) else {
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
    fn marks(&self) -> [u8; 3] {
        let escape = |quote: u8| match self.escapes() {
            Some(escapes) if escapes.has_backslash() => b'\\',
            _ => quote,
        };
        let code = |quote: u8| match self.escapes() {
            Some(escapes) if escapes.has_code() => b'$',
            _ => quote,
        };
        match self.end {
            End::Quote(quote) | End::Triple(quote) => [quote, escape(quote), code(quote)],
            End::InLine(quote) | End::Joined(quote) => [quote, escape(quote), b'\n'],
            End::Line => [b'\n', b'\r', b'\\'],
            End::Mark(ref mark) => [mark[0]; 3],
            End::Label(_) => [b'\n', escape(b'\n'), code(b'\n')],
            End::Markup => [b'<', b'{', b'{'],
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
        match (rest[0], &self.end) {
            (_, End::Markup) => behind(0),
            (b'\n' | b'\r', End::Line) => behind(0),
            (b'\n', End::InLine(_) | End::Joined(_)) => Mark::Found(Found::Broken(position)),
            (_, End::Mark(mark)) if rest.starts_with(mark) => behind(mark.len()),
            (_, End::Mark(mark)) if is_cut(mark.len()) => Mark::More,
            (_, End::Mark(_)) => Mark::Text(1),
            (b'\n', End::Label(label)) => label_behind(window, position, label),
            (quote, End::Quote(end) | End::InLine(end)) if quote == *end => behind(1),
            (quote, End::Joined(end)) if quote == *end => match seam(rest) {
                Seam::Of(length) => Mark::Text(length),
                Seam::Cut if !window.last => Mark::More,
                Seam::Cut | Seam::None => behind(1),
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
            (b'\\', _) => Mark::Escape(2),
            (b'$', _) if is_cut(2) => Mark::More,
            _ => self.code(window, start + text, position),
        }
    }

    /// The meaning of a `$` behind text that begins at `text`.
    fn code(&self, window: Window<'_>, text: usize, at: usize) -> Mark {
        let rest = &window.bytes[at + 1..];
        let before = (at > text).then(|| window.bytes[at - 1]);
        let Some(escapes) = self.escapes().filter(|escapes| escapes.has_code()) else {
            return Mark::Text(1);
        };
        let is_php = escapes != Escapes::Template;
        let is_name = matches!(rest.first(), Some(byte) if byte.is_ascii_alphabetic() || matches!(byte, b'_' | 0x80..));
        Mark::Found(match rest.first() {
            Some(b'{') if !is_php || before != Some(b'{') => Found::Code { at, behind: at + 2 },
            // `{$name}`: the code begins behind the brace.
            Some(_)
                if is_php
                    && before == Some(b'{')
                    && (is_name || matches!(rest[0], b'$' | b'{')) =>
            {
                Found::Code {
                    at: at - 1,
                    behind: at,
                }
            }
            Some(_) if is_php && is_name => Found::Name { at, behind: at + 1 },
            _ => return Mark::Text(1),
        })
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

//! The places of a string literal that code fills in. Their marks are read and written by the same rows.

/// The code that may stand in a string literal.
///
/// ```
/// use linkglot_markup::{Escapes, Escaping, Holes, LiteralStyle};
///
/// let style = LiteralStyle::new(Escapes::Python, b'"');
/// let text = |holes| Escaping::Literal(LiteralStyle { holes, ..style }).unescape("a{{b").into_text();
/// assert_eq!(text(Holes::Braces), "a{b");
/// assert_eq!(text(Holes::None), "a{{b");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holes {
    /// No code.
    None,
    /// `${...}` of JavaScript.
    Template,
    /// `$name`, `${...}` and `{$...}` of PHP.
    Php,
    /// `$name` and `${...}` of Kotlin, with this number of dollar signs.
    Dollars(u8),
    /// `\(...)` of Swift, with this number of hashes behind the backslash.
    Backslash(u8),
    /// `{...}` of Python and C#. A doubled brace stands for itself.
    Braces,
    /// `{...}` in raw strings of C#, with this number of braces. Fewer ones are text.
    Counted(u8),
}

/// The meaning of a byte that may begin code in a literal.
pub(crate) enum Hole {
    /// The byte has no meaning here.
    None,
    /// So many bytes are text.
    Text(usize),
    /// The bytes end before that is known.
    Cut,
    /// Code begins. Positions: the end of the text in front, and the code.
    Code { at: usize, behind: usize },
    /// The name of a variable begins. Positions as of code.
    Name { at: usize, behind: usize },
}

/// The most marks in a row that are looked at together.
const MOST_MARKS: usize = 64;

impl Holes {
    /// The byte at which code may begin.
    pub(crate) fn mark(self) -> Option<u8> {
        match self {
            Holes::None => None,
            Holes::Template | Holes::Php | Holes::Dollars(_) => Some(b'$'),
            Holes::Backslash(_) => Some(b'\\'),
            Holes::Braces | Holes::Counted(_) => Some(b'{'),
        }
    }

    /// The holes of a string with this number of marks in front of it.
    pub(crate) fn counted(self, marks: usize, is_raw: bool) -> Self {
        let marks = u8::try_from(marks).unwrap_or(u8::MAX);
        match self {
            Holes::Dollars(_) => Holes::Dollars(marks.max(1)),
            Holes::Backslash(_) => Holes::Backslash(marks),
            Holes::Braces if is_raw => Holes::Counted(marks),
            other => other,
        }
    }

    /// The length of the mark at the beginning of bytes that ends the code.
    pub(crate) fn closing(self, bytes: &[u8]) -> Option<usize> {
        let (mark, length) = match self {
            Holes::Backslash(_) => (b')', 1),
            Holes::Counted(braces) => (b'}', usize::from(braces)),
            _ => (b'}', 1),
        };
        let near = bytes.get(..length)?;
        near.iter().all(|byte| *byte == mark).then_some(length)
    }

    /// The meaning of the mark at a position. The last mark in front ends at `text`.
    pub(crate) fn at(self, bytes: &[u8], text: usize, at: usize) -> Hole {
        let rest = &bytes[at..];
        let marks = rest.iter().take(MOST_MARKS);
        let marks = marks.take_while(|byte| **byte == rest[0]).count();
        let next = rest.get(marks);
        match self {
            Holes::None => Hole::None,
            Holes::Backslash(hashes) => {
                let hashes = usize::from(hashes);
                let near = &rest[1..rest.len().min(hashes + 2)];
                let (marks, code) = near.split_at(near.len().min(hashes));
                match code.first() {
                    _ if marks.iter().any(|byte| *byte != b'#') => Hole::None,
                    None => Hole::Cut,
                    Some(b'(') => Hole::Code {
                        at,
                        behind: at + hashes + 2,
                    },
                    Some(_) => Hole::None,
                }
            }
            Holes::Braces => match rest.get(1) {
                None => Hole::Cut,
                Some(b'{') => Hole::Text(2),
                Some(_) => Hole::Code { at, behind: at + 1 },
            },
            Holes::Template | Holes::Php => {
                let before = (at > text).then(|| bytes[at - 1]);
                self.dollar(before, rest.get(1).copied(), at)
            }
            Holes::Dollars(least) | Holes::Counted(least) => {
                let least = usize::from(least);
                match next {
                    _ if marks == MOST_MARKS => Hole::Text(marks - least),
                    None => Hole::Cut,
                    Some(_) if marks < least => Hole::Text(marks),
                    Some(next) => self.last_mark(at + marks - least, at + marks, *next),
                }
            }
        }
    }

    /// The meaning of a `$` of JavaScript or PHP between two bytes.
    fn dollar(self, before: Option<u8>, next: Option<u8>, at: usize) -> Hole {
        let is_php = self == Holes::Php;
        match next {
            None => Hole::Cut,
            Some(b'{') if !is_php || before != Some(b'{') => Hole::Code { at, behind: at + 2 },
            // `{$name}`: the code begins behind the brace.
            Some(next)
                if is_php
                    && before == Some(b'{')
                    && (begins_name(next) || matches!(next, b'$' | b'{')) =>
            {
                Hole::Code {
                    at: at - 1,
                    behind: at,
                }
            }
            Some(next) if is_php && begins_name(next) => Hole::Name { at, behind: at + 1 },
            Some(_) => Hole::Text(1),
        }
    }

    /// The meaning of marks behind text that ends at `at`, in front of a byte.
    fn last_mark(self, at: usize, behind: usize, next: u8) -> Hole {
        match (self, next) {
            (Holes::Counted(_), _) => Hole::Code { at, behind },
            (_, b'{') => Hole::Code {
                at,
                behind: behind + 1,
            },
            (_, next) if begins_name(next) || next == b'`' => Hole::Name { at, behind },
            _ => Hole::Text(behind - at),
        }
    }

    /// True if a dollar sign between this byte and this character has to be escaped. Another one may come in front.
    pub(super) fn begins_with_dollar(self, before: Option<u8>, next: Option<char>) -> bool {
        let Some(next) = next else {
            return self.mark() == Some(b'$');
        };
        let is_name = next.is_ascii_alphabetic() || next == '_' || !next.is_ascii();
        match self {
            Holes::Template => next == '{',
            Holes::Php => next == '{' || is_name || before == Some(b'{'),
            Holes::Dollars(_) => matches!(next, '{' | '`' | '$') || is_name,
            _ => false,
        }
    }
}

fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | 0x80..)
}

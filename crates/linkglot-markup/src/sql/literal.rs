//! The ends of literals.

use crate::byte_search::{find, find_either};
use crate::escape::{Backslash, Repertoire};
use crate::slot::Window;
use linkglot_charset::Charset;

/// A literal or quoted name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    Quoted {
        quote: u8,
        backslash: Backslash,
        trust: Trust,
        repertoire: Repertoire,
        /// True if an operator or a function gives the beginning of the value.
        goes_on_before: bool,
    },
    /// A name in quotation marks, or digits that stand for octets.
    Name(u8),
    /// A string between two tags, as `$body$`.
    Dollar(Box<[u8]>),
}

/// Trust in the text of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Links may be written.
    Written,
    /// Links may be written, in ASCII, in a literal of ASCII: it may be in another charset.
    Ascii,
    /// Links may be written in a literal without backslashes, which may be escapes.
    WithoutBackslash,
    /// Links are only listed.
    Listed,
}

/// The answer of [`Literal::end`], in positions of the window.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    /// The end of the inside, and the position behind the literal.
    End { at: usize, behind: usize },
    /// No end in the window. The bytes up to `inside` belong to the literal; the search goes on at `searched`.
    Open { searched: usize, inside: usize },
    /// A backslash in front of a quotation mark, where its meaning is unknown.
    Doubtful { at: usize },
}

impl Literal {
    /// True if the literal is a value that may hold links.
    pub fn is_value(&self) -> bool {
        !matches!(self, Literal::Name(_))
    }

    fn is_doubtful(&self) -> bool {
        matches!(
            self,
            Literal::Quoted {
                backslash: Backslash::Unknown,
                ..
            }
        )
    }

    /// The end of the literal whose inside begins at `start`; the first `read` bytes have been searched.
    pub fn end(&self, window: Window<'_>, start: usize, read: usize) -> Found {
        let bytes = &window.bytes[start..];
        let (quote, escapes) = match self {
            Literal::Dollar(tag) => return dollar_end(window, start, read, tag),
            Literal::Name(quote) => (*quote, false),
            Literal::Quoted {
                quote, backslash, ..
            } => (*quote, *backslash != Backslash::Plain),
        };
        let is_split = window.charset != Charset::UTF_8;
        // Characters are told from `known`, the last position at which one begins; the search may go on at `safe`, in
        // front of no escaped character.
        let (mut known, mut safe, mut at) = (read, read, read);
        loop {
            let found = if escapes {
                find_either(bytes, at, quote, b'\\')
            } else {
                find(bytes, at, quote)
            };
            let Some(found) = found else {
                let searched = if is_split { safe } else { bytes.len() };
                return Found::Open {
                    searched: start + searched,
                    inside: window.bytes.len(),
                };
            };
            at = found;
            let next = bytes.get(at + 1);
            if next.is_none() && !window.last {
                return Found::Open {
                    searched: start + if is_split { safe } else { at },
                    inside: start + at,
                };
            }
            if is_split && !window.charset.is_char_at(&bytes[known..], at - known) {
                at += 1;
                (known, safe) = (at, at);
                continue;
            }
            if bytes[at] != quote {
                if next == Some(&quote) && self.is_doubtful() {
                    return Found::Doubtful { at: start + at };
                }
                // The character behind the backslash may be longer than a byte.
                (known, safe) = (at + 1, at);
                at += 2;
            } else if next == Some(&quote) {
                at += 2;
                (known, safe) = (at, at);
            } else {
                return Found::End {
                    at: start + at,
                    behind: start + at + 1,
                };
            }
        }
    }
}

/// The end of a string between two tags.
fn dollar_end(window: Window<'_>, start: usize, read: usize, tag: &[u8]) -> Found {
    let bytes = &window.bytes[start..];
    match memchr::memmem::find(&bytes[read..], tag) {
        Some(at) => Found::End {
            at: start + read + at,
            behind: start + read + at + tag.len(),
        },
        None => {
            let searched = bytes.len().saturating_sub(tag.len() - 1).max(read);
            Found::Open {
                searched: start + searched,
                inside: if window.last {
                    window.bytes.len()
                } else {
                    start + searched
                },
            }
        }
    }
}

//! Line breaks that stand inside a link: in angle brackets (RFC 3986 appendix C), and where the
//! caller allows them, the soft breaks of format=flowed (RFC 3676) and hard wraps.

use super::line_ends::is_typographic;
use super::text::Text;

/// Number of bytes in front of a link that are searched for the start of its line. Lines of mails have at most 998
/// bytes (RFC 5322 2.1.1).
const NEAR_LINE: usize = 2 << 10;
/// The most characters of white space and quote marks in a break.
pub(super) const MAX_BREAK: usize = 128;

/// The line breaks that a link of running text may go over, besides those in angle brackets. None by default.
///
/// A link that goes on behind a break covers the break in the source; the text of the link holds neither the break nor
/// the marks (`> `) of a quotation in front of the next line.
///
/// ```
/// use linkglot_scan::{Breaks, Scanner};
///
/// let scanner = Scanner::default().join(Breaks::WRAPPED);
/// let text = "> http://example.org/a-long-and-winding-road/that-leads-\n> to/your-door.html yes";
/// let hit = scanner.links(text).next().unwrap();
/// assert_eq!(
///     hit.link(text),
///     "http://example.org/a-long-and-winding-road/that-leads-to/your-door.html"
/// );
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Breaks(u8);

impl Breaks {
    /// Every line break ends a link.
    pub const NONE: Breaks = Breaks(0);
    /// The text is format=flowed with DelSp=yes (RFC 3676): one space at a line's end and the break behind it do not
    /// count. (With DelSp=no the space stays, and ends a link as any other.)
    pub const FLOWED: Breaks = Breaks(1);
    /// A link goes on in the next line when an overlong line seems to have been cut in two. A guess: it may join a link
    /// to the next word.
    pub const WRAPPED: Breaks = Breaks(2);

    /// Both sets of breaks together.
    ///
    /// ```
    /// use linkglot_scan::Breaks;
    ///
    /// let both = Breaks::FLOWED.with(Breaks::WRAPPED);
    /// assert!(both.contains(Breaks::FLOWED) && both.contains(Breaks::WRAPPED));
    /// ```
    pub const fn with(self, other: Breaks) -> Breaks {
        Breaks(self.0 | other.0)
    }

    /// True if all breaks of `other` are in this set.
    ///
    /// ```
    /// use linkglot_scan::Breaks;
    ///
    /// assert!(!Breaks::FLOWED.contains(Breaks::WRAPPED));
    /// ```
    pub const fn contains(self, other: Breaks) -> bool {
        self.0 & other.0 == other.0
    }

    /// True for the empty set.
    ///
    /// ```
    /// use linkglot_scan::Breaks;
    ///
    /// assert!(Breaks::NONE.is_empty());
    /// ```
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// White space with line ends in it.
#[derive(Clone, Copy)]
pub(super) struct Break {
    /// Blanks in front of the first line end.
    pub(super) blanks: usize,
    /// The quote marks of the next line.
    pub(super) depth: usize,
    /// Blanks behind the line end or the last quote mark.
    pub(super) indent: usize,
    /// True if some lines hold nothing but white space and quote marks.
    pub(super) is_paragraph: bool,
    /// Start of the next line's words.
    pub(super) next: usize,
}

impl Break {
    /// The break at a position. `most`: the most quote marks of a line; any more belong to the text.
    pub(super) fn at(text: &Text<'_>, at: usize, most: usize) -> Option<Break> {
        let first = blanks_end(text, at);
        let mut next = line_end(text, first)?;
        let mut read = Break {
            blanks: first - at,
            depth: 0,
            indent: 0,
            is_paragraph: false,
            next,
        };
        loop {
            let prefix = Prefix::at(text, next, most);
            (read.depth, read.indent, read.next) = (prefix.depth, prefix.indent, prefix.end);
            match line_end(text, prefix.end) {
                Some(end) if end < at + MAX_BREAK => next = end,
                Some(_) => return None,
                None => return Some(read),
            }
            read.is_paragraph = true;
        }
    }
}

/// Quote marks and indentation in front of a line's words.
pub(super) struct Prefix {
    depth: usize,
    indent: usize,
    pub(super) end: usize,
}

impl Prefix {
    pub(super) fn at(text: &Text<'_>, line: usize, most: usize) -> Prefix {
        let mut prefix = Prefix {
            depth: 0,
            indent: 0,
            end: line,
        };
        while prefix.end < line + MAX_BREAK {
            match text.byte(prefix.end) {
                b' ' | b'\t' => prefix.indent += 1,
                b'>' if prefix.depth < most => {
                    prefix.depth += 1;
                    prefix.indent = 0;
                }
                _ => break,
            }
            prefix.end += 1;
        }
        prefix
    }
}

/// Number of quote marks (`>`) in the line of a link that begins at `start`.
pub(super) fn depth(text: &Text<'_>, start: usize) -> usize {
    let line = text.line_begin(start, NEAR_LINE);
    let prefix = Prefix::at(text, line, usize::MAX);
    if prefix.end <= start { prefix.depth } else { 0 }
}

/// The end of the blanks at a position.
pub(super) fn blanks_end(text: &Text<'_>, at: usize) -> usize {
    let mut i = at;
    while i < at + MAX_BREAK && matches!(text.byte(i), b' ' | b'\t') {
        i += 1;
    }
    i
}

/// The position behind the line end (LF, CR LF, CR) at `at`, if one is there.
fn line_end(text: &Text<'_>, at: usize) -> Option<usize> {
    match text.byte(at) {
        b'\n' => Some(at + 1),
        b'\r' if text.byte(at + 1) == b'\n' => Some(at + 2),
        b'\r' => Some(at + 1),
        _ => None,
    }
}

/// The characters of a link over breaks, without white space, without quote marks behind a line end, and without the
/// hyphens that typography puts at the end of a line.
pub(super) fn unbroken(raw: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut behind = false;
    raw.char_indices().filter(move |&(at, ch)| {
        behind = matches!(ch, '\n' | '\r') || behind && (ch.is_whitespace() || ch == '>');
        let rest = || raw.get(at + ch.len_utf8()..).unwrap_or("");
        let is_hyphenation = is_typographic(ch) && rest().starts_with(char::is_whitespace);
        !behind && !ch.is_whitespace() && !is_hyphenation
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Classes;

    #[test]
    fn breaks_are_read_to_the_words_of_the_next_line() {
        let read = |s: &str, most| {
            let text = Text::new(s, Classes::get());
            Break::at(&text, 1, most).map(|b| (b.blanks, b.depth, b.indent, b.is_paragraph, b.next))
        };
        assert_eq!(read("a\nb", 0), Some((0, 0, 0, false, 2)));
        assert_eq!(read("a \r\n  b", 0), Some((1, 0, 2, false, 6)));
        assert_eq!(read("a\r>> b", 9), Some((0, 2, 1, false, 5)));
        assert_eq!(read("a\n> > b", 1), Some((0, 1, 1, false, 4)));
        assert_eq!(read("a\n>\n> b", 1), Some((0, 1, 1, true, 6)));
        assert_eq!(read("a b", 0), None);
    }

    #[test]
    fn a_line_knows_its_quote_marks() {
        let of = |s: &str| depth(&Text::new(s, Classes::get()), s.find('h').unwrap());
        assert_eq!(of("http"), 0);
        assert_eq!(of("> see http"), 1);
        assert_eq!(of("x\r\n>> > http"), 3);
        assert_eq!(of("a > http"), 0);
    }

    #[test]
    fn what_breaks_hold_is_not_of_the_link() {
        let of = |raw: &str| unbroken(raw).map(|(_, ch)| ch).collect::<String>();
        assert_eq!(of("a/ \r\n>> >b>c\n  d"), "a/b>cd");
        assert_eq!(of("a b"), "ab");
        assert_eq!(of("core\u{2010}\n utils"), "coreutils");
        assert_eq!(
            of("core\u{AD}\r\nutils-\nx\u{2010}y"),
            "coreutils-x\u{2010}y"
        );
    }
}

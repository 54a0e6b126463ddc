//! Links with an end that readers do not see: an invisible character, or a port out of range. They read one link where
//! there are two, or a link and text.

use super::Kind;
use super::classes::{GLUE, INVISIBLE};
use super::find::{Finder, Link};
use super::host::{self, Port};

/// An end of a link in running text that readers do not see: they take the text beside it for a part of the link.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_scan::{Parted, Scanner, State};
///
/// let (mut state, mut hits) = (State::default(), Vec::new());
/// Scanner::default().scan(b"http://a.example:99999/b", true, &Charset::UTF_8, &mut state, &mut hits);
/// assert_eq!(hits[0].parted, Some(Parted::PortOutOfRange));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Parted {
    /// Invisible characters alone, with letters behind: U+200B, where a line may be broken, and controls of the writing
    /// direction.
    Invisible,
    /// The colon of a number beyond 65535, which is no port (RFC 3986 3.2.3).
    PortOutOfRange,
}

/// The most invisible characters between a link and the text beside it.
const MAX_INVISIBLE: usize = 8;

impl Finder<'_, '_> {
    /// The end that readers do not see: a port out of range behind the link, or an invisible character at its end, or
    /// at its start if it has no scheme, with a letter or digit beyond. In scripts without spaces the character parts
    /// words.
    pub(super) fn parted(&self, link: &Link) -> Option<Parted> {
        let is_absolute = link.kind == Kind::Absolute;
        let is_parted =
            self.is_parted_behind(link.end) || !is_absolute && self.is_parted_before(link.start);
        let has_port =
            || is_absolute && matches!(host::port(self.text, link.end), Port::OutOfRange);
        match () {
            _ if is_parted => Some(Parted::Invisible),
            _ if has_port() => Some(Parted::PortOutOfRange),
            _ => None,
        }
    }

    fn is_parted_behind(&self, end: usize) -> bool {
        let mut at = end;
        for _ in 0..MAX_INVISIBLE {
            match self.text.char(at) {
                ch if self.is_invisible(ch) => at += ch.len_utf8(),
                ch => {
                    let is_mark = |ch: char| matches!(ch, '/' | '?' | '#' | '@' | '.' | ':' | '-');
                    let next = if is_mark(ch) {
                        self.text.char(at + 1)
                    } else {
                        ch
                    };
                    return at > end && self.belongs_to_word(next);
                }
            }
        }
        false
    }

    fn is_parted_before(&self, start: usize) -> bool {
        let mut at = start;
        for _ in 0..MAX_INVISIBLE {
            match self.text.before(at) {
                Some(ch) if self.is_invisible(ch) => at -= ch.len_utf8(),
                before => return at < start && before.is_some_and(|ch| self.belongs_to_word(ch)),
            }
        }
        false
    }

    fn is_invisible(&self, ch: char) -> bool {
        !ch.is_ascii() && self.text.is(ch, INVISIBLE)
    }

    /// True for a letter or digit of a script with spaces between words.
    fn belongs_to_word(&self, ch: char) -> bool {
        ch.is_alphanumeric() && !self.text.is(ch, GLUE)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Parted, Scanner, State};
    use linkglot_charset::Charset;

    #[test]
    fn links_that_are_parted() {
        let invisible = Some(Parted::Invisible);
        let port = Some(Parted::PortOutOfRange);
        for (text, parted) in [
            ("http://a.example/\u{200B}b", &[invisible][..]),
            ("http://a.example\u{200B}.evil.example/", &[invisible]),
            (
                "http://a.example\u{200B}\u{2060}@evil.example/",
                &[invisible],
            ),
            ("http://a\u{200B}pple.com/x", &[invisible, invisible]),
            ("http://a.example/\u{200B}путь", &[invisible]),
            ("bank.example\u{200B}evil.org", &[invisible]),
            ("http://a.example/\u{200B} b", &[None]),
            ("\u{200B}http://a.example/b\u{200B}", &[None]),
            ("x\u{200B}http://a.example/b", &[None]),
            ("http://a.example/\u{200B}. b", &[None]),
            ("สวัสดี\u{200B}example.org\u{200B}สวัสดี", &[None]),
            ("http://a.example/b", &[None]),
            (
                "http://a.example:99999/b http://a.example:65536.",
                &[port, port],
            ),
            ("http://ann@a.example:123456", &[port]),
            ("http://a.example:0000080/b", &[None]),
            (
                "http://a.example:65535/b http://a.example/b:99999 http://a.example: 99999",
                &[None; 3],
            ),
        ] {
            let (mut state, mut hits) = (State::default(), Vec::new());
            let window = text.as_bytes();
            Scanner::default().scan(window, true, &Charset::UTF_8, &mut state, &mut hits);
            let found: Vec<_> = hits.iter().map(|hit| hit.parted).collect();
            assert_eq!(found, parted, "{text:?}");
        }
    }
}

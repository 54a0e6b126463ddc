//! Line ends that tear a link in two: a hyphen that typography puts at the end of a line, and `https://` there.
//!
//! groff and TeX hyphenate addresses and hosts as they do words. What stands on either side of such a line end is no
//! domain or address of its own: the second half of `ann@deb-`, `ian.org` is a stranger's domain.

use super::find::{Finder, Found, Link};
use super::text::Text;
use super::{Breaks, Kind, Profile, lists};

/// The most white space and quote marks in front of a line's first word.
const MAX_PREFIX: usize = 64;
/// The most bytes of a hyphen and the letter in front of it.
const HYPHENATED: usize = 8;
/// The most bytes of a scheme and `://` at the end of a line.
const LONGEST_SCHEME: usize = 16;

/// The hyphen and the soft hyphen, which belong to no link at the end of a line.
pub(super) fn is_typographic(ch: char) -> bool {
    matches!(ch, '\u{2010}' | '\u{AD}')
}

/// True if a hyphen of typography stands at a position, and a line ends behind it.
pub(super) fn is_hyphenation(text: &Text<'_>, at: usize, ch: char) -> bool {
    is_typographic(ch) && is_line_end(text.byte(at + ch.len_utf8()))
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The end of the line in front of a word; `None` if another word of the word's own line stands between, or no line.
pub(super) fn line_before(bytes: &[u8], word: usize) -> Option<usize> {
    let before = bytes.get(..word)?;
    let is_prefix = |byte: &&u8| matches!(**byte, b' ' | b'\t' | b'>');
    let near = before.iter().rev().take(MAX_PREFIX);
    let line = word - near.take_while(is_prefix).count();
    match before.get(..line)? {
        [.., b'\r', b'\n'] => Some(line - 2),
        [.., b'\r' | b'\n'] => Some(line - 1),
        _ => None,
    }
}

/// The start of the end of a line that may tear a link; `None` if it cannot. `line`: the bytes up to that end.
pub(super) fn start_of_tear(line: &[u8]) -> Option<usize> {
    let len = match line {
        // The last byte of a character may be ASCII.
        [.., b'-' | 0x80..=0xFF] | [.., 0x80..=0xFF, _] => HYPHENATED.min(line.len()),
        [.., b':', b'/', b'/'] => {
            let near = line.iter().rev().take(LONGEST_SCHEME);
            near.take_while(|byte| !byte.is_ascii_whitespace()).count()
        }
        _ => return None,
    };
    Some(line.len() - len)
}

/// True if the end of a line ties the next line to it. `line`: the last characters of the line, decoded.
pub(super) fn ties(line: &str) -> bool {
    line.ends_with("://") || line.ends_with(|ch| ch == '-' || is_typographic(ch))
}

impl Finder<'_, '_> {
    /// A link, unless a line end tears it: then nothing without a scheme is one.
    pub(super) fn untorn(&self, link: Link) -> Found {
        if self.scanner.profile != Profile::Extended || link.kind == Kind::Absolute {
            return Found::Link(link);
        }
        let line = line_before(self.text.str().as_bytes(), link.start);
        if let Some(scheme) = line.and_then(|line| self.scheme_at_end(line))
            && link.kind == Kind::Domain
        {
            return Found::Link(Link {
                start: scheme,
                kind: Kind::Absolute,
                spaced: true,
                ..link
            });
        }
        let is_behind = line.is_some_and(|line| self.is_hyphen_before(line));
        if is_behind || self.is_hyphenated(link.end) {
            return Found::Skip(link.floor);
        }
        Found::Link(link)
    }

    /// True if a link that ends here ends in or in front of a hyphen at the end of a line.
    pub(super) fn is_hyphenated(&self, end: usize) -> bool {
        let text = self.text;
        let ch = text.char(end);
        let is_inside = || text.before(end) == Some('-') && is_line_end(text.byte(end));
        let is_behind =
            || (ch == '-' || is_typographic(ch)) && is_line_end(text.byte(end + ch.len_utf8()));
        is_inside() || is_behind()
    }

    /// True if the hyphen of a word ends here.
    fn is_hyphen_before(&self, end: usize) -> bool {
        let is_word = |hyphen: char| {
            let letter = self.text.before(end - hyphen.len_utf8());
            letter.is_some_and(char::is_alphanumeric)
        };
        self.text
            .before(end)
            .is_some_and(|ch| (ch == '-' || is_typographic(ch)) && is_word(ch))
    }

    /// The start of a usual scheme with `://` that ends here. In format=flowed such a line end is no wrap.
    fn scheme_at_end(&self, end: usize) -> Option<usize> {
        let is_flowed = self.scanner.breaks().contains(Breaks::FLOWED);
        if is_flowed || !self.text.ends(end, self.floor, "://") {
            return None;
        }
        let colon = end - 3;
        let start = self.scheme_start(self.scheme_run(colon)?, colon)?;
        lists::is_common_scheme(self.text.slice(start, colon)).then_some(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_before_a_word_ends_in_front_of_its_break() {
        for (text, word, end) in [
            ("a-\nb", 3, Some(2)),
            ("a-\r\n  b", 6, Some(2)),
            ("a\r> > b", 6, Some(1)),
            ("a b", 2, None),
            ("> b", 2, None),
            ("\nb", 1, Some(0)),
            ("b", 0, None),
        ] {
            assert_eq!(line_before(text.as_bytes(), word), end, "{text:?}");
        }
    }

    #[test]
    fn lines_that_may_tear_a_link() {
        let start = |line: &str| start_of_tear(line.as_bytes());
        assert_eq!(start("see https://"), Some(4));
        assert_eq!(start("a non-"), Some(0));
        assert_eq!(start("jpmengual@de\u{2010}"), Some(7));
        assert_eq!(start("a word"), None);
        assert_eq!(start(""), None);
    }
}

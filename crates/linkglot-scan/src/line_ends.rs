//! Line ends that tear a link in two: behind a hyphen that typography puts at the end of a line, and behind `https://`.
//!
//! groff and TeX hyphenate addresses and hosts as they do words. What stands on either side of such a line end is no
//! domain or address of its own: the second half of `ann@deb-`, `ian.org` is a stranger's domain.

use super::text::Text;

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

/// True for a hyphen, or the backslash behind which a string goes on in the next line.
pub(super) fn is_tear(ch: char) -> bool {
    matches!(ch, '-' | '\\') || is_typographic(ch)
}

/// True if a hyphen of typography stands at a position, and white space or nothing behind it.
pub(super) fn is_hyphenation(text: &Text<'_>, at: usize, ch: char) -> bool {
    is_typographic(ch) && text.byte(at + ch.len_utf8()) <= b' '
}

pub(super) fn is_line_end(byte: u8) -> bool {
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
        [.., b'-' | b'\\' | 0x80..=0xFF] | [.., 0x80..=0xFF, _] => HYPHENATED.min(line.len()),
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
    line.ends_with("://") || line.ends_with(is_tear)
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

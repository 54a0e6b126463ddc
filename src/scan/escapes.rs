//! Escapes of string literals and typesetters that are glued to links: `"\nws://example.org/\u003c"`, `http://example.org/\fP`.

use super::classes::{HARD, TERM};
use super::find::Finder;
use super::text::Text;

/// The begin of what stands from `start` to `end` without the letters of a string's escape in front of
/// it; with no `\` there, `start`.
pub(super) fn behind(text: &Text<'_>, start: usize, end: usize) -> usize {
    let is_escape = start > 0 && text.before(start) == Some('\\');
    if !is_escape || text.before(start - 1) == Some('\u{1B}') {
        return start;
    }
    let len = match text.byte(start) {
        b'n' | b't' | b'r' | b'f' | b'v' | b'b' => 1,
        b'u' if code(text, start + 1, 4).is_some() => 5,
        b'x' if code(text, start + 1, 2).is_some() => 3,
        _ => 0,
    };
    let behind = start + len;
    if behind < end { behind } else { start }
}

/// How source code writes the escape character of terminals.
const WRITTEN: [&str; 8] = [
    "\\e",
    "\\033",
    "\\x1b",
    "\\u001b",
    "\\u{1b}",
    "\\x{1b}",
    "\\0033",
    "\\U0000001b",
];

/// Whether the escape character of terminals is written in front of a position, not in front of `floor`.
pub(super) fn is_written(text: &Text<'_>, at: usize, floor: usize) -> bool {
    ends_written(text.byte_before(at)) && WRITTEN.iter().any(|word| text.ends(at, floor, word))
}

/// Whether that may end with a byte.
pub(super) fn ends_written(byte: u8) -> bool {
    matches!(byte, b'e' | b'E' | b'3' | b'b' | b'B' | b'}')
}

/// Whether a `\` in front of `at` ends a link: it escapes what cannot be in one, or it is a command of roff or TeX
/// for what follows.
pub(super) fn ends_link(text: &Text<'_>, at: usize) -> bool {
    match text.byte(at) {
        _ if begins_written(text, at - 1) => true,
        b'"' | b'\'' | b'`' | b'\\' | b'n' | b'r' | b't' => true,
        b'u' => code(text, at + 1, 4).is_some_and(|code| is_outside(text, code)),
        b'x' => code(text, at + 1, 2).is_some_and(|code| is_outside(text, code)),
        // Fonts and colours: `\fB`, `\f(CW`, `\f[B]`, `\m[red]`.
        b'f' if matches!(text.byte(at + 1), b'A'..=b'Z' | b'0'..=b'9' | b'(' | b'[') => true,
        b'm' if text.byte(at + 1) == b'[' => true,
        byte if byte.is_ascii_alphabetic() => is_command(text, at),
        _ => text.term(text.char(at)) == HARD,
    }
}

/// Whether the escape character of terminals is written at a position, and what it introduces, or the brackets of a prompt
/// around that.
fn begins_written(text: &Text<'_>, at: usize) -> bool {
    let at = at + 2 * usize::from(text.has(at, "\\[\\"));
    let word = WRITTEN.iter().find(|word| text.has(at, word));
    word.is_some_and(|word| matches!(text.byte(at + word.len()), b'[' | b']' | b'(' | b'\\'))
}

/// Whether a name and its argument in braces stand at a position: `\footnote{`.
fn is_command(text: &Text<'_>, at: usize) -> bool {
    const MOST: usize = 16;
    let end = (at..at + MOST).find(|&i| !text.byte(i).is_ascii_alphabetic());
    end.is_some_and(|end| end > at + 1 && text.byte(end) == b'{')
}

/// The code point that so many hexadecimal digits give.
fn code(text: &Text<'_>, at: usize, digits: usize) -> Option<u32> {
    (at..at + digits).try_fold(0, |code, i| {
        let digit = char::from(text.byte(i)).to_digit(16)?;
        Some(code << 4 | digit)
    })
}

/// Whether a character is in no link: white space, controls, quotes, angle brackets.
fn is_outside(text: &Text<'_>, code: u32) -> bool {
    let ch = char::from_u32(code).unwrap_or('\0');
    matches!(ch, '"' | '\'' | '<' | '>') || text.class(ch) & TERM == HARD
}

impl Finder<'_, '_> {
    /// The begin of a mailbox without an escape in front of it. Behind a name, `\` may part a domain of Windows
    /// from its user (`CORP\nancy@example.org`).
    pub(super) fn mailbox_behind_escape(&self, start: usize, end: usize) -> usize {
        let text = self.text;
        let is_user = start > 1 && text.before(start - 1).is_some_and(char::is_alphanumeric);
        let is_free = start > self.floor && text.byte_before(start) == b'\\' && !is_user;
        if is_free {
            behind(text, start, end)
        } else {
            start
        }
    }

    /// The begin of a host without an escape in front of its `www.`: elsewhere the letter may be of a name (`C:\new.com`).
    pub(super) fn host_behind_escape(&self, start: usize, end: usize) -> usize {
        if start <= self.floor || self.text.byte_before(start) != b'\\' {
            return start;
        }
        let behind = behind(self.text, start, end);
        if self.text.has(behind, "www.") {
            behind
        } else {
            start
        }
    }
}

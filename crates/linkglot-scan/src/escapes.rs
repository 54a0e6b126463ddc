//! Escapes of string literals and typesetters that are glued to links: `"\nws://example.org/\u003c"`, `http://example.org/\fP`.

mod roff;

pub(super) use roff::may_open_name;

use super::classes::{GLUE, HARD, TERM};
use super::text::Text;

/// The real start of a name that seems to stand from `start` to `end`: behind the letters of an escape whose `\` stands
/// in front of `start`; else `start`.
pub(super) fn behind_escape(text: &Text<'_>, start: usize, end: usize) -> usize {
    if start > 0 && text.before(start) == Some('(') {
        let behind = roff::behind_bracket(text, start);
        return if behind < end { behind } else { start };
    }
    let is_escape = start > 0 && text.before(start) == Some('\\');
    if !is_escape || text.before(start - 1) == Some('\u{1B}') {
        return start;
    }
    let len = match text.byte(start) {
        b'f' if roff::is_font(text.byte(start + 1)) => 2,
        b'n' | b't' | b'r' | b'f' | b'v' | b'b' => 1,
        b'u' if code_point(text, start + 1, 4).is_some() => 5,
        b'x' if code_point(text, start + 1, 2).is_some() => 3,
        _ => 0,
    };
    let behind = start + len;
    if behind < end { behind } else { start }
}

/// As [`behind_escape`], for a local part: behind the `\` of a path or of the domain of a Windows account is a name.
pub(super) fn address_start(text: &Text<'_>, start: usize, end: usize) -> usize {
    let is_path = text.before(start) == Some('\\') && is_windows_path(text, start - 1);
    if is_path {
        start
    } else {
        behind_escape(text, start, end)
    }
}

/// True if a `\` in front of `at` ends a link: the `\` escapes a character that no link has, or begins a command of
/// roff or TeX.
pub(super) fn ends_link(text: &Text<'_>, at: usize) -> bool {
    match text.byte(at) {
        b'"' | b'\'' | b'`' | b'\\' | b'n' | b'r' | b't' => true,
        b'u' => code_point(text, at + 1, 4).is_some_and(|code| is_outside(text, code)),
        b'x' => code_point(text, at + 1, 2).is_some_and(|code| is_outside(text, code)),
        // Fonts and colours of roff: `\fB`, `\f(CW`, `\f[B]`, `\m[red]`.
        b'f' if matches!(text.byte(at + 1), b'A'..=b'Z' | b'0'..=b'9' | b'(' | b'[') => true,
        b'm' if text.byte(at + 1) == b'[' => true,
        b'*' | b'(' | b'[' => roff::is_mark_behind(text, at),
        _ => text.term(text.char(at)) == HARD,
    }
}

/// True if the hyphen of roff stands at a position, between two parts of a name: `bug\-tar@example.org` has no address
/// behind it, and `http://a\-b.example` no host in front of it.
pub(super) fn is_hyphen(text: &Text<'_>, at: usize) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric();
    text.has(at, "\\-") && is_name(text.byte_before(at)) && is_name(text.byte(at + 2))
}

/// True if the hyphen (`\-`) or the break point (`\:`) of roff stands at a position, and the name in front goes on
/// behind it.
pub(super) fn is_within_name(text: &Text<'_>, at: usize) -> bool {
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let is_break =
        || text.has(at, "\\:") && is_host(text.byte_before(at)) && is_host(text.byte(at + 2));
    text.byte(at) == b'\\' && (is_hyphen(text, at) || is_break())
}

/// True if a character reference of escaped markup begins at the `&` at `at` and ends a link: the character that it
/// stands for would, or nothing of a query follows `&amp;`.
pub(super) fn is_reference(text: &Text<'_>, at: usize) -> bool {
    // `&amp;lt;`: escaped twice.
    let once = reference_end(text, at);
    let twice = once.and_then(|end| reference_end(text, end - 1));
    let name = |start: usize, end: Option<usize>| text.slice(start, end.unwrap_or(start));
    let ends = |name| {
        matches!(
            name,
            "lt;" | "gt;" | "quot;" | "nbsp;" | "#34;" | "#60;" | "#62;" | "#160;"
        )
    };
    let Some(end) = once else {
        return false;
    };
    let is_mark = matches!(name(at + 1, once), "amp;" | "apos;" | "#39;");
    let next = text.char(end);
    let is_query = next.is_alphanumeric() || "%_-.~[$".contains(next);
    ends(name(at + 1, once)) || is_mark && (!is_query || ends(name(end, twice)))
}

/// The position behind the `;` of a character reference with a short name.
fn reference_end(text: &Text<'_>, at: usize) -> Option<usize> {
    let mut end = at + 1;
    while end < at + 5 && (text.byte(end).is_ascii_alphanumeric() || text.byte(end) == b'#') {
        end += 1;
    }
    (text.byte(end) == b';').then_some(end + 1)
}

/// The code point of `digits` hexadecimal digits at `at`.
fn code_point(text: &Text<'_>, at: usize, digits: usize) -> Option<u32> {
    (at..at + digits).try_fold(0, |code, i| {
        let digit = char::from(text.byte(i)).to_digit(16)?;
        Some(code << 4 | digit)
    })
}

/// True if no link has the character: white space, controls, quotes, angle brackets.
fn is_outside(text: &Text<'_>, code: u32) -> bool {
    let ch = char::from_u32(code).unwrap_or('\0');
    matches!(ch, '"' | '\'' | '<' | '>') || text.class(ch) & TERM == HARD
}

/// Number of bytes in front of a name in which its path is read.
const MAX_PATH: usize = 256;

/// True if a `\` belongs to Windows: to a path behind a drive (`C:\new.com`) or server, or between a domain in
/// capitals and its user (`CORP\nancy@example.org`).
fn is_windows_path(text: &Text<'_>, backslash: usize) -> bool {
    let word = run_start(text, backslash, |ch| {
        ch.is_alphanumeric() || matches!(ch, '-' | '_')
    });
    let domain = text.slice(word, backslash);
    if !domain.is_empty() && !domain.contains(|ch: char| !ch.is_ascii() || ch.is_ascii_lowercase())
    {
        return true;
    }
    let is_path = |ch: char| ch.is_alphanumeric() || "\\._-~$".contains(ch);
    let path = run_start(text, backslash, is_path);
    text.slice(path, backslash).starts_with("\\\\") || is_drive(text, path)
}

/// True if the name of a drive, a letter and `:`, ends at `end`.
fn is_drive(text: &Text<'_>, end: usize) -> bool {
    let letter = end.saturating_sub(1);
    text.before(end) == Some(':')
        && text.byte_before(letter).is_ascii_alphabetic()
        && !text.before(letter - 1).is_some_and(char::is_alphanumeric)
}

/// The start of the characters in front of `end` that satisfy a condition.
fn run_start(text: &Text<'_>, end: usize, is_in_run: impl Fn(char) -> bool) -> usize {
    let mut start = end;
    while end - start < MAX_PATH {
        match text.before(start).filter(|&ch| is_in_run(ch)) {
            Some(ch) => start -= ch.len_utf8(),
            None => break,
        }
    }
    start
}

/// True if words, and not part of a path, end in front of a `\`: another escape, the mark at a sentence's end, or a
/// character beyond ASCII stands there.
fn is_behind_words(text: &Text<'_>, backslash: usize) -> bool {
    let Some(last) = text.before(backslash) else {
        return false;
    };
    let before = backslash - last.len_utf8();
    match last {
        'n' | 't' | 'r' => text.before(before) == Some('\\'),
        '.' => text.before(before).is_some_and(char::is_alphanumeric),
        '!' | '?' | ',' | ';' | ':' => true,
        _ => !last.is_ascii() && !last.is_whitespace(),
    }
}

/// True if the name of a directory may end in front of a `\`.
fn is_behind_name(text: &Text<'_>, backslash: usize) -> bool {
    let is_name = |ch: char| ch.is_alphanumeric() || "._-~$".contains(ch);
    text.before(backslash).is_some_and(is_name)
}

/// The start of a host behind an escape whose letters cannot belong to the host: in front of `www.` and behind the end
/// of words. `floor` is the end of the link before.
pub(super) fn host_start(text: &Text<'_>, floor: usize, start: usize, end: usize) -> usize {
    if start <= floor {
        return start;
    }
    match text.byte_before(start) {
        b'\\' => {}
        b'(' => return behind_escape(text, start, end),
        _ => return start,
    }
    let behind = behind_escape(text, start, end);
    // `dir\fonts.com`: behind the name of a directory, `\f` may begin the name of a file.
    let is_font = || text.byte(start) == b'f' && is_behind_name(text, start - 1);
    let is_escape = || {
        let is_sure = behind > start + 1 && !is_font() || is_behind_words(text, start - 1);
        is_sure && !is_windows_path(text, start - 1) && !is_letter_of_name(text, start, behind)
    };
    if text.has(behind, "www.") || behind > start && is_escape() {
        behind
    } else {
        start
    }
}

/// True if an escape, without its `\`, stands for a letter or digit that would belong to the name behind it. Letters
/// of scripts without spaces belong to the sentence.
fn is_letter_of_name(text: &Text<'_>, start: usize, end: usize) -> bool {
    let digits = text.slice(start + 1, end);
    let ch = u32::from_str_radix(digits, 16)
        .ok()
        .and_then(char::from_u32);
    ch.is_some_and(|ch| ch.is_alphanumeric() && !text.is(ch, GLUE))
}

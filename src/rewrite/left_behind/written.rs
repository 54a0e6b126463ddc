//! Hosts as a text writes them: plain, percent-encoded, with character references or escapes of strings.

use super::hosts::MovedHosts;
use std::ops::Range;

/// The most backslashes in front of a dot in a regular expression, which may be written in a string.
const MOST_ESCAPES: usize = 4;

/// The most bytes of a character reference: `&#0000046;` is longer than anyone writes it.
const LONGEST_REFERENCE: usize = 10;

/// The most bytes of a number in braces.
const BRACES: usize = 10;

/// The longest escape in front of which a host may go on: `u{00002e}` behind backslashes.
const LONGEST_ESCAPE: usize = MOST_ESCAPES + 1 + BRACES;

/// The next marks of a text that may be dots, from a position on: they are looked for once.
#[derive(Debug, Default)]
pub(super) struct Marks {
    mark: Option<usize>,
    backslash: Option<usize>,
}

impl Marks {
    /// The next mark from `at` on; the length of the text if there is none.
    fn next(&mut self, text: &[u8], at: usize) -> usize {
        let from = |known: &mut Option<usize>, find: fn(&[u8]) -> Option<usize>| {
            let search = || find(&text[at..]).map_or(text.len(), |found| at + found);
            let next = known.filter(|known| *known >= at).unwrap_or_else(search);
            *known = Some(next);
            next
        };
        let mark = from(&mut self.mark, |text| {
            memchr::memchr3(b'.', b'%', b'&', text)
        });
        mark.min(from(&mut self.backslash, |text| {
            memchr::memchr(b'\\', text)
        }))
    }
}

/// The next possible host from `at` on: a word of letters, digits, hyphens and dots in any [form](written). `marks` are
/// those of the same text.
pub(super) fn next_word(
    text: &[u8],
    mut at: usize,
    (hosts, marks): (&MovedHosts, &mut Marks),
) -> Option<Range<usize>> {
    let has_idn = hosts.has_idn;
    loop {
        let mut begin = if hosts.has_plain {
            (at..text.len()).find(|at| written(&text[*at..], has_idn).is_some())?
        } else {
            // A host has a dot.
            next_dot(text, at, has_idn, marks)?
        };
        while let Some(len) = written_in_front(&text[at..begin], &text[begin..], has_idn) {
            begin -= len;
        }
        let mut end = begin;
        while let Some((_, len)) = written(&text[end..], has_idn) {
            end += len;
        }
        at = end;
        let name = &text[begin..end];
        let is_mark = |byte: &&u8| matches!(byte, b'.' | b'\\');
        let dots = name.iter().rev().take_while(is_mark).count();
        let mut first = 0;
        while let Some((b'.', len)) = written(&name[first..], has_idn) {
            first += len;
        }
        if first + dots < name.len() {
            return Some(begin + first..end - dots);
        }
    }
}

/// The next dot in any [form](written).
fn next_dot(text: &[u8], mut at: usize, has_idn: bool, marks: &mut Marks) -> Option<usize> {
    loop {
        let mark = marks.next(text, at);
        match written(text.get(mark..)?, has_idn) {
            Some((b'.', _)) => return Some(mark),
            _ if mark == text.len() => return None,
            _ => at = mark + 1,
        }
    }
}

/// The byte of a host that a text begins with, and its length as written: plain, percent-encoded once or twice, as a
/// character reference, as an escape of strings, or a dot that a regular expression escapes.
fn written(text: &[u8], has_idn: bool) -> Option<(u8, usize)> {
    let (byte, len) = match *text.first()? {
        b'%' => {
            let code = text[1..].strip_prefix(b"25").unwrap_or(&text[1..]);
            (number(code.get(..2)?, 16)?, text.len() - code.len() + 2)
        }
        b'&' => {
            let end = memchr::memchr(b';', &text[..text.len().min(LONGEST_REFERENCE)])?;
            let byte = match &text[1..end] {
                b"period" => b'.',
                [b'#', b'x' | b'X', digits @ ..] => number(digits, 16)?,
                [b'#', digits @ ..] => number(digits, 10)?,
                _ => return None,
            };
            // References name characters, not bytes.
            (Some(byte).filter(u8::is_ascii)?, end + 1)
        }
        b'[' if text.starts_with(b"[.]") => (b'.', 3),
        b'\\' => {
            let mut behind = text.iter().take(1 + MOST_ESCAPES);
            let escapes = behind.position(|byte| *byte != b'\\')?;
            let (byte, len) = escaped(&text[escapes..])?;
            (byte, escapes + len)
        }
        byte => (byte, 1),
    };
    (is_part(byte) || has_idn && byte >= 0x80).then_some((byte, len))
}

/// The byte of an escape behind its backslash, and the length of that text: a dot itself, `x2e`, `x{2e}`, `u002e`,
/// `u{2e}`, octal `056`, and `2e ` or `00002e` as in CSS.
pub(super) fn escaped(text: &[u8]) -> Option<(u8, usize)> {
    let code = text.get(1..)?;
    let in_braces = || {
        let end = code.iter().take(BRACES).position(|byte| *byte == b'}')?;
        Some((number(&code[1..end], 16)?, end + 2))
    };
    let (byte, len) = match text[0] {
        b'.' => (b'.', 1),
        b'x' | b'u' if code.starts_with(b"{") => in_braces()?,
        b'x' => (number(code.get(..2)?, 16)?, 3),
        b'u' => (number(code.get(..4)?, 16)?, 5),
        _ => {
            let is_part = |(byte, _): &(u8, usize)| is_part(*byte);
            let octal = octal(text);
            octal.filter(is_part).or_else(|| of_css(text)).or(octal)?
        }
    };
    // Escapes name characters, not bytes.
    byte.is_ascii().then_some((byte, len))
}

fn octal(text: &[u8]) -> Option<(u8, usize)> {
    let digits = text.iter().take(3);
    let digits = digits.take_while(|byte| matches!(byte, b'0'..=b'7'));
    let len = digits.count();
    Some((number(&text[..len], 8)?, len))
}

fn of_css(text: &[u8]) -> Option<(u8, usize)> {
    let digits = text.iter().take(6);
    let len = digits.take_while(|byte| byte.is_ascii_hexdigit()).count();
    let byte = number(&text[..len], 16)?;
    match text.get(len) {
        Some(b' ') => Some((byte, len + 1)),
        _ => (len == 6).then_some((byte, len)),
    }
}

/// True for ASCII characters of a host.
fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.')
}

/// The number of bytes at the end of `front` that belong to the host that goes on behind them.
fn written_in_front(front: &[u8], behind: &[u8], has_idn: bool) -> Option<usize> {
    let len = match *front.last()? {
        b']' => 3,
        b'}' => {
            let mut escape = front.iter().rev().take(LONGEST_ESCAPE);
            let braces = 1 + escape.position(|byte| *byte == b'\\')?;
            return written(&front[front.len() - braces..], has_idn)
                .and_then(|(_, whole)| (whole == braces).then_some(braces));
        }
        b';' => {
            1 + front
                .iter()
                .rev()
                .take(LONGEST_REFERENCE)
                .position(|byte| *byte == b'&')?
        }
        // The rest of an escape belongs to the host already.
        b'%' | b'\\' | b'[' => {
            let shown = behind.len().min(LONGEST_ESCAPE);
            let mark = &front[front.len() - 1..];
            return written(&[mark, &behind[..shown]].concat(), has_idn).map(|_| 1);
        }
        _ => 1,
    };
    let last = &front[front.len().checked_sub(len)?..];
    written(last, has_idn).and_then(|(_, whole)| (whole == len).then_some(len))
}

/// A byte written with digits.
fn number(digits: &[u8], radix: u32) -> Option<u8> {
    let digits = std::str::from_utf8(digits).ok()?;
    let is_number = digits.chars().all(|digit| digit.is_digit(radix));
    u8::from_str_radix(digits, radix).ok().filter(|_| is_number)
}

/// The name of a host as written.
pub(super) fn name_of(mut text: &[u8], has_idn: bool) -> Option<String> {
    let mut name = Vec::with_capacity(text.len());
    while !text.is_empty() {
        let (byte, len) = written(text, has_idn)?;
        name.push(byte);
        text = &text[len..];
    }
    String::from_utf8(name).ok()
}

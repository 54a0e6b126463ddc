//! Hosts as a text writes them: plain, percent-encoded, with character references or escapes of strings.

use crate::charset::simd::blocks::InstructionSet;
use crate::charset::simd::pairs::{Pair, next_pair};
use crate::rewrite::rules::MovedHosts;
use std::ops::Range;

/// The most backslashes in front of a dot in a regular expression, which may be written in a string.
const MOST_ESCAPES: usize = 4;

/// The most bytes of a character reference behind its ampersand: `#0000046;` is longer than anyone writes it.
const LONGEST_REFERENCE: usize = 9;

/// The rest of an ampersand that is escaped once more, as in the HTML of a feed (`b&amp;uuml;cher`).
const AMPERSAND: &[u8] = b"amp;";

/// The most bytes of a number in braces.
const BRACES: usize = 10;

/// The most digits of an escape of CSS.
const CSS_DIGITS: usize = 6;

/// The longest escape in front of which a host may go on: `u{00002e}` behind backslashes.
const LONGEST_ESCAPE: usize = MOST_ESCAPES + 1 + BRACES;

/// Bytes at which a dot of a host may be written. Most dots end a sentence, and most backslashes escape a line end or a
/// quotation mark.
pub(super) struct MayBeDot;

impl Pair for MayBeDot {
    #[inline(always)]
    fn marks<I: InstructionSet>(set: I, first: I::Bytes, second: I::Bytes) -> I::Mask {
        let is_label = !(set.at_most(second, b',') | set.equal(second, b'<'));
        let is_written = set.equal(second, b'%') | set.equal(second, b'&');
        let goes_on = is_label | set.equal(second, 0) | is_written;
        let is_blank = set.equal(second, b'n') | set.equal(second, b'r') | set.equal(second, b't');
        let is_escape = !(is_blank | set.equal(second, b'"') | set.equal(second, b'\''));
        // `&#46;`, `&period;`, or either with an ampersand that is escaped once more.
        let is_dot_name =
            set.equal(second, b'#') | set.equal(second, b'p') | set.equal(second, b'a');
        set.equal(first, b'.') & goes_on
            | set.equal(first, b'\\') & is_escape
            | set.equal(first, b'%') & set.equal(second, b'2')
            | set.equal(first, b'&') & is_dot_name
    }

    fn is_marked(first: u8, second: u8) -> bool {
        match first {
            b'.' => second > b',' && second != b'<' || matches!(second, 0 | b'%' | b'&'),
            b'%' => second == b'2',
            b'&' => matches!(second, b'#' | b'p' | b'a'),
            b'\\' => !matches!(second, b'n' | b'r' | b't' | b'"' | b'\''),
            _ => false,
        }
    }
}

/// The next byte from `at` on at which a dot of a host may be written; the length of the text if there is none.
fn next_mark(text: &[u8], at: usize) -> usize {
    next_pair::<MayBeDot>(text, at).unwrap_or(text.len())
}

/// The next possible host from `at` on: a word of letters, digits, hyphens and dots in any [form](written).
pub(super) fn next_word(text: &[u8], mut at: usize, hosts: &MovedHosts) -> Option<Range<usize>> {
    let has_idn = hosts.has_idn;
    loop {
        let mut begin = if hosts.has_plain {
            (at..text.len()).find(|at| written(&text[*at..], has_idn).is_some())?
        } else {
            // A host has a dot.
            next_dot(text, at, hosts)?
        };
        loop {
            let plain = text[at..begin]
                .iter()
                .rev()
                .take_while(|byte| is_part(**byte));
            begin -= plain.count();
            match written_in_front(&text[at..begin], &text[begin..], has_idn) {
                Some(len) => begin -= len,
                None => break,
            }
        }
        let mut end = begin;
        loop {
            end += plain_length(&text[end..]);
            match written(&text[end..], has_idn) {
                Some((_, len)) => end += len,
                None => break,
            }
        }
        at = end;
        let name = &text[begin..end];
        let is_mark = |byte: &&u8| matches!(byte, b'.' | b'\\');
        let dots = name.iter().rev().take_while(is_mark).count();
        let mut first = 0;
        while let Some((HostUnit::Byte(b'.'), len)) = written(&name[first..], has_idn) {
            first += len;
        }
        let word = begin + first..end - dots;
        if !word.is_empty() && (hosts.has_plain || may_have_dot(&text[word.clone()])) {
            return Some(word);
        }
    }
}

/// True unless a word is written plainly and has no dot: the end of a sentence.
fn may_have_dot(word: &[u8]) -> bool {
    word.contains(&b'.') || plain_length(word) < word.len()
}

/// The next dot in any [form](written) that may be the last one of a host. Left out are plain dots that end a word: its
/// first dot was found before.
fn next_dot(text: &[u8], mut at: usize, hosts: &MovedHosts) -> Option<usize> {
    loop {
        let mark = next_mark(text, at);
        match written(text.get(mark..)?, hosts.has_idn) {
            Some((HostUnit::Byte(b'.'), len))
                if hosts.may_have_dot(&text[..mark], &text[mark + len..]) =>
            {
                return Some(mark);
            }
            _ if mark == text.len() => return None,
            _ => at = mark + 1,
        }
    }
}

/// A unit of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostUnit {
    /// An ASCII character, or a byte of another one.
    Byte(u8),
    /// A character beyond ASCII that an escape names.
    Char(char),
}

impl HostUnit {
    fn of(ch: char) -> Self {
        u8::try_from(ch)
            .ok()
            .filter(u8::is_ascii)
            .map_or(HostUnit::Char(ch), HostUnit::Byte)
    }

    fn named(code: u32) -> Option<Self> {
        char::from_u32(code).map(HostUnit::of)
    }

    /// True for letters and digits. Escapes of bytes beyond ASCII are read as characters.
    pub fn is_alphanumeric(self) -> bool {
        match self {
            HostUnit::Byte(byte) => char::from(byte).is_alphanumeric(),
            HostUnit::Char(ch) => ch.is_alphanumeric(),
        }
    }

    /// True for a part of a host.
    fn is_of_host(self, has_idn: bool) -> bool {
        match self {
            HostUnit::Byte(byte) => is_part(byte) || has_idn && !byte.is_ascii(),
            HostUnit::Char(ch) => has_idn && is_idn(ch),
        }
    }
}

/// The part of a host that a text begins with, and its length as written: plain, percent-encoded once or twice, as a
/// character reference, escaped once or twice, as an escape of strings, or a dot that a regular expression escapes.
fn written(text: &[u8], has_idn: bool) -> Option<(HostUnit, usize)> {
    let (part, len) = match *text.first()? {
        b'%' => {
            let code = text[1..].strip_prefix(b"25").unwrap_or(&text[1..]);
            let byte = byte(code.get(..2)?, 16)?;
            (HostUnit::Byte(byte), text.len() - code.len() + 2)
        }
        b'&' => {
            let name = text[1..].strip_prefix(AMPERSAND).unwrap_or(&text[1..]);
            let (part, len) = reference(name)?;
            (part, text.len() - name.len() + len)
        }
        b'[' if text.starts_with(b"[.]") => (HostUnit::Byte(b'.'), 3),
        b'\\' => {
            let mut behind = text.iter().take(1 + MOST_ESCAPES);
            let escapes = behind.position(|byte| *byte != b'\\')?;
            let (part, len) = escaped(&text[escapes..])?;
            (part, escapes + len)
        }
        byte => (HostUnit::Byte(byte), 1),
    };
    part.is_of_host(has_idn).then_some((part, len))
}

/// The meaning of a character reference behind its ampersand, and the length of that text.
fn reference(text: &[u8]) -> Option<(HostUnit, usize)> {
    let end = memchr::memchr(b';', &text[..text.len().min(LONGEST_REFERENCE)])?;
    let part = match &text[..end] {
        [b'#', b'x' | b'X', digits @ ..] => HostUnit::named(number(digits, 16)?)?,
        [b'#', digits @ ..] => HostUnit::named(number(digits, 10)?)?,
        _ => HostUnit::of(named_reference(&text[..=end])?),
    };
    Some((part, end + 1))
}

/// The character of a named reference of HTML, with its semicolon.
fn named_reference(name: &[u8]) -> Option<char> {
    let (length, meaning) = linkglot_markup::html_entity(std::str::from_utf8(name).ok()?)?;
    let mut meaning = meaning.chars();
    let ch = meaning.next()?;
    (length == name.len() && meaning.next().is_none()).then_some(ch)
}

/// The meaning of an escape behind its backslash, and the length of that text: a dot itself, `x2e`, `x{2e}`, `u002e`,
/// `u{2e}`, octal `056`, and `2e ` or `00002e` as in CSS. Two digits behind `x`, and octal digits, are a byte: of UTF-8
/// in some languages, of Latin-1 in others.
pub(super) fn escaped(text: &[u8]) -> Option<(HostUnit, usize)> {
    let code = text.get(1..)?;
    let in_braces = || {
        let end = code.iter().take(BRACES).position(|byte| *byte == b'}')?;
        Some((HostUnit::named(number(&code[1..end], 16)?)?, end + 2))
    };
    match text[0] {
        b'.' => Some((HostUnit::Byte(b'.'), 1)),
        b'x' | b'u' if code.starts_with(b"{") => in_braces(),
        b'x' => Some((HostUnit::Byte(byte(code.get(..2)?, 16)?), 3)),
        b'u' => Some((HostUnit::named(number(code.get(..4)?, 16)?)?, 5)),
        // Most backslashes escape a line end or a quotation mark.
        first if !first.is_ascii_hexdigit() => None,
        _ => {
            let is_part = |(part, _): &(HostUnit, usize)| part.is_of_host(false);
            let octal = octal(text);
            // Three octal digits are an escape of strings, even in front of `a` to `f`. Two and a space are of CSS.
            let is_whole = |(_, len): &(HostUnit, usize)| *len == 3;
            let short = of_css(text, true).filter(|css| css.1 == 3 && is_part(css));
            short
                .or_else(|| octal.filter(is_part))
                .or_else(|| of_css(text, true))
                .or_else(|| octal.filter(is_whole))
                .or_else(|| of_css(text, false))
                .or(octal)
        }
    }
}

fn octal(text: &[u8]) -> Option<(HostUnit, usize)> {
    let digits = text.iter().take(3);
    let digits = digits.take_while(|byte| matches!(byte, b'0'..=b'7'));
    let len = digits.count();
    Some((HostUnit::Byte(byte(&text[..len], 8)?), len))
}

/// An escape of CSS: closed by a space or by the number of its digits, or one of a character beyond ASCII that ends
/// with its digits (`caf\e9.example`).
fn of_css(text: &[u8], is_closed: bool) -> Option<(HostUnit, usize)> {
    let len = hex_digits(text.iter());
    let part = HostUnit::named(number(&text[..len], 16)?)?;
    match text.get(len) {
        Some(b' ') => Some((part, len + 1)),
        _ if len == CSS_DIGITS => Some((part, len)),
        _ => (!is_closed && matches!(part, HostUnit::Char(_))).then_some((part, len)),
    }
}

fn hex_digits<'t>(text: impl Iterator<Item = &'t u8>) -> usize {
    let digits = text.take(CSS_DIGITS);
    digits.take_while(|byte| byte.is_ascii_hexdigit()).count()
}

/// True for characters beyond ASCII that hosts may have: letters, digits, the signs of scripts, joiners, middle dots.
fn is_idn(ch: char) -> bool {
    ch.is_alphanumeric()
        || matches!(
            ch,
            '\u{B7}' | '\u{300}'..='\u{1FFF}' | '\u{200C}' | '\u{200D}' | '\u{30FB}'
        )
}

/// True if a name is a part of another host that has letters beyond ASCII or `_`: `блог.old.example`, `my_old.example`.
/// Words of scripts without spaces, and `_` around a name, belong to the text.
pub(super) fn is_of_other_host(text: &[u8], name: &Range<usize>) -> bool {
    let is_glued = |ch: char| ch.is_alphanumeric() && ('\u{80}'..'\u{E00}').contains(&ch);
    let last = |front: &[u8]| {
        let front = &front[front.len().saturating_sub(4)..];
        String::from_utf8_lossy(front).chars().next_back()
    };
    let front = &text[..name.start];
    let behind = &text[name.end..text.len().min(name.end + 4)];
    let next = String::from_utf8_lossy(behind).chars().next();
    let is_below = front.strip_suffix(b".").or(front.strip_suffix(b"_"));
    last(front).is_some_and(is_glued)
        || next.is_some_and(is_glued)
        || is_below.and_then(last).is_some_and(char::is_alphanumeric)
}

/// The number of bytes at the start of a text that are characters of a host, written plainly.
fn plain_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_part(**byte)).count()
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
                .take(1 + AMPERSAND.len() + LONGEST_REFERENCE)
                .position(|byte| *byte == b'&')?
        }
        // The end of an escape of CSS.
        b' ' => 2 + hex_digits(front.iter().rev().skip(1)),
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

/// A number written with digits.
fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let digits = std::str::from_utf8(digits).ok()?;
    let is_number = digits.chars().all(|digit| digit.is_digit(radix));
    u32::from_str_radix(digits, radix)
        .ok()
        .filter(|_| is_number)
}

/// A byte written with digits.
fn byte(digits: &[u8], radix: u32) -> Option<u8> {
    u8::try_from(number(digits, radix)?).ok()
}

/// The name of a host as written. Bytes that are not UTF-8 are Latin-1.
pub(super) fn name_of(mut text: &[u8], has_idn: bool) -> Option<String> {
    let mut name = Vec::with_capacity(text.len());
    loop {
        let (plain, rest) = text.split_at(plain_length(text));
        name.extend_from_slice(plain);
        if rest.is_empty() {
            break;
        }
        let (part, len) = written(rest, has_idn)?;
        match part {
            HostUnit::Byte(byte) => name.push(byte),
            HostUnit::Char(ch) => name.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes()),
        }
        text = &rest[len..];
    }
    let of_latin_1 = |name: Vec<u8>| name.into_iter().map(char::from).collect();
    let name = String::from_utf8(name);
    Some(name.unwrap_or_else(|error| of_latin_1(error.into_bytes())))
}

#[cfg(test)]
mod tests {
    use super::super::cut::tests::blocks_find_what_bytes_find;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dots_are_found_in_blocks() {
        blocks_find_what_bytes_find::<MayBeDot>();
    }

    proptest! {
        /// A dot that is passed over is plain, and its word ends with it.
        #[test]
        fn no_dot_of_a_host_is_passed_over(
            text in prop::collection::vec(prop::sample::select(b"aex02 .<>,;-%&#[]{}\\nu\"'\0\xC3\xA9".to_vec()), 1..12),
            has_idn: bool,
        ) {
            let dot = written(&text, has_idn).filter(|(part, _)| *part == HostUnit::Byte(b'.'));
            // Of `[.]`, the dot is found.
            let at = usize::from(text[0] == b'[');
            let next = text.get(at + 1).copied().unwrap_or(0);
            let is_found = text.get(at).is_some_and(|byte| MayBeDot::is_marked(*byte, next));
            if let Some((_, len)) = dot && !is_found {
                prop_assert_eq!(len, 1);
                let behind = text.get(1..).unwrap_or_default();
                prop_assert!(text[0] == b'.' && written(behind, has_idn).is_none());
            }
        }
    }
}

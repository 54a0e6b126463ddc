//! The length of a string in a text, by each way of counting.
//!
//! The length of serialized data counts octets of the data. In the text the data may be escaped in several ways, and in
//! another charset. The right way of counting ends at a closing quotation mark.

use super::opening::{Kind, LONGEST_RUN, QuoteForm, backslashes};
use crate::Escaping;

/// Ways of counting, as bits: `''` and `""` count once; escapes count as the decoded text. Above the bits stands the
/// unit: octets, characters, or the octets of a charset with two for each character beyond ASCII.
const DOUBLED: usize = 1;
const UNDONE: usize = 2;
const MEASURES: usize = 3;
const WAYS: usize = MEASURES << 2;

/// The longest name of a character, with `&` and `;`.
const MAX_NAME: usize = 36;
/// The longest escape in braces, `{10ffff}`.
const MAX_BRACES: usize = 8;

/// The lengths so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    ways: [u64; WAYS],
    /// True after a `"` that may be the first of two.
    has_half: bool,
}

/// Octets, characters, and the octets of charsets with two for each character beyond ASCII.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Length([u64; MEASURES]);

impl Length {
    /// The length of ASCII.
    fn plain(octets: u64) -> Self {
        Length([octets; MEASURES])
    }

    fn and(self, ascii: u64) -> Self {
        Length(self.0.map(|length| length + ascii))
    }
}

/// A piece of a string: a run of plain bytes, or an escape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Unit {
    /// The length in the text.
    pub bytes: usize,
    /// The length with backslashes. Character references count decoded if quotation marks are written as references.
    written: Length,
    /// The length with backslashes undone.
    undone: Length,
    /// Difference of the count if doubled marks count once.
    doubled: u64,
    /// True for a `"` that may be one of two.
    is_half: bool,
}

impl Counts {
    /// The counts behind `""`, which is one quotation mark, or a mark and the first character of the string.
    pub fn behind_two() -> Self {
        let mut counts = Counts::default();
        for (way, count) in counts.ways.iter_mut().enumerate() {
            *count = u64::from(way & DOUBLED == 0);
        }
        counts
    }

    pub fn add(&mut self, unit: &Unit) {
        let is_second = unit.is_half && self.has_half;
        self.has_half = unit.is_half && !is_second;
        let doubled = unit.doubled + u64::from(is_second);
        for (way, count) in self.ways.iter_mut().enumerate() {
            let length = if way & UNDONE == 0 {
                unit.written
            } else {
                unit.undone
            };
            let length = length.0[way >> 2];
            *count += match way & DOUBLED {
                0 => length,
                _ => length.saturating_sub(doubled),
            };
        }
    }

    /// The shortest length.
    pub fn least(&self) -> u64 {
        self.ways.into_iter().min().unwrap_or(0)
    }

    /// The greatest length.
    pub fn most(&self) -> u64 {
        self.ways.into_iter().max().unwrap_or(0)
    }

    /// True if some way that fits the quotation marks counts `length` with `written` more backslashes. `undone`: the
    /// backslashes decoded, unless they escape something. `is_doubled`: quotation marks are doubled.
    pub fn are(
        &self,
        length: u64,
        (form, is_doubled): (QuoteForm, bool),
        (written, undone): (u64, Option<u64>),
    ) -> bool {
        // A literal is read with its escapes undone, whatever their length.
        let fits = |way: usize| {
            let is_way = !form.may_be_doubled || (way & DOUBLED != 0) == is_doubled;
            is_way && (way & UNDONE != 0 || !form.is_escaped())
        };
        let counts = self.ways.iter().enumerate().filter(|(way, _)| fits(*way));
        counts.into_iter().any(|(way, count)| match way & UNDONE {
            0 => count + written == length,
            _ => undone.is_some_and(|undone| count + undone == length),
        })
    }
}

/// True if a byte is a unit by itself, in any surroundings.
pub(super) fn is_plain(byte: u8) -> bool {
    !matches!(byte, b'\\' | b'"' | b'\'' | b'&' | b'}')
}

/// The plain bytes at the start of `bytes`, at most `most`.
pub(super) fn plain(bytes: &[u8], most: u64, is_utf8: bool) -> Unit {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let bytes = &bytes[..bytes.len().min(most)];
    let length = bytes.iter().position(|&byte| !is_plain(byte));
    let bytes = &bytes[..length.unwrap_or(bytes.len())];
    let count = |is_counted: fn(&u8) -> bool| {
        let bytes = bytes.iter().filter(|byte| is_utf8 && is_counted(byte));
        bytes.count() as u64
    };
    let octets = bytes.len() as u64;
    let characters = octets - count(|byte| byte & 0xC0 == 0x80);
    let wide = characters + count(|byte| *byte >= 0xC0);
    let length = Length([octets, characters, wide]);
    Unit {
        bytes: bytes.len(),
        written: length,
        undone: length,
        ..Unit::default()
    }
}

/// The unit at the start of `bytes`, which is not plain; `None` if it may be cut.
pub(super) fn unit(bytes: &[u8], (form, kind): (QuoteForm, Kind), is_last: bool) -> Option<Unit> {
    match bytes[0] {
        b'\\' => escape(bytes, (form, kind), is_last),
        b'&' if form.references > 0 => reference(bytes, form.references, is_last),
        b'"' if form.may_be_doubled => Some(Unit {
            is_half: true,
            ..ascii(1)
        }),
        b'\'' if !form.may_be_doubled => match bytes.get(1) {
            None if !is_last => None,
            Some(b'\'') => Some(Unit {
                doubled: 1,
                ..ascii(2)
            }),
            _ => Some(ascii(1)),
        },
        _ => Some(ascii(1)),
    }
}

/// ASCII that stands for itself.
fn ascii(bytes: usize) -> Unit {
    escape_of(bytes, Length::plain(bytes as u64))
}

/// ASCII that decodes to a text of length `undone`.
fn escape_of(bytes: usize, undone: Length) -> Unit {
    Unit {
        bytes,
        written: Length::plain(bytes as u64),
        undone,
        ..Unit::default()
    }
}

/// Backslashes, with the character that they escape.
fn escape(bytes: &[u8], (form, kind): (QuoteForm, Kind), is_last: bool) -> Option<Unit> {
    let run = backslashes(bytes, LONGEST_RUN);
    let own = (run >> form.depth()) as u64;
    let behind = &bytes[run..];
    let is_escaped = !run.is_multiple_of(1 << form.depth());
    let what = match behind.first() {
        None if !is_last && run < LONGEST_RUN => return None,
        Some(byte) if run < LONGEST_RUN && byte.is_ascii() => match byte {
            _ if !is_escaped => Unit::default(),
            // `\''`: in SQL the backslash begins no escape.
            b'\'' | b'"' if behind.len() < 2 && !is_last => return None,
            b'\'' | b'"' if behind.get(1) == Some(byte) => Unit::default(),
            b'&' if form.references > 0 => reference(behind, form.references, is_last)?,
            _ => escaped(behind, kind, is_last)?,
        },
        _ => Unit::default(),
    };
    Some(Unit {
        bytes: what.bytes + run,
        written: what.written.and(run as u64),
        undone: what.undone.and(own),
        ..Unit::default()
    })
}

/// The text that a backslash escapes; `None` if it may be cut.
fn escaped(bytes: &[u8], kind: Kind, is_last: bool) -> Option<Unit> {
    let is_cut = |wanted: usize| bytes.len() < wanted && !is_last;
    let hex = |range: std::ops::Range<usize>| {
        let digits = std::str::from_utf8(bytes.get(range)?).ok()?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)
    };
    let plain = ascii(1);
    let octet = |length| escape_of(length, Length::plain(1));
    Some(match bytes[0] {
        b'u' if bytes.get(1) == Some(&b'{') || is_cut(2) => {
            let braces = bytes.iter().take(MAX_BRACES + 1);
            let end = braces.clone().position(|&byte| byte == b'}');
            match end.and_then(|end| Some((end, hex(2..end)?))) {
                Some((end, code)) => with_length(end + 1, code),
                None if end.is_none() && is_cut(MAX_BRACES + 1) => return None,
                None => plain,
            }
        }
        b'u' if is_cut(5) => return None,
        b'u' => hex(1..5).map_or(plain, |code| with_length(5, code)),
        b'x' if is_cut(3) => return None,
        b'x' => hex(1..3).map_or(plain, |_| octet(3)),
        _ if kind == Kind::HexString && is_cut(2) => return None,
        _ if kind == Kind::HexString && hex(0..2).is_some() => octet(2),
        b'0'..=b'3' if is_cut(3) => return None,
        b'0'..=b'3' if bytes.get(1..3).is_some_and(is_octal) => octet(3),
        _ => plain,
    })
}

fn is_octal(digits: &[u8]) -> bool {
    digits.iter().all(|digit| matches!(digit, b'0'..=b'7'))
}

/// An escape and its character. Each half of a pair of surrogates counts half of the octets.
fn with_length(length: usize, code: u32) -> Unit {
    let undone = match code {
        0xD800..=0xDBFF => Length([2, 1, 2]),
        0xDC00..=0xDFFF => Length([2, 0, 0]),
        _ => length_of(char::from_u32(code).unwrap_or(' ')),
    };
    escape_of(length, undone)
}

fn length_of(ch: char) -> Length {
    Length([ch.len_utf8() as u64, 1, if ch.is_ascii() { 1 } else { 2 }])
}

/// A character reference that is escaped `times` times.
fn reference(bytes: &[u8], times: u8, is_last: bool) -> Option<Unit> {
    let near = &bytes[..bytes.len().min(MAX_NAME)];
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'#';
    let mut end = 1;
    for _ in 0..times {
        let name = near[end..].iter().take_while(is_name).count();
        match near.get(end + name) {
            None if near.len() < MAX_NAME && !is_last => return None,
            Some(b';') if name > 0 => end += name + 1,
            _ => break,
        }
        if !near[..end].ends_with(b"amp;") {
            break;
        }
    }
    let mut text = std::str::from_utf8(&near[..end]).ok()?.to_owned();
    for _ in 0..times {
        text = Escaping::HtmlText.unescape(&text).into_text().into_owned();
    }
    let mut length = Length::default();
    for ch in text.chars() {
        let more = length_of(ch);
        length = Length([0, 1, 2].map(|measure| length.0[measure] + more.0[measure]));
    }
    Some(Unit {
        written: length,
        ..escape_of(end, length)
    })
}

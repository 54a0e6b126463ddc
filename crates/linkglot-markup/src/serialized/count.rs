//! The length of a string that stands in a text, by each way to count it.
//!
//! The length of serialized data counts octets of the data. In the text the data may be escaped, in one way or another, and
//! in another charset. No way of counting is known to be right; one that meets a closing quotation mark is.

use super::opening::{Kind, QuoteForm, backslashes};
use crate::Escaping;

/// Ways to count, as bits: `''` and `""` count once; escapes count as what they stand for; characters count, not octets.
const DOUBLED: usize = 1;
const UNDONE: usize = 2;
const CHARACTERS: usize = 4;
const WAYS: usize = 8;

/// A run of more backslashes is read in pieces.
pub(super) const MAX_BACKSLASHES: usize = 32;
/// The longest name of a character, with `&` and `;`.
const MAX_NAME: usize = 36;
/// The longest escape in braces, `{10ffff}`.
const MAX_BRACES: usize = 8;

/// The lengths so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts([u64; WAYS]);

/// A piece of a string: a run of plain bytes, or an escape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Unit {
    /// Its length in the text.
    pub bytes: usize,
    /// Its octets and characters, with its backslashes. Character references are read where quotation marks are some.
    octets: u64,
    characters: u64,
    /// The octets and characters that it stands for with its backslashes undone.
    undone_octets: u64,
    undone_characters: u64,
    /// How much less it counts if what is written twice counts once.
    doubled: u64,
}

impl Counts {
    pub fn add(&mut self, unit: &Unit) {
        for (way, count) in self.0.iter_mut().enumerate() {
            let length = match (way & UNDONE != 0, way & CHARACTERS != 0) {
                (false, false) => unit.octets,
                (false, true) => unit.characters,
                (true, false) => unit.undone_octets,
                (true, true) => unit.undone_characters,
            };
            *count += match way & DOUBLED {
                0 => length,
                _ => length.saturating_sub(unit.doubled),
            };
        }
    }

    /// The shortest length.
    pub fn least(&self) -> u64 {
        self.0.into_iter().min().unwrap_or(0)
    }

    /// Whether some way that fits the quotation marks counts `length`, with so many backslashes more; `undone`: what these
    /// stand for, unless they escape something.
    pub fn are(&self, length: u64, form: QuoteForm, (written, undone): (u64, Option<u64>)) -> bool {
        // A literal is read with its escapes undone, whatever length they had.
        let fits = |way: usize| {
            (way & UNDONE != 0 || !form.is_escaped()) && (way & DOUBLED != 0 || !form.is_doubled)
        };
        let counts = self.0.iter().enumerate().filter(|(way, _)| fits(*way));
        counts.into_iter().any(|(way, count)| match way & UNDONE {
            0 => count + written == length,
            _ => undone.is_some_and(|undone| count + undone == length),
        })
    }
}

/// Whether a byte is a unit by itself, whatever surrounds it.
pub(super) fn is_plain(byte: u8) -> bool {
    !matches!(byte, b'\\' | b'"' | b'\'' | b'&' | b'}')
}

/// The plain bytes that `bytes` begin with, `most` of them at most.
pub(super) fn plain(bytes: &[u8], most: u64, is_utf8: bool) -> Unit {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let bytes = &bytes[..bytes.len().min(most)];
    let length = bytes.iter().position(|&byte| !is_plain(byte));
    let bytes = &bytes[..length.unwrap_or(bytes.len())];
    let further = |byte: &&u8| is_utf8 && **byte & 0xC0 == 0x80;
    let characters = (bytes.len() - bytes.iter().filter(further).count()) as u64;
    Unit {
        bytes: bytes.len(),
        octets: bytes.len() as u64,
        characters,
        undone_octets: bytes.len() as u64,
        undone_characters: characters,
        doubled: 0,
    }
}

/// The unit at the begin of `bytes`, which is not plain; `None` if it may be cut.
pub(super) fn unit(bytes: &[u8], (form, kind): (QuoteForm, Kind), is_last: bool) -> Option<Unit> {
    match bytes[0] {
        b'\\' => escape(bytes, (form, kind), is_last),
        b'&' if form.references > 0 => reference(bytes, form.references, is_last),
        quote @ (b'\'' | b'"') if (quote == b'"') == form.is_doubled => match bytes.get(1) {
            None if !is_last => None,
            Some(&next) if next == quote => Some(Unit {
                doubled: 1,
                ..written(2, 2, 2)
            }),
            _ => Some(written(1, 1, 1)),
        },
        _ => Some(written(1, 1, 1)),
    }
}

/// A unit of ASCII that stands for so many octets and characters.
fn written(bytes: usize, octets: u64, characters: u64) -> Unit {
    Unit {
        bytes,
        octets: bytes as u64,
        characters: bytes as u64,
        undone_octets: octets,
        undone_characters: characters,
        doubled: 0,
    }
}

/// Backslashes, and what they escape.
fn escape(bytes: &[u8], (form, kind): (QuoteForm, Kind), is_last: bool) -> Option<Unit> {
    let run = backslashes(bytes, MAX_BACKSLASHES);
    let own = (run >> form.depth()) as u64;
    let behind = &bytes[run..];
    let is_escaped = run % (1 << form.depth()) != 0;
    let what = match behind.first() {
        None if !is_last && run < MAX_BACKSLASHES => return None,
        Some(byte) if run < MAX_BACKSLASHES && byte.is_ascii() => match byte {
            _ if !is_escaped => Unit::default(),
            // `\''`: in SQL the backslash is none of an escape.
            b'\'' | b'"' if behind.len() < 2 && !is_last => return None,
            b'\'' | b'"' if behind.get(1) == Some(byte) => Unit::default(),
            b'&' if form.references > 0 => reference(behind, form.references, is_last)?,
            _ => escaped(behind, kind, is_last)?,
        },
        _ => Unit::default(),
    };
    Some(Unit {
        bytes: what.bytes + run,
        octets: what.octets + run as u64,
        characters: what.characters + run as u64,
        undone_octets: what.undone_octets + own,
        undone_characters: what.undone_characters + own,
        doubled: 0,
    })
}

/// What a backslash escapes; `None` if it may be cut.
fn escaped(bytes: &[u8], kind: Kind, is_last: bool) -> Option<Unit> {
    let is_cut = |wanted: usize| bytes.len() < wanted && !is_last;
    let hex = |range: std::ops::Range<usize>| {
        let digits = std::str::from_utf8(bytes.get(range)?).ok()?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)
    };
    let plain = written(1, 1, 1);
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
        b'x' => hex(1..3).map_or(plain, |_| written(3, 1, 1)),
        _ if kind == Kind::HexString && is_cut(2) => return None,
        _ if kind == Kind::HexString && hex(0..2).is_some() => written(2, 1, 1),
        b'0'..=b'3' if is_cut(3) => return None,
        b'0'..=b'3' if bytes.get(1..3).is_some_and(is_octal) => written(3, 1, 1),
        _ => plain,
    })
}

fn is_octal(digits: &[u8]) -> bool {
    digits.iter().all(|digit| matches!(digit, b'0'..=b'7'))
}

/// An escape and the character that it stands for. Of a pair of surrogates, each stands for half of the octets.
fn with_length(length: usize, code: u32) -> Unit {
    match code {
        0xD800..=0xDBFF => written(length, 2, 1),
        0xDC00..=0xDFFF => written(length, 2, 0),
        _ => {
            let octets = char::from_u32(code).map_or(1, char::len_utf8);
            written(length, octets as u64, 1)
        }
    }
}

/// A character reference that is escaped so many times.
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
    let (octets, characters) = (text.len() as u64, text.chars().count() as u64);
    Some(Unit {
        octets,
        characters,
        ..written(end, octets, characters)
    })
}

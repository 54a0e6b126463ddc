//! UTF-7 (RFC 2152): ASCII, and UTF-16 in base64 between `+` and `-`.
//!
//! A character of a base64 run ends with the byte that holds its last bit, and the last one with the
//! hyphen that ends the run. The bits of a byte that belong to the next character are part of the
//! state.

use crate::codec::{Seam, Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, Shift};
use crate::modal::{STUB, verified};

pub(crate) static UTF_7: Spec = Spec {
    name: "UTF-7",
    labels: "cp65000 csutf7 unicode-1-1-utf-7 utf-7",
    is_unicode: true,
    codec: &Utf7,
};

struct Utf7;

/// The state of the decoder: direct, or base64 with the bits that the last byte left over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Direct,
    Base64(Bits),
}

/// Bits that wait for more: fewer than sixteen.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Bits {
    count: u8,
    value: u32,
}

impl State {
    /// Numbers the 0, 2 or 4 leftover bits from 1, 2 and 6.
    fn pack(self) -> Shift {
        match self {
            State::Direct => Shift(0),
            State::Base64(Bits { count: 0, .. }) => Shift(1),
            State::Base64(Bits { count: 2, value }) => Shift(2 + (value & 3) as u8),
            State::Base64(Bits { value, .. }) => Shift(6 + (value & 15) as u8),
        }
    }

    fn unpack(shift: Shift) -> Self {
        let bits = |count, value: u8| {
            State::Base64(Bits {
                count,
                value: value.into(),
            })
        };
        match shift.0 & !STUB {
            0 => State::Direct,
            1 => bits(0, 0),
            packed @ 2..=5 => bits(2, packed - 2),
            packed => bits(4, packed.saturating_sub(6)),
        }
    }
}

/// A code unit of UTF-16 in base64.
enum Unit {
    /// The unit, its bytes, and the bits after it.
    Whole(u16, usize, Bits),
    /// The run goes on for so many bytes, too few for a unit.
    Cut(usize),
    /// More bytes must come.
    Open,
}

fn unit(mut bits: Bits, bytes: &[u8], end: End) -> Unit {
    let mut len = 0;
    while bits.count < 16 {
        let Some(digit) = bytes.get(len).copied().map(base64_value) else {
            return if end == End::Open {
                Unit::Open
            } else {
                Unit::Cut(len)
            };
        };
        let Some(digit) = digit else {
            return Unit::Cut(len);
        };
        bits = Bits {
            count: bits.count + 6,
            value: bits.value << 6 | digit,
        };
        len += 1;
    }
    let count = bits.count - 16;
    let rest = Bits {
        count,
        value: bits.value & ((1 << count) - 1),
    };
    Unit::Whole((bits.value >> count) as u16, len, rest)
}

fn base64_value(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(value.into())
}

fn base64_digit(value: u32) -> u8 {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    DIGITS[(value & 63) as usize]
}

impl TranscodedCodec for Utf7 {
    fn next(&self, shift: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let (mut state, mut len) = (State::unpack(*shift), 0);
        loop {
            let rest = &bytes[len..];
            let (found, after) = match state {
                State::Base64(bits) => match in_base64(bits, rest, end)? {
                    InBase64::Char(decoded, bits) => {
                        let (hyphen, state) = run_end(bits, &rest[decoded.len..], end)?;
                        let decoded = DecodedChar::new(decoded.ch, decoded.len + hyphen);
                        (decoded, state.pack())
                    }
                    InBase64::Ends(taken) => {
                        len += taken;
                        state = State::Direct;
                        continue;
                    }
                },
                State::Direct => match *rest {
                    [b'+', b'-', ..] => (DecodedChar::new('+', 2), Shift(0)),
                    [b'+', next, ..] if base64_value(next).is_some() => {
                        len += 1;
                        state = State::Base64(Bits::default());
                        continue;
                    }
                    [b'+'] if end == End::Open => return None,
                    [b'+', ..] => (DecodedChar::malformed(1), Shift(STUB)),
                    [byte, ..] if byte.is_ascii() => (DecodedChar::new(byte.into(), 1), Shift(0)),
                    [_, ..] => (DecodedChar::malformed(1), Shift(0)),
                    [] => return None,
                },
            };
            *shift = after;
            return Some(DecodedChar::new(found.ch, len + found.len));
        }
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        write(text, out);
        Ok(())
    }

    fn is_stateful(&self) -> bool {
        true
    }

    /// Bits of the text around that share a byte with the new text cannot be kept: `None` then.
    fn splice(&self, text: &str, seam: Seam<'_>) -> Option<Vec<u8>> {
        let mut bytes = match State::unpack(seam.before) {
            State::Direct => Vec::new(),
            State::Base64(Bits { value: 0, .. }) => vec![b'-'],
            State::Base64(_) => return None,
        };
        write(text, &mut bytes);
        let next = seam.following.first();
        let goes_on = next.is_some_and(|&byte| base64_value(byte).is_some());
        match State::unpack(seam.after) {
            State::Direct => {}
            State::Base64(_) if !goes_on => {}
            State::Base64(Bits { count: 0, .. }) => bytes.push(b'+'),
            State::Base64(_) => return None,
        }
        verified(self, text, bytes, seam)
    }

    /// The state at any other position is unknown.
    fn boundary(&self, _: &[u8], _: usize) -> usize {
        0
    }
}

enum InBase64 {
    Char(DecodedChar, Bits),
    /// The run ends, with a hyphen (one byte) or without.
    Ends(usize),
}

/// Next character, or end, of a run. Bits that are left over at its end are padding, whatever they are.
fn in_base64(bits: Bits, bytes: &[u8], end: End) -> Option<InBase64> {
    let (first, len, rest) = match unit(bits, bytes, end) {
        Unit::Open => return None,
        Unit::Cut(0) => {
            let hyphen = usize::from(*bytes.first()? == b'-');
            return Some(InBase64::Ends(hyphen));
        }
        Unit::Cut(len) => {
            let malformed = DecodedChar::malformed(len);
            return Some(InBase64::Char(malformed, Bits::default()));
        }
        Unit::Whole(first, len, rest) => (first, len, rest),
    };
    let alone = char::from_u32(first.into()).unwrap_or(char::REPLACEMENT_CHARACTER);
    let mut found = (DecodedChar::new(alone, len), rest);
    if (0xD800..0xDC00).contains(&first) {
        match unit(rest, &bytes[len..], end) {
            Unit::Open => return None,
            Unit::Whole(second @ 0xDC00..=0xDFFF, more, rest) => {
                let pair = char::decode_utf16([first, second]).next();
                let ch = pair.and_then(Result::ok).unwrap_or(alone);
                found = (DecodedChar::new(ch, len + more), rest);
            }
            _ => {}
        }
    }
    Some(InBase64::Char(found.0, found.1))
}

/// The length of the hyphen that ends a run, and the state after it. `None`: more bytes must come.
fn run_end(bits: Bits, rest: &[u8], end: End) -> Option<(usize, State)> {
    match rest.first() {
        None if end == End::Open => None,
        Some(b'-') => Some((1, State::Direct)),
        // If another byte ends the run, new text in its place could continue the run.
        _ => Some((0, State::Base64(bits))),
    }
}

/// True if a character may stand for itself: all of ASCII but the plus sign, and the backslash and
/// tilde that some seven-bit charsets lack.
fn is_direct(ch: char) -> bool {
    ch.is_ascii() && !matches!(ch, '+' | '\\' | '~')
}

/// Writes text from and to the direct state. Runs end with a hyphen, whatever follows.
fn write(text: &str, out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = rest.find(|ch| is_direct(ch) != is_direct(first));
        let (run, behind) = rest.split_at(run.unwrap_or(rest.len()));
        rest = behind;
        if is_direct(first) {
            out.extend_from_slice(run.as_bytes());
        } else if run.bytes().all(|byte| byte == b'+') {
            out.extend_from_slice("+-".repeat(run.len()).as_bytes());
        } else {
            write_base64(run, out);
        }
    }
}

fn write_base64(run: &str, out: &mut Vec<u8>) {
    out.push(b'+');
    let mut bits = Bits::default();
    for unit in run.encode_utf16() {
        bits = Bits {
            count: bits.count + 16,
            value: bits.value << 16 | u32::from(unit),
        };
        while bits.count >= 6 {
            bits.count -= 6;
            out.push(base64_digit(bits.value >> bits.count));
            bits.value &= (1 << bits.count) - 1;
        }
    }
    if bits.count > 0 {
        out.push(base64_digit(bits.value << (6 - bits.count)));
    }
    out.push(b'-');
}

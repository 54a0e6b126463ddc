//! HZ (RFC 1843): GB 2312 in seven bits, between `~{` and `~}`.

use crate::codec::{Seam, Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, LONGEST_CHAR, Shift};
use crate::double_byte::GB_2312;
use crate::modal::{STUB, verified};

pub(crate) static HZ: Spec = Spec {
    name: "HZ-GB-2312",
    labels: "hz-gb-2312",
    is_unicode: false,
    codec: &Hz,
};

struct Hz;

/// The states: ASCII (the default) and GB 2312.
const ASCII: Shift = Shift(0);
const GB: Shift = Shift(1);

/// The most bytes of shifts in front of a character: a longer run of shifts is malformed.
const MOST_SHIFTS: usize = LONGEST_CHAR - 4;

impl TranscodedCodec for Hz {
    /// A line feed ends GB 2312: lines stand alone (RFC 1843, 2).
    fn next(&self, state: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let mut len = 0;
        let mut set = Shift(state.0 & !STUB);
        loop {
            let rest = &bytes[len..];
            let (&first, behind) = rest.split_first()?;
            let next = behind.first().copied();
            if next.is_none() && end == End::Open && (first == b'~' || set == GB) && first != b'\n'
            {
                return None;
            }
            let shifted = match (first, next) {
                (b'~', Some(b'{')) => Some(GB),
                (b'~', Some(b'}')) => Some(ASCII),
                // A line that is continued on the next.
                (b'~', Some(b'\n')) if set == ASCII => Some(ASCII),
                _ => None,
            };
            if let Some(shifted) = shifted {
                set = shifted;
                len += 2;
                if len > MOST_SHIFTS {
                    *state = set;
                    return Some(DecodedChar::malformed(len));
                }
                continue;
            }
            let (decoded, set) = character(set, first, next);
            *state = set;
            return Some(DecodedChar::new(decoded.ch, len + decoded.len));
        }
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let mut bytes = Vec::new();
        write(text, ASCII, ASCII, &mut bytes)?;
        out.append(&mut bytes);
        Ok(())
    }

    fn is_stateful(&self) -> bool {
        true
    }

    /// Each shift changes the state, as RFC 1843 requires: some decoders refuse `~}` in ASCII.
    fn splice(&self, text: &str, seam: Seam<'_>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        write(text, seam.before, Shift(seam.after.0 & !STUB), &mut bytes).ok()?;
        verified(self, text, bytes, seam)
    }

    /// The state is known only at the start.
    fn boundary(&self, _: &[u8], _: usize) -> usize {
        0
    }
}

/// The first character of bytes that begin with no shift, and the state after it.
fn character(set: Shift, first: u8, next: Option<u8>) -> (DecodedChar, Shift) {
    let stub = (DecodedChar::malformed(1), Shift(set.0 | STUB));
    match (first, next) {
        (b'\n', _) => (DecodedChar::new('\n', 1), ASCII),
        (b'~', Some(b'~')) if set == ASCII => (DecodedChar::new('~', 2), ASCII),
        (b'~', _) => stub,
        (0x80..=0xFF, _) => (DecodedChar::malformed(1), set),
        _ if set == ASCII => (DecodedChar::new(first.into(), 1), ASCII),
        (lead, Some(trail @ 0x21..=0x7E)) if GB_2312.is_lead(lead) => {
            (DecodedChar::new(GB_2312.char(lead, trail), 2), GB)
        }
        // White space and controls stand for themselves.
        (0x00..=0x20 | 0x7F, _) => (DecodedChar::new(first.into(), 1), GB),
        _ => stub,
    }
}

fn write(text: &str, from: Shift, to: Shift, out: &mut Vec<u8>) -> Result<(), usize> {
    let mut set = from;
    let shift = |set: &mut Shift, wanted: Shift, out: &mut Vec<u8>| {
        if *set != wanted {
            out.extend_from_slice(if wanted == GB { b"~{" } else { b"~}" });
            *set = wanted;
        }
    };
    for (at, ch) in text.char_indices() {
        if ch.is_ascii() {
            shift(&mut set, ASCII, out);
            out.push(ch as u8);
            out.extend((ch == '~').then_some(b'~'));
        } else {
            let bytes = GB_2312.bytes(ch).ok_or(at)?;
            shift(&mut set, GB, out);
            out.extend_from_slice(&bytes);
        }
    }
    shift(&mut set, to, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::Charset;

    /// Decoders of other programs refuse `~}` where no `~{` precedes.
    #[test]
    fn written_shifts_alternate() {
        let hz = Charset::for_label("hz-gb-2312").expect("a charset");
        let written = hz.splice("a", ASCII, GB, b"~}\">");
        assert_eq!(written.as_deref(), Some(&b"a~{"[..]));
    }
}

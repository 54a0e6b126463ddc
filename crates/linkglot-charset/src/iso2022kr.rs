//! ISO-2022-KR (RFC 1557): KS X 1001 in seven bits, between SO and SI, after a header that
//! designates it.

use crate::codec::{Seam, Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, LONGEST_CHAR, Shift};
use crate::double_byte::KS_X_1001;
use crate::modal::{STUB, goes_on_escape, verified_without_last_shift};

pub(crate) static ISO_2022_KR: Spec = Spec {
    name: "ISO-2022-KR",
    labels: "csiso2022kr iso-2022-kr",
    is_unicode: false,
    codec: &Iso2022Kr,
};

struct Iso2022Kr;

const SO: u8 = 0x0E;
const SI: u8 = 0x0F;
const ESC: u8 = 0x1B;

/// Designation of KS X 1001, once in a document. The set is also read without the header, but never written so.
const HEADER: &[u8] = b"\x1B$)C";

/// The flags of the state: after SO; after the header.
const KOREAN: u8 = 1;
const DESIGNATED: u8 = 2;

/// The most bytes of shifts in front of a character: a longer run of shifts is malformed.
const MOST_SHIFTS: usize = LONGEST_CHAR - 6;

impl TranscodedCodec for Iso2022Kr {
    /// A line feed shifts in: lines begin in ASCII.
    fn next(&self, state: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let mut len = 0;
        let mut flags = state.0 & !STUB;
        loop {
            let rest = &bytes[len..];
            let first = *rest.first()?;
            let shift = match first {
                SO => Some((1, flags | KOREAN)),
                SI => Some((1, flags & !KOREAN)),
                ESC if rest.starts_with(HEADER) => Some((HEADER.len(), flags | DESIGNATED)),
                ESC if end == End::Open && HEADER.starts_with(rest) => return None,
                _ => None,
            };
            if let Some((taken, shifted)) = shift {
                (len, flags) = (len + taken, shifted);
                if len > MOST_SHIFTS {
                    *state = Shift(flags);
                    return Some(DecodedChar::malformed(len));
                }
                continue;
            }
            let (decoded, flags) = character(flags, rest, end)?;
            let is_stub = len == 0 && goes_on_escape(*state, first);
            *state = Shift(if is_stub { flags | STUB } else { flags });
            return Some(decoded.behind(len));
        }
    }

    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Result<(), usize> {
        let mut bytes = Vec::new();
        let header: &[u8] = if text.is_ascii() { b"" } else { HEADER };
        bytes.extend_from_slice(header);
        write(text, DESIGNATED, DESIGNATED, &mut bytes)?;
        out.append(&mut bytes);
        Ok(())
    }

    fn is_stateful(&self) -> bool {
        true
    }

    fn splice(&self, text: &str, seam: Seam<'_>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        write(text, seam.before.0, seam.after.0, &mut bytes).ok()?;
        verified_without_last_shift(self, text, bytes, &[&[SO], &[SI]], seam)
    }

    /// The state is known only at the start.
    fn boundary(&self, _: &[u8], _: usize) -> usize {
        0
    }
}

/// The first character of bytes that begin with no shift, and the flags after it.
fn character(flags: u8, bytes: &[u8], end: End) -> Option<(DecodedChar, u8)> {
    let stub = (DecodedChar::malformed(1), flags | STUB);
    let found = match *bytes {
        [b'\n', ..] => (DecodedChar::new('\n', 1), flags & !KOREAN),
        [ESC, ..] => stub,
        [0x80..=0xFF, ..] => (DecodedChar::malformed(1), flags),
        [lead, ref rest @ ..] if flags & KOREAN != 0 && KS_X_1001.is_lead(lead) => match *rest {
            [] if end == End::Open => return None,
            [trail @ 0x21..=0x7E, ..] => (DecodedChar::new(KS_X_1001.char(lead, trail), 2), flags),
            _ => stub,
        },
        [0x21..=0x7E, ..] if flags & KOREAN != 0 => stub,
        [first, ..] => (DecodedChar::new(first.into(), 1), flags),
        [] => return None,
    };
    Some(found)
}

fn write(text: &str, from: u8, to: u8, out: &mut Vec<u8>) -> Result<(), usize> {
    let mut flags = from;
    // The text that is replaced began with the header.
    if to & DESIGNATED > from & DESIGNATED {
        out.extend_from_slice(HEADER);
        flags |= DESIGNATED;
    }
    let shift = |flags: &mut u8, wanted: u8, out: &mut Vec<u8>| {
        if *flags & KOREAN != wanted & KOREAN {
            out.push(if wanted & KOREAN == 0 { SI } else { SO });
            *flags ^= KOREAN;
        }
    };
    for (at, ch) in text.char_indices() {
        match ch {
            '\u{E}' | '\u{F}' | '\u{1B}' => return Err(at),
            '\0'..='\x7F' => {
                shift(&mut flags, 0, out);
                out.push(ch as u8);
            }
            _ => {
                let bytes = KS_X_1001.bytes(ch).filter(|_| flags & DESIGNATED != 0);
                let bytes = bytes.ok_or(at)?;
                shift(&mut flags, KOREAN, out);
                out.extend_from_slice(&bytes);
            }
        }
    }
    shift(&mut flags, to, out);
    Ok(())
}

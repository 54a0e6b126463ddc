//! ISO-2022-CN, and the planes of CNS 11643 that ISO-2022-CN-EXT adds (RFC 1922): GB 2312 and CNS 11643 in seven bits.
//! Designations hold to the end of the line.

use crate::codec::{Seam, Spec, TranscodedCodec};
use crate::decoded::{DecodedChar, End, LONGEST_CHAR, Shift, Text};
use crate::double_byte::GB_2312;
use crate::modal::{STUB, goes_on_escape, verified};
use crate::planes::CNS_11643;

pub(crate) static ISO_2022_CN: Spec = Spec {
    name: "ISO-2022-CN",
    labels: "csiso2022cn csiso2022cnext iso-2022-cn iso-2022-cn-ext",
    is_unicode: false,
    codec: &Iso2022Cn,
};

struct Iso2022Cn;

const SO: u8 = 0x0E;
const SI: u8 = 0x0F;
const ESC: u8 = 0x1B;

/// The set that SO shifts in, in the lowest bits of the state. GB 2312 is also read without its designation, but never
/// written so: a designation in new text changes nothing about the rest of the line.
const SET: u8 = 3;
const GB: u8 = 1;
const CNS_1: u8 = 2;
/// Plane 2, which ESC N shifts in, is designated. The plane is also read without its designation, but never written so.
const PLANE_2: u8 = 4;
/// The plane that ESC O shifts in, less two, in three bits.
const RARE: u8 = 0x38;
const RARE_SHIFT: u8 = 3;
/// Between SO and SI.
const SHIFTED: u8 = 0x40;

/// The most bytes of shifts in front of a character: a longer run of shifts is malformed.
const MOST_SHIFTS: usize = LONGEST_CHAR - 4;

/// The state after a designation, and the bytes of the escape sequence.
fn designated(flags: u8, escape: [u8; 4]) -> Option<u8> {
    match escape {
        [ESC, b'$', b')', b'A'] => Some(flags & !SET | GB),
        [ESC, b'$', b')', b'G'] => Some(flags & !SET | CNS_1),
        [ESC, b'$', b'*', b'H'] => Some(flags | PLANE_2),
        [ESC, b'$', b'+', plane @ b'I'..=b'M'] => {
            Some(flags & !RARE | (plane - b'I' + 1) << RARE_SHIFT)
        }
        _ => None,
    }
}

/// True if bytes are the start of a designation.
fn is_cut(bytes: &[u8]) -> bool {
    matches!(bytes, [ESC] | [ESC, b'$'] | [ESC, b'$', b')' | b'*' | b'+'])
}

impl TranscodedCodec for Iso2022Cn {
    fn next(&self, state: &mut Shift, bytes: &[u8], end: End) -> Option<DecodedChar> {
        let mut len = 0;
        let mut flags = state.0 & !STUB;
        loop {
            let rest = &bytes[len..];
            let first = *rest.first()?;
            if end == End::Open && is_cut(rest) {
                return None;
            }
            let escape = rest
                .first_chunk()
                .and_then(|escape| designated(flags, *escape));
            let shift = match first {
                SO => Some((1, flags | SHIFTED)),
                SI => Some((1, flags & !SHIFTED)),
                _ => escape.map(|flags| (4, flags)),
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
        let mut flags = write(text, 0, &mut bytes)?;
        shift(&mut flags, 0, &mut bytes);
        out.append(&mut bytes);
        Ok(())
    }

    fn is_stateful(&self) -> bool {
        true
    }

    fn unread_bits(&self) -> u8 {
        GB | PLANE_2
    }

    fn splice(&self, text: &str, seam: Seam<'_>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let flags = write(text, seam.before.0 & !STUB, &mut bytes).ok()?;
        let mut shorter = bytes.clone();
        restore(flags, seam.after.0, said(seam.following), &mut shorter);
        restore(flags, seam.after.0, 0, &mut bytes);
        let shorter = verified(self, text, shorter, seam);
        shorter.or_else(|| verified(self, text, bytes, seam))
    }

    /// The state is known only at the start.
    fn boundary(&self, _: &[u8], _: usize) -> usize {
        0
    }
}

/// The first character of bytes that begin with no shift, and the flags after it.
fn character(flags: u8, bytes: &[u8], end: End) -> Option<(DecodedChar, u8)> {
    let rare = (flags & RARE) >> RARE_SHIFT;
    let plane = match *bytes {
        [ESC, b'N', ..] => Some(2),
        [ESC, b'O', ..] if rare != 0 => Some(rare + 2),
        _ => None,
    };
    if let Some(plane) = plane {
        return pair(flags, &bytes[2..], end, |row, cell| {
            CNS_11643.text(plane, row, cell)
        })
        .map(|(decoded, flags)| (decoded.behind(2), flags));
    }
    let found = match *bytes {
        [b'\n', ..] => (DecodedChar::new('\n', 1), 0),
        [ESC, ..] => (DecodedChar::malformed(1), flags | STUB),
        [0x80..=0xFF, ..] => (DecodedChar::malformed(1), flags),
        [0x21..=0x7E, ..] if flags & SHIFTED != 0 => {
            return pair(flags, bytes, end, |row, cell| match flags & SET {
                CNS_1 => CNS_11643.text(1, row, cell),
                _ => GB_2312.char(row, cell).into(),
            });
        }
        [first, ..] => (DecodedChar::new(first.into(), 1), flags),
        [] => return None,
    };
    Some(found)
}

/// The character of two bytes.
fn pair(
    flags: u8,
    bytes: &[u8],
    end: End,
    text: impl Fn(u8, u8) -> Text,
) -> Option<(DecodedChar, u8)> {
    let is_graphic = |byte: u8| (0x21..=0x7E).contains(&byte);
    match *bytes {
        [] | [0x21..=0x7E] if end == End::Open => None,
        [row, cell, ..] if is_graphic(row) && is_graphic(cell) => {
            Some((DecodedChar::several(text(row, cell), 2), flags))
        }
        [row, ..] if is_graphic(row) => Some((DecodedChar::malformed(1), flags | STUB)),
        _ => Some((DecodedChar::malformed(0), flags | STUB)),
    }
}

/// Writes text from the state `flags`; returns the state after it.
fn write(text: &str, mut flags: u8, out: &mut Vec<u8>) -> Result<u8, usize> {
    for (at, ch) in text.char_indices() {
        match ch {
            '\u{E}' | '\u{F}' | '\u{1B}' => return Err(at),
            '\0'..='\x7F' => {
                shift(&mut flags, 0, out);
                out.push(ch as u8);
                flags = if ch == '\n' { 0 } else { flags };
            }
            _ => write_char(&mut flags, ch, out).ok_or(at)?,
        }
    }
    Ok(flags)
}

/// Shifts to a state that reads as `to`, without the shifts that are `said` behind the text. Designations in the
/// replaced text hold for the text behind it.
fn restore(mut flags: u8, to: u8, said: u8, out: &mut Vec<u8>) {
    if said & SET == 0 {
        match (flags & SET, to & SET) {
            (CNS_1, 0) => designate(&mut flags, GB, out),
            (_, 0) => {}
            (_, set) => designate(&mut flags, set, out),
        }
    }
    if to & !said & PLANE_2 != 0 {
        designate_plane_2(&mut flags, out);
    }
    let rare = (to & RARE) >> RARE_SHIFT;
    if rare != 0 && said & RARE == 0 && flags & RARE != to & RARE {
        out.extend_from_slice(&[ESC, b'$', b'+', b'I' + rare - 1]);
    }
    if said & SHIFTED == 0 {
        shift(&mut flags, to & SHIFTED, out);
    }
}

/// The flags that the shifts at the start of `bytes` set, to any value. These flags need no shift in front: two shifts
/// with nothing between them would stay in the document for good.
fn said(mut bytes: &[u8]) -> u8 {
    let mut said = 0;
    loop {
        let escape = bytes
            .first_chunk()
            .and_then(|escape| designated(0, *escape));
        let (flags, len) = match (bytes.first(), escape) {
            (Some(&(SO | SI)), _) => (SHIFTED, 1),
            (_, Some(flags)) => (flags, 4),
            _ => return said,
        };
        said |= flags;
        bytes = &bytes[len..];
    }
}

fn write_char(flags: &mut u8, ch: char, out: &mut Vec<u8>) -> Option<()> {
    let (set, pair) = match (GB_2312.bytes(ch), CNS_11643.code(ch)) {
        (Some(pair), _) => (GB, pair),
        (None, Some([1, row, cell])) => (CNS_1, [row, cell]),
        (None, Some([2, row, cell])) => {
            designate_plane_2(flags, out);
            out.extend_from_slice(&[ESC, b'N', row, cell]);
            return Some(());
        }
        _ => return None,
    };
    designate(flags, set, out);
    shift(flags, SHIFTED, out);
    out.extend_from_slice(&pair);
    Some(())
}

fn designate(flags: &mut u8, set: u8, out: &mut Vec<u8>) {
    if *flags & SET != set {
        out.extend_from_slice(if set == GB { b"\x1B$)A" } else { b"\x1B$)G" });
        *flags = *flags & !SET | set;
    }
}

fn designate_plane_2(flags: &mut u8, out: &mut Vec<u8>) {
    if *flags & PLANE_2 == 0 {
        out.extend_from_slice(b"\x1B$*H");
        *flags |= PLANE_2;
    }
}

fn shift(flags: &mut u8, wanted: u8, out: &mut Vec<u8>) {
    if *flags & SHIFTED != wanted {
        out.push(if wanted == 0 { SI } else { SO });
        *flags ^= SHIFTED;
    }
}

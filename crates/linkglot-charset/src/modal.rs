//! Code shared by the charsets with shift states beyond the Encoding Standard: the check of bytes that replace others.

use crate::codec::{Seam, TranscodedCodec, rest_of};
use crate::decoded::{End, Shift};

/// A flag of a [`Shift`]: a sequence was just begun and did not go on. A decoder ignores the flag, but bytes written
/// behind the sequence could complete it.
pub(crate) const STUB: u8 = 0x80;

/// True if a character that begins with `first` leaves an escape sequence before it unfinished: the sequence may lack
/// its last byte only.
pub(crate) fn goes_on_escape(before: Shift, first: u8) -> bool {
    before.0 & STUB != 0 && b"$()*+.N".contains(&first)
}

/// Returns `bytes`, if they and the bytes that follow decode to `text` and the text that followed, and end in the same
/// state.
pub(crate) fn verified(
    codec: &dyn TranscodedCodec,
    text: &str,
    bytes: Vec<u8>,
    seam: Seam<'_>,
) -> Option<Vec<u8>> {
    if seam.before.0 & STUB != 0 {
        return None;
    }
    // At the document's end no state matters.
    let probe: &[u8] = if seam.following.is_empty() {
        b""
    } else {
        PROBE
    };
    let with = Reading::of(
        codec,
        seam.before,
        &[&bytes, seam.following, probe].concat(),
    );
    let without = Reading::of(codec, seam.after, &[seam.following, probe].concat());
    let rest = with.text.strip_prefix(text)?;
    let is_same = rest == without.text && (probe.is_empty() || with.end == without.end);
    is_same.then_some(bytes)
}

/// As [`verified`], but leaves out a shift at the end if the next shift suffices: two shifts with nothing between them
/// would stay in the document for good.
pub(crate) fn verified_without_last_shift(
    codec: &dyn TranscodedCodec,
    text: &str,
    bytes: Vec<u8>,
    shifts: &[&[u8]],
    seam: Seam<'_>,
) -> Option<Vec<u8>> {
    let follows = shifts.iter().any(|shift| seam.following.starts_with(shift));
    let last = shifts.iter().find(|shift| bytes.ends_with(shift));
    let shorter = last.filter(|_| follows).and_then(|last| {
        let shorter = bytes[..bytes.len() - last.len()].to_vec();
        verified(codec, text, shorter, seam)
    });
    shorter.or_else(|| verified(codec, text, bytes, seam))
}

/// Bytes that read differently in each state. A shift at the end of other bytes shows only in the
/// character after it.
const PROBE: &[u8] = b"AAAAAAAA!!a";

/// The text of bytes that may go on.
struct Reading {
    text: String,
    /// The state after the bytes, and the number of bytes that wait for more.
    end: (Shift, usize),
}

impl Reading {
    fn of(codec: &dyn TranscodedCodec, mut state: Shift, bytes: &[u8]) -> Self {
        let (mut text, mut at) = (String::new(), 0);
        while let Some(decoded) = codec.next(&mut state, rest_of(bytes, at), End::Open) {
            decoded.text().append_to(&mut text);
            at += decoded.len;
        }
        state.0 &= !(STUB | codec.unread_bits());
        let end = (state, bytes.len() - at);
        Reading { text, end }
    }
}

//! The door to `encoding_rs`: its encoders, made exact.

use encoding_rs::{DecoderResult, EncoderResult, Encoding};
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Characters whose bytes, as the WHATWG's encoder writes them, decode to another character: a Yen
/// sign would come back as a backslash. They count as not encodable.
pub(crate) type Lossy = &'static [RangeInclusive<char>];

/// Below this length the standard library validates bytes faster than a decoder starts.
const SHORT: usize = 64;

pub(crate) fn can_encode(encoding: &'static Encoding, ch: char) -> bool {
    let mut text = [0; 4];
    let mut bytes = [0; 16];
    let text = ch.encode_utf8(&mut text);
    let mut encoder = encoding.new_encoder();
    let (result, ..) = encoder.encode_from_utf8_without_replacement(text, &mut bytes, true);
    result == EncoderResult::InputEmpty
}

/// Appends text. On a character that the charset lacks, `out` is as it was and the error is the
/// character's position.
pub(crate) fn encode(
    encoding: &'static Encoding,
    text: &str,
    out: &mut Vec<u8>,
) -> Result<(), usize> {
    if text.is_ascii() {
        out.extend_from_slice(text.as_bytes());
        return Ok(());
    }
    let before = out.len();
    let mut encoder = encoding.new_encoder();
    let needed = encoder.max_buffer_length_from_utf8_without_replacement(text.len());
    out.reserve(needed.unwrap_or(text.len().saturating_mul(4)));
    let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(text, out, true);
    if result == EncoderResult::InputEmpty {
        return Ok(());
    }
    out.truncate(before);
    // `read` includes the character that cannot be encoded.
    let missing = text.get(..read).and_then(|text| text.chars().next_back());
    Err(read - missing.map_or(0, char::len_utf8))
}

/// [`encode`], stopped by lossy characters as well.
pub(crate) fn encode_exact(
    encoding: &'static Encoding,
    lossy: Lossy,
    text: &str,
    out: &mut Vec<u8>,
) -> Result<(), usize> {
    let stop = match lossy {
        [] => None,
        _ => text.char_indices().find(|&(_, ch)| is_lossy(lossy, ch)),
    };
    let Some((stop, _)) = stop else {
        return encode(encoding, text, out);
    };
    let before = out.len();
    encode(encoding, &text[..stop], out)?;
    out.truncate(before);
    Err(stop)
}

pub(crate) fn is_lossy(lossy: Lossy, ch: char) -> bool {
    lossy.iter().any(|range| range.contains(&ch))
}

/// The text, if the bytes are UTF-8. With vector instructions many times as fast as the standard
/// library.
pub(crate) fn utf8(bytes: &[u8]) -> Option<&str> {
    if bytes.len() < SHORT {
        return std::str::from_utf8(bytes).ok();
    }
    match encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(bytes)? {
        Cow::Borrowed(text) => Some(text),
        Cow::Owned(_) => None,
    }
}

/// True if `bytes` are one whole, well-formed sequence.
pub(crate) fn is_mapped(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let mut text = [0; 16];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (result, ..) = decoder.decode_to_utf8_without_replacement(bytes, &mut text, true);
    result == DecoderResult::InputEmpty
}

/// The character of a well-formed sequence.
pub(crate) fn decode_char(encoding: &'static Encoding, bytes: &[u8]) -> Option<char> {
    let mut text = [0; 16];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (result, _, written) = decoder.decode_to_utf8_without_replacement(bytes, &mut text, true);
    let text = std::str::from_utf8(text.get(..written)?).ok()?;
    (result == DecoderResult::InputEmpty).then(|| text.chars().next())?
}

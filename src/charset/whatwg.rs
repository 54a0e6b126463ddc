//! The door to `encoding_rs`: its encoders, made exact.

use super::Charset;
use encoding_rs::{DecoderResult, Encoder, EncoderResult, Encoding};
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Characters for which the WHATWG encoders write bytes that decode to another one: a Yen sign
/// would come back as a backslash. They count as lacking.
pub(super) type Lossy = &'static [RangeInclusive<char>];

/// Fewer bytes than these are UTF-8 to the standard library sooner than to a decoder.
const SHORT: usize = 64;

/// Whether the charset has the character.
pub(super) fn can_encode(encoding: &'static Encoding, ch: char) -> bool {
    let mut text = [0; 4];
    let mut bytes = [0; 16];
    let text = ch.encode_utf8(&mut text);
    let mut encoder = encoding.new_encoder();
    let (result, ..) = encoder.encode_from_utf8_without_replacement(text, &mut bytes, true);
    result == EncoderResult::InputEmpty
}

/// Appends text; on the first character that the charset lacks `out` is as it was and the
/// character's position comes back.
pub(super) fn encode(
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
    let lacking = text.get(..read).and_then(|text| text.chars().next_back());
    Err(read - lacking.map_or(0, char::len_utf8))
}

/// [`encode`] for a charset with lossy characters: they stop it too.
pub(super) fn encode_exact(
    encoding: &'static Encoding,
    lossy: Lossy,
    text: &str,
    out: &mut Vec<u8>,
) -> Result<(), usize> {
    if lossy.is_empty() {
        return encode(encoding, text, out);
    }
    let stop = text.char_indices().find(|&(_, ch)| is_lossy(lossy, ch));
    let Some((stop, _)) = stop else {
        return encode(encoding, text, out);
    };
    let before = out.len();
    encode(encoding, &text[..stop], out)?;
    out.truncate(before);
    Err(stop)
}

/// Whether a character is among the lossy ones.
pub(super) fn is_lossy(lossy: Lossy, ch: char) -> bool {
    lossy.iter().any(|range| range.contains(&ch))
}

/// The text, if the bytes are UTF-8. Many times as fast as the standard library where there are
/// vector instructions.
pub(super) fn utf8(bytes: &[u8]) -> Option<&str> {
    // The decoder is quick with much text, and takes long to begin.
    if bytes.len() < SHORT {
        return std::str::from_utf8(bytes).ok();
    }
    match encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(bytes)? {
        Cow::Borrowed(text) => Some(text),
        Cow::Owned(_) => None,
    }
}

/// The octets that browsers make of a query: what the WHATWG's encoder writes in one go, shift states included,
/// for characters too whose bytes decode to another one (`\u{A5}` is 5C in EUC-JP). Nothing that is written into a
/// document: that is [`Charset::encode`].
pub(crate) struct QueryEncoder {
    charset: Charset,
    /// `None`: the WHATWG does not know the charset.
    encoder: Option<Encoder>,
}

impl QueryEncoder {
    pub fn new(charset: Charset) -> Self {
        let encoding = Encoding::for_label(charset.name().as_bytes());
        QueryEncoder {
            charset,
            encoder: encoding.map(Encoding::new_encoder),
        }
    }

    /// Appends the octets of one more character; false when the charset lacks it (octets of a shift
    /// may have been appended all the same).
    pub fn push(&mut self, ch: char, out: &mut Vec<u8>) -> bool {
        let mut text = [0; 4];
        let text: &str = ch.encode_utf8(&mut text);
        let Some(encoder) = &mut self.encoder else {
            return self.charset.encode(text, out).is_ok();
        };
        let mut bytes = [0; 32];
        let (result, _, written) =
            encoder.encode_from_utf8_without_replacement(text, &mut bytes, false);
        out.extend_from_slice(&bytes[..written]);
        result == EncoderResult::InputEmpty
    }

    /// Appends the shift back to ASCII, where there is one.
    pub fn finish(mut self, out: &mut Vec<u8>) {
        let mut bytes = [0; 32];
        if let Some(encoder) = &mut self.encoder {
            let (_, _, written) =
                encoder.encode_from_utf8_without_replacement("", &mut bytes, true);
            out.extend_from_slice(&bytes[..written]);
        }
    }
}

/// Whether `bytes` are one whole, well-formed sequence of the charset.
pub(super) fn is_mapped(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let mut text = [0; 16];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (result, ..) = decoder.decode_to_utf8_without_replacement(bytes, &mut text, true);
    result == DecoderResult::InputEmpty
}

/// The character of a well-formed sequence.
pub(super) fn decode_char(encoding: &'static Encoding, bytes: &[u8]) -> Option<char> {
    let mut text = [0; 16];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (result, _, written) = decoder.decode_to_utf8_without_replacement(bytes, &mut text, true);
    let text = std::str::from_utf8(text.get(..written)?).ok()?;
    (result == DecoderResult::InputEmpty).then(|| text.chars().next())?
}

//! Queries as browsers encode them.

use crate::charset::Charset;
use encoding_rs::{Encoder, EncoderResult, Encoding};

/// The charset in which browsers send a form for a label, that of the document or one in `accept-charset` (HTML
/// standard 4.10.21.5; Encoding 4.3, "get an output encoding"). `None` for a label that browsers do not know.
///
/// ```
/// use linkglot_charset::form_charset;
///
/// assert_eq!(form_charset("cp1251").unwrap().name(), "windows-1251");
/// assert_eq!(form_charset("utf-16").unwrap().name(), "UTF-8");
/// assert!(form_charset("cp437").is_none());
/// ```
pub fn form_charset(label: &str) -> Option<Charset> {
    let encoding = Encoding::for_label(label.as_bytes())?.output_encoding();
    Charset::for_label(encoding.name()).ok()
}

/// Encodes the octets that browsers send for a query: exactly those of the WHATWG's encoder, shift sequences included.
/// The encoder also writes characters whose bytes decode to another one (U+A5 is 5C in EUC-JP), so documents need
/// [`Charset::encode`] instead.
///
/// ```
/// use linkglot_charset::{Charset, QueryEncoder};
///
/// let mut encoder = QueryEncoder::new(Charset::for_label("iso-2022-jp")?);
/// let mut octets = Vec::new();
/// assert!(encoder.push('あ', &mut octets));
/// assert!(!encoder.push('é', &mut octets));
/// encoder.finish(&mut octets);
/// assert_eq!(octets, b"\x1B$B$\"\x1B(B");
/// # Ok::<(), linkglot_charset::UnknownLabel>(())
/// ```
pub struct QueryEncoder {
    charset: Charset,
    /// `None` when the WHATWG lacks the charset.
    encoder: Option<Encoder>,
}

impl QueryEncoder {
    /// An encoder for queries in a charset.
    ///
    /// ```
    /// use linkglot_charset::{Charset, QueryEncoder};
    ///
    /// let (mut encoder, mut octets) = (QueryEncoder::new(Charset::WINDOWS_1252), Vec::new());
    /// encoder.push('é', &mut octets);
    /// assert_eq!(octets, b"\xE9");
    /// ```
    pub fn new(charset: Charset) -> Self {
        let encoding = Encoding::for_label(charset.name().as_bytes());
        QueryEncoder {
            charset,
            encoder: encoding.map(Encoding::new_encoder),
        }
    }

    /// Appends the octets of one more character. False when the charset lacks the character; octets of a shift sequence
    /// may have been appended all the same.
    ///
    /// ```
    /// use linkglot_charset::{Charset, QueryEncoder};
    ///
    /// let (mut encoder, mut octets) = (QueryEncoder::new(Charset::WINDOWS_1252), Vec::new());
    /// assert!(encoder.push('é', &mut octets) && !encoder.push('б', &mut octets));
    /// ```
    pub fn push(&mut self, ch: char, out: &mut Vec<u8>) -> bool {
        let mut text = [0; 4];
        let text: &str = ch.encode_utf8(&mut text);
        let Some(encoder) = &mut self.encoder else {
            return self.charset.encode(text, out).is_ok();
        };
        write(encoder, text, false, out)
    }

    /// Appends the shift back to ASCII, where the charset has such states.
    ///
    /// ```
    /// use linkglot_charset::{Charset, QueryEncoder};
    ///
    /// let (mut encoder, mut octets) = (QueryEncoder::new(Charset::WINDOWS_1252), Vec::new());
    /// // Without states there is nothing to shift back.
    /// encoder.push('é', &mut octets);
    /// encoder.finish(&mut octets);
    /// assert_eq!(octets, b"\xE9");
    /// ```
    pub fn finish(mut self, out: &mut Vec<u8>) {
        if let Some(encoder) = &mut self.encoder {
            write(encoder, "", true, out);
        }
    }
}

fn write(encoder: &mut Encoder, text: &str, last: bool, out: &mut Vec<u8>) -> bool {
    let mut bytes = [0; 32];
    let (result, _, written) = encoder.encode_from_utf8_without_replacement(text, &mut bytes, last);
    out.extend_from_slice(&bytes[..written]);
    result == EncoderResult::InputEmpty
}

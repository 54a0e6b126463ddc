//! The labels of transfer encodings.

use super::Layer;

/// A content transfer encoding (RFC 2045 section 6).
///
/// ```
/// use linkglot_layer::{Layer, TransferEncoding};
///
/// let encoding = TransferEncoding::of_label(b" Quoted-Printable (mostly)");
/// assert_eq!(encoding.layer(), Some(Layer::QuotedPrintable));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransferEncoding {
    /// `7bit`: lines of ASCII. Also the encoding of a body that names none.
    SevenBit,
    /// `8bit`: lines of octets.
    EightBit,
    /// `binary`: octets.
    Binary,
    /// `quoted-printable`.
    QuotedPrintable,
    /// `base64`.
    Base64,
    /// Any other encoding. By RFC 2045 6.4 such a body is `application/octet-stream`, whatever its type says.
    Unknown,
}

impl TransferEncoding {
    /// The encoding that the value of a Content-Transfer-Encoding field names (RFC 2045 6.1), in any case. Blanks,
    /// comments, quotes and parameters around the name do not count; an empty value means `7bit`. O(length).
    ///
    /// ```
    /// use linkglot_layer::TransferEncoding;
    ///
    /// assert_eq!(TransferEncoding::of_label(b"\"8BIT\";"), TransferEncoding::EightBit);
    /// assert_eq!(TransferEncoding::of_label(b""), TransferEncoding::SevenBit);
    /// assert_eq!(TransferEncoding::of_label(b"x-uuencode"), TransferEncoding::Unknown);
    /// ```
    pub fn of_label(label: &[u8]) -> Self {
        const NAMES: [(&[u8], TransferEncoding); 11] = [
            (b"", TransferEncoding::SevenBit),
            (b"7bit", TransferEncoding::SevenBit),
            (b"7-bit", TransferEncoding::SevenBit),
            (b"7bits", TransferEncoding::SevenBit),
            (b"8bit", TransferEncoding::EightBit),
            (b"8-bit", TransferEncoding::EightBit),
            (b"8bits", TransferEncoding::EightBit),
            (b"binary", TransferEncoding::Binary),
            (b"quoted-printable", TransferEncoding::QuotedPrintable),
            (b"quotedprintable", TransferEncoding::QuotedPrintable),
            (b"base64", TransferEncoding::Base64),
        ];
        let name = name(label);
        let known = NAMES
            .iter()
            .find(|(known, _)| name.eq_ignore_ascii_case(known));
        known.map_or(TransferEncoding::Unknown, |&(_, encoding)| encoding)
    }

    /// The escape layer of bodies in this encoding. `None` for encodings in which bytes stand for themselves, and for
    /// unknown encodings.
    ///
    /// ```
    /// use linkglot_layer::{Layer, TransferEncoding};
    ///
    /// assert_eq!(TransferEncoding::Base64.layer(), Some(Layer::Base64));
    /// assert_eq!(TransferEncoding::Binary.layer(), None);
    /// ```
    pub fn layer(self) -> Option<Layer> {
        match self {
            TransferEncoding::QuotedPrintable => Some(Layer::QuotedPrintable),
            TransferEncoding::Base64 => Some(Layer::Base64),
            _ => None,
        }
    }

    /// True if bodies may hold raw bytes beyond ASCII (RFC 2045 6.2).
    ///
    /// ```
    /// use linkglot_layer::TransferEncoding;
    ///
    /// assert!(TransferEncoding::EightBit.allows_octets());
    /// assert!(!TransferEncoding::SevenBit.allows_octets());
    /// ```
    pub fn allows_octets(self) -> bool {
        matches!(self, TransferEncoding::EightBit | TransferEncoding::Binary)
    }

    /// True if the value of a Content-Transfer-Encoding field names an encoding of files from before MIME, such as
    /// `x-uuencode`. Bodies in other unknown encodings are read undecoded, as mail clients show them.
    ///
    /// ```
    /// use linkglot_layer::TransferEncoding;
    ///
    /// assert!(TransferEncoding::is_of_files(b"X-UUEncode"));
    /// assert!(!TransferEncoding::is_of_files(b"utf-8"));
    /// ```
    pub fn is_of_files(label: &[u8]) -> bool {
        const NAMES: [&[u8]; 6] = [b"x-uu", b"uu", b"x-binhex", b"binhex", b"x-yenc", b"yenc"];
        let name = name(label);
        NAMES.iter().any(|known| {
            let begin = name.get(..known.len());
            begin.is_some_and(|begin| begin.eq_ignore_ascii_case(known))
        })
    }
}

/// The first word outside of comments, without quotes.
fn name(label: &[u8]) -> &[u8] {
    let is_around = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'');
    let is_end = |byte: u8| is_around(byte) || matches!(byte, b';' | b'(' | b',');
    let mut at = 0;
    let mut depth = 0_usize;
    while let Some(&byte) = label.get(at) {
        match byte {
            b'\\' if depth > 0 => at += 1,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ if depth > 0 || is_around(byte) => {}
            _ => break,
        }
        at += 1;
    }
    let rest = label.get(at..).unwrap_or_default();
    let end = rest.iter().position(|&byte| is_end(byte));
    rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::TransferEncoding::{self, *};

    #[test]
    fn labels_in_the_spellings_of_the_wild() {
        for (label, expected) in [
            ("7bit", SevenBit),
            ("7bit\r\n", SevenBit),
            ("(a (nested \\) one)) BASE64 (b)", Base64),
            ("'base64'", Base64),
            ("base64; x=y", Base64),
            ("base64(x)", Base64),
            ("\"quoted-printable\"", QuotedPrintable),
            ("\r\n\tquoted-printable", QuotedPrintable),
            ("(7bit", SevenBit),
            ("utf-8", Unknown),
            ("base 64", Unknown),
            ("8BIT", EightBit),
            ("Binary", Binary),
        ] {
            let found = TransferEncoding::of_label(label.as_bytes());
            assert_eq!(found, expected, "{label}");
        }
    }
}

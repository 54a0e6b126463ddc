//! Classes of ASCII bytes, and the percent escape, for text in any ASCII-compatible charset.

/// True if a byte stands for its own ASCII character wherever it occurs, in every ASCII-compatible charset of the
/// WHATWG: `00`-`2F`, `3A`-`3F` and `7F`. A decoder may start fresh after the byte.
///
/// ```
/// use linkglot_charset::ascii::is_safe;
///
/// // A digit can be part of four bytes of GB 18030, an @ the trail of two bytes of Shift_JIS.
/// assert!(is_safe(b'/') && !is_safe(b'0') && !is_safe(b'@'));
/// ```
pub const fn is_safe(byte: u8) -> bool {
    matches!(byte, 0x00..=0x2F | 0x3A..=0x3F | 0x7F)
}

/// True if a byte is ASCII whitespace of the WHATWG: tab, LF, FF, CR or space.
///
/// ```
/// use linkglot_charset::ascii::is_space;
///
/// assert!(is_space(b'\x0C') && !is_space(b'\x0B'));
/// ```
pub const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// The value of a hexadecimal digit.
///
/// ```
/// use linkglot_charset::ascii::hex_value;
///
/// assert_eq!((hex_value(b'f'), hex_value(b'F'), hex_value(b'g')), (Some(15), Some(15), None));
/// ```
pub const fn hex_value(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// The octet whose percent escape the bytes begin with (RFC 3986 2.1).
///
/// ```
/// use linkglot_charset::ascii::percent_octet;
///
/// assert_eq!(percent_octet(b"%e9/"), Some(0xE9));
/// assert_eq!(percent_octet(b"%e"), None);
/// ```
#[inline]
pub fn percent_octet(bytes: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = *bytes else {
        return None;
    };
    let (high, low) = (HEX[usize::from(high)], HEX[usize::from(low)]);
    (high | low < 16).then_some(high << 4 | low)
}

/// Length in bytes of the common start of two texts. Linear, eight bytes at a time.
///
/// ```
/// use linkglot_charset::ascii::common_length;
///
/// assert_eq!(common_length(b"http://a.example/x", b"http://a.example/y?"), 17);
/// ```
#[inline]
pub fn common_length(a: &[u8], b: &[u8]) -> usize {
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    let mut at = 0;
    while let (Some(word), Some(other)) = (a[at..].first_chunk(), b[at..].first_chunk()) {
        let difference = u64::from_le_bytes(*word) ^ u64::from_le_bytes(*other);
        if difference != 0 {
            return at + difference.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while at < length && a[at] == b[at] {
        at += 1;
    }
    at
}

/// [`hex_value`] of every byte as a table, which both digits are looked up in without a branch; 16
/// for a byte that is no digit.
static HEX: [u8; 256] = {
    let mut table = [16; 256];
    let mut byte = 0;
    while byte < 256 {
        if let Some(value) = hex_value(byte as u8) {
            table[byte] = value;
        }
        byte += 1;
    }
    table
};

/// The text of bytes that are all ASCII.
///
/// ```
/// use linkglot_charset::ascii::text;
///
/// assert_eq!((text(b"ab"), text("é".as_bytes())), (Some("ab"), None));
/// ```
#[inline]
pub fn text(bytes: &[u8]) -> Option<&str> {
    if bytes.is_ascii() {
        std::str::from_utf8(bytes).ok()
    } else {
        None
    }
}

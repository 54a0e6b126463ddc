//! Byte classes that hold in every ASCII-compatible charset.

/// Whether a byte is always a whole character, and itself, in every ASCII-compatible WHATWG
/// charset: `00-2F`, `3A-3F` and `7F`. A decoder may start fresh behind such a byte.
pub const fn is_safe(byte: u8) -> bool {
    matches!(byte, 0x00..=0x2F | 0x3A..=0x3F | 0x7F)
}

/// WHATWG ASCII whitespace: tab, LF, FF, CR, space.
pub const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// The value of a hexadecimal digit.
pub const fn hex_value(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// The text of bytes that are all ASCII.
#[inline]
pub(crate) fn text(bytes: &[u8]) -> Option<&str> {
    match bytes.is_ascii() {
        true => std::str::from_utf8(bytes).ok(),
        false => None,
    }
}

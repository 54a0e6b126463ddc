//! Links longer than the scanner reads. The end of an overlong link is unknown, so it is reported without its text, and
//! nothing up to the next delimiter counts as another link.

use super::find::MAX_LINK;
use linkglot_charset::ascii;

/// Bytes of text from which on a link is too long. Less than [`MAX_LINK`], since the last bytes in front of that bound
/// may be punctuation that belongs to a longer link.
const TOO_LONG: usize = MAX_LINK - 64;

/// Number of window bytes behind a trigger that are searched for the end of its link.
pub(super) const MAX_BYTES: usize = 256 << 10;
/// The bound of [`TOO_LONG`] in window bytes; the slack holds a few characters.
const TOO_LONG_IN_BYTES: usize = MAX_BYTES - 1024;

/// The unread rest of a link that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OverlongRest {
    /// The byte that closes the delimiter in front of the link.
    closer: u8,
}

/// True if a link of `text` bytes of text and `source` bytes of the window is too long.
pub(super) fn is_too_long(text: usize, source: usize) -> bool {
    text >= TOO_LONG || source >= TOO_LONG_IN_BYTES
}

impl OverlongRest {
    /// The rest of a link with the byte `outer` in front of it.
    pub(super) fn behind(outer: Option<u8>) -> Self {
        let closer = match outer {
            Some(b'\'') => b'\'',
            Some(b'(') => b')',
            _ => b'"',
        };
        OverlongRest { closer }
    }

    /// The end of the rest, from `at` on; `None` if the bytes do not hold the end. White space, controls, `"`, `<`, `>`
    /// and the closer end the rest: in every charset that is scanned as bytes, these are whole characters.
    pub(super) fn end(self, bytes: &[u8], at: usize) -> Option<usize> {
        let ends = |byte: &u8| {
            ascii::is_space(*byte)
                || byte.is_ascii_control()
                || matches!(byte, b'"' | b'<' | b'>')
                || *byte == self.closer
        };
        Some(at + bytes.get(at..)?.iter().position(ends)?)
    }
}

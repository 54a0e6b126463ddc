//! Links longer than the scanner reads. Their end is unknown, so such a link is reported without its text, and nothing
//! up to the next delimiter is taken for another link.

use super::find::MAX_LINK;
use linkglot_charset::ascii;

/// A link of this many bytes of text counts as too long. Less than [`MAX_LINK`], since the last bytes in front of that
/// bound may be punctuation that would belong to a longer link.
const TOO_LONG: usize = MAX_LINK - 64;

/// The scanner looks this many window bytes behind a trigger for the end of its link.
pub(super) const MAX_BYTES: usize = 256 << 10;
/// The bound of [`TOO_LONG`] in window bytes; the slack holds a few characters.
const TOO_LONG_IN_BYTES: usize = MAX_BYTES - 1024;

/// The unread rest of a link that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OverlongRest {
    /// Closes what opened in front of the link.
    closer: u8,
}

/// Whether a link of `text` bytes of text and `source` bytes of the window is too long.
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

    /// The end of the rest, from `at` on; `None` if these bytes do not hold it. White space, controls, `"`, `<`, `>`
    /// and the closer end it: in every charset that is scanned as bytes they are whole characters.
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

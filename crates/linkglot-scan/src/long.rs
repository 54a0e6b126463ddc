//! Links of running text that are longer than any that is read. What stands behind the bound is not known, so that such
//! a link is told of and left alone, and what follows it without a break is no other link.

use super::find::MAX_LINK;
use linkglot_charset::ascii;

/// A link with as many bytes of text may go on behind [`MAX_LINK`]: so many of its last ones may be punctuation that was
/// waiting for more.
const TOO_LONG: usize = MAX_LINK - 64;

/// The most bytes of a window that a link is looked for in, behind its trigger.
pub(super) const MAX_BYTES: usize = 256 << 10;
/// The same in bytes of a window: a character may have some.
const TOO_MANY: usize = MAX_BYTES - 1024;

/// What ends the rest of a link that is too long, apart from white space, controls, `"`, `<` and `>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rest {
    closer: u8,
}

/// Whether a link with as many bytes of text, of so many bytes of the source, is too long.
pub(super) fn is_too_long(text: usize, source: usize) -> bool {
    text >= TOO_LONG || source >= TOO_MANY
}

impl Rest {
    /// That of a link behind the byte `outer`.
    pub(super) fn behind(outer: Option<u8>) -> Self {
        let closer = match outer {
            Some(b'\'') => b'\'',
            Some(b'(') => b')',
            _ => b'"',
        };
        Rest { closer }
    }

    /// Where it ends, from `at` on; `None`: not in these bytes. All that end it are whole characters in every charset
    /// that is searched as bytes.
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

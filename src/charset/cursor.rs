//! Which ASCII bytes are characters, for many positions of one window.

use super::Charset;
use crate::ascii::is_safe;

/// Answers [`Charset::is_char_at`] for rising positions of a window, in time that is linear in
/// the window altogether (and not in the window for each position, as it is for hostile text
/// without a safe byte).
///
/// ```
/// use linkglot::charset::{CharCursor, Charset};
///
/// // The @ is the second byte of an ideographic space, then itself.
/// let window = b"\x81@@";
/// let mut cursor = CharCursor::new(Charset::for_label("shift_jis").unwrap());
/// assert!(!cursor.is_char_at(window, 1));
/// assert!(cursor.is_char_at(window, 2));
/// ```
#[derive(Clone, Debug)]
pub struct CharCursor {
    charset: Charset,
    /// A begin of a character, at or before the last position asked for.
    known: usize,
}

/// The longest sequence, in bytes.
const LONGEST: usize = 4;

impl CharCursor {
    /// A cursor for windows of an ASCII-compatible charset that begin at a character.
    pub fn new(charset: Charset) -> Self {
        CharCursor { charset, known: 0 }
    }

    /// Whether the ASCII byte at `at` is a character of its own and not the trail of another. `at`
    /// must not fall from call to call. The answer is certain if the window has three bytes more
    /// behind it, or ends with the document.
    pub fn is_char_at(&mut self, window: &[u8], at: usize) -> bool {
        let codec = self.charset.0.codec;
        match window.get(at) {
            Some(&byte) if is_safe(byte) => {
                self.known = at;
                return true;
            }
            Some(byte) if byte.is_ascii() => {}
            _ => return false,
        }
        if codec.sequence(&window[at..]).is_none() {
            return true;
        }
        if self.known > at {
            self.known = 0;
        }
        let mut end = self.known + codec.resync(&window[self.known..], at - self.known);
        while end < at {
            if end + LONGEST <= window.len() {
                self.known = end;
            }
            end += codec.sequence(&window[end..]).unwrap_or(1).max(1);
        }
        end == at
    }

    /// The first bytes of the window were dropped.
    pub fn drop_front(&mut self, bytes: usize) {
        self.known = self.known.saturating_sub(bytes);
    }
}

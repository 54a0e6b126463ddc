//! Links whose bytes are no text in the charset of their document.

use super::Info;
use crate::charset::{Certainty, Charset, FirstMalformed};
use crate::report::Note;

/// Tells which links of a document have bytes that its charset does not explain for sure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubtfulBytes {
    charset: Charset,
    /// True if the charset explains no byte beyond ASCII for sure, wherever it stands.
    is_guess: bool,
    is_said: bool,
}

impl DoubtfulBytes {
    pub fn of(info: &Info) -> Self {
        DoubtfulBytes {
            charset: info.charset,
            is_guess: info.certainty == Certainty::Unsure && !info.may_prove_utf_8(),
            is_said: info.is_charset_said(),
        }
    }

    /// The note on a link with these bytes of the view. ASCII, as nearly all links are, has none.
    #[inline]
    pub fn note(self, raw: &[u8]) -> Option<Note> {
        match raw.is_ascii() {
            true => None,
            false => self.note_beyond_ascii(raw),
        }
    }

    #[cold]
    fn note_beyond_ascii(self, raw: &[u8]) -> Option<Note> {
        if !self.is_guess && !is_malformed(self.charset, raw) {
            return None;
        }
        Some(match self.is_said {
            true => Note::CharsetContradicts,
            false => Note::CharsetUnsure,
        })
    }
}

/// True if bytes of the view of a document hold a malformed sequence of its charset.
fn is_malformed(charset: Charset, raw: &[u8]) -> bool {
    const MARK: char = char::REPLACEMENT_CHARACTER;
    if charset.is_ascii_compatible() {
        let mut first = FirstMalformed::new(charset, 0);
        first.push(raw, true);
        return first.at().is_some();
    }
    // The view is UTF-8, with a U+FFFD for each malformed sequence. Unicode has the character, too.
    !charset.is_unicode()
        && memchr::memmem::find(raw, MARK.encode_utf8(&mut [0; 4]).as_bytes()).is_some()
}

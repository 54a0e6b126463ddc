//! Links whose bytes are no text in the charset of their document.

use super::{Info, Layers};
use crate::charset::{Certainty, Charset, FirstMalformed, KnownBytes};
use crate::markup::Escaping;
use crate::notes::Note;

/// Finds the links of a document with bytes that its charset does not surely explain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubtfulBytes {
    charset: Charset,
    /// True if the charset surely explains no byte beyond ASCII anywhere.
    is_guess: bool,
    is_said: bool,
    /// The bytes beyond ASCII whose characters are known.
    known: KnownBytes,
}

impl DoubtfulBytes {
    pub fn of(info: &Info) -> Self {
        DoubtfulBytes {
            charset: info.charset,
            is_guess: info.certainty == Certainty::Unsure && !info.may_prove_utf_8(),
            is_said: info.is_charset_said(),
            known: info.known_to_read(),
        }
    }

    /// True if bytes of the view hold a character whose byte is not known.
    pub fn has_unknown(self, raw: &[u8]) -> bool {
        if self.known == KnownBytes::ALL {
            return false;
        }
        if self.charset.is_ascii_compatible() {
            return !self.known.reads(raw);
        }
        let text = String::from_utf8_lossy(raw);
        !text
            .chars()
            .all(|ch| self.known.can_write(self.charset, ch))
    }

    /// The note on a link with these bytes of the view. ASCII, like nearly all links, has none, unless it stands for
    /// octets that are no text.
    #[inline]
    pub fn note<'t>(
        self,
        raw: &[u8],
        layers: Layers,
        text: impl FnOnce() -> &'t str,
    ) -> Option<Note> {
        if raw.is_ascii() {
            return is_malformed_value(raw, layers, text).then_some(Note::CharsetContradicts);
        }
        // Bytes that equal a text are UTF-8.
        if self.charset == Charset::UTF_8 && !self.is_guess && text().as_bytes() == raw {
            return None;
        }
        self.note_beyond_ascii(raw)
    }

    #[cold]
    fn note_beyond_ascii(self, raw: &[u8]) -> Option<Note> {
        let is_doubtful = self.is_guess || is_malformed(self.charset, raw) || self.has_unknown(raw);
        is_doubtful.then(|| self.note_of_malformed())
    }

    /// The note on a link with these bytes of the source, for charsets in whose view a malformed sequence looks like
    /// the U+FFFD that the text may have: UTF-16 and UTF-32.
    pub fn note_of_source(self, source: &[u8]) -> Option<Note> {
        let is_wide = self.charset.is_unicode() && !self.charset.is_ascii_compatible();
        let is_doubtful =
            is_wide && !self.charset.is_stateful() && has_malformed(self.charset, source);
        is_doubtful.then(|| self.note_of_malformed())
    }

    fn note_of_malformed(self) -> Note {
        note_of_malformed(self.is_said)
    }
}

fn note_of_malformed(is_charset_said: bool) -> Note {
    if is_charset_said {
        Note::CharsetContradicts
    } else {
        Note::CharsetUnsure
    }
}

impl Info {
    /// The note of links whose bytes are malformed in the charset of the document: the charset is a guess, or bytes
    /// contradict it.
    ///
    /// ```
    /// use linkglot::notes::Note;
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<meta charset=utf-8>\xE9", &Settings::default());
    /// assert_eq!(document.info().note_of_malformed(), Note::CharsetContradicts);
    /// ```
    pub fn note_of_malformed(&self) -> Note {
        note_of_malformed(self.is_charset_said())
    }
}

/// True if bytes of the view of a document hold a malformed sequence of its charset.
fn is_malformed(charset: Charset, raw: &[u8]) -> bool {
    const MARK: char = char::REPLACEMENT_CHARACTER;
    if charset.is_ascii_compatible() {
        return has_malformed(charset, raw);
    }
    // The view is UTF-8, with a U+FFFD for each malformed sequence. Unicode has the character, too.
    !charset.is_unicode()
        && memchr::memmem::find(raw, MARK.encode_utf8(&mut [0; 4]).as_bytes()).is_some()
}

/// True if a link stands in quoted-printable of a vCard or calendar, whose octets are no text in the charset of the
/// value.
fn is_malformed_value<'t>(raw: &[u8], layers: Layers, text: impl FnOnce() -> &'t str) -> bool {
    let is_quoted = |layer: &Escaping| matches!(layer, Escaping::ContentQuoted(_));
    let is_mark = || {
        raw.windows(9)
            .any(|octets| octets.eq_ignore_ascii_case(b"=EF=BF=BD"))
    };
    layers.as_slice().iter().any(is_quoted)
        && text().contains(char::REPLACEMENT_CHARACTER)
        && !is_mark()
}

fn has_malformed(charset: Charset, bytes: &[u8]) -> bool {
    let mut first = FirstMalformed::new(charset, 0);
    first.push(bytes, true);
    first.at().is_some()
}

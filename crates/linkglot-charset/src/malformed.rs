//! Finding the first malformed sequence of a document: the bytes that are no text in its charset.

use crate::charset::Charset;
use crate::transcoder::Transcoder;
use crate::view_map::ViewMap;

/// The first malformed sequence of a document that is read piece by piece.
///
/// Cuts of the document do not matter. Linear; UTF-8, and ASCII in any superset of it, cost little. Memory: a piece,
/// decoded.
///
/// ```
/// use linkglot_charset::{Charset, FirstMalformed};
///
/// let mut first = FirstMalformed::new(Charset::UTF_8, 0);
/// first.push(b"caf\xC3", false);
/// first.push(b"\xA9, caf", false);
/// assert_eq!(first.at(), None);
/// first.push(b"\xE9", true);
/// assert_eq!(first.at(), Some(10));
/// ```
pub struct FirstMalformed {
    charset: Charset,
    /// Position of the next byte that was not pushed yet.
    read: u64,
    /// The bytes in front of `read` that may begin a character.
    pending: Vec<u8>,
    /// Decodes other charsets; `None` in UTF-8.
    transcoder: Option<Transcoder>,
    map: ViewMap,
    /// The length of the decoded text.
    view: u64,
    at: Option<u64>,
}

impl FirstMalformed {
    /// A search in a document in `charset`, whose bytes from `origin` on will be pushed.
    ///
    /// ```
    /// use linkglot_charset::{Charset, FirstMalformed};
    ///
    /// // A byte order mark was cut off.
    /// let mut first = FirstMalformed::new(Charset::UTF_16LE, 2);
    /// first.push(b"a\0\0\xDC", true);
    /// assert_eq!(first.at(), Some(4));
    /// ```
    pub fn new(charset: Charset, origin: u64) -> Self {
        let transcoder = (charset != Charset::UTF_8).then(|| Transcoder::new(charset, origin));
        FirstMalformed {
            charset,
            read: origin,
            pending: Vec::new(),
            transcoder,
            map: ViewMap::default(),
            view: 0,
            at: None,
        }
    }

    /// Reads the next bytes; `last` says that the document ends with them. Nothing is read behind the
    /// first malformed sequence.
    ///
    /// ```
    /// use linkglot_charset::{Charset, FirstMalformed};
    ///
    /// let mut first = FirstMalformed::new(Charset::UTF_8, 0);
    /// first.push(b"a\xFFb\xFF", true);
    /// assert_eq!(first.at(), Some(1));
    /// ```
    pub fn push(&mut self, bytes: &[u8], last: bool) {
        if self.at.is_some() {
            return;
        }
        match self.transcoder {
            None => self.push_utf_8(bytes, last),
            Some(_) => self.push_decoded(bytes, last),
        }
        self.read += bytes.len() as u64;
    }

    /// Source byte at which the first malformed sequence begins, as far as was read.
    ///
    /// ```
    /// use linkglot_charset::{Charset, FirstMalformed};
    ///
    /// assert_eq!(FirstMalformed::new(Charset::UTF_8, 0).at(), None);
    /// ```
    pub fn at(&self) -> Option<u64> {
        self.at
    }

    fn push_utf_8(&mut self, bytes: &[u8], last: bool) {
        let begin = self.read - self.pending.len() as u64;
        let joined = self.joined(bytes);
        let bytes = joined.as_deref().unwrap_or(bytes);
        let Err(error) = std::str::from_utf8(bytes) else {
            return;
        };
        let valid = error.valid_up_to();
        match error.error_len() {
            None if !last => self.pending.extend_from_slice(&bytes[valid..]),
            _ => self.at = Some(begin + valid as u64),
        }
    }

    fn push_decoded(&mut self, bytes: &[u8], last: bool) {
        let is_ascii = self.charset.is_ascii_compatible() && self.pending.is_empty();
        if is_ascii && bytes.is_ascii() {
            let end = self.read + bytes.len() as u64;
            self.transcoder = Some(Transcoder::new(self.charset, end));
            (self.map, self.view) = (ViewMap::default(), 0);
            return;
        }
        let Some(transcoder) = &mut self.transcoder else {
            return;
        };
        let mut view = Vec::new();
        transcoder.push(bytes, last, &mut view, &mut self.map);
        let begin = self.read - self.pending.len() as u64;
        let joined = self.joined(bytes);
        let source = joined.as_deref().unwrap_or(bytes);
        self.at = self.malformed_in(&view, (source, begin));
        self.view += view.len() as u64;
        let decoded = self.map.source(self.view).saturating_sub(begin) as usize;
        let undecoded = source.get(decoded..).unwrap_or_default();
        self.pending.extend_from_slice(undecoded);
        self.map.discard(self.view);
    }

    /// The pending bytes, if there are any, and those behind them. Nothing is pending afterwards.
    fn joined(&mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.pending.is_empty() {
            return None;
        }
        let mut joined = std::mem::take(&mut self.pending);
        joined.extend_from_slice(bytes);
        Some(joined)
    }

    /// The first source byte of a sequence that was decoded to U+FFFD and is not U+FFFD itself.
    fn malformed_in(&self, view: &[u8], (source, begin): (&[u8], u64)) -> Option<u64> {
        const MARK: &[u8] = "\u{FFFD}".as_bytes();
        let mut own = Vec::new();
        // Few charsets have the character.
        let _ = self.charset.encode("\u{FFFD}", &mut own);
        let mut starts = memchr::memmem::find_iter(view, MARK).map(|at| {
            let text = self.view + at as u64;
            self.map.source(text)..self.map.source(text + MARK.len() as u64)
        });
        let is_malformed = |place: &std::ops::Range<u64>| {
            let range = place.start.saturating_sub(begin) as usize
                ..place.end.saturating_sub(begin) as usize;
            source.get(range).is_none_or(|bytes| bytes != own)
        };
        starts.find(is_malformed).map(|place| place.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(charset: Charset, bytes: &[u8], chunk: usize) -> Option<u64> {
        let mut first = FirstMalformed::new(charset, 0);
        let chunks = bytes.chunks(chunk);
        let count = chunks.len();
        for (number, piece) in chunks.enumerate() {
            first.push(piece, number + 1 == count);
        }
        first.at()
    }

    #[test]
    fn it_is_found_at_every_cut() {
        let named = |label| Charset::for_label(label).unwrap();
        for (charset, bytes, expected) in [
            (Charset::UTF_8, &b"abc"[..], None),
            (Charset::UTF_8, "aéb€😀".as_bytes(), None),
            (Charset::UTF_8, b"a\xC3\xA9b\xE9c", Some(4)),
            (Charset::UTF_8, b"a\xE2\x82", Some(1)),
            (Charset::UTF_8, b"a\xE2\x82b", Some(1)),
            (Charset::UTF_8, "a\u{FFFD}".as_bytes(), None),
            (Charset::WINDOWS_1252, b"a\xE9\x81\xFF", None),
            (named("shift_jis"), b"a\x82\xA0\xFF", Some(3)),
            (named("shift_jis"), b"a\x82\xA0\x82", Some(3)),
            (named("euc-kr"), b"\xB0\xA1\xB0 ", Some(2)),
            (named("gb18030"), b"a\x84\x31\xA4\x37b", None),
            (named("gb18030"), b"a\xFF", Some(1)),
            (Charset::UTF_16LE, b"a\0\xFD\xFFb\0", None),
            (Charset::UTF_16LE, b"a\0\0\xDCb\0", Some(2)),
            // The shift belongs to the sequence behind it.
            (named("iso-2022-jp"), b"a\x1B$B\xFF\xFF\x1B(B", Some(1)),
        ] {
            for chunk in 1..=bytes.len() {
                let found = first(charset, bytes, chunk);
                assert_eq!(found, expected, "{charset:?} {bytes:x?} {chunk}");
            }
        }
    }
}

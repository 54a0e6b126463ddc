//! The stretch of a document in which UTF-8 is certain, although nothing declares it.

use crate::utf8_evidence::Evidence;

/// The stretch of a document in which UTF-8 is certain: from the first characters beyond ASCII that are evidence
/// enough (or from the start, if that is known) to the first malformed sequence.
///
/// The document is read piece by piece; cuts do not matter. Linear, in constant memory.
///
/// ```
/// use linkglot_charset::Utf8Stretch;
///
/// let mut stretch = Utf8Stretch::new(false);
/// stretch.read("ASCII, caf".as_bytes(), 0);
/// assert_eq!((stretch.from(), stretch.to()), (None, None));
/// stretch.read("é and ü".as_bytes(), 10);
/// assert_eq!((stretch.from(), stretch.to()), (Some(12), None));
/// stretch.read(b" caf\xE9 ", 19);
/// assert_eq!(stretch.to(), Some(23));
/// ```
#[derive(Debug)]
pub struct Utf8Stretch {
    evidence: Evidence,
    /// The end of the bytes read so far.
    read: u64,
    /// The bytes in front of `read` that may begin a character.
    pending: Vec<u8>,
    from: Option<u64>,
    to: Option<u64>,
}

impl Utf8Stretch {
    /// A stretch before anything was read. `is_certain`: the start of the document says that it is UTF-8.
    ///
    /// ```
    /// use linkglot_charset::Utf8Stretch;
    ///
    /// assert_eq!(Utf8Stretch::new(true).from(), Some(0));
    /// ```
    pub fn new(is_certain: bool) -> Self {
        Utf8Stretch {
            evidence: Evidence::default(),
            read: 0,
            pending: Vec::new(),
            from: is_certain.then_some(0),
            to: None,
        }
    }

    /// Reads bytes that stand at `origin` of the document, of which some may have been read before. No byte may be
    /// left out.
    ///
    /// ```
    /// use linkglot_charset::Utf8Stretch;
    ///
    /// let mut stretch = Utf8Stretch::new(true);
    /// stretch.read(b"abc", 0);
    /// stretch.read(b"bc\xFF", 1);
    /// assert_eq!(stretch.to(), Some(3));
    /// ```
    pub fn read(&mut self, bytes: &[u8], origin: u64) {
        let known = self.read.saturating_sub(origin) as usize;
        let Some(bytes) = bytes.get(known..).filter(|_| self.to.is_none()) else {
            return;
        };
        let begin = self.read - self.pending.len() as u64;
        self.read += bytes.len() as u64;
        if self.from.is_some() && self.pending.is_empty() && bytes.is_ascii() {
            return;
        }
        let joined;
        let bytes = if self.pending.is_empty() {
            bytes
        } else {
            self.pending.extend_from_slice(bytes);
            joined = std::mem::take(&mut self.pending);
            &joined
        };
        let (valid, rest) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                let text = std::str::from_utf8(valid).unwrap_or_default();
                (text, Some((rest, error.error_len())))
            }
        };
        self.gather(valid, begin);
        match rest {
            None => {}
            Some((rest, None)) => self.pending.extend_from_slice(rest),
            Some((_, Some(_))) => self.to = Some(begin + valid.len() as u64),
        }
    }

    /// Looks for evidence in text that stands at `begin` of the document.
    fn gather(&mut self, text: &str, begin: u64) {
        if self.from.is_some() {
            return;
        }
        let mut enough = None;
        self.evidence.read(text, |(evidence, at)| {
            enough = evidence.is_enough().then_some(begin + at as u64);
            enough.is_some()
        });
        self.from = enough;
    }

    /// The start of the stretch in the bytes read so far: the end of the first characters that are evidence enough.
    ///
    /// ```
    /// use linkglot_charset::Utf8Stretch;
    ///
    /// let mut stretch = Utf8Stretch::new(false);
    /// // Accidents of another charset look like that.
    /// stretch.read("WSPӣPRACA".as_bytes(), 0);
    /// assert_eq!(stretch.from(), None);
    /// ```
    pub fn from(&self) -> Option<u64> {
        self.from
    }

    /// The first byte behind the stretch, if one was read: that of a malformed sequence.
    ///
    /// ```
    /// use linkglot_charset::Utf8Stretch;
    ///
    /// assert_eq!(Utf8Stretch::new(true).to(), None);
    /// ```
    pub fn to(&self) -> Option<u64> {
        self.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_do_not_matter() {
        for (bytes, from, to) in [
            ("plain".as_bytes(), None, None),
            ("a é b".as_bytes(), Some(4), None),
            ("a пр b".as_bytes(), Some(6), None),
            ("WSPӣ é".as_bytes(), None, None),
            ("WSPӣ écrit à Zoë, déjà vu".as_bytes(), Some(28), None),
            (b"a \xC3\xA9 \xE2\x82 b \xC3\xA9", Some(4), Some(5)),
            (b"a \xE9 \xC3\xA9", None, Some(2)),
        ] {
            for size in 1..=bytes.len() {
                let mut stretch = Utf8Stretch::new(false);
                for (number, piece) in bytes.chunks(size).enumerate() {
                    stretch.read(piece, (number * size) as u64);
                }
                assert_eq!(
                    (stretch.from(), stretch.to()),
                    (from, to),
                    "{bytes:x?} {size}"
                );
            }
        }
    }
}

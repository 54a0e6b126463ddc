//! Lines of mail, their ends, and tests that may be undecided for an incomplete line.

use memchr::memchr;

/// The most bytes, without the line end, of a line that is read as a whole: From_ lines and boundary lines. RFC 5322
/// 2.1.1 allows 998 for every line; the rest is for blanks behind a boundary.
pub(super) const LINE_LIMIT: usize = 2048;

/// The byte that ends lines. A carriage return in front of a line feed belongs to the line end; a lone carriage return
/// is text, unless the mail has no line feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineEnd(pub u8);

impl LineEnd {
    /// Number of bytes without a line feed that prove a mail with carriage returns.
    const LOOK: usize = 64 << 10;

    /// The line end of a mail. `None` if more of the mail must be read.
    pub fn of(text: &[u8], last: bool) -> Option<LineEnd> {
        let head = text.get(..Self::LOOK).unwrap_or(text);
        if memchr(b'\n', head).is_some() {
            return Some(LineEnd(b'\n'));
        }
        let is_enough = last || text.len() >= Self::LOOK;
        let byte = memchr(b'\r', head).map_or(b'\n', |_| b'\r');
        is_enough.then_some(LineEnd(byte))
    }

    /// The start of the line end whose last byte is at `at`.
    pub fn start(self, text: &[u8], at: usize) -> usize {
        let before = at.wrapping_sub(1);
        if self.0 == b'\n' && text.get(before) == Some(&b'\r') {
            before
        } else {
            at
        }
    }

    /// The length of the line end at the start of the text, if any.
    pub fn begins(self, text: &[u8]) -> Option<usize> {
        match text {
            [b'\r', b'\n', ..] if self.0 == b'\n' => Some(2),
            [byte, ..] if *byte == self.0 => Some(1),
            _ => None,
        }
    }

    /// True if the text may become a line end.
    pub fn may_begin(self, text: &[u8]) -> bool {
        text.is_empty() || self.0 == b'\n' && text == b"\r"
    }

    /// True if the text ends with a line end.
    pub fn ends(self, text: &[u8]) -> bool {
        text.last() == Some(&self.0)
    }

    /// The first line of the text, if it is short.
    pub fn line(self, text: &[u8], last: bool) -> Line<'_> {
        let head = text.get(..LINE_LIMIT).unwrap_or(text);
        match memchr(self.0, head) {
            Some(at) => Line::Whole {
                text: head.get(..self.start(head, at)).unwrap_or_default(),
                behind: at + 1,
            },
            None if text.len() >= LINE_LIMIT => Line::TooLong,
            None if last => Line::Whole {
                text,
                behind: text.len(),
            },
            None => Line::Incomplete,
        }
    }
}

/// The first line of a text.
pub(super) enum Line<'t> {
    Whole {
        /// The line without its end.
        text: &'t [u8],
        /// The start of the next line.
        behind: usize,
    },
    TooLong,
    Incomplete,
}

/// The outcome of a test for the form of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    No,
    /// The text must grow before the test is decided.
    Maybe,
    Yes,
}

/// Tells if the text begins with a prefix.
pub(super) fn begins_with(text: &[u8], prefix: &[u8], last: bool) -> Verdict {
    match text.get(..prefix.len()) {
        Some(head) if head == prefix => Verdict::Yes,
        None if !last && prefix.starts_with(text) => Verdict::Maybe,
        _ => Verdict::No,
    }
}

/// True if a byte may stand in the name of a field (RFC 5322 3.6.8).
pub(super) fn is_name_byte(byte: u8) -> bool {
    matches!(byte, b'!'..=b'~') && byte != b':'
}

/// The length of the field name at the start of a line, in front of a colon. As in CPython's `email`, no blank may
/// precede the colon, although the obsolete syntax (RFC 5322 4.5) allows it: text with a colon is far more frequent.
pub(super) fn field_name(line: &[u8]) -> Option<usize> {
    let length = line.iter().position(|&byte| !is_name_byte(byte))?;
    (length > 0 && line.get(length) == Some(&b':')).then_some(length)
}

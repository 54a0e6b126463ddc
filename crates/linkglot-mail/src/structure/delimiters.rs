//! The delimiters that end a body: boundary lines (RFC 2046 5.1.1) and the From_ lines of a mailbox. Bodies are
//! searched for the few bytes that begin such a line, never line by line.

use super::entity::Enclosing;
use super::from_line::{Before, FROM, begins_message};
use super::lines::{Line, LineEnd, Verdict, begins_with};
use memchr::{memmem, memrchr};

const DASHES: &[u8] = b"--";

/// A multipart whose end has not been read yet.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub boundary: Box<[u8]>,
    /// The number of the multipart.
    pub number: String,
    /// The parts so far.
    pub parts: u64,
    /// True while its last part is read; false in front of the first part and at the start of a part.
    pub is_in_part: bool,
    pub kind: OpenKind,
    pub depth: usize,
    /// The surroundings of the parts.
    pub enclosing: Enclosing,
}

/// The multiparts that tell something about their parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenKind {
    Digest,
    Signed,
    Other,
}

/// The delimiters that end the bodies of a mail.
#[derive(Clone, Debug)]
pub(super) struct Delimiters {
    pub end: LineEnd,
    /// The open multiparts, outermost first.
    pub open: Vec<Open>,
    /// True if From_ lines begin messages.
    pub are_messages: bool,
    dashes: memmem::Finder<'static>,
    from: memmem::Finder<'static>,
}

/// The position of the start of a text in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    Inside,
    LineBegin,
    BehindEmptyLine,
}

/// The end of a body, or the length of the text that surely belongs to the body.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The body ends at `at`.
    Boundary {
        at: usize,
        line: BoundaryLine,
    },
    /// The body ends at `at`; a message begins at `behind`.
    Message {
        at: usize,
        behind: usize,
    },
    Nothing {
        clear: usize,
    },
}

/// A boundary line of an open multipart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoundaryLine {
    /// The index of the multipart.
    pub level: usize,
    pub closes: bool,
    /// The start of the next line.
    pub behind: usize,
}

impl Found {
    /// The number of bytes that surely belong to the body.
    pub fn body_length(&self) -> usize {
        match *self {
            Found::Boundary { at, .. } | Found::Message { at, .. } => at,
            Found::Nothing { clear } => clear,
        }
    }
}

/// A line that may end the body.
#[derive(Clone, Copy)]
struct Candidate {
    /// The start of the line end in front of the line.
    break_at: usize,
    at: usize,
    before: Before,
}

impl Delimiters {
    pub fn new(end: LineEnd, are_messages: bool) -> Self {
        let (dashes, from): (&[u8], &[u8]) = match end.0 {
            b'\n' => (b"\n--", b"\nFrom "),
            _ => (b"\r--", b"\rFrom "),
        };
        Delimiters {
            end,
            open: Vec::new(),
            are_messages,
            dashes: memmem::Finder::new(dashes),
            from: memmem::Finder::new(from),
        }
    }

    /// The end of the body whose next bytes are `text`.
    pub fn find(&self, text: &[u8], last: bool, position: Position) -> Found {
        let mut candidate = match position {
            Position::Inside => self.candidate(text, 0, position),
            Position::LineBegin => Some(Candidate::first(Before::Line)),
            Position::BehindEmptyLine => Some(Candidate::first(Before::EmptyLine)),
        };
        while let Some(line) = candidate {
            match self.verdict(text, last, line) {
                (Verdict::No, _) => candidate = self.candidate(text, line.at, position),
                (Verdict::Yes, Some(found)) => return found,
                _ => {
                    return Found::Nothing {
                        clear: line.break_at,
                    };
                }
            }
        }
        let clear = if last { text.len() } else { self.clear(text) };
        Found::Nothing { clear }
    }

    fn verdict(&self, text: &[u8], last: bool, line: Candidate) -> (Verdict, Option<Found>) {
        let rest = text.get(line.at..).unwrap_or_default();
        let (verdict, boundary) = self.boundary(rest, last);
        if verdict != Verdict::No {
            let found = boundary.map(|boundary| Found::Boundary {
                at: line.break_at,
                line: BoundaryLine {
                    behind: line.at + boundary.behind,
                    ..boundary
                },
            });
            return (verdict, found);
        }
        if !self.are_messages {
            return (Verdict::No, None);
        }
        let at = match line.before {
            Before::EmptyLine => line.break_at,
            Before::Line => line.at,
        };
        let found = Found::Message {
            at,
            behind: line.at,
        };
        let verdict = begins_message(rest, last, self.end, line.before);
        (verdict, Some(found))
    }

    /// The boundary line at the start of a text, which begins a line.
    ///
    /// As in CPython's `email`, the line must consist of the boundary and blanks, although RFC 2046 5.1.1 lets readers
    /// compare only its first characters: one boundary is often the beginning of another.
    pub fn boundary(&self, text: &[u8], last: bool) -> (Verdict, Option<BoundaryLine>) {
        if self.open.is_empty() {
            return (Verdict::No, None);
        }
        match begins_with(text, DASHES, last) {
            Verdict::Yes => {}
            verdict => return (verdict, None),
        }
        let (line, behind) = match self.end.line(text, last) {
            Line::Incomplete => return (Verdict::Maybe, None),
            Line::TooLong => return (Verdict::No, None),
            Line::Whole { text, behind } => (text, behind),
        };
        let Some((level, closes)) = self.level(line.get(DASHES.len()..).unwrap_or_default()) else {
            return (Verdict::No, None);
        };
        let found = BoundaryLine {
            level,
            closes,
            behind,
        };
        (Verdict::Yes, Some(found))
    }

    /// The multipart that a line delimits: the innermost with that boundary. A multipart that is between its parts
    /// comes last, so that a multipart with the boundary of an outer one has no parts (as in CPython's `email`).
    fn level(&self, line: &[u8]) -> Option<(usize, bool)> {
        let blanks = line.iter().rev().take_while(|byte| b" \t".contains(byte));
        let line = line.get(..line.len() - blanks.count())?;
        let closed = line.strip_suffix(DASHES);
        let of = |(level, open): (usize, &Open)| match &*open.boundary {
            boundary if boundary == line => Some((level, false)),
            boundary if Some(boundary) == closed => Some((level, true)),
            _ => None,
        };
        let (inner, outer) = self.open.split_last()?;
        let inner = || of((outer.len(), inner));
        let outer = || outer.iter().enumerate().rev().find_map(of);
        if self.open.last()?.is_in_part {
            inner().or_else(outer)
        } else {
            outer().or_else(inner)
        }
    }

    /// The first line behind `from` that begins like a delimiter.
    ///
    /// Both searches take turns in stretches of doubling length: a step costs at most a small multiple of the bytes
    /// passed, however rare a delimiter is.
    fn candidate(&self, text: &[u8], from: usize, position: Position) -> Option<Candidate> {
        let mut begin = from;
        let mut length = 256;
        loop {
            let stretch = text.get(begin..).unwrap_or_default();
            let stretch = stretch.get(..length).unwrap_or(stretch);
            let dashes = (!self.open.is_empty()).then(|| self.dashes.find(stretch));
            let messages = self.are_messages.then(|| self.from.find(stretch));
            let first = dashes.flatten().into_iter().chain(messages.flatten()).min();
            if let Some(at) = first {
                return Some(self.behind_line_end(text, begin + at, position));
            }
            if begin + stretch.len() == text.len() || dashes.is_none() && messages.is_none() {
                return None;
            }
            // The longest delimiter may begin at the end of the stretch.
            begin += stretch.len() - FROM.len();
            length *= 2;
        }
    }

    /// The candidate behind the line end whose last byte is at `at`.
    fn behind_line_end(&self, text: &[u8], at: usize, position: Position) -> Candidate {
        let break_at = self.end.start(text, at);
        let is_empty = match break_at {
            0 => position != Position::Inside,
            at => self.end.ends(text.get(..at).unwrap_or_default()),
        };
        Candidate {
            break_at,
            at: at + 1,
            before: if is_empty {
                Before::EmptyLine
            } else {
                Before::Line
            },
        }
    }

    /// The number of bytes, in a text without candidates, that cannot become part of one.
    fn clear(&self, text: &[u8]) -> usize {
        let delimiters = [
            (!self.open.is_empty()).then_some(DASHES),
            self.are_messages.then_some(FROM),
        ];
        let mut delimiters = delimiters.into_iter().flatten().peekable();
        if delimiters.peek().is_none() {
            return text.len();
        }
        let near = text.len().saturating_sub(FROM.len());
        let tail = text.get(near..).unwrap_or_default();
        if let Some(at) = memrchr(self.end.0, tail) {
            let begun = tail.get(at + 1..).unwrap_or_default();
            if delimiters.any(|delimiter| delimiter.starts_with(begun)) {
                return self.end.start(text, near + at);
            }
        }
        let is_open = self.end.0 == b'\n' && text.last() == Some(&b'\r');
        text.len() - usize::from(is_open)
    }
}

impl Candidate {
    /// The line that begins with the text.
    fn first(before: Before) -> Self {
        Candidate {
            break_at: 0,
            at: 0,
            before,
        }
    }
}

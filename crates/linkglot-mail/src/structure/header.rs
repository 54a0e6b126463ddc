//! The fields of a header, as ranges, and its end.
//!
//! The model for malformed headers is CPython's `email`. Unlike in `email`, a carriage return alone ends no line, and
//! `>From ` lines are skipped.

use super::delimiters::{Delimiters, Position};
use super::entity::FieldPlace;
use super::from_line::{Before, FROM, begins_message};
use super::lines::{Verdict, field_name};
use memchr::memchr;

/// The most bytes from the start of the header in which fields count.
pub(super) const HEADER_LIMIT: usize = 1 << 20;

/// Reads a header as far as the window holds it. Positions count from the start of the header.
#[derive(Clone, Debug, Default)]
pub(super) struct HeaderScan {
    pub fields: Vec<FieldPlace>,
    /// The start of the first unread line.
    at: usize,
    /// The end of the bytes from `at` on that hold no line end.
    searched: usize,
    /// True if the last line was no field; the next line may continue it.
    is_ignored: bool,
    /// The start of the last line, if it looks like a From_ line.
    from: Option<usize>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum HeaderEnd {
    NeedMore,
    /// The body begins at `behind`.
    Whole {
        behind: usize,
        position: Position,
    },
    /// More of the header follows at `behind`, the start of a line. The last field may go on there.
    TooLong {
        behind: usize,
    },
}

/// The effect of a line on the reading of the header.
enum Says {
    GoesOn,
    Ends(HeaderEnd),
}

impl HeaderScan {
    /// A scan at the start of a header.
    pub fn new() -> Self {
        /// Number of fields that most headers do not exceed.
        const FIELDS: usize = 16;
        HeaderScan {
            fields: Vec::with_capacity(FIELDS),
            ..HeaderScan::default()
        }
    }

    /// Reads on. `text` begins with the header, at `position` in its line. After the end the answer stays the same.
    pub fn read(
        &mut self,
        text: &[u8],
        last: bool,
        delimiters: &Delimiters,
        position: Position,
    ) -> HeaderEnd {
        loop {
            match self.delimiter(text, last, delimiters, position) {
                Verdict::No => {}
                Verdict::Maybe => return HeaderEnd::NeedMore,
                Verdict::Yes => return self.end_at_line(position),
            }
            let (end, behind) = match self.line_end(text, last, delimiters) {
                Ok(line) => line,
                Err(end) => return end,
            };
            let line = text.get(self.at..end).unwrap_or_default();
            if let Says::Ends(end) = self.line(line, behind) {
                return end;
            }
            (self.at, self.searched) = (behind, behind);
            if behind == text.len() && last {
                return self.end_at_line(Position::LineBegin);
            }
        }
    }

    /// Tells if a boundary or a message begins at this line.
    fn delimiter(
        &self,
        text: &[u8],
        last: bool,
        delimiters: &Delimiters,
        position: Position,
    ) -> Verdict {
        let rest = text.get(self.at..).unwrap_or_default();
        let (verdict, _) = delimiters.boundary(rest, last);
        let before = match position {
            Position::BehindEmptyLine if self.at == 0 => Before::EmptyLine,
            _ => Before::Line,
        };
        // From_ lines in front of the first field belong to the message, or to relays (UUCP).
        let is_first = self.fields.is_empty() && before == Before::Line;
        match verdict {
            Verdict::No if delimiters.are_messages && !is_first => {
                begins_message(rest, last, delimiters.end, before)
            }
            verdict => verdict,
        }
    }

    fn end_at_line(&self, position: Position) -> HeaderEnd {
        let position = match self.at {
            0 => position,
            _ => Position::LineBegin,
        };
        end(self.at, position, self.from)
    }

    /// The end of the line, and the start of the next.
    fn line_end(
        &mut self,
        text: &[u8],
        last: bool,
        delimiters: &Delimiters,
    ) -> Result<(usize, usize), HeaderEnd> {
        let head = text.get(..HEADER_LIMIT).unwrap_or(text);
        let rest = head.get(self.searched..).unwrap_or_default();
        match memchr(delimiters.end.0, rest) {
            Some(length) => {
                let end = self.searched + length;
                Ok((delimiters.end.start(text, end).max(self.at), end + 1))
            }
            None if text.len() >= HEADER_LIMIT => Err(HeaderEnd::TooLong { behind: self.at }),
            None if last => Ok((text.len(), text.len())),
            None => {
                self.searched = text.len();
                Err(HeaderEnd::NeedMore)
            }
        }
    }

    fn line(&mut self, line: &[u8], behind: usize) -> Says {
        let from = self.from;
        let mut next = None;
        match line {
            [] => return Says::Ends(end(behind, Position::BehindEmptyLine, from)),
            [b' ' | b'\t', ..] => self.go_on(line.len()),
            [b':', ..] => self.is_ignored = true,
            line if line.strip_prefix(b">").unwrap_or(line).starts_with(FROM) => {
                self.is_ignored = true;
                next = (self.at > 0 && line.starts_with(FROM)).then_some(self.at);
            }
            line => match field_name(line) {
                Some(name) => self.push(name, line.len()),
                None => return Says::Ends(end(self.at, Position::LineBegin, from)),
            },
        }
        self.from = next;
        Says::GoesOn
    }

    fn push(&mut self, name: usize, length: usize) {
        self.is_ignored = false;
        self.fields.push(FieldPlace {
            name: self.at..self.at + name,
            value: self.at + name + 1..self.at + length,
        });
    }

    fn go_on(&mut self, length: usize) {
        if let Some(field) = self.fields.last_mut().filter(|_| !self.is_ignored) {
            field.value.end = self.at + length;
        }
    }
}

/// The end of a header. A last line that looks like a From_ line becomes the first line of the body, as in CPython's
/// `email`.
fn end(behind: usize, position: Position, from: Option<usize>) -> HeaderEnd {
    match from {
        Some(behind) => HeaderEnd::Whole {
            behind,
            position: Position::LineBegin,
        },
        None => HeaderEnd::Whole { behind, position },
    }
}

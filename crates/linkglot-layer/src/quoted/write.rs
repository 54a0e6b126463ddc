//! Writes quoted-printable.
//!
//! The changes of a line wait for each other, since only together they tell how long the line becomes. A line is then
//! made of pieces: bytes that stay, and octets that are written. Bytes that stay may read differently beside new
//! neighbours; a soft break, which decodes to nothing, keeps the two apart.

use super::super::reflow::{Changes, Item, Line, Manner};
use super::super::{Change, Edit, Placed};
use super::{is_blank, is_lower, without_blanks};
use linkglot_charset::ranges::slice;
use std::ops::Range;

/// The octets of a line, without its line break (RFC 2045 6.7 rule 5).
const LINE_LIMIT: usize = 76;

/// Bytes that must not begin a line: a message in a mailbox, the end of a message in SMTP, a boundary.
const DANGEROUS: [&[u8]; 3] = [b"From ", b".", b"--"];

#[derive(Debug)]
pub(in super::super) struct Writer<'d> {
    changes: Changes<'d>,
    line_break: &'d [u8],
    /// True if the body writes escapes in lower case.
    lower: bool,
}

impl<'d> Writer<'d> {
    pub(in super::super) fn new(
        encoded: &'d [u8],
        placed: &'d Placed<'d>,
        line_break: &'d [u8],
    ) -> Self {
        Writer {
            changes: Changes::new(encoded, placed, LINE_LIMIT),
            line_break,
            lower: is_lower(encoded, 0..encoded.len()).unwrap_or(false),
        }
    }

    pub(in super::super) fn replace(&mut self, change: Change<'_>, out: &mut Vec<Edit>) {
        if let Some(line) = self.changes.push(change) {
            self.settle(line, out);
        }
    }

    pub(in super::super) fn finish(mut self, out: &mut Vec<Edit>) {
        if let Some(line) = self.changes.take() {
            self.settle(line, out);
        }
    }

    fn settle(&self, line: Line, out: &mut Vec<Edit>) {
        let encoded = self.changes.encoded();
        let manner = Manner {
            line_break: self.line_break,
            mark: Some(b'='),
            indent: None,
            lower: is_lower(encoded, line.range.clone()).unwrap_or(self.lower),
        };
        let items = Assembly::of(encoded, self.line_break, &line).items;
        manner.write(line, &items, encoded, out);
    }
}

/// The kind of bytes at the end of the encoded bytes so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tail {
    /// A line break.
    Break,
    /// A soft break that is a CR: an LF behind would become a part of it.
    SoftCr,
    /// A malformed `=`, which bytes behind may turn into an escape or a soft break.
    Dangling,
    /// A raw blank, which a line break behind it would delete.
    Blank,
    Other,
}

/// A line with its changes.
struct Assembly<'w> {
    encoded: &'w [u8],
    line_break: &'w [u8],
    items: Vec<Item>,
    tail: Tail,
    /// The raw bytes of the line so far, as long as these are at most one piece that stays.
    head: Option<Range<usize>>,
}

impl<'w> Assembly<'w> {
    fn of(encoded: &'w [u8], line_break: &'w [u8], line: &Line) -> Self {
        let Line { waiting, range, .. } = line;
        let mut assembly = Assembly {
            encoded,
            line_break,
            items: Vec::new(),
            tail: tail_of_break(slice(encoded, 0..range.start)),
            head: Some(0..0),
        };
        let mut from = range.start;
        for (number, change) in waiting.iter().enumerate() {
            assembly.stay(number.saturating_sub(1), from..change.range.start);
            from = change.range.end;
            let next = waiting.get(number + 1).map(|next| next.range.start);
            let following = slice(encoded, from..next.unwrap_or(encoded.len()));
            if change.new.is_empty() {
                assembly.join(number, following);
            } else {
                assembly.write(number, &change.new);
            }
        }
        let last = waiting.len().saturating_sub(1);
        if without_blanks(slice(encoded, from..range.end)).is_empty() {
            assembly.keep_blank(last);
        }
        assembly.stay(last, from..range.end);
        assembly
    }

    fn stay(&mut self, change: usize, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let bytes = slice(self.encoded, range.clone());
        self.tail = tail_of(bytes);
        let is_first = self.head.as_ref().is_some_and(Range::is_empty);
        self.head = is_first.then(|| range.clone());
        self.items.push(Item::Stay {
            change,
            range,
            glued: is_dangerous(b"", bytes),
        });
    }

    fn line_break(&mut self, change: usize, is_soft: bool) {
        self.items.push(Item::Break { change, is_soft });
        self.tail = Tail::Break;
        self.head = Some(0..0);
    }

    /// Joins the bytes around removed ones: directly, or with a soft break between them.
    fn join(&mut self, change: usize, following: &[u8]) {
        let must_part = match self.tail {
            Tail::Dangling => true,
            Tail::SoftCr => following.starts_with(b"\n"),
            _ => {
                let is_begun = self.head.as_ref().is_some_and(|head| !head.is_empty());
                is_begun && self.endangers(following) && !is_dangerous(b"", following)
            }
        };
        if must_part {
            self.line_break(change, true);
        }
    }

    fn write(&mut self, change: usize, new: &[u8]) {
        let mut rest = new;
        while let [byte, behind @ ..] = rest {
            let is_free = !matches!(self.tail, Tail::Dangling | Tail::SoftCr);
            if let Some(behind) = rest.strip_prefix(self.line_break).filter(|_| is_free) {
                self.keep_blank(change);
                self.line_break(change, false);
                rest = behind;
                continue;
            }
            self.octet(change, *byte, rest);
            rest = behind;
        }
    }

    /// Writes a byte, the first of `rest`.
    fn octet(&mut self, change: usize, byte: u8, rest: &[u8]) {
        let is_plain = is_blank(byte) || byte.is_ascii_graphic() && byte != b'=';
        let escaped = !is_plain || self.tail == Tail::Dangling || self.endangers(rest);
        self.items.push(Item::Octet {
            change,
            byte,
            escaped,
            escaped_at_begin: is_dangerous(b"", rest),
            glued: false,
        });
        self.head = None;
        self.tail = match byte {
            b' ' | b'\t' if !escaped => Tail::Blank,
            _ => Tail::Other,
        };
    }

    /// True if `following` could give the line a dangerous beginning.
    fn endangers(&self, following: &[u8]) -> bool {
        let Some(head) = &self.head else {
            return false;
        };
        is_dangerous(slice(self.encoded, head.clone()), following)
    }

    /// Keeps the blank at the end from being deleted by the line break that follows.
    fn keep_blank(&mut self, change: usize) {
        if self.tail != Tail::Blank {
            return;
        }
        match self.items.last_mut() {
            Some(Item::Octet { escaped, .. }) => *escaped = true,
            _ => self.line_break(change, true),
        }
        self.tail = Tail::Other;
    }
}

fn tail_of_break(before: &[u8]) -> Tail {
    let [line @ .., b'\r'] = before else {
        return Tail::Break;
    };
    // A `=` in front of a CR cannot begin an escape.
    match without_blanks(line).last() {
        Some(b'=') => Tail::SoftCr,
        _ => Tail::Break,
    }
}

/// Escapes are whole here: `=`, or `=` and a digit, at the end is malformed.
fn tail_of(stays: &[u8]) -> Tail {
    let text = without_blanks(stays);
    match text {
        [.., b'='] => Tail::Dangling,
        _ if text.len() < stays.len() => Tail::Blank,
        [.., b'=', digit] if digit.is_ascii_hexdigit() => Tail::Dangling,
        _ => Tail::Other,
    }
}

/// True if a line that begins with `head` and `following`, as far as known, could have a dangerous beginning.
fn is_dangerous(head: &[u8], following: &[u8]) -> bool {
    DANGEROUS
        .iter()
        .any(|danger| match danger.strip_prefix(head) {
            None | Some([]) => false,
            Some(_) if following.is_empty() => false,
            Some(rest) => following.starts_with(rest) || rest.starts_with(following),
        })
}

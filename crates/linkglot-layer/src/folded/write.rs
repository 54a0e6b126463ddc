//! Writes folded lines.
//!
//! A value in quoted-printable is broken with soft line breaks, between escapes. A line cannot begin with a blank: it
//! would be a fold.

use super::super::reflow::{Changes, Item, Line, Manner};
use super::super::{Change, Edit, Placed};
use super::{Break, Breaks};
use linkglot_charset::ranges::{slice, tail};
use std::ops::Range;

/// The octets of a line, without its line break.
const LINE_LIMIT: usize = 75;

#[derive(Debug)]
pub(in super::super) struct Writer<'d> {
    changes: Changes<'d>,
    manner: Manner<'d>,
    /// The values in quoted-printable.
    quoted: Vec<Range<usize>>,
}

impl<'d> Writer<'d> {
    pub(in super::super) fn new(
        encoded: &'d [u8],
        placed: &'d Placed<'d>,
        line_break: &'d [u8],
    ) -> Self {
        let (blank, quoted) = lines(encoded);
        let manner = Manner {
            line_break,
            mark: None,
            indent: Some(blank),
            lower: false,
        };
        Writer {
            changes: Changes::new(encoded, placed, LINE_LIMIT),
            manner,
            quoted,
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
        // Line breaks are only written from the first change on.
        let begin = line.waiting.first().map_or(0, |change| change.range.start);
        let next = self.quoted.partition_point(|value| value.end < begin);
        let value = self.quoted.get(next);
        let is_quoted = value.is_some_and(|value| value.start <= begin);
        let items = Assembly::of(encoded, &line, is_quoted).items;
        let manner = if is_quoted {
            Manner {
                mark: Some(b'='),
                indent: None,
                ..self.manner
            }
        } else {
            self.manner
        };
        manner.write(line, &items, encoded, out);
    }
}

/// The blank of the first fold, and the values in quoted-printable.
fn lines(encoded: &[u8]) -> (u8, Vec<Range<usize>>) {
    let (mut blank, mut quoted) = (None, Vec::new());
    let mut breaks = Breaks::of(encoded);
    for found in breaks.by_ref() {
        match found {
            Break::Fold(range) => blank = blank.or(encoded.get(range.end - 1).copied()),
            Break::Soft(_) => {}
            Break::End(range, value) => quoted.extend(value.map(|value| value..range.start)),
        }
    }
    let last = breaks.line.quoted(encoded, encoded.len());
    quoted.extend(last.map(|value| value..encoded.len()));
    (blank.unwrap_or(b' '), quoted)
}

/// A line with its changes.
struct Assembly<'w> {
    encoded: &'w [u8],
    items: Vec<Item>,
    /// The last bytes so far, the last one first.
    before: [Option<u8>; 4],
    /// Set if the value is in quoted-printable.
    is_quoted: bool,
}

impl<'w> Assembly<'w> {
    fn of(encoded: &'w [u8], line: &Line, is_quoted: bool) -> Self {
        let mut assembly = Assembly {
            encoded,
            items: Vec::new(),
            before: [None; 4],
            is_quoted,
        };
        let mut from = line.range.start;
        assembly.pass(slice(encoded, 0..from));
        for (number, change) in line.waiting.iter().enumerate() {
            assembly.stay(number.saturating_sub(1), from..change.range.start);
            from = change.range.end;
            for &byte in &change.new {
                assembly.octet(number, byte);
            }
        }
        let last = line.waiting.len().saturating_sub(1);
        assembly.stay(last, from..line.range.end);
        assembly
    }

    fn pass(&mut self, bytes: &[u8]) {
        for &byte in tail(bytes, bytes.len().saturating_sub(self.before.len())) {
            self.before.rotate_right(1);
            self.before[0] = Some(byte);
        }
    }

    fn stay(&mut self, change: usize, range: Range<usize>) {
        let bytes = slice(self.encoded, range.clone());
        let Some(&first) = bytes.first() else {
            return;
        };
        self.items.push(Item::Stay {
            change,
            range,
            glued: self.cuts(first),
        });
        self.pass(bytes);
    }

    fn octet(&mut self, change: usize, byte: u8) {
        self.items.push(Item::Octet {
            change,
            byte,
            escaped: false,
            escaped_at_begin: false,
            glued: self.cuts(byte),
        });
        self.pass(&[byte]);
    }

    /// True if a fold in front of `byte` would cut an escape or a character.
    fn cuts(&self, byte: u8) -> bool {
        let escape = self.before.iter().take(2);
        self.is_quoted && escape.into_iter().any(|byte| *byte == Some(b'=')) || self.cuts_char(byte)
    }

    /// True if a fold in front of `byte` would cut a UTF-8 character. More than three continuation bytes are no
    /// character.
    fn cuts_char(&self, byte: u8) -> bool {
        let continues = |byte: u8| byte & 0xC0 == 0x80;
        let is_lead = |byte: Option<u8>| byte.is_some_and(|byte| byte >= 0xC0);
        let mut before = self.before.iter().take(3);
        continues(byte)
            && before
                .find(|byte| !byte.is_some_and(continues))
                .is_some_and(|byte| is_lead(*byte))
    }
}

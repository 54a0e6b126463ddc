//! Writes folded lines.

use super::super::reflow::{Changes, Item, Line, Manner};
use super::super::{Change, Edit, Placed};
use super::{folds, tail};
use crate::ranges::slice;
use std::ops::Range;

/// The octets of a line, without its line break.
const LINE_LIMIT: usize = 75;

#[derive(Debug)]
pub(in super::super) struct Writer<'d> {
    changes: Changes<'d>,
    manner: Manner<'d>,
}

impl<'d> Writer<'d> {
    pub(in super::super) fn new(
        encoded: &'d [u8],
        placed: &'d Placed<'d>,
        line_break: &'d [u8],
    ) -> Self {
        let blank = folds(encoded)
            .next()
            .and_then(|fold| encoded.get(fold.end - 1));
        let manner = Manner {
            // A CR alone folds nothing.
            line_break: if line_break == b"\r" {
                b"\r\n"
            } else {
                line_break
            },
            mark: None,
            indent: Some(blank.copied().unwrap_or(b' ')),
            lower: false,
        };
        Writer {
            changes: Changes::new(encoded, placed, LINE_LIMIT),
            manner,
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
        let items = Assembly::of(encoded, &line).items;
        self.manner.write(line, &items, encoded, out);
    }
}

/// A line with its changes.
struct Assembly<'w> {
    encoded: &'w [u8],
    items: Vec<Item>,
    /// The last bytes so far, the last one first.
    before: [Option<u8>; 4],
}

impl<'w> Assembly<'w> {
    fn of(encoded: &'w [u8], line: &Line) -> Self {
        let mut assembly = Assembly {
            encoded,
            items: Vec::new(),
            before: [None; 4],
        };
        let mut from = line.range.start;
        assembly.pass(slice(encoded, 0..from));
        for (number, change) in line.waiting.iter().enumerate() {
            assembly.stay(number.saturating_sub(1), from..change.range.start);
            from = change.range.end;
            for &byte in &change.new {
                assembly.octet(number, byte);
            }
            let next = line.waiting.get(number + 1);
            if next.is_none_or(|next| next.range.start > from) {
                assembly.keep_apart(number, tail(encoded, from));
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
            glued: self.cuts_char(first),
        });
        self.pass(bytes);
    }

    fn octet(&mut self, change: usize, byte: u8) {
        // A blank behind a line break would be a fold.
        if self.before[0] == Some(b'\n') && is_blank(byte) {
            self.fold(change);
        }
        self.items.push(Item::Octet {
            change,
            byte,
            escaped: false,
            escaped_at_begin: false,
            glued: self.cuts_char(byte),
        });
        self.pass(&[byte]);
    }

    /// Keeps the bytes behind a change from being read as a fold with those before it.
    fn keep_apart(&mut self, change: usize, following: &[u8]) {
        let makes_fold = match (self.before[0], following) {
            (Some(b'\n'), [first, ..]) => is_blank(*first),
            (Some(b'\r'), [b'\n', blank, ..]) => is_blank(*blank),
            _ => false,
        };
        if makes_fold {
            self.fold(change);
        }
    }

    fn fold(&mut self, change: usize) {
        self.items.push(Item::Break {
            change,
            is_soft: true,
        });
        self.before = [Some(b' '), None, None, None];
    }

    /// Whether a fold in front of `byte` would cut a UTF-8 character. More than three bytes that continue one are none.
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

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

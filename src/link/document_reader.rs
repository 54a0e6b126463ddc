//! Reads a document: a tokenizer finds slots, and a `SlotReader` the links in them.

use super::base::Bases;
use super::slot_reader::SlotReader;
use super::window_link::WindowLink;
use crate::markup::{Escaping, Run, Slot, Step, Syntax, Tokenizer, Window};
use crate::notes::Note;
use crate::scan::{Scanner, State};
use std::ops::Range;

/// Running text is read in pieces of about this many bytes, cut where no run goes on.
const PIECE: usize = 64 << 10;
/// Number of bytes behind a piece that must be in the window, unless the text ends.
const LOOKAHEAD: usize = Scanner::LOOKAHEAD;

/// Finds the links of one document, window by window.
pub(crate) struct DocumentReader {
    tokenizer: Box<dyn Tokenizer>,
    pub reader: SlotReader,
    text: TextReading,
    bases: Bases,
    /// True if the slot at hand is running text because the document is malformed.
    is_malformed: bool,
    /// The position in the window of such a slot that the last step answered.
    malformed_at: Option<usize>,
}

/// Progress of reading the text at hand.
#[derive(Default)]
struct TextReading {
    /// The unread part of the text in the window, if it may be enough for a piece.
    unread: Option<Slot>,
    /// The state of the scanner in a run that is longer than a piece.
    state: State,
    /// Number of unread bytes that the scanner has seen: links may begin in these bytes and end behind them.
    seen: usize,
    /// True if a run begins with the unread part.
    begins_run: bool,
    /// True if the window does not grow any more.
    is_cut: bool,
}

impl DocumentReader {
    pub fn new(tokenizer: Box<dyn Tokenizer>, reader: SlotReader, bases: Bases) -> Self {
        DocumentReader {
            tokenizer,
            reader,
            text: TextReading::default(),
            bases,
            is_malformed: false,
            malformed_at: None,
        }
    }

    /// The position in the window where the slot begins that the last step answered, if it is running text because the
    /// document is malformed there.
    pub fn take_malformed(&mut self) -> Option<usize> {
        self.malformed_at.take()
    }

    /// Takes note that the window does not grow any more, although the document goes on. From now on the text in it is
    /// read up to the last run that surely ends in it.
    pub fn cut(&mut self) {
        self.text.is_cut = true;
        self.tokenizer.cut();
    }

    /// Reads on by one step of the tokenizer, or by a piece of running text, whose `run` says which ends of the run it
    /// has. The links of the slot go to `out`, with positions in the window. The window is the same as in the last
    /// step, unless that step asked for more.
    pub fn step<'w>(
        &mut self,
        window: Window<'w>,
        cursor: &mut usize,
        out: &mut Vec<WindowLink<'w>>,
    ) -> Step {
        if let Some(slot) = self.text.unread.take() {
            return self.piece(slot, window, cursor, out);
        }
        let step = self.tokenizer.step(window, cursor);
        self.is_malformed = self.tokenizer.is_malformed();
        if let (Step::Slot(slot), true) = (&step, self.is_malformed) {
            self.malformed_at = Some(slot.range.start);
        }
        match step {
            Step::Slot(slot) if slot.syntax == Syntax::Text => {
                if slot.run.begins {
                    self.text.begin_run();
                }
                self.piece(slot, window, cursor, out)
            }
            Step::Slot(slot) => {
                self.value(&slot, window, out);
                Step::Slot(slot)
            }
            other => other,
        }
    }

    fn value<'w>(&mut self, slot: &Slot, window: Window<'w>, out: &mut Vec<WindowLink<'w>>) {
        if !self.reader.reads(slot.access) {
            return;
        }
        let first = out.len();
        let raw = &window.bytes[slot.range.clone()];
        #[cfg(feature = "markdown")]
        if slot.syntax.is_light_markup() {
            self.reader.surroundings = self.tokenizer.surroundings().cloned();
        }
        let under = self.bases.at(slot, self.tokenizer.bases());
        match self.tokenizer.expansion() {
            Some(text) => out.extend(self.reader.read_expansion(slot, raw, text, under)),
            None => self.reader.read(slot, raw, &under, out),
        }
        if self.text.is_cut && slot.syntax.is_light_markup() {
            // A definition that is missing may make a reference of the brackets in a link.
            let is_certain = |range: &Range<usize>| !raw[range.clone()].contains(&b'[');
            let mut number = 0;
            out.retain(|found| {
                number += 1;
                number <= first || is_certain(&found.range)
            });
        }
        if let (Some(label), [found]) = (self.tokenizer.label(), &mut out[first..]) {
            found.label = Some(label.into());
        }
        for found in &mut out[first..] {
            found.shift(slot.range.start);
            if self.reader.resolver.lacks_base(found) {
                found.notes.insert(Note::BaseTooLong);
            }
            if self.is_malformed {
                found.notes.insert(Note::ReadAsText);
            }
        }
    }

    /// The end of the last run of a text that surely ends in a window that does not grow any more. The run behind it is
    /// left, since it may be joined to that one, and so is an open angle bracket.
    fn end_in_cut(&self, slot: &Slot, window: &[u8]) -> Option<usize> {
        if !self.text.is_cut || slot.escaping != Escaping::None {
            return None;
        }
        let Range { start, end } = slot.range;
        let first = start + self.text.seen;
        let near = end.saturating_sub(LOOKAHEAD).max(start);
        let mut limit = open_bracket(&window[near..end]).map_or(end, |at| near + at);
        for _ in 0..2 {
            let range = first..limit.saturating_sub(1);
            if range.is_empty() {
                return None;
            }
            limit = self.reader.last_break(slot, &window[..end], range)?;
        }
        // The white space in front was read with the last piece.
        Some(limit).filter(|&limit| limit > first + 1)
    }

    /// Reads the next piece of a text. The ends of pieces do not depend on the window.
    fn piece<'w>(
        &mut self,
        mut slot: Slot,
        window: Window<'w>,
        cursor: &mut usize,
        out: &mut Vec<WindowLink<'w>>,
    ) -> Step {
        let (start, text_end) = (slot.range.start, slot.range.end);
        let enough = start + self.text.seen + PIECE;
        let (end, ends_run) = if slot.run.ends && text_end <= enough {
            (text_end, true)
        } else if !slot.run.ends && text_end < enough + LOOKAHEAD {
            match self.end_in_cut(&slot, window.bytes) {
                Some(end) => (end, true),
                None => {
                    *cursor = start;
                    return Step::NeedMore;
                }
            }
        } else {
            let range = start + self.text.seen + 1..enough;
            match self
                .reader
                .last_break(&slot, &window.bytes[..text_end], range)
            {
                Some(end) => (end, true),
                None => (enough, false),
            }
        };
        slot.range.end = end;
        let first = out.len();
        let raw = &window.bytes[slot.range.clone()];
        let keep = self
            .reader
            .read_text(&slot, raw, ends_run, &mut self.text.state, out);
        for found in &mut out[first..] {
            found.shift(start);
            if self.is_malformed {
                found.notes.insert(Note::ReadAsText);
            }
        }
        let run = Run {
            begins: self.text.begins_run,
            ends: ends_run,
        };
        let piece = Slot {
            run,
            ..slot.clone()
        };
        if ends_run {
            self.text.begin_run();
        } else {
            self.text.seen = end - (start + keep);
            self.text.begins_run = false;
        }
        if end < text_end {
            // The white space between two runs is read with both.
            let next = if ends_run { end - 1 } else { start + keep };
            slot.range = next..text_end;
            self.text.unread = Some(slot);
        }
        Step::Slot(piece)
    }
}

/// The first angle bracket that no other closes. One that begins a line, as in quotations, closes none.
fn open_bracket(text: &[u8]) -> Option<usize> {
    let (mut open, mut begins_line) = (None, false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b' ' | b'\t' => continue,
            b'>' if begins_line => continue,
            b'>' => open = None,
            b'<' => open = open.or(Some(at)),
            _ => {}
        }
        begins_line = matches!(byte, b'\n' | b'\r');
    }
    open
}

impl TextReading {
    fn begin_run(&mut self) {
        *self = TextReading {
            begins_run: true,
            is_cut: self.is_cut,
            ..TextReading::default()
        };
    }
}

//! The machine: a tokenizer, and what reads the slots that it finds.

use super::base::Bases;
use super::found::Found;
use super::reading::Reader;
use crate::markup::{Access, Place, Slot, Step, Syntax, Tokenizer, Window};
use crate::scan::State;

/// How many bytes of its run stand behind a link of running text in the window that shows it (or
/// the run ends before). Rewriting looks at them to see that the link is found again.
pub(crate) const LOOKAHEAD: usize = 256;

/// Finds the links of one document, window by window.
pub(crate) struct Machine {
    tokenizer: Box<dyn Tokenizer>,
    pub reader: Reader,
    run: TextRun,
    bases: Bases,
    identifiers: bool,
}

/// The run of text that is being read.
#[derive(Default)]
struct TextRun {
    state: State,
    /// Where it began, in the view.
    start: u64,
}

/// What the window may not show of a run of text.
#[derive(Clone, Copy, Default)]
pub(crate) struct RunGround {
    /// Where it began in the view.
    pub floor: u64,
    /// How many quote marks the line has in which the slot begins; `None`: it begins with the run.
    pub quotes: Option<usize>,
}

/// What a step of the machine brought.
pub(crate) enum Progress {
    /// A slot; its links were added.
    Slot { slot: Slot, ground: RunGround },
    /// A slot at this byte of the window is too long and was passed over.
    TooLong(usize, Place),
    /// The window must grow.
    NeedMore,
    /// The document is read.
    End,
}

impl Machine {
    /// `identifiers`: whether slots of [`Access::Identifier`] are read.
    pub fn new(
        tokenizer: Box<dyn Tokenizer>,
        reader: Reader,
        bases: Bases,
        identifiers: bool,
    ) -> Self {
        Machine {
            tokenizer,
            reader,
            run: TextRun::default(),
            bases,
            identifiers,
        }
    }

    /// One step of the tokenizer (see [`Tokenizer`]); the links of its slot go to `out`, with
    /// positions in the window, whose first byte is the view's byte `origin`.
    pub fn step<'w>(
        &mut self,
        window: Window<'w>,
        origin: u64,
        cursor: &mut usize,
        out: &mut Vec<Found<'w>>,
    ) -> Progress {
        match self.tokenizer.step(window, cursor) {
            Step::Slot(slot) if slot.syntax == Syntax::Text => {
                self.text(slot, window, origin, cursor, out)
            }
            Step::Slot(slot) => {
                let first = out.len();
                let raw = &window.bytes[slot.range.clone()];
                match self.tokenizer.expansion() {
                    _ if slot.access == Access::Identifier && !self.identifiers => {}
                    Some(text) => {
                        let under = self.bases.at(&slot, self.tokenizer.bases());
                        out.extend(self.reader.read_expansion(&slot, raw, text, under));
                    }
                    None => {
                        let under = self.bases.at(&slot, self.tokenizer.bases());
                        self.reader.read(&slot, raw, &under, out);
                    }
                }
                for found in &mut out[first..] {
                    found.range.start += slot.range.start;
                    found.range.end += slot.range.start;
                    found.base += slot.range.start;
                }
                let ground = RunGround::default();
                Progress::Slot { slot, ground }
            }
            Step::TooLong(at, place) => Progress::TooLong(at, place),
            Step::NeedMore => Progress::NeedMore,
            Step::End => Progress::End,
        }
    }

    fn text<'w>(
        &mut self,
        slot: Slot,
        window: Window<'w>,
        origin: u64,
        cursor: &mut usize,
        out: &mut Vec<Found<'w>>,
    ) -> Progress {
        let start = slot.range.start;
        if slot.run.begins {
            self.run = TextRun {
                state: State::default(),
                start: origin + start as u64,
            };
        }
        let held_back = if slot.run.ends { 0 } else { LOOKAHEAD };
        let end = slot.range.end.saturating_sub(held_back);
        if end < start {
            *cursor = start;
            return Progress::NeedMore;
        }
        let first = out.len();
        let raw = &window.bytes[start..end];
        let ground = RunGround {
            floor: self.run.start,
            quotes: self.run.state.quotes(),
        };
        let keep = self.reader.read_text(&slot, raw, &mut self.run.state, out);
        for found in &mut out[first..] {
            found.range.start += start;
            found.range.end += start;
            found.base += start;
        }
        if !slot.run.ends {
            *cursor = start + keep;
        }
        Progress::Slot { slot, ground }
    }
}

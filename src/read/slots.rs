//! The loop that reads a document: window by window, slot by slot, in bounded memory.
//!
//! Visitors of this loop list links, rewrite them and give their forms.

use super::reading::{Read, Reading, Seen};
use super::{Input, Opened};
use crate::error::Error;
use crate::link::{Base, Info, Link, SlotReader, WindowLink, over_budget};
use crate::markup::{Slot, Window};
use std::ops::ControlFlow;

/// A slot, or a piece of running text, with its links, in its window.
pub(crate) struct SlotRead<'w> {
    pub slot: Slot,
    pub window: Window<'w>,
    /// The start of the window in the view.
    pub origin: u64,
    pub found: Vec<WindowLink<'w>>,
}

impl SlotRead<'_> {
    /// Finds the links of a whole slot again.
    pub fn read_again(&mut self, reader: &SlotReader) {
        let range = self.slot.range.clone();
        let raw = &self.window.bytes[range.clone()];
        reader.read(&self.slot, raw, &Base::Document, &mut self.found);
        for found in &mut self.found {
            found.shift(range.start);
        }
    }
}

/// The tools that a visitor may use while the loop waits for it.
pub(crate) struct Scene<'s, 'i> {
    pub input: &'s Input<'i>,
    pub info: &'s Info,
    reading: &'s mut Reading<'i>,
}

impl Scene<'_, '_> {
    /// The reader that found the links.
    pub fn reader(&self) -> &SlotReader {
        self.reading.slots()
    }

    /// Builds the link found in a window; `found` is used up.
    pub fn link<'w>(
        &mut self,
        found: &mut WindowLink<'w>,
        window: &Window<'w>,
        origin: u64,
    ) -> Link<'w> {
        let input = self.input;
        let seen = Seen {
            window: *window,
            origin,
            source_at: |view| input.source_at(view),
        };
        self.reading.link(self.info, found, &seen)
    }
}

/// Tells if the loop goes on.
pub(crate) type Flow = Result<ControlFlow<()>, Error>;

/// A visitor of the slots of a document.
pub(crate) trait Visitor {
    /// Takes a slot with its links, in order.
    fn slot(&mut self, scene: &mut Scene<'_, '_>, read: &mut SlotRead<'_>) -> Flow;

    /// Takes a link without text in place of a slot that is too long to be read.
    fn too_long(&mut self, link: Link<'_>, info: &Info) -> Flow;

    /// Takes note that the source was read up to the byte `to`. These bytes may be dropped after the call.
    fn passed(&mut self, _input: &Input<'_>, _to: u64) -> Result<(), Error> {
        Ok(())
    }
}

/// The most requests for a longer window once the reader has failed: text at hand is offered again after one.
const MOST_REQUESTS: usize = 4;

/// Reads a document to its end, or until the visitor breaks off. If the reader fails, the visitor has got what is known
/// without the bytes that are missing.
///
/// # Errors
///
/// Errors of the input and of the visitor; the budget of the document is exceeded.
pub(crate) fn read(document: Opened<'_, '_>, visitor: &mut dyn Visitor) -> Result<(), Error> {
    let Opened {
        mut input,
        info,
        bom,
        settings,
    } = document;
    input.start(info.charset, bom)?;
    input.ensure_memory(info.format)?;
    let start = input.window().1 + input.cursor as u64;
    let budget = input.budget.clone();
    let mut reading = Reading::new(info, settings, (start, input.place), budget);
    let mut spare = Vec::new();
    let mut requests = 0;
    loop {
        let mut found = emptied(std::mem::take(&mut spare));
        let mut cursor = input.cursor;
        let (window, origin) = input.window();
        let seen = Seen {
            window,
            origin,
            source_at: |view| input.source_at(view),
        };
        let flow = match reading.step(info, &seen, &mut cursor, &mut found) {
            Read::Slot(slot) => {
                let mut read = SlotRead {
                    slot,
                    window,
                    origin,
                    found,
                };
                let mut scene = Scene {
                    input: &input,
                    info,
                    reading: &mut reading,
                };
                let flow = visitor.slot(&mut scene, &mut read)?;
                spare = emptied(read.found);
                flow
            }
            Read::TooLong(link) => visitor.too_long(*link, info)?,
            Read::OverBudget(link, excess) => return Err(over_budget(link.span().start, excess)),
            Read::NeedMore => {
                let reached = origin + cursor as u64;
                reading.follow(window.bytes, origin, reached);
                visitor.passed(&input, input.source_at(reached))?;
                input.cursor = cursor;
                input.drop_read();
                match input.grow() {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) if requests < MOST_REQUESTS => {
                        requests += 1;
                        reading.cut();
                        input.fail_later(error);
                        continue;
                    }
                    Err(error) => return Err(error.into()),
                }
                input.ensure_memory(info.format)?;
                continue;
            }
            Read::End => break,
        };
        if flow.is_break() {
            return Ok(());
        }
        input.cursor = cursor;
    }
    let (window, origin) = input.window();
    reading.end(origin + window.bytes.len() as u64);
    visitor.passed(&input, input.end())
}

/// Memory of the links, for the links of another window.
fn emptied<'n>(mut found: Vec<WindowLink<'_>>) -> Vec<WindowLink<'n>> {
    found.clear();
    let none = |_| -> Option<WindowLink<'n>> { None };
    found.into_iter().filter_map(none).collect()
}

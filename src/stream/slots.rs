//! The loop that reads a document: window by window, slot by slot, in bounded memory.
//!
//! Listing links, rewriting them and telling their forms are visitors of this one loop.

use super::Input;
use crate::error::Error;
use crate::link::{
    Base, Info, Link, Linker, Progress, Settings, SlotReader, WindowLink, document_reader,
    over_budget,
};
use crate::markup::{Slot, Window};
use std::ops::ControlFlow;

/// A slot, or a piece of running text, and its links in the window that holds it.
pub(crate) struct SlotRead<'w> {
    pub slot: Slot,
    pub window: Window<'w>,
    /// Begin of the window in the view.
    pub origin: u64,
    pub found: Vec<WindowLink<'w>>,
}

impl SlotRead<'_> {
    /// Finds the links again, of a slot that is whole.
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
    pub reader: &'s SlotReader,
    pub input: &'s Input<'i>,
    pub info: &'s Info,
    linker: &'s mut Linker<'i>,
}

impl Scene<'_, '_> {
    /// The link that was found in a window, which is of no more use then.
    pub fn link<'w>(
        &mut self,
        found: &mut WindowLink<'w>,
        window: &Window<'w>,
        origin: u64,
    ) -> Link<'w> {
        let input = self.input;
        let source_at = |view| input.source_at(view);
        self.linker.link(found, window, origin, source_at)
    }
}

/// Whether the loop goes on.
pub(crate) type Flow = Result<ControlFlow<()>, Error>;

/// A visitor of the slots of a document.
pub(crate) trait Visitor {
    /// A slot and its links, in order.
    fn slot(&mut self, scene: &mut Scene<'_, '_>, read: &mut SlotRead<'_>) -> Flow;

    /// A slot that is too long to be read: a link without text stands for it.
    fn too_long(&mut self, link: Link<'_>, info: &Info) -> Flow;

    /// The source is read up to the byte `to`, and may be dropped behind this call.
    fn passed(&mut self, _input: &Input<'_>, _to: u64) -> Result<(), Error> {
        Ok(())
    }
}

/// Reads a document to its end, or until the visitor breaks off. `bom` is the length of its BOM.
///
/// # Errors
///
/// Errors of the input and of the visitor; the budget of the document is exceeded.
pub(crate) fn read(
    mut input: Input<'_>,
    (info, bom): (&Info, usize),
    settings: &Settings,
    visitor: &mut dyn Visitor,
) -> Result<(), Error> {
    input.start(info.charset, bom)?;
    input.ensure_memory(info.format)?;
    let mut document = document_reader(info, settings);
    let mut linker = Linker::new(
        info,
        settings,
        (input.window().1 + input.cursor as u64, input.place),
    );
    let mut spare = Vec::new();
    loop {
        let mut found = emptied(std::mem::take(&mut spare));
        let mut cursor = input.cursor;
        let (window, origin) = input.window();
        let flow = match document.step(window, &mut cursor, &mut found) {
            Progress::Slot(slot) => {
                if let Err(excess) = input.budget.charge(&slot, &found, (info, origin)) {
                    let at = slot.range.start;
                    let source = input.source_at(origin + at as u64);
                    let place = (*slot.place).clone();
                    let link = linker.too_long(at, place, &window, origin, source);
                    return Err(over_budget(link.span().start, excess));
                }
                let mut read = SlotRead {
                    slot,
                    window,
                    origin,
                    found,
                };
                let mut scene = Scene {
                    reader: &document.reader,
                    input: &input,
                    info,
                    linker: &mut linker,
                };
                let flow = visitor.slot(&mut scene, &mut read)?;
                spare = emptied(read.found);
                flow
            }
            Progress::TooLong(at, place) => {
                let source = input.source_at(origin + at as u64);
                let link = linker.too_long(at, place, &window, origin, source);
                visitor.too_long(link, info)?
            }
            Progress::NeedMore => {
                let reached = origin + cursor as u64;
                linker.follow(window.bytes, origin, reached);
                visitor.passed(&input, input.source_at(reached))?;
                input.cursor = cursor;
                input.drop_read();
                if !input.grow()? {
                    break;
                }
                input.ensure_memory(info.format)?;
                continue;
            }
            Progress::End => break,
        };
        if flow.is_break() {
            return Ok(());
        }
        input.cursor = cursor;
    }
    let (window, origin) = input.window();
    input.budget.end(origin + window.bytes.len() as u64);
    visitor.passed(&input, input.end())
}

/// The same memory for links of another window.
fn emptied<'n>(mut found: Vec<WindowLink<'_>>) -> Vec<WindowLink<'n>> {
    found.clear();
    let none = |_| -> Option<WindowLink<'n>> { None };
    found.into_iter().filter_map(none).collect()
}

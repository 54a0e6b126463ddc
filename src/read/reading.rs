//! The reading of one document, step by step. Documents in memory and documents in windows are read by the same steps.

use crate::link::{
    Budget, DocumentReader, Excess, Info, Link, Linker, PartPlace, Settings, SlotReader,
    WindowLink, document_reader,
};
use crate::markup::{Place, Slot, Step, Window};

/// The reader of a document, with the linker that builds links from its finds.
pub(crate) struct Reading<'p> {
    document: DocumentReader,
    linker: Linker<'p>,
    budget: Budget,
}

/// A window, and where it begins in the view. `source_at` gives the source position of a view position.
pub(crate) struct Seen<'w, S> {
    pub window: Window<'w>,
    pub origin: u64,
    pub source_at: S,
}

/// The result of a step.
pub(crate) enum Read<'w> {
    /// A slot, or a piece of running text, whose links were added.
    Slot(Slot),
    /// A slot that is too long to be read: a link without text stands for it.
    TooLong(Box<Link<'w>>),
    /// The document is not read on from this link without text.
    OverBudget(Box<Link<'w>>, Excess),
    /// The window must grow.
    NeedMore,
    End,
}

impl<'p> Reading<'p> {
    /// Prepares a document that begins at the view position `start`.
    pub fn new(
        info: &Info,
        settings: &Settings,
        (start, place): (u64, Option<&'p PartPlace<'p>>),
        budget: Budget,
    ) -> Self {
        Reading {
            document: document_reader(info, settings),
            linker: Linker::new(info, settings, (start, place)),
            budget,
        }
    }

    /// The reader of slots.
    pub fn slots(&self) -> &SlotReader {
        &self.document.reader
    }

    /// Takes note that the window does not grow any more, although the document goes on.
    pub fn cut(&mut self) {
        self.document.cut();
    }

    /// Reads on by one step. `info` is that of the document. The links are added to `found`, which is empty, with
    /// positions in the window.
    pub fn step<'w>(
        &mut self,
        info: &Info,
        seen: &Seen<'w, impl Fn(u64) -> u64>,
        cursor: &mut usize,
        found: &mut Vec<WindowLink<'w>>,
    ) -> Read<'w> {
        let step = self.document.step(seen.window, cursor, found);
        if let Some(at) = self.document.take_malformed() {
            let source = (seen.source_at)(seen.origin + at as u64);
            info.read_as_text(self.linker.source(source));
        }
        match step {
            Step::Slot(slot) => match self.budget.charge(&slot, found, (info, seen.origin)) {
                Ok(()) => Read::Slot(slot),
                Err(excess) => {
                    let place = (*slot.place).clone();
                    let link = self.unread(seen, slot.range.start, place);
                    Read::OverBudget(link, excess)
                }
            },
            Step::TooLong(at, place) => Read::TooLong(self.unread(seen, at, place)),
            Step::NeedMore => Read::NeedMore,
            Step::End => Read::End,
        }
    }

    /// The link without text that stands for an unread slot.
    #[cold]
    fn unread<'w>(
        &mut self,
        seen: &Seen<'w, impl Fn(u64) -> u64>,
        at: usize,
        place: Place,
    ) -> Box<Link<'w>> {
        let source = (seen.source_at)(seen.origin + at as u64);
        let link = self
            .linker
            .too_long(at, place, &seen.window, seen.origin, source);
        Box::new(link)
    }

    /// The link that was found in a window, of which the content is taken out of `found`. `info` is that of the
    /// document.
    #[inline(always)]
    pub fn link<'w>(
        &mut self,
        info: &Info,
        found: &mut WindowLink<'w>,
        seen: &Seen<'w, impl Fn(u64) -> u64>,
    ) -> Link<'w> {
        self.linker
            .link(info, found, (&seen.window, seen.origin), &seen.source_at)
    }

    /// Follows the reading up to a view position; the bytes before it will be dropped.
    pub fn follow(&mut self, window: &[u8], origin: u64, to: u64) {
        self.linker.follow(window, origin, to);
    }

    /// Charges the end of the document, at a view position, to the budget.
    pub fn end(&mut self, at: u64) {
        self.budget.end(at);
    }
}

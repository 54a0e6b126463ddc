//! Builds links from the finds in windows, with source positions and, on request, lines and columns.

use super::label;
use super::{
    DoubtfulBytes, Info, Link, Location, Locator, MailPart, PartPlace, Settings, WindowLink,
};
use crate::markup::{Place, Window};
use crate::notes::Note;
use crate::span::SourceSpan;
use std::sync::Arc;

/// Makes the links of one document, in order.
pub(crate) struct Linker<'p> {
    locator: Option<Locator>,
    /// The place of the document, if it is a part of the source.
    place: Option<&'p PartPlace<'p>>,
    part: Option<Arc<MailPart>>,
    doubtful: DoubtfulBytes,
}

impl<'p> Linker<'p> {
    /// For a document that begins at the view position `start`.
    pub fn new(
        info: &Info,
        settings: &Settings,
        (start, place): (u64, Option<&'p PartPlace<'p>>),
    ) -> Self {
        let charset = info.charset.view();
        let locator = || match place {
            Some(place) => place.locator(charset, start),
            None => Locator::new(charset, start),
        };
        Linker {
            locator: settings.locate.then(locator),
            place,
            part: info.part.clone(),
            doubtful: DoubtfulBytes::of(info),
        }
    }

    /// Builds the link found in a window, taking its content out of `found`. `source_at` tells the source position of a
    /// view position. `info` is that of the document.
    #[inline(always)]
    pub fn link<'w>(
        &mut self,
        info: &Info,
        found: &mut WindowLink<'w>,
        (window, origin): (&Window<'w>, u64),
        source_at: impl Fn(u64) -> u64,
    ) -> Link<'w> {
        let view = SourceSpan::of_window(origin, &found.range);
        let span = SourceSpan {
            start: source_at(view.start),
            end: source_at(view.end),
        };
        let location = self.location(window.bytes, origin, found.range.start, span);
        let mut link = Link::taken(found, window, self.placed(span), location);
        if self.part.is_some() {
            link.set_part(self.part.clone());
        }
        let raw = &window.bytes[found.range.clone()];
        let note = self.doubtful.note(raw, link.layers(), || link.text());
        if let Some(note) = note {
            link.add_notes(note.into());
        }
        if label::names_other_host(&link, info) {
            link.add_notes(Note::TextNamesOtherHost.into());
        }
        link
    }

    /// The position in the source of a position in the document.
    pub fn source(&self, at: u64) -> u64 {
        let span = SourceSpan { start: at, end: at };
        self.placed(span).start
    }

    fn placed(&self, span: SourceSpan) -> SourceSpan {
        self.place.map_or(span, |place| place.span(span))
    }

    /// A link without text for a slot that is too long and begins at byte `at` of the window, which is byte `source` of
    /// the source.
    #[cold]
    pub fn too_long<'w>(
        &mut self,
        at: usize,
        place: Place,
        window: &Window<'w>,
        origin: u64,
        source: u64,
    ) -> Link<'w> {
        let span = SourceSpan {
            start: source,
            end: source,
        };
        let location = self.location(window.bytes, origin, at, span);
        let at = self.placed(span).start;
        let mut link = Link::too_long(at, place, window.charset, location);
        link.set_part(self.part.clone());
        link
    }

    /// Follows the reading up to a view position; the bytes before it will be dropped.
    pub fn follow(&mut self, window: &[u8], origin: u64, to: u64) {
        let is_encoded = self.encoded().is_some();
        if let Some(locator) = self.locator.as_mut().filter(|_| !is_encoded) {
            locator.follow(window, origin, to);
        }
    }

    #[inline]
    fn location(
        &mut self,
        window: &[u8],
        origin: u64,
        at: usize,
        span: SourceSpan,
    ) -> Option<Location> {
        let encoded = self.encoded();
        let locator = self.locator.as_mut()?;
        if let Some(place) = encoded {
            return Some(place.locate(locator, span));
        }
        locator.advance(window, origin, origin + at as u64);
        Some(locator.location())
    }

    /// The place of a document whose bytes differ from those of the source.
    #[inline]
    fn encoded(&self) -> Option<&'p PartPlace<'p>> {
        self.place.filter(|place| place.is_encoded())
    }
}

//! Makes links of what was found in windows: with their source positions and, when asked for, lines and columns.

use super::{Info, Link, Location, Locator, Settings, WindowLink};
use crate::markup::{Place, Window};
use crate::span::SourceSpan;

/// Makes the links of one document, in order.
pub(crate) struct Linker {
    locator: Option<Locator>,
}

impl Linker {
    /// For a document that begins at the view position `start`.
    pub fn new(info: &Info, settings: &Settings, start: u64) -> Self {
        let locator = || Locator::new(info.charset.view(), start);
        Linker {
            locator: settings.locate.then(locator),
        }
    }

    /// The link that was found in a window, which is of no more use then. `source_at` tells the source position of a view
    /// position.
    #[inline(always)]
    pub fn link<'w>(
        &mut self,
        found: &mut WindowLink<'w>,
        window: &Window<'w>,
        origin: u64,
        source_at: impl Fn(u64) -> u64,
    ) -> Link<'w> {
        let location = self.location(window.bytes, origin, found.range.start);
        let view = SourceSpan::of_window(origin, &found.range);
        let span = SourceSpan {
            start: source_at(view.start),
            end: source_at(view.end),
        };
        Link::taken(found, window, span, location)
    }

    /// What stands for a slot that is too long and begins at a byte of the window, or `source` of the source.
    #[cold]
    pub fn too_long<'w>(
        &mut self,
        at: usize,
        place: Place,
        window: &Window<'w>,
        origin: u64,
        source: u64,
    ) -> Link<'w> {
        let location = self.location(window.bytes, origin, at);
        Link::too_long(source, place, window.charset, location)
    }

    /// Follows the reading up to a view position; what is before it will be dropped.
    pub fn follow(&mut self, window: &[u8], origin: u64, to: u64) {
        if let Some(locator) = &mut self.locator {
            locator.follow(window, origin, to);
        }
    }

    #[inline]
    fn location(&mut self, window: &[u8], origin: u64, at: usize) -> Option<Location> {
        let locator = self.locator.as_mut()?;
        locator.advance(window, origin, origin + at as u64);
        Some(locator.location())
    }
}

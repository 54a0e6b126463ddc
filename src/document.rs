//! A document in memory and its links.

use crate::charset::{Charset, Transcoder, ViewMap};
use crate::format::Format;
use crate::link::{Found, Info, Link, Location, Locator, Machine, Progress, machine, open};
use crate::markup::{Place, Window};
use crate::span::SourceSpan;
use std::borrow::Cow;

pub use crate::link::Settings;

/// A document in memory.
///
/// # Examples
///
/// ```
/// use linkglot::{Document, Settings};
///
/// let page = "<p>See <a href='/caf&eacute;'>the menu</a> or write to info@example.org.";
/// let document = Document::new(page.as_bytes(), &Settings::default());
/// let links: Vec<_> = document.links().map(|link| link.text().to_owned()).collect();
/// assert_eq!(links, ["/café", "info@example.org"]);
/// ```
pub struct Document<'d> {
    source: &'d [u8],
    /// What the tokenizers see.
    view: Cow<'d, [u8]>,
    /// From view to source positions, when they differ.
    map: Option<ViewMap>,
    /// Where the view's first character after the BOM is.
    start: usize,
    info: Info,
    settings: Settings,
}

impl<'d> Document<'d> {
    /// A document of any bytes. What decides its format, charset and base is read; a document in
    /// UTF-16 or another charset that is no superset of ASCII is transcoded.
    pub fn new(source: &'d [u8], settings: &Settings) -> Self {
        let (info, bom) = open(source, true, settings);
        let (mut view, mut map, mut start) = (Cow::Borrowed(source), None, bom);
        if !info.charset.is_ascii_compatible() {
            let (mut bytes, mut positions) = (Vec::new(), ViewMap::default());
            let mut transcoder = Transcoder::new(info.charset, bom as u64);
            transcoder.push(&source[bom..], true, &mut bytes, &mut positions);
            (view, map, start) = (Cow::Owned(bytes), Some(positions), 0);
        }
        Document {
            source,
            view,
            map,
            start,
            info,
            settings: settings.clone(),
        }
    }

    /// Its bytes.
    pub fn source(&self) -> &'d [u8] {
        self.source
    }

    /// Its format, charset and base.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// Its links, in order, disjoint. A slot that is longer than [`Settings::max_slot`] comes as a
    /// link without text and with the note `too-long`. Linear in all.
    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        Links {
            document: self,
            machine: machine(&self.info, &self.settings),
            charset: self.info.charset.view(),
            cursor: self.start,
            shown: match self.info.format {
                Format::Text => self.view.len().min(self.start + PIECE),
                _ => self.view.len(),
            },
            found: Vec::new(),
            taken: 0,
            locator: self
                .settings
                .locate
                .then(|| Locator::new(self.info.charset.view(), self.start as u64)),
            ended: false,
        }
    }

    fn source_at(&self, view: u64) -> u64 {
        self.map.as_ref().map_or(view, |map| map.source(view))
    }
}

/// How much of a text is shown to the machine at a time, so that its links fit into the caches.
const PIECE: usize = 64 << 10;

/// The links of a document.
struct Links<'a> {
    document: &'a Document<'a>,
    machine: Machine,
    /// Of the view.
    charset: Charset,
    cursor: usize,
    /// How much of the view the machine sees: of a text, which has slots of any length, more and
    /// more.
    shown: usize,
    /// What the last step brought.
    found: Vec<Found<'a>>,
    /// How many of these were asked for.
    taken: usize,
    locator: Option<Locator>,
    ended: bool,
}

impl<'a> Links<'a> {
    /// One step of the machine: the links that it brought are ready, or there is a slot at this byte of the view that is too
    /// long.
    #[inline(never)]
    fn step(&mut self) -> Option<(usize, Box<Place>)> {
        let view: &'a [u8] = &self.document.view;
        let window = Window {
            bytes: view.get(..self.shown).unwrap_or(view),
            last: self.shown >= view.len(),
            charset: self.charset,
        };
        self.found.clear();
        self.taken = 0;
        let found = &mut self.found;
        match self.machine.step(window, 0, &mut self.cursor, found) {
            Progress::Slot { .. } => {}
            Progress::TooLong(at, place) => return Some((at, Box::new(place))),
            Progress::NeedMore if !window.last => {
                let unread = self.shown.saturating_sub(self.cursor);
                self.shown = view.len().min(self.shown + unread.max(PIECE));
            }
            Progress::NeedMore | Progress::End => self.ended = true,
        }
        None
    }

    #[cold]
    fn too_long(&mut self, at: usize, place: Place) -> Link<'a> {
        let start = self.document.source_at(at as u64);
        let mut link = Link::too_long(start, place, self.charset);
        if let Some(location) = self.location(at) {
            link.locate(location);
        }
        link
    }

    /// The next link of the last step.
    #[inline(always)]
    fn ready(&mut self) -> Option<Link<'a>> {
        let at = self.found.get(self.taken)?.range.start;
        let location = self.location(at);
        let found = self.found.get_mut(self.taken)?;
        self.taken += 1;
        let document = self.document;
        let view = SourceSpan::of_window(0, &found.range);
        let span = SourceSpan {
            start: document.source_at(view.start),
            end: document.source_at(view.end),
        };
        let window = &document.view;
        Some(Link::taken(found, window, self.charset, span, location))
    }

    #[inline]
    fn location(&mut self, at: usize) -> Option<Location> {
        let locator = self.locator.as_mut()?;
        locator.advance(&self.document.view, 0, at as u64);
        Some(locator.location())
    }
}

impl<'a> Iterator for Links<'a> {
    type Item = Link<'a>;

    // Inlined into the caller, a link is made where it is to lie.
    #[inline]
    fn next(&mut self) -> Option<Link<'a>> {
        while self.taken >= self.found.len() {
            if self.ended {
                return None;
            }
            if let Some((at, place)) = self.step() {
                return Some(self.too_long(at, *place));
            }
        }
        self.ready()
    }
}

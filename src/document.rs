//! A document in memory and its links.

use crate::charset::{Transcoder, ViewMap};
use crate::link::{
    DocumentReader, Info, Link, Linker, Progress, WindowLink, document_reader, open,
};
use crate::markup::Window;
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
    /// The bytes that tokenizers see.
    view: Cow<'d, [u8]>,
    /// From view to source positions, when they differ.
    map: Option<ViewMap>,
    /// The first byte of the view behind the BOM.
    start: usize,
    info: Info,
    settings: Settings,
}

impl<'d> Document<'d> {
    /// A document of any bytes. Reads the head for format, charset and base, and transcodes UTF-16 and other charsets that
    /// are no supersets of ASCII. O(1) else.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// // UTF-16 with a byte order mark.
    /// let document = Document::new(b"\xFE\xFF\0a\0.\0d\0e", &Settings::default());
    /// assert_eq!(document.links().next().unwrap().text(), "a.de");
    /// ```
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

    /// The bytes of the document.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"see example.org", &Settings::default());
    /// let span = document.links().next().unwrap().span();
    /// let bytes = &document.source()[span.start as usize..span.end as usize];
    /// assert_eq!(bytes, b"example.org");
    /// ```
    pub fn source(&self) -> &'d [u8] {
        self.source
    }

    /// The format, charset and base.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<base href='http://a.example/'>", &Settings::default());
    /// assert_eq!(document.info().base.as_deref(), Some("http://a.example/"));
    /// ```
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The links, in order, disjoint. A slot that is longer than [`Settings::max_slot`] comes as a link without text and with
    /// the note `too-long`. Linear.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<a href=b>c</a> d.org", &Settings::default());
    /// let starts: Vec<_> = document.links().map(|link| link.span().start).collect();
    /// assert_eq!(starts, [8, 16]);
    /// ```
    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        Links {
            document: self,
            reader: document_reader(&self.info, &self.settings),
            linker: Linker::new(&self.info, &self.settings, self.start as u64),
            window: Window {
                bytes: &self.view,
                last: true,
                charset: self.info.charset.view(),
            },
            cursor: self.start,
            found: Vec::new(),
            taken: 0,
            ended: false,
        }
    }

    fn source_at(&self, view: u64) -> u64 {
        self.map.as_ref().map_or(view, |map| map.source(view))
    }
}

/// The links of a document: the loop of [`crate::stream`] over a window that is the whole view.
struct Links<'a> {
    document: &'a Document<'a>,
    reader: DocumentReader,
    linker: Linker,
    window: Window<'a>,
    cursor: usize,
    /// The links of the last step.
    found: Vec<WindowLink<'a>>,
    /// How many of these were asked for.
    taken: usize,
    ended: bool,
}

impl<'a> Links<'a> {
    /// One step of the reader: its links are ready, or a slot is too long.
    #[inline(never)]
    fn step(&mut self) -> Option<Box<Link<'a>>> {
        self.found.clear();
        self.taken = 0;
        let found = &mut self.found;
        match self.reader.step(self.window, &mut self.cursor, found) {
            Progress::Slot(_) => None,
            Progress::TooLong(at, place) => {
                let source = self.document.source_at(at as u64);
                let link = self.linker.too_long(at, place, &self.window, 0, source);
                Some(Box::new(link))
            }
            Progress::NeedMore | Progress::End => {
                self.ended = true;
                None
            }
        }
    }
}

impl<'a> Iterator for Links<'a> {
    type Item = Link<'a>;

    // Inlined into the caller, a link is constructed in place.
    #[inline]
    fn next(&mut self) -> Option<Link<'a>> {
        while self.taken >= self.found.len() {
            if self.ended {
                return None;
            }
            if let Some(too_long) = self.step() {
                return Some(*too_long);
            }
        }
        let found = self.found.get_mut(self.taken)?;
        self.taken += 1;
        let document = self.document;
        let source_at = |view| document.source_at(view);
        Some(self.linker.link(found, &self.window, 0, source_at))
    }
}

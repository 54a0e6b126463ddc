//! Documents in memory: their links, and the text around these, for programs that show a document.

use crate::charset::{Transcoder, ViewMap};
use crate::error::Error;
use crate::format::Format;
use crate::link::{
    Budget, Info, Link, MailPart, PartPlace, UnreadParts, WindowLink, is_xhtml, open,
};
use crate::markup::{PageMarkup, Window, displayed_text};
use crate::parts::{self, InnerMail, Part, PartVisitor};
use crate::read::{Flow, Input, Opened, Read, Reading, Seen};
use std::borrow::Cow;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

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
    info: Info,
    parts: Vec<DocumentPart<'d>>,
}

/// Gathers the parts of a document.
struct Parts<'d> {
    source: &'d [u8],
    parts: Vec<DocumentPart<'d>>,
    /// The place of the encoded message around.
    around: Option<Arc<PartPlace<'d>>>,
}

impl PartVisitor for Parts<'_> {
    fn between(&mut self, _: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    fn part(&mut self, part: Part<'_>) -> Flow {
        let place = part.place.kept(self.source, self.around.clone());
        let of = (part.info.into_owned(), part.settings.into_owned());
        let part = DocumentPart::new(self.source, part.bom, of, Some(place));
        self.parts.push(part);
        Ok(ControlFlow::Continue(()))
    }

    fn opened(&mut self, document: Opened<'_, '_>) -> Flow {
        let of = (document.info.clone(), document.settings.clone());
        let part = DocumentPart::new(self.source, document.bom, of, None);
        self.parts.push(part);
        Ok(ControlFlow::Continue(()))
    }

    fn inner(&mut self, mail: InnerMail<'_>, unread: &mut UnreadParts) -> Flow {
        let place = PartPlace::clone(&mail.place).kept(self.source, self.around.clone());
        let around = self.around.replace(Arc::new(place));
        let flow = mail.read(self, unread);
        self.around = around;
        flow
    }
}

impl<'d> Document<'d> {
    /// A document of any bytes. Reads the head for format, charset and base, and transcodes UTF-16 and other charsets
    /// that are no supersets of ASCII. O(1) otherwise.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// // UTF-16 with a byte order mark.
    /// let document = Document::new(b"\xFE\xFF\0a\0.\0d\0e", &Settings::default());
    /// assert_eq!(document.links().next().unwrap().text(), "a.de");
    /// ```
    pub fn new(source: &'d [u8], settings: &Settings) -> Self {
        let (mut info, bom) = open(source, true, settings);
        let mut parts = Parts {
            source,
            // Most documents have one.
            parts: Vec::with_capacity(1),
            around: None,
        };
        let document = Opened {
            input: Input::of_slice(source),
            info: &info,
            bom,
            settings,
        };
        // Memory does not fail to read.
        if let Ok(unread) = parts::read(document, &mut parts) {
            info.unread = unread;
        }
        Document {
            source,
            info,
            parts: parts.parts,
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

    /// The links, in order, disjoint. A slot that is longer than [`Settings::max_slot`] comes as a link without text
    /// and with the note `too-long`. If the links become many times as long as the document, because each repeats a
    /// long base, name or entity, the last link has no text and the note `over-budget`. Linear.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<a href=b>c</a> d.org", &Settings::default());
    /// let starts: Vec<_> = document.links().map(|link| link.span().start).collect();
    /// assert_eq!(starts, [8, 16]);
    /// ```
    pub fn links(&self) -> impl Iterator<Item = Link<'_>> {
        let budget = Budget::default();
        let parts = self.parts.iter();
        parts.flat_map(move |part| Links::new(part, budget.clone()))
    }

    /// The format, charset and base of the part of a message around a link; in other documents, the same as
    /// [`info`](Self::info). O(log parts).
    ///
    /// ```
    /// use linkglot::{Document, Format, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.format = Some(Format::Mail);
    /// let document = Document::new(b"Content-Type: text/html; charset=koi8-r\n\n<a href=b>", &settings);
    /// let link = document.links().next().unwrap();
    /// assert_eq!(document.info_of(&link).charset.name(), "KOI8-R");
    /// ```
    pub fn info_of(&self, link: &Link<'_>) -> &Info {
        let start = link.span().start;
        let behind = self.parts.partition_point(|part| part.start() <= start);
        let part = behind.checked_sub(1).and_then(|at| self.parts.get(at));
        part.map_or(&self.info, |part| &part.info)
    }

    /// The documents of a message: header fields with links, and bodies. A document that is no mail is its own only
    /// part.
    ///
    /// ```
    /// use linkglot::document::PartSegment;
    /// use linkglot::{Document, Format, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.format = Some(Format::Mail);
    /// let message = b"Content-Transfer-Encoding: quoted-printable\n\nSee http://a.example/?b=3Dc=\n&d, please.\n";
    /// let document = Document::new(message, &settings);
    /// let part = document.parts().next().unwrap();
    /// let segments: Vec<String> = part.segments().map(|segment| match segment {
    ///     PartSegment::Link(link, _) => format!("[{}]", link.text()),
    ///     PartSegment::Text(text) => text.into_owned(),
    /// }).collect();
    /// assert_eq!(segments, ["See ", "[http://a.example/?b=c&d]", ", please.\n"]);
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = &DocumentPart<'_>> {
        self.parts.iter()
    }
}

/// A document of a message, as in a mail client: decoded, with its links at their places; see [`Document::parts`].
///
/// ```
/// use linkglot::{Document, Format, Settings};
///
/// let mut settings = Settings::default();
/// settings.format = Some(Format::Mail);
/// let document = Document::new(b"Content-Type: text/html\n\n<a href=b>", &settings);
/// let part = document.parts().next().unwrap();
/// assert_eq!((part.part().unwrap().number(), part.text().as_ref()), ("1", "<a href=b>"));
/// ```
pub struct DocumentPart<'d> {
    /// The bytes, unless the part has a place.
    source: &'d [u8],
    /// The place of a part of a message.
    place: Option<PartPlace<'d>>,
    info: Info,
    settings: Settings,
    /// The view for tokenizers, if it differs from the bytes of the part, and the map from the view to these bytes.
    transcoded: Option<(Vec<u8>, ViewMap)>,
    /// The first byte of the view behind the BOM.
    begin: usize,
}

/// A piece of the text of a [`DocumentPart`].
///
/// ```
/// use linkglot::document::PartSegment;
/// use linkglot::{Document, Settings};
///
/// let document = Document::new(b"see a.org", &Settings::default());
/// let part = document.parts().next().unwrap();
/// assert!(part.segments().any(|segment| matches!(segment, PartSegment::Link(_, text) if text == "a.org")));
/// ```
#[derive(Clone, Debug)]
pub enum PartSegment<'a> {
    /// Text without a link; in HTML, markup.
    Text(Cow<'a, str>),
    /// A link, and its written text with character references and line breaks.
    Link(Box<Link<'a>>, Cow<'a, str>),
}

impl<'d> DocumentPart<'d> {
    fn new(
        source: &'d [u8],
        bom: usize,
        (info, settings): (Info, Settings),
        place: Option<PartPlace<'d>>,
    ) -> Self {
        let charset = info.charset;
        let transcoded = (!charset.is_ascii_compatible()).then(|| {
            let bytes = place.as_ref().map_or(source, PartPlace::bytes);
            let (mut view, mut positions) = (Vec::new(), ViewMap::default());
            let mut transcoder = Transcoder::new(charset, bom as u64);
            transcoder.push(&bytes[bom..], true, &mut view, &mut positions);
            (view, positions)
        });
        DocumentPart {
            source,
            place,
            info,
            settings,
            begin: if transcoded.is_some() { 0 } else { bom },
            transcoded,
        }
    }

    /// The bytes of the part; decoded, if it is encoded.
    fn bytes(&self) -> &[u8] {
        let place = self.place.as_ref();
        place.map_or(self.source, PartPlace::bytes)
    }

    /// The bytes that tokenizers see.
    fn view(&self) -> &[u8] {
        let view = self.transcoded.as_ref();
        view.map_or(self.bytes(), |(view, _)| view)
    }

    fn source_at(&self, view: u64) -> u64 {
        let map = self.transcoded.as_ref();
        map.map_or(view, |(_, map)| map.source(view))
    }

    /// The first byte of the part in the source.
    fn start(&self) -> u64 {
        self.place.as_ref().map_or(0, PartPlace::start)
    }

    /// The window that is the whole view.
    fn window(&self) -> Window<'_> {
        Window {
            bytes: self.view(),
            last: true,
            charset: self.info.charset.view(),
        }
    }

    /// The part of the message; `None` if the document is no mail.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"see a.org", &Settings::default());
    /// assert!(document.parts().next().unwrap().part().is_none());
    /// ```
    pub fn part(&self) -> Option<&MailPart> {
        self.info.part()
    }

    /// The format, charset and base of the part.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<base href='http://a.example/'>", &Settings::default());
    /// let part = document.parts().next().unwrap();
    /// assert_eq!(part.info().base.as_deref(), Some("http://a.example/"));
    /// ```
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The text of the part, without the transfer encoding, in Unicode. Linear.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<meta charset=koi8-r>\xC1", &Settings::default());
    /// assert_eq!(document.parts().next().unwrap().text(), "<meta charset=koi8-r>а");
    /// ```
    pub fn text(&self) -> Cow<'_, str> {
        let view = &self.view()[self.begin..];
        self.info.charset.view().decode(view)
    }

    /// The links of the part and the text between them, in order: joined, they are the [`text`](Self::text). Linear.
    ///
    /// ```
    /// use linkglot::document::PartSegment;
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<a href='b&amp;c'>", &Settings::default());
    /// let part = document.parts().next().unwrap();
    /// let text: String = part.segments().map(|segment| match segment {
    ///     PartSegment::Text(text) | PartSegment::Link(_, text) => text,
    /// }).collect();
    /// assert_eq!(text, "<a href='b&amp;c'>");
    /// ```
    pub fn segments(&self) -> impl Iterator<Item = PartSegment<'_>> {
        let charset = self.info.charset.view();
        let view = self.view();
        let mut links = Links::new(self, Budget::default());
        let mut next = None;
        let mut at = self.begin;
        let mut ended = false;
        std::iter::from_fn(move || {
            if let Some((link, end)) = next.take() {
                let text = charset.decode(&view[at..end]);
                at = end;
                return Some(PartSegment::Link(link, text));
            }
            if ended {
                return None;
            }
            let found = links.next_in_view();
            ended = found.is_none();
            let begin = found.as_ref().map_or(view.len(), |(range, _)| range.start);
            next = found.map(|(range, link)| (Box::new(link), range.end));
            let between = charset.decode(&view[at..begin]);
            at = begin;
            Some(PartSegment::Text(between))
        })
        .filter(|segment| !matches!(segment, PartSegment::Text(text) if text.is_empty()))
    }

    /// The part as a reader sees it. HTML and XHTML: the text without markup and hidden elements, with the `alt` of
    /// images, as `innerText` has it (HTML standard 3.2.7), though no style sheet is read; the links are those in this
    /// text, and those of an `a` around it. Other formats: the [`text`](Self::text), with all links. Linear.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let page = b"<p hidden>No</p>See <a href=b><img alt='the menu'></a> or www.a.example.<script src=c></script>";
    /// let document = Document::new(page, &Settings::default());
    /// let displayed = document.parts().next().unwrap().displayed();
    /// assert_eq!(displayed.text(), "See the menu or www.a.example.");
    /// let places: Vec<_> = displayed.links().map(|(place, link)| (place, link.text())).collect();
    /// assert_eq!(places, [(4..12, "b"), (16..29, "www.a.example")]);
    /// ```
    pub fn displayed(&self) -> Displayed<'_> {
        let mut displayed = Displayed::default();
        let markup = match self.info.format {
            Format::Html => Some(PageMarkup::Html),
            Format::Xml if is_xhtml(self.view()) => Some(PageMarkup::Xml),
            _ => None,
        };
        if let Some(markup) = markup {
            let mut links = Links::new(self, Budget::default());
            let found = std::iter::from_fn(|| links.next_in_view());
            let (places, found): (Vec<_>, Vec<_>) = found.unzip();
            let of_page = displayed_text(self.window(), markup, self.begin, &places);
            let placed = of_page.links.into_iter().zip(found);
            let placed = placed.filter_map(|(place, link)| Some((place?, link)));
            displayed.links.extend(placed);
            displayed.text = of_page.text;
            return displayed;
        }
        for segment in self.segments() {
            let start = displayed.text.len();
            match segment {
                PartSegment::Text(text) => displayed.text += &text,
                PartSegment::Link(link, text) => {
                    displayed.text += &text;
                    displayed.links.push((start..displayed.text.len(), *link));
                }
            }
        }
        displayed
    }
}

/// The text of a [`DocumentPart`] as a reader sees it, with the links at their places.
///
/// ```
/// use linkglot::{Document, Settings};
///
/// let document = Document::new(b"<p>See <a href='/b'>the menu</a>.", &Settings::default());
/// let displayed = document.parts().next().unwrap().displayed();
/// let (place, link) = displayed.links().next().unwrap();
/// assert_eq!((&displayed.text()[place], link.text()), ("the menu", "/b"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Displayed<'a> {
    text: String,
    links: Vec<(Range<usize>, Link<'a>)>,
}

impl<'a> Displayed<'a> {
    /// The text. In HTML blocks are in lines of their own, with an empty line around paragraphs, and a tab parts the
    /// cells of a table.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"<h1>Fish &amp; chips</h1><p>daily", &Settings::default());
    /// assert_eq!(document.parts().next().unwrap().displayed().text(), "Fish & chips\n\ndaily");
    /// ```
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The links with their ranges of bytes in the [`text`](Self::text), in order of their places in the source. A
    /// link in the text of another link is within its range.
    ///
    /// ```
    /// use linkglot::{Document, Settings};
    ///
    /// let document = Document::new(b"see a.org", &Settings::default());
    /// let displayed = document.parts().next().unwrap().displayed();
    /// assert_eq!(displayed.links().next().unwrap().0, 4..9);
    /// ```
    pub fn links(&self) -> impl Iterator<Item = (Range<usize>, &Link<'a>)> {
        self.links.iter().map(|(place, link)| (place.clone(), link))
    }
}

/// The links of a part: the loop of [`crate::stream`] over a window that is the whole view.
struct Links<'a> {
    part: &'a DocumentPart<'a>,
    reading: Reading<'a>,
    window: Window<'a>,
    cursor: usize,
    /// The links of the last step.
    found: Vec<WindowLink<'a>>,
    /// Number of these links handed out.
    taken: usize,
    ended: bool,
}

impl<'a> Links<'a> {
    fn new(part: &'a DocumentPart<'a>, budget: Budget) -> Self {
        let begin = (part.begin as u64, part.place.as_ref());
        Links {
            part,
            // Another part may have exceeded the budget.
            ended: !budget.admits(0, 0),
            reading: Reading::new(&part.info, &part.settings, begin, budget),
            window: part.window(),
            cursor: part.begin,
            found: Vec::new(),
            taken: 0,
        }
    }

    /// Reads on by one step. Returns a link if a slot is too long or the document is over its budget.
    #[inline(never)]
    fn step(&mut self) -> Option<Box<Link<'a>>> {
        self.found.clear();
        self.taken = 0;
        let seen = seen(self.part, self.window);
        let (cursor, found) = (&mut self.cursor, &mut self.found);
        match self.reading.step(&self.part.info, &seen, cursor, found) {
            Read::Slot(_) => None,
            Read::TooLong(link) => Some(link),
            Read::OverBudget(link, excess) => {
                self.found.clear();
                self.ended = true;
                Some(Box::new(link.into_over_budget(excess)))
            }
            Read::NeedMore | Read::End => {
                self.reading.end(self.window.bytes.len() as u64);
                self.ended = true;
                None
            }
        }
    }
}

/// The window that is the whole view of a part.
fn seen<'a>(part: &'a DocumentPart<'a>, window: Window<'a>) -> Seen<'a, impl Fn(u64) -> u64> {
    Seen {
        window,
        origin: 0,
        source_at: |view| part.source_at(view),
    }
}

impl<'a> Links<'a> {
    /// The next link with a text, and its range in the view.
    fn next_in_view(&mut self) -> Option<(Range<usize>, Link<'a>)> {
        loop {
            let link = self.next()?;
            // An overlong slot has no place in the window.
            let found = self
                .taken
                .checked_sub(1)
                .and_then(|last| self.found.get(last));
            if let Some(found) = found.filter(|_| !link.text().is_empty()) {
                return Some((found.range.clone(), link));
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
        let seen = seen(self.part, self.window);
        Some(self.reading.link(&self.part.info, found, &seen))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;

    /// A message may have a part for each line.
    #[test]
    fn parts_share_their_base() {
        let head =
            "Content-Type: multipart/mixed; boundary=x\nContent-Base: http://a.example/b/\n\n";
        let part = "--x\nContent-Type: text/html\n\n<a href=c>\n";
        let message = [head, &part.repeat(3)].concat();
        let settings = Settings {
            format: Some(Format::Mail),
            ..Settings::default()
        };
        let document = Document::new(message.as_bytes(), &settings);
        let parts = document.parts.iter();
        let bases: Vec<&Arc<str>> = parts
            .flat_map(|part| [&part.info.base, &part.settings.base])
            .flatten()
            .collect();
        assert_eq!((bases.len(), &**bases[0]), (6, "http://a.example/b/"));
        assert!(bases.iter().all(|base| Arc::ptr_eq(base, bases[0])));
    }
}

//! The text of a page as it is displayed, for labels and for programs that show messages. It is that of `innerText`
//! (HTML standard 3.2.7) without style sheets, and with the `alt` of images.

use super::attributes::Facts;
use super::content::Content;
use super::elements::{APART, BLOCKS, HIDDEN_IN_SVG, PRESERVED, TABLE, VOID, is_in};
use super::hidden::is_hidden;
use super::lexer::{Lexeme, Lexer, Take};
use super::open_elements::OpenElements;
use super::tag::Tag;
use crate::escape::Escaping;
use crate::slot::Window;
use crate::vocabulary::Context;
use linkglot_charset::Charset;
use std::ops::Range;

/// The syntax of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageMarkup {
    /// HTML.
    Html,
    /// XML: any element may be empty (`<a/>`), and no tag is implied.
    Xml,
}

/// The elements around the text that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    /// None, or elements that change no reading.
    Page,
    Table,
    /// Foreign content.
    Foreign,
}

/// The text of a page as it is displayed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DisplayedText {
    /// The text. Blocks are in lines of their own, with an empty line around paragraphs; a tab parts cells.
    pub text: String,
    /// The place of each link in the text, in bytes; `None` if the link is not displayed.
    pub links: Vec<Option<Range<usize>>>,
}

/// Reads the text of the page in a window as it is displayed. `links` are ranges of bytes in the window, in order and
/// disjoint. A link in text is displayed at its place, the `href` of an `a` where the content of the element is; all
/// others are not displayed. Linear.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::{PageMarkup, Window, displayed_text};
///
/// let page = b"<p>See <a href=b>the <b>menu</b></a>.<p hidden>No.";
/// let window = Window { bytes: page, last: true, charset: Charset::UTF_8 };
/// let displayed = displayed_text(window, PageMarkup::Html, 0, &[15..16]);
/// assert_eq!(displayed.text, "See the menu.");
/// assert_eq!(displayed.links, [Some(4..12)]);
/// ```
pub fn displayed_text(
    window: Window<'_>,
    markup: PageMarkup,
    begin: usize,
    links: &[Range<usize>],
) -> DisplayedText {
    let mut reader = Reader::new((window, markup), VisibleText::default(), links);
    reader.read(begin);
    reader.links.end_anchor(reader.text.text.len());
    reader.links.end_running(reader.text.text.len());
    DisplayedText {
        text: reader.text.text,
        links: reader.links.places,
    }
}

/// Text of markup with its white space collapsed.
#[derive(Default)]
pub(super) struct VisibleText {
    pub(super) text: String,
    /// The most bytes of a label. Labels are one line.
    longest: Option<usize>,
    is_full: bool,
    /// The line ends before the next character; if none, the tab or the space.
    lines: usize,
    is_tabbed: bool,
    is_spaced: bool,
}

impl VisibleText {
    /// The text of a label.
    pub(super) fn of_label(longest: usize) -> Self {
        VisibleText {
            longest: Some(longest),
            ..VisibleText::default()
        }
    }

    /// Adds text. Returns the place of its first character that is no white space.
    fn push(&mut self, text: &str, is_preserved: bool) -> Option<usize> {
        let is_preserved = is_preserved && self.longest.is_none();
        let (mut first, mut before) = (None, None);
        for ch in text.chars() {
            let is_end = is_preserved && matches!(ch, '\n' | '\r');
            match ch {
                // A pair is one line end.
                '\n' if is_end && before == Some('\r') => {}
                _ if is_end => self.lines += 1,
                _ if !is_preserved && self.collapses(ch) => self.is_spaced = true,
                _ => {
                    let gap = self.gap();
                    let needed = self.text.len() + gap.len() + ch.len_utf8();
                    self.is_full |= self.longest.is_some_and(|longest| needed > longest);
                    if self.is_full {
                        return first;
                    }
                    self.text += gap;
                    (1..self.lines).for_each(|_| self.text.push('\n'));
                    (self.lines, self.is_tabbed, self.is_spaced) = (0, false, false);
                    first.get_or_insert(self.text.len());
                    self.text.push(ch);
                }
            }
            before = Some(ch);
        }
        first
    }

    /// In a page other white space, such as that without a break, is kept.
    fn collapses(&self, ch: char) -> bool {
        match self.longest {
            Some(_) => ch.is_whitespace(),
            None => ch.is_ascii_whitespace(),
        }
    }

    /// The characters between the text and the next one; of several line ends the first.
    fn gap(&mut self) -> &'static str {
        if self.text.is_empty() {
            self.lines = 0;
            return "";
        }
        let is_line = self.longest.is_none() && self.lines > 0;
        match () {
            () if is_line => "\n",
            () if self.longest.is_none() && self.is_tabbed => "\t",
            () if self.lines > 0 || self.is_tabbed || self.is_spaced => {
                self.lines = 0;
                " "
            }
            () => "",
        }
    }

    /// Parts the text before the tag from the text behind.
    fn part(&mut self, name: &[u8]) {
        let is_cell = matches!(name, b"td" | b"th");
        match name {
            b"br" => self.lines += 1,
            b"p" => self.end_lines(2),
            _ if is_cell && self.lines == 0 => self.is_tabbed = true,
            _ if is_cell || is_in(APART, name) => self.is_spaced = true,
            _ if is_in(BLOCKS, name) => self.end_lines(1),
            _ => {}
        }
    }

    /// Ends the line, unless it is empty; two end a paragraph.
    fn end_lines(&mut self, lines: usize) {
        self.lines = self.lines.max(lines);
    }

    /// Adds the value of an attribute. Returns as [`push`](Self::push) does.
    pub(super) fn push_attribute(&mut self, name: &str, tag: &Facts<'_>) -> Option<usize> {
        let value = tag.attribute(name)?;
        self.push(&String::from_utf8_lossy(&value), false)
    }
}

/// A link whose text is being read.
struct OpenLink {
    link: usize,
    start: Option<usize>,
}

/// The places of links in the text.
struct LinkPlaces<'l> {
    links: &'l [Range<usize>],
    next: usize,
    /// The link of the `a` that is open.
    anchor: Option<OpenLink>,
    /// The link in text.
    running: Option<OpenLink>,
    places: Vec<Option<Range<usize>>>,
}

impl<'l> LinkPlaces<'l> {
    fn new(links: &'l [Range<usize>]) -> Self {
        LinkPlaces {
            links,
            next: 0,
            anchor: None,
            running: None,
            places: vec![None; links.len()],
        }
    }

    /// The end of the piece of text from `at` on that is within a link, or outside of all.
    fn piece_end(&mut self, at: usize) -> Option<usize> {
        if let Some(running) = &self.running {
            return self.links.get(running.link).map(|link| link.end);
        }
        while let Some(link) = self.links.get(self.next) {
            if link.start > at {
                return Some(link.start);
            }
            self.next += 1;
            if link.end > at {
                let link = self.next - 1;
                self.running = Some(OpenLink { link, start: None });
                return self.links.get(link).map(|link| link.end);
            }
        }
        None
    }

    /// Text begins at `first`.
    fn begin(&mut self, first: Option<usize>) {
        for open in [&mut self.anchor, &mut self.running].into_iter().flatten() {
            open.start = open.start.or(first);
        }
    }

    /// Everything up to `view` was read; the text ends at `end`.
    fn pass(&mut self, view: usize, end: usize) {
        let is_over = |open: &OpenLink| self.links.get(open.link).is_none_or(|l| l.end <= view);
        if self.running.as_ref().is_some_and(is_over) {
            self.end_running(end);
        }
    }

    fn end_running(&mut self, end: usize) {
        let running = self.running.take();
        self.place(running, end);
    }

    fn end_anchor(&mut self, end: usize) {
        let anchor = self.anchor.take();
        self.place(anchor, end);
    }

    fn place(&mut self, open: Option<OpenLink>, end: usize) {
        if let Some(open) = open
            && let Some(place) = self.places.get_mut(open.link)
        {
            *place = open.start.map(|start| start..end);
        }
    }

    /// The link in the `href` of a tag that begins at `cursor`. Passes over all links before the end of the tag.
    fn of_tag(&mut self, tag: &Tag, bytes: &[u8], cursor: usize) -> Option<usize> {
        let mut of_tag = None;
        while let Some(link) = self.links.get(self.next)
            && link.start < cursor + tag.at
        {
            let place = link.start.checked_sub(cursor);
            let is_href = |place: usize| {
                tag.attributes.iter().any(|attribute| {
                    let name = bytes.get(attribute.name.clone()).unwrap_or_default();
                    let is_named = name.eq_ignore_ascii_case(b"href")
                        || name.eq_ignore_ascii_case(b"xlink:href");
                    is_named && attribute.value.contains(&place)
                })
            };
            if place.is_some_and(is_href) {
                of_tag = Some(self.next);
            }
            self.next += 1;
        }
        of_tag
    }
}

/// Reads a page, or the label of a link.
pub(super) struct Reader<'w, 'l> {
    window: Window<'w>,
    markup: PageMarkup,
    pub(super) around: Around,
    lexer: Lexer,
    pub(super) text: VisibleText,
    links: LinkPlaces<'l>,
    open: OpenElements,
    /// The number of open elements up to that which keeps the open link within itself.
    marker: usize,
    /// The number of elements of foreign content that are open.
    foreign: u32,
    /// The number of elements that are open and whose white space counts.
    preserved: u32,
    /// True if a line end that comes next is none (13.2.6.4.7, "a start tag whose tag name is pre").
    drops_line_end: bool,
}

impl<'w, 'l> Reader<'w, 'l> {
    pub(super) fn new(
        (window, markup): (Window<'w>, PageMarkup),
        text: VisibleText,
        links: &'l [Range<usize>],
    ) -> Self {
        // No tag is too long for the lexer: the window would end first.
        let mut lexer = Lexer::new(window.bytes.len() + 1);
        lexer.trim = false;
        Reader {
            window,
            markup,
            around: Around::Page,
            lexer,
            text,
            links: LinkPlaces::new(links),
            open: OpenElements::default(),
            marker: 0,
            foreign: 0,
            preserved: 0,
            drops_line_end: false,
        }
    }

    /// Reads the window from `cursor` on; a label ends at the next tag of an `a`. True if the text is over, whatever
    /// comes behind the window.
    pub(super) fn read(&mut self, mut cursor: usize) -> bool {
        while !self.text.is_full {
            self.lexer.cdata = self.reads_xml() || self.foreign > 0;
            match self.lexer.next(self.window, &mut cursor) {
                Lexeme::Text(range, _) => self.text(range),
                Lexeme::Tag if self.tag(cursor).is_none() => return true,
                Lexeme::Tag => self.lexer.leave_tag(&mut cursor, 0),
                Lexeme::Comment(..) | Lexeme::Raw(_) | Lexeme::TooLong(..) => {}
                _ => return false,
            }
        }
        true
    }

    fn reads_xml(&self) -> bool {
        self.markup == PageMarkup::Xml
    }

    fn text(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            let end = self.links.piece_end(at);
            let end = end.map_or(range.end, |end| end.min(range.end));
            let raw = self.window.bytes.get(at..end).unwrap_or_default();
            let hidden = match raw.trim_ascii() {
                // White space stays in the table.
                [] => self.open.hidden(),
                _ => self.hiding(b""),
            };
            if hidden.is_none() {
                self.piece(at..end);
            }
            at = end;
            self.links.pass(at, self.text.text.len());
        }
    }

    /// The place of the outermost element that hides an element, or text.
    fn hiding(&self, name: &[u8]) -> Option<usize> {
        if self.reads_xml() || is_in(TABLE, name) {
            self.open.hidden()
        } else {
            self.open.hiding()
        }
    }

    fn piece(&mut self, range: Range<usize>) {
        let raw = self.window.bytes.get(range).unwrap_or_default();
        let text = self.window.charset.decode(raw);
        let unescaped = matches!(self.lexer.content, Content::Data | Content::Rcdata)
            .then(|| Escaping::HtmlText.unescape(&text));
        let mut text = unescaped.as_ref().map_or(&*text, |text| text.text());
        if std::mem::take(&mut self.drops_line_end) {
            text = text.strip_prefix('\r').unwrap_or(text);
            text = text.strip_prefix('\n').unwrap_or(text);
        }
        let first = self.text.push(text, self.preserved > 0);
        self.links.begin(first);
    }

    /// Reads the tag at the cursor; `None` if it ends the label.
    fn tag(&mut self, cursor: usize) -> Option<()> {
        self.drops_line_end = false;
        let bytes = self.window.bytes.get(cursor..).unwrap_or_default();
        let name = bytes.get(self.lexer.tag.name.clone()).unwrap_or_default();
        let name = name.to_ascii_lowercase();
        let link = self.links.of_tag(&self.lexer.tag, bytes, cursor);
        if name == b"a" {
            if self.text.longest.is_some() {
                return None;
            }
            self.links.end_anchor(self.text.text.len());
        }
        if self.lexer.tag.closing {
            self.end_tag(&name)?;
        } else {
            self.start_tag(&name, bytes);
        }
        if name == b"a" && self.hiding(&name).is_none() {
            self.marker = self.open.marker();
            self.links.anchor = link.map(|link| OpenLink { link, start: None });
        }
        Some(())
    }

    fn start_tag(&mut self, name: &[u8], bytes: &[u8]) {
        let is_root = matches!(name, b"svg" | b"math");
        let is_foreign = self.reads_xml() || is_root || self.foreign > 0;
        let is_empty = if is_foreign {
            self.lexer.tag.self_closing
        } else {
            is_in(VOID, name)
        };
        self.foreign += u32::from(is_root && !is_empty);
        if let Some(content) = content(name).filter(|_| !is_foreign) {
            self.lexer.set_content(content, Take::Stream, name);
        }
        let is_ignored = !is_foreign && self.open.ignores(name);
        if is_ignored && self.around == Around::Page {
            return;
        }
        if !self.reads_xml() {
            self.open.before(name);
        }
        self.end_closed();
        let facts = facts(&self.lexer.tag, bytes, self.window.charset);
        let in_svg = self.foreign > 0 || self.around == Around::Foreign;
        let is_hidden = is_hidden(name, &facts) || in_svg && is_in(HIDDEN_IN_SVG, name);
        let is_hidden = is_hidden && !is_ignored;
        match name {
            _ if is_empty => {}
            _ if is_hidden => self.open.push_hidden(name),
            // The end tag of a link may stand anywhere.
            b"a" => {}
            _ => self.open.push(name),
        }
        if is_hidden || self.hiding(name).is_some() {
            return;
        }
        self.text.part(name);
        if name == b"img" {
            self.text.is_spaced = true;
            let first = self.text.push_attribute("alt", &facts);
            self.links.begin(first);
            self.text.is_spaced = true;
        }
        if is_in(PRESERVED, name) {
            self.preserved += 1;
            self.drops_line_end = true;
        }
    }

    /// Reads an end tag; `None` if it ends the label.
    fn end_tag(&mut self, name: &[u8]) -> Option<()> {
        if matches!(name, b"svg" | b"math") {
            self.foreign = self.foreign.saturating_sub(1);
        }
        let hiding = self.hiding(name);
        let ends = self.open.end(name);
        let is_label = self.text.longest.is_some();
        // The element stands around the link.
        let may_be_around = self.reads_xml() || self.around != Around::Page;
        if is_label && !ends && may_be_around && is_in(TABLE, name) {
            return None;
        }
        self.end_closed();
        let was_hidden = hiding == Some(self.open.len());
        if was_hidden || self.hiding(name).is_some() {
            return Some(());
        }
        // A tag that ends nothing parts nothing, but for that of a paragraph, which begins one.
        if ends || is_label && !is_in(TABLE, name) || name == b"p" {
            self.text.part(name);
        }
        if is_in(PRESERVED, name) {
            self.preserved = self.preserved.saturating_sub(1);
        }
        Some(())
    }

    /// Ends the link, if the element around it is open no more.
    fn end_closed(&mut self) {
        if self.open.len() < self.marker {
            self.links.end_anchor(self.text.text.len());
        }
    }
}

pub(super) fn facts<'t>(tag: &'t Tag, bytes: &'t [u8], charset: Charset) -> Facts<'t> {
    Facts {
        tag,
        bytes,
        charset,
        parent: None,
    }
}

/// The content of elements that hold no markup (13.2.6.4).
fn content(name: &[u8]) -> Option<Content> {
    Some(match name {
        b"textarea" | b"title" => Content::Rcdata,
        b"iframe" | b"noembed" | b"noframes" | b"style" | b"xmp" => Content::Rawtext,
        b"plaintext" => Content::Plaintext,
        b"script" => Content::SCRIPT,
        _ => return None,
    })
}

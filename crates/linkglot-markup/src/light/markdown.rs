//! Markdown: CommonMark 0.31, with the tables, footnotes, strikethrough and task lists of GitHub. This is the only
//! module that knows the parser, pulldown-cmark.
//!
//! The parser gives the range of a link and the meaning of its destination, but not the range of the destination, which
//! `destination` finds (CommonMark 6.3, 6.5 and 4.7). HTML is gathered and read block by block: an open element (a
//! link, code) stays open up to the end of the block. A metadata block (front matter) is running text.

mod destination;
mod html;
mod mdx;
mod parts;
mod tokenizer;

pub use tokenizer::MarkdownTokenizer;

use super::lines::LineSettings;
use super::piece::{self, Piece, Raw, link_place};
use crate::escape::Escaping;
use crate::html::HtmlTokenizer;
use crate::language::Language;
use crate::slot::{Access, Place};
use crate::surroundings::Surroundings;
use destination::Destination;
use linkglot_charset::MappedText;
use mdx::Codes;
use pulldown_cmark::{
    BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd,
};
use std::borrow::Cow;
use std::ops::Range;

/// Calls `each` for the pieces of a document where links may stand, in order and disjoint. `html` makes the tokenizer
/// for the HTML in the document. Linear in time. The nodes of the parser take at worst a hundred times the length of
/// the document.
///
/// ```
/// use linkglot_markup::{HtmlTokenizer, MarkupSettings};
/// use linkglot_markup::light::{LineSettings, Raw, markdown};
///
/// let html = || HtmlTokenizer::new(&MarkupSettings::default());
/// let settings = LineSettings::default();
/// let mut pieces = Vec::new();
/// markdown::for_each_piece("[a](<b c> 'd')", settings, &html, &mut |piece| pieces.push(piece));
/// let [piece] = &pieces[..] else { panic!("one piece") };
/// assert!(matches!(&piece.raw, Raw::Range(range) if *range == (5..8)));
/// ```
pub fn for_each_piece<'t>(
    text: &'t str,
    settings: LineSettings,
    html: &dyn Fn() -> HtmlTokenizer,
    each: &mut dyn FnMut(Piece<'t>),
) {
    read(text, None, settings, (html, Content::Code), each);
}

/// As [`for_each_piece`], for a part of a document.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::light::markdown::{self, MarkdownTokenizer};
/// use linkglot_markup::light::LineSettings;
/// use linkglot_markup::{HtmlTokenizer, MarkupSettings, Step, Tokenizer, Window};
///
/// // `[a]` is a reference, so `(b)` is text.
/// let text = format!("[[a]](b)\n\n{}[a]: c\n", "text\n\n".repeat(20_000));
/// let window = Window { bytes: text.as_bytes(), last: true, charset: Charset::UTF_8 };
/// let mut tokenizer = MarkdownTokenizer::new(1 << 20);
/// let Step::Slot(part) = tokenizer.step(window, &mut 0) else { panic!("a part") };
/// let around = tokenizer.surroundings().unwrap();
/// let html = || HtmlTokenizer::new(&MarkupSettings::default());
/// let mut starts = Vec::new();
/// let settings = LineSettings::default();
/// markdown::for_each_piece_of_part(&text[part.range], around, settings, &html, &mut |piece| {
///     starts.push(piece.start());
/// });
/// assert_eq!(starts[..2], [0, 4]);
/// ```
pub fn for_each_piece_of_part<'t>(
    text: &'t str,
    around: &Surroundings,
    settings: LineSettings,
    html: &dyn Fn() -> HtmlTokenizer,
    each: &mut dyn FnMut(Piece<'t>),
) {
    read(text, Some(around), settings, (html, Content::Code), each);
}

/// As [`for_each_piece`], for a document of MDX, or a part of it with the document `around`: its code is no Markdown,
/// and indented lines are text.
///
/// ```
/// use linkglot_markup::{HtmlTokenizer, MarkupSettings};
/// use linkglot_markup::light::{LineSettings, Raw, markdown};
///
/// let html = || HtmlTokenizer::new(&MarkupSettings::default());
/// let settings = LineSettings::default();
/// let mut ranges = Vec::new();
/// markdown::for_each_piece_of_mdx("{a[0](b)} [c](d)", None, settings, &html, &mut |piece| {
///     ranges.extend(match piece.raw {
///         Raw::Range(range) => Some(range),
///         Raw::Gathered(..) => None,
///     });
/// });
/// assert_eq!(ranges, [0..10, 14..15]);
/// ```
pub fn for_each_piece_of_mdx<'t>(
    text: &'t str,
    around: Option<&Surroundings>,
    settings: LineSettings,
    html: &dyn Fn() -> HtmlTokenizer,
    each: &mut dyn FnMut(Piece<'t>),
) {
    let masked = Codes::of(text).masked(text);
    read(
        &masked,
        around,
        settings,
        (html, Content::Prose),
        &mut |piece| {
            each(piece.into_owned());
        },
    );
}

/// Calls `each` for the pieces of a document; `indented`: the content of code without a fence.
fn read<'t>(
    text: &'t str,
    around: Option<&Surroundings>,
    settings: LineSettings,
    (html, indented): (&dyn Fn() -> HtmlTokenizer, Content),
    each: &mut dyn FnMut(Piece<'t>),
) {
    let mut reader = Reader {
        text,
        html,
        reads_code: settings.reads_code(),
        indented,
        links: Vec::new(),
        content: Content::Prose,
        listing: Vec::new(),
        run: None,
        emphases: Vec::new(),
        emphases_in_link: 0,
        inlines: Vec::new(),
        covered: 0,
        pieces: Vec::new(),
        each,
    };
    let text = with_line_feeds(text);
    match around {
        Some(around) => reader.part(&text, around),
        None => {
            for (event, range) in Parser::new_ext(&text, OPTIONS).into_offset_iter() {
                reader.event(&event, range);
            }
        }
    }
    reader.finish()
}

/// The text with LF for each lone CR: a line end of CommonMark (2.1) that the parser does not know. Positions do not
/// change.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_alone = |at: &usize| bytes.get(at + 1) != Some(&b'\n');
    let mut alone = memchr::memchr_iter(b'\r', bytes).filter(is_alone);
    let Some(first) = alone.next() else {
        return Cow::Borrowed(text);
    };
    let (mut lines, mut done) = (String::with_capacity(text.len()), 0);
    for at in std::iter::once(first).chain(alone) {
        lines.push_str(&text[done..at]);
        lines.push('\n');
        done = at + 1;
    }
    lines.push_str(&text[done..]);
    Cow::Owned(lines)
}

static AUTOLINK: Place = link_place("autolink");
static DEFINITION: Place = link_place("definition");

const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM)
    .union(Options::ENABLE_YAML_STYLE_METADATA_BLOCKS)
    .union(Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS);

/// Makes pieces of the events of the parser.
struct Reader<'t, 'r> {
    text: &'t str,
    html: &'r dyn Fn() -> HtmlTokenizer,
    reads_code: bool,
    /// The content of code without a fence.
    indented: Content,
    /// The open links and images.
    links: Vec<OpenLink>,
    content: Content,
    /// The lines of a program, joined where nothing but white space stands between them.
    listing: Vec<Range<usize>>,
    /// Running text that may go on.
    run: Option<Range<usize>>,
    /// For each open emphasis, true if it stands inside of a bare link, as GitHub reads `http://a.example/_b_`.
    emphases: Vec<bool>,
    /// The number of emphases inside of links.
    emphases_in_link: usize,
    /// The inlines of the open block.
    inlines: Vec<Inline>,
    /// The end of the blocks and inlines so far. Definitions stand between them.
    covered: usize,
    /// The pieces of the open block, and of the definitions in front of it.
    pieces: Vec<Piece<'t>>,
    each: &'r mut dyn FnMut(Piece<'t>),
}

/// An open link or image.
struct OpenLink {
    kind: LinkType,
    is_image: bool,
    destination: String,
    range: Range<usize>,
    /// The end of the events in the text of the link so far.
    inner: usize,
}

/// The content of the open block.
#[derive(Clone, Copy, PartialEq)]
enum Content {
    Prose,
    Code,
    Listing(Language),
    Metadata,
    Html,
}

/// A part of a block.
#[derive(Clone, Debug)]
enum Inline {
    Text(Range<usize>),
    Html(Range<usize>),
}

impl<'t> Reader<'t, '_> {
    /// Reads a part of a document.
    fn part(&mut self, text: &str, around: &Surroundings) {
        let preamble = parts::preamble(around, text);
        let whole = match &*preamble {
            "" => Cow::Borrowed(text),
            preamble => Cow::Owned([preamble, text].concat()),
        };
        let defined = |link: BrokenLink<'_>| {
            let is_defined = around.definitions.has_link(&link.reference);
            is_defined.then_some((CowStr::Borrowed(""), CowStr::Borrowed("")))
        };
        let parser = Parser::new_with_broken_link_callback(&whole, OPTIONS, Some(defined));
        let first = preamble.len();
        for (event, range) in parser.into_offset_iter() {
            if range.start >= first {
                self.event(&event, range.start - first..range.end - first);
            }
        }
    }

    fn event(&mut self, event: &Event<'_>, range: Range<usize>) {
        if !is_container(event) {
            self.definitions(range.start);
            self.covered = self.covered.max(range.end);
        }
        let ends_link = matches!(event, Event::End(TagEnd::Link | TagEnd::Image));
        if let Some(open) = self.links.last_mut().filter(|_| !ends_link) {
            open.inner = open.inner.max(range.end.min(open.range.end));
        }
        match event {
            Event::Text(_) => return self.text(range),
            Event::SoftBreak => return,
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough) => {
                return self.start_emphasis(range.start);
            }
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => {
                return self.end_emphasis(range.end);
            }
            _ => self.end_run(),
        }
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(*tag),
            Event::Html(_) | Event::InlineHtml(_) => self.inlines.push(Inline::Html(range)),
            Event::Code(_) if self.reads_code && self.links.is_empty() => self.code_span(range),
            _ => {}
        }
    }

    fn text(&mut self, range: Range<usize>) {
        match self.content {
            Content::Code | Content::Listing(_) if !self.reads_code => {}
            Content::Listing(_) => self.line_of_listing(range),
            Content::Code => self.pieces.push(Piece::text(range, Escaping::None)),
            Content::Html => self.inlines.push(Inline::Html(range)),
            Content::Metadata => self.pieces.push(Piece::text(range, Escaping::None)),
            Content::Prose if !self.links.is_empty() => {}
            Content::Prose => {
                let in_link = self.emphases_in_link > 0;
                match &mut self.run {
                    Some(run) if joins_run(self.text, run.end..range.start, in_link) => {
                        run.end = range.end;
                    }
                    _ => {
                        self.end_run();
                        self.run = Some(range);
                    }
                }
            }
        }
    }

    /// Adds a line of a program.
    fn line_of_listing(&mut self, line: Range<usize>) {
        match self.listing.last_mut() {
            Some(last) if self.text[last.end..line.start].trim_ascii().is_empty() => {
                last.end = line.end;
            }
            _ => self.listing.push(line),
        }
    }

    /// Adds the program of the open block.
    fn end_listing(&mut self) {
        let lines = std::mem::take(&mut self.listing);
        let (Content::Listing(language), [first, ..]) = (self.content, &lines[..]) else {
            return;
        };
        let language =
            Some(language).filter(|one| one.is_program(self.text[first.clone()].as_bytes()));
        if lines.len() == 1 || language.is_none() {
            let pieces = lines
                .into_iter()
                .map(|line| Piece::listing(Raw::Range(line), language));
            return self.pieces.extend(pieces);
        }
        let (start, mut text) = (first.start, MappedText::new());
        for line in lines {
            let at = line.start - start..line.end - start;
            text.push(&self.text[line], at);
        }
        let piece = Piece::listing(Raw::Gathered(start, text), language);
        self.pieces.push(piece);
    }

    /// Adds the code between backticks.
    fn code_span(&mut self, range: Range<usize>) {
        let span = self.text[range.clone()].bytes();
        let marks = span.take_while(|byte| *byte == b'`').count();
        let code = range.start + marks..range.end.saturating_sub(marks);
        if !code.is_empty() {
            self.pieces.push(Piece::text(code, Escaping::None));
        }
    }

    fn end_run(&mut self) {
        self.inlines.extend(self.run.take().map(Inline::Text));
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        let (kind, destination, is_image) = match tag {
            Tag::Link {
                link_type,
                dest_url,
                ..
            } => (*link_type, dest_url, false),
            Tag::Image {
                link_type,
                dest_url,
                ..
            } => (*link_type, dest_url, true),
            _ => return self.start_block(tag),
        };
        self.links.push(OpenLink {
            kind,
            is_image,
            destination: destination.to_string(),
            inner: range.start + 1 + usize::from(is_image),
            range,
        });
    }

    fn start_emphasis(&mut self, at: usize) {
        let run = self.run.as_ref();
        let in_link = run.is_some_and(|run| run.end == at && ends_in_link(&self.text[run.clone()]));
        if !in_link {
            self.end_run();
        }
        self.emphases_in_link += usize::from(in_link);
        self.emphases.push(in_link);
    }

    fn end_emphasis(&mut self, end: usize) {
        let in_link = self.emphases.pop().unwrap_or(false);
        self.emphases_in_link -= usize::from(in_link);
        match &mut self.run {
            Some(run) if in_link => run.end = end,
            _ => self.end_run(),
        }
    }

    fn start_block(&mut self, tag: &Tag<'_>) {
        self.end_block();
        self.content = match tag {
            Tag::CodeBlock(CodeBlockKind::Indented) => self.indented,
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                language(info).map_or(Content::Code, Content::Listing)
            }
            Tag::MetadataBlock(_) => Content::Metadata,
            Tag::HtmlBlock => Content::Html,
            _ => Content::Prose,
        };
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Link | TagEnd::Image => {
                if let Some(open) = self.links.pop() {
                    self.link(open);
                }
            }
            _ => {
                self.end_block();
                self.content = Content::Prose;
            }
        }
    }

    fn link(&mut self, open: OpenLink) {
        match open.kind {
            LinkType::Autolink | LinkType::Email => {
                let range = open.range.start + 1..open.range.end.saturating_sub(1);
                let mut piece = Piece::link(range, Escaping::MarkdownAutolink, &AUTOLINK);
                piece.implied = (open.kind == LinkType::Email).then_some("mailto");
                self.pieces.push(piece);
            }
            LinkType::Inline => {
                let found = destination::of_link(self.text, &open.range, open.inner);
                let place = if open.is_image {
                    &piece::IMAGE
                } else {
                    &piece::INLINE
                };
                if let Some(found) = found {
                    self.destination(&found, place, Some(&open.destination));
                }
            }
            _ => {}
        }
    }

    /// Adds a destination that the parser read as `meaning`. A destination that reads differently here is only listed.
    fn destination(&mut self, found: &Destination, place: &'static Place, meaning: Option<&str>) {
        let raw = &self.text[found.range.clone()];
        let mut piece = Piece::link(found.range.clone(), found.escaping, place);
        if meaning.is_some_and(|meaning| found.escaping.unescape(raw).text() != meaning) {
            piece.access = Access::List;
        }
        self.pieces.push(piece);
    }

    /// Adds the definitions between the last block and `to`.
    fn definitions(&mut self, to: usize) {
        let mut at = self.covered;
        while at < to {
            let gap = &self.text.as_bytes()[at..to];
            let Some(open) = memchr::memchr(b'[', gap) else {
                return;
            };
            at += open + 1;
            if let Some(found) = destination::of_definition(self.text, at, to) {
                at = found.end;
                self.destination(&found, &DEFINITION, None);
            }
        }
    }

    /// Hands over the pieces of the block, whose HTML is complete now. Pieces of later blocks stand behind them.
    fn end_block(&mut self) {
        self.end_run();
        self.end_listing();
        let is_html = |inline: &Inline| matches!(inline, Inline::Html(_));
        if self.inlines.iter().any(is_html) {
            let inlines = std::mem::take(&mut self.inlines);
            html::pieces(self.text, &inlines, (self.html)(), &mut self.pieces);
        }
        if !self.pieces.is_sorted_by_key(Piece::start) {
            self.pieces.sort_unstable_by_key(Piece::start);
        }
        self.hand_over();
    }

    /// Hands over the pieces and the runs of text of the block in order. Both are sorted: to merge them costs less than
    /// to sort them, and a run takes less memory than its piece.
    fn hand_over(&mut self) {
        let mut runs = self.inlines.drain(..).filter_map(|inline| match inline {
            Inline::Text(range) => Some(range),
            Inline::Html(_) => None,
        });
        let mut run = runs.next();
        for piece in self.pieces.drain(..) {
            while let Some(range) = run.take_if(|range| range.start < piece.start()) {
                (self.each)(text_piece(range));
                run = runs.next();
            }
            (self.each)(piece);
        }
        for range in run.into_iter().chain(runs) {
            (self.each)(text_piece(range));
        }
    }

    fn finish(mut self) {
        self.definitions(self.text.len());
        self.end_block();
    }
}

/// The language of a listing: the first word above it, or the word behind the name of a directive (`js {1}`,
/// `rust,no_run`, `{.python}`, `{code-cell} ipython3`).
fn language(info: &str) -> Option<Language> {
    let is_part = |ch: char| ch.is_alphanumeric() || "+#-_".contains(ch);
    let mut words = info.split(|ch| !is_part(ch));
    let mut word = || words.find(|word| !word.is_empty());
    let name = match word()? {
        "code" | "code-block" | "code-cell" | "sourcecode" => word()?,
        name => name,
    };
    Language::named(name)
}

fn text_piece<'t>(range: Range<usize>) -> Piece<'t> {
    Piece::text(range, Escaping::MarkdownText)
}

/// True if an event is the start of a container block, or an end: the range of such an event also covers the
/// definitions inside.
fn is_container(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::End(_)
            | Event::Start(
                Tag::BlockQuote(_) | Tag::List(_) | Tag::Item | Tag::FootnoteDefinition(_)
            )
    )
}

/// True if the last word of a run is a link so far.
fn ends_in_link(run: &str) -> bool {
    /// The most bytes of a word that are read, so that time stays linear.
    const LONGEST: usize = 2048;
    let near = &run.as_bytes()[run.len().saturating_sub(LONGEST)..];
    let word = near.rsplit(u8::is_ascii_whitespace).next();
    word.is_some_and(|word| memchr::memmem::find(word, b"://").is_some())
}

/// True if running text goes on behind a gap: a line end, the delimiters of emphasis in a link, or the backslash of an
/// escape. An escape in a link (`http\://`) is meant to break the link.
fn joins_run(text: &str, gap: Range<usize>, in_link: bool) -> bool {
    let behind = gap.end;
    match text.get(gap) {
        Some("\\") => !text[behind..].starts_with([':', '/', '.', '@']),
        Some(gap) => {
            let is_delimiter = |byte: u8| in_link && b"*_~".contains(&byte);
            gap.trim_ascii().is_empty() || gap.bytes().all(is_delimiter)
        }
        None => false,
    }
}

#[cfg(test)]
mod tests;

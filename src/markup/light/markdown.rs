//! Markdown: CommonMark 0.31, with the tables, footnotes, strikethrough and task lists of GitHub. Its parser is
//! pulldown-cmark, and this is its door.
//!
//! The parser says where a whole link stands and what its destination means; where in it the destination is, is found
//! here (CommonMark 6.3, 6.5 and 4.7). HTML is gathered block by block and read as such; what it says of the text in
//! it (a link, code) holds to the end of the block. A metadata block (front matter) is running text.

mod destination;
mod html;

use super::super::escape::Escaping;
use super::super::html::HtmlTokenizer;
use super::super::slot::Access;
use super::Piece;
use destination::Destination;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use std::borrow::Cow;
use std::ops::Range;

/// Where links may stand in a document, in order, disjoint. `html` makes the tokenizer of the HTML in it. Time is
/// linear, memory some tens of times the document's length at worst.
///
/// ```
/// use linkglot::markup::html::{HtmlSettings, HtmlTokenizer};
/// use linkglot::markup::light::{Raw, markdown};
///
/// let html = || HtmlTokenizer::new(&HtmlSettings::default());
/// let pieces = markdown::pieces("[a](<b c> 'd')", &html);
/// let [piece] = &pieces[..] else { panic!("one piece") };
/// assert!(matches!(&piece.raw, Raw::Range(range) if *range == (5..8)));
/// ```
pub fn pieces<'t>(text: &'t str, html: &dyn Fn() -> HtmlTokenizer) -> Vec<Piece<'t>> {
    let mut reader = Reader {
        text,
        html,
        links: Vec::new(),
        content: Content::Prose,
        run: None,
        emphases: Vec::new(),
        within: 0,
        leaf: Vec::new(),
        covered: 0,
        pieces: Vec::new(),
    };
    let lines = with_line_feeds(text);
    for (event, range) in Parser::new_ext(&lines, options()).into_offset_iter() {
        reader.event(&event, range);
    }
    reader.finish()
}

/// The text for the parser, which takes no CR for a line end unless LF follows (CommonMark 2.1 does). As long as the
/// text, every position is the same.
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

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS
}

/// Puts the parser's events together.
struct Reader<'t, 'h> {
    text: &'t str,
    html: &'h dyn Fn() -> HtmlTokenizer,
    /// The links and images that are open.
    links: Vec<Open>,
    content: Content,
    /// The running text that may go on.
    run: Option<Range<usize>>,
    /// For each emphasis that is open: whether it is within a bare link, as GitHub reads `http://a.example/_b_`.
    emphases: Vec<bool>,
    /// How many of them are.
    within: usize,
    /// What the present block has.
    leaf: Vec<Inline>,
    /// How far blocks and inlines were seen; what lies between them are definitions.
    covered: usize,
    pieces: Vec<Piece<'t>>,
}

/// A link or an image whose end has not come.
struct Open {
    kind: LinkType,
    image: bool,
    destination: String,
    range: Range<usize>,
    /// One past what is known to be in its text.
    inner: usize,
}

/// What the text of the present block is.
#[derive(Clone, Copy, PartialEq)]
enum Content {
    Prose,
    Code,
    Metadata,
    Html,
}

/// A part of a block.
#[derive(Clone, Debug)]
enum Inline {
    Run(Range<usize>),
    Html(Range<usize>),
}

impl<'t> Reader<'t, '_> {
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
            Event::Html(_) | Event::InlineHtml(_) => self.leaf.push(Inline::Html(range)),
            _ => {}
        }
    }

    fn text(&mut self, range: Range<usize>) {
        match self.content {
            Content::Code => {}
            Content::Html => self.leaf.push(Inline::Html(range)),
            Content::Metadata => self.pieces.push(Piece::text(range, Escaping::None)),
            Content::Prose if !self.links.is_empty() => {}
            Content::Prose => {
                match &mut self.run {
                    Some(run)
                        if goes_on(self.text, run.end, range.start)
                            || self.within > 0 && is_delimiter(self.text, run.end, range.start) =>
                    {
                        run.end = range.end;
                    }
                    _ => {
                        self.end_run();
                        self.run = Some(range);
                    }
                };
            }
        }
    }

    fn end_run(&mut self) {
        self.leaf.extend(self.run.take().map(Inline::Run));
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        let (kind, destination, image) = match tag {
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
        self.links.push(Open {
            kind,
            image,
            destination: destination.to_string(),
            inner: range.start + 1 + usize::from(image),
            range,
        });
    }

    fn start_emphasis(&mut self, at: usize) {
        let run = self.run.as_ref();
        let within = run.is_some_and(|run| run.end == at && ends_in_link(&self.text[run.clone()]));
        if !within {
            self.end_run();
        }
        self.within += usize::from(within);
        self.emphases.push(within);
    }

    fn end_emphasis(&mut self, end: usize) {
        let within = self.emphases.pop().unwrap_or(false);
        self.within -= usize::from(within);
        match &mut self.run {
            Some(run) if within => run.end = end,
            _ => self.end_run(),
        }
    }

    fn start_block(&mut self, tag: &Tag<'_>) {
        self.end_leaf();
        self.content = match tag {
            Tag::CodeBlock(_) => Content::Code,
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
                self.end_leaf();
                self.content = Content::Prose;
            }
        }
    }

    fn link(&mut self, open: Open) {
        let inside = || open.range.start + 1..open.range.end.saturating_sub(1);
        match open.kind {
            LinkType::Autolink | LinkType::Email => {
                let range = inside();
                let mut piece = Piece::link(range, Escaping::MarkdownAutolink, "autolink");
                piece.implied = (open.kind == LinkType::Email).then_some("mailto");
                self.pieces.push(piece);
            }
            LinkType::Inline => {
                let found = destination::of_link(self.text, &open.range, open.inner);
                let name = if open.image { "image" } else { "inline" };
                if let Some(found) = found {
                    self.destination(&found, name, Some(&open.destination));
                }
            }
            _ => {}
        }
    }

    /// `meant` is what the parser took the destination for. Where it is read otherwise here, it is listed only.
    fn destination(&mut self, found: &Destination, name: &'static str, meant: Option<&str>) {
        let Some(raw) = self.text.get(found.range.clone()) else {
            return;
        };
        let mut piece = Piece::link(found.range.clone(), found.escaping, name);
        if meant.is_some_and(|meant| found.escaping.unescape(raw).text() != meant) {
            piece.access = Access::List;
        }
        self.pieces.push(piece);
    }

    /// The definitions between what was seen and `to`.
    fn definitions(&mut self, to: usize) {
        let mut at = self.covered;
        while at < to {
            let gap = self.text.get(at..to).unwrap_or_default();
            let Some(open) = memchr::memchr(b'[', gap.as_bytes()) else {
                return;
            };
            at += open + 1;
            if let Some(found) = destination::of_definition(self.text, at, to) {
                at = found.end;
                self.destination(&found, "definition", None);
            }
        }
    }

    /// The block ends: what its HTML and its text mean is known.
    fn end_leaf(&mut self) {
        self.end_run();
        if self.leaf.is_empty() {
            return;
        }
        let leaf = std::mem::take(&mut self.leaf);
        if leaf.iter().any(|inline| matches!(inline, Inline::Html(_))) {
            html::pieces(self.text, &leaf, &mut (self.html)(), &mut self.pieces);
        } else {
            self.pieces
                .extend(leaf.into_iter().map(|inline| match inline {
                    Inline::Run(range) | Inline::Html(range) => text_piece(range),
                }));
        }
    }

    fn finish(mut self) -> Vec<Piece<'t>> {
        self.end_leaf();
        self.definitions(self.text.len());
        self.pieces.sort_by_key(Piece::start);
        self.pieces
    }
}

fn text_piece<'t>(range: Range<usize>) -> Piece<'t> {
    Piece::text(range, Escaping::MarkdownText)
}

/// Whether an event is a container of blocks, or its end: its range says nothing of what is in it.
fn is_container(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::End(_)
            | Event::Start(
                Tag::BlockQuote(_) | Tag::List(_) | Tag::Item | Tag::FootnoteDefinition(_)
            )
    )
}

/// How far back a link may begin that emphasis is within.
const LONGEST: usize = 2048;

/// Whether the last word of a run is a link so far.
fn ends_in_link(run: &str) -> bool {
    let near = &run.as_bytes()[run.len().saturating_sub(LONGEST)..];
    let word = near.rsplit(u8::is_ascii_whitespace).next();
    word.is_some_and(|word| memchr::memmem::find(word, b"://").is_some())
}

/// Whether nothing but the delimiters of emphasis stands in a gap.
fn is_delimiter(text: &str, end: usize, start: usize) -> bool {
    let gap = text.get(end..start).unwrap_or_default();
    gap.bytes().all(|byte| b"*_~".contains(&byte))
}

/// Whether text goes on behind a gap: an escape's backslash (but where somebody took a link apart: `http\://`), or a
/// line end.
fn goes_on(text: &str, end: usize, start: usize) -> bool {
    match text.get(end..start) {
        Some("") => true,
        Some("\\") => !text[start..].starts_with([':', '/', '.', '@']),
        Some(gap) => gap.trim_ascii().is_empty(),
        None => false,
    }
}

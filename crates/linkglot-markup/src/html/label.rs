//! Labels of links: the visible text of an `a`, and the `alt` of an `area`.
//!
//! A label ends at the next tag of an `a`, as links do not nest (13.2.6.4.7, "a start tag whose tag name is a"). Text
//! of foreign elements is read as markup there, so a label never goes beyond the next link that the tokenizer finds:
//! the labels of a document read each byte once.

use super::HtmlTokenizer;
use super::attributes::Facts;
use super::content::Content;
use super::lexer::{Lexeme, Lexer, Take};
use super::tag::{Scan, Tag};
use crate::escape::Escaping;
use crate::slot::Window;
use crate::vocabulary::Context;
use linkglot_charset::Charset;
use std::ops::Range;

/// The most bytes of a label.
const LONGEST: usize = 1 << 10;

/// The most bytes behind a tag in which its label is read.
const LOOKAHEAD: usize = 16 << 10;

/// The label of the last slot.
#[derive(Debug, Default)]
pub(super) struct Labels {
    label: String,
}

impl Labels {
    /// The label of the last slot, unless it is empty.
    pub fn last(&self) -> Option<&str> {
        Some(&*self.label).filter(|label| !label.is_empty())
    }
}

impl HtmlTokenizer {
    /// Reads the label of the slot that is answered next. `false` if the window must grow first: labels must not depend
    /// on the ends of windows. The cursor has moved by `moved` since the tag was read.
    pub(super) fn read_label(
        &mut self,
        window: Window<'_>,
        (cursor, moved): (usize, usize),
    ) -> bool {
        let Some(labels) = &mut self.labels else {
            return true;
        };
        labels.label.clear();
        let Some(pending) = self.pending.get(self.answered) else {
            return true;
        };
        let is_link = matches!(pending.name(), Some("href" | "xlink:href"));
        if !is_link || self.lexer.tag_is_open() {
            return true;
        }
        match pending.element() {
            Some("a") if !(self.was_foreign && self.lexer.tag.self_closing) => {
                let content = cursor + self.lexer.tag.at.saturating_sub(moved);
                let Some(piece) = piece(window, content) else {
                    return false;
                };
                labels.label = Reader::new(piece).read();
            }
            Some("area") => {
                let tag = window.bytes.get(cursor.saturating_sub(moved)..);
                labels.label = alt(tag.unwrap_or_default(), window.charset);
            }
            _ => {}
        }
        true
    }
}

/// The bytes from `start` on in which a label is read; `None` if the window has too few.
fn piece(window: Window<'_>, start: usize) -> Option<Window<'_>> {
    let rest = window.bytes.get(start..).unwrap_or_default();
    match rest.get(..LOOKAHEAD) {
        Some(bytes) if bytes.len() < rest.len() => Some(Window {
            bytes,
            last: false,
            ..window
        }),
        _ if window.last => Some(Window {
            bytes: rest,
            ..window
        }),
        _ => None,
    }
}

/// The `alt` of the tag that begins the bytes.
fn alt(bytes: &[u8], charset: Charset) -> String {
    let (mut tag, mut text) = (Tag::default(), VisibleText::default());
    tag.begin(false);
    if tag.scan(bytes) == Scan::Done {
        text.push_attribute("alt", &facts(&tag, bytes, charset));
    }
    text.text
}

fn facts<'t>(tag: &'t Tag, bytes: &'t [u8], charset: Charset) -> Facts<'t> {
    Facts {
        tag,
        bytes,
        charset,
        parent: None,
    }
}

/// Text with its white space collapsed, at most [`LONGEST`] bytes.
#[derive(Default)]
struct VisibleText {
    text: String,
    /// True if white space comes before the next character.
    is_spaced: bool,
    is_full: bool,
}

impl VisibleText {
    fn push(&mut self, text: &str) {
        for ch in text.chars() {
            if ch.is_whitespace() {
                self.is_spaced = true;
                continue;
            }
            let space = self.is_spaced && !self.text.is_empty();
            self.is_full |= self.text.len() + usize::from(space) + ch.len_utf8() > LONGEST;
            if self.is_full {
                return;
            }
            self.text.extend(space.then_some(' '));
            self.text.push(ch);
            self.is_spaced = false;
        }
    }

    fn push_attribute(&mut self, name: &str, tag: &Facts<'_>) {
        if let Some(value) = tag.attribute(name) {
            self.push(&String::from_utf8_lossy(&value));
        }
    }
}

/// Reads one label.
struct Reader<'w> {
    window: Window<'w>,
    lexer: Lexer,
    text: VisibleText,
    /// The name of the hidden element around, and the number of such elements that are open.
    hidden: Option<(Vec<u8>, u32)>,
    /// The number of elements of foreign content that are open.
    foreign: u32,
}

impl<'w> Reader<'w> {
    fn new(window: Window<'w>) -> Self {
        // No tag is too long for the lexer: the window would end first.
        let mut lexer = Lexer::new(LOOKAHEAD + 1);
        lexer.trim = false;
        Reader {
            window,
            lexer,
            text: VisibleText::default(),
            hidden: None,
            foreign: 0,
        }
    }

    fn read(mut self) -> String {
        let mut cursor = 0;
        while !self.text.is_full {
            match self.lexer.next(self.window, &mut cursor) {
                Lexeme::Text(range, _) => self.text(range),
                Lexeme::Tag if self.tag(cursor).is_none() => break,
                Lexeme::Tag => self.lexer.leave_tag(&mut cursor, 0),
                Lexeme::Comment(..) | Lexeme::Raw(_) | Lexeme::TooLong(..) => {}
                _ => break,
            }
        }
        self.text.text
    }

    fn text(&mut self, range: Range<usize>) {
        if self.hidden.is_some() {
            return;
        }
        let raw = self.window.bytes.get(range).unwrap_or_default();
        let text = self.window.charset.decode(raw);
        match self.lexer.content {
            Content::Data | Content::Rcdata => {
                self.text.push(Escaping::HtmlText.unescape(&text).text());
            }
            _ => self.text.push(&text),
        }
    }

    /// Reads the tag at the cursor; `None` if it ends the label.
    fn tag(&mut self, cursor: usize) -> Option<()> {
        let bytes = self.window.bytes.get(cursor..).unwrap_or_default();
        let name = bytes.get(self.lexer.tag.name.clone()).unwrap_or_default();
        let name = name.to_ascii_lowercase();
        if name == b"a" {
            return None;
        }
        if is_in(BLOCKS, &name) {
            self.text.is_spaced = true;
        }
        if self.lexer.tag.closing {
            self.end_tag(&name);
        } else {
            self.start_tag(&name, bytes);
        }
        Some(())
    }

    fn start_tag(&mut self, name: &[u8], bytes: &[u8]) {
        let is_root = matches!(name, b"svg" | b"math");
        let is_foreign = is_root || self.foreign > 0;
        let is_empty = if is_foreign {
            self.lexer.tag.self_closing
        } else {
            is_in(VOID, name)
        };
        self.foreign += u32::from(is_root && !is_empty);
        let facts = facts(&self.lexer.tag, bytes, self.window.charset);
        let is_hidden = is_hidden(name, &facts);
        match &mut self.hidden {
            Some((hidden, open)) if hidden == name => *open += u32::from(!is_empty),
            Some(_) => {}
            None if is_hidden => self.hidden = (!is_empty).then(|| (name.to_owned(), 1)),
            None if name == b"img" => {
                self.text.is_spaced = true;
                self.text.push_attribute("alt", &facts);
                self.text.is_spaced = true;
            }
            None => {}
        }
        if let Some(content) = content(name).filter(|_| !is_foreign) {
            self.lexer.set_content(content, Take::Stream, name);
        }
    }

    fn end_tag(&mut self, name: &[u8]) {
        if matches!(name, b"svg" | b"math") {
            self.foreign = self.foreign.saturating_sub(1);
        }
        if let Some((hidden, open)) = &mut self.hidden
            && hidden == name
        {
            *open -= 1;
            if *open == 0 {
                self.hidden = None;
            }
        }
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

/// True for elements that are not displayed, by their name or by an attribute (15.3.1).
fn is_hidden(name: &[u8], tag: &Facts<'_>) -> bool {
    let has_no_display = || {
        let style = tag.attribute("style")?;
        let mut style = String::from_utf8_lossy(&style).to_ascii_lowercase();
        style.retain(|ch| !ch.is_whitespace());
        Some(style.contains("display:none"))
    };
    is_in(HIDDEN, name) || tag.attribute("hidden").is_some() || has_no_display().unwrap_or_default()
}

fn is_in(names: &[&str], name: &[u8]) -> bool {
    names.iter().any(|own| own.as_bytes() == name)
}

/// Elements whose content is not displayed, or only where the element cannot be.
const HIDDEN: &[&str] = &[
    "audio", "canvas", "datalist", "desc", "head", "iframe", "metadata", "noembed", "noframes",
    "rp", "script", "style", "template", "title", "video",
];

/// Elements without content (13.1.2).
const VOID: &[&str] = &[
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
];

/// Elements that part the text before them from the text behind.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "button",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "legend",
    "li",
    "listing",
    "main",
    "menu",
    "nav",
    "ol",
    "optgroup",
    "option",
    "p",
    "plaintext",
    "pre",
    "search",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "td",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
    "xmp",
];

//! Labels of links: the visible text of an `a`, and the `alt` of an `area`.
//!
//! A label ends at the next tag of an `a`, as links do not nest (13.2.6.4.7, "a start tag whose tag name is a"). Text
//! of foreign elements is read as markup there, so a label never goes beyond the next link that the tokenizer finds:
//! the labels of a document read each byte once.

use super::HtmlTokenizer;
use super::displayed::{Around, PageMarkup, Reader, VisibleText, facts};
use super::tag::{Scan, Tag};
use crate::slot::Window;
use linkglot_charset::Charset;

/// The most bytes of a label.
const LONGEST: usize = 1 << 10;

/// The most bytes behind a tag in which its label is read.
const LOOKAHEAD: usize = 16 << 10;

/// The label of the last slot.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    label: String,
    /// True if the window does not grow any more, although the document goes on.
    pub is_cut: bool,
}

impl Labels {
    /// The label of the last slot, unless it is empty.
    pub fn last(&self) -> Option<&str> {
        Some(&*self.label).filter(|label| !label.is_empty())
    }

    pub fn clear(&mut self) {
        self.label.clear();
    }

    /// Reads the label of an `a` whose content begins at `content`. `false` if the window must grow first: labels must
    /// not depend on the ends of windows.
    pub fn read_content(
        &mut self,
        window: Window<'_>,
        (markup, around): (PageMarkup, Around),
        content: usize,
    ) -> bool {
        let rest = window.bytes.get(content..).unwrap_or_default();
        let (bytes, last) = match rest.get(..LOOKAHEAD) {
            Some(bytes) if bytes.len() < rest.len() => (bytes, false),
            _ => (rest, window.last),
        };
        let is_whole = last || bytes.len() < rest.len();
        if !is_whole && !self.is_cut {
            return false;
        }
        let piece = Window {
            bytes,
            last,
            ..window
        };
        let text = VisibleText::of_label(LONGEST);
        let mut reader = Reader::new((piece, markup), text, &[]);
        reader.around = around;
        // A label that may go on is none.
        if reader.read(0) || is_whole {
            self.label = reader.text.text;
        }
        true
    }

    /// Reads the label of an `area` from the tag that begins the bytes.
    pub fn read_area(&mut self, bytes: &[u8], charset: Charset) {
        self.label = alt(bytes, charset);
    }
}

impl HtmlTokenizer {
    /// Reads the label of the slot that is answered next. `false` if the window must grow first. The cursor has moved
    /// by `moved` since the tag was read.
    pub(super) fn read_label(
        &mut self,
        window: Window<'_>,
        (cursor, moved): (usize, usize),
    ) -> bool {
        let Some(labels) = &mut self.labels else {
            return true;
        };
        labels.clear();
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
                let around = match () {
                    () if self.was_foreign => Around::Foreign,
                    () if self.tree.is_in_table() => Around::Table,
                    () => Around::Page,
                };
                labels.read_content(window, (PageMarkup::Html, around), content)
            }
            Some("area") => {
                let tag = window.bytes.get(cursor.saturating_sub(moved)..);
                labels.read_area(tag.unwrap_or_default(), window.charset);
                true
            }
            _ => true,
        }
    }
}

/// The `alt` of the tag that begins the bytes.
fn alt(bytes: &[u8], charset: Charset) -> String {
    let (mut tag, mut text) = (Tag::default(), VisibleText::of_label(LONGEST));
    tag.begin(false);
    if tag.scan(bytes) == Scan::Done {
        text.push_attribute("alt", &facts(&tag, bytes, charset));
    }
    text.text
}

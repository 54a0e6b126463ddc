//! Labels of links: the visible text of an `a`, and the `alt` of an `area`.
//!
//! A label ends at the next tag of an `a`, as links do not nest (13.2.6.4.7, "a start tag whose tag name is a"). Text
//! of foreign elements is read as markup there, so a label never goes beyond the next link that the tokenizer finds:
//! the labels of a document read each byte once.

use super::HtmlTokenizer;
use super::displayed::{Reader, VisibleText, facts};
use super::tag::{Scan, Tag};
use crate::slot::Window;
use linkglot_charset::Charset;

/// The most bytes of a label.
const LONGEST: usize = 1 << 10;

/// The most bytes behind a tag in which its label is read.
const LOOKAHEAD: usize = 16 << 10;

/// The label of the last slot.
#[derive(Debug, Default)]
pub(super) struct Labels {
    label: String,
    /// True if the window does not grow any more, although the document goes on.
    pub is_cut: bool,
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
                let piece = match piece(window, content) {
                    Some(piece) => piece,
                    None if !labels.is_cut => return false,
                    None => match whole_content(window, content) {
                        Some(piece) => piece,
                        // A label that may go on is none.
                        None => return true,
                    },
                };
                let mut reader = Reader::new(piece, VisibleText::of_label(LONGEST), &[]);
                reader.read(0);
                labels.label = reader.text.text;
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

/// The bytes from `start` up to the first end tag of an `a`, if there is one.
fn whole_content(window: Window<'_>, start: usize) -> Option<Window<'_>> {
    let rest = window.bytes.get(start..)?;
    let is_end = |at: &usize| matches!(&rest[at + 1..], [b'/', b'a' | b'A', b'>' | b' ', ..]);
    let end = memchr::memchr_iter(b'<', rest).find(is_end)?;
    Some(Window {
        bytes: &rest[..end],
        last: true,
        ..window
    })
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

//! The pieces of lines, as the readers of all formats add them.

use super::super::piece::{Piece, Raw};
use super::LineSettings;
use crate::escape::Escaping;
use crate::html::HtmlTokenizer;
use crate::settings::{CommentSlots, TextSlots};
use crate::slot::{Slot, Syntax};
use crate::slots::Slots;
use linkglot_charset::Charset;
use std::ops::Range;

/// Takes the pieces of a text. Without a tokenizer of HTML only the state behind lines matters.
pub(super) struct Sink<'s, 't> {
    pub text: &'t str,
    settings: LineSettings,
    html: Option<&'s dyn Fn() -> HtmlTokenizer>,
    each: &'s mut dyn FnMut(Piece<'t>),
}

impl<'s, 't> Sink<'s, 't> {
    pub fn new(
        text: &'t str,
        settings: LineSettings,
        html: Option<&'s dyn Fn() -> HtmlTokenizer>,
        each: &'s mut dyn FnMut(Piece<'t>),
    ) -> Self {
        Sink {
            text,
            settings,
            html,
            each,
        }
    }

    pub fn push(&mut self, piece: Piece<'t>) {
        (self.each)(piece);
    }

    /// Adds running text.
    pub fn run(&mut self, range: Range<usize>, escaping: Escaping) {
        if !range.is_empty() {
            self.push(Piece::text(range, escaping));
        }
    }

    /// True if the text of links is read.
    pub fn reads_labels(&self) -> bool {
        self.settings.text == TextSlots::All
    }

    /// Adds code, if code is read.
    pub fn code(&mut self, range: Range<usize>, escaping: Escaping) {
        if self.settings.reads_code() {
            self.run(range, escaping);
        }
    }

    /// Adds a comment, if comments are read.
    pub fn comment(&mut self, range: Range<usize>) {
        if self.settings.comments == CommentSlots::All && !range.is_empty() {
            self.push(Piece::comment(range));
        }
    }

    /// Adds the attributes of a tag of HTML.
    pub fn tag(&mut self, range: Range<usize>) {
        self.nested(range, |slot| slot.syntax != Syntax::Text);
    }

    /// Adds HTML.
    pub fn html(&mut self, range: Range<usize>) {
        self.nested(range, |_| true);
    }

    fn nested(&mut self, range: Range<usize>, is_read: fn(&Slot) -> bool) {
        let text = self.text;
        let (Some(html), Some(raw)) = (self.html, text.get(range.clone())) else {
            return;
        };
        for slot in Slots::new(html(), raw.as_bytes(), Charset::UTF_8) {
            if !is_read(&slot) {
                continue;
            }
            self.push(Piece {
                raw: Raw::Range(range.start + slot.range.start..range.start + slot.range.end),
                escaping: slot.escaping,
                syntax: slot.syntax,
                place: slot.place,
                access: slot.access,
                implied: None,
            });
        }
    }
}

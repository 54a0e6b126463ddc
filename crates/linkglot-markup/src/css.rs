//! CSS: the places of links in style sheets.
//!
//! [`references`] reads the text of a style attribute or element, [`CssTokenizer`] a whole `.css` document as bytes,
//! window by window. Both drive one state machine over the tokens of CSS Syntax Level 3: `url()`, bare and quoted (its
//! name may be written with escapes), `src()`, the strings of `image-set()`, and `@import`. `@namespace`, `@charset`
//! and other strings name no links.
//!
//! The module must know neither the meaning of a style sheet beyond its tokens nor the place of the style sheet.

mod lex;
mod machine;
#[cfg(test)]
mod tests;

use crate::reference::Reference;
use crate::settings::CommentSlots;
use crate::slot::{Access, Name, Place, PlaceKind, Run, Slot, Step, Syntax, Tokenizer, Window};
use crate::text_stretch::{End as TextEnd, TextStretch};
use linkglot_charset::Charset;
use linkglot_charset::span::TextSpan;
use machine::{Event, Function, Machine};

/// Hands every reference of a style sheet or a declaration list to `each`, in order. Linear.
///
/// Spans are bytes of `text`, without quotes and without the white space in `url( )`. The escaping is
/// [`CssString`](crate::Escaping::CssString) or [`CssUrl`](crate::Escaping::CssUrl).
pub(crate) fn references(text: &str, each: &mut dyn FnMut(Reference)) {
    let mut machine = Machine::new(usize::MAX);
    let mut cursor = 0;
    let window = Window {
        bytes: text.as_bytes(),
        last: true,
        charset: Charset::UTF_8,
    };
    while let Event::Found(value) = machine.step(window, &mut cursor) {
        let span = TextSpan::new(value.range.start, value.range.end);
        each(Reference {
            escaping: value.escaping,
            ..Reference::of_kind(span, PlaceKind::Css)
        });
    }
}

/// The tokenizer of CSS documents (CSS Syntax Level 3, section 4).
///
/// Slots have [`Syntax::Single`]. Their place is named after the function or at-rule: `url`, `src`, `image-set`,
/// `@import`. Empty values are no slots.
///
/// ```
/// use linkglot_charset::Charset;
/// use linkglot_markup::CssTokenizer;
/// use linkglot_markup::{Step, Tokenizer, Window};
///
/// let window = Window { bytes: b"@import 'y.css';", last: true, charset: Charset::UTF_8 };
/// let Step::Slot(slot) = CssTokenizer::new(1 << 20).step(window, &mut 0) else { panic!("a slot") };
/// assert_eq!(slot.range, 9..14);
/// assert_eq!(slot.place.name.as_deref(), Some("@import"));
/// ```
#[derive(Debug)]
pub struct CssTokenizer {
    machine: Machine,
    /// The comment that is being read.
    comment: Option<TextStretch>,
    names: [Name; Function::ALL.len()],
}

impl CssTokenizer {
    /// A tokenizer at the beginning of a document. Values of more than `max_slot` bytes are skipped
    /// ([`Step::TooLong`]).
    pub fn new(max_slot: usize) -> Self {
        CssTokenizer {
            machine: Machine::new(max_slot),
            comment: None,
            names: Function::ALL.map(|function| Name::built_in(function.name())),
        }
    }

    /// The tokenizer that also answers the text of comments ([`Syntax::Text`]) with [`CommentSlots::All`].
    ///
    /// ```
    /// use linkglot_charset::Charset;
    /// use linkglot_markup::{CommentSlots, CssTokenizer, Slots};
    ///
    /// let css = CssTokenizer::new(1 << 20).comments(CommentSlots::All);
    /// let slots = Slots::new(css, b"/* http://a.example */ @import 'b.css';", Charset::UTF_8);
    /// assert_eq!(slots.count(), 2);
    /// ```
    #[must_use]
    pub fn comments(mut self, comments: CommentSlots) -> Self {
        if comments == CommentSlots::All {
            self.machine = self.machine.with_comments();
        }
        self
    }

    fn place(&self, function: Function) -> Place {
        let name = self.names.get(function as usize).cloned();
        Place::new(PlaceKind::Css, None, name)
    }
}

impl Tokenizer for CssTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        loop {
            if let Some(comment) = &mut self.comment {
                if let Some(step) = comment.step(window, cursor) {
                    return step;
                }
                self.comment = None;
                self.machine.resume();
            }
            return match self.machine.step(window, cursor) {
                Event::Found(value) => Step::Slot(Slot {
                    range: value.range,
                    escaping: value.escaping,
                    syntax: Syntax::Single,
                    place: self.place(value.function).into(),
                    access: Access::Rewrite,
                    run: Run::WHOLE,
                }),
                Event::Comment(start) => {
                    *cursor = start;
                    self.comment = Some(TextStretch::new(TextEnd::Block));
                    continue;
                }
                Event::TooLong(at, function) => Step::TooLong(at, self.place(function)),
                Event::NeedMore => Step::NeedMore,
                Event::End => Step::End,
            };
        }
    }
}

//! CSS: where links stand in style sheets.
//!
//! Two faces of one state machine. [`references`] reads the text of a style attribute or element;
//! [`CssTokenizer`] reads a whole `.css` document as the bytes that it is, window by window. Both see
//! what the tokens of CSS Syntax Level 3 say: `url()` bare and quoted (its name may be spelled with
//! escapes), `src()`, the strings of `image-set()`, and what `@import` names. `@namespace` and `@charset`
//! name no links, nor do strings elsewhere.
//!
//! It must not know what a style sheet means beyond its tokens, nor what stands around it.

mod lex;
mod machine;
#[cfg(test)]
mod tests;

use super::slot::{Access, Name, Place, PlaceKind, Run, Slot, Step, Syntax, Tokenizer, Window};
use super::values::Part;
use crate::charset::Charset;
use crate::span::TextSpan;
use lex::Input;
pub(super) use lex::boundary;
use machine::{Event, Function, Machine};

/// Hands every reference of a style sheet or declaration list to `each`, in order. O(n).
///
/// Spans are bytes of `text`, without quotes and without the white space in `url( )`; the escaping
/// is [`CssString`](super::Escaping::CssString) or [`CssUrl`](super::Escaping::CssUrl).
///
/// ```
/// let mut found = Vec::new();
/// let text = "a { background: url( x.png ) } @import 'y.css';";
/// linkglot::markup::css::references(text, &mut |part| found.push(part.span.of(text)));
/// assert_eq!(found, ["x.png", "y.css"]);
/// ```
pub fn references(text: &str, each: &mut dyn FnMut(Part)) {
    let mut machine = Machine::new(usize::MAX);
    let mut cursor = 0;
    let input = Input {
        bytes: text.as_bytes(),
        last: true,
        charset: Charset::UTF_8,
    };
    while let Event::Found(found) = machine.step(input, &mut cursor) {
        each(Part {
            span: TextSpan::new(found.range.start, found.range.end),
            escaping: found.escaping,
            kind: Some(PlaceKind::Css),
        });
    }
}

/// The tokenizer of CSS documents (CSS Syntax Level 3, section 4).
///
/// Slots have [`Syntax::Single`] and are named after their function or at-rule: `url`, `src`,
/// `image-set`, `@import`. Empty values are no slots.
#[derive(Debug)]
pub struct CssTokenizer {
    machine: Machine,
    names: [Name; 4],
}

impl CssTokenizer {
    /// A tokenizer for a document read from its begin. Values with more than `max_slot` bytes are
    /// answered with [`Step::TooLong`].
    pub fn new(max_slot: usize) -> Self {
        CssTokenizer {
            machine: Machine::new(max_slot),
            names: Function::ALL.map(|function| Name::built_in(function.name())),
        }
    }

    fn place(&self, function: Function) -> Place {
        let name = self.names.get(function as usize).cloned();
        Place::new(PlaceKind::Css, None, name)
    }
}

impl Tokenizer for CssTokenizer {
    fn step(&mut self, window: Window<'_>, cursor: &mut usize) -> Step {
        let input = Input {
            bytes: window.bytes,
            last: window.last,
            charset: window.charset,
        };
        match self.machine.step(input, cursor) {
            Event::Found(found) => Step::Slot(Slot {
                range: found.range,
                escaping: found.escaping,
                syntax: Syntax::Single,
                place: self.place(found.function).into(),
                access: Access::Rewrite,
                run: Run::WHOLE,
            }),
            Event::TooLong(at, function) => Step::TooLong(at, self.place(function)),
            Event::NeedMore => Step::NeedMore,
            Event::End => Step::End,
        }
    }
}

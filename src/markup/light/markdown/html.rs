//! HTML in Markdown: the tags of a block as one piece of HTML.

use super::super::super::html::HtmlTokenizer;
use super::super::super::slot::{Slot, Step, Syntax, Tokenizer, Window};
use super::super::gathered::Gathered;
use super::super::{Piece, Raw};
use super::{Inline, text_piece};
use crate::charset::Charset;
use std::ops::Range;

/// What stands for a run of Markdown's own text in the HTML: whether the tokenizer answers it says whether text is to
/// be read there. (It looks like a link: text without one need not be answered.)
const MARK: &str = "a://a ";

/// The pieces of a block of HTML, or of text with tags.
pub(super) fn pieces<'t>(
    text: &'t str,
    leaf: &[Inline],
    tokenizer: &mut HtmlTokenizer,
    out: &mut Vec<Piece<'t>>,
) {
    let (html, runs) = gather(text, leaf);
    let window = Window {
        bytes: html.text().as_bytes(),
        last: true,
        charset: Charset::UTF_8,
    };
    let mut cursor = 0;
    loop {
        match tokenizer.step(window, &mut cursor) {
            Step::Slot(slot) if slot.syntax != Syntax::Text => {
                out.extend(html.piece(piece(&slot, slot.range.clone())));
            }
            Step::Slot(slot) if runs.is_empty() => {
                let parts = html.parts(slot.range.clone());
                out.extend(parts.map(|part| piece(&slot, part)));
            }
            Step::Slot(slot) => {
                let inside = runs.partition_point(|(at, _)| *at < slot.range.start);
                let inside = runs[inside..].iter();
                let inside = inside.take_while(|(at, _)| *at < slot.range.end);
                out.extend(inside.map(|(_, run)| text_piece(run.clone())));
            }
            Step::TooLong(..) => {}
            Step::NeedMore | Step::End => return,
        }
    }
}

/// The HTML of a block with marks for its text, and where they stand.
fn gather<'t>(text: &'t str, leaf: &[Inline]) -> (Gathered<'t>, Vec<(usize, Range<usize>)>) {
    let (mut html, mut runs) = (Gathered::new(text), Vec::new());
    for inline in leaf {
        match inline {
            Inline::Html(range) => html.push(range.clone()),
            Inline::Run(range) => {
                runs.push((html.text().len(), range.clone()));
                html.push_mark(MARK);
            }
        }
    }
    (html, runs)
}

fn piece<'p>(slot: &Slot, range: Range<usize>) -> Piece<'p> {
    Piece {
        raw: Raw::Range(range),
        escaping: slot.escaping,
        syntax: slot.syntax,
        place: slot.place.clone(),
        access: slot.access,
        implied: None,
    }
}

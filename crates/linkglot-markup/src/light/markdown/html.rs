//! HTML in Markdown: the tags of a block, read as one piece of HTML.

use super::super::gathered::Gathered;
use super::super::piece::{Piece, Raw};
use super::{Inline, text_piece};
use crate::html::HtmlTokenizer;
use crate::slot::{PlaceKind, Slot, Syntax};
use crate::slots::Slots;
use linkglot_charset::Charset;
use std::ops::Range;

/// Placeholder for a run of running text in the HTML. If the tokenizer answers the mark, the run is read. The mark
/// looks like a link, because tokenizers may leave out text that cannot contain a link.
const MARK: &str = "a://a ";

/// Adds the pieces of an HTML block, or of text with tags.
pub(super) fn pieces<'t>(
    document: &'t str,
    inlines: &[Inline],
    tokenizer: HtmlTokenizer,
    pieces: &mut Vec<Piece<'t>>,
) {
    let (html, runs) = gather(document, inlines);
    for slot in Slots::new(tokenizer, html.text().as_bytes(), Charset::UTF_8) {
        let range = slot.range.clone();
        if slot.syntax != Syntax::Text {
            pieces.extend(html.piece(piece(&slot, range)));
        } else if runs.is_empty() || slot.place.kind == PlaceKind::Comment {
            pieces.extend(html.sources(range).map(|source| piece(&slot, source)));
        } else {
            let first = runs.partition_point(|(at, _)| *at < range.start);
            let inside = runs[first..].iter();
            let inside = inside.take_while(|(at, _)| *at < range.end);
            pieces.extend(inside.map(|(_, run)| text_piece(run.clone())));
        }
    }
}

/// The HTML of a block with marks for its running text, and the runs with the positions of their marks.
fn gather<'t>(document: &'t str, inlines: &[Inline]) -> (Gathered<'t>, Vec<(usize, Range<usize>)>) {
    let (mut html, mut runs) = (Gathered::new(document), Vec::new());
    for inline in inlines {
        match inline {
            Inline::Html(range) => html.push(range.clone()),
            Inline::Text(range) => {
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

//! Edits: a new reference, written so that it stands where the old one stood.

use super::mapping::Queries;
use super::runs::{Change, changes, extended};
use crate::charset::Charset;
use crate::link::{Found, Layers};
use crate::markup::{Escaping, PlaceKind};
use crate::span::TextSpan;
use std::ops::Range;

/// How much of a link is written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Only the parts that differ.
    Changes,
    /// All of it.
    Whole,
}

/// Window bytes and the text that replaces them, escaped for its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    pub range: Range<usize>,
    pub text: String,
}

/// The patches that turn a link into `new`. `window` is where it was found, in the charset
/// `view`; `charset` is the document's. `None` when it cannot be written there.
pub(crate) fn patches(
    found: &Found<'_>,
    new: &str,
    extent: Extent,
    window: &[u8],
    charset: Charset,
) -> Option<Vec<Patch>> {
    let old = found.text.text();
    // Shift states join at characters only.
    let shifts = charset.is_stateful();
    let is_empty = |part: &Change| part.old.is_empty() || part.new.is_empty();
    let parts = match extent {
        Extent::Changes if shifts => {
            let parts = extended(changes(old, new), old, |next| {
                let written = window.get(found.source(next)).unwrap_or(&[]);
                written.is_ascii() && *written == old.as_bytes()[next.start..next.end]
            });
            Some(parts).filter(|parts| !parts.iter().any(is_empty))
        }
        Extent::Changes => Some(changes(old, new)),
        Extent::Whole => None,
    };
    let extent = parts.as_ref().map_or(Extent::Whole, |_| extent);
    let parts = parts.unwrap_or_else(|| {
        vec![Change {
            old: 0..old.len(),
            new: 0..new.len(),
        }]
    });
    /// As much of a link as shows how it is written; each part that changes looks at it.
    const PATTERN: usize = 1024;
    let raw = &window[found.range.clone()];
    let pattern = &raw[..raw.len().min(PATTERN)];
    let styles = styles(found.site.layers, &charset.view().decode(pattern));
    parts
        .into_iter()
        .map(|part| {
            let range = if extent == Extent::Whole {
                found.range.clone()
            } else {
                let range = found.source(TextSpan::new(part.old.start, part.old.end));
                behind_break(window, range, found)
            };
            let text = escape(found.site.layers, &styles, &new[part.new], charset)?;
            Some(Patch { range, text })
        })
        .collect()
}

/// A part of a link of running text without the line break in front of it, over which the link goes:
/// that stays. No part begins with white space of its own.
fn behind_break(window: &[u8], range: Range<usize>, found: &Found<'_>) -> Range<usize> {
    if found.site.place.kind != PlaceKind::Text {
        return range;
    }
    let part = window.get(range.clone()).unwrap_or(&[]);
    let mut is_behind = false;
    let skipped = part.iter().take_while(|byte| {
        is_behind |= matches!(byte, b'\n' | b'\r');
        matches!(byte, b'\n' | b'\r' | b' ' | b'\t') || is_behind && **byte == b'>'
    });
    range.start + skipped.count()..range.end
}

/// The raw link as each layer writes it, outermost first: patterns for how to write the new one.
fn styles(layers: Layers, raw: &str) -> Vec<String> {
    let mut styles = vec![raw.to_owned()];
    for layer in layers.as_slice() {
        let inner = styles
            .last()
            .map(|raw| layer.unescape(raw).into_text().into_owned());
        styles.extend(inner);
    }
    styles
}

fn escape(layers: Layers, styles: &[String], text: &str, charset: Charset) -> Option<String> {
    let mut text = text.to_owned();
    for (depth, layer) in layers.as_slice().iter().enumerate().rev() {
        // What a level outside can write as a reference may stand here as it is.
        let outside = layers.as_slice()[..depth]
            .iter()
            .any(|layer| references(*layer));
        let encodable = |ch: char| outside || charset.can_encode(ch);
        text = layer.escape(&text, &styles[depth], &encodable)?;
    }
    text.chars()
        .all(|ch| charset.can_encode(ch))
        .then_some(text)
}

/// Whether every character can be written at a place: some layer has character references for
/// what the charset lacks.
pub(crate) fn has_references(layers: Layers) -> bool {
    layers.as_slice().iter().any(|layer| references(*layer))
}

/// Whether an escaping can write every character.
fn references(escaping: Escaping) -> bool {
    matches!(
        escaping,
        Escaping::HtmlAttribute(_)
            | Escaping::HtmlText
            | Escaping::XmlAttribute(_)
            | Escaping::XmlText
            | Escaping::XhtmlAttribute(_)
            | Escaping::XhtmlText
            | Escaping::XmlInstruction(_)
            | Escaping::JsonString
            | Escaping::MarkdownBare
            | Escaping::MarkdownAngle
    )
}

/// How browsers read queries at a place. Style sheets are read in UTF-8 by the standard (CSS Values 4 names no
/// charset) but in their own charset by Chromium, unless they are in an attribute; the document in a `srcdoc` is
/// in UTF-8 whatever the one around it is in (HTML 13.2.3.2); JSON belongs to whoever reads it.
pub(crate) fn queries(kind: PlaceKind, layers: Layers) -> Queries {
    let is_html =
        |layer: &Escaping| matches!(layer, Escaping::HtmlAttribute(_) | Escaping::HtmlText);
    match (kind, layers.as_slice()) {
        (PlaceKind::Css | PlaceKind::Script, _) => Queries::Doubtful,
        (
            _,
            [
                Escaping::HtmlAttribute(_)
                | Escaping::XmlAttribute(_)
                | Escaping::XhtmlAttribute(_),
                inner @ ..,
            ],
        ) if inner.iter().any(is_html) => Queries::Doubtful,
        _ => Queries::Known,
    }
}

/// How many bytes a patch writes in the charset of its window; none for what the charset lacks.
pub(crate) fn encoded_len(patch: &Patch, view: Charset) -> usize {
    // All views are supersets of ASCII.
    if patch.text.is_ascii() || view == Charset::UTF_8 {
        return patch.text.len();
    }
    let mut bytes = Vec::new();
    match view.encode(&patch.text, &mut bytes) {
        Ok(()) => bytes.len(),
        Err(_) => 0,
    }
}

/// The window's bytes of `range` with patches (sorted, disjoint, inside it) applied.
pub(crate) fn applied<'p>(
    window: &[u8],
    range: &Range<usize>,
    patches: impl IntoIterator<Item = &'p Patch>,
    view: Charset,
) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(range.len());
    let mut at = range.start;
    for patch in patches {
        out.extend_from_slice(window.get(at..patch.range.start)?);
        view.encode(&patch.text, &mut out).ok()?;
        at = patch.range.end;
    }
    out.extend_from_slice(window.get(at..range.end)?);
    Some(out)
}

//! Re-reading edits before they are written: the new links must be found where they were put, and
//! no other link may change (promises P2 and P3).

use super::edit::{Patch, applied};
use crate::link::{Base, Found, LOOKAHEAD, Reader};
use crate::markup::{Escaping, Run, Slot};
use std::ops::Range;

/// How many bytes before a link in running text are looked at.
const BEFORE: usize = 256;

/// Whether a slot with patches reads as the links `old` at the same places, with `texts` for text.
pub(crate) fn slot_rereads(
    reader: &Reader,
    window: &[u8],
    slot: &Slot,
    old: &[Found<'_>],
    patches: &[Patch],
    texts: &[&str],
) -> bool {
    let Some(raw) = applied(window, &slot.range, patches, reader.charset) else {
        return false;
    };
    let opens = patches.iter().any(|patch| opens_tag(slot, window, patch));
    if opens || !keeps_marks(reader, slot, &window[slot.range.clone()], &raw) {
        return false;
    }
    let mut found = Vec::new();
    reader.read(slot, &raw, &Base::Document, &mut found);
    found.len() == texts.len()
        && found
            .iter()
            .zip(texts)
            .zip(old)
            .all(|((found, text), old)| {
                found.text.text() == *text
                    && found.site.place == old.site.place
                    && found.implied == old.implied
            })
}

/// Whether what holds a slot (a comment, a CDATA section, raw text, quotes ...) still ends where it does when `new` stands
/// in place of `old`, and nothing begins in it: bytes that stay may make markup with an edit beside them.
fn keeps_marks(reader: &Reader, slot: &Slot, old: &[u8], new: &[u8]) -> bool {
    let marks = |raw| slot.escaping.marks(&reader.charset.decode(raw));
    marks(old) == marks(new)
}

/// A link in running text with its patches.
#[derive(Clone, Debug)]
pub(crate) struct Patched {
    /// Where it stands in the window.
    pub range: Range<usize>,
    pub patches: Vec<Patch>,
    /// What it reads as with them.
    pub text: String,
}

/// Whether links in running text (one, or two neighbours) are found again where their patches put
/// them, and all around is read as before. `around` is what is looked at.
pub(crate) fn text_rereads(
    reader: &Reader,
    slot: &Slot,
    window: &[u8],
    around: &Range<usize>,
    links: &[&Patched],
) -> bool {
    let patches: Vec<Patch> = links
        .iter()
        .flat_map(|link| link.patches.iter().cloned())
        .collect();
    if patches.iter().any(|patch| opens_tag(slot, window, patch)) {
        return false;
    }
    let Some(raw) = applied(window, around, &patches, reader.charset) else {
        return false;
    };
    if !keeps_marks(reader, slot, &window[around.clone()], &raw) {
        return false;
    }
    let whole = Slot {
        run: Run::WHOLE,
        ..slot.clone()
    };
    let (mut old, mut new) = (Vec::new(), Vec::new());
    reader.read(&whole, &window[around.clone()], &Base::Document, &mut old);
    reader.read(&whole, &raw, &Base::Document, &mut new);
    let place = |range: &Range<usize>| range.start + around.start..range.end + around.start;
    let all_there = links
        .iter()
        .all(|link| old.iter().any(|old| place(&old.range) == link.range));
    all_there
        && old.len() == new.len()
        && old.iter().zip(&new).all(|(old, new)| {
            let was = place(&old.range);
            let link = links.iter().find(|link| link.range == was);
            let text = link.map_or(old.text.text(), |link| &link.text);
            let moved = moved(was.start, &patches, reader)..moved(was.end, &patches, reader);
            new.text.text() == text && place(&new.range) == moved && new.implied == old.implied
        })
}

/// Whether a patch makes markup of a `<` that is text before it.
fn opens_tag(slot: &Slot, window: &[u8], patch: &Patch) -> bool {
    matches!(
        slot.escaping,
        Escaping::HtmlText | Escaping::XmlText | Escaping::XhtmlText
    ) && window[..patch.range.start].last() == Some(&b'<')
}

/// Where a position that no patch covers is when the patches are applied.
fn moved(at: usize, patches: &[Patch], reader: &Reader) -> usize {
    let before = patches.iter().filter(|patch| patch.range.end <= at);
    before.fold(at, |at, patch| {
        let mut bytes = Vec::new();
        let _ = reader.charset.encode(&patch.text, &mut bytes);
        at + bytes.len() - patch.range.len()
    })
}

/// What is looked at around a link in running text, not beyond its run: back to white space, or to
/// the link itself; forward over what the machine holds ready ([`LOOKAHEAD`]), cut at white space
/// where there is some. `from` is a link right before it that is looked at too.
pub(crate) fn surroundings(
    window: &[u8],
    run: &Range<usize>,
    link: &Range<usize>,
    from: Option<usize>,
) -> Range<usize> {
    let own = from.unwrap_or(link.start);
    let start = match own.saturating_sub(BEFORE) {
        far if far <= run.start => run.start,
        // Behind white space a decoder starts fresh, and a scanner too.
        far => {
            let before = &window[far..own];
            // From a line's begin, if there is one: it tells a quotation's marks.
            let line = before.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let white = line.or_else(|| before.iter().position(u8::is_ascii_whitespace));
            white.map_or(own, |at| far + at)
        }
    };
    if run.end < link.end + LOOKAHEAD {
        return start..run.end;
    }
    let to = link.end + LOOKAHEAD;
    let tail = &window[link.end..to];
    match tail.iter().rposition(u8::is_ascii_whitespace) {
        Some(at) => start..link.end + at,
        None => start..safe_end(window, link.end, to),
    }
}

/// Whether a link ends so close before another one that both must be looked at together.
pub(crate) fn is_near(before: &Range<usize>, link: &Range<usize>) -> bool {
    before.end <= link.start && link.start - before.start <= BEFORE
}

/// The last position up to `to` behind a byte that is a character of its own.
fn safe_end(window: &[u8], from: usize, to: usize) -> usize {
    let tail = &window[from..to];
    tail.iter()
        .rposition(|&byte| crate::ascii::is_safe(byte))
        .map_or(from, |at| from + at + 1)
}

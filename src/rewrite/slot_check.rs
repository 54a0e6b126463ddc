//! Reads a slot again with its edits: the new links must be found at their places, and no other link may change (promises P2
//! and P3).

use super::edit::{Patch, applied};
use crate::link::{Base, SlotReader, WindowLink, still_implied};
use crate::markup::{Escaping, Slot};
use std::ops::Range;

/// Whether a slot with patches reads as the links `old` at the same places, and their texts as `texts`.
pub(crate) fn slot_rereads(
    reader: &SlotReader,
    window: &[u8],
    slot: &Slot,
    old: &[WindowLink<'_>],
    patches: &[Patch],
    texts: &[&str],
) -> bool {
    let Some(raw) = applied(window, &slot.range, patches, reader.charset) else {
        return false;
    };
    let opens = patches.iter().any(|patch| opens_tag(slot, window, patch));
    if opens || !keeps_marks(reader, slot.escaping, &window[slot.range.clone()], &raw) {
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
                    && found.context.place == old.context.place
                    && found.implied == still_implied(text, old.implied)
            })
}

/// Whether a slot with patches, or the tag of XML that it stands in, is still read in one piece: what is longer than
/// `max_slot` reads otherwise, and a second run would see another document (promises P3 and P5).
pub(crate) fn stays_short(max_slot: usize, slot: &Slot, window: &[u8], patches: &[Patch]) -> bool {
    let removed: usize = patches.iter().map(|patch| patch.range.len()).sum();
    let added: usize = patches.iter().map(|patch| patch.text.len()).sum();
    if added <= removed {
        return true;
    }
    let length = match slot.escaping {
        Escaping::XmlAttribute(_) | Escaping::XhtmlAttribute(_) => tag_length(slot, window),
        Escaping::CssUrl | Escaping::CssString(_) => slot.range.len(),
        _ => return true,
    };
    length + (added - removed) <= max_slot
}

/// The length of the tag around an attribute, as far as a few KiB on either side show it: tags have many attributes, and
/// time stays linear.
fn tag_length(slot: &Slot, window: &[u8]) -> usize {
    const NEAR: usize = 4096;
    let Range { start, end } = slot.range;
    let before = &window[start.saturating_sub(NEAR)..start];
    let behind = &window[end..window.len().min(end + NEAR)];
    let before = memchr::memrchr(b'<', before).map_or(0, |at| before.len() - at);
    let behind = memchr::memchr(b'>', behind).map_or(0, |at| at + 1);
    before + (end - start) + behind
}

/// Whether `new` has the same marks of markup as `old`, so that the comment, CDATA section, attribute or raw text around the
/// slot still ends where it did. An edit may complete a mark with unchanged bytes beside it.
pub(crate) fn keeps_marks(reader: &SlotReader, escaping: Escaping, old: &[u8], new: &[u8]) -> bool {
    let marks = |raw| escaping.delimiters(&reader.charset.decode(raw));
    escaping == Escaping::None || marks(old) == marks(new)
}

/// Whether a patch could make a tag of a `<` in front of it that is text.
pub(crate) fn opens_tag(slot: &Slot, window: &[u8], patch: &Patch) -> bool {
    matches!(
        slot.escaping,
        Escaping::HtmlText | Escaping::XmlText | Escaping::XhtmlText
    ) && window[..patch.range.start].last() == Some(&b'<')
}

//! Reads a slot again with its edits: the new links must be found at their places, and no other link may change (promises P2
//! and P3).

use super::edit::{Patch, applied};
use crate::link::{Base, SlotReader, WindowLink, still_implied};
use crate::markup::{Escaping, Slot};

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

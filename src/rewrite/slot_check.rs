//! Reads a slot again with its edits: the new links must be found at their places, and no other link may change (promises P2
//! and P3).

use super::edit::Patch;
use crate::charset::Charset;
use crate::link::{Base, SlotReader, still_implied};
use crate::markup::{Escaping, Slot};
use crate::stream::SlotRead;
use std::ops::Range;

/// A slot with patches. These are not kept: a document in light markup is one slot, and may have many.
pub(crate) struct Draft<'r, 'w> {
    read: &'r SlotRead<'w>,
    view: Charset,
    raw: Vec<u8>,
    /// The window is written up to this byte.
    at: usize,
    /// How many bytes the patches replace, and by how many.
    removed: usize,
    added: usize,
    opens_tag: bool,
}

impl<'r, 'w> Draft<'r, 'w> {
    pub fn new(read: &'r SlotRead<'w>, view: Charset) -> Self {
        Draft {
            read,
            view,
            raw: Vec::with_capacity(read.slot.range.len()),
            at: read.slot.range.start,
            removed: 0,
            added: 0,
            opens_tag: false,
        }
    }

    pub fn read(&self) -> &'r SlotRead<'w> {
        self.read
    }

    /// Applies the next patch, behind the last one. `None` when it cannot be written.
    pub fn patch(&mut self, patch: &Patch) -> Option<()> {
        let window = self.read.window.bytes;
        let kept = window.get(self.at..patch.range.start)?;
        self.raw.extend_from_slice(kept);
        self.view.encode(&patch.text, &mut self.raw).ok()?;
        self.at = patch.range.end;
        self.removed += patch.range.len();
        self.added += patch.text.len();
        self.opens_tag |= opens_tag(&self.read.slot, window, patch);
        Some(())
    }

    /// The slot with its patches.
    fn finish(mut self) -> Option<Vec<u8>> {
        let rest = self
            .read
            .window
            .bytes
            .get(self.at..self.read.slot.range.end)?;
        self.raw.extend_from_slice(rest);
        Some(self.raw)
    }

    /// Whether the slot reads as the same links at the same places, with `texts`.
    pub fn rereads(self, reader: &SlotReader, texts: &[&str]) -> bool {
        let (slot, old) = (&self.read.slot, &self.read.found);
        let before = &self.read.window.bytes[slot.range.clone()];
        if self.opens_tag {
            return false;
        }
        let Some(raw) = self.finish() else {
            return false;
        };
        if !keeps_marks(reader, slot.escaping, before, &raw) {
            return false;
        }
        let (mut expected, mut is_same) = (old.iter().zip(texts), true);
        reader.read_each(slot, &raw, &Base::Document, &mut |found| {
            is_same &= expected.next().is_some_and(|(old, text)| {
                found.text.text() == *text
                    && found.context.place == old.context.place
                    && found.implied == still_implied(text, old.implied)
            });
        });
        is_same && expected.next().is_none()
    }

    /// Whether the slot, or the tag of XML that it stands in, is still read in one piece: what is longer than `max_slot`
    /// reads otherwise, and a second run would see another document (promises P3 and P5).
    pub fn stays_short(&self, max_slot: usize) -> bool {
        if self.added <= self.removed {
            return true;
        }
        let slot = &self.read.slot;
        let length = match slot.escaping {
            Escaping::XmlAttribute(_) | Escaping::XhtmlAttribute(_) => {
                tag_length(slot, self.read.window.bytes)
            }
            Escaping::CssUrl | Escaping::CssString(_) => slot.range.len(),
            _ => return true,
        };
        length + (self.added - self.removed) <= max_slot
    }
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

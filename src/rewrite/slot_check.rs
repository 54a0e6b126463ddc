//! Reads a slot again with its edits: the new links must be found at their places, and no other link may change (promises P2
//! and P3).

use super::edit::Patch;
use crate::charset::Charset;
use crate::link::{Base, SlotReader, WindowLink, still_implied};
use crate::markup::{Escaping, Slot, Step, Tokenizer, WholeTokenizer, Window};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::ops::Range;

/// A slot with patches. Neither these nor its links are kept: a document in light markup is one slot, and may have many.
pub(crate) struct Draft<'w> {
    slot: Slot,
    window: Window<'w>,
    view: Charset,
    raw: Vec<u8>,
    /// The window is written up to this byte.
    at: usize,
    /// How many bytes the patches replace, and by how many.
    removed: usize,
    added: usize,
    opens_tag: bool,
    /// How the links should read.
    expected: Reading,
    /// The key of the fingerprints. It is random: nobody can write links that are taken for others.
    key: RandomState,
}

/// A fingerprint of how the links of a slot read, in order: their texts, places and implied schemes.
struct Reading(DefaultHasher);

impl Reading {
    fn new(key: &RandomState) -> Self {
        Reading(key.build_hasher())
    }

    /// Adds a link with a text and an implied scheme.
    fn add(&mut self, found: &WindowLink<'_>, text: &str, implied: Option<&str>) {
        (text, &*found.context.place, implied).hash(&mut self.0);
    }
}

impl<'w> Draft<'w> {
    /// The begin of a slot.
    pub fn new(slot: Slot, window: Window<'w>, view: Charset) -> Self {
        let (start, key) = (slot.range.start, RandomState::new());
        Draft {
            raw: Vec::with_capacity(slot.range.len()),
            slot,
            window,
            view,
            at: start,
            removed: 0,
            added: 0,
            opens_tag: false,
            expected: Reading::new(&key),
            key,
        }
    }

    /// The next link stays as it is.
    pub fn keep(&mut self, found: &WindowLink<'_>) {
        self.expected.add(found, found.text.text(), found.implied);
    }

    /// The next link gets a text, by patches. `None` when they cannot be written.
    pub fn change(&mut self, found: &WindowLink<'_>, text: &str, patches: &[Patch]) -> Option<()> {
        self.expected
            .add(found, text, still_implied(text, found.implied));
        patches.iter().try_for_each(|patch| self.patch(patch))
    }

    fn patch(&mut self, patch: &Patch) -> Option<()> {
        let kept = self.window.bytes.get(self.at..patch.range.start)?;
        self.raw.extend_from_slice(kept);
        self.view.encode(&patch.text, &mut self.raw).ok()?;
        self.at = patch.range.end;
        self.removed += patch.range.len();
        self.added += patch.text.len();
        self.opens_tag |= opens_tag(&self.slot, self.window.bytes, patch);
        Some(())
    }

    /// Whether there are no patches.
    pub fn is_as_it_was(&self) -> bool {
        self.removed == 0 && self.added == 0
    }

    /// The slot up to its end.
    pub fn finish(mut self) -> Option<Self> {
        let rest = self.window.bytes.get(self.at..self.slot.range.end)?;
        self.raw.extend_from_slice(rest);
        Some(self)
    }

    /// Whether the slot reads as the same links at the same places, with their texts.
    pub fn rereads(self, reader: &SlotReader) -> bool {
        let before = &self.window.bytes[self.slot.range.clone()];
        if self.opens_tag || !keeps_marks(reader, self.slot.escaping, before, &self.raw) {
            return false;
        }
        let mut actual = Reading::new(&self.key);
        reader.read_each(&self.slot, &self.raw, &Base::Document, &mut |found| {
            actual.add(found, found.text.text(), found.implied);
        });
        actual.0.finish() == self.expected.0.finish()
    }

    /// Whether the slot, or the tag of XML that it stands in, is still read in one piece: what is longer than `max_slot`
    /// reads otherwise, and a second run would see another document (promises P3 and P5). A document in light markup may
    /// also become too dense.
    pub fn stays_short(&self, max_slot: usize) -> bool {
        if self.slot.syntax.is_light_markup() {
            return self.stays_readable(max_slot);
        }
        if self.added <= self.removed {
            return true;
        }
        let slot = &self.slot;
        let length = match slot.escaping {
            Escaping::XmlAttribute(_) | Escaping::XhtmlAttribute(_) => {
                tag_length(slot, self.window.bytes)
            }
            Escaping::CssUrl | Escaping::CssString(_) => slot.range.len(),
            _ => return true,
        };
        length + (self.added - self.removed) <= max_slot
    }

    /// Whether a document in light markup is read with its patches.
    fn stays_readable(&self, max_slot: usize) -> bool {
        let window = Window {
            bytes: &self.raw,
            last: true,
            charset: self.window.charset,
        };
        let mut tokenizer = WholeTokenizer::new(self.slot.syntax, max_slot);
        !matches!(tokenizer.step(window, &mut 0), Step::TooLong(..))
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

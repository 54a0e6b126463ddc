//! Reads a slot again with its edits: the new links must be found at their places, and no other link may change
//! (promises P2 and P3).

use super::blame::{Comparison, Placed, blamed};
use super::edit::Patch;
use crate::charset::Charset;
use crate::link::{Base, SlotReader, WindowLink, still_implied};
use crate::markup::light;
use crate::markup::{Access, Escaping, PlaceKind, Slot, Step, Syntax, Tokenizer, Window};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::ops::Range;

/// A slot with patches. It keeps no patches and only a few bytes of each link: a document in light markup is one slot,
/// and may have many links.
pub(crate) struct Draft<'w> {
    slot: Slot,
    window: Window<'w>,
    view: Charset,
    raw: Vec<u8>,
    /// The window was written up to this byte.
    at: usize,
    /// Number of replaced bytes, and of the bytes that replace them.
    removed: usize,
    added: usize,
    /// Patches behind the last link.
    behind: Vec<Patch>,
    /// The expected readings of the links, in order.
    expected: Vec<LinkPrint>,
    prints: Prints,
}

/// Makes fingerprints of links.
#[derive(Default)]
struct Prints {
    /// A random key, so that nobody can write two links with the same fingerprint.
    key: RandomState,
}

impl Prints {
    /// The fingerprint of a link with a text and an implied scheme.
    fn of(&self, slot: &Slot, found: &WindowLink<'_>, text: (&str, Option<&str>)) -> u64 {
        // A title that gets wider than its line is only listed.
        let is_listed = slot.syntax.is_light_markup() && found.context.access == Access::List;
        let mut hasher = Buffered {
            hasher: self.key.build_hasher(),
            bytes: [0; Buffered::LENGTH],
            length: 0,
        };
        (text, &*found.context.place, is_listed).hash(&mut hasher);
        hasher.finish()
    }
}

/// A hasher that collects bytes first: one pass over the text and place of a link is faster than one for each of their
/// many parts.
struct Buffered {
    hasher: DefaultHasher,
    bytes: [u8; Buffered::LENGTH],
    length: usize,
}

impl Buffered {
    const LENGTH: usize = 128;
}

impl Hasher for Buffered {
    fn write(&mut self, bytes: &[u8]) {
        let end = self.length + bytes.len();
        if let Some(room) = self.bytes.get_mut(self.length..end) {
            room.copy_from_slice(bytes);
            self.length = end;
        } else {
            self.hasher.write(&self.bytes[..self.length]);
            self.hasher.write(bytes);
            self.length = 0;
        }
    }

    fn finish(&self) -> u64 {
        let mut hasher = self.hasher.clone();
        hasher.write(&self.bytes[..self.length]);
        hasher.finish()
    }
}

/// The reading of a link.
struct LinkPrint {
    range: Range<usize>,
    /// A fingerprint of the text, place and implied scheme, and in a document of light markup of the access.
    print: u64,
}

impl LinkPrint {
    fn is_same(&self, other: &LinkPrint) -> bool {
        let overlaps = self.range.start <= other.range.end && other.range.start <= self.range.end;
        self.print == other.print && overlaps
    }
}

impl Placed for LinkPrint {
    fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

impl<'w> Draft<'w> {
    /// The start of a slot.
    pub fn new(slot: Slot, window: Window<'w>, view: Charset) -> Self {
        Draft {
            raw: Vec::with_capacity(slot.range.len()),
            at: slot.range.start,
            slot,
            window,
            view,
            removed: 0,
            added: 0,
            behind: Vec::new(),
            expected: Vec::new(),
            prints: Prints::default(),
        }
    }

    /// Keeps the next link.
    pub fn keep(&mut self, found: &WindowLink<'_>) {
        self.expect(
            found,
            found.text.text(),
            found.implied,
            self.position(found.range.start),
        );
    }

    /// Gives the next link a text, by patches. `None` if the patches cannot be written: then the link stays.
    pub fn change(&mut self, found: &WindowLink<'_>, text: &str, patches: &[Patch]) -> Option<()> {
        let opens_tag = |patch: &Patch| opens_tag(&self.slot, self.window.bytes, patch);
        if patches.iter().any(opens_tag) {
            return None;
        }
        let (at, length, start) = (self.at, self.raw.len(), self.position(found.range.start));
        // Digests of the slot stand behind all of its links.
        let own = patches.partition_point(|patch| patch.range.start <= found.range.end);
        let (own, behind) = patches.split_at(own);
        if own.iter().try_for_each(|patch| self.patch(patch)).is_none() {
            (self.at, _) = (at, self.raw.truncate(length));
            return None;
        }
        self.removed += patches.iter().map(|patch| patch.range.len()).sum::<usize>();
        self.added += patches.iter().map(|patch| patch.text.len()).sum::<usize>();
        self.behind.extend_from_slice(behind);
        self.expect(found, text, still_implied(text, found.implied), start);
        Some(())
    }

    fn patch(&mut self, patch: &Patch) -> Option<()> {
        let kept = self.window.bytes.get(self.at..patch.range.start)?;
        self.raw.extend_from_slice(kept);
        self.view.encode(&patch.text, &mut self.raw).ok()?;
        self.at = patch.range.end;
        Some(())
    }

    /// The future position of a byte of the window that is not written yet.
    fn position(&self, at: usize) -> usize {
        self.raw.len() + at.saturating_sub(self.at)
    }

    fn expect(&mut self, found: &WindowLink<'_>, text: &str, implied: Option<&str>, start: usize) {
        let print = self.prints.of(&self.slot, found, (text, implied));
        let range = start..self.position(found.range.end);
        self.expected.push(LinkPrint { range, print });
    }

    /// True if there are no patches.
    pub fn is_as_it_was(&self) -> bool {
        self.removed == 0 && self.added == 0
    }

    /// The slot up to its end. `None` if the patches behind its links cannot be written.
    pub fn finish(mut self) -> Option<Self> {
        for patch in std::mem::take(&mut self.behind) {
            self.patch(&patch)?;
        }
        let rest = self.window.bytes.get(self.at..self.slot.range.end);
        self.raw.extend_from_slice(rest.unwrap_or_default());
        Some(self)
    }

    /// Reads the slot again; returns the links that may be the reason why it does not read as expected, among the links
    /// of `may_be_why`. With `all`: all different links; else the first of each stretch.
    pub fn faults(
        self,
        reader: &SlotReader,
        may_be_why: &dyn Fn(usize) -> bool,
        all: bool,
    ) -> Vec<usize> {
        let before = &self.window.bytes[self.slot.range.clone()];
        if !keeps_marks(reader, &self.slot, before, &self.raw) {
            return (0..self.expected.len())
                .filter(|&link| may_be_why(link))
                .collect();
        }
        let mut actual = Vec::new();
        reader.read_each(&self.slot, &self.raw, &Base::Document, &mut |found| {
            let text = (found.text.text(), found.implied);
            let print = self.prints.of(&self.slot, found, text);
            let range = found.range.clone();
            actual.push(LinkPrint { range, print });
        });
        let comparison = Comparison {
            is_same: LinkPrint::is_same,
            may_be_why,
            all,
            is_cut: false,
        };
        blamed(&self.expected, &actual, &comparison)
    }

    /// True if the slot, or the tag of XML around it, is still read in one piece: beyond `max_slot` the reading
    /// differs, and a second run would see another document (promises P3 and P5). A document in light markup may also
    /// become too dense.
    pub fn stays_short(&self, max_slot: usize) -> bool {
        if self.slot.syntax.is_light_markup() {
            return self.stays_readable(max_slot);
        }
        if self.added <= self.removed {
            return true;
        }
        let slot = &self.slot;
        let is_listing =
            matches!(slot.syntax, Syntax::Script(_)) && slot.escaping == Escaping::None;
        let is_whole = slot.syntax == Syntax::Revision
            || slot.syntax == Syntax::Data && slot.escaping == Escaping::None;
        if slot.is_lines() || is_listing || is_whole {
            return self.raw.len() <= max_slot;
        }
        if let Escaping::Runs(style) = slot.escaping {
            return style.stays_readable(&self.view.decode(&self.raw), max_slot);
        }
        let length = match slot.escaping {
            Escaping::XmlAttribute(_) | Escaping::XhtmlAttribute(_) => {
                tag_length(slot, self.window.bytes)
            }
            Escaping::CssUrl
            | Escaping::CssString(_)
            | Escaping::JsonString(_)
            | Escaping::SqlString(_)
            | Escaping::Literal(_)
            | Escaping::SqlDollar
            | Escaping::SqlCopy
            | Escaping::Csv(_)
            | Escaping::Yaml(_)
            | Escaping::Tex(_)
            | Escaping::Rtf(_)
            | Escaping::ContentText
            | Escaping::ContentList
            | Escaping::ContentUri
            | Escaping::ContentParameter(_)
            | Escaping::ContentQuoted(_) => slot.range.len(),
            _ => return true,
        };
        length + (self.added - self.removed) <= max_slot
    }

    /// True if a document in light markup can be read with its patches: as a block, or in parts.
    fn stays_readable(&self, max_slot: usize) -> bool {
        let (syntax, charset) = (self.slot.syntax, self.window.charset);
        let window = Window {
            bytes: &self.raw,
            last: true,
            charset,
        };
        light::is_readable(&self.raw, charset, syntax, max_slot)
            || reads(&mut *light::tokenizer(syntax, max_slot), window)
    }
}

/// True if a tokenizer reads a document to its end.
fn reads(tokenizer: &mut dyn Tokenizer, window: Window<'_>) -> bool {
    let mut cursor = 0;
    loop {
        match tokenizer.step(window, &mut cursor) {
            Step::Slot(_) => {}
            Step::TooLong(..) => return false,
            Step::NeedMore | Step::End => return true,
        }
    }
}

/// The length of the tag around an attribute, within a few KiB on either side: tags may have many attributes, and the
/// limit keeps time linear.
fn tag_length(slot: &Slot, window: &[u8]) -> usize {
    const NEAR: usize = 4096;
    let Range { start, end } = slot.range;
    let before = &window[start.saturating_sub(NEAR)..start];
    let behind = &window[end..window.len().min(end + NEAR)];
    let before = memchr::memrchr(b'<', before).map_or(0, |at| before.len() - at);
    let behind = memchr::memchr(b'>', behind).map_or(0, |at| at + 1);
    before + (end - start) + behind
}

/// True if `new` has the same marks of markup as `old`, so that the comment, CDATA section, attribute or raw text
/// around the slot ends at the same place. An edit may complete a mark with unchanged bytes beside it.
pub(crate) fn keeps_marks(reader: &SlotReader, slot: &Slot, old: &[u8], new: &[u8]) -> bool {
    let marks = |raw| slot.escaping.delimiters(&reader.charset.decode(raw));
    // A comment of a program has no escapes.
    let count = |raw, mark| memchr::memmem::find_iter(raw, mark).count();
    let comments = |raw| {
        let inner = reader.nests_comments.then(|| count(raw, b"/*"));
        (count(raw, b"*/"), inner)
    };
    if let (Syntax::Lines(state), Escaping::None) = (slot.syntax, slot.escaping) {
        let behind = |raw| state.behind(&reader.charset.decode(raw));
        return behind(old) == behind(new);
    }
    match slot.escaping {
        Escaping::None if slot.place.kind == PlaceKind::Comment => comments(old) == comments(new),
        Escaping::None => true,
        _ => marks(old) == marks(new),
    }
}

/// True if a patch could turn a literal `<` in front of it into a tag.
pub(crate) fn opens_tag(slot: &Slot, window: &[u8], patch: &Patch) -> bool {
    matches!(
        slot.escaping,
        Escaping::HtmlText | Escaping::XmlText | Escaping::XhtmlText | Escaping::Runs(_)
    ) && window[..patch.range.start].last() == Some(&b'<')
}

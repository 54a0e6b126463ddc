//! Re-reading edits before they are written: the new links must be found where they were put, and
//! no other link may change (promises P2 and P3).

use super::edit::{self, Patch, applied};
use crate::link::{Base, Found, LOOKAHEAD, Reader, still_implied};
use crate::markup::{Escaping, Slot};
use crate::scan::{ByteHit, State};
use std::ops::Range;

/// How many bytes before a link in running text are looked at.
pub(crate) const BEFORE: usize = 256;
/// How many behind it: the machine holds more ready.
const AHEAD: usize = LOOKAHEAD - 32;

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
                    && found.implied == still_implied(text, old.implied)
            })
}

/// Whether what holds a slot (a comment, a CDATA section, raw text, quotes ...) still ends where it does when `new` stands
/// in place of `old`, and nothing begins in it: bytes that stay may make markup with an edit beside them.
fn keeps_marks(reader: &Reader, slot: &Slot, old: &[u8], new: &[u8]) -> bool {
    let marks = |raw| slot.escaping.marks(&reader.charset.decode(raw));
    slot.escaping == Escaping::None || marks(old) == marks(new)
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

/// A run of text that links stand in, in a window.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'g> {
    pub reader: &'g Reader,
    pub slot: &'g Slot,
    pub window: &'g [u8],
    /// How many quote marks the line has in which the stretches begin that are looked at.
    pub quotes: usize,
}

/// A stretch of a run, and the links that are read there by themselves.
pub(crate) struct Around<'g> {
    ground: Ground<'g>,
    range: Range<usize>,
    old: Vec<ByteHit<'g>>,
}

impl<'g> Ground<'g> {
    pub fn around(self, range: Range<usize>) -> Around<'g> {
        let bytes = self.window.get(range.clone()).unwrap_or(&[]);
        Around {
            ground: self,
            range,
            old: self.links(bytes),
        }
    }

    /// The links of a text as a whole run.
    fn links<'t>(&self, bytes: &'t [u8]) -> Vec<ByteHit<'t>> {
        let mut state = State::in_line(self.quotes);
        self.reader.hits(self.slot, bytes, &mut state)
    }
}

impl Around<'_> {
    /// Where the first link at or behind a position begins.
    pub fn next(&self, at: usize) -> Option<usize> {
        let starts = self
            .old
            .iter()
            .map(|old| old.range.start + self.range.start);
        starts.into_iter().find(|&start| start >= at)
    }

    /// Whether links in running text are found again where their patches put them, and all else is
    /// read as before. `None`: one of them is not there even without patches.
    pub fn rereads(&self, links: &[&Patched]) -> Option<bool> {
        self.compare(&self.old, links, b"")
    }

    /// The same when `behind` follows.
    pub fn rereads_before(&self, links: &[&Patched], behind: &[u8]) -> Option<bool> {
        let mut bytes = self.ground.window.get(self.range.clone())?.to_vec();
        bytes.extend_from_slice(behind);
        self.compare(&self.ground.links(&bytes), links, behind)
    }

    fn compare(&self, old: &[ByteHit<'_>], links: &[&Patched], behind: &[u8]) -> Option<bool> {
        let origin = self.range.start;
        let place = |range: &Range<usize>| range.start + origin..range.end + origin;
        let is_there = |link: &&Patched| {
            let at = old.partition_point(|old| old.range.start + origin < link.range.start);
            old.get(at)
                .is_some_and(|old| place(&old.range) == link.range)
        };
        if !links.iter().all(is_there) {
            return None;
        }
        let patches: Vec<&Patch> = links.iter().flat_map(|link| &link.patches).collect();
        let Some(raw) = self.patched(&patches, behind) else {
            return Some(false);
        };
        let new = self.ground.links(&raw);
        let shifts = Shifts::of(&patches, self.ground.reader);
        let is_same = |(old, new): (&ByteHit<'_>, &ByteHit<'_>)| {
            let was = place(&old.range);
            let at = links.partition_point(|link| link.range.start < was.start);
            let link = links.get(at).filter(|link| link.range == was);
            let moved = shifts.moved(was.start)..shifts.moved(was.end);
            let (before, now) = (old.kind.implied_scheme(), new.kind.implied_scheme());
            let reads = match link {
                Some(Patched { text, .. }) => {
                    new.text() == *text && now == still_implied(text, before)
                }
                // Its scheme is implied by the same text.
                None => new.reads_as(old) && now == before,
            };
            reads && place(&new.range) == moved
        };
        Some(old.len() == new.len() && old.iter().zip(&new).all(is_same))
    }

    /// The stretch with patches; `None` when they cannot be written or would be markup.
    fn patched(&self, patches: &[&Patch], behind: &[u8]) -> Option<Vec<u8>> {
        let Ground {
            reader,
            slot,
            window,
            ..
        } = self.ground;
        if patches.iter().any(|patch| opens_tag(slot, window, patch)) {
            return None;
        }
        let patches = patches.iter().copied();
        let mut raw = applied(window, &self.range, patches, reader.charset)?;
        if !keeps_marks(reader, slot, window.get(self.range.clone())?, &raw) {
            return None;
        }
        raw.extend_from_slice(behind);
        Some(raw)
    }
}

/// Whether a patch makes markup of a `<` that is text before it.
fn opens_tag(slot: &Slot, window: &[u8], patch: &Patch) -> bool {
    matches!(
        slot.escaping,
        Escaping::HtmlText | Escaping::XmlText | Escaping::XhtmlText
    ) && window[..patch.range.start].last() == Some(&b'<')
}

/// Where positions are when patches are applied.
struct Shifts {
    /// The end of each patch, and how much longer (or shorter) the text is up to there.
    ends: Vec<(usize, isize)>,
}

impl Shifts {
    fn of(patches: &[&Patch], reader: &Reader) -> Self {
        let mut sum = 0;
        let ends = patches.iter().map(|patch| {
            let grown = edit::encoded_len(patch, reader.charset) as isize;
            sum += grown - patch.range.len() as isize;
            (patch.range.end, sum)
        });
        Shifts {
            ends: ends.collect(),
        }
    }

    /// Where a position that no patch covers is then.
    fn moved(&self, at: usize) -> usize {
        let passed = self.ends.partition_point(|(end, _)| *end <= at);
        let last = passed.checked_sub(1).and_then(|last| self.ends.get(last));
        at.saturating_add_signed(last.map_or(0, |(_, sum)| *sum))
    }
}

/// What is looked at around a link in running text, not beyond its run: back to white space in front of `own`, the
/// first of the links that are looked at together; forward over [`AHEAD`] bytes, cut at
/// white space where there is some.
pub(crate) fn surroundings(
    window: &[u8],
    run: &Range<usize>,
    link: &Range<usize>,
    own: usize,
) -> Range<usize> {
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
    if run.end < link.end + AHEAD {
        return start..run.end;
    }
    let to = link.end + AHEAD;
    let tail = &window[link.end..to];
    match tail.iter().rposition(u8::is_ascii_whitespace) {
        Some(at) => start..link.end + at,
        None => start..safe_end(window, link.end, to),
    }
}

/// Whether links still stand when an angle bracket closes somewhere behind `around`: the scanner looks further ahead for
/// one (RFC 3986 appendix C).
pub(crate) fn holds_far(
    around: &Around<'_>,
    window: &[u8],
    link: &Patched,
    links: &[&Patched],
) -> bool {
    /// `<URL:` and white space behind it.
    const MARK: usize = 16;
    let before = &window[link.range.start.saturating_sub(MARK)..link.range.start];
    let may_open = before.contains(&b'<');
    !may_open || around.rereads_before(links, b">") != Some(false)
}

/// The last position up to `to` behind a byte that is a character of its own.
fn safe_end(window: &[u8], from: usize, to: usize) -> usize {
    let tail = &window[from..to];
    tail.iter()
        .rposition(|&byte| crate::ascii::is_safe(byte))
        .map_or(from, |at| from + at + 1)
}

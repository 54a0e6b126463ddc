//! What becomes of the links of a slot: a decision for each, and patches that are checked in their surroundings
//! before anything is written.

use super::check::{self, Ground, Patched};
use super::edit::{self, Extent, Patch};
use super::mapping::{Decision, Mapper, Subject};
use super::neighbours::Neighbours;
use super::{Edit, Mapping};
use crate::charset::{Charset, CharsetFrom, MailCharsets};
use crate::format::Format;
use crate::link::{Found, Info, LOOKAHEAD, Published, Reader, Settings, declares_base};
use crate::markup::{Access, Escaping, Place, PlaceKind, Syntax};
use crate::report::{Note, Notes};
use crate::scan::Lines;
use crate::span::SourceSpan;
use crate::stream::{Input, SlotRead};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Tries for one slot whose links do not all go together are bounded.
const TRIES: usize = 64;

/// Makes the plans for one document, slot by slot.
pub(super) struct Planner<'m> {
    pub mapper: Mapper<'m>,
    /// Whether the document will be read in the same charset with its new links; if not, all stay.
    pub is_steady: bool,
    charset: Charset,
    /// Whether the document may be published as HTML, too.
    may_be_html: bool,
    /// What parts of it say of theirs.
    declared: Option<MailCharsets>,
    /// The last links of running text.
    neighbours: Neighbours,
    /// The lines of the slot at hand.
    lines: Lines,
}

/// How a link with patches stands among others in running text.
enum Standing {
    /// It is found again, and all around it is read as before.
    Well(Vec<Patch>),
    /// It is not, or it cannot be written.
    Badly,
    /// It is not, and that may change with the link behind it.
    BesideNext,
}

/// What becomes of one link of a slot.
pub(super) struct Fate {
    pub decision: Decision,
    pub patches: Vec<Patch>,
}

impl<'m> Planner<'m> {
    pub fn new(mapping: Cow<'m, Mapping>, info: &Info, settings: &Settings) -> Self {
        Planner {
            mapper: Mapper::new(mapping, info, settings),
            is_steady: true,
            charset: info.charset,
            may_be_html: info.may_be_html,
            declared: declares(info).then(MailCharsets::default),
            neighbours: Neighbours::default(),
            lines: Lines::default(),
        }
    }

    /// What becomes of each link of a slot; `None` when it is plain that nothing does.
    pub fn fates(&mut self, reader: &Reader, read: &SlotRead<'_>) -> Option<Vec<Fate>> {
        let is_text = read.slot.syntax == Syntax::Text;
        if !is_text && read.found.iter().all(|found| self.surely_keeps(found)) {
            return None;
        }
        Some(self.all_fates(reader, read))
    }

    /// The same, whatever it is.
    pub fn all_fates(&mut self, reader: &Reader, read: &SlotRead<'_>) -> Vec<Fate> {
        if let Some(declared) = &mut self.declared {
            declared.read(&read.window.bytes[..read.slot.range.end], read.origin);
        }
        let fates = read.found.iter().map(|found| self.decide(read, found));
        let mut fates: Vec<Fate> = fates.collect();
        if read.slot.syntax == Syntax::Text {
            self.patch_text(reader, read, &mut fates);
        } else if fates
            .iter()
            .any(|fate| !matches!(fate.decision, Decision::Keep(_)))
        {
            self.patch_slot(reader, read, &mut fates);
        }
        fates
    }

    /// Whether it is plain at a glance that nothing becomes of a link.
    fn surely_keeps(&self, found: &Found<'_>) -> bool {
        !self.is_mapped(found)
            || found.implied.is_none()
                && !found.notes.contains(Note::TooLong)
                && self
                    .mapper
                    .surely_keeps(found.text.text(), &found.site.under)
    }

    fn is_mapped(&self, found: &Found<'_>) -> bool {
        found.site.access != Access::Identifier && self.mapper.covers(found.site.place.kind)
    }

    fn decide(&mut self, read: &SlotRead<'_>, found: &Found<'_>) -> Fate {
        let decision = if !self.is_mapped(found) {
            Decision::Keep(Notes::NONE)
        } else if found.notes.contains(Note::TooLong) {
            Decision::Left(Notes::NONE)
        } else {
            let decision = self.mapper.decide(subject(found));
            self.where_sure(decision, read, found)
        };
        Fate {
            decision,
            patches: Vec::new(),
        }
    }

    /// Whether white space stands in a link that some readers take for spaces, as in attributes of XML (XML 1.0 section 3.3.3),
    /// and others drop, as in URLs (URL Standard 4.4): in XHTML that may be published as HTML, and in instructions, of which
    /// the specification (Associating Style Sheets with XML documents, section 3) does not say it.
    fn has_doubtful_space(&self, read: &SlotRead<'_>, found: &Found<'_>) -> bool {
        let is_doubtful = match found.site.layers.as_slice().first() {
            Some(Escaping::XmlAttribute(_) | Escaping::XhtmlAttribute(_)) => self.may_be_html,
            Some(Escaping::XmlInstruction(_)) => true,
            _ => false,
        };
        let raw = || read.window.bytes.get(found.range.clone());
        let is_space = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r');
        is_doubtful && raw().is_some_and(|raw| raw.iter().any(is_space))
    }

    /// A decision that does not change how the document is read, writes nothing in another charset than is declared for
    /// the place, and goes by no reading that others do not share.
    fn where_sure(
        &mut self,
        decision: Decision,
        read: &SlotRead<'_>,
        found: &Found<'_>,
    ) -> Decision {
        let Decision::Change(new, mut notes) = decision else {
            return decision;
        };
        let is_ascii = || new.is_ascii() && read.window.bytes[found.range.clone()].is_ascii();
        let note = if !self.is_steady {
            Note::LeftCharsetWouldChange
        } else if self.is_in_other(read, found) && !is_ascii() {
            Note::LeftOtherCharset
        } else if self.has_doubtful_space(read, found) {
            Note::LeftTargetWouldChange
        } else {
            return Decision::Change(new, notes);
        };
        notes.insert(note);
        Decision::Left(notes)
    }

    /// Whether another charset is declared where a link stands.
    fn is_in_other(&mut self, read: &SlotRead<'_>, found: &Found<'_>) -> bool {
        let at = SourceSpan::of_window(read.origin, &found.range).start;
        let declared = self.declared.as_mut().and_then(|mail| mail.at(at));
        declared.is_some_and(|charset| charset != self.charset)
    }

    /// Patches for the links of a run of text, each checked in its surroundings: as they are written now in front of it, and
    /// as they were behind it.
    fn patch_text(&mut self, reader: &Reader, read: &SlotRead<'_>, fates: &mut [Fate]) {
        self.lines = Lines::default();
        for (found, fate) in read.found.iter().zip(fates) {
            if let Decision::Change(new, _) = &fate.decision {
                let patched = self.standing_twice(reader, read, found, new);
                let writable =
                    patched.is_some() || self.patches(read, found, new, Extent::Whole).is_some();
                settle(fate, patched, writable);
            }
            if !matches!(fate.decision, Decision::Change(..)) {
                self.keep_way_back(reader, read, found);
            }
            let view = read.window.charset;
            self.neighbours.push(read.origin, found, fate, view);
        }
    }

    /// The patches for a link in running text. What could not be written back as a URI must not
    /// become a display form (P5); and beside a link that stays because of how it reads together with those behind
    /// it, they stay, too: otherwise a second run would see others there.
    fn standing_twice(
        &mut self,
        reader: &Reader,
        read: &SlotRead<'_>,
        found: &Found<'_>,
        new: &str,
    ) -> Option<Vec<Patch>> {
        let view = SourceSpan::of_window(read.origin, &found.range);
        if self.neighbours.is_frozen(view.start) {
            return None;
        }
        let uri = self.mapper.uri_behind(new, subject(found));
        let back = uri.map(|uri| self.standing(reader, read, found, &uri));
        let standing = match back {
            Some(Standing::Badly) => Standing::Badly,
            Some(Standing::BesideNext) => Standing::BesideNext,
            Some(Standing::Well(_)) | None => self.standing(reader, read, found, new),
        };
        match standing {
            Standing::Well(patches) => return Some(patches),
            Standing::Badly => {}
            Standing::BesideNext => self.neighbours.freeze(view.end + LOOKAHEAD as u64),
        }
        None
    }

    /// Where a link that stays could be no URI because of those behind it, they stay, too: rewriting back would leave
    /// their display forms (P5).
    fn keep_way_back(&mut self, reader: &Reader, read: &SlotRead<'_>, found: &Found<'_>) {
        let text = found.text.text();
        let uri = match self.is_mapped(found) {
            true => self.mapper.uri_behind(text, subject(found)),
            false => None,
        };
        let standing = uri.map(|uri| self.standing(reader, read, found, &uri));
        if let Some(Standing::BesideNext) = standing {
            let view = SourceSpan::of_window(read.origin, &found.range);
            self.neighbours.freeze(view.end + LOOKAHEAD as u64);
        }
    }

    /// The patches with which a link in running text is found again as `new`.
    fn standing(
        &self,
        reader: &Reader,
        read: &SlotRead<'_>,
        found: &Found<'_>,
        new: &str,
    ) -> Standing {
        let mut standing = Standing::Badly;
        for extent in [Extent::Changes, Extent::Whole] {
            let Some(patches) = self.patches(read, found, new, extent) else {
                return standing;
            };
            let link = Patched {
                range: found.range.clone(),
                patches,
                text: new.to_owned(),
            };
            match self.stands(reader, read, &link) {
                Some(true) => return Standing::Well(link.patches),
                Some(false) => {}
                None => standing = Standing::BesideNext,
            }
        }
        standing
    }

    /// Whether a link in running text is found again with its patches, and all around it is read as before, those before
    /// it as they are written now. `None`: it is not, or only as long as those behind it stay.
    fn stands(&self, reader: &Reader, read: &SlotRead<'_>, link: &Patched) -> Option<bool> {
        let window = read.window.bytes;
        let run_end = match read.slot.run.ends {
            true => read.slot.range.end,
            false => window.len(),
        };
        let floor = read.ground.floor.saturating_sub(read.origin) as usize;
        let near = self
            .neighbours
            .near((read.origin, window), link.range.start, floor);
        let links: Vec<&Patched> = near.links.iter().chain([link]).collect();
        let own = near
            .links
            .first()
            .map_or(link.range.start, |first| first.range.start);
        let range = check::surroundings(window, &(near.floor..run_end), &link.range, own);
        let (start, end) = (range.start, range.end);
        let ground = Ground {
            reader,
            slot: &read.slot,
            window,
            quotes: self.quotes(reader, read, start),
        };
        let around = ground.around(range);
        let is_read = around.rereads(&links) == Some(true)
            && (end == run_end || check::holds_far(&around, window, link, &links));
        let next = around.next(link.range.end);
        let Some(next) = next.filter(|_| !is_read) else {
            return Some(is_read);
        };
        let between = window.get(link.range.end..next).unwrap_or(&[]);
        let is_apart = between.iter().any(u8::is_ascii_whitespace);
        let alone = || ground.around(start..next).rereads(&links);
        (is_apart && alone() == Some(false)).then_some(false)
    }

    /// How many quote marks the line of a byte of the window has.
    fn quotes(&self, reader: &Reader, read: &SlotRead<'_>, at: usize) -> usize {
        let begin = read.slot.range.start;
        let raw = read.window.bytes.get(begin..).unwrap_or(&[]);
        let known = (read.ground.quotes, &self.lines);
        reader.quotes(&read.slot, raw, known, at.saturating_sub(begin))
    }

    /// Patches for the links of any other slot, checked together; if they do not go together, by
    /// halves.
    fn patch_slot(&self, reader: &Reader, read: &SlotRead<'_>, fates: &mut [Fate]) {
        let changed: Vec<usize> = (0..fates.len())
            .filter(|&at| matches!(fates[at].decision, Decision::Change(..)))
            .collect();
        if changed.is_empty() {
            return;
        }
        let (mut good, mut tries) = (Vec::new(), TRIES);
        self.try_halves(reader, read, fates, &changed, &mut good, &mut tries);
        for at in changed
            .into_iter()
            .filter(|at| good.binary_search(at).is_err())
        {
            let Decision::Change(new, _) = &fates[at].decision else {
                continue;
            };
            let writable = self
                .patches(read, &read.found[at], new, Extent::Whole)
                .is_some();
            settle(&mut fates[at], None, writable);
        }
    }

    /// Patches for those of the links `chosen` that go with the `good` ones: all, or those of each
    /// half. Patches of good ones are always ones that go together.
    fn try_halves(
        &self,
        reader: &Reader,
        read: &SlotRead<'_>,
        fates: &mut [Fate],
        chosen: &[usize],
        good: &mut Vec<usize>,
        tries: &mut usize,
    ) {
        if chosen.is_empty() || *tries == 0 {
            return;
        }
        *tries -= 1;
        let all = [good.as_slice(), chosen].concat();
        let mut extents = [Extent::Changes, Extent::Whole].into_iter();
        if extents.any(|extent| self.try_together(reader, read, fates, &all, extent)) {
            *good = all;
        } else if chosen.len() > 1 {
            let (left, right) = chosen.split_at(chosen.len() / 2);
            self.try_halves(reader, read, fates, left, good, tries);
            self.try_halves(reader, read, fates, right, good, tries);
        }
    }

    /// Patches for the links `chosen`, the others as they are; false, and no patches, when the
    /// slot would not read as these links.
    fn try_together(
        &self,
        reader: &Reader,
        read: &SlotRead<'_>,
        fates: &mut [Fate],
        chosen: &[usize],
        extent: Extent,
    ) -> bool {
        let mut texts: Vec<&str> = read.found.iter().map(|found| found.text.text()).collect();
        let mut all = Vec::new();
        let mut single = Vec::new();
        for &at in chosen {
            let Decision::Change(new, _) = &fates[at].decision else {
                continue;
            };
            let Some(patches) = self.patches(read, &read.found[at], new, extent) else {
                return false;
            };
            texts[at] = new;
            all.extend(patches.iter().cloned());
            single.push((at, patches));
        }
        if !check::slot_rereads(
            reader,
            read.window.bytes,
            &read.slot,
            &read.found,
            &all,
            &texts,
        ) {
            return false;
        }
        if !self.writes_back(reader, read, fates, chosen) {
            return false;
        }
        for (at, patches) in single {
            fates[at].patches = patches;
        }
        true
    }

    /// Whether the URI forms of the display forms of `chosen` could be written, too (P5): characters that only
    /// these lack may hold the surroundings together.
    fn writes_back(
        &self,
        reader: &Reader,
        read: &SlotRead<'_>,
        fates: &[Fate],
        chosen: &[usize],
    ) -> bool {
        let (mut texts, mut all) = (BTreeMap::new(), Vec::new());
        for &at in chosen {
            let found = &read.found[at];
            let Decision::Change(new, _) = &fates[at].decision else {
                continue;
            };
            if let Some(uri) = self.mapper.uri_behind(new, subject(found)) {
                let Some(patches) = self.patches(read, found, &uri, Extent::Whole) else {
                    return false;
                };
                all.extend(patches);
                texts.insert(at, uri);
            }
        }
        let own = read.found.iter().enumerate();
        let texts: Vec<&str> = own
            .map(|(at, found)| texts.get(&at).map_or(found.text.text(), String::as_str))
            .collect();
        let window = read.window.bytes;
        all.is_empty() || check::slot_rereads(reader, window, &read.slot, &read.found, &all, &texts)
    }

    fn patches(
        &self,
        read: &SlotRead<'_>,
        found: &Found<'_>,
        new: &str,
        extent: Extent,
    ) -> Option<Vec<Patch>> {
        edit::patches(found, new, extent, read.window.bytes, self.charset)
    }
}

/// Whether the content types of a document count beside what it is read in.
fn declares(info: &Info) -> bool {
    let is_said = matches!(info.charset_from, CharsetFrom::Bom | CharsetFrom::Caller);
    info.format == Format::Text && !is_said
}

/// A link as the mapper sees it.
pub(super) fn subject<'f>(found: &'f Found<'_>) -> Subject<'f> {
    let in_text = is_text(&found.site.place);
    // A `\` in running text is as often an escape of whatever the text is written in.
    let published = match Published::of(found.site.layers) {
        Published::AsWritten if in_text => Published::Doubtful,
        published => published,
    };
    Subject {
        text: found.text.text(),
        implied: found.implied,
        in_text,
        any_character: edit::has_references(found.site.layers),
        declares_base: declares_base(&found.site.place),
        under: &found.site.under,
        access: found.site.access,
        template: found.site.template,
        queries: edit::queries(found.site.place.kind, found.site.layers),
        published,
    }
}

/// Whether a link stands in running text, that of comments too.
pub(super) fn is_text(place: &Place) -> bool {
    match place.kind {
        PlaceKind::Text => true,
        PlaceKind::Comment => place.name.is_none(),
        _ => false,
    }
}

/// The source edits of patches.
pub(super) fn edits(
    read: &SlotRead<'_>,
    patches: &[Patch],
    input: &Input<'_>,
) -> Option<Vec<Edit>> {
    let edit = |patch: &Patch| {
        input.edit(
            SourceSpan::of_window(read.origin, &patch.range),
            &patch.text,
        )
    };
    patches.iter().map(edit).collect()
}

/// Gives a link its patches, or leaves it with a note.
fn settle(fate: &mut Fate, patched: Option<Vec<Patch>>, writable: bool) {
    match patched {
        Some(patches) => fate.patches = patches,
        None => {
            let Decision::Change(_, notes) = &fate.decision else {
                return;
            };
            let mut notes = *notes;
            notes.insert(if writable {
                Note::LeftNotRefound
            } else {
                Note::LeftUnencodable
            });
            fate.decision = Decision::Left(notes);
        }
    }
}

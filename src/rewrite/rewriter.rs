//! The rewriter: the machine's links, decisions, edits, and everything else copied verbatim.

use super::check::{self, Ground, Patched};
use super::edit::{self, Extent, Patch};
use super::mapping::{Decision, Mapper, Subject};
use super::neighbours::Neighbours;
use super::{Edit, Mapping, Outcome, Tally};
use crate::error::Error;
use crate::link::{
    Found, Info, LOOKAHEAD, Link, Locator, Machine, Progress, Published, Settings, declares_base,
    machine, open,
};
use crate::markup::{Access, Place, PlaceKind, Slot, Syntax, Window};
use crate::report::{Note, Notes};
use crate::span::SourceSpan;
use crate::stream::Input;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;

/// Tries for one slot whose links do not all go together are bounded.
const TRIES: usize = 64;

/// Reads `input` to its end and writes it with its links mapped.
pub(crate) fn run(
    mut input: Input<'_>,
    writer: &mut dyn Write,
    settings: &Settings,
    mapping: &Mapping,
    each: &mut dyn FnMut(&Outcome<'_>, &Info),
) -> Result<(Info, Tally), Error> {
    let (head, whole) = input.raw();
    let (info, bom) = open(head, whole, settings);
    input.start(info.charset, bom);
    let start = input.window().1 + input.cursor as u64;
    let mut rewriter = Rewriter {
        machine: machine(&info, settings),
        mapper: Mapper::new(Cow::Borrowed(mapping), &info, settings),
        locator: settings
            .locate
            .then(|| Locator::new(info.charset.view(), start)),
        info: &info,
        writer,
        each,
        written: 0,
        neighbours: Neighbours::default(),
        spare: Vec::new(),
        tally: Tally::default(),
    };
    while rewriter.step(&mut input)? {}
    let tally = rewriter.tally;
    Ok((info, tally))
}

struct Rewriter<'r> {
    machine: Machine,
    mapper: Mapper<'r>,
    locator: Option<Locator>,
    info: &'r Info,
    writer: &'r mut dyn Write,
    each: &'r mut dyn FnMut(&Outcome<'_>, &Info),
    /// The source is written up to this byte.
    written: u64,
    /// The last links of running text.
    neighbours: Neighbours,
    /// Empty; kept for its memory.
    spare: Vec<Found<'static>>,
    tally: Tally,
}

/// A slot that the machine answered, and the window it is in.
struct Read<'w> {
    slot: Slot,
    /// Where its run of text began in the view.
    floor: u64,
    window: Window<'w>,
    origin: u64,
    found: Vec<Found<'w>>,
}

/// What becomes of one link of a slot.
pub(super) struct Fate {
    pub decision: Decision,
    pub patches: Vec<Patch>,
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

impl Rewriter<'_> {
    /// One step of the machine; false at the end.
    fn step(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        let mut found = emptied(std::mem::take(&mut self.spare));
        let mut cursor = input.cursor;
        let (window, origin) = input.window();
        let progress = self.machine.step(window, origin, &mut cursor, &mut found);
        match progress {
            Progress::Slot { slot, floor } => {
                let read = Read {
                    slot,
                    floor,
                    window,
                    origin,
                    found,
                };
                self.slot(&read, input)?;
                self.spare = emptied(read.found);
            }
            Progress::TooLong(at, place) => {
                let at = origin + at as u64;
                let link = Link::too_long(input.source_at(at), place, window.charset);
                self.report_left(link, &window, origin, at);
            }
            Progress::End => return self.finish(input),
            Progress::NeedMore => return self.more(input, cursor),
        }
        input.cursor = cursor;
        Ok(true)
    }

    /// Writes what was read, drops it, and reads on.
    fn more(&mut self, input: &mut Input<'_>, cursor: usize) -> Result<bool, Error> {
        let (window, origin) = input.window();
        let reached = origin + cursor as u64;
        if let Some(locator) = &mut self.locator {
            locator.advance(window.bytes, origin, reached);
        }
        self.copy(input, input.source_at(reached))?;
        input.cursor = cursor;
        input.drop_read(self.written);
        if input.grow()? {
            Ok(true)
        } else {
            self.finish(input)
        }
    }

    fn finish(&mut self, input: &Input<'_>) -> Result<bool, Error> {
        self.copy(input, input.end())?;
        self.writer.flush()?;
        Ok(false)
    }

    /// Copies the source up to `to`.
    fn copy(&mut self, input: &Input<'_>, to: u64) -> Result<(), Error> {
        if to > self.written {
            self.writer.write_all(input.bytes(SourceSpan {
                start: self.written,
                end: to,
            }))?;
            self.written = to;
        }
        Ok(())
    }

    fn slot(&mut self, read: &Read<'_>, input: &Input<'_>) -> Result<(), Error> {
        self.tally.links += read.found.len() as u64;
        let is_text = read.slot.syntax == Syntax::Text;
        if !is_text && read.found.iter().all(|found| self.surely_keeps(found)) {
            return Ok(());
        }
        let mut fates: Vec<Fate> = read.found.iter().map(|found| self.decide(found)).collect();
        if is_text {
            self.patch_text(read, &mut fates);
        } else if fates
            .iter()
            .any(|fate| !matches!(fate.decision, Decision::Keep(_)))
        {
            self.patch_slot(read, &mut fates);
        }
        for (found, fate) in read.found.iter().zip(&fates) {
            self.carry_out(read, found, fate, input)?;
        }
        Ok(())
    }

    /// Whether it is plain at a glance that nothing becomes of a link.
    fn surely_keeps(&self, found: &Found<'_>) -> bool {
        !self.is_mapped(found)
            || self
                .mapper
                .surely_keeps(found.text.text(), &found.site.under)
    }

    fn is_mapped(&self, found: &Found<'_>) -> bool {
        found.site.access != Access::Identifier && self.mapper.covers(found.site.place.kind)
    }

    fn decide(&self, found: &Found<'_>) -> Fate {
        let decision = if !self.is_mapped(found) {
            Decision::Keep(Notes::NONE)
        } else {
            self.mapper.decide(subject(found))
        };
        Fate {
            decision,
            patches: Vec::new(),
        }
    }

    /// Patches for the links of a run of text, each checked in its surroundings: as they are written now in front of it, and
    /// as they were behind it.
    fn patch_text(&mut self, read: &Read<'_>, fates: &mut [Fate]) {
        for (found, fate) in read.found.iter().zip(fates) {
            if let Decision::Change(new, _) = &fate.decision {
                let patched = self.standing_twice(read, found, new);
                let writable = self.patches(read, found, new, Extent::Whole).is_some();
                settle(fate, patched, writable);
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
        read: &Read<'_>,
        found: &Found<'_>,
        new: &str,
    ) -> Option<Vec<Patch>> {
        let view = SourceSpan::of_window(read.origin, &found.range);
        if self.neighbours.is_frozen(view.start) {
            return None;
        }
        let uri = self.mapper.uri_behind(new, subject(found));
        let back = uri.map(|uri| self.standing(read, found, &uri));
        let standing = match back {
            Some(Standing::Badly) => Standing::Badly,
            Some(Standing::BesideNext) => Standing::BesideNext,
            Some(Standing::Well(_)) | None => self.standing(read, found, new),
        };
        match standing {
            Standing::Well(patches) => return Some(patches),
            Standing::Badly => {}
            Standing::BesideNext => self.neighbours.freeze(view.end + LOOKAHEAD as u64),
        }
        None
    }

    /// The patches with which a link in running text is found again as `new`.
    fn standing(&self, read: &Read<'_>, found: &Found<'_>, new: &str) -> Standing {
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
            match self.stands(read, &link) {
                Some(true) => return Standing::Well(link.patches),
                Some(false) => {}
                None => standing = Standing::BesideNext,
            }
        }
        standing
    }

    /// Whether a link in running text is found again with its patches, and all around it is read as before, those before
    /// it as they are written now. `None`: it is not, or only as long as those behind it stay.
    fn stands(&self, read: &Read<'_>, link: &Patched) -> Option<bool> {
        let window = read.window.bytes;
        let run_end = match read.slot.run.ends {
            true => read.slot.range.end,
            false => window.len(),
        };
        let floor = read.floor.saturating_sub(read.origin) as usize;
        let near = self.neighbours.near(read.origin, link.range.start, floor);
        let links: Vec<&Patched> = near.links.iter().chain([link]).collect();
        let own = near
            .links
            .first()
            .map_or(link.range.start, |first| first.range.start);
        let ground = Ground {
            reader: &self.machine.reader,
            slot: &read.slot,
            window,
        };
        let range = check::surroundings(window, &(near.floor..run_end), &link.range, own);
        let (start, end) = (range.start, range.end);
        let around = ground.around(range);
        let is_read = around.rereads(&links) == Some(true)
            && (end == run_end || check::holds_far(&around, window, link, &links));
        let Some(next) = around.next(link.range.end) else {
            return Some(is_read);
        };
        let between = window.get(link.range.end..next).unwrap_or(&[]);
        if is_read && between.iter().any(u8::is_ascii_whitespace) {
            return Some(true);
        }
        match ground.around(start..next).rereads(&links) {
            Some(false) => Some(false),
            _ => is_read.then_some(true),
        }
    }

    /// Patches for the links of any other slot, checked together; if they do not go together, by
    /// halves.
    fn patch_slot(&self, read: &Read<'_>, fates: &mut [Fate]) {
        let changed: Vec<usize> = (0..fates.len())
            .filter(|&at| matches!(fates[at].decision, Decision::Change(..)))
            .collect();
        if changed.is_empty() {
            return;
        }
        let (mut good, mut tries) = (Vec::new(), TRIES);
        self.try_halves(read, fates, &changed, &mut good, &mut tries);
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
        read: &Read<'_>,
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
        if extents.any(|extent| self.try_together(read, fates, &all, extent)) {
            *good = all;
        } else if chosen.len() > 1 {
            let (left, right) = chosen.split_at(chosen.len() / 2);
            self.try_halves(read, fates, left, good, tries);
            self.try_halves(read, fates, right, good, tries);
        }
    }

    /// Patches for the links `chosen`, the others as they are; false, and no patches, when the
    /// slot would not read as these links.
    fn try_together(
        &self,
        read: &Read<'_>,
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
        let reader = &self.machine.reader;
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
        if is_light(&read.slot) && !self.writes_back(read, fates, chosen) {
            return false;
        }
        for (at, patches) in single {
            fates[at].patches = patches;
        }
        true
    }

    /// Whether the URI forms of the display forms of `chosen` could be written, too (P5): in light
    /// markup the characters of a link in running text may hold its surroundings together.
    fn writes_back(&self, read: &Read<'_>, fates: &[Fate], chosen: &[usize]) -> bool {
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
        let (reader, window) = (&self.machine.reader, read.window.bytes);
        all.is_empty() || check::slot_rereads(reader, window, &read.slot, &read.found, &all, &texts)
    }

    fn patches(
        &self,
        read: &Read<'_>,
        found: &Found<'_>,
        new: &str,
        extent: Extent,
    ) -> Option<Vec<Patch>> {
        edit::patches(found, new, extent, read.window.bytes, self.info.charset)
    }

    /// Writes a link's edits and reports it.
    fn carry_out(
        &mut self,
        read: &Read<'_>,
        found: &Found<'_>,
        fate: &Fate,
        input: &Input<'_>,
    ) -> Result<(), Error> {
        if matches!(fate.decision, Decision::Keep(_)) {
            return Ok(());
        }
        let view = SourceSpan::of_window(read.origin, &found.range);
        let span = source_span(input, view);
        let mut link = Link::new(found.clone(), read.window.bytes, read.window.charset, span);
        match &fate.decision {
            Decision::Keep(_) => return Ok(()),
            Decision::Left(notes) => {
                link.add_notes(*notes);
                self.report_left(link, &read.window, read.origin, view.start);
            }
            Decision::Change(new, notes) => {
                let Some(edits) = edits(read, &fate.patches, input) else {
                    link.add_notes(Note::LeftUnencodable.into());
                    self.report_left(link, &read.window, read.origin, view.start);
                    return Ok(());
                };
                for edit in &edits {
                    self.copy(input, edit.span.start)?;
                    self.writer.write_all(&edit.bytes)?;
                    self.written = edit.span.end;
                }
                self.tally.changed += 1;
                self.locate(&mut link, &read.window, read.origin, view.start);
                let outcome = Outcome {
                    link: &link,
                    new: Some(new),
                    edits: &edits,
                    notes: *notes,
                };
                (self.each)(&outcome, self.info);
            }
        }
        Ok(())
    }

    fn report_left(&mut self, mut link: Link<'_>, window: &Window<'_>, origin: u64, at: u64) {
        self.tally.left += 1;
        self.locate(&mut link, window, origin, at);
        let notes = link.notes();
        (self.each)(
            &Outcome {
                link: &link,
                new: None,
                edits: &[],
                notes,
            },
            self.info,
        );
    }

    fn locate(&mut self, link: &mut Link<'_>, window: &Window<'_>, origin: u64, at: u64) {
        if let Some(locator) = &mut self.locator {
            locator.advance(window.bytes, origin, at);
            link.locate(locator.location());
        }
    }
}

/// A link as the mapper sees it.
fn subject<'f>(found: &'f Found<'_>) -> Subject<'f> {
    Subject {
        text: found.text.text(),
        implied: found.implied,
        in_text: is_text(&found.site.place),
        any_character: edit::has_references(found.site.layers),
        declares_base: declares_base(&found.site.place),
        under: &found.site.under,
        access: found.site.access,
        template: found.site.template,
        queries: edit::queries(found.site.place.kind, found.site.layers),
        published: Published::of(found.site.layers),
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

/// Whether a slot is a document in light markup.
fn is_light(slot: &Slot) -> bool {
    match slot.syntax {
        #[cfg(feature = "markdown")]
        Syntax::Markdown => true,
        syntax => syntax == Syntax::Rst,
    }
}

/// The same memory for links of another window.
fn emptied<'n>(mut found: Vec<Found<'_>>) -> Vec<Found<'n>> {
    found.clear();
    let none = |_| -> Option<Found<'n>> { None };
    found.into_iter().filter_map(none).collect()
}

/// The source edits of patches.
fn edits(read: &Read<'_>, patches: &[Patch], input: &Input<'_>) -> Option<Vec<Edit>> {
    let edit = |patch: &Patch| {
        input.edit(
            SourceSpan::of_window(read.origin, &patch.range),
            &patch.text,
        )
    };
    patches.iter().map(edit).collect()
}

fn source_span(input: &Input<'_>, view: SourceSpan) -> SourceSpan {
    SourceSpan {
        start: input.source_at(view.start),
        end: input.source_at(view.end),
    }
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

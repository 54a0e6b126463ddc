//! Trials of the patches of a slot other than running text: its links must be found again at their places.

use super::decisions::Decisions;
use super::{Patches, Plan, Planner, leave, lengths, subject};
use crate::link::{SlotReader, WindowLink};
use crate::notes::Note;
use crate::read::SlotRead;
use crate::rewrite::blame::{Unsettled, settle};
use crate::rewrite::edit::{Extent, Patch};
use crate::rewrite::slot_check::Draft;
use std::borrow::Cow;

/// The number of new trials of links that were left, together with the written links: a second run would try them (P5).
const AGAIN: usize = 3;

/// From this length on, the links of a document are dropped while it is read again: finding them once more takes time
/// instead of memory. Decisions about them take little, and are kept.
const LARGE: usize = 256 << 10;

/// The most links of a slot whose patches are kept from a trial until they are written. For more links, patches are
/// made again, which takes less memory.
const FEW: usize = 8;

/// The extent to which each link of a slot is written.
type Extents = Vec<Option<Extent>>;

/// Patches of the changed parts of each link of a slot.
type Made = Vec<Option<Vec<Patch>>>;

/// The extents of the links of a slot, and those extents that are known to be good: the other links are on trial.
struct Trial<'t> {
    extents: &'t [Option<Extent>],
    good: &'t Extents,
    made: Option<&'t Made>,
    /// True if all different links are blamed.
    all: bool,
}

impl Trial<'_> {
    fn may_be_why(&self, link: usize) -> bool {
        self.extents[link].is_some() && self.good[link].is_none()
    }
}

impl Planner<'_> {
    /// Patches for the links of a slot other than running text.
    pub(super) fn patch_slot(
        &self,
        reader: &SlotReader,
        read: &mut SlotRead<'_>,
        plans: &mut Vec<Plan>,
    ) {
        let changes = |plan: &Plan| plan.new_text().map(|_| Extent::Changes);
        let wanted: Extents = plans.iter().map(changes).collect();
        let mut good: Extents = vec![None; wanted.len()];
        let mut made = self.made(read, plans);
        for _ in 0..=AGAIN {
            let open = good.iter().zip(&wanted);
            let extents: Extents = open.map(|(good, wanted)| good.or(*wanted)).collect();
            if extents == good {
                break;
            }
            let known = (&good, made.as_ref());
            let settled = self.settle(reader, (&mut *read, &mut *plans), extents, known);
            if settled == good {
                break;
            }
            good = settled;
        }
        let new =
            |at: usize, _: &WindowLink<'_>| Some((Cow::Borrowed(plans[at].new_text()?), good[at]?));
        let mut counted = self.counted(reader, read, new);
        for (at, _) in wanted
            .iter()
            .enumerate()
            .filter(|(_, wanted)| wanted.is_some())
        {
            let patches = match &mut counted {
                Some(patches) => patches[at].take().map(Patches::Known),
                None => good[at].map(|extent| {
                    let kept = made.as_mut().filter(|_| extent == Extent::Changes);
                    let kept = kept.and_then(|made| made[at].take());
                    kept.map_or(Patches::Again(extent), Patches::Known)
                }),
            };
            if let Some(patches) = patches {
                plans[at].patches = patches;
                continue;
            }
            let new = plans[at].new_text().unwrap_or_default();
            let writable = self.patches(read, &read.found[at], new, Extent::Whole);
            let note = match writable {
                Some(_) => Note::LeftNotRefound,
                None => Note::LeftUnencodable,
            };
            leave(&mut plans[at], note);
        }
    }

    /// The patches of the changed parts, if the slot has few links and no length counts one of them.
    fn made(&self, read: &SlotRead<'_>, plans: &[Plan]) -> Option<Made> {
        let is_counted = |found: &WindowLink<'_>| !found.lengths.is_empty();
        if read.found.len() > FEW || read.found.iter().any(is_counted) {
            return None;
        }
        let links = read.found.iter().zip(plans);
        let made =
            links.map(|(found, plan)| self.patches(read, found, plan.new_text()?, Extent::Changes));
        Some(made.collect())
    }

    /// The patches of all links with a text in `new`, if a length counts one of them, with the patches of lengths.
    /// Without a new length no such link can be written.
    fn counted<'w, 'p>(
        &self,
        reader: &SlotReader,
        read: &SlotRead<'w>,
        new: impl Fn(usize, &WindowLink<'w>) -> Option<(Cow<'p, str>, Extent)>,
    ) -> Option<Vec<Option<Vec<Patch>>>> {
        if read.found.iter().all(|found| found.lengths.is_empty()) {
            return None;
        }
        let patches = read.found.iter().enumerate().map(|(at, found)| {
            let (new, extent) = new(at, found)?;
            self.patches(read, found, &new, extent)
        });
        let mut patches: Vec<_> = patches.collect();
        if lengths::add(read, &mut patches, reader.charset).is_none() {
            patches.fill(None);
        }
        Some(patches)
    }

    /// Takes patches away until the slot reads as expected. A link that is blamed is first written as a whole, and then
    /// left.
    fn settle(
        &self,
        reader: &SlotReader,
        (read, plans): (&mut SlotRead<'_>, &mut Vec<Plan>),
        mut extents: Extents,
        (good, made): (&Extents, Option<&Made>),
    ) -> Extents {
        let on_trial = |extents: &[Option<Extent>]| {
            let mut links = extents.iter().zip(good);
            links.any(|(extent, good)| extent.is_some() && good.is_none())
        };
        let blamed = |extents: &[Option<Extent>], all: bool| {
            if !on_trial(extents) {
                return Vec::new();
            }
            let trial = Trial {
                extents,
                good,
                made,
                all,
            };
            match self.drafts(reader, (read, plans), &trial) {
                Ok(drafts) => faults(reader, (&mut *read, &mut *plans), drafts, &trial),
                Err(unwritable) => unwritable,
            }
        };
        let instead = |_, extent| (extent == Extent::Changes).then_some(Extent::Whole);
        match settle(&mut extents, blamed, instead) {
            Ok(()) => extents,
            Err(Unsettled) => good.clone(),
        }
    }

    /// The slots that must read as expected: with the new links, and with the URI forms of the new display forms (P5).
    /// If a slot would be too long, no link on trial can be written.
    fn drafts<'w, 'p>(
        &self,
        reader: &SlotReader,
        (read, plans): (&SlotRead<'w>, &'p [Plan]),
        trial: &Trial<'_>,
    ) -> Result<Vec<Draft<'w>>, Vec<usize>> {
        let new = |link: usize, _: &WindowLink<'w>| {
            let new: Option<Cow<'p, str>> = plans[link].new_text().map(Cow::Borrowed);
            Some((new?, trial.extents[link]?))
        };
        let uri = |link: usize, found: &WindowLink<'w>| {
            trial.extents[link]?;
            let display = plans[link].new_text()?;
            let uri = self
                .mapper
                .uri_behind(display, subject(found, self.script))?;
            (uri != found.text.text()).then_some((Cow::Owned(uri), Extent::Whole))
        };
        let there = self.draft(reader, (read, trial.made), new)?;
        let back = if self.mapper.has_way_back() {
            Some(self.draft(reader, (read, None), uri)?).filter(|back| !back.is_as_it_was())
        } else {
            None
        };
        let drafts: Vec<Draft<'w>> = [Some(there), back].into_iter().flatten().collect();
        if drafts.iter().all(|draft| draft.stays_short(self.max_slot)) {
            Ok(drafts)
        } else {
            Err((0..plans.len())
                .filter(|&link| trial.may_be_why(link))
                .collect())
        }
    }

    /// The slot with the texts of `new`, in the extents of `new`; or the links that cannot be written. `made`: patches
    /// of the changed parts for these texts.
    fn draft<'w, 'p>(
        &self,
        reader: &SlotReader,
        (read, made): (&SlotRead<'w>, Option<&Made>),
        new: impl Fn(usize, &WindowLink<'w>) -> Option<(Cow<'p, str>, Extent)>,
    ) -> Result<Draft<'w>, Vec<usize>> {
        let mut draft = Draft::new(read.slot.clone(), read.window, reader.charset);
        let mut unwritable = Vec::new();
        let mut counted = self.counted(reader, read, &new);
        for (at, found) in read.found.iter().enumerate() {
            let Some((new, extent)) = new(at, found) else {
                draft.keep(found);
                continue;
            };
            let patches = match (&mut counted, made) {
                (Some(counted), _) => counted[at].take().map(Cow::Owned),
                (None, Some(made)) if extent == Extent::Changes => {
                    made[at].as_deref().map(Cow::Borrowed)
                }
                _ => self.patches(read, found, &new, extent).map(Cow::Owned),
            };
            let changed = patches.and_then(|patches| draft.change(found, &new, &patches));
            if changed.is_none() {
                unwritable.push(at);
            }
        }
        if !unwritable.is_empty() {
            return Err(unwritable);
        }
        let changed = (0..read.found.len()).filter(|&at| new(at, &read.found[at]).is_some());
        draft.finish().ok_or_else(|| changed.collect())
    }
}

/// Reads drafts; returns the links that may be the reason why a draft does not read as expected.
fn faults(
    reader: &SlotReader,
    (read, plans): (&mut SlotRead<'_>, &mut Vec<Plan>),
    drafts: Vec<Draft<'_>>,
    trial: &Trial<'_>,
) -> Vec<usize> {
    let may_be_why = |link| trial.may_be_why(link);
    let faults = || {
        let faults = drafts
            .into_iter()
            .map(|draft| draft.faults(reader, &may_be_why, trial.all));
        faults
            .into_iter()
            .find(|faults| !faults.is_empty())
            .unwrap_or_default()
    };
    if !read.slot.syntax.is_light_markup() || read.slot.range.len() < LARGE {
        return faults();
    }
    // The parser's data of a document takes the place of the links and plans.
    let mut decisions = Decisions::with_room(read.slot.range.len());
    for (plan, found) in plans.drain(..).zip(&read.found) {
        decisions.push(plan, found.text.text());
    }
    decisions.end();
    (*plans, read.found) = (Vec::new(), Vec::new());
    let faults = faults();
    read.read_again(reader);
    *plans = decisions.plans(read.found.iter().map(|found| found.text.text()));
    faults
}

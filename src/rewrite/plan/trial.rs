//! Trials of the patches of a slot other than running text: with them, its links must be found again at their places.

use super::{Matched, Patches, Plan, Planner, leave, subject};
use crate::link::{SlotReader, WindowLink};
use crate::report::Note;
use crate::rewrite::edit::Extent;
use crate::rewrite::mapping::Decision;
use crate::rewrite::slot_check::Draft;
use crate::stream::SlotRead;
use std::borrow::Cow;

/// A slot is read again at most this often while its edits are tried.
const TRIES: usize = 64;

/// The links and plans of a document of this length are not kept while it is read again: finding them once more takes time
/// instead of memory.
const LARGE: usize = 256 << 10;

/// The links of a slot that may change together, as far as they were tried.
struct Trials {
    /// Their numbers, in order.
    good: Vec<usize>,
    extent: Extent,
    /// How many trials are left.
    left: usize,
}

impl Planner<'_> {
    /// Patches for the links of a slot other than running text. All are tried together, then each half.
    pub(super) fn patch_slot(
        &mut self,
        reader: &SlotReader,
        read: &mut SlotRead<'_>,
        plans: &mut Vec<Plan>,
    ) {
        let changes = |at: &usize| matches!(plans[*at].decision, Decision::Change(..));
        let changed: Vec<usize> = (0..plans.len()).filter(changes).collect();
        if changed.is_empty() {
            return;
        }
        let mut trials = Trials {
            good: Vec::new(),
            extent: Extent::Changes,
            left: TRIES,
        };
        self.try_halves(reader, (&mut *read, &mut *plans), &changed, &mut trials);
        for at in changed {
            let Decision::Change(new, _) = &plans[at].decision else {
                continue;
            };
            if trials.good.binary_search(&at).is_ok() {
                plans[at].patches = Patches::Again(trials.extent);
                continue;
            }
            let writable = self.patches(read, &read.found[at], new, Extent::Whole);
            let note = match writable {
                Some(_) => Note::LeftNotRefound,
                None => Note::LeftUnencodable,
            };
            leave(&mut plans[at], note);
        }
    }

    /// Adds `chosen` links to the good ones, if the slot still reads as expected with their patches; else each half.
    fn try_halves(
        &mut self,
        reader: &SlotReader,
        (read, plans): (&mut SlotRead<'_>, &mut Vec<Plan>),
        chosen: &[usize],
        trials: &mut Trials,
    ) {
        if chosen.is_empty() || trials.left == 0 {
            return;
        }
        trials.left -= 1;
        let all = [trials.good.as_slice(), chosen].concat();
        for extent in [Extent::Changes, Extent::Whole] {
            if self.try_together(reader, (&mut *read, &mut *plans), &all, extent) {
                (trials.good, trials.extent) = (all, extent);
                return;
            }
        }
        if chosen.len() > 1 {
            let (left, right) = chosen.split_at(chosen.len() / 2);
            self.try_halves(reader, (&mut *read, &mut *plans), left, trials);
            self.try_halves(reader, (read, plans), right, trials);
        }
    }

    /// Whether the slot reads as expected with patches for the `chosen` links alone, and also with the URI forms of their
    /// display forms (P5).
    fn try_together(
        &mut self,
        reader: &SlotReader,
        (read, plans): (&mut SlotRead<'_>, &mut Vec<Plan>),
        chosen: &[usize],
        extent: Extent,
    ) -> bool {
        let Some(drafts) = self.drafts(reader, (read, plans), chosen, extent) else {
            return false;
        };
        let rereads = || drafts.into_iter().all(|draft| draft.rereads(reader));
        if !read.slot.syntax.is_light_markup() || read.slot.range.len() < LARGE {
            return rereads();
        }
        // What the parser keeps of a document takes the place of the links and plans.
        (*plans, read.found) = (Vec::new(), Vec::new());
        let is_good = rereads();
        read.read_again(reader);
        *plans = self.decided(read, &mut Matched::new());
        is_good
    }

    /// The slot as it must read as expected. `None` when it cannot be written.
    fn drafts<'w, 'p>(
        &self,
        reader: &SlotReader,
        links: (&SlotRead<'w>, &'p [Plan]),
        chosen: &[usize],
        extent: Extent,
    ) -> Option<Vec<Draft<'w>>> {
        let new = |plan: &'p Plan, _: &WindowLink<'w>| plan.new_text().map(Cow::Borrowed);
        let there = self.draft(reader, links, chosen, extent, new)?;
        if !there.stays_short(self.max_slot) {
            return None;
        }
        if !self.mapper.has_way_back() {
            return Some(vec![there]);
        }
        let uri = |plan: &'p Plan, found: &WindowLink<'w>| {
            let link = subject(found, self.script);
            let uri = self.mapper.uri_behind(plan.new_text()?, link)?;
            (uri != found.text.text()).then_some(Cow::Owned(uri))
        };
        let back = self.draft(reader, links, chosen, Extent::Whole, uri)?;
        if back.is_as_it_was() {
            return Some(vec![there]);
        }
        back.stays_short(self.max_slot).then(|| vec![there, back])
    }

    /// The slot with the texts that `new` gives to the `chosen` links. `None` when one cannot be written.
    fn draft<'w, 'p>(
        &self,
        reader: &SlotReader,
        (read, plans): (&SlotRead<'w>, &'p [Plan]),
        chosen: &[usize],
        extent: Extent,
        new: impl Fn(&'p Plan, &WindowLink<'w>) -> Option<Cow<'p, str>>,
    ) -> Option<Draft<'w>> {
        let mut draft = Draft::new(read.slot.clone(), read.window, reader.charset);
        let mut chosen = chosen.iter().peekable();
        for (at, found) in read.found.iter().enumerate() {
            let is_chosen = chosen.next_if_eq(&&at).is_some();
            match is_chosen.then(|| new(&plans[at], found)).flatten() {
                Some(new) => {
                    draft.change(found, &new, &self.patches(read, found, &new, extent)?)?
                }
                None => draft.keep(found),
            }
        }
        draft.finish()
    }
}

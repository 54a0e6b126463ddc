//! Checks that the links of running text are found again with their edits (promises P2 and P3).
//!
//! A link depends on its run alone, so only runs with edits are read again: all together, each as a whole. If a link of
//! a run is not found again, an edit that may be the reason is left out, and the run is read once more.

use super::blame::{Comparison, Placed, blamed, settle};
use super::edit::{self, Extent, Patch, Script, encoded};
use super::slot_check::{keeps_marks, opens_tag};
use crate::link::{LinkContext, Normalizer, SlotReader, still_implied};
use crate::markup::{Escaping, PlaceKind};
use crate::notes::Note;
use crate::read::SlotRead;
use crate::scan::{ByteHit, Run};
use std::ops::Range;

/// The separator of runs that are read together: neither runs nor brackets go over it.
const BETWEEN: &[u8] = b"\n\n<>\n\n";
/// The most bytes of a run without white space that are read in front of its first link and behind its last link, if
/// the ends of the run are not at hand.
const CUT: usize = 256;
/// The greatest length of a mark of markup that an edit may complete.
const LONGEST_MARK: usize = 32;

/// The wanted texts of the links of a piece of text.
pub(super) struct Wanted<'t, 'w> {
    read: &'t SlotRead<'w>,
    script: Script,
    texts: Vec<Option<&'t str>>,
}

/// Patches for the new text of a link.
struct Proposal {
    patches: Vec<Patch>,
    /// True if the patches replace the whole link.
    is_whole: bool,
}

impl<'t, 'w> Wanted<'t, 'w> {
    /// The wanted texts: a text, or none, for each link of the piece.
    pub fn new(
        read: &'t SlotRead<'w>,
        script: Script,
        texts: impl Iterator<Item = Option<&'t str>>,
    ) -> Self {
        Wanted {
            read,
            script,
            texts: texts.collect(),
        }
    }

    /// The reason that a link does not get its text.
    pub fn reason(&self, link: usize) -> Note {
        match self.patches(link, Extent::Whole) {
            Some(_) => Note::LeftNotRefound,
            None => Note::LeftUnencodable,
        }
    }

    fn patches(&self, link: usize, extent: Extent) -> Option<Vec<Patch>> {
        let (found, window) = (&self.read.found[link], self.read.window.bytes);
        edit::patches(found, self.texts[link]?, extent, window, self.script)
    }

    fn proposal(&self, link: usize, extent: Extent) -> Option<Proposal> {
        let patches = self.patches(link, extent)?;
        let (slot, window) = (&self.read.slot, self.read.window.bytes);
        let opens_tag = patches.iter().any(|patch| opens_tag(slot, window, patch));
        (!opens_tag).then_some(Proposal {
            patches,
            is_whole: extent == Extent::Whole,
        })
    }

    /// New bytes for the changed parts of a link, or else for the whole link.
    fn first_proposal(&self, link: usize) -> Option<Proposal> {
        let parts = self.proposal(link, Extent::Changes);
        parts.or_else(|| self.proposal(link, Extent::Whole))
    }

    /// The next way to write a link that was not found again.
    fn instead(&self, link: usize, refused: Proposal) -> Option<Proposal> {
        if refused.is_whole {
            return None;
        }
        let whole = self.proposal(link, Extent::Whole)?;
        (whole.patches != refused.patches).then_some(whole)
    }
}

/// The runs of a piece of text, with their links.
pub(super) struct Runs<'r, 'w> {
    reader: &'r SlotReader,
    read: &'r SlotRead<'w>,
    runs: Vec<Run>,
}

/// A link that is expected in a text on trial.
struct Expected<'e> {
    link: usize,
    context: &'e LinkContext,
    range: Range<usize>,
    text: &'e str,
    implied: Option<&'static str>,
}

/// Runs with their edits, one behind the other.
struct Trial<'t> {
    bytes: Vec<u8>,
    /// The place of each run, and the links that are expected there.
    runs: Vec<(Range<usize>, Range<usize>)>,
    links: Vec<Expected<'t>>,
}

impl<'r, 'w> Runs<'r, 'w> {
    pub fn of(reader: &'r SlotReader, read: &'r SlotRead<'w>) -> Self {
        let (slot, window) = (&read.slot, read.window.bytes);
        let mut runs = reader.runs(slot, window, &read.found);
        let last = runs.len().saturating_sub(1);
        for (number, run) in runs.iter_mut().enumerate() {
            // The rest of a run that is longer than a piece.
            if !slot.run.begins && number == 0 && run.bytes.start == slot.range.start {
                run.bytes.start = read.found[run.links.start].range.start;
            }
            if !slot.run.ends && number == last && run.bytes.end == slot.range.end {
                run.bytes.end = safe_end(window, read.found[run.links.end - 1].range.end);
            }
        }
        Runs { reader, read, runs }
    }

    /// Keeps the runs for which `is_wanted` is true of the links.
    pub fn retain(&mut self, is_wanted: impl Fn(Range<usize>) -> bool) {
        self.runs.retain(|run| is_wanted(run.links.clone()));
    }

    /// The links of the runs.
    pub fn links(&self) -> impl Iterator<Item = usize> + '_ {
        self.runs.iter().flat_map(|run| run.links.clone())
    }

    /// Patches for the links of each run, with which all links are found again. Few links get none: of each stretch
    /// that is not found only the first link is left out, and then its run is read again. Linear in the length of the
    /// runs.
    pub fn settle(&self, wanted: &Wanted<'_, '_>) -> Vec<Option<Vec<Patch>>> {
        let none = self.read.found.iter().map(|_| None);
        let mut proposals: Vec<Option<Proposal>> = none.collect();
        for link in self.links() {
            proposals[link] = wanted.first_proposal(link);
        }
        // Only runs that were not found are read again.
        let mut open: Vec<&Run> = self.runs.iter().collect();
        let blamed = |proposals: &[Option<Proposal>], all: bool| {
            open.retain(|run| proposals[run.links.clone()].iter().any(Option::is_some));
            let blamed = self.blamed(&open, (proposals, all), wanted);
            open = blamed.iter().map(|(run, _)| *run).collect();
            blamed.into_iter().flat_map(|(_, links)| links).collect()
        };
        let instead = |link, refused| wanted.instead(link, refused);
        if settle(&mut proposals, blamed, instead).is_err() {
            for run in open {
                proposals[run.links.clone()].fill_with(|| None);
            }
        }
        let patches = proposals.into_iter();
        patches.map(|proposal| Some(proposal?.patches)).collect()
    }

    /// The runs that do not read as expected, each with the edits that may be the reason.
    fn blamed<'o>(
        &self,
        runs: &[&'o Run],
        (proposals, all): (&[Option<Proposal>], bool),
        wanted: &Wanted<'_, '_>,
    ) -> Vec<(&'o Run, Vec<usize>)> {
        let trial = Trial::of(self, runs, proposals, wanted);
        let hits = self.reader.hits(&self.read.slot, &trial.bytes);
        let mut hits = hits.as_slice();
        let mut blamed_runs = Vec::new();
        for (run, (bytes, links)) in runs.iter().zip(&trial.runs) {
            let own = hits.partition_point(|hit| hit.range.start < bytes.end);
            let (own, rest) = hits.split_at(own);
            hits = rest;
            let links = &trial.links[links.clone()];
            let (is_cut, normalizer) = (self.is_cut(run), self.reader.normalizer);
            let comparison = Comparison {
                is_same: |link: &Expected<'_>, hit: &ByteHit<'_>| link.is(hit, normalizer),
                may_be_why: |number: usize| proposals[links[number].link].is_some(),
                all,
                is_cut,
            };
            let faults = if self.keeps_marks(run, &trial.bytes[bytes.clone()]) {
                blamed(links, own, &comparison)
                    .into_iter()
                    .map(|number| links[number].link)
                    .collect()
            } else {
                self.marking(run, proposals)
            };
            if !faults.is_empty() {
                blamed_runs.push((*run, faults));
            }
        }
        blamed_runs
    }

    /// True if a run goes on behind its end in the slot.
    fn is_cut(&self, run: &Run) -> bool {
        let slot = &self.read.slot;
        !slot.run.ends && run.links.end == self.read.found.len()
    }

    fn keeps_marks(&self, run: &Run, new: &[u8]) -> bool {
        let (slot, window) = (&self.read.slot, self.read.window.bytes);
        let Range { start, end } = run.bytes;
        // A slash in front of the end of a comment would begin another one.
        if slot.place.kind == PlaceKind::Comment && slot.escaping == Escaping::None {
            let behind = &window[end..window.len().min(end + 1)];
            let new = [new, behind].concat();
            return keeps_marks(self.reader, slot, &window[start..end + behind.len()], &new);
        }
        keeps_marks(self.reader, slot, &window[start..end], new)
    }

    /// The edits that make marks of markup; all edits if no single edit does.
    fn marking(&self, run: &Run, proposals: &[Option<Proposal>]) -> Vec<usize> {
        let edited = run.links.clone().filter(|&link| proposals[link].is_some());
        let makes = |&link: &usize| {
            let range = &self.read.found[link].range;
            let near = range
                .start
                .saturating_sub(LONGEST_MARK)
                .max(run.bytes.start)
                ..(range.end + LONGEST_MARK).min(run.bytes.end);
            let (slot, window) = (&self.read.slot, self.read.window.bytes);
            let mut new = window[near.start..range.start].to_vec();
            self.write(link, proposals[link].as_ref(), &mut new);
            new.extend_from_slice(&window[range.end..near.end]);
            !keeps_marks(self.reader, slot, &window[near], &new)
        };
        let making: Vec<usize> = edited.clone().filter(makes).collect();
        if making.is_empty() {
            edited.collect()
        } else {
            making
        }
    }

    /// Writes a link with its edits.
    fn write(&self, link: usize, proposal: Option<&Proposal>, out: &mut Vec<u8>) {
        let window = self.read.window.bytes;
        let range = &self.read.found[link].range;
        let mut at = range.start;
        for patch in proposal.iter().flat_map(|proposal| &proposal.patches) {
            out.extend_from_slice(&window[at..patch.range.start]);
            encoded(patch, self.reader.charset, out);
            at = patch.range.end;
        }
        out.extend_from_slice(&window[at..range.end]);
    }
}

impl<'t> Trial<'t> {
    fn of(
        runs: &'t Runs<'_, '_>,
        chosen: &[&Run],
        proposals: &[Option<Proposal>],
        wanted: &'t Wanted<'_, '_>,
    ) -> Self {
        let (found, window) = (&runs.read.found, runs.read.window.bytes);
        let mut trial = Trial {
            bytes: Vec::new(),
            runs: Vec::new(),
            links: Vec::new(),
        };
        for run in chosen {
            if !trial.bytes.is_empty() {
                trial.bytes.extend_from_slice(BETWEEN);
            }
            let (start, first, mut at) = (trial.bytes.len(), trial.links.len(), run.bytes.start);
            for link in run.links.clone() {
                let (proposal, old) = (proposals[link].as_ref(), &found[link]);
                trial.bytes.extend_from_slice(&window[at..old.range.start]);
                at = old.range.end;
                let begin = trial.bytes.len();
                runs.write(link, proposal, &mut trial.bytes);
                let (text, implied) = match proposal {
                    Some(_) => {
                        let text = wanted.texts[link].unwrap_or_default();
                        (text, still_implied(text, old.implied))
                    }
                    None => (old.text.text(), old.implied),
                };
                trial.links.push(Expected {
                    link,
                    context: &old.context,
                    range: begin..trial.bytes.len(),
                    text,
                    implied,
                });
            }
            trial.bytes.extend_from_slice(&window[at..run.bytes.end]);
            trial
                .runs
                .push((start..trial.bytes.len(), first..trial.links.len()));
        }
        // A word before a line end may be alone on its line, which another word may not.
        let behind = chosen.last().and_then(|run| window.get(run.bytes.end));
        if matches!(behind, Some(b'\n' | b'\r')) {
            trial.bytes.push(b'\n');
        }
        trial
    }
}

impl Placed for Expected<'_> {
    fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

impl Placed for ByteHit<'_> {
    fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

impl Expected<'_> {
    fn is(&self, hit: &ByteHit<'_>, normalizer: Normalizer) -> bool {
        self.range == hit.range
            && self.implied == hit.kind.implied_scheme().filter(|_| !hit.range.is_empty())
            && normalizer.read(self.context, self.implied, &hit.text()) == self.text
    }
}

/// Some bytes behind a position, up to a byte that is a whole character.
fn safe_end(window: &[u8], from: usize) -> usize {
    let tail = &window[from..window.len().min(from + CUT)];
    let is_safe = |&byte: &u8| crate::charset::ascii::is_safe(byte);
    tail.iter()
        .rposition(is_safe)
        .map_or(from, |at| from + at + 1)
}

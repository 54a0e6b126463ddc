//! Writes a document: the planned edits, and everything else copied verbatim.

mod waiting;

use super::mapping::Decision;
use super::output::{Matched, Output};
use super::plan::{Plan, Planner};
use super::{Excerpt, Outcome};
use crate::error::Error;
use crate::link::{Info, Link, new_links_too_long};
use crate::markup::Window;
use crate::notes::Note;
use crate::read::{self, Flow, Input, Opened, Scene, SlotRead, Visitor};
use crate::span::SourceSpan;
use std::ops::{ControlFlow, Range};
use waiting::Waiting;

/// Writes a document with the planned edits; returns the number of matched links for each rule.
pub(super) fn write<'r>(
    document: Opened<'r, '_>,
    planner: Planner<'r>,
    output: &'r mut dyn Output,
) -> Result<Matched, Error> {
    let mut writer = DocumentWriter {
        excerpts: planner.mapper.mapping.excerpts,
        info: document.info,
        planner,
        output,
        written: 0,
        waiting: Waiting::default(),
    };
    read::read(document, &mut writer)?;
    Ok(writer.planner.matched)
}

struct DocumentWriter<'r> {
    planner: Planner<'r>,
    output: &'r mut dyn Output,
    info: &'r Info,
    /// The source was written up to this byte.
    written: u64,
    /// True if links that are left have excerpts.
    excerpts: bool,
    waiting: Waiting,
}

impl Visitor for DocumentWriter<'_> {
    fn slot(&mut self, scene: &mut Scene<'_, '_>, read: &mut SlotRead<'_>) -> Flow {
        self.hand_on_waiting(scene.input)?;
        self.output.seen(read.found.len() as u64);
        if !self.planner.surely_keeps_all(read) {
            let plans = self.planner.plans(scene.reader(), read, scene.input);
            for (number, plan) in plans.into_iter().enumerate() {
                self.carry_out(scene, read, number, plan)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn too_long(&mut self, link: Link<'_>, _: &Info) -> Flow {
        self.leave(&link, None, None)?;
        Ok(ControlFlow::Continue(()))
    }

    fn passed(&mut self, input: &Input<'_>, to: u64) -> Result<(), Error> {
        self.planner.pass(input, to);
        self.copy(input, to)?;
        self.hand_on_waiting(input)
    }
}

impl DocumentWriter<'_> {
    /// Copies the source up to `to`.
    fn copy(&mut self, input: &Input<'_>, to: u64) -> Result<(), Error> {
        if to > self.written {
            self.output.bytes(input.bytes(SourceSpan {
                start: self.written,
                end: to,
            }))?;
            self.written = to;
        }
        Ok(())
    }

    /// Writes the edits of a link and hands it on.
    fn carry_out(
        &mut self,
        scene: &mut Scene<'_, '_>,
        read: &mut SlotRead<'_>,
        number: usize,
        plan: Plan,
    ) -> Result<(), Error> {
        let (new, notes) = match plan.decision {
            Decision::Keep(_) => return Ok(()),
            Decision::Change(new, notes) => (Ok(new), notes),
            Decision::Left(notes) if notes.contains(Note::OverBudget) => {
                let at = SourceSpan::of_window(read.origin, &read.found[number].range).start;
                return Err(new_links_too_long(scene.input.source_at(at)));
            }
            Decision::Left(notes) => (Err(notes), notes),
        };
        let edits = new.and_then(|new| {
            let link = (number, new.as_str());
            let edits = self.planner.edits(read, link, plan.patches, scene.input);
            Ok((new, edits.ok_or(Note::LeftUnencodable)?))
        });
        let range = read.found[number].range.clone();
        let mut link = scene.link(&mut read.found[number], &read.window, read.origin);
        let (new, edits) = match edits {
            Ok(edits) => edits,
            Err(notes) => {
                link.add_notes(notes);
                let place = (&read.window, range, read.origin);
                self.leave(&link, plan.rule, self.excerpts.then_some(place))?;
                return self.hand_on_waiting(scene.input);
            }
        };
        for edit in &edits {
            self.copy(scene.input, edit.span.start)?;
            self.output.bytes(&edit.bytes)?;
            self.written = edit.span.end;
        }
        let outcome = Outcome {
            link: &link,
            new: Some(&new),
            edits: &edits,
            notes,
            rule: plan.rule,
            excerpt: None,
        };
        self.hand_on(&outcome, None)
    }

    /// Hands on an unchanged link. `place`: its range in a window, for an excerpt, and the start of the window in the
    /// view.
    fn leave(
        &mut self,
        link: &Link<'_>,
        rule: Option<usize>,
        place: Option<(&Window<'_>, Range<usize>, u64)>,
    ) -> Result<(), Error> {
        let excerpt = place.map(|(window, range, origin)| {
            let (excerpt, goes_on) = Excerpt::begin(window, &range);
            (excerpt, goes_on.then_some(origin + range.end as u64))
        });
        let (excerpt, rest) = excerpt.unzip();
        let outcome = Outcome {
            link,
            new: None,
            edits: &[],
            notes: link.notes(),
            rule,
            excerpt: excerpt.as_ref(),
        };
        self.hand_on(&outcome, rest.flatten())
    }

    /// Hands on an outcome, behind those that wait.
    fn hand_on(&mut self, outcome: &Outcome<'_>, rest: Option<u64>) -> Result<(), Error> {
        if rest.is_some() || !self.waiting.is_empty() {
            self.waiting.push(outcome, rest);
            return Ok(());
        }
        self.output.link(outcome, self.info)
    }

    fn hand_on_waiting(&mut self, input: &Input<'_>) -> Result<(), Error> {
        self.waiting.hand_on(input.window(), self.info, self.output)
    }
}

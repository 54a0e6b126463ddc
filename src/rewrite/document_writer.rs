//! Writes a document: the planned edits, and everything else copied verbatim.

use super::Outcome;
use super::mapping::Decision;
use super::output::Output;
use super::plan::{Matched, Plan, Planner};
use crate::error::Error;
use crate::link::{Info, Link, new_links_too_long};
use crate::notes::Note;
use crate::read::{self, Flow, Input, Opened, Scene, SlotRead, Visitor};
use crate::span::SourceSpan;
use std::ops::ControlFlow;

/// Writes a document with the planned edits; returns the number of matched links for each rule.
pub(super) fn write(
    document: Opened<'_, '_>,
    planner: Planner<'_>,
    output: &mut dyn Output,
) -> Result<Matched, Error> {
    let mut writer = DocumentWriter {
        planner,
        output,
        written: 0,
    };
    read::read(document, &mut writer)?;
    Ok(writer.planner.matched)
}

struct DocumentWriter<'r> {
    planner: Planner<'r>,
    output: &'r mut dyn Output,
    /// The source was written up to this byte.
    written: u64,
}

impl Visitor for DocumentWriter<'_> {
    fn slot(&mut self, scene: &mut Scene<'_, '_>, read: &mut SlotRead<'_>) -> Flow {
        self.output.seen(read.found.len() as u64);
        if !self.planner.surely_keeps_all(read) {
            let plans = self.planner.plans(scene.reader(), read, scene.input);
            for (number, plan) in plans.into_iter().enumerate() {
                self.carry_out(scene, read, number, plan)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn too_long(&mut self, link: Link<'_>, info: &Info) -> Flow {
        self.leave(&link, None, info)?;
        Ok(ControlFlow::Continue(()))
    }

    fn passed(&mut self, input: &Input<'_>, to: u64) -> Result<(), Error> {
        self.planner.pass(input, to);
        self.copy(input, to)
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
        let mut link = scene.link(&mut read.found[number], &read.window, read.origin);
        let (new, edits) = match edits {
            Ok(edits) => edits,
            Err(notes) => {
                link.add_notes(notes);
                return self.leave(&link, plan.rule, scene.info);
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
        };
        self.output.link(&outcome, scene.info)
    }

    /// Hands on an unchanged link.
    fn leave(&mut self, link: &Link<'_>, rule: Option<usize>, info: &Info) -> Result<(), Error> {
        let outcome = Outcome {
            link,
            new: None,
            edits: &[],
            notes: link.notes(),
            rule,
        };
        self.output.link(&outcome, info)
    }
}

//! Writes a document: the planned edits, and everything else copied verbatim.

use super::mapping::Decision;
use super::plan::{Plan, Planner};
use super::{Outcome, Tally};
use crate::error::Error;
use crate::link::{Info, Link, Settings, new_links_too_long};
use crate::report::Note;
use crate::span::SourceSpan;
use crate::stream::{self, Flow, Input, Scene, SlotRead, Visitor};
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;

/// The callback for each link that is changed or left.
pub(super) type Each<'e> = &'e mut dyn FnMut(&Outcome<'_>, &Info);

/// Writes a document with the edits that are planned; how many links each rule matched.
pub(super) fn write(
    input: Input<'_>,
    planner: Planner<'_>,
    writer: &mut dyn Write,
    settings: &Settings,
    (info, bom, each): (&Info, usize, Each<'_>),
) -> Result<(Tally, BTreeMap<usize, u64>), Error> {
    let mut document = DocumentWriter {
        planner,
        writer,
        each,
        written: 0,
        tally: Tally::default(),
    };
    stream::read(input, (info, bom), settings, &mut document)?;
    document.writer.flush()?;
    Ok((document.tally, document.planner.matched))
}

struct DocumentWriter<'r> {
    planner: Planner<'r>,
    writer: &'r mut dyn Write,
    each: Each<'r>,
    /// The source is written up to this byte.
    written: u64,
    tally: Tally,
}

impl Visitor for DocumentWriter<'_> {
    fn slot(&mut self, scene: &mut Scene<'_, '_>, read: &mut SlotRead<'_>) -> Flow {
        self.tally.links += read.found.len() as u64;
        if !self.planner.surely_keeps_all(read) {
            let plans = self.planner.plans(scene.reader, read, scene.input);
            for (number, plan) in plans.into_iter().enumerate() {
                self.carry_out(scene, read, number, plan)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn too_long(&mut self, link: Link<'_>, info: &Info) -> Flow {
        self.report_left(&link, None, info);
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
            self.writer.write_all(input.bytes(SourceSpan {
                start: self.written,
                end: to,
            }))?;
            self.written = to;
        }
        Ok(())
    }

    /// Writes the edits of a link and reports it.
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
                self.report_left(&link, plan.rule, scene.info);
                return Ok(());
            }
        };
        for edit in &edits {
            self.copy(scene.input, edit.span.start)?;
            self.writer.write_all(&edit.bytes)?;
            self.written = edit.span.end;
        }
        self.tally.changed += 1;
        let outcome = Outcome {
            link: &link,
            new: Some(&new),
            edits: &edits,
            notes,
            rule: plan.rule,
        };
        (self.each)(&outcome, scene.info);
        Ok(())
    }

    fn report_left(&mut self, link: &Link<'_>, rule: Option<usize>, info: &Info) {
        self.tally.left += 1;
        self.tally.names += u64::from(link.notes().contains(Note::LeftName));
        let outcome = Outcome {
            link,
            new: None,
            edits: &[],
            notes: link.notes(),
            rule,
        };
        (self.each)(&outcome, info);
    }
}

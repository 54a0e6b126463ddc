//! The rewriter: the machine's links, decisions, edits, and everything else copied verbatim.

use super::mapping::Decision;
use super::plan::{Fate, Planner, edits};
use super::{Mapping, Outcome, Tally, steady};
use crate::error::Error;
use crate::link::{Found, Info, Link, Locator, Machine, Progress, Settings, machine, open};
use crate::markup::Window;
use crate::report::Note;
use crate::span::SourceSpan;
use crate::stream::{Input, SlotRead};
use std::borrow::Cow;
use std::io::Write;

/// What is called with each link that was changed or left.
type Each<'e> = &'e mut dyn FnMut(&Outcome<'_>, &Info);

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
    let mut planner = Planner::new(Cow::Borrowed(mapping), &info, settings);
    planner.is_steady = steady::keeps_charset(&mut input, (&info, bom), settings, mapping)?;
    input.start(info.charset, bom);
    let tally = write(input, planner, writer, settings, (&info, each))?;
    Ok((info, tally))
}

/// Carries out the plans for a document that was started.
pub(super) fn write(
    mut input: Input<'_>,
    planner: Planner<'_>,
    writer: &mut dyn Write,
    settings: &Settings,
    (info, each): (&Info, Each<'_>),
) -> Result<Tally, Error> {
    let start = input.window().1 + input.cursor as u64;
    let mut rewriter = Rewriter {
        machine: machine(info, settings),
        planner,
        locator: settings
            .locate
            .then(|| Locator::new(info.charset.view(), start)),
        info,
        writer,
        each,
        written: 0,
        spare: Vec::new(),
        tally: Tally::default(),
    };
    while rewriter.step(&mut input)? {}
    Ok(rewriter.tally)
}

struct Rewriter<'r> {
    machine: Machine,
    planner: Planner<'r>,
    locator: Option<Locator>,
    info: &'r Info,
    writer: &'r mut dyn Write,
    each: &'r mut dyn FnMut(&Outcome<'_>, &Info),
    /// The source is written up to this byte.
    written: u64,
    /// Empty; kept for its memory.
    spare: Vec<Found<'static>>,
    tally: Tally,
}

impl Rewriter<'_> {
    /// One step of the machine; false at the end.
    fn step(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        let mut found = emptied(std::mem::take(&mut self.spare));
        let mut cursor = input.cursor;
        let (window, origin) = input.window();
        let progress = self.machine.step(window, origin, &mut cursor, &mut found);
        match progress {
            Progress::Slot { slot, ground } => {
                let read = SlotRead {
                    slot,
                    ground,
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
            locator.follow(window.bytes, origin, reached);
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

    fn slot(&mut self, read: &SlotRead<'_>, input: &Input<'_>) -> Result<(), Error> {
        self.tally.links += read.found.len() as u64;
        let reader = &self.machine.reader;
        let Some(fates) = self.planner.fates(reader, read) else {
            return Ok(());
        };
        for (found, fate) in read.found.iter().zip(&fates) {
            self.carry_out(read, found, fate, input)?;
        }
        Ok(())
    }

    /// Writes a link's edits and reports it.
    fn carry_out<'w>(
        &mut self,
        read: &SlotRead<'w>,
        found: &Found<'w>,
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

/// The same memory for links of another window.
fn emptied<'n>(mut found: Vec<Found<'_>>) -> Vec<Found<'n>> {
    found.clear();
    let none = |_| -> Option<Found<'n>> { None };
    found.into_iter().filter_map(none).collect()
}

fn source_span(input: &Input<'_>, view: SourceSpan) -> SourceSpan {
    SourceSpan {
        start: input.source_at(view.start),
        end: input.source_at(view.end),
    }
}

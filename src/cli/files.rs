//! A run over many files: each is worked on by itself, and what comes of it is printed in order.

use super::args::ReportArgs;
use super::desk::{Chunk, Desk, Event};
use super::inputs::Inputs;
use super::output::{Ending, Output, complain, complain_of};
use super::progress::Progress;
use super::totals::{Counts, Totals};
use super::{Failure, json};
use linkglot::driver::{
    Content, Entry, FileEntry, Insisted, Nature, SkipReason, Source, Walk, in_order,
};
use linkglot::link::Info;
use linkglot::{Error, ErrorKind};
use std::collections::HashSet;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// What a command does with each file.
pub trait Job: Sync {
    /// Works on a document.
    fn file(
        &self,
        entry: &FileEntry,
        source: Source,
        content: Content,
        desk: &mut Desk<'_>,
    ) -> Result<Counts, Error>;

    /// Works on standard input.
    fn stdin(&self, reader: &mut dyn Read, desk: &mut Desk<'_>) -> Result<Counts, Error>;

    /// A directory is entered: called before anything in it is worked on.
    fn directory(&self, _: &FileEntry) -> Result<(), Error> {
        Ok(())
    }

    /// Something is left out.
    fn skipped(&self, _: &FileEntry, _: SkipReason) -> Result<(), Error> {
        Ok(())
    }

    /// Whether a file may be worked on that is none: a pipe, a device.
    fn takes_pipes(&self) -> bool {
        true
    }
}

/// How a run goes.
pub struct Run<'r> {
    pub inputs: Inputs,
    pub threads: usize,
    pub report: &'r ReportArgs,
    /// What the user insists on. A format counts for files that are named: a walk comes upon others, too.
    pub insisted: Insisted,
    /// Whether entries with the same key are printed once.
    pub unique: bool,
    /// Whether changes are counted.
    pub rewrites: bool,
    /// Whether the summary is printed although nobody asked.
    pub sums_up: bool,
    /// Whether results go to standard output.
    pub prints: bool,
}

/// How a run went.
pub struct Finished {
    pub totals: Totals,
    /// Whether it ended before its end because nobody wanted more.
    pub enough: bool,
}

impl Run<'_> {
    /// Works on all inputs.
    pub fn run(self, job: &dyn Job) -> Result<Finished, Failure> {
        let shown = Shown {
            implicit: self.inputs.implicit,
        };
        let insisted = self.insisted;
        let report = self.report;
        let mut printer = Printer {
            report,
            shown,
            output: Output::new(),
            progress: Progress::new(report, self.prints),
            seen: self.unique.then(HashSet::new),
            totals: Totals::default(),
            enough: false,
        };
        let walk = Walk::new(self.inputs.roots, self.inputs.selection).map_err(Failure::from)?;
        // As the walk goes, for other threads work on what is in a directory at once.
        let walk = walk.map(|entry| match entry {
            Entry::Directory(file) => match job.directory(&file) {
                Ok(()) => Entry::Directory(file),
                Err(error) => Entry::Failed(file.path, error),
            },
            other => other,
        });
        in_order(
            self.threads,
            walk,
            |entry, lane| {
                let mut desk = Desk::new(lane);
                work(job, entry, insisted, &mut desk);
                desk.hand_on();
            },
            |event| printer.take(event),
        )
        .map_err(Failure::from)?;
        printer.finish(self.rewrites, self.sums_up)
    }
}

/// How paths are shown.
#[derive(Clone, Copy)]
pub struct Shown {
    implicit: bool,
}

impl Shown {
    pub fn new(inputs: &Inputs) -> Self {
        Shown {
            implicit: inputs.implicit,
        }
    }

    /// The path as it is shown: without `./` when nobody wrote it.
    pub fn path(self, path: &Path) -> &Path {
        match path.strip_prefix(".") {
            Ok(below) if self.implicit && !below.as_os_str().is_empty() => below,
            _ => path,
        }
    }
}

/// Works on one entry. One that fails is told of; a bug that it brings to light, too.
fn work(job: &dyn Job, entry: Entry, insisted: Insisted, desk: &mut Desk<'_>) {
    let path = match &entry {
        Entry::File(file) | Entry::Directory(file) | Entry::Skipped(file, _) => file.path.clone(),
        Entry::Failed(path, _) => path.clone(),
        _ => PathBuf::from("-"),
    };
    let worked = catch_unwind(AssertUnwindSafe(|| work_on(job, entry, insisted, desk)));
    let done = worked.unwrap_or_else(|_| {
        Err(Error::new(
            ErrorKind::Io,
            "internal error: please report it with this file; the file was left alone",
        ))
    });
    match done {
        Ok(Some(event)) => desk.tell(event),
        Ok(None) => {}
        Err(_) if desk.stopped() => {}
        Err(error) => desk.tell(Event::Failed(path, error)),
    }
}

fn work_on(
    job: &dyn Job,
    entry: Entry,
    insisted: Insisted,
    desk: &mut Desk<'_>,
) -> Result<Option<Event>, Error> {
    match entry {
        Entry::Failed(_, error) => Err(error),
        Entry::Directory(_) => Ok(None),
        Entry::Skipped(file, reason) => {
            job.skipped(&file, reason)?;
            Ok(Some(Event::Skipped(file.path, reason)))
        }
        Entry::File(file) => work_on_file(job, file, insisted, desk).map(Some),
        Entry::Stdin => {
            let counts = job.stdin(&mut io::stdin().lock(), desk)?;
            Ok(Some(done(PathBuf::from("-"), counts)))
        }
    }
}

fn work_on_file(
    job: &dyn Job,
    file: FileEntry,
    insisted: Insisted,
    desk: &mut Desk<'_>,
) -> Result<Event, Error> {
    let format = insisted.format.filter(|_| file.named);
    let mut source = Source::open(&file.path)?;
    if !source.is_regular() && !job.takes_pipes() {
        return Err(Error::new(
            ErrorKind::Io,
            "expected a file, found a pipe or a device",
        ));
    }
    if source.nature(Insisted { format, ..insisted })? == Nature::Binary {
        if file.named {
            return Err(Error::new(
                ErrorKind::Io,
                "expected a document, found a binary file",
            ));
        }
        job.skipped(&file, SkipReason::Binary)?;
        return Ok(Event::Skipped(file.path, SkipReason::Binary));
    }
    let content = source.read()?;
    let counts = job.file(&file, source, content, desk)?;
    Ok(done(file.path, counts))
}

/// What is told of a document that was worked on.
fn done(path: PathBuf, counts: Counts) -> Event {
    match counts.skipped {
        Some(reason) => Event::Skipped(path, reason),
        None => Event::Done(counts),
    }
}

/// Why nothing of a document is read, if it is so.
pub fn unread(info: &Info) -> Option<SkipReason> {
    info.charset.is_replacement().then_some(SkipReason::Charset)
}

/// The thread that prints.
struct Printer<'r> {
    report: &'r ReportArgs,
    shown: Shown,
    output: Output,
    progress: Progress,
    seen: Option<HashSet<u128>>,
    totals: Totals,
    enough: bool,
}

impl Printer<'_> {
    fn take(&mut self, event: Event) -> ControlFlow<()> {
        let goes_on = match event {
            Event::Output(chunk) => self.print(&chunk),
            Event::Told(path, message) => {
                let path = self.shown.path(&path);
                self.progress.aside(|| complain_of(path, message));
                true
            }
            Event::Done(counts) => {
                self.totals.add(counts);
                self.progress.file(counts.bytes);
                true
            }
            Event::Skipped(path, reason) => self.skip(&path, reason),
            Event::Failed(path, error) => self.fail(&path, &error),
            Event::Enough => {
                self.enough = true;
                false
            }
        };
        if goes_on {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn print(&mut self, chunk: &Chunk) -> bool {
        let Some(seen) = &mut self.seen else {
            return self.output.write(&chunk.bytes);
        };
        let mut start = 0;
        let mut fresh = Vec::with_capacity(chunk.bytes.len());
        for &(key, end) in &chunk.entries {
            if seen.insert(key) {
                fresh.extend_from_slice(&chunk.bytes[start..end]);
            }
            start = end;
        }
        fresh.extend_from_slice(&chunk.bytes[start..]);
        self.output.write(&fresh)
    }

    fn skip(&mut self, path: &Path, reason: SkipReason) -> bool {
        *self.totals.skipped.entry(reason).or_default() += 1;
        if self.report.verbose {
            let path = self.shown.path(path);
            self.progress
                .aside(|| complain_of(path, format_args!("skipped: {}", reason.words())));
        }
        true
    }

    fn fail(&mut self, path: &Path, error: &Error) -> bool {
        self.totals.errors += 1;
        let path = self.shown.path(path);
        // What comes before it on standard output is seen before it on a terminal.
        let goes_on = self.output.flush();
        self.progress.aside(|| complain_of(path, error));
        if !self.report.json {
            return goes_on;
        }
        let mut object = Vec::new();
        json::error(&mut object, path, &error.to_string());
        self.output.write(&object)
    }

    fn finish(mut self, rewrites: bool, sums_up: bool) -> Result<Finished, Failure> {
        self.progress.end();
        if self.report.json {
            let mut object = Vec::new();
            json::summary(&mut object, &self.totals, rewrites);
            self.output.write(&object);
        }
        match self.output.end() {
            Ending::Well => {}
            Ending::BrokenPipe => return Err(Failure::broken_pipe()),
            Ending::Failed(error) => {
                return Err(Failure::new(format!("standard output: {error}")));
            }
        }
        if self.report.stats || (sums_up && !self.report.quiet) {
            let summary = self.totals.summary(rewrites, self.progress.elapsed());
            for line in summary.lines() {
                complain(line);
            }
        }
        Ok(Finished {
            totals: self.totals,
            enough: self.enough,
        })
    }
}

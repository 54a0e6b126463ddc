//! A run over many files, which are worked on in parallel and reported in order.

use super::Failure;
use super::args::ReportArgs;
use super::diff;
use super::inputs::{Inputs, check_stdin};
use super::json;
use super::outbox::{Chunk, Event, Outbox};
use super::output::{Output, complain, complain_about};
use super::progress::Progress;
use super::rules::SiteRules;
use super::tables::Tables;
use super::totals::{Changes, Counts, Totals};
use linkglot::driver::Content;
use linkglot::driver::{
    Entry, FileEntry, Opened, Overrides, SkipReason, Source, Threads, Unmet, Walk, in_order,
    open_document,
};
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
        outbox: &mut Outbox<'_>,
    ) -> Result<Counts, Error>;

    /// Works on standard input.
    fn stdin(&self, reader: &mut dyn Read, outbox: &mut Outbox<'_>) -> Result<Counts, Error>;

    /// Enters a directory. Called before anything in it is worked on.
    fn directory(&self, _: &FileEntry) -> Result<(), Error> {
        Ok(())
    }

    /// Passes over a file or directory.
    fn skipped(&self, _: &FileEntry, _: SkipReason, _: &mut Outbox<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Works on another name of a file that was worked on already.
    fn other_name(&self, _: &FileEntry) -> Result<(), Error> {
        Ok(())
    }

    /// What is printed when all is read, before the summary.
    fn end(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Whether named pipes and devices are read.
    fn accepts_pipes(&self) -> bool {
        true
    }
}

/// What a run prints on standard error when it ends, unless the user asks for more or for less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReport {
    /// Nothing: the summary is there for those who ask.
    OnRequest,
    /// Links that should have changed and were left: whoever pipes a document sees nothing of them.
    OfLeft,
    /// How much the diffs change, and what writes it.
    AfterDiff(diff::Next),
    Always,
}

/// The settings of a run.
pub struct Run<'r> {
    pub inputs: Inputs,
    pub threads: usize,
    pub report: &'r ReportArgs,
    /// The format holds only for named files, since a walk meets others too.
    pub overrides: Overrides,
    /// Whether entries with the same key are printed once.
    pub unique: bool,
    pub changes: Changes,
    /// The rules that links are compared with.
    pub rules: Option<&'r SiteRules>,
    pub summary: EndReport,
    pub tables: Tables,
    /// Whether files are written: then the run goes on when nobody reads standard output any more.
    pub writes_files: bool,
    /// Whether results go to standard output, where a progress bar would be in the way.
    pub prints: bool,
}

/// How a run ended.
pub struct Finished {
    pub totals: Totals,
    /// Whether it was stopped because a link was found.
    pub stopped: bool,
}

impl Run<'_> {
    /// Works on all inputs.
    pub fn run(self, job: &dyn Job) -> Result<Finished, Failure> {
        let mut printer = Printer {
            report: self.report,
            path_style: PathStyle::new(&self.inputs),
            output: Output::new(),
            progress: Progress::new(self.report, self.prints),
            printed: self.unique.then(HashSet::new),
            totals: Totals::default(),
            stopped: false,
            writes_files: self.writes_files,
        };
        let walk = Walk::new(self.inputs.roots, self.inputs.selection)?;
        let hard_links = walk.hard_links();
        // During the walk, because other threads begin with the content of a directory at once.
        let walk = walk.map(|entry| match entry {
            Entry::Directory(file) => match job.directory(&file) {
                Ok(()) => Entry::Directory(file),
                Err(error) => Entry::Failed(file.path, error),
            },
            other => other,
        });
        in_order(
            match self.writes_files {
                true => Threads::WorkingAndWaiting(self.threads),
                false => Threads::Working(self.threads),
            },
            walk,
            |entry, sender| {
                let mut outbox = Outbox::new(*sender);
                work_on_entry(job, entry, self.overrides, &mut outbox);
                outbox.flush_chunk();
            },
            |event| printer.receive(event),
        )?;
        for file in hard_links.iter().flat_map(|links| links.unmet()) {
            printer.complain_of_unmet(&file);
        }
        if !self.report.quiet {
            printer.output.write(&job.end());
        }
        printer.finish(self.changes, self.rules, (self.summary, self.tables))
    }
}

/// How paths are shown.
#[derive(Clone, Copy)]
pub struct PathStyle {
    /// Whether the user named no path, so that `./` is left out.
    implicit: bool,
}

impl PathStyle {
    pub fn new(inputs: &Inputs) -> Self {
        PathStyle {
            implicit: inputs.implicit,
        }
    }

    /// The path as it is shown.
    pub fn apply(self, path: &Path) -> &Path {
        match path.strip_prefix(".") {
            Ok(below) if self.implicit && !below.as_os_str().is_empty() => below,
            _ => path,
        }
    }
}

/// Works on one entry and reports errors, panics included: one bad file stops no run.
fn work_on_entry(job: &dyn Job, entry: Entry, overrides: Overrides, outbox: &mut Outbox<'_>) {
    let first = match &entry {
        Entry::File(file) if !file.is_other_name() => Some(file.clone()),
        _ => None,
    };
    let path = match &entry {
        Entry::File(file) | Entry::Directory(file) | Entry::Skipped(file, _) => file.path.clone(),
        Entry::Failed(path, _) => path.clone(),
        _ => PathBuf::from("-"),
    };
    let worked = catch_unwind(AssertUnwindSafe(|| process(job, entry, overrides, outbox)));
    if let Some(first) = first {
        first.release_other_names();
    }
    let done = worked.unwrap_or_else(|_| {
        Err(Error::new(
            ErrorKind::Io,
            "internal error: please report it with this file; the file was left alone",
        ))
    });
    match done {
        Ok(Some(event)) => outbox.send(event),
        Ok(None) => {}
        Err(_) if outbox.is_stopped() => {}
        Err(error) => outbox.send(Event::Failed(path, error)),
    }
}

fn process(
    job: &dyn Job,
    entry: Entry,
    overrides: Overrides,
    outbox: &mut Outbox<'_>,
) -> Result<Option<Event>, Error> {
    match entry {
        Entry::Failed(_, error) => Err(error),
        Entry::Directory(_) => Ok(None),
        Entry::Skipped(file, reason) => {
            job.skipped(&file, reason, outbox)?;
            Ok(Some(Event::Skipped(file.path, reason)))
        }
        Entry::File(file) if file.is_other_name() => {
            job.other_name(&file)?;
            Ok(Some(Event::Skipped(file.path, SkipReason::Twice)))
        }
        Entry::File(file) => process_file(job, file, overrides, outbox).map(Some),
        Entry::Stdin => {
            check_stdin()?;
            let counts = job.stdin(&mut io::stdin().lock(), outbox)?;
            Ok(Some(done(PathBuf::from("-"), counts)))
        }
    }
}

fn process_file(
    job: &dyn Job,
    file: FileEntry,
    overrides: Overrides,
    outbox: &mut Outbox<'_>,
) -> Result<Event, Error> {
    let (source, content) = match open_document(&file, overrides, job.accepts_pipes())? {
        Opened::Document(source, content) => (*source, content),
        Opened::Skipped(reason) => {
            job.skipped(&file, reason, outbox)?;
            return Ok(Event::Skipped(file.path, reason));
        }
    };
    let counts = job.file(&file, source, content, outbox)?;
    Ok(done(file.path, counts))
}

fn done(path: PathBuf, counts: Counts) -> Event {
    match counts.skipped {
        Some(reason) => Event::Skipped(path, reason),
        None => Event::Done(counts),
    }
}

/// Prints what the working threads report.
struct Printer<'r> {
    report: &'r ReportArgs,
    path_style: PathStyle,
    output: Output,
    progress: Progress,
    /// The keys of entries printed so far, if each is printed only once.
    printed: Option<HashSet<u128>>,
    totals: Totals,
    stopped: bool,
    writes_files: bool,
}

impl Printer<'_> {
    fn receive(&mut self, event: Event) -> ControlFlow<()> {
        let goes_on = match event {
            Event::Output(chunk) => self.print(&chunk),
            Event::Message(path, message) => {
                self.complain(&path, &message);
                true
            }
            Event::Done(counts) => {
                self.progress.add_file(counts.bytes);
                self.totals.add(counts);
                true
            }
            Event::Skipped(path, reason) => {
                *self.totals.skipped.entry(reason).or_default() += 1;
                if self.report.verbose {
                    self.complain(&path, &format!("skipped: {}", reason.words()));
                }
                true
            }
            Event::Failed(path, error) => self.fail(&path, &error),
            Event::Stop => {
                self.stopped = true;
                false
            }
            Event::Unread => {
                self.output.give_up();
                false
            }
        };
        if goes_on || (self.writes_files && !self.stopped) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    /// Names outside of the run cannot be known.
    fn complain_of_unmet(&self, file: &Unmet) {
        if self.report.quiet {
            return;
        }
        let (names, unmet) = (file.names, file.unmet);
        let message = format!(
            "the file has {names} names (hard links); {unmet} of them, which this run did not meet, keep the old content"
        );
        self.complain(&file.path, &message);
    }

    fn complain(&self, path: &Path, message: &str) {
        let path = self.path_style.apply(path);
        self.progress.suspend(|| complain_about(path, message));
    }

    fn print(&mut self, chunk: &Chunk) -> bool {
        let Some(printed) = &mut self.printed else {
            return self.output.write(&chunk.bytes);
        };
        let mut start = 0;
        let mut fresh = Vec::with_capacity(chunk.bytes.len());
        for &(key, end) in &chunk.unique {
            if printed.insert(key) {
                fresh.extend_from_slice(&chunk.bytes[start..end]);
            }
            start = end;
        }
        fresh.extend_from_slice(&chunk.bytes[start..]);
        self.output.write(&fresh)
    }

    fn fail(&mut self, path: &Path, error: &Error) -> bool {
        self.totals.errors += 1;
        let refusals = [
            ErrorKind::UnknownCharset,
            ErrorKind::Transcoding,
            ErrorKind::Container,
            ErrorKind::OverBudget,
        ];
        self.totals.refused += u64::from(refusals.contains(&error.kind()));
        // On a terminal, the results so far come before the error.
        let goes_on = self.output.flush();
        self.complain(path, &error.to_string());
        if !self.report.json {
            return goes_on;
        }
        let mut object = Vec::new();
        json::error(&mut object, self.path_style.apply(path), &error.to_string());
        self.output.write(&object)
    }

    fn finish(
        mut self,
        changes: Changes,
        rules: Option<&SiteRules>,
        (summary, tables): (EndReport, Tables),
    ) -> Result<Finished, Failure> {
        self.progress.end();
        if self.report.json {
            let mut object = Vec::new();
            json::summary(&mut object, &self.totals, changes, rules);
            self.output.write(&object);
        }
        match self.output.end() {
            // The files are what was asked for. All were written, and the exit code says how that went.
            Err(Failure::BrokenPipe) if self.writes_files => {}
            Err(Failure::Message(message)) if self.writes_files => {
                let written = self.totals.files_written;
                let files = if written == 1 { "file" } else { "files" };
                let how_far = format!("the run went on to its end: {written} {files} written");
                return Err(Failure::Message(format!("{message}; {how_far}")));
            }
            ended => ended?,
        }
        let (totals, verbose) = (&self.totals, self.report.verbose);
        let matches = || match (tables, rules) {
            (Tables::None, Some(rules)) => rules.summary(&totals.matched, verbose),
            _ => tables.text(totals, rules, verbose),
        };
        let text = match summary {
            _ if self.report.stats => totals.summary(changes, verbose, self.progress.elapsed()),
            _ if self.report.quiet => String::new(),
            EndReport::Always => totals.summary(changes, verbose, self.progress.elapsed()),
            EndReport::AfterDiff(next) => diff::footer(totals, next, verbose),
            EndReport::OfLeft => totals.left_links(verbose),
            EndReport::OnRequest => String::new(),
        };
        text.lines().for_each(complain);
        let is_brief = matches!(summary, EndReport::OnRequest | EndReport::OfLeft);
        let is_asked = !is_brief && !self.report.quiet;
        if is_asked || self.report.stats {
            matches().lines().for_each(complain);
            totals
                .left_behind
                .summary(verbose)
                .lines()
                .for_each(complain);
        }
        if let Some(rules) = rules.filter(|_| !self.report.quiet) {
            rules.warn_of_unmatched(totals, verbose);
        }
        Ok(Finished {
            totals: self.totals,
            stopped: self.stopped,
        })
    }
}

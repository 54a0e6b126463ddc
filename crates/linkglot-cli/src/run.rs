//! A run over many files, which are processed in parallel and reported in order.

use super::Failure;
use super::args::ReportArgs;
use super::diff;
use super::inputs::{Inputs, check_stdin};
use super::json;
use super::outbox::{Chunk, News, Outbox};
use super::output::{Output, complain, complain_about, error_words, number};
use super::progress::Progress;
use super::rules::SiteRules;
use super::skipped;
use super::summary;
use super::tables::Tables;
use super::totals::{Changes, Counts, Totals, Within};
use linkglot::{Error, ErrorKind};
use linkglot_files::{
    ContainerWork, DigestLists, Document, EventSender, FileEntry, Limits, Overrides, SkipReason,
    Source, StaleDigests, Threads, Unmet, Walk, Writing,
};
use std::collections::HashSet;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The work of a command on each file.
pub trait Job: Sync {
    /// Processes a document.
    fn file(
        &self,
        entry: &FileEntry,
        document: Document<'_>,
        outbox: &mut Outbox<'_>,
    ) -> Result<Counts, Error>;

    /// Processes standard input.
    fn stdin(&self, reader: &mut dyn Read, outbox: &mut Outbox<'_>) -> Result<Counts, Error>;

    /// Enters a directory. Called before anything in it is processed.
    fn directory(&self, _: &FileEntry) -> Result<(), Error> {
        Ok(())
    }

    /// Passes over a file or directory. May return a remark.
    fn skipped(&self, _: &FileEntry, _: SkipReason) -> Result<Option<String>, Error> {
        Ok(None)
    }

    /// Handles another name of a file that was already processed.
    fn other_name(&self, _: &FileEntry) -> Result<(), Error> {
        Ok(())
    }

    /// Begins with a container, whose documents follow.
    fn container(&self, _: &FileEntry, _: &Source) -> Result<ContainerWork<'_>, Error> {
        Ok(ContainerWork::Read)
    }

    /// Output after all files, before the summary.
    fn end(&self) -> Vec<u8> {
        Vec::new()
    }

    /// True if documents are rewritten, even if only to compare them.
    fn rewrites(&self) -> bool {
        false
    }

    /// True if containers are written.
    fn writes_files(&self) -> bool {
        false
    }

    /// True if requests in archives of the web are read.
    fn reads_requests(&self) -> bool {
        false
    }

    /// True if named pipes and devices are read.
    fn accepts_pipes(&self) -> bool {
        true
    }
}

/// The report on standard error at the end of a run, unless the user asks for more or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReport {
    /// No report, unless requested.
    OnRequest,
    /// Links that should have changed and were left: the reader of a piped document would not notice them.
    OfLeft,
    /// The number of changes in the diffs, and the command that writes them.
    AfterDiff(diff::Next),
    Always,
}

/// The settings of a run.
pub struct Run<'r> {
    pub inputs: Inputs,
    pub threads: usize,
    pub report: &'r ReportArgs,
    /// Charset and format. The format applies only to named files, since a walk meets files of other formats too.
    pub overrides: Overrides,
    /// True if entries with the same key are printed once.
    pub unique: bool,
    pub changes: Changes,
    /// The rules that links are compared with.
    pub rules: Option<&'r SiteRules>,
    pub summary: EndReport,
    pub tables: Tables,
    /// True if files are written: then the run continues when standard output loses its reader.
    pub writes_files: bool,
    /// True if results go to standard output, where a progress bar would disturb.
    pub prints: bool,
}

/// The outcome of a run.
pub struct Finished {
    pub totals: Totals,
    /// True if a link that was found stopped the run.
    pub stopped: bool,
}

impl Run<'_> {
    /// Processes all inputs.
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
            digests: Digests::default(),
        };
        let walk = Walk::new(self.inputs.roots, self.inputs.selection)?;
        let on_files = OnFiles {
            job,
            threads: if self.writes_files {
                Threads::WorkingAndWaiting(self.threads)
            } else {
                Threads::Working(self.threads)
            },
            overrides: self.overrides,
            limits: self.inputs.limits,
        };
        linkglot_files::run(&on_files, walk, |event| printer.receive(event))?;
        if !self.report.quiet {
            printer.output.write(&job.end());
        }
        printer.finish(self.changes, self.rules, (self.summary, self.tables))
    }
}

/// The form in which paths are shown.
#[derive(Clone, Copy)]
pub struct PathStyle {
    /// True if the user named no path, so that `./` is left out.
    implicit: bool,
}

impl PathStyle {
    pub fn new(inputs: &Inputs) -> Self {
        PathStyle {
            implicit: inputs.implicit,
        }
    }

    /// The path in its printed form.
    pub fn apply(self, path: &Path) -> &Path {
        match path.strip_prefix(".") {
            Ok(below) if self.implicit && !below.as_os_str().is_empty() => below,
            _ => path,
        }
    }
}

/// Warns of digests of files that changed.
fn warn_of_digests(stale: &StaleDigests, changes: Changes) {
    /// The most lists that are named.
    const MOST: usize = 10;
    let change = if changes == Changes::Shown {
        "would change"
    } else {
        "changed"
    };
    let named = &stale.lists[..stale.lists.len().min(MOST)];
    for (list, digests) in named {
        let message = if StaleDigests::is_signature(list) {
            format!("signs a file that {change}: make it anew")
        } else {
            let digests = number(*digests, "digest");
            format!("lists {digests} of files that {change}: make it anew")
        };
        complain_about(list, message);
    }
    let rest = stale.digests - named.iter().map(|(_, digests)| digests).sum::<u64>();
    if rest > 0 {
        let digests = number(rest, "digest");
        complain(format_args!(
            "{digests} of files that {change} in other lists and signatures"
        ));
    }
}

/// Adapts a job to the engine: its output is collected file by file.
struct OnFiles<'j> {
    job: &'j dyn Job,
    threads: Threads,
    overrides: Overrides,
    limits: Limits,
}

impl OnFiles<'_> {
    /// Processes a document, and sends its output, including the output before an error.
    fn send(
        news: EventSender<'_, News>,
        work: impl FnOnce(&mut Outbox<'_>) -> Result<Counts, Error>,
    ) -> Result<Option<SkipReason>, Error> {
        let mut outbox = Outbox::new(news);
        let done = work(&mut outbox);
        outbox.flush_chunk();
        match done {
            Ok(Counts {
                skipped: Some(reason),
                ..
            }) => Ok(Some(reason)),
            Ok(counts) => {
                outbox.send(News::Done(counts));
                Ok(None)
            }
            // The only error is that nobody receives the output any more.
            Err(_) if outbox.is_stopped() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl linkglot_files::Job for OnFiles<'_> {
    type News = News;

    fn threads(&self) -> Threads {
        self.threads
    }

    fn overrides(&self) -> Overrides {
        self.overrides
    }

    fn document(
        &self,
        entry: &FileEntry,
        document: Document<'_>,
        news: EventSender<'_, News>,
    ) -> Result<Option<SkipReason>, Error> {
        let within = match (entry.is_in_container(), entry.archived()) {
            (false, _) => Within::Nothing,
            (true, None) => Within::Archive,
            (true, Some(_)) => Within::WebArchive,
        };
        OnFiles::send(news, |outbox| {
            let counts = self.job.file(entry, document, outbox)?;
            let changed_file = counts.is_changed().then(|| entry.file().to_owned());
            Ok(Counts {
                within,
                changed_file,
                ..counts
            })
        })
    }

    fn container(&self, entry: &FileEntry, source: &Source) -> Result<ContainerWork<'_>, Error> {
        self.job.container(entry, source)
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn standard_input(&self, news: EventSender<'_, News>) -> Result<Option<SkipReason>, Error> {
        check_stdin()?;
        OnFiles::send(news, |outbox| {
            self.job.stdin(&mut io::stdin().lock(), outbox)
        })
    }

    fn directory(&self, entry: &FileEntry) -> Result<(), Error> {
        self.job.directory(entry)
    }

    fn skipped(&self, entry: &FileEntry, reason: SkipReason) -> Result<Option<String>, Error> {
        self.job.skipped(entry, reason)
    }

    fn other_name(&self, entry: &FileEntry) -> Result<(), Error> {
        self.job.other_name(entry)
    }

    fn rewrites(&self) -> bool {
        self.job.rewrites()
    }

    fn writes_files(&self) -> bool {
        self.job.writes_files()
    }

    fn reads_requests(&self) -> bool {
        self.job.reads_requests()
    }

    fn accepts_pipes(&self) -> bool {
        self.job.accepts_pipes()
    }
}

/// Prints the reports of the working threads.
struct Printer<'r> {
    report: &'r ReportArgs,
    path_style: PathStyle,
    output: Output,
    progress: Progress,
    /// The keys of entries printed so far, if each entry is printed only once.
    printed: Option<HashSet<u128>>,
    totals: Totals,
    stopped: bool,
    writes_files: bool,
    digests: Digests,
}

/// The lists of digests beside files that change.
#[derive(Default)]
struct Digests {
    lists: DigestLists,
    /// A container that changes, unless it fails yet.
    container: Option<PathBuf>,
}

impl Digests {
    fn add(&mut self, counts: &mut Counts) {
        self.lists.add_digests(&counts.old_digests);
        if let Some((page, digests)) = counts.page.take().map(|page| *page) {
            self.lists.add_page(&page, digests);
        }
        let Some(file) = &counts.changed_file else {
            return;
        };
        match counts.within {
            Within::Nothing => self.lists.add_changed(file),
            Within::Archive | Within::WebArchive if self.container.as_ref() != Some(file) => {
                self.end_container();
                self.container = Some(file.clone());
            }
            Within::Archive | Within::WebArchive => {}
        }
    }

    fn end_container(&mut self) {
        if let Some(container) = self.container.take() {
            self.lists.add_changed(&container);
        }
    }

    /// The digests of files that changed.
    fn stale(&mut self) -> StaleDigests {
        self.end_container();
        std::mem::take(&mut self.lists).stale()
    }
}

impl Printer<'_> {
    fn receive(&mut self, event: linkglot_files::Event<News>) -> ControlFlow<()> {
        use linkglot_files::Event;
        let goes_on = match event {
            Event::News(news) => self.receive_news(news),
            Event::Skipped(path, reason, remark) => {
                if let Some(remark) = remark {
                    self.complain(&path, &remark);
                }
                *self.totals.skipped.entry(reason).or_default() += 1;
                if self.report.verbose {
                    self.complain(&path, &format!("skipped: {}", skipped::words(reason)));
                }
                true
            }
            Event::Failed(path, error) => self.fail(&path, &error),
            Event::Unread(path, reason) => {
                *self.totals.unread.entry(reason).or_default() += 1;
                if self.report.verbose {
                    self.complain(&path, &format!("not read: {}", reason.words()));
                }
                true
            }
            Event::Remark(path, remark) => {
                self.complain(&path, &remark);
                true
            }
            Event::Container(step) => {
                if step == Writing::Failed {
                    self.digests.container = None;
                }
                self.totals.write_container(step);
                true
            }
            Event::Unmet(file) => {
                self.complain_of_unmet(&file);
                true
            }
        };
        if goes_on || (self.writes_files && !self.stopped) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn receive_news(&mut self, news: News) -> bool {
        match news {
            News::Output(chunk) => self.print(&chunk),
            News::Message(path, message) => {
                self.complain(&path, &message);
                true
            }
            News::Failed(path, error) => self.fail(&path, &error),
            News::Done(counts) => {
                self.progress.add_file(counts.bytes);
                let mut counts = counts;
                self.digests.add(&mut counts);
                self.totals.add(counts);
                true
            }
            News::Stop => {
                self.stopped = true;
                false
            }
            News::Unread => {
                self.output.give_up();
                false
            }
        }
    }

    /// Reports names outside of the run. The run cannot list them.
    fn complain_of_unmet(&mut self, file: &Unmet) {
        if self.report.quiet {
            return;
        }
        let (names, unmet) = (file.names, file.unmet);
        let message = format!(
            "the file has {names} names (hard links); {unmet} of them, which this run did not find, keep the old content"
        );
        self.complain(&file.path, &message);
    }

    fn complain(&mut self, path: &Path, message: &str) {
        // Both may go to one place, where the message belongs behind the results so far.
        self.output.flush();
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
        // Prints the results so far before the error, since both may go to a terminal.
        let goes_on = self.output.flush();
        self.complain(path, &error_words(error));
        if !self.report.json {
            return goes_on;
        }
        let mut object = Vec::new();
        json::error(
            &mut object,
            self.path_style.apply(path),
            &error_words(error),
        );
        self.output.write(&object)
    }

    fn finish(
        mut self,
        changes: Changes,
        rules: Option<&SiteRules>,
        (summary, tables): (EndReport, Tables),
    ) -> Result<Finished, Failure> {
        self.progress.end();
        let stale = self.digests.stale();
        self.totals.stale_digests = stale.digests;
        // A run that its first link stopped has counted nothing.
        if self.report.json && !self.stopped {
            let mut object = Vec::new();
            summary::of_run(&mut object, &self.totals, changes, rules);
            self.output.write(&object);
        }
        match self.output.end() {
            // The files are the result of the run. All were written, and the exit code tells the outcome.
            Err(Failure::BrokenPipe) if self.writes_files => {}
            Err(Failure::Message(message)) if self.writes_files => {
                let written = self.totals.written.files;
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
        }
        let is_piped = matches!(summary, EndReport::OfLeft) && !self.report.quiet;
        if is_asked || is_piped || self.report.stats {
            totals
                .left_behind
                .summary(verbose)
                .lines()
                .for_each(complain);
        }
        if let Some(rules) = rules.filter(|_| !self.report.quiet) {
            rules.warn_of_unmatched(totals, verbose);
        }
        if !self.report.quiet {
            warn_of_digests(&stale, changes);
        }
        Ok(Finished {
            totals: self.totals,
            stopped: self.stopped,
        })
    }
}

//! Files and directories, rewritten by the engine of the command line: in parallel, each file as a whole or not at all;
//! and restored.

use crate::arrow::is_whole_document;
use crate::done::Done;
use crate::error::{Failure, invalid, warn};
use crate::files::{Files, PyFile, no_standard_input};
use crate::link::Reads;
use crate::options::Purpose;
use crate::rewrite::Seen;
use linkglot::Error;
use linkglot::link::Info;
use linkglot_files::{
    BACKUP, ContainerWork, Document, Event, EventSender, FileEntry, FileTarget, GitIgnore, InPlace,
    Job, NewRun, OutputTree, Overrides, SkipReason, Source, TempFiles, Threads, Trust, Undo,
    Undone, Walk, Writing, find_run, interrupted_over, journals_among, not_kept, noted_backup,
    real_roots,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Processes a document, and returns the outcome even if the work fails.
fn done_with(
    entry: &FileEntry,
    news: EventSender<'_, Done>,
    work: impl FnOnce(&mut Done) -> Result<(), Error>,
) -> Result<Option<SkipReason>, Error> {
    let mut done = Done::of(entry.path.clone());
    if let Err(error) = work(&mut done) {
        done.fail(error);
    }
    // An error means that no more results are requested.
    let _ = news.send(done);
    Ok(None)
}

struct Rewrite {
    files: Files,
    target: FileTarget,
    temp_files: TempFiles,
    tells_links: bool,
}

impl Rewrite {
    fn write(
        &self,
        entry: &FileEntry,
        document: Document<'_>,
        done: &mut Done,
    ) -> Result<(), Error> {
        let mut options = self.files.options_for(entry);
        let attachments = document.attachments;
        if let Some(attachments) = attachments {
            options = options.with(|settings| attachments.leave(settings));
        }
        let rewriter = options.rewriter.signed(document.is_signed);
        let rewriter = rewriter.leave(document.left);
        let rewriter = rewriter.columns(Arc::clone(&document.columns));
        let rewriter = rewriter.package(document.package.clone());
        let mut reads = Reads::default();
        let mut is_too_long = false;
        let mut changes = Vec::new();
        let each = &mut |outcome: &linkglot::rewrite::Outcome<'_>, info: &Info| {
            is_too_long |= is_whole_document(outcome.link);
            if self.tells_links {
                changes.push(Seen::new(outcome, reads.of(info, &options.settings)));
            }
        };
        let rewritten = self
            .target
            .rewrite(entry, document, &rewriter, &self.temp_files, each);
        done.changes = changes;
        let rewritten = rewritten?;
        let summary = rewritten.summary;
        if let Some(attachments) = attachments {
            attachments.see(&summary.info, &options.settings);
        }
        done.found = summary.tally.links;
        done.changed = summary.tally.changed;
        done.left = summary.tally.left;
        done.is_changed = summary.is_changed();
        done.messages.extend(not_kept(&rewritten.lost));
        done.see(&summary.info, is_too_long);
        done.matched = summary.matched;
        Ok(())
    }
}

impl Job for Rewrite {
    type News = Done;

    fn threads(&self) -> Threads {
        if self.target.is_files() {
            Threads::WorkingAndWaiting(self.files.threads)
        } else {
            Threads::Working(self.files.threads)
        }
    }

    fn overrides(&self) -> Overrides {
        self.files.overrides
    }

    fn document(
        &self,
        entry: &FileEntry,
        document: Document<'_>,
        news: EventSender<'_, Done>,
    ) -> Result<Option<SkipReason>, Error> {
        done_with(entry, news, |done| self.write(entry, document, done))
    }

    fn container(&self, entry: &FileEntry, source: &Source) -> Result<ContainerWork<'_>, Error> {
        self.target.container(entry, source, &self.temp_files)
    }

    fn writes_files(&self) -> bool {
        self.target.is_files()
    }

    fn standard_input(&self, _: EventSender<'_, Done>) -> Result<Option<SkipReason>, Error> {
        Err(no_standard_input())
    }

    fn directory(&self, entry: &FileEntry) -> Result<(), Error> {
        self.target.directory(entry)
    }

    fn skipped(&self, entry: &FileEntry, reason: SkipReason) -> Result<Option<String>, Error> {
        self.target.skip(entry, reason, &self.temp_files)
    }

    fn other_name(&self, entry: &FileEntry) -> Result<(), Error> {
        self.target.other_name(entry, &self.temp_files)
    }

    fn rewrites(&self) -> bool {
        true
    }

    fn accepts_pipes(&self) -> bool {
        !self.target.is_files()
    }
}

/// The outcome of a rewrite of files.
#[pyclass(name = "Run", module = "linkglot", frozen)]
pub struct PyRun {
    files: Py<PyTuple>,
    /// Number of files that were read.
    #[pyo3(get)]
    read: u64,
    /// Number of links in them.
    #[pyo3(get)]
    found: u64,
    /// Number of links that were changed.
    #[pyo3(get)]
    changed: u64,
    /// Number of links that had to be left unchanged.
    #[pyo3(get)]
    left: u64,
    /// Number of files that were changed, or without `in_place` and `output`, would be changed.
    #[pyo3(get)]
    files_changed: u64,
    /// Number of files that were passed over, by reason.
    #[pyo3(get)]
    skipped: BTreeMap<&'static str, u64>,
    /// Number of links that each rule matched, by the number of the rule.
    #[pyo3(get)]
    matched: BTreeMap<usize, u64>,
    /// The name of the run, for `undo`; `None` if nothing was replaced or no journal was kept.
    #[pyo3(get)]
    journal: Option<String>,
}

#[pymethods]
impl PyRun {
    /// The files that changed, have links that were left, or errors.
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.files.bind(py).clone()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.files.bind(py).try_iter()?.into_any())
    }

    fn __repr__(&self) -> String {
        format!(
            "<linkglot.Run: {} links changed in {} of {} files, {} left>",
            self.changed, self.files_changed, self.read, self.left
        )
    }
}

#[doc = include_str!("docs/rewrite_files.txt")]
#[doc = include_str!("docs/rewriting.txt")]
#[doc = include_str!("docs/files.txt")]
#[doc = include_str!("docs/reading.txt")]
#[doc = include_str!("docs/rewrite_files_end.txt")]
#[pyfunction]
#[pyo3(
    signature = (paths, *, in_place = false, output = None, journal = None, backup = None, links = false, **options),
    text_signature = "(paths, *, in_place=False, output=None, journal=None, backup=None, links=False, \
        to='same', rules=None, resolve=False, host=None, display='safe', slots=None, min_evidence='www', \
        to_charset=None, relative_to=None, absolute=False, break_signatures=False, \
        left_behind=False, glob=None, types=None, hidden=True, gitignore=None, \
        follow=False, containers=True, threads=0, format='auto', charset=None, default_charset=None, \
        assume_charset=None, base=None, name=None, detect='extended', also=None, \
        flowed=False, join_wrapped=False, identifiers=False, vocabulary=None, locate=False, \
        max_slot=1048576, nfc='auto', query_charset=None)"
)]
#[allow(clippy::too_many_arguments)]
pub fn rewrite_files(
    paths: &Bound<'_, PyAny>,
    in_place: bool,
    output: Option<PathBuf>,
    journal: Option<&Bound<'_, PyAny>>,
    backup: Option<String>,
    links: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyRun> {
    let py = paths.py();
    let mut files = Files::new(paths, options, Purpose::Rewrite)?;
    if in_place && output.is_some() {
        return Err(invalid(
            "output",
            "expected in_place=True or output=..., found both",
        ));
    }
    if let Some(suffix) = &backup
        && (suffix.is_empty() || suffix.contains(std::path::is_separator))
    {
        let message = format!("expected the end of a file name, such as '.orig', found {suffix:?}");
        return Err(invalid("backup", message));
    }
    if !in_place && (journal.is_some() || backup.is_some()) {
        let name = if backup.is_some() {
            "backup"
        } else {
            "journal"
        };
        return Err(invalid(
            name,
            "journals and backups are kept with in_place=True",
        ));
    }
    if output.is_some() && files.selection.gitignore == GitIgnore::InWorkTrees {
        files.selection.gitignore = GitIgnore::Never;
    }
    files.selection.once = output.is_none();
    files.selection.refuse_links = output.is_none();
    files.selection.once_per_inode = in_place;
    let suffix = backup.map(OsString::from);
    files.selection.backup_suffix.clone_from(&suffix);
    let target = match &output {
        Some(directory) => {
            FileTarget::Output(OutputTree::new(directory, &files.roots).map_err(Failure::from)?)
        }
        None if in_place => FileTarget::InPlace(Box::new(InPlace {
            journal: begin(py, &mut files, (journal, suffix.as_deref()))?,
            backup: suffix,
            follow: files.selection.follow,
        })),
        None => FileTarget::Nowhere,
    };
    let id = target.journal().map(|journal| journal.id().to_owned());
    let walk = Walk::new(files.roots.clone(), files.selection.clone());
    let walk = walk.map_err(Failure::from)?;
    let mut rewrite = Rewrite {
        files,
        target,
        temp_files: TempFiles::new(),
        tells_links: links,
    };
    let mut run = Totals::default();
    let worked = py.detach(|| rewrite.run(walk, &mut run));
    let ended = rewrite.end();
    worked?;
    let recorded = ended.map_err(Failure::from)?;
    run.finish(py, id.filter(|_| recorded > 0))
}

/// Begins the journal of a run: by default in the directory of the command line, at a given path, or none.
fn begin(
    py: Python<'_>,
    files: &mut Files,
    (given, backup): (Option<&Bound<'_, PyAny>>, Option<&OsStr>),
) -> PyResult<Option<linkglot_files::Journal>> {
    let wanted = given.and_then(|given| given.extract::<bool>().ok());
    let path = match (wanted, given) {
        (Some(false), _) => return Ok(None),
        (Some(true), _) | (None, None) => None,
        (None, Some(path)) => Some(path.extract::<PathBuf>()?),
    };
    let roots = real_roots(&files.roots);
    // Recorded because `undo` leaves backups alone.
    let arguments = backup.map_or(Vec::new(), |suffix| vec![BACKUP.into(), suffix.into()]);
    let run = NewRun {
        journal: path,
        roots: roots.clone(),
        arguments,
        ..NewRun::default()
    };
    let journal = run.begin().map_err(Failure::from)?;
    for (id, root) in interrupted_over(&roots, journal.id()) {
        let root = root.display();
        let message =
            format!("the run {id} in {root} was interrupted; linkglot.undo({id:?}) undoes it");
        warn(py, "RunWarning", &message)?;
    }
    files.selection.own = journals_among(&roots, Some(&journal));
    Ok(Some(journal))
}

impl Rewrite {
    fn run(&self, walk: Walk, run: &mut Totals) -> PyResult<()> {
        let mut interrupted = None;
        let worked = linkglot_files::run(self, walk, |event| {
            match event {
                Event::Container(step) => run.write_container(step),
                event => run.add(Done::or_news(event).unwrap_or_else(|done| *done)),
            }
            match Python::attach(|py| py.check_signals()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    interrupted = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        match interrupted {
            Some(error) => Err(error),
            None => Ok(worked.map_err(Failure::from)?),
        }
    }

    /// Ends the output tree or the journal. Returns the number of files that the journal recorded.
    fn end(&mut self) -> Result<u64, Error> {
        match &mut self.target {
            FileTarget::Nowhere => Ok(0),
            FileTarget::Output(tree) => tree.finish().map(|()| 0),
            FileTarget::InPlace(in_place) => match in_place.journal.take() {
                Some(journal) => journal.end(),
                None => Ok(0),
            },
        }
    }
}

#[derive(Default)]
struct Totals {
    files: Vec<Done>,
    read: u64,
    found: u64,
    changed: u64,
    left: u64,
    files_changed: u64,
    /// The numbers of changed links and files in front of each archive at hand, the innermost last.
    before_archives: Vec<(u64, u64)>,
    skipped: BTreeMap<&'static str, u64>,
    matched: BTreeMap<usize, u64>,
}

impl Totals {
    /// Begins an archive, or ends the innermost one: documents of an archive that failed did not change.
    fn write_container(&mut self, step: Writing) {
        if step == Writing::Begun {
            return self
                .before_archives
                .push((self.changed, self.files_changed));
        }
        let before = self.before_archives.pop();
        if let Some(before) = before.filter(|_| step == Writing::Failed) {
            (self.changed, self.files_changed) = before;
        }
    }

    fn add(&mut self, done: Done) {
        if let Some(reason) = done.skipped {
            *self.skipped.entry(reason.code()).or_default() += 1;
        }
        self.read += u64::from(done.info.is_some());
        self.found += done.found;
        self.changed += done.changed;
        self.left += done.left;
        self.files_changed += u64::from(done.is_changed);
        for (rule, count) in &done.matched {
            *self.matched.entry(*rule).or_default() += count;
        }
        if done.changed > 0
            || done.left > 0
            || !done.failures.is_empty()
            || !done.messages.is_empty()
        {
            self.files.push(done);
        }
    }

    fn finish(self, py: Python<'_>, journal: Option<String>) -> PyResult<PyRun> {
        let files = self.files.into_iter();
        let files = files.map(|done| Py::new(py, PyFile::rewritten(py, done)?));
        Ok(PyRun {
            files: PyTuple::new(py, files.collect::<PyResult<Vec<_>>>()?)?.unbind(),
            read: self.read,
            found: self.found,
            changed: self.changed,
            left: self.left,
            files_changed: self.files_changed,
            skipped: self.skipped,
            matched: self.matched,
            journal,
        })
    }
}

/// Restores the old content of the files that a run replaced. The run is given by its name, or by its journal.
///
/// A file that changed after the run stays, and `errors` of its FileResult says so; `force` undoes the run's changes
/// anyway. A journal that no run of this user on this machine wrote, or that was changed, is refused; with `trust` it
/// is accepted below the current directory. Raises Error then, and if there is no such run.
#[pyfunction]
#[pyo3(signature = (run, *, force = false, trust = false))]
pub fn undo(py: Python<'_>, run: PathBuf, force: bool, trust: bool) -> PyResult<Vec<PyFile>> {
    let journal = find_run(&run).map_err(Failure::from)?;
    let trust = if trust { Trust::Anybody } else { Trust::Own };
    let backup_suffix = noted_backup(journal.header());
    let undo = Undo {
        force,
        trust,
        backup_suffix: backup_suffix.filter(|_| journal.is_own()),
    };
    let temp_files = TempFiles::new();
    let mut files = Vec::new();
    let undone = py.detach(|| {
        undo.run(journal, &temp_files, &mut |file| {
            let mut done = Done {
                path: file.path.to_owned(),
                ..Done::default()
            };
            match &file.done {
                Ok(Undone::Restored { .. }) => done.is_changed = true,
                Ok(Undone::Unchanged) => {}
                Err(error) => done.fail(Failure::from(error)),
            }
            if file.has_unmet_names {
                let message = "the file has other names (hard links) that the run did not find; they keep the content of the run";
                done.messages.push(message.to_owned());
            }
            files.push(done);
        })
    });
    undone.map_err(Failure::from)?;
    files
        .into_iter()
        .map(|done| PyFile::rewritten(py, done))
        .collect()
}

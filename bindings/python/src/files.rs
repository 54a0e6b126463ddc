//! Files and directories, processed by the engine of the command line: in parallel, each file rewritten as a whole or
//! unchanged.

use crate::arrow::is_whole_document;
use crate::data::Encoding;
use crate::error::{Failure, invalid, warn, wrong_type};
use crate::link::{Found, PyLink, Reads, place};
use crate::options::{Options, Purpose, strings};
use crate::rewrite::Seen;
use linkglot::format::FileType;
use linkglot::link::{Info, UnreadParts};
use linkglot::stream::read_links;
use linkglot::{Error, ErrorKind};
use linkglot_files::{
    BACKUP, Bases, ContainerWork, Content, Document, Event, EventSender, FileEntry, FileTarget,
    GitIgnore, InPlace, Job, NewRun, OutputTree, Overrides, Root, Selection, SkipReason, Source,
    TempFiles, Threads, Trust, Undo, Undone, Walk, find_run, interrupted_over, journals_among,
    not_kept, noted_backup, real_roots,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Number of results that wait to be requested.
const AHEAD: usize = 64;

/// Maximal time until a keyboard interrupt is seen.
const PATIENCE: Duration = Duration::from_millis(100);

/// The error for a document that was too long, or too dense, to be read.
const TOO_LONG: &str = "the document is too long, or too dense with markup, to be read";

/// The outcome for a file.
#[derive(Default)]
struct Done {
    path: PathBuf,
    info: Option<Info>,
    found: u64,
    changed: u64,
    left: u64,
    /// True if links changed, or the charset.
    is_changed: bool,
    links: Found,
    changes: Vec<Seen>,
    matched: BTreeMap<usize, u64>,
    skipped: Option<SkipReason>,
    /// Errors of the file, or of parts of it.
    failures: Vec<Failure>,
    /// Messages, such as attributes that the new file could not get from the old one.
    messages: Vec<String>,
}

impl Done {
    fn of(path: PathBuf) -> Self {
        Done {
            path,
            ..Done::default()
        }
    }

    /// The outcome that an event of a run reports.
    fn from_event(event: Event<Done>) -> Self {
        match event {
            Event::News(done) => done,
            Event::Skipped(path, reason, remark) => Done {
                skipped: Some(reason),
                messages: remark.into_iter().collect(),
                ..Done::of(path)
            },
            Event::Failed(path, error) => {
                let mut done = Done::of(path);
                done.fail(error);
                done
            }
            Event::Unread(path, reason) => Done {
                messages: vec![format!("not read: {}", reason.words())],
                ..Done::of(path)
            },
            Event::Remark(path, remark) => Done {
                messages: vec![remark],
                ..Done::of(path)
            },
            Event::Unmet(file) => Done {
                messages: vec![format!(
                    "the file has {} names (hard links); {} of them, which this run did not find, keep the old content",
                    file.names, file.unmet
                )],
                ..Done::of(file.path)
            },
        }
    }

    fn fail(&mut self, failure: impl Into<Failure>) {
        let path = Some(self.path.display().to_string());
        let failure = failure.into();
        self.failures.push(Failure { path, ..failure });
    }

    /// Records the properties of the document, and its unread parts.
    fn see(&mut self, info: &Info, is_too_long: bool) {
        if let Some(failure) = Failure::of_charset(info) {
            self.fail(failure);
        }
        if is_too_long {
            self.fail(Failure::new("too-long", TOO_LONG));
        }
        let UnreadParts { errors, .. } = &info.unread;
        for (part, error) in errors {
            let failure = Failure::from(error);
            let message = format!("part {part}: {}", failure.message);
            self.fail(Failure { message, ..failure });
        }
        self.info = Some(info.clone());
    }
}

/// The outcome for a file.
#[pyclass(name = "FileResult", module = "linkglot", frozen, generic)]
pub struct PyFile {
    /// The file.
    #[pyo3(get)]
    path: PathBuf,
    /// The format of the file; `None` if it was not read.
    #[pyo3(get)]
    format: Option<&'static str>,
    /// The charset of the file.
    #[pyo3(get)]
    charset: Option<&'static str>,
    /// Number of links.
    #[pyo3(get)]
    found: u64,
    /// Number of links that were changed.
    #[pyo3(get)]
    changed: u64,
    /// Number of links that had to be left unchanged.
    #[pyo3(get)]
    left: u64,
    links: Py<PyTuple>,
    /// The reason why the file was passed over: `binary`, `symbolic-link`, `hidden` ...
    #[pyo3(get)]
    skipped: Option<&'static str>,
    errors: Py<PyTuple>,
    messages: Vec<String>,
}

impl PyFile {
    fn new(py: Python<'_>, done: Done) -> PyResult<Self> {
        let mut positions = Encoding::None.positions(&[]);
        let links = if done.links.is_empty() {
            let changes = done.changes.into_iter();
            let changes = changes.map(|seen| seen.into_change(py, &mut positions));
            PyTuple::new(py, changes.collect::<PyResult<Vec<_>>>()?)?
        } else {
            let links = done.links.into_iter().map(|found| {
                let at = place(&mut positions, &found.0);
                Py::new(py, PyLink::new(found, at))
            });
            PyTuple::new(py, links.collect::<PyResult<Vec<_>>>()?)?
        };
        let errors = done.failures.into_iter();
        let errors = errors.map(|failure| PyErr::from(failure).into_value(py));
        Ok(PyFile {
            path: done.path,
            format: done.info.as_ref().map(|info| info.format.name()),
            charset: done.info.as_ref().map(|info| info.charset.name()),
            found: done.found,
            changed: done.changed,
            left: done.left,
            links: links.unbind(),
            skipped: done.skipped.map(SkipReason::code),
            errors: PyTuple::new(py, errors.collect::<Vec<_>>())?.unbind(),
            messages: done.messages,
        })
    }
}

#[pymethods]
impl PyFile {
    /// The links; after a rewrite, the links that were changed or had to be left.
    #[getter]
    fn links<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.links.bind(py).clone()
    }

    /// Errors of the file, as exceptions.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.errors.bind(py).clone()
    }

    /// Messages, such as attributes that could not be kept.
    #[getter]
    fn messages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.messages)
    }

    fn __repr__(&self) -> String {
        let path = self.path.display();
        match self.skipped {
            Some(reason) => format!("<linkglot.FileResult {path}: skipped, {reason}>"),
            None => format!(
                "<linkglot.FileResult {path}: {} links, {} changed, {} left>",
                self.found, self.changed, self.left
            ),
        }
    }
}

/// The choice of files, and the options for reading them.
struct Files {
    roots: Vec<Root>,
    selection: Selection,
    threads: usize,
    options: Options,
    overrides: Overrides,
    bases: Bases,
}

impl Files {
    fn new(
        paths: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
        purpose: Purpose,
    ) -> PyResult<Self> {
        let given = match options {
            Some(options) => options.copy()?,
            None => PyDict::new(paths.py()),
        };
        let mut selection = Selection::default();
        selection.containers = true;
        if matches!(purpose, Purpose::Rewrite) {
            selection.gitignore = GitIgnore::InWorkTrees;
        }
        let mut threads = 0;
        for (name, value) in given.copy()? {
            let name: String = name.extract()?;
            match name.as_str() {
                // `None` stands for the default.
                "glob" | "types" | "hidden" | "gitignore" | "follow" | "containers" | "threads"
                    if value.is_none() => {}
                "glob" => selection.globs = globs(&value)?,
                "types" => selection.types = types(&value)?,
                "hidden" => selection.no_hidden = !value.extract::<bool>()?,
                "gitignore" if value.extract()? => selection.gitignore = GitIgnore::Always,
                "gitignore" => selection.gitignore = GitIgnore::Never,
                "follow" => selection.follow = value.extract()?,
                "containers" => selection.containers = value.extract()?,
                "threads" => threads = thread_count(&value)?,
                _ => continue,
            }
            given.del_item(name)?;
        }
        let options = Options::new(Some(&given), purpose)?;
        let roots = roots(paths)?;
        selection.once = true;
        Ok(Files {
            overrides: Overrides {
                charset: options.settings.charset,
                format: options.settings.format,
            },
            bases: Bases::new(options.settings.base.clone(), &roots),
            roots,
            selection,
            threads,
            options,
        })
    }

    fn options_for(&self, entry: &FileEntry) -> Options {
        self.options.with(|settings| {
            settings.name = Some(entry.name().to_string_lossy().into_owned());
            settings.base = self.bases.for_file(entry);
            if let Some(archived) = entry.archived() {
                archived.apply(settings);
            }
        })
    }
}

/// A path, given as text, bytes or an object with a path.
fn one_path(path: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    let is_bytes = path.is_instance_of::<PyBytes>();
    let decoded = if is_bytes {
        path.py().import("os")?.call_method1("fsdecode", (path,))?
    } else {
        path.clone()
    };
    Ok(decoded.extract().ok())
}

/// A path, or several.
fn roots(paths: &Bound<'_, PyAny>) -> PyResult<Vec<Root>> {
    if let Some(path) = one_path(paths)? {
        return Ok(vec![Root::Path(path)]);
    }
    let paths = paths.try_iter()?;
    paths
        .map(|path| {
            let path = path?;
            let root = one_path(&path)?.map(Root::Path);
            root.ok_or_else(|| wrong_type("paths", "str, bytes or os.PathLike", &path))
        })
        .collect()
}

/// The number of working threads; 0: one per core.
fn thread_count(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    const MOST: usize = 1024;
    let count = value.extract::<usize>().ok();
    count.filter(|count| *count <= MOST).ok_or_else(|| {
        let found = value
            .repr()
            .map_or_else(|_| String::new(), |repr| repr.to_string());
        invalid(
            "threads",
            format!("expected a number from 0 to {MOST}, found {found}"),
        )
    })
}

/// Globs may contain commas, so a str is a single glob.
fn globs(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    match value.extract::<String>() {
        Ok(one) => Ok(vec![one]),
        Err(_) => value.extract(),
    }
}

fn types(value: &Bound<'_, PyAny>) -> PyResult<Vec<FileType>> {
    let named = |name: &String| {
        FileType::named(name).ok_or_else(|| {
            let known: Vec<&str> = FileType::all().iter().map(|known| known.name()).collect();
            let message = format!("expected some of {}, found {name:?}", known.join(", "));
            invalid("types", message)
        })
    };
    strings("types", value)?.iter().map(named).collect()
}

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

/// Never needed: no walk of Python names standard input.
fn no_standard_input() -> Error {
    Error::new(ErrorKind::Io, "expected a file, found standard input")
}

struct Find(Files);

impl Find {
    fn read(&self, entry: &FileEntry, content: Content<'_>, done: &mut Done) -> Result<(), Error> {
        let settings = self.0.options_for(entry).settings;
        let mut reads = Reads::default();
        let mut is_too_long = false;
        let mut each = |link: &linkglot::Link<'_>, info: &Info| {
            is_too_long |= is_whole_document(link);
            let read = reads.of(info, &settings);
            done.links.push((Box::new(link.clone().into_owned()), read));
            ControlFlow::Continue(())
        };
        let info = match content {
            Content::Whole(bytes) => read_links(&mut &bytes[..], &settings, &mut each),
            Content::Large(mut file) => read_links(&mut file, &settings, &mut each),
            Content::Stream(mut reader) => read_links(&mut reader, &settings, &mut each),
        }?;
        done.found = done.links.len() as u64;
        done.see(&info, is_too_long);
        Ok(())
    }
}

impl Job for Find {
    type News = Done;

    fn threads(&self) -> Threads {
        Threads::Working(self.0.threads)
    }

    fn overrides(&self) -> Overrides {
        self.0.overrides
    }

    fn document(
        &self,
        entry: &FileEntry,
        document: Document<'_>,
        news: EventSender<'_, Done>,
    ) -> Result<Option<SkipReason>, Error> {
        done_with(entry, news, |done| self.read(entry, document.content, done))
    }

    fn standard_input(&self, _: EventSender<'_, Done>) -> Result<Option<SkipReason>, Error> {
        Err(no_standard_input())
    }
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
        let options = self.files.options_for(entry);
        let rewriter = options.rewriter.signed(document.is_signed);
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

/// The links found in files, file by file.
#[pyclass(name = "FileIterator", module = "linkglot", frozen)]
pub struct FileIterator {
    /// `None` if closed.
    results: Mutex<Option<Receiver<Result<Done, Failure>>>>,
}

#[pymethods]
impl FileIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __exit__(&self, _kind: Py<PyAny>, _error: Py<PyAny>, _trace: Py<PyAny>) {
        self.close();
    }

    /// Ends the work on files that were not requested.
    fn close(&self) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        *results = None;
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyFile>> {
        loop {
            let received = py.detach(|| {
                let results = self.results.lock();
                let results = results.unwrap_or_else(PoisonError::into_inner);
                match &*results {
                    Some(results) => results.recv_timeout(PATIENCE),
                    None => Err(RecvTimeoutError::Disconnected),
                }
            });
            match received {
                Ok(Ok(done)) => return Ok(Some(PyFile::new(py, done)?)),
                Ok(Err(failure)) => return Err(failure.into()),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}

#[doc = include_str!("docs/find_files.txt")]
#[doc = include_str!("docs/files.txt")]
#[doc = include_str!("docs/reading.txt")]
#[doc = include_str!("docs/find_files_end.txt")]
#[pyfunction]
#[pyo3(
    signature = (paths, **options),
    text_signature = "(paths, *, glob=None, types=None, hidden=True, gitignore=False, follow=False, \
        containers=True, threads=0, format='auto', charset=None, default_charset=None, assume_charset=None, \
        base=None, name=None, detect='extended', also=None, flowed=False, \
        join_wrapped=False, identifiers=False, vocabulary=None, locate=False, \
        max_slot=1048576, nfc='auto', query_charset=None)"
)]
pub fn find_files(
    paths: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<FileIterator> {
    let files = Files::new(paths, options, Purpose::Find)?;
    let walk = Walk::new(files.roots.clone(), files.selection.clone());
    let walk = walk.map_err(Failure::from)?;
    let (sender, results) = sync_channel(AHEAD);
    std::thread::spawn(move || {
        let pass_on = |event| match sender.send(Ok(Done::from_event(event))) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        let worked = linkglot_files::run(&Find(files), walk, pass_on);
        if let Err(error) = worked {
            let _ = sender.send(Err(error.into()));
        }
    });
    Ok(FileIterator {
        results: Mutex::new(Some(results)),
    })
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
            run.add(Done::from_event(event));
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
    skipped: BTreeMap<&'static str, u64>,
    matched: BTreeMap<usize, u64>,
}

impl Totals {
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
        let files = files.map(|done| Py::new(py, PyFile::new(py, done)?));
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
        .map(|done| PyFile::new(py, done))
        .collect()
}

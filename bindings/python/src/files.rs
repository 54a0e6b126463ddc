//! Files and directories, processed by the engine of the command line: in parallel, each file rewritten as a whole or
//! unchanged.

use crate::arrow::is_whole_document;
use crate::data::Encoding;
use crate::done::Done;
use crate::error::{Failure, invalid, warn, wrong_type};
use crate::link::{FoundLink, Reads};
use crate::options::{Options, Purpose, strings};
use crate::results::{Item, LinkIterator, Live, Piece, Results};
use crate::rewrite::Seen;
use linkglot::format::FileType;
use linkglot::link::Info;
use linkglot::rewrite::{Forms, LinkForms};
use linkglot::{Error, ErrorKind};
use linkglot_files::{
    Archived, BACKUP, Bases, ContainerWork, Content, Document, Event, EventSender, FileEntry,
    FileTarget, GitIgnore, InPlace, Job, NewRun, OutputTree, Overrides, Root, Selection,
    SkipReason, Source, TempFiles, Threads, Trust, Undo, Undone, Walk, Writing, find_run,
    interrupted_over, journals_among, not_kept, noted_backup, real_roots,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

/// Number of results, or pieces of them, that wait to be requested.
pub const AHEAD: usize = 64;

/// Number of links of a document that are told at once.
const AT_ONCE: usize = 256;

/// The option that asks for requests.
const REQUESTS: &str = "requests";

/// The outcome for a file.
#[pyclass(name = "FileResult", module = "linkglot", frozen, generic)]
pub struct PyFile {
    /// The file.
    #[pyo3(get)]
    path: PathBuf,
    live: Arc<Live>,
}

impl PyFile {
    /// The outcome of a rewrite.
    fn rewritten(py: Python<'_>, mut done: Done) -> PyResult<Self> {
        let mut positions = Encoding::None.positions(&[]);
        let changes = std::mem::take(&mut done.changes).into_iter();
        let changes = changes.map(|seen| seen.into_change(py, &mut positions));
        let changes = PyTuple::new(py, changes.collect::<PyResult<Vec<_>>>()?)?;
        Ok(PyFile {
            path: done.path.clone(),
            live: Live::complete(done, Some(changes.unbind())),
        })
    }
}

#[pymethods]
impl PyFile {
    /// The format of the file; `None` if it was not read.
    #[getter]
    fn format(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        Ok(self.live.names(py)?.map(|(format, _)| format))
    }

    /// The charset of the file.
    #[getter]
    fn charset(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        Ok(self.live.names(py)?.map(|(_, charset)| charset))
    }

    /// Number of links.
    #[getter]
    fn found(&self, py: Python<'_>) -> PyResult<u64> {
        self.live.done(py, |done| done.found)
    }

    /// Number of links that were changed.
    #[getter]
    fn changed(&self, py: Python<'_>) -> PyResult<u64> {
        self.live.done(py, |done| done.changed)
    }

    /// Number of links that had to be left unchanged.
    #[getter]
    fn left(&self, py: Python<'_>) -> PyResult<u64> {
        self.live.done(py, |done| done.left)
    }

    /// The links; after a rewrite, the links that were changed or had to be left. They are kept: iterate over the
    /// result itself to see each link once, in bounded memory.
    #[getter]
    fn links<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.live.links(py)
    }

    fn __iter__(&self) -> LinkIterator {
        LinkIterator::new(&self.live)
    }

    /// The reason why the file was passed over: `binary`, `symbolic-link`, `hidden` ...
    #[getter]
    fn skipped(&self) -> Option<&'static str> {
        // A file with links that follow is none of these.
        self.live.now(|done, _| done.skipped.map(SkipReason::code))
    }

    /// Errors of the file, as exceptions.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.live.errors(py)
    }

    /// Messages, such as attributes that could not be kept.
    #[getter]
    fn messages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.live.messages(py)
    }

    fn __repr__(&self) -> String {
        let path = self.path.display();
        self.live.now(|done, is_whole| match done.skipped {
            Some(reason) => format!("<linkglot.FileResult {path}: skipped, {}>", reason.code()),
            None if !is_whole => format!("<linkglot.FileResult {path}: links follow>"),
            None => format!(
                "<linkglot.FileResult {path}: {} links, {} changed, {} left>",
                done.found, done.changed, done.left
            ),
        })
    }
}

/// The choice of files, and the options for reading them.
pub struct Files {
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
    let decoded: Option<PathBuf> = decoded.extract().ok();
    // A walk takes `-` for standard input.
    Ok(decoded.map(|path| {
        if path.as_os_str() == "-" {
            Path::new(".").join(path)
        } else {
            path
        }
    }))
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

/// Finds the links of files.
pub struct Find {
    pub files: Files,
    /// True if requests in archives of the web are read.
    pub reads_requests: bool,
    /// True if records of archives of the web are told.
    pub hears_records: bool,
}

impl Find {
    /// The work and its files. `options` may ask for requests.
    pub fn new(
        paths: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(Self, Walk)> {
        let options = match options {
            Some(options) => options.copy()?,
            None => PyDict::new(paths.py()),
        };
        let requests = options.get_item(REQUESTS)?;
        if requests.is_some() {
            options.del_item(REQUESTS)?;
        }
        let reads_requests = match requests.filter(|requests| !requests.is_none()) {
            Some(requests) => requests.extract()?,
            None => false,
        };
        let files = Files::new(paths, Some(&options), Purpose::Find)?;
        let walk = Walk::new(files.roots.clone(), files.selection.clone());
        let find = Find {
            files,
            reads_requests,
            hears_records: false,
        };
        Ok((find, walk.map_err(Failure::from)?))
    }

    /// Reads a document. The links go ahead of the outcome as soon as there are many.
    fn read(
        &self,
        entry: &FileEntry,
        document: Document<'_>,
        (done, news): (&mut Done, EventSender<'_, Item>),
    ) -> Result<(), Error> {
        let mut settings = self.files.options_for(entry).settings;
        if let Some(attachments) = document.attachments {
            attachments.leave(Arc::make_mut(&mut settings));
        }
        let mut reads = Reads::default();
        let mut is_too_long = false;
        let mut each = |link: &linkglot::Link<'_>, forms: &LinkForms, info: &Info| {
            is_too_long |= is_whole_document(link);
            let read = reads.of(info, &settings);
            let link = link.clone().into_owned();
            done.links.push(FoundLink::new(link, read, forms));
            done.found += 1;
            if done.links.len() < AT_ONCE {
                return ControlFlow::Continue(());
            }
            let piece = Piece {
                path: done.path.clone(),
                names: (info.format.name(), info.charset.name()),
                links: std::mem::take(&mut done.links),
            };
            match news.send(Item::Links(piece)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let reading = Forms::new(&settings);
        let info = match document.content {
            Content::Whole(bytes) => reading.read_slice(&bytes, &mut each),
            Content::Large(mut file) => reading.read(&mut file, &mut each),
            Content::Stream(mut reader) => reading.read(&mut reader, &mut each),
        }?;
        if let Some(attachments) = document.attachments {
            attachments.see(&info, &settings);
        }
        done.see(&info, is_too_long);
        Ok(())
    }
}

impl Job for Find {
    type News = Item;

    fn threads(&self) -> Threads {
        Threads::Working(self.files.threads)
    }

    fn overrides(&self) -> Overrides {
        self.files.overrides
    }

    fn document(
        &self,
        entry: &FileEntry,
        document: Document<'_>,
        news: EventSender<'_, Item>,
    ) -> Result<Option<SkipReason>, Error> {
        let mut done = Done::of(entry.path.clone());
        if let Err(error) = self.read(entry, document, (&mut done, news)) {
            done.fail(error);
        }
        // An error means that no more results are requested.
        let _ = news.send(Item::Done(Box::new(done)));
        Ok(None)
    }

    fn standard_input(&self, _: EventSender<'_, Item>) -> Result<Option<SkipReason>, Error> {
        Err(no_standard_input())
    }

    fn reads_requests(&self) -> bool {
        self.reads_requests
    }

    fn hears_records(&self) -> bool {
        self.hears_records
    }

    fn record(&self, record: Archived, news: EventSender<'_, Item>) {
        let _ = news.send(Item::Record(Box::new(record)));
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

/// The links found in files, file by file.
#[pyclass(name = "FileIterator", module = "linkglot", frozen)]
pub struct FileIterator(Results);

#[pymethods]
impl FileIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __exit__(&self, py: Python<'_>, _kind: Py<PyAny>, _error: Py<PyAny>, _trace: Py<PyAny>) {
        self.close(py);
    }

    /// Ends the work on files that were not requested.
    fn close(&self, py: Python<'_>) {
        self.0.close(py);
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyFile>> {
        let begun = self.0.next(py)?;
        Ok(begun.map(|begun| PyFile {
            path: begun.result.now(|done, _| done.path.clone()),
            live: begun.result,
        }))
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
        max_slot=1048576, nfc='auto', query_charset=None, requests=False)"
)]
pub fn find_files(
    paths: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<FileIterator> {
    let (find, walk) = Find::new(paths, options)?;
    let (sender, items) = sync_channel(AHEAD);
    std::thread::spawn(move || {
        let pass_on = |event| {
            let item = Done::or_news(event);
            let item = item.unwrap_or_else(Item::Done);
            match sender.send(item) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        if let Err(error) = linkglot_files::run(&find, walk, pass_on) {
            let _ = sender.send(Item::Failed(error.into()));
        }
    });
    Ok(FileIterator(Results::new(items)))
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

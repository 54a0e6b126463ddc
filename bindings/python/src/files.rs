//! Files and directories: their choice, the options for reading them, and the outcome for each.

use crate::data::Encoding;
use crate::done::Done;
use crate::error::{invalid, wrong_type};
use crate::options::{Options, Purpose};
use crate::results::{LinkIterator, Live};
use crate::value::strings;
use linkglot::format::FileType;
use linkglot::{Error, ErrorKind};
use linkglot_files::{Bases, FileEntry, GitIgnore, Overrides, Root, Selection, SkipReason};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The outcome for a file.
#[pyclass(name = "FileResult", module = "linkglot", frozen, generic)]
pub struct PyFile {
    /// The file.
    #[pyo3(get)]
    path: PathBuf,
    live: Arc<Live>,
}

impl PyFile {
    /// The outcome of a search for links, some of which may follow.
    pub fn with_links(live: Arc<Live>) -> Self {
        PyFile {
            path: live.now(|done, _| done.path.clone()),
            live,
        }
    }

    /// The outcome of a rewrite.
    pub fn rewritten(py: Python<'_>, mut done: Done) -> PyResult<Self> {
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
    pub roots: Vec<Root>,
    pub selection: Selection,
    pub threads: usize,
    pub options: Options,
    pub overrides: Overrides,
    bases: Bases,
}

impl Files {
    pub fn new(
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

    /// The options for a file.
    pub fn options_for(&self, entry: &FileEntry) -> Options {
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

/// Never needed: no walk of Python names standard input.
pub fn no_standard_input() -> Error {
    Error::new(ErrorKind::Io, "expected a file, found standard input")
}

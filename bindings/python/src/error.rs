//! Errors as Python sees them.

use linkglot::ErrorKind;
use linkglot::link::Info;
use linkglot_files::Remedy;
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use std::path::Path;

/// A failure with its reason and place: `linkglot.Error` once it reaches Python.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// The stable code.
    pub kind: &'static str,
    pub message: String,
    /// The byte, or the character of a text, of the failure.
    pub at: Option<usize>,
    /// The line, from 1.
    pub line: Option<u64>,
    pub path: Option<String>,
}

impl Failure {
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Failure {
            kind,
            message: message.into(),
            ..Failure::default()
        }
    }

    /// The error for a document in an unknown charset.
    pub fn of_charset(info: &Info) -> Option<Self> {
        let unknown = info.unknown_charset.as_ref()?;
        Some(Failure {
            at: Some(unknown.at),
            line: Some(unknown.line as u64),
            ..Failure::new(
                kind(ErrorKind::UnknownCharset),
                format!(
                    "line {}: {} (charset=... or assume_charset={{{:?}: ...}} settles it)",
                    unknown.line,
                    unknown.error(),
                    unknown.label
                ),
            )
        })
    }
}

/// The code of a kind.
pub fn kind(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::UnknownCharset => "unknown-charset",
        ErrorKind::InvalidRule => "invalid-rule",
        ErrorKind::InvalidVocabulary => "invalid-vocabulary",
        ErrorKind::Transcoding => "transcoding",
        ErrorKind::Container => "container",
        ErrorKind::OverBudget => "over-budget",
        ErrorKind::Io => "io",
        ErrorKind::Internal => "internal",
        _ => "other",
    }
}

impl From<&linkglot::Error> for Failure {
    fn from(error: &linkglot::Error) -> Self {
        let help = match Remedy::of(error) {
            Some(Remedy::TrustJournal) => {
                "; undo(JOURNAL, trust=True), in the directory of the files, trusts it, but only below that directory"
            }
            Some(Remedy::Force) => "; force=True undoes the run's changes in it",
            Some(Remedy::NameJournal) => {
                "; journal=FILE names a file, journal=False keeps no journal"
            }
            Some(Remedy::OtherJournal) => {
                " (journal=FILE names another file, journal=False keeps no journal)"
            }
            Some(Remedy::NoJournal) => " (journal=False keeps no journal)",
            Some(Remedy::FollowLinks) => " (follow=True follows it)",
            Some(Remedy::InPlace) => "; in_place=True replaces files",
            Some(Remedy::ListRuns) => "; `linkglot runs` lists all runs",
            Some(Remedy::OtherPlace) => "; output=DIRECTORY writes a new file there",
            _ => "",
        };
        Failure::new(kind(error.kind()), format!("{error}{help}"))
    }
}

impl From<linkglot::Error> for Failure {
    fn from(error: linkglot::Error) -> Self {
        Failure::from(&error)
    }
}

static ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        Python::attach(|py| {
            let class = ERROR.import(py, "linkglot._errors", "Error");
            let raised = class.and_then(|class| {
                let fields = PyDict::new(py);
                fields.set_item("kind", failure.kind)?;
                fields.set_item("at", failure.at)?;
                fields.set_item("line", failure.line)?;
                fields.set_item("path", &failure.path)?;
                class.call((&failure.message,), Some(&fields))
            });
            raised.map_or_else(|error| error, PyErr::from_value)
        })
    }
}

/// The error for a value that an option does not accept.
pub fn invalid(option: &str, message: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{option}: {message}"))
}

/// The error for a value of the wrong type.
pub fn wrong_type(option: &str, expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let found = found.get_type().name();
    let found = found.map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{option}: expected {expected}, found {found}"))
}

/// The error of the system for a file: FileNotFoundError and the like.
pub fn os_error(error: &std::io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            PyOSError::new_err((number, error.to_string(), path.as_os_str().to_owned()))
        }
        None => PyOSError::new_err(error.to_string()),
    }
}

/// Issues a warning through Python's `warnings`.
pub fn warn(py: Python<'_>, category: &str, message: &str) -> PyResult<()> {
    let category = py.import("linkglot._errors")?.getattr(category)?;
    py.import("warnings")?
        .call_method1("warn", (message, category, 2))?;
    Ok(())
}

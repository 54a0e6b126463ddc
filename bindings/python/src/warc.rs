//! Records of archives of the web with their links.

use crate::done::Done;
use crate::error::{Failure, os_error};
use crate::find_files::{AHEAD, Find};
use crate::results::{Item, LinkIterator, Live, Results};
use linkglot_files::{Archived, Event};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

/// A record of an archive of the web.
#[pyclass(name = "Record", module = "linkglot", frozen)]
pub struct PyRecord {
    archived: Archived,
    live: Arc<Live>,
}

#[pymethods]
impl PyRecord {
    /// The type of the record, in lower case: `response`, `resource`, `request`, `warcinfo` ... `None` for bytes that
    /// are no record: `errors` says what is wrong.
    #[getter]
    fn r#type(&self) -> Option<&str> {
        self.archived.kind.as_deref()
    }

    /// The identifier of the record (WARC-Record-ID), without angle brackets. ARC has none.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.archived.record.as_deref()
    }

    /// The URI of the record (WARC-Target-URI), which is the base of its links.
    #[getter]
    fn uri(&self) -> Option<&str> {
        self.archived.target.as_deref()
    }

    /// The date of the record (WARC-Date): `2001-02-03T04:05:06Z`.
    #[getter]
    fn date(&self) -> Option<&str> {
        self.archived.date.as_deref()
    }

    /// Number of links.
    #[getter]
    fn found(&self, py: Python<'_>) -> PyResult<u64> {
        self.live.done(py, |done| done.found)
    }

    /// The links: those of the header of HTTP first. They are kept: iterate over the record itself to see each link
    /// once, in bounded memory.
    #[getter]
    fn links<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.live.links(py)
    }

    fn __iter__(&self) -> LinkIterator {
        LinkIterator::new(&self.live)
    }

    /// Errors of the record, as exceptions.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.live.errors(py)
    }

    /// Messages, such as that the body is in an unknown encoding.
    #[getter]
    fn messages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.live.messages(py)
    }

    fn __repr__(&self) -> String {
        let kind = self.r#type().unwrap_or("damaged");
        format!(
            "<linkglot.Record {kind}: {}>",
            self.uri().unwrap_or("no URI")
        )
    }
}

/// The records of an archive of the web.
#[pyclass(name = "RecordIterator", module = "linkglot", frozen)]
pub struct RecordIterator(Results);

#[pymethods]
impl RecordIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __exit__(&self, py: Python<'_>, _kind: Py<PyAny>, _error: Py<PyAny>, _trace: Py<PyAny>) {
        self.close(py);
    }

    /// Ends the work on records that were not requested.
    fn close(&self, py: Python<'_>) {
        self.0.close(py);
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyRecord>> {
        let begun = self.0.next(py)?;
        Ok(begun.map(|begun| PyRecord {
            archived: begun.record.map_or(Archived::default(), |record| *record),
            live: begun.result,
        }))
    }
}

/// Passes items on, and ends each record in front of the next one.
struct Records {
    path: PathBuf,
    to: SyncSender<Item>,
    is_open: bool,
    /// True once there was a record.
    is_archive: bool,
    /// News of the file in front of its first record.
    before: Vec<Done>,
}

impl Records {
    fn event(&mut self, event: Event<Item>) -> ControlFlow<()> {
        let item = Done::or_news(event);
        let item = item.unwrap_or_else(Item::Done);
        match item {
            Item::Record(_) => {
                self.end()?;
                for done in std::mem::take(&mut self.before) {
                    self.send(Item::Done(Box::new(done)))?;
                }
                self.is_open = true;
                self.is_archive = true;
                self.send(item)
            }
            Item::Done(done) if !self.is_archive => {
                self.before.push(*done);
                ControlFlow::Continue(())
            }
            // A document that is no record.
            Item::Links(_) if !self.is_archive => ControlFlow::Break(()),
            // Of the file itself, not of the record in front of it.
            Item::Done(done) if done.path == self.path => {
                self.end()?;
                self.send(Item::Done(done))
            }
            item => self.send(item),
        }
    }

    fn end(&mut self) -> ControlFlow<()> {
        if std::mem::take(&mut self.is_open) {
            return self.send(Item::End);
        }
        ControlFlow::Continue(())
    }

    fn send(&self, item: Item) -> ControlFlow<()> {
        match self.to.send(item) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Ends the last record. A file without a record is an error.
    fn finish(&mut self, ran: Result<(), linkglot::Error>) {
        let _ = self.end();
        let mut failures = self.before.iter().flat_map(|done| &done.failures);
        let failure = match ran {
            Err(error) => Some(error.into()),
            Ok(()) if self.is_archive => None,
            Ok(()) => Some(failures.next().cloned().unwrap_or_else(|| Failure {
                path: Some(self.path.display().to_string()),
                ..Failure::new(
                    "container",
                    "expected an archive of the web, found another file",
                )
            })),
        };
        if let Some(failure) = failure {
            let _ = self.send(Item::Failed(failure));
        }
    }
}

#[doc = include_str!("docs/warc.txt")]
#[doc = include_str!("docs/reading.txt")]
#[doc = include_str!("docs/warc_end.txt")]
#[pyfunction]
#[pyo3(
    signature = (path, **options),
    text_signature = "(path, *, format='auto', charset=None, default_charset=None, assume_charset=None, \
        base=None, name=None, detect='extended', also=None, flowed=False, \
        join_wrapped=False, identifiers=False, vocabulary=None, locate=False, \
        max_slot=1048576, nfc='auto', query_charset=None, requests=False)"
)]
pub fn warc(
    path: PathBuf,
    options: Option<&Bound<'_, PyDict>>,
    py: Python<'_>,
) -> PyResult<RecordIterator> {
    std::fs::metadata(&path).map_err(|error| os_error(&error, &path))?;
    let (mut find, walk) = Find::new(path.clone().into_pyobject(py)?.as_any(), options)?;
    find.hears_records = true;
    let (to, items) = sync_channel(AHEAD);
    std::thread::spawn(move || {
        let mut records = Records {
            path,
            to,
            is_open: false,
            is_archive: false,
            before: Vec::new(),
        };
        let ran = linkglot_files::run(&find, walk, |event| records.event(event));
        records.finish(ran);
    });
    Ok(RecordIterator(Results::new(items)))
}

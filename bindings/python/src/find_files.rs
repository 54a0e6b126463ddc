//! Links of files and directories, found by the engine of the command line in parallel.

use crate::arrow::is_whole_document;
use crate::done::Done;
use crate::error::Failure;
use crate::files::{Files, PyFile, no_standard_input};
use crate::link::{FoundLink, Reads};
use crate::options::Purpose;
use crate::results::{Item, Piece, Results};
use linkglot::Error;
use linkglot::link::Info;
use linkglot::rewrite::{Forms, LinkForms};
use linkglot_files::{
    Archived, Content, Document, EventSender, FileEntry, Job, Overrides, SkipReason, Threads, Walk,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

/// Number of results, or pieces of them, that wait to be requested.
pub const AHEAD: usize = 64;

/// Number of links of a document that are told at once.
const AT_ONCE: usize = 256;

/// The option that asks for requests.
const REQUESTS: &str = "requests";

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
        Ok(begun.map(|begun| PyFile::with_links(begun.result)))
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

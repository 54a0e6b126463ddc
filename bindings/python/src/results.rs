//! Results that are received while files are read: the links of a long file one by one, in bounded memory.

use crate::data::Encoding;
use crate::done::Done;
use crate::error::Failure;
use crate::link::{Found, FoundLink, PyLink, place};
use linkglot_files::Archived;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximal time until a keyboard interrupt is seen.
const PATIENCE: Duration = Duration::from_millis(100);

/// News of the threads that read.
pub enum Item {
    /// A record begins. All that follows up to [`Item::End`] belongs to it.
    Record(Box<Archived>),
    /// Links of a document that is still read.
    Links(Piece),
    /// The outcome for a document, with its last links. Outside of a record, nothing follows.
    Done(Box<Done>),
    /// The end of a record.
    End,
    /// The failure of the whole run.
    Failed(Failure),
}

/// Links of a document that is still read.
pub struct Piece {
    pub path: PathBuf,
    pub names: Names,
    pub links: Found,
}

/// The names of the format and the charset of a document.
pub type Names = (&'static str, &'static str);

/// Items on their way to an iterator and to its present result. `None` if closed.
pub struct Incoming(Mutex<Option<Receiver<Item>>>);

impl Incoming {
    fn next(&self) -> Result<Item, RecvTimeoutError> {
        match &*lock(&self.0) {
            Some(items) => items.recv_timeout(PATIENCE),
            None => Err(RecvTimeoutError::Disconnected),
        }
    }
}

/// Locks without the GIL, or for a moment. No holder of a lock waits for the GIL.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A result that is received as it is asked for.
pub struct Live {
    state: Mutex<State>,
    kept: Mutex<Option<Py<PyTuple>>>,
}

#[derive(Default)]
struct State {
    done: Done,
    names: Option<Names>,
    /// Links that were received and not handed on.
    waiting: VecDeque<FoundLink>,
    /// True if links were handed on one by one, and are not kept.
    is_handed: bool,
    is_record: bool,
    /// True if the iterator was closed in the midst.
    is_cut: bool,
    /// The source of the rest; `None` if all is here.
    rest: Option<Arc<Incoming>>,
}

impl State {
    /// Takes an item of this result.
    fn absorb(&mut self, item: Item) {
        match item {
            Item::Links(piece) => {
                self.names = self.names.or(Some(piece.names));
                self.waiting.extend(piece.links);
            }
            Item::Done(mut done) => {
                self.waiting.extend(std::mem::take(&mut done.links));
                if let Some(info) = &done.info {
                    self.names = Some((info.format.name(), info.charset.name()));
                }
                self.done.add(*done);
                if !self.is_record {
                    self.rest = None;
                }
            }
            Item::End | Item::Record(_) => self.rest = None,
            Item::Failed(failure) => {
                self.done.failures.push(failure);
                self.rest = None;
            }
        }
    }

    /// Receives the next item of this result, if there are more. False if the time is over.
    fn receive(&mut self) -> bool {
        let Some(rest) = self.rest.clone() else {
            return true;
        };
        match rest.next() {
            Ok(item) => self.absorb(item),
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => {
                self.is_cut = true;
                self.rest = None;
            }
        }
        true
    }
}

impl Live {
    /// A result of which all is known.
    pub fn complete(done: Done, kept: Option<Py<PyTuple>>) -> Arc<Self> {
        let mut state = State::default();
        state.absorb(Item::Done(Box::new(done)));
        Arc::new(Live {
            state: Mutex::new(state),
            kept: Mutex::new(kept),
        })
    }

    /// Waits for the end of the result.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        loop {
            let ended = py.detach(|| {
                let mut state = lock(&self.state);
                while state.rest.is_some() {
                    if !state.receive() {
                        return None;
                    }
                }
                Some(state.is_cut)
            });
            match ended {
                None => py.check_signals()?,
                Some(false) => return Ok(()),
                Some(true) => {
                    let message = "the iterator was closed before the file was read to its end";
                    return Err(PyValueError::new_err(message));
                }
            }
        }
    }

    /// The outcome, once all is known.
    pub fn done<T>(&self, py: Python<'_>, of: impl FnOnce(&Done) -> T) -> PyResult<T> {
        self.finish(py)?;
        Ok(of(&lock(&self.state).done))
    }

    /// The outcome as far as it is known.
    pub fn now<T>(&self, of: impl FnOnce(&Done, bool) -> T) -> T {
        let state = lock(&self.state);
        of(&state.done, state.rest.is_none())
    }

    /// The names of the format and the charset, which are known with the first link.
    pub fn names(&self, py: Python<'_>) -> PyResult<Option<Names>> {
        if let names @ Some(_) = lock(&self.state).names {
            return Ok(names);
        }
        self.finish(py)?;
        Ok(lock(&self.state).names)
    }

    /// All links.
    pub fn links<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        if let Some(kept) = self.kept(py) {
            return Ok(kept);
        }
        self.finish(py)?;
        let (waiting, is_handed) = {
            let mut state = lock(&self.state);
            let is_handed = state.is_handed;
            let waiting = if is_handed {
                VecDeque::new()
            } else {
                std::mem::take(&mut state.waiting)
            };
            (waiting, is_handed)
        };
        if is_handed {
            let message = "the links were iterated over, and are not kept: ask for `links` first";
            return Err(PyValueError::new_err(message));
        }
        let links = waiting.into_iter().map(|found| link(py, found));
        let links = PyTuple::new(py, links.collect::<PyResult<Vec<_>>>()?)?;
        // Another thread may have asked for them at the same time.
        let mut kept = lock(&self.kept);
        let kept = kept.get_or_insert_with(|| links.unbind());
        Ok(kept.bind(py).clone())
    }

    /// Errors, as exceptions, once all is known.
    pub fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let failures = self.done(py, |done| done.failures.clone())?.into_iter();
        let errors = failures.map(|failure| PyErr::from(failure).into_value(py));
        PyTuple::new(py, errors.collect::<Vec<_>>())
    }

    /// Messages, once all is known.
    pub fn messages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.done(py, |done| done.messages.clone())?)
    }

    fn kept<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyTuple>> {
        lock(&self.kept).as_ref().map(|kept| kept.bind(py).clone())
    }

    /// The next link, which is not kept. `None` at the end.
    fn next_link(&self, py: Python<'_>) -> PyResult<Option<Py<PyLink>>> {
        loop {
            let received = py.detach(|| {
                let mut state = lock(&self.state);
                if let Some(found) = state.waiting.pop_front() {
                    state.is_handed = true;
                    return Some(Some(found));
                }
                if state.rest.is_none() {
                    return Some(None);
                }
                state.receive();
                None
            });
            match received {
                Some(Some(found)) => return link(py, found).map(Some),
                Some(None) => {
                    self.finish(py)?;
                    return Ok(None);
                }
                None => py.check_signals()?,
            }
        }
    }
}

fn link(py: Python<'_>, found: FoundLink) -> PyResult<Py<PyLink>> {
    let at = place(&mut Encoding::None.positions(&[]), &found.link);
    Py::new(py, PyLink::new(found, at))
}

/// The links of a result, each handed on once.
#[pyclass(name = "LinkIterator", module = "linkglot", frozen)]
pub struct LinkIterator {
    of: Arc<Live>,
    /// The number of links that were handed on.
    at: Mutex<usize>,
}

impl LinkIterator {
    pub fn new(of: &Arc<Live>) -> Self {
        LinkIterator {
            of: Arc::clone(of),
            at: Mutex::new(0),
        }
    }
}

#[pymethods]
impl LinkIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if let Some(kept) = self.of.kept(py) {
            let mut at = lock(&self.at);
            *at += 1;
            return Ok(kept.get_item(*at - 1).ok());
        }
        let link = self.of.next_link(py)?;
        Ok(link.map(|link| link.into_bound(py).into_any()))
    }
}

/// Receives results one after the other.
pub struct Results {
    incoming: Arc<Incoming>,
    /// The result that is not at its end.
    open: Mutex<Option<Arc<Live>>>,
}

/// A result that began, of a record or of a file.
pub struct Begun {
    pub record: Option<Box<Archived>>,
    pub result: Arc<Live>,
}

impl Results {
    pub fn new(items: Receiver<Item>) -> Self {
        Results {
            incoming: Arc::new(Incoming(Mutex::new(Some(items)))),
            open: Mutex::new(None),
        }
    }

    /// Ends the work on what was not requested.
    pub fn close(&self, py: Python<'_>) {
        py.detach(|| *lock(&self.incoming.0) = None);
    }

    /// The next result. What is left of the present one is received before, and kept if anybody can still ask for it.
    pub fn next(&self, py: Python<'_>) -> PyResult<Option<Begun>> {
        loop {
            match py.detach(|| self.receive()) {
                Ok(Ok(begun)) => return Ok(Some(begun)),
                Ok(Err(failure)) => return Err(failure.into()),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    fn receive(&self) -> Result<Result<Begun, Failure>, RecvTimeoutError> {
        let mut open = lock(&self.open);
        if let Some(live) = &*open {
            let mut state = lock(&live.state);
            while state.rest.is_some() {
                if !state.receive() {
                    return Err(RecvTimeoutError::Timeout);
                }
                if Arc::strong_count(live) == 1 {
                    state.waiting.clear();
                }
            }
        }
        *open = None;
        let mut state = State {
            rest: Some(Arc::clone(&self.incoming)),
            ..State::default()
        };
        let record = match self.incoming.next()? {
            Item::Failed(failure) => return Ok(Err(failure)),
            Item::Record(record) => {
                state.is_record = true;
                Some(record)
            }
            item => {
                if let Item::Links(piece) = &item {
                    state.done.path = piece.path.clone();
                }
                state.absorb(item);
                None
            }
        };
        let is_open = state.rest.is_some();
        let result = Arc::new(Live {
            state: Mutex::new(state),
            kept: Mutex::new(None),
        });
        *open = is_open.then(|| Arc::clone(&result));
        Ok(Ok(Begun { record, result }))
    }
}

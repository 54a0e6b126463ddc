//! Archives and compressed files in files of Python: their documents, and records of archives of the web from border
//! to border.

use crate::arrow::{EntryFinder, Links};
use crate::error::Failure;
use crate::options::{Options, Purpose};
use crate::stream::{CHUNK, raised};
use arrow_pyarrow::PyArrowType;
use linkglot_files::{
    EntryEvent, Limits, ReadSeek, SharedFile, container_format as format_of, read_container,
    read_records, record_ranges as ranges_of,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

/// A binary file of Python that seeks.
struct PythonFile<'f>(&'f Py<PyAny>);

impl SharedFile for PythonFile<'_> {
    fn reader(&self) -> Box<dyn ReadSeek + '_> {
        Box::new(Positioned {
            file: self.0,
            at: 0,
            chunk: Vec::new(),
            begin: 0,
        })
    }
}

/// A reader with a position of its own, and the chunk of the file around it.
struct Positioned<'f> {
    file: &'f Py<PyAny>,
    at: u64,
    chunk: Vec<u8>,
    begin: u64,
}

impl Positioned<'_> {
    /// The bytes of the chunk from the position on.
    fn rest(&self) -> &[u8] {
        let from = self.at.checked_sub(self.begin);
        let from = from.and_then(|from| usize::try_from(from).ok());
        from.and_then(|from| self.chunk.get(from..))
            .unwrap_or_default()
    }

    fn fill(&mut self) -> io::Result<()> {
        self.chunk.clear();
        self.begin = self.at;
        let filled = Python::attach(|py| {
            // A keyboard interrupt ends the work.
            py.check_signals()?;
            let file = self.file.bind(py);
            file.call_method1("seek", (self.at,))?;
            let read = file.call_method1("read", (CHUNK,))?;
            let bytes = read.cast::<PyBytes>();
            let bytes =
                bytes.map_err(|_| PyTypeError::new_err("expected a file in binary mode"))?;
            self.chunk.extend_from_slice(bytes.as_bytes());
            Ok(())
        });
        filled.map_err(failure)
    }
}

/// A failure of the file itself. Its kind is that of no damage.
fn failure(error: PyErr) -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, error)
}

impl Read for Positioned<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.rest().is_empty() {
            self.fill()?;
        }
        let rest = self.rest();
        let len = rest.len().min(room.len());
        room[..len].copy_from_slice(&rest[..len]);
        self.at += len as u64;
        Ok(len)
    }
}

impl Seek for Positioned<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => {
                let end = Python::attach(|py| {
                    let file = self.file.bind(py);
                    file.call_method1("seek", (0, 2))?;
                    file.call_method0("tell")?.extract::<u64>()
                });
                let end = end.map_err(failure)?;
                end.checked_add_signed(by)
            }
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// Ranges of an archive of the web that hold whole records; `None` for any other file. Each range has its start and its
/// end in the file.
#[pyfunction]
pub fn record_ranges(
    py: Python<'_>,
    file: Py<PyAny>,
    length: u64,
) -> PyResult<Option<Vec<(u64, u64)>>> {
    let ranges = py.detach(|| ranges_of(&PythonFile(&file), length));
    let ranges = ranges.map_err(raised)?;
    Ok(ranges.map(|ranges| {
        let ranges = ranges.iter();
        ranges.map(|range| (range.start, range.end)).collect()
    }))
}

/// Hands batches of links to a function of Python.
struct LinkSink<'s> {
    sink: &'s Py<PyAny>,
    error: Option<PyErr>,
}

impl LinkSink<'_> {
    fn flush(&mut self, links: &mut Links) -> ControlFlow<()> {
        if links.len() == 0 || self.error.is_some() {
            return ControlFlow::Continue(());
        }
        let taken = links.take(Purpose::Find);
        let handed = taken
            .map_err(|error| Failure::from(error).into())
            .and_then(|batch| {
                Python::attach(|py| {
                    let batch = PyArrowType(batch).into_pyobject(py)?;
                    self.sink.call1(py, (batch,)).map(drop)
                })
            });
        match handed {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// The format of an archive or a compressed file, `warc` for an archive of the web in gzip; `None` for any other file.
#[pyfunction]
pub fn container_format(
    py: Python<'_>,
    file: Py<PyAny>,
    path: &str,
) -> PyResult<Option<&'static str>> {
    let format = py.detach(|| format_of(&PythonFile(&file), Path::new(path)));
    format.map_err(raised)
}

/// Finds the links of the documents in an archive or a compressed file, in bounded memory.
///
/// `path` is that of the file. `sink` is called with record batches of links: the fields of the struct in
/// `linkglot.arrow.FIND_SCHEMA`. Returns a dict: n_links, and errors with their paths. Exceptions of `file` and `sink`
/// are passed on.
#[pyfunction]
#[pyo3(signature = (file, path, sink, *, options = None))]
pub fn find_container<'py>(
    py: Python<'py>,
    file: Py<PyAny>,
    path: &str,
    sink: Py<PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = Options::new(options, Purpose::Find)?;
    find_with(py, &options, &sink, |each| {
        let file = PythonFile(&file);
        read_container(&file, Path::new(path), Limits::default(), each)
    })
}

/// Finds the links of records in a range of an archive of the web, from `record_ranges`: see `find_container`.
#[pyfunction]
#[pyo3(signature = (file, path, start, end, sink, *, options = None))]
pub fn find_records<'py>(
    py: Python<'py>,
    file: Py<PyAny>,
    path: &str,
    start: u64,
    end: u64,
    sink: Py<PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = Options::new(options, Purpose::Find)?;
    find_with(py, &options, &sink, |each| {
        let place = (Path::new(path), start..end);
        read_records(&PythonFile(&file), place, Limits::default(), each)
    })
}

fn find_with<'py>(
    py: Python<'py>,
    options: &Options,
    sink: &Py<PyAny>,
    read: impl FnOnce(&mut dyn FnMut(EntryEvent<'_>) -> ControlFlow<()>) -> Result<(), linkglot::Error>
    + Send,
) -> PyResult<Bound<'py, PyDict>> {
    let mut links = Links::default();
    let mut to = LinkSink { sink, error: None };
    let (read, count, errors) = py.detach(|| {
        let mut behind = |links: &mut Links| {
            if links.is_ready() {
                to.flush(links)
            } else {
                ControlFlow::Continue(())
            }
        };
        let mut finder = EntryFinder::new(options, &mut links, &mut behind);
        let read = read(&mut |event| finder.event(event));
        let (count, errors) = (finder.count, finder.errors);
        let _ = to.flush(&mut links);
        (read, count, errors)
    });
    if let Some(error) = to.error {
        return Err(error);
    }
    read.map_err(raised)?;
    let fields = PyDict::new(py);
    fields.set_item("n_links", count)?;
    fields.set_item("errors", errors)?;
    Ok(fields)
}

//! Records of archives of the web in files of Python, read from border to border.

use crate::arrow::{LinkBatches, Outcome, is_whole_document, unread};
use crate::data::Encoding;
use crate::error::Failure;
use crate::options::{Options, Purpose};
use crate::stream::{CHUNK, raised};
use arrow_pyarrow::PyArrowType;
use linkglot::rewrite::Forms;
use linkglot_files::{
    Content, FileEntry, Limits, ReadSeek, RecordEvent, SharedFile, read_records,
    record_ranges as ranges_of,
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

/// The record of some links: the path, the record, its URI and date, the format of the document, the number of links.
type Span = (
    String,
    Option<String>,
    Option<String>,
    Option<String>,
    &'static str,
    usize,
);

/// The links of records, on their way to Python.
struct Finder<'f> {
    options: &'f Options,
    batches: LinkBatches,
    sink: &'f Py<PyAny>,
    spans: Vec<Span>,
    count: u64,
    /// Paths and messages.
    errors: Vec<(String, String)>,
    error: Option<PyErr>,
}

impl Finder<'_> {
    fn event(&mut self, event: RecordEvent<'_>) -> ControlFlow<()> {
        match event {
            RecordEvent::Failed(path, error) => self.failed(path, error.to_string()),
            RecordEvent::Document(entry, content) => self.document(entry, content),
        }
        if self.error.is_some() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn failed(&mut self, path: &Path, message: String) {
        self.errors.push((path.display().to_string(), message));
    }

    fn document(&mut self, entry: &FileEntry, content: Content<'_>) {
        let options = self.options.with(|settings| {
            settings.name = Some(entry.name().to_string_lossy().into_owned());
            if let Some(archived) = entry.archived() {
                archived.apply(settings);
            }
        });
        let mut positions = Encoding::None.positions(&[]);
        let mut is_too_long = false;
        let mut each = |link: &linkglot::Link<'_>,
                        forms: &linkglot::rewrite::LinkForms,
                        info: &linkglot::link::Info| {
            if is_whole_document(link) {
                is_too_long = true;
                return ControlFlow::Continue(());
            }
            self.count += 1;
            let outcome = Outcome::Found(forms);
            self.batches.push(link, outcome, info, &mut positions);
            self.span(entry, info.format.name());
            self.flush_if(self.batches.is_ready())
        };
        let forms = Forms::new(&options.settings);
        let read = match content {
            Content::Whole(bytes) => forms.read(&mut &bytes[..], &mut each),
            Content::Large(mut file) => forms.read(&mut file, &mut each),
            Content::Stream(mut reader) => forms.read(&mut reader, &mut each),
        };
        match read {
            Ok(info) => {
                if let Some(error) = unread(&info.unread, is_too_long) {
                    self.failed(&entry.path, error);
                }
            }
            Err(error) => self.failed(&entry.path, error.to_string()),
        }
    }

    /// Counts a link of a document.
    fn span(&mut self, entry: &FileEntry, format: &'static str) {
        let path = entry.path.to_string_lossy();
        match self.spans.last_mut() {
            Some((last, .., last_format, count)) if *last == path && *last_format == format => {
                *count += 1;
            }
            _ => {
                let archived = entry.archived();
                let record = archived.and_then(|archived| archived.record.clone());
                let target = archived.and_then(|archived| archived.target.as_deref());
                let date = archived.and_then(|archived| archived.date.clone());
                let target = target.map(str::to_owned);
                self.spans
                    .push((path.into_owned(), record, target, date, format, 1));
            }
        }
    }

    fn flush_if(&mut self, is_ready: bool) -> ControlFlow<()> {
        if !is_ready || self.batches.is_empty() || self.error.is_some() {
            return ControlFlow::Continue(());
        }
        let spans = std::mem::take(&mut self.spans);
        let taken = self.batches.take();
        let handed = taken
            .map_err(|error| Failure::from(error).into())
            .and_then(|batch| {
                Python::attach(|py| {
                    let batch = PyArrowType(batch).into_pyobject(py)?;
                    self.sink.call1(py, (batch, spans)).map(drop)
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

/// Finds the links of records in a range of an archive of the web, from `record_ranges`, in bounded memory.
///
/// `path` is that of the file. `sink` is called with record batches of links: the fields of the struct in
/// `linkglot.arrow.FIND_SCHEMA`, and with the spans of rows that share a record: path, identifier, URI and date of the
/// record, format of the document, number of rows. Returns a dict: n_links, and errors with their paths. Exceptions of
/// `file` and `sink` are passed on.
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
    let mut finder = Finder {
        options: &options,
        batches: LinkBatches::new(Purpose::Find),
        sink: &sink,
        spans: Vec::new(),
        count: 0,
        errors: Vec::new(),
        error: None,
    };
    let read = py.detach(|| {
        let place = (Path::new(path), start..end);
        let read = read_records(&PythonFile(&file), place, Limits::default(), &mut |event| {
            finder.event(event)
        });
        let _ = finder.flush_if(true);
        read
    });
    if let Some(error) = finder.error {
        return Err(error);
    }
    read.map_err(raised)?;
    let fields = PyDict::new(py);
    fields.set_item("n_links", finder.count)?;
    fields.set_item("errors", finder.errors)?;
    Ok(fields)
}

//! Documents of any length, through files of Python, in bounded memory.

use crate::arrow::{LinkBatches, Outcome, is_whole_document, unread};
use crate::data::Encoding;
use crate::error::Failure;
use crate::link::codes;
use crate::options::{Options, Purpose};
use arrow_pyarrow::PyArrowType;
use linkglot::Document;
use linkglot::link::Info;
use linkglot::notes::Notes;
use linkglot::rewrite::{Forms, Summary};
use linkglot::stream::mailbox_ranges as ranges_of;
use linkglot_files::{Overrides, is_binary as is_binary_head, is_refusal};
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// Number of bytes that are read and written at a time.
pub const CHUNK: usize = 1 << 20;

/// A binary file of Python, for reading.
struct Reader<'f> {
    file: &'f Py<PyAny>,
    chunk: Vec<u8>,
    taken: usize,
}

impl Read for Reader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.chunk.len() {
            self.chunk.clear();
            self.taken = 0;
            Python::attach(|py| {
                // A keyboard interrupt ends the work.
                py.check_signals()?;
                let read = self.file.bind(py).call_method1("read", (CHUNK,))?;
                let bytes = read.cast::<PyBytes>();
                let bytes =
                    bytes.map_err(|_| PyTypeError::new_err("expected a file in binary mode"))?;
                self.chunk.extend_from_slice(bytes.as_bytes());
                Ok(())
            })
            .map_err(|error: PyErr| io::Error::other(error))?;
        }
        let rest = &self.chunk[self.taken..];
        let length = rest.len().min(out.len());
        out[..length].copy_from_slice(&rest[..length]);
        self.taken += length;
        Ok(length)
    }
}

fn reader(file: &Py<PyAny>) -> Reader<'_> {
    Reader {
        file,
        chunk: Vec::new(),
        taken: 0,
    }
}

/// A binary file of Python, for writing.
struct Writer<'f>(&'f Py<PyAny>);

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let written = self
                .0
                .call_method1(py, "write", (PyBytes::new(py, bytes),))?;
            // Raw files may write only a part, and return its length.
            let written = written.extract::<Option<usize>>(py)?;
            let (written, most) = (written.unwrap_or(bytes.len()), bytes.len());
            if written > most {
                // As `io.BufferedWriter` says it.
                let message = format!(
                    "raw write() returned invalid length {written} (should have been between 0 and {most})"
                );
                return Err(PyOSError::new_err(message));
            }
            Ok(written)
        })
        .map_err(|error: PyErr| io::Error::other(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Converts an error to an exception. An exception of Python is passed on unchanged.
pub fn raised(error: linkglot::Error) -> PyErr {
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        if let Some(error) = inner.downcast_ref::<PyErr>() {
            return Python::attach(|py| error.clone_ref(py));
        }
        let wrapped = inner
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        source = match wrapped {
            Some(wrapped) => Some(wrapped),
            None => inner.source(),
        };
    }
    Failure::from(error).into()
}

/// Passes links on as soon as there are many.
struct Sink<'s> {
    batches: LinkBatches,
    sink: &'s Py<PyAny>,
    error: Option<PyErr>,
}

impl Sink<'_> {
    fn flush_if_many(&mut self) -> ControlFlow<()> {
        if self.batches.is_ready() {
            self.flush()
        } else {
            ControlFlow::Continue(())
        }
    }

    fn flush(&mut self) -> ControlFlow<()> {
        if self.batches.is_empty() || self.error.is_some() {
            return ControlFlow::Continue(());
        }
        let handed = self
            .batches
            .take()
            .map_err(|error| Failure::from(error).into());
        let handed = handed.and_then(|batch| {
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

/// The properties of a document that has been read.
fn summary<'py>(
    py: Python<'py>,
    info: &Info,
    notes: Notes,
    error: Option<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    let charset = Failure::of_charset(info).map(|failure| failure.message);
    fields.set_item("format", info.format.name())?;
    fields.set_item("charset", info.charset.name())?;
    fields.set_item("notes", codes(notes))?;
    fields.set_item("error", charset.or(error))?;
    Ok(fields)
}

/// Finds the links of a binary file, in bounded memory.
///
/// `sink` is called with record batches of links: the fields of the struct in `linkglot.arrow.FIND_SCHEMA`. `options`
/// are those of `linkglot.find`, as a dict. Returns a dict about the document: format, charset, n_links, notes, error.
/// Exceptions of `file` and `sink` are passed on.
#[pyfunction]
#[pyo3(signature = (file, sink, *, options = None))]
pub fn find_stream<'py>(
    py: Python<'py>,
    file: Py<PyAny>,
    sink: Py<PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = Options::new(options, Purpose::Find)?;
    let mut sink = Sink {
        batches: LinkBatches::new(Purpose::Find),
        sink: &sink,
        error: None,
    };
    let (mut count, mut is_too_long) = (0_u64, false);
    let (read, notes) = py.detach(|| {
        let mut notes = Notes::NONE;
        let mut positions = Encoding::None.positions(&[]);
        let read =
            Forms::new(&options.settings).read(&mut reader(&file), &mut |link, forms, info| {
                if is_whole_document(link) {
                    is_too_long = true;
                    return ControlFlow::Continue(());
                }
                count += 1;
                let outcome = Outcome::Found(forms);
                notes.extend(sink.batches.push(link, outcome, info, &mut positions));
                sink.flush_if_many()
            });
        let _ = sink.flush();
        (read, notes)
    });
    if let Some(error) = sink.error {
        return Err(error);
    }
    let info = read.map_err(raised)?;
    let fields = summary(py, &info, notes, unread(&info.unread, is_too_long))?;
    fields.set_item("n_links", count)?;
    Ok(fields)
}

/// Rewrites a binary file to another, in bounded memory.
///
/// `sink` is called with record batches of the links that change or are left: the fields of the struct in
/// `linkglot.arrow.REWRITE_SCHEMA`. `options` are those of `linkglot.rewrite`, as a dict. Returns a dict about the
/// document: format, charset, n_links, n_changed, n_left, notes, error. Exceptions of `file`, `to` and `sink` are
/// passed on.
#[pyfunction]
#[pyo3(signature = (file, to, sink, *, options = None))]
pub fn rewrite_stream<'py>(
    py: Python<'py>,
    file: Py<PyAny>,
    to: Py<PyAny>,
    sink: Py<PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = Options::new(options, Purpose::Rewrite)?;
    let mut sink = Sink {
        batches: LinkBatches::new(Purpose::Rewrite),
        sink: &sink,
        error: None,
    };
    let mut is_too_long = false;
    let (rewritten, notes) = py.detach(|| {
        let mut notes = Notes::NONE;
        let mut positions = Encoding::None.positions(&[]);
        let watched = options.rewriter.clone().on_link(|outcome, info| {
            is_too_long |= is_whole_document(outcome.link);
            let link = Outcome::Rewritten(outcome);
            notes.extend(sink.batches.push(outcome.link, link, info, &mut positions));
            let _ = sink.flush_if_many();
        });
        let mut writer = io::BufWriter::with_capacity(CHUNK, Writer(&to));
        let rewritten = watched.rewrite(&mut reader(&file), &mut writer);
        let rewritten = rewritten.and_then(|summary| {
            writer.flush()?;
            Ok(summary)
        });
        let _ = sink.flush();
        (rewritten, notes)
    });
    if let Some(error) = sink.error {
        return Err(error);
    }
    let Summary { info, tally, .. } = match rewritten {
        Err(error) if is_refusal(error.kind()) => return Err(Failure::from(error).into()),
        rewritten => rewritten.map_err(raised)?,
    };
    let fields = summary(py, &info, notes, unread(&info.unread, is_too_long))?;
    fields.set_item("n_links", tally.links)?;
    fields.set_item("n_changed", tally.changed)?;
    fields.set_item("n_left", tally.left)?;
    Ok(fields)
}

/// True if a file is binary, judged by its first KiB and its name.
#[pyfunction]
#[pyo3(signature = (head, name, *, options = None))]
pub fn is_binary(head: &[u8], name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<bool> {
    let options = Options::new(options, Purpose::Rewrite)?;
    let overrides = Overrides {
        charset: options.settings.charset,
        format: options.settings.format,
    };
    Ok(is_binary_head(
        &head[..head.len().min(1024)],
        Path::new(name),
        overrides,
    ))
}

/// The name of the format, judged by the first bytes of a document and its name.
#[pyfunction]
#[pyo3(signature = (head, *, options = None))]
pub fn detect(head: &[u8], options: Option<&Bound<'_, PyDict>>) -> PyResult<&'static str> {
    let options = Options::new(options, Purpose::Rewrite)?;
    Ok(Document::new(head, &options.settings).info().format.name())
}

/// Ranges of a mailbox that begin and end between messages: start, end, the number of the first message, the line of
/// its beginning.
#[pyfunction]
pub fn mailbox_ranges(
    py: Python<'_>,
    file: Py<PyAny>,
    length: u64,
) -> PyResult<Vec<(u64, u64, u64, u64)>> {
    let ranges = py.detach(|| ranges_of(&mut reader(&file), length));
    let ranges = ranges.map_err(raised)?;
    let ranges = ranges.iter();
    Ok(ranges
        .map(|range| (range.start, range.end, range.message, range.line))
        .collect())
}

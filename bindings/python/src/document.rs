//! Documents with their parts, as text for programs that show them.

use crate::data::{Data, Encoding};
use crate::error::Failure;
use crate::link::{Found, FoundLink, PyLink, Read, message_number, read, to_links, warn_of_unread};
use crate::options::{Options, Purpose};
use linkglot::document::{DocumentPart, PartSegment};
use linkglot::link::{Info, UnreadParts};
use linkglot::{Document, Settings};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use std::ops::Range;
use std::sync::Arc;

/// A document with its links, and its parts as text.
#[pyclass(name = "Document", module = "linkglot", frozen)]
pub struct PyDocument {
    /// The format.
    #[pyo3(get)]
    format: &'static str,
    /// The charset.
    #[pyo3(get)]
    charset: &'static str,
    /// The base for relative references.
    #[pyo3(get)]
    base: Option<String>,
    /// The links, as `find` gives them.
    #[pyo3(get)]
    links: Py<PyTuple>,
    /// The parts of a message that are text, and its header fields with links; else the document itself.
    #[pyo3(get)]
    parts: Py<PyTuple>,
    /// The parts of a message that were not read: the number of each, in a mailbox behind that of the message
    /// (`12:1.2`), and the reason.
    #[pyo3(get)]
    unread: Py<PyTuple>,
}

/// A part of a message, or a header field with links; of another document, the document itself.
#[pyclass(name = "Part", module = "linkglot", frozen)]
pub struct PyPart {
    /// The number of the part of a message, as in IMAP: `1.2`, `/list-archive`.
    #[pyo3(get)]
    number: Option<String>,
    /// The number of the message in its mailbox, from 1.
    #[pyo3(get)]
    message: Option<u64>,
    /// The media type, in lower case.
    #[pyo3(get)]
    media_type: Option<String>,
    /// The format.
    #[pyo3(get)]
    format: &'static str,
    /// The charset.
    #[pyo3(get)]
    charset: &'static str,
    /// The base for relative references.
    #[pyo3(get)]
    base: Option<String>,
    /// The text, without the transfer encoding. Of HTML, the source with its tags.
    #[pyo3(get)]
    text: Py<PyString>,
    /// The links; `start` and `end` count characters of `text`.
    #[pyo3(get)]
    links: Py<PyTuple>,
    /// The part as a reader sees it.
    #[pyo3(get)]
    displayed: Py<PyDisplayed>,
}

/// The text of a part as a reader sees it.
#[pyclass(name = "Displayed", module = "linkglot", frozen)]
pub struct PyDisplayed {
    /// The text; of HTML without markup and hidden elements, with the `alt` of images, blocks in lines of their own.
    #[pyo3(get)]
    text: Py<PyString>,
    /// The links that are displayed; `start` and `end` count characters of `text`.
    #[pyo3(get)]
    links: Py<PyTuple>,
}

/// A text, and its links at ranges of characters.
#[derive(Default)]
struct Text {
    text: String,
    links: Vec<(linkglot::Link<'static>, Range<usize>)>,
}

/// A part, read without a lock of Python.
struct ReadPart {
    info: Info,
    source: Text,
    displayed: Text,
}

impl ReadPart {
    fn new(part: &DocumentPart<'_>) -> Self {
        let (mut source, mut at) = (Text::default(), 0);
        for segment in part.segments() {
            let start = at;
            match segment {
                PartSegment::Text(text) => {
                    at += text.chars().count();
                    source.text += &text;
                }
                PartSegment::Link(link, text) => {
                    at += text.chars().count();
                    source.text += &text;
                    source.links.push((link.into_owned(), start..at));
                }
            }
        }
        let seen = part.displayed();
        let mut positions = Encoding::Utf8.positions(seen.text().as_bytes());
        let links = seen.links().map(|(place, link)| {
            let start = positions.of(place.start);
            (link.clone().into_owned(), start..positions.of(place.end))
        });
        let displayed = Text {
            links: links.collect(),
            text: seen.text().to_owned(),
        };
        ReadPart {
            info: part.info().clone(),
            source,
            displayed,
        }
    }

    fn into_python(self, py: Python<'_>, settings: &Arc<Settings>) -> PyResult<PyPart> {
        let read = Read::new(&self.info, settings);
        let part = self.info.part();
        let (source, displayed) = (self.source, self.displayed);
        let displayed = PyDisplayed {
            text: PyString::new(py, &displayed.text).unbind(),
            links: links(py, displayed.links, &read)?,
        };
        Ok(PyPart {
            number: part.map(|part| part.number().to_owned()),
            message: part.and_then(message_number),
            media_type: part.map(|part| part.media_type().to_owned()),
            format: self.info.format.name(),
            charset: self.info.charset.name(),
            base: self.info.base.as_deref().map(str::to_owned),
            text: PyString::new(py, &source.text).unbind(),
            links: links(py, source.links, &read)?,
            displayed: Py::new(py, displayed)?,
        })
    }
}

fn links(
    py: Python<'_>,
    links: Vec<(linkglot::Link<'static>, Range<usize>)>,
    read: &Arc<Read>,
) -> PyResult<Py<PyTuple>> {
    let links = links.into_iter();
    let links = links.map(|(link, at)| PyLink::new(FoundLink::alone(link, read.clone()), at));
    Ok(PyTuple::new(py, links.collect::<Vec<_>>())?.unbind())
}

/// The format, charset and base of a document, its links and parts, and the parts that were not read.
type ReadDocument = (Info, Found, Vec<ReadPart>, UnreadParts);

fn read_document(bytes: &[u8], settings: &Arc<Settings>) -> Result<ReadDocument, Failure> {
    let (found, unread) = read(bytes, settings)?;
    let document = Document::new(bytes, settings);
    let parts = document.parts().map(ReadPart::new).collect();
    Ok((document.info().clone(), found, parts, unread))
}

#[pymethods]
impl PyDocument {
    #[new]
    #[pyo3(signature = (data, **options))]
    fn new(data: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let py = data.py();
        let options = Options::new(options, Purpose::Find)?;
        let (data, options) = Data::open(data, options)?;
        let settings = &options.settings;
        let read = data.detached(py, |bytes| read_document(bytes, settings))?;
        let (info, found, parts, unread) = read?;
        warn_of_unread(py, &unread)?;
        let failed = unread.errors.iter();
        let failed = failed.map(|(part, error)| (part.clone(), error.to_string()));
        let passed = unread.passed_over.iter();
        let passed = passed.map(|(part, reason)| (part.clone(), reason.code().to_owned()));
        let unread: Vec<(String, String)> = failed.chain(passed).collect();
        let parts = parts.into_iter();
        let parts = parts.map(|part| part.into_python(py, settings));
        let parts = parts.collect::<PyResult<Vec<_>>>()?;
        Ok(PyDocument {
            format: info.format.name(),
            charset: info.charset.name(),
            base: info.base.as_deref().map(str::to_owned),
            links: PyTuple::new(py, to_links(&data, found)?)?.unbind(),
            parts: PyTuple::new(py, parts)?.unbind(),
            unread: PyTuple::new(py, unread)?.unbind(),
        })
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (format, charset) = (self.format, self.charset);
        let (parts, links) = (self.parts.bind(py).len(), self.links.bind(py).len());
        format!("Document(format='{format}', charset='{charset}', parts={parts}, links={links})")
    }
}

#[pymethods]
impl PyPart {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (number, format) = (self.number.as_ref(), self.format);
        let number = number.into_pyobject(py)?.repr()?;
        let links = self.links.bind(py).len();
        Ok(format!(
            "Part(number={number}, format='{format}', links={links})"
        ))
    }
}

#[pymethods]
impl PyDisplayed {
    fn __str__(&self, py: Python<'_>) -> Py<PyString> {
        self.text.clone_ref(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.text.bind(py).repr()?;
        let links = self.links.bind(py).len();
        Ok(format!("Displayed({text}, links={links})"))
    }
}

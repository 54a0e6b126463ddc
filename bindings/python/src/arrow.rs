//! Batches of Arrow in and out: the content is read from Arrow's memory.

mod columns;
mod entries;
mod links;

use crate::data::{Encoding, encoding_of};
use crate::error::Failure;
use crate::options::{Options, Purpose};
use arrow_array::RecordBatch;
use arrow_pyarrow::PyArrowType;
use columns::{Content, Input, Row};
pub use entries::EntryFinder;
use linkglot::link::UnreadParts;
use linkglot::rewrite::Forms;
use linkglot::{Format, Link, Settings};
use linkglot_files::{
    Attachments, EntryEvent, Limits, Overrides, container_format, is_binary, read_attached,
    read_container, values,
};
use linkglot_markup::light;
use links::{FindTable, RewriteTable};
pub use links::{LinkBatches, Links, Outcome};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The message for a row that failed by a panic.
const INTERNAL: &str = "internal error: please report it with this document";

/// The note on a row with a binary file.
pub const BINARY: &str = "binary";

/// A row as a document: its bytes, and the options for reading it.
struct Document<'r> {
    bytes: Cow<'r, [u8]>,
    options: Options,
    encoding: Encoding,
}

impl<'r> Document<'r> {
    /// `None` if the row is binary.
    fn new(row: &Row<'r>, options: &Options) -> Result<Option<Self>, Failure> {
        let content = match row.content {
            Content::Missing => return Err(Failure::new("no-content", "the content is null")),
            Content::Bytes(bytes) => bytes,
            Content::Text(text) => text.as_bytes(),
        };
        let options = of_row(row, options)?;
        let overrides = Overrides {
            charset: options.settings.charset,
            format: options.settings.format,
        };
        let head = &content[..content.len().min(1024)];
        let is_text = matches!(row.content, Content::Text(_));
        if !is_text && is_binary(head, Path::new(row.path.unwrap_or_default()), overrides) {
            return Ok(None);
        }
        let (encoding, options) = match row.content {
            Content::Text(text) => encoding_of(text, options)?,
            _ => (Encoding::None, options),
        };
        let bytes = match &encoding {
            Encoding::Legacy(bytes, _) => Cow::Owned(bytes.clone()),
            Encoding::None | Encoding::Utf8 => Cow::Borrowed(content),
        };
        Ok(Some(Document {
            bytes,
            options,
            encoding,
        }))
    }
}

/// The options combined with the name, media type, charset and base of a row.
fn of_row(row: &Row<'_>, options: &Options) -> Result<Options, Failure> {
    let label = |label: &str| {
        let known = linkglot::Charset::for_label(label);
        known.map_err(|error| Failure::from(linkglot::Error::from(error)))
    };
    let (media_type, parameter) = row.media_type.map_or((None, None), media_type);
    let charset = row.charset.map(label).transpose()?;
    let parameter = parameter.as_deref().map(label).transpose()?;
    let base = row.base.map(values::document_base).transpose();
    let base = base.map_err(|error| Failure::new("base", format!("base: {error}")))?;
    Ok(options.with(|settings: &mut Settings| {
        if let Some(path) = row.path {
            settings.name = Some(path.to_owned());
        }
        settings.format = settings.format.or(media_type);
        settings.charset = charset.or(settings.charset).or(parameter);
        if let Some(base) = base {
            settings.base = Some(base.into());
        }
    }))
}

/// The format and the charset of `text/html; charset=koi8-r`.
fn media_type(text: &str) -> (Option<Format>, Option<String>) {
    let mut parts = text.split(';');
    let format = Format::for_media_type(parts.next().unwrap_or_default());
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        let is_charset = name.trim().eq_ignore_ascii_case("charset");
        is_charset.then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    });
    (format, charset.filter(|charset| !charset.is_empty()))
}

/// True if a link stands for a whole document that was too long to be read.
pub fn is_whole_document(link: &Link<'_>) -> bool {
    link.place().name.as_deref() == Some(light::DOCUMENT) && link.text().is_empty()
}

/// The reasons why a document was not read whole; `None` if it was.
pub fn unread(unread: &UnreadParts, is_too_long: bool) -> Option<String> {
    let mut errors: Vec<String> = Vec::new();
    if is_too_long {
        errors.push("the document is too long, or too dense with markup, to be read".to_owned());
    }
    let parts = unread.errors.iter();
    errors.extend(parts.map(|(part, error)| format!("part {part}: {error}")));
    (!errors.is_empty()).then(|| errors.join("; "))
}

/// Processes a row. A failure, or a panic, becomes the error of this row alone.
fn caught(row: impl FnOnce() -> Result<(), Failure>) -> Result<(), String> {
    match catch_unwind(AssertUnwindSafe(row)) {
        Ok(done) => done.map_err(|failure| failure.message),
        Err(_) => Err(INTERNAL.to_owned()),
    }
}

/// The links of each row.
#[pyfunction]
#[pyo3(signature = (batch, *, content, options))]
pub fn find_batch(
    py: Python<'_>,
    batch: PyArrowType<RecordBatch>,
    content: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyArrowType<RecordBatch>> {
    let options = Options::new(options, Purpose::Find)?;
    let options = options.with(|settings| Attachments::default().leave(settings));
    let input = Input::new(&batch.0, content)?;
    let found = py.detach(|| {
        let mut table = FindTable::default();
        for row in input.rows() {
            let done = || find_row(&row, &options, &mut table);
            if let Err(error) = caught(done) {
                table.fail(row.path, error);
            }
        }
        table.finish()
    });
    Ok(PyArrowType(found.map_err(Failure::from)?))
}

fn find_row(row: &Row<'_>, options: &Options, table: &mut FindTable) -> Result<(), Failure> {
    if let Content::Bytes(bytes) = row.content {
        let path = Path::new(row.path.unwrap_or_default());
        if let Some(format) = container_format(&bytes, path)? {
            return find_container_row(row, (bytes, path, format), options, table);
        }
    }
    let Some(document) = Document::new(row, options)? else {
        table.binary(row.path);
        return Ok(());
    };
    let mut positions = document.encoding.positions(&document.bytes);
    let mut is_too_long = false;
    let settings = &document.options.settings;
    let info = Forms::new(settings).read_slice(&document.bytes, &mut |link, forms, info| {
        is_too_long |= is_whole_document(link);
        table
            .links
            .push(link, Outcome::Found(forms), info, &mut positions);
        ControlFlow::Continue(())
    })?;
    if let Some(failure) = Failure::of_charset(&info) {
        return Err(failure);
    }
    let attachments = Attachments::default();
    attachments.see(&info, settings);
    let path = Path::new(row.path.unwrap_or_default());
    let errors = entries_of(path, &document.options, table, |each| {
        let message = (path, &attachments);
        read_attached(&&*document.bytes, message, Limits::default(), each)
    })?;
    let errors: Vec<_> = unread(&info.unread, is_too_long)
        .into_iter()
        .chain(errors)
        .collect();
    let errors = (!errors.is_empty()).then(|| errors.join("; "));
    table.end(row.path, &info, errors);
    Ok(())
}

/// Finds the links in a row with an archive or a compressed file.
fn find_container_row(
    row: &Row<'_>,
    (bytes, path, format): (&[u8], &Path, &str),
    options: &Options,
    table: &mut FindTable,
) -> Result<(), Failure> {
    let options = of_row(row, options)?;
    let errors = entries_of(path, &options, table, |each| {
        read_container(&bytes, path, Limits::default(), each)
    })?;
    table.end_container(row.path, format, errors);
    Ok(())
}

/// Finds the links in the entries of a file. Returns the messages of those that cannot be read.
fn entries_of(
    path: &Path,
    options: &Options,
    table: &mut FindTable,
    read: impl FnOnce(&mut dyn FnMut(EntryEvent<'_>) -> ControlFlow<()>) -> Result<(), linkglot::Error>,
) -> Result<Option<String>, Failure> {
    let mut goes_on = |_: &mut Links| ControlFlow::Continue(());
    let mut finder = EntryFinder::new(options, &mut table.links, &mut goes_on);
    let read = read(&mut |event| finder.event(event));
    let errors = finder.errors.into_iter().map(|(of, message)| {
        if Path::new(&of) == path {
            message
        } else {
            format!("{of}: {message}")
        }
    });
    let errors = errors.collect::<Vec<_>>().join("; ");
    let errors = (!errors.is_empty()).then_some(errors);
    table.links.open_entry = None;
    read?;
    Ok(errors)
}

/// Each row with its links rewritten.
#[pyfunction]
#[pyo3(signature = (batch, *, content, options))]
pub fn rewrite_batch(
    py: Python<'_>,
    batch: PyArrowType<RecordBatch>,
    content: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyArrowType<RecordBatch>> {
    let options = Options::new(options, Purpose::Rewrite)?;
    let input = Input::new(&batch.0, content)?;
    let rewritten = py.detach(|| {
        let mut table = RewriteTable::new(&input);
        for row in input.rows() {
            let done = || rewrite_row(&row, &options, &mut table);
            if let Err(error) = caught(done) {
                table.fail(row.path, error);
            }
        }
        table.finish()
    });
    Ok(PyArrowType(rewritten.map_err(Failure::from)?))
}

fn rewrite_row(row: &Row<'_>, options: &Options, table: &mut RewriteTable) -> Result<(), Failure> {
    let Some(document) = Document::new(row, options)? else {
        table.binary(row.path);
        return Ok(());
    };
    if document.options.transcodes && matches!(row.content, Content::Text(_)) {
        let message = "expected bytes with to_charset, found a text, which has no charset";
        return Err(Failure::new("transcoding", message));
    }
    let mut positions = document.encoding.positions(&document.bytes);
    let mut is_too_long = false;
    let watched = document.options.rewriter.clone().on_link(|outcome, info| {
        let link = outcome.link;
        is_too_long |= is_whole_document(link);
        table
            .links
            .push(link, Outcome::Rewritten(outcome), info, &mut positions);
    });
    let rewritten = watched.rewrite_slice(&document.bytes);
    if let Some(failure) = Failure::of_charset(&rewritten.summary.info) {
        return Err(failure);
    }
    if let Some(error) = &rewritten.summary.error {
        return Err(Failure::from(error));
    }
    let content = match &rewritten.content {
        Cow::Borrowed(_) => None,
        Cow::Owned(bytes) => Some(document.encoding.decoded(bytes)),
    };
    let summary = (&rewritten.summary, is_too_long);
    table.end(row.path, content.as_deref(), summary)
}
